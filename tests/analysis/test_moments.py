"""Moments of game rows: against sums written out, against brute force, merged in any order."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.intervals import ClusterSums, histogram_quantile, wilson
from analysis.measures import find_measure
from analysis.moments import (
    COLUMNS,
    KeyedMoments,
    Moments,
    block_sums,
    headline_of,
    is_share,
    keyed_moments,
    metrics_of,
)
from analysis.sequential import asymptotic_ratio_sequence, bounded_mean_sequence
from sim.errors import UserError
from sim.game import WIN_UNIT, Metric, load_game

GAME = np.dtype([("game", "<i8"), ("rolls", "<i2"), ("capped", "<i2"), ("points", "<i8")])
SEAT = np.dtype(
    [("slot", "<i2"), ("win", "<i2"), ("rolls", "<i2"), ("lost", "<i2"), ("score", "<i4")]
)
FIELDS = ("slot", "win", "rolls", "lost", "score")
ALL = ((), ("seat",), ("strategy",), ("seat", "strategy"))
METRICS = (
    Metric("win_rate", "share of games", "seat", "win", scale=WIN_UNIT, by=ALL),
    Metric("length", "rolls", "game", "rolls", statistics=("mean", "sd", "quantiles")),
    Metric("capped", "share of games", "game", "capped"),
    Metric("lost_per_roll", "cards", "seat", "lost", per="rolls", by=ALL),
    Metric("score", "points", "seat", "score", by=ALL, statistics=("mean", "sd", "quantiles")),
)
LABELS = ("bold", "shy", "bold")
Chunk = tuple[np.ndarray, np.ndarray]


def play(blocks: int, rotations: int = 3, players: int = 3, seed: int = 0, first: int = 0) -> Chunk:
    """Rows of made-up games: the seats of a game and the games of a block depend on each other."""
    rng = np.random.default_rng([seed, first])
    n = blocks * rotations
    games, seats = np.zeros(n, GAME), np.zeros((n, players), SEAT)
    games["game"] = first * rotations + np.arange(n)
    seats["slot"] = (np.arange(players) + (np.arange(n) % rotations)[:, None]) % players
    luck = np.repeat(rng.normal(0, 10, blocks), rotations)
    games["rolls"] = (40 + luck + rng.normal(0, 5, n)).round()
    games["capped"] = games["rolls"] > 65
    games["points"] = rng.integers(0, 10**12, n)
    strength = rng.random((n, players)) + 0.2 * (seats["slot"] == 1)
    best = strength >= np.sort(strength, axis=1)[:, -1:] - 0.02  # a few wins are shared
    seats["win"] = np.where(best, WIN_UNIT // best.sum(axis=1)[:, None], 0)
    seats["rolls"] = rng.poisson(5 + (luck > 0)[:, None], (n, players))
    seats["lost"] = rng.binomial(3 * seats["rolls"], 0.3)
    seats["score"] = (games["rolls"][:, None] * rng.normal(1, 0.3, (n, players))).round()
    return games, seats


def of(chunk: Chunk, metrics=METRICS, rotations: int = 3, labels=LABELS) -> Moments:
    return Moments.of(*chunk, metrics, rotations=rotations, labels=labels)


def picked(frame: pd.DataFrame, metric: str, statistic="mean", seat=None, strategy=None) -> Any:
    """The one row of a frame of estimates."""
    rows = frame[
        (frame["metric"] == metric)
        & (frame["statistic"] == statistic)
        & (frame["seat"].isna() if seat is None else frame["seat"].eq(seat).fillna(False))
        & (frame["strategy"].isna() if strategy is None else frame["strategy"].eq(strategy))
    ]
    assert len(rows) == 1
    return next(rows.itertuples())


def long_form(chunk: Chunk, rotations: int, labels) -> pd.DataFrame:
    """One row per seat, with its block: the oracle's view of a chunk."""
    games, seats = chunk
    n, players = seats.shape
    frame = pd.DataFrame({name: seats[name].ravel().astype(int) for name in FIELDS})
    frame["block"] = np.repeat(games["game"] // rotations, players)
    frame["seat"] = np.tile(np.arange(1, players + 1), n)
    frame["strategy"] = [labels[s] for s in frame["slot"]]
    return frame


def groups(frame: pd.DataFrame, by: tuple[str, ...]):
    """(seat, strategy) and the rows, for every group there is."""
    for seat in sorted(frame["seat"].unique()) if "seat" in by else [None]:
        for strategy in sorted(frame["strategy"].unique()) if "strategy" in by else [None]:
            rows = frame[
                (frame["seat"] == seat if seat is not None else True)
                & (frame["strategy"] == strategy if strategy is not None else True)
            ] if by else frame  # fmt: skip
            if len(rows):
                yield seat, strategy, rows


@pytest.mark.parametrize(("rotations", "players"), [(3, 3), (1, 3), (4, 4), (2, 2), (1, 1)])
def test_sums_are_those_of_a_group_by(rotations, players):
    labels = ("bold", "shy", "bold", "bold")[:players]
    chunk = play(40, rotations, players)
    moments = of(chunk, rotations=rotations, labels=labels)
    frame = long_form(chunk, rotations, labels)
    for name, value, per in (("win_rate", "win", None), ("lost_per_roll", "lost", "rolls")):
        for by in ALL:
            for seat, strategy, rows in groups(frame, by):
                blocks = rows.groupby("block")
                den = blocks.size() if per is None else blocks[per].sum()
                expected = ClusterSums.of(blocks[value].sum(), den)
                assert moments.sums(name, seat=seat, strategy=strategy) == expected


def test_every_group_is_in_the_frame_once_and_in_order():
    frame = of(play(30)).estimates()
    assert tuple(frame.columns) == COLUMNS
    assert frame["metric"].drop_duplicates().tolist() == [m.name for m in METRICS]
    assert not frame.duplicated(["metric", "statistic", "seat", "strategy"]).any()
    wins = frame[frame["metric"] == "win_rate"]
    # all, 3 seats, 2 strategies, 3 x 2
    assert len(wins) == 1 + 3 + 2 + 6
    assert wins["seat"].tolist()[1:4] == [1, 2, 3]
    assert wins["strategy"].tolist()[4:6] == ["bold", "shy"]
    assert (frame["low"] <= frame["estimate"]).all()
    assert (frame["estimate"] <= frame["high"]).all()
    assert set(frame["unit"]) == {m.unit for m in METRICS}


def test_records_are_the_rows_of_the_frame_in_plain_python():
    moments = of(play(30))
    frame = moments.estimates(0.9)
    records = moments.records(0.9)
    plain = (str, str, str, (int, type(None)), (str, type(None)), float, float, float, float, int)
    for record in records:
        assert all(isinstance(v, kind) for v, kind in zip(record, plain, strict=False))
        assert not any(isinstance(value, np.generic) for value in record)
    rows = [
        tuple(None if pd.isna(value) else value for value in row)
        for row in frame.itertuples(index=False, name=None)
    ]
    assert rows == records


def test_seats_and_strategies_do_not_mix_where_seats_do_not_rotate():
    frame = of(play(50, 1), rotations=1).estimates()
    both = frame[
        (frame["metric"] == "win_rate") & frame["seat"].notna() & frame["strategy"].notna()
    ]
    assert both[["seat", "strategy"]].values.tolist() == [[1, "bold"], [2, "shy"], [3, "bold"]]


def test_means_and_spread_agree_with_brute_force():
    chunk = play(5000)
    games, seats = chunk
    frame = of(chunk).estimates()
    length = picked(frame, "length")
    blocks = block_sums(games["rolls"], 3) / 3
    expected = stats.ttest_1samp(blocks, 0).confidence_interval(0.95)
    assert length.estimate == pytest.approx(games["rolls"].mean())
    assert (length.low, length.high) == pytest.approx((expected.low, expected.high))
    assert length.n == 5000
    assert picked(frame, "length", "sd").estimate == pytest.approx(games["rolls"].std(ddof=1))
    score = picked(frame, "score", "sd", seat=2)
    assert score.estimate == pytest.approx(seats["score"][:, 1].std(ddof=1))
    ratio = picked(frame, "lost_per_roll", seat=3)
    assert ratio.estimate == pytest.approx(seats["lost"][:, 2].sum() / seats["rolls"][:, 2].sum())
    won = picked(frame, "win_rate", strategy="shy")
    shy = seats["slot"] == 1
    assert won.estimate == pytest.approx(seats["win"][shy].mean() / WIN_UNIT)


def test_the_standard_deviations_interval_agrees_with_a_bootstrap_of_blocks():
    chunk = play(2000)
    rolls = chunk[0]["rolls"].reshape(-1, 3)
    rng = np.random.default_rng(1)
    drawn = [rolls[rng.integers(0, 2000, 2000)].std(ddof=1) for _ in range(2000)]
    row = picked(of(chunk).estimates(), "length", "sd")
    assert (row.low, row.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), rel=5e-3)


