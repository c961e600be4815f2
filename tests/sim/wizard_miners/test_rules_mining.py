"""Starting Play 3: who mines how many cards on a roll; the great-tool bonus; free clean-up."""

import pytest

from tests.sim.wizard_miners.board import Board, Effect, Prompt, Spell, Tally, Tool
from tests.sim.wizard_miners.contract import hits_of

pytestmark = pytest.mark.kernel


def red_wizard(**patches: object) -> Board:
    """Return the play example: seat 1 plays the Red Wizard (8), big shovel, big drill, chisel."""
    board = Board(4, **patches)
    board.tools(1, shovel=2, drill=2, chisel=1)
    return board


def test_wm_t01_a_3_on_two_tools() -> None:
    """WM-T1: a 3 gives the Red Wizard two cards."""
    board = red_wizard()
    board.mining(3)
    assert board.tally(Tally.MINED, 1) == 2
    assert board.of("rubble", 1) == 2
    assert board.of("face_down", 1) == 40


def test_wm_t02_an_8_on_two_tools_and_the_wizard() -> None:
    """WM-T2: an 8 gives five: two on the shovel, two on the drill, one on the wizard card."""
    board = red_wizard()
    board.mining(8)
    assert board.tally(Tally.MINED, 1) == 5


@pytest.mark.parametrize("active", [1, 3])
def test_mining_is_the_same_in_anybodys_turn(active: int) -> None:
    """Rule 1: every player mines on every roll."""
    board = red_wizard()
    board.mining(8, active=active, acted=True)
    assert board.tally(Tally.MINED, 1) == 5


def test_wm_t03_the_bonus_of_a_great_drill() -> None:
    """WM-T3: great drill, digging, no action, a 5: two cards and three more."""
    board = Board(4)
    board.tools(0, drill=3)
    board.mining(5)
    assert board.tally(Tally.MINED, 0) == 5
    assert board.tally(Tally.BONUS_CARDS, 0) == 3


def test_wm_t04_no_bonus_after_an_action_or_for_others() -> None:
    """WM-T4: two cards after an action, and for a player whose turn it is not."""
    board = Board(4)
    board.tools(0, drill=3)
    board.tools(2, drill=3)
    board.mining(5, acted=True)
    assert board.tally(Tally.MINED, 0) == 2
    assert board.tally(Tally.MINED, 2) == 2
    assert board.tally(Tally.BONUS_CARDS, 0) == board.tally(Tally.BONUS_CARDS, 2) == 0
    board.mining(5, active=1)  # seat 1 digs and takes no action: that is no bonus for others
    assert board.tally(Tally.MINED, 0) == board.tally(Tally.MINED, 2) == 4


def test_wm_t05_not_digging() -> None:
    """WM-T5: not digging leaves the wizard number; everybody else mines as ever."""
    board = red_wizard()
    board.tools(2, drill=2)
    board.mining(8, active=1, digging=False)
    assert board.tally(Tally.MINED, 1) == 1
    assert board.tally(Tally.MINED, 2) == 2

    board = red_wizard()
    board.mining(3, active=1, digging=False)
    assert board.tally(Tally.MINED, 1) == 0


def test_not_digging_is_declared_for_one_turn() -> None:
    """WM-T5 by the turn itself: resting counts in the own turn only."""
    board = red_wizard()
    for _ in range(4):
        board.take(Prompt.DIG, 1)
        board.pass_to(Prompt.DIG)
    before = board.tally(Tally.MINED, 1)
    board.mining(8, active=2)
    assert board.tally(Tally.MINED, 1) == before + 5


def test_w07_no_bonus_for_a_player_who_rests() -> None:
    """W-7: the bonus needs digging."""
    board = Board(4)
    board.tools(0, drill=3)
    board.mining(5, digging=False)
    assert board.tally(Tally.MINED, 0) == 0


@pytest.mark.parametrize(("number", "cards"), [(2, 4), (8, 5), (11, 5), (13, 4), (3, 0)])
def test_the_bonus_counts_for_a_number_on_any_level(number: int, cards: int) -> None:
    """Rule 4, W-9: whatever level of the great drill shows the number; it alone is looked at."""
    board = Board(4)
    board.tools(0, drill=3)
    board.mining(number)
    assert board.tally(Tally.MINED, 0) == cards


