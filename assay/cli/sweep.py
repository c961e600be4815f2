"""`assay sweep`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import As, Progress, Rules, Set, Threads, note_fit, note_rotation, patches_of
from assay.output import Format


def sweep(
    study: Annotated[
        Path, typer.Argument(metavar="STUDY", help="A study's TOML file with a table [sweep].")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the results.  [default: results/STUDY]"),
    ] = None,
    small: Annotated[
        bool, typer.Option("--small", help="A few games of every cell, to see that all works.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of a cell, at most, instead of the study's."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed, instead of the study's.")
    ] = None,
    threads: Threads = None,
    set_: Set = None,
    rules: Rules = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Play many rules on the same luck: maps, targets, what matters.

    The report is written to the folder `sweep` of the results. An interrupted sweep goes on where
    it stopped when it is started again.

    \b
    Examples:
      assay sweep studies/dynamite_and_cave_ins.toml
      assay sweep studies/switches.toml --games 2000 --format csv
    """
    from assay.output import render, rows_of
    from assay.progress import showing
    from assay.sweep import sweep as play_sweep

    note_rotation(study)
    with showing(progress) as show:
        result = play_sweep(
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
    frames = {name: rows_of(frame) for name, frame in result.frames.items()}
    files = [str(path) for path in result.files]
    if form is Format.JSON:
        document = {
            "game": result.setting.game.name,
            "seed": result.setting.seed,
            "design": result.sweep.kind,
            "stopped": result.stopped,
            "sentences": list(result.sentences),
            "frames": frames,
            "files": files,
        }
        print(render([], form, document=document))
        return
    words = sys.stderr if form is Format.CSV else sys.stdout
    for sentence in result.sentences:
        print(sentence, file=words)
    print(f"Played: {result.stopped}.", file=words)
    for name in frames if form is Format.CSV else result.sweep.shown:
        print(f"\n# {name}" if form is Format.CSV else f"\n{name}")
        print(render(frames[name], form))
    print(f"\n{files[0]}", file=words)
