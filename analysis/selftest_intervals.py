"""Experiments on intervals at a fixed number of games: how often they miss the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import comparison, intervals, paired, synthetic, trials
from analysis.intervals import SHARE, ClusterSums, Interval
from analysis.measures import Measure
from analysis.moments import Moments
from analysis.paired import BlockSums, Column
from analysis.pairs import PairSums
from analysis.selftest import ALPHA, NEARLY, Errors, Experiment, Promise, Run, Tally
from analysis.synthetic import HITS, LABELS, LENGTH, METRICS, PLAYERS, WIN, Pair
from sim.game import WIN_UNIT

PART = "interval"
EXACT, APPROXIMATE = ALPHA, NEARLY
_MANY = {"ci": 2000, "long": 20_000}

Counted = Callable[[int, int, float], Interval]
Summed = Callable[[ClusterSums, float], Interval]


def _missed(interval: Interval, truth: float) -> bool:
    return not interval.contains(truth)


# ---------------------------------------------------------------------------------------- rates


def _rate(method: Counted, p: float, n: int) -> Run:
    """Misses of an interval of a rate p from n games."""

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        seen, times = np.unique(rng.binomial(n, p, repetitions), return_counts=True)
        missed = [
            t for k, t in zip(seen, times, strict=True) if _missed(method(int(k), n, level), p)
        ]
        return [Tally(int(sum(missed)), repetitions)]

    return run


def _one_sided(method: Callable[[int, float], Interval], p: float, n: int, events: int) -> Run:
    """Misses of the bound that a rate p has where n games had no event, or nothing else."""

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        alike = int((rng.binomial(n, p, repetitions) == events).sum())
        return [Tally(alike if _missed(method(n, level), p) else 0, repetitions)]

    return run


def _rates() -> list[Experiment]:
    def one(what: str, most: float, run: Run) -> Experiment:
        return Experiment(PART, (Promise(what, most),), run, **_MANY)

    n = 2000
    return [
        one("Wilson, rate 25 %", APPROXIMATE, _rate(intervals.wilson, 0.25, n)),
        one("Wilson, rate 1 %", APPROXIMATE, _rate(intervals.wilson, 0.01, n)),
        one("Clopper-Pearson, rate 25 %", EXACT, _rate(intervals.clopper_pearson, 0.25, n)),
        one("Clopper-Pearson, 4 events", EXACT, _rate(intervals.clopper_pearson, 0.002, n)),
        one("the rate's method, 25 %", APPROXIMATE, _rate(intervals.rate, 0.25, n)),
        one("the rate's method, 3 events", APPROXIMATE, _rate(intervals.rate, 0.0015, n)),
        one("the rate's method, 0.2 events", APPROXIMATE, _rate(intervals.rate, 0.0001, n)),
        # none is seen with chance 13.5 %, and the bound, 3 / n, must then cover the rate
        one("bound, no event seen", EXACT, _one_sided(intervals.no_events, 2 / n, n, 0)),
        one("bound, only events seen", EXACT, _one_sided(intervals.only_events, 1 - 2 / n, n, n)),
    ]


# ------------------------------------------------------------------------------ means and ratios


def _summed(method: Summed, values: NDArray[np.int64], chances: NDArray[np.float64], n: int) -> Run:
    """Misses of a ratio of sums over n clusters; values (k, 2): a cluster's num and den."""
    num, den = values.T
    truth = float(num @ chances) / float(den @ chances)

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        missed = 0
        squares = np.array([num, den, num * num, den * den, num * den])
        for sums in (rng.multinomial(n, chances, repetitions) @ squares.T).tolist():
            missed += _missed(method(ClusterSums(n, *sums), level), truth)
        return [Tally(missed, repetitions)]

    return run


def _mean_of_sums(sums: ClusterSums, level: float) -> Interval:
    return intervals.student_mean(sums.clusters, sums.num, sums.num2, level)


