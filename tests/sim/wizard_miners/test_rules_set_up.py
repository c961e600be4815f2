"""Set Up A to D: wizards, mines, spells, the initial purchase."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sim.decks import unpack
from sim.jit import COMPILED
from sim.wizard_miners.mine import mine
from tests.sim.wizard_miners.board import Board, Prompt, Spell, Tool
from tests.sim.wizard_miners.contract import make_tables, spell_counts

pytestmark = pytest.mark.kernel


def test_wm_t14_starting_gems() -> None:
    """WM-T14: wizards 7, 8, 10, 11 start with 6, 5, 5, 6 gems."""
    board = Board(4, buy=True)
    assert board.state["wizard"].tolist() == [7, 8, 10, 11]
    assert board.state["gems"].tolist() == [6, 5, 5, 6]


def test_wm_t15_initial_purchase() -> None:
    """WM-T15: a drill out of 5 gems leaves 1; nobody buys a second tool."""
    board = Board(4, buy=True)
    board.take(Prompt.INITIAL_PURCHASE, 0, seat=0)
    board.expect(Prompt.INITIAL_PURCHASE, seat=1)
    board.choose(1 + Tool.DRILL)
    assert board.of("gems", 1) == 1
    assert board.level(1, Tool.DRILL) == 1
    board.expect(Prompt.INITIAL_PURCHASE, seat=2)  # one purchase each


def test_initial_purchase_offers_every_basic_tool_once_per_player() -> None:
    """Set Up D, W-33: all five basic tools, in seat order, then the first turn begins."""
    board = Board(4, buy=True)
    prices = [2, 3, 2, 3, 4]
    for seat, tool in enumerate([Tool.CHISEL, Tool.HAMMER, Tool.PICK, Tool.SHOVEL]):
        board.expect(Prompt.INITIAL_PURCHASE, seat)
        assert board.legal == [0, 1, 2, 3, 4, 5]
        before = board.of("gems", seat)
        board.choose(1 + tool)
        assert board.of("gems", seat) == before - prices[tool]
        assert board.state["levels"][seat].sum() == 1
    board.expect(Prompt.DIG, seat=0)


def test_initial_purchase_needs_the_gems() -> None:
    """Set Up D: paid with the starting gems."""
    board = Board(4, buy=True, wizards__gems=(3, 2, 1, 6))
    assert board.legal == [0, 1, 2, 3, 4]  # no drill for 3 gems
    board.choose(0)
    assert board.legal == [0, 1 + Tool.CHISEL, 1 + Tool.PICK]
    board.choose(0)
    board.expect(Prompt.INITIAL_PURCHASE, seat=3)  # seat 2 can afford nothing and is not asked


def test_wm_t25_mine_decks() -> None:
    """WM-T25: 42 mine cards face down, the cave-in card after 21, nothing in the rubble."""
    board = Board(4, buy=True)
    for seat in range(4):
        assert board.of("face_down", seat) == 42
        assert sum(unpack(board.state["gem_cards"][seat])) == 42
        assert board.of("rubble", seat) == board.of("face_up", seat) == 0
        assert board.of("cave_in_out", seat) == 0
    board = Board(4)
    board.call(mine, "state tables backstage seat cards", 0, 20)
    assert board.of("cave_in_out", 0) == 0
    board.call(mine, "state tables backstage seat cards", 0, 1)
    assert board.of("cave_in_out", 0) == 1


def test_gems_on_the_mine_cards() -> None:
    """Section 9.4: 8, 14, 12 and 8 cards with 0, 1, 2 and 3 gems, for every player alike."""
    board = Board(3, buy=True)
    for seat in range(3):
        assert unpack(board.state["gem_cards"][seat])[:4] == [8, 14, 12, 8]


def test_two_spells_each() -> None:
    """Set Up C: two spells per player out of 75."""
    board = Board(4, buy=True)
    assert board.state["hand"].sum(axis=1).tolist() == [2, 2, 2, 2]
    assert board.now("deck_size") == 75 - 8
    assert spell_counts(board.tables["spell_deck"]).tolist() == [
        *(8, 4, 5, 8, 6),
        *(6, 6, 5, 6, 5),
        *(5, 4, 4, 3),
    ]


def test_without_spells_nobody_draws_or_casts() -> None:
    """Section 5: the switch `spells`."""
    board = Board(4, switches__spells=False)
    assert not board.state["hand"].any()
    for _ in range(8):
        assert board.prompt == Prompt.DIG
        board.choose(0)
        while board.prompt != Prompt.DIG:
            board.take(Prompt.ACTION, 0)  # nothing else is asked
    assert not board.state["hand"].any()


def test_w25_three_players_leave_the_fourth_wizard_out() -> None:
    """W-25: three players play 7, 8, 10; the fourth seat stays empty."""
    board = Board(3, buy=True)
    assert board.state["wizard"].tolist() == [7, 8, 10, 0]
    assert board.of("face_down", 3) == board.of("gems", 3) == 0
    board.pass_to(Prompt.DIG)
    turns = [board.now("active")]
    for _ in range(3):
        board.choose(0)
        board.pass_to(Prompt.DIG)
        turns.append(board.now("active"))
    assert turns == [0, 1, 2, 0]


@pytest.mark.parametrize("players", [3, 4])
def test_random_start_and_wizards(players: int) -> None:
    """Section 5: `start_order` random, `wizard_assignment` random; all orders come up evenly."""
    games = 600 if COMPILED else 60
    starts: Counter[int] = Counter()
    firsts: Counter[int] = Counter()
    for deal in range(games):
        board = Board(
            players,
            buy=True,
            deal=deal,
            switches__start_order="random",
            switches__wizard_assignment="random",
        )
        wizards = board.state["wizard"][:players].tolist()
        assert len(set(wizards)) == players
        assert set(wizards) <= {7, 8, 10, 11}
        gems = dict(zip((7, 8, 10, 11), (6, 5, 5, 6), strict=True))
        assert board.state["gems"][:players].tolist() == [gems[number] for number in wizards]
        board.expect(Prompt.INITIAL_PURCHASE, seat=board.now("first_seat"))
        starts[board.seat] += 1
        firsts[wizards[-1]] += 1
    assert len(starts) == players
    assert len(firsts) == 4
    assert stats.chisquare(list(starts.values())).pvalue > 1e-4
    assert stats.chisquare(list(firsts.values())).pvalue > 1e-4


def test_the_first_seat_takes_the_first_turn() -> None:
    """Set Up A: purchases and turns go round from the first player."""
    for deal in range(40):
        board = Board(4, buy=True, deal=deal, switches__start_order="random")
        first = board.now("first_seat")
        if first == 2:
            break
    asked = []
    while board.prompt == Prompt.INITIAL_PURCHASE:
        asked.append(board.seat)
        board.choose(0)
    assert asked == [2, 3, 0, 1]
    board.expect(Prompt.DIG, seat=2)


def test_w45_mine_decks_are_shuffled_whole() -> None:
    """W-45: what the upper cards show is a random part of the deck, not a fixed share."""
    games = 400 if COMPILED else 40
    zeros: list[int] = []
    first: Counter[int] = Counter()
    board = Board(4)
    fresh = board.states.copy()
    full = np.array(unpack(board.state["gem_cards"][0]))
    for deal in range(games):
        board.states[:] = fresh
        board.backstages["base"] = deal << 28
        board.call(mine, "state tables backstage seat cards", 0, 1)
        gone = full - unpack(board.state["gem_cards"][0])
        assert gone.sum() == 1
        first[int(gone.argmax())] += 1
        board.call(mine, "state tables backstage seat cards", 0, 19)
        zeros.append(8 - unpack(board.state["gem_cards"][0])[0])
    expected = np.array([8, 14, 12, 8]) / 42 * games
    assert stats.chisquare([first[kind] for kind in range(4)], expected).pvalue > 1e-4
    law = stats.hypergeom(42, 8, 20)
    assert abs(np.mean(zeros) - law.mean()) < 4.5 * law.std() / games**0.5
    assert abs(np.var(zeros) / law.var() - 1) < 4.5 * (2 / games) ** 0.5


def test_players_hold_their_own_decks() -> None:
    """Set Up B: the decks of two seats are shuffled independently."""
    board = Board(4)
    for seat in range(4):
        board.call(mine, "state tables backstage seat cards", seat, 15)
    assert len({tuple(unpack(word)) for word in board.state["gem_cards"]}) > 1


def test_w29_tool_supply() -> None:
    """W-29: four cards of each tool and level; a scarce one runs out and comes back."""
    assert make_tables(4)["tool_supply"][0] == 4
    board = Board(4, buy=True, tools__supply=2)
    board.choose(1 + Tool.DRILL)
    board.choose(1 + Tool.DRILL)
    assert 1 + Tool.DRILL not in board.legal
    assert 1 + Tool.SHOVEL in board.legal
    board.choose(0)
    board.choose(0)
    for seat in range(4):
        board.hand(seat)
    board.hand(2, Spell.BROKEN_TOOL)
    board.gems(0, 0)
    board.dig()
    board.cast(Spell.BROKEN_TOOL, seat=2)
    board.target(1)
    assert board.level(1, Tool.DRILL) == 0
    board.pass_to(Prompt.DIG)
    board.gems(1, 20)
    board.take(Prompt.DIG, 0, seat=1)
    assert 1 + Tool.DRILL in board.legal
    board.act(1 + Tool.DRILL)
    assert board.level(1, Tool.DRILL) == 1
