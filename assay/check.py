"""Checking a study's gates: play until each has a verdict, or its games are spent.

Gates are judged at looks in block order, never by the clock, so a verdict is the same on any
machine. Gates that read the same play share its games, and a play that no open gate needs is not
played on. Games are kept beside those of `assay run`; what has been played is not played again,
an interrupted check goes on to the same verdict.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from analysis.gates import (
    SPREAD,
    Gate,
    GateResult,
    GateSums,
    Place,
    Reading,
    add,
    exit_code,
    identical,
    judge,
    shared_level,
    sums_of,
)
from analysis.measures import MEAN, Measure, find_measure
from analysis.question import Play
from analysis.sequential import looks
from assay.compare import default_second
from assay.fit import fit_notes
from assay.gitref import Changed, GitRef, RefStore, open_ref
from assay.progress import Progress
from assay.runner import Session, Table, open_session, plain
from assay.study import BASE, CheckPart, Study, load_study, problem_at
from sim.batch import Chunk
from sim.content import Content, Patch
from sim.errors import UserError, choices
from sim.tomlfile import ProblemsError, read_toml, show

SECOND = "second lineup"
SAME = "this code and these rules: nothing that is played has changed"
RULES = "this code with the ref's rules files"
CODE = "the ref's own code"


@dataclass(frozen=True)
class CheckResult:
    """What a check came to.

    results: one a gate, in the study's order. budget: games that each play could get. commit, by:
    of the base at a git ref, and by which code it was played. games_played: in this run, of all
    plays; those kept from earlier runs are not among them. notes: strategies at a table that they
    were not made for.
    """

    study: Study
    results: tuple[GateResult, ...]
    budget: int
    level: float
    folder: Path
    games_played: int
    seconds: float
    base_ref: str | None = None
    commit: str | None = None
    by: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 all hold, 1 at least one fails, 3 none fails and at least one is undecided."""
        return exit_code(self.results)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The results as plain rows, one a gate."""
        return [result.row() for result in self.results]

    @property
    def frame(self) -> pd.DataFrame:
        """The results as a frame, one row a gate."""
        return pd.DataFrame(self.rows)

    @property
    def document(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {
            "study": self.study.name,
            "title": self.study.head.title,
            "game": self.study.head.game,
            "base_ref": self.base_ref,
            "base_commit": self.commit,
            "base_played_by": self.by,
            "level": self.level,
            "level_of_each_gate": shared_level(self.level, len(self.results)),
            "budget": self.budget,
            "games_played": self.games_played,
            "exit_code": self.exit_code,
            "gates": self.rows,
        }


def check(
    study: Path | str,
    base_ref: str | None = None,
    *,
    out: Path | str | None = None,
    rules: Path | str | None = None,
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    repeats: bool = True,
    progress: Progress | None = None,
) -> CheckResult:
    """Judge the gates of a study.

    base_ref: a git ref; gates on a change that name nothing to measure from are measured from the
    project as it is there. out: where games are kept, `results/NAME` by default. rules, seed,
    games (at most, for each play): replace what the study says. repeats: play everything again
    with blundering players and with a second lineup, to see whether a verdict is one about them.
    Raises UserError for whatever cannot be used, and where the ref's base cannot be played.
    """
    started = time.perf_counter()
    found = load_study(study)
    if not found.checks:
        text = "the study has no gate; add a [[check]] table, see docs/check_in_ci.md"
        raise ProblemsError([problem_at(found, ("study",), text)])
    options: dict[str, Any] = {
        "rules": str(rules or found.rules_folder or "") or None,
        "set": {},
        "small": False,
        "games": games,
        "seed": seed,
    }
    folder = Path(out) if out is not None else Path("results") / found.name
    session = open_session(found, folder, options, threads=threads, progress=progress)
    with ExitStack() as stack:
        ref = None
        if base_ref is not None:
            chosen = None if options["rules"] is None else Path(options["rules"])
            ref = stack.enter_context(open_ref(base_ref, session.setting.game, chosen))
        task = _Task(session, ref)
        results = task.judge_all(repeats)
        by = task.played_by()
    return CheckResult(
        found,
        results,
        session.setting.games,
        session.setting.level,
        session.folder,
        session.played + sum(source.played for source in task.of_ref),
        time.perf_counter() - started,
        base_ref,
        None if ref is None else ref.commit,
        by,
        task.notes(),
    )


def gates_and_plays(
    session: Session,
) -> list[tuple[Gate, tuple[Play, ...], tuple[tuple[str, ...], ...]]]:
    """Return the gates of a session's study, the plays each reads, and these lineups' names.

    Raises UserError with the study's lines for gates that cannot be judged without a git ref, or
    not at all.
    """
    task = _Task(session, None)
    found = []
    for gate, part in task._pairs():
        sides = task._variants(part)
        plays = tuple(Play(side, task.seats_of(side), task.patches_of(side)) for side in sides)
        for one in plays:
            session.plays.content(one)
        found.append((gate, plays, tuple(task.labels(side) for side in sides)))
    return found


# -------------------------------------------------------------------------------- who plays what


class _Source(Protocol):
    """Where the games of a play come from. mark: the same for plays that are the same."""

    @property
    def mark(self) -> str: ...

    def fill(self, games: int) -> None: ...

    def read(self, first: int, stop: int) -> Chunk: ...


@dataclass(frozen=True)
class _Here:
    """A play by this code."""

    session: Session
    play: Play
    table: Table

    @property
    def mark(self) -> str:
        return self.table.store.mark

    def fill(self, games: int) -> None:
        self.session.fill(self.play.name, self.play, self.table, games)

    def read(self, first: int, stop: int) -> Chunk:
        return self.table.store.read(first, stop)


@dataclass(frozen=True)
class _AtRef:
    """A play by the ref's own code."""

    session: Session
    one: RefStore

    @property
    def mark(self) -> str:
        assert self.one.store is not None
        return self.one.store.mark

    def fill(self, games: int) -> None:
        self.one.fill(games, self.session.ranges(games), self.session.progress)

    def read(self, first: int, stop: int) -> Chunk:
        assert self.one.store is not None
        return self.one.store.read(first, stop)


