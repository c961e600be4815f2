"""Running a study: play what its questions need, keep the games, answer, write the report."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.moments import Moments, headline_of, is_share, metrics_of
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.questions import load_question
from analysis.sequential import bounded_mean_sequence, looks
from assay.compose import Part, compose, results_of
from assay.fit import fit_notes
from assay.output import as_toml
from assay.plays import Plays
from assay.study import Study, load_study, problem_at
from sim.batch import Batch, Chunk, GameError, default_threads, play, whole_blocks
from sim.content import Content, Patch, refuse_idle
from sim.errors import UserError
from sim.game import Game, load_game
from sim.store import Store, fingerprint, join, shard_ranges, write_file
from sim.tomlfile import ProblemsError
from sim.wording import counted

SHARD_GAMES = 16_384
SMALL_GAMES = 400
RUN_FOLDERS = "games"
STUDY_MARK = "study.json"
STUDY_COPY = "study.toml"
OPTIONS = "options.json"
MAX_LOOK = 1 << 30

Progress = Callable[[str, int, int], None]
"""Called with what is being played, games done, games wanted."""


@dataclass
class Table:
    """A batch that is being kept: its games lie in a store."""

    batch: Batch
    store: Store

    def missing(self, ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the shard ranges that have not been played."""
        return [span for span in ranges if not self.store.has(*span)]


