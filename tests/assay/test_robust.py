"""`assay robust` from the file to the folder: conclusions, resuming, mistakes, the command line."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.robustness import PARTS
from assay.robust import conclusions_of, parts_of, robust
from assay.study import load_study
from sim.errors import UserError
from sim.game import load_game
from sim.tomlfile import ProblemsError

MODULE = importlib.import_module("assay.robust")  # the package has a function of that name
MINERS = load_game("wizard_miners")
STUDY = """\
[study]
title = "How long is it?"
question = "How long does a game take?"
game = "wizard_miners"
players = 4
seed = 5
[lineup]
seats = ["drill_first"]
[variants.cheap.set]
"tools.drill.cost" = [3, 5, 7]
[compare]
metrics = ["rolls"]
[stop]
games = 600
[robust]
factors = ["cave_in_faces", "drill_prices", "tool_numbers"]
draws = 24
games = 160
[[check]]
name = "a game lasts 20 to 60 rolls"
metric = "rolls"
within = [20, 60]
[[check]]
name = "the seats are close"
metric = "win_rate"
statistic = "spread"
within = [0.0, 0.5]
[[check]]
name = "a cheap drill does little"
variant = "cheap"
metric = "rolls"
max_change = 10
"""
WRITTEN = ("report.pdf", "results.json", "summary.md", "tables/robust_conclusions.csv")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "length.toml"
    path.write_text(STUDY, "utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in WRITTEN}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the report, which takes longer than all the games, where nobody looks at it."""
    monkeypatch.setattr(MODULE, "_write", lambda *_: [])


class StopError(Exception):
    """What interrupts a run in these tests."""


def test_a_study_is_judged_in_draws(study: Path, tmp_path: Path) -> None:
    found = robust(study, out=tmp_path / "out", threads=2)
    table = found.conclusions.set_index("conclusion")
    assert table.index.tolist() == [
        "a game lasts 20 to 60 rolls",
        "the seats are close",
        "a cheap drill does little",
        "cheap: rolls",
    ]
    assert (table["draws"] == 24).all()
    assert (table["n"] == 600).all()  # the base has the games of the study
    assert found.games == 160
    for name in ("holds", "undecided", "reversed"):
        assert (table[f"{name}_low"] <= table[name]).all()
        assert (table[name] <= table[f"{name}_high"]).all()
    assert ((table["at_least"] <= table["holds"]) & (table["holds"] <= table["at_most"])).all()
    assert table["holds"]["the seats are close"] == 1
    # more CAVE-IN faces make games longer: known beforehand, and found
    assert "cave_in_faces" in table["decided_by"]["a game lasts 20 to 60 rolls"]
    own = found.answer.frames["deciding"]
    own = own[own["conclusion"] == "a game lasts 20 to 60 rolls"].set_index("factor")
    assert own["low"]["cave_in_faces"] > 0
    draws = found.answer.frames["draws"]
    assert set(draws["tool_numbers"]) == {"weak", "default", "strong"}
    results = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [one["name"] for one in results["verdicts"]] == table.index.tolist()
    assert set(results["extra"]["answers"]["robust"]["frames"]) >= {"conclusions", "deciding"}
    assert found.files[0].name == "report.pdf"
    assert all(path.is_file() for path in found.files)


def test_an_interrupted_run_resumes_to_the_same_bytes(study: Path, tmp_path: Path) -> None:
    """Two halves on two threads, against one run on one thread."""
    robust(study, out=tmp_path / "whole", threads=1)
    seen = 0

    def stop(label: str, done: int, total: int) -> None:
        nonlocal seen
        if "draws" in label:
            seen = done
            if done > total // 2:
                raise StopError

    with pytest.raises(StopError):
        robust(study, out=tmp_path / "halves", threads=2, progress=stop)
    assert seen
    kept = list((tmp_path / "halves" / "draws").rglob("*.json"))
    assert 0 < len(kept) < 24
    before = {path: path.stat().st_mtime_ns for path in kept}
    done: list[int] = []
    again = robust(
        study,
        out=tmp_path / "halves",
        threads=2,
        progress=lambda label, n, _: done.append(n) if "draws" in label else None,
    )
    assert min(done) > len(kept) * again.games  # what was played is not played again
    assert {path: path.stat().st_mtime_ns for path in kept} == before
    assert contents(tmp_path / "whole") == contents(tmp_path / "halves")


@pytest.mark.usefixtures("undrawn")
def test_other_draws_are_kept_apart(study: Path, tmp_path: Path) -> None:
    """Another number of games, another seed: none of the old draws are mixed in."""
    for games, seed in ((80, 5), (160, 5), (80, 6)):
        robust(study, out=tmp_path / "out", draws=4, games=games, seed=seed)
    assert len(list((tmp_path / "out" / "draws").iterdir())) == 3


