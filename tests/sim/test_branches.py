"""The counts by which LLVM lays out kernels: what is counted, what LLVM is told, what ships."""

import importlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config, types

from sim import branches
from sim.game import GAMES, load_game
from sim.jit import COMPILED, entry, rule
from strategies.presets import presets_of

ROOT = Path(branches.__file__).parent.parent
SHIPPED = [*sorted(ROOT.glob("sim/**/branches.tsv")), ROOT / "strategies" / branches.FILE]
compiled = pytest.mark.skipif(not COMPILED, reason="compares compiled code")
ITEMS = types.Array(types.int64, 1, "C")


@rule
def tripled(item):
    """Return three times as much: called for every seventh item."""
    return 3 * item


@rule
def spoiled(item):
    """Return what only items above 1000 become."""
    return item - 1


def sevenths(items):
    """Add three times what is divisible by 7 and less than all that is above 1000."""
    total = 0
    for item in items:
        if item % 7 == 0:
            total += tripled(item)
        if item > 1000:
            total += spoiled(item)
    return total


@pytest.fixture
def compile_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[..., Any]], Any]:
    """Return a compiler of functions of one array, for which nothing is in any cache."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(branches, "_counting", [])
    return lambda function: entry((ITEMS,), function)


@compiled
def test_branches_and_calls_are_counted(compile_anew: Callable[..., Any]) -> None:
    counting = branches.count_branches()
    made = compile_anew(sevenths)
    assert made(np.arange(100)) == 3 * sum(range(0, 100, 7))
    ((first, jumps, calls),) = counting.places[sevenths]
    assert calls == 2

    def counts() -> tuple[set[tuple[int, ...]], list[int]]:
        found = counting.counts[first : first + jumps + 1 + calls]
        return {tuple(pair) for pair in found[:jumps].tolist()}, found[jumps:, 0].tolist()

    pairs, runs = counts()
    assert {(85, 15), (100, 0)} <= pairs  # false, true
    assert runs == [1, 15, 0]
    made(np.arange(1001, 1101))
    pairs, runs = counts()
    assert {(85 + 85, 15 + 15), (100, 100)} <= pairs
    assert runs == [2, 15 + 15, 100]


@compiled
def test_llvm_is_told_what_was_counted(
    compile_anew: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which way branches go, and to keep out of a function what it hardly ever calls."""
    counting = branches.count_branches()
    compile_anew(sevenths)
    ((_, jumps, calls),) = counting.places[sevenths]
    branches._counting.clear()
    monkeypatch.setattr(config, "CACHE_DIR", str(Path(config.CACHE_DIR) / "second"))
    known = branches.Counts("", 1000, tuple((777, 10 + n) for n in range(jumps)), (500, 19))
    asked = []

    def counts_of(function: Callable[..., Any], *shape: int) -> branches.Counts | None:
        asked.append((function, shape))
        return known if function is sevenths else None

    monkeypatch.setattr(branches, "counts_of", counts_of)
    (text,) = compile_anew(sevenths).inspect_llvm().values()
    assert (sevenths, (jumps, calls)) in asked
    told = re.findall(r'!"branch_weights", i32 (\d+), i32 (\d+)', text)
    assert any("777" in pair for pair in told)
    called = re.findall(r"call .*@\S*(tripled|spoiled)", text)
    assert called == ["spoiled"]  # the other one is in its place


def kept() -> tuple[str, branches.Counts, Callable[..., Any]]:
    """Return a function that ships with counts: its name, these, itself."""
    name, counts = next(iter(branches.read(SHIPPED[0]).items()))
    found = function_called(name)
    assert found is not None
    return name, counts, found


def function_called(name: str) -> Callable[..., Any] | None:
    """Return the Python function of a name in a file of counts; None if there is none."""
    module, _, qualname = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), qualname, None)
    except ModuleNotFoundError:
        return None
    python: Callable[..., Any] | None = getattr(found, "py_func", found)
    return python


