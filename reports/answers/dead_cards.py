"""The section about cards that nobody buys."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.card_value import called, cards_of
from analysis.dead_cards import (
    DEAD,
    OFTEN_UNUSED,
    SHARE_OF_GAMES,
    dead_sentence,
    strategies_sentence,
    unused_sentence,
    why_sentence,
)
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import percent, picture
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.game import Cards
from sim.wording import counted

MOST_SHOWN = 14  # cards of the picture


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: the cards that are left lying, then why."""
    deck, cards = cards_of(setting)
    bought, dead = answer.frames["purchases"], answer.frames["dead"]
    blocks: list[Block] = [_figure(bought, dead, deck, setting)]
    blocks.append(Finding(dead_sentence(dead, bought, deck, len(cards))))
    blocks += [
        Text(said) for said in (why_sentence(bought), strategies_sentence(bought, deck)) if said
    ]
    blocks.append(
        Text(
            "Every strategy plays against itself. *Too dear*: players with plenty to pay with take "
            f"it. *Overpriced*: these leave it, and where every {deck.kind} costs as little as it "
            f"can it is taken. *Refused*: left even then. Scripts weigh {deck.kind}s as they are "
            f"written to: a {deck.kind} that a script refuses may still suit a person, so look at "
            "what it gives before you throw it out."
        )
    )
    blocks += _tables(bought, dead, deck, setting)
    if "unused" in answer.frames:
        blocks += _unused(answer.frames["unused"], deck, setting)
    return Section(f"{deck.kind.capitalize()}s that nobody buys", blocks)


def _figure(bought: pd.DataFrame, dead: pd.DataFrame, deck: Cards, setting: Setting) -> Figure:
    left = dict.fromkeys(dead["card"])
    if len(left) < MOST_SHOWN:  # fill up with those bought least
        mean = bought.groupby("card", sort=False)["estimate"].mean().sort_values(kind="stable")
        left |= dict.fromkeys(mean.index)
    names = list(left)[:MOST_SHOWN]
    rows = bought[bought["card"].isin(names)]
    order = [called(name) for name in names]
    rows = rows.assign(card=pd.Categorical([called(n) for n in rows["card"]], order, ordered=True))
    everywhere = dead[dead["everywhere"]]
    title = f"No {deck.kind} is left lying by every strategy"
    if len(everywhere):
        named = [called(name) for name in everywhere["card"].head(3)]
        more = len(everywhere) - len(named)
        title = (
            f"Hardly ever {deck.took}: {words.listed([*named, f'{more} more'] if more else named)}"
        )
    lowest = rows.loc[rows["high"].idxmin()]
    return Figure(
        "dead_cards",
        picture(
            figures.matrix,
            rows,
            style.TALL,
            rows="card",
            columns="strategy",
            value="estimate",
            xlabel="four of a strategy" if setting.players == 4 else "all of a strategy",
            ylabel=deck.kind,
        ),
        f"Table of how often {counted(len(order), deck.kind)} "
        f"{'is' if len(order) == 1 else 'are'} {deck.took} by each strategy; lowest "
        f"{lowest['card']} by {lowest['strategy']}, "
        f"{rate(lowest['estimate'], lowest['low'], lowest['high'])}.",
        f"Purchases in % of the games in which the {deck.kind} could be {deck.took}, half the "
        f"width of the interval below it; n = {counted(_games(setting), 'game')} a strategy, "
        f"{percent(setting.level)} intervals that hold together.",
        title,
    )


def _games(setting: Setting) -> int:
    return max(1, round(setting.games * SHARE_OF_GAMES))


def _unused(unused: pd.DataFrame, deck: Cards, setting: Setting) -> list[Block]:
    blocks: list[Block] = [Finding(unused_sentence(unused, deck))]
    rows = unused[unused["low"] > OFTEN_UNUSED]
    if len(rows):
        blocks.append(
            Table(
                "unused_cards",
                rows.assign(card=[called(name) for name in rows["card"]]),
                f"{deck.kind.capitalize()}s {deck.took} and then never {deck.use} in more than "
                f"{words.share(OFTEN_UNUSED)} of the games of a player who has one; "
                f"{percent(setting.level)} intervals that hold together.",
                columns={
                    "strategy": "strategy",
                    "card": deck.kind,
                    "taken": f"games {deck.took}",
                    "estimate": f"never {deck.use}",
                },
                formats={"taken": "count", "estimate": Interval("rate")},
            )
        )
    return blocks


def _tables(bought: pd.DataFrame, dead: pd.DataFrame, deck: Cards, setting: Setting) -> list[Block]:
    level = percent(setting.level)
    blocks: list[Block] = []
    if len(dead):
        blocks.append(
            Table(
                "dead_cards",
                dead.assign(card=[called(name) for name in dead["card"]]),
                f"{deck.kind.capitalize()}s that some strategy is shown to leave in more than "
                f"{words.share(1 - DEAD)} of the games, or that none is shown to take; "
                f"{level} bounds that hold together.",
                columns={
                    "card": deck.kind,
                    "dead": "strategies that leave it",
                    "open": "open",
                    "bought": "that take it",
                    "bound": "at most",
                    "which": "by",
                    "why": "why",
                },
                formats={"dead": "count", "open": "count", "bought": "count", "bound": "rate"},
                headline=True,
            )
        )
    rows = bought[bought["why"] != ""]
    if len(rows):
        blocks.append(
            Table(
                "rarely_bought",
                rows.assign(card=[called(name) for name in rows["card"]]),
                f"Pairs of a strategy and a {deck.kind} that it takes in fewer than "
                f"{words.share(DEAD)} of the games in which it could; {level} intervals that hold "
                "together, a one-sided bound where it never did.",
                columns={
                    "strategy": "strategy",
                    "card": deck.kind,
                    "seen": "could be",
                    "estimate": deck.took,
                    "rich": "by rich players",
                    "cheap": "where cheap",
                    "verdict": "verdict",
                    "why": "why",
                },
                formats={
                    "seen": "rate",
                    "estimate": Interval("rate"),
                    "rich": Interval("rate", "rich_low", "rich_high"),
                    "cheap": Interval("rate", "cheap_low", "cheap_high"),
                },
            )
        )
    return blocks
