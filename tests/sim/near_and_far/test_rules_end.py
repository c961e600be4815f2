"""When a game ends, and who wins (A-1, A-33, A-38)."""

from __future__ import annotations

from typing import Any

import pytest

from sim.near_and_far.basics import put_camp
from sim.near_and_far.counts import note_lead
from sim.near_and_far.state import CampKind, EndTrigger, Prompt, Status, Step, Tally
from tests.sim.near_and_far.sheet import Sheet

pytestmark = pytest.mark.kernel


def ending(active: int, **numbers: Any) -> Sheet:
    """Return a game of three in which the end was triggered in a seat's turn."""
    sheet = Sheet(players=3, **numbers)
    sheet.state["ending"] = 1 + EndTrigger.CAMPS
    sheet.at(Step.NEXT_TURN, seat=active)
    return sheet


@pytest.mark.parametrize("active", [0, 1])
def test_the_round_is_finished(active: int) -> None:
    """Everybody has the same number of turns (A-1)."""
    sheet = ending(active)
    assert sheet.prompt == Prompt.TURN
    assert sheet.seat == active + 1


def test_the_last_seat_ends_the_game() -> None:
    sheet = ending(2)
    assert sheet.over
    assert int(sheet.state["status"]) == Status.WON


def test_the_last_seat_is_the_one_before_the_first() -> None:
    sheet = Sheet(players=3)
    sheet.state["first_seat"] = 2
    sheet.state["ending"] = 1 + EndTrigger.QUESTS
    assert sheet.at(Step.NEXT_TURN, seat=2) == Prompt.TURN
    assert sheet.at(Step.NEXT_TURN, seat=1) == Prompt.GAME_OVER


def test_or_the_game_ends_with_the_turn() -> None:
    """The other reading of A-1."""
    assert ending(0, finish_round=0).over


@pytest.mark.parametrize(
    ("trigger", "ends"), [(EndTrigger.QUESTS, 0), (EndTrigger.CAMPS, 2), (EndTrigger.EITHER, 2)]
)
def test_the_last_camp(trigger: EndTrigger, ends: int) -> None:
    sheet = Sheet(end_trigger=trigger)
    sheet.state["tents"][0] = 2
    parameters = "state tables seat kind where"
    assert sheet.call(put_camp, parameters, 0, int(CampKind.MAP), 1) == 1
    assert int(sheet.state["ending"]) == 0
    assert sheet.call(put_camp, parameters, 0, int(CampKind.MAP), 2) == 1
    assert int(sheet.state["ending"]) == ends
    assert sheet.call(put_camp, parameters, 0, int(CampKind.MAP), 3) == 0
    assert int(sheet.state["tents"][0]) == 0
    assert int(sheet.state["ended_by"]) == (1 if ends else 0)


def test_the_first_trigger_counts() -> None:
    """Who ended the game is whoever reached its end first."""
    sheet = Sheet(players=3)
    sheet.state["tents"][:3] = 1
    for seat in (1, 0):
        sheet.call(put_camp, "state tables seat kind where", seat, int(CampKind.MAP), 1)
    assert int(sheet.state["ended_by"]) == 2


def test_a_stalled_game_is_stopped() -> None:
    sheet = Sheet(turn_cap=3)
    sheet.state["turn"] = 3
    assert sheet.at(Step.TURN_START) == Prompt.GAME_OVER
    assert int(sheet.state["status"]) == Status.CAPPED
    assert int(sheet.state["winner"]) == -1


@pytest.mark.parametrize(("shared", "winners"), [(1, 0b110), (0, 0b100)])
def test_a_tie_is_shared(shared: int, winners: int) -> None:
    """A-33; otherwise the seat that plays earlier in the round has it."""
    sheet = Sheet(players=3, shared_win=shared)
    sheet.state["first_seat"] = 2
    sheet.state["journey"][:3] = (4, 7, 7)
    sheet.state["ending"] = 1
    sheet.at(Step.NEXT_TURN, seat=1)
    assert sheet.over
    assert int(sheet.state["winners"]) == winners
    assert int(sheet.state["winner"]) == 2
    assert list(sheet.state["total"][:3]) == [4, 7, 7]


def test_who_leads_is_noted() -> None:
    """Of equals the leader stays; a quarter is passed when the first player's camps are."""
    sheet = Sheet(players=3)
    state = sheet.state
    state["running"][:3] = (2, 5, 5)
    sheet.call(note_lead, "state tables")
    assert int(state["leader"]) == 1
    assert int(state["quarter"]) == 0
    state["running"][:3] = (2, 5, 9)
    state["tents"][0] = 10  # four of fourteen are placed
    sheet.call(note_lead, "state tables")
    assert int(state["leader"]) == 2
    assert int(state["lead_changes"]) == 1
    assert int(state["quarter"]) == 1
    assert list(state["leader_at"]) == [2, -1, -1]
    assert int(state["lead_at"][0]) == 4


def test_every_turn_is_counted() -> None:
    sheet = Sheet(players=3)
    sheet.at(Step.NEXT_TURN, seat=0)
    assert sheet.seat == 1
    assert int(sheet.state["tally"][1, Tally.TURNS]) == 1
