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

from sim.dobbers.piles import hindrance
from sim.dobbers.stacks import (
    immune_points,
    lairs,
    location_places,
    points_needed,
    points_usable,
    price_at,
    stacks_for,
    travel_number,
)
from sim.dobbers.state import (
    CULL_PILE,
    DESTROYABLE,
    GAIN_BITS,
    GAINS,
    MAX_EDGES,
    MAX_ROW,
    MAX_TOKENS,
    PLACES,
    SLOTS,
    TEXT_OPS,
    Fact,
    Gain,
    Hinder,
    Icon,
    Main,
    Op,
    Prompt,
    Type,
)
from sim.jit import rare, rule
from strategies.toolkit import Script, is_legal, lowest

_RED = int(Gain.RED)
_BLUE = int(Gain.BLUE)
_GOLD = int(Gain.GOLD)
_INFLUENCE = int(Gain.INFLUENCE)
_DRAW = int(Gain.DRAW)
_EFFECT = int(Type.EFFECT)
_ITEM = int(Type.ITEM)
_TYPE_BITS = 7
_ALIGNMENT = int(Fact.ALIGNMENT)
_BONUS = int(Fact.BONUS)
_FORGE = int(Fact.FORGE)
_TEXT = int(Fact.TEXT)
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
    NEED = 28
    LATE = 29
    CHURN = 30
    FOLLOW = 31
    HEIGHT = 32
    PRICE = 33
    GRACE = 34
    ICON = 35


WORTHS = int(Op.LOSE_INFLUENCE)  # operations of texts that have a worth

# What `weighing` notes in its memo, so that it looks around every LOOK turns of its own, and weighs
# in between with what it has noted. Worths are in TICKS.
SEEN = 0  # packed: the turn of the notes, plus one; 1 + cards of a hand that has been gone through;
# from STAYS on, 1 + points with which no step was worth taking; from DUE on the turn from which
# the notes are too old
WORTH = 1  # by Op from its first: of one of each; its first GAINS are those of a Gain
OPS = WORTH - 1  # + an Op: the same
LEFT = WORTH + WORTHS  # packed: turns until somebody reaches the key; uses of an effect bought now
# until then; turns that a piece of equipment bought now is worn until then, times the weight of
# equipment. 0 if not noted
FACTORS = LEFT + 1  # packed by alignment: factor on cards of it
SHARED = FACTORS + 1  # packed by alignment: what a bonus is worth, as a share of its points
OWNED = SHARED + 1  # packed: cards owned by alignment, all; 1 + kind of the best of each slot
TURNS = OWNED + 1  # packed by seat: turns to the key
STAND = TURNS + 1  # packed: points for a fight of late, own square, turns waited there, turns late
THREATS = STAND + 1  # packed by seat: what a point in its way is worth; 0 if not noted
BLOCKS = THREATS + 1  # packed: worth of a point on the best square for a location, for a creature
ICONS = BLOCKS + 1  # packed by Icon: what an item of it is worth at the stacks ahead of me
BESTS = ICONS + 1  # packed by slot: worth of the best equipment owned, above LEAST; 0 if not noted
ROW = BESTS + 1  # by place: 1 + card that was looked at, above CARD_FIELD what buying it is worth
PUT = ROW + MAX_ROW  # packed: 1 + card in hand for which the best use is noted, that use
USUAL = PUT + 1  # packed: worth of the card that a new effect pushes out; from THRIFT on the points
# that each influence of a price must bring, in units of 1 / FINE

