"""Gates: verdicts on planted effects, what is printed is what decides, false alarms."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.gates import (
    ASYMPTOTIC,
    ASYMPTOTIC_PAIRED,
    BETTING,
    BETTING_PAIRED,
    QUANTILE,
    QUANTILE_CHANGE,
    SPREAD_METHOD,
    Gate,
    GateResult,
    PlaySums,
    Reading,
    SpreadSums,
    add,
    exit_code,
    identical,
    judge,
    quantile_sequence,
    shared_level,
    sums_of,
    unpaired_blocks,
)
from analysis.intervals import ClusterSums
from analysis.measures import Measure, RankCounts
from analysis.pairs import PairSums
from analysis.sequential import (
    Verdict,
    asymptotic_ratio_sequence,
    bounded_mean_sequence,
    gate_verdict,
    looks,
)
from sim.batch import Chunk
from sim.game import WIN_UNIT, Metric
from tests.analysis.games import chunk, cut, winners

WIN = Metric("win_rate", "share", "seat", "win", scale=WIN_UNIT, by=(("seat",),))
HITS = Metric("hits", "hits", "seat", "hits", by=((),))
HIT_RATE = Metric("hit_rate", "share of hits", "seat", "hits", per="slot", by=((),))
ROLLS = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
LABELS = ("a", "b", "c", "d")
SEAT_1 = Measure(WIN, seat=1)


def read(gate: Gate, *chunks: Chunk, rotations: int = 1) -> Reading:
    return judge(gate, sums_of(gate, chunks, rotations=rotations, labels=(LABELS,) * len(chunks)))


def flipped(win: np.ndarray, rng: np.random.Generator, share: float) -> np.ndarray:
    """The same winners, but in a share of the games seat 1 wins."""
    win = win.copy()
    win[rng.random(len(win)) < share] = WIN_UNIT * np.eye(4, dtype=np.int64)[0]
    return win


# ---------------------------------------------------------------------------- planted effects


@pytest.mark.parametrize(
    ("within", "verdict"),
    [
        ((0.2, 0.3), Verdict.PASS),
        ((0.3, 0.5), Verdict.FAIL),
        ((0.1, 0.2), Verdict.FAIL),
        ((0.25, 0.5), Verdict.UNDECIDED),  # the truth lies on the border
    ],
)
def test_a_win_rate_of_a_quarter_is_gated(within, verdict) -> None:
    games = chunk(winners(np.random.default_rng(1), 20_000))
    gate = Gate("fair", SEAT_1, within=within)
    found = read(gate, games)
    assert found.verdict is verdict
    assert found.method == BETTING
    wins = games.seats["win"][:, 0]
    expected = bounded_mean_sequence([0, 1], [(wins == 0).sum(), (wins == 12).sum()])
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.estimate == pytest.approx(wins.mean() / 12)


@pytest.mark.parametrize(
    ("share", "margin", "verdict"),
    [
        (0.004, 0.02, Verdict.EQUIVALENT),  # an effect of 0.3 points
        (0.1, 0.02, Verdict.CHANGED_UP),  # 7.5 points
        (0.0267, 0.02, Verdict.UNDECIDED),  # 2 points: the margin itself
    ],
)
def test_a_planted_change_is_found(share, margin, verdict) -> None:
    rng = np.random.default_rng(2)
    base = winners(rng, 16_384)
    changed = flipped(base, rng, share)
    gate = Gate("seat 1", SEAT_1, margin=margin)
    found = read(gate, chunk(changed), chunk(base))
    assert found.verdict is verdict
    assert found.method == BETTING_PAIRED
    assert found.low <= share * 0.75 <= found.high
    down = {Verdict.CHANGED_UP: Verdict.CHANGED_DOWN}.get(verdict, verdict)
    swapped = read(gate, chunk(base), chunk(changed))
    assert swapped.verdict is down
    assert (swapped.low, swapped.high) == pytest.approx((-found.high, -found.low))


def test_means_and_ratios_have_the_asymptotic_sequence() -> None:
    rng = np.random.default_rng(3)
    n = 4096
    hits = rng.poisson(3.0, (n, 4))
    games = chunk(winners(rng, n), hits, rotations=4)
    found = read(Gate("hits", Measure(HITS), within=(2.8, 3.2)), games)
    assert found.verdict is Verdict.PASS
    assert found.method == ASYMPTOTIC
    expected = asymptotic_ratio_sequence(ClusterSums.of(hits.sum(axis=1), np.full(n, 4)), 0.95)
    assert (found.low, found.high) == pytest.approx(expected)
    slots = np.tile(np.arange(4), (n, 1))
    rare = chunk(winners(rng, n), (slots > 0) & (rng.random((n, 4)) < 0.3))
    found = read(Gate("rate", Measure(HIT_RATE), within=(0.0, 0.4)), rare)  # 3 hits to 6 of slots
    assert found.method == ASYMPTOTIC
    assert found.estimate == pytest.approx(rare.seats["hits"].sum() / (6 * n))
    assert found.verdict is Verdict.PASS


def test_a_mean_that_changed_for_some_is_gated() -> None:
    rng = np.random.default_rng(4)
    hits = rng.poisson(3.0, (4096, 4))
    more = hits + (rng.random((4096, 4)) < 0.1)
    win = winners(rng, 4096)
    gate = Gate("hits", Measure(HITS), margin=0.2)
    found = read(gate, chunk(win, more), chunk(win, hits))
    assert found.verdict is Verdict.EQUIVALENT
    assert found.method == ASYMPTOTIC_PAIRED
    assert found.low <= 0.1 <= found.high
    found = read(replace(gate, margin=0.05), chunk(win, more), chunk(win, hits))
    assert found.verdict is Verdict.CHANGED_UP


def test_a_mean_that_never_differed_is_not_known_for_certain() -> None:
    """Without any difference seen the interval is narrow, not empty."""
    rng = np.random.default_rng(5)
    same = chunk(winners(rng, 2048), rng.poisson(3.0, (2048, 4)))
    found = read(Gate("hits", Measure(HITS), margin=0.05), same, same)
    assert found.low < 0 < found.high
    assert found.verdict is Verdict.EQUIVALENT
    narrow = read(Gate("hits", Measure(HITS), margin=1e-4), same, same)
    assert narrow.verdict is Verdict.UNDECIDED
    early = chunk(winners(rng, 512), rng.poisson(3.0, (512, 4)))
    found = read(Gate("hits", Measure(HITS), margin=0.05), early, early)
    assert (found.low, found.high, found.verdict) == (-math.inf, math.inf, Verdict.UNDECIDED)


# ---------------------------------------------------------------------------------- quantiles


@pytest.mark.parametrize(
    ("within", "verdict"),
    [
        ((19, 21), Verdict.PASS),  # the median of 1 .. 39 is 20
        ((1, 20), Verdict.UNDECIDED),
        ((21.5, 30), Verdict.FAIL),
        ((1, 18), Verdict.FAIL),
    ],
)
def test_a_quantile_is_gated_by_two_rates(within, verdict) -> None:
    """The verdict is that of P(X <= b) >= p and P(X < a) <= p, from their own sequences."""
    rng = np.random.default_rng(6)
    rolls = rng.integers(1, 40, 8192)
    games = chunk(winners(rng, 8192), rolls=rolls)
    gate = Gate("length", Measure(ROLLS, statistic="q50"), within=within)
    found = read(gate, games)
    assert found.verdict is verdict
    assert found.method == QUANTILE
    assert found.estimate == 20

    def rate(x: float) -> tuple[float, float]:
        below = int((rolls <= x).sum())
        return bounded_mean_sequence([0, 1], [len(rolls) - below, below])

    a, b = within
    up_to_b, below_a = rate(b), rate(math.ceil(a) - 1)
    if verdict is Verdict.PASS:
        assert up_to_b[0] >= 0.5
        assert below_a[1] <= 0.5
    elif verdict is Verdict.FAIL:
        assert up_to_b[1] < 0.5 or below_a[0] > 0.5
    else:
        assert up_to_b[0] < 0.5 < up_to_b[1] or below_a[0] < 0.5 < below_a[1]


def test_the_quantile_interval_of_rotated_blocks_covers_the_quantile() -> None:
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(200):
        values = rng.integers(0, 8, (300, 1)) + rng.integers(0, 5, (300, 4))
        low, high = quantile_sequence(RankCounts.of(values), 0.95)
        missed += not low <= 10 <= high  # P(X <= 9) = 37/40 < 0.95, P(X <= 10) = 39/40
    assert missed <= stats.binom.isf(1e-6, 200, 0.05)
    assert quantile_sequence(RankCounts.of(np.arange(3)[:, None]), 0.5) == (-math.inf, math.inf)
    assert quantile_sequence(RankCounts.of(np.full((1000, 1), 7)), 0.5) == (7, 7)


def test_a_change_of_a_quantile_is_that_of_two_intervals() -> None:
    rng = np.random.default_rng(8)
    rolls = rng.integers(1, 40, 8192)
    win = winners(rng, 8192)
    gate = Gate("length", Measure(ROLLS, statistic="q50"), margin=3)
    found = read(gate, chunk(win, rolls=rolls + 8), chunk(win, rolls=rolls))
    assert (found.estimate, found.verdict) == (8, Verdict.CHANGED_UP)
    assert found.method == QUANTILE_CHANGE
    old = quantile_sequence(RankCounts.of(rolls[:, None]), 0.5, 0.975)
    assert (found.low, found.high) == (8 + old[0] - old[1], 8 + old[1] - old[0])
    same = read(gate, chunk(win, rolls=rolls), chunk(win, rolls=rolls))
    assert same.verdict is Verdict.EQUIVALENT


# ------------------------------------------------------------------------------------- spread


def test_the_spread_over_seats_is_gated_by_their_simultaneous_sequences() -> None:
    rng = np.random.default_rng(9)
    seats = tuple(Measure(WIN, seat=s) for s in (1, 2, 3, 4))
    gate = Gate("seats", seats[0], within=(0.0, 0.05), seats=seats)
    fair = chunk(winners(rng, 20_000))
    found = read(gate, fair)
    rates = fair.seats["win"].mean(axis=0) / 12
    assert found.estimate == pytest.approx(rates.max() - rates.min())
    assert found.verdict is Verdict.PASS
    assert found.method == SPREAD_METHOD
    ends = [
        bounded_mean_sequence([0, 1], [(w == 0).sum(), (w == 12).sum()], 1 - 0.05 / 4)
        for w in fair.seats["win"].T
    ]
    assert found.high == pytest.approx(max(e[1] for e in ends) - min(e[0] for e in ends))
    assert found.low == 0
    unfair = chunk(winners(rng, 20_000, luck=1.6))
    assert read(gate, unfair).verdict is Verdict.FAIL
    assert gate.figure == "win_rate, max - min over seats"


# ------------------------------------------------------------- what is printed, what is needed


def all_readings() -> list[tuple[Gate, Reading]]:
    rng = np.random.default_rng(10)
    base = winners(rng, 3000)
    rolls, hits = rng.integers(1, 40, 3000), rng.poisson(3.0, (3000, 4))
    old = chunk(base, hits, rolls=rolls)
    new = chunk(flipped(base, rng, 0.05), hits + (rng.random((3000, 4)) < 0.1), rolls=rolls + 1)
    found = []
    for measure in (SEAT_1, Measure(HITS), Measure(ROLLS), Measure(ROLLS, statistic="q50")):
        for size in (0.02, 0.1, 1.0, 3.0):
            gate = Gate("change", measure, margin=size)
            found.append((gate, read(gate, new, old)))
            middle = {"win_rate": 0.25, "hits": 3.0, "rolls": 20.0}[measure.metric.name]
            gate = Gate("range", measure, within=(middle - size, middle + size))
            found.append((gate, read(gate, old)))
    return found


def test_the_verdict_is_read_off_the_interval_that_is_printed() -> None:
    readings = all_readings()
    for gate, found in readings:
        assert found.low <= found.estimate <= found.high
        assert found.verdict is gate_verdict(
            found.low, found.high, margin=gate.margin, within=gate.within
        )
        assert (found.needs == 0) == found.decided
    assert {found.verdict for _, found in readings} >= {
        Verdict.PASS,
        Verdict.EQUIVALENT,
        Verdict.CHANGED_UP,
        Verdict.UNDECIDED,
    }


def test_what_more_blocks_are_needed_is_about_right() -> None:
    """The same counts, seen again until a gate decides, give the number that was told."""
    rng = np.random.default_rng(11)
    base = winners(rng, 1024)
    pair = chunk(flipped(base, rng, 0.02), rng.poisson(3.0, (1024, 4))), chunk(base)
    for gate in (Gate("win", SEAT_1, margin=0.03), Gate("share", SEAT_1, within=(0.2, 0.3))):
        sums = sums_of(gate, pair[: gate.plays], rotations=1, labels=(LABELS,) * gate.plays)
        first = judge(gate, sums)
        assert not first.decided
        total, found = sums, first
        while not found.decided:
            total = add(total, sums)
            found = judge(gate, total)
        assert total.blocks - 2 * 1024 < first.needs <= total.blocks - 1024
    on_the_border = Gate("border", SEAT_1, within=(0.0, base[:, 0].mean() / 12))
    assert read(on_the_border, chunk(base)).needs == math.inf


def test_luck_that_is_not_shared_takes_more_games() -> None:
    rng = np.random.default_rng(12)
    base = winners(rng, 16_384)
    gate = Gate("seat 1", SEAT_1, margin=0.02)
    games = chunk(flipped(base, rng, 0.004)), chunk(base)
    paired = sums_of(gate, games, rotations=1, labels=(LABELS, LABELS))
    assert isinstance(paired, PairSums)
    blocks = unpaired_blocks(gate, paired)
    # independent plays as long as that: their difference decides there, and not at half of it
    for times, verdict in ((1.4, Verdict.EQUIVALENT), (0.5, Verdict.UNDECIDED)):
        n = int(blocks * times)
        apart = read(gate, chunk(flipped(winners(rng, n), rng, 0.004)), chunk(winners(rng, n)))
        assert apart.verdict is verdict
    quarter = [cut(play, int(blocks / 4))[0] for play in games]
    assert read(gate, *quarter).verdict is Verdict.EQUIVALENT
    never = chunk(np.zeros((1024, 4), np.int64))
    nobody = sums_of(gate, (never, never), rotations=1, labels=(LABELS, LABELS))
    assert isinstance(nobody, PairSums)
    assert math.isnan(unpaired_blocks(gate, nobody))
    assert GateResult(gate, "v", "base", judge(gate, nobody), nobody, 1, "").unpaired_games is None


def test_sums_of_parts_are_the_sums_of_the_whole() -> None:
    rng = np.random.default_rng(13)
    whole = chunk(
        winners(rng, 800), rng.poisson(3.0, (800, 4)), rotations=4, rolls=rng.integers(1, 9, 800)
    )
    for gate in (
        Gate("win", SEAT_1, within=(0.2, 0.3)),
        Gate("strategy", Measure(WIN, strategy="b"), within=(0.2, 0.3)),
        Gate("hits", Measure(HITS), within=(2.0, 4.0)),
        Gate("slot 2", Measure(WIN, fields=(("slot", 2),)), within=(0.2, 0.3)),
        Gate("length", Measure(ROLLS, statistic="q50"), within=(2.0, 6.0)),
        Gate("spread", SEAT_1, within=(0, 0.1), seats=(SEAT_1, Measure(WIN, seat=2))),
    ):
        parts = [
            sums_of(gate, (part,), rotations=4, labels=(LABELS,)) for part in cut(whole, 200, 480)
        ]
        total = add(add(parts[2], parts[0]), parts[1])
        assert judge(gate, total) == read(gate, whole, rotations=4)
        assert judge(gate, total).blocks == 200


# -------------------------------------------------------------------------------- false alarms


def alarms(gate: Gate, hits: float, lump: int, runs: int, blocks: int, seed: int) -> int:
    """Runs in which a gate on a change of exactly its margin ever decides, at any look."""
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(runs):
        old = rng.poisson(3.0, (blocks, 4))
        new = old + lump * (rng.random((blocks, 1)) < hits)
        win = np.zeros((blocks, 4), np.int64)
        whole, base = chunk(win, new), chunk(win, old)
        edges = looks(blocks)[:-1].tolist()
        total = None
        for a, b in zip(cut(whole, *edges), cut(base, *edges), strict=True):
            part = sums_of(gate, (a, b), rotations=1, labels=(LABELS, LABELS))
            total = add(total, part)
            if judge(gate, total, forecast=False).decided:
                count += 1
                break
    return count


@pytest.mark.parametrize(("share", "lump"), [(0.3, 1), (0.02, 1), (0.005, 1), (0.001, 2)])
def test_a_change_of_exactly_the_margin_is_seldom_decided(share, lump) -> None:
    """Also where few blocks differ, and few have been seen at the first look."""
    gate = Gate("hits", Measure(HITS), margin=share * lump)
    assert alarms(gate, share, lump, 120, 8192, seed=14) <= stats.binom.isf(1e-6, 120, 0.05)


# --------------------------------------------------------------------------------------- rest


def test_gates_share_the_error_and_say_what_counts() -> None:
    assert shared_level(0.95, 5) == pytest.approx(0.99)
    assert shared_level(0.95, 0) == 0.95
    gate = Gate("win", SEAT_1, margin=0.01)
    assert gate.holds(Verdict.EQUIVALENT) is True
    assert gate.holds(Verdict.CHANGED_DOWN) is False
    assert gate.holds(Verdict.UNDECIDED) is None
    assert replace(gate, on_undecided="fail").holds(Verdict.UNDECIDED) is False
    assert replace(gate, on_undecided="pass").holds(Verdict.UNDECIDED) is True
    assert identical(gate).verdict is Verdict.EQUIVALENT
    assert (identical(gate).blocks, identical(gate).low, identical(gate).high) == (0, 0, 0)
    games = chunk(winners(np.random.default_rng(15), 4096))
    wide = read(Gate("win", SEAT_1, within=(0.2, 0.3), level=0.999), games)
    assert wide.high - wide.low > 1.2 * (
        (narrow := read(Gate("win", SEAT_1, within=(0.2, 0.3)), games)).high - narrow.low
    )


def test_gates_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="either a margin or a range"):
        Gate("both", SEAT_1, within=(0, 1), margin=0.1)
    with pytest.raises(ValueError, match="empty range"):
        Gate("empty", SEAT_1, within=(0.3, 0.2))
    with pytest.raises(ValueError, match="a spread is gated by a range"):
        Gate("spread", SEAT_1, margin=0.1, seats=(SEAT_1,))
    games = chunk(winners(np.random.default_rng(16), 8), rotations=4)
    gate = Gate("win", SEAT_1, margin=0.1)
    with pytest.raises(ValueError, match="needs 2 plays, not 1"):
        sums_of(gate, (games,), rotations=4, labels=(LABELS,))
    with pytest.raises(ValueError, match="not measured against anything"):
        identical(Gate("win", SEAT_1, within=(0, 1)))
    one = PlaySums.of(SEAT_1, games, rotations=4, labels=LABELS)
    with pytest.raises(ValueError, match="gated by a margin"):
        judge(gate, one)
    with pytest.raises(ValueError, match="gated by a margin"):
        judge(gate, SpreadSums((one,)))
    with pytest.raises(ValueError, match="different measures"):
        add(one, PlaySums.of(Measure(HITS), games, rotations=4, labels=LABELS))
    with pytest.raises(ValueError, match="different gates"):
        add(one, SpreadSums((one,)))


# ------------------------------------------------------------------------- what is told of it


def result(gate: Gate, reading: Reading, **more: Any) -> GateResult:
    return GateResult(gate, "base", None, reading, None, 4, "decided", **more)


def reading(verdict: Verdict, needs: float = 0.0) -> Reading:
    return Reading(0.25, 0.2, 0.3, 0.95, 1024, verdict, BETTING, needs)


def test_verdicts_that_turn_round_are_flips() -> None:
    gate = Gate("fair", SEAT_1, within=(0.1, 0.4))
    passed, failed = reading(Verdict.PASS), reading(Verdict.FAIL)
    still_open = reading(Verdict.UNDECIDED, 512)
    repeats = {"blunder": failed, "second": passed, "third": still_open, "fourth": None}
    found = result(gate, passed, repeats=repeats)
    assert found.flips == ("blunder",)
    row = found.row()
    assert (row["flips"], row["second"], row["third"]) == ("blunder", "PASS", "UNDECIDED")
    assert "fourth" not in row
    assert result(gate, failed, repeats=repeats).flips == ("second",)
    assert result(gate, still_open, repeats=repeats).flips == ()
    assert (found.games, found.unpaired_games) == (4096, None)
    assert result(gate, still_open).more_games == 2048


def test_what_a_row_holds_is_what_was_judged() -> None:
    rng = np.random.default_rng(17)
    base = winners(rng, 4096)
    games = chunk(flipped(base, rng, 0.01)), chunk(base)
    gate = Gate("seat 1", SEAT_1, margin=0.02)
    sums = sums_of(gate, games, rotations=1, labels=(LABELS, LABELS))
    assert isinstance(sums, PairSums)
    found = GateResult(gate, "v", "base", judge(gate, sums), sums, 1, "decided")
    row = found.row()
    assert gate_verdict(row["low"], row["high"], margin=row["max_change"]) == row["verdict"]
    assert (
        row["discordance"]
        == sums.discordance
        == (games[0].seats != games[1].seats).mean(axis=1).astype(bool).mean()
    )
    assert row["speed_up"] == sums.speed_up() > 10
    assert row["unpaired_games"] == found.unpaired_games > row["games"] == 4096
    assert (row["variant"], row["against"], row["seat"], row["holds"]) == ("v", "base", 1, True)
    assert found.figure == "win_rate of seat 1: v against base"
    assert found.wanted == "change of at most 0.02"


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict.PASS, Verdict.PASS], 0),
        ([Verdict.PASS, Verdict.UNDECIDED], 3),
        ([Verdict.FAIL, Verdict.UNDECIDED], 1),
        ([Verdict.UNDECIDED, Verdict.PASS, Verdict.FAIL], 1),
        ([], 0),
    ],
)
def test_one_failing_gate_outweighs_open_ones(verdicts, code) -> None:
    gate = Gate("fair", SEAT_1, within=(0.1, 0.4))
    assert exit_code([result(gate, reading(verdict)) for verdict in verdicts]) == code


def test_an_open_gate_counts_as_it_asks_to() -> None:
    still_open = reading(Verdict.UNDECIDED)
    for wish, code in (("exit3", 3), ("fail", 1), ("pass", 0)):
        gate = Gate("fair", SEAT_1, within=(0.1, 0.4), on_undecided=wish)
        assert exit_code([result(gate, still_open)]) == code
