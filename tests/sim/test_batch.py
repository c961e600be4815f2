"""Batches: the same rows whatever the chunks and threads, clean ends, errors that name a game."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from sim.batch import (
    Batch,
    Chunk,
    GameError,
    default_threads,
    play,
    play_chunk,
    whole_blocks,
)
from sim.errors import UserError
from sim.game import load_game
from sim.jit import COMPILED
from sim.rng import MAX_DEALS
from tests.contract import Players, lowest_choice, players, raises_late
from tests.sim.wizard_miners import players as scripts
from tests.sim.wizard_miners.contract import make_tables

GAME = load_game("wizard_miners")
GAMES = 4200 if COMPILED else 12
CHUNKS = (64, 4096) if COMPILED else (4, 64)


def batch(
    *,
    blunder: float = 0.3,
    seed: int = 5,
    rotations: int = 1,
    lineup: Players | None = None,
    **patches,
) -> Batch:
    """Return a batch of busy players who blunder."""
    who = lineup or players(GAME, scripts.busy, scripts.__file__, blunder=blunder)
    return Batch(GAME, make_tables(4, **patches), who, seed, rotations)


def all_rows(
    what: Batch, first: int, stop: int, **options: int
) -> tuple[bytes, bytes, dict[str, bytes]]:
    """Play games; return the bytes of the rows and of the summed counters."""
    games, seats, counters = [], [], {}
    for count, chunk in play([what], first, stop, lambda chunks: chunks[0], **options):
        assert count == len(chunk.games) == len(chunk.seats)
        games.append(chunk.games)
        seats.append(chunk.seats)
        for name, values in chunk.counters.items():
            counters[name] = counters.get(name, 0) + values
    assert sum(map(len, games)) == stop - first
    return (
        np.concatenate(games).tobytes(),
        np.concatenate(seats).tobytes(),
        {name: values.tobytes() for name, values in counters.items()},
    )


def close(running: Any) -> None:
    """Stop reading a batch."""
    running.close()


def workers() -> list[str]:
    """Return the threads that play."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("games")]


def test_an_end_does_not_wait_for_batches_that_have_not_begun(monkeypatch) -> None:
    """Of a chunk of many batches, the one at play when the reader goes is the last."""
    begun, ending = threading.Event(), threading.Event()
    played: list[int] = []

    class Pool(ThreadPoolExecutor):
        def shutdown(self, *args: Any, **options: Any) -> None:
            ending.set()
            super().shutdown(*args, **options)

    def counted(what: Batch, desk: Any, first: int, count: int) -> Chunk:
        played.append(first)
        if first > 0:  # the second chunk: its first batch lasts until the end is under way
            begun.set()
            ending.wait()
        return play_chunk(what, desk, first, count)

    monkeypatch.setattr("sim.batch.ThreadPoolExecutor", Pool)
    monkeypatch.setattr("sim.batch.play_chunk", counted)
    many = [batch()] * 20
    running = play(many, 0, 40, lambda chunks: len(chunks), threads=1, chunk_games=4)
    assert next(running) == (4, 20)
    begun.wait()
    close(running)
    assert played == [0] * 20 + [4]


@pytest.mark.kernel
@pytest.mark.parametrize("rotations", [1, 4])
def test_threads_and_chunks_change_nothing(rotations: int) -> None:
    """Rows and counters byte for byte: 1 and 2 threads, chunks of 64 and 4096 games."""
    what = batch(rotations=rotations)
    small, large = CHUNKS
    expected = all_rows(what, 0, GAMES, threads=1, chunk_games=large)
    assert all_rows(what, 0, GAMES, threads=2, chunk_games=small) == expected
    if COMPILED:
        assert all_rows(what, 0, GAMES, threads=1, chunk_games=small) == expected
        assert all_rows(what, 0, GAMES, threads=2, chunk_games=large) == expected
    assert set(expected[2]) == {"chart", "falls"}


@pytest.mark.kernel
def test_two_halves_are_the_whole() -> None:
    what = batch(rotations=4)
    half = GAMES // 8 * 4
    whole = all_rows(what, 0, GAMES, threads=2)
    first, second = all_rows(what, 0, half, threads=1), all_rows(what, half, GAMES, threads=2)
    assert first[0] + second[0] == whole[0]
    assert first[1] + second[1] == whole[1]


def test_chunks_hold_whole_blocks_in_order() -> None:
    """Chunk sizes are rounded up to whole blocks; the last chunk takes what is left."""
    what = batch(rotations=4)
    starts = [
        (count, chunk.first, int(chunk.games["game"][0]))
        for count, chunk in play([what], 8, 40, lambda c: c[0], threads=2, chunk_games=10)
    ]
    assert starts == [(12, 8, 8), (12, 20, 20), (8, 32, 32)]


