"""The section about the expert dice of Near and Far."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from analysis import words
from analysis.expert_dice import DICE, row_of
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted

NAMED = {
    "win_rate": "win rate",
    "score": "journey points",
    "quests": "quests that succeed",
    "threats": "threats that are beaten",
    "thrown_back": "thrown back in the mine",
    "tries": "quests and threats tried",
    "rounds": "rounds",
    "spread": "spread of points",
    "owners": "players with a die",
}
RATES = ("win_rate", "quests", "threats", "thrown_back")
FED = "expert, 3 food"


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: what one die is worth, who gains, the module, the dice themselves."""
    frames = answer.frames
    blocks: list[Block] = [_gain_figure(frames, setting), _chance_figure(frames["chances"])]
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "A die for everybody cannot show in win rates, for somebody always wins. So one seat "
            "alone is given a die from the start, on the same deals, in a game in which nobody "
            "else can get one (*only owner*); and one seat alone never gets one in the game as "
            "printed (*as printed*). A die does not change the dice of others, nor its own "
            "numbers beyond the two special faces: the same luck is read off another die."
        ),
        _worth_table(frames, setting),
        _seats_table(frames, setting),
    ]
    if len(frames["strategies"]):
        blocks.append(_strategies_table(frames["strategies"], setting))
    blocks.append(_module_table(frames["module"], setting))
    if len(frames["visits"]):
        blocks.append(_visits_table(frames["visits"], setting))
    if len(frames["faces"]):
        blocks.append(_faces_figure(frames["faces"], setting))
        blocks.append(_faces_table(frames["faces"], setting))
    blocks.append(_chances_table(frames["chances"], setting))
    return Section("Expert dice", blocks)


