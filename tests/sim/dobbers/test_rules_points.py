"""Cards, influence, points, alignment, forge, destroy, tokens: rules 1 to 9, 15, 28 to 32."""

import pytest

from sim.dobbers.points import in_play, put_on
from sim.dobbers.state import ORDERS, Main, Prompt
from tests.sim.dobbers.board import Board
from tests.sim.dobbers.contract import hand

pytestmark = pytest.mark.kernel


def example_a() -> Board:
    """The player of Acquiring, Example A: Toby with three pieces of equipment and five cards."""
    board = Board()
    board.equip(0, "silver_sword", "traveling_kit", "iron_bark")
    board.hand(0, "helpful", "strength", "bottle_cap", "bottle_cap", "bottle_cap")
    board.lay_row("silver", "rot")
    board.refresh()
    return board


def test_influence_of_hero_equipment_and_effects() -> None:
    """DB-T1."""
    board = example_a()
    board.main(Main.PLAY_ALL)
    assert board.points()[0] == 6


def test_buying_a_silver_leaves_three() -> None:
    """DB-T2: the card goes to the discard pile, the caps follow at the end of the turn."""
    board = example_a()
    board.main(Main.PLAY_ALL)
    board.buy("silver")
    assert board.points()[0] == 3
    assert board.discarded(0) == ["silver"]
    assert "" not in board.row()  # refilled at once
    board.end()
    assert board.discarded(0) == ["bottle_cap"] * 3 + ["helpful", "silver", "strength"]


def test_buying_rot_as_well_leaves_nothing() -> None:
    """DB-T3 (D-1)."""
    board = example_a()
    board.main(Main.PLAY_ALL)
    board.buy("silver")
    board.buy("rot")
    assert board.points()[0] == 0
    assert all(choice < Main.BUY or choice >= Main.TRAVEL for choice in board.legal)


@pytest.mark.parametrize(
    ("standing", "wanted", "asked"), [(0, 0, True), (1, 0, False), (1, 1 << (Main.BUY + 1), True)]
)
def test_who_wants_nothing_more_is_not_asked(standing: int, wanted: int, asked: bool) -> None:
    """Orders hold for who has standing orders; rot, in the second place, could still be bought."""
    board = example_a()
    board.main(Main.PLAY_ALL)
    board.state["standing"][0] = standing << Prompt.MAIN
    board.state["memo"][0, ORDERS] = ~wanted
    board.buy("silver")
    assert board.state["active"] == (0 if asked else 1)


def test_what_is_not_wanted_is_asked_again_when_points_change() -> None:
    """Orders end with the next card, token or text; only purchases and steps leave them."""
    board = example_a()
    board.main(Main.PLAY_ALL)
    board.state["standing"][0] = 1 << Prompt.MAIN
    board.state["memo"][0, ORDERS] = -1
    board.refresh()
    assert (board.prompt, board.state["active"]) == (Prompt.MAIN, 0)
    assert board.state["memo"][0, ORDERS] == 0


def test_a_purchase_beyond_the_influence_is_not_offered() -> None:
    """Rule 6."""
    board = example_a()
    board.lay_row("silver", "bow_and_arrow")
    board.pool(influence=7)
    board.refresh()
    assert Main.BUY in board.legal
    assert Main.BUY + 1 not in board.legal
    board.pool(influence=8)
    board.refresh()
    assert Main.BUY + 1 in board.legal


def test_a_silver_gives_two_in_this_turn_only() -> None:
    """DB-T5."""
    board = Board()
    board.hand(0, "silver", "bottle_cap")
    board.refresh()
    before = board.points()[0]
    board.play("silver")
    assert board.points()[0] == before + 2
    board.round()
    assert board.points()[0] == before


def test_action_points_by_colour() -> None:
    """DB-T6: Toby, Kit, Silver Sword, Iron Bark."""
    board = Board()
    board.equip(0, "silver_sword", "traveling_kit", "iron_bark")
    board.refresh()
    assert board.points()[1:] == (1, 0, 1)  # the hero alone
    board.main(Main.PLAY_ALL)
    assert board.points()[1:] == (4, 1, 3)


def test_equipment_in_hand_gives_nothing() -> None:
    """Rule 5."""
    board = Board()
    board.hand(0, "silver_sword", "bottle_cap")
    board.refresh()
    board.main(Main.PLAY_ALL)
    assert board.points() == (2, 1, 0, 1)


def test_once_a_turn() -> None:
    """Rule 2: equipment is used once; the next turn it works again."""
    board = Board()
    board.equip(0, "iron_bark")
    board.refresh()
    board.main(Main.USE + 1)
    assert board.points()[1:] == (2, 0, 2)
    assert board.prompt != Prompt.MAIN or Main.USE + 1 not in board.legal


