"""Minions of the cooperative mode (Amber Mines, "Module: Minion Cards"; rules 62 to 65)."""

from __future__ import annotations

import numpy as np

from sim.choices import is_open, lowest, seat_after
from sim.events import emit
from sim.jit import rare
from sim.near_and_far.basics import gain, pick_card, pop, power, reputation_by, treasure_room
from sim.near_and_far.rewards import give
from sim.near_and_far.rolls import open_roll
from sim.near_and_far.state import (
    MAX_MINIONS,
    Effect,
    Event,
    Good,
    Place,
    Prompt,
    RollKind,
    Step,
    Stream,
    Symbol,
    Tally,
)

_JAIL = np.int64(Place.JAIL)
_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_SKILL = np.int64(Symbol.SKILL)
_COMBAT = np.int64(Symbol.COMBAT)
_MINIONS = np.int64(Stream.MINIONS)
_MINION_ROLL = np.int64(RollKind.MINION)
_FIGHTS = np.int64(Tally.MINION_FIGHTS)
_COVERED = np.int64(Tally.MINIONS_COVERED)
_BEATEN = np.int64(Tally.MINIONS_BEATEN)
_REMOVE_CAMP = np.int64(Effect.REMOVE_CAMP)
_DISCARD_TREASURE = np.int64(Effect.DISCARD_TREASURE)
_LOSE_FOOD = np.int64(Effect.LOSE_FOOD)
_DISCARD_ARTIFACT = np.int64(Effect.DISCARD_ARTIFACT)
_LOSE_REPUTATION = np.int64(Effect.LOSE_REPUTATION)
_REMOVE_THREAT = np.int64(Effect.REMOVE_THREAT)
_BIRD_COINS = np.int64(Effect.BIRD_COINS)
_ASK_TURN = np.int64(Step.ASK_TURN)
_BOTH = 3  # covered with skill and with swords
_ASKED = np.int64(-1)  # somebody has to decide


# --- what they do ---------------------------------------------------------------------------------


@rare
def standing(state, tables, effect):
    """Return how strong an effect of minions is that lasts as long as they stand in town."""
    amount = 0
    bits = state["minions_in_town"]
    while bits != 0:
        minion = lowest(bits)
        bits &= bits - 1
        if tables["minion_effect"][minion] == effect:
            amount += tables["minion_amount"][minion]
    return amount


@rare
def draw_minion(state, tables, backstage):
    """Put the next minion on its building; all in town act, the new one first (rule 62, NF-T10).

    Where none is left to draw those in town act all the same. The others follow in the order of
    their list, which is that of the buildings.
    """
    for minion in range(MAX_MINIONS):
        if (
            state["minions_in_town"] >> minion & 1 != 0
            and tables["minion_effect"][minion] < _BIRD_COINS
        ):
            state["minions_due"] |= 1 << minion
    if state["minion_deck"] == 0:
        return
    minion = pick_card(backstage, _MINIONS, 0, state["minion_deck"])
    state["minion_deck"] &= ~(1 << minion)
    state["minions_in_town"] |= 1 << minion
    state["minions_drawn"] += 1
    emit(Event.MINION_CAME, -1, minion, 0, 0)
    if tables["minion_effect"][minion] < _BIRD_COINS:
        begin_acting(state, minion)


@rare
def begin_acting(state, minion):
    """Let a minion act: on everybody in turn from the first player on, or on the board."""
    state["minion_acts"] = 1 + minion
    state["due_place"] = 0
    state["due_done"] = 0
    emit(Event.MINION_ACTS, -1, minion, 0, 0)


@rare
def mine_camps_of_all(state):
    """Return the mine cards that have a camp, as bits."""
    found = 0
    for seat in range(state["players"]):
        found |= state["mine_own"][seat]
    return found


@rare
def remove_mine_camp(state, tables, card):
    """Give a camp of the mine back to its owner (A-23); its points are gone, its number is back."""
    owner = state["mine_camp"][card] - 1
    if state["tents"][owner] == 0:
        state["running"][owner] -= tables["all_camps_points"]
    state["mine_camp"][card] = 0
    state["mine_own"][owner] &= ~(1 << card)
    state["mine_camps"][owner] -= 1
    state["tents"][owner] += 1
    state["running"][owner] -= tables["camp_points"]
    emit(Event.CAMP_REMOVED, owner, card, state["tents"][owner], 0)


@rare
def remove_threat(state, tables):
    """Take the threat on top away; nobody gets it."""
    threat = state["threat"]
    if threat < tables["threats"]:
        state["threat"] = threat + 1
        state["threats_removed"] += 1
        emit(Event.THREAT_REMOVED, -1, threat, 0, 0)


@rare
def suffer(state, tables, seat, effect, amount):
    """Do to one player what needs no choice; return what can be given up where it does.

    Treasures that no longer fit once one is gone have to go as well (A-44).
    """
    if effect == _LOSE_FOOD:
        food = min(amount, state["goods"][seat, _FOOD])
        if food > 0:
            gain(state, seat, _FOOD, -food)
    elif effect == _LOSE_REPUTATION:
        reputation_by(state, tables, seat, -amount)
    elif effect == _DISCARD_ARTIFACT:
        if state["due_done"] == 0:
            return state["hand"][seat] << 1
    elif effect == _DISCARD_TREASURE:
        held = pop(state["treasures"][seat])
        if state["due_done"] == 0 or held > treasure_room(state, tables, seat):
            return ((1 << held) - 1) << 1
    return 0


