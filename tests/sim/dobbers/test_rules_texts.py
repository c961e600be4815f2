"""The vocabulary of card texts, operation by operation (rules 25, 31 to 34; 5.1)."""

import numpy as np
import pytest

from sim.dobbers.piles import leader_of
from sim.dobbers.state import FIRST_EVENT, Main, Op, Prompt, Step
from tests.sim.dobbers.board import Board
from tests.sim.dobbers.contract import hand

pytestmark = pytest.mark.kernel


def table(players: int = 3, **patches: object) -> Board:
    """A board in the first player's main phase, a Bottle Cap in every hand."""
    board = Board(players, **patches)
    for seat in range(players):
        board.hand(seat, "bottle_cap")
    board.refresh()
    return board


def say(board: Board, op: Op, amount: int = 1, seat: int = 0) -> int:
    """Let an operation be carried out for a seat."""
    size = int(board.state["todo_size"])
    board.state["todo"][size] = op | amount << 8 | seat << 24
    board.state["todo_size"] = size + 1
    board.state["after"] = Step.ASK_MAIN
    board.state["step"] = Step.TODO
    return board.advance(0)


@pytest.mark.parametrize(
    ("op", "place"), [(Op.INFLUENCE, 0), (Op.RED, 1), (Op.BLUE, 2), (Op.GOLD, 3)]
)
def test_points(op: Op, place: int) -> None:
    board = table()
    before = list(board.points())
    before[place] += 3
    say(board, op, 3)
    assert list(board.points()) == before
    say(board, op, 3, seat=1)  # points of a turn are the active player's
    assert list(board.points()) == before


def test_draw() -> None:
    board = table()
    say(board, Op.DRAW, 2, seat=2)
    assert len(hand(board.state, 2)) == 3


def test_recover() -> None:
    board = table()
    board.lay_discard(0, "silver", "silver_sword")
    say(board, Op.RECOVER)
    board.answer(Prompt.RECOVER, 2)
    assert board.held(0) == ["bottle_cap", "silver"]
    assert board.discarded(0) == ["silver_sword"]
    say(board, Op.RECOVER, 2)  # one is left, and a single choice is no question
    assert board.held(0) == ["bottle_cap", "silver", "silver_sword"]


def test_tokens_come_from_the_pile() -> None:
    """Rules 31 and 32: negative and positive ones apart; an empty pile gives none."""
    board = table()
    say(board, Op.BURDEN, 2)
    say(board, Op.BOON, 3, seat=1)
    hinders = board.tables["token_hinders"] != 0
    assert board.state["tokens"][0][hinders].sum() == board.state["tokens"][0].sum() == 2
    assert board.state["tokens"][1][~hinders].sum() == board.state["tokens"][1].sum() == 3
    total = int(board.tables["token_count"][hinders].sum())
    say(board, Op.BURDEN, total + 5, seat=2)
    assert board.state["tokens"][2].sum() == total - 2


@pytest.mark.parametrize("op", [Op.DISCARD_EQUIPMENT, Op.DESTROY_EQUIPMENT])
def test_equipment_is_lost(op: Op) -> None:
    """D-25: to the discard pile unless the text says destroy; a forge card goes along."""
    board = table()
    board.equip(1, "silver_sword", "iron_bark")
    board.state["forged"][1, 1] = 1 + board.take(board.find("ledger_knife"))
    say(board, op, 1, seat=1)
    board.answer(Prompt.LOSE_EQUIPMENT, 2, seat=1)
    gone = board.destroyed() if op == Op.DESTROY_EQUIPMENT else board.discarded(1)
    assert sorted(gone) == ["iron_bark", "ledger_knife"]
    assert board.state["equipment"][1, 0] != 0
    say(board, op, 1, seat=2)  # nothing to lose
    assert board.prompt == Prompt.MAIN


def test_a_hand_card_is_discarded() -> None:
    board = table()
    board.hand(1, "silver", "strength")
    say(board, Op.DISCARD_CARD, 1, seat=1)
    board.answer(Prompt.DISCARD, 1 + [board.named(c) for c in hand(board.state, 1)].index("silver"))
    assert board.held(1) == ["strength"]
    assert board.discarded(1) == ["silver"]


def test_influence_is_lost_now_or_in_the_next_turn() -> None:
    board = table()
    influence = board.points()[0]
    say(board, Op.LOSE_INFLUENCE, 9)
    assert influence > 0
    assert board.points()[0] == 0
    say(board, Op.LOSE_INFLUENCE, 1, seat=1)
    assert board.of("owed", 1) == 1
    board.end()
    assert board.state["active"] == 1
    hero = int(board.state["hero"][1]) - 1
    assert board.points()[0] == board.tables["hero_gain"][hero, 0] - 1
    assert board.of("owed", 1) == 0


