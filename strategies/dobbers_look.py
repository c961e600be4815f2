"""Looking around: how far everybody is from the key, what points are worth, what is owned."""

from __future__ import annotations

from sim.dobbers.piles import hindrance
from sim.dobbers.state import MAX_ROW, SLOTS, Gain, Hinder, Main, Op, Prompt, Tally
from sim.jit import rare, rule
from strategies.dobbers_notes import (
    AHEAD,
    ALL,
    BESTS,
    BLOCKS,
    COUNT,
    DUE,
    EACH,
    END,
    FACTORS,
    FINE,
    HIGH,
    ICON_TYPES,
    ICONS,
    LEFT,
    LONG,
    LOOK,
    OPS,
    OWNED,
    PAIRS,
    PART,
    PRICED,
    PRICED_BITS,
    PUT,
    ROW,
    SEAT_BITS,
    SEEN,
    SHARED,
    SLACK,
    STAND,
    THREATS,
    THRIFT,
    TICK_BITS,
    TICKS,
    TURN,
    TURNS,
    USUAL,
    USUAL_FIELD,
    WORD,
    WORTH,
    Weight,
    field,
)
from strategies.dobbers_worth import all_owned
from strategies.toolkit import is_legal, lowest

_RED = int(Gain.RED)
_BLUE = int(Gain.BLUE)
_GOLD = int(Gain.GOLD)
_INFLUENCE = int(Gain.INFLUENCE)
_DRAW = int(Gain.DRAW)
_IN_FIGHTS = int(Hinder.CHALLENGE)
_PLAY_ALL = int(Main.PLAY_ALL)
_TURNS = int(Tally.TURNS)
_OP_CULL = int(Op.CULL)
_OP_RECOVER = int(Op.RECOVER)
_OP_BOON = int(Op.BOON)
_OP_BURDEN = int(Op.BURDEN)
_OP_DISCARD_EQUIPMENT = int(Op.DISCARD_EQUIPMENT)
_OP_DESTROY_EQUIPMENT = int(Op.DESTROY_EQUIPMENT)
_OP_DISCARD_CARD = int(Op.DISCARD_CARD)
_OP_BACK = int(Op.BACK)
_OP_LOSE = int(Op.LOSE_INFLUENCE)


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
def stacks_ahead(state, tables, me):
    """Return the encounters with a stack that are nearer to the key than I am, as bits."""
    return tables["nearer"][state["square"][me]] & ~state["open_squares"]


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
def left_for_fight(state, number):
    """Return the red and gold points left after a step that needs so many points."""
    return state["gold"] + state["red"] - max(0, number - state["blue"])


@rule
def note_power(state, tables, me):
    """Note the points of this turn that are left for a fight after a step, if more than of late."""
    points = left_for_fight(state, tables["edge_number"][state["square"][me], 0])
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
    ways = state["ways"]
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
def circulating(state, me):
    """Return how many of my cards go round: deck, discard pile, hand, effects played."""
    cards = state["deck_size"][me] + state["discard_size"][me] + state["hand_size"][me]
    if state["active"] == me:
        cards += state["played_size"]
    return cards


@rule
def note_cards(state, tables, weights, me):
    """Note what is owned, and what that makes of bonuses."""
    cards = circulating(state, me)
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


@rule
def my_turn(state, me):
    """Return the turns that I have begun, in TICKS."""
    return state["tally"][me, _TURNS] << TICK_BITS


@rule
def note_left(state, tables, weights, me):
    """Note the turns left, and what that makes of cards bought now."""
    left = max(1.0, (state["memo"][me, END] - my_turn(state, me)) / TICKS)
    cards = max(1, circulating(state, me))
    drawn = max(1, tables["draw"])
    pile = 1.0 / drawn
    wait = state["deck_size"][me] * pile  # turns until the pile that a purchase joins is shuffled
    uses = max(0.0, left - wait) * drawn / cards
    wears = weights[Weight.EQUIPMENT] * max(0.0, left - wait - 0.5 * cards * pile)
    state["memo"][me, LEFT] = (
        int(TICKS * left) | int(TICKS * uses) << WORD | int(TICKS * wears) << (2 * WORD)
    )


@rule
def new_prices(state, me):
    """Say whether points are worth another thing than when the row was weighed, and note it."""
    influence = state["memo"][me, WORTH + _INFLUENCE]
    gold = state["memo"][me, WORTH + _GOLD]
    priced = state["memo"][me, PRICED]
    change = influence - (priced & ((1 << PRICED_BITS) - 1))
    if priced >> PRICED_BITS == gold and -SLACK <= change <= SLACK:
        return False
    state["memo"][me, PRICED] = influence | gold << PRICED_BITS
    return True


@rule
def forget_row(state, me):
    """Forget what purchases are worth."""
    state["memo"][me, BESTS] = 0
    for place in range(MAX_ROW):
        state["memo"][me, ROW + place] = 0


@rule
def unasked(state, prompt):
    """Return the choice that whoever has standing orders makes without being asked, else -1.

    Nothing may be noted before that: who is asked nevertheless would see more turns begin than who
    is not, and play another game.
    """
    choice = -1
    if prompt == Prompt.START:
        choice = lowest(state["legal"])
    elif prompt == Prompt.MAIN and is_legal(state["legal"], _PLAY_ALL):
        choice = _PLAY_ALL if state["hand_gear"] | state["hand_asks"] == 0 else -1
    return choice


@rule
def begin(state, me):
    """Note that a turn has begun."""
    turn = state["turn"]
    due = state["memo"][me, SEEN] >> DUE
    state["memo"][me, SEEN] = turn + 1 | due << DUE
    state["memo"][me, PUT] = 0
    state["memo"][me, BLOCKS] = 0
    state["memo"][me, LEFT] = 0
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
    state["memo"][me, END] = my_turn(state, me) + int(TICKS * left)
    state["memo"][me, THREATS] = 0
    state["memo"][me, AHEAD] = stacks_ahead(state, tables, me)
    note_worths(state, weights, me, left, ahead, short)
    note_cards(state, tables, weights, me)
    if new_prices(state, me):
        forget_row(state, me)
    due = state["turn"] + LOOK * state["players"]
    state["memo"][me, SEEN] = state["memo"][me, SEEN] & ((1 << DUE) - 1) | due << DUE


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
def looked(state, tables, weights, me):
    """Note the turns left, once a turn; look around first if what I noted is too old.

    Or if there is a stack ahead that was not there: who sees that late arrives there without the
    points, and the first seats, who meet the fewest stacks, win more often.
    """
    if state["memo"][me, LEFT] == 0:
        new = stacks_ahead(state, tables, me) & ~state["memo"][me, AHEAD]
        if (state["turn"] >= state["memo"][me, SEEN] >> DUE) | (new != 0):
            look_around(state, tables, weights, me)
        note_left(state, tables, weights, me)
