"""One game as readable lines: every decision in words, every event, the state turn by turn.

A trace is played by the driver itself, in plain Python mode, with two of its names bound to
functions that write. So the game at an address is the one that a batch plays there: rotation,
blunders and all. Standing orders are off, so that every decision is seen.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sim.batch import Batch
from sim.driver import ILLEGAL_CHOICE, bind, play_games, whim
from sim.errors import UserError
from sim.events import listen
from sim.game import Game
from sim.jit import COMPILED
from sim.kernel import Desk, Kernel
from sim.rng import make_key
from sim.wording import counted

Write = Callable[[str], None]
Ask = Callable[[str], str]
HELP = "a number chooses, ? shows what you can see, q quits"


class Narrator(Protocol):
    """A game's words; `game.describe.Narrator(state, tables, labels, viewer)` makes one.

    state, tables: the live records of the game. labels: who plays, one a seat. viewer: the seat
    whose player reads along (from 0): what that player cannot see is not told; None tells all.
    """

    def opening(self) -> list[str]:
        """Return the lines about the set-up, before the first decision."""

    def decision(self, prompt: int, choice: int) -> list[str]:
        """Return the lines about a legal choice of `state["seat"]` that is about to be applied."""

    def event(self, event: int, seat: int, a: int, b: int, c: int) -> list[str]:
        """Return the lines about an event, just after it was reported."""

    def ending(self) -> list[str]:
        """Return the lines about the finished game."""

    def question(self, prompt: int) -> str:
        """Return what the player at `state["seat"]` is asked."""

    def option(self, prompt: int, choice: int) -> str:
        """Return one of the options of the open prompt in words."""

    def view(self, seat: int) -> list[str]:
        """Return everything that the player at a seat can see."""


class Left(Exception):  # noqa: N818 - no error: the player wants to go
    """A player at the keyboard left the game."""


def legal_choices(legal: int) -> list[int]:
    """Return the choices of a bit mask, ascending."""
    return [choice for choice in range(63) if legal >> choice & 1]


def _by_hand(narrator: Narrator, write: Write, ask: Ask) -> Callable[..., int]:
    """Return a decider that asks a person."""
    met = False

    def decide(state: Any, tables: Any, prompt: int, weights: Any) -> int:
        nonlocal met
        options = legal_choices(int(state["legal"]))
        width = len(str(len(options)))
        write("")
        write(f"  {narrator.question(int(prompt))}")
        for number, choice in enumerate(options, start=1):
            write(f"    {number:>{width}}  {narrator.option(int(prompt), choice)}")
        hint = "" if met else f" ({HELP})"
        met = True
        while True:
            try:
                answer = ask(f"  seat {int(state['seat']) + 1}{hint}> ").strip().lower()
            except EOFError:
                raise Left from None
            if answer in ("q", "quit"):
                raise Left
            if answer == "?":
                for line in narrator.view(int(state["seat"])):
                    write(f"    {line}" if line else "")
            elif answer.isdecimal() and 1 <= int(answer) <= len(options):
                return options[int(answer) - 1]
            else:
                write(f"    {answer!r} is none of 1 to {len(options)}; {HELP}")

    return decide


def _careful(decider: Callable[..., Any], label: str, prompts: Any) -> Callable[..., int]:
    """Return a decider whose exceptions become errors that say who raised them, and where."""

    def decide(state: Any, tables: Any, prompt: int, weights: Any) -> int:
        try:
            return int(decider(state, tables, prompt, weights))
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}, line {last.lineno}"
            raise UserError(
                f"{label}: raised {type(error).__name__}: {error} ({place}), asked at seat "
                f"{int(state['seat']) + 1} for {prompts(prompt).name}"
            ) from error

    return decide


def slot_of(seat: int, number: int, rotations: int, players: int) -> int:
    """Return who of the lineup sits at a seat (both from 0) in a game, as the driver has it."""
    return (seat + number % rotations) % players


def trace_game(
    batch: Batch,
    number: int,
    labels: Sequence[str],
    write: Write,
    *,
    humans: Collection[int] = (),
    ask: Ask = input,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Play game `number` of a batch and write it line by line.

    labels: the lineup's names, slot by slot. humans: seats (from 0) that `ask` plays; a single
    one reads only what that player can see. Returns the game's rows, as a batch has them: games
    (1,), seats (1, players); None if a person left.

    Raises UserError where a strategy raises, RuntimeError in compiled mode.
    """
    if COMPILED:
        raise RuntimeError("a trace needs plain Python mode: set NUMBA_DISABLE_JIT=1")
    game, tables = batch.game, batch.tables
    players = int(tables["players"][0])
    seated = [labels[slot_of(seat, number, batch.rotations, players)] for seat in range(players)]
    seated = ["you" if seat in humans else label for seat, label in enumerate(seated)]
    desk = Desk(game, make_key(batch.seed))
    state = desk.states[0]
    viewer = next(iter(humans)) if len(humans) == 1 else None
    if len(humans) > 1:
        viewer = -1  # several people at one screen: nobody's hand is told, views show one's own
    narrator: Narrator = game.describe.Narrator(state, tables[0], seated, viewer)

    lineup = batch.players.record.copy()
    lineup["standing"] = 0
    deciders = [
        _careful(decider, label, game.prompts)
        for decider, label in zip(batch.players.deciders, labels, strict=False)
    ]
    by_hand = _by_hand(narrator, write, ask)
    for seat in humans:
        slot = slot_of(seat, number, batch.rotations, players)
        deciders[slot] = by_hand
        lineup["blunder"][0, slot] = 0.0

    blundered = False

    def tell(lines: list[str]) -> None:
        for line in lines:
            write(line)

    def told_open_game(state: Any, tables: Any, backstage: Any) -> None:
        game.open_game(state, tables, backstage)
        tell(narrator.opening())
        listen(lambda *event: tell(narrator.event(*event)))

    def told_whim(*arguments: Any) -> int:
        nonlocal blundered
        choice = whim(*arguments)
        blundered = choice >= 0
        return choice

    def told_choice(
        state: Any, backstage: Any, transcript: Any, turn: int, prompt: int, choice: int
    ) -> None:
        nonlocal blundered
        seat, legal, choice = int(state["seat"]), int(state["legal"]), int(choice)
        if not 0 <= choice <= 62 or not legal >> choice & 1:
            name = game.prompts(prompt).name
            allowed = ", ".join(map(str, legal_choices(legal)))
            write(f"  seat {seat + 1} ({seated[seat]}) picks {choice} for {name}: not legal")
            write(f"  legal were: {allowed}")
            return
        lines = narrator.decision(int(prompt), choice)
        if blundered and lines:
            lines[-1] += " (a blunder)"
        blundered = False
        tell(lines)

    tell(_heading(game, batch, number, seated))
    function = bind(
        play_games,
        open_game=told_open_game,
        advance=game.advance,
        turn_of=game.turn_of,
        record=game.record,
        whim=told_whim,
        note=told_choice,
    )
    kernel = Kernel(game, function, desk.backstage.dtype, from_cache=False)
    try:
        rows = kernel.play(
            desk,
            number,
            1,
            batch.rotations,
            tables,
            tuple(deciders),
            lineup,
            np.zeros((1, 5), np.int64),  # room for a decision: the driver then calls `note`
        )
    except Left:
        write("")
        write("You left the game.")
        return None
    finally:
        listen(None)
    if int(state["status"]) == ILLEGAL_CHOICE:
        write("")
        write("The game ends with this illegal choice; it has no winner.")
    tell(narrator.ending())
    return rows


def _heading(game: Game, batch: Batch, number: int, seated: Sequence[str]) -> list[str]:
    deal, rotation = divmod(number, batch.rotations)
    where = f"game {number}"
    if batch.rotations > 1:
        where += f" (deal {deal}, seats rotated {rotation} of {batch.rotations} times)"
    lines = [f"{game.title}, {counted(len(seated), 'player')}, seed {batch.seed}, {where}"]
    lines += [f"  seat {seat}: {label}" for seat, label in enumerate(seated, start=1)]
    return lines


__all__ = ["Left", "Narrator", "legal_choices", "slot_of", "trace_game"]
