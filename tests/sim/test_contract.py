"""The contract of `tests/contract.py`, on every game of the registry."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.errors import UserError
from sim.game import GAMES, load_game
from sim.jit import COMPILED
from sim.rng import MASK, MAX_DEALS
from tests import contract as checks
from tests.contract import Contract, PlainPython, contract_of, plain_python

CASES = [(name, label) for name in GAMES for label in contract_of(name).variants]
games = pytest.mark.parametrize("name", GAMES)


def shipped(contract: Contract):
    """Return the tables of a game's first variant."""
    return next(iter(contract.variants.values()))()


def test_there_are_games() -> None:
    assert "wizard_miners" in GAMES
    for name in GAMES:
        assert load_game(name).name == name
    with pytest.raises(UserError, match="wizard_miners"):
        load_game("wizard_miner")


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "label"), CASES)
def test_random_play_ends_and_keeps_what_must_be_kept(name: str, label: str) -> None:
    contract = contract_of(name)
    tables = contract.variants[label]()
    for deal in range(2 if COMPILED else 1):
        checks.check_random_play(contract, tables, seed=11, deal=deal)


@pytest.mark.kernel
@games
@settings(max_examples=12 if COMPILED else 3)
@given(data=st.data())
def test_random_play_under_patches(name: str, data: st.DataObject) -> None:
    """Any switches, seeds and deals."""
    contract = contract_of(name)
    game = contract.game
    patches = {key: data.draw(st.sampled_from(values)) for key, values in contract.patches.items()}
    count = data.draw(st.integers(game.min_players, game.max_players))
    tables = game.make_tables(game.load(None, patches).model, count)
    checks.check_random_play(
        contract,
        tables,
        seed=data.draw(st.integers(0, MASK)),
        deal=data.draw(st.integers(0, MAX_DEALS - 1)),
    )


@pytest.mark.kernel
@games
def test_illegal_choices_are_refused(name: str) -> None:
    contract = contract_of(name)
    choices = range(-1, 65) if COMPILED else (-1, 0, 1, 5, 63)
    checks.check_illegal_choices(contract, shipped(contract), choices)


@pytest.mark.kernel
@games
def test_same_address_same_game(name: str) -> None:
    contract = contract_of(name)
    checks.check_same_address_same_game(contract, shipped(contract))


@pytest.mark.kernel
@games
def test_hide_hides(name: str) -> None:
    contract = contract_of(name)
    for deal in range(2 if COMPILED else 1):
        checks.check_hide(contract, shipped(contract), seed=21, deal=deal)


@pytest.mark.kernel
@games
def test_standing_orders_play_the_same_game(name: str) -> None:
    contract = contract_of(name)
    checks.check_standing_orders(contract, shipped(contract))


@pytest.mark.kernel
@games
def test_choices_fit_the_mask(name: str) -> None:
    """Prompts are numbered from 0 (the game is over) below 32: bits of the standing orders."""
    game = load_game(name)
    numbers = sorted(int(prompt) for prompt in game.prompts)
    assert numbers[0] == 0
    assert numbers[-1] < 32
    assert [status.value for status in game.status][:3] == [0, 1, 2]


# --- compiled equals plain Python, choice by choice -----------------------------------------------


@pytest.fixture(scope="session")
def plain():
    """A process in plain Python, started once for all tasks."""
    with plain_python() as process:
        yield process


compiled_only = pytest.mark.skipif(not COMPILED, reason="compares with a process in plain Python")


def compare(plain: PlainPython, task: checks.Task) -> None:
    """Play a task here and there; the transcripts, rows and counters must be the same."""
    here, there = checks.replay(contract_of, task), plain.replay(task)
    for ours, theirs in zip(here["transcript"], there["transcript"], strict=False):
        assert ours == theirs
    assert here == there
    assert len(here["transcript"]) > 0 or task["decider"] == "lowest"


@compiled_only
@games
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_compiled_equals_plain(name: str, plain: PlainPython, data: st.DataObject) -> None:
    """Seeds, deals, switches, players, scripts and blunders at random; one game each."""
    contract = contract_of(name)
    game = contract.game
    compare(
        plain,
        {
            "game": name,
            "players": data.draw(st.integers(game.min_players, game.max_players)),
            "patches": {
                key: data.draw(st.sampled_from(values)) for key, values in contract.patches.items()
            },
            "seed": data.draw(st.integers(0, MASK)),
            "first": data.draw(st.integers(0, MAX_DEALS - 2)),
            "count": 1,
            "rotations": 1,
            "decider": data.draw(st.sampled_from(sorted(contract.deciders))),
            "blunder": data.draw(st.sampled_from([0.0, 0.2, 1.0])),
        },
    )


@compiled_only
@games
@pytest.mark.parametrize("blunder", [0.0, 0.3, 1.0])
def test_compiled_equals_plain_over_rotations(
    name: str, plain: PlainPython, blunder: float
) -> None:
    """Every script in the last game of one block and the first of the next; one in a whole block.

    Equal players play the same game in all rotations of a deal, and whoever always blunders is
    never asked: there one script is all of them.
    """
    contract = contract_of(name)
    whole = contract.game.max_players
    for decider in sorted(contract.deciders) if blunder < 1 else ["lowest"]:
        compare(
            plain,
            {
                "game": name,
                "players": whole,
                "patches": {},
                "seed": 2026,
                "first": whole - 1,
                "count": whole if decider == "lowest" else 2,
                "rotations": whole,
                "decider": decider,
                "blunder": blunder,
            },
        )
