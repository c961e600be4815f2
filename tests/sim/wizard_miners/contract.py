"""What Wizard Miners keeps at every decision, for the contract of all games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sim.game import load_game
from sim.wizard_miners.state import (
    DUE_BITS,
    DUE_SHIFT,
    EFFECTS,
    LEVELS,
    MAX_SEATS,
    SPELLS,
    TOOLS,
    Effect,
    Prompt,
    Spell,
    Status,
    Tally,
)
from tests.contract import Contract, lowest_choice
from tests.contract import __file__ as contract_file
from tests.sim.wizard_miners import players as own_players

IN_THE_AIR = {Prompt.TARGET, Prompt.TOOL, Prompt.DEFEND}  # a spell was played, not yet resolved


@cache
def _tables(count: int, patches: tuple[tuple[str, Any], ...]) -> np.ndarray:
    game = load_game("wizard_miners")
    return game.make_tables(game.load(None, dict(patches)).model, count)


def make_tables(count: int = 4, **patches: Any) -> np.ndarray:
    """Return tables of the shipped content with patches; a double underscore stands for a dot."""
    named = tuple((key.replace("__", "."), value) for key, value in patches.items())
    return _tables(count, named).copy()


def as_bytes(words: Any) -> np.ndarray:
    """Return packed words as their eight counts each, in a further axis."""
    array = np.ascontiguousarray(words)
    return array.view(np.uint8).reshape(*array.shape, 8).astype(int)


def spell_counts(words: Any) -> np.ndarray:
    """Return the cards of each spell in a packed deck."""
    return as_bytes(words).ravel()[:SPELLS]


def effect_cards(state: Any) -> np.ndarray:
    """Return how many cards of each lasting effect lie in front of each seat."""
    return as_bytes(state["effects"]).sum(axis=2)


SPELL_OF = np.full(EFFECTS, Spell.OUT_FOR_REPAIR)
SPELL_OF[Effect.WIZARD_DRILL] = Spell.WIZARD_DRILL
SPELL_OF[Effect.KNOCKED_OUT] = Spell.KNOCKED_OUT
SPELL_OF[Effect.HARD_ROCK] = Spell.HARD_ROCK
SPELL_OF[Effect.AURA : Effect.REPAIR] = Spell.MAGIC_AURA


def spells_everywhere(state: Any) -> np.ndarray:
    """Return the cards of each spell: deck, discards, hands, in play, in the air."""
    cards = spell_counts(state["deck"]) + spell_counts(state["discard"])
    cards += state["hand"].sum(axis=0)
    cards[Spell.SHORE_UP] += state["shore_ups"].sum()
    np.add.at(cards, SPELL_OF, effect_cards(state).sum(axis=0))
    if state["prompt"] in IN_THE_AIR and state["status"] == Status.PLAYING:
        cards[state["spell"]] += 1
    return cards


def expected_hits(state: Any, tables: Any) -> np.ndarray:
    """Return the cards each seat mines per number, counted from the cards in front of it."""
    level = np.arange(LEVELS)[None, None, :]
    works = state["effects"][:, Effect.REPAIR : Effect.REPAIR + TOOLS] == 0
    owned = (state["levels"][:, :, None] > level) & works[:, :, None]
    hits = np.einsum("stl,tln->sn", owned.astype(int), tables["card_hits"])
    for seat in range(int(tables["players"])):
        hits[seat, state["wizard"][seat]] += 1
    return hits


def expected_prices(state: Any, tables: Any) -> np.ndarray:
    """Return what each tool's next level costs a seat, packed as the state has it."""
    here = np.arange(MAX_SEATS) < tables["players"]
    prices = tables["next_cost"][np.arange(TOOLS), state["levels"]]
    return (prices << 8 * np.arange(TOOLS)).sum(axis=1) * here


def hits_of(state: Any) -> np.ndarray:
    """Return the cards each seat mines per number as the state has them: (seats, numbers)."""
    return state["hits"] >> (np.arange(MAX_SEATS) << DUE_SHIFT)[:, None] & (1 << DUE_BITS) - 1


