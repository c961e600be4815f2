"""Confidence sequences: coverage when looking all the time, width, edges; verdicts of gates."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.intervals import SHARE, ClusterSums, wilson
from analysis.sequential import (
    Verdict,
    asymptotic_mean_sequence,
    asymptotic_ratio_sequence,
    bounded_mean_sequence,
    gate_verdict,
    log_capital,
    looks,
)


def ever_missed(values: list[float], chances: list[float], runs: int, blocks: int, seed: int):
    """Runs in which the 95 % sequence misses the true mean at any of the first `blocks` looks.

    A look after every single block. The interval excludes the truth exactly when one side's
    capital at the truth has reached 2 / alpha (see test_the_interval_is_where_no_fortune_is_made).
    """
    rng = np.random.default_rng(seed)
    x = np.asarray(values)
    truth = float(x @ np.asarray(chances))
    wanted = math.log(2 / 0.05)
    missed = 0
    for _ in range(runs):
        drawn = rng.choice(len(x), blocks, p=chances)
        counts = np.cumsum(drawn[:, None] == np.arange(len(x)), axis=0)
        up = log_capital(x, counts, truth) >= wanted
        down = log_capital(1 - x, counts, 1 - truth) >= wanted
        missed += bool((up | down).any())
    return missed


# more misses than this happen with probability 1e-6 at a true rate of 5 %: 36 of 300
RUNS, ALLOWED = 300, int(stats.binom.isf(1e-6, 300, 0.05))


@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ([0, 1], [0.75, 0.25]),  # the win of one of four
        ([0, 1], [0.98, 0.02]),  # a rare event
        ([0, 0.5, 1], [0.05, 0.9, 0.05]),  # a paired difference, q = 0.1, mapped to [0, 1]
        ([0, 0.25, 0.5, 0.75, 1], [0.35, 0.4, 0.2, 0.04, 0.01]),  # block means of four rotations
    ],
)
def test_coverage_when_looking_after_every_block(values, chances):
    assert ever_missed(values, chances, RUNS, 2000, seed=1) <= ALLOWED


def test_an_ordinary_interval_would_fail_that():
    rng, z = np.random.default_rng(2), stats.norm.isf(0.025)
    missed, n = 0, np.arange(10, 3001)
    for _ in range(RUNS):
        p = np.cumsum(rng.random(3000) < 0.25)[9:] / n
        missed += bool((np.abs(p - 0.25) > z * np.sqrt(p * (1 - p) / n)).any())
    assert missed > 2 * ALLOWED


def test_the_capital_is_a_fair_game():
    """Over one more block the capital is unchanged on average, whatever was seen before."""
    x, chances = np.array([0, 0.25, 0.5, 1.0]), np.array([0.4, 0.3, 0.2, 0.1])
    truth = float(x @ chances)
    before = np.array([30, 22, 9, 11])
    after = np.exp(log_capital(x, before + np.eye(4), truth))
    assert after @ chances == pytest.approx(math.exp(log_capital(x, before, truth)), rel=1e-12)


@given(st.lists(st.integers(0, 200), min_size=5, max_size=5).filter(any))
@settings(max_examples=60, deadline=None)
def test_the_interval_is_where_no_fortune_is_made(counts):
    x, wanted = np.linspace(0, 1, 5), math.log(2 / 0.05)
    low, high = bounded_mean_sequence(x, counts)
    mean = x @ counts / sum(counts)
    assert 0 <= low <= mean <= high <= 1
    if low > 0:
        assert log_capital(x, counts, low) >= wanted - 1e-9
        assert log_capital(x, counts, low + 1e-9) < wanted + 1e-3
        assert log_capital(x, counts, low / 2) >= wanted  # monotone: all below are excluded too
    else:
        assert log_capital(x, counts, 1e-300) < wanted or mean < 1e-9
    if high < 1:
        assert log_capital(1 - x, counts, 1 - high) >= wanted - 1e-9


@given(
    st.lists(st.integers(0, 3000), min_size=4, max_size=4),
    st.lists(st.integers(0, 3000), min_size=4, max_size=4),
)
@settings(max_examples=40, deadline=None)
def test_counts_merge_by_addition(a, b):
    """Split values, unseen values, any order: the same counts give the same interval."""
    x = [0.0, 0.25, 0.5, 1.0]
    whole = bounded_mean_sequence(x, np.add(a, b))
    apart = bounded_mean_sequence(x + x, a + b)
    back = bounded_mean_sequence(x[::-1], np.add(a, b)[::-1])
    assert apart == pytest.approx(whole, abs=1e-9)
    assert back == pytest.approx(whole, abs=1e-9)


@pytest.mark.parametrize("rate", [0.5, 0.25, 0.01])
@pytest.mark.parametrize("n", [1000, 10**4, 10**5, 10**6, 10**7])
def test_width_against_the_interval_at_fixed_n(rate, n):
    """The price of looking at any time: measured 1.83 to 1.86 times Wilson's width, for every n."""
    k = round(rate * n)
    low, high = bounded_mean_sequence([0, 1], [n - k, k])
    ratio = (high - low) / 2 / wilson(k, n).half_width
    assert 1.75 < ratio < 1.9


