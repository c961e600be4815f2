"""The end of the game: journey points by source, and who wins (section 6; rules 23, 35, 43, 50)."""

from __future__ import annotations

import pytest

from sim.near_and_far.scoring import finish, score
from sim.near_and_far.state import Ability, Faction, Good, Source, Status
from tests.contract import bits
from tests.sim.near_and_far.sheet import Sheet

pytestmark = pytest.mark.kernel


def points(sheet: Sheet, source: Source) -> list[int]:
    """Score the game as it stands; return every seat's points from a source."""
    sheet.call(score, "state tables")
    seats = int(sheet.tables["players"])
    return [int(sheet.state["points"][seat, source]) for seat in range(seats)]


def with_amber(*amounts: int) -> Sheet:
    """Return a game in which each seat has a camp on a card with so much amber."""
    sheet = Sheet(players=len(amounts))
    for seat, amount in enumerate(amounts):
        sheet.mine_card(1 + seat, amber=amount)
        sheet.lay(1 + seat, 0, 1 + seat, camp=seat)
    return sheet


# --- amber ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amber", "expected"),
    [
        pytest.param((5, 5, 3, 0), [5, 5, 3, 0], id="NF-T16"),
        pytest.param((7, 4, 4, 1), [5, 3, 3, 0], id="NF-T17"),
        pytest.param((2, 2, 2, 2), [5, 5, 5, 5], id="all tied"),
        pytest.param((0, 0, 0, 0), [0, 0, 0, 0], id="none"),
        pytest.param((3, 0, 0, 0), [5, 0, 0, 0], id="nobody second"),
        pytest.param((1, 2, 3, 4), [0, 0, 3, 5], id="third and fourth"),
        pytest.param((2, 6), [3, 5], id="two players, A-16"),
        pytest.param((0, 6), [0, 5], id="two players, none"),
    ],
)
def test_amber(amber: tuple[int, ...], expected: list[int]) -> None:
    """NF-T16, NF-T17, A-15, A-16: most 5, second most 3, each when tied; nothing for none."""
    assert points(with_amber(*amber), Source.AMBER) == expected


def test_a_pouch_decides() -> None:
    """NF-T20: three amber while it is held."""
    sheet = with_amber(4, 5)
    sheet.tables["treasure_amber"][0] = 3
    sheet.tables["treasure_cards"] = 1
    sheet.state["treasures"][0] = 1
    assert points(sheet, Source.AMBER) == [5, 3]
    assert sheet.of("amber") == 7
    sheet.state["treasures"][0] = 0
    assert points(sheet, Source.AMBER) == [3, 5]
    assert sheet.of("amber") == 4


def test_amber_without_the_module() -> None:
    """Rule 35 belongs to the Amber Mines."""
    sheet = with_amber(4, 5)
    sheet.tables["amber_mines"] = 0
    assert points(sheet, Source.AMBER) == [0, 0]


# --- magic ----------------------------------------------------------------------------------------


def test_no_magic() -> None:
    """NF-T18: nobody has any: no points for being furthest."""
    sheet = Sheet()
    assert points(sheet, Source.MAGIC) == [0, 0]
    assert points(sheet, Source.SPELLS) == [0, 0]


def test_magic_and_spells() -> None:
    """NF-T19: magic 9, 9, 4 and spells 2, 1, 0: 4, 3, 0; face up or down makes no difference."""
    sheet = Sheet(players=3)
    sheet.state["magic"][:3] = (9, 9, 4)
    sheet.state["spells"][:2] = (0b1001, 0b0100)
    sheet.state["spells_up"][0] = 0b0001
    furthest, spells = points(sheet, Source.MAGIC), points(sheet, Source.SPELLS)
    assert [a + b for a, b in zip(furthest, spells, strict=True)] == [4, 3, 0]
    assert furthest == [2, 2, 0]


# --- treasures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("treasures", "birds", "pack", "expected"),
    [(3, 3, False, 5), (3, 1, True, 5), (3, 1, False, 0), (2, 3, True, 0), (2, 3, False, 0)],
)
def test_three_treasures(treasures: int, birds: int, pack: bool, expected: int) -> None:
    """NF-T21: with three birds, or with a Merchant Pack and whatever birds there are."""
    sheet = Sheet()
    sheet.state["treasures"][0] = (1 << treasures) - 1
    sheet.state["birds"][0] = birds
    if pack:
        sheet.tables["artifact_ability"][4] = Ability.MERCHANT_PACK
        sheet.state["bought"][0] = 1 << 4
        sheet.state["abilities"][0] = Ability.MERCHANT_PACK
    assert points(sheet, Source.TREASURE_SET) == [expected, 0]


