"""The section about strategies and what the game's options are worth."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from analysis.strategies import options_sentence
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points, rate
from sim.wording import counted


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: who beats whom, then what options are worth."""
    frames = answer.frames
    blocks: list[Block] = []
    if "matrix" in frames:
        blocks.append(_matrix_figure(frames["matrix"], frames["overall"], setting))
    if "options" in frames:
        blocks.append(_options_figure(frames["options"], setting))
    if "matrix" in frames:
        blocks.append(_strategies_section(frames["matrix"], frames["overall"], answer, setting))
    if "options" in frames:
        blocks.append(_options_section(frames["options"], answer, setting))
    return Section("Strategies", blocks or [Text(answer.sentences[0])])


def _matrix_figure(matrix: pd.DataFrame, overall: pd.DataFrame, setting: Setting) -> Figure:
    order = list(overall["strategy"])
    rows = matrix.assign(
        strategy=pd.Categorical(matrix["strategy"], order, ordered=True),
        field=pd.Categorical(matrix["field"], order, ordered=True),
    )
    best = overall.iloc[0]
    own = only(matrix, strategy=best["strategy"])
    listed = "; ".join(
        f"among {row['field']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in own.to_dict("records")
    )
    everywhere = bool((own["verdict"] == "better").all())
    title = f"{best['strategy']} does best on average"
    if everywhere:
        title = f"{best['strategy']} does better than fair among all others"
    others = setting.players - 1
    rest = "the other player" if others == 1 else f"the other {counted(others, 'player')}"
    return Figure(
        "strategy_matrix",
        picture(
            figures.matrix,
            rows,
            style.TALL,
            rows="strategy",
            columns="field",
            value="estimate",
            xlabel=rest,
            ylabel="one player",
        ),
        f"Table of win rates of one strategy among {counted(others, 'player')} of another. "
        f"{best['strategy']}: {listed}.",
        f"Win rate in %, {words.share(1 / setting.players)} is fair; half the width of the "
        f"interval below it. n = {counted(matrix['n'].min(), 'block')} a cell, all seats alike; "
        f"{percent(setting.level)} intervals that hold together (Wilson on the effective number, "
        "Bonferroni).",
        title,
    )


def _options_figure(options: pd.DataFrame, setting: Setting) -> Figure:
    rows = options[options["seat"].isna()]
    rows = rows.sort_values("estimate", ascending=False, kind="stable")
    listed = "; ".join(
        f"{row['option']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    first = rows.iloc[0]
    clear = first["low"] > 0
    title = "No option is worth anything that shows"
    if clear:
        title = (
            f"{str(first['option']).capitalize()}: {words.gain(first)} of win probability to a seat"
        ).replace(words.SPACE, " ")
    return Figure(
        "option_worth",
        picture(
            figures.interval_dots,
            rows,
            style.FULL,
            label="option",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability it is worth to a seat (pp)",
        ),
        f"Dot plot of what each option is worth to a seat: {listed}.",
        "An option forbidden to one seat on the same deals, the others unchanged, averaged over "
        f"{counted(setting.players, 'seat')}; n = {counted(first['n'], 'block')}, "
        f"{percent(setting.level)} "
        "intervals that hold together (Student over paired blocks, Bonferroni).",
        title,
    )


def _strategies_section(
    matrix: pd.DataFrame, overall: pd.DataFrame, answer: Answer, setting: Setting
) -> Section:
    level = percent(setting.level)
    first, *rest = [s for s in answer.sentences if s != _options_sentence(answer)]
    others = setting.players - 1
    return Section(
        "Which strategy beats which",
        [
            Finding(first),
            *(Text(sentence) for sentence in rest),
            Text(
                f"One player of a strategy sits among {counted(others, 'player')} of another one, "
                "in every "
                "seat equally often. A field of one's own kind is left out: there the share is "
                "fair by symmetry. An average over fields counts weak fields as much as strong "
                "ones, so the hardest field says more about a strategy than the average."
            ),
            Table(
                "strategies",
                overall,
                f"Win rates over the fields of all other strategies; {level} intervals that hold "
                "together for a column, those of single fields for the whole matrix.",
                columns={
                    "strategy": "strategy",
                    "estimate": "wins on average",
                    "best_field": "easiest field",
                    "best": "wins there",
                    "worst_field": "hardest field",
                    "worst": "wins there ",
                },
                formats={
                    "estimate": Interval("rate"),
                    "best": Interval("rate", "best_low", "best_high"),
                    "worst": Interval("rate", "worst_low", "worst_high"),
                },
                headline=True,
            ),
            Table(
                "strategy_matrix",
                matrix,
                f"One of a strategy among {others} of another; {level} intervals that hold "
                "together for the whole table.",
                columns={
                    "strategy": "strategy",
                    "field": "the others",
                    "games": "games",
                    "estimate": "wins",
                    "verdict": "than fair",
                },
                formats={"games": "count", "estimate": Interval("rate")},
            ),
        ],
    )


def _options_sentence(answer: Answer) -> str:
    return options_sentence(answer.frames["options"]) if "options" in answer.frames else ""


def _options_section(options: pd.DataFrame, answer: Answer, setting: Setting) -> Section:
    level = percent(setting.level)
    averages = options[options["seat"].isna()]
    averages = averages.sort_values("estimate", ascending=False, kind="stable")
    seats = options[options["seat"].notna()]
    by_seat = wide(seats.assign(which=[f"seat {s}" for s in seats["seat"]]), ["option"], "which")
    named = [f"seat {s}" for s in dict.fromkeys(seats["seat"])]
    return Section(
        "What options are worth to a seat",
        [
            Finding(_options_sentence(answer)),
            Text(
                "One seat is forbidden the option; its strategy does as well as it is scripted to "
                "do with what is left, and the other players keep the option. What its win rate "
                "loses is what the option is worth to it. A figure below 0 says that the script "
                "would do better without: that is a fault of the script or a trap of the game."
            ),
            Table(
                "option_worth",
                averages,
                f"Averages over the seats; {level} intervals that hold together. Speed-up: how "
                "many times more deals the same precision would take if every play had its own.",
                columns={
                    "option": "option",
                    "estimate": "worth",
                    "without": "wins as it is",
                    "changed": "wins if forbidden",
                    "discordance": "deals that differ",
                    "speed_up": "speed-up",
                    "n": "blocks",
                },
                formats={
                    "estimate": Interval("points"),
                    "without": Interval("rate", "without_low", "without_high"),
                    "changed": Interval("rate", "changed_low", "changed_high"),
                    "discordance": "rate",
                    "speed_up": "mean:1",
                    "n": "count",
                },
                headline=True,
            ),
            Table(
                "option_worth_by_seat",
                by_seat,
                f"What an option is worth by seat; {level} intervals that hold together for the "
                "whole table.",
                columns={"option": "option", **{name: name for name in named}},
                formats={name: Interval("points", f"{name}_low", f"{name}_high") for name in named},
            ),
        ],
    )
