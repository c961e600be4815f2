from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import special, stats
from statsmodels.stats.proportion import proportion_confint

from analysis import snowball
from analysis.question import Answer, Setting
from analysis.snowball import (
    QUESTION,
    SnowballSums,
    comeback_sentence,
    curves_frame,
    decided_frame,
    forecast,
    leader_sentence,
    leads_frame,
    logistic_curve,
    marks_of,
    progress_of,
    reliability_frame,
    score_frame,
    snowball_sums,
)
from sim.batch import Chunk
from sim.errors import UserError
from sim.game import REPLICATES, load_game
from tests.analysis.games import winners

GAME = load_game("wizard_miners")
MARKS = 3


def games_of(
    win: np.ndarray, leaders: np.ndarray, leads: np.ndarray, changes: Any = 0, first: int = 0
) -> Chunk:
    """Games with these wins (games, players), leaders and leads (games, marks)."""
    games = np.zeros(len(win), GAME.game_row)
    games["game"] = first + np.arange(len(win))
    games["lead_changes"] = changes
    for i in range(MARKS):
        games[f"leader_q{i + 1}"] = leaders[:, i]
        games[f"lead_q{i + 1}"] = leads[:, i]
    seats = np.zeros(win.shape, GAME.seat_row)
    seats["win"] = win
    return Chunk(first, games, seats, {})


def some_games(n: int = 480, seed: int = 3, **planted: float) -> Chunk:
    """Random leaders and leads; `slope` makes the last lead decide, some games have no winner."""
    rng = np.random.default_rng(seed)
    leaders = rng.integers(0, 4, (n, MARKS))
    leads = rng.integers(0, 8, (n, MARKS))
    win = winners(rng, n)
    slope = planted.get("slope")
    if slope is not None:
        p = special.expit(-1.5 + slope * leads[:, -1])
        ahead = rng.random(n) < p
        others = (leaders[:, -1] + rng.integers(1, 4, n)) % 4
        who = np.where(ahead, leaders[:, -1], others)
        win = 12 * np.eye(4, dtype=np.int64)[who]
    if planted.get("odd_games"):
        shared = rng.random(n) < 0.1
        win[shared] = [6, 0, 6, 0]
        stalled = rng.random(n) < 0.1
        win[stalled] = 0
        leaders[stalled, 1:] = -1
    return games_of(win, leaders, leads, rng.integers(0, 6, n))


def rows_of(chunk: Chunk, mark: int) -> pd.DataFrame:
    """A plain table of what happened at a mark."""
    leader = chunk.games[f"leader_q{mark}"].astype(int)
    win = chunk.seats["win"].astype(int)
    n = np.arange(len(win))
    frame = pd.DataFrame(
        {
            "game": n,
            "lead": chunk.games[f"lead_q{mark}"].astype(int),
            "win": np.where(leader >= 0, win[n, leader], 0) / 12,
            "others": (win.sum(axis=1) - np.where(leader >= 0, win[n, leader], 0)) / 12,
            "reached": leader >= 0,
        }
    )
    return frame[frame["reached"]]


def setting(games: int = 64, **changes: Any) -> Setting:
    rules = GAME.load(None, {})
    return dataclasses.replace(
        Setting(GAME, rules, ("drill_first",) * 4, False, games, 5), **changes
    )


def answer_of(chunk: Chunk) -> Answer:
    where = setting(len(chunk.games))
    (group,) = QUESTION.groups(where)
    return QUESTION.answer(where, {group.name: group.reduce((chunk,))})


def same(a: SnowballSums, b: SnowballSums) -> bool:
    for field in dataclasses.fields(SnowballSums):
        x, y = getattr(a, field.name), getattr(b, field.name)
        if not (np.array_equal(x, y) if isinstance(x, np.ndarray) else x == y):
            return False
    return True


# ------------------------------------------------------------------------------------- the sums


def test_game_that_keeps_no_leaders_cannot_be_asked():
    bare = dataclasses.replace(GAME, game_row=np.dtype([("game", np.int64)]))
    with pytest.raises(UserError, match="does not record who leads"):
        marks_of(bare)
    assert marks_of(GAME) == MARKS


