from __future__ import annotations

import re

import pytest

from analysis.question import Answer, Setting
from reports.answers import section_of
from reports.document import Figure, Finding, Report
from tests.reports.answers import ask, check, report_of, said, setting

NAME = "cave_in_risk"


@pytest.fixture(scope="module")
def bombed() -> tuple[Setting, Answer, Report]:
    where = setting(("saboteur", "drill_first", "builder", "balanced"))
    answer = ask(NAME, where)
    return where, answer, report_of(NAME, where, answer)


def test_every_figure_and_table_stands(bombed: tuple[Setting, Answer, Report]) -> None:
    figures, tables = check(bombed[2])
    assert list(figures)[:2] == ["cave_in_cost", "clean_up_threshold"]
    assert {"cards_lost_by_rubble", "cave_in_chart"} < set(figures)
    assert set(tables) == {
        "cave_in_cost",
        "cave_in_cost_by_seat",
        "clean_up_thresholds",
        "clean_up_price",
        "clean_up_best",
        "cave_ins_by_strategy",
        "cave_ins_by_dynamite",
        "cave_ins_by_rubble",
        "cave_in_chart",
        "die_off",
    }


def test_every_sentence_of_the_answer_is_in_the_section(
    bombed: tuple[Setting, Answer, Report],
) -> None:
    told = said(bombed[2])
    for sentence in bombed[1].sentences:
        assert sentence in told


def test_tables_show_the_figures_of_the_frames(bombed: tuple[Setting, Answer, Report]) -> None:
    _, answer, report = bombed
    tables = {table.name: table.frame for table in report.tables()}
    costs = answer.frames["costs"]
    second = costs.query("cave_in == '2' and seat.isna()").set_index("per")
    shown = tables["cave_in_cost"].set_index("cave_in").loc["second"]
    assert shown["game"] == second.loc["game", "estimate"]
    assert shown["cave-in_low"] == second.loc["cave-in", "low"]
    seat = tables["cave_in_cost_by_seat"].set_index("seat").loc[3]
    own = costs.query("cave_in == 'all' and seat == 3 and per == 'cave-in'").iloc[0]
    assert seat["all of a game"] == own["estimate"]
    risk = answer.frames["risk"].query("strategy == 'builder' and quantity == 'cards_per_game'")
    by_strategy = tables["cave_ins_by_strategy"].set_index("strategy")
    assert by_strategy.loc["builder", "cards_per_game"] == risk["estimate"].iloc[0]
    assert "all players" in by_strategy.index
    price = answer.frames["price"].iloc[0]
    shown = tables["clean_up_price"].iloc[0]
    columns = ["estimate", "low", "high", "changed", "without", "n"]
    assert shown[columns].tolist() == price[columns].tolist()
    caption = next(one.caption for one in report.tables() if one.name == "clean_up_price")
    assert price["method"] in caption
    own = f"{price['threshold']:g} where that pays"
    assert tables["clean_up_thresholds"]["cleans_up"].tolist().count(own) == 1
    assert f"{price['threshold']:g}" in tables["clean_up_thresholds"]["cleans_up"].tolist()


def test_titles_follow_the_finding(bombed: tuple[Setting, Answer, Report]) -> None:
    where, answer, _ = bombed
    thresholds = answer.frames["thresholds"]
    best = answer.frames["best_threshold"].query("role == 'best'").iloc[0]
    costly = "Cleaning up whatever it costs is not shown to beat saboteur"
    for gain, words in ((0.2, "saboteur plays better if it"), (-0.2, costly)):
        changed = thresholds.copy()
        same = (changed["threshold"] == best["threshold"]) & (changed["weighs"] == best["weighs"])
        changed.loc[same, ["estimate", "low", "high"]] = gain
        other = Answer({**answer.frames, "thresholds": changed}, answer.sentences)
        section = section_of(NAME)(where, other)
        figure = next(b for b in section.blocks if getattr(b, "name", "") == "clean_up_threshold")
        assert isinstance(figure, Figure)
        assert figure.title.startswith(words)
        assert "Its own play, the dashed line, weighs the price" in figure.caption


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("games", [4, 160])
def test_no_dynamite_and_few_games(games: int, rotate: bool) -> None:
    where = setting(("drill_first",) * 4, games, rotate)
    figures, tables = check(report_of(NAME, where, ask(NAME, where)))
    assert re.search(
        r"from a pile of \S+: [\d.]+ \[[\d.]+, ", figures["cards_lost_by_rubble"].title
    )
    # who never weighs the price plays with a threshold like any other: a point of the curve
    assert "dashed line" not in figures["clean_up_threshold"].caption
    assert "clean_up_price" not in tables
    assert tables["cave_ins_by_dynamite"].frame["dynamite"].tolist() == ["0"]
    assert tables["cave_ins_by_strategy"].frame["strategy"].tolist() == ["drill_first"]


def test_nobody_cleans_up_and_no_die() -> None:
    where = setting(("passive",) * 3, 3, cave_in__die_faces=0, stall__roll_cap=2)
    answer = ask(NAME, where)
    report = report_of(NAME, where, answer)
    figures, tables = check(report)
    assert "clean_up_threshold" not in figures
    assert "clean_up_best" not in tables
    findings = [block.body for block in report.blocks() if isinstance(block, Finding)]
    assert "No player ever made a cave-in roll." in findings
