"""`assay play`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import (
    As,
    GameName,
    Players,
    Progress,
    Rotate,
    Rules,
    Seats,
    Seed,
    Set,
    Threads,
    note_fit,
    patches_of,
)
from assay.output import Format, number, render
from sim.wording import counted

if TYPE_CHECKING:
    from assay.api import Oddity, Played

# the API's defaults, said here so that help needs no import of it
SEED = 20260101
GAMES = 10_000


def play(
    game: GameName,
    players: Players = None,
    seats: Seats = None,
    games: Annotated[int, typer.Option(metavar="N", help="Number of games.")] = GAMES,
    seed: Seed = SEED,
    threads: Threads = None,
    rotate: Rotate = False,
    set_: Set = None,
    rules: Rules = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Play many games: who wins, how long it takes, and more.

    \b
    Examples:
      assay play wizard_miners --games 100000
      assay play wizard_miners --seats builder,cleaner,saboteur,balanced --rotate
      assay play wizard_miners --seats my_bot.py:decide,balanced,balanced --format json
      assay play wizard_miners --set dynamite.supply=8 --set switches.spells=false

    With --rotate the number of games is rounded up to whole rotations.
    """
    from assay import api
    from assay.fit import fit_notes
    from assay.progress import showing

    with showing(progress) as show:
        result = api.play(
            game,
            players=players,
            seats=seats,
            games=games,
            seed=seed,
            threads=threads,
            rotate=rotate,
            rules=rules,
            patches=patches_of(set_),
            progress=show,
        )
    if result.games != games:
        print(
            f"assay: {counted(result.games, 'game')} instead of {games:,}: "
            f"whole blocks of {counted(result.players, 'rotation')}",
            file=sys.stderr,
        )
    if form in (Format.TABLE, Format.MARKDOWN):
        print(_heading(result))
        print()
    rows = result.rows()
    print(render(rows, form, document=result.to_dict(), shown=[_shown(row) for row in rows]))
    if form is Format.TABLE:
        print()
        print(
            f"{counted(result.games, 'game')} in {number(result.seconds, 3)} s: "
            f"{result.games_per_second:,.0f} games/s"
        )
    for warning in result.warnings:
        print(f"assay: warning: {warning}", file=sys.stderr)
    note_fit(fit_notes(result.table.game, result.table.content.model, result.table.specs))
    _warn(result, "stopped by the cap, without a winner", result.capped)
    if result.illegal.games:
        sys.stdout.flush()
        _warn(result, "ended by an illegal choice of a strategy, without a winner", result.illegal)
        raise typer.Exit(2)


def _heading(result: Played) -> str:
    who = ", ".join(f"seat {seat} {label}" for seat, label in enumerate(result.seats, start=1))
    turned = "; every deal in each rotation of the seats" if result.rotate else ""
    return (
        f"{result.table.game.title}, {counted(result.players, 'player')}, "
        f"{counted(result.games, 'game')}, seed {result.seed}\n{who}{turned}"
    )


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for reading: the interval in one cell."""
    return {
        "metric": row["metric"],
        "statistic": row["statistic"],
        "seat": row.get("seat"),
        "strategy": row.get("strategy"),
        "estimate": row["estimate"],
        f"{100 * row['level']:g} % interval": f"{number(row['low'])} to {number(row['high'])}",
        "n": row["n"],
        "method": row["method"],
    }


def _warn(result: Played, what: str, oddity: Oddity) -> None:
    """Say on stderr how many games did not end as games do, and how to see the first."""
    if oddity.first is not None:
        print(
            f"assay: {oddity.games:,} of {counted(result.games, 'game')} "
            f"{'was' if oddity.games == 1 else 'were'} {what}; see the first with:\n"
            f"  {result.replay(oddity.first)}",
            file=sys.stderr,
        )
