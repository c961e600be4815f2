"""Play one side of a comparison for another process: `python assay/play_shards.py`.

`assay check --base-ref` starts this module with the code of another git ref, and compares the
games it leaves behind with its own. One JSON object a line goes in:

    {"game": "...", "seats": [...], "rotate": true, "seed": 1, "patches": {...}, "folder": "...",
     "threads": null, "rules": "sim/..." (left out for the game's own), "games": 2048}

and for each comes one line out, after lines {"progress": [label, done, total]}:

    {"manifest": {...}, "rows": {...}, "played": 2048}   or   {"error": "..."}

The games then lie in `folder`/games/FINGERPRINT of the manifest. `games` 0 plays nothing. Both
sides of this must stay as they are, or a newer check cannot ask an older ref.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import IO, Any

from analysis.question import Play, Setting
from assay.gitref import row_types
from assay.plays import Plays
from assay.runner import Keeper, look_cuts
from sim.batch import whole_blocks
from sim.errors import UserError
from sim.game import load_game
from sim.store import MANIFEST


class Server:
    """Answers requests; what is played again and again is opened once."""

    def __init__(self, out: IO[str]) -> None:
        self.out = out
        self.keepers: dict[str, Keeper] = {}

    def say(self, answer: dict[str, Any]) -> None:
        """Print an answer at once."""
        self.out.write(json.dumps(answer) + "\n")
        self.out.flush()

    def keeper(self, request: dict[str, Any]) -> Keeper:
        """Return where the games of a request are kept."""
        key = json.dumps({**request, "games": 0}, sort_keys=True)
        if key not in self.keepers:
            game = load_game(request["game"])
            rules = Path(request["rules"]) if request.get("rules") else None
            content = game.load(rules, request["patches"])
            seats = tuple(request["seats"])
            setting = Setting(game, content, seats, request["rotate"], 1, request["seed"])
            plays = Plays(setting, request["patches"], [])
            self.keepers[key] = Keeper(
                setting,
                Path(request["folder"]),
                request["threads"],
                lambda label, done, total: self.say({"progress": [label, done, total]}),
                plays,
                look_cuts(setting.rotations),
            )
        return self.keepers[key]

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Play what a request asks for."""
        keeper = self.keeper(request)
        base = Play("base")
        table = keeper.table(base)
        before = keeper.played
        if request["games"]:
            games = whole_blocks(request["games"], keeper.setting.rotations)
            keeper.fill("base at the ref", base, table, games)
        return {
            "manifest": json.loads((table.store.folder / MANIFEST).read_text("utf-8")),
            "rows": row_types(keeper.setting.game),
            "played": keeper.played - before,
        }


def strangers() -> list[str]:
    """Return the modules of this project that were not loaded from the folder of this file.

    Where a ref lacks a module, another installation of the package may have stepped in.
    """
    home = Path(__file__).resolve().parent.parent
    packages = {path.parent.name for path in home.glob("*/__init__.py")}
    return sorted(
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in packages
        and (file := getattr(module, "__file__", None)) is not None
        and not Path(file).resolve().is_relative_to(home)
    )


def main() -> None:
    """Answer the requests on stdin until it ends."""
    # what strategies print is no answer
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    server = Server(out)
    for line in sys.stdin:
        try:
            answer = server.answer(json.loads(line))
            if names := strangers():
                answer = {"error": f"it lacks {', '.join(names)}"}
        except UserError as error:
            answer = {"error": str(error)}
        server.say(answer)


if __name__ == "__main__":
    main()
