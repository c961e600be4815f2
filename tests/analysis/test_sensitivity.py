"""Effects, regressions and indices against statsmodels, closed forms and known functions."""

from __future__ import annotations

import math
import sys

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

from analysis.designs import Factor, codes, factorial, latin
from analysis.measures import Measure
from analysis.sensitivity import (
    DUMMY,
    discoveries,
    factorial_effects,
    morris_effects,
    need_salib,
    response,
    screening,
    sobol_indices,
    terms_of,
)
from analysis.sweep_answer import ranking_sentences
from sim.errors import UserError
from sim.game import load_game

SWITCHES = [Factor(name, name, False, levels=(False, True)) for name in "abc"]
NUMBERS = [Factor(name, name, 0.0, low=0.0, high=1.0) for name in "xyz"]


def moments(blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and their covariance of block values (blocks, cells)."""
    return blocks.mean(axis=0), np.cov(blocks.T) / len(blocks)


# ----------------------------------------------------------------------------------- factorial


def test_factorial_effects_are_the_mean_of_a_regression_in_each_block() -> None:
    """Second opinion: statsmodels in every block; a block's luck is common to all cells."""
    design = factorial(SWITCHES)
    rng = np.random.default_rng(1)
    table = codes(design)
    truth = 3 + table @ [0.5, -1.0, 0.0] + 0.25 * table[:, 0] * table[:, 1]
    blocks = truth + rng.normal(0, 2, (60, 1)) + rng.normal(0, 0.5, (60, 8))
    found = factorial_effects(table, ["a", "b", "c"], *moments(blocks), 60)
    data = pd.DataFrame(table, columns=["a", "b", "c"])
    formula = "y ~ a + b + c + a:b + a:c + b:c"
    fits = pd.DataFrame([smf.ols(formula, data.assign(y=row)).fit().params for row in blocks])
    fits = 2 * fits.drop(columns="Intercept")  # from -1 to 1
    assert np.allclose(found["effect"], fits.mean())
    assert np.allclose(found["se"], fits.sem())
    ends = stats.t.interval(0.95, 59, loc=fits.mean(), scale=fits.sem())
    assert np.allclose(found[["low", "high"]].to_numpy().T, ends)
    assert np.allclose(found["p"], stats.ttest_1samp(fits, 0).pvalue)
    assert found["effect_of"].tolist() == ["a", "b", "c", "a × b", "a × c", "b × c"]
    assert found["kind"].tolist() == ["main"] * 3 + ["interaction"] * 3


def test_shared_luck_takes_the_common_noise_out_of_effects() -> None:
    design = factorial(SWITCHES)
    rng = np.random.default_rng(2)
    blocks = rng.normal(0, 5, (400, 1)) + rng.normal(0, 0.1, (400, 8))
    found = factorial_effects(codes(design), ["a", "b", "c"], *moments(blocks), 400)
    # 8 cells, contrast of halves: variance 4 * 0.1^2 / 8 / 400, whatever the common part
    assert np.allclose(found["se"], 0.1 * math.sqrt(0.5 / 400), rtol=0.1)


def test_an_interaction_is_half_of_what_one_effect_gains() -> None:
    design = factorial(SWITCHES[:2])
    means = np.array([1.0, 2.0, 4.0, 11.0])  # b adds 1 without a, 7 with it
    found = factorial_effects(codes(design), ["a", "b"], means, np.eye(4), 10)
    assert found["effect"].tolist() == [6.0, 4.0, 3.0]


def test_intervals_of_effects_keep_their_level() -> None:
    """95 % of intervals hold the true effect: 1,200 intervals, bound at 4.5 standard errors."""
    design = factorial(SWITCHES[:2])
    table = codes(design)
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(400):
        blocks = table @ [0.3, 0.0] + rng.normal(0, 1, (40, 1)) + rng.exponential(1, (40, 4))
        found = factorial_effects(table, ["a", "b"], *moments(blocks), 40)
        truth = np.array([0.6, 0.0, 0.0])
        hits += int(((found["low"] <= truth) & (truth <= found["high"])).sum())
    assert abs(hits / 1200 - 0.95) < 4.5 * math.sqrt(0.95 * 0.05 / 1200)


def test_discoveries_are_those_of_benjamini_and_hochberg() -> None:
    p = [0.001, 0.04, 0.03, 0.2, math.nan]
    rejected = sm.stats.multipletests(p[:4], 0.05, method="fdr_bh")[0]
    assert discoveries(p).tolist() == [*rejected.tolist(), False]
    assert discoveries([]).tolist() == []


# ---------------------------------------------------------------------------------- regression


def cells_of(n: int = 40) -> list[tuple]:
    return list(latin(NUMBERS, n, seed=4).cells)


def test_the_response_is_statsmodels_least_squares() -> None:
    cells = cells_of()
    x = np.array(cells)
    rng = np.random.default_rng(5)
    means = 1 + x @ [3.0, -1.0, 0.0] + 0.4 * x[:, 0] ** 2 + rng.normal(0, 0.05, 40)
    frame, fit = response(terms_of(NUMBERS, cells), means, np.eye(40) * 1e-6, 500, seed=1)
    other = sm.OLS(means, sm.add_constant(x)).fit()
    rows = frame.iloc[:3]
    assert np.allclose(rows["effect"], other.params[1:])
    assert np.allclose(rows["se_with_misfit"], other.bse[1:])
    assert np.isclose(fit["explained"], other.rsquared)
    z = sm.OLS(stats.zscore(means, ddof=1), stats.zscore(x, ddof=1)).fit()
    assert np.allclose(rows["standardised"], z.params)
    ends = other.conf_int(0.05 / 3)[1:]  # shared among three factors
    assert np.allclose(rows[["low", "high"]], ends)


def test_the_paired_error_is_that_of_a_regression_in_each_block() -> None:
    cells = cells_of(20)
    x = sm.add_constant(np.array(cells))
    rng = np.random.default_rng(6)
    blocks = x @ [1, 2, 0, 0] + rng.normal(0, 3, (200, 1)) + rng.normal(0, 1, (200, 20))
    frame, _ = response(terms_of(NUMBERS, cells), *moments(blocks), 200, seed=1)
    fits = np.array([sm.OLS(row, x).fit().params[1:] for row in blocks])
    assert np.allclose(frame["effect"][:3], fits.mean(axis=0))
    assert np.allclose(frame["se"][:3], fits.std(axis=0, ddof=1) / math.sqrt(200))


def test_the_misfit_is_judged_by_hotelling() -> None:
    """A straight response fits 95 % of the time, a bent one does not."""
    cells = cells_of(12)
    x = np.array(cells)
    terms = terms_of(NUMBERS, cells)
    rng = np.random.default_rng(7)
    ps = []
    for _ in range(300):
        blocks = x @ [1, 2, 0] + rng.normal(0, 3, (60, 1)) + rng.normal(0, 1, (60, 12))
        ps.append(response(terms, *moments(blocks), 60, seed=1)[1]["misfit_p"])
    assert stats.kstest(ps, "uniform").pvalue > 1e-4
    bent = 4 * x[:, 0] ** 2 + rng.normal(0, 3, (60, 1)) + rng.normal(0, 0.2, (60, 12))
    _, fit = response(terms, *moments(bent), 60, seed=1)
    assert fit["misfit_p"] < 1e-6
    assert fit["misfit"] > 0.01
    assert fit["misfit_df"] == 8


def test_the_noise_share_is_what_the_deals_explain() -> None:
    """Pure noise: all of the variance over the cells, whatever the cells have in common."""
    cells = cells_of(200)
    rng = np.random.default_rng(8)
    blocks = rng.normal(0, 9, (500, 1)) + rng.normal(0, 1, (500, 200))
    _, fit = response(terms_of(NUMBERS, cells), *moments(blocks), 500, seed=1)
    assert 0.8 < fit["noise_share"] <= 1
    loud = np.array(cells) @ [5, 0, 0] + blocks
    _, fit = response(terms_of(NUMBERS, cells), *moments(loud), 500, seed=1)
    assert fit["noise_share"] < 0.005


def test_nothing_is_ranked_below_the_noise_floor() -> None:
    """Of 100 sweeps of pure noise hardly any ranks a factor; the bound is 1 in 10,000."""
    cells = cells_of(24)
    terms = terms_of(NUMBERS, cells)
    rng = np.random.default_rng(9)
    ranked = 0
    for trial in range(100):
        blocks = rng.normal(0, 3, (80, 1)) + rng.normal(0, 1, (80, 24))
        frame, _ = response(terms, *moments(blocks), 80, seed=trial)
        ranked += bool(frame["above_floor"].any())
    assert ranked <= stats.binom.isf(1e-4, 100, 0.05)
    frame, _ = response(terms, *moments(blocks + 4 * np.array(cells) @ [1, 0, 0.5]), 80, seed=1)
    assert frame["rank"].iloc[[0, 2]].tolist() == [1, 2]
    assert pd.isna(frame["rank"].iloc[1])
    assert frame["factor"].iloc[-1] == DUMMY
    assert abs(frame["standardised"].iloc[-1]) < frame["standardised"].iloc[0]


def test_words_and_switches_have_a_column_for_each_value_but_the_first() -> None:
    factors = [
        Factor("w", "w", "b", levels=("a", "b", "c")),
        Factor("s", "s", True, levels=(True, False)),
        Factor("n", "n", 1, levels=(1, 3, 5)),
    ]
    terms = terms_of(factors, [("a", True, 1), ("c", False, 5), ("b", True, 3)])
    assert terms.factors == ("w", "w", "s", "n")
    assert terms.changes == ("a to b", "a to c", "off to on", "1 to 5")
    assert terms.matrix.tolist() == [[0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0.5]]


def test_too_few_cells_give_no_ranking() -> None:
    cells = cells_of(5)
    frame, fit = response(terms_of(NUMBERS, cells), np.arange(5.0), np.eye(5), 50, seed=1)
    assert not len(frame)
    assert not fit["distinguishable"]


def test_a_figure_that_a_cell_does_not_have_gives_no_ranking() -> None:
    cells = cells_of(10)
    means = np.arange(10.0)
    means[3] = math.nan
    frame, fit = response(terms_of(NUMBERS, cells), means, np.eye(10), 50, seed=1)
    assert not len(frame)
    assert not fit["distinguishable"]


def test_a_figure_that_a_cell_does_not_have_is_no_discovery() -> None:
    design = factorial(SWITCHES[:2])
    spread = np.eye(4)
    spread[2] = spread[:, 2] = math.nan
    means = np.array([1.0, 2.0, math.nan, 11.0])
    found = factorial_effects(codes(design), ["a", "b"], means, spread, 10)
    assert found[["effect", "low", "high", "se", "p"]].isna().all(axis=None)
    assert not discoveries(found["p"].tolist()).any()


def test_a_figure_that_bends_is_not_called_noise() -> None:
    """Highest in the middle: no average effect, and yet the cells differ by much."""
    cells = cells_of(21)
    means = np.array([-abs(place - 10.0) for place in range(21)])
    factor = [Factor("a", "a", 0, low=0, high=20)]
    terms = terms_of(factor, [(float(place),) for place in range(len(cells))])
    measure = Measure(load_game("wizard_miners").metrics[0])
    frame, fit = response(terms, means, np.eye(21) / 100, 400, seed=1)
    frame, table = frame.assign(metric=measure.metric.name), pd.DataFrame([fit])
    found = ranking_sentences(frame, table.assign(metric=measure.metric.name), [measure])
    assert len(found) == 1
    assert "differ by more than noise" in found[0]


def test_cells_that_play_alike_have_no_noise() -> None:
    """Figures equal to the last digit in all cells: nothing to rank, and no division by zero."""
    cells = cells_of(10)
    same = np.full((10, 10), 0.01)  # one common error
    frame, fit = response(terms_of(NUMBERS, cells), np.full(10, 3.0), same, 50, seed=1)
    assert not frame["above_floor"].any()
    assert not fit["distinguishable"]
    means = 3 + np.array(cells) @ [1.0, 0, 0]
    _, fit = response(terms_of(NUMBERS, cells), means, same, 50, seed=1)
    assert fit["distinguishable"]


# ----------------------------------------------------------------------------- Sobol and Morris

ANGLES = [Factor(f"x{i}", f"x{i}", 0.0, low=-math.pi, high=math.pi) for i in range(3)]
_V1, _V2 = 0.5 * (1 + 0.1 * math.pi**4 / 5) ** 2, 49 / 8
_V13 = 8 * 0.01 * math.pi**8 / 225
_V = _V1 + _V2 + _V13
FIRST = np.array([_V1 / _V, _V2 / _V, 0.0])
TOTAL = np.array([(_V1 + _V13) / _V, _V2 / _V, _V13 / _V])


def ishigami(cell: tuple) -> float:
    """Ishigami and Homma (1990), a = 7, b = 0.1; its indices are known."""
    return math.sin(cell[0]) + 7 * math.sin(cell[1]) ** 2 + 0.1 * cell[2] ** 4 * math.sin(cell[0])


def played(kind: str, rows: int, noise: float, seed: int) -> tuple[object, np.ndarray, np.ndarray]:
    """A design with figures of known noise: a part common to the deals, a part of each point."""
    design = screening(kind, ANGLES, rows, seed)
    truth = np.array([ishigami(cell) for cell in design.cells])[design.points]
    rng = np.random.default_rng(seed)
    steps = truth.shape[1]
    deals = rng.normal(0, 0.8 * noise, (rows, 2))
    common = np.take_along_axis(deals, design.fresh.astype(int), axis=1)
    means = truth + common + rng.normal(0, 0.6 * noise, truth.shape)
    same = design.fresh[:, :, None] == design.fresh[:, None, :]
    return design, means, same * (0.8 * noise) ** 2 + np.eye(steps) * (0.6 * noise) ** 2


@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_sobol_indices_of_ishigami(noise: float) -> None:
    """Within the bootstrap's intervals, and close; noise of two thirds of the signal as well."""
    design, means, spreads = played("indices", 1024, noise, 1)
    frame, fit = sobol_indices(design, means, spreads, seed=2)
    assert np.allclose(frame["total"][:3], TOTAL, atol=0.08)
    assert np.allclose(frame["first"][:3], FIRST, atol=0.12)
    assert (frame["total_low"][:3] <= TOTAL + 0.02).all()
    assert (frame["total_high"][:3] >= TOTAL - 0.02).all()
    assert frame["rank"].tolist()[:3] == [1, 2, 3]
    assert np.isclose(fit["noise_share"], noise**2 / (_V + noise**2), atol=0.05)
    dummy = frame.iloc[-1]
    assert (dummy["factor"], dummy["above_floor"]) == (DUMMY, False)
    assert abs(dummy["total"]) < 0.06


def test_the_noise_left_in_lifts_the_dummy_and_the_subtraction_takes_it_down() -> None:
    design, means, spreads = played("indices", 512, 3.0, 4)
    frame, _ = sobol_indices(design, means, spreads, seed=2)
    dummy = frame.iloc[-1]
    assert dummy["total_raw"] > 0.25
    assert dummy["total_low"] < 0 < dummy["total_high"] < 0.2


def test_pure_noise_is_not_ranked() -> None:
    design, means, spreads = played("indices", 64, 40.0, 5)
    frame, fit = sobol_indices(design, means, spreads, seed=2)
    assert not frame["above_floor"].any()
    assert fit["noise_share"] > 0.8
    design, means, spreads = played("morris", 32, 60.0, 5)
    frame, fit = morris_effects(design, means, spreads, seed=2)
    assert not frame["above_floor"].any()
    assert frame["mu_star"].min() > 10  # what a ranking by mu* would have gone by


@pytest.mark.parametrize("noise", [0.0, 2.0])
def test_morris_sizes_of_a_linear_function(noise: float) -> None:
    """Elementary effects of a linear function are its slopes over the range."""
    design = screening("morris", ANGLES, 48, 3)
    slopes = np.array([2.0, -0.7, 0.0])
    truth = (np.array(design.cells) @ slopes)[design.points]
    rng = np.random.default_rng(4)
    means = truth + rng.normal(0, noise, truth.shape)
    steps = truth.shape[1]
    spreads = np.repeat(np.eye(steps)[None] * noise**2, 48, axis=0)
    frame, _ = morris_effects(design, means, spreads, seed=2)
    wanted = np.abs(slopes) * 2 * math.pi
    assert np.allclose(frame["size"][:2], wanted[:2], rtol=0.15)
    assert np.allclose(frame["mu"][:2], slopes[:2] * 2 * math.pi, rtol=0.25)
    assert frame["rank"].tolist()[:2] == [1, 2]
    assert not frame["above_floor"].iloc[2]
    if noise:
        assert frame["mu_star"].iloc[2] > 1.5
        assert frame["size"].iloc[2] < 1.5
    else:
        assert frame["size"].iloc[2] == 0


def test_only_the_dummy_changes_the_deals() -> None:
    for kind in ("indices", "morris"):
        design = screening(kind, ANGLES, 16, 6)
        rows, steps = design.points.shape
        sample = design.sample.reshape(rows, steps, 4)
        for row in range(rows):
            for step in range(1, steps):
                moved = sample[row, step] != sample[row, step - 1]
                if kind == "morris":
                    assert moved.sum() == 1
                    turned = design.fresh[row, step] != design.fresh[row, step - 1]
                    assert turned == moved[-1]
        if kind == "indices":
            assert design.fresh.sum(axis=1).tolist() == [1] * rows
            assert design.fresh[:, -2].all()  # A with the dummy of B
            assert (design.points[:, -2] == design.points[:, 0]).all()


def test_without_salib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib", None)
    with pytest.raises(UserError, match=r"pip install 'tabletop-assay\[sensitivity\]'"):
        need_salib()
    with pytest.raises(UserError, match="SALib"):
        screening("indices", ANGLES, 8, 1)
