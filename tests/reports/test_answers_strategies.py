from __future__ import annotations

import pytest

from analysis.question import Answer, Setting
from reports.document import Report
from tests.reports.answers import ask, check, report_of, said, setting

NAME = "strategies"


@pytest.fixture(scope="module")
def builders() -> tuple[Setting, Answer, Report]:
    where = setting(("builder",) * 4)
    answer = ask(NAME, where)
    return where, answer, report_of(NAME, where, answer)


def test_the_matrix_comes_first(builders: tuple[Setting, Answer, Report]) -> None:
    _, answer, report = builders
    figures, tables = check(report)
    assert list(figures) == ["strategy_matrix", "option_worth"]
    expected = ["strategies", "strategy_matrix", "option_worth", "option_worth_by_seat"]
    assert list(tables) == expected
    best = answer.frames["overall"]["strategy"].iloc[0]
    assert figures["strategy_matrix"].title.startswith(f"{best} does b")
    assert f"n = {answer.frames['matrix']['n'].min()} blocks" in figures["strategy_matrix"].caption


def test_every_sentence_of_the_answer_is_in_the_section(
    builders: tuple[Setting, Answer, Report],
) -> None:
    told = said(builders[2])
    for sentence in builders[1].sentences:
        assert told.count(sentence) == 1


def test_options_are_listed_by_their_worth(builders: tuple[Setting, Answer, Report]) -> None:
    _, tables = check(builders[2])
    worth = tables["option_worth"].frame["estimate"]
    assert worth.is_monotonic_decreasing
    assert len(tables["option_worth_by_seat"].frame) == len(worth)


def test_three_players_who_rotate() -> None:
    where = setting(("drill_first", "cleaner:blunder=0.5", "drill_first"), 48, rotate=True)
    figures, tables = check(report_of(NAME, where, ask(NAME, where)))
    assert "cleaner:blunder=0.5" in set(tables["strategies"].frame["strategy"])
    assert "among 2 players" in figures["strategy_matrix"].alt


def test_one_game_is_enough_to_draw() -> None:
    where = setting(("drill_first",) * 4, 1)
    check(report_of(NAME, where, ask(NAME, where)))
