"""Which factors matter: regression on the cells, factorial effects, Sobol and Morris indices.

All cells of a design are played on the same deals, so their figures err together. The covariance
matrix of the cells' figures (`analysis.joint.JointSums`) gives every contrast its paired standard
error; nothing here treats cells as independent where they are not.

Sobol and Morris designs are the exception: each row of the design has deals of its own, shared by
the points of the row, and a dummy factor that changes nothing but the deals. So the noise of rows
is independent, differences within a row are paired, and the dummy shows what noise alone can do.
Their indices come from SALib (optional extra "sensitivity"); the noise is subtracted here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from analysis.designs import Cell, Factor, cell_at
from analysis.intervals import simultaneous_level
from sim.errors import UserError

DUMMY = "(dummy)"
DUMMIES = 199  # random factors that give the noise floor of a regression
FLOOR = 0.95
RESAMPLES = 999
_TINY = 1e-12

RESPONSE_COLUMNS = (
    "factor", "change", "effect", "low", "high", "level", "n", "method", "se", "se_with_misfit",
    "standardised", "floor", "above_floor", "rank",
)  # fmt: skip
FIT_COLUMNS = (
    "cells", "blocks", "explained", "noise_share", "misfit", "misfit_statistic", "misfit_df",
    "misfit_p", "distinguishable",
)  # fmt: skip


# ----------------------------------------------------------------------------------- factorial


def factorial_effects(
    codes: NDArray[np.float64],
    names: Sequence[str],
    means: NDArray[np.float64],
    covariance: NDArray[np.float64],
    blocks: int,
    level: float = 0.95,
) -> pd.DataFrame:
    """Main effects and pairwise interactions of a 2^k factorial, with paired intervals.

    codes: (cells, k) of -1 and 1. means, covariance: of the cells' figures over the same blocks.
    A main effect is the mean over the cells with the second value less that over those with the
    first; an interaction is half of what the effect of one factor gains when the other changes.
    Every one is a contrast of block values, so its interval is Student's with blocks - 1 degrees.
    Columns: effect_of, kind ("main" or "interaction"), effect, low, high, level, n, method, se, p.
    Source: Box, Hunter and Hunter, Statistics for Experimenters, 2nd ed., chapter 5.
    """
    k = codes.shape[1]
    terms: list[tuple[tuple[int, ...], NDArray]] = [((j,), codes[:, j]) for j in range(k)]
    terms += [((i, j), codes[:, i] * codes[:, j]) for i in range(k) for j in range(i + 1, k)]
    half = len(codes) / 2
    quantile = float(stats.t.isf((1 - level) / 2, blocks - 1))
    rows = []
    for places, column in terms:
        weights = column / half
        effect = float(weights @ means)
        # a figure that some cell does not have stays unknown: max() would make 0 of NaN
        se = float(np.sqrt(np.maximum(0.0, weights @ covariance @ weights)))
        p = _two_sided(effect, se, blocks - 1)
        rows.append(
            (
                " × ".join(names[place] for place in places),
                "main" if len(places) == 1 else "interaction",
                effect,
                effect - quantile * se,
                effect + quantile * se,
                level,
                blocks,
                "Student on block contrasts",
                se,
                p,
            )
        )
    columns = ["effect_of", "kind", "effect", "low", "high", "level", "n", "method", "se", "p"]
    return pd.DataFrame(rows, columns=columns)


def discoveries(p: Sequence[float], level: float = 0.95) -> NDArray[np.bool_]:
    """Return which of many effects are real, false ones a share 1 - level at most among them.

    Benjamini and Hochberg; p-values that are NaN are never discoveries.
    """
    values = np.asarray(p, dtype=np.float64)
    found = np.zeros(len(values), dtype=bool)
    known = ~np.isnan(values)
    if known.any():
        found[known] = stats.false_discovery_control(values[known]) <= 1 - level
    return found


def _two_sided(effect: float, se: float, df: float) -> float:
    if math.isnan(effect):
        return math.nan
    if se == 0:
        return 1.0 if effect == 0 else 0.0
    return 2 * float(stats.t.sf(abs(effect) / se, df))


# ---------------------------------------------------------------------------------- regression


@dataclass(frozen=True, eq=False)
class Terms:
    """Columns of a regression. matrix: (cells, columns); factors: whose; changes: what 1 means."""

    matrix: NDArray[np.float64]
    factors: tuple[str, ...]
    changes: tuple[str, ...]


def terms_of(factors: Sequence[Factor], cells: Sequence[Cell]) -> Terms:
    """Return the main effects of a design as columns.

    A number runs from 0 at its smallest to 1 at its largest value; a word or a switch has one
    column for each value but the first (for a switch: but "false").
    """
    columns, names, changes = [], [], []
    for place, factor in enumerate(factors):
        values = [cell[place] for cell in cells]
        if factor.is_number:
            low, high = factor.ends
            columns.append([(value - low) / (high - low) for value in values])
            names.append(factor.name)
            changes.append(f"{low:g} to {high:g}")
            continue
        assert factor.levels is not None
        switch = all(isinstance(value, bool) for value in factor.levels)
        first, *others = sorted(factor.levels) if switch else factor.levels
        for other in others:
            columns.append([float(value == other) for value in values])
            names.append(factor.name)
            changes.append(f"{_word(first)} to {_word(other)}")
    return Terms(np.array(columns).T, tuple(names), tuple(changes))


def _word(value: Any) -> str:
    return str(value) if not isinstance(value, bool) else "on" if value else "off"


def response(
    terms: Terms,
    means: NDArray[np.float64],
    covariance: NDArray[np.float64],
    blocks: int,
    *,
    seed: int,
    level: float = 0.95,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Regress the cells' figures on the factors: main effects, and how well they fit.

    means (cells,), covariance (cells, cells): of the figures over the same blocks.
    Effects are least squares; `se` is their paired standard error for the deals alone (the linear
    model taken as it is), `se_with_misfit` the usual one from the residuals, which holds noise and
    misfit; the interval uses the larger, shared among the factors (Bonferroni). `standardised` is
    the effect in standard deviations, of the factor's column and of the figures. The noise floor is
    what 95 % of random factors, each added to the regression, stay below; only what is above it,
    with an interval without 0, gets a rank.

    Returns the frame (RESPONSE_COLUMNS; the last row is one random factor) and the fit
    (FIT_COLUMNS): explained is R^2 of the figures, noise_share the part of their variance over the
    cells that the deals explain, misfit the part that neither the factors nor the deals do, with
    Hotelling's statistic for "the factors add up". Too few cells, or a figure that some cell does
    not have (a share of nothing), give no rows and a fit of NaN.
    """
    cells, p = terms.matrix.shape
    x = np.column_stack([np.ones(cells), terms.matrix])
    told = bool(np.isfinite(means).all() and np.isfinite(covariance).all())
    if cells < p + 3 or np.linalg.matrix_rank(x) < p + 1 or blocks < 2 or not told:
        empty = dict.fromkeys(FIT_COLUMNS, math.nan)
        empty |= {"cells": cells, "blocks": blocks, "distinguishable": False}
        return pd.DataFrame(columns=list(RESPONSE_COLUMNS)), empty
    hat = np.linalg.pinv(x)
    keep = np.eye(cells) - x @ hat
    beta = hat @ means
    residuals = keep @ means
    df = cells - p - 1
    noise = float(covariance.trace() / cells - covariance.mean()) * cells / (cells - 1)
    spread = float(means.var(ddof=1))
    fit = _fit(means, residuals, keep, covariance, df, blocks, spread, noise)
    paired = np.sqrt(np.clip((hat @ covariance @ hat.T).diagonal(), 0, None))
    variance = float(residuals @ residuals) / df
    usual = np.sqrt(variance * np.linalg.inv(x.T @ x).diagonal())
    rng = np.random.default_rng([seed, DUMMIES])
    dummies = rng.random((DUMMIES, cells))
    cleared = dummies @ keep
    # a further factor's coefficient is that of the residuals on what the others leave of it
    slopes = (cleared @ means) / (cleared * dummies).sum(axis=1)
    scale = math.sqrt(spread) if spread > 0 else math.nan
    strength = np.abs(slopes) * dummies.std(axis=1, ddof=1) / scale
    floor = float(np.quantile(strength, FLOOR)) if spread > 0 else math.nan
    each = simultaneous_level(level, p)
    far = float(stats.t.isf((1 - each) / 2, df))
    near = float(stats.t.isf((1 - each) / 2, blocks - 1))
    rows: list[dict[str, Any]] = []
    for place in range(p):
        effect, se, se_fit = float(beta[place + 1]), paired[place + 1], usual[place + 1]
        half = max(near * se, far * se_fit)
        size = effect * float(terms.matrix[:, place].std(ddof=1)) / scale
        above = bool(fit["distinguishable"] and abs(size) > floor and abs(effect) > half)
        rows.append(
            {
                "factor": terms.factors[place],
                "change": terms.changes[place],
                "effect": effect,
                "low": effect - half,
                "high": effect + half,
                "level": each,
                "n": blocks,
                "method": "least squares on the cells",
                "se": float(se),
                "se_with_misfit": float(se_fit),
                "standardised": size,
                "floor": floor,
                "above_floor": above,
            }
        )
    ranked = sorted(
        (row for row in rows if row["above_floor"]), key=lambda r: -abs(r["standardised"])
    )
    for rank, row in enumerate(ranked, start=1):
        row["rank"] = rank
    rows.append(
        _dummy_row(
            dummies[0],
            cleared[0],
            slopes[0],
            variance,
            covariance,
            blocks,
            far,
            near,
            scale,
            floor,
            each,
        )
    )
    return pd.DataFrame(rows, columns=list(RESPONSE_COLUMNS)), fit


