"""Asking one question without keeping the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.question import Answer, Setting
from analysis.questions import load_question
from assay.api import DEFAULT_GAMES, SEED, set_table
from assay.plays import Plays
from assay.progress import Progress
from sim.batch import GameError, whole_blocks
from sim.batch import play as play_chunks


def ask(
    game: str,
    question: str,
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
) -> Answer:
    """Answer one question: its frames, and its findings in plain sentences.

    games: how many each lineup and each rule that is compared gets. The other arguments are
    those of `assay.play`. Raises UserError for a mistake in any of them.
    """
    table = set_table(game, players=players, seats=seats, rules=rules, patches=patches)
    asked = load_question(question, game, table.players, table.content.model)
    setting = Setting(table.game, table.content, table.specs, rotate, games, seed, level)
    setting = replace(setting, games=whole_blocks(games, setting.rotations))
    plays = Plays(setting, dict(table.patches), table.options)
    sums: dict[str, Any] = {}
    for group in asked.groups(setting):
        batches = [plays.batch(play)[0] for play in group.plays]
        total = whole_blocks(max(1, round(setting.games * group.share)), setting.rotations)
        done = 0
        try:
            for count, part in play_chunks(batches, 0, total, group.reduce, threads=threads):
                sums[group.name] = part if done == 0 else sums[group.name] + part
                done += count
                if progress is not None:
                    progress(f"{asked.title}: {group.name}", done, total)
        except GameError as error:
            raise plays.mishap(group.plays[0], error) from error
    return asked.answer(setting, sums)
