"""Methods against data whose truth is known, to see whether they keep their promises.

An experiment draws synthetic data many times, puts them through the code that answers real
questions, and counts what must be rare (an interval that misses the truth, a gate that raises a
false alarm) or common (a planted change that is found). Each row of the result is one promise with
what was observed. A row fails where the observed share contradicts the promise at a confidence
that leaves a false failure of the whole suite a chance of less than `BUDGET`.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95
ALPHA = 0.05
# What intervals that are exact only in the limit may miss instead: a quarter more.
NEARLY = 0.0625
BUDGET = 1e-6
COLUMNS = (
    *("part", "what", "at_least", "at_most", "observed", "low", "high", "level"),
    *("repetitions", "holds"),
)


@dataclass(frozen=True)
class Tally:
    """How often something happened in independent trials."""

    events: int
    trials: int


@dataclass(frozen=True, eq=False)
class Errors:
    """Estimate minus truth of independent trials, in standard errors: (trials,)."""

    values: NDArray[np.float64]


@dataclass(frozen=True)
class Promise:
    """What a row says: `what`, observed, must lie between at_least and at_most.

    For a `Tally` they bound the chance of the event, for `Errors` the mean error.
    """

    what: str
    at_most: float | None = None
    at_least: float | None = None


Run = Callable[[np.random.Generator, int, float], Sequence[Tally | Errors]]
"""Generator of the data, repetitions, level asked of the methods -> an outcome a promise."""


@dataclass(frozen=True)
class Experiment:
    """Data of one kind, drawn again and again, and what is promised about them.

    ci, long: repetitions in the short and in the long mode.
    """

    part: str
    promises: tuple[Promise, ...]
    run: Run
    ci: int = 200
    long: int = 2000


Progress = Callable[[str, int, int], None]


def perform(
    experiments: Iterable[Experiment],
    *,
    long: bool = False,
    seed: int = 0,
    level: float = LEVEL,
    rows: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Perform experiments; a row a promise, in their order.

    rows: among how many promises the `BUDGET` is divided; these, unless they are part of a suite.

    Columns: part, what, at_least, at_most, observed, low, high, level (of the interval low to
    high that the row is judged by), repetitions, holds. level: what the methods are asked for; the
    promises are those of `LEVEL` whatever it is, so that a test can see them broken.
    """
    todo = list(experiments)
    shared = promises(todo) if rows is None else rows
    found = []
    for done, experiment in enumerate(todo):
        if progress is not None:
            progress(experiment.part, done, len(todo))
        name = "; ".join([experiment.part, *(p.what for p in experiment.promises)])
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        repetitions = experiment.long if long else experiment.ci
        outcomes = experiment.run(rng, repetitions, level)
        for promise, outcome in zip(experiment.promises, outcomes, strict=True):
            found.append(judged(experiment.part, promise, outcome, BUDGET / shared))
    return pd.DataFrame.from_records(found, columns=list(COLUMNS)).astype(
        dict.fromkeys(("at_least", "at_most", "observed", "low", "high", "level"), "float64")
    )


def promises(experiments: Iterable[Experiment]) -> int:
    """Return how many promises experiments have."""
    return sum(len(experiment.promises) for experiment in experiments)


def judged(part: str, promise: Promise, outcome: Tally | Errors, risk: float) -> dict[str, object]:
    """Judge one promise; a promise that is kept fails with a probability of at most `risk`.

    Shares have Clopper and Pearson's interval, from scipy and not from the code under test, mean
    errors the normal one, whose trials are themselves means of thousands of blocks.
    """
    if isinstance(outcome, Tally):
        observed, trials = outcome.events / outcome.trials, outcome.trials
        ends = stats.binomtest(outcome.events, trials).proportion_ci(1 - risk, method="exact")
        low, high = float(ends.low), float(ends.high)
    else:
        observed, trials = float(outcome.values.mean()), len(outcome.values)
        half = float(stats.norm.isf(risk / 2) * outcome.values.std(ddof=1)) / math.sqrt(trials)
        low, high = observed - half, observed + half
    below = promise.at_least is not None and high < promise.at_least
    above = promise.at_most is not None and low > promise.at_most
    return {
        "part": part,
        "what": promise.what,
        "at_least": promise.at_least,
        "at_most": promise.at_most,
        "observed": observed,
        "low": low,
        "high": high,
        "level": 1 - risk,
        "repetitions": trials,
        "holds": not (below or above),
    }
