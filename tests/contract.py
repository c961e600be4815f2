"""What every game must keep, whatever its rules; and tools to step any game from a test.

A `Contract` tells the checks below what they cannot know about a game: which tables to play
with, what stays the same whatever happens, what a seat cannot see. `tests/sim/test_contract.py`
runs every check on every game of the registry.

Run as a program (`python -m tests.contract`) it plays tasks read as JSON lines, for the comparison
of compiled code with plain Python.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, njit, types

from sim import kernel
from sim.driver import LINEUP, backstage_dtype
from sim.game import Game, load_game
from sim.jit import COMPILED
from sim.kernel import Desk, compile_decider, kernel_of, stepper_of
from sim.rng import MASK, make_key

ROOT = Path(__file__).resolve().parent.parent
MAX_BIT = 62
FIRST_DEAL = 28  # bits of a counter below the deal


def bits(mask: int) -> list[int]:
    """Return the choices of a mask of legal choices, or the numbers in any set of bits."""
    rest = int(mask) & ((1 << (MAX_BIT + 1)) - 1)
    found = []
    while rest:
        found.append((rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return found


@cache
def callable_rule(game: Game, function: Callable[..., Any], parameters: str) -> Callable[..., Any]:
    """Return a rule function, callable from Python: compiled once and cached like a kernel.

    parameters: names in order; "state", "tables", "backstage" are records, all others int64.
    """
    if not COMPILED:
        return function
    records = {
        "state": game.state,
        "tables": game.tables,
        "backstage": backstage_dtype(game.counters),
    }
    signature = tuple(
        from_dtype(records[name]) if name in records else types.int64 for name in parameters.split()
    )
    folder = kernel._cache_folder("kernels", game.name, kernel.rules_hash(game))
    with kernel._caching_in(folder):
        return njit(signature, cache=True, boundscheck=True)(function.py_func)  # type: ignore[attr-defined]


class Session:
    """One game, stepped from Python: its records, and the prompt that is open."""

    def __init__(self, game: Game, tables: np.ndarray, *, seed: int = 1, deal: int = 0) -> None:
        self.game = game
        self.table_rows = tables
        self.states = np.zeros(1, game.state)
        self.backstages = np.zeros(1, backstage_dtype(game.counters))
        self.backstages["key"] = make_key(seed)
        self.backstages["base"] = deal << FIRST_DEAL
        self.backstages["slots"][0] = range(4)
        self.prompt = -1
        self.decisions = 0
        self.history: list[tuple[int, int, int, int, int]] = []

    @property
    def state(self) -> Any:
        """The state record; it changes in place."""
        return self.states[0]

    @property
    def tables(self) -> Any:
        """The tables record."""
        return self.table_rows[0]

    @property
    def backstage(self) -> Any:
        """The record with the luck and the counters."""
        return self.backstages[0]

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return int(self.state["seat"])

    @property
    def legal(self) -> list[int]:
        """The legal choices."""
        return bits(self.state["legal"])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.prompt == 0

    def call(self, function: Callable[..., Any], parameters: str, *values: int) -> Any:
        """Call a rule function on the records of this session."""
        records = {"state": self.state, "tables": self.tables, "backstage": self.backstage}
        rest = iter(values)
        arguments = [
            records[name] if name in records else next(rest) for name in parameters.split()
        ]
        return callable_rule(self.game, function, parameters)(*arguments)

    def open(self) -> int:
        """Set the game up and go to the first decision; return its prompt."""
        self.call(self.game.open_game, "state tables backstage")
        return self.advance(0)

    def advance(self, choice: int) -> int:
        """Hand the rules a choice as it is; return the next prompt."""
        step = stepper_of(self.game)
        self.prompt = int(step(self.state, self.tables, self.backstage, choice))
        return self.prompt

    def choose(self, choice: int) -> int:
        """Take a legal choice; return the next prompt."""
        assert not self.over, "the game is over"
        assert choice in self.legal, f"{choice} is not among {self.legal}"
        self.decisions += 1
        self.history.append(
            (
                int(turn_of(self.game, self.state)),
                self.seat,
                self.prompt,
                int(self.state["legal"]),
                choice,
            )
        )
        return self.advance(choice)


def turn_of(game: Game, state: Any) -> int:
    """Return the turn of a state."""
    return int(callable_rule(game, game.turn_of, "state")(state))


@dataclass(frozen=True, eq=False)
class Contract:
    """What the checks need to know about a game.

    variants: label to a function that makes tables, shape (1,). invariants(state, tables) asserts
    what holds at every decision. signed: fields that may be below zero. turn_limit: most decisions
    in one turn. unseen(state, seat): what a seat cannot know, hashable. blank(states, seat): what
    is left of the state when that is taken out. deciders: name to decide function, its sources
    next to it. patches: for hypothesis, keys with the values to try. own_defaults: prompts in which
    an unasked seat gets something other than the lowest choice.
    """

    game: Game
    variants: dict[str, Callable[[], np.ndarray]]
    invariants: Callable[[Any, Any], None]
    signed: frozenset[str]
    turn_limit: int
    unseen: Callable[[Any, int], Any]
    blank: Callable[[np.ndarray, int], np.ndarray]
    deciders: dict[str, tuple[Callable[..., Any], str]]
    patches: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    own_defaults: frozenset[int] = frozenset()


# --- deciders that fit any game -------------------------------------------------------------------


def same_choice(state: Any, tables: Any, prompt: int, weights: Any) -> Any:
    """Choose weights[0], legal or not."""
    return np.int64(weights[0])


def lowest_choice(state: Any, tables: Any, prompt: int, weights: Any) -> Any:
    """Take the lowest legal choice."""
    legal = state["legal"]
    choice = 0
    while legal >> choice & 1 == 0:
        choice += 1
    return choice


def raises_late(state: Any, tables: Any, prompt: int, weights: Any) -> Any:
    """Take the lowest legal choice, but raise once weights[0] decisions have been made."""
    weights[1] += 1
    if weights[1] > weights[0]:
        raise ValueError("out of ideas")
    legal = state["legal"]
    choice = 0
    while legal >> choice & 1 == 0:
        choice += 1
    return choice


@dataclass(frozen=True)
class Players:
    """A lineup in the form that batches take."""

    deciders: tuple[Any, ...]
    record: np.ndarray


def players(
    game: Game,
    function: Callable[..., Any] = lowest_choice,
    source: str | Path = __file__,
    *,
    blunder: float = 0.0,
    weights: tuple[float, ...] = (),
    standing: int = 0,
) -> Players:
    """Return a lineup of four equal players."""
    decide = compile_decider(game, function, [Path(source)])
    record = np.zeros(1, LINEUP)
    record["blunder"] = blunder
    record["standing"] = standing
    for place, weight in enumerate(weights):
        record["weights"][0, :, place] = weight
    return Players((decide,) * 4, record)


@dataclass(frozen=True)
class Played:
    """Games out of the driver: their rows and what was decided."""

    games: np.ndarray
    seats: np.ndarray
    transcript: np.ndarray
    desk: Desk


def play(
    game: Game,
    tables: np.ndarray,
    lineup: Players,
    *,
    seed: int = 1,
    first: int = 0,
    count: int = 1,
    rotations: int = 1,
    decisions: int = 0,
) -> Played:
    """Play games with the driver; `decisions` is the room for the transcript."""
    desk = Desk(game, make_key(seed))
    transcript = np.full((decisions, 5), -99, np.int64)
    games, seats = kernel_of(game).play(
        desk, first, count, rotations, tables, lineup.deciders, lineup.record, transcript
    )
    written = int(desk.backstage["recorded"][0])
    return Played(games, seats, transcript[:written], desk)


# --- the checks -----------------------------------------------------------------------------------


@cache
def unsigned_words(contract: Contract) -> np.ndarray:
    """Return which int64 words of a state belong to fields that are never below zero."""
    dtype = contract.game.state
    words = np.zeros(dtype.itemsize // 8, bool)
    for name in dtype.names or ():
        assert dtype.fields is not None
        field, offset = dtype.fields[name][:2]
        if name not in contract.signed and field.base == np.int64:
            words[offset // 8 : (offset + field.itemsize) // 8] = True
    return words


def check_nothing_below_zero(contract: Contract, states: np.ndarray) -> None:
    words = states.view(np.int64)[unsigned_words(contract)]
    if words.min() < 0:
        names = [n for n in states.dtype.names or () if np.min(states[n]) < 0]
        raise AssertionError(f"below zero: {sorted(set(names) - contract.signed)}")


def check_open_prompt(session: Session) -> None:
    """An open prompt is one of the game's and leaves a choice."""
    assert session.prompt in {int(prompt) for prompt in session.game.prompts}
    assert int(session.state["prompt"]) == session.prompt
    legal = int(session.state["legal"])
    assert 0 < legal < 1 << (MAX_BIT + 1)
    assert legal & (legal - 1), f"prompt {session.prompt} was opened with one option"
    assert 0 <= session.seat < int(session.tables["players"])