def test_w06_bonuses_of_several_great_tools_add_up() -> None:
    """W-6: great drill and great shovel on a 9: 2 + 1 cards, 3 + 2 bonus; a big tool gives none."""
    board = Board(4)
    board.tools(0, drill=3, shovel=3, pick=2)
    board.mining(9)
    assert board.tally(Tally.MINED, 0) == 2 + 1 + 1 + 3 + 2


def test_w42_nothing_affordable_leaves_the_bonus() -> None:
    """W-42: a player who can afford nothing took no action."""
    board = Board(4)
    board.tools(0, drill=3)
    board.mine(0, face_down=42)
    board.gems(0, 0)
    board.hand(3, Spell.SHORE_UP)
    board.dig()
    board.expect(Prompt.CAST, seat=3)  # not asked for an action
    assert board.now("acted") == 0
    board.mining(5)
    assert board.tally(Tally.BONUS_CARDS, 0) == 3


def test_an_action_forfeits_the_bonus_even_a_clean_up() -> None:
    """Rule 4: no action of any kind in step 2."""
    for rubble, choice in ((3, 9), (0, 6)):
        board = Board(4)
        board.hand(1, Spell.SHORE_UP)
        board.tools(0, drill=3)
        board.mine(0, face_down=39 - rubble, rubble=rubble)
        board.dig()
        board.act(choice)
        if choice == 6:
            board.choose(1 + 2)
            board.choose(0)
        board.expect(Prompt.CAST)
        assert board.now("acted") == 1


def test_rule_2_gems_for_face_down_cards_only() -> None:
    """Rule 2, rule 18: face-up cards are mined first and give no gems."""
    board = red_wizard()
    board.mine(1, face_down=10, face_up=3, gem_cards=[0, 0, 2, 8], rubble=1)
    board.gems(1, 0)
    board.mining(8)
    assert board.of("face_up", 1) == 0
    assert board.of("face_down", 1) == 8
    assert board.of("rubble", 1) == 6
    assert board.of("gems", 1) in (4, 5, 6)  # two cards of 2 or 3 gems
    assert board.tally(Tally.MINED, 1) == 5

    board = red_wizard()
    board.mine(1, face_down=10, face_up=7, gem_cards=[0, 0, 2, 8])
    board.gems(1, 0)
    board.mining(8)
    assert board.of("gems", 1) == 0
    assert board.of("face_up", 1) == 2


def test_a_roll_is_two_dice() -> None:
    """W-31: one roll of two eight-sided dice a turn, the same for everybody."""
    board = Board(4)
    rolls = []
    while len(rolls) < 60:
        board.take(Prompt.DIG, 0)
        board.pass_to(Prompt.DIG)
        if board.over:
            break
        rolls.append(board.now("roll"))
        assert board.now("turn") == len(rolls) + 1
    assert min(rolls) >= 2
    assert max(rolls) <= 16
    assert len(set(rolls)) > 8


def test_everybody_mines_on_the_same_roll() -> None:
    """Rule 1 by whole turns: each seat's cards follow from the rolls of all turns."""
    board = Board(4)
    board.tools(2, drill=2)
    board.tools(3, pick=1)
    due = [0, 0, 0, 0]
    for _ in range(8):
        board.take(Prompt.DIG, 0)
        hits = hits_of(board.state)
        board.pass_to(Prompt.DIG)
        for seat in range(4):
            due[seat] += hits[seat, board.now("roll")]
        assert board.state["tally"][:, Tally.MINED].tolist() == due
    assert sum(due) > 0


