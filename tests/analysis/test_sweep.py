"""Cells of a sweep: sums that add up, intervals, verdicts, the probability of all targets."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.designs import Factor
from analysis.joint import JointSums
from analysis.measures import BlockValues, Measure
from analysis.sequential import Verdict
from analysis.sweep import (
    BETTING,
    Asked,
    Condition,
    Target,
    cost_of,
    difference,
    figure,
    overall,
    probability,
    shared_level,
    shortlist,
    standard_normals,
    verdicts,
)
from sim.game import Metric
from tests.analysis.games import chunk, cut, winners

WIN = Metric("win_rate", "share of games", "seat", "win", scale=12, by=(("seat",),))
ROLLS = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
HITS = Metric("hits", "hits", "seat", "hits", per="slot")
LABELS = ("a", "b", "c", "d")
SEAT_1 = Measure(WIN, seat=1)
LENGTH = Measure(ROLLS)
LONG = Measure(ROLLS, statistic="q90")


def asked(*targets: Target, rotations: int = 1, measures: tuple[Measure, ...] = ()) -> Asked:
    found = tuple(dict.fromkeys([target.measure for target in targets] + list(measures)))
    return Asked(found, targets, rotations, LABELS)


def pair(seed: int, games: int = 4000, shift: float = 0.0, luck: float = 1.0):
    """A cell and the base on the same luck; the cell's games are longer, seat 1 is luckier."""
    rng = np.random.default_rng(seed)
    rolls = rng.poisson(30, games)
    win = winners(np.random.default_rng(seed + 1), games)
    other = winners(np.random.default_rng(seed + 1), games, luck=luck)
    longer = rolls + (rng.random(games) < shift)
    return chunk(other, rolls=longer), chunk(win, rolls=rolls)


# --------------------------------------------------------------------------------- the targets


@given(st.lists(st.integers(0, 12), min_size=1, max_size=40), st.integers(0, 12), st.integers(1, 6))
def test_a_quantile_is_in_its_range_where_its_conditions_hold(
    values: list[int], low: int, span: int
) -> None:
    """The conditions on shares say of any sample what its own quantile says."""
    target = Target("q", LONG, low, low + span)
    data = chunk(np.zeros((len(values), 4), int), rolls=np.array(values))
    held = []
    for one in target.conditions:
        block = one.block_values(data.games, data.seats, rotations=1, labels=LABELS)
        held.append(one.low <= block.num.sum() / len(values) <= one.high)
    ordered = sorted(values)
    quantile = next(x for i, x in enumerate(ordered, 1) if i / len(values) >= 0.9 - 1e-12)
    assert all(held) == (low <= quantile <= low + span)


def test_a_one_sided_quantile_has_one_condition() -> None:
    assert [one.at_most for one in Target("q", LONG, -math.inf, 50).conditions] == [50]
    assert [one.at_most for one in Target("q", LONG, 40, math.inf).conditions] == [39]
    assert len(Target("m", LENGTH, 30, 40).conditions) == 1


def test_rows_are_not_changed_by_a_condition() -> None:
    data, _ = pair(1, 100)
    before = data.games.copy()
    one = Target("q", LONG, 0, 30).conditions[0]
    one.block_values(data.games, data.seats, rotations=1, labels=LABELS)
    assert (data.games == before).all()


# ------------------------------------------------------------------------------------ the sums


@pytest.mark.parametrize("rotations", [1, 4])
def test_sums_of_parts_are_the_sums_of_the_whole(rotations: int) -> None:
    rng = np.random.default_rng(2)
    cell, base = (
        chunk(
            winners(rng, 400),
            rng.integers(0, 9, (400, 4)),
            rotations=rotations,
            rolls=rng.poisson(30, 400),
        )
        for _ in range(2)
    )
    wanted = asked(
        Target("length", LENGTH, 28, 32),
        Target("long", LONG, 30, 40),
        Target("seat 1", SEAT_1, 0.2, 0.3),
        rotations=rotations,
        measures=(Measure(HITS),),
    )
    whole = wanted.reduce((cell, base))
    parts = [
        wanted.reduce(both)
        for both in zip(cut(cell, 40, 200, 360), cut(base, 40, 200, 360), strict=True)
    ]
    assert reduce(lambda a, b: a + b, parts) == whole
    assert parts[3] + (parts[1] + parts[0]) + parts[2] == whole
    assert parts[0] != parts[1]


