"""Factors: named groups of assumed numbers that move together within their ranges.

`factors.toml` beside a game's rules files declares them:

    [factors.upgrade_prices]
    meaning = "what the big and the great cards cost"
    keys = ["tools.*.cost"]           # parts may have * and ?; a key stands for all that is in it

    [factors.tool_table]
    meaning = "which numbers the tool cards show"
    choice = "switches.tool_table"    # a word or a switch instead of numbers
    options = ["weak", "default", "strong"]    # all that it can be, where this is left out

    [totals.deck]
    meaning = "the box holds so many cards"
    keys = ["deck.*.count"]           # whole numbers whose sum stays what it is

A factor stands at u in [0, 1]: each of its numbers goes in a straight line from its low (u = 0)
over its default (u = 1/2) to its high (u = 1), whole numbers rounded; a choice gives each of its
options an equal part of [0, 1]. A number is in one factor at most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any

from sim.content import Content, Entry
from sim.errors import choices, nearest
from sim.game import Game
from sim.tomlfile import Parts, Problem, ProblemsError, dotted, read_toml, show, split_key

FACTORS = "factors.toml"
MOST_FACTORS = 20
MIDDLE = 0.5  # where a number has its default

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FACTOR_KEYS = ("meaning", "keys", "choice", "options")
_TOTAL_KEYS = ("meaning", "keys")

Load = Callable[[Mapping[str, Any]], Content[Any]]
"""Loads the rules of a play with further changes."""


@dataclass(frozen=True)
class Number:
    """An assumed number and the range it moves in. whole: only whole numbers."""

    key: str
    low: float
    value: float
    high: float
    whole: bool

    def at(self, u: float) -> float:
        """Return the number for a factor at u in [0, 1], not rounded."""
        if u <= MIDDLE:
            return self.low + (self.value - self.low) * u / MIDDLE
        return self.value + (self.high - self.value) * (u - MIDDLE) / (1 - MIDDLE)

    def rounded(self, x: float) -> int | float:
        """Return what the rules take: whole numbers rounded, halves up."""
        return math.floor(x + 0.5) if self.whole else x


@dataclass(frozen=True)
class Factor:
    """One named factor, as it moves in one play.

    numbers: what it moves; or choice: the key it sets to one of options. Without either it stands
    still in this play, whose rules have fixed all that it moves.
    """

    name: str
    meaning: str
    numbers: tuple[Number, ...] = ()
    choice: str | None = None
    options: tuple[Any, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether it changes anything in this play."""
        return bool(self.numbers) or self.choice is not None

    def place(self, u: float) -> int:
        """Return which option, from 0, a choice has at u in [0, 1]."""
        return min(int(u * len(self.options)), len(self.options) - 1)


@dataclass(frozen=True)
class Factors:
    """All factors as they move in one play.

    totals: names and numbers whose sum stays that of their defaults. fixed: (choice, option) ->
    keys that the option's own set of values replaces, so that no number moves them then.
    """

    factors: tuple[Factor, ...]
    totals: tuple[tuple[Number, ...], ...] = ()
    fixed: Mapping[tuple[str, Any], tuple[str, ...]] = field(default_factory=dict)

    def patches(self, point: Sequence[float]) -> dict[str, Any]:
        """Return the changed values where each factor stands at its element of `point`.

        point: (factors,) within [0, 1]. Raises ValueError for another length.
        """
        found: dict[str, Any] = {}
        taken: set[str] = set()
        for factor, u in zip(self.factors, point, strict=True):
            if factor.choice is not None:
                option = factor.options[factor.place(u)]
                found[factor.choice] = option
                taken.update(self.fixed.get((factor.choice, option), ()))
        exact: dict[str, tuple[Number, float]] = {}
        for factor, u in zip(self.factors, point, strict=True):
            for number in factor.numbers:
                if number.key not in taken:
                    exact[number.key] = number, number.at(u)
        values = {key: number.rounded(x) for key, (number, x) in exact.items()}
        for total in self.totals:
            moving = [number for number in total if number.key not in taken]
            if any(number.key in exact for number in moving):
                wanted = [exact[n.key][1] if n.key in exact else n.value for n in moving]
                shared = keep_total(moving, wanted)
                values |= {n.key: x for n, x in zip(moving, shared, strict=True)}
        return found | values


def keep_total(numbers: Sequence[Number], wanted: Sequence[float]) -> list[int]:
    """Return whole numbers near those wanted, within their ranges, with the sum of the defaults.

    All are moved by the same share of their ranges until the sum fits, then rounded by largest
    remainders. Possible always, as the defaults are within the ranges.
    """
    total = round(sum(number.value for number in numbers))

    def moved(share: float) -> list[float]:
        return [
            min(max(x + share * (n.high - n.low), n.low), n.high)
            for n, x in zip(numbers, wanted, strict=True)
        ]

    low, high = -1.0, 1.0  # at which all are at an end of their range
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(moved(middle)) < total else (low, middle)
    exact = moved((low + high) / 2)
    whole = [math.floor(x + 1e-9) for x in exact]
    left = total - sum(whole)
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    room = [i for i in by_remainder if whole[i] + 1 <= numbers[i].high]
    for i in room[:left]:
        whole[i] += 1
    return whole


