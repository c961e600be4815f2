from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.paired import BlockSums
from analysis.pursuits import (
    PURSUITS,
    first_play,
    pursuit_columns,
    pursuit_plays,
    pursuits_of,
    table_frame,
    table_sentence,
    worth_frame,
    worth_sentence,
)
from sim.errors import UserError
from sim.near_and_far.outcome import SEAT_ROW
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2


def test_pursuits_are_given_up_by_one_player_at_a_time() -> None:
    where = setting(("random", "balanced:threat=0:quest=2"), name=NAME)
    pursuits = pursuits_of(where)
    names = [pursuit.name for pursuit in pursuits]
    assert "threats" not in names  # it does not go for them anyway
    assert set(names) == set(PURSUITS) - {"threats"}
    plays = pursuit_plays(where, pursuits)
    assert plays[first_play(pursuits, names.index("quests"))].seats == (
        "random",
        "balanced:threat=0:quest=0",
    )
    assert {field for _, fields, _ in PURSUITS.values() for field in fields} <= set(SEAT_ROW.names)
    with pytest.raises(UserError, match="such as balanced"):
        ask("pursuits", setting(("random",) * 2, 8, name=NAME))


def test_a_pursuit_is_with_minus_without() -> None:
    where = setting(TWO, name=NAME)
    pursuits = pursuits_of(where)
    names = [pursuit.name for pursuit in pursuits]
    rng = np.random.default_rng(4)
    chunks = [
        made(
            80,
            2,
            of_game={"rounds": rng.integers(10, 20, 80), "spread": rng.integers(0, 30, 80)},
            win=12 * np.eye(2, dtype=np.int64)[rng.integers(0, 2, 80)],
            score=rng.integers(20, 60, (80, 2)),
            routes_alone=rng.integers(0, 2, (80, 2)),
            routes_joint=rng.integers(0, 3, (80, 2)),
        )
        for _ in pursuit_plays(where, pursuits)
    ]
    sums = BlockSums.of(chunks, pursuit_columns(pursuits), 1)
    worth = worth_frame(sums, pursuits, 0.95)
    place = first_play(pursuits, names.index("trade routes"))
    own = worth[worth["pursuit"] == "trade routes"].set_index("quantity")
    held = [
        np.stack(
            [
                chunk.seats["routes_alone"][:, slot].astype(int)
                + chunk.seats["routes_joint"][:, slot]
                for slot, chunk in enumerate(pair)
            ]
        ).mean(axis=0)
        for pair in ((chunks[0], chunks[0]), (chunks[place], chunks[place + 1]))
    ]
    gain = held[0] - held[1]
    assert own.loc["done", "estimate"] == pytest.approx(gain.mean())
    test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / len(pursuits))
    assert own.loc["done", "low"] == pytest.approx(test.low)
    assert own.loc["done", "changed"] == pytest.approx(held[0].mean())
    for side, values in (("changed", held[0]), ("without", held[1])):
        test = stats.ttest_1samp(values, 0).confidence_interval(1 - 0.05 / len(pursuits))
        ends = own.loc["done", f"{side}_low"], own.loc["done", f"{side}_high"]
        assert ends == pytest.approx((test.low, test.high))
    table = table_frame(sums, pursuits, 0.95)
    rounds = table[(table["pursuit"] == "trade routes") & (table["quantity"] == "rounds")].iloc[0]
    without = [chunks[place + i].games["rounds"].astype(int) for i in range(2)]
    assert rounds["estimate"] == pytest.approx(chunks[0].games["rounds"].mean() - np.mean(without))
    assert "No pursuit" in table_sentence(table)
    assert "no difference can be told" in worth_sentence(worth)


def test_real_games_are_answered() -> None:
    found = ask("pursuits", setting(TWO, 160, name=NAME))
    done = found.frames["worth"]
    done = done[done["quantity"] == "done"].set_index("pursuit")
    for name in ("threats", "quests", "the mine"):  # it does less of what it gave up
        assert done.loc[name, "low"] > 0
    assert "threats" in found.sentences[0]
