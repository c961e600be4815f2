"""One short game, decision by decision, as it was when the rules were last changed on purpose.

After such a change `python -m tests.sim.wizard_miners.test_golden` writes the file anew; look at
the difference before it is committed.
"""

from pathlib import Path

import pytest

from sim.game import load_game
from sim.wizard_miners.state import Prompt
from tests.contract import bits, play, players
from tests.sim.wizard_miners import players as scripts
from tests.sim.wizard_miners.contract import make_tables

GOLDEN = Path(__file__).parent / "golden" / "busy_players.txt"
SEED, DEAL, PLAYERS, BLUNDER = 1, 305, 3, 0.3


def transcript(deal: int = DEAL) -> str:
    """Return the game as text: a line a decision, then the rows."""
    game = load_game("wizard_miners")
    lineup = players(game, scripts.busy, scripts.__file__, blunder=BLUNDER)
    played = play(game, make_tables(PLAYERS), lineup, seed=SEED, first=deal, decisions=5000)
    lines = [f"seed {SEED}, game {deal}, {PLAYERS} busy players, blunder {BLUNDER}"]
    for turn, seat, prompt, legal, choice in played.transcript.tolist():
        options = " ".join(str(option) for option in bits(legal))
        lines.append(f"{turn} seat {seat} {Prompt(prompt).name} {choice} of {options}")
    for rows in (played.games, played.seats[0]):
        lines += [" ".join(f"{n}={row[n]}" for n in row.dtype.names) for row in rows]
    return "\n".join(lines) + "\n"


@pytest.mark.kernel
def test_golden_game() -> None:
    assert transcript() == GOLDEN.read_text()


@pytest.mark.kernel
def test_the_golden_game_has_all_kinds_of_decisions() -> None:
    seen = {line.split()[3] for line in transcript().splitlines() if " of " in line}
    assert seen == {prompt.name for prompt in Prompt} - {"GAME_OVER"}


if __name__ == "__main__":
    GOLDEN.write_text(transcript())
