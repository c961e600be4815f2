"""The report of a study, put together from its answers."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.moments import Moments
from analysis.question import Answer, Question, Setting
from assay.output import rows_of
from reports.answers import section_of
from reports.document import Assumption, Figure, Report, Reproduce, Section, Text
from sim.content import Entry
from sim.kernel import rules_hash
from sim.tomlfile import show
from sim.wording import counted
from strategies.resolve import Lineup

PACKAGES = (
    "tabletop-assay",
    "numpy",
    "numba",
    "llvmlite",
    "pandas",
    "scipy",
    "matplotlib",
    "typst",
)

METHODS = (
    Section(
        "Luck",
        [
            Text(
                "Every die and every card is drawn by a counter-based generator (Squares64) from "
                "an address: the deal, the purpose, the turn. A rule or a strategy that changes "
                "shifts nobody's luck, so two rules are compared on the same deals and most of "
                "the chance cancels out. The same seed gives the same games on any machine."
            )
        ],
    ),
    Section(
        "Intervals",
        [
            Text(
                "Each estimate stands with an interval, the number n of independent observations "
                "and the method. The observation is the block: one deal, played once in every "
                "rotation of the seats where seats rotate. Shares have Wilson's interval, and an "
                "exact one where events are few; means and differences have Student's interval "
                "over blocks, and one that holds where few blocks differ; ratios are "
                "linearised; quantiles have order-statistic intervals. Where several intervals "
                "are read together they are widened (Bonferroni), and the table says so."
            ),
            Text(
                "A study that stops early looks at a confidence sequence, which is valid at every "
                "look; an ordinary interval would not be."
            ),
        ],
    ),
    Section(
        "What something is worth",
        [
            Text(
                "A switch that is thrown for everybody leaves every win rate of a symmetric table "
                "where it was. So what something is worth is measured by an intervention on one "
                "seat while the others stay as they are, on the same deals, averaged over the "
                "seats."
            )
        ],
    ),
    Section(
        "Limits",
        [
            Text(
                "Strategies are scripts. They play competently and they do not rethink when a rule "
                "changes, so every figure is about play as scripted. Numbers that nobody published "
                "are listed under the assumptions, with the range that is plausible."
            )
        ],
    ),
)


@dataclass(frozen=True)
class Part:
    """What a study's report holds besides its questions: the comparison of its variants.

    sentences: for the first page. results: what results.json says more.
    """

    section: Section
    sentences: Sequence[str]
    methods: Sequence[Section] = ()
    results: Mapping[str, Any] = field(default_factory=dict)


MANY = 200  # assumptions, from which on long lists are told column by column
LONG = 5  # rows of a list that is told so
MOST_SENTENCES = 6  # of a part, on the first page


def compose(
    title: str,
    question: str,
    setting: Setting,
    questions: Sequence[Question],
    answers: Mapping[str, Answer],
    *,
    lineup: Lineup,
    command: str,
    stopped: str,
    study_hash: str,
    parts: Sequence[Part] = (),
) -> Report:
    """Return the report; the first section's two figures and every section's main words lead."""
    sections = [section_of(asked.name)(setting, answers[asked.name]) for asked in questions]
    sections += [part.section for part in parts]
    headline: list[Figure] = []
    for place, section in enumerate(sections):
        if not headline:
            sections[place], headline = _take_figures(section, 2)
    answer: list[str] = []
    for asked in questions:
        answer += answers[asked.name].sentences[: 1 if answer else 2]
    for part in parts:
        answer += part.sentences[:MOST_SENTENCES]
    return assemble(
        title,
        question,
        setting,
        answer=answer,
        headline=headline,
        sections=sections,
        methods=[
            Text(_played(setting, stopped)),
            *METHODS[:-1],
            *(section for part in parts for section in part.methods),
            METHODS[-1],
        ],
        lineup=lineup,
        command=command,
        study_hash=study_hash,
    )


def assemble(
    title: str,
    question: str,
    setting: Setting,
    *,
    answer: Sequence[str],
    headline: Sequence[Figure],
    sections: Sequence[Section],
    methods: Sequence[Section | Text],
    lineup: Lineup,
    command: str,
    study_hash: str,
) -> Report:
    """Return a report of these parts, with the assumptions and what it takes to get it again."""
    return Report(
        title=title,
        question=question,
        answer=answer,
        headline=headline,
        sections=sections,
        methods=methods,
        assumptions=assumptions_of(setting),
        reproduce=reproduce(setting, lineup, command, study_hash),
    )


def assumptions_of(setting: Setting) -> list[Assumption]:
    """Return the numbers of the base's rules that no rulebook gives.

    Where there are MANY, the columns of long lists are told in a line each.
    """
    entries = [entry for entry in setting.rules.entries if entry.source != "rulebook"]
    if len(entries) < MANY:
        return [_assumption(entry) for entry in entries]
    columns: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        parts = entry.key.split(".")
        whole = entry.source == "patched" or len(parts) != 3
        columns.setdefault((entry.key,) if whole else (parts[0], parts[2]), []).append(entry)
    found: list[Assumption] = []
    for column in columns.values():
        if len(column) < LONG:
            found += map(_assumption, column)
        else:
            found.append(_column(column, setting.game.name))
    return found


def reproduce(setting: Setting, lineup: Lineup, command: str, study_hash: str) -> Reproduce:
    """Return what somebody needs to get a report again."""
    return Reproduce(
        command=command,
        seed=setting.seed,
        versions={
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in PACKAGES},
        },
        hashes={
            "study": study_hash,
            "rules code": rules_hash(setting.game),
            "rules content": setting.rules.hash,
            **{
                f"strategy {strategy.label}": strategy.source_hash for strategy in lineup.strategies
            },
        },
        extra={"lineup": ", ".join(lineup.labels)},
    )


def results_of(
    setting: Setting,
    base: Moments,
    answers: Mapping[str, Answer],
    lineup: Lineup,
    stopped: str,
    parts: Sequence[Part] = (),
) -> dict[str, Any]:
    """Return what results.json says beside the report's words."""
    more: dict[str, Any] = {}
    for part in parts:
        more |= part.results
    return {
        **more,
        "game": setting.game.name,
        "players": setting.players,
        "seats": list(lineup.labels),
        "games": base.games,
        "seed": setting.seed,
        "rules": dict(setting.rules.patches),
        "metrics": rows_of(base.estimates(setting.level)),
        "extra": {
            "stopped": stopped,
            "rotated": setting.rotate,
            "answers": {
                name: {
                    "sentences": list(answer.sentences),
                    "frames": {key: rows_of(frame) for key, frame in answer.frames.items()},
                }
                for name, answer in answers.items()
            },
        },
    }


