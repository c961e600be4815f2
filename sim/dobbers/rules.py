"""The turn of Dobbers: what happens from one decision to the next.

`advance` goes through the steps of a turn in rulebook order and returns where somebody must
decide. Each decision has a step that asks and a step that acts on the answer; `advance` re-enters
at the latter. The rules themselves stand in `setup`, `piles`, `points`, `stacks`, `texts`, `duel`.
"""

from __future__ import annotations

from sim.choices import is_legal, is_open, lowest, seat_after
from sim.dobbers.duel import end_duel, reach_key
from sim.dobbers.piles import draw_cards, out_of_hand, push, to_discard
from sim.dobbers.points import (
    close_pool,
    destroy_played,
    forge_under,
    open_pool,
    play_all,
    play_effect,
    play_token,
    put_away,
    put_on,
    slot_of,
    type_of,
    use_equipment,
)
from sim.dobbers.setup import pick, set_up
from sim.dobbers.stacks import (
    challenge_choices,
    compare,
    lairs,
    location_places,
    look,
    open_squares,
    pay,
    place_creature,
    place_gear,
    place_location,
    remove_by_rule,
    reveal,
    row_choices,
    stacks_for,
    take_bought,
    travel,
    travel_choices,
)
from sim.dobbers.state import (
    DESTROYABLE,
    MAX_PLAYED,
    ORDERS,
    PLACES,
    SLOTS,
    Event,
    Main,
    Mark,
    Op,
    Prompt,
    Status,
    Step,
    Tally,
    Type,
)
from sim.dobbers.texts import answer, carry_out, hand_places
from sim.events import emit
from sim.jit import rare, rule

_EFFECT = int(Type.EFFECT)
_PLACES = (1 << PLACES) - 1
_REFILL = int(Op.REFILL)
_TURNS = int(Tally.TURNS)
_PLACED = int(Tally.PLACED)
_PLAY_ALL = int(Main.PLAY_ALL)
_ASKED_MAIN = int(Prompt.MAIN)
_USE = int(Main.USE)
_PLAY = int(Main.PLAY)
_BUY = int(Main.BUY)
_CHALLENGE = int(Main.CHALLENGE)
_TRAVEL = int(Main.TRAVEL)
_TOKEN = int(Main.TOKEN)
_DESTROY = int(Main.DESTROY)
_DISCARD = int(Main.DISCARD)


# --- what can be done -----------------------------------------------------------------------------


@rare
def point_choices(state, tables, seat, equipping):
    """Return the ways to get points: equipment, effects and equipment in hand, tokens.

    equipping: whether equipment in hand can be played (not in the middle of a challenge, D-16).
    """
    legal = 0
    for slot in range(SLOTS):
        legal |= (state["equipment"][seat, slot] != 0) << (_USE + slot)
    legal &= ~(state["used"] << _USE)
    all_of_them = legal != 0
    gear = 0
    asks = 0
    held = min(state["hand_size"][seat], PLACES)
    if held != 0:
        marks = 0
        for place in range(held):
            marks |= tables["marks"][state["hand"][seat, place]] << place
        gear = marks >> Mark.GEAR & _PLACES
        asks = marks >> Mark.ASKS & _PLACES
        places = 0
        if state["played_size"] < MAX_PLAYED:
            all_of_them |= marks >> Mark.PLAIN != 0
            places = ((1 << held) - 1) & ~gear
        if equipping and gear != 0:
            places |= equipment_choices(state, tables, seat, gear)
        legal |= places << _PLAY
    state["hand_gear"] = gear
    state["hand_asks"] = asks
    tokens = state["held_tokens"][seat] & ~tables["hindering"]
    return legal | tokens << _TOKEN | all_of_them << _PLAY_ALL


@rule
def equipment_choices(state, tables, seat, gear):
    """Return which equipment in hand can be played, as bits. gear: the places where it is."""
    places = 0
    while gear != 0:
        place = lowest(gear)
        gear &= gear - 1
        card = state["hand"][seat, place]
        on_hero = state["replaced"] >> slot_of(tables["card_facts"][card]) & 1 == 0
        kind = tables["card_kind"][card]
        if on_hero or equipment_uses(state, tables, seat, kind) != 0:
            places |= 1 << place
    return places


@rule
def note_point_ways(state, tables, seat):
    """Note what gives points in the main phase; after a step or a purchase it is still the same."""
    if state["point_ways_hold"] == 0:
        state["point_ways"] = point_choices(state, tables, seat, True)
    state["point_ways_hold"] = 0


