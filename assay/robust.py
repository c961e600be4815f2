"""Whether a study's conclusions are robust to the numbers that nobody published.

Factors (`factors.toml` beside the rules files) are drawn from their ranges; every gate of the study
and every effect of its variants is judged anew in each draw, all on the same deals. What a draw
came to is kept in the folder of the results, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.comparison import chosen_metrics, compared_measures, margin_of
from analysis.gates import SPREAD
from analysis.intervals import Interval
from analysis.measures import MEAN, Measure, find_measure
from analysis.moments import Moments, metrics_of
from analysis.question import Answer, Group, Play, Setting
from analysis.robustness import (
    PARTS,
    Conclusion,
    ConclusionSums,
    Draws,
    Judged,
    answer,
    interval_of,
    latin,
    strict_level,
    summing,
)
from assay.fit import fit_notes
from assay.progress import Progress
from assay.runner import Session, open_session, with_headline
from assay.study import BASE, MOST_DRAWS, CheckPart, Study, load_study, problem_at, same_players
from sim.batch import Chunk, GameError, default_threads
from sim.batch import play as play_chunks
from sim.content import Content, Patch
from sim.errors import UserError, choices, nearest
from sim.factors import Factor, FactorFile, Factors, read_factors
from sim.game import Game, load_game
from sim.store import fingerprint, write_file
from sim.tomlfile import Parts, Problem, ProblemsError, show
from sim.wording import counted
from strategies.resolve import lineup

KEPT = "draws"
FIRST_PAGE = 3  # sentences: all together, and the least certain conclusions
SMALL_DRAWS = 40
SMALL_DRAW_GAMES = 80


@dataclass(frozen=True)
class Robust:
    """What a study's conclusions owe to unpublished numbers.

    answer: frames and sentences, see `analysis.robustness.answer`. games: of each play in a draw;
    the base has `setting.games`. skipped: gates that were left out, and why. files: what was
    written, the report first. notes: strategies at a table that they were not made for.
    """

    study: Study
    setting: Setting
    factors: tuple[Factor, ...]
    draws: Draws
    games: int
    answer: Answer
    skipped: tuple[str, ...]
    folder: Path
    files: list[Path]
    notes: tuple[str, ...] = ()

    @property
    def conclusions(self) -> pd.DataFrame:
        """One row a conclusion: its shares, their intervals, what decides it."""
        return self.answer.frames["conclusions"]


def robust(
    path: Path | str,
    *,
    draws: int | None = None,
    games: int | None = None,
    out: Path | str | None = None,
    small: bool = False,
    seed: int | None = None,
    threads: int | None = None,
    rules: Path | str | None = None,
    patches: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Robust:
    """Judge every conclusion of a study anew in draws of the unpublished numbers.

    draws, games: how many draws, and games of each play in a draw, instead of the study's; games
    are rounded up to equal parts of whole blocks. out: folder of the results,
    `results/NAME_robust` by default; an earlier run there is resumed. small: a few of everything.
    rules, patches, seed: replace what the study says.
    Raises UserError for a study that cannot be used or has no conclusions, and where hardly any
    draw keeps to the constraints.
    """
    started = time.perf_counter()
    study = load_study(path)
    wanted = study.robust.draws if draws is None else draws
    each = study.robust.games if games is None else games
    if small:
        wanted, each = SMALL_DRAWS, SMALL_DRAW_GAMES
    if wanted < 2:
        raise UserError(f"at least 2 draws are needed, not {wanted}")
    if wanted > MOST_DRAWS:
        raise UserError(f"{MOST_DRAWS:,} draws are the most, not {wanted:,}")
    if each < 1:
        raise UserError(f"the games of a draw must be 1 or more, not {each}")
    game = _at(study, ("study", "game"), lambda: load_game(study.head.game))
    folder = rules or study.rules_folder
    if study.variants and not study.compare.metrics:  # their effects on the headline are concluded
        changes = {**study.patches, **(patches or {})}
        content = game.load(None if folder is None else Path(folder), changes)
        study = with_headline(study, game, content)
    conclusions, skipped = conclusions_of(study, game)
    file = read_factors(game, folder)
    names = _chosen(study, file)
    options = {
        "small": small,
        "rules": str(folder or "") or None,
        "set": dict(patches or {}),
        "seed": seed,
        "games": None,
    }
    place = Path(out) if out is not None else Path("results") / f"{study.name}_robust"
    session = open_session(study, place, options, threads=threads, progress=progress)
    setting = session.setting
    table = _Table(session, conclusions, file, names)
    factors = table.factors[BASE].factors
    drawn = table.narrowed(latin(len(factors), wanted, setting.seed, table.breaks))
    base = table.base()
    part, chunk = parts_of(each, setting.rotations, game.chunk_games)
    judged = table.judge(base, drawn, part, chunk)
    found = answer(judged, factors, drawn, seed=setting.seed, level=setting.level)
    command = _command(study, options, wanted, each, draws, games)
    lineups = {name: one.seats or setting.seats for name, one in table.plays.items()}
    notes = fit_notes(setting.game, setting.rules.model, setting.seats, lineups)
    result = Robust(
        study, setting, factors, drawn, part * PARTS, found, skipped, session.folder, [], notes
    )
    files = _write(session, result, command)
    files.append(_write_run(session, started))
    return replace(result, files=files)


def parts_of(games: int, rotations: int, most: int) -> tuple[int, int]:
    """Return (games of one of PARTS equal parts, games of a chunk), both whole blocks.

    The parts together have at least `games`; a chunk has about `most` games at most.
    """
    chunks = -(-games // (PARTS * most))
    chunk = -(-games // (PARTS * chunks * rotations)) * rotations
    return chunk * chunks, chunk


# -------------------------------------------------------------------------------------- conclusions


def conclusions_of(study: Study, game: Game) -> tuple[list[Conclusion], tuple[str, ...]]:
    """Return what the study concludes, and which gates cannot be judged here.

    Every gate, and the effect of every variant on the means of the compared metrics, or else of
    those in the headline. Raises ProblemsError for what the game or a lineup does not have, and
    for a study without any.
    """
    same_players(study, len(study.seats))
    seats = {BASE: study.seats} | {
        name: variant.seats or study.seats for name, variant in study.variants.items()
    }
    labels = {}
    for name, specs in seats.items():
        key: Parts = ("lineup", "seats") if name == BASE else ("variants", name, "seats")
        labels[name] = _at(study, key, partial(lineup, game, specs)).labels
    found: list[Conclusion] = []
    skipped: list[str] = []
    problems: list[Problem] = []
    for place, check in enumerate(study.checks):
        against = check.against or BASE
        if check.max_change is not None and against == check.variant:
            skipped.append(f"{check.name}: measured against another version of the project")
            continue
        try:
            found.append(_gate(game, check, labels))
        except UserError as error:
            problems.append(problem_at(study, ("check", place), str(error)))
    if problems:
        raise ProblemsError(problems)
    key = ("compare", "metrics") if study.compare.metrics else ("stop", "headline")
    names = study.compare.metrics or study.stop.headline
    metrics = _at(study, key, lambda: chosen_metrics(game.metrics, names))
    for name in study.variants:
        for measure in compared_measures(metrics, labels[BASE]):
            known = measure.strategy is None or measure.strategy in labels[name]
            if measure.statistic == MEAN and known:
                found.append(
                    Conclusion(
                        f"{name}: {measure.name}",
                        measure,
                        name,
                        BASE,
                        margin=margin_of(measure.metric.name, study.compare.margin),
                        effect_of=name,
                    )
                )
    if not found:
        text = "concludes nothing that could be robust; add a [[check]] or a variant"
        text += "".join(f" ({one})" for one in skipped)
        raise ProblemsError([problem_at(study, ("study",), text)])
    return found, tuple(skipped)


def _gate(game: Game, check: CheckPart, labels: Mapping[str, tuple[str, ...]]) -> Conclusion:
    """Return a `[[check]]` as a conclusion. Raises UserError for what is not known."""
    who = labels[check.variant]
    within = None if check.within is None else (check.within[0], check.within[1])
    seats: tuple[Measure, ...] = ()
    if check.statistic == SPREAD:
        if check.max_change is not None or "seat" in check.where:
            raise UserError("a spread is over all seats, and takes a range")
        seats = tuple(
            find_measure(game, check.metric, {**check.where, "seat": seat}, who)
            for seat in range(1, len(who) + 1)
        )
        measure = seats[0]
    else:
        measure = find_measure(game, check.metric, check.where, who, check.statistic)
    if check.max_change is None:
        return Conclusion(check.name, measure, check.variant, None, within, seats=seats)
    against = check.against or BASE
    return Conclusion(check.name, measure, check.variant, against, margin=check.max_change)


def _at(study: Study, key: Parts, check: Callable[[], Any]) -> Any:
    """Return what a check returns; its error gets the study's file and line."""
    try:
        return check()
    except ProblemsError:
        raise
    except UserError as error:
        raise ProblemsError([problem_at(study, key, str(error))]) from None


