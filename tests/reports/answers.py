"""Answers of real games, a few of them, for tests of the sections."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pandas as pd

from analysis.question import Answer, Setting
from analysis.questions import load_question
from reports import build
from reports.answers import section_of
from reports.document import Figure, Report, Reproduce, Section, Table, Text
from sim.batch import Batch, play, whole_blocks
from sim.game import load_game
from strategies.resolve import lineup


def setting(
    seats: tuple[str, ...],
    games: int = 160,
    rotate: bool = False,
    name: str = "wizard_miners",
    **patches: Any,
) -> Setting:
    """A setting of a game; patches with two underscores for the dot."""
    game = load_game(name)
    rules = game.load(None, {key.replace("__", "."): value for key, value in patches.items()})
    return Setting(game, rules, seats, rotate, games, 5)


def ask(name: str, where: Setting) -> Answer:
    """Play what a question needs and answer it."""
    game, rules = where.game, where.rules.model
    question = load_question(name, game.name, where.players, rules)
    sums = {}
    for group in question.groups(where):
        batches = []
        for one in group.plays:
            seats = one.seats or where.seats
            patches = {**where.rules.patches, **one.patches}
            rules = game.load(None, patches) if one.patches else where.rules
            tables = game.make_tables(rules.model, len(seats), one.handicaps)
            who = lineup(game, seats)
            batches.append(Batch(game, tables, who, where.seed, where.rotations))
        games = whole_blocks(max(1, round(where.games * group.share)), where.rotations)
        parts = play(batches, 0, games, group.reduce, threads=1)
        sums[group.name] = reduce(lambda a, b: a + b, (part for _, part in parts))
    return question.answer(where, sums)


def report_of(name: str, where: Setting, answer: Answer) -> Report:
    """A report of one question; building it checks names, columns, references, texts."""
    section: Section = section_of(name)(where, answer)
    return Report(
        title="A test",
        question="Does it hold?",
        answer=answer.sentences,
        headline=[],
        sections=[section],
        methods=[Text("None.")],
        assumptions=[],
        reproduce=Reproduce("assay run", 1),
    )


def said(report: Report) -> str:
    """All that the texts of a report say."""
    return " ".join(getattr(block, "body", "") for block in report.blocks())


def check(report: Report) -> tuple[dict[str, Figure], dict[str, Table]]:
    """Draw every figure and write every table; check what each must carry. Returns them by name."""
    figures = {figure.name: figure for figure in report.figures()}
    tables = {table.name: table for table in report.tables()}
    for name, figure in figures.items():
        svg, files = build.draw(figure)
        assert "<svg" in svg, name
        assert set(files) == {"png", "svg"} or len(files) == 2, name
        assert figure.title, name
        assert "n = " in figure.caption, name
        assert "95\u00a0%" in figure.caption, name
    for name, table in tables.items():
        assert "95\u00a0%" in table.caption, name
        assert isinstance(table.frame, pd.DataFrame), name
        assert build.csv(table.frame), name
        assert build.markdown_table(table), name
    return figures, tables
