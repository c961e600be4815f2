"""The numbers of Near and Far, and the tables made of them."""

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sim.content import players_for
from sim.errors import UserError
from sim.game import load_game
from sim.near_and_far import content, model
from sim.near_and_far.checks import (
    NEEDS,
    TOGETHER,
    missing_modules,
    paths_of,
    spaces_of,
    steps_from,
    supply_of,
    switch_problems,
)
from sim.near_and_far.content import FOLDER, board, constraints, keywords_of, load, tables
from sim.near_and_far.state import (
    FACES,
    FIRST_COMPANION,
    GOODS,
    MAX_ARTIFACTS,
    MAX_SPACES,
    MAX_STEPS,
    NAME_WORDS,
    PURSE_BITS,
    TABLES,
    WAY_BITS,
    WAY_THREAT,
    WAY_TREASURE,
    Ability,
    DieFace,
    Effect,
    EndTrigger,
    Faction,
    Good,
    Place,
    Reward,
    Spell,
    Symbol,
)
from sim.near_and_far.words import (
    FACTION_NAMES,
    RESOURCE_NAMES,
    card_symbols,
    member_symbols,
    read_reward,
    read_tokens,
)
from sim.rulefiles import data_files

CONTENT = load()
RULES = CONTENT.model
ENTRIES = {entry.key: entry for entry in CONTENT.entries}
ROW = tables(RULES, 4)[0]
MAPS = {"glogo_caverns": 1, "meteor_mountain": 4, "cloudy_valley": 6}
SCENARIOS = {"snazra_election": "cloudy_valley", "ancient_railroad": "meteor_mountain"}
# what public lists of quest spaces give: the first of them have names
QUEST_SPACES = {
    "glogo_caverns": ("BDHM", "ACEFGIJKLNOP"),
    "meteor_mountain": ((33, 34, 37, 40, 43, 44, 48), (35, 36, 38, 39, 41, 42, 45, 46, 47)),
    "cloudy_valley": ((69, 70, 72, 76, 78, 79, 80), (65, 66, 67, 68, 71, 73, 74, 75, 77)),
}
# the values of trade; a point, a treasure, a step of reputation and of magic by the cost rules
WORTH = {
    Reward.FOOD: 1,
    Reward.COIN: 2,
    Reward.GEM: 3,
    Reward.OUTLAWS: 5,
    Reward.MYSTICS: 5,
    Reward.LIZARDFOLK: 5,
    Reward.NOMADS: 5,
    Reward.REPUTATION: 1,
    Reward.JOURNEY: 2,
    Reward.TREASURE: 3,
    Reward.MAGIC: 2,
}


def on_map(name: str, scenario: str = "none", players: int = 4, **switches) -> np.void:
    patches = {"switches.map": name, "switches.scenario": scenario}
    patches |= {f"switches.{key}": value for key, value in switches.items()}
    return tables(load(patches=patches).model, players)[0]


def worth(text: str) -> int:
    amounts = {Reward(column): amount for column, amount in read_reward(text).items()}
    return int(np.sum([max(0, amount) * WORTH[column] for column, amount in amounts.items()]))


def reward(row: np.ndarray) -> dict[Reward, int]:
    return {Reward(column): int(amount) for column, amount in enumerate(row) if amount}


def bits(word: int) -> set[int]:
    return {place for place in range(63) if word >> place & 1}


# --- what is printed -----------------------------------------------------------------------------


def test_printed_figures():
    assert (ROW["start_coins"], ROW["tents"], ROW["most_hearts"], ROW["track_size"]) == (
        *(3, 14, 13, 5),
    )
    assert (ROW["basic_dealt"], ROW["advanced_dealt"], ROW["advanced_kept"]) == (5, 2, 1)
    assert (ROW["base_movement"], ROW["cross_hearts"], ROW["camp_hearts"]) == (2, 1, 3)
    assert (ROW["most_birds"], ROW["bird_food"], ROW["refresh_food"]) == (3, 1, 1)
    assert (ROW["trade_many"], ROW["quest_bonus"], ROW["die_sides"]) == (5, 2, 6)
    duel = ("honest_reputation", "dishonest_reputation", "dishonest_bonus")
    assert [ROW[field] for field in duel] == [1, -1, 1]
    points = ("camp_points", "all_camps_points", "unbought_points", "set_treasures", "set_points")
    assert [ROW[field] for field in points] == [1, 2, -1, 3, 5]
    assert list(ROW["amber_points"]) == [5, 3]
    assert [ROW[field] for field in ("magic_points", "spell_points")] == [2, 1]
    assert [ROW[field] for field in ("hut_magic", "hut_gems", "hut_gem_magic")] == [1, 1, 3]
    assert [ROW[field] for field in ("teacher_magic", "miner_coins", "mine_camp_food")] == [1, 1, 1]
    assert ROW["spells_drawn"] == 3


@pytest.mark.parametrize(("players", "tokens"), [(2, 7), (3, 10), (4, 13)])
def test_quest_tokens(players, tokens):
    """NF-T13: three for each player and one more."""
    assert tables(RULES, players)[0]["quest_tokens"] == tokens


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize(("players", "tokens"), [(2, 8), (3, 12), (4, 16)])
def test_quest_tokens_of_scenarios(scenario, players, tokens):
    """NF-T14: four for each player; failed ones stay."""
    row = on_map(SCENARIOS[scenario], scenario, players)
    assert row["quest_tokens"] == tokens
    assert len(bits(row["quest_spaces"])) == 16
    assert row["failed_stay"] == 1
    assert ROW["failed_stay"] == 0


def test_the_stack_of_new_threats():
    """NF-T15: 4 on top, 15 and 20 at the bottom."""
    assert list(ROW["threat_level"][: ROW["threats"]]) == [*range(4, 16), 20]
    old = tables(load(patches=dict.fromkeys(switched_off("new_threats"), False)).model, 4)[0]
    assert list(old["threat_level"][: old["threats"]]) == [*range(4, 16)]


def test_a_threat_with_a_reputation_symbol():
    """NF-T12, as far as cards go: some new threats give a reputation, coins or food."""
    count = ROW["threats"]
    rewards = Counter(tuple(reward(row).items()) for row in ROW["threat_reward"][:count])
    assert rewards == {
        ((Reward.REPUTATION, 1),): 5,
        ((Reward.COIN, 1),): 3,
        ((Reward.FOOD, 1),): 2,
        (): 3,
    }
    assert Counter(ROW["threat_camp"][:count].tolist()) == {1: 9, 0: 4}


