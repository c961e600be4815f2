"""Rubble, Cave-In!, Making a Cave-In Roll, Miscellaneous; the sample game play."""

import pytest

from sim.wizard_miners.mine import mine, return_rubble, suffer_cave_in
from sim.wizard_miners.state import ENTIRE_PILE
from tests.sim.wizard_miners.board import (
    Board,
    Effect,
    Prompt,
    Spell,
    Tally,
    Tool,
    cave_in_die,
    cave_in_roll,
    lucky_deal,
    mining_dice,
)

pytestmark = pytest.mark.kernel

NOLAN, MORGAN = 0, 1
CHART = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 6, 6: 8, 7: ENTIRE_PILE}  # section 9.2
EIGHT_WITH_CAVE_IN = [*mining_dice(1, 3, 5), cave_in_die(1, True), cave_in_roll(1, MORGAN, 4)]


def fall(board: Board, seat: int, roll: int) -> int:
    """Make the cave-in of a roll happen; return the cards that fell."""
    fallen = int(board.call(suffer_cave_in, "state tables backstage seat roll", seat, roll))
    board.check()
    return fallen


def dig_out(board: Board, seat: int, cards: int) -> None:
    """Let a seat mine so many cards."""
    board.call(mine, "state tables backstage seat cards", seat, cards)
    board.check()


def morgan(**patches: object) -> Board:
    """Return a board where seat 1's cave-in card is out and 20 cards lie in the rubble."""
    board = Board(4, **patches)
    board.mine(MORGAN, face_down=15, rubble=20)
    return board


@pytest.fixture(scope="module")
def sample_deal() -> int:
    """A deal whose first roll is a 3 and a 5 with CAVE-IN, and Morgan's cave-in roll a 4."""
    return lucky_deal(EIGHT_WITH_CAVE_IN)


def sample(deal: int, *, die_faces: int = 2) -> Board:
    """Play the sample game up to Nolan's roll, from his declaration on."""
    board = Board(4, deal=deal, cave_in__die_faces=die_faces)
    board.tools(MORGAN, shovel=2, drill=2, chisel=1)
    board.mine(MORGAN, face_down=15, rubble=3)
    board.gems(MORGAN, 0)
    board.lay(MORGAN, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.dynamite(MORGAN, 2)
    board.hand(MORGAN, Spell.SHORE_UP)
    board.tools(NOLAN, pick=1)
    board.gems(NOLAN, 9)
    board.dig()
    board.act(1 + Tool.PICK)
    board.take(Prompt.DYNAMITE, 1 + MORGAN)
    board.take(Prompt.DYNAMITE, 0)
    board.expect(Prompt.CAST, seat=MORGAN)
    return board


def test_wm_t06_three_dynamite_on_morgan(sample_deal: int) -> None:
    """WM-T6: 2 on the board and 1 from Nolan make 3 (W-1)."""
    board = sample(sample_deal)
    assert board.of("dynamite", MORGAN) == 3
    assert board.now("dynamite_supply") == 13


def test_wm_t08_to_t13_sample_game_play(sample_deal: int) -> None:
    """WM-T8 to WM-T13 in one turn, through the rules from the declaration to the end."""
    board = sample(sample_deal)
    board.cast(Spell.SHORE_UP)
    # WM-T8: 3 + 5 = 8; CAVE-IN: Morgan rolls, Nolan has no card out and does not
    assert board.now("roll") == 8
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, NOLAN) == 0
    # WM-T9, WM-T10: 4 + 3 - 1 = 6 is a cave-in of 8; all 3 rubble cards go back, no more penalty
    assert board.backstage["chart"].sum(axis=(0, 1))[3, 1, 8] == 1
    assert board.tally(Tally.CARDS_LOST, MORGAN) == 3
    # WM-T11: dynamite back in the supply, Shore Up discarded
    assert board.of("dynamite", MORGAN) == 0
    assert board.now("dynamite_supply") == 16
    assert board.of("shore_ups", MORGAN) == 0
    assert board.discarded(Spell.SHORE_UP) == 1
    # WM-T12: six cards mined: 3 face up without gems, 3 face down; rubble 6
    assert board.tally(Tally.MINED, MORGAN) == 6
    assert board.of("rubble", MORGAN) == 6
    assert board.of("face_up", MORGAN) == 0
    assert board.of("face_down", MORGAN) == 12
    # WM-T13: the aura had two rolls left and has one
    assert board.rolls_left(MORGAN, Effect.AURA + Tool.DRILL) == [1]


