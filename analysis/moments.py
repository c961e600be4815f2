"""Additive summaries of game rows: what is kept of a million games, and the estimates from it.

A chunk of rows becomes whole-number sums per block, and sums of chunks are sums of sums: results
do not depend on how the games were cut into chunks or in which order these arrived, and memory does
not grow with the number of games. A block is one deal under all rotations of the seats: `rotations`
games in a row, 1 where seats do not rotate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.intervals import (
    SHARE,
    UNBOUNDED,
    Bounds,
    ClusterSums,
    Interval,
    block_quantile,
    clustered_ratio,
    clustered_share,
    histogram_quantile,
    rate,
    standard_deviation,
)
from sim.game import WIN_UNIT, Game, Metric
from sim.wording import counted

if TYPE_CHECKING:  # imported where a frame is made: it takes longer than a thousand games
    import pandas as pd

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
COLUMNS = (
    *("metric", "unit", "statistic", "seat", "strategy"),
    *("estimate", "low", "high", "level", "n", "method"),
)
_EXACT = 2.0**53  # whole numbers below it are exact in float64, in any order of addition
_BUFFER = 2**16  # numbers worked on at a time: they stay in the cache, and memory stays flat
# Above these OpenBLAS starts threads of its own, which wait for the threads that play:
_WORK = 2**18  # multiplications in one matrix product
_LONGEST = 8192  # numbers in one scalar product
_WIDEST = 2**20  # values from smallest to largest that a histogram may span
_NUM, _NUM2, _DEN, _DEN2, _NUMDEN, _SQ, _SQ2, _CROSS = range(8)


def is_share(metric: Metric) -> bool:
    """Whether a metric lies in [0, 1]: wins in twelfths, and what has a unit "share (of ...)"."""
    return metric.scale == WIN_UNIT or metric.unit.split(" ")[0] == "share"


def metrics_of(game: Game, players: int, together: bool | None = None) -> tuple[Metric, ...]:
    """A game's metrics that make sense for so many players; a team's own come first.

    The words of a game may name, in AMONG_SEVERAL, those that one player alone never has: a change
    of the lead is always 0 then, and a figure that cannot vary has no interval. In AMONG_RIVALS are
    those that players who win together have no use for (each seat wins as often as the others), in
    OF_A_TEAM those that only such players have. together: whether they win together; None for all.
    """
    several, rivals, team = (
        getattr(game.describe, name, ()) for name in ("AMONG_SEVERAL", "AMONG_RIVALS", "OF_A_TEAM")
    )
    known = [m for m in game.metrics if players > 1 or m.name not in several]
    if together is None:
        return tuple(known)
    if not together:
        return tuple(m for m in known if m.name not in team)
    own = [m for m in known if m.name in team]
    return (*own, *(m for m in known if m.name not in team and m.name not in rivals))


def headline_of(game: Game, together: bool) -> str:
    """The metric that says who wins: the first that makes sense, where there is no win rate."""
    known = [m.name for m in metrics_of(game, game.max_players, together)]
    return "win_rate" if "win_rate" in known else known[0]


def block_sums(values: ArrayLike, rotations: int) -> NDArray[np.int64]:
    """Sum over the games of each block: (games, ...) whole numbers to (games / rotations, ...).

    Raises ValueError where the games are not whole blocks.
    """
    v = np.asarray(values)
    if rotations < 1 or len(v) % rotations:
        raise ValueError(f"{counted(len(v), 'game')}: not whole blocks of {rotations}")
    return v.reshape(len(v) // rotations, rotations, *v.shape[1:]).sum(axis=1, dtype=np.int64)


def _dot(
    a: NDArray[np.float64], b: NDArray[np.float64], largest: float
) -> NDArray[np.int64] | NDArray[np.object_]:
    """Exact sums of a * b over the last axis; |a * b| is at most `largest`.

    a, b: (..., n) whole numbers. Float arithmetic where it is exact, else int64, else Python ints.
    """
    if largest * a.shape[-1] < _EXACT:
        return np.vecdot(a, b).astype(np.int64)
    x, y = a.astype(np.int64), b.astype(np.int64)
    if largest * a.shape[-1] < 2.0**62:
        return np.vecdot(x, y)
    return (x.astype(object) * y.astype(object)).sum(axis=-1)


# ------------------------------------------------------------------------------------- the plan


@dataclass(frozen=True)
class _Cell:
    """One metric in one group: its place among the sums, its rows in every block."""

    metric: Metric
    seat: int | None  # 1-based
    strategy: str | None
    rows: int  # rows of the group in a block


@dataclass(frozen=True, eq=False)
class _Panel:
    """What is computed from one table. Columns of a block are (rotation, seat), or rotation.

    selection: (groups, columns) 0/1, the columns that a group sums. fields: those to read; the
    rows from len(fields) on are squares of the fields numbered in `squared`. For every cell of the
    panel: its place in `Moments.table`, its group, its rows of value, per, square (-1: none).
    """

    table: str
    selection: NDArray[np.float64]
    fields: tuple[str, ...]
    squared: tuple[int, ...]
    place: NDArray[np.intp]
    group: NDArray[np.intp]
    value: NDArray[np.intp]
    per: NDArray[np.intp]
    square: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Plan:
    cells: tuple[_Cell, ...]
    panels: tuple[_Panel, ...]


def _check(metric: Metric) -> None:
    """Raise ValueError where a metric asks for what cannot be computed."""
    name = metric.name
    if metric.table not in ("game", "seat"):
        raise ValueError(f"metric {name}: unknown table {metric.table!r}")
    for by in metric.by:
        if not set(by) <= {"seat", "strategy"} or len(set(by)) != len(by):
            raise ValueError(f"metric {name}: cannot group by {by}")
        if by and metric.table == "game":
            raise ValueError(f"metric {name}: rows of games have no {' and '.join(by)}")
    if not set(metric.statistics) <= {"mean", "sd", "quantiles"}:
        raise ValueError(f"metric {name}: unknown statistic in {metric.statistics}")
    if metric.per is not None and set(metric.statistics) - {"mean"}:
        raise ValueError(f"metric {name}: a ratio has a mean only")
    if metric.scale < 1:
        raise ValueError(f"metric {name}: scale must be at least 1")


def _groups(
    by: tuple[str, ...], table: str, rotations: int, labels: tuple[str, ...]
) -> dict[tuple[int | None, str | None], list[int]]:
    """Columns of a block that belong to each (seat, strategy); seat s of rotation r has slot s + r.

    Seats are 1-based; None where not grouped by. In the order of seats, then of lineup slots.
    """
    if table == "game":
        return {(None, None): list(range(rotations))}
    players = len(labels)
    groups: dict[tuple[int | None, str | None], list[int]] = {}
    for r in range(rotations):
        for s in range(players):
            seat = s + 1 if "seat" in by else None
            strategy = labels[(s + r) % players] if "strategy" in by else None
            groups.setdefault((seat, strategy), []).append(r * players + s)
    order = {label: labels.index(label) for label in labels}
    return dict(
        sorted(groups.items(), key=lambda g: (g[0][0] or 0, order[g[0][1]] if g[0][1] else 0))
    )


@lru_cache(maxsize=64)
def _plan(metrics: tuple[Metric, ...], rotations: int, labels: tuple[str, ...]) -> _Plan:
    names = [m.name for m in metrics]
    if len(set(names)) != len(names):
        raise ValueError("two metrics have the same name")
    if not labels or rotations not in (1, len(labels)):
        raise ValueError(
            f"{counted(rotations, 'rotation')} cannot fit {counted(len(labels), 'player')}"
        )
    for metric in metrics:
        _check(metric)
    cells: list[_Cell] = []
    panels = []
    for table in ("game", "seat"):
        columns = rotations * (len(labels) if table == "seat" else 1)
        selection: dict[tuple[int, ...], int] = {}  # columns -> group; equal groups are one
        fields: list[str] = []
        mine = [m for m in metrics if m.table == table]
        for m in mine:
            fields += [f for f in (m.value, m.per) if f is not None and f not in fields]
        squared = sorted({fields.index(m.value) for m in mine if "sd" in m.statistics})
        index: list[tuple[int, int, int, int, int]] = []  # place, group, value, per, square
        for m in mine:
            value = fields.index(m.value)
            per = fields.index(m.per) if m.per is not None else -1
            square = len(fields) + squared.index(value) if "sd" in m.statistics else -1
            for by in m.by:
                for (seat, strategy), chosen in _groups(by, table, rotations, labels).items():
                    group = selection.setdefault(tuple(chosen), len(selection))
                    index.append((len(cells), group, value, per, square))
                    cells.append(_Cell(m, seat, strategy, len(chosen)))
        if index:
            matrix = np.zeros((len(selection), columns))
            for chosen_columns, group in selection.items():
                matrix[group, list(chosen_columns)] = 1
            panels.append(_Panel(table, matrix, tuple(fields), tuple(squared), *np.array(index).T))
    return _Plan(tuple(cells), tuple(panels))


# ------------------------------------------------------------------------------------ histograms


@dataclass(frozen=True)
class _Histogram:
    """Counts of whole numbers from `first` on; squares as `intervals.block_quantile` wants them."""

    first: int
    counts: NDArray[np.int64]
    squares: NDArray[np.int64]

    @classmethod
    def of(cls, rows: NDArray[np.int64]) -> _Histogram:
        """Histogram of rows (k, blocks): k rows in each block."""
        k, first = len(rows), int(rows.min())
        span = int(rows.max()) - first + 1
        if span > _WIDEST:
            raise ValueError(f"values span {span}, too many for quantiles")
        shifted = rows - first
        counts = np.bincount(shifted.ravel(), minlength=span)
        squares = counts.copy()
        for lag in range(1, k):  # two rows are both <= x where the larger one is
            larger = np.maximum(shifted[lag:], shifted[:-lag])
            squares += 2 * np.bincount(larger.ravel(), minlength=span)
        return cls(first, counts, squares)

    def __add__(self, other: _Histogram) -> _Histogram:
        first = min(self.first, other.first)
        end = max(self.first + len(self.counts), other.first + len(other.counts))
        if end - first > _WIDEST:
            raise ValueError(f"values span {end - first}, too many for quantiles")
        table = np.zeros((2, end - first), dtype=np.int64)
        for h in (self, other):
            table[:, h.first - first :][:, : len(h.counts)] += (h.counts, h.squares)
        return _Histogram(first, table[0], table[1])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Histogram)
            and self.first == other.first
            and np.array_equal(self.counts, other.counts)
            and np.array_equal(self.squares, other.squares)
        )

    @property
    def values(self) -> NDArray[np.int64]:
        return self.first + np.arange(len(self.counts))


# --------------------------------------------------------------------------------------- moments


@dataclass(frozen=True, eq=False)
class Moments:
    """Additive summary of whole blocks of games, for the metrics of one lineup.

    Make one with `Moments.of` or `Moments.empty`, add them up with +, in any order; read it with
    `estimates`, `sums`, `block_values` and `below`. Two that were made of the same games are equal.
    """

    metrics: tuple[Metric, ...]
    rotations: int
    labels: tuple[str, ...]
    games: int
    # one row per cell of the plan: sums over blocks, as Python ints (columns _NUM to _CROSS)
    table: NDArray[np.object_]
    # cell -> how often each block sum (0 to scale * rows) was seen; for shares of rows
    seen: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    histograms: dict[int, _Histogram] = field(default_factory=dict)

    @classmethod
    def empty(cls, metrics: Sequence[Metric], *, rotations: int, labels: Sequence[str]) -> Moments:
        """Summary of no games. labels: the strategy of each lineup slot.

        Raises ValueError for a metric that cannot be computed, and where rotations is neither 1
        nor the number of players.
        """
        plan = _plan(tuple(metrics), rotations, tuple(labels))
        table = np.full((len(plan.cells), 8), 0, dtype=object)
        return cls(tuple(metrics), rotations, tuple(labels), 0, table)

    @classmethod
    def of(
        cls,
        games: NDArray,
        seats: NDArray,
        metrics: Sequence[Metric],
        *,
        rotations: int,
        labels: Sequence[str],
    ) -> Moments:
        """Summary of a chunk: games (n,) and seats (n, players), records in the order of games.

        labels: the strategy of each lineup slot; slots with the same label are one group.
        Values must be whole numbers; for a standard deviation their squares must sum up exactly in
        a float. A capped game counts with what it had when it was capped.
        Raises ValueError as `empty`, for a field that is missing or not whole, and where the chunk
        is not whole blocks, seats are not rotated as expected, or a share leaves [0, 1].
        """
        result = cls.empty(metrics, rotations=rotations, labels=labels)
        n = len(games)
        _check_chunk(games, seats, rotations, len(result.labels))
        if not n:
            return result
        plan = _plan(result.metrics, rotations, result.labels)
        for panel in plan.panels:
            rows = (games if panel.table == "game" else seats).reshape(n // rotations, -1)
            _add(result, plan, panel, rows)
        return replace(result, games=n)

    @property
    def blocks(self) -> int:
        """Number of blocks, the units of analysis."""
        return self.games // self.rotations

    def _same_kind(self, other: Moments) -> bool:
        return (self.metrics, self.rotations, self.labels) == (
            other.metrics,
            other.rotations,
            other.labels,
        )

    def __add__(self, other: Moments) -> Moments:
        if not self._same_kind(other):
            raise ValueError("moments of different metrics, rotations or lineups do not add up")
        return Moments(
            self.metrics,
            self.rotations,
            self.labels,
            self.games + other.games,
            self.table + other.table,
            _merged(self.seen, other.seen),
            _merged(self.histograms, other.histograms),
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Moments)
            and self._same_kind(other)
            and self.games == other.games
            and bool((self.table == other.table).all())
            and self.seen.keys() == other.seen.keys()
            and all(np.array_equal(v, other.seen[k]) for k, v in self.seen.items())
            and self.histograms == other.histograms
        )

    # ------------------------------------------------------------------------- reading it

    @property
    def _cells(self) -> tuple[_Cell, ...]:
        return _plan(self.metrics, self.rotations, self.labels).cells

    def _find(self, metric: str, seat: int | None, strategy: str | None) -> int:
        for index, cell in enumerate(self._cells):
            if (cell.metric.name, cell.seat, cell.strategy) == (metric, seat, strategy):
                return index
        raise ValueError(f"no {metric} for seat {seat} and strategy {strategy} in these moments")

    def _sums(self, index: int) -> ClusterSums:
        row, rows = self.table[index], self._cells[index].rows
        if self._cells[index].metric.per is not None:
            return ClusterSums(
                self.blocks, row[_NUM], row[_DEN], row[_NUM2], row[_DEN2], row[_NUMDEN]
            )
        return _equal_blocks(self.blocks, rows, row[_NUM], row[_NUM2])

    def sums(
        self, metric: str, *, seat: int | None = None, strategy: str | None = None
    ) -> ClusterSums:
        """`ClusterSums` over blocks of a metric in one group, before division by its scale.

        seat is 1-based. Raises ValueError for a metric or group that is not kept.
        """
        return self._sums(self._find(metric, seat, strategy))

    def block_values(
        self, metric: str, *, seat: int | None = None, strategy: str | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Distinct block means of a share in one group, within [0, 1], and their counts.

        This is the state of `sequential.bounded_mean_sequence`. Kept for shares of rows (wins),
        not for ratios. Raises ValueError for a metric or group that is not kept.
        """
        index = self._find(metric, seat, strategy)
        cell = self._cells[index]
        if not _counted(cell.metric):
            raise ValueError(f"{metric} is not a share of rows: its block values are not kept")
        top = cell.metric.scale * cell.rows
        counts = self.seen.get(index, np.zeros(top + 1, dtype=np.int64))
        values = np.flatnonzero(counts)
        return values / top, counts[values]

    def below(
        self, metric: str, limit: float, *, seat: int | None = None, strategy: str | None = None
    ) -> ClusterSums:
        """Sums over blocks of the rows with value <= limit, out of all: for gates on a quantile.

        limit: in the metric's unit. Raises ValueError for a metric or group without quantiles.
        """
        index = self._find(metric, seat, strategy)
        cell = self._cells[index]
        if "quantiles" not in cell.metric.statistics:
            raise ValueError(f"no quantiles are kept of {metric}")
        if index not in self.histograms:
            return ClusterSums()
        h = self.histograms[index]
        low = h.values <= limit * cell.metric.scale
        counts, squares = int(h.counts[low].sum()), int(h.squares[low].sum())
        return _equal_blocks(self.blocks, cell.rows, counts, squares)

    def estimates(self, level: float = 0.95) -> pd.DataFrame:
        """Return `records` as a frame.

        Columns: metric, unit, statistic, seat (Int64), strategy (str), estimate, low, high, level,
        n, method.
        """
        import pandas as pd

        frame = pd.DataFrame.from_records(self.records(level), columns=list(COLUMNS))
        return frame.astype(
            {"seat": "Int64", "strategy": "str", "n": "int64"}
            | dict.fromkeys(("estimate", "low", "high", "level"), "float64")
        )

    def records(self, level: float = 0.95) -> list[tuple[Any, ...]]:
        """Every estimate with its interval, one tuple each, in the order of the metrics.

        In the order of COLUMNS: metric, unit, statistic (mean, sd, q05, q25, q50, q75, q95), seat
        (1-based, None where not grouped by), strategy (likewise), estimate, low, high, level, n,
        method.
        n counts the independent units: games where blocks are single games, else blocks.

        Shares from single games that are all won or lost are rates (Wilson, or the one-sided bound
        for none and all); other shares have Wilson's interval on the effective number of games
        (`intervals.clustered_share`); other means and ratios have Student's over blocks. Quantiles
        have order-statistic intervals where each block holds one row, Woodruff's otherwise.
        Unbounded values that never differ have no interval: it is infinite.
        """
        records = []
        for index, cell in enumerate(self._cells):
            for statistic, interval in self._statistics(index, cell, level):
                records.append(
                    (
                        *(cell.metric.name, cell.metric.unit, statistic, cell.seat, cell.strategy),
                        *(float(interval.estimate), float(interval.low), float(interval.high)),
                        *(float(interval.level), int(interval.n), interval.method),
                    )
                )
        order = {m.name: i for i, m in enumerate(self.metrics)}
        return sorted(records, key=lambda r: order[r[0]])  # stable

    def _statistics(self, index: int, cell: _Cell, level: float) -> list[tuple[str, Interval]]:
        metric, sums = cell.metric, self._sums(index)
        bounds = SHARE if is_share(metric) else UNBOUNDED
        found: list[tuple[str, Interval]] = []
        for statistic in metric.statistics:
            if statistic == "mean":
                found.append(("mean", self._mean(cell, sums, level)))
            elif statistic == "sd":
                found.append(("sd", self._sd(index, sums, level, bounds)))
            else:
                for p in QUANTILES:
                    interval = self._quantile(index, cell, p, level, bounds)
                    found.append((f"q{round(100 * p):02}", interval))
        return found

    def _mean(self, cell: _Cell, sums: ClusterSums, level: float) -> Interval:
        metric = cell.metric
        single = self.rotations == 1 and cell.rows == 1
        # all values are 0 or scale: x^2 = scale * x for each, and x^2 <= scale * x for any share
        if _counted(metric) and single and sums.num2 == metric.scale * sums.num:
            return rate(int(sums.num) // metric.scale, self.games, level)
        if is_share(metric):
            method = "Wilson on the effective number, over blocks"
            return clustered_share(sums, level, scale=metric.scale, method=method)
        method = "Student over blocks" if metric.per is None else "ratio over blocks, Student"
        return clustered_ratio(sums, level, scale=metric.scale, method=method)

    def _sd(self, index: int, sums: ClusterSums, level: float, bounds: Bounds) -> Interval:
        row, cell = self.table[index], self._cells[index]
        squares = _equal_blocks(self.blocks, cell.rows, row[_SQ], row[_SQ2])
        scale = cell.metric.scale
        return standard_deviation(sums, squares, row[_CROSS], level, scale=scale, bounds=bounds)

    def _quantile(
        self, index: int, cell: _Cell, p: float, level: float, bounds: Bounds
    ) -> Interval:
        if index not in self.histograms:
            return histogram_quantile([], [], p, level, bounds=bounds)
        h = self.histograms[index]
        values = h.values / cell.metric.scale
        if cell.rows == 1:
            return histogram_quantile(values, h.counts, p, level, bounds=bounds)
        return block_quantile(
            values, h.counts, h.squares, p, level, blocks=self.blocks, bounds=bounds
        )


def _equal_blocks(blocks: int, rows: int, num: int, num2: int) -> ClusterSums:
    """Sums of blocks that all have the same number of rows."""
    return ClusterSums(blocks, num, rows * blocks, num2, rows * rows * blocks, rows * num)


def _counted(metric: Metric) -> bool:
    """Whether the distinct block values of a metric are kept."""
    return is_share(metric) and metric.per is None


def _merged(a: dict, b: dict) -> dict:
    return {k: a[k] + b[k] if k in a and k in b else a.get(k, b.get(k)) for k in a | b}


def _check_chunk(games: NDArray, seats: NDArray, rotations: int, players: int) -> None:
    """Raise ValueError where a chunk is not whole blocks of games rotated as the plan expects."""
    n = len(games)
    if games.shape != (n,) or seats.shape != (n, players):
        raise ValueError(f"need games (n,) and seats (n, {players}), not {seats.shape}")
    if n % rotations:
        raise ValueError(f"{counted(n, 'game')}: not whole blocks of {rotations}")
    numbers = games["game"].reshape(-1, rotations)
    if (numbers[:, 0] % rotations).any() or (numbers[:, 0] + rotations - 1 != numbers[:, -1]).any():
        raise ValueError("games are not in order, block by block")
    slots = seats["slot"]
    expected = (np.arange(players) + np.arange(rotations)[:, None]) % players
    # compared in their own narrow type: every conversion here is paid for each seat of each game
    if (slots.reshape(-1, rotations, players) != expected.astype(slots.dtype)).any():
        raise ValueError("seat s of rotation r must be played by slot (s + r) % players")


def _largest(rows: NDArray, name: str, exact: bool) -> float:
    """Bound of |field|: its largest value, or unless `exact` what a narrow type can hold.

    Raises ValueError for a field that is missing or not of whole numbers.
    """
    if rows.dtype.names is None or name not in rows.dtype.names:
        raise ValueError(f"rows have no field {name!r}")
    kind = rows.dtype[name]
    if kind.kind not in "biu":
        raise ValueError(f"field {name!r} is not of whole numbers")
    if kind.itemsize <= 2 and not exact:
        return 2.0 ** (8 * kind.itemsize)  # a look at the values would cost as much as a sum
    column = rows[name]
    return max(abs(float(column.min())), abs(float(column.max())))


def _add(result: Moments, plan: _Plan, panel: _Panel, rows: NDArray) -> None:
    """Add rows (blocks, columns) to the sums, counts and histograms of `result`, in place."""
    largest = [_largest(rows, name, i in panel.squared) for i, name in enumerate(panel.fields)]
    largest += [largest[i] ** 2 for i in panel.squared]
    groups, columns = panel.selection.shape
    top = max(largest) * columns  # of any total of a block
    if top * columns >= _EXACT:
        raise ValueError("values too large to be summed exactly")
    size = min(_BUFFER // (len(largest) * columns), _WORK // panel.selection.size, _LONGEST)
    kind = np.float32 if top < 2**24 else np.float64  # exact either way; half the memory
    selection = panel.selection.astype(kind)
    size = min(max(size, 1), len(rows))
    # filled again and again: fresh memory for every slice costs more than the sums
    values = np.empty((len(largest), columns, size), dtype=kind)
    narrow = np.empty((len(largest), groups, size), dtype=kind)
    wide = np.empty((len(largest), groups, size))
    ones = np.ones(size)
    members = [np.flatnonzero(row) for row in panel.selection]
    counted, ranked = [], []
    for p, g, v in zip(panel.place.tolist(), panel.group, panel.value, strict=True):
        if _counted(plan.cells[p].metric):
            counted.append((p, g, v))
        if "quantiles" in plan.cells[p].metric.statistics:
            ranked.append((p, g, v))
    pairs = sorted(
        {*zip(panel.value, panel.per, strict=True), *zip(panel.value, panel.square, strict=True)}
    )
    pairs = [(i, j) for i, j in pairs if j >= 0]
    whole = np.int64 if top * top * len(rows) < 2.0**62 else np.object_
    plain: NDArray[Any] = np.zeros((len(largest), groups), dtype=whole)
    second: NDArray[Any] = plain.copy()
    cross: dict[tuple[int, int], NDArray[Any]] = {ij: np.zeros(groups, whole) for ij in pairs}
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        here, totals = values[:, :, : len(part)], wide[:, :, : len(part)]
        for i, name in enumerate(panel.fields):
            here[i] = part[name].T
        for i, source in enumerate(panel.squared, start=len(panel.fields)):
            np.multiply(here[source], here[source], out=here[i])
        if groups == 1:  # then it is all columns, and not worth a matrix product
            np.sum(here, axis=1, keepdims=True, out=totals, dtype=np.float64)
        else:
            totals[...] = np.matmul(selection, here, out=narrow[:, :, : len(part)])
        plain += _dot(totals, ones[: len(part)], top)
        second += _dot(totals, totals, top * top)
        for i, j in pairs:
            cross[i, j] += _dot(totals[i], totals[j], top * top)
        for p, g, v in counted:
            _count_blocks(result.seen, p, plan.cells[p], totals[v, g])
        for p, g, v in ranked:
            found = _Histogram.of(here[v][members[g]].astype(np.intp))
            known = result.histograms.get(p)
            result.histograms[p] = found if known is None else known + found
    table, place, group, value = result.table, panel.place, panel.group, panel.value
    table[place, _NUM] += plain[value, group]
    table[place, _NUM2] += second[value, group]
    for column, columns2, mixed, other in (
        (_DEN, _DEN2, _NUMDEN, panel.per),
        (_SQ, _SQ2, _CROSS, panel.square),
    ):
        has = other >= 0
        at, v, o, g = place[has], value[has], other[has], group[has]
        table[at, column] += plain[o, g]
        table[at, columns2] += second[o, g]
        table[at, mixed] += [cross[i, j][k] for i, j, k in zip(v, o, g, strict=True)]


def _count_blocks(
    seen: dict[int, NDArray[np.int64]], place: int, cell: _Cell, totals: NDArray[np.float64]
) -> None:
    """Count the distinct block totals of a share, in place.

    Raises ValueError where one leaves its range.
    """
    top = cell.metric.scale * cell.rows
    if totals.min() < 0 or totals.max() > top:
        raise ValueError(f"{cell.metric.name} is a share, but leaves 0 to {cell.metric.scale}")
    counts = np.bincount(totals.astype(np.intp), minlength=top + 1)
    seen[place] = seen[place] + counts if place in seen else counts


# ------------------------------------------------------------------- groups that the data decide


@dataclass(frozen=True, eq=False)
class KeyedMoments:
    """Additive sums over blocks of a numerator and a denominator, for each small whole key.

    table: (keys, 6) Python ints: blocks with a row of the key, then num, den, num2, den2, numden.
    """

    table: NDArray[np.object_]

    def __add__(self, other: KeyedMoments) -> KeyedMoments:
        long, short = sorted((self.table, other.table), key=len, reverse=True)
        table = long.copy()
        table[: len(short)] += short
        return KeyedMoments(table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyedMoments) and np.array_equal(self.table, other.table)

    def sums(self, key: int) -> ClusterSums:
        """`ClusterSums` of one key; its clusters are the blocks that have a row of it."""
        return ClusterSums(*self.table[key]) if 0 <= key < len(self.table) else ClusterSums()

    def estimates(
        self, level: float = 0.95, *, scale: float = 1, share: bool = False
    ) -> pd.DataFrame:
        """Ratio num / den / scale of every key that was seen, with its clustered interval.

        share: whether it lies in [0, 1], as a rate of wins does (`intervals.clustered_share`).
        Columns: key, total (sum of den), estimate, low, high, level, n (blocks), method.
        """
        import pandas as pd

        interval = clustered_share if share else clustered_ratio
        records = []
        for key, row in enumerate(self.table):
            if row[0]:
                i = interval(self.sums(key), level, scale=scale)
                records.append(
                    (key, int(row[2]), i.estimate, i.low, i.high, i.level, i.n, i.method)
                )
        columns = ["key", "total", "estimate", "low", "high", "level", "n", "method"]
        return pd.DataFrame.from_records(records, columns=columns)


def keyed_moments(
    keys: ArrayLike, num: ArrayLike, den: ArrayLike | None = None, *, rotations: int
) -> KeyedMoments:
    """Sums by a key that the games themselves decide, e.g. wins of the leader by the lead.

    keys: (games,) or (games, players) whole numbers; rows with a key below 0 are left out.
    num, den: whole numbers of the same shape; den None counts rows. Blocks are `rotations` games.
    Memory of the result grows with the largest key, so encode keys densely.
    Raises ValueError where shapes differ, values are not whole, games are not whole blocks.
    """
    k, a = np.asarray(keys), np.asarray(num)
    d = np.ones(k.shape, dtype=np.int64) if den is None else np.asarray(den)
    if k.shape != a.shape or k.shape != d.shape:
        raise ValueError(f"shapes differ: keys {k.shape}, num {a.shape}, den {d.shape}")
    if any(v.dtype.kind not in "biu" for v in (k, a, d)):
        raise ValueError("keys, num and den must be whole numbers")
    if rotations < 1 or len(k) % rotations:
        raise ValueError(f"{counted(len(k), 'game')}: not whole blocks of {rotations}")
    blocks = len(k) // rotations
    size = max(0, int(k.max(initial=-1)) + 1)
    table = np.full((size, 6), 0, dtype=object)
    columns = rotations * math.prod(k.shape[1:])
    k, a, d = (v.reshape(blocks, columns) for v in (k, a, d))
    step = max(1, _BUFFER // max(1, columns))  # blocks at a time, so that memory stays flat
    for start in range(0, blocks if size else 0, step):
        part = slice(start, start + step)
        _add_keyed(table, k[part], a[part], d[part])
    return KeyedMoments(table)


def _add_keyed(table: NDArray[np.object_], k: NDArray, a: NDArray, d: NDArray) -> None:
    """Add rows (blocks, columns) to `table` (keys, 6), in place.

    The square of a block's sum is the sum over all pairs of its rows that have the same key; most
    blocks have few such pairs, so no table of blocks by keys is needed.
    """
    columns = k.shape[1]
    a, d = a.astype(np.float64), d.astype(np.float64)
    largest = float(max(np.abs(a).max(initial=0), np.abs(d).max(initial=0), 1))
    if 2 * largest * largest * columns * k.size >= _EXACT:
        raise ValueError("values too large to be summed exactly")
    kept = k >= 0
    first = kept.copy()  # rows that are the first of their block with their key

    def add(column: int, keys: NDArray, weights: NDArray | None = None) -> None:
        found = np.bincount(keys, weights, minlength=len(table))
        table[:, column] += found.astype(np.int64)

    key, num, den = k[kept].astype(np.intp), a[kept], d[kept]
    for column, weights in enumerate((num, den, num * num, den * den, num * den), start=1):
        add(column, key, weights)
    for lag in range(1, columns):
        same = (k[:, lag:] == k[:, :-lag]) & kept[:, lag:]
        first[:, lag:] &= ~same
        block, i = np.nonzero(same)
        j = i + lag
        key = k[block, i].astype(np.intp)
        ai, aj, di, dj = a[block, i], a[block, j], d[block, i], d[block, j]
        add(3, key, 2 * ai * aj)
        add(4, key, 2 * di * dj)
        add(5, key, ai * dj + aj * di)
    add(0, k[first].astype(np.intp))
