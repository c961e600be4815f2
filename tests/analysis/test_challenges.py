from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.challenges import (
    Deals,
    FieldSums,
    blocking_columns,
    blocking_frame,
    blocking_plays,
    blocking_sentence,
    field_sums,
    margins_frame,
    outcomes_frame,
    shown_frame,
    shown_sentence,
    stacks_frame,
    stacks_sentence,
    won_sentence,
)
from analysis.paired import BlockSums
from sim.batch import Chunk
from tests.analysis.dobbers_games import made, one_winner
from tests.reports.answers import ask, setting

ZERO = 12  # place of margin 0


def counted(chunk: Chunk, margins: dict[tuple[int, int], int]) -> Chunk:
    """Put challenges by (slot, margin) into the counter, spread over the replicates."""
    table = chunk.counters["margins"]
    for (slot, margin), count in margins.items():
        for challenge in range(count):
            table[challenge % len(table), slot, ZERO + margin] += 1
    return chunk


@pytest.fixture(scope="module")
def field() -> Chunk:
    rng = np.random.default_rng(2)
    won = rng.integers(0, 3, (200, 2))
    lost = rng.integers(0, 2, (200, 2))
    chunk = made(200, 2, challenges=won + lost, victories=won, moved_back=2 * lost)
    return counted(
        chunk,
        {(0, -3): 20, (0, -1): 40, (0, 0): 60, (0, 2): 80, (1, -2): 30, (1, 1): 50, (1, 5): 20},
    )


def test_margins_are_shares_of_all_challenges(field: Chunk) -> None:
    found = margins_frame(field.counters["margins"], 0.95).set_index("margin")
    assert list(found.index) == list(range(-3, 6))
    assert found["challenges"].sum() == 300
    assert found["estimate"].sum() == pytest.approx(1)
    assert found.loc[0, "estimate"] == pytest.approx(60 / 300)
    assert list(found.index[found["won"].astype(bool)]) == list(range(6))
    assert ((found["low"] <= found["estimate"]) & (found["estimate"] <= found["high"])).all()


