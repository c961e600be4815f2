from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import format as fmt
from reports.format import Interval, column


def text(value: str) -> str:
    return value.replace(fmt.SPACE, " ").replace(fmt.MINUS, "-")


def test_the_examples_in_the_docstring():
    assert text(fmt.rate(0.3121, 0.3093, 0.3149)) == "31.2 % [30.9, 31.5]"
    assert text(fmt.mean(41.268, 41.189, 41.347)) == "41.27 [41.19, 41.35]"
    assert fmt.count(1_000_000) == "1,000,000"


@pytest.mark.parametrize(
    ("half", "decimals"),
    [
        (0.3, 1),
        (0.12, 2),
        (0.19, 2),
        (0.2, 1),
        (0.96, 1),  # rounds to 1.0
        (1.2, 1),
        (3.0, 0),
        (40.0, 0),
        (0.0004, 4),
        (0.0, 0),
        (math.nan, 0),
    ],
)
def test_decimals_follow_the_half_width(half, decimals):
    assert fmt.decimals_for(half) == decimals


@given(st.floats(1e-7, 1e6))
def test_the_half_width_is_shown_with_one_or_two_digits(half):
    shown = f"{half:.{fmt.decimals_for(half)}f}"
    digits = shown.replace(".", "").lstrip("0")
    assert digits, "the half-width would be shown as zero"
    if half < 9:
        assert len(digits) <= 2


def test_a_share_without_a_bound_has_an_infinite_end():
    assert text(fmt.rate(0.0, 0.0, math.inf)) == "0 % [0, ∞]"
    assert text(fmt.rate(1.0, -math.inf, 1.0)) == "100 % [-∞, 100]"
    frame = pd.DataFrame({"x": [0.0, 0.0], "low": [0.0, 0.0], "high": [math.inf, 0.0123]})
    cells, _ = fmt.column(frame, "x", fmt.Interval("rate"))
    assert [text(str(one)) for one in cells] == ["0 % [0, ∞]", "< 1.3 %"]


def test_no_event_gives_a_bound_and_never_zero_percent():
    assert text(fmt.rate(0.0, 0.0, 0.000299)) == "< 0.030 %"
    assert text(fmt.rate(1.0, 0.99963, 1.0)) == "> 99.963 %"
    assert text(fmt.rate(0.0, 0.0, 0.37)) == "< 37 %"


def test_signs_zeros_and_gaps():
    assert text(fmt.points(0.012, 0.009, 0.015)) == "+1.2 pp [+0.9, +1.5]"
    assert text(fmt.points(-0.034, -0.036, -0.032)) == "-3.4 pp [-3.6, -3.2]"
    assert text(fmt.difference(-0.001, -0.3, 0.3)) == "0.0 [-0.3, +0.3]"
    assert fmt.rate(math.nan) == fmt.MISSING
    assert text(fmt.rate(1 / 6)) == "16.7 %"
    assert text(fmt.rate(1 / 6, decimals=3)) == "16.667 %"
    assert fmt.MINUS in fmt.points(-0.1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (7, "7"), (1234567, "1,234,567"), (0.012345, "0.0123"), (-2.5, "-2.50")],
)
def test_bare_numbers(value, shown):
    assert text(fmt.number(value)) == shown


def test_very_small_and_endless_numbers():
    assert fmt.number(1.23e-9) == "1.23×10⁻⁹"
    assert fmt.number(math.inf) == "∞"
    assert fmt.number(-math.inf) == f"{fmt.MINUS}∞"


def test_a_column_shares_its_decimals_but_no_interval_looks_empty():
    frame = pd.DataFrame(
        {
            "rate": [0.3, 0.31, 0.0001],
            "low": [0.297, 0.307, 0.00008],
            "high": [0.303, 0.313, 0.00012],
        }
    )
    cells, numeric = column(frame, "rate", Interval("rate"))
    assert numeric
    assert [text(str(cell)) for cell in cells] == [
        "30.0 % [29.7, 30.3]",
        "31.0 % [30.7, 31.3]",
        "0.010 % [0.008, 0.012]",
    ]


def test_columns_without_a_format_are_guessed():
    frame = pd.DataFrame(
        {
            "n": [1, 20000],
            "x": [1.5, 200.25],
            "s": ["a", "b"],
            "b": [True, False],
            "m": [1.0, np.nan],
        }
    )
    shown = {
        name: ([str(c) for c in column(frame, name)[0]], column(frame, name)[1]) for name in frame
    }
    assert shown["n"] == (["1", "20,000"], True)
    assert shown["x"] == (["1.5", "200.2"], True)
    assert shown["s"] == (["a", "b"], False)
    assert shown["b"] == (["yes", "no"], False)
    assert shown["m"] == (["1", fmt.MISSING], True)


def test_a_function_may_format():
    cells, numeric = column(pd.DataFrame({"x": [1, 2]}), "x", lambda value: f"<{value}>")
    assert [str(cell) for cell in cells] == ["<1>", "<2>"]
    assert numeric


@pytest.mark.parametrize("spec", ["rates", "count:2", "rate:x", "rate:-1", ""])
def test_unknown_formats_are_refused(spec):
    with pytest.raises(ValueError, match="format"):
        fmt.parse_format(spec)


def test_unknown_interval_kinds_are_refused():
    with pytest.raises(ValueError, match="interval kind 'odds'"):
        Interval("odds")
