"""What a seat cannot know is dealt anew, evenly, and nothing of it shines through."""

from typing import Any

import numpy as np
import pytest

from sim.jit import COMPILED
from sim.rng import make_key
from sim.wizard_miners.hidden import hide
from tests.contract import callable_rule
from tests.sim.wizard_miners.board import Board, Spell
from tests.sim.wizard_miners.contract import spell_counts

pytestmark = pytest.mark.kernel


def hidden(board: Board, seat: int, k: int) -> np.ndarray:
    """Return a copy of the state with what a seat cannot know dealt anew."""
    states = board.states.copy()
    luck: Any = np.zeros(1, board.backstages.dtype)
    luck["key"] = make_key(4)
    callable_rule(board.game, hide, "state tables backstage seat k")(
        states[0], board.tables, luck[0], seat, k
    )
    return states


def table() -> Board:
    """Return a board with hands of 2, 1, 3 and 0 spells."""
    board = Board(4)
    board.hand(0, Spell.NEGATE, Spell.BLAST)
    board.hand(1, Spell.TOOL_SAVED)
    board.hand(2, Spell.REFLECT, Spell.REFLECT, Spell.CAVE_IN)
    board.state["memo"][:] = 7
    return board


def test_hand_sizes_and_the_own_hand_stay() -> None:
    board = table()
    for k in range(5):
        state = hidden(board, 0, k)[0]
        assert state["hand"].sum(axis=1).tolist() == [2, 1, 3, 0]
        assert state["hand_size"].tolist() == [2, 1, 3, 0]
        assert (state["hand"][0] == board.state["hand"][0]).all()
        assert state["deck_size"] == board.state["deck_size"]


def test_the_others_keep_nothing_in_mind() -> None:
    state = hidden(table(), 2, 0)[0]
    assert state["memo"].tolist() == [[7 * (seat == 2)] * 16 for seat in range(4)]


def test_what_others_held_leaves_no_trace() -> None:
    """Two tables that look the same to a seat are dealt the same."""
    one, two = table(), table()
    two.hand(1, Spell.KNOCKED_OUT)
    two.hand(2, Spell.BLAST, Spell.NEGATE, Spell.SHORE_UP)
    two.state["last_spell"][1] = Spell.KNOCKED_OUT
    assert one.states.tobytes() != two.states.tobytes()
    for k in range(3):
        assert hidden(one, 0, k).tobytes() == hidden(two, 0, k).tobytes()


def test_other_hands_are_dealt_evenly() -> None:
    """Each unseen card is as likely as any other to be the one in seat 1's hand."""
    board = table()
    unseen = spell_counts(board.state["deck"]) + board.state["hand"][1:].sum(axis=0)
    deals = 2000 if COMPILED else 300
    held = np.zeros(14)
    for k in range(deals):
        held += hidden(board, 0, k)[0]["hand"][1]
    expected = unseen / unseen.sum() * deals
    assert ((held - expected) ** 2 / expected).sum() < 42  # 13 degrees of freedom: 1 in 15,000
