"""Mining, rubble and cave-ins ("Starting Play 3", "Rubble", "Cave-In!", "Miscellaneous")."""

from __future__ import annotations

import numpy as np

from sim.choices import seat_after
from sim.decks import add, take_from, totals_of, word_of
from sim.events import emit
from sim.game import REPLICATES
from sim.jit import rare, rule
from sim.rng import below, die, turn_index
from sim.wizard_miners.state import (
    CHART_ROWS,
    ENTIRE_PILE,
    GEM_KINDS,
    MAX_SEATS,
    TOOLS,
    Effect,
    Event,
    Spell,
    Stream,
    Tally,
)

RUBBLE_BINS = (0, 1, 3, 5, 8, 11, 16, 22)  # least pile of each bin: a grouping, not a rule
DUE_SHIFT = 4
DUE_BITS = 1 << DUE_SHIFT  # of a lane of `cards_due`
MOST_DUE = 4095  # more than any mine holds, and fits into a lane
_BIN_OF = np.searchsorted(RUBBLE_BINS, np.arange(RUBBLE_BINS[-1] + 1), side="right") - 1

_AURA = int(Effect.AURA)
_REPAIR = int(Effect.REPAIR)
_KNOCKED_OUT = int(Effect.KNOCKED_OUT)
_HARD_ROCK = int(Effect.HARD_ROCK)
_DRILL = int(Effect.WIZARD_DRILL)
_SHORE_UP = int(Spell.SHORE_UP)
_MINE = int(Stream.MINE)
_CAVE_IN_ROLL = int(Stream.CAVE_IN_ROLL)
_MINED = int(Tally.MINED)
_GEMS_MINED = int(Tally.GEMS_MINED)
_CLEANED = int(Tally.CLEANED)
_CAVE_IN_ROLLS = int(Tally.CAVE_IN_ROLLS)
_CARDS_LOST = int(Tally.CARDS_LOST)
_PILES_LOST = int(Tally.PILES_LOST)
_BONUS_CARDS = int(Tally.BONUS_CARDS)


@rule
def place_at(seat):
    """Return a seat as an index that the compiler knows to be in range, whoever calls.

    It changes nothing, and saves the checks of the fields that follow.
    """
    return seat & (MAX_SEATS - 1)


@rule
def deck_left(state, seat):
    """Return the mine cards a seat still has to remove; the cave-in card is none of them."""
    seat = place_at(seat)
    return state["face_up"][seat] + state["face_down"][seat]


@rule
def cards_in_play(word):
    """Return the cards of one effect, however many rolls each has left."""
    total = 0
    while word != 0:
        total += word & 255
        word >>= 8
    return total


@rare
def effect_cards(state, tables, seat, roll, digs):
    """Return the cards that auras and a Wizard Drill add to a roll (rule 9, W-8).

    An aura counts once per roll in which its tool is hit, however often the number occurs.
    """
    extra = (
        cards_in_play(state["effects"][seat, _DRILL]) * tables["spell_amount"][Spell.WIZARD_DRILL]
    )
    if digs:
        for tool in range(TOOLS):
            auras = state["effects"][seat, _AURA + tool]
            if auras != 0 and state["effects"][seat, _REPAIR + tool] == 0:
                level = state["levels"][seat, tool]
                if tables["tool_hits"][tool, level, roll] > 0:
                    extra += cards_in_play(auras) * tables["spell_amount"][Spell.MAGIC_AURA]
    return extra


@rule
def idle_bonus(state, tables, seat, roll):
    """Return the bonus cards of great tools on a roll (rule 4; several tools add up, W-6)."""
    bonus = 0
    great = state["great"][seat]
    if great != 0:
        for tool in range(TOOLS):
            if great >> tool & 1 != 0 and tables["tool_hits"][tool, 3, roll] > 0:
                bonus += tables["tool_bonus"][tool]
    return bonus


@rare
def due_with_effects(state, tables, seat, roll, digs, due):
    """Return what lasting spells make of the cards a seat mines on a roll (rule 9, W-7)."""
    due += effect_cards(state, tables, seat, roll, digs)
    hard = cards_in_play(state["effects"][seat, _HARD_ROCK])
    return min(MOST_DUE, max(0, due - hard * tables["spell_amount"][Spell.HARD_ROCK]))


