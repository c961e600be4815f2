"""Occupied buildings and duels (rules 9 to 11, 49, A-22, A-41, A-47)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sim.near_and_far.state import (
    DUMMY,
    Ability,
    Place,
    Prompt,
    Spell,
    Step,
    Stream,
    Tally,
    Turn,
)
from tests.contract import FIRST_DEAL
from tests.oracles import Luck
from tests.sim.near_and_far.sheet import SEED, Sheet, word

pytestmark = pytest.mark.kernel


@cache
def deal_with(turn: int, defence: int, attack: int) -> int:
    """Return a deal in which the first roll of a turn is the defender's, the second the other's."""
    luck = Luck(SEED)
    return next(
        deal
        for deal in range(10_000)
        if luck.die(deal, Stream.DEFENCE, turn << 8, 6) == defence
        and luck.die(deal, Stream.ROLL, turn << 8 | 1, 6) == attack
    )


def duel(defence: int, attack: int, **numbers: Any) -> Sheet:
    """Return a game in which seat 1 is at the Farm, with the dice of the first duel."""
    sheet = Sheet(honest_reputation=1, dishonest_reputation=-1, dishonest_bonus=1, **numbers)
    sheet.state["place"][:2] = (Place.SALOON, Place.FARM)
    turn = int(sheet.state["turn"])
    sheet.backstage["base"] = deal_with(turn, defence, attack) << FIRST_DEAL
    return sheet


def challenge(sheet: Sheet, *, dishonest: bool = False, place: Place = Place.FARM) -> int:
    """Let seat 0 visit the building and challenge whoever is there."""
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN
    assert sheet.choose(place) == Prompt.DUEL
    return sheet.choose(sheet.legal[dishonest])


def swords(sheet: Sheet, *numbers: int) -> None:
    """Give seats swords in their parties."""
    for seat, number in enumerate(numbers):
        sheet.party(seat, combat=number, skill=1)


def test_who_can_be_challenged() -> None:
    sheet = duel(1, 1)
    sheet.at(Step.ASK_TURN)
    sheet.choose(Place.FARM)
    assert sheet.legal == [2, 3]  # seat 1, honestly or not


def test_a_free_building_needs_no_duel() -> None:
    sheet = duel(1, 1)
    sheet.at(Step.ASK_TURN)
    assert sheet.choose(Place.STABLES) != Prompt.DUEL
    assert sheet.of("place") == Place.STABLES


def test_equal_totals() -> None:
    """NF-T23: the challenger loses, goes to Jail, and its reputation stays."""
    sheet = duel(4, 4)
    swords(sheet, 2, 2)
    challenge(sheet)
    assert sheet.of("place") == Place.JAIL
    assert sheet.of("reputation") == 0
    assert sheet.good("food") == 0
    assert int(sheet.state["tally"][0, Tally.DUELS_WON]) == 0
    assert int(sheet.state["tally"][1, Tally.DEFENCES_WON]) == 1


def test_a_dishonest_challenger_wins() -> None:
    """NF-T24: 3 + 1 + 2 swords against 3 + 2: wins 6 to 5, reputation one down."""
    sheet = duel(3, 3)
    swords(sheet, 2, 2)
    challenge(sheet, dishonest=True)
    assert int(sheet.state["rolled"]) == 6
    assert int(sheet.state["defence"]) == 5
    assert sheet.of("reputation") == -1
    assert sheet.of("place") == Place.FARM
    assert sheet.good("food") == 1  # the building's action


def test_an_honest_challenger_wins() -> None:
    sheet = duel(3, 4)
    swords(sheet, 1, 1)
    challenge(sheet)
    assert sheet.of("reputation") == 1
    assert sheet.of("place") == Place.FARM
    assert sheet.of("place", 1) == Place.FARM  # the beaten defender stays


def test_bought_cards_count() -> None:
    """Swords of artifacts and treasures on both sides (rule 10)."""
    sheet = duel(1, 1)
    swords(sheet, 0, 3)
    sheet.state["card_symbols"][0] = word(combat=4)
    challenge(sheet)
    assert sheet.of("place") == Place.FARM


def test_only_the_challenger_spends_hearts() -> None:
    """Rule 10, A-41: once both dice are seen."""
    sheet = duel(3, 2)
    swords(sheet, 0, 0)
    sheet.state["hearts"][:2] = 5
    assert challenge(sheet) == Prompt.AFTER_ROLL
    assert sheet.seat == 0
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.of("hearts") == 3  # 2 + 2 beats 3
    assert sheet.of("hearts", 1) == 5
    assert sheet.of("place") == Place.FARM


@pytest.mark.parametrize("seat", [0, 1])
def test_a_sheriff_badge_works_for_either_side(seat: int) -> None:
    """Rule 49, A-48: also for who asks for the duel."""
    sheet = duel(3, 3, badge_bonus=1)
    swords(sheet, 0, 0)
    sheet.state["abilities"][seat] = Ability.SHERIFF_BADGE
    if seat == 1:
        sheet.state["hearts"][0] = 1  # 3 + 1 would beat 3, but not 4
    challenge(sheet)
    assert (sheet.of("place") == Place.FARM) == (seat == 0)


def test_the_unused_figure_in_the_town_hall() -> None:
    """Setup 11, A-22: with two players it stands there for good, and adds nothing to its die."""
    sheet = duel(3, 4, dummy=Place.TOWN_HALL)
    sheet.give(coin=1)
    sheet.at(Step.ASK_TURN)
    assert sheet.choose(Place.TOWN_HALL) == Prompt.DUEL
    assert sheet.legal == [2 * DUMMY, 2 * DUMMY + 1]
    assert sheet.choose(2 * DUMMY) == Prompt.TOWN_HALL
    assert int(sheet.state["defence"]) == 3
    assert sheet.of("reputation") == 1


def test_the_unused_figure_has_none_of_the_challengers_things() -> None:
    """Its die is an ordinary one: no expert die, no Illusion (A-22)."""
    sheet = duel(2, 4, dummy=Place.TOWN_HALL)
    sheet.give(food=1, coin=1)
    sheet.state["expert"][0] = 1
    sheet.spells(Spell.ILLUSION)
    sheet.at(Step.ASK_TURN)
    sheet.choose(Place.TOWN_HALL)
    assert sheet.choose(2 * DUMMY) == Prompt.BEFORE_ROLL  # the challenger's own roll
    assert int(sheet.state["defence"]) == 2
    assert sheet.good("food") == 1
    assert int(sheet.backstage["faces"][0, 0, 0, 2]) == 1


def test_three_players_leave_no_figure_unused() -> None:
    sheet = duel(3, 4, dummy=Place.TOWN_HALL, players=3)
    sheet.give(coin=1)
    sheet.state["place"][2] = Place.SALOON
    sheet.at(Step.ASK_TURN)
    assert sheet.choose(Place.TOWN_HALL) == Prompt.TOWN_HALL


def test_the_expert_die_of_a_defender() -> None:
    """Rule 48: whoever must roll rolls it; a defender may pay to roll a 2 again."""
    sheet = duel(2, 3)  # the second face of an expert die is the 2 that may be rolled again
    sheet.party(0, combat=0, skill=1)
    sheet.party(1, combat=0)
    sheet.state["expert"][1] = 1
    sheet.give(1, food=1)
    assert challenge(sheet) == Prompt.REROLL
    assert sheet.seat == 1
    sheet.choose(0)
    assert int(sheet.state["defence"]) == 2
    assert sheet.of("place") == Place.FARM
    assert sheet.good("food", 1) == 1


@pytest.mark.parametrize(("forbidden", "legal"), [(1, [3]), (2, [2])])
def test_a_kind_of_duel_can_be_forbidden(forbidden: int, legal: list[int]) -> None:
    """The intervention `forbid_duels`: bit 0 honest ones, bit 1 dishonest ones."""
    sheet = duel(3, 4, forbid_duels=(forbidden, 0, 0, 0))
    swords(sheet, 0, 0)
    sheet.at(Step.ASK_TURN)
    sheet.choose(Place.FARM)
    assert int(sheet.state["dishonest"]) == legal[0] & 1
    assert int(sheet.state["tally"][0, Tally.DUELS]) == 1


def test_without_duels_an_occupied_building_is_out_of_reach() -> None:
    sheet = duel(3, 4, forbid_duels=(3, 0, 0, 0))
    sheet.at(Step.ASK_TURN)
    assert Place.FARM not in sheet.legal
    assert Turn.ADVENTURE in sheet.legal
    assert Place.STABLES in sheet.legal
    sheet.state["place"][:2] = (Place.JAIL, Place.SALOON)  # which is never too full
    sheet.at(Step.ASK_TURN)
    assert {Place.FARM, Place.SALOON} <= set(sheet.legal)


def test_after_jail_one_may_try_again() -> None:
    sheet = duel(6, 1)
    swords(sheet, 0, 0)
    challenge(sheet)
    assert sheet.of("place") == Place.JAIL
    sheet.at(Step.ASK_TURN)
    assert Place.FARM in sheet.legal
