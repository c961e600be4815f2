"""Traces: the game that a batch plays at an address, told line by line."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sim.driver import ILLEGAL_CHOICE
from sim.errors import UserError
from sim.jit import COMPILED
from sim.kernel import Desk, kernel_of
from sim.rng import make_key
from sim.trace import legal_choices, slot_of, trace_game
from tests.sim.traced_games import LABELS, batch, plain

ROOT = Path(__file__).resolve().parents[2]
ADDRESSES = [(seed, rotations, number) for seed, number in ((1, 0), (2, 6)) for rotations in (1, 4)]

pytestmark = pytest.mark.kernel
needs_plain = pytest.mark.skipif(COMPILED, reason="traces are played in plain Python")


def in_plain_python(script, *arguments, stdin=""):
    """Run a script in plain Python mode; return its output."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def traced():
    """Rows and lines of the addresses, by address."""
    script = (
        "import sys, json; from tests.sim.traced_games import main; main(json.loads(sys.argv[1]))"
    )
    found = json.loads(in_plain_python(script, json.dumps(ADDRESSES)))
    return dict(zip(ADDRESSES, found, strict=True))


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_trace_is_the_game_of_the_batch(traced, address):
    seed, rotations, number = address
    one = batch(seed, rotations)
    desk = Desk(one.game, make_key(seed))
    rows = kernel_of(one.game).play(
        desk, number, 1, rotations, one.tables, one.players.deciders, one.players.record
    )
    assert traced[address][0] == plain(rows)


def test_rotation_and_blunders_change_the_game(traced):
    assert traced[2, 1, 6][0] != traced[2, 4, 6][0]
    assert any("(a blunder)" in line for line in traced[1, 1, 0][1])


def test_every_turn_is_told_with_its_dice_and_the_state(traced):
    (game, _), lines = traced[1, 1, 0]
    rolls = game[2]
    # a game won by a spell ends in a turn without dice
    headings = [place for place, line in enumerate(lines) if line.startswith("Roll ")]
    assert len(headings) in (rolls, rolls + 1)
    dice = [re.fullmatch(r"  the dice show (\d) \+ (\d) = (\d+)", line) for line in lines]
    sums = [tuple(map(int, found.groups())) for found in dice if found]
    assert len(sums) == rolls
    assert all(first + second == total for first, second, total in sums)
    for place in headings:
        assert re.match(
            r"  seat \d: deck +\d+, rubble +\d+, gems +\d+, dynamite \d", lines[place + 1]
        )


def test_the_last_lines_agree_with_the_rows(traced):
    (game, seats), lines = traced[1, 1, 0]
    assert lines[-1].startswith(f"Seat {game[4] + 1} ({LABELS[game[4]]}) wins after {game[2]} roll")
    for seat, row in enumerate(seats):
        state = [line for line in lines if line.startswith(f"  seat {seat + 1}: deck")][-1]
        numbers = re.match(r"  seat \d: deck +(\d+), rubble +(\d+), gems +(\d+)", state)
        assert numbers is not None
        assert int(numbers[1]) == row[3]
        assert int(numbers[3]) == row[6]


def test_mined_cards_and_gems_add_up(traced):
    (_, seats), lines = traced[1, 1, 0]
    for seat, row in enumerate(seats):
        mine = [line for line in lines if line.startswith(f"  seat {seat + 1} mines ")]
        old = sum(int(n) for line in mine for n in re.findall(r"(\d+) face-up card", line))
        new = sum(int(n) for line in mine for n in re.findall(r"(\d+) cards? for \d+ gem", line))
        gems = sum(int(n) for line in mine for n in re.findall(r"\d+ cards? for (\d+) gem", line))
        assert (old + new, gems) == (row[4], row[7])


def test_seats_are_named_as_the_rotation_has_them(traced):
    lines = traced[2, 4, 6][1]
    assert lines[0].endswith("game 6 (deal 1, seats rotated 2 of 4 times)")
    assert lines[1:5] == [f"  seat {s + 1}: {LABELS[(s + 2) % 4]}" for s in range(4)]


