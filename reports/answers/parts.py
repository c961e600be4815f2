"""What the sections of all questions are made with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from analysis import words
from analysis.intervals import BY_DEALS
from reports import style
from sim.wording import counted


def picture(
    plot: Callable[..., Axes],
    frame: pd.DataFrame,
    size: tuple[float, float] = style.FULL,
    finish: Callable[[Axes], None] | None = None,
    **options: Any,
) -> Callable[[], Canvas]:
    """A figure of one plot, to be drawn later. finish: what remains to be done to its axes."""

    def draw() -> Canvas:
        figure = style.new_figure(size)
        axes = plot(frame, figure.subplots(), **options)
        if finish is not None:
            finish(axes)
        return figure

    return draw


def wide(
    frame: pd.DataFrame, rows: Sequence[str], across: str, keep: Sequence[str] = ()
) -> pd.DataFrame:
    """A long frame with one row per group: NAME, NAME_low, NAME_high for each value of `across`.

    rows: the columns that make a group; missing values are a group as well. keep: columns that are
    the same in all rows of a group. Groups stay in the order of the frame.
    """
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in frame.to_dict("records"):
        key = tuple(None if pd.isna(record[name]) else record[name] for name in rows)
        row = found.setdefault(key, dict(zip(rows, key, strict=True)))
        row |= {name: record[name] for name in keep}
        name = str(record[across])
        row |= {
            name: record["estimate"],
            f"{name}_low": record["low"],
            f"{name}_high": record["high"],
        }
    columns = [*rows, *keep]
    for name in dict.fromkeys(map(str, frame[across])):
        columns += [name, f"{name}_low", f"{name}_high"]
    return pd.DataFrame(list(found.values()), columns=columns)


def n_of(found: pd.DataFrame, noun: str, plural: str = "") -> str:
    """The n of some rows: "n = 600 blocks", or from the least to the most of them.

    Rows bounded by the number of deals (`intervals.none_or_all`) are told apart from the others.
    """
    if found.empty:
        return f"n = {counted(0, noun, plural)}"
    if "method" in found:
        deals = found["method"].str.contains(BY_DEALS, regex=False)
        if deals.any() and not deals.all():
            return (
                f"{n_of(found[~deals], noun, plural)} ({_range(found[deals], 'deal')} for 0 or all)"
            )
        if deals.all():
            return f"n = {_range(found, 'deal')}"
    return f"n = {_range(found, noun, plural)}"


def _range(found: pd.DataFrame, noun: str, plural: str = "") -> str:
    least, most = found["n"].min(), found["n"].max()
    start = "" if least == most else f"{words.count(least)} to "
    return f"{start}{counted(most, noun, plural)}"


def percent(level: float) -> str:
    """A confidence level in words: "95 %"."""
    return f"{level * 100:g}\u00a0%"


def only(frame: pd.DataFrame, **keys: Any) -> pd.DataFrame:
    """The rows with these values; None asks for a missing one."""
    return frame[mask(frame, keys)]


def mask(frame: pd.DataFrame, keys: Mapping[str, Any]) -> pd.Series:
    """Which rows have these values; None asks for a missing one."""
    found = pd.Series(True, index=frame.index)
    for key, value in keys.items():
        found &= frame[key].isna() if value is None else (frame[key] == value).fillna(False)
    return found
