"""Words for states, choices and events."""

import re

import pytest

from sim.dobbers.describe import Narrator, gains_text, he_does, text_of
from sim.dobbers.state import Event, Main, Prompt
from sim.events import listen
from sim.game import load_game
from sim.jit import COMPILED
from tests.contract import Session
from tests.sim.dobbers.board import Board
from tests.sim.dobbers.contract import VARIANTS
from tests.sim.dobbers.players import busy, runner

pytestmark = pytest.mark.kernel
LABELS = ["ann", "bob", "cy", "dee"]


@pytest.mark.parametrize("label", ["as shipped", "two players A", "solo by cost", "events", "duel"])
def test_everything_that_happens_has_words(label: str) -> None:
    """Every decision, option, view and event of a whole game becomes readable lines."""
    tables = VARIANTS[label]()
    tables["turn_cap"] = 60
    session = Session(load_game("dobbers"), tables, deal=4)
    narrator = Narrator(session.state, session.tables, LABELS, None)
    lines: list[str] = []
    listen(lambda *event: lines.extend(narrator.event(*event)))
    try:
        session.open()
        lines += narrator.opening()
        while not session.over:
            lines.append(narrator.question(session.prompt))
            options = [narrator.option(session.prompt, choice) for choice in session.legal]
            assert len(set(options)) > 1
            lines += [*options, *narrator.view(session.seat)]
            player = runner if session.decisions % 4 else busy
            choice = int(player(session.state, session.tables, session.prompt, None))
            lines += narrator.decision(session.prompt, choice)
            session.choose(choice)
        lines += narrator.ending()
    finally:
        listen(None)
    text = "\n".join(lines)
    assert not re.search(r"[A-Z]\w*\.[A-Z]|<|\bnp\.|None|_", text)
    assert "Nobody wins" in lines[-1] or "wins after" in lines[-1]
    if not COMPILED:
        assert "draws" in text
        assert "shuffles" in text


def test_a_viewer_sees_the_own_hand_only() -> None:
    """Cards drawn by others and equipment they lay face down have no names."""
    board = Board()
    one = Narrator(board.state, board.tables, LABELS, 0)
    card = board.find("ember")
    assert one.event(Event.DREW, 1, card, 0, 0) == ["  seat 2 draws a card"]
    assert one.event(Event.DREW, 0, card, 0, 0) == ["  seat 1 draws Ember"]
    board.stack(0, "castle_walls", "gutter_rat", "iron_bark")
    board.state["gear_owner"][0, 1] = 2
    assert "armor face down" in "\n".join(one.view(0))
    down = "a location face down (cost 5, combat, room for 3), a creature face down (cost 1)"
    assert down in "\n".join(one.view(0))
    assert "Castle Walls" not in "\n".join(one.view(0))
    assert "Iron Bark" not in "\n".join(one.view(0))
    everybody = Narrator(board.state, board.tables, LABELS, None)
    assert "Castle Walls, Gutter Rat" in "\n".join(everybody.view(0))
    assert "Iron Bark" in "\n".join(everybody.view(0))


def test_names_of_cards_that_were_never_turned_over_stay_hidden() -> None:
    """Whoever plays sees fronts (D-19) in the row, in stacks, in events and among the options."""
    board = Board()
    board.stack(0, "castle_walls", "gutter_rat")
    walls, rat = board.number("location", "castle_walls"), board.number("creature", "gutter_rat")
    swamp = board.number("location", "swamp")
    board.lay_challenge("location", "swamp")
    board.pool(influence=9)
    board.refresh()
    one = Narrator(board.state, board.tables, LABELS, -1)
    assert one.event(Event.PLACED, 0, 0, walls, 0)[0].startswith(
        "  a location face down (cost 5, combat, room for 3) is placed on "
    )
    said = one.decision(Prompt.MAIN, Main.CHALLENGE)
    assert said == ["  seat 1 buys a location face down (travel, room for 3) for 5"]
    assert "a location face down (travel, room for 3) 5" in "\n".join(one.view(0))
    board.state["known_locations"] |= 1 << walls | 1 << swamp
    board.state["known_creatures"] |= 1 << rat
    assert "Castle Walls 3 (" in "\n".join(one.view(0))
    assert "Gutter Rat 1" in "\n".join(one.view(0))
    assert one.decision(Prompt.MAIN, Main.CHALLENGE) == ["  seat 1 buys Swamp for 5"]


def test_phrases() -> None:
    board = Board()
    board.hand(0, "strength", "hearty_mushroom")
    board.lay_row("silver")
    board.pool(influence=3)
    board.refresh()
    narrator = Narrator(board.state, board.tables, LABELS, None)
    assert narrator.decision(Prompt.MAIN, Main.BUY) == ["  seat 1 buys Silver for 3"]
    option = narrator.option(Prompt.MAIN, Main.PLAY + board.place_of("hearty_mushroom"))
    assert option == "play Hearty Mushroom (effect; Wild; 1 red, draw 1)"
    assert he_does("pass it on") == "passes it on"
    assert narrator.decision(Prompt.MAIN, Main.TRAVEL)[0].startswith("  seat 1 goes to ")
    assert narrator.decision(Prompt.MAIN, Main.PLAY_ALL) == [
        "  seat 1 uses all equipment and all effects that ask nothing"
    ]
    swamp = board.number("location", "swamp")
    victory = int(board.tables["location_victory"][swamp])
    assert text_of(board.tables, victory) == "take 1 positive token(s) or 1 influence"
    assert gains_text([0, 2, 0, 1, 1]) == "2 red, 1 gold, draw 1"