def test_compiled_kernels_cannot_be_traced():
    if not COMPILED:
        pytest.skip("this is about compiled mode")
    with pytest.raises(RuntimeError, match="NUMBA_DISABLE_JIT"):
        trace_game(batch(1, 1), 0, LABELS, print)


BY_HAND = """
import sys
from sim.trace import trace_game
from tests.sim.traced_games import LABELS, batch, plain
rows = trace_game(batch(1, 1), 0, LABELS, print, humans={1})
print("rows", None if rows is None else plain(rows))
"""


def test_a_person_is_asked_in_words_and_sees_the_own_hand_only():
    told = in_plain_python(BY_HAND, stdin="?\nx\n99\n2\nq\n")
    assert "  seat 2: you" in told
    set_up = told[told.index("Set-up") :].splitlines()
    assert re.match(r"  seat 1: wizard 7, 6 gems, spells: 2 cards", set_up[1])
    assert not re.search(r"spells: \d cards", set_up[2])
    assert "A tool to begin with? You have 5 gems." in told
    assert re.search(
        r"\n    1  buy no tool\n    2  buy the basic chisel for 2 gems: mines on 3 10 13", told
    )
    assert "? shows what you can see" in told
    assert "your spells: " in told
    assert "'x' is none of 1 to" in told
    assert "'99' is none of 1 to" in told
    assert "  seat 2 buys the basic chisel for 2 gems" in told
    assert told.endswith("You left the game.\nrows None\n")


def test_the_end_of_input_ends_the_game_cleanly():
    assert in_plain_python(BY_HAND, stdin="1\n").endswith("You left the game.\nrows None\n")


def test_a_person_who_always_takes_the_first_option_plays_the_idle_game():
    by_hand = in_plain_python(BY_HAND, stdin="1\n" * 5000)
    script = (
        BY_HAND.replace("humans={1}", "")
        .replace(
            "rows = ",
            "b = batch(1, 1)\nb.players.deciders = (b.players.deciders[0], "
            "b.players.deciders[2], *b.players.deciders[2:])\n"
            "b.players.record['blunder'] = 0\nrows = ",
        )
        .replace("trace_game(batch(1, 1)", "trace_game(b")
    )
    idle = in_plain_python(script)
    assert by_hand.splitlines()[-1] == idle.splitlines()[-1] != "rows None"


@needs_plain
def test_an_illegal_choice_is_told_and_ends_the_game():
    one = batch(1, 1)
    one.players.deciders = (lambda *_: 62, *one.players.deciders[1:])
    lines = []
    rows = trace_game(one, 0, LABELS, lines.append)
    assert rows is not None
    assert rows[0]["status"][0] == ILLEGAL_CHOICE
    assert "  seat 1 (busy) picks 62 for INITIAL_PURCHASE: not legal" in lines
    assert any("has no winner" in line for line in lines)


@needs_plain
def test_an_exception_of_a_strategy_names_seat_and_prompt():
    def broken(state, tables, prompt, weights):
        raise ZeroDivisionError("on purpose")

    one = batch(1, 1)
    one.players.deciders = (one.players.deciders[0], broken, *one.players.deciders[2:])
    with pytest.raises(UserError, match=r"on purpose .*asked at seat 2 for "):
        trace_game(one, 0, LABELS, [].append)


def test_legal_choices_are_the_bits_of_the_mask():
    assert legal_choices(0b1011) == [0, 1, 3]
    assert legal_choices(1 << 62) == [62]


def test_who_sits_where_follows_the_rotation():
    assert [slot_of(seat, 6, 4, 4) for seat in range(4)] == [2, 3, 0, 1]
    assert [slot_of(seat, 6, 1, 4) for seat in range(4)] == [0, 1, 2, 3]
