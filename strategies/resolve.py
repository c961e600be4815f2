"""Strategy names to compiled players: `builder`, `cleaner:blunder=0.2`, `my_bot.py:decide`.

A name is a preset of the game, or a function in a user's own file. Options follow after colons:
`blunder`, the probability of a random legal choice, and named weights. Every mistake is a
UserError.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.driver import LINEUP, MAX_SEATS, MAX_WEIGHTS
from sim.errors import UserError, choices, nearest
from sim.game import Game
from sim.kernel import compile_decider
from strategies.own_code import OwnCode, compile_own, load
from strategies.presets import FOLDER, Preset, Weight, presets_of
from strategies.toolkit import Script

_OWN = re.compile(r"(?P<file>.*?\.py)(?::(?P<rest>.*))?", re.DOTALL)
_BLUNDER = "blunder"


@dataclass(frozen=True, eq=False)
class Strategy:
    """A player ready to sit down.

    label: how reports call it; equal players have equal labels. spec: as the user wrote it.
    weights: (48,) float64. standing: bit per prompt in which it need not be asked
    (`Script.unasked`). source_hash: of its code, weights and blunder. own: its code, if it is a
    user's.
    """

    label: str
    spec: str
    decider: Any
    weights: np.ndarray
    blunder: float
    standing: int
    source_hash: str
    own: OwnCode | None = None

    @property
    def is_user_code(self) -> bool:
        """Whether the code comes from a user's file."""
        return self.own is not None

    @property
    def identity(self) -> dict[str, str]:
        """What tells this strategy from any other, for the manifest of a run."""
        return {"label": self.label, "source_hash": self.source_hash}


@dataclass(frozen=True, eq=False)
class Lineup:
    """Who plays: one strategy a seat, and what the driver needs of them.

    record: (1,) of LINEUP. deciders: always four; spare ones repeat the first.
    """

    strategies: tuple[Strategy, ...]
    record: np.ndarray
    deciders: tuple[Any, ...]
    labels: tuple[str, ...]


def parse_seats(text: str) -> list[str]:
    """Return the names in a list like "builder,cleaner:blunder=0.2,my_bot.py:decide".

    Raises UserError for an empty place in the list.
    """
    specs = [part.strip() for part in text.split(",")]
    if not all(specs):
        raise UserError(f"seats {text!r}: a seat is empty; write strategies separated by commas")
    return specs


def resolve(game: Game, spec: str) -> Strategy:
    """Return the strategy that a name means, compiled.

    Raises UserError for an unknown name, option or value, and for whatever is wrong with a
    user's file.
    """
    spec = spec.strip()
    if found := _OWN.fullmatch(spec):
        return _resolve_own(game, spec, found["file"], (found["rest"] or "").split(":"))
    name, *options = spec.split(":")
    return _resolve_preset(game, spec, _preset(game, name), options)


def _preset(game: Game, name: str) -> Preset:
    """Return a strategy that ships with a game. Raises UserError for an unknown one."""
    presets = presets_of(game)
    if name not in presets:
        raise UserError(
            f"unknown strategy {name!r}{nearest(name, presets)}; {game.name} has "
            f"{choices(presets)}; a function of your own is written FILE.py:FUNCTION"
        )
    return presets[name]


def _resolve_preset(game: Game, spec: str, preset: Preset, options: Sequence[str]) -> Strategy:
    weights = {weight.name: weight for weight in preset.weights}
    settings = _settings(weights, preset.blunder)
    chosen = settings | _read_options(spec, options, weights)
    decider, files = _shipped(game, preset.script)
    array = _weights_array(weights, chosen)
    return Strategy(
        label=_label(preset.name, settings, chosen),
        spec=spec,
        decider=decider,
        weights=array,
        blunder=chosen[_BLUNDER],
        standing=sum(1 << int(prompt) for prompt in preset.script.unasked),
        source_hash=_fingerprint(files, array, chosen[_BLUNDER]),
    )


def _resolve_own(game: Game, spec: str, file: str, rest: Sequence[str]) -> Strategy:
    name, *options = rest
    code = load(Path(file), name)
    settings = _settings(code.weights, 0.0)
    chosen = settings | _read_options(spec, options, code.weights)
    array = _weights_array(code.weights, chosen)
    return Strategy(
        label=_label(f"{file}:{name}", settings, chosen),
        spec=spec,
        decider=compile_own(game, code),
        weights=array,
        blunder=chosen[_BLUNDER],
        standing=0,
        source_hash=_fingerprint(code.files, array, chosen[_BLUNDER], name),
        own=code,
    )


@cache
def _shipped(game: Game, script: Script) -> tuple[Any, tuple[Path, ...]]:
    """Return a shipped decide function compiled, and the files it is made of."""
    own = sorted(FOLDER.glob(f"{game.name}_*.py"))  # a long script stands in several files
    files = (FOLDER / f"{game.name}.py", *own, FOLDER / "toolkit.py")
    return compile_decider(game, script.decide, files), files


