"""`assay robust`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import As, Progress, Rules, Set, Threads, note_fit, note_rotation, patches_of
from assay.output import Format, percent, render, rows_of
from sim.wording import counted

if TYPE_CHECKING:
    from assay.robust import Robust


def robust(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study's TOML file.")],
    draws: Annotated[
        int | None, typer.Option(metavar="N", help="Draws, instead of the study's.", min=2)
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of each play in a draw, instead of the study's."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed, instead of the study's.")
    ] = None,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the results.  [default: results/STUDY_robust]"),
    ] = None,
    small: Annotated[
        bool, typer.Option("--small", help="A few draws and games, to see that all works.")
    ] = False,
    set_: Set = None,
    rules: Rules = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Judge a study's conclusions in draws of unpublished numbers.

    Conclusions are the study's gates and the effects of its variants. Each gets the share of draws
    in which it holds, is reversed, is undecided, and the factors that decide it. The report is
    written to the folder of the results; an interrupted run goes on where it stopped.

    \b
    Examples:
      assay robust studies/robust_balance.toml
      assay robust studies/robust_balance.toml --draws 400 --games 4000
      assay robust studies/robust_balance.toml --small --format json --out /tmp/look
    """
    from assay.progress import showing
    from assay.robust import robust as judge

    note_rotation(study)
    with showing(progress) as show:
        result = judge(
            study,
            draws=draws,
            games=games,
            out=out,
            small=small,
            seed=seed,
            threads=threads,
            rules=rules,
            patches=patches_of(set_),
            progress=show,
        )
    note_fit(result.notes)
    for text, count in result.draws.narrowed.items():
        print(
            f"assay: note: {study}: {count} of {counted(result.draws.tried, 'draw')} did not go "
            f"with {text} and {'was' if count == 1 else 'were'} drawn again",
            file=sys.stderr,
        )
    rows = rows_of(result.conclusions)
    print(render(rows, form, document=_document(result), shown=[_short(row) for row in rows]))
    words = sys.stdout if form is Format.TABLE else sys.stderr
    if form is Format.TABLE:
        print()
    for path in result.files[:1] if form is Format.TABLE else result.files:
        print(path, file=words)


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """Return what fits on a line."""
    return {
        "conclusion": row["statement"],
        "verdict": row["verdict"],
        **{name: _share(row, name) for name in ("holds", "reversed", "undecided")},
        "true for": f"{100 * row['at_least']:.0f} to {percent(row['at_most'])}",
        "moved most by": _some(row["decided_by"]),
    }


def _some(names: str, most: int = 3) -> str:
    """Return the first of many names, and how many more there are."""
    found = names.split(", ")
    more = len(found) - most
    return ", ".join(found[:most]) + (f" and {more} more" if more > 0 else "")


def _share(row: dict[str, Any], name: str) -> str:
    low, high = (100 * row[name + end] for end in ("_low", "_high"))
    return f"{percent(row[name], 1)} [{low:.0f}, {high:.0f}]"


def _document(result: Robust) -> dict[str, Any]:
    frames = result.answer.frames
    return {
        "study": result.study.name,
        "game": result.setting.game.name,
        "seed": result.setting.seed,
        "games": result.setting.games,
        "draws": len(result.draws.points),
        "games_per_draw": result.games,
        "rejected": result.draws.rejected,
        "narrowed": dict(result.draws.narrowed),
        "skipped": list(result.skipped),
        "sentences": list(result.answer.sentences),
        "conclusions": rows_of(frames["conclusions"]),
        "shares": rows_of(frames["shares"]),
        "deciding": rows_of(frames["deciding"]),
        "figures": rows_of(frames["figures"]),
        "factors": rows_of(frames["draws"]),
    }
