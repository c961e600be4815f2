"""The town for the players of Near and Far: what each building is worth, whom to recruit."""

from __future__ import annotations

import numpy as np

from sim.choices import is_legal, lowest
from sim.jit import rare
from sim.near_and_far.basics import (
    party_power,
    pop,
    power,
    same_faction,
    treasure_room,
)
from sim.near_and_far.duel import badge, occupants
from sim.near_and_far.mine import mine_starts
from sim.near_and_far.state import (
    DUMMY,
    FIRST_COMPANION,
    PARTY,
    RECRUIT_REFRESH,
    Good,
    Place,
    Symbol,
)
from sim.near_and_far.town import recruit_cost
from sim.near_and_far.travel import movement_of
from strategies.near_and_far_cards import affordable
from strategies.near_and_far_mine import STORE_OF_FOOD, best_area, open_areas, plan_dig
from strategies.near_and_far_team import holds_back
from strategies.near_and_far_worth import TICKS, WORTH, Weight, camp_worth, member_worth, turns_left

_SKILL = np.int64(Symbol.SKILL)
_COMBAT = np.int64(Symbol.COMBAT)
_SEARCH = np.int64(Symbol.SEARCH)
_TEACHERS = np.int64(Symbol.MAGIC)
_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_SALOON = np.int64(Place.SALOON)
_STABLES = np.int64(Place.STABLES)
_STORE = np.int64(Place.GENERAL_STORE)
_FARM = np.int64(Place.FARM)
_HUT = np.int64(Place.HUT)
_MINE = np.int64(Place.MINE)


@rare
def newcomer_worth(state, tables, weights, memo, me, member):
    """Return what recruiting an adventurer adds to the party until the end."""
    own = member_worth(tables, weights, member)
    rival = same_faction(state, tables, me, member)
    lost = 0.0
    if rival != 0:
        lost = member_worth(tables, weights, rival - 1)
    elif pop(state["party"][me]) >= PARTY:
        lost = 1000.0
        bits = state["party"][me]
        while bits != 0:
            lost = min(lost, member_worth(tables, weights, lowest(bits)))
            bits &= bits - 1
    return max(0.0, own - lost) * turns_left(memo) + 0.02 * turns_left(memo)


@rare
def best_recruit(state, tables, weights, memo, me):
    """Return the best place of the track that can be paid, -1 for none, and its worth."""
    best = 0.0
    choice = -1
    coins = state["goods"][me, _COIN]
    each = memo[WORTH + _COIN] / TICKS
    for place in range(tables["track_size"]):
        member = state["track"][place] - 1
        if member >= 0 and tables["forbid_members"][me] >> member & 1 == 0:
            cost = recruit_cost(state, tables, me, member)
            if cost <= coins:
                worth = weights[Weight.RECRUIT] * newcomer_worth(
                    state, tables, weights, memo, me, member
                )
                worth -= cost * each
                if worth > best:
                    best = worth
                    choice = place
    return choice, best


@rare
def duel_odds(state, tables, me, building):
    """Return the chance to win the duel for a building, and the choice of DUEL that has it.

    A plain die against a plain die, without bonus; the challenger can spend two hearts.
    """
    found = occupants(state, tables, me, building)
    best = -1.0
    choice = -1
    own = power(state, me, _COMBAT) + badge(state, tables, me)
    for opponent in range(DUMMY + 1):
        if found >> opponent & 1 != 0:
            theirs = 0
            if opponent != DUMMY:
                theirs = power(state, opponent, _COMBAT) + badge(state, tables, opponent)
            lead = own - theirs + min(2, state["hearts"][me])
            wins = 0
            for die in range(1, 7):
                wins += max(0, min(6, die + lead - 1))
            if wins / 36.0 > best:
                best = wins / 36.0
                choice = 2 * opponent
    return best, choice


