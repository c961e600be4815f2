"""Made-up data: the truths are those of the rows, the sums those of rows counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import synthetic
from analysis.measures import Measure
from analysis.moments import Moments
from analysis.pairs import PairSums
from analysis.synthetic import LABELS, LENGTH, METRICS, PLAYERS, WIN, Pair
from sim.batch import Chunk
from sim.game import WIN_UNIT

BLOCKS = 40_000


@pytest.fixture(scope="module")
def made() -> Chunk:
    return synthetic.rows(np.random.default_rng(1), BLOCKS)


def test_the_rows_are_rotated_blocks_with_one_win_a_game(made: Chunk) -> None:
    assert made.seats.shape == (BLOCKS * PLAYERS, PLAYERS)
    assert (made.seats["win"].sum(axis=1) == WIN_UNIT).all()
    shared = (made.seats["win"] == WIN_UNIT // 2).any(axis=1).mean()
    assert shared == pytest.approx(0.1, abs=0.005)
    assert (made.seats["slot"][:, 0] == made.games["game"] % PLAYERS).all()
    assert (made.seats["hits"] <= made.seats["rolls"]).all()


def test_games_of_a_deal_resemble_each_other(made: Chunk) -> None:
    lengths = made.games["length"].reshape(-1, PLAYERS).astype(float)
    assert np.corrcoef(lengths[:, 0], lengths[:, 1])[0, 1] > 0.2


def test_the_truths_are_those_of_the_rows(made: Chunk) -> None:
    sums = Moments.of(made.games, made.seats, METRICS, rotations=PLAYERS, labels=LABELS)
    frame = sums.estimates(1 - 1e-6)

    def holds(metric: str, statistic: str, truth: float, key: str = "", value: object = None):
        rows = frame[(frame["metric"] == metric) & (frame["statistic"] == statistic)]
        row = rows[rows[key] == value].iloc[0] if key else rows.iloc[0]
        assert row["low"] <= truth <= row["high"]
        assert row["high"] - row["low"] < 0.03 * max(1.0, truth)

    for seat in range(1, PLAYERS + 1):
        holds("win_rate", "mean", synthetic.WIN_RATES[seat], "seat", seat)
    for label in set(LABELS):
        holds("win_rate", "mean", synthetic.WIN_RATES[label], "strategy", label)
    holds("length", "mean", synthetic.LENGTH_MEAN)
    holds("length", "sd", synthetic.LENGTH_SD)
    holds("length", "q95", synthetic.length_quantile(0.95))
    holds("hits_per_roll", "mean", synthetic.HIT_RATE)


def test_seats_win_alike_and_strategies_do_not() -> None:
    rates = synthetic.WIN_RATES
    assert [rates[seat] for seat in range(1, 5)] == pytest.approx([0.25] * 4)
    assert rates["strong"] > rates["plain"] > rates["weak"]
    assert 2 * rates["strong"] + rates["plain"] + rates["weak"] == pytest.approx(1)


def test_the_changes_are_what_is_said(made: Chunk) -> None:
    other = synthetic.changed(np.random.default_rng(2), made)
    n = len(made.games)
    gain = (other.seats["win"][:, 0].astype(float) - made.seats["win"][:, 0]).mean() / WIN_UNIT
    assert gain == pytest.approx(synthetic.MOVED * 0.75, abs=5 / np.sqrt(n))
    lost = 1 - other.seats["hits"].sum() / made.seats["hits"].sum()
    assert lost == pytest.approx(0.1, abs=0.005)
    medians = [np.median(one.games["length"]) for one in (other, made)]
    assert medians[0] - medians[1] == pytest.approx(synthetic.MEDIAN_LONGER, abs=0.5)


@pytest.mark.parametrize("rotated", [False, True])
def test_counts_sum_up_like_rows(rotated: bool) -> None:
    """The sums of drawn counts equal those of chunks made of the same blocks."""
    if rotated:
        pair = synthetic.rotated_blocks(0.3, {-WIN_UNIT: 0.4, 3: 0.1, WIN_UNIT: 0.5})
    else:
        pair = synthetic.single_games(0.2, 0.05)
    counts = pair.draw(np.random.default_rng(3), 500, 1)[0]
    values = np.repeat(pair.values, counts, axis=0)
    rotations = pair.rows

    def chunk(of_block: np.ndarray) -> Chunk:
        games = np.zeros(len(of_block) * rotations, synthetic.GAME_ROW)
        games["game"] = np.arange(len(games))
        seats = np.zeros((len(games), PLAYERS), synthetic.SEAT_ROW)
        # a block's sum in its first games, a whole win at most in each
        for place in range(rotations):
            part = np.clip(of_block - place * WIN_UNIT, 0, WIN_UNIT)
            seats["win"][place::rotations, 0] = part
        return Chunk(0, games, seats, {})

    summed = PairSums.of(
        Measure(WIN, seat=1),
        chunk(values[:, 0]),
        chunk(values[:, 1]),
        rotations=rotations,
        changed_labels=LABELS,
        base_labels=LABELS,
    )
    assert summed == pair.sums(counts)
    assert pair.differences @ counts / 500 == pytest.approx(summed.effect())


def test_effect_and_variance_of_a_pair() -> None:
    pair = synthetic.single_games(0.1, 0.02)
    assert pair.effect == pytest.approx(0.02)
    assert pair.variance == pytest.approx(0.1 - 0.02**2)
    assert pair.chances.sum() == pytest.approx(1)
    lengths = synthetic.rotated_blocks(0.5, {4: 1.0}, Measure(LENGTH))
    assert lengths.effect == pytest.approx(0.5)
    assert lengths.sums([1, 1]).differences == {}


def test_a_pair_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="no such games"):
        synthetic.single_games(0.01, 0.02)
    assert isinstance(synthetic.single_games(0.02, 0.02), Pair)
