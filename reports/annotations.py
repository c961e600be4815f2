"""What a check leaves for machines and reviewers: JUnit XML, SARIF, a Markdown summary.

Pure functions: results of gates in, text out.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.gates import Gate, GateResult, Place, Reading
from analysis.sequential import Verdict
from sim.wording import counted

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
SUMMARY_LIMIT = 1024 * 1024  # bytes that GitHub takes for the summary of a step
_ROOT = "%SRCROOT%"
# XML 1.0 has no way to write these, not even as references
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MINUS = "−"


# --------------------------------------------------------------------------------- for reading


def interval_text(gate: Gate, reading: Reading) -> tuple[str, str]:
    """Return estimate and interval with as few digits as still show the verdict.

    Two significant digits of the half-width, and more where rounding would move an end across the
    border that decides.
    """
    low, high = reading.low, reading.high
    half = (high - low) / 2
    digits = 4 if not half > 0 or math.isinf(half) else max(0, 1 - math.floor(math.log10(half)))
    while digits < 12 and gate.verdict(round(low, digits), round(high, digits)) != reading.verdict:
        digits += 1
    ends = [_fixed(value, digits) for value in (low, high)]
    return _fixed(reading.estimate, digits), " to ".join(ends)


def _fixed(value: float, digits: int) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", _MINUS)


def about(number: float | None) -> str:
    """Return a number of games, rounded to two digits: it is an estimate."""
    if number is None or number == 0:
        return ""
    if math.isinf(number):
        return "no number"
    step = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return f"{math.ceil(number / step) * step:,}"


def flips_text(result: GateResult) -> str:
    """Say in which other circumstances the verdict is another, or open."""
    flipped = [f"{name} ({result.repeats[name].verdict})" for name in result.flips]  # type: ignore[union-attr]
    still_open = [
        name
        for name, other in result.repeats.items()
        if other is not None
        and other.verdict is Verdict.UNDECIDED
        and result.reading.verdict is not Verdict.UNDECIDED
    ]
    parts = [f"FLIPS: {', '.join(flipped)}"] if flipped else []
    parts += [f"open: {', '.join(still_open)}"] if still_open else []
    return "; ".join(parts)


def shown_rows(results: Sequence[GateResult]) -> list[dict[str, Any]]:
    """Return the results as rows for reading."""
    rows = []
    for result in results:
        estimate, interval = interval_text(result.gate, result.reading)
        row: dict[str, Any] = {
            "gate": result.gate.name,
            "figure": result.figure,
            "wanted": result.wanted,
            "estimate": estimate,
            "interval": interval,
            "verdict": str(result.reading.verdict),
            "games": result.games,
            "stopped": result.stopped,
            "more games": about(result.more_games),
        }
        if any(one.gate.margin is not None for one in results):
            row["unpaired games"] = about(result.unpaired_games)
        if any(one.repeats for one in results):
            row["repeats"] = flips_text(result)
        rows.append(row)
    return rows


def sentence(result: GateResult) -> str:
    """Return a result as one sentence."""
    estimate, interval = interval_text(result.gate, result.reading)
    text = (
        f"{result.reading.verdict}: {result.figure} is {estimate} "
        f"({interval}, {result.reading.level:.2%} confidence sequence), wanted: {result.wanted}; "
        f"{counted(result.games, 'game')}, {result.stopped}"
    )
    if result.reading.verdict is Verdict.UNDECIDED:
        more = about(result.more_games)
        text += f"; about {more} more games would decide" if more != "no number" else ""
    flips = flips_text(result)
    return f"{text}. {flips}." if flips else f"{text}."


def tally(results: Sequence[GateResult]) -> str:
    """Return how many gates hold, fail and are open, in words."""
    held = [result.holds for result in results]
    parts = [
        f"{held.count(state)} {word}"
        for state, word in ((True, "hold"), (False, "fail"), (None, "undecided"))
        if state in held
    ]
    return f"{counted(len(held), 'gate')}: {', '.join(parts)}"


# --------------------------------------------------------------------------------------- JUnit


def junit(name: str, results: Sequence[GateResult], seconds: float) -> str:
    """Return JUnit XML: one test case a gate.

    A gate that fails is a failure; an undecided one that is to be known about is an error, so that
    readers that know only these two do not take it for passed.
    """
    held = [result.holds for result in results]
    counts = {
        "tests": str(len(held)),
        "failures": str(held.count(False)),
        "errors": str(held.count(None)),
        "time": f"{seconds:.3f}",
    }
    suites = ET.Element("testsuites", {"name": "assay check", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": _xml(name), "skipped": "0", **counts})
    for result in results:
        case = ET.SubElement(
            suite,
            "testcase",
            {"classname": _xml(f"assay.{name}"), "name": _xml(result.gate.name), "time": "0"},
        )
        text = _xml(sentence(result))
        if result.holds is not True:
            kind = "failure" if result.holds is False else "error"
            verdict = str(result.reading.verdict)
            ET.SubElement(case, kind, {"type": verdict, "message": text}).text = _xml(
                "\n".join([text, *(_place_text(place) for place in result.places)])
            )
        else:
            ET.SubElement(case, "system-out").text = text
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _xml(text: str) -> str:
    return _NOT_XML.sub("�", text)


def _place_text(place: Place) -> str:
    where = place.file if place.line is None else f"{place.file}:{place.line}"
    return f"{where}: {place.text}"


# --------------------------------------------------------------------------------------- SARIF


def sarif(results: Sequence[GateResult], root: Path, version: str | None = None) -> str:
    """Return SARIF 2.1.0: one result for each gate that fails or is undecided.

    root: files below it get relative addresses. The first changed line is the location, for most
    readers show only one; the others are related locations.
    """
    driver: dict[str, Any] = {
        "name": "assay",
        "rules": [
            {
                "id": rule_id(result.gate.name),
                "name": result.gate.name,
                "shortDescription": {"text": result.gate.name},
                "fullDescription": {"text": f"{result.figure}: {result.wanted}"},
            }
            for result in results
        ],
    }
    if version is not None:
        driver["version"] = version
    found = []
    for index, result in enumerate(results):
        if result.holds is True:
            continue
        places = result.places
        one: dict[str, Any] = {
            "ruleId": rule_id(result.gate.name),
            "ruleIndex": index,
            "level": "error" if result.holds is False else "warning",
            "message": {"text": sentence(result)},
            "locations": [_location(place, root) for place in places[:1]],
            # the same finding of the next run, wherever its line has moved to
            "partialFingerprints": {"gate/v1": rule_id(result.gate.name)},
        }
        if len(places) > 1:
            one["relatedLocations"] = [
                {"id": number, **_location(place, root), "message": {"text": place.text}}
                for number, place in enumerate(places[1:], start=1)
            ]
        found.append(one)
    document = {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "originalUriBaseIds": {_ROOT: {"uri": root.resolve().as_uri() + "/"}},
                "columnKind": "unicodeCodePoints",
                "results": found,
            }
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def rule_id(name: str) -> str:
    """Return a gate's name as an identifier: letters, digits and dashes, told apart by a hash."""
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"{words[:60].rstrip('-')}-{hashlib.sha256(name.encode()).hexdigest()[:6]}".strip("-")


