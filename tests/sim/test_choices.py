"""Choices as bits: the lowest, the highest, for every mask that can be open."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.choices import highest, is_legal, lowest
from tests.contract import bits


@pytest.mark.kernel
@given(st.integers(1, (1 << 63) - 1))
def test_lowest_and_highest_are_the_ends_of_the_set_bits(legal: int) -> None:
    found = [choice for choice in range(63) if is_legal(np.int64(legal), choice)]
    assert found == bits(legal)
    assert lowest(np.int64(legal)) == found[0]
    assert highest(np.int64(legal)) == found[-1]


@pytest.mark.kernel
@pytest.mark.parametrize("choice", range(63))
def test_a_single_choice_is_both(choice: int) -> None:
    assert lowest(np.int64(1 << choice)) == highest(np.int64(1 << choice)) == choice
