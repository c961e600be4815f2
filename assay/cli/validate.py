"""`assay validate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import As
from assay.output import Format, render


def validate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of rules files.")],
    form: As = Format.TABLE,
) -> None:
    r"""Check a folder of rules files; report all its problems.

    \b
    Example:
      assay rules wizard_miners --export my_rules
      assay validate my_rules
    """
    from sim.content import game_of
    from sim.content import validate as check

    content = check(folder)
    row = {
        "folder": str(folder),
        "game": game_of(folder),
        "values": len(content.entries),
        "assumed": sum(entry.source == "assumed" for entry in content.entries),
        "problems": 0,
        "hash": content.hash,
    }
    shown = {key: value for key, value in row.items() if key != "hash"}
    print(render([row], form, document=row, shown=[shown]))