def test_every_spell_has_its_printed_numbers():
    numbers = {
        Spell(spell): (
            *(int(ROW["spell_amount"][spell]), int(ROW["spell_second"][spell])),
            *(int(ROW["spell_food"][spell]), int(ROW["spell_uses"][spell])),
        )
        for spell in Spell
    }
    assert numbers == {
        Spell.HASTE: (2, 0, 0, 0),
        Spell.WIND_STORM: (2, 1, 0, 0),
        Spell.DIVINATION: (2, 0, 0, 0),
        Spell.SUMMON_IMP: (1, 2, 0, 0),
        Spell.REJUVENATION: (2, 1, 0, 0),
        Spell.TRANSMUTATION: (2, 0, 0, 4),  # NF-T7: four gems at most, two coins each
        Spell.ILLUSION: (0, 0, 0, 0),
        Spell.LIGHTNING_BOLT: (3, 0, 1, 0),
        Spell.ALTER_WEATHER: (2, 0, 0, 0),
        Spell.BREW_POTION: (3, 0, 1, 0),
    }
    assert ROW["spell_cards"] == 30
    assert list(ROW["spell_deck"]) == [0x0303030303030303, 0x0303]


def mine_cards(check: str, **wanted) -> list[str]:
    """Return the cards of the mine with this check and these numbers."""
    return [
        name
        for name, card in RULES.mine_cards.items()
        if card.check == check and all(getattr(card, key) == x for key, x in wanted.items())
    ]


def test_the_mine_has_the_cards_of_the_example():
    """NF-T1 to NF-T4: what Tom and Jen find."""
    entrance = RULES.mine_cards["entrance"]
    assert next(iter(RULES.mine_cards)) == "entrance"
    assert (entrance.check, entrance.shaft, entrance.reward) == ("none", True, "")
    assert mine_cards("none", reward="2 gems")  # T1: Tom's first camp
    assert mine_cards("skill", number=6)
    assert mine_cards("combat", number=4)  # T2: Jen's first try
    assert mine_cards("none", reward="2 gems, 1 magic")  # T3
    assert mine_cards("combat", number=6, reward="2 coins")  # T4: Tom's second camp
    assert mine_cards("combat", amber=2, reward="1 reputation, 1 magic")  # a callout
    printed = [e.key for e in CONTENT.entries if e.source == "rulebook"]
    for card in ("open_gallery", "glow_moss_hall", "glogo_sentry", "amber_shrine"):
        assert f"mine_cards.{card}.reward" in printed


def test_what_follows_from_other_numbers():
    """Ways, prices in one word, steps to the skull: the same numbers in another form."""
    for name in MAPS:
        row = on_map(name)
        for space in range(MAX_SPACES):
            roads = int(row["ways"][space])
            for place in range(row["degree"][space]):
                road = row["road"][space, place]
                way = row["road_to"][space, place] - 1
                way += WAY_THREAT * (row["road_threat"][road] != 0)
                way += WAY_TREASURE * (row["road_treasure"][road] != 0)
                assert roads & (1 << WAY_BITS) - 1 == way
                roads >>= WAY_BITS
            assert roads == 1
            assert row["good_spaces"] >> space & 1 == (row["space_good"][space] != 0)
        for start in range(row["spaces"]):  # on foot, step by step
            near = {start}
            for steps in range(MAX_STEPS):
                assert bits(int(row["within"][start, steps])) == near
                near |= set().union(*(bits(int(row["neighbours"][space])) for space in near))
    for card in range(MAX_ARTIFACTS):
        cost = row["artifact_cost"][card].tolist()
        price = int(row["artifact_price"][card])
        assert [price >> PURSE_BITS * good & 511 for good in range(GOODS)] == cost
        value = sum(n * int(each) for n, each in zip(cost, row["good_value"], strict=True))
        assert row["artifact_value"][card] == value
    chances = [[int(word) >> 8 * n & 255 for n in range(FACES)] for word in row["die_odds"][:, 0]]
    assert chances == [
        [240, 200, 160, 120, 80, 40, 0, 0],
        [240, 240, 192, 144, 96, 48, 0, 0],  # five faces count, a 2 and more
    ]
    assert row["die_sums"][:, 0].tolist() == [[0, *np.cumsum(odds[:7])] for odds in chances]
    row = tables(load(None, {"modules.coop": True}).model, 4)[0]
    space, hours = int(row["time_start"]), 0
    while not row["time_skull"] >> space & 1:
        space, hours = int(row["time_next"][space]), hours + 1
    assert row["time_left"][int(row["time_start"])] == hours
    assert row["time_left"][space] == 0


def test_an_expert_die_has_two_special_faces():
    """NF-T22: a face that rolls again, a 2 that a food rolls again."""
    faces = [int(face) for face in ROW["expert_face"]]
    assert faces == [DieFace.REROLL, DieFace.MAY_REROLL + 2, 3, 4, 5, 6]


def test_named_cards():
    """NF-T20, NF-T21: the pouch and the pack."""
    treasures, artifacts = list(RULES.treasures), list(RULES.artifacts)
    assert ROW["treasure_amber"][treasures.index("amber_pouch")] == 3
    assert ROW["treasure_amber"].sum() == 3
    ability = {name: ROW["treasure_ability"][n] for n, name in enumerate(treasures)}
    assert ability["almanac"] == Ability.ALMANAC
    assert ability["sheriff_badge"] == Ability.SHERIFF_BADGE
    assert sum(map(bool, ability.values())) == 2
    pack = artifacts.index("merchant_pack")
    assert ROW["artifact_ability"][pack] == Ability.MERCHANT_PACK == ROW["artifact_ability"].sum()
    assert (ROW["badge_bonus"], ROW["almanac_coins"]) == (1, 1)


# --- what is assumed -----------------------------------------------------------------------------