def _played(setting: Setting, stopped: str) -> str:
    rotation = (
        f"every deal in all {counted(setting.players, 'rotation')} of the seats"
        if setting.rotate
        else "seats as listed"
    )
    return (
        f"{setting.game.title} for {counted(setting.players, 'player')}, {rotation}; "
        f"{counted(setting.games, 'game')} of each lineup and rule. Stopped after {stopped}."
    )


def _take_figures(section: Section, most: int) -> tuple[Section, list[Figure]]:
    """Return a section without its first figures, and these figures."""
    taken = [block for block in section.blocks if isinstance(block, Figure)][:most]
    rest = [block for block in section.blocks if block not in taken]
    return Section(section.title, rest), taken


def _column(entries: Sequence[Entry], game: str) -> Assumption:
    """Return one column of a list as one assumption: ends of the values and of the ranges."""
    name, _, column = entries[0].key.split(".")
    values = [entry.value for entry in entries]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        shown = f"{min(values):g} to {max(values):g}"
    else:
        shown = f"{len(set(map(show, values)))} different"
    ranges = [entry for entry in entries if entry.low is not None and entry.high is not None]
    span = "by row"
    if ranges:
        low, high = (
            min(entry.low or 0 for entry in ranges),
            max(entry.high or 0 for entry in ranges),
        )
        judged = " (judged)" if any(entry.range == "judged" for entry in ranges) else ""
        span = f"{low:g} to {high:g}, by row{judged}"
    return Assumption(
        key=f"{name}.*.{column}",
        value=f"{shown} ({counted(len(entries), 'row')})",
        range=span,
        evidence=f"row by row: assay rules {game}",
        source=entries[0].source,
    )


def _assumption(entry: Entry) -> Assumption:
    if entry.low is not None and entry.high is not None:
        span = f"{entry.low:g} to {entry.high:g}"
        span += " (judged)" if entry.range == "judged" else ""
    elif entry.options is not None:
        span = "one of " + ", ".join(show(option) for option in entry.options)
    else:
        span = entry.range or entry.allowed
    return Assumption(
        key=entry.key,
        value=show(entry.value),
        range=span,
        evidence=entry.evidence or "",
        source=entry.source,
    )
