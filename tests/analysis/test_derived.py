from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analysis.derived import ratio_effect, with_fields
from analysis.paired import BlockSums, Column
from tests.analysis.games import chunk, winners


def sums_of(
    base: tuple[np.ndarray, np.ndarray], changed: tuple[np.ndarray, np.ndarray]
) -> BlockSums:
    win = np.zeros(base[0].shape, np.int64)
    chunks = [
        with_fields(chunk(win), {"hits": hits, "tries": tries}) for hits, tries in (base, changed)
    ]
    columns = [Column(play, name) for play in (0, 1) for name in ("hits", "tries")]
    return BlockSums.of(chunks, columns, 1)


def drawn(rng: np.random.Generator, chance: float, games: int = 400) -> tuple[np.ndarray, ...]:
    tries = rng.integers(0, 6, (games, 2))
    return rng.binomial(tries, chance), tries


def test_an_effect_on_a_ratio_is_the_difference_of_two_linearised_ratios() -> None:
    rng = np.random.default_rng(4)
    base, changed = drawn(rng, 0.4), drawn(rng, 0.6)
    sums = sums_of(base, changed)
    found = ratio_effect(sums, [Column(1, "hits")], [Column(1, "tries")], 0.9)
    influence, ratios = [], []
    for hits, tries in (base, changed):
        num, den = hits.sum(axis=1), tries.sum(axis=1)
        ratios.append(num.sum() / den.sum())
        influence.append((num - ratios[-1] * den) / den.mean())
    gain = influence[1] - influence[0]
    half = stats.t.isf(0.05, 399) * gain.std(ddof=1) / math.sqrt(400)
    assert found.without.estimate == pytest.approx(ratios[0])
    assert found.changed.estimate == pytest.approx(ratios[1])
    assert found.interval.estimate == pytest.approx(ratios[1] - ratios[0])
    assert found.interval.high - found.interval.estimate == pytest.approx(half)
    assert found.interval.estimate - found.interval.low == pytest.approx(half)
    assert found.correlation == pytest.approx(np.corrcoef(*influence)[0, 1])
    assert found.speed_up == pytest.approx(
        (influence[0].var() + influence[1].var()) / gain.var(), rel=1e-9
    )
    assert found.discordance == pytest.approx((base[0].sum(1) != changed[0].sum(1)).mean())


def test_its_interval_covers_the_truth() -> None:
    rng = np.random.default_rng(11)
    hit = 0
    for _ in range(200):
        sums = sums_of(drawn(rng, 0.5, 120), drawn(rng, 0.6, 120))
        found = ratio_effect(sums, [Column(1, "hits")], [Column(1, "tries")], 0.9).interval
        hit += found.low <= 0.1 <= found.high
    assert 180 - 5 * math.sqrt(200 * 0.09) <= hit <= 180 + 4 * math.sqrt(200 * 0.09)


def test_nothing_to_divide_by_is_no_estimate() -> None:
    rng = np.random.default_rng(5)
    none = np.zeros((50, 2), np.int64)
    sums = sums_of(drawn(rng, 0.5, 50), (none, none))
    found = ratio_effect(
        sums, [Column(1, "hits")], [Column(1, "tries")], bounds=(-1.0, 1.0)
    ).interval
    assert math.isnan(found.estimate)
    assert (found.low, found.high) == (-1.0, 1.0)
    with pytest.raises(ValueError, match="a den for each num"):
        ratio_effect(sums, [Column(1, "hits")], [])


def test_fields_are_added_and_the_others_dropped() -> None:
    plain = chunk(winners(np.random.default_rng(1), 12, 3), rotations=3)
    more = with_fields(plain, {"twice": 2 * plain.seats["win"]})
    assert more.seats.dtype.names == ("slot", "win", "twice")
    assert (more.seats["slot"] == plain.seats["slot"]).all()
    assert BlockSums.of([more], [Column(0, "twice")], 3).totals[0] == 24 * 12