def _dummy_row(
    dummy: NDArray,
    cleared: NDArray,
    slope: float,
    variance: float,
    covariance: NDArray,
    blocks: int,
    far: float,
    near: float,
    scale: float,
    floor: float,
    level: float,
) -> dict[str, Any]:
    """Return the row of one random factor beside the real ones."""
    size = float(cleared @ dummy)
    se = math.sqrt(max(0.0, float(cleared @ covariance @ cleared))) / size
    se_fit = math.sqrt(variance / size)
    half = max(near * se, far * se_fit)
    return {
        "factor": DUMMY,
        "change": "random",
        "effect": float(slope),
        "low": slope - half,
        "high": slope + half,
        "level": level,
        "n": blocks,
        "method": "least squares on the cells",
        "se": se,
        "se_with_misfit": se_fit,
        "standardised": float(slope) * float(dummy.std(ddof=1)) / scale,
        "floor": floor,
        "above_floor": False,
    }


def _fit(
    means: NDArray,
    residuals: NDArray,
    keep: NDArray,
    covariance: NDArray,
    df: int,
    blocks: int,
    spread: float,
    noise: float,
) -> dict[str, Any]:
    cells = len(means)
    statistic, q = _hotelling(residuals, keep, covariance)
    p = _hotelling_p(statistic, q, blocks)
    # that any factor or combination of them matters: all cells' figures against their mean
    centre = np.eye(cells) - 1 / cells
    anything, ranks = _hotelling(centre @ means, centre, covariance)
    left = float(residuals @ residuals) / df
    expected = float((keep @ covariance @ keep).trace()) / df  # of `left`, if the factors add up
    return {
        "cells": cells,
        "blocks": blocks,
        "explained": 1 - float(residuals @ residuals) / (spread * (cells - 1))
        if spread
        else math.nan,
        "noise_share": min(1.0, noise / spread) if spread > 0 else math.nan,
        "misfit": max(0.0, left - expected) / spread if spread > 0 else math.nan,
        "misfit_statistic": statistic,
        "misfit_df": q,
        "misfit_p": p,
        "distinguishable": bool(_hotelling_p(anything, ranks, blocks) < 0.05),
    }


