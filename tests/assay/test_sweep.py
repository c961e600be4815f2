"""Sweeps from the study to the folder: frames, resuming, adaptive games, mistakes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import assay as front
from analysis.sweep_answer import UNTOLD
from assay.sweep import Swept, fresh_seed, name_of, sweep, with_weights
from sim.errors import UserError

HEAD = """
[study]
title = "How long is it?"
question = "What makes it long?"
game = "wizard_miners"
players = 4
seed = 5

[lineup]
seats = ["drill_first"]

[stop]
games = 600
"""
GRID = """
[sweep]
metrics = ["win_rate"]

[[sweep.factors]]
key = "cave_in.die_faces"
name = "faces"

[[sweep.factors]]
key = "tools.drill.cost.1"
name = "big drill"
values = [5, 6, 7]

[[sweep.targets]]
name = "length"
metric = "rolls"
within = [34, 40]

[[sweep.targets]]
name = "long"
metric = "rolls"
statistic = "q90"
within = [0, 60]
"""


ONE = """
[sweep]
metrics = ["lead_changes"]

[[sweep.factors]]
key = "cave_in.chart.roll_6"
name = "cards at a six"
values = [6, 7, 8, 9, 10, 11, 12, 13, 14]

[[sweep.targets]]
name = "length"
metric = "rolls"
within = [34, 40]
"""


def write(folder: Path, body: str = GRID, head: str = HEAD) -> Path:
    path = folder / "length_sweep.toml"
    path.write_text(head + body, "utf-8")
    return path


def frames_of(study: Path, out: Path, **options) -> Swept:
    """Play a sweep without drawing its report."""
    return sweep(study, out=out, report=False, **options)


def contents(folder: Path) -> dict[str, bytes]:
    """Everything that a sweep wrote but its timings."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "run.json":
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def test_a_sweep_plays_every_cell_as_assay_play_would(tmp_path: Path) -> None:
    """Second opinion: the same rules, played by themselves on the same seed."""
    result = frames_of(write(tmp_path), tmp_path / "out")
    cells = result.frames["cells"]
    assert len(cells[cells["cell"] > 0]) == 9 * 6
    assert cells["n"].unique().tolist() == [600]
    for faces, cost in ((1, 5), (3, 7)):
        alone = front.play(
            "wizard_miners",
            seats="drill_first",
            games=600,
            seed=5,
            patches={"cave_in.die_faces": faces, "tools.drill.cost.1": cost},
        ).frame
        mine = cells[(cells["faces"] == faces) & (cells["big drill"] == cost)]
        for metric, statistic in (("rolls", "mean"), ("rolls", "q90")):
            own = mine[(mine["metric"] == metric) & (mine["statistic"] == statistic)]
            if statistic == "mean":
                other = alone[(alone["metric"] == metric) & (alone["statistic"] == statistic)]
                assert own["estimate"].iloc[0] == other["estimate"].iloc[0]
        for seat in (1, 4):
            own = mine[(mine["metric"] == "win_rate") & (mine["seat"] == seat)]
            other = alone[(alone["metric"] == "win_rate") & (alone["seat"] == seat)]
            assert np.isclose(own["estimate"].iloc[0], other["estimate"].iloc[0])
            assert np.isclose(own["low"].iloc[0], other["low"].iloc[0], atol=2e-4)
    base = cells[(cells["cell"] == 0) & (cells["statistic"] == "mean")]
    same = cells[(cells["faces"] == 2) & (cells["big drill"] == 6)]
    assert (base["difference"] == 0).all()
    assert same["cell"].nunique() == 2
    assert (same.groupby("metric")["estimate"].nunique() <= 5).all()


def test_differences_to_the_base_are_those_of_the_figures(tmp_path: Path) -> None:
    cells = frames_of(write(tmp_path), tmp_path / "out").frames["cells"]
    rolls = cells[(cells["metric"] == "rolls") & (cells["statistic"] == "mean")]
    base = rolls["estimate"].iloc[0]
    assert np.allclose(rolls["difference"], rolls["estimate"] - base)
    assert (rolls["difference_low"] <= rolls["difference"]).all()
    assert (rolls["difference"] <= rolls["difference_high"]).all()
    quantile = cells[cells["statistic"] == "q90"]
    assert quantile.loc[quantile["cell"] == 1, "difference"].isna().all()


