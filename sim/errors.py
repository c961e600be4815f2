"""The one exception for mistakes that a user can mend."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """A mistake in the user's input; `str()` is the complete message for the terminal.

    The command line prints it without a traceback and exits with code 2.
    """


def nearest(word: str, known: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" for the known word nearest to `word`, or ""."""
    match = difflib.get_close_matches(str(word), list(known), n=1, cutoff=0.5)
    return f" (did you mean {match[0]!r}?)" if match else ""


def choices(known: Iterable[str]) -> str:
    """Return the known words as one readable list, sorted."""
    return ", ".join(sorted(known))
