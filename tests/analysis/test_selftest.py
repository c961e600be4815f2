"""The self-test: its rows can fail, its verdicts are sound, its shortcuts are exact."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import comparison, gates, selftest_sequences, sequential
from analysis.pairs import PairSums
from analysis.selftest import (
    BUDGET,
    COLUMNS,
    Errors,
    Experiment,
    Promise,
    Tally,
    judged,
    perform,
    promises,
)
from analysis.selftest_intervals import in_standard_errors, interval_experiments
from analysis.selftest_sequences import AS_READ, gate_runs, needed_blocks, sequence_experiments
from analysis.sequential import Verdict, looks
from analysis.synthetic import single_games


def suite() -> list[Experiment]:
    return [*interval_experiments(), *sequence_experiments()]


def failing(experiments: list[Experiment], level: float = 0.95) -> dict[str, bool]:
    """Whether each row fails when the methods are asked for this level."""
    frame = perform(experiments, seed=3, level=level)
    return {f"{r.part}: {r.what}": not r.holds for r in frame.itertuples()}


def test_every_bound_on_errors_fails_if_methods_are_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Methods are asked for 1 % instead of 95 %, and sequences forget to divide the stake.

    The second, because sequences waste so much of their level that the first cannot break them.
    """
    right = sequential.log_capital

    def undivided(values, counts, mean):
        return right(values, counts, mean) + math.log(35)

    for module in (sequential, gates, selftest_sequences):
        monkeypatch.setattr(module, "log_capital", undivided)
    quantile = comparison.quantile_interval

    def point(ranks, p, level):
        found = quantile(ranks, p, level)
        return replace(found, low=found.estimate, high=found.estimate)

    monkeypatch.setattr(comparison, "quantile_interval", point)
    found = failing(suite(), level=0.01)
    bounded = {
        f"{e.part}: {p.what}"
        for e in suite()
        for p in e.promises
        if p.at_most and p.at_least is None
    }
    assert len(bounded) > 40
    assert {row for row in bounded if not found[row]} == set()


def test_every_power_fails_if_the_intervals_are_too_wide() -> None:
    some = [e for e in suite() if any(p.at_least for p in e.promises)]
    found = failing(some, level=1 - 1e-12)
    powers = [f"{e.part}: {p.what}" for e in some for p in e.promises if p.at_least]
    assert len(powers) > 8
    assert [row for row in powers if not found[row]] == []


def test_every_bias_fails_if_estimates_are_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    right = comparison.effect_interval

    def moved(sums: PairSums, level: float = 0.95, together: int = 1):
        found = right(sums, level, together)
        return replace(found, estimate=found.estimate + 1)

    monkeypatch.setattr(comparison, "effect_interval", moved)
    some = [replace(e, ci=100) for e in suite() if any("bias" in p.what for p in e.promises)]
    found = {row: bad for row, bad in failing(some).items() if "bias" in row}
    assert len(found) > 8
    assert all(found.values())


