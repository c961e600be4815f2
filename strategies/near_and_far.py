"""The scripted players of Near and Far with the Amber Mines.

`planning` is one competent player with weights: it counts what every turn would bring in journey
points, by a search over the map and the mine, and takes the best. The strategies `miner`,
`fighter`, `explorer`, `quester`, `collector`, `mage` and `balanced` are sets of its weights, in
near_and_far.toml. `steady` takes the lowest choice; with a blunder of 1 it is `random`.

Nothing here looks at what a player cannot see: decks, other hands and notes.
"""

from __future__ import annotations

import numpy as np

from sim.choices import is_legal, lowest
from sim.jit import rare, rule, with_arrays
from sim.near_and_far.basics import (
    heart_limit,
    pop,
    power,
    treasure_room,
)
from sim.near_and_far.bosses import boss_here
from sim.near_and_far.duel import occupants
from sim.near_and_far.minions import minion_at
from sim.near_and_far.state import (
    GIFTS,
    GOODS,
    MAX_MINIONS,
    NO_DUEL,
    SPELLS,
    After,
    Hall,
    Place,
    Prompt,
    RollKind,
    Spell,
    Symbol,
    Turn,
    Walk,
)
from strategies.near_and_far_cards import (
    affordable,
    best_purchase,
    choose_buy,
    choose_discard,
    choose_draft,
    choose_goods,
    choose_hall,
    choose_kept,
    choose_store,
    waits_for_store,
)
from strategies.near_and_far_map import (
    adventure_worth,
    choose_face,
    choose_move,
    choose_quest,
    fight_help,
    may_go_out,
    threat_prize,
)
from strategies.near_and_far_mine import best_area, choose_dig, choose_start, dig_worth
from strategies.near_and_far_team import (
    TeamWeight,
    best_fight,
    boss_prize,
    choose_boss,
    choose_removed,
    heart_for_boss,
    holds_back,
    look_around_together,
    minion_prize,
)
from strategies.near_and_far_team_gifts import best_gift, role_weights
from strategies.near_and_far_town import (
    choose_companion,
    choose_duel,
    choose_hut,
    choose_join,
    choose_leaving,
    choose_recruit,
    duel_odds,
    town_worth,
)
from strategies.near_and_far_worth import (
    EXTRA,
    GIFT,
    HEART_WORTH,
    NOTHING,
    PLAN_AT,
    PRIZE,
    SEEN_AT,
    TICKS,
    Team,
    Weight,
    look_around,
    note_die,
    note_goods,
    odds,
    symbols_worth,
    turns_left,
)
from strategies.toolkit import Script

_SKILL = np.int64(Symbol.SKILL)
_COMBAT = np.int64(Symbol.COMBAT)
_TOWN_HALL = np.int64(Place.TOWN_HALL)
_HUT = np.int64(Place.HUT)
_MINE = np.int64(Place.MINE)
_MAP = np.int64(Place.MAP)
_TURN_BUY = np.int64(Turn.BUY)
_TURN_SPELL = np.int64(Turn.SPELL)
_TURN_GIVE = np.int64(Turn.GIVE)
_WALK_GIVE = np.int64(Walk.GIVE)
_SPEND = np.int64(After.SPEND)
_SPEND_BONUS = np.int64(After.SPEND_BONUS)
_AFTER_SPELL = np.int64(After.SPELL)
_HALL_TAKE = np.int64(Hall.TAKE_ONE)
_HASTE = np.int64(Spell.HASTE)
_WIND_STORM = np.int64(Spell.WIND_STORM)
_DIVINATION = np.int64(Spell.DIVINATION)
_SUMMON_IMP = np.int64(Spell.SUMMON_IMP)
_REJUVENATION = np.int64(Spell.REJUVENATION)
_ILLUSION = np.int64(Spell.ILLUSION)
_LIGHTNING_BOLT = np.int64(Spell.LIGHTNING_BOLT)
_BREW = np.int64(Spell.BREW_POTION)
_K_THREAT = np.int64(RollKind.THREAT)
_K_QUEST = np.int64(RollKind.QUEST)
_K_MINE = np.int64(RollKind.MINE)
_K_MINION = np.int64(RollKind.MINION)
_K_BOSS = np.int64(RollKind.BOSS)


def steady(state, tables, prompt, weights):
    """Take the lowest choice."""
    return lowest(state["legal"])


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


