"""The section about where points of Near and Far come from."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from analysis.score_sources import EVERYBODY, NAMES, SCORE
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, mean, points, rate
from sim.wording import counted

INTERVALS = ["estimate", "low", "high"]
RARE = 0.1  # points a player below which a source is left out of pictures; the tables have it


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: winners and losers by source, what a source decides, routes, threats."""
    frames = answer.frames
    blocks: list[Block] = [_gap_figure(frames, setting)]
    if len(frames["void"]):
        blocks.append(_void_figure(frames["void"], setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Winners and losers are those of the same games. What winners have more of need not "
            "be what made them win: a good party brings more of everything. What a source decides "
            "is an experiment on the count: the same games are scored again, and one player gets "
            "no points of this source. What it would have done instead is not in that."
        ),
        _sources_table(frames, setting),
    ]
    if frames["sources"]["strategy"].notna().any():
        blocks.append(_strategies_table(frames["sources"], setting))
    if len(frames["void"]):
        blocks.append(_void_table(frames["void"], setting))
    blocks += [_routes_table(frames["routes"], setting), _held_table(frames["held"], setting)]
    if len(frames["route_worth"]):
        blocks.append(_route_worth_table(frames["route_worth"], setting))
    if len(frames["threats"]):
        blocks += [
            _threats_figure(frames["threats"], setting),
            _threats_table(frames["threats"], setting),
        ]
    return Section("Where points come from", blocks)


def _gap_figure(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Figure:
    sources = only(frames["sources"], strategy=None)
    own = sources[(sources["result"] != "all") & (sources["source"] != SCORE)]
    size = own.groupby("source")["estimate"].apply(lambda values: values.abs().max())
    kept = [name for name in dict.fromkeys(own["source"]) if size[name] >= RARE]
    order = only(sources, result="winners").set_index("source")["estimate"]
    kept = sorted(kept, key=lambda name: -float(order.get(name, 0.0)))
    rows = own[own["source"].isin(kept)].copy()
    rows["label"] = pd.Categorical(
        rows["source"].map(NAMES), [NAMES[name] for name in kept], ordered=True
    )
    rows = rows.sort_values("label", kind="stable")
    every = only(frames["gap"], strategy=None, source=SCORE).iloc[0]
    listed = "; ".join(
        f"{row['label']} ({row['result']}) {mean(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    return Figure(
        "score_sources",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], max(style.FULL[1], 0.9 + 0.2 * len(kept))),
            label="label",
            estimate="estimate",
            by="result",
            kind="mean",
            reference=0.0,
            xlabel="journey points of a player",
        ),
        f"Dot plot of points by source for winners and losers: {listed}.",
        f"Won games, n = {counted(every['n'], 'block')}; {percent(setting.level)} intervals, "
        f"each by itself. Sources below {RARE:g} points are in the table only.",
        f"Winners have {mean(every['estimate'], every['low'], every['high'])} points more than "
        "losers",
    )


def _void_figure(void: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(void, seat=None).sort_values("estimate", ascending=False, kind="stable")
    rows = rows.assign(label=[NAMES[name] for name in rows["source"]])
    listed = "; ".join(
        f"{row['label']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    most = rows.iloc[0]
    worth = points(most["estimate"], most["low"], most["high"])
    return Figure(
        "score_void",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], max(1.9, 0.8 + 0.15 * len(rows))),
            label="label",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability that hinges on these points (pp)",
        ),
        f"Dot plot of the win probability that hinges on each source of points: {listed}.",
        "The same games scored again without the points of a source for one player, averaged over "
        f"{counted(setting.players, 'seat')}; n = {counted(most['n'], 'block')}, "
        f"{percent(setting.level)} intervals that hold together (Student over blocks, Bonferroni).",
        f"On points of {most['label']} hinge {worth} of a player's win probability",
    )


def _void_table(void: pd.DataFrame, setting: Setting) -> Table:
    named = ["all seats" if pd.isna(s) else f"seat {int(s)}" for s in void["seat"]]
    table = wide(void.assign(who=named), ["source"], "who", ["points", "points_low", "points_high"])
    who = list(dict.fromkeys(named))
    return Table(
        "score_void",
        table.assign(name=table["source"].map(NAMES)),
        "Win probability that a player loses if it alone gets no points of a source and play stays "
        f"the same; {percent(setting.level)} intervals, those of all seats hold together for the "
        "sources, those of single seats for the seats.",
        columns={"name": "source", "points": "points of a player", **{w: w for w in who}},
        formats={
            "points": Interval("mean", "points_low", "points_high"),
            **{w: Interval("points", f"{w}_low", f"{w}_high") for w in who},
        },
    )


def _route_worth_table(worth: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "route_worth",
        worth,
        "What one trade route is worth to whoever holds it: the win probability that hinges on its "
        f"points; {percent(setting.level)} intervals, each by itself.",
        columns={
            "kind": "held",
            "points": "points",
            "held": "routes of a player",
            "estimate": "win probability for each",
        },
        formats={
            "points": "mean:1",
            "held": Interval("mean", "held_low", "held_high"),
            "estimate": Interval("points"),
        },
    )


