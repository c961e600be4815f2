"""The strategies that ship with a game: scripts and sets of weights, read from TOML."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sim.errors import choices, nearest
from sim.game import Game
from sim.tomlfile import Parts, Problem, ProblemsError, read_toml, show
from strategies.toolkit import Script

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Weight:
    """A named weight: its place in the array, its value, its range and what it means."""

    name: str
    index: int
    value: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Preset:
    """A strategy that ships with a game: a script, its weights, how often it blunders.

    players: at tables of how many it makes sense; empty for all. own: names of the weights that it
    sets itself, differently from its script. together: whether it is meant for players who win or
    lose as one.
    """

    name: str
    description: str
    script: Script
    weights: tuple[Weight, ...]
    blunder: float
    players: tuple[int, ...] = ()
    own: tuple[str, ...] = ()
    together: bool = False

    def fits(self, players: int) -> bool:
        """Whether it is meant for a table of so many."""
        return not self.players or players in self.players


@cache
def scripts_of(game: Game) -> Mapping[str, Script]:
    """Return the decide functions that ship with a game."""
    module = importlib.import_module(f"strategies.{game.name}")
    scripts: Mapping[str, Script] = module.SCRIPTS
    return scripts


class _Presets:
    """Reads a file of presets and gathers its problems."""

    def __init__(self, game: Game, path: Path) -> None:
        self.game = game
        self.scripts = scripts_of(game)
        self.path = path
        self.values, self.lines = read_toml(path)
        self.problems: list[Problem] = []

    def say(self, parts: Parts, text: str) -> None:
        """Note a problem at a key, or at the nearest table around it."""
        line = next(
            (
                self.lines[parts[:end]]
                for end in range(len(parts), 0, -1)
                if parts[:end] in self.lines
            ),
            None,
        )
        self.problems.append(Problem(str(self.path), line, ".".join(map(str, parts)), text))

    def table(self, parts: Parts, value: Any, known: Iterable[str], needed: Iterable[str]) -> bool:
        """Check that a value is a table with certain keys; say what is wrong with it."""
        known = list(known)
        if not isinstance(value, dict):
            self.say(parts, f"must be a table, not {show(value)}")
            return False
        for key in value:
            if key not in known:
                text = f"unknown key{nearest(key, known)}; known: {choices(known) or 'none'}"
                self.say((*parts, key), text)
        missing = [key for key in needed if key not in value]
        if missing:
            self.say(parts, f"lacks {choices(missing)}")
        return not missing

    def number(self, parts: Parts, value: Any, low: float, high: float) -> float:
        """Check that a value is a number within a range."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.say(parts, f"must be a number, not {show(value)}")
            return low
        if not low <= value <= high:
            self.say(parts, f"must be from {low:g} to {high:g}, not {value:g}")
        return float(value)

    def text(self, parts: Parts, value: Any) -> str:
        """Check that a value is words."""
        if not isinstance(value, str) or not value.strip():
            self.say(parts, f"must be words, not {show(value)}")
            return ""
        return value

    def players(self, parts: Parts, value: Any) -> tuple[int, ...]:
        """Check for how many players a strategy is."""
        least, most = self.game.min_players, self.game.max_players
        whole = isinstance(value, list) and all(type(number) is int for number in value)
        if not whole or any(not least <= number <= most for number in value):
            self.say(parts, f"must be a list of numbers from {least} to {most}, not {show(value)}")
            return ()
        return tuple(sorted(set(value)))

    def weights_of(self, name: str, tables: Any) -> dict[str, Weight]:
        """Read the weights of a script: exactly those that its code has."""
        enum = self.scripts[name].weights
        places = {place.name.lower(): int(place) for place in enum or ()}
        parts: Parts = ("weights", name)
        found: dict[str, Weight] = {}
        if not places and not tables:
            return found
        if not self.table(parts, tables, places, places):
            return found
        keys = ("value", "low", "high", "meaning")
        for key, entry in tables.items():
            at = (*parts, key)
            if key not in places or not self.table(at, entry, keys, keys):
                continue
            low = self.number((*at, "low"), entry["low"], -math.inf, math.inf)
            high = self.number((*at, "high"), entry["high"], low, math.inf)
            value = self.number((*at, "value"), entry["value"], low, high)
            meaning = self.text((*at, "meaning"), entry["meaning"])
            found[key] = Weight(key, places[key], value, low, high, meaning)
        return found

    def preset(self, name: str, entry: Any, weights: dict[str, dict[str, Weight]]) -> Preset | None:
        """Read one strategy."""
        parts: Parts = ("strategies", name)
        keys = ("script", "description", "blunder", "players", "together", "weights")
        if not self.table(parts, entry, keys, keys[:2]):
            return None
        script = entry["script"]
        if script not in self.scripts:
            text = f"unknown script {show(script)}{nearest(str(script), self.scripts)}"
            self.say((*parts, "script"), f"{text}; known: {choices(self.scripts)}")
            return None
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            self.say(parts, "a strategy's name is lower-case letters, digits and _")
        description = self.text((*parts, "description"), entry["description"])
        blunder = self.number((*parts, "blunder"), entry.get("blunder", 0), 0.0, 1.0)
        players = self.players((*parts, "players"), entry.get("players", []))
        together = entry.get("together", False)
        if not isinstance(together, bool):
            self.say((*parts, "together"), f"must be true or false, not {show(together)}")
        own = entry.get("weights", {})
        known = weights[script]
        found = dict(known)
        self.table((*parts, "weights"), own, known, ())
        for key, value in own.items() if isinstance(own, dict) else ():
            if key in known:
                was = known[key]
                value = self.number((*parts, "weights", key), value, was.low, was.high)
                found[key] = Weight(key, was.index, value, was.low, was.high, was.meaning)
        ordered = tuple(sorted(found.values(), key=lambda weight: weight.index))
        changed = tuple(one.name for one in ordered if one.value != known[one.name].value)
        code, team = self.scripts[script], together is True
        return Preset(name, description, code, ordered, blunder, players, changed, team)

    def read(self) -> dict[str, Preset]:
        """Read the file. Raises UserError with all its problems."""
        found: dict[str, Preset] = {}
        if self.table((), self.values, ("weights", "strategies"), ("strategies",)):
            tables = self.values.get("weights", {})
            if self.table(("weights",), tables, self.scripts, ()):
                weights = {name: self.weights_of(name, tables.get(name)) for name in self.scripts}
                entries = self.values["strategies"]
                if isinstance(entries, dict):
                    for name, entry in entries.items():
                        preset = self.preset(name, entry, weights)
                        if preset is not None:
                            found[name] = preset
                else:
                    self.say(("strategies",), f"must be a table, not {show(entries)}")
        if self.problems:
            raise ProblemsError(self.problems)
        return found


def read_presets(game: Game, path: Path) -> dict[str, Preset]:
    """Return the strategies of a presets file by name.

    Raises UserError with all problems of the file: file, line, key, nearest known word.
    """
    return _Presets(game, path).read()


@cache
def presets_of(game: Game) -> Mapping[str, Preset]:
    """Return the strategies that ship with a game."""
    return read_presets(game, FOLDER / f"{game.name}.toml")
