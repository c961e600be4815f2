"""What can be said about Wizard Miners without playing it: exact chances and expectations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from sim import dice
from sim.wizard_miners.state import CHART_ROWS, ENTIRE_PILE, LEVELS, NUMBERS, TOOLS, Spell


def mining_roll(tables: Any) -> dice.Distribution:
    """Return the distribution of the sum of the two mining dice ("Starting Play 3").

    tables: a TABLES record.
    """
    return dice.dice(2, int(tables["dice_sides"]))


def chart_result(tables: Any, dynamite: int, shore_ups: int) -> dice.Distribution:
    """Return the distribution of a cave-in roll's result on the chart (rules 21, W-19, W-20).

    The outcomes are numbers of cards; ENTIRE_PILE stands for the entire rubble pile.
    """
    modifier = dynamite - shore_ups * int(tables["spell_amount"][Spell.SHORE_UP])

    def look_up(roll: int) -> int:
        return int(tables["chart"][min(max(roll + modifier, 0), CHART_ROWS - 1)])

    return dice.transform(dice.die(int(tables["cave_in_roll_sides"])), look_up)


def cards_fallen(tables: Any, dynamite: int, shore_ups: int, rubble: int) -> dice.Distribution:
    """Return the distribution of the cards that a cave-in roll takes off a pile (rule 17)."""
    return dice.transform(
        chart_result(tables, dynamite, shore_ups), lambda cards: min(cards, rubble)
    )


def pile_lost(tables: Any, dynamite: int, shore_ups: int) -> Fraction:
    """Return the probability that a cave-in roll takes the entire pile, whatever its size."""
    return dice.probability(
        chart_result(tables, dynamite, shore_ups), lambda cards: cards == ENTIRE_PILE
    )


def hits(tables: Any, wizard: int, levels: Sequence[int]) -> list[int]:
    """Return the cards mined per number (index 0 to 16), without bonus (rules 1 and 3).

    wizard: mining number. levels: 0 to 3 for each of the five tools.
    """
    cards = [0] * NUMBERS
    cards[wizard] += 1
    for tool in range(TOOLS):
        for level in range(levels[tool]):
            for number in range(NUMBERS):
                cards[number] += int(tables["card_hits"][tool, level, number])
    return cards


def bonus(tables: Any, levels: Sequence[int]) -> list[int]:
    """Return the bonus cards per number of a digger who took no action (rule 4, W-6)."""
    cards = [0] * NUMBERS
    for tool in range(TOOLS):
        if levels[tool] == LEVELS:
            for number in range(NUMBERS):
                if any(tables["card_hits"][tool, level, number] for level in range(LEVELS)):
                    cards[number] += int(tables["tool_bonus"][tool])
    return cards


def expected_cards(
    tables: Any,
    wizard: int,
    levels: Sequence[int] = (0,) * TOOLS,
    *,
    digging: bool = True,
    idle: bool = False,
) -> Fraction:
    """Return the expected cards mined on one roll, with a deck that does not run out.

    digging: declared in the own turn; in the turns of others everybody digs. idle: the active
    player took no action, so that great tools give their bonus.
    """
    if not digging:
        levels = (0,) * TOOLS
    cards = hits(tables, wizard, levels)
    if idle and digging:
        cards = [plain + extra for plain, extra in zip(cards, bonus(tables, levels), strict=True)]
    return dice.mean(mining_roll(tables), lambda number: cards[number])


def bare_race(chances: Sequence[float], cards: int, longest: int) -> tuple[np.ndarray, np.ndarray]:
    """Return who wins, and when, among players without tools whom no cave-in ever sets back.

    chances (players,): the probability that a roll shows a player's number; no roll shows two.
    cards: in each deck. Players take turns from the first on; the first own turn with an empty
    deck wins, be it emptied by the roll of that turn or before.
    Returns win (players,), the probability that each wins within `longest` rolls, and rolls
    (longest + 1,), the probability that the game ends after so many rolls. What is missing to 1
    is the chance of a longer game.
    Method: forward dynamic programming over the cards that each has mined.
    """
    players = len(chances)
    here = np.zeros((cards + 1,) * players)
    here[(0,) * players] = 1.0
    win = np.zeros(players)
    rolls = np.zeros(longest + 1)

    def settle(seat: int, roll: int) -> None:
        empty: list[Any] = [slice(None)] * players
        empty[seat] = cards
        won = here[tuple(empty)].sum()
        win[seat] += won
        rolls[roll] += won
        here[tuple(empty)] = 0.0

    for roll in range(1, longest + 1):
        after = here * (1.0 - sum(chances))
        for seat, chance in enumerate(chances):
            source = np.moveaxis(here, seat, 0)
            target = np.moveaxis(after, seat, 0)
            target[1:] += chance * source[:-1]
            target[-1] += chance * source[-1]  # an empty deck stays empty
        here = after
        active = (roll - 1) % players
        settle(active, roll)
        settle((active + 1) % players, roll)  # at the start of the next turn
    return win, rolls