def test_quantities():
    supply = Counter(member.supply for member in RULES.adventurers.values())
    assert supply == {"base": 36, "miners": 5, "magic_teachers": 4}
    base = [member for member in RULES.adventurers.values() if member.supply == "base"]
    assert Counter(member.faction for member in base) == dict.fromkeys(FACTION_NAMES, 9)
    decks = Counter((card.supply, card.deck) for card in RULES.artifacts.values())
    assert decks == {
        ("base", "basic"): 40,
        ("base", "advanced"): 15,
        ("amber_artifacts", "basic"): 5,
        ("amber_artifacts", "advanced"): 2,
    }
    treasures = Counter(card.supply for card in RULES.treasures.values())
    assert treasures == {"base": 36, "amber_treasures": 4}
    assert Counter(threat.stack for threat in RULES.threats.values()) == {"base": 12, "new": 13}
    assert len(RULES.mine_areas) == 12
    assert len(RULES.mine_cards) == 43
    checks = Counter(card.check for card in list(RULES.mine_cards.values())[1:])
    assert checks == {"none": 14, "skill": 14, "combat": 14}
    assert sum(card.shaft for card in list(RULES.mine_cards.values())[1:]) == 17  # 40 % of 42
    assert sum(kind.count for kind in RULES.companions.values()) == 6
    assert [chief.faction for chief in RULES.chiefs.values()] == list(FACTION_NAMES)
    assert Counter(quest.story for quest in RULES.quests.values()) == dict.fromkeys(
        (*MAPS, *SCENARIOS), 16
    )
    assert len(keywords_of(load(patches=election()).model)) == 7


def election() -> dict[str, str]:
    return {"switches.map": "cloudy_valley", "switches.scenario": "snazra_election"}


@pytest.mark.parametrize("name", RULES.adventurers)
def test_an_adventurer_has_a_symbol_less_than_it_costs(name):
    member = RULES.adventurers[name]
    symbols = member_symbols(member.symbols)
    assert 2 <= member.cost <= 7
    assert 1 <= member.hearts <= 4
    if member.supply == "base":
        assert sum(symbols.values()) == member.cost - 1
    else:
        expected = {"miners": {Symbol.SKILL: 2}, "magic_teachers": {Symbol.SEARCH: 1}}
        assert symbols == expected[member.supply]
        assert (member.cost, member.hearts) == (4, 2)


@pytest.mark.parametrize(
    ("faction", "emphasis"),
    [
        ("outlaws", {Symbol.COMBAT, Symbol.SEARCH}),
        ("mystics", {Symbol.HEARTS, Symbol.SEARCH}),
        ("lizardfolk", {Symbol.SKILL}),
        ("nomads", {Symbol.MOVEMENT, Symbol.CAUTION}),
    ],
)
def test_what_a_faction_is_good_at(faction, emphasis):
    """More than half of its symbols, and more of them than any other faction has."""
    totals = {name: Counter[int]() for name in FACTION_NAMES}
    for member in RULES.adventurers.values():
        if member.supply == "base":
            totals[member.faction].update(member_symbols(member.symbols))
            totals[member.faction][Symbol.HEARTS] += member.hearts
    share = {name: sum(counts[s] for s in emphasis) for name, counts in totals.items()}
    own = totals[faction]
    assert 2 * share[faction] > own.total() - (Symbol.HEARTS not in emphasis) * own[Symbol.HEARTS]
    assert max(share, key=share.__getitem__) == faction


@pytest.mark.parametrize("name", RULES.artifacts)
def test_the_price_of_an_artifact(name):
    """2 a point, 1 a symbol (2 for caution), less for tokens, reputation; 3 more for carrying."""
    card = RULES.artifacts[name]
    trade = RULES.trade
    tokens = sum(read_tokens(card.tokens).values())
    price = card.coins * trade.coin + card.gems * trade.gem + card.food * trade.food
    price += tokens * trade.token
    symbols = card_symbols(card.symbols)
    rule = 2 * card.points + sum(symbols.values()) + symbols.get(Symbol.CAUTION, 0)
    rule += 3 * (card.ability == "merchant_pack") - tokens - abs(card.reputation) // 2
    assert price == rule
    low, high = (4, 10) if card.deck == "basic" else (9, 17)
    assert low <= price <= high
    low, high = (2, 5) if card.deck == "basic" else (5, 9)
    assert low <= card.points <= high


def test_treasures():
    """One symbol each; one in six has points; four of the kinds the how-to-play tells of."""
    base = [card for card in RULES.treasures.values() if card.supply == "base"]
    symbols = Counter(tuple(card_symbols(card.symbols).items()) for card in base)
    assert symbols == {
        ((Symbol.SKILL, 1),): 10,
        ((Symbol.COMBAT, 1),): 10,
        ((Symbol.HEARTS, 2),): 10,
        ((Symbol.CAUTION, 1),): 6,
    }
    assert Counter(card.points for card in base) == {0: 30, 1: 3, 2: 3}


def test_threats_are_worth_more_the_harder_they_are():
    for stack in ("base", "new"):
        threats = [threat for threat in RULES.threats.values() if threat.stack == stack]
        points = [threat.points for threat in sorted(threats, key=lambda threat: threat.level)]
        assert points == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 12][: len(points)]
        if stack == "base":
            assert all(threat.camp and not threat.reward for threat in threats)


def test_the_mine_of_the_base_game():
    areas = list(RULES.mine_areas.values())
    assert sorted(area.number for area in areas) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    for area in areas:
        low, high = {1: (2, 4), 2: (2, 4), 3: (3, 3), 4: (3, 3), 5: (6, 7), 6: (6, 7)}[area.number]
        assert low <= worth(area.reward) <= high
    adjacent = [bits(word) for word in ROW["area_adjacent"][:12]]
    assert all(n in adjacent[other] for n, others in enumerate(adjacent) for other in others)
    assert sum(map(len, adjacent)) == 2 * 17  # a grid of three by four
    starts = bits(ROW["area_start"])
    assert [areas[n].number for n in starts] == [1, 1]
    found = steps_from(adjacent, min(starts))
    far = [areas[n].number for n in sorted(found, key=found.__getitem__)]
    assert sum(far[:4]) < sum(far[4:8]) < sum(far[8:])  # harder the further in


def test_cards_of_the_amber_mine():
    for name, card in list(RULES.mine_cards.items())[1:]:
        value = worth(card.reward)
        if card.check == "none":
            assert card.amber <= 1, name
            assert 1 <= value <= (8 if name == "glow_moss_hall" else 6), name  # that is printed
        else:
            assert 1 <= card.amber <= 3, name
            assert 4 <= card.number <= 8, name
            assert 2 <= value <= 6, name
        number = list(RULES.mine_cards).index(name)
        symbol = {"none": 0, "skill": Symbol.SKILL, "combat": Symbol.COMBAT}[card.check]
        assert ROW["mine_symbol"][number] == symbol
        assert (ROW["mine_need"][number], ROW["mine_amber"][number]) == (card.number, card.amber)
    harder = [c.amber for c in RULES.mine_cards.values() if c.number >= 6]
    easier = [c.amber for c in RULES.mine_cards.values() if 0 < c.number < 6]
    assert np.mean(harder) > np.mean(easier)
    kinds = {kind for card in RULES.mine_cards.values() for kind in read_reward(card.reward)}
    assert {Reward.COIN, Reward.GEM, Reward.REPUTATION, Reward.TREASURE, Reward.MAGIC} <= kinds
    assert ROW["mine_cards"] == (1 << 43) - 2


