"""Document -> typst -> tagged PDF (PDF/UA-1).

The template is static; a report reaches it as JSON, and every user's word as a string inside it,
so nothing needs escaping and nothing a user writes is ever read as markup. Fonts come from the
typst package and from matplotlib, never from the system, and the document has no date: the same
report is the same bytes on any machine with the same packages.

How wide a table's columns are, and whether it needs smaller type, a landscape page or several
parts, is decided here by measuring its words, so that no cell can run into another.
"""

from __future__ import annotations

import json
import re
import textwrap
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import typst
from matplotlib.ft2font import FT2Font, LoadFlags

from reports import style
from reports.document import (
    REFERENCE,
    Assumption,
    Block,
    Figure,
    Finding,
    Report,
    Section,
    Table,
    Text,
)
from reports.format import Cell, column

ZERO_WIDTH_SPACE = "\u200b"
LONGEST_WORD = 24  # characters a word may have before it may be broken anywhere

# Page geometry in points; the template reads it from here.
MARGIN = 68.0
PORTRAIT = 595.276 - 2 * MARGIN
LANDSCAPE = 841.89 - 2 * MARGIN
GAP = 1.4  # between two columns, in em
PAIR_GAP = 0.4  # between an estimate and its interval, in em
MOST_ENTRIES = 30  # more lines of contents than this, and it goes one level deep only
COMFORT = 11.0  # em a column of words may ask for before smaller type is tried
# (points, landscape), in order of preference
SIZES = (
    (9.0, False),
    (8.5, False),
    (8.0, False),
    (7.5, False),
    (8.5, True),
    (8.0, True),
    (7.5, True),
    (7.0, True),
)

_MARKUP = re.compile(
    r"\\(?P<escaped>[\\*`{])"
    r"|`(?P<code>[^`\n]+)`"
    r"|(?<![\w*])\*\*(?P<strong>(?=\S)[^*]+?(?<=\S))\*\*(?![\w*])"
    r"|(?<![\w*])\*(?P<emph>(?=\S)[^*]+?(?<=\S))\*(?![\w*])"
    rf"|(?P<ref>{REFERENCE.pattern})"
)
# What neither XML nor a PDF can hold: control characters, lone surrogates, non-characters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text with every unprintable character replaced by the replacement character."""
    return _UNPRINTABLE.sub("\ufffd", text)


def breakable(text: str) -> str:
    """The text with break opportunities in words too long for a line, and nowhere else."""
    return re.sub(rf"\S{{{LONGEST_WORD + 1},}}", _break_word, clean(text))


