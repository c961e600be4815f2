"""What the questions on players who win or lose together share: teams, shares, paired effects.

Rows of such games say, a game, whether the team won (`team_won`), by how many points it was above
what it needed (`team_margin`, below 0 where it was short), how many bosses were left
(`bosses_left`) and how many rounds it took (`rounds`). One game is one observation; where seats
rotate, the block is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import (
    DIFFERENCE,
    UNBOUNDED,
    Bounds,
    Interval,
    paired_rates,
    rate,
)
from analysis.paired import (
    NOT_BELOW_0,
    BlockSums,
    Column,
    Effect,
    effect_row,
    jointly,
    paired_effect,
)
from analysis.question import Setting
from sim.batch import Chunk
from sim.game import Game
from sim.near_and_far.state import MAX_BOSSES
from strategies.presets import presets_of

MINIONS, DIFFICULTY, START = "modules.minions", "switches.difficulty", "together.start"
WON, MARGIN, BOSSES, ROUNDS = "team_won", "team_margin", "bosses_left", "rounds"

# quantity -> field of the games' rows, unit, bounds of a difference
QUANTITIES: dict[str, tuple[str, str, Bounds]] = {
    "won": (WON, "share of games", DIFFERENCE),
    "margin": (MARGIN, "points", UNBOUNDED),
    "bosses_left": (BOSSES, "bosses", (-float(MAX_BOSSES), float(MAX_BOSSES))),
    "rounds": (ROUNDS, "rounds", UNBOUNDED),
}


def plays_together(game: Game) -> bool:
    """Whether a game has rules by which the players win or lose as one."""
    return WON in (game.game_row.names or ())


def teams_of(setting: Setting) -> dict[str, tuple[str, ...]]:
    """Teams by name: that of the lineup, then those that ship; each with its strategies.

    A lineup of equal strategies is called as they are; a mixed one as its seats, one after the
    other.
    """
    mixed = len(set(setting.seats)) > 1
    own = tuple(setting.seats) if mixed else (setting.seats[0],)
    found = {" + ".join(own): own}
    for name, preset in presets_of(setting.game).items():
        if preset.together and preset.fits(setting.players):
            found.setdefault(name, (name,))
    return found


def team_seats(team: Sequence[str], players: int) -> tuple[str, ...]:
    """A team's strategies at a table of so many: taken in turn, seat 1 first."""
    return tuple(team[seat % len(team)] for seat in range(players))


def team_labels(setting: Setting) -> tuple[str, ...]:
    """The names of the teams, that of the lineup first."""
    return tuple(teams_of(setting))


def with_game_fields(chunk: Chunk, fields: Mapping[str, NDArray[Any]]) -> Chunk:
    """The chunk with rows of games that hold only these fields of whole numbers.

    fields: name -> (games,).
    """
    games = np.zeros(len(chunk.games), [(name, np.int64) for name in fields])
    for name, values in fields.items():
        games[name] = values
    return replace(chunk, games=games)


# ------------------------------------------------------------------------------------- estimates


def won(play: int) -> Column:
    """The games that a play's team won."""
    return Column(play, WON, "game")


def share(
    sums: BlockSums,
    column: Column,
    level: float,
    *,
    of: Column | None = None,
    together: int = 1,
) -> Interval:
    """Share of the games that a column of 0 and 1 counts, out of all or of those `of` counts.

    From single games Wilson's interval, an exact one where events are few, a one-sided exact bound
    where there is none (the rule of three) or nothing else; from blocks of several games Wilson's
    on the effective number. NaN with the whole range where there is no game.
    """
    den = None if of is None else {of: 1}
    if sums.rotations == 1:
        found = sums.cluster({column: 1}, den)
        return jointly(lambda own: rate(int(found.num), int(found.den), own), level, together)
    return sums.share({column: 1}, den, level, together=together)


def effect(
    sums: BlockSums,
    quantity: str,
    changed: int,
    without: int,
    level: float,
    *,
    together: int = 1,
) -> dict[str, Any]:
    """One play minus another on the same deals, as EFFECT_COLUMNS; quantity: of QUANTITIES.

    The difference of two shares of won games has Tango's interval, or the one that suits where few
    games differ; everything else has Student's over blocks. Each side has the interval of a
    `share`, or Student's.
    """
    field, _, bounds = QUANTITIES[quantity]
    column, other = Column(changed, field, "game"), Column(without, field, "game")
    found = paired_effect(
        sums,
        [column],
        level,
        bounds=bounds,
        together=together,
        against=[without],
        side_bounds=UNBOUNDED if quantity == "margin" else NOT_BELOW_0,
    )
    if quantity == "won" and sums.rotations == 1:
        games = sums.cluster({column: 1}, {other: 1})
        up, down = int(games.num - games.numden), int(games.den - games.numden)
        interval = jointly(lambda own: paired_rates(up, down, sums.blocks, own), level, together)
        differ = (up + down) / sums.blocks if sums.blocks else math.nan
        before, after = (share(sums, one, level, together=together) for one in (other, column))
        found = Effect(interval, before, after, differ, found.correlation, found.speed_up)
    return effect_row(found)


# -------------------------------------------------------------------------------------- in words


def moved(row: Mapping[str, Any]) -> bool:
    """Whether an effect is told apart from none."""
    return bool(row["low"] > 0 or row["high"] < 0)
