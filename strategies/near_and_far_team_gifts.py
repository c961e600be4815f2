"""Gifts in a team of Near and Far, and who of it does what.

A thing is given to whoever at the same place can do more with it (rule 59, A-46): food to who
lacks it for birds or for camps in the mine, coins, gems and tokens to who has few of them, or to
the banker where there are roles, treasures to who makes a set of them. What an artifact of the own
hand costs is kept.
"""

from __future__ import annotations

import numpy as np

from sim.choices import lowest, seat_after
from sim.driver import MAX_WEIGHTS
from sim.jit import rare, rule, with_arrays
from sim.near_and_far.basics import nth, pop, symbols
from sim.near_and_far.scoring import carries_set
from sim.near_and_far.state import (
    GIFT_TREASURE,
    GIFT_TREASURES,
    GIFTS,
    GOODS,
    PURSE_BITS,
    PURSE_GUARD,
    Good,
    Symbol,
)
from strategies.near_and_far_worth import Team, Weight, turns_left

_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_COMBAT = np.int64(Symbol.COMBAT)
_HEARTS = np.int64(Symbol.HEARTS)
_MINER, _FIGHTER, _QUESTER, _BANKER = 1, 2, 4, 8


# --- roles ----------------------------------------------------------------------------------------


@rare
def roles_of(players, seat):
    """Return a seat's roles as bits: four players have one each, fewer players share them out."""
    if players == 2:
        return _MINER | _BANKER if seat == 0 else _FIGHTER | _QUESTER
    if players == 3 and seat == 2:
        return _QUESTER | _BANKER
    return 1 << seat


@rare
def take_role(own, roles, strength):
    """Raise the weights that are a role's own. Modified in place."""
    if roles & _MINER != 0:
        own[Weight.MINE] *= strength
        own[Weight.AMBER] *= strength
        own[Weight.FARM] *= strength
    if roles & _FIGHTER != 0:
        own[Weight.THREAT] *= strength
        own[Weight.COMBAT] *= strength
        own[Weight.HEARTS] *= strength
        own[Team.BOSS] *= strength
    if roles & _QUESTER != 0:
        own[Weight.QUEST] *= strength
        own[Weight.SETTLE] *= strength
        own[Weight.SKILL] *= strength
        own[Weight.ROUTE] *= strength
    if roles & _BANKER != 0:
        own[Weight.STORE] *= strength
        own[Weight.ARTIFACT] *= strength
        own[Weight.INCOME] *= strength
        own[Weight.CROWD] /= strength


@with_arrays
def role_weights(state, weights, me):
    """Return the weights of a seat in its role."""
    own = np.empty(MAX_WEIGHTS)
    for place in range(MAX_WEIGHTS):  # a copy of the whole would take seconds more to compile
        own[place] = weights[place]
    take_role(own, roles_of(state["players"], me), weights[Team.ROLE])
    return own


@rare
def role_factor(state, weights, seat, good):
    """Return how much more a good is worth to a seat for its role, where there are roles."""
    roles = roles_of(state["players"], seat)
    wanted = roles & _MINER if good == _FOOD else roles & _BANKER
    return weights[Team.ROLE] if wanted != 0 else 1.0


# --- gifts ----------------------------------------------------------------------------------------


@rare
def use_of(state, tables, weights, fade, seat, good, held):
    """Return what one more of a good is worth to a seat that holds some, by what all can see.

    fade: how much of their worth goods still have.
    """
    factor = 1.0
    if weights[Team.ROLE] > 1.0:
        factor = role_factor(state, weights, seat, good)
    enough = factor * factor  # a banker never has enough
    if good == _FOOD:
        lacking = tables["most_birds"] - state["birds"][seat] + 1 - held
        lacking += state["mine_camps"][seat] * tables["mine_camp_food"]
        worth = weights[Weight.FARM] if lacking > 0 else 0.2 * weights[Weight.FOOD]
    elif good == _COIN:
        worth = weights[Weight.COIN] * max(0.1, 1.0 - held / (6.0 * enough))
    elif good == _GEM:
        worth = weights[Weight.GEM] * max(0.1, 1.0 - held / (4.0 * enough))
    else:
        worth = weights[Weight.TOKEN] * max(0.1, 1.0 - held / (2.0 * enough))
    if good != _FOOD and state["hand"][seat] == 0:
        worth *= 0.6  # nothing to buy yet
    return worth * fade * factor


