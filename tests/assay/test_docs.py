"""The README and the pages on studies: commands, options, keys and files that they name exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from typer.main import get_command

import assay
from analysis.questions import NAMES
from assay import study as study_file
from assay.check import check
from assay.cli import COMMANDS, app
from assay.compare import compare
from assay.plan import plan
from assay.robust import conclusions_of
from assay.study import load_study
from assay.sweep import sweep
from sim.factors import FACTORS, MOST_FACTORS, read_factors
from sim.game import load_game

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
STUDIES = (ROOT / "docs" / "studies.md").read_text("utf-8")
TABLES: dict[str, type[BaseModel]] = {
    "[study]": study_file.Head,
    "[lineup]": study_file.LineupPart,
    "[base]": study_file.BasePart,
    "[variants.NAME]": study_file.VariantPart,
    "[stop]": study_file.StopPart,
    "[compare]": study_file.ComparePart,
    "[[check]]": study_file.CheckPart,
    "[sweep]": study_file.SweepPart,
    "[[sweep.factors]]": study_file.FactorPart,
    "[[sweep.targets]]": study_file.TargetPart,
    "[robust]": study_file.RobustPart,
}
EMPTY: tuple[Any, ...] = (None, [], {})
IN_WORDS = {"none", "all", "see below", "the base's", "the key"}  # for a default that is empty


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", STUDIES, re.DOTALL | re.MULTILINE)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's study, with few games."""
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("toml")
    few = re.sub(r"^games = \S+", "games = 64", text, flags=re.MULTILINE)
    few = few.replace("draws = 100", "draws = 3")
    assert few != text
    path = tmp_path / "study.toml"
    path.write_text(few, "utf-8")
    return path


def test_the_example_names_every_table_and_every_required_key() -> None:
    (text,) = blocks("toml")
    values = tomllib.loads(text)
    assert values.keys() == study_file._File.model_fields.keys()
    for heading, model in TABLES.items():
        required = {name for name, field in model.model_fields.items() if field.is_required()}
        assert all(f"{name} = " in text or f".{name}]" in text for name in required), heading


def test_the_example_can_be_used_by_every_command(example: Path) -> None:
    study = load_study(example)
    assert list(study.variants) == ["cheaper", "no_spells", "one_builder"]
    checked = check(example, repeats=False)
    assert list(checked.frame["gate"]) == [gate.name for gate in study.checks]
    compared = compare(example, second_lineup="none", blunder=0)
    assert set(compared.effects["variant"]) == set(study.variants)
    swept = sweep(example, report=False, games=8)
    assert len(swept.sweep.cells) == 1 + 4 * 3 * 3
    assert set(plan(example).frame["kind"]) == {"gate", "comparison", "precision"}


def test_the_factors_of_the_example_are_the_games(example: Path) -> None:
    study = load_study(example)
    game = load_game(study.head.game)
    assert study.robust.factors
    assert set(study.robust.factors) <= set(read_factors(game, None).names)
    conclusions, skipped = conclusions_of(study, game)
    assert len(conclusions) > len(study.checks)
    assert skipped == ()


def test_the_factors_on_the_page_on_rules_are_sound(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "rules_files.md").read_text("utf-8")
    (text,) = re.findall(r"^```toml\n(\[factors.*?)^```", page, re.DOTALL | re.MULTILINE)
    game = load_game("wizard_miners")
    for file in game.load().folder.glob("*.*"):
        if file.suffix in (".toml", ".csv"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / FACTORS).write_text(text, "utf-8")
    found = read_factors(game, tmp_path)
    assert found.path == tmp_path / FACTORS
    assert found.names == ("upgrade_prices", "tool_table")
    assert len(found.totals["spell_deck"]) > 5
    assert f"named factors, {MOST_FACTORS} at most" in page


@pytest.mark.parametrize("heading", TABLES)
def test_every_key_of_a_study_stands_on_the_page_with_its_default(heading: str) -> None:
    (part,) = re.findall(
        rf"^### `{re.escape(heading)}`\n(.*?)(?=^#|\Z)", STUDIES, re.DOTALL | re.MULTILINE
    )
    table = part[part.index("| key |") :].split("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", table, re.MULTILINE)
    fields = TABLES[heading].model_fields
    assert [key for key, _ in rows] == sorted(fields, key=[key for key, _ in rows].index)
    for key, said in rows:
        field = fields[key]
        if said.startswith("`"):
            (value,) = tomllib.loads(f"x = {said.strip('`')}").values()
            assert value == field.default, key
            assert type(value) is type(field.default), key
        elif said == "required":
            assert field.default is PydanticUndefined, key
        else:
            assert said in IN_WORDS, key
            assert field.default in EMPTY, key


def test_the_names_that_a_study_may_use_are_on_the_page() -> None:
    (questions,) = re.findall(r"^\| `questions` \|.*$", STUDIES, re.MULTILINE)
    assert re.findall(r"`(\w+)`", questions)[1:] == list(NAMES)
    designs = re.findall(r"^\| `\"(\w+)\"` \|", STUDIES, re.MULTILINE)
    (field,) = [study_file.SweepPart.model_fields["design"]]
    assert designs == list(field.annotation.__args__)
    metrics = {metric.name for metric in load_game("wizard_miners").metrics}
    about = STUDIES[STUDIES.index("## Metrics") :]
    assert set(re.findall(r"`([a-z_]+)`", about)) <= metrics


def code_of(text: str) -> list[str]:
    """Return the lines of the blocks of code, and the code inside sentences."""
    fence = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
    lines = [line for block in fence.findall(text) for line in block.splitlines()]
    return lines + re.findall(r"`([^`\n]+)`", fence.sub("", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_options_and_functions_of_a_page_exist(page: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    for line in code_of(page.read_text("utf-8").replace(" \\\n", " ")):
        for call in re.findall(r"(?:^|[\s/])assay ([a-z]+\b[^|&;#]*)", line):
            name = call.split()[0]
            assert name in commands, line
            options = {
                option
                for parameter in commands[name].params
                for option in (*parameter.opts, *parameter.secondary_opts, "--help")
            }
            assert set(re.findall(r"(?<!\S)(--[a-z-]+)", call)) <= options, line
        for function in re.findall(r"\bassay\.([a-z]+)\(", line):
            assert function in assay.__dir__(), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_files_of_a_page_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    folders = "analysis|assay|docs|reports|sim|strategies|studies|tests"
    for path in re.findall(rf"(?<![\w/.])(?:{folders})/[a-z_0-9/.]*[a-z0-9]\.[a-z]+\b", text):
        assert (ROOT / path).exists(), path
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / link).exists(), link


def test_the_readme_lists_every_command() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"assay {name}" in text, name
