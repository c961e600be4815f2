"""`assay trace`."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.options import GameName, Players, Rotate, Rules, Seats, Seed, Set, patches_of
from assay.cli.play import SEED


def trace(
    game: GameName,
    game_index: Annotated[
        int, typer.Option(metavar="N", help="Number of the game in its batch, from 0.")
    ] = 0,
    players: Players = None,
    seats: Seats = None,
    seed: Seed = SEED,
    rotate: Rotate = False,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="K=NAME",
            help="Who plays seat K in this game instead: `human` for you, or a strategy.",
        ),
    ] = None,
    set_: Set = None,
    rules: Rules = None,
) -> None:
    r"""Show one game line by line, or play a seat of it by hand.

    Every roll, every choice and every event is told; blunders are marked.
    The game is the one that `assay play` with the same options plays under this number.

    \b
    Examples:
      assay trace wizard_miners --game-index 17
      assay trace wizard_miners --seat 1=human
    """
    from assay import api

    api.trace(
        game,
        game_index=game_index,
        players=players,
        seats=seats,
        seed=seed,
        rotate=rotate,
        rules=rules,
        patches=patches_of(set_),
        seat=_seated(seat),
        write=lambda line: print(line, flush=True),
    )


def _seated(assignments: list[str] | None) -> dict[int, str]:
    """Return who plays which seat instead. Raises UserError for what cannot be read."""
    from sim.errors import UserError

    seats: dict[int, str] = {}
    for text in assignments or ():
        number, equals, name = (part.strip() for part in text.partition("="))
        if not equals or not number.isdecimal() or not name:
            raise UserError(f"--seat {text}: write the seat's number and a name, e.g. 1=human")
        if int(number) in seats:
            raise UserError(f"--seat {number}: is given twice")
        seats[int(number)] = name
    return seats
