"""The page on gates in CI: what it shows can be used as it stands."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from assay.cli import app
from assay.study import load_study

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "check_in_ci.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_study_on_the_page_is_one(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    path = tmp_path / "study.toml"
    path.write_text(text, "utf-8")
    assert [gate.name for gate in load_study(path).checks] == [
        "seat 1 is fair",
        "scarce dynamite leaves seat 1 alone",
    ]


def test_the_options_and_studies_that_are_named_exist() -> None:
    known = {
        option
        for parameter in get_command(app).commands["check"].params  # type: ignore[attr-defined]
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    lines = re.findall(r"assay check.*(?:\n {10}.*)*", PAGE)
    assert len(lines) >= 5
    for line in lines:
        assert set(re.findall(r"(?<!\S)(--[a-z-]+)", line)) <= known, line
        for study in re.findall(r"studies/\S+\.toml", line):
            assert load_study(ROOT / study).checks


def test_every_study_of_gates_is_sound() -> None:
    studies = sorted((ROOT / "studies" / "checks").glob("*.toml"))
    assert len(studies) >= 3
    for path in studies:
        study = load_study(path)
        assert study.checks
        # a gate on a change that names no base is for --base-ref, in a file of its own
        open_ended = [one.max_change is not None and one.against is None for one in study.checks]
        assert all(open_ended) or not any(open_ended)


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_the_scripts_worst_exit_code_is_right(tmp_path: Path) -> None:
    """1 and 2 outweigh 3, whatever the order; tried with commands that only end."""
    (script,) = blocks("sh")
    assert "judge studies/checks" in script
    functions = script[script.index("worst=0") : script.index("judge studies")]
    functions = functions.replace('.venv-check/bin/assay check "$@" --no-progress', '(exit "$1")')
    for codes, worst in (("0 0", 0), ("0 3", 3), ("3 0", 3), ("3 1", 1), ("1 3", 1), ("3 2 0", 2)):
        text = functions + "".join(f"judge {code}\n" for code in codes.split()) + 'exit "$worst"\n'
        done = subprocess.run(["sh", "-c", text], check=False, capture_output=True)
        assert done.returncode == worst, codes
    assert subprocess.run(["sh", "-n", "-c", script], check=False).returncode == 0


def test_the_page_tells_all_exit_codes() -> None:
    table = PAGE[PAGE.index("| exit code |") :]
    assert re.findall(r"^\| (\d+) \|", table, re.MULTILINE) == ["0", "1", "3", "2", "130"]
