"""Planning: from a pilot to the blocks that a verdict will take, with the uncertainty of that.

A pilot's blocks are the first blocks of the run that is planned, so a plan continues them. How the
blocks to come are distributed is drawn from what the pilot leaves possible (a Bayesian bootstrap:
weights from a Dirichlet distribution around the pilot's counts), the run is continued on the
schedule of looks, and it ends where the confidence sequence decides. The spread of many such
continuations holds both sources of doubt: what the pilot does not know, and luck to come.

Where the state of a sequence is not a handful of counts, the pilot's blocks are resampled instead
and each resample tells how many blocks would decide if all went on as it does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis.gates import Gate, GateSums, PlaySums, judge
from analysis.pairs import PairSums
from analysis.sequential import bounded_mean_sequence, log_capital, looks

PILOT = 2048  # blocks
DRAWS = 200
RESAMPLES = 24  # a resample costs as much as some hundred draws
MOST = 1 << 26  # blocks; nobody plays on for longer
# Values that no block of the pilot had may come up: as if half a block had had each end.
_UNSEEN = 0.5


@dataclass(frozen=True, eq=False)
class Forecast:
    """Blocks at which possible continuations of a pilot come to a verdict: (draws,), ascending.

    Infinite where one has none after MOST blocks.
    """

    blocks: NDArray[np.float64]

    @classmethod
    def of(cls, blocks: NDArray[np.float64]) -> Forecast:
        """Return the forecast of continuations in any order."""
        return cls(np.sort(np.asarray(blocks, dtype=np.float64)))

    def quantile(self, p: float) -> float:
        """Return the least number of blocks that a share p of the continuations do not exceed."""
        return float(self.blocks[max(0, math.ceil(p * len(self.blocks)) - 1)])

    @property
    def median(self) -> float:
        """Blocks that half of the continuations need at most."""
        return self.quantile(0.5)

    @property
    def low(self) -> float:
        """Blocks that 5 % of the continuations need at most."""
        return self.quantile(0.05)

    @property
    def high(self) -> float:
        """Blocks that 95 % of the continuations need at most."""
        return self.quantile(0.95)

    def within(self, blocks: float) -> float:
        """Return the share of the continuations that need so many blocks at most."""
        return float((self.blocks <= blocks).mean())


def forecast_gate(
    gate: Gate,
    sums: GateSums,
    resample: Callable[[], GateSums],
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> Forecast:
    """Forecast the blocks at which a gate has its verdict.

    sums: of the pilot. resample: sums of as many blocks, drawn with replacement from the pilot's.
    A gate that the pilot decides is forecast to need the pilot's blocks.
    """
    if judge(gate, sums, forecast=False).decided:
        return Forecast(np.full(draws, float(sums.blocks)))
    if isinstance(sums, PairSums) and sums.counts_differences and gate.margin is not None:
        values, counts = sums.difference_counts()
        unit = 1 / sums.rows
        return _betting(
            values, counts, (-unit, unit), (-gate.margin, gate.margin), -1.0, gate.level, rng, draws
        )
    if isinstance(sums, PlaySums) and sums.values and gate.within is not None:
        top = sums.rows * sums.measure.metric.scale
        values = np.array(list(sums.values), dtype=np.float64) / top
        counts = np.array(list(sums.values.values()))
        return _betting(values, counts, (0.0, 1.0), gate.within, 0.0, gate.level, rng, draws)
    later = looks(MOST)
    later = later[later > sums.blocks]
    found = []
    for _ in range(min(draws, RESAMPLES)):
        # decided or not, the run itself has gone on past the pilot
        needed = sums.blocks + max(judge(gate, resample()).needs, 1.0)
        found.append(_look(later, needed))
    return Forecast.of(np.array(found))


def _look(schedule: NDArray[np.int64], blocks: float) -> float:
    """Return the first look at which so many blocks have been played."""
    place = int(np.searchsorted(schedule, blocks))
    return float(schedule[place]) if place < len(schedule) else math.inf


def possible_chances(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    ends: tuple[float, float],
    rng: np.random.Generator,
    draws: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return values (k,) and chances (draws, k) that a pilot leaves possible.

    ends: two values that count as seen by half a block more.
    """
    table = dict.fromkeys(ends, _UNSEEN)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        table[value] = table.get(value, 0.0) + count
    known = np.array(sorted(table))
    return known, rng.dirichlet([table[value] for value in known.tolist()], draws)