def test_creatures_are_added() -> None:
    """5.1: the top creature under the first (or the last) location that has none."""
    board = table()
    board.stack(1, "castle_walls", "gutter_rat")
    board.stack(2, "swamp")
    board.stack(4, "rope_bridge")
    board.stack(3, "broken_stair")
    top = int(board.state["creature_row"][2])
    say(board, Op.ADD_CREATURE)
    assert board.state["creature"][2] == top
    assert (board.state["creature_row"][:3] != 0).all()
    say(board, Op.ADD_CREATURE_LAST)
    assert board.state["creature"][4] != 0
    assert board.state["creature"][3] == 0
    say(board, Op.ADD_CREATURE, 3)  # one place is left
    assert np.count_nonzero(board.state["creature"]) == 4


def test_equipment_of_the_row_goes_onto_a_stack() -> None:
    """5.1: the choices are the player's."""
    board = table()
    board.stack(0, "castle_walls", "gutter_rat")
    board.stack(2, "sunken_keep", "lamp_thief")
    board.lay_row("ember", "iron_bark", "silver", "silver", "silver", "silver")
    say(board, Op.ADD_EQUIPMENT)
    assert board.legal == [1, 2]
    board.answer(Prompt.ROW_EQUIPMENT, 2)
    board.answer(Prompt.STACK, 1 + 2)
    assert board.named(int(board.state["gear"][2, 1]) - 1) == "iron_bark"
    assert board.state["gear_owner"][2, 1] == 0
    assert "" not in board.row()


def test_the_row_is_swept() -> None:
    board = table()
    board.lay_row("silver", "ember", "bow_and_arrow", "silver", "strength", "silver")
    say(board, Op.SWEEP_LEFT, 2)
    assert sorted(board.destroyed()) == ["ember", "silver"]
    assert "" not in board.row()
    board.lay_row("silver", "iron_bark", "bow_and_arrow", "silver", "strength", "silver")
    say(board, Op.SWEEP_DEAR, 2)
    assert sorted(board.destroyed()) == ["bow_and_arrow", "ember", "iron_bark", "silver"]
    say(board, Op.SWEEP_ALL, 1)
    assert board.state["destroyed_size"] == 10
    assert "" not in board.row()


def test_the_row_shrinks_when_the_deck_is_empty() -> None:
    """D-24: destroyed cards do not come back."""
    board = table()
    for _ in range(25):
        say(board, Op.SWEEP_ALL)
    assert board.row() == [""] * 6
    assert board.state["adventure_size"] == 0
    assert board.state["destroyed_size"] == 114
    assert all(choice < Main.BUY or choice >= Main.CHALLENGE for choice in board.legal)


def test_travel_is_slower_for_a_round() -> None:
    board = table()
    for seat in range(3):
        board.stand(seat, int(board.tables["start_square"][seat]), number=1)
    board.pool(red=1, blue=0)
    board.refresh()
    assert board.can_go()
    say(board, Op.SLOW)
    assert not board.can_go()
    board.end()
    assert not board.can_go()  # the others have 1 red, or 1 blue as well
    while board.state["active"] != 0:
        board.end()
    assert board.state["slow"] == 0
    board.pool(red=1, blue=0)
    board.refresh()
    assert board.can_go()


def test_moving_back() -> None:
    board = table()
    square = int(board.tables["encounter_square"][1])
    board.stand(2, square)
    say(board, Op.BACK, 1, seat=2)
    assert board.state["square"][2] == int(board.tables["edge_to"][square, 1]) - 1


def test_this_or_that() -> None:
    """A text with "or" asks; the way chosen is carried out."""
    board = table()
    swamp = board.number("location", "swamp")
    text = int(board.tables["location_victory"][swamp])
    say(board, Op.TEXT, text)
    influence = board.points()[0]
    board.answer(Prompt.OPTION, 1)
    assert board.points()[0] == influence + 1
    say(board, Op.TEXT, text, seat=1)
    board.answer(Prompt.OPTION, 0, seat=1)
    assert board.state["tokens"][1].sum() == 1


def test_the_leader_is_nearest_to_the_key() -> None:
    """Of equals the first from the active player on."""
    board = table()
    for seat in range(3):
        board.stand(seat, int(board.tables["encounter_square"][int(seat == 1)]))
    assert board.call(leader_of, "state tables") == 1
    board.stand(1, int(board.tables["encounter_square"][0]))
    assert board.call(leader_of, "state tables") == 0


def test_an_event_for_each_player() -> None:
    """Rule 34: carried out at once, from the active player on; then the place is filled."""
    board = table(switches__events=True)
    card = next(
        FIRST_EVENT + number
        for number in range(8)
        if board.named(FIRST_EVENT + number) == "ill_omen"
    )
    kind = int(board.tables["card_kind"][card])
    for other in range(FIRST_EVENT, FIRST_EVENT + 8):  # whatever comes is that event
        board.tables["text"][board.tables["card_kind"][other]] = board.tables["text"][kind]
        board.tables["scope"][board.tables["card_kind"][other]] = board.tables["scope"][kind]
    for _ in range(8):
        if board.state["events_left"] == 8:
            say(board, Op.SWEEP_ALL)
    assert board.state["events_left"] < 8
    came = 8 - int(board.state["events_left"])
    assert (board.state["tokens"].sum(axis=1)[:3] == came).all()
    assert "" not in board.row()
