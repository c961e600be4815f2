"""A game's numbers: read from files, checked, patched, with their provenance.

A game's data are files in one folder; `docs/rules_files.md` explains them to designers.

`rulebook.toml`
    What a source gives. Each number is a table whose dotted path is its key:
    `[dice.sides]` with `value` and `section`. The line `game = "..."` names the game.
`assumed.toml`
    What nobody published: `value`, `low`, `high`, `evidence`, and `range = "judged"` where the
    range is a judgement. A list in both files is one list: the assumed part continues the
    printed one. Words and true/false have no low and high; the model says what is allowed.
`*.csv`
    Lists of many like things: the first column names them, each other column is a key
    `file.name.column`; `column_low`, `column_high`, `range` and `evidence` (or `section`, for
    printed rows) say where the numbers come from. An empty cell is no number.
`alternatives.toml`
    Named sets of values, chosen by a key: `[switches.profile.rich]` with `evidence` and `set`
    replaces the keys under `set` when `switches.profile` is "rich"; "default" replaces none.
    An assumed number may name such a choice as its range: `range = "switches.profile"`.

Every number stands once. `load` checks all files against a pydantic model of the game and
raises one UserError that lists every problem with file, line and key.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import importlib
import io
import itertools
import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from sim.errors import UserError, choices, nearest

RULEBOOK = "rulebook.toml"
ASSUMED = "assumed.toml"
ALTERNATIVES = "alternatives.toml"
DEFAULT = "default"  # the option of a choice that replaces nothing
JUDGED = "judged"

_PRINTED_KEYS = ("value", "section")
_ASSUMED_KEYS = ("value", "low", "high", "range", "evidence")
_ALTERNATIVE_KEYS = ("evidence", "set")
_NUMBER_LIMIT = 2**53  # beyond it a float, and so JSON elsewhere, is no longer exact

Parts = tuple[str | int, ...]


class Model(BaseModel):
    """Base of the models of games: unknown keys, conversions and changes are refused.

    GAME: the name the folder's rulebook must carry. FILES: the files a folder must hold.
    Docstrings under fields become the meanings that entries carry.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )

    GAME: ClassVar[str] = ""
    FILES: ClassVar[tuple[str, ...]] = (RULEBOOK, ASSUMED)

    def problems(self) -> Iterable[tuple[tuple[str, ...], str]]:
        """Yield (keys involved, what is wrong) for combinations that no game can be played with.

        Called when every single value is fine.
        """
        return ()


M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Patch:
    """A patched value that remembers the file and line it came from."""

    value: Any
    file: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Entry:
    """One number (or word, or list) of a game, and where it comes from.

    key: dotted path, as patches write it. Lists with ranges, and lists of two sources, have one
    entry per element (`key.0`, `key.1`, ...), so whatever has a `low` is a single number.
    source: "rulebook", "assumed" or "patched". For a patched entry `was` is the number that was
    replaced and section, evidence, low, high and range are those of that number.
    section: where the source gives it. evidence, low, high: why an assumed number is what it is.
    range: "judged" for a range nobody published, the key of a choice whose alternatives are the
    range, or the option that was chosen ("switches.profile = rich").
    options: the values a word or a switch can have. allowed: what the model accepts, in words.
    file, line: where it stands (for a patch: where the patch stands, if known).
    """

    key: str
    value: Any
    source: str
    section: str | None = None
    low: float | None = None
    high: float | None = None
    range: str | None = None
    evidence: str | None = None
    file: str | None = None
    line: int | None = None
    was: Any = None
    options: tuple[Any, ...] | None = None
    allowed: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class Content(Generic[M]):
    """Checked content of a game.

    hash: sha256 over all values, whatever file or patch they come from. files_hash: sha256 over
    the names and bytes of the files. patches: dotted key to plain value, in order.
    """

    model: M
    entries: tuple[Entry, ...]
    patches: Mapping[str, Any]
    hash: str
    files_hash: str
    folder: Path


# --- problems ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Problem:
    file: str
    line: int | None
    key: str
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.key, self.text) if part)


def _fail(problems: Iterable[_Problem]) -> UserError:
    ordered = sorted(problems, key=lambda p: (p.file, p.line or 0))
    return UserError("\n".join(dict.fromkeys(str(problem) for problem in ordered)))


def _dotted(parts: Parts) -> str:
    return ".".join(str(part) for part in parts)


def _split(key: str) -> Parts:
    return tuple(key.split("."))


