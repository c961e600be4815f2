"""`assay selftest`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assay.cli.options import As, Progress, Seed
from assay.output import Format, number, render, rows_of
from sim.wording import counted


def selftest(
    long: Annotated[
        bool, typer.Option("--long", help="At least 2,000 repetitions of everything, not 200.")
    ] = False,
    seed: Seed = 20260101,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Check the statistics against data whose truth is known.

    Each row is a promise: an interval misses the truth at most so often, a gate that is looked at
    all the time raises so few false alarms, a change of so many margins is found so often. Exit
    code 0 if all promises are kept, 1 if one is not.

    \b
    Examples:
      assay selftest
      assay selftest --long --format markdown
    """
    from assay.progress import showing
    from assay.selftest import selftest as perform

    with showing(progress) as show:
        frame = perform(long=long, seed=seed, progress=show)
    rows = rows_of(frame)
    broken = [row for row in rows if not row["holds"]]
    document = {"seed": seed, "long": long, "holds": not broken, "rows": rows}
    print(render(rows, form, document=document, shown=[_shown(row) for row in rows]))
    if form in (Format.TABLE, Format.MARKDOWN):
        print(f"\n{len(rows) - len(broken)} of {counted(len(rows), 'promise')} are kept.")
    if broken:
        raise typer.Exit(1)


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    least, most = row.get("at_least"), row.get("at_most")
    bounds = [] if least is None else [f"at least {least:g}"]
    bounds += [] if most is None else [f"at most {most:g}"]
    bound = f"{least:g}" if least is not None and least == most else " and ".join(bounds)
    return {
        "part": row["part"],
        "what": row["what"],
        "bound": bound,
        "observed": number(row["observed"], 3),
        "interval": f"{number(row['low'], 2)} to {number(row['high'], 2)}",
        "repetitions": row["repetitions"],
        "verdict": "kept" if row["holds"] else "BROKEN",
    }
