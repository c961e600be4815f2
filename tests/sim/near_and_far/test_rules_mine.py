"""The Amber Mine (rules 25 to 35, 46)."""

from __future__ import annotations

import random

import pytest

from sim.near_and_far.mine import (
    amber_of,
    camp_in_mine,
    close_dig,
    dig,
    dig_choices,
    enter_mine,
    mine_starts,
)
from sim.near_and_far.state import (
    MINE_ENTRANCE,
    MINE_ROW,
    Dig,
    RollKind,
    Spell,
    Symbol,
    Tally,
)
from tests.contract import bits
from tests.sim.near_and_far.sheet import Sheet, reward, word

pytestmark = pytest.mark.kernel

GALLERY, DOOR, SENTRY, HALL, TROLL, DEEP = 1, 2, 3, 4, 5, 6


def mine(**numbers: int) -> Sheet:
    """Return a game with the cards of the rulebook's example, none laid out."""
    sheet = Sheet(**numbers)
    sheet.mine_card(GALLERY, amber=1)
    sheet.mine_card(DOOR, "skill 6", amber=2)
    sheet.mine_card(SENTRY, "combat 4", amber=1, shaft=True)
    sheet.mine_card(HALL)
    sheet.mine_card(TROLL, "combat 6", amber=3)
    sheet.tables["mine_reward"][GALLERY] = reward(gem=2)
    sheet.tables["mine_reward"][HALL] = reward(gem=2, magic=1)
    sheet.tables["mine_reward"][TROLL] = reward(coin=2)
    sheet.party(movement=1, skill=2, combat=1)
    return sheet


def enter(sheet: Sheet, card: int = 0, seat: int = 0) -> None:
    sheet.call(enter_mine, "state tables seat card", seat, card)


def choices(sheet: Sheet, seat: int = 0) -> list[int]:
    return bits(sheet.call(dig_choices, "state tables seat", seat))


def go(sheet: Sheet, direction: Dig, *, success: int = -1, seat: int = 0) -> bool:
    """Go to a card; where it wants a roll, its result is `success`. Say whether it did."""
    rolls = sheet.call(dig, "state tables backstage seat direction", seat, direction)
    assert rolls == (success >= 0)
    if rolls:
        assert sheet.state["roll_kind"] == RollKind.MINE
        sheet.state["success"] = success
        sheet.call(close_dig, "state tables seat", seat)
    return bool(rolls)


# --- moving ---------------------------------------------------------------------------------------


def test_a_visit_starts_at_the_entrance_or_an_own_camp() -> None:
    """Rule 25."""
    sheet = mine()
    sheet.lay(GALLERY, 0, 1, camp=0)
    sheet.lay(HALL, 0, 2, camp=1)
    assert bits(sheet.call(mine_starts, "state seat", 0)) == [0, GALLERY]
    assert bits(sheet.call(mine_starts, "state seat", 1)) == [0, HALL]
    enter(sheet, GALLERY)
    assert sheet.in_mine() == GALLERY
    assert sheet.state["movement"] == 3
    assert sheet.state["tally"][0, Tally.MINE_VISITS] == 1


def test_movement_is_the_partys() -> None:
    """Rule 26, A-35: as on the map, birds included."""
    sheet = mine()
    sheet.state["birds"][0] = 2
    enter(sheet)
    assert sheet.state["movement"] == 5
    sheet.luck(card=GALLERY)
    go(sheet, Dig.RIGHT)
    assert sheet.state["movement"] == 4
    sheet.state["movement"] = 0
    assert choices(sheet) == [Dig.LEAVE, Dig.CAMP]


def test_down_needs_a_shaft_here_and_up_a_shaft_above() -> None:
    """Rule 26: sideways nothing is needed."""
    sheet = mine()
    sheet.lay(SENTRY, 1, 0)  # below the entrance, with a shaft
    sheet.lay(GALLERY, 0, 1)  # right of the entrance, without one
    sheet.lay(HALL, 1, 1)  # below the gallery
    enter(sheet)
    sheet.state["movement"] = 5
    assert choices(sheet) == [Dig.LEAVE, Dig.RIGHT, Dig.DOWN]
    go(sheet, Dig.RIGHT)
    assert {Dig.DOWN, Dig.UP}.isdisjoint(choices(sheet))  # laid out, but there is no shaft
    go(sheet, Dig.LEFT)
    go(sheet, Dig.DOWN, success=1)
    assert Dig.UP in choices(sheet)
    go(sheet, Dig.RIGHT)
    assert sheet.in_mine() == HALL
    assert Dig.UP not in choices(sheet)  # the gallery above has no shaft