# ---------------------------------------------------------------------------------- the figures


def test_figures_are_means_with_their_intervals() -> None:
    cell, base = pair(3, luck=1.5)
    wanted = asked(measures=(SEAT_1, LENGTH))
    sums = wanted.reduce((cell, base))
    wins = cell.seats["win"][:, 0] / 12
    rate = figure(sums.pairs[0], sums.counts[0], 0.95, sequential=False)
    score = stats.binomtest(int(wins.sum()), len(wins)).proportion_ci(method="wilson")
    assert math.isclose(rate.estimate, wins.mean())
    assert np.allclose([rate.low, rate.high], [score.low, score.high], atol=2e-5)
    length = figure(sums.pairs[1], sums.counts[1], 0.95, sequential=False)
    rolls = cell.games["rolls"]
    ends = stats.t.interval(0.95, len(rolls) - 1, rolls.mean(), stats.sem(rolls))
    assert np.allclose([length.low, length.high], ends)
    wider = figure(sums.pairs[0], sums.counts[0], 0.95, sequential=True)
    assert wider.low < rate.low < rate.high < wider.high
    assert wider.method == BETTING
    wider = figure(sums.pairs[1], sums.counts[1], 0.95, sequential=True)
    assert wider.low < length.low < length.high < wider.high


def test_differences_are_paired() -> None:
    cell, base = pair(4, shift=0.3)
    wanted = asked(measures=(LENGTH, LONG))
    sums = wanted.reduce((cell, base))
    found = difference(sums.pairs[0], 0.95, sequential=False)
    apart = cell.games["rolls"].astype(int) - base.games["rolls"]
    ends = stats.ttest_1samp(apart, 0).confidence_interval()
    assert np.allclose([found.low, found.high], ends)
    assert found.high - found.low < 0.05  # unpaired: 0.48
    assert difference(sums.pairs[1], 0.95, sequential=False) is None  # a quantile
    wider = difference(sums.pairs[0], 0.95, sequential=True)
    assert wider.low < found.low < 0.3 < found.high < wider.high


def test_intervals_of_quantiles_keep_their_level() -> None:
    """500 samples of a Poisson; more misses than the bound have a probability of 1 in 10,000."""
    truth = stats.poisson.ppf(0.9, 30)
    missed = 0
    for seed in range(500):
        rolls = np.random.default_rng(seed).poisson(30, 150)
        data = chunk(np.zeros((150, 4), int), rolls=rolls)
        sums = asked(measures=(LONG,)).reduce((data, data))
        found = figure(sums.pairs[0], None, 0.95, sequential=False)
        assert found.low <= found.estimate <= found.high
        missed += not found.low <= truth <= found.high
    assert missed <= stats.binom.isf(1e-4, 500, 0.05)


def test_a_quantile_of_equal_games() -> None:
    data = chunk(np.zeros((2000, 4), int), rolls=np.full(2000, 33))
    sums = asked(measures=(LONG,)).reduce((data, data))
    for sequential in (False, True):
        found = figure(sums.pairs[0], None, 0.95, sequential=sequential)
        assert (found.estimate, found.low, found.high) == (33, 33, 33)


# ---------------------------------------------------------------------------------- the verdicts


@pytest.mark.parametrize("sequential", [False, True])
def test_verdicts_are_read_off_the_intervals(sequential: bool) -> None:
    cell, base = pair(5, 20_000)
    wanted = asked(
        Target("met", LENGTH, 29, 31),
        Target("missed", LENGTH, 31, 35),
        Target("open", LENGTH, 30, 40),
        Target("long, met", LONG, 35, 40),
        Target("long, missed", LONG, 0, 35),
        Target("seat 1", SEAT_1, 0.2, 0.3),
    )
    sums = wanted.reduce((cell, base))
    found = verdicts(sums, wanted, 0.95, sequential=sequential)
    says = ["PASS", "FAIL", "UNDECIDED", "PASS", "FAIL", "PASS"]
    assert [str(one) for one in found] == says
    assert overall(found) is Verdict.FAIL
    assert overall([Verdict.PASS, Verdict.UNDECIDED]) is Verdict.UNDECIDED
    assert overall([Verdict.PASS]) is Verdict.PASS
    assert math.isclose(shared_level(0.95, wanted), 1 - 0.05 / 8)


