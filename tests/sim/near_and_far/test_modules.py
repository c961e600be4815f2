"""Random legal combinations of modules, maps, scenarios and readings, played at random.

`audit` and `points_by_hand` are a second opinion: written from the rules, slow, on sets and lists.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.game import load_game
from sim.jit import COMPILED
from sim.near_and_far.basics import pick_card
from sim.near_and_far.scoring import score
from sim.near_and_far.state import (
    FIRST_COMPANION,
    MINE_ENTRANCE,
    MINE_ROW,
    Ability,
    EndTrigger,
    Good,
    Prompt,
    Source,
    Status,
    Stream,
    Symbol,
)
from tests.contract import Session, bits, check_open_prompt

NEEDS: dict[str, tuple[str, ...]] = {
    "amber_mines": (),
    "new_general_store": (),
    "expert_dice": (),
    "numbat": (),
    "magic": ("amber_mines",),
    "miners": ("amber_mines",),
    "magic_teachers": ("amber_mines", "magic"),
    "amber_treasures": ("amber_mines", "magic"),
    "amber_artifacts": ("amber_mines", "magic"),
    "coop": ("amber_mines",),
    "minions": ("coop",),
}
SWITCHES: dict[str, tuple[Any, ...]] = {
    "scoring": ("stated", "full"),
    "end_trigger": ("usual", "quests", "camps", "either"),
    "finish_round": (True, False),
    "heart_cost": ("cross", "leave"),
    "farm_cards": (True, False),
    "mine_left": (False, True),
    "hearts_before_roll": (False, True),
    "shared_win": (True, False),
    "dummy": ("town_hall", "mine", "none"),
    "talents": (False, True),
    "start_order": ("seat_1", "random"),
    "difficulty": ("sun", "moon"),
    "boss_fights": ("space", "after_threats"),
    "coop_at_least": (False, True),
    "coop_duels": (False, True),
}
SCENARIOS = {"cloudy_valley": "snazra_election", "meteor_mountain": "ancient_railroad"}


@st.composite
def combinations(draw: st.DrawFn) -> dict[str, Any]:
    """Draw patches that make a legal game."""
    on: set[str] = set()
    for module, needs in NEEDS.items():
        if on >= set(needs) and draw(st.booleans()):
            on.add(module)
    patches: dict[str, Any] = {f"modules.{module}": module in on for module in NEEDS}
    patches["modules.new_threats"] = bool(on) or draw(st.booleans())
    for module in ("heart_total", "map_scarcity"):
        patches[f"modules.{module}"] = draw(st.booleans())
    for switch, values in SWITCHES.items():
        patches[f"switches.{switch}"] = draw(st.sampled_from(values))
    sheet = draw(st.sampled_from(["glogo_caverns", *SCENARIOS]))
    patches["switches.map"] = sheet
    if sheet in SCENARIOS and draw(st.booleans()):
        patches["switches.scenario"] = SCENARIOS[sheet]
    patches["stall.turn_cap"] = 180 if COMPILED else 40
    return patches


# --- a second opinion on what must hold -----------------------------------------------------------


def packed(word: int, symbol: Symbol) -> int:
    return int(word) // 256**symbol % 128


def disjoint_union(*sets: int) -> int:
    """Return the union of sets of bits, which must have nothing in common."""
    union = 0
    for some in sets:
        assert union & int(some) == 0, "a card is in two places"
        union |= int(some)
    return union


def audit_camps(state: Any, tables: Any, seats: range) -> None:
    """Every camp is on the player board or in one place."""
    spaces = range(int(tables["spaces"]))
    on_map = {n: int(state["camp"][n]) - 1 for n in spaces if state["camp"][n]}
    assert set(on_map) == set(bits(state["camped"]))
    assert not set(on_map) & set(bits(tables["no_camp"]))
    for seat in seats:
        assert {n for n, owner in on_map.items() if owner == seat} == set(
            bits(state["map_camps"][seat])
        )
        mine = sum(int(owner) == seat + 1 for owner in state["mine_camp"])
        mine += sum(int(owner) == seat + 1 for owner in state["area_camp"])
        assert mine == state["mine_camps"][seat]
        threats = sum(
            int(owner) == seat + 1 and bool(tables["threat_camp"][n])
            for n, owner in enumerate(state["threat_owner"])
        )
        assert state["threat_camps"][seat] <= threats
        placed = [
            len(bits(state["map_camps"][seat])),
            mine,
            int(state["threat_camps"][seat]),
            int(state["magic_camps"][seat]),
            int(state["store_camps"][seat]),
            int(state["boss_camps"][seat]),
        ]
        assert sum(placed) + state["tents"][seat] == tables["tents"]
    assert state["magic_camps"].sum() + state["magic_camps_left"] == tables["magic_camps"]
    assert state["store_camps"].sum() + state["store_camps_left"] == tables["store_camps"]


def audit_mine(state: Any, tables: Any) -> None:
    """Cards are in the deck or on a cell, and none lies alone."""
    laid = {card: int(at) - 1 for card, at in enumerate(state["mine_at"]) if at}
    assert len(set(laid.values())) == len(laid)
    cards = sum(1 << card for card in laid if card)
    assert disjoint_union(cards, state["mine_deck"]) == tables["mine_cards"]
    assert not state["mine_camp"][0]
    for card, owner in enumerate(state["mine_camp"]):
        assert not owner or card in laid
    at = {divmod(place, MINE_ROW): card for card, place in laid.items()}
    for (row, column), card in at.items():
        sides = ((row, column - 1), (row, column + 1), (row + 1, column), (row - 1, column))
        near = [1 + at.get(side, -1) for side in sides]
        assert [int(state["mine_near"][card]) >> 8 * n & 255 for n in range(1, 5)] == near
        assert card == 0 or any(near)
        assert column >= MINE_ENTRANCE or tables["mine_left"]
    rows = {row for row, _ in at}
    assert rows == set(range(len(rows)))


def audit_cards(state: Any, tables: Any, seats: range) -> None:
    """Treasures, spells, adventurers and artifacts are each in one place."""
    drawn = int(state["drawn_treasure"])
    treasures = [state["treasure_deck"], state["treasure_discard"], *state["treasures"]]
    treasures.append(1 << (drawn - 1) if drawn else 0)
    assert disjoint_union(*treasures) == tables["treasure_cards"]
    for kind in range(10):
        piles = [state[n] for n in ("spell_deck", "spell_discard", "drawn_counts")]
        cards = sum(int(pile[kind // 8]) >> 8 * (kind % 8) & 127 for pile in piles)
        owned = sum(int(state["spells"][seat]) >> kind & 1 for seat in seats)
        assert cards + owned == int(tables["spell_deck"][kind // 8]) >> 8 * (kind % 8) & 127
    track = [1 << (int(member) - 1) for member in state["track"] if member]
    people = (1 << FIRST_COMPANION) - 1
    recruited = [int(state["members"][seat]) & people for seat in seats]
    supply = disjoint_union(state["bag"], state["bag_out"], *track, *recruited)
    assert supply == tables["adventurers"]
    for kind, left in enumerate(state["companions_left"]):
        taken = sum(int(state["companion"][seat]) == kind + 1 for seat in seats)
        assert left + taken == tables["companion_count"][kind]
    offer = [1 << (int(card) - 1) for card in state["offer"] if card]
    if state["turn"] > 0 and state["prompt"] != Prompt.KEEP:
        assert not offer
        hands = [*state["hand"], *state["bought"], *state["pack"]]
        piles = [state["basic_deck"], state["advanced_deck"], state["artifact_discard"]]
        assert disjoint_union(*hands, *piles) == tables["basic_cards"] | tables["advanced_cards"]


def audit_seat(state: Any, tables: Any, seat: int) -> None:
    """A seat's party, hearts, goods and treasures are within their limits."""
    party = bits(state["party"][seat])
    assert set(party) <= set(bits(state["members"][seat]))
    assert len(party) <= 4
    factions = [int(tables["member_faction"][n]) for n in party if tables["member_faction"][n]]
    assert len(factions) == len(set(factions))
    for symbol in Symbol:
        assert packed(state["party_symbols"][seat], symbol) == sum(
            packed(tables["member_symbols"][n], symbol) for n in party
        )
        cards = [packed(tables["artifact_symbols"][n], symbol) for n in bits(state["bought"][seat])]
        cards += [
            packed(tables["treasure_symbols"][n], symbol) for n in bits(state["treasures"][seat])
        ]
        assert packed(state["card_symbols"][seat], symbol) == sum(cards)
    both = state["party_symbols"][seat] + state["card_symbols"][seat]
    total = min(int(tables["most_hearts"]), packed(both, Symbol.HEARTS))
    assert 0 <= state["hearts"][seat] <= (total if tables["heart_total"] else 13)
    assert state["goods"][seat].min() >= 0
    assert tables["reputation_low"] <= state["reputation"][seat] <= tables["reputation_high"]
    assert 0 <= state["birds"][seat] <= tables["most_birds"]
    abilities = 0
    for n in bits(state["bought"][seat]):
        abilities |= int(tables["artifact_ability"][n])
    for n in bits(state["treasures"][seat]):
        abilities |= int(tables["treasure_ability"][n])
    assert state["abilities"][seat] == abilities
    pack = bool(abilities & Ability.MERCHANT_PACK)
    room = int(tables["most_birds"]) if pack else int(state["birds"][seat])
    if state["prompt"] != Prompt.TREASURE:
        assert len(bits(state["treasures"][seat])) <= room
    assert state["spells_up"][seat] & ~state["spells"][seat] == 0
    if int(state["expert"][seat]) and state["turn"] > 0:
        assert tables["expert_dice"]