def test_the_magic_track():
    assert ROW["magic_spaces"] == 14
    assert bits(ROW["magic_icons"]) == {3, 6, 9, 12}
    assert ROW["magic_camps"] == 2


def test_quests_are_harder_far_from_the_town():
    """Numbers 4 to 9, rewards worth 5 to 8 and bonuses 2, by the values of trade."""
    for name in MAPS:
        row = on_map(name)
        far = row["distance"][row["town_space"]]
        places = sorted(bits(row["quest_spaces"]), key=lambda space: far[space])
        needs = row["quest_need"][places]
        assert needs.min() == 4
        assert needs.max() == {"glogo_caverns": 7, "meteor_mountain": 9, "cloudy_valley": 9}[name]
        assert (row["quest_symbol"][places] == [Symbol.SKILL, Symbol.COMBAT]).all()
        assert needs[:8].mean() + 0.75 < needs[8:].mean()
    for quest in RULES.quests.values():
        for way in ("skill", "combat"):
            assert 4 <= getattr(quest, way) <= 9
            assert 5 <= worth(getattr(quest, f"{way}_reward")) <= 8
            assert worth(getattr(quest, f"{way}_bonus")) == 2
        assert abs(quest.skill - quest.combat) <= 1


# --- maps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAPS)
def test_quest_spaces_are_the_published_ones(name):
    sheet = RULES.maps[name]
    named, unnamed = ([str(space) for space in spaces] for spaces in QUEST_SPACES[name])
    assert (list(sheet.named), list(sheet.unnamed)) == (named, unnamed)
    assert sheet.number == MAPS[name]
    quests = [quest for quest in RULES.quests if RULES.quests[quest].story == name]
    assert sorted(quest.removeprefix("quest_").upper() for quest in quests) == sorted(
        (*named, *unnamed)
    )


@pytest.mark.parametrize("name", MAPS)
def test_a_map(name):
    row = on_map(name)
    count, roads = row["spaces"], row["roads"]
    spaces = [RULES.spaces[space] for space in spaces_of(RULES, name)]
    assert count == 25
    assert 2.5 <= 2 * roads / count <= 2.8
    town = row["town_space"]
    far = row["distance"][town, :count]
    assert (far[np.arange(count) != town] > 0).all()  # connected
    assert row["no_camp"] == row["refresh"] == 1 << town
    assert len(bits(row["quest_spaces"])) == 16
    assert town not in bits(row["quest_spaces"])
    assert Counter(space.resource for space in spaces) == {
        "none": 17,
        **dict.fromkeys(RESOURCE_NAMES, 2),
    }
    assert Counter(space.find for space in spaces) == {"none": 15, "coins": 6, "gems": 4}
    good = Counter(row["space_good"][:count].tolist())
    assert good == {0: 15, 1 + Good.COIN: 6, 1 + Good.GEM: 4}
    assert row["road_threat"].sum() == 8
    assert row["road_treasure"].sum() == 6
    for space in range(count):
        ways = row["road_to"][space, : row["degree"][space]] - 1
        assert bits(row["neighbours"][space]) == set(ways.tolist())
        for other, road in zip(ways, row["road"][space], strict=False):
            back = row["road_to"][other, : row["degree"][other]] - 1
            place = back.tolist().index(space)
            assert row["road"][other, place] == road
    # each end of a trade route is a way off from the other
    for one, other in row["route_space"]:
        assert row["distance"][one, other] >= 2
    assert list(row["route_alone"]) == [4] * 4
    assert list(row["route_joint"]) == [2] * 4


def danger(row: np.void, field: str = "road_threat") -> tuple[np.ndarray, np.ndarray]:
    """Return how far each road is from the town, by its nearer end, and whether it has a sign."""
    far = row["distance"][row["town_space"]]
    roads = np.full(row["roads"], 99)
    for space in range(row["spaces"]):
        for place in range(row["degree"][space]):
            road = row["road"][space, place]
            roads[road] = min(roads[road], far[space])
    return roads, row[field][: row["roads"]] > 0


@pytest.mark.parametrize("name", MAPS)
def test_dangers_are_denser_far_from_the_town(name):
    roads, threats = danger(on_map(name))
    middle = np.median(roads)
    near, far = threats[roads <= middle].mean(), threats[roads > middle].mean()
    assert far > 2 * near
    assert not threats[roads < 2].any()


def test_maps_differ_in_character():
    """Rings with many ways, a mountain with few, a valley of two halves and three bridges."""
    depths = {name: on_map(name)["distance"][on_map(name)["town_space"]].max() for name in MAPS}
    assert depths == {"glogo_caverns": 4, "meteor_mountain": 7, "cloudy_valley": 6}
    gems = {}
    for name in MAPS:
        row = on_map(name)
        far = row["distance"][row["town_space"], : row["spaces"]]
        gems[name] = far[row["space_good"][: row["spaces"]] == 1 + Good.GEM].mean()
    assert gems["meteor_mountain"] > gems["cloudy_valley"] > gems["glogo_caverns"]
    valley = paths_of(RULES, "cloudy_valley")
    near = {RULES.quests[f"quest_{n}"].space for n in (65, 66, 67, 68, 69, 71, 72, 73)}
    near |= {"halbrene", *(f"valley_w{n}" for n in range(1, 5))}
    bridges = [path for path in valley if (path.one in near) != (path.other in near)]
    assert len(bridges) == 3
    assert sum("threat" in bridge.symbols for bridge in bridges) == 2


@pytest.mark.parametrize(
    ("scenario", "town", "old", "quest"),
    [
        ("snazra_election", "snazra", "halbrene", "70"),
        ("ancient_railroad", "hogtown", "macria", "48"),
    ],
)
def test_a_scenario_moves_the_town(scenario, town, old, quest):
    """The old town has the tea leaves, the new one the sign for hearts, and a quest."""
    name = SCENARIOS[scenario]
    patches = {"switches.map": name, "switches.scenario": scenario}
    rules = load(patches=patches).model
    row = tables(rules, 4)[0]
    names = board(rules).names
    new = names.index(town)
    assert row["town_space"] == new
    assert row["refresh"] == row["no_camp"] == 1 << new
    tea = RESOURCE_NAMES.index("tea_leaves")
    assert names.index(old) in row["route_space"][tea]
    assert new not in row["route_space"]
    assert new in bits(row["quest_spaces"])
    assert RULES.quests[f"quest_{quest}"].space == town
    usual = on_map(name)
    assert new in usual["route_space"][tea]
    assert usual["town_space"] == names.index(old)
    assert row["scenario"] == 1 + list(SCENARIOS).index(scenario)
    assert row["end_trigger"] == EndTrigger.CAMPS
    assert (row["quest_need"] != usual["quest_need"]).any()


