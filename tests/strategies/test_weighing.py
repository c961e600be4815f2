"""The player with weights: decisions that a competent player gets right, on boards set by hand."""

import itertools

import numpy as np
import pytest

from sim.wizard_miners.state import BUY_DYNAMITE, CLEAN_UP, Prompt, Spell, Tool
from strategies.wizard_miners import CARDS, CHANCE, FALL, SPEED, TICKS
from tests.sim.wizard_miners.board import Board
from tests.sim.wizard_miners.contract import hits_of
from tests.strategies.tables import choice_of

pytestmark = pytest.mark.kernel
WEIGHING = ("builder", "cleaner", "saboteur", "sprinter", "balanced")
everyone = pytest.mark.parametrize("name", WEIGHING)


def looked(board: Board, name: str) -> list[int]:
    """Return the memo of the seat that is asked, after a strategy has looked around."""
    choice_of(name, board)
    return [int(word) for word in board.state["memo"][board.seat]]


def dice() -> list[int]:
    """Return all 64 sums of two dice of eight sides."""
    return [a + b for a, b in itertools.product(range(1, 9), repeat=2)]


# --- what it sees -------------------------------------------------------------------------------


def test_tool_cards_are_counted_over_the_exact_dice() -> None:
    board = Board(buy=True)
    memo = looked(board, "builder")
    hits = board.tables["tool_hits"]
    for tool in Tool:
        for level in range(3):
            cards = sum(int(hits[tool, level + 1, total]) for total in dice())
            assert memo[CARDS + level] >> 12 * tool & 4095 == cards
        great = sum(hits[tool, 3, total] > 0 for total in dice())
        assert memo[CHANCE] >> 12 * tool & 4095 == great


def test_a_players_speed_is_the_mean_of_its_hits() -> None:
    board = Board()
    board.tools(1, drill=3, chisel=1)
    board.tools(2, shovel=2)
    memo = looked(board, "builder")
    for seat in range(4):
        cards = sum(int(hits_of(board.state)[seat, total]) for total in dice())
        assert memo[SPEED + seat] == cards


def test_a_tool_out_for_repair_does_not_count() -> None:
    board = Board()
    board.tools(1, drill=3, chisel=1)
    board.lay(1, 8 + Tool.DRILL, Spell.OUT_FOR_REPAIR, 2)
    memo = looked(board, "builder")
    assert memo[SPEED + 1] == sum(int(hits_of(board.state)[1, total]) for total in dice()) == 7 + 13


def test_the_fall_of_a_whole_pile_is_the_exact_mean() -> None:
    board = Board(buy=True)
    memo = looked(board, "builder")
    chart = [int(cards) for cards in board.tables["chart"]]
    for shore_ups in range(4):
        falls = [min(21, chart[max(0, die - shore_ups)]) for die in range(1, 7)]
        assert memo[FALL] >> 12 * shore_ups & 4095 == int(TICKS * sum(falls) / 6)


# --- actions ------------------------------------------------------------------------------------


def acting(name: str, board: Board) -> int:
    """Return the action after declaring digging."""
    board.dig()
    board.expect(Prompt.ACTION, 0)
    return choice_of(name, board)


@everyone
def test_everyone_starts_with_a_tool(name: str) -> None:
    assert choice_of(name, Board(buy=True)) in {1 + tool for tool in Tool}


def test_the_builder_counts_cards_per_gem() -> None:
    """Basic pick: 14 cards in 64 rolls for 2 gems. No other basic tool gives 7 a gem."""
    name = "builder:potential=0:per_gem=1:gem=0"
    assert choice_of(name, Board(buy=True)) == 1 + Tool.PICK
    assert choice_of("builder:potential=0:per_gem=0:gem=0", Board(buy=True)) == 1 + Tool.DRILL


@everyone
def test_a_dear_gem_buys_nothing(name: str) -> None:
    dear = f"{name}:gem=0.3:potential=0"
    assert choice_of(dear, Board(buy=True)) == 0