TICKS = 256.0
TICK_BITS = 8
LONG = 40.0  # turns; what lies further ahead is not planned for
LOOK = 4
HALF = 16  # bits of the turn in SEEN
BYTE = 255
STAYS = 24
DUE = 32
WORD = 20  # bits of each number in LEFT
PART = 12  # bits of each number in FACTORS and SHARED
COUNT = 6  # bits of a number of cards in OWNED, by alignment from 0, then all
ALL = 5 * COUNT
BEST = 38  # first bit of the best kinds in OWNED
KIND = 8  # bits of one
CARD_BITS = 16  # of the card in PUT
SEAT_BITS = 15  # of a seat's turns in TURNS, in units of 1 / TURN
EACH = 1 | 1 << SEAT_BITS | 1 << 2 * SEAT_BITS | 1 << 3 * SEAT_BITS  # 1 for every seat
FIELD = (1 << SEAT_BITS) - 1
FIELDS = EACH * FIELD
PAIRS = FIELD | FIELD << 2 * SEAT_BITS
HIGH = EACH << (SEAT_BITS - 1)
TURN = 64.0
ICON_TYPES = int(Icon.COMBAT) + 1
POINT = 64.0  # worths in BLOCKS are in units of 1 / POINT
BLOCK_BITS = 20
MOST = 511  # a block's worth is no more than this, nor less than its negative
NOTED = 1 << 62  # in THREATS
SITE = 1 << 61  # in BLOCKS: the best square for a location is noted
LAIR = 1 << 62
BEST_BITS = 20  # of a worth in BESTS
LEAST = -1 << 18
CARD = 9  # bits of the card in a word of ROW
CARD_FIELD = (1 << CARD) - 1
FINE = 4096.0  # worths in ROW are in units of 1 / FINE
TO_FINE = 2 * TICK_BITS - 12  # bits by which a worth times turns, both in TICKS, is finer than that
THRIFT = 24
USUAL_FIELD = (1 << THRIFT) - 1


def steady(state, tables, prompt, weights):
    """Take the lowest choice."""
    return lowest(state["legal"])


# ---- what cards are worth: whole numbers, in TICKS ----------------------------------------


@rule
def field(word, bits, place):
    """Return a packed number."""
    return word >> (bits * place) & ((1 << bits) - 1)


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
    alignment = facts >> _ALIGNMENT & 7
    worth = worth_of(state, me, tables["gains"][kind])
    if facts >> _BONUS & 1 != 0:
        share = field(state["memo"][me, SHARED], PART, alignment)
        worth += share * worth_of(state, me, tables["bonuses"][kind]) >> TICK_BITS
    worth = worth * field(state["memo"][me, FACTORS], PART, alignment) >> TICK_BITS
    if facts & _TYPE_BITS == _ITEM:
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


# ---- looking around -----------------------------------------------------------------------


@rule
def ways_of(state, tables):
    """Return each seat's points of travel to the key, packed."""
    ways = 0
    for seat in range(state["players"]):
        ways |= tables["distance"][state["square"][seat]] << (SEAT_BITS * seat)
    return ways


@rule
def behind(ways, to_key):
    """Return all bits of the seats that have further to the key than a square; packed."""
    high = ((ways | HIGH) - (to_key + 1) * EACH) & HIGH
    return (high << 1) - (high >> (SEAT_BITS - 1))


@rule
def sum_of(packed):
    """Return the sum of what is packed by seat."""
    pairs = (packed & PAIRS) + (packed >> SEAT_BITS & PAIRS)
    return (pairs + (pairs >> 2 * SEAT_BITS)) & ((1 << 2 * SEAT_BITS) - 1)


@rule
def stacks(state, tables):
    """Return the encounters with a stack, as bits."""
    return ((1 << tables["encounters"]) - 1) & ~state["open_squares"]


@rule
def power_of(state, me):
    """Return the most points I could have faced a stack with of late, fading."""
    return (state["memo"][me, STAND] & 65535) / TICKS


@rule
def waited(state, me):
    """Return the turns I have begun on the square where I stand, but for the first."""
    return state["memo"][me, STAND] >> 32 & 65535


@rule
def note_stand(state, me):
    """Note where I stand at the start of a turn, and how long; let the points of old turns fade."""
    stand = state["memo"][me, STAND]
    power = (stand & 65535) * 15 >> 4
    square = stand >> 16 & 65535
    turns = stand >> 32 & 65535
    here = state["square"][me] + 1
    turns = min(turns + 1, 1000) if square == here else 0
    state["memo"][me, STAND] = power | here << 16 | turns << 32 | stand >> 48 << 48


