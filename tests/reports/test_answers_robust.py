"""The section about robustness: what is shown of a made-up answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle
from pypdf import PdfReader

from analysis.intervals import Interval
from analysis.measures import Measure
from analysis.question import Answer, Setting
from analysis.robustness import PARTS, Conclusion, Draws, Judged, answer, latin
from reports import figures, style
from reports.answers.robust import MOST_BARS, Facts, methods, pages
from reports.build import write
from reports.document import Figure, Report, Reproduce, Section, Table, Text
from sim.factors import Factor, Number
from sim.game import load_game

GAME = load_game("wizard_miners")
WINS = next(metric for metric in GAME.metrics if metric.name == "win_rate")
ROLLS = next(metric for metric in GAME.metrics if metric.name == "rolls")
FACTORS = (
    Factor("luck", "how lucky one is", (Number("k.luck", 0, 1, 2, whole=True),)),
    Factor("table", "which table", (), "switches.table", ("a", "b", "c")),
    Factor("nothing", "what nobody minds", (Number("k.nothing", 0, 1, 2, whole=True),)),
)


@pytest.fixture
def setting() -> Setting:
    return Setting(GAME, GAME.load(), ("balanced",) * 4, False, 20_000, 1)


def made_up(conclusions: list[Conclusion], draws: Draws) -> Answer:
    """Every conclusion rests on the factor `luck`: 0.2 to 0.4."""
    rng = np.random.default_rng(2)
    true = 0.2 + 0.2 * draws.points[:, 0]
    judged = []
    for one in conclusions:
        x = true + rng.normal(0, 0.003, len(true))
        drawn = np.column_stack([x, x - 0.01, x + 0.01, x - 0.02, x + 0.02])
        parts = x[:, None] + rng.normal(0, 0.003, (len(x), PARTS))
        judged.append(Judged(one, Interval(0.28, 0.27, 0.29, 0.95, 500, "t"), drawn, parts))
    return answer(judged, FACTORS, draws, seed=1)


def facts(draws: Draws, **more) -> Facts:
    return Facts(FACTORS, len(draws.points), draws.tried, draws.broken, 1600, **more)


@pytest.fixture
def made() -> tuple[Answer, Facts]:
    draws = latin(3, 60, 1, lambda point: ["a chart goes down"] if point[1] > 0.9 else [])
    seat = Measure(WINS, seat=1)
    conclusions = [
        Conclusion("seat 1 wins at most 35 %", seat, "base", None, (0.0, 0.35)),
        Conclusion("seat 1 wins at most half", seat, "base", None, (0.0, 0.5)),
        Conclusion("v: rolls", Measure(ROLLS), "v", "base", effect_of="v"),
    ]
    return answer_and_facts(conclusions, draws)


def answer_and_facts(conclusions: list[Conclusion], draws: Draws) -> tuple[Answer, Facts]:
    return made_up(conclusions, draws), facts(draws, skipped=("as before: another version",))


def walk(section: Section):
    for block in section.blocks:
        yield block
        if isinstance(block, Section):
            yield from walk(block)


def test_what_the_section_shows(setting: Setting, made: tuple[Answer, Facts]) -> None:
    headline, section = pages(setting, *made)
    blocks = list(walk(section))
    tables = {block.name: block for block in blocks if isinstance(block, Table)}
    drawn = [block.name for block in blocks if isinstance(block, Figure)]
    texts = "\n".join(block.body for block in blocks if isinstance(block, Text))
    assert [one.name for one in headline] == ["robust"]
    # two conclusions are about the same figure: what moves it is shown once
    assert drawn == ["robust_factors_1", "robust_factors_2"]
    assert len(tables["robust_conclusions"].frame) == 3
    assert tables["robust_factors_1"].frame["factor"].tolist() == ["luck"]
    assert tables["robust_ranges"].frame["range"].tolist() == ["0 to 2", "a, b, c", "0 to 2"]
    assert f"{made[1].tried - 60} broke a constraint" in texts
    assert "a chart goes down" in texts
    assert "Left out: as before: another version." in texts
    least = tables["robust_conclusions"].frame["statement"].iloc[0]
    assert least == "seat 1 wins at most 35 %"
    holds = tables["robust_conclusions"].frame["holds"].iloc[0]
    assert f"{holds:.0%}".rstrip("%") in headline[0].title
    assert "reversed" in headline[0].alt


def test_what_the_study_leaves_no_room_for_is_told_beside_the_constraints(
    setting: Setting, made: tuple[Answer, Facts]
) -> None:
    answer, found = made
    narrow = replace(found, narrowed={"a.start = 3 (no space has it)": 2})
    only = replace(narrow, broken={})
    for facts_, why in (
        (
            narrow,
            "broke a constraint that the rulebook sets or did not go with what the study sets",
        ),
        (only, f"{found.tried - 60} did not go with what the study sets"),
    ):
        _, section = pages(setting, answer, facts_)
        texts = "\n".join(block.body for block in walk(section) if isinstance(block, Text))
        assert why in texts
        assert "a.start = 3 (no space has it) (2 times)" in texts
        assert ("a chart goes down" in texts) == (facts_ is narrow)


def test_the_report_is_written(
    setting: Setting, made: tuple[Answer, Facts], tmp_path: Path
) -> None:
    headline, section = pages(setting, *made)
    report = Report(
        title="Robust?",
        question="Is it?",
        answer=list(made[0].sentences),
        headline=headline,
        sections=[section],
        methods=[methods(setting, made[1])],
        assumptions=[],
        reproduce=Reproduce("assay robust x.toml", 1),
    )
    results = {
        "game": GAME.name, "players": 4, "seats": list(setting.seats), "games": 1, "seed": 1,
        "metrics": [],
    }  # fmt: skip
    files = write(report, tmp_path, results=results)
    text = "\n".join(page.extract_text() for page in PdfReader(files[0]).pages)
    assert "Robustness to what nobody published" in text
    assert "how lucky one is" in text
    assert "undecided" in text


def test_many_conclusions_take_several_figures(setting: Setting) -> None:
    draws = latin(3, 60, 1, lambda _: [])
    conclusions = [
        Conclusion(f"claim {n}", Measure(WINS, seat=1), "base", None, (0.0, 0.2 + 0.01 * n))
        for n in range(MOST_BARS + 2)
    ]
    headline, section = pages(setting, *answer_and_facts(conclusions, draws))
    names = [block.name for block in walk(section) if isinstance(block, Figure)]
    assert "robust_2" in names
    for one in (headline[0], *(b for b in walk(section) if isinstance(b, Figure))):
        with style.context():
            assert callable(one.draw)
            assert isinstance(one.draw(), Canvas)


def test_bars_of_shares_add_up_to_one(made: tuple[Answer, Facts]) -> None:
    frame = made[0].frames["shares"].assign(label=lambda rows: rows["statement"])
    with style.context():
        axes = style.new_figure().subplots()
        figures.share_bars(
            frame,
            axes,
            outcomes=("holds", "undecided", "reversed"),
            bounds={frame["label"][0]: (0.2, 0.9)},
        )
    bars = [bar for bar in axes.patches if isinstance(bar, Rectangle)]
    widths = np.array([bar.get_width() for bar in bars]).reshape(3, 3)
    assert widths.sum(axis=0) == pytest.approx(1)
    assert axes.get_xlim() == (0, 1)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["holds", "undecided", "reversed"]
    line = [one for one in axes.lines if one.get_linewidth() == 1.6]
    assert np.asarray(line[0].get_xdata()).tolist() == [0.2, 0.9]
