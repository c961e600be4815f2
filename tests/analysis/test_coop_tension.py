from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import special, stats
from statsmodels.stats.proportion import proportion_confint

from analysis.coop_tension import (
    STATES,
    TensionSums,
    curves_frame,
    falls_frame,
    features,
    forecast_sentence,
    foretold,
    indicators_frame,
    indicators_sentence,
    middle,
    open_frame,
    open_sentence,
    reliability_frame,
    tension_sums,
)
from sim.batch import Chunk
from tests.analysis.team_games import team
from tests.reports.answers import ask, setting

GAMES = 4000


def drawn(seed: int, games: int = GAMES) -> Chunk:
    """Games in which gap and bosses left say how likely a win is; some end after round 4."""
    rng = np.random.default_rng(seed)
    gap = np.rint(rng.normal(-40, 25, games)).astype(int)
    bosses = rng.integers(0, 3, games)
    won = rng.random(games) < special.expit(2 + gap / 15 - 0.8 * bosses)
    later = np.rint(gap + rng.normal(10, 10, games)).astype(int)
    over = rng.random(games) < 0.2
    return team(
        games,
        team_won=won.astype(int),
        gap_r4=gap,
        bosses_r4=bosses,
        gap_r8=np.where(over, -999, later),
        bosses_r8=np.where(over, -1, bosses),
    )


@pytest.fixture(scope="module")
def chunk() -> Chunk:
    return drawn(2)


@pytest.fixture(scope="module")
def sums(chunk: Chunk) -> TensionSums:
    def part(a: int, b: int) -> TensionSums:
        return tension_sums(Chunk(a, chunk.games[a:b], chunk.seats[a:b], {}), 1)

    return part(1000, GAMES) + part(0, 1000)


def test_parts_add_up_in_any_order(chunk: Chunk, sums: TensionSums) -> None:
    whole = tension_sums(chunk, 1)
    assert np.array_equal(whole.keys, sums.keys)
    assert np.array_equal(whole.counts, sums.counts)
    assert sums.counts.sum() == 8 * GAMES


@pytest.fixture(scope="module")
def table(sums: TensionSums) -> pd.DataFrame:
    return foretold(sums)


def test_curves_are_shares_of_the_rows(chunk: Chunk, table: pd.DataFrame) -> None:
    found = curves_frame(table, 1, 0.95)
    games = chunk.games
    for bosses in (None, 1):
        here = games if bosses is None else games[games["bosses_r4"] == bosses]
        rows = found[found["round"] == 4]
        rows = rows[rows["bosses"].isna() if bosses is None else rows["bosses"] == bosses]
        assert rows["games"].sum() == len(here)
        for row in rows.to_dict("records"):
            inside = here[(here["gap_r4"] >= row["from"]) & (here["gap_r4"] <= row["to"])]
            won = int(inside["team_won"].sum())
            assert (row["games"], row["won"]) == (len(inside), won)
            if 30 <= won <= len(inside) - 30:
                low, high = proportion_confint(won, len(inside), 0.05 / len(rows), "wilson")
                assert (row["low"], row["high"]) == pytest.approx((low, high))
    assert set(found["round"]) == {4, 8}  # nobody saw a later round


def test_forecasts_are_those_of_a_logistic_regression(chunk: Chunk, table: pd.DataFrame) -> None:
    found = table["by both"].to_numpy()
    even = chunk.games[np.arange(GAMES) % 2 == 0]
    design = features(even["gap_r4"].astype(float), even["bosses_r4"], "both")
    fit = sm.Logit(even["team_won"].astype(float), design).fit(disp=0)
    here = (table["round"] == 0).to_numpy()
    rows = table[here]
    expected = fit.predict(features(rows["gap"].to_numpy(), rows["bosses"].to_numpy(), "both"))
    assert found[here] == pytest.approx(expected, abs=2e-3)  # but for the slight ridge
    assert np.isnan(found[table["gap"].isna().to_numpy()]).all()


def by_hand(chunk: Chunk, knows: NDArray[np.float64]) -> float:
    """Skill on the odd deals of a forecast by a value of each game, by class means."""
    odd = np.arange(GAMES) % 2 == 1
    won = chunk.games["team_won"].astype(float)
    error = ((knows[odd] - won[odd]) ** 2).mean()
    return float(1 - error / ((won[~odd].mean() - won[odd]) ** 2).mean())