def test_a_margin_never_seen_is_bounded_by_the_deals(field: Chunk) -> None:
    """More deals narrow it; a deal counts once however many challenges it had."""
    once = field_sums(field, 1)
    d = field.seats["challenges"].astype(int).sum(axis=1)
    known = Deals.of(once, [0, 1])
    assert known == Deals((d * d).sum(), d.max())
    table = np.zeros_like(once.margins)
    table[:10, 0, ZERO + 2] = table[:10, 1, ZERO - 2] = d.sum() // 20
    total = int(table.sum())
    deals = total**2 // known.squares
    assert 100 < deals < 200
    found = margins_frame(table, 0.95, known).set_index("margin")
    assert (found.loc[0, "challenges"], found.loc[0, "n"]) == (0, deals)
    assert found.loc[0, "high"] == pytest.approx(1 - 0.01 ** (1 / (deals - 1)))  # five at once
    assert "no event" in found.loc[0, "method"]
    more = Deals(4 * known.squares, known.largest)
    four = margins_frame(4 * table, 0.95, more).set_index("margin")
    assert four.loc[0, "high"] < found.loc[0, "high"] / 3.9
    assert margins_frame(table, 0.95).set_index("margin").loc[0, "high"] > 0.4  # not known
    never = outcomes_frame(FieldSums(once.blocks, table, {}, d.max()), ("a", "b"), 0.95)
    never = never[(never["strategy"] == "b") & (never["quantity"] == "narrowly_won")].iloc[0]
    own = Deals.of(once, [1])
    assert own.squares < known.squares
    assert (never["estimate"], never["n"]) == (0, int(own.worth(total // 2)))


def test_a_class_never_won_is_bounded_by_as_few_deals_as_may_have_had_it(field: Chunk) -> None:
    once = field_sums(field, 1)
    counted = np.zeros((*once.margins.shape, 2), np.int64)
    counted[:10, 0, ZERO - 2, 0], counted[:10, 0, ZERO - 1, 0] = 30, 3
    counted[:10, 0, ZERO + 2] = 3
    deals = Deals(squares=2000, largest=5)
    found = shown_frame(counted, 0.95, deals).set_index("shown")
    # 300 challenges: 300^2 / 2000 deals, or 300 / 5; 30 of them: 30^2 / 2000, or 6, or replicates
    assert found["n"].tolist() == [60, 10, 10]
    assert found.loc[-2, "method"].startswith("no event in 60 deals")
    assert found.loc[2, "low"] == pytest.approx(1 - found.loc[-1, "high"])
    assert (field_sums(field, 1) + field_sums(field, 1)).largest == once.largest > 1
    assert Deals().worth(100) == 0


def test_outcomes_of_a_strategy_are_those_of_its_slots(field: Chunk) -> None:
    sums = field_sums(field, 1)
    found = outcomes_frame(sums, ("a", "b"), 0.95)
    rows = found.set_index([found["strategy"].fillna("all"), "quantity"])["estimate"]
    seats = field.seats
    for label, slots in (("all", [0, 1]), ("a", [0]), ("b", [1])):
        won = seats["victories"][:, slots].sum() / seats["challenges"][:, slots].sum()
        assert rows[label, "won"] == pytest.approx(won)
        assert rows[label, "challenges"] == pytest.approx(seats["challenges"][:, slots].mean())
        assert rows[label, "moved_back"] == pytest.approx(2)
    assert rows["all", "narrowly_won"] == pytest.approx((60 + 50) / 300)
    assert rows["a", "narrowly_lost"] == pytest.approx(40 / 200)
    assert rows["b", "narrowly_lost"] == pytest.approx(30 / 100)
    assert outcomes_frame(sums, ("a", "a"), 0.95)["strategy"].isna().all()


def test_results_by_what_was_seen_and_by_stack_are_shares_of_their_class(field: Chunk) -> None:
    """Counters that a game may keep: (replicate, slot, class, faced or won)."""
    rng = np.random.default_rng(8)
    shape = field.counters["margins"].shape
    shown = np.zeros((*shape, 2), np.int64)
    stacks = np.zeros((*shape[:2], 10, 2), np.int64)
    points = rng.integers(-4, 5, 4000)
    won = rng.random(4000) < 0.5 + points / 10
    kinds = rng.integers(0, 4, 4000)
    for i in range(4000):
        shown[i % 32, i % 2, ZERO + points[i]] += (1, won[i])
        stacks[i % 32, i % 2, kinds[i]] += (1, won[i])
    counters = {**field.counters, "shown": shown, "stacks": stacks}
    chunk = Chunk(field.first, field.games, field.seats, counters)
    sums = field_sums(chunk, 1) + field_sums(chunk, 1)
    found = shown_frame(sums.counted["shown"], 0.95)
    rows = pd.DataFrame({"shown": points, "won": won}).groupby("shown")["won"]
    assert list(found["shown"]) == list(range(-4, 5))
    assert list(found["estimate"]) == pytest.approx(list(rows.mean()))
    assert list(found["challenges"]) == list(2 * rows.count())
    assert found["method"].str.contains("9 at once").all()
    table = stacks_frame(sums.counted["stacks"], 0.95)
    assert list(zip(table["cards"], table["face"], strict=True)) == [
        (0, "down"),
        (0, "up"),
        (1, "down"),
        (1, "up"),
    ]
    assert list(table["estimate"]) == pytest.approx(
        [won[kinds == kind].mean() for kind in range(4)]
    )
    assert "with two to spare" in shown_sentence(found)
    assert "a location alone" in stacks_sentence(table)
    assert field_sums(field, 1).counted.keys() <= {"shown", "stacks"}


def test_sums_add_up(field: Chunk) -> None:
    once, twice = field_sums(field, 1), field_sums(field, 1) + field_sums(field, 1)
    pd.testing.assert_series_equal(
        outcomes_frame(once, ("a", "b"), 0.95)["estimate"],
        outcomes_frame(twice, ("a", "b"), 0.95)["estimate"],
    )
    assert margins_frame(twice.margins, 0.95)["challenges"].sum() == 600


def test_who_may_build_is_changed_seat_by_seat() -> None:
    named = {play.name: play.handicaps.get("forbid_blocking") for play in blocking_plays(3)}
    assert named == {
        "as it is": None,
        "nobody builds": [1, 1, 1],
        "only seat 1 builds": [0, 1, 1],
        "only seat 2 builds": [1, 0, 1],
        "only seat 3 builds": [1, 1, 0],
        "seat 1 builds nothing": [1, 0, 0],
        "seat 2 builds nothing": [0, 1, 0],
        "seat 3 builds nothing": [0, 0, 1],
    }


def test_gains_and_losses_of_building_are_differences_on_the_same_deals() -> None:
    rng = np.random.default_rng(4)
    plays = blocking_plays(3)
    chances = [[1, 1, 1], [1, 1, 1], [3, 1, 1], [1, 3, 1], [1, 1, 3]]
    chances += [[1, 2, 2], [2, 1, 2], [2, 2, 1]]
    wins = [one_winner(rng, 500, chance) for chance in chances]
    chunks = [
        made(500, 3, win=win, turns=np.full((500, 3), 20 if place == 0 else 12))
        for place, win in enumerate(wins)
    ]
    chunks[0].games["capped"][:50] = 1
    assert len(chunks) == len(plays)
    sums = BlockSums.of(chunks, blocking_columns(3), 1)
    found = blocking_frame(sums, 3, 0.95).set_index("quantity")
    rate = [win.mean(axis=0) / 12 for win in wins]
    builder = np.mean([rate[2 + s][s] - rate[1][s] for s in range(3)])
    blocked = np.mean([rate[1][o] - rate[2 + s][o] for s in range(3) for o in range(3) if o != s])
    all_build = np.mean([rate[0][s] - rate[5 + s][s] for s in range(3)])
    assert found.loc["builder", "estimate"] == pytest.approx(builder)
    assert found.loc["blocked", "estimate"] == pytest.approx(blocked)
    assert found.loc["all_build", "estimate"] == pytest.approx(all_build)
    # somebody wins every game, so what one gains the other two lose
    assert builder == pytest.approx(2 * blocked)
    assert found.loc["turns", ["estimate", "without", "changed"]].tolist() == [8, 12, 20]
    assert found.loc["capped", "estimate"] == pytest.approx(0.1)
    said = blocking_sentence(found.reset_index())
    assert said.startswith("The only player who builds stacks gains")


def test_real_games_are_answered_for_one_and_for_several() -> None:
    alone = ask("challenges", setting(("solo_fast",), 60, name="dobbers"))
    assert set(alone.frames) - {"shown", "stacks"} == {"margins", "outcomes"}
    where = setting(("balanced", "runner"), 60, name="dobbers")
    several = ask("challenges", where)
    assert set(several.frames) >= {"margins", "outcomes", "blocking"}
    outcomes = several.frames["outcomes"]
    won = outcomes[outcomes["strategy"].isna() & (outcomes["quantity"] == "won")].iloc[0]
    margins = several.frames["margins"]
    # the counter and the rows tell the same
    assert margins[margins["won"].astype(bool)]["estimate"].sum() == pytest.approx(won["estimate"])
    changes = several.frames["blocking"].set_index("quantity")
    assert changes.loc["challenges", "without"] == 0  # nobody builds, nothing is faced
    assert "by strategy" in several.sentences[-1]


def test_a_game_without_challenges_says_so() -> None:
    chunk = made(10, 1)
    sums = field_sums(chunk, 1)
    assert margins_frame(sums.margins, 0.95).empty
    assert won_sentence(outcomes_frame(sums, ("a",), 0.95)) == "Nobody faced a challenge."
