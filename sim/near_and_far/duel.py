"""Occupied buildings and duels ("Duelling")."""

from __future__ import annotations

import numpy as np

from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import power, reputation_by
from sim.near_and_far.rolls import open_roll
from sim.near_and_far.state import (
    DUMMY,
    MAX_SEATS,
    NO_DUEL,
    Ability,
    Event,
    Place,
    RollKind,
    Symbol,
    Tally,
)

_SALOON = np.int64(Place.SALOON)
_JAIL = np.int64(Place.JAIL)
_MINE = np.int64(Place.MINE)
_COMBAT = np.int64(Symbol.COMBAT)
_DEFENCE = np.int64(RollKind.DEFENCE)
_DUEL = np.int64(RollKind.DUEL)
_BADGE = np.int64(Ability.SHERIFF_BADGE)
_DUELS = np.int64(Tally.DUELS)
_DUELS_WON = np.int64(Tally.DUELS_WON)
_DISHONEST = np.int64(Tally.DISHONEST)
_DISHONEST_WON = np.int64(Tally.DUELS_DISHONEST_WON)
_DEFENCES = np.int64(Tally.DEFENCES)
_DEFENCES_WON = np.int64(Tally.DEFENCES_WON)


@rare
def occupants(state, tables, seat, building):
    """Return bits of who else stands in a building: seats, and DUMMY for the unused figure.

    With two players an unused figure stands in the Town Hall for good (Setup 11, A-22). In the
    Saloon nobody is in the way; nor in cooperative games, unless duels are fought by choice there.
    """
    if building == _SALOON or (tables["coop"] != 0 and tables["coop_duels"] == 0):
        return 0
    found = 0
    for other in range(state["players"]):
        if other != seat and state["place"][other] == building:
            found |= 1 << other
    if state["players"] == 2 and tables["dummy"] == building:
        found |= 1 << DUMMY
    return found


@rare
def duel_choices(state, tables, seat, building):
    """Return whom a seat can challenge for a building, and how; 0 if it cannot at all.

    In a cooperative game it can also share the building (rule 60).
    """
    found = occupants(state, tables, seat, building)
    forbidden = tables["forbid_duels"][seat]
    ways = (1 if forbidden & 1 == 0 else 0) | (2 if forbidden & 2 == 0 else 0)
    legal = 0
    for opponent in range(MAX_SEATS + 1):
        if found >> opponent & 1 != 0:
            legal |= ways << (2 * opponent)
    if tables["coop"] != 0:
        legal |= 1 << NO_DUEL
    return legal


@rare
def building_choices(state, tables, seat):
    """Return the buildings a seat can visit now, as bits of Place ("Visit the town").

    Never the one it stands in (rule 3); an occupied one only by a duel.
    """
    legal = 0
    here = state["place"][seat]
    forbidden = tables["forbid_places"][seat]
    taken = occupied_places(state, tables, seat)
    for building in range(1, _MINE + 1):
        if (
            building != here
            and forbidden >> building & 1 == 0
            and (taken >> building & 1 == 0 or tables["forbid_duels"][seat] != 3)
        ):
            legal |= 1 << building
    return legal


@rare
def occupied_places(state, tables, seat):
    """Return bits of the buildings where somebody is in the way."""
    if tables["coop"] != 0:
        return 0
    taken = 0
    for other in range(state["players"]):
        if other != seat:
            taken |= 1 << state["place"][other]
    if state["players"] == 2:
        taken |= 1 << tables["dummy"]
    return taken & ~(1 << _SALOON)


@rule
def badge(state, tables, seat):
    """Return the bonus of a Sheriff Badge; it counts for either side (rule 49, A-48)."""
    return tables["badge_bonus"] if state["abilities"][seat] & _BADGE != 0 else 0


@rare
def open_duel(state, tables, seat, choice):
    """Challenge somebody honestly or not (rule 9); the defender rolls first.

    Both dice fall before the challenger spends hearts (A-41), so who rolls first changes nothing.
    The unused figure rolls a die and adds nothing (A-22).
    """
    opponent = choice >> 1
    dishonest = choice & 1
    state["opponent"] = opponent
    state["dishonest"] = dishonest
    state["tally"][seat, _DUELS] += 1
    state["tally"][seat, _DISHONEST] += dishonest
    emit(Event.DUEL, seat, opponent, dishonest, 0)
    if opponent == DUMMY:
        open_roll(state, tables, _DEFENCE, seat, _COMBAT, 0, 0, 0)
        return
    state["tally"][opponent, _DEFENCES] += 1
    base = power(state, opponent, _COMBAT) + badge(state, tables, opponent)
    open_roll(state, tables, _DEFENCE, opponent, _COMBAT, base, 0, 0)


@rare
def close_defence(state, tables, seat):
    """Let the challenger roll against the defender's total; a tie is the defender's (rule 11)."""
    state["defence"] = state["rolled"]
    base = power(state, seat, _COMBAT) + badge(state, tables, seat)
    if state["dishonest"] != 0:
        base += tables["dishonest_bonus"]
    open_roll(state, tables, _DUEL, seat, _COMBAT, base, state["defence"] + 1, 0)


@rare
def close_duel(state, tables, seat):
    """End a duel; say whether the challenger may act in the building (rules 9, 11).

    Who wins honestly gains reputation, who cheats loses some. Who loses goes to Jail. A beaten
    defender stays (A-47).
    """
    won = state["success"] != 0
    dishonest = state["dishonest"]
    emit(Event.DUEL_WON, seat, state["rolled"], state["defence"], won)
    if won:
        state["tally"][seat, _DUELS_WON] += 1
        state["tally"][seat, _DISHONEST_WON] += dishonest
        if dishonest != 0:
            reputation_by(state, tables, seat, tables["dishonest_reputation"])
        else:
            reputation_by(state, tables, seat, tables["honest_reputation"])
        return True
    if state["opponent"] != DUMMY:
        state["tally"][state["opponent"], _DEFENCES_WON] += 1
    state["place"][seat] = _JAIL
    emit(Event.JAILED, seat, 0, 0, 0)
    return False
