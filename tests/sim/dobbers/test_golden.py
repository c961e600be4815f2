"""Short games, decision by decision, as they were when the rules were last changed on purpose.

After such a change `python -m tests.sim.dobbers.test_golden` writes the files anew; look at the
difference before it is committed.
"""

from pathlib import Path

import pytest

from sim.dobbers.state import Prompt
from sim.game import load_game
from tests.contract import bits, play, players
from tests.sim.dobbers import players as scripts
from tests.sim.dobbers.contract import make_tables

FOLDER = Path(__file__).parent / "golden"
SEED, BLUNDER, CAP = 1, 0.2, 60
GAMES = {"three_players": (3, 1), "solo": (1, 8)}  # name: players, game


def transcript(count: int, deal: int) -> str:
    """Return the game as text: a line a decision, then the rows."""
    game = load_game("dobbers")
    lineup = players(game, scripts.runner, scripts.__file__, blunder=BLUNDER)
    tables = make_tables(count, switches__events=True, stall__turn_cap=CAP)
    played = play(game, tables, lineup, seed=SEED, first=deal, decisions=5000)
    lines = [f"seed {SEED}, game {deal}, {count} runners, blunder {BLUNDER}, events"]
    for turn, seat, prompt, legal, choice in played.transcript.tolist():
        options = " ".join(str(option) for option in bits(legal))
        lines.append(f"{turn} seat {seat} {Prompt(prompt).name} {choice} of {options}")
    for rows in (played.games, played.seats[0]):
        lines += [" ".join(f"{n}={row[n]}" for n in row.dtype.names) for row in rows]
    return "\n".join(lines) + "\n"


@pytest.mark.kernel
@pytest.mark.parametrize("name", GAMES)
def test_golden_game(name: str) -> None:
    assert transcript(*GAMES[name]) == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.kernel
def test_the_golden_games_have_many_kinds_of_decisions() -> None:
    seen = {
        line.split()[3]
        for name in GAMES
        for line in transcript(*GAMES[name]).splitlines()
        if " of " in line
    }
    rare = {"RECOVER", "OUTWIT", "ROW_EQUIPMENT", "STACK", "OPTION", "SPOILS"}
    assert seen >= {prompt.name for prompt in Prompt} - rare - {"GAME_OVER"}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, address in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(transcript(*address))
