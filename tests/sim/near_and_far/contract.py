"""What Near and Far keeps at every decision, for the contract of all games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sim.decks import unpack
from sim.game import load_game
from sim.near_and_far.state import (
    FIRST_COMPANION,
    MAX_SEATS,
    PARTY,
    SPELLS,
    SYMBOLS,
    Ability,
    Place,
    Prompt,
    Status,
    Symbol,
)
from tests.contract import Contract, bits, lowest_choice
from tests.contract import __file__ as contract_file
from tests.sim.near_and_far import players as own_players


@cache
def _tables(count: int, patches: tuple[tuple[str, Any], ...]) -> np.ndarray:
    game = load_game("near_and_far")
    return game.make_tables(game.load(None, dict(patches)).model, count)


def make_tables(count: int = 4, **patches: Any) -> np.ndarray:
    """Return tables of the shipped content with patches; a double underscore stands for a dot."""
    named = tuple((key.replace("__", "."), value) for key, value in patches.items())
    return _tables(count, named).copy()


def numbers(word: Any) -> list[int]:
    """Return the numbers of the set bits."""
    return bits(word)


def symbol_words(table: Any, cards: list[int]) -> int:
    """Return the sum of the symbols of some cards, byte by byte."""
    words = [int(table[card]) for card in cards]
    total = 0
    for symbol in range(SYMBOLS):
        total += sum(word >> 8 * symbol & 127 for word in words) << 8 * symbol
    return total


def each_once(label: str, places: list[int], expected: list[int]) -> None:
    """Assert that every card is in exactly one place."""
    assert sorted(places) == sorted(expected), f"{label}: lost, or in two places"


def kept_artifacts(state: Any, tables: Any) -> None:
    """Every artifact is in one place; what is laid out to keep may still be in a hand."""
    words = [state["basic_deck"], state["advanced_deck"], state["artifact_discard"]]
    for field in ("hand", "pack", "advanced_dealt", "bought"):
        words += list(state[field])
    places = [card for word in words for card in numbers(word)]
    places += [
        int(number) - 1
        for number in state["offer"][: int(state["offer_size"])]
        if number and int(number) - 1 not in places
    ]
    expected = numbers(int(tables["basic_cards"]) | int(tables["advanced_cards"]))
    if state["turn"] == 0:  # gifts come at the end of the set-up
        gifts = {int(gift) - 1 for gift in tables["deal_artifact"]}
        expected = [card for card in expected if card not in gifts]
    each_once("artifacts", places, expected)
    assert not (int(state["basic_deck"]) & ~int(tables["basic_cards"]))
    assert not (int(state["advanced_deck"]) & ~int(tables["advanced_cards"]))


def kept_decks(state: Any, tables: Any) -> None:
    """Treasures, adventurers, companions, mine cards and spells are each in one place."""
    places = numbers(state["treasure_deck"]) + numbers(state["treasure_discard"])
    places += [card for held in state["treasures"] for card in numbers(held)]
    if state["drawn_treasure"]:
        places.append(int(state["drawn_treasure"]) - 1)
    each_once("treasures", places, numbers(tables["treasure_cards"]))

    places = numbers(state["bag"]) + numbers(state["bag_out"])
    places += [int(number) - 1 for number in state["track"] if number]
    owned = [member for members in state["members"] for member in numbers(members)]
    places += [member for member in owned if member < FIRST_COMPANION]
    each_once("adventurers", places, numbers(tables["adventurers"]))
    for kind, count in enumerate(tables["companion_count"]):
        taken = owned.count(FIRST_COMPANION + kind)
        assert state["companions_left"][kind] + taken == count, "companions got lost"

    laid = np.flatnonzero(state["mine_at"]).tolist()
    expected = numbers(tables["mine_cards"]) + ([0] if tables["amber_mines"] else [])
    each_once("mine cards", laid + numbers(state["mine_deck"]), expected)
    places = [int(state["mine_at"][card]) for card in laid]
    assert len(set(places)) == len(places), "two mine cards in one place"

    counts = np.zeros(16, int)
    for field in ("spell_deck", "spell_discard", "drawn_counts"):
        counts += unpack(int(state[field][0])) + unpack(int(state[field][1]))
    for spell in range(SPELLS):
        counts[spell] += sum(int(owned) >> spell & 1 for owned in state["spells"])
    all_spells = unpack(int(tables["spell_deck"][0])) + unpack(int(tables["spell_deck"][1]))
    assert list(counts) == all_spells, "spells got lost"
    for name in ("spell_deck", "spell_discard"):
        size = sum(unpack(int(state[name][0])) + unpack(int(state[name][1])))
        assert state[f"{name}_size"] == size
    assert not (state["spells_up"] & ~state["spells"]).any()


def kept_camps(state: Any, tables: Any) -> None:
    """Every camp is on a player board or stands somewhere; maps and counts agree."""
    players = int(tables["players"])
    for seat in range(players):
        on_map = np.flatnonzero(state["camp"] == seat + 1).tolist()
        assert numbers(state["map_camps"][seat]) == on_map
        mine = int((state["mine_camp"] == seat + 1).sum() + (state["area_camp"] == seat + 1).sum())
        assert mine == state["mine_camps"][seat]
        placed = len(on_map) + mine + int(state["threat_camps"][seat])
        placed += int(state["magic_camps"][seat]) + int(state["store_camps"][seat])
        placed += int(state["boss_camps"][seat])
        assert placed + state["tents"][seat] == tables["tents"], "camps got lost"
        owned = (state["threat_owner"] == seat + 1).sum()
        assert state["threat_camps"][seat] <= owned
    assert numbers(state["camped"]) == np.flatnonzero(state["camp"]).tolist()
    assert not int(state["camped"]) & int(tables["no_camp"])
    beaten = (state["threat_owner"] != 0).sum()
    assert beaten + state["threats_removed"] == state["threat"] <= tables["threats"]
    assert state["magic_camps"].sum() + state["magic_camps_left"] == tables["magic_camps"]
    assert state["store_camps"].sum() + state["store_camps_left"] == tables["store_camps"]
    assert not int(state["tokens"]) & ~int(tables["quest_spaces"])


def kept_seats(state: Any, tables: Any) -> None:
    """Parties, symbols, hearts, birds and reputation are what they can be."""
    for seat in range(int(tables["players"])):
        party = numbers(state["party"][seat])
        members = numbers(state["members"][seat])
        assert len(party) <= PARTY
        assert set(party) <= set(members)
        factions = [int(tables["member_faction"][m]) for m in party if m < FIRST_COMPANION]
        factions = [faction for faction in factions if faction]
        assert len(factions) == len(set(factions)), "two of a faction in a party"
        assert state["party_symbols"][seat] == symbol_words(tables["member_symbols"], party)
        bought = numbers(state["bought"][seat])
        held = numbers(state["treasures"][seat])
        cards = symbol_words(tables["artifact_symbols"], bought)
        cards += symbol_words(tables["treasure_symbols"], held)
        assert state["card_symbols"][seat] == cards
        abilities = 0
        for card in bought:
            abilities |= int(tables["artifact_ability"][card])
        for card in held:
            abilities |= int(tables["treasure_ability"][card])
        assert state["abilities"][seat] == abilities
        for faction in range(4):
            banners = sum(tables["member_faction"][member] == faction + 1 for member in members)
            assert state["banners"][seat, faction] == banners
        assert state["hearts"][seat] <= tables["most_hearts"]
        total = (int(state["party_symbols"][seat]) + cards) >> 8 * Symbol.HEARTS & 127
        assert not tables["heart_total"] or state["hearts"][seat] <= total
        assert state["birds"][seat] <= tables["most_birds"]
        if state["prompt"] != Prompt.TREASURE or state["seat"] != seat:
            packed = abilities & Ability.MERCHANT_PACK
            assert len(held) <= (tables["most_birds"] if packed else state["birds"][seat])
        assert tables["reputation_low"] <= state["reputation"][seat] <= tables["reputation_high"]
        assert state["place"][seat] <= Place.MAP
        assert state["magic"][seat] <= tables["magic_spaces"]


def kept_team(state: Any, tables: Any) -> None:
    """Clock, bosses and minions are what they can be; none of it without a team."""
    assert state["together"] == tables["coop"]
    left, beaten = numbers(state["bosses_left"]), np.flatnonzero(state["boss_owner"])
    each_once("bosses", [*left, *(int(boss) for boss in beaten)], numbers(state["bosses"]))
    assert state["boss_camps"].sum() <= len(beaten)
    places = numbers(state["minion_deck"]) + numbers(state["minions_in_town"])
    gone = int(state["minions_beaten"])
    assert len(places) + gone == len(numbers(tables["minion_cards"])), "minions got lost"
    assert len(set(places)) == len(places)
    for minion in numbers(state["minions_in_town"]):
        assert state["minion_covered"][minion] < 3
    assert (state["minion_covered"] == 3).sum() == gone
    if not tables["coop"]:
        assert state["prompt"] < Prompt.GIVE
        return
    assert len(numbers(state["bosses"])) == min(tables["bosses"], 4)
    space = int(state["time_space"])
    if state["skull"]:
        assert int(tables["time_skull"]) >> space & 1
    else:
        assert state["time_value"] == tables["time_value"][space]
    if state["turn"] and not state["skull"]:
        rounds = (int(state["turn"]) - 1) // int(tables["players"]) + 1
        assert state["time_value"] == tables["time_value"][tables["time_start"]] + rounds


def conserved(state: Any, tables: Any) -> None:
    """Assert what holds at every decision, games set up by hand included."""
    kept_artifacts(state, tables)
    kept_decks(state, tables)
    kept_camps(state, tables)
    kept_seats(state, tables)
    kept_team(state, tables)


def invariants(state: Any, tables: Any) -> None:
    """Assert what holds at every decision of a game played from its start."""
    conserved(state, tables)
    players = int(tables["players"])
    if state["status"] == Status.PLAYING:
        assert state["winner"] == -1
        assert not state["treasures_due"] or state["prompt"] == Prompt.TREASURE
        return
    totals = [int(total) for total in state["total"][:players]]
    assert totals == [int(row.sum()) for row in state["points"][:players]]
    if state["status"] == Status.WON and tables["coop"]:
        team_has_won = numbers(state["winners"]) == list(range(players))
        assert team_has_won or not state["winners"]
        assert int(state["winner"]) == (int(state["first_seat"]) if team_has_won else -1)
        needed = players * int(state["time_value"]) + (1 - int(tables["coop_at_least"]))
        enough = sum(totals) >= needed and not state["bosses_left"] and not state["skull"]
        assert team_has_won == enough
        assert state["ending"] or state["skull"]
    elif state["status"] == Status.WON:
        winners = numbers(state["winners"])
        assert winners
        assert all(totals[seat] == max(totals) for seat in winners)
        assert int(state["winner"]) in winners
        assert state["ending"]
    if state["status"] == Status.WON and not state["skull"] and tables["finish_round"]:
        turns = state["tally"][:players, 0]
        assert (turns == turns[0]).all(), "somebody had a turn less"


def unseen(state: Any, seat: int) -> tuple[int, ...]:
    """Return what a seat cannot know: artifacts in the hands of others."""
    others = [other for other in range(MAX_SEATS) if other != seat]
    return tuple(int(state["hand"][other]) for other in others)


def blank(states: np.ndarray, seat: int) -> np.ndarray:
    """Return a copy of a state without what a seat cannot know; how many cards there are stays."""
    copy = states.copy()
    state = copy[0]
    seen = int(state["seen"][seat])
    for field in ("basic_deck", "advanced_deck", "artifact_discard"):
        state[field] &= seen
    for other in range(MAX_SEATS):
        state["pack"][other] &= seen
        if other != seat:
            state["hand"][other] &= seen
            state["advanced_dealt"][other] &= seen
            state["memo"][other] = 0
    return copy


NO_MINE = {
    f"modules__{name}": False
    for name in (
        "amber_mines",
        "magic",
        "miners",
        "magic_teachers",
        "amber_treasures",
        "amber_artifacts",
    )
}
BASE = NO_MINE | {
    f"modules__{name}": False
    for name in ("new_threats", "new_general_store", "expert_dice", "numbat", "heart_total")
}
SHORT = {"stall__turn_cap": 120}
TEAM = {"modules__coop": True, "modules__minions": True}
# a team of these players beats weak bosses near the town, and a slow clock
EASY = {
    "setup__camps": 7,
    "together__start": 1,
    "together__bosses": 2,
    "maps__glogo_caverns__bosses": "caverns_w1 caverns_w2 caverns_w3 caverns_w4",
    **{f"time_track__hour_{hour}__value": 1 + hour // 4 for hour in range(1, 43)},
    **{
        f"bosses__{name}__level": 4
        for name in ("captain_shreya", "zag_the_treasure_hunter", "the_ivory_queen", "the_red_king")
    },
}

VARIANTS: dict[str, Callable[[], np.ndarray]] = {
    "as shipped": lambda: make_tables(4, **SHORT),
    "three players": lambda: make_tables(3, **SHORT),
    "two players": lambda: make_tables(2, **SHORT),
    "base game": lambda: make_tables(4, **BASE, **SHORT),
    "base game, two players": lambda: make_tables(2, **BASE, **SHORT),
    "no mine": lambda: make_tables(3, **NO_MINE, **SHORT),
    "no magic": lambda: make_tables(
        3,
        modules__magic=False,
        modules__magic_teachers=False,
        modules__amber_treasures=False,
        modules__amber_artifacts=False,
        **SHORT,
    ),
    "election": lambda: make_tables(
        4, switches__map="cloudy_valley", switches__scenario="snazra_election", **SHORT
    ),
    "railroad": lambda: make_tables(
        3, switches__map="meteor_mountain", switches__scenario="ancient_railroad", **SHORT
    ),
    "together": lambda: make_tables(4, **TEAM, **SHORT),
    "together, other readings": lambda: make_tables(
        2,
        switches__boss_fights="after_threats",
        switches__coop_duels=True,
        switches__coop_at_least=True,
        switches__difficulty="moon",
        switches__start_order="random",
        switches__hearts_before_roll=True,
        **TEAM,
        **SHORT,
    ),
    "together, railroad": lambda: make_tables(
        3,
        switches__map="meteor_mountain",
        switches__scenario="ancient_railroad",
        modules__coop=True,
        together__start=65,
        together__bosses=1,
        **SHORT,
    ),
    "other readings": lambda: make_tables(
        4,
        switches__scoring="full",
        switches__end_trigger="camps",
        switches__finish_round=False,
        switches__heart_cost="leave",
        switches__mine_left=True,
        switches__shared_win=False,
        switches__hearts_before_roll=True,
        switches__farm_cards=True,
        switches__start_order="random",
        modules__map_scarcity=True,
        **SHORT,
    ),
}

PATCHES: dict[str, tuple[Any, ...]] = {
    "modules.new_general_store": (True, False),
    "modules.miners": (True, False),
    "modules.magic_teachers": (True, False),
    "modules.expert_dice": (True, False),
    "modules.amber_treasures": (True, False),
    "modules.amber_artifacts": (True, False),
    "modules.numbat": (True, False),
    "modules.heart_total": (True, False),
    "modules.map_scarcity": (False, True),
    "modules": ({"coop": False}, {"coop": True}, {"coop": True, "minions": True}),
    "switches.difficulty": ("sun", "moon"),
    "switches.boss_fights": ("space", "after_threats"),
    "switches.coop_duels": (False, True),
    "together.bosses": (0, 1),
    "switches.map": ("glogo_caverns", "meteor_mountain", "cloudy_valley"),
    "switches.scoring": ("stated", "full"),
    "switches.end_trigger": ("usual", "quests", "camps", "either"),
    "switches.finish_round": (True, False),
    "switches.heart_cost": ("cross", "leave"),
    "switches.mine_left": (False, True),
    "switches.shared_win": (True, False),
    "switches.hearts_before_roll": (False, True),
    "switches.farm_cards": (False, True),
    "switches.start_order": ("seat_1", "random"),
    "experiment.first_card": ("none", "red_widow", "oak_buckler", "world_tree_seed"),
    "experiment.left_out": ("none", "walking_staff tower_key smoke_teacher little_ansa"),
    "experiment.goods": (0, 30),
    "stall.turn_cap": (60, 97),
}


@cache
def contract() -> Contract:
    """Return the contract of Near and Far."""
    return Contract(
        game=load_game("near_and_far"),
        variants=VARIANTS,
        invariants=invariants,
        signed=frozenset(
            {"winner", "leader", "leader_at", "reputation", "points", "total", "running"}
            | {"team_gap", "team_bosses"}
        ),
        turn_limit=300,
        unseen=unseen,
        blank=blank,
        deciders={
            "lowest": (lowest_choice, contract_file),
            "busy": (own_players.busy, own_players.__file__),
            "settler": (own_players.settler, own_players.__file__),
        },
        patches=PATCHES,
    )
