"""Treasures that are due, wherever they come from, and spells learned on the way (rules 20, 38)."""

from __future__ import annotations

import pytest

from sim.near_and_far.state import Ability, Dig, Face, Place, Prompt, Spell, Step, Turn, Walk
from tests.contract import bits
from tests.sim.near_and_far.sheet import Sheet, reward, word

pytestmark = pytest.mark.kernel


def on_road(birds: int, held: int = 0, **numbers: int) -> Sheet:
    """Return a game before a road with a treasure; the seat holds the first `held` treasures."""
    sheet = Sheet("t-a$ a-b", **numbers)
    sheet.treasures(
        one=word(skill=1), two=word(combat=1), three=word(hearts=1), four=word(caution=1)
    )
    for treasure in range(held):
        sheet.state["treasures"][0] |= 1 << treasure
        sheet.state["treasure_deck"] &= ~(1 << treasure)
        sheet.state["card_symbols"][0] += sheet.tables["treasure_symbols"][treasure]
    sheet.party(hearts=1)
    sheet.state["birds"][0] = birds
    sheet.stand("t", movement=2, hearts=1)
    sheet.at(Step.ASK_MOVE)
    return sheet


def cross(sheet: Sheet) -> None:
    assert Prompt(sheet.prompt) == Prompt.MOVE
    sheet.choose(Walk.ROAD)


def test_a_treasure_that_fits_is_kept() -> None:
    """Rule 20: nobody is asked, its symbols count at once."""
    sheet = on_road(birds=2, held=1)
    cross(sheet)
    held = bits(sheet.of("treasures"))
    assert len(held) == 2
    assert sheet.of("card_symbols") == sum(int(sheet.tables["treasure_symbols"][n]) for n in held)
    assert Prompt(sheet.prompt) == Prompt.MOVE


def test_without_a_bird_there_is_no_treasure() -> None:
    """Rule 20."""
    sheet = on_road(birds=0)
    cross(sheet)
    assert sheet.of("treasures") == 0
    assert sheet.state["treasures_due"] == 0


@pytest.mark.parametrize("keep_new", [True, False])
def test_a_treasure_too_many(keep_new: bool) -> None:
    """Rule 20: the new one or one that is held is discarded; the symbols follow."""
    sheet = on_road(birds=2, held=2)
    cross(sheet)
    assert Prompt(sheet.prompt) == Prompt.TREASURE
    assert sheet.legal == [0, 1, 2]
    new = int(sheet.state["drawn_treasure"]) - 1
    sheet.choose(2 if keep_new else 0)
    assert set(bits(sheet.of("treasures"))) == ({0, new} if keep_new else {0, 1})
    assert bits(sheet.state["treasure_discard"]) == [1 if keep_new else new]
    held = bits(sheet.of("treasures"))
    assert sheet.of("card_symbols") == sum(int(sheet.tables["treasure_symbols"][n]) for n in held)
    assert Prompt(sheet.prompt) == Prompt.MOVE


def test_three_at_most_with_a_merchant_pack() -> None:
    """Rule 50: no bird is needed, but three stay the limit."""
    sheet = on_road(birds=0, held=2)
    sheet.state["abilities"][0] = Ability.MERCHANT_PACK
    sheet.tables["artifact_ability"][0] = Ability.MERCHANT_PACK
    sheet.state["bought"][0] = 1
    cross(sheet)
    assert len(bits(sheet.of("treasures"))) == 3
    sheet.choose(Walk.ROAD)  # back over the same road
    assert Prompt(sheet.prompt) == Prompt.TREASURE
    assert sheet.legal == [0, 1, 2, 3]


def test_discards_are_the_new_deck_of_treasures() -> None:
    """Rule 20: shuffled; when there are none either, nothing is drawn."""
    sheet = on_road(birds=3, held=1)
    sheet.state["treasure_discard"] = sheet.state["treasure_deck"]
    sheet.state["treasure_deck"] = 0
    cross(sheet)
    assert len(bits(sheet.of("treasures"))) == 2
    assert sheet.state["treasure_discard"] == 0
    sheet.state["treasure_deck"] = 0
    sheet.choose(Walk.ROAD)
    assert len(bits(sheet.of("treasures"))) == 2


def test_a_lost_treasure_takes_its_hearts_along() -> None:
    """Rule 52: hearts above the total are gone."""
    sheet = on_road(birds=3, held=3)
    sheet.party(hearts=4)
    sheet.state["hearts"][0] = 5
    cross(sheet)
    sheet.choose(3)  # the one with the heart
    assert sheet.of("hearts") == 4


def test_a_reward_of_a_threat_comes_before_the_other_side() -> None:
    """Rules 20 and 44: a treasure for the threat, then another one for the road."""
    sheet = Sheet("t-a!$")
    sheet.threats(1, reward_0=reward(treasure=1))
    sheet.treasures(one=0, two=0, three=0)
    sheet.state["birds"][0] = 1
    sheet.stand("t", movement=1, hearts=0)
    sheet.at(Step.ASK_MOVE)
    cross(sheet)
    sheet.choose(Face.FIGHT)
    assert Prompt(sheet.prompt) == Prompt.TREASURE  # the second one; the first one fitted
    assert sheet.of("space") == sheet.space("a")


def test_treasures_of_the_mine() -> None:
    """Rule 32: by the rules of a treasure symbol on the map, then the turn is over."""
    sheet = Sheet()
    sheet.mine_card(1)
    sheet.lay(1, 0, 1)
    sheet.tables["mine_reward"][1] = reward(treasure=2, magic=6)
    sheet.treasures(one=0, two=0, three=0)
    sheet.state["birds"][0] = 1
    sheet.at(Step.ASK_TURN)
    sheet.choose(Place.MINE)
    sheet.choose(Dig.RIGHT)
    sheet.choose(Dig.CAMP)
    assert Prompt(sheet.prompt) == Prompt.TREASURE
    sheet.choose(0)
    for learned in (1, 2):  # icons at 3 and 6
        assert Prompt(sheet.prompt) == Prompt.SPELL
        assert sheet.legal == [n for n in sheet.legal if not sheet.of("spells") >> n & 1]
        sheet.choose(sheet.legal[0])
        assert len(bits(sheet.of("spells"))) == learned
    assert sheet.state["active"] == 1


def test_divination_for_the_hut() -> None:
    """Rules 36 and 42: two treasures more."""
    sheet = Sheet()
    sheet.treasures(one=0, two=0, three=0)
    sheet.state["birds"][0] = 3
    sheet.spells(Spell.DIVINATION)
    sheet.at(Step.ASK_TURN)
    sheet.choose(Turn.SPELL + Spell.DIVINATION)
    sheet.choose(Place.HUT)
    assert len(bits(sheet.of("treasures"))) == 2
    assert Prompt(sheet.prompt) == Prompt.HUT
    sheet.choose(0)
    assert sheet.of("spells_up") == 1 << Spell.DIVINATION  # the last step of the visit


def test_haste_between_two_steps() -> None:
    """Rule 42: on the map, until the movement is over."""
    sheet = Sheet("t-a a-b b-c")
    sheet.camps("ab")
    sheet.spells(Spell.HASTE)
    sheet.stand("t", movement=1, hearts=0)
    sheet.at(Step.ASK_MOVE)
    sheet.choose(Walk.ROAD)
    assert sheet.legal == [Walk.STOP, Walk.SPELL + Spell.HASTE]
    sheet.choose(Walk.SPELL + Spell.HASTE)
    sheet.choose(Walk.ROAD + 1)
    sheet.choose(Walk.ROAD + 1)
    assert sheet.of("space") == sheet.space("c")
