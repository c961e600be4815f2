"""Notes on strategies at a table they were not made for, alike from all that plays many games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.words import listed
from sim.game import Game
from sim.wording import noun_for
from strategies.presets import Preset, presets_of

WAYS = ("win against each other", "win or lose together")


def fit_notes(
    game: Game,
    rules: Any,
    usual: Sequence[str],
    lineups: Mapping[str, Sequence[str]] | None = None,
    second: Sequence[str] = (),
) -> tuple[str, ...]:
    """Say of each strategy, once, that it is made for another table than the one it plays at.

    rules: the model of the rules. usual: a study's lineup, or that of a single play. lineups: by
    name who plays the base and the variants, of those that are played; by default the usual one.
    What is so in another lineup only is told with its variants' names, what is so in the second
    lineup only with that. A strategy of the user's own fits anywhere, as does each of a game that
    has none for players who win together, in that respect.
    """
    presets = presets_of(game)
    together = game.together(rules)
    usual = tuple(usual)
    played = {"": usual} if lineups is None else {n: tuple(own) for n, own in lineups.items()}
    plain = dict.fromkeys(_misfits(presets, together, usual) if usual in played.values() else ())
    of_variants: dict[str, list[str]] = {}
    for name, seats in played.items():
        for note in _misfits(presets, together, seats):
            if note not in plain:
                of_variants.setdefault(note, []).append(name)
    notes = list(plain)
    for note, names in of_variants.items():
        notes.append(f"{noun_for(len(names), 'variant')} {listed(names)}: {note}")
    told = {*plain, *of_variants}
    others = [note for note in _misfits(presets, together, second) if note not in told]
    return (*notes, *(f"second lineup: {note}" for note in others))


def _misfits(presets: Mapping[str, Preset], together: bool, seats: Sequence[str]) -> Iterator[str]:
    """Yield what does not fit at one table, each strategy once."""
    two_kinds = any(preset.together for preset in presets.values())
    for name in dict.fromkeys(seat.partition(":")[0].strip() for seat in seats):
        preset = presets.get(name)
        if preset is None:
            continue
        if not preset.fits(len(seats)):
            made = listed([str(number) for number in preset.players], "or")
            yield (
                f"{name} is made for {made} {noun_for(max(preset.players), 'player')}; here it "
                f"plays at a table of {len(seats)}"
            )
        if two_kinds and preset.together != together:
            yield (
                f"{name} is made for players who {WAYS[preset.together]}; "
                f"by these rules they {WAYS[together]}"
            )


__all__ = ["fit_notes"]
