"""Playing Near and Far as a team: the clock, bosses, minions, and when to end the game.

What a team adds to `planning` are the weights of `Team`; where they are 0 each plays for itself.
A team wins once it has more points than the number at the time token for each player and all
bosses are beaten (rule 61), so its turns left are counted from how many points it lacks and how
many more than the clock it gains in a round, and its last camps wait until the game is won.

Nothing here looks at what a player cannot see: of the others' hands only how many cards they hold.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from sim.choices import lowest
from sim.jit import rare, rule
from sim.near_and_far.basics import heart_total, pop, power
from sim.near_and_far.bosses import boss_here
from sim.near_and_far.scoring import carries_set, chief_of
from sim.near_and_far.state import (
    FACTIONS,
    GOODS,
    KEYWORDS,
    MAX_SPACES,
    RESOURCES,
    Good,
    Place,
    Symbol,
)
from strategies.near_and_far_worth import (
    CAMP_FOR,
    HEART_WORTH,
    LEAD,
    LEFT,
    NOTHING,
    SEEN_AT,
    TICKS,
    WORTH,
    Team,
    Weight,
    camp_worth,
    hearts_to_spend,
    note_die,
    note_goods,
    odds,
    reward_worth,
    turns_left,
)

_SKILL = np.int64(Symbol.SKILL)
_COMBAT = np.int64(Symbol.COMBAT)
_COIN = np.int64(Good.COIN)
_MAP = np.int64(Place.MAP)

# LEAD of a team: what it is worth to end the game, in `HASTEN` times a fifth. While the game is to
# go on it also says what is lacking: _HOLD - 4 x points - bosses (2 stands for more).
_END = np.int64(5 * TICKS)
_HOLD = np.int64(-5 * TICKS)
_BOSSES = 3
_SOON = 8  # hours left to the clock, from which on what others may add is relied on
_FAR = 25  # points of each that a team lacks, from which on the end is far away

# rows that bosses have in the search over the map
FOE, FOE_PRIZE, NEAR, NEAR_PRIZE = 8, 9, 10, 11
_FOE_MORE = 100.0  # added to what a fight wants, so that 0 means that nobody is there

TeamWeight = IntEnum(  # type: ignore[misc]
    "TeamWeight", {place.name: int(place) for enum in (Weight, Team) for place in enum}
)


# --- points and the clock -------------------------------------------------------------------------


@rare
def ranked_points(packed, players, first, second):
    """Return the points a team has for most and second most of something, ties in full.

    packed: the amounts, 16 bits a seat.
    """
    most = 0
    next_most = 0
    for seat in range(players):
        amount = packed >> (16 * seat) & 65535
        if amount > most:
            next_most = most
            most = amount
        elif next_most < amount < most:
            next_most = amount
    points = 0
    for seat in range(players):
        amount = packed >> (16 * seat) & 65535
        if amount > 0:
            if amount == most:
                points += first
            elif amount == next_most:
                points += second
    return points


@rare
def packed_amber(state, tables):
    """Return the amber of all seats, 16 bits each (rules 35 and 49)."""
    packed = 0
    for seat in range(state["players"]):
        cards = state["mine_own"][seat]
        while cards != 0:
            packed += tables["mine_amber"][lowest(cards)] << (16 * seat)
            cards &= cards - 1
        bits = state["treasures"][seat]
        while bits != 0:
            packed += tables["treasure_amber"][lowest(bits)] << (16 * seat)
            bits &= bits - 1
    return packed


@rare
def other_points(state, tables, seat):
    """Return what a seat would score beside certain points, rank among the players aside."""
    points = pop(state["hand"][seat]) * tables["unbought_points"]
    points += pop(state["spells"][seat]) * tables["spell_points"]
    held = 0
    bits = state["treasures"][seat]
    while bits != 0:
        points += tables["treasure_points"][lowest(bits)]
        held += 1
        bits &= bits - 1
    if held >= tables["set_treasures"] and carries_set(state, tables, seat):
        points += tables["set_points"]
    if tables["reputation_steps"] > 0:
        points += max(0, state["reputation"][seat]) // tables["reputation_steps"]
    if tables["goods_step"] > 0:
        value = 0
        for good in range(GOODS):
            value += state["goods"][seat, good] * tables["good_value"][good]
        points += value // tables["goods_step"]
    if state["keywords"][seat] != 0:
        for keyword in range(KEYWORDS):
            if state["keywords"][seat] >> keyword & 1 != 0:
                points += tables["keyword_points"][keyword]
    return points


@rare
def shared_points(state, tables):
    """Return what a team scores for routes, amber, magic and chiefs."""
    points = 0
    for resource in range(RESOURCES):
        first = tables["route_space"][resource, 0]
        second = tables["route_space"][resource, 1]
        if first != second and state["camp"][first] != 0 and state["camp"][second] != 0:
            if state["camp"][first] == state["camp"][second]:
                points += tables["route_alone"][resource]
            else:
                points += 2 * tables["route_joint"][resource]
    players = state["players"]
    if tables["amber_mines"] != 0:
        points += ranked_points(
            packed_amber(state, tables),
            players,
            tables["amber_points"][0],
            tables["amber_points"][1],
        )
    packed = 0
    for seat in range(players):
        packed += state["magic"][seat] << (16 * seat)
    points += ranked_points(packed, players, tables["magic_points"], 0)
    for faction in range(FACTIONS):
        if tables["chief_points"][faction] != 0 and chief_of(state, faction) >= 0:
            points += tables["chief_points"][faction]
    return points


@rare
def own_points(state, tables):
    """Return the points of all seats that do not hang on what others have."""
    points = 0
    for seat in range(state["players"]):
        points += state["running"][seat] + other_points(state, tables, seat)
    return points


@rare
def team_points(state, tables):
    """Return the points a team would have if the game ended now (A-39)."""
    return own_points(state, tables) + shared_points(state, tables)


@rule
def hours_left(state, tables):
    """Return the turns that each player has after this one, before the token is on the skull."""
    return max(0, tables["time_left"][state["time_space"]] - 1)


@rare
def note_clock(state, tables, weights, memo, me):
    """Note the own turns left and whether to end the game, by points, bosses and the clock.

    While points are short each round must bring more of them than the clock asks for; the turns
    left are the points short by what a round gains on it. The game is to be ended once the points
    that are sure suffice and no boss stands, or when there is no later time to end it.
    """
    players = state["players"]
    short = players * state["time_value"] + 1 - tables["coop_at_least"]
    short -= own_points(state, tables)
    if short < _FAR * players:  # before that it matters little, and takes time to count
        short -= shared_points(state, tables)
    bosses = pop(state["bosses_left"])
    left = max(1.0 * bosses, short / players / max(0.1, weights[Team.PACE] - 1.0))
    hours = hours_left(state, tables)
    left = max(0.0, min(1.0 * hours, left))
    if state["ending"] != 0:
        left = 0.0
    memo[LEFT] = int(TICKS * left)
    place = me - state["first_seat"]
    if place < 0:
        place += players
    # what others may add is not relied on while there is time
    sure = weights[Team.SURE] * (players - 1 - place) * max(0.0, 1.0 - hours / _SOON)
    sure += tables["camp_points"] + tables["all_camps_points"]
    lacking = max(0, int(np.ceil(short - sure)))
    memo[LEAD] = _END
    if hours > 0 and (lacking > 0 or bosses > 0):  # in the last hour any end is better than none
        memo[LEAD] = _HOLD - 4 * lacking - min(bosses, 2)


@rare
def look_around_together(state, tables, weights, memo, me):
    """Note what does not change in a turn, as one of a team."""
    memo[SEEN_AT] = state["turn"] + 1
    note_clock(state, tables, weights, memo, me)
    memo[CAMP_FOR] = 0
    note_goods(state, tables, weights, memo, me)
    fade = min(1.0, turns_left(memo) / 1.5)
    memo[HEART_WORTH] = int(TICKS * weights[Weight.HEART] * fade)
    note_die(state, tables, memo, me)


@rule
def holds_back(state, weights, memo, me, points, bosses):
    """Say whether the last camp of a player has to wait, as it would end the game too soon.

    points, bosses: that come with it, and may be all that is lacking.
    """
    if (
        state["together"] == 0
        or weights[Team.PACE] <= 0.0
        or state["tents"][me] != 1
        or state["ending"] != 0
        or memo[LEAD] >= _HOLD
    ):
        return False
    lacking = _HOLD - memo[LEAD]
    return lacking >> 2 > points or lacking & _BOSSES > bosses


# --- bosses ---------------------------------------------------------------------------------------


@rare
def boss_prize(state, tables, weights, memo, me):
    """Return what beating a boss is worth: more as time runs out, less if it ends a game unwon."""
    if holds_back(state, weights, memo, me, 0, 1):
        return -1.0
    bosses = pop(state["bosses_left"])
    late = 1.0 - turns_left(memo) / (3.0 + 3.0 * bosses)
    prize = weights[Team.BOSS] * (1.0 + weights[Team.HASTE] * max(0.0, late))
    prize += camp_worth(state, tables, weights, memo, me) if state["tents"][me] > 0 else 0.0
    if memo[LEAD] == _HOLD - 1:  # with it the game is won
        prize += 2.0 * weights[Weight.HASTEN]
    return prize


@rare
def mate_is_nearer(state, tables, me, boss, steps):
    """Say whether another player is on the way to a boss, nearer to it and strong enough."""
    for seat in range(state["players"]):
        if seat != me and state["place"][seat] == _MAP:
            theirs = tables["distance"][state["space"][seat], tables["boss_space"][boss]]
            strength = power(state, seat, _COMBAT) + state["hearts"][seat] - theirs
            if theirs < steps and strength + 5 >= tables["boss_level"][boss]:
                return True
    return False


@rare
def note_bosses(state, tables, weights, memo, me, table, more, moves, start):
    """Note in the table of a search where bosses stand; return what a heart is worth for them.

    Returns also where it is worth something to stop for a boss, as bits of spaces.
    more: what spells would add to a fight. A heart is worth more than else while a boss is within
    reach that can be beaten. A way that leads nearer to the easiest one is worth something if that
    is out of reach, unless a mate is on the way to it.
    """
    for space in range(MAX_SPACES):
        table[FOE, space] = 0.0
        table[NEAR, space] = 0.0
    if tables["bosses_as_threats"] != 0 or state["bosses_left"] == 0:
        return 0.0, 0
    prize = boss_prize(state, tables, weights, memo, me)
    if prize <= 0.0:
        return 0.0, 0
    own = power(state, me, _COMBAT) + more
    most = heart_total(state, tables, me)
    target = -1
    lowest_level = 1000
    keep = 0.0
    noted = 0
    bosses = state["bosses_left"]
    while bosses != 0:
        boss = lowest(bosses)
        bosses &= bosses - 1
        space = tables["boss_space"][boss]
        wanted = tables["boss_level"][boss] - own
        table[FOE, space] = _FOE_MORE + wanted
        table[FOE_PRIZE, space] = prize
        noted |= 1 << space
        if wanted - most <= 5:
            steps = tables["distance"][start, space]
            if steps <= moves:
                keep = weights[Team.KEEP] * prize / 6.0
            if wanted < lowest_level and not mate_is_nearer(state, tables, me, boss, steps):
                lowest_level = wanted
                target = space
    if target >= 0 and weights[Team.APPROACH] > 0.0 and tables["distance"][start, target] > moves:
        for space in range(tables["spaces"]):
            steps = tables["distance"][space, target]
            if 0 < steps <= moves + 1:
                # hearts that the rest of the way takes: one for each space between
                noted |= 1 << space
                table[NEAR, space] = _FOE_MORE + lowest_level + steps - 1
                table[NEAR_PRIZE, space] = weights[Team.APPROACH] * prize / (1.0 + 0.2 * steps)
    return keep, noted


@rare
def boss_stop_worth(memo, table, space, hearts, each):
    """Return what the bosses make it worth to end the move on a space with some hearts."""
    worth = 0.0
    if table[FOE, space] > 0.0:
        wanted = int(table[FOE, space] - _FOE_MORE)
        worth = odds(memo, wanted - hearts) * table[FOE_PRIZE, space]
        if worth > 0.0:
            worth -= each * hearts_to_spend(memo, wanted, hearts)
    if table[NEAR, space] > 0.0:
        wanted = int(table[NEAR, space] - _FOE_MORE)
        worth = max(worth, odds(memo, wanted - hearts) * table[NEAR_PRIZE, space])
    return worth


@rare
def heart_for_boss(state, tables, weights, memo, me):
    """Return what a heart is worth on the way to a boss within the movement left."""
    if state["bosses_left"] == 0 or tables["bosses_as_threats"] != 0 or state["place"][me] != _MAP:
        return 0.0
    own = power(state, me, _COMBAT) + state["hearts"][me]
    bosses = state["bosses_left"]
    while bosses != 0:
        boss = lowest(bosses)
        bosses &= bosses - 1
        steps = tables["distance"][state["space"][me], tables["boss_space"][boss]]
        if steps <= state["movement"] and tables["boss_level"][boss] - own <= 5:
            return weights[Team.KEEP] * boss_prize(state, tables, weights, memo, me) / 6.0
    return 0.0


@rare
def choose_boss(state, tables, weights, memo, me, more):
    """Answer BOSS: fight if the chance to win times the prize is worth the hearts it takes."""
    boss = boss_here(state, tables, me) - 1
    wanted = tables["boss_level"][boss] - power(state, me, _COMBAT) - more
    hearts = state["hearts"][me]
    chance = odds(memo, wanted - hearts)
    if chance <= 0.0:
        return 0
    gain = chance * boss_prize(state, tables, weights, memo, me)
    gain -= memo[HEART_WORTH] / TICKS * hearts_to_spend(memo, wanted, hearts)
    return 1 if gain > 0.0 else 0


# --- minions --------------------------------------------------------------------------------------


@rare
def minion_prize(state, tables, weights, memo, minion):
    """Return what covering a type of a minion is worth; half of what is left for the first."""
    prize = reward_worth(weights, memo, tables["minion_reward"][minion])
    prize += 2 * tables["minion_coins"] * memo[WORTH + _COIN] / TICKS
    prize += weights[Team.MINION] * min(1.0, turns_left(memo) / 8.0)
    return prize if state["minion_covered"][minion] != 0 else 0.5 * prize


@rare
def best_fight(state, tables, weights, memo, me, building, visit):
    """Return the choice of MINION that is worth most, 0 to ignore all, and what it is worth.

    visit: worth of the visit that is lost with the fight.
    """
    best = 0.0
    choice = 0
    harm = max(0.0, visit) + weights[Weight.JAIL]
    place = -1
    minions = state["minions_in_town"]
    while minions != 0:
        minion = lowest(minions)
        minions &= minions - 1
        if tables["minion_place"][minion] != building:
            continue
        place += 1
        covered = state["minion_covered"][minion]
        if covered != 0 and state["minion_turn"][minion] == state["turn"]:
            continue
        prize = NOTHING  # not known yet
        for swords in range(2):
            if covered >> swords & 1 == 0:
                wanted = tables["minion_need"][minion, swords] - state["hearts"][me]
                wanted -= power(state, me, _COMBAT if swords != 0 else _SKILL)
                chance = odds(memo, wanted)
                if chance <= 0.0:
                    continue  # there is only harm in it
                if prize == NOTHING:
                    prize = minion_prize(state, tables, weights, memo, minion)
                worth = chance * prize - (1.0 - chance) * harm
                if worth > best:
                    best = worth
                    choice = 1 + 2 * place + swords
    return choice, best


@rare
def choose_removed(state, tables, weights, memo):
    """Answer REMOVE_CAMP: the camp that costs the team least, and whose card pays once more."""
    packed = packed_amber(state, tables)
    first = tables["amber_points"][0]
    second = tables["amber_points"][1]
    now = ranked_points(packed, state["players"], first, second)
    best = 1000.0
    choice = lowest(state["legal"])
    bits = state["legal"]
    while bits != 0:
        card = lowest(bits) - 1
        bits &= bits - 1
        owner = state["mine_camp"][card] - 1
        amber = tables["mine_amber"][card]
        left = packed - (amber << (16 * owner))
        cost = 0.2 * amber + now - ranked_points(left, state["players"], first, second)
        cost -= 0.5 * reward_worth(weights, memo, tables["mine_reward"][card])
        if state["tents"][owner] == 0:
            cost += tables["all_camps_points"]
        if cost < best:
            best = cost
            choice = 1 + card
    return choice
