"""The project at another git ref: its rules files, and its own code in a process of its own.

Whatever differs decides how the base of a check is played. Where only rules files differ, this
code plays it with the ref's files. Where the code of the game or of its strategies differs, only
the ref's own code can: it is checked out as a worktree in a temporary folder and plays there, with
its own compiled kernels, and leaves its games as shards (`assay.play_shards`). When that cannot be
done, it is an error and never a pass.

Only git itself is asked, and nothing outside this machine. The working tree counts as it is, with
whatever has not been committed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import sim
from sim.errors import UserError
from sim.game import GAMES, Game
from sim.kernel import source_hash
from sim.store import Store, fingerprint, write_file

CODE = ("sim", "strategies")
_PREFIX = "assay-ref-"  # of temporary folders; the process that made one follows
_WORDS = {"describe.py", "trace.py"}  # how games are told, not how they are played
_OWN = re.compile(r"(?P<file>.*?\.py)(?P<rest>:.*)?", re.DOTALL)
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,\d+)? @@")
Progress = Callable[[str, int, int], None]


def code_folder() -> Path:
    """Return the folder that holds `sim` and `strategies`."""
    return Path(sim.__file__).resolve().parent.parent


def git(folder: Path, *words: str) -> bytes:
    """Return what a git command prints. Raises UserError where it fails or there is no git."""
    # hooks are the user's and not for a copy that is thrown away
    command = ["git", "-C", str(folder), "-c", "core.hooksPath=/dev/null", *words]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise UserError(f"--base-ref needs git, which cannot be run: {error.strerror}") from None
    if done.returncode:
        text = done.stderr.decode(errors="replace").strip()
        raise UserError(f"git {' '.join(words[:2])}: {text or f'exit code {done.returncode}'}")
    return done.stdout


def top_of(folder: Path) -> Path | None:
    """Return the top folder of the repository that a folder lies in, None outside of any."""
    with contextlib.suppress(UserError):
        text = os.fsdecode(git(folder, "rev-parse", "--show-toplevel")).removesuffix("\n")
        return Path(text).resolve()
    return None


@dataclass(frozen=True)
class Changed:
    """A file whose code differs from the ref, and the first line of each change in it."""

    file: Path
    lines: tuple[int, ...]


@dataclass
class GitRef:
    """The project at a ref. Use it as a context: what it puts into temporary folders goes away.

    rules: the folder of rules files of the working tree. commit: the ref's full hash.
    """

    name: str
    game: Game
    rules: Path
    top: Path
    commit: str
    _temp: Path | None = None
    _process: _Process | None = None

    def __enter__(self) -> GitRef:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the ref's process and remove its worktree and all temporary files."""
        if self._process is not None:
            self._process.close()
            self._process = None
        if self._temp is not None:
            tree = self._temp / "tree"
            if tree.exists():
                with contextlib.suppress(UserError):
                    git(self.top, "worktree", "remove", "--force", str(tree))
            shutil.rmtree(self._temp, ignore_errors=True)
            with contextlib.suppress(UserError):
                git(self.top, "worktree", "prune")
            self._temp = None

    @property
    def temp(self) -> Path:
        """The temporary folder, made when it is first wanted."""
        if self._temp is None:
            self._temp = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")).resolve()
        return self._temp

    # ------------------------------------------------------------------------- what differs

    @cached_property
    def has_code(self) -> bool:
        """Whether the code that is running belongs to the repository, and not to an installation.

        An installed package plays both sides itself, if a ref of the designer's folder is asked.
        """
        folder = code_folder()
        if not folder.is_relative_to(self.top):
            return False
        return bool(git(folder, "ls-files", "--", "sim/game.py").strip())

    @cached_property
    def changed_code(self) -> tuple[Changed, ...]:
        """Files of this game's rules and strategies whose code differs, the untracked included."""
        if not self.has_code:
            return ()
        return self._differing(code_folder(), CODE, lambda path: _plays(path, self.game.name))

    def changed_players(self, specs: Sequence[str]) -> tuple[Changed, ...]:
        """Return files of the users' own strategies that differ, with what lies beside them."""
        folders = {
            path.parent
            for path in map(own_file, specs)
            if path and path.is_relative_to(self.top) and path.parent.is_dir()
        }
        found: dict[Path, Changed] = {}
        for folder in sorted(folders):
            beside = self._differing(
                folder, (".",), lambda path: path.endswith(".py") and "/" not in path
            )
            found.update({one.file: one for one in beside})
        return tuple(found.values())

    def _differing(
        self, folder: Path, paths: Sequence[str], wanted: Callable[[str], bool]
    ) -> tuple[Changed, ...]:
        """Return the files in some folders that differ between the ref and the working tree."""
        tracked = git(folder, "diff", "-z", "--name-only", "--relative", self.commit, "--", *paths)
        others = git(folder, "ls-files", "-z", "--others", "--exclude-standard", "--", *paths)
        names = sorted({os.fsdecode(name) for name in (tracked + others).split(b"\0") if name})
        return tuple(
            Changed(folder / name, self._lines(folder, name)) for name in names if wanted(name)
        )

    def _lines(self, folder: Path, name: str) -> tuple[int, ...]:
        plain = ("-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--relative")
        text = git(folder, "diff", *plain, self.commit, "--", name)
        found = _HUNK.findall(text.decode(errors="replace"))
        return tuple(max(1, int(line)) for line in found) or (1,)

    # --------------------------------------------------------------------------- rules files

    @cached_property
    def rules_folder(self) -> Path:
        """A folder with the rules files as they are at the ref.

        Raises UserError where the ref has none there.
        """
        inside = self.rules.relative_to(self.top).as_posix()
        listed = git(self.top, "ls-tree", "-z", "--name-only", self.commit, "--", f"{inside}/")
        names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
        target = self.temp / "rules"
        target.mkdir(exist_ok=True)
        kept = [name for name in names if Path(name).suffix in {".toml", ".csv"}]
        if not kept:
            raise UserError(f"{self.name}: has no rules files in {inside}")
        for name in kept:
            blob = git(self.top, "cat-file", "blob", f"{self.commit}:{name}")
            (target / Path(name).name).write_bytes(blob)
        return target

    # ------------------------------------------------------------------------- the ref's code

    def player(self, out: Path, request: Mapping[str, Any], threads: int | None) -> RefStore:
        """Return the store of a play that the ref's own code plays.

        out: where games are kept. request: game, seats, rotate, seed, patches (plain values).
        Raises UserError where the ref's code cannot do it.
        """
        wanted = {**request, "seats": [self._spec(spec) for spec in request["seats"]]}
        if self.rules != _own_rules(self.game):
            wanted["rules"] = self.rules.relative_to(self.top).as_posix()
        key = json.dumps([self.commit, source_hash([]), wanted], sort_keys=True)
        note = out / "refs" / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
        known = _read_note(note)
        one = RefStore(self, out, {**wanted, "folder": str(out.resolve()), "threads": threads})
        if known is None:
            known = one.ask(0, None)
            note.parent.mkdir(parents=True, exist_ok=True)
            write_file(note, (json.dumps(known, indent=2, sort_keys=True) + "\n").encode())
        self._compare_rows(known)
        one.open(known["manifest"])
        return one

    def _spec(self, spec: str) -> str:
        """Return a strategy as the ref's process finds it: own files from the top, or absolute."""
        path = own_file(spec)
        if path is None:
            return spec
        found = _OWN.fullmatch(spec.strip())
        assert found is not None
        inside = path.is_relative_to(self.top)
        name = path.relative_to(self.top).as_posix() if inside else str(path)
        return name + (found["rest"] or "")

    def _compare_rows(self, known: Mapping[str, Any]) -> None:
        here = row_types(self.game)
        differ = [name for name in here if known["rows"].get(name) != here[name]]
        if differ:
            raise UserError(
                f"{self.name}: its games leave other {' and '.join(differ)} behind than those of "
                "the working tree, so they cannot be compared block by block"
            )

    def process(self) -> _Process:
        """Return the running process of the ref's code, begun when it is first wanted."""
        if self._process is None:
            _clear_away(self.top)
            tree = self.temp / "tree"
            git(self.top, "worktree", "add", "--detach", "--quiet", str(tree), self.commit)
            code = tree / code_folder().relative_to(self.top) if self.has_code else None
            self._process = _Process(self.name, tree, code, self.temp)
        return self._process


