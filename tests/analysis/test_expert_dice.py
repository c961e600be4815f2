from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.expert_dice import (
    DENIED,
    HANDICAP,
    NOBODY,
    PRINTED,
    QUANTITIES,
    by_strategy,
    by_visit,
    chances_frame,
    denied_frame,
    denied_play,
    dice_plays,
    faces_frame,
    faces_sentence,
    given_play,
    module_frame,
    owner_frame,
    row_of,
    seat_columns,
    seats_frame,
    strategies_frame,
    strategy_columns,
    visit_columns,
    visits_frame,
)
from analysis.paired import BlockSums
from analysis.question import Answer
from sim.batch import Chunk
from sim.near_and_far.state import FACES
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
PLAYERS = 3


def tables() -> Any:
    where = setting(("balanced",) * 2, name=NAME)
    return where.game.make_tables(where.rules.model, 2, {})[0]


def test_each_seat_has_a_die_alone_and_lacks_one_alone() -> None:
    plays = dice_plays(setting(("balanced",) * 3, name=NAME))
    assert [dict(play.patches)["modules.expert_dice"] for play in plays] == [
        *[False, True],
        *[False] * 3,
        *[True] * 3,
    ]
    assert plays[given_play(2)].handicaps == {HANDICAP: [DENIED, 1, DENIED]}
    assert plays[denied_play(3, 3)].handicaps == {HANDICAP: [0, 0, DENIED]}
    assert not plays[NOBODY].handicaps
    assert not plays[PRINTED].handicaps
    # without the new threats, the module needs leave to be played
    on = setting(("balanced",) * 2, name=NAME).rules.model.modules.on()
    off = {f"modules__{module}": False for module in on}
    where = setting(("balanced",) * 2, name=NAME, **off)
    printed = dice_plays(where)[PRINTED].patches
    assert printed == {"modules.expert_dice": True, "switches.threats_free": True}
    where.game.load(None, {**where.rules.patches, **printed})  # legal


def drawn(rng: np.random.Generator, games: int, luck: float) -> Chunk:
    """Games in which seats succeed more often with luck."""
    tries = rng.integers(1, 5, (games, PLAYERS))
    fights = rng.integers(0, 5, (games, PLAYERS))
    rolls = rng.integers(0, 4, (games, PLAYERS))
    winner = rng.integers(0, PLAYERS, games)
    return made(
        games,
        PLAYERS,
        of_game={"rounds": rng.integers(15, 25, games), "spread": rng.integers(0, 30, games)},
        win=12 * np.eye(PLAYERS, dtype=np.int64)[winner],
        score=rng.integers(30, 60, (games, PLAYERS)),
        quests_tried=tries,
        quests_done=rng.binomial(tries, luck),
        threats_fought=fights,
        threats_beaten=rng.binomial(fights, luck),
        mine_rolls=rolls,
        mine_back=rng.binomial(rolls, 1 - luck),
        expert=rng.integers(0, 2, (games, PLAYERS)),
    )