def test_keywords_of_the_election():
    """Each is gained somewhere, most can be lost, and each counts at the end."""
    rules = load(patches=election()).model
    row = tables(rules, 4)[0]
    words = keywords_of(rules)
    assert words == ["drake", "obsidian", "ethereal", "mansion", "turtle", "claffton", "genius"]
    gained = [set(), *map(bits, row["quest_gains"].ravel().tolist())]
    lost = [set(), *map(bits, row["quest_loses"].ravel().tolist())]
    assert set().union(*gained) == set().union(*lost) == set(range(7))
    assert (row["keyword_points"][:7] > 0).all()
    assert not row["keyword_points"][7:].any()
    railroad = {"switches.map": "meteor_mountain", "switches.scenario": "ancient_railroad"}
    other = tables(load(patches=railroad).model, 4)[0]
    assert not other["quest_gains"].any()
    assert not ROW["keyword_points"].any()


def test_a_paragraph_adds_to_the_quest_that_leads_to_it():
    """A-24: 63 and 64 are read after the quest of Snazra."""
    rules = load(patches=election()).model
    row = tables(rules, 4)[0]
    place = board(rules).names.index("snazra")
    quest = rules.quests["election_70"]
    assert quest.skill_then == "read election_63"
    alone = read_reward(quest.skill_reward)
    found = reward(row["quest_reward"][place, 0])
    assert found.pop(Reward.JOURNEY) - alone.pop(Reward.JOURNEY, 0) == 1
    assert found == alone
    assert bits(row["quest_gains"][place, 0]) == {keywords_of(rules).index("genius")}
    patched = load(patches=election() | {"quests.election_70.skill_then": ""}).model
    plain = tables(patched, 4)[0]
    assert reward(plain["quest_reward"][place, 0]) == read_reward(quest.skill_reward)
    assert plain["quest_gains"][place, 0] == 0


# --- modules -------------------------------------------------------------------------------------


def switched_off(*modules: str) -> list[str]:
    """Return the keys that take modules out of play, and whatever needs them."""
    off = set(modules)
    while True:
        more = {m for m, needs in NEEDS.items() if off & set(needs)}
        more |= set(NEEDS) if "new_threats" in off else set()
        if more <= off:
            return [f"modules.{name}" for name in sorted(off)]
        off |= more


def test_legal_combinations_of_modules():
    """NF-T32: 441, and 153 of them without the cooperative mode."""
    sets = [
        frozenset(itertools.compress(NEEDS, flags))
        for flags in itertools.product((False, True), repeat=len(NEEDS))
    ]
    legal = [on for on in sets if not missing_modules(on)]
    assert len(legal) == 441
    assert len([on for on in legal if not on & {*TOGETHER}]) == 153


def test_the_model_takes_the_441_that_are_legal():
    """NF-T32: what the model says of each of the 4096 sets is what the checker says."""
    values = RULES.modules.model_dump()
    taken = 0
    for flags in itertools.product((False, True), repeat=len(NEEDS)):
        on = dict(zip(NEEDS, flags, strict=True))
        modules = model.Modules.model_validate(values | on)
        rules = RULES.model_copy(update={"modules": modules})
        problems = [*modules.problems(), *switch_problems(rules)]
        missing = missing_modules(modules.on())
        told = {(module, need) for module, need in missing}
        for module, need in told:
            assert any(f"{module} needs {need}, which is not in play" in text
                       for _, text in problems)  # fmt: skip
        assert len(problems) == len(missing)
        taken += not problems
    assert taken == 441


def test_a_module_without_what_it_needs():
    with pytest.raises(UserError) as caught:
        load(patches={"modules.magic": False})
    lines = str(caught.value).splitlines()
    assert [line.partition(": modules.")[2].split(":")[0] for line in lines] == [
        "magic"
    ] * 3 or all(
        "needs magic, which is not in play; set modules.magic = true" in line for line in lines
    )
    assert len(lines) == 3  # teachers, treasures, artifacts


def test_the_new_threats_can_be_left_out_on_purpose():
    """A-25: a hard dependency, with an override."""
    patches = {"modules.new_threats": False}
    with pytest.raises(UserError, match="numbat needs new_threats"):
        load(patches=patches)
    rules = load(patches=patches | {"switches.threats_free": True}).model
    row = tables(rules, 3)[0]
    assert (row["new_threats"], row["amber_mines"], row["threats"]) == (0, 1, 12)


@pytest.mark.parametrize("module", [*NEEDS, "heart_total", "map_scarcity"])
def test_each_module_is_a_field(module):
    if module in ("map_scarcity", *TOGETHER):
        assert ROW[module] == 0
        patches = {f"modules.{module}": True}
        if module == "minions":
            patches["modules.coop"] = True
    else:
        assert ROW[module] == 1
        off = switched_off(module) if module in NEEDS else [f"modules.{module}"]
        patches = dict.fromkeys(off, False)
    row = tables(load(patches=patches).model, 4)[0]
    changed = {f for f in TABLES.names if not np.array_equal(row[f], ROW[f])}
    switched = {key.removeprefix("modules.") for key in patches}
    assert switched - (set() if module in TOGETHER else set(TOGETHER)) <= changed


def test_modules_bring_their_cards():
    off = tables(load(patches=dict.fromkeys(switched_off("new_threats"), False)).model, 4)[0]
    assert off["adventurers"] == (1 << 36) - 1
    assert ROW["adventurers"] == (1 << 45) - 1
    assert off["treasure_cards"] == (1 << 36) - 1
    assert ROW["treasure_cards"] == (1 << 40) - 1
    counts = [len(bits(row[f])) for row in (off, ROW) for f in ("basic_cards", "advanced_cards")]
    assert counts == [40, 15, 45, 17]
    assert list(off["companion_count"]) == [4, 0, 0, 0, 0, 0, 0, 0]
    assert list(ROW["companion_count"]) == [4, 1, 1, 0, 0, 0, 0, 0]
    store = ("store_coin", "store_cards", "store_hearts", "store_camps")
    assert [off[field] for field in store] == [1, 4, 0, 0]
    assert [ROW[field] for field in store] == [1, 4, 2, 3]


