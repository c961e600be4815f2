"""Measures: one figure of one group of rows, and its block values in the rows of a play.

A measure is a metric of the game for one seat, one strategy, or the rows whose fields have certain
values ("the win rate of wizard 7"), and a statistic of it: the mean, or a quantile. Studies name
them in `[[check]]` tables; comparisons take all that a game has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from analysis.moments import is_share, metrics_of
from sim.errors import UserError, choices, nearest
from sim.game import Game, Metric
from sim.wording import counted

MEAN = "mean"
_QUANTILE = re.compile(r"q(\d{2})")


@dataclass(frozen=True)
class Measure:
    """One figure: a metric in a group, and which statistic of it.

    seat: from 1; strategy: a label of the lineup; fields: further fields of the seat's row and the
    value each must have. statistic: "mean", or "q05", "q50", ... for a quantile.
    """

    metric: Metric
    seat: int | None = None
    strategy: str | None = None
    fields: tuple[tuple[str, int], ...] = ()
    statistic: str = MEAN

    @property
    def quantile(self) -> float | None:
        """The p of a quantile, None for a mean."""
        found = _QUANTILE.fullmatch(self.statistic)
        return None if found is None else int(found[1]) / 100

    @property
    def is_share(self) -> bool:
        """Whether the figure lies in [0, 1], block by block."""
        return is_share(self.metric) and self.metric.per is None and self.quantile is None

    @property
    def keys(self) -> dict[str, int | str]:
        """What the figure is grouped by, for rows of tables: seat, strategy, fields, statistic."""
        found: dict[str, int | str] = {}
        if self.seat is not None:
            found["seat"] = self.seat
        if self.strategy is not None:
            found["strategy"] = self.strategy
        found.update(self.fields)
        if "quantiles" in self.metric.statistics or self.quantile is not None:
            found["statistic"] = self.statistic
        return found

    @property
    def name(self) -> str:
        """The figure in a few words, e.g. "win_rate of seat 1"."""
        words = self.metric.name
        if self.quantile is not None:
            words += f" {self.statistic}"
        parts = [f"seat {self.seat}"] if self.seat is not None else []
        parts += [self.strategy] if self.strategy is not None else []
        parts += [f"{field} {value}" for field, value in self.fields]
        return f"{words} of {', '.join(parts)}" if parts else words


def find_measure(
    game: Game,
    metric: str,
    where: Mapping[str, int | str],
    labels: Sequence[str],
    statistic: str = MEAN,
) -> Measure:
    """Return the measure that a study or an option names.

    where: "seat", "strategy", or a field of the seat rows, and its value. labels: the lineup's
    strategies, seat 1 first. Raises UserError for what the game or the lineup does not have.
    """
    known = {one.name: one for one in metrics_of(game, len(labels))}
    if metric not in known:
        raise UserError(
            f"unknown metric {metric!r}{nearest(metric, known)}; known metrics: {choices(known)}"
        )
    found = Measure(known[metric], statistic=statistic)
    if statistic != MEAN and found.quantile is None:
        raise UserError(
            f"unknown statistic {statistic!r}; it is mean, or a quantile from q01 to q99"
        )
    if found.quantile is not None and "quantiles" not in known[metric].statistics:
        with_quantiles = [one.name for one in known.values() if "quantiles" in one.statistics]
        raise UserError(f"{metric} has no quantiles; those that have: {choices(with_quantiles)}")
    if found.quantile == 0:
        raise UserError("a quantile is from q01 to q99")
    rows = game.seat_row.names or ()
    if where and known[metric].table == "game":
        raise UserError(f"{metric} is a figure of whole games; it has no {choices(list(where))}")
    for key, value in where.items():
        if key == "seat":
            if not isinstance(value, int) or not 1 <= value <= len(labels):
                raise UserError(f"seat must be from 1 to {len(labels)}, not {value!r}")
            found = replace(found, seat=value)
        elif key == "strategy":
            if value not in labels:
                near = nearest(str(value), labels)
                names = choices(list(dict.fromkeys(labels)))
                raise UserError(f"no strategy {value!r}{near} in the lineup; it has {names}")
            found = replace(found, strategy=str(value))
        elif key not in rows:
            fields = ["seat", "strategy", *rows]
            raise UserError(
                f"unknown group {key!r}{nearest(key, fields)}; known: {choices(fields)}"
            )
        elif not isinstance(value, int):
            raise UserError(f"{key} must be a whole number, not {value!r}")
        else:
            found = replace(found, fields=(*found.fields, (key, value)))
    return found


def all_measures(metrics: Sequence[Metric], labels: Sequence[str]) -> list[Measure]:
    """Return the means of metrics in all the groups that they are grouped by."""
    found = []
    for metric in metrics:
        for by in metric.by:
            seats = range(1, len(labels) + 1) if "seat" in by else [None]
            names = dict.fromkeys(labels) if "strategy" in by else [None]
            found += [Measure(metric, seat, name) for seat in seats for name in names]
    return found


@dataclass(frozen=True, eq=False)
class BlockValues:
    """A measure's sums of every block: num and den, (blocks,) int64; the figure is num / den.

    den is None where every block has the same number of rows, `rows`.
    """

    num: NDArray[np.int64]
    den: NDArray[np.int64] | None
    rows: int


def rows_of(measure: Measure, games: NDArray, seats: NDArray) -> NDArray:
    """Return the table that a measure is read from: (games,) or (games, players)."""
    return games if measure.metric.table == "game" else seats


def block_values(
    measure: Measure, games: NDArray, seats: NDArray, *, rotations: int, labels: tuple[str, ...]
) -> BlockValues:
    """Sum a measure over each block of a chunk of whole blocks.

    games (n,), seats (n, players): rows, seat s of rotation r played by slot (s + r) % players.
    Raises ValueError where the chunk is not whole blocks.
    """
    if len(games) % rotations:
        raise ValueError(f"{counted(len(games), 'game')}: not whole blocks of {rotations}")
    metric = measure.metric
    table = rows_of(measure, games, seats)
    columns = _columns(metric.table, measure.seat, measure.strategy, rotations, labels)

    def read(field: str) -> NDArray[np.int64]:
        values = table[field].reshape(len(games) // rotations, -1)
        return (values if columns is None else values[:, columns]).astype(np.int64)

    value = read(metric.value)
    chosen = None
    for field, wanted in measure.fields:
        match = read(field) == wanted
        chosen = match if chosen is None else chosen & match
    rows = value.shape[1]
    if chosen is not None:
        value = value * chosen
    num = value.sum(axis=1)
    if metric.per is not None:
        per = read(metric.per)
        return BlockValues(num, (per if chosen is None else per * chosen).sum(axis=1), rows)
    return BlockValues(num, None if chosen is None else chosen.sum(axis=1), rows)


@lru_cache(maxsize=1024)
def _columns(
    table: str, seat: int | None, strategy: str | None, rotations: int, labels: tuple[str, ...]
) -> tuple[int, ...] | None:
    """Return the columns of a block (rotation by seat) that a group has; None for all."""
    if table == "game" or (seat is None and strategy is None):
        return None
    players = len(labels)
    return tuple(
        r * players + s
        for r in range(rotations)
        for s in range(players)
        if seat in (None, s + 1) and strategy in (None, labels[(s + r) % players])
    )


# --------------------------------------------------------------------------------- quantiles


@dataclass(frozen=True, eq=False)
class RankCounts:
    """How often the j-th smallest row of a block had each value: state of quantiles, additive.

    counts: (rows of a block, values) from `first` on. A block has at least j rows up to x exactly
    where its j-th smallest is at most x, so the counts give the distribution of the share of a
    block's rows up to x, for every x.
    """

    first: int
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> RankCounts:
        """Counts of rows (blocks, rows)."""
        ranked = np.sort(values, axis=1)
        first = int(ranked.min(initial=0))
        span = int(ranked.max(initial=0)) - first + 1
        counts = [np.bincount(column - first, minlength=span) for column in ranked.T]
        return cls(first, np.array(counts, dtype=np.int64).reshape(values.shape[1], span))

    def __add__(self, other: RankCounts) -> RankCounts:
        first = min(self.first, other.first)
        end = max(self.first + self.counts.shape[1], other.first + other.counts.shape[1])
        table = np.zeros((len(self.counts), end - first), dtype=np.int64)
        for part in (self, other):
            start = part.first - first
            table[:, start : start + part.counts.shape[1]] += part.counts
        return RankCounts(first, table)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RankCounts)
            and self.first == other.first
            and np.array_equal(self.counts, other.counts)
        )

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return int(self.counts[0].sum())

    @property
    def values(self) -> NDArray[np.int64]:
        """The values that rows had, from the smallest to the largest."""
        return self.first + np.arange(self.counts.shape[1])

    def shares_below(self, x: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the distinct shares of a block's rows that are at most x, and their counts."""
        rows = len(self.counts)
        upto = self.counts[:, self.values <= x].sum(axis=1)  # blocks with at least j rows <= x
        at_least = np.concatenate(([self.blocks], upto, [0]))
        return np.arange(rows + 1) / rows, at_least[:-1] - at_least[1:]

    def quantile(self, p: float) -> float:
        """Return the least value that at least a share p of all rows does not exceed."""
        total = np.cumsum(self.counts.sum(axis=0))
        if not len(total) or not total[-1]:
            return math.nan
        return float(self.values[np.searchsorted(total, p * total[-1] * (1 - 1e-12))])


def rank_counts(
    measure: Measure, games: NDArray, seats: NDArray, *, rotations: int, labels: tuple[str, ...]
) -> RankCounts:
    """Count the ranks of a measure's values within each block.

    Raises ValueError where groups are chosen by fields, whose rows differ from block to block.
    """
    if measure.fields:
        raise ValueError("quantiles of rows that fields choose have blocks of different sizes")
    table = rows_of(measure, games, seats)
    columns = _columns(measure.metric.table, measure.seat, measure.strategy, rotations, labels)
    values = table[measure.metric.value].reshape(len(games) // rotations, -1)
    return RankCounts.of((values if columns is None else values[:, columns]).astype(np.int64))
