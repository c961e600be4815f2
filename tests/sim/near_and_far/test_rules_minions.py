"""Minions of the cooperative mode (rules 62 to 65, A-23, A-45)."""

from __future__ import annotations

import pytest

from sim.near_and_far.state import NO_DUEL, Dig
from tests.sim.near_and_far.team import Effect, Place, Prompt, Step, Tally, Team, reward

pytestmark = pytest.mark.kernel

NEW = 7  # the minion that comes; in the list it stands behind all others


def coming(effect: Effect, place: Place = Place.MINE, *, players: int = 2, amount: int = 1) -> Team:
    """Return a team whose clock will bring a minion."""
    team = Team(players=players)
    team.token(53, swords=54)
    team.minion(NEW, effect, place, amount=amount, town=False)
    return team


# --- when they act (rule 62) ---------------------------------------------------------------------


def test_the_new_minion_acts_and_so_do_those_in_town() -> None:
    """NF-T10: the General Store's comes; each discards an artifact and loses 1 food again."""
    team = coming(Effect.DISCARD_ARTIFACT, Place.GENERAL_STORE)
    team.minion(1, Effect.LOSE_FOOD, Place.FARM)
    team.cards(1, 2, 3)
    team.cards(4, seat=1)
    team.give(food=2)
    team.give(food=1, seat=1)
    assert team.round() == Prompt.DISCARD
    assert team.seat == 0
    assert team.legal == [2, 3, 4]
    assert team.good("food") == 2  # the Farm's acts after the new one
    assert team.choose(3) == Prompt.TURN  # the only card of seat 1 goes unasked
    assert team.of("hand") == 1 << 1 | 1 << 3
    assert team.of("hand", 1) == 0
    assert int(team.state["artifact_discard"]) == 1 << 2 | 1 << 4
    assert [team.good("food", seat) for seat in (0, 1)] == [1, 0]
    assert team.seat == 0


def test_the_first_player_suffers_first() -> None:
    team = coming(Effect.DISCARD_ARTIFACT, Place.GENERAL_STORE)
    team.cards(1, 2)
    team.cards(3, 4, seat=1)
    team.state["first_seat"] = 1
    team.state["turn"] = 4
    assert team.at(Step.NEXT_TURN, seat=0) == Prompt.DISCARD
    assert (team.seat, team.legal) == (1, [4, 5])
    assert team.choose(4) == Prompt.DISCARD
    assert (team.seat, team.legal) == (0, [2, 3])


def test_those_in_town_act_in_the_order_of_their_list() -> None:
    team = coming(Effect.LOSE_REPUTATION, Place.TOWN_HALL)
    team.minion(1, Effect.DISCARD_TREASURE, Place.HUT)
    team.minion(4, Effect.DISCARD_ARTIFACT, Place.GENERAL_STORE)
    team.cards(1, 2)
    team.hold(1, 2)
    assert team.round() == Prompt.TREASURE
    assert team.choose(1) == Prompt.DISCARD


def test_nothing_comes_to_a_space_without_swords() -> None:
    team = coming(Effect.LOSE_FOOD)
    team.token(54)
    team.give(food=2)
    assert team.round() == Prompt.TURN
    assert team.good("food") == 2
    assert int(team.state["minions_drawn"]) == 0


def test_without_the_module_swords_are_a_picture() -> None:
    team = coming(Effect.LOSE_FOOD)
    team.tables["minions"] = 0
    team.give(food=2)
    team.round()
    assert int(team.state["minions_in_town"]) == 0


def test_those_in_town_act_even_if_none_is_left_to_come() -> None:
    team = Team()
    team.token(53, swords=54)
    team.minion(2, Effect.LOSE_FOOD)
    team.give(food=2)
    team.round()
    assert team.good("food") == 1


# --- activated effects (rule 65) -----------------------------------------------------------------


def mine_with_camps(*seats: int) -> Team:
    """Return a team whose mine has a camp of each of these seats, on cards 1, 2, ..."""
    team = coming(Effect.REMOVE_CAMP)
    for card, seat in enumerate(seats, start=1):
        team.mine_card(card, "skill 6")
        team.lay(card, 0, card, camp=seat)
    return team


