"""The map for the players of Near and Far: a search over all ways that a turn allows."""

from __future__ import annotations

import numpy as np

from sim.choices import is_legal, lowest
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    heart_limit,
    heart_total,
    party_power,
    pop,
    power,
    treasure_room,
)
from sim.near_and_far.bosses import boss_in_way
from sim.near_and_far.state import (
    MAX_SPACES,
    MAX_STEPS,
    RESOURCES,
    WAY_BITS,
    WAY_KIND,
    WAY_THREATS,
    EndTrigger,
    Face,
    Good,
    Place,
    Spell,
    Symbol,
    Walk,
)
from sim.near_and_far.travel import movement_of
from strategies.near_and_far_team import (
    FOE,
    NEAR,
    boss_prize,
    boss_stop_worth,
    heart_for_boss,
    holds_back,
    note_bosses,
)
from strategies.near_and_far_worth import (
    EXTRA,
    HEART_WORTH,
    LONG,
    NOTHING,
    PLAN,
    PLAN_AT,
    PRIZE,
    TICKS,
    WORTH,
    Team,
    Weight,
    camp_worth,
    ending_worth,
    hearts_to_spend,
    odds,
    reward_worth,
    turns_left,
)

_COMBAT = np.int64(Symbol.COMBAT)
_SEARCH = np.int64(Symbol.SEARCH)
_CAUTION = np.int64(Symbol.CAUTION)
_FOOD = np.int64(Good.FOOD)
_MAP = np.int64(Place.MAP)
_WALK_ROAD = np.int64(Walk.ROAD)
_WALK_SPELL = np.int64(Walk.SPELL)
_CAUTIOUSLY = np.int64(Face.CAUTION)
_BY_BIRD = np.int64(Face.BIRD)
_BY_STORM = np.int64(Face.WIND_STORM)
_HASTE = np.int64(Spell.HASTE)
_WIND_STORM = np.int64(Spell.WIND_STORM)
_SUMMON_IMP = np.int64(Spell.SUMMON_IMP)
_REJUVENATION = np.int64(Spell.REJUVENATION)
_LIGHTNING_BOLT = np.int64(Spell.LIGHTNING_BOLT)
_BREW = np.int64(Spell.BREW_POTION)
_CAMPS = np.int64(EndTrigger.CAMPS)


_PLACE = MAX_SPACES - 1  # a mask: with it the compiler knows that a space is inside the table

# rows of the search over the map; in the first two a space has two places, see `plan_route`
AT_WORTH, AT_CHANCE = 0, 1
CAMPS, FIRST_PRIZE, FIRST_EXTRA, SECOND_PRIZE, SECOND_EXTRA, RANK = 2, 3, 4, 5, 6, 7
# rows from 8 to 11 are in near_and_far_team.py
KINDS = 12  # what the kinds of roads lead to from the space that is looked at, as below

# places in the row KINDS, to which the symbols on a road are added: a threat, a treasure
_RANK_OF, _WORTH_OF, _CHANCE_OF = 0, 4, 8
_THREAT, _TREASURE = 1, 2

# a label of the search: hearts left, from bit 8 cautions used, from bit 16 fights, from bit 24 the
# roads taken, three bits each, after a leading one
_CAUTION_USED = 8
_FIGHTS = 16
_PATH = 24
_BYTE = 255
_USED = (1 << _PATH) - 1 - _BYTE  # a mask of both


@rare
def threat_prize(state, tables, weights, memo, me, threat):
    """Return what beating a threat is worth, or the boss that comes after the last one (A-7)."""
    if threat >= tables["threats"]:
        return boss_prize(state, tables, weights, memo, me)
    points = tables["threat_points"][threat]
    prize = 1.0 * points
    if tables["threat_camp"][threat] != 0 and state["tents"][me] > 0:
        if state["tents"][me] == 1 and holds_back(state, weights, memo, me, points, 0):
            return -1.0
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
    wanted = -power(state, me, _COMBAT)
    if threat < tables["threats"]:
        wanted += tables["threat_level"][threat]
    else:
        wanted += tables["boss_level"][lowest(state["bosses_left"])]
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
    free = ((1 << tables["spaces"]) - 1) & ~taken
    worth = 0.0
    if state["tents"][me] == 0:
        free = 0
    else:
        worth = weights[Weight.SETTLE] * camp_worth(state, tables, weights, memo, me)
    for space in range(MAX_SPACES):
        table[RANK, space] = 0.0
        table[CAMPS, space] = worth if free >> space & 1 != 0 else 0.0
    if state["tents"][me] == 0:
        return
    search = party_power(state, me, _SEARCH)
    good_spaces = free & tables["good_spaces"]
    while good_spaces != 0:
        space = lowest(good_spaces) & _PLACE
        good_spaces &= good_spaces - 1
        table[CAMPS, space] += search * memo[WORTH + tables["space_good"][space] - 1] / TICKS
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
                        table[CAMPS, here] += joint * (1.0 + weights[Team.JOINT])


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
            prize = table[row, space]
            extra = table[row + 1, space]
            if odds(memo, wanted - spare) * prize + odds(memo, wanted + 2) * extra > best:
                best = max(best, quest_worth(memo, wanted, spare, each, prize, extra))
        total += best
    if state["bosses_left"] != 0 and max(table[FOE, space], table[NEAR, space]) > 0.0:
        total += boss_stop_worth(memo, table, space, hearts, each)
    if can_camp:
        total += camp
        hearts -= tables["camp_hearts"]
    return total + each * hearts


