"""Stacks: which can be faced, where to build one, what a point in somebody's way is worth."""

from __future__ import annotations

from sim.dobbers.piles import hindrance
from sim.dobbers.stacks import (
    immune_points,
    lairs,
    location_places,
    points_needed,
    price_at,
    stack_on,
    stacks_for,
    travel_number,
)
from sim.dobbers.state import Gain, Hinder, Main
from sim.jit import rare, rule
from strategies.dobbers_look import (
    behind,
    icon_of_mine,
    left_for_fight,
    stack_guess,
    stored_points,
    sum_of,
    turns_of,
    waited,
)
from strategies.dobbers_notes import (
    BLOCK_BITS,
    BLOCKS,
    EACH,
    FIELD,
    FIELDS,
    LAIR,
    MOST,
    NOTED,
    POINT,
    SEAT_BITS,
    SITE,
    THREATS,
    TURN,
    Weight,
    field,
)
from strategies.toolkit import lowest

_RED = int(Gain.RED)
_GOLD = int(Gain.GOLD)
_PLAY = int(Main.PLAY)
_CHALLENGE = int(Main.CHALLENGE)
_TRAVEL = int(Main.TRAVEL)
_IN_FIGHTS = int(Hinder.CHALLENGE)


@rule
def points_there(state, tables, me, edge, encounter):
    """Return the points that I can face a stack with at the end of an edge.

    What the step leaves, and what tokens hold; less what a creature that I know is immune to.
    """
    points = left_for_fight(state, travel_number(state, tables, me, edge))
    if state["held_tokens"][me] != 0:
        points += stored_points(state, tables, me, _RED)
    creature = state["creature"][encounter] - 1
    if creature >= 0 and state["known_creatures"] >> creature & 1 != 0:
        lost_red, lost_gold = immune_points(state, tables, encounter)
        points -= lost_red + lost_gold
    return points


@rule
def dares(state, tables, weights, me, edge):
    """Say whether to go along an edge: always where no stack waits, else if it can be beaten."""
    square = tables["edge_to"][state["square"][me], edge] - 1
    encounter = stack_on(state, tables, square) - 1
    if encounter < 0:
        return True
    points = points_there(state, tables, me, edge, encounter)
    icon = icon_of_mine(state, tables, me)
    needed, sure = stack_guess(state, tables, me, icon, encounter)
    if sure != 0:
        return points >= points_needed(state, tables, me, encounter)
    needed += hindrance(state, tables, me, _IN_FIGHTS)
    patience = weights[Weight.IMPATIENCE] * waited(state, me)
    return points >= needed + weights[Weight.DARE] - patience


@rare
def token_helps(state, tables, me, edges):
    """Say whether the points of tokens are what a step lacks where no stack waits.

    edges: those that cannot be taken, as bits.
    """
    while edges != 0:
        edge = lowest(edges)
        edges &= edges - 1
        to = tables["edge_to"][state["square"][me], edge] - 1
        short = travel_number(state, tables, me, edge) - state["blue"] - state["red"]
        free = stack_on(state, tables, to) == 0
        if free and 0 < short <= stored_points(state, tables, me, _RED):
            return True
    return False


@rule
def note_threats(state, weights, me):
    """Note what a point in each seat's way is worth; for me the harm of one in my own way."""
    mine = turns_of(state, me, me)
    threats = 0  # in units of 1 / TURN
    for seat in range(state["players"]):
        if seat == me:
            threat = weights[Weight.OWN_WAY]
        else:  # who is far behind is no threat, who is ahead the more
            lead = min(2.0, mine / turns_of(state, me, seat)) - 1.0
            threat = weights[Weight.BLOCK] * max(0.0, 1.0 + weights[Weight.CHASE] * lead)
        threats |= int(TURN * min(threat, 500.0)) << (SEAT_BITS * seat)
    state["memo"][me, THREATS] = threats | NOTED


@rule
def block_worth(state, tables, weights, me, ways, encounter):
    """Return what a point on an encounter square is worth: what it costs others, less me.

    ways: of the seats to the key, packed. A location stays; a creature and its equipment stop who
    comes there first, others less. In units of 1 / POINT.
    """
    threats = state["memo"][me, THREATS] & FIELDS
    others = threats & ~(FIELD << (SEAT_BITS * me))
    own = field(threats, SEAT_BITS, me)
    seats = behind(ways, tables["distance"][tables["encounter_square"][encounter]])
    harm = sum_of(others & seats)
    if field(seats, SEAT_BITS, me) != 0:
        harm -= own
    total = 1.0 * harm
    if state["open_squares"] >> encounter & 1 == 0 and seats != 0:
        follow = weights[Weight.FOLLOW]
        total *= follow
        far = ways | ~seats & FIELDS
        # the way of whoever comes there first
        first = min(field(far, SEAT_BITS, 0), field(far, SEAT_BITS, 1))
        first = min(first, min(field(far, SEAT_BITS, 2), field(far, SEAT_BITS, 3)))
        rest = far ^ first * EACH  # nothing where a seat is the first
        harm = -own if field(rest, SEAT_BITS, me) == 0 else 0
        harm += sum_of(others & ~behind(rest, 0))
        total += (1.0 - follow) * harm
        height = 0.1 * weights[Weight.HEIGHT]
        if height > 0.0:
            icon = icon_of_mine(state, tables, me)
            needed, _sure = stack_guess(state, tables, me, icon, encounter)
            total *= 1.0 + height * needed
    return min(max(int(POINT / TURN * total), -MOST), MOST)


