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
    printed rows) say where the numbers come from. An empty cell is no number: the cell of a
    printed number in a row that is assumed, for one, whose number is in `rulebook.toml`. A list
    whose names the model leaves open (`dict[str, ...]`) can have any rows; their order counts.
`alternatives.toml`
    Named sets of values, chosen by a key: `[switches.profile.rich]` with `evidence` and `set`
    replaces the keys under `set` when `switches.profile` is "rich"; "default" replaces none.
    An assumed number may name such a choice as its range: `range = "switches.profile"`.

Every number stands once. `load` checks all files against a pydantic model of the game and
raises one UserError that lists every problem with file, line and key.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from sim.errors import UserError, choices, nearest
from sim.rulefiles import (
    ALTERNATIVES,
    ASSUMED,
    DEFAULT,
    JUDGED,
    RULEBOOK,
    Alternative,
    Files,
    Raw,
    data_files,
    read_folder,
)
from sim.tomlfile import (
    Parts,
    Problem,
    ProblemsError,
    dotted,
    read_bytes,
    read_toml,
    show,
    split_key,
    toml_value,
    unusable,
)
from sim.wording import counted


class Model(BaseModel):
    """Base of the models of games: unknown keys, conversions and changes are refused.

    GAME: the name the folder's rulebook must carry. FILES: the files a folder must hold.
    ONLY_FOR: key, or table of keys -> at tables of how many players it matters; others do at all.
    ONLY_WITH: key, or table of keys -> the switch without which it does nothing.
    Docstrings under fields become the meanings that entries carry.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )

    GAME: ClassVar[str] = ""
    FILES: ClassVar[tuple[str, ...]] = (RULEBOOK, ASSUMED)
    ONLY_FOR: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    ONLY_WITH: ClassVar[Mapping[str, str]] = {}

    def problems(self) -> Iterable[tuple[tuple[str, ...], str]]:
        """Yield (keys involved, what is wrong) for combinations that no game can be played with.

        Called when every single value of this table is fine; keys start inside this table.
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
    source: "rulebook", "assumed" or "patched". For a patched entry `was` is the number in the
    files, and section, evidence, low, high and range are those of that number.
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
    the names and bytes of the files. patches: dotted key to plain value, in order; a row that they
    add to a list is one table. describe: how `entries` come about; most who load want the model
    only, and describing every value takes longer than checking it.
    """

    model: M
    patches: Mapping[str, Any]
    hash: str
    files_hash: str
    folder: Path
    describe: Callable[[], list[Entry]] = dataclasses.field(repr=False, compare=False)

    @functools.cached_property
    def entries(self) -> tuple[Entry, ...]:
        """One entry per value, in the order of the model."""
        return tuple(self.describe())


# --- what the model allows -----------------------------------------------------------------------


class _Schema:
    """The JSON schema of a model, walked by key: what is known and what is allowed."""

    def __init__(self, model: type[Model]) -> None:
        self.root = model.model_json_schema()
        self.memo: dict[Parts, dict[str, Any] | None] = {}
        self.order = {key: index for index, key in enumerate(self.keys())}
        self.known = [dotted(key) for key in self.order]

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
        if parts not in self.memo:
            self.memo[parts] = self._find(parts)
        return self.memo[parts]

    def _find(self, parts: Parts) -> dict[str, Any] | None:
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

    def is_list(self, parts: Parts) -> bool:
        """Say whether the rows under a key have names that the model leaves open."""
        node = self.find(parts) or {}
        return "propertyNames" not in node and isinstance(node.get("additionalProperties"), dict)

    def is_group(self, parts: Parts) -> bool:
        return bool(self.children(self.find(parts) or {})) or self.is_list(parts)

    def columns(self, group: str) -> dict[str, bool] | None:
        """Return the columns of a list and whether all its rows need them; None for no list.

        Rows have names of their own, or those of a table that holds nothing but tables.
        """
        if self.is_list((group,)):
            rows = [self.find((group, "")) or {}]
        else:
            rows = [self._node(row) for row in self.children(self.find((group,)) or {}).values()]
        names = dict.fromkeys(name for row in rows for name in self.children(row))
        if not rows or not all(map(self.children, rows)):
            return None
        return {name: all(name in row.get("required", ()) for row in rows) for name in names}

    def row(self, parts: Parts) -> Parts:
        """Return the beginning of a key that names a row of such a list; () if it is in none."""
        ends = (end for end in range(len(parts)) if self.is_list(parts[:end]))
        return parts[: next(ends, -1) + 1]

    def position(self, parts: Parts, values: dict[str, Any]) -> tuple[int, int, int]:
        """Return where a key stands in the model's order, in a list in the order of its rows."""
        row = self.row(parts)
        if row:
            names = list(_lookup(values, row[:-1]))
            columns = list(self.children(self.find(row) or {}))
            column = columns.index(str(parts[len(row)])) if len(parts) > len(row) else 0
            return self.order[row[:-1]], names.index(row[-1]), column
        return self.order.get(parts, len(self.order)), 0, 0

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


