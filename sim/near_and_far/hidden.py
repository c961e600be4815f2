"""What a player of Near and Far cannot see, and how to deal it anew."""

from __future__ import annotations

from sim.jit import rare
from sim.near_and_far.basics import pick_card, pop
from sim.near_and_far.state import MEMO, SCRATCH_PLACES, SCRATCH_ROWS
from sim.rng import set_deal


@rare
def dealt_anew(backstage, stream, cards, unknown, pool):
    """Return a set in which the unknown cards are others of the pool, and what is left of that."""
    count = pop(cards & unknown)
    cards &= ~unknown
    for _ in range(count):
        card = pick_card(backstage, stream, 0, pool)
        pool &= ~(1 << card)
        cards |= 1 << card
    return cards, pool


@rare
def hide_deck(state, backstage, seat, stream, unknown, deck):
    """Deal the cards of one kind anew that a seat has never seen; return the new deck.

    They are in the hands of others, in the packs they hand around, among the discards, in the deck.
    """
    pool = (deck | state["artifact_discard"]) & unknown
    for other in range(state["players"]):
        if other != seat:
            pool |= state["hand"][other] & unknown
            pool |= state["advanced_dealt"][other] & unknown
        pool |= state["pack"][other] & unknown
    for other in range(state["players"]):
        if other != seat:
            cards, pool = dealt_anew(backstage, stream, state["hand"][other], unknown, pool)
            state["hand"][other] = cards
            cards = state["advanced_dealt"][other]
            cards, pool = dealt_anew(backstage, stream, cards, unknown, pool)
            state["advanced_dealt"][other] = cards
        cards, pool = dealt_anew(backstage, stream, state["pack"][other], unknown, pool)
        state["pack"][other] = cards
    cards, pool = dealt_anew(backstage, stream, state["artifact_discard"], unknown, pool)
    state["artifact_discard"] = cards
    return deck & ~unknown | pool


@rare
def hide(state, tables, backstage, seat, k):
    """Deal anew what a seat cannot know.

    That is: artifacts it has never seen, wherever they are hidden. No deck has an order in the
    state: whoever plays on from here does so with the luck of `backstage`, a record with a luck key
    of its own, not the game's; its k-th deal is used here. What the others keep in mind is wiped.
    Modified in place.
    """
    set_deal(backstage, k)
    unknown = tables["basic_cards"] & ~state["seen"][seat]
    state["basic_deck"] = hide_deck(state, backstage, seat, 0, unknown, state["basic_deck"])
    unknown = tables["advanced_cards"] & ~state["seen"][seat]
    state["advanced_deck"] = hide_deck(state, backstage, seat, 1, unknown, state["advanced_deck"])
    for other in range(state["players"]):
        if other != seat:
            for place in range(MEMO):
                state["memo"][other, place] = 0
    for row in range(SCRATCH_ROWS):
        for place in range(SCRATCH_PLACES):
            state["scratch"][row, place] = 0.0
    for place in range(SCRATCH_PLACES):
        state["labels"][place] = 0
