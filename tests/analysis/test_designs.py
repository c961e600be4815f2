"""Designs: what every one of them promises about its cells."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import qmc

from analysis.designs import (
    MOST_CELLS,
    Factor,
    cell_at,
    codes,
    factorial,
    grid,
    latin,
    sobol,
)

SUPPLY = Factor("dynamite.supply", "supply", 16, low=4, high=16, whole=True, steps=4)
SHARE = Factor("x", "x", 0.5, low=0.0, high=2.0, steps=5)
SPELLS = Factor("switches.spells", "spells", True, levels=(False, True))
WORDS = Factor("w", "w", "b", levels=("a", "b", "c"))


def test_a_grid_is_every_combination_once() -> None:
    design = grid([SUPPLY, SPELLS, WORDS])
    wanted = list(itertools.product((4, 8, 12, 16), (False, True), ("a", "b", "c")))
    assert list(design.cells) == wanted
    assert design.rows.tolist() == list(range(24))


def test_a_range_of_a_grid_has_its_ends_and_even_steps() -> None:
    assert SHARE.values() == (0.0, 0.5, 1.0, 1.5, 2.0)
    few = Factor("k", "k", 1, low=1, high=3, whole=True, steps=5)
    assert few.values() == (1, 2, 3)  # each whole number once
    assert all(isinstance(value, int) for value in few.values())
    assert Factor("k", "k", 1, low=0.5, high=3.5, whole=True, steps=2).values() == (1, 3)


def test_a_grid_too_large_is_refused() -> None:
    many = [Factor(str(i), str(i), 0, low=0, high=1, steps=20) for i in range(3)]
    with pytest.raises(ValueError, match=f"8,000 cells; {MOST_CELLS:,} at most"):
        grid(many)


@given(st.floats(0, 1), st.integers(-5, 5), st.integers(1, 9))
def test_a_place_becomes_a_value_within_the_range(place: float, first: int, span: int) -> None:
    whole = Factor("k", "k", first, low=first, high=first + span, whole=True)
    value = whole.at(place)
    assert isinstance(value, int)
    assert first <= value <= first + span
    real = Factor("k", "k", first, low=first, high=first + span)
    assert math.isclose(real.at(place), first + place * span, abs_tol=1e-9)
    assert WORDS.at(place) == WORDS.levels[min(2, int(place * 3))]


def test_equal_shares_of_the_cube_are_equal_shares_of_the_values() -> None:
    places = (np.arange(1300) + 0.5) / 1300
    counts = np.bincount([SUPPLY.at(place) for place in places])[4:]
    assert counts.tolist() == [100] * 13


def test_a_latin_hypercube_takes_each_part_of_each_range_once() -> None:
    first, second = SHARE, Factor("y", "y", 0, low=-1.0, high=1.0)
    design = latin([first, second], 32, seed=7)
    assert len(design.cells) == 32
    cells = np.array(design.cells)
    assert sorted((cells[:, 0] / 2 * 32).astype(int)) == list(range(32))
    assert sorted(((cells[:, 1] + 1) / 2 * 32).astype(int)) == list(range(32))


def test_a_latin_hypercube_over_levels_is_balanced() -> None:
    design = latin([WORDS, SPELLS, SHARE], 24, seed=3)
    words = [design.cells[row][0] for row in design.rows]
    assert [words.count(word) for word in "abc"] == [8, 8, 8]


def test_seeds_decide_designs() -> None:
    assert latin([SHARE], 8, seed=1).cells == latin([SHARE], 8, seed=1).cells
    assert latin([SHARE], 8, seed=1).cells != latin([SHARE], 8, seed=2).cells
    assert sobol([SHARE], 8, seed=1).cells == sobol([SHARE], 8, seed=1).cells
    assert sobol([SHARE], 8, seed=0).cells != sobol([SHARE], 8, seed=1).cells


def test_a_sobol_sequence_is_evenly_spread() -> None:
    """Much closer to uniform than random points: half their discrepancy at least."""
    unit = [Factor(str(i), str(i), 0, low=0.0, high=1.0) for i in range(3)]
    points = np.array(sobol(unit, 64, seed=5).cells)
    chance = np.random.default_rng(5).random((64, 3))
    assert qmc.discrepancy(points) < qmc.discrepancy(chance) / 2
    for column in points.T:  # a net: each of 64 parts has one point
        assert sorted((column * 64).astype(int)) == list(range(64))


@pytest.mark.parametrize("n", [0, 3, 48])
def test_a_sobol_sequence_takes_powers_of_two(n: int) -> None:
    with pytest.raises(ValueError, match="power of 2"):
        sobol([SHARE], n, seed=1)


def test_points_in_the_same_cell_are_one_cell() -> None:
    design = latin([SPELLS], 10, seed=1)
    assert sorted(design.cells) == [(False,), (True,)]
    assert sorted(design.rows.tolist()) == [0] * 5 + [1] * 5


def test_codes_of_a_factorial_are_orthogonal() -> None:
    design = factorial([SUPPLY, SPELLS, SHARE])
    table = codes(design)
    assert table.shape == (8, 3)
    assert np.array_equal(table.T @ table, 8 * np.eye(3))
    assert {cell[0] for cell in design.cells} == {4, 16}
    for code, cell in zip(table, design.cells, strict=True):
        assert (code == [2 * (cell[0] == 16) - 1, 2 * cell[1] - 1, cell[2] - 1]).all()


def test_only_factorials_have_codes() -> None:
    with pytest.raises(ValueError, match="no codes"):
        codes(grid([SPELLS]))
    with pytest.raises(ValueError, match="takes two"):
        factorial([WORDS])


def test_how_far_a_value_is_from_the_base() -> None:
    assert SUPPLY.moved(16) == 0
    assert SUPPLY.moved(4) == 1
    assert SUPPLY.moved(10) == 0.5
    assert SPELLS.moved(False) == 1
    assert SPELLS.moved(True) == 0
    assert WORDS.moved("c") == 1


def test_a_cell_of_a_point_leaves_out_further_coordinates() -> None:
    assert cell_at([SPELLS, SUPPLY], [0.9, 0.0, 0.3]) == (True, 4)
