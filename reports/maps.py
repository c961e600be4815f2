"""Maps of two factors of a sweep: one figure over a grid or over scattered cells.

As in `reports.figures`: a tidy frame and an `Axes` in, the `Axes` out, no statistics in here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from reports import style
from reports.figures import _finish, _legend, _signed, _tick
from reports.format import KINDS, decimals_for

MOST_NUMBERS = 11  # columns or rows beyond which numbers would not fit into the cells
_LINES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1.2, 1.2)))


def heat_map(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    x: str,
    y: str,
    value: str = "estimate",
    low: str | None = "low",
    high: str | None = "high",
    kind: str = "mean",
    contours: Mapping[float, str] | None = None,
    marks: Mapping[str, tuple[Any, Any]] | None = None,
    limits: tuple[float, float] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """A grid of two factors as shades; the value in each cell, half its interval's width below.

    frame: one row per cell: x, y, value, low, high. Numbers rise to the right and upwards; cells
    are of equal size whatever the steps. contours: value -> words; lines where the figure, linear
    between the cells' centres, has this value. marks: words -> (x, y) of cells to point at.
    limits: of the shades; by default the smallest and largest value.
    """
    across, up = _sorted(frame[x]), _sorted(frame[y])
    shape = (len(up), len(across))
    values, halves = np.full(shape, np.nan), np.full(shape, np.nan)
    for record in frame.to_dict("records"):
        spot = up.index(record[y]), across.index(record[x])
        values[spot] = record[value]
        if low is not None and high is not None:
            halves[spot] = (record[high] - record[low]) / 2
    norm = _norm(values, limits)
    ax.pcolormesh(
        np.ma.masked_invalid(values), cmap=style.SHADES, norm=norm, edgecolors="white",
        linewidth=1.2,
    )  # fmt: skip
    if max(shape) <= MOST_NUMBERS:
        _numbers(ax, values, halves, kind, norm)
    else:
        _colour_bar(ax, norm, kind)
    _contours(ax, values, contours or {})
    _marks(ax, marks or {}, across, up)
    ax.set_xticks(np.arange(len(across)) + 0.5, [_name(one) for one in across])
    ax.set_yticks(np.arange(len(up)) + 0.5, [_name(one) for one in up])
    ax.set_xlim(0, len(across))
    ax.set_ylim(0, len(up))
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlabel(xlabel or x)
    ax.set_ylabel(ylabel or y)
    if contours or marks:
        _legend(ax)
    return _finish(ax, title)


def scatter_map(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    x: str,
    y: str,
    value: str = "estimate",
    kind: str = "mean",
    contours: Mapping[float, str] | None = None,
    marks: Mapping[str, tuple[Any, Any]] | None = None,
    limits: tuple[float, float] | None = None,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """Cells of a random design over two numbers, shaded by a figure, with a colour bar.

    frame: one row per cell: x, y, value. The other arguments are those of `heat_map`; contours are
    linear within the triangles between cells.
    """
    rows = frame[frame[value].notna()]
    at = rows[x].to_numpy(float), rows[y].to_numpy(float)
    values = rows[value].to_numpy(float)
    norm = _norm(values, limits)
    ax.scatter(
        *at, c=values, cmap=style.SHADES, norm=norm, s=46, edgecolors=style.INK, linewidths=0.5,
        zorder=3,
    )  # fmt: skip
    drawn = [level for level in sorted(contours or {}) if _crosses(values, level)]
    if drawn and _is_spread(*at):
        ax.tricontour(
            *at, values, levels=drawn, colors=style.ACCENT, linewidths=1.2,
            linestyles=[_LINES[place % 3] for place in range(len(drawn))],
        )  # fmt: skip
        _contour_keys(ax, drawn, contours or {})
    for place, (words, (a, b)) in enumerate((marks or {}).items()):
        ax.plot([a], [b], label=words, **_mark(place))
    _colour_bar(ax, norm, kind)
    ax.margins(0.06)
    ax.grid(True)
    ax.set_xlabel(xlabel or x)
    ax.set_ylabel(ylabel or y)
    if drawn or marks:
        _legend(ax)
    return _finish(ax, title)


_MARKS = (("D", 6.5), ("*", 12.0), ("s", 6.5))


def _mark(place: int) -> dict[str, Any]:
    """Look of the place-th mark."""
    marker, size = _MARKS[place % len(_MARKS)]
    return {
        "marker": marker,
        "markersize": size,
        "color": style.SERIES[1],
        "markeredgecolor": "white",
        "markeredgewidth": 0.8,
        "linestyle": "none",
        "zorder": 5,
    }


def _sorted(column: pd.Series) -> list[Any]:
    """Distinct values: numbers in order, words as they appear."""
    found = list(dict.fromkeys(column))
    if all(isinstance(one, int | float | np.number) and not isinstance(one, bool) for one in found):
        return sorted(found)
    return found


def _name(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, int | float | np.number) else str(value)


def _norm(values: np.ndarray, limits: tuple[float, float] | None) -> Normalize:
    finite = values[np.isfinite(values)]
    first, last = limits or (
        (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    )
    if first == last:
        first, last = first - 0.5, last + 0.5
    return Normalize(first, last)


def _numbers(ax: Axes, values: np.ndarray, halves: np.ndarray, kind: str, norm: Normalize) -> None:
    spec = KINDS[kind]
    finite = halves[np.isfinite(halves) & (halves > 0)]
    places = decimals_for(float(np.median(finite)) * spec.scale) if len(finite) else spec.decimals
    if kind == "rate" and not len(finite):
        places = 0
    for (i, j), number in np.ndenumerate(values):
        if not math.isfinite(number):
            continue
        background = style.SHADES(norm(number))
        has_half = bool(np.isfinite(halves[i, j]))
        # the plate behind the words keeps contour lines off them
        plate = {"facecolor": background, "edgecolor": "none", "pad": 0.6}
        ax.text(
            j + 0.5,
            i + (0.58 if has_half else 0.5),
            _signed(number * spec.scale, places, signed=spec.signed),
            ha="center",
            va="center",
            color=style.text_on(background),
            fontsize=7.5,
            bbox=plate,
            zorder=4,
        )
        if has_half:
            ax.text(
                j + 0.5,
                i + 0.26,
                f"±{halves[i, j] * spec.scale:.{places}f}",
                ha="center",
                va="center",
                color=style.text_on(background),
                fontsize=5.5,
                bbox=plate,
                zorder=4,
            )


def _colour_bar(ax: Axes, norm: Normalize, kind: str) -> None:
    figure = ax.get_figure(root=True)
    assert figure is not None
    bar = figure.colorbar(ScalarMappable(norm, style.SHADES), ax=ax, pad=0.02, aspect=30)
    spec = KINDS[kind]
    bar.ax.yaxis.set_major_formatter(lambda value, _: _tick(value, spec.scale, kind, spec.signed))
    bar.outline.set_visible(False)


def _crosses(values: np.ndarray, level: float) -> bool:
    finite = values[np.isfinite(values)]
    return bool(len(finite)) and float(finite.min()) < level < float(finite.max())


def _is_spread(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether points span a plane, so that triangles can be laid between them."""
    points = np.column_stack([x - x.mean(), y - y.mean()])
    return len(points) >= 4 and int(np.linalg.matrix_rank(points)) == 2


