"""Challenge stacks: buying and placing, travel, the challenge itself and what comes after it."""

from __future__ import annotations

from sim.dobbers.piles import (
    destroy,
    hindrance,
    out_of_row,
    overcome_tokens,
    push,
    push_text,
    refill_creatures,
    refill_locations,
    to_discard,
    with_price,
)
from sim.dobbers.points import has_item
from sim.dobbers.state import (
    FIRST_ADVENTURE,
    KIND_BITS,
    MAX_ROW,
    NO_PRICE,
    PRICE_BITS,
    SLOTS,
    WAY_BITS,
    Event,
    Gain,
    Hinder,
    Op,
    Tally,
    Type,
)
from sim.events import emit
from sim.jit import rare, rule

_RED = int(Gain.RED)
_GOLD = int(Gain.GOLD)
_TRAVEL = int(Hinder.TRAVEL)
_CHALLENGE = int(Hinder.CHALLENGE)
_ITEM = int(Type.ITEM)
_EFFECT = int(Type.EFFECT)
_SPOILS = int(Op.SPOILS)
_REFILL = int(Op.REFILL)
_OFFER = int(Op.OFFER)
_BOUGHT = int(Tally.BOUGHT)
_SPENT = int(Tally.INFLUENCE_SPENT)
_PLACED = int(Tally.PLACED)
_MOVES = int(Tally.MOVES)
_MOVED_BACK = int(Tally.MOVED_BACK)
_CHALLENGES = int(Tally.CHALLENGES)
_VICTORIES = int(Tally.VICTORIES)
_MARGIN = int(Tally.MARGIN)
_ONES = 0x010101010101  # 1 in each byte of packed prices
_HIGH = 0x80 * _ONES
_GATHER = sum(1 << (40 - 7 * place) for place in range(MAX_ROW))  # brings the bytes' bits together
MARGIN_BINS = 12  # margins are counted one by one from -12 or less to 12 or more
TWELVE = 12  # means are kept in twelfths of a point
STACK_KINDS = 10  # none to four cards under a location, with something face down or not
MARGIN_ZERO = 64  # added to each margin, so that sums stay above zero


# --- building a stack -----------------------------------------------------------------------------


@rare
def note_stack(state, tables, encounter):
    """Note what can go on an encounter square, after anything came there or left.

    A location where there is none (rule 10, D-26, D-27), a creature under a location without
    cards (rule 11), equipment where its type is missing and cards fit (rule 12, D-17, D-18).
    """
    others = ~(1 << encounter)
    location = state["location"][encounter]
    if location == 0:
        return
    creature = state["creature"][encounter]
    capacity = tables["location_capacity"][location - 1]
    under = tables["capacity_with_creature"]
    for slot in range(SLOTS):
        under += state["gear"][encounter, slot] != 0
    state["open_squares"] &= others
    state["lairs"] = state["lairs"] & others | (creature == 0 and capacity > 0) << encounter
    fits = creature != 0 and under < capacity
    for slot in range(SLOTS):
        room = fits and state["gear"][encounter, slot] == 0
        state["rooms"][slot] = state["rooms"][slot] & others | room << encounter


@rule
def open_squares(state, tables):
    """Return the encounters where a location can go, as bits (rule 10, D-26, D-27)."""
    return state["open_squares"]


@rule
def lairs(state, tables):
    """Return the encounters where a creature can go: a location without cards (rule 11)."""
    return state["lairs"]


@rule
def stacks_for(state, tables, slot):
    """Return the encounters where equipment of a type can go (rule 12, D-17, D-18, DB-T22)."""
    return state["rooms"][slot]


@rare
def place_gear(state, tables, seat, card, encounter, hidden):
    """Put equipment under a location. hidden: it comes from a hand, so others see only its type."""
    slot = tables["type"][tables["card_kind"][card]] - 1
    state["gear"][encounter, slot] = card + 1
    state["gear_owner"][encounter, slot] = (1 + seat) * hidden
    if not hidden:  # otherwise when it is turned over: until then nobody knows which card it is
        state["played_by"][card] = 1 + seat
    note_stack(state, tables, encounter)
    state["tally"][seat, _PLACED] += 1
    emit(Event.PLACED, encounter, 2, card, 0)


