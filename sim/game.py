"""What every game keeps: the contract, and the registry of games."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from sim.errors import UserError, choices, nearest

WIN_UNIT = 12  # a win is worth twelve twelfths, so that shared wins stay whole numbers
# Event counters are kept apart for 32 replicates; the spread between them is the error. A replicate
# gets 16 deals in a row, so that its counters stay in the processor's cache.
REPLICATES = 32
REPLICATE_DEALS = 16
# a game is a folder beside this file that holds a rulebook
GAMES = tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/rulebook.toml")))


@dataclass(frozen=True)
class Metric:
    """One figure a game can be asked for, described as data; `analysis` computes it.

    name, unit: as printed. table: "game" or "seat", the rows it is read from.
    value: the row's field that is summed; per: the field it is divided by (None: rows).
    scale: the sum is divided by it (twelfths of a win: 12).
    by: groupings, each a tuple out of "seat" and "strategy"; () is the whole field.
    statistics: out of "mean", "sd", "quantiles".
    """

    name: str
    unit: str
    table: str
    value: str
    per: str | None = None
    scale: int = 1
    by: tuple[tuple[str, ...], ...] = ((),)
    statistics: tuple[str, ...] = ("mean",)
    doc: str = ""


@dataclass(frozen=True)
class Option:
    """Something a seat can be denied, to measure what it is worth.

    name: as printed. handicap, value: the field of the tables and what it is set to for a seat.
    """

    name: str
    handicap: str
    value: int


@dataclass(frozen=True)
class Card:
    """A card, or whatever else a player can come by and be denied.

    name: as the rules files have it. number: its place in the game's counters. copies: how many
    there are. classes: what it belongs to, such as (("type", "weapon"), ("cost", "3")).
    """

    name: str
    number: int
    copies: int = 1
    classes: tuple[tuple[str, str], ...] = ()


def _no_patches(rules: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Cards:
    """What players of a game can come by, to measure what each card is worth.

    listed(rules) -> cards. forbid: handicap that takes the names of cards for each seat: it may
    not take them. seen: counter by [replicate, card]: games in which it could be had. taken:
    counter by [replicate, slot, card, what]: games in which the slot took one, those of them that
    it won, in twelfths of a win, and, with `use`, those in which it never used one.
    first, left_out: keys of the rules: the card of which one is dealt first; the cards, with spaces
    between their names, of which there is none. examples(rules) -> names of cards to look at one
    by one. length: field of the games' rows that says how long a game was.
    rich(rules), cheap(rules) -> patches: players have plenty to pay with; all cards cost as little
    as they can. kind, took: words for one of them, and for taking it. use: for
    having used it; empty where taking it is all there is.
    """

    listed: Callable[[Any], tuple[Card, ...]]
    forbid: str
    first: str
    left_out: str
    length: str
    examples: Callable[[Any], tuple[str, ...]]
    rich: Callable[[Any], dict[str, Any]] = _no_patches
    cheap: Callable[[Any], dict[str, Any]] = _no_patches
    seen: str = "seen"
    taken: str = "bought"
    kind: str = "card"
    took: str = "bought"
    use: str = ""


def _unconstrained(rules: Any) -> list[str]:
    return []


def _apart(rules: Any) -> bool:
    return False


@dataclass(frozen=True, eq=False)
class Game:
    """A game of the laboratory: its records, its rules, its words.

    The rules are `open_game(state, tables, backstage)`,
    `advance(state, tables, backstage, choice) -> prompt` and
    `record(state, tables, backstage, game_row, seat_rows)`; the driver binds them.
    `turn_of(state)` numbers the turn for the addresses of a player's whims.
    `load(folder, patches) -> Content` reads the rules files, `make_tables(rules, players,
    handicaps) -> array (1,)` makes the record that kernels read. `describe` has words for traces.
    `constraints(rules) -> list of str` says what the rulebook tells of its unpublished numbers and
    these rules break; whoever draws such numbers at random keeps to draws that break nothing.
    `together(rules) -> bool` says whether the players win or lose as one: then each of them wins
    all of a game, a lost game is decided as a won one is, and nobody is the winner. `together_by`
    is what the rules say then, as a study writes it.
    """

    name: str
    title: str
    min_players: int
    max_players: int
    state: np.dtype
    tables: np.dtype
    game_row: np.dtype
    seat_row: np.dtype
    counters: np.dtype
    prompts: type[IntEnum]
    status: type[IntEnum]
    open_game: Callable[..., Any]
    advance: Callable[..., Any]
    turn_of: Callable[..., Any]
    record: Callable[..., Any]
    hide: Callable[..., Any]
    load: Callable[..., Any]
    make_tables: Callable[..., Any]
    describe: Any
    metrics: tuple[Metric, ...]
    options: tuple[Option, ...] = ()
    cards: Cards | None = None
    constraints: Callable[[Any], list[str]] = _unconstrained
    together: Callable[[Any], bool] = _apart
    together_by: str = ""
    chunk_games: int = 1024


def load_game(name: str) -> Game:
    """Return the game called `name`.

    Raises UserError for an unknown name, with the nearest known one.
    """
    if name not in GAMES:
        raise UserError(
            f"unknown game {name!r}{nearest(name, GAMES)}; known games: {choices(GAMES)}"
        )
    return importlib.import_module(f"sim.{name}").GAME
