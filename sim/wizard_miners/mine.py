"""Mining, rubble and cave-ins ("Starting Play 3", "Rubble", "Cave-In!", "Miscellaneous")."""

from __future__ import annotations

import numpy as np

from sim.choices import lowest, seat_after
from sim.decks import add, take_from, totals_of, word_of
from sim.events import emit
from sim.game import REPLICATES
from sim.jit import rare, rule
from sim.rng import below, die, turn_index
from sim.wizard_miners.state import (
    CHART_ROWS,
    DUE_BITS,
    DUE_SHIFT,
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
def due_in_own_turn(state, tables, seat, roll, due):
    """Return the cards the active player mines where digging brings `due` (rules 1 and 4, W-7).

    Without digging it is the wizard number alone (W-28).
    """
    lasting = state["lasting"][seat]
    digs = state["digging"] != 0
    if digs & (lasting == 0) & ((state["acted"] != 0) | (state["great"][seat] == 0)):
        return due  # one branch for the most frequent case
    if lasting != 0 and state["effects"][seat, _KNOCKED_OUT] != 0:
        return 0
    if not digs:
        due = 1 if roll == state["wizard"][seat] else 0
    elif state["acted"] == 0:
        bonus = idle_bonus(state, tables, seat, roll)
        if bonus > 0:
            state["tally"][seat, _BONUS_CARDS] += bonus
            emit(Event.BONUS, seat, bonus, 0, 0)
            due += bonus
    return due if lasting == 0 else due_with_effects(state, tables, seat, roll, digs, due)


@rare
def dues_with_effects(state, tables, active, roll, dues):
    """Return the lanes of `cards_due` as lasting spells on the others change them.

    Who is not active always digs and never has a bonus.
    """
    for seat in range(state["players"]):
        if seat != active and state["lasting"][seat] != 0:
            lane = seat << DUE_SHIFT
            due = dues >> lane & MOST_DUE
            changed = 0
            if state["effects"][seat, _KNOCKED_OUT] == 0:
                changed = due_with_effects(state, tables, seat, roll, True, due)
            dues += (changed - due) << lane
    return dues


@rule
def cards_due(state, tables, roll):
    """Return the cards that seats mine on a roll ("Starting Play 3"): a lane a seat.

    What anybody mines depends on nobody else's mining, so it is known beforehand.
    """
    dues = state["hits"][roll]
    active = place_at(state["active"])
    lane = active << DUE_SHIFT
    due = dues >> lane & MOST_DUE
    dues += (due_in_own_turn(state, tables, active, roll, due) - due) << lane
    lasting = 0
    for seat in range(MAX_SEATS):
        lasting |= state["lasting"][seat]
    return dues if lasting == 0 else dues_with_effects(state, tables, active, roll, dues)


@rule
def reveal(state, tables, backstage, seat):
    """Take the next face-down card's gems (rule 2); return them.

    The card is drawn from the kinds still face down; its address is its place in the deck.
    """
    seat = place_at(seat)
    left = state["face_down"][seat]
    totals = totals_of(state["gem_cards"][seat])
    card = below(backstage, _MINE + seat, tables["deck_size"] - left, left)
    kind, totals = take_from(totals, card)
    gems = tables["gem_value"][kind & (GEM_KINDS - 1)]
    state["face_down"][seat] = left - 1
    state["gem_cards"][seat] = word_of(totals)
    state["gems"][seat] += gems
    state["tally"][seat, _GEMS_MINED] += gems
    return gems


@rule
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


@rule
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


@rule
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
def floor_of(state, tables, seat):
    """Return the face-down cards that stay when a seat mines on: those below its cave-in card."""
    # without a branch: whose card is out, the processor cannot guess
    return (tables["deck_size"] - tables["cards_above"]) * (state["cave_in_out"][seat] == 0)


@rule
def card_is_reached(state, tables, seat, more):
    """Say whether a seat's cave-in card turns up now (W-4, W-44).

    Reading "exposed": as soon as it is the top card of the deck. Reading "hit": when a further
    card is to be mined while it is the top card.
    """
    return (  # one branch, for it comes true but once
        (state["cave_in_out"][seat] == 0)
        & (state["face_up"][seat] == 0)
        & (state["face_down"][seat] == tables["deck_size"] - tables["cards_above"])
        & ((more > 0) | (tables["reveal_on_hit"] == 0))
    )


@rule
def mine(state, tables, backstage, seat, cards):
    """Mine cards from the top of a seat's deck (rules 2, 18 and 19, W-36, W-43).

    Face-up cards come first and give no gems. Reaching the cave-in card interrupts: it is not
    counted, its roll may return cards mined just now, and the rest is mined after it.
    """
    seat = place_at(seat)
    while True:
        old = min(cards, state["face_up"][seat])
        new = min(cards - old, state["face_down"][seat] - floor_of(state, tables, seat))
        state["face_up"][seat] -= old
        state["rubble"][seat] += old + new
        gems = 0
        for _ in range(new):
            gems += reveal(state, tables, backstage, seat)
        if old + new > 0:
            emit(Event.MINED, seat, old, new, gems)
        state["tally"][seat, _MINED] += old + new
        cards -= old + new
        if not card_is_reached(state, tables, seat, cards):
            return
        turn_up_cave_in_card(state, tables, backstage, seat)


@rule
def special_seats(state, tables, dues):
    """Return a bit in the lane of each seat that must mine by itself.

    Its cave-in card turns up, or its deck is empty and it may clean up instead.
    """
    special = 0
    for seat in range(MAX_SEATS):
        lane = seat << DUE_SHIFT
        due = dues >> lane & MOST_DUE
        above = deck_left(state, seat) - floor_of(state, tables, seat)
        special |= ((due > 0) & (above <= due * (state["cave_in_out"][seat] == 0))) << lane
    return special


@rule
def next_place(lanes, active, players):
    """Return how many places to the left of the active player the first non-empty lane is."""
    lane = active << DUE_SHIFT
    later = lanes >> lane
    if later != 0:
        return lowest(later) >> DUE_SHIFT
    return (lowest(lanes) >> DUE_SHIFT) + players - active


@rare
def dues_before(dues, special, active, players):
    """Return the lanes of the seats that mine before the first special one."""
    before = 0
    for place in range(next_place(special, active, players)):
        seat = active + place
        seat -= players if seat >= players else 0
        before |= dues & MOST_DUE << (seat << DUE_SHIFT)
    return before


@rule
def smallest_deck(state, dues):
    """Return the smallest deck once the cards of all lanes are mined, times four, plus its seat.

    Of equals the first seat.
    """
    players = state["players"]
    smallest = MOST_DUE << 2
    for seat in range(MAX_SEATS):  # all four, seen as one vector; a missing one has none
        left = deck_left(state, seat) - (dues >> (seat << DUE_SHIFT) & MOST_DUE)
        left = max(0, left) + (seat >= players) * MOST_DUE
        smallest = min(smallest, left << 2 | seat)
    return smallest


@rule
def mine_at_once(state, tables, backstage, dues):
    """Mine the cards of all lanes, none of them a special seat's (W-36).

    As one loop over the cards of all seats: how many seats mine and how many cards each, the
    processor cannot guess.
    """
    cards = 0
    olds = 0
    for seat in range(MAX_SEATS):
        mined = min(dues >> (seat << DUE_SHIFT) & MOST_DUE, deck_left(state, seat))
        old = min(mined, state["face_up"][seat])
        state["face_up"][seat] -= old
        state["rubble"][seat] += mined
        state["tally"][seat, _MINED] += mined
        cards |= (mined - old) << (seat << DUE_SHIFT)
        olds |= old << (seat << DUE_SHIFT)
    rest = cards
    gems = 0
    while rest != 0:
        lane = lowest(rest) & ~(DUE_BITS - 1)
        gems += reveal(state, tables, backstage, lane >> DUE_SHIFT) << lane
        rest -= 1 << lane
    for place in range(state["players"]):  # for traces; compiled, nothing is left of it
        seat = place_at(seat_after(state, place_at(state["active"]), place))
        lane = seat << DUE_SHIFT
        old = olds >> lane & MOST_DUE
        new = cards >> lane & MOST_DUE
        if old + new > 0:
            emit(Event.MINED, seat, old, new, gems >> lane & MOST_DUE)


@rare
def clean_up(state, seat, cards):
    """Remove rubble cards from the game for good (rules 7 and 25)."""
    seat = place_at(seat)
    state["rubble"][seat] -= cards
    state["tally"][seat, _CLEANED] += cards
