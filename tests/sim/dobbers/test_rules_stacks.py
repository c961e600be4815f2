"""Stacks, travel, challenges and what follows: rules 8 to 27, DB-T4, T6 to T14, T22 to T25."""

import pytest

from sim.dobbers.stacks import points_needed, points_usable, stack_points
from sim.dobbers.state import Main, Prompt, Tally
from tests.sim.dobbers.board import Board

pytestmark = pytest.mark.kernel

CAP = "bottle_cap"


def at_the_walls(*gear: str, creature: str = "tree_golem", **patches: object) -> Board:
    """Toby before a stack of Castle Walls and a creature, with a way of 3 to it."""
    board = Board(**patches)
    board.stack(0, "castle_walls", creature, *gear)
    board.stand(0, board.before(0), number=3)
    return board


def needs(board: Board, encounter: int = 0, seat: int = 0) -> int:
    """Return the points that a stack needs."""
    return int(board.call(points_needed, "state tables seat encounter", seat, encounter))


def face(board: Board) -> None:
    """Go on to the next square, and compare points without playing anything more."""
    board.go()
    if board.prompt == Prompt.FIGHT:
        board.choose(0)


# --- building -------------------------------------------------------------------------------------


def test_buying_castle_walls() -> None:
    """DB-T4: 1 influence left, face down on the chosen square, the row is filled again."""
    board = Board()
    board.lay_challenge("location", "castle_walls")
    board.hand(0, CAP)
    board.pool(influence=6)
    board.refresh()
    board.main(board.challenge_place("location", "castle_walls"))
    assert board.prompt == Prompt.PLACE
    assert board.legal == [1 + encounter for encounter in range(6)]
    board.choose(1 + 2)
    walls = board.number("location", "castle_walls")
    assert board.points()[0] == 1
    assert board.state["location"][2] == walls + 1
    assert not board.state["known_locations"] >> walls & 1
    assert (board.state["location_row"][:3] != 0).all()


def test_a_creature_needs_a_location_without_one() -> None:
    """DB-T22: a creature without location, a second creature."""
    board = Board()
    board.lay_challenge("creature", "tree_golem")
    board.pool(influence=9)
    board.refresh()
    choice = board.challenge_place("creature", "tree_golem")
    assert choice not in board.legal
    board.stack(1, "castle_walls", "gutter_rat")
    board.refresh()
    assert choice not in board.legal
    board.stack(3, "swamp")
    board.refresh()
    board.main(choice)
    assert board.state["creature"][3] == board.number("creature", "tree_golem") + 1


def test_equipment_needs_a_creature_room_and_a_free_type() -> None:
    """DB-T22: equipment without creature, a second weapon, beyond capacity (D-17, D-18)."""
    board = Board()
    board.hand(0, "ember", CAP)
    board.equip(0, "silver_sword")
    board.stack(0, "castle_walls")  # no creature
    board.stack(1, "sunken_keep", "gutter_rat", "wooden_knife")  # a weapon already
    board.stack(2, "mill_pond", "lamp_thief")  # capacity 1: the creature
    board.stack(3, "swamp", "marsh_imp")
    board.refresh()
    board.play("ember")
    assert board.prompt == Prompt.PUT
    assert board.legal == [0, 4 + 3]
    board.choose(4 + 3)
    assert board.state["gear"][3, 0] != 0
    assert board.state["gear_owner"][3, 0] == 1


def test_capacity_may_leave_out_the_creature() -> None:
    """D-18, the other reading."""
    board = Board(switches__capacity_counts_creature=False)
    board.hand(0, "ember", CAP)
    board.stack(2, "mill_pond", "lamp_thief")
    board.refresh()
    board.play("ember")
    assert board.legal == [0, 4 + 2]


def test_equipment_straight_from_the_row() -> None:
    """Rule 12: everybody has seen it."""
    board = Board()
    board.lay_row("iron_bark")
    board.stack(4, "castle_walls", "gutter_rat")
    board.pool(influence=9)
    board.refresh()
    board.buy("iron_bark")
    board.answer(Prompt.PLACE, 1 + 4)
    assert board.state["gear"][4, 1] != 0
    assert board.state["gear_owner"][4, 1] == 0
    assert board.discarded(0) == []
    assert "" not in board.row()


# --- travel ---------------------------------------------------------------------------------------


