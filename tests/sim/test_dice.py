"""Exact distributions of dice, by a second route."""

from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import dice


def enumerated(count: int, sides: int) -> dict[int, Fraction]:
    """Count all outcomes."""
    sums = [sum(rolled) for rolled in product(range(1, sides + 1), repeat=count)]
    return {total: Fraction(sums.count(total), len(sums)) for total in sorted(set(sums))}


def test_two_eight_sided_dice() -> None:
    """The table of section 1: out of 64."""
    assert dice.dice(2, 8) == {number: Fraction(8 - abs(9 - number), 64) for number in range(2, 17)}


@given(st.integers(0, 4), st.integers(1, 6))
def test_sums_by_enumeration(count: int, sides: int) -> None:
    distribution = dice.dice(count, sides)
    assert distribution == enumerated(count, sides)
    assert sum(distribution.values()) == 1
    assert dice.mean(distribution) == Fraction(count * (sides + 1), 2)
    assert dice.variance(distribution) == Fraction(count * (sides**2 - 1), 12)


def test_a_second_opinion() -> None:
    """The public library icepool, on unlike dice with a modifier and a cap."""
    ours = dice.transform(
        dice.add(dice.die(6), dice.die(8), dice.dice(2, 4)), lambda total: min(total - 3, 12)
    )
    theirs = icepool.map(lambda total: min(total - 3, 12), icepool.d6 + icepool.d8 + 2 @ icepool.d4)
    assert ours == {outcome: Fraction(theirs.probability(outcome)) for outcome in theirs.outcomes()}


def test_functions_of_the_outcome() -> None:
    roll = dice.die(6)
    assert dice.probability(roll, lambda x: x > 4) == Fraction(1, 3)
    assert dice.mean(roll, lambda x: x * x) == Fraction(91, 6)
    assert dice.transform(roll, lambda x: x % 2) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert dice.add() == {0: Fraction(1)}


def test_a_die_has_sides() -> None:
    with pytest.raises(ValueError, match="at least one side"):
        dice.die(0)
