"""The scripted players of Dobbers.

`weighing` is one competent player with weights: it counts every card, piece of equipment, stack
and risk in points until the end of the game and takes the best. The strategies `runner`,
`fighter`, `blocker`, `economist`, the collectors, `balanced` and the solo players are sets of its
weights, in dobbers.toml. `steady` takes the lowest choice; with a blunder of 1 it is `random`.

Nothing here looks at what a player cannot see: the order of decks, other hands, the text side of
challenge cards that nobody has turned over, equipment that others laid face down.
"""

from __future__ import annotations

from enum import IntEnum

from sim.choices import seat_after
from sim.dobbers.piles import hindrance
from sim.dobbers.points import has_item
from sim.dobbers.stacks import immune_points, lairs, open_squares, stacks_for, travel_number
from sim.dobbers.state import (
    CULL_PILE,
    GAINS,
    MAX_EDGES,
    PLACES,
    SLOTS,
    TEXT_OPS,
    Gain,
    Hinder,
    Main,
    Op,
    Prompt,
    Type,
)
from sim.jit import rare, rule
from strategies.toolkit import Script, is_legal, lowest

_RED = int(Gain.RED)
_GOLD = int(Gain.GOLD)
_INFLUENCE = int(Gain.INFLUENCE)
_DRAW = int(Gain.DRAW)
_EFFECT = int(Type.EFFECT)
_PLAY_ALL = int(Main.PLAY_ALL)
_PLAY = int(Main.PLAY)
_BUY = int(Main.BUY)
_CHALLENGE = int(Main.CHALLENGE)
_TRAVEL = int(Main.TRAVEL)
_TOKEN = int(Main.TOKEN)
_DESTROY = int(Main.DESTROY)
_IN_FIGHTS = int(Hinder.CHALLENGE)
_OP_CULL = int(Op.CULL)
_OP_RECOVER = int(Op.RECOVER)
_OP_BOON = int(Op.BOON)
_OP_BURDEN = int(Op.BURDEN)
_OP_DISCARD_EQUIPMENT = int(Op.DISCARD_EQUIPMENT)
_OP_DESTROY_EQUIPMENT = int(Op.DESTROY_EQUIPMENT)
_OP_DISCARD_CARD = int(Op.DISCARD_CARD)
_OP_BACK = int(Op.BACK)
_OP_LOSE = int(Op.LOSE_INFLUENCE)
_OP_DRAW = int(Op.DRAW)


class Weight(IntEnum):
    """Weights of `weighing`; dobbers.toml says what they mean."""

    INFLUENCE = 0
    RED = 1
    BLUE = 2
    GOLD = 3
    GOLD_AHEAD = 4
    DRAW = 5
    FADE = 6
    BUY_AT = 7
    THRIFT = 8
    DILUTION = 9
    EQUIPMENT = 10
    SYNERGY = 11
    DOBBERTON = 12
    WILD = 13
    RAT_CLAW_CLAN = 14
    DECAY = 15
    CULL = 16
    CULL_AT = 17
    TOKEN = 18
    BLOCK = 19
    CHASE = 20
    OWN_WAY = 21
    LAY = 22
    DARE = 23
    BURN = 24
    PACE = 25
    LACK = 26
    IMPATIENCE = 27


# What `weighing` notes in its memo, so that it looks around once a turn. Worths are in TICKS.
SEEN_AT = 0  # the turn of the notes, plus one
WORTH = 1  # of one point of each gain, GAINS of them
TURNS_LEFT = 6  # until somebody reaches the key
USES = 7  # of an effect bought now, until then
WEARS = 8  # of a piece of equipment bought now, until then
SHARED = 9  # by alignment from 1: chance that another card of it is in play
OWNED = 13  # by slot, WORD bits each: worth of the best equipment owned, wherever it is
PILE = 14  # cards owned that are not equipped
STAND = 15  # packed: red and gold points of late, own square, turns waited there