@rare
def place_creature(state, tables, backstage, encounter, place):
    """Put a creature of the row under a location; the row is refilled (rules 8 and 11)."""
    creature = state["creature_row"][place]
    state["creature_row"][place] = 0
    state["creature_prices"] = with_price(state["creature_prices"], place, NO_PRICE)
    state["creature"][encounter] = creature
    note_stack(state, tables, encounter)
    emit(Event.PLACED, encounter, 1, creature - 1, 0)
    refill_creatures(state, tables, backstage)


@rare
def place_location(state, tables, backstage, encounter, place, visible):
    """Put a location of the row on an encounter square; the row is refilled (DB-T4)."""
    location = state["location_row"][place]
    state["location_row"][place] = 0
    state["location_prices"] = with_price(state["location_prices"], place, NO_PRICE)
    state["location"][encounter] = location
    note_stack(state, tables, encounter)
    emit(Event.PLACED, encounter, 0, location - 1, 0)
    refill_locations(state, tables, backstage, visible)


# --- purchases ------------------------------------------------------------------------------------


@rule
def affordable(prices, influence):
    """Return the places of packed prices of at most `influence`, as bits.

    All are compared at once: a byte's high bit survives the subtraction where the price is paid.
    Less than nothing counts as nothing.
    """
    points = min(max(int(influence), 0), NO_PRICE - 1)
    reached = ((points * _ONES | _HIGH) - int(prices)) & _HIGH
    return ((reached >> 7) * _GATHER) >> 40 & ((1 << MAX_ROW) - 1)


@rule
def price_at(prices, place):
    """Return the price at a place of a row, NO_PRICE where nothing can be bought."""
    return prices >> (PRICE_BITS * place) & NO_PRICE


@rule
def row_choices(state, tables, seat):
    """Return the places of the adventure row a seat can buy from, as bits (rules 6 and 7, D-33)."""
    places = affordable(state["row_prices"], state["influence"])
    if places != 0 and tables["forbids"][seat] != 0:
        places &= ~forbidden_places(state, tables, seat)
    return places


