"""Setting up: decks, the map's quest tokens, companions, the draft of artifacts ("Setup")."""

from __future__ import annotations

import numpy as np

from sim.choices import lowest, seat_after
from sim.events import emit
from sim.jit import rare
from sim.near_and_far.basics import (
    discard_artifact,
    join_party,
    own_member,
    pick_card,
    pop,
)
from sim.near_and_far.mine import lay_entrance
from sim.near_and_far.state import (
    COMPANIONS,
    FIRST_COMPANION,
    GOODS,
    MAX_ARTIFACTS,
    OFFER,
    SCRATCH_PLACES,
    Event,
    Good,
    Status,
    Stream,
)
from sim.near_and_far.together import set_up_together
from sim.rng import below, draw, turn_index

_SET_UP = np.int64(Stream.SET_UP)
_QUESTS = np.int64(Stream.QUESTS)
_BASIC = np.int64(Stream.BASIC)
_ADVANCED = np.int64(Stream.ADVANCED)
_BAG = np.int64(Stream.BAG)
_COIN = np.int64(Good.COIN)


@rare
def set_up(state, tables, backstage):
    """Lay out everything up to the first choice (Setup 1 to 9, 11; rules of each module)."""
    players = tables["players"]
    state["players"] = players
    state["status"] = Status.PLAYING
    state["winner"] = -1
    state["leader"] = -1
    for quarter in range(3):
        state["leader_at"][quarter] = -1
    if tables["random_start"] != 0:
        state["first_seat"] = below(backstage, _SET_UP, turn_index(0, 0), players)
    state["active"] = state["first_seat"]
    state["basic_deck"] = tables["basic_cards"]
    state["advanced_deck"] = tables["advanced_cards"]
    state["treasure_deck"] = tables["treasure_cards"]
    state["bag"] = tables["adventurers"]
    state["mine_deck"] = tables["mine_cards"]
    for word in range(2):
        state["spell_deck"][word] = tables["spell_deck"][word]
    state["spell_deck_size"] = tables["spell_cards"]
    state["magic_camps_left"] = tables["magic_camps"]
    state["store_camps_left"] = tables["store_camps"]
    for kind in range(COMPANIONS):
        state["companions_left"][kind] = tables["companion_count"][kind]
    place_quests(state, tables, backstage)
    for seat in range(players):
        state["tents"][seat] = tables["tents"]
        state["goods"][seat, _COIN] = tables["start_coins"]
        for good in range(GOODS):
            state["goods"][seat, good] += tables["start_goods"][seat, good]
        state["expert"][seat] = tables["expert_die"][seat] == 1
        gift = tables["deal_artifact"][seat] - 1
        if gift >= 0:  # nobody else is dealt it
            state["basic_deck"] &= ~(1 << gift)
            state["advanced_deck"] &= ~(1 << gift)
        gift = tables["start_member"][seat] - 1
        if gift >= 0 and state["bag"] >> gift & 1 != 0:
            state["bag"] &= ~(1 << gift)
            own_member(state, tables, seat, gift)
            join_party(state, tables, seat, gift)
    if tables["first_card"] != 0:
        deal_first(state, tables)
    deal_artifacts(state, tables, backstage)
    if tables["coop"] != 0:
        set_up_together(state, tables, backstage)
    for place in range(tables["track_size"]):
        if state["track"][place] == 0:
            fill_track(state, backstage, place)
    lay_entrance(state, tables)


@rare
def deal_first(state, tables):
    """Deal the card of an experiment before all others, unless somebody was given it.

    An artifact goes to the first player, an adventurer to the first place of the track.
    """
    card = tables["first_card"] - 1
    seat = state["first_seat"]
    if card >= MAX_ARTIFACTS:
        member = card - MAX_ARTIFACTS
        if state["bag"] >> member & 1 != 0:
            state["bag"] &= ~(1 << member)
            state["track"][0] = 1 + member
            emit(Event.TRACK, -1, member, 0, 0)
    elif state["basic_deck"] >> card & 1 != 0:
        state["basic_deck"] &= ~(1 << card)
        state["pack"][seat] |= 1 << card
    elif state["advanced_deck"] >> card & 1 != 0:
        state["advanced_deck"] &= ~(1 << card)
        state["advanced_dealt"][seat] |= 1 << card


@rare
def place_quests(state, tables, backstage):
    """Lay quest tokens on spaces with a book, at random (Setup 4; NF-T13, NF-T14)."""
    left = tables["quest_spaces"]
    for _ in range(min(tables["quest_tokens"], pop(left))):
        space = pick_card(backstage, _QUESTS, 0, left)
        left &= ~(1 << space)
        state["tokens"] |= 1 << space


@rare
def note_tickets(state, backstage, stream, cards):
    """Note the draws of cards in a fresh deck, from which many are dealt: see `pick_card`."""
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        state["labels"][card] = draw(backstage, stream, card)


@rare
def next_card(state, deck):
    """Return what `pick_card` would, for a deck whose draws are noted."""
    best = lowest(deck)
    deck &= deck - 1
    while deck != 0:
        card = lowest(deck)
        deck &= deck - 1
        if state["labels"][card] < state["labels"][best]:
            best = card
    return best