@pytest.mark.parametrize("rotations", [1, 3])
def test_quantiles(rotations):
    chunk = play(3000, rotations)
    games, seats = chunk
    frame = of(chunk, rotations=rotations).estimates()
    for p, name in ((0.05, "q05"), (0.25, "q25"), (0.5, "q50"), (0.75, "q75"), (0.95, "q95")):
        row = picked(frame, "length", name)
        assert row.estimate == np.quantile(games["rolls"], p, method="inverted_cdf")
        assert row.low <= row.estimate <= row.high <= row.low + 4
        row = picked(frame, "score", name, strategy="bold")
        bold = seats["score"][seats["slot"] != 1]
        assert row.estimate == np.quantile(bold, p, method="inverted_cdf")
    median = picked(frame, "length", "q50")
    if rotations == 1:
        exact = stats.quantile_test(games["rolls"], p=0.5).confidence_interval(0.95)
        assert (median.low, median.high) == (exact.low, exact.high)
        assert median.method == "order statistics"
    else:
        assert "Woodruff" in median.method
        assert median.n == 3000
        # games of a block share their luck: of the number of games alone one would claim too much
        values, counts = np.unique(games["rolls"], return_counts=True)
        naive = histogram_quantile(values, counts, 0.5)
        assert median.high - median.low >= naive.high - naive.low


