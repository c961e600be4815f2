"""Several figures over the same blocks: their means, and how they err together.

Cells of a sweep share their deals, so their figures err together; targets of one cell do as well.
`JointSums` keeps totals and products of the block values, from which any contrast of the figures
has its exact paired standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.measures import BlockValues

_EXACT = 2.0**53  # whole numbers below it are exact in float64, in any order of addition
_SAFE = 2.0**62


@dataclass(frozen=True, eq=False)
class JointSums:
    """Sums over blocks of m figures, of their denominators, and of all products. Add with +.

    totals: (2 m,), products: (2 m, 2 m), int64; first the numerators, then the denominators.
    """

    blocks: int
    totals: NDArray[np.int64]
    products: NDArray[np.int64]

    @classmethod
    def of(cls, values: Sequence[BlockValues]) -> JointSums:
        """Sum m figures over the same blocks.

        Raises ValueError where their blocks differ in number, or values are too large.
        """
        blocks = len(values[0].num)
        if any(len(value.num) != blocks for value in values):
            raise ValueError("the figures must be of the same blocks")
        table = np.empty((2 * len(values), blocks))
        for place, value in enumerate(values):
            table[place] = value.num
            table[len(values) + place] = value.rows if value.den is None else value.den
        largest = float(np.abs(table).max(initial=0))
        if largest * largest * max(1, blocks) >= _EXACT:
            raise ValueError("values too large to be summed exactly")
        totals, products = table.sum(axis=1), table @ table.T
        return cls(blocks, totals.astype(np.int64), products.astype(np.int64))

    def __add__(self, other: JointSums) -> JointSums:
        if self.totals.shape != other.totals.shape:
            raise ValueError("sums of different figures do not add up")
        for part in (self, other):
            if float(np.abs(part.products).max(initial=0)) >= _SAFE / 2:
                raise ValueError("too many blocks to be summed exactly")
        return JointSums(
            self.blocks + other.blocks,
            self.totals + other.totals,
            self.products + other.products,
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, JointSums)
            and self.blocks == other.blocks
            and np.array_equal(self.totals, other.totals)
            and np.array_equal(self.products, other.products)
        )

    @property
    def figures(self) -> int:
        """The number m of figures."""
        return len(self.totals) // 2

    def means(self) -> NDArray[np.float64]:
        """Return the figures, (m,): sum of numerators over sum of denominators, NaN over 0."""
        num, den = self.totals[: self.figures], self.totals[self.figures :]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(den == 0, np.nan, num / np.where(den == 0, 1, den))

    def covariance(self) -> NDArray[np.float64]:
        """Return the covariance matrix (m, m) of the figures themselves, not of single blocks.

        Ratios are linearised (Cochran, Sampling Techniques, 3rd ed., section 6.3). NaN below two
        blocks, and for a figure that nothing was counted for.
        """
        m, n = self.figures, self.blocks
        if n < 2:
            return np.full((m, m), np.nan)
        # exact centring in whole numbers, then floats: no cancellation
        exact, totals = self.products.astype(object), self.totals.astype(object)
        centred = (n * exact - np.multiply.outer(totals, totals)).astype(np.float64)
        den = np.where(self.totals[m:] == 0, np.nan, self.totals[m:].astype(np.float64))
        num_weights = n / den
        den_weights = -self.means() * n / den
        a, b = num_weights, den_weights
        found = (
            np.outer(a, a) * centred[:m, :m]
            + np.outer(a, b) * centred[:m, m:]
            + np.outer(b, a) * centred[m:, :m]
            + np.outer(b, b) * centred[m:, m:]
        )
        found = (found + found.T) / 2 / n / (n - 1) / n
        variances = found.diagonal()
        # what rounding leaves of figures that never vary is no spread
        still = variances <= 1e-14 * np.abs(np.outer(a, a) * centred[:m, :m]).diagonal() / n**3
        found[still, :] = 0.0
        found[:, still] = 0.0
        return found
