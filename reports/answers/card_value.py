"""The section about what cards are worth."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.card_value import (
    BUYERS,
    DENIED,
    FORBIDDEN,
    best_sentence,
    called,
    cards_of,
    classes_sentence,
    examples_sentence,
    length_sentence,
    length_unit,
    naive_sentence,
    precision_sentence,
)
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import percent, picture, wide
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, points
from reports.scatter import scatter
from sim.game import Cards
from sim.wording import counted

BEST, WORST = 9, 5  # cards of the figure and of the short table
NAMED = 10  # cards named in the picture of all
WIDEST = 0.5  # half of an interval, as a share of games: a wider one would only squeeze the others


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: the best and the worst, naive against causal, classes, length."""
    deck, _ = cards_of(setting)
    cards = _named(answer.frames["cards"])
    trial = answer.frames["trial"]
    blocks: list[Block] = [
        _worth_figure(cards, trial, deck, setting),
        _naive_figure(cards, trial, deck, setting),
        _worth_section(cards, answer, deck, setting),
        _classes_section(answer.frames["classes"], deck, setting),
    ]
    if "examples" in answer.frames:
        blocks.append(_examples_section(answer.frames["examples"], deck, setting))
    blocks.append(_length_section(answer.frames["length"], deck, setting))
    blocks.append(_all_section(cards, answer, deck, setting))
    return Section("What cards are worth", blocks)


def _named(cards: pd.DataFrame) -> pd.DataFrame:
    return cards.assign(card=[called(name) for name in cards["card"]])


