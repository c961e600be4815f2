"""What the captions of the sections on teams say of methods."""

from __future__ import annotations

from analysis.question import Setting


def shares_by(setting: Setting) -> str:
    """How shares of games have their intervals; exact ones where few games are so, or not so."""
    return "Wilson or exact" + (" on the effective number" if setting.rotations > 1 else "")


def gains_by(setting: Setting) -> str:
    """How differences of shares of games have theirs."""
    if setting.rotations > 1:
        return "Student over paired blocks"
    return "Tango, or what suits where few games differ"
