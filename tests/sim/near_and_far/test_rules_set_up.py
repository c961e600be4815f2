"""Setting up: what is dealt, the draft, companions, interventions ("Setup", rule 51)."""

from __future__ import annotations

from typing import Any

import pytest

from sim.game import load_game
from sim.near_and_far.state import FIRST_COMPANION, GOODS, OFFER, Good, Prompt, Status
from sim.tomlfile import ProblemsError
from tests.contract import Session, bits
from tests.sim.near_and_far.contract import conserved, make_tables

pytestmark = pytest.mark.kernel
DOG, PLATYPUS, NUMBAT = 0, 1, 2
SIMPLE = {"modules__numbat": False}  # the draft comes first


def opened(players: int = 4, *, seed: int = 1, deal: int = 0, **patches: Any) -> Session:
    """Return a game at its first decision."""
    session = Session(
        load_game("near_and_far"), make_tables(players, **patches), seed=seed, deal=deal
    )
    session.open()
    return session


def until(session: Session, prompt: Prompt) -> None:
    """Take the lowest choices up to the first prompt of a kind."""
    while session.prompt != prompt:
        session.choose(session.legal[0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_everybody_starts_with(players: int) -> None:
    session = opened(players)
    state, tables = session.state, session.tables
    for seat in range(players):
        assert state["tents"][seat] == 14
        assert list(state["goods"][seat]) == [0, 3, 0, 0, 0, 0, 0]
        assert state["hearts"][seat] == state["reputation"][seat] == 0
        assert int(state["pack"][seat]).bit_count() == 5
        assert int(state["advanced_dealt"][seat]).bit_count() == 2
    assert sum(number != 0 for number in state["track"]) == 5
    assert int(state["tokens"]).bit_count() == {2: 7, 3: 10, 4: 13}[players]
    assert state["status"] == Status.PLAYING
    assert not int(state["tokens"]) & ~int(tables["quest_spaces"])
    conserved(state, tables)


def test_quests_lie_elsewhere_in_another_deal() -> None:
    assert len({int(opened(deal=deal).state["tokens"]) for deal in range(5)}) > 1


# --- the draft ------------------------------------------------------------------------------------


def test_packs_go_to_the_left() -> None:
    """Pick one and pass the rest on, again and again (Setup 10)."""
    session = opened(3, modules__numbat=False)
    packs = [int(pack) for pack in session.state["pack"][:3]]
    for seat in range(3):
        assert session.prompt == Prompt.DRAFT
        assert session.seat == seat
        assert session.legal == bits(packs[seat])
        session.choose(session.legal[-1])
    left = [pack & ~(1 << bits(pack)[-1]) for pack in packs]
    for seat in range(3):
        assert session.legal == bits(left[seat - 1])
        assert int(session.state["seen"][seat]) & packs[seat] == packs[seat]
        session.choose(session.legal[0])
    until(session, Prompt.KEEP)
    for seat in range(3):
        assert int(session.state["hand"][seat]).bit_count() == 5
    assert not session.state["pack"].any()


def test_one_of_two_advanced_cards_is_kept_at_most() -> None:
    session = opened(modules__numbat=False)
    dealt = [bits(cards) for cards in session.state["advanced_dealt"]]
    until(session, Prompt.KEEP)
    for seat in range(4):
        assert session.seat == seat
        assert session.legal == [0b00, 0b01, 0b10]
        session.choose(seat % 3)
    for seat in range(4):
        advanced = int(session.state["hand"][seat]) & int(session.tables["advanced_cards"])
        assert bits(advanced) == ([dealt[seat][seat % 3 - 1]] if seat % 3 else [])


def test_any_basic_cards_can_be_discarded() -> None:
    session = opened(modules__numbat=False)
    until(session, Prompt.KEEP)
    for _ in range(4):
        session.choose(0)
    hands = [bits(hand) for hand in session.state["hand"]]
    assert session.legal == list(range(32))
    session.choose(0b10011)
    assert bits(session.state["hand"][0]) == [hands[0][place] for place in (0, 1, 4)]
    assert set(bits(session.state["artifact_discard"])) >= {hands[0][2], hands[0][3]}


def test_the_first_turn_is_the_first_seats() -> None:
    for deal in range(4):
        session = opened(deal=deal, switches__start_order="random")
        first = int(session.state["first_seat"])
        until(session, Prompt.TURN)
        assert session.seat == first
        assert int(session.state["turn"]) == 1
    firsts = {
        int(opened(deal=deal, switches__start_order="random").state["first_seat"])
        for deal in range(20)
    }
    assert firsts == {0, 1, 2, 3}


# --- companions -----------------------------------------------------------------------------------


def test_without_the_numbat_everybody_has_a_dog_or_cat() -> None:
    session = opened(modules__numbat=False)
    assert session.prompt == Prompt.DRAFT
    assert list(session.state["companion"]) == [1 + DOG] * 4
    assert all(party == 1 << FIRST_COMPANION + DOG for party in session.state["party"])


def test_companions_are_picked_in_the_order_of_dice() -> None:
    """Rule 51: who rolls highest picks first; there is one platypus and one numbat."""
    orders = set()
    for deal in range(12):
        session = opened(deal=deal)
        order = []
        taken: list[int] = []
        while session.prompt == Prompt.COMPANION:
            order.append(session.seat)
            assert not {PLATYPUS, NUMBAT} & set(taken) & set(session.legal)
            taken.append(session.legal[-1])
            session.choose(session.legal[-1])
        assert taken[:2] == [NUMBAT, PLATYPUS]
        assert len(set(order)) == len(order) == 2  # only dogs and cats are left for the others
        orders.add(tuple(order))
        companions = [int(kind) - 1 for kind in session.state["companion"]]
        assert sorted(companions) == [DOG, DOG, PLATYPUS, NUMBAT]
    assert len(orders) > 3


# --- interventions --------------------------------------------------------------------------------


def test_a_seat_can_be_dealt_an_artifact() -> None:
    """It is in that hand after the draft, and in no deck, whoever has it."""
    card = 44
    for deal in range(3):
        session = Session(load_game("near_and_far"), make_tables(4), deal=deal)
        session.tables["deal_artifact"][2] = 1 + card
        session.open()
        while session.prompt != Prompt.TURN:
            words = [*session.state["pack"], *session.state["hand"]]
            words += [*session.state["advanced_dealt"], session.state["advanced_deck"]]
            assert not any(int(word) >> card & 1 for word in words)
            session.choose(session.legal[0])
        assert int(session.state["hand"][2]) >> card & 1
        conserved(session.state, session.tables)


def test_a_seat_can_start_with_an_adventurer_and_goods() -> None:
    session = Session(load_game("near_and_far"), make_tables(4))
    session.tables["start_member"][1] = 1 + 7
    session.tables["start_goods"][1, Good.GEM] = 2
    session.open()
    assert int(session.state["members"][1]) >> 7 & 1
    assert int(session.state["party"][1]) >> 7 & 1
    assert int(session.state["goods"][1, Good.GEM]) == 2
    assert 8 not in session.state["track"]
    conserved(session.state, session.tables)


def test_a_seat_can_start_with_an_expert_die() -> None:
    session = Session(load_game("near_and_far"), make_tables(4))
    session.tables["expert_die"][:2] = (1, 2)
    session.open()
    assert list(session.state["expert"]) == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "field", "dealt"),
    [("oak_buckler", "pack", 5), ("world_tree_seed", "advanced_dealt", 2)],
)
def test_an_artifact_can_be_dealt_first(name: str, field: str, dealt: int) -> None:
    """The first player gets it among the first cards, and as many as the others."""
    card = list(load_game("near_and_far").load(None, {}).model.artifacts).index(name)
    for deal in range(3):
        session = opened(
            deal=deal, experiment__first_card=name, switches__start_order="random", **SIMPLE
        )
        state = session.state
        assert int(state[field][state["first_seat"]]) >> card & 1
        assert [int(cards).bit_count() for cards in state[field]] == [dealt] * 4
        conserved(state, session.tables)
        usual = opened(deal=deal, switches__start_order="random", **SIMPLE).state
        assert list(usual["track"]) == list(state["track"])  # nothing else is shifted
        assert int(usual["tokens"]) == int(state["tokens"])


