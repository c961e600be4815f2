"""What the optional rules of Dobbers do: tan boxes, events, the duel, two-player variants.

Each rule is played with and without on the same deals; whatever else the setting's rules say
stays. Frames, every estimate with low, high, level, n and method:

effects: one row per rule and quantity, each rule's interval for itself.
    rule, key (the switch); quantity, unit; estimate: with the rule minus without, a game; without,
    changed (with it), discordance, correlation, speed_up. The intervals of a quantity hold together
    for all rules.
seats: one row per rule and seat. rule; seat; estimate: win probability of the seat with the rule
    minus without; without, changed, ...; the intervals of all rules and seats hold together.
duel: what the duel does to the race, from the games with it. Several players only.
    quantity, unit: overturned (the first at the key loses: share of won games), rivals (more than
    one hero at the key: share of won games), lost_duels (share of the games with rivals that the
    first loses), arrivals (heroes at the key in a won game); games (they are out of); estimate.
    Each interval stands for itself.

Rules that cannot matter at a table are left out: the two-player variants unless two play, events
and the duel for one player.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from analysis import words
from analysis.intervals import DIFFERENCE, clustered_ratio, clustered_share
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    NOT_BELOW_0,
    BlockSums,
    Column,
    effect_row,
    frame,
    interval_row,
    paired_effect,
    turned,
    with_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.driver import WON
from sim.game import WIN_UNIT

TITLE = "Optional rules"
TEXT = (
    "What do tan boxes, events, the duel and the variants for two players do to the length of the "
    "game, to its challenges and to the seats?"
)
DUEL = "duel"
EFFECTS, RACE = "effects", "race"
UNLIMITED = (-math.inf, math.inf)


@dataclass(frozen=True)
class Rule:
    """An optional rule: its name, the switches that turn it on, and for how many players."""

    name: str
    keys: tuple[str, ...]
    players: tuple[int, ...]

    def patches(self, on: bool) -> dict[str, bool]:
        """The switches thrown."""
        return dict.fromkeys(self.keys, on)


RULES = (
    Rule("tan boxes", ("switches.tan_boxes",), (1, 2, 3, 4)),
    Rule("events", ("switches.events",), (2, 3, 4)),
    Rule(DUEL, ("switches.duel",), (2, 3, 4)),
    Rule("two-player A", ("switches.two_player_a",), (2,)),
    Rule("two-player B", ("switches.two_player_b",), (2,)),
    Rule("two-player A and B", ("switches.two_player_a", "switches.two_player_b"), (2,)),
)

# quantity -> table of the rows, field, unit, least players
QUANTITIES = {
    "rounds": ("game", "rounds", "rounds", 1),
    "capped": ("game", "capped", "share of games", 1),
    "challenges": ("game", "challenges", "challenges", 1),
    "victories": ("game", "victories", "victories", 1),
    "moved_back": ("seat", "moved_back", "squares", 1),
    "lead_changes": ("game", "lead_changes", "changes", 2),
}


def rules_of(setting: Setting) -> tuple[Rule, ...]:
    """The optional rules that can matter at this table."""
    return tuple(rule for rule in RULES if setting.players in rule.players)


def quantities_of(players: int) -> dict[str, tuple[str, str, str]]:
    """Table, field and unit of the quantities that make sense for so many players."""
    return {name: found[:3] for name, found in QUANTITIES.items() if players >= found[3]}


# ------------------------------------------------------------------------------------ the plays


@dataclass(frozen=True)
class Sides:
    """The plays without and with each rule, by number; 0 is the game as the setting has it."""

    plays: tuple[Play, ...]
    without: tuple[int, ...]
    with_it: tuple[int, ...]


def sides_of(setting: Setting, rules: Sequence[Rule]) -> Sides:
    """Each rule off and on; what the setting has already is its own play."""
    values = {entry.key: entry.value for entry in setting.rules.entries}
    plays = [Play("as it is")]
    numbers: dict[bool, list[int]] = {False: [], True: []}
    for rule in rules:
        for on in (False, True):
            if all(values[key] == on for key in rule.keys):
                numbers[on].append(0)
                continue
            numbers[on].append(len(plays))
            name = f"{'with' if on else 'without'} {rule.name}"
            plays.append(Play(name, patches=rule.patches(on)))
    return Sides(tuple(plays), tuple(numbers[False]), tuple(numbers[True]))


def effect_columns(sides: Sides, players: int) -> list[Column]:
    """What is summed of the plays."""
    columns = []
    for play in range(len(sides.plays)):
        columns += [Column(play, f, table) for table, f, _ in quantities_of(players).values()]
        if players > 1:
            columns += [Column(play, "win", seat=seat) for seat in range(1, players + 1)]
    return columns


_WON = Column(0, "status", "game", equals=WON)
_OVERTURNED = Column(0, "overturned", "game")


_RIVALS = Column(0, "arrivals", "game", at_least=2)
_ARRIVALS = Column(0, "arrivals", "game")


def race_columns() -> tuple[Column, ...]:
    """What is summed of games with a duel."""
    return (_WON, _OVERTURNED, _RIVALS, _ARRIVALS)


# ------------------------------------------------------------------------------------ the frames


def _effect(
    sums: BlockSums, column: Column, sides: Sides, place: int, level: float, **options: Any
) -> dict[str, Any]:
    """A column with the place-th rule minus without; `column` is of play 0."""
    without, with_it = sides.without[place], sides.with_it[place]
    if with_it:
        found = [replace(column, play=with_it)]
        return effect_row(paired_effect(sums, found, level, against=without, **options))
    return with_row(paired_effect(sums, [replace(column, play=without)], level, **options))


def effects_frame(
    sums: BlockSums, rules: Sequence[Rule], sides: Sides, players: int, level: float
) -> pd.DataFrame:
    """The frame `effects` of this module. sums: of `effect_columns`."""
    rows = []
    for place, rule in enumerate(rules):
        for quantity, (table, field, unit) in quantities_of(players).items():
            effect = _effect(
                sums,
                Column(0, field, table),
                sides,
                place,
                level,
                bounds=DIFFERENCE if unit == "share of games" else UNLIMITED,
                together=len(rules),
                side_bounds=NOT_BELOW_0,
            )
            keys = {
                "rule": rule.name,
                "key": ", ".join(rule.keys),
                "quantity": quantity,
                "unit": unit,
            }
            rows.append({**keys, **effect})
    return frame(rows, ("rule", "key", "quantity", "unit", *EFFECT_COLUMNS))


def seats_frame(
    sums: BlockSums, rules: Sequence[Rule], sides: Sides, players: int, level: float
) -> pd.DataFrame:
    """The frame `seats` of this module. sums: of `effect_columns`."""
    rows = []
    for place, rule in enumerate(rules):
        for seat in range(1, players + 1):
            effect = _effect(
                sums,
                Column(0, "win", seat=seat),
                sides,
                place,
                level,
                scale=WIN_UNIT,
                bounds=DIFFERENCE,
                together=len(rules) * players,
            )
            rows.append({"rule": rule.name, "seat": seat, **effect})
    return frame(rows, ("rule", "seat", *EFFECT_COLUMNS))


def duel_frame(sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `duel` of this module. sums: of `race_columns`."""
    games = {"won": int(sums.cluster({_WON: 1}).num), "rivals": int(sums.cluster({_RIVALS: 1}).num)}
    method = "Wilson on the effective number, over blocks"

    def share(num: Column, den: Column) -> dict[str, Any]:
        cluster = sums.cluster({num: 1}, {den: 1})
        return interval_row(clustered_share(cluster, level, method=method))

    arrivals = clustered_ratio(
        sums.cluster({_ARRIVALS: 1}, {_WON: 1}),
        level,
        bounds=(0.0, math.inf),
        method="ratio over blocks, Student",
    )
    of = "share of won games"
    rows = [
        {"quantity": "overturned", "unit": of, "games": games["won"], **share(_OVERTURNED, _WON)},
        {"quantity": "rivals", "unit": of, "games": games["won"], **share(_RIVALS, _WON)},
        {
            "quantity": "lost_duels",
            "unit": "share of games with rivals",
            "games": games["rivals"],
            **share(_OVERTURNED, _RIVALS),
        },
        {
            "quantity": "arrivals",
            "unit": "heroes",
            "games": games["won"],
            **interval_row(arrivals),
        },
    ]
    return frame(rows, ("quantity", "unit", "games", *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    rules, players, rotations = rules_of(setting), setting.players, setting.rotations
    sides = sides_of(setting, rules)
    columns = effect_columns(sides, players)

    def effects(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, rotations)

    def race(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, race_columns(), rotations)

    groups = [Group(EFFECTS, sides.plays, effects)]
    for rule in rules:
        if rule.name == DUEL:
            play = Play(f"with {DUEL}", patches=rule.patches(True))
            groups.append(Group(RACE, (play,), race))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    rules, players, level = rules_of(setting), setting.players, setting.level
    sides = sides_of(setting, rules)
    frames = {"effects": effects_frame(sums[EFFECTS], rules, sides, players, level)}
    sentences = [length_sentence(frames["effects"], rule) for rule in rules]
    if players > 1:
        frames["seats"] = seats_frame(sums[EFFECTS], rules, sides, players, level)
    if RACE in sums:
        frames["duel"] = duel_frame(sums[RACE], level)
        sentences.insert(1, duel_sentence(frames["duel"]))
    if players == 2:
        sentences.insert(0, slower_sentence(frames["effects"]))
    if players > 1:
        sentences.append(seats_sentence(frames["seats"]))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def _row(effects: pd.DataFrame, rule: str, quantity: str) -> dict[str, Any]:
    rows = effects[(effects["rule"] == rule) & (effects["quantity"] == quantity)]
    return {str(key): value for key, value in rows.to_dict("records")[0].items()}


def _change(row: Mapping[str, Any], more: str, less: str, unit: str) -> str:
    """How a quantity changes: by how much more or less, or that no difference shows."""
    if row["low"] > 0 or row["high"] < 0:
        shown, verb = (row, more) if row["low"] > 0 else (turned(row), less)
        return f"{verb} {words.number(shown['estimate'], shown['low'], shown['high'], unit)}"
    return (
        f"no difference that can be told ({words.number(row['estimate'], row['low'], row['high'])} "
        f"{unit})"
    )


def length_sentence(effects: pd.DataFrame, rule: Rule) -> str:
    """What a rule does to the length of the game and to its challenges."""
    rounds = _row(effects, rule.name, "rounds")
    won, faced = (_row(effects, rule.name, name) for name in ("victories", "challenges"))
    capped = _row(effects, rule.name, "capped")
    text = (
        f"{_named(rule.name)}: {_change(rounds, 'longer by', 'shorter by', 'rounds')}, from "
        f"{_sides(rounds)}; challenges won {_sides(won)} of {_sides(faced)} faced"
    )
    if capped["low"] > 0 or capped["high"] < 0:
        text += (
            f"; games that the cap stops {words.shown(capped, 'without')} to "
            f"{words.shown(capped, 'changed')}"
        )
    return f"{text}."


def _sides(row: Mapping[str, Any]) -> str:
    return f"{words.amount(row, side='without')} to {words.amount(row, side='changed')}"


def _named(rule: str) -> str:
    return f"{rule[0].upper()}{rule[1:]}"


def slower_sentence(effects: pd.DataFrame) -> str:
    """Whether the two-player variants slow the game, as the rulebook says."""
    names = [rule.name for rule in RULES if rule.players == (2,)]
    rows = [_row(effects, name, "rounds") for name in names]
    slower = [row["low"] > 0 for row in rows]
    faster = [row["high"] < 0 for row in rows]
    parts = [
        f"{row['rule'].removeprefix('two-player ')} "
        f"{words.number(row['estimate'], row['low'], row['high'], 'rounds')}"
        for row in rows
    ]
    listed = words.listed(parts)
    if all(slower):
        return f"Both two-player variants slow the game, as the rulebook says: {listed}."
    if not any(slower):
        what = "make the game faster" if all(faster) else "do not show that they slow the game"
        return f"Against the rulebook's word the two-player variants {what}: {listed}."
    those = words.listed(
        [r["rule"].removeprefix("two-player ") for r, s in zip(rows, slower, strict=True) if s]
    )
    return f"Of the two-player variants {those} slows the game, as the rulebook says: {listed}."


def duel_sentence(duel: pd.DataFrame) -> str:
    """How often the duel overturns the race."""
    rows = {row["quantity"]: row for row in duel.to_dict("records")}
    over, rivals, lost = (rows[name] for name in ("overturned", "rivals", "lost_duels"))
    if not over["games"]:
        return "With the duel no game was won."
    text = (
        f"The duel overturns the race in {words.shown(over)} of won games: in "
        f"{words.shown(rivals)} of them another hero reaches the key as well"
    )
    if rivals["estimate"] > 0:
        text += f", and {words.shown(lost)} of those duels go against the first"
    return f"{text}."


def seats_sentence(seats: pd.DataFrame) -> str:
    """Rules that move the win probability of a seat."""
    moved = seats[(seats["low"] > 0) | (seats["high"] < 0)]
    if moved.empty:
        return "No optional rule is shown to move the win probability of any seat."
    parts = []
    for rule, rows in moved.groupby("rule", sort=False):
        row = rows.loc[rows["estimate"].abs().idxmax()]
        way = "lifts" if row["estimate"] > 0 else "lowers"
        shown = row.to_dict() if row["estimate"] > 0 else turned(row.to_dict())
        parts.append(
            f"{rule} {way} seat {row['seat']} by "
            f"{words.points(shown['estimate'], shown['low'], shown['high'])}"
        )
    return f"On the seats, in win probability: {words.listed(parts)}."


QUESTION = Question("optional_rules", TITLE, TEXT, _groups, _answer, games=("dobbers",))
