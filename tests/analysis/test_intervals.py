"""Intervals at fixed n: against other libraries, closed forms, and simulated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import (
    SHARE,
    ClusterSums,
    Interval,
    block_quantile,
    clopper_pearson,
    clustered_ratio,
    clustered_share,
    design_effect,
    equivalent_rates,
    fairness_test,
    histogram_quantile,
    largest_deviation,
    newcombe,
    no_differences,
    no_events,
    none_or_all,
    only_events,
    paired_rates,
    rate,
    replicate_ratio,
    simultaneous_level,
    spread,
    standard_deviation,
    student_mean,
    tango,
    wilson,
)


def ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def allowed_misses(trials: int, level: float = 0.95) -> int:
    """Misses that a method of this level exceeds in one of a million runs of the test."""
    return int(stats.binom.isf(1e-6, trials, 1 - level))


# ---------------------------------------------------------------------------------------- rates


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(
    ("k", "n"), [(0, 5), (1, 5), (7, 20), (250, 1000), (999, 1000), (3, 10**7)]
)
def test_rates_agree_with_statsmodels(k, n, level):
    for ours, theirs in ((wilson, "wilson"), (clopper_pearson, "beta")):
        expected = proportion_confint(k, n, alpha=1 - level, method=theirs)
        assert ends(ours(k, n, level)) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert ours(k, n, level).estimate == k / n


@pytest.mark.parametrize("method", [wilson, clopper_pearson, rate])
def test_rates_of_no_games_are_the_whole_range(method):
    interval = method(0, 0)
    assert ends(interval) == (0, 1)
    assert math.isnan(interval.estimate)
    assert "no games" in interval.method


def test_rates_reach_their_ends_exactly():
    for method in (wilson, clopper_pearson):
        assert method(0, 37).low == 0.0
        assert method(37, 37).high == 1.0


def test_an_event_never_seen_has_a_bound_above_zero():
    assert no_events(1000).high == pytest.approx(1 - 0.05 ** (1 / 1000))
    assert no_events(10**7).high == pytest.approx(3.0 / 10**7, rel=2e-3)  # the rule of three
    assert only_events(1000).low == pytest.approx(0.05 ** (1 / 1000))
    assert no_events(0).high == 1
    # at that rate, none in n has probability 1 - level
    assert stats.binom.pmf(0, 50, no_events(50, 0.99).high) == pytest.approx(0.01)


def test_rate_picks_its_method():
    assert rate(0, 10) == no_events(10)
    assert rate(10, 10) == only_events(10)
    assert rate(30, 100) == wilson(30, 100)
    assert rate(29, 100) == clopper_pearson(29, 100)
    assert rate(71, 100) == clopper_pearson(71, 100)
    assert rate(30, 100, rare=True) == clopper_pearson(30, 100)


def chances_of_a_miss(method, expected, n=2000):
    """Exact chance that the interval of a rate misses it, by enumeration of the counts."""
    k, p = np.arange(150), np.asarray(expected)[:, None] / n
    low, high = np.array([(end.low, end.high) for end in (method(int(i), n) for i in k)]).T
    return (stats.binom.pmf(k, n, p) * ((p < low) | (p > high))).sum(axis=1)


def test_a_rate_keeps_its_level_where_wilsons_interval_does_not():
    expected = np.arange(0.1, 60, 0.05)
    assert chances_of_a_miss(wilson, expected).max() > 0.13
    assert chances_of_a_miss(rate, expected).max() < 0.0625


def paired_miss(method, up, down, n=2048):
    """Exact chance (Poisson) that an interval of a paired difference of few games misses it."""
    k = np.arange(30)
    chances = np.outer(stats.poisson.pmf(k, up), stats.poisson.pmf(k, down))
    missed = [
        [
            chances[u, d] > 1e-7 and not method(int(u), int(d), n).contains((up - down) / n)
            for d in k
        ]
        for u in k
    ]
    return float((chances * missed).sum())


@pytest.mark.parametrize(("up", "down"), [(4, 0), (0, 4)])
def test_a_paired_difference_keeps_its_level_where_tangos_interval_does_not(up, down):
    assert paired_miss(tango, up, down) > 0.065
    assert paired_miss(paired_rates, up, down) < 0.05


def test_paired_rates_pick_their_method():
    assert paired_rates(0, 0, 50) == no_differences(50)
    assert no_differences(50).high == no_events(50, 0.975).high
    assert paired_rates(4, 5, 50) == newcombe(4, 5, 50)
    assert paired_rates(5, 5, 50) == tango(5, 5, 50)
    assert newcombe(0, 0, 0).high == 1


def test_newcombes_interval_of_one_sort_of_difference_is_the_rates():
    """With nothing going down the upper end is Clopper and Pearson's; turned around, the lower."""
    assert newcombe(6, 0, 900).high == pytest.approx(clopper_pearson(6, 900).high)
    up, down = newcombe(6, 2, 900), newcombe(2, 6, 900)
    assert (down.low, down.high) == pytest.approx((-up.high, -up.low))
    with pytest.raises(ValueError, match="at most n"):
        newcombe(5, 6, 10)


