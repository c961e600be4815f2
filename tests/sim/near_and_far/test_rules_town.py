"""The buildings of the town, artifacts, the active party (rules 1 to 8, 12, 24, 45, 48)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.near_and_far import GAME
from sim.near_and_far.basics import purse, short_of
from sim.near_and_far.state import (
    FIRST_COMPANION,
    GOODS,
    PURSE_BITS,
    RECRUIT_REFRESH,
    Ability,
    Faction,
    Good,
    Hall,
    Place,
    Prompt,
    Step,
    Tally,
    Turn,
)
from tests.contract import bits
from tests.sim.near_and_far.sheet import Sheet, reward, word

pytestmark = pytest.mark.kernel

amounts = st.lists(st.integers(0, 300), min_size=GOODS, max_size=GOODS)
prices = st.lists(st.integers(0, 255), min_size=GOODS, max_size=GOODS)


@given(amounts, prices, st.integers(0, 9))
def test_a_purse_tells_what_is_lacking(has: list[int], price: list[int], saved: int) -> None:
    """All goods are compared at once; the slow way is one by one."""
    state = np.zeros(1, GAME.state)[0]
    state["goods"][1] = has
    cost = sum(n << PURSE_BITS * good for good, n in enumerate(price))
    short = short_of(purse(state, np.int64(1), np.int64(saved)), np.int64(cost))
    has[Good.COIN] += saved
    found = [short >> (PURSE_BITS * good + PURSE_BITS - 1) & 1 for good in range(GOODS)]
    assert found == [a < b for a, b in zip(has, price, strict=True)]


VALUES = (1, 2, 3, 5, 5, 5, 5)  # food, coin, gem, tokens


def town(players: int = 2, **numbers: Any) -> Sheet:
    """Return a game in which seat 0 stands in Jail and may go anywhere in town."""
    given = {
        "good_value": VALUES,
        "trade_many": 5,
        "track_size": 5,
        "refresh_food": 1,
        "store_cards": 4,
        "birds_per_visit": 3,
        "hut_treasures": 1,
        **numbers,
    }
    sheet = Sheet(players=players, **given)
    sheet.state["place"][0] = Place.JAIL
    return sheet


def go(sheet: Sheet, place: Place) -> int:
    """Begin seat 0's turn and visit a building."""
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN
    return sheet.choose(place)


# --- where one can go -----------------------------------------------------------------------------


def test_everybody_visits_the_town_in_the_first_round() -> None:
    """Rule 2 of the turn: no adventure in one's first turn."""
    sheet = town()
    sheet.state["place"][0] = Place.NOWHERE
    sheet.state["step"] = Step.TURN_START
    sheet.state["turn"] = 0
    assert sheet.advance(0) == Prompt.TURN
    assert sheet.legal == list(range(Place.TOWN_HALL, Place.MINE + 1))
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN  # `at` makes it the second turn
    assert Turn.ADVENTURE in sheet.legal


def test_never_the_same_building_twice_running() -> None:
    sheet = town()
    sheet.state["place"][0] = Place.FARM
    sheet.at(Step.ASK_TURN)
    assert Place.FARM not in sheet.legal
    sheet.state["place"][0] = Place.MAP  # from the map any building can be reached
    sheet.at(Step.ASK_TURN)
    assert Place.FARM in sheet.legal


def test_the_saloon_has_room_for_all() -> None:
    sheet = town()
    sheet.party(skill=1)
    sheet.state["place"][1] = Place.SALOON
    go(sheet, Place.SALOON)
    assert sheet.of("place") == Place.SALOON


def test_a_seat_can_be_kept_out_of_a_building() -> None:
    """The intervention `forbid_places`."""
    sheet = town(forbid_places=(1 << Place.MINE, 0, 0, 0))
    sheet.at(Step.ASK_TURN)
    assert Place.MINE not in sheet.legal
    sheet.at(Step.ASK_TURN, seat=1)
    assert Place.MINE in sheet.legal


# --- Town Hall (rule 1) ---------------------------------------------------------------------------


def test_five_for_one() -> None:
    """Five resources of any kind for one of any kind; what is paid must be worth it (A-28)."""
    sheet = town()
    sheet.give(food=4, coin=1)
    assert go(sheet, Place.TOWN_HALL) == Prompt.TOWN_HALL
    assert Hall.TAKE_ONE + Good.NOMADS in sheet.legal  # worth five, and so is what there is
    assert sheet.choose(Hall.TAKE_ONE + Good.GEM) == Prompt.GOODS
    assert sheet.legal == [1 + Good.FOOD, 1 + Good.COIN]
    assert sheet.choose(1 + Good.COIN) != Prompt.GOODS  # four food follow of themselves
    assert [sheet.good(name) for name in ("food", "coin", "gem")] == [0, 0, 1]


