"""The speed figures: that they are what they say, not how fast anything is."""

from fractions import Fraction

import pytest

from assay import bench
from assay.pig import GOAL, HOLD, luck_of, play_pig
from sim.game import GAMES, load_game
from sim.rng import die, set_deal
from strategies.presets import presets_of


def pig_by_hand(seed, games):
    """Pig, the slow and obvious way."""
    luck = luck_of(seed)[0]
    won = turns = 0
    for game in range(games):
        set_deal(luck, game)
        scores, turn = [0, 0], 0
        while max(scores) < GOAL:
            points = k = 0
            while points < HOLD and scores[turn % 2] + points < GOAL:
                face = die(luck, 0, turn << 8 | k, 6)
                k += 1
                points += face
                if face == 1:
                    points = 0
                    break
            scores[turn % 2] += points
            turn += 1
        won += turn % 2
        turns += turn
    return won, turns


def test_the_calibration_loop_plays_pig():
    assert play_pig(luck_of(3)[0], 300) == pig_by_hand(3, 300)


def test_who_starts_wins_as_often_as_is_known():
    games = 20_000
    won, _ = play_pig(luck_of(1)[0], games)
    # hold at 20 against hold at 20: 0.5306 by dynamic programming; four standard errors
    assert abs(Fraction(won, games) - Fraction(5306, 10_000)) < 0.015


def test_figures_have_median_and_extremes():
    row = bench.Figure("x", "games/s", (3.0, 1.0, 2.0)).row()
    assert (row["median"], row["low"], row["high"], row["repeats"]) == (2.0, 1.0, 3.0, 3)


def test_every_game_has_lineups_to_be_timed():
    assert set(bench.LINEUPS) == set(GAMES)
    for name, lineups in bench.LINEUPS.items():
        game = load_game(name)
        for strategy, patches in lineups.items():
            together = game.together(game.load(None, patches).model)
            assert presets_of(game)[strategy].together == together


def test_every_figure_is_measured(monkeypatch):
    monkeypatch.setattr(bench, "WORK", 0.01)
    monkeypatch.setattr(bench, "default_threads", lambda: 2)
    monkeypatch.setattr(bench, "warm_seconds", lambda game: 1.0)
    monkeypatch.setattr(bench, "cold_seconds", lambda game: 2.0)
    names = {f.name: f for f in bench.measure("wizard_miners", repeats=1, cold=True)}
    assert names["cold compilation"].values == (2.0,)
    assert all(value > 0 for figure in names.values() for value in figure.values)
    assert {name for name in names if name.startswith("balanced x 4")} == {
        "balanced x 4, 1 thread",
        "balanced x 4, 1 thread, decisions",
        "balanced x 4, 1 thread, share of Pig",
        "balanced x 4, 2 threads",
        "balanced x 4, 2 threads against 1",
        "balanced x 4, 2 threads, share of Pig",
        "balanced x 4, decisions per game",
    }
    for threads in ("1 thread", "2 threads"):
        share = names[f"drill_first x 4, {threads}, share of Pig"].values[0]
        speed = names[f"drill_first x 4, {threads}"].values[0]
        assert share == pytest.approx(speed / names[f"Pig, {threads}"].values[0])


def test_on_one_processor_one_thread_is_measured(monkeypatch):
    monkeypatch.setattr(bench, "WORK", 0.01)
    monkeypatch.setattr(bench, "warm_seconds", lambda game: 1.0)
    monkeypatch.setattr(bench, "default_threads", lambda: 1)
    names = [figure.name for figure in bench.measure("wizard_miners", repeats=2)]
    assert "Pig, 1 thread" in names
    assert not [name for name in names if "thread" in name and "1 thread" not in name]


def test_a_record_keeps_the_order_of_measuring():
    record = bench.Figure("x", "games/s", (3.0, 1.0, 2.0)).record()
    assert (record["median"], record["values"]) == (2.0, [3.0, 1.0, 2.0])
