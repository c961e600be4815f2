"""What Dobbers keeps at every decision, for the contract of all games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from sim.dobbers.state import (
    ALIGNED,
    FIRST_ADVENTURE,
    FIRST_EVENT,
    FIRST_SOLO,
    KIND_BITS,
    MAX_SEATS,
    STARTERS,
    WAY_BITS,
    Prompt,
    Status,
)
from sim.game import load_game
from tests.contract import Contract, lowest_choice
from tests.contract import __file__ as contract_file
from tests.sim.dobbers import players as own_players


@cache
def _tables(count: int, patches: tuple[tuple[str, Any], ...]) -> np.ndarray:
    game = load_game("dobbers")
    return game.make_tables(game.load(None, dict(patches)).model, count)


def make_tables(count: int = 4, **patches: Any) -> np.ndarray:
    """Return tables of the shipped content with patches; a double underscore stands for a dot."""
    named = tuple((key.replace("__", "."), value) for key, value in patches.items())
    return _tables(count, named).copy()


def chain(state: Any, link: int) -> list[int]:
    """Return the cards of a pile, from its top."""
    cards = []
    after = state["next"]
    while link:
        cards.append(int(link) - 1)
        assert len(cards) <= 256, "a pile bites its tail"
        link = after[cards[-1]]
    return cards


def hand(state: Any, seat: int) -> list[int]:
    """Return the cards of a hand."""
    return [int(card) for card in state["hand"][seat, : int(state["hand_size"][seat])]]


def deck(state: Any, seat: int) -> list[int]:
    """Return the cards of a seat's deck, in no order."""
    return chain(state, state["deck"][seat])


def discard(state: Any, seat: int) -> list[int]:
    """Return the cards of a seat's discard pile, from its top."""
    return chain(state, state["discard"][seat])


def whereabouts(state: Any, tables: Any) -> list[int]:
    """Return every card that is somewhere, once for each place it is in."""
    cards: list[int] = []
    for seat in range(MAX_SEATS):
        piles = (deck(state, seat), discard(state, seat), hand(state, seat))
        sizes = (state["deck_size"], state["discard_size"], state["hand_size"])
        for pile, size in zip(piles, sizes, strict=True):
            assert len(pile) == size[seat]
            cards += pile
        assert not state["hand"][seat, len(piles[2]) :].any()
    for field in ("equipment", "forged", "row", "gear"):
        cards += [int(link) - 1 for link in state[field].ravel() if link]
    size = int(state["played_size"])
    assert not state["played"][size:].any()
    cards += [int(card) for card in state["played"][:size]]
    left = FIRST_ADVENTURE + np.flatnonzero(state["adventure"])
    assert len(left) == state["adventure_size"] == state["adventure"].sum()
    cards += left.tolist()
    destroyed = chain(state, state["destroyed"])
    assert len(destroyed) == state["destroyed_size"]
    return cards + destroyed


