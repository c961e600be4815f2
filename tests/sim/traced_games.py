"""Games that tests of traces play: compiled as a batch, or in plain Python as traces.

Run as a script it traces games in plain Python and prints rows and lines as JSON.
"""

import json
import sys
from pathlib import Path

import numpy as np

from sim.batch import Batch
from sim.driver import LINEUP
from sim.game import load_game
from sim.kernel import compile_decider
from sim.wizard_miners.state import Prompt

GAME = "wizard_miners"
LABELS = ("busy", "busy:blunder=0.3", "idle", "busy")
BLUNDER = (0.0, 0.3, 0.0, 0.0)


def busy(state, tables, prompt, weights):
    """Take a legal choice that depends on what lies on the table, so that games are rich."""
    legal = state["legal"]
    options = 0
    rest = legal
    while rest != 0:
        rest &= rest - 1
        options += 1
    seat = state["seat"]
    pick = (state["gems"][seat] + 3 * state["turn"] + 5 * prompt + seat) % options
    for _ in range(pick):
        legal &= legal - 1
    choice = 0
    while legal & 1 == 0:
        legal >>= 1
        choice += 1
    return choice


def idle(state, tables, prompt, weights):
    """Take the lowest legal choice."""
    legal = state["legal"]
    choice = 0
    while legal & 1 == 0:
        legal >>= 1
        choice += 1
    return choice


class Players:
    """A lineup of the two, with standing orders for the idle one."""

    def __init__(self):
        game = load_game(GAME)
        here = [Path(__file__)]
        fast, slow = compile_decider(game, busy, here), compile_decider(game, idle, here)
        self.deciders = (fast, fast, slow, fast)
        self.record = np.zeros(1, LINEUP)
        self.record["blunder"][0] = BLUNDER
        # unasked, DISCARD would take the newest spell
        self.record["standing"][0, 2] = (1 << 32) - 1 & ~(1 << Prompt.DISCARD)


def batch(seed, rotations):
    game = load_game(GAME)
    return Batch(game, game.make_tables(game.load().model, 4), Players(), seed, rotations)


def plain(rows):
    """Return records as lists."""
    games, seats = rows
    return [list(map(int, games[0])), [list(map(int, seat)) for seat in seats[0]]]


def main(addresses):
    from sim.trace import trace_game

    found = []
    for seed, rotations, number in addresses:
        lines = []
        rows = trace_game(batch(seed, rotations), number, LABELS, lines.append)
        found.append([plain(rows), lines])
    print(json.dumps(found))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
