"""The scripted players of Near and Far with the Amber Mines.

`planning` is one competent player with weights: it counts what every turn would bring in journey
points, by a search over the map and the mine, and takes the best. The strategies `miner`,
`fighter`, `explorer`, `quester`, `collector`, `mage` and `balanced` are sets of its weights, in
near_and_far.toml. `steady` takes the lowest choice; with a blunder of 1 it is `random`.

Nothing here looks at what a player cannot see: decks, other hands and notes.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from sim.choices import is_legal, lowest
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    heart_limit,
    heart_total,
    party_power,
    pop,
    power,
    same_faction,
    symbols,
    treasure_room,
)
from sim.near_and_far.duel import badge, occupants
from sim.near_and_far.mine import can_dig, card_next_to
from sim.near_and_far.state import (
    DUMMY,
    FIRST_COMPANION,
    GOODS,
    MAX_AREAS,
    MAX_MINE_CARDS,
    MAX_SPACES,
    PARTY,
    RECRUIT_REFRESH,
    RESOURCES,
    SPELLS,
    Ability,
    After,
    Dig,
    EndTrigger,
    Face,
    Good,
    Hall,
    Place,
    Prompt,
    Reward,
    RollKind,
    Spell,
    Symbol,
    Tally,
    Turn,
    Walk,
)
from sim.near_and_far.town import recruit_cost
from sim.near_and_far.travel import movement_of
from strategies.toolkit import Script

_SKILL = np.int64(Symbol.SKILL)
_COMBAT = np.int64(Symbol.COMBAT)
_SEARCH = np.int64(Symbol.SEARCH)
_CAUTION = np.int64(Symbol.CAUTION)
_MOVEMENT = np.int64(Symbol.MOVEMENT)
_TEACHERS = np.int64(Symbol.MAGIC)
_PICKAX = np.int64(Symbol.PICKAX)
_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_REPUTATION = np.int64(Reward.REPUTATION)
_JOURNEY = np.int64(Reward.JOURNEY)
_R_TREASURE = np.int64(Reward.TREASURE)
_R_MAGIC = np.int64(Reward.MAGIC)
_R_HEARTS = np.int64(Reward.HEARTS)
_TOWN_HALL = np.int64(Place.TOWN_HALL)
_SALOON = np.int64(Place.SALOON)
_STABLES = np.int64(Place.STABLES)
_STORE = np.int64(Place.GENERAL_STORE)
_FARM = np.int64(Place.FARM)
_HUT = np.int64(Place.HUT)
_MINE = np.int64(Place.MINE)
_MAP = np.int64(Place.MAP)
_TURN_BUY = np.int64(Turn.BUY)
_TURN_SPELL = np.int64(Turn.SPELL)
_TRANSMUTE = np.int64(Turn.TRANSMUTE)
_WALK_ROAD = np.int64(Walk.ROAD)
_WALK_SPELL = np.int64(Walk.SPELL)
_DIG_CAMP = np.int64(Dig.CAMP)
_DIG_LEFT = np.int64(Dig.LEFT)
_DIG_UP = np.int64(Dig.UP)
_CAUTIOUSLY = np.int64(Face.CAUTION)
_BY_BIRD = np.int64(Face.BIRD)
_BY_STORM = np.int64(Face.WIND_STORM)
_SPEND = np.int64(After.SPEND)
_SPEND_BONUS = np.int64(After.SPEND_BONUS)
_AFTER_SPELL = np.int64(After.SPELL)
_HALL_DISCARD = np.int64(Hall.DISCARD)
_HALL_TAKE = np.int64(Hall.TAKE_ONE)
_COIN_UP = np.int64(Hall.COIN_UP)
_GEM_UP = np.int64(Hall.GEM_UP)
_HASTE = np.int64(Spell.HASTE)
_WIND_STORM = np.int64(Spell.WIND_STORM)
_DIVINATION = np.int64(Spell.DIVINATION)
_SUMMON_IMP = np.int64(Spell.SUMMON_IMP)
_REJUVENATION = np.int64(Spell.REJUVENATION)
_TRANSMUTATION = np.int64(Spell.TRANSMUTATION)
_ILLUSION = np.int64(Spell.ILLUSION)
_LIGHTNING_BOLT = np.int64(Spell.LIGHTNING_BOLT)
_BREW = np.int64(Spell.BREW_POTION)
_K_THREAT = np.int64(RollKind.THREAT)
_K_QUEST = np.int64(RollKind.QUEST)
_K_MINE = np.int64(RollKind.MINE)
_REROLL_FACE = 0
_MAY_REROLL = 100
_TURNS = np.int64(Tally.TURNS)
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


# What `planning` notes in its memo, so that it looks around once a turn. Worths are in TICKS.
SEEN_AT = 0  # the turn of the notes, plus one
LEFT = 1  # own turns left after this one
WORTH = 2  # of one more of each of the goods, GOODS of them
HEART_WORTH = 9
DIE = 10  # a byte for each number: chance in CHANCES that the own die shows that much or more
PLAN = 11  # roads of the plan, three bits each, after a leading one
PLAN_AT = 12  # turn of the plan plus one, and the steps left of it: turn << 8 | steps
PRIZE = 13  # of the quest that is tried
EXTRA = 14  # and of its bonus
LEAD = 15  # points that are certain, ahead of the best other seat

TICKS = 1024.0
CHANCES = 240  # a multiple of five and six, so that faces are exact
LONG = 12  # steps of a plan at most

# rows of the search over the map
AT_WORTH, AT_HEARTS, AT_CHANCE, AT_USED, AT_PATH = 0, 1, 2, 3, 4
LAYER = 5
CAMPS, FIRST_PRIZE, FIRST_EXTRA, SECOND_PRIZE, SECOND_EXTRA, RANK = 10, 11, 12, 13, 14, 15
ROWS = 16


def steady(state, tables, prompt, weights):
    """Take the lowest choice."""
    return lowest(state["legal"])


# ---- dice ---------------------------------------------------------------------------------


@rare
def chance_of(tables, expert, food, wanted):
    """Return the exact chance that a die shows a number or more (rule 48).

    expert: 1 for an expert die, whose reroll face is thrown again; a face that may be thrown again
    for food is while it is too low, as long as there is food.
    """
    if wanted <= 1:
        return 1.0
    sides = tables["die_sides"]
    if expert == 0:
        return max(0, sides + 1 - wanted) / sides
    enough = 0
    again = 0
    counted = 0
    for place in range(sides):
        face = tables["expert_face"][place]
        if face != _REROLL_FACE:
            counted += 1
            if face >= _MAY_REROLL:
                if face - _MAY_REROLL >= wanted:
                    enough += 1
                else:
                    again += 1
            elif face >= wanted:
                enough += 1
    chance = enough / counted
    for _ in range(min(food, 3)):
        chance = (enough + again * chance) / counted
    return chance


@rare
def note_die(state, tables, memo, me):
    """Note the chances of the own die."""
    word = 0
    for wanted in range(1, 8):
        chance = chance_of(tables, state["expert"][me], state["goods"][me, _FOOD], wanted)
        word |= int(chance * CHANCES + 0.5) << (8 * wanted)
    memo[DIE] = word


@rule
def odds(memo, wanted):
    """Return the chance that the own die shows a number or more."""
    if wanted <= 1:
        return 1.0
    if wanted > 7:
        return 0.0
    return (memo[DIE] >> (wanted << 3) & 255) * (1.0 / CHANCES)


@rule
def hearts_to_spend(memo, wanted, hearts):
    """Return the hearts spent on average by whoever spends them where they turn a roll."""
    most = odds(memo, wanted - hearts)
    total = 0.0
    for heart in range(1, hearts + 1):
        less = most - odds(memo, wanted - heart + 1)
        if less <= 0.0:
            break
        total += less
    return total


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
def camp_worth(state, tables, weights, memo, me):
    """Return what a camp is worth: the last one has points of its own, and may end the game."""
    worth = weights[Weight.CAMP]
    if state["tents"][me] == 1:
        worth += tables["all_camps_points"]
        if tables["end_trigger"] != _QUESTS and state["ending"] == 0:
            worth += ending_worth(weights, memo)
    return worth


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
    for good in range(GOODS):
        memo[WORTH + good] = int(TICKS * fade * plain_worth(weights, good))
    bits = state["hand"][me]
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        value = 0
        lacking = 0
        for good in range(GOODS):
            cost = tables["artifact_cost"][card, good]
            if cost > 0:
                value += cost * tables["good_value"][good]
                if cost > state["goods"][me, good]:
                    lacking |= 1 << good
        if lacking != 0 and value > 0:
            gain = card_worth(state, tables, weights, memo, card) - tables["unbought_points"]
            each = weights[Weight.NEED] * fade * gain / value
            while lacking != 0:
                good = lowest(lacking)
                lacking &= lacking - 1
                ticks = int(TICKS * each * tables["good_value"][good])
                if ticks > memo[WORTH + good]:
                    memo[WORTH + good] = ticks
    if tables["goods_step"] > 0:
        for good in range(GOODS):
            memo[WORTH + good] += int(TICKS * tables["good_value"][good] / tables["goods_step"])


@rare
def look_around(state, tables, weights, memo, me):
    """Note what does not change in a turn."""
    memo[SEEN_AT] = state["turn"] + 1
    note_left(state, tables, weights, memo, me)
    note_goods(state, tables, weights, memo, me)
    fade = min(1.0, turns_left(memo) / 1.5)
    memo[HEART_WORTH] = int(TICKS * weights[Weight.HEART] * fade)
    note_die(state, tables, memo, me)


# ---- the map ------------------------------------------------------------------------------


@rare
def threat_prize(state, tables, weights, memo, me, threat):
    """Return what beating a threat is worth."""
    prize = 1.0 * tables["threat_points"][threat]
    if tables["threat_camp"][threat] != 0 and state["tents"][me] > 0:
        prize += camp_worth(state, tables, weights, memo, me)
    prize += reward_worth(weights, memo, tables["threat_reward"][threat])
    return weights[Weight.THREAT] * prize


@rare
def fight_help(state, tables, me):
    """Return what spells face up would add to a fight."""
    up = state["spells_up"][me]
    total = 0
    if up >> _WIND_STORM & 1 != 0:
        total += tables["spell_amount"][_WIND_STORM]
    if up >> _SUMMON_IMP & 1 != 0:
        total += tables["spell_amount"][_SUMMON_IMP]
    if up >> _LIGHTNING_BOLT & 1 != 0 and state["goods"][me, _FOOD] > 0:
        total += tables["spell_amount"][_LIGHTNING_BOLT]
    return total


@rare
def fight_terms(state, tables, memo, me, threat, hearts, prize):
    """Return the worth of a fight, the chance to win it, and the hearts it takes on average."""
    wanted = tables["threat_level"][threat] - power(state, me, _COMBAT)
    if state["spells_up"][me] != 0:
        wanted -= fight_help(state, tables, me)
    chance = odds(memo, wanted - hearts)
    if chance <= 0.0:
        return -1.0, 0.0, 0.0
    return chance * prize, chance, hearts_to_spend(memo, wanted, hearts)


@rule
def quest_worth(memo, wanted, hearts, each, prize, extra):
    """Return what trying a quest in one way is worth. each: worth of a heart."""
    useful = hearts
    if each > 0.01:
        useful = min(hearts, int(prize / each))
    worth = odds(memo, wanted - useful) * prize
    if worth <= 0.0:
        return worth
    return worth + odds(memo, wanted + 2) * extra - each * hearts_to_spend(memo, wanted, useful)


@rare
def note_prizes(state, tables, weights, memo, me, table, space):
    """Note in the table of a search what both ways of a quest bring."""
    for way in range(2):
        row = FIRST_PRIZE + 2 * way
        prize = reward_worth(weights, memo, tables["quest_reward"][space, way])
        gains = tables["quest_gains"][space, way]
        loses = tables["quest_loses"][space, way]
        while gains != 0:
            prize += tables["keyword_points"][lowest(gains)]
            gains &= gains - 1
        loses &= state["keywords"][me]
        while loses != 0:
            prize -= tables["keyword_points"][lowest(loses)]
            loses &= loses - 1
        table[row, space] = weights[Weight.QUEST] * prize
        extra = reward_worth(weights, memo, tables["quest_extra"][space, way])
        table[row + 1, space] = weights[Weight.QUEST] * extra
    if state["tokens"] & (state["tokens"] - 1) == 0 and tables["end_trigger"] != _CAMPS:
        table[FIRST_PRIZE, space] += ending_worth(weights, memo)
        table[SECOND_PRIZE, space] += ending_worth(weights, memo)


@rare
def note_camps(state, tables, weights, memo, me, table):
    """Begin the table of a search: note what a camp on each space is worth."""
    taken = state["camped"] | tables["no_camp"]
    for space in range(tables["spaces"]):
        table[CAMPS, space] = 0.0
        table[RANK, space] = 0.0
    if state["tents"][me] == 0:
        return
    worth = weights[Weight.SETTLE] * camp_worth(state, tables, weights, memo, me)
    search = party_power(state, me, _SEARCH)
    for space in range(tables["spaces"]):
        if taken >> space & 1 == 0:
            table[CAMPS, space] = worth
            good = tables["space_good"][space]
            if good != 0:
                table[CAMPS, space] += search * memo[WORTH + good - 1] / TICKS
    for resource in range(RESOURCES):
        first = tables["route_space"][resource, 0]
        second = tables["route_space"][resource, 1]
        if first != second:
            alone = weights[Weight.ROUTE] * tables["route_alone"][resource]
            joint = weights[Weight.ROUTE] * tables["route_joint"][resource]
            for turn in range(2):
                here = first if turn == 0 else second
                there = second if turn == 0 else first
                if taken >> here & 1 == 0:
                    owner = state["camp"][there]
                    if owner == 0:
                        table[CAMPS, here] += 0.3 * alone
                    elif owner == me + 1:
                        table[CAMPS, here] += alone
                    else:
                        table[CAMPS, here] += joint


@rare
def stop_worth(state, tables, weights, memo, me, table, space, hearts, moved):
    """Return what ending the move on a space with some hearts is worth."""
    each = memo[HEART_WORTH] / TICKS
    total = 0.0
    camp = table[CAMPS, space]
    can_camp = camp > 0.0 and hearts >= tables["camp_hearts"]
    if moved and tables["refresh"] >> space & 1 != 0:
        hearts = max(hearts, heart_total(state, tables, me))
        can_camp = camp > 0.0 and hearts >= tables["camp_hearts"]
    if state["tokens"] >> space & 1 != 0:
        spare = hearts - tables["camp_hearts"] if can_camp else hearts
        best = 0.0
        for way in range(2):
            symbol = tables["quest_symbol"][space, way]
            wanted = tables["quest_need"][space, way] - power(state, me, symbol)
            row = FIRST_PRIZE + 2 * way
            worth = quest_worth(memo, wanted, spare, each, table[row, space], table[row + 1, space])
            best = max(best, worth)
        total += best
    if can_camp:
        total += camp
        hearts -= tables["camp_hearts"]
    return total + each * hearts


@rare
def plan_route(state, tables, weights, memo, me, start, hearts, moves, entered):
    """Search the ways over the map that a turn allows; note the best, return what it is worth.

    Goes forward step by step. For each space the label worth most is kept: what was gained on the
    way, hearts left, the chance that no fight was lost, cautions and fights used, the roads taken.
    """
    table = np.empty((ROWS, MAX_SPACES))
    note_camps(state, tables, weights, memo, me, table)
    each = memo[HEART_WORTH] / TICKS
    ahead = weights[Weight.AHEAD]
    cautions = power(state, me, _CAUTION) - state["caution_used"]
    room = treasure_room(state, tables, me) - pop(state["treasures"][me])
    treasure = weights[Weight.TREASURE] if room > 0 else 0.1
    bird = weights[Weight.BIRD] * turns_left(memo)
    paid = state["camped"] | 1 << tables["town_space"]
    first_prize = 0.0
    if state["threat"] < tables["threats"]:
        first_prize = threat_prize(state, tables, weights, memo, me, state["threat"])
    known = 0
    layer = 0
    table[AT_WORTH, start] = 0.0
    table[AT_USED, start] = 0.0
    table[AT_HEARTS, start] = hearts
    table[AT_CHANCE, start] = 1.0
    table[AT_PATH, start] = 1.0
    table[RANK, start] = 1.0 + each * hearts + ahead
    active = 1 << start
    best = -1.0
    best_path = 1.0
    best_steps = 0
    moves = min(moves, LONG)
    for step in range(moves + 1):
        following = 0
        other = LAYER - layer
        while active != 0:
            space = lowest(active)
            active &= active - 1
            value = table[layer + AT_WORTH, space]
            left = int(table[layer + AT_HEARTS, space])
            chance = table[layer + AT_CHANCE, space]
            if (state["tokens"] & ~known) >> space & 1 != 0:
                known |= 1 << space
                note_prizes(state, tables, weights, memo, me, table, space)
            stop = stop_worth(state, tables, weights, memo, me, table, space, left, step > 0)
            if value + chance * stop > best:
                best = value + chance * stop
                best_path = table[layer + AT_PATH, space]
                best_steps = step
            if step == moves:
                continue
            if paid >> space & 1 == 0 and (
                step > 0 or entered != 0 or tables["heart_cost_leave"] != 0
            ):
                left -= tables["cross_hearts"]
                if left < 0:
                    continue
            for place in range(tables["degree"][space]):
                to = tables["road_to"][space, place] - 1
                road = tables["road"][space, place]
                worth = value
                hearts_then = left
                chance_then = chance
                used = int(table[layer + AT_USED, space])
                if tables["road_threat"][road] != 0:
                    threat = state["threat"] + (used >> 8)
                    if threat < tables["threats"]:
                        prize = first_prize
                        if used >> 8 != 0:
                            prize = threat_prize(state, tables, weights, memo, me, threat)
                        prize, win, spent = fight_terms(
                            state, tables, memo, me, threat, left, prize
                        )
                        gain = prize - each * spent - (1.0 - win) * weights[Weight.AHEAD]
                        if gain > 0.0:
                            worth += chance * (prize + (1.0 - win) * stop)
                            chance_then *= win
                            hearts_then = max(0, left - int(spent + 0.5))
                            used += 256
                        elif used & 255 < cautions:
                            used += 1
                        elif state["birds"][me] > 0 and bird < ahead:
                            worth -= bird
                        else:
                            continue
                if tables["road_treasure"][road] != 0:
                    worth += chance_then * treasure
                rank = 1.0 + worth + chance_then * (each * hearts_then + ahead)
                if rank > table[RANK, to] + 0.01:
                    table[RANK, to] = rank
                    following |= 1 << to
                    table[other + AT_WORTH, to] = worth
                    table[other + AT_HEARTS, to] = hearts_then
                    table[other + AT_CHANCE, to] = chance_then
                    table[other + AT_USED, to] = used
                    table[other + AT_PATH, to] = table[layer + AT_PATH, space] * 8.0 + place
        active = following
        layer = other
        if active == 0:
            break
    memo[PLAN] = int(best_path)
    memo[PLAN_AT] = (state["turn"] + 1) << 8 | best_steps
    return best


@rare
def plan_now(state, tables, weights, memo, me):
    """Plan from where the figure is in the midst of its move."""
    return plan_route(
        state,
        tables,
        weights,
        memo,
        me,
        state["space"][me],
        state["hearts"][me],
        state["movement"],
        state["entered"],
    )


@rare
def choose_move(state, tables, weights, memo, me):
    """Answer MOVE: spells that help, then the plan, step by step."""
    legal = state["legal"]
    if legal >> _WALK_SPELL != 0:
        room = heart_limit(state, tables, me) - state["hearts"][me]
        if is_legal(legal, _WALK_SPELL + _REJUVENATION) and room >= 2:
            memo[PLAN_AT] = 0
            return _WALK_SPELL + _REJUVENATION
        if is_legal(legal, _WALK_SPELL + _BREW) and room >= 3:
            memo[PLAN_AT] = 0
            return _WALK_SPELL + _BREW
        if is_legal(legal, _WALK_SPELL + _HASTE) and state["hearts"][me] >= 4:
            memo[PLAN_AT] = 0
            return _WALK_SPELL + _HASTE
    if memo[PLAN_AT] >> 8 != state["turn"] + 1:
        plan_now(state, tables, weights, memo, me)
    for attempt in range(2):
        steps = memo[PLAN_AT] & 255
        if steps == 0:
            return 0
        place = memo[PLAN] >> (3 * (steps - 1)) & 7
        if is_legal(legal, _WALK_ROAD + place):
            memo[PLAN_AT] -= 1
            return _WALK_ROAD + place
        if attempt == 0:
            plan_now(state, tables, weights, memo, me)
    return 0


@rare
def choose_face(state, tables, weights, memo, me):
    """Answer THREAT: fight if that is worth more than what passing costs."""
    legal = state["legal"]
    hearts = state["hearts"][me] - state["reserve"]
    prize = threat_prize(state, tables, weights, memo, me, state["threat"])
    prize, win, spent = fight_terms(state, tables, memo, me, state["threat"], hearts, prize)
    gain = prize - spent * memo[HEART_WORTH] / TICKS - (1.0 - win) * weights[Weight.AHEAD]
    if gain > 0.0:
        return 0
    if is_legal(legal, _CAUTIOUSLY):
        return _CAUTIOUSLY
    if is_legal(legal, _BY_STORM):
        return _BY_STORM
    if (
        is_legal(legal, _BY_BIRD)
        and weights[Weight.BIRD] * turns_left(memo) < weights[Weight.AHEAD]
    ):
        return _BY_BIRD
    return 0


@rare
def choose_quest(state, tables, weights, memo, me):
    """Answer QUEST: the way that is worth more."""
    space = state["space"][me]
    table = np.empty((ROWS, MAX_SPACES))
    note_prizes(state, tables, weights, memo, me, table, space)
    each = memo[HEART_WORTH] / TICKS
    hearts = state["hearts"][me]
    if (state["camped"] | tables["no_camp"]) >> space & 1 == 0 and hearts >= tables["camp_hearts"]:
        hearts -= tables["camp_hearts"]
    best = 0.0
    choice = 0
    for way in range(2):
        symbol = tables["quest_symbol"][space, way]
        wanted = tables["quest_need"][space, way] - power(state, me, symbol)
        row = FIRST_PRIZE + 2 * way
        worth = quest_worth(memo, wanted, hearts, each, table[row, space], table[row + 1, space])
        if worth > best:
            best = worth
            choice = 1 + way
            memo[PRIZE] = int(TICKS * table[row, space])
            memo[EXTRA] = int(TICKS * table[row + 1, space])
    return choice


# ---- the mine -----------------------------------------------------------------------------


@rare
def dig_worth(state, tables, weights, memo, me, card):
    """Return what a camp on a card of the Amber Mine is worth; 0 where none can be built."""
    if card == 0 or state["mine_camp"][card] != 0 or state["tents"][me] == 0:
        return 0.0
    food = state["mine_camps"][me] * tables["mine_camp_food"]
    if state["goods"][me, _FOOD] < food:
        return 0.0
    worth = camp_worth(state, tables, weights, memo, me)
    worth += reward_worth(weights, memo, tables["mine_reward"][card])
    worth += weights[Weight.AMBER] * tables["mine_amber"][card]
    worth += party_power(state, me, _PICKAX) * memo[WORTH + _COIN] / TICKS
    return weights[Weight.MINE] * worth - food * weights[Weight.FOOD]


@rare
def new_card_worth(state, tables, weights, memo, me):
    """Return what a card drawn in the mine is thought to be worth."""
    if state["tents"][me] == 0:
        return 0.0
    food = state["mine_camps"][me] * tables["mine_camp_food"]
    if state["goods"][me, _FOOD] < food:
        return 0.0
    worth = camp_worth(state, tables, weights, memo, me) + weights[Weight.NEW_CARD]
    worth += party_power(state, me, _PICKAX) * memo[WORTH + _COIN] / TICKS
    return weights[Weight.MINE] * worth - food * weights[Weight.FOOD]


@rare
def plan_dig(state, tables, weights, memo, me, sources, moves):
    """Search the cards of the mine within reach; return worth, start, and the first move.

    sources: cards to start from, as bits. The move is of MINE_MOVE: a direction, CAMP, or LEAVE.
    """
    table = np.empty((4, MAX_MINE_CARDS))  # chance to get there, start, first move, hearts
    best = 0.0
    best_start = lowest(sources)
    best_move = 0
    fresh = new_card_worth(state, tables, weights, memo, me)
    seen = sources
    active = sources
    bits = sources
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        table[0, card] = 1.0
        table[1, card] = card
        table[3, card] = state["hearts"][me]
    for step in range(moves + 1):
        following = 0
        while active != 0:
            card = lowest(active)
            active &= active - 1
            chance = table[0, card]
            worth = chance * dig_worth(state, tables, weights, memo, me, card)
            if worth > best:
                best = worth
                best_start = int(table[1, card])
                best_move = int(table[2, card]) if step > 0 else int(_DIG_CAMP)
            if step == moves or chance < 0.15:
                continue
            for direction in range(_DIG_LEFT, _DIG_UP + 1):
                to = card_next_to(state, card, direction)
                if to >= 0 and seen >> to & 1 != 0:
                    continue
                if not can_dig(state, tables, card, direction):
                    continue
                first = direction if step == 0 else int(table[2, card])
                if to < 0:
                    if chance * fresh > best:
                        best = chance * fresh
                        best_start = int(table[1, card])
                        best_move = first
                    continue
                hearts = int(table[3, card])
                there = chance
                if tables["mine_need"][to] > 0 and state["mine_camp"][to] == 0:
                    wanted = tables["mine_need"][to] - power(state, me, tables["mine_symbol"][to])
                    there *= odds(memo, wanted - hearts)
                    hearts -= min(hearts, int(hearts_to_spend(memo, wanted, hearts) + 0.5))
                table[0, to] = there
                table[1, to] = table[1, card]
                table[2, to] = first
                table[3, to] = hearts
                seen |= 1 << to
                following |= 1 << to
        active = following
        if active == 0:
            break
    return best, best_start, best_move


@rare
def starts_of(state, me):
    """Return the cards from which a visit of the mine may begin, as bits."""
    starts = 1
    if state["mine_camps"][me] > 0:
        for card in range(1, MAX_MINE_CARDS):
            if state["mine_camp"][card] == me + 1:
                starts |= 1 << card
    return starts


@rare
def choose_dig(state, tables, weights, memo, me):
    """Answer MINE_MOVE: go where a camp is worth most, or build it here."""
    legal = state["legal"]
    here = 1 << state["mine_card"]
    _worth, _start, move = plan_dig(state, tables, weights, memo, me, here, state["movement"])
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


# ---- the town -----------------------------------------------------------------------------


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
def best_purchase(state, tables, weights, memo, me, legal):
    """Return the choice of BUY that is worth most, 0 for none, and what it is worth."""
    best = 0.0
    choice = 0
    bits = legal & ~1
    while bits != 0:
        card = lowest(bits) - 1
        bits &= bits - 1
        price, _lacking = price_worth(state, tables, weights, memo, me, card)
        worth = card_worth(state, tables, weights, memo, card) - price
        worth -= tables["unbought_points"]
        if worth > best:
            best = worth
            choice = 1 + card
    return choice, best


@rare
def affordable(state, tables, me):
    """Return the artifacts of the hand that could be bought now, as bits of cards."""
    found = 0
    bits = state["hand"][me] & ~tables["forbid_artifacts"][me]
    saved = 0
    if state["abilities"][me] & Ability.ALMANAC != 0:
        saved = tables["almanac_coins"]
    reputation = state["reputation"][me]
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        short = state["goods"][me, 0] - tables["artifact_cost"][card, 0]
        for good in range(1, GOODS):
            has = state["goods"][me, good]
            if good == _COIN:
                has += saved
            short |= has - tables["artifact_cost"][card, good]
        wanted = tables["artifact_reputation"][card]
        if (
            short >= 0
            and (wanted <= 0 or reputation >= wanted)
            and (wanted >= 0 or reputation <= wanted)
        ):
            found |= 1 << card
    return found


@rule
def waits_for_store(state, tables, weights, memo, me):
    """Say whether advanced artifacts are to be bought in the new General Store, for its camp."""
    return (
        tables["new_general_store"] != 0
        and state["store_camps_left"] > 0
        and state["tents"][me] > 0
        and turns_left(memo) > 2.0
        and state["store_camp"] == 0
    )


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
def town_worth(state, tables, weights, memo, me, building):
    """Return what the action of a building is worth now."""
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
        worth = useful * weights[Weight.FARM] + 0.3 * (grown - useful) * weights[Weight.FOOD]
        worth += 0.3 * grown * (memo[WORTH + _FOOD] / TICKS - weights[Weight.FOOD])
        return worth * min(1.0, left / 4.0)
    if building == _STORE:
        worth = memo[WORTH + _COIN] / TICKS if tables["new_general_store"] != 0 else 0.3
        if tables["expert_dice"] != 0 and state["expert"][me] == 0:
            worth += weights[Weight.EXPERT] * left
        means = coins + 1.5 * gems
        held = pop(state["hand"][me])
        worth += weights[Weight.STORE] * min(1.0, left / 4.0) * min(1.5, means / 6.0) / (1.0 + held)
        if (
            tables["new_general_store"] != 0
            and state["store_camps_left"] > 0
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
        starts = starts_of(state, me)
        worth, _start, _move = plan_dig(state, tables, weights, memo, me, starts, moves)
        return worth
    worth = 0.0
    if state["hand"][me] != 0:
        worth = 0.2 if left > 2.0 else 0.9
    if tables["reputation_steps"] > 0 and left < 2.0:
        worth += 0.3 * (coins + gems) / tables["reputation_steps"]
    return worth


@rare
def adventure_worth(state, tables, weights, memo, me):
    """Plan a move over the map; return what it is worth."""
    moves = movement_of(state, tables, me)
    hearts = state["hearts"][me]
    space = state["space"][me]
    total = heart_total(state, tables, me)
    if state["place"][me] != _MAP:
        hearts = total
        space = tables["town_space"]
    worth = plan_route(state, tables, weights, memo, me, space, hearts, moves, 0)
    # a town visit fills the hearts up for the next adventure
    return worth - weights[Weight.OUT] * total * memo[HEART_WORTH] / TICKS


@rare
def choose_turn(state, tables, weights, memo, me):
    """Answer TURN: artifacts and spells first, then what is worth most."""
    look_around(state, tables, weights, memo, me)
    legal = state["legal"]
    if is_legal(legal, _TURN_BUY):
        cards = affordable(state, tables, me)
        if waits_for_store(state, tables, weights, memo, me):
            cards &= ~tables["advanced_cards"]
        choice, worth = best_purchase(state, tables, weights, memo, me, cards << 1)
        if choice != 0 and worth > weights[Weight.SPARE]:
            return _TURN_BUY
    best = -1000.0
    choice = lowest(legal)
    if legal & 1 != 0:
        best = adventure_worth(state, tables, weights, memo, me)
        choice = 0
    for building in range(_TOWN_HALL, _MINE + 1):
        if is_legal(legal, building):
            worth = town_worth(state, tables, weights, memo, me, building)
            if worth > best and occupants(state, tables, me, building) != 0:
                chance, _who = duel_odds(state, tables, me, building)
                worth = chance * worth - (1.0 - chance) * weights[Weight.JAIL]
            if worth > best:
                best = worth
                choice = building
    if legal >> _TURN_SPELL != 0:
        if (
            choice == _HUT
            and is_legal(legal, _TURN_SPELL + _DIVINATION)
            and treasure_room(state, tables, me) > pop(state["treasures"][me])
        ):
            return _TURN_SPELL + _DIVINATION
        if state["place"][me] == _MAP:
            room = heart_limit(state, tables, me) - state["hearts"][me]
            if is_legal(legal, _TURN_SPELL + _REJUVENATION) and room >= 3:
                return _TURN_SPELL + _REJUVENATION
            if is_legal(legal, _TURN_SPELL + _BREW) and room >= 4:
                return _TURN_SPELL + _BREW
    return choice


@rare
def choose_store(state, tables, weights, me):
    """Answer STORE: as many advanced cards as the means are for, the rest basic ones."""
    legal = state["legal"]
    means = state["goods"][me, _COIN] + 1.5 * state["goods"][me, _GEM]
    advanced = 0
    if means > weights[Weight.ADVANCED]:
        advanced = 2
    if means > 1.7 * weights[Weight.ADVANCED]:
        advanced = 3
    wanted = 1 + max(0, tables["store_cards"] - advanced)
    if is_legal(legal, wanted):
        return wanted
    return lowest(legal) if legal & ~1 == 0 else lowest(legal & ~1)


@rare
def choose_kept(state, tables, weights, memo, me):
    """Answer KEEP: the set of cards worth most; each further card of a hand is worth less."""
    legal = state["legal"]
    size = state["offer_size"]
    held = 0
    offered = 0
    worth = np.zeros(8)
    for place in range(size):
        card = state["offer"][place] - 1
        offered |= 1 << card
        worth[place] = hold_worth(state, tables, weights, memo, me, card)
    held = pop(state["hand"][me] & ~offered)
    best = -1000.0
    choice = lowest(legal)
    bits = legal
    while bits != 0:
        kept = lowest(bits)
        bits &= bits - 1
        total = 0.0
        count = held
        for place in range(size):
            if kept >> place & 1 != 0:
                total += worth[place] - weights[Weight.CROWD] * count
                count += 1
        if total > best:
            best = total
            choice = kept
    return choice


@rare
def choose_draft(state, tables, weights, memo, me):
    """Answer DRAFT: the card that is worth most beyond its price."""
    best = -1000.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        worth = hold_worth(state, tables, weights, memo, me, card)
        if worth > best:
            best = worth
            choice = card
    return choice


@rare
def choose_hall(state, tables, weights, memo, me):
    """Answer TOWN_HALL: get rid of a hopeless artifact, then honours for what is left over."""
    legal = state["legal"]
    if is_legal(legal, _HALL_DISCARD):
        bits = state["hand"][me]
        while bits != 0:
            if hold_worth(state, tables, weights, memo, me, lowest(bits)) < 0.0:
                return _HALL_DISCARD
            bits &= bits - 1
    if tables["reputation_steps"] > 0 and turns_left(memo) < 2.0:
        if is_legal(legal, _COIN_UP):
            return _COIN_UP
        if is_legal(legal, _GEM_UP):
            return _GEM_UP
    return 0 if legal & 1 != 0 else lowest(legal)


@rare
def choose_discard(state, tables, weights, memo, me):
    """Answer DISCARD: the artifact that is worth least in hand."""
    least = 1000.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        pick = lowest(bits)
        bits &= bits - 1
        worth = hold_worth(state, tables, weights, memo, me, pick - 1)
        if worth < least:
            least = worth
            choice = pick
    return choice


@rare
def choose_goods(state, memo, receive):
    """Answer GOODS: pay what is worth least, or receive what is worth most."""
    best = -1000.0
    choice = lowest(state["legal"])
    for good in range(GOODS):
        if is_legal(state["legal"], 1 + good):
            worth = memo[WORTH + good] / TICKS
            if not receive:
                worth = -worth
            if worth > best:
                best = worth
                choice = 1 + good
    return choice


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
def treasure_worth(tables, weights, memo, treasure):
    """Return what it is worth to hold a treasure until the end."""
    worth = 1.0 * tables["treasure_points"][treasure]
    worth += turns_left(memo) * symbols_worth(weights, tables["treasure_symbols"][treasure])
    worth += weights[Weight.AMBER] * tables["treasure_amber"][treasure]
    if tables["treasure_ability"][treasure] != 0:
        worth += 0.5
    return worth


@rare
def choose_treasure(state, tables, weights, memo, me):
    """Answer TREASURE: give up the one that is worth least."""
    least = 1000.0
    choice = lowest(state["legal"])
    if state["legal"] & 1 != 0:
        least = treasure_worth(tables, weights, memo, state["drawn_treasure"] - 1)
        choice = 0
    bits = state["treasures"][me]
    place = 0
    while bits != 0:
        place += 1
        worth = treasure_worth(tables, weights, memo, lowest(bits))
        bits &= bits - 1
        if worth < least and is_legal(state["legal"], place):
            least = worth
            choice = place
    return choice


@rare
def spell_rank(spell):
    """Return how good a spell is to learn, from 0."""
    if spell == _SUMMON_IMP:
        return 9
    if spell == _REJUVENATION:
        return 8
    if spell == _LIGHTNING_BOLT:
        return 7
    if spell == _WIND_STORM:
        return 6
    if spell == _HASTE:
        return 5
    if spell == _ILLUSION:
        return 4
    if spell == _BREW:
        return 3
    return 1


@rare
def choose_spell(state):
    """Answer SPELL: one that helps in rolls, or with hearts."""
    best = -1
    choice = lowest(state["legal"])
    for spell in range(SPELLS):
        if is_legal(state["legal"], spell) and spell_rank(spell) > best:
            best = spell_rank(spell)
            choice = spell
    return choice


# ---- rolls --------------------------------------------------------------------------------


@rare
def roll_prizes(state, tables, weights, memo, me):
    """Return what success in the roll under way is worth, and the bonus of a quest."""
    kind = state["roll_kind"]
    if kind == _K_THREAT:
        return threat_prize(state, tables, weights, memo, me, state["threat"]) + 2.0, 0.0
    if kind == _K_QUEST:
        return memo[PRIZE] / TICKS, memo[EXTRA] / TICKS
    if kind == _K_MINE:
        return dig_worth(state, tables, weights, memo, me, state["mine_card"]) * 0.5 + 0.4, 0.0
    return town_worth(state, tables, weights, memo, me, state["building"]) + 0.5, 0.0


@rare
def choose_after(state, tables, weights, memo, me):
    """Answer AFTER_ROLL: hearts where they are worth it, spells where hearts do not do."""
    legal = state["legal"]
    total = max(state["die"], state["second_die"]) + state["roll_base"] + state["roll_plus"]
    prize, extra = roll_prizes(state, tables, weights, memo, me)
    each = memo[HEART_WORTH] / TICKS
    if state["place"][me] != _MAP:
        each = 0.05  # hearts are counted anew before the next adventure
    gap = state["roll_need"] - total
    if gap <= 0:
        gap = state["roll_bonus"] - total
        if is_legal(legal, _SPEND_BONUS) and gap * each < extra:
            return _SPEND_BONUS
        return 0
    spend = is_legal(legal, _SPEND) and gap * each < prize
    if spend and gap <= 2:
        return _SPEND
    best = 0
    enough = 100
    for spell in (_WIND_STORM, _SUMMON_IMP, _LIGHTNING_BOLT):
        if is_legal(legal, _AFTER_SPELL + spell):
            amount = tables["spell_amount"][spell]
            if spell == _SUMMON_IMP and state["roll_symbol"] != _COMBAT:
                amount = tables["spell_second"][spell]
            short = abs(gap - amount)
            if short < enough:
                enough = short
                best = _AFTER_SPELL + spell
    if best != 0 and prize > weights[Weight.SPELL]:
        return best
    if spend:
        return _SPEND
    return 0


@rare
def choose_before(state, tables, weights, memo, me):
    """Answer BEFORE_ROLL: Illusion where the die alone is doubtful; hearts for what is likely."""
    legal = state["legal"]
    wanted = state["roll_need"] - state["roll_base"]
    if is_legal(legal, 1) and wanted >= 4:
        return 1
    choice = 0
    if legal >> 3 != 0:
        prize, _extra = roll_prizes(state, tables, weights, memo, me)
        each = memo[HEART_WORTH] / TICKS
        best = odds(memo, wanted) * prize
        for hearts in range(1, 14):
            if is_legal(legal, 2 + hearts):
                worth = odds(memo, wanted - hearts) * prize - each * hearts
                if worth > best:
                    best = worth
                    choice = 2 + hearts
    return choice if is_legal(legal, choice) else lowest(legal)


@rare
def choose_again(state):
    """Answer REROLL: pay a food unless the face is enough."""
    total = max(state["die"], state["second_die"]) + state["roll_base"] + state["roll_plus"]
    return 0 if total >= state["roll_need"] and state["roll_need"] > 0 else 1


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
def choose_buy(state, tables, weights, memo, me):
    """Answer BUY: the artifact worth most beyond its price."""
    legal = state["legal"]
    cards = legal & ~1
    if legal & 1 != 0 and waits_for_store(state, tables, weights, memo, me):
        cards &= ~(tables["advanced_cards"] << 1)
    choice, _worth = best_purchase(state, tables, weights, memo, me, cards)
    if is_legal(legal, choice):
        return choice
    return lowest(legal)


@rare
def choose_hut(state, tables, weights, memo, me):
    """Answer HUT: a gem for the long way if that is worth it."""
    legal = state["legal"]
    left = tables["magic_spaces"] - state["magic"][me]
    short = min(left, tables["hut_magic"]) * weights[Weight.MAGIC]
    long = min(left, tables["hut_gem_magic"]) * weights[Weight.MAGIC]
    price = tables["hut_gems"] * memo[WORTH + _GEM] / TICKS
    if is_legal(legal, 2) and long - price > short:
        return 2
    return 1 if is_legal(legal, 1) else lowest(legal)


@rare
def choose_camp(state, tables, weights, me):
    """Answer CAMP: build; with Divination where there are goods to find."""
    legal = state["legal"]
    if is_legal(legal, 4):
        return 4
    if tables["reputation_steps"] > 0 and is_legal(legal, 2):
        return 2
    return 1


def planning(state, tables, prompt, weights):
    """Take the choice that is worth most in journey points."""
    me = state["seat"]
    memo = state["memo"][me]
    if prompt == Prompt.TURN:
        return choose_turn(state, tables, weights, memo, me)
    if memo[SEEN_AT] != state["turn"] + 1:
        look_around(state, tables, weights, memo, me)
    if prompt == Prompt.MOVE:
        return choose_move(state, tables, weights, memo, me)
    if prompt == Prompt.QUEST:
        return choose_quest(state, tables, weights, memo, me)
    if prompt == Prompt.CAMP:
        return choose_camp(state, tables, weights, me)
    if prompt == Prompt.MINE_MOVE:
        return choose_dig(state, tables, weights, memo, me)
    if prompt == Prompt.MINE_START:
        moves = movement_of(state, tables, me)
        _worth, start, _move = plan_dig(state, tables, weights, memo, me, state["legal"], moves)
        return start
    if prompt == Prompt.AFTER_ROLL:
        return choose_after(state, tables, weights, memo, me)
    if prompt == Prompt.THREAT:
        return choose_face(state, tables, weights, memo, me)
    if prompt == Prompt.BUY:
        return choose_buy(state, tables, weights, memo, me)
    if prompt == Prompt.RECRUIT:
        return choose_recruit(state, tables, weights, memo, me)
    if prompt == Prompt.PARTY:
        return choose_join(state, tables, weights, me)
    if prompt == Prompt.PARTY_OUT:
        return choose_leaving(state, tables, weights)
    if prompt == Prompt.TREASURE:
        return choose_treasure(state, tables, weights, memo, me)
    if prompt == Prompt.STORE:
        return choose_store(state, tables, weights, me)
    if prompt == Prompt.KEEP:
        return choose_kept(state, tables, weights, memo, me)
    if prompt == Prompt.DRAFT:
        return choose_draft(state, tables, weights, memo, me)
    if prompt == Prompt.HUT:
        return choose_hut(state, tables, weights, memo, me)
    if prompt == Prompt.SPELL:
        return choose_spell(state)
    if prompt == Prompt.REROLL:
        return choose_again(state)
    if prompt == Prompt.BEFORE_ROLL:
        return choose_before(state, tables, weights, memo, me)
    if prompt == Prompt.DUEL:
        return choose_duel(state, tables, weights, me)
    if prompt == Prompt.TOWN_HALL:
        return choose_hall(state, tables, weights, memo, me)
    if prompt == Prompt.DISCARD:
        return choose_discard(state, tables, weights, memo, me)
    if prompt == Prompt.GOODS:
        return choose_goods(state, memo, state["trade"] < _HALL_TAKE)
    if prompt == Prompt.MINE_AREA:
        choice, _worth = best_area(state, tables, weights, memo, me, state["legal"])
        return choice
    if prompt == Prompt.COMPANION:
        return choose_companion(state, tables, weights)
    bits = state["legal"]  # STABLES: as many birds as there is food for
    choice = 0
    while bits != 0:
        choice = lowest(bits)
        bits &= bits - 1
    return choice


SCRIPTS = {
    "steady": Script(steady),
    "planning": Script(planning, weights=Weight),
}
