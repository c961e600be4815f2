from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import FEW_EVENTS
from analysis.length import (
    QUESTION,
    LengthSums,
    length_metrics,
    length_sums,
    lengths_frame,
    stalled_share,
    summary_frame,
)
from analysis.question import Setting
from sim.batch import Batch, Chunk, play
from sim.game import Game, Metric, load_game
from sim.wizard_miners.exact import bare_race
from strategies.resolve import lineup
from tests.analysis.games import chunk, cut, winners

CAPPED = 1
ROLLS = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "sd", "quantiles"))
SEATS = ("a", "b", "c", "d")


def made(rolls: np.ndarray, status: np.ndarray | None = None, rotations: int = 1) -> Chunk:
    wins = winners(np.random.default_rng(1), len(rolls))
    return chunk(wins, rotations=rotations, rolls=rolls, status=status)


def summed(played: Chunk, rotations: int = 1) -> LengthSums:
    return length_sums(played, (ROLLS,), rotations, SEATS, CAPPED)


def drawn(n: int, seed: int = 1) -> np.ndarray:
    return 10 + np.random.default_rng(seed).poisson(8, n)


def test_shares_of_single_games_are_counts_with_their_own_intervals() -> None:
    rolls = np.concatenate([drawn(500), [60]])
    found = lengths_frame(summed(made(rolls)), 0.9)
    counts = pd.Series(rolls).value_counts()
    assert list(found["value"]) == list(range(rolls.min(), 61))
    assert list(found["games"]) == [counts.get(v, 0) for v in found["value"]]
    assert found["share"].sum() == pytest.approx(1)
    for row in found[found["games"] > 0].to_dict("records"):
        method = "wilson" if row["games"] >= FEW_EVENTS else "beta"
        low, high = proportion_confint(row["games"], 501, 0.1, method)
        assert (row["low"], row["high"]) == pytest.approx((low, high))
    between = found[found["games"] == 0]
    assert len(between) > 10
    assert between["high"].to_numpy() == pytest.approx(1 - 0.1 ** (1 / 501))


def test_shares_of_rotated_games_have_intervals_over_blocks() -> None:
    rolls = np.repeat(drawn(100), 4) + np.tile([0, 0, 0, 1], 100)
    found = lengths_frame(summed(made(rolls, rotations=4), 4), 0.95)
    for row in found[found["games"] > 0].to_dict("records"):
        blocks = (rolls.reshape(100, 4) == row["value"]).mean(axis=1)
        test = stats.ttest_1samp(blocks, 0).confidence_interval(0.95)
        assert row["share"] == pytest.approx(blocks.mean())
        assert (row["low"], row["high"]) == pytest.approx((max(0, test.low), test.high))
        assert row["n"] == 100


def test_sums_do_not_depend_on_the_cut() -> None:
    played = made(drawn(400), np.random.default_rng(2).integers(0, 2, 400), 4)
    whole = summed(played, 4)
    one, two, three = (summed(part, 4) for part in cut(played, 40, 320))
    for total in (one + two + three, three + (one + two)):
        assert total.moments == whole.moments
        assert total.stalled == whole.stalled
        assert total.values == whole.values
        assert total.capped == whole.capped


def test_no_stalled_game_is_a_bound_and_some_are_a_rate() -> None:
    rolls = drawn(400)
    none = stalled_share(summed(made(rolls)).stalled, CAPPED, 0.95)
    assert (none.estimate, none.low) == (0, 0)
    assert none.high == pytest.approx(1 - 0.05 ** (1 / 400))
    status = np.where(np.arange(400) < 30, CAPPED, 0)
    some = stalled_share(summed(made(rolls, status)).stalled, CAPPED, 0.95)
    assert some.estimate == 30 / 400
    assert (some.low, some.high) == pytest.approx(proportion_confint(30, 400, 0.05, "wilson"))
    rotated = stalled_share(summed(made(rolls, rotations=4), 4).stalled, CAPPED, 0.95)
    assert rotated.high == pytest.approx(1 - 0.05 ** (1 / 100))
    clustered = stalled_share(summed(made(rolls, status, 4), 4).stalled, CAPPED, 0.95)
    assert clustered.n == 100
    assert clustered.half_width > some.half_width


