"""The speed figures: games a second beside a calibration loop, start-up, compilation.

Machines are noisy, so every figure is measured several times, all figures in turn, and given with
its median and spread. A speed is also given as a share of the calibration loop's, measured just
before it: noise hits both.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

from assay.api import SEED, Table, set_table
from assay.pig import luck_of, play_pig
from assay.progress import Progress
from sim.batch import Batch, default_threads, play
from sim.errors import UserError
from sim.kernel import Desk, kernel_of
from sim.rng import make_key
from sim.wording import counted
from strategies.resolve import lineup

# the strategies that are timed, one at every seat, with the patches of the rules they play by: a
# simple script defined to the last choice, the best one, the best team with all there is to do
LINEUPS: dict[str, dict[str, dict[str, Any]]] = {
    "wizard_miners": {"drill_first": {}, "balanced": {}},
    "dobbers": {"runner": {}, "balanced": {}},
    "near_and_far": {
        "miner": {},
        "balanced": {},
        "team_balanced": {"modules.coop": True, "modules.minions": True},
    },
}
WORK = 0.3  # seconds of one measurement, about
SAMPLE = 500  # games in which decisions are counted


@dataclass(frozen=True)
class Figure:
    """One figure, measured several times."""

    name: str
    unit: str
    values: tuple[float, ...]

    def row(self) -> dict[str, Any]:
        """Return median and spread."""
        return {
            "figure": self.name,
            "unit": self.unit,
            "median": statistics.median(self.values),
            "low": min(self.values),
            "high": max(self.values),
            "repeats": len(self.values),
        }

    def record(self) -> dict[str, Any]:
        """Return these and all values, in the order in which they were measured."""
        return {**self.row(), "values": list(self.values)}


class _Timed:
    """A lineup of one strategy at every seat, ready to be timed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        who = lineup(table.game, table.specs)
        self.batch = Batch(table.game, table.record, who, SEED)
        # whole chunks, as many for each thread: otherwise one waits for the other
        step = 2 * table.game.chunk_games
        self.size = step
        self.size = -(-int(self.speed(1) * WORK) // step) * step

    def speed(self, threads: int) -> float:
        """Return games a second."""
        started = time.perf_counter()
        played = sum(count for count, _ in self._chunks(threads))
        return played / (time.perf_counter() - started)

    def _chunks(self, threads: int) -> Iterator[tuple[int, None]]:
        return play([self.batch], 0, self.size, lambda chunks: None, threads=threads)

    def decisions(self) -> float:
        """Return the decisions per game that strategies are asked for."""
        desk = Desk(self.batch.game, make_key(SEED))
        players = self.batch.players
        transcript = np.zeros((SAMPLE * 2000, 5), np.int64)
        kernel_of(self.batch.game).play(
            desk,
            0,
            SAMPLE,
            1,
            self.batch.tables,
            players.deciders,
            players.record,
            transcript,
        )
        return int(desk.backstage["recorded"][0]) / SAMPLE


def pig_speed(games: int, threads: int = 1) -> float:
    """Return games of Pig a second, `games` on each of so many threads at once."""
    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        for done in [pool.submit(play_pig, luck_of(SEED)[0], games) for _ in range(threads)]:
            done.result()
        return games * threads / (time.perf_counter() - started)


def _child(arguments: list[str], **environment: str) -> float:
    """Run a fresh interpreter; return the seconds it took. Raises UserError if it fails."""
    home = str(Path(__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UserError(f"the measured command failed: {done.stderr.strip()}")
    return time.perf_counter() - started


def warm_seconds(game: str) -> float:
    """Return the seconds of `assay play GAME --games 1000` with everything compiled."""
    command = "import sys; from assay.cli import main; main()"
    return _child([command, "play", game, "--games", "1000"])


def cold_seconds(game: str) -> float:
    """Return the seconds to compile a game's kernel and `balanced` with an empty cache."""
    command = (
        "import sys; from sim.game import load_game; from sim.kernel import kernel_of; "
        "from strategies.resolve import lineup; game = load_game(sys.argv[1]); kernel_of(game); "
        "lineup(game, ['balanced'] * game.max_players)"
    )
    with tempfile.TemporaryDirectory() as folder:
        return _child([command, game], ASSAY_CACHE_DIR=folder)


def measure(
    game: str, *, repeats: int = 7, cold: bool = False, progress: Progress | None = None
) -> list[Figure]:
    """Measure the speed of a game.

    Raises UserError for an unknown game, one without reference lineups, fewer than one repeat.
    """
    if repeats < 1:
        raise UserError(f"the number of repeats must be 1 or more, not {repeats}")
    table = set_table(game)
    if game not in LINEUPS:
        raise UserError(f"{game}: no reference lineup to be timed")
    threads = min(2, default_threads())
    timed = {
        name: _Timed(set_table(game, seats=name, patches=patches))
        for name, patches in LINEUPS[game].items()
    }
    pig_speed(1000)
    pig_games = max(1000, int(pig_speed(200_000) * WORK))

    found: dict[tuple[str, str], list[float]] = {}

    def note(name: str, unit: str, value: float) -> None:
        found.setdefault((name, unit), []).append(value)

    seats = table.players
    for repeat in range(repeats):
        for name, one in timed.items():
            label = f"{name} x {seats}"
            speeds = []
            for number in range(1, threads + 1):
                many = counted(number, "thread")
                before = pig_speed(pig_games, number)
                speeds.append(one.speed(number))
                pig = (before + pig_speed(pig_games, number)) / 2
                note(f"Pig, {many}", "games/s", pig)
                note(f"{label}, {many}", "games/s", speeds[-1])
                note(f"{label}, {many}, share of Pig", "ratio", speeds[-1] / pig)
            if threads > 1:
                note(f"{label}, {many} against 1", "ratio", speeds[-1] / speeds[0])
            if progress is not None:
                progress(f"measuring {label}", repeat + 1, repeats)
        note(f"assay play {game} --games 1000, warm", "seconds", warm_seconds(game))
    for name, one in timed.items():
        label = f"{name} x {seats}"
        per_game = one.decisions()
        note(f"{label}, decisions per game", "decisions", per_game)
        for value in found[f"{label}, 1 thread", "games/s"]:
            note(f"{label}, 1 thread, decisions", "decisions/s", value * per_game)
    if cold:
        note("cold compilation", "seconds", cold_seconds(game))
    return [Figure(name, unit, tuple(values)) for (name, unit), values in found.items()]


def machine() -> dict[str, Any]:
    """Return what the figures were measured on."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processors": default_threads(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }
