"""What every test run needs before the first test is imported."""

import os
from functools import cache
from pathlib import Path

import hypothesis
import pytest

# Figures are drawn without a screen, whatever the machine's settings.
os.environ["MPLBACKEND"] = "Agg"

# Shared helpers assert too, and should explain a failure as well as a test does.
pytest.register_assert_rewrite("tests.contract", "tests.oracles")

# No deadline in any profile: the first example of a test may compile a kernel.
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True)
# CI and `make test` draw the same examples every time: a red run is red for its change.
hypothesis.settings.register_profile("repeatable", deadline=None, print_blob=True, derandomize=True)
# Rules in plain Python are some hundred times slower, and the compiled run saw all the examples.
hypothesis.settings.register_profile(
    "plain", hypothesis.settings.get_profile("repeatable"), max_examples=15
)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE")
    or ("plain" if os.environ.get("NUMBA_DISABLE_JIT") == "1" else "repeatable")
)


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files without kernel tests unread where only these are asked for (`-m kernel`)."""
    if config.option.markexpr == "kernel" and collection_path.match("test_*.py"):
        return "mark.kernel" not in _text(collection_path) or None
    return None


def _place(item: pytest.Item) -> int:
    """Say when a test is run: Wizard Miners, Dobbers, all that is left, Near and Far."""
    words = item.nodeid
    if "near_and_far" not in words and "dobbers" not in words and "wizard_miners" not in words:
        words = _text(item.path)
    far, dobbers = "near_and_far" in words, "dobbers" in words
    if far and dobbers:
        return 2
    if far:
        return 3
    if dobbers:
        return 1
    return 0 if "wizard_miners" in item.nodeid else 2


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let no two workers compile the same game.

    Each worker begins with a share of the list and takes from the end of another's share once its
    own is done. So the first half begins with the tests of two games, the second half with those
    of the third, and what any worker can do comes last in both.
    """
    if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) < 2:
        return
    by_place: list[list[pytest.Item]] = [[], [], [], []]
    for item in items:
        by_place[_place(item)].append(item)
    miners, dobbers, others, far = by_place
    others.sort(key=lambda item: item.get_closest_marker("slow") is None)
    first = min(max(0, len(items) // 2 - len(miners) - len(dobbers)), len(others))
    items[:] = [*miners, *dobbers, *others[:first], *far, *others[first:]]
