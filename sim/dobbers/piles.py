"""Decks, hands, discard piles, tokens, and the row of adventure cards.

Each card has a draw of its own, and a deck is drawn from the smallest draw on, so a card more or
less in a deck leaves the order of the others as it was. A seat's deck is laid in this order when
the first card is drawn after shuffling; `hide` shuffles it anew.
"""

from __future__ import annotations

from sim.dobbers.state import (
    FIRST_ADVENTURE,
    FIRST_EVENT,
    FIRST_SOLO,
    KIND_BITS,
    MAX_ADVENTURE,
    MAX_CARDS,
    MAX_HAND,
    MAX_TODO,
    NO_PRICE,
    PRICE_BITS,
    TEXT_OPS,
    Event,
    Op,
    Scope,
    Stream,
    Tally,
    Type,
)
from sim.events import emit
from sim.jit import rare, rule
from sim.rng import below, draw, turn_index

_ADVENTURE = int(Stream.ADVENTURE)
_LOCATIONS = int(Stream.LOCATIONS)
_CREATURES = int(Stream.CREATURES)
_TOKENS = int(Stream.TOKENS)
_EVENTS = int(Stream.EVENTS)
_SOLO = int(Stream.SOLO)
_DECK = int(Stream.DECK)
_DESTROYED = int(Tally.DESTROYED)
_TEXT = int(Op.TEXT)
_REFILL = int(Op.REFILL)
_EACH = int(Scope.EACH)
_ITEM = int(Type.ITEM)
_LEADER = int(Scope.LEADER)
_NO_DRAW = 1 << 62  # more than any draw
_MOST_DRAWS = 1 << 20  # of one purpose
_NO_KEY = 1 << 62  # more than any key of `put_in_order`
_LANES = 16  # keys compared at once


# --- a seat's cards -------------------------------------------------------------------------------


@rare
def to_discard(state, seat, card):
    """Put a card on a seat's discard pile."""
    state["next"][card] = state["discard"][seat]
    state["discard"][seat] = card + 1
    state["discard_size"][seat] += 1


@rare
def destroy(state, seat, card):
    """Take a card out of the game (rule 29). seat: who did it, -1 for the rules."""
    state["next"][card] = state["destroyed"]
    state["destroyed"] = card + 1
    state["destroyed_size"] += 1
    if seat >= 0:
        state["tally"][seat, _DESTROYED] += 1
    emit(Event.DESTROYED, seat, card, 0, 0)


@rule
def out_of_hand(state, seat, place):
    """Take the card at a place out of a hand; the last card takes its place."""
    last = state["hand_size"][seat] - 1
    card = state["hand"][seat, place]
    state["hand"][seat, place] = state["hand"][seat, last]
    state["hand"][seat, last] = 0
    state["hand_size"][seat] = last
    return card


@rare
def to_hand(state, seat, card):
    """Take a card to hand; onto the discard pile if a hand cannot hold more."""
    size = state["hand_size"][seat]
    if size >= MAX_HAND:
        to_discard(state, seat, card)
        return
    state["hand"][seat, size] = card
    state["hand_size"][seat] = size + 1


@rare
def out_of_discard(state, seat, depth):
    """Take the card at a depth (0 is the top) out of a discard pile."""
    card = state["discard"][seat] - 1
    if depth == 0:
        state["discard"][seat] = state["next"][card]
    else:
        for _ in range(depth - 1):
            card = state["next"][card] - 1
        above = card
        card = state["next"][above] - 1
        state["next"][above] = state["next"][card]
    state["next"][card] = 0
    state["discard_size"][seat] -= 1
    return card


@rare
def draw_cards(state, backstage, seat, cards):
    """Draw cards; an empty deck is the shuffled discard pile ("Draw phase").

    Effects played in this turn are not on that pile (D-34).
    """
    held = state["hand_size"][seat]
    full = min(held + cards, MAX_HAND)
    while held < full:
        if state["deck"][seat] == 0:
            if state["discard"][seat] == 0:
                break
            turn_pile_over(state, seat)
        if state["in_order"][seat] == 0:
            put_in_order(state, backstage, seat)
        link = state["deck"][seat]
        before = held
        while held < full and link != 0:
            card = link - 1
            link = state["next"][card]
            state["next"][card] = 0
            state["hand"][seat, held] = card
            held += 1
            emit(Event.DREW, seat, card, 0, 0)
        state["deck"][seat] = link
        state["deck_size"][seat] -= held - before
    state["hand_size"][seat] = held


