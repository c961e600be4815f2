"""Sections of the report, one module per question, by the question's name.

A module has `section(setting, answer) -> Section`. The first two figures of the section are its
headline: they go to the first page where the question is the first of its study.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from analysis.question import Answer, Setting
from analysis.questions import NAMES
from reports.document import Section


def section_of(question: str) -> Callable[[Setting, Answer], Section]:
    """Return the function that makes a question's section.

    Raises ValueError for a question that is not known.
    """
    if question not in NAMES:
        raise ValueError(f"no question {question!r}")
    section: Callable[[Setting, Answer], Section]
    section = importlib.import_module(f"reports.answers.{question}").section
    return section


__all__ = ["section_of"]
