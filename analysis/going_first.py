"""Going first in Near and Far: what makes it good, and what would even it out.

The game is played as it is and with one thing changed for everybody, or with goods for those who
play later, always on the same deals; seat 1 begins. Where the lineup does not rotate, the strategy
of its first seat sits in all seats. Frames, every estimate with low, high, level, n and method:

rates: play; kind ("as it is", "driver", "rule", "goods"); seat; estimate: win rate. The seats of
    a play hold together.
gaps: one row per play. play; kind; estimate: win rate of seat 1 minus that of the last seat; low,
    high; change, change_low, change_high: against the game as it is (paired; all plays of a kind
    hold together); spread, spread_low, spread_high: largest less smallest win rate.
sources: where seat 1 has more points than the last seat. source ("score" is the total); seat_1,
    last (points), each with _low, _high, _n, _method; estimate: the difference; void: the gap of
    win rates if the source counted for nobody, the play as it was; void_low, void_high. The
    differences of the sources hold together, and so do the gaps and the points of each seat.
picked: the play with goods, or another rule, whose seats are nearest to each other, chosen on deals
    with even numbers and measured on those with odd numbers, so that luck that helped to choose is
    not counted again. play; seat; estimate: win rate, the seats hold together.

Drivers are things that all players leave alone ("nobody goes for threats"): if the gap shrinks, its
advantage came by this. Goods are given in steps: with "1 gem a place" the second player gets one,
the third two, the fourth three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.derived import with_fields
from analysis.habits import find_habit
from analysis.intervals import DIFFERENCE, Interval, clustered_share, simultaneous_level, spread
from analysis.paired import (
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    relabelled,
    rows_where,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.rescoring import wins_of
from analysis.score_sources import NAMES, SCORE, SOURCES, Scoring
from analysis.seats import lineup_of
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.near_and_far.state import Status
from sim.wording import counted

TITLE = "Going first"
TEXT = "What makes it good to play first, and what would even it out?"
SHARE_OF_GAMES = 0.5
START = "switches.start_order"
AS_IT_IS, DRIVER, RULE, GOODS = "as it is", "driver", "rule", "goods"
# what all players leave alone: name, weight set to 0
DRIVERS = {
    "nobody goes for threats": "threat",
    "nobody goes for quests": "quest",
    "nobody recruits on purpose": "recruit",
}
RULES: dict[str, dict[str, Any]] = {
    "the last camp ends it": {"switches.end_trigger": "camps"},
    "rounds are not finished": {"switches.finish_round": False},
    "8 adventurers to choose from": {"setup.track": 8},
    "everything scores": {"switches.scoring": "full"},
}
LADDERS = {"coin": (1,), "food": (1, 2), "gem": (1, 2, 3)}


# ------------------------------------------------------------------------------------ the plays


@dataclass(frozen=True)
class Way:
    """A way to play: as it is, without something, by another rule, with goods for later seats."""

    kind: str
    play: Play


def ladder(good: str, step: int, players: int) -> list[dict[str, int]]:
    """Goods for each seat: a step more for each place behind the first."""
    return [{good: step * seat} if seat else {} for seat in range(players)]


def ways_of(setting: Setting) -> tuple[Way, ...]:
    """All ways, the game as it is first; rules that are so already are left out."""
    seats, players = lineup_of(setting), setting.players
    values = {entry.key: entry.value for entry in setting.rules.entries}
    begin = {} if values[START] == "seat_1" else {START: "seat_1"}
    ways = [Way(AS_IT_IS, Play(AS_IT_IS, seats=seats, patches=begin))]
    for name, weight in DRIVERS.items():
        without = tuple(_without(setting, spec, weight) for spec in seats)
        if without != seats:
            ways.append(Way(DRIVER, Play(name, seats=without, patches=begin)))
    for name, patches in RULES.items():
        if any(values[key] != value for key, value in patches.items()):
            ways.append(Way(RULE, Play(name, seats=seats, patches=begin | patches)))
    for good, steps in LADDERS.items():
        for step in steps:
            start = {"start_goods": ladder(good, step, players)}
            name = f"{step} {good if step == 1 or good == 'food' else f'{good}s'} a place"
            ways.append(Way(GOODS, Play(name, seats=seats, patches=begin, handicaps=start)))
    return tuple(ways)


def _without(setting: Setting, spec: str, weight: str) -> str:
    """The strategy with a weight of nothing, or as it is if it has no such weight."""
    habit = find_habit(replace(setting, seats=(spec,)), weight)
    return spec if habit is None else habit.with_value(0)


def seat_columns(ways: int, players: int) -> list[Column]:
    """What is summed of the plays."""
    return [Column(play, "win", seat=s) for play in range(ways) for s in range(1, players + 1)]


def by_source(chunk: Chunk, scoring: Scoring) -> Chunk:
    """The chunk with points by source, and who would win if a source counted for nobody."""
    seats, games = chunk.seats, chunk.games
    score = seats[SCORE].astype(np.int64)
    fields: dict[str, NDArray[Any]] = {SCORE: score}
    for source in SOURCES:
        points = seats[f"points_{source}"].astype(np.int64)
        fields[source] = points
        fields[f"{source} void"] = wins_of(
            score - points,
            games["status"] == Status.WON,
            shared=scoring.shared,
            first=games["start_seat"],
        )
    return with_fields(chunk, fields)


def source_columns(players: int) -> list[Column]:
    """What is summed of `by_source`: the first and the last seat."""
    names = [SCORE, *SOURCES, *(f"{source} void" for source in SOURCES)]
    return [Column(0, name, seat=seat) for name in names for seat in (1, players)]


@dataclass(frozen=True)
class FirstSums:
    """Sums: wins on even and on odd deals, points by source of the game as it is."""

    even: BlockSums
    odd: BlockSums
    sources: BlockSums

    def __add__(self, other: FirstSums) -> FirstSums:
        return FirstSums(self.even + other.even, self.odd + other.odd, self.sources + other.sources)

    @property
    def whole(self) -> BlockSums:
        """Wins on all deals."""
        return self.even + self.odd


def first_sums(chunks: Sequence[Chunk], rotations: int, scoring: Scoring) -> FirstSums:
    """Sum chunks of the plays of `ways_of`."""
    players = chunks[0].seats.shape[1]
    columns = seat_columns(len(chunks), players)
    return FirstSums(
        BlockSums.of(chunks, columns, rotations, (0, 2)),
        BlockSums.of(chunks, columns, rotations, (1, 2)),
        BlockSums.of([by_source(chunks[0], scoring)], source_columns(players), rotations),
    )


# ------------------------------------------------------------------------------------ the frames


def _rates(sums: BlockSums, play: int, players: int, level: float) -> list[Interval]:
    """Win rates of the seats, each at the level it needs for all to hold together."""
    own = simultaneous_level(level, players)
    return [
        clustered_share(sums.cluster({Column(play, "win", seat=s): 1}), own, scale=WIN_UNIT)
        for s in range(1, players + 1)
    ]


def _rate_rows(sums: BlockSums, play: int, players: int, level: float) -> list[dict[str, Any]]:
    return [
        {"seat": seat, **interval_row(relabelled(interval, level, players))}
        for seat, interval in enumerate(_rates(sums, play, players, level), start=1)
    ]


def rates_frame(sums: BlockSums, ways: Sequence[Way], players: int, level: float) -> pd.DataFrame:
    """The frame `rates` of this module. sums: of `seat_columns`."""
    rows = [
        {"play": way.play.name, "kind": way.kind, **row}
        for play, way in enumerate(ways)
        for row in _rate_rows(sums, play, players, level)
    ]
    return frame(rows, ("play", "kind", "seat", *INTERVAL_COLUMNS))


def gaps_frame(sums: BlockSums, ways: Sequence[Way], players: int, level: float) -> pd.DataFrame:
    """The frame `gaps` of this module. sums: of `seat_columns`."""
    rows = []
    for play, way in enumerate(ways):
        gap = {Column(play, "win", seat=1): 1, Column(play, "win", seat=players): -1}
        interval = sums.estimate(gap, level=level, scale=WIN_UNIT, bounds=DIFFERENCE)
        change = Interval(0.0, 0.0, 0.0, level, sums.blocks, "the game itself")
        if play:
            before = {Column(0, "win", seat=1): -1, Column(0, "win", seat=players): 1}
            together = sum(other.kind == way.kind for other in ways)
            change = sums.estimate(
                gap | before,  # two of the four weights are positive: half a row too many
                level=level,
                scale=WIN_UNIT / 2,
                bounds=(-2.0, 2.0),
                together=together,
            )
        apart = spread(_rates(sums, play, players, level), level)
        rows.append(
            {
                "play": way.play.name,
                "kind": way.kind,
                **interval_row(interval),
                "change": change.estimate,
                "change_low": change.low,
                "change_high": change.high,
                "spread": apart.estimate,
                "spread_low": apart.low,
                "spread_high": apart.high,
            }
        )
    ends = [f"{name}{end}" for name in ("change", "spread") for end in ("", "_low", "_high")]
    return frame(rows, ("play", "kind", *INTERVAL_COLUMNS, *ends))


def sources_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `sources` of this module. sums: of `source_columns`."""

    def gap(name: str) -> dict[Column, int]:
        return {Column(0, name, seat=1): 1, Column(0, name, seat=players): -1}

    seen = [s for s in SOURCES if any(sums.cluster({c: 1}).num2 for c in gap(s))]
    rows = []
    for source in (SCORE, *seen):
        together = 1 if source == SCORE else len(seen)
        interval = sums.estimate(gap(source), level=level, together=together)
        row = {"source": source, **interval_row(interval)}
        for name, column in zip(("seat_1", "last"), gap(source), strict=True):
            row |= side_row(name, sums.estimate({column: 1}, level=level, together=together))
        if source != SCORE:
            void = sums.estimate(
                gap(f"{source} void"),
                level=level,
                scale=WIN_UNIT,
                bounds=DIFFERENCE,
                together=together,
            )
            row |= {"void": void.estimate, "void_low": void.low, "void_high": void.high}
        rows.append(row)
    ends = ("void", "void_low", "void_high")
    seats = (*side_columns("seat_1"), *side_columns("last"))
    return frame(rows, ("source", *seats, *INTERVAL_COLUMNS, *ends))


