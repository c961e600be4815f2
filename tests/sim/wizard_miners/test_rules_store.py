"""Starting Play 1 and 2: digging or not, purchases, dynamite, clean-up."""

import pytest

from sim.wizard_miners.state import MAX_SEATS
from tests.sim.wizard_miners.board import BUY_DYNAMITE, CLEAN_UP, Board, Prompt, Spell, Tally, Tool
from tests.sim.wizard_miners.contract import hits_of

pytestmark = pytest.mark.kernel

CHISEL, HAMMER, PICK, SHOVEL, DRILL = (1 + tool for tool in Tool)


def rich(players: int = 4, *, gems: int = 90, **patches: object) -> Board:
    """Return a board at the first DIG where seat 0 can pay for everything.

    Seat 1 holds a Shore Up, so that the game stops at its CAST when the actions are over.
    """
    board = Board(players, **patches)
    board.gems(0, gems)
    board.hand(1, Spell.SHORE_UP)
    return board


def test_wm_t07_an_upgrade_and_dynamite_are_one_action() -> None:
    """WM-T7: Nolan buys the big pick and one dynamite in one action; it needs the basic pick."""
    board = rich()
    board.tools(0, pick=1)
    board.dig()
    board.act(PICK)
    assert board.level(0, Tool.PICK) == 2
    board.take(Prompt.DYNAMITE, 1 + 1)
    assert board.of("dynamite", 1) == 1
    board.take(Prompt.DYNAMITE, 0)
    board.expect(Prompt.CAST)  # the action is used up
    assert board.now("acted") == 1

    without = rich()
    without.dig()
    without.act(PICK)
    assert without.level(0, Tool.PICK) == 1  # the basic one comes first


def test_wm_t06_dynamite_adds_up() -> None:
    """WM-T6: two pieces on Morgan and one more from Nolan make three."""
    board = rich()
    board.dynamite(1, 2)
    board.dig()
    board.act(BUY_DYNAMITE)
    board.take(Prompt.DYNAMITE, 1 + 1)
    board.take(Prompt.DYNAMITE, 0)
    assert board.of("dynamite", 1) == 3
    assert board.now("dynamite_supply") == 13


def test_wm_t16_four_dynamite_in_one_action() -> None:
    """WM-T16: a fourth piece in one action is not offered."""
    board = rich()
    board.dig()
    board.act(BUY_DYNAMITE)
    for victim in (1, 2, 3):
        assert board.prompt == Prompt.DYNAMITE
        board.choose(1 + victim)
    board.expect(Prompt.CAST)
    assert board.state["dynamite"].tolist() == [0, 1, 1, 1]
    assert board.tally(Tally.DYNAMITE_BOUGHT, 0) == 3


def test_wm_t16_tool_and_upgrade_in_one_action() -> None:
    """WM-T16: after a tool only dynamite may follow in the same action."""
    board = rich()
    board.dig()
    board.act(DRILL)
    board.expect(Prompt.DYNAMITE)
    assert board.legal == [0, 2, 3, 4]  # done, or a piece for one of the others
    board.choose(0)
    assert board.level(0, Tool.DRILL) == 1
    board.expect(Prompt.CAST)


def test_wm_t16_a_fourth_tool_type() -> None:
    """WM-T16: three types at most; their upgrades stay on offer."""
    board = rich()
    board.tools(0, chisel=1, hammer=2, drill=3)
    board.dig()
    tools = [choice for choice in board.legal if 1 <= choice <= 5]
    assert tools == [CHISEL, HAMMER]  # no pick, no shovel, and the drill is complete


def test_a_lost_tool_makes_room_for_another_type() -> None:
    """Starting Play 2: three types at any time, not three over the game ("own any 3")."""
    board = rich()
    board.tools(0, chisel=1, hammer=2)
    board.dig()
    assert [choice for choice in board.legal if 1 <= choice <= 5] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("level", [0, 1, 2])
