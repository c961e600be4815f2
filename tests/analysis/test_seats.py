from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.cave_in_risk import Halves, halves
from analysis.paired import BlockSums
from analysis.question import Answer, Play, Setting
from analysis.seats import (
    ALL_DRAWN,
    AS_DEALT,
    CORNER,
    GEMS,
    QUESTION,
    ROLE,
    Gems,
    Tallies,
    allocation_frames,
    apart_sentence,
    by_wizard,
    drawn_patches,
    fairness_frame,
    gem_columns,
    gem_plays,
    gem_worth_frame,
    gems_of,
    habit_sentence,
    lineup_of,
    nearest_to_fair,
    rates_frame,
    reachable,
    role_of,
    surface,
    tallies,
    together_frame,
)
from sim.batch import Batch, Chunk, play
from sim.game import load_game
from strategies.resolve import lineup
from tests.analysis.games import chunk as plain_chunk
from tests.analysis.games import winners
from tests.reports.answers import ask as real_answer
from tests.reports.answers import setting as real_setting

GAME = load_game("wizard_miners")
RULES = GAME.load(None, {})
NUMBERS = (7, 8, 10, 11)
DRILLS = ("drill_first",) * 4


def summed(chunk: Chunk, rotations: int) -> Tallies:
    """Tallies of rows that may hold a wizard."""
    return tallies(chunk, rotations, ROLE if ROLE in (chunk.seats.dtype.names or ()) else "")


def setting(seats: tuple[str, ...] = DRILLS, games: int = 320, **changes: Any) -> Setting:
    rules = GAME.load(None, changes.pop("patches", {}))
    return dataclasses.replace(Setting(GAME, rules, seats, False, games, 5), **changes)


