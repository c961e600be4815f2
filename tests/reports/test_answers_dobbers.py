"""The sections of the questions on Dobbers: figures, tables, what they say and to whom."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.question import Answer, Setting
from reports.answers.challenges import _shown_figure
from reports.document import Report
from tests.reports.answers import ask, check, report_of, said, setting

Asked = tuple[Setting, Answer, Report]


def asked(question: str, seats: tuple[str, ...], games: int = 40) -> Asked:
    where = setting(seats, games, name="dobbers")
    answer = ask(question, where)
    return where, answer, report_of(question, where, answer)


@pytest.fixture(scope="module")
def heroes() -> Asked:
    return asked("heroes", ("runner",) * 2, 60)


def test_heroes_are_drawn_best_first(heroes: Asked) -> None:
    figures, tables = check(heroes[2])
    assert list(figures) == ["heroes", "abilities"]
    assert list(tables) == ["heroes", "heroes_held", "hero_by_seat"]
    assert len(tables["heroes"].frame) == 16
    assert tables["heroes"].frame["estimate"].is_monotonic_decreasing
    assert set(tables["hero_by_seat"].shown()) == {"name", "ability", "seat 1", "seat 2"}
    assert (tables["heroes_held"].frame["games"] > 0).all()
    assert "Toby: 1 gold" in figures["heroes"].alt
    for sentence in heroes[1].sentences:
        assert sentence in said(heroes[2])


def test_alignments_of_four_and_of_two() -> None:
    _, answer, report = asked("alignments", ("runner",) * 4, 16)
    figures, tables = check(report)
    assert list(figures) == ["alignments", "alignment_worth"]
    assert list(tables) == ["alignments", "alignments_by_seat"]
    assert "won" in tables["alignments"].shown()
    assert all(sentence in said(report) for sentence in answer.sentences)
    _, _, two = asked("alignments", ("runner",) * 2, 16)
    figures, tables = check(two)
    assert list(figures) == ["alignment_worth"]  # four collectors need four seats
    assert "won" not in tables["alignments"].shown()


def test_challenges_of_several_and_of_one() -> None:
    _, answer, report = asked("challenges", ("balanced", "fighter"))
    figures, tables = check(report)
    assert list(figures)[:2] == ["challenge_margins", "blocking"]
    assert list(tables["challenges"].frame["strategy"]) == ["all players", "balanced", "fighter"]
    blocked = tables["blocking"].frame.set_index("quantity")
    assert blocked.loc["blocked", "low"] <= blocked.loc["blocked", "high"]
    # what the blocked lose is negative in the table and positive in the frame
    plain = answer.frames["blocking"].set_index("quantity")
    assert blocked.loc["blocked", "estimate"] == -plain.loc["blocked", "estimate"]
    where, _, alone = asked("challenges", ("solo_fast",))
    figures, tables = check(alone)
    assert "blocking" not in {*figures, *tables}
    assert ("challenge_shown" in figures) == ("shown" in where.game.counters.names)
    assert ("challenge_stacks" in tables) == ("stacks" in where.game.counters.names)


@pytest.mark.parametrize(
    ("points", "said_so"),
    [
        (0, "just the points that the fronts let expect"),
        (1, "1 point more than the fronts let expect"),
        (-2, "2 points less than the fronts let expect"),
    ],
)
def test_the_title_says_what_points_shown_mean(points: int, said_so: str) -> None:
    at = np.arange(-4, 5)
    share = np.where(at < points, 0.3, 0.7)
    shown = pd.DataFrame(
        {"shown": at, "challenges": 100, "estimate": share, "low": share - 0.1, "high": share + 0.1}
    )
    figure = _shown_figure(shown, setting(("runner",) * 2, name="dobbers"))
    assert figure.title == f"Most challenges are won from {said_so} on"
    assert "bounded by as few deals as may have had it" in figure.caption


def test_optional_rules_by_number_of_players() -> None:
    for players, rules, names in (
        (1, 1, ["rule_length"]),
        (2, 6, ["rule_length", "duel"]),
        (4, 3, ["rule_length", "duel"]),
    ):
        _, answer, report = asked("optional_rules", ("runner",) * players)
        figures, tables = check(report)
        assert list(figures) == names
        assert len(tables["rule_effects"].frame) == rules
        assert ("lead_changes" in tables["rule_effects"].shown()) == (players > 1)
        assert all(sentence in said(report) for sentence in answer.sentences)


def test_solo_results_are_bars_of_their_bands() -> None:
    _, answer, report = asked("solo_bands", ("solo_fast",), 80)
    figures, tables = check(report)
    assert list(figures) == ["solo_bands", "solo_turns"]
    assert list(tables) == ["solo_bands", "solo_turns", "solo_effects"]
    assert list(tables["solo_bands"].frame["case"])[:2] == [
        "solo_fast, by position",
        "solo_fast, by cost",
    ]
    assert set(tables["solo_bands"].shown()) >= {"13 turns or fewer", "19 or more"}
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_seats_without_roles_speak_of_none() -> None:
    _, _, report = asked("seats", ("runner",) * 3)
    figures, tables = check(report)
    assert list(figures) == ["seats", "turn_order"]
    assert report.sections[0].title == "Seats"
    words = said(report) + " ".join(table.caption for table in tables.values())
    assert "wizard" not in words.lower()


def test_lengths_and_leads_are_drawn_as_well() -> None:
    for question, first in (("length", "length_turns"), ("snowball", "win_by_lead")):
        figures, _ = check(asked(question, ("runner",) * 4)[2])
        assert next(iter(figures)) == first
