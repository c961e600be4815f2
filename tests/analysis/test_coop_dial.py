from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from scipy import optimize

from analysis.coop_dial import (
    crossing,
    curve_frame,
    dial_columns,
    dial_frame,
    dial_of,
    dial_plays,
    dial_sentence,
    falling,
    printed_sentence,
    printed_starts,
    start_words,
    starts_of,
    track_of,
)
from analysis.intervals import rate, simultaneous_level
from analysis.paired import BlockSums
from tests.analysis.team_games import team
from tests.reports.answers import ask, setting

NAME = "near_and_far"
STARTS = (30, 33, 36, 39, 42)


def test_starts_leave_some_rounds() -> None:
    where = setting(("balanced",) * 3, name=NAME, modules__coop=True)
    track = track_of(where)
    assert track[0] == 31
    assert track[-1] == 72
    starts = starts_of(track)
    assert starts[0] == track[0]
    assert starts[-1] <= track[-7]
    two = setting(("balanced",) * 2, name=NAME, modules__coop=True)
    with (where.game.load().folder / "time_track.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for at, players in ((two, "2"), (where, "3-4")):
        assert printed_starts(at) == {
            name: int(row["value"])
            for name in ("sun", "moon")
            for row in rows
            if f"{name} {players}" in row["start"]
        }
        assert len(printed_starts(at)) == 2
    play = dial_plays(where, starts)[1]
    assert play.patches == {"together.start": starts[1]}
    assert play.seats == ("balanced",) * 3


def test_the_nearest_falling_curve_is_the_isotonic_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = np.sort(rng.random(7))[::-1] + rng.normal(0, 0.2, 7)
        expected = optimize.isotonic_regression(values, increasing=False).x
        assert falling(values) == pytest.approx(expected)


def test_a_curve_crosses_between_starts() -> None:
    curve = np.array([0.9, 0.7, 0.4, 0.4, 0.1])
    assert crossing(STARTS, curve, 0.5) == pytest.approx(33 + 3 * (0.7 - 0.5) / 0.3)
    assert crossing(STARTS, curve, 0.4) == pytest.approx(39)  # the last start that does
    assert crossing(STARTS, curve, 0.95) == -math.inf
    assert crossing(STARTS, curve, 0.05) == math.inf


def test_intervals_of_a_start_hold() -> None:
    """The true start is missed in 5 % of runs at most; the bound is conservative."""
    rng = np.random.default_rng(3)
    true = np.array([0.85, 0.7, 0.52, 0.31, 0.12])
    n, level, wanted = 200, 0.9, 0.5
    spot = crossing(STARTS, true, wanted)
    missed, runs = 0, 300
    for _ in range(runs):
        wins = rng.binomial(n, true)
        ends = [rate(int(w), n, simultaneous_level(level, len(true))) for w in wins]
        lows, highs = (np.array([getattr(e, name) for e in ends]) for name in ("low", "high"))
        found = dial_of(STARTS, wins / n, lows, highs, wanted, level, n)
        assert found.low <= found.estimate <= found.high
        missed += not found.contains(spot)
    assert missed <= 0.1 * runs
    narrow = found.high - found.low
    assert 0 < narrow < 6  # and it says something


@pytest.fixture(scope="module")
def curve():
    rng = np.random.default_rng(8)
    luck = rng.random(500)
    chances = {"good": (0.9, 0.8, 0.6, 0.3, 0.1), "poor": (0.2, 0.1, 0.05, 0.0, 0.0)}
    chunks = [
        team(
            500,
            team_won=(luck < chance).astype(int),
            team_margin=np.rint(100 * (chance - luck)).astype(int),
        )
        for team_chances in chances.values()
        for chance in team_chances
    ]
    sums = BlockSums.of(chunks, dial_columns(len(chunks)), 1)
    return luck, curve_frame(sums, tuple(chances), STARTS, 0.95)


def test_the_dial_is_read_off_the_rows(curve) -> None:
    luck, found = curve
    row = found[(found["team"] == "good") & (found["start"] == 36)].iloc[0]
    assert row["estimate"] == (luck < 0.6).mean()
    assert row["margin"] == pytest.approx(np.rint(100 * (0.6 - luck)).mean())
    assert row["margin_low"] < row["margin"] < row["margin_high"]
    assert row["margin_n"] == 500
    dial = dial_frame(found).set_index(["team", "wanted"])
    shares = [(luck < chance).mean() for chance in (0.9, 0.8, 0.6, 0.3, 0.1)]
    expected = np.interp(0.5, shares[::-1], STARTS[::-1])  # falling as they are
    half = dial.loc[("good", 0.5)]
    assert half["estimate"] == pytest.approx(expected)
    assert half["start"] == math.floor(expected)
    assert half["low"] < expected < half["high"]
    assert dial.loc[("poor", 0.5)]["estimate"] == -math.inf
    assert dial["start"].isna().tolist() == [False] * 3 + [True] * 3
    frame = dial.reset_index()
    assert dial_sentence(frame, "poor", STARTS) == (
        "No start from 30 on lets poor win as much as 50\u00a0%."
    )
    text = dial_sentence(frame, "good", STARTS)
    assert text.startswith("By the time token's start good wins 50\u00a0% from 3")
    assert "nan" not in text
    told = printed_sentence(found, "good", {"sun": 36, "moon": 43})
    assert "sun starts at 36, where it wins" in told
    assert "moon starts at 43" in told
    assert "(played from 42)" in told


def test_ends_beyond_the_starts_are_told_as_such() -> None:
    row = {"estimate": -math.inf, "low": -math.inf, "high": 34.2}
    assert start_words(row, STARTS) == "below 30 [below 30,\u00a034]"
    assert start_words({**row, "high": -math.inf}, STARTS) == "below 30"
    row = {"estimate": 35.04, "low": 34.61, "high": 36.2}
    assert start_words(row, STARTS) == "35.0 [34.6,\u00a036.2]"


def test_real_games_are_answered() -> None:
    where = setting(("balanced",) * 2, 6, name=NAME, modules__coop=True)
    found = ask("coop_dial", where)
    starts = starts_of(track_of(where))
    own = found.frames["curve"]
    own = own[own["team"] == "balanced"]
    assert tuple(own["start"]) == starts
    margins = own["margin"].to_numpy()
    assert margins[0] > margins[-1]  # a later start asks for more points
