from __future__ import annotations

import numpy as np

from analysis.rescoring import wins_of, wins_without
from sim.batch import Batch, Chunk, play
from sim.game import load_game
from sim.near_and_far.state import Status
from strategies.resolve import lineup

FIRST = np.zeros(3, np.int64)
OVER = np.array([True, True, False])
SCORES = np.array([[5, 7, 7], [9, 2, 3], [9, 2, 3]], np.int64)


def test_most_points_win_and_ties_share() -> None:
    found = wins_of(SCORES, OVER, shared=True, first=FIRST)
    assert found.tolist() == [[0, 6, 6], [12, 0, 0], [0, 0, 0]]


def test_a_tie_goes_to_the_first_in_turn_order_where_it_is_not_shared() -> None:
    for first, winner in ((0, 1), (2, 2), (1, 1)):
        found = wins_of(SCORES, OVER, shared=False, first=np.full(3, first))
        assert found[0].tolist() == [12 if seat == winner else 0 for seat in range(3)]


def test_points_are_taken_from_one_player_at_a_time() -> None:
    points = np.array([[0, 3, 0], [7, 0, 0], [1, 1, 1]], np.int64)
    found = wins_without(SCORES, points, OVER, shared=True, first=FIRST)
    # seat 2 falls behind; seat 1 falls to 2, a tie for second; the others keep what they won
    assert found.tolist() == [[0, 0, 6], [0, 0, 0], [0, 0, 0]]


def test_real_games_are_won_by_those_whom_their_points_name() -> None:
    game = load_game("near_and_far")
    for shared in (True, False):
        rules = game.load(None, {"switches.shared_win": shared})
        tables = game.make_tables(rules.model, 2, {})
        batch = Batch(game, tables, lineup(game, ("balanced", "random")), 3, 1)

        def kept(chunks: tuple[Chunk, ...]) -> Chunk:
            return chunks[0]

        for _, chunk in play([batch], 0, 48, kept, threads=1):
            seats, games = chunk.seats, chunk.games
            found = wins_of(
                seats["score"].astype(np.int64),
                games["status"] == Status.WON,
                shared=shared,
                first=games["start_seat"],
            )
            assert np.array_equal(found, seats["win"])
