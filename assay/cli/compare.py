"""`assay compare`."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options import (
    As,
    Players,
    Progress,
    Rules,
    Seats,
    Set,
    Threads,
    note_fit,
    note_rotation,
    patches_of,
)
from assay.output import Format, render
from sim.wording import counted

if TYPE_CHECKING:
    from assay.compare import Compared
    from assay.explain import Explanation

_ALWAYS = ("seat", "strategy")  # keys that a row has only where they apply


def compare(
    what: Annotated[
        str, typer.Argument(metavar="STUDY|GAME", help="A study's TOML file, or a game's name.")
    ],
    players: Players = None,
    seats: Seats = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of the base and of each variant.  [default: 10000]"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Seed of the luck.  [default: 20260101]")
    ] = None,
    threads: Threads = None,
    rotate: Annotated[
        bool | None,
        typer.Option(
            "--rotate/--no-rotate",
            help="Play every deal once in each rotation of the seats, on the same luck.",
            show_default=False,
        ),
    ] = None,
    set_: Set = None,
    rules: Rules = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[METRIC=]X",
            help="Changes up to X do not matter, in the metric's unit; may be given again.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC", help="Compare only this metric; may be given again."),
    ] = None,
    second_lineup: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Who plays the repetition; `none` for none.  [default: other presets]",
        ),
    ] = None,
    blunder: Annotated[
        float | None,
        typer.Option(
            metavar="P",
            help="Random choices in another repetition; 0 for none.  [default: 0.15]",
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show the first game that parts, from where it parts."),
    ] = False,
    variant: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Explain only this variant; may be given again."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where a study's games are kept.  [default: results/STUDY]"
        ),
    ] = None,
    form: As = Format.TABLE,
    progress: Progress = None,
) -> None:
    r"""Compare changed rules with the base on the same luck.

    \b
    Examples:
      assay compare studies/drill_cost.toml --explain
      assay compare wizard_miners --set "tools.drill.cost=[3,5,7]" --games 50000
      assay compare wizard_miners --set switches.spells=false --metric win_rate --margin 0.01

    An effect is the figure with the change minus the figure without. FLIPS marks a verdict (or,
    without a margin, the sign of a clear effect) that is another one when everybody leaves some
    decisions to chance, or with another lineup: by default one seat each for the presets of the
    same script as `balanced`, such as builder, cleaner, saboteur, sprinter.
    The exit code says nothing of verdicts; `assay check` is for that.
    """
    from assay.compare import called, is_study
    from assay.compare import compare as compare_rules
    from assay.explain import check_variants
    from assay.explain import explain as explain_where
    from assay.progress import showing
    from assay.study import load_study
    from sim.errors import UserError

    if variant and not explain:
        raise UserError("--variant: names the variants that --explain shows; add --explain")
    patches = patches_of(set_)
    if variant:  # told before anything is played
        known = list(load_study(what).variants) if is_study(what) else [called(patches)]
        check_variants(variant, known)
    if is_study(what):
        note_rotation(Path(what))
    with showing(progress) as show:
        result = compare_rules(
            what,
            patches=patches or None,
            players=players,
            seats=seats,
            games=games,
            seed=seed,
            threads=threads,
            rotate=rotate,
            rules=rules,
            margin=margins_of(margin),
            metrics=metric or (),
            second_lineup=second_lineup,
            blunder=blunder,
            out=out,
            progress=show,
        )
    note_fit(result.notes)
    explanations = explain_where(result, variant or ()) if explain else []
    rows = rows_of_effects(result.effects)
    if form is Format.JSON:
        print(render(rows, form, document=document_of(result, explanations)))
    elif form is Format.CSV:
        print(render([_csv(row) for row in rows], form))
    else:
        _print(result, rows, form)
    if form is not Format.JSON and explanations:
        words = sys.stdout if form is Format.TABLE else sys.stderr
        for explanation in explanations:
            print("", *explanation.lines(), sep="\n", file=words)


def margins_of(texts: list[str] | None) -> float | dict[str, float] | None:
    """Return what `--margin` asks for: one number, or one for each metric named.

    Raises UserError for what is no number, and for a margin that is given twice.
    """
    from sim.errors import UserError

    found: dict[str, float] = {}
    for text in texts or ():
        name, _, number = (part.strip() for part in text.rpartition("="))
        try:
            value = float(number)
        except ValueError:
            raise UserError(f"--margin {text}: write a number, or METRIC=NUMBER") from None
        if name in found:
            raise UserError(f"--margin {name or text}: is given twice")
        found[name] = value
    if "" in found and len(found) > 1:
        raise UserError("--margin: give one number for all metrics, or METRIC=NUMBER for each")
    return found.get("", found or None)


def rows_of_effects(frame: Any) -> list[dict[str, Any]]:
    """Return effects as rows: every column, except a seat or strategy that does not apply.

    flips and open are lists; what is not known is None.
    """
    rows = []
    for record in frame.astype(object).where(frame.notna(), None).to_dict("records"):
        row = {
            key: value.item() if hasattr(value, "item") else value
            for key, value in record.items()
            if value is not None or key not in _ALWAYS
        }
        for key in ("flips", "open"):
            if key in row:
                row[key] = row[key].split("; ") if row[key] else []
        rows.append(row)
    return rows


def document_of(result: Compared, explanations: list[Explanation]) -> dict[str, Any]:
    """Return everything as plain values, for JSON."""
    setting, task = result.setting, result.task
    document: dict[str, Any] = {
        "game": setting.game.name,
        "players": setting.players,
        "seats": list(result.labels),
        "rotate": setting.rotate,
        "games": setting.games,
        "seed": setting.seed,
        "level": setting.level,
        "stopped": result.stopped,
        "variants": [
            {
                "variant": name,
                "changes": result.changes(name),
                "games_parted": result.parted[name].games,
                "first_parted": result.parted[name].first,
            }
            for name in task.variants
        ],
        "effects": rows_of_effects(result.effects),
        "repeats": [
            {
                "name": repeat.name,
                "seats": list(repeat.seats),
                "effects": rows_of_effects(result.repeats[repeat.name]),
            }
            for repeat in task.repeats
        ],
    }
    if explanations:
        document["explained"] = [one.to_dict() for one in explanations]
    return document


def _csv(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "flips": "; ".join(row["flips"]), "open": "; ".join(row["open"])}


# ----------------------------------------------------------------------------------- for reading


def _print(result: Compared, rows: list[dict[str, Any]], form: Format) -> None:
    setting, task = result.setting, result.task
    who = ", ".join(f"seat {seat} {label}" for seat, label in enumerate(result.labels, start=1))
    turned = "; every deal in each rotation of the seats" if setting.rotate else ""
    print(
        f"{setting.game.title}, {counted(setting.players, 'player')}, "
        f"seed {setting.seed}; "
        f"{counted(setting.games, 'game')} of the base and of each "
        "variant, on the same luck"
    )
    print(f"{who}{turned}")
    for name in task.variants:
        own = [row for row in rows if row["variant"] == name]
        print(f"\n{name}: {result.changes(name)}" if name != result.changes(name) else f"\n{name}")
        share = result.parted[name].games / setting.games
        print(f"{100 * share:.1f} % of the games part from the base's\n")
        print(render(own, form, shown=[_shown(row) for row in own]))
    print()
    for line in _notes(result, rows):
        print(line)


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for reading, in the unit that people speak in."""
    from reports import effects

    effect = effects.effect_words(row)
    shown: dict[str, Any] = {
        "figure": effects.figure_words(row),
        "base": effects.base_words(row),
        "effect": effect.text,
        f"{100 * row['level']:g} % interval": effect.interval,
        "differ": f"{100 * row['discordance']:.1f} %",
        "corr": _two(row["correlation"]),
        "speed-up": effects.speed_words(row["speed_up"]),
    }
    if row["verdict"] is not None:
        shown["verdict"] = row["verdict"]
    if row["flips"]:
        shown["FLIPS"] = ", ".join("lineup" if "lineup" in f else "blunder" for f in row["flips"])
    return {key: text.replace("\u00a0", " ") for key, text in shown.items()}


def _two(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.2f}".replace("-", "−")


def _notes(result: Compared, rows: list[dict[str, Any]]) -> list[str]:
    count = len(result.task.variants)
    from reports.effects import lineup_words, margin_words

    notes = [
        "effect: with the change minus without; shares in percentage points (pp). differ: blocks "
        "that differ.",
        "speed-up: how many times more games unpaired plays would need for the same interval.",
    ]
    if count > 1:
        notes.append(f"The intervals of a figure hold for all {counted(count, 'variant')} at once.")
    if margins := margin_words(rows):
        notes.append(f"Verdicts against the margins {margins}, in the metric's unit.")
    if result.stopped:
        notes.append(f"Stopped after {result.stopped}.")
    for repeat in result.task.repeats:
        flips = sum(repeat.name in row["flips"] for row in rows)
        undecided = sum(repeat.name in row["open"] for row in rows)
        notes.append(
            f"Repeated with {repeat.name} ({lineup_words(repeat.seats)}): {flips} FLIPS, "
            f"{undecided} no longer decided."
        )
    return notes