@rule
def prices_of(state, tables, me):
    """Return the highest prices of the artifacts in the own hand, and their sum, as purses."""
    most = 0
    total = 0
    bits = state["hand"][me] & ~tables["forbid_artifacts"][me]
    while bits != 0:
        price = tables["artifact_price"][lowest(bits)]
        bits &= bits - 1
        total += price
        # the bits of a place below the highest one, where the price is not below the highest so far
        higher = ((price | PURSE_GUARD) - most) & PURSE_GUARD
        higher -= higher >> (PURSE_BITS - 1)
        most = price & higher | most & ~higher
    return most, total


@rule
def in_purse(word, good):
    """Return how many of a good are in a purse."""
    return word >> (PURSE_BITS * good) & ((1 << PURSE_BITS) - 1)


@rare
def set_worth(state, tables, seat, held):
    """Return what a number of treasures is worth to a seat, by the set that they may become."""
    wanted = tables["set_treasures"]
    share = 1.0 if held >= wanted else 0.4 * held / max(1, wanted - 1)
    if carries_set(state, tables, seat):
        return share * tables["set_points"]
    return 0.3 * share * tables["set_points"]


@rare
def treasure_gain(state, tables, weights, me, other, treasure):
    """Return what it is worth to the team to move a treasure."""
    held = pop(state["treasures"][me])
    theirs = pop(state["treasures"][other])
    gain = set_worth(state, tables, other, theirs + 1) - set_worth(state, tables, other, theirs)
    loss = set_worth(state, tables, me, held) - set_worth(state, tables, me, held - 1)
    if weights[Team.ROLE] > 1.0:
        word = tables["treasure_symbols"][treasure]
        fit = 0.2 * (weights[Team.ROLE] - 1.0) * (symbols(word, _COMBAT) + symbols(word, _HEARTS))
        if roles_of(state["players"], other) & _FIGHTER != 0:
            gain += fit
        if roles_of(state["players"], me) & _FIGHTER != 0:
            loss += fit
    return weights[Team.GIVE] * gain - loss


@rare
def best_gift(state, tables, weights, memo, me, legal):
    """Return the choice of GIVE that gains most for the team, 0 for none.

    legal: choices of GIVE. Something is kept unless giving it is clearly better, so that nothing
    goes to and fro.
    """
    best = 0.05
    choice = 0
    mates = state["players"] - 1
    fade = min(1.0, turns_left(memo) / max(0.1, weights[Weight.FADE]))
    highest, total = prices_of(state, tables, me)
    offered = 0  # goods that somebody can be given, as bits
    for mate in range(mates):
        offered |= legal >> (1 + GIFTS * mate)
    offered &= (1 << GOODS) - 1
    while offered != 0:
        good = lowest(offered)
        offered &= offered - 1
        held = state["goods"][me, good]
        if held > 0:
            own = -1.0
            for mate in range(mates):
                if legal >> (1 + GIFTS * mate + good) & 1 != 0:
                    if own < 0.0:
                        # what is kept for the artifacts of the own hand
                        most = in_purse(highest, good)
                        more = in_purse(total, good) - most
                        if held <= most + weights[Team.RESERVE] * more:
                            break
                        own = use_of(state, tables, weights, fade, me, good, held - 1)
                    other = seat_after(state, me, mate + 1)
                    theirs = state["goods"][other, good]
                    gain = weights[Team.GIVE] * use_of(
                        state, tables, weights, fade, other, good, theirs
                    )
                    if gain - own > best:
                        best = gain - own
                        choice = 1 + GIFTS * mate + good
    if state["treasures"][me] != 0:
        for mate in range(mates):
            other = seat_after(state, me, mate + 1)
            for place in range(GIFT_TREASURES):
                option = 1 + GIFTS * mate + GIFT_TREASURE + place
                if legal >> option & 1 != 0:
                    treasure = nth(state["treasures"][me], place)
                    gain = treasure_gain(state, tables, weights, me, other, treasure)
                    if gain > best:
                        best = gain
                        choice = option
                    if weights[Team.ROLE] <= 1.0:
                        break  # without roles it does not matter which it is
    return choice
