"""What can be said about Near and Far without playing it: exact chances of dice, rolls, the mine.

An expert die (rule 48) is thrown again at once while it shows its reroll symbol, so that symbol
drops out and the other faces share its chance. A face that may be rerolled for food is a choice;
its owner makes it in the best way for an aim, which is a function of the die's result.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sim import dice
from sim.near_and_far.state import DieFace, Symbol

Aim = Callable[[int], int | Fraction]
Paid = dict[tuple[int, int], Fraction]  # (result, food paid) to chance


def standard_die(tables: Any) -> dice.Distribution:
    """Return the distribution of the die everybody has. tables: a TABLES record."""
    return dice.die(int(tables["die_sides"]))


def expert_faces(tables: Any) -> list[tuple[int, bool]]:
    """Return what an expert die can come to rest on: (number, whether a food rolls it again).

    All of them have the same chance. Empty where the die has nothing but reroll symbols.
    """
    faces = [int(face) for face in tables["expert_face"][: int(tables["die_sides"])]]
    return [
        (face % DieFace.MAY_REROLL, face >= DieFace.MAY_REROLL)
        for face in faces
        if face != DieFace.REROLL
    ]


def expert_die_paid(tables: Any, food: int = 0, aim: Aim = int) -> Paid:
    """Return the joint distribution of an expert die's result and the food paid for it.

    food: how much there is to pay with. aim: what is made as large as possible on average, the
    result itself if nothing is said. A food is paid only where that helps.
    Method: backward induction over the food that is left.
    """
    faces = expert_faces(tables)
    share = Fraction(1, len(faces))
    law: Paid = {}
    for left in range(food + 1):
        before = law
        worth = sum((chance * aim(number) for (number, _), chance in before.items()), Fraction(0))
        law = {}
        for number, again in faces:
            if again and left > 0 and worth > aim(number):
                for (later, paid), chance in before.items():
                    key = (later, paid + 1)
                    law[key] = law.get(key, Fraction(0)) + share * chance
            else:
                law[number, 0] = law.get((number, 0), Fraction(0)) + share
    return law


def expert_die(tables: Any, food: int = 0, aim: Aim = int) -> dice.Distribution:
    """Return the distribution of an expert die's result (arguments as `expert_die_paid`)."""
    law: dice.Distribution = {}
    for (number, _), chance in sorted(expert_die_paid(tables, food, aim).items()):
        law[number] = law.get(number, Fraction(0)) + chance
    return law


def food_paid(tables: Any, food: int, aim: Aim = int) -> Fraction:
    """Return the food an expert die costs on average (arguments as `expert_die_paid`)."""
    law = expert_die_paid(tables, food, aim)
    return sum((chance * paid for (_, paid), chance in law.items()), Fraction(0))


def roll(
    tables: Any, *, expert: bool = False, food: int = 0, illusion: bool = False, aim: Aim = int
) -> dice.Distribution:
    """Return the distribution of a roll without symbols, hearts and spells that come after it.

    expert, food: an expert die and the food to use it with. illusion: two dice, of which one may
    be an expert die, and the higher counts (A-31); the owner sees both before paying.
    """
    plain = standard_die(tables)
    if not illusion:
        return expert_die(tables, food, aim) if expert else plain
    law: dice.Distribution = {}
    for second, chance in plain.items():

        def best(number: int, second: int = second) -> int:
            return max(number, second)

        def aim_of_both(number: int, second: int = second) -> int | Fraction:
            return aim(max(number, second))

        first = expert_die(tables, food, aim_of_both) if expert else plain
        for number, its_chance in dice.transform(first, best).items():
            law[number] = law.get(number, Fraction(0)) + chance * its_chance
    return dict(sorted(law.items()))


def success(
    tables: Any,
    need: int,
    base: int = 0,
    hearts: int = 0,
    *,
    expert: bool = False,
    food: int = 0,
    illusion: bool = False,
) -> Fraction:
    """Return the chance that a roll reaches a number (rules 18, 21, 28; A-41).

    need: the number, two more for the bonus of a quest, the defender's total plus one in a duel.
    base: symbols, and the spells one means to use. hearts: those that can be spent after the die.
    The other arguments as in `roll`.
    """
    missing = need - base - hearts
    law = roll(
        tables, expert=expert, food=food, illusion=illusion, aim=lambda number: number >= missing
    )
    return dice.probability(law, lambda number: number >= missing)


def hearts_spent(
    tables: Any, need: int, base: int = 0, hearts: int = 0, *, expert: bool = False
) -> Fraction:
    """Return the hearts a roll takes on average: what is missing, where that is enough (A-41).

    expert: an expert die, for which no food is paid.
    """

    def gap(number: int) -> int:
        missing = need - base - number
        return missing if 0 < missing <= hearts else 0

    return dice.mean(roll(tables, expert=expert), gap)


def thrown_back(
    tables: Any,
    skill: int,
    combat: int,
    hearts: int = 0,
    *,
    expert: bool = False,
    food: int = 0,
) -> Fraction:
    """Return the chance that the first card of a fresh mine deck throws one back (rules 27 to 29).

    The average over all cards but the entrance; a card without a number throws nobody back.
    """
    cards = [card for card in range(63) if int(tables["mine_cards"]) >> card & 1]
    total = Fraction(0)
    for card in cards:
        need = int(tables["mine_need"][card])
        if need > 0:
            base = skill if tables["mine_symbol"][card] == Symbol.SKILL else combat
            total += 1 - success(tables, need, base, hearts, expert=expert, food=food)
    return total / len(cards)