def picked_frame(sums: FirstSums, ways: Sequence[Way], players: int, level: float) -> pd.DataFrame:
    """The frame `picked` of this module: chosen on even deals, measured on odd ones."""
    chosen = [p for p, way in enumerate(ways) if way.kind in (RULE, GOODS)]

    def apart(play: int) -> float:
        if not sums.even.blocks:
            return 0.0
        return spread(_rates(sums.even, play, players, level), level).estimate

    best = min(chosen, key=apart)
    rows = [
        {"play": ways[best].play.name, **row} for row in _rate_rows(sums.odd, best, players, level)
    ]
    return frame(rows, ("play", "seat", *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    ways, scoring = ways_of(setting), Scoring.of(setting)

    def reduce(chunks: tuple[Chunk, ...]) -> FirstSums:
        return first_sums(chunks, setting.rotations, scoring)

    return [Group("ways", tuple(way.play for way in ways), reduce, SHARE_OF_GAMES)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: FirstSums = sums["ways"]
    ways, players, level = ways_of(setting), setting.players, setting.level
    frames = {
        "rates": rates_frame(found.whole, ways, players, level),
        "gaps": gaps_frame(found.whole, ways, players, level),
        "sources": sources_frame(found.sources, players, level),
        "picked": picked_frame(found, ways, players, level),
    }
    sentences = (
        gap_sentence(frames["gaps"], players, drivers_sentence(frames["gaps"])),
        remedies_sentence(frames["gaps"], frames["picked"]),
        sources_sentence(frames["sources"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def _points(row: Mapping[str, Any], name: str = "estimate") -> str:
    ends = ("low", "high") if name == "estimate" else (f"{name}_low", f"{name}_high")
    return words.points(row[name], row[ends[0]], row[ends[1]])


def gap_sentence(gaps: pd.DataFrame, players: int, drivers: str) -> str:
    """How much more the first seat wins than the last, and what that comes by."""
    row = rows_where(gaps, kind=AS_IT_IS)[0]
    return (
        f"Whoever plays first wins {_points(row)} more than whoever plays "
        f"{words.ORDINALS[players - 1]}; the seats are {_points(row, 'spread')} apart{drivers}."
    )


def sources_sentence(sources: pd.DataFrame) -> str:
    """Where the first seat's points come from."""
    every = rows_where(sources, source=SCORE)[0]
    ranked = sorted(
        (row for row in rows_where(sources) if row["source"] != SCORE), key=lambda r: -r["estimate"]
    )
    parts = [
        f"{NAMES[row['source']]} {words.number(row['estimate'], row['low'], row['high'])} (were "
        f"they to count for nobody, the gap would be {_points(row, 'void')})"
        for row in ranked[:2]
    ]
    more = words.number(every["estimate"], every["low"], every["high"], "points")
    return f"The first seat has {more} more than the last, most from {words.listed(parts)}."


def drivers_sentence(gaps: pd.DataFrame) -> str:
    """How the gap shrinks where everybody leaves something alone; the end of a sentence."""
    rows = sorted(rows_where(gaps, kind=DRIVER), key=lambda row: row["change"])
    parts = [f"by {_points(row, 'change')} where {row['play']}" for row in rows]
    return f"; the gap between first and last changes {words.listed(parts)}" if parts else ""


def remedies_sentence(gaps: pd.DataFrame, picked: pd.DataFrame) -> str:
    """What evens it out best, on fresh deals."""
    rules = rows_where(gaps, kind=RULE)
    helped = sorted((r for r in rules if r["change_high"] < 0), key=lambda row: row["change"])
    text = ""
    if helped:
        parts = [f"{row['play']!r} by {_points(row, 'change')}" for row in helped]
        text = f"Of other rules these narrow it: {words.listed(parts)}. "
    elif rules:
        names = [repr(row["play"]) for row in rules]
        text = (
            f"The other rule, {names[0]}, is not shown to narrow it. "
            if len(names) == 1
            else f"None of {counted(len(names), 'other rule')} ({words.listed(names)}) is shown to "
            "narrow it. "
        )
    row = picked.iloc[0]
    shares = [
        f"{words.share(r['estimate'], r['low'], r['high'])}" for r in picked.to_dict("records")
    ]
    return (
        f"{text}Nearest to fair is {row['play']!r}, chosen on one half of the deals: on the other "
        f"the seats win {words.listed(shares)}."
    )


QUESTION = Question(
    "going_first", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
