"""Comparing rules: variants against the base on the same deals, and what each change does.

A comparison plays the base and every variant on the same deals, and then all of them again in other
circumstances: with players who leave a share of their decisions to chance, and with another lineup.
Scripts do not rethink their play when a rule changes, so an effect that turns round there is an
effect of the scripts as much as of the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.comparison import (
    CompareSums,
    Margins,
    Parted,
    Side,
    answer,
    chosen_metrics,
    compared_measures,
    effects,
    summing,
    with_flips,
)
from analysis.measures import Measure
from analysis.moments import metrics_of
from analysis.question import Answer, Group, Play, Setting
from assay.api import DEFAULT_GAMES, DEFAULT_STRATEGY, SEED, TEAM_STRATEGY, set_table
from assay.fit import fit_notes
from assay.output import as_toml, rows_of
from assay.plays import Plays
from assay.progress import Progress
from assay.study import Study, Variant, load_study, problem_at, same_players
from sim.batch import Batch, GameError, whole_blocks
from sim.batch import play as play_chunks
from sim.content import Patch, refuse_idle
from sim.errors import UserError, choices, nearest
from sim.game import Game
from sim.tomlfile import ProblemsError
from sim.wording import counted
from strategies.presets import presets_of

if TYPE_CHECKING:
    from assay.compose import Part

BASE = "base"
BLUNDER = 0.15
SECOND = "second lineup"
NO_LINEUP = "none"


@dataclass(frozen=True)
class Repeat:
    """Other circumstances: what they are called, who plays the base, and who each variant."""

    name: str
    seats: tuple[str, ...]
    variants: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Task:
    """What is compared: checked variants of a setting, in which figures, with which margins.

    own: who plays the variants that bring a lineup of their own. repeats: further circumstances.
    """

    setting: Setting
    plays: Plays
    variants: Mapping[str, Variant]
    measures: Mapping[str, tuple[Measure, ...]]
    margins: Margins
    repeats: tuple[Repeat, ...]


@dataclass(frozen=True)
class Compared:
    """What a comparison came to.

    effects: one row per variant and figure, `analysis.comparison.COLUMNS` and `flips`, `open`: the
    repeats in which the judgement is another, or is no longer decided. repeats: the effects there,
    by what is different. parted: games of each variant that part from the base's. stopped: why no
    more games were played.
    """

    task: Task = field(repr=False)
    effects: pd.DataFrame
    repeats: Mapping[str, pd.DataFrame]
    parted: Mapping[str, Parted]
    labels: tuple[str, ...]
    stopped: str = ""

    @property
    def setting(self) -> Setting:
        """The game, the base's rules and lineup, the number of games."""
        return self.task.setting

    @property
    def answer(self) -> Answer:
        """The comparison as a question's answer: frames and sentences."""
        changes = {name: self.changes(name) for name in self.task.variants}
        return answer(self.effects, self.repeats, changes, self.parted, self.setting.games)

    @property
    def notes(self) -> tuple[str, ...]:
        """Strategies that sit at a table that they were not made for, in words."""
        setting = self.setting
        own = {name: one.seats or setting.seats for name, one in self.task.variants.items()}
        second = next((one.seats for one in self.task.repeats if one.name == SECOND), ())
        lineups = {BASE: setting.seats, **own}
        return fit_notes(setting.game, setting.rules.model, setting.seats, lineups, second)

    def changes(self, variant: str) -> str:
        """Return what a variant changes, as `--set` and `--seats` would say it."""
        one = self.task.variants[variant]
        parts = [called(one.patches)] if one.patches else []
        if one.seats is not None:
            parts.append(f"seats {', '.join(one.seats)}")
        return ", ".join(parts)


# ------------------------------------------------------------------------------------ front door


