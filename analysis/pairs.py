"""Two plays on the same deals: additive sums of a measure in both, and what differs between them.

`PairSums` is all that a comparison or a gate needs of a million blocks: totals, squares and
products of the two plays' block values, how many blocks differ, and, for shares, how often each
difference was seen, which is the state of a confidence sequence. Whole numbers, so sums do not
depend on chunks, threads or order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import ClusterSums
from analysis.measures import BlockValues, Measure, RankCounts, block_values, rank_counts
from sim.batch import Chunk

# the sums of a block: changed play, then base; value, then what it is divided by
_NUM, _DEN, _BASE_NUM, _BASE_DEN = range(4)
_SAFE = 2.0**62


@dataclass(frozen=True, eq=False)
class PairSums:
    """A measure in a changed play and in the base, summed over blocks. Add them up with +.

    totals: (4,) Python ints: num and den of the changed play, num and den of the base; products:
    (4, 4). differing: blocks whose num or den differs. differences: difference of the nums ->
    blocks; kept for shares with blocks of equal size, where `rows` times the metric's scale is the
    largest. ranks: of the changed play and the base, for quantiles.
    """

    measure: Measure
    rotations: int
    rows: int
    blocks: int
    totals: NDArray[np.object_]
    products: NDArray[np.object_]
    differing: int
    differences: Mapping[int, int] = field(default_factory=dict)
    ranks: tuple[RankCounts, RankCounts] | None = None

    @classmethod
    def of(
        cls,
        measure: Measure,
        changed: Chunk,
        base: Chunk,
        *,
        rotations: int,
        changed_labels: tuple[str, ...],
        base_labels: tuple[str, ...],
    ) -> PairSums:
        """Sum a measure over two chunks of the same games.

        Raises ValueError where they are not of the same whole blocks, and for values too large.
        """
        if (changed.first, len(changed.games)) != (base.first, len(base.games)):
            raise ValueError("the plays must have the same games")
        if base.first % rotations:
            raise ValueError(f"the chunk begins with game {base.first}, in the middle of a block")
        plays = ((changed, changed_labels), (base, base_labels))
        both = [
            block_values(measure, c.games, c.seats, rotations=rotations, labels=labels)
            for c, labels in plays
        ]
        table = np.array([v for values in both for v in (values.num, _den(values))], dtype=np.int64)
        differing = ((table[_NUM] != table[_BASE_NUM]) | (table[_DEN] != table[_BASE_DEN])).sum()
        counted: dict[int, int] = {}
        even = both[0].den is None and both[1].den is None and both[0].rows == both[1].rows
        if measure.is_share and even:
            values, counts = np.unique(table[_NUM] - table[_BASE_NUM], return_counts=True)
            counted = dict(zip(values.tolist(), counts.tolist(), strict=True))
        ranks = None
        if measure.quantile is not None:
            one, other = (
                rank_counts(measure, c.games, c.seats, rotations=rotations, labels=labels)
                for c, labels in plays
            )
            ranks = one, other
        return cls(
            measure,
            rotations,
            both[0].rows if both[0].rows == both[1].rows else 0,
            table.shape[1],
            _exact(table.sum(axis=1)),
            _exact(_products(table)),
            int(differing),
            counted,
            ranks,
        )

    def __add__(self, other: PairSums) -> PairSums:
        if self._kind() != other._kind():
            raise ValueError("sums of different measures do not add up")
        differences = dict(self.differences)
        for value, count in other.differences.items():
            differences[value] = differences.get(value, 0) + count
        ranks = None
        if self.ranks is not None and other.ranks is not None:
            ranks = self.ranks[0] + other.ranks[0], self.ranks[1] + other.ranks[1]
        return PairSums(
            self.measure,
            self.rotations,
            self.rows,
            self.blocks + other.blocks,
            self.totals + other.totals,
            self.products + other.products,
            self.differing + other.differing,
            differences,
            ranks,
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PairSums)
            and self._kind() == other._kind()
            and (self.blocks, self.differing) == (other.blocks, other.differing)
            and np.array_equal(self.totals, other.totals)
            and np.array_equal(self.products, other.products)
            and dict(self.differences) == dict(other.differences)
            and self.ranks == other.ranks
        )

    def _kind(self) -> tuple[Any, ...]:
        return self.measure, self.rotations, self.rows

    # ------------------------------------------------------------------------- reading it

    @property
    def discordance(self) -> float:
        """Share of blocks in which the two plays differ."""
        return self.differing / self.blocks if self.blocks else math.nan

    @property
    def counts_differences(self) -> bool:
        """Whether `differences` is kept: a share, with blocks of equal size in both plays."""
        return bool(self.differences)

    def one(self, changed: bool) -> ClusterSums:
        """`ClusterSums` over blocks of the measure in one of the two plays."""
        a, b = (_NUM, _DEN) if changed else (_BASE_NUM, _BASE_DEN)
        t, p = self.totals, self.products
        return ClusterSums(self.blocks, t[a], t[b], p[a, a], p[b, b], p[a, b])

    def figure(self, changed: bool) -> float:
        """Return the measure in one of the two plays, in the metric's unit."""
        if self.ranks is not None:
            p = self.measure.quantile
            assert p is not None
            return self.ranks[0 if changed else 1].quantile(p) / self.measure.metric.scale
        return self.one(changed).ratio() / self.measure.metric.scale

    def effect(self) -> float:
        """Return changed minus base, in the metric's unit."""
        return self.figure(True) - self.figure(False)

    def _residuals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weights of the four sums in each play's linearised ratio, per block.

        A ratio R = sum(num) / sum(den) has the influence (num - R den) / mean(den); its mean over
        blocks is 0 (Cochran, Sampling Techniques, 3rd ed., section 6.3). With den constant it is
        the block mean less the mean.
        """
        weights = np.zeros((2, 4))
        for play, (num, den) in enumerate(((_NUM, _DEN), (_BASE_NUM, _BASE_DEN))):
            mean_den = float(self.totals[den]) / self.blocks
            ratio = float(self.totals[num]) / float(self.totals[den])
            weights[play, num] = 1 / mean_den
            weights[play, den] = -ratio / mean_den
        return weights[0], weights[1]

    def covariances(self) -> NDArray[np.float64]:
        """Return the covariance matrix (2, 2), between blocks, of the measure in both plays.

        In the metric's unit, squared. NaN below two blocks or where nothing was counted.
        """
        n = self.blocks
        if n < 2 or not self.totals[_DEN] or not self.totals[_BASE_DEN]:
            return np.full((2, 2), math.nan)
        # exact centring in whole numbers, then floats: no cancellation
        centred = [
            [float(n * self.products[i, j] - self.totals[i] * self.totals[j]) for j in range(4)]
            for i in range(4)
        ]
        w = np.array(self._residuals()) / self.measure.metric.scale
        return w @ np.array(centred) @ w.T / n / (n - 1)

    def variance(self) -> float:
        """Return the variance, between blocks, of the difference of the two plays."""
        c = self.covariances()
        found = float(c[0, 0] + c[1, 1] - 2 * c[0, 1])
        # what rounding leaves of two equal plays is no spread
        return 0.0 if found <= 1e-12 * float(c[0, 0] + c[1, 1]) else found

    def correlation(self) -> float:
        """Return the correlation of the two plays between blocks; NaN where one never varies."""
        c = self.covariances()
        spread = math.sqrt(c[0, 0] * c[1, 1]) if (c.diagonal() > 0).all() else 0.0
        return float(c[0, 1]) / spread if spread > 0 else math.nan

    def speed_up(self) -> float:
        """Return how many times more blocks unpaired plays would need for the same interval.

        Infinite where the plays never differ, NaN where neither of them varies.
        """
        c, paired = self.covariances(), self.variance()
        unpaired = float(c[0, 0] + c[1, 1])
        if math.isnan(unpaired):
            return math.nan
        return unpaired / paired if paired > 0 else math.inf if unpaired > 0 else math.nan

    def difference_counts(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the distinct differences of a block's share, in [-1, 1], and their counts.

        Raises ValueError for a measure that is no share or whose blocks differ in size.
        """
        if not self.counts_differences:
            raise ValueError(f"differences of {self.measure.name} are not counted")
        top = self.rows * self.measure.metric.scale
        values = np.array(sorted(self.differences), dtype=np.float64) / top
        return values, np.array([self.differences[v] for v in sorted(self.differences)])


def _den(values: BlockValues) -> NDArray[np.int64]:
    return np.full(len(values.num), values.rows) if values.den is None else values.den


def _products(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all products summed over blocks; raise ValueError where they could overflow."""
    largest = float(np.abs(table).max(initial=0))
    if largest * largest * max(1, table.shape[1]) >= _SAFE:
        raise ValueError("values too large to be summed exactly")
    return table @ table.T


def _exact(values: NDArray[np.int64]) -> NDArray[np.object_]:
    """Return whole numbers as Python ints, which cannot overflow."""
    found = np.empty(values.shape, dtype=object)
    found.reshape(-1)[:] = [int(v) for v in values.reshape(-1)]
    return found
