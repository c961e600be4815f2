"""The section about going first in Near and Far."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis import words
from analysis.going_first import AS_IT_IS, DRIVER, GOODS, RULE
from analysis.question import Answer, Setting
from analysis.score_sources import NAMES, SCORE
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted

KINDS = {
    AS_IT_IS: "as it is",
    DRIVER: "left alone by all",
    RULE: "another rule",
    GOODS: "goods for later seats",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: the gap in every way of playing, win rates, sources of points."""
    frames = answer.frames
    first, *rest = answer.sentences
    blocks: list[Block] = [
        _gaps_figure(frames["gaps"], setting),
        _picked_figure(frames, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "All ways are played on the same deals with the same players. *Left alone by all*: "
            "every player's price of the thing is nothing, so if the gap shrinks it came by that. "
            "*Goods*: the second player starts with one step of them, the third with two, and so "
            "on. Points of a source count for nobody where the same games are scored anew."
        ),
        _gaps_table(frames["gaps"], setting),
        _rates_table(frames["rates"], setting),
        _sources_table(frames["sources"], setting),
    ]
    return Section("Going first", blocks)


def _gaps_figure(gaps: pd.DataFrame, setting: Setting) -> Figure:
    rows = gaps.assign(kind=gaps["kind"].map(KINDS))
    listed = "; ".join(
        f"{row['play']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    base = rows.iloc[0]
    gap = points(base["estimate"], base["low"], base["high"])
    return Figure(
        "first_gaps",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 1.0 + 0.15 * len(rows)),
            label="play",
            estimate="estimate",
            by="kind",
            kind="points",
            reference=0.0,
            xlabel="win rate of seat 1 less that of the last seat (pp)",
        ),
        f"Dot plot of the gap between the first and the last seat: {listed}.",
        f"n = {counted(base['n'], 'block')} of each, {percent(setting.level)} intervals, each by "
        "itself (Student over blocks).",
        f"The first seat wins {gap} more than the last",
    )


def _picked_figure(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Figure:
    rates, picked = frames["rates"], frames["picked"]
    shown = pd.concat(
        [
            only(rates, play=AS_IT_IS).assign(case=AS_IT_IS),
            picked.assign(case=f"{picked['play'].iloc[0]}, fresh deals"),
        ],
        ignore_index=True,
    )
    shown = shown.assign(label=[f"seat {s}" for s in shown["seat"]], rate=shown["estimate"])
    listed = "; ".join(
        f"{row['label']} ({row['case']}) {words.share(row['rate'], row['low'], row['high'])}"
        for row in shown.to_dict("records")
    )
    extremes = picked.sort_values("estimate")
    least, most = extremes.iloc[0], extremes.iloc[-1]
    ends = " to ".join(
        words.share(row["estimate"], row["low"], row["high"]) for row in (least, most)
    )
    return Figure(
        "first_picked",
        picture(
            figures.interval_dots,
            shown,
            (style.FULL[0], 2.1),
            label="label",
            by="case",
            kind="rate",
            reference=1 / setting.players,
            reference_label="fair",
            xlabel="share of games won",
        ),
        f"Dot plot of win rates of the seats: {listed}.",
        f"n = {counted(shown['n'].max(), 'block')} as it is, "
        f"{counted(picked['n'].iloc[0], 'fresh one')} for what was picked; "
        f"{percent(setting.level)} intervals that hold together "
        "for the seats of a play (Wilson on the effective number, Bonferroni).",
        f"With {picked['play'].iloc[0]} the seats win {ends}",
    )


def _gaps_table(gaps: pd.DataFrame, setting: Setting) -> Table:
    table = gaps.assign(kind=gaps["kind"].map(KINDS))
    return Table(
        "first_gaps",
        table,
        "The first seat against the last, the change that a way of playing makes (on the same "
        f"deals), and all seats; {percent(setting.level)} intervals, those of the changes hold "
        "together within a kind.",
        columns={
            "kind": "kind",
            "play": "way of playing",
            "estimate": "first less last",
            "change": "change",
            "spread": "largest less smallest",
        },
        formats={
            "estimate": Interval("points"),
            "change": Interval("points", "change_low", "change_high"),
            "spread": Interval("points", "spread_low", "spread_high"),
        },
        headline=True,
    )


def _rates_table(rates: pd.DataFrame, setting: Setting) -> Table:
    table = wide(rates.assign(who=[f"seat {s}" for s in rates["seat"]]), ["play"], "who")
    names = [f"seat {seat}" for seat in range(1, setting.players + 1)]
    return Table(
        "first_rates",
        table,
        f"Win rates of the seats; {percent(setting.level)} intervals that hold together within a "
        "row.",
        columns={"play": "way of playing", **{name: name for name in names}},
        formats={name: Interval("rate", f"{name}_low", f"{name}_high") for name in names},
    )


def _sources_table(sources: pd.DataFrame, setting: Setting) -> Table:
    kept = sources.assign(name=sources["source"].map(NAMES))
    rows = kept[kept["source"] != SCORE].sort_values("estimate", ascending=False, kind="stable")
    table = pd.concat([kept[kept["source"] == SCORE], rows], ignore_index=True)
    return Table(
        "first_sources",
        table,
        "Where the first seat has more points than the last, and the gap of their win rates if the "
        f"source counted for nobody; {percent(setting.level)} intervals that hold together within "
        "a column, but for the total.",
        columns={
            "name": "source",
            "seat_1": "seat 1",
            "last": "last seat",
            "estimate": "difference",
            "void": "gap of win rates without",
        },
        formats={
            "seat_1": Interval("mean", "seat_1_low", "seat_1_high"),
            "last": Interval("mean", "last_low", "last_high"),
            "estimate": Interval("difference"),
            "void": Interval("points", "void_low", "void_high"),
        },
    )
