"""The page on writing a strategy: its example is played, its claims are held."""

import re
from pathlib import Path

import pytest

from sim.wizard_miners.state import MEMO, STATE, TABLES, Prompt, Status
from strategies.resolve import lineup, parse_seats
from strategies.trial import try_out
from tests.strategies.tables import GAME, SHIPPED, play, tables_for, win_share

PAGE = (Path(__file__).parents[2] / "docs" / "write_a_strategy.md").read_text("utf-8")


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my_bot.py").write_text(block, "utf-8")
    monkeypatch.chdir(tmp_path)
    return block


def test_the_example_has_twenty_lines(example: str) -> None:
    assert len([line for line in example.splitlines() if line.strip()]) <= 20


def test_the_example_plays_as_the_page_says(example: str) -> None:
    commands = re.findall(r"assay play wizard_miners --seats (\S+)", PAGE)
    assert commands
    for seats in commands:
        who = lineup(GAME, parse_seats(seats))
        games, rows, _ = play(who, 400)
        assert (games["status"] == Status.WON).all()
        assert (rows["win"] * (rows["slot"] == 0)).sum() > 400 * 12 / 4
        assert try_out(GAME, who, tables_for(4), seed=1).warnings == ()
    for spec in set(re.findall(r"`(my_bot\.py:[^`]+)`", PAGE)):
        lineup(GAME, [spec, "passive", "passive"])


def test_the_example_wins_as_the_page_says(example: str) -> None:
    share, error = win_share("my_bot.py:decide", "drill_first", 4000)
    assert abs(share - 0.75) < 0.05 + 3 * error
    share, error = win_share("my_bot.py:decide", "builder", 4000)
    assert share < 0.05


def test_fields_that_the_page_names_exist() -> None:
    fields = set(STATE.names or ()) | set(TABLES.names or ())
    named = set(re.findall(r'(?:state|tables)\["(\w+)"\]', PAGE))
    assert len(named) > 5
    assert named <= fields
    for word in re.findall(r"`([a-z_]+)`", PAGE.split("## What it gets")[1]):
        assert word in fields | {"prompt", "tables", "weights", "blunder", *SHIPPED}, word
    for word in re.findall(r"`([A-Z_]{3,})`", PAGE):
        assert word in Prompt.__members__ or word in {"WEIGHTS", "STATE", "TABLES"}, word
    assert f"{MEMO} whole numbers" in PAGE
