"""The Python API gives what the command line prints, as frames."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay.api import Oddity, specs_of
from sim.errors import UserError
from sim.game import load_game

ROOT = Path(__file__).resolve().parents[2]
GAME = "wizard_miners"


def test_play_gives_a_frame_with_an_interval_in_every_row():
    played = assay.play(GAME, seats=["random", "passive", "builder"], games=30, seed=1, rotate=True)
    frame = played.frame
    assert played.games == 30
    assert played.seats == ("random", "passive", "builder")
    assert {"metric", "unit", "statistic", "seat", "strategy", "estimate"} <= set(frame.columns)
    known = frame.dropna(subset="estimate")
    assert len(known) > 50
    assert ((known.low <= known.estimate) & (known.estimate <= known.high)).all()
    unknown = frame[frame.estimate.isna()]  # whoever digs with bare hands has no cave-in roll
    assert unknown.method.str.startswith("no data").all()
    assert (frame.n == 10).all()  # blocks
    assert frame.set_index("metric").unit["rolls"].eq("rolls").all()


def test_progress_is_told_game_by_chunk():
    told = []
    assay.play(GAME, seats="passive", games=5000, progress=lambda *what: told.append(what))
    assert told[-1] == ("Wizard Miners", 5000, 5000)
    assert [done for _, done, _ in told] == sorted({done for _, done, _ in told})


def test_mistakes_are_user_errors():
    with pytest.raises(assay.UserError, match="level"):
        assay.play(GAME, level=1.0)
    with pytest.raises(UserError, match="did you mean"):
        assay.rules("wizard_miner")
    with pytest.raises(AttributeError, match="plya"):
        _ = assay.plya


def test_rules_and_strategies_can_be_looked_up():
    assert any(entry.key == "dice.sides" and entry.value == 8 for entry in assay.rules(GAME))
    changed = assay.rules(GAME, patches={"dice.sides": 6})
    assert any(entry.key == "dice.sides" and entry.was == 8 for entry in changed)
    assert any(row["strategy"] == "balanced" for row in assay.strategies(GAME))
    assert GAME in [one["game"] for one in assay.games()]


def test_a_trace_can_seat_somebody_else():
    lines = assay.trace(GAME, game_index=1, seats="passive", rotate=True, seat={2: "random"})
    assert lines[1:5] == [f"  seat {s}: {'random' if s == 2 else 'passive'}" for s in range(1, 5)]
    assert lines[-1].startswith(("Seat ", "Nobody "))


def test_the_first_of_odd_games_is_kept():
    assert Oddity(2, 7) + Oddity(1, 3) == Oddity(3, 3)
    assert Oddity() + Oddity(1, 0) == Oddity(1, 0)
    assert Oddity() + Oddity() == Oddity()


def test_seats_and_players():
    game = load_game(GAME)
    assert specs_of(game, None, None) == ("balanced",) * 4
    assert specs_of(game, 3, None) == ("balanced",) * 3
    assert specs_of(game, 3, "random") == ("random",) * 3
    assert specs_of(game, None, "random,passive,builder") == ("random", "passive", "builder")
    with pytest.raises(UserError, match="3 strategies for 4 players"):
        specs_of(game, 4, ["a", "b", "c"])


def test_importing_assay_imports_nothing_heavy():
    script = (
        "import sys, assay, assay.cli; "
        "print(*{m.partition('.')[0] for m in sys.modules} & "
        "{'numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'pyarrow', 'pydantic', 'typst'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_names_of_the_front_door_stay_functions_when_their_modules_are_imported() -> None:
    names = ("ask", "check", "compare", "explain", "plan", "robust", "selftest", "sweep")
    for name in names:
        module = importlib.import_module(f"assay.{name}")
        assert getattr(assay, name) is getattr(module, name)
        assert callable(getattr(assay, name))
    assert set(assay.__all__) <= set(dir(assay))
