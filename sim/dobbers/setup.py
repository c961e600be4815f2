"""Setting up: decks, rows, heroes and start squares, the two-player and solo variants."""

from __future__ import annotations

from sim.choices import is_open, lowest, seat_after
from sim.dobbers.piles import (
    draw_cards,
    in_order,
    lay_in_row,
    refill_creatures,
    refill_locations,
    refill_row,
)
from sim.dobbers.stacks import place_location, stand_on
from sim.dobbers.state import (
    FIRST_ADVENTURE,
    KIND_BITS,
    KIND_WORDS,
    NO_PRICES,
    STARTERS,
    Prompt,
    Status,
    Step,
    Stream,
)
from sim.jit import rare
from sim.rng import below, draw, turn_index

_SET_UP = int(Stream.SET_UP)
_ADD_LOCATIONS = int(Stream.ADD_LOCATIONS)
_ADVENTURE = int(Stream.ADVENTURE)


@rare
def fill_adventure(state, tables, silvers):
    """Put the adventure cards that are not left out into their deck, so many Silvers elsewhere.

    Those go into the decks of the players: one each, and the deck has as many.
    """
    for number in range(tables["adventure_cards"]):
        card = FIRST_ADVENTURE + number
        kind = tables["card_kind"][card]
        if silvers > 0 and kind + 1 == tables["start_silver"]:
            silvers -= 1
            to_deck(state, silvers, card)
            continue
        if tables["left_out"][kind // KIND_BITS] >> kind % KIND_BITS & 1 != 0:
            continue
        state["adventure"][number] = 1
        state["adventure_size"] += 1


@rare
def fill_decks(state, tables, backstage):
    """Put every card where it begins (Setup 3 to 5; 2 Player Rule Variants; DB-T16, DB-T31)."""
    players = tables["players"]
    silvers = players if tables["start_silver"] != 0 else 0
    left_out = 0
    for word in range(KIND_WORDS):
        left_out |= tables["left_out"][word]
    if silvers == 0 and left_out == 0:
        for number in range(tables["adventure_cards"]):
            state["adventure"][number] = 1
        state["adventure_size"] = tables["adventure_cards"]
    else:
        fill_adventure(state, tables, silvers)
    if tables["first_card"] != 0:
        deal_first(state, tables)
    for seat in range(players):
        replaced = silvers == 0
        for number in range(tables["starting_cards"]):
            card = seat * STARTERS + number
            if not replaced and tables["card_kind"][card] == tables["start_replaced"]:
                replaced = True
            else:
                to_deck(state, seat, card)
    for location in range(tables["locations"]):
        state["location_deck"][location] = location
    state["location_deck_size"] = tables["locations"]
    for creature in range(tables["creatures"]):
        state["creature_deck"][creature] = creature
    state["creature_deck_size"] = tables["creatures"]
    for kind in range(tables["token_kinds"]):
        state["token_pile"][kind] = tables["token_count"][kind]


@rare
def to_deck(state, seat, card):
    """Put a card into a seat's deck."""
    state["next"][card] = state["deck"][seat]
    state["deck"][seat] = card + 1
    state["deck_size"][seat] += 1


@rare
def deal_first(state, tables):
    """Deal a card of the kind that an experiment asks for to the first place of the row."""
    for number in range(tables["adventure_cards"]):
        card = FIRST_ADVENTURE + number
        if state["adventure"][number] != 0 and (
            tables["card_kind"][card] + 1 == tables["first_card"]
        ):
            state["adventure"][number] = 0
            state["adventure_size"] -= 1
            lay_in_row(state, tables, 0, card)
            kind = tables["card_kind"][card]
            state["seen_kinds"][kind // KIND_BITS] |= 1 << (kind % KIND_BITS)
            state["revealed"] += 1
            return


@rare
def set_up(state, tables, backstage):
    """Set up all but heroes, start squares and opening hands, which follow from choices."""
    players = tables["players"]
    state["players"] = players
    state["status"] = Status.PLAYING
    state["winner"] = -1
    state["moved"] = 1
    state["leader"] = -1
    for quarter in range(3):
        state["leader_at"][quarter] = -1
    if tables["random_start"] != 0:
        state["first_seat"] = below(backstage, _SET_UP, turn_index(0, 0), players)
    state["active"] = state["first_seat"]
    for seat in range(players):
        stand_on(state, tables, seat, 0)  # until it has picked a start
    state["open_squares"] = (1 << tables["encounters"]) - 1
    state["row_prices"] = NO_PRICES
    state["location_prices"] = NO_PRICES
    state["creature_prices"] = NO_PRICES
    fill_decks(state, tables, backstage)
    visible = tables["locations_visible"]
    refill_locations(state, tables, backstage, visible)
    if tables["solo"] != 0:
        # all Add Location cards, shuffled; the last one names the start (5.1, steps 1 to 4)
        total = tables["add_locations"]
        for rank in range(total):
            number = in_order(backstage, _ADD_LOCATIONS, total, rank)
            add_location(state, tables, backstage, number)
            state["place"] = 1 + tables["add_start"][number]
        for place in range(visible):
            state["location_row"][place] = 0
        state["location_prices"] = NO_PRICES
        for place in range(state["location_deck_size"]):
            state["location_deck"][place] = 0
        state["location_deck_size"] = 0
    elif players == 2:
        for number in range(tables["start_locations"]):  # D-31: the lowest numbers
            add_location(state, tables, backstage, number)
    refill_creatures(state, tables, backstage)
    refill_row(state, tables, backstage)
    state["mixed"] = state["adventure_size"]
    if tables["solo"] != 0:  # D-29: after the row is dealt
        state["solo_left"] = tables["solo_cards"]
    elif tables["events"] != 0:
        state["events_left"] = tables["event_cards"]


@rare
def add_location(state, tables, backstage, number):
    """Carry out an Add Location card: a location of the row goes to a numbered square."""
    visible = tables["locations_visible"]
    place = tables["add_place"][number] % visible
    encounter = tables["add_encounter"][number]
    if state["location"][encounter] == 0 and state["location_row"][place] != 0:
        place_location(state, tables, backstage, encounter, place, visible)


@rare
def picker(state, backstage, rank):
    """Return the seat that picks its hero at a rank from 0: in random order (Setup 1)."""
    for seat in range(state["players"]):
        bits = draw(backstage, _SET_UP, turn_index(0, 1 + seat))
        before = 0
        for other in range(state["players"]):
            others = draw(backstage, _SET_UP, turn_index(0, 1 + other))
            before += (others < bits) | ((others == bits) & (other < seat))
        if before == rank:
            return seat
    return 0


@rare
def hero_choices(state, tables, seat):
    """Return the heroes a seat can pick, as bits."""
    if tables["force_hero"][seat] != 0:
        return 1 << (tables["force_hero"][seat] - 1)
    legal = (1 << tables["heroes"]) - 1
    for other in range(state["players"]):
        if state["hero"][other] != 0:
            legal &= ~(1 << (state["hero"][other] - 1))
        if tables["force_hero"][other] != 0:
            legal &= ~(1 << (tables["force_hero"][other] - 1))
    return legal


@rare
def start_choices(state, tables, seat):
    """Return the start squares a seat can pick, as bits: nobody shares one (Setup 2)."""
    if tables["solo"] != 0:
        return 1 << (state["place"] - 1)
    legal = (1 << tables["starts"]) - 1
    for other in range(state["players"]):
        if other != seat and state["hero"][other] != 0:
            for start in range(tables["starts"]):
                if tables["start_square"][start] == state["square"][other]:
                    legal &= ~(1 << start)
    return legal


@rare
def deal_hands(state, tables, backstage):
    """Draw the opening hands, the first player the fewest cards (General Rules, DB-T15)."""
    for place in range(state["players"]):
        seat = seat_after(state, state["first_seat"], place)
        draw_cards(state, backstage, seat, tables["opening"][place])


@rare
def pick(state, tables, backstage, choice):
    """Let one seat after the other pick hero and start square, then deal hands (Setup 1 and 2).

    Applies a choice to the step where the rules stand. Returns the prompt that is opened, 0 when
    all is set up.
    """
    step = state["step"]
    while True:
        if step == Step.ASK_HERO:
            if state["window"] == state["players"]:
                deal_hands(state, tables, backstage)
                return 0
            seat = picker(state, backstage, state["window"])
            legal = hero_choices(state, tables, seat)
            state["seat"] = seat
            step = Step.HERO
            if is_open(state, seat, Prompt.HERO, legal):
                state["step"] = step
                return Prompt.HERO
            choice = lowest(legal)
        if step == Step.HERO:
            seat = state["seat"]
            legal = start_choices(state, tables, seat)
            state["hero"][seat] = 1 + choice
            step = Step.START
            if is_open(state, seat, Prompt.START, legal):
                state["step"] = step
                return Prompt.START
            choice = lowest(legal)
        stand_on(state, tables, state["seat"], tables["start_square"][choice])
        state["window"] += 1
        step = Step.ASK_HERO