def test_marks_are_named_by_the_part_of_the_way():
    assert [progress_of(mark, 3) for mark in (1, 2, 3)] == ["1/4", "1/2", "3/4"]


@pytest.mark.parametrize("rotations", [1, 4])
def test_sums_do_not_depend_on_how_games_are_cut(rotations):
    whole = some_games(odd_games=1)
    expected = snowball_sums(whole, MARKS, rotations)
    # the parts see different largest leads, so their tables differ in width
    edges = [0, 4, 160, len(whole.games)]
    parts = [
        snowball_sums(Chunk(a, whole.games[a:b], whole.seats[a:b], {}), MARKS, rotations)
        for a, b in itertools.pairwise(edges)
    ]
    assert same(parts[2] + (parts[0] + parts[1]), expected)


def test_negative_lead_is_refused():
    chunk = some_games(8)
    chunk.games["lead_q2"][3] = -1
    with pytest.raises(ValueError, match="behind the runner-up"):
        snowball_sums(chunk, MARKS, 1)


# ------------------------------------------------------------------------------------ the frames


@pytest.mark.parametrize("rotations", [1, 4])
def test_curves_and_leads_agree_with_plain_averages(rotations):
    chunk = some_games(odd_games=1)
    sums = snowball_sums(chunk, MARKS, rotations)
    curves, leads = curves_frame(sums, 0.95), leads_frame(sums, 0.95)
    for mark in range(1, MARKS + 1):
        plain = rows_of(chunk, mark)
        by_lead = plain.groupby("lead")["win"].agg(["mean", "size"])
        own = curves[curves["mark"] == mark].set_index("lead")
        assert list(own.index) == list(by_lead.index)
        assert np.allclose(own["estimate"], by_lead["mean"])
        assert list(own["games"]) == list(by_lead["size"])
        assert (own["low"] <= own["estimate"]).all()
        assert (own["estimate"] <= own["high"]).all()
        found = leads[leads["mark"] == mark].set_index("quantity")["estimate"]
        assert found["leader_wins"] == pytest.approx(plain["win"].mean())
        assert found["comeback"] == pytest.approx(plain["others"].mean())
        assert found["lead"] == pytest.approx(plain["lead"].mean())


def test_share_of_single_games_has_wilsons_interval():
    chunk = some_games(2000)
    sums = snowball_sums(chunk, MARKS, 1)
    row = leads_frame(sums, 0.95).iloc[0]
    plain = rows_of(chunk, 1)
    low, high = proportion_confint(plain["win"].sum(), len(plain), 0.05, "wilson")
    assert row["low"] == pytest.approx(low, abs=1e-4)
    assert row["high"] == pytest.approx(high, abs=1e-4)


def test_equal_games_of_a_block_do_not_narrow_an_interval():
    one = some_games(400)
    four = Chunk(0, np.repeat(one.games, 4), np.repeat(one.seats, 4, axis=0), {})
    single = leads_frame(snowball_sums(one, MARKS, 1), 0.95)
    blocks = leads_frame(snowball_sums(four, MARKS, 4), 0.95)
    assert np.allclose(single[["estimate", "low", "high"]], blocks[["estimate", "low", "high"]])


def test_decided_is_the_first_mark_from_which_the_winner_leads_on():
    leaders = np.array([[1, 1, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1], [-1, -1, -1]])
    win = np.array([[0, 12, 0, 0]] * 4 + [[0, 0, 0, 0]] * 2)  # two games without a winner
    chunk = games_of(win, leaders, np.ones((6, MARKS), dtype=int))
    found = decided_frame(snowball_sums(chunk, MARKS, 1), 0.95)
    assert list(found["progress"]) == ["1/4", "1/2", "3/4", "later"]
    assert list(found["estimate"]) == [0.25, 0.25, 0.25, 0.25]
    assert found["estimate"].sum() == 1


# ----------------------------------------------------------------------------------- the forecast


