"""Adventures on the map ("Adventure": leaving town, movement, events on the way; rules 13 to 23).

The scenarios change data only: where the town is, which spaces have symbols, whether failed quests
stay, which keywords quests give and take (rules 66 to 68).
"""

from __future__ import annotations

import numpy as np

from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    gain,
    heart_total,
    lose_bird,
    party_power,
    pay_hearts,
    power,
    put_camp,
    trigger_end,
)
from sim.near_and_far.bosses import boss_in_way, open_next_boss
from sim.near_and_far.magic import alter_weather, flip, is_ready
from sim.near_and_far.rewards import give
from sim.near_and_far.rolls import open_roll
from sim.near_and_far.state import (
    KEYWORDS,
    REWARDS,
    CampKind,
    EndTrigger,
    Event,
    Face,
    Place,
    RollKind,
    Spell,
    Symbol,
    Tally,
)

_COMBAT = np.int64(Symbol.COMBAT)
_SEARCH = np.int64(Symbol.SEARCH)
_CAUTION = np.int64(Symbol.CAUTION)
_MOVEMENT = np.int64(Symbol.MOVEMENT)
_WIND_STORM = np.int64(Spell.WIND_STORM)
_DIVINATION = np.int64(Spell.DIVINATION)
_ALTER_WEATHER = np.int64(Spell.ALTER_WEATHER)
_THREAT_ROLL = np.int64(RollKind.THREAT)
_QUEST_ROLL = np.int64(RollKind.QUEST)
_MAP_CAMP = np.int64(CampKind.MAP)
_THREAT_CAMP = np.int64(CampKind.THREAT)
_QUESTS = np.int64(EndTrigger.QUESTS)
_STEPS = np.int64(Tally.STEPS)
_HEARTS_CROSSING = np.int64(Tally.HEARTS_CROSSING)
_THREATS_FOUGHT = np.int64(Tally.THREATS_FOUGHT)
_THREATS_BEATEN = np.int64(Tally.THREATS_BEATEN)
_THREATS_PASSED = np.int64(Tally.THREATS_PASSED)
_QUESTS_TRIED = np.int64(Tally.QUESTS_TRIED)
_QUESTS_DONE = np.int64(Tally.QUESTS_DONE)
_QUEST_BONUSES = np.int64(Tally.QUEST_BONUSES)


# --- leaving town and moving ----------------------------------------------------------------------


@rare
def depart(state, tables, seat):
    """Leave town with the party that was put together ("Leaving town"; rules 13, 14).

    Hearts are counted anew, so those left over from the last adventure or found in town are gone
    (A-21). In a scenario the town's space is another one (rules 67, 68).
    """
    hearts = heart_total(state, tables, seat)
    state["hearts"][seat] = hearts
    state["place"][seat] = Place.MAP
    state["space"][seat] = tables["town_space"]
    emit(Event.DEPARTED, seat, hearts, movement_of(state, tables, seat), 0)


@rule
def movement_of(state, tables, seat):
    """Return the movement points of a turn ("Movement"; rule 15, NF-T27).

    The same for map and mine (A-35).
    """
    return tables["base_movement"] + state["birds"][seat] + power(state, seat, _MOVEMENT)


@rule
def start_moves(state, tables, seat):
    """Count the movement points; a bird given up later has lent its point (rule 3)."""
    state["movement"] = movement_of(state, tables, seat)
    state["entered"] = 0


@rule
def step_cost(state, tables, seat):
    """Return the hearts for going on from the present space (rule 16, A-8, A-9, NF-T33).

    An empty space has nobody's camp. Only passed ones cost: those the figure came to in this turn;
    in the other reading every empty one it leaves, the first as well. The town never costs.
    """
    space = state["space"][seat]
    if space == tables["town_space"] or state["camped"] >> space & 1 != 0:
        return 0
    if state["entered"] == 0 and tables["heart_cost_leave"] == 0:
        return 0
    return tables["cross_hearts"]


@rare
def road_choices(state, tables, seat):
    """Return the roads that can be taken now, as bits by place in the space's list (rules 15, 16).

    It takes a movement point and the hearts for the space left behind. A threat bars no road: one
    can always fight.
    """
    if state["movement"] <= 0 or state["hearts"][seat] < step_cost(state, tables, seat):
        return 0
    return (1 << tables["degree"][state["space"][seat]]) - 1


@rare
def take_road(state, tables, seat, place):
    """Set out on a road; return 1 if its threat has to be faced first (rules 17 and 53, A-42).

    The hearts for the space left behind are paid on arrival, so a fight may not use them up. With
    map scarcity a threat symbol counts once in a turn. An empty stack has no threats.
    """
    space = state["space"][seat]
    road = tables["road"][space, place]
    state["road"] = 1 + road
    state["next_space"] = tables["road_to"][space, place] - 1
    state["reserve"] = step_cost(state, tables, seat)
    if tables["road_threat"][road] == 0:
        return 0
    if state["threat"] >= tables["threats"] and not boss_in_way(state, tables):
        return 0
    if tables["map_scarcity"] != 0 and state["crossed_threats"] >> road & 1 != 0:
        return 0
    return 1


