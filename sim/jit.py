"""How kernels are compiled.

Rules are small functions that LLVM inlines into one entry kernel; only the entry kernel is
cached on disk. With `NUMBA_DISABLE_JIT=1` everything below is plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import config, njit, types
from numba.extending import intrinsic

COMPILED = not config.DISABLE_JIT

# Bounds checks cost nothing measurable here, so they stay on. The C wrapper of each function
# would be compiled for nobody.
_OPTIONS: dict[str, Any] = {"boundscheck": True, "nogil": True, "no_cfunc_wrapper": True}
_OURS = {"sim", "strategies"}


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    """Return how to compile a function.

    Ours make no arrays unless they say so (`with_arrays`), so they need not count who refers to
    one; other people's may.
    """
    return _OPTIONS | {"_nrt": function.__module__.split(".")[0] not in _OURS}


def _number(kind: Any) -> Any:
    """Return the type of a number for a constant's or an enum member's, other types as they are."""
    if isinstance(kind, types.IntegerLiteral):
        return kind.literal_type
    return kind.dtype if isinstance(kind, types.IntEnumMember) else kind


def _once(function: Any) -> Any:
    """Let a function be compiled once for all numbers.

    Left alone, numba compiles it anew for each constant that somebody calls it with.
    """
    if COMPILED:
        template = function.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            return template(
                tuple(map(_number, args)), {name: _number(kind) for name, kind in kws.items()}
            )

        function.get_call_template = get_call_template
    return function


def rule(function: Callable[..., Any]) -> Any:
    """Compile a function that is inlined where it is called: the hot path of a game."""
    return _once(njit(forceinline=True, **_options(function))(function))


def rare(function: Callable[..., Any]) -> Any:
    """Compile a function that is called and not inlined: what happens seldom or in many places.

    Said explicitly: otherwise numba hands the option down from a rule to whatever it calls, and a
    kernel of many functions becomes one that takes minutes to compile.
    """
    return _once(njit(forceinline=False, **_options(function))(function))


def with_arrays(function: Callable[..., Any]) -> Any:
    """Compile a function of ours that makes arrays to work in, and is called, not inlined."""
    return _once(njit(forceinline=False, **_OPTIONS, _nrt=True)(function))


if COMPILED:

    @intrinsic
    def selected(_context: Any, items: Any, place: Any) -> Any:
        """Return an item of a tuple of equal types without a jump, which could not be guessed.

        An index becomes a jump by a table. A place outside the tuple gives the first item.
        """

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            values, wanted = arguments
            item = builder.extract_value(values, 0)
            for number in range(1, items.count):
                here = builder.icmp_signed("==", wanted, wanted.type(number))
                item = builder.select(here, builder.extract_value(values, number), item)
            return item

        return items.dtype(items, place), build

else:

    def selected(items: Any, place: Any) -> Any:
        """Return an item of a tuple."""
        return items[place]
