"""What a check leaves behind: well-formed, pointing at the right lines, never too long."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from analysis.gates import BETTING, Gate, GateResult, Place, Reading
from analysis.measures import Measure
from analysis.sequential import Verdict, gate_verdict
from reports.annotations import (
    about,
    cut,
    interval_text,
    junit,
    rule_id,
    sarif,
    sentence,
    shown_rows,
    summary,
    tally,
)
from sim.game import WIN_UNIT, Metric

WIN = Metric("win_rate", "share", "seat", "win", scale=WIN_UNIT)
NASTY = 'less <dynamite> & "spells" | `a` \x00\x1b'


def result(name: str, verdict: Verdict, *places: Place, **more: object) -> GateResult:
    low, high = {
        Verdict.PASS: (0.21234, 0.28),
        Verdict.FAIL: (0.31, 0.35),
        Verdict.UNDECIDED: (0.25, 0.35),
    }[verdict]
    gate = Gate(name, Measure(WIN, seat=1), within=(0.2, 0.3), level=0.99)
    needs = 512.0 if verdict is Verdict.UNDECIDED else 0.0
    reading = Reading((low + high) / 2, low, high, 0.99, 1024, verdict, BETTING, needs)
    return GateResult(gate, "base", None, reading, None, 4, "decided", places=places, **more)


def three(root: Path) -> list[GateResult]:
    rules = root / "sim" / "wizard miners" / "rulebook.toml"
    return [
        result(NASTY, Verdict.FAIL, Place(str(rules), 28, "a = 1"), Place("/other/x.toml", 3, "b")),
        result("open", Verdict.UNDECIDED, Place(str(root / "gates.toml"), None, "open")),
        result("fine", Verdict.PASS, Place(str(rules), 28, "a = 1")),
    ]


# --------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("low", "high", "within"),
    [
        (0.20004, 0.2999, (0.2, 0.3)),  # rounds to the border from inside
        (0.19996, 0.29, (0.2, 0.3)),  # from outside
        (0.30004, 0.34, (0.2, 0.3)),
        (-0.0100001, 0.02, (-0.01, 0.5)),
        (4.96, 13.2, (5, 20)),
        (-math.inf, math.inf, (5, 20)),
    ],
)
def test_the_interval_as_printed_gives_the_verdict(low, high, within) -> None:
    gate = Gate("g", Measure(WIN), within=within)
    verdict = gate.verdict(low, high)
    found = Reading((low + high) / 2, low, high, 0.95, 1024, verdict, BETTING, 0.0)
    _, text = interval_text(gate, found)
    ends = [
        float(end.replace("−", "-").replace("∞", "inf").replace(",", ""))
        for end in text.split(" to ")
    ]
    assert gate_verdict(ends[0], ends[1], within=within) is verdict


def test_numbers_of_games_are_rounded_up_to_two_digits() -> None:
    assert [about(n) for n in (None, 0, 7, 62, 1201, 213_456, math.inf)] == [
        "",
        "",
        "7",
        "62",
        "1,300",
        "220,000",
        "no number",
    ]


def test_rows_and_sentences_say_why_and_what_more(tmp_path: Path) -> None:
    flip = {"blunder 0.15": three(tmp_path)[0].reading, "second lineup": None}
    fine = result("fine", Verdict.PASS, repeats=flip)
    failed, still_open, _ = three(tmp_path)
    rows = shown_rows([failed, still_open, fine])
    assert [row["verdict"] for row in rows] == ["FAIL", "UNDECIDED", "PASS"]
    assert rows[1]["more games"] == "2,100"
    assert rows[2]["repeats"] == "FLIPS: blunder 0.15 (FAIL)"
    assert rows[0]["wanted"] == "0.2 to 0.3"
    assert "unpaired games" not in rows[0]
    assert sentence(still_open).endswith("about 2,100 more games would decide.")
    assert "win_rate of seat 1 is 0.330 (0.310 to 0.350, 99.00% confidence" in sentence(failed)
    assert tally([failed, still_open, fine]) == "3 gates: 1 hold, 1 fail, 1 undecided"


# ----------------------------------------------------------------------------------------- JUnit


def test_junit_is_well_formed_and_counts(tmp_path: Path) -> None:
    text = junit("my & study", three(tmp_path), 1.5)
    root = ET.fromstring(text)
    suite = root[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    assert len(suite.findall("testcase")) == 3
    failed, still_open, fine = suite
    assert failed.get("name") == NASTY.replace("\x00", "�").replace("\x1b", "�")
    failure = failed.find("failure")
    assert failure is not None
    assert failure.get("type") == "FAIL"
    assert "rulebook.toml:28: a = 1" in (failure.text or "")
    assert still_open.find("error") is not None
    assert [child.tag for child in fine] == ["system-out"]


# ----------------------------------------------------------------------------------------- SARIF


def test_sarif_points_at_the_changed_lines(tmp_path: Path) -> None:
    document = json.loads(sarif(three(tmp_path), tmp_path, "1.2.3"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("assay", "1.2.3")
    assert len({rule["id"] for rule in driver["rules"]}) == 3
    failed, still_open = run["results"]  # what holds is no finding
    assert (failed["level"], still_open["level"]) == ("error", "warning")
    for found in run["results"]:
        assert driver["rules"][found["ruleIndex"]]["id"] == found["ruleId"]
        assert found["message"]["text"]
        assert len(found["locations"]) == 1
    place = failed["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 28}
    assert place["artifactLocation"] == {
        "uri": "sim/wizard%20miners/rulebook.toml",
        "uriBaseId": "%SRCROOT%",
    }
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == tmp_path.resolve().as_uri() + "/"
    (other,) = failed["relatedLocations"]
    assert other["physicalLocation"]["artifactLocation"] == {"uri": "file:///other/x.toml"}
    assert "region" not in still_open["locations"][0]["physicalLocation"]


def test_rule_ids_are_plain_and_differ() -> None:
    names = ["Ärger & Glück", "Ärger | Glück", "a" * 200, "!!!"]
    ids = [rule_id(name) for name in names]
    assert len(set(ids)) == 4
    assert all(
        len(one) <= 70 and set(one) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for one in ids
    )


# --------------------------------------------------------------------------------------- summary


def test_names_do_not_break_the_summarys_table(tmp_path: Path) -> None:
    text = summary("A | title", three(tmp_path), {"games": "5"})
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 5
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert "\\<dynamite\\>" in table[2]
    assert "**3 gates: 1 hold, 1 fail, 1 undecided**" in text
    assert "rulebook.toml:28: a = 1`" in text


def test_a_summary_is_cut_below_its_limit() -> None:
    text = "".join(f"line {n}: ä–ö\n" for n in range(1000))
    assert cut(text, len(text.encode())) == text
    for limit in (len(text.encode()) - 1, 5000, 300, 60):
        short = cut(text, limit)
        assert len(short.encode()) <= limit
        lines = [line for line in short.splitlines() if line.startswith("line")]
        assert text.startswith("".join(f"{line}\n" for line in lines))
        assert f"{1000 - len(lines)} lines are left out" in short
    assert cut(text, 10) == ""
    assert cut(text, -5) == ""