def test_the_histograms_squares_are_those_of_the_blocks():
    chunk = play(200)
    rolls = chunk[0]["rolls"].reshape(-1, 3)
    for limit in (0, 30, 40, 47, 1000):
        below = (rolls <= limit).sum(axis=1)
        expected = ClusterSums.of(below, np.full(200, 3))
        assert of(chunk).below("length", limit) == expected
    score = chunk[1]["score"].reshape(200, 9)
    bold = (chunk[1]["slot"] != 1).reshape(200, 9)
    expected = ClusterSums.of(((score <= 40) & bold).sum(axis=1), np.full(200, 6))
    assert of(chunk).below("score", 40, strategy="bold") == expected


def test_which_interval_a_share_gets():
    single = play(400, 1)
    single[1]["win"] = np.where(single[1]["win"] == WIN_UNIT, WIN_UNIT, 0)
    frame = of(single, rotations=1).estimates()
    won = int((single[1]["win"][:, 0] > 0).sum())
    row, expected = picked(frame, "win_rate", seat=1), wilson(won, 400)
    assert (row.low, row.high, row.n) == (expected.low, expected.high, 400)
    assert row.method == "Wilson"
    # two seats of one strategy in a game: not independent
    assert "over blocks" in picked(frame, "win_rate", strategy="bold").method
    shared = play(400, 1)
    shared[1]["win"][0] = [6, 6, 0]
    row = picked(of(shared, rotations=1).estimates(), "win_rate", seat=1)
    assert "over blocks" in row.method
    assert "over blocks" in picked(of(play(400)).estimates(), "win_rate", seat=1).method