def test_herb_travels() -> None:
    """DB-T7: red 1 and the Kit's blue 1 against a number of 2; nothing is left."""
    board = Board(heroes=("herb", "toby", "shaori", "brakka"))
    board.hand(0, CAP, CAP, CAP, CAP, "traveling_kit")
    board.stand(0, 0, number=2)
    board.refresh()
    assert not board.can_go()
    board.play("traveling_kit")
    board.main(Main.USE + 2)
    assert board.can_go()
    before = int(board.state["square"][0])
    board.go()
    assert board.state["square"][0] == board.tables["edge_to"][before, 0] - 1
    assert board.points()[1:3] == (0, 0)


def test_gold_does_not_travel() -> None:
    """DB-T8."""
    board = Board()
    board.stand(0, 0, number=2)
    board.hand(0, CAP)
    board.pool(gold=5, red=0, blue=0)
    board.refresh()
    assert not board.can_go()
    board.pool(red=2)
    board.refresh()
    assert board.can_go()


def test_travel_is_paid_blue_first() -> None:
    """DB-T9: of blue 1, red 4, gold 3 a way of 3 leaves red 2, gold 3."""
    board = Board()
    board.equip(0, "silver_sword", "traveling_kit", "iron_bark")
    board.stand(0, 0, number=3)
    board.refresh()
    board.main(Main.PLAY_ALL)
    board.go()
    assert board.points()[1:] == (2, 0, 3)


def test_negative_tokens_make_the_way_longer() -> None:
    """DB-T13: number 4, a token of 2: 6 points are needed; then the token goes back."""
    board = Board()
    board.hand(0, CAP)
    board.token(0, "fatigue")
    board.stand(0, 0, number=4)
    board.pool(red=4, blue=1)
    board.refresh()
    assert not board.can_go()
    assert board.state["tokens"][0].sum() == 1
    board.pool(blue=2)
    board.refresh()
    board.go()
    assert board.points()[1:3] == (0, 0)
    assert board.state["tokens"][0].sum() == 0


# --- the challenge --------------------------------------------------------------------------------


def go_to_fight(board: Board) -> None:
    """Take what the equipment of DB-T6 gives, and go to the stack."""
    board.equip(0, "silver_sword", "traveling_kit", "iron_bark")
    board.refresh()
    board.main(Main.USE)
    board.main(Main.USE + 1)
    board.main(Main.USE + 2)
    board.go()


def test_defeat_without_effects() -> None:
    """DB-T10: 5 points against 7; everything stays, face up; one square back (DB-T14)."""
    board = at_the_walls()
    board.hand(0, "strength", "helpful", CAP)
    go_to_fight(board)
    assert board.prompt == Prompt.FIGHT
    assert needs(board) == 7
    assert board.points()[1] + board.points()[3] == 5
    board.choose(0)
    if board.prompt == Prompt.LOSE_EQUIPMENT:
        board.choose(board.legal[0])
    assert board.state["square"][0] == board.before(0)
    assert board.state["creature"][0] != 0
    assert board.state["known_locations"] == 1 << board.number("location", "castle_walls")
    assert board.state["known_creatures"] == 1 << board.number("creature", "tree_golem")
    assert board.points()[1::2] == (0, 0)  # D-14
    assert board.tally(Tally.VICTORIES, 0) == 0


def test_victory_with_effects_played_after_the_reveal() -> None:
    """DB-T10 and D-16: with Strength and Helpful 7 against 7."""
    board = at_the_walls()
    board.hand(0, "strength", "helpful", CAP)
    go_to_fight(board)
    board.play("strength")
    board.play("helpful")
    board.answer(Prompt.FIGHT, 0)
    while board.prompt == Prompt.LOSE_EQUIPMENT:
        board.choose(board.legal[0])
    assert board.tally(Tally.VICTORIES, 0) == 1
    assert board.state["square"][0] == board.tables["encounter_square"][0]
    assert board.points()[1::2] == (0, 0)
    assert board.state["creatures_destroyed"] == 1 << board.number("creature", "tree_golem")
    assert board.state["location"][0] != 0


def test_nothing_is_played_after_the_reveal() -> None:
    """D-16, the other reading."""
    board = at_the_walls(switches__play_after_reveal=False)
    board.hand(0, "strength", "helpful", CAP)
    go_to_fight(board)
    assert board.prompt != Prompt.FIGHT
    assert board.tally(Tally.CHALLENGES, 0) == 1