def test_effects_are_paired_differences_of_the_seat_that_has_the_die() -> None:
    rng = np.random.default_rng(3)
    chunks = [drawn(rng, 300, 0.5 + 0.04 * place) for place in range(2 + 2 * PLAYERS)]
    sums = BlockSums.of(chunks, seat_columns(PLAYERS), 1)
    owner = owner_frame(sums, PLAYERS, 0.95)
    # one seat: Student's test on the differences
    for seat in (1, 3):
        with_it, without = (
            chunks[play].seats["score"][:, seat - 1].astype(int)
            for play in (given_play(seat), NOBODY)
        )
        row = row_of(owner, seat=seat, quantity="score")
        test = stats.ttest_1samp(with_it - without, 0).confidence_interval(1 - 0.05 / PLAYERS)
        assert row["estimate"] == pytest.approx((with_it - without).mean())
        assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
        assert row["discordance"] == pytest.approx((with_it != without).mean())
    # all seats: pooled
    gained = np.mean(
        [
            chunks[given_play(s)].seats["win"][:, s - 1].mean()
            - chunks[NOBODY].seats["win"][:, s - 1].mean()
            for s in (1, 2, 3)
        ]
    )
    assert row_of(owner, seat=None, quantity="win_rate")["estimate"] == pytest.approx(gained / 12)
    # success is out of attempts, tries are a sum
    for name, field, per in (
        ("quests", "quests_done", "quests_tried"),
        ("thrown_back", "mine_back", "mine_rolls"),
    ):
        done, tried, old, old_tried = (
            sum(chunks[play(s)].seats[f][:, s - 1].sum() for s in (1, 2, 3))
            for play, f in (
                (given_play, field),
                (given_play, per),
                (lambda _: NOBODY, field),
                (lambda _: NOBODY, per),
            )
        )
        row = row_of(owner, seat=None, quantity=name)
        assert row["changed"] == pytest.approx(done / tried)
        assert row["estimate"] == pytest.approx(done / tried - old / old_tried)
    two = chunks[given_play(2)].seats
    tries = (two["quests_tried"].astype(int) + two["threats_fought"])[:, 1].mean()
    assert row_of(owner, seat=2, quantity="tries")["changed"] == pytest.approx(tries)
    # the other way round: as printed, minus the seat without
    denied = denied_frame(sums, PLAYERS, 0.95)
    lost = (
        chunks[PRINTED].seats["score"][:, 1].astype(int)
        - chunks[denied_play(2, PLAYERS)].seats["score"][:, 1]
    )
    row = row_of(denied, seat=2, quantity="score")
    assert row["estimate"] == pytest.approx(lost.mean())
    assert len(denied) == len(owner) == len(QUANTITIES) * (PLAYERS + 1)
    # the module for everybody
    module = module_frame(sums, 0.95)
    gain = chunks[PRINTED].games["rounds"].astype(int) - chunks[NOBODY].games["rounds"]
    test = stats.ttest_1samp(gain, 0).confidence_interval(0.95)
    row = row_of(module, quantity="rounds")
    assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
    owners = chunks[PRINTED].seats["expert"].mean()
    assert row_of(module, quantity="owners")["changed"] == pytest.approx(owners)
    seats = seats_frame(sums, PLAYERS, 0.95)
    assert seats["estimate"].sum() == pytest.approx(0)  # what one wins another loses


def test_strategies_are_told_apart_where_seats_rotate() -> None:
    rng = np.random.default_rng(8)
    games, seats = 240, ("a", "b", "a")
    plain = [
        made(
            games,
            3,
            rotations=3,
            win=12 * np.eye(3, dtype=np.int64)[rng.integers(0, 3, games)],
            score=rng.integers(20, 60, (games, 3)),
        )
        for _ in range(1 + 3 + 4)
    ]
    apart = [by_strategy(chunk, seats, ("a", "b")) for chunk in plain]
    sums = BlockSums.of(apart, strategy_columns(3, ("a", "b")), 3)
    found = strategies_frame(sums, 3, ("a", "b"), 0.95)
    for label in ("a", "b"):
        new, old = [], []
        for seat in (1, 2, 3):
            here = np.array([seats[s] == label for s in plain[0].seats["slot"][:, seat - 1]])
            new += list(plain[given_play(seat)].seats["score"][here, seat - 1])
            old += list(plain[NOBODY].seats["score"][here, seat - 1])
        row = row_of(found, strategy=label, quantity="score")
        assert row["without"] == pytest.approx(np.mean(old))
        assert row["changed"] == pytest.approx(np.mean(new))
    assert strategies_frame(sums, 3, ("a",), 0.95).empty  # nobody to tell apart


def test_visitors_are_compared_with_themselves() -> None:
    turn = np.array([[2, 0, 1], [0, 0, 0], [1, 1, 3], [1, 1, 0]])
    start = np.array([0, 0, 0, 1])  # in the last game seat 2 begins
    won = 12 * np.array([[0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0]])
    before = 12 * np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]])
    chunk = by_visit(
        made(4, 3, of_game={"start_seat": start}, expert_turn=turn, win=won), made(4, 3, win=before)
    )
    first = chunk.seats["came 1"].argmax(axis=1)
    assert chunk.seats["came 1"].sum(axis=1).tolist() == [1, 0, 1, 1]
    assert [first[game] for game in (0, 2, 3)] == [2, 0, 1]
    found = visits_frame(BlockSums.of([chunk], visit_columns(3), 1), 3, 0.95).set_index("visit")
    assert found["came"].tolist() == [3 / 4, 3 / 4, 1 / 4]
    assert found.loc[1, "turn"] == pytest.approx((1 + 1 + 1) / 3)
    assert found.loc[1, "won"] == pytest.approx(1)  # seats 3, 1, 2
    assert found.loc[1, "estimate"] == pytest.approx(1 - 1 / 3)
    assert found.loc[2, "won"] == 0