def test_what_foretells_more_is_measured_on_other_deals(chunk: Chunk, table: pd.DataFrame) -> None:
    found = indicators_frame(table, 0.95)
    skill = found[found["round"] == 4].set_index("knows")["estimate"]
    assert skill["both"] > skill["points"] > skill["bosses"] > 0
    # bosses alone: a curve through three points is their three means
    games = chunk.games
    even = np.arange(GAMES) % 2 == 0
    means = {
        left: games["team_won"][even & (games["bosses_r4"] == left)].mean() for left in range(3)
    }
    forecast = np.array([means[int(left)] for left in games["bosses_r4"]])
    assert skill["bosses"] == pytest.approx(by_hand(chunk, forecast), abs=1e-4)
    odd = ~even
    won = games["team_won"].astype(float)
    errors = {"brier": (forecast - won)[odd] ** 2, "without": (won[even].mean() - won[odd]) ** 2}
    row = found[(found["round"] == 4) & (found["knows"] == "bosses")].iloc[0]
    for name, error in errors.items():
        # 2,000 odd deals in 32 replicates of 62 or 63
        replicates = [error[first::32].mean() for first in range(32)]
        half = stats.sem(replicates) * stats.t.isf(0.025, 31)
        assert row[name] == pytest.approx(error.mean(), abs=1e-5)
        assert row[f"{name}_high"] - row[name] == pytest.approx(half, rel=0.02)
        assert row[f"{name}_n"] == 32
    text = indicators_sentence(found)
    assert "after round 4 the points remove" in text


def test_open_games_are_those_that_are_not_decided(chunk: Chunk, table: pd.DataFrame) -> None:
    found = open_frame(table, 1, 0.95).set_index(["round", "state"])
    odd = table[(table["odd"] == 1) & (table["round"] == 1)]
    over = int((chunk.games["gap_r8"][1::2] == -999).sum())
    assert found.loc[(8, "over"), "games"] == over
    assert found.loc[(8, "over"), "estimate"] == pytest.approx(over / (GAMES / 2))
    lost = odd[odd["by both"] < 0.1]["games"].sum()
    assert found.loc[(8, "nearly lost"), "games"] == lost
    sizes = found["games"].groupby("round").sum()
    assert (sizes == GAMES / 2).all()
    assert set(found.index.get_level_values("state")) == set(STATES)
    assert "of all games" in open_sentence(found.reset_index())
    assert open_sentence(found.reset_index()[:0]) == "No game saw round 4."


def test_forecasts_agree_and_more_points_help(table: pd.DataFrame) -> None:
    reliability = reliability_frame(table, 1, 0.999)
    assert reliability["inside"].all()
    assert (reliability["forecast_low"] < reliability["forecast"]).all()
    assert (reliability["forecast"] < reliability["forecast_high"]).all()
    # far narrower than the classes, a tenth each
    assert (reliability["forecast_high"] - reliability["forecast_low"] < 0.04).all()
    odd = table[(table["odd"] == 1) & (table["by both"] < 0.1)]
    mean = (odd["by both"] * odd["games"]).sum() / odd["games"].sum()
    assert reliability["forecast"].iloc[0] == pytest.approx(mean)
    falls = falls_frame(curves_frame(table, 1, 0.95), 0.95)
    assert falls["falls"].sum() == 0
    text = forecast_sentence(reliability, falls)
    assert "agree with what happened in every class" in text
    assert "no larger gap is shown to win less often" in text
    # where the fate of odd deals is another one, forecasts must miss it
    turned = drawn(2)
    games = turned.games.copy()
    games["team_won"][1::2] = 1 - games["team_won"][1::2]
    wrong = tension_sums(Chunk(0, games, turned.seats, {}), 1)
    assert not reliability_frame(foretold(wrong), 1, 0.999)["inside"].all()
    down = drawn(2)
    games = down.games.copy()
    games["gap_r4"] = -games["gap_r4"]  # more points, fewer wins
    curves = curves_frame(tension_sums(Chunk(0, games, down.seats, {}), 1).table(), 1, 0.95)
    assert falls_frame(curves, 0.95)["falls"].sum() > 0


def test_blocks_are_not_taken_apart() -> None:
    one = drawn(5, 1000)
    twice = Chunk(0, np.repeat(one.games, 2), np.repeat(one.seats, 2, axis=0), {})
    alone, pair = (tension_sums(c, r) for c, r in ((one, 1), (twice, 2)))
    assert pair.counts.sum() == 2 * alone.counts.sum()
    a, b = (
        open_frame(foretold(found), rotations, 0.95).set_index(["round", "state"])
        for found, rotations in ((alone, 1), (pair, 2))
    )
    # the same games twice: the same shares, about the same width
    assert b["estimate"].to_numpy() == pytest.approx(a["estimate"].to_numpy(), abs=1e-6)
    assert a.loc[(8, "open"), "n"] == 500  # odd deals
    assert b.loc[(8, "open"), "n"] == 32  # replicates
    widths = [(f["high"] - f["low"])[(8, "open")] for f in (a, b)]
    assert widths[1] == pytest.approx(widths[0], rel=0.5)


def test_rounds_in_between_are_picked() -> None:
    assert middle([4, 8, 12, 16, 20]) == [8, 12, 16]
    assert middle([4]) == [4]
    assert middle([4, 8]) == [4, 8]


def test_real_games_are_answered() -> None:
    where = setting(("balanced",) * 2, 80, name="near_and_far", modules__coop=True)
    found = ask("coop_tension", where)
    opened: pd.DataFrame = found.frames["open"]
    assert (opened.groupby("round")["games"].sum() == 40).all()
    curves = found.frames["curves"]
    first = curves[(curves["round"] == 4) & curves["bosses"].isna()]
    assert first["games"].sum() == 80