def audit_modules(state: Any, tables: Any) -> None:
    """What belongs to a module stays away without it."""
    if not tables["amber_mines"]:
        assert not state["mine_camp"].any()
        assert (state["mine_at"] != 0).sum() <= 1
        assert not state["amber"].any()
    else:
        assert not state["area_camp"].any()
    if not tables["magic"]:
        assert not state["magic"].any()
        assert not state["spells"].any()
        assert not state["magic_camps"].any()
    if not tables["new_general_store"]:
        assert not state["store_camps"].any()
    members = list(bits(int(tables["adventurers"])))
    words = [int(tables["member_symbols"][n]) for n in members]
    assert sum(packed(word, Symbol.PICKAX) > 0 for word in words) == 5 * int(tables["miners"])
    assert sum(packed(w, Symbol.MAGIC) > 0 for w in words) == 4 * int(tables["magic_teachers"])
    assert not state["keywords"].any() or tables["scenario"] == 1
    if not tables["coop"]:
        assert not state["bosses"]
        assert not state["time_value"]
    if not tables["minions"]:
        assert not state["minion_deck"] | state["minions_in_town"]
    levels = [int(n) for n in tables["threat_level"][: int(tables["threats"])]]
    assert levels == [*range(4, 16), *([20] if tables["new_threats"] else [])]
    assert bits(int(tables["treasure_cards"])) == list(
        range(36 + 4 * int(tables["amber_treasures"]))
    )


