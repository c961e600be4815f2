"""Rewards: what quests, threats, mines give."""

from __future__ import annotations

import numpy as np

from sim.events import emit
from sim.jit import rare
from sim.near_and_far.basics import gain, gain_hearts, reputation_by
from sim.near_and_far.magic import move_magic
from sim.near_and_far.state import GOODS, Event, Reward

_REPUTATION = np.int64(Reward.REPUTATION)
_JOURNEY = np.int64(Reward.JOURNEY)
_TREASURE = np.int64(Reward.TREASURE)
_MAGIC = np.int64(Reward.MAGIC)
_HEARTS = np.int64(Reward.HEARTS)


@rare
def give(state, tables, seat, row):
    """Give a seat a reward; treasures and spells become due.

    row: amounts by Reward, (REWARDS,). Reputation cannot be refused (rule 44, NF-T12).
    """
    for good in range(GOODS):
        if row[good] != 0:
            gain(state, seat, good, row[good])
    if row[_REPUTATION] != 0:
        reputation_by(state, tables, seat, row[_REPUTATION])
    if row[_JOURNEY] != 0:
        state["journey"][seat] += row[_JOURNEY]
        state["running"][seat] += row[_JOURNEY]
        emit(Event.GAINED, seat, _JOURNEY, row[_JOURNEY], state["journey"][seat])
    state["treasures_due"] += row[_TREASURE]
    if row[_MAGIC] != 0:
        move_magic(state, tables, seat, row[_MAGIC])
    if row[_HEARTS] != 0:
        gain_hearts(state, tables, seat, row[_HEARTS])