# --- putting it together -------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """Return a value of a patch with tuples and numpy's scalars and arrays made plain."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class _Step:
    """One replacement of a value: by an alternative or by a patch."""

    parts: tuple[str, ...]
    value: Any
    file: str
    line: int | None
    alternative: Alternative | None = None


def _assemble(files: Files) -> dict[str, Any]:
    """Return the values of all files as one nested table.

    Lists come first, so that their rows are in the order of their file.
    """
    values: dict[str, Any] = {}
    for parts, raws in sorted(files.raws.items(), key=lambda item: not item[1][0].in_list):
        node = values
        for depth, part in enumerate(parts[:-1], start=1):
            node = node.setdefault(str(part), {})
            if not isinstance(node, dict) or parts[:depth] in files.raws:
                raw = raws[0]
                text = f"stands inside {dotted(parts[:depth])}, which is a value"
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
    problems: list[Problem],
    alternative: Alternative | None = None,
) -> list[_Step]:
    """Flatten patches into single replacements that can be made one after the other.

    Unknown keys, and values that no model could take, become problems.
    """
    steps: list[_Step] = []
    new_rows: set[Parts] = set()

    def walk(parts: tuple[str, ...], value: Any, file: str, line: int | None) -> None:
        nonlocal values
        if isinstance(value, Patch):
            value, file, line = value.value, value.file, value.line
        if alternative is not None:
            line = alternative.lines.get(
                (*alternative.choice, alternative.option, "set", *parts), line
            )
        if isinstance(value, Mapping) and (not parts or schema.is_group(parts)):
            if not value:
                problems.append(Problem(file, line, dotted(parts), "the patch is empty"))
            new_rows.add(parts)  # a whole row may be new in its list
            for name, inner in value.items():
                walk((*parts, *split_key(str(name))), inner, file, line)
            return
        value = _plain(value)
        text = unusable(value)
        row = schema.row(parts)
        names = _lookup(values, row[:-1])
        if row and row not in new_rows and isinstance(names, dict) and row[-1] not in names:
            text = f"unknown name{nearest(str(row[-1]), names)}; known names: {choices(names)}"
        elif schema.find(parts) is None:
            text = _missing_element(values, parts) or _unknown(schema, parts)
        elif not text:
            text = _missing_element(values, parts)
        if text:
            problems.append(Problem(file, line, dotted(parts), text))
        else:
            steps.append(_Step(parts, value, file, line, alternative))
            values = _apply(values, steps[-1:])

    for key, value in patches.items():
        if alternative is None:
            walk(split_key(str(key)), value, "", None)
        else:
            # "a.b" = 1 and a.b = 1 are the same patch but stand under different paths
            line = alternative.lines.get((*alternative.choice, alternative.option, "set", key))
            walk(split_key(key), value, alternative.file, line)
    return steps