@dataclass(frozen=True)
class _Circumstance:
    """Who plays: seats of a usual lineup -> seats, None where it cannot be changed.

    keeps_names: the players are the usual ones, and figures of a strategy are still theirs.
    own: whether variants with a lineup of their own take part.
    """

    name: str
    seats: Callable[[tuple[str, ...]], tuple[str, ...]]
    keeps_names: bool = True
    own: bool = True


@dataclass(eq=False)
class _Trial:
    """A gate and the plays it reads."""

    gate: Gate
    sources: tuple[_Source, ...]
    labels: tuple[tuple[str, ...], ...]
    sums: GateSums | None = None
    reading: Reading | None = None

    @property
    def is_identical(self) -> bool:
        """Whether there is nothing to play: both sides are the same play."""
        return len(self.sources) == 2 and self.sources[0].mark == self.sources[1].mark

    def add_up(self, chunks: Mapping[str, Chunk], rotations: int) -> GateSums:
        """Return the gate's sums of some games."""
        mine = [chunks[source.mark] for source in self.sources]
        return sums_of(self.gate, mine, rotations=rotations, labels=self.labels)

    def judge(self, *, forecast: bool = False) -> None:
        """Judge the gate by what has been added up."""
        assert self.sums is not None
        self.reading = judge(self.gate, self.sums, forecast=forecast)


