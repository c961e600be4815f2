"""The sections of the questions on teams: figures, tables, what they say. On made-up games."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest

from analysis.coop_dial import WANTED
from analysis.cooperation import team_labels
from analysis.question import Answer, Play, Setting
from analysis.questions import load_question
from reports.document import Report
from sim.batch import Chunk
from sim.near_and_far.outcome import BOSS_FIELDS, GAP_FIELDS
from sim.near_and_far.state import NO_GAP
from tests.analysis.team_games import ended
from tests.reports.answers import check, report_of, setting

Asked = tuple[Setting, Answer, Report]
GAMES = 600
SKILL = {"team_balanced": 25.0, "team_roles": 12.0, "team_random": -200.0}


def games_of(play: Play, where: Setting, luck: np.ndarray) -> Chunk:
    """Games of a play: the better the team and the earlier the start, the more points."""
    seats = play.seats or where.seats
    skill = SKILL.get(seats[0], 0.0)
    start = play.patches.get("together.start") or 38
    skill -= 12 * (play.patches.get("switches.difficulty") == "moon") + 4 * (start - 38)
    skill -= 6 * bool(play.patches.get("modules.minions"))
    margin = np.rint(skill + 15 * luck).astype(int)
    bosses = np.clip(np.rint(0.4 - luck[::-1] / 2 - skill / 40), 0, 3).astype(int)
    gaps: dict[str, Any] = {}
    for place, (gap, left) in enumerate(zip(GAP_FIELDS, BOSS_FIELDS, strict=True)):
        over = luck < place - 5
        gaps[gap] = np.where(over, NO_GAP, margin - 10 * (7 - place) - np.rint(9 * luck[::-1]))
        gaps[left] = np.where(over, -1, np.minimum(bosses + (place < 3), 4))
    return ended(margin, bosses, luck < -2, players=len(seats), gifts=3, rounds=25, **gaps)


def answered(question: str, seats: tuple[str, ...], **patches: Any) -> Asked:
    where = setting(seats, GAMES, name="near_and_far", modules__coop=True, **patches)
    asked = load_question(question, "near_and_far", len(seats), where.rules.model)
    sums = {}
    for group in asked.groups(where):
        parts = []
        for first in (0, 200):
            luck = np.random.default_rng([7, first]).normal(size=200 if first == 0 else 400)
            chunks = [games_of(play, where, luck) for play in group.plays]
            chunks = [Chunk(first, c.games, c.seats, {}) for c in chunks]
            parts.append(group.reduce(tuple(chunks)))
        sums[group.name] = reduce(lambda a, b: a + b, parts)
    answer = asked.answer(where, sums)
    return where, answer, report_of(question, where, answer)


def said(report: Report) -> str:
    return " ".join(getattr(block, "body", "") for block in report.blocks())


TEAM = ("team_balanced",) * 3


def test_win_rates_are_drawn() -> None:
    where, answer, report = answered("coop_wins", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_win_rate", "coop_team_gain"]
    assert list(tables) == ["coop_win_rate", "coop_difficulty", "coop_minions", "coop_bounds"]
    wins = tables["coop_win_rate"]
    assert len(wins.frame) == 2 * 2 * 3
    assert list(wins.shown()) == ["label", *team_labels(where)]
    assert set(tables["coop_bounds"].frame["team"]) == {"team_random"}
    assert "rule of three" in said(report)
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_losses_are_drawn() -> None:
    _, answer, report = answered("coop_losses", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_outcomes", "coop_margin"]
    assert list(tables) == [
        *("coop_causes", "coop_close", "coop_short", "coop_bosses", "coop_margin"),
    ]
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_the_dial_is_drawn() -> None:
    _, answer, report = answered("coop_dial", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_dial"]
    assert list(tables) == ["coop_dial", "coop_dial_curve"]
    assert len(tables["coop_dial"].shown()) == 1 + len(WANTED)
    assert "team_balanced wins half of its games from a start of 4" in figures["coop_dial"].title
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_what_helps_and_hurts_is_drawn() -> None:
    _, answer, report = answered("coop_worth", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_minion_cost", "coop_module_gain"]
    assert list(tables) == ["coop_minions_cost", "coop_sharing", "coop_modules"]
    assert len(tables["coop_minions_cost"].frame) == 9
    assert tables["coop_sharing"].frame["label"].tolist()[:2] == ["gifts of all", "gifts of seat 1"]
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_tension_is_drawn() -> None:
    _, answer, report = answered("coop_tension", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_open", "coop_by_gap", "coop_indicators"]
    assert list(tables) == ["coop_indicators", "coop_gaps", "coop_reliability"]
    assert all(sentence in said(report) for sentence in answer.sentences)


@pytest.mark.parametrize(
    "question", ["coop_wins", "coop_losses", "coop_dial", "coop_worth", "coop_tension"]
)
def test_a_team_that_never_wins_is_drawn_as_well(question: str) -> None:
    _, answer, report = answered(question, ("team_random",) * 2)
    check(report)
    assert all("nan" not in sentence for sentence in answer.sentences)
