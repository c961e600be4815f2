"""Bad input: one clear message, exit code 2, nothing written, nothing written over."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

GAME = "wizard_miners"
ROOT = Path(__file__).resolve().parents[2]
LOWEST = """
def decide(state, tables, prompt, weights):
    legal = state["legal"]
    choice = 0
    while legal & 1 == 0:
        legal >>= 1
        choice += 1
    return choice
"""
BROKEN = LOWEST.replace("    choice = 0\n", "    choice = 0\n    {}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["wizard_minors"], "unknown game 'wizard_minors' (did you mean 'wizard_miners'?)"),
        ([GAME, "--seats", "bilder"], "unknown strategy 'bilder' (did you mean 'builder'?)"),
        ([GAME, "--seats", "builder,,cleaner"], "a seat is empty"),
        ([GAME, "--seats", "builder:blunder=2"], "blunder must be from 0 to 1, not 2"),
        ([GAME, "--seats", "passive:blundr=1"], "did you mean 'blunder'?"),
        (
            [GAME, "--set", "dynamit.supply=8"],
            "dynamit.supply: unknown key (did you mean 'dynamite",
        ),
        ([GAME, "--set", "dynamite.supply=eight"], 'dynamite.supply: "eight" is not allowed'),
        ([GAME, "--set", "dynamite.supply=800"], "a whole number from 0 to 99"),
        ([GAME, "--set", "dynamite.supply"], "write key=value"),
        (
            [GAME, "--set", "dice.sides=6", "--set", "dice.sides=8"],
            "--set dice.sides: is set twice",
        ),
        ([GAME, "--players", "5"], "5 players"),
        ([GAME, "--players", "0"], "0 players"),
        ([GAME, "--seats", "passive,passive"], "2 players"),
        ([GAME, "--seats", "passive,passive,passive,passive,passive"], "5 players"),
        (
            [GAME, "--players", "4", "--seats", "passive,random,builder"],
            "3 strategies for 4 players",
        ),
        ([GAME, "--players", "3", "--seats", "passive,random"], "2 strategies for 3 players"),
        ([GAME, "--games", "0"], "the number of games must be 1 or more, not 0"),
        ([GAME, "--games", "-5"], "the number of games must be 1 or more, not -5"),
        ([GAME, "--games", "many"], "Invalid value for '--games'"),
        ([GAME, "--games", "1.5"], "Invalid value for '--games'"),
        ([GAME, "--threads", "0"], "the number of threads must be 1 or more, not 0"),
        ([GAME, "--seed", "-1"], "the seed must be a whole number from 0"),
        ([GAME, "--seed", "18446744073709551616"], "the seed must be a whole number from 0"),
        ([GAME, "--rules", "nowhere"], "nowhere"),
        ([GAME, "--format", "xml"], "Invalid value for '--format'"),
        ([], "Missing argument 'GAME'"),
    ],
)
def test_play_refuses(assay, words, message):
    assert message in assay.refuse("play", *words)


def test_an_unknown_command_names_the_nearest(assay):
    assert "No such command 'plya'. Did you mean 'play'" in assay.refuse("plya")


def test_an_unknown_option_is_refused(assay):
    assert "No such option" in assay.refuse("play", GAME, "--gmaes", "5")


def test_mistakes_in_rules_files_come_with_file_and_line_all_at_once(assay):
    assay("rules", GAME, "--export", "mine")
    book = Path("mine/rulebook.toml")
    text = book.read_text("utf-8")
    book.write_text(
        text.replace("supply = { value = 16", "supply = { value = 160").replace(
            "limit =", "limt ="
        ),
        "utf-8",
    )
    lines = book.read_text("utf-8").splitlines()
    wrong = next(n for n, line in enumerate(lines, 1) if "value = 160" in line)
    for words in (["validate", "mine"], ["play", GAME, "--rules", "mine", "--games", "4"]):
        said = assay.refuse(*words)
        assert f"rulebook.toml:{wrong}: dynamite.supply" in said
        assert "'hand.limit'" in said or "hand.limit" in said


def test_export_writes_nothing_over(assay):
    Path("mine").mkdir()
    Path("mine/assumed.toml").write_text("mine", "utf-8")
    said = assay.refuse("rules", GAME, "--export", "mine")
    assert "exists and differs; nothing was written" in said


def test_export_to_a_full_disk_is_one_message(assay, monkeypatch):
    def full(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "No space left on device" in assay("rules", GAME, "--export", "mine", code=2).stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_result_that_cannot_be_written_is_one_message():
    script = "from assay.cli import main; main()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script, "games"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "assay: error: cannot write the result: No space left on device\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no such file"),
        ("def decide(state, tables, prompt, weights)\n", "bot.py:1: syntax error"),
        ("def decide(state, tables):\n    return 0\n", "must take four parameters"),
        (LOWEST.replace("decide", "decode"), "no function 'decide' (did you mean 'decode'?)"),
        (BROKEN.format("nothing = undefined_name"), "does not compile"),
        (BROKEN.format("return 1.5"), "whole number"),
        (
            BROKEN.format("if prompt: raise ValueError('on purpose')"),
            "raised ValueError: on purpose",
        ),
    ],
    ids=["missing", "syntax", "parameters", "name", "compile", "type", "raises"],
)
def test_a_strategy_that_cannot_play_is_refused(assay, text, message):
    if text is not None:
        Path("bot.py").write_text(text, "utf-8")
    seats = "bot.py:decide,passive,passive"
    assert message in assay.refuse("play", GAME, "--seats", seats, "--games", "8")


def test_a_strategy_that_never_returns_is_stopped(assay, monkeypatch):
    from strategies.trial import VARIABLE

    monkeypatch.setenv(VARIABLE, "1")
    Path("bot.py").write_text(BROKEN.format("while state['turn'] < 9999: choice = 0"), "utf-8")
    said = assay.refuse("play", GAME, "--seats", "bot.py:decide,passive,passive", "--games", "8")
    assert "not done after 1 s" in said
    assert "assay trace" in said


def test_an_illegal_choice_in_the_trial_is_refused_with_its_replay(assay):
    Path("bot.py").write_text(BROKEN.format("return 62"), "utf-8")
    said = assay.refuse("play", GAME, "--seats", "bot.py:decide,passive,passive", "--games", "8")
    assert "chose what is not legal in 200 of 200 games" in said
    assert "assay trace wizard_miners --seats bot.py:decide,passive,passive" in said


@pytest.fixture
def untried(monkeypatch):
    """No trial before the batch, so that its own care shows."""
    from strategies import trial

    monkeypatch.setattr(trial, "try_out", lambda *args, **kwargs: trial.Trial())


def test_illegal_choices_in_a_batch_are_counted_and_the_command_fails(assay, untried):
    Path("bot.py").write_text(BROKEN.format("return 62"), "utf-8")
    words = ["--seats", "bot.py:decide,passive,passive", "--games", "8", "--format", "csv"]
    result = assay("play", GAME, *words, "--set", "dynamite.supply=8", code=2)
    rate = next(line for line in result.stdout.splitlines() if line.startswith("illegal_rate"))
    assert rate.split(",")[4] == "1.0"
    assert "8 of 8 games were ended by an illegal choice" in result.stderr
    assert "--set dynamite.supply=8 --game-index 0" in replay_of(result.stderr)


def test_a_strategy_that_raises_in_a_batch_names_the_game(assay, untried):
    text = BROKEN.format("if state['turn'] > 2: raise ValueError('later')")
    Path("bot.py").write_text(text, "utf-8")
    said = assay.refuse("play", GAME, "--seats", "bot.py:decide,passive,passive", "--games", "8")
    assert "raised ValueError in game 0: later" in said
    assert "--game-index 0" in replay_of(said)


def replay_of(said: str) -> str:
    """The replay command in a message, its options in any order."""
    command = said[said.index("assay trace") :].splitlines()[0]
    words = command.split()
    place = words.index("--game-index")
    number = words[place : place + 2]
    return " ".join([*words[:place], *words[place + 2 :], *number])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "9=human"], "seat 9: the seats of this game are 1 to 4"),
        (["--seat", "human"], "write the seat's number and a name"),
        (["--seat", "1=human", "--seat", "1=random"], "--seat 1: is given twice"),
        (["--game-index", "-1"], "must be from 0 to 68,719,476,735, not -1"),
        (["--game-index", "68719476736"], "must be from 0 to 68,719,476,735, not 68719476736"),
        (["--seats", "bilder"], "did you mean 'builder'?"),
    ],
)
def test_trace_refuses(assay, words, message):
    assert message in assay.refuse("trace", GAME, *words)


def test_questions_that_make_no_sense_are_refused(assay):
    assert "is not for dobbers; it is for wizard_miners" in assay.refuse(
        "ask", "dobbers", "cave_in_risk"
    )
    alone = assay.refuse("ask", "dobbers", "seats", "--players", "1", "--seats", "solo_safe")
    assert "the question 'seats' is for 2 players or more, not for 1" in alone


def test_other_commands_refuse(assay):
    assert "did you mean 'wizard_miners'?" in assay.refuse("rules", "wizard_miner")
    assert "did you mean 'wizard_miners'?" in assay.refuse("strategies", "wizard_miner")
    assert "no such folder" in assay.refuse("validate", "nowhere")
    assert "leave out --set" in assay.refuse(
        "rules", GAME, "--export", "x", "--set", "dice.sides=6"
    )
    assert "repeats must be 1 or more" in assay.refuse("bench", "--repeats", "0")
