from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from analysis import words
from sim.wording import counted, noun_for

ROOT = Path(__file__).parents[2]
FOLDERS = ("sim", "strategies", "analysis", "reports", "assay")
# what captions and messages count most; no verbs, such as "draws"
NOUNS = re.compile(
    r"^ (attempt|block|card|cell|game|gate|player|replicate|rotation|row|set-up|space|throw|"
    r"variant)s\b(?!/)"
)
CHOSEN = re.compile(
    r"'(?P<one>\w*)' if [^{}]* == '?1'? else '(?P=one)e?s'"
)  # a plural picked within an f-string
# spares parsing most files
CANDIDATES = re.compile(rf"\}}[ f'\"\n]*{NOUNS.pattern[2:]}|{CHOSEN.pattern}")
# lists in words, numbers that are not whole, constants that are far from 1
OTHERS = re.compile(r"listed|words\.number|\bnumber\(|\b_?[A-Z][A-Z_]+\b")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 blocks"),
        (1, "1 block"),
        (1.0, "1 block"),
        (np.int64(1), "1 block"),
        (2, "2 blocks"),
        (1_234_567, "1,234,567 blocks"),
        (float("nan"), "– blocks"),
    ],
)
def test_a_number_and_its_noun(number: float, text: str) -> None:
    assert counted(number, "block") == text
    assert counted(number, "block").partition(" ")[0] == words.count(number)


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert counted(1, "class", "classes") == "1 class"
    assert counted(3, "class", "classes") == "3 classes"
    assert noun_for(1, "block with some", "blocks with some") == "block with some"
    assert noun_for(2, "hero", "heroes") == "heroes"


def _glued(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines with an f-string that puts a plural behind a number by hand."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value in node.values:
            if isinstance(value, ast.FormattedValue) and CHOSEN.fullmatch(ast.unparse(value.value)):
                yield value.lineno, f"{{{ast.unparse(value.value)}}}"
        for value, text in zip(node.values, node.values[1:], strict=False):
            if (
                isinstance(value, ast.FormattedValue)
                and value.format_spec is None
                and isinstance(text, ast.Constant)
                and NOUNS.match(str(text.value))
                and not OTHERS.search(ast.unparse(value.value))
            ):
                yield value.lineno, f"{{{ast.unparse(value.value)}}}{str(text.value)[:20]}"


@pytest.mark.parametrize(
    "code",
    [
        'f"{n} blocks"',
        "f'{n} blocks'",
        'f"{n}" " blocks"',
        '(f"{n} "\n    "blocks")',
        '(\n    f"of {n}"\n    f" blocks {m}"\n)',
        """f"{n} card{'' if n == 1 else 's'}\"""",
        """f"{n} {'block' if n == 1 else 'blocks'}\"""",
    ],
)
def test_plurals_by_hand_are_found(code: str) -> None:
    """Neither does the search for files that are worth parsing miss any."""
    assert CANDIDATES.search(code)
    assert list(_glued(ast.parse(code)))


def test_nobody_puts_a_plural_behind_a_number_by_hand() -> None:
    """One block is not "1 blocks": every number that may be 1 goes through `counted`."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if CANDIDATES.search(code := path.read_text())
        for line, text in _glued(ast.parse(code))
    ]
    assert not found, "\n".join(found)