def _gain_figure(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Figure:
    sides = {"owner": "only owner", "denied": "as printed"}
    parts = []
    for name, label in sides.items():
        rows = only(frames[name], seat=None)
        rows = rows[rows["quantity"].isin(RATES)]
        parts.append(rows.assign(case=label, label=rows["quantity"].map(NAMED)))
    shown = pd.concat(parts, ignore_index=True)
    shown = shown[shown["estimate"].notna()]
    win = row_of(frames["owner"], seat=None, quantity="win_rate")
    gain = points(win["estimate"], win["low"], win["high"])
    listed = "; ".join(
        f"{row['label']} ({row['case']}) {points(row['estimate'], row['low'], row['high'])}"
        for row in shown.to_dict("records")
    )
    return Figure(
        "expert_die_gain",
        picture(
            figures.interval_dots,
            shown,
            (style.FULL[0], 2.7),
            label="label",
            estimate="estimate",
            by="case",
            kind="points",
            reference=0.0,
            xlabel="what the die changes for its owner (pp)",
        ),
        f"Dot plot of what an expert die changes for its owner: {listed}.",
        f"Averages over {counted(setting.players, 'seat')}, paired on the same deals; "
        f"n = {counted(win['n'], 'block')}, {percent(setting.level)} intervals, each by itself "
        "(Student over paired blocks; rates linearised).",
        f"Being the only owner changes the win rate by {gain}",
    )


def _chance_figure(chances: pd.DataFrame) -> Figure:
    shown = chances.assign(rate=chances["estimate"])
    gap = chances.pivot(index="missing", columns="die", values="estimate")
    most = (gap["expert"] - gap["standard"]).idxmax()
    gain = words.points(gap.loc[most, "expert"] - gap.loc[most, "standard"], unit="points")
    fed = [die for die in dict.fromkeys(shown["die"]) if die in ("standard", "expert", FED)]
    shown = shown[shown["die"].isin(fed)]
    return Figure(
        "expert_die_chances",
        picture(
            figures.curve_with_band,
            shown,
            style.FULL,
            x="missing",
            estimate="rate",
            by="die",
            by_label="die",
            kind="rate",
            xlabel="number to reach with the die (what is asked less symbols and hearts)",
            ylabel="chance of success",
        ),
        "Curves of the chance of success over what the die must show, for an ordinary die and an "
        "expert die with and without food.",
        "Exact, by enumeration of the faces (n = all); food is paid for the face that allows "
        f"it wherever it helps. A 95{words.SPACE}% interval would have no width.",
        f"An expert die adds most where a {most} is needed: {gain.replace(words.SPACE, ' ')}",
    )


def _worth_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    parts = []
    for name, label in (("owner", "only owner"), ("denied", "as printed")):
        parts.append(only(frames[name], seat=None).assign(case=label))
    table = pd.concat(parts, ignore_index=True)
    table = table.assign(
        what=table["quantity"].map(NAMED), change=_shown(table), before=_side(table, "without")
    )
    return Table(
        "expert_die_worth",
        table.assign(after=_side(table, "changed")),
        f"What an expert die changes for its owner, all seats together; {percent(setting.level)} "
        "intervals, each by itself. Rates in percent and percentage points.",
        columns={
            "case": "die",
            "what": "quantity",
            "before": "without",
            "after": "with it",
            "change": "change",
            "speed_up": "speed-up",
        },
        formats={"speed_up": "mean:1"},
        headline=True,
    )


def _side(table: pd.DataFrame, name: str) -> list[str]:
    return [
        words.shown(row, name) if row["unit"].startswith("share") else words.amount(row, side=name)
        for row in table.to_dict("records")
    ]


def _shown(table: pd.DataFrame) -> list[str]:
    found = []
    for row in table.to_dict("records"):
        say = words.points if row["unit"].startswith("share") else words.number
        unit = "pp" if row["unit"].startswith("share") else ""
        found.append(say(row["estimate"], row["low"], row["high"], unit))
    return found


def _seats_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    table = pd.DataFrame({"seat": range(1, setting.players + 1)})
    for name in ("owner", "denied"):
        rows = frames[name]
        rows = rows[rows["seat"].notna() & (rows["quantity"] == "win_rate")].set_index("seat")
        for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
            table[f"{name}{suffix}"] = table["seat"].map(rows[column])
    module = frames["seats"].set_index("seat")
    for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
        table[f"module{suffix}"] = table["seat"].map(module[column])
    names = ("owner", "denied", "module")
    return Table(
        "expert_die_by_seat",
        table,
        "Win probability that a die brings each seat, and what the module for everybody does to "
        f"it; {percent(setting.level)} intervals that hold together within a column.",
        columns={
            "seat": "seat",
            "owner": "only owner",
            "denied": "as printed",
            "module": "module for all",
        },
        formats={
            "seat": "count",
            **{name: Interval("points", f"{name}_low", f"{name}_high") for name in names},
        },
    )


def _strategies_table(rows: pd.DataFrame, setting: Setting) -> Table:
    wins = only(rows, quantity="win_rate")
    score = only(rows, quantity="score").set_index("strategy")
    table = wins.assign(
        **{
            f"score{suffix}": wins["strategy"].map(score[column])
            for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high"))
        }
    )
    return Table(
        "expert_die_by_strategy",
        table.sort_values("estimate", ascending=False, kind="stable"),
        f"What the only die brings by the owner's strategy; {percent(setting.level)} intervals "
        "that hold together within a column.",
        columns={
            "strategy": "strategy",
            "without": "wins without",
            "estimate": "win probability gained",
            "score": "journey points gained",
        },
        formats={
            "without": Interval("rate", "without_low", "without_high"),
            "estimate": Interval("points"),
            "score": Interval("difference", "score_low", "score_high"),
        },
    )


def _module_table(module: pd.DataFrame, setting: Setting) -> Table:
    table = module.assign(
        what=module["quantity"].map(NAMED),
        change=_shown(module),
        before=_side(module, "without"),
        after=_side(module, "changed"),
    )
    return Table(
        "expert_dice_module",
        table,
        f"The module as printed, for everybody, against the game without it; "
        f"{percent(setting.level)} intervals, each by itself.",
        columns={
            "what": "quantity",
            "before": "without",
            "after": "with it",
            "change": "change",
        },
    )


def _visits_table(visits: pd.DataFrame, setting: Setting) -> Table:
    formats: dict[str, Format] = {
        "visit": "count",
        "came": Interval("rate", "came_low", "came_high"),
        "turn": Interval("mean", "turn_low", "turn_high"),
        "won": Interval("rate", "won_low", "won_high"),
        "estimate": Interval("points"),
    }
    return Table(
        "expert_dice_visits",
        visits,
        "Whoever takes an expert die first, second, ...: what they win, and how much of it is "
        "owed to the module (the same players on the same deals without it); "
        f"{percent(setting.level)} intervals that hold together within a column.",
        columns={
            "visit": "visit",
            "came": "games",
            "turn": "own turn",
            "won": "win rate",
            "estimate": "owed to the module",
        },
        formats=formats,
    )


def _faces_figure(faces: pd.DataFrame, setting: Setting) -> Figure:
    die = DICE[1] if (faces["die"] == DICE[1]).any() else DICE[0]
    rows = only(faces, die=die)
    blank = {"low": float("nan"), "high": float("nan")}
    parts = [
        rows.assign(source="exact, a throw", rate=rows["exact"], **blank),
        rows.assign(source="simulated", rate=rows["estimate"]),
    ]
    if die == DICE[1]:
        parts.insert(1, rows.assign(source="exact, food paid", rate=rows["exact_food"], **blank))
    throws = counted(rows["throws"].iloc[0], "throw")
    agrees = bool(faces["inside"].all())

    def finish(axes: Axes) -> None:
        if die == DICE[1]:  # two exact series: the second gets a hatch of its own
            legend = axes.get_legend()
            assert legend is not None
            own = [bar for bar in axes.patches if isinstance(bar, Rectangle)]
            for bar in [*own[len(rows) : 2 * len(rows)], legend.get_patches()[1]]:
                bar.set_hatch("....")

    return Figure(
        "expert_die_faces",
        picture(
            figures.grouped_bars_with_intervals,
            pd.concat(parts, ignore_index=True).astype({"number": str}),
            style.FULL,
            finish,
            label="number",
            by="source",
            xlabel="number that the die comes to show",
            ylabel="share of throws",
        ),
        f"Bars of the exact and the simulated share of each number of the {die} die.",
        f"The {die} die, n = {throws}; {percent(setting.level)} intervals that hold "
        "together (Clopper-Pearson, Bonferroni). A throw is exact without food; with food paid "
        "wherever it is allowed, the lowest face all but vanishes.",
        f"The simulated {die} die {'agrees' if agrees else 'does not agree'} with the exact one",
    )


def _faces_table(faces: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "expert_die_faces",
        faces,
        f"Numbers shown, simulated and exact; {percent(setting.level)} intervals that hold "
        "together for all rows.",
        columns={
            "die": "die",
            "number": "number",
            "throws": "throws",
            "exact": "exact",
            "exact_food": "with food, exact",
            "estimate": "simulated",
            "inside": "agrees",
        },
        formats={
            "number": "count",
            "throws": "count",
            "exact": "rate",
            "exact_food": "rate",
            "estimate": Interval("rate"),
        },
    )


def _chances_table(chances: pd.DataFrame, setting: Setting) -> Table:
    table = chances.pivot(index="missing", columns="die", values="estimate").reset_index()
    dice = [str(name) for name in dict.fromkeys(chances["die"])]
    return Table(
        "expert_die_chances",
        table[["missing", *dice]],
        f"Chance that a roll succeeds, exact: {percent(setting.level)} intervals have no width.",
        columns={"missing": "number to reach", **{name: name for name in dice}},
        formats={"missing": "count", **dict.fromkeys(dice, "rate")},
    )
