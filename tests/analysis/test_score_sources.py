from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.paired import BlockSums
from analysis.score_sources import (
    HANDICAP,
    SCORE,
    SOURCES,
    duels_frame,
    gap_frame,
    gap_sentence,
    held_frame,
    right_columns,
    right_plays,
    rights_frame,
    routes_frame,
    source_sums,
    sources_frame,
    threats_frame,
)
from sim.batch import Chunk
from sim.near_and_far.outcome import SEAT_ROW
from sim.near_and_far.state import Source, Status
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
SEATS = ("a", "b", "a")


def tables(**patches: Any) -> Any:
    where = setting(("balanced",) * 2, name=NAME, **patches)
    return where.game.make_tables(where.rules.model, 2, {})[0]


def games(rng: np.random.Generator, n: int = 240) -> Chunk:
    """Games of three whose winner has more from threats; every tenth is stopped by the cap."""
    winner = rng.integers(0, 3, n)
    win = 12 * np.eye(3, dtype=np.int64)[winner]
    status = np.where(np.arange(n) % 10 == 9, Status.CAPPED, Status.WON)
    win[status == Status.CAPPED] = 0
    camps = rng.integers(5, 15, (n, 3))
    threats = rng.integers(0, 8, (n, 3)) + 6 * (win > 0)
    routes = rng.integers(0, 5, (n, 3))
    duels = rng.integers(0, 4, (n, 3))
    dishonest = rng.binomial(duels, 0.4)
    won = rng.binomial(dishonest, 0.6)
    return made(
        n,
        3,
        rotations=3,
        of_game={"status": status},
        win=win,
        points_camps=camps,
        points_threats=threats,
        score=camps + threats,
        routes_alone=routes,
        routes_joint=1,
        duels=duels,
        dishonest=dishonest,
        duels_dishonest_won=won,
        duels_won=won + rng.binomial(duels - dishonest, 0.5),
    )


def rows_of(chunk: Chunk) -> pd.DataFrame:
    """A row per seat, with what the question looks at."""
    names = [*SEAT_ROW.names]
    flat = pd.DataFrame({name: chunk.seats[name].ravel().astype(int) for name in names})
    flat["over"] = np.repeat(chunk.games["status"] == Status.WON, chunk.seats.shape[1])
    flat["who"] = [SEATS[slot] for slot in flat["slot"]]
    return flat


def test_every_source_has_a_field() -> None:
    assert len(SOURCES) == len(Source)
    assert {f"points_{source}" for source in SOURCES} <= set(SEAT_ROW.names)


def test_points_by_source_are_those_of_the_rows() -> None:
    chunk = games(np.random.default_rng(3))
    flat, sums = rows_of(chunk), source_sums(chunk, 3).blocks
    found = sources_frame(sums, SEATS, 0.95)
    assert set(found["source"]) == {SCORE, "camps", "threats"}  # the others never scored
    parts = {
        "all": flat,
        "winners": flat[flat["win"] > 0],
        "losers": flat[(flat["win"] == 0) & flat["over"]],
    }
    for result, part in parts.items():
        for who in (None, "a", "b"):
            own = part if who is None else part[part["who"] == who]
            rows = found[found["result"] == result]
            rows = rows[rows["strategy"].isna() if who is None else rows["strategy"] == who]
            rows = rows.set_index("source")
            assert rows.loc["threats", "estimate"] == pytest.approx(own["points_threats"].mean())
            assert rows.loc[SCORE, "share"] == pytest.approx(1)
            assert rows.loc["camps", "share"] == pytest.approx(
                own["points_camps"].sum() / own["score"].sum()
            )


def test_winners_are_compared_with_losers_of_the_same_games() -> None:
    chunk = games(np.random.default_rng(4))
    flat, sums = rows_of(chunk), source_sums(chunk, 3).blocks
    gap = gap_frame(sums, SEATS, 0.95)
    every = gap[gap["strategy"].isna()].set_index("source")
    won, lost = flat[flat["win"] > 0], flat[(flat["win"] == 0) & flat["over"]]
    for source in ("camps", "threats"):
        field = f"points_{source}"
        assert every.loc[source, "estimate"] == pytest.approx(
            won[field].mean() - lost[field].mean()
        )
    assert every.loc["threats", "low"] > 4  # they have six more by construction
    assert every.loc["camps", "low"] < 0 < every.loc["camps", "high"]
    assert "most of it from threats" in gap_sentence(gap)


