"""The two strategies that are defined to the last choice, one decision after the other."""

import pytest

from sim.wizard_miners.state import BUY_DYNAMITE, CLEAN_UP, Prompt, Spell, Tool
from strategies.resolve import resolve
from tests.contract import Session
from tests.sim.wizard_miners.board import Board
from tests.strategies.tables import FEW, GAME, choice_of, games_of

pytestmark = pytest.mark.kernel
BOTH = pytest.mark.parametrize("name", ["passive", "drill_first"])
BUY_DRILL, BUY_SHOVEL, BUY_HAMMER = 1 + Tool.DRILL, 1 + Tool.SHOVEL, 1 + Tool.HAMMER


def acting(gems: int, *, rubble: int = 0, card_out: bool = False, **tools: int) -> Board:
    """Return a board where seat 1 has declared digging and may act."""
    board = Board()
    board.tools(0, **tools)
    board.mine(0, face_down=20 if card_out else 30, rubble=rubble, out=card_out)
    board.gems(0, gems)
    board.dig()
    board.expect(Prompt.ACTION, 0)
    return board


def test_passive_buys_nothing_at_first() -> None:
    board = Board(buy=True)
    assert board.prompt == Prompt.INITIAL_PURCHASE
    assert board.legal == [0, 1, 2, 3, 4, 5]
    assert choice_of("passive", board) == 0


def test_drill_first_buys_the_basic_drill_at_first() -> None:
    board = Board(buy=True)
    assert choice_of("drill_first", board) == BUY_DRILL


def test_drill_first_with_three_gems_buys_nothing_at_first() -> None:
    board = Board(buy=True, wizards__gems=(3, 3, 3, 3))
    assert board.legal == [0, 1, 2, 3, 4]
    assert choice_of("drill_first", board) == 0


@BOTH
def test_both_always_dig(name: str) -> None:
    board = Board()
    board.state["gems"][0] = 50
    assert board.prompt == Prompt.DIG
    assert choice_of(name, board) == 0


def test_passive_takes_no_action() -> None:
    assert choice_of("passive", acting(50, rubble=20, card_out=True)) == 0


@pytest.mark.parametrize(
    ("gems", "tools", "wanted"),
    [
        (4, {}, BUY_DRILL),
        (3, {}, BUY_SHOVEL),  # not enough for the drill
        (2, {}, 0),  # a chisel or a pick could be had
        (6, {"drill": 1}, BUY_DRILL),
        (5, {"drill": 1}, BUY_SHOVEL),
        (8, {"drill": 2}, BUY_DRILL),
        (7, {"drill": 2}, BUY_SHOVEL),
        (3, {"drill": 3}, BUY_SHOVEL),
        (5, {"drill": 3, "shovel": 1}, BUY_SHOVEL),
        (4, {"drill": 3, "shovel": 1}, BUY_HAMMER),
        (7, {"drill": 3, "shovel": 2}, BUY_SHOVEL),
        (3, {"drill": 3, "shovel": 3}, BUY_HAMMER),
        (5, {"drill": 3, "shovel": 3, "hammer": 1}, BUY_HAMMER),
        (7, {"drill": 3, "shovel": 3, "hammer": 2}, BUY_HAMMER),
        (50, {"drill": 3, "shovel": 3, "hammer": 3}, 0),
        (50, {"drill": 3, "pick": 1, "chisel": 1}, 0),  # three types: no shovel, no hammer
    ],
)
def test_drill_first_buys_in_its_order(gems: int, tools: dict[str, int], wanted: int) -> None:
    assert choice_of("drill_first", acting(gems, **tools)) == wanted


@pytest.mark.parametrize(
    ("rubble", "gems", "card_out", "wanted"),
    [
        (10, 9, True, CLEAN_UP + 5),
        (21, 5, True, CLEAN_UP + 5),
        (10, 3, True, CLEAN_UP + 3),
        (10, 1, True, CLEAN_UP + 1),
        (9, 9, True, BUY_DRILL),
        (12, 9, False, BUY_DRILL),
    ],
)
def test_drill_first_cleans_up_first(rubble: int, gems: int, card_out: bool, wanted: int) -> None:
    board = acting(gems, rubble=rubble, card_out=card_out)
    assert choice_of("drill_first", board) == wanted


