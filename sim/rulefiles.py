"""The files of a game's folder, read into entries; no model has seen them yet.

The format is in the docstring of `sim.content`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.errors import UserError, choices, nearest
from sim.tomlfile import (
    Parts,
    Problem,
    ProblemsError,
    dotted,
    read_text,
    read_toml,
    show,
    toml_value,
    unusable,
)
from sim.wording import counted

RULEBOOK = "rulebook.toml"
ASSUMED = "assumed.toml"
ALTERNATIVES = "alternatives.toml"
DEFAULT = "default"  # the option of a choice that replaces nothing
JUDGED = "judged"

_PRINTED_KEYS = ("value", "section")
_ASSUMED_KEYS = ("value", "low", "high", "range", "evidence")
_ALTERNATIVE_KEYS = ("evidence", "set")


@dataclass(frozen=True)
class Raw:
    """One entry as a file gives it."""

    parts: Parts
    value: Any
    source: str
    file: str
    lines: Mapping[Parts, int]
    base: Parts  # where `lines` has this entry
    section: str | None = None
    low: Any = None
    high: Any = None
    range: Any = None
    evidence: str | None = None

    @property
    def in_list(self) -> bool:
        """Whether this is a cell of a CSV list."""
        return self.file.endswith(".csv")

    def line(self, inside: Parts = ()) -> int | None:
        """Return the line of the value, or of what `inside` names in it."""
        for end in range(len(inside), -1, -1):
            line = self.lines.get((*self.base, "value", *inside[:end]))
            if line is not None:
                return line
        return self.lines.get(self.base)


@dataclass
class Alternative:
    """A named set of values: used when the key `choice` has the value `option`."""

    choice: Parts
    option: str
    evidence: str
    values: dict[str, Any]
    file: str
    lines: Mapping[Parts, int]


@dataclass
class Files:
    """What the files of a folder say, before a model has seen it."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)
    broken: bool = False  # a whole file could not be read
    raws: dict[Parts, list[Raw]] = field(default_factory=dict)
    alternatives: list[Alternative] = field(default_factory=list)
    spoilt: set[Parts] = field(default_factory=set)  # entries that had problems of their own

    def complain(self, file: str, line: int | None, parts: Parts, text: str) -> None:
        """Note a problem of one entry."""
        self.problems.append(Problem(file, line, dotted(parts), text))
        self.spoilt.add(parts)


def data_files(folder: Path) -> list[Path]:
    """Return the data files that are in a folder, sorted by name."""
    names = (RULEBOOK, ASSUMED, ALTERNATIVES)
    lists = [path for path in folder.glob("*.csv") if not path.name.startswith(".")]
    return sorted([folder / name for name in names if (folder / name).is_file()] + lists)


def read_folder(
    folder: Path,
    game: str,
    expected: Collection[str],
    groups: Mapping[str, Mapping[str, bool] | None],
) -> Files:
    """Read all data files of a folder.

    game: the name its rulebook must carry ("": any). expected: files that must be there.
    groups: first parts of keys, which are the names that lists may have, with the columns of a
    list and whether all its rows need them; None where that is not known.
    """
    files = Files(folder)
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    for name in dict.fromkeys((*expected, *(path.name for path in data_files(folder)))):
        path = folder / name
        try:
            if path.suffix == ".csv":
                _read_csv(files, path, groups)
                continue
            table, lines = read_toml(path)
        except ProblemsError as error:
            files.problems += error.problems
            files.broken = True
            continue
        if name == ALTERNATIVES:
            _collect_alternatives(files, table, (), str(path), lines)
            continue
        if name == RULEBOOK:
            _check_game(files, game, table.pop("game", None), str(path), lines)
        _collect(files, table, (), str(path), lines, printed=name == RULEBOOK)
    return files


def _check_game(files: Files, game: str, named: Any, file: str, lines: Mapping[Parts, int]) -> None:
    if not game or named == game:
        return
    if named is None:
        text = f'is missing; write game = "{game}" above the first table'
    else:
        text = f"{show(named)} is another game; these are rules of {game}"
    files.complain(file, lines.get(("game",)), ("game",), text)


def _collect(
    files: Files,
    table: Mapping[str, Any],
    parts: Parts,
    file: str,
    lines: Mapping[Parts, int],
    *,
    printed: bool,
) -> None:
    """Walk a TOML table and keep the entries in it."""
    meta = _PRINTED_KEYS if printed else _ASSUMED_KEYS
    for name, item in table.items():
        path = (*parts, name)
        line = lines.get(path)
        if isinstance(item, dict) and "value" in item:
            _keep(files, path, item, file, lines, printed=printed)
        elif isinstance(item, dict):
            if any(key in meta and not isinstance(inner, dict) for key, inner in item.items()):
                files.complain(file, line, path, "has no value")
                item = {key: inner for key, inner in item.items() if key not in meta}
            _collect(files, item, path, file, lines, printed=printed)
        else:
            rest = 'section = "..."' if printed else 'low = ..., high = ..., evidence = "..."'
            text = f"stands alone; write {name} = {{ value = {show(item)}, {rest} }}"
            files.complain(file, line, path, text)