def _share_of_sums(sums: ClusterSums, level: float) -> Interval:
    return intervals.clustered_share(sums, level)


def _bounded_ratio(sums: ClusterSums, level: float) -> Interval:
    return intervals.clustered_ratio(sums, level, bounds=SHARE)


def _replicates(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Misses of a ratio from the totals of 32 replicates, the rate of each a little different."""
    den = rng.poisson(200, (repetitions, 32))
    num = rng.binomial(den, rng.choice([0.28, 0.32], (repetitions, 32)))
    ends = [intervals.replicate_ratio(a, b, level) for a, b in zip(num, den, strict=True)]
    return [Tally(sum(_missed(end, 0.3) for end in ends), repetitions)]


def _means() -> list[Experiment]:
    def one(
        what: str, method: Summed, values: list[list[int]], chances: list[float], n: int
    ) -> Experiment:
        run = _summed(method, np.array(values), np.array(chances), n)
        return Experiment(PART, (Promise(what, APPROXIMATE),), run, **_MANY)

    length = [[value, 1] for value in range(len(synthetic.LENGTHS))]
    wins = [[k, 4] for k in range(5)]
    # rolls of a block and those that hit, by the sort of deal
    hits = [[h, r] for h, r in ((0, 3), (1, 4), (2, 4), (3, 8), (2, 9), (6, 12))]
    return [
        one("Student, mean of 1024 blocks", _mean_of_sums, length, [*synthetic.LENGTHS], 1024),
        one("Student, mean of 16 blocks", _mean_of_sums, length, [*synthetic.LENGTHS], 16),
        one(
            "ratio over blocks, 256 blocks",
            _bounded_ratio,
            hits,
            [0.3, 0.2, 0.15, 0.15, 0.1, 0.1],
            256,
        ),
        one(
            "share over blocks, wins of 512 blocks",
            _share_of_sums,
            wins,
            [0.35, 0.4, 0.2, 0.04, 0.01],
            512,
        ),
        one(
            "share over blocks, 12 blocks of 2048 with events",
            _share_of_sums,
            wins,
            [1 - 12 / 2048, 8 / 2048, 3 / 2048, 1 / 2048, 0.0],
            2048,
        ),
        Experiment(
            PART,
            (Promise("replicates, ratio of 32", APPROXIMATE),),
            _replicates,
            ci=1000,
            long=10_000,
        ),
    ]


# ------------------------------------------------------------------------------------ quantiles


def _quantile(p: float, n: int) -> Run:
    """Misses of the p-quantile of n independent lengths."""
    values, chances = np.arange(len(synthetic.LENGTHS)), synthetic.LENGTHS
    truth = synthetic.length_quantile(p)

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        missed = 0
        for counts in rng.multinomial(n, chances, repetitions):
            missed += _missed(intervals.histogram_quantile(values, counts, p, level), truth)
        return [Tally(missed, repetitions)]

    return run


def _quantiles() -> list[Experiment]:
    return [
        Experiment(
            PART,
            (Promise(f"order statistics, {name} of {n}", EXACT),),
            _quantile(p, n),
            ci=1000,
            long=10_000,
        )
        for name, p, n in (("median", 0.5, 1000), ("95 % quantile", 0.95, 1000))
    ]


# ------------------------------------------------------------------------- rows of a made-up game

_BLOCKS = 512
_FIGURES: tuple[tuple[str, str, int | None, str | None, float], ...] = (
    ("win_rate", "mean", 1, None, synthetic.WIN_RATES[1]),
    ("win_rate", "mean", None, "weak", synthetic.WIN_RATES["weak"]),
    ("length", "mean", None, None, synthetic.LENGTH_MEAN),
    ("length", "sd", None, None, synthetic.LENGTH_SD),
    ("length", "q50", None, None, synthetic.length_quantile(0.5)),
    ("length", "q95", None, None, synthetic.length_quantile(0.95)),
    ("hits_per_roll", "mean", None, None, synthetic.HIT_RATE),
)


def _play(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Misses of the figures that `assay play` prints, from rotated blocks of four games."""
    missed = [0] * len(_FIGURES)
    for _ in range(repetitions):
        made = synthetic.rows(rng, _BLOCKS)
        sums = Moments.of(made.games, made.seats, METRICS, rotations=PLAYERS, labels=LABELS)
        found = {
            (
                row.metric,
                row.statistic,
                None if pd.isna(row.seat) else int(row.seat),
                None if pd.isna(row.strategy) else row.strategy,
            ): row
            for row in sums.estimates(level).itertuples()
        }
        for place, (metric, statistic, seat, strategy, truth) in enumerate(_FIGURES):
            row = found[metric, statistic, seat, strategy]
            missed[place] += not row.low <= truth <= row.high
    return [Tally(count, repetitions) for count in missed]


_PAIRED: tuple[tuple[Measure, float], ...] = (
    (Measure(WIN, seat=1), synthetic.MOVED * (1 - synthetic.WIN_RATES[1])),
    (Measure(HITS), -0.1 * synthetic.HIT_RATE),
    (Measure(LENGTH, statistic="q50"), float(synthetic.MEDIAN_LONGER)),
)
_EFFECT = Column(1, "win", seat=1)


def _compare(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally | Errors]:
    """Misses of paired effects between two plays of the same rotated blocks, and their bias."""
    missed = [0] * (len(_PAIRED) + 1)
    errors: list[list[float]] = [[], []]
    for _ in range(repetitions):
        base = synthetic.rows(rng, _BLOCKS)
        other = synthetic.changed(rng, base)
        for place, (measure, truth) in enumerate(_PAIRED):
            sums = PairSums.of(
                measure, other, base, rotations=PLAYERS, changed_labels=LABELS, base_labels=LABELS
            )
            found = comparison.effect_interval(sums, level)
            missed[place] += _missed(found, truth)
            if place < len(errors):
                errors[place].append(found.estimate - truth)
        columns = [_EFFECT, Column(0, "win", seat=1)]
        effect = paired.paired_effect(
            BlockSums.of((base, other), columns, PLAYERS), [_EFFECT], level, scale=WIN_UNIT
        )
        missed[-1] += _missed(effect.interval, _PAIRED[0][1])
    return [
        *(Tally(count, repetitions) for count in missed),
        *(Errors(in_standard_errors(some)) for some in errors),
    ]


def in_standard_errors(errors: Sequence[float]) -> NDArray[np.float64]:
    """Divide errors by their standard deviation, the standard error of one repetition."""
    values = np.asarray(errors)
    return values / values.std(ddof=1)


def _rows() -> list[Experiment]:
    names = [
        f"{metric}{'' if statistic == 'mean' else ' ' + statistic}"
        f"{'' if group is None else f' of {group}'}, {_BLOCKS} rotated blocks"
        for metric, statistic, seat, strategy, _ in _FIGURES
        for group in [strategy if seat is None else f"seat {seat}"]
    ]
    return [
        Experiment("figures of a play", tuple(Promise(n, APPROXIMATE) for n in names), _play),
        Experiment(
            "paired effects",
            (
                Promise("win_rate of seat 1, Student over blocks", APPROXIMATE),
                Promise("hits_per_roll, linearised ratios", APPROXIMATE),
                Promise("median length, two quantiles", EXACT),
                Promise("paired effect of a question, win_rate of seat 1", APPROXIMATE),
                Promise("bias of an effect on a win rate, standard errors", 0.0, 0.0),
                Promise("bias of an effect on a ratio, standard errors", 0.0, 0.0),
            ),
            _compare,
        ),
    ]


# ---------------------------------------------------------------------------------- paired games


def _effect(pair: Pair, blocks: int) -> Run:
    """Misses of the interval that `assay compare` prints, and the bias of its estimate."""

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally | Errors]:
        missed, errors = 0, []
        for counts in pair.draw(rng, blocks, repetitions):
            found = comparison.effect_interval(pair.sums(counts), level)
            missed += _missed(found, pair.effect)
            errors.append(found.estimate - pair.effect)
        return [Tally(missed, repetitions), Errors(in_standard_errors(errors))]

    return run


