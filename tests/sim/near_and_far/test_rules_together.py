"""The cooperative mode (rules 54 to 61, A-1, A-5, A-6, A-7, A-38 to A-40, A-46)."""

from __future__ import annotations

import pytest

from sim.game import load_game
from sim.near_and_far.state import (
    GIFT_BIRD,
    GIFT_TREASURE,
    GIFTS,
    NO_DUEL,
    NO_GAP,
    Ability,
    Dig,
    EndTrigger,
    Face,
    Good,
    Spell,
    Status,
    Stream,
    Turn,
    Walk,
)
from tests import contract as checks
from tests.contract import FIRST_DEAL, Session, bits
from tests.oracles import Luck
from tests.sim.near_and_far.contract import TEAM, VARIANTS, contract, make_tables
from tests.sim.near_and_far.sheet import SEED, word
from tests.sim.near_and_far.team import Place, Prompt, Step, Tally, Team

pytestmark = pytest.mark.kernel


def started(players: int = 2, **patches: object) -> Session:
    """Return a cooperative game with the shipped content at its first decision."""
    session = Session(load_game("near_and_far"), make_tables(players, **TEAM, **patches))
    session.open()
    return session


# --- set-up (rules 54 to 57) ---------------------------------------------------------------------


@pytest.mark.parametrize(("players", "tokens"), [(2, 8), (3, 12), (4, 16)])
def test_quests_and_bosses(players: int, tokens: int) -> None:
    """NF-T14: 4 quests a player; A-6: a boss for each."""
    session = started(players)
    assert len(bits(session.state["tokens"])) == tokens
    assert len(bits(session.state["bosses"])) == players
    assert session.state["bosses_left"] == session.state["bosses"]
    assert int(session.tables["failed_stay"]) == 1
    assert int(session.tables["end_trigger"]) == EndTrigger.CAMPS
    assert int(session.tables["dummy"]) == 0


@pytest.mark.parametrize("count", [1, 3])
def test_another_number_of_bosses(count: int) -> None:
    session = started(together__bosses=count)
    assert len(bits(session.state["bosses"])) == count


def test_bosses_are_drawn_at_random() -> None:
    drawn = set()
    for deal in range(8):
        session = Session(load_game("near_and_far"), make_tables(2, **TEAM), deal=deal)
        session.open()
        drawn.add(int(session.state["bosses"]))
    assert len(drawn) > 2


def test_six_and_two_artifacts_and_no_draft() -> None:
    """Rule 55: each keeps any number; nothing is handed around."""
    session = started(2)
    asked: list[tuple[int, int]] = []
    kept = {0: 0, 1: 0}
    while session.prompt != Prompt.TURN:
        assert session.prompt != Prompt.DRAFT
        if session.prompt == Prompt.KEEP:
            seat, size = session.seat, int(session.state["offer_size"])
            asked.append((seat, size))
            assert session.legal == list(range(1 << size))  # any of them, or all, or none
            for card in session.state["offer"][:size]:
                assert int(session.state["seen"][seat]) >> (int(card) - 1) & 1
            choice = session.legal[-1] if seat == 0 else 1
            kept[seat] += choice.bit_count()
            session.choose(choice)
        else:
            session.choose(session.legal[0])
    assert asked == [(0, 2), (1, 2), (0, 5), (0, 1), (1, 5), (1, 1)]
    assert kept == {0: 8, 1: 3}
    for seat in (0, 1):
        assert len(bits(session.state["hand"][seat])) == kept[seat]
    assert not session.state["pack"].any()
    assert len(bits(session.state["artifact_discard"])) == 5


@pytest.mark.parametrize(
    ("difficulty", "players", "start"),
    [
        *(("sun", 2, 36), ("sun", 3, 38), ("sun", 4, 38)),
        *(("moon", 2, 51), ("moon", 3, 46), ("moon", 4, 46)),
    ],
)
def test_where_the_token_starts(difficulty: str, players: int, start: int) -> None:
    """Rule 54; A-40: it moves in the first round, too."""
    session = started(players, switches__difficulty=difficulty)
    assert int(session.state["time_value"]) == start
    while session.prompt != Prompt.TURN:
        session.choose(session.legal[0])
    assert int(session.state["time_value"]) == start + 1


