"""What the tests of strategies share: the game, its tables, lineups, and games step by step."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from sim.game import Game, load_game
from sim.jit import COMPILED
from sim.kernel import Desk, kernel_of
from sim.rng import make_key
from strategies.resolve import Lineup, Strategy, lineup, resolve
from tests.contract import Session

GAME = load_game("wizard_miners")
SHIPPED = (
    "passive",
    "drill_first",
    "random",
    "builder",
    "cleaner",
    "saboteur",
    "sprinter",
    "balanced",
)
FEW = 6 if COMPILED else 1  # games step by step; plain Python takes half a second for one


@cache
def tables_for(players: int) -> np.ndarray:
    """Return the tables of the shipped rules."""
    return GAME.make_tables(GAME.load().model, players)


def choose(strategy: Strategy, session: Session) -> int:
    """Return what a strategy answers to the open prompt."""
    return int(
        strategy.decider(session.state, session.tables, session.prompt, strategy.weights.copy())
    )


def choice_of(name: str, session: Session) -> int:
    """Return what the strategy of this name answers to the open prompt."""
    return choose(resolve(GAME, name), session)


def play(
    who: Lineup, games: int, *, seed: int = 1, rotations: int | None = None, decisions: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games with a lineup; return the rows of games and seats, and the transcript."""
    players = len(who.strategies)
    desk = Desk(GAME, make_key(seed))
    transcript = np.zeros((decisions, 5), np.int64)
    rows = kernel_of(GAME).play(
        desk,
        0,
        games,
        players if rotations is None else rotations,
        tables_for(players),
        who.deciders,
        who.record,
        transcript,
    )
    return *rows, transcript[: int(desk.backstage["recorded"][0])]


def win_share(name: str, field: str, games: int, *, seed: int = 1) -> tuple[float, float]:
    """Return how much one player wins against a field of others, and the standard error.

    Seats rotate; the error is that of block means.
    """
    who = lineup(GAME, [name, *[field] * 3])
    _, seats, _ = play(who, games, seed=seed)
    mine = (seats["win"] * (seats["slot"] == 0)).sum(axis=1) / 12
    blocks = mine.reshape(-1, 4).mean(axis=1)
    return float(blocks.mean()), float(blocks.std(ddof=1) / np.sqrt(len(blocks)))


def games_of(names: Sequence[str], count: int, *, seed: int) -> Iterator[tuple[Session, Strategy]]:
    """Step through games; yields each decision before it is made: the session, who decides.

    Nobody blunders, except that a name of "anybody" chooses at random.
    """
    strategies = [resolve(GAME, "passive" if name == "anybody" else name) for name in names]
    whims = random.Random(seed)
    for deal in range(count):
        session = Session(GAME, tables_for(len(names)), seed=seed, deal=deal)
        session.open()
        while not session.over:
            seat = session.seat
            yield session, strategies[seat]
            if names[seat] == "anybody":
                session.choose(whims.choice(session.legal))
            else:
                session.choose(choose(strategies[seat], session))


def record_of(session: Session) -> Any:
    """Return a copy of a session's states, shape (1,)."""
    return session.states.copy()


def lineups_with(names: Sequence[str], players: int) -> list[list[str]]:
    """Return lineups in which every name sits at least once."""
    around = itertools.cycle(names)
    return [[next(around) for _ in range(players)] for _ in range(-(-len(names) // players))]


def whole_games(
    game: Game,
    names: Sequence[str],
    tables: np.ndarray,
    games: int,
    *,
    decisions: int = 0,
    asked: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games, seats rotating; return the rows of games and seats, and the transcript.

    asked: also in the prompts in which a strategy always takes what it would get unasked.
    """
    who = lineup(game, names)
    if asked:
        who.record["standing"] = 0
    desk = Desk(game, make_key(4))
    made = np.zeros((decisions, 5), np.int64)
    rows = kernel_of(game).play(desk, 0, games, len(names), tables, who.deciders, who.record, made)
    return *rows, made[: int(desk.backstage["recorded"][0])]


def decide(strategy: Strategy, state: Any, tables: Any, prompt: int) -> int:
    """Return what a strategy answers."""
    return int(strategy.decider(state, tables, prompt, strategy.weights.copy()))
