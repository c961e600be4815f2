"""Planning a study: a pilot, then the games and minutes that each verdict will take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.comparison import compared_measures, effect_interval, margin_of
from analysis.gates import Gate, GateSums, judge, sums_of
from analysis.intervals import simultaneous_level
from analysis.measures import MEAN, Measure, all_measures
from analysis.moments import Moments
from analysis.pairs import PairSums
from analysis.planning import (
    PILOT,
    Forecast,
    forecast_comparison,
    forecast_gate,
    forecast_precision,
)
from analysis.question import Play
from analysis.sequential import bounded_mean_sequence, gate_verdict
from assay.check import gates_and_plays
from assay.fit import fit_notes
from assay.progress import Progress
from assay.runner import Session, claim, open_session
from assay.study import BASE, load_study, problem_at, same_players
from sim.batch import Batch, Chunk, play
from sim.errors import UserError, choices, nearest
from sim.game import Metric
from sim.store import join
from sim.tomlfile import ProblemsError

SPEED_GAMES = 4096  # timed of each play, beside the pilot
COLUMNS = (
    *("kind", "name", "figure", "variant", "estimate", "low", "high", "level", "verdict"),
    *("discordance", "speed_up", "blocks", "blocks_low", "blocks_high"),
    *("games", "games_low", "games_high", "plays", "minutes", "minutes_low", "minutes_high"),
    *("budget", "chance", "enough"),
)
SURE, HOPELESS = 0.9, 0.1


@dataclass(frozen=True)
class Plan:
    """What a study will take.

    rows: one a verdict, `COLUMNS`. blocks, games are of each play; minutes are of all plays that
    the verdict needs, from the first game on. low and high hold 90 % of what the pilot leaves
    possible. chance: of a verdict within the budget. pilot: games of each play. speeds: games a
    second of each play, on this machine, now. notes: strategies at a table that they were not made
    for.
    """

    study: str
    game: str
    pilot: int
    rotations: int
    budget: int
    rows: tuple[dict[str, Any], ...]
    speeds: Mapping[str, float] = field(compare=False)
    folder: Path = field(compare=False)
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a frame, `COLUMNS`."""
        return pd.DataFrame.from_records(list(self.rows), columns=list(COLUMNS))

    @property
    def document(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {
            "study": self.study,
            "game": self.game,
            "pilot_games": self.pilot,
            "games_per_block": self.rotations,
            "budget": self.budget,
            "games_per_second": dict(self.speeds),
            "rows": list(self.rows),
        }


def plan(
    study: Path | str,
    *,
    out: Path | str | None = None,
    rules: Path | str | None = None,
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Play a pilot and forecast each gate, each comparison with a margin, and the precision.

    out: where the pilot's games are kept, `results/NAME` by default; they are the first games of
    `run`, `compare` and `check`, which do not play them again. rules, seed, games (at most, for
    each play): replace what the study says.
    Raises UserError for whatever cannot be used, and for a study that asks for no verdict.
    """
    found = load_study(study)
    options: dict[str, Any] = {
        "rules": str(rules or found.rules_folder or "") or None,
        "set": {},
        "small": False,
        "games": games,
        "seed": seed,
    }
    folder = Path(out) if out is not None else Path("results") / found.name
    session = open_session(
        found, folder, options, threads=threads, progress=progress, claimed=False
    )
    pilot = _Pilot(session)
    asked = _asked(session)
    claim(folder, found)
    rows = [*_gates(pilot, asked), *_comparisons(pilot, asked), *_precision(pilot, asked)]
    setting = session.setting
    return Plan(
        found.name,
        setting.game.name,
        pilot.games,
        setting.rotations,
        setting.games,
        tuple(rows),
        dict(pilot.speeds.values()),
        session.folder,
        _notes(session, asked),
    )


def _notes(session: Session, asked: _Asked) -> tuple[str, ...]:
    """Say which strategies sit at a table that they were not made for."""
    setting = session.setting
    lineups = {one.name: one.seats or setting.seats for _, plays, _ in asked.gates for one in plays}
    for name in asked.variants:
        lineups[name] = session.study.variants[name].seats or setting.seats
    if asked.variants or asked.precise:
        lineups[BASE] = setting.seats
    return fit_notes(setting.game, setting.rules.model, setting.seats, lineups)


@dataclass(frozen=True)
class _Asked:
    """What a study asks, checked.

    gates: with the plays each reads and these lineups' names. margins: of the headline metrics
    that have one. variants: name -> lineup's names; empty without a margin. precise: metrics that
    the precision is of; empty without one.
    """

    gates: list[tuple[Gate, tuple[Play, ...], tuple[tuple[str, ...], ...]]]
    margins: dict[Metric, float]
    variants: dict[str, tuple[str, ...]]
    precise: tuple[Metric, ...]


def _asked(session: Session) -> _Asked:
    """Check what a study asks before anything is played. Raises UserError with its lines."""
    study, setting, plays = session.study, session.setting, session.plays
    known = {metric.name: metric for metric in setting.game.metrics}
    for name in study.stop.headline:
        if name not in known:
            text = f"unknown metric {name!r}{nearest(name, known)}; known metrics: {choices(known)}"
            raise ProblemsError([problem_at(study, ("stop", "headline"), text)])
    headline = [known[name] for name in study.stop.headline]
    gates = gates_and_plays(session) if study.checks else []
    margins = {}
    for metric in headline:
        margin = margin_of(metric.name, study.compare.margin)
        if margin is not None:
            margins[metric] = margin
    variants = {}
    if margins:
        same_players(study, setting.players)
    for name, variant in study.variants.items() if margins else ():
        try:
            variants[name] = plays.lineup(variant.seats or setting.seats).labels
            plays.content(Play(name, variant.seats, variant.patches))
        except ProblemsError:
            raise
        except UserError as error:
            raise ProblemsError([problem_at(study, ("variants", name), str(error))]) from None
    precise = () if study.stop.precision is None else tuple(headline)
    for metric in precise:
        if not Measure(metric).is_share:
            text = f"{metric.name} is no share of games, so it has no precision"
            raise ProblemsError([problem_at(study, ("stop", "headline"), text)])
    if not gates and not variants and not precise:
        text = (
            "asks for no verdict: there is no [[check]], no variant with a margin in [compare] for "
            "a headline metric, and no precision in [stop]"
        )
        raise ProblemsError([problem_at(study, ("study",), text)])
    return _Asked(gates, margins, variants, precise)


# ------------------------------------------------------------------------------------- the pilot


@dataclass
class _Pilot:
    """The first games of every play of a study, and how fast each is played."""

    session: Session
    chunks: dict[str, Chunk] = field(default_factory=dict)
    speeds: dict[str, tuple[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Set the size: PILOT blocks, or the budget if that is less."""
        setting = self.session.setting
        self.blocks = min(PILOT, setting.games // setting.rotations)
        self.games = self.blocks * setting.rotations

    def add(self, one: Play) -> str:
        """Play a play's pilot and time it; return its mark, the same for plays that are the same.

        A pilot that is there already is not played again, and so cannot be timed: what is timed
        are games of the same play that are not kept.
        """
        table = self.session.table(one)
        mark = table.store.mark
        if mark not in self.chunks:
            self.session.fill(f"pilot: {one.name}", one, table, self.games)
            spans = self.session.ranges(self.games)
            self.chunks[mark] = join([table.store.read(*span) for span in spans])
            self.speeds[mark] = one.name, self._speed(table.batch)
        return mark

    def _speed(self, batch: Batch) -> float:
        """Return games a second."""
        games = min(SPEED_GAMES, self.games)
        _played(batch, batch.rotations, self.session.threads)  # compiled and warm
        started = time.perf_counter()
        _played(batch, games, self.session.threads)
        return games / (time.perf_counter() - started)

    def seconds(self, marks: Sequence[str]) -> float:
        """Return the seconds that a game of all these plays takes."""
        return sum(1 / self.speeds[mark][1] for mark in dict.fromkeys(marks))

    def some(self, mark: str, blocks: np.ndarray) -> Chunk:
        """Return a play's pilot with these blocks, which may repeat, instead of its own."""
        rotations = self.session.setting.rotations
        games = (blocks[:, None] * rotations + np.arange(rotations)).reshape(-1)
        chunk = self.chunks[mark]
        return replace(chunk, games=chunk.games[games], seats=chunk.seats[games])

    def rng(self, name: str) -> np.random.Generator:
        """Return the generator of a forecast: of the study's seed and the row's name alone."""
        return np.random.default_rng([self.session.setting.seed, *name.encode()])

    def row(
        self,
        what: Mapping[str, Any],
        marks: Sequence[str],
        forecast: Forecast,
    ) -> dict[str, Any]:
        """Return a row: what is forecast, and the forecast in blocks, games and minutes."""
        setting = self.session.setting
        rotations, budget = setting.rotations, setting.games
        chance = forecast.within(budget / rotations)
        minutes = rotations * self.seconds(marks) / 60
        found: dict[str, Any] = dict(what)
        ends = (("", forecast.median), ("_low", forecast.low), ("_high", forecast.high))
        found |= {f"blocks{end}": _whole(blocks) for end, blocks in ends}
        found |= {f"games{end}": _whole(blocks * rotations) for end, blocks in ends}
        found["plays"] = len(dict.fromkeys(marks))
        found |= {f"minutes{end}": blocks * minutes for end, blocks in ends}
        enough = "yes" if chance >= SURE else "no" if chance <= HOPELESS else "perhaps"
        found |= {"budget": budget, "chance": chance, "enough": enough}
        return {name: found.get(name) for name in COLUMNS}


def _whole(number: float) -> float:
    """Return a whole number as an int; infinity stays what it is."""
    return int(number) if math.isfinite(number) else number


def _played(batch: Batch, games: int, threads: int | None) -> None:
    for _ in play([batch], 0, games, len, threads=threads):
        pass


# ----------------------------------------------------------------------------------- the verdicts


def _gates(pilot: _Pilot, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Forecast the study's gates."""
    for gate, plays, labels in asked.gates:
        marks = [pilot.add(one) for one in plays]
        variant = plays[0].name
        if len(marks) == 2 and marks[0] == marks[1]:
            what = _what("gate", gate.name, gate.figure, variant, 0.0, 0.0, 0.0, gate.level)
            what |= {"verdict": gate.verdict(0.0, 0.0).value, "discordance": 0.0}
            yield pilot.row(what, marks, Forecast.of(np.zeros(1)))
            continue
        summed = partial(_sums, pilot, gate, marks, labels)
        sums = summed(np.arange(pilot.blocks))
        rng = pilot.rng(gate.name)
        reading = judge(gate, sums, forecast=False)
        what = _what(
            *("gate", gate.name, gate.figure, variant),
            *(reading.estimate, reading.low, reading.high, gate.level),
        )
        what["verdict"] = reading.verdict.value
        if isinstance(sums, PairSums):
            what |= _paired(sums)
        again = partial(_again, summed, rng, pilot.blocks)
        yield pilot.row(what, marks, forecast_gate(gate, sums, again, rng))


def _sums(
    pilot: _Pilot,
    gate: Gate,
    marks: Sequence[str],
    labels: Sequence[tuple[str, ...]],
    blocks: np.ndarray,
) -> GateSums:
    chunks = [pilot.some(mark, blocks) for mark in marks]
    return sums_of(gate, chunks, rotations=pilot.session.setting.rotations, labels=labels)


def _again(
    summed: Callable[[np.ndarray], GateSums], rng: np.random.Generator, blocks: int
) -> GateSums:
    """Sum blocks drawn with replacement."""
    return summed(rng.integers(0, blocks, blocks))


def _comparisons(pilot: _Pilot, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Forecast each variant's headline figures that have a margin; the slowest of each metric."""
    session = pilot.session
    setting = session.setting
    if not asked.variants:
        return
    base = pilot.add(Play(BASE))
    usual = session.plays.lineup(setting.seats).labels
    level = simultaneous_level(setting.level, len(asked.variants))
    for name, labels in asked.variants.items():
        variant = session.study.variants[name]
        mark = pilot.add(Play(name, variant.seats, variant.patches))
        for metric, margin in asked.margins.items():
            slowest: tuple[Forecast, PairSums] | None = None
            for measure in compared_measures([metric], usual):
                if measure.statistic != MEAN or measure.strategy not in (None, *labels):
                    continue
                sums = PairSums.of(
                    measure,
                    pilot.chunks[mark],
                    pilot.chunks[base],
                    rotations=setting.rotations,
                    changed_labels=labels,
                    base_labels=usual,
                )
                rng = pilot.rng(f"{name} {measure.name}")
                found = forecast_comparison(sums, margin, level, rng)
                if slowest is None or found.median > slowest[0].median:
                    slowest = found, sums
            if slowest is None:
                continue
            forecast, sums = slowest
            interval = effect_interval(sums, setting.level, len(asked.variants))
            what = _what(
                *("comparison", f"{name} against {BASE}", sums.measure.name, name),
                *(interval.estimate, interval.low, interval.high, interval.level),
            )
            what["verdict"] = gate_verdict(interval.low, interval.high, margin=margin).value
            yield pilot.row(what | _paired(sums), [mark, base], forecast)


def _precision(pilot: _Pilot, asked: _Asked) -> Iterator[dict[str, Any]]:
    """Forecast when the study's precision is reached: by its slowest headline figure."""
    session = pilot.session
    setting, precision, metrics = session.setting, session.study.stop.precision, asked.precise
    if precision is None:
        return
    mark = pilot.add(Play(BASE))
    labels = session.plays.lineup(setting.seats).labels
    chunk = pilot.chunks[mark]
    sums = Moments.of(chunk.games, chunk.seats, metrics, rotations=setting.rotations, labels=labels)
    figures = all_measures(metrics, labels)
    level = simultaneous_level(setting.level, len(figures))

    def sequence(measure: Measure) -> tuple[float, float]:
        return bounded_mean_sequence(*_block_values(sums, measure), level)

    ends = {measure: sequence(measure) for measure in figures}
    measure = max(figures, key=lambda one: ends[one][1] - ends[one][0])
    low, high = ends[measure]
    values, counts = _block_values(sums, measure)
    name = f"half-width {precision:g}"
    estimate = float(values @ counts) / float(counts.sum())
    what = _what("precision", name, measure.name, BASE, estimate, low, high, level)
    what["verdict"] = "reached" if (high - low) / 2 <= precision else "not yet"
    forecast = forecast_precision(values, counts, precision, level, pilot.rng(name))
    yield pilot.row(what, [mark], forecast)


def _block_values(sums: Moments, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
    return sums.block_values(measure.metric.name, seat=measure.seat, strategy=measure.strategy)


def _what(
    kind: str,
    name: str,
    figure: str,
    variant: str,
    estimate: float,
    low: float,
    high: float,
    level: float,
) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": name,
        "figure": figure,
        "variant": variant,
        "estimate": estimate,
        "low": low,
        "high": high,
        "level": level,
    }


def _paired(sums: PairSums) -> dict[str, float]:
    """Return what pairing gains; for means only, quantiles are not judged in pairs."""
    gain = sums.speed_up() if sums.measure.statistic == MEAN else math.nan
    return {"discordance": sums.discordance, "speed_up": gain}
