from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.measures import (
    Measure,
    RankCounts,
    all_measures,
    block_values,
    find_measure,
    rank_counts,
)
from sim.errors import UserError
from sim.game import Metric, load_game
from tests.analysis.games import GAME_ROW, SEAT_ROW, chunk, cut, winners

WIN = Metric("win_rate", "share of games", "seat", "win", scale=12, by=(("seat",), ("strategy",)))
HITS = Metric("hits_per_win", "hits", "seat", "hits", per="win", by=((), ("strategy",)))
LONG = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
LABELS = ("a", "b", "a", "c")


def rows(games: int = 40, rotations: int = 4, seed: int = 3):
    rng = np.random.default_rng(seed)
    return chunk(
        winners(rng, games),
        rng.integers(0, 6, (games, 4)),
        rotations=rotations,
        rolls=rng.integers(5, 12, games),
    )


def slow(one, measure: Measure, rotations: int) -> tuple[list[int], list[int]]:
    """Value and rows of every block, row by row."""
    blocks = len(one.games) // rotations
    num, den = [0] * blocks, [0] * blocks
    for g in range(len(one.games)):
        if measure.metric.table == "game":
            num[g // rotations] += int(one.games[measure.metric.value][g])
            den[g // rotations] += 1
            continue
        for s in range(4):
            row = one.seats[g, s]
            if measure.seat not in (None, s + 1):
                continue
            if measure.strategy not in (None, LABELS[row["slot"]]):
                continue
            if any(row[field] != value for field, value in measure.fields):
                continue
            num[g // rotations] += int(row[measure.metric.value])
            den[g // rotations] += int(row[measure.metric.per]) if measure.metric.per else 1
    return num, den


@pytest.mark.parametrize("rotations", [1, 4])
@pytest.mark.parametrize(
    "measure",
    [
        Measure(WIN, seat=2),
        Measure(WIN, strategy="a"),
        Measure(WIN, seat=3, strategy="a"),
        Measure(HITS),
        Measure(HITS, strategy="c"),
        Measure(LONG),
        Measure(WIN, fields=(("hits", 3),)),
        Measure(HITS, seat=1, fields=(("win", 12), ("hits", 2))),
    ],
    ids=lambda m: m.name,
)
def test_block_values_are_what_a_loop_over_rows_finds(measure: Measure, rotations: int) -> None:
    one = rows(rotations=rotations)
    found = block_values(measure, one.games, one.seats, rotations=rotations, labels=LABELS)
    num, den = slow(one, measure, rotations)
    assert found.num.tolist() == num
    plain = [found.rows] * len(num) if found.den is None else found.den.tolist()
    assert plain == den


def test_block_values_refuse_half_blocks() -> None:
    one = rows(6, 1)
    with pytest.raises(ValueError, match="whole blocks"):
        block_values(Measure(WIN), one.games, one.seats, rotations=4, labels=LABELS)


@pytest.mark.parametrize("rotations", [1, 2])
def test_rank_counts_give_the_distribution_of_shares_below(rotations: int) -> None:
    one = rows(60, rotations)
    measure = Measure(LONG, statistic="q50")
    ranks = rank_counts(measure, one.games, one.seats, rotations=rotations, labels=LABELS)
    values = one.games["rolls"].reshape(-1, rotations)
    assert ranks.blocks == len(values)
    for x in (4, 5, 8, 8.5, 11, 20):
        shares, counts = ranks.shares_below(x)
        below = (values <= x).sum(axis=1)
        assert counts.tolist() == [int((below == k).sum()) for k in range(rotations + 1)]
        assert shares.tolist() == [k / rotations for k in range(rotations + 1)]
    for p in (0.05, 0.25, 0.5, 0.9):
        expected = np.quantile(values, p, method="inverted_cdf")
        assert ranks.quantile(p) == expected


def test_rank_counts_add_up_whatever_the_cut() -> None:
    one = rows(64, 4)
    measure = Measure(LONG, statistic="q50")

    def of(part) -> RankCounts:
        return rank_counts(measure, part.games, part.seats, rotations=4, labels=LABELS)

    a, b, c = (of(part) for part in cut(one, 8, 40))
    assert a + b + c == of(one) == c + (a + b)
    assert a != of(one)


def test_all_measures_are_the_groups_of_the_metrics() -> None:
    found = all_measures([WIN, HITS, LONG], LABELS)
    assert [m.name for m in found] == [
        *(f"win_rate of seat {s}" for s in (1, 2, 3, 4)),
        *(f"win_rate of {name}" for name in "abc"),
        "hits_per_win",
        *(f"hits_per_win of {name}" for name in "abc"),
        "rolls",
    ]
    assert [m.is_share for m in found] == [True] * 7 + [False] * 5


GAME = dataclasses.replace(
    load_game("wizard_miners"),
    game_row=GAME_ROW,
    seat_row=SEAT_ROW,
    metrics=(WIN, HITS, LONG),
)


def test_measures_are_found_by_what_studies_say() -> None:
    assert find_measure(GAME, "win_rate", {"seat": 2}, LABELS) == Measure(WIN, seat=2)
    assert find_measure(GAME, "win_rate", {"strategy": "c", "hits": 2}, LABELS) == Measure(
        WIN, strategy="c", fields=(("hits", 2),)
    )
    median = find_measure(GAME, "rolls", {}, LABELS, "q50")
    assert median.quantile == 0.5
    assert median.keys == {"statistic": "q50"}
    assert median.name == "rolls q50"


@pytest.mark.parametrize(
    ("metric", "where", "statistic", "words"),
    [
        ("winrate", {}, "mean", "did you mean 'win_rate'"),
        ("win_rate", {"seat": 5}, "mean", "seat must be from 1 to 4, not 5"),
        ("win_rate", {"seat": "x"}, "mean", "seat must be from 1 to 4"),
        ("win_rate", {"strategy": "d"}, "mean", "no strategy 'd'"),
        ("win_rate", {"hitz": 1}, "mean", "did you mean 'hits'"),
        ("win_rate", {"hits": "many"}, "mean", "hits must be a whole number"),
        ("rolls", {"seat": 1}, "mean", "whole games"),
        ("win_rate", {}, "q50", "no quantiles; those that have: rolls"),
        ("rolls", {}, "median", "unknown statistic 'median'"),
        ("rolls", {}, "q00", "from q01 to q99"),
    ],
)
def test_what_no_game_has_is_an_error(metric, where, statistic, words) -> None:
    with pytest.raises(UserError) as caught:
        find_measure(GAME, metric, where, LABELS, statistic)
    assert words in str(caught.value)


def test_quantiles_of_chosen_rows_are_refused() -> None:
    one = rows()
    measure = Measure(WIN, fields=(("hits", 1),), statistic="q50")
    with pytest.raises(ValueError, match="different sizes"):
        rank_counts(measure, one.games, one.seats, rotations=4, labels=LABELS)