def test_every_reading_fails_if_intervals_say_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fortunes decide, so an interval that does not follow from them must be seen."""

    def wrong(values, counts, level=0.95, low=0.0, high=1.0):
        return high, high

    monkeypatch.setattr(sequential, "bounded_mean_sequence", wrong)
    monkeypatch.setattr(gates, "bounded_mean_sequence", wrong)
    some = [
        replace(e, ci=30)
        for e in suite()
        if any(AS_READ in p.what for p in e.promises) and not e.part.startswith("power")
    ]
    found = {row: bad for row, bad in failing(some).items() if AS_READ in row}
    assert len(found) > 12
    assert all(found.values())


# ------------------------------------------------------------------------------------- judging


def test_a_kept_promise_fails_as_rarely_as_is_said() -> None:
    """By enumeration: the chance that a row fails although the chance is exactly the bound."""
    n, risk = 200, 1e-3
    promise = Promise("x", at_most=0.05)
    fails = [k for k in range(n + 1) if not judged("p", promise, Tally(k, n), risk)["holds"]]
    chance = float(stats.binom.pmf(fails, n, 0.05).sum())
    assert risk / 20 < chance <= risk / 2


def test_a_row_says_what_was_observed() -> None:
    row = judged("p", Promise("x", at_most=0.05), Tally(30, 100), 1e-6)
    assert list(row) == list(COLUMNS)
    assert (row["observed"], row["repetitions"], row["holds"]) == (0.3, 100, False)
    assert row["level"] == 1 - 1e-6
    low, high = row["low"], row["high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert stats.binom.sf(29, 100, low) == pytest.approx(5e-7, rel=1e-6)
    assert stats.binom.cdf(30, 100, high) == pytest.approx(5e-7, rel=1e-6)


def test_a_mean_error_is_judged_by_its_normal_interval() -> None:
    errors = np.random.default_rng(1).normal(size=400)
    kept = judged("p", Promise("bias", 0.0, 0.0), Errors(errors), 1e-6)
    assert kept["holds"]
    half = stats.norm.isf(5e-7) * errors.std(ddof=1) / 20
    assert kept["high"] == pytest.approx(errors.mean() + half)
    for shift in (-0.5, 0.5):
        assert not judged("p", Promise("bias", 0.0, 0.0), Errors(errors + shift), 1e-6)["holds"]


def test_errors_are_counted_in_standard_errors() -> None:
    assert in_standard_errors([0.0, 2.0, 4.0]).tolist() == [0.0, 1.0, 2.0]


def counting(happens: float) -> Experiment:
    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        return [Tally(int(rng.binomial(repetitions, happens)), repetitions)]

    return Experiment("part", (Promise(f"chance {happens}", at_most=0.05),), run, 200, 5000)


def test_rows_depend_on_seed_and_name_alone() -> None:
    one, other = counting(0.04), counting(0.03)
    both = perform([one, other], seed=8)
    pd.testing.assert_frame_equal(perform([other, one], seed=8), both[::-1].reset_index(drop=True))
    assert perform([one], seed=9)["observed"][0] != both["observed"][0]
    assert both["repetitions"].tolist() == [200, 200]
    assert perform([one], long=True)["repetitions"].tolist() == [5000]


def test_all_rows_share_the_budget() -> None:
    assert perform([counting(0.04)])["level"][0] == 1 - BUDGET
    assert perform([counting(0.04)] * 4)["level"][0] == 1 - BUDGET / 4
    assert perform([counting(0.04)], rows=50)["level"][0] == 1 - BUDGET / 50
    assert promises(suite()) == sum(len(e.promises) for e in suite())
    names = [(e.part, p.what) for e in suite() for p in e.promises]
    assert len(set(names)) == len(names)


def test_progress_names_the_part() -> None:
    seen = []
    perform([counting(0.01)] * 2, progress=lambda *step: seen.append(step))
    assert seen == [("part", 0, 2), ("part", 1, 2)]


# ------------------------------------------------------------------------- the exact shortcut


def test_gates_decide_as_if_every_look_were_read_off_the_interval() -> None:
    """All looks of some runs through the gate itself: the same first decision."""
    pair = single_games(0.1, 0.02)
    gate = gates.Gate("g", pair.measure, margin=0.01)
    at = looks(40_000)
    found = gate_runs(np.random.default_rng(5), pair, gate, at, 6)
    counts = (
        np.random.default_rng(5)
        .multinomial(np.diff(at, prepend=0), pair.chances, (6, len(at)))
        .cumsum(axis=1)
    )
    decided = 0
    for run in range(6):
        said, blocks = Verdict.UNDECIDED, at[-1]
        for look, seen in zip(at, counts[run], strict=True):
            values, times = pair.sums(seen).difference_counts()
            low, high = sequential.bounded_mean_sequence(values, times, 0.95, -1.0)
            if gate.verdict(low, high) is not Verdict.UNDECIDED:
                said, blocks = gate.verdict(low, high), look
                break
        assert (found.verdicts[run], found.blocks[run]) == (said, blocks)
        decided += said is Verdict.CHANGED_UP
    assert decided >= 3
    assert found.disagreeing.events == 0


def test_needed_blocks_are_where_the_expected_interval_decides() -> None:
    pair = single_games(0.1, 0.0)
    gate = gates.Gate("g", pair.measure, margin=0.01)
    n = needed_blocks(pair, gate)
    low, high = sequential.bounded_mean_sequence([-1, 0, 1], [n * 0.05, n * 0.9, n * 0.05], low=-1)
    assert max(-low, high) <= 0.01
    # a betting sequence is some 1.85 times as wide as an interval at fixed n
    assert n == pytest.approx((1.85 * 1.96 / 0.01) ** 2 * 0.1, rel=0.1)
    assert not math.isinf(n)
