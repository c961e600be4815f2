"""From what a question wants played to batches: rules with patches, lineups, handicaps."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.question import Play, Setting
from assay.output import as_toml
from sim.batch import Batch, GameError
from sim.content import Content, Patch
from sim.errors import UserError
from sim.kernel import rules_hash
from strategies.resolve import Lineup, lineup
from strategies.trial import replay_command, try_out

_BLUNDER = re.compile(r"\s*:\s*blunder\s*=[^:]*")
GENERATOR = "squares64, addresses 1"


@dataclass
class Plays:
    """The batches of a setting; what they share is read and compiled once.

    patches: the changes that the setting's rules already carry. options: rules and changes as
    options of a command, for replays.
    """

    setting: Setting
    patches: Mapping[str, Any]
    options: list[str]
    lineups: dict[tuple[str, ...], Lineup] = field(default_factory=dict)
    contents: dict[str, Content[Any]] = field(default_factory=dict)

    def lineup(self, seats: tuple[str, ...]) -> Lineup:
        """Return a resolved lineup; a user's own code has been tried out.

        Raises UserError for a strategy that cannot be used.
        """
        if seats not in self.lineups:
            setting = self.setting
            who = lineup(setting.game, seats)
            try_out(
                setting.game,
                who,
                setting.game.make_tables(setting.rules.model, len(seats)),
                seed=setting.seed,
                rotations=setting.rotations,
                options=self.options,
            )
            self.lineups[seats] = who
        return self.lineups[seats]

    def blundering(self, seats: tuple[str, ...], blunder: float) -> tuple[str, ...]:
        """Return a lineup in which everybody blunders at least with this probability."""
        who = self.lineup(seats).strategies
        return tuple(
            spec if one.blunder >= blunder else f"{_BLUNDER.sub('', spec)}:blunder={blunder:g}"
            for spec, one in zip(seats, who, strict=True)
        )

    def content(self, play: Play) -> Content[Any]:
        """Return the rules of a play: the setting's, or its own, with the play's patches.

        Raises UserError for patches that do not fit.
        """
        if play.rules is not None:
            return self._patched(play.rules.folder, play.patches) if play.patches else play.rules
        if not play.patches:
            return self.setting.rules
        return self._patched(self.setting.rules.folder, {**self.patches, **play.patches})

    def _patched(self, folder: Path | None, patches: Mapping[str, Any]) -> Content[Any]:
        plain = {k: v.value if isinstance(v, Patch) else v for k, v in patches.items()}
        key = json.dumps([str(folder), plain], sort_keys=True)
        if key not in self.contents:
            game = self.setting.game
            content = game.load(folder, dict(patches))
            if game.together(content.model) != self.setting.together:
                kinds = ("win against each other", "win or lose together")
                raise UserError(
                    f"with these rules the players {kinds[not self.setting.together]}, in the base "
                    f"they {kinds[self.setting.together]}: figures of the two cannot be compared; "
                    "change the base as well (a study's [base.set])"
                )
            self.contents[key] = content
        return self.contents[key]

    def batch(self, play: Play) -> tuple[Batch, dict[str, Any]]:
        """Return a play as a batch, and the manifest of all that its games depend on."""
        setting = self.setting
        seats = tuple(play.seats or setting.seats)
        rules = self.content(play)
        who = self.lineup(seats)
        tables = setting.game.make_tables(rules.model, len(seats), play.handicaps)
        seed = setting.seed if play.seed is None else play.seed
        manifest = {
            "game": setting.game.name,
            "rules": rules_hash(setting.game),
            "content": rules.hash,
            # the same numbers may be put into other tables by other code
            "tables": hashlib.sha256(tables.tobytes()).hexdigest()[:20],
            "strategies": [strategy.identity for strategy in who.strategies],
            "rotate": setting.rotate,
            "handicaps": {key: list(value) for key, value in sorted(play.handicaps.items())},
            "seed": seed,
            "generator": GENERATOR,
        }
        return Batch(setting.game, tables, who, seed, setting.rotations), manifest

    def mishap(self, play: Play, error: GameError) -> UserError:
        """Return what to tell about a strategy that raised in a game."""
        setting = self.setting
        own = [
            word
            for key, value in play.patches.items()
            for word in (
                "--set",
                f"{key}={as_toml(value.value if isinstance(value, Patch) else value)}",
            )
        ]
        replay = replay_command(
            setting.game,
            tuple(play.seats or setting.seats),
            setting.seed if play.seed is None else play.seed,
            error.game,
            setting.rotations,
            [*self.options, *own],
        )
        return UserError(
            f"a strategy raised {type(error.cause).__name__} in game {error.game} of "
            f"{play.name}: {error.cause}\n  replay: {replay}"
        )
