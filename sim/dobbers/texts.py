"""Card texts: each operation of the vocabulary, and the questions it asks (rule 33)."""

from __future__ import annotations

from sim.choices import is_open, lowest, seat_after
from sim.dobbers.piles import (
    destroy,
    draw_cards,
    out_of_discard,
    out_of_hand,
    out_of_row,
    push,
    push_way,
    refill_row,
    take_token,
    to_discard,
    to_hand,
)
from sim.dobbers.points import lose_equipment
from sim.dobbers.stacks import (
    lairs,
    move_back,
    note_stack,
    place_creature,
    place_gear,
    stacks_for,
    sweep,
)
from sim.dobbers.state import (
    CULL_PILE,
    PLACES,
    SLOTS,
    Event,
    Op,
    Prompt,
    Tally,
    Type,
)
from sim.events import emit
from sim.jit import rare, rule

_INFLUENCE = int(Op.INFLUENCE)
_RED = int(Op.RED)
_BLUE = int(Op.BLUE)
_GOLD = int(Op.GOLD)
_DRAW = int(Op.DRAW)
_CULL = int(Op.CULL)
_RECOVER = int(Op.RECOVER)
_BOON = int(Op.BOON)
_BURDEN = int(Op.BURDEN)
_DISCARD_EQUIPMENT = int(Op.DISCARD_EQUIPMENT)
_DESTROY_EQUIPMENT = int(Op.DESTROY_EQUIPMENT)
_DISCARD_CARD = int(Op.DISCARD_CARD)
_BACK = int(Op.BACK)
_LOSE_INFLUENCE = int(Op.LOSE_INFLUENCE)
_ADD_CREATURE = int(Op.ADD_CREATURE)
_ADD_CREATURE_LAST = int(Op.ADD_CREATURE_LAST)
_ADD_EQUIPMENT = int(Op.ADD_EQUIPMENT)
_SWEEP_LEFT = int(Op.SWEEP_LEFT)
_SWEEP_DEAR = int(Op.SWEEP_DEAR)
_SWEEP_ALL = int(Op.SWEEP_ALL)
_SLOW = int(Op.SLOW)
_TEXT = int(Op.TEXT)
_REFILL = int(Op.REFILL)
_SPOILS = int(Op.SPOILS)
_OFFER = int(Op.OFFER)
_ITEM = int(Type.ITEM)
_OUTWITS = int(Tally.OUTWITS)
_ASKED_CULL = int(Prompt.CULL)
_ASKED_RECOVER = int(Prompt.RECOVER)
_ASKED_OPTION = int(Prompt.OPTION)
_ASKED_SPOILS = int(Prompt.SPOILS)
_ASKED_LOSE = int(Prompt.LOSE_EQUIPMENT)
_ASKED_DISCARD = int(Prompt.DISCARD)
_ASKED_OUTWIT = int(Prompt.OUTWIT)
_ASKED_ROW = int(Prompt.ROW_EQUIPMENT)
_ASKED_STACK = int(Prompt.STACK)
_MOST = 62  # the highest bit of a mask


@rule
def hand_places(state, seat, first):
    """Return the cards of a hand that can be chosen, as bits from `first` on."""
    return ((1 << min(state["hand_size"][seat], PLACES)) - 1) << first


@rule
def pile_depths(state, seat, first):
    """Return the cards of a discard pile that can be chosen, as bits from `first` on."""
    return ((1 << min(state["discard_size"][seat], _MOST + 1 - first)) - 1) << first


@rule
def equipped(state, seat):
    """Return the equipment a seat has on, as bits 1 + slot."""
    slots = 0
    for slot in range(SLOTS):
        if state["equipment"][seat, slot] != 0:
            slots |= 2 << slot
    return slots


@rare
def outwit_place(state, tables, seat):
    """Return 1 + the place in hand of a card that outwits, 0 for none."""
    for place in range(state["hand_size"][seat]):
        if tables["outwits"][tables["card_kind"][state["hand"][seat, place]]] != 0:
            return place + 1
    return 0


