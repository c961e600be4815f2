"""Sweeps: many rules on the same luck, and what each number of the rules does to the game.

A study's `[sweep]` table says what is varied, in which design, and what is wanted. Every cell is a
play of the study's session, so its games are kept, shared with other commands, and an interrupted
sweep goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import math
import shlex
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.designs import Cell, Design, Factor, codes, factorial, grid, latin, sobol
from analysis.joint import JointSums
from analysis.measures import Measure, all_measures, block_values, find_measure
from analysis.moments import headline_of
from analysis.question import Play, Setting
from analysis.sensitivity import Screening, morris_effects, screening, sobol_indices
from analysis.sequential import Verdict
from analysis.sweep import Asked, CellSums, Target, overall, verdicts
from analysis.sweep_answer import (
    BASE,
    TAKEN,
    UNTOLD,
    Sweep,
    candidates,
    cells_frame,
    effect_sentences,
    effects_frame,
    figure_keys,
    index_sentences,
    ranking_sentences,
    replay_frame,
    response_frames,
    target_sentences,
    targets_frame,
)
from assay.fit import fit_notes
from assay.runner import Progress, Session, Table, claim, open_session, plain
from assay.study import FactorPart, Study, SweepPart, TargetPart, load_study, problem_at
from sim.batch import default_threads
from sim.content import Content, Entry, Patch, idle_text, players_for
from sim.errors import UserError, choices, nearest
from sim.tomlfile import Problem, ProblemsError, show
from sim.wording import counted
from strategies.resolve import Strategy

FOLDER = "sweep"
WEIGHTS = "weights."
BLUNDER = "blunder"
SMALL_ROWS = 8
ADAPTIVE = ("grid", "latin", "sobol")
SCREENINGS = ("indices", "morris")


@dataclass(frozen=True)
class Swept:
    """What a sweep left behind.

    sweep: frames and sentences. files: what was written, the report first. stopped: how the games
    were shared out. games: how many were needed in all, played now or before.
    """

    study: Study
    setting: Setting
    sweep: Sweep
    folder: Path
    files: list[Path]
    games: int
    stopped: str

    @property
    def frames(self) -> Mapping[str, pd.DataFrame]:
        """Tidy frames by name; see `analysis.sweep_answer.Sweep`."""
        return self.sweep.frames

    @property
    def sentences(self) -> tuple[str, ...]:
        """The findings in plain words."""
        return self.sweep.sentences

    @property
    def notes(self) -> tuple[str, ...]:
        """Strategies that sit at a table that they were not made for, in words."""
        return fit_notes(self.setting.game, self.setting.rules.model, self.setting.seats)


def sweep(
    path: Path | str,
    *,
    out: Path | str | None = None,
    small: bool = False,
    rules: Path | str | None = None,
    patches: Mapping[str, Any] | None = None,
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    report: bool = True,
    progress: Progress | None = None,
) -> Swept:
    """Play a study's sweep and write its report to the folder `sweep` of the study's results.

    out: folder of the results, `results/NAME` by default; games that lie there are used. small: a
    few games of every cell, to see that all works. rules, patches, seed, games: replace what the
    study says; games are those of a cell, at most. report: False for the frames alone.
    Raises UserError for a study that has no sweep, or whatever is wrong with it, all at once.
    """
    study = load_study(path)
    part = study.sweep
    if part is None:
        text = "has no sweep; add a table [sweep] with [[sweep.factors]] that name what is varied"
        raise ProblemsError([problem_at(study, ("study",), text)])
    options = {
        "study": str(path),
        "small": small,
        "rules": str(rules or study.rules_folder or "") or None,
        "set": dict(patches or {}),
        "seed": seed,
        "games": games,
    }
    out = Path(out) if out is not None else Path("results") / study.name
    session = open_session(study, out, options, threads=threads, progress=progress, claimed=False)
    started = time.perf_counter()
    player = _Player(session, part, *_checked(session, part), small=small)
    found = player.run()
    stopped = player.stopped()
    folder = session.folder / FOLDER
    files: list[Path] = []
    if report:
        from assay.sweep_report import write_sweep
        from reports.build import write_run

        files = write_sweep(session, found, folder, command_of(study, options), stopped)
        facts = {
            "seconds": time.perf_counter() - started,
            "games_played": player.played,
            "threads": session.threads or default_threads(),
        }
        files.append(write_run(folder, facts))
    return Swept(study, session.setting, found, folder, files, player.needed, stopped)


def command_of(study: Study, options: Mapping[str, Any]) -> str:
    """Return the command that gives this sweep again."""
    words = ["assay", "sweep", str(study.path)]
    if options["small"]:
        words.append("--small")
    for name in ("rules", "seed", "games"):
        if options[name] is not None:
            words += [f"--{name}", str(options[name])]
    for key, value in options["set"].items():
        words += ["--set", f"{key}={plain(value)}"]
    return shlex.join(words)


# ---------------------------------------------------------------------- factors, targets, plays


def _checked(session: Session, part: SweepPart) -> tuple[tuple[Factor, ...], Asked]:
    """Return the factors and what is asked. Raises ProblemsError with all that is wrong."""
    problems: list[Problem] = []
    factors: list[Factor] = []
    for place, one in enumerate(part.factors):
        try:
            factors.append(_factor(session, one, place, part.design))
        except ProblemsError as error:
            problems += error.problems
    names = [factor.name for factor in factors]
    taken = (*TAKEN, *(target.name for target in part.targets))
    for place, one in enumerate(part.factors):
        name = one.name or one.key
        if names.count(name) > 1 or name in taken:
            text = f"{name!r} is the name of something else in the tables; give another name"
            problems.append(_problem(session, text, "factors", place, "name"))
    targets: list[Target] = []
    for place, wanted in enumerate(part.targets):
        try:
            targets.append(_target(session, wanted))
        except UserError as error:
            problems.append(_problem(session, str(error), "targets", place))
        if wanted.name in TAKEN:
            text = f"{wanted.name!r} is the name of a column of the tables; give another name"
            problems.append(_problem(session, text, "targets", place, "name"))
    measures = list(dict.fromkeys(target.measure for target in targets))
    try:
        measures += [one for one in _shown(session, part) if one not in measures]
    except UserError as error:
        problems.append(_problem(session, str(error), "metrics"))
    if problems:
        raise ProblemsError(problems)
    labels = session.plays.lineup(session.setting.seats).labels
    asked = Asked(tuple(measures), tuple(targets), session.setting.rotations, labels)
    return tuple(factors), asked


def _problem(session: Session, text: str, *key: str | int) -> Problem:
    """Return a problem with a key of the sweep, at its line."""
    parts: Any = ("sweep", *key)
    return problem_at(session.study, parts, text)


def _target(session: Session, part: TargetPart) -> Target:
    setting = session.setting
    labels = session.plays.lineup(setting.seats).labels
    measure = find_measure(setting.game, part.metric, part.where, labels, part.statistic)
    if measure.quantile is not None and measure.fields:
        raise UserError("a quantile can be asked of a seat or a strategy only")
    low, high = (float(end) for end in part.within)
    return Target(part.name, measure, low, high)


def _shown(session: Session, part: SweepPart) -> list[Measure]:
    """Return the measures that are shown: of the metrics named, or the win rate of each seat.

    A team shows its own, a game without a win rate its first metric.
    """
    setting = session.setting
    game = setting.game
    labels = session.plays.lineup(session.setting.seats).labels
    names = part.metrics or [headline_of(game, setting.together)]
    found = []
    for name in names:
        metric = find_measure(game, name, {}, labels).metric
        # a group of all seats or all strategies by itself; no tables of one by the other
        found += [
            one
            for one in all_measures([metric], labels)
            if (one.seat is None or one.strategy is None)
            and not (one.strategy is not None and len(set(labels)) == 1)
        ]
    return found


def _factor(session: Session, part: FactorPart, place: int, design: str) -> Factor:
    """Return a factor with its base value and its range. Raises ProblemsError."""
    base: Any
    low: float | None = None
    high: float | None = None
    levels: tuple[Any, ...] | None = None
    if part.key.startswith(WEIGHTS):
        base, low, high = _weight(session, part, place)
        whole, number = part.whole, True
    else:
        base, entry = _rule(session, part, place)
        if entry is not None:
            low, high, levels = entry.low, entry.high, entry.options
        number = isinstance(base, int | float) and not isinstance(base, bool)
        whole = part.whole or isinstance(base, int)
    name = part.name or part.key
    if part.values is not None:
        if any(isinstance(value, dict) for value in part.values):
            text = "a table is no value; name the keys in it"
            raise ProblemsError([_problem(session, text, "factors", place, "values")])
        values = tuple(dict.fromkeys(_hashable(value) for value in part.values))
        if len(values) < 2:
            text = "needs two different values or more"
            raise ProblemsError([_problem(session, text, "factors", place, "values")])
        return Factor(part.key, name, base, values, cost=part.cost)
    if part.low is not None and part.high is not None:
        if not number:
            text = f"{show(base)} is no number; give values instead of low and high"
            raise ProblemsError([_problem(session, text, "factors", place, "low")])
        low, high = part.low, part.high
    elif levels is not None:
        if set(levels) == {True, False}:
            levels = (False, True)
        if design == "factorial" and len(levels) != 2:
            text = f"has the values {choices(map(show, levels))}; a factorial takes two, name them"
            raise ProblemsError([_problem(session, text, "factors", place)])
        return Factor(part.key, name, base, levels, cost=part.cost)
    if low is None or high is None or not number:
        text = f"{part.key} has no assumed range; give values, or low and high"
        if isinstance(base, tuple):
            text = f"{part.key} is a list; name one of its numbers ({part.key}.0), or give values"
        raise ProblemsError([_problem(session, text, "factors", place)])
    if (math.ceil(low) >= math.floor(high)) if whole else low >= high:
        text = f"{low:g} to {high:g} leaves one value at most"
        raise ProblemsError([_problem(session, text, "factors", place)])
    return Factor(part.key, name, base, None, low, high, whole, part.steps, part.cost)


def _hashable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_hashable(one) for one in value)
    return value


def _rule(session: Session, part: FactorPart, place: int) -> tuple[Any, Entry | None]:
    """Return the base value of a key of the rules, and its entry. Raises ProblemsError."""
    content: Content[Any] = session.setting.rules
    allowed = players_for(type(content.model), part.key)
    if allowed and session.setting.players not in allowed:
        text = idle_text(part.key, session.setting.players, allowed)
        raise ProblemsError([_problem(session, text, "factors", place, "key")])
    value: Any = content.model.model_dump()
    for name in part.key.split("."):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, tuple | list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            raise ProblemsError(_unknown(session, part, place))
    if isinstance(value, Mapping):
        text = f"{part.key} is a table; name one of {choices(value)} in it"
        raise ProblemsError([_problem(session, text, "factors", place, "key")])
    entries = {entry.key: entry for entry in content.entries}
    return _hashable(value), entries.get(part.key)


def _unknown(session: Session, part: FactorPart, place: int) -> list[Problem]:
    """Return what the rules say of a key they do not know."""
    setting = session.setting
    try:
        setting.game.load(setting.rules.folder, {**session.plays.patches, part.key: 0})
    except ProblemsError as error:
        return [
            _problem(session, f"{part.key}: {one.text}", "factors", place, "key")
            for one in error.problems
        ]
    raise AssertionError(f"{part.key} is neither known nor unknown")


def _weight(session: Session, part: FactorPart, place: int) -> tuple[float, float, float]:
    """Return base value, low and high of a strategy's weight. Raises ProblemsError."""
    name, _, weight = part.key.removeprefix(WEIGHTS).rpartition(".")
    who = session.plays.lineup(session.setting.seats)
    found = {name_of(one.spec): one for one in who.strategies}
    if name not in found:
        near = nearest(name, found)
        text = f"{part.key}: no strategy {name!r}{near} in the lineup; it has {choices(found)}"
        raise ProblemsError([_problem(session, text, "factors", place, "key")])
    known = _weights_of(session, found[name])
    if weight not in known:
        near = nearest(weight, known)
        text = f"{part.key}: unknown weight {weight!r}{near}; known: {choices(known)}"
        raise ProblemsError([_problem(session, text, "factors", place, "key")])
    value, low, high = known[weight]
    wanted = part.values if part.values is not None else [part.low, part.high]
    which = ["values"] * len(wanted) if part.values is not None else ["low", "high"]
    problems = []
    for key, one in zip(which, wanted, strict=True):
        if one is not None and (isinstance(one, bool) or not isinstance(one, int | float)):
            text = f"{weight} must be a number, not {show(one)}"
        elif one is not None and not low <= one <= high:
            text = f"{weight} must be from {low:g} to {high:g}, not {one:g}"
        else:
            continue
        problems.append(_problem(session, text, "factors", place, key))
    if problems:
        raise ProblemsError(problems)
    return value, low, high