@rare
def town_worth(state, tables, weights, memo, me, building, least):
    """Return what the action of a building is worth now.

    least: what is worth less may be said to be worth less than it is.
    """
    left = turns_left(memo)
    food = state["goods"][me, _FOOD]
    coins = state["goods"][me, _COIN]
    gems = state["goods"][me, _GEM]
    if building == _SALOON:
        _place, worth = best_recruit(state, tables, weights, memo, me)
        return worth
    if building == _STABLES:
        birds = min(tables["most_birds"] - state["birds"][me], food // max(1, tables["bird_food"]))
        birds = min(birds, tables["birds_per_visit"])
        return birds * (weights[Weight.BIRD] * left - weights[Weight.FOOD])
    if building == _FARM:
        grown = party_power(state, me, _SKILL)
        if tables["farm_cards"] != 0:
            grown = power(state, me, _SKILL)
        lacking = tables["most_birds"] - state["birds"][me] + 1 + state["mine_camps"][me] - food
        useful = max(0, min(grown, lacking))
        worth = useful * weights[Weight.FARM]
        if food < 2 * STORE_OF_FOOD:
            worth += 0.3 * (grown - useful) * weights[Weight.FOOD]
        worth += 0.3 * grown * (memo[WORTH + _FOOD] / TICKS - weights[Weight.FOOD])
        return worth * min(1.0, left / 4.0)
    if building == _STORE:
        worth = memo[WORTH + _COIN] / TICKS if tables["new_general_store"] != 0 else 0.3
        may_have = tables["expert_dice"] != 0 and tables["expert_die"][me] != 2
        if may_have and state["expert"][me] == 0:
            worth += weights[Weight.EXPERT] * left
        means = coins + 1.5 * gems
        held = pop(state["hand"][me])
        worth += weights[Weight.STORE] * min(1.0, left / 4.0) * min(1.5, means / 6.0) / (1.0 + held)
        if (
            tables["new_general_store"] != 0
            and state["store_camps_left"] > 0
            and state["hand"][me] & tables["advanced_cards"] != 0
            and affordable(state, tables, me) & tables["advanced_cards"] != 0
        ):
            worth += camp_worth(state, tables, weights, memo, me) + 1.0
        return worth
    if building == _HUT:
        room = treasure_room(state, tables, me)
        fits = room - pop(state["treasures"][me])
        if tables["amber_mines"] == 0:
            return weights[Weight.TREASURE] if fits > 0 else 0.15 * room
        drawn = party_power(state, me, _SEARCH)
        worth = min(drawn, fits) * weights[Weight.TREASURE]
        if room > 0:
            worth += 0.1 * max(0, drawn - max(0, fits)) * weights[Weight.TREASURE]
        if tables["magic"] != 0:
            steps = tables["hut_magic"]
            if gems >= tables["hut_gems"]:
                steps = tables["hut_gem_magic"]
                worth -= memo[WORTH + _GEM] / TICKS * tables["hut_gems"]
            steps += party_power(state, me, _TEACHERS) * tables["teacher_magic"]
            steps = min(steps, tables["magic_spaces"] - state["magic"][me])
            worth += weights[Weight.MAGIC] * steps
            down = pop(state["spells"][me] & ~state["spells_up"][me])
            worth += down * weights[Weight.SPELL] * min(1.0, left / 3.0)
        return worth * weights[Weight.HUT]
    if building == _MINE:
        if state["tents"][me] == 0:
            return 0.0
        if tables["amber_mines"] == 0:
            legal = open_areas(state, tables, me)
            _choice, worth = best_area(state, tables, weights, memo, me, legal)
            return worth
        if state["goods"][me, _FOOD] < state["mine_camps"][me] * tables["mine_camp_food"]:
            return 0.0
        moves = movement_of(state, tables, me)
        starts = mine_starts(state, me)
        return plan_dig(state, tables, weights, memo, me, starts, moves, least)
    worth = 0.0
    if state["hand"][me] != 0:
        worth = 0.2 if left > 2.0 else 0.9
    if tables["reputation_steps"] > 0 and left < 2.0:
        worth += 0.3 * (coins + gems) / tables["reputation_steps"]
    return worth


@rare
def choose_join(state, tables, weights, me):
    """Answer PARTY: whoever is worth more than the member that would have to leave."""
    best = 0.0
    choice = 0
    bits = state["legal"] & ~1
    while bits != 0:
        member = lowest(bits) - 1
        bits &= bits - 1
        own = member_worth(tables, weights, member)
        rival = same_faction(state, tables, me, member)
        lost = 0.0
        if rival != 0:
            lost = member_worth(tables, weights, rival - 1)
        elif pop(state["party"][me]) >= PARTY:
            lost = 1000.0
            party = state["party"][me] & ~state["moved_members"]
            while party != 0:
                lost = min(lost, member_worth(tables, weights, lowest(party)))
                party &= party - 1
        if own - lost > best:
            best = own - lost
            choice = 1 + member
    return choice if is_legal(state["legal"], choice) else lowest(state["legal"])


@rare
def choose_leaving(state, tables, weights):
    """Answer PARTY_OUT: the member that is worth least."""
    least = 1000.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        pick = lowest(bits)
        bits &= bits - 1
        worth = member_worth(tables, weights, pick - 1)
        if worth < least:
            least = worth
            choice = pick
    return choice


@rare
def choose_duel(state, tables, weights, me):
    """Answer DUEL: the weakest opponent, honestly unless weights say otherwise."""
    legal = state["legal"]
    _chance, choice = duel_odds(state, tables, me, state["building"])
    if weights[Weight.DISHONEST] > 0.5:
        choice += 1
    if is_legal(legal, choice):
        return choice
    if is_legal(legal, choice ^ 1):
        return choice ^ 1
    return lowest(legal)


@rare
def choose_recruit(state, tables, weights, memo, me):
    """Answer RECRUIT: whoever adds most to the party for the price; else a new track."""
    place, _worth = best_recruit(state, tables, weights, memo, me)
    if place >= 0 and is_legal(state["legal"], 1 + place):
        return 1 + place
    if (
        state["goods"][me, _FOOD] > 2
        and is_legal(state["legal"], RECRUIT_REFRESH)
        and turns_left(memo) > 4.0
        and state["goods"][me, _COIN] > 2
    ):
        return RECRUIT_REFRESH
    return lowest(state["legal"])


@rare
def choose_companion(state, tables, weights):
    """Answer COMPANION: the one with the best symbols."""
    best = -1.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        kind = lowest(bits)
        bits &= bits - 1
        worth = member_worth(tables, weights, FIRST_COMPANION + kind)
        if worth > best:
            best = worth
            choice = kind
    return choice


@rare
def choose_hut(state, tables, weights, memo, me):
    """Answer HUT: a gem for the long way if that is worth it."""
    legal = state["legal"]
    left = tables["magic_spaces"] - state["magic"][me]
    ending = left <= tables["hut_gem_magic"] and is_legal(legal, 0)
    if ending and holds_back(state, weights, memo, me, 0, 0):
        return 0  # the camp at the end of the track would be the last one
    short = min(left, tables["hut_magic"]) * weights[Weight.MAGIC]
    long = min(left, tables["hut_gem_magic"]) * weights[Weight.MAGIC]
    price = tables["hut_gems"] * memo[WORTH + _GEM] / TICKS
    if is_legal(legal, 2) and long - price > short:
        return 2
    return 1 if is_legal(legal, 1) else lowest(legal)