def _unknown(schema: _Schema, parts: Parts) -> str:
    key = dotted(parts)
    for end in range(1, len(parts) - 1):
        if schema.is_list(parts[:end]):  # the names of its rows are as they like
            known = schema.children(schema.find(parts[: end + 1]) or {})
            hint = nearest(str(parts[end + 1]), known)
            return f"unknown key{hint}; known keys in {dotted(parts[: end + 1])}: {choices(known)}"
    # not the key's own beginning, which is no mistake
    hint = nearest(key, (known for known in schema.known if not key.startswith(f"{known}.")))
    if hint:
        return f"unknown key{hint}"
    end = len(parts) - 1
    while schema.find(parts[:end]) is None or not schema.is_group(parts[:end]):
        if end == 0:
            break
        end -= 1
    names = schema.children(schema.find(parts[:end]) or {})
    inside = f" in {dotted(parts[:end])}" if end else ""
    return f"unknown key; known keys{inside}: {choices(names)}"


def _missing_element(values: Any, parts: Parts) -> str:
    """Say what is wrong with a key that reaches into a list ("" if nothing is)."""
    for depth, part in enumerate(parts):
        if isinstance(values, list):
            if not str(part).isdecimal() or int(part) >= len(values):
                where = dotted(parts[:depth])
                return f"{where} has {len(values)} values, numbered from 0 to {len(values) - 1}"
            values = values[int(part)]
        elif isinstance(values, dict):
            values = values.get(str(part))
        elif values is not None:
            return f"{dotted(parts[:depth])} is {show(values)}, which has no parts"
    return ""


def _apply(values: dict[str, Any], steps: Iterable[_Step]) -> dict[str, Any]:
    """Return the values with the replacements made; only what changes is copied."""
    values = dict(values)
    for step in steps:
        node: Any = values
        for part in step.parts[:-1]:
            index: Any = int(part) if isinstance(node, list) else str(part)
            inner = node[index] if isinstance(node, list) else node.get(index, {})
            node[index] = list(inner) if isinstance(inner, list) else dict(inner)
            node = node[index]
        last = step.parts[-1]
        node[int(last) if isinstance(node, list) else str(last)] = step.value
    return values


def _last_step(parts: Parts, steps: Sequence[_Step]) -> _Step | None:
    """Return the last step that replaced a key, something in it, or something it is in."""
    index = _last_index(parts, steps)
    return steps[index] if index >= 0 else None


def _last_index(parts: Parts, steps: Sequence[_Step]) -> int:
    path = tuple(map(str, parts))
    for index in range(len(steps) - 1, -1, -1):
        short = min(len(steps[index].parts), len(path))
        if steps[index].parts[:short] == path[:short]:
            return index
    return -1


def _lookup(values: Any, parts: Parts) -> Any:
    for part in parts:
        if not isinstance(values, dict):
            return None
        values = values.get(str(part))
    return values


def _tables(model: Model, prefix: Parts = ()) -> Iterator[tuple[Parts, Model]]:
    """Yield a model and all tables in it with their keys, inner ones first."""
    for name, field in type(model).model_fields.items():
        inner = getattr(model, name)
        key = (*prefix, field.alias or name)
        if isinstance(inner, Model):
            yield from _tables(inner, key)
        elif isinstance(inner, dict):
            for row, table in inner.items():
                if isinstance(table, Model):
                    yield from _tables(table, (*key, row))
    yield prefix, model


def _sound_tables(
    model: type[Model], values: Any, prefix: Parts = ()
) -> Iterator[tuple[Parts, Model]]:
    """Yield those tables in a model's values that are fine by themselves, with their keys."""
    try:
        yield from _tables(model.model_validate_json(json.dumps(values), strict=True), prefix)
        return
    except ValidationError:
        pass
    for name, field in model.model_fields.items() if isinstance(values, dict) else ():
        key = field.alias or name
        kind: Any = field.annotation
        inner = {key: values.get(key)}
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
            inner = values[key] if isinstance(values.get(key), dict) else {}
        if isinstance(kind, type) and issubclass(kind, Model):
            for row, table in inner.items():
                path = (*prefix, key) if kind is field.annotation else (*prefix, key, row)
                yield from _sound_tables(kind, table, path)