def test_a_used_sword_is_replaced() -> None:
    """DB-T20: the new one works in the next turn; the old one comes to hand."""
    board = Board()
    board.equip(0, "silver_sword")
    board.hand(0, "ember", "bottle_cap")
    board.refresh()
    board.main(Main.USE)
    points = board.points()
    board.play("ember")
    assert board.held(0) == ["bottle_cap", "silver_sword"]
    assert Main.USE not in board.legal
    assert board.points() == points
    board.round()
    board.hand(0)
    board.refresh()
    red = board.points()[1]
    board.main(Main.USE)
    assert board.points()[1] == red + 1


def test_an_unused_sword_is_replaced() -> None:
    """DB-T20: if the old one was not used, the new one works at once."""
    board = Board()
    board.equip(0, "silver_sword")
    board.hand(0, "ember", "bottle_cap")
    board.refresh()
    board.play("ember")
    board.main(Main.USE)
    assert board.points() == (1, 2, 0, 1)
    assert Main.PLAY + board.place_of("silver_sword") not in board.legal  # no chain of swaps


def test_alignment_bonuses() -> None:
    """DB-T17: Endurance switches on Silver Shield's bonus, Charm Ember's and its own."""
    board = Board(heroes=("shaori", "herb", "toby", "brakka"))
    board.equip(0, "ember", "silver_shield")
    board.hand(0, "endurance", "charm", "bottle_cap")
    board.refresh()
    board.main(Main.USE)
    board.main(Main.USE + 2)
    gold = board.points()[3]
    board.play("endurance")
    assert board.points()[3] == gold + 1  # Silver Shield
    cards = len(hand(board.state, 0))
    board.play("charm")
    assert board.points()[3] == gold + 2  # Ember
    assert len(hand(board.state, 0)) == cards - 1 + 1  # Charm's own bonus is a card


def test_equipment_used_after_the_effects_has_its_bonus() -> None:
    """Rule 28: which card comes first makes no difference."""
    board = Board(heroes=("shaori", "herb", "toby", "brakka"))
    board.equip(0, "ember")
    board.hand(0, "charm", "bottle_cap")
    board.refresh()
    gold = board.points()[3]
    board.play("charm")
    assert board.points()[3] == gold
    board.main(Main.USE)
    assert board.points()[3] == gold + 1


def test_a_bonus_needs_another_card() -> None:
    """Rule 28: a card alone does not switch on its own bonus."""
    board = Board(heroes=("shaori", "herb", "toby", "brakka"))
    board.hand(0, "charm", "bottle_cap")
    board.refresh()
    board.play("charm")
    assert board.held(0) == ["bottle_cap"]


def test_hearty_mushroom() -> None:
    """DB-T18."""
    board = Board()
    board.hand(0, "hearty_mushroom", "bottle_cap")
    board.refresh()
    red = board.points()[1]
    board.play("hearty_mushroom")
    assert board.points()[1] == red + 1
    assert len(hand(board.state, 0)) == 2


def test_cull() -> None:
    """DB-T19: a Bottle Cap out of the game, then a card."""
    board = Board()
    board.hand(0, "cull", "bottle_cap")
    board.refresh()
    influence = board.points()[0]
    board.play("cull")
    assert board.points()[0] == influence + 1
    board.answer(Prompt.CULL, 1)
    assert board.destroyed() == ["bottle_cap"]
    assert len(hand(board.state, 0)) == 1


def test_cull_reaches_the_discard_pile_and_may_be_declined() -> None:
    """Rule 29; Effect Cards B."""
    board = Board()
    board.lay_discard(0, "wooden_knife", "bottle_cap")
    board.hand(0, "cull", "cull")
    board.refresh()
    board.play("cull")
    board.answer(Prompt.CULL, 17 + 1)  # below the top of the pile
    assert board.destroyed() == ["wooden_knife"]
    assert board.discarded(0) == ["bottle_cap"]
    board.play("cull")
    board.answer(Prompt.CULL, 0)
    assert board.destroyed() == ["wooden_knife"]


def test_destroying_a_card_played() -> None:
    """Rule 29: in the turn it is played, after its other effects."""
    board = Board()
    board.lay_discard(0, "silver")
    board.hand(0, "forage", "bottle_cap")
    board.refresh()
    assert Main.DESTROY not in board.legal
    board.play("forage")
    board.main(Main.DESTROY)
    assert board.destroyed() == ["forage"]
    assert board.held(0) == ["bottle_cap", "silver"]
    board.end()
    assert "forage" not in board.discarded(0)


def test_forge() -> None:
    """DB-T21: only the forge box is added; both alignments; a second forge card is illegal."""
    board = Board()
    board.equip(0, "iron_bark")
    board.hand(0, "ledger_knife", "claw_gauntlet", "charm")
    board.refresh()
    board.play("ledger_knife")
    board.answer(Prompt.PUT, 1 + 1)
    knife = board.kind("ledger_knife")
    board.main(Main.USE + 1)
    forge = board.tables["forge"][knife]
    assert board.points() == (
        1 + forge[0],
        1 + 1 + forge[1],
        forge[2],
        1 + 1 + forge[3],
    )
    assert in_play(board.state, int(board.tables["alignment"][knife])) == 1
    assert in_play(board.state, int(board.tables["alignment"][board.kind("iron_bark")])) == 1
    board.play("claw_gauntlet")  # onto the hero: under the armor lies a card already
    assert board.prompt == Prompt.MAIN
    assert board.state["equipment"][0, 0] != 0
    cards = len(hand(board.state, 0))
    board.play("charm")  # Dobberton, as the knife
    assert len(hand(board.state, 0)) == cards - 1 + 1


