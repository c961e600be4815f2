"""The Python front door: play, trace, look things up. The command line is a thin layer over it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.output import as_toml
from sim.errors import UserError
from sim.game import GAMES, Game, load_game
from sim.wording import counted

if TYPE_CHECKING:
    import pandas as pd

    from assay.progress import Progress
    from sim.batch import Chunk
    from sim.content import Content, Entry
    from strategies.resolve import Lineup

SEED = 20260101
DEFAULT_STRATEGY = "balanced"
TEAM_STRATEGY = "team_balanced"  # where the players win or lose as one, and a game has it
DEFAULT_GAMES = 10_000
HUMAN = "human"


# --- who plays what ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A game, its rules, who sits where: everything about a batch but its luck.

    specs: the strategies as the user wrote them, one a seat. record: the tables of the kernel,
    shape (1,).
    """

    game: Game
    specs: tuple[str, ...]
    rules: Path | None
    patches: Mapping[str, Any]
    content: Content[Any]
    record: Any

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.specs)

    @property
    def options(self) -> list[str]:
        """The rules and changes as options of a command."""
        words = [] if self.rules is None else ["--rules", str(self.rules)]
        for key, value in self.patches.items():
            words += ["--set", f"{key}={as_toml(value)}"]
        return words


def specs_of(
    game: Game,
    players: int | None,
    seats: str | Sequence[str] | None,
    usual: str = DEFAULT_STRATEGY,
) -> tuple[str, ...]:
    """Return one strategy spec a seat.

    seats: specs with commas between, or a list of them; a single one plays every seat. players:
    as many as there are specs, or as many as the game seats. usual: who plays where nobody is
    named.
    Raises UserError where the two do not fit.
    """
    if seats is None:
        specs: Sequence[str] = [usual]
    elif isinstance(seats, str):
        from strategies.resolve import parse_seats

        specs = parse_seats(seats)
    else:
        specs = seats
    if len(specs) == 1:
        wanted = game.max_players if players is None else players
        if not 1 <= wanted <= 64:
            raise UserError(
                f"{counted(wanted, 'player')}; {game.title} seats {game.min_players} to "
                f"{game.max_players}"
            )
        return tuple(specs) * wanted
    if players is not None and len(specs) != players:
        raise UserError(
            f"{counted(len(specs), 'strategy', 'strategies')} for {counted(players, 'player')}; "
            "give one for each seat, or a single one for all"
        )
    return tuple(specs)


def set_table(
    game: str,
    *,
    players: int | None = None,
    seats: str | Sequence[str] | None = None,
    rules: Path | str | None = None,
    patches: Mapping[str, Any] | None = None,
) -> Table:
    """Read a game, its rules and its seats. Raises UserError for whatever does not fit."""
    from sim.content import refuse_idle
    from strategies.presets import presets_of

    chosen = load_game(game)
    folder = None if rules is None else Path(rules)
    content = chosen.load(folder, dict(patches or {}))
    team = chosen.together(content.model) and TEAM_STRATEGY in presets_of(chosen)
    specs = specs_of(chosen, players, seats, TEAM_STRATEGY if team else DEFAULT_STRATEGY)
    refuse_idle(content, len(specs))
    record = chosen.make_tables(content.model, len(specs))
    return Table(chosen, specs, folder, dict(patches or {}), content, record)


def rotation_note(seats: Sequence[str], rotate: bool) -> str:
    """Return a hint where seats rotate although all play alike; "" where there is none to give."""
    if not rotate or len(seats) < 2 or len({seat.strip() for seat in seats}) > 1:
        return ""
    return (
        f"all {counted(len(seats), 'seat')} play {seats[0].strip()}, so every rotation of a deal "
        "is the same "
        "game again; without rotation the same games tell as much in a fraction of the time"
    )


# --- playing -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Oddity:
    """Games that did not end as games do: how many, and the first of them."""

    games: int = 0
    first: int | None = None

    def __add__(self, other: Oddity) -> Oddity:
        firsts = [first for first in (self.first, other.first) if first is not None]
        return Oddity(self.games + other.games, min(firsts, default=None))