@rare
def plan_route(state, tables, weights, memo, me, start, hearts, moves, entered):
    """Search the ways over the map that a turn allows; note the best, return what it is worth.

    Goes forward step by step. For each space the label worth most is kept: what was gained on the
    way, hearts left, the chance that no fight was lost, cautions and fights used, the roads taken.
    What is found in a step goes to the other one of two places that each space has.
    """
    table = state["scratch"]
    labels = state["labels"]
    note_camps(state, tables, weights, memo, me, table)
    each = memo[HEART_WORTH] / TICKS
    ahead = weights[Weight.AHEAD]
    cautions = power(state, me, _CAUTION) - state["caution_used"]
    room = treasure_room(state, tables, me) - pop(state["treasures"][me])
    treasure = weights[Weight.TREASURE] if room > 0 else 0.1
    bird = weights[Weight.BIRD] * turns_left(memo)
    paid = state["camped"] | 1 << tables["town_space"]
    camp_hearts = tables["camp_hearts"]
    cross_hearts = tables["cross_hearts"]
    by_boss = boss_in_way(state, tables)
    first_prize = NOTHING  # not known yet
    keep = each
    special = state["tokens"] | tables["refresh"]  # where more than a camp counts
    if state["bosses_left"] != 0:
        more = fight_help(state, tables, me)
        nearby, noted = note_bosses(state, tables, weights, memo, me, table, more, moves, start)
        keep += nearby
        special |= noted
    known = 0
    side = 0
    start &= _PLACE
    table[AT_WORTH, start] = 0.0
    table[AT_CHANCE, start] = 1.0
    labels[start] = 1 << _PATH | hearts
    table[RANK, start] = 1.0 + keep * hearts + ahead
    active = 1 << start
    best = -1.0
    best_label = 1 << _PATH
    best_steps = 0
    moves = min(moves, LONG)
    free = paid
    if entered == 0 and tables["heart_cost_leave"] == 0:
        free = np.int64(-1)  # spaces that can be left for nothing; at first all
    for step in range(moves + 1):
        following = 0
        other_side = (side ^ MAX_SPACES) & MAX_SPACES
        while active != 0:
            space = lowest(active) & _PLACE
            active &= active - 1
            here = space | side & MAX_SPACES  # a mask: the compiler knows that it is in the table
            value = table[AT_WORTH, here]
            chance = table[AT_CHANCE, here]
            label = labels[here]
            left = label & _BYTE
            if special >> space & 1 != 0:
                if (state["tokens"] & ~known) >> space & 1 != 0:
                    known |= 1 << space
                    note_prizes(state, tables, weights, memo, me, table, space)
                stop = stop_worth(state, tables, weights, memo, me, table, space, left, step > 0)
            else:  # what `stop_worth` would say
                camp = table[CAMPS, space]
                price = camp_hearts
                if (camp <= 0.0) | (
                    left < camp_hearts
                ):  # without a jump, which could not be guessed
                    camp = 0.0
                    price = 0
                stop = camp + each * (left - price)
            if value + chance * stop > best:
                best = value + chance * stop
                best_label = label
                best_steps = step
            left -= cross_hearts & ((free >> space & 1) - 1)  # without a jump, too
            if step == moves or left < 0:
                continue
            used = label & _USED
            label = label >> _PATH << (_PATH + 3) | used | left
            rank = 1.0 + value + chance * (keep * left + ahead)
            # what the four kinds of roads lead to, so that there is no jump for each road
            found = treasure * chance
            table[KINDS, _RANK_OF] = rank
            table[KINDS, _RANK_OF + _TREASURE] = found + rank
            table[KINDS, _WORTH_OF] = value
            table[KINDS, _WORTH_OF + _TREASURE] = value + found
            table[KINDS, _CHANCE_OF] = chance
            roads = tables["ways"][space]
            met_more = 0  # what a threat adds to the label
            if roads & WAY_THREATS != 0:
                met_worth = value
                met_chance = chance
                met_rank = rank
                fights = used >> _FIGHTS
                threat = state["threat"] + fights
                if threat < tables["threats"] or by_boss:
                    if fights != 0:
                        prize = threat_prize(state, tables, weights, memo, me, threat)
                    else:
                        if first_prize == NOTHING:
                            first_prize = threat_prize(state, tables, weights, memo, me, threat)
                        prize = first_prize
                    prize, win, spent = fight_terms(state, tables, memo, me, threat, left, prize)
                    gain = prize - keep * spent - (1.0 - win) * ahead
                    barred = 0.0
                    met_left = left
                    if gain > 0.0:
                        met_worth += chance * (prize + (1.0 - win) * stop)
                        met_chance *= win
                        met_left = max(0, left - int(spent + 0.5))
                        met_more = met_left - left + (1 << _FIGHTS)
                    elif used >> _CAUTION_USED & _BYTE < cautions:
                        met_more = 1 << _CAUTION_USED
                    elif state["birds"][me] > 0 and bird < ahead:
                        met_worth -= bird
                    else:
                        barred = NOTHING
                    met_rank = barred + (1.0 + met_worth + met_chance * (keep * met_left + ahead))
                found = treasure * met_chance
                table[KINDS, _RANK_OF + _THREAT] = met_rank
                table[KINDS, _RANK_OF + _THREAT + _TREASURE] = found + met_rank
                table[KINDS, _WORTH_OF + _THREAT] = met_worth
                table[KINDS, _WORTH_OF + _THREAT + _TREASURE] = met_worth + found
                table[KINDS, _CHANCE_OF + _THREAT] = met_chance
            while roads > 1:
                to = roads & _PLACE
                kind = roads >> WAY_KIND & 3
                roads >>= WAY_BITS
                total = table[KINDS, _RANK_OF + kind]
                if total > table[RANK, to] + 0.01:
                    table[RANK, to] = total
                    following |= 1 << to
                    there = to | other_side
                    table[AT_WORTH, there] = table[KINDS, _WORTH_OF + kind]
                    table[AT_CHANCE, there] = table[KINDS, _CHANCE_OF + (kind & _THREAT)]
                    labels[there] = label + met_more * (kind & _THREAT)
                label += 1 << _PATH
        active = following
        side = other_side
        free = paid
        if active == 0:
            break
    memo[PLAN] = best_label >> _PATH
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
    each = memo[HEART_WORTH] / TICKS
    if state["bosses_left"] != 0:
        each += heart_for_boss(state, tables, weights, memo, me)
    gain = prize - spent * each - (1.0 - win) * weights[Weight.AHEAD]
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
    table = state["scratch"]
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


