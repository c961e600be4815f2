"""Both scenarios as they ship, played by their prompts (rules 66 to 68)."""

from __future__ import annotations

import pytest

from sim.game import load_game
from sim.near_and_far.state import After, Place, Prompt, Step, Tally, Walk
from tests.contract import Session, bits
from tests.sim.near_and_far.contract import make_tables
from tests.sim.near_and_far.sheet import SEED, set_luck

pytestmark = pytest.mark.kernel

SCENARIOS = [("snazra_election", "cloudy_valley"), ("ancient_railroad", "meteor_mountain")]


def opened(scenario: str, sheet: str, **patches: object) -> Session:
    """Return a game of two at the first turn of seat 0, who has been in town already."""
    tables = make_tables(2, switches__map=sheet, switches__scenario=scenario, **patches)
    session = Session(load_game("near_and_far"), tables, seed=SEED)
    session.open()
    while session.prompt != Prompt.TURN:
        session.choose(session.legal[0])
    session.state["tally"][:, Tally.TURNS] = 2
    session.state["step"] = Step.ASK_TURN
    session.advance(0)
    return session


def out_and_stop(session: Session) -> None:
    """Adventure, with the party as it is, and stop where one stands."""
    session.choose(0)
    while session.prompt == Prompt.PARTY:
        session.choose(0)
    assert Prompt(session.prompt) == Prompt.MOVE
    session.choose(Walk.STOP)


def until_turn_of(session: Session, seat: int) -> None:
    """Play the others' turns, in the Saloon where it can be."""
    while not (session.prompt == Prompt.TURN and session.seat == seat):
        choice = session.legal[0]
        if session.prompt == Prompt.TURN and Place.SALOON in session.legal:
            choice = Place.SALOON
        session.choose(choice)


@pytest.mark.parametrize(("scenario", "sheet"), SCENARIOS)
def test_the_quest_on_the_town_space(scenario: str, sheet: str) -> None:
    """Rules 66 to 68: tried on leaving town, failed, tried again; its keywords are gained."""
    session = opened(scenario, sheet)
    state, tables = session.state, session.tables
    town = int(tables["town_space"])
    state["tokens"] |= 1 << town
    state["party_symbols"][0] = 0  # nobody helps, and there are no hearts
    before = int(state["tokens"])
    out_and_stop(session)
    assert state["space"][0] == town
    assert Prompt(session.prompt) == Prompt.QUEST
    set_luck(session, die=1)
    session.choose(1)
    assert state["tokens"] == before
    assert state["quests_done"][0] == 0
    until_turn_of(session, 0)
    state["party_symbols"][0] = 6  # skill
    out_and_stop(session)
    set_luck(session, die=6)
    session.choose(1)
    assert state["tokens"] == before & ~(1 << town)
    assert state["quests_done"][0] == 1
    gained = int(tables["quest_gains"][town, 0])
    assert state["keywords"][0] == gained
    assert bool(gained) == (scenario == "snazra_election")


@pytest.mark.parametrize(("scenario", "sheet"), SCENARIOS)
def test_the_town_space_of_a_scenario_takes_no_camp(scenario: str, sheet: str) -> None:
    """Rules 67 and 68: the old town is a space like others, on the route of tea leaves."""
    session = opened(scenario, sheet)
    state, tables = session.state, session.tables
    town = int(tables["town_space"])
    state["tokens"] &= ~(1 << town)
    state["hearts"][0] = 5
    out_and_stop(session)
    assert not bits(state["camped"])  # nobody was asked
    old = next(
        int(n) for n in tables["route_space"][3] if not int(tables["quest_spaces"]) >> int(n) & 1
    )
    until_turn_of(session, 0)
    state["space"][0] = old
    state["hearts"][0] = 5
    out_and_stop(session)
    assert Prompt(session.prompt) == Prompt.CAMP
    session.choose(1)
    assert state["camp"][old] == 1


@pytest.mark.parametrize(("scenario", "sheet"), SCENARIOS)
def test_hearts_are_filled_up_on_the_town_space(scenario: str, sheet: str) -> None:
    """Rules 67 and 68: the sign for hearts is there."""
    session = opened(scenario, sheet)
    state, tables = session.state, session.tables
    town = int(tables["town_space"])
    state["tokens"] &= ~(1 << town)
    out_and_stop(session)
    total = int(state["hearts"][0])
    assert total > 0
    until_turn_of(session, 0)
    state["hearts"][0] = 0
    out_and_stop(session)
    assert state["hearts"][0] == total


@pytest.mark.parametrize("scenario", ["none", "snazra_election"])
def test_a_failed_quest_goes_or_stays(scenario: str) -> None:
    """Rule 66 against rule 21, on the same map."""
    session = opened(scenario, "cloudy_valley")
    state = session.state
    space = next(n for n in bits(state["tokens"]) if n != session.tables["town_space"])
    state["place"][0] = Place.MAP
    state["space"][0] = space
    state["party_symbols"][0] = state["hearts"][0] = 0
    out_and_stop(session)
    set_luck(session, die=1)
    session.choose(1)
    if session.prompt == Prompt.AFTER_ROLL:
        session.choose(After.ACCEPT)
    assert int(state["tokens"]) >> space & 1 == (scenario != "none")
