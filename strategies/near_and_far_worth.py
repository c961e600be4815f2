"""What things are worth to the players of Near and Far: dice, goods, cards, and what they note.

Worth is counted in journey points.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from sim.choices import lowest
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    pop,
    purse,
    short_of,
    symbols,
)
from sim.near_and_far.state import (
    DIE_CHANCES,
    FACES,
    FOODS,
    GOODS,
    PURSE_BITS,
    TOKEN,
    Ability,
    EndTrigger,
    Good,
    Reward,
    Symbol,
)

_TEACHERS = np.int64(Symbol.MAGIC)
_PICKAX = np.int64(Symbol.PICKAX)
_FOOD = np.int64(Good.FOOD)
_GEM = np.int64(Good.GEM)
_REPUTATION = np.int64(Reward.REPUTATION)
_JOURNEY = np.int64(Reward.JOURNEY)
_R_TREASURE = np.int64(Reward.TREASURE)
_R_MAGIC = np.int64(Reward.MAGIC)
_R_HEARTS = np.int64(Reward.HEARTS)
_QUESTS = np.int64(EndTrigger.QUESTS)
_CAMPS = np.int64(EndTrigger.CAMPS)


class Weight(IntEnum):
    """Weights of `planning`; near_and_far.toml says what they mean."""

    FOOD = 0
    COIN = 1
    GEM = 2
    TOKEN = 3
    REPUTATION = 4
    NEED = 5
    CAMP = 6
    TREASURE = 7
    MAGIC = 8
    SPELL = 9
    HEART = 10
    AMBER = 11
    ROUTE = 12
    QUEST = 13
    THREAT = 14
    MINE = 15
    NEW_CARD = 16
    ARTIFACT = 17
    SKILL = 18
    COMBAT = 19
    SEARCH = 20
    CAUTION = 21
    MOVEMENT = 22
    HEARTS = 23
    RECRUIT = 24
    BIRD = 25
    FARM = 26
    STORE = 27
    EXPERT = 28
    HUT = 29
    JAIL = 30
    OUT = 31
    HORIZON = 32
    FADE = 33
    CROWD = 34
    ADVANCED = 35
    DISHONEST = 36
    SPARE = 37
    INCOME = 38
    HASTEN = 39
    SETTLE = 40
    AHEAD = 41


class Team(IntEnum):
    """Further weights of `team`, in the places after those of `planning`, which has 0 there."""

    PACE = 42  # above 0 where one plays as one of a team
    SURE = 43
    TENT = 44
    BOSS = 45
    HASTE = 46
    KEEP = 47
    APPROACH = 48
    MINION = 49
    GIVE = 50
    RESERVE = 51
    JOINT = 52
    ROLE = 53
    RUSH = 54


# What `planning` notes in its memo, so that it looks around once a turn. Worths are in TICKS.
SEEN_AT = 0  # the turn of the notes, plus one
LEFT = 1  # own turns left after this one
WORTH = 2  # of one more of each of the goods, GOODS of them
HEART_WORTH = 9
DIE = 10  # a byte for each number from 1: chance that the own die shows that or more (`die_odds`)
PLAN = 11  # roads of the plan, three bits each, after a leading one
PLAN_AT = 12  # turn of the plan plus one, and the steps left of it: turn << 8 | steps
PRIZE = 13  # of the quest that is tried
EXTRA = 14  # and of its bonus
LEAD = 15  # points that are certain, ahead of the best other seat
SUMS = 16  # of the chances in DIE, from 1 to each number: FACES of them (`die_sums`)
GIFT = SUMS + FACES  # the choice of GIVE that was found when TURN or MOVE was asked, 0 for none
DIG = GIFT + 1  # plan in the mine: a byte for each card on the way, plus one, then what is done
DIG_AT = GIFT + 2  # turn of that plan plus one, and the cards of it that were come to: << 8 |
CAMP = GIFT + 3  # what a camp is worth
CAMP_FOR = GIFT + 4  # the tents for which that was noted: `camp_stamp`

TICKS = 1024.0
LONG = 12  # steps of a plan at most
NOTHING = -1000.0  # less than anything is worth


# ---- dice ---------------------------------------------------------------------------------


@rule
def note_die(state, tables, memo, me):
    """Note the chances of the own die, with the food there is to roll it again (rule 48)."""
    expert = 1 if state["expert"][me] != 0 else 0
    food = max(0, min(FOODS - 1, state["goods"][me, _FOOD]))
    memo[DIE] = tables["die_odds"][expert, food]
    for number in range(FACES):
        memo[SUMS + number] = tables["die_sums"][expert, food, number]


@rule
def chance_in_parts(memo, wanted):
    """Return the chance that the own die shows a number or more, in DIE_CHANCES."""
    return memo[DIE] >> (max(0, min(FACES - 1, wanted - 1)) << 3) & 255


@rule
def odds(memo, wanted):
    """Return the chance that the own die shows a number or more."""
    return chance_in_parts(memo, wanted) * (1.0 / DIE_CHANCES)


@rule
def chances_up_to(memo, number):
    """Return the sum of the chances of 1, 2, ... up to a number; those below 1 are certain."""
    return memo[SUMS + max(0, min(FACES - 1, number))] + DIE_CHANCES * min(0, number)


@rule
def hearts_to_spend(memo, wanted, hearts):
    """Return the hearts spent on average by whoever spends them where they turn a roll.

    The k-th heart is spent if the die shows enough with all hearts, but not with k - 1 of them.
    """
    hearts = max(0, hearts)
    spent = hearts * chance_in_parts(memo, wanted - hearts)
    spent -= chances_up_to(memo, wanted) - chances_up_to(memo, wanted - hearts)
    return spent * (1.0 / DIE_CHANCES)


# ---- what things are worth ----------------------------------------------------------------


@rule
def turns_left(memo):
    """Return the own turns left after this one."""
    return memo[LEFT] / TICKS


@rule
def symbols_worth(weights, word):
    """Return what symbols of a card or member are worth in a turn."""
    return (
        weights[Weight.SKILL] * (word & 127)
        + weights[Weight.COMBAT] * (word >> 8 & 127)
        + weights[Weight.SEARCH] * (word >> 16 & 127)
        + weights[Weight.CAUTION] * (word >> 24 & 127)
        + weights[Weight.MOVEMENT] * (word >> 32 & 127)
        + weights[Weight.HEARTS] * (word >> 40 & 127)
    )


@rule
def member_worth(tables, weights, member):
    """Return what a member of the active party is worth in a turn."""
    word = tables["member_symbols"][member]
    worth = symbols_worth(weights, word)
    if word >> 48 != 0:
        if symbols(word, _TEACHERS) > 0:
            worth += 0.1 * weights[Weight.MAGIC]
        if symbols(word, _PICKAX) > 0:
            worth += 0.1 * weights[Weight.COIN]
    return worth


@rare
def reward_worth(weights, memo, row):
    """Return what a reward is worth."""
    ticks = 0
    for good in range(GOODS):
        ticks += row[good] * memo[WORTH + good]
    return (
        ticks * (1.0 / TICKS)
        + row[_JOURNEY]
        + weights[Weight.REPUTATION] * row[_REPUTATION]
        + weights[Weight.TREASURE] * row[_R_TREASURE]
        + weights[Weight.MAGIC] * row[_R_MAGIC]
        + 0.3 * row[_R_HEARTS]
    )


@rule
def ending_worth(weights, memo):
    """Return what it is worth to bring the end of the game: by how far one is ahead."""
    return weights[Weight.HASTEN] * max(-1.0, min(1.0, memo[LEAD] / (5.0 * TICKS)))


@rule
def team_camp(state, weights, memo, me):
    """Return what a camp is worth to a team beside its points.

    Camps are needed up to the end, as the last one ends the game; so they are saved while there
    are few for the turns left, and hurried by whoever is to end the game where there are too many.
    """
    tents = state["tents"][me]
    left = turns_left(memo)
    worth = -weights[Team.TENT] * max(0.0, 1.0 - tents / max(1.0, left))
    if tents > 1 and tents > left:
        for seat in range(state["players"]):
            if state["tents"][seat] < tents:
                return worth
        worth += weights[Team.RUSH]
    return worth


@rule
def camp_stamp(state, me):
    """Return what the worth of a camp hangs on within a turn, in one number that is not 0."""
    return (state["turn"] + 1) << 8 | state["tents"][me] << 1 | min(1, state["ending"])


@rare
def note_camp(state, tables, weights, memo, me):
    """Note what a camp is worth: the last one has points of its own, and may end the game."""
    worth = weights[Weight.CAMP]
    if state["tents"][me] == 1:
        worth += tables["all_camps_points"]
        if tables["end_trigger"] != _QUESTS and state["ending"] == 0:
            worth += ending_worth(weights, memo)
    if state["together"] != 0 and weights[Team.PACE] > 0.0:
        worth += team_camp(state, weights, memo, me)
    memo[CAMP] = int(TICKS * worth)
    memo[CAMP_FOR] = camp_stamp(state, me)


@rule
def camp_worth(state, tables, weights, memo, me):
    """Return what a camp is worth, as noted in this turn for as many tents."""
    if memo[CAMP_FOR] != camp_stamp(state, me):
        note_camp(state, tables, weights, memo, me)
    return memo[CAMP] * (1.0 / TICKS)


@rare
def card_worth(state, tables, weights, memo, card):
    """Return what an artifact is worth once it is bought, its price aside."""
    worth = weights[Weight.ARTIFACT] * tables["artifact_points"][card]
    worth += turns_left(memo) * symbols_worth(weights, tables["artifact_symbols"][card])
    if tables["artifact_ability"][card] & Ability.MERCHANT_PACK != 0:
        worth += 2.0
    return worth


@rule
def plain_worth(weights, good):
    """Return what one of some goods is worth to whoever does not need it just now."""
    if good <= _GEM:
        return weights[Weight.FOOD + good]
    return weights[Weight.TOKEN]


@rare
def price_worth(state, tables, weights, memo, me, card):
    """Return what the price of an artifact is worth, and the value of goods lacking for it."""
    fade = min(1.0, turns_left(memo) / max(0.1, weights[Weight.FADE]))
    worth = 0.0
    lacking = 0
    for good in range(GOODS):
        cost = tables["artifact_cost"][card, good]
        if cost > 0:
            worth += cost * plain_worth(weights, good) * fade
            short = cost - state["goods"][me, good]
            if short > 0:
                lacking += short * tables["good_value"][good]
    return worth, lacking


@rare
def hold_worth(state, tables, weights, memo, me, card):
    """Return what it is worth to have an artifact in hand: bought with some chance, else a loss."""
    price, lacking = price_worth(state, tables, weights, memo, me, card)
    wanted = tables["artifact_reputation"][card]
    if wanted > 0:
        lacking += 3 * max(0, wanted - state["reputation"][me])
    elif wanted < 0:
        lacking += 3 * max(0, state["reputation"][me] - wanted)
    can_earn = weights[Weight.INCOME] * turns_left(memo)
    chance = 1.0
    if lacking > 0:
        chance = min(1.0, can_earn / (can_earn + lacking))
    gain = card_worth(state, tables, weights, memo, card) - price
    if tables["forbid_artifacts"][me] >> card & 1 != 0:
        chance = 0.0
    return chance * gain + (1.0 - chance) * tables["unbought_points"]


# ---- looking around -----------------------------------------------------------------------


@rare
def note_left(state, tables, weights, memo, me):
    """Note the own turns left: by the tokens and tents used so far and what one expects."""
    turn = 1.0 + state["turn"] // state["players"]
    gone = 0.0
    if tables["end_trigger"] != _CAMPS and tables["quest_tokens"] > 0:
        gone = 1.0 - pop(state["tokens"]) / tables["quest_tokens"]
    if tables["end_trigger"] != _QUESTS:
        for seat in range(state["players"]):
            gone = max(gone, 1.0 - state["tents"][seat] / tables["tents"])
    horizon = weights[Weight.HORIZON]
    if tables["end_trigger"] == _CAMPS:
        horizon *= 1.5
    pace = (gone + 5.0 / horizon) / (turn + 5.0)
    left = max(0.0, (1.0 - gone) / pace - 0.5)
    if state["ending"] != 0:
        left = 0.0
    memo[LEFT] = int(TICKS * left)
    most = -1000
    for seat in range(state["players"]):
        if seat != me:
            most = max(most, state["running"][seat])
    memo[LEAD] = int(TICKS) * (state["running"][me] - most)


@rare
def note_goods(state, tables, weights, memo, me):
    """Note what one more of each of the goods is worth: more where an artifact in hand lacks it."""
    fade = min(1.0, turns_left(memo) / max(0.1, weights[Weight.FADE]))
    for good in range(TOKEN + 1):
        memo[WORTH + good] = int(TICKS * fade * plain_worth(weights, good))
    token = int(TICKS * fade * weights[Weight.TOKEN])
    for good in range(TOKEN + 1, GOODS):
        memo[WORTH + good] = token
    held = purse(state, me, 0)
    bits = state["hand"][me]
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        value = tables["artifact_value"][card]
        lacking = short_of(held, tables["artifact_price"][card])
        if lacking != 0 and value > 0:
            gain = card_worth(state, tables, weights, memo, card) - tables["unbought_points"]
            each = weights[Weight.NEED] * fade * gain / value
            while lacking != 0:
                good = lowest(lacking) // PURSE_BITS
                lacking &= lacking - 1
                ticks = int(TICKS * each * tables["good_value"][good])
                memo[WORTH + good] = max(memo[WORTH + good], ticks)
    if tables["goods_step"] > 0:
        for good in range(GOODS):
            memo[WORTH + good] += int(TICKS * tables["good_value"][good] / tables["goods_step"])


@rare
def look_around(state, tables, weights, memo, me):
    """Note what does not change in a turn."""
    memo[SEEN_AT] = state["turn"] + 1
    note_left(state, tables, weights, memo, me)
    memo[CAMP_FOR] = 0
    note_goods(state, tables, weights, memo, me)
    fade = min(1.0, turns_left(memo) / 1.5)
    memo[HEART_WORTH] = int(TICKS * weights[Weight.HEART] * fade)
    note_die(state, tables, memo, me)