@pytest.mark.parametrize("start", [31, 57, 72])
def test_a_start_of_ones_own(start: int) -> None:
    session = started(3, together__start=start, switches__difficulty="moon")
    assert int(session.state["time_value"]) == start


@pytest.mark.parametrize("label", ["together", "together, other readings"])
def test_standing_orders_of_a_team(label: str) -> None:
    """They play the same game as the lowest choices do."""
    checks.check_standing_orders(contract(), VARIANTS[label]())


def test_hands_of_mates_are_hidden() -> None:
    checks.check_hide(contract(), VARIANTS["together, other readings"](), seed=3, deal=1)


# --- the clock (rule 58) -------------------------------------------------------------------------


def test_the_token_moves_in_the_first_players_turns_only() -> None:
    team = Team(players=3)
    team.token(53)
    team.round()
    assert int(team.state["time_value"]) == 54
    for seat in (0, 1):
        team.at(Step.NEXT_TURN, seat=seat)
        assert int(team.state["time_value"]) == 54


def test_the_token_follows_the_lines() -> None:
    """The track is a graph: two ways can meet, and the swords are those of the way taken."""
    team = Team()
    team.tables["time_next"][0] = 7  # from 50 past 51 to 56
    team.token(50, swords=57)
    team.tables["time_swords"] |= 1 << 1
    team.round()
    assert int(team.state["time_value"]) == 57


@pytest.mark.parametrize("bosses", [0, 1])
def test_the_skull_loses_at_once(bosses: int) -> None:
    """Rule 61, whatever the points and the bosses are; no turn is played any more."""
    team = Team()
    team.token(60)
    team.bosses(*[8] * bosses)
    team.state["journey"][:2] = 200, 200
    assert team.round() == Prompt.GAME_OVER
    assert not team.won
    assert int(team.state["winner"]) == -1
    assert int(team.state["status"]) == Status.WON  # decided
    assert int(team.state["skull"]) == 1
    assert int(team.state["time_value"]) == 60
    assert list(team.state["total"][:2]) == [200, 200]


def test_how_far_the_team_is_gets_noted() -> None:
    team = Team()
    team.state["team_gap"] = NO_GAP
    team.token(54)
    team.bosses(8, 9, left=1)
    team.state["running"][:2] = 20, 25
    team.state["turn"] = 16  # eight rounds are over
    team.at(Step.NEXT_TURN, seat=1)
    assert int(team.state["team_gap"][1]) == 45 - 108
    assert int(team.state["team_bosses"][1]) == 1
    assert int(team.state["team_gap"][0]) == NO_GAP


# --- the end (rule 61, A-5) ----------------------------------------------------------------------


def ended(*totals: int, left: int, **numbers: int) -> Team:
    """Return a game that ends with the token on 57 and these points."""
    team = Team(players=len(totals), **numbers)
    team.token(57)
    team.bosses(12, 13, left=left)
    team.finish(*totals)
    return team


@pytest.mark.parametrize("at_least", [0, 1])
def test_points_are_not_enough_without_all_bosses(at_least: int) -> None:
    """NF-T8: 60 and 55 on 57 are 115 of 114, but one boss is not beaten."""
    team = ended(60, 55, left=1, coop_at_least=at_least)
    assert not team.won
    assert int(team.state["winner"]) == -1
    assert int(team.state["status"]) == Status.WON


@pytest.mark.parametrize(
    ("totals", "at_least", "won"),
    [((60, 55), 0, True), ((60, 54), 0, False), ((60, 54), 1, True), ((60, 53), 1, False)],
)
def test_all_bosses_and_more_points_win(totals: tuple[int, int], at_least: int, won: bool) -> None:
    """NF-T9: 115 against 114 wins; 114 loses, unless as many are read as enough (A-5)."""
    team = ended(*totals, left=0, coop_at_least=at_least)
    assert team.won == won
    assert int(team.state["winners"]) == (0b11 if won else 0)
    assert int(team.state["winner"]) == (0 if won else -1)


