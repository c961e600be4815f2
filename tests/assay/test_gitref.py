"""`assay check --base-ref`: a pull request against its base, in a repository of its own.

Everything runs in plain Python on a few games: a copy of the project elsewhere would have to
compile its kernels anew, twice.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.gitref import _clear_away, open_ref, own_file
from sim.errors import UserError
from sim.game import load_game

ROOT = Path(__file__).resolve().parents[2]
GAMES = 32
STUDY = f"""
[study]
title = "The change and its base"
question = "Does it move seat 1?"
game = "wizard_miners"
players = 3

[lineup]
seats = ["drill_first"]

[stop]
games = {GAMES}

[[check]]
name = "seat 1 wins as often as before"
metric = "win_rate"
where = {{ seat = 1 }}
max_change = 0.2
"""
PRICES = (
    "sim/wizard_miners/rulebook.toml",
    "drill.cost = { value = [4]",
    "drill.cost = { value = [1]",
)
WINNER = (
    "sim/wizard_miners/outcome.py",
    'WIN_UNIT if seat == state["winner"] else 0',
    "WIN_UNIT if seat == 0 else 0",
)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


@dataclass
class Repository:
    """A folder under version control, and the command run in it, with the program in `code`."""

    folder: Path
    temp: Path
    code: Path

    @property
    def environment(self) -> dict[str, str]:
        return {
            **{key: text for key, text in os.environ.items() if not key.startswith("GIT")},
            "PYTHONPATH": str(self.code),
            "NUMBA_DISABLE_JIT": "1",
            "TMPDIR": str(self.temp),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }

    def git(self, *words: str) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(
            ["git", *who, *words],
            cwd=self.folder,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")

    def edit(self, name: str, old: str, new: str) -> int:
        """Replace something that stands once in a file; return its line."""
        path = self.folder / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")
        return text[: text.index(old)].count("\n") + 1

    def check(self, ref: str, *words: str, code: int) -> Any:
        """Check against a ref; return the JSON, or what was said on stderr."""
        program = "from assay.cli import main; main()"
        options = ["gates.toml", "--base-ref", ref, "--no-repeat", "--format", "json", *words]
        done = subprocess.run(
            [sys.executable, "-c", program, "check", *options],
            cwd=self.folder,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        # whatever happened, nothing is left behind
        assert not list(self.temp.iterdir())
        assert len(self.git("worktree", "list").splitlines()) == 1
        return json.loads(done.stdout) if code in (0, 1, 3) else done.stderr

    def locations(self, name: str) -> list[tuple[str, int]]:
        """Return files and lines that a SARIF file points at."""
        run = json.loads((self.folder / name).read_text("utf-8"))["runs"][0]
        found = []
        for one in run["results"]:
            for place in [*one["locations"], *one.get("relatedLocations", [])]:
                where = place["physicalLocation"]
                found.append((where["artifactLocation"]["uri"], where["region"]["startLine"]))
        return found


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    folder, temp = tmp_path / "project", tmp_path / "temp"
    temp.mkdir()
    for name in ("sim", "strategies", "analysis", "reports", "assay"):
        ignored = shutil.ignore_patterns("__pycache__", "fonts")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    (folder / "gates.toml").write_text(STUDY, "utf-8")
    (folder / ".gitignore").write_text("__pycache__\nresults\n*.sarif\n", "utf-8")
    one = Repository(folder, temp, folder)
    one.git("init", "-q", "-b", "main")
    one.commit()
    return one


@pytest.mark.slow
def test_a_change_of_rules_files(repository: Repository) -> None:
    """This code plays both; the result is that of the changed number, and points at its line."""
    same = repository.check("main", code=0)
    (gate,) = same["gates"]
    assert (gate["verdict"], gate["games"], same["games_played"]) == ("EQUIVALENT", 0, 0)
    assert same["base_played_by"].startswith("this code and these rules")
    line = repository.edit(*PRICES)
    first = repository.check("main", "--sarif", "a.sarif", code=3)
    assert first["base_played_by"] == "this code with the ref's rules files"
    assert first["games_played"] == 2 * GAMES
    (gate,) = first["gates"]
    assert gate["discordance"] > 0
    assert (gate["variant"], gate["against"]) == ("base", "main")
    assert repository.locations("a.sarif") == [("sim/wizard_miners/rulebook.toml", line)]
    # the base has not changed and the working tree has not either: all is there
    again = repository.check("main", code=3)
    assert again["games_played"] == 0
    assert again["gates"] == first["gates"]
    # committed, it is the same change against its parent
    repository.commit()
    assert repository.check("HEAD~1", code=3)["gates"][0]["estimate"] == gate["estimate"]
    assert repository.check("HEAD", code=0)["games_played"] == 0


def test_a_change_of_code_only(repository: Repository) -> None:
    """The ref's own code plays the base: seat 1 now wins always, which it did not there."""
    line = repository.edit(*WINNER)
    found = repository.check("main", "--sarif", "a.sarif", code=1)
    assert found["base_played_by"] == "the ref's own code"
    assert found["games_played"] == 2 * GAMES
    (gate,) = found["gates"]
    assert gate["verdict"] == "CHANGED_UP"
    assert 0.4 < gate["estimate"] < 0.9
    assert repository.locations("a.sarif") == [("sim/wizard_miners/outcome.py", line)]
    again = repository.check("main", code=1)
    assert again["games_played"] == 0
    assert again["gates"] == found["gates"]