def random_game(
    contract: Contract, tables: np.ndarray, *, seed: int, deal: int
) -> Iterator[Session]:
    """Play a game with random legal choices, giving the session at each decision and at the end."""
    session = Session(contract.game, tables, seed=seed, deal=deal)
    chooser = random.Random(f"{seed} {deal}")
    session.open()
    while not session.over:
        yield session
        session.choose(chooser.choice(session.legal))
    yield session


def check_random_play(contract: Contract, tables: np.ndarray, *, seed: int, deal: int) -> Session:
    """Random legal play ends, keeps what must be kept, and never turns in circles."""
    turn, in_turn = -1, 0
    session = None
    for session in random_game(contract, tables, seed=seed, deal=deal):
        check_nothing_below_zero(contract, session.states)
        contract.invariants(session.state, session.tables)
        if session.over:
            break
        check_open_prompt(session)
        now = turn_of(contract.game, session.state)
        assert now >= turn, "a turn's number went back"
        in_turn = in_turn + 1 if now == turn else 1
        turn = now
        assert in_turn <= contract.turn_limit, f"more than {contract.turn_limit} choices in a turn"
    assert session is not None
    assert session.over
    assert int(session.state["status"]) in (0, 1)
    return session


def check_illegal_choices(contract: Contract, tables: np.ndarray, choices: Sequence[int]) -> None:
    """The driver takes what is offered and nothing else.

    Players blunder half of their decisions, so the fixed choice meets all kinds of prompts.
    """
    game = contract.game
    refused = accepted = 0
    for choice in choices:
        lineup = players(game, same_choice, blunder=0.5, weights=(choice,))
        for number in range(3):
            played = play(game, tables, lineup, first=number, decisions=50_000)
            *before, last = played.transcript
            for row in before:
                assert row[4] in bits(row[3])
            legal = last[4] in bits(last[3])
            status = int(played.games["status"][0])
            assert status == (2 if not legal else status)
            if status == 2:
                assert not legal
                assert last[4] == choice
                assert int(played.games["winner"][0]) == -1
                assert not played.seats["win"].any()
                refused += 1
            accepted += sum(int(row[4]) == choice for row in before)
    assert refused > len(choices)  # most games end so
    assert accepted > 0


