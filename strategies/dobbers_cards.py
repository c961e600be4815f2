"""Cards of Dobbers that a player has: what to put on, play, destroy, take back, give up."""

from __future__ import annotations

from sim.dobbers.points import slot_of
from sim.dobbers.state import CULL_PILE, ORDERS, PLACES, SLOTS, Fact, Main, Type
from sim.jit import rare, rule
from strategies.dobbers_notes import (
    BEST,
    CARD_BITS,
    KIND,
    LEFT,
    OWNED,
    PUT,
    TICK_BITS,
    TICKS,
    USUAL,
    USUAL_FIELD,
    WORD,
    Weight,
    field,
)
from strategies.dobbers_worth import kind_worth, note_loss, text_worth, with_card, worn_worth
from strategies.toolkit import is_legal, lowest

_EFFECT = int(Type.EFFECT)
_FORGE = int(Fact.FORGE)
_PLAY = int(Main.PLAY)
_TOKEN = int(Main.TOKEN)
_DESTROY = int(Main.DESTROY)


@rule
def choose_put(state, tables, me, place):
    """Return the best use of equipment in hand as a choice of PUT, -1 for none.

    On the hero goes the best of its slot that is owned, as far as noted.
    """
    card = state["hand"][me, place]
    facts = tables["card_facts"][card]
    slot = slot_of(facts)
    worn = state["equipment"][me, slot]
    if worn == 0:
        return 0
    kind = tables["card_kind"][card]
    if (
        field(state["memo"][me, OWNED] >> BEST, KIND, slot) == kind + 1
        and tables["card_kind"][worn - 1] != kind
        and state["replaced"] >> slot & 1 == 0
        and (state["forged"][me, slot] == 0 or beats_worn(state, tables, me, slot, kind))
    ):
        return 0
    return place_to_forge(state, me) if facts >> _FORGE & 1 != 0 else -1


@rare
def beats_worn(state, tables, me, slot, kind):
    """Say whether equipment is worth more than what is worn, with the card forged under it."""
    return kind_worth(state, tables, me, kind) > worn_worth(state, tables, me, slot)


@rare
def place_to_forge(state, me):
    """Return equipment worn that a card can be forged under, as a choice of PUT; -1 for none."""
    for other in range(SLOTS):
        if state["equipment"][me, other] != 0 and state["forged"][me, other] == 0:
            return 1 + other
    return -1


@rule
def choose_from_hand(state, tables, me):
    """Return equipment worth putting on, else an effect with a question worth playing; or 0."""
    hand = state["legal"] >> _PLAY
    rest = hand & state["hand_gear"]
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        use = choose_put(state, tables, me, place)
        if use >= 0:
            state["memo"][me, PUT] = 1 + state["hand"][me, place] | use << CARD_BITS
            # on the hero, the lowest choice where it is a choice at all
            state["memo"][me, ORDERS] = (use == 0) & (state["replaced"] == 0)
            return _PLAY + place
    rest = hand & state["hand_asks"]
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        if kind_worth(state, tables, me, tables["card_kind"][state["hand"][me, place]]) > 0:
            return _PLAY + place
    return 0


@rare
def choose_token(state, tables, me, gain):
    """Return a positive token that gives such points, as a choice of MAIN; 0 for none."""
    for kind in range(tables["token_kinds"]):
        if is_legal(state["legal"], _TOKEN + kind) and tables["token_gain"][kind, gain] > 0:
            return _TOKEN + kind
    return 0


@rare
def choose_burn(state, tables, weights, me):
    """Return a card played that is worth more destroyed than kept, as a choice of MAIN; or 0."""
    number = 0
    for played in range(state["played_size"]):
        kind = tables["card_kind"][state["played"][played]]
        text = tables["destroy_text"][kind]
        if text != 0:
            if not is_legal(state["legal"], _DESTROY + number):
                return 0
            usual = state["memo"][me, USUAL] & USUAL_FIELD
            uses = field(state["memo"][me, LEFT], WORD, 1) / TICKS
            kept = (kind_worth(state, tables, me, kind) - usual) * uses
            if text_worth(state, tables, me, text) * weights[Weight.BURN] > kept:
                note_loss(state, tables, me, kind)
                return _DESTROY + number
            number += 1
    return 0


@rare
def choose_cull(state, tables, weights, me):
    """Destroy the worst card of hand and discard pile, if it is bad enough."""
    worst = TICKS * weights[Weight.CULL_AT]
    found = 0
    lost = 0
    legal = state["legal"]
    card = state["discard"][me]
    depth = CULL_PILE
    while card != 0 and is_legal(legal, depth):
        kind = tables["card_kind"][card - 1]
        worth = kind_worth(state, tables, me, kind)
        if tables["type"][kind] != _EFFECT:
            worth += 77
        if worth < worst:
            worst = worth
            found = depth
            lost = kind
        card = state["next"][card - 1]
        depth += 1
        if depth > 62:
            break
    for place in range(min(state["hand_size"][me], PLACES)):
        kind = tables["card_kind"][state["hand"][me, place]]
        worth = kind_worth(state, tables, me, kind) + 77  # it could still be played
        if is_legal(legal, place + 1) and worth < worst:
            worst = worth
            found = place + 1
            lost = kind
    if not is_legal(legal, found):
        return lowest(legal)
    if found != 0:
        note_loss(state, tables, me, lost)
    return found


@rare
def choose_recover(state, tables, me):
    """Take the best card of the discard pile."""
    legal = state["legal"]
    left = field(state["memo"][me, LEFT], WORD, 0)
    best = -1 << 40
    found = lowest(legal)
    card = state["discard"][me]
    depth = 1
    while card != 0 and depth <= 62 and is_legal(legal, depth):
        kind = tables["card_kind"][card - 1]
        worth = kind_worth(state, tables, me, kind)
        if tables["type"][kind] != _EFFECT:
            slot = tables["type"][kind] - 1
            more = max(0, worth - worn_worth(state, tables, me, slot))
            worth = left * more >> TICK_BITS
        if worth > best:
            best = worth
            found = depth
        card = state["next"][card - 1]
        depth += 1
    return found


@rare
def choose_discard(state, tables, me):
    """Give up the card of the hand that is worth least."""
    legal = state["legal"]
    if is_legal(legal, 0):
        return 0
    worst = 1 << 40
    found = lowest(legal)
    for place in range(min(state["hand_size"][me], PLACES)):
        if is_legal(legal, place + 1):
            kind = tables["card_kind"][state["hand"][me, place]]
            worth = kind_worth(state, tables, me, kind)
            if worth < worst:
                worst = worth
                found = place + 1
    return found


@rare
def choose_loss(state, tables, me):
    """Give up the piece of equipment that is worth least."""
    worst = 1 << 40
    found = lowest(state["legal"])
    for slot in range(SLOTS):
        if is_legal(state["legal"], slot + 1):
            worth = worn_worth(state, tables, me, slot)
            if worth < worst:
                worst = worth
                found = slot + 1
    return found


@rare
def choose_spoils(state, tables, me):
    """Take captured equipment that is better than one's own, destroy what only thickens a deck."""
    encounter = state["place"] >> 2
    slot = state["place"] & 3
    kind = tables["card_kind"][state["gear"][encounter, slot] - 1]
    worth = kind_worth(state, tables, me, kind)
    if worth <= worn_worth(state, tables, me, slot):
        return 0
    owned = with_card(state, tables, me, state["memo"][me, OWNED], kind)
    state["memo"][me, OWNED] = owned
    return 1
