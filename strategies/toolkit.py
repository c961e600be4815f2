"""Small helpers for decide functions of any game, and the description of a shipped script.

The legal choices of an open prompt are the set bits of `state["legal"]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from sim.choices import highest, is_legal, lowest
from sim.jit import rule


@dataclass(frozen=True)
class Script:
    """A decide function that ships with Assay.

    decide: `decide(state, tables, prompt, weights) -> choice`, not yet compiled.
    weights: the places of its named weights, as far as it has any.
    unasked: prompts in which it takes, whatever its weights are, what the rules take when nobody
    is asked: the lowest legal choice, or what the prompt's comment says. The driver then need not
    ask; play is the same, and faster.
    """

    decide: Callable[..., Any]
    weights: type[IntEnum] | None = None
    unasked: tuple[IntEnum, ...] = ()


@rule
def ways(sides, total):
    """Return how many of the sides * sides rolls of two dice have this sum."""
    return max(0, sides - abs(total - sides - 1))


__all__ = ["Script", "highest", "is_legal", "lowest", "ways"]