def test_the_points_needed_grow_with_the_players() -> None:
    assert not ended(60, 60, 51, left=0).won
    assert ended(60, 60, 52, left=0).won


def test_one_player_may_have_next_to_nothing() -> None:
    assert ended(-3, 118, left=0).won


# --- quests and buildings (rules 57 and 60) ------------------------------------------------------


@pytest.mark.parametrize(("die", "stays"), [(1, True), (6, False)])
def test_failed_quests_stay(die: int, stays: bool) -> None:
    team = Team("t-a")
    team.party(skill=2, hearts=1)
    space = team.space("a")
    team.state["tokens"] = 1 << space
    team.tables["quest_need"][space] = 8
    team.stand("a", movement=0, hearts=0)
    team.luck(die=die)
    assert team.at(Step.ASK_MOVE) == Prompt.QUEST
    team.choose(1)
    assert bool(team.state["tokens"]) == stays


def test_buildings_are_shared() -> None:
    team = Team()
    team.state["place"][1] = Place.FARM
    team.party(skill=2)
    team.turn()
    assert team.choose(Place.FARM) != Prompt.DUEL
    assert list(team.state["place"][:2]) == [Place.FARM, Place.FARM]
    assert team.good("food") == 2


@pytest.mark.parametrize("choice", [NO_DUEL, 2])
def test_duels_by_choice(choice: int) -> None:
    """Rule 60, with the switch: share the building, or fight for it all the same."""
    team = Team(coop_duels=1, honest_reputation=1)
    team.state["place"][1] = Place.FARM
    team.party(skill=2, combat=9)
    team.turn()
    assert team.choose(Place.FARM) == Prompt.DUEL
    assert team.legal == [2, 3, NO_DUEL]
    team.choose(choice)
    assert team.of("place") == Place.FARM
    assert team.of("reputation") == (choice != NO_DUEL)


# --- gifts (rule 59, A-46) -----------------------------------------------------------------------


def gift(mate: int, what: int) -> int:
    """Return the choice of GIVE."""
    return 1 + GIFTS * mate + what


def in_town(players: int = 2, **numbers: int) -> Team:
    """Return a team in town: seat 0 in the Saloon, seat 1 on the Farm, seat 2 in Jail."""
    team = Team("t-a a-b", players, **numbers)
    team.state["place"][:3] = (Place.SALOON, Place.FARM, Place.JAIL)
    return team


@pytest.mark.parametrize("good", Good)
def test_goods_change_hands(good: Good) -> None:
    """One at a time, and as many as there are; none is lost or made."""
    team = in_town()
    team.state["goods"][0, good] = 2
    team.state["goods"][1, good] = 1
    assert team.turn() == Prompt.TURN
    assert team.choose(Turn.GIVE) == Prompt.GIVE
    assert team.legal == [0, gift(0, good)]
    assert team.choose(gift(0, good)) == Prompt.GIVE
    assert list(team.state["goods"][:2, good]) == [1, 2]
    assert team.choose(gift(0, good)) == Prompt.TURN  # nothing is left to give
    assert list(team.state["goods"][:2, good]) == [0, 3]
    assert Turn.GIVE not in team.legal
    assert list(team.state["tally"][:2, Tally.GIFTS]) == [2, 0]
    assert list(team.state["tally"][:2, Tally.GIFTS_TAKEN]) == [0, 2]


def test_mates_sit_to_the_left_and_the_town_is_one_place() -> None:
    team = in_town(3)
    team.give(coin=3, seat=1)
    assert team.turn(1) == Prompt.TURN
    team.choose(Turn.GIVE)
    assert team.legal == [0, gift(0, Good.COIN), gift(1, Good.COIN)]
    team.choose(gift(0, Good.COIN))
    team.choose(gift(1, Good.COIN))
    assert [team.good("coin", seat) for seat in range(3)] == [1, 1, 1]


