"""`assay plan`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options import As, Progress, Rules, Threads, note_fit, note_rotation
from assay.output import Format, number, percent, render


def plan(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study's TOML file.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where the pilot's games are kept.  [default: results/STUDY]"
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Games of each play, instead of the study's.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed, instead of the study's.")
    ] = None,
    threads: Threads = None,
    rules: Rules = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Forecast the games and minutes to each verdict of a study.

    Plays a pilot of at most 2,048 deals and continues it in many ways that it leaves possible:
    half of them have the verdict after the games given, nine in ten within the range. Games are of
    each play; minutes are of all plays that a verdict reads, on this machine, and without the
    repetitions with blundering players and a second lineup. The pilot's games are kept: `run`,
    `compare` and `check` begin with them.

    \b
    Examples:
      assay plan studies/checks/wizard_miners.toml
      assay plan studies/drill_cost.toml --format json
    """
    from assay.plan import plan as make_plan
    from assay.progress import showing

    note_rotation(study)
    with showing(progress) as show:
        found = make_plan(
            study, out=out, rules=rules, seed=seed, games=games, threads=threads, progress=show
        )
    note_fit(found.notes)
    rows = [
        {
            key: None if isinstance(value, float) and math.isnan(value) else value
            for key, value in row.items()
        }
        for row in found.rows
    ]
    shown = [_shown(row) for row in rows]
    print(render(rows, form, document=found.document, shown=shown))
    if form in (Format.TABLE, Format.MARKDOWN):
        print(
            f"\nPilot: {number(found.pilot)} games of each play. Budget: {number(found.budget)} "
            "games of each play. Ranges hold 90 % of what the pilot leaves possible."
        )


def _range(row: dict[str, Any], key: str, digits: int) -> str:
    low, middle, high = (row[key + end] for end in ("_low", "", "_high"))
    return f"{number(middle, digits)} ({number(low, digits)} to {number(high, digits)})"


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": row["kind"],
        "name": row["name"],
        "figure": row["figure"],
        "pilot": f"{number(row['estimate'], 3)} ({number(row['low'], 3)} to "
        f"{number(row['high'], 3)})",
        "verdict": row["verdict"],
        "discordance": "" if row["discordance"] is None else number(row["discordance"], 2),
        "speed-up": "" if row["speed_up"] is None else number(row["speed_up"], 3),
        "games": _range(row, "games", 3),
        "minutes": _range(row, "minutes", 2),
        "chance within budget": percent(row["chance"]),
        "budget": row["enough"],
    }
