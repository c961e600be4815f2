"""A number and its noun, as every message, sentence and caption puts them together.

    >>> counted(1, "block"), counted(2000, "block")
    ('1 block', '2,000 blocks')
    >>> counted(2, "loss", "losses")
    '2 losses'

The lowest folder has it, so that all others can use it.
"""

from __future__ import annotations

import math

MISSING = "–"


def counted(number: float, noun: str, plural: str = "") -> str:
    """A whole number and its noun, with thousands parted by commas; NaN is a dash.

    noun: for one of it. plural: for any other number, where an "s" behind the noun will not do.
    """
    return f"{_digits(number)} {noun_for(number, noun, plural)}"


def noun_for(number: float, noun: str, plural: str = "") -> str:
    """The noun alone, where the number stands elsewhere."""
    return noun if _digits(number) == "1" else plural or f"{noun}s"


def _digits(number: float) -> str:
    return MISSING if math.isnan(number) else f"{number:,.0f}"
