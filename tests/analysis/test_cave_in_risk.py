from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.cave_in_risk import (
    PILE,
    QUESTION,
    THRESHOLDS,
    VOIDED,
    Cleaner,
    Halves,
    Way,
    best_frames,
    chart_frame,
    chart_sentence,
    class_distribution,
    falls_frame,
    find_cleaner,
    price_frame,
    price_sentence,
    result_name,
    threshold_columns,
    threshold_plays,
    threshold_sentence,
    thresholds_frame,
    void_columns,
    void_plays,
)
from analysis.paired import BlockSums
from analysis.question import Answer, Play, Setting
from sim.batch import Batch, Chunk, play
from sim.game import load_game
from strategies.resolve import lineup
from tests.analysis.games import chunk, winners

GAME = load_game("wizard_miners")
RULES = GAME.load(None, {}).model
DRILLS = ("drill_first",) * 4
BOMBERS = ("saboteur", "drill_first", "builder", "drill_first")


def setting(seats: tuple[str, ...] = DRILLS, games: int = 320, **changes: Any) -> Setting:
    rules = GAME.load(None, changes.pop("patches", {}))
    return dataclasses.replace(Setting(GAME, rules, seats, False, games, 5), **changes)


def batch(where: Setting, wanted: Play) -> Batch:
    rules = GAME.load(None, wanted.patches) if wanted.patches else where.rules
    seats = wanted.seats or where.seats
    tables = GAME.make_tables(rules.model, len(seats), wanted.handicaps)
    return Batch(GAME, tables, lineup(GAME, seats), where.seed, where.rotations)


def played(where: Setting, plays: tuple[Play, ...]) -> list[Chunk]:
    """All games of some plays as one chunk each."""
    found = []
    for wanted in plays:
        (chunks,) = [
            chunks
            for _, (chunks,) in play(
                [batch(where, wanted)],
                0,
                where.games,
                lambda c: c,
                threads=1,
                chunk_games=where.games,
            )
        ]
        found.append(chunks)
    return found


def asked(where: Setting, only: tuple[str, ...] = ()) -> tuple[Answer | None, dict[str, Any]]:
    """The answer and the sums of the groups; with `only`, the sums of these groups alone."""
    sums = {
        group.name: group.reduce(tuple(played(where, group.plays)))
        for group in QUESTION.groups(where)
        if not only or group.name in only
    }
    return (None if only else QUESTION.answer(where, sums)), sums


@pytest.fixture(scope="module")
def bombed() -> tuple[Setting, Answer, list[Chunk]]:
    """A lineup in which dynamite is used, its answer, and the plays of the void group."""
    where = setting(BOMBERS, 320)
    answer, _ = asked(where)
    assert answer is not None
    return where, answer, played(where, void_plays(4))


# ---------------------------------------------------------------------------------- the chart


