"""Points with intervals both ways: one estimate of a thing against another one.

As in `reports.figures`: a tidy frame and an `Axes` in, the `Axes` out; no statistics in here.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports import style
from reports.figures import _unit

_APART = 0.045  # between two names, as a share of the height


def scatter(
    frame: pd.DataFrame,
    ax: Axes,
    *,
    x: str,
    y: str,
    label: str,
    marked: str,
    kind: str = "points",
    xlabel: str = "",
    ylabel: str = "",
    diagonal_label: str = "",
) -> Axes:
    """Two estimates of each thing, with the line on which they agree.

    frame: one row per thing: x and y with their bounds (x_low, x_high, ...), label; marked: true
    for those that stand out, which are drawn dark and named. Rows without an estimate are left out.
    """
    rows = frame[frame[x].notna() & frame[y].notna()]
    for chosen, look, colour in ((False, style.MARKERS[0], style.SERIES[2]), (True, "s", None)):
        part = rows[rows[marked].astype(bool) == chosen]
        ax.errorbar(
            part[x].to_numpy(float),
            part[y].to_numpy(float),
            xerr=_arms(part, x),
            yerr=_arms(part, y),
            fmt=look,
            color=colour or style.SERIES[1],
            markersize=3.2,
            elinewidth=0.9 if chosen else 0.4,
            alpha=0.9 if chosen else 0.5,
            zorder=3 if chosen else 2,
        )
    ends = [float(f(rows[key])) for f in (np.min, np.max) for key in (x, y)] if len(rows) else [0.0]
    line = np.array([min(ends), max(ends)])
    ax.plot(line, line, color=style.INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    ax.axhline(0, color=style.FAINT, linewidth=0.8, zorder=0)
    ax.axvline(0, color=style.FAINT, linewidth=0.8, zorder=0)
    if diagonal_label:
        ax.annotate(
            diagonal_label,
            (line[1], line[1]),
            textcoords="offset points",
            xytext=(3, 2),
            fontsize=7,
            color=style.MUTED,
        )
    _names(rows[rows[marked].astype(bool)], ax, x, y, label)
    _unit(ax.xaxis, kind)
    _unit(ax.yaxis, kind)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.grid(visible=True)
    return ax


def _arms(rows: pd.DataFrame, key: str) -> np.ndarray:
    values = rows[key].to_numpy(float)
    low = rows[f"{key}_low"].fillna(rows[key]).to_numpy(float)
    high = rows[f"{key}_high"].fillna(rows[key]).to_numpy(float)
    return np.clip(np.vstack([values - low, high - values]), 0, None)


def _names(rows: pd.DataFrame, ax: Axes, x: str, y: str, label: str) -> None:
    """Names right of their points, from the top down, each far enough below the one before."""
    low, high = ax.get_ylim()
    apart = (high - low) * _APART
    last = np.inf
    for row in rows.sort_values(y, ascending=False).to_dict("records"):
        place = min(row[y], last - apart)
        last = place
        ax.annotate(
            str(row[label]),
            (row[x], row[y]),
            xytext=(row[x] + 0.012 * np.ptp(ax.get_xlim()), place),
            fontsize=6.5,
            color=style.INK,
            va="center",
            zorder=4,
        )
