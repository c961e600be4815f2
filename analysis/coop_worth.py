"""What minions cost a team, what giving is worth, and which modules help or hurt it.

Asked of the lineup in the setting as it is; everything on the same deals. Frames, every estimate
with low, high, level, n and method; quantity: won (share of games), margin (points above what was
needed), bosses_left, rounds, with its unit:

minions: one row per minion and quantity, and those of all minions together (minion missing).
    minion; estimate: with it among the minions minus without it; without, changed (with it), each
    with _low, _high, _n, _method; discordance, correlation, speed_up. Minions are in play for this,
    whether they are in the setting or not. How many come is up to the clock, so one that is left
    out of the deck has its place taken by another, as long as there is one left to draw: its row
    compares it with the others, is positive for one that does less harm than those that come
    instead, and the rows do not add up to that of all together, which is against no minions. The
    intervals of a quantity hold together for all minions; those of all minions together stand for
    themselves.
sharing: one row per seat and quantity, and those of all seats together (seat missing).
    seat; estimate: as it is minus with gifts by this seat forbidden (by all); ... The intervals of
    a quantity hold together for all seats; those of all seats together stand for themselves.
gifts: one row. estimate: units that are given away in a game, with low, high, ...
modules: one row per module and quantity. module, also (what goes with it); estimate: with the
    module minus without. The intervals of a quantity hold together for all modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis import words
from analysis.cooperation import (
    MINIONS,
    QUANTITIES,
    effect,
    moved,
    plays_together,
)
from analysis.modules import Module, module_name, module_plays, modules_of
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    rows_where,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk

TITLE = "What helps and hurts a team"
TEXT = "What does each minion cost a team, what is giving worth, and which module helps or hurts?"
HANDICAP = "forbid_gifts"
GIFTS = Column(0, "gifts", "game")


# ------------------------------------------------------------------------------------- the plays


def minion_names(setting: Setting) -> tuple[str, ...]:
    """The minions in play, as the rules files call them."""
    minions = setting.rules.model.minions
    return tuple(name for name, minion in minions.items() if minion.copies)


def minion_plays(names: Sequence[str]) -> tuple[Play, ...]:
    """With all minions, without any, then with each left out of the deck for others to come."""
    return (
        Play("with minions", patches={MINIONS: True}),
        Play("without minions", patches={MINIONS: False}),
        *(
            Play(f"without {name}", patches={MINIONS: True, f"minions.{name}.copies": 0})
            for name in names
        ),
    )


def sharing_plays(players: int) -> tuple[Play, ...]:
    """As it is, without gifts, then without those of each seat."""
    alone = [[int(seat == other) for other in range(players)] for seat in range(players)]
    return (
        Play("as it is"),
        Play("without gifts", handicaps={HANDICAP: [1] * players}),
        *(
            Play(f"without gifts of seat {seat}", handicaps={HANDICAP: denied})
            for seat, denied in enumerate(alone, start=1)
        ),
    )


def team_modules(setting: Setting) -> tuple[Module, ...]:
    """The modules that can be switched at this table and leave the team together."""
    return tuple(
        module for module in modules_of(setting) if not {module.name, *module.also} & {"coop"}
    )


def worth_columns(plays: int) -> list[Column]:
    """What is summed of any of these plays."""
    columns = [
        Column(play, field, "game") for play in range(plays) for field, *_ in QUANTITIES.values()
    ]
    return [*columns, GIFTS]


# ------------------------------------------------------------------------------------ the frames


def parts_frame(sums: BlockSums, parts: Sequence[Any], name: str, level: float) -> pd.DataFrame:
    """The frames `minions` and `sharing`: play 0 minus play 1 (all), then minus each part's.

    sums: of `worth_columns`. parts: values of the column `name`, in the order of the plays.
    """
    rows = []
    for play, part in enumerate((None, *parts), start=1):
        for quantity, (_, unit, _) in QUANTITIES.items():
            together = 1 if part is None else len(parts)
            row = effect(sums, quantity, 0, play, level, together=together)
            rows.append({name: part, "quantity": quantity, "unit": unit, **row})
    made = frame(rows, (name, "quantity", "unit", *EFFECT_COLUMNS))
    return made.assign(seat=made[name].astype("Int64")) if name == "seat" else made


def modules_frame(sums: BlockSums, modules: Sequence[Module], level: float) -> pd.DataFrame:
    """The frame `modules` of this module. sums: of `worth_columns` of `module_plays`."""
    rows = []
    for play, module in enumerate(modules, start=1):
        pair = (0, play) if module.on else (play, 0)
        for quantity, (_, unit, _) in QUANTITIES.items():
            row = effect(sums, quantity, *pair, level, together=len(modules))
            keys = {"module": module.name, "also": ", ".join(module.also)}
            rows.append({**keys, "quantity": quantity, "unit": unit, **row})
    return frame(rows, ("module", "also", "quantity", "unit", *EFFECT_COLUMNS))


def gifts_frame(sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `gifts` of this module."""
    return frame([interval_row(sums.estimate({GIFTS: 1}, level=level))], INTERVAL_COLUMNS)


# ---------------------------------------------------------------------------------- the question


def _plays(setting: Setting) -> dict[str, tuple[Play, ...]]:
    return {
        "minions": minion_plays(minion_names(setting)),
        "sharing": sharing_plays(setting.players),
        "modules": module_plays(team_modules(setting)),
    }