def test_points_may_survive_a_defeat() -> None:
    """D-14, the other reading."""
    board = at_the_walls(switches__points_lost_on_defeat=False)
    board.hand(0, CAP, "strength")
    go_to_fight(board)
    board.choose(0)
    while board.prompt == Prompt.LOSE_EQUIPMENT:
        board.choose(board.legal[0])
    assert board.points()[1::2] == (2, 3)


def test_blue_does_not_fight() -> None:
    """Rule 17."""
    board = at_the_walls(creature="")
    board.hand(0, CAP, "strength")
    board.pool(red=1, gold=1, blue=9)
    board.refresh()
    board.go()
    board.answer(Prompt.FIGHT, 0)
    assert board.tally(Tally.VICTORIES, 0) == 0


def test_immunity_to_thorn() -> None:
    """DB-T11: the 2 gold of a Thorn weapon do not count against the Tree Golem."""
    board = at_the_walls()
    board.equip(0, "thorn_cudgel")
    board.hand(0, CAP)
    board.refresh()
    gold = board.points()[3]
    board.main(Main.USE)
    assert board.points()[3] == gold + 2
    usable = board.call(points_usable, "state tables encounter", 0)
    assert usable == board.points()[1] + gold
    board.stack(1, "swamp", "gutter_rat")
    usable = board.call(points_usable, "state tables encounter", 1)
    assert usable == board.points()[1] + gold + 2


def test_the_right_item_lowers_a_location() -> None:
    """DB-T12: Thorned Vines need 2 with a Protection item."""
    board = Board()
    board.stack(0, "thorned_vines", "gutter_rat")
    assert needs(board) == 4 + 1
    board.equip(0, "traveling_cloak")
    assert needs(board) == 2 + 1
    assert needs(board, seat=1) == 4 + 1


def test_negative_tokens_make_a_challenge_harder() -> None:
    """Rule 31."""
    board = at_the_walls()
    board.token(0, "fatigue")
    assert needs(board) == 9


def test_alignments_in_a_stack() -> None:
    """Rule 14: equipment of its alignment switches on a creature's bonus."""
    board = Board()
    scout = board.number("creature", "clan_scout")
    assert board.tables["creature_bonus"][scout] > 0
    board.stack(0, "sunken_keep", "clan_scout", "iron_bark")
    plain = int(board.tables["creature_points"][scout]) + 4 + 2
    assert board.call(stack_points, "state tables seat encounter", 1, 0) == plain
    board.stack(1, "rat_kings_hall", "gutter_rat", "thorn_cudgel")
    with_bonus = 4 + 1 + 2 + int(board.tables["bonus"][board.kind("thorn_cudgel"), 1::2].sum())
    assert board.call(stack_points, "state tables seat encounter", 1, 1) == with_bonus


def test_moving_back_is_counted_from_the_location() -> None:
    """DB-T14: defeat on square k, move back 2: the meeple stands on k - 2."""
    board = Board()
    board.stack(1, "swamp")
    board.stand(0, board.before(1), number=1)
    board.pool(red=1, gold=0)
    board.hand(0, CAP)
    board.refresh()
    face(board)
    square = int(board.tables["encounter_square"][1])
    for _ in range(2):
        square = int(board.tables["edge_to"][square, 1]) - 1
    assert board.state["square"][0] == square
    assert board.tally(Tally.MOVED_BACK, 0) == 2


def test_nobody_moves_back_beyond_the_start() -> None:
    """D-20 and D-21: the way one came, no further than the start."""
    from sim.dobbers.stacks import move_back

    board = Board()
    start = int(board.tables["start_square"][1])
    board.stand(0, int(board.tables["encounter_square"][0]))
    board.stand(1, int(board.tables["encounter_square"][0]))
    board.call(move_back, "state tables seat squares", 1, 9)
    assert board.state["square"][1] == start
    board.call(move_back, "state tables seat squares", 0, 9)
    assert board.state["square"][0] == board.tables["start_square"][0]


def win_against(board: Board, *cards: str) -> None:
    """Go to the first encounter with points enough, and compare."""
    board.hand(0, CAP, *cards)
    board.stand(0, board.before(0), number=1)
    board.pool(red=20)
    board.refresh()
    face(board)


