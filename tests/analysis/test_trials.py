"""Trials that deny many things at once: known truths, other routes to the same figures."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from analysis.trials import (
    TrialSums,
    denial,
    least_squares,
    one_seat_fit,
    plays_for,
    seat_fit,
    seat_worth,
    table_fit,
)
from sim.batch import Chunk
from tests.analysis.games import chunk

THINGS, SEATS, PLAYS, GAMES = 12, 4, 48, 500


def truth() -> np.ndarray:
    """Strength that each thing gives to a seat, in logits; some give nothing, one harms."""
    return np.array([0.6, 0.4, 0.25, 0.15, 0.1, 0.05, 0, 0, 0, 0, -0.1, -0.3])


def won(denied: np.ndarray, games: int, random: np.random.Generator) -> np.ndarray:
    """Games (plays, seats) won, where what a seat may have adds to its strength; seat 1 leads."""
    strength = np.exp((~denied) @ truth() + np.array([0.2, 0, 0, 0]))
    return np.array([random.multinomial(games, row / row.sum()) for row in strength])


@cache
def by_enumeration() -> np.ndarray:
    """What each thing is worth, over many random denials of the others."""
    random = np.random.default_rng(99)
    lot = random.random((40_000, SEATS, THINGS)) < 0.25
    worth = np.zeros(THINGS)
    for thing in range(THINGS):
        wins = []
        for denied in (False, True):
            forced = lot.copy()
            forced[:, 0, thing] = denied
            strength = np.exp((~forced) @ truth())
            wins.append((strength[:, 0] / strength.sum(axis=1)).mean())
        worth[thing] = wins[0] - wins[1]
    return worth


def test_every_thing_is_denied_equally_often_to_each_seat() -> None:
    design = denial(THINGS, SEATS, PLAYS, 0.25, 1)
    assert design.shape == (PLAYS, SEATS, THINGS)
    assert (design.sum(axis=0) == 12).all()
    assert np.array_equal(design, denial(THINGS, SEATS, PLAYS, 0.25, 1))
    assert not np.array_equal(design, denial(THINGS, SEATS, PLAYS, 0.25, 2))
    pairs = np.corrcoef(design.reshape(PLAYS * SEATS, THINGS).T)
    assert np.abs(pairs[~np.eye(THINGS, dtype=bool)]).max() < 0.35
    with pytest.raises(ValueError, match="0 of 4 plays would deny"):
        denial(3, 2, 4, 0.01, 1)


def test_the_fit_is_that_of_statsmodels() -> None:
    """Dummies of plays and seats instead of centring: the same effects and errors."""
    random = np.random.default_rng(3)
    design = denial(THINGS, SEATS, PLAYS, 0.25, 3)
    wins = won(design, GAMES, random) / GAMES
    fit = seat_fit(wins, design)
    cells = pd.MultiIndex.from_product([range(PLAYS), range(SEATS)], names=["play", "seat"])
    rows = pd.DataFrame(design.reshape(-1, THINGS).astype(float), index=cells)
    rows["win"] = wins.reshape(-1)
    rows = rows.reset_index()
    dummies = pd.get_dummies(rows[["play", "seat"]].astype(str), drop_first=True, dtype=float)
    regressors = sm.add_constant(pd.concat([rows[list(range(THINGS))], dummies], axis=1))
    other = sm.OLS(rows["win"], regressors).fit()
    assert fit.df == other.df_resid
    assert fit.coefficients == pytest.approx(other.params[: THINGS + 1].drop("const").to_numpy())
    errors = [fit.error(np.eye(THINGS)[k]) for k in range(THINGS)]
    assert errors == pytest.approx(other.bse[: THINGS + 1].drop("const").to_numpy())
    low, high = other.conf_int(0.05).drop("const").to_numpy()[3]
    interval = fit.interval(-np.eye(THINGS)[3], 0.95, method="m")
    assert (interval.low, interval.high) == pytest.approx((-high, -low))


def test_the_effects_are_the_true_ones_and_their_intervals_cover_them() -> None:
    """200 trials at 90 %: all twelve at once in at least 90 % of them, three errors off."""
    true = by_enumeration()
    assert np.argsort(true)[[-1, -2, 0]].tolist() == [0, 1, 11]
    together, single, means = 0, 0, np.zeros(THINGS)
    trials = 200
    for seed in range(trials):
        random = np.random.default_rng(1000 + seed)
        design = denial(THINGS, SEATS, PLAYS, 0.25, seed)
        fit = seat_fit(won(design, GAMES, random) / GAMES, design)
        inside = []
        for thing in range(THINGS):
            weights = seat_worth(thing, THINGS, SEATS)
            joint = fit.interval(weights, 0.9, THINGS, method="m")
            inside.append(joint.contains(true[thing]))
            single += fit.interval(weights, 0.9, method="m").contains(true[thing])
            means[thing] += joint.estimate / trials
        together += all(inside)
    assert means == pytest.approx(true, abs=0.004)
    assert together >= 0.9 * trials - 3 * (trials * 0.09) ** 0.5
    assert single / trials / THINGS == pytest.approx(0.9, abs=0.02)


def test_a_thing_that_gives_nothing_is_not_found_and_a_strong_one_is() -> None:
    random = np.random.default_rng(5)
    design = denial(THINGS, SEATS, PLAYS, 0.25, 5)
    fit = seat_fit(won(design, 2000, random) / 2000, design)
    found = [
        fit.interval(seat_worth(k, THINGS, SEATS), 0.99, THINGS, method="m") for k in range(THINGS)
    ]
    assert found[0].low > 0.05
    assert found[11].high < -0.02
    assert all(found[k].contains(0.0) for k in (6, 7, 8, 9))


def test_classes_and_one_seat() -> None:
    """One of a class is worth the mean of its things; a seat's own figure is its own."""
    random = np.random.default_rng(7)
    design = denial(THINGS, SEATS, 96, 0.25, 7)
    wins = won(design, 4000, random) / 4000
    member = np.repeat(np.eye(2), 6, axis=0)
    number = design.astype(float) @ member
    fit = seat_fit(wins, number)
    true = by_enumeration().reshape(2, 6).mean(axis=1)
    for place in (0, 1):
        interval = fit.interval(seat_worth(place, 2, SEATS), 0.99, method="m")
        assert interval.contains(true[place])
        own = one_seat_fit(wins, number, 2)
        assert own.coefficients[place] == pytest.approx(-true[place], abs=0.02)
        assert own.coefficients[2 + place] == pytest.approx(true[place] / 3, abs=0.02)