def test_shares_with_few_events_keep_their_level():
    """Half an event expected in 2048 blocks: Wilson's formula would miss 9 %."""
    n, rng, missed = 2048, np.random.default_rng(3), 0
    for k in rng.binomial(n, 0.5 / n, 2000):
        found = clustered_share(ClusterSums(n, int(k), n, int(k), n, int(k)))
        missed += not found.contains(0.5 / n)
    assert missed < 2000 * 0.05


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(k, n):
    for method in (wilson, clopper_pearson, rate):
        with pytest.raises(ValueError, match="successes"):
            method(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_that_is_no_level_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        wilson(3, 10, level)


def test_exact_coverage_of_rates_by_enumeration():
    n = 60
    k = np.arange(n + 1)
    found = {m: [ends(m(int(i), n)) for i in k] for m in (clopper_pearson, wilson, rate)}
    for p in np.linspace(0.01, 0.99, 99):
        mass = stats.binom.pmf(k, n, p)
        cover = {
            m: sum(w for w, (a, b) in zip(mass, e, strict=True) if a <= p <= b)
            for m, e in found.items()
        }
        assert cover[clopper_pearson] >= 0.95
        assert cover[wilson] >= 0.86  # oscillates; its mean over p is what it promises
        assert cover[rate] >= 0.86
    assert mean_coverage(found[wilson], k, n) > 0.949


def mean_coverage(intervals, k, n) -> float:
    covered = []
    for p in np.linspace(0.01, 0.99, 99):
        mass = stats.binom.pmf(k, n, p)
        covered.append(sum(w for w, (a, b) in zip(mass, intervals, strict=True) if a <= p <= b))
    return float(np.mean(covered))


# ----------------------------------------------------------------------------- means and ratios


def test_student_mean_agrees_with_scipy():
    x = np.random.default_rng(1).integers(0, 50, 40)
    expected = stats.ttest_1samp(x, 0).confidence_interval(0.9)
    interval = student_mean(40, int(x.sum()), int((x * x).sum()), 0.9)
    assert ends(interval) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert interval.estimate == x.mean()
    as_floats = student_mean(40, float(x.sum()), float((x * x).sum()), 0.9)
    assert ends(as_floats) == pytest.approx(ends(interval), rel=1e-9)


def test_whole_numbers_suffer_no_cancellation():
    """10^7 blocks at 10^9, half of them one higher: the variance is 1/4 and not noise."""
    n, base = 10**7, 10**9
    total = n * base + n // 2
    sumsq = n // 2 * base**2 + n // 2 * (base + 1) ** 2
    variance = ClusterSums(n, total, n, sumsq, n, total).variance()
    assert variance == pytest.approx(0.25 / (n - 1), rel=1e-12)


def test_a_clustered_ratio_is_the_linearised_one():
    rng = np.random.default_rng(2)
    den = rng.integers(1, 9, 200)
    num = rng.binomial(den, 0.3)
    r = num.sum() / den.sum()
    residual = num - r * den
    se = math.sqrt(200 / 199 * (residual**2).sum()) / den.sum()
    expected = r - stats.t.isf(0.025, 199) * se, r + stats.t.isf(0.025, 199) * se
    assert ends(clustered_ratio(ClusterSums.of(num, den))) == pytest.approx(expected, rel=1e-12)
    scaled = clustered_ratio(ClusterSums.of(12 * num, den), scale=12)
    assert ends(scaled) == pytest.approx(expected, rel=1e-12)


def test_the_linearised_variance_agrees_with_the_jackknife():
    rng = np.random.default_rng(3)
    den = rng.integers(1, 5, 3000)
    num = den * 2 + rng.integers(0, 9, 3000)
    without = (num.sum() - num) / (den.sum() - den)
    jackknife = 2999 / 3000 * ((without - without.mean()) ** 2).sum()
    assert ClusterSums.of(num, den).variance() == pytest.approx(jackknife, rel=2e-3)


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(0, 9)), max_size=30), st.data())
def test_cluster_sums_add_up_in_any_split(rows, data):
    cut = data.draw(st.integers(0, len(rows)))
    parts = [ClusterSums.of([a for a, _ in p], [b for _, b in p]) if p else ClusterSums()
             for p in (rows[:cut], rows[cut:])]  # fmt: skip
    whole = ClusterSums.of([a for a, _ in rows], [b for _, b in rows]) if rows else ClusterSums()
    assert parts[0] + parts[1] == parts[1] + parts[0] == whole