def test_faces_are_held_against_the_exact_law() -> None:
    rng = np.random.default_rng(2)
    faces = np.zeros((2, FACES), np.int64)
    faces[0, 1:7] = rng.multinomial(9000, [1 / 6] * 6)
    faces[1, 2:7] = rng.multinomial(4000, [1 / 5] * 5)
    found = faces_frame(faces, tables(), 1, 0.999)
    assert len(found) == 11
    assert found["inside"].all()
    expert = found[found["die"] == "expert"].set_index("number")
    assert expert["exact"].tolist() == pytest.approx([0.2] * 5)
    assert expert["exact_food"].tolist() == pytest.approx([0, *[0.25] * 4], abs=1e-9)
    assert "do what the faces say" in faces_sentence(found, 0.999)
    faces[1, 2] += 600  # a die that is not what it should be
    loaded = faces_frame(faces, tables(), 1, 0.999)
    assert not loaded["inside"].all()
    assert "outside their intervals" in faces_sentence(loaded, 0.999)
    # one throw may serve a game of each rotation: fewer are independent
    wide = faces_frame(faces, tables(), 4, 0.999)
    assert (wide["n"] == wide["throws"] // 4).all()
    assert ((wide["high"] - wide["low"]) > (loaded["high"] - loaded["low"])).all()


def test_exact_chances_are_those_of_counting() -> None:
    found = chances_frame(tables(), 0.95).set_index(["missing", "die"])["estimate"]
    for missing in range(1, 9):
        assert found[missing, "standard"] == pytest.approx(max(0, min(6, 7 - missing)) / 6)
        assert found[missing, "expert"] == pytest.approx(
            sum(face >= missing for face in (2, 3, 4, 5, 6)) / 5
        )
        once = sum(face >= missing for face in (3, 4, 5, 6)) / 5
        fed = once + 0.2 * (found[missing, "expert"] if missing > 2 else 1.0)
        assert found[missing, "expert, 1 food"] == pytest.approx(fed)


@pytest.fixture(scope="module")
def real() -> Answer:
    return ask("expert_dice", setting(("balanced",) * 2, 160, name=NAME))


def test_real_games_are_answered(real: Answer) -> None:
    owner = real.frames["owner"]
    assert owner["estimate"].notna().all()
    module = real.frames["module"]
    assert row_of(module, quantity="owners")["without"] == 0  # nobody has a die without them
    assert real.frames["faces"]["inside"].all()
    assert set(real.frames["faces"]["die"]) == {"standard", "expert"}
    assert real.sentences[0].startswith("A player who alone has an expert die")
    wins = real.frames["seats"]["estimate"]
    assert wins.sum() == pytest.approx(0)


def test_a_die_with_ordinary_faces_changes_nothing() -> None:
    faces = {
        "expert_die__rerolls": 0,
        "expert_die__paid": [],
        "expert_die__numbers": [1, 2, 3, 4, 5, 6],
    }
    found = ask("expert_dice", setting(("balanced",) * 2, 64, name=NAME, **faces))
    owner: pd.DataFrame = found.frames["owner"]
    assert (owner["estimate"] == 0).all()
    assert (owner["discordance"] == 0).all()


def test_a_die_that_always_succeeds_makes_the_owner_succeed() -> None:
    found = ask(
        "expert_dice",
        setting(("balanced",) * 2, 96, name=NAME, expert_die__numbers=[7, 7, 7, 7]),
    )
    owner = found.frames["owner"]
    for name in ("quests", "threats"):
        row = row_of(owner, seat=None, quantity=name)
        assert row["changed"] > row["without"]
    assert row_of(owner, seat=None, quantity="score")["low"] > 0
