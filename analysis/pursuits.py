"""What each pursuit of Near and Far is worth: a player gives up one of them, the others go on.

A strategy has a price for quests, threats, the mine, camps on the map, trade routes, artifacts and
magic. One player sets one of these prices to nothing, on the same deals: it still takes what lies
on its way, but no longer goes out of it. So what is measured is the pursuit with all that it
brings and costs, time first of all, and not its points alone. Frames, every estimate with low,
high, level, n and method:

worth: one row per pursuit and quantity.
    pursuit; strategy; weight (set to 0), scripted (its value otherwise); quantity, unit: win_rate,
    score, and "done", how much of it the player does (threats beaten, quests done, camps, ...);
    estimate: with the pursuit minus without; without, changed (with it), each with
    _low, _high, _n, _method; discordance, correlation, speed_up. The pursuits of a quantity hold
    together.
table: what it does to everybody: the same for the length and the spread of the whole game.
    pursuit; quantity (rounds, spread), unit; estimate; ...

Pursuits whose price is nothing already, or that the strategies of the lineup do not know, are left
out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis import words
from analysis.habits import Habit, find_habit
from analysis.intervals import DIFFERENCE, UNBOUNDED, Bounds
from analysis.paired import (
    EFFECT_COLUMNS,
    NOT_BELOW_0,
    BlockSums,
    Column,
    frame,
    paired_effect,
    with_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.errors import UserError
from sim.game import WIN_UNIT

TITLE = "Pursuits"
TEXT = (
    "What are threats, quests, the mine, camps on the map, routes, artifacts and magic worth to a "
    "player who goes for them?"
)
SHARE_OF_GAMES = 0.25  # each pursuit takes a play for each seat

# pursuit -> weight, fields that say how much of it is done, unit
PURSUITS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "threats": ("threat", ("threats_beaten",), "threats beaten"),
    "quests": ("quest", ("quests_done",), "quests done"),
    "the mine": ("mine", ("mine_camps",), "camps in the mine"),
    "camps on the map": ("settle", ("map_camps",), "camps on the map"),
    "trade routes": ("route", ("routes_alone", "routes_joint"), "routes held"),
    "artifacts": ("artifact", ("artifacts_bought",), "artifacts bought"),
    "magic": ("magic", ("magic",), "spaces of the track"),
}
OF_GAMES = {"rounds": "rounds", "spread": "journey points"}


@dataclass(frozen=True)
class Pursuit:
    """A pursuit that the lineup knows, and the player who gives it up."""

    name: str
    habit: Habit
    fields: tuple[str, ...]
    unit: str


def pursuits_of(setting: Setting) -> tuple[Pursuit, ...]:
    """The pursuits that strategies of the lineup have a price for."""
    found = []
    for name, (weight, fields, unit) in PURSUITS.items():
        habit = find_habit(setting, weight)
        if habit is not None and habit.scripted != 0 and habit.low <= 0 <= habit.high:
            found.append(Pursuit(name, habit, fields, unit))
    return tuple(found)


def pursuit_plays(setting: Setting, pursuits: Sequence[Pursuit]) -> tuple[Play, ...]:
    """Games as they are, then each pursuit given up in each slot."""
    given_up = [play for pursuit in pursuits for play in pursuit.habit.plays(setting, 0)]
    return (Play("as it is"), *given_up)


def first_play(pursuits: Sequence[Pursuit], place: int) -> int:
    """Number of the first play of a pursuit (by its place)."""
    return 1 + sum(len(pursuit.habit.slots) for pursuit in pursuits[:place])


def _picks(pursuits: Sequence[Pursuit], place: int, field: str) -> list[Column]:
    return pursuits[place].habit.columns(first_play(pursuits, place), field)


def pursuit_columns(pursuits: Sequence[Pursuit]) -> list[Column]:
    """What is summed of `pursuit_plays`."""
    columns = []
    for place, pursuit in enumerate(pursuits):
        for field in ("win", "score", *pursuit.fields):
            columns += pursuit.habit.as_scripted(field)
            columns += _picks(pursuits, place, field)
        first = first_play(pursuits, place)
        for play in (0, *range(first, first + len(pursuit.habit.slots))):
            columns += [Column(play, field, "game") for field in OF_GAMES]
    return columns


# ------------------------------------------------------------------------------------ the frames


def worth_frame(sums: BlockSums, pursuits: Sequence[Pursuit], level: float) -> pd.DataFrame:
    """The frame `worth` of this module. sums: of `pursuit_columns`."""
    rows = []
    for place, pursuit in enumerate(pursuits):
        wanted: dict[str, tuple[str, tuple[str, ...], float, Bounds]] = {
            "win_rate": ("share of games", ("win",), WIN_UNIT, DIFFERENCE),
            "score": ("journey points", ("score",), 1, UNBOUNDED),
            "done": (pursuit.unit, pursuit.fields, 1, UNBOUNDED),
        }
        for name, (unit, fields, scale, bounds) in wanted.items():
            columns = [c for field in fields for c in _picks(pursuits, place, field)]
            effect = paired_effect(
                sums,
                columns,
                level,
                scale=scale / len(fields),  # several fields: their sum, not their mean
                bounds=bounds,
                side_bounds=NOT_BELOW_0 if name == "done" else UNBOUNDED,
                together=len(pursuits),
            )
            habit = pursuit.habit
            rows.append(
                {
                    "pursuit": pursuit.name,
                    "strategy": habit.spec,
                    "weight": habit.weight,
                    "scripted": habit.scripted,
                    "quantity": name,
                    "unit": unit,
                    **with_row(effect),
                }
            )
    names = ("pursuit", "strategy", "weight", "scripted", "quantity", "unit")
    return frame(rows, (*names, *EFFECT_COLUMNS))


def table_frame(sums: BlockSums, pursuits: Sequence[Pursuit], level: float) -> pd.DataFrame:
    """The frame `table` of this module. sums: of `pursuit_columns`."""
    rows = []
    for place, pursuit in enumerate(pursuits):
        first = first_play(pursuits, place)
        plays = range(first, first + len(pursuit.habit.slots))
        for field, unit in OF_GAMES.items():
            columns = [Column(play, field, "game") for play in plays]
            effect = paired_effect(sums, columns, level, together=len(pursuits))
            keys = {"pursuit": pursuit.name, "quantity": field, "unit": unit}
            rows.append({**keys, **with_row(effect)})
    return frame(rows, ("pursuit", "quantity", "unit", *EFFECT_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    pursuits = pursuits_of(setting)
    if not pursuits:
        raise UserError(
            "the question 'pursuits' needs a strategy that has prices for them, such as balanced"
        )
    columns = pursuit_columns(pursuits)

    def reduce(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, setting.rotations)

    return [Group("pursuits", pursuit_plays(setting, pursuits), reduce, SHARE_OF_GAMES)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    pursuits, level = pursuits_of(setting), setting.level
    found: BlockSums = sums["pursuits"]
    frames = {
        "worth": worth_frame(found, pursuits, level),
        "table": table_frame(found, pursuits, level),
    }
    sentences = (worth_sentence(frames["worth"]), table_sentence(frames["table"]))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def worth_sentence(worth: pd.DataFrame) -> str:
    """What each pursuit is worth, the dearest first."""
    rows = worth[worth["quantity"] == "win_rate"].to_dict("records")
    ranked = sorted(rows, key=lambda row: -row["estimate"])
    good = [row for row in ranked if row["low"] > 0]
    bad = [row for row in ranked if row["high"] < 0]
    open_ = [row["pursuit"] for row in ranked if row["low"] <= 0 <= row["high"]]

    def listed(rows: Sequence[Mapping[str, Any]]) -> str:
        return words.listed(
            [
                f"{row['pursuit']} {words.points(row['estimate'], row['low'], row['high'])}"
                for row in rows
            ]
        )

    parts = [listed(good)] if good else []
    if bad:
        parts.append(f"less than nothing of {listed(bad)}")
    if open_:
        parts.append(f"no difference can be told for {words.listed(open_)}")
    return (
        f"What going for each is worth to one {ranked[0]['strategy']} among players as they are, "
        f"in win probability: {'; '.join(parts)}."
    )


def table_sentence(table: pd.DataFrame) -> str:
    """Which pursuits of one player change how long the game is."""
    rows = table[table["quantity"] == "rounds"].to_dict("records")
    moved = [row for row in rows if row["low"] > 0 or row["high"] < 0]
    if not moved:
        return "No pursuit of a single player is shown to change the length of the game."
    ranked = sorted(moved, key=lambda row: -abs(row["estimate"]))
    parts = [
        f"{row['pursuit']} {words.number(row['estimate'], row['low'], row['high'])}"
        for row in ranked
    ]
    return f"What a single player's pursuit adds to the game, in rounds: {words.listed(parts)}."


QUESTION = Question(
    "pursuits", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