def test_wm_t16_levels_come_in_order_and_once(level: int) -> None:
    """WM-T16: no great before big, no second basic: a purchase gives the next level only."""
    board = rich()
    board.tools(0, chisel=level)
    board.dig()
    before = board.of("gems", 0)
    board.act(CHISEL)
    assert board.level(0, Tool.CHISEL) == level + 1
    assert board.of("gems", 0) == before - [2, 4, 6][level]


def test_wm_t16_a_complete_tool_cannot_be_bought_again() -> None:
    """WM-T16: no second copy of a card."""
    board = rich()
    board.tools(0, chisel=3)
    board.dig()
    assert CHISEL not in board.legal


@pytest.mark.parametrize("gems", [0, 1, 2, 3, 4, 5, 6, 7, 8])
def test_prices_of_upgrades(gems: int) -> None:
    """Set Up D and section 9.1: what is offered is what can be paid."""
    costs = {Tool.CHISEL: 4, Tool.HAMMER: 7, Tool.DRILL: 6}
    board = rich(gems=gems)
    board.mine(0, face_down=42)
    board.tools(0, chisel=1, hammer=2, drill=1)
    board.dig()
    if gems < 2:
        board.expect(Prompt.CAST)  # nothing affordable: nobody is asked (W-42)
        return
    offered = {choice for choice in board.legal if 1 <= choice <= 5}
    assert offered == {1 + tool for tool, cost in costs.items() if cost <= gems}
    assert (BUY_DYNAMITE in board.legal) == (gems >= 2)


def test_the_five_purchases() -> None:
    """Starting Play 2: tool; upgrade; tool + dynamite; upgrade + dynamite; dynamite alone."""
    for levels, choice, pieces in (
        ({}, PICK, 0),
        ({"pick": 1}, PICK, 0),
        ({}, PICK, 3),
        ({"pick": 1}, PICK, 2),
        ({}, BUY_DYNAMITE, 1),
    ):
        board = rich()
        board.tools(0, **levels)
        gems = board.of("gems", 0)
        board.dig()
        board.act(choice)
        board.expect(Prompt.DYNAMITE)
        if choice == BUY_DYNAMITE:
            assert 0 not in board.legal  # whoever buys dynamite buys a piece
        for _ in range(pieces):
            board.take(Prompt.DYNAMITE, 1 + 2)
        if board.prompt == Prompt.DYNAMITE:
            board.choose(0)
        assert board.of("dynamite", 2) == pieces
        price = 0 if choice == BUY_DYNAMITE else 2 + 2 * levels.get("pick", 0)
        assert board.of("gems", 0) == gems - price - 2 * pieces
        assert board.now("acted") == 1
        board.expect(Prompt.CAST)


def test_dynamite_costs_two_gems_a_piece() -> None:
    """Starting Play 2: two gems each, and no more pieces than gems allow."""
    board = rich(gems=5)
    board.dig()
    board.act(BUY_DYNAMITE)
    board.choose(1 + 1)
    assert board.of("gems", 0) == 3
    board.choose(1 + 1)
    assert board.tally(Tally.DYNAMITE_BOUGHT, 0) == 2
    board.expect(Prompt.CAST)  # one gem does not buy a third


def test_dynamite_goes_to_others_and_may_be_split() -> None:
    """Starting Play 2, Miscellaneous: on other players at once, split at will."""
    board = rich(3)
    board.dig()
    board.act(DRILL)
    assert board.legal == [0, 2, 3]  # not on oneself, not on an empty seat
    board.choose(1 + 1)
    assert board.of("dynamite", 1) == 1  # at once
    board.choose(1 + 2)
    board.take(Prompt.DYNAMITE, 1 + 1)
    assert board.state["dynamite"].tolist() == [0, 2, 1, 0]
    assert board.tally(Tally.DYNAMITE_RECEIVED, 1) == 2
    assert board.tally(Tally.DYNAMITE_RECEIVED, 2) == 1


