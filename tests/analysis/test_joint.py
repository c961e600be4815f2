"""Joint sums: means and covariances of figures over the same blocks."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.joint import JointSums
from analysis.measures import BlockValues


def figures(rng: np.random.Generator, blocks: int = 400) -> list[BlockValues]:
    common = rng.integers(0, 9, blocks)
    return [
        BlockValues(common + rng.integers(0, 5, blocks), None, 4),
        BlockValues(2 * common + rng.integers(0, 3, blocks), None, 4),
        BlockValues(rng.integers(0, 20, blocks), rng.integers(1, 6, blocks), 4),
    ]


def test_means_and_covariances_are_numpys() -> None:
    values = figures(np.random.default_rng(1))[:2]
    joint = JointSums.of(values)
    table = np.array([value.num / 4 for value in values])
    assert np.allclose(joint.means(), table.mean(axis=1))
    assert np.allclose(joint.covariance(), np.cov(table) / 400)


def test_a_ratio_has_the_variance_of_its_jackknife() -> None:
    value = figures(np.random.default_rng(2), 1500)[2]
    joint = JointSums.of([value])
    num, den = value.num.astype(float), value.den.astype(float)
    assert joint.means()[0] == num.sum() / den.sum()
    left_out = (num.sum() - num) / (den.sum() - den)
    n = len(num)
    jackknife = (n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()
    assert np.isclose(joint.covariance()[0, 0], jackknife, rtol=5e-3)


def test_sums_add_up_in_any_order() -> None:
    values = figures(np.random.default_rng(3))

    def part(a: int, b: int) -> JointSums:
        return JointSums.of(
            [BlockValues(v.num[a:b], None if v.den is None else v.den[a:b], v.rows) for v in values]
        )

    whole = JointSums.of(values)
    assert part(0, 100) + part(100, 400) == whole
    assert part(250, 400) + (part(0, 10) + part(10, 250)) == whole
    assert part(0, 399) != whole


def test_figures_that_never_vary_have_no_spread() -> None:
    joint = JointSums.of(
        [
            BlockValues(np.full(50, 7), None, 2),
            BlockValues(np.arange(50) * 3, np.arange(50), 2),  # a ratio of 3 in every block
            BlockValues(np.arange(50), None, 1),
        ]
    )
    spread = joint.covariance()
    assert (spread[:2] == 0).all()
    assert spread[2, 2] > 0
    assert joint.means().tolist() == [3.5, 3.0, 24.5]


def test_what_cannot_be_told_is_nan() -> None:
    nothing = JointSums.of([BlockValues(np.zeros(5, int), np.zeros(5, int), 1)])
    assert np.isnan(nothing.means()).all()
    assert np.isnan(nothing.covariance()).all()
    single = JointSums.of([BlockValues(np.array([3]), None, 1)])
    assert np.isnan(single.covariance()).all()


def test_sums_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="same blocks"):
        JointSums.of([BlockValues(np.ones(3), None, 1), BlockValues(np.ones(4), None, 1)])
    with pytest.raises(ValueError, match="too large"):
        JointSums.of([BlockValues(np.full(3, 2**40), None, 1)])
    one, two = (JointSums.of([BlockValues(np.ones(3), None, 1)] * k) for k in (1, 2))
    with pytest.raises(ValueError, match="different figures"):
        one + two
