from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.intervals import clustered_ratio
from analysis.measures import Measure
from analysis.pairs import PairSums
from sim.batch import Chunk
from sim.game import Metric
from tests.analysis.games import chunk, cut, winners

WIN = Metric("win_rate", "share of games", "seat", "win", scale=12, by=(("seat",),))
RATIO = Metric("hits_per_roll", "hits", "seat", "hits", per="slot", by=((),))
HITS = Metric("hits", "hits", "seat", "hits", by=(("seat",),))
LONG = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
LABELS = ("a", "b", "a", "c")


def two_plays(games: int = 400, rotations: int = 1, seed: int = 1) -> tuple[Chunk, Chunk]:
    """Games, and the same with some results changed: changed play first."""
    rng = np.random.default_rng(seed)
    base = winners(rng, games)
    changed = base.copy()
    changed[rng.random(games) < 0.15] = [0, 12, 0, 0]
    hits = rng.integers(0, 5, (games, 4))
    rolls = rng.integers(20, 40, games)
    return (
        chunk(changed, hits + (rng.random((games, 4)) < 0.3), rotations=rotations, rolls=rolls + 2),
        chunk(base, hits, rotations=rotations, rolls=rolls),
    )


def sums(measure: Measure, plays: tuple[Chunk, Chunk], rotations: int) -> PairSums:
    return PairSums.of(
        measure, *plays, rotations=rotations, changed_labels=LABELS, base_labels=LABELS
    )


def blocks(one: Chunk, field: str, seat: int, rotations: int) -> np.ndarray:
    return one.seats[field][:, seat - 1].reshape(-1, rotations).sum(axis=1).astype(float)


@pytest.mark.parametrize("rotations", [1, 4])
def test_a_mean_is_judged_by_its_block_differences(rotations: int) -> None:
    plays = two_plays(rotations=rotations)
    found = sums(Measure(WIN, seat=2), plays, rotations)
    changed, base = (blocks(p, "win", 2, rotations) / 12 / rotations for p in plays)
    difference = changed - base
    assert found.effect() == pytest.approx(difference.mean(), rel=1e-12)
    assert found.variance() == pytest.approx(difference.var(ddof=1), rel=1e-9)
    assert found.discordance == (difference != 0).mean()
    assert found.correlation() == pytest.approx(np.corrcoef(changed, base)[0, 1], rel=1e-9)
    unpaired = changed.var(ddof=1) + base.var(ddof=1)
    assert found.speed_up() == pytest.approx(unpaired / difference.var(ddof=1), rel=1e-9)
    values, counts = found.difference_counts()
    assert counts.sum() == len(difference)
    assert values @ counts == pytest.approx(difference.sum())
    for value, count in zip(values, counts, strict=True):
        assert count == np.isclose(difference, value).sum()


def test_a_ratio_is_judged_by_its_linearised_blocks() -> None:
    plays = two_plays(rotations=4)
    found = sums(Measure(RATIO), plays, 4)
    influence = []
    for play in plays:
        num = play.seats["hits"].reshape(-1, 16).sum(axis=1).astype(float)
        den = play.seats["slot"].reshape(-1, 16).sum(axis=1).astype(float)
        influence.append((num - num.sum() / den.sum() * den) / den.mean())
    assert found.variance() == pytest.approx((influence[0] - influence[1]).var(ddof=1), rel=1e-9)
    assert found.variance() > 0
    one = clustered_ratio(found.one(changed=True))
    assert found.covariances()[0, 0] / found.blocks == pytest.approx(
        found.one(changed=True).variance(), rel=1e-9
    )
    assert found.figure(True) == one.estimate


def test_quantiles_shift_with_the_games() -> None:
    plays = two_plays()
    found = sums(Measure(LONG, statistic="q50"), plays, 1)
    assert found.effect() == 2
    assert found.figure(False) == np.quantile(plays[1].games["rolls"], 0.5, method="inverted_cdf")


def test_equal_plays_have_no_spread_and_no_discordance() -> None:
    _, base = two_plays()
    found = sums(Measure(HITS, seat=1), (base, base), 1)
    assert (found.effect(), found.variance(), found.discordance) == (0, 0, 0)
    assert found.speed_up() == math.inf
    assert found.correlation() == pytest.approx(1)
    win = sums(Measure(WIN, seat=1), (base, base), 1)
    assert [part.tolist() for part in win.difference_counts()] == [[0], [400]]


def test_what_never_varies_has_no_correlation() -> None:
    still = chunk(np.tile([12, 0, 0, 0], (8, 1)))
    found = sums(Measure(WIN, seat=1), (still, still), 1)
    assert math.isnan(found.correlation())
    assert math.isnan(found.speed_up())


@pytest.mark.parametrize(
    "measure", [Measure(WIN, seat=2), Measure(RATIO), Measure(LONG, statistic="q50")], ids=str
)
def test_sums_add_up_whatever_the_cut(measure: Measure) -> None:
    plays = two_plays(rotations=4)
    whole = sums(measure, plays, 4)
    pieces = list(zip(*(cut(p, 40, 44, 300) for p in plays), strict=True))
    a, b, c, d = (sums(measure, piece, 4) for piece in pieces)
    assert a + b + c + d == whole == d + (c + (b + a))
    assert a != whole


def test_games_must_be_the_same_whole_blocks() -> None:
    changed, base = two_plays()
    short = cut(base, 200)[0]
    with pytest.raises(ValueError, match="same games"):
        sums(Measure(WIN), (changed, short), 1)
    late = [cut(play, 2)[1] for play in two_plays(rotations=4)]
    with pytest.raises(ValueError, match="middle of a block"):
        sums(Measure(WIN), (late[0], late[1]), 4)
    with pytest.raises(ValueError, match="different measures"):
        sums(Measure(WIN), (changed, base), 1) + sums(Measure(HITS), (changed, base), 1)
    with pytest.raises(ValueError, match="not counted"):
        sums(Measure(HITS, seat=1), (changed, base), 1).difference_counts()
