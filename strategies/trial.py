"""A trial of users' strategies, in a process of its own.

Code from a user's file may raise, crash or never come back, and it may look at cards that its
player cannot see. So before a batch it plays some games in a child process with a time limit,
and what goes wrong ends as a message that names the game and the command that replays it.

Parent and child share a folder: the plan, the tables, and two mapped files in which the child
plays. So the parent can read how far the child came, however it ended.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import queue
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from sim.batch import Batch, GameError, play_chunk
from sim.driver import ILLEGAL_CHOICE, backstage_dtype
from sim.errors import UserError
from sim.game import Game, load_game
from sim.jit import COMPILED
from sim.kernel import Desk, kernel_of
from sim.rng import make_key
from sim.wording import counted
from strategies.own_code import compile_spy
from strategies.resolve import Lineup, lineup

GAMES = 200 if COMPILED else 4  # plain Python is a thousand times slower
PEEK_GAMES = 50 if COMPILED else 2
SECONDS = 20.0
VARIABLE = "ASSAY_TRIAL_SECONDS"

_PLAN, _TABLES, _STATE, _BACKSTAGE = "plan.json", "tables", "state", "backstage"


@dataclass(frozen=True)
class Trial:
    """What a trial found out: the games it played, and warnings for the user."""

    games: int = 0
    warnings: tuple[str, ...] = ()


def replay_command(
    game: Game,
    specs: Sequence[str],
    seed: int,
    index: int,
    rotations: int = 1,
    options: Sequence[str] = (),
) -> str:
    """Return the command that shows a game move by move. options: rules and patches as given."""
    words = ["assay", "trace", game.name, "--seats", ",".join(specs), "--seed", str(seed)]
    words += ["--game-index", str(index), *(["--rotate"] if rotations > 1 else []), *options]
    return shlex.join(words)


def time_limit() -> float:
    """Return the seconds that a trial may take. Raises UserError if the variable is no number."""
    text = os.environ.get(VARIABLE, "")
    try:
        seconds = float(text) if text else SECONDS
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise UserError(f"{VARIABLE} must be a number of seconds above 0, not {text!r}")
    return seconds


def try_out(
    game: Game,
    players: Lineup,
    tables: np.ndarray,
    *,
    seed: int,
    rotations: int = 1,
    options: Sequence[str] = (),
) -> Trial:
    """Let users' strategies play the first games of a batch in a child process.

    tables: shape (1,). options: rules and patches as given on the command line, for the replay
    command. Without a user's strategy in the lineup nothing is tried.

    Raises UserError if a strategy raises, crashes, takes too long or chooses what is not legal.
    """
    if not any(strategy.is_user_code for strategy in players.strategies):
        return Trial()
    seconds = time_limit()
    specs = [strategy.spec for strategy in players.strategies]
    with tempfile.TemporaryDirectory(prefix="assay-trial-") as name:
        folder = Path(name)
        plan = {"game": game.name, "specs": specs, "seed": seed, "rotations": rotations}
        (folder / _PLAN).write_text(json.dumps(plan), "utf-8")
        (folder / _TABLES).write_bytes(tables.tobytes())
        (folder / _STATE).write_bytes(bytes(game.state.itemsize))
        (folder / _BACKSTAGE).write_bytes(bytes(backstage_dtype(game.counters).itemsize))
        report = _run_child(folder, seconds)
        at = _Place(game, players, folder)

    def replay(index: int) -> str:
        command = replay_command(game, specs, seed, index, rotations, options)
        return f"\n  replay: {command}"

    kind = report["kind"]
    if kind == "error":
        raise UserError(report["text"])
    if kind == "raised":
        index = report["game"]
        raise UserError(f"{at.who()} raised {report['text']}, in game {index}{replay(index)}")
    if kind == "illegal":
        index = report["game"]
        text = f"in {report['count']} of {counted(report['of'], 'game')}, first in game {index}"
        raise UserError(f"{at.who()} chose what is not legal {text}: {at.asked()}{replay(index)}")
    if kind == "late":
        text = f"{at.who()} is not done after {seconds:g} s: stopped in game {at.game} of {GAMES}"
        more = f"{VARIABLE}={3 * seconds:g} allows more time"
        raise UserError(f"{text}, {at.asked()}; {more}{replay(at.game)}")
    if kind == "died":
        text = f"{at.who()} crashed in game {at.game}, {at.asked()}: {report['text']}"
        raise UserError(f"{text}{replay(at.game)}")
    return Trial(
        report["games"],
        tuple(
            f"{players.labels[slot]} chose otherwise when cards it cannot see were dealt anew (in "
            f"{count} of {counted(report['of'], 'game')}, first in game {index}): it looks at "
            "hidden cards or draws luck of its own, so its results are those of no real player"
            for slot, count, index in report["peeks"]
        ),
    )


class _Place:
    """Where a child process stood when it ended, read from the files it played in."""

    def __init__(self, game: Game, players: Lineup, folder: Path) -> None:
        self.state = np.fromfile(folder / _STATE, game.state)[0]
        backstage = np.fromfile(folder / _BACKSTAGE, backstage_dtype(game.counters))[0]
        self.prompts = game.prompts
        self.labels = players.labels
        self.game = int(backstage["game"])
        self.seat = int(self.state["seat"])
        self.slot = int(backstage["slots"][self.seat])

    def who(self) -> str:
        """Name the strategy whose turn it was to decide."""
        return f"{self.labels[self.slot]} (seat {self.seat + 1})"

    def asked(self) -> str:
        """Say what it was asked."""
        legal = int(self.state["legal"])
        allowed = ", ".join(str(choice) for choice in range(63) if legal >> choice & 1)
        return f"asked {self.prompts(int(self.state['prompt'])).name} (legal: {allowed})"


def _run_child(folder: Path, seconds: float) -> dict[str, Any]:
    """Run the child and return its last report.

    The limit holds while it plays and not while it compiles, anew each time.
    """
    root = str(Path(__file__).resolve().parent.parent)
    paths = [root, os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with (folder / "stderr").open("w+b") as errors:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "strategies.trial", str(folder)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        reports: queue.Queue[dict[str, Any] | None] = queue.Queue()
        reader = threading.Thread(target=_read, args=(child.stdout, reports), daemon=True)
        reader.start()
        last: dict[str, Any] = {"kind": "compiles"}
        try:
            while True:
                limit = seconds if last["kind"] == "plays" else None
                report = reports.get(timeout=limit)
                if report is None:
                    child.wait(seconds)  # its end tells why
                    break
                last = report
        except (queue.Empty, subprocess.TimeoutExpired):
            last = {"kind": "late"}
        finally:
            child.kill()
            code = child.wait()
            reader.join()
            if child.stdout:
                child.stdout.close()
        if last["kind"] in ("compiles", "plays"):  # it ended without saying how
            errors.seek(0)
            lines = errors.read().decode("utf-8", "replace").strip().splitlines()
            said = lines[-1] if lines else f"exit code {code}"
            last = {"kind": "died", "text": signal.Signals(-code).name if code < 0 else said}
    return last


def _read(stream: IO[bytes], reports: queue.Queue[dict[str, Any] | None]) -> None:
    """Pass on what the child reports, and None at its end."""
    for line in stream:
        reports.put(json.loads(line))
    reports.put(None)


# ---- the child ----------------------------------------------------------------------------


def _mapped(path: Path, dtype: np.dtype) -> np.ndarray:
    """Return a file as an array of shape (1,) that can be written."""
    with path.open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0), dtype, 1)


def _perform(folder: Path) -> Iterator[dict[str, Any]]:
    """Play the trial; yield a report at the start of each stage and one at the end."""
    plan = json.loads((folder / _PLAN).read_text("utf-8"))
    game = load_game(plan["game"])
    try:
        players = lineup(game, plan["specs"])
    except UserError as error:
        yield {"kind": "error", "text": str(error)}
        return
    tables = np.frombuffer((folder / _TABLES).read_bytes(), game.tables).copy()
    desk = Desk(game, make_key(plan["seed"]))
    key = int(desk.backstage["key"][0])
    desk.backstage = _mapped(folder / _BACKSTAGE, desk.backstage.dtype)
    desk.backstage["key"] = key
    desk.states = _mapped(folder / _STATE, game.state)
    desk.memory = desk.states.view(np.int64)
    kernel_of(game)

    batch = Batch(game, tables, players, plan["seed"], plan["rotations"])
    yield {"kind": "plays"}
    try:
        games = play_chunk(batch, desk, 0, GAMES).games
        illegal = games["game"][games["status"] == ILLEGAL_CHOICE]
        if len(illegal):
            first = int(illegal[0])
            play_chunk(batch, desk, first, 1)  # so that its last state is the one left
            yield {"kind": "illegal", "count": len(illegal), "of": GAMES, "game": first}
            return
    except GameError as error:
        yield {"kind": "raised", "game": error.game, "text": _raised(players, error)}
        return

    peeks = []
    for slot, strategy in enumerate(players.strategies):
        if strategy.own and strategy.label not in players.labels[:slot]:
            yield {"kind": "compiles"}
            deciders = list(players.deciders)
            deciders[slot] = compile_spy(game, strategy.own)
            spied = Lineup(players.strategies, players.record, tuple(deciders), players.labels)
            yield {"kind": "plays"}
            batch = Batch(game, tables, spied, plan["seed"], plan["rotations"])
            games = play_chunk(batch, desk, 0, PEEK_GAMES).games
            caught = games["game"][games["status"] == ILLEGAL_CHOICE]
            if len(caught):
                peeks.append((slot, len(caught), int(caught[0])))
    yield {"kind": "done", "games": GAMES, "peeks": peeks, "of": PEEK_GAMES}


def _raised(players: Lineup, error: GameError) -> str:
    """Return an exception in words, with the line of the user's file where it is known."""
    cause = error.cause
    text = f"{type(cause).__name__}: {cause}"
    for strategy in players.strategies:
        if strategy.own and (place := strategy.own.line_of(cause)):
            return f"{text} ({place})"
    return text


def main() -> None:
    """Play the trial in the folder that the command line names."""
    # what users print must not mix with the reports
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for report in _perform(Path(sys.argv[1])):
        channel.write(json.dumps(report) + "\n")
        channel.flush()


if __name__ == "__main__":
    main()
