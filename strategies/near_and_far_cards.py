"""Artifacts for the players of Near and Far: to draft, keep, buy and discard."""

from __future__ import annotations

import numpy as np

from sim.choices import is_legal, lowest
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    pop,
)
from sim.near_and_far.state import (
    GOODS,
    Good,
    Hall,
)
from sim.near_and_far.town import buy_choices
from strategies.near_and_far_team import holds_back
from strategies.near_and_far_worth import (
    TICKS,
    WORTH,
    Weight,
    card_worth,
    hold_worth,
    price_worth,
    turns_left,
)

_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_HALL_DISCARD = np.int64(Hall.DISCARD)
_COIN_UP = np.int64(Hall.COIN_UP)
_GEM_UP = np.int64(Hall.GEM_UP)


@rare
def best_purchase(state, tables, weights, memo, me, legal):
    """Return the choice of BUY that is worth most, 0 for none, and what it is worth."""
    best = 0.0
    choice = 0
    bits = legal & ~1
    while bits != 0:
        card = lowest(bits) - 1
        bits &= bits - 1
        price, _lacking = price_worth(state, tables, weights, memo, me, card)
        worth = card_worth(state, tables, weights, memo, card) - price
        worth -= tables["unbought_points"]
        if worth > best:
            best = worth
            choice = 1 + card
    return choice, best


@rule
def affordable(state, tables, me):
    """Return the artifacts of the hand that could be bought now, as bits of cards."""
    return buy_choices(state, tables, me) >> 1


@rule
def waits_for_store(state, tables, weights, memo, me):
    """Say whether advanced artifacts are to be bought in the new General Store, for its camp."""
    return (
        tables["new_general_store"] != 0
        and state["store_camps_left"] > 0
        and state["tents"][me] > 0
        and turns_left(memo) > 2.0
        and state["store_camp"] == 0
    )


@rare
def choose_store(state, tables, weights, me):
    """Answer STORE: as many advanced cards as the means are for, the rest basic ones."""
    legal = state["legal"]
    means = state["goods"][me, _COIN] + 1.5 * state["goods"][me, _GEM]
    advanced = 0
    if means > weights[Weight.ADVANCED]:
        advanced = 2
    if means > 1.7 * weights[Weight.ADVANCED]:
        advanced = 3
    wanted = 1 + max(0, tables["store_cards"] - advanced)
    if is_legal(legal, wanted):
        return wanted
    return lowest(legal) if legal & ~1 == 0 else lowest(legal & ~1)


@rare
def choose_kept(state, tables, weights, memo, me):
    """Answer KEEP: the set of cards worth most; each further card of a hand is worth less."""
    legal = state["legal"]
    size = state["offer_size"]
    held = 0
    offered = 0
    worth = state["scratch"]  # of each card; of each set of cards, by the set without its last card
    for place in range(size):
        card = state["offer"][place] - 1
        offered |= 1 << card
        worth[0, place] = hold_worth(state, tables, weights, memo, me, card)
    held = pop(state["hand"][me] & ~offered)
    best = -1000.0
    choice = lowest(legal)
    worth[1, 0] = 0.0
    place = -1
    for kept in range(1 << size):
        if kept >> (place + 1) != 0:
            place += 1
        if kept != 0:
            rest = kept - (1 << place)
            crowd = weights[Weight.CROWD] * (held + pop(rest))
            worth[1, kept] = worth[1, rest] + (worth[0, place] - crowd)
        if is_legal(legal, kept) and worth[1, kept] > best:
            best = worth[1, kept]
            choice = kept
    return choice


@rare
def choose_draft(state, tables, weights, memo, me):
    """Answer DRAFT: the card that is worth most beyond its price."""
    best = -1000.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        worth = hold_worth(state, tables, weights, memo, me, card)
        if worth > best:
            best = worth
            choice = card
    return choice


@rare
def choose_hall(state, tables, weights, memo, me):
    """Answer TOWN_HALL: get rid of a hopeless artifact, then honours for what is left over."""
    legal = state["legal"]
    if is_legal(legal, _HALL_DISCARD):
        bits = state["hand"][me]
        while bits != 0:
            if hold_worth(state, tables, weights, memo, me, lowest(bits)) < 0.0:
                return _HALL_DISCARD
            bits &= bits - 1
    if tables["reputation_steps"] > 0 and turns_left(memo) < 2.0:
        if is_legal(legal, _COIN_UP):
            return _COIN_UP
        if is_legal(legal, _GEM_UP):
            return _GEM_UP
    return 0 if legal & 1 != 0 else lowest(legal)


@rare
def choose_discard(state, tables, weights, memo, me):
    """Answer DISCARD: the artifact that is worth least in hand."""
    least = 1000.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        pick = lowest(bits)
        bits &= bits - 1
        worth = hold_worth(state, tables, weights, memo, me, pick - 1)
        if worth < least:
            least = worth
            choice = pick
    return choice


@rare
def choose_goods(state, memo, receive):
    """Answer GOODS: pay what is worth least, or receive what is worth most."""
    best = -1000.0
    choice = lowest(state["legal"])
    for good in range(GOODS):
        if is_legal(state["legal"], 1 + good):
            worth = memo[WORTH + good] / TICKS
            if not receive:
                worth = -worth
            if worth > best:
                best = worth
                choice = 1 + good
    return choice


@rare
def choose_buy(state, tables, weights, memo, me):
    """Answer BUY: the artifact worth most beyond its price."""
    legal = state["legal"]
    cards = legal & ~1
    if legal & 1 != 0 and waits_for_store(state, tables, weights, memo, me):
        cards &= ~(tables["advanced_cards"] << 1)
    if legal & 1 != 0 and state["store_camp"] != 0 and holds_back(state, weights, memo, me, 0, 0):
        cards &= ~(tables["advanced_cards"] << 1)  # its camp would end the game too soon
    choice, _worth = best_purchase(state, tables, weights, memo, me, cards)
    if is_legal(legal, choice):
        return choice
    return lowest(legal)
