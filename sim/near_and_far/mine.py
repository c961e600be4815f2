"""The Amber Mine (Amber Mines, "Module: Amber Mines", "Recruiting Miners").

Cards lie in rows and columns, the entrance in the top row. Each card knows its neighbours, so the
table has no edge.
"""

from __future__ import annotations

import numpy as np

from sim.choices import lowest
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import gain, party_power, pick_card, power, put_camp
from sim.near_and_far.magic import alter_weather, is_ready
from sim.near_and_far.rewards import give
from sim.near_and_far.rolls import open_roll
from sim.near_and_far.state import (
    MAX_SEATS,
    MINE_ENTRANCE,
    MINE_ROW,
    CampKind,
    Dig,
    Event,
    Good,
    RollKind,
    Spell,
    Stream,
    Symbol,
    Tally,
)
from sim.near_and_far.travel import movement_of

_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_PICKAX = np.int64(Symbol.PICKAX)
_MINE_ROLL = np.int64(RollKind.MINE)
_MINE_CAMP = np.int64(CampKind.MINE)
_MINE_STREAM = np.int64(Stream.MINE)
_ALTER_WEATHER = np.int64(Spell.ALTER_WEATHER)
_LEFT = np.int64(Dig.LEFT)
_RIGHT = np.int64(Dig.RIGHT)
_DOWN = np.int64(Dig.DOWN)
_UP = np.int64(Dig.UP)
_CAMP = np.int64(Dig.CAMP)
_VISITS = np.int64(Tally.MINE_VISITS)
_ROLLS = np.int64(Tally.MINE_ROLLS)
_BACK = np.int64(Tally.MINE_BACK)
_CARDS = np.int64(Tally.MINE_CARDS)


@rule
def card_next_to(state, card, direction):
    """Return the card that lies next to one, -1 where there is none."""
    return (state["mine_near"][card] >> (direction << 3) & 255) - 1


@rule
def mine_starts(state, seat):
    """Return where a visit may begin: the entrance or a card with an own camp (rule 25)."""
    return state["mine_own"][seat] | 1


@rule
def free_cards(state):
    """Return the cards laid out that have nobody's camp, as bits; the entrance takes none."""
    free = state["mine_laid"]
    for seat in range(MAX_SEATS):
        free &= ~state["mine_own"][seat]
    return free


@rare
def enter_mine(state, tables, seat, card):
    """Put the figure on a card; it may move as far as the party can (rules 25 and 26, A-35)."""
    state["mine_card"] = card
    state["mine_depth"] = 0
    state["movement"] = movement_of(state, tables, seat)
    state["tally"][seat, _VISITS] += 1
    emit(Event.MINE_MOVED, seat, card, 0, 0)


@rule
def place_next_to(place, direction):
    """Return the place next to one."""
    if direction == _LEFT:
        return place - 1
    if direction == _RIGHT:
        return place + 1
    return place + MINE_ROW if direction == _DOWN else place - MINE_ROW


@rare
def note_way(state, card, direction, other, passable):
    """Note the card that lies next to one in a direction. passable: not 0 if one can go there."""
    state["mine_near"][card] |= (1 + other) << (direction << 3)
    state["mine_edges"][card] &= ~(1 << direction)
    if passable != 0:
        state["mine_doors"][card] |= 1 << direction
        state["mine_ways"][card] |= 1 << other


@rare
def lay_card(state, tables, card, place):
    """Lay a card out; it and its neighbours are noted with each other (rules 26 and 27).

    A shaft leads down from its card and up to it; sideways nothing is asked for. A new card can be
    drawn anywhere but upwards, down from a shaft only; and not left of the entrance, unless A-13
    is read the other way.
    """
    state["mine_at"][card] = 1 + place
    if card != 0:
        state["mine_deck"] &= ~(1 << card)
        state["mine_laid"] |= 1 << card
    shaft = tables["mine_shaft"][card]
    edges = 1 << _RIGHT
    if place % MINE_ROW > MINE_ENTRANCE or tables["mine_left"] != 0:
        edges |= 1 << _LEFT
    if shaft != 0:
        edges |= 1 << _DOWN
    state["mine_edges"][card] = edges
    others = state["mine_laid"] & ~(1 << card) | (1 if card != 0 else 0)
    while others != 0:
        other = lowest(others)
        others &= others - 1
        apart = state["mine_at"][other] - 1 - place
        if abs(apart) == 1 or abs(apart) == MINE_ROW:
            if apart == 1:
                note_way(state, card, _RIGHT, other, 1)
                note_way(state, other, _LEFT, card, 1)
            elif apart == -1:
                note_way(state, card, _LEFT, other, 1)
                note_way(state, other, _RIGHT, card, 1)
            elif apart > 0:
                note_way(state, card, _DOWN, other, shaft)
                note_way(state, other, _UP, card, shaft)
            else:
                above = tables["mine_shaft"][other]
                note_way(state, card, _UP, other, above)
                note_way(state, other, _DOWN, card, above)