def test_routes_and_duels_are_counted() -> None:
    chunk = games(np.random.default_rng(5))
    flat, sums = rows_of(chunk), source_sums(chunk, 3).blocks
    routes = routes_frame(sums, SEATS, 0.95)
    own = routes[(routes["strategy"] == "b") & (routes["quantity"] == "routes_alone")].iloc[0]
    assert own["estimate"] == pytest.approx(flat[flat["who"] == "b"]["routes_alone"].mean())
    held = held_frame(sums, 3, 0.95).set_index("routes")
    total = flat["routes_alone"] + flat["routes_joint"]
    assert "0" not in held.index  # everybody shares one
    many = total >= 3
    assert held.loc["3+", "players"] == pytest.approx(many.mean())
    assert held.loc["3+", "estimate"] == pytest.approx(flat[many]["win"].mean() / 12)
    duels = duels_frame(sums, 3, 0.95).set_index(["kind", "quantity"])["estimate"]
    honest = flat["duels"] - flat["dishonest"]
    assert duels["honest", "asked"] == pytest.approx(honest.sum() / len(chunk.games))
    assert duels["dishonest", "won"] == pytest.approx(
        flat["duels_dishonest_won"].sum() / flat["dishonest"].sum()
    )
    assert duels["honest", "won"] == pytest.approx(
        (flat["duels_won"] - flat["duels_dishonest_won"]).sum() / honest.sum()
    )


def test_fights_are_shares_over_replicates() -> None:
    rng = np.random.default_rng(6)
    fights = np.zeros((32, 16, 2), np.int64)
    won = rng.binomial(30, 0.7, 32)
    fights[:, 2] = np.stack([30 - won, won], axis=1)
    found = threats_frame(fights, tables(), 0.95)
    assert found["threat"].tolist() == [6]  # the third of the stack
    share = won / 30
    half = stats.sem(share) * stats.t.isf(0.025, 31)
    assert found.loc[0, "estimate"] == pytest.approx(share.mean())
    assert found.loc[0, "high"] - found.loc[0, "estimate"] == pytest.approx(half)


def test_rights_are_taken_from_one_seat() -> None:
    plays = right_plays(2)
    assert [dict(play.handicaps) for play in plays] == [
        {},
        *[{HANDICAP: [3, 0]}, {HANDICAP: [0, 3]}],
        *[{HANDICAP: [2, 0]}, {HANDICAP: [0, 2]}],
        *[{HANDICAP: [1, 0]}, {HANDICAP: [0, 1]}],
    ]
    rng = np.random.default_rng(7)
    chunks = [
        made(
            150,
            2,
            win=12 * np.eye(2, dtype=np.int64)[rng.integers(0, 2, 150)],
            score=rng.integers(20, 60, (150, 2)),
        )
        for _ in plays
    ]
    sums = BlockSums.of(chunks, right_columns(2), 1)
    found = rights_frame(sums, 2, 0.95)
    row = found[
        (found["right"] == "dishonest duels")
        & (found["seat"] == 2)
        & (found["quantity"] == "score")
    ].iloc[0]
    base, without = chunks[0].seats["score"][:, 1], chunks[4].seats["score"][:, 1]
    assert row["estimate"] == pytest.approx((base.astype(int) - without).mean())
    assert row["without"] == pytest.approx(without.mean())
    assert row["changed"] == pytest.approx(base.mean())


def test_real_games_are_answered() -> None:
    found = ask("score_sources", setting(("balanced",) * 2, 160, name=NAME))
    sources = found.frames["sources"]
    every = sources[sources["result"] == "all"].set_index("source")["estimate"]
    assert every.drop(SCORE).sum() == pytest.approx(every[SCORE])  # nothing is left out
    camps = every["camps"]
    double = ask("score_sources", setting(("balanced",) * 2, 160, name=NAME, camps__points=2))
    rich = double.frames["sources"]
    rich = rich[rich["result"] == "all"].set_index("source")["estimate"]
    assert rich["camps"] > 1.5 * camps  # a camp is worth two
    assert found.frames["gap"].set_index("source").loc[SCORE, "low"] > 0
