from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis import words
from analysis.coop_worth import (
    gifts_frame,
    minion_names,
    minion_plays,
    minions_sentence,
    modules_frame,
    modules_sentence,
    parts_frame,
    sharing_plays,
    sharing_sentence,
    team_modules,
    worth_columns,
)
from analysis.intervals import rate
from analysis.modules import Module, module_plays
from analysis.paired import BlockSums
from sim.batch import Batch
from sim.batch import play as play_chunks
from strategies.resolve import lineup
from tests.analysis.team_games import drawn
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TEAM = {"modules__coop": True}


def test_each_thing_is_taken_away_alone() -> None:
    where = setting(("balanced",) * 3, name=NAME, **TEAM)
    names = minion_names(where)
    assert len(names) == 8
    plays = minion_plays(names)
    assert plays[1].patches == {"modules.minions": False}
    assert plays[2].patches == {"modules.minions": True, f"minions.{names[0]}.copies": 0}
    fewer = setting(("balanced",) * 3, name=NAME, **TEAM, **{f"minions__{names[0]}__copies": 0})
    assert minion_names(fewer) == names[1:]
    sharing = sharing_plays(3)
    assert [dict(play.handicaps).get("forbid_gifts") for play in sharing] == [
        None,
        *([1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]),
    ]


def test_modules_that_end_the_team_are_left_alone() -> None:
    where = setting(("balanced",) * 2, name=NAME, **TEAM)
    modules = team_modules(where)
    names = {module.name for module in modules}
    assert "expert_dice" in names
    assert not names & {"coop", "amber_mines"}
    for play in module_plays(modules):
        rules = where.game.load(None, {**where.rules.patches, **play.patches})
        assert where.game.together(rules.model)


def test_effects_are_with_it_minus_without() -> None:
    rng = np.random.default_rng(5)
    chunks = [drawn(rng, 500, skill=skill, gifts=3) for skill in (0.0, 12.0, 3.0, 4.0)]
    sums = BlockSums.of(chunks, worth_columns(4), 1)
    won = [chunk.games["team_won"].astype(int) for chunk in chunks]
    found = parts_frame(sums, ("one", "two"), "minion", 0.95)
    rows = found[found["quantity"] == "won"].to_dict("records")
    for play, row in enumerate(rows, start=1):
        assert row["estimate"] == pytest.approx((won[0] - won[play]).mean())
        assert row["changed"] == pytest.approx(won[0].mean())  # with it
    assert found["minion"].isna().sum() == 4  # all of them together
    assert [row["minion"] for row in rows][1:] == ["one", "two"]
    margin = found[(found["quantity"] == "margin") & (found["minion"] == "two")].iloc[0]
    gain = chunks[0].games["team_margin"].astype(int) - chunks[3].games["team_margin"]
    test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 2)
    assert (margin["low"], margin["high"]) == pytest.approx((test.low, test.high))
    assert margin["without_low"] < margin["without"] < margin["without_high"]
    text = minions_sentence(found)
    assert text.startswith("All minions together cost ")
    rates = [rate(int(won[play].sum()), 500) for play in (1, 0)]
    without, with_them = (words.share(one) for one in rates)
    assert f"of the win rate, {without} without and {with_them} with them, and" in text
    assert "another comes in its place, none is told apart from the others." in text
    told = [chunks[0], chunks[1], *(drawn(rng, 500, skill=skill) for skill in (25.0, -25.0))]
    text = minions_sentence(
        parts_frame(BlockSums.of(told, worth_columns(4), 1), ("one", "two"), "minion", 0.95)
    )
    assert "left out of the deck has its place taken by others; cost more win rate" in text
    assert "more win rate than these: one by " in text
    assert "; cost less: two by " in text
    seats = parts_frame(sums, (1, 2), "seat", 0.95)
    assert seats["seat"].isna().sum() == 4
    said = sharing_sentence(seats, gifts_frame(sums, 0.95))
    assert "gives away 3" in said
    assert "giving costs" in said  # the team did better without


def test_modules_that_help_and_hurt_are_told() -> None:
    rng = np.random.default_rng(6)
    chunks = [drawn(rng, 600, skill=skill) for skill in (0.0, -25.0, -25.0, 0.0)]
    modules = (Module("magic", True), Module("map_scarcity", False), Module("numbat", True))
    sums = BlockSums.of(chunks, worth_columns(4), 1)
    found = modules_frame(sums, modules, 0.95)
    won = [chunk.games["team_won"].mean() for chunk in chunks]
    rows = found[found["quantity"] == "won"].set_index("module")["estimate"]
    assert rows["magic"] == pytest.approx(won[0] - won[1])  # on as it is
    assert rows["map_scarcity"] == pytest.approx(won[2] - won[0])  # off as it is
    text = modules_sentence(found)
    assert text.startswith("Modules that help the team, in win rate: magic")
    assert "modules that hurt the team, in win rate: map scarcity" in text
    assert "numbat" not in text
    assert modules_sentence(found[found["module"] == "numbat"]).startswith("No module")


def test_real_games_are_answered() -> None:
    found = ask("coop_worth", setting(("balanced",) * 2, 16, name=NAME, **TEAM))
    minions = found.frames["minions"]
    assert len(minions) == 9 * 4
    # scripts that give nothing lose nothing where gifts are forbidden
    sharing = found.frames["sharing"]
    assert (sharing["estimate"] == 0).all()
    assert found.frames["gifts"]["estimate"].iloc[0] == 0


def test_another_minion_comes_for_one_that_is_left_out() -> None:
    """As many come, fewer than there are: the others come more often."""
    where = setting(("team_balanced",) * 3, name=NAME, **TEAM)
    game, names = where.game, minion_names(where)
    drawn_of = []
    for one in minion_plays(names)[:3]:
        rules = game.load(None, {**where.rules.patches, **one.patches})
        who = lineup(game, where.seats)
        batch = Batch(game, game.make_tables(rules.model, 3, {}), who, where.seed, 1)
        parts = play_chunks(
            [batch], 0, 100, lambda chunks: chunks[0].games["minions_drawn"], threads=1
        )
        drawn_of.append(np.concatenate([part for _, part in parts]))
    every, none, without = drawn_of
    assert none.max() == 0
    assert 4 < every.mean() < len(names) - 1
    assert without.mean() == pytest.approx(every.mean(), abs=0.4)