def test_a_new_card_is_laid_out_and_entered() -> None:
    """Rule 27."""
    sheet = mine()
    enter(sheet)
    sheet.luck(card=HALL)
    go(sheet, Dig.DOWN)
    assert sheet.in_mine() == HALL
    assert sheet.state["mine_at"][HALL] == sheet.state["mine_at"][0] + MINE_ROW
    assert not sheet.state["mine_deck"] >> HALL & 1
    assert sheet.state["mine_depth"] == 1
    assert sheet.state["tally"][0, Tally.MINE_CARDS] == 1


def test_no_card_is_drawn_upwards_or_from_an_empty_deck() -> None:
    """Rule 27: no new card goes above a card, whatever shafts there are."""
    sheet = mine()
    sheet.lay(SENTRY, 1, 1)
    sheet.lay(HALL, 1, 0)
    enter(sheet)
    go(sheet, Dig.DOWN)
    go(sheet, Dig.RIGHT, success=1)
    sheet.state["movement"] = 5
    assert choices(sheet) == [Dig.LEAVE, Dig.LEFT, Dig.RIGHT, Dig.DOWN, Dig.CAMP]
    sheet.state["mine_deck"] = 0
    assert choices(sheet) == [Dig.LEAVE, Dig.LEFT, Dig.CAMP]


def test_cards_laid_out_stay_in_reach_when_the_deck_is_empty() -> None:
    """Rule 27: back to the entrance, from its side and from below."""
    sheet = mine()
    sheet.lay(GALLERY, 0, 1)
    sheet.lay(HALL, 1, 0)
    sheet.state["mine_deck"] = 0
    enter(sheet)
    sheet.state["movement"] = 9
    assert choices(sheet) == [Dig.LEAVE, Dig.RIGHT, Dig.DOWN]
    go(sheet, Dig.RIGHT)
    assert choices(sheet) == [Dig.LEAVE, Dig.LEFT, Dig.CAMP]
    go(sheet, Dig.LEFT)
    go(sheet, Dig.DOWN)
    assert choices(sheet) == [Dig.LEAVE, Dig.UP, Dig.CAMP]


@pytest.mark.parametrize("left", [0, 1])
def test_the_mine_grows_to_the_left_where_that_is_allowed(left: int) -> None:
    """A-13."""
    sheet = mine(mine_left=left)
    enter(sheet)
    assert (Dig.LEFT in choices(sheet)) == bool(left)
    if left:
        sheet.luck(card=GALLERY)
        go(sheet, Dig.LEFT)
        assert sheet.state["mine_at"][GALLERY] == sheet.state["mine_at"][0] - 1


def test_the_mine_may_grow_left_below_the_entrance_and_no_further() -> None:
    """A-13: columns from the entrance's on, in every row."""
    sheet = mine()
    sheet.lay(SENTRY, 1, 0)
    sheet.lay(HALL, 1, 1)
    enter(sheet, HALL)
    assert Dig.LEFT in choices(sheet)
    go(sheet, Dig.LEFT, success=1)
    assert Dig.LEFT not in choices(sheet)


def test_the_table_has_no_edge() -> None:
    """Rule 27: all cards may lie in one row, whatever its length."""
    sheet = mine()
    for card in range(6, 48):
        sheet.mine_card(card)
    enter(sheet)
    sheet.state["movement"] = 47
    while sheet.state["mine_deck"]:
        sheet.call(dig, "state tables backstage seat direction", 0, Dig.RIGHT)
    assert sheet.state["movement"] == 0
    assert sorted(int(at) for at in sheet.state["mine_at"]) == list(
        range(1 + MINE_ENTRANCE, 1 + MINE_ENTRANCE + 48)
    )


def model_choices(laid: dict[tuple[int, int], bool], here: tuple[int, int], deck: int) -> set[Dig]:
    """Say where one can go, written from the rules with rows and columns: a second opinion.

    laid: place (row, column) to whether the card there has a shaft.
    """
    row, column = here
    ways: set[Dig] = set()
    for dig_, place in (
        (Dig.LEFT, (row, column - 1)),
        (Dig.RIGHT, (row, column + 1)),
        (Dig.DOWN, (row + 1, column)),
        (Dig.UP, (row - 1, column)),
    ):
        connected = {Dig.DOWN: laid[here], Dig.UP: laid.get(place, False)}.get(dig_, True)
        drawable = deck > 0 and dig_ != Dig.UP and place[1] >= 0
        if connected and (place in laid or drawable):
            ways.add(dig_)
    return ways


