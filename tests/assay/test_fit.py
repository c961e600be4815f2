"""Notes on strategies that sit at a table they were not made for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.fit import fit_notes
from sim.game import load_game

STUDY = """[study]
title = "t"
question = "q"
game = "dobbers"
players = 2
questions = ["length"]
[lineup]
seats = ["solo_fast", "runner"]
[stop]
games = 8
"""
SAID = "assay: note: solo_fast is made for 1 player; here it plays at a table of 2\n"
TRIO = "assay: note: variant trio: solo_fast is made for 1 player; here it plays at a table of 3\n"
GATE = """[[check]]
name = "{0}"
metric = "turns"
variant = "{0}"
within = [0, 1000]
"""
LONGER = """[variants.longer.set]
"stall.turn_cap" = 300
"""
MORE = """[variants.trio]
players = 3
seats = ["solo_fast"]
[variants.alone]
players = 1
seats = ["solo_fast"]
"""
SWEEP = """[sweep]
design = "grid"
adaptive = false
[[sweep.factors]]
key = "stall.turn_cap"
values = [240, 300]
"""


def written(folder: Path, text: str, *changes: tuple[str, str]) -> str:
    found = STUDY
    for old, new in changes:
        assert old in found
        found = found.replace(old, new)
    (folder / "study.toml").write_text(found + text, encoding="utf-8")
    return "study.toml"


FITTING = ('["solo_fast", "runner"]', '["runner", "blocker"]')


@pytest.mark.parametrize(
    ("game", "patches", "seats", "said"),
    [
        ("dobbers", {}, ("runner", "solo_fast", "solo_fast:blunder=0.2"), ["1 player;"]),
        ("dobbers", {}, ("solo_fast",), []),
        ("dobbers", {}, ("runner", "my_bot.py:decide"), []),
        ("wizard_miners", {}, ("balanced", "random"), []),
        ("near_and_far", {}, ("balanced", "team_balanced"), ["who win or lose together; by these"]),
        ("near_and_far", {"modules.coop": True}, ("team_balanced", "team_random"), []),
        (
            "near_and_far",
            {"modules.coop": True},
            ("balanced", "balanced"),
            ["who win against each other; by these rules they win or lose together"],
        ),
    ],
)
def test_a_strategy_made_for_another_table_is_noted_once(
    game: str, patches: dict[str, Any], seats: tuple[str, ...], said: list[str]
) -> None:
    chosen = load_game(game)
    notes = fit_notes(chosen, chosen.load(None, patches).model, seats)
    assert len(notes) == len(said)
    for note, part in zip(notes, said, strict=True):
        assert part in note


def test_lineups_of_variants_are_told_with_their_names() -> None:
    game = load_game("dobbers")
    rules = game.load(None, {}).model
    fits, one = "runner", "solo_fast"
    usual = (one, fits)
    of_two = "solo_fast is made for 1 player; here it plays at a table of 2"
    of_three = "solo_fast is made for 1 player; here it plays at a table of 3"

    def told(*usual: str, second: tuple[str, ...] = (), **lineups: tuple[str, ...]) -> list[str]:
        return list(fit_notes(game, rules, usual, lineups, second))

    # once for each misfit, however many variants share it
    assert told(*usual, base=usual, more=usual, own=(fits, one), second=(one, one)) == [of_two]
    # the usual lineup is told plainly where only variants are played, and not where it is not
    assert told(*usual, more=usual) == [of_two]
    assert told(*usual, alone=(one,)) == []
    three = (one, fits, fits)
    assert told(fits, fits, base=(fits, fits), trio=three, third=(one,) * 3, alone=(one,)) == [
        f"variants trio and third: {of_three}"
    ]
    assert told(*usual, base=usual, trio=three) == [of_two, f"variant trio: {of_three}"]
    assert told(fits, fits, base=(fits, fits), second=usual) == [f"second lineup: {of_two}"]


def test_commands_say_on_stderr_that_a_strategy_does_not_fit(assay: Any) -> None:
    said = "note: solo_fast is made for 1 player; here it plays at a table of 2\n"
    words = ["dobbers", "--players", "2", "--games", "4", "--format", "json"]
    for command in (["play", *words], ["ask", words[0], "length", *words[1:]]):
        result = assay(*command, "--seats", "solo_fast,runner")
        assert result.stderr.count(said) == 1
        json.loads(result.stdout)
        assert "made for" not in result.stdout
        assert "made for" not in assay(*command, "--seats", "runner").stderr
    written(assay.folder, "")
    result = assay("run", "study.toml", "--small")
    assert result.stderr.count("made for") == result.stderr.count(SAID) == 1
    assert "made for" not in result.stdout


def noted(result: Any, *notes: str) -> None:
    """Check that these notes are on stderr, each once, and no other; stdout is JSON alone."""
    json.loads(result.stdout)
    assert "made for" not in result.stdout
    assert result.stderr.count("made for") == len(notes), result.stderr
    for note in notes:
        assert result.stderr.count(note) == 1, result.stderr


QUIET = ("--format", "json", "--no-progress")


def test_compare_says_it_once_for_all_variants(assay: Any) -> None:
    again = LONGER.replace("longer", "longest").replace("300", "280")
    path = written(assay.folder, LONGER + again)
    noted(assay("compare", path, *QUIET), SAID)
    table = assay("compare", path)
    assert table.stderr.count(SAID) == 1
    words = ["compare", "dobbers", "--games", "4", "--set", "stall.turn_cap=300", *QUIET]
    noted(assay(*words, "--seats", "solo_fast,runner"), SAID)
    noted(assay(*words, "--seats", "runner,blocker"))
    second = ("--second-lineup", "solo_fast,runner")
    of_second = SAID.replace("note: ", "note: second lineup: ")
    noted(assay(*words, "--seats", "runner,blocker", *second), of_second)
    lineup = '[variants.other]\nseats = ["solo_fast", "blocker"]\n'
    own = SAID.replace("note: ", "note: variant other: ")
    noted(assay("compare", written(assay.folder, lineup, FITTING), "--out", "own", *QUIET), own)


def test_run_says_it_of_variants_too(assay: Any) -> None:
    lineup = '[variants.other]\nseats = ["solo_fast", "blocker"]\n'
    result = assay("run", written(assay.folder, lineup, FITTING), "--small")
    assert "made for" not in result.stdout
    own = SAID.replace("note: ", "note: variant other: ")
    assert result.stderr.count("made for") == result.stderr.count(own) == 1


def test_check_says_it_once_for_all_gates_and_names_variants(assay: Any) -> None:
    gates = "".join(GATE.format(name) for name in ("base", "longer", "trio", "alone"))
    path = written(assay.folder, LONGER + MORE + gates)
    noted(assay("check", path, "--no-repeat", *QUIET, code=3), SAID, TRIO)
    # only what gates read sits at a table
    path = written(assay.folder, LONGER + MORE + GATE.format("alone"))
    noted(assay("check", path, "--no-repeat", "--out", "alone", *QUIET, code=3))
    second = '[compare]\nsecond_lineup = ["solo_fast"]\n'
    path = written(assay.folder, second + GATE.format("base"), FITTING)
    of_second = SAID.replace("note: ", "note: second lineup: ")
    noted(assay("check", path, "--out", "second", *QUIET, code=3), of_second)
    noted(assay("check", path, "--out", "once", "--no-repeat", *QUIET, code=3))


def test_plan_says_it_once_and_names_variants(assay: Any) -> None:
    gates = "".join(GATE.format(name) for name in ("base", "longer", "trio", "alone"))
    path = written(assay.folder, LONGER + MORE + gates)
    noted(assay("plan", path, *QUIET), SAID, TRIO)
    margin = "[compare]\nmargin = 0.1\n"
    lineup = '[variants.other]\nseats = ["solo_fast", "blocker"]\n'
    path = written(assay.folder, margin + lineup, FITTING)
    own = SAID.replace("note: ", "note: variant other: ")
    noted(assay("plan", path, "--out", "own", *QUIET), own)


def test_sweep_says_it_once_for_all_cells(assay: Any) -> None:
    path = written(assay.folder, SWEEP)
    noted(assay("sweep", path, "--small", *QUIET), SAID)
    path = written(assay.folder, SWEEP, FITTING)
    noted(assay("sweep", path, "--small", "--out", "fitting", *QUIET))


def test_robust_says_it_once_for_all_draws(assay: Any) -> None:
    words = ("--draws", "2", "--games", "32", *QUIET)
    path = written(assay.folder, LONGER + GATE.format("base") + GATE.format("longer"))
    noted(assay("robust", path, *words), SAID)
    lineup = '[variants.other]\nseats = ["solo_fast", "blocker"]\n'
    path = written(assay.folder, lineup, FITTING)
    own = SAID.replace("note: ", "note: variant other: ")
    noted(assay("robust", path, "--out", "own", *words), own)