TICKS = 256.0
LONG = 40.0  # turns; what lies further ahead is not planned for
WORD = 20


def steady(state, tables, prompt, weights):
    """Take the lowest choice."""
    return lowest(state["legal"])


# ---- what cards are worth -----------------------------------------------------------------


@rule
def worth_of(memo, gains, row):
    """Return what a row of gains is worth, once."""
    total = 0.0
    for gain in range(GAINS):
        total += gains[row, gain] * memo[WORTH + gain]
    return total / TICKS


@rare
def way_worth(tables, weights, memo, text, way):
    """Return what one way of a text is worth to whom it is carried out for."""
    total = 0.0
    for place in range(TEXT_OPS):
        op = tables["text_op"][text, way, place]
        if op == 0:
            break
        amount = tables["text_amount"][text, way, place]
        if op <= _OP_DRAW:
            total += amount * memo[WORTH + op - 1] / TICKS
        elif op == _OP_CULL:
            total += amount * weights[Weight.CULL]
        elif op == _OP_RECOVER:
            total += amount * memo[WORTH + _DRAW] / TICKS
        elif op == _OP_BOON:
            total += amount * weights[Weight.TOKEN]
        elif op == _OP_BURDEN:
            total -= amount * weights[Weight.TOKEN]
        elif op == _OP_DISCARD_EQUIPMENT:
            total -= 2.0 * amount
        elif op == _OP_DESTROY_EQUIPMENT:
            total -= 4.0 * amount
        elif op == _OP_DISCARD_CARD:
            total -= amount * memo[WORTH + _DRAW] / TICKS
        elif op == _OP_BACK:
            total -= 2.5 * amount
        elif op == _OP_LOSE:
            total -= amount * memo[WORTH + _INFLUENCE] / TICKS
    return total


@rare
def text_worth(tables, weights, memo, text):
    """Return what a text is worth, the better way of two."""
    worth = way_worth(tables, weights, memo, text, 0)
    if tables["text_ways"][text] > 1:
        worth = max(worth, way_worth(tables, weights, memo, text, 1))
    return worth


@rule
def kind_worth(tables, weights, memo, kind):
    """Return what a card gives each time it is played or used, in points."""
    worth = worth_of(memo, tables["gain"], kind)
    alignment = tables["alignment"][kind]
    if alignment != 0:
        if tables["has_bonus"][kind] != 0:
            bonus = worth_of(memo, tables["bonus"], kind)
            chance = memo[SHARED + alignment - 1] / TICKS
            worth += weights[Weight.SYNERGY] * chance * bonus
        worth *= weights[Weight.DOBBERTON + alignment - 1]
    if tables["text"][kind] != 0:
        worth += text_worth(tables, weights, memo, tables["text"][kind])
    return worth


@rule
def worn_worth(state, tables, weights, memo, seat, slot):
    """Return what the equipment of a slot gives a turn, its forge card too; 0 for none."""
    card = state["equipment"][seat, slot] - 1
    if card < 0:
        return 0.0
    worth = kind_worth(tables, weights, memo, tables["card_kind"][card])
    under = state["forged"][seat, slot] - 1
    if under >= 0:
        worth += worth_of(memo, tables["forge"], tables["card_kind"][under])
    return worth


# ---- looking around -----------------------------------------------------------------------


@rule
def points_to_go(state, tables, seat):
    """Return the sum of travel numbers between a seat and the key."""
    return tables["distance"][state["square"][seat]]


@rule
def pace_of(state, tables, weights, seat):
    """Return the points of travel a seat makes a turn: what it did, and what one expects."""
    whole = tables["distance"][tables["start_square"][0]]
    turns = 1 + state["turn"] // state["players"]
    gone = whole - points_to_go(state, tables, seat)
    return max(0.5, (gone + 4.0 * weights[Weight.PACE]) / (turns + 4.0))


