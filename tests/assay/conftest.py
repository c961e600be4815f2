"""The command line in this process, in an empty folder."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli import app


class Line:
    """Runs commands in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, code: int = 0):
        """Run a command, check its exit code and that no exception of ours came through."""
        result = CliRunner().invoke(app, list(words), prog_name="assay")
        said = f"{result.stdout}\n{result.stderr}"
        assert result.exception is None or isinstance(result.exception, SystemExit), said
        assert result.exit_code == code, said
        assert "Traceback" not in said
        return result

    def refuse(self, *words: str) -> str:
        """Run a command that is a mistake: exit code 2, no result, nothing written."""
        before = self.files()
        result = self(*words, code=2)
        assert result.stdout == ""
        assert self.files() == before
        return result.stderr

    def files(self) -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in self.folder.rglob("*") if p.is_file()}


@pytest.fixture
def assay(tmp_path, monkeypatch) -> Line:
    monkeypatch.chdir(tmp_path)
    return Line(tmp_path)