def _settings(weights: Mapping[str, Weight], blunder: float) -> dict[str, float]:
    """Return everything that options can change, as it is without any."""
    return {weight.name: weight.value for weight in weights.values()} | {_BLUNDER: blunder}


def _read_options(
    spec: str, options: Sequence[str], weights: Mapping[str, Weight]
) -> dict[str, float]:
    """Return the options of a name. Raises UserError with all that is wrong with them."""
    known = [_BLUNDER, *weights]
    values: dict[str, float] = {}
    problems: list[str] = []
    for option in options:
        key, equals, text = (word.strip() for word in option.partition("="))
        low, high = (weights[key].low, weights[key].high) if key in weights else (0.0, 1.0)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not equals or not key:
            problems.append(f"{option!r} is not an option; options are written NAME=NUMBER")
        elif key not in known:
            problems.append(f"unknown weight {key!r}{nearest(key, known)}; known: {choices(known)}")
        elif key in values:
            problems.append(f"{key} stands twice")
        elif not math.isfinite(value):
            problems.append(f"{key} must be a number, not {text!r}")
        elif not low <= value <= high:
            problems.append(f"{key} must be from {low:g} to {high:g}, not {text}")
        values[key] = value
    if problems:
        raise UserError("\n".join(f"strategy {spec!r}: {problem}" for problem in problems))
    return values


def _label(name: str, settings: Mapping[str, float], chosen: Mapping[str, float]) -> str:
    """Return a name with those options that change something, in a fixed order."""
    changed = sorted(key for key, value in chosen.items() if value != settings[key])
    return ":".join([name, *(f"{key}={chosen[key]!r}".removesuffix(".0") for key in changed)])


def _weights_array(weights: Mapping[str, Weight], chosen: Mapping[str, float]) -> np.ndarray:
    array = np.zeros(MAX_WEIGHTS)
    for weight in weights.values():
        array[weight.index] = chosen[weight.name]
    return array


def _fingerprint(
    files: Iterable[Path], weights: np.ndarray, blunder: float, function: str = ""
) -> str:
    """Return a hash of what a strategy does, wherever it runs: its code, weights and blunder."""
    digest = hashlib.sha256(function.encode())
    for path in sorted(files, key=lambda path: path.name):
        digest.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    digest.update(np.array([*weights, blunder], "<f8").tobytes())
    return digest.hexdigest()[:20]


def check_seats(game: Game, specs: Sequence[str]) -> None:
    """Raise UserError unless a game can be played with this number of seats."""
    least, most = game.min_players, game.max_players
    if not least <= len(specs) <= most:
        allowed = " or ".join(str(count) for count in range(least, most + 1))
        seats = f"{len(specs)} ({','.join(specs)})"
        raise UserError(f"{game.name} is played with {allowed} seats, not {seats}")


def lineup(game: Game, specs: Sequence[str]) -> Lineup:
    """Return the players of a table, one name a seat.

    Raises UserError for a wrong number of seats, or with all that is wrong with the names.
    """
    check_seats(game, specs)
    found: dict[str, Strategy] = {}
    problems: dict[str, None] = {}
    for spec in dict.fromkeys(specs):
        try:
            found[spec] = resolve(game, spec)
        except UserError as error:
            problems[str(error)] = None
    if problems:
        raise UserError("\n".join(problems))
    strategies = tuple(found[spec] for spec in specs)
    record = np.zeros(1, LINEUP)
    for slot, strategy in enumerate(strategies):
        record["weights"][0, slot] = strategy.weights
        record["blunder"][0, slot] = strategy.blunder
        record["standing"][0, slot] = strategy.standing
    deciders = [strategy.decider for strategy in strategies]
    deciders += deciders[:1] * (MAX_SEATS - len(deciders))
    labels = tuple(strategy.label for strategy in strategies)
    return Lineup(strategies, record, tuple(deciders), labels)


def _written(weights: Iterable[Weight]) -> str:
    """Return weights as options of a strategy."""
    return ":".join(f"{weight.name}={weight.value:g}" for weight in weights)


def list_strategies(game: Game) -> list[dict[str, Any]]:
    """Return one row a strategy.

    strategy, description, players (for how many; empty for any number), together (for players who
    win or lose as one), blunder, own (the weights in which it differs from its script, as options),
    weights (all of them).
    """
    return [
        {
            "strategy": preset.name,
            "description": preset.description,
            "players": list(preset.players),
            "together": preset.together,
            "blunder": preset.blunder,
            "own": _written(weight for weight in preset.weights if weight.name in preset.own),
            "weights": _written(preset.weights),
        }
        for preset in presets_of(game).values()
    ]


def list_weights(game: Game, strategy: str) -> list[dict[str, Any]]:
    """Return one row a weight of a strategy: weight, value, own, low, high, meaning.

    own: whether the strategy sets it itself, differently from its script. Raises UserError for an
    unknown strategy, with the nearest known one.
    """
    preset = _preset(game, strategy)
    return [
        {
            "weight": weight.name,
            "value": weight.value,
            "own": weight.name in preset.own,
            "low": weight.low,
            "high": weight.high,
            "meaning": weight.meaning,
        }
        for weight in preset.weights
    ]