def test_the_mine_loses_a_camp_that_the_players_choose() -> None:
    """A-23: it goes back to its owner, whose next camp is cheaper; the number is back, too."""
    team = mine_with_camps(0, 1, 1)
    team.state["running"][:2] = 1, 2
    assert team.round() == Prompt.REMOVE_CAMP
    assert team.seat == 0
    assert team.legal == [2, 3, 4]
    assert team.choose(3) == Prompt.TURN
    assert list(team.state["mine_camp"][1:4]) == [1, 0, 2]
    assert team.of("mine_camps", 1) == 1
    assert team.of("tents", 1) == 13
    assert team.of("running", 1) == 1


def test_the_only_camp_of_the_mine_goes_unasked() -> None:
    team = mine_with_camps(1)
    assert team.round() == Prompt.TURN
    assert team.of("mine_camps", 1) == 0


def test_a_mine_without_camps_loses_none() -> None:
    assert mine_with_camps().round() == Prompt.TURN


def test_all_camps_placed_are_no_longer_all() -> None:
    team = mine_with_camps(1)
    team.state["tents"][1] = 0
    team.state["running"][1] = 16
    team.round()
    assert team.of("running", 1) == 13  # the camp's point and the two for all


def test_everybody_discards_a_treasure() -> None:
    team = coming(Effect.DISCARD_TREASURE, Place.HUT, players=3)
    team.hold(1, 2)
    team.hold(4, seat=2, birds=1)
    assert team.round() == Prompt.TREASURE
    assert (team.seat, team.legal) == (0, [1, 2])
    assert team.choose(2) == Prompt.TURN
    assert [team.of("treasures", seat) for seat in range(3)] == [1 << 1, 0, 0]
    assert int(team.state["treasure_discard"]) == 1 << 2 | 1 << 4


def test_treasures_that_no_longer_fit_go_as_well() -> None:
    """A-44, where a treasure itself made room for others."""
    team = coming(Effect.DISCARD_TREASURE, Place.HUT)
    team.hold(1, 2, 3, birds=1, seat=1)
    team.tables["treasure_ability"][3] = 1  # carries the others
    team.state["abilities"][1] = 1
    assert team.round() == Prompt.TREASURE
    assert team.choose(3) == Prompt.TREASURE
    assert (team.seat, team.legal) == (1, [1, 2])
    assert team.choose(1) == Prompt.TURN
    assert team.of("treasures", 1) == 1 << 2


@pytest.mark.parametrize(("held", "amount", "left"), [(3, 1, 2), (3, 2, 1), (1, 2, 0), (0, 1, 0)])
def test_everybody_loses_food(held: int, amount: int, left: int) -> None:
    team = coming(Effect.LOSE_FOOD, Place.FARM, amount=amount)
    team.give(food=held)
    team.give(food=5, seat=1)
    team.round()
    assert team.good("food") == left
    assert team.good("food", 1) == 5 - amount


def test_an_artifact_that_is_bought_stays() -> None:
    team = coming(Effect.DISCARD_ARTIFACT, Place.GENERAL_STORE)
    team.tables["basic_cards"] |= 1 << 7
    team.state["bought"][0] = 1 << 7
    assert team.round() == Prompt.TURN
    assert team.of("bought") == 1 << 7


def test_everybody_loses_reputation() -> None:
    team = coming(Effect.LOSE_REPUTATION, Place.TOWN_HALL)
    team.state["reputation"][:2] = 3, -10
    team.round()
    assert [team.of("reputation", seat) for seat in (0, 1)] == [2, -10]  # the track ends there


def test_the_threat_on_top_goes_without_a_camp_or_points() -> None:
    team = coming(Effect.REMOVE_THREAT, Place.TOWN_HALL)
    team.threats(4, 5)
    team.round()
    assert int(team.state["threat"]) == 1
    assert not team.state["threat_owner"].any()
    assert team.of("tents") == 14
    assert int(team.state["threats_removed"]) == 1


