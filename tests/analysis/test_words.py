from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import words
from analysis.intervals import Interval
from reports import format as tables

SPACE = words.SPACE


def test_examples() -> None:
    assert words.share(0.3121, 0.3093, 0.3149) == f"31.2{SPACE}% [30.9,{SPACE}31.5]"
    assert words.points(0.0412, 0.0381, 0.0443) == f"4.1{SPACE}points [3.8,{SPACE}4.4]"
    assert words.points(-0.0412, -0.05, 0.01) == f"−4{SPACE}points [−5,{SPACE}1]"
    assert words.number(41.268, 41.189, 41.347, "rolls") == (
        f"41.27{SPACE}rolls [41.19,{SPACE}41.35]"
    )
    assert words.number(41.268) == "41.27"
    assert words.whole(41, 41, 42, "rolls") == f"41{SPACE}rolls [41,{SPACE}42]"
    assert words.share(0, 0, 0.00029) == f"less than{SPACE}0.029{SPACE}%"
    assert words.share(1, 0.9971, 1) == f"more than{SPACE}99.71{SPACE}%"
    assert words.number(float("nan"), 0, 1) == "–"
    assert words.number(41, 38, float("inf")) == f"41 [38,{SPACE}∞]"
    assert words.count(1_234_567) == "1,234,567"
    assert words.share(Interval(0.5, 0.4, 0.6, 0.95, 10, "x")) == f"50{SPACE}% [40,{SPACE}60]"


def test_lists_in_words() -> None:
    assert words.listed([]) == ""
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b"]) == "a and b"
    assert words.listed(["a", "b", "c"], "or") == "a, b or c"


@st.composite
def intervals(draw: st.DrawFn) -> tuple[float, float, float]:
    low, middle, high = sorted(draw(st.floats(-1, 1)) for _ in range(3))
    return middle, low, high


@given(intervals())
def test_the_digits_are_those_of_the_tables(interval: tuple[float, float, float]) -> None:
    """`analysis` must not import `reports`, so the rule stands twice; here it is held together."""
    x, low, high = interval
    in_table = tables.mean(x, low, high)
    assert words.number(x, low, high) == in_table
    signed = tables.points(x, low, high).replace("+", "").replace(f"{SPACE}pp", f"{SPACE}points")
    assert words.points(x, low, high) == signed
    if low >= 0:
        said = words.share(x, low, high)
        said = said.replace(f"less than{SPACE}", f"<{SPACE}").replace(
            f"more than{SPACE}", f">{SPACE}"
        )
        assert said == tables.rate(x, low, high)


@pytest.mark.parametrize("half", [0.0, 0.004, 0.0195, 0.01949, 0.95, 0.96, 1.0, 19, 3000, 1e-12])
def test_decimals_are_those_of_the_tables(half: float) -> None:
    assert words.decimals_for(half) == tables.decimals_for(half)
