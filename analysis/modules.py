"""What each module of the Amber Mines does to Near and Far, switched off alone on the same luck.

A module that others need takes these with it. Modules that are off, and could be used as the
setting is, are switched on. Frames, every estimate with low, high, level, n and method:

effects: one row per module and quantity.
    module, also (what goes with it); quantity, unit: rounds, score, spread (most less fewest
    points), lead_changes, capped; estimate: with the module minus without, a game; without,
    changed (with it), discordance, correlation, speed_up. The intervals of a quantity hold
    together for all modules.
seats: one row per module and seat. estimate: win probability of the seat with the module minus
    without. All rows hold together.
strategies: the same for each strategy, where the lineup holds several and the seats rotate.

Effects of modules together, and of pairs of them on each other, are a factorial of `assay sweep`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from analysis import words
from analysis.intervals import DIFFERENCE, UNBOUNDED, Bounds
from analysis.paired import (
    EFFECT_COLUMNS,
    BlockSums,
    Column,
    effect_row,
    frame,
    paired_effect,
    with_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.near_and_far.checks import NEEDS, TOGETHER

TITLE = "Modules"
TEXT = (
    "What does each module of the Amber Mines do to the length of the game, to scores and their "
    "spread, to the seats and to the strategies?"
)
FREE, THREATS = "switches.threats_free", "new_threats"
LONE = ("heart_total", "map_scarcity")  # rules that need no module

# quantity -> table of the rows, field, unit, bounds
QUANTITIES: dict[str, tuple[str, str, str, Bounds]] = {
    "rounds": ("game", "rounds", "rounds", UNBOUNDED),
    "score": ("seat", "score", "journey points", UNBOUNDED),
    "spread": ("game", "spread", "journey points", UNBOUNDED),
    "lead_changes": ("game", "lead_changes", "changes", UNBOUNDED),
    "capped": ("game", "capped", "share of games", DIFFERENCE),
}


@dataclass(frozen=True)
class Module:
    """A module and how it is switched: on (as the setting is) or not, and what goes with it."""

    name: str
    on: bool
    also: tuple[str, ...] = ()
    free: bool = False

    def play(self) -> Play:
        """The game with this module switched the other way."""
        patches: dict[str, Any] = {
            f"modules.{name}": not self.on for name in (self.name, *self.also)
        }
        if self.free:
            patches[FREE] = True
        return Play(f"{'without' if self.on else 'with'} {self.name}", patches=patches)


def modules_of(setting: Setting) -> tuple[Module, ...]:
    """The modules that can be switched at this table."""
    values = {entry.key: entry.value for entry in setting.rules.entries}
    on = {name for name in (*NEEDS, *LONE) if values[f"modules.{name}"]}
    found = []
    for name in (*NEEDS, *LONE):
        if name in TOGETHER:  # another kind of game, no module of this one
            continue
        if name in on:
            gone = {name}
            for other, needs in NEEDS.items():  # listed after what they need
                if other in on and gone & set(needs):
                    gone.add(other)
            also = tuple(other for other in NEEDS if other in gone and other != name)
            others = (on & set(NEEDS)) - {name}
            found.append(Module(name, True, also, name == THREATS and bool(others)))
        elif set(NEEDS.get(name, ())) <= on:
            bare = name in NEEDS and name != THREATS and THREATS not in on
            found.append(Module(name, False, free=bare))
    return tuple(found)


# ------------------------------------------------------------------------------------ the plays


def module_plays(modules: Sequence[Module]) -> tuple[Play, ...]:
    """The game as it is, then one play per module."""
    return (Play("as it is"), *(module.play() for module in modules))


def labels_of(setting: Setting) -> dict[str, list[int]]:
    """Slots by strategy, where there are several and the seats rotate; else nothing."""
    found: dict[str, list[int]] = {}
    if setting.rotate and len(set(setting.seats)) > 1:
        for slot, name in enumerate(setting.seats):
            found.setdefault(name, []).append(slot)
    return found


def module_columns(modules: Sequence[Module], players: int) -> list[Column]:
    """What is summed of `module_plays`."""
    columns = []
    for play in range(1 + len(modules)):
        columns += [Column(play, field, table) for table, field, *_ in QUANTITIES.values()]
        columns += [Column(play, "win", seat=seat) for seat in range(1, players + 1)]
        columns += [Column(play, "win", slot=slot) for slot in range(players)]
    return columns


# ------------------------------------------------------------------------------------ the frames


def _effect(
    sums: BlockSums,
    module: Module,
    play: int,
    columns: Sequence[Column],
    level: float,
    **options: Any,
) -> dict[str, Any]:
    """Columns with a module minus without; `columns` are of play 0."""
    other = [replace(column, play=play) for column in columns]
    effect = paired_effect(sums, other, level, **options)
    return with_row(effect) if module.on else effect_row(effect)  # on: as it is


def effects_frame(sums: BlockSums, modules: Sequence[Module], level: float) -> pd.DataFrame:
    """The frame `effects` of this module. sums: of `module_columns`."""
    rows = []
    for play, module in enumerate(modules, start=1):
        for quantity, (table, field, unit, bounds) in QUANTITIES.items():
            keys = {"module": module.name, "also": ", ".join(module.also)}
            effect = _effect(
                sums,
                module,
                play,
                [Column(0, field, table)],
                level,
                bounds=bounds,
                together=len(modules),
            )
            rows.append({**keys, "quantity": quantity, "unit": unit, **effect})
    return frame(rows, ("module", "also", "quantity", "unit", *EFFECT_COLUMNS))


def wins_frame(
    sums: BlockSums,
    modules: Sequence[Module],
    who: Mapping[Any, Sequence[Column]],
    name: str,
    level: float,
) -> pd.DataFrame:
    """The frames `seats` and `strategies`. who: value of the column `name` -> wins of play 0."""
    rows = []
    for play, module in enumerate(modules, start=1):
        for value, columns in who.items():
            effect = _effect(
                sums,
                module,
                play,
                columns,
                level,
                scale=WIN_UNIT,
                bounds=DIFFERENCE,
                together=len(modules) * len(who),
            )
            rows.append({"module": module.name, name: value, **effect})
    return frame(rows, ("module", name, *EFFECT_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    modules = modules_of(setting)
    columns = module_columns(modules, setting.players)

    def reduce(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, setting.rotations)

    return [Group("modules", module_plays(modules), reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    modules, level = modules_of(setting), setting.level
    found: BlockSums = sums["modules"]
    seats = {s: [Column(0, "win", seat=s)] for s in range(1, setting.players + 1)}
    labels = {
        name: [Column(0, "win", slot=slot) for slot in slots]
        for name, slots in labels_of(setting).items()
    }
    frames = {
        "effects": effects_frame(found, modules, level),
        "seats": wins_frame(found, modules, seats, "seat", level),
        "strategies": wins_frame(found, modules, labels, "strategy", level),
    }
    sentences = (
        quantity_sentence(frames["effects"], "rounds", "length"),
        quantity_sentence(frames["effects"], "score", "scores"),
        quantity_sentence(frames["effects"], "spread", "the spread of scores"),
        wins_sentence(frames["seats"], "seat"),
        wins_sentence(frames["strategies"], "strategy"),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def module_name(name: str) -> str:
    """A module's name as people write it."""
    return name.replace("_", " ")