def _location(place: Place, root: Path) -> dict[str, Any]:
    path = Path(place.file).resolve()
    artifact = {"uri": path.as_uri()}
    if path.is_relative_to(root.resolve()):
        inside = path.relative_to(root.resolve()).as_posix()
        artifact = {"uri": quote(inside), "uriBaseId": _ROOT}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if place.line is not None:
        physical["region"] = {"startLine": place.line}
    return {"physicalLocation": physical}


# ------------------------------------------------------------------------------------- summary


def summary(title: str, results: Sequence[GateResult], facts: Mapping[str, str]) -> str:
    """Return a Markdown summary: what came out, the table, what was played."""
    rows = shown_rows(results)
    names = list(rows[0]) if rows else []
    marks = {True: "✅", False: "❌", None: "❔"}
    lines = [f"## {_cell(title)}", "", f"**{tally(results)}**", ""]
    lines += [
        f"| {' | '.join(['', *names])} |",
        f"|{' --- |' * (len(names) + 1)}",
        *(
            f"| {' | '.join([marks[one.holds], *(_cell(row[name]) for name in names)])} |"
            for one, row in zip(results, rows, strict=True)
        ),
        "",
    ]
    lines += [f"- {name}: {_cell(text)}" for name, text in facts.items()]
    failed = [result for result in results if result.holds is not True]
    if failed:
        lines += ["", "### Lines that may have to do with it", ""]
        for result in failed:
            lines += [
                f"- {_cell(result.gate.name)}: `{_place_text(place).replace('`', chr(39))}`"
                for place in result.places
            ]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    text = f"{value:,}" if isinstance(value, int) else str(value)
    # what a name holds must not become markup
    text = " ".join(text.split())
    return re.sub(r"([\\`*_|<>\[\]#])", r"\\\1", text)


def cut(text: str, limit: int) -> str:
    """Return a text of at most `limit` bytes of UTF-8: whole lines, and a note if some are missing.

    Empty where not even the note fits.
    """
    if len(text.encode()) <= limit:
        return text
    lines = text.splitlines(keepends=True)
    longest_note = len(_cut_note(len(lines)).encode())
    kept: list[str] = []
    size = 0
    for line in lines:
        size += len(line.encode())
        if size + longest_note > limit:
            break
        kept.append(line)
    note = _cut_note(len(lines) - len(kept))
    return "".join(kept) + note if longest_note <= limit else ""


def _cut_note(lines: int) -> str:
    return f"\n_The summary is too long: {lines} lines are left out._\n"