def audit(state: Any, tables: Any) -> None:
    """Assert what holds at every decision."""
    seats = range(int(tables["players"]))
    audit_camps(state, tables, seats)
    audit_mine(state, tables)
    audit_cards(state, tables, seats)
    for seat in seats:
        audit_seat(state, tables, seat)
    owned = [n for n, owner in enumerate(state["threat_owner"]) if owner]
    assert len(owned) + state["threats_removed"] == state["threat"]
    assert all(n < state["threat"] for n in owned)
    assert not state["threats_removed"] or tables["minions"]
    assert not int(state["tokens"]) & ~int(tables["quest_spaces"])


# --- a second opinion on points -------------------------------------------------------------------


def ranks(amounts: list[int]) -> list[int]:
    """Return the place of each amount, 1 for the highest; equal ones share it, none is left out."""
    order = sorted(set(amounts), reverse=True)
    return [order.index(amount) + 1 for amount in amounts]


def points_by_hand(state: Any, tables: Any) -> list[dict[Source, int]]:
    """Return the points of each seat by source (section 6 of the facts: nothing of ours in it)."""
    seats = range(int(tables["players"]))
    points: list[dict[Source, int]] = [dict.fromkeys(Source, 0) for _ in seats]
    amber = []
    for seat in seats:
        own = points[seat]
        bought, held = bits(state["bought"][seat]), bits(state["treasures"][seat])
        own[Source.ARTIFACTS] = sum(int(tables["artifact_points"][n]) for n in bought)
        own[Source.UNBOUGHT] = -len(bits(state["hand"][seat]))
        own[Source.CAMPS] = int(tables["tents"] - state["tents"][seat])
        own[Source.ALL_CAMPS] = 2 * (state["tents"][seat] == 0)
        own[Source.THREATS] = sum(
            int(tables["threat_points"][n])
            for n, owner in enumerate(state["threat_owner"])
            if owner == seat + 1
        )
        own[Source.QUESTS] = int(state["journey"][seat])
        own[Source.TREASURES] = sum(int(tables["treasure_points"][n]) for n in held)
        pack = any(tables["artifact_ability"][n] & Ability.MERCHANT_PACK for n in bought)
        own[Source.TREASURE_SET] = 5 * (len(held) == 3 and (pack or state["birds"][seat] == 3))
        own[Source.SPELLS] = len(bits(state["spells"][seat]))
        own[Source.KEYWORDS] = sum(
            int(tables["keyword_points"][n]) for n in bits(state["keywords"][seat])
        )
        cards = [n for n, owner in enumerate(state["mine_camp"]) if owner == seat + 1]
        found = sum(int(tables["mine_amber"][n]) for n in cards)
        amber.append(found + sum(int(tables["treasure_amber"][n]) for n in held))
        if tables["reputation_steps"]:
            steps = max(0, int(state["reputation"][seat]))
            own[Source.REPUTATION] = steps // int(tables["reputation_steps"])
            value = sum(int(state["goods"][seat, n] * tables["good_value"][n]) for n in Good)
            own[Source.GOODS] = value // int(tables["goods_step"])
    for resource in range(4):
        owners = [int(state["camp"][n]) - 1 for n in tables["route_space"][resource]]
        if min(owners) >= 0:
            alone = owners[0] == owners[1]
            for owner in set(owners):
                share = tables["route_alone"] if alone else tables["route_joint"]
                points[owner][Source.ROUTES] += int(share[resource])
    magic = [int(state["magic"][seat]) for seat in seats]
    reputation = [int(state["reputation"][seat]) for seat in seats]
    for seat in seats:
        if tables["amber_mines"] and amber[seat] > 0:
            points[seat][Source.AMBER] = {1: 5, 2: 3}.get(ranks(amber)[seat], 0)
        if magic[seat] > 0:
            points[seat][Source.MAGIC] = 2 * (ranks(magic)[seat] == 1)
        if ranks(reputation)[seat] == 1:
            points[seat][Source.TALENTS] = int(tables["storytelling_points"])
    for faction in range(4):
        banners = []
        for seat in seats:
            owned = bits(state["members"][seat])
            count = sum(int(tables["member_faction"][n]) == faction + 1 for n in owned)
            banners.append(count + int(state["goods"][seat, 3 + faction]))
        if banners.count(max(banners)) == 1 and max(banners) > 0:
            best = banners.index(max(banners))
            points[best][Source.CHIEFS] += int(tables["chief_points"][faction])
    return points


