"""What a player of Wizard Miners cannot see, and how to deal it anew."""

from __future__ import annotations

from sim.decks import add, cards_in, take
from sim.jit import rare
from sim.rng import below, set_deal
from sim.wizard_miners.state import MEMO, SPELLS


@rare
def hide(state, tables, backstage, seat, k):
    """Deal anew what a seat cannot know: the other hands and, with them, the spell deck.

    The k-th deal of `backstage` (a record with a luck key of its own, not the game's) does it.
    Hand sizes stay; what the others keep in mind is wiped. The order of mine decks and the dice
    are no part of the state: whoever plays on from here does so with the luck of `backstage`.
    Modified in place.
    """
    set_deal(backstage, k)
    for other in range(state["players"]):
        if other != seat:
            for spell in range(SPELLS):
                add(state["deck"], spell, state["hand"][other, spell])
                state["hand"][other, spell] = 0
            state["hand_kinds"][other] = 0
            state["last_spell"][other] = 0
            for place in range(MEMO):
                state["memo"][other, place] = 0
    position = 0
    for other in range(state["players"]):
        if other != seat:
            for _ in range(state["hand_size"][other]):
                left = cards_in(state["deck"][0]) + cards_in(state["deck"][1])
                spell = take(state["deck"], below(backstage, 0, position, left))
                position += 1
                state["hand"][other, spell] += 1
                state["hand_kinds"][other] |= 1 << spell
                state["last_spell"][other] = spell
