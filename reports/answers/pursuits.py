"""The section about what the pursuits of Near and Far are worth."""

from __future__ import annotations

import pandas as pd

from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, difference, points
from sim.wording import counted


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: what each pursuit is worth to one player, what it does to the game."""
    worth, table = answer.frames["worth"], answer.frames["table"]
    first, *rest = answer.sentences
    blocks: list[Block] = [
        _worth_figure(worth, setting),
        _table_figure(table, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "One player gives up a pursuit on the same deals: its strategy sets the price of it "
            "to nothing and still takes what lies on its way. What it does instead is part of the "
            "answer, so a pursuit can be worth less than the points it brings, and less than "
            "nothing where its time was better spent elsewhere."
        ),
        _worth_table(worth, setting),
        _table_table(table, setting),
    ]
    return Section("Pursuits", blocks)


def _worth_figure(worth: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(worth, quantity="win_rate").sort_values("estimate", ascending=False, kind="stable")
    listed = "; ".join(
        f"{row['pursuit']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    best = rows.iloc[0]
    gain = points(best["estimate"], best["low"], best["high"])
    return Figure(
        "pursuit_worth",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 0.9 + 0.24 * len(rows)),
            label="pursuit",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability that going for it is worth (pp)",
        ),
        f"Dot plot of what each pursuit is worth: {listed}.",
        f"One {best['strategy']} with the pursuit minus without, on the same deals, averaged over "
        f"the seats; n = {counted(best['n'], 'block')}, {percent(setting.level)} intervals that "
        "hold together (Student over paired blocks, Bonferroni).",
        f"Most is owed to {best['pursuit']}: {gain} of win probability",
    )


def _table_figure(table: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(table, quantity="rounds").sort_values("estimate", kind="stable")
    largest = rows.loc[rows["estimate"].abs().idxmax()]
    listed = "; ".join(
        f"{row['pursuit']} {difference(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    shown = difference(largest["estimate"], largest["low"], largest["high"])
    return Figure(
        "pursuit_length",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 0.9 + 0.24 * len(rows)),
            label="pursuit",
            estimate="estimate",
            kind="difference",
            reference=0.0,
            xlabel="what one player's pursuit adds to the length (rounds)",
        ),
        f"Dot plot of what one player's pursuit adds to the length: {listed}.",
        f"With the pursuit of one player minus without; n = {counted(largest['n'], 'block')}, "
        f"{percent(setting.level)} intervals that hold together (Student over paired blocks, "
        "Bonferroni).",
        f"One player's pursuit of {largest['pursuit']} changes the length by {shown} rounds",
    )


def _worth_table(worth: pd.DataFrame, setting: Setting) -> Table:
    table = wide(worth, ["pursuit", "weight", "scripted"], "quantity")
    done = only(worth, quantity="done").set_index("pursuit")
    table = table.assign(
        unit=table["pursuit"].map(done["unit"]),
        **{
            f"{name}{end}": table["pursuit"].map(done[f"{side}{end}"])
            for name, side in (("kept", "changed"), ("left", "without"))
            for end in ("", "_low", "_high")
        },
    )
    return Table(
        "pursuit_worth",
        table.sort_values("win_rate", ascending=False, kind="stable"),
        "What going for it is worth to one player, and how much of it is done with and without; "
        f"{percent(setting.level)} intervals that hold together within a column.",
        columns={
            "pursuit": "pursuit",
            "win_rate": "win probability",
            "score": "journey points",
            "kept": "done",
            "left": "without",
            "unit": "of what",
            "weight": "weight set to 0",
            "scripted": "scripted",
        },
        formats={
            "win_rate": Interval("points", "win_rate_low", "win_rate_high"),
            "score": Interval("difference", "score_low", "score_high"),
            "kept": Interval("mean", "kept_low", "kept_high"),
            "left": Interval("mean", "left_low", "left_high"),
            "scripted": "number",
        },
        headline=True,
    )


def _table_table(table: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "pursuit_table",
        wide(table, ["pursuit"], "quantity"),
        f"What one player's pursuit adds to the game; {percent(setting.level)} intervals that "
        "hold together within a column.",
        columns={"pursuit": "pursuit", "rounds": "rounds", "spread": "spread of points"},
        formats={
            name: Interval("difference", f"{name}_low", f"{name}_high")
            for name in ("rounds", "spread")
        },
    )
