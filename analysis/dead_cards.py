"""Cards that are hardly ever bought when they lie there to be bought, by strategy, and why.

Each strategy (but the one that chooses by lot, and so wants nothing) plays against itself, three
times on the same deals: as the rules are; rich, where players have plenty to pay with; and cheap,
where every card costs as little as it can. A card that is left lying as the rules are is

    too dear      if rich players buy it: it is worth its price, they seldom can pay it;
    overpriced    if rich players leave it and it sells when cheap: it is not worth its price;
    refused       if it is left even then: nobody wants it at any price.

Frames, every estimate with low, high, level, n and method:

purchases: one row per strategy and card. strategy, card, its classes; seen: share of games in which
    it could be bought; estimate: purchases a game in which it could, 1 at most: the share of such
    games in which it was bought, or a little more, as two players may buy it; its interval and
    those of all rows hold together, and where none was seen bought it is a one-sided bound;
    rich, cheap: the same where players are rich, and where cards are cheap; verdict: "dead" where
    the upper end is below DEAD, "bought" where the lower end is above it, else "open"; why (where
    the estimate is below DEAD): "too dear", "overpriced", "refused".
dead: one row per card that is dead for some strategy, or not shown to be bought by any. card, its
    classes; dead, open, bought: for how many strategies; bound: the highest upper end among all
    strategies; which: that strategy; everywhere: dead for all; why: what most of those that leave
    it have.
unused (where the game tells whether a card that was taken was ever used): one row per strategy and
    card that it took. strategy, card, its classes; taken: games of a player in which it took it;
    estimate: share of these in which it never used it; its interval and those of all rows hold
    together.

A card dealt and never bought in n games may still be bought in a share of them: the rule of three
says up to about 3 / n, more where many cards are judged at once. Bounds rest on deals, not games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.card_value import CardCounts, called, cards_of, has_cards
from analysis.intervals import Interval, no_events
from analysis.paired import INTERVAL_COLUMNS, frame, interval_row, jointly, replicate_share
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.strategies import strategies_of
from sim.batch import Chunk
from sim.game import Card, Cards
from sim.wording import counted, noun_for
from strategies.presets import presets_of

TITLE = "Cards that nobody buys"
TEXT = "Which cards are hardly ever bought when they could be, by whom, and why?"

DEAD = 0.02  # bought in fewer of the games in which it could be
OFTEN_UNUSED = 0.5  # never used in more of the games of a player who took it
SHARE_OF_GAMES = 0.25  # each strategy takes three plays
AS_IT_IS, RICH, CHEAP = range(3)
VERDICTS = ("dead", "open", "bought")
TOO_DEAR, OVERPRICED, REFUSED = "too dear", "overpriced", "refused"


# ------------------------------------------------------------------------------------ the plays


def buyers(setting: Setting) -> list[str]:
    """Specs of the strategies that are asked: all that choose by more than lot."""
    presets = presets_of(setting.game)
    by_lot = {name for name, preset in presets.items() if preset.blunder == 1}
    return [spec for spec in strategies_of(setting) if spec not in by_lot]


def strategy_plays(setting: Setting, strategy: str) -> tuple[Play, ...]:
    """The plays of one strategy: as it is, rich, cheap."""
    deck, _ = cards_of(setting)
    seats = (strategy,) * setting.players
    rules = setting.rules.model
    return (
        Play(f"{strategy}, as it is", seats),
        Play(f"{strategy}, rich", seats, deck.rich(rules)),
        Play(f"{strategy}, cheap", seats, deck.cheap(rules)),
    )


class PlayCounts(tuple[CardCounts, ...]):
    """Counts of several plays; they add up play by play."""

    __slots__ = ()

    def __add__(self, other: Any) -> PlayCounts:
        return PlayCounts(a + b for a, b in zip(self, other, strict=True))


# ------------------------------------------------------------------------------------ the frames


def purchases(
    counts: CardCounts, card: int, rotations: int, level: float, together: int = 1
) -> Interval:
    """Purchases of a card a game in which it could be bought, 1 at most.

    Without any: the one-sided bound from as many deals, whichever rotations saw it.
    """
    seen = counts.seen[:, card]
    taken = np.minimum(counts.taken[:, card], seen)
    if not taken.any():
        deals = int(seen.sum()) // rotations
        return jointly(lambda own: no_events(deals, own), level, together)
    return replicate_share(taken, seen, level, together=together)


def unused_share(
    counts: CardCounts, card: int, rotations: int, level: float, together: int = 1
) -> Interval:
    """Share of the player games with a card in which it was never used; somebody took it."""
    return replicate_share(
        counts.unused[:, card],
        counts.taken[:, card],
        level,
        together=together,
        deals=counts.deals(card, rotations),
    )


def unused_frame(
    counts: Mapping[str, PlayCounts], cards: Sequence[Card], rotations: int, level: float
) -> pd.DataFrame:
    """The frame `unused` of this module. counts: of `strategy_plays` by strategy."""
    rows = []
    for strategy, plays in counts.items():
        for place, card in enumerate(cards):
            taken = int(plays[AS_IT_IS].taken[:, place].sum())
            if taken == 0:
                continue
            together = len(counts) * len(cards)
            share = unused_share(plays[AS_IT_IS], place, rotations, level, together)
            head = {"strategy": strategy, "card": card.name, **dict(card.classes)}
            rows.append({**head, "taken": taken, **interval_row(share)})
    columns = ("strategy", "card", *_classes(cards), "taken", *INTERVAL_COLUMNS)
    found = frame(rows, columns)
    return found.sort_values("low", ascending=False, kind="stable", ignore_index=True)


def why(rich: Interval, cheap: Interval) -> str:
    """Why a dead card is left lying. rich, cheap: how often it is bought then."""
    if rich.estimate >= DEAD:
        return TOO_DEAR
    return OVERPRICED if cheap.estimate >= DEAD else REFUSED


def purchases_frame(
    counts: Mapping[str, PlayCounts], cards: Sequence[Card], rotations: int, level: float
) -> pd.DataFrame:
    """The frame `purchases` of this module. counts: of `strategy_plays` by strategy."""
    together = len(counts) * len(cards)
    rows = []
    for strategy, plays in counts.items():
        for place, card in enumerate(cards):
            usual, rich, cheap = (
                purchases(one, place, rotations, level, together) for one in plays
            )
            seen = plays[AS_IT_IS].seen[:, place].sum()
            left = usual.estimate < DEAD
            rows.append(
                {
                    "strategy": strategy,
                    "card": card.name,
                    **dict(card.classes),
                    "seen": seen / plays[AS_IT_IS].games,
                    **interval_row(usual),
                    "rich": rich.estimate,
                    "rich_low": rich.low,
                    "rich_high": rich.high,
                    "cheap": cheap.estimate,
                    "cheap_low": cheap.low,
                    "cheap_high": cheap.high,
                    "verdict": _verdict(usual),
                    "why": why(rich, cheap) if left else "",
                }
            )
    columns = (
        *("strategy", "card", *_classes(cards), "seen", *INTERVAL_COLUMNS),
        *("rich", "rich_low", "rich_high", "cheap", "cheap_low", "cheap_high", "verdict", "why"),
    )
    return frame(rows, columns)


def _verdict(usual: Interval) -> str:
    if usual.high < DEAD:
        return "dead"
    return "bought" if usual.low > DEAD else "open"


def _classes(cards: Sequence[Card]) -> list[str]:
    return [name for name, _ in cards[0].classes] if cards else []


def dead_frame(bought: pd.DataFrame, cards: Sequence[Card]) -> pd.DataFrame:
    """The frame `dead` of this module. bought: the frame `purchases`."""
    rows = []
    for name, own in bought.groupby("card", sort=False):
        number = {verdict: int((own["verdict"] == verdict).sum()) for verdict in VERDICTS}
        if number["bought"] and not number["dead"]:
            continue
        most = own.loc[own["high"].idxmax()]
        reasons = own["why"][own["why"] != ""].value_counts()
        rows.append(
            {
                "card": name,
                **{key: most[key] for key in _classes(cards)},
                **number,
                "bound": most["high"],
                "which": most["strategy"],
                "everywhere": number["dead"] == len(own),
                "why": reasons.index[0] if len(reasons) else "",
            }
        )
    columns = ("card", *_classes(cards), *VERDICTS, "bound", "which", "everywhere", "why")
    found = frame(rows, columns)
    return found.sort_values(
        ["bought", "dead", "bound"], ascending=[True, False, True], kind="stable", ignore_index=True
    )


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    deck, cards = cards_of(setting)
    numbers = [card.number for card in cards]

    def count(chunks: tuple[Chunk, ...]) -> PlayCounts:
        return PlayCounts(CardCounts.of(chunk, deck, numbers) for chunk in chunks)

    return [
        Group(_group_of(strategy), strategy_plays(setting, strategy), count, SHARE_OF_GAMES)
        for strategy in buyers(setting)
    ]


def _group_of(strategy: str) -> str:
    return f"bought by {strategy}"


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    deck, cards = cards_of(setting)
    counts = {name: sums[_group_of(name)] for name in buyers(setting)}
    bought = purchases_frame(counts, cards, setting.rotations, setting.level)
    dead = dead_frame(bought, cards)
    sentences = [
        dead_sentence(dead, bought, deck, len(cards)),
        why_sentence(bought),
        strategies_sentence(bought, deck),
    ]
    frames = {"purchases": bought, "dead": dead}
    if deck.use:
        frames["unused"] = unused_frame(counts, cards, setting.rotations, setting.level)
        sentences.append(unused_sentence(frames["unused"], deck))
    return Answer(frames, tuple(s for s in sentences if s))


# ---------------------------------------------------------------------------------- in words

_NAMED = 5


def dead_sentence(dead: pd.DataFrame, bought: pd.DataFrame, deck: Cards, cards: int) -> str:
    """Which cards no strategy buys, with the bound, and how many are open."""
    strategies = bought["strategy"].nunique()
    everywhere = dead[dead["everywhere"]]
    open_ = dead[~dead["everywhere"] & (dead["bought"] == 0)]
    some = dead[(dead["bought"] > 0) & (dead["dead"] > 0)]
    rest = [f"{_number(deck, len(some))} for some of them only"]
    if len(open_):
        rest.append(f"{_number(deck, len(open_))} may be, which takes more games to tell")
    if everywhere.empty:
        return (
            f"No {deck.kind} is shown to be dead for {_everybody(strategies)}, that is "
            f"{deck.took} in fewer than {words.share(DEAD)} of the games in which it could be; "
            f"{words.listed(rest)}."
        )
    names = [called(name) for name in everywhere["card"].head(_NAMED)]
    more = len(everywhere) - len(names)
    named = words.listed([*names, f"{more} more"] if more else names)
    return (
        f"{_number(deck, len(everywhere))} of {cards} {'is' if len(everywhere) == 1 else 'are'} "
        f"dead for {_everybody(strategies)}, {deck.took} in fewer than {words.share(DEAD)} of the "
        f"games in which they could be: {named} (at most "
        f"{words.share(everywhere['bound'].max())} for any of them and any strategy); "
        f"{words.listed(rest)}."
    )


def _everybody(strategies: int) -> str:
    return "the one strategy" if strategies == 1 else f"all of {strategies} strategies"


def _number(deck: Cards, number: int) -> str:
    return counted(number, deck.kind) if number else f"no {noun_for(0, deck.kind)}"


def _times(number: int) -> str:
    return "once" if number == 1 else counted(number, "time")


def why_sentence(bought: pd.DataFrame) -> str:
    """For what reasons cards are left lying."""
    rows = bought[bought["why"] != ""]
    if rows.empty:
        return ""
    meaning = {
        REFUSED: "left even where all cards are cheap",
        OVERPRICED: "left by players who could pay, taken where cards are cheap",
        TOO_DEAR: "taken by players who have plenty",
    }
    parts = [
        f"{_times(int((rows['why'] == reason).sum()))} {reason} ({text})"
        for reason, text in meaning.items()
        if (rows["why"] == reason).any()
    ]
    return (
        f"Why, over {counted(len(rows), 'pair')} of a strategy and a card that it hardly ever "
        f"buys: {words.listed(parts)}."
    )


def strategies_sentence(bought: pd.DataFrame, deck: Cards) -> str:
    """Which strategies leave most and fewest cards lying."""
    number = (bought["why"] != "").groupby(bought["strategy"], sort=False).sum()
    most, fewest = number.idxmax(), number.idxmin()
    if number[most] == number[fewest]:
        return ""
    return (
        f"Most are left by {most}, {_number(deck, number[most])}, the fewest by {fewest}, "
        f"{_number(deck, number[fewest])}."
    )


def unused_sentence(unused: pd.DataFrame, deck: Cards) -> str:
    """Which cards are taken and then never used most often, by whom."""
    often = unused[unused["low"] > OFTEN_UNUSED]
    number = often["card"].nunique()
    limit = f"never {deck.use} in more than {words.share(OFTEN_UNUSED)} of the games of a player"
    if number == 0:
        return f"No {deck.kind} is shown to be {deck.took} and then {limit} who has it."
    worst = often.iloc[0]
    return (
        f"{_number(deck, number)} {'is' if number == 1 else 'are'} {deck.took} by some strategy "
        f"and then {limit} who has one, {called(worst['card'])} by {worst['strategy']} most "
        f"surely: {words.share(worst['estimate'], worst['low'], worst['high'])}."
    )


QUESTION = Question(
    "dead_cards",
    TITLE,
    TEXT,
    _groups,
    _answer,
    least_players=2,
    suits=has_cards,
    together=None,
)