def name_of(spec: str) -> str:
    """Return a strategy's name without its options: of "builder:gem=0.2", "my_bot.py:decide"."""
    parts = spec.strip().split(":")
    return ":".join(parts[:2]) if parts[0].endswith(".py") else parts[0]


def _weights_of(session: Session, strategy: Strategy) -> dict[str, tuple[float, float, float]]:
    """Return value, low and high of each weight of a strategy as it sits at the table."""
    from strategies.presets import presets_of

    if strategy.own is not None:
        weights = list(strategy.own.weights.values())
    else:
        weights = list(presets_of(session.setting.game)[name_of(strategy.spec)].weights)
    known = {one.name: (float(strategy.weights[one.index]), one.low, one.high) for one in weights}
    return {BLUNDER: (strategy.blunder, 0.0, 1.0), **known}


def with_weights(seats: Sequence[str], wanted: Mapping[tuple[str, str], Any]) -> tuple[str, ...]:
    """Return the specs of a lineup with some weights set: (strategy, weight) -> value."""
    found = []
    for spec in seats:
        name = name_of(spec)
        mine = {weight: value for (who, weight), value in wanted.items() if who == name}
        kept = [
            option
            for option in spec.strip().removeprefix(name).split(":")
            if option and option.partition("=")[0].strip() not in mine
        ]
        found.append(":".join([name, *kept, *(f"{key}={value!r}" for key, value in mine.items())]))
    return tuple(found)


