"""Numbers as words: as many digits as the interval supports, the interval always beside them.

    >>> rate(0.3121, 0.3093, 0.3149)
    '31.2 % [30.9, 31.5]'
    >>> mean(41.268, 41.189, 41.347)
    '41.27 [41.19, 41.35]'
    >>> count(1000000)
    '1,000,000'

Estimates outside tables and their intervals are joined by an ordinary space; the space before a
unit never breaks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, median_low
from typing import Any

import pandas as pd

MISSING = "–"
MINUS = "−"
SPACE = "\u00a0"
MOST_DECIMALS = 9
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class _Kind:
    scale: float
    unit: str
    signed: bool
    decimals: int  # where no interval says better


KINDS = {
    "rate": _Kind(100.0, f"{SPACE}%", False, 1),
    "points": _Kind(100.0, f"{SPACE}pp", True, 1),
    "mean": _Kind(1.0, "", False, 2),
    "difference": _Kind(1.0, "", True, 2),
}
PLAIN_KINDS = ("number", "count", "text")


@dataclass(frozen=True, slots=True)
class Interval:
    """Format of a column of estimates whose bounds stand in two other columns.

    kind: "rate" (a share, shown in percent), "points" (a difference of shares, in percentage
        points), "mean", "difference" (signed).
    """

    kind: str = "rate"
    low: str = "low"
    high: str = "high"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"interval kind {self.kind!r}; one of {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True)
class Cell:
    """An estimate and, where there is one, its interval in brackets."""

    text: str
    interval: str = ""

    def __str__(self) -> str:
        return f"{self.text} {self.interval}" if self.interval else self.text


def decimals_for(half_width: float) -> int:
    """Decimals that show the half-width with one digit, or with two if it begins with a 1."""
    if not math.isfinite(half_width) or half_width <= 0:
        return 0
    magnitude = math.floor(math.log10(half_width))
    leading = half_width / 10.0**magnitude
    digits = 1 if leading < 1.95 else 0
    if leading >= 9.5:  # rounds up to the next power of ten, which begins with a 1
        digits = 0
    return min(max(0, digits - magnitude), MOST_DECIMALS)


def rate(
    estimate: float,
    low: float | None = None,
    high: float | None = None,
    *,
    decimals: int | None = None,
) -> str:
    """A share (0 to 1) in percent. No event at all gives the bound: "< 0.03 %", never "0 %"."""
    return str(cell("rate", estimate, low, high, decimals=decimals))


def points(
    estimate: float,
    low: float | None = None,
    high: float | None = None,
    *,
    decimals: int | None = None,
) -> str:
    """A difference of shares (-1 to 1) in percentage points, with its sign."""
    return str(cell("points", estimate, low, high, decimals=decimals))


def mean(
    estimate: float,
    low: float | None = None,
    high: float | None = None,
    *,
    decimals: int | None = None,
) -> str:
    """A mean in its own unit."""
    return str(cell("mean", estimate, low, high, decimals=decimals))


def difference(
    estimate: float,
    low: float | None = None,
    high: float | None = None,
    *,
    decimals: int | None = None,
) -> str:
    """A difference of means in their own unit, with its sign."""
    return str(cell("difference", estimate, low, high, decimals=decimals))


def count(value: float) -> str:
    """A whole number with thousands parted by commas."""
    return MISSING if _missing(value) else _fixed(value, 0)


def number(value: float, digits: int = 3) -> str:
    """A bare number to `digits` significant digits; whole numbers are given in full."""
    if _missing(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if value == 0 or (float(value).is_integer() and abs(value) < 1e15):
        return _fixed(value, 0)
    magnitude = math.floor(math.log10(abs(value)))
    if -5 <= magnitude < 15:
        return _fixed(value, max(0, digits - 1 - magnitude))
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa.replace('-', MINUS)}×10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def cell(
    kind: str,
    estimate: float,
    low: float | None = None,
    high: float | None = None,
    *,
    decimals: int | None = None,
) -> Cell:
    """Estimate and interval of one of `KINDS`; a missing estimate is a dash.

    decimals: at least so many; more where the interval is narrower than they can show.
    """
    spec = KINDS[kind]
    if _missing(estimate):
        return Cell(MISSING)
    has_interval = low is not None and high is not None and not (_missing(low) or _missing(high))
    if not has_interval:
        shown = spec.decimals if decimals is None else decimals
        text = _fixed(estimate * spec.scale, shown, signed=spec.signed)
        return Cell(f"{text}{spec.unit}")
    assert low is not None
    assert high is not None
    # with an end that is no number the interval says so: ∞ is no bound
    if kind == "rate" and low < high and math.isfinite(low) and math.isfinite(high):
        if estimate == 0:
            return Cell(f"<{SPACE}{_bound(high * 100, up=True)}{SPACE}%")
        if estimate == 1:
            return Cell(f">{SPACE}{_bound(low * 100, up=False)}{SPACE}%")
    own = decimals_for((high - low) / 2 * spec.scale) if low < high else spec.decimals
    shown = own if decimals is None else max(own, decimals)
    text, lower, upper = (
        _fixed(value * spec.scale, shown, signed=spec.signed) for value in (estimate, low, high)
    )
    return Cell(f"{text}{spec.unit}", f"[{lower},{SPACE}{upper}]")


def parse_format(spec: str) -> tuple[str, int | None]:
    """("rate", 3) for "rate:3". Raises ValueError for an unknown kind or no number of decimals."""
    kind, colon, digits = spec.partition(":")
    if kind not in KINDS and kind not in PLAIN_KINDS:
        raise ValueError(f"unknown format {spec!r}; one of {', '.join([*KINDS, *PLAIN_KINDS])}")
    if not colon:
        return kind, None
    if kind in ("count", "text") or not digits.isdecimal():
        raise ValueError(f"format {spec!r}: decimals are a whole number, for numbers only")
    return kind, int(digits)


def column(frame: pd.DataFrame, name: str, spec: Any = None) -> tuple[list[Cell], bool]:
    """The cells of a column and whether they are numbers (to be right aligned).

    All cells of a column share their decimals: those that the median interval asks for. A cell
    whose interval is narrower gets the digits it needs, so that no interval looks empty.
    """
    values: Sequence[Any] = frame[name].tolist()
    if isinstance(spec, Interval):
        lows, highs = frame[spec.low].tolist(), frame[spec.high].tolist()
        scale = KINDS[spec.kind].scale
        wanted = [
            decimals_for((high - low) / 2 * scale)
            for value, low, high in zip(values, lows, highs, strict=True)
            if not (_missing(value) or _missing(low) or _missing(high)) and low < high
            if not (spec.kind == "rate" and value in (0, 1))  # these show a bound instead
        ]
        shared = median_low(wanted) if wanted else None
        bounds = zip(values, lows, highs, strict=True)
        return [cell(spec.kind, v, lo, hi, decimals=shared) for v, lo, hi in bounds], True
    if callable(spec):
        return [Cell(str(spec(value))) for value in values], _numeric(frame[name])
    if spec is None:
        spec = _guess(frame[name])
    kind, digits = parse_format(spec)
    if kind == "text":
        return [Cell(_words(value)) for value in values], False
    if kind == "count":
        return [Cell(count(value)) for value in values], True
    if kind == "number":
        return [Cell(text) for text in _numbers(values, digits)], True
    return [cell_or_words(kind, value, digits) for value in values], True


def cell_or_words(kind: str, value: Any, decimals: int | None) -> Cell:
    """A number of this kind; words in a column of numbers stay words."""
    if isinstance(value, str):
        return Cell(value)
    return cell(kind, value, decimals=decimals)


def _numbers(values: Sequence[Any], decimals: int | None) -> list[str]:
    """A column of bare numbers with common decimals, so that the decimal points line up."""
    real = [
        abs(value)
        for value in values
        if not isinstance(value, str) and not _missing(value) and math.isfinite(value) and value
    ]
    if decimals is None:
        if all(float(value).is_integer() for value in real):
            decimals = 0
        elif real and max(real) >= 1e-5 and max(real) < 1e15:
            # three digits of the middle one, two of the smallest unless that takes many more
            middle, least = (math.floor(math.log10(value)) for value in (median(real), min(real)))
            decimals = max(0, 2 - middle, min(1 - least, 4 - middle))
            decimals = min(decimals, MOST_DECIMALS)
        else:
            return [_words(v) if isinstance(v, str) else number(v) for v in values]
    out = []
    for value in values:
        if isinstance(value, str):
            out.append(value)
        elif _missing(value) or not math.isfinite(value):
            out.append(number(value))
        elif value and abs(value) < 0.5 * 10.0**-decimals:
            out.append(number(value, 1))
        else:
            out.append(_fixed(value, decimals))
    return out


def _guess(series: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(series) or not _numeric(series):
        return "text"
    return "count" if pd.api.types.is_integer_dtype(series) else "number"


def _numeric(series: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(series)) and not bool(
        pd.api.types.is_bool_dtype(series)
    )


def _words(value: Any) -> str:
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_words(item) for item in value)
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return MISSING
    if isinstance(value, float):
        return number(value)
    return str(value)


def _missing(value: Any) -> bool:
    return value is None or bool(pd.isna(value))


def _fixed(value: float, decimals: int, *, signed: bool = False) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0:  # no negative zero, and no sign on a zero
        return text.lstrip("-")
    if text.startswith("-"):
        return MINUS + text[1:]
    return f"+{text}" if signed else text


def _bound(value: float, *, up: bool) -> str:
    """A one-sided bound in percent with two significant digits, rounded away from the estimate."""
    gap = value if up else 100 - value
    decimals = min(max(0, 1 - math.floor(math.log10(gap))), 12) if gap > 0 else 0
    factor = 10.0**decimals
    rounding: Callable[[float], int] = math.ceil if up else math.floor
    # the bound is only as exact as its own rounding error, which must not add a digit
    return f"{rounding(round(value * factor, 6)) / factor:.{decimals}f}"