class _Checker(Generic[M]):
    """Checks assembled values against the model, and finds where each one came from."""

    def __init__(self, model: type[M], files: Files) -> None:
        self.model = model
        self.files = files
        self.schema = _schema(model)
        self.chosen_from: dict[Parts, dict[str, Alternative]] = {}
        for alternative in files.alternatives:
            options = self.chosen_from.setdefault(alternative.choice, {})
            options[alternative.option] = alternative

    def place(self, parts: Parts, steps: Sequence[_Step]) -> tuple[str, int | None]:
        """Return (file, line) of the last replacement of a key, or of the key in the files."""
        step = _last_step(parts, steps)
        if step is not None:
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
        for key, raws in sorted(self.files.raws.items(), key=lambda item: not item[1][0].in_list):
            # a group is where its first value is, a missing cell where the row is
            beside = raws[0].in_list and key[:-1] == parts[:-1]
            if key[: len(parts)] == parts or beside:
                return raws[0].file, raws[0].line()
        return str(self.files.folder), None

    def check(
        self, values: dict[str, Any], steps: Sequence[_Step] = ()
    ) -> tuple[M | None, list[Problem]]:
        """Return the model, or None, and what is wrong."""
        found = [
            Problem(*self.place(parts, steps), dotted(parts), text)
            for parts, text in self._wrong_choices(values)
        ]
        try:
            model = self.model.model_validate_json(json.dumps(values), strict=True)
        except ValidationError as error:
            model = None
            for item in error.errors(include_url=False, include_context=False):
                parts, text = self._explain(item)
                spoilt = any(key[: len(parts)] == parts for key in self.files.spoilt)
                if item["type"] == "missing" and spoilt:
                    continue  # it is there, and what is wrong with it has been said
                found.append(Problem(*self.place(parts, steps), dotted(parts), text))
        tables = _sound_tables(self.model, values) if model is None else _tables(model)
        for prefix, table in tables:
            for keys, text in table.problems():
                # the files alone are fine, so blame what came last
                paths = [(*prefix, *split_key(key)) for key in keys]
                path = max(paths, key=lambda path: _last_index(path, steps))
                found.append(Problem(*self.place(path, steps), dotted(path), text))
        return (None if found else model), found

    def _wrong_choices(self, values: dict[str, Any]) -> Iterator[tuple[Parts, str]]:
        for choice, options in self.chosen_from.items():
            option = _lookup(values, choice)
            if isinstance(option, str) and option not in (DEFAULT, *options):
                names = (DEFAULT, *options)
                text = f"allowed: {choices(map(show, names))}{nearest(option, names)}"
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
        if item["type"] == "value_error":  # of a validator, which says what is wrong
            return parts, str(item["msg"]).removeprefix("Value error, ")
        node = self.schema.find(parts) or {}
        allowed = f"allowed: {self.schema.allowed(node)}"
        if item["type"] == "missing" and isinstance(item["loc"][-1], int):
            parts = parts[:-1]  # the list is too short
            allowed = f"allowed: {self.schema.allowed(self.schema.find(parts) or {})}"
        elif item["type"] == "missing":
            return parts, f"is missing; {allowed}"
        value = item["input"]
        options = self.schema.options(parts)
        hint = nearest(value, map(str, options)) if options and isinstance(value, str) else ""
        return parts, f"{show(value)} is not allowed; {allowed}{hint}"

    def chosen(self, values: dict[str, Any], problems: list[Problem]) -> list[_Step]:
        """Return the replacements that the choices in these values make."""
        steps = []
        for choice, options in self.chosen_from.items():
            alternative = options.get(str(_lookup(values, choice)))
            if alternative is not None:
                steps += self.steps_of(values, alternative, problems)
        return steps

    def steps_of(
        self, values: dict[str, Any], alternative: Alternative, problems: list[Problem]
    ) -> list[_Step]:
        return _steps(self.schema, values, alternative.values, problems, alternative=alternative)

    def check_files(self, values: dict[str, Any]) -> list[Problem]:
        """Check every bound and every alternative on its own: each must give a game."""
        problems: list[Problem] = []
        for choice, options in self.chosen_from.items():
            for alternative in options.values():
                line = alternative.lines.get((*choice, alternative.option))
                if self.schema.find(choice) is None:
                    text = _unknown(self.schema, choice)
                    problems.append(Problem(alternative.file, line, dotted(choice), text))
                    continue
                steps = self.steps_of(values, alternative, problems)
                problems += self.check(_apply(values, steps), steps)[1]
        try:
            model = self.model.model_validate_json(json.dumps(values), strict=True)
        except ValidationError:
            model = None  # the alternatives that the files choose mend it
        for raws in self.files.raws.values():
            for raw in raws:
                if raw.range not in (None, JUDGED):
                    problems += self._check_choice(raw)
                elif raw.low is not None:
                    problems += self._check_bounds(values, raw, model)
        return problems

    def _check_choice(self, raw: Raw) -> Iterator[Problem]:
        options = self.chosen_from.get(split_key(str(raw.range)))
        if not options:
            names = map(dotted, self.chosen_from)
            hint = nearest(str(raw.range), [JUDGED, *names])
            text = (
                f'range {show(raw.range)} is neither "{JUDGED}" nor a key in {ALTERNATIVES}{hint}'
            )
            yield Problem(raw.file, raw.lines.get((*raw.base, "range")), dotted(raw.parts), text)

    def _check_bounds(self, values: dict[str, Any], raw: Raw, model: M | None) -> Iterator[Problem]:
        if raw.low == raw.value == raw.high:
            return  # not varied
        first = self.files.raws[raw.parts][0]
        offset = len(first.value) if first is not raw else 0
        for name, bound in (("low", raw.low), ("high", raw.high)):
            line = raw.lines.get((*raw.base, name), raw.line())
            pairs = (
                [((*raw.parts, index), number) for index, number in enumerate(bound, start=offset)]
                if isinstance(bound, list)
                else [(raw.parts, bound)]
            )
            for parts, number in pairs:
                if model is not None and not _is_wrong(model, parts, number):
                    continue
                step = _Step(tuple(map(str, parts)), number, raw.file, line)
                for problem in self.check(_apply(values, [step]), [step])[1]:
                    text = f"{name}: {problem.text}"
                    yield Problem(raw.file, line, dotted(parts), text)


