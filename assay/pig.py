"""A calibration loop: the dice game Pig, two players who hold at 20, to 100 points.

It measures the machine as it is just now, with the generator that all games use, so that a game's
speed can be given as a share of it and compared between machines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from sim.rng import die, make_key, set_deal

HOLD = 20
GOAL = 100
LUCK = np.dtype([("key", np.uint64), ("base", np.uint64)], align=True)


def luck_of(seed: int) -> np.ndarray:
    """Return the record that holds a seed's luck, shape (1,)."""
    luck = np.zeros(1, LUCK)
    luck["key"] = make_key(seed)
    return luck


@njit(nogil=True)
def play_pig(luck: Any, games: Any) -> Any:
    """Play games 0 to games - 1; return (games the first player won, turns of all games)."""
    won = 0
    turns = 0
    for game in range(games):
        set_deal(luck, game)
        mine = 0
        other = 0
        turn = 0
        while True:
            points = 0
            k = 0
            while points < HOLD and mine + points < GOAL:
                face = die(luck, 0, turn << 8 | k, 6)
                k += 1
                if face == 1:
                    points = 0
                    break
                points += face
            mine += points
            turn += 1
            if mine >= GOAL:
                won += turn & 1
                break
            mine, other = other, mine
        turns += turn
    return won, turns
