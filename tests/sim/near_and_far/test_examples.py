"""Worked examples played through the game's own prompts, from the choice to its consequence."""

from __future__ import annotations

import pytest

from sim.near_and_far.state import (
    After,
    Dig,
    Face,
    Place,
    Prompt,
    Spell,
    Step,
    Symbol,
    Tally,
    Walk,
)
from tests.sim.near_and_far.sheet import Sheet, reward

pytestmark = pytest.mark.kernel

GALLERY, DOOR, SENTRY, HALL, TROLL, SPARE = 1, 2, 3, 4, 5, 6
TOM, JEN = 0, 1


def answer(sheet: Sheet, prompt: Prompt, choice: int) -> int:
    """Answer a prompt that must be the open one."""
    assert Prompt(sheet.prompt) == prompt
    return sheet.choose(choice)


# --- the Amber Mine -------------------------------------------------------------------------------


def example_mine() -> Sheet:
    """Return the mine of the example, with Tom's and Jen's parties of three movement."""
    sheet = Sheet()
    sheet.mine_card(GALLERY)
    sheet.mine_card(DOOR, "skill 6")
    sheet.mine_card(SENTRY, "combat 4")
    sheet.mine_card(HALL)
    sheet.mine_card(TROLL, "combat 6")
    sheet.mine_card(SPARE)
    sheet.tables["mine_reward"][GALLERY] = reward(gem=2)
    sheet.tables["mine_reward"][HALL] = reward(gem=2, magic=1)
    sheet.tables["mine_reward"][TROLL] = reward(coin=2)
    sheet.party(TOM, movement=1, skill=2)
    sheet.party(JEN, movement=1, combat=1)
    return sheet


def to_mine(sheet: Sheet, seat: int) -> None:
    """Send a seat to the mine at the start of its turn."""
    sheet.state["place"][:2] = Place.SALOON
    sheet.at(Step.ASK_TURN, seat=seat)
    answer(sheet, Prompt.TURN, Place.MINE)


def test_tom_visits_the_mine() -> None:
    """NF-T1: a 1 and two skill against 6: back, one movement left; a free camp and two gems."""
    sheet = example_mine()
    to_mine(sheet, TOM)
    sheet.luck(card=GALLERY)
    answer(sheet, Prompt.MINE_MOVE, Dig.RIGHT)
    sheet.luck(card=DOOR, die=1)
    answer(sheet, Prompt.MINE_MOVE, Dig.RIGHT)
    assert sheet.state["rolled"] == 3
    assert sheet.in_mine() == GALLERY
    assert sheet.state["movement"] == 1
    answer(sheet, Prompt.MINE_MOVE, Dig.CAMP)
    assert sheet.good("gem", TOM) == 2
    assert sheet.good("food", TOM) == 0
    assert sheet.state["mine_camp"][GALLERY] == 1 + TOM
    assert sheet.of("place", TOM) == Place.MINE
    assert sheet.state["active"] == JEN


def jen_goes_down(sheet: Sheet, hearts: int) -> None:
    to_mine(sheet, JEN)
    sheet.state["hearts"][JEN] = hearts
    sheet.luck(card=SENTRY, die=1)
    answer(sheet, Prompt.MINE_MOVE, Dig.DOWN)


def test_jen_is_thrown_back() -> None:
    """NF-T2: a 1 and one combat against 4, two hearts unspent: back, two movement left."""
    sheet = example_mine()
    jen_goes_down(sheet, hearts=2)
    assert sheet.legal == [After.ACCEPT, After.SPEND]
    answer(sheet, Prompt.AFTER_ROLL, After.ACCEPT)
    assert sheet.state["rolled"] == 2
    assert sheet.in_mine() == 0
    assert sheet.state["movement"] == 2
    assert sheet.of("hearts", JEN) == 2


def test_two_hearts_would_have_been_enough() -> None:
    """NF-T2: exactly those; with one heart there is nothing to ask."""
    sheet = example_mine()
    jen_goes_down(sheet, hearts=2)
    answer(sheet, Prompt.AFTER_ROLL, After.SPEND)
    assert sheet.in_mine() == SENTRY
    assert sheet.of("hearts", JEN) == 0
    sheet = example_mine()
    jen_goes_down(sheet, hearts=1)
    assert sheet.prompt == Prompt.MINE_MOVE
    assert sheet.in_mine() == 0
    assert sheet.of("hearts", JEN) == 1


