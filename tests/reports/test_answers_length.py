from __future__ import annotations

import pytest

from analysis import words
from analysis.question import Answer, Setting
from reports.answers import section_of
from reports.document import Report
from tests.reports.answers import ask, check, report_of, said, setting

NAME = "length"


@pytest.fixture(scope="module")
def drills() -> tuple[Setting, Answer, Report]:
    where = setting(("drill_first",) * 4)
    answer = ask(NAME, where)
    return where, answer, report_of(NAME, where, answer)


def test_a_histogram_of_each_length_comes_first(drills: tuple[Setting, Answer, Report]) -> None:
    figures, tables = check(drills[2])
    assert list(figures) == ["length_rolls", "length_rounds"]
    assert list(tables) == ["length"]
    middle = drills[1].frames["summary"].query("metric == 'rolls' and statistic == 'q50'")
    half = words.whole(*(middle[name].iloc[0] for name in ("estimate", "low", "high")))
    assert figures["length_rolls"].title == f"Half of all games end within {half} rolls"
    assert "n = 160 games" in figures["length_rolls"].caption


def test_every_sentence_of_the_answer_is_in_the_section(
    drills: tuple[Setting, Answer, Report],
) -> None:
    told = said(drills[2])
    for sentence in drills[1].sentences:
        assert sentence in told


def test_stalled_games_do_not_pose_as_quantiles() -> None:
    where = setting(("drill_first",) * 4, stall__roll_cap=35, rotate=True)
    figures, tables = check(report_of(NAME, where, ask(NAME, where)))
    assert figures["length_rolls"].title == "Half of all games last at least 35 rolls"
    shown = tables["length"].frame.query("metric == 'rolls'").set_index("statistic")["value"]
    assert shown["95 %"].startswith("at least 35 [35,")
    assert shown["mean"].startswith("at least")


def test_a_few_very_long_games_do_not_squeeze_the_picture() -> None:
    where = setting(("drill_first",) * 4, 2000)
    (first, *_) = section_of(NAME)(where, ask(NAME, where)).blocks
    assert "of the games are longer than shown" in getattr(first, "caption", "")


def test_one_game_is_enough_to_draw() -> None:
    where = setting(("drill_first",) * 4, 1)
    check(report_of(NAME, where, ask(NAME, where)))


def test_unknown_questions_have_no_section() -> None:
    with pytest.raises(ValueError, match="no question 'weather'"):
        section_of("weather")