def test_a_rate_of_zero_has_a_bound():
    for rotations in (1, 3):
        chunk = play(300, rotations)
        chunk[0]["capped"] = 0
        row = picked(of(chunk, rotations=rotations).estimates(), "capped")
        assert (row.estimate, row.low) == (0, 0)
        assert row.high == pytest.approx(1 - 0.05 ** (1 / 300), rel=0.01)


def test_values_that_never_differ_have_no_interval():
    chunk = play(100)
    chunk[0]["rolls"] = 7
    frame = of(chunk).estimates()
    row = picked(frame, "length")
    assert (row.estimate, row.low, row.high) == (7, -math.inf, math.inf)
    assert "no interval" in row.method
    assert picked(frame, "length", "sd").high == math.inf
    assert picked(frame, "length", "q50").low == 7


def test_coverage_of_pooled_seats():
    """Two seats of one strategy in each game, three rotations: 250 runs of 150 blocks."""
    metrics = (replace(METRICS[0], by=(("strategy",),)),)
    truth = of(play(100_000, seed=99), metrics).sums("win_rate", strategy="bold").ratio() / WIN_UNIT
    missed = 0
    for seed in range(250):
        row = picked(of(play(150, seed=seed), metrics).estimates(), "win_rate", strategy="bold")
        missed += not row.low <= truth <= row.high
    assert missed <= int(stats.binom.isf(1e-6, 250, 0.055))


def test_no_games_give_no_estimates_and_no_error():
    empty = Moments.empty(METRICS, rotations=3, labels=LABELS)
    assert of(play(0)) == empty
    frame = empty.estimates()
    assert frame["estimate"].isna().all()
    assert (frame["n"] == 0).all()
    share = frame[frame["metric"] == "win_rate"]
    assert (share["low"] == 0).all()
    assert (share["high"] == 1).all()
    assert empty.below("length", 5) == ClusterSums()
    assert bounded_mean_sequence(*empty.block_values("win_rate", seat=1)) == (0, 1)


@pytest.mark.parametrize("rotations", [1, 3])
def test_one_block_is_no_evidence(rotations):
    frame = of(play(1, rotations), rotations=rotations).estimates()
    share = frame[frame["metric"] == "win_rate"]
    assert (share["high"] - share["low"] > 0.9).all()
    assert np.isinf(picked(frame, "length").high)


# -------------------------------------------------------------------------------------- merging


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.randoms(), st.sampled_from([1, 3]))
@settings(max_examples=20, deadline=None)
def test_chunks_merge_exactly_in_any_cut_and_order(sizes, order, rotations):
    games, seats = play(sum(sizes), rotations, seed=3)
    ends = np.cumsum([0, *sizes]) * rotations
    parts = [of((games[a:b], seats[a:b]), rotations=rotations) for a, b in pairwise(ends)]
    whole = of((games, seats), rotations=rotations)
    order.shuffle(parts)
    assert reduce(add, parts) == whole
    assert reduce(lambda a, b: b + a, parts) == whole
    empty = Moments.empty(METRICS, rotations=rotations, labels=LABELS)
    assert empty + whole == whole + empty == whole
    pd.testing.assert_frame_equal(reduce(add, parts).estimates(), whole.estimates())


def test_adding_leaves_the_parts_alone():
    a, b = of(play(30)), of(play(30, first=30))
    before = pickle.dumps(a)
    assert (a + b).blocks == 60
    assert a + b == b + a
    assert a != b
    assert pickle.dumps(a) == before
    assert pickle.loads(before) == a  # to and from a worker


def test_chunks_longer_than_a_slice_of_work_change_nothing():
    games, seats = play(4000)  # a slice is some 1400 blocks here
    parts = [of((games[i : i + 240], seats[i : i + 240])) for i in range(0, 12_000, 240)]
    assert reduce(add, parts) == of((games, seats))