def test_no_threat_is_left_to_go() -> None:
    team = coming(Effect.REMOVE_THREAT, Place.TOWN_HALL)
    team.threats(4)
    team.state["threat"] = 1
    team.state["threat_owner"][0] = 1
    team.round()
    assert int(team.state["threat"]) == 1
    assert int(team.state["threats_removed"]) == 0


# --- standing effects ----------------------------------------------------------------------------


def test_pack_animals_cost_a_coin_more() -> None:
    team = Team(birds_per_visit=3)
    team.minion(0, Effect.BIRD_COINS, Place.STABLES)
    team.give(food=3, coin=2)
    team.turn()
    assert team.choose(Place.STABLES) == Prompt.MINION
    assert team.choose(0) == Prompt.STABLES
    assert team.legal == [0, 1, 2]  # food for three, coins for two
    team.choose(2)
    assert (team.good("food"), team.good("coin"), team.of("birds")) == (1, 0, 2)


def test_a_standing_effect_does_not_act_at_swords() -> None:
    team = coming(Effect.BIRD_COINS, Place.STABLES)
    team.give(coin=2)
    assert team.round() == Prompt.TURN
    assert team.good("coin") == 2
    assert int(team.state["minions_in_town"]) == 1 << NEW


def test_recruiting_costs_reputation() -> None:
    team = Team()
    team.minion(0, Effect.RECRUIT_REPUTATION, Place.SALOON)
    team.state["place"][0] = Place.FARM
    team.tables["track_size"] = 1
    team.state["track"][0] = 1 + 5
    team.tables["member_cost"][5] = 2
    team.give(coin=3)
    team.turn()
    team.choose(Place.SALOON)
    assert team.choose(0) == Prompt.RECRUIT
    team.choose(1)
    assert team.of("reputation") == -1
    assert team.of("members") >> 5 & 1


# --- fights (rules 63 and 64) --------------------------------------------------------------------


def at_farm(*, die: int, skill: int = 2, combat: int = 0, hearts: int = 0) -> Team:
    """Return a team with a minion on the Farm that seat 0 visits; need 6 by skill, 7 by swords."""
    team = Team()
    team.minion(0, Effect.LOSE_REPUTATION)
    team.party(skill=skill, combat=combat, hearts=5)
    team.state["hearts"][0] = hearts
    team.luck(die=die)
    team.turn()
    assert team.choose(Place.FARM) == Prompt.MINION
    return team


def test_a_minion_can_be_ignored() -> None:
    team = at_farm(die=1)
    assert team.legal == [0, 1, 2]  # skill, swords
    team.choose(0)
    assert team.of("place") == Place.FARM
    assert team.good("food") == 2
    assert int(team.state["tally"][0, Tally.MINION_FIGHTS]) == 0


def test_a_success_covers_the_kind_and_lets_one_in() -> None:
    team = at_farm(die=4)
    team.choose(1)
    assert list(team.state["minion_covered"][:1]) == [1]
    assert int(team.state["minions_in_town"]) == 1
    assert team.of("place") == Place.FARM
    assert team.good("food") == 2
    assert team.good("coin") == 0  # the coin lies on the card
    assert team.of("reputation") == 0


def test_a_failure_leads_to_jail() -> None:
    team = at_farm(die=3)
    assert team.choose(1) == Prompt.TURN
    assert team.seat == 1  # the turn is over
    assert team.of("place") == Place.JAIL
    assert team.good("food") == 0
    assert int(team.state["minion_covered"][0]) == 0


def test_swords_count_for_the_other_number() -> None:
    team = at_farm(die=4, skill=0, combat=3)
    team.choose(2)
    assert int(team.state["minion_covered"][0]) == 2


def test_hearts_help_as_in_quests() -> None:
    team = at_farm(die=3, hearts=2)
    assert team.choose(1) == Prompt.AFTER_ROLL
    team.choose(1)
    assert int(team.state["minion_covered"][0]) == 1
    assert team.of("hearts") == 1


