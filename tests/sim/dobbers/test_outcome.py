"""What the rows of finished games say."""

from __future__ import annotations

import numpy as np
import pytest

from sim.batch import Batch
from sim.batch import play as play_chunks
from sim.dobbers.stacks import look, reveal
from sim.game import load_game
from sim.jit import COMPILED
from tests.contract import play, players
from tests.sim.dobbers import players as own_players
from tests.sim.dobbers.board import Board
from tests.sim.dobbers.contract import make_tables

GAMES = 40 if COMPILED else 8


@pytest.mark.kernel
def test_margins_are_points_less_points_needed() -> None:
    """Who always wins has none below zero, who always loses has less, who never fights has 0."""
    game = load_game("dobbers")
    who = players(game, own_players.runner, own_players.__file__)
    played = play(game, make_tables(3, stall__turn_cap=120), who, first=16, count=GAMES)
    rows = played.seats.ravel()
    fights, victories = rows["challenges"], rows["victories"]
    margin = rows["margin"]
    assert (margin[fights == 0] == 0).all()
    assert (margin[victories == fights] >= 0).all()
    lost = (fights > 0) & (victories == 0)
    assert lost.any()
    assert (margin[lost] <= -fights[lost]).all()


@pytest.mark.kernel
def test_every_challenge_is_counted_by_what_was_seen_and_by_its_stack() -> None:
    """The three counters and the rows tell of the same challenges and victories."""
    game = load_game("dobbers")
    who = players(game, own_players.runner, own_players.__file__)
    batch = Batch(game, make_tables(3, stall__turn_cap=120), who, 1)
    ((_, (played,)),) = play_chunks([batch], 0, GAMES, lambda chunks: chunks, threads=1)
    faced, won = (int(played.seats[name].sum()) for name in ("challenges", "victories"))
    assert faced > won > 0
    margins = played.counters["margins"].sum(axis=(0, 1))
    assert margins.sum() == faced
    assert margins[len(margins) // 2 :].sum() == won
    for name in ("shown", "stacks"):
        assert played.counters[name].sum(axis=(0, 1, 2)).tolist() == [faced, won]
    sizes = played.counters["stacks"].sum(axis=(0, 1))[:, 0].reshape(-1, 2).sum(axis=1)
    assert sizes[0] > 0  # a location alone
    assert sizes[1] > 0  # with a creature


@pytest.mark.kernel
def test_cards_bought_and_never_played() -> None:
    """Who plays and equips what it can leaves few unplayed; who only buys leaves all."""
    game = load_game("dobbers")
    shares = []
    for own in (own_players.runner, own_players.buyer):
        played = play(
            game,
            make_tables(3, stall__turn_cap=120),
            players(game, own, own_players.__file__),
            count=GAMES // 2,
        )
        bought, _, idle = played.desk.backstage["bought"][0].sum(axis=(0, 1, 2)).tolist()
        assert 0 <= idle <= bought
        assert bought > 0
        shares.append(idle / bought)
    assert 0 < shares[0] < 0.5
    assert shares[1] == 1


def test_what_is_seen_of_a_stack_is_the_mean_of_all_fronts_alike() -> None:
    """Face down it is the mean over cards with the same front, face up the card itself."""
    board = Board()
    board.stack(0, "castle_walls", "gutter_rat", "iron_bark")
    state, tables = board.state, board.tables
    walls, rat = board.number("location", "castle_walls"), board.number("creature", "gutter_rat")
    state["gear_owner"][0, 1] = 2
    board.pool(red=4, gold=3)

    def alike(what: str, *fields: str, of: int) -> list[int]:
        return [
            other
            for other in range(int(tables[f"{what}s"]))
            if all(tables[f"{what}_{f}"][other] == tables[f"{what}_{f}"][of] for f in fields)
        ]

    walls_mean = np.mean(
        tables["location_points"][alike("location", "cost", "icon", "capacity", of=walls)]
    )
    rats_mean = np.mean(tables["creature_points"][alike("creature", "cost", of=rat)])
    assert tables["location_front"][walls] == round(12 * walls_mean)
    assert tables["creature_front"][rat] == round(12 * rats_mean)
    look(state, tables, 0, 0)
    hidden = int(tables["gear_front"][1])
    needed = round(12 * walls_mean) + round(12 * rats_mean) + hidden
    assert state["shown"] == (12 * 7 - needed) // 12
    assert state["stack"] == 4  # two cards under the location, something face down
    reveal(state, 0)
    look(state, tables, 0, 0)
    bark = tables["gain"][board.kind("iron_bark")]
    exact = tables["location_points"][walls] + tables["creature_points"][rat] + bark[1] + bark[3]
    assert state["shown"] == 7 - exact
    assert state["stack"] == 5
