"""Dobbers alone: what the solo players see ahead, and where the safe and the fast one part."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.dobbers.state import CULL_PILE, Main, Prompt
from sim.game import load_game
from sim.jit import COMPILED
from strategies import dobbers_notes, dobbers_solo
from strategies.resolve import resolve
from tests.contract import callable_rule
from tests.sim.dobbers.board import Board, name_of
from tests.sim.dobbers.contract import make_tables
from tests.strategies.tables import decide, whole_games

GAME = load_game("dobbers")
SAFE, FAST = "solo_safe", "solo_fast"


def answer(board: Board, name: str) -> int:
    """Return a strategy's answer to the open prompt; it is legal."""
    choice = decide(resolve(GAME, name), board.state, board.tables, board.prompt)
    assert choice in board.legal
    return choice


def facing(location: str, creature: str = "", *, known: bool = False) -> Board:
    """Return a board with a hero three points of travel before the first stack."""
    board = Board()
    board.stack(0, location, creature)
    board.stand(0, board.before(0), number=3)
    if known:
        board.state["known_locations"] |= 1 << board.number("location", location)
        if creature:
            board.state["known_creatures"] |= 1 << board.number("creature", creature)
    return board


# --- facing what lies face down -------------------------------------------------------------------


def chance(board: Board, points: int) -> float:
    """Return the chance that points overcome the first stack."""
    function = callable_rule(GAME, dobbers_solo.chance, "state tables me encounter points")
    return float(function(board.state, board.tables, 0, 0, points))


@pytest.mark.kernel
def test_the_chance_is_counted_over_all_cards_that_look_the_same() -> None:
    """Each front of a location and a creature, by hand out of the lists of cards."""
    model = GAME.load().model
    locations, creatures = model.locations, model.creatures
    for name, creature in (("rope_bridge", ""), ("clan_outpost", "gray_wolf"), ("fog_moor", "")):
        board = facing(name, creature)
        own = locations[name]
        fronts = [
            other.points
            for other in locations.values()
            if (other.cost, other.icon) == (own.cost, own.icon)
        ]
        beasts = [0]
        if creature:
            cost = creatures[creature].cost
            beasts = [other.points for other in creatures.values() if other.cost == cost]
        totals = [location + beast for location in fronts for beast in beasts]
        assert name != "rope_bridge" or len(set(totals)) > 1
        for points in range(12):
            won = sum(total <= points for total in totals)
            assert chance(board, points) == pytest.approx(won / len(totals)), (name, points)


@pytest.mark.kernel
def test_known_cards_leave_fewer_cases() -> None:
    board = facing("rope_bridge")  # one of three that cost 4 and show Travel: 2, 2 and 3 points
    assert chance(board, 2) == pytest.approx(2 / 3)
    board.state["known_locations"] |= 1 << board.number("location", "broken_stair")
    assert chance(board, 2) == 1
    board.state["known_locations"] |= 1 << board.number("location", "rope_bridge")
    assert (chance(board, 1), chance(board, 2)) == (0, 1)
    board.token(0, "fatigue")
    more = int(board.tables["token_amount"][board.number("token", "fatigue")])
    assert (chance(board, 1 + more), chance(board, 2 + more)) == (0, 1)


@pytest.mark.kernel
def test_who_wants_to_be_sure_leaves_a_stack_alone_that_others_face() -> None:
    """One in three of the locations that cost 5 and show Protection has 2 points or fewer."""
    board = facing("nettle_field")
    assert chance(board, 2) == pytest.approx(1 / 3)
    board.pool(red=5, blue=0, gold=0)
    board.refresh()
    assert board.can_go()
    assert answer(board, FAST) == Main.TRAVEL
    assert answer(board, f"{SAFE}:sure=0.4") != Main.TRAVEL
    assert answer(board, f"{SAFE}:sure=0.3") == Main.TRAVEL
    assert answer(board, f"{FAST}:sure=0.4") != Main.TRAVEL
    board.pool(red=7)
    assert answer(board, f"{SAFE}:sure=0.4") == Main.TRAVEL


@pytest.mark.kernel
def test_who_waits_is_content_with_less() -> None:
    board = facing("nettle_field")
    board.pool(red=5, blue=0, gold=0)
    board.refresh()
    square = int(board.state["square"][0])
    for waited, dares in ((0, False), (1, False), (3, True)):
        board.state["memo"][0, dobbers_notes.STAND] = (square + 1) << 16 | waited << 32
        board.state["memo"][0, dobbers_notes.SEEN] = board.state["turn"] + 1
        goes = answer(board, f"{SAFE}:sure=0.6:patience=0.1") == Main.TRAVEL
        assert goes == dares, waited


@pytest.mark.kernel
@pytest.mark.parametrize("name", [SAFE, FAST] if COMPILED else [SAFE])
def test_a_known_stack_is_faced_only_when_it_is_beaten(name: str) -> None:
    board = facing("castle_walls", "tree_golem", known=True)
    board.pool(red=9, blue=0, gold=0)  # 3 to get there, 6 against 7
    board.refresh()
    assert answer(board, name) != Main.TRAVEL
    board.pool(red=10)
    assert answer(board, name) == Main.TRAVEL


