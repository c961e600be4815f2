"""Plans of studies: rows, numbers that do not depend on the clock, games that are not lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay as front_door
from assay.check import check
from assay.plan import COLUMNS, Plan, plan
from sim.errors import UserError

STUDY = """
[study]
title = "Plan"
question = "How long will it take?"
game = "wizard_miners"
players = 4
seed = 5

[lineup]
seats = ["balanced"]

[variants.scarce.set]
"dynamite.supply" = 6

[stop]
games = 60_000
precision = 0.02

[compare]
margin = 0.02

[[check]]
name = "seat 1 wins a fair share"
metric = "win_rate"
where = { seat = 1 }
within = [0.1, 0.5]

[[check]]
name = "scarce dynamite leaves seat 1 alone"
variant = "scarce"
metric = "win_rate"
where = { seat = 1 }
max_change = 0.02

[[check]]
name = "the middle length"
metric = "rounds"
statistic = "q50"
within = [1.0, 40.0]
"""
TIMED = ("minutes", "minutes_low", "minutes_high")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plan") / "plan_study.toml"
    path.write_text(STUDY, "utf-8")
    return path


@pytest.fixture(scope="module")
def planned(study: Path) -> Plan:
    return plan(study, out=study.parent / "out", threads=1)


def untimed(found: Plan) -> list[dict]:
    return [{k: v for k, v in row.items() if k not in TIMED} for row in found.rows]


def test_a_row_for_every_verdict(planned: Plan) -> None:
    assert [(row["kind"], row["figure"]) for row in planned.rows][:3] == [
        ("gate", "win_rate of seat 1"),
        ("gate", "win_rate of seat 1"),
        ("gate", "rounds q50"),
    ]
    kinds = [row["kind"] for row in planned.rows]
    assert kinds == ["gate", "gate", "gate", "comparison", "precision"]
    assert list(planned.frame.columns) == list(COLUMNS)
    assert (planned.pilot, planned.rotations, planned.budget) == (2048, 1, 60_000)
    for row in planned.rows:
        assert row["blocks_low"] <= row["blocks"] <= row["blocks_high"]
        assert row["games"] == row["blocks"] * planned.rotations
        assert row["low"] <= row["estimate"] <= row["high"]
        assert 0 <= row["chance"] <= 1
    fair, scarce, _, comparison, precision = planned.rows
    assert (fair["plays"], scarce["plays"], comparison["plays"]) == (1, 2, 2)
    assert fair["games"] == 2048
    assert scarce["discordance"] > 0
    assert scarce["speed_up"] > 1
    assert fair["discordance"] is None
    assert precision["verdict"] == "not yet"
    assert precision["enough"] == ("yes" if precision["chance"] >= 0.9 else "perhaps")


def test_minutes_are_games_by_speed(planned: Plan) -> None:
    one = planned.rows[0]
    assert set(planned.speeds) == {"base", "scarce"}
    assert one["minutes"] == pytest.approx(one["games"] / planned.speeds["base"] / 60)
    both = planned.rows[1]
    seconds = sum(1 / speed for speed in planned.speeds.values())
    assert both["minutes"] == pytest.approx(both["games"] * seconds / 60)


def test_a_plan_is_the_same_whenever_and_however_it_is_made(
    planned: Plan, study: Path, tmp_path: Path
) -> None:
    """From the kept pilot, and played anew on two threads: all but the speed is the same."""
    shards = {p: p.stat().st_mtime_ns for p in planned.folder.rglob("*.parquet")}
    again = plan(study, out=planned.folder)
    assert untimed(again) == untimed(planned)
    assert {p: p.stat().st_mtime_ns for p in planned.folder.rglob("*.parquet")} == shards
    assert untimed(plan(study, out=tmp_path / "new", threads=2)) == untimed(planned)


def test_the_pilot_is_the_beginning_of_the_check(planned: Plan, study: Path) -> None:
    """What the pilot played is not played again, and what was planned comes true."""
    before = set(planned.folder.rglob("*.parquet"))
    result = check(study, out=planned.folder, repeats=False)
    assert before <= set(planned.folder.rglob("*.parquet"))
    fair, scarce, middle = result.results
    assert result.games_played == sum(
        max(0, games - planned.pilot) for games in (scarce.reading.blocks,) * 2
    )
    assert fair.reading.blocks <= planned.pilot
    assert middle.reading.blocks <= planned.pilot
    row = planned.rows[1]
    assert scarce.reading.blocks <= max(row["blocks_high"], planned.pilot)


def test_a_budget_smaller_than_a_pilot_is_the_pilot(study: Path, tmp_path: Path) -> None:
    found = plan(study, out=tmp_path / "out", games=300)
    assert (found.pilot, found.budget) == (300, 300)
    assert any(row["enough"] == "no" for row in found.rows)


def test_a_change_that_changes_nothing_takes_no_game(study: Path, tmp_path: Path) -> None:
    path = tmp_path / "same.toml"
    text = STUDY.replace('"dynamite.supply" = 6', '"dynamite.supply" = 16')
    path.write_text(text.replace("[compare]\nmargin = 0.02\n", ""), "utf-8")
    rows = plan(path, out=tmp_path / "out").rows
    same = next(row for row in rows if row["name"].startswith("scarce"))
    if same["discordance"] == 0:  # the supply is 16 by default
        assert same["games"] == 0
        assert same["verdict"] == "EQUIVALENT"
    else:
        raise AssertionError("the default supply is not 16: choose it here")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('metric = "rounds"', 'metric = "round"', "check.2: the middle length: unknown metric"),
        ("precision = 0.02", 'headline = ["wins"]', "stop.headline: unknown metric 'wins'"),
        ("precision = 0.02", 'precision = 0.02\nheadline = ["rounds"]', "rounds is no share"),
        ('["balanced"]', '["balaced"]', "lineup.seats: "),
        ('"dynamite.supply" = 6', '"dynamite.suply" = 6', "dynamite.suply"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace(old, new), "utf-8")
    with pytest.raises(UserError) as caught:
        plan(path, out=tmp_path / "out")
    assert said in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_study_without_a_question_of_yes_or_no_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.partition("precision")[0], "utf-8")
    with pytest.raises(UserError, match="asks for no verdict"):
        plan(path, out=tmp_path / "out")


# ------------------------------------------------------------------------------ the command line


def test_the_command_prints_a_table_and_json(assay, planned: Plan, study: Path) -> None:
    words = ("plan", str(study), "--out", str(planned.folder))
    text = assay(*words).stdout
    assert "scarce dynamite leaves seat 1 alone" in text
    assert "Pilot: 2048 games of each play" in text
    found = json.loads(assay(*words, "--format", "json").stdout)
    assert [row["name"] for row in found["rows"]] == [row["name"] for row in planned.rows]
    assert found["pilot_games"] == 2048
    assert set(found["rows"][0]) == set(COLUMNS)


def test_the_command_shows_a_figure_of_nothing(assay, tmp_path: Path) -> None:
    """No wizard has the number 3, so no number of games decides."""
    nobody = STUDY.replace("{ seat = 1 }", "{ wizard = 3 }", 1)
    (tmp_path / "nobody.toml").write_text(nobody, "utf-8")
    words = ("plan", str(tmp_path / "nobody.toml"), "--games", "64")
    line = next(text for text in assay(*words).stdout.splitlines() if "wizard 3" in text)
    assert "– (0 to 1.00)" in line
    assert "∞ (∞ to ∞)" in line
    row = json.loads(assay(*words, "--format", "json").stdout)["rows"][0]
    assert (row["estimate"], row["games"]) == (None, None)


def test_the_command_refuses_a_mistake(assay, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace("rounds", "round"), "utf-8")
    assert "unknown metric" in assay.refuse("plan", "study.toml")


def test_it_is_a_call_of_the_front_door() -> None:
    assert front_door.__getattr__("plan") is plan