def show(value: Any) -> str:
    """Return a value as a designer writes it in TOML, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= _NUMBER_LIMIT:
        return "a number of more than 15 digits"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, dict):
        text = "{" + ", ".join(f"{key} = {show(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(show(item) for item in value) + "]"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _plain(value: Any) -> Any:
    """Return a value of a patch with tuples and numpy's scalars and arrays made plain."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _unusable(value: Any) -> str:
    """Say why a value can be no content at all (""), before any model sees it."""
    if isinstance(value, bool | str):
        return ""
    if isinstance(value, int):
        return f"{show(value)} is too large" if abs(value) >= _NUMBER_LIMIT else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"{value} is not a finite number"
    if isinstance(value, list):
        return next(filter(None, map(_unusable, value)), "")
    if isinstance(value, dict):
        return next(filter(None, map(_unusable, value.values())), "")
    return f"{show(value)} is neither a number nor a word, a list, true or false"


# --- lines of TOML -------------------------------------------------------------------------------


class _Lines:
    """Finds the line of every key of a valid TOML text; tomllib gives values only."""

    _BARE = re.compile(r"[A-Za-z0-9_-]+")
    _BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
    _SPACE = re.compile(r"[ \t]*")
    _SCALAR = re.compile(r"[^,\]}#\n]*")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.found: dict[Parts, int] = {}
        self.sizes: dict[Parts, int] = {}  # of arrays of tables
        table: Parts = ()
        self._skip(self._BLANK)
        while self.at < len(text):
            line = self.line
            if text.startswith("[[", self.at):
                self._move(2)
                *parents, last = self._key()
                self._move(2)
                path = (*self._resolve(parents), last)
                index = self.sizes.get(path, 0)
                self.sizes[path] = index + 1
                table = (*path, index)
                self._note(table, line)
            elif text[self.at] == "[":
                self._move(1)
                table = self._resolve(self._key())
                self._move(1)
                self._note(table, line)
            else:
                self._pair(table)
            self._skip(self._BLANK)

    def _move(self, count: int) -> None:
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        found = match.group() if match else ""
        self._move(len(found))
        return found

    def _note(self, path: Parts, line: int) -> None:
        for end in range(1, len(path) + 1):
            self.found.setdefault(path[:end], line)

    def _resolve(self, parts: Iterable[str | int]) -> Parts:
        path: Parts = ()
        for part in parts:
            path = (*path, part)
            if path in self.sizes:
                path = (*path, self.sizes[path] - 1)
        return path

    def _key(self) -> list[str]:
        """Read a dotted key, blanks around it included."""
        parts = []
        while True:
            self._skip(self._SPACE)
            if self.text[self.at] in "\"'":
                start = self.at
                self._string()
                parts.append(tomllib.loads("key = " + self.text[start : self.at])["key"])
            else:
                parts.append(self._skip(self._BARE))
            self._skip(self._SPACE)
            if self.text[self.at] != ".":
                return parts
            self._move(1)

    def _pair(self, table: Parts) -> None:
        line = self.line
        path = (*table, *self._key())
        self._note(path, line)
        self._move(1)  # the equals sign
        self._skip(self._SPACE)
        self._value(path)

    def _value(self, path: Parts) -> None:
        start = self.text[self.at]
        if start in "\"'":
            self._string()
        elif start == "[":
            self._move(1)
            for index in itertools.count():
                self._skip(self._BLANK)
                if self.text[self.at] == "]":
                    break
                self._note((*path, index), self.line)
                self._value((*path, index))
                self._skip(self._BLANK)
                if self.text[self.at] == ",":
                    self._move(1)
            self._move(1)
        elif start == "{":
            self._move(1)
            self._skip(self._BLANK)
            while self.text[self.at] != "}":
                self._pair(path)
                self._skip(self._BLANK)
                if self.text[self.at] == ",":
                    self._move(1)
                self._skip(self._BLANK)
            self._move(1)
        else:
            self._skip(self._SCALAR)

    def _string(self) -> None:
        quote = self.text[self.at]
        fence = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        end = self.at + len(fence)
        while not self.text.startswith(fence, end):
            end += 2 if self.text[end] == "\\" and quote == '"' else 1
        end += len(fence)
        while len(fence) == 3 and self.text[end : end + 1] == quote:
            end += 1  # a long string may end with up to two quotes of its own
        self._move(end - self.at)


def toml_lines(text: str) -> dict[Parts, int]:
    """Return the line of every key, table and list element of a valid TOML text.

    Paths are tuples of keys and list indices. A table has the line of its first mention.
    """
    return _Lines(text.replace("\r\n", "\n")).found


def read_toml(path: Path) -> tuple[dict[str, Any], dict[Parts, int]]:
    """Return the values of a TOML file and the line of each of its keys.

    Raises UserError, naming the file and line, for a file that is missing, unreadable, not UTF-8
    or not TOML.
    """
    text = _read_text(path)
    try:
        return tomllib.loads(text), toml_lines(text)
    except RecursionError:
        raise _fail([_Problem(str(path), None, "", "is nested too deeply")]) from None
    except ValueError as error:
        words = str(error)
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", words)
        line = None
        if place:
            words = words.replace(place.group(), "")
            # the end of the document is the last line that holds anything
            line = int(place.group(1)) if place.group(1) else len(text.rstrip().splitlines()) or 1
        if words == "Cannot overwrite a value":
            words = "this key stands twice"
        elif words.startswith("Cannot declare"):
            words = "this table stands twice"
        else:
            words = f"is not valid TOML: {words}"
        raise _fail([_Problem(str(path), line, "", words)]) from None


