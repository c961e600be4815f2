"""The mine for the players of Near and Far: a search over the cards within reach."""

from __future__ import annotations

import numpy as np

from sim.choices import is_legal, lowest
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    party_power,
    power,
)
from sim.near_and_far.mine import free_cards
from sim.near_and_far.state import (
    MAX_AREAS,
    Dig,
    Good,
    Symbol,
)
from sim.near_and_far.travel import movement_of
from strategies.near_and_far_worth import (
    DIG,
    DIG_AT,
    TICKS,
    WORTH,
    Weight,
    camp_worth,
    hearts_to_spend,
    odds,
    reward_worth,
)

_SKILL = np.int64(Symbol.SKILL)
_PICKAX = np.int64(Symbol.PICKAX)
_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_DIG_CAMP = np.int64(Dig.CAMP)
_DIG_LEFT = np.int64(Dig.LEFT)
_DIG_UP = np.int64(Dig.UP)
STORE_OF_FOOD = 3
_DIG_LONG = 6  # steps of a plan at most
_DIG_END = 8 * _DIG_LONG + 8  # the bit in the notes from which on they say what is done in the end
_BYTE = 255


@rule
def food_worth(state, weights, me, food):
    """Return what paying some food costs: what is held beyond a small store is worth nothing."""
    spare = max(0, state["goods"][me, _FOOD] - STORE_OF_FOOD)
    return max(0, food - spare) * weights[Weight.FOOD]


@rule
def may_camp(state, tables, me):
    """Say whether a camp could be built in the Amber Mine: a tent, and food for those there."""
    food = state["mine_camps"][me] * tables["mine_camp_food"]
    return state["tents"][me] != 0 and state["goods"][me, _FOOD] >= food


@rule
def mined_worth(state, tables, weights, memo, me, worth):
    """Return what a camp in the mine is worth that brings some points, its food aside.

    worth: of the camp and what else it brings.
    """
    worth += party_power(state, me, _PICKAX) * memo[WORTH + _COIN] / TICKS
    food = state["mine_camps"][me] * tables["mine_camp_food"]
    return weights[Weight.MINE] * worth - food_worth(state, weights, me, food)


@rule
def camp_on(state, tables, weights, memo, me, card, camp):
    """Return what a camp on a card of the Amber Mine is worth to who may build one there.

    camp: what it is worth anywhere.
    """
    worth = camp + reward_worth(weights, memo, tables["mine_reward"][card])
    worth += weights[Weight.AMBER] * tables["mine_amber"][card]
    return mined_worth(state, tables, weights, memo, me, worth)


@rare
def dig_worth(state, tables, weights, memo, me, card):
    """Return what a camp on a card of the Amber Mine is worth; 0 where none can be built."""
    if card == 0 or state["mine_camp"][card] != 0 or not may_camp(state, tables, me):
        return 0.0
    camp = camp_worth(state, tables, weights, memo, me)
    return camp_on(state, tables, weights, memo, me, card, camp)


@rule
def way_to(near, card):
    """Return the direction in which a card lies. near: a word of the neighbours of another."""
    for direction in range(_DIG_LEFT, _DIG_UP):
        if (near >> (direction << 3) & 255) - 1 == card:
            return direction
    return _DIG_UP


