"""Challenges in Dobbers: how close they are, and what stacks in the way cost.

Frames, every estimate with low, high, level, n and method:

margins: how close challenges are, one row per margin from the least to the largest seen.
    margin: points less points needed when the two are compared (the ends hold what lies beyond);
    won (the margin is not below 0); challenges; estimate: share of all challenges. The intervals
    hold together.
outcomes: one row per strategy (missing: all) and quantity, each interval for itself.
    strategy; quantity, unit: won (share of challenges), narrowly_won (won with a point to spare
    or less), narrowly_lost (a point or two short), challenges (a player and game), moved_back
    (squares a defeat); estimate.
shown: how often challenges are won by what was seen before the reveal; where the game counts it.
    shown: red and gold points ready less those that the stack was thought to need, which for what
    lies face down is the mean over all cards with the same front (the ends hold what lies beyond);
    challenges; estimate: share of them that is won. The intervals hold together.
stacks: the same by stack; where the game counts it.
    cards: under the location (0: the location alone, 1: with a creature, more: with equipment);
    face ("up": all was known, "down": something was not); challenges; estimate. The intervals hold
    together.
blocking: what it is to build stacks, and to be built against; experiments on the same deals.
    quantity: builder (win probability that the only player who builds has above one who cannot, as
    nobody else can), blocked (what each of the others loses by that), all_build (win probability
    that a player has who builds like all others, above one who alone cannot); turns (of a player a
    game), challenges (a player and game), moved_back (squares a player and game), capped (share of
    games): as it is minus where nobody builds; unit; estimate; without, changed, discordance,
    correlation, speed_up. The three on win probability hold together; the others stand each for
    itself.

To build is to buy locations and creatures; the game's handicap `forbid_blocking` takes it from a
seat. Everybody plays on as scripted.

What was never seen, or always, is bounded by the number of deals, as all challenges of a deal may
come out alike; `method` says how many count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.intervals import DIFFERENCE, Interval
from analysis.moments import block_sums
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    NOT_BELOW_0,
    BlockSums,
    Column,
    Effect,
    effect_row,
    frame,
    interval_row,
    paired_effect,
    replicate_share,
    turned,
    with_row,
    worth_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT

TITLE = "Challenges"
TEXT = "How close are challenges, who wins them, and what does blocking cost the blocked?"
COUNTER = "margins"
SHOWN, STACKS = "shown", "stacks"  # counters of a game that keeps them: faced, won
HANDICAP = "forbid_blocking"
BLOCKING_SHARE = 0.5
POSITIVE = (0.0, math.inf)
NARROW_WIN, NARROW_LOSS = (0, 1), (-2, -1)  # margins
FIELD, BLOCKING = "field", "blocking"
AS_IS, NOBODY = 0, 1  # plays of the experiment


# ------------------------------------------------------------------------------------ the plays


@dataclass(frozen=True)
class FieldSums:
    """Sums of the games as they are. margins: challenges by (replicate, slot, margin).

    counted: further counters by name, (replicate, slot, class, faced or won), as far as the game
    keeps them. largest: challenges of the deal that had most.
    """

    blocks: BlockSums
    margins: NDArray[np.int64]
    counted: Mapping[str, NDArray[np.int64]]
    largest: int

    def __add__(self, other: FieldSums) -> FieldSums:
        counted = {name: found + other.counted[name] for name, found in self.counted.items()}
        return FieldSums(
            self.blocks + other.blocks,
            self.margins + other.margins,
            counted,
            max(self.largest, other.largest),
        )


def field_columns(players: int) -> list[Column]:
    """What is summed of the rows, slot by slot."""
    return [
        Column(0, name, slot=slot)
        for slot in range(players)
        for name in ("challenges", "victories", "moved_back")
    ]


def field_sums(chunk: Chunk, rotations: int) -> FieldSums:
    """Sum a chunk of games as they are."""
    columns = field_columns(chunk.seats.shape[1])
    blocks = BlockSums.of([chunk], columns, rotations)
    counted = {name: chunk.counters[name] for name in (SHOWN, STACKS) if name in chunk.counters}
    faced = chunk.seats["challenges"].sum(axis=1, dtype=np.int64)
    largest = int(block_sums(faced, rotations).max(initial=0))
    return FieldSums(blocks, chunk.counters[COUNTER], counted, largest)


def _forbidden(who: Sequence[bool]) -> dict[str, Sequence[int]]:
    return {HANDICAP: [int(one) for one in who]}


def blocking_plays(players: int) -> tuple[Play, ...]:
    """As it is; nobody builds; for each seat: only it builds; for each: it alone does not."""
    seats = range(players)
    return (
        Play("as it is"),
        Play("nobody builds", handicaps=_forbidden([True] * players)),
        *(
            Play(
                f"only seat {seat + 1} builds",
                handicaps=_forbidden([other != seat for other in seats]),
            )
            for seat in seats
        ),
        *(
            Play(
                f"seat {seat + 1} builds nothing",
                handicaps=_forbidden([other == seat for other in seats]),
            )
            for seat in seats
        ),
    )


def _only(seat: int) -> int:
    return 1 + seat  # the play in which only this seat (from 1) builds


def _alone(seat: int, players: int) -> int:
    return 1 + players + seat  # the play in which this seat alone does not


# field of the rows, unit, and whether it is one of the game or of all seats
_CHANGES = {
    "turns": ("seat", "turns"),
    "challenges": ("seat", "challenges"),
    "moved_back": ("seat", "squares"),
    "capped": ("game", "share of games"),
}


def blocking_columns(players: int) -> list[Column]:
    """What is summed of `blocking_plays`."""
    seats = range(1, players + 1)
    columns = []
    for play in range(2 + 2 * players):
        columns += [Column(play, "win", seat=seat) for seat in seats]
    for play in (AS_IS, NOBODY):
        columns += [Column(play, name, table) for name, (table, _) in _CHANGES.items()]
    return columns


# ------------------------------------------------------------------------------------ the frames


@dataclass(frozen=True)
class Deals:
    """Challenges by deal: the sum of their squares, and the largest; 0 for not known."""

    squares: int = 0
    largest: int = 0

    @classmethod
    def of(cls, sums: FieldSums, slots: Sequence[int]) -> Deals:
        """Those that these slots faced."""
        faced = {Column(0, "challenges", slot=slot): 1 for slot in slots}
        return cls(int(sums.blocks.cluster(faced, faced).den2), sums.largest)

    def worth(self, challenges: int) -> float:
        """As how many equal deals so many challenges count at least (`intervals.none_or_all`).

        Of one class a deal has no more challenges than of all.
        """
        if not self.squares or not self.largest:
            return 0
        return max(challenges**2 / self.squares, challenges / self.largest)


UNKNOWN = Deals()


def margins_frame(margins: NDArray[np.int64], level: float, deals: Deals = UNKNOWN) -> pd.DataFrame:
    """The frame `margins` of this module.

    margins: (replicates, slots, 2 * most + 1). deals: of all slots; where they are not known a
    margin that was never seen is bounded by the number of replicates.
    """
    table = margins.sum(axis=1)  # replicates, margins
    most = table.shape[1] // 2
    every = table.sum(axis=1)
    worth = deals.worth(int(every.sum()))
    seen = np.flatnonzero(table.sum(axis=0))
    places = range(seen[0], seen[-1] + 1) if len(seen) else range(0)
    rows = []
    for place in places:
        interval = replicate_share(table[:, place], every, level, together=len(places), deals=worth)
        margin = place - most
        rows.append(
            {
                "margin": margin,
                "won": margin >= 0,
                "challenges": int(table[:, place].sum()),
                **interval_row(interval),
            }
        )
    return frame(rows, ("margin", "won", "challenges", *INTERVAL_COLUMNS))


def _won_by_class(
    counted: NDArray[np.int64], level: float, deals: Deals
) -> list[tuple[int, int, Interval]]:
    """Class, challenges and share won of every class that was seen. counted: as in `FieldSums`."""
    table = counted.sum(axis=1)  # replicates, classes, faced or won
    seen = [int(place) for place in np.flatnonzero(table[..., 0].sum(axis=0))]
    found = []
    for place in seen:
        faced, won = table[:, place, 0], table[:, place, 1]
        number = int(faced.sum())
        worth = deals.worth(number)
        share = replicate_share(won, faced, level, together=len(seen), deals=worth)
        found.append((place, number, share))
    return found


def shown_frame(counted: NDArray[np.int64], level: float, deals: Deals = UNKNOWN) -> pd.DataFrame:
    """The frame `shown` of this module.

    counted: (replicates, slots, 2 * most + 1, 2). deals: as in `margins_frame`.
    """
    most = counted.shape[2] // 2
    rows = [
        {"shown": place - most, "challenges": games, **interval_row(interval)}
        for place, games, interval in _won_by_class(counted, level, deals)
    ]
    return frame(rows, ("shown", "challenges", *INTERVAL_COLUMNS))


def stacks_frame(counted: NDArray[np.int64], level: float, deals: Deals = UNKNOWN) -> pd.DataFrame:
    """The frame `stacks` of this module.

    counted: (replicates, slots, kinds of stacks, 2). deals: as in `margins_frame`.
    """
    rows = [
        {
            "cards": place // 2,
            "face": "up" if place % 2 else "down",
            "challenges": games,
            **interval_row(interval),
        }
        for place, games, interval in _won_by_class(counted, level, deals)
    ]
    return frame(rows, ("cards", "face", "challenges", *INTERVAL_COLUMNS))


def outcomes_frame(sums: FieldSums, labels: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `outcomes` of this module. labels: the strategy of each slot."""
    slots_of: dict[str, list[int]] = {}
    for slot, name in enumerate(labels):
        slots_of.setdefault(name, []).append(slot)
    groups: list[tuple[str | None, list[int]]] = [(None, list(range(len(labels))))]
    groups += slots_of.items() if len(slots_of) > 1 else ()
    rows = []
    for label, slots in groups:
        for quantity, unit, interval in _outcomes(sums, slots, level):
            keys = {"strategy": label, "quantity": quantity, "unit": unit}
            rows.append({**keys, **interval_row(interval)})
    found = frame(rows, ("strategy", "quantity", "unit", *INTERVAL_COLUMNS))
    return found.astype({"strategy": "str"})


