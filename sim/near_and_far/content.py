"""The tables of Near and Far that the kernel reads, made of its numbers.

`model.py` has what the numbers must fit and the files they are in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim import content
from sim.content import Content
from sim.decks import KINDS_PER_WORD
from sim.errors import UserError, choices, nearest
from sim.game import Card
from sim.near_and_far import exact
from sim.near_and_far.checks import (
    NEEDS,
    adjacent,
    boss_spaces,
    in_play,
    left_out,
    paths_of,
    quest_tokens,
    scenario_spaces,
    spaces_of,
    steps_from,
    story,
    time_start,
)
from sim.near_and_far.model import (
    Artifact,
    PathSheet,
    Quest,
    Rules,
    Space,
    Threat,
)
from sim.near_and_far.state import (
    DIE_CHANCES,
    FACES,
    FIRST_COMPANION,
    FOODS,
    GOODS,
    MAX_ARTIFACTS,
    MAX_DEGREE,
    MAX_STEPS,
    MAX_TIME,
    PURSE_BITS,
    RESOURCES,
    REWARDS,
    TABLES,
    TOKEN,
    WAY_BITS,
    WAY_THREAT,
    WAY_TREASURE,
    Ability,
    Effect,
    EndTrigger,
    Faction,
    Good,
    Place,
    Spell,
    Symbol,
)
from sim.near_and_far.words import (
    BASE,
    BUILDING_NAMES,
    NONE,
    RESOURCE_NAMES,
    card_symbols,
    member_symbols,
    read_reward,
    read_then,
    read_tokens,
)
from sim.wording import counted

FOLDER = Path(__file__).parent

HANDICAPS: dict[str, str] = {
    "expert_die": "per seat printed, start (from the start) or never; or 0, 1, 2",
    "forbid_artifacts": 'per seat artifacts it may not buy: a name, names, or "" for none',
    "forbid_cards": "per seat artifacts and adventurers it may not have, beside those two: a name, "
    'names, or "" for none',
    "deal_artifact": 'per seat the artifact it holds after the draft: its name, or "" for none',
    "forbid_members": 'per seat adventurers it may not recruit: a name, names, or "" for none',
    "start_member": 'per seat the adventurer it owns from the start: its name, or "" for none',
    "forbid_places": "per seat buildings of the town it may not visit: a name, names, or one bit "
    "for each",
    "forbid_duels": "per seat duels it may not start: honest, dishonest, both, or one bit for each",
    "start_goods": "per seat goods beside the coins: a table {gem = 2}, or a number for each good",
    "forbid_gifts": "per seat 1 if it may give nothing to others in the cooperative mode, else 0",
}
_DIE_WORDS = ("printed", "start", "never")
_DUEL_WORDS = ("honest", "dishonest")


def load(
    folder: Path | str | None = None, patches: Mapping[str, Any] | None = None
) -> Content[Rules]:
    """Return the checked content: of a designer's folder, or the one we ship.

    Raises UserError with all problems, see `sim.content.load`.
    """
    return content.load(Rules, FOLDER if folder is None else folder, patches)


def constraints(rules: Rules) -> list[str]:
    """Return what the sources tell of unpublished numbers and these rules break.

    Patches may break it; a study of robustness keeps to what breaks none.
    """
    broken = []
    trade, deal = rules.trade.values(), rules.town.most_traded
    if max(trade) > deal * min(trade):
        text = f"five goods for one is the most that is traded, and {max(trade)} is the dearest"
        broken.append(f"trade: {text}")
    spell = rules.spells["transmutation"]
    if rules.trade.gem >= spell.amount * rules.trade.coin:
        broken.append("trade: Transmutation is no better than trading a gem")
    if sum(cards.copies for cards in rules.spells.values()) != _SPELL_CARDS:
        broken.append(f"spells: the box holds {_SPELL_CARDS} cards")
    if rules.magic.camps < 1:
        broken.append("magic.camps: the last space has a camp symbol")
    for name, card in rules.mine_cards.items():
        if card.number and card.check == NONE:
            broken.append(f"mine_cards.{name}: a number without a check")
    return broken


_SPELL_CARDS = 30  # the box list of the expansion


def tables(rules: Rules, players: int, handicaps: Mapping[str, Any] | None = None) -> np.ndarray:
    """Return what the kernel reads: shape (1,), dtype TABLES.

    handicaps: name (see HANDICAPS) to one value per seat, for measuring what a thing is worth.
    Raises UserError for a number of players the game does not have and for wrong handicaps.
    """
    least, most = rules.players.least, rules.players.most
    if not least <= players <= most:
        allowed = ", ".join(str(count) for count in range(least, most + 1))
        raise UserError(f"{counted(players, 'player')}; allowed: {allowed}")
    out = np.zeros(1, TABLES)
    row = out[0]
    row["players"] = players
    _fill_switches(row, rules, players)
    _fill_sizes(row, rules, players)
    _fill_points(row, rules)
    _fill_members(row, rules)
    _fill_cards(row, rules)
    _fill_mines(row, rules)
    _fill_magic(row, rules)
    _fill_map(row, rules)
    _fill_quests(row, rules)
    _fill_together(row, rules, players)
    _fill_names(row, rules)
    for name, values in (handicaps or {}).items():
        if name not in HANDICAPS:
            raise UserError(
                f"unknown handicap {name!r}{nearest(name, HANDICAPS)}; "
                f"known handicaps: {choices(HANDICAPS)}"
            )
        listed = isinstance(values, Sequence) and not isinstance(values, str)
        if not listed or len(values) != players:
            raise UserError(
                f"handicap {name}: give one value for each of the {counted(players, 'seat')}"
            )
        for seat, value in enumerate(values):
            if name == "forbid_cards":
                _forbid_cards(row, seat, value, rules)
            elif name.startswith("forbid_"):
                row[name][seat] |= _handicap(name, value, rules)
            else:
                row[name][seat] = _handicap(name, value, rules)
    derive(row)
    return out


def derive(row: np.void) -> None:
    """Fill in what follows from other numbers of a TABLES record. Modified in place."""
    roads = row["road"]
    ways = row["road_to"] - 1
    ways = ways + WAY_THREAT * (row["road_threat"][roads] != 0)
    ways = ways + WAY_TREASURE * (row["road_treasure"][roads] != 0)
    ways = np.where(row["road_to"] > 0, ways, 0) << (WAY_BITS * np.arange(MAX_DEGREE))
    row["ways"][:] = ways.sum(axis=1) + (1 << (WAY_BITS * row["degree"]))
    far = np.where(row["distance"] > 0, row["distance"], MAX_STEPS)
    np.fill_diagonal(far, 0)
    near = far[:, None, :] <= np.arange(MAX_STEPS)[:, None]
    row["within"][:] = (near << np.arange(len(far))).sum(axis=2)
    row["good_spaces"] = _bits(int(space) for space in np.flatnonzero(row["space_good"]))
    row["artifact_price"][:] = (row["artifact_cost"] << (PURSE_BITS * np.arange(GOODS))).sum(axis=1)
    row["artifact_value"][:] = row["artifact_cost"] @ row["good_value"]
    if row["time_skull"] != 0:
        row["time_left"][:] = _steps_to(int(row["time_skull"]), tuple(row["time_next"].tolist()))
    chances = _chances(int(row["die_sides"]), tuple(map(int, row["expert_face"])))
    row["die_odds"][:] = (chances[:, :, 1:] << 8 * np.arange(FACES - 1)).sum(axis=2)
    row["die_sums"][:] = chances.cumsum(axis=2)


@cache
def _steps_to(skull: int, following: tuple[int, ...]) -> list[int]:
    """Return the steps from each space of the time track to the skull, at most MAX_TIME."""
    far = []
    for space in range(MAX_TIME):
        steps = 0
        while not skull >> space & 1 and steps < MAX_TIME:
            steps, space = steps + 1, following[space]
        far.append(steps)
    return far


@cache
def _chances(sides: int, faces: tuple[int, ...]) -> np.ndarray:
    """Return the chances in DIE_CHANCES that a die shows a number or more: (2, FOODS, FACES).

    By plain or expert die, food, number; 0 for the number 0 and for a die without a number.
    """
    dice = {"die_sides": sides, "expert_face": faces}
    out = np.zeros((2, FOODS, FACES), np.int64)
    for expert in range(2):
        if sides < 1 or (expert and not exact.expert_faces(dice)):
            continue
        for food in range(FOODS):
            for wanted in range(1, FACES):
                chance = exact.success(dice, wanted, expert=bool(expert), food=food * expert)
                out[expert, food, wanted] = int(chance * DIE_CHANCES + Fraction(1, 2))
    return out


# the one artifact that the expansion's rulebook names, a miner, a magic teacher, and the dearest
_EXAMPLES = ("merchant_pack", "hob_pickax", "smoke_teacher", "world_tree_seed", "red_widow")
_PLENTY = 30  # of each kind of goods: enough for whatever one comes by


def cards(rules: Rules) -> tuple[Card, ...]:
    """Return the artifacts and adventurers in play, as the counters of `outcome` number them."""
    out = left_out(rules)
    artifacts = [
        Card(name, number, 1, (("type", f"{card.deck} artifact"), ("cost", _in_coins(rules, card))))
        for number, (name, card) in enumerate(rules.artifacts.items())
        if in_play(rules, card.supply) and name not in out
    ]
    adventurers = [
        Card(name, number, 1, (("type", _CALLINGS[one.supply]), ("cost", str(one.cost))))
        for number, (name, one) in enumerate(rules.adventurers.items(), start=MAX_ARTIFACTS)
        if in_play(rules, one.supply) and name not in out
    ]
    return (*artifacts, *adventurers)


_CALLINGS = {BASE: "adventurer", "miners": "miner", "magic_teachers": "magic teacher"}


def _in_coins(rules: Rules, card: Artifact) -> str:
    """Return the price of an artifact in coins, by the values of trade, rounded up."""
    trade = rules.trade
    tokens = sum(read_tokens(card.tokens).values())
    price = card.coins * trade.coin + card.gems * trade.gem + card.food * trade.food
    return str(-(-(price + tokens * trade.token) // trade.coin))


def example_cards(rules: Rules) -> tuple[str, ...]:
    """Return the cards to look at one by one that are in play."""
    names = {card.name for card in cards(rules)}
    return tuple(name for name in _EXAMPLES if name in names)


def rich_players(rules: Rules) -> dict[str, Any]:
    """Return changes with which every player has plenty of goods."""
    return {"experiment.goods": _PLENTY}


def cheap_cards(rules: Rules) -> dict[str, Any]:
    """Return changes with which all artifacts and adventurers are for nothing, and for anybody."""
    free: dict[str, Any] = {"coins": 0, "gems": 0, "food": 0, "tokens": "", "reputation": 0}
    prices = {
        f"artifacts.{name}.{key}": value
        for name, card in rules.artifacts.items()
        for key, value in free.items()
        if getattr(card, key) != value
    }
    costs = {f"adventurers.{name}.cost": 0 for name, one in rules.adventurers.items() if one.cost}
    return prices | costs


def _fill_switches(row: np.void, rules: Rules, players: int) -> None:
    switches = rules.switches
    for module in (*NEEDS, "heart_total", "map_scarcity"):
        row[module] = getattr(rules.modules, module)
    scenarios = [NONE, *rules.scenarios]
    row["scenario"] = scenarios.index(switches.scenario)
    stay = switches.scenario != NONE or rules.modules.coop
    row["failed_stay"] = stay
    triggers = {
        "quests": EndTrigger.QUESTS,
        "camps": EndTrigger.CAMPS,
        "either": EndTrigger.EITHER,
        "usual": EndTrigger.CAMPS if stay else EndTrigger.EITHER,
    }
    row["end_trigger"] = triggers[switches.end_trigger]
    row["finish_round"] = switches.finish_round
    row["heart_cost_leave"] = switches.heart_cost == "leave"
    row["mine_left"] = switches.mine_left
    row["shared_win"] = switches.shared_win
    row["hearts_before_roll"] = switches.hearts_before_roll
    if players == 2 and switches.dummy != NONE and not rules.modules.coop:
        row["dummy"] = Place[switches.dummy.upper()]
    row["farm_cards"] = switches.farm_cards
    row["random_start"] = switches.start_order == "random"
    row["turn_cap"] = rules.stall.turn_cap


def _fill_sizes(row: np.void, rules: Rules, players: int) -> None:
    setup, town, duel = rules.setup, rules.town, rules.duel
    new_store = rules.modules.new_general_store
    team, coop = rules.together, rules.modules.coop
    sizes: dict[str, Any] = {
        "start_coins": setup.coins,
        "tents": setup.camps,
        "most_hearts": rules.movement.most_hearts,
        "base_movement": rules.movement.base,
        "most_birds": town.most_birds,
        "birds_per_visit": town.birds_per_visit,
        "bird_food": town.bird_food,
        "track_size": setup.track,
        "refresh_food": town.track_food,
        "basic_dealt": team.basic_dealt if coop else setup.basic_dealt,
        "advanced_dealt": team.advanced_dealt if coop else setup.advanced_dealt,
        "advanced_kept": team.advanced_dealt if coop else setup.advanced_kept,
        "store_coin": rules.new_store.coins if new_store else town.store_coins,
        "store_cards": rules.new_store.cards if new_store else town.store_cards,
        "store_hearts": rules.new_store.hearts if new_store else 0,
        "store_camps": rules.new_store.camps if new_store else 0,
        "trade_many": town.most_traded,
        "good_value": rules.trade.values(),
        "reputation_low": rules.reputation.lowest,
        "reputation_high": rules.reputation.highest,
        "quest_tokens": quest_tokens(rules, players),
        "quest_bonus": rules.quest.bonus_margin,
        "cross_hearts": rules.movement.crossing_hearts,
        "camp_hearts": rules.camps.hearts,
        "honest_reputation": duel.honest_reputation,
        "dishonest_reputation": duel.dishonest_reputation,
        "dishonest_bonus": duel.dishonest_bonus,
        "badge_bonus": rules.cards.badge_bonus,
        "almanac_coins": rules.cards.almanac_coins,
        "hut_treasures": town.hut_treasures,
        "hut_magic": rules.magic.step,
        "hut_gems": rules.magic.gems,
        "hut_gem_magic": rules.magic.gem_steps,
        "teacher_magic": rules.magic.teacher_steps,
        "miner_coins": rules.amber.miner_coins,
        "mine_camp_food": rules.amber.camp_food,
        "spells_drawn": rules.magic.spells_drawn,
        "die_sides": rules.dice.sides,
        "first_card": _number_of(rules, rules.experiment.first_card),
    }
    for name, value in sizes.items():
        row[name] = value
    row["start_goods"][:players] = rules.experiment.goods
    faces = rules.expert_die.faces()
    row["expert_face"][: len(faces)] = faces


def _number_of(rules: Rules, name: str) -> int:
    """Return 1 + the number of an artifact or adventurer, 0 for none."""
    return next((1 + card.number for card in cards(rules) if card.name == name), 0)


def _fill_points(row: np.void, rules: Rules) -> None:
    scoring = rules.scoring
    row["unbought_points"] = scoring.unbought
    row["camp_points"] = rules.camps.points
    row["all_camps_points"] = rules.camps.all_points
    row["set_treasures"] = scoring.set_treasures
    row["set_points"] = scoring.set_points
    row["amber_points"] = rules.amber.most_points, rules.amber.second_points
    row["magic_points"] = rules.magic.most_points
    row["spell_points"] = rules.magic.spell_points
    if rules.switches.scoring == "full":
        row["reputation_steps"] = scoring.reputation_steps
        row["goods_step"] = scoring.goods_value
        for chief in rules.chiefs.values():
            row["chief_points"][Faction[chief.faction.upper()] - 1] += chief.points
    if rules.switches.talents:
        row["storytelling_points"] = scoring.storytelling


def _packed(symbols: Mapping[int, int]) -> int:
    """Return symbols as one word, a byte for each Symbol."""
    return sum(amount << (8 * symbol) for symbol, amount in symbols.items())


def _bits(numbers: Iterator[int]) -> int:
    return sum(1 << number for number in numbers)


def _fill_members(row: np.void, rules: Rules) -> None:
    out = left_out(rules)
    adventurers = list(rules.adventurers.values())
    row["adventurers"] = _bits(
        number
        for number, (name, member) in enumerate(rules.adventurers.items())
        if in_play(rules, member.supply) and name not in out
    )
    for number, member in enumerate(adventurers):
        symbols = member_symbols(member.symbols) | {Symbol.HEARTS: member.hearts}
        if member.supply == "miners":
            symbols[Symbol.PICKAX] = 1
        if member.supply == "magic_teachers":
            symbols[Symbol.MAGIC] = 1
        row["member_cost"][number] = member.cost
        row["member_faction"][number] = Faction[member.faction.upper()]
        row["member_symbols"][number] = _packed(symbols)
    for number, kind in enumerate(rules.companions.values()):
        symbols = member_symbols(kind.symbols) | {Symbol.HEARTS: kind.hearts}
        row["member_symbols"][FIRST_COMPANION + number] = _packed(symbols)
        if kind.supply == BASE or rules.modules.numbat:
            row["companion_count"][number] = kind.count


_ABILITIES = {NONE: 0, **{ability.name.lower(): int(ability) for ability in Ability}}


def _rewards(text: str) -> list[int]:
    """Return a reward by Reward."""
    found = read_reward(text)
    return [found.get(column, 0) for column in range(REWARDS)]


def _fill_cards(row: np.void, rules: Rules) -> None:
    """Fill in artifacts, treasures and threats."""
    out = left_out(rules)
    artifacts = list(rules.artifacts.values())
    for deck in ("basic", "advanced"):
        row[f"{deck}_cards"] = _bits(
            number
            for number, (name, card) in enumerate(rules.artifacts.items())
            if card.deck == deck and in_play(rules, card.supply) and name not in out
        )
    for number, card in enumerate(artifacts):
        cost = row["artifact_cost"][number]
        cost[Good.FOOD] = card.food
        cost[Good.COIN] = card.coins
        cost[Good.GEM] = card.gems
        for faction, amount in read_tokens(card.tokens).items():
            cost[TOKEN + faction] = amount
        row["artifact_reputation"][number] = card.reputation
        row["artifact_symbols"][number] = _packed(card_symbols(card.symbols))
        row["artifact_ability"][number] = _ABILITIES[card.ability]
        row["artifact_points"][number] = card.points
    treasures = list(rules.treasures.values())
    row["treasure_cards"] = _bits(
        number for number, treasure in enumerate(treasures) if in_play(rules, treasure.supply)
    )
    for number, treasure in enumerate(treasures):
        row["treasure_symbols"][number] = _packed(card_symbols(treasure.symbols))
        row["treasure_ability"][number] = _ABILITIES[treasure.ability]
        row["treasure_points"][number] = treasure.points
        row["treasure_amber"][number] = treasure.amber
    stack = [threat for _, threat in threats_of(rules)]
    row["threats"] = len(stack)
    for number, threat in enumerate(stack):
        row["threat_level"][number] = threat.level
        row["threat_points"][number] = threat.points
        row["threat_camp"][number] = threat.camp
        row["threat_reward"][number] = _rewards(threat.reward)


def threats_of(rules: Rules) -> list[tuple[str, Threat]]:
    """Return the threats of the stack in use with their names, the first one on top."""
    stack = "new" if rules.modules.new_threats else "base"
    own = [(name, threat) for name, threat in rules.threats.items() if threat.stack == stack]
    return sorted(own, key=lambda pair: pair[1].level)


_CHECKS = {NONE: 0, "skill": int(Symbol.SKILL), "combat": int(Symbol.COMBAT)}


def _fill_mines(row: np.void, rules: Rules) -> None:
    areas = list(rules.mine_areas.values())
    row["areas"] = len(areas)
    row["area_start"] = _bits(number for number, area in enumerate(areas) if area.start)
    for number, (area, beside) in enumerate(zip(areas, adjacent(rules.mine_areas), strict=True)):
        row["area_skill"][number] = area.number
        row["area_reward"][number] = _rewards(area.reward)
        row["area_adjacent"][number] = _bits(iter(beside))
    cards = list(rules.mine_cards.values())
    row["mine_cards"] = _bits(iter(range(1, len(cards))))
    for number, card in enumerate(cards):
        row["mine_need"][number] = card.number
        row["mine_symbol"][number] = _CHECKS[card.check]
        row["mine_amber"][number] = card.amber
        row["mine_shaft"][number] = card.shaft
        row["mine_reward"][number] = _rewards(card.reward)


def _fill_magic(row: np.void, rules: Rules) -> None:
    magic = rules.magic
    row["magic_spaces"] = magic.spaces
    row["magic_icons"] = _bits(iter(magic.spell_spaces))
    row["magic_camps"] = magic.camps
    for spell in Spell:
        cards = rules.spells[_spell_name(spell)]
        row["spell_deck"][spell // KINDS_PER_WORD] += cards.copies << (8 * (spell % KINDS_PER_WORD))
        row["spell_cards"] += cards.copies
        row["spell_amount"][spell] = cards.amount
        row["spell_second"][spell] = cards.second
        row["spell_food"][spell] = cards.food
        row["spell_uses"][spell] = cards.uses


def _spell_name(spell: Spell) -> Any:
    return spell.name.lower()


class Board(NamedTuple):
    """The map in play: spaces by number, town, and for each space (space, road) in order."""

    names: list[str]
    spaces: list[Space]
    town: int
    roads: list[tuple[int, int, PathSheet]]
    near: list[list[tuple[int, int]]]


def board(rules: Rules) -> Board:
    """Return the map in play, as the scenario has it."""
    switches = rules.switches
    own = {name: rules.spaces[name] for name in spaces_of(rules, switches.map)}
    scenario = None if switches.scenario == NONE else rules.scenarios[switches.scenario]
    rows = scenario_spaces(own, scenario, rules.maps)
    numbers = {name: number for number, name in enumerate(rows)}
    roads = [(numbers[p.one], numbers[p.other], p) for p in paths_of(rules, switches.map)]
    near: list[list[tuple[int, int]]] = [[] for _ in rows]
    for road, (one, other, _) in enumerate(roads):
        near[one].append((other, road))
        near[other].append((one, road))
    town = scenario.town if scenario else rules.maps[switches.map].town
    return Board(list(rows), list(rows.values()), numbers[town], roads, near)


def _fill_map(row: np.void, rules: Rules) -> None:
    places = board(rules)
    sheet = rules.maps[rules.switches.map]
    row["map"] = sheet.number
    row["spaces"] = len(places.spaces)
    row["town_space"] = places.town
    row["no_camp"] = 1 << places.town
    row["refresh"] = _bits(n for n, space in enumerate(places.spaces) if space.refresh)
    neighbours = [[other for other, _ in ways] for ways in places.near]
    for space, ways in enumerate(places.near):
        row["degree"][space] = len(ways)
        row["neighbours"][space] = _bits(iter(neighbours[space]))
        for place, (other, road) in enumerate(ways):
            row["road_to"][space, place] = 1 + other
            row["road"][space, place] = road
        for other, steps in steps_from(neighbours, space).items():
            row["distance"][space, other] = steps
    row["roads"] = len(places.roads)
    for road, (_, _, path) in enumerate(places.roads):
        row["road_threat"][road] = "threat" in path.symbols.split()
        row["road_treasure"][road] = "treasure" in path.symbols.split()
    goods = {NONE: 0, "coins": 1 + Good.COIN, "gems": 1 + Good.GEM}
    for number, sheet_row in enumerate(places.spaces):
        row["space_good"][number] = goods[sheet_row.find]
    for resource, name in enumerate(RESOURCE_NAMES):
        row["route_space"][resource] = [
            number for number, space in enumerate(places.spaces) if space.resource == name
        ]
    row["route_alone"][:RESOURCES] = sheet.alone
    row["route_joint"][:RESOURCES] = sheet.jointly


def keywords_of(rules: Rules) -> list[str]:
    """Return the keywords of the story in play; their place is their bit."""
    return [name for name, keyword in rules.keywords.items() if keyword.scenario == story(rules)]


def quests_of(rules: Rules) -> dict[str, Quest]:
    """Return the quests of the story in play."""
    return {name: quest for name, quest in rules.quests.items() if quest.story == story(rules)}


def _fill_quests(row: np.void, rules: Rules) -> None:
    """Fill in the quests of the story in play; paragraphs add to what leads to them (A-24)."""
    spaces = board(rules).names
    words = keywords_of(rules)
    for place, word in enumerate(words):
        row["keyword_points"][place] = rules.keywords[word].points
    for quest in quests_of(rules).values():
        space = spaces.index(quest.space)
        row["quest_spaces"] |= 1 << space
        ways = (
            (Symbol.SKILL, quest.skill, quest.skill_reward, quest.skill_bonus, quest.skill_then),
            (
                *(Symbol.COMBAT, quest.combat),
                *(quest.combat_reward, quest.combat_bonus, quest.combat_then),
            ),
        )
        for way, (symbol, number, reward, bonus, then) in enumerate(ways):
            row["quest_symbol"][space, way] = symbol
            row["quest_need"][space, way] = number
            row["quest_extra"][space, way] = _rewards(bonus)
            total = np.array(_rewards(reward))
            said = list(read_then(then)[0])
            for verb, name in said:
                if verb == "read":
                    paragraph = rules.paragraphs[name]
                    total += _rewards(paragraph.reward)
                    said += read_then(paragraph.then)[0]
                else:
                    field = "quest_gains" if verb == "gain" else "quest_loses"
                    row[field][space, way] |= 1 << words.index(name)
            row["quest_reward"][space, way] = total


def together(rules: Rules) -> bool:
    """Say whether the players win or lose together."""
    return rules.modules.coop


def _fill_together(row: np.void, rules: Rules, players: int) -> None:
    """Fill in the cooperative mode: time track, bosses, minions."""
    if not rules.modules.coop:
        return
    switches, team = rules.switches, rules.together
    row["coop_at_least"] = switches.coop_at_least
    row["coop_duels"] = switches.coop_duels
    row["bosses_as_threats"] = switches.boss_fights == "after_threats"
    track = list(rules.time_track)
    row["time_spaces"] = len(track)
    row["time_start"] = track.index(time_start(rules, players))
    for number, space in enumerate(rules.time_track.values()):
        row["time_value"][number] = space.value
        row["time_swords"] |= int(space.swords) << number
        row["time_skull"] |= int(space.skull) << number
        row["time_next"][number] = number if space.skull else track.index(space.next)
    row["bosses"] = team.bosses or players
    row["boss_cards"] = _bits(iter(range(len(rules.bosses))))
    row["boss_level"][: len(rules.bosses)] = [boss.level for boss in rules.bosses.values()]
    spaces = board(rules).names
    for number, name in enumerate(boss_spaces(rules)):
        row["boss_space"][number] = spaces.index(name)
    row["minion_coins"] = team.minion_coins
    if not rules.modules.minions:
        return
    for number, minion in enumerate(rules.minions.values()):
        row["minion_cards"] |= minion.copies << number
        row["minion_place"][number] = Place[minion.building.upper()]
        row["minion_effect"][number] = Effect[minion.effect.upper()]
        row["minion_amount"][number] = minion.amount
        row["minion_need"][number] = minion.skill, minion.swords
        row["minion_reward"][number] = _rewards(minion.reward)


def _fill_names(row: np.void, rules: Rules) -> None:
    """Fill in names as ASCII bytes, cut to what the fields hold."""
    for field, names, first in (
        ("member_name", rules.adventurers, 0),
        ("member_name", rules.companions, FIRST_COMPANION),
        ("artifact_name", rules.artifacts, 0),
        ("treasure_name", rules.treasures, 0),
        ("threat_name", [name for name, _ in threats_of(rules)], 0),
        ("space_name", board(rules).names, 0),
        ("mine_name", rules.mine_cards, 0),
        ("keyword_name", keywords_of(rules), 0),
        ("area_name", rules.mine_areas, 0),
        ("boss_name", rules.bosses, 0),
        ("minion_name", rules.minions, 0),
    ):
        for number, name in enumerate(names, start=first):
            size = row[field][number].nbytes
            letters = name.encode("ascii")[:size].ljust(size, b"\0")
            row[field][number] = np.frombuffer(letters, np.dtype("<i8"))


# --- handicaps -----------------------------------------------------------------------------------


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)


def _listed(name: str, value: Any, known: Sequence[str], what: str) -> list[str]:
    """Return the names that a handicap gives one seat, each of them known."""
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, Sequence):
        raise UserError(f"handicap {name}: {value!r} is no name and no list of names")
    words = [word for word in words if word not in ("", NONE)]
    for word in words:
        if word not in known:
            hint = f"{nearest(str(word), known)}; known: {choices(known)}"
            raise UserError(f"handicap {name}: unknown {what} {word!r}{hint}")
    return words


def _forbid_cards(row: np.void, seat: int, value: Any, rules: Rules) -> None:
    """Forbid a seat the artifacts and adventurers that are named."""
    known = [*rules.artifacts, *rules.adventurers]
    words = _listed("forbid_cards", value, known, "artifact or adventurer")
    for field, own in (
        ("forbid_artifacts", rules.artifacts),
        ("forbid_members", rules.adventurers),
    ):
        row[field][seat] |= _handicap(field, [word for word in words if word in own], rules)


def _handicap(name: str, value: Any, rules: Rules) -> int | list[int]:
    """Return a handicap of one seat as the kernel reads it."""
    if name == "start_goods":
        return _start_goods(value)
    if name == "forbid_gifts":
        if not _is_whole(value) or value not in (0, 1):
            raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: 0, 1")
        return int(value)
    known, what, first = {
        "expert_die": (_DIE_WORDS, "word", 0),
        "forbid_artifacts": (list(rules.artifacts), "artifact", 0),
        "deal_artifact": (list(rules.artifacts), "artifact", 0),
        "forbid_members": (list(rules.adventurers), "adventurer", 0),
        "start_member": (list(rules.adventurers), "adventurer", 0),
        "forbid_places": (BUILDING_NAMES, "building", 1),
        "forbid_duels": (_DUEL_WORDS, "kind of duel", 0),
    }[name]
    single = name in ("expert_die", "deal_artifact", "start_member")
    if _is_whole(value):
        # expert_die: a number of the words; single cards: 1 + number; sets: bits
        most = len(known) if single else _bits(iter(range(first, first + len(known))))
        most -= name == "expert_die"
        wrong = not 0 <= value <= most or (not single and int(value) & ~most)
        if wrong:
            allowed = f"names, or a whole number from 0 to {most}"
            raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: {allowed}")
        return int(value)
    words = _listed(name, value, known, what)
    if single:
        if len(words) > 1:
            raise UserError(f"handicap {name}: {value!r}: one name for each seat")
        place = known.index(words[0]) if words else -1
        return max(0, place) if name == "expert_die" else 1 + place
    return _bits(first + known.index(word) for word in set(words))


def _start_goods(value: Any) -> list[int]:
    """Return goods for one seat, by Good."""
    names = [good.name.lower() for good in Good]
    if isinstance(value, Mapping):
        _listed("start_goods", list(value), names, "good")
        value = [value.get(name, 0) for name in names]
    fits = isinstance(value, Sequence | np.ndarray) and len(value) == GOODS
    if isinstance(value, str) or not fits or not all(_is_whole(x) and 0 <= x <= 99 for x in value):
        allowed = f"a table of {choices(names)}, or {GOODS} whole numbers from 0 to 99"
        raise UserError(f"handicap start_goods: {value!r} is not allowed; allowed: {allowed}")
    return [int(x) for x in value]