@pytest.mark.parametrize("cap", [16, 19, 25])
def test_quantiles_of_capped_games_are_those_of_censored_data(cap: int) -> None:
    """Second opinion: the product-limit estimate of scipy."""
    truth = drawn(2000)
    rolls, capped = np.minimum(truth, cap), truth > cap
    found = summary_frame(summed(made(rolls, capped.astype(int))), 0.95).set_index("statistic")
    data = stats.CensoredData.right_censored(rolls, capped)
    curve = stats.ecdf(data).cdf
    for name, p in (("q05", 0.05), ("q25", 0.25), ("q50", 0.5), ("q75", 0.75), ("q95", 0.95)):
        reached = curve.quantiles[curve.probabilities >= p - 1e-9]
        row = found.loc[name]
        if len(reached):
            assert row["estimate"] == reached[0]
            assert row["estimate"] == np.quantile(truth, p, method="inverted_cdf")
        else:
            assert row["censored"]
            assert row["estimate"] == cap
            assert row["high"] == math.inf
        assert row["censored"] == (not len(reached))
    assert found.loc["q95", "censored"] == (cap < 25)
    assert found.loc["mean", "censored"]
    assert "capped games count with the cap" in found.loc["mean", "method"]


def test_without_capped_games_nothing_is_censored() -> None:
    found = summary_frame(summed(made(drawn(300))), 0.95)
    assert not found["censored"].any()
    assert found["high"].max() < math.inf


def test_negative_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="rolls is negative"):
        summed(made(np.array([3, -1, 2])))


# ------------------------------------------------------------------------------- on real games


def setting(game: Game, seats: tuple[str, ...], games: int, patches: dict[str, Any]) -> Setting:
    return Setting(game, game.load(None, patches), seats, False, games, 5)


def asked(where: Setting) -> Any:
    (group,) = QUESTION.groups(where)
    tables = where.game.make_tables(where.rules.model, where.players)
    batch = Batch(where.game, tables, lineup(where.game, where.seats), where.seed)
    total = None
    for _, sums in play([batch], 0, where.games, group.reduce, threads=1):
        total = sums if total is None else total + sums
    return QUESTION.answer(where, {group.name: total})


def test_every_game_has_a_length() -> None:
    game = load_game("wizard_miners")
    assert [metric.name for metric in length_metrics(game)] == ["rolls", "rounds"]


def test_the_distribution_is_that_of_the_exact_race() -> None:
    """Three passive players without cave-ins and without a cap: dynamic programming knows all.

    Wilson intervals at a level of 1 - 1e-6 must all hold the exact shares.
    """
    game = load_game("wizard_miners")
    zeros = {f"cave_in.chart.roll_{k}": 0 for k in range(1, 7)}
    patches = {"cave_in.die_faces": 0, "stall.roll_cap": 4000, **zeros}
    patches |= {"cave_in.chart.roll_7_or_more": 0, "mine.cards": 6, "mine.cards_above": 3}
    patches |= {f"mine.gem_cards.{gems}": 0 for gems in (1, 2, 3)}
    where = dataclasses.replace(setting(game, ("passive",) * 3, 4000, patches), level=1 - 1e-6)
    answer = asked(where)
    _, exact = bare_race([6 / 64, 7 / 64, 7 / 64], 6, 4000)
    rolls = answer.frames["lengths"].query("metric == 'rolls'")
    assert len(rolls) > 50
    for row in rolls.to_dict("records"):
        assert row["low"] <= exact[int(row["value"])] <= row["high"]
    mean = answer.frames["summary"].query("metric == 'rolls' and statistic == 'mean'").iloc[0]
    assert mean["low"] <= (exact * np.arange(len(exact))).sum() <= mean["high"]
    middle = answer.frames["summary"].query("metric == 'rolls' and statistic == 'q50'").iloc[0]
    assert middle["low"] <= np.searchsorted(exact.cumsum(), 0.5) <= middle["high"]


def test_the_sentences_say_it_with_intervals() -> None:
    game = load_game("wizard_miners")
    answer = asked(setting(game, ("drill_first",) * 4, 400, {}))
    rolls, rounds, stalled = answer.sentences
    mean = answer.frames["summary"].query("metric == 'rolls' and statistic == 'mean'").iloc[0]
    assert rolls.startswith(f"A game takes {mean['estimate']:.1f}")
    assert "rounds" in rounds
    assert stalled.startswith("No game of 400 was stopped by the cap: less than\u00a00.75\u00a0%")


def test_stalled_games_are_said_to_be_bounds() -> None:
    game = load_game("wizard_miners")
    answer = asked(setting(game, ("drill_first",) * 4, 400, {"stall.roll_cap": 40}))
    rolls, _, stalled = answer.sentences
    assert "A game takes at least" in rolls
    assert "and at least 40" in rolls
    assert "lower bounds" in stalled
    assert 100 < answer.frames["stalled"]["capped"].iloc[0] < 300
