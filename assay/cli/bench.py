"""`assay bench`."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.options import As
from assay.output import Format, number, render


def bench(
    game: Annotated[str, typer.Argument(metavar="GAME")] = "wizard_miners",
    repeats: Annotated[int, typer.Option(metavar="N", help="How often to measure.")] = 7,
    cold: Annotated[
        bool, typer.Option("--cold", help="Compile everything afresh as well, in a new cache.")
    ] = False,
    form: As = Format.TABLE,
) -> None:
    r"""Measure games a second, start-up and compilation.

    Beside them runs, on as many threads, a calibration loop, which says how fast the machine is
    just now: the dice game Pig, two players who hold at 20, to 100. All figures are measured in
    turn, several times; low and high are the extremes, and JSON has every repeat.

    \b
    Examples:
      assay bench
      assay bench --cold --format json
    """
    from assay import bench as measuring

    figures = measuring.measure(game, repeats=repeats, cold=cold)
    rows = [figure.row() for figure in figures]
    shown = [
        {key: number(row[key], 3) if key in ("median", "low", "high") else row[key] for key in row}
        for row in rows
    ]
    document = {
        "game": game,
        "machine": measuring.machine(),
        "figures": [f.record() for f in figures],
    }
    print(render(rows, form, document=document, shown=shown))
