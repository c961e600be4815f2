"""Made-up rows of Dobbers for tests of its questions, and a few real games."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.batch import Chunk
from sim.dobbers.outcome import COUNTERS, GAME_ROW, SEAT_ROW


def made(games: int, players: int, *, first: int = 0, rotations: int = 1, **fields: Any) -> Chunk:
    """A chunk of games with these fields: (games,) of the game, (games, players) of the seats."""
    rows = np.zeros(games, GAME_ROW)
    rows["game"] = first + np.arange(games)
    seats = np.zeros((games, players), SEAT_ROW)
    rotation = rows["game"] % rotations
    seats["slot"] = (np.arange(players) + rotation[:, None]) % players
    for name, values in fields.items():
        (seats if name in SEAT_ROW.names and np.ndim(values) == 2 else rows)[name] = values
    counters = {name: np.zeros(COUNTERS[name].shape, np.int64) for name in COUNTERS.names}
    return Chunk(first, rows, seats, counters)


def one_winner(rng: np.random.Generator, games: int, chances: Any) -> np.ndarray:
    """Wins in twelfths (games, players): one winner a game, with these chances."""
    weights = np.asarray(chances, float)
    seats = rng.choice(len(weights), games, p=weights / weights.sum())
    return 12 * np.eye(len(weights), dtype=np.int64)[seats]