def compare(
    what: str | Path,
    *,
    variants: Mapping[str, Mapping[str, Any]] | None = None,
    patches: Mapping[str, Any] | None = None,
    players: int | None = None,
    seats: str | Sequence[str] | None = None,
    games: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    rotate: bool | None = None,
    rules: Path | str | None = None,
    level: float | None = None,
    margin: Margins = None,
    metrics: str | Sequence[str] = (),
    second_lineup: str | Sequence[str] | None = None,
    blunder: float | None = None,
    out: Path | str | None = None,
    progress: Progress | None = None,
) -> Compared:
    """Compare variants with the base on the same luck.

    what: a study's file, or a game's name. For a game: patches is one variant, variants are several
    by name; the other arguments are those of `assay.play`. A study says all that itself, and keeps
    its games in `out`, `results/NAME` by default; games, seed, threads and rules replace what it
    says. margin, metrics, second_lineup and blunder replace what it says as well.

    margin: changes up to it do not matter, in the metric's unit: one number, or one per metric.
    metrics: those compared, all by default. second_lineup: who plays when everything is repeated;
    "none" for no repetition; by default see `default_second`. blunder: the probability of a random
    choice in another repetition, 0 for none.
    Raises UserError for a mistake in any of these.
    """
    metrics = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    wishes = _Wishes(margin, metrics, _specs(second_lineup), blunder)
    if is_study(what):
        given = {
            "--set": patches or variants,
            "--players": players,
            "--seats": seats,
            "--rotate": rotate,
        }
        for option, value in given.items():
            if value is not None:
                raise UserError(f"{option}: the study {what} says that; leave it out, or change it")
        return _compare_study(Path(what), wishes, games, seed, threads, rules, level, out, progress)
    if out is not None:
        raise UserError("--out: only a study keeps its games; leave it out")
    table = set_table(str(what), players=players, seats=seats, rules=rules)
    named = {name: Variant(name, dict(found)) for name, found in (variants or {}).items()}
    if BASE in named:
        raise UserError(f"variant {BASE}: the rules without a variant are called {BASE} already")
    if patches:
        name = called(patches)
        if name in named:
            raise UserError(f"variant {name}: patches have that name already; choose another")
        named[name] = Variant(name, dict(patches))
    if not named:
        raise UserError(
            "nothing to compare with: change a rule with --set KEY=VALUE, or name a study"
        )
    setting = Setting(
        table.game,
        table.content,
        table.specs,
        bool(rotate),
        DEFAULT_GAMES if games is None else games,
        SEED if seed is None else seed,
        0.95 if level is None else level,
    )
    setting = replace(setting, games=whole_blocks(setting.games, setting.rotations))
    plays = Plays(setting, {}, table.options)
    for variant in named.values():
        refuse_idle(plays.content(Play(variant.name, patches=variant.patches)), setting.players)
    task = _task(setting, plays, named, wishes, None)
    return run_task(task, lambda group: _stream(task, group, threads, progress))


def is_study(what: str | Path) -> bool:
    """Say whether an argument is a study's file rather than a game's name."""
    return str(what).endswith(".toml") or Path(what).is_file()


def compare_session(session: Any, stopped: str, wishes: _Wishes | None = None) -> Compared:
    """Compare the variants of a study whose session is open; its games are kept there."""
    study: Study = session.study
    if not study.variants:
        text = "the study has no variant; add a table [variants.NAME.set] with what it changes"
        raise ProblemsError([problem_at(study, ("study",), text)])
    task = _task(session.setting, session.plays, study.variants, wishes or _Wishes(), study)
    return replace(
        run_task(task, lambda group: session.sums(group, session.setting.games)), stopped=stopped
    )


def part_of(compared: Compared) -> Part:
    """Return a comparison as a part of its study's report."""
    from assay.compose import Part
    from reports.answers.variants import METHODS, section

    task, found = compared.task, compared.answer
    repeats = {repeat.name: repeat.seats for repeat in task.repeats}
    results = {
        "variants": rows_of(found.frames["variants"]),
        "comparisons": rows_of(found.frames["effects"]),
    }
    return Part(section(task.setting, found, repeats), found.sentences, METHODS, results)


def _compare_study(
    path: Path,
    wishes: _Wishes,
    games: int | None,
    seed: int | None,
    threads: int | None,
    rules: Path | str | None,
    level: float | None,
    out: Path | str | None,
    progress: Progress | None,
) -> Compared:
    from assay.runner import open_session, stop_early

    study = load_study(path)
    if level is not None:
        study = replace(study, head=study.head.model_copy(update={"level": level}))
    options: dict[str, Any] = {
        "small": False,
        "rules": str(rules or study.rules_folder or "") or None,
        "set": {},
        "seed": seed,
        "games": games,
    }
    folder = Path(out) if out is not None else Path("results") / study.name
    session = open_session(study, folder, options, threads=threads, progress=progress)
    return compare_session(session, stop_early(session), wishes)


# -------------------------------------------------------------------------------- what is compared


@dataclass(frozen=True)
class _Wishes:
    """What the caller asks for instead of what the study says. None: as the study says."""

    margin: Margins = None
    metrics: tuple[str, ...] = ()
    second: tuple[str, ...] | None = None
    blunder: float | None = None


