"""Bosses of the cooperative mode (Amber Mines, "Module: Cooperative Mode"; rule 56, A-6, A-7).

They are fought like threats. How one meets them is not said: on a space of their own, where the
movement ends, or on the roads with a threat symbol once the last threat is gone.
"""

from __future__ import annotations

import numpy as np

from sim.choices import lowest
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import power, put_camp
from sim.near_and_far.rolls import open_roll
from sim.near_and_far.state import (
    MAX_BOSSES,
    CampKind,
    Event,
    RollKind,
    Symbol,
    Tally,
)

_COMBAT = np.int64(Symbol.COMBAT)
_BOSS_ROLL = np.int64(RollKind.BOSS)
_BOSS_CAMP = np.int64(CampKind.BOSS)
_FIGHTS = np.int64(Tally.BOSS_FIGHTS)
_BEATEN = np.int64(Tally.BOSSES_BEATEN)


@rule
def boss_in_way(state, tables):
    """Say whether a boss stands in the place of the threats, once those are gone (A-7)."""
    return tables["bosses_as_threats"] != 0 and state["bosses_left"] != 0


@rare
def boss_here(state, tables, seat):
    """Return 1 + the boss that can be fought where a figure's movement ended, 0 for none (A-7)."""
    if tables["bosses_as_threats"] == 0:
        for boss in range(MAX_BOSSES):
            if (
                state["bosses_left"] >> boss & 1 != 0
                and tables["boss_space"][boss] == state["space"][seat]
            ):
                return 1 + boss
    return 0


@rare
def open_boss(state, tables, seat, boss):
    """Fight a boss as one fights a threat: a die, swords of party and cards, hearts."""
    state["boss_now"] = 1 + boss
    state["tally"][seat, _FIGHTS] += 1
    emit(Event.BOSS_FIGHT, seat, boss, 0, 0)
    level = tables["boss_level"][boss]
    open_roll(state, tables, _BOSS_ROLL, seat, _COMBAT, power(state, seat, _COMBAT), level, 0)


@rare
def open_next_boss(state, tables, seat):
    """Fight the boss that stands in the place of the threats; they come in their order."""
    open_boss(state, tables, seat, lowest(state["bosses_left"]))


@rare
def close_boss(state, tables, seat):
    """After the roll: a camp goes on a beaten boss, who has no points of its own (rule 56, A-39).

    It is beaten as well if no camp is left to place (A-38). A lost fight costs nothing more.
    """
    boss = state["boss_now"] - 1
    state["boss_now"] = 0
    if state["success"] == 0:
        emit(Event.BOSS_LOST, seat, boss, 0, 0)
        return
    emit(Event.BOSS_BEATEN, seat, boss, 0, 0)
    state["bosses_left"] &= ~(1 << boss)
    state["boss_owner"][boss] = 1 + seat
    state["tally"][seat, _BEATEN] += 1
    if put_camp(state, tables, seat, _BOSS_CAMP, boss) != 0:
        state["boss_camps"][seat] += 1