def _hotelling(contrasts: NDArray, projector: NDArray, covariance: NDArray) -> tuple[float, int]:
    """Return Hotelling's T^2 of projected figures being 0, and the dimensions it has.

    Directions in which the deals give no spread (cells that play alike) must be 0 exactly; if one
    is not, the statistic is infinite.
    """
    roots, vectors = np.linalg.eigh(projector @ covariance @ projector)
    floor = max(1e-10 * roots.max(initial=0), 1e-13 * float(covariance.trace()))
    spreads = roots > floor  # the rest is what rounding leaves of 0
    along = vectors.T @ contrasts
    scale = max(float(np.abs(contrasts).max(initial=0)), _TINY)
    if not spreads.any():
        moved = float(np.abs(contrasts).max(initial=0)) > _TINY
        return (math.inf if moved else 0.0), 0
    if float(np.abs(along[~spreads]).max(initial=0)) > 1e-6 * scale and not _is_rounding(
        along[~spreads], projector, covariance
    ):
        return math.inf, int(spreads.sum())
    return float((along[spreads] ** 2 / roots[spreads]).sum()), int(spreads.sum())


def _is_rounding(along: NDArray, projector: NDArray, covariance: NDArray) -> bool:
    size = math.sqrt(max(float((projector @ covariance @ projector).trace()), 0.0))
    return float(np.abs(along).max(initial=0)) <= 1e-6 * size