def test_the_pile_from_which_drill_first_cleans_up_is_a_weight() -> None:
    board = acting(9, rubble=6, card_out=True)
    assert choice_of("drill_first:clean_up_at=6", board) == CLEAN_UP + 5
    assert choice_of("drill_first:clean_up_at=7", board) == BUY_DRILL


def test_drill_first_adds_no_dynamite() -> None:
    board = acting(20)
    assert BUY_DYNAMITE in board.legal
    board.choose(BUY_DRILL)
    assert board.prompt == Prompt.DYNAMITE
    assert choice_of("drill_first", board) == 0


@BOTH
def test_both_never_cast_and_never_defend(name: str) -> None:
    board = Board()
    board.hand(0, Spell.BLAST, Spell.SHORE_UP)
    board.hand(1, Spell.NEGATE)
    board.hand(2, Spell.KNOCKED_OUT)
    board.choose(0)
    board.choose(0)
    assert (board.prompt, board.seat) == (Prompt.CAST, 2)
    assert choice_of(name, board) == 0
    board.choose(1 + Spell.KNOCKED_OUT)
    board.choose(1 + 1)
    assert (board.prompt, board.seat) == (Prompt.DEFEND, 1)
    assert choice_of(name, board) == 0


@BOTH
def test_both_take_all_of_a_free_clean_up(name: str) -> None:
    board = Board()
    board.state["prompt"] = Prompt.FREE_CLEAN_UP
    board.state["legal"] = 0b1111
    board.prompt = Prompt.FREE_CLEAN_UP
    assert choice_of(name, board) == 3


@BOTH
def test_both_buy_no_second_spell_and_discard_the_newest(name: str) -> None:
    board = Board()
    board.hand(0, *[Spell.NEGATE] * 4, Spell.TOOL_SAVED)
    board.state["gems"][0] = 2
    board.choose(0)
    while board.prompt != Prompt.BUY_SPELL:
        board.choose(0)
    assert choice_of(name, board) == 0
    newest = int(board.state["last_spell"][0])
    assert newest not in (Spell.NEGATE, Spell.TOOL_SAVED)
    board.choose(0)
    assert board.prompt == Prompt.DISCARD
    assert choice_of(name, board) == 1 + newest


@BOTH
def test_with_the_newest_spell_gone_they_discard_the_first_kind(name: str) -> None:
    """Only rules with a lower hand limit ask for a second discard."""
    board = Board()
    board.state["prompt"] = board.prompt = Prompt.DISCARD
    board.state["legal"] = (1 << Spell.KNOCKED_OUT | 1 << Spell.NEGATE) << 1
    board.state["last_spell"][0] = Spell.BLAST
    assert choice_of(name, board) == 1 + Spell.KNOCKED_OUT


def by_the_page(name: str, session: Session) -> int:
    """Return the choice of `passive` or `drill_first`, written from their definition alone."""
    state, seat, legal = session.state, session.seat, session.legal
    prompt = Prompt(session.prompt)
    if prompt == Prompt.DISCARD:
        return 1 + int(state["last_spell"][seat])
    if prompt == Prompt.FREE_CLEAN_UP:
        return max(legal)
    if name == "passive":
        return 0
    gems, tools = int(state["gems"][seat]), [1 + tool for tool in (4, 3, 1)]
    if prompt == Prompt.INITIAL_PURCHASE:
        return 5 if gems >= 4 else 0
    if prompt == Prompt.ACTION:
        if state["cave_in_out"][seat] and state["rubble"][seat] >= 10 and gems >= 1:
            return 8 + min(5, gems)
        return next((tool for tool in tools if tool in legal), 0)
    return 0


@BOTH
def test_whole_games_follow_the_definition(name: str) -> None:
    """Beside players who attack, so that every kind of prompt comes up."""
    seen = set()
    strategy = resolve(GAME, name)
    for session, who in games_of([name, "anybody", "saboteur", "anybody"], FEW, seed=5):
        if who.label == name and session.seat == 0:
            wanted = by_the_page(name, session)
            assert wanted in session.legal
            assert (
                int(
                    strategy.decider(
                        session.state, session.tables, session.prompt, strategy.weights
                    )
                )
                == wanted
            )
            seen.add(Prompt(session.prompt))
    assert {Prompt.DIG, Prompt.ACTION, Prompt.CAST, Prompt.BUY_SPELL, Prompt.DISCARD} <= seen
