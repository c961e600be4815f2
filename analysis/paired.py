"""Plays on the same deals: additive sums over blocks, and paired effects made of them.

A `Column` is one number a block: a field of one play's rows, summed over the block's games.
`BlockSums` keeps the columns' totals and all their products, so the mean and the variance of any
difference, average or ratio of columns follow from it, and nothing grows with the games. Whole
numbers throughout, so sums do not depend on chunks, threads or order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.intervals import (
    DIFFERENCE,
    SHARE,
    UNBOUNDED,
    Bounds,
    ClusterSums,
    Interval,
    clustered_ratio,
    clustered_share,
    none_or_all,
    simultaneous_level,
)
from analysis.moments import block_sums
from sim.batch import Chunk

WILSON = "Wilson on the effective number"
_EXACT = 2.0**53  # whole numbers below it are exact in float64, in any order of addition
_WORK = 2**18  # multiplications in one matrix product; above it OpenBLAS would start threads


@dataclass(frozen=True)
class Column:
    """One number a block: a field summed over the games of one play.

    play: its place among the plays of the group. table: "game" or "seat".
    seat (from 1) or slot (index in the lineup, from 0; it moves when seats rotate) picks one row a
    game; with neither, all seats are summed. at_least, equals: count the rows where the field is
    at least, or equals, this number, instead of summing it.
    """

    play: int
    field: str
    table: str = "seat"
    seat: int | None = None
    slot: int | None = None
    at_least: int | None = None
    equals: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a column that cannot be."""
        if self.table not in ("game", "seat"):
            raise ValueError(f"unknown table {self.table!r}")
        picked = self.seat is not None, self.slot is not None
        if all(picked) or (self.table == "game" and any(picked)):
            raise ValueError(f"{self}: pick a seat or a slot, and neither of rows of games")
        if self.at_least is not None and self.equals is not None:
            raise ValueError(f"{self}: at_least or equals, not both")


Weights = Mapping[Column, int]


def ones(columns: Iterable[Column]) -> dict[Column, int]:
    """Weights that add the columns up; one that is named twice counts twice."""
    return dict(Counter(columns))