def test_once_done_nothing_more_is_given_there() -> None:
    team = in_town()
    team.give(coin=2)
    team.turn()
    team.choose(Turn.GIVE)
    assert team.choose(0) == Prompt.TURN
    assert Turn.GIVE not in team.legal
    team.state["turn"] += 2
    team.turn()
    assert Turn.GIVE in team.legal


@pytest.mark.parametrize("where", ["on the map", "not there yet"])
def test_nobody_is_at_the_same_place(where: str) -> None:
    team = in_town()
    team.give(coin=2)
    if where == "on the map":
        team.stand("t", movement=0, hearts=0, seat=1)
    else:
        team.state["place"][1] = Place.NOWHERE
    team.turn()
    assert Turn.GIVE not in team.legal


def test_only_the_active_player_gives() -> None:
    team = in_town()
    team.give(coin=2, seat=1)
    team.turn()
    assert Turn.GIVE not in team.legal


def test_gifts_on_a_space_of_the_map() -> None:
    """Before moving and once one has come to somebody's space."""
    team = in_town()
    team.give(food=1)
    team.stand("a", movement=2, hearts=5)
    team.stand("b", movement=2, hearts=5, seat=1)
    team.at(Step.ASK_MOVE)
    assert Walk.GIVE not in team.legal
    road = next(n for n in range(2) if team.tables["road_to"][team.space("a"), n] - 1 == 2)
    team.choose(Walk.ROAD + road)
    assert Walk.GIVE in team.legal
    assert team.choose(Walk.GIVE) == Prompt.GIVE
    assert team.choose(gift(0, Good.FOOD)) == Prompt.MOVE
    assert team.good("food", 1) == 1


def test_on_the_map_gifts_are_over_for_that_space_only() -> None:
    team = in_town(3)
    team.give(food=2)
    team.stand("b", movement=2, hearts=5, seat=1)
    team.stand("t", movement=2, hearts=5, seat=2)
    team.stand("b", movement=3, hearts=5)
    team.at(Step.ASK_MOVE)
    team.choose(Walk.GIVE)
    assert team.choose(0) == Prompt.MOVE
    assert Walk.GIVE not in team.legal
    team.choose(Walk.ROAD)  # to a, where nobody is
    assert Walk.GIVE not in team.legal
    team.choose(Walk.ROAD)  # to the town's space, and a mate
    assert Walk.GIVE in team.legal


def test_nothing_is_given_in_the_mine() -> None:
    team = in_town()
    team.give(coin=2)
    team.mine_card(1)
    team.lay(1, 0, 1)
    team.turn()
    assert team.choose(Place.MINE) == Prompt.MINE_MOVE
    assert team.legal == [Dig.LEAVE, Dig.RIGHT]


def test_no_artifacts_are_given() -> None:
    """Rule 55."""
    team = in_town()
    team.cards(1, 2)
    team.turn()
    assert Turn.GIVE not in team.legal


def test_who_may_not_give() -> None:
    team = in_town(forbid_gifts=[1, 0, 0, 0])
    team.give(coin=2)
    team.give(coin=2, seat=1)
    team.turn()
    assert Turn.GIVE not in team.legal
    team.turn(1)
    assert Turn.GIVE in team.legal


@pytest.mark.parametrize(
    ("birds", "held", "theirs", "given"),
    [
        *((1, 0, 0, True), (3, 2, 2, True), (0, 0, 0, False)),
        (1, 1, 0, False),  # its treasure would have no place
        (1, 0, 3, False),  # three are the most
    ],
)
def test_pack_birds(birds: int, held: int, theirs: int, given: bool) -> None:
    team = in_town()
    team.hold(*range(1, held + 1), birds=birds)
    team.state["birds"][1] = theirs
    team.state["treasures"][1] = sum(1 << (10 + n) for n in range(theirs))  # no room for more
    team.turn()
    assert (Turn.GIVE in team.legal) == given
    if given:
        team.choose(Turn.GIVE)
        assert gift(0, GIFT_BIRD) in team.legal
        team.choose(gift(0, GIFT_BIRD))
        assert list(team.state["birds"][:2]) == [birds - 1, theirs + 1]