def test_jen_tries_again() -> None:
    """NF-T3: a 6 is enough; a new card to the right, a free camp, two gems and a magic."""
    sheet = example_mine()
    jen_goes_down(sheet, hearts=0)
    assert sheet.state["movement"] == 2
    sheet.luck(die=6)
    answer(sheet, Prompt.MINE_MOVE, Dig.DOWN)
    assert sheet.state["rolled"] == 7
    assert sheet.in_mine() == SENTRY
    sheet.luck(card=HALL)
    answer(sheet, Prompt.MINE_MOVE, Dig.RIGHT)
    assert sheet.state["movement"] == 0
    assert sheet.legal == [Dig.LEAVE, Dig.CAMP]
    answer(sheet, Prompt.MINE_MOVE, Dig.CAMP)
    assert sheet.good("gem", JEN) == 2
    assert sheet.of("magic", JEN) == 1
    assert sheet.good("food", JEN) == 0
    assert sheet.of("place", JEN) == Place.MINE


def test_tom_comes_back() -> None:
    """NF-T4: from his camp over the skill card to a combat card; a food, two coins, then town."""
    sheet = example_mine()
    sheet.lay(GALLERY, 0, 1, camp=TOM)
    sheet.lay(DOOR, 0, 2)
    sheet.give(TOM, food=1)
    sheet.party(TOM, movement=1, skill=2)
    sheet.state["turn"] += 2
    to_mine(sheet, TOM)
    assert sheet.legal == [0, GALLERY]
    answer(sheet, Prompt.MINE_START, GALLERY)
    sheet.luck(die=6)
    answer(sheet, Prompt.MINE_MOVE, Dig.RIGHT)
    assert sheet.in_mine() == DOOR
    sheet.luck(card=SPARE)
    answer(sheet, Prompt.MINE_MOVE, Dig.RIGHT)
    sheet.luck(card=TROLL, die=6)
    answer(sheet, Prompt.MINE_MOVE, Dig.RIGHT)
    assert sheet.in_mine() == TROLL
    answer(sheet, Prompt.MINE_MOVE, Dig.CAMP)
    assert sheet.good("food", TOM) == 0
    assert sheet.good("coin", TOM) == 2
    assert sheet.of("mine_camps", TOM) == 2
    assert sheet.of("place", TOM) == Place.MINE
    assert sheet.state["active"] == JEN


def test_a_visit_without_a_camp() -> None:
    """Rule 33."""
    sheet = example_mine()
    to_mine(sheet, TOM)
    answer(sheet, Prompt.MINE_MOVE, Dig.LEAVE)
    assert sheet.of("mine_camps", TOM) == 0
    assert sheet.of("place", TOM) == Place.MINE
    assert sheet.state["active"] == JEN


def test_spells_and_artifacts_between_two_steps_in_the_mine() -> None:
    """Rules 5 and 6: Haste and an artifact, then on."""
    sheet = example_mine()
    sheet.spells(Spell.HASTE)
    sheet.tables["artifact_cost"][7, 1] = 2
    sheet.tables["basic_cards"] = 1 << 7
    sheet.state["hand"][TOM] = 1 << 7
    sheet.give(TOM, coin=2)
    sheet.at(Step.ASK_TURN)
    sheet.state["hand"][TOM] = 0
    sheet.give(TOM, coin=0)
    answer(sheet, Prompt.TURN, Place.MINE)
    sheet.state["hand"][TOM] = 1 << 7
    sheet.give(TOM, coin=2)
    answer(sheet, Prompt.MINE_MOVE, Dig.SPELL + Spell.HASTE)
    assert sheet.state["movement"] == 5
    answer(sheet, Prompt.MINE_MOVE, Dig.BUY)
    assert sheet.of("bought", TOM) == 1 << 7
    assert Prompt(sheet.prompt) == Prompt.MINE_MOVE


# --- spells ---------------------------------------------------------------------------------------


