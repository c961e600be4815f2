"""Studies: one TOML file that says what is played and what is asked."""

from __future__ import annotations

import difflib
import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.content import Patch
from sim.errors import choices, nearest
from sim.tomlfile import Parts, Problem, ProblemsError, dotted, read_toml, show
from sim.wording import counted

MOST_DRAWS = 10_000  # 0.5 percentage points of a share; a hundred times as many fill the memory


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


_Margin = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Head(_Part):
    """What the study is about."""

    title: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    game: str
    players: Annotated[int, Field(ge=1, le=4)]
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 20260101
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    questions: list[str] = []


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


class VariantPart(_Part):
    """A variant: changes to the base's rules, another lineup, or both.

    players: another number of them than in the base; such a variant can be checked by itself, and
    is not compared with others.
    """

    set: dict[str, Any] = {}
    seats: Annotated[list[str], Field(min_length=1, max_length=4)] | None = None
    players: Annotated[int, Field(ge=1, le=4)] | None = None


class ComparePart(_Part):
    """How variants are compared with the base.

    margin: changes up to it do not matter, in the metric's unit; for all metrics, or one each.
    metrics: those compared; all if empty. second_lineup: who plays when it is asked whether a
    verdict depends on the strategies. blunder: the probability of a random choice likewise.
    """

    margin: _Margin | dict[str, _Margin] | None = None
    metrics: list[str] = []
    second_lineup: Annotated[list[str], Field(min_length=1, max_length=4)] | None = None
    blunder: Annotated[float, Field(ge=0, le=1)] = 0.15


class CheckPart(_Part):
    """A gate: a figure within a range, or a change that is no larger than a margin.

    where: seat, strategy, or a field of the seat rows. statistic: mean, a quantile, or spread, max
    - min over seats. against: the variant, or the base, that `max_change` is measured from; None is
    the base, or the same variant in the project at the git ref that `--base-ref` names.
    """

    name: Annotated[str, Field(min_length=1)]
    metric: str
    variant: str = "base"
    where: dict[str, int | str] = {}
    statistic: str = "mean"
    within: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None
    max_change: _Margin | None = None
    against: str | None = None
    on_undecided: Literal["exit3", "fail", "pass"] = "exit3"


class TargetPart(_Part):
    """What a designer wants of a cell of a sweep: a figure within a range."""

    name: Annotated[str, Field(min_length=1)]
    metric: str
    where: dict[str, int | str] = {}
    statistic: str = "mean"
    within: Annotated[list[float], Field(min_length=2, max_length=2)]


class FactorPart(_Part):
    """One thing a sweep varies: a key of the rules, or a weight of a strategy.

    key: a key of the rules ("dynamite.supply", "tools.drill.cost.1"), or
    "weights.STRATEGY.WEIGHT". Either values, or low and high with steps (on a grid), or nothing:
    then a switch takes all its values, and a number the range that it is assumed to have. whole:
    only whole numbers between; so always where the base has one. cost: what a change from the base
    by the whole range is worth, for the cheapest change that meets the targets.
    """

    key: Annotated[str, Field(min_length=1)]
    name: str | None = None
    values: Annotated[list[Any], Field(min_length=2)] | None = None
    low: float | None = None
    high: float | None = None
    steps: Annotated[int, Field(ge=2)] = 5
    whole: bool = False
    cost: Annotated[float, Field(ge=0)] = 1.0


class SweepPart(_Part):
    """A sweep: what is varied, in which design, and what is wanted.

    cells: how many, for Latin hypercubes and Sobol sequences; the base sample of Sobol indices
    ("indices") and the trajectories of Morris ("morris"), which play several times as many.
    metrics: those shown; by default the targets' and the win rate. adaptive: stop playing a cell
    once it is clear whether it meets the targets (grid, latin, sobol).
    """

    design: Literal["grid", "latin", "sobol", "factorial", "indices", "morris"] = "grid"
    cells: Annotated[int, Field(ge=2, le=4096)] = 64
    adaptive: bool = True
    factors: Annotated[list[FactorPart], Field(min_length=1)]
    targets: list[TargetPart] = []
    metrics: list[str] = []


class RobustPart(_Part):
    """Which factors are drawn anew; all that the game has if empty.

    draws: how often. games: of each play in a draw; the base gets those that the study stops at.
    """

    factors: Annotated[list[str], Field(max_length=20)] = []
    draws: Annotated[int, Field(ge=2, le=MOST_DRAWS)] = 200
    games: Annotated[int, Field(ge=1)] = 2000


class _File(_Part):
    study: Head
    lineup: LineupPart
    base: BasePart = BasePart()
    variants: dict[str, VariantPart] = {}
    stop: StopPart
    compare: ComparePart = ComparePart()
    check: list[CheckPart] = []
    sweep: SweepPart | None = None
    robust: RobustPart = RobustPart()