def half_beaten(kind: int, turn: int) -> Team:
    """Return a team at the Farm whose minion was beaten once, in a turn (now is turn 3)."""
    team = Team()
    team.minion(0, Effect.LOSE_REPUTATION, reputation=2, gem=1)
    team.state["minion_covered"][0] = kind
    team.state["minion_turn"][0] = turn
    team.party(skill=3, combat=3, hearts=5)
    team.luck(die=6)
    return team


def test_whoever_does_the_second_gets_coins_and_reward() -> None:
    """Two kinds on two different turns (rule 64): both coins and what the card gives."""
    team = half_beaten(1, 2)
    team.turn()
    assert team.choose(Place.FARM) == Prompt.MINION
    assert team.legal == [0, 2]  # skill is covered
    team.choose(2)
    assert int(team.state["minions_in_town"]) == 0
    assert int(team.state["minions_beaten"]) == 1
    assert (team.good("coin"), team.good("gem"), team.of("reputation")) == (2, 1, 2)
    assert team.of("place") == Place.FARM
    assert int(team.state["tally"][0, Tally.MINIONS_BEATEN]) == 1


def test_not_both_kinds_in_one_turn() -> None:
    team = half_beaten(2, 3)
    team.turn()
    assert team.choose(Place.FARM) != Prompt.MINION
    assert team.of("place") == Place.FARM


def test_a_beaten_minion_stays_away() -> None:
    team = half_beaten(2, 1)
    team.turn()
    team.choose(Place.FARM)
    team.choose(1)
    team.token(53, swords=54)
    team.round()
    assert team.of("reputation", 1) == 0


def test_two_minions_of_the_town_hall() -> None:
    """A-45: one of them a visit."""
    team = Team()
    team.minion(2, Effect.LOSE_REPUTATION, Place.TOWN_HALL)
    team.minion(5, Effect.REMOVE_THREAT, Place.TOWN_HALL)
    team.party(skill=3, combat=3, hearts=5)
    team.luck(die=6)
    team.turn()
    team.choose(Place.TOWN_HALL)
    assert team.legal == [0, 1, 2, 3, 4]
    team.choose(4)
    assert list(team.state["minion_covered"][[2, 5]]) == [0, 2]
    assert team.of("place") == Place.TOWN_HALL


def test_other_buildings_are_free() -> None:
    team = Team()
    team.minion(0, Effect.LOSE_FOOD, Place.FARM)
    team.turn()
    assert team.choose(Place.STABLES) != Prompt.MINION


def test_a_minion_and_a_mate_in_one_building() -> None:
    """First the minion, then the duel that `coop_duels` allows, then the visit."""
    team = Team(coop_duels=1)
    team.minion(0, Effect.LOSE_REPUTATION)
    team.party(skill=3, hearts=5)
    team.luck(die=6)
    team.state["place"][1] = Place.FARM
    team.turn()
    assert team.choose(Place.FARM) == Prompt.MINION
    assert team.choose(1) == Prompt.DUEL
    team.choose(NO_DUEL)
    assert (team.of("place"), team.good("food")) == (Place.FARM, 3)


def test_the_reward_can_be_a_treasure() -> None:
    """What does not fit is asked before the visit goes on."""
    team = half_beaten(1, 2)
    team.tables["minion_reward"][0] = reward(treasure=1)
    team.hold(1, birds=1)
    team.tables["treasure_cards"] |= 1 << 3
    team.state["treasure_deck"] = 1 << 3
    team.turn()
    team.choose(Place.FARM)
    assert team.choose(2) == Prompt.TREASURE
    team.choose(0)
    assert team.of("place") == Place.FARM
    assert team.good("food") == 3


def test_a_card_that_lost_its_camp_has_its_number_again() -> None:
    """A-23: whoever comes to it must roll."""
    team = mine_with_camps(1)
    team.round()
    team.luck(die=1)
    assert team.choose(Place.MINE) == Prompt.MINION  # the one that has just come
    assert team.choose(0) == Prompt.MINE_MOVE
    team.choose(Dig.RIGHT)
    assert team.in_mine() == 0
    assert int(team.state["tally"][0, Tally.MINE_BACK]) == 1
