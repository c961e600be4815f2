"""Words for states, choices and events."""

import re

import pytest

from sim.events import listen
from sim.game import load_game
from sim.jit import COMPILED
from sim.near_and_far.describe import Narrator, he_does, reward_text, symbols_text
from sim.near_and_far.state import REWARDS, Event, Prompt, Step, Turn
from tests.contract import Session
from tests.sim.near_and_far.contract import VARIANTS
from tests.sim.near_and_far.players import busy, settler
from tests.sim.near_and_far.sheet import Sheet, word

pytestmark = pytest.mark.kernel
LABELS = ["ann", "bob", "cy", "dee"]


@pytest.mark.parametrize("label", ["as shipped", "base game", "election", "other readings"])
def test_everything_that_happens_has_words(label: str) -> None:
    """Every decision, option, view and event of a whole game becomes readable lines."""
    session = Session(load_game("near_and_far"), VARIANTS[label](), deal=4)
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
            player = settler if session.decisions % 4 else busy
            choice = int(player(session.state, session.tables, session.prompt, None))
            lines += narrator.decision(session.prompt, choice)
            session.choose(choice)
        lines += narrator.ending()
    finally:
        listen(None)
    text = "\n".join(lines)
    found = re.search(r"[A-Z]\w*\.[A-Z]|<|\bnp\.|None|_", text)
    assert not found, text[max(0, found.start() - 80) : found.end() + 80]
    assert "Nobody wins" in lines[-1] or "win" in lines[-1]
    if not COMPILED:
        for said in ("recruits", "rolls", "comes to", "places a camp"):
            assert said in text


def test_a_viewer_sees_the_own_hand_only() -> None:
    session = Session(load_game("near_and_far"), VARIANTS["as shipped"]())
    session.open()
    while session.prompt != Prompt.TURN:
        session.choose(session.legal[-1])
    card = int(session.state["hand"][1]).bit_length() - 1
    one = Narrator(session.state, session.tables, LABELS, 0)
    other = Narrator(session.state, session.tables, LABELS, 1)
    assert one.artifact(card) not in "\n".join(one.view(0))
    assert one.artifact(card) in "\n".join(other.view(1))
    assert one.event(Event.KEPT, 1, card, 0, 0) == []
    assert other.event(Event.KEPT, 1, card, 0, 0) == [f"  seat 2 keeps {one.artifact(card)}"]


def test_phrases() -> None:
    sheet = Sheet("t-a a-b$")
    sheet.party(skill=2, hearts=4)
    sheet.stand("a", movement=2, hearts=4)
    sheet.at(Step.ASK_MOVE)
    narrator = Narrator(sheet.state, sheet.tables, LABELS, None)
    road = next(choice for choice in sheet.legal if "treasure" in narrator.option(20, choice))
    assert narrator.decision(Prompt.MOVE, road)[0].endswith("(treasure on the way)")
    assert narrator.option(Prompt.TURN, Turn.ADVENTURE) == "go on an adventure"
    assert narrator.decision(Prompt.STABLES, 0) == ["  seat 1 buys no pack bird"]
    assert he_does("pass it on") == "passes it on"
    assert symbols_text(word(skill=2, hearts=1)) == "2 skill, 1 hearts"
    assert reward_text([0, 2, 1] + [0] * (REWARDS - 3)) == "2 coins, 1 gem"