def _threats_figure(threats: pd.DataFrame, setting: Setting) -> Figure:
    rows = threats[threats["who"] != EVERYBODY]
    rows = (threats if rows.empty else rows).assign(rate=lambda found: found["estimate"])
    every = only(threats, who=EVERYBODY)
    first, last = every.iloc[0], every.iloc[-1]
    ends = " to ".join(
        f"{words.share(row['estimate'], row['low'], row['high'])} (level {row['threat']})"
        for row in (first, last)
    )
    listed = "; ".join(
        f"level {row['threat']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in every.to_dict("records")
    )
    return Figure(
        "threats_won",
        picture(
            figures.curve_with_band,
            rows,
            style.FULL,
            x="threat",
            by="who",
            kind="rate",
            xlabel="level of the threat",
            ylabel="fights won",
        ),
        f"Curves of the share of fights with a threat that are won, by who fights: {listed}.",
        f"n = {counted(every['fights'].sum(), 'fight')}; {percent(setting.level)} intervals over "
        "replicates, each by itself.",
        f"Of fights with threats from {ends} are won",
    )


def _sources_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    sources = only(frames["sources"], strategy=None)
    table = wide(sources, ["source"], "result")
    gap = only(frames["gap"], strategy=None).set_index("source")
    for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
        table[f"gap{suffix}"] = table["source"].map(gap[column])
    share = only(sources, result="all").set_index("source")
    for column in ("share", "share_low", "share_high"):
        table[column] = table["source"].map(share[column])
    results = [name for name in ("all", "winners", "losers") if name in table]
    return Table(
        "score_sources",
        table.assign(name=table["source"].map(NAMES)),
        f"Journey points of a player by source; {percent(setting.level)} intervals, those of the "
        "gap hold together.",
        columns={
            "name": "source",
            "share": "share",
            **{name: name for name in results},
            "gap": "winners less losers",
        },
        formats={
            "share": Interval("rate", "share_low", "share_high"),
            **{name: Interval("mean", f"{name}_low", f"{name}_high") for name in results},
            "gap": Interval("difference", "gap_low", "gap_high"),
        },
        headline=True,
    )


def _strategies_table(sources: pd.DataFrame, setting: Setting) -> Table:
    rows = only(sources, result="all")
    rows = rows[rows["strategy"].notna()]
    table = wide(rows, ["source"], "strategy")
    names = [str(name) for name in dict.fromkeys(rows["strategy"])]
    return Table(
        "score_by_strategy",
        table.assign(name=table["source"].map(NAMES)),
        f"Journey points by source and strategy; {percent(setting.level)} intervals, each by "
        "itself.",
        columns={"name": "source", **{name: name for name in names}},
        formats={name: Interval("mean", f"{name}_low", f"{name}_high") for name in names},
    )


def _routes_table(routes: pd.DataFrame, setting: Setting) -> Table:
    shown = {
        "routes_alone": "held alone",
        "routes_joint": "held jointly",
        "points_routes": "points",
    }
    return Table(
        "routes",
        wide(routes, ["who"], "quantity"),
        f"Trade routes of a player at the end; {percent(setting.level)} intervals, each by itself.",
        columns={"who": "player", **shown},
        formats={name: Interval("mean", f"{name}_low", f"{name}_high") for name in shown},
    )


def _held_table(held: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "routes_held",
        held,
        "Who wins by the routes held, alone or jointly (not what a route is worth: whoever "
        f"travels well holds more); {percent(setting.level)} intervals, each by itself.",
        columns={"routes": "routes", "players": "players", "estimate": "win rate"},
        formats={"players": "rate", "estimate": Interval("rate")},
    )


def _threats_table(threats: pd.DataFrame, setting: Setting) -> Table:
    rows = [
        {
            **row,
            "shown": f"{words.share(row['estimate'], row['low'], row['high'])}; "
            f"{words.share(row['share'], row['share_low'], row['share_high'])} of fights",
        }
        for row in threats.to_dict("records")
    ]
    every = only(threats, who=EVERYBODY)
    others = pd.DataFrame([row for row in rows if row["who"] != EVERYBODY])
    names = list(dict.fromkeys(others["who"])) if len(others) else []
    table = every[["threat", "points", "fights", *INTERVALS]].copy()
    for name in names:
        own = others[others["who"] == name].set_index("threat")["shown"]
        table[name] = table["threat"].map(own).fillna(words.MISSING)
    formats: dict[str, Format] = {
        "threat": "count",
        "points": "count",
        "fights": "count",
        "estimate": Interval("rate"),
    }
    return Table(
        "threats",
        table,
        "Fights against threats: how many are won, and by whom they are fought; "
        f"{percent(setting.level)} intervals over replicates, each by itself.",
        columns={
            "threat": "level",
            "points": "points",
            "fights": "fights",
            "estimate": "won",
            **{name: name for name in names},
        },
        formats=formats,
    )