@rare
def roll_prizes(state, tables, weights, memo, me):
    """Return what success in the roll under way is worth, and the bonus of a quest."""
    kind = state["roll_kind"]
    if kind == _K_THREAT:
        prize = threat_prize(state, tables, weights, memo, me, state["threat"])
        return prize if prize < 0.0 else prize + 2.0, 0.0
    if kind == _K_BOSS:
        prize = boss_prize(state, tables, weights, memo, me)
        return prize if prize < 0.0 else prize + 2.0, 0.0
    if kind == _K_QUEST:
        return memo[PRIZE] / TICKS, memo[EXTRA] / TICKS
    if kind == _K_MINE:
        return dig_worth(state, tables, weights, memo, me, state["mine_card"]) * 0.5 + 0.4, 0.0
    worth = town_worth(state, tables, weights, memo, me, state["building"], NOTHING) + 0.5
    if kind == _K_MINION:
        worth += minion_prize(state, tables, weights, memo, state["minion_now"] - 1)
    return worth, 0.0


@rare
def choose_after(state, tables, weights, memo, me):
    """Answer AFTER_ROLL: hearts where they are worth it, spells where hearts do not do."""
    legal = state["legal"]
    total = max(state["die"], state["second_die"]) + state["roll_base"] + state["roll_plus"]
    prize, extra = roll_prizes(state, tables, weights, memo, me)
    each = memo[HEART_WORTH] / TICKS
    if state["bosses_left"] != 0 and state["roll_kind"] != _K_BOSS:
        each += heart_for_boss(state, tables, weights, memo, me)
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
def choose_camp(state, tables, weights, me):
    """Answer CAMP: build; with Divination where there are goods to find."""
    legal = state["legal"]
    if holds_back(state, weights, state["memo"][me], me, 0, 0):
        return 0
    if is_legal(legal, 4):
        return 4
    if tables["reputation_steps"] > 0 and is_legal(legal, 2):
        return 2
    return 1


@rule
def gives(state, tables, weights, memo, me):
    """Say whether something is to be given now; what it is is noted for GIVE, asked at once."""
    if weights[Team.GIVE] <= 0.0:
        return False
    memo[GIFT] = best_gift(state, tables, weights, memo, me, state["gifts"])
    return memo[GIFT] != 0


@rare
def choose_turn(state, tables, weights, memo, me):
    """Answer TURN: artifacts and spells first, then what is worth most."""
    look(state, tables, weights, memo, me)
    legal = state["legal"]
    if is_legal(legal, _TURN_GIVE) and gives(state, tables, weights, memo, me):
        return _TURN_GIVE
    if is_legal(legal, _TURN_BUY):
        cards = affordable(state, tables, me)
        if waits_for_store(state, tables, weights, memo, me):
            cards &= ~tables["advanced_cards"]
        choice, worth = best_purchase(state, tables, weights, memo, me, cards << 1)
        if choice != 0 and worth > weights[Weight.SPARE]:
            return _TURN_BUY
    best = NOTHING
    choice = lowest(legal)
    held = 0  # buildings with minions, as bits
    minions = state["minions_in_town"]
    while minions != 0:
        held |= 1 << tables["minion_place"][lowest(minions)]
        minions &= minions - 1
    for building in range(_TOWN_HALL, _MINE + 1):
        if is_legal(legal, building):
            least = NOTHING if held >> building & 1 != 0 else best
            worth = town_worth(state, tables, weights, memo, me, building, least)
            if held >> building & 1 != 0:
                _fight, more = best_fight(state, tables, weights, memo, me, building, worth)
                worth += more
            elif held == 0 and worth > best and occupants(state, tables, me, building) != 0:
                chance, _who = duel_odds(state, tables, me, building)
                worth = chance * worth - (1.0 - chance) * weights[Weight.JAIL]
            if worth > best:
                best = worth
                choice = building
    if legal & 1 != 0 and may_go_out(state, tables, weights, memo, me, best):
        worth = adventure_worth(state, tables, weights, memo, me)
        if worth >= best:
            best = worth
            choice = 0
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
def choose_together(state, tables, weights, memo, me, prompt):
    """Answer the prompts of cooperative games, as one of a team or as one who ignores the others.

    Who does so gives nothing. A minion is fought where it is likely to be beaten, a boss where
    that is half-way likely; a camp goes that has least amber.
    """
    choice = 0
    if weights[Team.PACE] > 0.0:
        if prompt == Prompt.GIVE:
            choice = memo[GIFT]
            memo[GIFT] = 0
            if choice == 0 or not is_legal(state["legal"], choice):  # or noted before a blunder
                choice = best_gift(state, tables, weights, memo, me, state["legal"])
            if (choice - 1) % GIFTS < GOODS:
                memo[SEEN_AT] = -1 - state["turn"]
        elif prompt == Prompt.MINION:
            building = state["building"]
            worth = town_worth(state, tables, weights, memo, me, building, NOTHING)
            choice, _worth = best_fight(state, tables, weights, memo, me, building, worth)
        elif prompt == Prompt.BOSS:
            more = fight_help(state, tables, me)
            choice = choose_boss(state, tables, weights, memo, me, more)
        else:
            choice = choose_removed(state, tables, weights, memo)
    elif prompt == Prompt.MINION:
        best = 0.7
        for place in range(MAX_MINIONS):
            for swords in range(2):
                option = 1 + 2 * place + swords
                if is_legal(state["legal"], option):
                    minion = minion_at(state, tables, state["building"], place)
                    wanted = tables["minion_need"][minion, swords] - state["hearts"][me]
                    wanted -= power(state, me, _COMBAT if swords != 0 else _SKILL)
                    if odds(memo, wanted) > best:
                        best = odds(memo, wanted)
                        choice = option
    elif prompt == Prompt.BOSS:
        level = tables["boss_level"][boss_here(state, tables, me) - 1]
        if odds(memo, level - power(state, me, _COMBAT) - state["hearts"][me]) > 0.4:
            choice = 1
    elif prompt == Prompt.REMOVE_CAMP:
        least = 1000
        bits = state["legal"]
        while bits != 0:
            card = lowest(bits) - 1
            bits &= bits - 1
            if tables["mine_amber"][card] < least:
                least = tables["mine_amber"][card]
                choice = 1 + card
    return choice