def test_batches_side_by_side() -> None:
    """Several batches get the same games each; every one plays as it does alone."""
    plain, faces = batch(), batch(cave_in__die_faces=4)

    def rows(chunks: tuple[Chunk, ...]) -> list[bytes]:
        assert chunks[0].first == chunks[1].first
        return [chunk.seats.tobytes() for chunk in chunks]

    both = [pair for _, pair in play([plain, faces], 0, 12, rows, threads=2, chunk_games=5)]
    for place, alone in enumerate((plain, faces)):
        expected = all_rows(alone, 0, 12, threads=1)[1]
        assert b"".join(pair[place] for pair in both) == expected
    assert [pair[0] for pair in both] != [pair[1] for pair in both]


def test_batches_side_by_side_share_game_and_rotations() -> None:
    with pytest.raises(ValueError, match="must share the game and the rotations"):
        next(play([batch(), batch(rotations=4)], 0, 8, len))


@pytest.mark.kernel
def test_variants_share_their_luck() -> None:
    """A rule that nobody makes use of shifts no draw; nor do faces of a die that is not read."""
    idle = players(GAME, lowest_choice)

    def mined(**patches: object) -> list[list[int]]:
        chunk = next(play([batch(lineup=idle, blunder=0.0, **patches)], 0, 6, lambda c: c[0]))[1]
        return chunk.seats["gems_mined"].tolist()

    base = mined(stall__roll_cap=50)
    assert mined(stall__roll_cap=50, tools__drill__cost=(1, 1, 1)) == base
    assert mined(stall__roll_cap=50, cave_in__die_faces=6) == base  # no card is reached yet
    assert mined(stall__roll_cap=50, spells__blast__count=9) == base


# --- ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_closing_early_leaves_no_thread(threads: int) -> None:
    running = play([batch()], 0, 10_000_000, len, threads=threads, chunk_games=4)
    assert next(running) == (4, 1)
    assert workers()
    before = time.monotonic()
    close(running)
    assert not workers()
    assert time.monotonic() - before < 10


def test_only_a_few_chunks_are_under_way() -> None:
    """Memory stays flat: results wait for whoever reads them, within a few chunks."""
    started: list[int] = []

    def note(chunks: tuple[Chunk, ...]) -> int:
        started.append(chunks[0].first)
        return chunks[0].first

    running = play([batch()], 0, 1_000_000, note, threads=2, chunk_games=1)
    for read in range(1, 6):
        assert next(running) == (1, read - 1)
        time.sleep(0.05)
        assert len(started) <= read + 2 * 2 + 1
    close(running)


def test_an_error_while_reducing_ends_the_batch() -> None:
    def fail(chunks: tuple[Chunk, ...]) -> int:
        raise ZeroDivisionError(chunks[0].first)

    with pytest.raises(ZeroDivisionError):
        list(play([batch()], 0, 100, fail, threads=2, chunk_games=4))
    assert not workers()


@pytest.mark.kernel
def test_a_crash_names_its_game() -> None:
    """The game a strategy raised in, for its replay; found out by playing up to it."""
    decisions = 25
    lineup = players(GAME, raises_late, weights=(decisions, 0))
    with pytest.raises(GameError) as caught:
        list(play([batch(lineup=lineup, blunder=0.0)], 100, 164, len, threads=1, chunk_games=8))
    assert caught.value.game >= 100
    assert str(caught.value) == f"game {caught.value.game}: ValueError: out of ideas"
    assert isinstance(caught.value.cause, ValueError)
    assert not workers()
    # each slot counts its own decisions and the 26th of any of them raises: look which game it is
    quiet = players(GAME, raises_late, weights=(1e9, 0))
    game = 100
    while True:
        list(play([batch(lineup=quiet, blunder=0.0)], game, game + 1, len, threads=1))
        if quiet.record["weights"][0, :, 1].max() > decisions:
            break
        game += 1
    assert caught.value.game == game


@pytest.mark.parametrize("threads", [0, -2])
def test_threads_must_be_positive(threads: int) -> None:
    with pytest.raises(UserError, match="threads must be 1 or more"):
        next(play([batch()], 0, 4, len, threads=threads))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(UserError, match="the seed must be a whole number"):
        batch(seed=seed)


@pytest.mark.parametrize(
    ("games", "rotations", "rounded"), [(1, 1, 1), (1, 4, 4), (4, 4, 4), (5, 4, 8), (7, 3, 9)]
)
def test_whole_blocks(games: int, rotations: int, rounded: int) -> None:
    assert whole_blocks(games, rotations) == rounded


def test_whole_blocks_out_of_range() -> None:
    for games in (0, -5):
        with pytest.raises(UserError, match="must be 1 or more"):
            whole_blocks(games, 4)
    assert whole_blocks(MAX_DEALS, 1) == MAX_DEALS
    with pytest.raises(UserError, match="can be addressed"):
        whole_blocks(MAX_DEALS + 1, 1)


def test_default_threads() -> None:
    assert default_threads() >= 1
