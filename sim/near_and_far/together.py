"""The cooperative mode: clock, gifts, end, and the steps of a turn that only it has.

(Amber Mines, "Module: Cooperative Mode"; rules 54 to 61.) Bosses and minions have files of their
own. `rules.advance` hands every step from Step.DUE on to `play_together`.
"""

from __future__ import annotations

import numpy as np

from sim.choices import is_open, lowest, seat_after
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    discard_artifact,
    drop_treasure,
    nth,
    part_with,
    pick_card,
    pop,
    take_treasure,
    treasure_room,
)
from sim.near_and_far.bosses import boss_here, close_boss, open_boss
from sim.near_and_far.duel import duel_choices, occupants, open_duel
from sim.near_and_far.minions import (
    close_minion,
    draw_minion,
    go_on_acting,
    minion_choices,
    open_minion,
    remove_mine_camp,
)
from sim.near_and_far.scoring import enough, score
from sim.near_and_far.state import (
    GAP_ROUNDS,
    GAPS,
    GIFT_BIRD,
    GIFT_TREASURE,
    GIFT_TREASURES,
    GIFTS,
    GOODS,
    NO_DUEL,
    NO_GAP,
    Event,
    Place,
    Prompt,
    RollKind,
    Status,
    Step,
    Stream,
    Tally,
)
from sim.near_and_far.travel import arrive

_NOWHERE = np.int64(Place.NOWHERE)
_MAP = np.int64(Place.MAP)
_BOSSES = np.int64(Stream.BOSSES)
_GIVEN = np.int64(Tally.GIFTS)
_TAKEN = np.int64(Tally.GIFTS_TAKEN)
_K_MINION = np.int64(RollKind.MINION)
_ACT = np.int64(Step.ACT)
_ASK_BEFORE_ROLL = np.int64(Step.ASK_BEFORE_ROLL)
_ASK_QUEST = np.int64(Step.ASK_QUEST)
_ASK_CAMP = np.int64(Step.ASK_CAMP)
_CROSS = np.int64(Step.CROSS)
_SETTLE = np.int64(Step.SETTLE)
_TURN_END = np.int64(Step.TURN_END)
_DUE = np.int64(Step.DUE)
_DUE_TREASURE = np.int64(Step.DUE_TREASURE)
_DUE_CAMP = np.int64(Step.DUE_CAMP)
_ASK_GIVE = np.int64(Step.ASK_GIVE)
_GIVE = np.int64(Step.GIVE)
_ASK_MINION = np.int64(Step.ASK_MINION)
_MINION = np.int64(Step.MINION)
_ENTER = np.int64(Step.ENTER)
_ENTER_DUEL = np.int64(Step.ENTER_DUEL)
_TEAM_ROLLED = np.int64(Step.TEAM_ROLLED)
_ASK_BOSS = np.int64(Step.ASK_BOSS)
_BOSS = np.int64(Step.BOSS)
_ASKED = np.int64(-1)  # somebody has to decide


# --- set-up, clock, end ---------------------------------------------------------------------------


@rare
def set_up_together(state, tables, backstage):
    """Put the time token on its start and draw the bosses; minions wait in their deck."""
    state["together"] = 1
    state["time_space"] = tables["time_start"]
    state["time_value"] = tables["time_value"][tables["time_start"]]
    state["minion_deck"] = tables["minion_cards"]
    left = tables["boss_cards"]
    for _ in range(min(tables["bosses"], pop(left))):
        boss = pick_card(backstage, _BOSSES, 0, left)
        left &= ~(1 << boss)
        state["bosses"] |= 1 << boss
    state["bosses_left"] = state["bosses"]
    for place in range(GAPS):
        state["team_gap"][place] = NO_GAP
        state["team_bosses"][place] = -1


@rare
def note_team(state):
    """Note after rounds 4, 8, ... how far the team is: certain points less those needed."""
    rounds = (state["turn"] - 1) // state["players"]
    place = rounds // GAP_ROUNDS - 1
    if rounds % GAP_ROUNDS == 0 and 0 <= place < GAPS:
        points = 0
        for seat in range(state["players"]):
            points += state["running"][seat]
        state["team_gap"][place] = points - state["players"] * state["time_value"]
        state["team_bosses"][place] = pop(state["bosses_left"])


