"""The report of a sweep, and the frames beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis.sweep_answer import BASE, Sweep
from assay.compose import METHODS, assumptions_of, reproduce
from assay.output import rows_of
from assay.runner import Session
from reports.answers.sweep import section
from reports.build import csv, write
from reports.document import Figure, Report, Section, Text
from sim.store import write_file
from sim.wording import counted

SWEEPS = Section(
    "Sweeps",
    [
        Text(
            "Every cell of a sweep is played on the same deals as the base, so that cells differ "
            "by their rules and not by their luck; for the same reason they err together. Where "
            "cells have targets, games go where it is still open whether a cell meets them: a cell "
            "is judged at looks fixed beforehand by confidence sequences, which hold at every "
            "look. The probability that all targets are met is that of the joint normal of the "
            "cell's block means. The cell that is picked is played again, with its rivals, on "
            "fresh deals."
        ),
        Text(
            "Effects are contrasts of the cells' figures with the covariance that the shared deals "
            "give them. Sobol and Morris designs have deals of their own in each row; what the "
            "games' noise adds to an index is known from the blocks and subtracted, and a dummy "
            "factor that changes only the deals shows what is left of it."
        ),
    ],
)


def write_sweep(
    session: Session, sweep: Sweep, folder: Path, command: str, stopped: str
) -> list[Path]:
    """Write report, figures, tables, results.json, and every frame in full as CSV."""
    setting, study = session.setting, session.study
    who = session.plays.lineup(setting.seats)
    whole = section(setting, sweep)
    headline = [block for block in whole.blocks if isinstance(block, Figure)][:2]
    rest = Section(whole.title, [block for block in whole.blocks if block not in headline])
    players = f"{setting.game.title} for {counted(setting.players, 'player')}"
    rotation = "every deal in all rotations of the seats" if setting.rotate else "seats as listed"
    report = Report(
        title=study.head.title,
        question=study.head.question,
        answer=list(sweep.sentences[:4]) or ["The cells are in the tables."],
        headline=headline,
        sections=[rest],
        methods=[Text(f"{players}, {rotation}; {stopped}."), SWEEPS, *METHODS],
        assumptions=assumptions_of(setting),
        reproduce=reproduce(setting, who, command, study.digest),
    )
    results: dict[str, Any] = {
        "game": setting.game.name,
        "players": setting.players,
        "seats": list(who.labels),
        "games": setting.games,
        "seed": setting.seed,
        "rules": dict(setting.rules.patches),
        "metrics": [],
        "extra": {
            "design": sweep.kind,
            "stopped": stopped,
            "sentences": list(sweep.sentences),
            "frames": {name: rows_of(frame) for name, frame in sweep.frames.items()},
        },
    }
    if "cells" in sweep.frames:
        cells = sweep.frames["cells"]
        results["metrics"] = rows_of(cells[cells["cell"] == BASE])
    files = write(report, folder, results=results)
    for name, frame in sweep.frames.items():
        path = folder / f"{name}.csv"
        write_file(path, csv(frame).encode())
        files.append(path)
    return files