def test_equal_blocks_do_not_give_an_interval_of_width_zero():
    interval = student_mean(100, 25, 25 / 4, bounds=SHARE)
    assert interval.low < 0.25 < interval.high
    # a share u of other values has gone unseen in 99 blocks with probability 5 %
    u = 1 - 0.05 ** (1 / 99)
    assert ends(interval) == pytest.approx((0.25 - 0.25 * u, 0.25 + 0.75 * u))
    assert "unseen" in interval.method
    unbounded = student_mean(100, 300, 900)
    assert ends(unbounded) == (-math.inf, math.inf)
    assert unbounded.estimate == 3
    assert "no interval" in unbounded.method


def test_rounding_of_floats_is_not_taken_for_spread():
    x = np.full(1000, 0.1)
    assert "unseen" in student_mean(1000, x.sum(), (x * x).sum(), bounds=SHARE).method


@pytest.mark.parametrize(("n", "total"), [(0, 0), (1, 1), (1, 0)])
def test_one_block_or_none_is_the_whole_range(n, total):
    assert ends(student_mean(n, total, total, bounds=SHARE)) == (0, 1)
    assert ends(student_mean(n, total, total)) == (-math.inf, math.inf)
    assert math.isnan(student_mean(n, total, total).estimate) == (n == 0)


def test_a_ratio_without_denominator_has_no_estimate():
    interval = clustered_ratio(ClusterSums.of([0, 0, 0], [0, 0, 0]), bounds=SHARE)
    assert math.isnan(interval.estimate)
    assert ends(interval) == (0, 1)


def test_a_share_stays_within_its_range_and_must_start_there():
    interval = clustered_ratio(ClusterSums.of([1] + [0] * 49, [4] * 50), bounds=SHARE)
    assert interval.low == 0
    assert interval.high > 0.01
    with pytest.raises(ValueError, match="outside"):
        clustered_ratio(ClusterSums.of([8, 9], [4, 4]), bounds=SHARE)


def test_the_unseen_share_bound_holds_for_every_distribution():
    """Blocks that differ from v = 1/4 with probability q and are then 1: all n agree, and the
    truth lies outside, in less than 5 % of runs whatever q is."""
    n = 30
    high = student_mean(n, n / 4, n / 16, bounds=SHARE).high
    for q in np.linspace(0, 1, 201)[:-1]:
        truth = 0.25 + 0.75 * q
        assert truth <= high or (1 - q) ** n < 0.05


def test_replicates_give_students_interval_with_their_own_number():
    num, den = np.array([3, 5, 4, 6]), np.array([10, 10, 10, 10])
    expected = stats.ttest_1samp(num / 10, 0).confidence_interval(0.95)
    interval = replicate_ratio(num, den)
    assert ends(interval) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert interval.n == 4
    short = replicate_ratio(np.append(num, 0), np.append(den, 0))
    assert (short.n, ends(short)) == (4, ends(interval))
    assert ends(replicate_ratio([0, 0], [0, 0], bounds=SHARE)) == (0, 1)


def test_coverage_of_clustered_ratios():
    """Beta-binomial clusters of varying size: 2000 runs of 60 clusters."""
    rng, trials, c = np.random.default_rng(4), 2000, 60
    misses = naive = 0
    for _ in range(trials):
        den = rng.integers(1, 9, c)
        num = rng.binomial(den, rng.beta(3, 7, c))
        misses += not clustered_ratio(ClusterSums.of(num, den)).contains(0.3)
        naive += not wilson(int(num.sum()), int(den.sum())).contains(0.3)
    assert misses <= allowed_misses(trials, 0.945)  # linearised at 60 clusters: just below 95 %
    assert naive > 1.3 * misses  # and it matters: games are not the unit