def _pairs() -> list[Experiment]:
    one, few, quarter = WIN_UNIT, WIN_UNIT // 12, WIN_UNIT // 4
    skewed = {-few: 0.3, few: 0.5, one: 0.2}
    length = Measure(LENGTH)

    def both(
        what: str, most: float, pair: Pair, blocks: int, ci: int = 500, long: int = 10_000
    ) -> Experiment:
        promises = Promise(what, most), Promise(f"bias: {what}, standard errors", 0.0, 0.0)
        return Experiment("paired effects", promises, _effect(pair, blocks), ci, long)

    return [
        both(
            "Tango, 10 % of 2048 games differ", APPROXIMATE, synthetic.single_games(0.1, 0.02), 2048
        ),
        both(
            "Tango, 10 of 2048 games differ",
            APPROXIMATE,
            synthetic.single_games(0.005, 0.004),
            2048,
        ),
        both(
            "no game differs, 3 in 2048 expected",
            EXACT,
            synthetic.single_games(0.0015, 0.0015),
            2048,
        ),
        both(
            "30 % of 2048 blocks differ",
            APPROXIMATE,
            synthetic.rotated_blocks(0.3, {-one: 0.4, quarter: 0.1, one: 0.5}),
            2048,
        ),
        both(
            "8 of 2048 blocks differ, unevenly",
            EXACT,
            synthetic.rotated_blocks(8 / 2048, skewed),
            *(2048, 200, 4000),
        ),
        both(
            "50 of 2048 blocks differ, unevenly",
            EXACT,
            synthetic.rotated_blocks(50 / 2048, skewed),
            *(2048, 200, 4000),
        ),
        both(
            "8 of 2048 blocks differ, lengths",
            APPROXIMATE,
            synthetic.rotated_blocks(8 / 2048, {-4: 0.3, 4: 0.5, 48: 0.2}, length),
            2048,
        ),
        both(
            "50 of 2048 blocks differ, lengths",
            APPROXIMATE,
            synthetic.rotated_blocks(50 / 2048, {-4: 0.3, 4: 0.5, 48: 0.2}, length),
            2048,
        ),
    ]