@pytest.mark.parametrize("choice", [0, 1, 2])
def test_spoils(choice: int) -> None:
    """DB-T23: creature destroyed; armor destroyed or taken; the location stays face up."""
    board = Board()
    board.stack(0, "broken_stair", "tree_golem", "iron_bark")
    win_against(board)
    board.answer(Prompt.SPOILS, choice, seat=0)
    assert board.state["creature"][0] == 0
    assert not board.state["gear"].any()
    assert board.state["creatures_destroyed"] == 1 << board.number("creature", "tree_golem")
    places = (board.destroyed(), board.held(0), board.discarded(0))
    assert ["iron_bark" in place for place in places] == [place == choice for place in range(3)]
    stair = board.number("location", "broken_stair")
    assert board.state["location"][0] == stair + 1
    assert board.state["known_locations"] >> stair & 1


def test_victory_then_results_then_tan_box() -> None:
    """D-3 and rule 23: Swamp: a token or influence, then a burden, then a card is discarded."""
    board = Board()
    board.stack(0, "swamp")
    win_against(board, "strength")
    board.answer(Prompt.OPTION, 1)
    assert board.state["tokens"][0].sum() == 1
    board.answer(Prompt.DISCARD, 1)
    assert board.discarded(0) == [CAP]


def test_results_before_victory() -> None:
    """D-3, the other reading: the burden is there when the player chooses."""
    board = Board(switches__text_order="results_first", switches__tan_boxes=False)
    board.stack(0, "swamp")
    win_against(board)
    assert board.prompt == Prompt.OPTION
    assert board.state["tokens"][0].sum() == 1
    board.choose(1)
    assert board.discarded(0) == []


def test_results_after_a_defeat() -> None:
    """D-4, the other reading: Nettle Field's burden is taken in defeat, too."""
    for switch in (False, True):
        board = Board(switches__results_after_defeat=switch)
        board.stack(0, "nettle_field")
        board.hand(0, CAP)
        board.stand(0, board.before(0), number=1)
        board.pool(red=1, gold=0)
        board.refresh()
        face(board)
        assert board.tally(Tally.VICTORIES, 0) == 0
        assert board.state["tokens"][0].sum() == int(switch)


def test_the_item_changes_what_a_location_does() -> None:
    """Rule 25a: Rope Bridge moves back 2, with a Travel item 1."""
    for item, squares in (("", 2), ("traveling_kit", 1)):
        board = Board()
        board.stack(1, "rope_bridge")
        if item:
            board.equip(0, item)
        board.hand(0, CAP)
        board.stand(0, board.before(1), number=1)
        board.pool(red=1, gold=0)
        board.refresh()
        face(board)
        assert board.tally(Tally.VICTORIES, 0) == 0
        assert board.tally(Tally.MOVED_BACK, 0) == squares


def test_forced_back_onto_a_stack() -> None:
    """DB-T24: that is no challenge."""
    board = Board()
    board.stack(0, "castle_walls", "tree_golem")
    board.stack(1, "rope_bridge")
    assert int(board.tables["steps"][board.before(1)]) + 1 == int(
        board.tables["steps"][board.tables["encounter_square"][0]]
    )
    board.stand(0, board.before(1), number=1)
    board.hand(0, CAP)
    board.pool(red=1, gold=0)
    board.refresh()
    face(board)
    assert board.state["square"][0] == board.tables["encounter_square"][0]
    assert board.tally(Tally.CHALLENGES, 0) == 1
    assert board.state["known_creatures"] == 0


def test_a_new_creature_on_the_own_square() -> None:
    """DB-T25: it is not faced; the next visitor faces it, and so does who comes back."""
    board = Board()
    encounter = int(board.tables["encounter_square"][0])
    board.stand(0, encounter, number=1)
    board.stand(1, board.before(0, 1), number=1)
    board.stack(0, "broken_stair")
    board.lay_challenge("creature", "gutter_rat")
    board.hand(0, CAP)
    board.hand(1, CAP)
    board.pool(influence=9, red=9)
    board.refresh()
    board.main(board.challenge_place("creature", "gutter_rat"))
    assert board.state["creature"][0] != 0
    assert board.tally(Tally.CHALLENGES, 0) == 0
    board.go()
    board.main(Main.TRAVEL + 1)  # back by choice
    board.answer(Prompt.FIGHT, 0)
    assert board.tally(Tally.CHALLENGES, 0) == 1
    board.stack(1, "rope_bridge")
    board.end()
    board.pool(red=9)
    board.refresh()
    face(board)
    assert board.tally(Tally.CHALLENGES, 1) == 1