@pytest.mark.parametrize("seed", range(6))
def test_neighbours_are_those_of_a_plain_drawing(seed: int) -> None:
    """Rules 26 and 27 on random mines: the engine's ways are those of rows and columns."""
    chance = random.Random(seed)
    sheet = Sheet()
    for card in range(1, 43):
        sheet.mine_card(card, shaft=chance.random() < 0.4)
    laid = {(0, 0): True}
    here = (0, 0)
    enter(sheet)
    moves = {Dig.LEFT: (0, -1), Dig.RIGHT: (0, 1), Dig.DOWN: (1, 0), Dig.UP: (-1, 0)}
    for _ in range(150):
        sheet.state["movement"] = 1
        deck = bin(int(sheet.state["mine_deck"])).count("1")
        ways = model_choices(laid, here, deck)
        found = set(choices(sheet)) & set(moves)
        assert found == ways
        way = chance.choice(sorted(ways))
        go(sheet, way)
        here = (here[0] + moves[way][0], here[1] + moves[way][1])
        card = sheet.in_mine()
        at = int(sheet.state["mine_at"][card]) - 1
        assert divmod(at, MINE_ROW) == (here[0], here[1] + MINE_ENTRANCE)
        laid.setdefault(here, bool(sheet.tables["mine_shaft"][card]))
        assert laid[here] == bool(sheet.tables["mine_shaft"][card])
        assert len(laid) == 43 - bin(int(sheet.state["mine_deck"])).count("1")
    assert len(laid) > 10


# --- rolls ----------------------------------------------------------------------------------------


def test_a_number_wants_a_roll_with_its_symbol() -> None:
    """Rule 28: the symbols of party and cards."""
    sheet = mine()
    sheet.state["card_symbols"][0] = word(skill=1)
    sheet.state["reserve"] = 1
    enter(sheet)
    sheet.luck(card=DOOR)
    assert go(sheet, Dig.RIGHT, success=1)
    assert sheet.state["roll_symbol"] == Symbol.SKILL
    assert sheet.state["roll_base"] == 3
    assert sheet.state["roll_need"] == 6
    assert sheet.state["roll_bonus"] == 0
    assert sheet.state["reserve"] == 0
    assert sheet.in_mine() == DOOR
    assert sheet.state["tally"][0, Tally.MINE_ROLLS] == 1


def test_whoever_fails_goes_back_for_nothing_and_without_a_roll() -> None:
    """Rule 29: back onto a card with a number, whose roll is not made again."""
    sheet = mine()
    sheet.state["birds"][0] = 3
    enter(sheet)
    sheet.luck(card=SENTRY)
    go(sheet, Dig.DOWN, success=1)
    sheet.luck(card=TROLL)
    go(sheet, Dig.RIGHT, success=0)
    assert sheet.in_mine() == SENTRY
    assert sheet.state["movement"] == 4
    assert sheet.state["tally"][0, Tally.MINE_BACK] == 1
    assert Dig.CAMP in choices(sheet)


def test_coming_back_to_a_card_wants_a_new_roll() -> None:
    """Rule 31."""
    sheet = mine()
    sheet.lay(SENTRY, 1, 0)
    enter(sheet)
    for _ in range(2):
        sheet.state["movement"] = 2
        assert go(sheet, Dig.DOWN, success=1)
        go(sheet, Dig.UP)
    assert sheet.state["tally"][0, Tally.MINE_ROLLS] == 2


@pytest.mark.parametrize("owner", [0, 1])
def test_a_camp_ends_the_danger_for_everybody(owner: int) -> None:
    """Rule 30."""
    sheet = mine()
    sheet.lay(SENTRY, 1, 0, camp=owner)
    enter(sheet)
    assert not go(sheet, Dig.DOWN)
    assert sheet.in_mine() == SENTRY


# --- camps ----------------------------------------------------------------------------------------


def camp(sheet: Sheet, seat: int = 0, choice: int = Dig.CAMP) -> None:
    sheet.call(camp_in_mine, "state tables seat choice", seat, choice)


@pytest.mark.parametrize("there", range(4))
def test_a_camp_costs_a_food_for_each_one_has_there(there: int) -> None:
    """NF-T5: 0, 1, 2, 3; no hearts, and other people's camps cost nothing."""
    sheet = mine()
    for card in range(10, 10 + there):
        sheet.mine_card(card)
        sheet.lay(card, 2, card, camp=0)
    for card in range(20, 22):
        sheet.mine_card(card)
        sheet.lay(card, 3, card - 15, camp=1)
    sheet.lay(GALLERY, 0, 1)
    enter(sheet)
    go(sheet, Dig.RIGHT)
    sheet.give(food=there)
    sheet.state["hearts"][0] = 4
    assert Dig.CAMP in choices(sheet)
    if there:
        sheet.give(food=there - 1)
        assert Dig.CAMP not in choices(sheet)
        sheet.give(food=there)
    camp(sheet)
    assert sheet.good("food") == 0
    assert sheet.of("hearts") == 4
    assert sheet.of("mine_camps") == there + 1
    assert sheet.state["mine_camp"][GALLERY] == 1
    assert sheet.of("tents") == 14 - there - 1
    assert sheet.good("gem") == 2