@dataclass(frozen=True)
class Played:
    """What a batch of games came to.

    seats: the strategies' labels, seat 1 first. games: as played, whole blocks. seconds: of the
    games alone. capped, illegal: games that the cap or an illegal choice ended.
    """

    table: Table
    seats: tuple[str, ...]
    rotate: bool
    games: int
    seed: int
    seconds: float
    sums: Any = field(repr=False)
    capped: Oddity = Oddity()
    illegal: Oddity = Oddity()
    level: float = 0.95
    warnings: tuple[str, ...] = ()

    @property
    def game(self) -> str:
        """The game's name."""
        return self.table.game.name

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.table.players

    @property
    def games_per_second(self) -> float:
        """Games a second, all threads together."""
        return self.games / self.seconds

    @property
    def frame(self) -> pd.DataFrame:
        """Every metric in long form.

        Columns: metric, unit, statistic, seat, strategy, estimate, low, high, level, n, method.
        """
        return self.sums.estimates(self.level)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of `frame` as dicts without the keys that do not apply, and no unit."""
        from analysis.moments import COLUMNS

        return [
            {
                key: value
                for key, value in zip(COLUMNS, record, strict=True)
                if key != "unit" and (value is not None or key not in ("seat", "strategy"))
            }
            for record in self.sums.records(self.level)
        ]

    def replay(self, number: int) -> str:
        """Return the command that shows one of these games."""
        from strategies.trial import replay_command

        table, rotations = self.table, self.players if self.rotate else 1
        return replay_command(table.game, table.specs, self.seed, number, rotations, table.options)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; bounds may be infinite and estimates NaN."""
        return {
            "game": self.game,
            "players": self.players,
            "seats": list(self.seats),
            "rotate": self.rotate,
            "games": self.games,
            "seed": self.seed,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "units": {metric.name: metric.unit for metric in self.sums.metrics},
            "metrics": self.rows(),
        }


