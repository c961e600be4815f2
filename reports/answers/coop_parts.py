"""What the captions of the sections on teams say of n and methods."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Setting


def n_of(found: pd.DataFrame, unit: str) -> str:
    """The n of some rows: "n = 600 blocks", or from the least to the most of them."""
    if found.empty:
        return f"n = 0 {unit}"
    ends = dict.fromkeys(words.count(found["n"].agg(end)) for end in ("min", "max"))
    return f"n = {' to '.join(ends)} {unit}"


def shares_by(setting: Setting) -> str:
    """How shares of games have their intervals; exact ones where few games are so, or not so."""
    return "Wilson or exact" + (" on the effective number" if setting.rotations > 1 else "")


def gains_by(setting: Setting) -> str:
    """How differences of shares of games have theirs."""
    if setting.rotations > 1:
        return "Student over paired blocks"
    return "Tango, or what suits where few games differ"