def counters(shares: dict[tuple[int, int], list[float]], rolls: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    chart = np.zeros((32, 4, 8, 4, 10), np.int64)
    for (dynamite, shore_ups), p in shares.items():
        chart[:, :, dynamite, shore_ups] = rng.multinomial(rolls, p, size=(32, 4))
    return chart


def exact(dynamite: int, shore_ups: int) -> list[float]:
    found = class_distribution(RULES, dynamite, shore_ups)
    assert found is not None
    return [float(p) for p in found]


CELLS = [(0, 0), (0, 1), (1, 0), (3, 0), (3, 2), (6, 0), (7, 0)]


def test_honest_dice_lie_inside_in_nearly_all_studies() -> None:
    """200 studies at a joint level of 0.9: at least 0.9 hold, with three standard errors off."""
    fair = {cell: exact(*cell) for cell in CELLS}
    holds = sum(
        bool(chart_frame(counters(fair, 5, seed), RULES, 1, 0.9)["inside"].all())
        for seed in range(200)
    )
    assert holds >= 200 * 0.9 - 3 * math.sqrt(200 * 0.09)


def test_a_loaded_die_is_found_out() -> None:
    loaded = {(0, 0): [0.2, 0.2, 0.2, 0, 0.2, 0, 0.1, 0, 0.1, 0]}
    found = chart_frame(counters(loaded, 20, 1), RULES, 1, 0.95)
    assert not found["inside"].all()
    assert "lie outside their intervals" in chart_sentence(found, 0.95)


def test_a_result_that_cannot_be_is_outside() -> None:
    chart = counters({(0, 0): exact(0, 0)}, 20, 1)
    chart[0, 0, 0, 0, 9] += 3  # the entire pile without dynamite
    row = chart_frame(chart, RULES, 1, 0.95).query("result == @PILE").iloc[0]
    assert (row["exact"], bool(row["inside"])) == (0, False)


def test_where_seats_rotate_a_throw_counts_once() -> None:
    """Four times the same dice: the interval is that of the throws, not of the rolls."""
    chart = counters({(0, 0): exact(0, 0)}, 20, 1)
    once = chart_frame(chart, RULES, 1, 0.95)
    repeated = chart_frame(4 * chart, RULES, 4, 0.95)
    for column in ("estimate", "low", "high", "n"):
        assert repeated[column].to_numpy() == pytest.approx(once[column].to_numpy())


def test_classes_of_more_are_exact_only_where_they_agree() -> None:
    assert class_distribution(RULES, 0, 0) == [
        Fraction(1, 6) if i in (0, 1, 2, 4, 6, 8) else 0 for i in range(10)
    ]
    assert exact(7, 0)[9] == exact(7, 1)[9] == 1
    assert class_distribution(RULES, 7, 2) is None  # 7 - 2 + 1 = 6, but 8 - 2 + 1 = 7
    assert class_distribution(RULES, 0, 3) is None


def test_results_are_named_by_the_chart() -> None:
    assert [result_name(RULES, r) for r in (0, 8, 9)] == ["0", "8", PILE]
    more = GAME.load(None, {"cave_in.chart.roll_6": 12}).model
    assert result_name(more, 8) == "8+"
    assert class_distribution(more, 0, 0)[8] == Fraction(1, 6)


def test_the_played_chart_agrees(bombed: tuple[Setting, Answer, list[Chunk]]) -> None:
    found = bombed[1].frames["chart"]
    assert found["inside"].dropna().all()
    assert (found["dynamite"] != "0").any()
    sums = found.groupby(["dynamite", "shore_ups"])
    assert (sums["times"].sum() == sums["rolls"].first()).all()


# ----------------------------------------------------------------------------------- the costs


def test_each_play_voids_what_its_column_reads() -> None:
    plays = void_plays(4)
    read = [column for column in void_columns(4) if column.play > 0]
    assert len(plays) == 17
    assert [column.play for column in read] == list(range(1, 17))
    for k, column in zip(np.repeat(VOIDED, 4), read, strict=True):
        handicap = list(plays[column.play].handicaps["void_cave_in"])
        assert column.seat is not None
        assert handicap.pop(column.seat - 1) == k
        assert handicap == [0, 0, 0]


def test_costs_are_those_of_a_slow_count(bombed: tuple[Setting, Answer, list[Chunk]]) -> None:
    where, answer, plays = bombed
    costs = answer.frames["costs"]
    base = plays[0].seats
    for i, k in enumerate(VOIDED):
        gains, comes = [], []
        for seat in range(4):
            voided = plays[1 + 4 * i + seat].seats
            gains.append((voided["win"][:, seat] - base["win"][:, seat]) / 12)
            rolls = base["cave_in_rolls"][:, seat]
            comes.append(rolls if k < 0 else (rolls >= k).astype(int))
        of_k = costs[costs["cave_in"] == ("all" if k < 0 else str(k))]
        row = of_k.query("per == 'game' and seat.isna()").iloc[0]
        mean = np.mean(gains, axis=0)
        assert row["estimate"] == pytest.approx(mean.mean())
        half = stats.t.isf(0.05 / 4 / 2, where.games - 1) * stats.sem(mean)
        assert row["high"] - row["low"] == pytest.approx(2 * half)
        each = of_k.query("per == 'cave-in' and seat.isna()").iloc[0]
        assert each["estimate"] == pytest.approx(np.sum(gains) / np.sum(comes))
        assert each["happens"] == pytest.approx(np.mean(comes))
        own = of_k.query("per == 'game' and seat == 3").iloc[0]
        assert own["estimate"] == pytest.approx(gains[2].mean())
        assert own["changed"] - own["without"] == pytest.approx(own["estimate"])
    card = costs.query("per == 'card' and seat.isna()").iloc[0]
    everything = costs.query("cave_in == 'all' and per == 'game' and seat.isna()").iloc[0]
    lost = base["cards_lost"].sum(axis=1).mean() / 4
    assert card["estimate"] == pytest.approx(everything["estimate"] / lost)


def test_a_voided_cave_in_changes_only_games_that_have_it(
    bombed: tuple[Setting, Answer, list[Chunk]],
) -> None:
    plays = bombed[2]
    base = plays[0]
    for i, k in enumerate(VOIDED):
        for seat in range(4):
            other = plays[1 + 4 * i + seat]
            without = base.seats["cave_in_rolls"][:, seat] < max(k, 1)
            assert np.array_equal(base.seats[without], other.seats[without])
            if k < 0:
                assert not other.seats["cards_lost"][:, seat].any()
    assert (base.seats["cave_in_rolls"] < 3).sum() > 10


def test_cave_ins_that_move_nothing_cost_nothing() -> None:
    zeros = {f"cave_in.chart.roll_{k}": 0 for k in range(1, 7)}
    where = setting(games=100, patches={**zeros, "cave_in.chart.roll_7_or_more": 0})
    _, sums = asked(where, ("void",))
    answer = sums["void"]
    games = [column for column in void_columns(4) if column.play > 0]
    assert all(answer.changed[answer.columns.index(column)] == 0 for column in games)
    assert sum(answer.totals[answer.columns.index(column)] for column in games) == 4 * 12 * 100


# ------------------------------------------------------------------------------------ the falls


def test_counters_and_rows_tell_the_same(bombed: tuple[Setting, Answer, list[Chunk]]) -> None:
    where, answer, plays = bombed
    falls, seats = answer.frames["falls"], plays[0].seats
    rolls, cards = int(seats["cave_in_rolls"].sum()), int(seats["cards_lost"].sum())
    every = falls[falls["dynamite"].isna() & falls["rubble"].isna()].set_index("quantity")
    assert every.loc["cards_per_roll", "rolls"] == rolls
    assert every.loc["cards_per_roll", "estimate"] == pytest.approx(cards / rolls)
    assert every.loc["pile_per_roll", "estimate"] == pytest.approx(
        seats["piles_lost"].sum() / rolls
    )
    for by, other in (("dynamite", "rubble"), ("rubble", "dynamite")):
        part = falls[falls[by].notna() & falls[other].isna()]
        wide = part.pivot(index=by, columns="quantity", values="estimate")
        assert (wide["share_of_rolls"] * wide["cards_per_roll"]).sum() == pytest.approx(
            cards / rolls
        )
    risk = answer.frames["risk"]
    own = risk[risk["strategy"] == "drill_first"].set_index("quantity")["estimate"]
    assert own["cards_per_game"] == pytest.approx(seats["cards_lost"][:, [1, 3]].mean())
    assert own["pile_per_game"] == pytest.approx((seats["piles_lost"][:, [1, 3]] > 0).mean())
    assert set(risk["strategy"].dropna()) == {"saboteur", "drill_first", "builder"}
    assert where.games == answer.frames["costs"]["n"].iloc[0]


def test_big_piles_lose_what_the_chart_says() -> None:
    """Without dynamite and Shore Ups a pile of 8 or more loses 21/6 cards a roll on average."""
    _, sums = asked(setting(games=640), ("field",))
    found = falls_frame(sums["field"].falls, 42, 640, 1, 1 - 1e-5)
    for pile in ("8-10", "11-15", "16-21", "22+"):
        row = found[(found["rubble"] == pile) & (found["dynamite"] == "0")]
        row = row[row["quantity"] == "cards_per_roll"]
        assert row["low"].iloc[0] <= 3.5 <= row["high"].iloc[0]
    none = found.query("dynamite == '0' and rubble.isna() and quantity == 'pile_per_roll'").iloc[0]
    assert (none["estimate"], none["low"]) == (0, 0)
    assert none["high"] == pytest.approx(-math.log(1e-5) / none["rolls"], rel=0.01)
    empty = found.query("dynamite == '0' and rubble == '0' and quantity == 'cards_per_roll'")
    assert (empty["low"].iloc[0], empty["high"].iloc[0]) == (0, 0)


# ------------------------------------------------------------------------------- the thresholds


def test_the_cleaner_is_found_with_its_threshold() -> None:
    found = find_cleaner(setting(("passive", "drill_first:clean_up_at=7", "passive", "passive")))
    assert found is not None
    assert (found.spec, found.slots, found.scripted) == ("drill_first:clean_up_at=7", (1,), 7)
    assert list(found.thresholds) == [2, 4, 6, 7, 8, 10, 12, 15, 18, 21, 43]
    assert found.with_threshold(12) == "drill_first:clean_up_at=12"
    four = find_cleaner(setting(("balanced:blunder=0.1",) * 4))
    assert four is not None
    assert four.slots == (0, 1, 2, 3)
    assert four.with_threshold(4.5) == "balanced:blunder=0.1:clean_up=5:clean_up_at=4.5"
    assert four.own == Way(10, weighs=True)
    assert four.tried == four.curve
    assert set(four.ways) - set(four.curve) == {four.own}
    rotated = find_cleaner(setting(("balanced",) * 4, rotate=True))
    assert rotated is not None
    assert rotated.slots == (0,)
    assert find_cleaner(setting(("passive",) * 4)) is None
    groups = [group.name for group in QUESTION.groups(setting(("passive",) * 4))]
    assert groups == ["field", "void", "die off"]


def one_cleaner(spec: str) -> Cleaner:
    found = find_cleaner(setting((spec,) * 4))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "spec", ["drill_first", "cleaner", "balanced:clean_up=5", "balanced: clean_up =5:clean_up_at=6"]
)
def test_who_pays_any_price_as_it_is_plays_a_point_of_the_curve(spec: str) -> None:
    found = one_cleaner(spec)
    assert found.eager == ()
    assert found.own in found.curve
    assert len(found.tried) == len(found.curve) - 1