@rare
def forbidden_places(state, tables, seat):
    """Return the places of the adventure row with cards that a seat may not buy, as bits."""
    places = 0
    for place in range(MAX_ROW):
        card = state["row"][place]
        if card != 0:
            kind = tables["card_kind"][card - 1]
            if (
                tables["forbid_kinds"][seat, kind // KIND_BITS] >> kind % KIND_BITS & 1 != 0
                or tables["forbid_alignments"][seat] >> tables["alignment"][kind] & 1 != 0
            ):
                places |= 1 << place
    return places


@rule
def location_places(tables):
    """Return how many places of the challenge row hold locations; in solo games none does."""
    return 0 if tables["solo"] != 0 else tables["locations_visible"]


@rule
def challenge_choices(state, tables, seat):
    """Return the places of the challenge row a seat can buy from, as bits (rules 8 to 11)."""
    places = 0
    if tables["forbid_blocking"][seat] != 0:
        return places
    influence = state["influence"]
    if open_squares(state, tables) != 0:
        places = affordable(state["location_prices"], influence)
    if lairs(state, tables) != 0:
        places |= affordable(state["creature_prices"], influence) << location_places(tables)
    return places


@rule
def pay(state, seat, cost):
    """Pay influence (rule 6)."""
    state["influence"] -= cost
    state["tally"][seat, _SPENT] += cost


@rule
def influence_kept(state, seat):
    """Return the most influence that anybody but a seat has kept for the turns of others."""
    most = -1
    for other in range(state["players"]):
        if other != seat:
            most = max(most, state["kept"][other])
    return most


@rule
def take_bought(state, tables, seat, place, choice):
    """Take a card out of the row: to the discard pile, or under a location (rule 7, DB-T2).

    choice: 0 discard pile, 1 + encounter. The row is refilled at once, but whoever holds Outwit
    may take the card first.
    """
    card = out_of_row(state, place)
    state["tally"][seat, _BOUGHT] += 1
    kind = tables["card_kind"][card]
    state["bought_kinds"][seat, kind // KIND_BITS] |= 1 << (kind % KIND_BITS)
    push(state, _REFILL, 0, 0)
    if choice == 0:
        to_discard(state, seat, card)
        if influence_kept(state, seat) >= tables["cost"][kind]:
            push(state, _OFFER, card, 1)
    else:
        place_gear(state, tables, seat, card, choice - 1, 0)


# --- travel ---------------------------------------------------------------------------------------


@rule
def travel_number(state, tables, seat, edge):
    """Return the points a step needs: number, negative tokens, events (rules 16 and 31)."""
    square = state["square"][seat]
    number = tables["edge_number"][square, edge] + state["slow"]
    return number + hindrance(state, tables, seat, _TRAVEL)


@rule
def travel_choices(state, tables, seat):
    """Return the edges a seat can go along, as bits; gold does not count (DB-T6 to DB-T9).

    Every travel number is 1 or more, so no step is free however much slows the seat.
    """
    if state["arrived"][seat] != 0:  # duel: at the key one stays
        return 0
    points = state["blue"] + state["red"] - state["slow"]
    points -= hindrance(state, tables, seat, _TRAVEL)
    return affordable(tables["edge_numbers"][state["square"][seat]], points)


@rule
def stand_on(state, tables, seat, square):
    """Put a hero on a square."""
    shift = WAY_BITS * seat
    way = tables["distance"][square]
    state["square"][seat] = square
    state["ways"] = state["ways"] & ~(((1 << WAY_BITS) - 1) << shift) | way << shift


@rule
def stack_on(state, tables, square):
    """Return 1 + encounter of the stack that waits on a square, 0 if there is none."""
    encounter = tables["encounter"][square]
    if encounter != 0 and state["location"][encounter - 1] != 0:
        return encounter
    return 0


@rule
def travel(state, tables, edge):
    """Go along an edge: blue points first, then red (rule 16, DB-T9).

    Returns 1 + encounter of a stack to be faced there, 0 if there is none (rules 18 and 26).
    """
    seat = state["active"]
    square = state["square"][seat]
    number = travel_number(state, tables, seat, edge)
    to = tables["edge_to"][square, edge] - 1
    blue = min(state["blue"], number)
    state["blue"] -= blue
    state["red"] -= number - blue
    state["red_spent"] += number - blue
    overcome_tokens(state, tables, seat, _TRAVEL)
    if state["came_from"][seat, square] != to + 1:  # D-21: back is the way one came
        state["came_from"][seat, to] = square + 1
    stand_on(state, tables, seat, to)
    state["moved"] = 1
    state["tally"][seat, _MOVES] += 1
    emit(Event.MOVED, seat, to, number, 0)
    return stack_on(state, tables, to)


@rare
def move_back(state, tables, seat, squares):
    """Move back the way one came, no further than the start (rules 25 and 27, D-20, DB-T14)."""
    for _ in range(squares):
        square = state["square"][seat]
        came_from = state["came_from"][seat, square]
        if came_from == 0 or state["arrived"][seat] != 0:
            return
        stand_on(state, tables, seat, came_from - 1)
        state["moved"] = 1
        state["tally"][seat, _MOVED_BACK] += 1
    emit(Event.MOVED_BACK, seat, state["square"][seat], 0, 0)


# --- the challenge --------------------------------------------------------------------------------


@rare
def look(state, tables, seat, encounter):
    """Note what is seen of a stack before it is revealed, for the outcome.

    `shown`: red and gold points ready, less those the stack is thought to need: of what lies face
    down the mean over all that show the same front. `stack`: twice the cards under the location,
    plus 1 where all of it lay face up.
    """
    location = state["location"][encounter] - 1
    open_all = state["known_locations"] >> location & 1
    if has_item(state, tables, seat, tables["location_icon"][location]):
        needed = tables["location_front_reduced"][location]
        if open_all != 0:
            needed = TWELVE * tables["location_reduced"][location]
    else:
        needed = tables["location_front"][location]
        if open_all != 0:
            needed = TWELVE * tables["location_points"][location]
    under = 0
    creature = state["creature"][encounter] - 1
    if creature >= 0:
        under += 1
        if state["known_creatures"] >> creature & 1 != 0:
            needed += TWELVE * tables["creature_points"][creature]
        else:
            needed += tables["creature_front"][creature]
            open_all = 0
    for slot in range(SLOTS):
        card = state["gear"][encounter, slot] - 1
        if card >= 0:
            under += 1
            owner = state["gear_owner"][encounter, slot]
            if owner == 0 or owner == seat + 1:
                kind = tables["card_kind"][card]
                needed += TWELVE * (tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD])
            else:
                needed += tables["gear_front"][slot]
                open_all = 0
    needed += TWELVE * hindrance(state, tables, seat, _CHALLENGE)
    state["shown"] = (TWELVE * (state["red"] + state["gold"]) - needed) // TWELVE
    state["stack"] = 2 * under + open_all


@rare
def show_gear(state, encounter):
    """Turn over the equipment of a stack; it counts as played by who laid it."""
    for slot in range(SLOTS):
        owner = state["gear_owner"][encounter, slot]
        if owner != 0:
            state["played_by"][state["gear"][encounter, slot] - 1] = owner
            state["gear_owner"][encounter, slot] = 0


@rare
def reveal(state, encounter):
    """Turn over all cards of a stack (rule 19)."""
    emit(Event.REVEALED, state["active"], encounter, 0, 0)
    state["known_locations"] |= 1 << (state["location"][encounter] - 1)
    if state["creature"][encounter] != 0:
        state["known_creatures"] |= 1 << (state["creature"][encounter] - 1)
    show_gear(state, encounter)


@rare
def stack_points(state, tables, seat, encounter):
    """Return the points a stack has against a seat (rules 14, 20, 22; DB-T10, DB-T12).

    Location, or its lower number with the right item; creature; red and gold of equipment. An
    alignment bonus works when two cards of the stack share the alignment.
    """
    location = state["location"][encounter] - 1
    if has_item(state, tables, seat, tables["location_icon"][location]):
        total = tables["location_reduced"][location]
    else:
        total = tables["location_points"][location]
    creature = state["creature"][encounter] - 1
    if creature < 0:
        return total
    total += tables["creature_points"][creature]
    own = tables["creature_alignment"][creature]
    together = 0  # alignments of two or more cards, as bits
    seen = 1 << own
    for slot in range(SLOTS):
        card = state["gear"][encounter, slot] - 1
        if card >= 0:
            alignment = 1 << tables["alignment"][tables["card_kind"][card]]
            together |= seen & alignment
            seen |= alignment
    together &= ~1  # no alignment is none to share
    if together >> own & 1 != 0:
        total += tables["creature_bonus"][creature]
    for slot in range(SLOTS):
        card = state["gear"][encounter, slot] - 1
        if card >= 0:
            kind = tables["card_kind"][card]
            total += tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
            if together >> tables["alignment"][kind] & 1 != 0:
                total += tables["bonus"][kind, _RED] + tables["bonus"][kind, _GOLD]
    return total


@rare
def immune_points(state, tables, encounter):
    """Return (red, gold) of the pool that a creature is immune to (rule 21, DB-T11).

    Red points spent on the way here are taken from those first.
    """
    red = 0
    gold = 0
    creature = state["creature"][encounter] - 1
    if creature >= 0:
        keywords = tables["creature_immune_keywords"][creature]
        types = tables["creature_immune_types"][creature]
        if keywords | types != 0:
            for slot in range(SLOTS):
                if types >> slot & 1 != 0 or state["slot_keywords"][slot] & keywords != 0:
                    red += state["slot_red"][slot]
                    gold += state["slot_gold"][slot]
            red = min(max(0, red - state["red_spent"]), state["red"])
            gold = min(max(0, gold - state["gold_spent"]), state["gold"])
    return red, gold


@rare
def points_needed(state, tables, seat, encounter):
    """Return the points that overcome a stack, negative tokens included (rules 17, 31)."""
    return stack_points(state, tables, seat, encounter) + hindrance(state, tables, seat, _CHALLENGE)


@rare
def points_usable(state, tables, encounter):
    """Return the gold and red points of the pool that count against a stack (rules 17, 21)."""
    red, gold = immune_points(state, tables, encounter)
    return state["red"] - red + state["gold"] - gold


@rare
def note_challenge(state, backstage, seat, margin):
    """Count a challenge: by points less points needed, by what was seen before, by its stack."""
    replicate = backstage["replicate"]
    slot = backstage["slots"][seat]
    won = 1 if margin >= 0 else 0
    column = min(max(margin, -MARGIN_BINS), MARGIN_BINS) + MARGIN_BINS
    backstage["margins"][replicate, slot, column] += 1
    column = min(max(state["shown"], -MARGIN_BINS), MARGIN_BINS) + MARGIN_BINS
    backstage["shown"][replicate, slot, column, 0] += 1
    backstage["shown"][replicate, slot, column, 1] += won
    backstage["stacks"][replicate, slot, state["stack"], 0] += 1
    backstage["stacks"][replicate, slot, state["stack"], 1] += won


@rare
def compare(state, tables, backstage, encounter):
    """Compare points; carry out victory or defeat (rules 22 to 25a). Return 1 for a victory.

    Points are paid gold first. A defeat costs all red and gold points there are (D-14).
    """
    seat = state["active"]
    needed = points_needed(state, tables, seat, encounter)
    usable = points_usable(state, tables, encounter)
    emit(Event.COMPARED, seat, usable, needed, 0)
    state["tally"][seat, _CHALLENGES] += 1
    state["tally"][seat, _MARGIN] += min(max(usable - needed, -MARGIN_ZERO), MARGIN_ZERO)
    state["tally"][seat, _MARGIN] += MARGIN_ZERO
    note_challenge(state, backstage, seat, usable - needed)
    location = state["location"][encounter] - 1
    with_item = has_item(state, tables, seat, tables["location_icon"][location])
    results = tables["location_results"][location]
    if with_item and tables["location_item_results"][location] != 0:
        results = tables["location_item_results"][location]
    if usable < needed:
        emit(Event.DEFEAT, seat, encounter, 0, 0)
        if tables["points_lost"] != 0:
            state["red_spent"] += state["red"]
            state["gold_spent"] += state["gold"]
            state["red"] = 0
            state["gold"] = 0
        defeat = tables["location_defeat"][location]
        if with_item and tables["location_item_defeat"][location] != 0:
            defeat = tables["location_item_defeat"][location]
        first, second = defeat, results * tables["results_after_defeat"]
        if tables["results_first"] != 0:
            first, second = second, first
        push_text(state, tables, second, seat)
        push_text(state, tables, first, seat)
        return 0
    emit(Event.VICTORY, seat, encounter, 0, 0)
    state["tally"][seat, _VICTORIES] += 1
    _red, gold = immune_points(state, tables, encounter)
    spent = min(state["gold"] - gold, needed)
    state["gold"] -= spent
    state["gold_spent"] += spent
    state["red"] -= needed - spent
    state["red_spent"] += needed - spent
    overcome_tokens(state, tables, seat, _CHALLENGE)
    for slot in range(SLOTS):
        if state["gear"][encounter, slot] != 0:
            push(state, _SPOILS, encounter << 2 | slot, seat)
    if state["creature"][encounter] != 0:  # rule 24
        state["creatures_destroyed"] |= 1 << (state["creature"][encounter] - 1)
        state["creature"][encounter] = 0
        note_stack(state, tables, encounter)
    if tables["tan_boxes"] != 0:
        push_text(state, tables, tables["location_tan"][location], seat)
    first, second = tables["location_victory"][location], results
    if tables["results_first"] != 0:  # D-3
        first, second = second, first
    push_text(state, tables, second, seat)
    push_text(state, tables, first, seat)
    return 1


@rare
def sweep(state, tables, cards, dear):
    """Destroy cards of the row: the leftmost, or the dearest (of equals the leftmost)."""
    for _ in range(cards):
        found = -1
        best = -1
        for place in range(tables["row_size"]):
            card = state["row"][place] - 1
            if card >= 0:
                cost = tables["cost"][tables["card_kind"][card]] if dear else 0
                if cost > best:
                    best = cost
                    found = place
        if found >= 0:
            destroy(state, -1, out_of_row(state, found))


@rare
def remove_by_rule(state, tables, turn):
    """Destroy one card of the row between two solo turns (Game Play 2, DB-T29, DB-T30, D-33).

    Method 1 takes the places one after the other; method 2 the dearest card after odd turns and
    the cheapest after even ones.
    """
    place = 0
    size = tables["row_size"]
    if tables["removal"] == 1:
        place = (turn - 1) % size
    else:
        found = -1
        best = 0
        for number in range(size):
            card = state["row"][number] - 1
            if card >= 0:
                cost = 0
                if card < FIRST_ADVENTURE + tables["adventure_cards"]:
                    cost = tables["cost"][tables["card_kind"][card]]
                if turn & 1 == 0:
                    cost = -cost
                if found < 0 or cost > best:
                    best = cost
                    found = number
        place = max(found, 0)
    if state["row"][place] != 0:
        destroy(state, -1, out_of_row(state, place))
