"""What follows from the numbers of Wizard Miners without playing: exact distributions."""

from __future__ import annotations

from fractions import Fraction

from sim.wizard_miners.content import Rules
from sim.wizard_miners.state import ENTIRE_PILE


def chart_distribution(rules: Rules, dynamite: int, shore_ups: int) -> dict[int, Fraction]:
    """Exact distribution of what a cave-in roll reads off the chart (rule 21, W-20).

    dynamite, shore_ups: pieces on the player and cards in play. Returns cards -> probability in
    ascending order, results that cannot be left out; ENTIRE_PILE stands for the entire pile. How
    many cards then fall also depends on the rubble there is (rule 17).
    Raises ValueError for a negative number of either.
    """
    if dynamite < 0 or shore_ups < 0:
        raise ValueError(f"need 0 or more, not {dynamite} dynamite and {shore_ups} Shore Ups")
    rows = [cards for _, cards in rules.cave_in.chart.rows()]
    sides = rules.cave_in.roll_sides
    shift = dynamite - shore_ups * rules.spells.shore_up.amount
    found: dict[int, Fraction] = {}
    for face in range(1, sides + 1):
        cards = rows[min(max(face + shift, 0), len(rows) - 1)]
        found[cards] = found.get(cards, Fraction(0)) + Fraction(1, sides)
    return dict(sorted(found.items()))


def expected_fall(rules: Rules, dynamite: int, shore_ups: int, rubble: int) -> Fraction:
    """Exact mean of the cards that fall on a cave-in roll with so much rubble (rule 17)."""
    chart = chart_distribution(rules, dynamite, shore_ups)
    return sum((p * min(cards, rubble) for cards, p in chart.items()), Fraction(0))


__all__ = ["ENTIRE_PILE", "chart_distribution", "expected_fall"]