def _groups(setting: Setting) -> list[Group]:
    def group(name: str, plays: tuple[Play, ...]) -> Group:
        columns = worth_columns(len(plays))

        def reduce(chunks: tuple[Chunk, ...]) -> BlockSums:
            return BlockSums.of(chunks, columns, setting.rotations)

        return Group(name, plays, reduce)

    return [group(name, plays) for name, plays in _plays(setting).items()]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    level = setting.level
    seats = range(1, setting.players + 1)
    frames = {
        "minions": parts_frame(sums["minions"], minion_names(setting), "minion", level),
        "sharing": parts_frame(sums["sharing"], seats, "seat", level),
        "gifts": gifts_frame(sums["sharing"], level),
        "modules": modules_frame(sums["modules"], team_modules(setting), level),
    }
    sentences = (
        minions_sentence(frames["minions"]),
        sharing_sentence(frames["sharing"], frames["gifts"]),
        modules_sentence(frames["modules"]),
    )
    return Answer(frames, sentences)


# -------------------------------------------------------------------------------------- in words


def rows_of(found: pd.DataFrame, quantity: str, name: str) -> dict[Any, dict[str, Any]]:
    """The rows of a quantity by the value of a column; None where that is missing."""
    rows = rows_where(found, quantity=quantity)
    return {None if pd.isna(row[name]) else row[name]: row for row in rows}


def _points(row: Mapping[str, Any]) -> str:
    return words.number(row["estimate"], row["low"], row["high"], "points")


def _away(row: Mapping[str, Any]) -> dict[str, Any]:
    """The effect the other way round: what is lost."""
    return {**row, "estimate": -row["estimate"], "low": -row["high"], "high": -row["low"]}


def _verdict(
    row: Mapping[str, Any],
    what: str,
    amount: Callable[[Mapping[str, Any]], str],
    costs: str,
    adds: str,
    be: str = "are",
) -> str:
    """What something does, or that it is not shown to do anything."""
    if row["high"] < 0:
        return f"{costs} {amount(_away(row))} of {what}"
    if row["low"] > 0:
        return f"{adds} {amount(row)} {'to' if adds == 'add' else 'of'} {what}"
    return f"{be} not shown to change {what} ({amount(row)})"


def minions_sentence(minions: pd.DataFrame) -> str:
    """What minions cost, all against none, and each against those that come in its place."""
    won, margin = (rows_of(minions, name, "minion") for name in ("won", "margin"))
    every = won.pop(None)
    rates = f"{words.shown(every, 'without')} without and {words.shown(every, 'changed')} with them"
    text = (
        f"All minions together {_verdict(every, 'the win rate', words.gain, 'cost', 'add')}, "
        f"{rates}, and {_verdict(margin[None], 'the margin', _points, 'cost', 'add')}"
    )
    told = [row for row in won.values() if moved(row)]
    if not told:
        return (
            f"{text}; where one is left out of the deck and another comes in its place, none is "
            "told apart from the others."
        )
    parts = []
    for verb, sign in (("cost more win rate than these", -1), ("cost less", 1)):
        rows = sorted(
            (row for row in told if sign * row["estimate"] > 0),
            key=lambda row: -abs(row["estimate"]),
        )
        listed = [
            f"{module_name(row['minion'])} by {words.gain(row if sign > 0 else _away(row))}"
            for row in rows
        ]
        if listed:
            parts.append(f"{verb}: {words.listed(listed)}")
    rest = len(won) - len(told)
    tail = f"; of the other {rest} nothing is told" if rest else ""
    return (
        f"{text}. A minion that is left out of the deck has its place taken by others; "
        f"{'; '.join(parts)}{tail}."
    )


def sharing_sentence(sharing: pd.DataFrame, gifts: pd.DataFrame) -> str:
    """What giving is worth."""
    won, margin = (rows_of(sharing, name, "seat") for name in ("won", "margin"))
    given = gifts.to_dict("records")[0]
    every = won.pop(None)
    number = words.number(given["estimate"], given["low"], given["high"], "units")
    text = (
        f"The team gives away {number} a game; giving "
        f"{_verdict(every, 'the win rate', words.gain, 'costs', 'is worth', 'is')}, and "
        f"{_verdict(margin[None], 'the margin', _points, 'costs', 'is worth', 'is')}"
    )
    told = [row for row in won.values() if moved(row)]
    if not told:
        return f"{text}; forbidden to one seat alone, no difference is told."
    parts = [f"seat {row['seat']} {words.gain(row)}" for row in told]
    return f"{text}; forbidden to one seat alone, it takes away: {words.listed(parts)}."


def modules_sentence(modules: pd.DataFrame) -> str:
    """Which modules help or hurt."""
    rows = rows_of(modules, "won", "module")
    parts = []
    for verb, sign in (("help", 1), ("hurt", -1)):
        told = [row for row in rows.values() if moved(row) and sign * row["estimate"] > 0]
        told.sort(key=lambda row: -abs(row["estimate"]))
        if told:
            listed = [f"{module_name(row['module'])} {words.gain(row)}" for row in told]
            parts.append(f"{verb} the team, in win rate: {words.listed(listed)}")
    if not parts:
        return "No module is shown to help or to hurt the team."
    return f"Modules that {'; modules that '.join(parts)}."


QUESTION = Question(
    "coop_worth",
    TITLE,
    TEXT,
    _groups,
    _answer,
    least_players=2,
    suits=plays_together,
    together=True,
)