# --- readings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "field", "expected"),
    [
        ("end_trigger", "quests", "end_trigger", EndTrigger.QUESTS),
        ("end_trigger", "camps", "end_trigger", EndTrigger.CAMPS),
        ("finish_round", False, "finish_round", 0),
        ("heart_cost", "leave", "heart_cost_leave", 1),  # NF-T33
        ("farm_cards", False, "farm_cards", 0),
        ("mine_left", True, "mine_left", 1),
        ("hearts_before_roll", True, "hearts_before_roll", 1),
        ("shared_win", False, "shared_win", 0),
        ("dummy", "mine", "dummy", Place.MINE),
        ("dummy", "none", "dummy", Place.NOWHERE),
        ("talents", True, "storytelling_points", 2),
        ("start_order", "random", "random_start", 1),
    ],
)
def test_each_switch_changes_one_field(key, value, field, expected):
    usual = tables(RULES, 2)[0]
    row = tables(load(patches={f"switches.{key}": value}).model, 2)[0]
    assert {name for name in TABLES.names if not np.array_equal(row[name], usual[name])} == {field}
    assert row[field] == expected


def test_the_usual_readings():
    """The defaults of A-1, A-3, A-8, A-13, A-25, A-33, A-41."""
    assert ROW["end_trigger"] == EndTrigger.EITHER
    assert (ROW["finish_round"], ROW["shared_win"]) == (1, 1)
    readings = ("heart_cost_leave", "mine_left", "hearts_before_roll", "random_start")
    assert [ROW[field] for field in readings] == [0, 0, 0, 0]
    assert [ROW[field] for field in ("reputation_steps", "goods_step")] == [0, 0]
    assert not ROW["chief_points"].any()
    assert ROW["dummy"] == 0
    assert tables(RULES, 2)[0]["dummy"] == Place.TOWN_HALL


def test_both_profiles_of_scoring():
    """A-3: what is stated, and what reports of play add."""
    row = tables(load(patches={"switches.scoring": "full"}).model, 4)[0]
    assert (row["reputation_steps"], row["goods_step"]) == (2, 5)
    assert list(row["chief_points"]) == [3] * 4
    changed = {name for name in TABLES.names if not np.array_equal(row[name], ROW[name])}
    assert changed == {"reputation_steps", "goods_step", "chief_points"}


# --- provenance ----------------------------------------------------------------------------------


def test_every_number_has_a_source_or_a_range_with_evidence():
    for entry in CONTENT.entries:
        if entry.source == "rulebook":
            assert entry.section, entry.key
            continue
        assert entry.source == "assumed"
        assert entry.evidence, entry.key
        number = isinstance(entry.value, int) and not isinstance(entry.value, bool)
        assert number == (entry.low is not None), entry.key
        if number:
            assert entry.low <= entry.value <= entry.high
    assert {path.name for path in data_files(FOLDER)} == set(model.Rules.FILES)


def test_meanings_and_lines_of_entries():
    entry = ENTRIES["mine_cards.web_tunnel.number"]
    assert entry.meaning == "total that lets one stay"
    assert entry.allowed == "a whole number from 0 to 99"
    for entry in CONTENT.entries:
        assert entry.meaning, entry.key
        lines = Path(str(entry.file)).read_text(encoding="utf-8").splitlines()
        name = entry.key.split(".")[1]
        assert name in lines[entry.line - 1], entry.key


@pytest.mark.parametrize("seed", range(2))
def test_numbers_drawn_from_all_ranges_together_are_a_game(seed):
    ranges = {
        entry.key: (int(entry.low), int(entry.high))
        for entry in CONTENT.entries
        if entry.low is not None and entry.high is not None and "spell_spaces" not in entry.key
    }
    assert len(ranges) > 500
    draw = np.random.default_rng(seed)
    drawn = {key: int(draw.integers(*ends, endpoint=True)) for key, ends in ranges.items()}
    ends = {key: ends[seed % 2] for key, ends in ranges.items()}
    for patches in (drawn, ends):
        tables(load(patches=patches).model, 2 + seed % 3)


@pytest.mark.parametrize(
    ("patches", "told"),
    [
        ({}, []),
        ({"trade.token": 6}, ["trade: "]),
        ({"trade.gem": 4}, ["trade: Transmutation"]),
        ({"spells.haste.copies": 4}, ["spells: the box"]),
        ({"magic.camps": 0}, ["magic.camps: "]),
    ],
)
def test_constraints(patches, told):
    broken = constraints(load(patches=patches).model)
    assert len(broken) == len(told)
    assert all(text.startswith(start) for text, start in zip(broken, told, strict=True))


# --- tables --------------------------------------------------------------------------------------


def test_members_are_packed():
    members = list(RULES.adventurers)
    word = int(ROW["member_symbols"][members.index("long_walker")])
    found = {symbol: word >> (8 * symbol) & 255 for symbol in Symbol if word >> (8 * symbol) & 255}
    assert found == {
        Symbol.SKILL: 2,
        Symbol.COMBAT: 1,
        Symbol.CAUTION: 2,
        Symbol.MOVEMENT: 1,
        Symbol.HEARTS: 3,
    }
    factions = [Faction(ROW["member_faction"][n]) for n in range(len(members))]
    assert factions[members.index("long_walker")] == Faction.NOMADS
    assert factions[members.index("hob_pickax")] == Faction.NONE
    miners = int(ROW["member_symbols"][members.index("hob_pickax")])
    assert miners >> (8 * Symbol.PICKAX) & 255 == 1
    teacher = int(ROW["member_symbols"][members.index("ash_teacher")])
    assert teacher >> (8 * Symbol.MAGIC) & 255 == 1
    teachers = [factions[n] for n, name in enumerate(members) if name.endswith("_teacher")]
    assert sorted(teachers) == [faction for faction in Faction if faction]
    dog = int(ROW["member_symbols"][FIRST_COMPANION])
    assert dog == 1 << (8 * Symbol.SKILL) | 2 << (8 * Symbol.HEARTS)
    assert ROW["member_cost"][members.index("long_walker")] == 7


def test_a_price():
    number = list(RULES.artifacts).index("last_ruin_shard")
    assert ROW["artifact_cost"][number].tolist() == [0, 0, 2, 0, 0, 1, 1]
    assert ROW["artifact_points"][number] == 9
    mask = list(RULES.artifacts).index("bandit_mask")
    assert ROW["artifact_reputation"][mask] == -2
    assert ROW["good_value"].tolist() == [1, 2, 3, 5, 5, 5, 5]


