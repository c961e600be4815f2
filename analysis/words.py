"""Numbers in the sentences of an answer: digits as the interval supports, the interval beside them.

    >>> share(0.3121, 0.3093, 0.3149)
    '31.2 % [30.9, 31.5]'
    >>> points(0.0412, 0.0381, 0.0443, "points of win probability")
    '4.1 points of win probability [3.8, 4.4]'
    >>> number(41.268, 41.189, 41.347, "rolls")
    '41.27 rolls [41.19, 41.35]'

The spaces between a number and its unit and inside brackets do not break. The rules for digits are
those of the tables (`reports.format`), and a test holds the two together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from analysis.intervals import Interval

SPACE = "\u00a0"
MINUS = "−"
MISSING = "–"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def share(estimate: float | Interval, low: float | None = None, high: float | None = None) -> str:
    """A share (0 to 1) in percent; "less than 0.03 %" for an event that was never seen."""
    x, lower, upper = _parts(estimate, low, high)
    if x in (0.0, 1.0) and lower < upper and math.isfinite(lower) and math.isfinite(upper):
        if x == 0:
            return f"less than{SPACE}{_bound(upper * 100, up=True)}{SPACE}%"
        return f"more than{SPACE}{_bound(lower * 100, up=False)}{SPACE}%"
    return _with_interval(x * 100, lower * 100, upper * 100, "%", 1)


def points(
    estimate: float | Interval,
    low: float | None = None,
    high: float | None = None,
    unit: str = "points",
) -> str:
    """A difference of shares (-1 to 1) in percentage points; the sentence says which way."""
    x, lower, upper = _parts(estimate, low, high)
    return _with_interval(x * 100, lower * 100, upper * 100, unit, 1)


def number(
    estimate: float | Interval,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
) -> str:
    """A mean or a difference in its own unit."""
    x, lower, upper = _parts(estimate, low, high)
    return _with_interval(x, lower, upper, unit, 2)


def shown(row: Mapping[str, Any], side: str = "") -> str:
    """The share of a row of a frame; side: that of NAME, NAME_low, NAME_high instead."""
    return share(*_ends(row, side))


def gain(row: Mapping[str, Any], unit: str = "points", side: str = "") -> str:
    """The difference of shares of a row of a frame; side: as in `shown`."""
    return points(*_ends(row, side), unit)


def amount(row: Mapping[str, Any], unit: str = "", side: str = "") -> str:
    """The mean or difference of a row of a frame; side: as in `shown`."""
    return number(*_ends(row, side), unit)


def _ends(row: Mapping[str, Any], side: str) -> tuple[float, float, float]:
    if side:
        return row[side], row[f"{side}_low"], row[f"{side}_high"]
    return row["estimate"], row["low"], row["high"]


def whole(estimate: float, low: float, high: float, unit: str = "") -> str:
    """A value out of whole numbers, such as a quantile of rolls, with an interval of such."""
    text = f"{_fixed(estimate, 0)}{SPACE}{unit}" if unit else _fixed(estimate, 0)
    return f"{text} [{_fixed(low, 0)},{SPACE}{_fixed(high, 0)}]"


def count(value: float) -> str:
    """A whole number with thousands parted by commas."""
    return _fixed(value, 0)


def listed(items: list[str], word: str = "and") -> str:
    """Items as "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def decimals_for(half_width: float) -> int:
    """Decimals that show the half-width with one digit, or with two if it begins with a 1."""
    if not math.isfinite(half_width) or half_width <= 0:
        return 0
    magnitude = math.floor(math.log10(half_width))
    leading = half_width / 10.0**magnitude
    digits = 1 if leading < 1.95 else 0
    return min(max(0, digits - magnitude), 9)


def _parts(
    estimate: float | Interval, low: float | None, high: float | None
) -> tuple[float, float, float]:
    if isinstance(estimate, Interval):
        return estimate.estimate, estimate.low, estimate.high
    return estimate, math.nan if low is None else low, math.nan if high is None else high


def _with_interval(x: float, low: float, high: float, unit: str, decimals: int) -> str:
    if math.isnan(x):
        return MISSING
    has_interval = not (math.isnan(low) or math.isnan(high))
    if has_interval and low < high:
        decimals = decimals_for((high - low) / 2)
    text = _fixed(x, decimals)
    if unit:
        text += f"{SPACE}{unit}"
    if not has_interval:
        return text
    return f"{text} [{_fixed(low, decimals)},{SPACE}{_fixed(high, decimals)}]"


def _fixed(value: float, decimals: int) -> str:
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        return text.lstrip("-")
    return text.replace("-", MINUS)


def _bound(value: float, *, up: bool) -> str:
    """A one-sided bound in percent with two significant digits, rounded away from the estimate."""
    gap = value if up else 100 - value
    decimals = min(max(0, 1 - math.floor(math.log10(gap))), 12) if gap > 0 else 0
    factor = 10.0**decimals
    rounded = (math.ceil if up else math.floor)(round(value * factor, 6))
    return f"{rounded / factor:.{decimals}f}"