def test_logistic_curve_is_maximum_likelihood():
    rng = np.random.default_rng(8)
    games = rng.integers(50, 400, 12)
    leads = np.arange(12)
    wins = rng.binomial(games, special.expit(-1 + 0.3 * leads - 0.01 * leads**2))
    design = sm.add_constant(np.stack([leads, leads**2], axis=1))
    model = sm.GLM(np.stack([wins, games - wins], axis=1), design, family=sm.families.Binomial())
    assert np.allclose(logistic_curve(wins.astype(float), games), model.fit().fittedvalues, 2e-4)


def test_logistic_curve_survives_all_or_nothing_and_no_games():
    games = np.array([0, 30, 20, 0, 10])
    assert (logistic_curve(games * 1.0, games) > 0.99).all()
    assert (logistic_curve(games * 0.0, games) < 0.01).all()
    split = logistic_curve(np.array([0.0, 0.0, 20.0, 0.0, 10.0]), games)
    assert np.isfinite(split).all()
    assert split[1] < 0.02
    assert split[2] > 0.98
    one = logistic_curve(np.array([0.0, 15.0, 0.0]), np.array([0, 30, 0]))
    assert np.allclose(one, 0.5, atol=1e-3)
    assert np.isnan(logistic_curve(np.zeros(3), np.zeros(3, dtype=int))).all()


def test_score_is_measured_on_odd_deals_with_a_forecast_of_even_ones():
    chunk = some_games(4000, slope=0.4)
    sums = snowball_sums(chunk, MARKS, 1)
    foretold = forecast(sums.forecasts)
    by_lead, plain = foretold.by_lead, foretold.plain
    rows = rows_of(chunk, 3)
    even, odd = rows[rows["game"] % 2 == 0], rows[rows["game"] % 2 == 1]
    assert plain[2] == pytest.approx(even["win"].mean())
    brier = ((by_lead[2][odd["lead"]] - odd["win"]) ** 2).mean()
    without = ((plain[2] - odd["win"]) ** 2).mean()
    found = score_frame(sums.forecasts, foretold, 0.95)
    own = found[found["mark"] == 3].set_index("quantity")
    assert own["estimate"]["brier"] == pytest.approx(brier)
    assert own["estimate"]["brier_without"] == pytest.approx(without)
    assert own["estimate"]["skill"] == pytest.approx(1 - brier / without)
    assert (own["n"] == REPLICATES).all()


def test_planted_lead_is_found_and_foretold_rightly():
    chunk = some_games(20000, slope=0.5)
    sums = snowball_sums(chunk, MARKS, 1)
    foretold = forecast(sums.forecasts)
    score = score_frame(sums.forecasts, foretold, 0.99).set_index(["mark", "quantity"])
    assert score["low"][3, "skill"] > 0.1
    assert score["low"][1, "skill"] < 0.001  # its leaders were drawn at random
    assert np.allclose(foretold.by_lead[2], special.expit(-1.5 + 0.5 * np.arange(8)), atol=0.03)
    reliability = reliability_frame(sums.forecasts, foretold, 1, 0.999)
    assert reliability["inside"].all()
    assert reliability["games"].sum() == 3 * 10000