# -------------------------------------------------------------------------- several groups at once


def _together(shares: Sequence[float], games: int) -> Run:
    """Misses of what is said of several seats at once.

    Any of the simultaneous intervals; the spread; the largest deviation from 1/n.
    """
    rates = np.array(shares)
    spread, far = float(np.ptp(rates)), float(np.abs(rates - 1 / len(rates)).max())

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        missed = [0, 0, 0]
        own = intervals.simultaneous_level(level, len(rates))
        for wins in rng.multinomial(games, rates, repetitions).tolist():
            found = [intervals.wilson(k, games, own) for k in wins]
            missed[0] += any(_missed(i, p) for i, p in zip(found, rates, strict=True))
            missed[1] += _missed(intervals.spread(found, level), spread)
            missed[2] += _missed(intervals.largest_deviation(found, 1 / len(rates), level), far)
        return [Tally(count, repetitions) for count in missed]

    return run


def _fair(clustered: bool) -> Run:
    """False alarms of the test of fairness, at 1 - level.

    clustered: wins of blocks of four games that resemble each other, with their design effect.
    """

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        alarms = 0
        for _ in range(repetitions):
            if clustered:
                # in every deal a seat wins half of the four games, the others go anywhere
                wins = (
                    rng.multinomial(2, [0.25] * 4, 500)
                    + 2 * np.eye(4, dtype=np.int64)[rng.integers(0, 4, 500)]
                )
                games = np.full(500, 4)
                effects = [
                    intervals.design_effect(ClusterSums.of(wins[:, s], games)) for s in range(4)
                ]
                test = intervals.fairness_test(wins.sum(axis=0), float(np.mean(effects)))
            else:
                test = intervals.fairness_test(rng.multinomial(2000, [0.25] * 4))
            alarms += test.p_value <= 1 - level
        return [Tally(alarms, repetitions)]

    return run