@lru_cache(maxsize=8)
def expected_cards(rules: bytes) -> frozenset[int]:
    """Return the cards that must be somewhere; special cards are in the deck until revealed.

    rules: the bytes of the tables, which stay the same for a game and are asked for at every
    decision of it.
    """
    tables = np.frombuffer(rules, load_game("dobbers").tables)[0]
    players = int(tables["players"])
    numbers = range(int(tables["starting_cards"]))
    cards = {seat * STARTERS + number for seat in range(players) for number in numbers}
    if players == 2 and tables["start_silver"]:
        for seat in range(players):
            kinds = [int(tables["card_kind"][seat * STARTERS + number]) for number in numbers]
            first = kinds.index(int(tables["start_replaced"]))
            cards.discard(seat * STARTERS + first)
    silvers = players if players == 2 and tables["start_silver"] else 0
    for number in range(int(tables["adventure_cards"])):
        card = FIRST_ADVENTURE + number
        kind = int(tables["card_kind"][card])
        if silvers and kind + 1 == tables["start_silver"]:
            silvers -= 1  # in a starting deck, whatever is left out of the adventure deck
            cards.add(card)
        elif not int(tables["left_out"][kind // KIND_BITS]) >> kind % KIND_BITS & 1:
            cards.add(card)
    return frozenset(cards)


def conserved(state: Any, tables: Any) -> None:
    """Assert what holds at every decision, boards set up by hand included."""
    cards = whereabouts(state, tables)
    assert len(cards) == len(set(cards)), "a card is in two places"
    plain = {card for card in cards if card < FIRST_SOLO}
    assert plain == expected_cards(tables.tobytes()), "cards got lost"
    solo = sum(FIRST_SOLO <= card < FIRST_EVENT for card in cards)
    events = sum(card >= FIRST_EVENT for card in cards)
    if tables["solo"]:
        assert solo + state["solo_left"] == tables["solo_cards"]
        assert events == 0
    else:
        assert solo == 0
        assert events + state["events_left"] == tables["event_cards"] * tables["events"]

    size = int(state["location_deck_size"])
    locations = [int(n) - 1 for f in ("location", "location_row") for n in state[f] if n]
    locations += [int(n) for n in state["location_deck"][:size]]
    assert len(locations) == len(set(locations)), "a location is in two places"
    if not tables["solo"]:
        assert len(locations) == tables["locations"], "locations got lost"
    size = int(state["creature_deck_size"])
    creatures = [int(n) - 1 for f in ("creature", "creature_row") for n in state[f] if n]
    creatures += [int(n) for n in state["creature_deck"][:size]]
    creatures += [n for n in range(32) if int(state["creatures_destroyed"]) >> n & 1]
    assert sorted(creatures) == list(range(int(tables["creatures"]))), "creatures got lost"
    tokens = state["token_pile"] + state["tokens"].sum(axis=0)
    assert (tokens == tables["token_count"]).all(), "tokens got lost"

    assert not (state["forged"][state["equipment"] == 0]).any()
    occupied = state["gear"] != 0
    assert not (state["gear_owner"] != 0)[~occupied].any()
    assert not state["creature"][state["location"] == 0].any()
    if state["prompt"] in (Prompt.MAIN, Prompt.FIGHT) and state["status"] == Status.PLAYING:
        assert not occupied[state["creature"] == 0].any()
        assert state["todo_size"] == 0
        assert state["seat"] == state["active"]
    under = occupied.sum(axis=1) + (state["creature"] != 0) * tables["capacity_with_creature"]
    for encounter in np.flatnonzero(state["location"]):
        capacity = tables["location_capacity"][state["location"][encounter] - 1]
        assert under[encounter] <= max(1, capacity)
    for seat in range(int(tables["players"])):
        for slot in range(3):
            card = int(state["equipment"][seat, slot]) - 1
            assert card < 0 or tables["type"][tables["card_kind"][card]] == slot + 1
    for encounter, slot in np.argwhere(occupied):
        card = int(state["gear"][encounter, slot]) - 1
        assert tables["type"][tables["card_kind"][card]] == slot + 1


def worn(state: Any, tables: Any, seat: int) -> int:
    """Return the cards of each alignment that a seat wears, packed; a pair counts for both."""
    packed = 0
    for links in zip(state["equipment"][seat], state["forged"][seat], strict=True):
        kinds = [tables["card_kind"][int(link) - 1] for link in links if link]
        packed += sum(
            1 << (ALIGNED * own) for own in {int(tables["alignment"][k]) for k in kinds} if own
        )
    return packed


def invariants(state: Any, tables: Any) -> None:
    """Assert what holds at every decision of a game played from its start."""
    conserved(state, tables)
    if state["status"] == Status.WON:
        winner = int(state["winner"])
        assert state["square"][winner] == tables["key_square"]
        assert state["arrived"][winner] > 0
    hands = state["hand_size"][: int(tables["players"])]
    for seat in range(len(hands)):
        way = int(state["ways"]) >> (WAY_BITS * seat) & ((1 << WAY_BITS) - 1)
        assert way == tables["distance"][state["square"][seat]]
        assert int(state["worn"][seat]) == worn(state, tables, seat)
    if state["turn"] > 0 and state["status"] == Status.PLAYING:
        others = [seat for seat in range(len(hands)) if seat != state["active"]]
        assert all(hands[seat] <= max(tables["draw"], 5) + 8 for seat in others)


def fronts(tables: Any) -> tuple[list[int], list[int]]:
    """Return for each location and creature the first one whose front looks like it."""
    shown = ("location_cost", "location_icon", "location_capacity")
    locations = [tuple(map(int, front)) for front in zip(*(tables[f] for f in shown), strict=True)]
    creatures = [int(c) for c in tables["creature_cost"]]
    return [locations.index(f) for f in locations], [creatures.index(f) for f in creatures]


def unseen(state: Any, seat: int) -> tuple[int, ...]:
    """Return what a seat cannot know: hands of the others, hidden sides, hidden equipment."""
    parts: list[int] = []
    for other in range(MAX_SEATS):
        if other != seat:
            parts += sorted(hand(state, other))
    for field, known in (("location", "known_locations"), ("creature", "known_creatures")):
        for number in state[field]:
            if number and not int(state[known]) >> (int(number) - 1) & 1:
                parts.append(int(number))
    hidden = (state["gear_owner"] != 0) & (state["gear_owner"] != seat + 1)
    return (*parts, *(int(link) for link in state["gear"][hidden]))


def blank(states: np.ndarray, seat: int) -> np.ndarray:
    """Return a copy of a state without what a seat cannot know; hand sizes stay."""
    copy = states.copy()
    state = copy[0]
    alike_locations, alike_creatures = fronts(make_tables(4)[0])
    for other in range(MAX_SEATS):
        for card in deck(states[0], other):
            state["next"][card] = 0
        if other != seat:
            for card in hand(states[0], other):
                state["next"][card] = 0
            state["hand"][other] = 0
            state["memo"][other] = 0
    for field in ("deck", "in_order", "keys", "ranked"):  # nobody knows in which order decks lie
        state[field] = 0
    for field, known, alike in (
        ("location", "known_locations", alike_locations),
        ("creature", "known_creatures", alike_creatures),
    ):
        for row in (field, f"{field}_row"):
            for place, number in enumerate(states[0][row]):
                if number and not int(state[known]) >> (int(number) - 1) & 1:
                    state[row][place] = alike[int(number) - 1] + 1
        for place in range(int(state[f"{field}_deck_size"])):
            state[f"{field}_deck"][place] = alike[int(states[0][f"{field}_deck"][place])]
    state["gear"][(state["gear_owner"] != 0) & (state["gear_owner"] != seat + 1)] = 0
    return copy


VARIANTS: dict[str, Callable[[], np.ndarray]] = {
    "as shipped": lambda: make_tables(4),
    "three players": lambda: make_tables(3, stall__turn_cap=120),
    "two players": lambda: make_tables(2, stall__turn_cap=120),
    "two players A": lambda: make_tables(2, switches__two_player_a=True, stall__turn_cap=120),
    "two players B": lambda: make_tables(2, switches__two_player_b=True, stall__turn_cap=120),
    "solo by position": lambda: make_tables(1, stall__turn_cap=80),
    "solo by cost": lambda: make_tables(1, solo__removal="cost", stall__turn_cap=80),
    "duel": lambda: make_tables(4, switches__duel=True, stall__turn_cap=120),
    "events": lambda: make_tables(4, switches__events=True, stall__turn_cap=120),
    "no tan boxes": lambda: make_tables(3, switches__tan_boxes=False, stall__turn_cap=120),
    "other readings": lambda: make_tables(
        3,
        switches__text_order="results_first",
        switches__results_after_defeat=True,
        switches__points_lost_on_defeat=False,
        switches__play_after_reveal=False,
        switches__capacity_counts_creature=False,
        switches__outwit_influence="all",
        switches__start_order="random",
        stall__turn_cap=120,
    ),
    "first and last card": lambda: make_tables(
        3, experiment__first_card="ember", experiment__left_out="silver", stall__turn_cap=60
    ),
}

PATCHES: dict[str, tuple[Any, ...]] = {
    "switches.duel": (False, True),
    "switches.two_player_a": (False, True),
    "switches.two_player_b": (False, True),
    "switches.tan_boxes": (True, False),
    "switches.events": (False, True),
    "switches.text_order": ("victory_first", "results_first"),
    "switches.results_after_defeat": (False, True),
    "switches.points_lost_on_defeat": (True, False),
    "switches.play_after_reveal": (True, False),
    "switches.capacity_counts_creature": (True, False),
    "switches.outwit_influence": ("base", "none", "all"),
    "switches.start_order": ("seat_1", "random"),
    "solo.removal": ("position", "cost"),
    "stall.turn_cap": (60, 37),
    "experiment.left_out": ("none", "silver", "cull ember rot_blade"),
    "experiment.first_card": ("none", "silver_sword"),
}


@cache
def contract() -> Contract:
    """Return the contract of Dobbers."""
    return Contract(
        game=load_game("dobbers"),
        variants=VARIANTS,
        invariants=invariants,
        signed=frozenset({"winner", "leader", "leader_at", "shown"}),
        turn_limit=200,
        unseen=unseen,
        blank=blank,
        deciders={
            "lowest": (lowest_choice, contract_file),
            "runner": (own_players.runner, own_players.__file__),
            "busy": (own_players.busy, own_players.__file__),
        },
        patches=PATCHES,
        own_defaults=frozenset({int(Prompt.MAIN)}),
    )