@pytest.mark.parametrize("q", [0.02, 0.1, 0.3])
def test_width_for_paired_differences(q):
    n = 10**5
    k = round(q * n / 2)
    low, high = bounded_mean_sequence([-1, 0, 1], [k, n - 2 * k, k], low=-1)
    assert low == pytest.approx(-high)
    assert 1.75 < high / (1.96 * math.sqrt(q / n)) < 1.9


def test_power_to_see_a_change():
    """A difference of three standard errors of the last look but one decides nearly always."""
    rng, n, q = np.random.default_rng(3), 20_000, 0.1
    shift = 5 * math.sqrt(q / n)
    chances = [q / 2 - shift / 2, 1 - q, q / 2 + shift / 2]
    seen = 0
    for _ in range(200):
        counts = rng.multinomial(n, chances)
        seen += bounded_mean_sequence([-1, 0, 1], counts, low=-1)[0] > 0
    assert seen > 160  # at five standard errors, 1.83 * 1.96 of them needed: 92 % expected


def test_edges_of_the_bounded_sequence():
    assert bounded_mean_sequence([], []) == (0, 1)
    assert bounded_mean_sequence([0.5], [0], low=-1) == (-1, 1)
    low, high = bounded_mean_sequence([0.0], [1000])
    # the bolder of the 35 bets win; the boldest alone would need log(2 * 35 / alpha) / n
    assert low == 0
    assert 0.9 < high / (math.log(2 * 35 / 0.05) / 1000) < 1
    assert bounded_mean_sequence([1.0], [1000]) == pytest.approx((1 - high, 1))
    low, high = bounded_mean_sequence([0.25], [10_000])
    assert low < 0.25 < high < 0.2506
    assert bounded_mean_sequence([0.25], [1]) == (0, 1) or low > 0
    one = bounded_mean_sequence([0.0], [1])
    assert one[0] == 0
    assert 0.99 < one[1] <= 1


def test_ten_million_blocks_neither_overflow_nor_lose_precision():
    low, high = bounded_mean_sequence([0, 0.5, 1], [10**7, 10**7, 10**7])
    assert high - low < 1e-3
    assert low + high == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("values", "counts", "options", "message"),
    [
        ([0, 2], [1, 1], {}, "outside"),
        ([math.nan], [1], {}, "outside"),
        ([0, 1], [1, -1], {}, "not below 0"),
        ([0, 1], [1], {}, "each"),
        ([0], [1], {"level": 1.0}, "level"),
        ([0], [1], {"low": 1.0, "high": 0.0}, "empty range"),
    ],
)
def test_the_bounded_sequence_refuses(values, counts, options, message):
    with pytest.raises(ValueError, match=message):
        bounded_mean_sequence(values, counts, **options)


def test_values_unseen_may_lie_anywhere():
    assert bounded_mean_sequence([0, 1, 7], [5, 5, 0]) == bounded_mean_sequence([0, 1], [5, 5])


