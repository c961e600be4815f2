"""The section about the optional rules of Dobbers."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, difference, rate
from sim.wording import counted

RACE = {
    "overturned": "the first at the key loses",
    "rivals": "another hero gets there too",
    "lost_duels": "such duels lost by the first",
}


# columns of the table of effects; its CSV has all quantities
_SHOWN = {
    "rounds": "rounds",
    "capped": "stopped by the cap",
    "challenges": "challenges",
    "victories": "of them won",
    "lead_changes": "lead changes",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: the length, the race to the key, the seats."""
    frames = answer.frames
    effects = frames["effects"]
    blocks: list[Block] = [_length_figure(effects, setting)]
    if "duel" in frames:
        blocks.append(_duel_figure(frames["duel"], setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        Text("\n".join(f"- {sentence}" for sentence in rest)) if rest else Text(_HOW),
    ]
    if rest:
        blocks.append(Text(_HOW))
    blocks.append(_effects_table(effects, setting))
    if "duel" in frames:
        blocks.append(_duel_table(frames["duel"], setting))
    if "seats" in frames:
        blocks.append(_seats_table(frames["seats"], setting))
    return Section("Optional rules", blocks)


_HOW = (
    "Each rule is played with and without on the same deals, everything else as the study has it. "
    "A rule that draws no card leaves all luck where it was, so most of the chance cancels out."
)


def _length_figure(effects: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(effects, quantity="rounds")
    listed = "; ".join(
        f"{row['rule']} {difference(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    moved = [row["rule"] for row in rows.to_dict("records") if row["low"] > 0 or row["high"] < 0]
    title = "No optional rule is shown to change the length of the game"
    if moved:
        verb = "changes" if len(moved) == 1 else "change"
        title = f"{words.listed(moved)} {verb} the length of the game"
        title = f"{title[0].upper()}{title[1:]}"
    return Figure(
        "rule_length",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 1.2 + 0.28 * len(rows)),
            label="rule",
            estimate="estimate",
            kind="difference",
            reference=0.0,
            xlabel="rounds that the rule adds",
        ),
        f"Dot plot of rounds that each rule adds: {listed}.",
        f"With the rule minus without, on the same deals; n = {counted(rows['n'].max(), 'block')}, "
        f"{percent(setting.level)} intervals that hold together (Student over paired "
        "blocks, Bonferroni).",
        title,
    )


def _duel_figure(duel: pd.DataFrame, setting: Setting) -> Figure:
    rows = duel[duel["quantity"].isin(list(RACE))]
    rows = rows.assign(label=[RACE[name] for name in rows["quantity"]])
    over = only(rows, quantity="overturned").iloc[0]
    listed = "; ".join(
        f"{row['label']} {words.share(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    shown = rate(over["estimate"], over["low"], over["high"])
    return Figure(
        "duel",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 1.8),
            label="label",
            estimate="estimate",
            xlabel="share of won games (last line: of those with a rival)",
        ),
        f"Dot plot of what the duel does to the race: {listed}.",
        f"n = {counted(over['n'], 'block')} with the duel, {percent(setting.level)} intervals, "
        "each by itself (Wilson on the effective number).",
        f"The duel overturns the race in {shown} of won games",
    )


def _effects_table(effects: pd.DataFrame, setting: Setting) -> Table:
    table = wide(effects, ["rule"], "quantity")
    without = only(effects, quantity="rounds").set_index("rule")
    for column in ("without", "without_low", "without_high", "discordance", "speed_up"):
        table[column] = table["rule"].map(without[column])
    names = [name for name in dict.fromkeys(effects["quantity"]) if name in _SHOWN]
    units = effects.drop_duplicates("quantity").set_index("quantity")["unit"]
    formats: dict[str, Format] = {
        name: Interval(
            "points" if units[name] == "share of games" else "difference",
            f"{name}_low",
            f"{name}_high",
        )
        for name in names
    }
    return Table(
        "rule_effects",
        table,
        "What each optional rule changes in a game, with it minus without; "
        f"{percent(setting.level)} intervals that hold together within a column.",
        columns={
            "rule": "rule",
            "without": "rounds without",
            **{name: _SHOWN[name] for name in names},
        },
        formats={**formats, "without": Interval("mean", "without_low", "without_high")},
        headline=True,
    )


def _duel_table(duel: pd.DataFrame, setting: Setting) -> Table:
    named = {**RACE, "arrivals": "heroes at the key"}
    shown = [
        words.number(row["estimate"], row["low"], row["high"])
        if row["quantity"] == "arrivals"
        else words.share(row["estimate"], row["low"], row["high"])
        for row in duel.to_dict("records")
    ]
    return Table(
        "duel",
        duel.assign(what=[named[name] for name in duel["quantity"]], shown=shown),
        f"The race to the key with the duel; {percent(setting.level)} intervals, each by itself.",
        columns={"what": "what", "unit": "of", "games": "games", "shown": "estimate"},
        formats={"games": "count"},
        headline=True,
    )


def _seats_table(seats: pd.DataFrame, setting: Setting) -> Table:
    rows = seats.assign(where=[f"seat {seat}" for seat in seats["seat"]])
    names = list(dict.fromkeys(rows["where"]))
    return Table(
        "rules_by_seat",
        wide(rows, ["rule"], "where"),
        "Win probability of each seat, with the rule minus without; "
        f"{percent(setting.level)} intervals that hold together for the whole table.",
        columns={"rule": "rule", **{name: name for name in names}},
        formats={name: Interval("points", f"{name}_low", f"{name}_high") for name in names},
    )