def conserved(state: Any, tables: Any) -> None:
    """Assert what holds at every decision, boards set up by hand included."""
    count = int(tables["players"])
    size, above = int(tables["deck_size"]), int(tables["cards_above"])
    here = slice(0, count)
    cleaned = state["tally"][:, Tally.CLEANED]
    piles = state["face_up"] + state["face_down"] + state["rubble"] + cleaned
    assert (piles[here] == size).all(), "mine cards got lost"
    assert (piles[count:] == 0).all(), "a seat without a player has mine cards"

    all_gems = as_bytes(tables["gem_cards"]).ravel()
    gem_cards = as_bytes(state["gem_cards"])[here]
    assert (gem_cards.sum(axis=1) == state["face_down"][here]).all()
    assert (gem_cards <= all_gems).all()
    revealed = ((all_gems - gem_cards) * tables["gem_value"]).sum(axis=1)
    assert (state["tally"][here, Tally.GEMS_MINED] == revealed).all()
    for seat in range(count):
        lower_half = state["face_down"][seat] - (size - above)
        if state["cave_in_out"][seat]:
            assert lower_half <= 0
        else:
            assert lower_half >= (0 if tables["reveal_on_hit"] else 1)
    assert state["cards_out"] == state["cave_in_out"].sum()

    assert (state["prices"] == expected_prices(state, tables)).all()
    assert (hits_of(state) == expected_hits(state, tables)).all()
    works = state["effects"][:, Effect.REPAIR : Effect.REPAIR + TOOLS] == 0
    great = ((state["levels"] == LEVELS) & works) @ (1 << np.arange(TOOLS))
    assert (state["great"] == great).all()
    assert (state["owned"] == (state["levels"] > 0) @ (1 << np.arange(TOOLS))).all()
    assert (state["types"] == np.count_nonzero(state["levels"], axis=1)).all()
    assert (state["types"] <= tables["tool_types"]).all()
    for level in range(LEVELS):
        owned = (state["levels"] > level).sum(axis=0)
        assert (owned <= tables["tool_supply"]).all()
    assert state["dynamite_supply"] + state["dynamite"].sum() == tables["dynamite_supply"]

    hand = state["hand"]
    assert (state["hand_size"] == hand.sum(axis=1)).all()
    assert (state["hand_kinds"] == (hand > 0) @ (1 << np.arange(SPELLS))).all()
    drawing = state["prompt"] in (Prompt.DISCARD, Prompt.BUY_SPELL)
    for seat in range(count):
        if not (drawing and seat == state["active"]) and state["status"] == Status.PLAYING:
            assert state["hand_size"][seat] <= tables["hand_limit"]
    assert (state["lasting"] == effect_cards(state).sum(axis=1)).all()
    assert state["deck_size"] == spell_counts(state["deck"]).sum()
    assert state["discard_size"] == spell_counts(state["discard"]).sum()
    printed = spell_counts(tables["spell_deck"]) * int(tables["spells_on"])
    assert (spells_everywhere(state) == printed).all(), "spell cards got lost"


def invariants(state: Any, tables: Any) -> None:
    """Assert what holds at every decision of a game played from its start."""
    conserved(state, tables)
    start = dict(zip(tables["wizard_number"], tables["starting_gems"], strict=True))
    for seat in range(int(tables["players"])):
        mined = state["tally"][seat, Tally.GEMS_MINED]
        assert state["gems"][seat] <= start[state["wizard"][seat]] + mined, "gems from nowhere"


def unseen(state: Any, seat: int) -> tuple[int, ...]:
    """Return the hands of the others: what a seat cannot know."""
    others = [other for other in range(MAX_SEATS) if other != seat]
    return tuple(int(cards) for cards in state["hand"][others].ravel())


def blank(states: np.ndarray, seat: int) -> np.ndarray:
    """Return a copy of a state without what a seat cannot know; hand sizes stay."""
    copy = states.copy()
    for name in ("hand", "hand_kinds", "last_spell", "memo"):
        for other in range(MAX_SEATS):
            if other != seat:
                copy[name][0, other] = 0
    copy["deck"] = 0
    return copy


VARIANTS: dict[str, Callable[[], np.ndarray]] = {
    "as shipped": lambda: make_tables(4),
    "three players": lambda: make_tables(3),
    "hit": lambda: make_tables(4, switches__cave_in_reveal="hit", cave_in__die_faces=3),
    "no spells": lambda: make_tables(4, switches__spells=False),
    "no dynamite": lambda: make_tables(3, switches__dynamite=False, cave_in__die_faces=0),
    "random": lambda: make_tables(
        3, switches__start_order="random", switches__wizard_assignment="random"
    ),
    "scarce": lambda: make_tables(4, tools__supply=1, dynamite__supply=2),
    "many spells": lambda: make_tables(4, hand__free=9, hand__limit=12),
}

PATCHES: dict[str, tuple[Any, ...]] = {
    "switches.spells": (True, True, False),
    "switches.dynamite": (True, True, False),
    "switches.cave_in_reveal": ("exposed", "hit"),
    "switches.start_order": ("seat_1", "random"),
    "switches.wizard_assignment": ("in_order", "random"),
    "cave_in.die_faces": (0, 1, 2, 3, 6),
    "stall.roll_cap": (400, 37),
    "tools.supply": (4, 1),
    "dynamite.supply": (16, 3),
    "hand.free": (1, 4),
    "spells.reflect.count": (4, 30),
}


@cache
def contract() -> Contract:
    """Return the contract of Wizard Miners."""
    return Contract(
        game=load_game("wizard_miners"),
        variants=VARIANTS,
        invariants=invariants,
        signed=frozenset({"winner", "leader", "leader_at", "spell_tool"}),
        turn_limit=80,
        unseen=unseen,
        blank=blank,
        deciders={
            "lowest": (lowest_choice, contract_file),
            "passive": (own_players.passive, own_players.__file__),
            "drill_first": (own_players.drill_first, own_players.__file__),
            "busy": (own_players.busy, own_players.__file__),
        },
        patches=PATCHES,
        own_defaults=frozenset({int(Prompt.DISCARD)}),
    )
