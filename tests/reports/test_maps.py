"""Maps: what is drawn where."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.contour import ContourSet

from reports import maps, style


@pytest.fixture(autouse=True)
def _style():
    with style.context():
        yield


def axes() -> Any:
    return style.new_figure(style.TALL).subplots()


def heat_map(*frame, **options) -> Any:
    return maps.heat_map(*frame, **options)


def scatter_map(*frame, **options) -> Any:
    return maps.scatter_map(*frame, **options)


def grid(across=(0, 4, 16), up=(1, 2, 3)) -> pd.DataFrame:
    rows = []
    for x, y in itertools.product(across, up):
        value = 30 + across.index(x) + 10 * up.index(y)
        rows.append({"x": x, "y": y, "estimate": value, "low": value - 0.4, "high": value + 0.4})
    return pd.DataFrame(rows).sample(frac=1, random_state=1)


def words(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def keys(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_every_cell_has_its_number_and_half_its_interval() -> None:
    ax = heat_map(grid(), axes(), x="x", y="y", xlabel="supply")
    (mesh,) = [one for one in ax.collections if isinstance(one, QuadMesh)]
    assert mesh.get_array().reshape(3, 3).tolist() == [[30, 31, 32], [40, 41, 42], [50, 51, 52]]
    for text in ax.texts:
        column, row = int(text.get_position()[0]), int(text.get_position()[1])
        if text.get_text().startswith("±"):
            assert text.get_text() == "±0.4"
        else:
            assert text.get_text() == f"{30 + column + 10 * row}.0"
    assert len(ax.texts) == 18
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0", "4", "16"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["1", "2", "3"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("supply", "y")
    assert ax.get_ylim() == (0, 3), "numbers rise upwards"


def test_contours_lie_between_the_cells_where_the_figure_is_wanted() -> None:
    ax = heat_map(grid(), axes(), x="x", y="y", contours={45: "most", 20: "least"})
    (lines,) = [one for one in ax.collections if isinstance(one, ContourSet)]
    assert list(lines.levels) == [45]  # 20 is nowhere
    points: Any = lines.get_paths()[0].vertices
    # from cell to cell the figure rises by 1 to the right and 10 upwards
    assert np.allclose(30 + (points[:, 0] - 0.5) + 10 * (points[:, 1] - 0.5), 45)
    assert keys(ax) == ["most"]


def test_marks_are_in_their_cells_side_by_side() -> None:
    marks = {"base": (16, 2), "best": (16, 2), "elsewhere": (7, 2)}
    ax = heat_map(grid(), axes(), x="x", y="y", marks=marks)
    places = [line.get_xydata()[0] for line in ax.lines]
    assert len(places) == 2  # 7 is no column
    assert all(2 < x < 3 and 1 < y < 2 for x, y in places)
    assert places[0][0] < places[1][0]
    assert keys(ax) == ["base", "best"]


def test_shares_are_in_percent_and_switches_have_names() -> None:
    frame = grid((False, True), ("a", "b")).assign(estimate=0.5, low=0.48, high=0.52)
    ax = heat_map(frame.sort_values(["x", "y"]), axes(), x="x", y="y", kind="rate")
    assert sorted(set(words(ax))) == ["50", "±2"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["off", "on"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]


def test_absent_cells_stay_blank() -> None:
    frame = grid().query("not (x == 4 and y == 2)")
    ax = heat_map(frame, axes(), x="x", y="y", contours={45: "most"})
    assert len(ax.texts) == 16


def test_many_cells_have_a_colour_bar_instead_of_numbers() -> None:
    across = tuple(range(14))
    ax = heat_map(grid(across, (1, 2)), axes(), x="x", y="y")
    assert not ax.texts
    assert len(ax.figure.axes) == 2


def test_limits_hold_shades_together() -> None:
    frame = grid().assign(p=0.2)
    ax = heat_map(
        frame, axes(), x="x", y="y", value="p", low=None, high=None, kind="rate", limits=(0, 1)
    )
    (mesh,) = [one for one in ax.collections if isinstance(one, QuadMesh)]
    assert mesh.get_clim() == (0, 1)
    assert set(words(ax)) == {"20"}


def scattered(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.random(n), "y": rng.random(n)})
    return frame.assign(estimate=10 * frame["x"])


def test_scattered_cells_are_where_they_were_played() -> None:
    frame = scattered()
    ax = scatter_map(
        frame, axes(), x="x", y="y", contours={5: "most", 50: "never"}, marks={"base": (0.2, 0.3)}
    )
    (dots,) = [one for one in ax.collections if isinstance(one, PathCollection)]
    assert np.allclose(dots.get_offsets(), frame[["x", "y"]])
    (lines,) = [one for one in ax.collections if isinstance(one, ContourSet)]
    points: Any = lines.get_paths()[0].vertices
    assert np.allclose(points[:, 0], 0.5)
    assert sorted(keys(ax)) == ["base", "most"]


def test_cells_on_a_line_have_no_contour() -> None:
    frame = scattered().assign(y=0.5)
    ax = scatter_map(frame, axes(), x="x", y="y", contours={5: "most"})
    assert not [one for one in ax.collections if isinstance(one, ContourSet)]
