"""The section about variants, and the words for rows of effects."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection

from analysis.comparison import Side, answer, compared_measures, effects, summing, with_flips
from analysis.question import Answer, Setting
from reports.answers.variants import METHODS, section
from reports.document import Report, Reproduce, Text
from reports.effects import (
    base_words,
    effect_words,
    figure_words,
    lineup_words,
    margin_words,
    speed_words,
)
from sim.game import Metric
from tests.analysis.games import chunk, winners
from tests.reports.answers import check, setting

METRICS = (
    Metric("win_rate", "share of games", "seat", "win", scale=12, by=(("seat",), ("strategy",))),
    Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles")),
    Metric("hits", "hits", "seat", "hits"),
)
LABELS = ("a", "b", "c", "d")


def made(names: tuple[str, ...], margins: Any = None, more_rolls: int = 2) -> Answer:
    """Variants that all but the last make longer and kinder to seat 1; the last changes nothing."""
    rng = np.random.default_rng(1)
    n = 2000
    win, hits, rolls = winners(rng, n), rng.poisson(3, (n, 4)), rng.poisson(30, n)
    base = chunk(win, hits, rolls=rolls)
    plays = [base]
    for name in names[:-1]:
        new = win.copy()
        new[:400] = winners(rng, 400, luck=9.0)
        longer = rolls + rng.integers(0, more_rolls + 1, n)
        plays.append(chunk(new, hits + (name == names[0]), rolls=longer))
    plays.append(base)
    measures = tuple(compared_measures(METRICS, LABELS))
    sums = summing(LABELS, {name: Side(measures, LABELS) for name in names}, 1)(tuple(plays))
    frame = effects(sums, margins=margins)
    other = frame.assign(effect=-frame["effect"], low=-frame["high"], high=-frame["low"])
    if margins is None:
        frame = with_flips(frame, {"blunder 0.15": frame, "second lineup": other})
    else:
        frame = with_flips(frame, {"blunder 0.15": frame})
    parted = {name: one.parted for name, one in sums.variants.items()}
    changes = {name: f"rule.{name}=1" for name in names}
    return answer(frame, {}, changes, parted, n)


def report_of(where: Setting, found: Answer, repeats: Any = None) -> Report:
    return Report(
        title="A test",
        question="Does it hold?",
        answer=found.sentences,
        headline=[],
        sections=[section(where, found, repeats)],
        methods=[Text("None."), *METHODS],
        assumptions=[],
        reproduce=Reproduce("assay run", 1),
    )


@pytest.fixture(scope="module")
def three() -> Answer:
    return made(("one", "two", "same"), {"win_rate": 0.02, "rolls": 0.5, "hits": 0.5})


def where() -> Setting:
    return setting(("builder", "cleaner", "saboteur", "balanced"))


def test_forest_plots_and_a_table_for_each_variant(three: Answer) -> None:
    figures, tables = check(report_of(where(), three))
    assert list(figures) == ["variants_by_group", "variants"]
    assert list(tables) == ["variant_1", "variant_2", "variant_3"]
    assert figures["variants_by_group"].title == "one and two change win_rate"
    assert "for all 3 variants at once. The band is the margin." in figures["variants"].caption
    assert tables["variant_1"].caption.startswith("one: rule.one=1. 100.0\u00a0% of the games part")
    assert "Margins: win_rate 0.02, rolls 0.5, hits 0.5." in tables["variant_1"].caption
    same = tables["variant_3"].frame
    assert (same["discordance"] == 0).all()


def test_every_sentence_of_the_answer_is_in_the_section(three: Answer) -> None:
    said = [getattr(block, "body", "") for block in report_of(where(), three).blocks()]
    for sentence in three.sentences:
        assert sentence in said


def test_effects_without_ends_stay_in_the_picture(three: Answer) -> None:
    """Each panel has a line for each variant, also where a metric without a range never differs."""
    rows = three.frames["effects"].query("variant == 'same' and metric == 'rolls'")
    assert math.isinf(rows["high"].iloc[0])
    figure = {f.name: f for f in report_of(where(), three).figures()}["variants"]
    assert callable(figure.draw)
    panels = figure.draw().axes
    assert [panel.get_xlabel() for panel in panels] == ["rolls", "hits"]
    for panel in panels:
        assert len(panel.get_yticks()) == 3
        assert all(math.isfinite(end) for end in panel.get_xlim())
    assert [text.get_text() for text in panels[0].get_yticklabels()] == ["one", "two", "same"]
    arms = panels[0].collections[0]
    assert isinstance(arms, LineCollection)
    widths = [abs(np.asarray(ends)[1, 0] - np.asarray(ends)[0, 0]) for ends in arms.get_segments()]
    assert widths[2] > 2 * max(widths[:2])
    assert math.isfinite(widths[2])


def test_strategies_are_shown_where_seats_rotate(three: Answer) -> None:
    turned = replace(where(), rotate=True)
    figure = report_of(turned, three).figures()[0]
    assert "one, a " in figure.alt
    assert "seat 1" not in figure.alt
    assert "one, seat 1 " in report_of(where(), three).figures()[0].alt


def test_flips_are_listed_and_counted() -> None:
    found = made(("longer", "same"))
    repeats = {"blunder 0.15": ("a:blunder=0.15",) * 4, "second lineup": ("b", "c", "b", "c")}
    report = report_of(where(), found, repeats)
    shown = {table.name: table for table in report.tables()}["variant_1"]
    frame = found.frames["effects"]
    flips = int((frame["flips"] == "second lineup").sum())
    assert flips > 1
    assert "flips" in shown.shown()
    assert "verdict" not in shown.shown()
    assert f"{flips} of these judgements turn round elsewhere." in found.sentences[0]
    told = next(b.body for b in report.blocks() if isinstance(b, Text) and "Repeated" in b.body)
    assert f"- blunder 0.15 (a:blunder=0.15 everywhere): 0 of {len(frame)} judgements flip" in told
    assert f"- second lineup (b, c, b, c): {flips} of {len(frame)} judgements flip" in told


def test_many_variants_lead_with_the_compact_picture() -> None:
    names = ("v1", "v2", "v3", "v4", "v5", "v6")
    report = report_of(where(), made(names))
    assert [figure.name for figure in report.figures()] == ["variants", "variants_by_group"]
    assert report.figures()[0].title == "5 of 6 variants change rolls"


def test_changes_of_a_user_are_no_markup() -> None:
    found = made(("one", "same"))
    frame = found.frames["variants"].assign(changes=["a *b* {c}", "same"])
    told = Answer({**found.frames, "variants": frame}, found.sentences)
    captions = [table.caption for table in report_of(where(), told).tables()]
    assert captions[0].startswith(r"one: a \*b\* \{c}. ")
    assert captions[1].startswith("same. ")


# --------------------------------------------------------------------------------------- words


ROW = {
    "metric": "win_rate",
    "unit": "share of games",
    "statistic": "mean",
    "seat": 2,
    "base": 0.25,
    "effect": 0.0123,
    "low": 0.0081,
    "high": 0.0166,
    "margin": 0.01,
}


def test_rows_in_words() -> None:
    length = {**ROW, "metric": "rolls", "unit": "rolls", "statistic": "q50", "base": 38.0}
    del length["seat"]
    assert figure_words(ROW) == "win_rate, seat 2"
    assert figure_words(length) == "rolls, q50"
    assert re.sub("\u00a0", " ", str(effect_words(ROW))) == "+1.2 pp [+0.8, +1.7]"
    whole = effect_words({**length, "effect": -2.0, "low": -3.0, "high": 1.0})
    assert (whole.text, whole.interval) == ("−2", "[−3,\u00a0+1]")
    open_end = effect_words({**length, "effect": 2.0, "low": 0.0, "high": math.inf})
    assert (open_end.text, open_end.interval) == ("+2", "[0,\u00a0+∞]")
    uneven = effect_words({**length, "effect": 0.5, "low": 0.0, "high": 1.0})
    assert uneven.text == "+0.5"
    assert base_words(ROW) == "25.0\u00a0%"
    assert base_words({**ROW, "base": 0.0}) == "none"
    assert base_words(length) == "38"
    assert base_words({**length, "statistic": "mean", "base": 38.123}) == "38.12"
    assert base_words({**length, "base": math.nan}) == "–"
    assert margin_words([ROW, length, {**ROW, "seat": 3}]) == "win_rate 0.01, rolls 0.01"
    assert margin_words([{**ROW, "margin": None}]) == ""
    assert margin_words([{**ROW, "margin": math.nan}]) == ""


def test_speed_ups_and_lineups_in_words() -> None:
    assert [speed_words(x) for x in (0.996, 12.34, 1234.5)] == ["1.0", "12.3", "1,234"]
    assert [speed_words(x) for x in (None, math.nan, math.inf)] == ["–", "–", "∞"]
    assert lineup_words(("a", "a")) == "a everywhere"
    assert lineup_words(("a", "b")) == "a, b"
