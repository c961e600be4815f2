"""Short games, decision by decision, as they were when the rules were last changed on purpose.

After such a change `python -m tests.sim.near_and_far.test_golden` writes the files anew; look at
the difference before it is committed.
"""

from pathlib import Path

import pytest

from sim.game import load_game
from sim.near_and_far.outcome import TEAM_FIELDS
from sim.near_and_far.state import Prompt
from tests.contract import bits, play, players
from tests.sim.near_and_far import players as scripts
from tests.sim.near_and_far.contract import BASE, EASY, TEAM, make_tables

FOLDER = Path(__file__).parent / "golden"
SEED, BLUNDER = 1, 0.2
# name: players, game, patches
GAMES = {
    "three_players": (3, 1, {"stall__turn_cap": 75}),
    "base_game": (2, 0, {**BASE, "stall__turn_cap": 50}),
    "team_wins": (3, 0, {**TEAM, **EASY}),
    "team_loses": (2, 0, {**TEAM, "together__start": 60}),
}


def transcript(name: str) -> str:
    """Return the game as text: a line a decision, then the rows."""
    count, deal, patches = GAMES[name]
    game = load_game("near_and_far")
    lineup = players(game, scripts.settler, scripts.__file__, blunder=BLUNDER)
    tables = make_tables(count, **patches)
    played = play(game, tables, lineup, seed=SEED, first=deal, decisions=5000)
    lines = [f"seed {SEED}, game {deal}, {count} settlers, blunder {BLUNDER}"]
    for turn, seat, prompt, legal, choice in played.transcript.tolist():
        options = " ".join(str(option) for option in bits(legal))
        lines.append(f"{turn} seat {seat} {Prompt(prompt).name} {choice} of {options}")
    apart = frozenset() if tables["coop"][0] else TEAM_FIELDS
    for rows in (played.games, played.seats[0]):
        fields = [name for name in rows.dtype.names if name not in apart]
        lines += [" ".join(f"{name}={row[name]}" for name in fields) for row in rows]
    return "\n".join(lines) + "\n"


@pytest.mark.kernel
@pytest.mark.parametrize("name", GAMES)
def test_golden_game(name: str) -> None:
    assert transcript(name) == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.kernel
def test_the_golden_games_have_many_kinds_of_decisions() -> None:
    seen = {
        line.split()[3]
        for name in GAMES
        for line in transcript(name).splitlines()
        if " of " in line
    }
    rare = {"GOODS", "DISCARD", "PARTY_OUT", "BEFORE_ROLL", "SPELL", "TREASURE"}
    assert seen >= {prompt.name for prompt in Prompt} - rare - {"GAME_OVER"}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(transcript(name))
