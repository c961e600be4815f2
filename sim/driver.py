"""The loop that plays games: state, prompt, choice, state.

One text serves every game: `bind` gives a copy of `play_games` whose names `open_game`,
`advance`, `turn_of` and `record` are the game's, so that numba inlines them. The records here
are what no player sees (the backstage) and what the players brought along (the lineup).
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from sim.choices import lowest
from sim.game import REPLICATE_DEALS, REPLICATES
from sim.jit import rare, selected
from sim.rng import WHIMS, draw, remix, set_deal

MAX_SEATS = 4
MAX_WEIGHTS = 64
MAX_PROMPTS = 32

# statuses that mean the same in every game
WON, CAPPED, ILLEGAL_CHOICE = 0, 1, 2

LINEUP = np.dtype(
    [
        ("weights", np.float64, (MAX_SEATS, MAX_WEIGHTS)),
        ("blunder", np.float64, (MAX_SEATS,)),  # probability of a random legal choice
        ("standing", np.int64, (MAX_SEATS,)),  # bit per prompt: not asked
    ],
    align=True,
)


def backstage_dtype(counters: np.dtype) -> np.dtype:
    """Return the record that holds the luck of a deal and a game's event counters.

    Deciders never get it: luck is part of what a player cannot see.
    """
    return np.dtype(
        [
            ("key", np.uint64),
            ("base", np.uint64),
            ("replicate", np.int64),  # first axis of the counters
            ("slots", np.int64, (MAX_SEATS,)),  # who of the lineup sits where
            ("asked", np.int64, (MAX_SEATS, MAX_PROMPTS)),  # turn << 8 | decisions of that kind
            ("game", np.int64),  # the game being played, for error messages
            ("recorded", np.int64),  # rows of the transcript written so far
            *((name, counters[name]) for name in counters.names or ()),
        ],
        align=True,
    )


# The four names below are replaced by `bind`.
def open_game(state, tables, backstage):  # pragma: no cover
    """Stand for the game's function."""
    raise NotImplementedError


advance = turn_of = record = open_game


@rare
def whim(state, backstage, seat, prompt, turn, blunder):
    """Return a random legal choice if this decision is a blunder, else -1.

    Whether is drawn once per turn and kind of decision, so that a blunder of 0.2 spoils a fifth
    of the decisions; which choice is drawn for each.
    """
    index = turn << 8 | prompt
    bits = draw(backstage, WHIMS + seat, index)
    if bits >= blunder * 4294967296.0:
        return -1
    asked = backstage["asked"][seat, prompt]
    ordinal = (asked & 255) + 1 if asked >> 8 == turn else 1
    backstage["asked"][seat, prompt] = turn << 8 | min(ordinal, 255)
    legal = state["legal"]
    options = 0
    rest = legal
    while rest != 0:
        rest &= rest - 1
        options += 1
    pick = (remix(bits, ordinal) * options) >> 32
    for _ in range(pick):
        legal &= legal - 1
    return lowest(legal)


@rare
def note(state, backstage, transcript, turn, prompt, choice):
    """Write a decision into the transcript while there is room."""
    row = backstage["recorded"]
    if row < len(transcript):
        transcript[row, 0] = turn
        transcript[row, 1] = state["seat"]
        transcript[row, 2] = prompt
        transcript[row, 3] = state["legal"]
        transcript[row, 4] = choice
        backstage["recorded"] = row + 1


def play_games(
    first,
    rotations,
    tables,
    deciders,
    lineup,
    backstage,
    memory,
    states,
    games,
    seats,
    transcript,
):
    """Play `len(games)` games from number `first` on; fill their rows and the event counters.

    rotations: 1, or the number of seats when every deal is played once per rotation.
    memory: the bytes of states[0] as int64, for a quick reset. games (n,), seats (n, players).
    transcript (m, 5): filled with turn, seat, prompt, legal choices and choice of the first m
    decisions; m = 0 for none.
    A choice outside the legal ones ends its game with status ILLEGAL_CHOICE.
    """
    state = states[0]
    players = tables["players"]
    backstage["recorded"] = 0
    for i in range(len(games)):
        game = first + i
        deal = game // rotations
        rotation = game - deal * rotations
        backstage["game"] = game
        backstage["replicate"] = (deal // REPLICATE_DEALS) % REPLICATES
        set_deal(backstage, deal)
        memory[:] = 0
        whims = False
        for seat in range(players):
            slot = (seat + rotation) % players
            backstage["slots"][seat] = slot
            if lineup["blunder"][slot] > 0.0:
                whims = True
            else:
                state["standing"][seat] = lineup["standing"][slot]
        if whims:
            backstage["asked"][:] = 0
        open_game(state, tables, backstage)
        choice = np.int64(0)  # a plain 0 would have `advance` compiled a second time, for it alone
        illegal = 0
        while True:
            prompt = advance(state, tables, backstage, choice)
            if prompt == 0:
                break
            # the mask changes nothing; it tells the compiler that the seat is in range
            seat = state["seat"] & (MAX_SEATS - 1)
            slot = backstage["slots"][seat]
            choice = -1
            if whims and lineup["blunder"][slot] > 0.0:
                choice = whim(
                    state, backstage, seat, prompt, turn_of(state), lineup["blunder"][slot]
                )
            if choice < 0:
                decide = selected(deciders, slot)
                choice = decide(state, tables, prompt, lineup["weights"][slot])
                if choice < 0 or choice > 62 or (state["legal"] >> choice) & 1 == 0:
                    illegal = 1
            if len(transcript) > 0:
                note(state, backstage, transcript, turn_of(state), prompt, choice)
            if illegal != 0:
                break
        if illegal != 0:
            state["status"] = ILLEGAL_CHOICE
            state["winner"] = -1
        record(state, tables, backstage, games[i], seats[i])
        games[i]["game"] = game


def bind(function: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """Return a copy of `function` in which the given global names mean something else."""
    bound = types.FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__
    )
    bound.__module__ = function.__module__
    bound.__doc__ = function.__doc__
    return bound


__all__ = ["LINEUP", "backstage_dtype", "bind", "play_games", "whim"]