def quantity_sentence(effects: pd.DataFrame, quantity: str, what: str) -> str:
    """Which modules move a quantity, the largest effect first."""
    rows = effects[effects["quantity"] == quantity]
    moved = rows[(rows["low"] > 0) | (rows["high"] < 0)]
    if moved.empty:
        return f"No module is shown to move {what}."
    ranked = sorted(moved.to_dict("records"), key=lambda row: -abs(row["estimate"]))
    parts = [
        f"{module_name(row['module'])} {words.number(row['estimate'], row['low'], row['high'])}"
        for row in ranked
    ]
    return f"What modules add to {what}, in {ranked[0]['unit']}: {words.listed(parts)}."


def wins_sentence(wins: pd.DataFrame, name: str) -> str:
    """Which seats or strategies a module helps or hurts."""
    if wins.empty:
        return ""
    moved = wins[(wins["low"] > 0) | (wins["high"] < 0)]
    if moved.empty:
        return f"No module is shown to move the win probability of any {name}."
    ranked = sorted(moved.to_dict("records"), key=lambda row: -abs(row["estimate"]))
    parts = []
    for row in ranked[:6]:
        who = f"seat {row[name]}" if name == "seat" else row[name]
        gain = words.points(row["estimate"], row["low"], row["high"])
        parts.append(f"{module_name(row['module'])} that of {who} by {gain}")
    return f"Modules move the win probability of a {name}: {words.listed(parts)}."


QUESTION = Question(
    "modules", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