@rule
def power_of(memo):
    """Return the red and gold points I had in the best of my last turns, fading."""
    return (memo[STAND] & 65535) / TICKS


@rule
def waited(memo):
    """Return the turns I have begun on the square where I stand, but for the first."""
    return memo[STAND] >> 32


@rare
def note_stand(state, memo, me):
    """Note where I stand at the start of a turn, and how long; let the points of old turns fade."""
    power = (memo[STAND] & 65535) * 15 // 16
    square = memo[STAND] >> 16 & 65535
    turns = memo[STAND] >> 32
    here = state["square"][me] + 1
    turns = min(turns + 1, 1000) if square == here else 0
    memo[STAND] = power | here << 16 | turns << 32


@rule
def note_power(state, memo):
    """Note the red and gold points of this turn, if they are more than those of late."""
    power = min(int(TICKS) * (state["red"] + state["gold"]), 65535)
    if power > memo[STAND] & 65535:
        memo[STAND] += power - (memo[STAND] & 65535)


@rare
def stack_guess(state, tables, me, encounter):
    """Return the points a stack is thought to have against me, and whether all of it is known.

    Of cards nobody has turned over only cost, icon and type can be seen; locations have about two
    points less than they cost, creatures one.
    """
    location = state["location"][encounter] - 1
    item = has_item(state, tables, me, tables["location_icon"][location])
    sure = 1
    if state["known_locations"] >> location & 1 != 0:
        if item:
            total = 1.0 * tables["location_reduced"][location]
        else:
            total = 1.0 * tables["location_points"][location]
    else:
        sure = 0
        total = max(1.0, tables["location_cost"][location] - (3.4 if item else 2.0))
    creature = state["creature"][encounter] - 1
    if creature >= 0:
        if state["known_creatures"] >> creature & 1 != 0:
            total += tables["creature_points"][creature]
        else:
            sure = 0
            total += max(1.0, tables["creature_cost"][creature] - 1.0)
    for slot in range(SLOTS):
        card = state["gear"][encounter, slot] - 1
        if card >= 0:
            owner = state["gear_owner"][encounter, slot]
            if owner != 0 and owner != me + 1:
                sure = 0
                total += 1.7
            else:
                kind = tables["card_kind"][card]
                total += tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
    return total + hindrance(state, tables, me, _IN_FIGHTS), sure


@rare
def lacking(state, tables, me, seat):
    """Return the points by which stacks ahead of a seat exceed what I have had of late."""
    power = power_of(state["memo"][me])
    total = 0.0
    left = points_to_go(state, tables, seat)
    for encounter in range(tables["encounters"]):
        to_key = tables["distance"][tables["encounter_square"][encounter]]
        if state["location"][encounter] != 0 and to_key < left:
            needed, _sure = stack_guess(state, tables, me, encounter)
            total += max(0.0, needed - power)
    return total


@rare
def turns_to_go(state, tables, weights, me, seat):
    """Return the turns a seat will take to the key, those to get strong enough for stacks too."""
    turns = points_to_go(state, tables, seat) / pace_of(state, tables, weights, seat)
    return max(1.0, turns + weights[Weight.LACK] * lacking(state, tables, me, seat))


@rare
def note_card(state, tables, weights, memo, card, counts, slots):
    """Count a card owned by alignment; note the best equipment. counts, slots: packed words."""
    kind = tables["card_kind"][card]
    counts += 1 << (12 * tables["alignment"][kind])
    slot = tables["type"][kind] - 1
    if slot >= 0:
        worth = max(0, int(TICKS * kind_worth(tables, weights, memo, kind)))
        worth = min(worth, (1 << WORD) - 1)
        if worth > slots >> (WORD * slot) & ((1 << WORD) - 1):
            slots &= ~(((1 << WORD) - 1) << (WORD * slot))
            slots |= worth << (WORD * slot)
    return counts, slots