@dataclass(frozen=True, eq=False)
class BlockSums:
    """Sums over blocks of columns, of their products, and of how often a play changed them.

    totals: (columns,); products: (columns, columns); changed: (columns,) blocks in which a column
    differs from the same column of play 0. Python ints. Add them up with +, in any order.
    """

    columns: tuple[Column, ...]
    rotations: int
    players: int
    blocks: int
    totals: NDArray[np.object_]
    products: NDArray[np.object_]
    changed: NDArray[np.object_]

    @classmethod
    def of(
        cls,
        chunks: Sequence[Chunk],
        columns: Iterable[Column],
        rotations: int,
        part: tuple[int, int] = (0, 1),
    ) -> BlockSums:
        """Sum the columns of chunks (one a play) of the same games.

        part: (i, m) takes the blocks whose deal leaves the remainder i when divided by m.
        Raises ValueError where the chunks are not of the same whole blocks, a field is missing or
        not of whole numbers, or the seats are not rotated as expected.
        """
        wanted = tuple(dict.fromkeys(columns))
        first, games = chunks[0].first, len(chunks[0].games)
        players = chunks[0].seats.shape[1]
        if len({(c.first, len(c.games), c.seats.shape[1]) for c in chunks}) != 1:
            raise ValueError("the plays must have the same games")
        if first % rotations:
            raise ValueError(f"the chunk begins with game {first}, in the middle of a block")
        deals = first // rotations + np.arange(games // rotations)
        chosen = deals % part[1] == part[0]
        values = np.empty((len(wanted), int(chosen.sum())), dtype=np.int64)
        for place, column in enumerate(wanted):
            values[place] = _values(chunks[column.play], column, rotations)[chosen]
        changed = np.full(len(wanted), 0, dtype=object)
        places = {column: place for place, column in enumerate(wanted)}
        for place, column in enumerate(wanted):
            twin = places.get(replace(column, play=0))
            if twin is not None and twin != place:
                changed[place] = int((values[place] != values[twin]).sum())
        totals = np.array([int(t) for t in values.sum(axis=1)], dtype=object)
        return cls(wanted, rotations, players, values.shape[1], totals, _products(values), changed)

    def __add__(self, other: BlockSums) -> BlockSums:
        if not self._same_kind(other):
            raise ValueError("sums of different columns or rotations do not add up")
        return replace(
            self,
            blocks=self.blocks + other.blocks,
            totals=self.totals + other.totals,
            products=self.products + other.products,
            changed=self.changed + other.changed,
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BlockSums)
            and self._same_kind(other)
            and self.blocks == other.blocks
            and np.array_equal(self.totals, other.totals)
            and np.array_equal(self.products, other.products)
            and np.array_equal(self.changed, other.changed)
        )

    def _same_kind(self, other: BlockSums) -> bool:
        mine = self.columns, self.rotations, self.players
        return mine == (other.columns, other.rotations, other.players)

    # ------------------------------------------------------------------------- reading it

    @cached_property
    def _places(self) -> dict[Column, int]:
        return {column: place for place, column in enumerate(self.columns)}

    def _vector(self, weights: Weights) -> NDArray[np.object_]:
        vector = np.full(len(self.columns), 0, dtype=object)
        for column, weight in weights.items():
            if column not in self._places:
                raise ValueError(f"{column} was not summed")
            vector[self._places[column]] += weight
        return vector

    def rows(self, column: Column) -> int:
        """Rows that a column sums in every block."""
        all_seats = column.table == "seat" and column.seat is None and column.slot is None
        return self.rotations * (self.players if all_seats else 1)

    def cluster(self, num: Weights, den: Weights | None = None) -> ClusterSums:
        """`ClusterSums` over blocks of a weighted sum of columns, out of another one.

        den None: out of the rows that the positive weights sum, so the ratio is a mean a row.
        Raises ValueError for a column that was not summed.
        """
        a, n = self._vector(num), self.blocks
        if den is None:
            rows = sum(w * self.rows(c) for c, w in num.items() if w > 0)
            total = a @ self.totals
            return ClusterSums(
                n, total, rows * n, a @ self.products @ a, rows * rows * n, rows * total
            )
        b = self._vector(den)
        return ClusterSums(
            n,
            a @ self.totals,
            b @ self.totals,
            a @ self.products @ a,
            b @ self.products @ b,
            a @ self.products @ b,
        )

    def covariance(self, one: Weights, other: Weights) -> float:
        """Covariance between blocks of two weighted sums; NaN below two blocks."""
        if self.blocks < 2:
            return math.nan
        a, b, n = self._vector(one), self._vector(other), self.blocks
        cross = n * (a @ self.products @ b) - (a @ self.totals) * (b @ self.totals)
        return cross / n / (n - 1)

    def estimate(
        self,
        num: Weights,
        den: Weights | None = None,
        level: float = 0.95,
        *,
        scale: float = 1,
        bounds: Bounds = UNBOUNDED,
        together: int = 1,
    ) -> Interval:
        """Mean a row, or ratio, with its Student interval over blocks.

        together: one of so many intervals that hold together at `level` (Bonferroni).
        """
        method = "Student over blocks" if den is None else "ratio over blocks, Student"
        return jointly(
            lambda own: clustered_ratio(
                self.cluster(num, den), own, scale=scale, bounds=bounds, method=method
            ),
            level,
            together,
        )

    def share(
        self,
        num: Weights,
        den: Weights | None = None,
        level: float = 0.95,
        *,
        scale: float = 1,
        together: int = 1,
    ) -> Interval:
        """Mean a row, or ratio, that is a share (0 to 1), with Wilson's interval over blocks.

        together: as in `estimate`.
        """
        found = self.cluster(num, den)
        return jointly(
            lambda own: clustered_share(found, own, scale=scale, method=f"{WILSON}, over blocks"),
            level,
            together,
        )


def _values(chunk: Chunk, column: Column, rotations: int) -> NDArray[np.int64]:
    """The column's number of every block, shape (blocks,)."""
    rows = chunk.games if column.table == "game" else chunk.seats
    if column.field not in (rows.dtype.names or ()):
        raise ValueError(f"rows have no field {column.field!r}")
    values = rows[column.field]
    if values.dtype.kind not in "biu":
        raise ValueError(f"field {column.field!r} is not of whole numbers")
    if column.at_least is not None:
        values = values >= column.at_least
    if column.equals is not None:
        values = values == column.equals
    if column.seat is not None:
        values = values[:, column.seat - 1]
    elif column.slot is not None:
        games, players = chunk.seats.shape
        at = np.arange(games)
        seats = (column.slot - at % rotations) % players
        if (chunk.seats["slot"][at, seats] != column.slot).any():
            raise ValueError("seat s of rotation r must be played by slot (s + r) % players")
        values = values[at, seats]
    elif column.table == "seat":
        values = values.sum(axis=1, dtype=np.int64)
    return block_sums(values, rotations)