def _hotelling_p(statistic: float, q: int, blocks: int) -> float:
    """Return the p-value of Hotelling's T^2 with q dimensions from so many blocks."""
    if math.isinf(statistic):
        return 0.0
    if q == 0:
        return 1.0
    if blocks <= q:
        return math.nan
    return float(stats.f.sf(statistic * (blocks - q) / (q * (blocks - 1)), q, blocks - q))


# ----------------------------------------------------------------------------- Sobol and Morris


@dataclass(frozen=True, eq=False)
class Screening:
    """A design for Sobol or Morris indices: rows of points, each row on deals of its own.

    kind: "indices" or "morris". points: (rows, steps) index of the cell; fresh: (rows, steps)
    whether the point is played on the row's second deals, which is all that the dummy changes.
    sample: (rows * steps, factors + 1) what SALib gave, the dummy last.
    """

    kind: str
    factors: tuple[Factor, ...]
    cells: tuple[Cell, ...]
    points: NDArray[np.int64]
    fresh: NDArray[np.bool_]
    sample: NDArray[np.float64]

    @property
    def problem(self) -> dict[str, Any]:
        """What SALib calls the problem."""
        names = [factor.name for factor in self.factors] + [DUMMY]
        return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def need_salib() -> None:
    """Raise UserError where SALib is not installed."""
    try:
        import SALib  # noqa: F401
    except ImportError:
        raise UserError(
            "Sobol and Morris indices need SALib: pip install 'tabletop-assay[sensitivity]'"
        ) from None


def screening(kind: str, factors: Sequence[Factor], rows: int, seed: int) -> Screening:
    """Return the design for Sobol indices (kind "indices", rows = 2^k) or Morris ("morris").

    Raises UserError without SALib, ValueError for another kind.
    """
    need_salib()
    size = len(factors) + 1
    problem = {"num_vars": size, "names": [str(i) for i in range(size)], "bounds": [[0, 1]] * size}
    if kind == "indices":
        from SALib.sample import sobol as sampler

        sample = sampler.sample(problem, rows, calc_second_order=False, seed=seed)
    elif kind == "morris":
        from SALib.sample import morris as sampler

        sample = sampler.sample(problem, rows, num_levels=4, seed=seed)
    else:
        raise ValueError(f"no screening design {kind!r}")
    steps = len(sample) // rows
    first = sample.reshape(rows, steps, size)[:, :1, -1]
    fresh = sample.reshape(rows, steps, size)[:, :, -1] != first
    if kind == "indices":  # the last point of a row is B: all factors new, the deals those of A
        fresh[:, -1] = False
    points = [cell_at(factors, point) for point in sample.tolist()]
    places = {cell: place for place, cell in enumerate(dict.fromkeys(points))}
    table = np.array([places[point] for point in points], dtype=np.int64).reshape(rows, steps)
    return Screening(kind, tuple(factors), tuple(places), table, fresh, sample)


