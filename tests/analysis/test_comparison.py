"""Effects of variants: intervals against second opinions, planted effects, verdicts, flips."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from statsmodels.stats.weightstats import DescrStatsW

from analysis.comparison import (
    FEW,
    Parted,
    Side,
    answer,
    chosen_metrics,
    compared_measures,
    effect_interval,
    effects,
    judgement,
    parted,
    summing,
    with_flips,
)
from analysis.intervals import no_differences, tango
from analysis.measures import Measure
from analysis.pairs import PairSums
from sim.errors import UserError
from sim.game import Metric
from tests.analysis.games import chunk, cut, winners

WIN = Metric("win_rate", "share of games", "seat", "win", scale=12, by=(("seat",), ("strategy",)))
ROLLS = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
HITS = Metric("hits", "hits", "seat", "hits", by=((), ("seat",)))
PER = Metric("hits_per_win", "hits", "seat", "hits", per="win")
METRICS = (WIN, ROLLS, HITS)
LABELS = ("a", "b", "c", "d")


def pair(measure, changed, base, rotations=1, labels=LABELS) -> PairSums:
    return PairSums.of(
        measure,
        changed,
        base,
        rotations=rotations,
        changed_labels=labels,
        base_labels=labels,
    )


def altered(rng: np.random.Generator, win: np.ndarray, share: float, luck: float) -> np.ndarray:
    """Wins of which a share of the games is drawn anew, with this luck of seat 1."""
    new = win.copy()
    again = rng.random(len(win)) < share
    new[again] = winners(rng, int(again.sum()), luck=luck)
    return new


# ---------------------------------------------------------------------------------------- Tango


def score_statistic(up: int, down: int, n: int, d: float) -> float:
    """The score statistic with the likeliest nuisance share found by numerical search."""
    low, high = max(0.0, -d), (1 - d) / 2

    def loss(q: float) -> float:
        terms = ((up, q + d), (down, q), (n - up - down, 1 - 2 * q - d))
        return -sum(k * math.log(max(p, 1e-300)) for k, p in terms if k)

    found = optimize.minimize_scalar(
        loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}
    )
    variance = n * (2 * found.x + d - d * d)
    return (up - down - n * d) / math.sqrt(variance)


@pytest.mark.parametrize(
    "counts", [(1, 7, 21), (40, 20, 160), (3, 0, 50), (0, 9, 30), (12, 11, 25)]
)
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_tango_is_the_score_test_inverted(counts, level):
    """At each end the score statistic, by another route, is the normal quantile."""
    found = tango(counts[0], counts[1], counts[2], level)
    z = stats.norm.isf((1 - level) / 2)
    up, down, n = counts
    assert score_statistic(up, down, n, found.low) == pytest.approx(z, abs=2e-4)
    assert score_statistic(up, down, n, found.high) == pytest.approx(-z, abs=2e-4)


def test_tango_on_a_published_table():
    """Bentur et al. 2009 as analysed by Fagerland, Lydersen and Laake: -0.517 to -0.026."""
    found = tango(1, 7, 21)
    assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)
    assert found.estimate == pytest.approx(-6 / 21)


def test_tango_mirrors_and_reaches_the_ends():
    one, other = tango(9, 2, 40), tango(2, 9, 40)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert tango(20, 0, 20).high == 1.0
    assert -1 < tango(0, 19, 20).low < -0.95
    for wrong in ((-1, 2, 5), (3, 3, 5)):
        with pytest.raises(ValueError, match="up and down"):
            tango(*wrong)


def coverage(method, p_up: float, p_down: float, n: int, level: float) -> float:
    """Exact coverage: all tables of n games with their probabilities."""
    truth, covered = p_up - p_down, 0.0
    for up in range(n + 1):
        rest = stats.binom.pmf(up, n, p_up)
        if rest < 1e-12:
            continue
        for down in range(n - up + 1):
            chance = rest * stats.binom.pmf(down, n - up, p_down / (1 - p_up))
            if chance > 1e-12 and method(up, down, n, level).contains(truth):
                covered += chance
    return covered


@pytest.mark.parametrize("shares", [(0.1, 0.1), (0.2, 0.05), (0.05, 0.3), (0.02, 0.02)])
def test_tango_keeps_its_level_in_small_samples(shares):
    up, down = shares
    assert coverage(tango, up, down, 50, 0.95) > 0.935


def test_student_on_the_same_games_does_not():
    """Why Tango's interval is there at all."""

    def student(up, down, n, level):
        from analysis.intervals import student_mean

        return student_mean(n, up - down, up + down, level, bounds=(-1, 1))

    assert coverage(student, 0.1, 0.002, 40, 0.95) < 0.92
    assert coverage(tango, 0.1, 0.002, 40, 0.95) > 0.96


