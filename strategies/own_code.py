"""Strategies in a user's own file: loading, checking, compiling.

Whatever can be wrong with the file is a UserError that names the file and the line.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import re
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types as nb
from numba.extending import overload

from sim.driver import MAX_WEIGHTS, bind
from sim.errors import UserError, choices, nearest
from sim.game import Game
from sim.jit import COMPILED, rare
from sim.kernel import compile_decider, decider_signature, source_hash
from sim.rng import make_key
from strategies.presets import FOLDER, Weight

PARAMETERS = ("state", "tables", "prompt", "weights")


@dataclass(frozen=True, eq=False)
class OwnCode:
    """A strategy's function out of a user's file.

    files: the file and the modules beside it that it imports. weights: its named weights.
    """

    path: Path
    name: str
    function: types.FunctionType
    files: tuple[Path, ...]
    weights: Mapping[str, Weight]

    @property
    def place(self) -> str:
        """Where the function begins, as `file:line`."""
        return f"{self.path}:{self.function.__code__.co_firstlineno}"

    def line_of(self, error: BaseException) -> str:
        """Return where in the file an exception arose as `file:line`, "" if somewhere else."""
        return _line_in(self.path, error)


# ---- loading ------------------------------------------------------------------------------


def load(path: Path, name: str) -> OwnCode:
    """Return a function of a user's file. The file runs as a module.

    Raises UserError for a file that is missing, does not run or has no such function, for wrong
    parameters and for WEIGHTS that are no dict of numbers.
    """
    module, files = _run(path)
    function = _function(path, module, name)
    return OwnCode(path, name, function, files, _weights(path, module))


def _run(path: Path) -> tuple[types.ModuleType, tuple[Path, ...]]:
    """Run a user's file as a module; return it and the files it consists of.

    The file is read each time, past Python's own cache, which would miss a quick edit.
    """
    try:
        code = compile(path.read_bytes(), str(path), "exec")
        files = _files(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    except SyntaxError as error:
        place = f"{error.filename or path}:{error.lineno or 1}"
        raise UserError(f"{place}: syntax error: {error.msg}") from None
    except ValueError as error:
        raise UserError(f"{path}: is not Python source: {error}") from None
    module = types.ModuleType(f"strategy_{path.stem}")
    module.__file__ = str(path)
    for other in files[1:]:
        sys.modules.pop(other.stem, None)
    sys.modules[module.__name__] = module  # dataclasses and enums look their module up
    folder = str(path.parent.resolve())
    sys.path.append(folder)
    importlib.invalidate_caches()
    # bytecode beside the file would hide an edit within the second it was written in
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's file may raise anything
        where = _line_in(path, error) or path
        text = f"{type(error).__name__}: {_gist(error)}"
        raise UserError(f"{where}: running the file failed: {text}") from None
    finally:
        sys.dont_write_bytecode = writes_none
        sys.path.remove(folder)
    return module, files


def _files(path: Path) -> tuple[Path, ...]:
    """Return a file and the modules beside it that it imports, directly or through others."""
    found: dict[Path, None] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found[file] = None
        for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            beside = (path.parent / f"{name.partition('.')[0]}.py" for name in names)
            waiting += [other for other in beside if other.is_file()]
    return tuple(found)


def _line_in(path: Path, error: BaseException) -> str:
    """Return where in a file an exception arose, as `file:line`, or ""."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == path.name]
    return f"{path}:{lines[-1]}" if lines else ""


def _function(path: Path, module: types.ModuleType, name: str) -> types.FunctionType:
    """Return a strategy's function out of a user's module, its parameters checked."""
    functions = {
        key: found
        for key, value in vars(module).items()
        if isinstance(found := getattr(value, "py_func", value), types.FunctionType)
        and found.__module__ == module.__name__
    }
    there = f"it has {choices(functions) or 'none'}"
    if not name:
        raise UserError(f"{path}: say which function, as {path}:FUNCTION; {there}")
    if name not in functions:
        raise UserError(f"{path}: no function {name!r}{nearest(name, functions)}; {there}")
    function = functions[name]
    place = f"{path}:{function.__code__.co_firstlineno}"
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        raise UserError(f"{place}: {name} must return its choice: no yield, no async")
    parameters = list(inspect.signature(function).parameters.values())
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(parameters) != len(PARAMETERS) or any(p.kind not in plain for p in parameters):
        raise UserError(
            f"{place}: {name} must take four parameters, "
            f"({', '.join(PARAMETERS)}), not ({', '.join(map(str, parameters))})"
        )
    return function


def _weights(path: Path, module: types.ModuleType) -> dict[str, Weight]:
    """Return the named weights of a user's file: its WEIGHTS, a dict of numbers, in order."""
    given = getattr(module, "WEIGHTS", {})
    if not isinstance(given, dict) or len(given) > MAX_WEIGHTS:
        raise UserError(f"{path}: WEIGHTS must be a dict of at most {MAX_WEIGHTS} numbers")
    found = {}
    for index, (key, value) in enumerate(given.items()):
        named = isinstance(key, str) and key.isidentifier() and key != "blunder"
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not named or not number or not math.isfinite(value):
            raise UserError(f"{path}: WEIGHTS: {key!r}: {value!r} is not a name and a number")
        found[key] = Weight(key, index, float(value), -math.inf, math.inf, "")
    return found


# ---- compiling ----------------------------------------------------------------------------