def test_no_camp_on_the_entrance_on_a_camp_or_without_a_tent() -> None:
    """Rule 32, A-14."""
    sheet = mine()
    enter(sheet)
    assert Dig.CAMP not in choices(sheet)
    sheet.lay(GALLERY, 0, 1, camp=1)
    sheet.lay(HALL, 0, 2)
    go(sheet, Dig.RIGHT)
    assert Dig.CAMP not in choices(sheet)
    go(sheet, Dig.RIGHT)
    assert Dig.CAMP in choices(sheet)
    sheet.state["tents"][0] = 0
    assert Dig.CAMP not in choices(sheet)


def test_rewards_of_a_camp() -> None:
    """Rule 32: goods at once, treasures and magic by their own rules."""
    sheet = mine()
    sheet.tables["mine_reward"][HALL] = reward(coin=1, gem=2, reputation=1, treasure=1, magic=3)
    sheet.lay(HALL, 0, 1)
    enter(sheet)
    go(sheet, Dig.RIGHT)
    camp(sheet)
    assert (sheet.good("coin"), sheet.good("gem"), sheet.of("reputation")) == (1, 2, 1)
    assert sheet.state["treasures_due"] == 1
    assert sheet.of("magic") == 3
    assert sheet.state["spells_due"] == 1


def test_magic_symbols_mean_nothing_without_the_module() -> None:
    """Rule 32: magic only with the Magic module."""
    sheet = mine(magic=0)
    sheet.lay(HALL, 0, 1)
    enter(sheet)
    go(sheet, Dig.RIGHT)
    camp(sheet)
    assert sheet.of("magic") == 0
    assert sheet.good("gem") == 2


def test_miners_bring_a_coin_each() -> None:
    """NF-T31: two miners, a reward of two coins: four coins."""
    sheet = mine()
    sheet.party(pickax=2)
    sheet.lay(TROLL, 0, 1)
    enter(sheet)
    go(sheet, Dig.RIGHT, success=1)
    camp(sheet)
    assert sheet.good("coin") == 4


@pytest.mark.parametrize(("variant", "change"), [(0, 0), (1, 2), (2, -2)])
def test_alter_weather_when_a_camp_is_built(variant: int, change: int) -> None:
    """Rule 42."""
    sheet = mine()
    sheet.spells(Spell.ALTER_WEATHER)
    sheet.lay(GALLERY, 0, 1)
    enter(sheet)
    go(sheet, Dig.RIGHT)
    assert {Dig.CAMP, Dig.CAMP + 1, Dig.CAMP + 2} <= set(choices(sheet))
    camp(sheet, choice=Dig.CAMP + variant)
    assert sheet.of("reputation") == change
    assert bool(sheet.of("spells_up")) == (variant == 0)
    assert sheet.of("spells") == 1 << Spell.ALTER_WEATHER


def test_alter_weather_face_down_is_not_offered() -> None:
    """Rule 41."""
    sheet = mine()
    sheet.spells(Spell.ALTER_WEATHER)
    sheet.state["spells_up"][0] = 0
    sheet.lay(GALLERY, 0, 1)
    enter(sheet)
    go(sheet, Dig.RIGHT)
    assert Dig.CAMP in choices(sheet)
    assert Dig.CAMP + 1 not in choices(sheet)


# --- amber ----------------------------------------------------------------------------------------


def test_a_pouch_counts_while_it_is_held() -> None:
    """NF-T20: 4 amber on cards and a pouch of 3: 7, or 4 when it is lost."""
    sheet = mine()
    sheet.lay(GALLERY, 0, 1, camp=0)
    sheet.lay(TROLL, 0, 2, camp=0)
    sheet.lay(DOOR, 0, 3, camp=1)
    sheet.tables["treasure_amber"][5] = 3
    sheet.state["treasures"][0] = 1 << 5 | 1 << 2
    assert sheet.call(amber_of, "state tables seat", 0) == 7
    sheet.state["treasures"][0] = 1 << 2
    assert sheet.call(amber_of, "state tables seat", 0) == 4
    assert sheet.call(amber_of, "state tables seat", 1) == 2