Worth = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""seat, order, wizard, each (games, players) from 0 -> how strong"""


def games_of(n: int, worth: Worth, *, drawn: bool, players: int = 4, seed: int = 1) -> Chunk:
    """Games that each seat wins in proportion to its worth. drawn: start and wizards by lot."""
    rng = np.random.default_rng(seed)
    start = rng.integers(0, players, n) if drawn else np.zeros(n, dtype=int)
    seat = np.broadcast_to(np.arange(players), (n, players))
    order = (seat - start[:, None]) % players
    wizard = np.argsort(rng.random((n, 4)), axis=1)[:, :players] if drawn else seat
    weights = worth(seat, order, wizard)
    edges = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    who = (rng.random(n)[:, None] > edges).sum(axis=1)
    games = np.zeros(n, GAME.game_row)
    games["game"] = np.arange(n)
    games["start_seat"] = start
    rows = np.zeros((n, players), GAME.seat_row)
    rows["slot"] = np.arange(players)
    rows["wizard"] = np.array(NUMBERS)[wizard]
    rows["win"] = 12 * (np.arange(players) == who[:, None])
    return Chunk(0, games, rows, {})


def fair(seat: np.ndarray, order: np.ndarray, wizard: np.ndarray) -> np.ndarray:
    return np.ones(seat.shape)


def late_is_better(seat: np.ndarray, order: np.ndarray, wizard: np.ndarray) -> np.ndarray:
    return 1.0 + 0.3 * order


def high_is_better(seat: np.ndarray, order: np.ndarray, wizard: np.ndarray) -> np.ndarray:
    return 1.0 + 0.3 * wizard


def right_is_better(seat: np.ndarray, order: np.ndarray, wizard: np.ndarray) -> np.ndarray:
    return 1.0 + 0.3 * seat


def frames(worth: Worth, n: int = 20000) -> tuple[pd.DataFrame, pd.DataFrame]:
    plays = {
        AS_DEALT: summed(games_of(n, worth, drawn=False), 1),
        ALL_DRAWN: summed(games_of(n, worth, drawn=True, seed=2), 1),
    }
    return rates_frame(plays, 4, 0.95), fairness_frame(plays, 4, 0.95)


# ------------------------------------------------------------------------------------ the plays


def test_one_strategy_sits_in_all_seats_unless_they_rotate():
    mixed = ("builder", "drill_first", "cleaner", "drill_first")
    assert lineup_of(setting(mixed)) == ("builder",) * 4
    assert lineup_of(setting(mixed, rotate=True)) == mixed
    groups = QUESTION.groups(setting(mixed))
    assert {one.seats for group in groups for one in group.plays} == {("builder",) * 4}
    # games of the study's own lineup are shared with the other questions
    assert {one.seats for group in QUESTION.groups(setting()) for one in group.plays} == {None}


def test_drawn_play_draws_start_and_wizards():
    drawn = GAME.load(None, drawn_patches(setting())).model.switches
    assert (drawn.start_order, drawn.wizard_assignment) == ("random", "random")


# -------------------------------------------------------------------------------------- the rates


@pytest.mark.parametrize("players", [3, 4])
def test_rates_are_wins_out_of_won_games(players):
    chunk = games_of(3000, late_is_better, drawn=True, players=players)
    chunk.seats["win"][::10] = 0  # stalled
    chunk.seats["win"][1::10] = [6, 6, 0, 0][:players]  # shared
    plain = pd.DataFrame(
        {
            "win": chunk.seats["win"].ravel() / 12,
            "seat": np.tile(np.arange(players) + 1, 3000),
            "order": (
                (np.arange(players) - chunk.games["start_seat"][:, None]) % players + 1
            ).ravel(),
            "wizard": chunk.seats["wizard"].ravel(),
            "won": np.repeat(chunk.seats["win"].sum(axis=1) > 0, players),
        }
    )
    plain = plain[plain["won"]]
    found = rates_frame({ALL_DRAWN: summed(chunk, 1)}, players, 0.95)
    for by in ("seat", "order", "wizard"):
        expected = plain.groupby(by)["win"].agg(["mean", "size"])
        own = found[found["by"] == by].set_index("value")
        assert list(own.index) == list(expected.index)
        assert np.allclose(own["estimate"], expected["mean"])
        assert list(own["games"]) == list(expected["size"])
    cells = together_frame(summed(chunk, 1), players, 0.95).set_index(["order", "wizard"])
    expected = plain.groupby(["order", "wizard"])["win"].mean()
    assert np.allclose(cells["estimate"].sort_index(), expected.sort_index())


def test_rates_have_wilsons_interval_at_the_joint_level():
    chunk = games_of(5000, fair, drawn=False)
    found = rates_frame({AS_DEALT: summed(chunk, 1)}, 4, 0.95)
    wins = (chunk.seats["win"] > 0).sum(axis=0)
    low, high = proportion_confint(wins, 5000, 0.05 / 4, "wilson")
    assert np.allclose(found["low"], low, atol=1e-4)
    assert np.allclose(found["high"], high, atol=1e-4)
    assert list(found["wizard"]) == list(NUMBERS)  # who holds what, as dealt
    assert set(found["by"]) == {"seat"}  # order and wizard cannot be told from the seat


def test_what_is_planted_is_found_and_nothing_else():
    for worth, planted in (
        (late_is_better, "order"),
        (high_is_better, "wizard"),
        (right_is_better, "seat"),
    ):
        rates, fairness = frames(worth)
        dealt = fairness[fairness["play"] == AS_DEALT].iloc[0]
        assert dealt["verdict"] == "not fair"  # all three look alike there
        drawn = fairness[fairness["play"] == ALL_DRAWN].set_index("by")
        for by in ("seat", "order", "wizard"):
            assert drawn["verdict"][by] == ("not fair" if by == planted else "fair"), (planted, by)
        truth = (1 + 0.3 * np.arange(4)) / 5.8
        own = rates[(rates["play"] == ALL_DRAWN) & (rates["by"] == planted)]
        assert ((own["low"] <= truth) & (truth <= own["high"])).all()
        assert drawn["low"][planted] <= truth[3] - truth[0] <= drawn["high"][planted]


def test_fairness_has_the_likelihood_ratio_test():
    chunk = games_of(2000, fair, drawn=True)
    found = fairness_frame({ALL_DRAWN: summed(chunk, 1)}, 4, 0.95).set_index("by")
    for by, key in (("seat", None), ("wizard", "wizard")):
        won = chunk.seats["win"] > 0
        wins = (
            won.sum(axis=0)
            if key is None
            else [int(won[chunk.seats[key] == number].sum()) for number in NUMBERS]
        )
        g, p = stats.power_divergence(wins, lambda_="log-likelihood")
        assert found["statistic"][by] == pytest.approx(g)
        assert found["p_value"][by] == pytest.approx(p)
        assert found["df"][by] == 3
        assert found["design_effect"][by] == 1


def test_copies_of_a_game_are_no_evidence():
    one = games_of(1000, late_is_better, drawn=False)
    four = Chunk(0, np.repeat(one.games, 4), np.repeat(one.seats, 4, axis=0), {})
    single = fairness_frame({AS_DEALT: summed(one, 1)}, 4, 0.95).iloc[0]
    blocks = fairness_frame({AS_DEALT: summed(four, 4)}, 4, 0.95).iloc[0]
    assert blocks["design_effect"] == pytest.approx(4, rel=0.01)
    for name in ("estimate", "low", "high", "statistic", "p_value"):
        assert blocks[name] == pytest.approx(single[name], rel=0.01)


def test_three_players_are_measured_against_a_third():
    chunk = games_of(30000, fair, drawn=True, players=3)
    found = fairness_frame({ALL_DRAWN: summed(chunk, 1)}, 3, 0.95).set_index("by")
    assert list(found["verdict"]) == ["fair"] * 3  # four wizards, three seats
    rates = rates_frame({ALL_DRAWN: summed(chunk, 1)}, 3, 0.95)
    assert np.allclose(rates["estimate"], 1 / 3, atol=0.02)


def test_few_games_leave_it_undecided():
    found = fairness_frame({AS_DEALT: summed(games_of(100, fair, drawn=False), 1)}, 4, 0.95)
    assert found["verdict"].iloc[0] == "undecided"


def test_tallies_of_parts_add_up():
    whole = games_of(400, late_is_better, drawn=True)
    a = Chunk(0, whole.games[:160], whole.seats[:160], {})
    b = Chunk(160, whole.games[160:], whole.seats[160:], {})
    assert (summed(b, 4) + summed(a, 4)) == summed(whole, 4)


def test_game_without_order_or_roles_has_seats():
    win = winners(np.random.default_rng(4), 4000, 4, luck=2.0)
    found = rates_frame({AS_DEALT: summed(plain_chunk(win), 1)}, 4, 0.95)
    assert set(found["by"]) == {"seat"}
    assert found["estimate"].iloc[0] == pytest.approx((win[:, 0] > 0).mean())
    assert "wizard" not in found


# ---------------------------------------------------------------------------------------- gems


def test_gems_lie_around_those_of_the_rules():
    gems = gems_of(setting())
    assert gems is not None
    assert gems.printed == gems.centre == (6, 5, 5, 6)
    assert len(set(gems.played)) == len(gems.played) == 18
    steps = np.array(gems.steps)
    assert (steps.sum(axis=0) == 0).all()
    assert np.array_equal(steps.T @ steps, gems.squares * np.eye(4))  # slopes free of each other
    # three wizards' corners do not foretell the product that gives the fourth
    corners = steps[np.abs(steps).min(axis=1) == CORNER]
    for i, j in itertools.combinations(range(4), 2):
        assert set((corners[:, i] * corners[:, j]).tolist()) == {-4, 4}


def test_gems_are_never_below_zero_and_always_play_the_rules():
    gems = gems_of(setting(patches={GEMS: [0, 1, 9, 98]}))
    assert gems is not None
    assert (0, 1, 9, 98) in gems.played
    assert min(map(min, gems.played)) >= 0
    for one in gem_plays(setting(), gems):
        GAME.load(None, one.patches)


def test_wizards_that_look_alike_have_no_gems_to_compare():
    where = setting(patches={"wizards.numbers": [7, 7, 10, 11]})
    assert gems_of(where) is None
    assert [group.name for group in QUESTION.groups(where)] == [AS_DEALT, ALL_DRAWN]


def test_patches_follow_the_order_of_the_file():
    where = setting(patches={"wizards.numbers": [11, 7, 8, 10], GEMS: [1, 2, 3, 4]})
    gems = gems_of(where)
    assert gems is not None
    assert gems.numbers == NUMBERS
    assert gems.printed == (2, 3, 4, 1)
    plays = dict(zip(gems.played, gem_plays(where, gems), strict=True))
    assert plays[2, 3, 4, 1].patches[GEMS] == [1, 2, 3, 4]


def test_by_wizard_sorts_seats_by_what_they_hold():
    chunk = games_of(500, high_is_better, drawn=True, players=3)
    found = by_wizard(chunk, NUMBERS)
    assert (found.seats["present"].sum(axis=1) == 3).all()
    for place, number in enumerate(NUMBERS):
        held = chunk.seats["wizard"] == number
        assert found.seats["present"][:, place].sum() == held.sum()
        assert found.seats["win"][:, place].sum() == chunk.seats["win"][held].sum()


def gem_sums(
    gems: Gems, worth: np.ndarray, n: int = 4000, handicap: np.ndarray | None = None, seed: int = 3
) -> Halves:
    """Games of all allocations on shared luck.

    worth: (4,) what a gem adds to a wizard's win rate; the others lose as much together. handicap:
    (4,) added to the win rates at the centre.
    """
    rng = np.random.default_rng(seed)
    u = rng.random(n)
    chunks = []
    for allocation in gems.played:
        gain = worth * np.array(gems.step(allocation))
        p = 0.25 + gain - (gain.sum() - gain) / 3 + (0 if handicap is None else handicap)
        assert p.sum() == pytest.approx(1)
        who = (u[:, None] > np.cumsum(p)).sum(axis=1).clip(max=3)
        games = np.zeros(n, GAME.game_row)
        games["game"] = np.arange(n)
        rows = np.zeros((n, 4), GAME.seat_row)
        rows["wizard"] = NUMBERS
        rows["win"] = 12 * (np.arange(4) == who[:, None])
        chunks.append(by_wizard(Chunk(0, games, rows, {}), gems.numbers))
    return halves(chunks, gem_columns(gems), 1)


def both(split: Halves) -> BlockSums:
    return split.picking + split.measuring


def some_gems() -> Gems:
    gems = gems_of(setting())
    assert gems is not None
    return gems


WORTH = np.array([0.03, 0.02, 0.01, 0.0])


def test_surface_is_the_least_squares_fit():
    gems = some_gems()
    sums = both(gem_sums(gems, WORTH, 800))
    columns = [c for c in sums.columns if c.field == "win"]
    rates = np.array(
        [
            [float(sums.cluster({c: 1}).ratio()) / 12 for c in columns if c.play == play]
            for play in range(len(gems.steps))
        ]
    )
    design = sm.add_constant(np.array(gems.steps, dtype=float))
    for step in ((0, 0, 0, 0), (1, -2, 0, 2)):
        found = [i.estimate for i in surface(gems, sums, step, 0.95)]
        expected = [float(sm.OLS(rates[:, w], design).fit().params @ [1, *step]) for w in range(4)]
        assert found == pytest.approx(expected)


def test_planted_worth_of_a_gem_is_found():
    gems = some_gems()
    found = gem_worth_frame(gems, both(gem_sums(gems, WORTH, 20000)), 0.99)
    slopes = found[found["quantity"] == "per_gem"].set_index("wizard")
    for number, truth in zip(NUMBERS, WORTH, strict=True):
        assert slopes["low"][number] <= truth <= slopes["high"][number]
    every = found[found["wizard"].isna()].set_index("quantity")
    assert every["low"]["per_gem"] <= WORTH.mean() <= every["high"]["per_gem"]
    assert every["low"]["per_gem"] > 0
    bends = found[found["quantity"] == "bend"]
    assert ((bends["low"] <= 0) & (bends["high"] >= 0)).all()


def test_worth_is_the_paired_contrast_of_plays():
    """Brute force: block by block, Student."""
    gems = some_gems()
    rng = np.random.default_rng(9)
    n = 600
    wins = []
    chunks = []
    for _ in gems.played:
        who = rng.integers(0, 4, n)
        games = np.zeros(n, GAME.game_row)
        games["game"] = np.arange(n)
        rows = np.zeros((n, 4), GAME.seat_row)
        rows["wizard"] = NUMBERS
        rows["win"] = 12 * (np.arange(4) == who[:, None])
        wins.append(who[:, None] == np.arange(4))
        chunks.append(by_wizard(Chunk(0, games, rows, {}), gems.numbers))
    found = gem_worth_frame(gems, both(halves(chunks, gem_columns(gems), 1)), 0.95)
    values = (
        sum(step[1] * won[:, 1] for step, won in zip(gems.steps, wins, strict=False)) / gems.squares
    )
    interval = stats.ttest_1samp(values, 0).confidence_interval(1 - 0.05 / 4)
    row = found[(found["wizard"] == 8) & (found["quantity"] == "per_gem")].iloc[0]
    assert row["estimate"] == pytest.approx(values.mean())
    assert (row["low"], row["high"]) == pytest.approx(tuple(interval))


def test_fair_allocation_is_found_and_measured():
    gems = some_gems()
    # two gems more for wizard 7 make it fair: a gem is worth 3 points to everybody
    worth = np.full(4, 0.03)
    step = np.array([2, 0, 0, 0])
    gain = worth * step
    handicap = -(gain - (gain.sum() - gain) / 3)
    split = gem_sums(gems, worth, 30000, handicap)
    assert nearest_to_fair(gems, split.picking, reachable(gems), 4) in {
        (2 + k, k, k, k)
        for k in (-2, -1, 0)  # a gem for everybody changes nothing
    }
    allocations, nearest = allocation_frames(gems, split, 4, 0.95)
    model = nearest[nearest["role"].str.contains("model")].iloc[0]
    rules = nearest[nearest["role"].str.contains("rules")].iloc[0]
    assert rules["estimate"] == pytest.approx(0.06, abs=0.015)
    assert rules["low"] > 0.02
    assert model["high"] < 0.02
    best = nearest[nearest["role"].str.contains("best")].iloc[0]
    assert best["played"]
    assert best["estimate"] <= rules["estimate"]
    own = allocations[allocations["gems"] == rules["gems"]].set_index("wizard")
    truth = 0.25 + handicap
    assert ((own["low"] <= truth) & (truth <= own["high"])).all()
    assert len(allocations) == 4 * len(nearest)


def test_choice_is_made_on_even_deals_and_measured_on_odd():
    gems = some_gems()
    split = gem_sums(gems, WORTH, 2000)
    quiet = gem_sums(gems, np.zeros(4), 2000, seed=7)
    _, nearest = allocation_frames(gems, Halves(split.picking, quiet.measuring), 4, 0.95)
    _, other = allocation_frames(gems, split, 4, 0.95)
    roles = dict(zip(nearest["gems"], nearest["role"], strict=True))
    assert roles == dict(zip(other["gems"], other["role"], strict=True))
    played = nearest[nearest["played"]]
    assert played["estimate"].nunique() == 1  # gems without worth on shared luck: all alike


# ---------------------------------------------------------------------------------- the question


def answered(worth: Worth, gem_worth: np.ndarray, n: int = 20000) -> Answer:
    where = setting()
    gems = some_gems()
    return QUESTION.answer(
        where,
        {
            AS_DEALT: summed(games_of(n, worth, drawn=False), 1),
            ALL_DRAWN: summed(games_of(n, worth, drawn=True, seed=2), 1),
            "gems": gem_sums(gems, gem_worth, 4000),
        },
    )


def test_sentences_of_a_fair_game():
    found = answered(fair, np.full(4, 0.01))
    assert found.sentences[0].startswith("The seats are fair within 2\u00a0points")
    assert "habit" not in found.sentences[0]
    assert "6/5/5/6 starting gems for the wizards 7/8/10/11 are fair" in found.sentences[2]
    assert found.sentences[3].startswith("A starting gem more is worth 0.97\u00a0points")
    expected = {"rates", "fairness", "together", "gem_worth", "allocations", "nearest"}
    assert set(found.frames) == expected
    for frame in found.frames.values():
        assert {"estimate", "low", "high", "level", "n", "method"} <= set(frame)


def test_turn_order_is_told_from_a_habit_of_the_strategies():
    order = answered(late_is_better, np.full(4, 0.02))
    assert order.sentences[0].startswith("The seats are not fair")
    assert "habit" not in order.sentences[0]
    assert "who plays fourth wins" in order.sentences[1]
    assert "not fair within" in order.sentences[1]
    assert order.sentences[3].endswith("gems.")  # so many make up for it
    habit = answered(right_is_better, np.full(4, -0.02))
    assert "a habit of the strategies" in habit.sentences[0]
    assert "costs its owner 2." in habit.sentences[3]


def test_worthless_gems_cannot_make_up_for_the_turn_order():
    found = answered(late_is_better, np.zeros(4))
    assert found.sentences[3].endswith("too little to make up for the turn order.")


def test_unfair_wizards_are_told():
    found = answered(high_is_better, np.full(4, 0.01))
    assert "are not fair" in found.sentences[2]


def test_no_winner_says_so():
    chunk = games_of(40, fair, drawn=False)
    chunk.seats["win"] = 0
    found = QUESTION.answer(
        setting(game=dataclasses.replace(GAME)),
        {
            AS_DEALT: summed(chunk, 1),
            ALL_DRAWN: summed(chunk, 1),
            "gems": gem_sums(some_gems(), np.zeros(4), 8),
        },
    )
    assert found.sentences[0] == "No game was won, so nothing can be said of the seats."


# ------------------------------------------------------------------------------------ real games


@pytest.mark.parametrize(
    ("seats", "rotate"),
    [(DRILLS, False), (("builder", "drill_first", "drill_first"), True)],
)
def test_real_games_give_the_answer(seats, rotate):
    where = setting(seats, 96, rotate=rotate)

    def played(one: Play, games: int) -> Chunk:
        rules = GAME.load(None, one.patches)
        line = one.seats or where.seats
        tables = GAME.make_tables(rules.model, len(line), one.handicaps)
        batch = Batch(GAME, tables, lineup(GAME, line), where.seed, where.rotations)
        ((_, (chunk,)),) = play([batch], 0, games, lambda c: c, threads=1)
        return chunk

    sums = {
        g.name: g.reduce(tuple(played(one, 24 if g.name == "gems" else 96) for one in g.plays))
        for g in QUESTION.groups(where)
    }
    found = QUESTION.answer(where, sums)
    rates = found.frames["rates"]
    for _, own in rates[rates["by"] != "wizard"].groupby(["play", "by"]):
        assert own["estimate"].sum() == pytest.approx(1)
    assert set(rates[rates["by"] == "wizard"]["value"]) == set(NUMBERS)
    assert len(found.frames["nearest"]) >= 18
    assert len(found.sentences) >= 4


def test_a_game_without_wizards_is_told_of_its_start_alone():
    rates, fairness = frames(right_is_better)
    assert apart_sentence(rates, fairness, ROLE).startswith("With start and wizards drawn by lot, ")
    assert "with start and wizards drawn by lot" in habit_sentence(rates, fairness, ROLE)
    fairness = fairness[fairness["by"] != "wizard"]
    assert apart_sentence(rates, fairness, ROLE).startswith(
        "With the start drawn by lot, who plays "
    )
    assert "with the start drawn by lot nothing" in habit_sentence(rates, fairness, ROLE)


def test_words_come_from_the_game() -> None:
    wizards = real_setting(("drill_first",) * 4)
    assert role_of(wizards) == "wizard"
    assert drawn_patches(wizards) == {
        "switches.wizard_assignment": "random",
        "switches.start_order": "random",
    }
    where = real_setting(("runner",) * 3, 60, name="dobbers")
    assert role_of(where) == ""
    assert drawn_patches(where) == {"switches.start_order": "random"}
    answer = real_answer("seats", where)
    assert set(answer.frames) == {"rates", "fairness"}
    assert "wizard" not in answer.frames["rates"]
    assert set(answer.frames["rates"]["by"]) == {"seat", "order"}
    said = " ".join(answer.sentences)
    assert "wizard" not in said
    assert "With the start drawn by lot" in said
