"""What is compiled in a way of ours: items without a jump, calls within a kernel, indexes."""

from pathlib import Path

import numpy as np
import pytest
from numba import config, njit, types

from sim.jit import COMPILED, entry, rare, selected, zeros_above, zeros_below


@njit
def picked(items, place):
    """Return what `selected` gives."""
    return selected(items, place)


@pytest.mark.kernel
@pytest.mark.parametrize("items", [(7,), (5, 3, 8, 1), (0.5, -2.0)])
def test_every_place_of_a_tuple_gives_its_item(items: tuple[float, ...]) -> None:
    assert tuple(picked(items, place) for place in range(len(items))) == items


@njit
def ends(bits):
    """Return the zero bits below and above."""
    return zeros_below(bits), zeros_above(bits)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("bits", "below", "above"),
    [(0, 64, 64), (1, 0, 63), (0b101000, 3, 58), (1 << 62, 62, 1), (-1, 0, 0), (-8, 3, 0)],
)
def test_zero_bits_are_counted_from_both_ends(bits: int, below: int, above: int) -> None:
    assert ends(np.int64(bits)) == (below, above)


@rare
def grown(unused, factor, items, left):
    """Return a sum that is found by calling itself twice: what LLVM cannot put in its place."""
    if left <= 0:
        return items[0] * factor
    below = grown(unused, factor, items, left - 1)
    return (3 * below + grown(left, factor, items, left - 2) + items[left] * factor) % 1009


def in_a_kernel(items):
    """Call it with one number that is not read and one that is always the same."""
    return grown(7, 3, items, items.shape[0] - 1)


def alone(items):
    """Call it with other numbers."""
    return grown(items[0], items[1], items, items.shape[0] - 1)


@pytest.mark.kernel
@pytest.mark.skipif(not COMPILED, reason="compares compiled code")
def test_what_a_kernel_calls_is_not_taken_for_what_others_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's copy has lost arguments; code that is loaded later must not call that copy."""
    items = np.arange(3, 13)
    signature = (types.Array(types.int64, 1, "C"),)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    in_kernel = entry(signature, in_a_kernel)
    assert in_kernel(items) == expected(7, 3, items)
    assert njit(signature, boundscheck=True)(alone)(items) == expected(3, 4, items)


def expected(unused: int, factor: int, items: np.ndarray) -> int:
    """Return the sum from the bottom up."""
    sums = [int(items[0]) * factor] * 2  # of -1 and 0 left
    for item in items[1:]:
        sums.append((3 * sums[-1] + sums[-2] + int(item) * factor) % 1009)
    return sums[-1]


def from_the_end(items, back):
    """Return an item by an index below zero, in a function of somebody else."""
    return items[-back]


def from_the_start(items, back):
    """Return the item at a place below zero or behind the last, in a function of ours."""
    return items[-back]


from_the_start.__module__ = "strategies.from_the_start"


@pytest.mark.kernel
@pytest.mark.skipif(not COMPILED, reason="plain Python counts from the end")
def test_only_in_other_peoples_functions_does_an_index_count_from_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = np.arange(3, 7)
    signature = (types.Array(types.int64, 1, "C"), types.int64)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    theirs, ours = entry(signature, from_the_end), entry(signature, from_the_start)
    assert theirs(items, 1) == 6
    assert [ours(items, -place) for place in range(4)] == [3, 4, 5, 6]
    for back in (1, -4):
        with pytest.raises(IndexError, match="out of bounds"):
            ours(items, back)
