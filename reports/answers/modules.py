"""The section about the modules of Near and Far."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.modules import QUANTITIES, module_name
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, difference
from sim.wording import counted

NAMED = {
    "rounds": "rounds",
    "score": "points",
    "spread": "spread",
    "lead_changes": "lead changes",
    "capped": "stopped by the cap",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: length and scores by module, then seats and strategies."""
    frames = answer.frames
    effects = frames["effects"]
    blocks: list[Block] = [
        _figure(effects, "rounds", "module_length", "the length of a game (rounds)", setting),
        _figure(effects, "score", "module_scores", "a player's score (points)", setting),
    ]
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Each module is switched on the same deals, everything else as it is; a module that "
            "others need takes these with it. Scripts do not rethink their prices, so this is what "
            "a module does to play as scripted."
        ),
        _effects_table(effects, setting),
        _wins_table(frames["seats"], "seat", setting),
    ]
    if len(frames["strategies"]):
        blocks.append(_wins_table(frames["strategies"], "strategy", setting))
    return Section("Modules", blocks)


def _figure(effects: pd.DataFrame, quantity: str, name: str, what: str, setting: Setting) -> Figure:
    rows = only(effects, quantity=quantity)
    rows = rows.assign(label=[module_name(module) for module in rows["module"]])
    rows = rows.sort_values("estimate", ascending=False, kind="stable")
    largest = rows.loc[rows["estimate"].abs().idxmax()]
    listed = "; ".join(
        f"{row['label']} {difference(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    shown = difference(largest["estimate"], largest["low"], largest["high"])
    return Figure(
        name,
        picture(
            figures.interval_dots,
            rows,
            (style.TALL[0], max(style.FULL[1], 0.9 + 0.23 * len(rows))),
            label="label",
            estimate="estimate",
            kind="difference",
            reference=0.0,
            xlabel=f"what the module adds to {what}",
        ),
        f"Dot plot of what each module adds to {what}: {listed}.",
        f"With the module minus without, on the same deals; n = {counted(largest['n'], 'block')}, "
        f"{percent(setting.level)} intervals that hold together (Student over paired "
        "blocks, Bonferroni).",
        f"Most by {largest['label']}: {shown} {largest['unit']}",
    )


def _effects_table(effects: pd.DataFrame, setting: Setting) -> Table:
    table = wide(effects, ["module", "also"], "quantity")
    table = table.assign(
        name=[module_name(module) for module in table["module"]],
        with_it=[module_name(also) or words.MISSING for also in table["also"]],
    )
    kinds = {name: "points" if name == "capped" else "difference" for name in QUANTITIES}
    return Table(
        "module_effects",
        table,
        f"What each module adds; {percent(setting.level)} intervals that hold together within a "
        "column. Along with it: modules that need it.",
        columns={
            "name": "module",
            "with_it": "along with it",
            **{name: NAMED[name] for name in QUANTITIES},
        },
        formats={n: Interval(kinds[n], f"{n}_low", f"{n}_high") for n in QUANTITIES},
        headline=True,
    )


def _wins_table(wins: pd.DataFrame, name: str, setting: Setting) -> Table:
    titled = wins.assign(who=[f"seat {v}" if name == "seat" else str(v) for v in wins[name]])
    table = wide(titled, ["module"], "who")
    names = [str(who) for who in dict.fromkeys(titled["who"])]
    return Table(
        f"module_{name}s" if name == "seat" else "module_strategies",
        table.assign(name=[module_name(module) for module in table["module"]]),
        f"What each module adds to the win probability of a {name}; {percent(setting.level)} "
        "intervals that hold together for the whole table.",
        columns={"name": "module", **{who: who for who in names}},
        formats={who: Interval("points", f"{who}_low", f"{who}_high") for who in names},
    )