@dataclass
class _Task:
    """All gates of a study, and what they are judged with."""

    session: Session
    ref: GitRef | None
    of_ref: list[RefStore] = field(default_factory=list)
    contents: dict[str, Content[Any]] = field(default_factory=dict)
    second: tuple[str, ...] = ()  # who played the repetition with another lineup, once it has been

    def __post_init__(self) -> None:
        """Check the gates. Raises UserError with the study's lines."""
        self.study = self.session.study
        self.setting = self.session.setting
        self.parts = self.study.checks
        self.gates = self._gates()
        self.lineups = {v: self.seats_of(v) for part in self.parts for v in self._variants(part)}
        used = self.lineups.values()
        self.players = tuple(dict.fromkeys(spec for seats in used for spec in seats))
        self.changed: tuple[Changed, ...] = ()
        if self.ref is not None:
            self.changed = self.ref.changed_code + self.ref.changed_players(self.players)

    # ------------------------------------------------------------------------- what is asked

    def _gates(self) -> list[Gate]:
        problems = []
        gates = []
        for place, part in enumerate(self.parts):
            key = ("check", place)
            try:
                gates.append(self._gate(part))
            except UserError as error:
                problems.append(_problem(self.study, key, f"{part.name}: {error}"))
        if problems:
            raise ProblemsError(problems)
        return gates

    def _gate(self, part: CheckPart) -> Gate:
        game = self.setting.game
        sides = self._variants(part)
        if part.max_change is not None and part.against is None and self.ref is None:
            if part.variant == BASE:
                raise UserError(
                    "a change of the base needs something to measure from: name a variant, or "
                    "give --base-ref"
                )
        elif part.max_change is not None and part.against == part.variant:
            raise UserError(f"{part.variant} is measured against itself")
        if len({len(self.seats_of(side)) for side in sides}) > 1:
            raise UserError(
                f"{' and '.join(sides)} have different numbers of players and cannot be compared"
            )
        level = shared_level(self.setting.level, len(self.parts))
        where, statistic = part.where, part.statistic
        seats: tuple[Measure, ...] = ()
        if statistic == SPREAD:
            if part.within is None or "seat" in where:
                raise UserError("a spread over seats takes a range, and no seat")
            seats = tuple(
                find_measure(game, part.metric, {**where, "seat": seat + 1}, self.labels(side))
                for side in sides[:1]
                for seat in range(len(self.labels(side)))
            )
            where, statistic = {**where, "seat": 1}, MEAN
        measures = [
            find_measure(game, part.metric, where, self.labels(side), statistic) for side in sides
        ]
        if measures[0].quantile is not None and measures[0].fields:
            names = choices([name for name, _ in measures[0].fields])
            raise UserError(f"a quantile can be of a seat or a strategy, not of {names}")
        return Gate(
            part.name,
            measures[0],
            None if part.within is None else (part.within[0], part.within[1]),
            part.max_change,
            level,
            part.on_undecided,
            seats,
        )

    def _variants(self, part: CheckPart) -> tuple[str, ...]:
        """Return the variants that a gate reads: its own, and what a change is measured from."""
        if part.within is not None:
            return (part.variant,)
        return part.variant, self._base_of(part)

    def _base_of(self, part: CheckPart) -> str:
        """Return the variant that a change is measured from, here or at the ref."""
        if part.against is not None:
            return part.against
        return BASE if self.ref is None else part.variant

    def _is_at_ref(self, part: CheckPart) -> bool:
        return self.ref is not None and part.max_change is not None and part.against is None

    def seats_of(self, variant: str) -> tuple[str, ...]:
        """Return the lineup of a variant."""
        own = None if variant == BASE else self.study.variants[variant].seats
        return own or self.setting.seats

    def patches_of(self, variant: str) -> Mapping[str, Patch]:
        """Return what a variant changes against the base."""
        return {} if variant == BASE else self.study.variants[variant].patches

    def labels(self, variant: str) -> tuple[str, ...]:
        """Return the strategies' names in a variant."""
        return self.session.plays.lineup(self.seats_of(variant)).labels

    # ------------------------------------------------------------------------------ sources

    def source(self, variant: str, seats: tuple[str, ...], at_ref: bool) -> _Source:
        """Return where the games of a variant come from. Raises UserError where they cannot."""
        if at_ref and self.changed:
            return self._at_ref(variant, seats)
        if at_ref:
            one = Play(f"{variant} at the ref", seats, rules=self.content(variant, at_ref))
        else:
            one = Play(variant, seats, self.patches_of(variant))
        return _Here(self.session, one, self.session.table(one))

    def _at_ref(self, variant: str, seats: tuple[str, ...]) -> _AtRef:
        assert self.ref is not None
        patches = {**self.study.patches, **self.patches_of(variant)}
        request = {
            "game": self.setting.game.name,
            "seats": list(seats),
            "rotate": self.setting.rotate,
            "seed": self.setting.seed,
            "patches": {key: patch.value for key, patch in patches.items()},
        }
        one = self.ref.player(self.session.folder, request, self.session.threads)
        self.of_ref.append(one)
        return _AtRef(self.session, one)

    def content(self, variant: str, at_ref: bool) -> Content[Any]:
        """Return the rules of a variant, here or as the ref has them, read by this code.

        Raises UserError where this code cannot read them.
        """
        key = f"{variant} {at_ref}"
        if key not in self.contents:
            if not at_ref:
                one = Play(variant, None, self.patches_of(variant))
                self.contents[key] = self.session.plays.content(one)
            else:
                assert self.ref is not None
                patches = {**self.study.patches, **self.patches_of(variant)}
                try:
                    self.contents[key] = self.setting.game.load(self.ref.rules_folder, patches)
                except UserError as error:
                    text = str(error).replace(str(self.ref.rules_folder), self.ref.name)
                    raise UserError(
                        f"the rules files at {self.ref.name} do not fit this code:\n{text}"
                    ) from None
        return self.contents[key]

    def notes(self) -> tuple[str, ...]:
        """Say which strategies sit at a table that they were not made for."""
        where = self.setting
        return fit_notes(where.game, where.rules.model, where.seats, self.lineups, self.second)

    def played_by(self) -> str | None:
        """Say in words by what the base at the ref was played."""
        if self.ref is None:
            return None
        if self.changed:
            return CODE
        same = self.content(BASE, True).hash == self.content(BASE, False).hash
        return SAME if same else RULES

    # ------------------------------------------------------------------------------ judging

    def judge_all(self, repeats: bool) -> tuple[GateResult, ...]:
        """Play and judge everything."""
        usual = _Circumstance("", lambda seats: seats)
        trials = [self._trial(gate, part, usual) for gate, part in self._pairs()]
        main = [trial for trial in trials if trial is not None]
        assert len(main) == len(self.gates)
        rotations = self.setting.rotations
        budget = self.setting.games // rotations
        self._play(main, [(int(blocks), None) for blocks in looks(budget)])
        others: dict[str, list[_Trial | None]] = {}
        for circumstance in self._circumstances() if repeats else ():
            again = [self._trial(gate, part, circumstance) for gate, part in self._pairs()]
            others[circumstance.name] = again
            if circumstance.name == SECOND and any(trial is not None for trial in again):
                self.second = circumstance.seats(self.setting.seats)
            wanted: dict[int, list[_Trial]] = {}
            for trial, first in zip(again, main, strict=True):
                assert first.reading is not None
                if trial is not None:
                    # where the usual players saw no difference, others get the first look
                    blocks = first.reading.blocks or min(budget, int(looks(budget)[0]))
                    wanted.setdefault(blocks, []).append(trial)
            everyone = [trial for trials in wanted.values() for trial in trials]
            self._play(everyone, sorted(wanted.items()))
        return tuple(
            self._result(
                part,
                trial,
                {
                    name: None if again[place] is None else again[place].reading  # type: ignore[union-attr]
                    for name, again in others.items()
                },
            )
            for place, (part, trial) in enumerate(zip(self.parts, main, strict=True))
        )

    def _pairs(self) -> Iterator[tuple[Gate, CheckPart]]:
        yield from zip(self.gates, self.parts, strict=True)

    def _trial(self, gate: Gate, part: CheckPart, who: _Circumstance) -> _Trial | None:
        """Return a gate with its plays; None where it says nothing in these circumstances."""
        sides = self._variants(part)
        plays = self.session.plays
        sources: list[_Source] = []
        labels = []
        for place, variant in enumerate(sides):
            usual = self.seats_of(variant)
            if not who.own and usual != self.setting.seats:
                return None
            seats = who.seats(usual)
            names = plays.lineup(usual if who.keeps_names else seats).labels
            if gate.measure.strategy is not None and gate.measure.strategy not in names:
                return None
            labels.append(names)
            sources.append(self.source(variant, seats, place == 1 and self._is_at_ref(part)))
        return _Trial(gate, tuple(sources), tuple(labels))

    def _circumstances(self) -> Iterator[_Circumstance]:
        """Yield in which other circumstances verdicts are repeated."""
        blunder = self.study.compare.blunder
        plays = self.session.plays

        if plays.blundering(self.setting.seats, blunder) != self.setting.seats:
            yield _Circumstance(
                f"blunder {blunder:g}", lambda seats: plays.blundering(seats, blunder)
            )
        second = self.study.second_seats or default_second(
            self.setting.game, self.setting.seats, together=self.setting.together
        )
        if second is not None and second != self.setting.seats:
            try:
                plays.lineup(second)
            except UserError as error:
                key = ("compare", "second_lineup")
                raise ProblemsError([problem_at(self.study, key, str(error))]) from None
            yield _Circumstance(SECOND, lambda _: second, keeps_names=False, own=False)

    def _play(
        self, trials: Sequence[_Trial], steps: Iterable[tuple[int, Sequence[_Trial] | None]]
    ) -> None:
        """Play to one number of blocks after the other, and judge.

        steps: blocks, and the trials that are judged there for the only time; None judges all that
        are open and ends those that are decided.
        """
        rotations = self.setting.rotations
        still_open = []
        for trial in trials:
            if trial.is_identical:
                trial.reading = identical(trial.gate)
            else:
                still_open.append(trial)
        before = 0
        for blocks, last in steps:
            if not still_open:
                return
            games = blocks * rotations
            sources = {source.mark: source for t in still_open for source in t.sources}
            for source in sources.values():
                source.fill(games)
            spans = [span for span in self.session.ranges(games) if span[0] >= before]
            for trial, part in zip(still_open, self._sums(still_open, sources, spans), strict=True):
                trial.sums = add(trial.sums, part)
                if last is None or trial in last:
                    trial.judge()
            before = games
            still_open = [
                trial
                for trial in still_open
                if (trial not in last if last is not None else not _of(trial).decided)
            ]

    def _sums(
        self,
        trials: Sequence[_Trial],
        sources: Mapping[str, _Source],
        spans: Sequence[tuple[int, int]],
    ) -> list[GateSums]:
        """Return each trial's sums of some shards; each shard is read once."""

        def of(span: tuple[int, int]) -> list[GateSums]:
            chunks = {mark: source.read(*span) for mark, source in sources.items()}
            return [trial.add_up(chunks, self.setting.rotations) for trial in trials]

        with ThreadPoolExecutor(2) as pool:
            return reduce(
                lambda a, b: [add(x, y) for x, y in zip(a, b, strict=True)], pool.map(of, spans)
            )

    def _result(
        self, part: CheckPart, trial: _Trial, repeats: Mapping[str, Reading | None]
    ) -> GateResult:
        against = None
        if part.max_change is not None:
            against = self._base_of(part)
            if self._is_at_ref(part):
                assert self.ref is not None
                against = self.ref.name if against == BASE else f"{against} at {self.ref.name}"
        if trial.sums is not None:
            trial.judge(forecast=True)
        reading = _of(trial)
        if trial.is_identical:
            stopped = "the two plays are the same"
        elif reading.decided:
            stopped = "decided"
        else:
            stopped = "games spent"
        return GateResult(
            trial.gate,
            part.variant,
            against,
            reading,
            trial.sums,
            self.setting.rotations,
            stopped,
            repeats,
            self._places(part),
        )

    # -------------------------------------------------------------------------- where it stands

    def _places(self, part: CheckPart) -> tuple[Place, ...]:
        """Return the changed lines that a gate may be about, or else its own line."""
        found: list[Place] = []
        if self.ref is not None and part.against is None:
            for one in self.changed:
                text = f"differs from {self.ref.name}"
                found += [Place(str(one.file), line, text) for line in one.lines]
            try:
                found += self._changed_rules(part.variant)
            except UserError:
                # the ref's own code reads its rules files, and this code may be unable to
                if not self.changed:
                    raise
        for variant in () if self._is_at_ref(part) else self._variants(part):
            for key, patch in self.patches_of(variant).items():
                text = f"{variant}: {key} = {plain(patch)}"
                found.append(Place(patch.file or str(self.study.path), patch.line, text))
        if not found:
            _, lines = read_toml(self.study.path)
            line = lines.get(("check", self.parts.index(part)))
            found.append(Place(str(self.study.path), line, part.name))
        return tuple(found)

    def _changed_rules(self, variant: str) -> Iterator[Place]:
        """Yield the lines of rules files whose numbers are others than at the ref."""
        old = {entry.key: entry.value for entry in self.content(variant, True).entries}
        new = self.content(variant, False).entries
        for entry in new:
            if entry.key not in old or old[entry.key] != entry.value:
                was = f" (was {show(old[entry.key])})" if entry.key in old else " (new)"
                text = f"{entry.key} = {show(entry.value)}{was}"
                yield Place(entry.file or str(self.study.path), entry.line, text)


def _of(trial: _Trial) -> Reading:
    assert trial.reading is not None
    return trial.reading


def _problem(study: Study, key: tuple[str | int, ...], text: str) -> Any:
    _, lines = read_toml(study.path)
    return replace(problem_at(study, ("study",), text), line=lines.get(key), key=f"check.{key[1]}")


__all__ = ["CheckResult", "check"]
