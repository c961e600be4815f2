"""Studies: one TOML file that says what is played and what is asked."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.content import Patch
from sim.errors import choices
from sim.tomlfile import Parts, Problem, ProblemsError, dotted, read_toml, show


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Head(_Part):
    """What the study is about."""

    title: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    game: str
    players: Annotated[int, Field(ge=1, le=4)]
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 20260101
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    questions: Annotated[list[str], Field(min_length=1)]


class LineupPart(_Part):
    """Who plays. One name stands for every seat."""

    seats: Annotated[list[str], Field(min_length=1, max_length=4)]
    rotate: bool = False


class BasePart(_Part):
    """Rules the study starts from: a folder, and changes to it."""

    rules: str | None = None
    set: dict[str, Any] = {}


class StopPart(_Part):
    """When to stop: games at most, or earlier at a precision of the headline metrics."""

    games: Annotated[int, Field(ge=1)]
    precision: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    headline: list[str] = ["win_rate"]


class _File(_Part):
    study: Head
    lineup: LineupPart
    base: BasePart = BasePart()
    stop: StopPart


@dataclass(frozen=True)
class Study:
    """A checked study file.

    name: the file's name without its ending. digest: sha256 of the file. patches: `[base.set]`,
    each with its line.
    """

    path: Path
    name: str
    digest: str
    head: Head
    lineup: LineupPart
    base: BasePart
    stop: StopPart
    patches: Mapping[str, Patch]

    @property
    def seats(self) -> tuple[str, ...]:
        """The lineup's strategy specs, one a seat."""
        seats = self.lineup.seats
        return tuple(seats * self.head.players if len(seats) == 1 else seats)

    @property
    def rules_folder(self) -> Path | None:
        """The folder of rules files, relative to the study's file."""
        return None if self.base.rules is None else self.path.parent / self.base.rules


def load_study(path: Path | str) -> Study:
    """Read and check a study file.

    Raises UserError with every problem, each with file, line, key, and the nearest known key.
    """
    path = Path(path)
    values, lines = read_toml(path)
    patches = {
        key: Patch(value, str(path), lines.get(("base", "set", key)))
        for key, value in _as_dict(_as_dict(values.get("base")).get("set")).items()
    }
    try:
        file = _File.model_validate(values)
    except ValidationError as error:
        raise ProblemsError(
            Problem(str(path), _line(lines, tuple(item["loc"])), dotted(tuple(item["loc"])), text)
            for item in error.errors()
            for text in [_say(item, values)]
        ) from None
    seats = file.lineup.seats
    if len(seats) not in (1, file.study.players):
        text = (
            f"{len(seats)} strategies for {file.study.players} players; "
            "give one for each seat, or one for all"
        )
        raise ProblemsError(
            [Problem(str(path), lines.get(("lineup", "seats")), "lineup.seats", text)]
        )
    return Study(
        path,
        path.stem,
        hashlib.sha256(path.read_bytes()).hexdigest(),
        file.study,
        file.lineup,
        file.base,
        file.stop,
        patches,
    )


def problem_at(study: Study, key: tuple[str, ...], text: str) -> Problem:
    """Return a problem with a key of a study that has been read, for `ProblemsError`."""
    _, lines = read_toml(study.path)
    return Problem(str(study.path), _line(lines, key), dotted(key), text)


def _as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _line(lines: Mapping[Parts, int], parts: tuple[Any, ...]) -> int | None:
    """Return the line of a key, or of the nearest table around it."""
    while parts:
        if parts in lines:
            return lines[parts]
        parts = parts[:-1]
    return None


def _say(item: Any, values: dict[str, Any]) -> str:
    """Return a pydantic error in a designer's words."""
    parts = tuple(item["loc"])
    context = item.get("ctx", {})
    match item["type"]:
        case "extra_forbidden":
            known = _known(parts[:-1])
            hint = difflib.get_close_matches(str(parts[-1]), known, n=1, cutoff=0.5)
            near = f" (did you mean {hint[0]!r}?)" if hint else ""
            return f"unknown key{near}; known keys: {choices(known)}"
        case "missing":
            return "is missing"
        case "string_type":
            return f"must be text in quotes, not {show(item['input'])}"
        case "int_type" | "int_from_float":
            return f"must be a whole number, not {show(item['input'])}"
        case "float_type":
            return f"must be a number, not {show(item['input'])}"
        case "bool_type":
            return f"must be true or false, not {show(item['input'])}"
        case "list_type":
            return f"must be a list in square brackets, not {show(item['input'])}"
        case "dict_type" | "model_type":
            return f"must be a table, not {show(item['input'])}"
        case "greater_than_equal":
            return f"must be {context['ge']} or more, not {show(item['input'])}"
        case "less_than_equal":
            return f"must be {context['le']} or less, not {show(item['input'])}"
        case "greater_than":
            return f"must be more than {context['gt']}, not {show(item['input'])}"
        case "less_than":
            return f"must be less than {context['lt']}, not {show(item['input'])}"
        case _:
            return str(item["msg"])


def _known(parts: tuple[Any, ...]) -> list[str]:
    """Return the keys that a table of a study may have."""
    model: Any = _File
    for part in parts:
        model = model.model_fields[str(part)].annotation
    return list(model.model_fields)