def test_a_clustered_share_is_wilsons_for_single_games_and_students_for_many():
    won = np.arange(500) < 40
    single = clustered_share(ClusterSums.of(won, np.ones(500, int)))
    assert ends(single) == pytest.approx(ends(wilson(40, 500)), abs=2e-4)
    x = np.random.default_rng(11).integers(0, 5, 50_000)
    sums = ClusterSums.of(3 * x, np.full(len(x), 4))
    student = clustered_ratio(sums, scale=3)
    assert ends(clustered_share(sums, scale=3)) == pytest.approx(ends(student), abs=1e-6)
    nothing = clustered_share(ClusterSums.of([0, 0, 0], [4, 4, 4]))
    assert (nothing.low, nothing.estimate) == (0, 0)
    assert nothing.high == pytest.approx(1 - math.sqrt(0.05))
    with pytest.raises(ValueError, match="outside"):
        clustered_share(ClusterSums.of([5, 4], [4, 4]))


def test_none_or_all_of_some_deals():
    none, every = none_or_all(0, 120), none_or_all(1, 120)
    assert ends(none) == pytest.approx((0, 1 - 0.05 ** (1 / 119)))
    assert ends(every) == pytest.approx((0.05 ** (1 / 119), 1))
    assert none.high > no_events(120).high
    assert "no event in 120 deals" in none.method
    assert "nothing but events in 120 deals" in every.method
    assert ends(none_or_all(0, 1)) == (0, 1)
    with pytest.raises(ValueError, match="0 or 1"):
        none_or_all(0.5, 10)
    with pytest.raises(ValueError, match="one deal"):
        none_or_all(0, 0)


def test_coverage_of_rare_shares_in_blocks():
    """Some five events in 1000 blocks of four: Student's interval misses upward too often."""
    rng, trials, p = np.random.default_rng(12), 1500, 0.00125
    misses = student = 0
    for _ in range(trials):
        x = rng.binomial(4, p, 1000)
        sums = ClusterSums(1000, int(x.sum()), 4000, int((x * x).sum()), 16_000, 4 * int(x.sum()))
        misses += not clustered_share(sums).contains(p)
        student += not clustered_ratio(sums, bounds=SHARE).contains(p)
    assert misses <= allowed_misses(trials)
    assert student > allowed_misses(trials)


def sd_sums(x: np.ndarray) -> tuple[ClusterSums, ClusterSums, int]:
    """Sums of blocks x (blocks, rows) of whole numbers."""
    a, b, k = x.sum(axis=1), (x * x).sum(axis=1), np.full(len(x), x.shape[1])
    return ClusterSums.of(a, k), ClusterSums.of(b, k), int((a * b).sum())


def test_standard_deviation_of_independent_rows():
    x = np.random.default_rng(5).normal(1000, 50, (20_000, 1)).astype(np.int64)
    interval = standard_deviation(*sd_sums(x))
    assert interval.estimate == pytest.approx(x.std(ddof=1), rel=1e-12)
    # normal rows: sd * sqrt(chi2 / df)
    df = len(x) - 1
    exact = [interval.estimate * math.sqrt(df / stats.chi2.isf(q, df)) for q in (0.025, 0.975)]
    assert ends(interval) == pytest.approx(exact, rel=2e-3)
    assert standard_deviation(*sd_sums(12 * x), scale=12).estimate == pytest.approx(
        interval.estimate
    )


def test_coverage_of_the_standard_deviation_in_blocks():
    """Rows of a block share a component: sd is sqrt(8^2 + 6^2) * 10; 2000 runs of 200 blocks."""
    rng, trials = np.random.default_rng(6), 2000
    misses = 0
    for _ in range(trials):
        x = (rng.normal(0, 80, (200, 1)) + rng.normal(0, 60, (200, 4))).round().astype(np.int64)
        misses += not standard_deviation(*sd_sums(x)).contains(math.sqrt(100**2 + 1 / 12))
    assert misses <= allowed_misses(trials, 0.94)  # delta method at 200 blocks


def test_standard_deviation_without_spread():
    same = standard_deviation(*sd_sums(np.full((50, 4), 7)))
    assert (same.estimate, same.low, same.high) == (0, 0, math.inf)
    share = standard_deviation(*sd_sums(np.full((50, 4), 3)), scale=12, bounds=SHARE)
    assert 0 < share.high <= 0.5
    twins = standard_deviation(*sd_sums(np.tile([1, 2, 3, 4], (50, 1))))
    assert twins.estimate == pytest.approx(np.tile([1, 2, 3, 4], 50).std(ddof=1))
    assert ends(twins) == (0, math.inf)
    assert math.isnan(standard_deviation(ClusterSums(), ClusterSums(), 0).estimate)
    with pytest.raises(ValueError, match="same number"):
        standard_deviation(ClusterSums.of([1, 2], [1, 2]), ClusterSums.of([1, 2], [1, 2]), 5)