def _outcomes(
    sums: FieldSums, slots: Sequence[int], level: float
) -> list[tuple[str, str, Interval]]:
    table = sums.margins[:, slots].sum(axis=1)
    every, zero = table.sum(axis=1), table.shape[1] // 2
    worth = Deals.of(sums, slots).worth(int(every.sum()))

    def within(ends: tuple[int, int]) -> Interval:
        some = table[:, zero + ends[0] : zero + ends[1] + 1].sum(axis=1)
        return replicate_share(some, every, level, deals=worth)

    def some(name: str) -> dict[Column, int]:
        return {Column(0, name, slot=slot): 1 for slot in slots}

    faced, won = some("challenges"), some("victories")
    lost = {**faced, **dict.fromkeys(won, -1)}
    of = "share of challenges"
    blocks = sums.blocks
    return [
        ("won", of, blocks.share(won, faced, level)),
        ("narrowly_won", of, within(NARROW_WIN)),
        ("narrowly_lost", of, within(NARROW_LOSS)),
        ("challenges", "challenges", blocks.estimate(faced, None, level, bounds=POSITIVE)),
        ("moved_back", "squares", blocks.estimate(some("moved_back"), lost, level)),
    ]


def blocking_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `blocking` of this module. sums: of `blocking_columns`."""
    seats = range(1, players + 1)

    def wins(columns: Sequence[Column], against: Sequence[int] | int) -> Effect:
        return paired_effect(
            sums,
            columns,
            level,
            scale=WIN_UNIT,
            bounds=DIFFERENCE,
            together=3,
            against=against,
        )

    builder = wins([Column(_only(seat), "win", seat=seat) for seat in seats], NOBODY)
    others = [
        Column(_only(seat), "win", seat=other) for seat in seats for other in seats if other != seat
    ]
    blocked = wins(others, NOBODY)
    denied = wins([Column(_alone(seat, players), "win", seat=seat) for seat in seats], AS_IS)
    win = "share of games"
    rows = [
        {"quantity": "builder", "unit": win, **effect_row(builder)},
        {"quantity": "blocked", "unit": win, **worth_row(blocked)},
        {"quantity": "all_build", "unit": win, **worth_row(denied)},
    ]
    for name, (table, unit) in _CHANGES.items():
        effect = paired_effect(
            sums,
            [Column(NOBODY, name, table)],
            level,
            bounds=DIFFERENCE if unit == win else (-math.inf, math.inf),
            side_bounds=NOT_BELOW_0,
        )
        # changed by building: as it is; without: where nobody builds
        rows.append({"quantity": name, "unit": unit, **with_row(effect)})
    return frame(rows, ("quantity", "unit", *EFFECT_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    rotations, players = setting.rotations, setting.players

    def field(chunks: tuple[Chunk, ...]) -> FieldSums:
        return field_sums(chunks[0], rotations)

    groups = [Group(FIELD, (Play("as it is"),), field)]
    if players > 1:
        columns = blocking_columns(players)

        def blocking(chunks: tuple[Chunk, ...]) -> BlockSums:
            return BlockSums.of(chunks, columns, rotations)

        groups.append(Group(BLOCKING, blocking_plays(players), blocking, BLOCKING_SHARE))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: FieldSums = sums[FIELD]
    level, deals = setting.level, Deals.of(found, range(setting.players))
    frames = {
        "margins": margins_frame(found.margins, level, deals),
        "outcomes": outcomes_frame(found, setting.seats, level),
    }
    sentences = [won_sentence(frames["outcomes"])]
    if SHOWN in found.counted:
        frames["shown"] = shown_frame(found.counted[SHOWN], level, deals)
        sentences.append(shown_sentence(frames["shown"]))
    if STACKS in found.counted:
        frames["stacks"] = stacks_frame(found.counted[STACKS], level, deals)
        sentences.append(stacks_sentence(frames["stacks"]))
    if BLOCKING in sums:
        frames["blocking"] = blocking_frame(sums[BLOCKING], setting.players, level)
        sentences += [
            blocking_sentence(frames["blocking"]),
            slower_sentence(frames["blocking"]),
        ]
    sentences.append(strategies_sentence(frames["outcomes"]))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def _rows(found: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {row["quantity"]: row for row in found.to_dict("records")}


def won_sentence(outcomes: pd.DataFrame) -> str:
    """How often challenges are won, and how narrowly."""
    rows = _rows(outcomes[outcomes["strategy"].isna()])
    if math.isnan(rows["won"]["estimate"]):
        return "Nobody faced a challenge."
    text = (
        f"Players win {words.shown(rows['won'])} of the "
        f"{words.amount(rows['challenges'], 'challenges')} that each faces in a game; "
        f"{words.shown(rows['narrowly_won'])} are won with at most a point to spare, "
        f"{words.shown(rows['narrowly_lost'])} lost by one or two"
    )
    if math.isnan(rows["moved_back"]["estimate"]):
        return f"{text}."
    return f"{text}. A defeat moves back {words.amount(rows['moved_back'], 'squares')}."


def shown_sentence(shown: pd.DataFrame) -> str:
    """How far what is seen before the reveal foretells the result."""
    rows = {row["shown"]: row for row in shown.to_dict("records")}
    parts = []
    for points, text in (
        (-2, "two short"),
        (0, "just what the fronts let expect"),
        (2, "two to spare"),
    ):
        if points in rows:
            parts.append(f"with {text} {words.shown(rows[points])}")
    return f"Of challenges taken on are won: {words.listed(parts)}." if parts else ""


def stacks_sentence(stacks: pd.DataFrame) -> str:
    """Which stacks are overcome how often, as far as they were face down."""
    rows = stacks[stacks["face"] == "down"].to_dict("records")
    named = {0: "a location alone", 1: "with a creature"}
    parts = [
        f"{named.get(row['cards']) or 'with {cards} cards'.format(**row)} {words.shown(row)}"
        for row in rows
    ]
    return f"By what lies in the stack, face down: {words.listed(parts)}." if parts else ""


def blocking_sentence(blocking: pd.DataFrame) -> str:
    """What building brings to the builder and costs the others, in win probability."""
    rows = _rows(blocking)
    builder, blocked, every = (rows[name] for name in ("builder", "blocked", "all_build"))
    if builder["high"] < 0:
        first = (
            f"Building stacks does not pay as these players do it: the only one who builds loses "
            f"{words.gain(turned(builder))} of win probability against one who cannot"
        )
    elif builder["low"] > 0:
        first = (
            f"The only player who builds stacks gains {words.gain(builder)} of win probability, "
            f"and each of the blocked loses {words.gain(blocked)}"
        )
    else:
        first = (
            "Whether the only player who builds stacks gains by it is undecided "
            f"({words.gain(builder)} of win probability)"
        )
    return (
        f"{first}; where all others build, one who alone may not "
        f"{'loses' if every['estimate'] >= 0 else 'gains'} "
        f"{words.gain(every if every['estimate'] >= 0 else turned(every))}."
    )


def slower_sentence(blocking: pd.DataFrame) -> str:
    """What building does to the length of the game."""
    rows = _rows(blocking)
    turns, back, capped = (rows[name] for name in ("turns", "moved_back", "capped"))
    way = "lengthen" if turns["estimate"] >= 0 else "shorten"
    shown = turns if turns["estimate"] >= 0 else turned(turns)
    return (
        f"Stacks {way} the game by {words.amount(shown, 'turns')} a player "
        f"({words.amount(turns, side='without')} where nobody builds), move each player back by "
        f"{words.amount(back, 'squares')} a game, and stop "
        f"{words.gain(capped)} of games at the cap."
    )


def strategies_sentence(outcomes: pd.DataFrame) -> str:
    """How often each strategy wins its challenges."""
    rows = outcomes[outcomes["strategy"].notna() & (outcomes["quantity"] == "won")]
    parts = [f"{row['strategy']} {words.shown(row)}" for row in rows.to_dict("records")]
    return f"Challenges won by strategy: {words.listed(parts)}." if parts else ""


QUESTION = Question("challenges", TITLE, TEXT, _groups, _answer, games=("dobbers",))