@dataclass
class Keeper:
    """Plays in a setting and keeps the games in a folder, shard by shard; resumes what is there."""

    setting: Setting
    folder: Path
    threads: int | None
    progress: Progress | None
    plays: Plays
    cuts: list[int] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    seconds: float = 0.0
    played: int = 0
    may_play: bool = True

    def table(self, wanted: Play) -> Table:
        """Return the table of a play; plays that need the same games share one."""
        batch, manifest = self.plays.batch(wanted)
        manifest["shard_games"] = SHARD_GAMES
        mark = fingerprint(manifest)
        if mark not in self.tables:
            path = self.folder / RUN_FOLDERS / mark[:16]
            players = len(wanted.seats or self.setting.seats)
            self.tables[mark] = Table(batch, Store(path, batch.game, players, manifest))
        return self.tables[mark]

    def ranges(self, games: int) -> list[tuple[int, int]]:
        """Return the shards of the first `games` games."""
        return list(shard_ranges(0, games, SHARD_GAMES, self.cuts))

    def fill(self, label: str, one: Play, table: Table, games: int) -> None:
        """Play what is missing of the first `games` games and keep it, shard by shard."""
        missing = table.missing(self.ranges(games))
        if missing and not self.may_play:
            raise UserError(
                f"{self.folder} lacks "
                f"{counted(sum(stop - first for first, stop in missing), 'game')} of {label}; "
                "start `assay run` again to play them"
            )
        for first, stop in _runs(missing):
            edges = [edge for _, edge in self.ranges(games) if first < edge <= stop]
            waiting: list[Chunk] = []
            held = 0
            started = time.perf_counter()
            size = min(SHARD_GAMES // 4, table.batch.game.chunk_games)
            for count, chunk in self._chunks(one, table.batch, first, edges, size):
                waiting.append(chunk)
                held += count
                self.played += count
                if chunk.first + count == edges[0]:
                    edges.pop(0)
                    table.store.write(join(waiting))
                    waiting = []
                if self.progress is not None:
                    self.progress(label, first + held, games)
            self.seconds += time.perf_counter() - started

    def _chunks(
        self, one: Play, batch: Batch, first: int, edges: list[int], size: int
    ) -> Iterator[tuple[int, Chunk]]:
        """Yield chunks in order, none of them across the edge of a shard."""
        for stop in list(edges):
            try:
                for count, (chunk,) in play(
                    [batch], first, stop, _keep, threads=self.threads, chunk_games=size
                ):
                    yield count, chunk
            except GameError as error:
                raise self.plays.mishap(one, error) from error
            first = stop

    def sums(self, group: Group, games: int) -> Any:
        """Return a group's sums over the first `games` games of its plays."""
        tables = [self.table(one) for one in group.plays]
        for one, table in zip(group.plays, tables, strict=True):
            self.fill(f"{group.name}: {one.name}", one, table, games)

        def add_up(span: tuple[int, int]) -> Any:
            return group.reduce(tuple(table.store.read(*span) for table in tables))

        with ThreadPoolExecutor(2) as pool:
            return reduce(lambda a, b: a + b, pool.map(add_up, self.ranges(games)))


@dataclass
class Session(Keeper):
    """Everything a run knows: the study, its setting, the folder, what has been played."""

    study: Study = field(kw_only=True)


def look_cuts(rotations: int) -> list[int]:
    """Return the numbers of games at which shards are cut, so that every look ends with one."""
    return [int(blocks) * rotations for blocks in looks(MAX_LOOK)]


@dataclass(frozen=True)
class RunResult:
    """What a run left behind.

    answers: by question. files: what was written, the report first. games: how many each play got.
    stopped: why no more were played. notes: strategies at a table that they were not made for.
    """

    study: Study
    setting: Setting
    answers: Mapping[str, Answer]
    folder: Path
    files: list[Path]
    games: int
    stopped: str
    notes: tuple[str, ...] = ()


def run(
    path: Path | str,
    *,
    out: Path | str | None = None,
    small: bool = False,
    rules: Path | str | None = None,
    patches: Mapping[str, Any] | None = None,
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Run a study: play, keep, answer, report.

    out: folder of the results, `results/NAME` by default; an earlier run of the same study there
    is resumed. small: a few games of everything, to see that all works. rules, patches, seed,
    games: replace what the study says.
    Raises UserError for a study or folder that cannot be used; what was played so far stays.
    """
    study = load_study(path)
    options = {
        "study": str(path),
        "name": study.name,
        "small": small,
        "rules": str(rules or study.rules_folder or "") or None,
        "set": dict(patches or {}),
        "seed": seed,
        "games": games,
    }
    out = Path(out) if out is not None else Path("results") / study.name
    session = open_session(study, out, options, threads=threads, progress=progress)
    write_file(session.folder / STUDY_COPY, study.path.read_bytes())
    write_file(session.folder / OPTIONS, (json.dumps(options, indent=2) + "\n").encode())
    return _answer(session, options)


def report(folder: Path | str) -> RunResult:
    """Write the report of a finished run again, from its stored games, without playing.

    Raises UserError if the folder is no run's, or games are missing.
    """
    folder = Path(folder)
    try:
        options = json.loads((folder / OPTIONS).read_text(encoding="utf-8"))
        study = load_study(folder / STUDY_COPY)
        study = replace(study, path=Path(options["study"]), name=options["name"])
    except (OSError, ValueError, KeyError) as error:
        raise UserError(f"{folder}: not the results of a run: {error}") from None
    session = open_session(study, folder, options, threads=None, progress=None)
    session.may_play = False
    return _answer(session, options)


def _answer(session: Session, options: Mapping[str, Any]) -> RunResult:
    """Play what is missing, answer, write the report."""
    started = time.perf_counter()
    head = session.study.head
    if not head.questions and not session.study.variants:
        text = "asks no question and has no variant, so there is nothing to report; name some"
        raise ProblemsError([problem_at(session.study, ("study", "questions"), text)])
    setting = session.setting
    questions = [
        load_question(name, head.game, setting.players, setting.rules.model)
        for name in head.questions
    ]
    stopped = stop_early(session)
    answers = {question.name: ask(session, question) for question in questions}
    notes = fit_notes(setting.game, setting.rules.model, setting.seats)
    parts = []
    if session.study.variants:
        from assay.compare import compare_session, part_of

        compared = compare_session(session, stopped)
        notes = compared.notes
        parts.append(part_of(compared))
    files = write_report(session, questions, answers, stopped, options, parts)
    facts = {
        "seconds": time.perf_counter() - started,
        "seconds_playing": session.seconds,
        "games_played": session.played,
        "games_per_second": session.played / session.seconds if session.seconds else None,
        "threads": session.threads or default_threads(),
    }
    from reports.build import write_run

    files.append(write_run(session.folder, facts))
    return RunResult(
        session.study,
        session.setting,
        answers,
        session.folder,
        files,
        session.setting.games,
        stopped,
        notes,
    )


def open_session(
    study: Study,
    out: Path,
    options: Mapping[str, Any],
    *,
    threads: int | None,
    progress: Progress | None,
    claimed: bool = True,
) -> Session:
    """Check a study against its game and open the folder of its results.

    claimed: whether the folder is marked as this study's at once; whoever has more to check calls
    `claim` when that is done.
    """
    try:
        game = load_game(study.head.game)
    except UserError as error:
        raise ProblemsError([problem_at(study, ("study", "game"), str(error))]) from None
    rules = Path(options["rules"]) if options["rules"] else None
    patches = {**study.patches, **options["set"]}
    games = study.stop.games if options["games"] is None else options["games"]
    games = SMALL_GAMES if options["small"] else games
    seed = study.head.seed if options["seed"] is None else options["seed"]
    setting = Setting(
        game,
        game.load(rules, patches),
        study.seats,
        study.lineup.rotate,
        games,
        seed,
        study.head.level,
    )
    setting = replace(setting, games=whole_blocks(games, setting.rotations))
    study = with_headline(study, game, setting.rules)
    changes = [
        word for key, value in patches.items() for word in ("--set", f"{key}={plain(value)}")
    ]
    plays = Plays(setting, patches, ([] if rules is None else ["--rules", str(rules)]) + changes)
    try:
        plays.lineup(setting.seats)
    except UserError as error:
        raise ProblemsError([problem_at(study, ("lineup", "seats"), str(error))]) from None
    refuse_idle(setting.rules, setting.players)
    for name, variant in study.variants.items():
        if variant.patches:
            try:
                content = plays.content(Play(name, patches=variant.patches))
            except ProblemsError:
                raise
            except UserError as error:
                where = ("variants", name, "set")
                raise ProblemsError([problem_at(study, where, str(error))]) from None
            refuse_idle(content, len(variant.seats or setting.seats))
    if claimed:
        claim(out, study)
    cuts = look_cuts(setting.rotations)
    return Session(setting, out, threads, progress, plays, cuts, study=study)


def with_headline(study: Study, game: Game, rules: Content[Any]) -> Study:
    """Return a study with the headline of players who win together, where it names none."""
    if "headline" in study.stop.model_fields_set or not game.together(rules.model):
        return study
    own = {"headline": [headline_of(game, together=True)]}
    return replace(study, stop=study.stop.model_copy(update=own))


def plain(value: Any) -> str:
    """Return a patched value as `--set` takes it."""
    return as_toml(value.value if isinstance(value, Patch) else value)


def write_report(
    session: Session,
    questions: list[Question],
    answers: Mapping[str, Answer],
    stopped: str,
    options: Mapping[str, Any],
    parts: Sequence[Part] = (),
) -> list[Path]:
    """Write the report and all that lies beside it; return the paths."""
    from reports.build import write

    setting = session.setting
    who = session.plays.lineup(setting.seats)

    def base(chunks: tuple[Chunk, ...]) -> Moments:
        return Moments.of(
            chunks[0].games,
            chunks[0].seats,
            metrics_of(setting.game, setting.players, setting.together),
            rotations=setting.rotations,
            labels=who.labels,
        )

    sums = session.sums(Group("base", (Play("base"),), base), setting.games)
    report = compose(
        session.study.head.title,
        session.study.head.question,
        setting,
        questions,
        answers,
        lineup=who,
        command=command_of(session.study, options),
        stopped=stopped,
        study_hash=session.study.digest,
        parts=parts,
    )
    results = results_of(setting, sums, answers, who, stopped, parts)
    return write(report, session.folder, results=results)


def command_of(study: Study, options: Mapping[str, Any]) -> str:
    """Return the command that gives this report again."""
    words = ["assay", "run", str(study.path)]
    if options.get("small"):
        words.append("--small")
    for name in ("rules", "seed", "games"):
        if options.get(name) is not None:
            words += [f"--{name}", str(options[name])]
    for key, value in (options.get("set") or {}).items():
        words += ["--set", f"{key}={plain(value)}"]
    return shlex.join(words)


def claim(folder: Path, study: Study) -> None:
    """Mark a folder as the results of a study.

    Raises UserError if it holds the results of another study, or anything else.
    """
    mark = folder / STUDY_MARK
    owner = {"game": study.head.game, "study": study.name}
    if mark.exists():
        try:
            there = json.loads(mark.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            there = None
        if there != owner:
            known = there.get("study") if isinstance(there, dict) else "something else"
            raise UserError(
                f"{folder}: holds the results of another study ({known}); choose another folder"
            )
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder}: not empty and not the results of a study; choose another one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be created: {error.strerror}") from None
    write_file(mark, (json.dumps(owner, indent=2, sort_keys=True) + "\n").encode())


def stop_early(session: Session) -> str:
    """Play the base look by look until every headline metric is precise enough.

    The width judged is that of a confidence sequence, which holds at all looks at once. Sets the
    number of games of every play; returns why it stopped.
    """
    setting, stop = session.setting, session.study.stop
    if stop.precision is None:
        return f"all {counted(setting.games, 'game')} that the study allows"
    metrics = tuple(metric for metric in setting.game.metrics if metric.name in stop.headline)
    unknown = set(stop.headline) - {metric.name for metric in metrics}
    if unknown:
        names = ", ".join(metric.name for metric in setting.game.metrics)
        text = f"unknown metric {sorted(unknown)[0]!r}; known metrics: {names}"
        raise ProblemsError([problem_at(session.study, ("stop", "headline"), text)])
    for metric in metrics:
        if not is_share(metric) or metric.per is not None:
            text = f"{metric.name} is no share of games, so it has no precision"
            raise ProblemsError([problem_at(session.study, ("stop", "headline"), text)])
    base = Play("base")
    table = session.table(base)
    labels = session.plays.lineup(setting.seats).labels
    sums: Moments | None = None
    before = 0
    for games in [cut for cut in session.cuts if cut < setting.games] + [setting.games]:
        session.fill("base", base, table, games)
        for first, last in session.ranges(games):
            if first >= before:
                chunk = table.store.read(first, last)
                part = Moments.of(
                    chunk.games,
                    chunk.seats,
                    metrics,
                    rotations=setting.rotations,
                    labels=labels,
                )
                sums = part if sums is None else sums + part
        before = games
        assert sums is not None
        width = widest_sequence(sums, setting.level)
        if width <= stop.precision:
            session.setting = replace(setting, games=games)
            return (
                f"the confidence sequence of {', '.join(stop.headline)} has a half-width of at "
                f"most {stop.precision} after {counted(games, 'game')}"
            )
    return (
        f"all {counted(setting.games, 'game')} that the study allows; a precision of "
        f"{stop.precision} was not reached"
    )


def widest_sequence(sums: Moments, level: float) -> float:
    """Return the largest half-width of the headline metrics' confidence sequences.

    The groups of a metric share the error rate (Bonferroni).
    """
    frame = sums.estimates(level)
    cells = [
        (
            row.metric,
            None if pd.isna(row.seat) else int(row.seat),
            None if pd.isna(row.strategy) else row.strategy,
        )
        for row in frame[frame["statistic"] == "mean"].itertuples()
    ]
    widths = []
    for name, seat, strategy in cells:
        values, counts = sums.block_values(name, seat=seat, strategy=strategy)
        low, high = bounded_mean_sequence(values, counts, 1 - (1 - level) / len(cells))
        widths.append((high - low) / 2)
    return max(widths)


def ask(session: Session, question: Question) -> Answer:
    """Play what a question needs and answer it."""
    sums = {}
    for group in question.groups(session.setting):
        games = whole_blocks(
            max(1, round(session.setting.games * group.share)), session.setting.rotations
        )
        sums[group.name] = session.sums(group, games)
    return question.answer(session.setting, sums)


def _keep(chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    return chunks


def _runs(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return consecutive ranges joined."""
    joined: list[tuple[int, int]] = []
    for first, stop in spans:
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((first, stop))
    return joined
