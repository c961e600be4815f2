"""The section about what ends Near and Far."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from analysis import words
from analysis.end_trigger import QUANTITIES, TRIGGERS, named
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted

NAMED = {
    "rounds": "rounds",
    "score": "points of a player",
    "spread": "spread of points",
    "margin": "lead of the winner",
    "lead_changes": "lead changes",
    "camps": "camps of a player",
    "quests_left": "quest tokens left",
    "capped": "stopped by the cap",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: length by trigger, seats, enders."""
    frames = answer.frames
    first, *rest = answer.sentences
    blocks: list[Block] = [
        _length_figure(frames["lengths"], setting),
        _seats_figure(frames, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Sources disagree on what ends the game, so the same deals are played with each "
            "reading; the round is finished in all of them, so that everybody has as many turns, "
            "unless the rules of the study say otherwise."
        ),
        _ends_table(frames, setting),
        _lengths_table(frames["lengths"], setting),
        _seats_table(frames, setting),
    ]
    if len(frames["enders"]):
        blocks.append(_enders_table(frames["enders"], setting))
    return Section("End of the game", blocks)


def _length_figure(lengths: pd.DataFrame, setting: Setting) -> Figure:
    rows = lengths.assign(
        label=[named(trigger) for trigger in lengths["trigger"]],
        part=[f"{int(name[1:])}{words.SPACE}%" for name in lengths["statistic"]],
        end=lengths["high"].where(lengths["high"] < float("inf"), lengths["estimate"]),
    )
    middle = {row["trigger"]: row for row in only(rows, statistic="q50").to_dict("records")}

    def half(trigger: str) -> str:
        row = middle[trigger]
        least = "at least " if row["censored"] else ""
        return least + words.whole(row["estimate"], row["low"], row["high"])

    listed = "; ".join(f"{named(name)}: half within {half(name)} rounds" for name in middle)
    return Figure(
        "end_length",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 2.6),
            _whole_rounds,
            label="label",
            estimate="estimate",
            high="end",
            by="part",
            by_label="part of games that are over",
            kind="mean",
            xlabel="rounds",
        ),
        f"Dot plot of the quantiles of the length by what ends the game. {listed}.",
        f"Quantiles of the length in rounds; n = {counted(rows['n'].iloc[0], 'game')} of each, "
        f"{percent(setting.level)} intervals, each by itself (order statistics).",
        f"Half of games last {half('quests')} rounds with quest tokens, {half('camps')} with camps",
    )


def _whole_rounds(axes: Axes) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _seats_figure(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Figure:
    seats = frames["seats"]
    rows = seats.assign(
        label=[f"seat {seat}" for seat in seats["seat"]],
        case=[named(trigger) for trigger in seats["trigger"]],
        rate=seats["estimate"],
    )
    apart = {row["trigger"]: row for row in frames["fairness"].to_dict("records")}

    def far(trigger: str) -> str:
        row = apart[trigger]
        return points(row["estimate"], row["low"], row["high"]).replace("+", "")

    listed = "; ".join(f"{named(name)} {far(name)} apart" for name in TRIGGERS)
    return Figure(
        "end_seats",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 3.0),
            label="label",
            by="case",
            kind="rate",
            reference=1 / setting.players,
            reference_label="fair",
            xlabel="share of games won",
        ),
        f"Dot plot of win rates of the seats by what ends the game: {listed}.",
        f"n = {counted(rows['n'].iloc[0], 'block')} of each, {percent(setting.level)} intervals "
        "that hold together for the seats of a trigger (Wilson on the effective number, "
        "Bonferroni).",
        f"Seats are {far('quests')} apart with quest tokens, {far('camps')} with camps",
    )


def _ends_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    table = wide(frames["ends"], ["quantity"], "trigger")
    change = only(frames["changes"], trigger="camps").set_index("quantity")
    for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
        table[f"change{suffix}"] = table["quantity"].map(change[column])
    rows = []
    for row in table.to_dict("records"):
        share = QUANTITIES[row["quantity"]][2].startswith("share")
        say = words.share if share else words.number
        plus = words.points if share else words.number
        shown = {
            f"{name}_shown": say(row[name], row[f"{name}_low"], row[f"{name}_high"])
            for name in TRIGGERS
        }
        ends = (row["change"], row["change_low"], row["change_high"])
        shown["change_shown"] = plus(*ends, "pp") if share else plus(*ends)
        rows.append({**row, **shown, "what": NAMED[row["quantity"]]})
    return Table(
        "end_triggers",
        pd.DataFrame(rows),
        f"Games by what ends them; {percent(setting.level)} intervals, each by itself; those of "
        "the changes, on the same deals, hold together with those of quest tokens against either.",
        columns={
            "what": "quantity",
            "quests_shown": "last quest token",
            "camps_shown": "last camp",
            "either_shown": "either",
            "change_shown": "camps less either",
        },
        headline=True,
    )


def _lengths_table(lengths: pd.DataFrame, setting: Setting) -> Table:
    rows = lengths.assign(
        shown=[
            ("at least " if row["censored"] else "")
            + words.whole(row["estimate"], row["low"], row["high"])
            for row in lengths.to_dict("records")
        ],
        part=[f"{int(name[1:])}{words.SPACE}%" for name in lengths["statistic"]],
    )
    table = rows.pivot(index="part", columns="trigger", values="shown")
    table = table.loc[list(dict.fromkeys(rows["part"]))].reset_index()
    return Table(
        "end_lengths",
        table,
        f"Rounds within which so many games are over; {percent(setting.level)} intervals, each by "
        "itself (order statistics).",
        columns={
            "part": "games over",
            "quests": "last quest token",
            "camps": "last camp",
            "either": "either",
        },
    )


def _seats_table(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Table:
    parts = {"": frames["seats"], "ends ": frames["ender_seats"]}
    table = pd.DataFrame({"seat": range(1, setting.players + 1)})
    for prefix, found in parts.items():
        for trigger in TRIGGERS:
            rows = only(found, trigger=trigger).set_index("seat")
            for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
                table[f"{prefix}{trigger}{suffix}"] = table["seat"].map(rows[column])
    names = ["quests", "camps", "either", "ends quests", "ends camps"]
    return Table(
        "end_seats",
        table,
        "Games that a seat wins, and games whose end it brings about; "
        f"{percent(setting.level)} intervals that hold together within a column.",
        columns={
            "seat": "seat",
            "quests": "wins: last quest token",
            "camps": "wins: last camp",
            "either": "wins: either",
            "ends quests": "takes the last token",
            "ends camps": "places the last camp",
        },
        formats={
            "seat": "count",
            **{name: Interval("rate", f"{name}_low", f"{name}_high") for name in names},
        },
    )


def _enders_table(enders: pd.DataFrame, setting: Setting) -> Table:
    table = enders.assign(
        rule=[named(name) for name in enders["trigger"]],
        cause=[named(name) for name in enders["by"]],
    )
    return Table(
        "enders",
        table,
        "What ended the game, and how often whoever brought it about wins; "
        f"{percent(setting.level)} intervals that hold together for a rule.",
        columns={
            "rule": "the rule",
            "cause": "ended by",
            "share": "games",
            "estimate": "who ended it wins",
        },
        formats={
            "share": Interval("rate", "share_low", "share_high"),
            "estimate": Interval("rate"),
        },
    )
