from __future__ import annotations

import pytest

from analysis import words
from analysis.question import Answer, Setting
from reports.document import Report
from tests.reports.answers import ask, check, report_of, said, setting

NAME = "seats"
DRILLS = ("drill_first",) * 4


@pytest.fixture(scope="module")
def drills() -> tuple[Setting, Answer, Report]:
    where = setting(DRILLS)
    answer = ask(NAME, where)
    return where, answer, report_of(NAME, where, answer)


def test_seats_and_what_they_stand_for_come_first(drills: tuple[Setting, Answer, Report]) -> None:
    _, answer, report = drills
    figures, tables = check(report)
    assert list(figures) == ["seats", "order_and_wizards", "gem_allocations"]
    assert list(tables) == ["seats", "fairness", "order_by_wizard", "gem_worth", "gem_allocations"]
    dealt = answer.frames["fairness"].query("play == 'as dealt'").iloc[0]
    far = words.points(dealt["estimate"], dealt["low"], dealt["high"])
    assert figures["seats"].title.endswith(f"{far} apart")
    assert "n = 160 blocks" in figures["seats"].caption
    assert tables["seats"].frame["who"].iloc[0] == "seat 1 (wizard 7)"
    assert set(tables["gem_worth"].frame["who"]) == {
        "all wizards",
        *(f"wizard {number}" for number in (7, 8, 10, 11)),
    }


def test_every_sentence_of_the_answer_is_in_the_section(
    drills: tuple[Setting, Answer, Report],
) -> None:
    told = said(drills[2])
    for sentence in drills[1].sentences:
        assert sentence in told


def test_allocations_carry_their_rates(drills: tuple[Setting, Answer, Report]) -> None:
    _, tables = check(drills[2])
    table = tables["gem_allocations"].frame.set_index("gems")
    rates = drills[1].frames["allocations"].set_index(["gems", "wizard"])["estimate"]
    for gems in table.index:
        for number in (7, 8, 10, 11):
            assert table[str(number)][gems] == rates[gems, number]
    assert table["role"].iloc[0].startswith("rules")


def test_three_players_who_rotate() -> None:
    where = setting(("builder", "drill_first", "drill_first"), 96, rotate=True)
    figures, _ = check(report_of(NAME, where, ask(NAME, where)))
    assert "seat 3" in figures["seats"].alt


def test_wizards_that_look_alike_have_no_gems() -> None:
    where = setting(DRILLS, 96, wizards__numbers=[8, 8, 8, 8])
    figures, tables = check(report_of(NAME, where, ask(NAME, where)))
    assert "gem_allocations" not in figures
    assert "gem_worth" not in tables


def test_one_game_is_enough_to_draw() -> None:
    where = setting(DRILLS, 1)
    check(report_of(NAME, where, ask(NAME, where)))


def test_games_without_a_winner_can_be_drawn() -> None:
    where = setting(DRILLS, 16, stall__roll_cap=1)
    answer = ask(NAME, where)
    figures, _ = check(report_of(NAME, where, answer))
    assert figures["seats"].title == "No game was won"
