"""What players of Dobbers answer beside the main phase."""

from __future__ import annotations

from sim.dobbers.stacks import points_needed, points_usable
from sim.dobbers.state import GAINS, Gain, Main, Prompt
from sim.jit import rare
from strategies.dobbers_cards import (
    choose_cull,
    choose_discard,
    choose_loss,
    choose_put,
    choose_recover,
    choose_spoils,
    choose_token,
)
from strategies.dobbers_look import looked, stored_points
from strategies.dobbers_notes import BLOCKS, CARD_BITS, PUT, Weight
from strategies.dobbers_stacks import best_block, choose_lay
from strategies.dobbers_worth import buy_worth, note_loss, way_worth
from strategies.toolkit import is_legal, lowest

_RED = int(Gain.RED)
_GOLD = int(Gain.GOLD)
_DRAW = int(Gain.DRAW)
_PLAY_ALL = int(Main.PLAY_ALL)
_CHALLENGE = int(Main.CHALLENGE)


@rare
def choose_fight(state, tables, weights, me):
    """After the reveal: play what is left if it can turn a defeat, else compare."""
    if is_legal(state["legal"], _PLAY_ALL):
        return _PLAY_ALL
    encounter = state["fighting"] - 1
    needed = points_needed(state, tables, me, encounter)
    points = points_usable(state, tables, encounter)
    if points >= needed:
        return 0
    choice = choose_token(state, tables, me, _RED)
    if choice != 0 and points + stored_points(state, tables, me, _RED) >= needed:
        return choice
    return 0


@rare
def choose_place(state, tables, weights, me):
    """Say where a card just bought goes: the discard pile, or the best square for a stack."""
    place = state["place"]
    legal = state["legal"]
    if place < _CHALLENGE:
        return lowest(legal)
    where, _point = best_block(state, tables, weights, me, legal >> 1)
    state["memo"][me, BLOCKS] = 0
    return 1 + where if where >= 0 else lowest(legal)


@rare
def choose_row_equipment(state, tables):
    """Give away the equipment of the row that makes a stack strongest the least."""
    found = lowest(state["legal"])
    least = 1000
    for place in range(tables["row_size"]):
        if is_legal(state["legal"], place + 1):
            kind = tables["card_kind"][state["row"][place] - 1]
            points = tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
            if points < least:
                least = points
                found = place + 1
    return found


@rare
def choose_hero(state, tables, weights):
    """Pick the hero whose gifts are worth most."""
    best = -1.0
    found = lowest(state["legal"])
    for hero in range(tables["heroes"]):
        if is_legal(state["legal"], hero):
            worth = 0.0
            for gain in range(GAINS):
                every = tables["hero_gain"][hero, gain] + 0.5 * tables["hero_alternate"][hero, gain]
                price = weights[Weight.INFLUENCE + gain]
                if gain == _DRAW:
                    price = weights[Weight.DRAW]
                worth += every * price
            if worth > best:
                best = worth
                found = hero
    return found


@rare
def choose_answer(state, tables, prompt, weights, me):
    """Answer what is asked beside the main phase."""
    if prompt == Prompt.HERO:
        return choose_hero(state, tables, weights)
    looked(state, tables, weights, me)
    if prompt == Prompt.PLACE:
        return choose_place(state, tables, weights, me)
    if prompt == Prompt.PUT:
        place = state["place"]
        card = state["hand"][me, place]
        choice = state["memo"][me, PUT] >> CARD_BITS
        if state["memo"][me, PUT] & ((1 << CARD_BITS) - 1) != card + 1:
            choice = choose_put(state, tables, me, place)
            if choice < 0:
                kind = tables["card_kind"][card]
                choice = choose_lay(state, tables, weights, me, state["legal"] >> 4, kind)
        if choice < 0 or not is_legal(state["legal"], choice):
            choice = lowest(state["legal"])
        if choice > 0:  # a card forged under another does not count
            note_loss(state, tables, me, tables["card_kind"][card])
        return choice
    if prompt == Prompt.FIGHT:
        return choose_fight(state, tables, weights, me)
    if prompt == Prompt.OPTION:
        first = way_worth(state, tables, me, state["card"], 0)
        return 1 if way_worth(state, tables, me, state["card"], 1) > first else 0
    if prompt == Prompt.CULL:
        return choose_cull(state, tables, weights, me)
    if prompt == Prompt.RECOVER:
        return choose_recover(state, tables, me)
    if prompt == Prompt.SPOILS:
        return choose_spoils(state, tables, me)
    if prompt == Prompt.LOSE_EQUIPMENT:
        return choose_loss(state, tables, me)
    if prompt == Prompt.DISCARD:
        return choose_discard(state, tables, me)
    if prompt == Prompt.OUTWIT:
        kind = tables["card_kind"][state["card"]]
        return 1 if buy_worth(state, tables, me, kind) > 0 else 0
    if prompt == Prompt.ROW_EQUIPMENT:
        return choose_row_equipment(state, tables)
    if prompt == Prompt.STACK:
        where, _point = best_block(state, tables, weights, me, state["legal"] >> 1)
        return 1 + where if where >= 0 else lowest(state["legal"])
    return lowest(state["legal"])
