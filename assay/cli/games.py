"""`assay games`."""

from __future__ import annotations

from assay.cli.options import As
from assay.output import Format, render


def games(form: As = Format.TABLE) -> None:
    r"""List the games.

    \b
    Example:
      assay games
    """
    from assay import api

    print(render(api.games(), form))
