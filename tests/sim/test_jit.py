"""What is compiled in a way of ours: an item of a tuple without a jump."""

import pytest
from numba import njit

from sim.jit import selected


@njit
def picked(items, place):
    """Return what `selected` gives."""
    return selected(items, place)


@pytest.mark.kernel
@pytest.mark.parametrize("items", [(7,), (5, 3, 8, 1), (0.5, -2.0)])
def test_every_place_of_a_tuple_gives_its_item(items: tuple[float, ...]) -> None:
    assert tuple(picked(items, place) for place in range(len(items))) == items
