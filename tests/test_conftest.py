from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.conftest import pytest_ignore_collect


def asked(path: Path, marks: str) -> bool | None:
    """What the hook says of a path in a run with these marks (`-m`)."""
    config = cast("pytest.Config", SimpleNamespace(option=SimpleNamespace(markexpr=marks)))
    return pytest_ignore_collect(path, config)


def test_files_without_kernel_tests_stay_unread_where_only_these_are_asked_for(
    tmp_path: Path,
) -> None:
    with_some, without, other = (tmp_path / name for name in ("test_a.py", "test_b.py", "help.py"))
    with_some.write_text("@pytest.mark.kernel\ndef test_it() -> None: ...\n")
    without.write_text("def test_it() -> None: ...\n")
    other.write_text("")
    assert asked(without, "kernel") is True
    # None: whatever pytest does by itself, so that a file may be left out for other reasons
    assert asked(with_some, "kernel") is None
    assert asked(other, "kernel") is None
    assert asked(tmp_path, "kernel") is None
    for marks in ("", "not kernel"):
        assert asked(without, marks) is None