BASE = "base"
VARIANT_NAME = re.compile(r"[\w .+-]{1,40}")  # reports print it, and there * and { mean something


@dataclass(frozen=True)
class Variant:
    """A variant of a study. patches: its `set`, each with its line. seats: None for the base's."""

    name: str
    patches: Mapping[str, Patch]
    seats: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Study:
    """A checked study file.

    name: the file's name without its ending. digest: sha256 of the file. patches: `[base.set]`,
    each with its line. checks: the `[[check]]` tables.
    """

    path: Path
    name: str
    digest: str
    head: Head
    lineup: LineupPart
    base: BasePart
    stop: StopPart
    patches: Mapping[str, Patch]
    variants: Mapping[str, Variant]
    compare: ComparePart
    checks: tuple[CheckPart, ...]
    sweep: SweepPart | None
    robust: RobustPart

    @property
    def seats(self) -> tuple[str, ...]:
        """The lineup's strategy specs, one a seat."""
        return _everybody(self.lineup.seats, self.head.players)

    @property
    def second_seats(self) -> tuple[str, ...] | None:
        """The lineup that verdicts are repeated with, if the study names one."""
        seats = self.compare.second_lineup
        return None if seats is None else _everybody(seats, self.head.players)

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
        texts: dict[Parts, list[str]] = {}
        for item in error.errors():
            key = _path(item, values)
            texts.setdefault(key, []).append(_say(item, key))
        raise ProblemsError(
            Problem(str(path), _line(lines, key), dotted(key), "; or ".join(dict.fromkeys(found)))
            for key, found in texts.items()
            # of a union the branch that fits better speaks, and that is the one further inside
            if not any(other[: len(key)] == key != other for other in texts)
        ) from None
    problems = [
        Problem(str(path), _line(lines, key), dotted(key), text) for key, text in _mistakes(file)
    ]
    if problems:
        raise ProblemsError(problems)
    players = file.study.players
    return Study(
        path,
        path.stem,
        hashlib.sha256(path.read_bytes()).hexdigest(),
        file.study,
        file.lineup,
        file.base,
        file.stop,
        patches,
        {
            name: Variant(
                name,
                {
                    key: Patch(value, str(path), lines.get(("variants", name, "set", key)))
                    for key, value in part.set.items()
                },
                _own_seats(part, file.lineup.seats, players),
            )
            for name, part in file.variants.items()
        },
        file.compare,
        tuple(file.check),
        file.sweep,
        file.robust,
    )


def _everybody(seats: Sequence[str], players: int) -> tuple[str, ...]:
    """Return one spec a seat; a single one stands for all."""
    return tuple(seats) * players if len(seats) == 1 else tuple(seats)


def _own_seats(part: VariantPart, usual: Sequence[str], players: int) -> tuple[str, ...] | None:
    """Return who plays a variant; None for the base's lineup."""
    if part.seats is None and part.players in (None, players):
        return None
    return _everybody(part.seats or usual, part.players or players)


def same_players(study: Study, players: int) -> None:
    """Raise ProblemsError where a variant has another number of players than the base."""
    problems = [
        problem_at(
            study,
            ("variants", name, "players"),
            f"{counted(len(variant.seats), 'player')} instead of {players} cannot be compared with "
            "the base; "
            "only a [[check]] with a range can be asked of such a variant, by assay check",
        )
        for name, variant in study.variants.items()
        if variant.seats is not None and len(variant.seats) != players
    ]
    if problems:
        raise ProblemsError(problems)


def _mistakes(file: _File) -> Iterator[tuple[Parts, str]]:
    """Yield key and text of all that a study gets wrong and its parts alone cannot tell."""
    players = file.study.players
    own = {name: part.players or players for name, part in file.variants.items()}
    lineups: list[tuple[Parts, Sequence[str] | None, int]] = [
        (("lineup", "seats"), file.lineup.seats, players),
        (("compare", "second_lineup"), file.compare.second_lineup, players),
    ]
    for name, part in file.variants.items():
        lineups.append((("variants", name, "seats"), part.seats, own[name]))
        if part.players is not None and part.seats is None:
            lineups.append((("variants", name, "players"), file.lineup.seats, own[name]))
        if own[name] != players and file.lineup.rotate:
            yield ("variants", name, "players"), "seats that rotate must be as many as in the base"
    for key, seats, many in lineups:
        if seats is not None and len(seats) not in (1, many):
            yield (
                key,
                f"{counted(len(seats), 'strategy', 'strategies')} for {counted(many, 'player')}; "
                "give one for each seat, or one for all",
            )
    if BASE in file.variants:
        yield ("variants", BASE), "the rules without a variant are called base already"
    for name, part in file.variants.items():
        if not VARIANT_NAME.fullmatch(name):
            text = "a variant's name is letters, digits, spaces and _ . + -, 40 at most"
            yield ("variants", name), text
        if not part.set and part.seats is None and own[name] == players:
            yield ("variants", name), "changes nothing; give set, seats or players"
    known = [BASE, *file.variants]
    names: set[str] = set()
    for place, check in enumerate(file.check):
        at: Parts = ("check", place)
        for part_name, variant in (("variant", check.variant), ("against", check.against)):
            if variant is not None and variant not in known:
                near = nearest(variant, known)
                yield (
                    (*at, part_name),
                    f"unknown variant {variant!r}{near}; known variants: {choices(known)}",
                )
        if (check.within is None) == (check.max_change is None):
            yield at, "give either within or max_change"
        if check.within is not None and check.against is not None:
            yield (*at, "against"), "a range is not measured against anything; leave it out"
        if check.within is not None and not check.within[0] < check.within[1]:
            yield (*at, "within"), f"an empty range: {check.within[0]:g} to {check.within[1]:g}"
        if check.within is not None and check.within == [-math.inf, math.inf]:
            yield (*at, "within"), "a range without an end at either side holds whatever happens"
        if check.name in names:
            yield (*at, "name"), f"{check.name!r} stands twice"
        names.add(check.name)
    if file.sweep is not None:
        yield from _sweep_mistakes(file.sweep)


