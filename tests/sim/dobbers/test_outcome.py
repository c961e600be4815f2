"""What the rows of finished games say."""

from __future__ import annotations

import pytest

from sim.game import load_game
from tests.contract import play, players
from tests.sim.dobbers import players as own_players
from tests.sim.dobbers.contract import make_tables


@pytest.mark.kernel
def test_margins_are_points_less_points_needed() -> None:
    """Who always wins has none below zero, who always loses has less, who never fights has 0."""
    game = load_game("dobbers")
    who = players(game, own_players.runner, own_players.__file__)
    played = play(game, make_tables(3, stall__turn_cap=120), who, count=40)
    rows = played.seats.ravel()
    fights, victories = rows["challenges"], rows["victories"]
    margin = rows["margin"]
    assert (margin[fights == 0] == 0).all()
    assert (margin[victories == fights] >= 0).all()
    lost = (fights > 0) & (victories == 0)
    assert lost.any()
    assert (margin[lost] <= -fights[lost]).all()