def test_who_never_cleans_up_has_no_price_to_weigh() -> None:
    found = one_cleaner("balanced:clean_up_at=50")
    assert found.eager == ()
    assert found.thresholds[-2:] == (21, 50)


def test_the_scripted_threshold_is_played_in_both_ways() -> None:
    where = setting(("saboteur", "balanced", "balanced", "balanced"))
    cleaner = find_cleaner(where)
    assert cleaner is not None
    read = threshold_columns(cleaner)
    plays = threshold_plays(where, cleaner)
    at = {way: plays[column.play] for way, column in zip(cleaner.ways, read, strict=True)}
    assert at[cleaner.own].seats is None
    for way in cleaner.curve:
        seats = at[way].seats
        assert seats is not None
        assert seats == (f"saboteur:clean_up=5:clean_up_at={way.threshold:g}", *where.seats[1:])
    assert Way(cleaner.scripted) in at


def test_each_threshold_is_read_from_the_play_that_has_it() -> None:
    where = setting(("drill_first", "passive", "drill_first", "passive"))
    cleaner = find_cleaner(where)
    assert cleaner is not None
    assert cleaner.slots == (0, 2)
    plays, read = threshold_plays(where, cleaner), threshold_columns(cleaner)
    assert len(plays) == 1 + 2 * len(cleaner.tried)
    expected = [(way, slot) for way in cleaner.ways for slot in cleaner.slots]
    for ((threshold, weighs), slot), column in zip(expected, read, strict=True):
        assert column.slot == slot
        assert not weighs
        if threshold == cleaner.scripted:
            assert column.play == 0
            continue
        seats = list(plays[column.play].seats or ())
        assert seats.pop(slot) == f"drill_first:clean_up_at={threshold:g}"
        assert seats == [spec for i, spec in enumerate(where.seats) if i != slot]


