"""The sections of the questions on Near and Far: figures, tables, what they say."""

from __future__ import annotations

import pytest

from analysis.question import Answer, Setting
from reports.document import Report
from tests.reports.answers import ask, check, report_of, said, setting

Asked = tuple[Setting, Answer, Report]


def asked(question: str, seats: tuple[str, ...], games: int = 64, rotate: bool = False) -> Asked:
    where = setting(seats, games, rotate, name="near_and_far")
    answer = ask(question, where)
    return where, answer, report_of(question, where, answer)


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


def test_the_risk_in_the_mine_is_drawn() -> None:
    _, answer, report = asked("mine_risk", ("balanced",) * 2, 600)
    figures, tables = check(report)
    assert list(figures) == ["mine_thrown_back", "mine_steps", "mine_depth", "mine_push"]
    assert list(tables) == [
        *(
            "mine_steps",
            "mine_by_number",
            "mine_by_depth",
            "mine_visits",
            "mine_push",
            "mine_worth",
            "mine_bare",
        ),
    ]
    steps = tables["mine_steps"].frame
    assert steps["thrown_back"].is_monotonic_decreasing
    assert (steps["gain_1"] > steps["gain_3"]).all()
    assert all(sentence in said(report) for sentence in answer.sentences)
    _, _, nobody = asked("mine_risk", ("random",) * 2, 40)
    figures, tables = check(nobody)
    assert "mine_push" not in {*figures, *tables}


def test_sources_of_points_are_drawn() -> None:
    _, answer, report = asked("score_sources", ("balanced", "balanced:quest=2"), 64, True)
    figures, tables = check(report)
    assert list(figures) == ["score_sources", "score_void", "threats_won"]
    assert list(tables) == [
        *("score_sources", "score_by_strategy", "score_void", "routes", "routes_held"),
        *("route_worth", "threats"),
    ]
    shown = tables["score_by_strategy"].shown()
    assert set(shown) == {"name", "balanced", "balanced:quest=2"}
    assert {"balanced", "balanced:quest=2"} < set(tables["threats"].shown())
    assert all(sentence in said(report) for sentence in answer.sentences)
    _, _, alike = asked("score_sources", ("balanced",) * 2, 40)
    figures, tables = check(alike)
    assert "score_by_strategy" not in tables
    assert {"seat 1", "seat 2"} < set(tables["threats"].shown())


def test_quests_are_drawn() -> None:
    _, answer, report = asked("quests", ("balanced",) * 2, 200)
    figures, tables = check(report)
    assert list(figures) == ["quest_numbers", "quest_ways"]
    assert list(tables) == ["quest_ways", "quest_spaces", "quest_players"]
    assert len(tables["quest_spaces"].frame) == 16
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_duels_are_drawn() -> None:
    _, answer, report = asked("duels", ("balanced",) * 2, 64)
    figures, tables = check(report)
    assert list(figures) == ["duel_rights", "duel_manner"]
    assert list(tables) == ["duel_rights", "duel_manner", "duels", "duel_defences"]
    rights = tables["duel_rights"].frame.set_index(["right", "who"])
    assert rights.loc[("honest duels", "all seats"), "shown"] == "0 (no game differs)"
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_pursuits_are_drawn() -> None:
    _, answer, report = asked("pursuits", ("balanced", "balanced:quest=2"), 32, True)
    figures, tables = check(report)
    assert list(figures) == ["pursuit_worth", "pursuit_length"]
    assert list(tables) == ["pursuit_worth", "pursuit_table"]
    worth = tables["pursuit_worth"].frame
    assert worth["win_rate"].is_monotonic_decreasing
    assert (worth["score"].notna() & worth["kept"].notna()).all()
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_ends_are_drawn() -> None:
    _, answer, report = asked("end_trigger", ("balanced",) * 2, 48)
    figures, tables = check(report)
    assert list(figures) == ["end_length", "end_seats"]
    assert list(tables) == ["end_triggers", "end_lengths", "end_seats", "enders"]
    assert tables["end_lengths"].frame["part"].tolist()[:2] == ["5\u00a0%", "25\u00a0%"]
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_going_first_is_drawn() -> None:
    _, answer, report = asked("going_first", ("balanced",) * 2, 32)
    figures, tables = check(report)
    assert list(figures) == ["first_gaps", "first_picked"]
    assert list(tables) == ["first_gaps", "first_rates", "first_sources"]
    assert tables["first_sources"].frame["name"].iloc[0] == "all together"
    assert all(sentence in said(report) for sentence in answer.sentences)


def test_modules_are_drawn() -> None:
    _, answer, report = asked("modules", ("balanced", "balanced:quest=2"), 32, True)
    figures, tables = check(report)
    assert list(figures) == ["module_length", "module_scores"]
    assert list(tables) == ["module_effects", "module_seats", "module_strategies"]
    assert len(tables["module_effects"].frame) == 12
    assert all(sentence in said(report) for sentence in answer.sentences)