@rare
def go_on_acting(state, tables):
    """Let the minions that are due act until somebody must choose; return the next step.

    Returns -1 where a prompt is open. A choice that need not be asked is left in `legal`: the
    step that acts on it is returned, and the lowest choice is to be taken.
    """
    while True:
        minion = state["minion_acts"] - 1
        if minion < 0:
            if state["minions_due"] == 0:
                return _ASK_TURN
            minion = lowest(state["minions_due"])
            state["minions_due"] &= ~(1 << minion)
            begin_acting(state, minion)
        effect = tables["minion_effect"][minion]
        legal = 0
        prompt = np.int64(Prompt.TREASURE)
        step = np.int64(Step.DUE_TREASURE)
        seat = seat_after(state, state["first_seat"], state["due_place"] % state["players"])
        if effect == _REMOVE_THREAT:
            remove_threat(state, tables)
            state["minion_acts"] = 0
        elif effect == _REMOVE_CAMP:
            legal = mine_camps_of_all(state) << 1
            prompt = np.int64(Prompt.REMOVE_CAMP)
            step = np.int64(Step.DUE_CAMP)
            if legal == 0:
                state["minion_acts"] = 0
        elif state["due_place"] == state["players"]:
            state["minion_acts"] = 0
        else:
            legal = suffer(state, tables, seat, effect, tables["minion_amount"][minion])
            if effect == _DISCARD_ARTIFACT:
                prompt = np.int64(Prompt.DISCARD)
                step = np.int64(Step.DUE_DISCARD)
            if legal == 0:
                state["due_place"] += 1
                state["due_done"] = 0
        if legal != 0:
            state["seat"] = seat
            state["step"] = step
            if is_open(state, seat, prompt, legal):
                return _ASKED
            return step


# --- fights ---------------------------------------------------------------------------------------


@rare
def minion_at(state, tables, building, place):
    """Return the place-th minion of a building, -1 if there are fewer."""
    bits = state["minions_in_town"]
    while bits != 0:
        minion = lowest(bits)
        bits &= bits - 1
        if tables["minion_place"][minion] == building:
            if place == 0:
                return minion
            place -= 1
    return -1


@rare
def minion_choices(state, tables, building):
    """Return which minions of a building can be fought and how, as bits of MINION (rules 63, 64).

    A kind that is covered cannot be used again (A-45), and the other one not in the same turn.
    """
    legal = 1
    if state["minions_in_town"] == 0:
        return legal
    for place in range(MAX_MINIONS):
        minion = minion_at(state, tables, building, place)
        if minion < 0:
            return legal
        covered = state["minion_covered"][minion]
        if covered == 0 or state["minion_turn"][minion] != state["turn"]:
            legal |= (~covered & _BOTH) << (1 + 2 * place)
    return legal


@rare
def open_minion(state, tables, seat, choice):
    """Fight a minion of the building in the way that was chosen; a roll as for quests (rule 63)."""
    minion = minion_at(state, tables, state["building"], (choice - 1) >> 1)
    swords = (choice - 1) & 1
    state["minion_now"] = 1 + minion
    state["minion_swords"] = swords
    state["reserve"] = 0
    state["tally"][seat, _FIGHTS] += 1
    emit(Event.MINION_FIGHT, seat, minion, swords, 0)
    symbol = _COMBAT if swords != 0 else _SKILL
    need = tables["minion_need"][minion, swords]
    open_roll(state, tables, _MINION_ROLL, seat, symbol, power(state, seat, symbol), need, 0)


@rare
def close_minion(state, tables, seat):
    """After the roll; say whether the player may visit the building (rules 63 and 64).

    A success covers the kind with a coin. With both covered the minion goes, and whoever did the
    second gets both coins and the reward. A failure leads to Jail.
    """
    minion = state["minion_now"] - 1
    state["minion_now"] = 0
    if state["success"] == 0:
        state["place"][seat] = _JAIL
        emit(Event.JAILED, seat, 0, 0, 0)
        return False
    swords = state["minion_swords"]
    state["tally"][seat, _COVERED] += 1
    emit(Event.MINION_COVERED, seat, minion, swords, 0)
    state["minion_covered"][minion] |= 1 << swords
    if state["minion_covered"][minion] != _BOTH:
        state["minion_turn"][minion] = state["turn"]
        return True
    state["minions_in_town"] &= ~(1 << minion)
    state["minions_beaten"] += 1
    state["tally"][seat, _BEATEN] += 1
    emit(Event.MINION_BEATEN, seat, minion, 0, 0)
    if tables["minion_coins"] > 0:
        gain(state, seat, _COIN, 2 * tables["minion_coins"])
    give(state, tables, seat, tables["minion_reward"][minion])
    return True