@rule
def turn_pile_over(state, seat):
    """Make a discard pile the deck, in no order yet."""
    state["deck"][seat] = state["discard"][seat]
    state["deck_size"][seat] = state["discard_size"][seat]
    state["discard"][seat] = 0
    state["discard_size"][seat] = 0
    state["shuffles"][seat] += 1
    state["in_order"][seat] = 0
    emit(Event.RESHUFFLED, seat, state["deck_size"][seat], 0, 0)


@rare
def put_in_order(state, backstage, seat):
    """Lay a deck in the order in which it is drawn: that of each card's own draw.

    A card's place is the number of smaller draws, counted without a branch: nobody could guess
    which draw is smaller. They are filled up to a multiple of _LANES, so that many are compared at
    once and none singly. The masks change nothing; they tell LLVM that it is a multiple, and that
    all lies within `keys`.
    """
    index = turn_index(state["shuffles"][seat], 0)
    size = 0
    link = state["deck"][seat]
    while link != 0:
        state["keys"][size] = draw(backstage, _DECK + seat, index + link - 1) << 9 | link
        size += 1
        link = state["next"][link - 1]
    filled = (size + _LANES - 1) & (MAX_CARDS - _LANES)
    for lane in range(_LANES):
        state["keys"][(size & (MAX_CARDS - 1)) + lane] = _NO_KEY
    for place in range(size):
        key = state["keys"][place]
        before = 0
        for other in range(filled):
            before += state["keys"][other] < key
        state["ranked"][before] = key & 511
    for place in range(size - 1, -1, -1):
        card = state["ranked"][place] - 1
        state["next"][card] = link
        link = card + 1
    state["deck"][seat] = link
    state["in_order"][seat] = 1


# --- tokens ---------------------------------------------------------------------------------------


@rare
def take_token(state, tables, backstage, seat, negative):
    """Take a token from the pile, drawn among the positive or the negative ones (rules 31, 32)."""
    left = 0
    for kind in range(tables["token_kinds"]):
        if (tables["token_hinders"][kind] != 0) == negative:
            left += state["token_pile"][kind]
    if left == 0:
        return
    pick = below(backstage, _TOKENS, state["token_draws"], left)
    state["token_draws"] += 1
    for kind in range(tables["token_kinds"]):
        if (tables["token_hinders"][kind] != 0) == negative:
            pick -= state["token_pile"][kind]
            if pick < 0:
                state["token_pile"][kind] -= 1
                state["tokens"][seat, kind] += 1
                state["held_tokens"][seat] |= 1 << kind
                emit(Event.TOKEN, seat, kind, 0, 0)
                return


@rule
def hindrance(state, tables, seat, what):
    """Return what a seat's negative tokens add to a kind of action (rule 31, DB-T13)."""
    if state["held_tokens"][seat] & tables["hindering"] == 0:
        return 0
    return tokens_hinder(state, tables, seat, what)


@rare
def tokens_hinder(state, tables, seat, what):
    """Return the amounts of a seat's tokens that hinder a kind of action, summed."""
    more = 0
    for kind in range(tables["token_kinds"]):
        if tables["token_hinders"][kind] & what != 0:
            more += state["tokens"][seat, kind] * tables["token_amount"][kind]
    return more


@rare
def overcome_tokens(state, tables, seat, what):
    """Put the negative tokens that an action overcame back on the pile (rule 31)."""
    if state["held_tokens"][seat] & tables["hindering"] == 0:
        return
    for kind in range(tables["token_kinds"]):
        if tables["token_hinders"][kind] & what != 0:
            state["token_pile"][kind] += state["tokens"][seat, kind]
            state["tokens"][seat, kind] = 0
            state["held_tokens"][seat] &= ~(1 << kind)


