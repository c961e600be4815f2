"""`assay rules`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import As, GameName, Rules, Set, patches_of
from assay.output import Format, as_toml, render

if TYPE_CHECKING:
    from sim.content import Entry


def rules(
    game: GameName,
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the rules files to a folder, to be changed."),
    ] = None,
    rules: Rules = None,
    set_: Set = None,
    form: As = Format.TABLE,
) -> None:
    r"""Show every number of a game, with source, range, evidence.

    \b
    Examples:
      assay rules wizard_miners
      assay rules wizard_miners --export my_rules
      assay rules wizard_miners --rules my_rules --format csv
    """
    from assay import api
    from sim import content
    from sim.game import load_game

    patches = patches_of(set_)
    if export is not None:
        if patches:
            raise typer.BadParameter("--export copies files as they are; leave out --set")
        checked = load_game(game).load(rules, {})
        for path in content.export(checked.folder, export):
            print(path)
        return
    entries = api.rules(game, rules=rules, patches=patches)
    print(render([_full(entry) for entry in entries], form, shown=[_short(e) for e in entries]))


def _full(entry: Entry) -> dict[str, Any]:
    """Return an entry with all it knows, without what does not apply to it."""
    row: dict[str, Any] = {"key": entry.key, "value": entry.value, "source": entry.source}
    for name in ("section", "low", "high", "range", "evidence", "was", "allowed", "meaning"):
        value = getattr(entry, name)
        if value is not None and value != "":
            row[name] = value
    if entry.file is not None:
        row["file"] = entry.file
        if entry.line is not None:
            row["line"] = entry.line
    return row


def _short(entry: Entry) -> dict[str, Any]:
    """Return what fits on a line."""
    if entry.low is not None or entry.high is not None:
        span = f"{entry.low} to {entry.high}"
        span += f" ({entry.range})" if entry.range else ""
    else:
        span = entry.range or ""
    return {
        "key": entry.key,
        "value": entry.value if isinstance(entry.value, str) else as_toml(entry.value),
        "source": entry.source if entry.was is None else f"patched, was {as_toml(entry.was)}",
        "range": span,
        "section or evidence": entry.section or entry.evidence or "",
    }
