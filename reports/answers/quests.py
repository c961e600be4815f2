"""The section about the quests of Near and Far."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.wording import counted

REPLICATES = "over replicates"


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: success by number, the way taken, tokens by space, who does them."""
    frames = answer.frames
    first, *rest = answer.sentences
    blocks: list[Block] = []
    if len(frames["numbers"]):
        blocks.append(_numbers_figure(frames["numbers"], setting))
    if len(frames["choice"]):
        blocks.append(_choice_figure(frames["choice"], setting))
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Whoever goes for a quest has the symbols and the hearts for it, so success says what "
            "players dare as much as what the numbers ask for."
        ),
    ]
    if len(frames["ways"]):
        blocks.append(_ways_table(frames["ways"], setting))
    blocks += [_spaces_table(frames["spaces"], setting), _players_table(frames, setting)]
    return Section("Quests", blocks)


def _numbers_figure(numbers: pd.DataFrame, setting: Setting) -> Figure:
    shown = numbers.assign(rate=numbers["estimate"])
    low, high = numbers.loc[numbers["number"].idxmin()], numbers.loc[numbers["number"].idxmax()]
    told = " to ".join(
        f"{rate(row['estimate'], row['low'], row['high'])} (number {row['number']})"
        for row in (low, high)
    )
    listed = "; ".join(
        f"{row['way']} {row['number']}: {rate(row['estimate'], row['low'], row['high'])}"
        for row in numbers.to_dict("records")
    )
    return Figure(
        "quest_numbers",
        picture(
            figures.curve_with_band,
            shown,
            style.FULL,
            x="number",
            by="way",
            by_label="way",
            kind="rate",
            xlabel="number to reach",
            ylabel="quests done of those tried",
        ),
        f"Curves of the share of quests done by their number: {listed}.",
        f"As played, n = {counted(numbers['tried'].sum(), 'attempt')}; {percent(setting.level)} "
        f"intervals {REPLICATES}, each by itself.",
        f"Of quests tried {told} are done",
    )


def _choice_figure(choice: pd.DataFrame, setting: Setting) -> Figure:
    first, last = choice.iloc[0], choice.iloc[-1]
    told = ", ".join(
        f"{rate(row['estimate'], row['low'], row['high'])} where skill asks {row['harder']:+d}"
        for row in (first, last)
    ).replace("-", "\u2212")
    listed = "; ".join(
        f"{row['harder']:+d}: {rate(row['estimate'], row['low'], row['high'])}"
        for row in choice.to_dict("records")
    )
    return Figure(
        "quest_ways",
        picture(
            figures.curve_with_band,
            choice.assign(rate=choice["estimate"]),
            style.FULL,
            x="harder",
            kind="rate",
            reference=0.5,
            xlabel="number of the way by skill less that of the way by combat",
            ylabel="attempts by skill",
        ),
        f"Curve of the share of attempts that go by skill: {listed}.",
        f"n = {counted(choice['tried'].sum(), 'attempt')}; {percent(setting.level)} intervals "
        f"{REPLICATES}, each by itself.",
        f"By skill go {told}",
    )


def _ways_table(ways: pd.DataFrame, setting: Setting) -> Table:
    table = wide(ways, ["way", "tried"], "quantity", ["share", "share_low", "share_high"])
    shown = {"done": "done", "bonus": "bonus, of those done"}
    shown = {name: title for name, title in shown.items() if name in table}
    return Table(
        "quest_ways",
        table,
        f"Quests by the way that is taken; {percent(setting.level)} intervals {REPLICATES}, each "
        "by itself.",
        columns={"way": "way", "tried": "tried", "share": "of all", **shown},
        formats={
            "tried": "count",
            "share": Interval("rate", "share_low", "share_high"),
            **{name: Interval("rate", f"{name}_low", f"{name}_high") for name in shown},
        },
        headline=True,
    )


def _spaces_table(spaces: pd.DataFrame, setting: Setting) -> Table:
    table = spaces.assign(name=[name.replace("_", " ") for name in spaces["quest"]])
    return Table(
        "quest_spaces",
        table,
        "Quests by space: tokens laid beside the exact chance of the draw (these intervals hold "
        f"together), attempts for each token laid, and success; {percent(setting.level)} intervals "
        f"{REPLICATES}.",
        columns={
            "name": "quest",
            "skill": "skill",
            "combat": "combat",
            "laid": "token laid",
            "exact": "exact",
            "tried": "tried",
            "estimate": "done",
        },
        formats={
            "skill": "count",
            "combat": "count",
            "laid": Interval("rate", "laid_low", "laid_high"),
            "exact": "rate",
            "tried": Interval("mean", "tried_low", "tried_high"),
            "estimate": Interval("rate"),
        },
    )


def _players_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    table = wide(frames["players"], ["who"], "quantity")
    kinds = {"tried": "mean", "done": "mean", "success": "rate"}
    kinds = {name: kind for name, kind in kinds.items() if name in table}
    return Table(
        "quest_players",
        table,
        f"Who tries quests; {percent(setting.level)} intervals, each by itself.",
        columns={"who": "player", **{name: name for name in kinds}},
        formats={n: Interval(kind, f"{n}_low", f"{n}_high") for n, kind in kinds.items()},
    )
