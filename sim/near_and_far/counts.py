"""What is counted while a game is played, for the questions asked of many."""

from __future__ import annotations

from sim.jit import rare
from sim.near_and_far.state import MINE_DEPTHS, MINE_WANTED


@rare
def note_lead(state, tables):
    """Note who leads after a turn, and by how much when the first tents are a quarter gone.

    Points that are certain count: camps, artifacts, threats, rewards. Of equals the leader stays.
    """
    leader = state["leader"]
    best = leader
    fewest = tables["tents"]
    for seat in range(state["players"]):
        fewest = min(fewest, state["tents"][seat])
        if best < 0 or state["running"][seat] > state["running"][best]:
            best = seat
    if best != leader:
        if leader >= 0:
            state["lead_changes"] += 1
        state["leader"] = best
    quarter = state["quarter"]
    while quarter < 3 and 4 * fewest <= (3 - quarter) * tables["tents"]:
        second = -(1 << 30)
        for seat in range(state["players"]):
            if seat != best:
                second = max(second, state["running"][seat])
        state["leader_at"][quarter] = best
        state["lead_at"][quarter] = max(0, state["running"][best] - second)
        quarter += 1
        state["quarter"] = quarter


@rare
def note_mine(state, backstage):
    """Count a roll in the mine: by how deep the visit is, the die it takes, and how it went."""
    depth = min(MINE_DEPTHS, state["mine_depth"]) - 1
    wanted = min(MINE_WANTED, max(1, state["roll_need"] - state["roll_base"])) - 1
    stayed = 1 if state["success"] != 0 else 0
    backstage["mine"][backstage["replicate"], max(0, depth), wanted, stayed] += 1


@rare
def note_visit(state, backstage, camped):
    """Count the end of a visit to the mine: by how many cards were entered, and a camp or none."""
    depth = min(MINE_DEPTHS, state["mine_depth"])
    backstage["visits"][backstage["replicate"], depth, camped] += 1


@rare
def note_quest(state, backstage, seat):
    """Count a quest that was tried: by its space and the way, and how it went."""
    way = state["quest_way"] - 1
    space = state["space"][seat]
    backstage["quests"][backstage["replicate"], space, way, state["success"]] += 1


@rare
def note_tokens(state, tables, backstage):
    """Count the spaces where quest tokens were laid."""
    for space in range(tables["spaces"]):
        backstage["tokens"][backstage["replicate"], space] += state["tokens"] >> space & 1


@rare
def note_threat(state, backstage, seat):
    """Count a fight with a threat: by the threat's place in the stack, and how it went."""
    slot = backstage["slots"][seat]
    won = 1 if state["success"] != 0 else 0
    backstage["fights"][backstage["replicate"], slot, state["threat"], won] += 1
