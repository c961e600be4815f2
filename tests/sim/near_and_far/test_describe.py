"""Words for states, choices and events."""

import re

import numpy as np
import pytest

from sim.events import listen
from sim.game import load_game
from sim.jit import COMPILED
from sim.near_and_far.describe import Narrator, he_does, reward_text, symbols_text
from sim.near_and_far.state import (
    NO_DUEL,
    REWARDS,
    CampKind,
    Effect,
    Event,
    Place,
    Prompt,
    Status,
    Step,
    Turn,
)
from tests.contract import Session
from tests.sim.near_and_far.contract import VARIANTS
from tests.sim.near_and_far.players import busy, settler
from tests.sim.near_and_far.sheet import Sheet, word
from tests.sim.near_and_far.team import Team

pytestmark = pytest.mark.kernel
TOGETHER = ("together", "together, other readings", "together, railroad")
LABELS = ["ann", "bob", "cy", "dee"]


@pytest.mark.parametrize(
    "label", ["as shipped", "base game", "election", "other readings", *TOGETHER]
)
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
    who = "The team (wins|loses)" if label in TOGETHER else r"^Seat \d .*(wins|share the win)"
    ending = f"{who} after"
    if session.state["status"] != Status.WON:
        ending = "^Nobody wins: the game is stopped after"
    assert re.search(ending, lines[-1])
    if not COMPILED:
        for said in ("recruits", "rolls", "comes to", "places a camp"):
            assert said in text


def test_words_of_a_team() -> None:
    """What only a cooperative game has, choice by choice and event by event."""
    team = Team("t-a")
    team.tables["time_skull"] |= 1 << 1
    team.bosses(10, 12, left=1, spaces="ta")
    team.minion(1, Effect.REMOVE_CAMP, Place.MINE)
    team.give(coin=1)
    team.hold(3)
    for field, number, name in (
        ("boss_name", 1, b"red_king"),
        ("minion_name", 1, b"warden"),
        ("treasure_name", 3, b"old_lamp"),
        ("space_name", 1, b"ford"),
    ):
        letters = name.ljust(team.tables[field][number].nbytes, b"\0")
        team.tables[field][number] = np.frombuffer(letters, np.int64)
    narrator = Narrator(team.state, team.tables, LABELS, None)
    board = narrator.view(0)
    assert "time token on 50; next comes the skull" in board
    assert "bosses: Red King (12) on Ford" in board
    assert "Warden of the Mine: skill 6, swords 7; a camp of the mine is removed" in board
    assert narrator.option(Prompt.TURN, Turn.GIVE) == "give something to others"
    assert narrator.option(Prompt.GIVE, 2) == "give 1 coin to seat 2"
    assert narrator.option(Prompt.GIVE, 8) == "give a pack bird to seat 2"
    assert narrator.option(Prompt.GIVE, 9) == "give Old Lamp to seat 2"
    assert narrator.option(Prompt.DUEL, NO_DUEL) == "share the building"
    team.state["building"] = Place.MINE
    option = narrator.option(Prompt.MINION, 2)
    assert option == "fight Warden of the Mine: skill 6, swords 7 with swords"
    team.state["space"][0] = 1
    assert narrator.option(Prompt.BOSS, 1) == "fight Red King (12) with combat 0"
    assert narrator.threat(0) == "Red King (12)"  # no threat is left
    said = {
        (Event.CLOCK, -1, 57, 1, 0): "the time token goes to 57, which has swords",
        (Event.GIFT, 0, 1, 8, 3): "seat 1 gives Old Lamp to seat 2",
        (Event.MINION_ACTS, -1, 1, 0, 0): "Warden acts: a camp of the mine is removed",
        (Event.MINION_COVERED, 0, 1, 1, 0): "seat 1 beats Warden with swords",
        (Event.MINION_BEATEN, 0, 1, 0, 0): "Warden leaves the town",
        (Event.BOSS_LOST, 1, 1, 0, 0): "seat 2 cannot beat Red King (12)",
        (Event.CAMP, 0, CampKind.BOSS, 1, 3): "seat 1 places a camp on Red King (12) (3 left)",
    }
    for event, words in said.items():
        assert narrator.event(*event) == [f"  {words}"]


@pytest.mark.parametrize(
    ("totals", "left", "words"),
    [
        ((60, 55), 0, "The team wins after 2 turns: 115 points, 114 to beat, all bosses beaten."),
        ((60, 54), 0, "loses after 2 turns: 114 points, 114 to beat; the points are too few."),
        ((60, 55), 1, "loses after 2 turns: 115 points, 114 to beat; 1 boss is not beaten."),
    ],
)
def test_how_a_team_ends(totals: tuple[int, int], left: int, words: str) -> None:
    team = Team()
    team.token(57)
    team.bosses(10, 12, left=left)
    team.state["turn"] = 2
    team.finish(*totals)
    narrator = Narrator(team.state, team.tables, LABELS, None)
    assert narrator.ending()[-1].endswith(words)
    assert "  seat 1 (ann): 60" in narrator.ending()


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
