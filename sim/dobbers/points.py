"""What cards give: effects, equipment, alignment bonuses, tokens ("Using Action Points").

The points of the active player are a pool that ends with the turn. Equipment gives its points
when it is used, once a turn; a card's alignment bonus is given as soon as another card of its
alignment is in play.
"""

from __future__ import annotations

from sim.dobbers.piles import destroy, draw_cards, out_of_hand, push_text, to_hand
from sim.dobbers.state import (
    ALIGNED,
    FACT_FIELD,
    GAIN_BITS,
    MAX_PLAYED,
    SLOTS,
    SUM_BITS,
    Event,
    Fact,
    Gain,
    Tally,
)
from sim.events import emit
from sim.jit import rare, rule

_INFLUENCE = int(Gain.INFLUENCE)
_RED = int(Gain.RED)
_BLUE = int(Gain.BLUE)
_GOLD = int(Gain.GOLD)
_DRAW = int(Gain.DRAW)
_TYPE = int(Fact.TYPE)
_ALIGNMENT = int(Fact.ALIGNMENT)
_BONUS = int(Fact.BONUS)
_TEXT = int(Fact.TEXT)
_BURNS = int(Fact.BURNS)
_DRAWS = int(Fact.DRAWS)
_SUM = (1 << SUM_BITS) - 1
_GAIN = (1 << GAIN_BITS) - 1
# what a kind must not have to be played with all others: a type, a text, Outwit
_ASKS = FACT_FIELD << Fact.TYPE | 1 << Fact.TEXT | 1 << Fact.OUTWITS
_TURNS = int(Tally.TURNS)
_CARDS_PLAYED = int(Tally.CARDS_PLAYED)


@rare
def give(state, backstage, gains):
    """Give the active player packed gains."""
    state["influence"] += gains & _GAIN
    state["red"] += gains >> GAIN_BITS & _GAIN
    state["blue"] += gains >> 2 * GAIN_BITS & _GAIN
    state["gold"] += gains >> 3 * GAIN_BITS & _GAIN
    cards = gains >> 4 * GAIN_BITS
    if cards != 0:
        draw_cards(state, backstage, state["active"], cards)


# --- the facts of a kind --------------------------------------------------------------------------


@rule
def type_of(facts):
    """Return the Type of a kind."""
    return facts >> _TYPE & FACT_FIELD


@rule
def slot_of(facts):
    """Return the slot where equipment goes, -1 for effects."""
    return type_of(facts) - 1


@rule
def alignment_of(facts):
    """Return the alignment of a kind."""
    return facts >> _ALIGNMENT & FACT_FIELD


# --- alignment ------------------------------------------------------------------------------------


@rule
def in_play(state, alignment):
    """Return how many cards of an alignment are in play."""
    return state["aligned"] >> (ALIGNED * alignment) & ((1 << ALIGNED) - 1)


@rare
def note_worn(state, tables, seat):
    """Note the cards of each alignment that a seat wears, after any of its equipment changed.

    A forged pair is one card with both alignments (rule 30).
    """
    aligned = 0
    for slot in range(SLOTS):
        card = state["equipment"][seat, slot]
        if card != 0:
            own = alignment_of(tables["card_facts"][card - 1])
            aligned += 1 << (ALIGNED * own)
            under = state["forged"][seat, slot]
            if under != 0:
                other = alignment_of(tables["card_facts"][under - 1])
                if other != own:
                    aligned += 1 << (ALIGNED * other)
    state["worn"][seat] = aligned >> ALIGNED << ALIGNED  # no alignment is none to share


@rare
def count_alignments(state, tables):
    """Count the cards of each alignment in play: equipment and effects played (rule 28)."""
    aligned = state["worn"][state["active"]]
    for number in range(state["played_size"]):
        facts = tables["card_facts"][state["played"][number]]
        aligned += 1 << (ALIGNED * alignment_of(facts))
    state["aligned"] = aligned >> ALIGNED << ALIGNED  # no alignment is none to share


@rule
def bonus_works(state, tables, card):
    """Say whether a card in play has a bonus and another card of its alignment is in play."""
    facts = tables["card_facts"][card]
    return facts >> _BONUS & 1 != 0 and in_play(state, alignment_of(facts)) > 1