def test_lightning_bolt_is_used_once() -> None:
    """NF-T6: against a first threat, then not against a second nor in a quest of the same turn."""
    sheet = Sheet("t-a! a-b! b-c", failed_stay=1)
    b = sheet.space("b")
    sheet.threats(4, 4, 9)
    sheet.tables["quest_symbol"][b] = Symbol.COMBAT
    sheet.tables["quest_need"][b] = 4
    sheet.state["tokens"] = 1 << b
    sheet.spells(Spell.LIGHTNING_BOLT)
    sheet.give(food=5)
    sheet.stand("t", movement=2, hearts=9)
    sheet.at(Step.ASK_MOVE)
    bolt = After.SPELL + Spell.LIGHTNING_BOLT
    sheet.luck(die=1)
    answer(sheet, Prompt.MOVE, Walk.ROAD)
    assert bolt in sheet.legal
    answer(sheet, Prompt.AFTER_ROLL, bolt)
    assert sheet.state["threat"] == 1
    assert sheet.good("food") == 4
    sheet.luck(die=1)
    answer(sheet, Prompt.MOVE, Walk.ROAD + 1)
    assert sheet.legal == [After.ACCEPT, After.SPEND]
    answer(sheet, Prompt.AFTER_ROLL, After.SPEND)
    assert sheet.state["threat"] == 2
    sheet.luck(die=1)
    answer(sheet, Prompt.QUEST, 1)
    assert bolt not in sheet.legal
    assert sheet.good("food") == 4


def test_gems_into_coins() -> None:
    """NF-T7: six gems, one use: four at most, for eight coins."""
    sheet = Sheet()
    sheet.spells(Spell.TRANSMUTATION)
    sheet.give(gem=6)
    sheet.at(Step.ASK_TURN)
    spell = 9 + Spell.TRANSMUTATION
    assert {spell, 18 + 2, 18 + 3, 18 + 4} <= set(sheet.legal)
    assert 18 + 5 not in sheet.legal
    answer(sheet, Prompt.TURN, 18 + 4)
    assert (sheet.good("gem"), sheet.good("coin")) == (2, 8)
    assert spell not in sheet.legal


def test_three_new_spells() -> None:
    """NF-T30, rule 38: the icon asks at once which spell to learn; the turn goes on after it."""
    sheet = Sheet()
    sheet.state["magic"][0] = 2
    sheet.state["place"][0] = Place.SALOON
    sheet.at(Step.ASK_TURN)
    answer(sheet, Prompt.TURN, Place.HUT)
    answer(sheet, Prompt.HUT, 1)
    assert Prompt(sheet.prompt) == Prompt.SPELL
    spell = sheet.legal[0]
    sheet.choose(spell)
    assert sheet.of("spells") == sheet.of("spells_up") == 1 << spell
    assert sheet.state["spell_discard_size"] == 2
    assert sheet.state["active"] == 1


# --- hearts ---------------------------------------------------------------------------------------


def test_hearts_of_the_general_store() -> None:
    """NF-T11: a total of seven, six hearts, the store gives two: seven."""
    sheet = Sheet()
    sheet.party(hearts=7)
    sheet.state["hearts"][0] = 6
    sheet.at(Step.ASK_TURN)
    answer(sheet, Prompt.TURN, Place.GENERAL_STORE)
    assert sheet.of("hearts") == 7
    assert sheet.good("coin") == 1


# --- the map --------------------------------------------------------------------------------------


def test_a_threat_gives_a_reputation() -> None:
    """NF-T12."""
    sheet = Sheet("t-a!")
    sheet.threats(4, reward_0=reward(reputation=1))
    sheet.party(combat=3)
    sheet.stand("t", movement=2, hearts=0)
    sheet.at(Step.ASK_MOVE)
    sheet.luck(die=2)
    answer(sheet, Prompt.MOVE, Walk.ROAD)
    assert sheet.of("reputation") == 1
    assert sheet.of("space") == sheet.space("a")


def test_a_bird_given_up_takes_its_treasure_along() -> None:
    """A-44, rules 3 and 20: the figure goes on; what no longer fits is discarded at once."""
    sheet = Sheet("t-a! a-b$")
    sheet.threats(9)
    sheet.treasures(book=0, lamp=0, knife=0)
    sheet.state["treasures"][0] = 0b011
    sheet.state["treasure_deck"] = 0b100
    sheet.state["birds"][0] = 2
    sheet.state["camped"] = 1 << sheet.space("a")
    sheet.stand("t", movement=2, hearts=0)
    sheet.at(Step.ASK_MOVE)
    answer(sheet, Prompt.MOVE, Walk.ROAD)
    answer(sheet, Prompt.THREAT, Face.BIRD)
    assert Prompt(sheet.prompt) == Prompt.TREASURE
    assert sheet.legal == [1, 2]
    sheet.choose(1)
    assert sheet.of("treasures") == 0b010
    assert sheet.of("space") == sheet.space("a")
    answer(sheet, Prompt.MOVE, Walk.ROAD + 1)
    assert Prompt(sheet.prompt) == Prompt.TREASURE
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.of("treasures") == 0b100
    assert sheet.state["treasure_discard"] == 0b011


