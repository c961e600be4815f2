"""Count which way the branches of all kernels go, and write it beside the code: `make branches`.

LLVM lays out by these counts what runs and what hardly ever does (`sim.branches`). What they are
taken from: a thousand games of each lineup that `assay bench` times, so that these weigh most, and
a hundred of every other strategy at each table it is made for. All kernels are compiled for it, so
it takes minutes; the same code gives the same counts. To be run after rules or strategies have
changed much, before figures of speed are taken.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from assay.api import SEED, set_table
from assay.bench import LINEUPS
from sim import branches
from sim.game import GAMES, load_game
from sim.kernel import Desk, kernel_of
from sim.rng import make_key
from strategies.presets import presets_of
from strategies.resolve import lineup

MANY, SOME = 1000, 100
USUAL = 4  # players, where a strategy does not say


def tables() -> Iterator[tuple[str, str, int, dict[str, Any], int]]:
    """Yield game, strategy, players, patches of the rules and how many games to play."""
    for name in GAMES:
        timed = LINEUPS.get(name, {})
        together = {key: value for patches in timed.values() for key, value in patches.items()}
        for preset in presets_of(load_game(name)).values():
            patches = timed.get(preset.name, together if preset.together else {})
            for players in preset.players or (USUAL,):
                yield name, preset.name, players, patches, MANY if preset.name in timed else SOME


def main() -> int:
    """Count and write. Return the exit code."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["ASSAY_CACHE_DIR"] = cache  # the code is of no use afterwards
        counting = branches.count_branches()
        for name, strategy, players, patches, games in tables():
            table = set_table(name, seats=[strategy] * players, patches=patches)
            who = lineup(table.game, table.specs)
            desk = Desk(table.game, make_key(SEED))
            kernel_of(table.game).play(desk, 0, games, 1, table.record, who.deciders, who.record)
            print(f"{name}: {games} games of {strategy} x {players}")
    for path in branches.write(counting.taken()):
        print(f"{path}: {len(branches.read(path))} functions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