@rare
def deal_artifacts(state, tables, backstage):
    """Deal basic cards to be handed around and advanced ones to choose from (Setup 9)."""
    note_tickets(state, backstage, _BASIC, state["basic_deck"])
    note_tickets(state, backstage, _ADVANCED, state["advanced_deck"])
    for place in range(tables["players"]):
        seat = seat_after(state, state["first_seat"], place)
        for _ in range(tables["basic_dealt"] - pop(state["pack"][seat])):
            if state["basic_deck"] != 0:
                card = next_card(state, state["basic_deck"])
                state["basic_deck"] &= ~(1 << card)
                state["pack"][seat] |= 1 << card
        for _ in range(tables["advanced_dealt"] - pop(state["advanced_dealt"][seat])):
            if state["advanced_deck"] != 0:
                card = next_card(state, state["advanced_deck"])
                state["advanced_deck"] &= ~(1 << card)
                state["advanced_dealt"][seat] |= 1 << card
        state["seen"][seat] |= state["advanced_dealt"][seat]
        if tables["coop"] != 0:  # they are not handed around (rule 55)
            state["seen"][seat] |= state["pack"][seat]
    for place in range(SCRATCH_PLACES):  # the draws of cards left in the deck are nobody's to see
        state["labels"][place] = 0


@rare
def fill_track(state, backstage, place):
    """Put the next adventurer of the bag on a place of the track ("Setup 2", "Saloon").

    An empty bag is filled with those swept off the track.
    """
    if state["bag"] == 0:
        state["bag"] = state["bag_out"]
        state["bag_out"] = 0
        state["bag_shuffles"] += 1
    state["track"][place] = 0
    if state["bag"] != 0:
        member = pick_card(backstage, _BAG, state["bag_shuffles"], state["bag"])
        state["bag"] &= ~(1 << member)
        state["track"][place] = 1 + member
        emit(Event.TRACK, -1, member, place, 0)


# --- companions -----------------------------------------------------------------------------------


@rare
def companion_picker(state, backstage, place):
    """Return the seat that is the place-th to pick a companion: the highest roll first (rule 51).

    Ties are rolled off, so the order is that of one long die per seat.
    """
    chosen = -1
    picked = 0
    for _ in range(place + 1):
        most = -1
        for seat in range(state["players"]):
            if picked >> seat & 1 == 0:
                roll = draw(backstage, _SET_UP, turn_index(0, 1 + seat))
                if roll > most:
                    most = roll
                    chosen = seat
        picked |= 1 << chosen
    return chosen


@rare
def companion_choices(state):
    """Return the kinds of companions that are left."""
    legal = 0
    for kind in range(COMPANIONS):
        if state["companions_left"][kind] > 0:
            legal |= 1 << kind
    return legal


@rare
def take_companion(state, tables, seat, kind):
    """Take a companion; it starts in the active party (Setup 5)."""
    state["companions_left"][kind] -= 1
    state["companion"][seat] = 1 + kind
    own_member(state, tables, seat, FIRST_COMPANION + kind)
    join_party(state, tables, seat, FIRST_COMPANION + kind)
    emit(Event.COMPANION, seat, kind, 0, 0)


# --- artifacts ------------------------------------------------------------------------------------


@rare
def draft(state, seat, card):
    """Keep a card of the pack (Setup 10)."""
    bit = 1 << card
    state["pack"][seat] &= ~bit
    state["hand"][seat] |= bit
    state["picked"] |= 1 << seat
    emit(Event.DRAFTED, seat, card, 0, 0)


@rare
def pass_packs(state):
    """Hand all packs to the left; say whether there is anything left in them."""
    players = state["players"]
    last = state["pack"][players - 1]
    for place in range(players - 1):
        seat = players - 1 - place
        state["pack"][seat] = state["pack"][seat - 1]
    state["pack"][0] = last
    state["picked"] = 0
    rest = 0
    for seat in range(players):
        rest |= state["pack"][seat]
    return rest != 0


@rare
def offer_cards(state, cards):
    """Lay the cards of a set out to choose from, the lowest number first."""
    size = 0
    card = 0
    while cards != 0:
        if cards & 1 != 0:
            state["offer"][size] = 1 + card
            size += 1
        cards >>= 1
        card += 1
    for place in range(size, state["offer_size"]):
        state["offer"][place] = 0
    state["offer_size"] = size


@rare
def offer_dealt(state, seat):
    """Lay out basic cards of a seat's own pack, as many as can be; each can be kept (rule 55)."""
    cards = state["pack"][seat]
    rest = cards
    for _ in range(min(OFFER, pop(cards))):
        rest &= rest - 1
    state["pack"][seat] = rest
    offer_cards(state, cards & ~rest)


@rare
def keep_choices(state, most):
    """Return the ways to keep some of the cards on offer, `most` of them at most."""
    legal = 0
    for kept in range(1 << state["offer_size"]):
        if pop(kept) <= most:
            legal |= 1 << kept
    return legal


@rare
def keep(state, seat, kept):
    """Take the chosen cards on offer to hand and discard the others."""
    for place in range(state["offer_size"]):
        card = state["offer"][place] - 1
        state["offer"][place] = 0
        if kept >> place & 1 != 0:
            state["hand"][seat] |= 1 << card
            emit(Event.KEPT, seat, card, 0, 0)
        else:
            discard_artifact(state, seat, card)
    state["offer_size"] = 0


@rare
def end_set_up(state, tables):
    """Give artifacts to seats that hold one by intervention."""
    for seat in range(state["players"]):
        gift = tables["deal_artifact"][seat] - 1
        if gift >= 0:
            state["hand"][seat] |= 1 << gift
            state["seen"][seat] |= 1 << gift
