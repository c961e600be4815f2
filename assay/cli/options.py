"""Options that several commands share, so that they read the same everywhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.output import Format

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name; `assay games` lists them.")
]
Players = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Number of players.  [default: as many as seats, or the most allowed]"
    ),
]
Seats = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Strategies, seat 1 first; a single one plays every seat.  [default: balanced, "
        "or team_balanced where the players win together]",
    ),
]
Seed = Annotated[int, typer.Option(metavar="S", help="Seed of the luck, 0 to 2**64 - 1.")]
Threads = Annotated[
    int | None, typer.Option(metavar="T", help="Threads.  [default: all processors]")
]
Rotate = Annotated[
    bool,
    typer.Option(
        "--rotate/--no-rotate",
        help="Play every deal once in each rotation of the seats, on the same luck.",
    ),
]
Rules = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Folder of rules files, as `assay rules GAME --export DIR` writes it."
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a number of the rules, e.g. dynamite.supply=8; may be given again.",
    ),
]
As = Annotated[Format, typer.Option("--format", help="How to print the result.")]
Progress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        help="Progress on stderr.  [default: only on a terminal]",
        show_default=False,
    ),
]


def note_rotation(study: Path) -> None:
    """Say on stderr, once, where a study's seats rotate although all play alike."""
    from assay.api import rotation_note
    from assay.study import load_study

    if not study.is_file():
        return  # the command itself says so
    found = load_study(study)
    note = rotation_note(found.seats, found.lineup.rotate)
    if note:
        print(f"assay: note: {study}: lineup.rotate: {note}", file=sys.stderr)


def note_fit(notes: Iterable[str]) -> None:
    """Say on stderr which strategies are made for another table: what `fit_notes` returned."""
    for note in notes:
        print(f"assay: note: {note}", file=sys.stderr)


def patches_of(assignments: list[str] | None) -> dict[str, Any]:
    """Return the changes that `--set` asks for.

    Raises UserError for what is no assignment, and for a key that is set twice.
    """
    from sim.content import parse_assignment
    from sim.errors import UserError

    patches: dict[str, Any] = {}
    for text in assignments or ():
        key, value = parse_assignment(text)
        if key in patches:
            raise UserError(f"--set {key}: is set twice")
        patches[key] = value
    return patches