# --- what is still to be carried out --------------------------------------------------------------


@rare
def push(state, op, amount, seat):
    """Note something to be carried out before anything noted so far."""
    size = state["todo_size"]
    if size >= MAX_TODO:
        raise OverflowError("too many card texts at once")
    state["todo"][size] = op | amount << 8 | seat << 24
    state["todo_size"] = size + 1


@rare
def push_way(state, tables, text, way, seat):
    """Note the operations of one way of a text, the first on top."""
    for place in range(TEXT_OPS - 1, -1, -1):
        op = tables["text_op"][text, way, place]
        if op != 0:
            push(state, op, tables["text_amount"][text, way, place], seat)


@rule
def push_text(state, tables, text, seat):
    """Note a text; if it is "this or that", the choice comes first."""
    if text != 0:
        if tables["text_ways"][text] > 1:
            push(state, _TEXT, text, seat)
        else:
            push_way(state, tables, text, 0, seat)


# --- rows -----------------------------------------------------------------------------------------


@rare
def leader_of(state, tables):
    """Return who is nearest to the key; of equals the first from the active player on."""
    best = state["active"]
    for place in range(1, state["players"]):
        seat = state["active"] + place
        if seat >= state["players"]:
            seat -= state["players"]
        if tables["distance"][state["square"][seat]] < tables["distance"][state["square"][best]]:
            best = seat
    return best


@rare
def top_adventure(state, backstage):
    """Take the next adventure card out of the deck.

    Numbers are drawn until one is that of a card still there, so the order of the deck is that in
    which the numbers first come up: a card more or less leaves the order of the others as it was.
    """
    number = state["adventure_draws"]
    place = below(backstage, _ADVENTURE, number, MAX_ADVENTURE)
    while state["adventure"][place] == 0:
        number += 1
        if number >= _MOST_DRAWS:
            raise OverflowError("a draw's address overflows: too many draws of an adventure card")
        place = below(backstage, _ADVENTURE, number, MAX_ADVENTURE)
    state["adventure_draws"] = number + 1
    state["adventure"][place] = 0
    state["adventure_size"] -= 1
    return FIRST_ADVENTURE + place


@rare
def in_order(backstage, stream, total, rank):
    """Return which of `total` shuffled cards comes at a rank from 0."""
    for number in range(total):
        bits = draw(backstage, stream, turn_index(1, number))
        before = 0
        for other in range(total):
            others = draw(backstage, stream, turn_index(1, other))
            before += (others < bits) | ((others == bits) & (other < number))
        if before == rank:
            return number
    return total


@rare
def special_due(state, tables, backstage):
    """Return the solo or event card that lies on top of the adventure deck, -1 for neither.

    Solo: its cards are shuffled into the top half of what is left when the row is dealt (D-29).
    Events: what is left is cut into equal parts, one event shuffled into each (rule 34). Both are
    found as the deck is dealt, each from its own draws.
    """
    dealt = state["revealed"] - tables["row_size"]
    if state["solo_left"] > 0:
        total = tables["solo_cards"]
        top = state["mixed"] // 2 + total
        left = state["solo_left"]
        if below(backstage, _SOLO, turn_index(0, dealt), top - dealt) < left:
            state["solo_left"] = left - 1
            return FIRST_SOLO + in_order(backstage, _SOLO, total, total - left)
    if state["events_left"] > 0:
        total = tables["event_cards"]
        part = total - state["events_left"]
        start = state["mixed"] * part // total
        size = state["mixed"] * (part + 1) // total - start
        if dealt - part - start >= below(backstage, _EVENTS, turn_index(0, part), size + 1):
            state["events_left"] -= 1
            return FIRST_EVENT + in_order(backstage, _EVENTS, total, part)
    return -1


@rule
def with_price(prices, place, price):
    """Return packed prices with another price at a place; NO_PRICE is the most that fits."""
    shift = PRICE_BITS * place
    return prices & ~(NO_PRICE << shift) | min(price, NO_PRICE) << shift


