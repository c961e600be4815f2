"""Which way branches go: counts that tell LLVM what to lay out in one piece.

A kernel is some hundred kilobytes of code, of which a turn of a game runs a tenth, once. LLVM does
not know which tenth, and most branches of rules go one way in 98 of 100 cases: left to guess, it
puts what hardly ever happens between what always does, and the processor fetches both. So games are
played by kernels that count (`make branches`), and the counts are kept beside the code, in
`branches.tsv` of a module's folder. For each function: how often it ran; its branches in the order
of its blocks, as "how often true/how often false"; how often each block ran in which it calls
another.

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
MOST = 9999  # counts of a branch are scaled down to this: only which way is asked, and how clearly
_ROOT = Path(__file__).parent.parent
_OURS = ("sim", "strategies")
_HEAD = ("function", "source", "entered", "branches", "calls")
_ROOM = 1 << 17  # branches and calls that can be counted at once


@dataclass(frozen=True)
class Counts:
    """What a function did: how often it ran, its branches (true, false), its blocks with calls.

    source: the fingerprint of its text.
    """

    source: str
    entered: int
    branches: tuple[tuple[int, int], ...]
    calls: tuple[int, ...]


def is_ours(function: Callable[..., Any]) -> bool:
    """Say whether a function is part of the rules or strategies that ship."""
    return function.__module__.split(".")[0] in _OURS


def name_of(function: Callable[..., Any]) -> str:
    """Return the name under which a function's counts are kept."""
    return f"{function.__module__}.{function.__qualname__}"


def file_of(name: str) -> Path:
    """Return the file that keeps a function's counts: the one in its module's folder."""
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


def read(path: Path) -> dict[str, Counts]:
    """Return the functions of a file; none if there is no file."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        return {
            row["function"]: Counts(
                row["source"],
                int(row["entered"]),
                tuple(_pair(pair) for pair in row["branches"].split()),
                tuple(int(often) for often in row["calls"].split()),
            )
            for row in csv.DictReader(stream, delimiter="\t")
        }


def _pair(text: str) -> tuple[int, int]:
    true, false = text.split("/")
    return int(true), int(false)


_read = cache(read)


def counts_of(function: Callable[..., Any], branches: int, calls: int) -> Counts | None:
    """Return what is known of a function that has so many branches and blocks with calls.

    None where nothing is known, or of another text, or of one that was compiled differently.
    """
    if not is_ours(function):
        return None
    name = name_of(function)
    known = _read(file_of(name)).get(name)
    if known is None or (len(known.branches), len(known.calls)) != (branches, calls):
        return None
    return known if known.source == source_of(function) else None


@dataclass
class Counting:
    """The counts of all kernels that are compiled while it is on.

    counts (n, 2): false, true. places: of each function, for each time that it was compiled, where
    its counts begin, the numbers of its branches and of its blocks with calls. Behind the branches
    comes how often it ran, then how often each of those blocks.
    """

    counts: np.ndarray = field(default_factory=lambda: np.zeros((_ROOM, 2), np.int64))
    places: dict[Callable[..., Any], list[tuple[int, int, int]]] = field(default_factory=dict)
    used: int = 0

    def place(self, function: Callable[..., Any], branches: int, calls: int) -> int:
        """Return where the counts of a function begin that is being compiled."""
        first = self.used
        self.used += branches + 1 + calls
        if self.used > len(self.counts):
            raise ValueError(f"more than {_ROOM} branches and calls to count")
        self.places.setdefault(function, []).append((first, branches, calls))
        return first

    def address(self, place: int) -> int:
        """Return where in memory the two counts of a place are."""
        return int(self.counts.ctypes.data) + place * self.counts.strides[0]

    def taken(self) -> dict[str, Counts]:
        """Return what the functions of rules and strategies did that ran."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        sources: dict[str, str] = {}
        for function, places in self.places.items():
            if is_ours(function):
                found.setdefault(name_of(function), []).extend(places)
                sources[name_of(function)] = source_of(function)
        result = {}
        for name, places in found.items():
            shapes = {(branches, calls) for _, branches, calls in places}
            if len(shapes) > 1:
                continue  # compiled for other types it has other branches: which, is not known
            ((branches, calls),) = shapes
            total = sum(
                (self.counts[first : first + branches + 1 + calls] for first, *_ in places),
                start=np.zeros((branches + 1 + calls, 2), np.int64),
            )
            entered, *often = (int(count) for count in total[branches:, 0])
            if entered and branches + calls:
                pairs = tuple(_scaled(int(true), int(false)) for false, true in total[:branches])
                result[name] = Counts(sources[name], entered, pairs, tuple(often))
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


def write(taken: dict[str, Counts]) -> list[Path]:
    """Write all files anew; return them."""
    files: dict[Path, list[tuple[str, str, int, str, str]]] = {}
    for name, counts in sorted(taken.items()):
        pairs = " ".join(f"{true}/{false}" for true, false in counts.branches)
        calls = " ".join(map(str, counts.calls))
        row = (name, counts.source, counts.entered, pairs, calls)
        files.setdefault(file_of(name), []).append(row)
    for path, rows in files.items():
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
            writer.writerows([_HEAD, *rows])
    return sorted(files)


def digest(folders: Iterable[Path]) -> str:
    """Return a hash of what is known about the modules in some folders."""
    found = hashlib.sha256()
    for path in (folder / FILE for folder in folders):
        found.update(path.read_bytes() if path.exists() else b"none")
    return found.hexdigest()
