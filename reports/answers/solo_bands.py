"""The section about solo games of Dobbers."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from analysis.solo_bands import METHODS, REMOVED, UNFINISHED
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.wording import counted

CURVES = 4  # strategies that a picture tells apart
SHOWN = 0.004  # shares below it, at either end, are left out of the picture
STATISTICS = ("mean", "sd", "q05", "q50", "q95")


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: results by strategy and method, then the turns."""
    frames = answer.frames
    own = str(setting.rules.model.solo.removal)
    first, *rest = answer.sentences
    blocks: list[Block] = [
        _bands_figure(frames["bands"], setting),
        _turns_figure(frames["distribution"], frames["turns"], own, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Between turns a card of the adventure row is removed: *by position*, the first place, "
            "then the second, and so on; or *by cost*, the dearest and the cheapest in turn. "
            "All strategies and both methods are played on the same deals."
        ),
        _bands_table(frames["bands"], setting),
        _turns_table(frames["turns"], setting),
        _effects_table(answer, setting),
    ]
    return Section("Solo results", blocks)


def _case(row: dict[str, str]) -> str:
    return f"{row['strategy']}, {REMOVED[row['removal']]}"


def _bands_figure(bands: pd.DataFrame, setting: Setting) -> Figure:
    rows = bands.assign(label=[_case(row) for row in bands.to_dict("records")])
    unfinished = rows[rows["band"] == UNFINISHED]
    if not unfinished["games"].any():
        rows = rows[rows["band"] != UNFINISHED]
    best = rows[rows["band"] == 1]
    first = best.loc[best["estimate"].idxmax()]
    listed = "; ".join(
        f"{row['label']} {words.share(row['estimate'], row['low'], row['high'])}"
        for row in best.to_dict("records")
    )
    shown = rate(first["estimate"], first["low"], first["high"])
    return Figure(
        "solo_bands",
        picture(
            figures.share_bars,
            rows,
            (style.FULL[0], 1.4 + 0.33 * len(best)),
            label="label",
            outcome="result",
            outcomes=list(dict.fromkeys(rows["result"])),
            xlabel="share of games",
        ),
        f"Bars of results by strategy and method of removal; {first['result']}: {listed}.",
        f"n = {counted(first['n'], 'game')} of each, {percent(setting.level)} intervals of the "
        "first and the last result, which hold together with the others of their bar "
        "(Wilson, Bonferroni).",
        f"The best result comes in at most {shown} of games ({first['label']})",
    )


def _turns_figure(
    distribution: pd.DataFrame, turns: pd.DataFrame, removal: str, setting: Setting
) -> Figure:
    rows = only(distribution, removal=removal)
    names = list(dict.fromkeys(rows["strategy"]))[:CURVES]
    rows = rows[rows["strategy"].isin(names)]
    seen = rows[rows["share"] >= SHOWN]["turns"]
    rows = rows[rows["turns"].between(seen.min(), seen.max())]
    means = only(turns, removal=removal, statistic="mean")
    means = means[means["strategy"].isin(names)]
    listed = "; ".join(
        f"{row['strategy']} {words.number(row['estimate'], row['low'], row['high'], 'turns')}"
        for row in means.to_dict("records")
    )
    fastest = means.loc[means["estimate"].idxmin()]
    mean = words.amount(fastest, "turns").replace(words.SPACE, " ")
    return Figure(
        "solo_turns",
        picture(
            figures.curve_with_band,
            rows,
            style.FULL,
            x="turns",
            estimate="share",
            by="strategy" if len(names) > 1 else None,
            xlabel="turns",
            ylabel="share of games",
        ),
        f"Curves of the share of games by turns; on average {listed}.",
        f"Cards removed {REMOVED[removal]}; n = {counted(rows['n'].max(), 'game')} of each, "
        f"{percent(setting.level)} interval for each number of turns by itself.",
        f"{fastest['strategy']} takes {mean} on average",
    )


def _bands_table(bands: pd.DataFrame, setting: Setting) -> Table:
    rows = bands.assign(case=[_case(row) for row in bands.to_dict("records")])
    names = list(dict.fromkeys(rows["result"]))
    return Table(
        "solo_bands",
        wide(rows, ["case"], "result"),
        f"Share of games by result; {percent(setting.level)} intervals that hold together within "
        "a line.",
        columns={"case": "strategy, removal", **{name: name for name in names}},
        formats={name: Interval("rate", f"{name}_low", f"{name}_high") for name in names},
        headline=True,
    )


def _turns_table(turns: pd.DataFrame, setting: Setting) -> Table:
    rows = turns[turns["statistic"].isin(STATISTICS)]
    shown = []
    for row in rows.to_dict("records"):
        values = row["estimate"], row["low"], row["high"]
        text = words.whole(*values) if row["statistic"].startswith("q") else words.number(*values)
        shown.append(f"at least {text}" if row["censored"] else text)
    rows = rows.assign(case=[_case(row) for row in rows.to_dict("records")], shown=shown)
    table = rows.pivot(index="case", columns="statistic", values="shown")
    table = table.loc[list(dict.fromkeys(rows["case"])), list(STATISTICS)].reset_index()
    return Table(
        "solo_turns",
        table,
        f"Turns of a solo game; {percent(setting.level)} intervals, each by itself.",
        columns={
            "case": "strategy, removal",
            "mean": "mean",
            "sd": "standard deviation",
            "q05": "5 % are at most",
            "q50": "median",
            "q95": "95 %",
        },
    )


def _effects_table(answer: Answer, setting: Setting) -> Table:
    removal = answer.frames["removal"]
    parts = [
        removal.assign(
            what=[f"{name}: removed by cost instead of by position" for name in removal["strategy"]]
        )
    ]
    others = answer.frames["strategies"]
    first = removal["strategy"].iloc[0]
    for method in METHODS:
        rows = only(others, removal=method)
        what = [f"{name} instead of {first}, {REMOVED[method]}" for name in rows["strategy"]]
        parts.append(rows.assign(what=what))
    table = pd.concat([part for part in parts if len(part)], ignore_index=True)
    return Table(
        "solo_effects",
        table,
        f"Turns that a change adds, on the same deals; {percent(setting.level)} intervals that "
        "hold together for the methods and for the strategies.",
        columns={
            "what": "change",
            "without": "turns before",
            "changed": "turns after",
            "estimate": "difference",
            "speed_up": "speed-up",
            "n": "games",
        },
        formats={
            "without": Interval("mean", "without_low", "without_high"),
            "changed": Interval("mean", "changed_low", "changed_high"),
            "estimate": Interval("difference"),
            "speed_up": "mean:1",
            "n": "count",
        },
    )
