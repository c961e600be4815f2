"""The counts by which LLVM lays out kernels: what is counted, what LLVM is told, what is shipped."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config, types

from sim import branches
from sim.jit import COMPILED, entry
from sim.rng import turn_index
from strategies.presets import scripts_of

ROOT = Path(branches.__file__).parent.parent
SHIPPED = sorted(ROOT.glob("sim/**/branches.tsv")) + [ROOT / "strategies" / branches.FILE]
compiled = pytest.mark.skipif(not COMPILED, reason="compares compiled code")


def sevenths(items):
    """Add what is divisible by 7, less what is above 1000."""
    total = 0
    for item in items:
        if item % 7 == 0:
            total += item
        if item > 1000:
            total -= 1
    return total


@pytest.fixture
def compile_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[..., Any]], Any]:
    """Return a compiler of functions of one array, for which nothing is in any cache."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(branches, "_counting", [])
    return lambda function: entry((types.Array(types.int64, 1, "C"),), function)


@compiled
def test_branches_count_how_often_they_go_which_way(compile_anew: Callable[..., Any]) -> None:
    counting = branches.count_branches()
    made = compile_anew(sevenths)
    assert made(np.arange(100)) == sum(range(0, 100, 7))
    ((first, size),) = counting.places[sevenths]
    pairs = [tuple(pair) for pair in counting.counts[first : first + size].tolist()]
    assert (85, 15) in pairs  # false, true
    assert (100, 0) in pairs
    assert counting.used == size
    made(np.arange(1001, 1101))
    pairs = [tuple(pair) for pair in counting.counts[first : first + size].tolist()]
    assert (85 + 86, 15 + 14) in pairs
    assert (100, 100) in pairs


@compiled
def test_llvm_is_told_the_counts(
    compile_anew: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = branches.count_branches()
    compile_anew(sevenths)
    ((_, size),) = counting.places[sevenths]
    branches._counting.clear()

    def told(function: Callable[..., Any], number: int) -> branches.Weights:
        assert (function, number) == (copy, size)
        return tuple((1000 + place, 77) for place in range(number))

    copy = type(sevenths)(sevenths.__code__, {}, "copy")
    copy.__module__ = __name__
    monkeypatch.setattr(branches, "weights_of", told)
    (text,) = compile_anew(copy).inspect_llvm().values()
    assert any(f"i32 {1000 + place}, i32 77" in text for place in range(size)) or any(
        f"i32 77, i32 {1000 + place}" in text for place in range(size)
    )


def test_counts_hold_for_one_text_of_a_function_only(monkeypatch: pytest.MonkeyPatch) -> None:
    (name, (source, weights)) = next(iter(branches.read(SHIPPED[0]).items()))
    module, _, qualname = name.rpartition(".")
    found = getattr(importlib.import_module(module), qualname)
    function = getattr(found, "py_func", found)
    assert branches.weights_of(function, len(weights)) == weights
    assert branches.weights_of(function, len(weights) + 1) is None
    assert branches.weights_of(sevenths, len(weights)) is None  # not ours
    monkeypatch.setattr(branches, "_read", lambda _path: {name: (source[::-1], weights)})
    assert branches.weights_of(function, len(weights)) is None


def test_comments_and_docstrings_are_no_other_text(tmp_path: Path) -> None:
    def fingerprint(text: str) -> str:
        path = tmp_path / f"text{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text)
        names: dict[str, Any] = {}
        exec(compile(text, str(path), "exec"), names)  # noqa: S102: our own text
        return branches.source_of(names["f"])

    plain = fingerprint("def f(x):\n    return x + 1\n")
    assert fingerprint('def f(x):\n    """Say."""\n    # why\n    return x+1  # so\n') == plain
    assert fingerprint("def f(x):\n    return x + 2\n") != plain


def test_only_what_never_happened_is_kept_as_zero() -> None:
    assert branches._scaled(3, 9999) == (3, 9999)
    assert branches._scaled(0, 123_456_789) == (0, 9999)
    assert branches._scaled(1, 123_456_789) == (1, 9999)
    assert branches._scaled(50_000_000, 100_000_000) == (5000, 9999)


def test_what_is_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "_ROOT", tmp_path)
    (tmp_path / "sim" / "game").mkdir(parents=True)
    taken: dict[str, tuple[str, branches.Weights]] = {
        "sim.game.rules.move": ("ab12", ((3, 0), (0, 0))),
        "sim.rng.draw": ("cd34", ((1, 9999),)),
    }
    files = branches.write(taken)
    assert files == [tmp_path / "sim" / branches.FILE, tmp_path / "sim" / "game" / branches.FILE]
    assert branches.read(files[0]) | branches.read(files[1]) == taken
    assert branches.read(tmp_path / "none") == {}


def test_other_counts_are_other_compilations(tmp_path: Path) -> None:
    before = branches.digest([tmp_path])
    (tmp_path / branches.FILE).write_text("function\tsource\tbranches\n")
    assert branches.digest([tmp_path]) != before


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_shipped_counts_belong_to_the_functions_of_today(path: Path) -> None:
    kept = branches.read(path)
    stale = []
    for name, (source, _) in kept.items():
        module, _, qualname = name.rpartition(".")
        found = getattr(importlib.import_module(module), qualname, None)
        function = getattr(found, "py_func", found)
        if function is None or branches.source_of(function) != source:
            stale.append(name)
        assert branches.file_of(name) == path
    assert len(stale) <= len(kept) / 10, f"make branches; edited since: {', '.join(stale)}"


def test_every_game_and_the_strategies_have_counts() -> None:
    from sim.game import GAMES, load_game

    assert {path.parent.name for path in SHIPPED} == {"sim", "strategies", *GAMES}
    kept = branches.read(ROOT / "strategies" / branches.FILE)
    for game in GAMES:
        for script in scripts_of(load_game(game)).values():
            assert branches.name_of(script.decide) in kept or not _has_branches(script.decide)
    assert branches.name_of(getattr(turn_index, "py_func", turn_index)) in branches.read(
        ROOT / "sim" / branches.FILE
    )


def _has_branches(function: Callable[..., Any]) -> bool:
    import dis

    return any("JUMP_IF" in step.opname for step in dis.get_instructions(function))
