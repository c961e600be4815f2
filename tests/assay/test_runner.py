"""Studies from the file to the folder: the same bytes, resuming, refusing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assay.runner import SHARD_GAMES, report, run
from sim.batch import Chunk
from sim.errors import UserError
from sim.game import load_game
from sim.store import Store, join, shard_ranges

STUDY = """
[study]
title = "How long is it?"
question = "How long does a game take?"
game = "wizard_miners"
players = 4
seed = 5
questions = ["length"]

[lineup]
seats = ["drill_first"]

[stop]
games = 3000
"""
WRITTEN = ("report.pdf", "results.json", "summary.md", "tables/length.csv")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "length_study.toml"
    path.write_text(STUDY, "utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in WRITTEN}


def test_a_run_resumed_is_the_same_as_one_run(study: Path, tmp_path: Path) -> None:
    """Two halves, and two threads against one, give the same bytes as one run."""
    whole = run(study, out=tmp_path / "whole", games=3000, threads=1)
    run(study, out=tmp_path / "halves", games=1500, threads=2)
    again = run(study, out=tmp_path / "halves", games=3000, threads=2)
    assert whole.games == again.games == 3000
    assert contents(tmp_path / "whole") == contents(tmp_path / "halves")


def test_a_report_is_written_again_without_playing(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(study, out=out, games=600)
    before = contents(out)
    (out / "report.pdf").unlink()
    report(out)
    assert contents(out) == before
    for shard in (out / "games").rglob("*.parquet"):
        shard.unlink()
    with pytest.raises(UserError, match=r"lacks 600 games of .*; start `assay run` again"):
        report(out)


def test_a_folder_of_another_study_is_refused(study: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(STUDY, "utf-8")
    out = tmp_path / "out"
    run(study, out=out, games=400)
    before = contents(out)
    with pytest.raises(UserError, match=r"holds the results of another study \(length_study\)"):
        run(other, out=out, games=400)
    assert contents(out) == before
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "letter.txt").write_text("mine", "utf-8")
    with pytest.raises(UserError, match="not empty and not the results of a study"):
        run(study, out=taken, games=400)
    assert [path.name for path in taken.iterdir()] == ["letter.txt"]


def test_a_study_stops_early_at_its_precision(study: Path, tmp_path: Path) -> None:
    """With half-widths of 0.1 allowed, the first look is enough."""
    study.write_text(STUDY + "precision = 0.1\n", "utf-8")
    result = run(study, out=tmp_path / "out")
    assert result.games == 1024
    assert "half-width" in result.stopped


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"wizard_miners"', '"wizard_minors"', "study.game: unknown game 'wizard_minors' (did you"),
        ('["length"]', '["lenght"]', "unknown question 'lenght' (did you mean 'length'?)"),
        ('["drill_first"]', '["dril_first"]', "lineup.seats: "),
        ("games = 3000", "games = 0", "stop.games: must be 1 or more, not 0"),
        ("players = 4", "players = 4\nplayres = 3", "study.playres: unknown key (did you mean"),
    ],
)
def test_mistakes_in_a_study(study: Path, tmp_path: Path, old: str, new: str, said: str) -> None:
    study.write_text(STUDY.replace(old, new), "utf-8")
    with pytest.raises(UserError) as caught:
        run(study, out=tmp_path / "out")
    assert said in str(caught.value)


@pytest.mark.parametrize("games", [0, -1])
def test_a_number_of_games_that_is_none_is_refused(study: Path, tmp_path: Path, games: int) -> None:
    """Zero is a mistake, and no word for "as many as the study says"."""
    with pytest.raises(UserError, match=f"games must be 1 or more, not {games}"):
        run(study, out=tmp_path / "out", games=games)
    assert not (tmp_path / "out").exists()


def test_a_figure_of_nothing_is_written_as_unknown(study: Path, tmp_path: Path) -> None:
    """Nobody is hit by a cave-in in some games, so there is no mean of what one costs."""
    run(study, out=tmp_path / "out", games=1)
    rows = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["metrics"]
    assert all({"estimate", "low", "high"} <= set(row) for row in rows)


def test_shards_keep_rows_and_counters(tmp_path: Path) -> None:
    """What is read is what was written; another batch's shard is not mixed in."""
    game = load_game("wizard_miners")
    rng = np.random.default_rng(3)
    games = np.zeros(10, game.game_row)
    games["game"] = range(10)
    games["rolls"] = rng.integers(20, 90, 10)
    seats = np.zeros((10, 4), game.seat_row)
    seats["win"] = rng.integers(0, 13, (10, 4))
    names = game.counters.names or ()
    counters = {name: rng.integers(0, 9, game.counters[name].shape) for name in names}
    chunk = Chunk(0, games, seats, counters)
    store = Store(tmp_path / "a", game, 4, {"seed": 1})
    store.write(chunk)
    read = store.read(0, 10)
    assert read.games.tobytes() == games.tobytes()
    assert read.seats.tobytes() == seats.tobytes()
    assert all(np.array_equal(read.counters[name], counters[name]) for name in names)
    assert len(join([read, read]).games) == 20
    other = Store(tmp_path / "b", game, 4, {"seed": 2})
    other.path(0, 10).write_bytes(store.path(0, 10).read_bytes())
    with pytest.raises(UserError, match="not mixed in"):
        other.has(0, 10)
    with pytest.raises(UserError, match=r"differs in seed"):
        Store(tmp_path / "a", game, 4, {"seed": 2})


def test_shards_of_a_prefix_are_shards_of_the_whole() -> None:
    """However far a run got, its whole shards are those of the longer run."""
    cuts = [1024, 1448, 20000]
    short = set(shard_ranges(0, 2 * SHARD_GAMES, SHARD_GAMES, cuts))
    long = set(shard_ranges(0, 5 * SHARD_GAMES, SHARD_GAMES, cuts))
    assert short <= long


def test_a_precision_is_for_shares(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    head = '[study]\ntitle = "t"\nquestion = "q"\ngame = "wizard_miners"\nplayers = 3\n'
    path.write_text(
        head
        + 'questions = ["length"]\n[lineup]\nseats = ["passive"]\n'
        + '[stop]\ngames = 30\nprecision = 0.5\nheadline = ["rolls"]\n'
    )
    with pytest.raises(UserError, match=r"long.toml:12: stop.headline: rolls is no share of games"):
        run(path, out=tmp_path / "out")
