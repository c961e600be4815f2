r"""A report as plain data, independent of any game and of how it is typeset.

Words in `Text`, `Finding`, answers and captions may carry a little markup, and nothing else is
ever interpreted:

    **strong**   *emphasis*   `code`   {figure:NAME}   {table:NAME}   \* (a plain star)

Blank lines part paragraphs; a paragraph whose lines all begin with "- " is a list. Titles,
questions, headings and table cells are taken literally.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import matplotlib.figure
import pandas as pd

from reports.format import Interval, parse_format

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
REFERENCE = re.compile(r"\{(figure|table):([a-z0-9_-]+)\}")

Format = str | Interval | Callable[[Any], str]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Paragraphs or a list, with the small markup of this module."""

    body: str


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One sentence or two that a reader should take home; set apart from the running text."""

    body: str


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A picture that states a finding.

    name: file name without suffix, unique among figures.
    draw: makes the matplotlib figure (preferred: it is called inside the report's style), or the
        figure itself.
    alt: what the picture shows, for those who cannot see it; required.
    caption: n, level and method.
    title: the finding. It is typeset above the picture and drawn into the PNG and SVG files, so
        the figure itself should not have one.
    """

    name: str
    draw: Callable[[], matplotlib.figure.Figure] | matplotlib.figure.Figure
    alt: str
    caption: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A frame as a table. The CSV beside the report holds the whole frame, unformatted.

    name: file name without suffix, unique among tables.
    columns: shown columns in order, with their headings; None shows all but those which an
        `Interval` format has merged into its own column.
    formats: column -> how to write it: "text", or a kind of number with optional decimals
        ("rate", "rate:3", "points", "mean", "difference", "number", "count"), an `Interval`, or a
        function of the value. Columns without one are guessed from their dtype.
    headline: also goes into summary.md.
    empty: the sentence that stands in for a table without rows.
    """

    name: str
    frame: pd.DataFrame
    caption: str = ""
    columns: Mapping[str, str] | None = None
    formats: Mapping[str, Format] | None = None
    headline: bool = False
    empty: str = "Nothing to list: no row met the condition."

    def shown(self) -> dict[str, str]:
        """Shown columns and their headings, in order."""
        if self.columns is not None:
            return dict(self.columns)
        merged: set[str] = set()
        for spec in (self.formats or {}).values():
            if isinstance(spec, Interval):
                merged |= {spec.low, spec.high}
        return {
            str(column): str(column).replace("_", " ")
            for column in self.frame.columns
            if column not in merged
        }


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A heading and what stands under it. Sections nest up to three levels deep."""

    title: str
    blocks: Sequence[Text | Finding | Figure | Table | Section] = ()


Block = Text | Finding | Figure | Table | Section


@dataclass(frozen=True, slots=True)
class Assumption:
    """A number nobody published, on which the answers rest.

    range: the plausible range in words, such as "3 to 7" or "4 to 6 (judged)".
    """

    key: str
    value: str
    range: str
    evidence: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Reproduce:
    """What somebody needs to get the same report, byte for byte."""

    command: str
    seed: int
    versions: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A whole report.

    answer: plain sentences with their intervals.
    headline: at most two figures, shown on the first page.
    methods: in words.

    Raises ValueError, naming every problem at once: names that are taken twice or are no file
    names, missing alternative texts, columns a frame does not have, references to nothing.
    """

    title: str
    question: str
    answer: Sequence[str]
    headline: Sequence[Figure]
    sections: Sequence[Section]
    methods: Sequence[Section | Text]
    assumptions: Sequence[Assumption]
    reproduce: Reproduce

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise ValueError("the report cannot be built:\n- " + "\n- ".join(problems))

    def figures(self) -> list[Figure]:
        """All figures, in reading order."""
        return [*self.headline, *(b for b in self.blocks() if isinstance(b, Figure))]

    def tables(self) -> list[Table]:
        """All tables, in reading order."""
        return [block for block in self.blocks() if isinstance(block, Table)]

    def blocks(self) -> Iterator[Block]:
        """All blocks of sections and methods, in reading order; sections before their content."""
        for block in (*self.sections, *self.methods):
            yield from _walk(block)


def _walk(block: Block) -> Iterator[Block]:
    yield block
    if isinstance(block, Section):
        for inner in block.blocks:
            yield from _walk(inner)


def _depth(section: Section) -> int:
    inner = [_depth(block) for block in section.blocks if isinstance(block, Section)]
    return 1 + max(inner, default=0)


def _problems(report: Report) -> Iterator[str]:
    if not report.title.strip():
        yield "the title is empty"
    if not report.question.strip():
        yield "the question is empty"
    if isinstance(report.answer, str) or not [line for line in report.answer if line.strip()]:
        yield "the answer is no list of sentences, or an empty one"
    if len(report.headline) > 2:
        yield f"{len(report.headline)} headline figures; the first page has room for two"
    names: dict[str, set[str]] = {"figure": set(), "table": set()}
    items: list[tuple[str, Figure | Table]] = [("figure", figure) for figure in report.figures()]
    items += [("table", table) for table in report.tables()]
    for kind, item in items:
        if not NAME.fullmatch(item.name):
            yield f"{kind} name {item.name!r}: only a-z, 0-9, - and _, at most 64"
        if item.name in names[kind]:
            yield f"{kind} {item.name!r} is there twice"
        names[kind].add(item.name)
        if isinstance(item, Figure):
            if not item.alt.strip():
                yield f"figure {item.name!r} has no alternative text"
        else:
            yield from _table_problems(item)
    for section in (*report.sections, *report.methods):
        if isinstance(section, Section) and _depth(section) > 3:
            yield f"section {section.title!r} nests deeper than three levels"
    for body in _bodies(report):
        for kind, name in REFERENCE.findall(body):
            if name not in names[kind]:
                yield f"a text refers to {kind} {name!r}, which is not in the report"


def _table_problems(table: Table) -> Iterator[str]:
    if not table.frame.columns.is_unique:
        yield f"table {table.name!r}: a column is there twice"
        return
    known = set(table.frame.columns)
    wanted = [*(table.columns or {}), *(table.formats or {})]
    for column, spec in (table.formats or {}).items():
        if isinstance(spec, Interval):
            wanted += [spec.low, spec.high]
        elif isinstance(spec, str):
            try:
                parse_format(spec)
            except ValueError as error:
                yield f"table {table.name!r}, column {column!r}: {error}"
    for column in dict.fromkeys(wanted):
        if column not in known:
            yield f"table {table.name!r}: no column {column!r} in its frame"


def _bodies(report: Report) -> Iterator[str]:
    yield from report.answer
    for figure in report.headline:
        yield figure.caption
    for block in report.blocks():
        if isinstance(block, Text | Finding):
            yield block.body
        elif isinstance(block, Figure | Table):
            yield block.caption