@rare
def give_bonuses(state, tables, backstage):
    """Give the alignment bonuses that work now and have not been given in this turn (DB-T17)."""
    seat = state["active"]
    waiting = state["used"] & ~state["slot_bonus"]
    for slot in range(SLOTS):
        if waiting >> slot == 0:
            break
        if waiting >> slot & 1 != 0 and state["equipment"][seat, slot] != 0:
            card = state["equipment"][seat, slot] - 1
            if bonus_works(state, tables, card):
                kind = tables["card_kind"][card]
                state["slot_bonus"] |= 1 << slot
                state["slot_red"][slot] += tables["bonus"][kind, _RED]
                state["slot_gold"][slot] += tables["bonus"][kind, _GOLD]
                state["base_influence"] += tables["bonus"][kind, _INFLUENCE]
                emit(Event.BONUS, seat, card, 0, 0)
                give(state, backstage, tables["bonuses"][kind])
    waiting = state["played_waiting"]
    for number in range(state["played_size"]):
        if waiting >> number == 0:
            break
        if waiting >> number & 1 != 0:
            card = state["played"][number]
            if bonus_works(state, tables, card):
                kind = tables["card_kind"][card]
                state["played_waiting"] &= ~(1 << number)
                emit(Event.BONUS, seat, card, 0, 0)
                give(state, backstage, tables["bonuses"][kind])


# --- effects --------------------------------------------------------------------------------------


@rule
def asks_nothing(tables, card):
    """Say whether a card is an effect that can be played with no further question, and no loss."""
    return tables["card_facts"][card] & _ASKS == 0


@rare
def play_effect(state, tables, backstage, place):
    """Play an effect from hand: its gains, its bonus, its text (rule 1, DB-T18, DB-T19)."""
    seat = state["active"]
    card = out_of_hand(state, seat, place)
    kind = tables["card_kind"][card]
    number = state["played_size"]
    state["played"][number] = card
    state["played_by"][card] = 1 + seat
    state["played_size"] = number + 1
    state["tally"][seat, _CARDS_PLAYED] += 1
    facts = tables["card_facts"][card]
    state["played_waiting"] |= (facts >> _BONUS & 1) << number
    state["destroyable"] += facts >> _BURNS & 1
    give(state, backstage, tables["gains"][kind])
    alignment = alignment_of(facts)
    if alignment != 0:
        state["aligned"] += 1 << (ALIGNED * alignment)
        if in_play(state, alignment) > 1 and (
            state["played_waiting"] | state["used"] & ~state["slot_bonus"] != 0
        ):
            give_bonuses(state, tables, backstage)
    if facts >> _TEXT & 1 != 0:
        push_text(state, tables, tables["text"][kind], seat)


@rare
def destroy_played(state, tables, choice):
    """Destroy one of the effects played that can be, for what that does (rule 29).

    choice: which of them, in the order of playing.
    """
    seat = state["active"]
    number = 0
    while True:
        kind = tables["card_kind"][state["played"][number]]
        if tables["destroy_text"][kind] != 0:
            if choice == 0:
                break
            choice -= 1
        number += 1
    last = state["played_size"] - 1
    card = state["played"][number]
    state["played"][number] = state["played"][last]
    state["played"][last] = 0
    state["played_size"] = last
    waiting = state["played_waiting"]
    moved = waiting >> last & 1
    waiting &= ~(1 << number)
    if number != last:
        waiting = waiting & ~(1 << last) | moved << number
    state["played_waiting"] = waiting
    state["destroyable"] -= 1
    destroy(state, seat, card)
    count_alignments(state, tables)
    push_text(state, tables, tables["destroy_text"][kind], seat)


@rule
def play_all(state, tables, backstage):
    """Use all equipment and play every effect that asks nothing, drawn ones too."""
    seat = state["active"]
    for slot in range(SLOTS):
        if can_use(state, seat, slot):
            use_equipment(state, tables, backstage, slot)
    place = 0
    while True:
        place = play_plain(state, tables, seat, place)
        if place >= state["hand_size"][seat] or state["played_size"] >= MAX_PLAYED:
            break
        play_effect(state, tables, backstage, place)  # another card moves to this place