def _chosen(study: Study, file: FactorFile) -> tuple[str, ...]:
    """Return the names of the factors that are drawn. Raises ProblemsError for unknown ones."""
    problems = [
        problem_at(
            study,
            ("robust", "factors", place),
            f"unknown factor {name!r}{nearest(name, file.names)}; "
            f"known factors: {choices(file.names)}",
        )
        for place, name in enumerate(study.robust.factors)
        if name not in file.names
    ]
    if problems:
        raise ProblemsError(problems)
    wanted = study.robust.factors
    return tuple(name for name in file.names if not wanted or name in wanted)


# ------------------------------------------------------------------------------------------ playing


class _Table:
    """The plays of all conclusions, at the default numbers and in draws."""

    def __init__(
        self,
        session: Session,
        conclusions: Sequence[Conclusion],
        file: FactorFile,
        names: Sequence[str],
    ) -> None:
        self.session = session
        self.conclusions = list(conclusions)
        study, setting = session.study, session.setting
        used = [name for one in conclusions for name in one.plays]
        self.plays = {
            name: Play(name)
            if name == BASE
            else Play(name, study.variants[name].seats, study.variants[name].patches)
            for name in (BASE, *study.variants)
            if name in used or name == BASE
        }
        self.read = [name for name in self.plays if name in used]
        self.labels = {
            name: session.plays.lineup(play.seats or setting.seats).labels
            for name, play in self.plays.items()
        }
        # what stands still in the base is no factor of this study
        fitted = file.fit(self._loader(BASE), names)
        moving = [factor.name for factor in fitted.factors if factor.moves]
        if not moving:
            raise UserError("the study fixes all numbers that its factors could move")
        self.factors: dict[str, Factors] = {
            name: file.fit(self._loader(name), moving) for name in self.plays
        }
        self.unfit: set[str] = set()  # what the study sets and some draw did not go with
        self.own = {name: set(self._broken(self._content(name, {}))) for name in self.plays}
        self.reduce = summing(self.conclusions, self.read, self.labels, setting.rotations)

    def _loader(self, name: str) -> Callable[[Mapping[str, Any]], Content[Any]]:
        play = self.plays[name]
        return lambda changes: self.session.plays.content(
            replace(play, patches={**play.patches, **changes})
        )

    def _content(self, name: str, changes: Mapping[str, Any]) -> Content[Any]:
        return self.session.plays.content(self.drawn(name, changes))

    def _broken(self, content: Content[Any]) -> list[str]:
        return self.session.setting.game.constraints(content.model)

    def drawn(self, name: str, changes: Mapping[str, Any]) -> Play:
        """Return a play in a draw; what a variant sets itself stays as it sets it."""
        play = self.plays[name]
        return replace(play, patches={**changes, **play.patches})

    def breaks(self, point: NDArray[np.float64]) -> list[str]:
        """Return the constraints that a draw breaks in any play, and that the play itself keeps."""
        found: dict[str, None] = {}
        for name in self.read:
            changes = self.factors[name].patches(point.tolist())
            try:
                content = self._content(name, changes)
            except ProblemsError:
                found |= dict.fromkeys(self._unplayable(name, changes))
                continue
            found |= dict.fromkeys(t for t in self._broken(content) if t not in self.own[name])
        return list(found)

    def _unplayable(self, name: str, changes: Mapping[str, Any]) -> Iterator[str]:
        """Yield why a play cannot be played with the numbers of a draw.

        A problem of two keys is told of the one that was changed last. So what the study sets is
        changed after the numbers here: then it is told of what does not go with them.
        """
        plays = self.session.plays
        own = {**plays.patches, **self.plays[name].patches}
        folder = self.session.setting.rules.folder
        try:
            self.session.setting.game.load(folder, {**changes, **own})
        except ProblemsError as error:
            for one in error.problems:
                text = one.text.split("; allowed:")[0]  # the rest differs from draw to draw
                if one.key not in own:
                    yield f"{one.key}: {text}"
                    continue
                value = own[one.key]
                value = show(value.value if isinstance(value, Patch) else value)
                of = f" of {name}" if one.key in self.plays[name].patches else ""
                unfit = f"{one.key} = {value}{of} ({text})"
                self.unfit.add(unfit)
                yield unfit

    def narrowed(self, draws: Draws) -> Draws:
        """Return the draws with what the study sets told apart from the constraints."""
        own, others = (
            {text: n for text, n in draws.broken.items() if (text in self.unfit) == unfit}
            for unfit in (True, False)
        )
        return replace(draws, broken=others, narrowed=own)

    def base(self) -> list[Interval]:
        """Return all figures at the default numbers, from as many games as the study has."""
        plays = tuple(self.plays[name] for name in self.read)
        sums = self.session.sums(
            Group("default numbers", plays, self.reduce), self.session.setting.games
        )
        level = self.session.setting.level
        return [interval_of(part, level) for part in sums.parts]

    def judge(self, base: Sequence[Interval], draws: Draws, part: int, chunk: int) -> list[Judged]:
        """Return all conclusions with their figures in all draws; play what is missing."""
        session, total = self.session, len(draws.points)
        folder = session.folder / KEPT / self._mark(draws, part, total)[:16]
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder}: cannot be created: {error.strerror}") from None
        figures = np.empty((len(self.conclusions), total, 5))
        parts = np.empty((len(self.conclusions), total, PARTS))
        for place, point in enumerate(draws.points):
            path = folder / f"{place:04}.json"
            kept = _read(path)
            if kept is None:
                kept = self._play(point, part, chunk, total, place)
                write_file(path, json.dumps(kept).encode())
            figures[:, place], parts[:, place] = kept["figures"], kept["parts"]
        return [Judged(*one) for one in zip(self.conclusions, base, figures, parts, strict=True)]

    def _mark(self, draws: Draws, part: int, total: int) -> str:
        """Return the hash of all that the figures of the draws depend on."""
        session = self.session
        return fingerprint(
            {
                "plays": [session.plays.batch(self.plays[name])[1] for name in self.read],
                "factors": [repr(self.factors[name]) for name in self.read],
                "points": hashlib.sha256(draws.points.tobytes()).hexdigest(),
                "conclusions": [repr(one) for one in self.conclusions],
                "games": [part, PARTS, total],
                "level": session.setting.level,
            }
        )

    def _play(
        self, point: NDArray[np.float64], part: int, chunk: int, total: int, place: int
    ) -> dict[str, Any]:
        """Play a draw; return figures (conclusions, 5) and parts (conclusions, PARTS) as lists."""
        session = self.session
        plays = [self.drawn(n, self.factors[n].patches(point.tolist())) for n in self.read]
        batches = [session.plays.batch(play)[0] for play in plays]
        sums: list[ConclusionSums] = []
        games = part * PARTS
        started = time.perf_counter()
        done = 0
        try:
            for count, piece in play_chunks(
                batches, 0, games, self.reduce, threads=session.threads, chunk_games=chunk
            ):
                if done % part == 0:
                    sums.append(piece)
                else:
                    sums[-1] = sums[-1] + piece
                done += count
                if session.progress is not None:
                    label = f"{counted(total, 'draw')} ({counted(len(plays), 'play')})"
                    session.progress(label, place * games + done, total * games)
        except GameError as error:
            raise session.plays.mishap(plays[0], error) from error
        session.seconds += time.perf_counter() - started
        session.played += games * len(plays)
        whole = sums[0]
        for piece in sums[1:]:
            whole = whole + piece
        level = session.setting.level
        strict = strict_level(level, total)
        figures = []
        for one in whole.parts:
            near, far = interval_of(one, level), interval_of(one, strict)
            figures.append([near.estimate, near.low, near.high, far.low, far.high])
        each = [
            [interval_of(piece.parts[k], level).estimate for piece in sums]
            for k in range(len(self.conclusions))
        ]
        return {"figures": figures, "parts": each}