def open_ref(name: str, game: Game, rules: Path | None) -> GitRef:
    """Find a ref in the repository of the rules files.

    rules: their folder; None for those that come with the game.
    Raises UserError outside a repository and for an unknown ref.
    """
    folder = (_own_rules(game) if rules is None else rules).resolve()
    try:
        text = os.fsdecode(git(folder, "rev-parse", "--show-toplevel"))
    except UserError as error:
        raise UserError(
            f"--base-ref {name}: the rules files in {folder} are in no git repository that can be "
            f"asked: {error}"
        ) from None
    top = Path(text.removesuffix("\n")).resolve()
    try:
        commit = git(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except UserError:
        shallow = (top / ".git" / "shallow").exists()
        hint = "; this is a shallow clone, fetch the ref first" if shallow else ""
        raise UserError(f"--base-ref {name}: {top} has no such ref{hint}") from None
    return GitRef(name, game, folder, top, commit.decode().strip())


def _clear_away(top: Path) -> None:
    """Remove the worktrees of checks that were killed before they could do so themselves."""
    if os.name != "posix":
        return  # no way to ask whether a process is there
    listed = os.fsdecode(git(top, "worktree", "list", "--porcelain"))
    for entry in listed.splitlines():
        found = re.fullmatch(rf"worktree (.*/{_PREFIX}(\d+)-[^/]*)/tree", entry)
        if found is None:
            continue
        try:
            os.kill(int(found[2]), 0)
        except ProcessLookupError:
            shutil.rmtree(found[1], ignore_errors=True)
        except PermissionError:
            pass  # somebody else's, and alive
    git(top, "worktree", "prune")


def _own_rules(game: Game) -> Path:
    return code_folder() / "sim" / game.name


def own_file(spec: str) -> Path | None:
    """Return the file of a strategy that is a user's own, absolute; None for a preset."""
    found = _OWN.fullmatch(spec.strip())
    return None if found is None else Path(found["file"]).resolve()


def _plays(path: str, game: str) -> bool:
    """Say whether a file under `sim` or `strategies` has to do with how a game is played."""
    parts = Path(path).parts
    name = parts[-1]
    if Path(name).suffix == ".md" or name in _WORDS:
        return False
    if parts[0] == "strategies":
        return Path(name).stem not in set(GAMES) - {game}
    if len(parts) == 2:
        return True
    # the other folders of sim are other games, and a game's data are compared as rules
    return parts[1] == game and Path(name).suffix not in {".toml", ".csv"}


def row_types(game: Game) -> dict[str, Any]:
    """Return the fields of a game's rows and counters, as JSON has them."""
    kinds = {"game rows": game.game_row, "seat rows": game.seat_row, "counters": game.counters}
    return {name: json.loads(json.dumps(kind.descr)) for name, kind in kinds.items()}


def _read_note(path: Path) -> dict[str, Any] | None:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return known if isinstance(known, dict) and {"manifest", "rows"} <= known.keys() else None


# ---------------------------------------------------------------------------------- the process


@dataclass
class RefStore:
    """A play of the ref's own code: its shards, played when they are missing."""

    ref: GitRef
    out: Path
    request: Mapping[str, Any]
    played: int = 0
    store: Store | None = None

    def open(self, manifest: Mapping[str, Any]) -> None:
        """Open the folder of its shards."""
        folder = self.out / "games" / fingerprint(manifest)[:16]
        self.store = Store(folder, self.ref.game, len(self.request["seats"]), manifest)

    def ask(self, games: int, progress: Progress | None) -> dict[str, Any]:
        """Have games played; return manifest, rows and played."""
        return self.ref.process().ask({**self.request, "games": games}, progress)

    def fill(
        self, games: int, ranges: Sequence[tuple[int, int]], progress: Progress | None
    ) -> None:
        """Play what is missing of some shards. Raises UserError where they do not come about."""
        assert self.store is not None
        if all(self.store.has(*span) for span in ranges):
            return
        self.played += int(self.ask(games, progress)["played"])
        if not all(self.store.has(*span) for span in ranges):
            raise UserError(f"{self.ref.name}: its code keeps games in other shards than this one")


class _Process:
    """The code of a ref at work: requests in, answers out, one JSON object a line."""

    def __init__(self, name: str, tree: Path, code: Path | None, temp: Path) -> None:
        self.name = name
        self.errors = temp / "stderr"
        home = code_folder() if code is None else code
        environment = {**os.environ, "PYTHONPATH": str(home)}
        if code is not None:
            environment["ASSAY_CACHE_DIR"] = str(temp / "cache")
        with self.errors.open("wb") as errors:
            self.child = subprocess.Popen(
                # Its file, not the module's name: where the ref has none, another installation of
                # this package could step in. -P: its folder is no place to import from.
                [sys.executable, "-P", str(home / "assay" / "play_shards.py")],
                cwd=tree,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                start_new_session=True,  # Ctrl-C reaches this process, which ends that one
            )

    def ask(self, request: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
        """Return the answer to a request. Raises UserError for whatever goes wrong."""
        stdin, stdout = self.child.stdin, self.child.stdout
        assert stdin is not None
        assert stdout is not None
        with contextlib.suppress(BrokenPipeError):  # what it printed last tells why
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
        for answer in _answers(stdout):
            if "progress" in answer:
                if progress is not None:
                    progress(*answer["progress"])
                continue
            if "error" in answer:
                raise UserError(
                    f"{self.name}: its own code cannot play the base: {answer['error']}"
                )
            return answer
        code_ = self.child.wait()
        lines = self.errors.read_text("utf-8", errors="replace").strip().splitlines()
        last = "\n  ".join(lines[-5:]) or "it said nothing"
        raise UserError(
            f"{self.name}: its own code cannot play the base (exit code {code_}), so there is "
            f"nothing to compare with:\n  {last}"
        )

    def close(self) -> None:
        """End the process."""
        self.child.kill()
        self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _answers(stdout: IO[str]) -> Iterator[dict[str, Any]]:
    """Yield what a process says, until it ends or says what is no answer."""
    for line in stdout:
        try:
            answer = json.loads(line)
        except ValueError:
            return
        if not isinstance(answer, dict):
            return
        yield answer