def test_wm_t19_dynamite_runs_out() -> None:
    """WM-T19, rule 24: with 16 pieces out none can be bought; the last one can."""
    board = rich()
    board.dynamite(1, 16)
    board.dig()
    assert BUY_DYNAMITE not in board.legal
    board.act(DRILL)
    board.expect(Prompt.CAST)

    board = rich()
    board.dynamite(1, 15)
    board.dig()
    board.act(BUY_DYNAMITE)
    board.choose(1 + 3)
    assert board.now("dynamite_supply") == 0
    board.expect(Prompt.CAST)  # though the action allows three


def test_without_dynamite_none_is_sold() -> None:
    """Section 5: the switch `dynamite`."""
    board = rich(switches__dynamite=False)
    board.dig()
    assert BUY_DYNAMITE not in board.legal
    board.act(DRILL)
    board.expect(Prompt.CAST)


def test_w34_w17_dynamite_on_an_empty_mine_or_before_the_cave_in_card() -> None:
    """W-34: an empty deck may get dynamite. W-17: so may a mine whose card is not out."""
    board = rich()
    board.mine(2, face_down=0, rubble=4)
    board.dig()
    board.act(BUY_DYNAMITE)
    board.choose(1 + 2)
    board.choose(1 + 1)
    assert board.state["dynamite"].tolist() == [0, 1, 1, 0]
    assert board.of("cave_in_out", 1) == 0


def test_wm_t17_clean_up() -> None:
    """WM-T17: six cards are too many; five cost five gems. Rule 25: they never come back."""
    board = rich(gems=20)
    board.mine(0, face_down=30, rubble=12)
    board.dig()
    assert [choice - CLEAN_UP for choice in board.legal if choice > CLEAN_UP] == [1, 2, 3, 4, 5]
    board.act(CLEAN_UP + 5)
    assert board.of("rubble", 0) == 7
    assert board.of("gems", 0) == 15
    assert board.tally(Tally.CLEANED, 0) == 5
    gone = 30 + 12 - 5
    assert board.deck(0) + board.of("rubble", 0) == gone
    for _ in range(12):
        board.pass_to(Prompt.DIG)
        board.choose(0)
    cleaned = board.tally(Tally.CLEANED, 0)
    assert board.deck(0) + board.of("rubble", 0) == 42 - cleaned <= gone


@pytest.mark.parametrize(("gems", "rubble", "most"), [(2, 9, 2), (9, 3, 3), (9, 0, 0), (0, 9, 0)])
def test_clean_up_needs_gems_and_rubble(gems: int, rubble: int, most: int) -> None:
    """Starting Play 2: one gem a card, no more cards than there are."""
    board = rich(gems=gems)
    board.mine(0, face_down=25, rubble=rubble)
    board.dig()
    if board.prompt == Prompt.ACTION:
        assert [c - CLEAN_UP for c in board.legal if c > CLEAN_UP] == list(range(1, most + 1))
    else:
        assert most == 0


@pytest.mark.parametrize(("cost", "most", "left"), [(2, 3, 1), (3, 2, 1), (0, 5, 7)])
def test_clean_up_at_another_price(cost: int, most: int, left: int) -> None:
    """Patches: what a clean-up costs decides how many cards seven gems remove."""
    board = rich(gems=7, clean_up__cost=cost)
    board.mine(0, face_down=30, rubble=12)
    board.dig()
    assert [c - CLEAN_UP for c in board.legal if c > CLEAN_UP] == list(range(1, most + 1))
    board.act(CLEAN_UP + most)
    assert board.of("gems", 0) == left
    assert board.of("rubble", 0) == 12 - most


def test_a_clean_up_is_no_purchase() -> None:
    """Starting Play 2: a purchase or a clean-up; no dynamite after a clean-up."""
    board = rich()
    board.mine(0, face_down=30, rubble=12)
    board.dig()
    board.act(CLEAN_UP + 1)
    board.expect(Prompt.CAST)
    assert board.now("dynamite_supply") == 16


