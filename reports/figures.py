"""One function per figure: a tidy frame and an `Axes` in, the `Axes` out.

No statistics in here and nothing is saved; estimates come with their bounds, and the bounds are
always drawn. A missing bound (NaN) means that the value is exact. `title` is for use outside a
report; inside, `reports.document.Figure` carries the finding and the title stays out.

`kind` is one of `reports.format.KINDS`: "rate" and "points" take shares and label the axis in
percent and percentage points, "mean" and "difference" take the values as they are.
"""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import QuadMesh
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import style
from reports.format import KINDS, MINUS, decimals_for


def interval_dots(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    label: str = "label",
    estimate: str = "rate",
    low: str = "low",
    high: str = "high",
    by: str | None = None,
    by_label: str = "",
    kind: str = "rate",
    reference: float | None = None,
    reference_label: str = "",
    xlabel: str = "",
    title: str = "",
) -> Axes:
    """Estimates with intervals, one line per category, first row on top.

    frame: one row per category (and per `by`): label, estimate, low, high.
    reference: a value that matters, such as 1/n for a fair seat; drawn as a dashed line.
    """
    labels = _levels(frame, label)
    groups = _levels(frame, by) if by else [None]
    spread = 0.0 if len(groups) == 1 else 0.56
    if by is not None:
        for place in range(0, len(labels), 2):  # stripes hold the lines of a category together
            ax.axhspan(place - 0.5, place + 0.5, color=style.STRIPE, linewidth=0, zorder=0)
    for index, group in enumerate(groups):
        rows = frame if by is None else frame[frame[by] == group]
        offset = 0.0 if len(groups) == 1 else (index / (len(groups) - 1) - 0.5) * spread
        places = np.array([labels.index(value) for value in rows[label]]) + offset
        _dots(rows, ax, places, estimate, low, high, index, None if by is None else str(group))
    if reference is not None:
        _reference(ax, reference, reference_label, vertical=True)
    ax.set_yticks(range(len(labels)), _side_labels(ax, labels))
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    ax.margins(x=0.08)
    _unit(ax.xaxis, kind)
    ax.set_xlabel(xlabel)
    if by is not None:
        _legend(ax, by_label)
    return _finish(ax, title)