@rare
def best_block(state, tables, weights, me, places):
    """Return the best of the encounters in `places` for a point, and its worth.

    places: bits by encounter. (-1, 0) for none.
    """
    if state["memo"][me, THREATS] == 0:
        note_threats(state, weights, me)
    ways = state["ways"]
    found = -1
    best = -MOST - 1
    rest = places & ((1 << tables["encounters"]) - 1)
    while rest != 0:
        encounter = lowest(rest)
        rest &= rest - 1
        worth = block_worth(state, tables, weights, me, ways, encounter)
        if worth > best:
            found = encounter
            best = worth
    return found, best / POINT if found >= 0 else 0.0


@rule
def site_worth(state, me, ways, to_key):
    """Return what a point of a location costs others at a distance from the key, less me."""
    threats = state["memo"][me, THREATS] & FIELDS
    seats = threats & behind(ways, to_key)
    mine = field(seats, SEAT_BITS, me)
    return sum_of(seats) - 2 * mine


@rule
def best_site(state, tables, me):
    """Return what a point of a location is worth on the best open square, 0 if it only harms.

    As `block_worth` says it of squares without a stack. The nearer to the key, the more it stops:
    the best square is the nearest one that I have passed, or the nearest of all.
    """
    ways = state["ways"]
    my_way = field(ways, SEAT_BITS, me)
    nearest = FIELD >> 1
    passed = FIELD >> 1
    rest = state["open_squares"] & ((1 << tables["encounters"]) - 1)
    while rest != 0:
        to_key = tables["distance"][tables["encounter_square"][lowest(rest)]]
        rest &= rest - 1
        nearest = min(nearest, to_key)
        passed = min(passed, to_key if to_key >= my_way else passed)
    best = max(site_worth(state, me, ways, nearest), site_worth(state, me, ways, passed))
    return min(max(0, int(POINT / TURN * best)), MOST)


@rule
def note_blocks(state, tables, weights, me, what):
    """Note what a point on the best square is worth for a location (SITE), or a creature (LAIR)."""
    if state["memo"][me, THREATS] == 0:
        note_threats(state, weights, me)
    noted = what
    if what == SITE:
        noted |= best_site(state, tables, me)
    else:
        _where, point = best_block(state, tables, weights, me, lairs(state, tables))
        noted |= int(POINT * max(0.0, point)) << BLOCK_BITS
    state["memo"][me, BLOCKS] |= noted


@rule
def choose_challenge(state, tables, weights, me, best, found, least):
    """Return the card of the challenge row that is worth most, `found` if none is beyond `best`.

    And all that are worth more than `least`, as choices of MAIN.
    """
    wanted = 0
    price = weights[Weight.PRICE]
    visible = location_places(tables)
    locations = state["legal"] >> _CHALLENGE & ((1 << visible) - 1)
    creatures = state["legal"] >> _CHALLENGE & ((1 << (_TRAVEL - _CHALLENGE)) - 1) & -1 << visible
    if locations != 0:
        if state["memo"][me, BLOCKS] & SITE == 0:
            note_blocks(state, tables, weights, me, SITE)
        site = field(state["memo"][me, BLOCKS], BLOCK_BITS, 0) / POINT
        while locations != 0 and site > 0.0:
            place = lowest(locations)
            locations &= locations - 1
            cost = price_at(state["location_prices"], place)
            worth = site * max(1.0, cost - 2.0) - price * cost
            wanted |= (worth > least) << (_CHALLENGE + place)
            if worth > best:
                best = worth
                found = _CHALLENGE + place
    if creatures != 0:
        if state["memo"][me, BLOCKS] & LAIR == 0:
            note_blocks(state, tables, weights, me, LAIR)
        lair = field(state["memo"][me, BLOCKS], BLOCK_BITS, 1) / POINT
        while creatures != 0 and lair > 0.0:
            place = lowest(creatures)
            creatures &= creatures - 1
            cost = price_at(state["creature_prices"], place - visible)
            worth = lair * max(1.0, cost - 1.0) - price * cost
            wanted |= (worth > least) << (_CHALLENGE + place)
            if worth > best:
                best = worth
                found = _CHALLENGE + place
    return found, wanted


@rare
def choose_lay(state, tables, weights, me, places, kind):
    """Return where to lay equipment on a stack as a choice of PUT, -1 for nowhere.

    places: bits by encounter.
    """
    points = tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
    if places == 0 or points == 0 or weights[Weight.LAY] == 0:
        return -1
    where, point = best_block(state, tables, weights, me, places)
    return 4 + where if where >= 0 and points * point * weights[Weight.LAY] > 1.0 else -1


@rule
def lairs_with_room(state):
    """Return the encounters where equipment of some type can go, as bits."""
    return state["rooms"][0] | state["rooms"][1] | state["rooms"][2]


@rule
def choose_to_lay(state, tables, weights, me):
    """Return equipment of the hand that is best laid on a stack; 0 for none."""
    rest = state["legal"] >> _PLAY & state["hand_gear"]
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        kind = tables["card_kind"][state["hand"][me, place]]
        places = stacks_for(state, tables, tables["type"][kind] - 1)
        if places != 0 and choose_lay(state, tables, weights, me, places, kind) >= 0:
            return _PLAY + place
    return 0