# ------------------------------------------------------------------------------------ quantiles


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=200),
    st.sampled_from([0.05, 0.25, 0.5, 0.75, 0.95]),
    st.sampled_from([0.8, 0.95]),
)
@settings(max_examples=200, deadline=None)
def test_order_statistics_agree_with_scipy(rows, p, level):
    values, counts = np.unique(rows, return_counts=True)
    interval = histogram_quantile(values, counts, p, level)
    expected = stats.quantile_test(rows, p=p).confidence_interval(level)
    low = -math.inf if math.isnan(expected.low) else expected.low
    high = math.inf if math.isnan(expected.high) else expected.high
    assert ends(interval) == (low, high)
    assert interval.estimate == np.quantile(rows, p, method="inverted_cdf")


def test_quantiles_of_ten_million_need_no_array():
    values = np.arange(1, 201)
    interval = histogram_quantile(values, np.full(200, 50_000), 0.5)
    assert (interval.estimate, interval.n) == (100, 10**7)
    assert interval.low <= 100 <= interval.high <= 101


def test_quantiles_of_nothing_and_of_one_value():
    assert ends(histogram_quantile([], [], 0.5, bounds=(0, 9))) == (0, 9)
    few = histogram_quantile([3], [2], 0.5, bounds=(0, 9))
    assert (few.estimate, few.low, few.high) == (3, 0, 9)
    many = histogram_quantile([3], [200], 0.5)
    assert (many.low, many.high) == (3, 3)  # of 200 values the 95 % order statistics are known


@pytest.mark.parametrize(
    ("values", "counts", "p"),
    [([2, 1], [1, 1], 0.5), ([1, 1], [1, 1], 0.5), ([1, 2], [1, -1], 0.5), ([1], [1], 1.0)],
)
def test_histograms_out_of_order_are_refused(values, counts, p):
    with pytest.raises(ValueError, match=r"ascending|between"):
        histogram_quantile(values, counts, p)
    with pytest.raises(ValueError, match=r"ascending|between"):
        block_quantile(values, counts, counts, p, blocks=2)