@rule
def due_in_own_turn(state, tables, seat, roll):
    """Return the cards the active player mines (rules 1 and 4, W-7, W-28).

    Without digging it is the wizard number alone.
    """
    lasting = state["lasting"][seat]
    if lasting != 0 and state["effects"][seat, _KNOCKED_OUT] != 0:
        return 0
    digs = state["digging"] != 0
    due = state["hits"][seat, roll]
    if not digs:
        due = 1 if roll == state["wizard"][seat] else 0
    elif state["acted"] == 0:
        bonus = idle_bonus(state, tables, seat, roll)
        if bonus > 0:
            state["tally"][seat, _BONUS_CARDS] += bonus
            emit(Event.BONUS, seat, bonus, 0, 0)
            due += bonus
    return due if lasting == 0 else due_with_effects(state, tables, seat, roll, digs, due)


@rule
def due_in_other_turns(state, tables, seat, roll):
    """Return the cards that a player who is not active mines: always digging, never a bonus."""
    due = state["hits"][seat, roll]
    if state["lasting"][seat] == 0:
        return due
    if state["effects"][seat, _KNOCKED_OUT] != 0:
        return 0
    return due_with_effects(state, tables, seat, roll, True, due)


@rule
def cards_due(state, tables, roll, mined):
    """Return the cards that seats mine on a roll ("Starting Play 3"), as lanes of one number.

    The lanes of DUE_BITS bits go clockwise from the active player; those of the first `mined`
    stay empty. What anybody mines depends on nobody else's mining, so it is known beforehand,
    and who mines at all is found without a branch: the processor cannot guess it.
    """
    active = place_at(state["active"])
    due = 0
    if mined == 0:
        due = due_in_own_turn(state, tables, active, roll)
        mined = 1
    for place in range(mined, state["players"]):
        seat = place_at(seat_after(state, active, place))
        due |= due_in_other_turns(state, tables, seat, roll) << (place << DUE_SHIFT)
    return due


@rule
def reveal(state, tables, backstage, seat, cards):
    """Move face-down cards to the rubble and take their gems (rule 2); return the gems.

    The next card is drawn from the kinds still face down; its address is its place in the deck.
    """
    left = state["face_down"][seat]
    totals = totals_of(state["gem_cards"][seat])
    gems = 0
    for _ in range(cards):
        index = tables["deck_size"] - left
        kind, totals = take_from(totals, below(backstage, _MINE + seat, index, left))
        gems += tables["gem_value"][kind & (GEM_KINDS - 1)]
        left -= 1
    state["face_down"][seat] = left
    state["gem_cards"][seat] = word_of(totals)
    state["rubble"][seat] += cards
    state["gems"][seat] += gems
    state["tally"][seat, _GEMS_MINED] += gems
    return gems


@rare
def return_rubble(state, seat, cards):
    """Put rubble back face up on top of the mine deck; a short pile is just emptied (rule 17).

    Returns the number of cards moved.
    """
    seat = place_at(seat)
    fallen = min(state["rubble"][seat], cards)
    state["rubble"][seat] -= fallen
    state["face_up"][seat] += fallen
    return fallen


@rule
def chart_cards(tables, total):
    """Return the cards that fall on a modified cave-in roll (rule 21, W-20)."""
    return tables["chart"][min(max(total, 0), CHART_ROWS - 1) & (CHART_ROWS - 1)]


@rare
def suffer_cave_in(state, tables, backstage, seat, roll):
    """Make the cave-in of a d6 roll happen (rules 21 to 23, W-18, W-19).

    Dynamite adds to the roll and is used up by it, even when nothing falls. Shore Ups take away
    from it and go only when there was dynamite. Returns the number of cards that fell.
    """
    seat = place_at(seat)
    dynamite = state["dynamite"][seat]
    shore_ups = state["shore_ups"][seat]
    total = roll + dynamite - shore_ups * tables["spell_amount"][_SHORE_UP]
    cards = chart_cards(tables, total)
    nth = state["tally"][seat, _CAVE_IN_ROLLS] + 1
    void = tables["void_cave_in"][seat]
    if void == nth or void == -1:
        cards = 0
    rubble = state["rubble"][seat]
    fallen = return_rubble(state, seat, cards)
    emit(Event.CAVE_IN, seat, roll, total, fallen)
    state["tally"][seat, _CAVE_IN_ROLLS] = nth
    state["tally"][seat, _CARDS_LOST] += fallen
    whole = 1 if cards == ENTIRE_PILE and rubble > 0 else 0
    state["tally"][seat, _PILES_LOST] += whole
    note_cave_in(backstage, seat, dynamite, shore_ups, cards, rubble, fallen, whole)
    if dynamite > 0:
        state["dynamite"][seat] = 0
        state["dynamite_supply"] += dynamite
        add(state["discard"], _SHORE_UP, shore_ups)
        state["discard_size"] += shore_ups
        state["shore_ups"][seat] = 0
    return fallen


