"""What each of many things is worth, from few plays: all are denied at once, at random.

To deny one thing to one seat takes a play for each thing and seat. In a trial each play denies a
random part of all things to each seat, another part to each, so that every game tells something
of every thing: a factorial experiment, analysed by least squares. A thing's effect is then the
average over games in which others are missing as well (with a half of them missing it would be
the thing's Banzhaf value). The unit is a seat of a play; what it wins in all games is one number.
What is left over around the fitted numbers holds the luck of the games and whatever combinations
of things do beyond the sum of their effects, and both are in the intervals. Combinations are the
larger part once a play has some hundred games; more plays help then, more games a play do not.

Source: Box, Hunter and Hunter, Statistics for Experimenters, 2nd ed., chapters 5 and 10, for
designs and their analysis; the balance of the design is by random permutations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from analysis.intervals import Interval, simultaneous_level
from sim.batch import Chunk
from sim.wording import counted

Floats = NDArray[np.float64]


def denial(things: int, seats: int, plays: int, share: float, seed: int) -> NDArray[np.bool_]:
    """Which things each play denies to each seat, shape (plays, seats, things).

    Each thing is denied to each seat in round(share * plays) plays, drawn at random apart for
    every seat and thing, so that no two go together. seats 1 is for what is denied to the table.
    Raises ValueError where no play, or every play, would deny a thing.
    """
    denied = round(share * plays)
    if not 0 < denied < plays:
        raise ValueError(
            f"{denied} of {counted(plays, 'play')} would deny a thing: nothing to compare"
        )
    random = np.random.default_rng(seed)
    order = random.random((plays, seats, things)).argsort(axis=0)
    return order < denied


@dataclass(frozen=True, eq=False)
class Fit:
    """Least squares of one number on several.

    coefficients: (k,). inverse: (k, k), of the regressors' products. variance: of what is left
    over; df: its degrees of freedom. rows: how many observations.
    """

    coefficients: Floats
    inverse: Floats
    variance: float
    df: int
    rows: int

    def error(self, weights: ArrayLike) -> float:
        """Standard error of a weighted sum of coefficients."""
        w = np.asarray(weights, float)
        return math.sqrt(max(0.0, float(w @ self.inverse @ w)) * self.variance)

    def interval(
        self, weights: ArrayLike, level: float, together: int = 1, *, method: str
    ) -> Interval:
        """Student interval of a weighted sum of coefficients, one of `together` (Bonferroni)."""
        estimate = float(np.asarray(weights, float) @ self.coefficients)
        return student(estimate, self.error(weights), self.df, level, together, self.rows, method)


def student(
    estimate: float, error: float, df: int, level: float, together: int, n: int, method: str
) -> Interval:
    """Student's interval of an estimate with this standard error, one of `together`."""
    alpha = 1 - simultaneous_level(level, together)
    half = -float(special.stdtrit(df, alpha / 2)) * error
    if together > 1:
        method = f"{method}; {together} at once (Bonferroni)"
    return Interval(estimate, estimate - half, estimate + half, level, n, method)


def least_squares(regressors: Floats, outcome: Floats, lost: int = 0) -> Fit:
    """Fit outcome (m,) by regressors (m, k). lost: degrees of freedom already spent.

    Raises ValueError where too few rows, or regressors that depend on each other, leave nothing
    to estimate the spread from.
    """
    rows, k = regressors.shape
    df = rows - lost - k
    if df < 1:
        raise ValueError(
            f"{counted(rows, 'row')}, {lost} of them spent, cannot tell {k} effects apart"
        )
    gram = regressors.T @ regressors
    if np.linalg.matrix_rank(gram) < k:
        raise ValueError("some effects cannot be told apart: their regressors depend on each other")
    inverse: Floats = np.asarray(np.linalg.inv(gram), np.float64)
    coefficients: Floats = np.asarray(inverse @ (regressors.T @ outcome), np.float64)
    rest = outcome - regressors @ coefficients
    return Fit(coefficients, inverse, float(rest @ rest) / df, df, rows)