@dataclass(frozen=True)
class FactorFile:
    """A checked `factors.toml`.

    groups: factor -> (meaning, its keys). choices_: factor -> (meaning, key, options).
    totals: name -> keys. Order of `names` is that of the file.
    """

    path: Path
    names: tuple[str, ...]
    meanings: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    choices_: Mapping[str, tuple[str, tuple[Any, ...]]]
    totals: Mapping[str, tuple[str, ...]]

    def fit(self, load: Load, names: Collection[str] | None = None) -> Factors:
        """Return the factors as they move in a play.

        load: loads the play's rules with changes; numbers that the play's own rules fix, or that
        a chosen set of values replaces, do not move. names: only these factors; all where None.
        """
        entries = {entry.key: entry for entry in load({}).entries}
        moving = _moving(entries.values())
        factors = []
        fixed: dict[tuple[str, Any], tuple[str, ...]] = {}
        for name in self.names:
            if names is not None and name not in names:
                continue
            if name in self.groups:
                numbers = tuple(moving[key] for key in self.groups[name] if key in moving)
                factors.append(Factor(name, self.meanings[name], numbers))
                continue
            key, options = self.choices_[name]
            if entries[key].source != "assumed":
                factors.append(Factor(name, self.meanings[name]))
                continue
            factors.append(Factor(name, self.meanings[name], (), key, options))
            for option in options:
                if option != entries[key].value:
                    others = _moving(load({key: option}).entries)
                    fixed[key, option] = tuple(sorted(moving.keys() - others.keys()))
        totals = tuple(
            tuple(moving[key] for key in keys if key in moving) for keys in self.totals.values()
        )
        return Factors(tuple(factors), totals, fixed)


def _moving(entries: Collection[Entry]) -> dict[str, Number]:
    """Return the numbers that can move: assumed, with a range that is more than a point."""
    return {
        entry.key: Number(
            entry.key,
            entry.low,
            entry.value,
            entry.high,
            all(isinstance(x, int) for x in (entry.low, entry.value, entry.high)),
        )
        for entry in entries
        if entry.source == "assumed"
        and entry.low is not None
        and entry.high is not None
        and entry.low < entry.high
    }


def factors_path(game: Game, folder: Path) -> Path:
    """Return the file of factors: that of a folder of rules, or the one the game ships."""
    own = folder / FACTORS
    return own if own.is_file() else Path(__file__).parent / game.name / FACTORS


def read_factors(game: Game, folder: Path | str | None = None) -> FactorFile:
    """Read and check the factors of a game against its rules files.

    folder: rules files, the game's own where None. Where it has no `factors.toml`, the game's is
    read: it is right for the game's own files, and what the folder has fixed does not move.
    Raises ProblemsError with every problem: file, line, key.
    """
    content = game.load(folder)
    path = factors_path(game, content.folder)
    if path.parent != content.folder:
        content = game.load()
    table, lines = read_toml(path)
    reader = _Reader(str(path), lines, content.entries)
    reader.read(table)
    if reader.problems:
        raise ProblemsError(reader.problems)
    return FactorFile(
        path,
        tuple(reader.meanings),
        reader.meanings,
        reader.groups,
        reader.choices,
        reader.totals,
    )