def _keep(
    files: Files,
    parts: Parts,
    item: Mapping[str, Any],
    file: str,
    lines: Mapping[Parts, int],
    *,
    printed: bool,
    base: Parts | None = None,
) -> None:
    """Check what surrounds one value, and keep it."""
    base = parts if base is None else base
    meta = _PRINTED_KEYS if printed else _ASSUMED_KEYS
    raw = Raw(
        parts,
        item["value"],
        "rulebook" if printed else "assumed",
        file,
        lines,
        base,
        **{key: item.get(key) for key in meta if key != "value"},
    )

    def complain(key: str, text: str) -> None:
        files.complain(file, lines.get((*base, key), lines.get(base)), parts, text)

    for key in item:
        if key not in meta:
            complain(key, f"{key}: unknown key{nearest(key, meta)}; known keys: {choices(meta)}")
    reason = unusable(raw.value)
    if reason:
        complain("value", reason)
    text_key = "section" if printed else "evidence"
    text = item.get(text_key)
    if not isinstance(text, str) or not text.strip():
        what = "is missing" if text is None else f"{show(text)} is not a sentence"
        complain(text_key, f"{text_key} {what}")
    if not printed and not reason:
        problem = _range_problem(raw)
        if problem:
            complain(*problem)
    if reason:
        return  # the model could make nothing of it
    others = files.raws.setdefault(parts, [])
    if others:
        first = others[0]
        both = isinstance(first.value, list) and isinstance(raw.value, list)
        if len(others) > 1 or not both or (first.source, raw.source) != ("rulebook", "assumed"):
            place = f"{Path(first.file).name}:{first.line()}"
            complain("value", f"stands twice; the other one is in {place}")
            return
    others.append(raw)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _has_numbers(value: Any) -> bool:
    if isinstance(value, list | dict):
        return any(map(_has_numbers, value.values() if isinstance(value, dict) else value))
    return _is_number(value)


def _range_problem(raw: Raw) -> tuple[str, str] | None:
    """Return (key, what is wrong) with low, high and range of an assumed entry."""
    value, low, high = raw.value, raw.low, raw.high
    if raw.range is not None and not isinstance(raw.range, str):
        return "range", f'range {show(raw.range)} is neither "{JUDGED}" nor the key of a choice'
    if not _has_numbers(value):
        if low is not None or high is not None or raw.range is not None:
            key = "low" if low is not None else "high" if high is not None else "range"
            return key, f"{key}: only numbers have one"
        return None
    if raw.range not in (None, JUDGED):
        if "." not in raw.range:  # no key of a choice
            hint = nearest(raw.range, [JUDGED])
            return (
                "range",
                f'range {show(raw.range)} is neither "{JUDGED}" nor the key of a choice{hint}',
            )
        if low is not None or high is not None:
            key = "low" if low is not None else "high"
            return key, f"{key}: the alternatives of {raw.range} are the range"
        return None
    for key, bound in (("low", low), ("high", high)):
        if bound is None:
            return key, f"{key} is missing"
        reason = unusable(bound)
        if reason:
            return key, f"{key}: {reason}"
    values, lows, highs = (x if isinstance(x, list) else [x] for x in (value, low, high))
    same = isinstance(value, list) == isinstance(low, list) == isinstance(high, list)
    if not same or not len(values) == len(lows) == len(highs):
        return "low", "value, low and high are not alike; give each the same number of numbers"
    if not all(map(_is_number, (*values, *lows, *highs))):
        return "low", "value, low and high must be numbers"
    if not all(a <= b <= c for a, b, c in zip(lows, values, highs, strict=True)):
        return "low", f"{show(value)} is not between low {show(low)} and high {show(high)}"
    return None


def _collect_alternatives(
    files: Files,
    table: Mapping[str, Any],
    parts: Parts,
    file: str,
    lines: Mapping[Parts, int],
) -> None:
    for name, item in table.items():
        path = (*parts, name)
        line = lines.get(path)
        if not isinstance(item, dict):
            files.complain(file, line, path, "stands alone; an alternative has evidence and set")
        elif not isinstance(item.get("set"), dict):
            if "set" in item or "evidence" in item:
                files.complain(file, line, path, "set is missing: the keys and their new values")
            else:
                _collect_alternatives(files, item, path, file, lines)
        else:
            for key in item:
                if key not in _ALTERNATIVE_KEYS:
                    known = _ALTERNATIVE_KEYS
                    text = f"{key}: unknown key{nearest(key, known)}; known keys: {choices(known)}"
                    files.complain(file, lines.get((*path, key)), path, text)
            evidence = item.get("evidence")
            if not isinstance(evidence, str) or not evidence.strip():
                files.complain(file, line, path, "evidence is missing")
            if name == DEFAULT or not parts:
                text = f'an alternative is [KEY.NAME], and NAME is not "{DEFAULT}"'
                files.complain(file, line, path, text)
                continue
            files.alternatives.append(
                Alternative(parts, name, str(evidence), item["set"], file, lines)
            )