def test_time_of_one_evaluation(record_property):
    """Recorded, not asserted: some milliseconds at seven distinct values."""
    start = time.perf_counter()
    bounded_mean_sequence(np.arange(7) / 6, [50, 400, 1000, 2000, 900, 300, 4])
    record_property("milliseconds", 1000 * (time.perf_counter() - start))


# --------------------------------------------------------------------------------- other means


def test_the_asymptotic_sequence_is_its_formula():
    n, best, alpha = 5000, 20_000.0, 0.05
    x = np.random.default_rng(4).poisson(80, n)
    total, sumsq = int(x.sum()), int((x * x).sum())
    low, high = asymptotic_mean_sequence(n, total, sumsq, best_at=best)
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / best
    root = math.sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * math.log(math.sqrt(n * rho2 + 1) / alpha))
    half = x.std(ddof=1) * root
    assert (low, high) == pytest.approx((x.mean() - half, x.mean() + half), rel=1e-9)


def test_the_asymptotic_sequence_is_narrowest_where_asked():
    def half(n: int, best: float) -> float:
        low, high = asymptotic_mean_sequence(n, 0, n, best_at=best)
        return (high - low) / 2

    for n in (2000, 50_000):
        assert half(n, n) < min(half(n, n / 3), half(n, 3 * n))
    # and what it costs: against 1.96 standard errors at fixed n
    assert 1.5 < half(50_000, 50_000) / (1.96 / math.sqrt(50_000)) < 1.6


def test_coverage_of_the_asymptotic_sequence_for_heavy_data():
    """Lengths like exp(normal), looked at after every block from the burn-in to 20,000."""
    rng, missed = np.random.default_rng(5), 0
    truth = math.exp(0.5 * 0.6**2)
    n = np.arange(1, 20_001)
    log_alpha = -2 * math.log(0.05)
    nr = n * (log_alpha + math.log1p(log_alpha)) / (1024 * math.log(1024))
    root = np.sqrt((nr + 1) / nr * (np.log1p(nr) + log_alpha) / n)
    for run in range(400):
        x = np.exp(rng.normal(0, 0.6, len(n)))
        mean = np.cumsum(x) / n
        sd = np.sqrt(np.maximum(np.cumsum(x * x) / n - mean**2, 0) * n / np.maximum(n - 1, 1))
        out = np.abs(mean - truth) > sd * root
        missed += bool(out[1023:].any())
        if run < 5:  # the function itself says the same
            for at in (1024, 5000, 20_000):
                low, high = asymptotic_mean_sequence(at, x[:at].sum(), (x[:at] ** 2).sum())
                assert high - mean[at - 1] == pytest.approx(sd[at - 1] * root[at - 1], rel=1e-6)
                assert low + high == pytest.approx(2 * mean[at - 1])
    assert missed <= int(stats.binom.isf(1e-6, 400, 0.05))


def test_before_the_burn_in_and_without_spread_nothing_is_claimed():
    assert asymptotic_mean_sequence(1023, 500, 500) == (-math.inf, math.inf)
    assert asymptotic_mean_sequence(5000, 2500, 1250, bounds=SHARE) == (0, 1)
    assert asymptotic_mean_sequence(0, 0, 0, bounds=SHARE) == (0, 1)
    low, high = asymptotic_mean_sequence(1024, 500, 500, bounds=SHARE)
    assert 0.4 < low < 500 / 1024 < high < 0.6
    with pytest.raises(ValueError, match="burn_in"):
        asymptotic_mean_sequence(10, 5, 5, burn_in=1)
    with pytest.raises(ValueError, match="level"):
        asymptotic_mean_sequence(10, 5, 5, 0)


def test_a_ratio_is_judged_by_its_linearised_blocks():
    rng = np.random.default_rng(6)
    den = rng.integers(1, 9, 4000)
    num = rng.binomial(den, 0.3)
    sums = ClusterSums.of(12 * num, den)
    low, high = asymptotic_ratio_sequence(sums, scale=12)
    assert low < 0.3 < high
    same = asymptotic_mean_sequence(*ClusterMean.of(num - num.sum() / den.sum() * den))
    assert high - low == pytest.approx((same[1] - same[0]) / den.mean(), rel=1e-6)