@rule
def play_plain(state, tables, seat, place):
    """Play effects that ask nothing, up to one that draws cards or that a bonus follows.

    The same as playing each of them in turn. They are taken from a place in hand on; returns the
    place where it ends: that of the card that is to be played next, or behind the last card.
    """
    held = state["hand_size"][seat]
    number = state["played_size"]
    bonuses = state["played_waiting"]
    worn = state["used"] & ~state["slot_bonus"]
    aligned = state["aligned"]
    gains = 0
    burns = 0
    while place < held and number < MAX_PLAYED:
        card = state["hand"][seat, place]
        facts = tables["card_facts"][card]
        if facts & _ASKS != 0:
            place += 1
            continue
        # one branch for all that ends it: cards change at random. Of two or more cards in play all
        # bonuses have been given, and of no alignment none is counted
        alignment = alignment_of(facts)
        bonus = facts >> _BONUS & 1
        before = aligned >> (ALIGNED * alignment) & ((1 << ALIGNED) - 1)
        follows = (before != 0) & (bonus != 0) | (before == 1) & (bonuses | worn != 0)
        if (facts >> _DRAWS & 1 != 0) | follows:
            break
        aligned += 1 << (ALIGNED * alignment) >> ALIGNED << ALIGNED
        held -= 1
        state["hand"][seat, place] = state["hand"][seat, held]
        state["hand"][seat, held] = 0
        state["played"][number] = card
        state["played_by"][card] = 1 + seat
        bonuses |= bonus << number
        number += 1
        burns += facts >> _BURNS & 1
        gains += tables["card_gains"][card]
    state["tally"][seat, _CARDS_PLAYED] += number - state["played_size"]
    state["hand_size"][seat] = held
    state["played_size"] = number
    state["played_waiting"] = bonuses
    state["destroyable"] += burns
    state["aligned"] = aligned
    state["influence"] += gains & _SUM
    state["red"] += gains >> SUM_BITS & _SUM
    state["blue"] += gains >> 2 * SUM_BITS & _SUM
    state["gold"] += gains >> 3 * SUM_BITS
    return place


# --- equipment ------------------------------------------------------------------------------------


@rule
def can_use(state, seat, slot):
    """Say whether a piece of equipment can be used: once a turn for each type (rules 2, 4)."""
    return state["equipment"][seat, slot] != 0 and state["used"] >> slot & 1 == 0


@rare
def use_equipment(state, tables, backstage, slot):
    """Take what a piece of equipment and its forge card give in this turn (rules 2 and 30)."""
    seat = state["active"]
    card = state["equipment"][seat, slot] - 1
    facts = tables["card_facts"][card]
    gains = tables["card_gains"][card]
    influence = gains & _SUM
    red = gains >> SUM_BITS & _SUM
    gold = gains >> 3 * SUM_BITS
    state["used"] |= 1 << slot
    state["slot_red"][slot] = red
    state["slot_gold"][slot] = gold
    state["slot_keywords"][slot] = tables["keywords"][tables["card_kind"][card]]
    if state["forged"][seat, slot] != 0:
        use_forged(state, tables, backstage, slot)
    state["base_influence"] += influence
    state["influence"] += influence
    state["red"] += red
    state["blue"] += gains >> 2 * SUM_BITS & _SUM
    state["gold"] += gold
    if facts >> _DRAWS & 1 != 0:
        draw_cards(state, backstage, seat, tables["gain"][tables["card_kind"][card], _DRAW])
    if facts >> _BONUS & 1 != 0:
        give_bonuses(state, tables, backstage)
    else:
        state["slot_bonus"] |= 1 << slot  # nothing to wait for


@rare
def use_forged(state, tables, backstage, slot):
    """Take what the card under a piece of equipment gives."""
    kind = tables["card_kind"][state["forged"][state["active"], slot] - 1]
    state["slot_red"][slot] += tables["forge"][kind, _RED]
    state["slot_gold"][slot] += tables["forge"][kind, _GOLD]
    state["slot_keywords"][slot] |= tables["keywords"][kind]
    state["base_influence"] += tables["forge"][kind, _INFLUENCE]
    give(state, backstage, tables["forges"][kind])


@rule
def put_on(state, tables, backstage, place, slot):
    """Put equipment from hand on the hero; what was there goes to hand (rules 2, 3, 4; DB-T20)."""
    seat = state["active"]
    card = out_of_hand(state, seat, place)
    state["played_by"][card] = 1 + seat
    old = state["equipment"][seat, slot]
    if old != 0:
        under = state["forged"][seat, slot]
        state["replaced"] |= 1 << slot
        to_hand(state, seat, old - 1)
        if under != 0:
            to_hand(state, seat, under - 1)
        state["forged"][seat, slot] = 0
    state["equipment"][seat, slot] = card + 1
    if state["used"] >> slot & 1 != 0:
        state["slot_bonus"] |= 1 << slot  # it is not used in this turn
    note_worn(state, tables, seat)
    count_alignments(state, tables)
    give_bonuses(state, tables, backstage)