@pytest.mark.usefixtures("undrawn")
def test_a_draw_that_cannot_be_read_is_an_error(study: Path, tmp_path: Path) -> None:
    robust(study, out=tmp_path / "out", draws=4)
    one = next((tmp_path / "out" / "draws").rglob("0003.json"))
    one.write_text("{", "utf-8")
    with pytest.raises(UserError, match=r"0003.json: cannot be read"):
        robust(study, out=tmp_path / "out", draws=4)


@pytest.mark.usefixtures("undrawn")
def test_a_variant_keeps_what_it_sets(study: Path, tmp_path: Path, monkeypatch) -> None:
    """Prices of the drill move in the base only; the factors that both share move in both."""
    tables = []
    original = MODULE._Table.__init__

    def remember(self, *args) -> None:
        original(self, *args)
        tables.append(self)

    monkeypatch.setattr(MODULE._Table, "__init__", remember)
    robust(study, out=tmp_path / "out", draws=4)
    (table,) = tables
    low = [0.0] * 3
    base, cheap = (
        table._content(name, table.factors[name].patches(low)).model for name in ("base", "cheap")
    )
    assert base.tools.drill.cost == (4, 5, 6)
    assert cheap.tools.drill.cost == (3, 5, 7)
    assert base.cave_in.die_faces == cheap.cave_in.die_faces == 1
    assert base.switches.tool_table == cheap.switches.tool_table == "weak"
    assert base.tools.drill.numbers == cheap.tools.drill.numbers


@pytest.mark.usefixtures("undrawn")
def test_a_variant_may_break_what_it_breaks_itself(study: Path, tmp_path: Path) -> None:
    """The cheap drill's price is not the printed one, in all draws; that rejects none of them."""
    found = robust(study, out=tmp_path / "out", draws=8)
    assert found.draws.rejected == 0


@pytest.mark.usefixtures("undrawn")
def test_draws_that_break_a_constraint_are_drawn_again(
    study: Path, tmp_path: Path, monkeypatch
) -> None:
    def constraints(rules) -> list[str]:
        return ["too many faces"] if rules.cave_in.die_faces > 2 else []

    strict = replace(MINERS, constraints=constraints)
    monkeypatch.setattr(MODULE, "load_game", lambda _: strict)
    monkeypatch.setattr("assay.runner.load_game", lambda _: strict)
    found = robust(study, out=tmp_path / "out")
    assert len(found.draws.points) == 24
    assert found.draws.rejected == found.draws.broken["too many faces"] > 0
    place = [factor.name for factor in found.factors].index("cave_in_faces")
    assert found.draws.points[:, place].max() < 0.75  # where 3 faces begin


SMALL_DIE = '[base.set]\n"cave_in.die_sides" = 2\n'  # 3 faces, as some draws have, do not fit
UNFIT = "cave_in.die_sides = 2 (3 CAVE-IN faces on a die with 2 sides)"


def test_draws_that_do_not_go_with_what_the_study_sets_are_told(
    study: Path, tmp_path: Path
) -> None:
    study.write_text(STUDY + SMALL_DIE, "utf-8")
    found = robust(study, out=tmp_path / "out", draws=12, games=80)
    left_out = found.draws.narrowed[UNFIT]
    assert found.draws.rejected == left_out > 0
    assert not found.draws.broken  # the rulebook says nothing against them
    place = [factor.name for factor in found.factors].index("cave_in_faces")
    assert found.draws.points[:, place].max() < 0.75
    told = f"{UNFIT} in {left_out} of {found.draws.tried} draws."
    assert found.answer.sentences[0].endswith(f"what the study sets are left out: {told}")
    summary = (tmp_path / "out" / "summary.md").read_text("utf-8")
    assert "what the study sets are left out" in summary


def test_a_variant_can_leave_no_room_either(study: Path, tmp_path: Path) -> None:
    text = STUDY.replace("[compare]", '[variants.die.set]\n"cave_in.die_sides" = 2\n[compare]')
    study.write_text(text, "utf-8")
    found = robust(study, out=tmp_path / "out", draws=6, games=80)
    assert list(found.draws.narrowed) == [UNFIT.replace("2 (", "2 of die (")]


