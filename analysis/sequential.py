"""Confidence sequences: intervals that hold at every look at once, and the verdicts of gates.

Whatever stops early, or may stop, is judged by these and not by `intervals`. The unit is the block.

Bounded means (rates, and differences of rates) have a betting sequence, exact at any n: a gambler
who bets on "the mean is m" being wrong, at fair odds if it is right, multiplies the stake by
1 / alpha at any time with probability alpha at most (Ville's inequality); m is in the interval
while no such fortune is made. All bets are fixed beforehand, so the fortune depends only on how
often each block value was seen: the state is counts, which merge by addition and resume.
Source: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting (JRSS B,
2024), with a mixture over a grid of constant bets in place of adaptive ones.

Other means have the asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
Time-uniform central limit theory and asymptotic confidence sequences (Ann. Stat. 52, 2024).
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.intervals import UNBOUNDED, Bounds, ClusterSums

FIRST_LOOK = 1024
# Bets as shares of the stake, two per octave, from all of it to 8e-6. The best bet against a mean m
# after n blocks is about 4 m / (sigma sqrt(n)); for a rate of 1e-4 at 1e7 blocks that is 1e-5.
# A denser grid does not pay for itself, the stake is divided among all bets: measured widths are
# 1.83 times Wilson's at the same n for 2 and for 4 per octave, from about ten events on.
_BETS = 2.0 ** (-np.arange(35) / 2)
_NEVER = -1e290  # log of a fortune lost; finite, so that zero times it is zero


def looks(max_blocks: int, first: int = FIRST_LOOK) -> NDArray[np.int64]:
    """Block counts at which a run is judged: first * 2^(k/2), rounded, and max_blocks as the last.

    Raises ValueError where either is below 1.
    """
    if max_blocks < 1 or first < 1:
        raise ValueError(f"need at least one block, got max {max_blocks}, first {first}")
    steps = max(0, math.ceil(2 * math.log2(max_blocks / first)) + 1)
    schedule = np.round(first * 2.0 ** (np.arange(steps) / 2)).astype(np.int64)
    return np.append(schedule[schedule < max_blocks], max_blocks)


# ------------------------------------------------------------------------------- bounded means


def log_capital(values: ArrayLike, counts: ArrayLike, mean: float) -> NDArray[np.float64]:
    """Log fortune of the bets that the mean of values in [0, 1] is above `mean`, from stake 1.

    values: (k,) within [0, 1]; counts: (..., k). Returns (...,). The factor of one value x for the
    bet b is 1 + b * (x / mean - 1): never negative, and 1 on average if `mean` is right. It falls
    as `mean` rises, so the means it rejects are all those below some point.
    For bets that the mean is below m pass 1 - values and 1 - m.
    """
    x, c = np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    gain = x[:, None] / mean - 1
    with np.errstate(divide="ignore"):
        factors = np.maximum(np.log1p(_BETS * gain), _NEVER)
    logs = c @ factors - math.log(len(_BETS))
    top = logs.max(axis=-1)
    return top + np.log(np.exp(logs - top[..., None]).sum(axis=-1))


def _lower_bound(x: NDArray[np.float64], c: NDArray[np.float64], alpha: float) -> float:
    """Largest m known to be rejected, below which all are; 0 where none is."""
    rejected, kept = 0.0, float(x @ c / c.sum())  # at its own mean the fortune is below 1
    wanted = -math.log(alpha)
    for _ in range(45):  # to 3e-14 of the mean
        m = (rejected + kept) / 2
        if not rejected < m < kept:
            break
        if log_capital(x, c, m) >= wanted:
            rejected = m
        else:
            kept = m
    return rejected


def bounded_mean_sequence(
    values: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float = 0.0, high: float = 1.0
) -> tuple[float, float]:
    """Interval of the mean of independent blocks within [low, high], valid at every look.

    values: (k,) distinct block values; counts: (k,) how often each was seen (0 is allowed).
    Returns the ends, [low, high] where nothing was seen. Each end spends half of 1 - level.
    Raises ValueError for values outside the range, negative counts, a level outside (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    if not low < high:
        raise ValueError(f"empty range {low} to {high}")
    x, c = np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    if x.ndim != 1 or x.shape != c.shape or (c < 0).any():
        raise ValueError("values and counts must be (k,) each, counts not below 0")
    x, c = x[c > 0], c[c > 0]
    if not len(x):
        return low, high
    if not (low <= x.min() and x.max() <= high):  # also catches NaN
        raise ValueError(f"values {x.min()} to {x.max()} outside the range {low} to {high}")
    unit = (x - low) / (high - low)
    alpha = (1 - level) / 2
    below = _lower_bound(unit, c, alpha)
    above = _lower_bound(1 - unit, c, alpha)
    return low + (high - low) * below, high - (high - low) * above


# --------------------------------------------------------------------------------- other means


def asymptotic_ratio_sequence(
    sums: ClusterSums,
    level: float = 0.95,
    *,
    scale: float = 1,
    bounds: Bounds = UNBOUNDED,
    burn_in: int = FIRST_LOOK,
    best_at: float | None = None,
) -> tuple[float, float]:
    """Interval of sum(num) / sum(den) / scale over blocks, approximately valid at every look.

    It is the estimate -+ s * sqrt((n r + 1) / (n r) * log((n r + 1) / alpha^2)) with s its standard
    error, n the blocks and r chosen to make it narrowest near n = best_at. That must be fixed
    beforehand; the default is burn_in * log(burn_in), for which coverage tends to `level` as the
    burn-in grows. Before the burn-in, and where all blocks agree, it is `bounds`.
    Raises ValueError for a level outside (0, 1), a burn-in below 2, best_at not above 0.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    if burn_in < 2 or (best_at is not None and best_at <= 0):
        raise ValueError(f"need burn_in >= 2 and best_at > 0, got {burn_in} and {best_at}")
    n, variance = sums.clusters, sums.variance()
    if n < burn_in or not variance > 0:  # NaN: no denominator yet
        return bounds
    log_alpha = -2 * math.log(1 - level)
    peak = burn_in * math.log(burn_in) if best_at is None else best_at
    nr = n * (log_alpha + math.log1p(log_alpha)) / peak
    half = math.sqrt(variance * (nr + 1) / nr * (math.log1p(nr) + log_alpha)) / scale
    estimate = sums.ratio() / scale
    return max(bounds[0], estimate - half), min(bounds[1], estimate + half)


def asymptotic_mean_sequence(
    n: int,
    total: float,
    sumsq: float,
    level: float = 0.95,
    *,
    bounds: Bounds = UNBOUNDED,
    burn_in: int = FIRST_LOOK,
    best_at: float | None = None,
) -> tuple[float, float]:
    """Interval of a mean from n independent blocks, their sum and sum of squares, at every look.

    As `asymptotic_ratio_sequence`. For bounded values `bounded_mean_sequence` holds exactly.
    """
    return asymptotic_ratio_sequence(
        ClusterSums(n, total, n, sumsq, n, total),
        level,
        bounds=bounds,
        burn_in=burn_in,
        best_at=best_at,
    )


# ------------------------------------------------------------------------------------ verdicts


class Verdict(StrEnum):
    """What a gate says: the first three and UNDECIDED of a margin, the others of a range."""

    EQUIVALENT = "EQUIVALENT"
    CHANGED_UP = "CHANGED_UP"
    CHANGED_DOWN = "CHANGED_DOWN"
    PASS = "PASS"
    FAIL = "FAIL"
    UNDECIDED = "UNDECIDED"

    @property
    def holds(self) -> bool | None:
        """True where the gate holds, False where it fails, None where it is undecided."""
        if self is Verdict.UNDECIDED:
            return None
        return self in (Verdict.EQUIVALENT, Verdict.PASS)


def gate_verdict(
    low: float,
    high: float,
    *,
    margin: float | None = None,
    within: tuple[float, float] | None = None,
) -> Verdict:
    """Verdict of a gate, read off the interval [low, high] of a confidence sequence.

    margin: the change must stay within [-margin, margin]. within: the figure must stay in a range.
    An interval inside decides for the gate, one wholly outside against it; touching the border is
    inside. Raises ValueError unless exactly one of margin and within is given and is not empty.
    """
    if (margin is None) == (within is None):
        raise ValueError("give either a margin or a range")
    if margin is not None:
        if margin <= 0:
            raise ValueError(f"margin must be above 0, got {margin}")
        inside, up, down = Verdict.EQUIVALENT, Verdict.CHANGED_UP, Verdict.CHANGED_DOWN
        floor, ceiling = -margin, margin
    if within is not None:
        inside, up, down = Verdict.PASS, Verdict.FAIL, Verdict.FAIL
        floor, ceiling = within
        if not floor < ceiling:
            raise ValueError(f"empty range {floor} to {ceiling}")
    if floor <= low and high <= ceiling:
        return inside
    if low > ceiling:
        return up
    if high < floor:
        return down
    return Verdict.UNDECIDED