@rare
def row_equipment(state, tables):
    """Return the equipment of the adventure row that fits on a stack, as bits 1 + place."""
    places = 0
    for place in range(tables["row_size"]):
        card = state["row"][place] - 1
        if card >= 0:
            slot = tables["type"][tables["card_kind"][card]] - 1
            if 0 <= slot < SLOTS and stacks_for(state, tables, slot) != 0:
                places |= 2 << place
    return places


@rare
def add_creature(state, tables, backstage, last):
    """Put the top creature of the stack under the first (or last) location that has none."""
    places = lairs(state, tables)
    top = tables["creatures_visible"] - 1
    while top > 0 and state["creature_row"][top] == 0:
        top -= 1
    if places == 0 or state["creature_row"][top] == 0:
        return
    if last:
        encounter = tables["encounters"] - 1
        while places >> encounter & 1 == 0:
            encounter -= 1
    else:
        encounter = lowest(places)
    place_creature(state, tables, backstage, encounter, top)


@rare
def carry_out(state, tables, backstage):
    """Carry out the last noted operation; return the prompt it opens, 0 for none."""
    size = state["todo_size"] - 1
    entry = state["todo"][size]
    state["todo"][size] = 0
    state["todo_size"] = size
    op = entry & 255
    amount = entry >> 8 & 65535
    seat = entry >> 24
    active = seat == state["active"]
    prompt = 0
    legal = 0
    if op == _REFILL:
        refill_row(state, tables, backstage)
        return 0
    if op != _OFFER:
        state["point_ways_hold"] = 0
    if op == _OFFER:
        # seat counts those who have been passed over, the buyer first
        cost = tables["cost"][tables["card_kind"][amount]]
        for passed in range(seat, state["players"]):
            asked = seat_after(state, state["active"], passed)
            if state["kept"][asked] >= cost and outwit_place(state, tables, asked) != 0:
                push(state, _OFFER, amount, passed + 1)
                state["card"] = amount
                prompt = _ASKED_OUTWIT
                legal = 0b11
                seat = asked
                break
    elif op == _DRAW:
        draw_cards(state, backstage, seat, amount)
    elif op <= _GOLD:
        if active:
            if op == _INFLUENCE:
                state["influence"] += amount
            elif op == _RED:
                state["red"] += amount
            elif op == _BLUE:
                state["blue"] += amount
            elif op == _GOLD:
                state["gold"] += amount
            emit(Event.GAINED, seat, op - 1, amount, 0)
    elif op == _TEXT:
        state["card"] = amount
        prompt = _ASKED_OPTION
        legal = 0b11
    elif op == _CULL:
        if amount > 1:
            push(state, op, amount - 1, seat)
        prompt = _ASKED_CULL
        legal = 1 | hand_places(state, seat, 1) | pile_depths(state, seat, CULL_PILE)
    elif op == _RECOVER:
        if state["discard_size"][seat] > 0:
            if amount > 1:
                push(state, op, amount - 1, seat)
            prompt = _ASKED_RECOVER
            legal = pile_depths(state, seat, 1)
    elif op in (_BOON, _BURDEN):
        for _ in range(amount):
            take_token(state, tables, backstage, seat, op == _BURDEN)
    elif op in (_DISCARD_EQUIPMENT, _DESTROY_EQUIPMENT):
        legal = equipped(state, seat)
        if legal != 0:
            if amount > 1:
                push(state, op, amount - 1, seat)
            state["place"] = op
            prompt = _ASKED_LOSE
    elif op == _DISCARD_CARD:
        legal = hand_places(state, seat, 1)
        if legal != 0:
            if amount > 1:
                push(state, op, amount - 1, seat)
            prompt = _ASKED_DISCARD
    elif op == _BACK:
        move_back(state, tables, seat, amount)
    elif op == _LOSE_INFLUENCE:
        if active:
            state["influence"] -= min(state["influence"], amount)
        else:
            state["owed"][seat] += amount
    elif op == _SPOILS:
        state["place"] = amount
        prompt = _ASKED_SPOILS
        legal = 0b111
    elif op in (_ADD_CREATURE, _ADD_CREATURE_LAST):
        for _ in range(amount):
            add_creature(state, tables, backstage, op == _ADD_CREATURE_LAST)
    elif op == _ADD_EQUIPMENT:
        legal = row_equipment(state, tables)
        if legal != 0:
            if amount > 1:
                push(state, op, amount - 1, seat)
            prompt = _ASKED_ROW
    elif op in (_SWEEP_LEFT, _SWEEP_DEAR):
        push(state, _REFILL, 0, 0)
        sweep(state, tables, amount, op == _SWEEP_DEAR)
    elif op == _SWEEP_ALL:
        push(state, _REFILL, 0, 0)
        sweep(state, tables, tables["row_size"], False)
    elif op == _SLOW:
        state["slow"] = amount
        state["slow_until"] = state["turn"] + state["players"] - 1
    if prompt == 0:
        return 0
    if is_open(state, seat, prompt, legal):
        return prompt
    return answer(state, tables, backstage, prompt, seat, lowest(legal))