@rule
def note_power(state, tables, me):
    """Note the points of this turn that are left for a fight after a step, if more than of late."""
    number = tables["edge_number"][state["square"][me], 0]
    points = state["gold"] + state["red"] - max(0, number - state["blue"])
    power = min(int(TICKS) * max(points, 0), 65535)
    noted = state["memo"][me, STAND] & 65535
    if power > noted:
        state["memo"][me, STAND] += power - noted


@rule
def icon_of_mine(state, tables, me):
    """Return the type of the item I wear, 0 for none."""
    item = state["equipment"][me, SLOTS - 1]
    return tables["icon"][tables["card_kind"][item - 1]] if item != 0 else 0


@rule
def stack_guess(state, tables, me, mine, encounter):
    """Return the points a stack is thought to have against me, and whether all of it is known.

    mine: the type of my item. Of cards nobody has turned over only cost, icon and type can be
    seen; locations have about two points less than they cost, creatures one.
    """
    location = state["location"][encounter] - 1
    icon = tables["location_icon"][location]
    item = icon != 0 and icon == mine
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
    if creature < 0:  # equipment lies with creatures only
        return total, sure
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
    return total, sure


@rule
def saved_at(state, tables, encounter):
    """Return the tenths of a point that the right item saves at a stack, packed by its type."""
    location = state["location"][encounter] - 1
    saved = 14
    if state["known_locations"] >> location & 1 != 0:
        saved = 10 * (tables["location_points"][location] - tables["location_reduced"][location])
        saved = min(max(saved, 0), 255)
    return saved << (PART * tables["location_icon"][location])


@rule
def note_icons(state, weights, me, saved):
    """Note what items are worth for their types. saved: tenths of a point, packed by type."""
    icons = 0
    if saved >> PART != 0:
        for icon in range(1, ICON_TYPES):
            worth = int(0.1 * TICKS * weights[Weight.ICON] * field(saved, PART, icon))
            icons |= min(worth, (1 << PART) - 1) << (PART * icon)
    state["memo"][me, ICONS] = icons


@rule
def note_turns(state, tables, weights, me):
    """Note the turns each seat is from the key.

    Returns the stacks ahead of me, and the points that the next one needs beyond mine.
    """
    power = power_of(state, me)
    ways = ways_of(state, tables)
    lacks = 0  # packed by seat, in quarters of a point
    ahead = 0
    nearest = -1
    short = 0.0
    saved = 0
    hindered = hindrance(state, tables, me, _IN_FIGHTS)
    icon = icon_of_mine(state, tables, me)
    rest = stacks(state, tables)
    while rest != 0:
        encounter = lowest(rest)
        rest &= rest - 1
        to_key = tables["distance"][tables["encounter_square"][encounter]]
        seats = behind(ways, to_key)
        if seats != 0:
            needed, _sure = stack_guess(state, tables, me, icon, encounter)
            lack = max(0.0, needed + hindered - power)
            lacks += int(4.0 * lack) * EACH & seats
            if field(seats, SEAT_BITS, me) != 0:
                ahead += 1
                saved += saved_at(state, tables, encounter)
                if to_key > nearest:
                    nearest = to_key
                    short = lack
    note_icons(state, weights, me, saved)
    # from what has been gone so far, and where a seat should be by now
    begun = 1 + state["turn"] // state["players"]
    expected = weights[Weight.PACE]
    a_turn = 1.0 / (begun + 4.0)
    a_point = 1.0 / expected
    whole = tables["distance"][tables["start_square"][0]]
    turns = 0
    for seat in range(state["players"]):
        distance = field(ways, SEAT_BITS, seat)
        gone = whole - distance
        pace = max(0.5, (gone + 4.0 * expected) * a_turn)
        late = max(0.0, begun - gone * a_point - weights[Weight.GRACE])
        left = distance / pace + weights[Weight.LATE] * late
        left += weights[Weight.LACK] * field(lacks, SEAT_BITS, seat) / 4.0
        turns |= int(TURN * min(max(1.0, left), 500.0)) << (SEAT_BITS * seat)
        if seat == me:
            stand = state["memo"][me, STAND] & ((1 << 48) - 1)
            state["memo"][me, STAND] = stand | int(TURN * min(late, 500.0)) << 48
    state["memo"][me, TURNS] = turns
    return ahead, short


