"""Made-up games for tests of analysis: rows of a small game whose truth is known."""

from __future__ import annotations

import numpy as np

from sim.batch import Chunk

GAME_ROW = np.dtype([("game", np.int64), ("status", np.int16), ("rolls", np.int16)])
SEAT_ROW = np.dtype([("slot", np.int16), ("win", np.int16), ("hits", np.int16)])


def chunk(
    win: np.ndarray,
    hits: np.ndarray | None = None,
    *,
    rotations: int = 1,
    first: int = 0,
    rolls: np.ndarray | None = None,
    status: np.ndarray | None = None,
) -> Chunk:
    """A chunk of games with these values: win, hits (games, players); rolls, status (games,)."""
    n, players = win.shape
    games = np.zeros(n, GAME_ROW)
    games["game"] = first + np.arange(n)
    games["rolls"] = 0 if rolls is None else rolls
    games["status"] = 0 if status is None else status
    seats = np.zeros((n, players), SEAT_ROW)
    rotation = games["game"] % rotations
    seats["slot"] = (np.arange(players) + rotation[:, None]) % players
    seats["win"] = win
    seats["hits"] = 0 if hits is None else hits
    return Chunk(first, games, seats, {})


def cut(whole: Chunk, *edges: int) -> list[Chunk]:
    """A chunk cut at these games."""
    parts = []
    for a, b in zip((0, *edges), (*edges, len(whole.games)), strict=True):
        parts.append(Chunk(whole.first + a, whole.games[a:b], whole.seats[a:b], {}))
    return parts


def winners(
    rng: np.random.Generator, games: int, players: int = 4, luck: float = 1.0
) -> np.ndarray:
    """Wins in twelfths (games, players), one winner a game; seat 1 is favoured by `luck`."""
    weights = np.ones(players)
    weights[0] = luck
    seats = rng.choice(players, games, p=weights / weights.sum())
    return 12 * np.eye(players, dtype=np.int64)[seats]
