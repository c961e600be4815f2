from __future__ import annotations

import pytest

from analysis import words
from analysis.question import Answer, Setting
from reports import build
from reports.answers.snowball import FEW_GAMES, LISTED
from reports.document import Report
from tests.reports.answers import ask, check, report_of, said, setting

NAME = "snowball"
DRILLS = ("drill_first",) * 4


@pytest.fixture(scope="module")
def drills() -> tuple[Setting, Answer, Report]:
    where = setting(DRILLS, 2000)
    answer = ask(NAME, where)
    return where, answer, report_of(NAME, where, answer)


def test_curves_by_lead_come_first(drills: tuple[Setting, Answer, Report]) -> None:
    _, answer, report = drills
    figures, tables = check(report)
    assert list(figures) == ["win_by_lead", "decided", "lead_changes"]
    assert list(tables) == ["leads", "lead_curves", "forecast_score", "forecast_reliability"]
    wins = answer.frames["leads"].query("quantity == 'leader_wins'")
    for row in (wins.iloc[0], wins.iloc[-1]):
        share = words.share(row["estimate"], row["low"], row["high"])
        assert share in figures["win_by_lead"].title
    assert f"{FEW_GAMES} games or more" in figures["win_by_lead"].caption
    assert "n = 2,000 blocks" in figures["win_by_lead"].caption
    assert (tables["lead_curves"].frame["games"] >= LISTED).all()
    calibration = tables["forecast_reliability"]
    assert "n = 32 replicates" in calibration.caption or "to 32 replicates" in calibration.caption
    # games, forecast and share won, both with their brackets
    assert build.markdown_table(calibration).count("[") == 2 * len(calibration.frame)


def test_the_title_tells_of_no_mark_without_a_curve(
    drills: tuple[Setting, Answer, Report],
) -> None:
    """In a short run few games reach the last mark: no lead there is seen often enough."""
    where, answer, _ = drills
    curves, marks = answer.frames["curves"], answer.frames["leads"]["progress"]
    rare = curves["games"].where(curves["mark"] < curves["mark"].max(), FEW_GAMES - 1)
    frames = {**answer.frames, "curves": curves.assign(games=rare)}
    few = report_of(NAME, where, Answer(frames, answer.sentences)).figures()[0]
    assert f"at {marks.iloc[0]} of the way" in few.title
    assert marks.iloc[-1] not in f"{few.title} {few.alt}"
    first = curves["mark"] == curves["mark"].min()
    alone = {**frames, "curves": frames["curves"].assign(games=rare.where(first, 1))}
    one = report_of(NAME, where, Answer(alone, answer.sentences)).figures()[0]
    assert ", at " not in one.title


def test_one_game_is_one_block() -> None:
    where = setting(DRILLS, 1)
    figures, _ = check(report_of(NAME, where, ask(NAME, where)))
    assert "n = 1 block," in figures["win_by_lead"].caption
    assert "n = 1 game," in figures["lead_changes"].caption


def test_every_sentence_of_the_answer_is_in_the_section(
    drills: tuple[Setting, Answer, Report],
) -> None:
    told = said(drills[2])
    for sentence in drills[1].sentences:
        assert sentence in told


def test_seats_that_rotate_and_stalled_games() -> None:
    where = setting(("builder", "drill_first", "drill_first"), 240, True, stall__roll_cap=36)
    check(report_of(NAME, where, ask(NAME, where)))


def test_games_that_end_before_anybody_leads() -> None:
    where = setting(DRILLS, 16, stall__roll_cap=1)
    report = report_of(NAME, where, ask(NAME, where))
    assert not report.figures()


@pytest.mark.parametrize("games", [1, 2, 7])
def test_few_games_are_enough_to_draw(games: int) -> None:
    where = setting(DRILLS, games)
    check(report_of(NAME, where, ask(NAME, where)))