def sobol_indices(
    design: Screening,
    means: NDArray[np.float64],
    covariances: NDArray[np.float64],
    *,
    seed: int,
    level: float = 0.95,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """First-order and total Sobol indices, with the noise of the games subtracted.

    means (rows, steps), covariances (rows, steps, steps): of the figures of each row's points; 0
    between points on different deals.
    Raw indices are SALib's (Saltelli 2010 and Jansen 1999). The mean square difference of two
    points of a row is too large by their noise's variance, which the row's blocks tell; so is the
    variance of all points, by the noise. Intervals: bootstrap over rows. Only factors whose total
    index has a lower end above the dummy's upper end, and above 0, are ranked.

    Columns: factor, first, first_low, first_high, total, total_low, total_high, total_raw, level,
    n, method, above_floor, rank; the dummy last. The fit: rows, variance, noise_share, floor,
    distinguishable.
    """
    from SALib.analyze import sobol as analyzer

    raw = analyzer.analyze(
        design.problem, means.reshape(-1), calc_second_order=False, seed=seed, num_resamples=100
    )
    rows, steps = means.shape
    count = steps - 2
    a, b = means[:, 0], means[:, -1]
    moved = means[:, 1:-1]
    var = covariances.diagonal(axis1=1, axis2=2)
    jansen = (a[:, None] - moved) ** 2 / 2
    jansen_noise = (var[:, :1] + var[:, 1:-1] - 2 * covariances[:, 0, 1:-1]) / 2
    saltelli = b[:, None] * (moved - a[:, None])
    saltelli_noise = covariances[:, -1, 1:-1] - covariances[:, -1, :1]
    both = np.column_stack([a, b])
    noise = (var[:, 0] + var[:, -1]) / 2

    def indices(rows_taken: NDArray[np.int64]) -> tuple[NDArray, NDArray, float, float]:
        points = both[rows_taken]
        total = float(points.var())
        true = total - float(noise[rows_taken].mean())
        centre = points.mean()
        # b about the mean: the same expectation, less scatter
        first = saltelli[rows_taken] - centre * (moved[rows_taken] - a[rows_taken, None])
        s = (first - saltelli_noise[rows_taken]).mean(axis=0)
        t = (jansen[rows_taken] - jansen_noise[rows_taken]).mean(axis=0)
        return s, t, total, true

    s, t, total, true = indices(np.arange(rows))
    rng = np.random.default_rng([seed, RESAMPLES])
    drawn = [indices(taken) for taken in rng.integers(0, rows, (RESAMPLES, rows))]
    variances = np.array([one[3] for one in drawn])
    tail = (1 - level) / 2
    known = true > 0 and float(np.quantile(variances, tail)) > 0
    if not known:
        true = math.nan
    firsts, totals = (
        np.array([one[i] / one[3] if one[3] > 0 else np.full(count, np.nan) for one in drawn])
        for i in (0, 1)
    )
    ends = [tail, 1 - tail]
    first_ends, total_ends = (
        np.nanquantile(found, ends, axis=0) if known else np.full((2, count), np.nan)
        for found in (firsts, totals)
    )
    floor = float(total_ends[1, -1]) if known else math.nan
    frame = pd.DataFrame(
        {
            "factor": design.problem["names"],
            "first": s / true,
            "first_low": first_ends[0],
            "first_high": first_ends[1],
            "total": t / true,
            "total_low": total_ends[0],
            "total_high": total_ends[1],
            "total_raw": np.asarray(raw["ST"], dtype=float),
            "level": level,
            "n": rows,
            "method": "Saltelli and Jansen, noise subtracted, bootstrap over rows",
        }
    )
    above = (frame["total_low"] > max(floor, 0.0)) if known else pd.Series(False, frame.index)
    return _ranked(frame, above, "total"), {
        "rows": rows,
        "variance": total,
        "noise_share": min(1.0, float(noise.mean()) / total) if total > 0 else math.nan,
        "floor": floor,
        "distinguishable": bool(known),
    }


def morris_effects(
    design: Screening,
    means: NDArray[np.float64],
    covariances: NDArray[np.float64],
    *,
    seed: int,
    level: float = 0.95,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Elementary effects of Morris (1991), with the noise of the games subtracted.

    means (rows, steps), covariances (rows, steps, steps): of the figures of each trajectory; 0
    between points on different deals.
    mu, mu_star, sigma are SALib's. mu_star of pure noise is not 0, so factors are judged by the
    mean square of the elementary effects less the variance that the blocks say they have:
    `size` is its root, 0 where noise explains it all. Intervals: bootstrap over trajectories. Only
    factors whose size has a lower end above the dummy's upper end are ranked.

    Columns: factor, size, size_low, size_high, mu, mu_star, sigma, level, n, method, above_floor,
    rank; the dummy last. The fit: rows, noise_share (of all mean squares), floor, distinguishable.
    """
    from SALib.analyze import morris as analyzer

    raw = analyzer.analyze(
        design.problem, design.sample, means.reshape(-1), num_levels=4, seed=seed,
        num_resamples=100,
    )  # fmt: skip
    rows, steps = means.shape
    count = steps - 1
    sample = design.sample.reshape(rows, steps, count)
    squares, noises = np.zeros((rows, count)), np.zeros((rows, count))
    for row in range(rows):
        for step in range(count):
            move = sample[row, step + 1] - sample[row, step]
            which = int(np.abs(move).argmax())
            c = covariances[row][step : step + 2, step : step + 2]
            variance = c[0, 0] + c[1, 1] - 2 * c[0, 1]
            effect = (means[row, step + 1] - means[row, step]) / move[which]
            squares[row, which] = effect**2
            noises[row, which] = variance / move[which] ** 2
    rng = np.random.default_rng([seed, RESAMPLES])
    taken = rng.integers(0, rows, (RESAMPLES, rows))
    drawn = (squares - noises)[taken].mean(axis=1)
    tail = (1 - level) / 2
    low, high = np.sqrt(np.clip(np.quantile(drawn, [tail, 1 - tail], axis=0), 0, None))
    floor = float(high[-1])
    frame = pd.DataFrame(
        {
            "factor": design.problem["names"],
            "size": np.sqrt(np.clip((squares - noises).mean(axis=0), 0, None)),
            "size_low": low,
            "size_high": high,
            "mu": np.asarray(raw["mu"], dtype=float),
            "mu_star": np.asarray(raw["mu_star"], dtype=float),
            "sigma": np.asarray(raw["sigma"], dtype=float),
            "level": level,
            "n": rows,
            "method": "elementary effects, noise subtracted, bootstrap over trajectories",
        }
    )
    above = (frame["size_low"] > floor) & (frame["size_low"] > 0)
    all_squares = float(squares.mean())
    return _ranked(frame, above, "size"), {
        "rows": rows,
        "noise_share": min(1.0, float(noises.mean()) / all_squares) if all_squares else math.nan,
        "floor": floor,
        "distinguishable": bool(above[:-1].any()),
    }


def _ranked(frame: pd.DataFrame, above: pd.Series, by: str) -> pd.DataFrame:
    """Add above_floor and rank; the dummy, last, has neither."""
    above = above.copy()
    above.iloc[-1] = False
    ranks = frame[by].where(above).rank(ascending=False, method="first")
    return frame.assign(above_floor=above, rank=ranks.astype("Int64"))