class ClusterMean(tuple[int, float, float]):
    """n, sum and sum of squares of values."""

    @classmethod
    def of(cls, x: np.ndarray) -> ClusterMean:
        return cls((len(x), float(x.sum()), float((x * x).sum())))


# --------------------------------------------------------------------------- looks and verdicts


def test_looks_double_every_second_time():
    assert looks(10_000).tolist() == [1024, 1448, 2048, 2896, 4096, 5793, 8192, 10_000]
    assert looks(8192).tolist()[-2:] == [5793, 8192]
    assert looks(1024).tolist() == [1024]
    assert looks(5).tolist() == [5]
    assert looks(10**7)[-1] == 10**7
    with pytest.raises(ValueError, match="at least one block"):
        looks(0)


@given(st.integers(1, 10**9))
def test_looks_ascend_to_the_last_block(most):
    schedule = looks(most)
    assert schedule[-1] == most
    assert (np.diff(schedule) > 0).all()
    assert schedule[0] == min(1024, most)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.01, 0.01, Verdict.EQUIVALENT),
        (-0.004, 0.009, Verdict.EQUIVALENT),
        (0.011, 0.02, Verdict.CHANGED_UP),
        (-0.02, -0.011, Verdict.CHANGED_DOWN),
        (0.01, 0.02, Verdict.UNDECIDED),
        (-0.02, 0.005, Verdict.UNDECIDED),
        (-1, 1, Verdict.UNDECIDED),
    ],
)
def test_verdict_of_a_margin(low, high, verdict):
    assert gate_verdict(low, high, margin=0.01) is verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.2, 0.3, Verdict.PASS),
        (0.15, 0.35, Verdict.PASS),
        (0.36, 0.4, Verdict.FAIL),
        (0.1, 0.14, Verdict.FAIL),
        (0.3, 0.36, Verdict.UNDECIDED),
        (0.1, 0.4, Verdict.UNDECIDED),
    ],
)
def test_verdict_of_a_range(low, high, verdict):
    assert gate_verdict(low, high, within=(0.15, 0.35)) is verdict


def test_what_verdicts_mean_for_a_gate():
    assert {v: v.holds for v in Verdict} == {
        Verdict.EQUIVALENT: True,
        Verdict.PASS: True,
        Verdict.CHANGED_UP: False,
        Verdict.CHANGED_DOWN: False,
        Verdict.FAIL: False,
        Verdict.UNDECIDED: None,
    }


@pytest.mark.parametrize(
    "options", [{}, {"margin": 1, "within": (0, 1)}, {"margin": 0}, {"within": (1, 0)}]
)
def test_gates_that_make_no_sense_are_refused(options):
    with pytest.raises(ValueError, match=r"either|margin|empty"):
        gate_verdict(0, 1, **options)


@pytest.mark.parametrize("q", [0.02, 0.1, 0.3])
def test_false_verdicts_at_the_margin_itself(q):
    """A true effect of exactly +margin: EQUIVALENT is false, and so is CHANGED_UP. Over all looks
    of a run of 40,000 blocks each happens in at most 2.5 %, together in at most 5 %."""
    rng, margin, trials = np.random.default_rng(7), 0.005, 100
    chances = [q / 2 - margin / 2, 1 - q, q / 2 + margin / 2]
    schedule = looks(40_000)
    false = 0
    for _ in range(trials):
        steps = rng.multinomial(np.diff(schedule, prepend=0), chances)
        for counts in np.cumsum(steps, axis=0):
            low, high = bounded_mean_sequence([-1, 0, 1], counts, low=-1)
            if gate_verdict(low, high, margin=margin) is not Verdict.UNDECIDED:
                false += 1
                break
    assert false <= int(stats.binom.isf(1e-6, trials, 0.05))