def test_no_difference_gives_the_bound_that_would_be_seen():
    found = no_differences(800, 0.95)
    assert (1 - found.high) ** 800 == pytest.approx(0.025)  # half of 5 % for either end
    assert found.low == -found.high
    assert tango(0, 0, 800) == found
    assert no_differences(0).low == -1.0


# -------------------------------------------------------------------------- which interval, when


def test_single_games_have_tangos_interval():
    rng = np.random.default_rng(3)
    base = winners(rng, 3000)
    changed = altered(rng, base, 0.2, 3.0)
    found = effect_interval(pair(Measure(WIN, seat=1), chunk(changed), chunk(base)))
    one, other = changed[:, 0] == 12, base[:, 0] == 12
    up, down = int((one & ~other).sum()), int((other & ~one).sum())
    assert found == tango(up, down, 3000)
    assert found.method == "Tango"


def test_shared_wins_have_students_interval():
    """One game that two seats share, and the blocks are no longer won or lost."""
    rng = np.random.default_rng(4)
    base = winners(rng, 2000)
    changed = altered(rng, base, 0.3, 2.0)
    changed[7] = (6, 6, 0, 0)
    found = effect_interval(pair(Measure(WIN, seat=1), chunk(changed), chunk(base)))
    assert found.method == "Student on block differences"
    difference = (changed[:, 0] - base[:, 0]) / 12
    low, high = DescrStatsW(difference).tconfint_mean(0.05)
    assert (found.estimate, found.low, found.high) == pytest.approx((difference.mean(), low, high))


def test_rotated_blocks_have_students_interval_of_their_differences():
    rng = np.random.default_rng(5)
    base = winners(rng, 4000, luck=2.0)
    changed = altered(rng, base, 0.4, 1.0)
    one, other = chunk(changed, rotations=4), chunk(base, rotations=4)
    measure = Measure(WIN, strategy="b")
    found = effect_interval(pair(measure, one, other, rotations=4), 0.9)
    # strategy b is slot 1, which sits at seat (1 - r) % 4 in rotation r
    seats = (1 - np.arange(4000) % 4) % 4
    rows = (changed - base)[np.arange(4000), seats] / 12
    difference = rows.reshape(1000, 4).mean(axis=1)
    low, high = DescrStatsW(difference).tconfint_mean(0.1)
    assert (found.estimate, found.low, found.high) == pytest.approx((difference.mean(), low, high))
    assert found.n == 1000


def test_means_have_students_interval_as_a_paired_t_test():
    rng = np.random.default_rng(6)
    win, base = winners(rng, 500), rng.poisson(30, 500)
    changed = base + rng.poisson(2, 500)
    found = effect_interval(
        pair(Measure(ROLLS), chunk(win, rolls=changed), chunk(win, rolls=base)), 0.95
    )
    second = stats.ttest_rel(changed, base).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((second.low, second.high))


