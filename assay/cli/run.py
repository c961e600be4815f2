"""`assay run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Progress, Rules, Set, Threads, note_fit, note_rotation, patches_of


def run(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study's TOML file.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the results.  [default: results/STUDY]"),
    ] = None,
    small: Annotated[
        bool, typer.Option("--small", help="A few games of everything, to see that all works.")
    ] = False,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Games of each play, instead of the study's.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed, instead of the study's.")
    ] = None,
    threads: Threads = None,
    set_: Set = None,
    rules: Rules = None,
    progress: Progress = None,
) -> None:
    r"""Run a study: play, keep the games, answer, write the report.

    An interrupted run goes on where it stopped when it is started again.

    \b
    Examples:
      assay run studies/cave_in_risk.toml
      assay run studies/cave_in_risk.toml --small --out /tmp/look
    """
    from assay.progress import showing
    from assay.runner import run as run_study

    note_rotation(study)
    with showing(progress) as show:
        result = run_study(
            study,
            out=out,
            small=small,
            rules=rules,
            patches=patches_of(set_),
            seed=seed,
            games=games,
            threads=threads,
            progress=show,
        )
    note_fit(result.notes)
    for path in result.files:
        print(path)