def _equivalence(inside: bool) -> Run:
    """How often seats that are exactly the margin from fair are called fair, or not fair."""
    margin, games = 0.02, 4000

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        wrong = 0
        shares = [0.25 + margin, 0.25 - margin / 3, 0.25 - margin / 3, 0.25 - margin / 3]
        own = intervals.simultaneous_level(level, 4)
        for wins in rng.multinomial(games, shares, repetitions).tolist():
            found = [intervals.wilson(k, games, own) for k in wins]
            wrong += intervals.equivalent_rates(found, margin, level).holds is inside
        return [Tally(wrong, repetitions)]

    return run


def _several() -> list[Experiment]:
    part = "several at once"
    kept = "Bonferroni, 4 seats", "spread over 4 seats", "largest deviation of 4 seats"
    found = [
        Experiment(
            part,
            tuple(Promise(f"{what}, {how}", APPROXIMATE) for what in kept),
            _together(shares, 4000),
            ci=1000,
            long=10_000,
        )
        for how, shares in (("unlike", (0.3, 0.26, 0.24, 0.2)), ("alike", (0.25,) * 4))
    ]
    wrong = ("called not fair", False), ("called fair", True)
    found += [
        Experiment(
            part,
            (Promise(f"seats at the margin {what}", EXACT),),
            _equivalence(inside),
            ci=1000,
            long=10_000,
        )
        for what, inside in wrong
    ]
    found += [
        Experiment(part, (Promise(what, NEARLY),), _fair(clustered), ci=500, long=4000)
        for what, clustered in (
            ("fair seats, test of fairness", False),
            ("fair seats in blocks, test with design effect", True),
        )
    ]
    return found


# --------------------------------------------------------------------------------------- trials

_GAINS = np.array([0.06, 0.04, 0.02, 0.01, 0.0, 0.0, -0.01, -0.03])  # a seat may have the thing
_TRIAL_PLAYS, _TRIAL_GAMES = 48, 200


def _trial(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Misses of the worth of things in a trial: one of them, and any of all."""
    things, seats = len(_GAINS), PLAYERS
    single = together = 0
    for _ in range(repetitions):
        denied = trials.denial(things, seats, _TRIAL_PLAYS, 0.25, int(rng.integers(2**32)))
        less = denied @ _GAINS
        chances = 1 / seats - (less - less.mean(axis=1, keepdims=True))
        wins = rng.multinomial(_TRIAL_GAMES, chances) / _TRIAL_GAMES
        fit = trials.seat_fit(wins, denied)
        every = []
        for thing, gain in enumerate(_GAINS):
            weights = trials.seat_worth(thing, things, seats)
            truth = gain * (1 - 1 / seats)
            every.append(_missed(fit.interval(weights, level, things, method="trial"), truth))
            if thing == 0:
                single += _missed(fit.interval(weights, level, method="trial"), truth)
        together += any(every)
    return [Tally(single, repetitions), Tally(together, repetitions)]


def _trials() -> list[Experiment]:
    promises = (
        Promise("worth of a thing in a trial of 48 plays", APPROXIMATE),
        Promise(f"worth of {len(_GAINS)} things at once in a trial of 48 plays", APPROXIMATE),
    )
    return [Experiment(PART, promises, _trial, 400, 4000)]


def interval_experiments() -> list[Experiment]:
    """Return all experiments of this module."""
    return [*_rates(), *_means(), *_quantiles(), *_rows(), *_pairs(), *_several(), *_trials()]