@rare
def plan_dig(state, tables, weights, memo, me, sources, moves, least):
    """Search the cards of the mine within reach; note the best way, return what it is worth.

    sources: cards to start from, as bits. least: a plan that is not worth more is as good as none.
    """
    table = state["scratch"]  # chance to get there, hearts, worth of a camp
    trails = state["labels"]  # the cards on the way, as in the notes
    best = 0.0
    memo[DIG] = 1 + lowest(sources)
    memo[DIG_AT] = (state["turn"] + 1) << 8
    if not may_camp(state, tables, me):
        return best
    camp = camp_worth(state, tables, weights, memo, me)
    most = 0.0  # that can be had anywhere
    fresh = 0.0
    if state["mine_deck"] != 0:
        fresh = mined_worth(state, tables, weights, memo, me, camp + weights[Weight.NEW_CARD])
        most = fresh
    free = free_cards(state)
    bits = free
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        worth = camp_on(state, tables, weights, memo, me, card, camp)
        table[4, card] = worth
        most = max(most, worth)
    if most <= least:
        memo[DIG_AT] = 0  # not looked for
        return best
    seen = sources
    active = sources
    bits = sources
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        table[0, card] = 1.0
        table[3, card] = state["hearts"][me]
        trails[card] = 1 + card
    moves = min(moves, _DIG_LONG)
    for step in range(moves + 1):
        following = 0
        while active != 0 and best < most:
            card = lowest(active)
            active &= active - 1
            chance = table[0, card]
            if free >> card & 1 != 0 and chance * table[4, card] > best:
                best = chance * table[4, card]
                memo[DIG] = trails[card] | _DIG_CAMP << _DIG_END
            if step == moves or chance < 0.15:
                continue
            if chance * fresh > best and state["mine_edges"][card] != 0:
                best = chance * fresh
                memo[DIG] = trails[card] | lowest(state["mine_edges"][card]) << _DIG_END
            ways = state["mine_ways"][card] & ~seen
            seen |= ways
            following |= ways
            while ways != 0:
                to = lowest(ways)
                ways &= ways - 1
                hearts = int(table[3, card])
                there = chance
                if tables["mine_need"][to] > 0 and free >> to & 1 != 0:
                    wanted = tables["mine_need"][to] - power(state, me, tables["mine_symbol"][to])
                    there *= odds(memo, wanted - hearts)
                    hearts -= min(hearts, int(hearts_to_spend(memo, wanted, hearts) + 0.5))
                table[0, to] = there
                table[3, to] = hearts
                trails[to] = trails[card] | (1 + to) << (8 * step + 8)
        active = following
        if active == 0 or best >= most:
            break
    return best


@rare
def choose_start(state, tables, weights, memo, me):
    """Answer MINE_START: where the plan begins for which one came."""
    if memo[DIG_AT] != (state["turn"] + 1) << 8 or not is_legal(
        state["legal"], (memo[DIG] & _BYTE) - 1
    ):
        moves = movement_of(state, tables, me)
        plan_dig(state, tables, weights, memo, me, state["legal"], moves, 0.0)
    return (memo[DIG] & _BYTE) - 1


@rare
def choose_dig(state, tables, weights, memo, me):
    """Answer MINE_MOVE: go where a camp is worth most, or build it here.

    The plan is followed until a roll or a new card decides otherwise.
    """
    legal = state["legal"]
    here = state["mine_card"]
    come = memo[DIG_AT] - ((state["turn"] + 1) << 8)
    if come < 0 or come > _DIG_LONG or memo[DIG] >> (8 * come) & _BYTE != 1 + here:
        plan_dig(state, tables, weights, memo, me, 1 << here, state["movement"], 0.0)
        come = 0
    following = memo[DIG] >> (8 * come + 8) & _BYTE if come < _DIG_LONG else 0
    if following != 0:
        memo[DIG_AT] += 1
        move = way_to(state["mine_near"][here], following - 1)
    else:
        move = memo[DIG] >> _DIG_END
        memo[DIG_AT] = 0  # what comes then is not known yet
    if is_legal(legal, move):
        return move
    return lowest(legal)


@rare
def best_area(state, tables, weights, memo, me, legal):
    """Return the choice of MINE_AREA with the best reward, and what it is worth."""
    best = 0.0
    choice = lowest(legal)
    for area in range(MAX_AREAS):
        if is_legal(legal, 1 + area):
            worth = camp_worth(state, tables, weights, memo, me)
            worth += reward_worth(weights, memo, tables["area_reward"][area])
            worth *= weights[Weight.MINE]
            if worth > best:
                best = worth
                choice = 1 + area
    return choice, best


@rare
def open_areas(state, tables, me):
    """Return the areas of the base mine within reach, as bits of MINE_AREA."""
    skill = power(state, me, _SKILL)
    near = tables["area_start"]
    taken = 0
    for area in range(tables["areas"]):
        if state["area_camp"][area] != 0:
            taken |= 1 << area
            near |= tables["area_adjacent"][area]
    legal = 1
    for area in range(tables["areas"]):
        if (near & ~taken) >> area & 1 != 0 and skill >= tables["area_skill"][area]:
            legal |= 2 << area
    return legal