@rule
def main_choices(state, tables, seat):
    """Return what the active player can do in the main phase ("The Main Phase" a to g).

    What gives points has been noted.
    """
    legal = 1 | state["point_ways"]
    legal |= row_choices(state, tables, seat) << _BUY
    legal |= challenge_choices(state, tables, seat) << _CHALLENGE
    legal |= travel_choices(state, tables, seat) << _TRAVEL
    legal |= ((1 << min(state["destroyable"], DESTROYABLE)) - 1) << _DESTROY
    if state["hand_size"][seat] > 0:
        legal |= 1 << _DISCARD
    return legal


@rare
def equipment_uses(state, tables, seat, kind):
    """Return what equipment in hand can do: 0 hero, 1 + slot forge, 4 + encounter.

    A slot's equipment is replaced at most once a turn: no chain of swaps goes on for ever.
    """
    slot = tables["type"][kind] - 1
    legal = stacks_for(state, tables, slot) << 4
    if state["replaced"] >> slot & 1 == 0:
        legal |= 1
    if tables["can_forge"][kind] != 0:
        for other in range(SLOTS):
            if state["equipment"][seat, other] != 0 and state["forged"][seat, other] == 0:
                legal |= 2 << other
    return legal


# --- the steps ------------------------------------------------------------------------------------


@rule
def start_turn(state, tables, backstage):
    """Open the next turn; say whether the game goes on."""
    if state["turn"] >= tables["turn_cap"]:
        state["status"] = Status.CAPPED
        emit(Event.CAPPED, -1, state["turn"], 0, 0)
        return False
    state["turn"] += 1
    if state["turn"] > state["slow_until"]:
        state["slow"] = 0
    active = state["active"]
    emit(Event.TURN, active, state["turn"], 0, 0)
    state["tally"][active, _TURNS] += 1
    open_pool(state, tables, backstage)
    return True


@rare
def note_lead(state, tables):
    """Note who is nearest to the key after a turn, and the lead when a quarter of the way is done.

    Of equals the leader stays ahead. Leads are in points of travel.
    """
    state["moved"] = 0
    leader = state["leader"]
    best = max(leader, 0)
    left = tables["distance"][state["square"][best]]
    for seat in range(state["players"]):
        distance = tables["distance"][state["square"][seat]]
        if distance < left:
            left = distance
            best = seat
    if best != leader:
        if leader >= 0:
            state["lead_changes"] += 1
        state["leader"] = best
    quarter = state["quarter"]
    whole = tables["distance"][tables["start_square"][0]]
    if quarter < 3 and 4 * left <= (3 - quarter) * whole:
        note_quarters(state, tables, best)


@rare
def note_quarters(state, tables, best):
    """Note the leader and its lead for each quarter of the way that it has just done."""
    left = tables["distance"][state["square"][best]]
    whole = tables["distance"][tables["start_square"][0]]
    second = whole
    for seat in range(state["players"]):
        if seat != best:
            second = min(second, tables["distance"][state["square"][seat]])
    quarter = state["quarter"]
    while quarter < 3 and 4 * left <= (3 - quarter) * whole:
        state["leader_at"][quarter] = best
        state["lead_at"][quarter] = max(0, second - left)
        quarter += 1
    state["quarter"] = quarter


@rule
def end_turn(state, tables, backstage):
    """Discard, draw, and in solo games destroy a card of the row ("End", "Draw phase")."""
    active = state["active"]
    close_pool(state, tables)
    put_away(state, active)
    draw_cards(state, backstage, active, tables["draw"])
    if state["moved"] != 0:
        note_lead(state, tables)
    if tables["solo"] != 0:
        remove_by_rule(state, tables, state["tally"][active, _TURNS])
        push(state, _REFILL, 0, 0)


@rule
def move(state, tables, edge):
    """Travel; say whether there is a stack to be faced."""
    met = travel(state, tables, edge)
    if met != 0:
        state["fighting"] = met
        look(state, tables, state["active"], met - 1)
        reveal(state, met - 1)
        return True
    seat = state["active"]
    if state["square"][seat] == tables["key_square"]:
        reach_key(state, tables, seat)
    return False


@rare
def settle(state, tables, backstage):
    """Compare the points of a challenge, and note who reaches the key by it."""
    encounter = state["fighting"] - 1
    state["fighting"] = 0
    seat = state["active"]
    won = compare(state, tables, backstage, encounter)
    if won and tables["encounter_square"][encounter] == tables["key_square"]:
        reach_key(state, tables, seat)


