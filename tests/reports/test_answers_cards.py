"""The sections on what cards are worth and on cards that nobody buys."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Annotation

from analysis import card_value, dead_cards
from analysis.question import Answer, Setting
from reports import style
from reports.document import Report
from reports.scatter import scatter
from tests.analysis.test_card_value import setting, summed
from tests.reports.answers import check, report_of, said


@pytest.fixture(scope="module")
def valued() -> tuple[Setting, Answer, Report]:
    where = setting(96)
    sums = {group.name: summed(where, group) for group in card_value.QUESTION.groups(where)}
    answer = card_value.QUESTION.answer(where, sums)
    return where, answer, report_of("card_value", where, answer)


def test_the_best_and_the_worst_come_first(valued: tuple[Setting, Answer, Report]) -> None:
    _, answer, report = valued
    figures, tables = check(report)
    assert list(figures) == ["card_worth", "card_naive"]
    assert list(tables) == [
        "card_worth",
        "card_trials",
        "card_classes",
        "card_examples",
        "card_length",
        "cards",
    ]
    assert len(tables["cards"].frame) == 81
    assert len(tables["card_worth"].frame) == 14
    worth = tables["card_worth"].frame["estimate"]
    assert worth.is_monotonic_decreasing
    best = answer.frames["cards"].iloc[0]["card"]
    assert tables["cards"].frame["card"].iloc[0] == card_value.called(best)


def test_every_sentence_on_values_is_in_the_section(
    valued: tuple[Setting, Answer, Report],
) -> None:
    for sentence in valued[1].sentences:
        assert said(valued[2]).count(sentence) == 1


def test_the_length_of_a_card_stands_in_its_row(valued: tuple[Setting, Answer, Report]) -> None:
    _, tables = check(valued[2])
    length = valued[1].frames["length"].set_index("card")["estimate"]
    names = valued[1].frames["cards"]["card"]
    assert np.allclose(tables["cards"].frame["length"], length.loc[names])


def test_dead_cards_are_listed_with_their_bounds() -> None:
    where = setting(2400, ("balanced",) * 2, adventure__open_purse__gives="5 burden")
    groups = [g for g in dead_cards.QUESTION.groups(where) if "balanced" in g.name]
    counts = {"balanced": summed(where, groups[0])}
    _, cards = card_value.cards_of(where)
    bought = dead_cards.purchases_frame(counts, cards, 1, 0.95)
    dead = dead_cards.dead_frame(bought, cards)
    deck, _ = card_value.cards_of(where)
    sentences = (
        dead_cards.dead_sentence(dead, bought, deck, len(cards)),
        dead_cards.why_sentence(bought),
    )
    answer = Answer({"purchases": bought, "dead": dead}, sentences)
    report = report_of("dead_cards", where, answer)
    figures, tables = check(report)
    assert list(figures) == ["dead_cards"]
    assert list(tables) == ["dead_cards", "rarely_bought"]
    assert "Open Purse" in set(tables["dead_cards"].frame["card"])
    assert all(sentence in said(report) for sentence in sentences)


def test_marked_points_are_named_apart() -> None:
    frame = reduce(
        lambda a, b: a.merge(b, on="name"),
        [
            pd.DataFrame(
                [
                    {"name": f"c{k}", key: 0.1 + k / 1000, f"{key}_low": 0.0, f"{key}_high": 0.3}
                    for k in range(5)
                ],
                columns=["name", key, f"{key}_low", f"{key}_high"],
            )
            for key in "xy"
        ],
    )
    frame["marked"] = [True, True, True, False, False]
    with style.context():
        canvas: Canvas = style.new_figure(style.TALL)
        axes = scatter(frame, canvas.subplots(), x="x", y="y", label="name", marked="marked")
        texts = [
            text
            for text in axes.texts
            if isinstance(text, Annotation) and text.get_text().startswith("c")
        ]
    assert [text.get_text() for text in texts] == ["c2", "c1", "c0"]
    heights = [text.xyann[1] for text in texts]
    low, high = axes.get_ylim()
    assert all(a - b >= (high - low) * 0.04 for a, b in pairwise(heights))
