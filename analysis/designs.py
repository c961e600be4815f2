"""Designs of sweeps: which values of which factors are played together.

A factor has levels (values that are listed), or a range between two numbers. Every design but the
grid and the factorial is made of points in the unit cube; a factor turns its coordinate into a
value, so that equal shares of the cube mean equal shares of the range or of the levels.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.wording import counted

Cell = tuple[Any, ...]
"""One value a factor."""

MOST_CELLS = 4096


@dataclass(frozen=True)
class Factor:
    """One thing that is varied.

    key: as the study writes it; name: as reports call it. base: its value in the base rules.
    levels: the values it takes, or None for a range from low to high, whole or not; steps: how
    many values of the range a grid takes. cost: of a change by the whole range.
    """

    key: str
    name: str
    base: Any
    levels: tuple[Any, ...] | None = None
    low: float = math.nan
    high: float = math.nan
    whole: bool = False
    steps: int = 5
    cost: float = 1.0

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, not words or switches."""
        return self.levels is None or all(_is_number(value) for value in self.levels)

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest number it takes. Raises ValueError for words."""
        if not self.is_number:
            raise ValueError(f"{self.key} takes words, not numbers")
        if self.levels is None:
            return self.low, self.high
        return min(self.levels), max(self.levels)

    def at(self, place: float) -> Any:
        """Return the value at a place of [0, 1]: equal shares for levels and whole numbers."""
        if self.levels is not None:
            return self.levels[min(int(place * len(self.levels)), len(self.levels) - 1)]
        if self.whole:
            first, last = math.ceil(self.low), math.floor(self.high)
            return min(first + int(place * (last - first + 1)), last)
        return round(self.low + place * (self.high - self.low), 10)

    def values(self) -> tuple[Any, ...]:
        """Return the values that a grid takes: the levels, or `steps` numbers of the range."""
        if self.levels is not None:
            return self.levels
        even = np.linspace(self.low, self.high, self.steps)
        if self.whole:
            first, last = math.ceil(self.low), math.floor(self.high)
            return tuple(sorted({min(max(round(x), first), last) for x in even.tolist()}))
        return tuple(round(x, 10) for x in even.tolist())

    def moved(self, value: Any) -> float:
        """Return how far a value is from the base, as a share of the range; 1 for another word."""
        if value == self.base:
            return 0.0
        if not self.is_number or not _is_number(self.base):
            return 1.0
        low, high = self.ends
        return abs(value - self.base) / (high - low)


@dataclass(frozen=True, eq=False)
class Design:
    """Cells to be played.

    cells: each once. rows: (rows,) which cell each point of the design is; points of a random
    design may fall into the same cell where a factor has few values.
    """

    kind: str
    factors: tuple[Factor, ...]
    cells: tuple[Cell, ...]
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, kind: str, factors: Sequence[Factor], points: Sequence[Cell]) -> Design:
        """Return the design of these points, each cell once."""
        places = {cell: place for place, cell in enumerate(dict.fromkeys(points))}
        rows = np.array([places[point] for point in points], dtype=np.int64)
        return cls(kind, tuple(factors), tuple(places), rows)


def grid(factors: Sequence[Factor]) -> Design:
    """Return every combination; the last factor changes fastest.

    Raises ValueError for more than MOST_CELLS.
    """
    values = [factor.values() for factor in factors]
    size = math.prod(map(len, values))
    if size > MOST_CELLS:
        raise ValueError(f"a grid of {counted(size, 'cell')}; {MOST_CELLS:,} at most")
    return Design.of("grid", factors, list(itertools.product(*values)))


def factorial(factors: Sequence[Factor]) -> Design:
    """Return all combinations of two values each: the levels, or the ends of the range.

    Raises ValueError for more than MOST_CELLS, or a factor with other than two levels.
    """
    if 2 ** len(factors) > MOST_CELLS:
        raise ValueError(
            f"a factorial of {counted(len(factors), 'factor')}; {MOST_CELLS:,} cells at most"
        )
    pairs = []
    for factor in factors:
        pair = factor.levels if factor.levels is not None else (factor.at(0.0), factor.at(1.0))
        if len(pair) != 2:
            raise ValueError(
                f"{factor.key} has {counted(len(pair), 'value')}; a factorial takes two"
            )
        pairs.append(pair)
    return Design.of("factorial", factors, list(itertools.product(*pairs)))


def codes(design: Design) -> NDArray[np.float64]:
    """Return the cells (cells, factors) of a factorial as -1 for the first value, 1 for the other.

    Raises ValueError for any other design.
    """
    if design.kind != "factorial":
        raise ValueError(f"a {design.kind} design has no codes")
    firsts = design.cells[0]
    return np.array(
        [
            [-1.0 if v == first else 1.0 for v, first in zip(cell, firsts, strict=True)]
            for cell in design.cells
        ]
    )


def latin(factors: Sequence[Factor], n: int, seed: int) -> Design:
    """Return a Latin hypercube of n points: each factor takes each n-th of its range once."""
    from scipy.stats import qmc

    return _spread("latin", factors, qmc.LatinHypercube(len(factors), rng=seed).random(n))


def sobol(factors: Sequence[Factor], n: int, seed: int) -> Design:
    """Return n = 2^k points of a scrambled Sobol sequence. Raises ValueError for another n."""
    from scipy.stats import qmc

    if n < 1 or n & (n - 1):
        raise ValueError(f"a Sobol sequence takes a power of 2, not {n}")
    points = qmc.Sobol(len(factors), scramble=True, rng=seed).random_base2(n.bit_length() - 1)
    return _spread("sobol", factors, points)


def _spread(kind: str, factors: Sequence[Factor], points: NDArray[np.float64]) -> Design:
    return Design.of(kind, factors, [cell_at(factors, point) for point in points.tolist()])


def cell_at(factors: Sequence[Factor], point: Sequence[float]) -> Cell:
    """Return the cell of a point of the unit cube; further coordinates are left out."""
    return tuple(factor.at(place) for factor, place in zip(factors, point, strict=False))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
