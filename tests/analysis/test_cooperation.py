from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.cooperation import (
    MARGIN,
    QUANTITIES,
    effect,
    share,
    team_labels,
    team_seats,
    teams_of,
    with_game_fields,
    won,
)
from analysis.intervals import paired_rates
from analysis.paired import EFFECT_COLUMNS, BlockSums, Column
from tests.analysis.team_games import drawn, team
from tests.reports.answers import setting

NAME = "near_and_far"


def test_teams_are_that_of_the_lineup_and_those_that_ship() -> None:
    alike = teams_of(setting(("balanced",) * 3, name=NAME))
    assert next(iter(alike.items())) == ("balanced", ("balanced",))
    shipped = list(alike)[1:]
    assert all(name.startswith("team_") for name in shipped)
    mixed = setting(("miner", "fighter", "miner"), name=NAME)
    assert team_labels(mixed) == ("miner + fighter + miner", *shipped)
    assert team_seats(("a", "b", "c"), 2) == ("a", "b")
    assert team_seats(("a", "b", "c"), 4) == ("a", "b", "c", "a")


def test_shares_have_the_interval_that_suits() -> None:
    n = 200
    for wins in (0, 7, 90, n):
        chunk = team(n, team_won=(np.arange(n) < wins).astype(int))
        found = share(BlockSums.of([chunk], [won(0)], 1), won(0), 0.95, together=4)
        if wins == 0:  # the rule of three, and what it stands for
            assert found.high == pytest.approx(1 - (0.05 / 4) ** (1 / n))
            assert found.low == 0
        elif wins == n:
            assert found.low == pytest.approx((0.05 / 4) ** (1 / n))
        else:
            method = "beta" if wins < 30 else "wilson"
            expected = proportion_confint(wins, n, 0.05 / 4, method)
            assert (found.low, found.high) == pytest.approx(expected)
            assert found.estimate == wins / n
    assert "4 at once" in found.method


def test_shares_of_blocks_are_clustered() -> None:
    rng = np.random.default_rng(4)
    luck = rng.random(300) < 0.4
    chunk = team(600, rotations=2, team_won=np.repeat(luck, 2).astype(int))
    found = share(BlockSums.of([chunk], [won(0)], 2), won(0), 0.95)
    assert found.n == 300
    alone = proportion_confint(int(luck.sum()), 300, 0.05, "wilson")
    assert (found.low, found.high) == pytest.approx(alone, abs=0.002)  # twins tell nothing new


def test_a_share_out_of_some_games_counts_only_these() -> None:
    some, all_ = np.array([1, 0, 1, 0, 0, 1]), np.array([1, 1, 1, 0, 0, 1])
    chunk = with_game_fields(team(6), {"some": some, "all": all_})
    columns = [Column(0, name, "game") for name in ("some", "all")]
    sums = BlockSums.of([chunk], columns, 1)
    assert share(sums, columns[0], 0.95, of=columns[1]).estimate == pytest.approx(3 / 4)
    nothing = with_game_fields(team(6), {"some": 0 * some, "all": 0 * all_})
    none = share(BlockSums.of([nothing], columns, 1), columns[0], 0.95, of=columns[1])
    assert np.isnan(none.estimate)
    assert (none.low, none.high) == (0, 1)


def test_effects_are_paired_on_the_same_deals() -> None:
    rng = np.random.default_rng(9)
    chunks = [drawn(rng, 400, skill=skill) for skill in (8.0, 0.0, 0.0)]
    columns = [
        Column(play, field, "game") for play in range(3) for field, *_ in QUANTITIES.values()
    ]
    sums = BlockSums.of(chunks, columns, 1)
    one, other = (chunks[play].games["team_won"].astype(int) for play in (0, 2))
    row = effect(sums, "won", 0, 2, 0.95, together=3)
    up, down = int((one > other).sum()), int((one < other).sum())
    assert min(up, down) >= 10
    expected = paired_rates(up, down, 400, 1 - 0.05 / 3)
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))
    assert row["estimate"] == pytest.approx(one.mean() - other.mean())
    assert row["discordance"] == pytest.approx((one != other).mean())
    assert row["method"].startswith("Tango")
    for side, wins in (("changed", one), ("without", other)):  # each has its own interval
        ends = proportion_confint(wins.sum(), 400, 0.05 / 3, "wilson")
        assert row[side] == wins.mean()
        assert (row[f"{side}_low"], row[f"{side}_high"]) == pytest.approx(ends)
        assert row[f"{side}_n"] == 400
    assert set(EFFECT_COLUMNS) == set(row)
    gain = (chunks[1].games[MARGIN].astype(int) - chunks[2].games[MARGIN]).astype(float)
    row = effect(sums, "margin", 1, 2, 0.95)
    test = stats.ttest_1samp(gain, 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
    test = stats.ttest_1samp(chunks[1].games[MARGIN].astype(float), 0).confidence_interval(0.95)
    assert (row["changed_low"], row["changed_high"]) == pytest.approx((test.low, test.high))
    same = effect(sums, "won", 1, 1, 0.95)  # no game differs: a bound, and no zero width
    assert same["low"] < 0 < same["high"]
    assert same["estimate"] == 0