@rule
def is_equipment(state, tables, choice):
    """Say whether a choice of MAIN plays equipment of the hand."""
    if choice < _PLAY or choice >= _BUY:
        return False
    card = state["hand"][state["active"], choice - _PLAY]
    return type_of(tables["card_facts"][card]) != _EFFECT


@rare
def get_points(state, tables, backstage, choice):
    """Act on a choice that gives points: equipment, effects, tokens."""
    if choice == _PLAY_ALL:
        play_all(state, tables, backstage)
    elif choice < _PLAY:
        use_equipment(state, tables, backstage, choice - _USE)
    elif choice < _BUY:
        play_effect(state, tables, backstage, choice - _PLAY)
    else:
        play_token(state, tables, backstage, choice - _TOKEN)


@rule
def put(state, tables, backstage, choice):
    """Put equipment of the hand where the player wants it."""
    place = state["place"]
    seat = state["active"]
    slot = tables["type"][tables["card_kind"][state["hand"][seat, place]]] - 1
    if choice == 0:
        put_on(state, tables, backstage, place, slot)
    elif choice < 4:
        forge_under(state, tables, backstage, place, choice - 1)
    else:
        place_gear(state, tables, seat, out_of_hand(state, seat, place), choice - 4, 1)


@rule
def buy(state, tables, place):
    """Pay for a card of a row; return where it can go, as choices of PLACE.

    place: a choice of MAIN. Its number stays in `place` until it is placed.
    """
    seat = state["active"]
    state["place"] = place
    if place < _CHALLENGE:
        kind = tables["card_kind"][state["row"][place - _BUY] - 1]
        pay(state, seat, tables["cost"][kind])
        slot = tables["type"][kind] - 1
        return 1 if slot < 0 else 1 | stacks_for(state, tables, slot) << 1
    place -= _CHALLENGE
    visible = location_places(tables)
    if place < visible:
        pay(state, seat, tables["location_cost"][state["location_row"][place] - 1])
        return open_squares(state, tables) << 1
    place -= visible
    pay(state, seat, tables["creature_cost"][state["creature_row"][place] - 1])
    return lairs(state, tables) << 1


@rule
def put_bought(state, tables, backstage, choice):
    """Put the card just paid for where the player wants it."""
    place = state["place"]
    seat = state["active"]
    if choice != 0 and state["hand_gear"] != 0:  # what lies on stacks is where equipment may go
        state["point_ways_hold"] = 0
    if place < _CHALLENGE:
        take_bought(state, tables, seat, place - _BUY, choice)
        return
    state["tally"][seat, _PLACED] += 1
    place -= _CHALLENGE
    visible = location_places(tables)
    if place < visible:
        place_location(state, tables, backstage, choice - 1, place, visible)
    else:
        place_creature(state, tables, backstage, choice - 1, place - visible)


@rule
def plays_all(state, seat):
    """Say whether a seat has standing orders to play all, and nothing in hand asks anything."""
    return (
        state["standing"][seat] >> _ASKED_MAIN & 1 != 0
        and is_legal(state["point_ways"], _PLAY_ALL)
        and state["hand_gear"] | state["hand_asks"] == 0
    )


@rule
def goes_on(state, seat, legal, hold):
    """Say whether a seat is to be asked in its main phase.

    hold: the points are those of the last time that it was asked, see `point_ways_hold`.
    """
    wanted = -1
    if hold & (state["standing"][seat] >> _ASKED_MAIN) != 0:
        wanted = ~state["memo"][seat, ORDERS]
    return legal & wanted & -2 != 0


@rule
def foreseen(state, seat, legal):
    """Return the lowest choice alone if the seat's orders say that it takes it."""
    ordered = state["memo"][seat, ORDERS] & (state["standing"][seat] >> _ASKED_MAIN) & 1
    return legal & -legal if ordered != 0 else legal


@rare
def open_game(state, tables, backstage):
    """Set up a game in a zeroed state; `advance` with choice 0 goes on to the first decision."""
    set_up(state, tables, backstage)
    state["step"] = Step.ASK_HERO