def test_points_printed_on_cards() -> None:
    """6.1, 6.2, 6.4: artifacts bought, minus one for each in hand, treasures, threats."""
    sheet = Sheet()
    sheet.threats(4, 6, 9)
    sheet.tables["artifact_points"][2:5] = (3, 4, 9)
    sheet.tables["treasure_points"][1] = 2
    sheet.state["bought"][0] = 0b01100
    sheet.state["hand"][0] = 0b10011
    sheet.state["treasures"][0] = 0b11
    sheet.state["threat_owner"][:2] = (1, 2)
    assert points(sheet, Source.ARTIFACTS) == [7, 0]
    assert points(sheet, Source.UNBOUGHT) == [-3, 0]
    assert points(sheet, Source.TREASURES) == [2, 0]
    assert points(sheet, Source.THREATS) == [2, 3]


# --- camps and routes -----------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "camps", "all_"), [(14, 0, 0), (1, 13, 0), (0, 14, 2)])
def test_camps(left: int, camps: int, all_: int) -> None:
    """6.3: a point each wherever they stand, two more for all of them."""
    sheet = Sheet()
    sheet.state["tents"][1] = left
    assert points(sheet, Source.CAMPS) == [0, camps]
    assert points(sheet, Source.ALL_CAMPS) == [0, all_]


def test_trade_routes() -> None:
    """Rule 23: alone, jointly, half a route, no route of this resource on the map."""
    sheet = Sheet("t-a a-b b-c c-d d-e e-f", players=3)
    names = [("a", "b"), ("c", "d"), ("e", "f")]
    for resource, pair in enumerate(names):
        sheet.tables["route_space"][resource] = [sheet.space(name) for name in pair]
    sheet.tables["route_alone"] = (4, 5, 6, 7)
    sheet.tables["route_joint"] = (2, 3, 1, 7)
    sheet.camps("ab", seat=0)
    sheet.camps("c", seat=1)
    sheet.camps("d", seat=2)
    sheet.camps("e", seat=1)
    assert points(sheet, Source.ROUTES) == [4, 3, 3]
    sheet.camps("f", seat=0)
    assert points(sheet, Source.ROUTES) == [5, 4, 3]
    assert sheet.state["route_share"][0] == 1


# --- quests, keywords, talents --------------------------------------------------------------------


def test_rewards_keywords_and_talents() -> None:
    """6.6, rule 67: journey points of rewards, keywords for good or ill, Storytelling."""
    sheet = Sheet(players=3, storytelling_points=2)
    sheet.tables["keyword_points"][:3] = (3, -1, 4)
    sheet.state["journey"][:3] = (2, 0, 1)
    sheet.state["keywords"][:3] = (0b011, 0b010, 0b100)
    sheet.state["reputation"][:3] = (-2, 1, 1)
    assert points(sheet, Source.QUESTS) == [2, 0, 1]
    assert points(sheet, Source.KEYWORDS) == [2, -1, 4]
    assert points(sheet, Source.TALENTS) == [0, 2, 2]
    sheet.tables["storytelling_points"] = 0
    assert points(sheet, Source.TALENTS) == [0, 0, 0]


# --- the two readings of A-3 ----------------------------------------------------------------------


def test_what_reports_of_play_score_besides() -> None:
    """A-3: reputation in steps, goods by value, chiefs; the how-to-play scores none of these."""
    sheet = Sheet(players=3)
    sheet.state["reputation"][:3] = (5, -4, 1)
    sheet.give(0, food=3, coin=2, gem=1)
    sheet.tables["good_value"] = (1, 2, 3, 5, 5, 5, 5)
    assert points(sheet, Source.REPUTATION) == [0, 0, 0]
    assert points(sheet, Source.GOODS) == [0, 0, 0]
    sheet.tables["reputation_steps"] = 2
    sheet.tables["goods_step"] = 5
    assert points(sheet, Source.REPUTATION) == [2, 0, 0]
    assert points(sheet, Source.GOODS) == [2, 0, 0]


def test_chiefs() -> None:
    """A-34: most banners of a faction, members and tokens; nobody's when that is shared."""
    sheet = Sheet(players=3)
    mystics = Faction.MYSTICS - 1
    sheet.state["banners"][:3, mystics] = (2, 1, 1)
    sheet.state["goods"][1, Good.MYSTICS] = 2
    assert points(sheet, Source.CHIEFS) == [0, 0, 0]
    sheet.tables["chief_points"] = 3
    assert points(sheet, Source.CHIEFS) == [0, 3, 0]
    sheet.state["goods"][2, Good.MYSTICS] = 2
    assert points(sheet, Source.CHIEFS) == [0, 0, 0]


# --- winning --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("shared", "winners"), [(1, [0, 2]), (0, [2])])
def test_ties(shared: int, winners: list[int]) -> None:
    """A-33: shared, or the first of them from the first player on."""
    sheet = Sheet(players=4, shared_win=shared)
    sheet.state["first_seat"] = 1
    sheet.state["journey"] = (7, 3, 7, -1)
    sheet.call(finish, "state tables")
    assert sheet.state["status"] == Status.WON
    assert bits(sheet.state["winners"]) == winners
    assert sheet.state["winner"] == 2
    assert [sheet.of("total", seat) for seat in range(4)] == [7, 3, 7, -1]