def test_digging_allows_one_action_and_resting_two() -> None:
    """Starting Play 1: step 2 twice when not digging."""
    board = rich()
    board.dig()
    board.act(DRILL)
    board.take(Prompt.DYNAMITE, 0)
    board.expect(Prompt.CAST)

    board = rich()
    board.rest()
    board.act(DRILL)
    board.take(Prompt.DYNAMITE, 0)
    board.act(DRILL)  # the upgrade, as a second action
    board.take(Prompt.DYNAMITE, 0)
    board.expect(Prompt.CAST)
    assert board.level(0, Tool.DRILL) == 2


def test_w23_two_actions_may_bring_six_dynamite() -> None:
    """W-23: not digging, three pieces with each of two purchases."""
    board = rich()
    board.rest()
    for _ in range(2):
        board.act(BUY_DYNAMITE)
        for _ in range(3):
            board.take(Prompt.DYNAMITE, 1 + 3)
    assert board.of("dynamite", 3) == 6
    board.expect(Prompt.CAST)


def test_w24_two_clean_ups_of_five() -> None:
    """W-24: not digging, ten cards may go."""
    board = rich()
    board.mine(0, face_down=22, rubble=20)
    board.rest()
    board.act(CLEAN_UP + 5)
    board.act(CLEAN_UP + 5)
    assert board.tally(Tally.CLEANED, 0) == 10
    board.expect(Prompt.CAST)


def test_w26_a_second_action_can_be_left_out() -> None:
    """W-26: "may"; none is always offered, and ends the actions."""
    for declare in (Board.dig, Board.rest):
        board = rich()
        board.hand(1, Spell.BLAST)
        declare(board)
        assert 0 in board.legal
        board.act(0)
        board.expect(Prompt.CAST, seat=1)
        assert board.now("acted") == 0


def test_rule_3_upgrades_add_numbers() -> None:
    """Rule 3: numbers of an upgrade come on top of those below."""
    board = rich()
    board.dig()
    board.act(DRILL)
    assert [n for n in range(17) for _ in range(hits_of(board.state)[0, n])] == [2, 5, 7, 8, 9, 11]
    board.choose(0)
    board.pass_to(Prompt.DIG)
    board.state["active"] = 0
    board.gems(0, 50)
    board.rest()
    board.act(DRILL)
    board.choose(0)
    board.act(DRILL)
    numbers = sorted([7, 2, 5, 8, 9, 11, 8, 10, 12, 13, 5, 7, 9, 11])
    hits = hits_of(board.state)[0]
    assert [n for n in range(17) for _ in range(hits[n])] == numbers


def test_only_the_active_player_acts() -> None:
    """Starting Play: every step belongs to the active player; the turn passes to the left."""
    board = rich()
    board.hand(1)
    asked = []
    for _ in range(2 * MAX_SEATS):
        board.expect(Prompt.DIG, seat=board.now("active"))
        asked.append(board.seat)
        board.gems(board.seat, 9)
        board.choose(0)
        board.expect(Prompt.ACTION, seat=board.now("active"))
        board.pass_to(Prompt.DIG)
    assert asked == [0, 1, 2, 3] * 2


def test_w40_gems_are_unlimited() -> None:
    """W-40: sixty gem pieces are only tokens."""
    board = rich(gems=59)
    board.hand(1)
    board.mine(0, face_down=8, gem_cards=[0, 0, 0, 8])
    board.tools(0, drill=3)
    board.mining(8)
    assert board.of("gems", 0) >= 59 + 2 * 3


@pytest.mark.parametrize("seat", [0, 1])
def test_forbidden_options_are_not_offered(seat: int) -> None:
    """Interventions on one seat: no dynamite, no spells, no drill; the others keep theirs."""
    board = rich()
    board.tables["forbid_dynamite"][seat] = 1
    board.tables["forbid_tools"][seat] = 1 << Tool.DRILL
    board.tables["forbid_spells"][seat] = 1
    board.hand(0, Spell.BLAST)
    board.dig()
    mine = seat == 0  # seat 1 casts before seat 0, unless it must not
    assert (BUY_DYNAMITE in board.legal) != mine
    assert (DRILL in board.legal) != mine
    assert SHOVEL in board.legal
    board.act(0)
    board.expect(Prompt.CAST, seat=1 if mine else 0)