@rare
def lay_entrance(state, tables):
    """Lay the entrance of the Amber Mine beside the town (A-12, A-13)."""
    if tables["amber_mines"] != 0:
        lay_card(state, tables, np.int64(0), np.int64(MINE_ENTRANCE))


@rare
def dig_choices(state, tables, seat):
    """Return what can be done in the mine, as bits of MINE_MOVE (rules 26, 27, 32, 33).

    A camp needs a card without any camp, not the entrance (A-14), a tent, and food for the camps
    one has there already.
    """
    legal = 1
    card = state["mine_card"]
    if state["movement"] > 0:
        legal |= state["mine_doors"][card]
        if state["mine_deck"] != 0:
            legal |= state["mine_edges"][card]
    if (
        card != 0
        and state["mine_camp"][card] == 0
        and state["tents"][seat] > 0
        and state["goods"][seat, _FOOD] >= camp_food(state, tables, seat)
    ):
        legal |= (0b111 if is_ready(state, seat, _ALTER_WEATHER) else 1) << _CAMP
    return legal


@rule
def camp_food(state, tables, seat):
    """Return the food for a camp: one for each camp one has in the mine (rule 32, NF-T5)."""
    return state["mine_camps"][seat] * tables["mine_camp_food"]


@rule
def must_roll(state, tables, card):
    """Say whether a card wants a roll: a number and nobody's camp (rules 28, 30 and 31)."""
    return tables["mine_need"][card] > 0 and state["mine_camp"][card] == 0


@rare
def dig(state, tables, backstage, seat, direction):
    """Go to the next card; return 1 if a roll was opened for it (rules 26 to 28).

    At the edge a card is drawn and laid out; the movement is spent however the roll ends (NF-T1).
    """
    here = state["mine_card"]
    card = card_next_to(state, here, direction)
    if card < 0:
        card = pick_card(backstage, _MINE_STREAM, 0, state["mine_deck"])
        place = place_next_to(state["mine_at"][here] - 1, direction)
        lay_card(state, tables, card, place)
        state["tally"][seat, _CARDS] += 1
        emit(Event.MINE_CARD, seat, card, place, 0)
    state["movement"] -= 1
    state["mine_from"] = here
    state["mine_card"] = card
    state["mine_depth"] += 1
    emit(Event.MINE_MOVED, seat, card, 0, 0)
    if not must_roll(state, tables, card):
        return 0
    state["tally"][seat, _ROLLS] += 1
    state["reserve"] = 0
    symbol = tables["mine_symbol"][card]
    open_roll(
        state,
        tables,
        _MINE_ROLL,
        seat,
        symbol,
        power(state, seat, symbol),
        tables["mine_need"][card],
        0,
    )
    return 1


@rare
def close_dig(state, tables, seat):
    """After the roll: stay, or go back to the card one came from (rules 28 and 29, NF-T2).

    The way back costs no movement and asks for no roll.
    """
    if state["success"] == 0:
        emit(Event.MINE_BACK, seat, state["mine_card"], 0, 0)
        state["tally"][seat, _BACK] += 1
        state["mine_card"] = state["mine_from"]


@rare
def camp_in_mine(state, tables, seat, choice):
    """Build a camp where the figure is and take the card's reward (rules 32 and 46, NF-T31).

    choice: as in MINE_MOVE. It costs food and no hearts; each miner of the party brings a coin.
    """
    card = state["mine_card"]
    gain(state, seat, _FOOD, -camp_food(state, tables, seat))
    if put_camp(state, tables, seat, _MINE_CAMP, card) != 0:
        state["mine_camp"][card] = seat + 1
        state["mine_own"][seat] |= 1 << card
        state["mine_camps"][seat] += 1
    give(state, tables, seat, tables["mine_reward"][card])
    miners = party_power(state, seat, _PICKAX)
    if miners > 0:
        gain(state, seat, _COIN, miners * tables["miner_coins"])
    alter_weather(state, tables, seat, choice - _CAMP)


@rare
def amber_of(state, tables, seat):
    """Return a seat's amber: on cards with its camps and on treasures it holds (rules 35 and 49).

    Worked example NF-T20: a pouch counts while it is held.
    """
    amber = 0
    cards = state["mine_own"][seat]
    while cards != 0:
        amber += tables["mine_amber"][lowest(cards)]
        cards &= cards - 1
    held = state["treasures"][seat]
    while held != 0:
        amber += tables["treasure_amber"][lowest(held)]
        held &= held - 1
    return amber
