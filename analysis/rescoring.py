"""Who would have won if the same games had been scored otherwise: nothing is played again.

Points of a source are taken from one player, or from all, and the winners are named anew. So the
play is the same to the last die, and what changes is owed to these points alone; what a player
would have done instead, had the source been worth nothing, is not in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.game import WIN_UNIT

Points = NDArray[np.int64]


def wins_of(
    scores: Points, over: NDArray[np.bool_], *, shared: bool, first: NDArray[Any]
) -> Points:
    """Twelfths of the win of each player: most points win.

    scores: (games, players). over: (games,) whether the game was won at all. shared: ties share;
    else the first of them in turn order wins. first: (games,) seat from 0 that played first.
    """
    best = scores == scores.max(axis=1, keepdims=True)
    if not shared:
        players = scores.shape[1]
        late = (np.arange(players) - np.asarray(first, np.int64)[:, None]) % players
        place = np.where(best, late, players)
        best = place == place.min(axis=1, keepdims=True)
    share = WIN_UNIT // best.sum(axis=1, keepdims=True)
    wins: Points = np.where(best & over[:, None], share, 0).astype(np.int64)
    return wins


def wins_without(
    scores: Points, points: Points, over: NDArray[np.bool_], *, shared: bool, first: NDArray[Any]
) -> Points:
    """Twelfths that each player would win if these points were taken from it alone."""
    players = scores.shape[1]
    found = np.zeros(scores.shape, np.int64)
    for seat in range(players):
        less = scores.copy()
        less[:, seat] -= points[:, seat]
        found[:, seat] = wins_of(less, over, shared=shared, first=first)[:, seat]
    return found
