"""`assay strategies`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assay.cli.options import As, GameName
from assay.output import Format, render


def strategies(
    game: GameName,
    strategy: Annotated[
        str | None, typer.Argument(metavar="STRATEGY", help="List this one's weights.")
    ] = None,
    form: As = Format.TABLE,
) -> None:
    r"""List the strategies of a game, or the weights of one.

    \b
    Examples:
      assay strategies wizard_miners
      assay strategies wizard_miners cleaner

    Every strategy takes weights after a colon and `blunder`, the share of its decisions that it
    leaves to chance: `cleaner:clean_up_at=4:blunder=0.2`. Your own is FILE.py:FUNCTION.
    """
    from assay import api

    if strategy is not None:
        weights = api.weights(game, strategy)
        if not weights and form is Format.TABLE:
            print(f"{strategy} has no weights")
            return
        print(render(weights, form, shown=[_shown_weight(row) for row in weights]))
        return
    rows = api.strategies(game)
    print(render(rows, form, shown=[_shown(row) for row in rows]))


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """Return what people read of a strategy: of its weights those that are its own."""
    return {
        "strategy": row["strategy"],
        "players": (" or ".join(map(str, row["players"])) or "any")
        + (", as a team" if row["together"] else ""),
        "description": row["description"],
        "own weights": row["own"].replace(":", " "),
    }


def _shown_weight(row: dict[str, Any]) -> dict[str, Any]:
    """Return what people read of a weight."""
    return {
        "weight": row["weight"],
        "value": f"{row['value']:g}",
        "range": f"{row['low']:g} to {row['high']:g}",
        "own": "yes" if row["own"] else "",
        "meaning": row["meaning"],
    }