@pytest.mark.parametrize("rotations", [1, 3, 4])
@pytest.mark.parametrize("games", [1, 7, 160, 2000, 50_000])
def test_parts_are_equal_and_of_whole_blocks(games: int, rotations: int) -> None:
    part, chunk = parts_of(games, rotations, 4096)
    assert part * PARTS >= games
    assert part % chunk == 0
    assert chunk % rotations == 0
    assert chunk <= 4096 + rotations
    assert part * PARTS < games + PARTS * rotations * (part // chunk)


# ----------------------------------------------------------------------------------------- mistakes


def nothing(text: str) -> str:
    """The study without its gates and variants."""
    return text[: text.index("[[check]]")].replace(
        '[variants.cheap.set]\n"tools.drill.cost" = [3, 5, 7]\n', ""
    )


def test_a_study_that_concludes_nothing(study: Path, tmp_path: Path) -> None:
    study.write_text(nothing(STUDY), "utf-8")
    with pytest.raises(ProblemsError, match=r"length.toml:1: study: concludes nothing"):
        robust(study, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_gates_against_another_version_are_left_out(study: Path) -> None:
    text = STUDY + '[[check]]\nname = "as before"\nmetric = "rolls"\nmax_change = 1\n'
    study.write_text(text, "utf-8")
    found, skipped = conclusions_of(load_study(study), MINERS)
    assert "as before" not in [one.name for one in found]
    assert skipped == ("as before: measured against another version of the project",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"cave_in_faces"',
            '"cave_in_face"',
            ":16: robust.factors.0: unknown factor 'cave_in_face'",
        ),
        ('metric = "rolls"\nwithin', 'metric = "rols"\nwithin', ":19: check.0: unknown metric"),
        ("[0.0, 0.5]", "[0.0, 0.5]\nwhere = { seat = 1 }", ":23: check.1: a spread is over all"),
        ('metrics = ["rolls"]', 'metrics = ["rols"]', ":12: compare.metrics: unknown metric"),
        ('"drill_first"', '"dril_first"', ":8: lineup.seats: "),
        ('"wizard_miners"', '"wizard_minors"', ":4: study.game: unknown game"),
        ("draws = 24", "draws = 1", ":17: robust.draws: must be 2 or more"),
    ],
)
def test_mistakes_in_a_study(study: Path, tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in STUDY
    study.write_text(STUDY.replace(old, new), "utf-8")
    with pytest.raises(ProblemsError) as caught:
        robust(study, out=tmp_path / "out")
    assert said in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_study_that_fixes_all_that_its_factors_move(study: Path, tmp_path: Path) -> None:
    text = STUDY.replace('"cave_in_faces", "drill_prices", "tool_numbers"', '"cave_in_faces"')
    study.write_text(text + '[base.set]\n"cave_in.die_faces" = 2\n', "utf-8")
    with pytest.raises(UserError, match="fixes all numbers that its factors could move"):
        robust(study, out=tmp_path / "out")


# ------------------------------------------------------------------------------------- command line


def test_the_command(assay, study: Path) -> None:
    said = assay("robust", str(study), "--draws", "6", "--games", "80").stdout
    assert "a game lasts 20 to 60 rolls" in said
    assert "true for" in said
    assert "results/length_robust/report.pdf" in said.replace("\\", "/")
    assert (assay.folder / "results" / "length_robust" / "report.pdf").is_file()
    again = assay("robust", str(study), "--draws", "6", "--games", "80", "--format", "json").stdout
    document = json.loads(again)
    assert document["draws"] == 6
    assert document["games_per_draw"] == 80
    assert len(document["figures"]) == 6 * 4
    assert {"conclusion", "holds", "holds_low", "at_least"} <= set(document["conclusions"][0])


def test_the_command_says_what_is_left_out(assay, study: Path) -> None:
    study.write_text(STUDY + SMALL_DIE, "utf-8")
    done = assay("robust", str(study), "--draws", "8", "--games", "80", "--format", "json")
    document = json.loads(done.stdout)
    left_out = document["narrowed"][UNFIT]
    assert document["rejected"] == left_out
    note = f"{left_out} of {8 + left_out} draws did not go with {UNFIT} and were drawn again"
    assert f"assay: note: {study}: {note}" in done.stderr


def test_the_command_on_a_study_without_conclusions(assay, study: Path) -> None:
    study.write_text(nothing(STUDY), "utf-8")
    assert "concludes nothing" in assay.refuse("robust", str(study))


def test_the_command_takes_sensible_numbers_only(assay, study: Path) -> None:
    assert "--draws" in assay.refuse("robust", str(study), "--draws", "1")
    assert "10,000 draws are the most" in assay.refuse("robust", str(study), "--draws", "10001")
    assert "games of a draw" in assay.refuse("robust", str(study), "--games", "0")


def test_the_study_that_ships(tmp_path: Path) -> None:
    path = Path(str(MODULE.__file__)).parent.parent / "studies" / "robust_balance.toml"
    found, skipped = conclusions_of(load_study(path), MINERS)
    assert 3 <= len(found) <= 6
    assert not skipped
