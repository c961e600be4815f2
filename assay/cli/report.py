"""`assay report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The results of `assay run`.")],
) -> None:
    r"""Write a run's report again from its stored games.

    \b
    Example:
      assay report results/cave_in_risk
    """
    from assay.runner import report as report_again

    for path in report_again(folder).files:
        print(path)