def _read_text(path: Path) -> str:
    data = _read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _fail([_Problem(str(path), line, "", "is not UTF-8; save it as UTF-8")]) from None


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise _fail([_Problem(str(path), None, "", "is missing")]) from None
    except OSError as error:
        text = f"cannot be read: {error.strerror}"
        raise _fail([_Problem(str(path), None, "", text)]) from None


# --- what the model allows -----------------------------------------------------------------------


class _Schema:
    """The JSON schema of a model, walked by key: what is known and what is allowed."""

    def __init__(self, model: type[Model]) -> None:
        self.root = model.model_json_schema()
        self.known = [_dotted(key) for key in self.keys()]

    def _node(self, node: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in node:
            target = self.root["$defs"][node["$ref"].rsplit("/", 1)[1]]
            node = target | {key: item for key, item in node.items() if key != "$ref"}
        return node

    def children(self, node: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the named parts of a table."""
        node = self._node(node)
        if "propertyNames" in node:
            names = self._node(node["propertyNames"])
            known = names.get("enum", [names["const"]] if "const" in names else [])
            return dict.fromkeys(known, node["additionalProperties"])
        return node.get("properties", {})

    def find(self, parts: Parts) -> dict[str, Any] | None:
        """Return what the model says of a key; None for a key it does not know."""
        node = self._node(self.root)
        for part in parts:
            child: Any = None
            if node.get("type") == "array":
                if str(part).isdecimal():
                    first = node.get("prefixItems", [])
                    index = int(part)
                    child = first[index] if index < len(first) else node.get("items")
            else:
                child = self.children(node).get(str(part))
                if child is None and "propertyNames" not in node:
                    child = node.get("additionalProperties")
            if not isinstance(child, dict):
                return None
            node = self._node(child)
        return node

    def keys(self, parts: Parts = ()) -> Iterator[Parts]:
        """Yield every key, groups before what is in them."""
        for name in self.children(self.find(parts) or {}):
            yield (*parts, name)
            yield from self.keys((*parts, name))

    def is_group(self, parts: Parts) -> bool:
        return bool(self.children(self.find(parts) or {}))

    def options(self, parts: Parts) -> tuple[Any, ...] | None:
        """Return the values of a switch; None for anything else."""
        node = self.find(parts) or {}
        if node.get("type") == "boolean":
            return (True, False)
        return tuple(node["enum"]) if "enum" in node else None

    def allowed(self, node: dict[str, Any]) -> str:
        """Say in words what a node accepts."""
        node = self._node(node)
        if "anyOf" in node:
            return " or ".join(self.allowed(option) for option in node["anyOf"])
        if "const" in node:
            return show(node["const"])
        if "enum" in node:
            return ", ".join(sorted(show(option) for option in node["enum"]))
        kind = node.get("type")
        if kind == "boolean":
            return "true, false"
        if kind in ("integer", "number"):
            text = "a whole number" if kind == "integer" else "a number"
            low = node.get("minimum")
            high = node.get("maximum")
            if low is not None and high is not None:
                return f"{text} from {low} to {high}"
            if low is not None:
                return f"{text} of at least {low}"
            return text if high is None else f"{text} of at most {high}"
        if kind == "string":
            return "a word"
        if kind == "array":
            low, high = node.get("minItems", 0), node.get("maxItems")
            size = f"{low}" if low == high else f"{low} to {high}" if high else f"{low} or more"
            items = (node.get("prefixItems") or [node.get("items", {})])[0]
            return f"a list of {size}, each {self.allowed(items)}"
        names = self.children(node)
        return "a table with " + ", ".join(names) if names else "a table"


@functools.cache
def _schema(model: type[Model]) -> _Schema:
    return _Schema(model)


# --- reading files -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Raw:
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

    def line(self, inside: Parts = ()) -> int | None:
        for end in range(len(inside), -1, -1):
            line = self.lines.get((*self.base, "value", *inside[:end]))
            if line is not None:
                return line
        return self.lines.get(self.base)


@dataclass
class _Alternative:
    choice: Parts
    option: str
    evidence: str
    values: dict[str, Any]
    file: str
    lines: Mapping[Parts, int]


@dataclass
class _Files:
    """What the files of a folder say, before a model has seen it."""

    folder: Path
    problems: list[_Problem] = field(default_factory=list)
    broken: bool = False  # a whole file could not be read
    raws: dict[Parts, list[_Raw]] = field(default_factory=dict)
    alternatives: list[_Alternative] = field(default_factory=list)
    spoilt: set[Parts] = field(default_factory=set)  # entries that had problems of their own

    def complain(self, file: str, line: int | None, parts: Parts, text: str) -> None:
        self.problems.append(_Problem(file, line, _dotted(parts), text))
        self.spoilt.add(parts)


def data_files(folder: Path) -> list[Path]:
    """Return the data files that are in a folder, sorted by name."""
    names = (RULEBOOK, ASSUMED, ALTERNATIVES)
    lists = [path for path in folder.glob("*.csv") if not path.name.startswith(".")]
    return sorted([folder / name for name in names if (folder / name).is_file()] + lists)


def _read_folder(model: type[Model], folder: Path) -> _Files:
    files = _Files(folder)
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder")
    schema = _schema(model)
    names = dict.fromkeys((*model.FILES, *(path.name for path in data_files(folder))))
    for name in names:
        path = folder / name
        try:
            if path.suffix == ".csv":
                _read_csv(files, path, schema)
                continue
            table, lines = read_toml(path)
        except UserError as error:
            files.problems.append(_Problem("", None, "", str(error)))
            files.broken = True
            continue
        if name == ALTERNATIVES:
            _collect_alternatives(files, table, (), str(path), lines)
            continue
        if name == RULEBOOK:
            _check_game(files, model, table.pop("game", None), str(path), lines)
        _collect(files, table, (), str(path), lines, printed=name == RULEBOOK)
    return files


def _check_game(
    files: _Files, model: type[Model], game: Any, file: str, lines: Mapping[Parts, int]
) -> None:
    if not model.GAME or game == model.GAME:
        return
    if game is None:
        text = f'is missing; write game = "{model.GAME}" above the first table'
    else:
        text = f"{show(game)} is another game; these are rules of {model.GAME}"
    files.complain(file, lines.get(("game",)), ("game",), text)


def _collect(
    files: _Files,
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
    files: _Files,
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
    raw = _Raw(
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
    reason = _unusable(raw.value)
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


def _range_problem(raw: _Raw) -> tuple[str, str] | None:
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
        if low is not None or high is not None:
            key = "low" if low is not None else "high"
            return key, f"{key}: the alternatives of {raw.range} are the range"
        return None
    for key, bound in (("low", low), ("high", high)):
        if bound is None:
            return key, f"{key} is missing"
        reason = _unusable(bound)
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
    files: _Files,
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
                _Alternative(parts, name, str(evidence), item["set"], file, lines)
            )


_RESERVED = ("range", "evidence", "section")


def _read_csv(files: _Files, path: Path, schema: _Schema) -> None:
    """Keep the entries of one list; the file's stem is the first part of their keys."""
    text = _read_text(path)
    file, group = str(path), path.stem
    if schema.find((group,)) is None:
        known = [f"{name}.csv" for name in schema.children(schema.root)]
        text = f"this game has no such list{nearest(path.name, known)}"
        files.problems.append(_Problem(file, None, "", text))
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
        raise _fail([_Problem(file, line, "", f"is not a CSV list: {error}")]) from None
    if not rows:
        raise _fail([_Problem(file, None, "", "is empty")])
    head_line, head = rows[0]
    if len(head) < 2:
        raise _fail([_Problem(file, head_line, "", "has one column; separate columns by commas")])
    doubles = sorted({name for name in head if head.count(name) > 1})
    if doubles:
        raise _fail([_Problem(file, head_line, "", f"column {doubles[0]!r} stands twice")])
    values = [name for name in head[1:] if name not in _RESERVED]
    bounds = {f"{name}{end}" for name in values for end in ("_low", "_high")}
    seen: dict[str, int] = {}
    for row_line, cells in rows[1:]:
        if len(cells) != len(head):
            what = f"{len(cells)} cells in a row, {len(head)} columns in the head"
            files.complain(file, row_line, (group, cells[0]), what)
            continue
        name = cells[0]
        row = dict(zip(head, cells, strict=True))
        if name in seen:
            files.complain(file, row_line, (group, name), f"stands twice; see line {seen[name]}")
            continue
        seen[name] = row_line
        printed = bool(row.get("section")) and not row.get("evidence")
        for column in values:
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


def _cell(text: str) -> Any:
    """Return what a cell holds: a TOML value if it reads as one, a word otherwise."""
    try:
        return _toml_value(text)
    except ValueError:
        return text


def _toml_value(text: str) -> Any:
    """Return the value of one TOML expression. Raises ValueError if it is none."""
    try:
        table = tomllib.loads(f"value = {text}")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if list(table) != ["value"]:
        raise ValueError("more than one value")
    return table["value"]


# --- putting it together -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Step:
    """One replacement of a value: by an alternative or by a patch."""

    parts: Parts
    value: Any
    file: str
    line: int | None
    alternative: _Alternative | None = None


def _assemble(files: _Files) -> dict[str, Any]:
    """Return the values of all files as one nested table."""
    values: dict[str, Any] = {}
    for parts, raws in files.raws.items():
        node = values
        for depth, part in enumerate(parts[:-1], start=1):
            node = node.setdefault(str(part), {})
            if not isinstance(node, dict) or parts[:depth] in files.raws:
                raw = raws[0]
                text = f"stands inside {_dotted(parts[:depth])}, which is a value"
                files.complain(raw.file, raw.line(), parts, text)
                break
        else:
            value = raws[0].value
            for raw in raws[1:]:
                value = value + raw.value
            if isinstance(node.get(str(parts[-1])), dict) and node[str(parts[-1])]:
                raw = raws[0]
                files.complain(raw.file, raw.line(), parts, "has values inside it and one itself")
            else:
                node[str(parts[-1])] = value
    return values


def _steps(
    schema: _Schema,
    values: dict[str, Any],
    patches: Mapping[str, Any],
    problems: list[_Problem],
    alternative: _Alternative | None = None,
) -> list[_Step]:
    """Flatten patches into single replacements that can be made one after the other.

    Unknown keys, and values that no model could take, become problems.
    """
    steps: list[_Step] = []

    def walk(parts: Parts, value: Any, file: str, line: int | None) -> None:
        nonlocal values
        if isinstance(value, Patch):
            value, file, line = value.value, value.file, value.line
        if alternative is not None:
            line = alternative.lines.get(
                (*alternative.choice, alternative.option, "set", *parts), line
            )
        if isinstance(value, Mapping) and (not parts or schema.is_group(parts)):
            if not value:
                problems.append(_Problem(file, line, _dotted(parts), "the patch is empty"))
            for name, inner in value.items():
                walk((*parts, *_split(str(name))), inner, file, line)
            return
        value = _plain(value)
        text = _unusable(value)
        if schema.find(parts) is None:
            text = _unknown(schema, parts)
        elif not text:
            text = _missing_element(values, parts)
        if text:
            problems.append(_Problem(file, line, _dotted(parts), text))
        else:
            steps.append(_Step(parts, value, file, line, alternative))
            values = _apply(values, steps[-1:])

    for key, value in patches.items():
        if alternative is None:
            walk(_split(str(key)), value, "", None)
        else:
            # "a.b" = 1 and a.b = 1 are the same patch but stand under different paths
            line = alternative.lines.get((*alternative.choice, alternative.option, "set", key))
            walk(_split(key), value, alternative.file, line)
    return steps


def _unknown(schema: _Schema, parts: Parts) -> str:
    hint = nearest(_dotted(parts), schema.known)
    if hint:
        return f"unknown key{hint}"
    end = len(parts) - 1
    while schema.find(parts[:end]) is None or not schema.is_group(parts[:end]):
        if end == 0:
            break
        end -= 1
    names = schema.children(schema.find(parts[:end]) or {})
    inside = f" in {_dotted(parts[:end])}" if end else ""
    return f"unknown key; known keys{inside}: {choices(names)}"


def _missing_element(values: Any, parts: Parts) -> str:
    """Say what is wrong with a key that reaches into a list ("" if nothing is)."""
    for depth, part in enumerate(parts):
        if isinstance(values, list):
            if int(part) >= len(values):
                where = _dotted(parts[:depth])
                return f"{where} has {len(values)} values, numbered from 0 to {len(values) - 1}"
            values = values[int(part)]
        elif isinstance(values, dict):
            values = values.get(str(part))
        elif values is not None:
            return f"{_dotted(parts[:depth])} is {show(values)}, which has no parts"
    return ""


def _apply(values: dict[str, Any], steps: Iterable[_Step]) -> dict[str, Any]:
    """Return the values with the replacements made; only what changes is copied."""
    values = dict(values)
    for step in steps:
        node: Any = values
        for part in step.parts[:-1]:
            index = int(part) if isinstance(node, list) else str(part)
            inner = node[index] if isinstance(node, list) else node.get(index, {})
            node[index] = list(inner) if isinstance(inner, list) else dict(inner)
            node = node[index]
        last = step.parts[-1]
        node[int(last) if isinstance(node, list) else str(last)] = step.value
    return values


def _lookup(values: Any, parts: Parts) -> Any:
    for part in parts:
        if not isinstance(values, dict):
            return None
        values = values.get(str(part))
    return values


class _Checker(Generic[M]):
    """Checks assembled values against the model, and finds where each one came from."""

    def __init__(self, model: type[M], files: _Files) -> None:
        self.model = model
        self.files = files
        self.schema = _schema(model)
        self.chosen_from: dict[Parts, dict[str, _Alternative]] = {}
        for alternative in files.alternatives:
            options = self.chosen_from.setdefault(alternative.choice, {})
            options[alternative.option] = alternative

    def place(self, parts: Parts, steps: Sequence[_Step]) -> tuple[str, int | None]:
        """Return (file, line) of the last replacement of a key, or of the key in the files."""
        for step in reversed(steps):
            short = min(len(step.parts), len(parts))
            if tuple(map(str, step.parts[:short])) == tuple(map(str, parts[:short])):
                return step.file, step.line
        for end in range(len(parts), 0, -1):
            raws = self.files.raws.get(parts[:end])
            if raws:
                inside = parts[end:]
                raw = raws[0]
                if len(raws) > 1 and inside and isinstance(inside[0], int):
                    head = len(raw.value)
                    if inside[0] >= head:
                        raw = raws[1]
                        inside = (inside[0] - head, *inside[1:])
                return raw.file, raw.line(inside)
        inner = [raw[0] for key, raw in self.files.raws.items() if key[: len(parts)] == parts]
        return (inner[0].file, inner[0].line()) if inner else (str(self.files.folder), None)

    def check(
        self, values: dict[str, Any], steps: Sequence[_Step] = ()
    ) -> tuple[M | None, list[_Problem]]:
        """Return the model, or None, and what is wrong."""
        found = [
            _Problem(*self.place(parts, steps), _dotted(parts), text)
            for parts, text in self._wrong_choices(values)
        ]
        try:
            model = self.model.model_validate_json(json.dumps(values), strict=True)
        except ValidationError as error:
            for item in error.errors(include_url=False, include_context=False):
                parts, text = self._explain(item)
                spoilt = any(key[: len(parts)] == parts for key in self.files.spoilt)
                if item["type"] == "missing" and spoilt:
                    continue  # it is there, and what is wrong with it has been said
                found.append(_Problem(*self.place(parts, steps), _dotted(parts), text))
            return None, found
        for keys, text in model.problems():
            places = [self.place(_split(key), steps) for key in keys]
            patched = [
                i
                for i, key in enumerate(keys)
                if any(
                    _split(key)[: len(step.parts)] == step.parts
                    or step.parts[: len(_split(key))] == _split(key)
                    for step in steps
                )
            ]
            index = patched[0] if patched else 0
            found.append(_Problem(*places[index], keys[index], text))
        return (None if found else model), found

    def _wrong_choices(self, values: dict[str, Any]) -> Iterator[tuple[Parts, str]]:
        for choice, options in self.chosen_from.items():
            option = _lookup(values, choice)
            if isinstance(option, str) and option not in (DEFAULT, *options):
                names = (DEFAULT, *options)
                text = f"allowed: {choices(names)}{nearest(option, names)}"
                yield choice, f"{show(option)} is not allowed; {text}"

    def _explain(self, item: Any) -> tuple[Parts, str]:
        parts: Parts = ()
        for part in item["loc"]:
            if part == "[key]" or (
                self.schema.find((*parts, part)) is None and item["type"] != "extra_forbidden"
            ):
                break  # what follows names a branch of a union, not a key
            parts = (*parts, part)
        if item["loc"] and item["loc"][-1] == "[key]":
            return item["loc"][:-1], _unknown(self.schema, item["loc"][:-1])
        if item["type"] == "extra_forbidden":
            return parts, _unknown(self.schema, parts)
        node = self.schema.find(parts) or {}
        allowed = f"allowed: {self.schema.allowed(node)}"
        if item["type"] == "missing":
            return parts, f"is missing; {allowed}"
        value = item["input"]
        options = self.schema.options(parts)
        hint = nearest(value, map(str, options)) if options and isinstance(value, str) else ""
        return parts, f"{show(value)} is not allowed; {allowed}{hint}"

    def chosen(self, values: dict[str, Any], problems: list[_Problem]) -> list[_Step]:
        """Return the replacements that the choices in these values make."""
        steps = []
        for choice, options in self.chosen_from.items():
            alternative = options.get(str(_lookup(values, choice)))
            if alternative is not None:
                steps += self.steps_of(values, alternative, problems)
        return steps

    def steps_of(
        self, values: dict[str, Any], alternative: _Alternative, problems: list[_Problem]
    ) -> list[_Step]:
        return _steps(self.schema, values, alternative.values, problems, alternative=alternative)

    def check_files(self, values: dict[str, Any]) -> list[_Problem]:
        """Check every bound and every alternative on its own: each must give a game."""
        problems: list[_Problem] = []
        for choice, options in self.chosen_from.items():
            for alternative in options.values():
                line = alternative.lines.get((*choice, alternative.option))
                if self.schema.find(choice) is None:
                    text = _unknown(self.schema, choice)
                    problems.append(_Problem(alternative.file, line, _dotted(choice), text))
                    continue
                steps = self.steps_of(values, alternative, problems)
                problems += self.check(_apply(values, steps), steps)[1]
        for raws in self.files.raws.values():
            for raw in raws:
                if raw.range not in (None, JUDGED):
                    problems += self._check_choice(raw)
                elif raw.low is not None:
                    problems += self._check_bounds(values, raw)
        return problems

    def _check_choice(self, raw: _Raw) -> Iterator[_Problem]:
        options = self.chosen_from.get(_split(str(raw.range)))
        if not options:
            names = map(_dotted, self.chosen_from)
            hint = nearest(str(raw.range), [JUDGED, *names])
            text = (
                f'range {show(raw.range)} is neither "{JUDGED}" nor a key in {ALTERNATIVES}{hint}'
            )
            yield _Problem(raw.file, raw.lines.get((*raw.base, "range")), _dotted(raw.parts), text)

    def _check_bounds(self, values: dict[str, Any], raw: _Raw) -> Iterator[_Problem]:
        first = self.files.raws[raw.parts][0]
        offset = len(first.value) if first is not raw else 0
        for name, bound in (("low", raw.low), ("high", raw.high)):
            line = raw.lines.get((*raw.base, name), raw.line())
            bounds = bound if isinstance(bound, list) else [bound]
            for index, number in enumerate(bounds, start=offset):
                parts = (*raw.parts, index) if isinstance(bound, list) else raw.parts
                step = _Step(parts, number, raw.file, line)
                for problem in self.check(_apply(values, [step]), [step])[1]:
                    text = f"{name}: {problem.text}"
                    yield _Problem(raw.file, line, _dotted(parts), text)


def load(
    model: type[M], folder: Path | str, patches: Mapping[str, Any] | None = None
) -> Content[M]:
    """Read a folder of rules, apply patches, and check everything.

    patches: dotted key to value, e.g. `{"dice.sides": 6}`. A key may reach into a list
    (`costs.0`); a table of values patches every key in it; a `Patch` says which file and line it
    comes from. Patches replace what the files and the chosen alternatives say, in their order.
    Raises UserError with all problems of all files and patches.
    """
    folder = Path(folder)
    files = _read_folder(model, folder)
    values = _assemble(files)
    checker = _Checker(model, files)
    problems = list(files.problems)
    steps: list[_Step] = []
    checked: M | None = None
    if not files.broken:
        # what the files say by themselves, with the alternatives they choose
        own = checker.chosen(values, problems)
        checked, found = checker.check(_apply(values, own), own)
        problems += found
        if not problems:
            problems += checker.check_files(values)
    patches = patches or {}
    # first with nothing but the patches, to see which alternatives they choose
    alone = _steps(checker.schema, values, patches, [])
    steps = checker.chosen(_apply(values, alone), [])
    patch_steps = _steps(checker.schema, _apply(values, steps), patches, problems)
    if not problems:
        steps += patch_steps
        values = _apply(values, steps)
        checked, found = checker.check(values, steps)
        problems += found
    if problems or checked is None:
        raise _fail(problems)
    return Content(
        model=checked,
        entries=tuple(_entries(checker, values, steps)),
        patches={_dotted(step.parts): step.value for step in patch_steps},
        hash=_hash_values(checked),
        files_hash=_hash_files(folder),
        folder=folder,
    )


def _hash_values(model: Model) -> str:
    text = json.dumps(model.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _hash_files(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in data_files(folder):
        data = _read_bytes(path)
        digest.update(f"{path.name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


# --- entries -------------------------------------------------------------------------------------


def _entries(checker: _Checker[Any], values: dict[str, Any], steps: Sequence[_Step]) -> list[Entry]:
    """Return one entry per value, in the order of the model."""
    order = {key: index for index, key in enumerate(checker.schema.keys())}
    entries: list[tuple[int, Entry]] = []
    touched: set[Parts] = set()
    for parts, raws in checker.files.raws.items():
        split = len(raws) > 1 or isinstance(raws[0].low, list)
        elements = (
            [(raw, (index,)) for raw in raws for index in range(len(raw.value))]
            if split
            else [(raws[0], ())]
        )
        value = _lookup(values, parts)
        for number, (raw, inside) in enumerate(elements):
            key = (*parts, number) if split else parts
            if split and number >= len(value):
                continue  # a patch made the list shorter
            entry = Entry(
                key=_dotted(key),
                value=value[number] if split else value,
                source=raw.source,
                section=raw.section,
                low=raw.low[inside[0]] if inside and isinstance(raw.low, list) else raw.low,
                high=raw.high[inside[0]] if inside and isinstance(raw.high, list) else raw.high,
                range=raw.range,
                evidence=raw.evidence,
                file=raw.file,
                line=raw.line(inside),
                **_words(checker, key),
            )
            was = raw.value[inside[0]] if inside else raw.value
            entries.append((order.get(parts, len(order)), _replaced(entry, key, was, steps)))
        touched.add(parts)
        if split:
            for number in range(len(elements), len(value)):
                key = (*parts, number)
                added = Entry(_dotted(key), value[number], "patched", **_words(checker, key))
                entries.append((order.get(parts, len(order)), _replaced(added, key, None, steps)))
    for step in steps:
        if not any(step.parts[: len(parts)] == parts for parts in touched):
            # a key that the model knows and no file has
            touched.add(step.parts)
            entry = Entry(
                _dotted(step.parts),
                _lookup(values, step.parts),
                "patched",
                **_words(checker, step.parts),
            )
            position = order.get(step.parts, len(order))
            entries.append((position, _replaced(entry, step.parts, None, steps)))
    return [entry for _, entry in sorted(entries, key=lambda pair: pair[0])]


def _words(checker: _Checker[Any], key: Parts) -> dict[str, Any]:
    node = checker.schema.find(key) or {}
    options = checker.schema.options(key)
    if key in checker.chosen_from:
        options = (DEFAULT, *checker.chosen_from[key])
    meaning = node.get("description", "")
    if not meaning:
        meaning = (checker.schema.find(key[:-1]) or {}).get("description", "")
    allowed = choices(map(show, options)) if options else checker.schema.allowed(node)
    return {"options": options, "allowed": allowed, "meaning": meaning}


def _replaced(entry: Entry, key: Parts, was: Any, steps: Sequence[_Step]) -> Entry:
    """Return the entry as the replacements left it."""
    text = tuple(map(str, key))
    for step in reversed(steps):
        path = tuple(map(str, step.parts))
        short = min(len(path), len(text))
        if path[:short] != text[:short]:
            continue
        fields = {name: getattr(entry, name) for name in entry.__dataclass_fields__}
        fields |= {"was": was, "file": step.file or None, "line": step.line}
        if step.alternative is None:
            fields["source"] = "patched"
        else:
            chosen = f"{_dotted(step.alternative.choice)} = {step.alternative.option}"
            fields |= {"source": "assumed", "section": None, "low": None, "high": None}
            fields |= {"range": chosen, "evidence": step.alternative.evidence}
        return Entry(**fields)
    return entry


# --- for the command line ------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z_][\w-]*")


def parse_assignment(text: str) -> tuple[str, Any]:
    """Return (key, value) of `key=value` as `--set` takes it.

    The value is TOML: `8`, `[3, 5, 7]`, `true`, `"hit"`; a bare word is a string.
    Raises UserError if it is none of these.
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key or not value:
        raise UserError(f"{text!r} is no assignment; write key=value")
    try:
        return key, _toml_value(value)
    except ValueError:
        if _WORD.fullmatch(value):
            return key, value
    hint = f"; write a list as [{value}]" if "," in value and value[0] not in "[{\"'" else ""
    raise UserError(f"{key}: {value!r} is no number, word, list, true or false{hint}")


def game_of(folder: Path | str) -> str:
    """Return the name of the game whose rules a folder holds.

    Raises UserError if there is no rulebook, or it does not say.
    """
    path = Path(folder) / RULEBOOK
    if not Path(folder).is_dir():
        raise UserError(f"{folder}: no such folder")
    table, _ = read_toml(path)
    game = table.get("game")
    if not isinstance(game, str):
        raise UserError(f'{path}: game: is missing; write game = "..." above the first table')
    return game


def validate(folder: Path | str) -> Content[Any]:
    """Check a folder of rules of any game without playing; the folder says which game.

    Raises UserError with every problem found.
    """
    from sim.game import GAMES  # the registry; games import this module

    name = game_of(folder)
    if name not in GAMES:
        path = Path(folder) / RULEBOOK
        raise UserError(
            f"{path}: game: unknown game {name!r}{nearest(name, GAMES)}; "
            f"known games: {choices(GAMES)}"
        )
    return importlib.import_module(f"sim.{name}.content").load(folder)


def export(folder: Path | str, target: Path | str) -> list[Path]:
    """Copy the data files of a game to a folder of the designer's; return the copies.

    Raises UserError, before anything is written, where a different file of that name exists, and
    where the target cannot be written.
    """
    target = Path(target)
    sources = data_files(Path(folder))
    try:
        pairs = [(target / path.name, path.read_bytes()) for path in sources]
        taken = [p for p, data in pairs if p.exists() and not _holds(p, data)]
        if taken:
            raise UserError(
                "\n".join(f"{path}: exists and differs; nothing was written" for path in taken)
            )
        target.mkdir(parents=True, exist_ok=True)
        for path, data in pairs:
            if not path.exists():
                path.write_bytes(data)
    except OSError as error:
        raise UserError(f"{target}: cannot be written: {error.strerror}") from None
    return [path for path, _ in pairs]


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data
