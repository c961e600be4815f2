"""Treasures that are due: drawn, kept, discarded (rules 3, 20 and 50, A-44)."""

from __future__ import annotations

import numpy as np

from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    drop_treasure,
    nth,
    pick_card,
    pop,
    take_treasure,
    treasure_room,
)
from sim.near_and_far.state import Event, Stream, Tally

_TREASURES = np.int64(Stream.TREASURES)
_TREASURES_DRAWN = np.int64(Tally.TREASURES_DRAWN)


@rare
def draw_treasure(state, tables, backstage, seat):
    """Return the next treasure, -1 if there is none; an empty deck is its shuffled discards."""
    if state["treasure_deck"] == 0:
        state["treasure_deck"] = state["treasure_discard"]
        state["treasure_discard"] = 0
        state["treasure_shuffles"] += 1
        if state["treasure_deck"] == 0:
            return -1
    deck = state["treasure_deck"]
    treasure = pick_card(backstage, _TREASURES, state["treasure_shuffles"], deck)
    state["treasure_deck"] &= ~(1 << treasure)
    state["tally"][seat, _TREASURES_DRAWN] += 1
    emit(Event.TREASURE, seat, treasure, 0, 0)
    return treasure


@rule
def too_many_treasures(state, tables, seat):
    """Say whether a seat holds more treasures than fit: a bird has left (A-44)."""
    return pop(state["treasures"][seat]) > treasure_room(state, tables, seat)


@rare
def settle_treasures(state, tables, backstage, seat):
    """Draw the treasures that are due; return what can be discarded once something must be.

    Where nothing can be held nothing is drawn: it would be discarded unseen by the rules (rule 20).
    """
    while True:
        room = treasure_room(state, tables, seat)
        held = pop(state["treasures"][seat])
        if held > room:  # a bird has left
            return ((1 << held) - 1) << 1
        if room == 0:
            state["treasures_due"] = 0
        if state["treasures_due"] == 0:
            return 0
        state["treasures_due"] -= 1
        treasure = draw_treasure(state, tables, backstage, seat)
        if treasure < 0:
            state["treasures_due"] = 0
        elif held < room:
            take_treasure(state, tables, seat, treasure)
        else:
            state["drawn_treasure"] = 1 + treasure
            return ((1 << held) - 1) << 1 | 1


@rare
def discard_treasure(state, tables, seat, choice):
    """Discard the treasure just drawn, or one that is held and keep the new one."""
    new = state["drawn_treasure"] - 1
    state["drawn_treasure"] = 0
    if choice == 0:
        state["treasure_discard"] |= 1 << new
        emit(Event.TREASURE_LOST, seat, new, 0, 0)
        return
    drop_treasure(state, tables, seat, nth(state["treasures"][seat], choice - 1))
    if new >= 0:
        take_treasure(state, tables, seat, new)
