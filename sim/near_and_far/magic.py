"""The magic track and spells (Amber Mines, "Module: Magic" and "Magic Teacher Adventurers").

Rolls use some spells themselves, and so do camps and threats; those only `flip` the card here.
"""

from __future__ import annotations

import numpy as np

from sim.choices import is_legal
from sim.decks import add, cards_in, count, take
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    gain,
    gain_hearts,
    heart_limit,
    party_power,
    put_camp,
    reputation_by,
)
from sim.near_and_far.state import (
    SPELLS,
    CampKind,
    Event,
    Good,
    Spell,
    Stream,
    Symbol,
    Tally,
)
from sim.rng import below, turn_index

_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_SEARCH = np.int64(Symbol.SEARCH)
_TEACHERS = np.int64(Symbol.MAGIC)
_MAGIC_CAMP = np.int64(CampKind.MAGIC)
_SPELL_STREAM = np.int64(Stream.SPELLS)
_SPELLS_CAST = np.int64(Tally.SPELLS_CAST)
_HASTE = np.int64(Spell.HASTE)
_DIVINATION = np.int64(Spell.DIVINATION)
_REJUVENATION = np.int64(Spell.REJUVENATION)
_TRANSMUTATION = np.int64(Spell.TRANSMUTATION)
_ALTER_WEATHER = np.int64(Spell.ALTER_WEATHER)
_BREW = np.int64(Spell.BREW_POTION)


# --- the track ------------------------------------------------------------------------------------


@rare
def move_magic(state, tables, seat, spaces):
    """Go along the magic track (Magic, "Mystic's Hut"; rules 37 to 39).

    Every icon passed or reached is a spell due (A-17). On the last space a camp is put under the
    track while there is room; nobody goes beyond it. Without the module nothing happens (rule 40).
    """
    if tables["magic"] == 0:
        return
    last = tables["magic_spaces"]
    before = state["magic"][seat]
    here = before
    while spaces > 0 and here < last:
        spaces -= 1
        here += 1
        if tables["magic_icons"] >> here & 1 != 0:
            state["spells_due"] += 1
    if here == before:
        return
    state["magic"][seat] = here
    emit(Event.MAGIC, seat, here, 0, 0)
    if (
        here == last
        and state["magic_camps_left"] > 0
        and put_camp(state, tables, seat, _MAGIC_CAMP, here) != 0
    ):
        state["magic_camps_left"] -= 1
        state["magic_camps"][seat] += 1


# --- the new Mystic's Hut -------------------------------------------------------------------------


@rare
def hut_visit(state, tables, seat):
    """First box of the new Hut: a treasure for each search symbol (rule 36; rule 40 without magic).

    Divination may have been used for it (rule 42).
    """
    state["treasures_due"] += party_power(state, seat, _SEARCH) + state["divined"]
    state["divined"] = 0


@rare
def hut_choices(state, tables, seat):
    """Return what can be done about magic at the new Hut, as bits of HUT (rules 36 and 40)."""
    if tables["magic"] == 0 or state["magic"][seat] >= tables["magic_spaces"]:
        return 1
    if state["goods"][seat, _GEM] >= tables["hut_gems"]:
        return 0b111
    return 0b011


@rare
def hut_magic(state, tables, seat, choice):
    """Second and third box of the new Hut, then all spells face up (rules 36 and 47).

    Teachers in the party add their spaces whatever is chosen (A-18), in the same move.
    """
    if tables["magic"] == 0:
        return
    spaces = party_power(state, seat, _TEACHERS) * tables["teacher_magic"]
    if choice == 1:
        spaces += tables["hut_magic"]
    elif choice == 2:
        gain(state, seat, _GEM, -tables["hut_gems"])
        spaces += tables["hut_gem_magic"]
    move_magic(state, tables, seat, spaces)
    ready_spells(state, seat)


@rule
def ready_spells(state, seat):
    """Turn all spells of a seat face up (last step of rule 36)."""
    if state["spells_up"][seat] != state["spells"][seat]:
        state["spells_up"][seat] = state["spells"][seat]
        emit(Event.SPELLS_READY, seat, 0, 0, 0)


# --- learning -------------------------------------------------------------------------------------


@rule
def new_kinds(state, seat, deck):
    """Return the kinds in a deck of spells that a seat does not own, as bits."""
    kinds = 0
    for spell in range(SPELLS):
        if count(deck, spell) > 0:
            kinds |= 1 << spell
    return kinds & ~state["spells"][seat]


@rule
def discard_drawn(state):
    """Lay the spells drawn on the discard pile."""
    for word in range(2):
        state["spell_discard_size"] += cards_in(state["drawn_counts"][word])
        state["spell_discard"][word] += state["drawn_counts"][word]
        state["drawn_counts"][word] = 0
    state["drawn_spells"] = 0