def test_an_interrupted_sweep_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    study = write(tmp_path, ONE)
    sweep(study, out=tmp_path / "whole", threads=1)

    def stop(label: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(study, out=tmp_path / "parts", threads=2, progress=stop)
    there = list((tmp_path / "parts").rglob("*.parquet"))
    assert 0 < len(there) < len(list((tmp_path / "whole").rglob("*.parquet")))
    assert not (tmp_path / "parts" / "sweep").exists()
    sweep(study, out=tmp_path / "parts", threads=2)
    assert contents(tmp_path / "whole") == contents(tmp_path / "parts")
    before = contents(tmp_path / "parts")
    sweep(study, out=tmp_path / "parts")  # once more, nothing to play
    played = json.loads((tmp_path / "parts" / "sweep" / "run.json").read_text())
    assert played["games_played"] == 0
    assert contents(tmp_path / "parts") == before


ADAPTIVE = """
[sweep]
metrics = ["rolls"]

[[sweep.factors]]
key = "cave_in.die_faces"
name = "faces"

[[sweep.targets]]
name = "length"
metric = "rolls"
within = [{}, 70]
"""


def test_games_go_where_the_verdict_is_open(tmp_path: Path) -> None:
    """The range ends near the middle cell's length, 41.4, so that cell alone stays open."""
    head = HEAD.replace("games = 600", "games = 3000")
    wide = frames_of(write(tmp_path, ADAPTIVE.format(0), head), tmp_path / "a")
    assert wide.frames["targets"]["games"].tolist() == [1024] * 4  # all met at the first look
    study = write(tmp_path, ADAPTIVE.format(41.4), head)
    one = frames_of(study, tmp_path / "b", threads=1)
    targets = one.frames["targets"]
    assert targets["verdict"].tolist() == ["UNDECIDED", "FAIL", "UNDECIDED", "PASS"]
    assert targets["games"].tolist() == [3000, 1024, 3000, 1024]
    assert "1,024 to 3,000 games of a cell" in one.stopped
    two = frames_of(study, tmp_path / "c", threads=2)
    assert two.games == one.games
    for name, frame in one.frames.items():
        pd.testing.assert_frame_equal(frame, two.frames[name], check_exact=True)
    assert one.frames["cells"]["method"].unique().tolist() == ["asymptotic confidence sequence"]
    assert one.frames["fit"]["blocks"].tolist() == [1024]  # what all cells have
    study.write_text(study.read_text().replace("[sweep]", "[sweep]\nadaptive = false"))
    even = frames_of(study, tmp_path / "b")
    assert even.frames["targets"]["games"].tolist() == [3000] * 4
    assert even.frames["cells"]["method"].unique().tolist() == ["clustered ratio, Student"]


def test_the_cheapest_cell_and_its_rivals_are_played_on_fresh_deals(tmp_path: Path) -> None:
    result = frames_of(write(tmp_path), tmp_path / "out")
    replay, cells = result.frames["replay"], result.frames["cells"]
    picked = list(result.sweep.replay)
    assert len(picked) == 3
    assert replay["cell"].drop_duplicates().tolist() == [*picked, *([] if 0 in picked else [0])]
    again = front.play(
        "wizard_miners",
        seats="drill_first",
        games=600,
        seed=fresh_seed(5, "replay"),
        patches={
            "cave_in.die_faces": result.sweep.cells[picked[0]][0],
            "tools.drill.cost.1": result.sweep.cells[picked[0]][1],
        },
    ).frame
    wanted = again[(again["metric"] == "rolls") & (again["statistic"] == "mean")]
    found = replay[(replay["rank"] == 1) & (replay["statistic"] == "mean")]
    found = found[found["metric"] == "rolls"]
    assert found["estimate"].iloc[0] == wanted["estimate"].iloc[0]
    first = cells[(cells["cell"] == picked[0]) & (cells["metric"] == "rolls")]
    assert found["estimate"].iloc[0] != first["estimate"].iloc[0]
    assert f"{found['estimate'].iloc[0]:.1f}"[:3] in result.sentences[0]


def test_a_factorial_over_switches(tmp_path: Path) -> None:
    body = """
[sweep]
design = "factorial"
metrics = ["rolls"]
[[sweep.factors]]
key = "switches.dynamite"
name = "dynamite"
[[sweep.factors]]
key = "cave_in.die_faces"
name = "faces"
"""
    head = HEAD.replace("drill_first", "balanced")
    result = frames_of(write(tmp_path, body, head), tmp_path / "out", games=400)
    effects = result.frames["effects"].set_index("effect_of")["effect"]
    rolls = result.frames["cells"].query("cell > 0")
    off, on = (rolls[rolls["dynamite"] == value].set_index("faces") for value in (False, True))
    gain = on["estimate"] - off["estimate"]
    assert np.isclose(effects["dynamite"], gain.mean())
    assert np.isclose(effects["dynamite × faces"], (gain[3] - gain[1]) / 2)
    assert rolls["faces"].tolist() == [1, 3, 1, 3]
    assert result.frames["effects"]["n"].unique().tolist() == [400]
    assert "For rolls the largest effect is that of faces" in result.sentences[0]


def test_weights_of_strategies_are_factors(tmp_path: Path) -> None:
    body = """
[sweep]
metrics = ["gems_left"]
[[sweep.factors]]
key = "weights.drill_first.clean_up_at"
name = "clean-up"
values = [2, 30]
"""
    head = HEAD.replace('["drill_first"]', '["drill_first", "builder", "builder", "builder"]')
    result = frames_of(write(tmp_path, body, head), tmp_path / "out", games=300)
    cells = result.frames["cells"]
    alone = front.play(
        "wizard_miners",
        seats="drill_first:clean_up_at=2,builder,builder,builder",
        games=300,
        seed=5,
    ).frame
    wanted = alone[(alone["metric"] == "gems_left") & (alone["seat"] == 1)]["estimate"].iloc[0]
    mine = cells[(cells["cell"] == 1) & (cells["seat"] == 1)]
    assert mine["estimate"].iloc[0] == wanted
    assert cells.loc[cells["cell"] == 0, "clean-up"].unique().tolist() == [10]  # the preset's
    named = cells[(cells["cell"] == 1) & (cells["strategy"] == "drill_first")]
    assert len(named) == 1  # a cell keeps the base's labels


def test_specs_with_weights_set() -> None:
    seats = ("balanced:gem=0.1:blunder=0.2", "builder", "my_bot.py:decide:a=1", "balanced")
    wanted = {("balanced", "gem"): 0.3, ("my_bot.py:decide", "b"): 2}
    assert with_weights(seats, wanted) == (
        "balanced:blunder=0.2:gem=0.3",
        "builder",
        "my_bot.py:decide:a=1:b=2",
        "balanced:gem=0.3",
    )
    assert [name_of(spec) for spec in seats] == [
        "balanced",
        "builder",
        "my_bot.py:decide",
        "balanced",
    ]


@pytest.mark.parametrize(
    ("games", "where"),
    [(1, ""), (64, 'metric = "win_rate"\nwhere = { wizard = 3 }\nwithin = [0.2, 0.3]')],
)
def test_targets_that_cannot_be_judged_are_no_crash(tmp_path: Path, games: int, where: str) -> None:
    """One game has no variance, and no wizard has the number 3."""
    body = ONE.replace('metric = "rolls"\nwithin = [34, 40]', where) if where else ONE
    result = sweep(write(tmp_path, body), out=tmp_path / "out", games=games)
    assert UNTOLD in result.sentences
    assert "replay" not in result.frames
    assert set(result.frames["targets"]["verdict"]) == {"UNDECIDED"}
    assert (tmp_path / "out" / "sweep" / "report.pdf").is_file()


def test_a_factorial_of_a_figure_of_nothing(tmp_path: Path) -> None:
    body = """
[sweep]
design = "factorial"
[[sweep.factors]]
key = "switches.spells"
[[sweep.factors]]
key = "switches.dynamite"
[[sweep.targets]]
name = "nobody"
metric = "win_rate"
where = { wizard = 3 }
within = [0.2, 0.3]
"""
    result = frames_of(write(tmp_path, body), tmp_path / "out", games=64)
    effects = result.frames["effects"]
    assert not effects[effects["where"] == "wizard 3"]["discovery"].any()


def test_a_sweep_without_targets_shows_figures_and_no_verdict(tmp_path: Path) -> None:
    body = '[sweep]\ndesign = "latin"\ncells = 6\n[[sweep.factors]]\nkey = "dynamite.cost"\n'
    body += "low = 1\nhigh = 4\n"
    result = frames_of(write(tmp_path, body), tmp_path / "out", games=200)
    assert set(result.frames) == {"cells", "targets", "sensitivity", "fit"}
    assert result.frames["targets"].columns.tolist() == ["cell", "dynamite.cost", "games", "blocks"]
    assert result.frames["cells"]["metric"].unique().tolist() == ["win_rate"]
    assert sorted(result.frames["targets"]["dynamite.cost"][1:]) == [1, 2, 3, 4]


@pytest.mark.parametrize(("design", "points"), [("indices", 5), ("morris", 4)])
def test_indices_are_played_row_by_row(tmp_path: Path, design: str, points: int) -> None:
    body = f"""
[sweep]
design = "{design}"
cells = 8
metrics = ["rolls"]
[[sweep.factors]]
key = "cave_in.die_faces"
[[sweep.factors]]
key = "spells.shore_up.amount"
values = [1, 2]
"""
    study = write(tmp_path, body)
    result = frames_of(study, tmp_path / "a", games=100, threads=1)
    indices = result.frames["indices"]
    assert indices["factor"].tolist() == [
        "cave_in.die_faces",
        "spells.shore_up.amount",
        "(dummy)",
    ]
    # drill_first casts nothing, so the second factor changes not a single game
    by = "total" if design == "indices" else "size"
    assert indices[by].iloc[1] == 0
    assert (
        result.games
        == 8 * points * 100 + (8 * 100 if design == "indices" else 0) - (result.games % 100)
        or result.games <= 8 * (points + 1) * 100
    )
    again = frames_of(study, tmp_path / "b", games=100, threads=2)
    pd.testing.assert_frame_equal(indices, again.frames["indices"], check_exact=True)


def test_the_command_prints_and_writes(assay) -> None:
    write(assay.folder, ONE)
    said = assay("sweep", "length_sweep.toml", "--small").stdout
    assert "targets\n" in said
    assert said.strip().endswith("results/length_sweep/sweep/report.pdf")
    for name in ("report.pdf", "results.json", "summary.md", "cells.csv", "targets.csv"):
        assert (assay.folder / "results/length_sweep/sweep" / name).stat().st_size > 0
    assert (assay.folder / "results/length_sweep/sweep/figures/curve_probability.png").exists()
    found = json.loads(assay("sweep", "length_sweep.toml", "--small", "--format", "json").stdout)
    assert set(found["frames"]) == {"cells", "targets", "replay", "sensitivity", "fit"}
    assert found["design"] == "grid"
    assert len(found["frames"]["targets"]) == 10
    printed = assay("sweep", "length_sweep.toml", "--small", "--format", "csv").stdout
    tables = printed.split("# ")[1:]
    assert [table.partition("\n")[0] for table in tables] == list(found["frames"])
    rows = list(csv.DictReader(io.StringIO(tables[1].partition("\n")[2])))
    assert {row["verdict"] for row in rows if row["verdict"]} <= {"PASS", "FAIL", "UNDECIDED"}
    frame = pd.read_csv(assay.folder / "results/length_sweep/sweep/cells.csv")
    assert len(frame) == 20


FACTOR = '[sweep]\n[[sweep.factors]]\nkey = "{}"\n{}'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "length_sweep.toml:2: study: has no sweep; add a table [sweep]"),
        (
            FACTOR.format("dynamite.suply", "values = [1, 2]"),
            "length_sweep.toml:16: sweep.factors.0.key: dynamite.suply: unknown key "
            "(did you mean 'dynamite.supply'?)",
        ),
        (
            FACTOR.format("tools.drill.cost.7", "values = [1, 2]"),
            "tools.drill.cost.7: tools.drill.cost has 3 values, numbered from 0 to 2",
        ),
        (
            FACTOR.format("dynamite.supply", 'values = [8, "many"]'),
            'length_sweep.toml:17: dynamite.supply: "many" is not allowed; allowed: a whole number',
        ),
        (
            FACTOR.format("dynamite.supply", "values = [8, 8.5]"),
            "dynamite.supply: 8.5 is not allowed; allowed: a whole number from 0 to 99",
        ),
        (
            FACTOR.format("dynamite.supply", "low = 8\nhigh = 800"),
            "dynamite.supply: 800 is not allowed",
        ),
        (
            FACTOR.format("switches.spells", "low = 0\nhigh = 1"),
            "true is no number; give values instead of low and high",
        ),
        (
            FACTOR.format("dynamite.supply", ""),
            "dynamite.supply has no assumed range; give values, or low and high",
        ),
        (
            FACTOR.format("tools.drill.cost", ""),
            "tools.drill.cost is a list; name one of its numbers (tools.drill.cost.0)",
        ),
        (FACTOR.format("tools.drill", "values = [1, 2]"), "tools.drill is a table; name one of"),
        (
            FACTOR.format("weights.drill_first.clean_up", "values = [1, 2]"),
            "unknown weight 'clean_up' (did you mean 'clean_up_at'?)",
        ),
        (
            FACTOR.format("weights.dril_first.clean_up_at", "values = [1, 2]"),
            "no strategy 'dril_first' (did you mean 'drill_first'?) in the lineup",
        ),
        (
            FACTOR.format("weights.drill_first.clean_up_at", "values = [1, 200]"),
            "sweep.factors.0.values: clean_up_at must be from 0 to 100, not 200",
        ),
        (
            FACTOR.format("dynamite.supply", "low = 1.2\nhigh = 2.8"),
            "1.2 to 2.8 leaves one value at most",
        ),
        (
            FACTOR.format("dynamite.supply", "values = [4, 4]"),
            "needs two different values or more",
        ),
        (
            FACTOR.format("dynamite.supply", 'name = "cell"\nvalues = [4, 8]'),
            "'cell' is the name of something else in the tables",
        ),
        (
            '[sweep]\nmetrics = ["roles"]\n[[sweep.factors]]\nkey = "cave_in.die_faces"\n',
            "sweep.metrics: unknown metric 'roles' (did you mean 'rolls'?)",
        ),
        (
            GRID.replace('statistic = "q90"', "where = { seat = 1 }"),
            "sweep.targets.1: rolls is a figure of whole games; it has no seat",
        ),
        (
            GRID.replace("[sweep]", '[sweep]\ndesign = "factorial"'),
            "a factorial takes two values, not 3",
        ),
        (
            FACTOR.format("dynamite.supply", "low = 0\nhigh = 90\nsteps = 80\n")
            + '[[sweep.factors]]\nkey = "dynamite.cost"\nlow = 0\nhigh = 90\nsteps = 80\n',
            "a grid of 6,400 cells; 4,096 at most",
        ),
    ],
)
def test_mistakes_are_told_before_anything_is_written(assay, body: str, said: str) -> None:
    write(assay.folder, body)
    assert said in assay.refuse("sweep", "length_sweep.toml")


