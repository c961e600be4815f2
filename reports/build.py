"""Writes the folder of a report; the only place in this project that saves pictures.

    report.pdf      the report
    results.json    every number, after results.schema.json
    summary.md      question, answer, headline tables, links to the figures
    figures/*.png   at 300 dpi, *.svg
    tables/*.csv    whole frames, unformatted

Same inputs, same bytes. Timings would break that; they go to run.json (`write_run`).

All or nothing: everything is written to a hidden folder inside the target first and moved into
place only when it is complete, each file by a rename; whatever goes wrong, the earlier report is
put back. Files that an earlier report did not list are never touched.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import matplotlib.figure
import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.font_manager import FontProperties
from matplotlib.image import imsave
from matplotlib.text import Text as Label

from reports import style, typeset
from reports.document import Figure, Report, Table
from reports.format import column
from sim.errors import UserError
from sim.wording import counted

SCHEMA_NAME = "assay-results"
SCHEMA_VERSION = 1
RESERVED = (
    "schema",
    "schema_version",
    "title",
    "question",
    "answer",
    "assumptions",
    "reproduce",
    "figures",
    "tables",
    "files",
)
TIMINGS = ("seconds", "games_per_second", "timings", "started", "finished")
METRIC_KEYS = ("metric", "estimate", "low", "high", "level", "n", "method")


def schema() -> dict[str, Any]:
    """The JSON Schema of results.json."""
    text = files("reports").joinpath("results.schema.json").read_text("utf-8")
    return dict(json.loads(text))


def write(report: Report, folder: Path | str, *, results: Mapping[str, Any]) -> list[Path]:
    """Write the report and all that lies beside it; return the paths, report.pdf first.

    results: what results.json says besides the report's own words. `game`, `players`, `seats`,
        `games`, `seed` and `metrics` (rows with at least METRIC_KEYS) are required; `rules`,
        `variants`, `verdicts`, `comparisons` and `extra` are optional. Frames become lists of
        rows. No timings: see `write_run`.

    Raises ValueError for results that break the schema's basics, UserError if the folder cannot
    be written or holds files of these names that no report of ours listed.
    """
    folder = Path(folder)
    document = _results(report, results)
    images, pictures = _draw_all(report)
    contents: dict[str, bytes] = {"report.pdf": typeset.pdf(report, images)}
    contents |= pictures
    for table in report.tables():
        contents[f"tables/{table.name}.csv"] = csv(table.frame).encode()
    contents["summary.md"] = summary(report).encode()
    document["files"] = sorted([*contents, "results.json"])
    contents["results.json"] = dump(document).encode()  # last: it says that the rest is there
    _replace(folder, contents)
    return [folder / name for name in contents]


def write_run(folder: Path | str, facts: Mapping[str, Any]) -> Path:
    """Write run.json: when, where and how fast. The one file that differs between equal runs."""
    path = Path(folder) / "run.json"
    with _readable_errors(Path(folder)):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".run-", suffix=".json", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(dump(dict(facts)))
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    return path


def csv(frame: pd.DataFrame) -> str:
    """A frame as CSV with ten significant digits and Unix line ends on every system."""
    text = frame.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    return typeset.clean(str(text))


def dump(value: Any) -> str:
    """Sorted, indented JSON; numpy and pandas values become plain ones, NaN and ±inf null."""
    plain = _plain(value)
    return json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


# Figures --------------------------------------------------------------------------------------


def draw(figure: Figure) -> tuple[str, dict[str, bytes]]:
    """Draw a figure: the SVG for the PDF (without its title), and the files with it by suffix."""
    with style.context(), warnings.catch_warnings():
        # A character no font has is drawn as a box that names its script; that is enough.
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
        # A copy of a ready figure: laying one out twice moves it by a hair.
        made = figure.draw() if callable(figure.draw) else deepcopy(figure.draw)
        if not isinstance(made, matplotlib.figure.Figure):
            raise TypeError(
                f"figure {figure.name!r}: draw gave {type(made).__name__}, no matplotlib Figure"
            )
        for label in made.findobj(Label):
            assert isinstance(label, Label)
            label.set_parse_math(False)
            if label.get_text() != (tidy := typeset.clean(label.get_text())):
                label.set_text(tidy)
        svg = _svg(made)
        made.set_layout_engine("none")  # the PNG has the layout that the SVG has found
        pixels = _pixels(made)
        lines = _title_lines(figure.title, float(made.get_size_inches()[0]))
        files = {"png": _png(_titled_pixels(pixels, lines)), "svg": _titled_svg(svg, lines)}
        return svg, files


def _draw_all(report: Report) -> tuple[dict[str, str], dict[str, bytes]]:
    images: dict[str, str] = {}
    pictures: dict[str, bytes] = {}
    for figure in report.figures():
        images[figure.name], made = draw(figure)
        for suffix, data in made.items():
            pictures[f"figures/{figure.name}.{suffix}"] = data
    return images, pictures


def _svg(made: matplotlib.figure.Figure) -> str:
    buffer = io.StringIO()
    FigureCanvasSVG(made).print_svg(buffer, metadata={"Date": None})
    return buffer.getvalue()


def _pixels(made: matplotlib.figure.Figure) -> np.ndarray:
    """The figure at 300 dpi, shape (height, width, 3)."""
    made.dpi = style.PNG_DPI
    canvas = FigureCanvasAgg(made)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _png(pixels: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    imsave(buffer, pixels, format="png", dpi=style.PNG_DPI)
    return buffer.getvalue()


# The title is set above the finished picture, which stays as it is in the PDF.

_TITLE_SIZE, _TITLE_LEADING, _TITLE_EDGE = 9.5, 12.5, 5.0  # points


def _title_lines(title: str, width: float) -> list[str]:
    """The title in lines that fit into this width in inches; words too long for one are cut."""
    font = FontProperties(family=style.FONT, weight="bold", size=_TITLE_SIZE)
    renderer = FigureCanvasAgg(matplotlib.figure.Figure(dpi=72)).get_renderer()
    available = width * 72 - 2 * _TITLE_EDGE

    def fits(line: str) -> bool:
        return renderer.get_text_width_height_descent(line, font, False)[0] <= available

    lines: list[str] = []
    for word in typeset.clean(title).split():
        if lines and fits(f"{lines[-1]} {word}"):
            lines[-1] += f" {word}"
            continue
        while not fits(word):
            cut = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or fits(word[:n]))
            lines.append(word[:cut])
            word = word[cut:]
        lines.append(word)
    return lines


def _title_height(lines: list[str]) -> float:
    return len(lines) * _TITLE_LEADING + _TITLE_EDGE


def _titled_pixels(pixels: np.ndarray, lines: list[str]) -> np.ndarray:
    if not lines:
        return pixels
    rows = round(_title_height(lines) / 72 * style.PNG_DPI)
    size = (pixels.shape[1] / style.PNG_DPI, rows / style.PNG_DPI)
    strip = matplotlib.figure.Figure(figsize=size)
    for index, line in enumerate(lines):
        strip.text(
            _TITLE_EDGE / 72 / size[0],
            1 - ((index + 1) * _TITLE_LEADING) / 72 / size[1],
            line,
            fontsize=_TITLE_SIZE,
            fontweight="bold",
        )
    head = _pixels(strip)
    return np.vstack([head[:, : pixels.shape[1]], pixels])


def _titled_svg(svg: str, lines: list[str]) -> bytes:
    if not lines:
        return svg.encode()
    width, height = typeset.svg_size(svg)
    room = _title_height(lines)
    svg = re.sub(
        r'\bheight="[\d.]+pt" viewBox="[^"]*"',
        f'height="{height + room:g}pt" viewBox="0 {-room:g} {width:g} {height + room:g}"',
        svg,
        count=1,
    )
    look = f"font-weight: 700; font-size: {_TITLE_SIZE}px; font-family: '{style.FONT}'"
    texts = "".join(
        f'  <text style="{look}; fill: {style.INK}" x="{_TITLE_EDGE:g}" '
        f'y="{(index + 1) * _TITLE_LEADING - room:g}">{escape(line)}</text>\n'
        for index, line in enumerate(lines)
    )
    ground = f'<rect x="0" y="{-room:g}" width="{width:g}" height="{room:g}" fill="#ffffff"/>'
    head, _, _ = svg.rpartition("</svg>")
    return f'{head} <g id="title">\n  {ground}\n{texts} </g>\n</svg>\n'.encode()


# Results --------------------------------------------------------------------------------------


def _results(report: Report, results: Mapping[str, Any]) -> dict[str, Any]:
    problems = [f"{key!r} comes from the report" for key in RESERVED if key in results]
    problems += [
        f"{key!r} is a timing, which belongs to run.json" for key in TIMINGS if key in results
    ]
    required = ("game", "players", "seats", "games", "seed", "metrics")
    problems += [f"{key!r} is missing" for key in required if key not in results]
    document: dict[str, Any] = {
        "schema": SCHEMA_NAME,
        "schema_version": SCHEMA_VERSION,
        "title": report.title,
        "question": report.question,
        "answer": [plain(line) for line in report.answer],
        "assumptions": [asdict(item) for item in report.assumptions],
        "reproduce": {
            "command": report.reproduce.command,
            "seed": report.reproduce.seed,
            "versions": dict(report.reproduce.versions),
            "hashes": dict(report.reproduce.hashes),
            "extra": dict(report.reproduce.extra),
        },
        "figures": [
            {
                "name": figure.name,
                "title": figure.title,
                "caption": plain(figure.caption),
                "alt": figure.alt,
                "png": f"figures/{figure.name}.png",
                "svg": f"figures/{figure.name}.svg",
            }
            for figure in report.figures()
        ],
        "tables": [
            {
                "name": table.name,
                "caption": plain(table.caption),
                "columns": [str(column) for column in table.frame.columns],
                "rows": len(table.frame),
                "csv": f"tables/{table.name}.csv",
            }
            for table in report.tables()
        ],
        **{key: _plain(value) for key, value in results.items()},
    }
    for index, row in enumerate(document.get("metrics", ())):
        lacking = [key for key in METRIC_KEYS if key not in row]
        if lacking:
            problems.append(f"metrics[{index}] lacks {', '.join(lacking)}")
    if problems:
        raise ValueError("results that cannot be written:\n- " + "\n- ".join(problems))
    return document


def _plain(value: Any) -> Any:
    match value:
        case None | bool() | int():
            return value
        case str():
            return typeset.clean(value)
        case float():
            return value if math.isfinite(value) else None
        case pd.DataFrame():
            return [_plain(row) for row in value.to_dict("records")]
        case Mapping():
            return {typeset.clean(str(key)): _plain(inner) for key, inner in value.items()}
        case np.generic():
            return _plain(value.item())
        case date():  # pandas' timestamps are dates, too
            return value.isoformat()
        case list() | tuple() | np.ndarray():
            return [_plain(inner) for inner in value]
        case set() | frozenset():
            return sorted(_plain(inner) for inner in value)
        case Path():
            return value.as_posix()
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return None
    raise TypeError(f"no place in a JSON file for {type(value).__name__}: {value!r}")


# Summary --------------------------------------------------------------------------------------


def summary(report: Report) -> str:
    """summary.md: the question, the answer, headline tables, and where the figures lie."""
    names = {("figure", f.name): _figure_link(f) for f in report.figures()}
    names |= {
        ("table", t.name): f"[{_link_words(plain(t.caption) or t.name)}](tables/{t.name}.csv)"
        for t in report.tables()
    }
    out = [f"# {markdown(report.title)}", f"**Question.** {markdown(report.question)}"]
    out += ["**Answer.**", "\n".join(f"- {_inline(line, names)}" for line in report.answer)]
    for figure in report.headline:
        picture = f"![{_link_words(figure.alt)}](figures/{figure.name}.png)"
        out += [f"## {markdown(figure.title or figure.name)}", picture]
        if figure.caption:
            out.append(_inline(figure.caption, names))
    for table in report.tables():
        if table.headline:
            out += [f"## {_inline(table.caption or table.name, names)}", markdown_table(table)]
    links = [f"- {_figure_link(figure)}" for figure in report.figures()]
    if links:
        out += ["## Figures", "\n".join(links)]
    tables = [
        f"- {names['table', table.name]}: {counted(len(table.frame), 'row')}"
        for table in report.tables()
    ]
    if tables:
        out += ["## Tables", "\n".join(tables)]
    fence = "```" if "```" not in report.reproduce.command else "~~~~"
    command = typeset.clean(report.reproduce.command)
    out += ["## Reproduce", f"{fence}sh\n{command}\n{fence}"]
    return "\n\n".join(out) + "\n"


def markdown_table(table: Table) -> str:
    """A table as Markdown, formatted as in the PDF; a sentence if it has no rows."""
    if table.frame.empty or not table.shown():
        return f"*{markdown(plain(table.empty))}*"
    heads, rules, columns = [], [], []
    for name, heading in table.shown().items():
        cells, numeric = column(table.frame, name, (table.formats or {}).get(name))
        heads.append(markdown(heading))
        rules.append("---:" if numeric else "---")
        columns.append([markdown(str(cell)) for cell in cells])
    lines = [heads, rules, *zip(*columns, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown(text: str) -> str:
    """Plain words in which Markdown and HTML see no markup."""
    text = " ".join(typeset.clean(text).split(" ")).replace("\r", " ").replace("\n", " ")
    text = re.sub(r"([\\`*_<>|~$]|\](?=[(\[:]))", r"\\\1", text)
    text = text.replace("&", "&amp;")
    return re.sub(r"^(\s*)([#+-]|\d+[.)])(?=\s|$)", r"\1\\\2", text)


def plain(text: str) -> str:
    """Words without the markup of `reports.document`."""
    return "".join(
        item["t"].replace("-", " ", 1) if item.get("s") == "ref" else item["t"]
        for item in typeset.spans(text)
    ).replace(typeset.ZERO_WIDTH_SPACE, "")


def _inline(text: str, names: Mapping[tuple[str, str], str]) -> str:
    out = []
    for item in typeset.spans(text):
        words = item["t"].replace(typeset.ZERO_WIDTH_SPACE, "")
        match item.get("s"):
            case "strong":
                out.append(f"**{markdown(words)}**")
            case "emph":
                out.append(f"*{markdown(words)}*")
            case "code":
                out.append(f"`{words}`")
            case "ref":
                kind, _, name = words.partition("-")
                out.append(names[kind, name])
            case _:
                out.append(markdown(words))
    return "".join(out)


def _figure_link(figure: Figure) -> str:
    return f"[{_link_words(figure.title or figure.name)}](figures/{figure.name}.png)"


def _link_words(text: str) -> str:
    return re.sub(r"(?<!\\)([\[\]])", r"\\\1", markdown(text))


# Files ----------------------------------------------------------------------------------------


def _replace(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Put these files into the folder in place of the earlier report's, or change nothing."""
    with _readable_errors(folder):
        earlier = _earlier(folder, contents)
        made = _make_folders(folder)
        try:
            work = Path(tempfile.mkdtemp(prefix=".report-", dir=folder))
            try:
                for name, data in contents.items():
                    _write_file(work / "new" / name, data)
                _swap(folder, work, list(contents), earlier)
            finally:
                shutil.rmtree(work, ignore_errors=True)
        except BaseException:
            for path in reversed(made):  # empty folders only: rmdir refuses others
                try:
                    path.rmdir()
                except OSError:
                    break
            raise


