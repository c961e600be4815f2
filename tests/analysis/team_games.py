"""Made-up rows of games that are won together, for tests of the questions about them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.batch import Chunk
from sim.near_and_far.outcome import BOSS_FIELDS, GAP_FIELDS
from sim.near_and_far.state import NO_GAP
from tests.analysis.near_games import made


def team(games: int, *, players: int = 2, rotations: int = 1, **fields: Any) -> Chunk:
    """A chunk of games with these fields in the rows of games; gaps are those of no round."""
    gone = {**dict.fromkeys(GAP_FIELDS, NO_GAP), **dict.fromkeys(BOSS_FIELDS, -1)}
    return made(games, players, rotations=rotations, of_game={**gone, **fields})


def drawn(rng: np.random.Generator, games: int, *, skill: float = 0.0, **options: Any) -> Chunk:
    """Games that end somehow: points about those needed, some bosses left, time out now and then.

    skill: points more on average.
    """
    margin = np.rint(rng.normal(skill, 20, games)).astype(int)
    bosses = rng.choice([0, 0, 0, 1, 2], games)
    return ended(margin, bosses, rng.random(games) < 0.1, **options)


def ended(margin: NDArray[Any], bosses: NDArray[Any], skull: NDArray[Any], **options: Any) -> Chunk:
    """Games that ended with this margin, bosses left, and whether time had run out."""
    short = margin <= 0
    return team(
        len(margin),
        team_won=(~short & (bosses == 0) & ~skull).astype(int),
        team_margin=margin,
        bosses_left=bosses,
        skull=skull.astype(int),
        points_short=short.astype(int),
        **options,
    )