@rare
def move_clock(state, tables, backstage):
    """Move the time token on at the start of the first player's turn; say if the game goes on.

    In the first round, too (A-40). On the skull the team has lost at once (rules 58 and 61).
    """
    note_team(state)
    space = tables["time_next"][state["time_space"]]
    state["time_space"] = space
    if tables["time_skull"] >> space & 1 != 0:
        state["skull"] = 1
        emit(Event.SKULL, -1, 0, 0, 0)
        finish_together(state, tables)
        return False
    swords = tables["time_swords"] >> space & 1
    state["time_value"] = tables["time_value"][space]
    emit(Event.CLOCK, -1, state["time_value"], swords, 0)
    if swords != 0 and tables["minions"] != 0:
        draw_minion(state, tables, backstage)
    return True


@rare
def finish_together(state, tables):
    """Score; the team wins with enough points and all bosses beaten (rule 61; NF-T8, NF-T9)."""
    score(state, tables)
    points = 0
    for seat in range(state["players"]):
        points += state["total"][seat]
    if enough(state, tables, points) and state["bosses_left"] == 0 and state["skull"] == 0:
        state["winner"] = state["first_seat"]
        state["winners"] = (1 << state["players"]) - 1
    state["status"] = Status.WON
    needed = state["players"] * state["time_value"]
    emit(Event.TEAM, -1, points, needed, pop(state["bosses_left"]))


# --- gifts (rule 59, A-46) ------------------------------------------------------------------------


@rule
def whereabouts(state, seat):
    """Return where a figure is: 1 in town, 2 + space on the map, 0 before its first turn.

    The town is one location, the Jail and all (A-46).
    """
    place = state["place"][seat]
    space = state["space"][seat]
    town = 0 if place == _NOWHERE else 1
    return 2 + space if place == _MAP else town


@rare
def can_part_with(state, tables, seat):
    """Return what one player could give others, as bits: goods, a bird, treasures.

    What treasures one holds must still fit once a bird has left.
    """
    found = 0
    for good in range(GOODS):
        if state["goods"][seat, good] > 0:
            found |= 1 << good
    held = pop(state["treasures"][seat])
    birds = state["birds"][seat]
    if birds > 0:
        room = treasure_room(state, tables, seat)
        if held < room or (held == room and birds < room):
            found |= 1 << GIFT_BIRD
    return found | ((1 << min(held, GIFT_TREASURES)) - 1) << GIFT_TREASURE


@rule
def can_take(state, tables, seat):
    """Return what one player has room for, as bits: goods, a bird, treasures."""
    found = (1 << GOODS) - 1
    if state["birds"][seat] < tables["most_birds"]:
        found |= 1 << GIFT_BIRD
    if pop(state["treasures"][seat]) < treasure_room(state, tables, seat):
        found |= ((1 << GIFT_TREASURES) - 1) << GIFT_TREASURE
    return found


@rare
def gift_choices(state, tables, seat):
    """Return what the active player can give to whom, as bits of GIVE without 0.

    Once it has said that it is done, nothing more is given in that turn at that place.
    """
    here = whereabouts(state, seat)
    if (
        here == 0
        or tables["forbid_gifts"][seat] != 0
        or state["gifts_closed"] == (state["turn"] << 8 | here)
    ):
        return 0
    near = 0  # seats at that place, as bits: most often none, and found without a jump for each
    for other in range(state["players"]):
        near |= np.int64(whereabouts(state, other) == here) << other
    near &= ~(1 << seat)
    if near == 0:
        return 0
    legal = 0
    things = can_part_with(state, tables, seat)
    while near != 0:
        other = lowest(near)
        near &= near - 1
        mate = other - seat - 1
        if mate < 0:
            mate += state["players"]
        legal |= (things & can_take(state, tables, other)) << (1 + GIFTS * mate)
    return legal


