"""The sections of the questions on teams: figures, tables, what they say. On made-up games."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from analysis.coop_dial import WANTED
from analysis.coop_wins import setup_words
from analysis.cooperation import team_labels
from analysis.question import Answer, Play, Setting
from analysis.questions import load_question
from reports import style
from reports.document import Report
from reports.format import Interval, rate
from sim.batch import Chunk
from sim.near_and_far.outcome import BOSS_FIELDS, GAP_FIELDS
from sim.near_and_far.state import NO_GAP
from tests.analysis.team_games import ended
from tests.reports.answers import check, report_of, said, setting

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
    return ended(
        margin,
        bosses,
        luck < -2,
        players=len(seats),
        rotations=where.rotations,
        gifts=3,
        rounds=25,
        **gaps,
    )


def answered(question: str, seats: tuple[str, ...], rotate: bool = False) -> Asked:
    where = setting(seats, GAMES, rotate, name="near_and_far", modules__coop=True)
    asked = load_question(question, "near_and_far", len(seats), where.rules.model)
    sums = {}
    for group in asked.groups(where):
        parts = []
        for first in (0, 240):
            luck = np.random.default_rng([7, first]).normal(size=240 if first == 0 else 360)
            chunks = [games_of(play, where, luck) for play in group.plays]
            chunks = [Chunk(first, c.games, c.seats, {}) for c in chunks]
            parts.append(group.reduce(tuple(chunks)))
        sums[group.name] = reduce(lambda a, b: a + b, parts)
    answer = asked.answer(where, sums)
    return where, answer, report_of(question, where, answer)


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
    alt, rates = figures["coop_win_rate"].alt, answer.frames["wins"]
    assert len(alt) < 700
    for rows in (rates, rates[rates["team"] == "team_balanced"]):
        for place in (rows["estimate"].idxmax(), rows["estimate"].idxmin()):
            row = rows.loc[place]
            assert f"{rate(row['estimate'], row['low'], row['high'])} (" in alt
            assert setup_words(row) in alt
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_losses_are_drawn() -> None:
    _, answer, report = answered("coop_losses", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_outcomes", "coop_margin"]
    assert list(tables) == [
        *("coop_causes", "coop_close", "coop_short", "coop_bosses", "coop_margin"),
    ]
    wins = answer.frames["outcomes"].set_index(["team", "outcome"]).loc[("team_balanced", "won")]
    won = rate(wins["estimate"], wins["low"], wins["high"])
    title = figures["coop_outcomes"].title
    assert title.startswith(f"team_balanced wins {won} of its games; most of the lost ones: ")
    assert "n = 600 blocks of each team" in figures["coop_outcomes"].caption
    assert figures["coop_margin"].title.startswith("Half of the games of team_balanced end with a ")
    assert figures["coop_margin"].alt.count("[") == 5  # mean, spread, quantiles
    short = answer.frames["short"]["n"]
    assert f"n = {short.min()} to {short.max()} of them" in tables["coop_short"].caption
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_the_dial_is_drawn() -> None:
    _, answer, report = answered("coop_dial", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_dial"]
    assert list(tables) == ["coop_dial", "coop_dial_curve"]
    assert len(tables["coop_dial"].shown()) == 1 + len(WANTED)
    assert "team_balanced wins half of its games from a start of 4" in figures["coop_dial"].title
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_names_of_starts_stand_where_no_curve_goes() -> None:
    """Nor its band: all of a share is at most 100 %."""
    _, _, report = answered("coop_dial", TEAM)
    (drawing,) = report.figures()
    with style.context():
        assert callable(drawing.draw)
        made = drawing.draw()
        FigureCanvasAgg(made).draw()
        (axes,) = made.axes
        names = {text.get_text(): text for text in axes.texts}
        for name in ("sun", "moon"):
            box = axes.transData.inverted().transform(names[name].get_window_extent())
            assert box[0, 1] > 1


def test_what_helps_and_hurts_is_drawn() -> None:
    _, answer, report = answered("coop_worth", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_minion_cost", "coop_module_gain"]
    assert list(tables) == ["coop_minions_cost", "coop_sharing", "coop_modules"]
    assert len(tables["coop_minions_cost"].frame) == 9
    assert tables["coop_sharing"].frame["label"].tolist()[:2] == ["gifts of all", "gifts of seat 1"]
    assert figures["coop_minion_cost"].title.startswith("All minions ")
    assert figures["coop_minion_cost"].title.endswith("; no single minion shows a change")
    instead = "(all against none; each against others that come in its place)"
    assert instead in figures["coop_minion_cost"].caption
    assert instead in tables["coop_minions_cost"].caption
    assert "its place taken by another" in said(report)
    assert "fewer come" not in said(report)
    told = "intervals that hold together, that of all minions by itself (Tango"
    assert told in figures["coop_minion_cost"].caption
    assert "by itself" not in figures["coop_module_gain"].caption
    assert "that of gifts of all by itself" in tables["coop_sharing"].caption
    assert "by itself" not in tables["coop_modules"].caption
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_tension_is_drawn() -> None:
    _, answer, report = answered("coop_tension", TEAM)
    figures, tables = check(report)
    assert list(figures) == ["coop_open", "coop_by_gap", "coop_indicators"]
    assert list(tables) == ["coop_indicators", "coop_gaps", "coop_reliability"]
    assert "n = 300 games of the odd deals" in figures["coop_open"].caption
    curves = answer.frames["curves"]
    seen = curves[curves["bosses"].isna() & (curves["games"] >= 50)]["games"]
    assert f"n = {seen.min()} to" in figures["coop_by_gap"].caption
    assert "Wilson or exact, Bonferroni" in figures["coop_by_gap"].caption
    title = figures["coop_by_gap"].title
    assert title.startswith("After round ")
    assert title.count(" wins ") == title.count("%") == 2
    assert title.count("[") + title.count("<") + title.count(">") == 2
    assert tables["coop_indicators"].formats["without"] == Interval(
        "mean", "without_low", "without_high"
    )
    assert all(sentence in said(report) for sentence in answer.sentences)


@pytest.mark.parametrize(
    "question", ["coop_wins", "coop_losses", "coop_dial", "coop_worth", "coop_tension"]
)
def test_a_team_that_never_wins_is_drawn_as_well(question: str) -> None:
    _, answer, report = answered(question, ("team_random",) * 2)
    check(report)
    assert all("nan" not in sentence for sentence in answer.sentences)


@pytest.mark.parametrize(
    ("question", "figure", "told"),
    [
        ("coop_wins", "coop_win_rate", "n = 200 blocks a point"),
        ("coop_losses", "coop_outcomes", "n = 200 blocks of each team"),
        ("coop_dial", "coop_dial", "n = 200 blocks a point"),
        ("coop_worth", "coop_minion_cost", "(Student over paired blocks; Bonferroni)"),
        (
            "coop_tension",
            "coop_open",
            "n = 32 replicates (100 deals for 0 or all) of the odd deals",
        ),
        ("coop_tension", "coop_by_gap", "Wilson or exact on the effective number"),
    ],
)
def test_where_seats_rotate_blocks_are_told(question: str, figure: str, told: str) -> None:
    mixed = ("team_balanced", "team_roles", "team_roles")
    figures, _ = check(answered(question, mixed, True)[2])
    assert told in figures[figure].caption
