from __future__ import annotations

import dataclasses

import pandas as pd
import pytest
from matplotlib.figure import Figure as Canvas

from reports.document import Figure, Report, Reproduce, Section, Table, Text
from reports.format import Interval
from reports.typeset import breakable, breakable_command, clean, grids, paragraphs, spans


def small(**changes):
    parts = {
        "title": "Title",
        "question": "Why?",
        "answer": ["So."],
        "headline": [],
        "sections": [],
        "methods": [],
        "assumptions": [],
        "reproduce": Reproduce("assay run x.toml", 1),
    }
    return Report(**{**parts, **changes})


def test_all_problems_are_named_at_once():
    frame = pd.DataFrame({"a": [1]})
    with pytest.raises(ValueError, match="cannot be built") as caught:
        small(
            title=" ",
            answer=[],
            headline=[
                Figure("Bad name", Canvas, "alt"),
                Figure("x", Canvas, ""),
                Figure("x", Canvas, "a"),
            ],
            sections=[
                Section(
                    "s",
                    [
                        Table("t", frame, columns={"b": "B"}, formats={"a": "rates"}),
                        Table("u", frame, formats={"a": Interval()}),
                        Text("see {figure:nowhere}"),
                        Section("1", [Section("2", [Section("3")])]),
                    ],
                )
            ],
        )
    message = str(caught.value)
    for words in (
        "the title is empty",
        "the answer is no list",
        "3 headline figures",
        "'Bad name'",
        "'x' is there twice",
        "'x' has no alternative text",
        "no column 'b'",
        "unknown format 'rates'",
        "no column 'low'",
        "figure 'nowhere'",
        "deeper than three",
    ):
        assert words in message, words


def test_an_answer_is_no_string():
    with pytest.raises(ValueError, match="no list of sentences"):
        small(answer="So it is.")


def test_reports_are_frozen_and_keep_reading_order():
    report = small(
        headline=[Figure("a", Canvas, "alt")],
        sections=[
            Section("s", [Section("t", [Figure("b", Canvas, "alt")]), Figure("c", Canvas, "x")])
        ],
        methods=[Text("m")],
    )
    assert [figure.name for figure in report.figures()] == ["a", "b", "c"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.title = "other"


def test_an_interval_swallows_its_bounds():
    frame = pd.DataFrame({"win_rate": [0.1], "low": [0.0], "high": [0.2], "n": [3]})
    assert Table("t", frame, formats={"win_rate": Interval()}).shown() == {
        "win_rate": "win rate",
        "n": "n",
    }


def test_small_markup():
    assert spans("a **b** *c* `d*e`") == [
        {"t": "a "},
        {"s": "strong", "t": "b"},
        {"t": " "},
        {"s": "emph", "t": "c"},
        {"t": " "},
        {"s": "code", "t": "d*e"},
    ]
    assert spans("{table:by_cell}") == [{"s": "ref", "t": "table-by_cell"}]


@pytest.mark.parametrize(
    "words", ["3 * 4 * 5", "a_b_c", "2*3*4", "**", "* *", "`", "{x}", "#let x"]
)
def test_what_only_looks_like_markup_stays(words):
    assert spans(words) == [{"t": words}]


def test_an_escaped_star_is_a_star():
    assert spans(r"\*a\*") == [{"t": "*a*"}]


def test_paragraphs_and_lists():
    assert paragraphs("a\nb\n\n- c\n- d\n") == [
        {"kind": "par", "spans": [{"t": "a b"}]},
        {"kind": "list", "items": [[{"t": "c"}], [{"t": "d"}]]},
    ]


def test_only_long_words_are_broken_and_nothing_is_lost():
    assert breakable("drill_first and cave-in") == "drill_first and cave-in"
    long = "x" * 100 + "/" + "very_long_name" * 5
    broken = breakable(long)
    assert broken.replace("\u200b", "") == long
    assert max(len(part) for part in broken.split("\u200b")) <= 24


def test_control_characters_and_surrogates_become_visible():
    assert clean("a\x00b\x1b\ud800c\n") == "a\ufffdb\ufffd\ufffdc\n"


def test_a_long_command_continues_and_quotes_hold():
    command = 'assay run "my study.toml" ' + " ".join(f"--set key{i}={i}" for i in range(20))
    lines = breakable_command(command).split("\n")
    assert len(lines) > 3
    assert all(len(line) <= 78 for line in lines)
    assert all(line.endswith(" \\") for line in lines[:-1])
    assert '"my study.toml"' in lines[0]
    assert " ".join(line.removesuffix(" \\").strip() for line in lines) == command


def test_room_goes_where_it_saves_lines() -> None:
    """One long cell among short ones does not take it from a column whose cells are all long."""
    short, long = "a few words", "words enough to fill three lines of a narrow column, or two " * 2
    frame = pd.DataFrame({"one": [short] * 29 + [long * 2], "all": [long] * 30, "source": "told"})
    (grid,) = grids(Table("t", frame, "c"))
    one, every, _ = grid.widths
    assert not grid.landscape
    assert every > 2 * one


def test_columns_that_fit_are_as_wide_as_their_text() -> None:
    frame = pd.DataFrame({"one": ["a few words"], "other": ["some more words"]})
    (grid,) = grids(Table("t", frame, "c"))
    assert grid.widths == [column.natural * grid.size for column in grid.columns]
