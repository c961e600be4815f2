"""Made-up rows of Near and Far for tests of its questions."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.batch import Chunk
from sim.near_and_far.outcome import COUNTERS, GAME_ROW, SEAT_ROW


def made(
    games: int,
    players: int,
    *,
    first: int = 0,
    rotations: int = 1,
    of_game: dict[str, Any] | None = None,
    **fields: Any,
) -> Chunk:
    """A chunk of games; fields: (games, players) of the seats, of_game: (games,) of the games."""
    rows = np.zeros(games, GAME_ROW)
    rows["game"] = first + np.arange(games)
    for name, values in (of_game or {}).items():
        rows[name] = values
    seats = np.zeros((games, players), SEAT_ROW)
    rotation = rows["game"] % rotations
    seats["slot"] = (np.arange(players) + rotation[:, None]) % players
    for name, values in fields.items():
        seats[name] = values
    counters = {name: np.zeros(COUNTERS[name].shape, np.int64) for name in COUNTERS.names}
    return Chunk(first, rows, seats, counters)
