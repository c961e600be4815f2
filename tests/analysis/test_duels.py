from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.duels import (
    HANDICAP,
    MANNER,
    SCORING,
    by_kind,
    defences_frame,
    duel_columns,
    duels_frame,
    duels_sentence,
    manner_columns,
    manner_frame,
    manner_plays,
    manner_sentence,
    right_columns,
    right_plays,
    rights_frame,
    rights_sentence,
    scorings,
)
from analysis.habits import find_habit
from analysis.paired import BlockSums
from sim.batch import Chunk
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2


def games(rng: np.random.Generator, n: int = 150, **fields: Any) -> Chunk:
    duels = rng.integers(0, 4, (n, 2))
    dishonest = rng.binomial(duels, 0.4)
    won = rng.binomial(dishonest, 0.6)
    own: dict[str, Any] = {
        "win": 12 * np.eye(2, dtype=np.int64)[rng.integers(0, 2, n)],
        "score": rng.integers(20, 60, (n, 2)),
        "reputation": rng.integers(-4, 5, (n, 2)),
        "duels": duels,
        "dishonest": dishonest,
        "duels_dishonest_won": won,
        "duels_won": won + rng.binomial(duels - dishonest, 0.5),
        "defences": duels[:, ::-1],
        "defences_won": rng.binomial(duels[:, ::-1], 0.3),
    }
    return made(n, 2, **{**own, **fields})


def test_duels_are_counted_by_kind_and_by_who_asks() -> None:
    chunk = games(np.random.default_rng(5))
    sums = BlockSums.of([by_kind(chunk)], duel_columns(TWO), 1)
    found = duels_frame(sums, TWO, 0.95).set_index(["who", "kind", "quantity"])["estimate"]
    flat = pd.DataFrame({name: chunk.seats[name].ravel() for name in chunk.seats.dtype.names})
    honest = flat["duels"] - flat["dishonest"]
    assert found["all players", "honest", "asked"] == pytest.approx(honest.mean())
    assert found["all players", "dishonest", "won"] == pytest.approx(
        flat["duels_dishonest_won"].sum() / flat["dishonest"].sum()
    )
    second = chunk.seats[:, 1]
    assert found["seat 2", "honest", "won"] == pytest.approx(
        (second["duels_won"].sum() - second["duels_dishonest_won"].sum())
        / (second["duels"].sum() - second["dishonest"].sum())
    )
    defended = defences_frame(sums, TWO, 0.95).set_index(["who", "quantity"])["estimate"]
    assert defended["seat 1", "held"] == pytest.approx(
        chunk.seats["defences_won"][:, 0].sum() / chunk.seats["defences"][:, 0].sum()
    )
    none = games(np.random.default_rng(5), dishonest=0, duels_dishonest_won=0)
    found = duels_frame(BlockSums.of([by_kind(none)], duel_columns(TWO), 1), TWO, 0.95)
    assert set(found["kind"]) == {"honest"}
    assert "nobody fights dishonest ones" in duels_sentence(found)


def test_rights_are_taken_from_one_seat() -> None:
    plays = right_plays(2)
    assert [dict(play.handicaps) for play in plays] == [
        {},
        *[{HANDICAP: [3, 0]}, {HANDICAP: [0, 3]}],
        *[{HANDICAP: [2, 0]}, {HANDICAP: [0, 2]}],
        *[{HANDICAP: [1, 0]}, {HANDICAP: [0, 1]}],
    ]
    rng = np.random.default_rng(7)
    chunks = [games(rng) for _ in plays[:5]]
    chunks += [chunks[0]] * 2  # nobody misses the right to honest duels
    found = rights_frame(BlockSums.of(chunks, right_columns(2), 1), 2, 0.95)
    row = found[
        (found["right"] == "dishonest duels")
        & (found["seat"] == 2)
        & (found["quantity"] == "score")
    ].iloc[0]
    base, without = chunks[0].seats["score"][:, 1], chunks[4].seats["score"][:, 1]
    gain = base.astype(int) - without
    assert row["estimate"] == pytest.approx(gain.mean())
    test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 2)  # two seats at once
    assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
    assert row["without"] == pytest.approx(without.mean())
    assert row["changed"] == pytest.approx(base.mean())
    assert "to honest duels is worth nothing (no game differs)" in rights_sentence(found)


@pytest.mark.parametrize("scripted", [1, 0])
def test_the_manner_is_honest_minus_dishonest_whichever_is_scripted(scripted: int) -> None:
    where = setting((f"balanced:dishonest={scripted}", "random"), name=NAME)
    habit = find_habit(where, MANNER)
    assert habit is not None
    plays = manner_plays(where, habit, {SCORING: "full"})
    assert [play.seats for play in plays] == [
        None,
        (f"balanced:dishonest={1 - scripted}", "random"),
    ]
    assert all(play.patches == {SCORING: "full"} for play in plays)
    rng = np.random.default_rng(9)
    chunks = [games(rng), games(rng)]
    sums = BlockSums.of(chunks, manner_columns(habit), 1)
    found = manner_frame({"as set": sums}, habit, 0.95).set_index("quantity")
    dishonest, honest = chunks if scripted else chunks[::-1]
    gain = honest.seats["score"][:, 0].astype(int) - dishonest.seats["score"][:, 0]
    assert found.loc["score", "estimate"] == pytest.approx(gain.mean())
    assert found.loc["score", "changed"] == pytest.approx(honest.seats["score"][:, 0].mean())
    rates = [c.seats["duels_won"][:, 0].sum() / c.seats["duels"][:, 0].sum() for c in chunks]
    change = rates[1] - rates[0] if scripted else rates[0] - rates[1]
    assert found.loc["won", "estimate"] == pytest.approx(change)


def test_the_full_scoring_is_looked_at_where_it_is_another() -> None:
    assert list(scorings(setting(TWO, name=NAME))) == ["as set", "full"]
    assert list(scorings(setting(TWO, name=NAME, switches__scoring="full"))) == ["as set"]


def test_real_games_are_answered() -> None:
    found = ask("duels", setting(TWO, 120, name=NAME))
    manner = found.frames["manner"].set_index(["scoring", "quantity"])
    assert manner.loc[("as set", "won"), "estimate"] < 0  # one less on every roll
    assert manner.loc[("as set", "reputation"), "estimate"] > 0
    assert manner_sentence(found.frames["manner"]) == found.sentences[-1]
    asked = found.frames["duels"]
    assert (asked[asked["quantity"] == "asked"]["estimate"] > 0).all()
    nobody = ask("duels", setting(("random",) * 2, 60, name=NAME))
    assert "manner" not in nobody.frames  # no weight to turn