def test_counts_hold_for_one_text_of_a_function_only(monkeypatch: pytest.MonkeyPatch) -> None:
    name, counts, function = kept()
    shape = len(counts.branches), len(counts.calls)
    assert branches.counts_of(function, *shape) == counts
    assert branches.counts_of(function, shape[0] + 1, shape[1]) is None
    assert branches.counts_of(function, shape[0], shape[1] + 1) is None
    assert branches.counts_of(sevenths, *shape) is None  # not ours
    other = {name: replace(counts, source=counts.source[::-1])}
    monkeypatch.setattr(branches, "_read", lambda _path: other)
    assert branches.counts_of(function, *shape) is None


def test_comments_and_docstrings_are_no_other_text(tmp_path: Path) -> None:
    def fingerprint(text: str) -> str:
        path = tmp_path / f"text{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text)
        names: dict[str, Any] = {}
        exec(compile(text, str(path), "exec"), names)
        return branches.source_of(names["f"])

    plain = fingerprint("def f(x):\n    return x + 1\n")
    assert fingerprint('def f(x):\n    """Say."""\n    # why\n    return x+1  # so\n') == plain
    assert fingerprint("def f(x):\n    return x + 2\n") != plain


def test_only_what_never_happened_is_kept_as_zero() -> None:
    assert branches._scaled(3, 9999) == (3, 9999)
    assert branches._scaled(0, 123_456_789) == (0, 9999)
    assert branches._scaled(1, 123_456_789) == (1, 9999)
    assert branches._scaled(50_000_000, 100_000_000) == (5000, 9999)


def test_counts_of_a_function_compiled_twice_are_added() -> None:
    counting = branches.Counting()
    function = kept()[2]
    for true in (3, 4):
        place = counting.place(function, 1, 1)
        counting.counts[place] = (10, true)
        counting.counts[place + 1 : place + 3, 0] = (true, 2 * true)
    found = counting.taken()[branches.name_of(function)]
    assert (found.entered, found.branches, found.calls) == (7, ((7, 20),), (14,))
    counting.place(function, 2, 1)  # for other types, with one branch more
    assert counting.taken() == {}


def test_what_is_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "_ROOT", tmp_path)
    (tmp_path / "sim" / "game").mkdir(parents=True)
    taken = {
        "sim.game.rules.move": branches.Counts("ab12", 40, ((3, 0), (0, 0)), (5, 0)),
        "sim.rng.draw": branches.Counts("cd34", 1, (), ()),
    }
    files = branches.write(taken)
    assert files == [tmp_path / "sim" / branches.FILE, tmp_path / "sim" / "game" / branches.FILE]
    assert branches.read(files[0]) | branches.read(files[1]) == taken
    assert branches.read(tmp_path / "none") == {}


def test_other_counts_are_other_compilations(tmp_path: Path) -> None:
    before = branches.digest([tmp_path])
    (tmp_path / branches.FILE).write_text("function\tsource\tentered\tbranches\tcalls\n")
    assert branches.digest([tmp_path]) != before


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_shipped_counts_belong_to_the_functions_of_today(path: Path) -> None:
    """A few may be out of date, which costs speed only; `make branches` counts anew."""
    found = branches.read(path)
    stale = []
    for name, counts in found.items():
        function = function_called(name)
        if function is None or branches.source_of(function) != counts.source:
            stale.append(name)
        assert branches.file_of(name) == path
    assert len(stale) <= len(found) / 10, f"edited since `make branches`: {', '.join(stale)}"


def test_every_game_and_its_strategies_have_counts() -> None:
    assert {path.parent.name for path in SHIPPED} == {"sim", "strategies", *GAMES}
    found = branches.read(ROOT / "strategies" / branches.FILE)
    for game in GAMES:
        best = presets_of(load_game(game))["balanced"]
        assert branches.name_of(best.script.decide) in found
