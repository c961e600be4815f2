"""Trials: whatever a user's strategy does, the laboratory says what happened and goes on."""

import textwrap
from pathlib import Path

import pytest

from sim.errors import UserError
from strategies import trial
from strategies.resolve import lineup
from strategies.trial import GAMES, Trial, replay_command, time_limit, try_out
from tests.strategies.tables import GAME, tables_for

BOTS = """
from numba import njit

from strategies.toolkit import highest, lowest


@njit("int64(int64)")
def deeper(n):
    return 0 if n < 0 else deeper(deeper(n + 1) + 1) + n


def good(state, tables, prompt, weights):
    return lowest(state["legal"])


def picks(state, tables, prompt, weights):
    return 44 if state["turn"] == 2 and prompt == 2 else lowest(state["legal"])


def raises(state, tables, prompt, weights):
    if state["turn"] == 2:
        raise ValueError("out of ideas")
    return lowest(state["legal"])


def outside(state, tables, prompt, weights):
    return state["gems"][state["turn"] + 1] * 0 + lowest(state["legal"])


def hangs(state, tables, prompt, weights):
    steps = 0
    while state["turn"] == 2:
        steps += 1
    return lowest(state["legal"])


def crashes(state, tables, prompt, weights):
    return deeper(0) if state["turn"] == 2 else lowest(state["legal"])


def peeks(state, tables, prompt, weights):
    for seat in range(state["players"]):
        if seat != state["seat"] and state["hand"][seat, 0] > 0:
            return highest(state["legal"])
    return lowest(state["legal"])


def remembers(state, tables, prompt, weights):
    memo = state["memo"][state["seat"]]
    memo[0] += 1
    return lowest(state["legal"]) if memo[0] % 2 else highest(state["legal"])
"""


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "bots.py"
    path.write_text(textwrap.dedent(BOTS), "utf-8")
    return path


def tried(bots: Path, name: str, **options: object) -> Trial:
    who = lineup(GAME, ["passive", f"{bots}:{name}", "drill_first", "passive"])
    return try_out(GAME, who, tables_for(4), seed=6, **options)


def mistake(bots: Path, name: str, **options: object) -> str:
    """Return what is said about a strategy, without the name of its folder."""
    with pytest.raises(UserError) as caught:
        tried(bots, name, **options)
    return str(caught.value).replace(f"{bots.parent}/", "")


SEATS = "passive,bots.py:{},drill_first,passive"


def test_nothing_is_tried_without_a_users_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_run_child", None)
    who = lineup(GAME, ["passive"] * 4)
    assert try_out(GAME, who, tables_for(4), seed=1) == Trial(0, ())


def test_a_good_strategy_passes(bots: Path) -> None:
    assert tried(bots, "good") == Trial(GAMES, ())
    assert tried(bots, "remembers") == Trial(GAMES, ())


def test_an_illegal_choice(bots: Path) -> None:
    assert (
        mistake(bots, "picks")
        == (
            f"bots.py:picks (seat 2) chose what is not legal in {GAMES} of {GAMES} games, first in "
            "game 0: asked DIG (legal: 0, 1)\n"
            f"  replay: assay trace wizard_miners --seats {SEATS.format('picks')} --seed 6 "
            "--game-index 0"
        )
        or "turn 3 is seat 3's"
    )


def test_an_exception(bots: Path) -> None:
    said = mistake(bots, "raises", rotations=4, options=["--set", "dynamite.supply=8"])
    assert "bots.py:raises (seat " in said
    assert "raised ValueError: out of ideas (bots.py:" in said
    assert ", in game 0\n" in said
    assert said.endswith(
        f"  replay: assay trace wizard_miners --seats {SEATS.format('raises')} --seed 6 "
        "--game-index 0 --rotate --set dynamite.supply=8"
    )


def test_an_index_outside(bots: Path) -> None:
    assert "bots.py:outside (seat 2) raised IndexError" in mistake(bots, "outside")


def test_an_endless_loop(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_TRIAL_SECONDS", "1.5")
    said = mistake(bots, "hangs")
    assert f"bots.py:hangs (seat 2) is not done after 1.5 s: stopped in game 0 of {GAMES}" in said
    assert "asked " in said
    assert "; ASSAY_TRIAL_SECONDS=4.5 allows more time\n  replay: assay trace" in said


def test_a_crash(bots: Path) -> None:
    said = mistake(bots, "crashes")
    assert "bots.py:crashes (seat 2) crashed in game 0, asked " in said
    assert "SIGSEGV" in said
    assert "replay: assay trace" in said


def test_looking_at_hidden_cards_is_a_warning(bots: Path) -> None:
    result = tried(bots, "peeks")
    assert result.games == GAMES
    (warning,) = result.warnings
    assert "bots.py:peeks chose otherwise when cards it cannot see were dealt anew (in " in warning
    assert "it looks at hidden cards or draws luck of its own" in warning


def test_a_child_that_ends_unforeseen_is_told_of_with_its_own_words(tmp_path: Path) -> None:
    report = trial._run_child(tmp_path, 20)  # no plan lies there
    assert report["kind"] == "died"
    assert report["text"].startswith("FileNotFoundError")


def test_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_TRIAL_SECONDS", raising=False)
    assert time_limit() == 20
    monkeypatch.setenv("ASSAY_TRIAL_SECONDS", "60")
    assert time_limit() == 60
    for text in ("soon", "0", "-1", "inf", "nan"):
        monkeypatch.setenv("ASSAY_TRIAL_SECONDS", text)
        with pytest.raises(UserError, match="ASSAY_TRIAL_SECONDS must be a number of seconds"):
            time_limit()


def test_the_replay_command_can_be_pasted() -> None:
    command = replay_command(GAME, ["a b.py:decide", "passive"], 3, 17, 4, ["--rules", "my rules"])
    assert command == (
        "assay trace wizard_miners --seats 'a b.py:decide,passive' --seed 3 --game-index 17 "
        "--rotate --rules 'my rules'"
    )