@rare
def may_go_out(state, tables, weights, memo, me, least):
    """Say whether a move over the map may be worth as much as something else, by a guess.

    The guess adds up what there is within reach: a camp, quests, threats, bosses. Its shares are
    fitted to what searches found in whole games of `balanced` and `team_balanced`: nearly
    half of the searches are spared; in two or three turns of a hundred one would have brought more,
    by a point or so.
    """
    moves = movement_of(state, tables, me)
    hearts = state["hearts"][me]
    space = state["space"][me]
    if state["place"][me] != _MAP:
        hearts = heart_total(state, tables, me)
        space = tables["town_space"]
    reach = min(moves, hearts + 1) & (MAX_STEPS - 1)
    worth = 0.5 + 0.4 * pop(state["tokens"] & tables["within"][space, reach])
    if state["tents"][me] != 0 and hearts >= tables["camp_hearts"]:
        camp = camp_worth(state, tables, weights, memo, me)
        worth += max(0.0, 1.1 * weights[Weight.SETTLE] * camp)
    if worth >= least:
        return True
    threat = state["threat"]
    if threat < tables["threats"]:
        prize = threat_prize(state, tables, weights, memo, me, threat)
        if prize > 0.0:
            prize, _win, _spent = fight_terms(state, tables, memo, me, threat, hearts, prize)
            worth += 1.2 * max(0.0, prize)  # often there are more of them on the way
    bosses = state["bosses_left"]
    if bosses == 0 or tables["bosses_as_threats"] != 0 or worth >= least:
        return worth >= least
    own = power(state, me, _COMBAT) + hearts
    share = 0.0
    while bosses != 0:
        boss = lowest(bosses)
        bosses &= bosses - 1
        steps = tables["distance"][space, tables["boss_space"][boss]]
        chance = odds(memo, tables["boss_level"][boss] - own + max(0, steps - 1))
        if steps > moves:
            chance *= 1.5 * weights[Team.APPROACH] / (1.0 + 0.2 * (steps - moves))
        share = max(share, chance)
    if share > 0.0:
        worth += 0.6 * share * boss_prize(state, tables, weights, memo, me)
    return worth >= least


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