def in_danger(dynamite: int = 0) -> Board:
    """Return a board with seat 1's cave-in card out, a big pile, and gems."""
    board = Board()
    board.tools(0, drill=3, shovel=3, hammer=2)
    board.mine(0, face_down=12, rubble=20, out=True)
    board.dynamite(0, dynamite)
    board.gems(0, 7)
    for seat in (1, 2, 3):
        board.mine(seat, face_down=15, rubble=27, out=True)
        board.tools(seat, drill=2)
    return board


def test_the_cleaner_cleans_up_before_it_buys() -> None:
    assert acting("cleaner", in_danger(2)) == CLEAN_UP + 5


def test_no_clean_up_below_the_pile_of_the_weight() -> None:
    assert acting("cleaner:clean_up_at=20", in_danger(2)) == CLEAN_UP + 5
    assert acting("cleaner:clean_up_at=21", in_danger(2)) < CLEAN_UP


def test_the_saboteur_blows_up_whoever_will_be_done_first() -> None:
    board = in_danger()
    board.mine(2, face_down=6, rubble=30, out=True)
    board.tools(2, drill=3, shovel=2)
    board.dig()
    action = choice_of("saboteur", board)
    board.choose(action if action == BUY_DYNAMITE else 1 + Tool.HAMMER)
    if board.prompt == Prompt.DYNAMITE:
        assert choice_of("saboteur", board) == 1 + 2


def test_the_saboteur_buys_dynamite_the_builder_does_not() -> None:
    board = in_danger()
    board.tools(0, drill=3, shovel=3, hammer=3)
    board.mine(2, face_down=6, rubble=30, out=True)
    board.tools(2, drill=3, shovel=2)
    assert acting("saboteur", board) == BUY_DYNAMITE
    assert choice_of("builder", board) != BUY_DYNAMITE


def test_the_sprinter_waits_for_the_idle_bonus() -> None:
    board = Board()
    board.tools(0, drill=3, shovel=3, hammer=2)
    board.gems(0, 7)
    assert acting("sprinter:idle=0", board) == 1 + Tool.HAMMER
    assert choice_of("sprinter:idle=5:potential=0:great=0:gem=0.05", board) == 0


def test_two_actions_are_worth_a_roll_without_tools() -> None:
    """Without a tool only the wizard's number would be mined: nothing is lost by not digging."""
    board = Board()
    board.gems(0, 12)
    assert choice_of("balanced", board) == 1


def test_with_nothing_to_buy_it_digs() -> None:
    board = Board()
    board.gems(0, 1)
    assert choice_of("balanced", board) == 0


# --- spells -------------------------------------------------------------------------------------


def to_the_window(board: Board, seat: int) -> None:
    """Go on to the spell window of this turn, to one seat's chance in it."""
    board.dig()
    while (board.prompt, board.seat) != (Prompt.CAST, seat):
        assert board.prompt in (Prompt.ACTION, Prompt.CAST)
        board.choose(0)


@everyone
def test_a_blast_that_wins_is_cast(name: str) -> None:
    board = Board()
    board.mine(0, face_down=2, rubble=10, out=True)
    board.hand(0, Spell.BLAST, Spell.SHORE_UP, Spell.KNOCKED_OUT)
    to_the_window(board, 0)
    assert choice_of(name, board) == 1 + Spell.BLAST


def test_late_blasts_wait_for_the_own_turn() -> None:
    board = Board()
    board.mine(1, face_down=3, rubble=10, out=True)
    board.hand(1, Spell.BLAST)
    to_the_window(board, 1)
    assert choice_of("balanced:hold_blast=4", board) == 0
    assert choice_of("balanced:hold_blast=2", board) == 1 + Spell.BLAST


@everyone
def test_a_shore_up_is_laid_out_in_time(name: str) -> None:
    board = Board()
    for seat in range(4):
        board.mine(seat, face_down=18, rubble=24, out=True)
    board.hand(1, Spell.SHORE_UP)
    to_the_window(board, 1)
    assert choice_of(name, board) == 1 + Spell.SHORE_UP


