"""Players who win or lose together: what is printed, what is refused, the gates that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from analysis.question import Setting
from analysis.sequential import Verdict
from analysis.strategies import strategies_of
from assay.api import set_table
from assay.check import check
from assay.runner import open_session
from assay.study import load_study
from sim.errors import UserError
from sim.game import load_game

GATES = Path(__file__).parents[2] / "studies" / "checks" / "coop_difficulty.toml"
TEAM = {"modules.coop": True}


def test_a_team_is_told_its_own_figures_first() -> None:
    options = {"players": 2, "seats": "balanced", "games": 16}
    team = assay.play("near_and_far", patches=TEAM, **options)
    names = list(dict.fromkeys(team.frame["metric"]))
    assert names[:3] == ["team_win_rate", "team_points", "team_margin"]
    assert not {"win_rate", "margin", "lead_changes"} & set(names)
    rivals = set(assay.play("near_and_far", **options).frame["metric"])
    assert "win_rate" in rivals
    assert not {"team_win_rate", "team_margin", "bosses_left"} & rivals


def test_a_team_is_played_by_a_team_unless_asked() -> None:
    own = set_table("near_and_far", players=3, patches=TEAM)
    assert own.specs == ("team_balanced",) * 3
    assert set_table("near_and_far", patches=TEAM, seats="balanced").specs == ("balanced",) * 4
    assert set_table("near_and_far", players=2).specs == ("balanced",) * 2


def test_teams_are_asked_about_what_teams_leave() -> None:
    for patches, other in ((TEAM, "miner"), ({}, "team_roles")):
        table = set_table("near_and_far", players=2, patches=patches)
        setting = Setting(table.game, table.content, table.specs, False, 4, 1, 0.95)
        names = strategies_of(setting)
        assert len(names) > 3
        assert other not in names


def test_questions_of_the_other_kind_are_refused() -> None:
    options = {"players": 2, "seats": "balanced", "games": 4}
    with pytest.raises(UserError, match="'seats' is about players who win against each other"):
        assay.ask("near_and_far", "seats", patches=TEAM, **options)
    with pytest.raises(UserError, match=r"set modules\.coop = true"):
        assay.ask("near_and_far", "coop_dial", **options)


STUDY = """
[study]
title = "t"
question = "q"
game = "near_and_far"
players = 2
[lineup]
seats = ["balanced"]
[stop]
games = 100
"""


def test_a_team_is_judged_by_its_own_win_rate(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    options = {"rules": None, "set": {}, "games": None, "small": False, "seed": None}
    for more, headline in (
        ("", "win_rate"),
        ('[base.set]\n"modules.coop" = true', "team_win_rate"),
    ):
        path.write_text(STUDY + more, "utf-8")
        session = open_session(
            load_study(path), tmp_path / "out", options, threads=1, progress=None, claimed=False
        )
        assert session.study.stop.headline == [headline]


def test_rivals_are_not_compared_with_a_team(tmp_path: Path) -> None:
    options = {"players": 2, "games": 4}
    with pytest.raises(UserError, match="with these rules the players win or lose together, in"):
        assay.compare("near_and_far", variants={"team": TEAM}, **options)
    path = tmp_path / "two.toml"
    path.write_text(STUDY + '[variants.team.set]\n"modules.coop" = true\n', "utf-8")
    wishes = {"rules": None, "set": {}, "games": None, "small": False, "seed": None}
    study = load_study(path)
    with pytest.raises(UserError, match=r"two\.toml:1\d: variants\.team\.set: with these rules"):
        open_session(study, tmp_path / "out", wishes, threads=1, progress=None)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_gates_of_difficulty_hold_and_one_changed_number_breaks_them(tmp_path: Path) -> None:
    """The space where four players under the moon end their games, worth 60 instead of 68."""
    found = check(GATES, out=tmp_path / "as_it_is", games=4096, repeats=False)
    assert {row["verdict"] for row in found.rows} == {Verdict.PASS}
    assert found.exit_code == 0
    rules = tmp_path / "rules"
    rules.mkdir()
    for file in load_game("near_and_far").load().folder.glob("*.*"):
        if file.suffix in (".toml", ".csv"):
            (rules / file.name).write_bytes(file.read_bytes())
    track = rules / "time_track.csv"
    text = track.read_text("utf-8")
    assert text.count("hour_38,68,59,77,") == 1
    track.write_text(text.replace("hour_38,68,59,77,", "hour_38,60,59,77,"), "utf-8")
    broken = check(GATES, out=tmp_path / "edited", rules=rules, games=2048, repeats=False)
    verdicts = {row["gate"]: row["verdict"] for row in broken.rows}
    assert verdicts["under the moon four lose most games"] == Verdict.FAIL
    assert verdicts["under the sun two win most games"] == Verdict.PASS
    assert broken.exit_code == 1
