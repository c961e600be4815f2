from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.paired import BlockSums
from analysis.score_sources import (
    SCORE,
    SOURCES,
    Scoring,
    SourceSums,
    fighters,
    gap_frame,
    gap_sentence,
    held_frame,
    route_worth_frame,
    routes_frame,
    source_columns,
    source_sums,
    sources_frame,
    threats_frame,
    threats_sentence,
    void_frame,
    void_sentence,
    with_results,
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
    )


def rows_of(chunk: Chunk) -> pd.DataFrame:
    """A row per seat, with what the question looks at."""
    names = [*SEAT_ROW.names]
    flat = pd.DataFrame({name: chunk.seats[name].ravel().astype(int) for name in names})
    flat["over"] = np.repeat(chunk.games["status"] == Status.WON, chunk.seats.shape[1])
    flat["who"] = [SEATS[slot] for slot in flat["slot"]]
    return flat


def sums_of(chunk: Chunk) -> SourceSums:
    return source_sums(chunk, SEATS, 3, Scoring(shared=True, alone=4))


def test_every_source_has_a_field() -> None:
    assert len(SOURCES) == len(Source)
    assert {f"points_{source}" for source in SOURCES} <= set(SEAT_ROW.names)


def test_points_by_source_are_those_of_the_rows() -> None:
    chunk = games(np.random.default_rng(3))
    flat, sums = rows_of(chunk), sums_of(chunk).blocks
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
            camps = rows.loc["camps"]
            assert camps["share_low"] < camps["share"] < camps["share_high"]
            assert rows.loc[SCORE, "share_low"] == rows.loc[SCORE, "share_high"] == 1
            assert rows.loc["camps", "share"] == pytest.approx(
                own["points_camps"].sum() / own["score"].sum()
            )


def test_winners_are_compared_with_losers_of_the_same_games() -> None:
    chunk = games(np.random.default_rng(4))
    flat, sums = rows_of(chunk), sums_of(chunk).blocks
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


def test_routes_are_counted() -> None:
    chunk = games(np.random.default_rng(5))
    flat, sums = rows_of(chunk), sums_of(chunk).blocks
    routes = routes_frame(sums, SEATS, 0.95)
    assert routes["who"].unique().tolist() == ["all players", "a", "b"]
    own = routes[(routes["who"] == "b") & (routes["quantity"] == "routes_alone")].iloc[0]
    assert own["estimate"] == pytest.approx(flat[flat["who"] == "b"]["routes_alone"].mean())
    held = held_frame(sums, 3, 0.95).set_index("routes")
    total = flat["routes_alone"] + flat["routes_joint"]
    assert "0" not in held.index  # everybody shares one
    many = total >= 3
    assert held.loc["3+", "players"] == pytest.approx(many.mean())
    assert held.loc["3+", "estimate"] == pytest.approx(flat[many]["win"].mean() / 12)
    alike = BlockSums.of([with_results(chunk)], source_columns(("a",) * 3), 3)
    seats = routes_frame(alike, ("a",) * 3, 0.95)
    last = seats[(seats["who"] == "seat 3") & (seats["quantity"] == "routes_alone")].iloc[0]
    assert last["estimate"] == pytest.approx(chunk.seats["routes_alone"][:, 2].mean())


def test_what_a_source_decides_is_counted_game_by_game() -> None:
    """Points are taken from one player of one game at a time, and the best is looked for."""
    chunk = games(np.random.default_rng(8), 90)
    chunk.seats["win"] = 0  # who wins is decided by the points here
    score = chunk.seats["score"].astype(int)
    over = chunk.games["status"] == Status.WON

    def share(points: list[int], seat: int) -> float:
        best = max(points)
        return (points[seat] == best) / points.count(best)

    for game in np.flatnonzero(over):
        for seat in range(3):
            chunk.seats["win"][game, seat] = 12 * share(score[game].tolist(), seat)
    found = void_frame(sums_of(chunk).void, 3, 0.95)
    lost = np.zeros((90, 3))
    for game in np.flatnonzero(over):
        for seat in range(3):
            less = score[game].tolist()
            less[seat] -= int(chunk.seats["points_threats"][game, seat])
            lost[game, seat] = share(score[game].tolist(), seat) - share(less, seat)
    rows = found[found["source"] == "threats"]
    assert set(found["source"]) == {"camps", "threats"}
    assert rows[rows["seat"].isna()]["estimate"].item() == pytest.approx(lost.mean())
    assert rows[rows["seat"] == 2]["estimate"].item() == pytest.approx(lost[:, 1].mean())
    blocks = chunk.seats["points_threats"].astype(int).reshape(30, 9).mean(axis=1)
    half = stats.sem(blocks) * stats.t.isf(0.05 / 2 / 2, 29)  # two sources at once
    assert rows["points"].to_numpy() == pytest.approx(blocks.mean())
    assert (rows["points_high"] - rows["points"]).to_numpy() == pytest.approx(half)
    assert (rows["changed"] - rows["without"]).to_numpy() == pytest.approx(rows["estimate"])
    assert "of threats" in void_sentence(found)


def test_a_route_is_worth_what_hinges_on_its_points() -> None:
    """A lead of three points, a route each: that held alone decides, that held jointly does not."""
    chunk = made(
        40,
        2,
        of_game={"status": Status.WON},
        win=[[12, 0]] * 40,
        score=[[23, 20]] * 40,
        points_routes=[[4, 2]] * 40,
        routes_alone=[[1, 0]] * 40,
        routes_joint=[[0, 1]] * 40,
    )
    sums = source_sums(chunk, ("a",) * 2, 1, Scoring(shared=True, alone=4))
    found = route_worth_frame(sums.void, 2, 0.95).set_index("kind")
    assert found.loc["alone", "estimate"] == 1
    assert found.loc["jointly", "estimate"] == 0
    assert found.loc["alone", "points"] == 4
    assert found.loc["jointly", "points"] == 2
    assert found["held"].tolist() == [0.5, 0.5]
    assert found["points_method"].tolist() == ["by the rules"] * 2


def test_fights_are_shares_over_replicates() -> None:
    rng = np.random.default_rng(6)
    fights = np.zeros((32, 4, 16, 2), np.int64)
    won = rng.binomial(30, 0.7, 32)
    fights[:, 1, 2] = np.stack([30 - won, won], axis=1)
    fights[:, 0, 2, 1] = 10
    who = fighters(setting(("balanced",) * 2, name=NAME))
    assert who == {"all players": [0, 1], "seat 1": [0], "seat 2": [1]}
    found = threats_frame(fights, tables(), who, 0.95)
    assert set(found["threat"]) == {6}  # the third of the stack
    own = found.set_index("who").loc["seat 2"]
    share = won / 30
    half = stats.sem(share) * stats.t.isf(0.025, 31)
    assert own["estimate"] == pytest.approx(share.mean())
    assert own["high"] - own["estimate"] == pytest.approx(half)
    assert own["share"] == pytest.approx(0.75)
    assert own["share_low"] < 0.75 < own["share_high"]
    assert found.set_index("who").loc["seat 1", "estimate"] == 1
    turned = fighters(setting(("balanced", "miner"), 8, True, name=NAME))
    assert turned == {"all players": [0, 1], "balanced": [0], "miner": [1]}
    assert "seat 2" in threats_sentence(found)


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