_compiled: dict[tuple[str, ...], Any] = {}


def whole(choice: Any) -> int:
    """Return a choice, which must be a whole number. Raises TypeError if it is none."""
    if isinstance(choice, int | np.integer | np.bool_):
        return int(choice)
    raise TypeError(f"a choice must be a whole number, not {choice!r}")


@overload(whole)
def _whole(choice):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Compile `whole` for whole numbers, and for nothing else."""
    if isinstance(choice, nb.Integer | nb.Boolean):
        return lambda choice: int(choice)
    if isinstance(choice, nb.IntEnumMember):
        return lambda choice: choice.value
    if isinstance(choice, nb.Optional):  # else numba would try again with what is not None
        return lambda choice: None
    return None


def _decide(state, tables, prompt, weights):  # type: ignore[no-untyped-def]
    """Stand for the user's function; `bind` puts it in."""
    raise NotImplementedError


_hide: Any = _decide
_turn_of: Any = _decide
_STATE: Any = None


def _answer(state, tables, prompt, weights):  # type: ignore[no-untyped-def]
    """Ask the user's function. Left to itself, numba would cut a choice of 1.5 down to 1."""
    return whole(_decide(state, tables, prompt, weights))


_LUCK = np.dtype([("key", np.uint64), ("base", np.uint64)], align=True)
_KEY = make_key(2)


def _spy(state, tables, prompt, weights):  # type: ignore[no-untyped-def]
    """Ask twice, the second time with what the player cannot see dealt anew; -1 if it differs."""
    copies = np.empty(1, _STATE)
    copies[0] = state
    luck = np.zeros(1, _LUCK)
    luck[0]["key"] = _KEY
    _hide(copies[0], tables, luck[0], state["seat"], _turn_of(state) * 32 + prompt)
    choice = whole(_decide(state, tables, prompt, weights))
    again = whole(_decide(copies[0], tables, prompt, weights))
    return choice if again == choice else -1


def compile_own(game: Game, code: OwnCode) -> Any:
    """Return the decider of a user's function, compiled with a check of what it returns.

    Raises UserError if it does not compile, or can return anything but a whole number.
    """
    return _compile(game, code, bind(_answer, _decide=_inner(code)), "")


def compile_spy(game: Game, code: OwnCode) -> Any:
    """Return a decider that plays like the user's function, but never legally once it peeks.

    It answers -1 where the function would choose otherwise if the cards that its player cannot
    see lay otherwise.
    """
    names = {"_hide": game.hide, "_turn_of": game.turn_of, "_STATE": game.state}
    return _compile(game, code, bind(_spy, _decide=_inner(code), **names), "_spied")


def _inner(code: OwnCode) -> Callable[..., Any]:
    return rare(code.function) if COMPILED else code.function


def _compile(game: Game, code: OwnCode, function: Callable[..., Any], suffix: str) -> Any:
    files = (*code.files, *FOLDER.glob("*.py"))
    function.__name__ = code.name + suffix  # names the cache folder
    key = (game.name, str(code.path.resolve()), function.__name__, source_hash(files))
    if key not in _compiled:
        try:
            _compiled[key] = compile_decider(game, function, files, makes_arrays=True)
        except UserError:
            raise
        except Exception as error:  # noqa: BLE001 - numba raises more than its own errors
            raise UserError(_why_not(game, code, error)) from None
    return _compiled[key]


def _why_not(game: Game, code: OwnCode, error: Exception) -> str:
    """Say why a function cannot be compiled; the function alone gives the clearest reason."""
    try:
        compiled = numba.njit(decider_signature(game).args, boundscheck=True)(code.function)
    except Exception as cause:  # noqa: BLE001 - as above
        return _explain(code, cause)
    result = nb.unliteral(compiled.nopython_signatures[0].return_type)
    if isinstance(result, nb.Integer | nb.Boolean | nb.IntEnumMember):
        return _explain(code, error)
    what = (
        "nothing, on some path at least"
        if isinstance(result, nb.Optional | nb.NoneType)
        else result
    )
    return f"{code.place}: {code.name} must return a whole number, the choice, not {what}"


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_FIELD = re.compile(r"Field '(?P<name>\w+)' was not found in record with fields \((?P<known>.*)\)")
_FRAME = ("Failed in", "During:", "File ", "- During", "[1]", "[2]")


def _explain(code: OwnCode, error: Exception) -> str:
    """Return what the compiler said in a few lines, with file and line."""
    text = _COLOURS.sub("", str(error))
    if field := _FIELD.search(text):
        known = re.findall(r"'(\w+)'", field["known"])
        hint = nearest(field["name"], known)
        text = text.replace(field[0], f"there is no field {field['name']!r}{hint}")
    lines = [
        found["line"]
        for found in _PLACE.finditer(text)
        if Path(found["file"]).name == code.path.name
    ]
    place = f"{code.path}:{lines[0]}" if lines else code.place
    return f"{place}: {code.name} does not compile:\n  {_gist(text) or type(error).__name__}"


def _gist(said: object) -> str:
    """Return what a long message of the compiler comes down to, without its own frames."""
    kept: list[str] = []
    for line in map(str.strip, _COLOURS.sub("", str(said)).splitlines()):
        if line.startswith(_FRAME):
            if kept:
                break
        elif line:
            kept.append(line)
    return "\n  ".join(kept[:5])