def test_what_does_not_belong_together_does_not_add_up():
    a = of(play(3))
    for b in (
        of(play(3), METRICS[:2]),
        of(play(3), labels=("bold", "shy", "shy")),
        of(play(3, 1), rotations=1),
    ):
        assert a != b
        with pytest.raises(ValueError, match="do not add up"):
            a + b


def test_sums_stay_exact_where_floats_and_int64_would_not():
    plain = (
        Metric("points", "points", "game", "points"),
        Metric("per", "points", "game", "points", per="rolls"),
    )
    games, seats = play(500)
    games["points"] = 10**12 - np.arange(1500) % 7
    moments = of((games, seats), plain)
    totals = [sum(map(int, games["points"][i : i + 3])) for i in range(0, 1500, 3)]
    expected = ClusterSums(
        500, sum(totals), 1500, sum(t * t for t in totals), 9 * 500, 3 * sum(totals)
    )
    assert moments.sums("points") == expected
    assert moments.sums("per").numden == sum(
        t * int(r) for t, r in zip(totals, block_sums(games["rolls"], 3), strict=True)
    )
    games["points"] = 2**52
    with pytest.raises(ValueError, match="too large"):
        of((games, seats), plain)


def test_the_standard_deviation_of_large_values():
    """Fourth powers near 10^29: far beyond int64, and the spread is in the last digit."""
    metric = Metric("points", "points", "game", "points", statistics=("sd",))
    games, seats = play(5000)
    games["points"] = 2 * 10**7 + np.random.default_rng(1).integers(0, 7, 15_000)
    row = picked(of((games, seats), (metric,)).estimates(), "points", "sd")
    assert row.estimate == pytest.approx(games["points"].std(ddof=1), rel=1e-12)
    # independent values from 0 to 6: sd 2, kurtosis 1.75
    half = 1.96 * math.sqrt((1.75 - 1) / 4 / 15_000) * 2
    assert row.high - row.low == pytest.approx(2 * half, rel=0.05)
    games["points"] = 10**8
    with pytest.raises(ValueError, match="too large"):
        of((games, seats), (metric,))


def test_values_at_the_ends_of_their_type_stay_exact():
    games, seats = play(400)
    seats["lost"] = np.random.default_rng(1).choice([-(2**15), 2**15 - 1], seats.shape)
    frame = long_form((games, seats), 3, LABELS)
    sums = of((games, seats)).sums("lost_per_roll")
    blocks = frame.groupby("block")
    assert sums == ClusterSums.of(blocks["lost"].sum(), blocks["rolls"].sum())


# ------------------------------------------------------------------- the state of the sequences


def test_block_values_are_the_state_of_the_sequence():
    chunk = play(3000)
    moments = of(chunk)
    totals = chunk[1]["win"][:, 0].reshape(-1, 3).sum(axis=1)
    values, counts = moments.block_values("win_rate", seat=1)
    expected, expected_counts = np.unique(totals, return_counts=True)
    assert values.tolist() == (expected / 36).tolist()
    assert counts.tolist() == expected_counts.tolist()
    low, high = bounded_mean_sequence(values, counts)
    fixed = picked(moments.estimates(), "win_rate", seat=1)
    assert low < fixed.low < fixed.high < high
    values, counts = moments.block_values("win_rate", strategy="bold", seat=2)
    assert counts.sum() == 3000
    for metric in ("length", "lost_per_roll"):
        with pytest.raises(ValueError, match="not kept"):
            moments.block_values(metric)


def test_a_quantile_is_gated_as_a_rate():
    moments = of(play(3000))
    low, high = asymptotic_ratio_sequence(moments.below("length", 60), bounds=(0, 1))
    assert 0.9 < low < high < 1
    with pytest.raises(ValueError, match="no quantiles"):
        moments.below("win_rate", 0.5, seat=1)