def curve_with_band(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    x: str,
    estimate: str = "rate",
    low: str = "low",
    high: str = "high",
    by: str | None = None,
    by_label: str = "",
    kind: str = "rate",
    best: float | None = None,
    best_label: str = "",
    reference: float | None = None,
    reference_label: str = "",
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """A curve over a number, with its interval as a band; a lone point has an error bar instead.

    frame: one row per x (and per `by`): x, estimate, low, high.
    best: the x to point at, such as the threshold that wins most.
    """
    groups = _levels(frame, by) if by else [None]
    for index, group in enumerate(groups):
        rows = (frame if by is None else frame[frame[by] == group]).sort_values(x)
        look = style.series(index)
        at, values = rows[x].to_numpy(float), rows[estimate].to_numpy(float)
        lows = rows[low].fillna(rows[estimate]).to_numpy(float)
        highs = rows[high].fillna(rows[estimate]).to_numpy(float)
        ax.fill_between(at, lows, highs, color=look["color"], alpha=0.18, linewidth=0)
        lone = _lone(values)
        if lone.any():  # a band from a point to itself has no area
            ax.errorbar(
                at[lone],
                values[lone],
                yerr=_arms(values, lows, highs)[:, lone],
                fmt="none",
                ecolor=look["color"],
                elinewidth=1.4,
                capsize=2.5,
                capthick=1.0,
            )
        few = len(rows) <= 30
        ax.plot(
            at,
            values,
            color=look["color"],
            linestyle=look["linestyle"] if len(groups) > 1 else "-",
            marker=look["marker"] if few else "",
            label=None if by is None else str(group),
        )
    if reference is not None:
        _reference(ax, reference, reference_label, vertical=False)
    if best is not None:
        ax.axvline(best, color=style.INK, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
        if best_label:
            _note(ax, best, best_label)
    _whole_numbers(ax, frame[x])
    ax.grid(axis="y")
    _unit(ax.yaxis, kind)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if by is not None:
        _legend(ax, by_label)
    return _finish(ax, title)


def distribution(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    value: str = "value",
    share: str = "share",
    low: str = "low",
    high: str = "high",
    marks: pd.DataFrame | None = None,
    xlabel: str = "",
    ylabel: str = "share of games",
    title: str = "",
) -> Axes:
    """Shares by value as bars with whiskers, or as steps with a band where bars would be slivers.

    frame: one row per value or bin: value (the bin's centre), share, low, high; evenly spaced.
    marks: quantiles and the like to point at: label, estimate, and optionally low, high.
    """
    rows = frame.sort_values(value)
    at = rows[value].to_numpy(float)
    shares = rows[share].to_numpy(float)
    lows = rows[low].fillna(rows[share]).to_numpy(float)
    highs = rows[high].fillna(rows[share]).to_numpy(float)
    width = float(np.min(np.diff(at))) if len(at) > 1 else 1.0
    if len(at) <= 40:
        ax.bar(at, shares, width=0.84 * width, color=style.SERIES[2], linewidth=0)
        ax.errorbar(at, shares, yerr=_arms(shares, lows, highs), fmt="none", **_WHISKER)
    else:
        edges = np.append(at - width / 2, at[-1] + width / 2)
        ax.stairs(shares, edges, fill=True, color=style.SERIES[2], alpha=0.55, linewidth=0)
        steps = np.repeat(edges, 2)[1:-1]
        ax.fill_between(
            steps,
            np.repeat(lows, 2),
            np.repeat(highs, 2),
            color=style.SERIES[0],
            alpha=0.45,
            linewidth=0,
        )
        ax.stairs(shares, edges, color=style.SERIES[0], linewidth=0.8, baseline=None)
    ax.set_ylim(0, float(np.nanmax(highs)) * (1.06 if marks is None else 1.2))
    if marks is not None:
        for mark in marks.to_dict("records"):
            spot = float(mark["estimate"])
            if "low" in mark and not pd.isna(mark["low"]):
                ax.axvspan(mark["low"], mark["high"], color=style.INK, alpha=0.15, linewidth=0)
            ax.axvline(spot, ymax=0.93, color=style.INK, linewidth=0.8, linestyle=(0, (1, 2)))
            _note(ax, spot, str(mark["label"]))
    if len(at) < 5:  # a few bars are bars, too, and not a wall
        ax.set_xlim(at.mean() - 3 * width, at.mean() + 3 * width)
    _whole_numbers(ax, rows[value])
    ax.grid(axis="y")
    _unit(ax.yaxis, "rate")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    return _finish(ax, title)


def grouped_bars_with_intervals(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    label: str = "label",
    by: str = "source",
    by_label: str = "",
    estimate: str = "rate",
    low: str = "low",
    high: str = "high",
    kind: str = "rate",
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """Bars side by side, one group per label, one bar per `by`; the exact beside the simulated.

    Bars of a series without intervals (exact values) are hatched outlines, so that an absent
    whisker is never taken for a narrow one.
    """
    labels = _levels(frame, label)
    groups = _levels(frame, by)
    width = 0.8 / len(groups)
    for index, group in enumerate(groups):
        rows = frame[frame[by] == group]
        places = (
            np.array([labels.index(v) for v in rows[label]])
            + (index - (len(groups) - 1) / 2) * width
        )
        values = rows[estimate].to_numpy(float)
        exact = bool(rows[[low, high]].isna().all(axis=None))
        look: dict[str, Any] = {"color": style.SERIES[(index + 1) % 4], "linewidth": 0}
        if exact:
            look = {
                "facecolor": "white",
                "edgecolor": style.ACCENT,
                "linewidth": 0.8,
                "hatch": "/" * 5,
            }
        ax.bar(places, values, width=0.9 * width, label=str(group), **look)
        if not exact:
            arms = _arms(
                values,
                rows[low].fillna(rows[estimate]).to_numpy(float),
                rows[high].fillna(rows[estimate]).to_numpy(float),
            )
            ax.errorbar(places, values, yerr=arms, fmt="none", **_WHISKER)
    ax.set_xticks(range(len(labels)), [_wrap(value, 14) for value in labels])
    ax.tick_params(axis="x", length=0)
    ax.set_xlim(-0.6, len(labels) - 0.4)
    ax.axhline(0, color=style.MUTED, linewidth=0.6)
    ax.grid(axis="y")
    _unit(ax.yaxis, kind)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    _legend(ax, by_label)
    return _finish(ax, title)


def win_probability_curves(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    x: str = "lead",
    by: str = "quarter",
    by_label: str = "",
    estimate: str = "rate",
    low: str = "low",
    high: str = "high",
    reference: float | None = None,
    reference_label: str = "",
    xlabel: str = "lead over the runner-up",
    ylabel: str = "win probability of the leader",
    title: str = "",
) -> Axes:
    """Win probability over the lead, one curve per stage of the game, on an axis from 0 to 100 %.

    frame: one row per stage and lead: by, x, estimate, low, high.
    """
    curve_with_band(
        frame,
        ax,
        x=x,
        by=by,
        by_label=by_label,
        estimate=estimate,
        low=low,
        high=high,
        reference=reference,
        reference_label=reference_label,
        xlabel=xlabel,
        ylabel=ylabel,
    )
    ax.set_ylim(0, 1.02)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    return _finish(ax, title)


def matrix(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    rows: str,
    columns: str,
    value: str = "rate",
    low: str = "low",
    high: str = "high",
    kind: str = "rate",
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
) -> Axes:
    """A table of shades: the value in each cell and half its interval's width below it.

    frame: one row per cell: rows, columns, value, low, high. Absent cells stay blank.
    """
    down, across = _levels(frame, rows), _levels(frame, columns)
    shape = (len(down), len(across))
    values, halves = np.full(shape, np.nan), np.full(shape, np.nan)
    for record in frame.to_dict("records"):
        spot = down.index(record[rows]), across.index(record[columns])
        values[spot] = record[value]
        halves[spot] = (record[high] - record[low]) / 2
    spec = KINDS[kind]
    mesh: QuadMesh = ax.pcolormesh(
        np.ma.masked_invalid(values), cmap=style.SHADES, edgecolors="white", linewidth=1.5
    )
    if np.isfinite(values).any() and np.nanmin(values) == np.nanmax(values):
        mesh.set_clim(np.nanmin(values) - 0.5, np.nanmax(values) + 0.5)
    finite = halves[np.isfinite(halves) & (halves > 0)]
    places = decimals_for(float(np.median(finite)) * spec.scale) if len(finite) else spec.decimals
    for (i, j), number in np.ndenumerate(values):
        if not np.isfinite(number):
            continue
        background = mesh.cmap(mesh.norm(number))
        words = _signed(number * spec.scale, places, signed=spec.signed)
        has_half = bool(np.isfinite(halves[i, j]))
        ax.text(
            j + 0.5,
            i + (0.42 if has_half else 0.5),
            words,
            ha="center",
            va="center",
            color=style.text_on(background),
            fontsize=8,
        )
        if has_half:
            ax.text(
                j + 0.5,
                i + 0.74,
                f"±{halves[i, j] * spec.scale:.{places}f}",
                ha="center",
                va="center",
                color=style.text_on(background),
                fontsize=6,
            )
    widest = 1 + max(len(str(name)) for name in across) if across else 1
    turned = widest * len(across) > 88
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    ax.set_xticks(np.arange(len(across)) + 0.5, [str(name) for name in across])
    if turned:
        for text in ax.get_xticklabels():
            text.set(rotation=40, ha="left", rotation_mode="anchor")
    ax.set_yticks(np.arange(len(down)) + 0.5, _side_labels(ax, down))
    ax.set_ylim(len(down), 0)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_xlabel(xlabel, labelpad=7)
    ax.set_ylabel(ylabel, labelpad=7)
    return _finish(ax, title)


def share_bars(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    label: str = "label",
    outcome: str = "outcome",
    outcomes: Sequence[str],
    share: str = "estimate",
    low: str = "low",
    high: str = "high",
    bounds: Mapping[str, tuple[float, float]] | None = None,
    xlabel: str = "",
    title: str = "",
) -> Axes:
    """One bar a label, made of the shares of its outcomes, which are 1 together; first on top.

    frame: one row per label and outcome: label, outcome, share, low, high. outcomes: two to five,
    in the order of the pieces. The interval of the first outcome's share stands at the end of its
    piece, that of the last at the beginning of its own, read from the right. bounds: label -> a
    range that is drawn below the bar as a thin line.
    """
    labels = list(dict.fromkeys(frame[label]))
    shades = (style.SERIES[0], *_BETWEEN[len(outcomes) - 2], style.SERIES[1])
    left = np.zeros(len(labels))
    for place, name in enumerate(outcomes):
        rows = frame[frame[outcome] == name].set_index(label).loc[labels]
        shares = rows[share].to_numpy(float)
        ax.barh(
            range(len(labels)),
            shares,
            left=left,
            height=0.5,
            color=shades[place],
            edgecolor="white",
            linewidth=0.5,
            hatch="/" * 4 if place == len(outcomes) - 1 else "",
            label=name,
        )
        lows, highs = rows[low].to_numpy(float), rows[high].to_numpy(float)
        if place in (0, len(outcomes) - 1):
            at, ends = (
                (shares, (lows, highs)) if place == 0 else (1 - shares, (1 - highs, 1 - lows))
            )
            offset = -0.09 if place == 0 else 0.09
            for casing, width in (("white", 2.8), (style.INK, 1.0)):  # readable on any shade
                ax.errorbar(
                    at,
                    np.arange(len(labels)) + offset,
                    xerr=np.clip(np.vstack([at - ends[0], ends[1] - at]), 0, None),
                    fmt="none",
                    ecolor=casing,
                    elinewidth=width,
                    capsize=2.0,
                    capthick=width,
                )
        left = left + shares
    for place, name in enumerate(labels):
        if bounds is not None and name in bounds:
            first, last = bounds[name]
            y = place + 0.36
            ax.plot([first, last], [y, y], color=style.MUTED, linewidth=1.6, solid_capstyle="butt")
    ax.set_yticks(range(len(labels)), _side_labels(ax, labels))
    ax.set_ylim(len(labels) - 0.4, -0.5)
    ax.set_xlim(0, 1)
    _unit(ax.xaxis, "rate")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    ax.set_xlabel(xlabel)
    _legend(ax)
    return _finish(ax, title)


# shades of the pieces between the first and the last of a bar, by how many there are
_BETWEEN = ((), (style.FAINT,), ("#9cc0dc", style.FAINT), ("#9cc0dc", style.FAINT, "#e9c3ad"))

_WHISKER: dict[str, Any] = {
    "ecolor": style.INK,
    "elinewidth": 0.9,
    "capsize": 2.0,
    "capthick": 0.9,
}


def _levels(frame: pd.DataFrame, column: str) -> list[Hashable]:
    """Distinct values in order of appearance, or in the order of a categorical column."""
    if isinstance(frame[column].dtype, pd.CategoricalDtype):
        present = set(frame[column])
        return [level for level in frame[column].cat.categories if level in present]
    return list(dict.fromkeys(frame[column]))


def _dots(
    rows: pd.DataFrame,
    ax: Axes,
    places: np.ndarray,
    estimate: str,
    low: str,
    high: str,
    index: int,
    name: str | None,
) -> None:
    look = style.series(index)
    values = rows[estimate].to_numpy(float)
    lows = rows[low].fillna(rows[estimate]).to_numpy(float)
    highs = rows[high].fillna(rows[estimate]).to_numpy(float)
    ax.errorbar(
        values,
        places,
        xerr=_arms(values, lows, highs),
        fmt=look["marker"],
        color=look["color"],
        elinewidth=1.4,
        capsize=2.5,
        capthick=1.0,
    )
    if name is not None:  # a line of its own for the legend, where whiskers would be clutter
        ax.plot([], [], look["marker"], color=look["color"], label=name)


def _lone(values: np.ndarray) -> np.ndarray:
    """Which points of a curve have no neighbour to draw a line or a band to, shape (n,)."""
    known = np.pad(np.isfinite(values), 1)
    return known[1:-1] & ~known[:-2] & ~known[2:]


def _arms(values: np.ndarray, lows: np.ndarray, highs: np.ndarray) -> np.ndarray:
    """Lengths of the whiskers, shape (2, n); bounds on the wrong side of an estimate are cut."""
    return np.clip(np.vstack([values - lows, highs - values]), 0, None)


def _reference(ax: Axes, at: float, words: str, *, vertical: bool) -> None:
    look: dict[str, Any] = {
        "color": style.MUTED,
        "linewidth": 0.9,
        "linestyle": (0, (4, 2)),
        "zorder": 1,
    }
    if vertical:
        ax.axvline(at, **look)
        if words:
            _note(ax, at, words, colour=style.MUTED)
        return
    ax.axhline(at, **look)
    if words:
        ax.annotate(
            words,
            (1.0, at),
            xycoords=("axes fraction", "data"),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=7,
            color=style.MUTED,
        )


def _note(ax: Axes, x: float, words: str, *, colour: str = style.INK) -> None:
    """Words above the plot, centred on x."""
    ax.annotate(
        words,
        (x, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(0, 1),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=7,
        color=colour,
    )


def _legend(ax: Axes, title: str = "") -> None:
    """Above the plot, so that it never hides data."""
    handles, names = ax.get_legend_handles_labels()
    most = max((len(name) for name in names), default=1)
    figure = ax.get_figure(root=True)
    assert figure is not None
    width = figure.get_size_inches()[0]
    fit = max(1, int(width * 72 / (4.6 * most + 36)))
    columns = min(fit, len(names))
    # matplotlib fills column by column; people read lines
    order = [place for column in range(columns) for place in range(column, len(names), columns)]
    has_notes = any(text.xyann[1] == 1 for text in ax.texts if hasattr(text, "xyann"))
    ax.legend(
        [handles[place] for place in order],
        [names[place] for place in order],
        loc="lower left",
        bbox_to_anchor=(0, 1.07 if has_notes else 1.01),
        ncols=columns,
        title=title or None,
        alignment="left",
    )


def _unit(axis: Axis, kind: str) -> None:
    """Tick labels in the unit of `kind`; ticks fall on round numbers of that unit."""
    spec = KINDS[kind]
    if spec.scale == 1.0 and not spec.signed:
        return
    axis.set_major_formatter(FuncFormatter(lambda v, _: _tick(v, spec.scale, kind, spec.signed)))


def _tick(value: float, scale: float, kind: str, signed: bool) -> str:
    scaled = round(value * scale, 9)
    text = f"{scaled:g}".replace("-", MINUS)
    if signed and scaled > 0:
        text = f"+{text}"
    return f"{text}\u00a0%" if kind == "rate" else text


def _signed(value: float, places: int, *, signed: bool) -> str:
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    if float(text) == 0:
        return text.lstrip("+-")
    return text.replace("-", MINUS)


def _whole_numbers(ax: Axes, values: pd.Series) -> None:
    """Whole x values get ticks on whole numbers only."""
    if len(values) and np.all(np.mod(values.to_numpy(float), 1) == 0):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _wrap(value: Any, width: int = 22) -> str:
    return "\n".join(textwrap.wrap(str(value), width)) or str(value)


def _side_labels(ax: Axes, names: Sequence[Any]) -> list[str]:
    """Names beside rows, in as many lines as a row has room for; what does not fit is cut."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    inches = float(figure.get_size_inches()[1]) * ax.get_position(original=True).height
    most = max(1, int(inches * 72 / max(1, len(names)) / 10.5))
    for width in (22, 30, 42):
        lines = [_wrap(name, width) for name in names]
        if all(text.count("\n") < most for text in lines):
            return lines
    return [
        _wrap(textwrap.shorten(str(name), 42 * most - 8, placeholder=" …"), 42) for name in names
    ]


def _finish(ax: Axes, title: str) -> Axes:
    if title:
        ax.set_title(title, loc="left")
    return ax


__all__: Sequence[str] = [
    "curve_with_band",
    "distribution",
    "grouped_bars_with_intervals",
    "interval_dots",
    "matrix",
    "share_bars",
    "win_probability_curves",
]