def test_treasures() -> None:
    """The lowest first; their symbols go along, and hearts that are no longer there (rule 52)."""
    team = in_town()
    team.hold(2, 5)
    team.tables["treasure_symbols"][5] = word(combat=2, hearts=1)
    team.state["card_symbols"][0] = word(combat=2, hearts=1)
    team.party(hearts=2)
    team.state["hearts"][0] = 3
    team.state["birds"][1] = 1
    team.turn()
    team.choose(Turn.GIVE)
    assert [n for n in team.legal if n > gift(0, GIFT_BIRD)] == [9, 10]
    team.choose(gift(0, GIFT_TREASURE + 1))
    assert list(team.state["treasures"][:2]) == [1 << 2, 1 << 5]
    assert list(team.state["card_symbols"][:2]) == [0, word(combat=2, hearts=1)]
    assert team.of("hearts") == 2
    assert gift(0, GIFT_TREASURE) not in team.legal  # no room is left


def test_a_treasure_that_carries_others() -> None:
    """What no longer fits once it is given goes at once (A-44)."""
    team = in_town()
    team.hold(2, 5, birds=1)
    team.tables["treasure_ability"][5] = Ability.MERCHANT_PACK
    team.state["abilities"][0] = Ability.MERCHANT_PACK
    team.hold(7, birds=0)
    team.state["birds"][1] = 1
    team.turn()
    team.choose(Turn.GIVE)
    assert team.choose(gift(0, GIFT_TREASURE + 1)) == Prompt.TREASURE
    assert team.choose(1) == Prompt.TURN  # one is chosen, the other goes unasked
    assert list(team.state["treasures"][:2]) == [0, 1 << 5]
    assert team.of("abilities", 1) == Ability.MERCHANT_PACK


# --- bosses (rule 56, A-7, A-38, A-39) -----------------------------------------------------------


def at_boss(die: int, *, combat: int = 6, hearts: int = 0) -> Team:
    """Return a team whose seat 0 ends its move on the space of the first of two bosses, of 10."""
    team = Team("t-a a-b")
    team.bosses(10, 12, spaces="ab")
    team.party(combat=combat, hearts=5)
    team.stand("a", movement=0, hearts=hearts)
    team.luck(die=die)
    assert team.at(Step.ASK_MOVE) == Prompt.BOSS
    return team


def test_a_beaten_boss_gets_a_camp() -> None:
    """It is worth the camp's point only (A-39)."""
    team = at_boss(4)
    assert team.legal == [0, 1]
    team.choose(1)
    assert int(team.state["bosses_left"]) == 0b10
    assert list(team.state["boss_owner"][:2]) == [1, 0]
    assert (team.of("boss_camps"), team.of("tents"), team.of("running")) == (1, 13, 1)
    assert list(team.state["tally"][0, [Tally.BOSS_FIGHTS, Tally.BOSSES_BEATEN]]) == [1, 1]


def test_the_space_of_a_beaten_boss_can_be_camped_on() -> None:
    team = at_boss(4, hearts=3)
    assert team.choose(1) == Prompt.CAMP
    assert team.legal == [0, 1]
    assert team.of("hearts") == 3


def test_a_lost_fight_costs_nothing_more() -> None:
    """The space can be camped on as usual."""
    team = at_boss(3, hearts=3, combat=3)
    assert team.choose(1) == Prompt.CAMP
    assert int(team.state["bosses_left"]) == 0b11
    assert (team.of("hearts"), team.of("tents")) == (3, 14)
    team.choose(1)
    assert team.of("map_camps") == 1 << team.space("a")


def test_hearts_count_against_bosses() -> None:
    team = at_boss(3, hearts=3)
    assert team.choose(1) == Prompt.AFTER_ROLL
    team.choose(1)
    assert int(team.state["bosses_left"]) == 0b10
    assert team.of("hearts") == 2


def test_a_boss_can_be_left_alone_and_is_offered_once() -> None:
    team = at_boss(6)
    assert team.choose(0) == Prompt.TURN
    assert team.seat == 1
    assert int(team.state["bosses_left"]) == 0b11