def test_five_food_do_not_pay_for_something_dearer() -> None:
    sheet = town(good_value=(1, 2, 3, 6, 6, 6, 6))
    sheet.give(food=6, coin=1)
    go(sheet, Place.TOWN_HALL)
    assert Hall.TAKE_ONE + Good.NOMADS in sheet.legal
    assert sheet.choose(Hall.TAKE_ONE + Good.NOMADS) == Prompt.GOODS
    for _ in range(4):  # the coin may come at any time, but it must come
        if 1 + Good.FOOD in sheet.legal and sheet.prompt == Prompt.GOODS:
            sheet.choose(1 + Good.FOOD)
    assert [sheet.good(name) for name in ("food", "coin", "nomads")] == [2, 0, 1]


def test_one_for_up_to_five() -> None:
    sheet = town()
    sheet.give(mystics=1)
    go(sheet, Place.TOWN_HALL)
    assert sheet.choose(Hall.GIVE_ONE + Good.MYSTICS) == Prompt.GOODS
    assert 0 not in sheet.legal  # something has to be received
    sheet.choose(1 + Good.COIN)
    assert sheet.legal == [0, 1 + Good.FOOD, 1 + Good.COIN, 1 + Good.GEM]
    sheet.choose(1 + Good.COIN)
    assert sheet.legal == [0, 1 + Good.FOOD]
    sheet.choose(1 + Good.FOOD)
    assert [sheet.good(name) for name in ("food", "coin", "mystics")] == [1, 2, 0]
    assert Hall.GIVE_ONE + Good.COIN not in sheet.legal  # one trade a visit


def test_nothing_is_worth_less_than_food() -> None:
    sheet = town()
    sheet.give(food=1)
    sheet.state["hand"][0] = 1
    go(sheet, Place.TOWN_HALL)
    assert Hall.GIVE_ONE + Good.FOOD not in sheet.legal


def test_a_discard_and_reputation_once_each_in_any_order() -> None:
    """Any or all of the three actions, each once; reputation for as many coins and gems."""
    sheet = town()
    sheet.tables["basic_cards"] = 0b111
    sheet.state["hand"][0] = 0b11
    sheet.give(coin=2, gem=1)
    go(sheet, Place.TOWN_HALL)
    sheet.choose(Hall.COIN_UP)
    sheet.choose(Hall.GEM_DOWN)
    assert sheet.of("reputation") == 0
    sheet.choose(Hall.COIN_UP)
    assert sheet.of("reputation") == 1
    assert sheet.legal == [Hall.DONE, Hall.DISCARD]
    assert sheet.choose(Hall.DISCARD) == Prompt.DISCARD
    sheet.choose(2)
    assert sheet.of("hand") == 1
    assert int(sheet.state["artifact_discard"]) == 2


def test_reputation_is_over_once_something_else_begins() -> None:
    sheet = town()
    sheet.state["hand"][0] = 0b1
    sheet.give(coin=2)
    go(sheet, Place.TOWN_HALL)
    sheet.choose(Hall.COIN_DOWN)
    assert Hall.COIN_DOWN in sheet.legal
    sheet.choose(Hall.DISCARD)
    assert sheet.of("hand") == 0
    assert not {Hall.COIN_UP, Hall.COIN_DOWN} & set(sheet.legal)


def test_reputation_has_an_end() -> None:
    sheet = town()
    sheet.state["reputation"][0] = 10
    sheet.give(coin=1)
    go(sheet, Place.TOWN_HALL)
    assert Hall.COIN_UP not in sheet.legal
    assert Hall.COIN_DOWN in sheet.legal


# --- Saloon (rule 2), the party (rule 12) ---------------------------------------------------------


def saloon(*members: tuple[int, Faction, int], **numbers: Any) -> Sheet:
    """Return a game with members (number, faction, cost) on the track and in the bag."""
    sheet = town(**numbers)
    for place, (member, faction, cost) in enumerate(members):
        sheet.tables["adventurers"] |= 1 << member
        sheet.tables["member_faction"][member] = faction
        sheet.tables["member_cost"][member] = cost
        sheet.tables["member_symbols"][member] = word(skill=1 + member, hearts=1)
        if place < int(sheet.tables["track_size"]):
            sheet.state["track"][place] = 1 + member
        else:
            sheet.state["bag"] |= 1 << member
    return sheet