@pytest.mark.slow
def test_a_base_that_cannot_be_played_is_no_pass(repository: Repository) -> None:
    """Whatever is wrong with the ref's code ends with exit code 2 and says so."""
    repository.git("rm", "-q", "assay/play_shards.py")
    repository.git("commit", "-q", "-m", "an old one, without shards")
    repository.git("tag", "old")
    shutil.copy(ROOT / "assay" / "play_shards.py", repository.folder / "assay")
    repository.edit("sim/batch.py", "def play_chunk(", "def play_no_chunk(")
    repository.commit()
    repository.git("tag", "broken")
    repository.edit("sim/batch.py", "def play_no_chunk(", "def play_chunk(")
    repository.edit("sim/wizard_miners/outcome.py", '("illegal", _i2),', '("unlawful", _i2),')
    repository.edit("sim/wizard_miners/outcome.py", 'game_row["illegal"]', 'game_row["unlawful"]')
    repository.commit()
    repository.git("tag", "rows")
    repository.git("checkout", "-q", "old~1", "--", "sim")
    repository.edit(*WINNER)
    said = repository.check("old", code=2)
    assert "old: its own code cannot play the base" in said
    assert "play_shards.py" in said
    said = repository.check("broken", code=2)
    assert "broken: its own code cannot play the base" in said
    assert "play_chunk" in said
    assert "other game rows" in repository.check("rows", code=2)
    assert "has no such ref" in repository.check("nowhere", code=2)


@pytest.mark.slow
def test_a_designers_own_repository(tmp_path: Path) -> None:
    """Rules and a strategy under version control, and this program from somewhere else."""
    folder, temp = tmp_path / "design", tmp_path / "temp"
    temp.mkdir()
    shutil.copytree(
        ROOT / "sim" / "wizard_miners",
        folder / "rules",
        ignore=shutil.ignore_patterns("*.py", "__pycache__"),
    )
    bot = folder / "bots" / "mine.py"
    bot.parent.mkdir()
    bot.write_text(
        "def decide(state, tables, prompt, weights):\n"
        '    legal = state["legal"]\n'
        "    choice = 0\n"
        "    while (legal >> choice) & 1 == 0:\n"
        "        choice += 1\n"
        "    return choice\n",
        "utf-8",
    )
    study = STUDY.replace('"drill_first"', '"bots/mine.py:decide", "drill_first", "drill_first"')
    study = study.replace('metric = "win_rate"', 'metric = "gems_left"')
    (folder / "gates.toml").write_text(study + '\n[base]\nrules = "rules"\n', "utf-8")
    (folder / ".gitignore").write_text("results\n", "utf-8")
    one = Repository(folder, temp, ROOT)
    one.git("init", "-q", "-b", "main")
    one.commit()
    assert one.check("main", code=0)["games_played"] == 0
    one.edit("bots/mine.py", "choice = 0\n", "choice = 62\n")
    one.edit("bots/mine.py", "choice += 1\n", "choice -= 1\n")
    found = one.check("main", code=3)
    assert found["base_played_by"] == "the ref's own code"
    assert found["games_played"] == 2 * GAMES
    assert found["gates"][0]["discordance"] > 0.5
    assert one.check("main", code=3)["games_played"] == 0


def test_what_a_killed_check_left_behind_goes_away(repository: Repository) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = repository.temp / f"assay-ref-{gone.pid}-abc" / "tree"
    alive = repository.temp / f"assay-ref-{os.getpid()}-abc" / "tree"
    for tree in (left, alive):
        repository.git("worktree", "add", "-q", "--detach", str(tree))
    _clear_away(repository.folder)
    assert not left.parent.exists()
    assert alive.exists()
    listed = repository.git("worktree", "list")
    assert str(left) not in listed
    assert str(alive) in listed


def test_what_counts_as_changed_code(repository: Repository) -> None:
    """Untracked files count, other games and words do not."""
    code = (
        "from pathlib import Path\n"
        "from assay.gitref import open_ref\n"
        "from sim.game import load_game\n"
        "ref = open_ref('main', load_game('wizard_miners'), None)\n"
        "here = Path.cwd()\n"
        "found = ref.changed_code + ref.changed_players(['bots/mine.py:decide', 'balanced'])\n"
        "print([(str(one.file.relative_to(here)), one.lines) for one in found])\n"
    )

    def changed() -> str:
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=repository.folder,
            env=repository.environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    folder = repository.folder
    (folder / "sim" / "README.md").write_text("words\n", "utf-8")
    (folder / "sim" / "another").mkdir()
    (folder / "sim" / "another" / "rules.py").write_text("", "utf-8")
    repository.edit(*PRICES)
    with (folder / "sim" / "trace.py").open("a", encoding="utf-8") as file:
        file.write("# words\n")
    assert changed() == "[]"
    (folder / "bots").mkdir()
    (folder / "bots" / "mine.py").write_text("", "utf-8")
    (folder / "bots" / "beside.py").write_text("", "utf-8")
    (folder / "strategies" / "fresh.py").write_text("", "utf-8")
    assert changed() == (
        "[('strategies/fresh.py', (1,)), ('bots/beside.py', (1,)), ('bots/mine.py', (1,))]"
    )


def test_rules_outside_of_any_repository(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="in no git repository that can be asked: git rev-parse"):
        open_ref("main", load_game("wizard_miners"), tmp_path)


def test_own_files_of_strategies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert own_file("balanced:blunder=0.1") is None
    assert own_file("bots/a.py:decide:x=1") == tmp_path / "bots" / "a.py"