@rule
def turns_of(state, me, seat):
    """Return the turns a seat is from the key, as I noted."""
    return field(state["memo"][me, TURNS], SEAT_BITS, seat) / TURN


@rare
def with_card(state, tables, me, owned, kind):
    """Return what is noted of the cards owned with one more of a kind.

    They are counted by alignment; the best equipment of each slot is noted. Of cards worth the
    same the lowest kind is noted, whatever order they are listed in.
    """
    facts = tables["facts"][kind]
    owned += 1 << (COUNT * (facts >> _ALIGNMENT & 7)) | 1 << ALL
    slot = (facts & _TYPE_BITS) - 1
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
    slot = (facts & _TYPE_BITS) - 1
    owned = state["memo"][me, OWNED]
    if slot < 0 or field(owned >> BEST, KIND, slot) != kind + 1:
        state["memo"][me, OWNED] = owned - (1 << (COUNT * (facts >> _ALIGNMENT & 7)) | 1 << ALL)


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


@rare
def note_tastes(state, weights, me):
    """Note what depends on nothing but weights: worths of operations, factors on alignments."""
    fresh = int(TICKS * weights[Weight.DRAW])
    token = int(TICKS * weights[Weight.TOKEN])
    state["memo"][me, WORTH + _BLUE] = int(TICKS * weights[Weight.BLUE])
    state["memo"][me, WORTH + _DRAW] = fresh
    state["memo"][me, OPS + _OP_CULL] = int(TICKS * weights[Weight.CULL])
    state["memo"][me, OPS + _OP_RECOVER] = fresh
    state["memo"][me, OPS + _OP_BOON] = token
    state["memo"][me, OPS + _OP_BURDEN] = -token
    state["memo"][me, OPS + _OP_DISCARD_EQUIPMENT] = int(-2 * TICKS)
    state["memo"][me, OPS + _OP_DESTROY_EQUIPMENT] = int(-4 * TICKS)
    state["memo"][me, OPS + _OP_DISCARD_CARD] = -fresh
    state["memo"][me, OPS + _OP_BACK] = int(-2.5 * TICKS)
    factors = int(TICKS)
    for alignment in range(4):
        factor = int(TICKS * weights[Weight.DOBBERTON + alignment])
        factors |= factor << (PART * (alignment + 1))
    state["memo"][me, FACTORS] = factors


@rule
def note_worths(state, weights, me, left, ahead, short):
    """Note what points are worth. short: points that the next of the stacks ahead needs."""
    if state["memo"][me, FACTORS] == 0:
        note_tastes(state, weights, me)
    gold = weights[Weight.GOLD] + weights[Weight.GOLD_AHEAD] * min(ahead, 3)
    gold += weights[Weight.NEED] * min(short, 5.0)
    # what influence buys pays in every turn after; the last turns' influence buys nothing
    turns = 0.1 * max(0.0, left - weights[Weight.FADE])
    influence = int(TICKS * weights[Weight.INFLUENCE] * turns)
    state["memo"][me, WORTH + _INFLUENCE] = influence
    state["memo"][me, WORTH + _RED] = int(TICKS * max(gold, weights[Weight.RED] + 0.3 * gold))
    state["memo"][me, WORTH + _GOLD] = int(TICKS * gold)
    state["memo"][me, OPS + _OP_LOSE] = -influence
    usual = min(max(int(weights[Weight.DILUTION] * influence), 0), USUAL_FIELD)
    state["memo"][me, USUAL] = usual | int(FINE * weights[Weight.THRIFT]) << THRIFT