@rare
def look_around(state, tables, weights, me):
    """Note the turns left, what points are worth, what is owned."""
    memo = state["memo"][me]
    memo[SEEN_AT] = state["turn"] + 1
    note_stand(state, memo, me)
    left = turns_to_go(state, tables, weights, me, me)
    mine = left
    for place in range(1, state["players"]):
        seat = seat_after(state, me, place)
        left = min(left, turns_to_go(state, tables, weights, me, seat))
    left = 0.5 * (left + mine) if mine < 2.0 * left else left
    memo[TURNS_LEFT] = int(TICKS * left)
    ahead = 0
    for encounter in range(tables["encounters"]):
        square = tables["encounter_square"][encounter]
        if state["location"][encounter] != 0 and tables["distance"][square] < points_to_go(
            state, tables, me
        ):
            ahead += 1
    gold = weights[Weight.GOLD] + weights[Weight.GOLD_AHEAD] * min(ahead, 3)
    # what influence buys pays in every turn after; the last turns' influence buys nothing
    turns = max(0.0, min(left, LONG) - weights[Weight.FADE])
    memo[WORTH + _INFLUENCE] = int(TICKS * weights[Weight.INFLUENCE] * turns / 10.0)
    memo[WORTH + _RED] = int(TICKS * (weights[Weight.RED] + 0.3 * gold))
    memo[WORTH + _RED + 1] = int(TICKS * weights[Weight.BLUE])
    memo[WORTH + _GOLD] = int(TICKS * gold)
    memo[WORTH + _DRAW] = int(TICKS * weights[Weight.DRAW])
    counts = 0
    slots = 0
    cards = 0
    card = state["deck"][me]
    while card != 0:
        counts, slots = note_card(state, tables, weights, memo, card - 1, counts, slots)
        card = state["next"][card - 1]
        cards += 1
    card = state["discard"][me]
    while card != 0:
        counts, slots = note_card(state, tables, weights, memo, card - 1, counts, slots)
        card = state["next"][card - 1]
        cards += 1
    for place in range(state["hand_size"][me]):
        card = state["hand"][me, place] + 1
        counts, slots = note_card(state, tables, weights, memo, card - 1, counts, slots)
        cards += 1
    worn = 0
    for slot in range(SLOTS):
        card = state["equipment"][me, slot]
        if card != 0:
            counts, slots = note_card(state, tables, weights, memo, card - 1, counts, slots)
            worn |= 1 << tables["alignment"][tables["card_kind"][card - 1]]
    memo[OWNED] = slots
    memo[PILE] = cards
    for alignment in range(1, 5):
        share = (counts >> (12 * alignment) & 4095) / max(1, cards)
        chance = 1.0 if worn >> alignment & 1 != 0 else min(1.0, 4.0 * share)
        memo[SHARED + alignment - 1] = int(TICKS * chance)
    drawn = max(1, tables["draw"])
    wait = state["deck_size"][me] / drawn  # turns until the pile that a purchase joins is shuffled
    memo[USES] = int(TICKS * max(0.0, left - wait) * drawn / (cards + 1))
    memo[WEARS] = int(TICKS * max(0.0, left - wait - 0.5 * cards / drawn))


# ---- stacks -------------------------------------------------------------------------------


@rare
def stored_points(state, tables, me, gain):
    """Return the points that my positive tokens hold."""
    points = 0
    for kind in range(tables["token_kinds"]):
        if tables["token_hinders"][kind] == 0:
            points += state["tokens"][me, kind] * tables["token_gain"][kind, gain]
    return points