def _specs(seats: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if seats is None:
        return None
    if isinstance(seats, str):
        from strategies.resolve import parse_seats

        return tuple(parse_seats(seats))
    return tuple(seats)


def called(patches: Mapping[str, Any]) -> str:
    """Return what a variant is called that has no name: what it changes."""
    return ", ".join(f"{key}={as_toml(_plain(value))}" for key, value in patches.items())


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Patch) else value


def _task(
    setting: Setting,
    plays: Plays,
    variants: Mapping[str, Variant],
    wishes: _Wishes,
    study: Study | None,
) -> Task:
    """Check all that is compared. Raises UserError, with the study's line where it has one."""
    game = setting.game
    if not 0 < setting.level < 1:
        raise UserError(f"the level must lie between 0 and 1, not {setting.level}")
    if study is not None:
        same_players(study, setting.players)
    names = wishes.metrics or (tuple(study.compare.metrics) if study else ())
    at_metrics = None if wishes.metrics else ("compare", "metrics")
    known = metrics_of(game, setting.players, setting.together)
    metrics = _at(study, at_metrics, lambda: chosen_metrics(known, names))
    margins = wishes.margin
    at_margin = None
    if margins is None and study is not None:
        margins, at_margin = study.compare.margin, ("compare", "margin")
    _at(study, at_margin, lambda: _check_margins(game, margins))
    base = plays.lineup(setting.seats).labels
    measures: dict[str, tuple[Measure, ...]] = {}
    for name, variant in variants.items():
        seats = variant.seats or setting.seats
        who = _at(study, ("variants", name, "seats"), partial(plays.lineup, seats))
        rules = plays.content(Play(name, variant.seats, variant.patches))
        if rules.hash == setting.rules.hash and who.labels == base:
            _at(study, ("variants", name), partial(_refuse, name))
        measures[name] = tuple(
            m
            for m in compared_measures(metrics, base)
            if m.strategy is None or m.strategy in who.labels
        )
    task = Task(setting, plays, variants, measures, margins, ())
    blunder = wishes.blunder
    if blunder is None:
        blunder = study.compare.blunder if study else BLUNDER
    if not 0 <= blunder <= 1:
        raise UserError(f"blunder must be from 0 to 1, not {blunder:g}")
    second = wishes.second
    at_second = None
    if second is None and study is not None and study.second_seats is not None:
        second, at_second = study.second_seats, ("compare", "second_lineup")
    repeats = (
        _blundering(task, blunder),
        _at(study, at_second, lambda: _second(task, second)),
    )
    return replace(task, repeats=tuple(one for one in repeats if one is not None))


def _at(study: Study | None, key: tuple[str, ...] | None, check: Callable[[], Any]) -> Any:
    """Return what a check returns; its error gets the study's file and line."""
    try:
        return check()
    except ProblemsError:
        raise
    except UserError as error:
        if study is None or key is None:
            raise
        raise ProblemsError([problem_at(study, key, str(error))]) from None


def _check_margins(game: Game, margins: Margins) -> None:
    named = margins if isinstance(margins, Mapping) else {}
    known = [metric.name for metric in game.metrics]
    for name in named:
        if name not in known:
            raise UserError(
                f"margin for an unknown metric {name!r}{nearest(name, known)}; "
                f"known metrics: {choices(known)}"
            )
    for value in named.values() if isinstance(margins, Mapping) else [margins]:
        if value is not None and not 0 < value < float("inf"):
            raise UserError(f"a margin must be above 0, not {value:g}")


def _refuse(name: str) -> None:
    raise UserError(f"{name} changes nothing: its rules and its lineup are those of the base")


def default_second(
    game: Game, seats: Sequence[str], *, together: bool = False
) -> tuple[str, ...] | None:
    """Return who plays the repetition where nobody is named.

    One seat each for the game's presets that are sets of weights of the same script as `balanced`,
    in the order in which they are listed, and round again where there are more seats than presets:
    for Wizard Miners builder, cleaner, saboteur, sprinter. Those that say they are for other tables
    are left out, those for just so many players come first, of whatever script they are. Where that
    is the lineup already, `balanced` everywhere. None where a game has nothing else to offer.
    together: whether the players win or lose as one; then the presets are those of a team, and so
    is the script.
    """
    presets = presets_of(game)
    usual = TEAM_STRATEGY if together else DEFAULT_STRATEGY
    if usual not in presets:
        return None
    script = presets[usual].script
    kin = [
        name
        for name, one in presets.items()
        if (one.script is script or one.players)
        and name != usual
        and one.together is together
        and one.fits(len(seats))
    ]
    kin.sort(key=lambda name: not presets[name].players)  # first those meant for so many alone
    mixed = tuple(kin[place % len(kin)] for place in range(len(seats))) if kin else ()
    for lineup in (mixed, (usual,) * len(seats)):
        if lineup and lineup != tuple(seats):
            return lineup
    return None