@rule
def note_cards(state, tables, weights, me, left):
    """Note what is owned, and what that makes of bonuses and of cards bought now."""
    cards = state["deck_size"][me] + state["discard_size"][me] + state["hand_size"][me]
    if state["active"] == me:
        cards += state["played_size"]
    worn = 0
    owned = cards
    for slot in range(SLOTS):
        card = state["equipment"][me, slot]
        if card != 0:
            worn |= 1 << tables["alignment"][tables["card_kind"][card - 1]]
            owned += 1
    if state["memo"][me, OWNED] >> ALL & 255 != owned:  # purchases are noted when they are made
        state["memo"][me, OWNED] = all_owned(state, tables, me)
    shared = 0
    share = 1.0 / max(1, cards)
    for alignment in range(4):
        count = field(state["memo"][me, OWNED], COUNT, alignment + 1)
        chance = 1.0 if worn >> (alignment + 1) & 1 != 0 else min(1.0, 4.0 * share * count)
        worth = int(TICKS * weights[Weight.SYNERGY] * chance)
        shared |= worth << (PART * (alignment + 1))
    state["memo"][me, SHARED] = shared
    drawn = max(1, tables["draw"])
    pile = 1.0 / drawn
    wait = state["deck_size"][me] * pile  # turns until the pile that a purchase joins is shuffled
    uses = max(0.0, left - wait) * drawn * share
    wears = weights[Weight.EQUIPMENT] * max(0.0, left - wait - 0.5 * cards * pile)
    state["memo"][me, LEFT] = (
        int(TICKS * left) | int(TICKS * uses) << WORD | int(TICKS * wears) << (2 * WORD)
    )


@rule
def forget_row(state, me):
    """Forget what purchases are worth."""
    state["memo"][me, BESTS] = 0
    for place in range(MAX_ROW):
        state["memo"][me, ROW + place] = 0


@rule
def begin(state, me):
    """Note that a turn has begun; forget what was seen too long ago."""
    turn = state["turn"]
    due = state["memo"][me, SEEN] >> DUE
    state["memo"][me, SEEN] = turn + 1 | due << DUE
    state["memo"][me, PUT] = 0
    state["memo"][me, BLOCKS] = 0
    if turn >= due:
        state["memo"][me, LEFT] = 0
        state["memo"][me, THREATS] = 0
        forget_row(state, me)
    if state["active"] == me:
        note_stand(state, me)


@rare
def look_around(state, tables, weights, me):
    """Note the turns left, what points are worth, what is owned."""
    ahead, short = note_turns(state, tables, weights, me)
    mine = turns_of(state, me, me)
    left = mine
    for seat in range(state["players"]):
        left = min(left, turns_of(state, me, seat))
    left = min(0.5 * (left + mine) if mine < 2.0 * left else left, LONG)
    note_worths(state, weights, me, left, ahead, short)
    note_cards(state, tables, weights, me, left)
    due = state["turn"] + LOOK * state["players"]
    state["memo"][me, SEEN] = state["memo"][me, SEEN] & ((1 << DUE) - 1) | due << DUE


# ---- stacks -------------------------------------------------------------------------------


@rare
def stored_points(state, tables, me, gain):
    """Return the points that my positive tokens hold."""
    points = 0
    if state["held_tokens"][me] == 0:
        return points
    for kind in range(tables["token_kinds"]):
        if tables["token_hinders"][kind] == 0:
            points += state["tokens"][me, kind] * tables["token_gain"][kind, gain]
    return points