def compare_points(session: Session) -> None:
    """Score the game as it stands and compare with the points counted by hand."""
    session.call(score, "state tables")
    for seat, own in enumerate(points_by_hand(session.state, session.tables)):
        ours = {source: int(session.state["points"][seat, source]) for source in Source}
        assert ours == own
        assert session.state["total"][seat] == sum(own.values())


# --- the tests ------------------------------------------------------------------------------------


def play(patches: dict[str, Any], players: int, seed: int, *, restless: bool = False) -> Session:
    """Play a game with random legal choices and look at it all the time.

    restless: adventure every other turn, and try every quest.
    """
    game = load_game("near_and_far")
    tables = game.make_tables(game.load(None, patches).model, players)
    session = Session(game, tables, seed=seed, deal=seed % 1000)
    chooser = random.Random(seed)
    session.open()
    while not session.over:
        check_open_prompt(session)
        if session.decisions % (10 if COMPILED else 3) == 0:
            audit(session.state, session.tables)
            audit_modules(session.state, session.tables)
        choice = chooser.choice(session.legal)
        if restless and session.prompt == Prompt.TURN and chooser.random() < 0.5:
            choice = session.legal[0]
        elif restless and session.prompt == Prompt.QUEST:
            choice = session.legal[-1]
        session.choose(choice)
    audit(session.state, session.tables)
    assert session.state["status"] in (Status.WON, Status.CAPPED)
    if session.state["status"] == Status.WON:
        totals = [int(n) for n in session.state["total"][:players]]
        winners = bits(session.state["winners"])
    if session.state["status"] == Status.WON and not session.tables["coop"]:
        assert {totals[seat] for seat in winners} == {max(totals)}
        if session.tables["shared_win"]:
            assert len(winners) == totals.count(max(totals))
        else:
            assert len(winners) == 1
    compare_points(session)
    return session