def _blundering(task: Task, blunder: float) -> Repeat | None:
    """Return everybody with this probability of a random choice; None where that is no change."""
    plays, setting = task.plays, task.setting

    base = plays.blundering(setting.seats, blunder)
    variants = {
        name: plays.blundering(variant.seats or setting.seats, blunder)
        for name, variant in task.variants.items()
    }
    if base == setting.seats:
        return None
    return Repeat(f"blunder {blunder:g}", base, variants)


def _second(task: Task, seats: tuple[str, ...] | None) -> Repeat | None:
    """Return another lineup for all variants that bring none of their own."""
    setting = task.setting
    if seats == (NO_LINEUP,):
        return None
    if seats is None:
        seats = default_second(setting.game, setting.seats, together=setting.together)
        if seats is None:
            return None
    elif len(seats) == 1:
        seats = seats * setting.players
    if len(seats) != setting.players:
        raise UserError(
            f"second lineup: {counted(len(seats), 'strategy', 'strategies')} for "
            f"{counted(setting.players, 'player')}; "
            "give one for each seat, or one for all"
        )
    task.plays.lineup(seats)
    variants = {name: seats for name, one in task.variants.items() if one.seats is None}
    if not variants or seats == setting.seats:
        return None
    return Repeat(SECOND, seats, variants)


# ----------------------------------------------------------------------------------------- playing


def run_task(task: Task, sums_of: Callable[[Group], CompareSums]) -> Compared:
    """Play what a comparison needs and put it together. sums_of: plays a group and sums it."""
    setting, plays = task.setting, task.plays
    labels = plays.lineup(setting.seats).labels
    own = Repeat("", setting.seats, {n: v.seats or setting.seats for n, v in task.variants.items()})
    found: dict[str, CompareSums] = {}
    for repeat in (own, *task.repeats):
        found[repeat.name] = sums_of(_group(task, repeat))
    together = len(task.variants)
    frames = {
        name: effects(sums, level=setting.level, margins=task.margins, together=together)
        for name, sums in found.items()
    }
    main = frames.pop("")
    parted = {name: one.parted for name, one in found[""].variants.items()}
    return Compared(task, with_flips(main, frames), frames, parted, labels)


def _group(task: Task, repeat: Repeat) -> Group:
    """Return the base and its variants in certain circumstances.

    Blundering strategies keep their names, so that their figures are those of the same players.
    """
    plays, setting = task.plays, task.setting
    same_players = repeat.name != SECOND

    def labels(seats: tuple[str, ...], usual: tuple[str, ...]) -> tuple[str, ...]:
        return plays.lineup(usual if same_players else seats).labels

    base = labels(repeat.seats, setting.seats)
    sides = {}
    members = [Play(BASE, repeat.seats)]
    for name, seats in repeat.variants.items():
        variant = task.variants[name]
        who = labels(seats, variant.seats or setting.seats)
        kept = tuple(
            m
            for m in task.measures[name]
            if m.strategy is None or (m.strategy in base and m.strategy in who)
        )
        sides[name] = Side(kept, who)
        members.append(Play(name, seats, variant.patches))
    title = f"compare, {repeat.name}" if repeat.name else "compare"
    return Group(title, tuple(members), summing(base, sides, setting.rotations))


def _stream(
    task: Task, group: Group, threads: int | None, progress: Progress | None
) -> CompareSums:
    """Play a group side by side without keeping the games."""
    batches = [task.plays.batch(one)[0] for one in group.plays]
    total = task.setting.games
    sums: Any = None
    done = 0
    try:
        for count, part in play_chunks(batches, 0, total, group.reduce, threads=threads):
            sums = part if sums is None else sums + part
            done += count
            if progress is not None:
                progress(f"{group.name} ({counted(len(batches), 'play')})", done, total)
    except GameError as error:
        raise task.plays.mishap(_culprit(group, batches, error.game), error) from error
    assert isinstance(sums, CompareSums)
    return sums


def _culprit(group: Group, batches: Sequence[Batch], game: int) -> Play:
    """Return the play of a group in which a strategy raises in this game."""
    for one, batch in zip(group.plays, batches, strict=True):
        try:
            list(play_chunks([batch], game, game + 1, lambda chunks: None, threads=1))
        except GameError:
            return one
    return group.plays[0]


__all__ = ["Compared", "compare", "compare_session", "default_second", "is_study"]