def check_same_address_same_game(contract: Contract, tables: np.ndarray) -> None:
    """A game depends on its seed and number alone, not on what was played before it."""
    game = contract.game
    lineup = players(game, blunder=1.0)
    count = 4 if COMPILED else 2
    together = play(game, tables, lineup, seed=7, first=40, count=count)
    for number in range(count):
        alone = play(game, tables, lineup, seed=7, first=40 + number)
        assert alone.games.tobytes() == together.games[number : number + 1].tobytes()
        assert alone.seats.tobytes() == together.seats[number : number + 1].tobytes()
    other = play(game, tables, lineup, seed=8, first=40, count=count)
    assert other.seats.tobytes() != together.seats.tobytes()
    assert len({rows.tobytes() for rows in together.seats}) == count


def check_hide(contract: Contract, tables: np.ndarray, *, seed: int, deal: int) -> None:
    """`hide` deals anew what a seat cannot know, and nothing else."""
    game = contract.game
    changed = 0
    for session in random_game(contract, tables, seed=seed, deal=deal):
        if session.over or session.decisions % 7:
            continue
        seat = session.seat
        seen = set()
        for k in range(3):
            states = session.states.copy()
            luck: Any = np.zeros(1, session.backstages.dtype)
            luck["key"] = make_key(999)
            callable_rule(game, game.hide, "state tables backstage seat k")(
                states[0], session.tables, luck[0], seat, k
            )
            contract.invariants(states[0], session.tables)
            check_nothing_below_zero(contract, states)
            assert (
                contract.blank(states, seat).tobytes()
                == contract.blank(session.states, seat).tobytes()
            )
            seen.add(contract.unseen(states[0], seat))
        changed += len(seen) > 1
    assert changed > 0


