"""Beyond plain columns: fields computed from rows, and effects on ratios such as success rates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import DIFFERENCE, SHARE, UNBOUNDED, Bounds, Interval, student_mean
from analysis.paired import BlockSums, Column, Effect, jointly, ones, side_of
from sim.batch import Chunk

METHOD = "difference of ratios, linearised, Student over paired blocks"


def with_fields(chunk: Chunk, fields: Mapping[str, NDArray[Any]]) -> Chunk:
    """The chunk with more fields of whole numbers in the rows of its seats.

    fields: name -> (games, players). Only these, `slot` and `win` are kept of the old fields.
    """
    kept = [name for name in ("slot", "win") if name not in fields]
    seats = np.zeros(chunk.seats.shape, [(name, np.int64) for name in (*kept, *fields)])
    for name in kept:
        seats[name] = chunk.seats[name]
    for name, values in fields.items():
        seats[name] = values
    return replace(chunk, seats=seats)


def ratio_effect(
    sums: BlockSums,
    num: Sequence[Column],
    den: Sequence[Column],
    level: float = 0.95,
    *,
    scale: float = 1,
    bounds: Bounds = UNBOUNDED,
    together: int = 1,
    against: Sequence[int] | int = 0,
) -> Effect:
    """Effect on sum(num) / sum(den): the ratio in changed plays minus the ratio in other plays.

    num, den: columns of the changed plays; `against` is the other play, or one for each column of
    num and den alike. So "successes out of attempts" is compared where the number of attempts
    changes as well. Method: each ratio is linearised, (num - ratio * den) / mean den, block by
    block; Student's interval on the blocks' differences. NaN where a play has nothing to divide by.
    Raises ValueError for no columns, or where nums and dens are not as many.
    """
    if not num or len(num) != len(den):
        raise ValueError("an effect on a ratio needs a den for each num")
    others = [against] * len(num) if isinstance(against, int) else list(against)
    return difference_of_ratios(
        sums,
        (num, den),
        (
            [replace(c, play=p) for c, p in zip(num, others, strict=True)],
            [replace(c, play=p) for c, p in zip(den, others, strict=True)],
        ),
        level,
        scale=scale,
        bounds=bounds,
        together=together,
        twins=not any(others),  # changes are counted against play 0
    )


Ratio = tuple[Sequence[Column], Sequence[Column]]  # sum(num) / sum(den)


def difference_of_ratios(
    sums: BlockSums,
    one: Ratio,
    other: Ratio,
    level: float = 0.95,
    *,
    scale: float = 1,
    bounds: Bounds = UNBOUNDED,
    together: int = 1,
    twins: bool = False,
) -> Effect:
    """One ratio of sums of columns minus another one, of the same blocks; as `ratio_effect`.

    twins: the changes of `one` are those against `other`, and `discordance` has a meaning.
    """
    num, den = one
    before, after = (
        side_of(
            sums,
            ones(above),
            ones(below),
            level,
            SHARE if bounds == DIFFERENCE else UNBOUNDED,
            scale=scale,
            together=together,
        )
        for above, below in (other, one)
    )
    changed, changed_weights = _influence(sums, num, den)
    without, base_weights = _influence(sums, *other)
    if changed is None or without is None:
        nothing = Interval(math.nan, *bounds, level, sums.blocks, "nothing to divide by")
        return Effect(nothing, before, after, math.nan, math.nan, math.nan)
    both = dict(changed_weights)
    for column, weight in base_weights.items():
        both[column] = both.get(column, Fraction(0)) - weight
    gain, n = (changed - without) / Fraction(scale), sums.blocks
    spread = _square(sums, both) / Fraction(scale) ** 2

    def interval(own: float) -> Interval:
        found = student_mean(n, n * gain, spread + n * gain * gain, own, bounds=bounds)  # type: ignore[arg-type]
        return replace(
            found,
            estimate=float(found.estimate),
            low=float(found.low),
            high=float(found.high),
            method=METHOD if found.method == "Student" else found.method,
        )

    first, second = _square(sums, changed_weights), _square(sums, base_weights)
    paired, apart = _square(sums, both), first + second
    cross = (apart - paired) / 2
    counted = [sums.changed[sums.columns.index(column)] for column in num]
    return Effect(
        jointly(interval, level, together),
        before,
        after,
        sum(counted) / len(counted) / n if n and twins else math.nan,
        float(cross) / math.sqrt(first * second) if first > 0 and second > 0 else math.nan,
        float(apart / paired) if paired > 0 else math.inf if apart > 0 else math.nan,
    )


def _influence(
    sums: BlockSums, num: Sequence[Column], den: Sequence[Column]
) -> tuple[Fraction | None, dict[Column, Fraction]]:
    """A ratio, and the weights of the columns in its influence of a block; None: nothing there."""
    above = Fraction(int(sums.cluster(ones(num)).num))
    below = Fraction(int(sums.cluster(ones(den)).num))
    if below == 0:
        return None, {}
    ratio, mean = above / below, below / sums.blocks
    weights: dict[Column, Fraction] = {}
    for columns, weight in ((num, 1 / mean), (den, -ratio / mean)):
        for column in columns:
            weights[column] = weights.get(column, Fraction(0)) + weight
    return ratio, weights


def _square(sums: BlockSums, weights: Mapping[Column, Fraction]) -> Fraction:
    """Sum over blocks of the square of a weighted sum of columns, exactly."""
    places = [sums.columns.index(column) for column in weights]
    vector = list(weights.values())
    total = Fraction(0)
    for i, one in zip(places, vector, strict=True):
        for j, other in zip(places, vector, strict=True):
            total += one * other * int(sums.products[i, j])
    return total