def test_wm_t08_without_the_face_nobody_rolls() -> None:
    """WM-T8, the other way round: the CAVE-IN die shows nothing."""
    deal = lucky_deal([*mining_dice(1, 3, 5), cave_in_die(1, False)])
    board = sample(deal)
    board.cast(Spell.SHORE_UP)
    assert board.now("roll") == 8
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 0
    assert board.of("dynamite", MORGAN) == 3
    assert board.of("shore_ups", MORGAN) == 1
    assert board.of("rubble", MORGAN) == 3 + 6


def test_wm_t09_dynamite_and_shore_up() -> None:
    """WM-T9: 4 + 3 - 1 = 6: eight cards."""
    board = morgan()
    board.dynamite(MORGAN, 3)
    board.shore_up(MORGAN)
    assert fall(board, MORGAN, 4) == 8


def test_wm_t10_a_short_pile_is_emptied() -> None:
    """WM-T10, rule 17: 3 of 8 cards go back, face up, with no more penalty."""
    board = morgan()
    board.mine(MORGAN, face_down=15, rubble=3)
    assert fall(board, MORGAN, 6) == 3
    assert board.of("face_up", MORGAN) == 3
    assert board.of("rubble", MORGAN) == 0
    assert board.of("face_down", MORGAN) == 15
    assert int(board.call(return_rubble, "state seat cards", MORGAN, 5)) == 0


def test_wm_t11_dynamite_and_shore_up_are_used_up() -> None:
    """WM-T11, rules 22 and 23: after the roll all dynamite is back, the Shore Up discarded."""
    board = morgan()
    board.dynamite(MORGAN, 3)
    board.shore_up(MORGAN)
    fall(board, MORGAN, 4)
    assert board.of("dynamite", MORGAN) == 0
    assert board.now("dynamite_supply") == 16
    assert board.of("shore_ups", MORGAN) == 0
    assert board.discarded(Spell.SHORE_UP) == 1


def test_wm_t18_a_shore_up_without_dynamite_stays() -> None:
    """WM-T18, rule 23: no dynamite in the roll, and the Shore Up works again."""
    board = morgan()
    board.shore_up(MORGAN)
    assert fall(board, MORGAN, 4) == CHART[3]
    assert board.of("shore_ups", MORGAN) == 1
    assert fall(board, MORGAN, 6) == CHART[5]
    assert board.of("shore_ups", MORGAN) == 1
    assert board.discarded(Spell.SHORE_UP) == 0


@pytest.mark.parametrize("roll", range(1, 7))
def test_rule_21_the_chart(roll: int) -> None:
    """Rule 21, section 9.2: cards by roll."""
    board = morgan()
    assert fall(board, MORGAN, roll) == CHART[roll]
    assert board.of("rubble", MORGAN) == 20 - CHART[roll]


def test_w20_below_and_above_the_chart() -> None:
    """W-20: below 1 nothing falls, from 7 on the entire pile."""
    board = morgan()
    board.shore_up(MORGAN, 3)
    assert fall(board, MORGAN, 1) == 0
    for dynamite, roll in ((1, 6), (6, 6), (16, 1)):
        board = morgan()
        board.dynamite(MORGAN, dynamite)
        assert fall(board, MORGAN, roll) == 20
        assert board.of("rubble", MORGAN) == 0
        assert board.tally(Tally.PILES_LOST, MORGAN) == 1


def test_w18_dynamite_goes_even_when_nothing_falls() -> None:
    """W-18: all of it is used up by any cave-in roll."""
    board = morgan()
    board.dynamite(MORGAN, 2)
    board.shore_up(MORGAN, 3)
    assert fall(board, MORGAN, 1) == 0
    assert board.of("dynamite", MORGAN) == 0
    assert board.now("dynamite_supply") == 16
    assert board.of("shore_ups", MORGAN) == 0


