"""Exact distributions of dice, as fractions: the answers that simulations are held against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

Distribution = dict[int, Fraction]


def die(sides: int) -> Distribution:
    """Return the distribution of one fair die with the numbers 1 to `sides`.

    Raises ValueError for fewer than one side.
    """
    if sides < 1:
        raise ValueError(f"a die has at least one side, not {sides}")
    return {number: Fraction(1, sides) for number in range(1, sides + 1)}


def add(*parts: Mapping[int, Fraction]) -> Distribution:
    """Return the distribution of the sum of independent parts (0 for no part)."""
    total: Distribution = {0: Fraction(1)}
    for part in parts:
        wider: Distribution = {}
        for value, chance in total.items():
            for more, its_chance in part.items():
                wider[value + more] = wider.get(value + more, Fraction(0)) + chance * its_chance
        total = wider
    return dict(sorted(total.items()))


def dice(count: int, sides: int) -> Distribution:
    """Return the distribution of the sum of `count` dice."""
    return add(*[die(sides)] * count)


def transform(distribution: Mapping[int, Fraction], function: Callable[[int], int]) -> Distribution:
    """Return the distribution of a function of the outcome: a modifier, a chart, a cap."""
    image: Distribution = {}
    for value, chance in distribution.items():
        result = function(value)
        image[result] = image.get(result, Fraction(0)) + chance
    return dict(sorted(image.items()))


def mean(
    distribution: Mapping[int, Fraction], value: Callable[[int], int | Fraction] = int
) -> Fraction:
    """Return the expected value of the outcome, or of a function of it."""
    return sum((chance * value(x) for x, chance in distribution.items()), Fraction(0))


def variance(distribution: Mapping[int, Fraction]) -> Fraction:
    """Return the variance of the outcome."""
    centre = mean(distribution)
    return mean(distribution, lambda x: (x - centre) ** 2)


def probability(distribution: Mapping[int, Fraction], condition: Callable[[int], bool]) -> Fraction:
    """Return the probability that the outcome fulfils a condition."""
    return sum((chance for x, chance in distribution.items() if condition(x)), Fraction(0))