def test_other_spaces_have_no_boss() -> None:
    team = at_boss(6)
    team.state["bosses_left"] = 0b10
    assert team.at(Step.ASK_MOVE) != Prompt.BOSS


def test_a_boss_comes_after_the_quest_and_before_the_camp() -> None:
    team = Team("t-a")
    team.bosses(10, spaces="a")
    team.party(combat=6, skill=6, hearts=5)
    team.state["tokens"] = 1 << 1
    team.tables["quest_need"][1] = 3
    team.stand("a", movement=0, hearts=3)
    assert team.at(Step.ASK_MOVE) == Prompt.QUEST
    assert team.choose(1) == Prompt.BOSS
    assert team.choose(0) == Prompt.CAMP


def test_no_camp_is_left_for_the_boss() -> None:
    """A-38: it is beaten all the same."""
    team = at_boss(6)
    team.state["tents"][0] = 0
    team.choose(1)
    assert int(team.state["bosses_left"]) == 0b10
    assert team.of("boss_camps") == 0


def test_the_last_camp_on_a_boss_ends_the_game() -> None:
    team = at_boss(6)
    team.state["tents"][0] = 1
    team.choose(1)
    assert int(team.state["ending"]) == 1 + EndTrigger.CAMPS


def on_road(die: int = 0, *, threats: int = 0, caution: int = 0) -> Team:
    """Return a team that reads A-7 the other way: seat 0 before a road with a threat symbol."""
    team = Team("t-a!", bosses_as_threats=1)
    team.threats(*[4] * threats)
    team.bosses(10, 12)
    team.party(combat=6, hearts=5, caution=caution)
    team.stand("t", movement=2, hearts=0)
    if die:
        team.luck(die=die)
    team.at(Step.ASK_MOVE)
    return team


def test_after_the_last_threat_comes_the_first_boss() -> None:
    team = on_road(4)
    team.choose(Walk.ROAD)
    assert int(team.state["bosses_left"]) == 0b10
    assert team.of("space") == team.space("a")
    assert team.of("boss_camps") == 1


def test_a_boss_on_the_road_that_is_not_beaten() -> None:
    """The movement ends where it was, as with threats (A-10)."""
    team = on_road(3)
    team.choose(Walk.ROAD)
    assert int(team.state["bosses_left"]) == 0b11
    assert team.of("space") == team.space("t")
    assert team.seat == 1


def test_a_boss_on_the_road_can_be_passed() -> None:
    team = on_road(caution=1)
    assert team.choose(Walk.ROAD) == Prompt.THREAT
    team.choose(Face.CAUTION)
    assert team.of("space") == team.space("a")
    assert int(team.state["bosses_left"]) == 0b11


def test_threats_come_first() -> None:
    team = on_road(1, threats=1)
    team.choose(Walk.ROAD)
    assert int(team.state["threat"]) == 1
    assert int(team.state["bosses_left"]) == 0b11


def test_no_boss_is_left_on_the_road() -> None:
    """A-42."""
    team = on_road()
    team.state["bosses_left"] = 0
    team.choose(Walk.ROAD)
    assert team.of("space") == team.space("a")
    assert int(team.state["tally"][0, Tally.BOSS_FIGHTS]) == 0


def test_spells_help_against_bosses() -> None:
    team = at_boss(3)
    team.spells(Spell.SUMMON_IMP)
    assert team.choose(1) == Prompt.AFTER_ROLL
    team.choose(3 + Spell.SUMMON_IMP)
    assert int(team.state["bosses_left"]) == 0b10


def test_the_die_against_a_boss_is_an_ordinary_roll() -> None:
    """Its address is that of any roll of the turn, so luck is shared with a threat's."""
    team = Team("t-a")
    team.bosses(30, spaces="a")
    team.stand("a", movement=0, hearts=0)
    team.backstage["base"] = 5 << FIRST_DEAL
    team.at(Step.ASK_MOVE)
    turn = int(team.state["turn"])
    team.choose(1)
    assert int(team.state["die"]) == Luck(SEED).die(5, Stream.ROLL, turn << 8, 6)