def test_unknown_groups_are_refused():
    moments = of(play(3))
    for options in ({"seat": 4}, {"strategy": "meek"}, {"seat": 0}):
        with pytest.raises(ValueError, match="in these moments"):
            moments.sums("win_rate", **options)
    with pytest.raises(ValueError, match="in these moments"):
        moments.sums("luck")


# ------------------------------------------------------------------------------- what is refused


BASE = Metric("x", "cards", "seat", "lost")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (replace(BASE, table="card"), "unknown table"),
        (replace(BASE, by=(("wizard",),)), "cannot group"),
        (replace(BASE, by=(("seat", "seat"),)), "cannot group"),
        (replace(BASE, table="game", value="rolls", by=(("seat",),)), "have no seat"),
        (replace(BASE, statistics=("median",)), "unknown statistic"),
        (replace(BASE, per="rolls", statistics=("mean", "sd")), "mean only"),
        (replace(BASE, scale=0), "scale"),
        (replace(BASE, value="mined"), "no field 'mined'"),
        (replace(BASE, unit="share", value="lost", scale=1), "leaves 0 to 1"),
    ],
)
def test_metrics_that_cannot_be_computed_are_refused(metric, message):
    with pytest.raises(ValueError, match=message):
        of(play(20), (metric,))


def test_two_metrics_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        of(play(3), (BASE, BASE))


def test_fields_that_are_not_whole_are_refused():
    games, seats = play(3)
    half = seats.astype([(n, "f8" if n == "lost" else SEAT[n]) for n in FIELDS])
    with pytest.raises(ValueError, match="whole numbers"):
        of((games, half), (BASE,))


def test_chunks_that_are_not_whole_blocks_are_refused():
    games, seats = play(4)
    with pytest.raises(ValueError, match="whole blocks"):
        of((games[:-1], seats[:-1]))
    with pytest.raises(ValueError, match="in order"):
        of((games[1:-2], seats[1:-2]))
    with pytest.raises(ValueError, match="in order"):
        of((games[::-1], seats[::-1]))
    with pytest.raises(ValueError, match="need games"):
        of((games, seats[:, :2]))
    with pytest.raises(ValueError, match="rotations"):
        of((games, seats), rotations=2)
    swapped = seats[:, ::-1]
    with pytest.raises(ValueError, match="slot"):
        of((games, swapped))


def test_units_say_what_is_a_share():
    assert is_share(METRICS[0])
    assert is_share(replace(BASE, unit="share of rolls"))
    assert is_share(replace(BASE, unit="share"))
    assert not is_share(replace(BASE, unit="shares"))
    assert not is_share(BASE)


def test_block_sums():
    values = np.arange(12, dtype=np.int16).reshape(6, 2)
    assert block_sums(values, 3).tolist() == [[6, 9], [24, 27]]
    assert block_sums(np.full(4, 2**15 - 1, np.int16), 4).tolist() == [4 * (2**15 - 1)]
    with pytest.raises(ValueError, match="whole blocks"):
        block_sums(values, 4)


# --------------------------------------------------------------------------------- keyed moments


def keyed_oracle(keys, num, den, rotations) -> dict[int, ClusterSums]:
    """Sums of every key from the blocks that have a row of it, written out."""
    rows = len(keys) // rotations
    totals: dict[int, dict[int, list[int]]] = {}
    for block in range(rows):
        part = slice(block * rotations, (block + 1) * rotations)
        for k, a, d in zip(
            np.ravel(keys[part]), np.ravel(num[part]), np.ravel(den[part]), strict=True
        ):
            if k >= 0:
                pair = totals.setdefault(int(k), {}).setdefault(block, [0, 0])
                pair[0] += int(a)
                pair[1] += int(d)
    return {
        k: ClusterSums.of(*map(list, zip(*blocks.values(), strict=True)))
        for k, blocks in totals.items()
    }


