"""Changes of rules that change nothing at a table, and rotations that play a game again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.api import rotation_note, set_table
from assay.cli.options import note_rotation
from assay.compare import compare
from assay.runner import open_session
from assay.study import load_study
from assay.sweep import sweep
from sim.content import players_for, switch_for
from sim.dobbers.model import Rules
from sim.errors import UserError
from sim.game import load_game
from sim.near_and_far.model import Rules as NearRules
from sim.wizard_miners.content import Rules as WizardRules

STUDY = """[study]
title = "t"
question = "q"
game = "dobbers"
players = {players}
[lineup]
seats = ["runner"]
[stop]
games = 8
"""
OPTIONS: dict[str, Any] = {"rules": None, "set": {}, "seed": None, "games": None, "small": False}


def study(folder: Path, text: str, players: int = 4) -> Path:
    path = folder / "study.toml"
    path.write_text(STUDY.format(players=players) + text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("players", "key", "value", "said"),
    [
        (4, "switches.two_player_a", True, "true changes nothing for 4 players; it is for 2 play"),
        (3, "two_player.locations", 2, "2 changes nothing for 3 players; it is for 2 players"),
        (4, "solo.removal", "cost", '"cost" changes nothing for 4 players; it is for one player'),
        (2, "solo.bands", [12, 15, 18], "solo.bands.0: 12 changes nothing for 2 players"),
        (1, "switches.duel", True, "true changes nothing alone; it is for 2, 3 or 4 players"),
        (4, "setup.opening_two", [4, 5], "changes nothing for 4 players; it is for 2 players"),
        (4, "add_locations.one.place", 2, "changes nothing for 4 players; it is for one player or"),
    ],
)
def test_a_change_without_effect_is_refused(players: int, key: str, value: Any, said: str) -> None:
    if key.startswith("add_locations"):
        first = next(iter(load_game("dobbers").load(None, {}).model.add_locations))
        key = f"add_locations.{first}.place"
        value = 2
    with pytest.raises(UserError) as caught:
        set_table("dobbers", players=players, seats="runner", patches={key: value})
    assert said in str(caught.value)
    assert key in str(caught.value)


def test_what_matters_or_stands_already_is_let_through() -> None:
    for players, patches in (
        (2, {"switches.two_player_a": True}),
        (4, {"switches.two_player_a": False, "solo.removal": "position"}),
        (1, {"solo.removal": "cost"}),
        (4, {"switches.duel": True}),
    ):
        assert set_table("dobbers", players=players, seats="runner", patches=patches)


def test_keys_that_are_for_some_tables_only_are_keys() -> None:
    known = {entry.key for entry in load_game("dobbers").load(None, {}).entries}
    for key in Rules.ONLY_FOR:
        assert any(one == key or one.startswith(f"{key}.") for one in known), key
    assert players_for(Rules, "solo.bands.0") == (1,)
    assert players_for(Rules, "solo_cards.ambush.count") == (1,)
    assert players_for(Rules, "switches.tan_boxes") == ()
    assert players_for(WizardRules, "dynamite.supply") == ()


@pytest.mark.parametrize(
    ("off", "key", "value"),
    [
        ("modules.coop", "switches.difficulty", "moon"),
        ("modules.coop", "together.start", 40),
        ("modules.minions", "minions.torch_mob.copies", 0),
        ("modules.expert_dice", "expert_die.numbers.0", 4),
    ],
)
def test_numbers_of_what_is_not_in_play_are_refused(off: str, key: str, value: Any) -> None:
    every = ("new_threats", "amber_mines", "magic", "magic_teachers", "amber_treasures")
    patches = {f"modules.{name}": True for name in (*every, "amber_artifacts")} | {key: value}
    on = {"modules.coop": True, off: True}
    with pytest.raises(UserError, match=f"{key}: .* changes nothing without {off} = true"):
        set_table("near_and_far", players=3, seats="miner", patches=patches | {off: False})
    assert set_table("near_and_far", players=3, seats="miner", patches=patches | on)


def test_switches_without_which_others_do_nothing_are_switches() -> None:
    known = {entry.key: entry.value for entry in load_game("near_and_far").load(None, {}).entries}
    for key, switch in NearRules.ONLY_WITH.items():
        assert any(one == key or one.startswith(f"{key}.") for one in known), key
        assert isinstance(known[switch], bool)
    assert switch_for(NearRules, "spells.haste.copies") == "modules.magic"
    assert switch_for(NearRules, "switches.map") is None
    assert switch_for(Rules, "switches.duel") is None


def test_a_study_is_told_file_and_line(tmp_path: Path) -> None:
    path = study(tmp_path, '[base.set]\n"solo.removal" = "cost"\n')
    with pytest.raises(UserError, match=r"study\.toml:11: solo\.removal: .cost. changes nothing"):
        open_session(load_study(path), tmp_path / "out", OPTIONS, threads=1, progress=None)
    path = study(tmp_path, '[variants.both.set]\n"switches.two_player_b" = true\n', 3)
    with pytest.raises(UserError, match=r"study\.toml:11: switches\.two_player_b: true"):
        open_session(load_study(path), tmp_path / "out", OPTIONS, threads=1, progress=None)
    assert not (tmp_path / "out").exists()


def test_comparisons_and_sweeps_refuse_it_too(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="two_player_a: true changes nothing for 4 players"):
        compare("dobbers", seats="runner", games=8, patches={"switches.two_player_a": True})
    text = '[sweep]\n[[sweep.factors]]\nkey = "solo.removal"\nvalues = ["position", "cost"]\n'
    with pytest.raises(UserError, match=r"solo\.removal changes nothing for 4 players"):
        sweep(study(tmp_path, text), out=tmp_path / "swept")


def test_rotating_equal_players_is_noted() -> None:
    note = rotation_note(("runner", "runner "), True)
    assert note.startswith("all 2 seats play runner, so every rotation of a deal is the same game")
    assert rotation_note(("runner", "runner"), False) == ""
    assert rotation_note(("runner", "blocker"), True) == ""
    assert rotation_note(("solo_fast",), True) == ""


def test_a_rotated_study_of_equal_players_is_noted_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = study(tmp_path, "")
    note_rotation(path)
    assert capsys.readouterr().err == ""
    text = path.read_text(encoding="utf-8").replace('["runner"]', '["runner"]\nrotate = true')
    path.write_text(text, encoding="utf-8")
    note_rotation(path)
    said = capsys.readouterr().err
    assert said.startswith(f"assay: note: {path}: lineup.rotate: all 4 seats play runner")
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", ["plan", "check", "robust"])
def test_commands_that_judge_a_study_note_it(assay: Any, command: str) -> None:
    path = study(assay.folder, "")
    text = path.read_text(encoding="utf-8").replace('["runner"]', '["runner"]\nrotate = true')
    path.write_text(text, encoding="utf-8")
    said = assay(command, "study.toml", code=2).stderr  # there is nothing to judge in it
    assert said.count("lineup.rotate: all 4 seats play runner") == 1
