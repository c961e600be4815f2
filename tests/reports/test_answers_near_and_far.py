"""The sections of the questions on Near and Far: figures, tables, what they say."""

from __future__ import annotations

import pytest

from analysis.question import Answer, Setting
from reports.document import Report
from tests.reports.answers import ask, check, report_of, setting

Asked = tuple[Setting, Answer, Report]


def asked(question: str, seats: tuple[str, ...], games: int = 64, rotate: bool = False) -> Asked:
    where = setting(seats, games, rotate, name="near_and_far")
    answer = ask(question, where)
    return where, answer, report_of(question, where, answer)


def said(report: Report) -> str:
    return " ".join(getattr(block, "body", "") for block in report.blocks())


@pytest.fixture(scope="module")
def dice() -> Asked:
    return asked("expert_dice", ("balanced", "balanced:quest=2"), 64, True)


def test_expert_dice_are_drawn_and_told(dice: Asked) -> None:
    figures, tables = check(dice[2])
    assert list(figures) == ["expert_die_gain", "expert_die_chances", "expert_die_faces"]
    assert list(tables)[:3] == [
        "expert_die_worth",
        "expert_die_by_seat",
        "expert_die_by_strategy",
    ]
    worth = tables["expert_die_worth"].frame
    assert set(worth["case"]) == {"only owner", "as printed"}
    assert set(tables["expert_die_by_strategy"].frame["strategy"]) == {
        "balanced",
        "balanced:quest=2",
    }
    for sentence in dice[1].sentences:
        assert sentence in said(dice[2])
