"""The section about where points of Near and Far come from."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from analysis.score_sources import NAMES, RIGHTS, SCORE
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, mean, points

RARE = 0.1  # points a player below which a source is left out of pictures; the tables have it


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: winners and losers by source, duels, routes, threats."""
    frames = answer.frames
    blocks: list[Block] = [_gap_figure(frames, setting), _rights_figure(frames["rights"], setting)]
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Winners and losers are those of the same games. What winners have more of need not "
            "be what made them win: a good party brings more of everything. The worth of duels is "
            "an experiment: one seat loses a right on the same deals, and the others keep theirs."
        ),
        _sources_table(frames, setting),
    ]
    if frames["sources"]["strategy"].notna().any():
        blocks.append(_strategies_table(frames["sources"], setting))
    blocks += [_routes_table(frames["routes"], setting), _held_table(frames["held"], setting)]
    if len(frames["threats"]):
        blocks.append(_threats_table(frames["threats"], setting))
    blocks += [_duels_table(frames["duels"], setting), _rights_table(frames["rights"], setting)]
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
            (style.TALL[0], max(style.FULL[1], 1.0 + 0.3 * len(kept))),
            label="label",
            estimate="estimate",
            by="result",
            kind="mean",
            reference=0.0,
            xlabel="journey points of a player",
        ),
        f"Dot plot of points by source for winners and losers: {listed}.",
        f"Won games, n = {words.count(every['n'])} blocks; {percent(setting.level)} intervals, "
        f"each by itself. Sources below {RARE:g} points are in the table only.",
        f"Winners have {mean(every['estimate'], every['low'], every['high'])} points more than "
        "losers",
    )


def _rights_figure(rights: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(rights, seat=None, quantity="win_rate")
    every = only(rows, right=next(iter(RIGHTS))).iloc[0]
    listed = "; ".join(
        f"{row['right']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    worth = points(every["estimate"], every["low"], every["high"])
    return Figure(
        "duel_rights",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 1.9),
            label="right",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability that the right is worth (pp)",
        ),
        f"Dot plot of what the right to duel is worth: {listed}.",
        f"The right taken from one seat on the same deals, averaged over {setting.players} seats; "
        f"n = {words.count(every['n'])} blocks, {percent(setting.level)} intervals, each by itself "
        "(Student over paired blocks).",
        f"The right to duel is worth {worth} of win probability",
    )


def _sources_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    sources = only(frames["sources"], strategy=None)
    table = wide(sources, ["source"], "result")
    gap = only(frames["gap"], strategy=None).set_index("source")
    for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
        table[f"gap{suffix}"] = table["source"].map(gap[column])
    share = only(sources, result="all").set_index("source")["share"]
    results = [name for name in ("all", "winners", "losers") if name in table]
    return Table(
        "score_sources",
        table.assign(name=table["source"].map(NAMES), share=table["source"].map(share)),
        f"Journey points of a player by source; {percent(setting.level)} intervals, those of the "
        "gap hold together.",
        columns={
            "name": "source",
            "share": "share",
            **{name: name for name in results},
            "gap": "winners less losers",
        },
        formats={
            "share": "rate",
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
    table = wide(routes, ["strategy"], "quantity")
    table["strategy"] = table["strategy"].fillna("all players")
    shown = {
        "routes_alone": "held alone",
        "routes_joint": "held jointly",
        "points_routes": "points",
    }
    return Table(
        "routes",
        table,
        f"Trade routes of a player at the end; {percent(setting.level)} intervals, each by itself.",
        columns={"strategy": "strategy", **shown},
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
    formats: dict[str, Format] = {
        "threat": "count",
        "points": "count",
        "fights": "count",
        "estimate": Interval("rate"),
    }
    return Table(
        "threats",
        threats,
        f"Fights against threats; {percent(setting.level)} intervals over replicates, each by "
        "itself.",
        columns={
            "threat": "level",
            "points": "points",
            "fights": "fights",
            "estimate": "won",
        },
        formats=formats,
    )


def _duels_table(duels: pd.DataFrame, setting: Setting) -> Table:
    table = wide(duels, ["kind"], "quantity")
    shown = {"asked": "a game", "won": "challenger wins"}
    shown = {name: title for name, title in shown.items() if name in table}
    kinds = {"asked": "mean", "won": "rate"}
    return Table(
        "duels",
        table,
        f"Duels by kind; {percent(setting.level)} intervals, each by itself.",
        columns={"kind": "duel", **shown},
        formats={n: Interval(kinds[n], f"{n}_low", f"{n}_high") for n in shown},
    )


def _rights_table(rights: pd.DataFrame, setting: Setting) -> Table:
    table = wide(rights, ["right", "seat"], "quantity")
    table["who"] = ["all seats" if pd.isna(s) else f"seat {int(s)}" for s in table["seat"]]
    return Table(
        "duel_rights",
        table,
        f"What a right to duel is worth; {percent(setting.level)} intervals, those of the seats "
        "hold together.",
        columns={
            "right": "right",
            "who": "seat",
            "win_rate": "win probability",
            "score": "journey points",
        },
        formats={
            "win_rate": Interval("points", "win_rate_low", "win_rate_high"),
            "score": Interval("difference", "score_low", "score_high"),
        },
    )
