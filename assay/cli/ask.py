"""`assay ask`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from assay.cli.options import (
    As,
    GameName,
    Players,
    Progress,
    Rotate,
    Rules,
    Seats,
    Seed,
    Set,
    Threads,
    note_fit,
    patches_of,
)
from assay.output import Format


def ask(
    game: GameName,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="seats, length, strategies, snowball; where cards are bought card_value, "
            "dead_cards; of Wizard Miners cave_in_risk; of Dobbers heroes, alignments, "
            "challenges, optional_rules, and solo_bands for one player; of Near and Far "
            "expert_dice, mine_risk, score_sources, quests, pursuits, duels, end_trigger, "
            "going_first, modules, and of its teams (--set modules.coop=true) coop_wins, "
            "coop_losses, coop_dial, coop_worth, coop_tension.",
        ),
    ],
    players: Players = None,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option(metavar="N", help="Games of each lineup and each rule compared.")
    ] = 10_000,
    seed: Seed = 20260101,
    threads: Threads = None,
    rotate: Rotate = False,
    set_: Set = None,
    rules: Rules = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Ask one question: the finding in sentences, and its tables.

    Nothing is kept; `assay run` asks the questions of a study, keeps the games and writes the
    report.

    \b
    Examples:
      assay ask wizard_miners length --games 100000
      assay ask wizard_miners snowball --seats builder,cleaner,saboteur,balanced --rotate
      assay ask dobbers solo_bands --players 1 --seats solo_fast
      assay ask near_and_far coop_dial --players 3 --seats team_balanced --set modules.coop=true
    """
    from assay.api import rotation_note, set_table
    from assay.ask import ask as answer_to
    from assay.fit import fit_notes
    from assay.output import render, rows_of
    from assay.progress import showing

    with showing(progress) as show:
        answer = answer_to(
            game,
            question,
            players=players,
            seats=seats,
            games=games,
            seed=seed,
            threads=threads,
            rotate=rotate,
            rules=rules,
            patches=patches_of(set_),
            progress=show,
        )
    table = set_table(game, players=players, seats=seats, rules=rules, patches=patches_of(set_))
    note = rotation_note(table.specs, rotate)
    if note:
        print(f"assay: note: {note}", file=sys.stderr)
    note_fit(fit_notes(table.game, table.content.model, table.specs))
    frames = {name: rows_of(frame) for name, frame in answer.frames.items()}
    if form is Format.JSON:
        document = {
            "game": game,
            "question": question,
            "seed": seed,
            "sentences": list(answer.sentences),
            "frames": frames,
        }
        print(render([], form, document=document))
        return
    words = sys.stdout if form is not Format.CSV else sys.stderr
    for sentence in answer.sentences:
        print(sentence, file=words)
    for name, rows in frames.items():
        print(f"\n# {name}" if form is Format.CSV else f"\n{name}")
        print(render(rows, form))
