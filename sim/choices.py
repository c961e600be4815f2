"""Choices and seats: what the rules of every game and every strategy need.

The legal choices of an open prompt are the set bits of `state["legal"]`. The functions on a state
use its fields `legal`, `standing`, `seat`, `prompt` and `players`, which every game has.
"""

from __future__ import annotations

from sim.jit import rule, zeros_above, zeros_below


@rule
def is_legal(legal, choice):
    """Say whether a choice from 0 to 62 is legal."""
    return legal >> choice & 1 != 0


@rule
def lowest(legal):
    """Return the lowest legal choice; at least one must be legal."""
    return zeros_below(legal)


@rule
def highest(legal):
    """Return the highest legal choice; at least one must be legal."""
    return 63 - zeros_above(legal)


@rule
def is_open(state, seat, prompt, legal):
    """Say whether a seat has to be asked; if so, the prompt is noted in the state.

    A single legal choice is taken without asking. Where the seat has standing orders for the
    prompt, the rules take its default: the lowest choice unless the prompt's comment says which.
    """
    state["legal"] = legal
    # one branch: choices change at random, standing orders never
    if (legal & (legal - 1) == 0) | (state["standing"][seat] >> prompt & 1 != 0):
        return False
    state["seat"] = seat
    state["prompt"] = prompt
    return True


@rule
def seat_after(state, seat, places):
    """Return the seat that sits some places to the left."""
    seat += places
    players = state["players"]
    return seat - players if seat >= players else seat