@pytest.mark.parametrize(
    ("die", "gems", "food"), [(5, 2, 0), (6, 2, 2), (4, 0, 0)], ids=["8", "9", "6"]
)
def test_a_quest_of_seven(die: int, gems: int, food: int) -> None:
    """NF-T26: a total of 8, 9, or a failure: reward, reward and bonus, nothing; the token goes."""
    sheet = Sheet("t-a a-b")
    a = sheet.space("a")
    sheet.state["tokens"] = 1 << a | 1 << sheet.space("b")
    sheet.tables["quest_symbol"][a] = Symbol.SKILL
    sheet.tables["quest_need"][a] = 7
    sheet.tables["quest_reward"][a, 0] = reward(gem=2)
    sheet.tables["quest_extra"][a, 0] = reward(food=2)
    sheet.party(skill=3 if die > 4 else 2)
    sheet.stand("a", movement=0, hearts=0)
    sheet.at(Step.ASK_QUEST)
    sheet.luck(die=die)
    answer(sheet, Prompt.QUEST, 1)
    assert (sheet.good("gem"), sheet.good("food")) == (gems, food)
    assert sheet.state["tokens"] == 1 << sheet.space("b")


def test_a_quest_and_a_camp_on_the_same_space() -> None:
    """A-43: the quest first; its hearts are missing for the camp."""
    sheet = Sheet("t-a a-b")
    a = sheet.space("a")
    sheet.state["tokens"] = 1 << a | 1 << sheet.space("b")
    sheet.tables["quest_symbol"][a] = Symbol.SKILL
    sheet.tables["quest_need"][a] = 3
    sheet.stand("a", movement=0, hearts=4)
    sheet.at(Step.ASK_QUEST)
    sheet.luck(die=2)
    answer(sheet, Prompt.QUEST, 1)
    answer(sheet, Prompt.AFTER_ROLL, After.SPEND)
    answer(sheet, Prompt.CAMP, 1)
    assert sheet.state["camp"][a] == 1
    assert sheet.of("hearts") == 0


def test_a_lost_fight_still_leaves_a_quest_and_a_camp() -> None:
    """A-10: the movement ends before the road, like any other movement."""
    sheet = Sheet("t-a a-b!")
    a = sheet.space("a")
    sheet.threats(9)
    sheet.state["tokens"] = 1 << a | 1 << sheet.space("b")
    sheet.stand("a", movement=2, hearts=3)
    sheet.at(Step.ASK_MOVE)
    sheet.luck(die=1)
    answer(sheet, Prompt.MOVE, Walk.ROAD + 1)
    assert Prompt(sheet.prompt) == Prompt.QUEST
    answer(sheet, Prompt.QUEST, 0)
    answer(sheet, Prompt.CAMP, 1)
    assert sheet.state["tally"][0, Tally.THREATS_FOUGHT] == 1
    assert sheet.state["camp"][a] == 1


def test_a_fight_cannot_use_the_heart_of_the_way() -> None:
    """Rules 16 and 18: with one heart, needed for the space behind, a gap of one stays open."""
    for entered, asked in ((1, False), (0, True)):
        sheet = Sheet("t-a a-b a-c!")
        sheet.threats(4)
        sheet.stand("a", movement=2, hearts=1)
        sheet.state["entered"] = entered
        sheet.at(Step.ASK_MOVE)
        sheet.luck(die=3)
        answer(sheet, Prompt.MOVE, Walk.ROAD + 2)
        assert (sheet.prompt == Prompt.AFTER_ROLL) == asked
        if asked:
            answer(sheet, Prompt.AFTER_ROLL, After.SPEND)
            assert sheet.state["threat"] == 1
            assert sheet.of("hearts") == 0