def test_what_is_missing_from_the_table() -> None:
    random = np.random.default_rng(11)
    design = denial(6, 1, 64, 0.25, 11)[:, 0]
    effect = np.array([3.0, 0, 0, 0, 0, -2.0])
    outcome = 40 + design @ effect + random.normal(0, 0.5, 64)
    fit = table_fit(outcome, design)
    assert fit.coefficients[:6] == pytest.approx(effect, abs=0.6)
    assert fit.coefficients[6] == pytest.approx(40, abs=0.6)
    assert fit.df == 64 - 7


def test_too_little_is_refused() -> None:
    with pytest.raises(ValueError, match="5 rows, 0 of them spent, cannot tell 5 effects apart"):
        least_squares(np.eye(5), np.ones(5))
    with pytest.raises(ValueError, match="depend on each other"):
        least_squares(np.ones((9, 2)), np.ones(9))
    assert (plays_for(81, 60), plays_for(162, 60, 3)) == (144, 80)


def counted(wins: np.ndarray, rolls: np.ndarray, bought: np.ndarray) -> Chunk:
    """A chunk with a counter of purchases (replicates, slots, things, 2)."""
    plain = chunk(wins, rolls=rolls)
    return Chunk(plain.first, plain.games, plain.seats, {"bought": bought})


def test_sums_of_plays_add_up() -> None:
    random = np.random.default_rng(13)

    def one() -> Chunk:
        wins = 12 * np.eye(4, dtype=np.int64)[random.integers(0, 4, 10)]
        bought = random.integers(0, 5, (32, 4, 9, 2))
        return counted(wins, random.integers(10, 60, 10), bought)

    first, second = (one(), one()), (one(), one())
    a = TrialSums.of(first, "rolls", "bought", [2, 5])
    both = a + TrialSums.of(second, "rolls", "bought", [2, 5])
    assert both.games.tolist() == [20, 20]
    for play in (0, 1):
        pair = first[play], second[play]
        assert both.length[play] == sum(int(c.games["rolls"].sum()) for c in pair)
        assert both.wins[play].tolist() == sum(c.seats["win"].sum(axis=0) for c in pair).tolist()
        taken = sum(c.counters["bought"][:, :, [2, 5], 0].sum(axis=(0, 1)) for c in pair)
        assert both.taken[play].tolist() == taken.tolist()
    joined = TrialSums.joined([a, both])
    assert joined.games.tolist() == [10, 10, 20, 20]
    assert joined.wins.shape == (4, 4)