def made_cleaner(*eager: str) -> Cleaner:
    return Cleaner("x", (0,), 10.0, (2.0, 4.0, 6.0, 8.0, 10.0, 43.0), 42, eager)


def study(rng: np.random.Generator, gains: dict[float, float], deals: int, *eager: str) -> Halves:
    """Sums of made-up plays: each threshold turns so many of seat 1's lost games into wins."""
    cleaner = made_cleaner(*eager)
    base = winners(rng, deals)
    plays = [base]
    for threshold, _ in cleaner.tried:
        other = base.copy()
        turned = rng.random(deals)
        other[turned < 0.2 + gains.get(threshold, 0.0)] = [12, 0, 0, 0]
        other[turned > 0.8] = [0, 0, 12, 0]
        plays.append(other)
    chunks = [chunk(wins) for wins in plays]
    even, odd = (BlockSums.of(chunks, threshold_columns(cleaner), 1, part=(i, 2)) for i in (0, 1))
    return Halves(even, odd)


def test_the_figure_quoted_for_the_best_is_free_of_the_winners_curse() -> None:
    """All thresholds are alike: their truth is 0.2 * 0.75 - 0.2 * 0.25 = 0.1."""
    rng = np.random.default_rng(8)
    cleaner = made_cleaner()
    quoted, picked, covered = [], [], 0
    for _ in range(200):
        sums = study(rng, {}, 400)
        best, _ = best_frames(sums, cleaner, 0.9)
        row = best.query("role == 'best'").iloc[0]
        quoted.append(row["estimate"])
        same = thresholds_frame(sums.picking, cleaner, 0.9)
        picked.append(same.query("threshold == @row.threshold")["estimate"].iloc[0])
        covered += bool(row["low"] <= 0.1 <= row["high"])
    assert np.mean(picked) > 0.1 + 5 * stats.sem(picked)
    assert abs(np.mean(quoted) - 0.1) < 4 * stats.sem(quoted)
    assert covered >= 175