def test_nothing_is_cast_into_an_empty_deck() -> None:
    board = Board()
    board.mine(1, face_down=0, rubble=0, out=True)
    board.hand(1, Spell.WIZARD_DRILL)
    to_the_window(board, 1)
    assert choice_of("balanced", board) == 0


def under_attack(*hand: Spell) -> Board:
    """Return a board where seat 3 has knocked out the leader, seat 1, before its roll."""
    board = Board()
    board.tools(0, drill=3, shovel=3, hammer=3)
    board.mine(0, face_down=4, rubble=10, out=True)
    for seat in (1, 2, 3):
        board.mine(seat, face_down=30, rubble=12, out=False)
        board.tools(seat, drill=2)
    board.hand(0, *hand)
    board.hand(2, Spell.KNOCKED_OUT)
    to_the_window(board, 2)
    board.cast(Spell.KNOCKED_OUT, 2)
    board.expect(Prompt.TARGET, 2)
    return board


@everyone
def test_attacks_go_to_the_leader(name: str) -> None:
    board = under_attack()
    assert choice_of(name, board) == 1 + 0


@everyone
def test_the_leader_defends_its_last_roll(name: str) -> None:
    board = under_attack(Spell.NEGATE)
    board.target(0)
    board.expect(Prompt.DEFEND, 0)
    assert choice_of(name, board) == 1 + Spell.NEGATE


def test_small_harm_is_not_worth_a_defence() -> None:
    board = under_attack(Spell.NEGATE)
    board.tools(0)
    board.mine(0, face_down=20, rubble=12, out=True)
    board.target(0)
    board.expect(Prompt.DEFEND, 0)
    assert choice_of("balanced", board) == 0


def test_the_broken_tool_is_the_one_whose_top_level_mines_most() -> None:
    board = under_attack()
    board.hand(3, Spell.BROKEN_TOOL)
    board.tools(0, drill=3, hammer=2, chisel=1)
    board.target(0)
    while (board.prompt, board.seat) != (Prompt.CAST, 3):
        board.choose(0)
    board.cast(Spell.BROKEN_TOOL, 3)
    board.target(0)
    board.expect(Prompt.TOOL, 3)
    top = {Tool.DRILL: (3, 24), Tool.HAMMER: (2, 18), Tool.CHISEL: (1, 13)}
    for tool, (level, cards) in top.items():
        hits = board.tables["card_hits"][tool, level - 1]
        assert sum(int(hits[total]) for total in dice()) == cards
    assert choice_of("balanced", board) == 1 + Tool.DRILL


def test_the_hand_keeps_what_is_worth_most() -> None:
    board = Board()
    for seat in range(4):
        board.mine(seat, face_down=18, rubble=24, out=True)
    board.state["prompt"] = board.prompt = Prompt.DISCARD
    hand = (Spell.SHORE_UP, Spell.BIG_BLAST, Spell.NEGATE, Spell.MAGIC_AURA)
    board.state["legal"] = sum(1 << (1 + spell) for spell in hand)
    assert choice_of("balanced", board) == 1 + Spell.MAGIC_AURA  # without a tool


def test_gems_without_a_use_buy_a_second_spell() -> None:
    board = Board()
    board.state["prompt"] = board.prompt = Prompt.BUY_SPELL
    board.state["legal"] = 0b11
    board.gems(0, 30)
    assert choice_of("balanced", board) == 1
    board.gems(0, 2)
    board.state["memo"][0] = 0
    assert choice_of("balanced:spell_reserve=1", board) == 0


def test_the_memo_is_renewed_every_turn() -> None:
    board = Board()
    before = looked(board, "balanced")
    board.tools(2, drill=3)
    assert looked(board, "balanced") == before
    board.state["turn"] += 1
    after = looked(board, "balanced")
    assert after[SPEED + 2] > before[SPEED + 2]
    assert np.array_equal(after[CARDS:], before[CARDS:])