@rare
def dares(state, tables, weights, me, edge):
    """Say whether to go along an edge: always where no stack waits, else if it can be beaten."""
    square = tables["edge_to"][state["square"][me], edge] - 1
    encounter = tables["encounter"][square] - 1
    if encounter < 0 or state["location"][encounter] == 0:
        return True
    number = travel_number(state, tables, me, edge)
    red = state["red"] - max(0, number - state["blue"])
    points = state["gold"] + red + stored_points(state, tables, me, _RED)
    creature = state["creature"][encounter] - 1
    if creature >= 0 and state["known_creatures"] >> creature & 1 != 0:
        lost_red, lost_gold = immune_points(state, tables, encounter)
        points -= lost_red + lost_gold
    needed, sure = stack_guess(state, tables, me, encounter)
    if sure != 0:
        return points >= needed
    patience = weights[Weight.IMPATIENCE] * waited(state["memo"][me])
    return points >= needed + weights[Weight.DARE] - patience


@rare
def block_worth(state, tables, weights, me, encounter, points):
    """Return what so many points on a square are worth: what they cost others, less me."""
    to_key = tables["distance"][tables["encounter_square"][encounter]]
    mine = turns_to_go(state, tables, weights, me, me)
    total = 0.0
    for place in range(1, state["players"]):
        seat = seat_after(state, me, place)
        if points_to_go(state, tables, seat) > to_key:
            theirs = turns_to_go(state, tables, weights, me, seat)
            # who is far behind is no threat, who is ahead the more
            total += (
                min(1.5, mine / theirs)
                if weights[Weight.CHASE] == 0
                else (min(2.0, mine / theirs) ** weights[Weight.CHASE])
            )
    total *= weights[Weight.BLOCK]
    if points_to_go(state, tables, me) > to_key:
        total -= weights[Weight.OWN_WAY]
    return total * points


@rare
def best_block(state, tables, weights, me, places, points, shift):
    """Return the best of the encounters in `places` for so many points, and its worth.

    places: bits from `shift` on. Returns (-1, 0) for none.
    """
    found = -1
    best = 0.0
    for encounter in range(tables["encounters"]):
        if places >> (encounter + shift) & 1 != 0:
            worth = block_worth(state, tables, weights, me, encounter, points)
            if found < 0 or worth > best:
                found = encounter
                best = worth
    return found, best


@rule
def front_points(state, tables, place):
    """Return the points a card of the challenge row is thought to have, by its front."""
    visible = tables["locations_visible"]
    if place < visible:
        return max(1.0, tables["location_cost"][state["location_row"][place] - 1] - 2.0)
    return max(1.0, tables["creature_cost"][state["creature_row"][place - visible] - 1] - 1.0)


# ---- what to do ---------------------------------------------------------------------------


@rare
def buy_worth(state, tables, weights, me, kind):
    """Return what an adventure card is worth until the end of the game, in points."""
    memo = state["memo"][me]
    worth = kind_worth(tables, weights, memo, kind)
    slot = tables["type"][kind] - 1
    if slot < 0:
        usual = weights[Weight.DILUTION] * memo[WORTH + _INFLUENCE] / TICKS
        return (worth - usual) * memo[USES] / TICKS
    owned = (memo[OWNED] >> (WORD * slot) & ((1 << WORD) - 1)) / TICKS
    better = max(0.0, worth - owned)
    if tables["can_forge"][kind] != 0:
        better = max(better, 0.8 * worth_of(memo, tables["forge"], kind))
    return weights[Weight.EQUIPMENT] * better * memo[WEARS] / TICKS


@rare
def choose_purchase(state, tables, weights, me):
    """Return the purchase that is worth most, as a choice of MAIN, 0 for none."""
    legal = state["legal"]
    best = weights[Weight.BUY_AT]
    found = 0
    for place in range(tables["row_size"]):
        if is_legal(legal, _BUY + place):
            kind = tables["card_kind"][state["row"][place] - 1]
            worth = buy_worth(state, tables, weights, me, kind)
            worth -= weights[Weight.THRIFT] * tables["cost"][kind]
            if worth > best:
                best = worth
                found = _BUY + place
    if weights[Weight.BLOCK] > 0 and legal >> _CHALLENGE & ((1 << (_TRAVEL - _CHALLENGE)) - 1) != 0:
        visible = tables["locations_visible"]
        for place in range(_TRAVEL - _CHALLENGE):
            if is_legal(legal, _CHALLENGE + place):
                squares = open_squares(state, tables) if place < visible else lairs(state, tables)
                points = front_points(state, tables, place)
                where, worth = best_block(state, tables, weights, me, squares, points, 0)
                if where >= 0 and worth > best:
                    best = worth
                    found = _CHALLENGE + place
    return found


