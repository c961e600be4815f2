"""What a player of Dobbers cannot see, and how to deal it anew."""

from __future__ import annotations

from sim.dobbers.piles import put_in_order
from sim.dobbers.state import MAX_CARDS, MAX_DECK, MAX_ROW, MEMO, SLOTS
from sim.jit import rare
from sim.rng import below, set_deal

_LOCATIONS = 0  # streams of the new deal
_CREATURES = 1
_CARDS = 2


@rare
def another_location(tables, backstage, location, free, ordinal):
    """Return one of the free locations whose front looks like this one's.

    The front shows cost, icon and capacity (D-19; whoever builds a stack must know the capacity).
    """
    alike = 0
    for other in range(tables["locations"]):
        if (
            tables["location_cost"][other] == tables["location_cost"][location]
            and tables["location_icon"][other] == tables["location_icon"][location]
            and tables["location_capacity"][other] == tables["location_capacity"][location]
        ):
            alike |= 1 << other
    return one_of(backstage, _LOCATIONS, free & alike, ordinal)


@rare
def another_creature(tables, backstage, creature, free, ordinal):
    """Return one of the free creatures whose front looks like this one's: the cost (D-19)."""
    alike = 0
    for other in range(tables["creatures"]):
        alike |= (tables["creature_cost"][other] == tables["creature_cost"][creature]) << other
    return one_of(backstage, _CREATURES, free & alike, ordinal)


@rare
def one_of(backstage, stream, bits, ordinal):
    """Return the number of one of the set bits, each as likely."""
    count = 0
    rest = bits
    while rest != 0:
        rest &= rest - 1
        count += 1
    pick = below(backstage, stream, ordinal, count)
    for _ in range(pick):
        bits &= bits - 1
    number = 0
    while bits & 1 == 0:
        bits >>= 1
        number += 1
    return number


@rare
def hide_locations(state, tables, backstage):
    """Deal the text sides of locations anew that nobody has turned over."""
    known = state["known_locations"]
    free = ((1 << tables["locations"]) - 1) & ~known
    ordinal = 0
    for encounter in range(tables["encounters"]):
        location = state["location"][encounter] - 1
        if location >= 0 and known >> location & 1 == 0:
            location = another_location(tables, backstage, location, free, ordinal)
            free &= ~(1 << location)
            ordinal += 1
            state["location"][encounter] = location + 1
    for place in range(MAX_ROW):
        location = state["location_row"][place] - 1
        if location >= 0:
            location = another_location(tables, backstage, location, free, ordinal)
            free &= ~(1 << location)
            ordinal += 1
            state["location_row"][place] = location + 1
    for place in range(state["location_deck_size"]):
        location = state["location_deck"][place]
        location = another_location(tables, backstage, location, free, ordinal)
        free &= ~(1 << location)
        ordinal += 1
        state["location_deck"][place] = location


@rare
def hide_creatures(state, tables, backstage):
    """Deal the text sides of creatures anew that nobody has turned over."""
    known = state["known_creatures"]
    free = ((1 << tables["creatures"]) - 1) & ~known
    ordinal = 0
    for encounter in range(tables["encounters"]):
        creature = state["creature"][encounter] - 1
        if creature >= 0 and known >> creature & 1 == 0:
            creature = another_creature(tables, backstage, creature, free, ordinal)
            free &= ~(1 << creature)
            ordinal += 1
            state["creature"][encounter] = creature + 1
    for place in range(MAX_ROW):
        creature = state["creature_row"][place] - 1
        if creature >= 0:
            creature = another_creature(tables, backstage, creature, free, ordinal)
            free &= ~(1 << creature)
            ordinal += 1
            state["creature_row"][place] = creature + 1
    for place in range(state["creature_deck_size"]):
        creature = state["creature_deck"][place]
        creature = another_creature(tables, backstage, creature, free, ordinal)
        free &= ~(1 << creature)
        ordinal += 1
        state["creature_deck"][place] = creature


@rare
def take_from_deck(state, tables, backstage, seat, kind_type, ordinal):
    """Take a card out of a seat's deck at random, of one type (-1: any); return it."""
    count = 0
    link = state["deck"][seat]
    while link != 0:
        count += kind_type < 0 or tables["type"][tables["card_kind"][link - 1]] == kind_type
        link = state["next"][link - 1]
    pick = below(backstage, _CARDS + seat, ordinal, count)
    before = 0
    link = state["deck"][seat]
    while True:
        if kind_type < 0 or tables["type"][tables["card_kind"][link - 1]] == kind_type:
            if pick == 0:
                break
            pick -= 1
        before = link
        link = state["next"][link - 1]
    if before == 0:
        state["deck"][seat] = state["next"][link - 1]
    else:
        state["next"][before - 1] = state["next"][link - 1]
    state["next"][link - 1] = 0
    return link - 1


@rare
def into_deck(state, seat, card):
    """Lay a card into a seat's deck."""
    state["next"][card] = state["deck"][seat]
    state["deck"][seat] = card + 1


@rare
def hide_cards(state, tables, backstage, seat):
    """Deal anew what another seat holds, and what it laid face down under locations.

    Which cards that seat owns is known to all: they were bought in the open.
    """
    ordinal = 0
    for place in range(state["hand_size"][seat]):
        into_deck(state, seat, state["hand"][seat, place])
    for encounter in range(tables["encounters"]):
        for slot in range(SLOTS):
            if state["gear_owner"][encounter, slot] == seat + 1:
                into_deck(state, seat, state["gear"][encounter, slot] - 1)
    for encounter in range(tables["encounters"]):
        for slot in range(SLOTS):
            if state["gear_owner"][encounter, slot] == seat + 1:
                card = take_from_deck(state, tables, backstage, seat, slot + 1, ordinal)
                ordinal += 1
                state["gear"][encounter, slot] = card + 1
    for place in range(state["hand_size"][seat]):
        card = take_from_deck(state, tables, backstage, seat, -1, ordinal)
        ordinal += 1
        state["hand"][seat, place] = card


@rare
def hide(state, tables, backstage, seat, k):
    """Deal anew what a seat cannot know.

    That is: the hands of the others, out of the cards that each owns; equipment that others laid
    face down; the text sides of locations and creatures that were never turned over, among those
    with the same front. All decks are shuffled: whoever plays on from here does so with the luck of
    `backstage`, a record with a luck key of its own, not the game's; its k-th deal is used here.
    What the others keep in mind is wiped. Modified in place.
    """
    set_deal(backstage, k)
    for other in range(state["players"]):
        if other != seat:
            hide_cards(state, tables, backstage, other)
            for place in range(MEMO):
                state["memo"][other, place] = 0
    for owner in range(state["players"]):
        put_in_order(state, backstage, owner)
    for place in range(MAX_CARDS):  # beyond the decks dealt anew lies what longer ones left
        state["keys"][place] = 0
    for place in range(MAX_DECK):
        state["ranked"][place] = 0
    hide_locations(state, tables, backstage)
    hide_creatures(state, tables, backstage)