def _sweep_mistakes(sweep: SweepPart) -> Iterator[tuple[Parts, str]]:
    """Yield key and text of what is wrong with a sweep's factors and targets."""
    keys: set[str] = set()
    for place, factor in enumerate(sweep.factors):
        at: Parts = ("sweep", "factors", place)
        ends = factor.low is not None, factor.high is not None
        if (factor.values is not None and any(ends)) or any(ends) != all(ends):
            yield at, "give values, or low and high, or neither for the assumed range"
        elif factor.low is not None and factor.high is not None and not factor.low < factor.high:
            yield (*at, "low"), f"an empty range: {factor.low:g} to {factor.high:g}"
        if sweep.design == "factorial" and factor.values is not None and len(factor.values) != 2:
            yield (*at, "values"), f"a factorial takes two values, not {len(factor.values)}"
        if factor.key in keys:
            yield (*at, "key"), f"{factor.key} stands twice"
        for other in sweep.factors:
            if factor.key.startswith(f"{other.key}."):
                text = f"{factor.key} lies within {other.key}, which is varied as a whole"
                yield (*at, "key"), text
        keys.add(factor.key)
    if sweep.design in ("sobol", "indices") and sweep.cells & (sweep.cells - 1):
        below = 1 << (sweep.cells.bit_length() - 1)
        yield (
            ("sweep", "cells"),
            f"a Sobol sequence takes a power of 2: {below} or {2 * below}, not {sweep.cells}",
        )
    names = [target.name for target in sweep.targets]
    for place, name in enumerate(names):
        if name in names[:place]:
            yield ("sweep", "targets", place, "name"), f"{name!r} stands twice"
    for place, target in enumerate(sweep.targets):
        if not target.within[0] < target.within[1]:
            text = f"an empty range: {target.within[0]:g} to {target.within[1]:g}"
            yield ("sweep", "targets", place, "within"), text


def problem_at(study: Study, key: Parts, text: str) -> Problem:
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


def _path(item: Any, values: Any) -> Parts:
    """Return the key of a pydantic error, without the names of types that unions put into it."""
    parts: list[str | int] = []
    for place, part in enumerate(item["loc"]):
        inside = isinstance(values, dict) and part in values
        inside = inside or (isinstance(values, list) and isinstance(part, int))
        last = place == len(item["loc"]) - 1
        if inside or (last and item["type"] == "missing"):
            parts.append(part)
            values = values[part] if inside else None
    return tuple(parts)


def _say(item: Any, parts: Parts) -> str:
    """Return a pydantic error in a designer's words."""
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
        case "literal_error":
            return f"must be {context['expected']}, not {show(item['input'])}"
        case "too_short":
            return f"needs {context['min_length']} or more, not {context['actual_length']}"
        case "too_long":
            return f"takes {context['max_length']} at most, not {context['actual_length']}"
        case "greater_than_equal":
            return f"must be {context['ge']} or more, not {show(item['input'])}"
        case "less_than_equal":
            return f"must be {context['le']} or less, not {show(item['input'])}"
        case "greater_than":
            return f"must be more than {context['gt']}, not {show(item['input'])}"
        case "less_than":
            return f"must be less than {context['lt']}, not {show(item['input'])}"
        case "finite_number":
            return f"must be a finite number, not {show(item['input'])}"
        case _:
            return str(item["msg"])


def _known(parts: Parts) -> list[str]:
    """Return the keys that a table of a study may have."""
    model: Any = _File
    for part in parts:
        if isinstance(model, type) and issubclass(model, _Part):
            model = model.model_fields[str(part)].annotation
        else:
            model = get_args(model)[-1]  # of a list of tables, or tables by name
        while get_origin(model) in (Annotated, Union, UnionType):
            model = get_args(model)[0]
    return list(model.model_fields)