def _drawn(cards: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The cards that pictures show, of those that anybody buys, and a sentence on the others.

    Left out is what is bought too rarely to say what a purchase adds, unless that is nearly all.
    """
    known = cards[cards["per_purchase"].notna()]
    wide_ones = known["per_purchase_high"] - known["per_purchase_low"] > 2 * WIDEST
    if (~wide_ones).sum() < BEST + WORST or not wide_ones.any():
        return known, ""
    return known[~wide_ones], (
        f" {wide_ones.sum()} that are bought too rarely, with intervals of more than "
        f"{200 * WIDEST:g} pp, are in the table of all only."
    )


def _ends(cards: pd.DataFrame) -> pd.DataFrame:
    """The best cards and the worst, of those that anybody buys."""
    known = cards[cards["per_purchase"].notna()]
    if len(known) <= BEST + WORST:
        return known
    return pd.concat([known.head(BEST), known.tail(WORST)])


# -------------------------------------------------------------------------------------- pictures


def _worth_figure(
    cards: pd.DataFrame, trial: pd.DataFrame, deck: Cards, setting: Setting
) -> Figure:
    drawn, left_out = _drawn(cards)
    rows = _ends(drawn)
    naive, causal = f"won when {deck.took}, less when not", "what a purchase adds"
    shown = pd.concat(
        [
            rows.assign(
                figure=naive,
                value=rows["lift"],
                low=rows["lift_low"],
                high=rows["lift_high"],
            ),
            rows.assign(
                figure=causal,
                value=rows["per_purchase"],
                low=rows["per_purchase_low"],
                high=rows["per_purchase_high"],
            ),
        ]
    )
    top = cards.iloc[0]
    adds = ("per_purchase", "per_purchase_low", "per_purchase_high")
    listed = "; ".join(
        f"{row['card']} {points(*(row[key] for key in adds))}" for row in rows.to_dict("records")
    )
    title = f"No {deck.kind} is shown to be worth anything by itself"
    if top["low"] > 0:
        value = words.points(top["estimate"], top["low"], top["high"]).replace(words.SPACE, " ")
        title = f"{top['card']} is worth most: {value} of win probability a game"
    return Figure(
        "card_worth",
        picture(
            figures.interval_dots,
            shown,
            style.TALL,
            label="card",
            estimate="value",
            by="figure",
            kind="points",
            reference=0.0,
            xlabel="win probability (pp)",
        ),
        f"Dot plot of what a purchase adds to the win probability of the buyer: {listed}.",
        f"The {deck.kind}s that are worth most and least a game, in this order; "
        f"{_trial_words(trial, setting)}; naive: n = {counted(setting.games, 'game')}. All "
        f"intervals hold together.{left_out}",
        title,
    )


def _trial_words(trial: pd.DataFrame, setting: Setting, name: str = FORBIDDEN) -> str:
    row = trial[trial["experiment"] == name].iloc[0]
    return (
        f"trial of {counted(row['plays'], 'play')}, n = {counted(row['games'], 'game')}, "
        f"{percent(setting.level)} intervals (least squares, Student, Bonferroni)"
    )


def _naive_figure(
    cards: pd.DataFrame, trial: pd.DataFrame, deck: Cards, setting: Setting
) -> Figure:
    known = cards[cards["per_purchase"].notna()]
    wrong = known[known["verdict"] != ""]
    far = wrong["gap"].abs().nlargest(NAMED).index
    drawn, left_out = _drawn(cards)
    shown = drawn.assign(
        x=drawn["lift"],
        x_low=drawn["lift_low"],
        x_high=drawn["lift_high"],
        y=drawn["per_purchase"],
        y_low=drawn["per_purchase_low"],
        y_high=drawn["per_purchase_high"],
        marked=drawn.index.isin(far),
    )
    title = f"“Won when {deck.took}” misleads for {len(wrong)} of {counted(len(known), deck.kind)}"
    if wrong.empty:
        title = f"“Won when {deck.took}” is not shown to mislead"
    listed = "; ".join(
        f"{row['card']}: {words.gain(row, side='lift')} against "
        f"{words.gain(row, side='per_purchase')}"
        for row in shown[shown["marked"]].to_dict("records")
    )
    return Figure(
        "card_naive",
        picture(
            scatter,
            shown,
            style.TALL,
            x="x",
            y="y",
            label="card",
            marked="marked",
            xlabel=f"won when {deck.took}, less when not (pp)",
            ylabel="what a purchase adds (pp)",
            diagonal_label="agree",
        ),
        f"Scatter plot of {counted(len(shown), deck.kind)}, the naive figure against the "
        f"experiment; far apart are {listed or 'none'}.",
        f"One point a {deck.kind}, its intervals both ways; dark and named: far from the line and "
        f"clearly so. T{_trial_words(trial, setting)[1:]}.{left_out}",
        title,
    )


# ---------------------------------------------------------------------------------------- tables


def _columns(deck: Cards, classes: list[str]) -> tuple[dict[str, str], dict[str, Format]]:
    columns = {
        "card": deck.kind,
        **{name: name for name in classes},
        "bought": f"{deck.took}, a player",
        "naive": f"won when {deck.took}",
        "lift": "less when not",
        "estimate": "worth a game",
        "per_purchase": "a purchase adds",
        "gap": "naive less that",
        "verdict": "it",
    }
    formats: dict[str, Format] = {
        "bought": "rate",
        "naive": Interval("rate", "naive_low", "naive_high"),
        "lift": "points",
        "estimate": Interval("points"),
        "per_purchase": Interval("points", "per_purchase_low", "per_purchase_high"),
        "gap": Interval("points", "gap_low", "gap_high"),
    }
    return columns, formats


def _classes(deck: Cards, setting: Setting) -> list[str]:
    _, cards = cards_of(setting)
    return [name for name, _ in cards[0].classes] if cards else []


def _worth_section(cards: pd.DataFrame, answer: Answer, deck: Cards, setting: Setting) -> Section:
    frames = answer.frames
    classes = [name for name in _classes(deck, setting) if name != "alignment"]
    columns, formats = _columns(deck, classes)
    plain = frames["cards"]
    return Section(
        f"Which {deck.kind}s are worth something",
        [
            Finding(best_sentence(plain, deck)),
            Text(naive_sentence(plain, deck) or f"Nobody {deck.took} any {deck.kind}."),
            Text(
                f"In a trial each play forbids {percent(DENIED)} of all {deck.kind}s to each seat, "
                f"drawn apart for every seat; the {deck.kind}s stay where the others can take "
                "them. Whether a seat may have one is thus a matter of lot, not of who leads, and "
                "what its win rate loses is what the thing is worth to it, averaged over games in "
                "which other things are missing as well. *A purchase adds*: the same for each time "
                f"that a player who may have it takes it; missing below {percent(BUYERS)} of "
                f"player games. The naive comparison is games won by who {deck.took} it less those "
                "won by who did not. But whoever can afford something is often ahead already, or "
                "has still far to go, and the naive figure mixes that with what the purchase "
                "does. *Flatters* and *belittles* stand where the interval of the difference "
                "leaves out 0."
            ),
            Text(precision_sentence(frames["trial"], deck, setting.level)),
            Table(
                "card_worth",
                _ends(cards),
                f"The {deck.kind}s that are worth most and least a game; "
                f"{percent(setting.level)} intervals that hold together for all {deck.kind}s.",
                columns=columns,
                formats=formats,
                headline=True,
            ),
            Table(
                "card_trials",
                frames["trial"],
                f"The trials; half-width: the median of their {percent(setting.level)} intervals.",
                columns={
                    "experiment": f"{deck.kind}s are",
                    "plays": "plays",
                    "games": "games",
                    "cards": f"{deck.kind}s",
                    "denied": "taken away in a play",
                    "df": "degrees of freedom",
                    "half_width": "half-width",
                    "unit": "unit",
                },
                formats={
                    "plays": "count",
                    "games": "count",
                    "cards": "count",
                    "denied": "rate",
                    "df": "count",
                    "half_width": "number",
                },
            ),
        ],
    )


def _classes_section(classes: pd.DataFrame, deck: Cards, setting: Setting) -> Section:
    rows = classes.assign(
        which=["all seats" if pd.isna(s) else f"seat {s}" for s in classes["seat"]],
        value=[str(v).replace("_", " ") for v in classes["value"]],
    )
    table = wide(rows, ["by", "value"], "which", ("cards",))
    named = [str(name) for name in dict.fromkeys(rows["which"])]
    said = classes_sentence(classes, deck)
    return Section(
        f"Kinds of {deck.kind}s, and seats",
        [
            Finding(said or f"No kind of {deck.kind} is shown to be worth more than nothing."),
            Table(
                "card_classes",
                table,
                f"What one {deck.kind} of a class is worth on average to a seat that may have it; "
                f"{percent(setting.level)} intervals that hold together for each way to divide, "
                "for all seats, and for the single ones.",
                columns={
                    "by": "by",
                    "value": "class",
                    "cards": f"{deck.kind}s",
                    **{name: name for name in named},
                },
                formats={
                    "cards": "count",
                    **{name: Interval("points", f"{name}_low", f"{name}_high") for name in named},
                },
                headline=True,
            ),
        ],
    )


def _examples_section(examples: pd.DataFrame, deck: Cards, setting: Setting) -> Section:
    unit = length_unit(setting.game, deck)
    names = [called(name) for name in examples["card"]]
    worth = examples.assign(
        card=names,
        which=[
            f"game, {unit}"
            if row["what"] == "length"
            else "average"
            if pd.isna(row["seat"])
            else f"seat {row['seat']}"
            for row in examples.to_dict("records")
        ],
    )
    table = wide(worth, ["card"], "which")
    named = [str(name) for name in dict.fromkeys(worth["which"])]
    return Section(
        f"{deck.kind.capitalize()}s dealt first",
        [
            Finding(
                examples_sentence(examples, deck)
                or f"None of the {deck.kind}s dealt first is shown to be worth anything to a seat."
            ),
            Text(
                f"The {deck.kind} lies in the row when the game begins. It is forbidden to one "
                "seat on the same deals, the others unchanged: what that seat loses is what it is "
                "worth to the seat. The last column compares with the same deals without any such "
                f"{deck.kind}: how many {unit} the game is longer with it."
            ),
            Table(
                "card_examples",
                table,
                f"Some {deck.kind}s dealt first; n = {counted(examples['n'].min(), 'block')} a "
                f"play; {percent(setting.level)} intervals (Student over paired blocks) that hold "
                "together for the averages, for the seats, and for the lengths.",
                columns={"card": deck.kind, **{name: name for name in named}},
                formats={
                    name: Interval(
                        "difference" if name.startswith("game") else "points",
                        f"{name}_low",
                        f"{name}_high",
                    )
                    for name in named
                },
            ),
        ],
    )


def _length_section(length: pd.DataFrame, deck: Cards, setting: Setting) -> Section:
    unit = length_unit(setting.game, deck)
    rows = _named(length)
    shown = rows if len(rows) <= BEST + WORST else pd.concat([rows.head(7), rows.tail(7)])
    return Section(
        "What makes games shorter",
        [
            Finding(length_sentence(length, deck, unit)),
            Table(
                "card_length",
                shown,
                f"How many {unit} a game is longer with the {deck.kind} in the deck than without: "
                f"the lowest and the highest; a trial that leaves out {percent(DENIED)} of the "
                f"{deck.kind}s in each play, {percent(setting.level)} intervals that hold together "
                f"for all {deck.kind}s.",
                columns={"card": deck.kind, "estimate": f"{unit} more", "n": "plays"},
                formats={"estimate": Interval("difference"), "n": "count"},
            ),
        ],
    )


def _all_section(cards: pd.DataFrame, answer: Answer, deck: Cards, setting: Setting) -> Section:
    length = answer.frames["length"].set_index("card")
    order = answer.frames["cards"]["card"]
    table = cards.assign(
        **{f"length{end}": length.loc[order, key].to_numpy() for end, key in
           (("", "estimate"), ("_low", "low"), ("_high", "high"))}
    )  # fmt: skip
    columns, formats = _columns(deck, [])
    del columns["gap"]
    unit = length_unit(setting.game, deck)
    return Section(
        f"All {deck.kind}s",
        [
            Table(
                "cards",
                table,
                f"Every {deck.kind}, the most valuable first; {percent(setting.level)} intervals "
                "that hold together down a column.",
                columns={**columns, "length": f"{unit} more"},
                formats={
                    **{key: form for key, form in formats.items() if key in columns},
                    "length": Interval("difference", "length_low", "length_high"),
                },
            ),
        ],
    )
