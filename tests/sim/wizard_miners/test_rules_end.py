"""The end of a game: wins, the cap, what is recorded."""

import numpy as np
import pytest

from sim.wizard_miners.outcome import record
from sim.wizard_miners.state import Status
from tests.contract import play, players
from tests.oracles import lead_story
from tests.sim.wizard_miners.board import (
    Board,
    Prompt,
    Spell,
    Tally,
    cave_in_die,
    cave_in_roll,
    lucky_deal,
    mining_dice,
)
from tests.sim.wizard_miners.contract import make_tables

pytestmark = pytest.mark.kernel

A, B, C, D = range(4)


def rows(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that a finished game leaves behind."""
    games = np.zeros(1, board.game.game_row)
    seats = np.zeros(4, board.game.seat_row)
    plain = getattr(record, "py_func", record)  # compiling it for a few calls takes longer
    plain(board.state, board.tables, board.backstage, games[0], seats)
    return games, seats


def finished(board: Board, winner: int) -> None:
    """Assert that the game is over, and who won."""
    assert board.over
    assert board.now("status") == Status.WON
    assert board.now("winner") == winner


def test_rule_6_emptying_the_deck_in_the_own_turn_wins_at_once() -> None:
    """Rule 6, section 6: after the mining of the own roll."""
    board = Board(4)
    board.mine(B, face_down=1, rubble=30)
    board.mining(8, active=B)
    finished(board, B)


def test_rule_6_not_in_the_turn_of_another() -> None:
    """Rule 6: an empty deck in another's turn is no win yet; it is at the own turn (W-14)."""
    board = Board(4)
    board.hand(A, Spell.NEGATE)
    board.mine(C, face_down=1, rubble=30)
    board.gems(A, 9)
    board.mining(10, active=A)
    assert board.deck(C) == 0
    board.expect(Prompt.BUY_SPELL, seat=A)
    assert board.now("status") == Status.PLAYING
    board.choose(0)
    board.take(Prompt.DIG, 0, seat=B)
    board.pass_to(Prompt.DIG)
    finished(board, C)


def test_w14_win_at_the_start_of_the_turn() -> None:
    """W-14: at once, before any declaration and without a roll."""
    board = Board(4)
    board.gems(A, 2)
    board.mine(B, face_down=0, rubble=30)
    board.mining(13, active=A)
    board.take(Prompt.BUY_SPELL, 0)
    finished(board, B)
    assert board.now("turn") == 1


def test_section_6_a_refilled_deck_does_not_win() -> None:
    """Section 6.2: it must still be empty when the own turn comes."""
    draws = [*mining_dice(1, 1, 1), cave_in_die(1, True), cave_in_roll(1, B, 6)]
    board = Board(4, deal=lucky_deal(draws))
    board.mine(B, face_down=0, rubble=30)
    board.rolling(active=A)
    board.pass_to(Prompt.DIG)
    board.expect(Prompt.DIG, seat=B)
    assert board.deck(B) == 8


def test_a_spell_can_take_a_win_away() -> None:
    """Section 6.2: a Cave-in spell in another's turn refills the deck too."""
    board = Board(4)
    board.mine(B, face_down=0, rubble=30)
    board.hand(C, Spell.CAVE_IN)
    board.to_spells()
    board.cast(Spell.CAVE_IN, seat=C)
    board.target(B)
    board.pass_to(Prompt.DIG)
    board.expect(Prompt.DIG, seat=B)


def test_w15_a_blast_in_the_turn_of_another_does_not_win() -> None:
    """W-15: no win until the own turn."""
    board = Board(4)
    board.mine(C, face_down=2, rubble=30)
    board.hand(C, Spell.BLAST)
    board.hand(D, Spell.SHORE_UP)
    board.to_spells()
    board.cast(Spell.BLAST, seat=C)
    assert board.deck(C) == 0
    board.expect(Prompt.CAST, seat=D)
    board.choose(0)
    board.pass_to(Prompt.DIG)
    board.expect(Prompt.DIG, seat=B)


def test_a_blast_in_the_own_turn_wins_before_the_roll() -> None:
    """Section 6: the check after the spells; the dice are not rolled any more."""
    board = Board(4)
    board.mine(A, face_down=2, rubble=30)
    board.hand(A, Spell.BLAST)
    board.hand(B, Spell.SHORE_UP)
    board.to_spells()
    board.choose(0)
    mined = board.state["tally"][1:, Tally.MINED].copy()
    board.cast(Spell.BLAST, seat=A)
    finished(board, A)
    assert board.now("roll") == 0
    assert (board.state["tally"][1:, Tally.MINED] == mined).all()


def test_a_win_before_the_roll_does_not_count_the_roll() -> None:
    """`rolls` are rolls of the mining dice: a game won by a spell in turn n had n - 1."""
    board = Board(4)
    board.mine(A, face_down=2, rubble=30)
    board.hand(A, Spell.BLAST)
    board.to_spells()
    board.cast(Spell.BLAST, seat=A)
    finished(board, A)
    games, _ = rows(board)
    assert int(games["rolls"][0]) == 0


def test_w37_the_winning_roll_is_finished_for_everybody() -> None:
    """W-37: all mining of the roll comes before the check; two empty decks: the active wins."""
    board = Board(4)
    board.mine(B, face_down=1, rubble=30)
    board.tools(D, drill=2)
    board.mine(C, face_down=1, rubble=30)
    board.tools(C, shovel=1)
    board.mining(8, active=B)
    finished(board, B)
    assert board.tally(Tally.MINED, D) == 2
    assert board.deck(C) == 0


def test_w39_the_cap() -> None:
    """W-39: after so many rolls the game is capped and has no winner."""
    board = Board(4, stall__roll_cap=3)
    for _ in range(2):
        board.take(Prompt.DIG, 0)
        board.pass_to(Prompt.DIG)
    board.take(Prompt.DIG, 0)
    board.pass_to(Prompt.DIG)
    assert board.over
    assert board.now("status") == Status.CAPPED
    assert board.now("winner") == -1
    games, seats = rows(board)
    assert int(games["rolls"][0]) == 3
    assert int(games["rounds"][0]) == 1
    assert int(games["capped"][0]) == 1
    assert not seats["win"].any()


def test_w39_the_win_at_the_start_of_the_next_turn_comes_before_the_cap() -> None:
    """W-39: a deck emptied by the last roll before the cap wins if it is the next player's."""
    board = Board(4, stall__roll_cap=1)
    board.gems(A, 0)
    board.mine(B, face_down=1, rubble=30)
    board.mining(8, active=A)
    finished(board, B)
    board = Board(4, stall__roll_cap=1)
    board.gems(A, 0)
    board.mine(C, face_down=1, rubble=30)
    board.mining(10, active=A)  # C's turn would be the one after
    assert board.now("status") == Status.CAPPED


def test_four_passive_players_meet_the_cap() -> None:
    """Section 11: with cave-ins and no tools practically no game ends before the cap."""
    tables = make_tables(4, stall__roll_cap=60)
    lineup = players(Board(4).game)
    games = play(Board(4).game, tables, lineup, count=5).games
    assert (games["status"] == Status.CAPPED).all()
    assert (games["rolls"] == 60).all()
    assert (games["winner"] == -1).all()


def test_what_a_game_leaves_behind() -> None:
    """Rows of a finished game say what lay on the table."""
    board = Board(4)
    board.backstage["slots"][0:4] = [2, 3, 0, 1]
    board.mine(B, face_down=1, rubble=30)
    board.tools(B, shovel=1, pick=3)
    board.gems(B, 4)
    board.mine(D, face_down=10, face_up=4, rubble=20)
    board.mining(8, active=B)
    finished(board, B)
    games, seats = rows(board)
    game = games[0]
    assert (game["status"], game["rolls"], game["rounds"], game["winner"]) == (0, 1, 1, 1)
    assert game["start_seat"] == 0
    assert seats["slot"].tolist() == [2, 3, 0, 1]
    assert seats["wizard"].tolist() == [7, 8, 10, 11]
    assert seats["win"].tolist() == [0, 12, 0, 0]
    assert seats["cards_left"].tolist() == [42, 0, 42, 14]
    assert seats["tool_types"].tolist() == [0, 2, 0, 0]
    assert seats["tool_levels"].tolist() == [0, 4, 0, 0]
    assert seats["mined"].tolist() == [0, 1, 0, 0]
    assert seats["gems_left"][B] == board.of("gems", B)
    assert seats["cleaned"][D] == 8


def test_rounds_count_started_rounds() -> None:
    """Five rolls of four players are two rounds."""
    for cap, rounds in ((4, 1), (5, 2), (8, 2), (9, 3)):
        games = play(Board(4).game, make_tables(4, stall__roll_cap=cap), players(Board(4).game))
        assert int(games.games["rounds"][0]) == rounds


def test_the_story_of_the_lead() -> None:
    """Leader, changes and leads at the quarters of the leader's deck, by a second route."""
    decks = [[42, 42, 40], [38, 42, 40], [38, 31, 40], [9, 31, 40], [9, 8, 40]]
    board = Board(3)
    for left in decks:
        for seat, cards in enumerate(left):
            board.mine(seat, face_down=min(cards, 21), face_up=max(0, cards - 21), out=True)
        board.mining(13, active=0)
    changes, leaders, leads = lead_story(decks, 42)
    assert (changes, leaders, leads) == (4, [1, 0, 0], [7, 22, 22])
    assert board.now("lead_changes") == changes
    assert board.state["leader_at"].tolist() == leaders
    assert board.state["lead_at"].tolist() == leads
