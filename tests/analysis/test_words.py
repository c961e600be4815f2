from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import words
from analysis.intervals import Interval
from reports import format as tables

SPACE = words.SPACE
ROOT = Path(__file__).parents[2]
# Numbers that stand without an interval of their own, by file, and why they may.
BARE = {
    "analysis/card_value.py": {"row['half_width']"},  # half an interval
    "analysis/dead_cards.py": {"everywhere['bound'].max()"},  # a bound
    "analysis/length.py": {"share"},  # an Interval
    "analysis/mine_risk.py": {"row['gain']", "row['exact']", "back"},  # exact
    "analysis/quests.py": {"row['tried']", "spaces['exact'].iloc[0]"},  # alike in all; exact
    "analysis/seats.py": {"1 / players"},
    "analysis/snowball.py": {"fair"},
    "analysis/strategies.py": {"worst['fair']"},
    "analysis/sweep_answer.py": {"level", "1 - level", "probability", "misfit"},  # of draws, fits
    "reports/answers/expert_dice.py": {
        "gap.loc[most, 'expert'] - gap.loc[most, 'standard']"  # exact
    },
    "reports/answers/length.py": {"left"},  # of the games at hand, left out of a picture
    "reports/answers/mine_risk.py": {"first", "third", "row['exact']", "row['value']"},  # exact
    "reports/answers/seats.py": {"1 / setting.players"},
    "reports/answers/snowball.py": {"left"},  # as of lengths
    "reports/answers/strategies.py": {"1 / setting.players"},
    "reports/answers/sweep.py": {"1 - sweep.level"},
    "reports/answers/variants.py": {  # of the games at hand
        "variant['games_parted'] / variant['games']"
    },
}


def _bare(code: str) -> set[str]:
    """What is put in words without bounds, but for constants."""
    return {
        ast.unparse(call.args[0])
        for call in ast.walk(ast.parse(code))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) in ("words.share", "words.points", "words.number")
        and len(call.args) == 1
        and not isinstance(call.args[0], ast.Starred)
        and not ast.unparse(call.args[0]).isupper()
    }


def test_no_number_is_told_without_its_interval() -> None:
    assert _bare("f'{words.number(row[1])}; {words.share(DEAD)}; {words.gain(row)}'") == {"row[1]"}
    found = {
        str(path.relative_to(ROOT)): bare
        for folder in ("analysis", "reports")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (bare := _bare(path.read_text()))
    }
    assert found == BARE


def test_numbers_of_rows() -> None:
    row = {"estimate": 0.3121, "low": 0.3093, "high": 0.3149}
    row |= {"without": 0.25, "without_low": 0.2, "without_high": 0.3}
    assert words.shown(row) == words.share(0.3121, 0.3093, 0.3149)
    assert words.shown(row, "without") == words.share(0.25, 0.2, 0.3)
    assert words.gain(row, "pp") == words.points(0.3121, 0.3093, 0.3149, "pp")
    assert words.gain(row, side="without") == words.points(0.25, 0.2, 0.3)
    assert words.amount(row, "rolls", "without") == words.number(0.25, 0.2, 0.3, "rolls")


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


def test_a_share_without_a_bound_has_an_infinite_end() -> None:
    assert words.share(0.0, 0.0, math.inf).replace(words.SPACE, " ") == "0 % [0, ∞]"