def _betting(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    ends: tuple[float, float],
    within: tuple[float, float],
    lowest: float,
    level: float,
    rng: np.random.Generator,
    draws: int,
) -> Forecast:
    """Continue a pilot whose state is counts of block values within [lowest, 1]."""
    known, chances = possible_chances(values, counts, ends, rng, draws)
    seen = dict(zip(values.tolist(), counts.tolist(), strict=True))
    pilot = np.array([seen.get(value, 0) for value in known.tolist()])
    blocks = int(pilot.sum())
    schedule = looks(MOST)
    schedule = schedule[schedule > blocks]
    steps = np.diff(schedule, prepend=blocks)
    counted = pilot + rng.multinomial(steps, chances[:, None, :]).cumsum(axis=1)
    unit, wanted = (known - lowest) / (1 - lowest), math.log(2 / (1 - level))
    floor, ceiling = ((end - lowest) / (1 - lowest) for end in within)

    def above(mean: float) -> NDArray[np.bool_]:
        return log_capital(unit, counted, mean) >= wanted

    def below(mean: float) -> NDArray[np.bool_]:
        return log_capital(1 - unit, counted, 1 - mean) >= wanted

    every, never = np.True_, np.False_
    inside = (above(floor) if floor > 0 else every) & (below(ceiling) if ceiling < 1 else every)
    outside = (above(ceiling) if ceiling < 1 else never) | (below(floor) if floor > 0 else never)
    decided = np.broadcast_to(inside | outside, counted.shape[:2])
    first = schedule[decided.argmax(axis=1)]
    return Forecast.of(np.where(decided.any(axis=1), first, math.inf))


def forecast_comparison(
    sums: PairSums, margin: float, level: float, rng: np.random.Generator, draws: int = DRAWS
) -> Forecast:
    """Forecast the blocks with which a comparison at a fixed number has an even chance to decide.

    level: of its interval. The effect and its variance are drawn from what the pilot leaves
    possible; the interval decides where it lies on one side of a margin.
    """
    n = sums.blocks
    # as in gates: one more block, as far from 0 as two independent plays are, counts as seen
    variance = sums.variance() + float(np.trace(sums.covariances())) / max(n, 1)
    if n < 2 or not variance > 0:
        return Forecast(np.full(draws, math.inf))
    effects = sums.effect() + rng.standard_normal(draws) * math.sqrt(variance / n)
    variances = variance * (n - 1) / rng.chisquare(n - 1, draws)
    z = float(special.ndtri((1 + level) / 2))
    with np.errstate(divide="ignore"):
        blocks = np.ceil(z * z * variances / (np.abs(effects) - margin) ** 2)
    return Forecast.of(np.where(blocks <= MOST, blocks, math.inf))


def forecast_precision(
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    precision: float,
    level: float,
    rng: np.random.Generator,
    draws: int = RESAMPLES,
) -> Forecast:
    """Forecast the look at which a share's betting sequence has a half-width of `precision`.

    values, counts: the pilot's block means within [0, 1].
    """
    known, chances = possible_chances(values, counts, (0.0, 1.0), rng, draws)
    schedule = looks(MOST)

    def reached(weights: NDArray[np.float64], blocks: int) -> bool:
        low, high = bounded_mean_sequence(known, weights * blocks, level)
        return (high - low) / 2 <= precision

    found = []
    for weights in chances:
        first, last = 0, len(schedule)  # the width falls from look to look
        while first < last:
            middle = (first + last) // 2
            if reached(weights, int(schedule[middle])):
                last = middle
            else:
                first = middle + 1
        found.append(float(schedule[first]) if first < len(schedule) else math.inf)
    return Forecast.of(np.array(found))