def _read(path: Path) -> dict[str, Any] | None:
    """Return what is kept of a draw, None where there is nothing that can be read."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read: {error}; delete it to play it again") from None


# ------------------------------------------------------------------------------------------- report


def _write(session: Session, result: Robust, command: str) -> list[Path]:
    from assay.compose import METHODS, assemble, results_of
    from assay.output import rows_of
    from reports.answers import robust as pages
    from reports.build import write

    setting, study = session.setting, session.study
    who = session.plays.lineup(setting.seats)

    def base(chunks: tuple[Chunk, ...]) -> Moments:
        return Moments.of(
            chunks[0].games,
            chunks[0].seats,
            metrics_of(setting.game, setting.players, setting.together),
            rotations=setting.rotations,
            labels=who.labels,
        )

    sums = session.sums(Group("default numbers", (Play(BASE),), base), setting.games)
    facts = pages.Facts(
        result.factors,
        len(result.draws.points),
        result.draws.tried,
        dict(result.draws.broken),
        result.games,
        result.skipped,
        dict(result.draws.narrowed),
    )
    headline, section = pages.pages(setting, result.answer, facts)
    report = assemble(
        f"Robustness: {study.head.title}",
        f"{study.head.question} And does the answer depend on numbers that nobody published?",
        setting,
        answer=result.answer.sentences[:FIRST_PAGE],
        headline=headline,
        sections=[section],
        methods=[pages.methods(setting, facts), *METHODS],
        lineup=who,
        command=command,
        study_hash=study.digest,
    )
    stopped = (
        f"{counted(setting.games, 'game')} at the default numbers, {result.games:,} in each draw"
    )
    results = results_of(setting, sums, {"robust": result.answer}, who, stopped)
    results["verdicts"] = [
        {"name": row["conclusion"], **row} for row in rows_of(result.conclusions)
    ]
    return write(report, session.folder, results=results)


def _write_run(session: Session, started: float) -> Path:
    from reports.build import write_run

    facts = {
        "seconds": time.perf_counter() - started,
        "seconds_playing": session.seconds,
        "games_played": session.played,
        "games_per_second": session.played / session.seconds if session.seconds else None,
        "threads": session.threads or default_threads(),
    }
    return write_run(session.folder, facts)


def _command(
    study: Study,
    options: Mapping[str, Any],
    wanted: int,
    each: int,
    draws: int | None,
    games: int | None,
) -> str:
    """Return the command that gives this report again."""
    from assay.runner import plain

    words = ["assay", "robust", str(study.path)]
    if options["small"]:
        words.append("--small")
    else:
        words += ["--draws", str(wanted)] if draws is not None else []
        words += ["--games", str(each)] if games is not None else []
    for name in ("rules", "seed"):
        if options[name] is not None:
            words += [f"--{name}", str(options[name])]
    for key, value in options["set"].items():
        words += ["--set", f"{key}={plain(value)}"]
    return shlex.join(words)


__all__ = ["Robust", "conclusions_of", "robust"]