@rare
def forge_under(state, tables, backstage, place, slot):
    """Put a card with a forge box under equipment in play (rule 30, DB-T21)."""
    seat = state["active"]
    card = out_of_hand(state, seat, place)
    state["played_by"][card] = 1 + seat
    state["forged"][seat, slot] = 1 + card
    note_worn(state, tables, seat)
    count_alignments(state, tables)
    give_bonuses(state, tables, backstage)


@rare
def lose_equipment(state, tables, seat, slot):
    """Take equipment off a hero; return the card and 1 + the forge card that goes with it."""
    card = state["equipment"][seat, slot] - 1
    under = state["forged"][seat, slot]
    state["equipment"][seat, slot] = 0
    state["forged"][seat, slot] = 0
    note_worn(state, tables, seat)
    if seat == state["active"]:
        if state["used"] >> slot & 1 != 0:
            state["slot_bonus"] |= 1 << slot
        count_alignments(state, tables)
    return card, under


@rule
def has_item(state, tables, seat, icon):
    """Say whether a seat's equipped item is of a location's type (rule 20)."""
    item = state["equipment"][seat, SLOTS - 1]
    return icon != 0 and item != 0 and tables["icon"][tables["card_kind"][item - 1]] == icon


# --- tokens ---------------------------------------------------------------------------------------


@rare
def play_token(state, tables, backstage, kind):
    """Play a positive token like an effect, once (rule 32)."""
    seat = state["active"]
    state["tokens"][seat, kind] -= 1
    if state["tokens"][seat, kind] == 0:
        state["held_tokens"][seat] &= ~(1 << kind)
    state["token_pile"][kind] += 1
    give(state, backstage, tables["token_gains"][kind])


# --- the turn's pool ------------------------------------------------------------------------------


@rule
def open_pool(state, tables, backstage):
    """Start the points of a turn with what the hero gives (rule 15; Using Action Points)."""
    seat = state["active"]
    state["influence"] = 0
    state["red"] = 0
    state["blue"] = 0
    state["gold"] = 0
    state["red_spent"] = 0
    state["gold_spent"] = 0
    state["used"] = 0
    state["replaced"] = 0
    state["slot_bonus"] = 0
    state["played_waiting"] = 0
    for slot in range(SLOTS):
        state["slot_red"][slot] = 0
        state["slot_gold"][slot] = 0
        state["slot_keywords"][slot] = 0
    state["aligned"] = state["worn"][seat]
    hero = state["hero"][seat] - 1
    if tables["void_hero"][seat] != 0:
        state["influence"] += tables["plain_hero"][_INFLUENCE]
        state["red"] += tables["plain_hero"][_RED]
        state["blue"] += tables["plain_hero"][_BLUE]
        state["gold"] += tables["plain_hero"][_GOLD]
        draw_cards(state, backstage, seat, tables["plain_hero"][_DRAW])
    else:
        give(state, backstage, tables["hero_gains"][hero])
        if state["tally"][seat, _TURNS] & 1 != 0:
            give(state, backstage, tables["hero_alternates"][hero])
    lost = min(state["influence"], state["owed"][seat])
    state["influence"] -= lost
    state["owed"][seat] = 0
    state["base_influence"] = state["influence"]


@rule
def close_pool(state, tables):
    """End the turn's points; keep influence for the turns of others as far as D-23 says."""
    seat = state["active"]
    kept = 0
    if tables["outwit_influence"] == 1:
        kept = min(state["influence"], state["base_influence"])
    elif tables["outwit_influence"] == 2:
        kept = state["influence"]
    if tables["outwit_influence"] != 0:
        for slot in range(SLOTS):
            if can_use(state, seat, slot):
                kind = tables["card_kind"][state["equipment"][seat, slot] - 1]
                kept += tables["gain"][kind, _INFLUENCE]
    state["kept"][seat] = kept


@rule
def put_away(state, seat):
    """Put effects played and unused cards of the hand on the discard pile ("End")."""
    top = state["discard"][seat]
    played = state["played_size"]
    for number in range(played):
        card = state["played"][number]
        state["played"][number] = 0
        state["next"][card] = top
        top = card + 1
    held = state["hand_size"][seat]
    for place in range(held):
        card = state["hand"][seat, place]
        state["hand"][seat, place] = 0
        state["next"][card] = top
        top = card + 1
    state["discard"][seat] = top
    state["discard_size"][seat] += played + held
    state["played_size"] = 0
    state["destroyable"] = 0
    state["hand_size"][seat] = 0