def own(sheet: Sheet, member: int, *, active: bool) -> None:
    """Give seat 0 a member."""
    sheet.state["members"][0] |= 1 << member
    faction = int(sheet.tables["member_faction"][member])
    if faction:
        sheet.state["banners"][0, faction - 1] += 1
    if active:
        sheet.state["party"][0] |= 1 << member
        sheet.state["party_symbols"][0] += sheet.tables["member_symbols"][member]


def test_banners_lower_the_price() -> None:
    """NF-T25: cost 5, two active and one inactive banner of the colour, one token: pays 1."""
    sheet = saloon((3, Faction.MYSTICS, 5), track_size=1)
    for member, active in ((10, True), (11, True), (12, False)):
        sheet.tables["member_faction"][member] = Faction.MYSTICS
        own(sheet, member, active=active)
    sheet.give(coin=1, mystics=1)
    assert go(sheet, Place.SALOON) == Prompt.RECRUIT
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.good("coin") == 0
    assert sheet.good("mystics") == 1
    assert sheet.of("members") >> 3 & 1
    assert not sheet.of("party") >> 3 & 1  # another Mystic is active


def test_a_banner_of_another_colour_lowers_nothing() -> None:
    sheet = saloon((3, Faction.MYSTICS, 2), (4, Faction.NOMADS, 1), track_size=2)
    sheet.give(coin=1, outlaws=5)
    go(sheet, Place.SALOON)
    assert sheet.legal == [0, 2]


def test_a_price_is_never_below_nothing() -> None:
    sheet = saloon((3, Faction.MYSTICS, 2), track_size=1)
    sheet.give(coin=0, mystics=5)
    go(sheet, Place.SALOON)
    sheet.choose(1)
    assert sheet.good("coin") == 0


def test_a_place_on_the_track_is_filled_at_once() -> None:
    sheet = saloon((3, Faction.MYSTICS, 0), (5, Faction.NOMADS, 1), track_size=1)
    go(sheet, Place.SALOON)
    sheet.choose(1)
    assert int(sheet.state["track"][0]) == 6
    assert int(sheet.state["bag"]) == 0


def test_a_food_sweeps_the_track() -> None:
    """The whole track is replaced; those swept off come back when the bag is empty."""
    sheet = saloon(
        (3, Faction.MYSTICS, 9), (4, Faction.OUTLAWS, 9), (5, Faction.NOMADS, 9), track_size=2
    )
    sheet.give(food=1)
    go(sheet, Place.SALOON)
    assert sheet.legal == [0, RECRUIT_REFRESH]
    sheet.choose(RECRUIT_REFRESH)
    assert sheet.good("food") == 0
    track = {int(number) - 1 for number in sheet.state["track"][:2]}
    assert len(track) == 2
    assert 5 in track
    assert track | set(bits(sheet.state["bag"])) == {3, 4, 5}


def test_a_newcomer_joins_if_there_is_room() -> None:
    sheet = saloon((3, Faction.MYSTICS, 0), track_size=1)
    go(sheet, Place.SALOON)
    sheet.choose(1)
    assert sheet.of("party") == 1 << 3
    assert sheet.of("party_symbols") == word(skill=4, hearts=1)


def test_a_second_one_of_a_faction_replaces_the_first() -> None:
    """At most one of a faction is active; a second can be recruited and swapped in (A-27)."""
    sheet = saloon((3, Faction.MYSTICS, 0), track_size=1)
    sheet.tables["member_faction"][9] = Faction.MYSTICS
    sheet.tables["member_symbols"][9] = word(combat=2)
    own(sheet, 9, active=True)
    go(sheet, Place.SALOON)
    assert sheet.choose(1) == Prompt.PARTY
    assert sheet.legal == [0, 1 + 3]
    sheet.choose(1 + 3)
    assert sheet.of("party") == 1 << 3
    assert sheet.of("party_symbols") == word(skill=4, hearts=1)
    assert sheet.prompt != Prompt.PARTY  # who has left stays out for now


def test_a_fifth_member_takes_somebodys_place() -> None:
    """At most four, the companion among them."""
    sheet = saloon((3, Faction.NONE, 0), track_size=1)
    for member in (FIRST_COMPANION, 10, 11, 12):
        own(sheet, member, active=True)
    go(sheet, Place.SALOON)
    assert sheet.choose(1) == Prompt.PARTY
    assert sheet.choose(1 + 3) == Prompt.PARTY_OUT
    assert sheet.legal == [1 + 10, 1 + 11, 1 + 12, 1 + FIRST_COMPANION]
    sheet.choose(1 + FIRST_COMPANION)
    assert bits(sheet.of("party")) == [3, 10, 11, 12]


