"""Plans: the blocks that are forecast are the blocks that verdicts take."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.gates import Gate, PlaySums, judge, sums_of
from analysis.intervals import ClusterSums
from analysis.measures import Measure
from analysis.planning import (
    Forecast,
    forecast_comparison,
    forecast_gate,
    forecast_precision,
    possible_chances,
)
from analysis.selftest_sequences import gate_runs
from analysis.sequential import Verdict, bounded_mean_sequence, looks
from analysis.synthetic import LENGTH, PLAYERS, WIN, Pair, rotated_blocks, rows, single_games
from sim.game import WIN_UNIT

PILOT = 2048


def never() -> PlaySums:
    raise AssertionError("this state needs no resampling")


def medians(pair: Pair, gate: Gate, pilots: int, seed: int) -> tuple[float, list[Forecast]]:
    """The true median of blocks to a verdict, and the forecasts of some pilots."""
    rng = np.random.default_rng(seed)
    found = gate_runs(rng, pair, gate, looks(1 << 22), 200)
    assert (found.verdicts != Verdict.UNDECIDED).all()
    sums = [pair.sums(counts) for counts in pair.draw(rng, PILOT, pilots)]
    return float(np.median(found.blocks)), [forecast_gate(gate, s, never, rng) for s in sums]


@pytest.mark.parametrize(
    ("pair", "margin"),
    [
        (single_games(0.1, 0.03), 0.01),
        (single_games(0.1, 0.0), 0.02),
        (single_games(0.3, 0.0), 0.03),
        (single_games(0.02, 0.0), 0.01),
        (rotated_blocks(0.3, {-WIN_UNIT: 0.5, WIN_UNIT: 0.5}), 0.01),
    ],
)
def test_verdicts_take_about_as_many_blocks_as_planned(pair: Pair, margin: float) -> None:
    """The typical plan is within a factor of 1.5 of the median, and its range is honest."""
    gate = Gate("g", pair.measure, margin=margin)
    truth, forecasts = medians(pair, gate, 30, seed=1)
    assert truth > PILOT
    typical = float(np.median([f.median for f in forecasts]))
    assert truth / 1.5 <= typical <= truth * 1.5
    still_open = [f for f in forecasts if f.high > PILOT]
    held = sum(f.low <= truth <= f.high for f in still_open)
    assert len(still_open) >= 20
    assert held >= 0.75 * len(still_open)  # 90 % are expected


def test_the_chance_of_a_verdict_within_the_budget_is_right() -> None:
    """Over effects of all sizes it is, on average, the share of runs that have decided by then."""
    rng, budget = np.random.default_rng(2), 8192
    chances, decided = [], []
    for effect in rng.uniform(-0.04, 0.04, 40):
        pair = single_games(0.1, effect)
        gate = Gate("g", pair.measure, margin=0.015)
        sums = pair.sums(pair.draw(rng, PILOT, 1)[0])
        chances.append(forecast_gate(gate, sums, never, rng).within(budget))
        decided.append((gate_runs(rng, pair, gate, looks(1 << 15), 10).blocks <= budget).mean())
    assert 0.2 < np.mean(decided) < 0.8
    assert np.mean(chances) == pytest.approx(np.mean(decided), abs=0.1)


def play_sums(won: int, games: int) -> PlaySums:
    total = WIN_UNIT * won
    sums = ClusterSums(games, total, games, WIN_UNIT * total, games, total)
    return PlaySums(Measure(WIN, seat=1), 1, 1, sums, {0: games - won, WIN_UNIT: won})


def test_a_range_is_planned_from_the_play_alone() -> None:
    gate = Gate("g", Measure(WIN, seat=1), within=(0.2, 0.28))
    rng = np.random.default_rng(3)
    found = forecast_gate(gate, play_sums(512, PILOT), never, rng)
    # decided where 1.85 ordinary half-widths of 25 % are 0.03
    assert found.median == pytest.approx((1.85 * 1.96 / 0.03) ** 2 * 0.1875, rel=0.5)
    assert found.low <= found.median <= found.high
    open_ended = Gate("g", Measure(WIN, seat=1), within=(0.0, 0.28))
    assert forecast_gate(open_ended, play_sums(512, PILOT), never, rng).median <= found.median


def test_a_pilot_that_decides_is_enough() -> None:
    gate = Gate("g", Measure(WIN, seat=1), within=(0.1, 0.5))
    found = forecast_gate(gate, play_sums(512, PILOT), never, np.random.default_rng(4))
    assert (found.low, found.median, found.high) == (PILOT, PILOT, PILOT)
    assert found.within(PILOT) == 1


def test_an_effect_at_the_margin_may_never_be_decided() -> None:
    pair = single_games(0.1, 0.01)
    counts = np.round(pair.chances * PILOT).astype(int)
    gate = Gate("g", pair.measure, margin=0.01)
    found = forecast_gate(gate, pair.sums(counts), never, np.random.default_rng(5))
    assert found.high > 50 * found.low


def test_means_are_planned_by_resampling() -> None:
    """A gate on a mean length: the plan is about where the whole run decides."""
    rng = np.random.default_rng(6)
    made = rows(rng, 400)
    gate = Gate("g", Measure(LENGTH), within=(65.0, 75.0))

    def part(blocks: np.ndarray):
        index = (blocks[:, None] * PLAYERS + np.arange(PLAYERS)).reshape(-1)
        chunk = type(made)(0, made.games[index], made.seats[index], {})
        return sums_of(gate, [chunk], rotations=PLAYERS, labels=[("a", "b", "a", "c")])

    pilot = part(np.arange(400))
    drawn = []

    def resample():
        drawn.append(rng.integers(0, 400, 400))
        return part(drawn[-1])

    found = forecast_gate(gate, pilot, resample, rng)
    assert len(drawn) == len(found.blocks) > 10
    needs = 400 + judge(gate, pilot).needs
    at = looks(1 << 26)
    assert found.low <= at[np.searchsorted(at, needs)] <= found.high


def test_a_comparison_is_planned_at_an_even_chance() -> None:
    """With the forecast number of blocks the fixed interval decides about half of the time."""
    pair = single_games(0.1, 0.0)
    rng = np.random.default_rng(7)
    counts = np.round(pair.chances * 2_000_000).astype(int)
    found = forecast_comparison(pair.sums(counts), 0.005, 0.95, rng)
    assert found.median == pytest.approx(1.96**2 * 0.1 / 0.005**2, rel=0.15)
    assert found.low < found.median < found.high
    same = single_games(0.1, 0.0).sums([0, 0, 500, 1500])
    assert math.isfinite(forecast_comparison(same, 0.005, 0.95, rng).median)
    assert forecast_comparison(pair.sums([0, 0, 0, 0]), 0.01, 0.95, rng).median == math.inf


def test_precision_is_planned_to_the_look() -> None:
    values, counts = np.array([0.0, 1.0]), np.array([1536, 512])
    found = forecast_precision(values, counts, 0.01, 0.95, np.random.default_rng(8))
    n = int(found.median)
    assert n in looks(1 << 26)
    low, high = bounded_mean_sequence(values, counts * (n / PILOT))
    assert (high - low) / 2 <= 0.0105
    before = n / math.sqrt(2)
    low, high = bounded_mean_sequence(values, counts * (before / PILOT))
    assert (high - low) / 2 > 0.0095


def test_values_that_no_block_had_remain_possible() -> None:
    values, chances = possible_chances(
        np.array([0.0]), np.array([100]), (-1.0, 1.0), np.random.default_rng(9), 4000
    )
    assert values.tolist() == [-1, 0, 1]
    assert chances.mean(axis=0) == pytest.approx([0.5 / 101, 100 / 101, 0.5 / 101], rel=0.1)


def test_quantiles_of_a_forecast() -> None:
    found = Forecast.of(np.array([4.0, 1.0, math.inf, 2.0]))
    assert found.blocks.tolist() == [1, 2, 4, math.inf]
    assert (found.low, found.median, found.high) == (1, 2, math.inf)
    assert found.within(2) == 0.5
    assert found.within(1e9) == 0.75
