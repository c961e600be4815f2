"""What a question is: the games it needs, how their rows are summed, what the sums answer.

A question is asked in a setting (rules, lineup, number of games). It names groups of plays; the
plays of a group are played on the same deals and their chunks are reduced side by side, so that
paired effects need no row to be kept. Reductions add up; the answer is made of the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pandas as pd

from sim.batch import Chunk
from sim.content import Content
from sim.game import Game


@dataclass(frozen=True)
class Setting:
    """Where a question is asked.

    rules: the checked content. seats: the lineup's strategy specs, seat 1 first. games: how many
    games each play gets (whole blocks). level: confidence level of the intervals.
    """

    game: Game
    rules: Content[Any]
    seats: tuple[str, ...]
    rotate: bool
    games: int
    seed: int
    level: float = 0.95

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.seats)

    @property
    def together(self) -> bool:
        """Whether the players win or lose as one."""
        return self.game.together(self.rules.model)

    @property
    def rotations(self) -> int:
        """How often each deal is played: once a rotation of the seats, or once."""
        return self.players if self.rotate else 1


def tables_of(setting: Setting) -> Any:
    """The TABLES record of a setting."""
    return setting.game.make_tables(setting.rules.model, setting.players, {})[0]


@dataclass(frozen=True)
class Play:
    """One batch: what it changes against the setting it is asked in.

    seats: another lineup. patches: changed rules. handicaps: field of the tables -> one value a
    seat. rules: checked content to start from instead of the setting's (patches then change
    that). seed: other deals than the setting's; without it all plays share their deals.
    """

    name: str
    seats: tuple[str, ...] | None = None
    patches: Mapping[str, Any] = field(default_factory=dict)
    handicaps: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    rules: Content[Any] | None = None
    seed: int | None = None


class Sums(Protocol):
    """Something additive that chunks are reduced to."""

    def __add__(self, other: Any, /) -> Any:
        """Return the sum; order and grouping must not matter."""


@dataclass(frozen=True)
class Group:
    """Plays on the same deals, and how their chunks (one a play, same games) are summed.

    share: part of the setting's games that is enough here.
    """

    name: str
    plays: tuple[Play, ...]
    reduce: Callable[[tuple[Chunk, ...]], Sums]
    share: float = 1.0


@dataclass(frozen=True)
class Answer:
    """What a question comes to.

    frames: tidy tables by name, every estimate with low, high, level, n and method.
    sentences: the finding in plain words with its intervals, the most important one first.
    """

    frames: Mapping[str, pd.DataFrame]
    sentences: tuple[str, ...]


def _always(game: Game) -> bool:
    return True


@dataclass(frozen=True)
class Question:
    """A question of the laboratory.

    games: names of the games it makes sense for; empty for all. suits(game): whether it makes sense
    for a game, by what the game declares. groups: setting -> groups.
    answer: setting, sums by group name -> Answer. least_players, most_players: with fewer, or
    more, it makes no sense. together: whether it is about players who win or lose as one (True),
    about players of whom some win and others lose (False), or makes sense for both (None).
    """

    name: str
    title: str
    text: str
    groups: Callable[[Setting], list[Group]]
    answer: Callable[[Setting, Mapping[str, Any]], Answer]
    games: tuple[str, ...] = ()
    least_players: int = 1
    most_players: int | None = None
    suits: Callable[[Game], bool] = _always
    together: bool | None = False