def test_wm_t12_morgan_mines_six() -> None:
    """WM-T12: shovel 2, drill 2, wizard 1, aura 1: 3 face up without gems, then 3 with gems."""
    board = red_wizard()
    board.mine(1, face_down=15, face_up=3, gem_cards=[0, 0, 7, 8])
    board.gems(1, 0)
    board.lay(1, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.mining(8, active=0)
    assert board.tally(Tally.MINED, 1) == 6
    assert board.of("rubble", 1) == 6
    assert board.of("face_up", 1) == 0
    assert board.of("face_down", 1) == 12
    assert 6 <= board.of("gems", 1) <= 9  # three cards of 2 or 3 gems


# --- effects on a roll ----------------------------------------------------------------------------


def test_w08_an_aura_adds_once_per_roll() -> None:
    """W-8: two 8s on the drill, one Magic Aura, one card more; none if the drill is not hit."""
    board = red_wizard()
    board.lay(1, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.mining(8)
    assert board.tally(Tally.MINED, 1) == 6
    board.mining(3)  # big shovel and chisel
    assert board.tally(Tally.MINED, 1) == 6 + 2


def test_an_aura_sleeps_while_its_owner_rests() -> None:
    """Starting Play 1: tools of a player who is not digging do nothing."""
    board = red_wizard()
    board.lay(1, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.mining(8, active=1, digging=False)
    assert board.tally(Tally.MINED, 1) == 1


def test_two_auras_on_a_tool() -> None:
    """Rule 9: each card lies on the tool and counts for itself."""
    board = red_wizard()
    board.lay(1, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.lay(1, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 3)
    board.mining(8)
    assert board.tally(Tally.MINED, 1) == 7


@pytest.mark.parametrize("number", [8, 4])
def test_a_wizard_drill_adds_a_card_whatever_the_roll(number: int) -> None:
    """Section 9.5: one card more on the next roll, hit or not, digging or not; then it is gone."""
    for digging in (True, False):
        board = red_wizard()
        board.lay(1, Effect.WIZARD_DRILL, Spell.WIZARD_DRILL, 1)
        board.mining(number, active=1, digging=digging)
        plain = {8: 5 if digging else 1, 4: 0}[number]
        assert board.tally(Tally.MINED, 1) == plain + 1
        board.mining(number, active=0)
        assert board.tally(Tally.MINED, 1) == plain + 1 + {8: 5, 4: 0}[number]


def test_w28_knocked_out() -> None:
    """W-28: no cards at all on one roll, bonus and auras included; the dice are rolled for all."""
    board = Board(4)
    board.tools(0, drill=3)
    board.tools(1, drill=1)
    board.lay(0, Effect.KNOCKED_OUT, Spell.KNOCKED_OUT, 1)
    board.lay(0, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 3)
    board.lay(0, Effect.WIZARD_DRILL, Spell.WIZARD_DRILL, 1)
    board.mining(5)
    assert board.tally(Tally.MINED, 0) == 0
    assert board.tally(Tally.BONUS_CARDS, 0) == 0
    assert board.tally(Tally.MINED, 1) == 1
    board.mining(5)
    assert board.tally(Tally.MINED, 0) == 2 + 3 + 1


@pytest.mark.parametrize(("number", "cards"), [(8, 3), (3, 0), (13, 0)])
def test_hard_rock(number: int, cards: int) -> None:
    """Section 9.5: two cards fewer on the next roll, never below none."""
    board = red_wizard()
    board.lay(1, Effect.HARD_ROCK, Spell.HARD_ROCK, 1)
    board.mining(number)
    assert board.tally(Tally.MINED, 1) == cards
    board.mining(8)
    assert board.tally(Tally.MINED, 1) == cards + 5


def test_hard_rock_counts_after_all_that_adds() -> None:
    """Section 9.5: "2 cards fewer": of all cards due on the roll."""
    board = Board(4)
    board.tools(0, drill=3)
    board.lay(0, Effect.HARD_ROCK, Spell.HARD_ROCK, 1)
    board.lay(0, Effect.WIZARD_DRILL, Spell.WIZARD_DRILL, 1)
    board.mining(5)
    assert board.tally(Tally.MINED, 0) == 2 + 3 + 1 - 2


def test_rule_16_w27_out_for_repair() -> None:
    """Rule 16, W-27: the whole tool is off, its aura and its bonus too; the others work."""
    board = Board(4)
    board.tools(0, drill=3, shovel=2)
    board.lay(0, Effect.REPAIR + Tool.DRILL, Spell.OUT_FOR_REPAIR, 2)
    board.lay(0, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 3)
    board.mining(8)
    assert board.tally(Tally.MINED, 0) == 2  # the shovel
    board.mining(5)
    assert board.tally(Tally.MINED, 0) == 2  # still off
    board.mining(5)
    assert board.tally(Tally.MINED, 0) == 2 + 2 + 3 + 1  # back after two rolls, third of the aura


# --- an empty deck in another player's turn -------------------------------------------------------


def empty_mine(rubble: int, **patches: object) -> Board:
    """Return a board where seat 1's deck is empty, with the tools of the Red Wizard."""
    board = red_wizard(**patches)
    board.gems(0, 0)
    board.mine(0, face_down=30, face_up=12)
    board.mine(1, face_down=0, rubble=rubble)
    return board


def test_wm_t20_free_clean_up() -> None:
    """WM-T20: two cards would be mined, rubble 5: rubble 3, no win before the own turn."""
    board = empty_mine(5)
    board.gems(1, 0)
    board.mining(3, active=0)
    board.expect(Prompt.FREE_CLEAN_UP, seat=1)
    assert board.legal == [0, 1, 2]
    board.choose(2)
    assert board.of("rubble", 1) == 3
    assert board.of("gems", 1) == 0  # free
    assert board.tally(Tally.CLEANED, 1) == 42 - 3


def test_wm_t20_no_win_in_the_turn_of_another() -> None:
    """WM-T20, rule 6: with an empty deck in seat 0's turn, seat 1 wins at its own turn."""
    board = empty_mine(5)
    board.hand(2, Spell.CAVE_IN)
    board.to_spells()
    board.expect(Prompt.CAST, seat=2)  # turn 1 of seat 0 goes on
    board.choose(0)
    board.pass_to(Prompt.GAME_OVER)
    assert board.now("winner") == 1
    assert board.now("turn") == 1


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_w32_w35_free_clean_up_is_voluntary(taken: int) -> None:
    """W-32, W-35: from nothing to all that would have been mined."""
    board = empty_mine(9)
    board.mining(8, active=0)
    board.expect(Prompt.FREE_CLEAN_UP, seat=1)
    assert board.legal == [0, 1, 2, 3, 4, 5]
    board.choose(taken)
    assert board.of("rubble", 1) == 9 - taken


def test_free_clean_up_takes_what_there_is() -> None:
    """Rule 7: no more than the rubble holds; nobody is asked with none."""
    board = empty_mine(1)
    board.mining(8, active=0)
    board.expect(Prompt.FREE_CLEAN_UP)
    assert board.legal == [0, 1]
    board = empty_mine(0)
    board.mining(8, active=0)
    assert board.over  # straight on to seat 1's turn, which wins
    board = empty_mine(4)
    board.mining(15, active=0)  # no hit
    assert board.over


def test_free_clean_up_counts_auras_and_knocked_out() -> None:
    """Rule 7: the cards that would have been mined, effects included."""
    board = empty_mine(9)
    board.lay(1, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.mining(8, active=0)
    assert board.legal[-1] == 6
    board = empty_mine(9)
    board.lay(1, Effect.KNOCKED_OUT, Spell.KNOCKED_OUT, 1)
    board.mining(8, active=0)
    assert board.over


def test_several_empty_decks_are_asked_in_seat_order_from_the_active_player() -> None:
    """Rule 7, W-37: each player whose deck is empty is asked, the others mine in between."""
    board = Board(4)
    for seat in (0, 1):
        board.mine(seat, face_down=0, rubble=6)
        board.tools(seat, drill=2)
    board.tools(3, drill=2)
    board.mining(8, active=2)
    board.expect(Prompt.FREE_CLEAN_UP, seat=0)
    assert board.tally(Tally.MINED, 3) == 2  # seat 3 sits before seat 0
    board.choose(2)
    board.expect(Prompt.FREE_CLEAN_UP, seat=1)
    board.choose(1)
    assert board.of("rubble", 0) == 4
    assert board.of("rubble", 1) == 5


def test_w36_hits_left_over_are_lost() -> None:
    """W-36: a batch that empties the deck in another's turn cleans nothing up."""
    board = red_wizard()
    board.mine(1, face_down=2, rubble=7)
    board.mining(8, active=0)
    assert board.prompt != Prompt.FREE_CLEAN_UP
    assert board.of("rubble", 1) == 9
    assert board.tally(Tally.MINED, 1) == 2