@rule
def dares(state, tables, weights, me, edge):
    """Say whether to go along an edge: always where no stack waits, else if it can be beaten."""
    square = tables["edge_to"][state["square"][me], edge] - 1
    encounter = tables["encounter"][square] - 1
    if encounter < 0 or state["location"][encounter] == 0:
        return True
    number = travel_number(state, tables, me, edge)
    red = state["red"] - max(0, number - state["blue"])
    points = state["gold"] + red
    if state["held_tokens"][me] != 0:
        points += stored_points(state, tables, me, _RED)
    creature = state["creature"][encounter] - 1
    if creature >= 0 and state["known_creatures"] >> creature & 1 != 0:
        lost_red, lost_gold = immune_points(state, tables, encounter)
        points -= lost_red + lost_gold
    icon = icon_of_mine(state, tables, me)
    needed, sure = stack_guess(state, tables, me, icon, encounter)
    if sure != 0:
        return points >= points_needed(state, tables, me, encounter)
    needed += hindrance(state, tables, me, _IN_FIGHTS)
    patience = weights[Weight.IMPATIENCE] * waited(state, me)
    return points >= needed + weights[Weight.DARE] - patience


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


@rare
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
    ways = ways_of(state, tables)
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
    ways = ways_of(state, tables)
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


# ---- what to do ---------------------------------------------------------------------------


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


