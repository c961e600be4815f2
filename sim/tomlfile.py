"""TOML files with the line of every key, and problems that say where they are.

For whatever a user writes by hand: rules and studies.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import UserError

_NUMBER_LIMIT = 2**53  # beyond it a float, and so JSON elsewhere, is no longer exact

Parts = tuple[str | int, ...]  # the path of a key: names, and indices into lists

_DEEPEST = 100  # brackets within brackets
_MOST_DOTS = 500  # in one line


@dataclass(frozen=True)
class Problem:
    """Something wrong with a user's file or patch, and where: `file:line: key: text`."""

    file: str
    line: int | None
    key: str
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.key, self.text) if part)


class ProblemsError(UserError):
    """Problems of a user's files, by file and line, each once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line or 0))
        super().__init__("\n".join(map(str, self.problems)))


def dotted(parts: Parts) -> str:
    """Return a key as users write it."""
    return ".".join(str(part) for part in parts)


def split_key(key: str) -> tuple[str, ...]:
    """Return the parts of a key that a user wrote."""
    return tuple(key.split("."))


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


def unusable(value: Any) -> str:
    """Say why a value can be no content at all (""), before any model sees it."""
    if isinstance(value, bool | str):
        return ""
    if isinstance(value, int):
        return f"{show(value)} is too large" if abs(value) >= _NUMBER_LIMIT else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"{value} is not a finite number"
    if isinstance(value, list):
        return next(filter(None, map(unusable, value)), "")
    if isinstance(value, dict):
        return next(filter(None, map(unusable, value.values())), "")
    return f"{show(value)} is neither a number nor a word, a list, true or false"


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


def _is_too_deep(text: str) -> bool:
    """Say whether brackets, or the parts of one key, nest deeper than any rules file needs.

    Told before parsing: the parser recurses, and an interpreter out of stack can lose more than
    the file (finalizers that happen to run there fail). Brackets in texts are counted as well,
    but no text has so many that are never closed.
    """
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > _DEEPEST:
                return True
        elif character in "]}":
            depth = max(0, depth - 1)
    return max((line.count(".") for line in text.splitlines()), default=0) > _MOST_DOTS


def read_toml(path: Path) -> tuple[dict[str, Any], dict[Parts, int]]:
    """Return the values of a TOML file and the line of each of its keys.

    Raises UserError, naming the file and line, for a file that is missing, unreadable, not UTF-8
    or not TOML.
    """
    text = read_text(path)
    if _is_too_deep(text):
        raise ProblemsError([Problem(str(path), None, "", "is nested too deeply")])
    try:
        return tomllib.loads(text), toml_lines(text)
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
        raise ProblemsError([Problem(str(path), line, "", words)]) from None


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises UserError where there is none."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ProblemsError(
            [Problem(str(path), line, "", "is not UTF-8; save it as UTF-8")]
        ) from None


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises UserError where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ProblemsError([Problem(str(path), None, "", "is missing")]) from None
    except OSError as error:
        text = f"cannot be read: {error.strerror}"
        raise ProblemsError([Problem(str(path), None, "", text)]) from None


def toml_value(text: str) -> Any:
    """Return the value of one TOML expression. Raises ValueError if it is none."""
    if _is_too_deep(text):
        raise ValueError("nested too deeply")
    table = tomllib.loads(f"value = {text}")
    if list(table) != ["value"]:
        raise ValueError("more than one value")
    return table["value"]
