from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from analysis.coop_wins import (
    bounds_frame,
    bounds_sentence,
    cases,
    effect_sentence,
    effects_frame,
    teams_sentence,
    win_columns,
    win_plays,
    wins_frame,
    wins_sentence,
)
from analysis.paired import BlockSums
from sim.batch import Chunk
from tests.analysis.team_games import team
from tests.reports.answers import ask, setting

TEAMS = ("good", "poor")
SIZES = (2, 3)
GAMES = 300


def results(rng: np.random.Generator) -> dict[int, dict[tuple[str, str, bool], np.ndarray]]:
    """Who wins: luck that all set-ups of a size share, and a chance of their own."""
    found: dict[int, dict[tuple[str, str, bool], np.ndarray]] = {}
    for size in SIZES:
        luck = rng.random(GAMES)
        found[size] = {}
        for difficulty, name, minions in cases(TEAMS):
            chance = 0.0 if name == "poor" else 0.6
            chance -= 0.2 * (difficulty == "moon") + 0.1 * minions + 0.05 * (size == 3)
            found[size][difficulty, name, minions] = (luck < chance).astype(int)
    return found


@pytest.fixture(scope="module")
def won() -> dict[int, dict[tuple[str, str, bool], np.ndarray]]:
    return results(np.random.default_rng(11))


@pytest.fixture(scope="module")
def sums(won: dict[int, dict[tuple[str, str, bool], np.ndarray]]) -> dict[int, BlockSums]:
    found = {}
    for size, by_case in won.items():
        chunks = [team(GAMES, players=size, team_won=wins) for wins in by_case.values()]
        halves = [
            BlockSums.of(
                [Chunk(a, c.games[a:b], c.seats[a:b], {}) for c in chunks],
                win_columns(len(TEAMS)),
                1,
            )
            for a, b in ((0, 100), (100, GAMES))
        ]
        found[size] = halves[0] + halves[1]
    return found


def test_every_set_up_is_played_at_every_size() -> None:
    plays = win_plays({"one": ("a",), "two": ("b", "c")}, 3)
    assert [(play.seats, dict(play.patches)) for play in plays[:4]] == [
        (("a",) * 3, {"switches.difficulty": "sun", "together.start": 0, "modules.minions": False}),
        (("a",) * 3, {"switches.difficulty": "sun", "together.start": 0, "modules.minions": True}),
        (
            ("b", "c", "b"),
            {"switches.difficulty": "sun", "together.start": 0, "modules.minions": False},
        ),
        (
            ("b", "c", "b"),
            {"switches.difficulty": "sun", "together.start": 0, "modules.minions": True},
        ),
    ]
    assert len(plays) == 8


def test_shares_are_counts_with_intervals_that_hold_together(won, sums) -> None:
    found = wins_frame(sums, TEAMS, 0.95)
    assert len(found) == 2 * 2 * 2 * len(SIZES)
    for row in found.to_dict("records"):
        wins = won[row["players"]][row["difficulty"], row["team"], row["minions"]]
        assert row["won"] == wins.sum()
        assert row["estimate"] == wins.mean()
        if wins.any():
            method = "beta" if min(wins.sum(), GAMES - wins.sum()) < 30 else "wilson"
            low, high = proportion_confint(wins.sum(), GAMES, 0.05 / len(found), method)
            assert (row["low"], row["high"]) == pytest.approx((low, high))
    text = wins_sentence(found, "good")
    assert text.startswith("Without minions good wins under the sun")
    assert "the easiest is 2 players, sun, without minions" in text
    assert "the hardest 3 players, moon, with minions" in text
    text = wins_sentence(found, "poor")  # which never wins
    assert text.endswith("; all its 8 set-ups came to the same.")


def test_differences_are_paired(won, sums) -> None:
    moon = effects_frame(sums, TEAMS, "difficulty", 0.95)
    row = moon[(moon["players"] == 3) & (moon["team"] == "good") & ~moon["minions"]].iloc[0]
    one, other = won[3]["moon", "good", False], won[3]["sun", "good", False]
    assert row["estimate"] == pytest.approx(one.mean() - other.mean())
    assert row["discordance"] == pytest.approx((one != other).mean())
    assert row["without_low"] < row["without"] == other.mean() < row["without_high"]
    assert "The moon instead of the sun changes" in effect_sentence(
        moon, "good", "The moon instead of the sun"
    )
    minions = effects_frame(sums, TEAMS, "minions", 0.95)
    assert len(minions) == 2 * 2 * len(SIZES)
    row = minions[(minions["players"] == 2) & (minions["difficulty"] == "moon")].iloc[0]
    gain = won[2]["moon", "good", True].mean() - won[2]["moon", "good", False].mean()
    assert row["estimate"] == pytest.approx(gain)
    teams = effects_frame(sums, TEAMS, "teams", 0.95)
    assert set(teams["team"]) == {"poor"}
    assert (teams["estimate"] > 0).all()
    assert f"poor in {len(teams)} of {len(teams)} set-ups" in teams_sentence(teams, "good")
    same = effect_sentence(minions[minions["team"] == "poor"], "poor", "Minions")
    assert same == "Minions: no difference for poor is told apart from none."


def test_what_was_never_seen_has_a_bound_and_words(sums) -> None:
    found = bounds_frame(wins_frame(sums, TEAMS, 0.95), 0.95)
    assert set(found["team"]) == {"poor"}
    assert set(found["event"]) == {"won"}
    assert len(found) == 8
    assert found["high"].to_numpy() == pytest.approx(1 - 0.05 ** (1 / GAMES))
    assert found["high"].iloc[0] == pytest.approx(3 / GAMES, rel=0.01)  # the rule of three
    assert found["together_high"].to_numpy() == pytest.approx(1 - (0.05 / 8) ** (1 / GAMES))
    text = bounds_sentence(found, 0.95)
    assert "No game was won by poor in 8 set-ups of 300 games or more" in text
    assert "below 1.00\u00a0% in each" in text
    assert "rule of three" in text
    assert bounds_sentence(found[:0], 0.95) == ""


def test_real_games_are_answered() -> None:
    where = setting(("balanced",) * 2, 12, name="near_and_far", modules__coop=True)
    found = ask("coop_wins", where)
    wins = found.frames["wins"]
    assert set(wins["players"]) == {2, 3, 4}
    assert (wins["games"] == 12).all()
    assert "balanced" in found.sentences[0]
    never = wins[wins["won"] == 0]
    bounds = found.frames["bounds"]
    assert len(bounds[bounds["event"] == "won"]) == len(never)