def _earlier(folder: Path, contents: Iterable[str]) -> list[str]:
    """Files of the earlier report in this folder. Raises UserError if others are in the way."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"Cannot write the report: {folder} is a file, not a folder.")
    listed: list[str] = []
    record = folder / "results.json"
    if record.is_file():
        try:
            document = json.loads(record.read_text("utf-8"))
        except ValueError:
            document = None
        if isinstance(document, dict) and document.get("schema") == SCHEMA_NAME:
            listed = [str(name) for name in document.get("files", []) if _inside(str(name))]
    foreign = [name for name in contents if (folder / name).exists() and name not in listed]
    if foreign:
        few = ", ".join(sorted(foreign)[:3]) + (", ..." if len(foreign) > 3 else "")
        raise UserError(
            f"Cannot write the report to {folder}: it holds files of the same names that are no "
            f"report of Assay ({few}). Choose another folder, or move them away."
        )
    return [name for name in listed if (folder / name).is_file()]


def _inside(name: str) -> bool:
    """Whether a listed name is one that a report of ours can have: nothing leads elsewhere."""
    return bool(
        re.fullmatch(r"report\.pdf|results\.json|summary\.md|figures/[\w-]+\.(png|svg)", name)
        or re.fullmatch(r"tables/[\w-]+\.csv", name)
    )


def _make_folders(folder: Path) -> list[Path]:
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir()
    return missing[::-1]


def _write_file(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())  # a full disk shows now, not after the old file is gone


def _swap(folder: Path, work: Path, names: list[str], earlier: list[str]) -> None:
    """Move new files in and old ones out by renames; undo them all if one fails."""
    undo: list[tuple[Path, Path]] = []  # (where it is now, where it came from)

    def move(source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
        undo.append((target, source))

    try:
        for name in earlier:
            move(folder / name, work / "old" / name)
        for name in names:
            move(work / "new" / name, folder / name)
    except BaseException:
        for now, before in reversed(undo):
            now.rename(before)
        raise
    for name in ("figures", "tables"):
        if (folder / name).is_dir() and not any((folder / name).iterdir()):
            (folder / name).rmdir()


@contextmanager
def _readable_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"Cannot write to {folder}: {error.strerror or error}. "
            "What was there before is unchanged."
        ) from error


__all__ = [
    "SCHEMA_NAME",
    "SCHEMA_VERSION",
    "csv",
    "draw",
    "dump",
    "markdown",
    "markdown_table",
    "plain",
    "schema",
    "summary",
    "write",
    "write_run",
]