def test_a_planted_best_is_found_and_its_rivals_told_apart() -> None:
    sums = study(np.random.default_rng(3), {6.0: 0.3, 8.0: 0.29, 4.0: 0.1}, 4000)
    cleaner = made_cleaner()
    both = sums.picking + sums.measuring
    best, rivals = best_frames(sums, cleaner, 0.95)
    chosen = best.query("role == 'best'").iloc[0]
    assert chosen["threshold"] in (6, 8)
    assert {6.0, 8.0} < set(best["threshold"])
    low = rivals.set_index("threshold")["high"]
    assert low[2] < 0
    assert low[43] < 0
    assert low[4] < 0
    frames = {
        "thresholds": thresholds_frame(both, cleaner, 0.95),
        "best_threshold": best,
        "rivals": rivals,
    }
    text = threshold_sentence(frames, cleaner)
    assert text.startswith(f"x plays better if it cleans up from {chosen['threshold']:g} cards on")
    scripted = frames["thresholds"].query("scripted").iloc[0]
    assert (scripted["low"], scripted["estimate"], scripted["high"]) == (0, 0, 0)
    assert frames["thresholds"].query("never")["threshold"].tolist() == [43]


def test_no_better_threshold_is_said_to_be_none() -> None:
    worse = dict.fromkeys(map(float, (2, 4, 6, 8, 43)), -0.2)
    sums = study(np.random.default_rng(3), worse, 2000)
    cleaner = made_cleaner()
    best, rivals = best_frames(sums, cleaner, 0.95)
    assert best.query("role == 'best'")["threshold"].tolist() == [10]
    every = thresholds_frame(sums.picking + sums.measuring, cleaner, 0.95)
    text = threshold_sentence(
        {"thresholds": every, "best_threshold": best, "rivals": rivals}, cleaner
    )
    assert "no other threshold did better" in text
    assert "Never cleaning up costs" in text


def test_weighing_the_price_is_measured_at_the_same_threshold() -> None:
    """Paying any price is planted to gain at the scripted threshold: 0.5 * 0.75 - 0.2 * 0.25."""
    cleaner = made_cleaner("worth=5")
    sums = study(np.random.default_rng(5), {10.0: 0.3, 2.0: -0.3}, 4000, "worth=5")
    both = sums.picking + sums.measuring
    price = price_frame(both, cleaner, 0.95)
    row = price.iloc[0]
    assert (row["threshold"], row["n"], len(price)) == (10, 4000, 1)
    assert row["low"] < -0.325 < row["high"]
    assert row["estimate"] == pytest.approx(row["changed"] - row["without"])
    assert price_sentence(price).startswith(
        "From 10 cards on, weighing the price of a clean-up, as x does, costs 3"
    )
    every = thresholds_frame(both, cleaner, 0.95)
    assert every["threshold"].tolist() == [2, 4, 6, 8, 10, 10, 43]
    assert every["weighs"].tolist() == every["scripted"].tolist() == [*[False] * 5, True, False]
    same = every.query("threshold == 10 and not weighs").iloc[0]
    assert same["estimate"] == -row["estimate"]
    assert same["low"] < -row["high"]  # it holds for all thresholds at once
    best, rivals = best_frames(sums, cleaner, 0.95)
    assert best.query("role == 'best'")[["threshold", "weighs"]].to_numpy().tolist() == [[10, 0]]
    assert best["threshold"].tolist() == [8, 10, 43]
    assert rivals.query("weighs")["threshold"].tolist() == [10]
    text = threshold_sentence(
        {"thresholds": every, "best_threshold": best, "rivals": rivals}, cleaner
    )
    assert text.startswith("x plays better if it cleans up from 10 cards on whatever it costs; as ")
    assert "as scripted it cleans up from 10 cards on where that pays" in text


