"""Compiled kernels and strategies, and the per-user cache that keeps them.

numba looks only at a function's own file when it decides whether a cached compilation is still
good, so an edited rule in another file would go unnoticed. Therefore the name of each cache
folder holds a hash of everything the code depends on: for a game's kernel the shared part of
`sim` and the game's folder, for a strategy these and its own files. An edited strategy compiles
itself and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config, from_dtype, types
from numba.core.errors import NumbaExperimentalFeatureWarning

from sim import branches
from sim.driver import LINEUP, MAX_SEATS, backstage_dtype, bind, play_games
from sim.errors import UserError
from sim.game import Game
from sim.jit import COMPILED, entry

UNUSED_DAYS = 30

# numba calls first-class functions experimental, at compilation and at calls; the tests of this
# module are our proof that they work here
warnings.filterwarnings(
    "ignore", message="First-class function type", category=NumbaExperimentalFeatureWarning
)
# files of `sim` and of games that compile nothing: an edit of them leaves kernels as they are
NO_RULES = {
    "batch.py",
    "checks.py",
    "content.py",
    "describe.py",
    "dice.py",
    "errors.py",
    "exact.py",
    "factors.py",
    "model.py",
    "rulefiles.py",
    "store.py",
    "tomlfile.py",
    "trace.py",
    "words.py",
}
_lock = threading.RLock()
_NO_TRANSCRIPT = np.zeros((0, 5), np.int64)


def cache_root() -> Path:
    """Return the per-user cache folder (`ASSAY_CACHE_DIR` overrides it)."""
    if explicit := os.environ.get("ASSAY_CACHE_DIR"):
        return Path(explicit)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "assay"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "assay"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay"


def source_hash(files: Iterable[Path]) -> str:
    """Return a hash of source files, their order aside, and of what compiles them."""
    digest = hashlib.sha256()
    versions = (platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__)
    digest.update(repr(versions).encode())
    for path in sorted(files, key=lambda path: path.name):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:20]


def rules_files(game: Game) -> list[Path]:
    """Return the source files that a game's kernel depends on: all but those that hold no rules."""
    files = [path for folder in _homes(game) for path in folder.glob("*.py")]
    return [path for path in files if path.name not in NO_RULES]


@cache
def rules_hash(game: Game) -> str:
    """Return the hash of the code of a game's rules."""
    return source_hash(rules_files(game))


def _homes(game: Game) -> tuple[Path, Path]:
    """Return the folders in which a game's rules stand."""
    shared = Path(__file__).parent
    return shared, shared / game.name


def _cache_folder(kind: str, name: str, digest: str, *folders: Path) -> Path:
    """Return the folder of a compilation, marked as used today; prune what nobody uses.

    digest: of its sources. folders: where these are, for what is known about their branches.
    """
    both = hashlib.sha256((digest + branches.digest(folders)).encode()).hexdigest()[:20]
    folder = cache_root() / kind / f"{name}-{both}"
    fresh = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError as error:
        raise UserError(
            f"{folder}: cannot write compiled code ({error.strerror}); "
            "set ASSAY_CACHE_DIR to a folder that can be written to"
        ) from None
    if fresh:
        oldest = time.time() - UNUSED_DAYS * 86400
        for other in folder.parent.iterdir():
            with contextlib.suppress(OSError):
                if other.stat().st_mtime < oldest:
                    shutil.rmtree(other, ignore_errors=True)
    return folder


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Let numba cache in a folder; it looks the setting up when a function is decorated."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def decider_signature(game: Game) -> Any:
    """Return the one signature of strategies: int64(State, Tables, int64, float64[::1])."""
    return types.int64(
        from_dtype(game.state),
        from_dtype(game.tables),
        types.int64,
        types.Array(types.float64, 1, "C"),
    )


def compile_decider(
    game: Game,
    function: Callable[..., Any],
    files: Collection[Path],
    *,
    makes_arrays: bool = False,
) -> Any:
    """Compile a strategy's decide function, or take it from the cache.

    files: the sources it depends on beyond the game's rules. makes_arrays: whether it may make
    arrays itself. Plain Python mode returns the function itself. Raises what numba raises when it
    does not compile.
    """
    if not COMPILED:
        return function
    digest = hashlib.sha256((rules_hash(game) + source_hash(files)).encode()).hexdigest()[:20]
    folders = {path.parent for path in files}
    folder = _cache_folder(
        "strategies", f"{game.name}-{function.__name__}", digest, *_homes(game), *sorted(folders)
    )
    with _lock, _caching_in(folder):
        return entry(decider_signature(game), function, makes_arrays=makes_arrays)