def centred(values: Floats) -> Floats:
    """Values (plays, seats, ...) less the play's mean, then less the seat's mean of that."""
    apart = values - values.mean(axis=1, keepdims=True)
    return apart - apart.mean(axis=0, keepdims=True)


def seat_fit(wins: Floats, denied: NDArray[np.bool_] | Floats) -> Fit:
    """Fit what a seat wins by what it is denied; coefficients as in `seat_worth`.

    wins: (plays, seats) shares of games. denied: (plays, seats, things), or how many things of
    each class. What one seat loses the others win, so seats are compared within their play: the
    mean of the play drops out, and with it the dependence between its seats.
    """
    plays, seats = wins.shape
    own = centred(np.asarray(denied, float)).reshape(plays * seats, -1)
    rest = centred(wins).reshape(plays * seats)
    return least_squares(own, rest, lost=plays + seats - 1)


def seat_worth(thing: int, things: int, seats: int) -> Floats:
    """Weights of `seat_fit`'s coefficients: what a thing is worth to one seat that may have it.

    A seat that alone is denied something is denied 1 - 1/seats more than the mean of its play.
    """
    weights = np.zeros(things)
    weights[thing] = -(1 - 1 / seats)
    return weights


def one_seat_fit(wins: Floats, denied: Floats, seat: int) -> Fit:
    """Fit what one seat wins by how much of each class it, and all others, are denied.

    wins: (plays, seats). denied: (plays, seats, classes). Coefficients: of its own classes, of
    those of the others, and a constant.
    """
    own = denied[:, seat]
    others = denied.sum(axis=1) - own
    table = np.concatenate([own, others, np.ones((len(own), 1))], axis=1)
    return least_squares(table, wins[:, seat])


def table_fit(outcome: Floats, denied: NDArray[np.bool_]) -> Fit:
    """Fit a number of each play (plays,) by what is missing from the table (plays, things).

    Coefficients: of the things, then a constant.
    """
    table = np.concatenate([denied.astype(float), np.ones((len(denied), 1))], axis=1)
    return least_squares(table, outcome)


def plays_for(things: int, spare: int, a_play: int = 1) -> int:
    """Return how many plays a trial needs, a multiple of 16.

    spare: degrees of freedom wanted beside one for each thing. a_play: how many a play gives.
    """
    return 16 * math.ceil((things + spare) / a_play / 16)


@dataclass(frozen=True, eq=False)
class TrialSums:
    """Additive sums of the plays of a trial.

    games: (plays,). wins: (plays, seats) twelfths. length: (plays,) sum of a field of the games'
    rows. taken: (plays, things) player games in which a thing was taken.
    """

    games: NDArray[np.int64]
    wins: NDArray[np.int64]
    length: NDArray[np.int64]
    taken: NDArray[np.int64]

    @classmethod
    def of(
        cls, chunks: Sequence[Chunk], length: str, counter: str, numbers: Sequence[int]
    ) -> TrialSums:
        """Sum chunks, one a play. counter: by [replicate, slot, number, ...]."""
        return cls(
            np.array([len(chunk.games) for chunk in chunks], np.int64),
            np.array([chunk.seats["win"].sum(axis=0, dtype=np.int64) for chunk in chunks]),
            np.array([chunk.games[length].sum(dtype=np.int64) for chunk in chunks]),
            np.array(
                [
                    chunk.counters[counter][..., 0].sum(axis=(0, 1))[list(numbers)]
                    for chunk in chunks
                ]
            ),
        )

    def __add__(self, other: TrialSums) -> TrialSums:
        return TrialSums(
            self.games + other.games,
            self.wins + other.wins,
            self.length + other.length,
            self.taken + other.taken,
        )

    @staticmethod
    def joined(parts: Sequence[TrialSums]) -> TrialSums:
        """Return the plays of several groups one after the other."""
        return TrialSums(
            np.concatenate([part.games for part in parts]),
            np.concatenate([part.wins for part in parts]),
            np.concatenate([part.length for part in parts]),
            np.concatenate([part.taken for part in parts]),
        )