@rare
def choose_put(state, tables, weights, me, place):
    """Return the best use of equipment in hand as a choice of PUT, -1 for none."""
    memo = state["memo"][me]
    kind = tables["card_kind"][state["hand"][me, place]]
    slot = tables["type"][kind] - 1
    worth = kind_worth(tables, weights, memo, kind)
    if state["equipment"][me, slot] == 0:
        return 0
    if (
        state["replaced"] >> slot & 1 == 0
        and worth > worn_worth(state, tables, weights, memo, me, slot) + 0.05
    ):
        return 0
    if tables["can_forge"][kind] != 0:
        for other in range(SLOTS):
            if state["equipment"][me, other] != 0 and state["forged"][me, other] == 0:
                return 1 + other
    return -1


@rare
def choose_lay(state, tables, weights, me, places, kind):
    """Return where to lay equipment on a stack as a choice of PUT, -1 for nowhere."""
    points = tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
    if points == 0 or weights[Weight.LAY] == 0:
        return -1
    where, worth = best_block(state, tables, weights, me, places, 1.0 * points, 4)
    return 4 + where if where >= 0 and worth * weights[Weight.LAY] > 1.0 else -1


@rare
def choose_from_hand(state, tables, weights, me, equipping):
    """Return an effect with a question, or equipment, worth playing; 0 for none."""
    memo = state["memo"][me]
    legal = state["legal"]
    for place in range(min(state["hand_size"][me], PLACES)):
        if is_legal(legal, _PLAY + place):
            kind = tables["card_kind"][state["hand"][me, place]]
            if tables["type"][kind] == _EFFECT:
                asks = (tables["text"][kind] != 0) & (tables["outwits"][kind] == 0)
                if asks and not equipping and kind_worth(tables, weights, memo, kind) > 0:
                    return _PLAY + place
            elif equipping:
                if choose_put(state, tables, weights, me, place) >= 0:
                    return _PLAY + place
                slot = tables["type"][kind] - 1
                places = stacks_for(state, tables, slot) << 4
                if places != 0 and choose_lay(state, tables, weights, me, places, kind) >= 0:
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
def choose_travel(state, tables, weights, me):
    """Return the step nearest to the key that can be taken and dared, or a token for it; or 0."""
    square = state["square"][me]
    missing = 0
    for edge in range(MAX_EDGES):
        to = tables["edge_to"][square, edge] - 1
        if to >= 0 and tables["distance"][to] < tables["distance"][square]:
            if is_legal(state["legal"], _TRAVEL + edge):
                if dares(state, tables, weights, me, edge):
                    return _TRAVEL + edge
            elif state["arrived"][me] == 0:
                number = travel_number(state, tables, me, edge)
                short = number - state["blue"] - state["red"]
                encounter = tables["encounter"][to] - 1
                free = encounter < 0 or state["location"][encounter] == 0
                if free and 0 < short <= stored_points(state, tables, me, _RED):
                    missing = 1
    return choose_token(state, tables, me, _RED) if missing != 0 else 0


@rare
def choose_burn(state, tables, weights, me):
    """Return a card played that is worth more destroyed than kept, as a choice of MAIN; or 0."""
    memo = state["memo"][me]
    number = 0
    for played in range(state["played_size"]):
        kind = tables["card_kind"][state["played"][played]]
        text = tables["destroy_text"][kind]
        if text != 0:
            if not is_legal(state["legal"], _DESTROY + number):
                return 0
            usual = weights[Weight.DILUTION] * memo[WORTH + _INFLUENCE] / TICKS
            kept = (kind_worth(tables, weights, memo, kind) - usual) * memo[USES] / TICKS
            if text_worth(tables, weights, memo, text) * weights[Weight.BURN] > kept:
                return _DESTROY + number
            number += 1
    return 0