def test_w19_two_shore_ups() -> None:
    """W-19: one less each; all discarded if dynamite was there."""
    board = morgan()
    board.shore_up(MORGAN, 2)
    assert fall(board, MORGAN, 6) == CHART[4]
    assert board.of("shore_ups", MORGAN) == 2
    board.dynamite(MORGAN, 1)
    assert fall(board, MORGAN, 6) == CHART[5]
    assert board.of("shore_ups", MORGAN) == 0
    assert board.discarded(Spell.SHORE_UP) == 2


def test_w17_dynamite_waits_for_the_first_cave_in_roll() -> None:
    """W-17: pieces placed before the card is out all count in the first roll."""
    board = Board(4, deal=lucky_deal([cave_in_roll(1, MORGAN, 3)]))
    board.mine(MORGAN, face_down=22, rubble=20)
    board.dynamite(MORGAN, 4)
    dig_out(board, MORGAN, 1)
    assert board.tally(Tally.CARDS_LOST, MORGAN) == 21  # 3 + 4 = 7: the entire pile
    assert board.of("dynamite", MORGAN) == 0


def test_rule_17_returned_cards_lie_on_top_and_give_no_gems() -> None:
    """Rules 17 and 18: face up on top of the deck, mined first, no gems."""
    board = morgan()
    board.gems(MORGAN, 0)
    assert fall(board, MORGAN, 5) == 6
    dig_out(board, MORGAN, 6)
    assert board.of("gems", MORGAN) == 0
    assert board.of("face_down", MORGAN) == 15
    assert board.of("rubble", MORGAN) == 20


# --- reaching the cave-in card --------------------------------------------------------------------

READINGS = pytest.mark.parametrize("reading", ["exposed", "hit"])


@READINGS
def test_wm_t23_the_card_in_the_middle_of_a_batch(reading: str) -> None:
    """WM-T23: four cards to mine, the card after the second: two, a roll, two more.

    W-3, rule 19: the cave-in card is not counted. W-43: the roll may return cards of this batch.
    """
    deal = lucky_deal([cave_in_roll(1, MORGAN, 3)])  # a 3: two cards fall
    board = Board(4, deal=deal, switches__cave_in_reveal=reading)
    board.mine(MORGAN, face_down=23, rubble=0)
    dig_out(board, MORGAN, 4)
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 1
    assert board.tally(Tally.CARDS_LOST, MORGAN) == 2
    assert board.tally(Tally.MINED, MORGAN) == 4
    assert board.of("face_down", MORGAN) == 21  # the last two were those returned
    assert board.of("face_up", MORGAN) == 0
    assert board.of("rubble", MORGAN) == 2


def test_wm_t23_exactly_two_cards() -> None:
    """WM-T23, W-4: with two cards to mine `exposed` rolls at once, `hit` at the next hit."""
    deal = lucky_deal([cave_in_roll(1, MORGAN, 3)])
    board = Board(4, deal=deal)
    board.mine(MORGAN, face_down=23, rubble=0)
    dig_out(board, MORGAN, 2)
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.of("face_up", MORGAN) == 2

    board = Board(4, deal=deal, switches__cave_in_reveal="hit")
    board.mine(MORGAN, face_down=23, rubble=0)
    dig_out(board, MORGAN, 2)
    assert board.of("cave_in_out", MORGAN) == 0
    assert board.now("cards_out") == 0
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 0
    dig_out(board, MORGAN, 1)
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.of("rubble", MORGAN) == 1  # both returned, then one mined again
    assert board.of("face_up", MORGAN) == 1
    assert board.of("face_down", MORGAN) == 21


def test_w44_hit_face_up_cards_on_the_card_come_first() -> None:
    """W-44: an unrevealed card on top is not out; cards returned onto it are mined first."""
    deal = lucky_deal([*mining_dice(1, 1, 1), cave_in_die(1, True)])
    board = Board(4, deal=deal, switches__cave_in_reveal="hit")
    board.mine(MORGAN, face_down=21, rubble=9, out=False)
    board.mine(2, face_down=20, rubble=0)
    board.rolling(active=NOLAN)
    assert board.tally(Tally.CAVE_IN_ROLLS, 2) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 0  # CAVE-IN does not concern it
    board.call(return_rubble, "state seat cards", MORGAN, 3)
    dig_out(board, MORGAN, 3)
    assert board.of("cave_in_out", MORGAN) == 0
    dig_out(board, MORGAN, 1)
    assert board.of("cave_in_out", MORGAN) == 1