def test_ratios_have_the_interval_that_the_jackknife_finds():
    rng = np.random.default_rng(7)
    base, changed = winners(rng, 3000), winners(rng, 3000, luck=2.0)
    hits = rng.poisson(2, (3000, 4)) * (base > 0)
    more = hits + rng.poisson(1, (3000, 4)) * (changed > 0)
    found = effect_interval(pair(Measure(PER, seat=1), chunk(changed, more), chunk(base, hits)))
    sums = np.array([more[:, 0], changed[:, 0], hits[:, 0], base[:, 0]], dtype=float)
    left = sums.sum(axis=1)[:, None] - sums
    pseudo = left[0] / left[1] - left[2] / left[3]
    error = math.sqrt(2999 / 3000 * ((pseudo - pseudo.mean()) ** 2).sum())
    whole = sums.sum(axis=1)
    assert found.estimate == pytest.approx(whole[0] / whole[1] - whole[2] / whole[3])
    half = stats.t.isf(0.025, 2999) * error
    assert found.half_width == pytest.approx(half, rel=0.005)
    assert "linearised" in found.method


def test_nothing_differs_gives_a_bound_and_never_width_zero():
    rng = np.random.default_rng(8)
    win, hits = winners(rng, 400), rng.poisson(3, (400, 4))
    same = chunk(win, hits)
    for measure in (Measure(WIN, seat=2), Measure(WIN, strategy="c")):
        found = effect_interval(pair(measure, same, same))
        assert found.estimate == 0.0
        assert (1 - found.high) ** 400 == pytest.approx(0.025)
        assert "bound" in found.method
    unbounded = effect_interval(pair(Measure(HITS), same, same))
    assert (unbounded.low, unbounded.high) == (-math.inf, math.inf)
    assert "no range" in unbounded.method
    shift = effect_interval(pair(Measure(HITS), chunk(win, hits + 1), same))
    assert shift.estimate == 1.0
    assert shift.low < shift.high


@pytest.mark.parametrize("differing", [1, 5, FEW - 1, FEW])
def test_few_blocks_that_differ(differing):
    """Below FEW the interval is no longer Student's, and wider."""
    rng = np.random.default_rng(9)
    win, hits = winners(rng, 5000), rng.poisson(3, (5000, 4))
    more = hits.copy()
    more[:differing, 0] += rng.integers(1, 4, differing)
    sums = pair(Measure(HITS, seat=1), chunk(win, more), chunk(win, hits))
    found = effect_interval(sums)
    second = stats.ttest_rel(more[:, 0], hits[:, 0]).confidence_interval(0.95)
    if differing >= FEW:
        assert (found.low, found.high) == pytest.approx((second.low, second.high))
        return
    assert f"({differing})" in found.method
    # share and change apart, each by another route, at the level that makes both hold
    share = stats.binomtest(differing, 5000).proportion_ci(0.975, method="exact")
    if differing == 1:
        assert (found.low, found.high) == (-math.inf, math.inf)
        return
    changes = (more - hits)[:differing, 0]
    if changes.std() > 0:
        low, high = DescrStatsW(changes).tconfint_mean(0.025)
        ends = [a * b for a in (share.low, share.high) for b in (low, high)]
        assert (found.low, found.high) == pytest.approx((min(ends), max(ends)))
    assert found.high - found.low > second.high - second.low


def test_rare_changes_are_covered_where_student_fails():
    """About four of 2,000 blocks differ, some by far more than most: 400 repetitions."""
    rng = np.random.default_rng(10)
    win = winners(rng, 2000)
    hits = np.zeros((2000, 4), dtype=np.int64)
    kept = student = seen = 0
    truth = 0.002 * (0.9 * 1 + 0.1 * 20)
    for _ in range(400):
        more = hits.copy()
        rare = rng.random(2000) < 0.002
        more[rare, 0] = np.where(rng.random(int(rare.sum())) < 0.9, 1, 20)
        if not rare.any():
            continue
        seen += 1
        sums = pair(Measure(HITS, seat=1), chunk(win, more), chunk(win, hits))
        kept += effect_interval(sums).contains(truth)
        second = stats.ttest_rel(more[:, 0], hits[:, 0]).confidence_interval(0.95)
        student += second.low <= truth <= second.high
    assert kept / seen > 0.95
    assert student / seen < 0.8


