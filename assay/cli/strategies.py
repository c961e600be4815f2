"""`assay strategies`."""

from __future__ import annotations

from assay.cli.options import As, GameName
from assay.output import Format, render


def strategies(game: GameName, form: As = Format.TABLE) -> None:
    r"""List the strategies of a game and their weights.

    \b
    Example:
      assay strategies wizard_miners

    Every strategy takes weights after a colon and `blunder`, the share of its decisions that it
    leaves to chance: `cleaner:blunder=0.2`. Your own is FILE.py:FUNCTION.
    """
    from assay import api

    print(render(api.strategies(game), form))
