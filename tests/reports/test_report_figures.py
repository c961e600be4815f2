from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.container import ErrorbarContainer

from reports import figures, style
from tests.reports import demo_report


@pytest.fixture(autouse=True)
def _style():
    with style.context():
        yield


def axes(size=style.FULL) -> Any:
    return style.new_figure(size).subplots()


def whiskers(ax) -> np.ndarray:
    """End points of all whiskers, shape (n, 2, 2)."""
    out = []
    for bars in ax.containers:
        if isinstance(bars, ErrorbarContainer):
            for lines in bars[2]:
                assert isinstance(lines, LineCollection)
                out += list(lines.get_segments())
    return np.array(out)


def words(ax: Any) -> list[str]:
    ax.figure.draw_without_rendering()
    return [
        text.get_text()
        for text in (*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels())
        if text.get_text()
    ]


def test_interval_dots_draw_the_intervals_and_the_reference():
    frame = demo_report.seats()
    ax: Any = figures.interval_dots(
        frame,
        axes(),
        label="seat",
        reference=0.25,
        reference_label="fair",
        xlabel="win rate",
        title="T",
    )
    ends = whiskers(ax)
    np.testing.assert_allclose(ends[:, 0, 0], frame["low"])
    np.testing.assert_allclose(ends[:, 1, 0], frame["high"])
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the first row is on top"
    assert {"seat 1", "fair"} <= set(words(ax))
    assert any(w.endswith("\u00a0%") for w in words(ax))
    assert ax.get_xlabel() == "win rate"
    assert ax.get_title(loc="left") == "T"
    assert any(line.get_xdata()[0] == 0.25 for line in ax.lines if len(line.get_xdata()))


def test_groups_do_not_hide_each_other():
    ax: Any = figures.interval_dots(
        demo_report.cave_ins(),
        axes(),
        label="strategy",
        by="dynamite",
        estimate="cards",
        kind="mean",
    )
    heights = whiskers(ax)[:, 0, 1]
    assert len(np.unique(np.round(heights, 6))) == 20
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0", "1", "2", "3+"]


def test_the_curve_has_a_band_from_low_to_high():
    frame = demo_report.thresholds()
    ax = figures.curve_with_band(
        frame, axes(), x="threshold", by="supply", best=7, best_label="best"
    )
    bands = [c for c in ax.collections if isinstance(c, PolyCollection)]
    assert len(bands) == 2
    first = frame[frame["supply"] == "12 dynamite"]
    heights = np.asarray(bands[0].get_paths()[0].vertices)[:, 1]
    assert heights.min() == pytest.approx(first["low"].min())
    assert heights.max() == pytest.approx(first["high"].max())
    assert "best" in words(ax)


def test_a_point_without_neighbours_has_an_error_bar():
    frame = pd.DataFrame(
        {
            "lead": [1, 2, 3, 2, 1, 2, 3],
            "quarter": ["a", "a", "a", "b", "c", "c", "c"],
            "rate": [0.3, 0.4, 0.5, 0.6, 0.7, np.nan, 0.8],
            "low": [0.2, 0.3, 0.4, 0.45, 0.6, np.nan, 0.7],
            "high": [0.4, 0.5, 0.6, 0.65, 0.8, np.nan, 0.9],
        }
    )
    for ax in (
        figures.win_probability_curves(frame, axes()),
        figures.curve_with_band(frame, axes(), x="lead", by="quarter"),
    ):
        ends = whiskers(ax)
        np.testing.assert_allclose(ends[:, 0], [(2, 0.45), (1, 0.6), (3, 0.7)])
        np.testing.assert_allclose(ends[:, 1], [(2, 0.65), (1, 0.8), (3, 0.9)])
        assert len(ax.get_legend().get_texts()) == 3


def test_distribution_as_bars_and_as_steps():
    few = figures.distribution(demo_report.rounds(), axes(), value="rounds")
    assert len(whiskers(few)) == 19
    many = figures.distribution(
        demo_report.lengths(),
        axes(),
        value="rolls",
        marks=pd.DataFrame(
            {"label": ["median"], "estimate": [43.0], "low": [42.8], "high": [43.2]}
        ),
    )
    assert not many.containers
    assert any(isinstance(c, PolyCollection) for c in many.collections)
    assert "median" in words(many)


def test_exact_bars_have_no_whiskers_and_look_different():
    frame = demo_report.chart()
    ax = figures.grouped_bars_with_intervals(frame, axes(), label="result")
    assert len(whiskers(ax)) == 10
    exact, simulated = (bars for bars in ax.containers if not isinstance(bars, ErrorbarContainer))
    assert exact[0].get_hatch()
    assert not simulated[0].get_hatch()


def test_win_probability_has_a_fixed_axis():
    ax = figures.win_probability_curves(demo_report.snowball(), axes(), reference=0.25)
    assert ax.get_ylim() == (0, 1.02)
    assert ax.get_xlabel()
    assert ax.get_ylabel()


def test_the_matrix_prints_values_and_half_widths_and_leaves_gaps():
    frame = demo_report.field().iloc[:-1]
    ax = figures.matrix(frame, axes(style.TALL), rows="strategy", columns="field")
    shown = [text.get_text() for text in ax.texts]
    assert shown.count("±0.3") == 48
    assert shown.count("25.0") == 6
    assert len(shown) == 2 * 48


def test_constant_matrix_and_negative_values():
    frame = pd.DataFrame(
        {"a": ["x", "y"], "b": ["u", "u"], "rate": [-0.1, -0.1], "low": np.nan, "high": np.nan}
    )
    ax = figures.matrix(frame, axes(), rows="a", columns="b", kind="points")
    assert [text.get_text() for text in ax.texts] == ["−10.0", "−10.0"]


def test_labels_beside_rows_never_overlap():
    labels = [f"a strategy with a long name, number {i}, and more words" for i in range(20)]
    frame = pd.DataFrame({"label": labels, "rate": 0.5, "low": 0.4, "high": 0.6})
    ax: Any = figures.interval_dots(frame, axes(style.FULL))
    ax.figure.draw_without_rendering()
    boxes = sorted((t.get_window_extent() for t in ax.get_yticklabels()), key=lambda b: b.y0)
    for below, above in pairwise(boxes):
        assert below.y1 <= above.y0 + 1


def test_levels_of_a_categorical_keep_their_order():
    frame = pd.DataFrame(
        {
            "label": pd.Categorical(["b", "a"], categories=["a", "b", "unused"]),
            "rate": [0.1, 0.2],
            "low": [0.0, 0.1],
            "high": [0.2, 0.3],
        }
    )
    ax = figures.interval_dots(frame, axes())
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