@READINGS
def test_w16_the_last_card_passes_the_cave_in_card(reading: str) -> None:
    """W-16: nobody empties a deck with the cave-in card unrevealed."""
    board = Board(4, switches__cave_in_reveal=reading, cave_in__chart__roll_6="all")
    dig_out(board, MORGAN, 200)
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.deck(MORGAN) == 0
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 1
    assert board.tally(Tally.MINED, MORGAN) == 42 + board.tally(Tally.CARDS_LOST, MORGAN)


def test_rule_19_the_card_can_be_reached_by_a_spell() -> None:
    """Rule 19: whatever mines; a Blast that exposes the card rolls at once."""
    board = Board(4)
    board.mine(MORGAN, face_down=23, rubble=9)
    board.hand(MORGAN, Spell.BLAST)
    board.hand(2, Spell.BLAST)
    board.dig()
    board.act(0)
    board.cast(Spell.BLAST, seat=MORGAN)
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 1


# --- the CAVE-IN die ------------------------------------------------------------------------------


def test_rule_20_no_die_before_the_first_card() -> None:
    """Rule 20: until a card is out nobody rolls a cave-in, whatever the faces."""
    board = Board(4, cave_in__die_faces=6)
    for _ in range(6):
        board.take(Prompt.DIG, 0)
        board.pass_to(Prompt.DIG)
    assert board.state["tally"][:, Tally.CAVE_IN_ROLLS].sum() == 0


def test_w05_w38_the_roll_that_turns_a_card_up_makes_one_cave_in_roll() -> None:
    """W-5, W-38: the CAVE-IN die counts from the next roll; turning up gives one roll, not two."""
    board = Board(4, cave_in__die_faces=6)  # the die always shows CAVE-IN
    board.mine(MORGAN, face_down=22, rubble=15)
    board.hand(3, Spell.SHORE_UP)
    board.mining(8, active=NOLAN)
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 1
    board.rolling(active=NOLAN)
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 2


def test_w38_in_one_roll_with_cards_out_already() -> None:
    """W-38: seat 2's card is out and rolls for the die; Morgan turns hers up and rolls for that."""
    deal = lucky_deal([*mining_dice(1, 3, 5)])
    board = Board(4, deal=deal, cave_in__die_faces=6)
    board.mine(MORGAN, face_down=22, rubble=15)
    board.mine(2, face_down=15, rubble=15)
    board.rolling(active=NOLAN)
    assert board.now("roll") == 8
    assert board.of("cave_in_out", MORGAN) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == 1
    assert board.tally(Tally.CAVE_IN_ROLLS, 2) == 1


def test_rule_20_every_card_out_rolls_before_mining() -> None:
    """Rule 20: every player with a card out rolls, each for itself, before anybody mines."""
    draws = [*mining_dice(1, 3, 5), cave_in_roll(1, MORGAN, 4), cave_in_roll(1, 3, 6)]
    board = Board(4, deal=lucky_deal(draws), cave_in__die_faces=6)
    board.mine(MORGAN, face_down=15, rubble=2)
    board.mine(3, face_down=10, rubble=20)
    board.tools(3, drill=2)
    board.rolling(active=NOLAN)
    assert board.tally(Tally.CARDS_LOST, MORGAN) == 2  # the card mined on this 8 was not there yet
    assert board.of("face_up", MORGAN) == 1
    assert board.tally(Tally.CARDS_LOST, 3) == 8
    assert board.of("face_up", 3) == 6  # two 8s on the drill, after the cave-in
    assert board.tally(Tally.CAVE_IN_ROLLS, NOLAN) == board.tally(Tally.CAVE_IN_ROLLS, 2) == 0


def test_rule_20_the_die_is_rolled_in_every_turn_from_then_on() -> None:
    """Rule 20: with every roll of every player for the rest of the game."""
    board = Board(4, cave_in__die_faces=6)
    board.mine(MORGAN, face_down=15, rubble=9)
    for turn in range(1, 6):
        board.take(Prompt.DIG, 0)
        board.pass_to(Prompt.DIG)
        assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == turn


