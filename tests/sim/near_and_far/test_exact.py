"""Exact chances, against counting by hand and against the rules' own dice."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from sim import dice
from sim.near_and_far import exact
from sim.near_and_far.rolls import close_roll, open_roll, throw, throw_again
from sim.near_and_far.state import RollKind, Symbol
from tests.contract import FIRST_DEAL
from tests.sim.near_and_far.sheet import Sheet

F = Fraction


def tables(**numbers: object) -> object:
    return Sheet(**numbers).tables


def test_the_faces_of_an_expert_die() -> None:
    """Rule 48: the reroll symbol drops out."""
    assert exact.expert_faces(tables()) == [
        (2, True),
        (3, False),
        (4, False),
        (5, False),
        (6, False),
    ]
    assert exact.expert_die(tables()) == {number: F(1, 5) for number in range(2, 7)}


def test_food_for_an_expert_die() -> None:
    """Rule 48: with one food a 2 stays a 2 only if it comes twice."""
    assert exact.expert_die(tables(), 1) == {2: F(1, 25), **dict.fromkeys(range(3, 7), F(6, 25))}
    assert exact.food_paid(tables(), 1) == F(1, 5)
    assert exact.food_paid(tables(), 3) == F(1, 5) + F(1, 25) + F(1, 125)
    law = exact.expert_die(tables(), 40)
    assert all(abs(law[number] - F(1, 4)) < F(1, 10**20) for number in range(3, 7))


def test_the_mean_of_an_expert_die() -> None:
    """Rule 48: 4 without food, against 3.5 of the ordinary die."""
    assert dice.mean(exact.standard_die(tables())) == F(7, 2)
    assert dice.mean(exact.expert_die(tables())) == 4
    assert dice.mean(exact.expert_die(tables(), 1)) == F(2, 25) + F(6, 25) * 18


def test_food_is_paid_only_where_it_helps() -> None:
    """Rule 48: not for a 2 that is enough, nor where nothing else would be."""
    for target, paid in ((2, 0), (3, F(1, 5)), (6, F(1, 5)), (7, 0)):

        def reaches(number: int, target: int = target) -> bool:
            return number >= target

        assert exact.food_paid(tables(), 1, reaches) == paid


def test_a_face_worth_keeping_is_kept() -> None:
    """Backward induction, not a rule of thumb: a 5 is rerolled by nobody who wants much."""
    other = tables(expert_face=(0, 105, 1, 2, 3, 4))
    assert exact.expert_die(other, 3) == exact.expert_die(other, 0)
    assert exact.food_paid(other, 3) == 0


def count_rolls(need: int, hearts: int, illusion: bool, expert: bool, food: int) -> Fraction:
    """Count the rolls that succeed, throw by throw, with five faces a throw for an expert die."""
    first = [2, 3, 4, 5, 6] if expert else [1, 2, 3, 4, 5, 6]
    good = total = 0
    for second in range(1, 7) if illusion else [0]:
        for throws in product(first, repeat=food + 1):
            left = list(throws)
            face = left.pop(0)
            while expert and face == 2 and left and max(face, second) + hearts < need:
                face = left.pop(0)
            good += max(face, second) + hearts >= need
            total += 1
    return F(good, total)


@pytest.mark.parametrize("illusion", [False, True])
@pytest.mark.parametrize(("expert", "food"), [(False, 0), (True, 0), (True, 1), (True, 2)])
def test_the_chance_of_a_roll(expert: bool, food: int, illusion: bool) -> None:
    """Rules 18, 21, 42, 48: every number from sure to hopeless, counted throw by throw."""
    sheet = tables()
    for need, hearts in product(range(1, 12), (0, 2)):
        ours = exact.success(sheet, need, 0, hearts, expert=expert, food=food, illusion=illusion)
        assert ours == count_rolls(need, hearts, illusion, expert, food)
        with_base = exact.success(
            sheet, need + 3, 3, hearts, expert=expert, food=food, illusion=illusion
        )
        assert with_base == ours


def test_hearts_are_spent_where_they_are_enough() -> None:
    """A-41: a gap of one or two is closed, a larger one costs nothing."""
    assert exact.hearts_spent(tables(), 6, 1, 2) == F(1 + 2, 6)
    assert exact.hearts_spent(tables(), 6, 1, 0) == 0
    assert exact.hearts_spent(tables(), 6, 1, 2, expert=True) == F(1 + 2, 5)
    assert exact.hearts_spent(tables(), 2, 1, 5) == 0


def test_thrown_back_in_the_mine() -> None:
    """Rules 27 to 29: a third of the cards asks for skill 6, a third for combat 4."""
    sheet = Sheet()
    sheet.mine_card(1)
    sheet.mine_card(2, "skill 6")
    sheet.mine_card(3, "combat 4")
    assert exact.thrown_back(sheet.tables, 0, 0) == (F(5, 6) + F(3, 6)) / 3
    assert exact.thrown_back(sheet.tables, 2, 0, 1) == (F(2, 6) + F(2, 6)) / 3
    assert exact.thrown_back(sheet.tables, 2, 1, expert=True) == (F(2, 5) + F(1, 5)) / 3
    assert exact.thrown_back(sheet.tables, 5, 3) == 0


@pytest.mark.parametrize(
    ("expert", "food", "illusion"), [(0, 0, 0), (1, 2, 0), (0, 0, 1), (1, 1, 1)]
)
def test_the_rules_roll_as_often(expert: int, food: int, illusion: int) -> None:
    """The dice of `rolls` over many deals, within five standard errors of the exact chances."""
    sheet = Sheet()
    deals = 2500
    chance = random.Random(1)
    seen: Counter[int] = Counter()
    sheet.state["expert"][0] = expert
    for _ in range(deals):
        sheet.backstage["base"] = chance.randrange(1 << 30) << FIRST_DEAL
        sheet.give(food=food)
        names = "state tables kind seat symbol base need bonus"
        sheet.call(open_roll, names, RollKind.THREAT, 0, Symbol.COMBAT, 0, 9, 0)
        sheet.state["roll_dice"] = 1 + illusion
        while sheet.call(throw, "state tables backstage"):
            if sheet.state["second_die"] == 6:  # nothing to gain by a food
                break
            sheet.call(throw_again, "state")
        sheet.call(close_roll, "state")
        sheet.state["rolls"] = 0
        seen[int(sheet.state["rolled"])] += 1
    law = exact.roll(sheet.tables, expert=bool(expert), food=food, illusion=bool(illusion))
    assert sum(law.values()) == 1
    assert set(seen) <= set(law)
    for number, its_chance in law.items():
        p = float(its_chance)
        error = (p * (1 - p) / deals) ** 0.5
        assert abs(seen[number] / deals - p) < 5 * error + 1e-9