def _is_wrong(model: Model, parts: Parts, value: Any) -> bool:
    """Say whether a model with one value replaced may be wrong; False if it certainly is not.

    Checks the smallest table around the value, and the combinations in that and in what it is in:
    a list has hundreds of bounds, and checking all rows for each of them takes seconds.
    """
    try:
        changed = _replace(model, parts, value)
    except ValidationError:
        return True
    return any(True for table in changed for _ in table.problems())


def _replace(node: M, parts: Parts, value: Any) -> list[Model]:
    """Return copies of the tables around a value, outermost first, with it replaced and checked."""
    fields = type(node).model_fields
    name = next(name for name, field in fields.items() if parts[0] in (name, field.alias))
    inner = getattr(node, name)
    if len(parts) > 1 and isinstance(inner, Model):
        tables = _replace(inner, parts[1:], value)
        return [node.model_copy(update={name: tables[0]}), *tables]
    if len(parts) > 2 and isinstance(inner, dict) and isinstance(inner[parts[1]], Model):
        tables = _replace(inner[parts[1]], parts[2:], value)
        return [node.model_copy(update={name: inner | {parts[1]: tables[0]}}), *tables]
    table = _apply(
        node.model_dump(mode="json", by_alias=True),
        [_Step(tuple(map(str, parts)), value, "", None)],
    )
    return [type(node).model_validate_json(json.dumps(table), strict=True)]


