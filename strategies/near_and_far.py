"""The scripted players of Near and Far with the Amber Mines.

`steady` takes the lowest choice; with a blunder of 1 it is `random`.
"""

from __future__ import annotations

from sim.choices import lowest
from strategies.toolkit import Script


def steady(state, tables, prompt, weights):
    """Take the lowest choice."""
    return lowest(state["legal"])


SCRIPTS = {
    "steady": Script(steady),
}