def test_the_party_is_put_together_before_leaving() -> None:
    """Rules 12 and 13: the party first, then its hearts are counted."""
    sheet = saloon()
    sheet.tables["member_symbols"][9] = word(hearts=3)
    own(sheet, 9, active=False)
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN
    assert sheet.choose(Turn.ADVENTURE) == Prompt.PARTY
    assert sheet.choose(1 + 9) == Prompt.MOVE
    assert sheet.of("hearts") == 3
    assert sheet.of("place") == Place.MAP


def test_a_forbidden_adventurer_stays_on_the_track() -> None:
    """The intervention `forbid_members`."""
    sheet = saloon((3, Faction.NONE, 0), (4, Faction.NONE, 0), track_size=2)
    sheet.tables["forbid_members"][0] = 1 << 3
    go(sheet, Place.SALOON)
    assert sheet.legal == [0, 2]


# --- Stables, Farm, Hut, base mine (rules 3, 5, 6, 7) ---------------------------------------------


def test_birds_for_food() -> None:
    sheet = town()
    sheet.give(food=5)
    sheet.state["birds"][0] = 1
    assert go(sheet, Place.STABLES) == Prompt.STABLES
    assert sheet.legal == [0, 1, 2]  # three at most
    sheet.choose(2)
    assert sheet.of("birds") == 3
    assert sheet.good("food") == 3


def test_no_food_no_birds() -> None:
    sheet = town()
    assert go(sheet, Place.STABLES) != Prompt.STABLES
    assert sheet.of("birds") == 0


@pytest.mark.parametrize(("cards", "food"), [(0, 2), (1, 5)])
def test_the_farm_feeds_by_skill(cards: int, food: int) -> None:
    """Rule 5: the party's skill; a reading counts cards as well."""
    sheet = town(farm_cards=cards)
    sheet.party(skill=2)
    sheet.state["card_symbols"][0] = word(skill=3)
    go(sheet, Place.FARM)
    assert sheet.good("food") == food


@pytest.mark.parametrize(("birds", "held"), [(0, 0), (1, 1)])
def test_the_hut_of_the_base_game(birds: int, held: int) -> None:
    """Rule 6: one treasure, with a pack bird."""
    sheet = town(amber_mines=0, magic=0)
    sheet.treasures(one=word(skill=1), two=word(combat=1))
    sheet.state["birds"][0] = birds
    go(sheet, Place.HUT)
    assert sheet.of("treasures").bit_count() == held


def test_one_treasure_a_bird() -> None:
    """Which of two to keep is asked."""
    sheet = town(amber_mines=0, magic=0)
    sheet.treasures(one=word(skill=1), two=word(combat=1))
    sheet.state["birds"][0] = 1
    sheet.state["treasures"][0] = 1
    sheet.state["card_symbols"][0] = word(skill=1)
    sheet.state["treasure_deck"] = 2
    assert go(sheet, Place.HUT) == Prompt.TREASURE
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.of("treasures") == 2
    assert sheet.of("card_symbols") == word(combat=1)
    assert int(sheet.state["treasure_discard"]) == 1


def base_mine() -> Sheet:
    """Return a mine of areas 0 - 1 - 2 in a row, with skill 1, 2, 3; the first may be dug first."""
    sheet = town(amber_mines=0, magic=0)
    tables = sheet.tables
    tables["areas"] = 3
    tables["area_skill"][:3] = (1, 2, 3)
    tables["area_adjacent"][:3] = (0b010, 0b101, 0b010)
    tables["area_start"] = 1
    for area in range(3):
        tables["area_reward"][area] = reward(gem=1 + area)
    return sheet


def test_digging_takes_skill_and_a_neighbour() -> None:
    """Rule 7: next to a camp, skill of party and cards at least the number, no roll."""
    sheet = base_mine()
    sheet.party(skill=1)
    sheet.state["card_symbols"][0] = word(skill=2)
    assert go(sheet, Place.MINE) == Prompt.MINE_AREA
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.good("gem") == 1
    assert sheet.of("mine_camps") == 1
    assert sheet.of("tents") == 13

    sheet.state["place"][0] = Place.JAIL
    sheet.state["area_camp"][0] = 2  # anybody's camp is a neighbour
    go(sheet, Place.MINE)
    assert sheet.legal == [0, 2]