def test_rare_changes_of_shares_have_the_betting_interval():
    rng = np.random.default_rng(11)
    base = winners(rng, 4000)
    changed = base.copy()
    changed[:40] = winners(rng, 40, luck=50.0)
    one, other = chunk(changed, rotations=4), chunk(base, rotations=4)
    sums = pair(Measure(WIN, seat=1), one, other, rotations=4)
    found = effect_interval(sums)
    assert found.method == "betting on block differences"
    assert found.low < found.estimate < found.high < 0.05


# ------------------------------------------------------------------------------------- quantiles


def test_quantiles_combine_the_intervals_of_scipy():
    rng = np.random.default_rng(12)
    win, base = winners(rng, 900), rng.poisson(30, 900)
    changed = base + 3
    measure = Measure(ROLLS, statistic="q95")
    sums = pair(measure, chunk(win, rolls=changed), chunk(win, rolls=base))
    found = effect_interval(sums, 0.9)
    ends = [
        stats.quantile_test(v, p=0.95).confidence_interval(0.95) for v in (changed, base)
    ]  # 0.95 each, so that both hold at 0.9
    assert found.low == ends[0].low - ends[1].high
    assert found.high == ends[0].high - ends[1].low
    assert found.estimate == 3
    assert "conservative" in found.method


def test_quantiles_of_rotated_blocks_are_covered():
    """The true medians are 30 and 33 by construction; 120 repetitions with dependent rotations."""
    rng = np.random.default_rng(13)
    measure = Measure(ROLLS, statistic="q50")
    win = winners(rng, 800)
    kept = 0
    for _ in range(120):
        deal = np.repeat(rng.integers(0, 21, 200), 4)
        base = 20 + (deal + rng.integers(0, 3, 800) - 1).clip(0, 20)
        changed = base + 3
        sums = pair(
            measure,
            chunk(win, rolls=changed, rotations=4),
            chunk(win, rolls=base, rotations=4),
            rotations=4,
        )
        kept += effect_interval(sums).contains(3)
    assert kept >= 114


# ------------------------------------------------------------------------ planted effects, verdicts


def compared(rng, share=0.2, luck=3.0, n=6000, edges=()):
    """Sums of a variant that gives seat 1 more luck in a share of the games, and one that is mild.

    Seat 1 wins a share luck / (luck + 3) of those; the true effect is share * (that - 1/4).
    """
    base = chunk(winners(rng, n), rng.poisson(3, (n, 4)), rolls=rng.poisson(30, n))
    plays = [base]
    for own in (luck, 1.0):
        win = altered(rng, base.seats["win"].astype(np.int64), share, own)
        hits, rolls = base.seats["hits"].astype(np.int64), base.games["rolls"].astype(np.int64)
        rolls = rolls + (rng.random(n) < 0.5) if own > 1 else rolls
        plays.append(chunk(win, hits, rolls=rolls))
    measures = tuple(compared_measures(METRICS, LABELS))
    sides = {"lucky": Side(measures, LABELS), "mild": Side(measures, LABELS)}
    sums = summing(LABELS, sides, 1)
    pieces = zip(*(cut(one, *edges) for one in plays), strict=True)
    return reduce(lambda a, b: a + b, (sums(tuple(piece)) for piece in pieces))


def row(frame, **keys):
    found = frame
    for key, value in keys.items():
        found = found[found[key] == value]
    assert len(found) == 1, keys
    return found.iloc[0].to_dict()