def _products(values: NDArray[np.int64]) -> NDArray[np.object_]:
    """Exact sums over blocks of the products of all pairs of columns; values (columns, blocks)."""
    columns, blocks = values.shape
    largest = float(np.abs(values).max(initial=0))
    size = max(1, _WORK // max(1, columns * columns))
    if largest * largest * size >= _EXACT:
        raise ValueError("values too large to be summed exactly")
    table = np.full((columns, columns), 0, dtype=object)
    small = np.zeros((columns, columns), dtype=np.int64)
    room = max(1, int(2.0**62 / max(1.0, largest * largest * size)))  # slices an int64 can hold
    for i, start in enumerate(range(0, blocks, size), start=1):
        part = values[:, start : start + size].astype(np.float64)
        small += (part @ part.T).astype(np.int64)
        if i % room == 0:
            table += small
            small[:] = 0
    return table + small.astype(object)


# --------------------------------------------------------------------------------------- effects


@dataclass(frozen=True)
class Effect:
    """A paired difference: with something changed, minus without, on the same deals.

    interval: of the difference, a game unless it is taken per something. without, changed: the two
    sides, means a game, each with its own interval. discordance: share of blocks (averaged over
    the columns) whose result differs; NaN where the comparison is not with play 0. correlation: of
    changed and unchanged results between blocks, pooled over the columns; NaN where one of them
    never varies. speed_up: how many times more blocks a comparison would need for the same interval
    if every play had deals of its own.
    """

    interval: Interval
    without: Interval
    changed: Interval
    discordance: float
    correlation: float
    speed_up: float


def paired_effect(
    sums: BlockSums,
    changed: Sequence[Column],
    level: float = 0.95,
    *,
    per: Sequence[Column] | None = None,
    scale: float = 1,
    bounds: Bounds = UNBOUNDED,
    together: int = 1,
    against: Sequence[int] | int = 0,
    side_bounds: Bounds = UNBOUNDED,
) -> Effect:
    """Effect on columns of changed plays, each compared with the same column of another play.

    against: the other play, or one for each column. Several columns are averaged (a switch thrown
    for one seat after the other). per: divides the sum of the differences by the sum of these
    columns, for "points a cave-in" instead of "points a game"; they are not divided by `scale`.
    together: see `BlockSums.estimate`; the sides hold together in the same way. side_bounds: the
    range of both; a difference of shares has shares as its sides in any case.
    Raises ValueError for no column, and for columns that were not summed.
    """
    if not changed:
        raise ValueError("an effect needs at least one column")
    others = [against] * len(changed) if isinstance(against, int) else against
    plain = [replace(c, play=other) for c, other in zip(changed, others, strict=True)]
    treated: dict[Column, int] = {}
    control: dict[Column, int] = {}
    for column, twin in zip(changed, plain, strict=True):
        treated[column] = treated.get(column, 0) + 1
        control[twin] = control.get(twin, 0) + 1
    difference = {**treated, **{column: -weight for column, weight in control.items()}}
    den = None if per is None else dict.fromkeys(per, 1)
    what = "Student over paired blocks"
    method = what if per is None else f"ratio, {what}"
    interval = jointly(
        lambda own: clustered_ratio(
            sums.cluster(difference, den), own, scale=scale, bounds=bounds, method=method
        ),
        level,
        together,
    )
    paired = sums.covariance(difference, difference)
    by_play: dict[int, dict[Column, int]] = {}
    for column, weight in difference.items():
        by_play.setdefault(column.play, {})[column] = weight
    unpaired = sum(sums.covariance(part, part) for part in by_play.values())
    counted = [sums.changed[sums._places[column]] for column in changed]
    known = sums.blocks > 0 and not any(others)  # changes are counted against play 0
    own = SHARE if bounds == DIFFERENCE and per is None else side_bounds
    return Effect(
        interval,
        side_of(sums, control, None, level, own, scale=scale, together=together),
        side_of(sums, treated, None, level, own, scale=scale, together=together),
        sum(counted) / len(counted) / sums.blocks if known else math.nan,
        _correlation(sums, changed, plain),
        unpaired / paired if paired > 0 else math.inf if unpaired > 0 else math.nan,
    )


def side_of(
    sums: BlockSums, num: Weights, den: Weights | None, level: float, bounds: Bounds, **options: Any
) -> Interval:
    """One side of an effect by itself. options: scale and together of `BlockSums.estimate`."""
    if bounds == SHARE:
        return sums.share(num, den, level, **options)
    return sums.estimate(num, den, level, bounds=bounds, **options)


def replicate_share(
    num: NDArray[Any],
    den: NDArray[Any],
    level: float,
    *,
    scale: float = 1,
    together: int = 1,
    deals: float = 0,
) -> Interval:
    """A share (0 to 1) from totals of replicates, with Wilson's interval over those that saw any.

    num, den: (replicates,). together: as in `BlockSums.estimate`. deals: at least so many deals of
    equal size, or as good as (`none_or_all`), had a denominator; 0 where that is not known. Where
    there was no event, or nothing else, this is the effective number: a replicate without any
    has none in all of its deals. Between the two, equal replicates tell nothing of their deals.
    """
    seen = den > 0
    sums = ClusterSums.of(num[seen], den[seen])
    if deals > sums.clusters and (sums.num == 0 or sums.num == scale * sums.den):
        share = 0 if sums.num == 0 else 1
        return jointly(lambda own: none_or_all(share, int(deals), own), level, together)
    return jointly(
        lambda own: clustered_share(sums, own, scale=scale, method=f"{WILSON}, over replicates"),
        level,
        together,
    )


def _correlation(sums: BlockSums, some: Sequence[Column], others: Sequence[Column]) -> float:
    pairs = list(zip(some, others, strict=True))
    cross = sum(sums.covariance({a: 1}, {b: 1}) for a, b in pairs)
    one = sum(sums.covariance({a: 1}, {a: 1}) for a, _ in pairs)
    other = sum(sums.covariance({b: 1}, {b: 1}) for _, b in pairs)
    return cross / math.sqrt(one * other) if one > 0 and other > 0 else math.nan


def jointly(compute: Any, level: float, together: int) -> Interval:
    """One of `together` intervals that hold at once at `level`; compute: level -> Interval."""
    if together == 1:
        return compute(level)
    return relabelled(compute(simultaneous_level(level, together)), level, together)


def relabelled(interval: Interval, level: float, together: int) -> Interval:
    """An interval of `simultaneous_level`, told as one of `together` that hold at once."""
    method = f"{interval.method}; {together} at once (Bonferroni)"
    return replace(interval, level=level, method=method)


def all_of_them(level: float, n: int) -> Interval:
    """The share that everything has of itself: 1, whatever was seen."""
    return Interval(1.0, 1.0, 1.0, level, n, "all of them")


def interval_row(interval: Interval) -> dict[str, Any]:
    """The columns that every estimate carries: estimate, low, high, level, n, method."""
    return {
        "estimate": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "n": interval.n,
        "method": interval.method,
    }


def side_row(name: str, interval: Interval) -> dict[str, Any]:
    """A second estimate of a row, at the level of the first: the columns of `side_columns`."""
    values = (interval.estimate, interval.low, interval.high, interval.n, interval.method)
    return dict(zip(side_columns(name), values, strict=True))


def side_columns(name: str) -> tuple[str, ...]:
    """NAME, NAME_low, NAME_high, NAME_n, NAME_method."""
    return (name, *(f"{name}_{part}" for part in ("low", "high", "n", "method")))


def effect_row(effect: Effect) -> dict[str, Any]:
    """EFFECT_COLUMNS: the difference, both sides with intervals, what pairing brought."""
    return {
        **interval_row(effect.interval),
        **side_row("without", effect.without),
        **side_row("changed", effect.changed),
        "discordance": effect.discordance,
        "correlation": effect.correlation,
        "speed_up": effect.speed_up,
    }


def worth_row(effect: Effect) -> dict[str, Any]:
    """`effect_row` with the sign turned: what was there before it was taken away."""
    return turned(effect_row(effect))


def with_row(effect: Effect) -> dict[str, Any]:
    """`worth_row` with the sides swapped: without, and changed (what was there at first)."""
    return {
        **worth_row(effect),
        **side_row("without", effect.changed),
        **side_row("changed", effect.without),
    }


def turned(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a difference the other way around; its sides stay."""
    # 0 minus: no effect is 0, not -0
    return {**row, "estimate": 0 - row["estimate"], "low": 0 - row["high"], "high": 0 - row["low"]}


def frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a frame with these columns in this order, also where there is no row."""
    return pd.DataFrame.from_records(list(rows), columns=list(columns))


def rows_where(found: pd.DataFrame, **keys: Any) -> list[dict[str, Any]]:
    """The rows of a frame with these values, as records; None asks for a missing one."""
    for key, value in keys.items():
        column = found[key]
        found = found[column.isna() if value is None else column == value]
    return [{str(k): v for k, v in row.items()} for row in found.to_dict("records")]


NOT_BELOW_0: Bounds = (0.0, math.inf)
INTERVAL_COLUMNS = ("estimate", "low", "high", "level", "n", "method")
EFFECT_COLUMNS = (
    *INTERVAL_COLUMNS,
    *side_columns("without"),
    *side_columns("changed"),
    *("discordance", "correlation", "speed_up"),
)