@rule
def lay_in_row(state, tables, place, card):
    """Lay a card in the adventure row; solo cards cannot be bought (D-33)."""
    kind = tables["card_kind"][card]
    state["row"][place] = card + 1
    price = tables["cost"][kind] if tables["type"][kind] <= _ITEM else NO_PRICE
    state["row_prices"] = with_price(state["row_prices"], place, price)


@rule
def out_of_row(state, place):
    """Take the card at a place out of the adventure row; return it."""
    card = state["row"][place] - 1
    state["row"][place] = 0
    state["row_prices"] = with_price(state["row_prices"], place, NO_PRICE)
    return card


@rare
def refill_row(state, tables, backstage):
    """Fill the empty places of the adventure row, from left to right (General Rules).

    A revealed solo card takes a place, an event does not; either is carried out before the row
    is filled any further (rule 34; Solo Play Mode, Game Play).
    """
    for place in range(tables["row_size"]):
        if state["row"][place] != 0:
            continue
        card = -1
        if state["solo_left"] != 0 or state["events_left"] != 0:
            card = special_due(state, tables, backstage)
        if card < 0:
            if state["adventure_size"] == 0:
                return
            card = top_adventure(state, backstage)
            state["revealed"] += 1
            lay_in_row(state, tables, place, card)
            kind = tables["card_kind"][card]
            state["seen_kinds"][kind // KIND_BITS] |= 1 << (kind % KIND_BITS)
            emit(Event.REFILLED, -1, place, card, 0)
            continue
        state["revealed"] += 1
        push(state, _REFILL, 0, 0)
        kind = tables["card_kind"][card]
        text = tables["text"][kind]
        if card < FIRST_EVENT:
            lay_in_row(state, tables, place, card)
            emit(Event.SOLO_CARD, -1, card, place, 0)
            push_text(state, tables, text, state["active"])
            return
        emit(Event.EVENT, -1, card, 0, 0)
        destroy(state, -1, card)
        scope = tables["scope"][kind]
        if scope == _EACH:
            for place_after in range(state["players"] - 1, -1, -1):
                seat = state["active"] + place_after
                if seat >= state["players"]:
                    seat -= state["players"]
                push_text(state, tables, text, seat)
        elif scope == _LEADER:
            push_text(state, tables, text, leader_of(state, tables))
        else:
            push_text(state, tables, text, state["active"])
        return


@rare
def refill_locations(state, tables, backstage, visible):
    """Fill the row of locations from its stack; an empty stack lets it shrink (D-24)."""
    for place in range(visible):
        size = state["location_deck_size"]
        if state["location_row"][place] != 0 or size == 0:
            continue
        least = _NO_DRAW
        found = 0
        for number in range(size):
            bits = draw(backstage, _LOCATIONS, state["location_deck"][number])
            if bits < least:
                least = bits
                found = number
        location = state["location_deck"][found]
        state["location_row"][place] = location + 1
        price = tables["location_cost"][location]
        state["location_prices"] = with_price(state["location_prices"], place, price)
        state["location_deck"][found] = state["location_deck"][size - 1]
        state["location_deck"][size - 1] = 0
        state["location_deck_size"] = size - 1


@rare
def refill_creatures(state, tables, backstage):
    """Fill the row of creatures from its stack; an empty stack lets it shrink (D-24)."""
    for place in range(tables["creatures_visible"]):
        size = state["creature_deck_size"]
        if state["creature_row"][place] != 0 or size == 0:
            continue
        least = _NO_DRAW
        found = 0
        for number in range(size):
            bits = draw(backstage, _CREATURES, state["creature_deck"][number])
            if bits < least:
                least = bits
                found = number
        creature = state["creature_deck"][found]
        state["creature_row"][place] = creature + 1
        price = tables["creature_cost"][creature]
        state["creature_prices"] = with_price(state["creature_prices"], place, price)
        state["creature_deck"][found] = state["creature_deck"][size - 1]
        state["creature_deck"][size - 1] = 0
        state["creature_deck_size"] = size - 1