@rare
def choose_main(state, tables, weights, me):
    """Equip, play what asks, then all; travel as far as one dares, buy, end the turn.

    What destroys cards of the hand is played while they are still there.
    """
    legal = state["legal"]
    hand = legal >> _PLAY & ((1 << PLACES) - 1)
    if hand != 0:
        choice = choose_from_hand(state, tables, weights, me, True)
        if choice != 0:
            return choice
    if hand != 0:
        choice = choose_from_hand(state, tables, weights, me, False)
        if choice != 0:
            return choice
    if is_legal(legal, _PLAY_ALL):
        return _PLAY_ALL
    if legal >> _DESTROY & ((1 << 8) - 1) != 0:
        choice = choose_burn(state, tables, weights, me)
        if choice != 0:
            return choice
    note_power(state, state["memo"][me])
    choice = choose_travel(state, tables, weights, me)
    if choice != 0:
        return choice
    choice = choose_token(state, tables, me, _INFLUENCE)
    if choice != 0:
        return choice
    return choose_purchase(state, tables, weights, me)


@rare
def choose_fight(state, tables, weights, me):
    """After the reveal: play what is left if it can turn a defeat, else compare."""
    encounter = state["fighting"] - 1
    needed, _sure = stack_guess(state, tables, me, encounter)
    lost_red, lost_gold = immune_points(state, tables, encounter)
    points = state["red"] + state["gold"] - lost_red - lost_gold
    if is_legal(state["legal"], _PLAY_ALL):
        return _PLAY_ALL
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
    points = front_points(state, tables, place - _CHALLENGE)
    where, _worth = best_block(state, tables, weights, me, legal, points, 1)
    return 1 + where if where >= 0 else lowest(legal)


@rare
def choose_cull(state, tables, weights, me):
    """Destroy the worst card of hand and discard pile, if it is bad enough."""
    memo = state["memo"][me]
    worst = weights[Weight.CULL_AT]
    found = 0
    legal = state["legal"]
    card = state["discard"][me]
    depth = CULL_PILE
    while card != 0 and is_legal(legal, depth):
        kind = tables["card_kind"][card - 1]
        worth = kind_worth(tables, weights, memo, kind)
        if tables["type"][kind] != _EFFECT:
            worth += 0.3
        if worth < worst:
            worst = worth
            found = depth
        card = state["next"][card - 1]
        depth += 1
        if depth > 62:
            break
    for place in range(min(state["hand_size"][me], PLACES)):
        kind = tables["card_kind"][state["hand"][me, place]]
        worth = kind_worth(tables, weights, memo, kind) + 0.3  # it could still be played
        if is_legal(legal, place + 1) and worth < worst:
            worst = worth
            found = place + 1
    return found if is_legal(legal, found) else lowest(legal)


@rare
def choose_recover(state, tables, weights, me):
    """Take the best card of the discard pile."""
    memo = state["memo"][me]
    legal = state["legal"]
    best = -1000.0
    found = lowest(legal)
    card = state["discard"][me]
    depth = 1
    while card != 0 and depth <= 62 and is_legal(legal, depth):
        kind = tables["card_kind"][card - 1]
        worth = kind_worth(tables, weights, memo, kind)
        if tables["type"][kind] != _EFFECT:
            slot = tables["type"][kind] - 1
            worth = (
                memo[TURNS_LEFT]
                / TICKS
                * max(0.0, worth - worn_worth(state, tables, weights, memo, me, slot))
            )
        if worth > best:
            best = worth
            found = depth
        card = state["next"][card - 1]
        depth += 1
    return found


