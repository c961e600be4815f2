"""Results as text: aligned for eyes, JSON for programs, CSV, Markdown.

A row is a dict; rows need not have the same keys. A key that a row lacks is an empty cell, and
absent in JSON.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

Row = Mapping[str, Any]
_FIGURE = ("estimate", "low", "high")


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def columns_of(rows: Iterable[Row]) -> list[str]:
    """Return all keys, each at the place where the first row that has it puts it."""
    columns: list[str] = []
    for row in rows:
        place = 0
        for key in row:
            if key in columns:
                place = columns.index(key) + 1
            else:
                columns.insert(place, key)
                place += 1
    return columns


def number(value: int | float | None, digits: int = 4) -> str:
    """Return a number for reading: significant digits, thousands separated, no exponent.

    None is what is not known, like nan. A minus is one, as in reports; CSV and JSON keep hyphens.
    """
    if isinstance(value, int):
        return (f"{value:,}" if abs(value) >= 10_000 else str(value)).replace("-", "−")
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(places, 8)}f}".replace("-", "−")


def percent(share: float, decimals: int = 0) -> str:
    """Return a share as percent, as reports write it."""
    return f"{100 * share:.{decimals}f} %"


def cell(value: Any) -> str:
    """Return a value for a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    return str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def table(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Return rows in aligned columns, numbers to the right, never cut off."""
    names = columns_of(rows) if columns is None else list(columns)
    cells = [[cell(row.get(name)) for name in names] for row in rows]
    numeric = [
        any(name in row for row in rows)
        and all(_is_number(row[name]) for row in rows if row.get(name) is not None)
        for name in names
    ]
    widths = [
        max(len(name), *(len(line[place]) for line in cells)) if cells else len(name)
        for place, name in enumerate(names)
    ]
    lines = []
    for line in [names, ["-" * width for width in widths], *cells]:
        parts = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def markdown(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Return rows as a Markdown table."""
    names = columns_of(rows) if columns is None else list(columns)
    lines = [names, ["---"] * len(names)]
    lines += [[cell(row.get(name)).replace("|", "\\|") for name in names] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def comma_separated(rows: Sequence[Row], columns: Sequence[str] | None = None) -> str:
    """Return rows as CSV with a header; numbers in full, missing cells empty."""
    names = columns_of(rows) if columns is None else list(columns)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_plain(row.get(name)) for name in names])
    return file.getvalue().rstrip("\n")


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | dict):
        return as_json(value, indent=None)
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return value


def _finite(value: Any) -> Any:
    """Return a value that JSON can hold: what is not finite becomes null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def as_json(value: Any, indent: int | None = 2) -> str:
    """Return a value as JSON; infinite bounds and missing estimates are null."""
    return json.dumps(_finite(value), indent=indent, ensure_ascii=False, allow_nan=False)


def as_toml(value: Any) -> str:
    """Return a value as TOML on one line, as `--set` takes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {as_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def render(
    rows: Sequence[Row],
    form: Format,
    *,
    document: Any = None,
    shown: Sequence[Row] | None = None,
) -> str:
    """Return rows in a format.

    document: what JSON gives instead of the list of rows. shown: the rows that tables for
    reading give instead, with rounder and fewer columns.
    """
    if form is Format.JSON:
        return as_json(list(rows) if document is None else document)
    if form is Format.CSV:
        return comma_separated(rows)
    if form is Format.MARKDOWN:
        return markdown(rows if shown is None else shown)
    return table(rows if shown is None else shown)


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """Return a frame's rows as plain dictionaries without the keys a row is not grouped by.

    A figure that cannot be told, such as a share of nothing, stays, as None.
    """
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [
        {
            key: value.item() if hasattr(value, "item") else value
            for key, value in row.items()
            if value is not None or key in _FIGURE
        }
        for row in rows
    ]