@pytest.mark.kernel
@settings(max_examples=20 if COMPILED else 5)
@given(patches=combinations(), players=st.integers(2, 4), seed=st.integers(0, 10**9))
def test_any_legal_combination_can_be_played(
    patches: dict[str, Any], players: int, seed: int
) -> None:
    """All that must hold holds at every decision, and the points are those counted by hand."""
    play(patches, players, seed)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("patches", "trigger"),
    [
        ({"setup.camps": 3, "switches.end_trigger": "camps"}, EndTrigger.CAMPS),
        ({"setup.camps": 3, "switches.scoring": "full"}, EndTrigger.CAMPS),
        ({"setup.quests": 0, "switches.end_trigger": "quests"}, EndTrigger.QUESTS),
    ],
)
def test_games_that_end_are_scored(patches: dict[str, Any], trigger: EndTrigger) -> None:
    """With few camps, or one quest, random games end before the cap on turns."""
    ended = 0
    for seed in range(3):
        session = play({"stall.turn_cap": 180, **patches}, 2 + seed % 3, seed, restless=True)
        if session.state["status"] == Status.WON:
            assert session.state["ending"] == 1 + trigger
            ended += 1
    assert ended > 0


# --- luck is shared -------------------------------------------------------------------------------


def order_of(tables: np.ndarray, field: str, stream: Stream) -> list[int]:
    """Return the cards of a deck in the order in which they come."""
    session = Session(load_game("near_and_far"), tables.copy(), seed=5, deal=3)
    left = int(session.tables[field])
    order = []
    while left:
        card = session.call(pick_card, "backstage stream shuffle bits", stream, 0, left)
        order.append(int(card))
        left &= ~(1 << int(card))
    return order


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("module", "field", "stream"),
    [
        ("miners", "adventurers", Stream.BAG),
        ("magic_teachers", "adventurers", Stream.BAG),
        ("amber_treasures", "treasure_cards", Stream.TREASURES),
        ("amber_artifacts", "basic_cards", Stream.BASIC),
        ("amber_artifacts", "advanced_cards", Stream.ADVANCED),
    ],
)
def test_cards_of_a_module_leave_the_order_of_the_others(
    module: str, field: str, stream: Stream
) -> None:
    """A module's cards come in between; all other cards come in the order they would without."""
    game = load_game("near_and_far")
    with_, without = (
        game.make_tables(game.load(None, {f"modules.{module}": on}).model, 4)
        for on in (True, False)
    )
    order, base = order_of(with_, field, stream), order_of(without, field, stream)
    assert len(order) > len(base)
    assert [card for card in order if card in base] == base
    assert base != sorted(base)
    last = max(n for n, card in enumerate(order) if card in base)
    assert any(card not in base for card in order[:last])


@pytest.mark.kernel
def test_more_players_keep_the_quests_of_fewer() -> None:
    """Quest tokens lie where they would with fewer players, and on some spaces more."""
    game = load_game("near_and_far")
    tokens = []
    for players in (2, 3, 4):
        tables = game.make_tables(game.load(None, {}).model, players)
        session = Session(game, tables, seed=5, deal=3)
        session.open()
        tokens.append(set(bits(session.state["tokens"])))
    assert [len(spaces) for spaces in tokens] == [7, 10, 13]
    assert tokens[0] < tokens[1] < tokens[2]