def test_planted_effects_are_found():
    frame = effects(compared(np.random.default_rng(14)), margins={"win_rate": 0.02})
    truth = 0.2 * (3 / 6 - 1 / 4)
    lucky = row(frame, variant="lucky", metric="win_rate", seat=1)
    assert lucky["low"] <= truth <= lucky["high"]
    assert lucky["verdict"] == "CHANGED_UP"
    assert row(frame, variant="lucky", metric="win_rate", seat=2)["verdict"] != "CHANGED_UP"
    assert row(frame, variant="mild", metric="win_rate", seat=1)["verdict"] == "EQUIVALENT"
    rolls = row(frame, variant="lucky", metric="rolls", statistic="mean")
    assert rolls["low"] <= 0.5 <= rolls["high"]
    assert rolls["verdict"] is None
    assert math.isnan(rolls["margin"])
    assert rolls["changed"] - rolls["base"] == pytest.approx(rolls["effect"])


def test_verdicts_are_read_off_the_printed_interval():
    frame = effects(compared(np.random.default_rng(15)), margins=0.03)
    said = {"EQUIVALENT": 0, "CHANGED_UP": 0, "UNDECIDED": 0, "CHANGED_DOWN": 0}
    for one in frame.to_dict("records"):
        inside = one["low"] >= -0.03 and one["high"] <= 0.03
        expected = "EQUIVALENT" if inside else "UNDECIDED"
        expected = "CHANGED_UP" if one["low"] > 0.03 else expected
        expected = "CHANGED_DOWN" if one["high"] < -0.03 else expected
        assert one["verdict"] == expected
        said[expected] += 1
    assert said["EQUIVALENT"] > 0
    assert said["UNDECIDED"] > 0


def test_discordance_correlation_and_speed_up_as_pandas_has_them():
    rng = np.random.default_rng(16)
    base = winners(rng, 2000)
    changed = altered(rng, base, 0.3, 2.0)
    side = {"v": Side((Measure(WIN, seat=1),), LABELS)}
    frame = effects(summing(LABELS, side, 1)((chunk(base), chunk(changed))))
    found = row(frame, variant="v")
    both = pd.DataFrame({"base": base[:, 0] / 12, "changed": changed[:, 0] / 12})
    assert found["discordance"] == (both["base"] != both["changed"]).mean()
    assert found["correlation"] == pytest.approx(both.corr().iloc[0, 1])
    unpaired = both.var().sum()
    assert found["speed_up"] == pytest.approx(unpaired / (both["changed"] - both["base"]).var())


def test_several_variants_hold_at_once():
    sums = compared(np.random.default_rng(17))
    both, alone = effects(sums), effects(sums, together=1)
    pairs = sums.variants["lucky"].pairs[0]
    wide = effect_interval(pairs, 1 - 0.05 / 2)
    first = both.iloc[0]
    assert (first["low"], first["high"]) == (wide.low, wide.high)
    assert first["level"] == 0.95
    assert "2 at once (Bonferroni)" in first["method"]
    assert alone.iloc[0]["high"] < first["high"]


def test_sums_do_not_depend_on_chunks():
    whole = compared(np.random.default_rng(18), n=1200)
    pieces = compared(np.random.default_rng(18), n=1200, edges=(1, 400, 1100))
    assert whole.variants["lucky"].parted == pieces.variants["lucky"].parted
    pd.testing.assert_frame_equal(effects(whole), effects(pieces))


def test_the_first_game_that_parts():
    rng = np.random.default_rng(19)
    win = winners(rng, 50)
    base = chunk(win, first=100)
    other = chunk(win, first=100)
    assert parted(other, base) == Parted()
    other.seats["hits"][7, 3] = 1
    other.games["rolls"][30] = 1
    assert parted(other, base) == Parted(2, 107)
    assert Parted(2, 107) + Parted() + Parted(1, 40) == Parted(3, 40)


# --------------------------------------------------------------------------- what is compared


def test_what_says_nothing_new_is_left_out():
    per = Metric("per", "hits", "seat", "hits", per="win", by=((), ("strategy",)))
    metrics = (*METRICS, per)
    alone = {(m.metric.name, m.seat, m.strategy) for m in compared_measures(metrics, ("a",) * 4)}
    assert ("win_rate", None, "a") not in alone
    assert ("per", None, "a") not in alone
    assert ("win_rate", 4, None) in alone
    mixed = compared_measures(metrics, ("a", "b", "a", "a"))
    assert {m.strategy for m in mixed if m.metric is WIN} == {None, "a", "b"}
    assert [m.statistic for m in mixed if m.metric is ROLLS] == ["mean", "q05", "q50", "q95"]


