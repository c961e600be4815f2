"""Cells of a sweep: additive sums of one cell, its figures, and whether it meets the targets.

Every cell is played on the deals of the base. A target asks for a figure within a range; the
verdict of a cell is read off intervals: confidence sequences where cells stop at different looks,
fixed-n intervals where all play the same number of games. P(all targets met) is the probability
that the figures lie in their ranges under the joint normal of the cell's block means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.designs import Cell, Factor
from analysis.intervals import (
    SHARE,
    UNBOUNDED,
    ClusterSums,
    Interval,
    clustered_ratio,
    clustered_share,
)
from analysis.joint import JointSums
from analysis.measures import BlockValues, Measure, RankCounts, block_values
from analysis.pairs import PairSums
from analysis.sequential import (
    Verdict,
    asymptotic_ratio_sequence,
    bounded_mean_sequence,
    gate_verdict,
)
from sim.batch import Chunk

DRAWS = 10_000
BETTING = "confidence sequence by betting"
ASYMPTOTIC = "asymptotic confidence sequence"


@dataclass(frozen=True)
class Condition:
    """A range for the mean of block values: what a target comes to.

    at_most: None for the measure itself; else the share of rows that are at most this number (in
    the row's own whole units), by which a quantile is judged.
    """

    measure: Measure
    low: float
    high: float
    at_most: int | None = None

    @property
    def is_share(self) -> bool:
        """Whether the mean lies in [0, 1] block by block."""
        return self.at_most is not None or self.measure.is_share

    @property
    def scale(self) -> int:
        """What the mean of the rows is divided by."""
        return 1 if self.at_most is not None else self.measure.metric.scale

    def block_values(
        self, games: NDArray, seats: NDArray, *, rotations: int, labels: tuple[str, ...]
    ) -> BlockValues:
        """Return the sums of every block."""
        if self.at_most is not None:
            field = self.measure.metric.value
            if self.measure.metric.table == "game":
                games = games.copy()
                games[field] = games[field] <= self.at_most
            else:
                seats = seats.copy()
                seats[field] = seats[field] <= self.at_most
        mean = replace(self.measure, statistic="mean")
        return block_values(mean, games, seats, rotations=rotations, labels=labels)


@dataclass(frozen=True)
class Target:
    """What is wanted of a cell: a figure within [low, high]."""

    name: str
    measure: Measure
    low: float
    high: float

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The target as ranges of means.

        The p-quantile, the least value that a share p does not exceed, is at most `high` where
        P(x <= high) >= p, and at least `low` where P(x < low) < p.
        """
        p, scale = self.measure.quantile, self.measure.metric.scale
        if p is None:
            return (Condition(self.measure, self.low, self.high),)
        found = []
        if math.isfinite(self.high):
            found.append(Condition(self.measure, p, math.inf, math.floor(self.high * scale)))
        if math.isfinite(self.low):
            below = math.nextafter(p, 0.0)
            found.append(Condition(self.measure, -math.inf, below, math.ceil(self.low * scale) - 1))
        return tuple(found)


@dataclass(frozen=True)
class Asked:
    """What is summed of every cell: measures that are shown, and targets.

    labels: the base's lineup; a cell that sets a strategy's weight keeps them, slot by slot.
    """

    measures: tuple[Measure, ...]
    targets: tuple[Target, ...]
    rotations: int
    labels: tuple[str, ...]

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of all targets, one after the other."""
        return tuple(one for target in self.targets for one in target.conditions)

    def reduce(self, chunks: tuple[Chunk, ...]) -> CellSums:
        """Sum a cell's chunk and the base's chunk of the same games."""
        cell, base = chunks

        def values(one: Condition) -> BlockValues:
            return one.block_values(
                cell.games, cell.seats, rotations=self.rotations, labels=self.labels
            )

        met = [values(one) for one in self.conditions]
        shown = [Condition(one, -math.inf, math.inf) for one in self.measures]
        counts = [_counts(one, block) for one, block in zip(self.conditions, met, strict=True)]
        counts += [
            None if one.measure.quantile is not None else _counts(one, values(one)) for one in shown
        ]
        return CellSums(
            JointSums.of(met) if met else None,
            tuple(counts),
            tuple(
                PairSums.of(
                    measure,
                    cell,
                    base,
                    rotations=self.rotations,
                    changed_labels=self.labels,
                    base_labels=self.labels,
                )
                for measure in self.measures
            ),
        )


@dataclass(frozen=True)
class Counted:
    """How often each sum of a block was seen, for a share with blocks of `rows` rows."""

    rows: int
    counts: Mapping[int, int]

    def __add__(self, other: Counted) -> Counted:
        if self.rows != other.rows:
            raise ValueError("blocks of different size do not add up")
        merged = dict(self.counts)
        for value, count in other.counts.items():
            merged[value] = merged.get(value, 0) + count
        return Counted(self.rows, merged)

    def sequence(self, level: float, scale: int) -> tuple[float, float]:
        """Return the betting sequence of the share."""
        values = sorted(self.counts)
        shares = np.array(values, dtype=np.float64) / (self.rows * scale)
        return bounded_mean_sequence(shares, [self.counts[v] for v in values], level)


def _counts(one: Condition, values: BlockValues) -> Counted | None:
    """Count the block sums of a share; None for what is no share, or blocks of unequal size."""
    if not one.is_share or values.den is not None:
        return None
    found, counts = np.unique(values.num, return_counts=True)
    return Counted(values.rows, dict(zip(found.tolist(), counts.tolist(), strict=True)))


@dataclass(frozen=True, eq=False)
class CellSums:
    """Everything about one cell, additive.

    joint: the targets' conditions over the same blocks (None without targets). counts: for each
    condition, then each measure, how often each block sum was seen; None where that is no state of
    a sequence. pairs: each measure in the cell and in the base.
    """

    joint: JointSums | None
    counts: tuple[Counted | None, ...]
    pairs: tuple[PairSums, ...]

    def __add__(self, other: CellSums) -> CellSums:
        counts = []
        for a, b in zip(self.counts, other.counts, strict=True):
            counts.append(None if a is None or b is None else a + b)
        joint = self.joint
        if joint is not None and other.joint is not None:
            joint = joint + other.joint
        pairs = tuple(a + b for a, b in zip(self.pairs, other.pairs, strict=True))
        return CellSums(joint, tuple(counts), pairs)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CellSums)
            and self.joint == other.joint
            and self.counts == other.counts
            and self.pairs == other.pairs
        )


# ------------------------------------------------------------------------------------- figures


def figure(pair: PairSums, counted: Counted | None, level: float, *, sequential: bool) -> Interval:
    """Return a measure in the cell, with its interval.

    sequential: an interval that holds at every look at once, else one for a number of games that
    was fixed beforehand.
    """
    measure, n = pair.measure, pair.blocks
    if pair.ranks is not None:
        return _quantile(measure, pair.ranks[0], level, sequential=sequential)
    sums, scale = pair.one(True), measure.metric.scale
    bounds = SHARE if measure.is_share else UNBOUNDED
    if not sequential:
        interval = clustered_share if measure.is_share else clustered_ratio
        return interval(sums, level, scale=scale)
    estimate = sums.ratio() / scale
    if counted is not None:
        return Interval(estimate, *counted.sequence(level, scale), level, n, BETTING)
    ends = asymptotic_ratio_sequence(sums, level, scale=scale, bounds=bounds)
    return Interval(estimate, *ends, level, n, ASYMPTOTIC)


def _quantile(measure: Measure, ranks: RankCounts, level: float, *, sequential: bool) -> Interval:
    """Interval of a quantile: all values whose share of rows up to them may be p.

    P(x <= v) rises with v, so both ends are found by the intervals of that share.
    """
    p = measure.quantile
    assert p is not None
    values = ranks.values
    rows = len(ranks.counts)

    def share(place: int) -> tuple[float, float]:
        shares, counts = ranks.shares_below(float(values[place]))
        if sequential:
            return bounded_mean_sequence(shares, counts, level)
        k = np.round(shares * rows).astype(int).tolist()
        c = counts.tolist()
        total = sum(a * b for a, b in zip(k, c, strict=True))
        squares = sum(a * a * b for a, b in zip(k, c, strict=True))
        n = sum(c)
        sums = ClusterSums(n, total, n * rows, squares, n * rows * rows, total * rows)
        found = clustered_share(sums, level)
        return found.low, found.high

    first = _least(len(values), lambda place: share(place)[1] >= p)
    last = _least(len(values), lambda place: share(place)[0] >= p)
    scale = measure.metric.scale
    low = float(values[min(first, len(values) - 1)]) / scale
    high = float(values[last]) / scale if last < len(values) else math.inf
    name = BETTING if sequential else "quantile by shares up to it"
    return Interval(ranks.quantile(p) / scale, low, high, level, ranks.blocks, name)


def _least(size: int, holds: object) -> int:
    """Return the least index for which a rising condition holds; size where it never does."""
    assert callable(holds)
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def difference(pair: PairSums, level: float, *, sequential: bool) -> Interval | None:
    """Return cell minus base with its paired interval; None for quantiles."""
    measure, n = pair.measure, pair.blocks
    if pair.ranks is not None:
        return None
    effect = pair.effect()
    bounds = (-1.0, 1.0) if measure.is_share else UNBOUNDED
    if sequential and pair.counts_differences:
        values, counts = pair.difference_counts()
        ends = bounded_mean_sequence(values, counts, level, -1.0, 1.0)
        return Interval(effect, *ends, level, n, BETTING)
    if n < 2 or math.isnan(effect):
        return Interval(effect, *bounds, level, n, "too few blocks")
    squares = (n - 1) * pair.variance() + n * effect**2
    sums = ClusterSums(n, n * effect, n, squares, n, n * effect)
    if sequential:
        ends = asymptotic_ratio_sequence(sums, level, bounds=bounds)
        return Interval(effect, *ends, level, n, ASYMPTOTIC)
    return clustered_ratio(sums, level, bounds=bounds, method="Student on block differences")


# ------------------------------------------------------------------------------------- targets


def shared_level(level: float, asked: Asked) -> float:
    """Return the level of each condition's interval, so that all together have `level`."""
    return 1 - (1 - level) / max(1, len(asked.conditions))


def verdicts(
    sums: CellSums, asked: Asked, level: float, *, sequential: bool
) -> tuple[Verdict, ...]:
    """Return PASS, FAIL or UNDECIDED for each target, the error rate shared among them."""
    each = shared_level(level, asked)
    found = []
    place = 0
    for target in asked.targets:
        judged = []
        for one in target.conditions:
            ends = _ends(sums, place, one, each, sequential=sequential)
            judged.append(gate_verdict(*ends, within=(one.low, one.high)))
            place += 1
        if Verdict.FAIL in judged:
            found.append(Verdict.FAIL)
        else:
            held = all(one is Verdict.PASS for one in judged)
            found.append(Verdict.PASS if held else Verdict.UNDECIDED)
    return tuple(found)


def _ends(
    sums: CellSums, place: int, one: Condition, level: float, *, sequential: bool
) -> tuple[float, float]:
    joint, counted = sums.joint, sums.counts[place]
    assert joint is not None
    if sequential and counted is not None:
        return counted.sequence(level, one.scale)
    m = joint.figures
    t, p = joint.totals, joint.products
    a, b = place, m + place
    cluster = ClusterSums(
        joint.blocks, int(t[a]), int(t[b]), int(p[a, a]), int(p[b, b]), int(p[a, b])
    )
    bounds = SHARE if one.is_share else UNBOUNDED
    if sequential:
        return asymptotic_ratio_sequence(cluster, level, scale=one.scale, bounds=bounds)
    found = (clustered_share if one.is_share else clustered_ratio)(cluster, level, scale=one.scale)
    return found.low, found.high


def overall(found: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a cell: all targets met, one missed, or open."""
    if Verdict.FAIL in found:
        return Verdict.FAIL
    return Verdict.PASS if all(one is Verdict.PASS for one in found) else Verdict.UNDECIDED


def standard_normals(seed: int, conditions: int) -> NDArray[np.float64]:
    """Return the draws (DRAWS, conditions) that all cells of a sweep share."""
    return np.random.default_rng([seed, DRAWS]).standard_normal((DRAWS, conditions))


def probability(
    joint: JointSums, conditions: Sequence[Condition], normals: NDArray[np.float64]
) -> float:
    """Return the probability that all conditions are met: the joint normal of the block means.

    normals: (draws, conditions) standard normal draws. NaN where a figure cannot be told.
    """
    scales = np.array([one.scale for one in conditions], dtype=np.float64)
    means = joint.means() / scales
    spread = joint.covariance() / np.outer(scales, scales)
    if np.isnan(means).any() or np.isnan(spread).any():
        return math.nan
    roots, vectors = np.linalg.eigh(spread)
    draws = means + normals @ (vectors * np.sqrt(np.clip(roots, 0.0, None))).T
    lows = np.array([one.low for one in conditions])
    highs = np.array([one.high for one in conditions])
    return float(((draws >= lows) & (draws <= highs)).all(axis=1).mean())


def cost_of(cell: Cell, factors: Sequence[Factor]) -> float:
    """Return what a change from the base to a cell costs: each factor's cost by its share moved."""
    return math.fsum(
        factor.cost * factor.moved(value) for factor, value in zip(factors, cell, strict=True)
    )


def shortlist(
    costs: Sequence[float], chances: Sequence[float], level: float, most: int = 3
) -> list[int]:
    """Return the cheapest cell that meets the targets with probability `level`, and its rivals.

    The next cheapest that do, then those with the best chances. Where none meets them the best
    chances lead. Ties go to the better chance, then to the earlier cell.
    """
    cells = range(len(costs))
    known = [cell for cell in cells if not math.isnan(chances[cell])]
    meet = sorted(
        (cell for cell in known if chances[cell] >= level),
        key=lambda cell: (costs[cell], -chances[cell], cell),
    )
    rest = sorted(
        (cell for cell in known if chances[cell] < level),
        key=lambda cell: (-chances[cell], costs[cell], cell),
    )
    return (meet + rest)[:most]