def test_digging_without_skill_or_camps() -> None:
    sheet = base_mine()
    assert go(sheet, Place.MINE) != Prompt.MINE_AREA
    sheet = base_mine()
    sheet.party(skill=9)
    sheet.state["tents"][0] = 0
    assert go(sheet, Place.MINE) != Prompt.MINE_AREA


# --- General Store (rules 4, 45, 48) --------------------------------------------------------------


def store(**numbers: Any) -> Sheet:
    """Return a game with basic artifacts 0 to 4 and advanced ones 10 to 12 in their decks."""
    sheet = town(**numbers)
    sheet.tables["basic_cards"] = sheet.state["basic_deck"] = 0b11111
    sheet.tables["advanced_cards"] = sheet.state["advanced_deck"] = 0b111 << 10
    sheet.tables["artifact_cost"][:, Good.GEM] = 99
    return sheet


def test_a_coin_or_four_cards() -> None:
    """Rule 4: the base store; any mix that the decks have."""
    sheet = store(new_general_store=0)
    assert go(sheet, Place.GENERAL_STORE) == Prompt.STORE
    assert sheet.legal == [0, 2, 3, 4, 5]  # 1 would be four advanced ones
    sheet.choose(0)
    assert sheet.good("coin") == 1
    assert sheet.of("hand") == 0


def test_four_cards_kept_or_not() -> None:
    sheet = store(new_general_store=0)
    go(sheet, Place.GENERAL_STORE)
    assert sheet.choose(1 + 3) == Prompt.KEEP  # three basic ones
    offer = [int(number) - 1 for number in sheet.state["offer"][:4]]
    assert all(card < 5 for card in offer[:3])
    assert offer[3] >= 10
    assert sheet.legal == list(range(16))
    sheet.choose(0b1001)
    assert sheet.of("hand") == 1 << offer[0] | 1 << offer[3]
    assert int(sheet.state["artifact_discard"]) == 1 << offer[1] | 1 << offer[2]
    assert sheet.good("coin") == 0


def test_an_empty_deck_is_its_discards() -> None:
    sheet = store(new_general_store=0)
    sheet.state["basic_deck"] = 0b1
    sheet.state["artifact_discard"] = 0b11110
    go(sheet, Place.GENERAL_STORE)
    sheet.choose(1 + 4)
    assert sorted(int(number) - 1 for number in sheet.state["offer"][:4])[0] == 0
    assert int(sheet.state["basic_deck"]).bit_count() == 1
    assert int(sheet.state["artifact_discard"]) == 0


def test_the_new_store_gives_coin_and_hearts_besides() -> None:
    """Rule 45: a coin, two hearts and four cards."""
    sheet = store()
    sheet.party(hearts=5)
    assert go(sheet, Place.GENERAL_STORE) == Prompt.STORE
    assert sheet.good("coin") == 1
    assert sheet.of("hearts") == 2
    assert 0 not in sheet.legal
    assert sheet.choose(1 + 4) == Prompt.KEEP


def test_an_advanced_artifact_earns_a_camp() -> None:
    """Rule 45: bought during the visit; once a visit, three in all."""
    sheet = store(artifact_points=[0] * 62)
    sheet.tables["artifact_cost"][10:13, Good.GEM] = 0
    sheet.state["hand"][0] = 0b11 << 10
    sheet.state["advanced_deck"] = 0b1 << 12
    go(sheet, Place.GENERAL_STORE)
    sheet.choose(1 + 4)
    assert sheet.choose(0) == Prompt.BUY
    sheet.choose(1 + 10)
    assert sheet.of("store_camps") == 1
    assert sheet.of("tents") == 13
    sheet.choose(1 + 11)
    assert sheet.of("store_camps") == 1
    assert int(sheet.state["store_camps_left"]) == 2


def test_a_camp_only_during_the_visit() -> None:
    """Not at the start of the next turn, and not for a basic artifact."""
    sheet = store()
    sheet.tables["artifact_cost"][:, Good.GEM] = 0
    sheet.state["hand"][0] = 1 << 10 | 1
    sheet.state["place"][0] = Place.GENERAL_STORE
    sheet.at(Step.ASK_TURN)
    sheet.choose(Turn.BUY)
    sheet.choose(1 + 10)
    assert sheet.of("bought") == 1 << 10
    assert sheet.of("store_camps") == 0

    sheet = store()
    sheet.tables["artifact_cost"][0, Good.GEM] = 0
    sheet.state["hand"][0] = 1
    sheet.state["basic_deck"] = 0b11110
    go(sheet, Place.GENERAL_STORE)
    sheet.choose(1 + 4)
    assert sheet.choose(0) == Prompt.BUY
    sheet.choose(1)
    assert sheet.of("store_camps") == 0


