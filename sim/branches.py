"""Which way branches go: counts that tell LLVM what to lay out in one piece.

A kernel is some hundred kilobytes of code, of which a turn of a game runs a tenth, once. LLVM does
not know which tenth, and most branches of rules go one way in 98 of 100 cases: left to guess, it
puts what hardly ever happens between what always does, and the processor fetches both. So games are
played by kernels that count (`make branches`), and the counts are kept beside the code: in
`branches.tsv` of a module's folder, for each function the branches in the order of its bytecode, as
"how often true/how often false".

The counts change no result. Those of a function that has been edited since are left out, by a
fingerprint of its source without comments; LLVM then guesses, as it does for everybody else's code.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FILE = "branches.tsv"
MOST = 9999  # counts are scaled down to this: only which way, and how clearly, is asked
_ROOT = Path(__file__).parent.parent
_OURS = ("sim", "strategies")
_HEAD = ("function", "source", "branches")
_ROOM = 1 << 17  # branches that can be counted at once

Weights = tuple[tuple[int, int], ...]


def is_ours(function: Callable[..., Any]) -> bool:
    """Say whether a function is part of the rules or strategies that ship."""
    return function.__module__.split(".")[0] in _OURS


def name_of(function: Callable[..., Any]) -> str:
    """Return the name under which a function's branches are kept."""
    return f"{function.__module__}.{function.__qualname__}"


def file_of(name: str) -> Path:
    """Return the file that keeps a function's branches: the one in its module's folder."""
    module = name.split(".")
    for depth in range(len(module) - 1, 0, -1):
        folder = _ROOT.joinpath(*module[:depth])
        if folder.is_dir():
            return folder / FILE
    raise ValueError(f"{name}: no such module")


def source_of(function: Callable[..., Any]) -> str:
    """Return the fingerprint of a function's source without comments and docstring."""
    text = textwrap.dedent(inspect.getsource(function.__code__))
    (made,) = ast.parse(text).body
    assert isinstance(made, ast.FunctionDef)
    made.decorator_list.clear()
    if ast.get_docstring(made) is not None:
        del made.body[0]
    return hashlib.sha256(ast.unparse(made).encode()).hexdigest()[:12]


def read(path: Path) -> dict[str, tuple[str, Weights]]:
    """Return the functions of a file with fingerprint and branches; none if there is no file."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return {row["function"]: (row["source"], _weights(row["branches"])) for row in rows}


def _weights(text: str) -> Weights:
    pairs = (pair.split("/") for pair in text.split())
    return tuple((int(true), int(false)) for true, false in pairs)


_read = cache(read)


def weights_of(function: Callable[..., Any], branches: int) -> Weights | None:
    """Return how often each branch of a function is taken: (true, false), in bytecode order.

    branches: how many the compiler sees. None where nothing is known, or of another text.
    """
    if not is_ours(function):
        return None
    name = name_of(function)
    source, weights = _read(file_of(name)).get(name, ("", ()))
    if len(weights) != branches or source != source_of(function):
        return None
    return weights


@dataclass
class Counting:
    """The counts of all branches of kernels that are compiled while it is on.

    counts (n, 2): false, true. places: of each function, where its branches begin, once for each
    time that it was compiled, and how many there are.
    """

    counts: np.ndarray = field(default_factory=lambda: np.zeros((_ROOM, 2), np.int64))
    places: dict[Callable[..., Any], list[tuple[int, int]]] = field(default_factory=dict)
    used: int = 0

    def place(self, function: Callable[..., Any], branches: int) -> int:
        """Return where the counts of a function begin that is being compiled."""
        first = self.used
        self.used += branches
        if self.used > len(self.counts):
            raise ValueError(f"more than {_ROOM} branches to count")
        self.places.setdefault(function, []).append((first, branches))
        return first

    def address(self, place: int) -> int:
        """Return where in memory the two counts of a branch are."""
        return int(self.counts.ctypes.data) + place * self.counts.strides[0]

    def taken(self) -> dict[str, tuple[str, Weights]]:
        """Return the functions that ran, with fingerprint and branches."""
        result: dict[str, tuple[str, Weights]] = {}
        for function, places in self.places.items():
            if not is_ours(function) or len({size for _, size in places}) != 1:
                continue  # compiled for other types it has other branches: which, is not known
            total = sum(self.counts[first : first + size] for first, size in places)
            if np.any(total):
                pairs = tuple(_scaled(int(true), int(false)) for false, true in total)
                result[name_of(function)] = (source_of(function), pairs)
        return result


def _scaled(true: int, false: int) -> tuple[int, int]:
    most = max(true, false)
    if most <= MOST:
        return true, false
    return -(-true * MOST // most), -(-false * MOST // most)  # rounded up: only never is 0


_counting: list[Counting] = []


def count_branches() -> Counting:
    """Let all kernels compiled from now on in this process count; return the counts.

    Compiled code keeps the place of its counts, so none of it may be kept on disk: set
    ASSAY_CACHE_DIR to a folder that goes afterwards.
    """
    _counting[:] = [Counting()]
    return _counting[0]


def counting() -> Counting | None:
    """Return the counts that are on, if any are."""
    return _counting[0] if _counting else None


def write(taken: dict[str, tuple[str, Weights]]) -> list[Path]:
    """Write all files anew; return them."""
    files: dict[Path, list[tuple[str, str, str]]] = {}
    for name, (source, pairs) in sorted(taken.items()):
        text = " ".join(f"{true}/{false}" for true, false in pairs)
        files.setdefault(file_of(name), []).append((name, source, text))
    for path, rows in files.items():
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
            writer.writerows([_HEAD, *rows])
    return sorted(files)


def digest(folders: Iterable[Path]) -> str:
    """Return a hash of what is known about the branches of the modules in some folders."""
    found = hashlib.sha256()
    for path in (folder / FILE for folder in folders):
        found.update(path.read_bytes() if path.exists() else b"none")
    return found.hexdigest()