def play(
    game: str,
    *,
    players: int | None = None,
    seats: str | Sequence[str] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    rotate: bool = False,
    rules: Path | str | None = None,
    patches: Mapping[str, Any] | None = None,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Played:
    """Play many games and measure them.

    seats: strategies, e.g. "builder,cleaner:blunder=0.2,my_bot.py:decide"; a single one plays
    every seat, none is `balanced` everywhere. games: rounded up to whole blocks when the seats
    rotate. threads: all processors by default. rules: a folder of rules files; patches: changes,
    e.g. {"dynamite.supply": 8}.

    Raises UserError for a mistake in any of these, and when a strategy raises in a game.
    """
    table = set_table(game, players=players, seats=seats, rules=rules, patches=patches)
    return play_table(
        table,
        games=games,
        seed=seed,
        threads=threads,
        rotate=rotate,
        level=level,
        progress=progress,
    )


def play_table(
    table: Table,
    *,
    games: int,
    seed: int,
    threads: int | None,
    rotate: bool,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Played:
    """Play the games of a table; see `play`."""
    from sim.batch import Batch, whole_blocks
    from strategies.resolve import lineup
    from strategies.trial import try_out

    if not 0 < level < 1:
        raise UserError(f"the level must lie between 0 and 1, not {level}")
    rotations = table.players if rotate else 1
    total = whole_blocks(games, rotations)
    who = lineup(table.game, table.specs)
    batch = Batch(table.game, table.record, who, seed, rotations)
    tried = try_out(
        table.game, who, table.record, seed=seed, rotations=rotations, options=table.options
    )
    seconds, sums, capped, illegal = _play(table, batch, who, total, threads, progress)
    return Played(
        table,
        tuple(who.labels),
        rotate,
        total,
        seed,
        seconds,
        sums,
        capped,
        illegal,
        level,
        (*tried.warnings, *filter(None, [rotation_note(table.specs, rotate)])),
    )


def _play(
    table: Table, batch: Any, who: Lineup, total: int, threads: int | None, progress: Any
) -> tuple[float, Any, Oddity, Oddity]:
    from analysis.moments import Moments, metrics_of
    from sim.batch import GameError
    from sim.batch import play as play_chunks
    from sim.driver import CAPPED, ILLEGAL_CHOICE
    from sim.kernel import kernel_of
    from strategies.trial import replay_command

    together = table.game.together(table.content.model)
    metrics = metrics_of(table.game, table.players, together)
    labels, rotations = tuple(who.labels), batch.rotations

    def odd(chunk: Chunk, status: int) -> Oddity:
        found = (chunk.games["status"] == status).nonzero()[0]
        return Oddity(len(found), chunk.first + int(found[0])) if len(found) else Oddity()

    def reduce(chunks: tuple[Chunk, ...]) -> tuple[Any, Oddity, Oddity]:
        chunk = chunks[0]
        sums = Moments.of(chunk.games, chunk.seats, metrics, rotations=rotations, labels=labels)
        return sums, odd(chunk, CAPPED), odd(chunk, ILLEGAL_CHOICE)

    kernel_of(table.game)  # compiled before the clock starts
    sums = Moments.empty(metrics, rotations=rotations, labels=labels)
    capped = illegal = Oddity()
    done = 0
    started = time.perf_counter()
    try:
        for count, (part, part_capped, part_illegal) in play_chunks(
            [batch], 0, total, reduce, threads=threads
        ):
            sums, capped, illegal = sums + part, capped + part_capped, illegal + part_illegal
            done += count
            if progress is not None:
                progress(table.game.title, done, total)
    except GameError as error:
        replay = replay_command(
            table.game, table.specs, batch.seed, error.game, rotations, table.options
        )
        raise UserError(
            f"a strategy raised {type(error.cause).__name__} in game {error.game}: {error.cause}\n"
            f"  replay: {replay}"
        ) from error
    return time.perf_counter() - started, sums, capped, illegal


# --- one game ------------------------------------------------------------------------------------


def trace(
    game: str,
    *,
    game_index: int = 0,
    players: int | None = None,
    seats: str | Sequence[str] | None = None,
    seed: int = SEED,
    rotate: bool = False,
    rules: Path | str | None = None,
    patches: Mapping[str, Any] | None = None,
    seat: Mapping[int, str] | None = None,
    write: Callable[[str], None] | None = None,
    ask: Callable[[str], str] = input,
) -> list[str]:
    """Play one game of a batch and return it as readable lines.

    game_index: the number of the game in the batch that the other arguments describe. seat: seat
    number (from 1) to who plays there in this game instead; "human" is asked with `ask`. write:
    gets each line as it comes.

    Traces are played in plain Python. Where the kernels of this process are compiled, a child
    process plays; it reads answers from this process's standard input.
    Raises UserError as `play` does.
    """
    arguments = {
        "game": game,
        "game_index": game_index,
        "players": players,
        "seats": seats if seats is None or isinstance(seats, str) else list(seats),
        "seed": seed,
        "rotate": rotate,
        "rules": None if rules is None else str(rules),
        "patches": dict(patches or {}),
        "seat": {str(number): spec for number, spec in (seat or {}).items()},
    }
    lines: list[str] = []

    def keep(line: str) -> None:
        lines.append(line)
        if write is not None:
            write(line)

    if "numba" not in sys.modules:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    from sim.jit import COMPILED

    if COMPILED:
        _trace_in_child(arguments, keep)
    else:
        _trace_here(arguments, keep, ask)
    return lines


def _trace_here(
    arguments: Mapping[str, Any], write: Callable[[str], None], ask: Callable[[str], str]
) -> None:
    from sim.batch import Batch
    from sim.rng import MAX_DEALS
    from sim.trace import slot_of, trace_game
    from strategies.resolve import lineup

    table = set_table(
        arguments["game"],
        players=arguments["players"],
        seats=arguments["seats"],
        rules=arguments["rules"],
        patches=arguments["patches"],
    )
    number, players = arguments["game_index"], table.players
    rotations = players if arguments["rotate"] else 1
    if not 0 <= number < MAX_DEALS * rotations:
        most = MAX_DEALS * rotations - 1
        raise UserError(f"the game's number must be from 0 to {most:,}, not {number}")
    specs = list(table.specs)
    humans = set()
    for text, spec in arguments["seat"].items():
        place = int(text) - 1
        if not 0 <= place < players:
            raise UserError(f"seat {text}: the seats of this game are 1 to {players}")
        if spec == HUMAN:
            humans.add(place)
        else:
            specs[slot_of(place, number, rotations, players)] = spec
    who = lineup(table.game, specs)
    batch = Batch(table.game, table.record, who, arguments["seed"], rotations)
    trace_game(batch, number, tuple(who.labels), write, humans=humans, ask=ask)


_CHILD = "import json, sys; from assay.api import _trace_main; _trace_main(json.loads(sys.argv[1]))"


def _trace_in_child(arguments: Mapping[str, Any], write: Callable[[str], None]) -> None:
    home = str(Path(__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    with subprocess.Popen(
        [sys.executable, "-c", _CHILD, json.dumps(arguments)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        for line in child.stdout:
            write(line.rstrip("\n"))
        said = child.stderr.read().strip()
    if child.returncode == 2:
        raise UserError(said)
    if child.returncode:
        raise RuntimeError(said)


def _trace_main(arguments: dict[str, Any]) -> None:
    """Play a trace in a child process and exit as a command does."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        _trace_here(arguments, lambda line: print(line, flush=True), input)
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


# --- looking things up ---------------------------------------------------------------------------


def games() -> list[dict[str, Any]]:
    """Return the games: name, title, players."""
    found = []
    for name in GAMES:
        game = load_game(name)
        players = f"{game.min_players} to {game.max_players}"
        found.append({"game": name, "title": game.title, "players": players})
    return found


def rules(
    game: str, *, rules: Path | str | None = None, patches: Mapping[str, Any] | None = None
) -> tuple[Entry, ...]:
    """Return every number of a game with its source, range and evidence.

    Raises UserError for an unknown game and rules that do not check.
    """
    return load_game(game).load(rules, dict(patches or {})).entries


def strategies(game: str) -> list[dict[str, Any]]:
    """Return the strategies of a game; see `strategies.resolve.list_strategies`."""
    from strategies.resolve import list_strategies

    return list_strategies(load_game(game))


def weights(game: str, strategy: str) -> list[dict[str, Any]]:
    """Return the weights of a strategy: weight, value, low, high, meaning.

    Raises UserError for an unknown game or strategy, with the nearest known one.
    """
    from strategies.resolve import list_weights

    return list_weights(load_game(game), strategy)