def test_who_weighs_the_price_best_is_shown_beside_the_curve() -> None:
    cleaner = made_cleaner("worth=5")
    worse = dict.fromkeys(map(float, (2, 4, 6, 8, 10, 43)), -0.2)
    sums = study(np.random.default_rng(3), worse, 2000, "worth=5")
    both = sums.picking + sums.measuring
    best, rivals = best_frames(sums, cleaner, 0.95)
    assert best["threshold"].tolist() == [8, 10, 10, 43]
    assert best["role"].tolist() == ["neighbour", "neighbour", "best", "neighbour"]
    assert len(rivals) == 6
    every = thresholds_frame(both, cleaner, 0.95)
    frames = {"thresholds": every, "best_threshold": best, "rivals": rivals}
    text = threshold_sentence(frames, cleaner)
    assert text.startswith("x cleans up from 10 cards on where that pays; cleaning up whatever")
    assert "Thresholds not told apart" not in text
    assert " gains " in price_sentence(price_frame(both, cleaner, 0.95))


def test_the_price_is_the_difference_of_two_plays() -> None:
    where = setting(("balanced",) * 4)
    cleaner = find_cleaner(where)
    assert cleaner is not None
    split = asked(where, ("thresholds",))[1]["thresholds"]
    paying = [
        Play("any price", seats=tuple("balanced" + ":clean_up=5" * (s == slot) for s in range(4)))
        for slot in range(4)
    ]
    weighed, *paid = played(where, (Play("own"), *paying))
    gains = [
        (weighed.seats["win"][:, slot] - one.seats["win"][:, slot].astype(float)) / 12
        for slot, one in enumerate(paid)
    ]
    mean = np.mean(gains, axis=0)
    assert mean.any()
    row = price_frame(split.picking + split.measuring, cleaner, 0.95).iloc[0]
    assert row["n"] == len(mean) == where.games
    assert row["estimate"] == pytest.approx(mean.mean())
    half = stats.t.isf(0.025, len(mean) - 1) * stats.sem(mean)
    assert (row["low"], row["high"]) == pytest.approx((mean.mean() - half, mean.mean() + half))
    assert row["discordance"] == pytest.approx(np.mean([gain != 0 for gain in gains]))
    wins = [one.seats["win"][:, slot].mean() / 12 for slot, one in enumerate(paid)]
    assert row["without"] == pytest.approx(np.mean(wins))
    assert row["changed"] == pytest.approx(0.25)


# ------------------------------------------------------------------------------------ the answer


def test_the_answer_says_it_with_intervals(bombed: tuple[Setting, Answer, list[Chunk]]) -> None:
    _, answer, _ = bombed
    cost, threshold, price, risk, dynamite, die, chart = answer.sentences
    assert cost.startswith("A cave-in costs its victim")
    assert "the first" in cost
    assert "saboteur" in threshold
    assert "weighing the price of a clean-up, as saboteur does, " in price
    assert "cave-in rolls [" in risk
    assert "dynamite on the player" in dynamite
    assert die.startswith("The CAVE-IN die lengthens a game by")
    assert chart.startswith("The dice do what the chart says")
    for name, frame in answer.frames.items():
        assert not frame.empty, name
        assert frame[["estimate", "low", "high", "n", "method"]].notna().all(axis=None), name
        inside = frame["low"].le(frame["estimate"]) & frame["estimate"].le(frame["high"])
        assert inside.all(), name


@pytest.mark.parametrize("rotate", [False, True])
def test_a_handful_of_games_is_answered_too(rotate: bool) -> None:
    answer, _ = asked(setting(games=4, rotate=rotate))
    assert answer is not None
    assert len(answer.sentences) >= 5
    assert isinstance(answer.frames["costs"], pd.DataFrame)


def test_one_deal_cannot_choose_and_measure() -> None:
    answer, _ = asked(setting(("cleaner",) * 4, games=1))
    assert answer is not None
    assert not any("–" in sentence for sentence in answer.sentences)
    said = "There are too few deals to choose a clean-up threshold and measure it in others."
    assert said in answer.sentences


def test_thresholds_tried_are_below_a_mine() -> None:
    assert max(THRESHOLDS) < RULES.mine.cards
