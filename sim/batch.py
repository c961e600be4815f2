"""Many games: chunks, threads, interruption.

A batch is cut into chunks of a fixed number of games. Each chunk's rows depend on the numbers of
its games alone, so results are the same for any chunk size, any number of threads and any order.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from sim.errors import UserError
from sim.game import Game
from sim.kernel import Desk, kernel_of
from sim.rng import MASK, MAX_DEALS, make_key

Result = TypeVar("Result")


class Players(Protocol):
    """Who plays: what the strategies' resolver hands over."""

    @property
    def deciders(self) -> tuple[Any, ...]:
        """Four compiled decide functions, one a lineup slot; spare ones are not called."""

    @property
    def record(self) -> np.ndarray:
        """The LINEUP record, shape (1,)."""


@dataclass(frozen=True)
class Batch:
    """What is to be played: everything that the rows depend on.

    tables: shape (1,). rotations: 1, or the number of seats to play each deal in every rotation.
    """

    game: Game
    tables: np.ndarray
    players: Players
    seed: int
    rotations: int = 1

    def __post_init__(self) -> None:
        """Check the seed. Raises UserError outside 0 to 2**64 - 1."""
        if not 0 <= self.seed <= MASK:
            raise UserError(f"the seed must be a whole number from 0 to 2**64 - 1, not {self.seed}")


@dataclass(frozen=True)
class Chunk:
    """The rows of consecutive games: games (n,), seats (n, players), and the event counters."""

    first: int
    games: np.ndarray
    seats: np.ndarray
    counters: dict[str, np.ndarray]


class GameError(Exception):
    """A strategy raised in the middle of a game.

    game: the number of the game, for its replay.
    """

    def __init__(self, game: int, cause: BaseException) -> None:
        super().__init__(f"game {game}: {type(cause).__name__}: {cause}")
        self.game = game
        self.cause = cause


def whole_blocks(games: int, rotations: int) -> int:
    """Return a number of games rounded up to whole blocks.

    Raises UserError for fewer than one game or more than the generator can address.
    """
    if games < 1:
        raise UserError(f"the number of games must be 1 or more, not {games}")
    blocks = -(-games // rotations)
    if blocks > MAX_DEALS:
        raise UserError(f"at most {MAX_DEALS * rotations} games can be addressed, not {games}")
    return blocks * rotations


def default_threads() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_chunk(batch: Batch, desk: Desk, first: int, count: int) -> Chunk:
    """Play one chunk on a thread's desk. Raises GameError if a strategy raises."""
    names = batch.game.counters.names or ()
    for name in names:
        desk.backstage[name] = 0
    try:
        games, seats = kernel_of(batch.game).play(
            desk,
            first,
            count,
            batch.rotations,
            batch.tables,
            batch.players.deciders,
            batch.players.record,
        )
    except Exception as error:
        raise GameError(int(desk.backstage["game"][0]), error) from error
    return Chunk(first, games, seats, {name: desk.backstage[name][0].copy() for name in names})


def play(
    batches: Sequence[Batch],
    first: int,
    stop: int,
    reduce: Callable[[tuple[Chunk, ...]], Result],
    *,
    threads: int | None = None,
    chunk_games: int | None = None,
) -> Iterator[tuple[int, Result]]:
    """Play games `first` to `stop - 1` of several batches side by side.

    The batches must be of one game and share their rotations: paired comparisons need the same
    games of each. Yields (games in the chunk, reduce(chunks, one a batch)) in order of the games.
    `reduce` runs in the playing threads. At most a few chunks are under way at once, so memory
    does not grow with the number of games. On an interruption (Ctrl-C, or the caller closing the
    iterator) chunks not begun are dropped; of those under way only the batch at play is finished.

    Raises UserError for fewer than one thread, GameError if a strategy raises.
    """
    threads = default_threads() if threads is None else threads
    if threads < 1:
        raise UserError(f"the number of threads must be 1 or more, not {threads}")
    game, rotations = batches[0].game, batches[0].rotations
    if any(batch.game is not game or batch.rotations != rotations for batch in batches):
        raise ValueError("batches played together must share the game and the rotations")
    size = chunk_games or game.chunk_games
    size = -(-size // rotations) * rotations  # whole blocks
    kernel_of(game)  # compile once, before the threads start
    keys = [make_key(batch.seed) for batch in batches]
    local = threading.local()
    stopping = threading.Event()

    def work(start: int) -> tuple[int, Result]:
        if not hasattr(local, "desks"):
            local.desks = [Desk(game, key) for key in keys]
        count = min(size, stop - start)
        chunks = []
        for batch, desk in zip(batches, local.desks, strict=True):
            if stopping.is_set():  # a hundred batches would keep whoever waits for the end waiting
                raise CancelledError
            chunks.append(play_chunk(batch, desk, start, count))
        return count, reduce(tuple(chunks))

    pool = ThreadPoolExecutor(threads, thread_name_prefix="games")
    pending: deque[Future[tuple[int, Result]]] = deque()
    try:
        for start in range(first, stop, size):
            pending.append(pool.submit(work, start))
            if len(pending) > 2 * threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        stopping.set()
        pool.shutdown(wait=True, cancel_futures=True)