def test_names():
    size = NAME_WORDS * 8
    for field, names, first in (
        ("member_name", RULES.adventurers, 0),
        ("member_name", RULES.companions, FIRST_COMPANION),
        ("artifact_name", RULES.artifacts, 0),
        ("treasure_name", RULES.treasures, 0),
        ("mine_name", RULES.mine_cards, 0),
        ("area_name", RULES.mine_areas, 0),
        ("space_name", board(RULES).names, 0),
    ):
        for number, name in enumerate(names, start=first):
            assert len(name) <= size
            assert ROW[field][number].tobytes().rstrip(b"\0").decode() == name


def test_a_new_card_leaves_the_others_as_they_are():
    patches = {
        "treasures.glass_eye": {"supply": "base", "points": 1, "symbols": "1 combat, 1 heart"}
    }
    row = tables(load(patches=patches).model, 4)[0]
    assert row["treasure_cards"] == ROW["treasure_cards"] | 1 << 40
    for field in ("treasure_symbols", "treasure_points", "treasure_name"):
        assert np.array_equal(row[field][:40], ROW[field][:40])
    assert row["treasure_symbols"][40] == 1 << (8 * Symbol.COMBAT) | 1 << (8 * Symbol.HEARTS)
    assert row["treasure_points"][40] == 1


def test_every_combination_that_can_be_played_has_tables():
    """NF-T32: cards of a module are in play with it, and only with it."""
    values = RULES.modules.model_dump()
    members = [member.supply for member in RULES.adventurers.values()]
    made = 0
    for flags in itertools.product((False, True), repeat=len(NEEDS)):
        on = dict(zip(NEEDS, flags, strict=True))
        names = {name for name, flag in on.items() if flag}
        if missing_modules(names):
            continue
        modules = model.Modules.model_validate(values | on)
        row = tables(RULES.model_copy(update={"modules": modules}), 3)[0]
        made += 1
        supplies = {members[number] for number in bits(row["adventurers"])}
        assert supplies == {"base", *(names & {"miners", "magic_teachers"})}
        assert (len(bits(row["treasure_cards"])) == 40) == on["amber_treasures"]
        assert (len(bits(row["basic_cards"])) == 45) == on["amber_artifacts"]
        assert (row["companion_count"][1:].sum() > 0) == on["numbat"]
        assert (row["store_camps"] > 0) == on["new_general_store"]
        assert (row["threats"] == 13) == on["new_threats"]
        assert (row["boss_cards"] > 0) == (row["quest_tokens"] == 12) == on["coop"]
        assert (row["minion_cards"] > 0) == on["minions"]
        assert all(row[name] == flag for name, flag in on.items())
    assert made == 441


# --- the cooperative mode ---------------------------------------------------------------------

COOP = {"modules.coop": True, "modules.minions": True}


@pytest.mark.parametrize(("players", "tokens"), [(2, 8), (3, 12), (4, 16)])
def test_quest_tokens_of_a_team(players, tokens):
    """NF-T14, with and without a scenario."""
    for patches in (
        {},
        {"switches.map": "meteor_mountain", "switches.scenario": "ancient_railroad"},
    ):
        row = tables(load(patches=COOP | patches).model, players)[0]
        assert row["quest_tokens"] == tokens
        assert row["failed_stay"] == 1
        assert row["end_trigger"] == EndTrigger.CAMPS
        assert row["bosses"] == players


@pytest.mark.parametrize("name", MAPS)
def test_bosses_are_far_from_the_town(name):
    """A-7: each on a space of its own, none of them nearer than what is far on that map."""
    row = tables(load(patches=COOP | {"switches.map": name}).model, 4)[0]
    spaces = [int(space) for space in row["boss_space"]]
    assert len(set(spaces)) == 4
    distance = row["distance"][row["town_space"]]
    assert all(distance[space] >= 0.7 * distance.max() for space in spaces)
    assert not any(row["refresh"] >> space & 1 for space in spaces)


def test_the_time_track():
    """57 is on it; swords on every fourth space, eight at most; the skull after the last."""
    row = tables(load(patches=COOP).model, 2)[0]
    space = int(row["time_start"])
    values, swords = [], []
    while not row["time_skull"] >> space & 1:
        values.append(int(row["time_value"][space]))
        if row["time_swords"] >> space & 1:
            swords.append(values[-1])
        space = int(row["time_next"][space])
    assert values == list(range(36, 73))
    assert swords == list(range(40, 72, 4))
    assert len(swords) == 8


def test_the_eight_minions():
    """Rule 65: what each building's minion does, two of them in the Town Hall."""
    row = tables(load(patches=COOP).model, 2)[0]
    effects = {
        (Place(place).name, Effect(effect).name)
        for place, effect in zip(row["minion_place"], row["minion_effect"], strict=True)
    }
    assert effects == {
        ("MINE", "REMOVE_CAMP"),
        ("HUT", "DISCARD_TREASURE"),
        ("FARM", "LOSE_FOOD"),
        ("GENERAL_STORE", "DISCARD_ARTIFACT"),
        ("STABLES", "BIRD_COINS"),
        ("SALOON", "RECRUIT_REPUTATION"),
        ("TOWN_HALL", "LOSE_REPUTATION"),
        ("TOWN_HALL", "REMOVE_THREAT"),
    }
    assert bits(row["minion_cards"]) == set(range(8))
    assert row["minion_need"].min() >= 6
    assert row["minion_need"].max() <= 8
    assert all(reward(line) == {Reward.REPUTATION: 1} for line in row["minion_reward"])
    without = tables(load(patches=COOP | {"minions.crop_burner.copies": 0}).model, 2)[0]
    assert bits(row["minion_cards"]) - bits(without["minion_cards"]) == {5}


@pytest.mark.parametrize(
    ("key", "value", "fields"),
    [
        ("switches.difficulty", "moon", {"time_start"}),
        ("switches.coop_at_least", True, {"coop_at_least"}),
        ("switches.coop_duels", True, {"coop_duels"}),
        ("switches.boss_fights", "after_threats", {"bosses_as_threats"}),
        ("together.start", 50, {"time_start"}),
        ("together.bosses", 3, {"bosses"}),
        ("together.minion_coins", 2, {"minion_coins"}),
        ("together.basic_dealt", 4, {"basic_dealt"}),
        ("together.advanced_dealt", 1, {"advanced_dealt", "advanced_kept"}),
        ("setup.basic_dealt", 4, set()),
        ("switches.dummy", "mine", set()),
    ],
)
def test_each_switch_of_a_team(key, value, fields):
    usual = tables(load(patches=COOP).model, 2)[0]
    row = tables(load(patches=COOP | {key: value}).model, 2)[0]
    assert {name for name in TABLES.names if not np.array_equal(row[name], usual[name])} == fields