def test_the_first_visit_brings_the_expert_die() -> None:
    """Rule 48: never a second one; who was first is noted."""
    sheet = store(expert_dice=1)
    go(sheet, Place.GENERAL_STORE)
    assert sheet.of("expert") == 1
    assert int(sheet.state["first_expert"]) == 1
    assert int(sheet.state["tally"][0, Tally.EXPERT_TURN]) == 2


@pytest.mark.parametrize(("module", "handicap"), [(0, 0), (1, 2)])
def test_no_expert_die(module: int, handicap: int) -> None:
    """Without the module, or for a seat that is denied it."""
    sheet = store(expert_dice=module, expert_die=(handicap, 0, 0, 0))
    go(sheet, Place.GENERAL_STORE)
    assert sheet.of("expert") == 0


# --- artifacts (rule 24) --------------------------------------------------------------------------


def test_an_artifact_is_paid_and_works_at_once() -> None:
    sheet = store()
    tables = sheet.tables
    tables["artifact_cost"][0] = (1, 2, 0, 0, 1, 0, 0)
    tables["artifact_symbols"][0] = word(combat=2, hearts=1)
    tables["artifact_points"][0] = 4
    sheet.state["hand"][0] = 1
    sheet.state["basic_deck"] = 0b11110
    sheet.give(food=1, coin=2, mystics=1)
    sheet.at(Step.ASK_TURN)
    assert Turn.BUY in sheet.legal
    assert sheet.choose(Turn.BUY) == Prompt.TURN  # only one can be bought
    assert [sheet.good(name) for name in ("food", "coin", "mystics")] == [0, 0, 0]
    assert sheet.of("card_symbols") == word(combat=2, hearts=1)
    assert sheet.of("hand") == 0
    assert sheet.of("running") == 4


@pytest.mark.parametrize(
    ("wanted", "has", "can"), [(2, 2, True), (2, 1, False), (-2, -2, True), (-2, -1, False)]
)
def test_some_artifacts_want_a_reputation(wanted: int, has: int, can: bool) -> None:
    sheet = store()
    sheet.tables["artifact_cost"][0] = 0
    sheet.tables["artifact_reputation"][0] = wanted
    sheet.state["hand"][0] = 1
    sheet.state["reputation"][0] = has
    sheet.at(Step.ASK_TURN)
    assert (Turn.BUY in sheet.legal) == can


def test_the_almanac_saves_a_coin_each_time() -> None:
    """Rule 49, A-48."""
    sheet = store(almanac_coins=1)
    sheet.tables["artifact_cost"][:2] = (0, 2, 0, 0, 0, 0, 0)
    sheet.state["abilities"][0] = Ability.ALMANAC
    sheet.state["hand"][0] = 0b11
    sheet.give(coin=2)
    sheet.at(Step.ASK_TURN)
    assert sheet.choose(Turn.BUY) == Prompt.BUY
    sheet.choose(1)
    assert sheet.good("coin") == 1
    sheet.choose(Turn.BUY)
    assert sheet.good("coin") == 0
    assert sheet.of("bought") == 0b11


def test_a_forbidden_artifact_stays_in_hand() -> None:
    """The intervention `forbid_artifacts`."""
    sheet = store(forbid_artifacts=(1, 0, 0, 0))
    sheet.tables["artifact_cost"][:2] = 0
    sheet.state["hand"][:2] = 1
    sheet.at(Step.ASK_TURN)
    assert Turn.BUY not in sheet.legal
    sheet.at(Step.ASK_TURN, seat=1)
    assert Turn.BUY in sheet.legal


def test_artifacts_can_be_bought_at_the_end_of_a_turn() -> None:
    """What a turn has earned can be spent in it ("Free actions")."""
    sheet = store()
    sheet.tables["artifact_cost"][0] = (2, 0, 0, 0, 0, 0, 0)
    sheet.state["hand"][0] = 1
    sheet.party(skill=2)
    assert go(sheet, Place.FARM) == Prompt.BUY
    assert sheet.legal == [0, 1]
    sheet.choose(1)
    assert sheet.of("bought") == 1
