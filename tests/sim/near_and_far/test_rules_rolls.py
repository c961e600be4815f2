"""Rolls: dice, hearts, spells, expert dice (rules 18, 21, 28, 42, 48), against exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from sim.near_and_far.rolls import close_roll, open_roll, throw, throw_again
from sim.near_and_far.state import (
    After,
    Prompt,
    RollKind,
    Spell,
    Step,
    Stream,
    Symbol,
    Tally,
    Walk,
)
from tests.contract import FIRST_DEAL
from tests.oracles import Luck, splitmix
from tests.sim.near_and_far.sheet import SEED, Sheet

pytestmark = pytest.mark.kernel

LUCK = Luck(SEED)
DEALS = 3000


def index_of(sheet: Sheet) -> int:
    return int(sheet.state["turn"]) << 8 | int(sheet.state["rolls"])


def use_deal(sheet: Sheet, deal: int) -> None:
    sheet.backstage["base"] = deal << FIRST_DEAL


@cache
def two_dice(index: int, first: int, second: int) -> int:
    """Return a deal in which the die and the second die of a roll show these faces."""
    return next(
        deal
        for deal in range(10_000)
        if LUCK.die(deal, Stream.ROLL, index, 6) == first
        and LUCK.die(deal, Stream.SECOND_DIE, index, 6) == second
    )


def fight(symbol_total: int, need: int, hearts: int, *spells: Spell, **numbers: Any) -> Sheet:
    """Return a game before the choice of a road with a threat."""
    sheet = Sheet("t-a!", **numbers)
    sheet.threats(need)
    sheet.party(combat=symbol_total)
    sheet.spells(*spells)
    sheet.stand("t", movement=1, hearts=hearts)
    sheet.at(Step.ASK_MOVE)
    return sheet


def won(sheet: Sheet) -> bool:
    """Go through a fight to its end, with hearts where they help; say whether it was won."""
    sheet.choose(Walk.ROAD)
    while sheet.prompt in (Prompt.AFTER_ROLL, Prompt.BEFORE_ROLL):
        if sheet.prompt == Prompt.AFTER_ROLL:
            sheet.choose(After.SPEND)
        else:
            sheet.choose(max(sheet.legal))
    return bool(sheet.state["threat"] == 1)


@pytest.mark.parametrize("need", [4, 6, 8])
@pytest.mark.parametrize(("base", "hearts"), list(product((0, 2), (0, 1, 3))))
def test_chance_with_hearts(base: int, hearts: int, need: int) -> None:
    """Rule 18, A-41: the faces that win are the exact chance; hearts only where they win."""
    wins = 0
    for face in range(1, 7):
        sheet = fight(base, need, hearts)
        sheet.luck(die=face)
        success = won(sheet)
        gap = need - base - face
        assert success == (gap <= hearts)
        assert sheet.of("hearts") == (hearts - max(0, gap) if success else hearts)
        wins += success
    assert Fraction(wins, 6) == Fraction(min(6, max(0, 7 - (need - base - hearts))), 6)


@pytest.mark.parametrize(("base", "hearts", "need"), [(0, 0, 4), (1, 1, 7), (0, 2, 9)])
def test_chance_with_illusion(base: int, hearts: int, need: int) -> None:
    """Rule 42: two dice, the higher counts; chosen before the roll."""
    wins = 0
    for first, second in product(range(1, 7), repeat=2):
        sheet = fight(base, need, hearts, Spell.ILLUSION)
        use_deal(sheet, two_dice(index_of(sheet), first, second))
        success = won(sheet)
        assert success == (max(first, second) + base + hearts >= need)
        assert sheet.of("spells_up") == 0
        wins += success
    least = need - base - hearts
    assert Fraction(wins, 36) == 1 - Fraction(max(0, min(6, least - 1)), 6) ** 2


def test_hearts_before_the_roll() -> None:
    """A-41, the other reading: spent whatever the die shows, and none afterwards."""
    for face in range(1, 7):
        sheet = fight(1, 6, 3, hearts_before_roll=1)
        sheet.luck(die=face)
        sheet.choose(Walk.ROAD)
        assert Prompt(sheet.prompt) == Prompt.BEFORE_ROLL
        assert sheet.legal == [0, 3, 4, 5]
        sheet.choose(2 + 2)
        assert sheet.of("hearts") == 1
        assert (sheet.state["threat"] == 1) == (face + 1 + 2 >= 6)


# --- spells after the roll ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spell", "symbol", "plus"),
    [
        (Spell.WIND_STORM, Symbol.COMBAT, 2),
        (Spell.SUMMON_IMP, Symbol.COMBAT, 1),
        (Spell.SUMMON_IMP, Symbol.SKILL, 2),
        (Spell.LIGHTNING_BOLT, Symbol.COMBAT, 3),
        (Spell.WIND_STORM, Symbol.SKILL, 0),
        (Spell.LIGHTNING_BOLT, Symbol.SKILL, 0),
    ],
)
def test_spells_after_a_roll(spell: Spell, symbol: Symbol, plus: int) -> None:
    """Rule 42: what each adds; it is not offered where it cannot help."""
    for need in (4, 4 + 1):
        sheet = Sheet("t-a a-b")
        a = sheet.space("a")
        sheet.state["tokens"] = 1 << a | 1 << sheet.space("b")
        sheet.tables["quest_symbol"][a] = symbol
        sheet.tables["quest_need"][a] = max(plus, 1) - 1 + need
        sheet.spells(spell)
        sheet.give(food=1)
        sheet.stand("a", movement=0, hearts=0)
        sheet.at(Step.ASK_QUEST)
        sheet.luck(die=4)
        sheet.choose(1)
        helps = plus > 0 and int(sheet.tables["quest_need"][a, 0]) in range(5, 5 + plus)
        assert (sheet.prompt == Prompt.AFTER_ROLL) == helps
        if helps:
            assert sheet.legal == [After.ACCEPT, After.SPELL + spell]
            sheet.choose(After.SPELL + spell)
            assert sheet.state["rolled"] == 4 + plus
            assert sheet.of("spells_up") == 0
            assert sheet.good("food") == (0 if spell == Spell.LIGHTNING_BOLT else 1)


def test_spells_and_hearts_together() -> None:
    """Rule 42: one after the other; the hearts asked for shrink with each spell."""
    sheet = fight(0, 9, 2, Spell.WIND_STORM, Spell.LIGHTNING_BOLT)
    sheet.give(food=1)
    sheet.luck(die=2)
    sheet.choose(Walk.ROAD)
    assert Prompt(sheet.prompt) == Prompt.THREAT  # Wind Storm would pass it, too
    sheet.choose(0)
    storm, bolt = After.SPELL + Spell.WIND_STORM, After.SPELL + Spell.LIGHTNING_BOLT
    assert sheet.legal == [After.ACCEPT, storm, bolt]
    sheet.choose(storm)
    assert sheet.legal == [After.ACCEPT, bolt]
    sheet.choose(bolt)
    assert sheet.legal == [After.ACCEPT, After.SPEND]
    sheet.choose(After.SPEND)
    assert sheet.state["threat"] == 1
    assert sheet.of("hearts") == 0


def test_nothing_is_asked_about_a_hopeless_roll() -> None:
    """A-41: hearts and spells together would not be enough."""
    sheet = fight(0, 12, 2, Spell.LIGHTNING_BOLT)
    sheet.give(food=1)
    sheet.luck(die=1)
    sheet.choose(Walk.ROAD)
    assert sheet.state["threat"] == 0
    assert sheet.of("hearts") == 2
    assert Prompt(sheet.prompt) not in (Prompt.AFTER_ROLL, Prompt.THREAT)


def test_hearts_for_the_bonus_of_a_quest() -> None:
    """Rule 21: to the number or two above it, whichever is chosen."""
    for choice, hearts, food in (
        (After.ACCEPT, 3, 0),
        (After.SPEND, 2, 0),
        (After.SPEND_BONUS, 0, 1),
    ):
        sheet = Sheet("t-a a-b")
        a = sheet.space("a")
        sheet.state["tokens"] = 1 << a | 1 << sheet.space("b")
        sheet.tables["quest_symbol"][a] = Symbol.SKILL
        sheet.tables["quest_need"][a] = 5
        sheet.tables["quest_extra"][a, 0, 0] = 1
        sheet.stand("a", movement=0, hearts=3)
        sheet.at(Step.ASK_QUEST)
        sheet.luck(die=4)
        sheet.choose(1)
        assert sheet.legal == [After.ACCEPT, After.SPEND, After.SPEND_BONUS]
        sheet.choose(choice)
        assert sheet.of("hearts") == hearts
        assert sheet.good("food") == food
        assert sheet.of("quests_done") == (choice != After.ACCEPT)


# --- expert dice ----------------------------------------------------------------------------------


def faces(deal: int, index: int, count: int) -> list[int]:
    """Return what an expert die shows one throw after the other: 1 is the reroll symbol."""
    bits = LUCK.below(deal, Stream.ROLL, index, 1 << 32)
    words = [bits, *(word >> 32 for word in splitmix(bits << 32, count)[1:])]
    return [1 + (word * 6 >> 32) for word in words]


def deal_showing(index: int, *shown: int) -> int:
    """Return a deal in which the throws of an expert die begin with these faces."""
    return next(d for d in range(100_000) if faces(d, index, len(shown)) == list(shown))


def expert(food: int, need: int = 9) -> Sheet:
    sheet = fight(0, need, 0)
    sheet.state["expert"][0] = 1
    sheet.give(food=food)
    return sheet


def test_an_expert_die() -> None:
    """NF-T22: the reroll symbol, then a 2 for which a food is paid, then a 5."""
    sheet = expert(food=1)
    use_deal(sheet, deal_showing(index_of(sheet), 1, 2, 5))
    sheet.choose(Walk.ROAD)
    assert Prompt(sheet.prompt) == Prompt.REROLL
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.state["rolled"] == 5
    assert sheet.good("food") == 0
    assert sheet.state["tally"][0, Tally.REROLLS] == 1
    assert sheet.state["tally"][0, Tally.FOOD_FOR_REROLLS] == 1


@pytest.mark.parametrize(("food", "keep"), [(0, False), (1, True)])
def test_an_expert_die_that_stays_at_two(food: int, keep: bool) -> None:
    """NF-T22: without food, or when it is not paid, the result is 2."""
    sheet = expert(food=food)
    use_deal(sheet, deal_showing(index_of(sheet), 1, 2, 5))
    sheet.choose(Walk.ROAD)
    if keep:
        sheet.choose(0)
    assert sheet.state["rolled"] == 2
    assert sheet.good("food") == food


def test_reroll_symbols_in_a_row() -> None:
    """A-32: until there is a number; a paid 2 may come again and be paid again."""
    sheet = expert(food=2)
    use_deal(sheet, deal_showing(index_of(sheet), 1, 1, 2, 2, 1, 4))
    sheet.choose(Walk.ROAD)
    sheet.choose(1)
    sheet.choose(1)
    assert sheet.state["rolled"] == 4
    assert sheet.good("food") == 0


def test_illusion_with_an_expert_die() -> None:
    """A-31: one expert die and one plain die, thrown once."""
    index = index_of(expert(food=0))
    deal = next(
        d
        for d in range(100_000)
        if faces(d, index, 2) == [1, 3] and LUCK.die(d, Stream.SECOND_DIE, index, 6) == 1
    )
    sheet = expert(food=0, need=8)
    sheet.spells(Spell.ILLUSION)
    use_deal(sheet, deal)
    sheet.choose(Walk.ROAD)
    sheet.choose(1)
    assert (int(sheet.state["die"]), int(sheet.state["second_die"])) == (3, 1)
    assert sheet.state["rolled"] == 3


def exact_faces(food: int) -> dict[int, Fraction]:
    """Return the chances of an expert die whose owner pays for every 2 while there is food.

    The reroll symbol never stays, so a throw shows 2 to 6 with a fifth each.
    """
    fifth = Fraction(1, 5)
    chances = dict.fromkeys(range(2, 7), fifth)
    for _ in range(food):
        chances = {n: fifth * (n > 2) + fifth * chances[n] for n in chances}
    return chances


@pytest.mark.parametrize("food", [0, 1, 3])
def test_faces_of_an_expert_die(food: int) -> None:
    """Rule 48: how often each face comes, within five standard errors of the exact chance."""
    sheet = Sheet()
    sheet.state["expert"][0] = 1
    seen: Counter[int] = Counter()
    for deal in range(DEALS):
        use_deal(sheet, deal)
        sheet.give(food=food)
        sheet.call(
            open_roll,
            "state tables kind seat symbol base need bonus",
            RollKind.THREAT,
            0,
            Symbol.COMBAT,
            0,
            9,
            0,
        )
        while sheet.call(throw, "state tables backstage"):
            sheet.call(throw_again, "state")
        sheet.call(close_roll, "state")
        sheet.state["rolls"] = 0
        seen[int(sheet.state["rolled"])] += 1
    exact = exact_faces(food)
    assert sum(exact.values()) == 1
    assert set(seen) == set(exact)
    for face, chance in exact.items():
        error = (float(chance) * (1 - float(chance)) / DEALS) ** 0.5
        assert abs(seen[face] / DEALS - float(chance)) < 5 * error


def test_other_rolls_keep_their_dice() -> None:
    """A second die, throws again and an expert die shift no later roll of the turn."""

    def second_roll(*, illusion: bool, experts: bool) -> int:
        sheet = Sheet("t-a! a-b!")
        sheet.threats(3, 14)
        sheet.state["expert"][0] = experts
        sheet.party(combat=3)
        sheet.give(food=3)
        if illusion:
            sheet.spells(Spell.ILLUSION)
        sheet.stand("t", movement=2, hearts=1)
        sheet.at(Step.ASK_MOVE)
        use_deal(sheet, deal_showing(index_of(sheet), 1, 2, 5))
        sheet.choose(Walk.ROAD)
        while sheet.prompt in (Prompt.REROLL, Prompt.BEFORE_ROLL):
            sheet.choose(1)
        assert sheet.state["threat"] == 1
        sheet.state["expert"][0] = 0
        sheet.choose(Walk.ROAD + 1)
        return int(sheet.state["die"])

    rolls = {second_roll(illusion=i, experts=e) for i, e in product((False, True), repeat=2)}
    assert len(rolls) == 1