@rare
def draw_spells(state, tables, backstage, seat):
    """Draw spells and return the kinds that can be learned, as bits (rule 38, NF-T30).

    When all of them are owned they are discarded and as many drawn again. The discards are the new
    deck when it is empty. Returns 0 when there is no card left that the seat does not own.
    """
    wanted = new_kinds(state, seat, state["spell_deck"])
    wanted |= new_kinds(state, seat, state["spell_discard"])
    kinds = 0
    while wanted != 0 and kinds == 0:
        for _ in range(tables["spells_drawn"]):
            if state["spell_deck_size"] == 0:
                for word in range(2):
                    state["spell_deck"][word] = state["spell_discard"][word]
                    state["spell_discard"][word] = 0
                state["spell_deck_size"] = state["spell_discard_size"]
                state["spell_discard_size"] = 0
            left = state["spell_deck_size"]
            if left > 0:
                index = turn_index(state["turn"], state["spell_draws"])
                state["spell_draws"] += 1
                spell = take(state["spell_deck"], below(backstage, _SPELL_STREAM, index, left))
                state["spell_deck_size"] = left - 1
                add(state["drawn_counts"], spell, 1)
        kinds = new_kinds(state, seat, state["drawn_counts"])
        if kinds == 0:
            discard_drawn(state)
    state["drawn_spells"] = kinds
    return kinds


@rare
def learn(state, tables, seat, spell):
    """Keep one of the spells drawn, face up; the others are discarded (rule 38)."""
    add(state["drawn_counts"], spell, -1)
    discard_drawn(state)
    state["spells"][seat] |= 1 << spell
    state["spells_up"][seat] |= 1 << spell
    emit(Event.SPELL_LEARNED, seat, spell, 0, 0)


# --- using ----------------------------------------------------------------------------------------


@rule
def is_ready(state, seat, spell):
    """Say whether a seat has a spell face up ("Spells"; rule 41)."""
    return is_legal(state["spells_up"][seat], spell)


@rare
def flip(state, seat, spell):
    """Turn a spell face down: it has been used, for one act or battle (rule 41, NF-T6)."""
    state["spells_up"][seat] &= ~(1 << spell)
    state["tally"][seat, _SPELLS_CAST] += 1
    emit(Event.SPELL_USED, seat, spell, 0, 0)


@rare
def helps_now(state, tables, seat):
    """Return the spells face up that would help hearts or reputation now, as bits (rule 42)."""
    up = state["spells_up"][seat]
    room = heart_limit(state, tables, seat) > state["hearts"][seat]
    legal = 0
    if room or state["reputation"][seat] < tables["reputation_high"]:
        legal |= up & 1 << _REJUVENATION
    if room and state["goods"][seat, _FOOD] >= tables["spell_food"][_BREW]:
        legal |= up & 1 << _BREW
    return legal


@rare
def turn_spells(state, tables, seat):
    """Return the spells that can be used before the figure moves, as bits (rules 6 and 42)."""
    up = state["spells_up"][seat]
    if up == 0:
        return 0
    legal = helps_now(state, tables, seat) | up & 1 << _DIVINATION
    if state["goods"][seat, _GEM] > 0:
        legal |= up & 1 << _TRANSMUTATION
    return legal


@rare
def walk_spells(state, tables, seat):
    """Return the spells that can be used between two steps, on the map and in the mine, as bits."""
    up = state["spells_up"][seat]
    if up == 0:
        return 0
    return helps_now(state, tables, seat) | up & 1 << _HASTE


@rare
def use_spell(state, tables, seat, spell, amount):
    """Use a spell that is not about a roll, a threat or a camp (rules 41 and 42).

    amount: the gems that Transmutation turns into coins (NF-T7).
    """
    flip(state, seat, spell)
    if spell == Spell.HASTE:
        state["movement"] += tables["spell_amount"][spell]
    elif spell == Spell.DIVINATION:
        state["divined"] += tables["spell_amount"][spell]
    elif spell == Spell.REJUVENATION:
        gain_hearts(state, tables, seat, tables["spell_amount"][spell])
        reputation_by(state, tables, seat, tables["spell_second"][spell])
    elif spell == Spell.TRANSMUTATION:
        gain(state, seat, _GEM, -amount)
        gain(state, seat, _COIN, amount * tables["spell_amount"][spell])
    elif spell == Spell.BREW_POTION:
        gain(state, seat, _FOOD, -tables["spell_food"][spell])
        gain_hearts(state, tables, seat, tables["spell_amount"][spell])


@rare
def alter_weather(state, tables, seat, way):
    """Change the reputation while a camp is built: way 1 up, 2 down, 0 not at all (rule 42)."""
    if way != 0:
        flip(state, seat, _ALTER_WEATHER)
        amount = tables["spell_amount"][_ALTER_WEATHER]
        reputation_by(state, tables, seat, amount if way == 1 else -amount)
