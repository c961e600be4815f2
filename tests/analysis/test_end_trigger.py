from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.end_trigger import (
    TRIGGERS,
    changes_frame,
    end_plays,
    end_sums,
    enders_frame,
    enders_sentence,
    ends_frame,
    lengths_frame,
)
from sim.game import load_game
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2


def test_changes_and_enders_are_those_of_the_rows() -> None:
    rng = np.random.default_rng(1)
    rounds = [rng.integers(10, 20, 90) + 4 * place for place in range(3)]
    chunks = []
    for length in rounds:
        ender = rng.integers(0, 2, 90)
        chunks.append(
            made(
                90,
                2,
                of_game={"rounds": length, "ended_by": rng.integers(1, 3, 90)},
                win=12 * np.eye(2, dtype=np.int64)[rng.integers(0, 2, 90)],
                ended=np.eye(2, dtype=np.int64)[ender],
            )
        )
    metric = next(m for m in load_game(NAME).metrics if m.name == "rounds")
    sums = end_sums(chunks, metric, 1, TWO)
    changes = changes_frame(sums.blocks, 0.95)
    row = changes[(changes["trigger"] == "camps") & (changes["quantity"] == "rounds")].iloc[0]
    gain = rounds[TRIGGERS.index("camps")] - rounds[0]
    test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 2)
    assert row["estimate"] == pytest.approx(gain.mean())
    assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
    ends = ends_frame(sums.blocks, 0.95).set_index(["trigger", "quantity"])
    assert ends.loc[("either", "rounds"), "estimate"] == pytest.approx(rounds[0].mean())
    found = enders_frame(sums.causes, 0.95).set_index(["trigger", "by"])
    chunk = chunks[0]
    here = chunk.games["ended_by"] == 2
    wins = (chunk.seats["win"] * chunk.seats["ended"]).sum(axis=1)[here]
    assert found.loc[("either", "camps"), "share"] == pytest.approx(here.mean())
    assert found.loc[("either", "camps"), "estimate"] == pytest.approx(wins.mean() / 12)
    both = proportion_confint(here.sum(), 90, 0.05 / 2, "wilson")  # two causes at once
    row = found.loc[("either", "camps")]
    assert (row["share_low"], row["share_high"]) == pytest.approx(both, abs=0.01)
    assert row["share_n"] == 90
    lengths = lengths_frame(sums.lengths, 0.95).set_index(["trigger", "statistic"])
    for trigger, length in zip(TRIGGERS, rounds, strict=True):
        middle = np.sort(length)[44]
        assert lengths.loc[(trigger, "q50"), "estimate"] in (middle, np.sort(length)[45])
    text = enders_sentence(found.reset_index())
    assert "the last camp" in text
    assert "the last quest token" in text


def test_real_games_end_as_the_rule_says() -> None:
    assert [dict(play.patches) for play in end_plays()] == [
        {"switches.end_trigger": name} for name in TRIGGERS
    ]
    found = ask("end_trigger", setting(TWO, 160, name=NAME))
    enders = found.frames["enders"]
    assert set(enders[enders["trigger"] == "quests"]["by"]) == {"quests"}
    assert set(enders[enders["trigger"] == "camps"]["by"]) == {"camps"}
    own = found.frames["ender_seats"].groupby("trigger")["estimate"].sum()  # another route
    assert enders.groupby("trigger")["share"].sum().to_dict() == pytest.approx(own.to_dict())
    ends = found.frames["ends"].set_index(["trigger", "quantity"])["estimate"]
    assert ends["camps", "rounds"] > ends["either", "rounds"] + 3
    assert ends["quests", "quests_left"] == 0
    seats = found.frames["seats"].groupby("trigger")["estimate"].sum()
    assert seats.to_numpy() == pytest.approx(1, abs=0.02)  # but for games that the cap stops
    apart = found.frames["fairness"].set_index("trigger")
    for trigger, rows in found.frames["seats"].groupby("trigger"):
        assert apart.loc[trigger, "estimate"] == pytest.approx(
            rows["estimate"].max() - rows["estimate"].min()
        )