def play_of(
    session: Session, factors: Sequence[Factor], lines: Sequence[int | None], cell: Cell, name: str
) -> Play:
    """Return a cell as a play; each patch remembers the line of its factor."""
    patches: dict[str, Any] = {}
    weights: dict[tuple[str, str], Any] = {}
    for factor, line, value in zip(factors, lines, cell, strict=True):
        if factor.key.startswith(WEIGHTS):
            who, _, weight = factor.key.removeprefix(WEIGHTS).rpartition(".")
            weights[who, weight] = value
        else:
            patches[factor.key] = Patch(_listed(value), str(session.study.path), line)
    seats = with_weights(session.setting.seats, weights) if weights else None
    return Play(name, seats, patches)


def _listed(value: Any) -> Any:
    return [_listed(one) for one in value] if isinstance(value, tuple) else value


# ---------------------------------------------------------------------------------- the playing


@dataclass
class _Work:
    """A play that is being filled."""

    play: Play
    table: Table


class _Player:
    """Plays the cells of a sweep and makes its frames."""

    def __init__(
        self,
        session: Session,
        part: SweepPart,
        factors: tuple[Factor, ...],
        asked: Asked,
        *,
        small: bool,
    ) -> None:
        self.session = session
        self.part = part
        self.factors = factors
        self.asked = asked
        self.small = small
        self.setting = session.setting
        self.played = 0
        self.needed = 0
        self.lock = threading.Lock()
        looks = [cut for cut in session.cuts if cut < self.setting.games] + [self.setting.games]
        adaptive = part.adaptive and bool(asked.targets) and part.design in ADAPTIVE
        self.looks = looks if adaptive else looks[-1:]
        # one look at a number of games that was fixed beforehand needs no sequence
        self.sequential = len(self.looks) > 1
        self.games: list[int] = []
        self.lines = [
            _problem(session, "", "factors", place, "values").line for place in range(len(factors))
        ]

    def run(self) -> Sweep:
        """Play, and return frames and sentences."""
        if self.part.design in SCREENINGS:
            return self._screen()
        return self._cells()

    def stopped(self) -> str:
        """Say how the games were shared out."""
        setting = self.setting
        if self.part.design in SCREENINGS:
            return (
                f"{counted(setting.games, 'game')} of every point, each row of points on deals of "
                "its own"
            )
        if not self.sequential:
            return f"{counted(setting.games, 'game')} of every cell"
        least, most = min(self.games), max(self.games)
        start = "" if least == most else f"{least:,} to "
        return (
            f"{start}{counted(most, 'game')} of a cell: a cell is played no further once "
            "confidence sequences tell whether it meets all targets, at looks fixed beforehand"
        )

    # ------------------------------------------------------------------- grids and the like

    def _design(self) -> Design:
        part, seed = self.part, self.setting.seed
        try:
            match part.design:
                case "grid":
                    return grid(self.factors)
                case "factorial":
                    return factorial(self.factors)
                case "latin":
                    return latin(self.factors, part.cells, seed)
                case _:
                    return sobol(self.factors, part.cells, seed)
        except ValueError as error:
            problem = _problem(self.session, str(error), "design")
            raise ProblemsError([problem]) from None

    def _cells(self) -> Sweep:
        design = self._design()
        base = tuple(factor.base for factor in self.factors)
        cells = (base, *design.cells)
        names = [f"cell {number}" for number in range(1, len(cells))]
        plays = [
            Play("base"),
            *(
                play_of(self.session, self.factors, self.lines, cell, name)
                for cell, name in zip(design.cells, names, strict=True)
            ),
        ]
        self._check(plays)
        work = [_Work(one, self.session.table(one)) for one in plays]
        sums = self._allocate(work)
        level, asked = self.setting.level, self.asked
        self.games = [one.pairs[0].blocks * asked.rotations for one in sums]
        frames = {
            "cells": cells_frame(
                self.factors, cells, sums, asked, level, sequential=self.sequential
            ),
            "targets": targets_frame(
                self.factors,
                cells,
                sums,
                asked,
                level,
                sequential=self.sequential,
                seed=self.setting.seed,
            ),
        }
        sentences: list[str] = []
        replay: tuple[int, ...] = ()
        meets = False
        if asked.targets:
            picked, meets = candidates(frames["targets"], cells, level)
            replay = tuple(picked)
            if not replay:
                sentences.append(UNTOLD)
        if replay:
            frames["replay"] = self._replay(work, cells, replay)
            sentences += target_sentences(
                frames["targets"],
                frames["replay"],
                self.factors,
                cells,
                asked,
                replay,
                meets,
                level,
            )
        common = min(self.games[1:])
        joints = self._joints(work[1:], common)
        means = [one for one in asked.measures if one.quantile is None]
        if design.kind == "factorial":
            frames["effects"] = effects_frame(self.factors, codes(design), joints, level)
            sentences += effect_sentences(frames["effects"], means)
        else:
            frames |= response_frames(self.factors, design.cells, joints, level, self.setting.seed)
            sentences += ranking_sentences(frames["sensitivity"], frames["fit"], means)
        return Sweep(
            design.kind,
            self.factors,
            cells,
            asked,
            level,
            self.sequential,
            frames,
            tuple(sentences),
            replay,
            meets,
        )

    def _check(self, plays: Sequence[Play]) -> None:
        """Build the rules and the lineup of every cell, then claim the folder.

        Raises ProblemsError with every bad cell at once, before anything is written.
        """
        problems: list[Problem] = []
        for one in plays:
            try:
                self.session.plays.content(one)
                if one.seats is not None:
                    self.session.plays.lineup(one.seats)
            except ProblemsError as error:
                problems += error.problems
            except UserError as error:
                problems.append(_problem(self.session, str(error), "factors"))
        if problems:
            raise ProblemsError(problems)
        claim(self.session.folder, self.session.study)

    def _allocate(self, work: Sequence[_Work]) -> list[CellSums]:
        """Play look by look; a cell whose verdict is known is played no further.

        The base, cell 0, is played as far as any cell is.
        """
        sums: list[CellSums | None] = [None] * len(work)
        before = 0
        for games in self.looks:
            wanted = [number for number in range(len(work)) if self._is_open(sums[number])]
            if not wanted:
                break
            wanted = sorted({BASE, *wanted})
            self._fill([work[number] for number in wanted], before, games)
            self._add(work, wanted, sums, before, games)
            before = games
        return [one for one in sums if one is not None]

    def _is_open(self, sums: CellSums | None) -> bool:
        if sums is None:
            return True
        found = verdicts(sums, self.asked, self.setting.level, sequential=True)
        return overall(found) is Verdict.UNDECIDED

    def _add(
        self,
        work: Sequence[_Work],
        wanted: Sequence[int],
        sums: list[CellSums | None],
        before: int,
        games: int,
    ) -> None:
        """Add the games from `before` to `games` to the sums of some cells, shard by shard."""
        threads = self.session.threads or default_threads()
        with ThreadPoolExecutor(threads) as pool:
            for span in self._spans(before, games):
                base = work[BASE].table.store.read(*span)

                def one(number: int, span: Any = span, base: Any = base) -> CellSums:
                    chunk = base if number == BASE else work[number].table.store.read(*span)
                    return self.asked.reduce((chunk, base))

                for number, part in zip(wanted, pool.map(one, wanted), strict=True):
                    there = sums[number]
                    sums[number] = part if there is None else there + part

    def _spans(self, before: int, games: int) -> list[tuple[int, int]]:
        return [span for span in self.session.ranges(games) if span[0] >= before]

    def _fill(self, work: Sequence[_Work], before: int, games: int) -> None:
        """Play what is missing up to a number of games: cells side by side, a thread each.

        Plays of the same rules share a table and are played once.
        """
        self.needed += (games - before) * len({id(one.table) for one in work})
        todo: dict[int, _Work] = {}
        for one in work:
            if one.table.missing(self.session.ranges(games)):
                todo.setdefault(id(one.table), one)
        if not todo:
            return
        label = f"sweep, to {counted(games, 'game')} of a cell"
        total = len(todo) * (games - before)
        done = dict.fromkeys(todo, 0)
        threads = self.session.threads or default_threads()

        def quiet(mark: int) -> Callable[[str, int, int], None]:
            def report(_: str, played: int, __: int) -> None:
                with self.lock:
                    done[mark] = max(0, played - before)
                    if self.session.progress is not None:
                        self.session.progress(label, sum(done.values()), total)

            return report

        alone = len(todo) < threads

        def fill(mark: int) -> int:
            one = todo[mark]
            own = replace(
                self.session,
                threads=self.session.threads if alone else 1,
                progress=quiet(mark),
                played=0,
                seconds=0.0,
            )
            own.fill(one.play.name, one.play, one.table, games)
            return own.played

        if alone:
            self.played += sum(fill(mark) for mark in todo)
            return
        with _pool(threads) as pool:
            self.played += sum(pool.map(fill, todo))

    def _replay(
        self, work: Sequence[_Work], cells: Sequence[Cell], picked: Sequence[int]
    ) -> pd.DataFrame:
        """Play the picked cells and the base on fresh deals, as many games as the study allows."""
        seed = fresh_seed(self.setting.seed, "replay")
        numbers = list(dict.fromkeys([*picked, BASE]))
        again = [
            replace(work[number].play, name=f"{work[number].play.name} again", seed=seed)
            for number in [BASE, *picked]
        ]
        fresh = [_Work(one, self.session.table(one)) for one in again]
        games = self.setting.games
        self._fill(fresh, 0, games)
        sums: list[CellSums | None] = [None] * len(fresh)
        self._add(fresh, range(len(fresh)), sums, 0, games)
        by_number = dict(zip([BASE, *picked], sums, strict=True))
        return replay_frame(
            self.factors,
            cells,
            {number: one for number in numbers if (one := by_number[number]) is not None},
            self.asked,
            self.setting.level,
            seed=seed,
        )

    def _joints(self, work: Sequence[_Work], games: int) -> dict[Measure, JointSums]:
        """Return the sums of all cells over the games that every one of them has."""
        asked = self.asked
        measures = [one for one in asked.measures if one.quantile is None]
        found: dict[Measure, JointSums] = {}
        for span in self.session.ranges(games):
            values: dict[Measure, list[Any]] = {one: [] for one in measures}
            for one in work:
                chunk = one.table.store.read(*span)
                for measure in measures:
                    values[measure].append(
                        block_values(
                            measure,
                            chunk.games,
                            chunk.seats,
                            rotations=asked.rotations,
                            labels=asked.labels,
                        )
                    )
            for measure in measures:
                part = JointSums.of(values[measure])
                found[measure] = found[measure] + part if measure in found else part
        return found

    # ------------------------------------------------------------------- Sobol and Morris

    def _screen(self) -> Sweep:
        """Play a screening design: each row of points on its own deals."""
        rows = min(self.part.cells, SMALL_ROWS) if self.small else self.part.cells
        design = screening(self.part.design, self.factors, rows, self.setting.seed)
        plays = [
            play_of(self.session, self.factors, self.lines, cell, f"point {number}")
            for number, cell in enumerate(design.cells, start=1)
        ]
        self._check(plays)
        jobs = list(self._points(design, plays))
        games = self.setting.games
        self._fill([work for _, work in jobs], 0, games)
        self.games = [games]
        means, spreads = self._row_sums(design, jobs, games)
        level, seed = self.setting.level, self.setting.seed
        solve = sobol_indices if design.kind == "indices" else morris_effects
        frames, fits = [], []
        for measure in means:
            frame, fit = solve(design, means[measure], spreads[measure], seed=seed, level=level)
            keys = figure_keys(measure)
            frames.append(frame.assign(**keys)[[*keys, *frame.columns]])
            fits.append({**keys, **fit})
        indices = pd.concat(frames, ignore_index=True)
        sentences = index_sentences(indices, list(means), design.kind)
        base = tuple(factor.base for factor in self.factors)
        return Sweep(
            design.kind,
            self.factors,
            (base, *design.cells),
            self.asked,
            level,
            False,
            {"indices": indices, "fit": pd.DataFrame(fits)},
            tuple(sentences),
        )

    def _points(
        self, design: Screening, plays: Sequence[Play]
    ) -> Iterator[tuple[tuple[int, int], _Work]]:
        for row in range(len(design.points)):
            for step in range(design.points.shape[1]):
                luck = f"row {row} fresh" if design.fresh[row, step] else f"row {row}"
                one = replace(
                    plays[design.points[row, step]], seed=fresh_seed(self.setting.seed, luck)
                )
                yield (row, step), _Work(one, self.session.table(one))

    def _row_sums(
        self, design: Screening, jobs: Sequence[tuple[tuple[int, int], _Work]], games: int
    ) -> tuple[dict[Measure, Any], dict[Measure, Any]]:
        """Return the figures (rows, steps) of each measure, and each row's covariance matrix."""
        import numpy as np

        asked = self.asked
        rows, steps = design.points.shape
        measures = [one for one in asked.measures if one.quantile is None]
        means = {one: np.zeros((rows, steps)) for one in measures}
        spreads = {one: np.zeros((rows, steps, steps)) for one in measures}
        tables = {place: work.table for place, work in jobs}
        for row in range(rows):
            for fresh in (False, True):
                there = np.flatnonzero(design.fresh[row] == fresh)
                if not len(there):
                    continue
                joints: dict[Measure, JointSums] = {}
                for span in self.session.ranges(games):
                    chunks = [tables[row, int(step)].store.read(*span) for step in there]
                    for measure in measures:
                        part = JointSums.of(
                            [
                                block_values(
                                    measure,
                                    chunk.games,
                                    chunk.seats,
                                    rotations=asked.rotations,
                                    labels=asked.labels,
                                )
                                for chunk in chunks
                            ]
                        )
                        joints[measure] = joints[measure] + part if measure in joints else part
                for measure, joint in joints.items():
                    scale = measure.metric.scale
                    means[measure][row, there] = joint.means() / scale
                    spreads[measure][row][np.ix_(there, there)] = joint.covariance() / scale**2
        return means, spreads


def _pool(threads: int) -> Any:
    """Return a pool that drops what has not begun when its block is left by an exception."""

    class Pool(ThreadPoolExecutor):
        def __exit__(self, kind: Any, *rest: Any) -> None:
            self.shutdown(wait=True, cancel_futures=kind is not None)

    return Pool(threads, thread_name_prefix="cells")


def fresh_seed(seed: int, purpose: str) -> int:
    """Return the seed of other deals: its own for each purpose."""
    digest = hashlib.sha256(f"{seed} {purpose}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