def test_an_adventurer_can_be_the_first_of_the_track() -> None:
    member = list(load_game("near_and_far").load(None, {}).model.adventurers).index("red_widow")
    session = opened(experiment__first_card="red_widow", **SIMPLE)
    assert session.state["track"][0] == 1 + member
    assert sum(number != 0 for number in session.state["track"]) == 5
    conserved(session.state, session.tables)
    assert list(session.state["pack"]) == list(opened(**SIMPLE).state["pack"])


def test_a_card_that_somebody_was_given_is_not_dealt_first() -> None:
    rules = load_game("near_and_far").load(None, {}).model
    for field, name, number in (
        ("deal_artifact", "oak_buckler", list(rules.artifacts).index("oak_buckler")),
        ("start_member", "red_widow", list(rules.adventurers).index("red_widow")),
    ):
        tables = make_tables(experiment__first_card=name, **SIMPLE)
        tables[field][0, 1] = 1 + number
        session = Session(load_game("near_and_far"), tables)
        session.open()
        conserved(session.state, session.tables)
        until(session, Prompt.TURN)
        held = session.state["hand" if field == "deal_artifact" else "members"]
        assert [int(cards) >> number & 1 for cards in held] == [0, 1, 0, 0]


def test_everybody_can_start_with_goods() -> None:
    goods = opened(3, experiment__goods=7).state["goods"]
    assert [list(row) for row in goods[:3]] == [
        [7 + 3 * (good == Good.COIN) for good in range(GOODS)]
    ] * 3


def test_no_more_cards_are_offered_than_choices_can_name() -> None:
    """A choice of KEEP is a subset of the cards on offer, and 63 choices are the most."""
    assert 1 << OFFER <= 62
    for key in ("setup.basic_dealt", "town.store_cards", "new_store.cards", "setup.advanced_dealt"):
        with pytest.raises(ProblemsError, match=f"{OFFER}"):
            make_tables(**{key.replace(".", "__"): OFFER + 1})
    session = opened(2, modules__numbat=False, setup__basic_dealt=OFFER)
    until(session, Prompt.KEEP)
    while session.prompt == Prompt.KEEP:
        assert session.legal[-1] < 1 << OFFER
        session.choose(session.legal[-1])