class _Reader:
    """Reads the file and keeps every problem."""

    def __init__(self, file: str, lines: Mapping[Parts, int], entries: Collection[Entry]) -> None:
        self.file = file
        self.lines = lines
        self.entries = {entry.key: entry for entry in entries}
        self.moving = _moving(entries)
        self.known = sorted(
            {dotted(split_key(key)[:n]) for key in self.entries for n in (1, 2, 3, 4)}
        )
        self.problems: list[Problem] = []
        self.meanings: dict[str, str] = {}
        self.groups: dict[str, tuple[str, ...]] = {}
        self.choices: dict[str, tuple[str, tuple[Any, ...]]] = {}
        self.totals: dict[str, tuple[str, ...]] = {}

    def complain(self, parts: Parts, text: str) -> None:
        line = next(
            (self.lines[parts[:n]] for n in range(len(parts), 0, -1) if parts[:n] in self.lines),
            None,
        )
        self.problems.append(Problem(self.file, line, dotted(parts), text))

    def read(self, table: Mapping[str, Any]) -> None:
        for name in table:
            if name not in ("factors", "totals"):
                self.complain((name,), "unknown table; known tables: factors, totals")
        owners: dict[str, str] = {}
        for name, item in self.tables(table, "factors", _FACTOR_KEYS):
            self.factor(name, item, owners)
        if not table.get("factors"):
            self.complain(("factors",), "no factor is declared; write [factors.NAME]")
        elif len(table["factors"]) > MOST_FACTORS:
            text = f"{len(table['factors'])} factors; at most {MOST_FACTORS} can be told apart"
            self.complain(("factors",), text)
        owners = {}
        for name, item in self.tables(table, "totals", _TOTAL_KEYS):
            at: Parts = ("totals", name)
            keys = self.keys(at, item.get("keys"), owners, name, "total")
            for key in keys:
                if not self.moving[key].whole:
                    self.complain((*at, "keys"), f"{key} is no whole number; a total is of those")
            self.totals[name] = keys

    def tables(
        self, table: Mapping[str, Any], kind: str, known: Sequence[str]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield what is declared under a heading, its own keys checked."""
        group = table.get(kind, {})
        if not isinstance(group, dict):
            self.complain((kind,), f"must be a table; write [{kind}.NAME]")
            return
        for name, item in group.items():
            at: Parts = (kind, name)
            if not _NAME.fullmatch(name):
                self.complain(at, "a name is of small letters, digits and _, a letter first")
            if not isinstance(item, dict):
                self.complain(at, f"must be a table; write [{kind}.{name}]")
                continue
            for key in item:
                if key not in known:
                    near = nearest(key, known)
                    self.complain((*at, key), f"unknown key{near}; known keys: {choices(known)}")
            meaning = item.get("meaning")
            if not isinstance(meaning, str) or not meaning.strip():
                self.complain((*at, "meaning"), "meaning is missing: what it stands for, in words")
            yield name, item

    def factor(self, name: str, item: Mapping[str, Any], owners: dict[str, str]) -> None:
        at: Parts = ("factors", name)
        self.meanings[name] = str(item.get("meaning", ""))
        if ("keys" in item) == ("choice" in item):
            self.complain(at, "give either keys (numbers) or choice (one word or switch)")
            return
        if "keys" in item:
            if "options" in item:
                self.complain((*at, "options"), "options are of a choice; numbers have ranges")
            self.groups[name] = self.keys(at, item["keys"], owners, name, "factor")
            return
        key = item["choice"]
        entry = self.entries.get(key) if isinstance(key, str) else None
        if entry is None:
            near = nearest(str(key), self.entries)
            self.complain((*at, "choice"), f"unknown key {show(key)}{near}")
            return
        if entry.source != "assumed":
            text = f"{key} is printed ({entry.section}), not assumed"
            self.complain((*at, "choice"), text)
            return
        if not entry.options:
            text = f"{key} is no choice between words; move numbers by keys"
            self.complain((*at, "choice"), text)
            return
        if key in owners:
            self.complain((*at, "choice"), f"{key} is in the factor {owners[key]} as well")
        owners[key] = name
        options = item.get("options", list(entry.options))
        if not isinstance(options, list) or len(options) < 2:
            self.complain((*at, "options"), "must be a list of two or more")
            return
        for place, option in enumerate(options):
            if option not in entry.options:
                allowed = choices(map(show, entry.options))
                text = f"{show(option)} is no option of {key}; allowed: {allowed}"
                self.complain((*at, "options", place), text)
        if any(a == b for a, b in pairwise(sorted(map(str, options)))):
            self.complain((*at, "options"), "an option stands twice")
        self.choices[name] = key, tuple(options)

    def keys(
        self, at: Parts, patterns: Any, owners: dict[str, str], name: str, kind: str
    ) -> tuple[str, ...]:
        """Return the numbers that patterns name; each must name one that can move."""
        if not isinstance(patterns, list) or not patterns:
            self.complain((*at, "keys"), "must be a list of keys, at least one")
            return ()
        found: dict[str, None] = {}
        for place, pattern in enumerate(patterns):
            here: Parts = (*at, "keys", place)
            if not isinstance(pattern, str):
                self.complain(here, f"must be a key in quotes, not {show(pattern)}")
                continue
            matched = [key for key in self.entries if _matches(pattern, key)]
            moving = [key for key in matched if key in self.moving]
            if not matched:
                self.complain(here, f"unknown key {show(pattern)}{nearest(pattern, self.known)}")
            elif not moving:
                self.complain(here, self.unmoved(matched))
            for key in moving:
                if owners.get(key, name) != name:
                    text = f"{key} is in the {kind} {owners[key]} as well"
                    self.complain(here, text)
                elif key in found:
                    self.complain(here, f"{key} stands twice")
                owners.setdefault(key, name)
                found[key] = None
        return tuple(found)

    def unmoved(self, keys: Sequence[str]) -> str:
        """Say why none of the keys that a pattern names can move."""
        entry = self.entries[keys[0]]
        if entry.source != "assumed":
            return f"{entry.key} is printed ({entry.section}), not assumed"
        if entry.options:
            return f"{entry.key} is a choice; write choice = {show(entry.key)}"
        return f"{entry.key} has no range to move in"


def _matches(pattern: str, key: str) -> bool:
    """Whether a pattern names a key, or something that the key is in; * stays within a part."""
    wanted, parts = split_key(pattern), split_key(key)
    return len(wanted) <= len(parts) and all(
        fnmatchcase(part, want) for part, want in zip(parts, wanted, strict=False)
    )