def _break_word(match: re.Match[str]) -> str:
    pieces: list[str] = []
    length = 0
    for part in re.findall(r"[^\W_]+|[\W_]", match.group()):
        while len(part) > LONGEST_WORD // 2:
            pieces += [part[: LONGEST_WORD // 2], ZERO_WIDTH_SPACE]
            part, length = part[LONGEST_WORD // 2 :], 0
        pieces.append(part)
        length += len(part)
        if not part.isalnum() and length > 3:
            pieces.append(ZERO_WIDTH_SPACE)
            length = 0
    return "".join(pieces)


def spans(text: str) -> list[dict[str, str]]:
    """The small markup of `reports.document` as runs: {"t": words} and a style "s" or target."""
    out: list[dict[str, str]] = []
    plain = ""
    last = 0
    for match in _MARKUP.finditer(text):
        plain += text[last : match.start()]
        last = match.end()
        if match["escaped"]:
            plain += match["escaped"]
            continue
        if plain:
            out.append({"t": breakable(plain)})
            plain = ""
        if match["ref"]:
            kind, name = REFERENCE.fullmatch(match["ref"]).groups()  # type: ignore[union-attr]
            out.append({"s": "ref", "t": f"{kind}-{name}"})
        else:
            kind = next(k for k in ("code", "strong", "emph") if match[k])
            out.append({"s": kind, "t": breakable(match[kind])})
    plain += text[last:]
    if plain:
        out.append({"t": breakable(plain)})
    return out


def paragraphs(body: str) -> list[dict[str, Any]]:
    """Paragraphs and lists of a `Text`."""
    out: list[dict[str, Any]] = []
    for chunk in re.split(r"\n\s*\n", body.strip()):
        lines = [line.strip() for line in chunk.splitlines()]
        if lines and all(line.startswith("- ") for line in lines):
            out.append({"kind": "list", "items": [spans(line[2:]) for line in lines]})
        elif any(lines):
            out.append({"kind": "par", "spans": spans(" ".join(lines))})
    return out


@dataclass(frozen=True, slots=True)
class Column:
    """A column ready to be set.

    least, need, natural: width in em below which words would be broken, below which words are so
    cramped that smaller type is tried first, and that of the longest line.
    parts: 1, or 2 where estimate and interval are set side by side under one heading.
    """

    heading: str
    cells: list[Cell]
    numeric: bool
    parts: int
    split: tuple[float, float]  # natural widths of the two parts
    least: float
    need: float
    natural: float


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, or a part of one, that fits its page."""

    columns: list[Column]
    size: float  # points
    landscape: bool
    widths: list[float]  # points, one per column, without gaps


def grids(table: Table) -> list[Grid]:
    """The table as one grid that fits a page's width, or as several that share its first column."""
    return fit([_column(table, name, heading) for name, heading in table.shown().items()])


def fit(columns: list[Column]) -> list[Grid]:
    """Type size, page and column widths for these columns; several grids if no page is wide enough.

    Only a first column that is wider than half a page by itself is squeezed below its need.
    """
    for size, landscape in SIZES:
        widths = _widths(columns, size, LANDSCAPE if landscape else PORTRAIT)
        if widths is not None:
            return [Grid(columns, size, landscape, widths)]
    size, landscape = SIZES[-1]
    first, rest = columns[0], columns[1:]
    if not rest:
        return [Grid(columns, size, landscape, [LANDSCAPE])]
    for most in range(len(rest), 0, -1):
        parts = [[first, *part] for part in _deal(rest, most)]
        fitted = [_widths(part, size, LANDSCAPE) for part in parts]
        if most == 1 or None not in fitted:
            break
    return [
        # Two columns that fill more than a page share it.
        Grid(part, size, landscape, known if known is not None else _shared(part, size))
        for part, known in zip(parts, fitted, strict=True)
    ]


def _shared(columns: list[Column], size: float) -> list[float]:
    room = LANDSCAPE - GAP * size * (len(columns) - 1)
    total = sum(column.need for column in columns)
    return [room * column.need / total for column in columns]


def _deal(columns: list[Column], most: int) -> list[list[Column]]:
    """The columns in as few parts of at most `most` as there can be, of nearly equal length."""
    parts = -(-len(columns) // most)
    cuts = [round(i * len(columns) / parts) for i in range(parts + 1)]
    return [columns[a:b] for a, b in pairwise(cuts)]


def _widths(columns: list[Column], size: float, available: float) -> list[float] | None:
    room = available / size - GAP * (len(columns) - 1)
    natural = [column.natural for column in columns]
    if sum(natural) <= room:
        return [width * size for width in natural]
    if sum(column.need for column in columns) > room:
        return None
    return [width * size for width in _shortest(columns, room)]


SHARES = 64  # parts in which spare room is given to columns


def _shortest(columns: list[Column], room: float) -> list[float]:
    """Widths in em that keep a table short: each bit of room goes where it saves most lines.

    No column gets less than keeps its words whole.

    The lines of a cell are counted as the width of its text over that of the column, 1 at least,
    broken numbers of lines included: a bit of room seldom saves a whole line by itself.
    """
    lengths = np.array([[_line(cell.text) for cell in column.cells] for column in columns])
    if not lengths.size:
        lengths = np.ones((len(columns), 1))
    widths = np.array([column.least for column in columns])
    natural = np.array([column.natural for column in columns])
    step = (room - widths.sum()) / SHARES
    lines = np.maximum(1.0, lengths / widths[:, None])
    for _ in range(SHARES):
        wider = np.minimum(widths + step, np.maximum(natural, widths))
        heights: list[float] = []
        for place in range(len(columns)):
            if wider[place] == widths[place]:
                heights.append(np.inf)
                continue
            changed = lines.copy()
            changed[place] = np.maximum(1.0, lengths[place] / wider[place])
            heights.append(changed.max(axis=0).sum() + 1e-3 * changed.sum())
        best = int(np.argmin(heights))
        widths[best] = wider[best]
        lines[best] = np.maximum(1.0, lengths[best] / widths[best])
    return [float(width) for width in widths]


def _column(table: Table, name: str, heading: str) -> Column:
    spec = (table.formats or {}).get(name)
    cells, numeric = column(table.frame, name, spec)
    return _measured(heading, cells, numeric)


def _measured(heading: str, cells: list[Cell], numeric: bool) -> Column:
    heading = breakable(heading)
    cells = [Cell(breakable(c.text), clean(c.interval)) for c in cells]
    parts = 2 if any(c.interval for c in cells) else 1
    texts = {c.text for c in cells}
    longest = max((_line(text) for text in texts), default=0.0)
    interval = max((_line(text) for text in {c.interval for c in cells}), default=0.0)
    word = longest if numeric else max((_word(text) for text in texts), default=0.0)
    body = longest + (interval + PAIR_GAP if parts == 2 else 0.0)
    shortest = word + (interval + PAIR_GAP if parts == 2 else 0.0)
    bold = 1.15
    head_word = bold * _word(heading)
    # a heading takes two lines rather than widen a column of figures
    head_line = bold * _line(heading)
    head = max(head_word, head_line * 0.62 if " " in heading else head_line)
    natural = max(body, head)
    least = max(shortest, head_word, 0.0 if not numeric else natural)
    need = max(least, min(natural, COMFORT))
    return Column(heading, cells, numeric, parts, (longest, interval), least, need, natural)


def _line(text: str) -> float:
    return max((_width(line) for line in text.split("\n")), default=0.0)


def _word(text: str) -> float:
    return max((_width(word) for word in re.split(rf"[ \n\t{ZERO_WIDTH_SPACE}-]", text)), default=0)


# The text face has no file to measure: Times-like metrics times how much wider it runs at most.
_FIGURES = frozenset("0123456789.,[]()%+−–±< \u00a0")
_RATIO = {
    ("STIXGeneral.ttf", True): 0.96,
    ("STIXGeneral.ttf", False): 1.06,
    ("DejaVuSans.ttf", True): 1.0,
    ("DejaVuSans.ttf", False): 1.0,
}


@cache
def _width(text: str) -> float:
    """Width in em, a little generous."""
    return sum(_advance(character) for character in text) + (0.08 if text else 0.0)


@cache
def _advance(character: str) -> float:
    if character == ZERO_WIDTH_SPACE:
        return 0.0
    for name in ("STIXGeneral.ttf", "DejaVuSans.ttf"):
        font = _font(name)
        if font.get_char_index(ord(character)):
            glyph = font.load_char(ord(character), flags=LoadFlags.NO_HINTING)
            figure = character in _FIGURES
            ratio = _RATIO[name, figure] if figure or character < "\u2000" else 1.2
            return ratio * glyph.linearHoriAdvance / 65536 / 100
    return 1.1  # the box that stands for a character no font has


@cache
def _font(name: str) -> FT2Font:
    font = FT2Font(str(style.font_folder() / name))
    font.set_size(100, 72)
    return font


@cache
def fonts() -> typst.Fonts:
    """The fonts of the typst package and of matplotlib; none of the system's."""
    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=True,
        font_paths=[str(style.font_folder())],
    )


def payload(report: Report, images: Mapping[str, str]) -> dict[str, Any]:
    """What the template gets. images: figure name -> SVG."""
    methods = [
        item if isinstance(item, Section) else Section("", (item,)) for item in report.methods
    ]
    loose = [block for section in methods if not section.title for block in section.blocks]
    titled = [section for section in methods if section.title]
    return {
        "contents_depth": 2 if _entries(report) <= MOST_ENTRIES else 1,
        "title": breakable(report.title),
        "running_title": clean(textwrap.shorten(report.title, 90, placeholder=" …")),
        "plain_title": clean(report.title),
        "question": breakable(report.question),
        "answer": [spans(line) for line in report.answer],
        "headline": [_figure(figure, images) for figure in report.headline],
        "sections": [_section(section, 1, images) for section in report.sections],
        "methods": _section(Section("Methods", (*loose, *titled)), 1, images),
        "assumptions": _assumptions(report.assumptions),
        "reproduce": _reproduce(report),
        "page": {"margin": MARGIN, "gap": GAP, "pair_gap": PAIR_GAP},
        "colours": {
            "ink": style.INK,
            "muted": style.MUTED,
            "faint": style.FAINT,
            "accent": style.ACCENT,
        },
    }


def pdf(report: Report, images: Mapping[str, str]) -> bytes:
    """The report as a PDF/UA-1 file.

    images: figure name -> SVG text, one for every figure of the report.
    Raises RuntimeError with typst's diagnostics if the document does not compile; typst's own
    warnings (a font that is missing, a layout that does not settle) become RuntimeWarnings.
    """
    template = files("reports").joinpath("templates", "report.typ").read_bytes()
    try:
        result, warned = typst.compile_with_warnings(
            template,
            font_paths=fonts(),
            ignore_system_fonts=True,
            format="pdf",
            sys_inputs={"report": json.dumps(payload(report, images), ensure_ascii=False)},
            pdf_standards="ua-1",
            timestamp=0,
        )
    except typst.TypstError as error:
        raise RuntimeError(f"the report does not typeset: {error.diagnostic}") from error
    for warning in warned:  # a page number that does not settle is no reason to lose a report
        warnings.warn(f"typst: {warning.message}", RuntimeWarning, stacklevel=2)
    return result


def _entries(report: Report) -> int:
    """Lines of a table of contents that goes two levels deep."""
    tops = [item for item in (*report.sections, *report.methods) if isinstance(item, Section)]
    inner = [b for top in report.sections for b in top.blocks if isinstance(b, Section)]
    return len(tops) + len(inner) + 3


def _section(section: Section, level: int, images: Mapping[str, str]) -> dict[str, Any]:
    return {
        "kind": "section",
        "level": level,
        "title": breakable(section.title),
        "blocks": [_block(block, level, images) for block in section.blocks],
    }


def _block(block: Block, level: int, images: Mapping[str, str]) -> dict[str, Any]:
    match block:
        case Text():
            return {"kind": "text", "paragraphs": paragraphs(block.body)}
        case Finding():
            return {"kind": "finding", "paragraphs": paragraphs(block.body)}
        case Figure():
            return {"kind": "figure", **_figure(block, images)}
        case Table():
            return {"kind": "table", **_table(block)}
        case Section():
            return _section(block, level + 1, images)


def _figure(figure: Figure, images: Mapping[str, str]) -> dict[str, Any]:
    svg = images[figure.name]
    width, height = svg_size(svg)
    return {
        "label": f"figure-{figure.name}",
        "svg": svg,
        "alt": clean(figure.alt),
        "width": width,
        "height": height,
        "title": breakable(figure.title),
        "caption": spans(figure.caption),
    }


def svg_size(svg: str) -> tuple[float, float]:
    """Width and height in points of an SVG that matplotlib wrote."""
    match = re.search(r'<svg[^>]*?\bwidth="([\d.]+)pt" height="([\d.]+)pt"', svg)
    if match is None:
        raise ValueError("an SVG without a size in points")
    return float(match[1]), float(match[2])


def _table(table: Table) -> dict[str, Any]:
    head = {"label": f"table-{table.name}", "caption": spans(table.caption)}
    if table.frame.empty or not table.shown():
        return {**head, "empty": spans(table.empty), "parts": []}
    return {**head, "empty": [], "parts": [_grid(grid) for grid in grids(table)]}


def _grid(grid: Grid) -> dict[str, Any]:
    widths: list[float] = []
    aligned: list[str] = []
    heads: list[dict[str, Any]] = []
    for head, width in zip(grid.columns, grid.widths, strict=True):
        heads.append({"t": head.heading, "span": head.parts, "right": head.numeric})
        if head.parts == 1:
            widths.append(width)
            aligned.append("right" if head.numeric else "left")
        else:
            interval = head.split[1] * grid.size
            widths += [width - interval - PAIR_GAP * grid.size, interval]
            aligned += ["right", "left"]
    rows = []
    for cells in zip(*(head.cells for head in grid.columns), strict=True):
        row: list[str] = []
        for head, cell in zip(grid.columns, cells, strict=True):
            row += [cell.text] if head.parts == 1 else [cell.text, cell.interval]
        rows.append(row)
    return {
        "size": grid.size,
        "landscape": grid.landscape,
        "keep": _keep(grid),
        "whole_rows": _most_lines(grid) <= 12,
        "widths": widths,
        "align": aligned,
        "head": heads,
        "rows": rows,
    }


def _keep(grid: Grid) -> bool:
    """Whether a table is too short to be worth a page break."""
    return len(grid.columns[0].cells) * _most_lines(grid) <= 15


def _most_lines(grid: Grid) -> float:
    """About how many lines the longest cell takes."""
    ratios = [
        head.natural * grid.size / width
        for head, width in zip(grid.columns, grid.widths, strict=True)
    ]
    return max(1.0, 1.25 * max(ratios)) if max(ratios) > 1.001 else 1.0


def _assumptions(assumptions: Any) -> dict[str, Any]:
    items: list[Assumption] = list(assumptions)
    frame = pd.DataFrame(
        {
            "what": [clean(item.key) for item in items],
            "value": [clean(item.value) for item in items],
            "range": [clean(item.range) for item in items],
            "evidence": [clean(item.evidence) for item in items],
            "source": [clean(item.source) for item in items],
        }
    )
    if not frame.empty and not frame["source"].str.strip().any():
        frame = frame.drop(columns="source")
    return _table(
        Table(
            "assumptions",
            frame,
            "Numbers that no source gives. A report is as good as these.",
            formats=dict.fromkeys(frame.columns, "text"),
            empty="The answers rest on no unpublished number.",
        )
    )


def _reproduce(report: Report) -> dict[str, Any]:
    how = report.reproduce
    facts = {"seed": str(how.seed), **how.extra}
    return {
        "command": [breakable_command(line) for line in how.command.splitlines()],
        "lists": [
            {
                "title": title,
                "width": 9 * min(18.0, max(_line(clean(key)) for key in items)),
                "rows": [[breakable(k), breakable(str(v))] for k, v in items.items()],
            }
            for title, items in (
                ("Run", facts),
                ("Versions", dict(how.versions)),
                ("Hashes", dict(how.hashes)),
            )
            if items
        ],
    }


def breakable_command(line: str, width: int = 78) -> str:
    """A shell command in lines of at most `width`, continued with a backslash at its spaces.

    Spaces inside quotes are left alone: the command can be copied from the PDF and run.
    """
    words = re.findall(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+""", clean(line))
    out, current = [], ""
    for word in words:
        if current and len(current) + 1 + len(word) > width - 2:
            out.append(f"{current} \\")
            current = f"  {word}"
        else:
            current = f"{current} {word}" if current else word
    return "\n".join([*out, current])