@dataclass(frozen=True)
class _Read:
    """A folder that was read and checked, before any patch."""

    checker: _Checker[Any]
    values: dict[str, Any]
    problems: tuple[Problem, ...]


@functools.lru_cache(maxsize=32)
def _read(model: type[Model], folder: Path, digest: str) -> _Read:
    """Read and check a folder; a study loads the same files under many patches.

    digest: of the files, so that an edited file is read again.
    """
    schema = _schema(model)
    groups = {name: schema.columns(name) for name in schema.children(schema.root)}
    files = read_folder(folder, model.GAME, model.FILES, groups)
    values = _assemble(files)
    checker = _Checker(model, files)
    problems = list(files.problems)
    if not files.broken:
        # what the files say by themselves, with the alternatives they choose
        own = checker.chosen(values, problems)
        problems += checker.check(_apply(values, own), own)[1]
        if not problems:
            problems += checker.check_files(values)
    return _Read(checker, values, tuple(problems))


def load(
    model: type[M], folder: Path | str, patches: Mapping[str, Any] | None = None
) -> Content[M]:
    """Read a folder of rules, apply patches, and check everything.

    patches: dotted key to value, e.g. `{"dice.sides": 6}`. A key may reach into a list
    (`costs.0`); a table of values patches every key in it, and can be a new row of a list; a
    `Patch` says which file and line it comes from. Patches replace what the files and the chosen
    alternatives say, in their order.
    Raises UserError with all problems of all files and patches.
    """
    folder = Path(folder)
    try:
        digest = _hash_files(folder)
        read = _read(model, folder, digest)
    except ProblemsError:
        digest = ""
        read = _read.__wrapped__(model, folder, digest)  # tells of all files, not the first
    checker: _Checker[M] = read.checker
    values = read.values
    problems = list(read.problems)
    patches = patches or {}
    # first with nothing but the patches, to see which alternatives they choose
    alone = _steps(checker.schema, values, patches, [])
    steps = checker.chosen(_apply(values, alone), [])
    patch_steps = _steps(checker.schema, _apply(values, steps), patches, problems)
    checked: M | None = None
    if not problems:
        steps += patch_steps
        values = _apply(values, steps)
        checked, problems = checker.check(values, steps)
    if problems or checked is None:
        raise ProblemsError(problems)
    return Content(
        model=checked,
        patches=_as_patches(checker.schema, read.values, patch_steps),
        hash=_hash_values(checked),
        files_hash=digest,
        folder=folder,
        describe=functools.partial(_entries, checker, values, steps),
    )


def _as_patches(schema: _Schema, values: dict[str, Any], steps: Iterable[_Step]) -> dict[str, Any]:
    """Return replacements as patches that `load` takes; a new row of a list is one patch."""
    patches: dict[str, Any] = {}
    for step in steps:
        row = schema.row(step.parts)
        names = _lookup(values, row[:-1])
        if row and isinstance(names, dict) and row[-1] not in names:
            new = patches.setdefault(dotted(row), {})
            new[dotted(step.parts[len(row) :])] = step.value
        else:
            patches[dotted(step.parts)] = step.value
    return patches


