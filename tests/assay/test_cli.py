"""The command line: what each command prints."""

import csv
import importlib.metadata
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.questions import NAMES

GAME = "wizard_miners"
ROOT = Path(__file__).resolve().parents[2]
# in the order of the help
COMMANDS = [
    "games",
    "rules",
    "validate",
    "strategies",
    "play",
    "trace",
    "ask",
    "run",
    "compare",
    "sweep",
    "check",
    "plan",
    "robust",
    "report",
    "selftest",
    "bench",
]
# a shell ignores Ctrl-C for what it runs in the background, and children inherit that
MAIN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from assay.cli import main; main()"
)
ROW = {"metric", "statistic", "estimate", "low", "high", "level", "n", "method"}


def test_help_lists_all_commands_without_cutting_their_summaries(assay):
    listed = assay("--help").stdout.partition("Commands:")[2]
    assert [line.split()[0] for line in listed.strip().splitlines()] == COMMANDS
    assert "..." not in listed


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(assay, command):
    text = assay(command, "--help").stdout
    assert re.search(rf"Examples?:\n( +assay .*\n)* +assay {command}\b", text)


def test_version(assay, monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda name: {"tabletop-assay": "1.2"}[name])
    assert assay("--version").stdout == "assay 1.2\n"


def test_version_of_a_source_tree_that_is_not_installed(assay, monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert "not installed" in assay("--version", code=2).stderr


def test_help_of_ask_names_every_question(assay):
    shown = assay("ask", "--help").stdout
    assert [name for name in NAMES if not re.search(rf"\b{name}\b", shown)] == []


def test_games(assay):
    listed = json.loads(assay("games", "--format", "json").stdout)
    assert [one["game"] for one in listed] == ["dobbers", "near_and_far", "wizard_miners"]


def test_play_in_json(assay):
    seats = "builder,cleaner:blunder=0.2,random"
    words = ["--players", "3", "--seats", seats, "--games", "30", "--seed", "5", "--threads", "1"]
    result = assay("play", GAME, *words, "--format", "json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    assert {k: found[k] for k in ("game", "players", "seats", "games", "seed")} == {
        "game": GAME,
        "players": 3,
        "seats": ["builder", "cleaner:blunder=0.2", "random"],
        "games": 30,
        "seed": 5,
    }
    assert found["games_per_second"] == pytest.approx(30 / found["seconds"])
    rows = found["metrics"]
    assert all(None not in (row.get("seat", 1), row.get("strategy", 1)) for row in rows)
    kinds = {(row["metric"], frozenset(row) - ROW) for row in rows}
    for metric, keys in (
        ("win_rate", {"seat"}),
        ("win_rate", {"strategy"}),
        ("rolls", set()),
        ("gems_left", {"seat"}),
        ("capped_rate", set()),
    ):
        assert (metric, frozenset(keys)) in kinds
    assert {r["statistic"] for r in rows if r["metric"] == "rolls"} >= {"mean", "sd", "q50"}
    wins = [r["estimate"] for r in rows if r["metric"] == "win_rate" and "seat" in r]
    assert len(wins) == 3
    assert sum(wins) == pytest.approx(1)
    assert [r["seat"] for r in rows if r["metric"] == "gems_left" and "seat" in r] == [1, 2, 3]


def test_json_holds_only_what_json_can(assay):
    def refuse(constant):
        raise AssertionError(constant)

    text = assay("play", GAME, "--games", "1", "--seats", "passive", "--format", "json").stdout
    found = json.loads(text, parse_constant=refuse)
    rolls = next(row for row in found["metrics"] if row["metric"] == "rolls")
    assert rolls["low"] is None  # a single game bounds nothing
    assert rolls["high"] is None


def test_formats_agree(assay):
    words = ["play", GAME, "--games", "20", "--seats", "random"]
    rows = json.loads(assay(*words, "--format", "json").stdout)["metrics"]
    table = list(csv.DictReader(io.StringIO(assay(*words, "--format", "csv").stdout)))
    assert [{k: v for k, v in row.items() if v} for row in table] == [
        {k: str(v) for k, v in row.items() if v is not None} for row in rows
    ]
    markdown = assay(*words, "--format", "markdown").stdout
    assert markdown.count("\n|") == len(rows) + 2
    text = assay(*words).stdout
    assert "20 games, seed 20260101" in text
    assert re.search(r"20 games in [\d.]+ s: [\d,]+ games/s\n$", text)


def test_threads_and_repetition_change_nothing(assay):
    words = ["play", GAME, "--games", "9000", "--seats", "passive,drill_first,random"]
    one, two = (
        json.loads(assay(*words, "--threads", threads, "--format", "json").stdout)["metrics"]
        for threads in "12"
    )
    assert one == two


def test_a_single_name_plays_every_seat(assay):
    for words, players in ((["--players", "3"], 3), ([], 4)):
        text = assay("play", GAME, "--seats", "random", "--games", "3", *words, "--format", "json")
        assert json.loads(text.stdout)["seats"] == ["random"] * players


def test_a_game_alone(assay):
    words = ["dobbers", "--players", "1", "--seats", "random", "--games", "3"]
    assert "Quest for the Key, 1 player, 3 games" in assay("play", *words).stdout
    assert "Quest for the Key, 1 player, seed" in assay("trace", *words[:-2]).stdout


def test_rotation_rounds_up_to_whole_blocks_and_says_so(assay):
    words = ["--seats", "random", "--games", "5", "--rotate", "--format", "json"]
    result = assay("play", GAME, *words)
    assert json.loads(result.stdout)["games"] == 8
    assert "8 games instead of 5: whole blocks of 4 rotations" in result.stderr


def test_capped_games_are_reported_with_their_replay(assay):
    words = ["--seats", "passive", "--games", "4", "--set", "stall.roll_cap=3"]
    result = assay("play", GAME, *words)
    assert "4 of 4 games were stopped by the cap" in result.stderr
    assert "stall.roll_cap=3" in result.stderr
    assert "--game-index 0" in result.stderr


def test_rules_are_listed_exported_checked_and_played(assay):
    rows = json.loads(assay("rules", GAME, "--format", "json").stdout)
    by_key = {row["key"]: row for row in rows}
    assert by_key["dynamite.supply"]["value"] == 16
    assert by_key["dynamite.supply"]["section"] == "Miscellaneous"
    assumed = by_key["cave_in.die_faces"]
    assert (assumed["low"], assumed["high"]) == (1, 3)
    assert assumed["evidence"]
    written = assay("rules", GAME, "--export", "mine").stdout.splitlines()
    assert sorted(map(Path, written)) == sorted(Path("mine").iterdir())
    book = Path("mine/rulebook.toml")
    book.write_text(book.read_text("utf-8").replace("value = 16", "value = 15"), "utf-8")
    assert "wizard_miners" in assay("validate", "mine").stdout
    listed = assay("rules", GAME, "--rules", "mine", "--format", "csv").stdout
    assert "dynamite.supply,15," in listed
    patched = assay("rules", GAME, "--set", "dynamite.supply=9").stdout
    assert "patched, was 16" in patched
    words = ["--rules", "mine", "--games", "4", "--seats", "random"]
    assert assay("play", GAME, *words).stdout


def test_strategies_are_listed(assay):
    rows = json.loads(assay("strategies", GAME, "--format", "json").stdout)
    assert {"passive", "drill_first", "random", "balanced"} <= {row["strategy"] for row in rows}
    shown = assay("strategies", "dobbers").stdout.splitlines()
    assert next(line.split()[1] for line in shown if line.startswith("solo_safe")) == "1"
    weights = json.loads(assay("strategies", GAME, "drill_first", "--format", "json").stdout)
    assert [row["weight"] for row in weights] == ["clean_up_at"]


def test_a_trace_shows_the_game_that_play_counted(assay):
    words = ["--seats", "random,drill_first,passive", "--seed", "3"]
    lines = assay("trace", GAME, *words).stdout.splitlines()
    assert lines[0] == "Wizard Miners, 3 players, seed 3, game 0"
    played = json.loads(assay("play", GAME, *words, "--games", "1", "--format", "json").stdout)
    rolls = next(row["estimate"] for row in played["metrics"] if row["metric"] == "rolls")
    assert lines[-1].endswith(f"after {rolls:.0f} rolls.")


def test_run_hands_its_options_to_the_study_runner(assay, monkeypatch):
    import types

    asked = {}

    def run(path, **options):
        asked.update(options, path=path)
        return types.SimpleNamespace(files=[Path("results/report.pdf")], notes=("a note",))

    module = types.ModuleType("assay.runner")
    vars(module)["run"] = run
    monkeypatch.setitem(sys.modules, "assay.runner", module)
    words = ["study.toml", "--small", "--out", "there", "--seed", "4", "--set", "dice.sides=6"]
    result = assay("run", *words)
    assert (result.stdout, result.stderr) == ("results/report.pdf\n", "assay: note: a note\n")
    assert asked == {
        "path": Path("study.toml"),
        "out": Path("there"),
        "small": True,
        "rules": None,
        "patches": {"dice.sides": 6},
        "seed": 4,
        "games": None,
        "threads": None,
        "progress": None,
    }


def start(*words):
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interruption_ends_the_command_with_one_line():
    words = ["play", GAME, "--seats", "passive", "--games", "100000000", "--progress"]
    with start(*words) as child:
        assert child.stderr is not None
        assert "games/s" in child.stderr.readline()  # it is playing
        child.send_signal(signal.SIGINT)
        try:
            said = child.communicate(timeout=60)  # ends at all; how fast is no matter for a test
        finally:
            child.kill()
    assert child.returncode == 130
    assert said[0] == ""
    assert said[1].splitlines()[-1] == "assay: interrupted"
    assert "Traceback" not in said[1]


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_pipe_is_no_error_message():
    with start("rules", GAME, "--format", "json") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == ""
    assert child.returncode == 141