@dataclass(frozen=True)
class Kernel:
    """A game's driver, ready to play chunks.

    function: the compiled code itself. A call of numba's dispatcher would look up the types of all
    arguments first, 0.3 ms in which no other thread can do so.
    """

    game: Game
    function: Callable[..., Any]
    backstage: np.dtype
    from_cache: bool

    def play(
        self,
        desk: Desk,
        first: int,
        count: int,
        rotations: int,
        tables: np.ndarray,
        deciders: tuple[Any, ...],
        lineup: np.ndarray,
        transcript: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play games `first` to `first + count - 1`; return their rows.

        desk: scratch space of the calling thread; the event counters in it grow.
        transcript: int64 (m, 5), filled with the first m decisions (see `play_games`).
        Returns games (count,) and seats (count, players). Raises TypeError for arrays of other
        types: compiled code would read them as if they were right.
        """
        for array, dtype in (
            (tables, self.game.tables),
            (lineup, LINEUP),
            (desk.states, self.game.state),
            (desk.backstage, self.backstage),
        ):
            if array.dtype != dtype or array.shape != (1,):
                found = f"{array.shape} of {array.dtype}"
                raise TypeError(f"need an array (1,) of {dtype}, not {found}")
        if transcript is None:
            transcript = _NO_TRANSCRIPT
        elif transcript.dtype != np.int64 or transcript.shape[1:] != (5,):
            raise TypeError("a transcript has the shape (m, 5) and holds int64")
        games = np.zeros(count, self.game.game_row)
        seats = np.zeros((count, int(tables["players"][0])), self.game.seat_row)
        self.function(
            first,
            rotations,
            tables[0],
            deciders,
            lineup[0],
            desk.backstage[0],
            desk.memory,
            desk.states,
            games,
            seats,
            transcript,
        )
        return games, seats


class Desk:
    """Scratch space for one thread: a state, the luck, the event counters."""

    def __init__(self, game: Game, key: int) -> None:
        self.states = np.zeros(1, game.state)
        self.memory = self.states.view(np.int64)
        self.backstage = np.zeros(1, backstage_dtype(game.counters))
        self.backstage["key"] = key


@cache
def kernel_of(game: Game) -> Kernel:
    """Return a game's kernel, compiled or out of the cache."""
    bound = bind(
        play_games,
        open_game=game.open_game,
        advance=game.advance,
        turn_of=game.turn_of,
        record=game.record,
    )
    backstage = backstage_dtype(game.counters)
    if not COMPILED:
        return Kernel(game, bound, backstage, from_cache=False)
    signature = types.void(
        types.int64,
        types.int64,
        from_dtype(game.tables),
        types.UniTuple(types.FunctionType(decider_signature(game)), MAX_SEATS),
        from_dtype(LINEUP),
        from_dtype(backstage),
        types.Array(types.int64, 1, "C"),
        types.Array(from_dtype(game.state), 1, "C"),
        types.Array(from_dtype(game.game_row), 1, "C"),
        types.Array(from_dtype(game.seat_row), 2, "C"),
        types.Array(types.int64, 2, "C"),
    )
    folder = _cache_folder("kernels", game.name, rules_hash(game), *_homes(game))
    with _lock, _caching_in(folder):
        function = entry(signature, bound)
    (compiled,) = function.overloads.values()
    return Kernel(game, compiled.entry_point, backstage, bool(function.stats.cache_hits))


@cache
def stepper_of(game: Game) -> Callable[[Any, Any, Any, int], int]:
    """Return a game's `advance` for stepping from Python: (state, tables, backstage, choice).

    The records are elements of arrays (`states[0]`) and change in place. Start a game with
    `game.open_game` on a zeroed state, then advance with choice 0. Compiled and cached like a
    kernel; in plain Python mode it is the function itself.
    """
    if not COMPILED:
        return game.advance
    signature = types.int64(
        from_dtype(game.state),
        from_dtype(game.tables),
        from_dtype(backstage_dtype(game.counters)),
        types.int64,
    )
    folder = _cache_folder("kernels", game.name, rules_hash(game), *_homes(game))
    with _lock, _caching_in(folder):
        advance: Any = game.advance  # a dispatcher; its function is compiled anew, as an entry
        return entry(signature, advance.py_func)