# --- what points are worth ------------------------------------------------------------------------


def bought(board: Board, name: str, *row: str, influence: int = 8) -> str:
    """Return what a strategy buys out of a row, "" for nothing."""
    board.lay_row(*row)
    board.refresh()
    while Main.PLAY_ALL in board.legal:
        board.choose(Main.PLAY_ALL)
    board.pool(influence=influence, red=0, blue=0, gold=0)
    board.refresh()
    choice = answer(board, name)
    return board.row()[choice - Main.BUY] if choice >= Main.BUY else ""


@pytest.mark.kernel
def test_what_is_bought_depends_on_the_way() -> None:
    """Gold in plenty is worth nothing on a walk, much before a stack that asks for more."""
    row = ("fleet_foot", "lucky_swing", *["silver"] * 4)  # 2 blue, 2 gold
    only = f"{SAFE}:plan=1:influence=0"
    walk = Board()
    walk.equip(0, "thorn_cudgel", "spiked_pauldrons")
    assert bought(walk, only, *row) == "fleet_foot"
    wall = Board()
    wall.stack(5, "castle_walls", "tree_golem")
    wall.stand(0, wall.before(5), number=2)
    wall.equip(0, "moss_boots", "walking_staff")
    assert bought(wall, only, *row) == "lucky_swing"


@pytest.mark.kernel
def test_an_item_that_lowers_the_next_stack_is_bought_for_it() -> None:
    """Both items give a blue point; one is of the next location's type."""
    row = ("star_compass", "silver_lantern", *["silver"] * 4)
    for location, wanted in (("nettle_field", "silver_lantern"), ("fog_moor", "star_compass")):
        board = facing(location, known=True)
        assert bought(board, f"{SAFE}:gate_item=3:gold=1:plan=0.5", *row) == wanted


@pytest.mark.kernel
def test_a_deck_that_is_drawn_whole_is_not_thinned() -> None:
    board = Board()
    board.hand(0, "cull", "silver")
    board.lay_discard(0, "bottle_cap", "silver")
    board.refresh()
    board.play("cull")
    assert board.prompt == Prompt.CULL
    assert answer(board, f"{SAFE}:enough=40") == 0
    assert answer(board, f"{SAFE}:enough=4") == CULL_PILE + 1


@pytest.mark.kernel
def test_equipment_of_solo_cards_goes_where_it_harms_least() -> None:
    board = Board(1)
    distance = board.tables["distance"]
    squares = board.tables["encounter_square"]
    copy = board.states.copy()
    copy["prompt"] = Prompt.STACK
    copy["legal"] = sum(2 << encounter for encounter in (1, 3, 4))
    for place, found in ((0, 4), (2, 1), (5, 1)):
        copy["square"][0, 0] = squares[place]
        copy["ways"] = distance[squares[place]]
        choice = decide(resolve(GAME, SAFE), copy[0], board.tables, Prompt.STACK)
        assert choice == 1 + found
        behind = distance[squares[found]] >= distance[squares[place]]
        assert behind == (place > 0)


# --- heroes and results ---------------------------------------------------------------------------


@cache
def results(name: str, removal: str) -> Any:
    """Return the rows of 40,000 games: turns, the hero taken, challenges lost."""
    tables = make_tables(1, solo__removal=removal)
    games, seats, _ = whole_games(GAME, [name], tables, 40_000)
    assert (games["capped"] == 0).mean() > 0.999
    return games["turns"], seats["hero"][:, 0], (seats["challenges"] - seats["victories"])[:, 0]


def test_they_take_different_heroes() -> None:
    tables = make_tables(1)
    for name, gift in ((SAFE, "draw"), (FAST, "blue")):
        heroes = np.unique(results(name, "position")[1])
        assert len(heroes) == 1
        gains = tables["hero_gain"][0, heroes[0]].tolist()
        assert gains[["influence", "red", "blue", "gold", "draw"].index(gift)] == 1
        assert name_of(tables["hero_name"][0, heroes[0]])


@pytest.mark.parametrize("removal", ["position", "cost"])
def test_the_safe_one_has_fewer_bad_results_and_the_fast_one_more_of_the_best(
    removal: str,
) -> None:
    """On the same deals; three standard errors of the paired differences leave 0 out.

    But for weak results where cards are removed by cost: there both have about as many.
    """
    safe, fast = results(SAFE, removal)[0], results(FAST, removal)[0]
    fewer_weak = 1.0 * (fast >= 19) - (safe >= 19)
    more_best = 1.0 * (fast <= 13) - (safe <= 13)
    errors = 3 if removal == "position" else 0
    for gain, least in ((fewer_weak, errors), (more_best, 3)):
        assert gain.mean() > least * gain.std() / len(gain) ** 0.5
    assert results(FAST, removal)[2].mean() > results(SAFE, removal)[2].mean()


def test_both_are_better_than_the_best_player_of_tables_of_several() -> None:
    usual = results("balanced", "position")[0]
    assert (results(SAFE, "position")[0] >= 19).mean() < (usual >= 19).mean() - 0.03
    assert (results(FAST, "position")[0] <= 13).mean() > (usual <= 13).mean() + 0.05