@rare
def choose_discard(state, tables, weights, me):
    """Give up the card of the hand that is worth least."""
    memo = state["memo"][me]
    legal = state["legal"]
    if is_legal(legal, 0):
        return 0
    worst = 1000.0
    found = lowest(legal)
    for place in range(min(state["hand_size"][me], PLACES)):
        if is_legal(legal, place + 1):
            kind = tables["card_kind"][state["hand"][me, place]]
            worth = kind_worth(tables, weights, memo, kind)
            if worth < worst:
                worst = worth
                found = place + 1
    return found


@rare
def choose_loss(state, tables, weights, me):
    """Give up the piece of equipment that is worth least."""
    memo = state["memo"][me]
    worst = 1000.0
    found = lowest(state["legal"])
    for slot in range(SLOTS):
        if is_legal(state["legal"], slot + 1):
            worth = worn_worth(state, tables, weights, memo, me, slot)
            if worth < worst:
                worst = worth
                found = slot + 1
    return found


@rare
def choose_spoils(state, tables, weights, me):
    """Take captured equipment that is better than one's own, destroy what only thickens a deck."""
    memo = state["memo"][me]
    encounter = state["place"] >> 2
    slot = state["place"] & 3
    kind = tables["card_kind"][state["gear"][encounter, slot] - 1]
    worth = kind_worth(tables, weights, memo, kind)
    return 1 if worth > worn_worth(state, tables, weights, memo, me, slot) else 0


@rare
def choose_row_equipment(state, tables, weights, me):
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


def weighing(state, tables, prompt, weights):
    """Weigh every choice in points until the end of the game, and take the best."""
    me = state["seat"]
    if prompt == Prompt.HERO:
        return choose_hero(state, tables, weights)
    if prompt == Prompt.START:
        return lowest(state["legal"])
    if state["memo"][me, SEEN_AT] != state["turn"] + 1:
        look_around(state, tables, weights, me)
    if prompt == Prompt.MAIN:
        return choose_main(state, tables, weights, me)
    if prompt == Prompt.PLACE:
        return choose_place(state, tables, weights, me)
    if prompt == Prompt.PUT:
        place = state["place"]
        choice = choose_put(state, tables, weights, me, place)
        if choice < 0:
            kind = tables["card_kind"][state["hand"][me, place]]
            choice = choose_lay(state, tables, weights, me, state["legal"], kind)
        return (
            choice if choice >= 0 and is_legal(state["legal"], choice) else lowest(state["legal"])
        )
    if prompt == Prompt.FIGHT:
        return choose_fight(state, tables, weights, me)
    if prompt == Prompt.OPTION:
        memo = state["memo"][me]
        first = way_worth(tables, weights, memo, state["card"], 0)
        return 1 if way_worth(tables, weights, memo, state["card"], 1) > first else 0
    if prompt == Prompt.CULL:
        return choose_cull(state, tables, weights, me)
    if prompt == Prompt.RECOVER:
        return choose_recover(state, tables, weights, me)
    if prompt == Prompt.SPOILS:
        return choose_spoils(state, tables, weights, me)
    if prompt == Prompt.LOSE_EQUIPMENT:
        return choose_loss(state, tables, weights, me)
    if prompt == Prompt.DISCARD:
        return choose_discard(state, tables, weights, me)
    if prompt == Prompt.OUTWIT:
        kind = tables["card_kind"][state["card"]]
        return 1 if buy_worth(state, tables, weights, me, kind) > 0 else 0
    if prompt == Prompt.ROW_EQUIPMENT:
        return choose_row_equipment(state, tables, weights, me)
    where, _worth = best_block(state, tables, weights, me, state["legal"], 1.0, 1)
    return 1 + where if where >= 0 else lowest(state["legal"])


SCRIPTS = {
    "steady": Script(steady),
    "weighing": Script(weighing, Weight),
}
