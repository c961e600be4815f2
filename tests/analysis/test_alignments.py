from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.alignments import (
    alignments_of,
    collector_columns,
    collector_plays,
    collectors_frame,
    own_frame,
    table_columns,
    table_frames,
    table_plays,
    table_sentence,
)
from analysis.paired import BlockSums
from sim.game import load_game
from tests.analysis.dobbers_games import made, one_winner
from tests.reports.answers import ask, setting

GAMES = 300


def test_the_game_has_four_alignments_with_collectors() -> None:
    found = alignments_of(load_game("dobbers"))
    assert [a.name for a in found] == ["Dobberton", "Wild", "Rat Claw Clan", "Decay"]
    assert [a.option.value for a in found] == [2, 4, 8, 16]
    assert alignments_of(load_game("wizard_miners")) == ()


def test_a_collector_sits_in_each_place_free_and_denied() -> None:
    where = setting(("balanced", "runner"), name="dobbers")
    alignments = alignments_of(where.game)[:2]
    plays = collector_plays(where, alignments)
    assert [play.seats for play in plays[1:5]] == [
        ("collector_dobberton", "runner"),
        ("balanced", "collector_dobberton"),
        ("collector_wild", "runner"),
        ("balanced", "collector_wild"),
    ]
    assert [play.seats for play in plays[5:]] == [play.seats for play in plays[1:5]]
    denied = [play.handicaps["forbid_alignments"] for play in plays[5:]]
    assert denied == [[2, 0], [0, 2], [4, 0], [0, 4]]
    rotated = replace(where, rotate=True)
    assert len(collector_plays(rotated, alignments)) == 3


def test_effects_of_collecting_are_paired_means() -> None:
    where = setting(("balanced", "runner"), name="dobbers")
    alignments = alignments_of(where.game)
    rng = np.random.default_rng(5)
    plays = collector_plays(where, alignments)
    wins = [one_winner(rng, GAMES, [1, 1 + i % 3]) for i in range(len(plays))]
    chunks = [made(GAMES, 2, win=win) for win in wins]
    sums = BlockSums.of(chunks, collector_columns(where, 4), 1)
    found = collectors_frame(sums, where, alignments)
    for index, alignment in enumerate(alignments):
        gains = []
        for place in range(2):
            own = wins[1 + 2 * index + place][:, place] / 12
            gains.append(own - wins[0][:, place] / 12)
            row = found[(found["alignment"] == alignment.name) & (found["place"] == place + 1)]
            assert row["estimate"].iloc[0] == pytest.approx(gains[-1].mean())
        both = found[(found["alignment"] == alignment.name) & found["place"].isna()].iloc[0]
        test = stats.ttest_1samp(np.mean(gains, axis=0), 0).confidence_interval(1 - 0.05 / 4)
        assert (both["low"], both["high"]) == pytest.approx((test.low, test.high))
    own = own_frame(sums, where, alignments)
    for index in range(4):
        loss = [
            (wins[1 + 2 * index + p][:, p] - wins[9 + 2 * index + p][:, p]).mean() / 12
            for p in range(2)
        ]
        assert own["estimate"][index] == pytest.approx(np.mean(loss))


@pytest.mark.parametrize("rotate", [False, True])
def test_each_collector_meets_the_others_in_every_seat(rotate: bool) -> None:
    where = setting(("balanced",) * 4, rotate=rotate, name="dobbers")
    alignments = alignments_of(where.game)
    plays = table_plays(where, alignments)
    seated = [
        play.seats[(seat + turn) % 4]
        for play in plays
        for turn in range(4 if rotate else 1)
        for seat in range(4)
        if play.seats
    ]
    assert sorted(zip(seated, 4 * [0, 1, 2, 3], strict=True)) == sorted(
        (a.collector, seat) for a in alignments for seat in range(4)
    )
    # the third collector wins every game, wherever it sits
    rotations = 4 if rotate else 1
    chunks = []
    for play in plays:
        win = np.zeros((40, 4), np.int64)
        for game in range(40):
            seat = next(
                s
                for s in range(4)
                if play.seats and play.seats[(s + game % rotations) % 4] == alignments[2].collector
            )
            win[game, seat] = 12 if game % 5 else 0
        chunks.append(made(40, 4, rotations=rotations, win=win))
    sums = BlockSums.of(chunks, table_columns(where, 4), rotations)
    table, fairness = table_frames(sums, where, alignments)
    assert list(table["estimate"]) == [0, 0, 1, 0]  # of the won games
    assert table["games"].iloc[0] == 32 * len(plays)
    assert fairness["verdict"].iloc[0] == "not fair"
    assert "not fair" in table_sentence(table, fairness)


def test_real_games_are_answered_for_two_and_for_four() -> None:
    four = ask("alignments", setting(("runner",) * 4, 16, name="dobbers"))
    assert set(four.frames) == {"collectors", "forbidden", "own", "table", "fairness"}
    assert four.frames["table"]["estimate"].sum() == pytest.approx(1)
    two = ask("alignments", setting(("runner",) * 2, 16, rotate=True, name="dobbers"))
    assert set(two.frames) == {"collectors", "forbidden"}
    assert two.frames["forbidden"]["alignment"].nunique() == 4