def test_nothing_of_a_team_is_in_other_games():
    fields = [name for name in TABLES.names if name.startswith(("boss", "minion", "time_", "coop"))]
    assert not any(ROW[name].any() for name in fields if not name.endswith("_name"))
    assert not load_game("near_and_far").together(RULES)
    assert load_game("near_and_far").together(load(patches=COOP).model)


# --- what cards are worth ---------------------------------------------------------------------


def test_cards_are_those_in_play_by_the_numbers_of_the_counters():
    cards = content.cards(RULES)
    numbers = {card.name: card.number for card in cards}
    decks = bits(ROW["basic_cards"]) | bits(ROW["advanced_cards"])
    assert sorted(numbers.values()) == [
        *sorted(decks),
        *sorted(MAX_ARTIFACTS + member for member in bits(ROW["adventurers"])),
    ]
    assert numbers["oak_buckler"] == list(RULES.artifacts).index("oak_buckler")
    assert numbers["red_widow"] == MAX_ARTIFACTS + list(RULES.adventurers).index("red_widow")
    classes = {card.name: dict(card.classes) for card in cards}
    # 2 coins, a gem and a token: 4 + 3 + 5 by the values of trade, in which a coin is 2
    assert classes["skyship_sail"] == {"type": "advanced artifact", "cost": "6"}
    assert classes["iron_kettle"] == {"type": "basic artifact", "cost": "3"}  # 5 / 2
    assert classes["smoke_teacher"] == {"type": "magic teacher", "cost": "4"}
    assert classes["hob_pickax"]["type"] == "miner"
    assert classes["red_widow"] == {"type": "adventurer", "cost": "7"}
    fewer = {"modules.miners": False, "modules.amber_artifacts": False}
    without = content.cards(load(patches=fewer | {"experiment.left_out": "red_widow"}).model)
    gone = numbers.keys() - {card.name for card in without}
    added = ("miners", "amber_artifacts")
    modules = {name for name, supply in supply_of(RULES).items() if supply in added}
    assert gone == {"red_widow", *modules}
    assert content.example_cards(RULES)[:2] == ("merchant_pack", "hob_pickax")
    assert set(content.example_cards(RULES)) <= numbers.keys()


def test_cards_of_experiments():
    assert ROW["first_card"] == 0
    row = tables(load(patches={"experiment.first_card": "tin_whistle"}).model, 2)[0]
    assert row["first_card"] == 1 + list(RULES.artifacts).index("tin_whistle")
    row = tables(load(patches={"experiment.first_card": "old_ssar"}).model, 2)[0]
    assert row["first_card"] == 1 + MAX_ARTIFACTS + list(RULES.adventurers).index("old_ssar")
    names = "tin_whistle tower_key old_ssar"
    row = tables(load(patches={"experiment.left_out": names}).model, 4)[0]
    for field, group, name in (
        ("basic_cards", RULES.artifacts, "tin_whistle"),
        ("advanced_cards", RULES.artifacts, "tower_key"),
        ("adventurers", RULES.adventurers, "old_ssar"),
    ):
        assert int(ROW[field]) - int(row[field]) == 1 << list(group).index(name)
    changed = {name for name in TABLES.names if not np.array_equal(ROW[name], row[name])}
    assert changed == {"basic_cards", "advanced_cards", "adventurers"}


def test_rich_players_and_cheap_cards():
    rich = tables(load(patches=content.rich_players(RULES)).model, 3)[0]
    assert (rich["start_goods"][:3] > rich["artifact_cost"].max()).all()
    assert not rich["start_goods"][3].any()
    cheap = tables(load(patches=content.cheap_cards(RULES)).model, 3)[0]
    for field in ("artifact_cost", "artifact_reputation", "member_cost"):
        assert ROW[field].any()
        assert not cheap[field].any()


def test_the_figure_nobody_plays_is_for_two():
    assert players_for(model.Rules, "switches.dummy") == (2,)
    for key in model.Rules.ONLY_FOR:
        assert key in ENTRIES
    station = load(patches={"switches.dummy": "mine"}).model
    assert tables(station, 2)[0]["dummy"] == Place.MINE
    assert np.array_equal(tables(station, 3), tables(RULES, 3))


# --- the page for designers ----------------------------------------------------------------------

PAGE = Path(__file__).parents[3] / "docs" / "near_and_far_cards.md"


def test_the_page_names_every_list_column_and_word():
    text = PAGE.read_text("utf-8")
    for name in model.Rules.FILES:
        if name.endswith(".csv"):
            assert f"`{name}`" in text
    for group in ("adventurers", "companions", "chiefs", "artifacts", "treasures", "threats"):
        row = model.Rules.model_fields[group].annotation.__args__[1]
        for column in row.model_fields:
            assert f"`{column}`" in text, (group, column)
    lists = ("mine_areas", "mine_cards", "paragraphs", "scenarios", "keywords", "spaces")
    for group in (*lists, "time_track", "bosses", "minions"):
        row = model.Rules.model_fields[group].annotation.__args__[1]
        for column in row.model_fields:
            assert f"`{column}`" in text, (group, column)
    for word in (
        *("skill", "combat", "search", "caution", "movement", "heart", "coin", "gem", "food"),
        *("point", "treasure", "magic", "reputation", *FACTION_NAMES, *RESOURCE_NAMES),
        *("gain", "lose", "read", "merchant_pack", "almanac", "sheriff_badge", *NEEDS),
        *(effect.name.lower() for effect in Effect),
    ):
        assert f"`{word}`" in text, word


def test_the_row_of_the_page_is_a_card():
    """The example that the page tells designers to add."""
    line = next(t for t in PAGE.read_text("utf-8").splitlines() if t.startswith("| glass_eye"))
    name, supply, points, low, high, symbols, evidence = (
        cell.strip() for cell in line.strip("|").split("|")
    )
    assert int(low) <= int(points) <= int(high)
    assert evidence
    patch = {"supply": supply, "points": int(points), "symbols": symbols}
    assert load(patches={f"treasures.{name}": patch}).model.treasures[name].points == int(points)