def _contours(ax: Axes, values: np.ndarray, contours: Mapping[float, str]) -> None:
    drawn = [level for level in sorted(contours) if _crosses(values, level)]
    if min(values.shape) < 2 or not drawn:
        return
    ax.contour(
        np.arange(values.shape[1]) + 0.5,
        np.arange(values.shape[0]) + 0.5,
        np.ma.masked_invalid(values),
        levels=drawn,
        colors=style.ACCENT,
        linewidths=1.3,
        linestyles=[_LINES[place % 3] for place in range(len(drawn))],
        zorder=3,
    )
    _contour_keys(ax, drawn, contours)


def _contour_keys(ax: Axes, drawn: Sequence[float], contours: Mapping[float, str]) -> None:
    for place, level in enumerate(drawn):
        ax.plot(
            [], [], color=style.ACCENT, linewidth=1.3, linestyle=_LINES[place % 3], marker="",
            label=contours[level],
        )  # fmt: skip


def _marks(
    ax: Axes, marks: Mapping[str, tuple[Any, Any]], across: Sequence[Any], up: Sequence[Any]
) -> None:
    """Marks in the upper left corner of cells, side by side where they share one."""
    there: dict[tuple[int, int], int] = {}
    for place, (words, (a, b)) in enumerate(marks.items()):
        if a not in across or b not in up:
            continue
        spot = across.index(a), up.index(b)
        beside = there.get(spot, 0)
        there[spot] = beside + 1
        ax.plot(
            [spot[0] + 0.12 + 0.16 * beside],
            [spot[1] + 0.84],
            label=words,
            **_mark(place),
        )
