"""Reports that several tests look at, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports import build
from tests.reports import demo_report, hard_report


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "report"
    build.write(demo_report.report(), folder, results=demo_report.results())
    return folder


@pytest.fixture(scope="session")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hard") / "report"
    build.write(hard_report.report(), folder, results=hard_report.results())
    return folder
