"""The house rules that no single module can keep alone: who may import whom, and what it costs."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("sim", "strategies", "analysis", "reports", "assay")  # each may import those before it
HEAVY = ("matplotlib", "numba", "pandas", "pyarrow", "scipy", "typst")

SOURCES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
GAMES = sorted(path.parent.name for path in (ROOT / "sim").glob("*/rulebook.toml"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_name(path: Path) -> str:
    """The package that a relative import in this file starts from."""
    return ".".join(path.relative_to(ROOT).parts[:-1])


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Line and absolute name of everything imported, inside functions too.

    `from a import b` gives a.b: b may be a module. Text handed to import_module counts as well.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                parents = parents[: len(parents) - node.level + 1]
                base = ".".join([*parents, node.module] if node.module else parents)
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            called = called.id if isinstance(called, ast.Name) else called
            if called in {"import_module", "__import__"} and node.args:
                name = node.args[0]
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    yield node.lineno, name.value


def file_imports(path: Path) -> Iterator[tuple[str, str]]:
    """Place ("sim/batch.py:12") and absolute name of each import of a file."""
    where = path.relative_to(ROOT)
    for line, name in imports(ast.parse(path.read_text("utf-8")), package_name(path)):
        yield f"{where}:{line}", name


def forbidden(importer: str, imported: str) -> bool:
    """Whether this import is an arrow that points back, or sideways from game to game."""
    source, target = importer.split("."), imported.split(".")
    if target[0] in {"tests", "benchmarks", "tools"}:
        return True
    if target[0] not in LAYERS:
        return False
    if LAYERS.index(target[0]) > LAYERS.index(source[0]):
        return True
    if source[0] == target[0] == "sim" and len(target) > 1 and target[1] in GAMES:
        return len(source) < 2 or source[1] != target[1]
    return False


@pytest.mark.parametrize(
    ("importer", "imported", "expected"),
    [
        ("sim.batch", "strategies.resolve", True),
        ("analysis.length", "reports.figures", True),
        ("strategies.base", "assay", True),
        ("sim.batch", "sim.wizard_miners.rules", True),
        ("sim", "sim.wizard_miners", True),
        ("assay.api", "tests.oracles", True),
        ("sim.wizard_miners.rules", "sim.wizard_miners.state", False),
        ("sim.wizard_miners.rules", "sim.rng", False),
        ("strategies.wizard_miners", "sim.wizard_miners.state", False),
        ("reports.build", "analysis.length", False),
        ("assay.cli", "reports.build", False),
        ("sim.batch", "numpy.random", False),
    ],
)
def test_the_rule_about_arrows(importer: str, imported: str, expected: bool) -> None:
    assert forbidden(importer, imported) is expected


def test_imports_are_read_wherever_they_stand() -> None:
    text = (
        "import a.b as c\n"
        "from . import d\n"
        "from ..e import f\n"
        "def g():\n"
        "    from h import i\n"
        "    importlib.import_module('j.k')\n"
    )
    found = {name for _, name in imports(ast.parse(text), "sim.game")}
    assert found == {"a.b", "sim.game.d", "sim.e.f", "h.i", "j.k"}


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_one_way(layer: str) -> None:
    files = [path for path in SOURCES if path.relative_to(ROOT).parts[0] == layer]
    assert files, f"no sources in {layer}/"
    back = [
        f"{where} imports {name}"
        for path in files
        for where, name in file_imports(path)
        if forbidden(module_name(path), name)
    ]
    assert not back, "\n".join(back)


def loaded_modules(statement: str) -> set[str]:
    """Top-level names of the modules a fresh interpreter has loaded after a statement."""
    script = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


HELP = """
import sys
from assay.cli import main
sys.argv = ["assay", "--help"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


@pytest.mark.parametrize(
    "statement",
    ["import assay", "import assay.cli", pytest.param(HELP, id="assay --help")],
)
def test_the_command_line_starts_light(statement: str) -> None:
    loaded = loaded_modules(statement)
    assert "assay" in loaded
    assert not loaded & set(HEAVY)


def words(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every identifier and string (docstrings too, comments not)."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for field in ("id", "attr", "name", "asname", "arg", "module"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield line, value
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield line, node.value


def named_games(text: str) -> set[str]:
    """The games that a text names, however it is spelled: wizard_miners, WizardMiners, ..."""
    return {game for game in GAMES if re.search(game.replace("_", r"[\s_-]*"), text, re.IGNORECASE)}


def test_the_shared_part_of_sim_knows_no_game() -> None:
    assert GAMES, "no game folder with a rulebook.toml in sim/"
    game = GAMES[0]
    spellings = (game, game.title().replace("_", ""), f"the game {game.replace('_', ' ')} ends")
    assert all(named_games(spelling) == {game} for spelling in spellings)

    named = [
        f"{path.relative_to(ROOT)}:{line} names {', '.join(sorted(found))}"
        for path in sorted((ROOT / "sim").glob("*.py"))
        for line, text in words(ast.parse(path.read_text("utf-8")))
        if (found := named_games(text))
    ]
    assert not named, "\n".join(named)


def normal(name: str) -> str:
    """A distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in requirements}


@pytest.fixture(scope="module")
def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_run_time_dependencies_are_those_we_import(pyproject: dict) -> None:
    homes = importlib.metadata.packages_distributions()
    used: dict[str, str] = {}
    for path in SOURCES:
        for where, name in file_imports(path):
            top = name.partition(".")[0]
            if top not in LAYERS and top not in sys.stdlib_module_names:
                used.setdefault(normal(homes.get(top, [top])[0]), where)

    promised = declared(pyproject["project"]["dependencies"])
    for extra in pyproject["project"].get("optional-dependencies", {}).values():
        promised |= declared(extra)
    undeclared = {name: where for name, where in used.items() if name not in promised}
    assert not undeclared, f"imported, but not in pyproject.toml: {undeclared}"
    unused = promised - used.keys()
    assert not unused, f"in pyproject.toml, but never imported: {unused}"


def test_the_lock_pins_what_pyproject_asks_for(pyproject: dict) -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    entries = text.replace("\\\n", " ").splitlines()
    assert "://" not in text
    assert all(re.match(r"[\w.-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}", line) for line in entries)

    locked = {normal(line.partition("==")[0]) for line in entries}
    wanted = declared(
        pyproject["project"]["dependencies"]
        + pyproject["dependency-groups"]["dev"]
        + pyproject["build-system"]["requires"]
    )
    assert wanted <= locked, f"run `make lock`: {wanted - locked} not locked"


def test_files_that_hold_no_rules_compile_nothing() -> None:
    """What `sim.kernel.NO_RULES` leaves out of the hash of a kernel must not be part of one."""
    from sim.kernel import NO_RULES

    left_out = [path for path in (ROOT / "sim").rglob("*.py") if path.name in NO_RULES]
    assert left_out
    for path in left_out:
        text = path.read_text(encoding="utf-8")
        assert "@rule" not in text, path
        assert "@rare" not in text, path
        assert "njit" not in text, path


def test_sums_of_games_need_no_pandas() -> None:
    """`assay play` reads them as plain records; pandas would take longer than a thousand games."""
    code = "import sys, analysis.moments; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