def test_mean_forecasts_have_intervals_over_replicates():
    chunk = some_games(4000, slope=0.4)
    sums = snowball_sums(chunk, MARKS, 1)
    foretold = forecast(sums.forecasts)
    found = reliability_frame(sums.forecasts, foretold, 1, 0.95)
    assert len(found) > 2
    made = pd.concat(
        rows_of(chunk, mark).assign(
            forecast=lambda rows, mark=mark: foretold.by_lead[mark - 1][rows["lead"]]
        )
        for mark in range(1, MARKS + 1)
    )
    made = made[made["game"] % 2 == 1]
    made = made.assign(replicate=made["game"] // 2 % REPLICATES)
    spread = 0
    for row in found.to_dict("records"):
        inside = made[(made["forecast"] >= row["from"]) & (made["forecast"] < row["to"])]
        mean = inside["forecast"].mean()
        sizes = inside.groupby("replicate")["forecast"].agg(["sum", "size"])
        # linearised by hand: each replicate's distance from what its games would bring
        left = (sizes["sum"] - mean * sizes["size"]).to_numpy()
        k = len(left)
        error = math.sqrt((left**2).sum() * k / (k - 1)) / len(inside)
        half = error * stats.t.isf(0.025 / len(found), k - 1)
        assert row["forecast"] == pytest.approx(mean)
        assert row["forecast_n"] == k
        if half < 1e-9:  # one lead alone
            assert row["forecast_low"] < mean < row["forecast_high"]
            assert row["forecast_high"] - row["forecast_low"] < 0.1
            continue
        spread += 1
        assert row["forecast_high"] - mean == pytest.approx(half)
        assert mean - row["forecast_low"] == pytest.approx(half)
    assert spread > 1


def test_answer_makes_its_forecasts_once(monkeypatch):
    fitted = []
    curve = snowball.logistic_curve

    def counted_curve(*sums):
        fitted.append(1)
        return curve(*sums)

    monkeypatch.setattr(snowball, "logistic_curve", counted_curve)
    answer_of(some_games(400))
    assert len(fitted) == MARKS


def test_mark_that_even_deals_never_reached_is_not_forecast():
    chunk = some_games(400)
    chunk.games["leader_q3"][::2] = -1
    sums = snowball_sums(chunk, MARKS, 1)
    foretold = forecast(sums.forecasts)
    assert np.isnan(foretold.by_lead[2]).all()
    assert reliability_frame(sums.forecasts, foretold, 1, 0.95)["games"].sum() == 2 * 200


def test_forecast_that_fails_on_fresh_deals_is_told():
    chunk = some_games(20000, slope=0.5)
    odd = np.arange(len(chunk.games)) % 2 == 1
    chunk.games["lead_q3"][odd] = 7 - chunk.games["lead_q3"][odd]  # leads mean the contrary there
    sums = snowball_sums(chunk, MARKS, 1)
    foretold = forecast(sums.forecasts)
    assert not reliability_frame(sums.forecasts, foretold, 1, 0.999)["inside"].all()
    score = score_frame(sums.forecasts, foretold, 0.95).set_index(["mark", "quantity"])
    assert score["high"][3, "skill"] < 0
    sentence = answer_of(chunk).sentences[-1]
    assert "miss what happened" in sentence
    assert "nothing that shows at 3/4" in sentence


# ---------------------------------------------------------------------------------- the question


def test_answer_has_documented_frames_and_sentences():
    found = answer_of(some_games(4000, slope=0.5, odd_games=1))
    frames = {"curves", "leads", "changes", "mean_changes", "decided", "score", "reliability"}
    assert set(found.frames) == frames
    for frame in found.frames.values():
        assert {"low", "high", "level", "n", "method"} <= set(frame)
    assert found.frames["changes"]["games"].sum() == 4000
    chunk = some_games(4000, slope=0.5, odd_games=1)
    mean = found.frames["mean_changes"]["estimate"].iloc[0]
    assert mean == pytest.approx(chunk.games["lead_changes"].mean())
    assert len(found.sentences) == 6
    assert not any(math.isnan(x) for x in found.frames["curves"]["estimate"])


@pytest.mark.parametrize(
    ("estimate", "low", "high", "said"),
    [
        (0.2, 0.19, 0.21, "is a burden"),
        (0.25, 0.24, 0.26, "is worth nothing"),
        (0.25, 0.20, 0.30, "Whether an early lead helps is undecided"),
        (0.4, 0.39, 0.41, "helps"),
        (0.7, 0.69, 0.71, "decides most games"),
    ],
)
def test_leader_sentence_says_what_an_early_lead_is_worth(estimate, low, high, said):
    leads = pd.DataFrame(
        {
            "quantity": ["leader_wins"],
            "progress": ["1/4"],
            "estimate": [estimate],
            "low": [low],
            "high": [high],
        }
    )
    assert said in leader_sentence(leads, 4)


def test_games_that_go_nowhere_are_said_to():
    chunk = some_games(8)
    for mark in range(1, MARKS + 1):
        chunk.games[f"leader_q{mark}"] = -1
    chunk.seats["win"] = 0
    found = answer_of(chunk)
    assert found.sentences[0] == "No game went far enough for anybody to lead."
    assert found.frames["curves"].empty
    assert comeback_sentence(found.frames["leads"]) == ""