@rare
def cross(state, tables, seat):
    """Go to the other end of the road: hearts, movement, treasure symbol (rules 16, 20, 53).

    A treasure is due each time its symbol is crossed; with map scarcity once in a turn (NF-T29).
    """
    road = state["road"] - 1
    hearts = state["reserve"]
    state["road"] = 0
    state["reserve"] = 0
    if hearts > 0:
        pay_hearts(state, seat, hearts)
        state["tally"][seat, _HEARTS_CROSSING] += hearts
    state["movement"] -= 1
    state["entered"] = 1
    state["space"][seat] = state["next_space"]
    state["tally"][seat, _STEPS] += 1
    emit(Event.MOVED, seat, state["next_space"], hearts, 0)
    if tables["road_threat"][road] != 0:
        state["crossed_threats"] |= 1 << road
    if tables["road_treasure"][road] != 0:
        if tables["map_scarcity"] == 0 or state["crossed_treasures"] >> road & 1 == 0:
            state["treasures_due"] += 1
        state["crossed_treasures"] |= 1 << road


@rare
def arrive(state, tables, seat):
    """End the movement: a space with a heart symbol fills the hearts up (rules 67 and 68).

    It never takes hearts away.
    """
    if tables["refresh"] >> state["space"][seat] & 1 != 0:
        hearts = heart_total(state, tables, seat)
        more = hearts - state["hearts"][seat]
        if more > 0:
            state["hearts"][seat] = hearts
            emit(Event.HEARTS, seat, hearts, more, 0)


# --- threats --------------------------------------------------------------------------------------


@rare
def threat_choices(state, tables, seat):
    """Return the ways to get past a threat, as bits of THREAT (rules 3, 18 and 19).

    Each caution symbol of party and cards passes one threat a turn (A-11).
    """
    legal = 1 << Face.FIGHT
    if power(state, seat, _CAUTION) > state["caution_used"]:
        legal |= 1 << Face.CAUTION
    if state["birds"][seat] > 0:
        legal |= 1 << Face.BIRD
    if is_ready(state, seat, _WIND_STORM):
        legal |= 1 << Face.WIND_STORM
    return legal


@rare
def pass_threat(state, tables, seat, face):
    """Get past a threat without a fight; it stays on top (rules 3, 19 and 42)."""
    if face == Face.CAUTION:
        state["caution_used"] += 1
    elif face == Face.BIRD:
        lose_bird(state, seat)
    else:
        flip(state, seat, _WIND_STORM)
    state["tally"][seat, _THREATS_PASSED] += 1
    emit(Event.THREAT_PASSED, seat, state["threat"], face, 0)


@rare
def open_threat(state, tables, seat):
    """Fight the threat on top: a die, swords of party and cards, hearts (rule 18).

    Once the stack is empty a boss can stand there (A-7).
    """
    if state["threat"] >= tables["threats"]:
        open_next_boss(state, tables, seat)
        return
    state["tally"][seat, _THREATS_FOUGHT] += 1
    level = tables["threat_level"][state["threat"]]
    open_roll(state, tables, _THREAT_ROLL, seat, _COMBAT, power(state, seat, _COMBAT), level, 0)


@rare
def close_threat(state, tables, seat):
    """Take a beaten threat; return 1 if the figure may go on (rules 18 and 44, NF-T12).

    A camp goes on it if the card has a camp symbol (A-37) and a camp is left (A-38). Its reward is
    taken at once. A lost fight ends the movement where it was and costs nothing more (A-10).
    """
    threat = state["threat"]
    if state["success"] == 0:
        emit(Event.THREAT_LOST, seat, threat, 0, 0)
        state["road"] = 0
        state["reserve"] = 0
        state["movement"] = 0
        return 0
    emit(Event.THREAT_BEATEN, seat, threat, 0, 0)
    state["threat_owner"][threat] = 1 + seat
    state["threat"] = threat + 1
    state["running"][seat] += tables["threat_points"][threat]
    state["tally"][seat, _THREATS_BEATEN] += 1
    if tables["threat_camp"][threat] != 0:
        put_camp(state, tables, seat, _THREAT_CAMP, threat)
    give(state, tables, seat, tables["threat_reward"][threat])
    return 1


# --- quests ---------------------------------------------------------------------------------------