def test_w41_an_empty_deck_can_be_refilled() -> None:
    """W-41, section 6: a player with an empty deck rolls too, and does not win if it refills."""
    draws = [*mining_dice(1, 1, 1), cave_in_die(1, True), cave_in_roll(1, MORGAN, 5)]
    board = Board(4, deal=lucky_deal(draws))
    board.mine(MORGAN, face_down=0, rubble=15)
    board.rolling(active=NOLAN)
    assert board.of("face_up", MORGAN) == 6
    board.pass_to(Prompt.DIG)
    assert not board.over
    board.expect(Prompt.DIG, seat=MORGAN)  # the own turn came without a win


@pytest.mark.parametrize("faces", [0, 6])
def test_faces_of_the_die(faces: int) -> None:
    """Section 5: with no face nobody ever rolls for the die, with six at every roll."""
    board = Board(4, cave_in__die_faces=faces)
    board.mine(MORGAN, face_down=15, rubble=9)
    for _ in range(12):
        board.rolling(active=NOLAN)
    assert board.tally(Tally.CAVE_IN_ROLLS, MORGAN) == (12 if faces else 0)


@pytest.mark.parametrize(("void", "lost"), [(0, 16), (1, 8), (2, 8), (3, 16), (-1, 0)])
def test_a_voided_cave_in_does_nothing(void: int, lost: int) -> None:
    """Interventions: the k-th roll of a seat voided, or all; dynamite is used up all the same."""
    board = morgan()
    board.tables["void_cave_in"][MORGAN] = void
    for _ in range(2):
        board.dynamite(MORGAN, 1)
        fall(board, MORGAN, 5)
        assert board.of("dynamite", MORGAN) == 0
    assert board.tally(Tally.CARDS_LOST, MORGAN) == lost
    board = morgan()
    board.tables["void_cave_in"][NOLAN] = -1
    assert fall(board, MORGAN, 6) == 8


def test_what_is_counted_of_cave_ins() -> None:
    """The event counters: chart results and falls by dynamite, Shore Ups, size of the pile."""
    board = morgan()
    board.backstage["slots"][0:4] = [3, 2, 1, 0]
    board.backstage["replicate"] = 5
    board.shore_up(MORGAN, 4)
    board.dynamite(MORGAN, 9)
    fall(board, MORGAN, 1)  # 1 + 9 - 4 = 6: eight of twenty cards
    chart, falls = board.backstage["chart"], board.backstage["falls"]
    assert chart.sum() == 1
    assert chart[5, 2, 7, 3, 8] == 1
    assert falls[5, 2, 7, 6].tolist() == [1, 8, 64, 0]  # 16 to 21 cards in the pile
    board.dynamite(MORGAN, 1)
    fall(board, MORGAN, 6)  # 7: the pile of twelve
    assert chart[5, 2, 1, 0, 9] == 1
    assert falls[5, 2, 1, 5].tolist() == [1, 12, 144, 1]
    assert falls[..., 0].sum() == chart.sum() == 2
    fall(board, MORGAN, 1)
    assert chart[5, 2, 0, 0, 0] == 1
    assert falls[5, 2, 0, 0].tolist() == [1, 0, 0, 0]


FIRST_OF_BIN = (0, 1, 3, 5, 8, 11, 16, 22)


@pytest.mark.parametrize("rubble", [0, 1, 2, 3, 4, 5, 7, 8, 10, 11, 15, 16, 21, 22, 27])
def test_bins_of_the_pile(rubble: int) -> None:
    """Sizes of piles are grouped 0, 1-2, 3-4, 5-7, 8-10, 11-15, 16-21, 22 and more."""
    board = morgan()
    board.mine(MORGAN, face_down=15, rubble=rubble)
    fall(board, MORGAN, 3)
    place = sum(rubble >= least for least in FIRST_OF_BIN) - 1
    assert board.backstage["falls"].sum(axis=(0, 1, 2))[:, 0].tolist() == [
        int(bin_ == place) for bin_ in range(8)
    ]