@rare
def note_cave_in(backstage, seat, dynamite, shore_ups, cards, rubble, fallen, whole):
    """Count a cave-in roll by what led to it and what came of it."""
    # the masks change nothing; they tell the compiler that these are never negative
    replicate = backstage["replicate"] & (REPLICATES - 1)
    slot = place_at(backstage["slots"][place_at(seat)])
    dynamite = min(dynamite, 7) & 7
    result = 9 if cards == ENTIRE_PILE else min(cards, 8) & 15
    backstage["chart"][replicate, slot, dynamite, min(shore_ups, 3) & 3, result] += 1
    size = _BIN_OF[min(rubble, RUBBLE_BINS[-1]) & 31] & 7
    falls = backstage["falls"][replicate, slot, dynamite, size]
    falls[0] += 1
    falls[1] += fallen
    falls[2] += fallen * fallen
    falls[3] += whole


@rare
def roll_cave_in(state, tables, backstage, seat):
    """Roll the d6 of a seat's cave-in card and let it happen ("Making a Cave-In Roll")."""
    seat = place_at(seat)
    k = state["cave_in_rolls_turn"][seat]
    state["cave_in_rolls_turn"][seat] = k + 1
    index = turn_index(state["turn"], k)
    roll = die(backstage, _CAVE_IN_ROLL + seat, index, tables["cave_in_roll_sides"])
    suffer_cave_in(state, tables, backstage, seat, roll)


@rare
def turn_up_cave_in_card(state, tables, backstage, seat):
    """Turn the cave-in card up and roll at once (rule 19)."""
    emit(Event.CARD_UP, seat, 0, 0, 0)
    state["cave_in_out"][seat] = 1
    state["cards_out"] += 1
    roll_cave_in(state, tables, backstage, seat)


@rule
def card_is_reached(state, tables, seat, more):
    """Say whether a seat's cave-in card turns up now (W-4, W-44).

    Reading "exposed": as soon as it is the top card of the deck. Reading "hit": when a further
    card is to be mined while it is the top card.
    """
    return (
        state["cave_in_out"][seat] == 0
        and state["face_up"][seat] == 0
        and state["face_down"][seat] == tables["deck_size"] - tables["cards_above"]
        and (more > 0 or tables["reveal_on_hit"] == 0)
    )


@rule
def mine(state, tables, backstage, seat, cards):
    """Mine cards from the top of a seat's deck (rules 2, 18 and 19, W-36, W-43).

    Face-up cards come first and give no gems. Reaching the cave-in card interrupts: it is not
    counted, its roll may return cards mined just now, and the rest is mined after it.
    """
    seat = place_at(seat)
    while True:
        # few branches: the processor cannot guess how many cards of which kind it will be
        old = min(cards, state["face_up"][seat])
        new = state["face_down"][seat]
        out = state["cave_in_out"][seat]
        below_card = tables["deck_size"] - tables["cards_above"]
        new -= below_card if out == 0 else 0
        new = min(cards - old, new)
        state["face_up"][seat] -= old
        state["rubble"][seat] += old
        gems = reveal(state, tables, backstage, seat, new)
        if old + new > 0:
            emit(Event.MINED, seat, old, new, gems)
        state["tally"][seat, _MINED] += old + new
        cards -= old + new
        if out != 0 or not card_is_reached(state, tables, seat, cards):
            return
        turn_up_cave_in_card(state, tables, backstage, seat)


@rare
def clean_up(state, seat, cards):
    """Remove rubble cards from the game for good (rules 7 and 25)."""
    seat = place_at(seat)
    state["rubble"][seat] -= cards
    state["tally"][seat, _CLEANED] += cards