@rule
def quest_choices(state, tables, seat):
    """Return what can be done about a quest where the movement ended, as bits of QUEST (rule 21).

    In a scenario there may be one on the town's space, too (rules 67, 68).
    """
    return 0b111 if state["tokens"] >> state["space"][seat] & 1 != 0 else 1


@rule
def has_extra(tables, space, way):
    """Say whether a way through a quest has a bonus."""
    extra = 0
    for column in range(REWARDS):
        extra |= tables["quest_extra"][space, way, column]
    return extra != 0


@rare
def open_quest(state, tables, seat, way):
    """Try a quest in the first or second way: a die, the way's symbols, hearts (rule 21).

    A total two above the number earns the bonus (NF-T26).
    """
    space = state["space"][seat]
    state["quest_way"] = way
    state["reserve"] = 0
    state["tally"][seat, _QUESTS_TRIED] += 1
    emit(Event.QUEST, seat, space, way, 0)
    symbol = tables["quest_symbol"][space, way - 1]
    need = tables["quest_need"][space, way - 1]
    bonus = need + tables["quest_bonus"] if has_extra(tables, space, way - 1) else 0
    open_roll(state, tables, _QUEST_ROLL, seat, symbol, power(state, seat, symbol), need, bonus)


@rare
def close_quest(state, tables, seat):
    """After the roll: reward, bonus, keywords; the token goes (rules 21, 66 and 67, NF-T26).

    A failed quest's token goes as well, but stays where failed quests may be tried again. A keyword
    that is lost is lost by everybody. The last token may end the game (A-1).
    """
    space = state["space"][seat]
    way = state["quest_way"] - 1
    success = state["success"]
    if success == 0:
        stays = tables["failed_stay"]
        emit(Event.QUEST_FAILED, seat, space, stays, 0)
        if stays != 0:
            return
    else:
        emit(Event.QUEST_DONE, seat, space, success - 1, 0)
        state["quests_done"][seat] += 1
        state["tally"][seat, _QUESTS_DONE] += 1
        give(state, tables, seat, tables["quest_reward"][space, way])
        if success == 2:
            state["tally"][seat, _QUEST_BONUSES] += 1
            give(state, tables, seat, tables["quest_extra"][space, way])
        change_keywords(state, tables, seat, space, way)
    state["tokens"] &= ~(1 << space)
    if state["tokens"] == 0:
        trigger_end(state, tables, seat, _QUESTS)


@rare
def change_keywords(state, tables, seat, space, way):
    """Take keywords from everybody, then give some to whoever succeeded (rule 67)."""
    lost = tables["quest_loses"][space, way]
    gained = tables["quest_gains"][space, way]
    if lost | gained == 0:
        return
    for keyword in range(KEYWORDS):
        for other in range(state["players"]):
            if (lost & state["keywords"][other]) >> keyword & 1 != 0:
                emit(Event.KEYWORD, other, keyword, 0, 0)
        if gained >> keyword & 1 != 0:
            emit(Event.KEYWORD, seat, keyword, 1, 0)
    for other in range(state["players"]):
        state["keywords"][other] &= ~lost
    state["keywords"][seat] |= gained


# --- camps ----------------------------------------------------------------------------------------


@rare
def camp_choices(state, tables, seat):
    """Return the ways to build a camp where the movement ended, as bits of CAMP (rules 22, 42).

    The space must be free of camps and not the town, and it takes hearts and a camp to build.
    """
    space = state["space"][seat]
    legal = 1
    if (
        (state["camped"] | tables["no_camp"]) >> space & 1 == 0
        and state["hearts"][seat] >= tables["camp_hearts"]
        and state["tents"][seat] > 0
    ):
        ways = 0b111 if is_ready(state, seat, _ALTER_WEATHER) else 1
        legal |= ways << 1
        if tables["space_good"][space] != 0 and is_ready(state, seat, _DIVINATION):
            legal |= ways << 4
    return legal


@rare
def build_camp(state, tables, seat, choice):
    """Build a camp for hearts; a coin or gem space pays by search symbols (rule 22, NF-T28).

    choice: of CAMP, 1 to 6: with or without Alter Weather and Divination (rule 42).
    """
    space = state["space"][seat]
    pay_hearts(state, seat, tables["camp_hearts"])
    if put_camp(state, tables, seat, _MAP_CAMP, space) != 0:
        state["camp"][space] = 1 + seat
        state["camped"] |= 1 << space
        state["map_camps"][seat] |= 1 << space
    if choice > 3:
        flip(state, seat, _DIVINATION)
        state["divined"] += tables["spell_amount"][_DIVINATION]
    good = tables["space_good"][space]
    if good != 0:
        found = party_power(state, seat, _SEARCH) + state["divined"]
        state["divined"] = 0
        if found > 0:
            gain(state, seat, good - 1, found)
    alter_weather(state, tables, seat, (choice - 1) % 3)