def _hash_values(model: Model) -> str:
    values = model.model_dump(mode="json")
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    schema = _schema(type(model))
    orders = {name: list(values[name]) for name in values if schema.is_list((name,))}
    if orders:  # in these the order of the rows counts
        text += json.dumps(orders, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _hash_files(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in data_files(folder):
        data = read_bytes(path)
        digest.update(f"{path.name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


# --- entries -------------------------------------------------------------------------------------


def _entries(checker: _Checker[Any], values: dict[str, Any], steps: Sequence[_Step]) -> list[Entry]:
    """Return one entry per value, in the order of the model."""
    position = checker.schema.position
    entries: list[tuple[tuple[int, int, int], Entry]] = []
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
                key=dotted(key),
                value=_plain(value[number] if split else value),
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
            was = _plain(raw.value[inside[0]] if inside else raw.value)
            entries.append((position(parts, values), _replaced(entry, key, was, steps)))
        touched.add(parts)
        if split:
            for number in range(len(elements), len(value)):
                key = (*parts, number)
                added = Entry(dotted(key), _plain(value[number]), "patched", **_words(checker, key))
                entries.append((position(parts, values), _replaced(added, key, None, steps)))
    for step in steps:
        if not any(step.parts[: len(parts)] == parts for parts in touched):
            # a key that the model knows and no file has
            touched.add(step.parts)
            entry = Entry(
                dotted(step.parts),
                _plain(_lookup(values, step.parts)),
                "patched",
                **_words(checker, step.parts),
            )
            place = position(step.parts, values)
            entries.append((place, _replaced(entry, step.parts, None, steps)))
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
    step = _last_step(key, steps)
    if step is None:
        return entry
    if step.alternative is None:
        where: dict[str, Any] = {"source": "patched"}
    else:
        chosen = f"{dotted(step.alternative.choice)} = {step.alternative.option}"
        where = {"range": chosen, "evidence": step.alternative.evidence}
        entry = replace(entry, source="assumed", section=None, low=None, high=None)
    return replace(entry, was=was, file=step.file or None, line=step.line, **where)


# --- for the command line ------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z_][\w-]*")
_Known = TypeVar("_Known")


def players_for(model: type[Model], key: str) -> tuple[int, ...]:
    """Return at tables of how many players a key matters; () for all."""
    return _known_for(model.ONLY_FOR, key) or ()


def switch_for(model: type[Model], key: str) -> str | None:
    """Return the key of the switch without which a key does nothing; None where there is none."""
    return _known_for(model.ONLY_WITH, key)


def _known_for(known: Mapping[str, _Known], key: str) -> _Known | None:
    """Return what is known of a key, or of a table it stands in."""
    for name, value in known.items():
        if key == name or key.startswith(f"{name}."):
            return value
    return None


def idle_text(what: str, players: int, allowed: Sequence[int]) -> str:
    """Return what is wrong with a change of rules that changes nothing for so many players."""
    table = "alone" if players == 1 else f"for {counted(players, 'player')}"
    counts = ["one player" if n == 1 else str(n) for n in allowed]
    *most, last = counts
    listed = f"{', '.join(most)} or {last}" if most else last
    tables = listed if listed == "one player" else f"{listed} players"
    return f"{what} changes nothing {table}; it is for {tables}: leave it out here"


def refuse_idle(content: Content[Any], players: int) -> None:
    """Raise ProblemsError for patches that change nothing at a table of so many players.

    Nor may they be about what is not in play, such as numbers of a module that is switched off.

    A folder of rules serves tables of all sizes, so what stands there is never refused.
    """
    problems = []
    values = {entry.key: entry.value for entry in content.entries}
    for entry in content.entries:
        if entry.source == "patched" and entry.value != entry.was:
            allowed = players_for(type(content.model), entry.key)
            switch = switch_for(type(content.model), entry.key)
            if allowed and players not in allowed:
                text = idle_text(show(entry.value), players, allowed)
            elif switch is not None and not values[switch]:
                text = f"{show(entry.value)} changes nothing without {switch} = true"
            else:
                continue
            problems.append(Problem(entry.file or "", entry.line, entry.key, text))
    if problems:
        raise ProblemsError(problems)


def parse_assignment(text: str) -> tuple[str, Any]:
    """Return (key, value) of `key=value` as `--set` takes it.

    The value is TOML: `8`, `[3, 5, 7]`, `true`, `"hit"`; a bare word is a string.
    Raises UserError if it is none of these.
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key or not value:
        raise UserError(f"{text!r} is no assignment; write key=value")
    try:
        return key, toml_value(value)
    except ValueError:
        if _WORD.fullmatch(value):
            return key, value
    hint = ""
    if value[0] not in "[{\"'":
        if " " in value:
            hint = f'; write a text in quotes: "{value}"'
        elif "," in value:
            hint = f"; write a list as [{value}]"
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