def check_standing_orders(contract: Contract, tables: np.ndarray) -> None:
    """A standing order for the lowest choice plays the same game with fewer questions."""
    game = contract.game
    count = 3 if COMPILED else 1
    asked = play(game, tables, players(game), first=5, count=count, decisions=100_000)
    orders = 0
    for prompt in game.prompts:
        if prompt not in contract.own_defaults:
            orders |= 1 << int(prompt)
    lineup = players(game, standing=orders)
    silent = play(game, tables, lineup, first=5, count=count, decisions=100_000)
    assert asked.games.tobytes() == silent.games.tobytes()
    assert asked.seats.tobytes() == silent.seats.tobytes()
    assert len(asked.transcript) > 0
    assert set(silent.transcript[:, 2].tolist()) <= contract.own_defaults


# --- compiled and plain Python --------------------------------------------------------------------

Task = dict[str, Any]


def replay(contract_of: Callable[[str], Contract], task: Task) -> dict[str, Any]:
    """Play the games of a task; return their transcript, rows and counters in a form for JSON.

    task: game, players, patches, seed, first, count, rotations, decider, blunder.
    """
    contract = contract_of(task["game"])
    game = contract.game
    tables = game.make_tables(game.load(None, task["patches"]).model, task["players"])
    function, source = contract.deciders[task["decider"]]
    played = play(
        game,
        tables,
        players(game, function, source, blunder=task["blunder"]),
        seed=task["seed"],
        first=task["first"],
        count=task["count"],
        rotations=task["rotations"],
        decisions=20_000,
    )
    names = game.counters.names or ()
    counters = b"".join(np.ascontiguousarray(played.desk.backstage[n][0]).tobytes() for n in names)
    return {
        "games": [str(row) for row in played.games],
        "seats": [str(row) for row in played.seats],
        "transcript": played.transcript.tolist(),
        "counters": hashlib.sha256(counters).hexdigest(),
    }


class PlainPython:
    """A process without numba's compiler that plays tasks."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.contract"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        )

    def replay(self, task: Task) -> dict[str, Any]:
        """Play a task over there."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(task) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the process in plain Python ended early"
        return json.loads(answer)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def plain_python() -> Iterator[PlainPython]:
    """Keep a process for plain Python for the length of a block."""
    process = PlainPython()
    try:
        yield process
    finally:
        process.close()


def contract_of(name: str) -> Contract:
    """Return the contract of a game, from `tests/sim/<game>/contract.py`."""
    import importlib

    return importlib.import_module(f"tests.sim.{name}.contract").contract()


def main() -> None:
    """Play tasks from standard input, one JSON text a line."""
    assert not COMPILED, "this process is meant to run in plain Python"
    for line in sys.stdin:
        print(json.dumps(replay(contract_of, json.loads(line))), flush=True)


__all__ = ["MASK", "Contract", "Session", "load_game"]

if __name__ == "__main__":
    main()
