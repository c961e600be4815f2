"""What cards of Dobbers are worth to a player: whole numbers, in TICKS."""

from __future__ import annotations

from sim.dobbers.points import alignment_of, slot_of
from sim.dobbers.state import GAIN_BITS, GAINS, SLOTS, TEXT_OPS, Fact
from sim.jit import rare, rule
from strategies.dobbers_notes import (
    ALL,
    BEST,
    BEST_BITS,
    BESTS,
    COUNT,
    FACTORS,
    GEAR,
    ICONS,
    KIND,
    LEAST,
    LEFT,
    OWNED,
    PART,
    SHARED,
    TICK_BITS,
    TO_FINE,
    UNIT,
    USUAL,
    USUAL_FIELD,
    WORD,
    WORTH,
    WORTHS,
    field,
)

_BONUS = int(Fact.BONUS)
_FORGE = int(Fact.FORGE)
_TEXT = int(Fact.TEXT)


@rule
def worth_of(state, me, gains):
    """Return what packed gains are worth, once."""
    total = 0
    for gain in range(GAINS):
        total += field(gains, GAIN_BITS, gain) * state["memo"][me, WORTH + gain]
    return total


@rare
def way_worth(state, tables, me, text, way):
    """Return what one way of a text is worth to whom it is carried out for."""
    total = 0
    for place in range(TEXT_OPS):
        op = tables["text_op"][text, way, place]
        if op == 0:
            break
        if op <= WORTHS:
            total += tables["text_amount"][text, way, place] * state["memo"][me, WORTH + op - 1]
    return total


@rare
def text_worth(state, tables, me, text):
    """Return what a text is worth, the better way of two."""
    worth = way_worth(state, tables, me, text, 0)
    if tables["text_ways"][text] > 1:
        worth = max(worth, way_worth(state, tables, me, text, 1))
    return worth


@rare
def kind_worth(state, tables, me, kind):
    """Return what a card gives each time it is played or used. No alignment has the factor 1."""
    facts = tables["facts"][kind]
    alignment = alignment_of(facts)
    worth = worth_of(state, me, tables["gains"][kind])
    if facts >> _BONUS & 1 != 0:
        share = field(state["memo"][me, SHARED], PART, alignment)
        worth += share * worth_of(state, me, tables["bonuses"][kind]) >> TICK_BITS
    worth = worth * field(state["memo"][me, FACTORS], PART, alignment) >> TICK_BITS
    # only items have an icon; for none, as for no alignment, there is nothing to add
    worth += field(state["memo"][me, ICONS], PART, tables["icon"][kind])
    if facts >> _TEXT & 1 != 0:
        worth += text_worth(state, tables, me, tables["text"][kind])
    return worth


@rare
def forge_worth(state, tables, me, kind):
    """Return what a card gives each time the card that it is forged under is used."""
    total = 0
    for gain in range(GAINS):
        total += tables["forge"][kind, gain] * state["memo"][me, WORTH + gain]
    return total


@rare
def worn_worth(state, tables, me, slot):
    """Return what the equipment of a slot gives a turn, its forge card too; 0 for none."""
    card = state["equipment"][me, slot] - 1
    if card < 0:
        return 0
    worth = kind_worth(state, tables, me, tables["card_kind"][card])
    under = state["forged"][me, slot] - 1
    if under >= 0:
        worth += forge_worth(state, tables, me, tables["card_kind"][under])
    return worth


@rare
def with_card(state, tables, me, owned, kind):
    """Return what is noted of the cards owned with one more of a kind.

    They are counted by alignment; the best equipment of each slot is noted. Of cards worth the
    same the lowest kind is noted, whatever order they are listed in.
    """
    facts = tables["facts"][kind]
    owned += 1 << (COUNT * alignment_of(facts)) | 1 << ALL
    slot = slot_of(facts)
    if slot >= 0:
        best = field(owned >> BEST, KIND, slot) - 1
        if kind != best:
            more = 1
            if best >= 0:
                more = kind_worth(state, tables, me, kind) - kind_worth(state, tables, me, best)
            if more > 0 or (more == 0 and kind < best):
                owned += (kind - best) << (BEST + KIND * slot)
    return owned


@rare
def note_loss(state, tables, me, kind):
    """Note that a card is owned no more.

    If it is the best of its slot it stays noted; look_around then finds that the number of cards
    is wrong, and goes through all of them.
    """
    facts = tables["facts"][kind]
    slot = slot_of(facts)
    owned = state["memo"][me, OWNED]
    if slot < 0 or field(owned >> BEST, KIND, slot) != kind + 1:
        state["memo"][me, OWNED] = owned - (1 << (COUNT * alignment_of(facts)) | 1 << ALL)


@rare
def all_owned(state, tables, me):
    """Return what is to be noted of the cards owned: deck and discard pile, hand, equipment."""
    owned = 0
    if state["active"] == me:
        for number in range(state["played_size"]):
            kind = tables["card_kind"][state["played"][number]]
            owned = with_card(state, tables, me, owned, kind)
    hand = state["hand_size"][me]
    link = state["deck"][me]
    for place in range(-2, hand + SLOTS):  # the two piles come first
        if place == -1:
            link = state["discard"][me]
        elif 0 <= place < hand:
            link = state["hand"][me, place] + 1
        elif place >= hand:
            link = state["equipment"][me, place - hand]
        while link != 0:
            owned = with_card(state, tables, me, owned, tables["card_kind"][link - 1])
            link = state["next"][link - 1] if place < 0 else 0
    return owned


@rule
def best_worth(state, tables, me, slot):
    """Return what the best equipment owned of a slot is worth each turn, 0 for none."""
    noted = field(state["memo"][me, BESTS], BEST_BITS, slot)
    if noted == 0:
        best = field(state["memo"][me, OWNED] >> BEST, KIND, slot) - 1
        worth = kind_worth(state, tables, me, best) if best >= 0 else 0
        noted = min(max(worth - LEAST, 1), (1 << BEST_BITS) - 1)
        state["memo"][me, BESTS] |= noted << (BEST_BITS * slot)
    return noted + LEAST


@rule
def unit_worth(state, tables, me, kind):
    """Return what an adventure card is worth each use or turn, packed as in a word of ROW."""
    worth = kind_worth(state, tables, me, kind)
    facts = tables["facts"][kind]
    slot = slot_of(facts)
    if slot < 0:
        return (worth - (state["memo"][me, USUAL] & USUAL_FIELD)) << UNIT
    better = max(0, worth - best_worth(state, tables, me, slot))
    if facts >> _FORGE & 1 != 0:
        better = max(better, 4 * forge_worth(state, tables, me, kind) // 5)
    return better << UNIT | GEAR


@rule
def in_all(left, word):
    """Return what a word of ROW is worth until the end of the game, in units of 1 / FINE.

    left: the word LEFT.
    """
    turns = field(left, WORD, 2 if word & GEAR != 0 else 1)
    return (word >> UNIT) * turns >> TO_FINE


@rule
def buy_worth(state, tables, me, kind):
    """Return what an adventure card is worth until the end of the game, in units of 1 / FINE."""
    return in_all(state["memo"][me, LEFT], unit_worth(state, tables, me, kind))