@rare
def answer(state, tables, backstage, prompt, seat, choice):
    """Act on the answer to a prompt of a text; return the prompt that follows at once, or 0."""
    if prompt == _ASKED_OUTWIT:
        if choice == 1:
            outwit(state, tables, seat)
    elif prompt == _ASKED_OPTION:
        push_way(state, tables, state["card"], choice, seat)
    elif prompt == _ASKED_CULL:
        if choice >= CULL_PILE:
            destroy(state, seat, out_of_discard(state, seat, choice - CULL_PILE))
        elif choice > 0:
            destroy(state, seat, out_of_hand(state, seat, choice - 1))
    elif prompt == _ASKED_RECOVER:
        to_hand(state, seat, out_of_discard(state, seat, choice - 1))
    elif prompt == _ASKED_LOSE:
        card, under = lose_equipment(state, tables, seat, choice - 1)
        if state["place"] == _DESTROY_EQUIPMENT:
            destroy(state, seat, card)
            if under != 0:
                destroy(state, seat, under - 1)
        else:  # D-25
            emit(Event.DISCARDED, seat, card, 0, 0)
            to_discard(state, seat, card)
            if under != 0:
                to_discard(state, seat, under - 1)
    elif prompt == _ASKED_DISCARD:
        to_discard(state, seat, out_of_hand(state, seat, choice - 1))
    elif prompt == _ASKED_SPOILS:  # rule 24, DB-T23
        encounter = state["place"] >> 2
        slot = state["place"] & 3
        card = state["gear"][encounter, slot] - 1
        state["gear"][encounter, slot] = 0
        note_stack(state, tables, encounter)
        if choice == 0:
            destroy(state, seat, card)
        elif choice == 1:
            to_hand(state, seat, card)
        else:
            to_discard(state, seat, card)
    elif prompt == _ASKED_ROW:
        state["place"] = choice - 1
        card = state["row"][choice - 1] - 1
        slot = tables["type"][tables["card_kind"][card]] - 1
        legal = stacks_for(state, tables, slot) << 1
        if is_open(state, seat, Prompt.STACK, legal):
            return _ASKED_STACK
        put_on_stack(state, tables, seat, lowest(legal) - 1)
    elif prompt == _ASKED_STACK:
        put_on_stack(state, tables, seat, choice - 1)
    return 0


@rare
def put_on_stack(state, tables, seat, encounter):
    """Put the chosen equipment of the row under a location; the row is refilled."""
    place = state["place"]
    card = out_of_row(state, place)
    place_gear(state, tables, seat, card, encounter, 0)
    push(state, _REFILL, 0, 0)


@rare
def outwit(state, tables, seat):
    """Take the card the active player just bought, for its cost (FAQ, D-23, DB-T32)."""
    buyer = state["active"]
    card = out_of_discard(state, buyer, 0)
    state["kept"][seat] -= tables["cost"][tables["card_kind"][card]]
    played = out_of_hand(state, seat, outwit_place(state, tables, seat) - 1)
    state["played_by"][played] = 1 + seat
    to_discard(state, seat, played)
    to_discard(state, seat, card)
    state["tally"][seat, _OUTWITS] += 1
    state["todo_size"] -= 1  # nobody else is asked
    state["todo"][state["todo_size"]] = 0
    emit(Event.OUTWITTED, seat, card, buyer, 0)