def test_all_bad_cells_are_told_at_once(assay) -> None:
    body = FACTOR.format("dynamite.supply", "values = [8, 800, -1]\n")
    body += '[[sweep.factors]]\nkey = "dice.sides"\nvalues = [6, "six"]\n'
    write(assay.folder, body)
    lines = assay.refuse("sweep", "length_sweep.toml").splitlines()
    assert [line.partition(" is not")[0] for line in lines] == [
        "assay: error: length_sweep.toml:17: dynamite.supply: 800",
        "length_sweep.toml:17: dynamite.supply: -1",
        'length_sweep.toml:20: dice.sides: "six"',
    ]


def test_a_folder_of_another_study_is_refused(tmp_path: Path) -> None:
    study = write(tmp_path)
    other = tmp_path / "other.toml"
    other.write_text(study.read_text("utf-8"), "utf-8")
    frames_of(study, tmp_path / "out", games=50)
    with pytest.raises(UserError, match=r"holds the results of another study \(length_sweep\)"):
        frames_of(other, tmp_path / "out", games=50)


def test_a_sweep_and_a_run_share_their_games(tmp_path: Path) -> None:
    head = HEAD.replace("seed = 5", 'seed = 5\nquestions = ["length"]')
    study = write(tmp_path, GRID, head)
    front.run(study, out=tmp_path / "out", games=600)
    played = len(list((tmp_path / "out").rglob("*.parquet")))
    frames_of(study, tmp_path / "out")
    # nine cells, one of them the base; three or four plays on fresh deals
    assert 8 + 3 <= len(list((tmp_path / "out").rglob("*.parquet"))) - played <= 8 + 4