@rule
def advance(state, tables, backstage, choice):
    """Apply a choice to the open prompt and go to the next decision; return its prompt.

    The choice must be legal: `state["legal"]` has its bit. The first call of a game takes 0.
    """
    step = state["step"]
    while True:
        if step == Step.ASK_MAIN:  # the main phase
            active = state["active"]
            step = Step.MAIN
            hold = state["point_ways_hold"]
            note_point_ways(state, tables, active)
            if plays_all(state, active):
                choice = _PLAY_ALL
            else:
                legal = main_choices(state, tables, active)
                state["legal"] = legal
                choice = 0
                if goes_on(state, active, legal, hold):
                    state["seat"] = active
                    state["memo"][active, ORDERS] = 0
                    state["prompt"] = _ASKED_MAIN
                    state["step"] = step
                    return Prompt.MAIN
        if step == Step.MAIN:
            state["after"] = Step.ASK_MAIN
            step = Step.TODO
            if choice == 0:
                end_turn(state, tables, backstage)
                state["after"] = Step.NEXT_TURN
            elif choice >= _DISCARD:
                legal = hand_places(state, state["active"], 1)
                step = Step.DISCARD
                if is_open(state, state["active"], Prompt.DISCARD, legal):
                    state["step"] = step
                    return Prompt.DISCARD
                choice = lowest(legal)
            elif choice >= _DESTROY:
                destroy_played(state, tables, choice - _DESTROY)
            elif _TRAVEL <= choice < _TOKEN:
                if move(state, tables, choice - _TRAVEL):
                    step = Step.ASK_FIGHT
                else:
                    state["point_ways_hold"] = 1
            elif _BUY <= choice < _TRAVEL:
                state["point_ways_hold"] = 1
                legal = foreseen(state, state["active"], buy(state, tables, choice))
                step = Step.PLACE
                if is_open(state, state["active"], Prompt.PLACE, legal):
                    state["step"] = step
                    return Prompt.PLACE
                choice = lowest(legal)
            elif not is_equipment(state, tables, choice):
                get_points(state, tables, backstage, choice)
            else:
                active = state["active"]
                state["place"] = choice - _PLAY
                kind = tables["card_kind"][state["hand"][active, choice - _PLAY]]
                legal = foreseen(state, active, equipment_uses(state, tables, active, kind))
                step = Step.PUT
                if is_open(state, active, Prompt.PUT, legal):
                    state["step"] = step
                    return Prompt.PUT
                choice = lowest(legal)
        if step == Step.PLACE:
            put_bought(state, tables, backstage, choice)
            step = Step.TODO
        if step == Step.PUT:
            put(state, tables, backstage, choice)
            step = Step.ASK_MAIN
            continue
        if step == Step.DISCARD:
            active = state["active"]
            to_discard(state, active, out_of_hand(state, active, choice - 1))
            step = Step.ASK_MAIN
            continue

        if step == Step.ASK_FIGHT:  # after the reveal (rules 18 and 19, D-16)
            active = state["active"]
            legal = 1
            if tables["play_after_reveal"] != 0:
                legal |= point_choices(state, tables, active, False)
            step = Step.FIGHT
            if is_open(state, active, Prompt.FIGHT, legal):
                state["step"] = step
                return Prompt.FIGHT
            choice = 0
        if step == Step.FIGHT:
            if choice == 0:
                settle(state, tables, backstage)
                state["after"] = Step.ASK_MAIN
            else:
                get_points(state, tables, backstage, choice)
                state["after"] = Step.ASK_FIGHT
            step = Step.TODO

        if step == Step.ANSWER:
            prompt = answer(state, tables, backstage, state["prompt"], state["seat"], choice)
            if prompt != 0:
                return prompt
            step = Step.TODO
        if step == Step.TODO:  # texts, refills and offers, until none is left
            if state["status"] != Status.PLAYING:
                return Prompt.GAME_OVER
            while state["todo_size"] > 0:
                prompt = carry_out(state, tables, backstage)
                if prompt != 0:
                    state["step"] = Step.ANSWER
                    return prompt
            step = state["after"]
            if step != Step.NEXT_TURN:
                continue

        if step == Step.NEXT_TURN:
            if state["last_turns"] > 0:  # duel
                state["last_turns"] -= 1
                if state["last_turns"] == 0:
                    end_duel(state, tables)
                    return Prompt.GAME_OVER
            state["active"] = seat_after(state, state["active"], 1)
            step = Step.TURN_START
        if step <= Step.START:
            prompt = pick(state, tables, backstage, choice)
            if prompt != 0:
                return prompt
            step = Step.TURN_START
        if step == Step.TURN_START:
            if not start_turn(state, tables, backstage):
                return Prompt.GAME_OVER
            step = Step.ASK_MAIN


@rule
def turn_of(state):
    """Return the number of the turn, for the addresses of whims."""
    return state["turn"]