@pytest.mark.parametrize(("rotations", "players"), [(1, 0), (4, 0), (3, 3), (1, 4)])
def test_keyed_sums_are_those_of_a_dictionary(rotations, players):
    rng = np.random.default_rng(2)
    shape = (60 * rotations, players) if players else (60 * rotations,)
    keys, num = rng.integers(-1, 6, shape), rng.integers(-5, 13, shape)
    for den in (None, rng.integers(0, 4, shape)):
        found = keyed_moments(keys, num, den, rotations=rotations)
        plain = np.ones(shape, int) if den is None else den
        expected = keyed_oracle(keys, num, plain, rotations)
        assert {k: found.sums(k) for k in expected} == expected
        assert found.sums(99) == ClusterSums()


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_keyed_sums_merge(a, b, seed):
    rng = np.random.default_rng(seed)
    n = 2 * (a + b)
    keys, num = rng.integers(-1, 4 + seed, n), rng.integers(0, 13, n)
    whole = keyed_moments(keys, num, rotations=2)
    parts = [keyed_moments(keys[p], num[p], rotations=2) for p in (slice(2 * a), slice(2 * a, n))]
    assert parts[0] + parts[1] == parts[1] + parts[0] == whole


def test_the_win_of_the_leader_by_lead():
    """Snowball: the leader by k cards wins with probability 0.3 + 0.05 k; 20,000 blocks of 4."""
    rng, n = np.random.default_rng(3), 80_000
    lead = np.minimum(rng.poisson(3, n), 9)
    lead[rng.random(n) < 0.1] = -1  # nobody ever led
    won = rng.random(n) < 0.3 + 0.05 * lead
    frame = keyed_moments(lead, 12 * won, rotations=4).estimates(0.999, scale=12, share=True)
    assert frame["key"].tolist() == list(range(10))
    assert frame["total"].sum() == (lead >= 0).sum()
    truth = 0.3 + 0.05 * frame["key"]
    assert ((frame["low"] <= truth) & (truth <= frame["high"])).all()
    assert (frame["n"] < 20_001).all()
    assert frame["high"].max() <= 1


def test_keyed_edges():
    nothing = keyed_moments([-1, -1], [1, 1], rotations=1)
    assert nothing == KeyedMoments(np.empty((0, 6), dtype=object))
    assert nothing.estimates().empty
    once = keyed_moments([2], [1], rotations=1).estimates(share=True)
    assert once[["key", "low", "high"]].values.tolist() == [[2, 0, 1]]
    for keys, num, den, message in (
        ([1, 2], [1], None, "shapes"),
        ([1, 2, 3], [1, 1, 1], None, "whole blocks"),
        ([1.5, 2], [1, 1], None, "whole numbers"),
        ([1, 2], [2**40, 1], None, "too large"),
        ([1, 2], [1, 1], [1, 2**40], "too large"),
    ):
        with pytest.raises(ValueError, match=message):
            keyed_moments(keys, num, den, rotations=2)


def test_one_player_alone_has_no_figures_about_others():
    dobbers = load_game("dobbers")
    several = {metric.name for metric in metrics_of(dobbers, 2)}
    assert several == {metric.name for metric in dobbers.metrics}
    assert several - {metric.name for metric in metrics_of(dobbers, 1)} == {
        "lead_changes",
        "outwits",
    }
    with pytest.raises(UserError, match="unknown metric 'lead_changes'"):
        find_measure(dobbers, "lead_changes", {}, ("solo_fast",))


def test_metrics_of_a_team_are_not_those_of_rivals():
    game = load_game("near_and_far")
    names = {
        together: [metric.name for metric in metrics_of(game, 3, together)]
        for together in (None, False, True)
    }
    assert names[True][0] == headline_of(game, True) == "team_win_rate"
    assert headline_of(game, False) == "win_rate"
    assert set(names[None]) - set(names[True]) == {"win_rate", "margin", "lead_changes"}
    gone = set(names[None]) - set(names[False])
    assert {"team_win_rate", "team_margin", "bosses_left", "skull_rate"} <= gone
    assert "score" in names[True]
    assert "score" in names[False]
