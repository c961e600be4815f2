"""`assay check`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import As, Progress, Rules, Threads, note_fit, note_rotation
from assay.output import Format, render

if TYPE_CHECKING:
    from assay.check import CheckResult

SUMMARY = "GITHUB_STEP_SUMMARY"


def check(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study's TOML file.")],
    base_ref: Annotated[
        str | None,
        typer.Option(
            metavar="REF",
            help="Measure changes from the project at this git ref, e.g. origin/main.",
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write JUnit XML, one test case a gate.")
    ] = None,
    sarif: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write SARIF that points at the changed lines."),
    ] = None,
    no_repeat: Annotated[
        bool,
        typer.Option(
            "--no-repeat",
            help="Do not repeat verdicts with blundering players and a second lineup.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the games.  [default: results/STUDY]"),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of each play at most, instead of the study's."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed, instead of the study's.")
    ] = None,
    threads: Threads = None,
    rules: Rules = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Judge the gates of a study: the [[check]] tables. Made for CI.

    Exit code 0: all gates hold. 1: at least one fails. 3: none fails, at least one is undecided.
    2: the study cannot be checked, or the base at the ref cannot be played.

    \b
    Examples:
      assay check studies/checks/wizard_miners.toml
      assay check studies/checks/wizard_miners_change.toml --base-ref main --junit gates.xml
    """
    from assay.check import check as check_study
    from assay.progress import showing

    for option, file in (("--junit", junit), ("--sarif", sarif)):
        _refuse_place(option, file)
    note_rotation(study)
    with showing(progress) as show:
        result = check_study(
            study,
            base_ref,
            out=out,
            rules=rules,
            seed=seed,
            games=games,
            threads=threads,
            repeats=not no_repeat,
            progress=show,
        )
    note_fit(result.notes)
    from reports.annotations import shown_rows, tally

    shown = shown_rows(result.results)
    print(render(result.rows, form, document=result.document, shown=shown))
    if form is Format.TABLE:
        print(f"\n{tally(result.results)}")
        for name, text in _facts(result).items():
            print(f"{name}: {text}")
    sys.stdout.flush()  # whatever becomes of the files, the verdicts have been told
    _write_files(result, junit, sarif)
    _append_summary(result)
    if result.exit_code:
        raise typer.Exit(result.exit_code)


def _refuse_place(option: str, file: Path | None) -> None:
    """Raise UserError where a file cannot lie: told before anything is played."""
    from sim.errors import UserError

    if file is None:
        return
    if file.is_dir():
        raise UserError(f"{option} {file}: is a folder; name a file")
    if not file.parent.is_dir():
        raise UserError(f"{option} {file}: there is no folder {file.parent}")


def _facts(result: CheckResult) -> dict[str, str]:
    """Return what was played, in words."""
    facts = {}
    if result.base_ref is not None:
        facts["base"] = f"{result.base_ref} ({(result.commit or '')[:10]}), by {result.by}"
    each = result.document["level_of_each_gate"]
    facts["level"] = f"{result.level:g} for all gates together, {each:.4g} for each"
    facts["games"] = f"{result.games_played:,} played now, at most {result.budget:,} for each play"
    facts["exit code"] = str(result.exit_code)
    return facts


def _write_files(result: CheckResult, junit: Path | None, sarif: Path | None) -> None:
    from importlib import metadata

    from assay.gitref import top_of
    from reports import annotations
    from sim.store import write_file

    if junit is not None:
        text = annotations.junit(result.study.name, result.results, result.seconds)
        write_file(junit, text.encode())
    if sarif is not None:
        root = top_of(Path.cwd()) or Path.cwd()
        try:
            version = metadata.version("tabletop-assay")
        except metadata.PackageNotFoundError:
            version = None
        write_file(sarif, annotations.sarif(result.results, root, version).encode())


def _append_summary(result: CheckResult) -> None:
    """Append a summary to the file that GitHub names, as far as it takes it.

    Raises UserError where it cannot be written.
    """
    name = os.environ.get(SUMMARY)
    if not name:
        return
    from reports.annotations import SUMMARY_LIMIT, cut, summary
    from sim.errors import UserError

    path = Path(name)
    text = summary(result.study.head.title, result.results, _facts(result))
    try:
        there = path.stat().st_size if path.exists() else 0
        with path.open("ab") as file:
            file.write(cut(text, SUMMARY_LIMIT - there).encode())
    except OSError as error:
        raise UserError(f"{SUMMARY}: {path}: cannot be written: {error.strerror}") from None
