"""The section about duels of Near and Far."""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis import words
from analysis.duels import MANNERS, RIGHTS
from analysis.question import Answer, Setting
from analysis.score_sources import EVERYBODY
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted

NAMED = {
    "win_rate": "win rate",
    "score": "journey points",
    "duels": "duels asked for",
    "won": "duels won of those",
    "reputation": "reputation at the end",
}
SAME = "0 (no game differs)"


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: what the right is worth, who duels, honest or not."""
    frames = answer.frames
    blocks: list[Block] = [_rights_figure(frames["rights"], setting)]
    if "manner" in frames:
        blocks.append(_manner_figure(frames["manner"], setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "The worth of a right is an experiment: one seat loses it on the same deals, and the "
            "others keep theirs. So is the manner: one player fights all its duels the other way. "
            "A dishonest challenger adds one to the roll and loses a step of reputation by "
            "winning; an honest one gains a step."
        ),
        _rights_table(frames["rights"], setting),
    ]
    if "manner" in frames:
        blocks.append(_manner_table(frames["manner"], setting))
    if len(frames["duels"]):
        blocks.append(_duels_table(frames["duels"], setting))
    if len(frames["defences"]):
        blocks.append(_defences_table(frames["defences"], setting))
    return Section("Duels", blocks)


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
        "The right taken from one seat on the same deals, averaged over "
        f"{counted(setting.players, 'seat')}; "
        f"n = {counted(every['n'], 'block')}, {percent(setting.level)} intervals, each by itself "
        "(Student over paired blocks).",
        f"The right to duel is worth {worth} of win probability",
    )


def _manner_figure(manner: pd.DataFrame, setting: Setting) -> Figure:
    rows = manner[manner["quantity"].isin(("win_rate", "won"))]
    rows = rows[rows["estimate"].notna()]
    scored = {"as set": "points as set", "full": "reputation scores"}
    shown = rows.assign(
        label=rows["quantity"].map(NAMED), case=[scored[name] for name in rows["scoring"]]
    )
    win = only(rows, quantity="win_rate").iloc[0]
    listed = "; ".join(
        f"{row['label']} ({row['case']}) {points(row['estimate'], row['low'], row['high'])}"
        for row in shown.to_dict("records")
    )
    gain = points(win["estimate"], win["low"], win["high"])
    return Figure(
        "duel_manner",
        picture(
            figures.interval_dots,
            shown,
            (style.FULL[0], 2.1),
            label="label",
            estimate="estimate",
            by="case",
            kind="points",
            reference=0.0,
            xlabel="honest instead of dishonest (pp)",
        ),
        f"Dot plot of what honest duels change for one player: {listed}.",
        f"One {win['strategy']} fights honestly instead of dishonestly, on the same deals; "
        f"n = {counted(win['n'], 'block')}, {percent(setting.level)} intervals, each by itself "
        "(Student over paired blocks; shares of duels linearised).",
        f"Honest duels instead of dishonest ones change the win rate by {gain}",
    )


def _rights_table(rights: pd.DataFrame, setting: Setting) -> Table:
    rows = []
    for row in rights.to_dict("records"):
        who = "all seats" if pd.isna(row["seat"]) else f"seat {int(row['seat'])}"
        say: Any = words.points if row["quantity"] == "win_rate" else words.number
        unit = "pp" if row["quantity"] == "win_rate" else ""
        same = row["discordance"] == 0
        shown = SAME if same else say(row["estimate"], row["low"], row["high"], unit)
        rows.append({**row, "who": who, "shown": shown})
    table = pd.DataFrame(rows)
    score = table[table["quantity"] == "score"]["shown"].to_list()
    wins = table[table["quantity"] == "win_rate"].assign(score=score)
    return Table(
        "duel_rights",
        wins,
        f"What a right to duel is worth; {percent(setting.level)} intervals, those of the seats "
        "hold together within a right.",
        columns={
            "right": "right",
            "who": "seat",
            "shown": "win probability",
            "score": "journey points",
        },
        headline=True,
    )


def _manner_table(manner: pd.DataFrame, setting: Setting) -> Table:
    rows = []
    for row in manner.to_dict("records"):
        share = row["unit"].startswith("share")
        plain: Any = words.shown if share else words.amount
        change: Any = words.points if share else words.number
        rows.append(
            {
                **row,
                "what": NAMED[row["quantity"]],
                "before": plain(row, side="without"),
                "after": plain(row, side="changed"),
                "change": change(row["estimate"], row["low"], row["high"], "pp" if share else ""),
            }
        )
    scored = {"as set": "as set", "full": "everything scores"}
    table = pd.DataFrame(rows, columns=[*manner.columns, "what", "before", "after", "change"])
    return Table(
        "duel_manner",
        table.assign(case=[scored[name] for name in table["scoring"]]),
        "One player fights all its duels dishonestly, or all honestly; "
        f"{percent(setting.level)} intervals, each by itself ({len(MANNERS)} quantities).",
        columns={
            "case": "points",
            "what": "quantity",
            "before": "dishonest",
            "after": "honest",
            "change": "change",
        },
    )


def _duels_table(duels: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "duels",
        wide(duels, ["who", "kind"], "quantity"),
        f"Duels by the challenger; {percent(setting.level)} intervals, each by itself.",
        columns={
            "who": "challenger",
            "kind": "duel",
            "asked": "a game",
            "won": "challenger wins",
        },
        formats={
            "asked": Interval("mean", "asked_low", "asked_high"),
            "won": Interval("rate", "won_low", "won_high"),
        },
    )


def _defences_table(defences: pd.DataFrame, setting: Setting) -> Table:
    named = defences.assign(who=["anybody" if who == EVERYBODY else who for who in defences["who"]])
    return Table(
        "duel_defences",
        wide(named, ["who"], "quantity"),
        f"Duels by the defender; {percent(setting.level)} intervals, each by itself.",
        columns={"who": "defender", "challenged": "a game", "held": "defender wins"},
        formats={
            "challenged": Interval("mean", "challenged_low", "challenged_high"),
            "held": Interval("rate", "held_low", "held_high"),
        },
    )