def test_a_forged_pair_leaves_together() -> None:
    """Rule 30: picked up together."""
    board = Board()
    board.equip(0, "silver_sword")
    board.hand(0, "ledger_knife", "ember")
    board.refresh()
    board.play("ledger_knife")
    board.answer(Prompt.PUT, 1)
    board.call(put_on, "state tables backstage place slot", board.place_of("ember"), 0)
    assert board.held(0) == ["ledger_knife", "silver_sword"]


def test_a_positive_token_is_played_once() -> None:
    """Rule 32."""
    board = Board()
    board.token(0, "favor")
    board.refresh()
    kind = board.number("token", "favor")
    pile = int(board.state["token_pile"][kind])
    influence = board.points()[0]
    board.main(Main.TOKEN + kind)
    assert board.points()[0] == influence + 1
    assert board.state["token_pile"][kind] == pile + 1
    assert Main.TOKEN + kind not in board.legal


def test_unplayed_cards_are_discarded_and_five_are_drawn() -> None:
    """Turn Breakdown: end, draw phase."""
    board = Board()
    board.hand(0, "bottle_cap", "silver")
    board.refresh()
    board.end()
    assert board.discarded(0) == ["bottle_cap", "silver"]
    assert len(hand(board.state, 0)) == 5


def test_an_empty_deck_is_the_shuffled_discard_pile() -> None:
    """Draw phase; D-34: effects played in this turn are not on that pile."""
    board = Board()
    board.hand(0, "hearty_mushroom", "hearty_mushroom")
    for card in list(board.deck(0)):
        board.lay_discard(0, card)
    assert board.deck(0) == []
    board.refresh()
    board.play("hearty_mushroom")
    assert board.discarded(0) == []
    assert board.state["shuffles"][0] == 1
    assert "hearty_mushroom" not in board.deck(0)
    assert board.state["played_size"] == 1


def test_outwit() -> None:
    """DB-T32 (D-23): the card goes to whoever plays Outwit; the hand is not refilled."""
    board = Board()
    board.lay_row("endurance")
    board.hand(0, "bottle_cap")
    board.hand(1, "outwit", "bottle_cap")
    board.state["kept"][1] = 4
    board.pool(influence=4)
    board.refresh()
    board.buy("endurance")
    assert board.tables["cost"][board.kind("endurance")] == 4
    board.answer(Prompt.OUTWIT, 1, seat=1)
    assert board.discarded(1) == ["endurance", "outwit"]
    assert board.discarded(0) == []
    assert board.held(1) == ["bottle_cap"]
    assert board.of("kept", 1) == 0
    assert board.points()[0] == 0
    assert "" not in board.row()
    board.end()
    assert board.held(1) == ["bottle_cap"]  # until the end of the own next turn
    board.end()
    assert len(hand(board.state, 1)) == 5


def test_outwit_needs_the_influence() -> None:
    """D-23: influence left over from the own turn, of hero and equipment only."""
    board = Board()
    board.lay_row("endurance")
    board.hand(0, "bottle_cap")
    board.hand(1, "outwit")
    board.state["kept"][1] = 3
    board.pool(influence=4)
    board.refresh()
    board.buy("endurance")
    assert board.prompt == Prompt.MAIN
    assert board.discarded(0) == ["endurance"]


def test_outwit_is_offered_clockwise() -> None:
    """FAQ: each holder is asked once, and the first who plays it ends the asking."""
    board = Board(4)
    board.lay_row("endurance")
    board.hand(0, "bottle_cap")
    for seat in (1, 3):
        board.hand(seat, "outwit")
        board.state["kept"][seat] = 9
    board.pool(influence=4)
    board.refresh()
    board.buy("endurance")
    board.answer(Prompt.OUTWIT, 0, seat=1)
    board.answer(Prompt.OUTWIT, 1, seat=3)
    assert board.prompt == Prompt.MAIN
    assert board.discarded(3) == ["endurance", "outwit"]
    assert board.held(1) == ["outwit"]


@pytest.mark.parametrize(("switch", "kept"), [("none", 0), ("base", 2), ("all", 3)])
def test_influence_kept_for_the_turns_of_others(switch: str, kept: int) -> None:
    """D-23 and its toggle: hero 1, sword 1 (not used), a Bottle Cap 1."""
    board = Board(switches__outwit_influence=switch)
    board.equip(0, "silver_sword")
    board.hand(0, "bottle_cap")
    board.refresh()
    board.play("bottle_cap")
    board.end()
    assert board.of("kept", 0) == kept
