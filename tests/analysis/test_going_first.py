from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.going_first import (
    AS_IT_IS,
    DRIVER,
    GOODS,
    RULE,
    Way,
    first_sums,
    gaps_frame,
    ladder,
    picked_frame,
    remedies_sentence,
    sources_frame,
    ways_of,
)
from analysis.question import Play
from analysis.score_sources import Scoring
from sim.near_and_far.state import Status
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2
SCORING = Scoring(shared=True, alone=4)


def test_ways_change_one_thing_for_everybody() -> None:
    ways = {way.play.name: way for way in ways_of(setting(TWO, name=NAME))}
    without = ways["nobody goes for threats"]
    assert without.kind == DRIVER
    assert without.play.seats == ("balanced:threat=0",) * 2
    assert ways["2 gems a place"].play.handicaps == {"start_goods": [{}, {"gem": 2}]}
    assert ladder("food", 2, 4) == [{}, {"food": 2}, {"food": 4}, {"food": 6}]
    where = setting(("balanced", "random"), 8, True, name=NAME, switches__end_trigger="camps")
    ways = {way.play.name: way for way in ways_of(where)}
    assert "the last camp ends it" not in ways  # it does so already
    assert ways["nobody goes for quests"].play.seats == ("balanced:quest=0", "random")
    assert ways[AS_IT_IS].play.patches == {}
    drawn = setting(TWO, name=NAME, switches__start_order="random")
    for way in ways_of(drawn):  # else seat 1 is not the first
        assert way.play.patches["switches.start_order"] == "seat_1"
    together = {key: value for way in ways_of(drawn) for key, value in way.play.patches.items()}
    drawn.game.load(None, {**drawn.rules.patches, **together})  # all of them are legal


def test_gaps_and_their_changes_are_those_of_the_rows() -> None:
    rng = np.random.default_rng(3)
    ways = [
        Way(AS_IT_IS, Play(AS_IT_IS)),
        Way(RULE, Play("another")),
        Way(GOODS, Play("gems")),
        Way(GOODS, Play("coins")),
    ]
    wins = [
        12 * np.eye(3, dtype=np.int64)[rng.choice(3, 400, p=p)]
        for p in ((0.6, 0.2, 0.2), (0.6, 0.2, 0.2), (0.34, 0.33, 0.33), (0.1, 0.2, 0.7))
    ]
    chunks = [made(400, 3, of_game={"status": Status.WON}, win=win) for win in wins]
    sums = first_sums(chunks, 1, SCORING)
    gaps = gaps_frame(sums.whole, ways, 3, 0.95).set_index("play")
    own = [(win[:, 0] - win[:, 2]) / 12 for win in wins]
    test = stats.ttest_1samp(own[2], 0).confidence_interval(0.95)
    assert gaps.loc["gems", "estimate"] == pytest.approx(own[2].mean())
    assert (gaps.loc["gems", "low"], gaps.loc["gems", "high"]) == pytest.approx(
        (test.low, test.high)
    )
    change = own[2] - own[0]
    test = stats.ttest_1samp(change, 0).confidence_interval(1 - 0.05 / 2)  # two plays with goods
    assert gaps.loc["gems", "change"] == pytest.approx(change.mean())
    assert (gaps.loc["gems", "change_low"], gaps.loc["gems", "change_high"]) == pytest.approx(
        (test.low, test.high)
    )
    rates = wins[3].mean(axis=0) / 12
    assert gaps.loc["coins", "spread"] == pytest.approx(rates.max() - rates.min())
    picked = picked_frame(sums, ways, 3, 0.95)
    assert set(picked["play"]) == {"gems"}
    assert picked["estimate"].to_numpy() == pytest.approx(wins[2][1::2].mean(axis=0) / 12)
    assert (picked["n"] == 200).all()
    text = remedies_sentence(gaps.reset_index(), picked)
    assert "'gems', chosen on one half" in text
    assert "The other rule, 'another', is not shown to narrow it." in text
    better = gaps.assign(change_high=-0.01).reset_index()
    assert "these narrow it: 'another' by" in remedies_sentence(better, picked)


def test_sources_are_counted_and_left_out() -> None:
    """Seat 1 wins by threats alone: without them the last seat wins."""
    chunk = made(
        30,
        2,
        of_game={"status": Status.WON},
        win=[[12, 0]] * 30,
        score=[[20, 15]] * 30,
        points_threats=[[12, 2]] * 30,
        points_camps=[[8, 13]] * 30,
    )
    sums = first_sums([chunk], 1, SCORING)
    found = sources_frame(sums.sources, 2, 0.95).set_index("source")
    assert found.loc["score", "estimate"] == 5
    assert found.loc["threats", "estimate"] == 10
    assert found.loc["threats", "void"] == -1
    assert found.loc["camps", "void"] == 1
    points = np.random.default_rng(4).integers(0, 9, (30, 2))
    varied = made(30, 2, of_game={"status": Status.WON}, score=points, points_camps=points)
    found = sources_frame(first_sums([varied], 1, SCORING).sources, 2, 0.95).set_index("source")
    for name, seat in (("seat_1", 0), ("last", 1)):
        test = stats.ttest_1samp(points[:, seat], 0).confidence_interval(0.95)
        row = found.loc["camps"]
        assert row[name] == pytest.approx(points[:, seat].mean())
        assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx((test.low, test.high))


def test_real_games_are_answered() -> None:
    found = ask("going_first", setting(TWO, 160, name=NAME))
    gaps = found.frames["gaps"]
    assert set(gaps["kind"]) == {AS_IT_IS, DRIVER, RULE, GOODS}
    rates = found.frames["rates"].groupby("play")["estimate"].sum()
    assert rates.to_numpy() == pytest.approx(1, abs=0.05)
    assert len(found.sentences) == 3
    assert "where nobody goes for threats" in found.sentences[0]
