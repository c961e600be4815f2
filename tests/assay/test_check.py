"""`assay check`: verdicts, exit codes, early stops, what is kept, what is refused."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from analysis.sequential import Verdict, gate_verdict, looks
from assay.check import SECOND, CheckResult, check
from reports.annotations import SUMMARY_LIMIT
from sim.errors import UserError

STUDY = """
[study]
title = "Gates"
question = "Do they hold?"
game = "wizard_miners"
players = 4
seed = 7

[lineup]
seats = ["drill_first"]

[variants.rigged]
seats = ["balanced", "random", "random", "random"]

[variants.dear.set]
"tools.drill.cost" = [9, 10, 12]

[variants.unnoticed.set]
"hand.extra_cost" = 3

[compare]
second_lineup = ["passive"]

[stop]
games = 6000
"""
SEAT_1 = 'metric = "win_rate"\nwhere = { seat = 1 }\n'
FAIR = f'[[check]]\nname = "seat 1 is fair"\n{SEAT_1}within = [0.15, 0.4]\n'
OPEN = f'[[check]]\nname = "too close to tell"\n{SEAT_1}within = [0.2499, 0.2501]\n'
RIGGED = f'[[check]]\nname = "rigged"\nvariant = "rigged"\n{SEAT_1}within = [0.0, 0.5]\n'


def gate_table(name: str, *lines: str) -> str:
    return "\n".join(["[[check]]", f'name = "{name}"', *lines, ""])


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return tmp_path / "gates.toml"


def run(study: Path, *gates: str, **more: Any) -> CheckResult:
    study.write_text(STUDY + "\n".join(gates), "utf-8")
    more = {"repeats": False, "out": study.parent / "out", **more}
    return check(study, **more)


# ------------------------------------------------------------------------------------- verdicts


def test_effects_whose_answer_is_known(study: Path) -> None:
    """A player who thinks beats three who draw lots; a rule that nobody uses changes nothing."""
    found = run(
        study,
        FAIR,
        RIGGED,
        gate_table("dear", 'variant = "dear"', 'metric = "rounds"', "max_change = 0.5"),
        gate_table("unnoticed", 'variant = "unnoticed"', SEAT_1, "max_change = 0.03"),
        gate_table("spread", 'metric = "win_rate"', 'statistic = "spread"', "within = [0.0, 0.4]"),
        gate_table("length", 'metric = "rounds"', 'statistic = "q50"', "within = [2, 60]"),
    )
    verdicts = {row["gate"]: row["verdict"] for row in found.rows}
    assert verdicts == {
        "seat 1 is fair": Verdict.PASS,
        "rigged": Verdict.FAIL,
        "dear": Verdict.CHANGED_UP,
        "unnoticed": Verdict.EQUIVALENT,
        "spread": Verdict.PASS,
        "length": Verdict.PASS,
    }
    assert found.exit_code == 1
    for row in found.rows:
        within = (row["wanted_low"], row["wanted_high"]) if "wanted_low" in row else None
        margin = row.get("max_change")
        assert gate_verdict(row["low"], row["high"], within=within, margin=margin) == row["verdict"]
        assert row["level"] == pytest.approx(1 - 0.05 / 6)
        assert row["blocks"] in looks(6000)


def test_a_play_ends_when_its_gates_are_decided(study: Path) -> None:
    found = run(study, RIGGED, OPEN)
    rigged, still_open = found.results
    assert (rigged.games, rigged.stopped) == (1024, "decided")
    assert (still_open.games, still_open.stopped) == (6000, "games spent")
    assert still_open.more_games > 6000
    assert found.games_played == 1024 + 6000
    kept = {path.parent for path in (study.parent / "out").rglob("*.parquet")}
    assert len(kept) == 2
    assert found.exit_code == 1
    assert run(study, OPEN).exit_code == 3
    assert run(study, OPEN + 'on_undecided = "fail"\n').exit_code == 1
    assert run(study, OPEN + 'on_undecided = "pass"\n').exit_code == 0


def test_gates_of_one_variant_share_its_games(study: Path) -> None:
    others = [
        FAIR.replace("seat 1", f"seat {seat}").replace("seat = 1", f"seat = {seat}")
        for seat in (2, 3, 4)
    ]
    found = run(study, FAIR, *others)
    assert found.games_played == max(result.games for result in found.results)


def test_an_unchanged_check_plays_nothing(study: Path) -> None:
    gates = FAIR, gate_table("dear", 'variant = "dear"', SEAT_1, "max_change = 0.02")
    first = run(study, *gates, repeats=True)
    assert first.games_played > 0
    again = run(study, *gates, repeats=True, threads=1)
    assert again.games_played == 0
    assert again.rows == first.rows


def test_an_interrupted_check_goes_on_to_the_same_verdicts(study: Path) -> None:
    gates = OPEN, gate_table("dear", 'variant = "dear"', 'metric = "rolls"', "max_change = 0.001")

    def interrupt(label: str, done: int, total: int) -> None:
        if done > 3000:
            raise KeyboardInterrupt

    out = study.parent / "halves"
    with pytest.raises(KeyboardInterrupt):
        run(study, *gates, out=out, progress=interrupt)
    rest = run(study, *gates, out=out)
    whole = run(study, *gates)
    assert 0 < rest.games_played < whole.games_played
    assert rest.rows == whole.rows


def test_a_smaller_budget_is_another_last_look(study: Path) -> None:
    assert run(study, OPEN, games=700).results[0].games == 700
    assert run(study, OPEN, games=3000).results[0].games == 3000


# ---------------------------------------------------------------------------------- repetitions


def test_verdicts_are_repeated_on_as_many_games(study: Path) -> None:
    """Where everybody is passive the games go on until the cap, at a hundred rounds."""
    length = gate_table("short", 'metric = "rounds"', 'statistic = "q50"', "within = [1, 40]")
    strategy = gate_table(
        "drill", 'metric = "win_rate"', 'where = { strategy = "drill_first" }', "within = [0, 0.9]"
    )
    found = run(study, length, RIGGED, strategy, repeats=True)
    short, rigged, drill = found.results
    assert set(short.repeats) == {"blunder 0.15", SECOND}
    for other in short.repeats.values():
        assert other is not None
        assert other.blocks == short.reading.blocks
    assert short.reading.verdict is Verdict.PASS
    assert short.flips == (SECOND,)
    # a lineup of its own is not replaced, and who is not there has no figure
    assert rigged.repeats[SECOND] is None
    assert rigged.repeats["blunder 0.15"] is not None
    assert drill.repeats[SECOND] is None
    assert drill.repeats["blunder 0.15"] is not None
    assert found.exit_code == 1  # rigged; flips are told and change nothing


# ----------------------------------------------------------------------------------- the command


def test_what_the_command_prints_and_writes(assay: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("gates.toml").write_text(STUDY + FAIR + OPEN + RIGGED, "utf-8")
    Path("summary.md").write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    words = ("check", "gates.toml", "--no-repeat", "--games", "1500")
    files = ("--junit", "gates.xml", "--sarif", "gates.sarif")
    shown = assay(*words, *files, code=1).stdout
    for text in ("seat 1 is fair", "PASS", "FAIL", "UNDECIDED", "3 gates: 1 hold, 1 fail, 1 und"):
        assert text in shown
    document = json.loads(assay(*words, "--format", "json", code=1).stdout)
    assert document["games_played"] == 0
    assert document["exit_code"] == 1
    assert [gate["verdict"] for gate in document["gates"]] == ["PASS", "UNDECIDED", "FAIL"]
    suite = ET.parse("gates.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    found = json.loads(Path("gates.sarif").read_text("utf-8"))["runs"][0]["results"]
    lines = (STUDY + FAIR + OPEN + RIGGED).splitlines()
    places = [one["locations"][0]["physicalLocation"] for one in found]
    assert [place["artifactLocation"]["uri"] for place in places] == ["gates.toml"] * 2
    # without a changed rule it is the gate itself
    assert lines[places[0]["region"]["startLine"]] == 'name = "too close to tell"'
    assert lines[places[1]["region"]["startLine"]] == 'name = "rigged"'
    summary = Path("summary.md").read_text("utf-8")
    assert summary.startswith("before\n## Gates\n")
    assert "| ❌ | rigged |" in summary


@pytest.mark.parametrize("option", ["--junit", "--sarif"])
def test_a_file_that_cannot_lie_there_is_told_before_anything_is_played(
    assay: Any, option: str
) -> None:
    Path("gates.toml").write_text(STUDY + FAIR, "utf-8")
    for place, said in (("", "is a folder"), (".", "is a folder"), ("no/x", "there is no folder")):
        assert said in assay.refuse("check", "gates.toml", option, place)
    assert not Path("results").exists()


def test_a_change_points_at_the_line_of_the_variant(assay: Any) -> None:
    gate = gate_table("dear", 'variant = "dear"', 'metric = "rounds"', "max_change = 0.5")
    Path("gates.toml").write_text(STUDY + gate, "utf-8")
    assay("check", "gates.toml", "--no-repeat", "--sarif", "gates.sarif", code=1)
    (found,) = json.loads(Path("gates.sarif").read_text("utf-8"))["runs"][0]["results"]
    line = found["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert (STUDY + gate).splitlines()[line - 1] == '"tools.drill.cost" = [9, 10, 12]'


def test_a_full_summary_is_not_made_too_long(assay: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("gates.toml").write_text(STUDY + FAIR, "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for there in (SUMMARY_LIMIT - 100, SUMMARY_LIMIT - 10):
        Path("summary.md").write_bytes(b"x" * there)
        assay("check", "gates.toml", "--no-repeat")
        assert Path("summary.md").stat().st_size <= SUMMARY_LIMIT
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "nowhere/summary.md")
    told = assay("check", "gates.toml", "--no-repeat", code=2)
    assert "nowhere" in told.stderr
    assert "PASS" in told.stdout


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ("", "the study has no gate"),
        (gate_table("x", SEAT_1, "max_change = 0.1"), "give --base-ref"),
        (
            gate_table("x", 'variant = "dear"', 'against = "dear"', SEAT_1, "max_change = 0.1"),
            "dear is measured against itself",
        ),
        (gate_table("x", 'metric = "win_rat"', "within = [0, 1]"), "did you mean 'win_rate'"),
        (
            gate_table("x", 'variant = "dear"', SEAT_1, 'statistic = "spread"', "max_change = 1"),
            "a spread over seats takes a range",
        ),
        (
            gate_table("x", 'metric = "rounds"', 'statistic = "spread"', "within = [0, 1]"),
            "it has no seat",
        ),
        (
            FAIR + gate_table("x", SEAT_1.replace("1", "5"), "within = [0, 1]"),
            "gates.toml:31: check.1: x: seat must be from 1 to 4, not 5",
        ),
    ],
)
def test_mistakes_in_gates_are_told_with_their_lines(study: Path, gates: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        run(study, gates)
    assert said in str(caught.value)
    assert "gates.toml:" in str(caught.value)


def test_a_variant_with_other_players_is_checked_by_itself(study: Path) -> None:
    fewer = "[variants.fewer]\nplayers = 3\n"
    fair = gate_table("third", 'variant = "fewer"', SEAT_1, "within = [0.28, 0.5]")
    found = run(study, fewer, fair)
    assert [row["verdict"] for row in found.rows] == [Verdict.PASS]
    spread = gate_table(
        "spread",
        'variant = "fewer"',
        'metric = "win_rate"',
        'statistic = "spread"',
        "within = [0.0, 0.4]",
    )
    assert [row["verdict"] for row in run(study, fewer, spread).rows] == [Verdict.PASS]
    other = gate_table("change", 'variant = "fewer"', SEAT_1, "max_change = 0.1")
    with pytest.raises(UserError, match="have different numbers of players"):
        run(study, fewer, other)