@rare
def buy_worth(state, tables, me, kind):
    """Return what an adventure card is worth until the end of the game, in units of 1 / FINE."""
    worth = kind_worth(state, tables, me, kind)
    facts = tables["facts"][kind]
    slot = (facts & _TYPE_BITS) - 1
    if slot < 0:
        worth -= state["memo"][me, USUAL] & USUAL_FIELD
        return worth * field(state["memo"][me, LEFT], WORD, 1) >> TO_FINE
    better = max(0, worth - best_worth(state, tables, me, slot))
    if facts >> _FORGE & 1 != 0:
        better = max(better, 4 * forge_worth(state, tables, me, kind) // 5)
    return better * field(state["memo"][me, LEFT], WORD, 2) >> TO_FINE


@rare
def note_row(state, tables, weights, me, places):
    """Note what cards of the adventure row are worth buying. places: theirs, as bits."""
    # who is stuck wants to see other cards
    fresh = int(FINE / TURN * weights[Weight.CHURN] * (state["memo"][me, STAND] >> 48))
    while places != 0:
        place = lowest(places)
        places &= places - 1
        card = state["row"][place]
        worth = buy_worth(state, tables, me, tables["card_kind"][card - 1])
        worth -= (state["memo"][me, USUAL] >> THRIFT) * price_at(state["row_prices"], place)
        state["memo"][me, ROW + place] = (worth + fresh) << CARD | card


@rule
def choose_purchase(state, tables, weights, me):
    """Return the purchase that is worth most, as a choice of MAIN, 0 for none.

    No branch depends on which card is the best: nobody could guess that.
    """
    legal = state["legal"]
    places = legal >> _BUY & ((1 << MAX_ROW) - 1)
    new = 0
    for place in range(MAX_ROW):
        known = state["memo"][me, ROW + place] & CARD_FIELD == state["row"][place]
        new |= (not known) << place
    if places & new != 0:
        note_row(state, tables, weights, me, places & new)
    best = int(FINE * weights[Weight.BUY_AT]) << CARD
    for place in range(MAX_ROW):
        worth = state["memo"][me, ROW + place] | CARD_FIELD
        worth -= place  # of equals the first
        best = max(best, worth if places >> place & 1 != 0 else best)
    found = _BUY + CARD_FIELD - (best & CARD_FIELD)
    if best & CARD_FIELD == 0:
        found = 0
    if weights[Weight.BLOCK] > 0 and legal >> _CHALLENGE & ((1 << (_TRAVEL - _CHALLENGE)) - 1) != 0:
        return choose_challenge(state, tables, weights, me, (best >> CARD) / FINE, found)
    return found


@rare
def choose_challenge(state, tables, weights, me, best, found):
    """Return the card of the challenge row that is worth most, `found` if none is beyond `best`."""
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
            if worth > best:
                best = worth
                found = _CHALLENGE + place
    return found


@rule
def choose_put(state, tables, me, place):
    """Return the best use of equipment in hand as a choice of PUT, -1 for none.

    On the hero goes the best of its slot that is owned, as far as noted.
    """
    card = state["hand"][me, place]
    facts = tables["card_facts"][card]
    slot = (facts & _TYPE_BITS) - 1
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
            return _PLAY + place
    rest = hand & state["hand_asks"]
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        if kind_worth(state, tables, me, tables["card_kind"][state["hand"][me, place]]) > 0:
            return _PLAY + place
    return 0


@rule
def lairs_with_room(state):
    """Return the encounters where equipment of some type can go, as bits."""
    return state["rooms"][0] | state["rooms"][1] | state["rooms"][2]


@rare
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


@rare
def choose_token(state, tables, me, gain):
    """Return a positive token that gives such points, as a choice of MAIN; 0 for none."""
    for kind in range(tables["token_kinds"]):
        if is_legal(state["legal"], _TOKEN + kind) and tables["token_gain"][kind, gain] > 0:
            return _TOKEN + kind
    return 0


@rule
def choose_travel(state, tables, weights, me):
    """Return the step nearest to the key that can be taken and dared, or a token for it; or 0."""
    square = state["square"][me]
    stored = state["legal"] >> _TOKEN & ((1 << MAX_TOKENS) - 1) != 0
    missing = 0
    for edge in range(MAX_EDGES):
        to = tables["edge_to"][square, edge] - 1
        if to < 0:
            break
        if tables["distance"][to] < tables["distance"][square]:
            if is_legal(state["legal"], _TRAVEL + edge):
                if dares(state, tables, weights, me, edge):
                    return _TRAVEL + edge
            elif stored and state["arrived"][me] == 0:
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


@rule
def looked(state, tables, weights, me):
    """Look around if I have not done so in this turn."""
    if state["memo"][me, LEFT] == 0:
        look_around(state, tables, weights, me)


@rule
def choose_main(state, tables, weights, me):
    """Equip, play what asks, then all; travel as far as one dares, buy, end the turn.

    What destroys cards of the hand is played while they are still there.
    """
    legal = state["legal"]
    hand = legal >> _PLAY & ((1 << PLACES) - 1)
    cards = 1 + state["hand_size"][me]
    if (
        hand & (state["hand_gear"] | state["hand_asks"]) != 0
        and state["memo"][me, SEEN] >> HALF & BYTE != cards
    ):
        looked(state, tables, weights, me)
        choice = choose_from_hand(state, tables, me)
        if choice != 0:
            return choice
    seen = state["memo"][me, SEEN] & ~(BYTE << HALF)
    if is_legal(legal, _PLAY_ALL):
        state["memo"][me, SEEN] = seen  # what is drawn may take the place of what is played
        return _PLAY_ALL
    seen |= cards << HALF
    state["memo"][me, SEEN] = seen
    if legal >> _DESTROY & ((1 << DESTROYABLE) - 1) != 0:
        looked(state, tables, weights, me)
        choice = choose_burn(state, tables, weights, me)
        if choice != 0:
            return choice
    points = 1 + min(state["red"] + state["blue"] + state["gold"], BYTE - 1)
    if seen >> STAYS & BYTE != points:
        note_power(state, tables, me)
        choice = choose_travel(state, tables, weights, me)
        if choice != 0:
            return choice
        state["memo"][me, SEEN] = seen & ~(BYTE << STAYS) | points << STAYS
    if legal >> _TOKEN & ((1 << MAX_TOKENS) - 1) != 0:
        choice = choose_token(state, tables, me, _INFLUENCE)
        if choice != 0:
            return choice
    if hand & state["hand_gear"] != 0 and lairs_with_room(state) != 0:
        looked(state, tables, weights, me)
        choice = choose_to_lay(state, tables, weights, me)
        if choice != 0:
            return choice
    if legal >> _BUY & ((1 << (_TRAVEL - _BUY)) - 1) == 0:
        return 0
    looked(state, tables, weights, me)
    choice = choose_purchase(state, tables, weights, me)
    if _BUY <= choice < _CHALLENGE:
        kind = tables["card_kind"][state["row"][choice - _BUY] - 1]
        owned = with_card(state, tables, me, state["memo"][me, OWNED], kind)
        state["memo"][me, OWNED] = owned
        if tables["facts"][kind] & _TYPE_BITS != _EFFECT:
            forget_row(state, me)
    return choice


@rare
def choose_fight(state, tables, weights, me):
    """After the reveal: play what is left if it can turn a defeat, else compare."""
    if is_legal(state["legal"], _PLAY_ALL):
        return _PLAY_ALL
    encounter = state["fighting"] - 1
    needed = points_needed(state, tables, me, encounter)
    points = points_usable(state, tables, encounter)
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
    where, _point = best_block(state, tables, weights, me, legal >> 1)
    state["memo"][me, BLOCKS] = 0
    return 1 + where if where >= 0 else lowest(legal)


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


@rare
def choose_row_equipment(state, tables):
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


@rare
def choose_answer(state, tables, prompt, weights, me):
    """Answer what is asked beside the main phase."""
    if prompt == Prompt.HERO:
        return choose_hero(state, tables, weights)
    looked(state, tables, weights, me)
    if prompt == Prompt.PLACE:
        return choose_place(state, tables, weights, me)
    if prompt == Prompt.PUT:
        place = state["place"]
        card = state["hand"][me, place]
        choice = state["memo"][me, PUT] >> CARD_BITS
        if state["memo"][me, PUT] & ((1 << CARD_BITS) - 1) != card + 1:
            choice = choose_put(state, tables, me, place)
            if choice < 0:
                kind = tables["card_kind"][card]
                choice = choose_lay(state, tables, weights, me, state["legal"] >> 4, kind)
        if choice < 0 or not is_legal(state["legal"], choice):
            choice = lowest(state["legal"])
        if choice > 0:  # a card forged under another does not count
            note_loss(state, tables, me, tables["card_kind"][card])
        return choice
    if prompt == Prompt.FIGHT:
        return choose_fight(state, tables, weights, me)
    if prompt == Prompt.OPTION:
        first = way_worth(state, tables, me, state["card"], 0)
        return 1 if way_worth(state, tables, me, state["card"], 1) > first else 0
    if prompt == Prompt.CULL:
        return choose_cull(state, tables, weights, me)
    if prompt == Prompt.RECOVER:
        return choose_recover(state, tables, me)
    if prompt == Prompt.SPOILS:
        return choose_spoils(state, tables, me)
    if prompt == Prompt.LOSE_EQUIPMENT:
        return choose_loss(state, tables, me)
    if prompt == Prompt.DISCARD:
        return choose_discard(state, tables, me)
    if prompt == Prompt.OUTWIT:
        kind = tables["card_kind"][state["card"]]
        return 1 if buy_worth(state, tables, me, kind) > 0 else 0
    if prompt == Prompt.ROW_EQUIPMENT:
        return choose_row_equipment(state, tables)
    if prompt == Prompt.STACK:
        where, _point = best_block(state, tables, weights, me, state["legal"] >> 1)
        return 1 + where if where >= 0 else lowest(state["legal"])
    return lowest(state["legal"])


def weighing(state, tables, prompt, weights):
    """Weigh every choice in points until the end of the game, and take the best."""
    me = state["seat"]
    if state["memo"][me, SEEN] & ((1 << HALF) - 1) != state["turn"] + 1 and state["turn"] != 0:
        begin(state, me)
    if prompt == Prompt.MAIN:
        return choose_main(state, tables, weights, me)
    return choose_answer(state, tables, prompt, weights, me)


from strategies import dobbers_solo  # noqa: E402  (it builds on all that stands above)

SCRIPTS = {
    "steady": Script(steady),
    "weighing": Script(weighing, Weight, (Prompt.START, Prompt.MAIN)),
    "planning": Script(dobbers_solo.planning, dobbers_solo.Weight, (Prompt.START, Prompt.MAIN)),
}
