"""How results are printed, and progress."""

import json
import time
import tomllib
from typing import Any

import pandas as pd
import pytest

from assay import output, progress
from assay.output import Format, as_toml, columns_of, number, render, rows_of

ROWS: list[dict[str, Any]] = [{"a": 1, "c": 2.5}, {"a": 20000, "b": "x|y", "c": float("inf")}]


def test_columns_stand_where_the_first_row_that_has_them_puts_them():
    assert columns_of(ROWS) == ["a", "b", "c"]
    assert columns_of([]) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.25, "0.2500"),
        (1234.5678, "1,235"),
        (-0.001234, "−0.001234"),
        (12, "12"),
        (1234567, "1,234,567"),
        (float("nan"), "–"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
        (1e-12, "0.00000000"),
        (None, "–"),
    ],
)
def test_numbers_for_reading(value, text):
    assert number(value) == text


def test_rows_of_a_frame_keep_a_figure_that_cannot_be_told():
    frame = pd.DataFrame({"seat": [1.0, float("nan")], "estimate": [float("nan"), 0.5]})
    assert rows_of(frame) == [{"seat": 1.0, "estimate": None}, {"estimate": 0.5}]


def test_tables_are_aligned_and_never_cut():
    assert render(ROWS, Format.TABLE).splitlines() == [
        "     a  b        c",
        "------  ---  -----",
        "     1       2.500",
        "20,000  x|y      ∞",
    ]
    assert output.table([], ["a"]) == "a\n-"


def test_markdown_escapes_its_own_bars():
    assert render(ROWS, Format.MARKDOWN).splitlines()[-1] == "| 20,000 | x\\|y | ∞ |"


def test_csv_and_json_keep_numbers_in_full():
    assert render([{"x": 1 / 3, "y": [1, 2]}], Format.CSV) == f'x,y\n{1 / 3},"[1, 2]"'
    assert json.loads(render(ROWS, Format.JSON)) == [ROWS[0], ROWS[1] | {"c": None}]
    assert json.loads(render(ROWS, Format.JSON, document={"n": float("nan")})) == {"n": None}


@pytest.mark.parametrize("value", [3, 2.5, True, 'a "b"', [[1], [2, 3]], {"a": [1], "b": False}])
def test_values_come_back_from_toml(value):
    assert tomllib.loads(f"x = {as_toml(value)}") == {"x": value}


def test_progress_is_silent_away_from_a_terminal(capsys):
    with progress.showing(None) as show:
        assert show is None
    with progress.showing(False) as show:
        assert show is None
    assert capsys.readouterr() == ("", "")


def test_asked_for_progress_is_lines_away_from_a_terminal(capsys, monkeypatch):
    clock = iter([0.0, 10.0, 10.0, 20.0, 20.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with progress.showing(True) as show:
        assert show is not None
        show("base", 100, 1000)  # the clock of a label starts with its first news
        show("base", 300, 1000)
    assert capsys.readouterr().err == "base: 300 of 1,000 games, 20 games/s, 35 s left\n"


def test_time_left_in_words():
    assert [progress._left(s) for s in (5, 65, 3720)] == ["5 s", "1 min 05 s", "1 h 02 min"]
