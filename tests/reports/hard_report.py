"""A report that tries to break the typesetting: signs with a meaning, long words, wide tables.

`python -m tests.reports.hard_report FOLDER` writes it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Canvas

from reports import build, figures, style
from reports.document import (
    Assumption,
    Figure,
    Finding,
    Report,
    Reproduce,
    Section,
    Table,
    Text,
)
from reports.format import Interval

SIGNS = (
    "#set $x$ *a _b_ @c \\ \"q\" 'r' // /* <label> {d} [e] `f` ~ ^ & % | = - + -- --- ... "
    "é ß Ω ≥ → − € „“ 中文 日本 العربية 🎲 \x07 \ud800 \u200d"
)
WORD = "Supercalifragilisticexpialidocious" * 4
PATH = "results/" + "very_long_folder_name/" * 6 + "file.parquet"


def wide(columns: int, rows: int = 12) -> pd.DataFrame:
    draw = np.random.default_rng(columns)
    frame = pd.DataFrame({"strategy": [f"strategy_{i}" for i in range(rows)]})
    for index in range(columns):
        frame[f"measure {index + 1}"] = draw.normal(0, 1000, rows)
    return frame


def words(rows: int = 30) -> pd.DataFrame:
    text = "A sentence that explains at some length what was seen and why it matters here. "
    return pd.DataFrame(
        {
            "key": [f"tools.{WORD[: 6 + 5 * i]}" for i in range(rows)],
            "signs": [SIGNS.replace("\ud800", "")] * rows,  # no frame holds a lone surrogate
            "evidence": [text * (1 + i % 4) for i in range(rows)],
            "path": [PATH] * rows,
            "value": np.geomspace(1e-7, 1e9, rows),
        }
    )


def intervals() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "what": ["common", "rare", "never", "always", "missing", "exact", "wide"],
            "rate": [0.3121, 0.00012, 0.0, 1.0, np.nan, 0.25, 0.5],
            "low": [0.3093, 0.00010, 0.0, 0.99963, np.nan, 0.25, 0.02],
            "high": [0.3149, 0.00014, 0.00037, 1.0, np.nan, 0.25, 0.98],
            "effect": [0.012, -0.034, 0.0, 0.0, np.nan, 0.0, -0.0001],
            "e_low": [0.009, -0.036, -0.001, -0.002, np.nan, 0.0, -0.3],
            "e_high": [0.015, -0.032, 0.001, 0.002, np.nan, 0.0, 0.3],
            "n": [1_000_000, 48_211, 9_999, 9_999, 0, 12, 7],
            "capped": [True, False, True, False, True, False, True],
        }
    )


def many_labels() -> Canvas:
    labels = [f"{SIGNS[:12]} strategy number {i} with a long name" for i in range(14)]
    values = np.linspace(-0.3, 0.3, 14)
    frame = pd.DataFrame(
        {"label": labels, "rate": values, "low": values - 0.05, "high": values + 0.05}
    )
    figure = style.new_figure(style.TALL)
    figures.interval_dots(
        frame, figure.subplots(), kind="points", reference=0.0, reference_label=SIGNS[:30]
    )
    return figure


def many_series() -> Canvas:
    x = np.arange(12)
    parts = [
        pd.DataFrame({"x": x, "by": f"series {k} of {SIGNS[:10]}", "rate": 0.08 * k + 0.01 * x})
        for k in range(10)
    ]
    frame = pd.concat(parts)
    frame = frame.assign(low=frame["rate"] - 0.01, high=frame["rate"] + 0.01)
    figure = style.new_figure(style.FULL)
    figures.curve_with_band(frame, figure.subplots(), x="x", by="by", best=4, best_label="best")
    return figure


def big_matrix() -> Canvas:
    names = [f"strategy_number_{i}" for i in range(12)]
    draw = np.random.default_rng(5)
    frame = pd.DataFrame(
        [{"row": a, "column": b, "rate": draw.normal(0, 0.1)} for a in names for b in names]
    )
    frame = frame.assign(low=frame["rate"] - 0.004, high=frame["rate"] + 0.004)
    figure = style.new_figure((6.38, 5.6))
    figures.matrix(
        frame.iloc[:-3],
        figure.subplots(),
        rows="row",
        columns="column",
        kind="points",
        xlabel="field",
        ylabel="strategy",
    )
    return figure


def one_bar() -> Canvas:
    frame = pd.DataFrame({"value": [7], "share": [1.0], "low": [0.98], "high": [1.0]})
    figure = style.new_figure(style.FULL)
    figures.distribution(frame, figure.subplots(), xlabel=SIGNS[:40])
    return figure


def report() -> Report:
    return Report(
        f"{SIGNS} and then {WORD}",
        f"Does {SIGNS} break it? {WORD}",
        [SIGNS, f"{WORD} **{WORD}** *em* 3 * 4 * 5 `code #x` \\*plain\\*"],
        [
            Figure("many_labels", many_labels, SIGNS, SIGNS, f"{SIGNS} {WORD}"),
            Figure("many_series", many_series, "Ten rising lines.", "", ""),
        ],
        [
            Section(
                f"{SIGNS} {WORD}",
                [
                    Text(f"{SIGNS}\n\n- {SIGNS}\n- {WORD}\n\n{PATH} {{figure:one}}"),
                    Finding(f"{SIGNS} {WORD} {PATH}"),
                    Table("intervals", intervals(), SIGNS, formats=_formats()),
                    Table("words", words(), "Words"),
                    Table("wide12", wide(10), "Ten measures"),
                    Table("wide18", wide(18), "Eighteen measures"),
                    Table("wide40", wide(40), "Forty measures in {table:wide12}"),
                    Table("none", wide(3, 0), "Nothing"),
                    Figure("matrix", big_matrix, "A matrix of shades.", "c", "A big matrix"),
                    Figure("one", one_bar, "One bar.", "c", "One bar"),
                ],
            ),
            *[
                Section(f"Section {i}", [Section(f"Part {j}", [Text("Words.")]) for j in range(6)])
                for i in range(8)
            ],
        ],
        [],
        [
            Assumption(f"a.{WORD}", SIGNS, "1 to 2", SIGNS * 2, PATH),
            Assumption("b", "2", "1 to 3 (judged)", "none", ""),
        ],
        Reproduce(
            f'assay run "studies/my study.toml" --out {PATH}{PATH} --set "a.b = [1, 2, 3]" '
            + "--set x=1 " * 12,
            0,
            {WORD: SIGNS},
            {"rules": "0123456789abcdef" * 8},
            {SIGNS: WORD},
        ),
    )


def _formats() -> dict[str, Any]:
    return {"rate": Interval("rate"), "effect": Interval("points", "e_low", "e_high")}


def results() -> dict[str, Any]:
    return {
        "game": SIGNS,
        "players": 3,
        "seats": [SIGNS],
        "games": 0,
        "seed": 0,
        "metrics": [
            {
                "metric": "win_rate",
                "estimate": float("nan"),
                "low": float("-inf"),
                "high": None,
                "level": 0.95,
                "n": 0,
                "method": "none",
                "seat": np.int8(3),
            }
        ],
    }


if __name__ == "__main__":
    build.write(report(), sys.argv[1], results=results())