def test_wrong_verdicts_are_rare_however_often_one_looks() -> None:
    """A mean of exactly the upper end, 12 looks, 200 cells: at most 5 % are ever called met."""
    target = Target("length", LENGTH, 20, 30)
    wanted = asked(target)
    wrong = 0
    for seed in range(200):
        rolls = np.random.default_rng([seed, 7]).poisson(30, 12 * 1024)
        data = chunk(np.zeros((len(rolls), 4), int), rolls=rolls)
        sums = None
        for part in cut(data, *range(1024, len(rolls), 1024)):
            found = wanted.reduce((part, part))
            sums = found if sums is None else sums + found
            if verdicts(sums, wanted, 0.95, sequential=True)[0] is not Verdict.UNDECIDED:
                wrong += 1
                break
    assert wrong <= stats.binom.isf(1e-4, 200, 0.05)


# ------------------------------------------------------------------------- P(all targets met)


def blocks_of(table: np.ndarray) -> JointSums:
    return JointSums.of([BlockValues(row, None, 1) for row in table])


def conditions(*ranges: tuple[float, float]) -> list[Condition]:
    return [Condition(LENGTH, low, high) for low, high in ranges]


def test_the_probability_of_one_target_is_the_normals() -> None:
    values = np.random.default_rng(6).poisson(30, 500)
    joint = blocks_of(values[None])
    mean, se = values.mean(), values.std(ddof=1) / math.sqrt(500)
    for low, high in ((29.8, 30.2), (-math.inf, 30.1), (30.4, math.inf), (20, 40), (20, 25)):
        truth = stats.norm.cdf((high - mean) / se) - stats.norm.cdf((low - mean) / se)
        found = probability(joint, conditions((low, high)), standard_normals(1, 1))
        assert abs(found - truth) < 4.5 * 0.005  # 10,000 draws


def test_the_probability_of_two_targets_is_the_bivariate_normals() -> None:
    """Correlated by -0.8, so that their product would be far off."""
    rng = np.random.default_rng(7)
    common = rng.poisson(200, 400)
    table = np.array([common, 400 - common + rng.poisson(100, 400)])
    joint = blocks_of(table)
    mean, spread = table.mean(axis=1), np.cov(table) / 400
    assert -0.9 < spread[0, 1] / math.sqrt(spread[0, 0] * spread[1, 1]) < -0.7
    truth = stats.multivariate_normal(mean, spread).cdf(mean)  # both below their means
    found = probability(
        joint, conditions(*((-math.inf, end) for end in mean)), standard_normals(2, 2)
    )
    assert abs(found - truth) < 4.5 * 0.005
    assert abs(truth - 0.25) > 0.1


def test_figures_without_spread_are_met_or_not() -> None:
    joint = blocks_of(np.array([np.full(50, 30), np.arange(50)]))
    normals = standard_normals(1, 2)
    assert probability(joint, conditions((30, 31), (0, 50)), normals) == 1
    assert probability(joint, conditions((31, 32), (0, 50)), normals) == 0
    assert math.isnan(probability(blocks_of(np.array([[1]])), conditions((0, 2)), normals[:, :1]))


def test_draws_depend_on_the_seed_alone() -> None:
    assert np.array_equal(standard_normals(3, 2), standard_normals(3, 2))
    assert not np.array_equal(standard_normals(3, 2), standard_normals(4, 2))


# ----------------------------------------------------------------------------- the cheapest change


def test_a_change_costs_the_share_of_the_range_it_moves() -> None:
    factors = [
        Factor("a", "a", 16, low=0, high=16, cost=2.0),
        Factor("b", "b", True, levels=(False, True), cost=0.5),
    ]
    assert cost_of((16, True), factors) == 0
    assert cost_of((8, True), factors) == 1
    assert cost_of((0, False), factors) == 2.5


def test_the_shortlist_has_the_cheapest_that_meets_the_targets_first() -> None:
    costs = [0.0, 1.0, 0.5, 0.5, 2.0]
    assert shortlist(costs, [0.1, 0.99, 0.96, 0.98, 1.0], 0.95) == [3, 2, 1]
    assert shortlist(costs, [0.1, 0.99, 0.2, 0.9, math.nan], 0.95) == [1, 3, 2]
    assert shortlist(costs, [0.1, 0.2, 0.2, 0.2, 0.0], 0.95) == [2, 3, 1]
    assert shortlist([0.0], [0.5], 0.95) == [0]