@rare
def hand_over(state, tables, seat, choice):
    """Give one thing to another player."""
    mate = (choice - 1) // GIFTS
    what = choice - 1 - GIFTS * mate
    other = seat_after(state, seat, mate + 1)
    treasure = 0
    if what >= GIFT_TREASURE:
        treasure = nth(state["treasures"][seat], what - GIFT_TREASURE)
    emit(Event.GIFT, seat, other, what, treasure)
    if what < GOODS:
        state["goods"][seat, what] -= 1
        state["goods"][other, what] += 1
    elif what == GIFT_BIRD:
        state["birds"][seat] -= 1
        state["birds"][other] += 1
    else:
        part_with(state, tables, seat, treasure)
        take_treasure(state, tables, other, treasure)
    state["tally"][seat, _GIVEN] += 1
    state["tally"][other, _TAKEN] += 1


# --- steps ----------------------------------------------------------------------------------------


@rare
def lose_something(state, tables, step, choice):
    """Act on what somebody gives up because of a minion."""
    seat = state["seat"]
    state["due_done"] = 1
    if step == _DUE_CAMP:
        remove_mine_camp(state, tables, choice - 1)
        state["minion_acts"] = 0
    elif step == _DUE_TREASURE:
        drop_treasure(state, tables, seat, nth(state["treasures"][seat], choice - 1))
    else:
        discard_artifact(state, seat, choice - 1)


@rare
def settle_roll(state, tables, seat):
    """Act on the result of a roll against a minion or a boss; return the next step."""
    if state["roll_kind"] == _K_MINION:
        if not close_minion(state, tables, seat):
            return _TURN_END
        state["after"] = _ENTER
        return _SETTLE
    close_boss(state, tables, seat)
    if tables["bosses_as_threats"] == 0:
        return _ASK_CAMP
    if state["success"] != 0:
        return _CROSS
    state["road"] = 0
    state["reserve"] = 0
    state["movement"] = 0
    arrive(state, tables, seat)
    return _ASK_QUEST


@rare
def play_together(state, tables, backstage, step, choice):
    """Go through the steps from Step.DUE on; return the step to go on with, -1 if one must ask."""
    seat = state["active"]
    while _DUE <= step <= _DUE_CAMP:
        if step != _DUE:
            lose_something(state, tables, step, choice)
        step = go_on_acting(state, tables)
        if step > _DUE:
            choice = lowest(state["legal"])
    if step == _ASK_GIVE:
        legal = gift_choices(state, tables, seat)
        if legal == 0:
            return state["back"]
        state["step"] = _GIVE
        if is_open(state, seat, np.int64(Prompt.GIVE), legal | 1):
            return _ASKED
        step = _GIVE
        choice = 0
    if step == _GIVE:
        if choice == 0:
            state["gifts_closed"] = state["turn"] << 8 | whereabouts(state, seat)
            return state["back"]
        hand_over(state, tables, seat, choice)
        state["after"] = _ASK_GIVE
        return _SETTLE
    if step == _ASK_MINION:
        state["step"] = _MINION
        legal = minion_choices(state, tables, state["building"])
        if is_open(state, seat, np.int64(Prompt.MINION), legal):
            return _ASKED
        step = _ENTER
    if step == _MINION:
        if choice != 0:
            open_minion(state, tables, seat, choice)
            return _ASK_BEFORE_ROLL
        step = _ENTER
    if step == _ENTER:
        if occupants(state, tables, seat, state["building"]) == 0:
            return _ACT
        state["step"] = _ENTER_DUEL
        legal = duel_choices(state, tables, seat, state["building"])
        if is_open(state, seat, np.int64(Prompt.DUEL), legal):
            return _ASKED
        step = _ENTER_DUEL
        choice = lowest(legal)
    if step == _ENTER_DUEL:
        if choice == NO_DUEL:
            return _ACT
        open_duel(state, tables, seat, choice)
        return _ASK_BEFORE_ROLL
    if step == _ASK_BOSS:
        state["boss_asked"] = state["turn"]
        boss = boss_here(state, tables, seat)
        state["step"] = _BOSS
        if boss == 0 or not is_open(state, seat, np.int64(Prompt.BOSS), 3):
            return _ASK_CAMP
        return _ASKED
    if step == _BOSS:
        if choice == 0:
            return _ASK_CAMP
        state["reserve"] = 0
        open_boss(state, tables, seat, boss_here(state, tables, seat) - 1)
        return _ASK_BEFORE_ROLL
    if step == _TEAM_ROLLED:
        return settle_roll(state, tables, seat)
    return step