def block_histogram(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """values, counts, squares of blocks x (blocks, rows), by the definition."""
    values = np.unique(x)
    below = (x[:, :, None] <= values).sum(axis=1)
    return values, (x[:, :, None] == values).sum(axis=(0, 1)), np.diff(
        (below**2).sum(axis=0), prepend=0
    )  # fmt: skip


def test_woodruff_on_single_rows_is_close_to_order_statistics():
    x = np.random.default_rng(7).poisson(400, (5000, 1))
    values, counts, squares = block_histogram(x)
    for p in (0.05, 0.25, 0.5, 0.75, 0.95):
        exact = histogram_quantile(values, counts, p)
        woodruff = block_quantile(values, counts, squares, p, blocks=5000)
        assert woodruff.estimate == exact.estimate
        assert ends(woodruff) == pytest.approx(ends(exact), abs=1.01)


@pytest.mark.parametrize(("p", "blocks"), [(0.05, 400), (0.5, 400), (0.95, 400), (0.5, 40)])
def test_coverage_of_woodruff_in_blocks(p, blocks):
    """Rows of a block share most of their size; order statistics of rows miss too often."""
    rng, trials, rows = np.random.default_rng(8), 1000, 4
    truth = stats.norm.ppf(p, 100, 20)
    misses = naive = 0
    for _ in range(trials):
        x = 100 + rng.normal(0, 18, (blocks, 1)) + rng.normal(0, math.sqrt(76), (blocks, rows))
        x = np.ceil(x).astype(np.int64)  # P(ceil(x) <= q) jumps over p at ceil(truth)
        values, counts, squares = block_histogram(x)
        misses += not block_quantile(values, counts, squares, p, blocks=blocks).contains(
            math.ceil(truth)
        )
        naive += not histogram_quantile(values, counts, p).contains(math.ceil(truth))
    assert misses <= allowed_misses(trials, 0.94)
    assert naive > allowed_misses(trials, 0.94)


def test_woodruff_without_spread_and_of_one_block():
    x = np.tile([1, 2, 3, 4], (100, 1))
    values, counts, squares = block_histogram(x)
    median = block_quantile(values, counts, squares, 0.5, blocks=100)
    # half of each block is at most 2: it may be a little less or more of unseen blocks
    assert (median.estimate, median.low, median.high) == (2, 2, 3)
    one = block_quantile(values, [1, 1, 1, 1], [1, 3, 5, 7], 0.5, blocks=1)
    assert ends(one) == (-math.inf, math.inf)
    with pytest.raises(ValueError, match="same number"):
        block_quantile([1, 2], [2, 1], [2, 3], 0.5, blocks=2)


def test_a_quantile_too_far_out_has_an_open_end():
    x = np.arange(80).reshape(20, 4)
    interval = block_quantile(*block_histogram(x), 0.95, blocks=20, bounds=(0, 1000))
    assert interval.high == 1000


# -------------------------------------------------------------------- several groups together


def test_simultaneous_levels():
    assert simultaneous_level(0.95, 4) == pytest.approx(0.9875)
    assert simultaneous_level(0.95, 4, "sidak") ** 4 == pytest.approx(0.95)
    assert simultaneous_level(0.95, 1) == pytest.approx(0.95)
    with pytest.raises(ValueError, match="at least one"):
        simultaneous_level(0.95, 0)
    with pytest.raises(ValueError, match="unknown method"):
        simultaneous_level(0.95, 2, "holm")


def seats(wins: list[int], n: int) -> list[Interval]:
    return [wilson(k, n, simultaneous_level(0.95, len(wins))) for k in wins]


def test_spread_of_seats():
    fair = spread(seats([250, 251, 249, 250], 1000))
    assert fair.estimate == pytest.approx(0.002)
    assert fair.low == 0
    assert 0.05 < fair.high < 0.1
    skewed = spread(seats([400, 200, 200, 200], 1000))
    assert 0.1 < skewed.low < 0.2 < skewed.high
    with pytest.raises(ValueError, match="need level"):
        spread([wilson(1, 9), wilson(2, 9)])
    with pytest.raises(ValueError, match="at least one"):
        spread([])


def test_joint_coverage_of_spread_and_deviation():
    rng, trials, p = np.random.default_rng(9), 1000, [0.28, 0.25, 0.24, 0.23]
    intervals = [seats(list(map(int, rng.multinomial(2000, p))), 2000) for _ in range(trials)]
    missed = sum(not spread(i).contains(0.05) for i in intervals)
    off = sum(not largest_deviation(i, 0.25).contains(0.03) for i in intervals)
    assert missed <= allowed_misses(trials)
    assert off <= allowed_misses(trials)


def test_equivalence_to_equal_rates():
    assert equivalent_rates(seats([25_010, 24_990, 25_100, 24_900], 100_000), 0.01).holds is True
    assert equivalent_rates(seats([260, 250, 245, 245], 1000), 0.01).holds is None
    verdict = equivalent_rates(seats([40_000, 20_000, 20_000, 20_000], 100_000), 0.01)
    assert verdict.holds is False
    assert verdict.target == 0.25
    assert verdict.deviation.estimate == pytest.approx(0.15)
    with pytest.raises(ValueError, match="margin"):
        equivalent_rates(seats([1, 1], 2), 0)


def test_fairness_agrees_with_scipy():
    wins = [300, 250, 230, 220]
    expected = stats.power_divergence(wins, lambda_="log-likelihood")
    result = fairness_test(wins)
    assert (result.statistic, result.p_value) == pytest.approx(expected, rel=1e-12)
    assert result.df == 3
    assert fairness_test([10, 10]).p_value == 1
    assert fairness_test([0, 0]).p_value == 1
    assert fairness_test([20, 0]).statistic == pytest.approx(2 * 20 * math.log(2))
    with pytest.raises(ValueError, match="at least two"):
        fairness_test([5])
    with pytest.raises(ValueError, match="design effect"):
        fairness_test([5, 5], 0.0)


def test_the_design_effect_keeps_fairness_honest_in_blocks():
    """Four copies of each game: a naive test sees four times the evidence."""
    rng, trials, blocks = np.random.default_rng(10), 1000, 200
    false = naive = 0
    for _ in range(trials):
        winner = rng.integers(0, 4, blocks)
        wins = [int(4 * (winner == s).sum()) for s in range(4)]
        effects = [
            design_effect(ClusterSums.of(4 * (winner == s), np.full(blocks, 4))) for s in range(4)
        ]
        false += fairness_test(wins, float(np.mean(effects))).p_value < 0.05
        naive += fairness_test(wins).p_value < 0.05
    assert false <= allowed_misses(trials)
    assert naive > trials / 3