@rare
def look(state, tables, weights, memo, me):
    """Note what does not change in a turn; once goods were given, anew only what hangs on them."""
    if memo[SEEN_AT] == -1 - state["turn"]:
        memo[SEEN_AT] = 1 + state["turn"]
        note_goods(state, tables, weights, memo, me)
        note_die(state, tables, memo, me)
    elif state["together"] != 0 and weights[Team.PACE] > 0.0:
        look_around_together(state, tables, weights, memo, me)
    else:
        look_around(state, tables, weights, memo, me)


@rule
def plan(state, tables, prompt, weights):
    """Take the choice that is worth most in journey points."""
    me = state["seat"]
    memo = state["memo"][me]
    if prompt == Prompt.TURN:
        return choose_turn(state, tables, weights, memo, me)
    if memo[SEEN_AT] != state["turn"] + 1:
        look(state, tables, weights, memo, me)
    if prompt == Prompt.MOVE:
        if is_legal(state["legal"], _WALK_GIVE) and gives(state, tables, weights, memo, me):
            return _WALK_GIVE
        if holds_back(state, weights, memo, me, 0, 0):
            memo[PLAN_AT] = 0  # the last camp must not go to a second threat on the way
        return choose_move(state, tables, weights, memo, me)
    if prompt == Prompt.QUEST:
        return choose_quest(state, tables, weights, memo, me)
    if prompt == Prompt.CAMP:
        return choose_camp(state, tables, weights, me)
    if prompt == Prompt.MINE_MOVE:
        return choose_dig(state, tables, weights, memo, me)
    if prompt == Prompt.MINE_START:
        return choose_start(state, tables, weights, memo, me)
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
        if is_legal(state["legal"], NO_DUEL):
            return NO_DUEL
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
    if prompt >= Prompt.GIVE:
        return choose_together(state, tables, weights, memo, me, prompt)
    bits = state["legal"]  # STABLES: as many birds as there is food for
    choice = 0
    while bits != 0:
        choice = lowest(bits)
        bits &= bits - 1
    return choice


@with_arrays
def plan_in_role(state, tables, prompt, weights):
    """Plan with the weights of a seat's role."""
    return plan(state, tables, prompt, role_weights(state, weights, state["seat"]))


def planning(state, tables, prompt, weights):
    """Take the choice that is worth most in journey points, for oneself or for the team."""
    if weights[Team.ROLE] > 1.0 and state["together"] != 0:
        return plan_in_role(state, tables, prompt, weights)
    return plan(state, tables, prompt, weights)


SCRIPTS = {
    "steady": Script(steady),
    "planning": Script(planning, weights=Weight),
    "team": Script(planning, weights=TeamWeight),
}