def test_metrics_by_name():
    assert chosen_metrics(METRICS, ()) == list(METRICS)
    assert chosen_metrics(METRICS, ("rolls", "win_rate")) == [WIN, ROLLS]
    with pytest.raises(UserError, match=r"unknown metric 'role' \(did you mean 'rolls'\?\)"):
        chosen_metrics(METRICS, ("role",))


# ---------------------------------------------------------------------------------------- flips


def small(verdicts=(None,), intervals=((1.0, 2.0),), seats=(1,)):
    frame = effects(compared(np.random.default_rng(20), n=200)).iloc[: len(seats)].copy()
    frame["verdict"] = pd.Series(list(verdicts), index=frame.index, dtype=object)
    frame["low"] = [low for low, _ in intervals]
    frame["high"] = [high for _, high in intervals]
    return frame


@pytest.mark.parametrize(
    ("own", "again", "flips", "undecided"),
    [
        ("EQUIVALENT", "EQUIVALENT", "", ""),
        ("EQUIVALENT", "CHANGED_UP", "x", ""),
        ("CHANGED_UP", "CHANGED_DOWN", "x", ""),
        ("CHANGED_UP", "UNDECIDED", "", "x"),
        ("UNDECIDED", "CHANGED_UP", "", ""),
    ],
)
def test_verdicts_flip_when_decided_otherwise(own, again, flips, undecided):
    found = with_flips(small((own,)), {"x": small((again,))})
    assert (found["flips"].iloc[0], found["open"].iloc[0]) == (flips, undecided)


def test_without_a_margin_the_sign_of_a_clear_effect_flips():
    up, down, unclear = (small(intervals=(i,)) for i in ((1.0, 2.0), (-2.0, -1.0), (-1.0, 2.0)))
    found = with_flips(up, {"one": down, "two": up, "three": unclear, "four": down})
    assert found["flips"].iloc[0] == "one; four"
    assert found["open"].iloc[0] == "three"
    assert with_flips(unclear, {"one": down})["flips"].iloc[0] == ""
    assert judgement(up.iloc[0].to_dict()) == "UP"


def test_figures_that_a_repeat_lacks_cannot_flip():
    frame = small(("EQUIVALENT",) * 2, ((-1, 1),) * 2, (1, 2))
    other = small(("CHANGED_UP",))
    assert list(with_flips(frame, {"x": other})["flips"]) == ["x", ""]


# ---------------------------------------------------------------------------------------- words


def test_an_answer_counts_and_names_the_clearest():
    sums = compared(np.random.default_rng(21))
    frame = with_flips(effects(sums, margins={"win_rate": 0.02, "hits": 1.0}), {})
    changes = {"lucky": "luck=3", "mild": "mild"}
    games = {name: one.parted for name, one in sums.variants.items()}
    found = answer(frame, {"elsewhere": frame}, changes, games, 6000)
    lucky, mild = found.sentences
    judged = frame[(frame["variant"] == "lucky") & frame["verdict"].notna()]
    changed = judged["verdict"].str.startswith("CHANGED").sum()
    assert lucky.startswith(f"**lucky** (`luck=3`) changes {changed} of {len(judged)} figures")
    assert "`rolls` +0.49" in lucky
    assert "`win_rate` of seat 1 +" in lucky
    assert mild.startswith("**mild** changes 0 of")
    assert mild.endswith("no mean is clearly another.")
    assert set(found.frames) == {"effects", "variants", "repeats"}
    assert set(found.frames["repeats"]["repeat"]) == {"elsewhere"}
    assert found.frames["variants"]["games_parted"].tolist() == [p.games for p in games.values()]
