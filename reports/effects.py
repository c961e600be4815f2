"""A row of effects in words, as tables on the terminal and in reports show it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.comparison import group_words, is_share_unit
from analysis.measures import MEAN
from reports.format import MISSING, SPACE, Cell, cell, number


def figure_words(row: Mapping[str, Any]) -> str:
    """Return which figure it is: "win_rate, seat 1"."""
    group = group_words({"seat": None, "strategy": None, **row})
    return f"{row['metric']}, {group}" if group else str(row["metric"])


def effect_words(row: Mapping[str, Any]) -> Cell:
    """Return the effect and its interval: percentage points for shares, else the metric's unit."""
    ends = row["effect"], row["low"], row["high"]
    if row["statistic"] != MEAN and all(math.isinf(x) or float(x).is_integer() for x in ends):
        text, low, high = (_whole(x) for x in ends)  # quantiles of whole numbers
        return Cell(text, f"[{low},{SPACE}{high}]")
    kind = "points" if is_share_unit(row["unit"]) else "difference"
    return cell(kind, *ends)


def base_words(row: Mapping[str, Any]) -> str:
    """Return the figure without the change; "none" for a share of which nothing was seen."""
    value = row["base"]
    if _missing(value):
        return MISSING
    if is_share_unit(row["unit"]):
        return "none" if value == 0 else str(cell("rate", value))
    return str(cell("mean", value)) if row["statistic"] == MEAN else number(value)


def speed_words(value: float | None) -> str:
    """Return a speed-up, with one decimal where it is below 100."""
    if value is None or not math.isfinite(value):
        return number(math.nan if value is None else value)
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def margin_words(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the margins of some rows: "win_rate 0.01, rolls 1"; "" where there are none."""
    found = {row["metric"]: row["margin"] for row in rows if not _missing(row["margin"])}
    return ", ".join(f"{metric} {margin:g}" for metric, margin in found.items())


def lineup_words(seats: Sequence[str]) -> str:
    """Return who plays: "balanced everywhere", or one name a seat."""
    return f"{seats[0]} everywhere" if len(set(seats)) == 1 else ", ".join(seats)


def _whole(value: float) -> str:
    return ("+" if value > 0 else "") + number(value)


def _missing(value: float | None) -> bool:
    return value is None or math.isnan(value)
