"""A copy of a game's files with cells mixed up, for tests that any file is taken or refused."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st


def mix_cells(files: Iterable[Path], target: Path, data: Any) -> None:
    """Copy rules files into a folder and put up to three cells of one list in others' places."""
    for path in files:
        shutil.copy(path, target / path.name)
    lists = sorted(path.name for path in target.glob("*.csv"))
    path = target / data.draw(st.sampled_from(lists))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    for _ in range(data.draw(st.integers(1, 3))):
        row = data.draw(st.integers(1, len(rows) - 1))
        column = data.draw(st.integers(0, len(rows[0]) - 1))
        other = data.draw(st.integers(1, len(rows) - 1))
        rows[row][column] = rows[other][data.draw(st.integers(0, len(rows[0]) - 1))]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