_RESERVED = ("range", "evidence", "section")


def _read_csv(files: Files, path: Path, groups: Mapping[str, Mapping[str, bool] | None]) -> None:
    """Keep the entries of one list; the file's stem is the first part of their keys."""
    text = read_text(path)
    file, group = str(path), path.stem
    if group not in groups:
        known = [f"{name}.csv" for name in groups]
        text = f"this game has no such list{nearest(path.name, known)}"
        files.problems.append(Problem(file, None, "", text))
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, [cell.strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ProblemsError([Problem(file, line, "", f"is not a CSV list: {error}")]) from None
    if not rows:
        raise ProblemsError([Problem(file, None, "", "is empty")])
    head_line, head = rows[0]
    if len(head) < 2:
        raise ProblemsError(
            [Problem(file, head_line, "", "has one column; separate columns by commas")]
        )
    doubles = sorted({name for name in head if head.count(name) > 1})
    if doubles:
        raise ProblemsError([Problem(file, head_line, "", f"column {doubles[0]!r} stands twice")])
    if len(rows) == 1:
        text = "has a head but no rows; write a line below it for each thing of the list"
        raise ProblemsError([Problem(file, head_line, "", text)])
    values = [name for name in head[1:] if name not in _RESERVED]
    bounds = set(_bounds(values))
    strange: set[str] = set()
    columns = groups[group]
    if columns is not None:  # said once, not in every row
        strange = set(values) - {*columns, *_bounds(columns)}
        text, unusable_head = _head_problem(values, columns, strange)
        if unusable_head:
            raise ProblemsError([Problem(file, head_line, group, text)])
        if text:
            files.complain(file, head_line, (group,), text)
    seen: dict[str, int] = {}
    for row_line, cells in rows[1:]:
        if len(cells) != len(head):
            wanted = counted(len(head), "column")
            what = f"{counted(len(cells), 'cell')} in a row, {wanted} in the head"
            files.complain(file, row_line, (group, cells[0]), what)
            continue
        name = cells[0]
        if not name or "." in name:
            what = f"{show(name)} has a dot" if name else "the first cell, the name, is empty"
            files.complain(file, row_line, (group,), f"{what}; names are parts of keys")
            continue
        row = dict(zip(head, cells, strict=True))
        if name in seen:
            files.complain(file, row_line, (group, name), f"stands twice; see line {seen[name]}")
            continue
        seen[name] = row_line
        printed = bool(row.get("section")) and not row.get("evidence")
        for column in values:
            if column in strange:
                continue
            if column in bounds:
                if row[column] and not row[column.rsplit("_", 1)[0]]:
                    files.complain(
                        file, row_line, (group, name), f"{column} without a value to bound"
                    )
                continue
            if not row[column]:
                continue
            parts = (group, name, column)
            item: dict[str, Any] = {"value": _cell(row[column])}
            for key in ("low", "high"):
                bound = row.get(f"{column}_{key}")
                if bound:
                    item[key] = _cell(bound)
            for key in _RESERVED:
                if row.get(key) and (key != "range" or _has_numbers(item["value"])):
                    item[key] = row[key]
            _keep(files, parts, item, file, {parts: row_line}, printed=printed)


def _bounds(columns: Iterable[str]) -> list[str]:
    """Return the columns that hold the low and high ends of others."""
    return [f"{name}{end}" for name in columns for end in ("_low", "_high")]


def _head_problem(
    values: Sequence[str], columns: Mapping[str, bool], strange: Collection[str]
) -> tuple[str, bool]:
    """Say what is wrong with the head of a list, "" if nothing is, and whether rows make no sense.

    values: its columns but for the first and those of every list. strange: those of them that the
    list cannot have.
    """
    wrong = [
        f"unknown column {show(name)}{nearest(name, columns)}"
        for name in sorted(set(strange) - set(_bounds(strange)))
    ]
    missing = [
        name
        for name, needed in columns.items()
        if name not in values and (needed or not {*_bounds([name])}.isdisjoint(values))
    ]
    empty = not missing and not strange and not set(columns) & set(values)
    if missing:
        names = ", ".join(map(show, missing))
        wrong.append(f"column{'s' * (len(missing) > 1)} {names} {_verb(missing)} missing")
    if empty:
        wrong.append("no column says anything of the rows")
    if wrong:
        wrong.append(f"known columns: {choices([*columns, *_RESERVED])}")
    return "; ".join(wrong), bool(missing) or empty


def _verb(names: Collection[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _cell(text: str) -> Any:
    """Return what a cell holds: a TOML value if it reads as one, a word otherwise."""
    try:
        return toml_value(text)
    except ValueError:
        return text
