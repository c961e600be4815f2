"""The numbers of Near and Far with the Amber Mines: their model, and the tables the kernel reads.

The numbers are in the files beside this one: lists of like things, whose first column names the
thing, and what is no list in two TOML files. What a source prints of a card stands in
rulebook.toml; the cell in the list is then empty. Limits below are what the kernel can hold, not
numbers of the game.

    list             columns after the name
    adventurers.csv  faction, supply, cost, symbols, hearts
    companions.csv   supply, count, symbols, hearts
    chiefs.csv       faction, points
    artifacts.csv    deck, supply, coins, gems, food, tokens, reputation, points, symbols, ability
    treasures.csv    supply, points, amber, symbols, ability
    threats.csv      stack, level, points, camp, reward; the lowest level is met first
    mine_areas.csv   number, reward, next_to, start: the mine of the base game
    mine_cards.csv   check, number, amber, shaft, reward; the first one is the entrance
    spells.csv       copies, amount, second, food, uses
    maps.csv         number, town, named, unnamed, alone, jointly
    spaces.csv       map, resource, find, refresh
    paths.csv        from, to, symbols: spaces next to each other, to be walked both ways
    quests.csv       story, space, and for skill and for combat the number, reward, bonus, then
    paragraphs.csv   story, reward, then: what a quest's success can go on with
    scenarios.csv    map, town, resource
    keywords.csv     scenario, points

`supply`: base, or the module that adds the thing. `reputation` of an artifact: at least so much,
or, below 0, at most. `story`: a map, or the scenario that replaces its stories.

Texts are phrases of a number and a word with commas between them: `2 coins, 1 reputation`.

    symbols   skill combat search caution movement heart, from 1 to 9; those of cards are skill,
              combat, caution and heart, for others count for members of the active party only
    rewards   food coin gem reputation point treasure magic heart, and tokens of factions:
              outlaws mystics lizardfolk nomads; from 1 to 15, reputation from -9
    tokens    outlaws mystics lizardfolk nomads
    then      `gain` a keyword, `lose` one (everybody who has it), `read` a paragraph

The shipped cards follow rules of cost. An adventurer has one symbol less than it costs, hearts
apart. The price of an artifact, by the values of trade, is 2 for each point, 1 for each symbol (2
for caution), 1 less for each token and 1 less for each two steps of reputation. Rewards of quests
are worth 4 to 7 and bonuses 2, by the values of trade and 2 for a point, 3 for a treasure, 1 for a
step of reputation.
"""

from __future__ import annotations

import functools
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar

import numpy as np
from pydantic import AfterValidator, Field

from sim import content
from sim.content import Content, Model
from sim.decks import KINDS_PER_WORD, MAX_CARDS
from sim.errors import UserError, choices, nearest
from sim.near_and_far.state import (
    BUILDINGS,
    COMPANIONS,
    DIE_SIDES,
    FIRST_COMPANION,
    GOODS,
    KEYWORDS,
    MAX_AREAS,
    MAX_ARTIFACTS,
    MAX_DEGREE,
    MAX_MAGIC,
    MAX_MINE_CARDS,
    MAX_ROADS,
    MAX_SEATS,
    MAX_SPACES,
    MAX_THREATS,
    MAX_TRACK,
    MAX_TREASURES,
    OFFER,
    RESOURCES,
    REWARDS,
    TABLES,
    TOKEN,
    Ability,
    DieFace,
    EndTrigger,
    Faction,
    Good,
    Place,
    Reward,
    Spell,
    Symbol,
)
from sim.tomlfile import show

FOLDER = Path(__file__).parent

NONE = "none"
BASE = "base"
MOST_SYMBOLS = 9  # of a kind on one card; sums of them stay within a byte
MOST_REWARD = 15
LEAST_REPUTATION = -9

# --- texts ---------------------------------------------------------------------------------------

_PHRASE = re.compile(r"([+-]?[0-9]+)\s+([A-Za-z_]+(?:\s+[A-Za-z_]+)*)")
_NAME = re.compile(r"[a-z][a-z0-9_]*")

FACTION_NAMES = tuple(faction.name.lower() for faction in Faction if faction)
RESOURCE_NAMES = ("peppers", "machine_parts", "ichor_stone", "tea_leaves")
BUILDING_NAMES = tuple(Place(place).name.lower() for place in range(1, BUILDINGS))

_MEMBER_WORDS = {
    "skill": Symbol.SKILL,
    "combat": Symbol.COMBAT,
    "search": Symbol.SEARCH,
    "caution": Symbol.CAUTION,
    "movement": Symbol.MOVEMENT,
}
_CARD_WORDS = {
    "skill": Symbol.SKILL,
    "combat": Symbol.COMBAT,
    "caution": Symbol.CAUTION,
    "heart": Symbol.HEARTS,
}
_TOKEN_WORDS = {name: Faction[name.upper()] for name in FACTION_NAMES}
_REWARD_WORDS = {
    "food": Reward.FOOD,
    "coin": Reward.COIN,
    "gem": Reward.GEM,
    **{name: Reward[name.upper()] for name in FACTION_NAMES},
    "reputation": Reward.REPUTATION,
    "point": Reward.JOURNEY,
    "treasure": Reward.TREASURE,
    "magic": Reward.MAGIC,
    "heart": Reward.HEARTS,
}
_PLURAL = {f"{word}s": word for word in ("heart", "coin", "gem", "point", "treasure")}


@functools.lru_cache(maxsize=4096)
def _read_text(
    text: str, words: tuple[tuple[str, int], ...], most: int, least_reputation: int
) -> tuple[dict[int, int], str]:
    """Return how much of each thing a text says, and what is wrong with it ("" if nothing is).

    words: (word, number of the thing). least_reputation: below 0 where reputation can be lost.
    """
    known = dict(words)
    found: dict[int, int] = {}
    wrong: list[str] = []
    for phrase in text.split(",") if text.strip() else []:
        phrase = phrase.strip()
        match = _PHRASE.fullmatch(phrase)
        if match is None:
            example = next(iter(known))
            wrong.append(f'{show(phrase)} is no phrase; write a number and a word: "2 {example}"')
            continue
        amount = int(match[1])
        word = "_".join(match[2].lower().split())
        word = _PLURAL.get(word, word)
        if word not in known:
            hint = nearest(word, known)
            wrong.append(f"unknown word {show(word)}{hint}; known words: {choices(known)}")
            continue
        least = least_reputation if word == "reputation" else 1
        if not least <= amount <= most or amount == 0:
            but = ", but not 0" if least < 0 else ""
            allowed = f"a whole number from {least} to {most}{but}"
            wrong.append(f"{show(phrase)}: {amount} is not allowed; allowed: {allowed}")
        elif known[word] in found:
            wrong.append(f"{word} stands twice")
        else:
            found[known[word]] = amount
    return found, "; ".join(wrong)


Words = Mapping[str, int]


def _reader(
    words: Words, most: int, least_reputation: int = 1
) -> tuple[Callable[[str], str], Callable[[str], dict[int, int]]]:
    """Return the check of a kind of text, and what reads a text that passed it."""
    known = tuple((word, int(number)) for word, number in words.items())

    def check(text: str) -> str:
        wrong = _read_text(text, known, most, least_reputation)[1]
        if wrong:
            raise ValueError(wrong)
        return text

    def read(text: str) -> dict[int, int]:
        return _read_text(text, known, most, least_reputation)[0]

    return check, read


_check_member, _member_symbols = _reader(_MEMBER_WORDS, MOST_SYMBOLS)
_check_card, _card_symbols = _reader(_CARD_WORDS, MOST_SYMBOLS)
_check_tokens, _tokens = _reader(_TOKEN_WORDS, MOST_SYMBOLS)
_check_reward, _reward = _reader(_REWARD_WORDS, MOST_REWARD, LEAST_REPUTATION)

THEN = ("gain", "lose", "read")


@functools.lru_cache(maxsize=4096)
def _read_then(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return (verb, name) for each phrase of a `then` text, and what is wrong with it."""
    found: list[tuple[str, str]] = []
    wrong: list[str] = []
    for phrase in text.split(",") if text.strip() else []:
        parts = phrase.split()
        if len(parts) != 2:
            how = 'write a verb and a name: "gain turtle"'
            wrong.append(f"{show(phrase.strip())} is no phrase; {how}")
        elif parts[0] not in THEN:
            hint = nearest(parts[0], THEN)
            wrong.append(f"unknown word {show(parts[0])}{hint}; known words: {choices(THEN)}")
        else:
            found.append((parts[0], parts[1]))
    return tuple(found), "; ".join(wrong)


def _check_then(text: str) -> str:
    wrong = _read_then(text)[1]
    if wrong:
        raise ValueError(wrong)
    return text


def _check_names(text: str) -> str:
    for word in text.split():
        if not _NAME.fullmatch(word):
            raise ValueError(f"{show(word)} is no name; write small letters, digits and _")
    return text


_ROAD_WORDS = ("threat", "treasure")


def _check_road(text: str) -> str:
    words = text.split()
    for word in words:
        if word not in _ROAD_WORDS:
            hint = nearest(word, _ROAD_WORDS)
            raise ValueError(
                f"unknown word {show(word)}{hint}; known words: {choices(_ROAD_WORDS)}"
            )
        if words.count(word) > 1:
            raise ValueError(f"{word} stands twice; a path has one of each at most")
    return text


MemberSymbols = Annotated[str, AfterValidator(_check_member)]
CardSymbols = Annotated[str, AfterValidator(_check_card)]
Tokens = Annotated[str, AfterValidator(_check_tokens)]
RewardText = Annotated[str, AfterValidator(_check_reward)]
ThenText = Annotated[str, AfterValidator(_check_then)]
Names = Annotated[str, AfterValidator(_check_names)]
RoadText = Annotated[str, AfterValidator(_check_road)]

# --- the model -----------------------------------------------------------------------------------

Found = Iterator[tuple[tuple[str, ...], str]]  # what `Model.problems` yields

Few = Annotated[int, Field(ge=0, le=9)]
Price = Annotated[int, Field(ge=0, le=99)]
Points = Annotated[int, Field(ge=0, le=99)]
Copies = Annotated[int, Field(ge=0, le=MAX_CARDS)]
Number = Annotated[int, Field(ge=1, le=99)]
Fine = Annotated[int, Field(ge=-99, le=99)]
FactionName = Literal["outlaws", "mystics", "lizardfolk", "nomads"]
MaybeFaction = Literal["none", "outlaws", "mystics", "lizardfolk", "nomads"]
AbilityName = Literal["none", "merchant_pack", "almanac", "sheriff_badge"]
Resource = Literal["none", "peppers", "machine_parts", "ichor_stone", "tea_leaves"]
Building = Literal["none", "town_hall", "saloon", "stables", "general_store", "farm", "hut", "mine"]
SpellName = Literal[
    "haste",
    "wind_storm",
    "divination",
    "summon_imp",
    "rejuvenation",
    "transmutation",
    "illusion",
    "lightning_bolt",
    "alter_weather",
    "brew_potion",
]


class Players(Model):
    """How many can play."""

    least: Annotated[int, Field(ge=2, le=MAX_SEATS)]
    """fewest players"""
    most: Annotated[int, Field(ge=2, le=MAX_SEATS)]
    """most players"""

    def problems(self) -> Found:
        """Yield what is wrong with the table as a whole."""
        if self.least > self.most:
            yield ("least", "most"), f"at least {self.least} players and at most {self.most}"


class Dice(Model):
    """The ordinary die."""

    sides: Annotated[int, Field(ge=2, le=20)]
    """sides of a die"""


class Setup(Model):
    """What everybody starts with."""

    coins: Price
    """coins of each player"""
    camps: Annotated[int, Field(ge=1, le=40)]
    """camps of each player"""
    track: Annotated[int, Field(ge=1, le=MAX_TRACK)]
    """adventurers face up"""
    basic_dealt: Annotated[int, Field(ge=1, le=OFFER)]
    """basic artifacts dealt to each player for the draft"""
    advanced_dealt: Annotated[int, Field(ge=0, le=6)]
    """advanced artifacts dealt to each player"""
    advanced_kept: Annotated[int, Field(ge=0, le=6)]
    """most of them that a player may keep"""
    quests: Few
    """quest tokens for each player"""
    more_quests: Annotated[int, Field(ge=0, le=MAX_SPACES)]
    """quest tokens on top of those"""
    scenario_quests: Few
    """quest tokens for each player in a scenario"""


class Movement(Model):
    """Movement and hearts."""

    base: Annotated[int, Field(ge=1, le=20)]
    """movement of a party without birds and movement symbols"""
    most_hearts: Annotated[int, Field(ge=0, le=30)]
    """end of the heart track"""
    crossing_hearts: Few
    """hearts for a space without a camp"""


class Camps(Model):
    """Camps."""

    hearts: Few
    """hearts for a camp on the map"""
    points: Points
    """points for each camp"""
    all_points: Points
    """points for having placed all camps"""


class Town(Model):
    """The buildings of the town, as in the base game."""

    most_traded: Annotated[int, Field(ge=1, le=9)]
    """resources paid or received in a trade, at most"""
    track_food: Few
    """food for a new adventurer track"""
    bird_food: Few
    """food for a pack bird"""
    most_birds: Annotated[int, Field(ge=0, le=6)]
    """pack birds that a player can have"""
    birds_per_visit: Annotated[int, Field(ge=1, le=6)]
    """pack birds that can be bought in one visit"""
    store_coins: Few
    """coins of the General Store"""
    store_cards: Annotated[int, Field(ge=1, le=OFFER)]
    """artifacts drawn in the General Store"""
    hut_treasures: Few
    """treasures drawn at the Mystic's Hut"""


class Trade(Model):
    """Values of what can be traded in the Town Hall."""

    food: Number
    """value of a food"""
    coin: Number
    """value of a coin"""
    gem: Number
    """value of a gem"""
    token: Number
    """value of a faction token"""

    def values(self) -> list[int]:
        """Return the value of each Good."""
        return [self.food, self.coin, self.gem, *[self.token] * (GOODS - 3)]


class Duel(Model):
    """Duels."""

    dishonest_bonus: Few
    """added to the challenger's roll in a dishonest duel"""
    honest_reputation: Fine
    """reputation for winning an honest duel"""
    dishonest_reputation: Fine
    """reputation for winning a dishonest duel"""


class QuestRule(Model):
    """Quests in general."""

    bonus_margin: Few
    """so much above the number earns the bonus"""


class Cards(Model):
    """Amounts of abilities."""

    almanac_coins: Few
    """coins that each artifact costs less with the Almanac"""
    badge_bonus: Few
    """added in duels by the Sheriff Badge"""


class ReputationTrack(Model):
    """The reputation track."""

    lowest: Annotated[int, Field(ge=-60, le=0)]
    """lowest reputation"""
    highest: Annotated[int, Field(ge=0, le=60)]
    """highest reputation"""


class Scoring(Model):
    """Points at the end."""

    unbought: Fine
    """points for each artifact that was not bought"""
    set_treasures: Few
    """treasures of a set, each with a pack animal"""
    set_points: Points
    """points for the set"""
    storytelling: Points
    """points for the highest reputation, a talent"""
    reputation_steps: Number
    """steps of reputation above 0 for a point (scoring = full)"""
    goods_value: Number
    """value of goods left for a point (scoring = full)"""


class Amber(Model):
    """The Amber Mine."""

    most_points: Points
    """points for the most amber"""
    second_points: Points
    """points for the second most amber"""
    camp_food: Few
    """food for a camp in the mine, for each camp one has there"""
    miner_coins: Few
    """coins for a camp in the mine, for each miner of the party"""


class Magic(Model):
    """The magic track and the new Mystic's Hut."""

    step: Few
    """spaces for nothing"""
    gems: Few
    """gems for the long way"""
    gem_steps: Few
    """spaces for those gems"""
    teacher_steps: Few
    """spaces more for each magic teacher of the party"""
    spells_drawn: Annotated[int, Field(ge=1, le=9)]
    """spells drawn at an icon, of which one is kept"""
    most_points: Points
    """points for being furthest"""
    spell_points: Points
    """points for each spell"""
    spaces: Annotated[int, Field(ge=1, le=MAX_MAGIC - 1)]
    """spaces of the track"""
    spell_spaces: tuple[Annotated[int, Field(ge=1, le=MAX_MAGIC - 1)], ...]
    """spaces with a spell icon"""
    camps: Few
    """camps at its end"""

    def problems(self) -> Found:
        """Yield what is wrong with the table as a whole."""
        for place, space in enumerate(self.spell_spaces):
            if space > self.spaces:
                text = f"space {space} of a track of {self.spaces}"
                yield (f"spell_spaces.{place}", "spaces"), text
        if len(set(self.spell_spaces)) < len(self.spell_spaces):
            yield ("spell_spaces",), f"{show(self.spell_spaces)} has a space twice"


class NewStore(Model):
    """The new General Store."""

    coins: Few
    """coins of a visit"""
    hearts: Few
    """hearts of a visit"""
    cards: Annotated[int, Field(ge=1, le=OFFER)]
    """artifacts drawn"""
    camps: Few
    """camps that fit on the tile"""


class ExpertDie(Model):
    """The faces of an expert die."""

    rerolls: Annotated[int, Field(ge=0, le=DIE_SIDES - 1)]
    """faces that roll again at once"""
    paid: tuple[Few, ...]
    """numbers on faces that can be rolled again for a food"""
    numbers: tuple[Few, ...]
    """numbers on plain faces"""

    def faces(self) -> list[int]:
        """Return the faces as the kernel has them."""
        paid = [DieFace.MAY_REROLL + number for number in self.paid]
        return [*[int(DieFace.REROLL)] * self.rerolls, *paid, *self.numbers]

    def problems(self) -> Found:
        """Yield what is wrong with the table as a whole."""
        if 0 in self.numbers:
            yield (f"numbers.{self.numbers.index(0)}",), "0 is no number on a face; from 1 to 9"


class Stall(Model):
    """The end of a game that does not end."""

    turn_cap: Annotated[int, Field(ge=1, le=4000)]
    """turns of all players together after which a game ends without a winner"""


class Modules(Model):
    """What is in play of the expansion."""

    new_threats: bool
    """new threat cards"""
    amber_mines: bool
    """the Amber Mine and the new Mystic's Hut"""
    magic: bool
    """magic track and spells"""
    new_general_store: bool
    """new General Store"""
    miners: bool
    """miners among the adventurers"""
    magic_teachers: bool
    """magic teachers among the adventurers"""
    expert_dice: bool
    """expert dice"""
    amber_treasures: bool
    """four more treasures"""
    amber_artifacts: bool
    """seven more artifacts"""
    numbat: bool
    """companions are picked from a row with the numbat"""
    coop: bool
    """cooperative mode (not in this program yet)"""
    minions: bool
    """minions of the cooperative mode (not in this program yet)"""
    heart_total: bool
    """hearts never exceed those of the party and its cards"""
    map_scarcity: bool
    """a symbol on the map works once in a turn"""

    def on(self) -> frozenset[str]:
        """Return the modules in play, the two rules that need nothing left out."""
        return frozenset(name for name in NEEDS if getattr(self, name))

    def problems(self) -> Found:
        """Yield modules without what they need, and modes that are not built."""
        for module, missing in missing_modules(self.on() | {"new_threats"}):
            text = f"{module} needs {missing}, which is not in play; set modules.{missing} = true"
            yield (module, missing), text
        for name, words in NOT_BUILT.items():
            if getattr(self, name):
                text = f"{words} cannot be played yet; set modules.{name} = false"
                yield (name,), text


NEEDS: dict[str, tuple[str, ...]] = {
    "new_threats": (),
    "amber_mines": (),
    "magic": ("amber_mines",),
    "new_general_store": (),
    "miners": ("amber_mines",),
    "magic_teachers": ("magic",),
    "expert_dice": (),
    "amber_treasures": ("amber_mines", "magic"),
    "amber_artifacts": ("amber_mines", "magic"),
    "numbat": (),
    "coop": ("amber_mines",),
    "minions": ("coop",),
}
NOT_BUILT = {"coop": "the cooperative mode", "minions": "the minions of the cooperative mode"}


def missing_modules(on: Collection[str]) -> list[tuple[str, str]]:
    """Return (module, a module it needs and that is not in play) for each that is missing.

    on: modules in play, of those in NEEDS. Every module needs the new threats (A-25).
    """
    missing = []
    for module in NEEDS:
        if module in on:
            needs = [*NEEDS[module], *(["new_threats"] if module != "new_threats" else [])]
            missing += [(module, need) for need in needs if need not in on]
    return missing


class Switches(Model):
    """Where the game is played, and readings of the rules."""

    map: str
    """map of the atlas"""
    scenario: str
    """scenario that replaces the stories of its map"""
    scoring: Literal["stated", "full"]
    """what scores: what the base game's how-to-play lists, or also reputation, chiefs and goods
    left (A-3)"""
    end_trigger: Literal["usual", "quests", "camps", "either"]
    """what ends the game: no quest token left, a player's last camp, either; usual: either, but
    the last camp where failed quests stay (A-1)"""
    finish_round: bool
    """all have the same number of turns (A-1)"""
    heart_cost: Literal["cross", "leave"]
    """hearts are paid for empty spaces crossed, or for each one left (A-8)"""
    threats_free: bool
    """modules may be used without the new threats (A-25)"""
    farm_cards: bool
    """skill of artifacts and treasures counts at the Farm"""
    mine_left: bool
    """the mine can grow to the left of its entrance (A-13)"""
    hearts_before_roll: bool
    """hearts are spent before the die is seen (A-41)"""
    shared_win: bool
    """a tie is a shared win (A-33)"""
    dummy: Building
    """where the figure nobody plays stands when two play"""
    talents: bool
    """the Storytelling talent scores"""
    start_order: Literal["seat_1", "random"]
    """who starts"""


class Adventurer(Model):
    """An adventurer."""

    faction: MaybeFaction
    """faction"""
    supply: Literal["base", "miners", "magic_teachers"]
    """base, or the module it belongs to"""
    cost: Price
    """coins"""
    symbols: MemberSymbols = ""
    """symbols other than hearts"""
    hearts: Few
    """hearts"""


class Companion(Model):
    """A kind of animal companion."""

    supply: Literal["base", "reward", "numbat"]
    """base: dealt to everybody; reward: given to a player who lost badly, so only in the row of
    the numbat module; numbat: only with that module"""
    count: Annotated[int, Field(ge=0, le=9)]
    """tokens"""
    symbols: MemberSymbols = ""
    """symbols other than hearts"""
    hearts: Few
    """hearts"""


class Chief(Model):
    """The chief of a faction."""

    faction: FactionName
    """faction"""
    points: Points
    """points for the most banners of the faction (scoring = full)"""


class Artifact(Model):
    """An artifact."""

    deck: Literal["basic", "advanced"]
    """deck"""
    supply: Literal["base", "amber_artifacts"]
    """base, or the module it belongs to"""
    coins: Price = 0
    """coins it costs"""
    gems: Price = 0
    """gems it costs"""
    food: Price = 0
    """food it costs"""
    tokens: Tokens = ""
    """faction tokens it costs"""
    reputation: Annotated[int, Field(ge=-60, le=60)] = 0
    """reputation it needs: at least so much, or at most so much if below 0"""
    points: Points
    """journey points"""
    symbols: CardSymbols = ""
    """symbols, hearts included"""
    ability: AbilityName = "none"
    """what it does besides"""


class Treasure(Model):
    """A treasure."""

    supply: Literal["base", "amber_treasures"]
    """base, or the module it belongs to"""
    points: Points = 0
    """journey points"""
    amber: Few = 0
    """amber while it is held"""
    symbols: CardSymbols = ""
    """symbols, hearts included"""
    ability: AbilityName = "none"
    """what it does besides"""


class Threat(Model):
    """A threat."""

    stack: Literal["base", "new"]
    """stack it belongs to"""
    level: Number
    """total that beats it"""
    points: Points
    """journey points"""
    camp: bool
    """a camp goes on it"""
    reward: RewardText = ""
    """what it gives at once"""


class MineArea(Model):
    """An area of the mine of the base game."""

    number: Few
    """skill it needs"""
    reward: RewardText
    """what a camp gives"""
    next_to: Names = ""
    """areas beside it"""
    start: bool = False
    """the first camp of all may stand here"""


class MineCard(Model):
    """A card of the Amber Mine."""

    check: Literal["none", "skill", "combat"]
    """what must be rolled to stay"""
    number: Annotated[int, Field(ge=0, le=99)] = 0
    """total that lets one stay"""
    amber: Few = 0
    """amber"""
    shaft: bool
    """a shaft leads down"""
    reward: RewardText = ""
    """what a camp gives"""

    def problems(self) -> Found:
        """Yield what is wrong with the row as a whole."""
        if (self.check == NONE) != (self.number == 0):
            text = "a check has a number of at least 1; a card without a check has none"
            yield ("number", "check"), text


class SpellCards(Model):
    """A spell."""

    copies: Copies
    """cards"""
    amount: Few = 0
    """movement, combat, search, hearts, coins or reputation"""
    second: Few = 0
    """of a spell of two parts, the other one: caution, skill or reputation"""
    food: Few = 0
    """food it costs"""
    uses: Few = 0
    """gems that can be changed in one use"""


class MapSheet(Model):
    """A map."""

    number: Annotated[int, Field(ge=1, le=99)]
    """number in the atlas"""
    town: str
    """its town space"""
    named: tuple[str, ...] = ()
    """quest spaces that have a name"""
    unnamed: tuple[str, ...] = ()
    """quest spaces without a name"""
    alone: Points
    """points for a trade route of one's own"""
    jointly: Points
    """points for a trade route shared with another"""


class Space(Model):
    """A space of a map."""

    map: str
    """map"""
    resource: Resource = "none"
    """trade resource"""
    find: Literal["none", "coins", "gems"] = "none"
    """what a camp here finds, one for each search symbol of the party"""
    refresh: bool = False
    """whoever ends here gets all hearts back"""


class PathSheet(Model):
    """Two spaces next to each other."""

    one: Annotated[str, Field(alias="from")]
    """space"""
    other: Annotated[str, Field(alias="to")]
    """space"""
    symbols: RoadText = ""
    """threat and treasure symbols on the way"""


class Quest(Model):
    """A quest of a space, with two ways to do it."""

    story: str
    """map or scenario"""
    space: str
    """space of the map"""
    skill: Number
    """total that succeeds by skill"""
    skill_reward: RewardText = ""
    """reward of the skill way"""
    skill_bonus: RewardText = ""
    """bonus of the skill way"""
    skill_then: ThenText = ""
    """keywords and paragraph of the skill way"""
    combat: Number
    """total that succeeds by combat"""
    combat_reward: RewardText = ""
    """reward of the combat way"""
    combat_bonus: RewardText = ""
    """bonus of the combat way"""
    combat_then: ThenText = ""
    """keywords and paragraph of the combat way"""


class Paragraph(Model):
    """What the success of a quest goes on with: it adds to the reward (A-24)."""

    story: str
    """map or scenario"""
    reward: RewardText = ""
    """what it gives"""
    then: ThenText = ""
    """keywords"""


class Scenario(Model):
    """A scenario."""

    map: str
    """the map it is for"""
    town: str
    """space that is the town, and has the sign for hearts of the map's town"""
    resource: Resource
    """trade resource of the map's town in its place"""


class Keyword(Model):
    """A keyword."""

    scenario: str
    """scenario, or map, in which it counts"""
    points: Annotated[int, Field(ge=-20, le=20)]
    """points at the end for whoever has it"""


class Rules(Model):
    """All numbers of Near and Far with the Amber Mines."""

    GAME: ClassVar[str] = "near_and_far"
    FILES: ClassVar[tuple[str, ...]] = (
        *Model.FILES,
        *("adventurers.csv", "companions.csv", "chiefs.csv", "artifacts.csv", "treasures.csv"),
        *(
            "threats.csv",
            "mine_areas.csv",
            "mine_cards.csv",
            "spells.csv",
            "maps.csv",
            "spaces.csv",
        ),
        *("paths.csv", "quests.csv", "paragraphs.csv", "scenarios.csv", "keywords.csv"),
    )

    players: Players
    dice: Dice
    setup: Setup
    movement: Movement
    camps: Camps
    town: Town
    trade: Trade
    duel: Duel
    quest: QuestRule
    cards: Cards
    reputation: ReputationTrack
    scoring: Scoring
    amber: Amber
    magic: Magic
    new_store: NewStore
    expert_die: ExpertDie
    stall: Stall
    modules: Modules
    switches: Switches
    adventurers: dict[str, Adventurer]
    companions: dict[str, Companion]
    chiefs: dict[str, Chief]
    artifacts: dict[str, Artifact]
    treasures: dict[str, Treasure]
    threats: dict[str, Threat]
    mine_areas: dict[str, MineArea]
    mine_cards: dict[str, MineCard]
    spells: dict[SpellName, SpellCards]
    maps: dict[str, MapSheet]
    spaces: dict[str, Space]
    paths: dict[str, PathSheet]
    quests: dict[str, Quest]
    paragraphs: dict[str, Paragraph]
    scenarios: dict[str, Scenario]
    keywords: dict[str, Keyword]

    def problems(self) -> Found:
        """Yield the combinations that no game can be played with."""
        yield from _switch_problems(self)
        yield from _sizes(self)
        yield from _names(self)
        yield from _mine_problems(self)
        yield from _map_problems(self)
        yield from _story_problems(self)


# --- what no game can be played with -------------------------------------------------------------

Part = TypeVar("Part")


def _once(function: Callable[..., tuple[Part, ...]]) -> Callable[..., tuple[Part, ...]]:
    """Keep the results for the tables seen last, which are frozen and told apart by identity.

    Files are checked with each bound of each number in place, and nearly all of those leave maps
    and stories as they were.
    """
    kept: deque[tuple[tuple[Any, ...], tuple[Part, ...]]] = deque(maxlen=4)

    @functools.wraps(function)
    def wrapper(*tables: Any) -> tuple[Part, ...]:
        for known, result in kept:
            if all(a is b for a, b in zip(known, tables, strict=True)):
                return result
        result = function(*tables)
        kept.append((tables, result))
        return result

    return wrapper


Problems = tuple[tuple[tuple[str, ...], str], ...]


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    return f"unknown {what} {show(name)}{nearest(name, known)}; known: {choices(known)}"


def _switch_problems(rules: Rules) -> Found:
    """Switches and modules that do not go together."""
    switches, modules = rules.switches, rules.modules
    if switches.map not in rules.maps:
        yield ("switches.map",), _unknown("map", switches.map, rules.maps)
    if switches.scenario != NONE:
        if switches.scenario not in rules.scenarios:
            text = _unknown("scenario", switches.scenario, [NONE, *rules.scenarios])
            yield ("switches.scenario",), text
        elif rules.scenarios[switches.scenario].map != switches.map:
            needed = rules.scenarios[switches.scenario].map
            text = f"{switches.scenario} is played on the map {needed}"
            yield ("switches.scenario", "switches.map"), f'{text}; set switches.map = "{needed}"'
    if not switches.threats_free:
        for module, missing in missing_modules(modules.on()):
            if missing == "new_threats":
                text = (
                    f"{module} needs {missing}, which is not in play; set modules.{missing} = "
                    "true, or switches.threats_free = true to play without"
                )
                yield (f"modules.{module}", f"modules.{missing}"), text
    faces = len(rules.expert_die.faces())
    if faces != rules.dice.sides or faces > DIE_SIDES:
        text = f"{faces} faces of an expert die, {rules.dice.sides} of an ordinary one"
        yield ("expert_die.numbers", "dice.sides"), f"{text}; at most {DIE_SIDES} fit"
    setup = rules.setup
    if setup.advanced_kept > setup.advanced_dealt:
        text = f"{setup.advanced_kept} of {setup.advanced_dealt} advanced artifacts are kept"
        yield ("setup.advanced_kept", "setup.advanced_dealt"), text


def _sizes(rules: Rules) -> Found:
    """More of something than the kernel holds, or less than a game needs."""
    most, setup = rules.players.most, rules.setup
    decks: list[str] = [card.deck for card in rules.artifacts.values() if card.supply == BASE]
    counts = {
        "adventurers": (len(rules.adventurers), setup.track, FIRST_COMPANION),
        "companions": (len(rules.companions), 1, COMPANIONS),
        "artifacts": (len(rules.artifacts), 1, MAX_ARTIFACTS),
        "treasures": (len(rules.treasures), 1, MAX_TREASURES),
        "mine_areas": (len(rules.mine_areas), 1, MAX_AREAS),
        "mine_cards": (len(rules.mine_cards), 2, MAX_MINE_CARDS),
    }
    for key, (size, least, limit) in counts.items():
        if not least <= size <= limit:
            words = key.replace("_", " ")
            yield (key,), f"{size} {words}; allowed: {least} to {limit}"
    for deck, dealt in (("basic", setup.basic_dealt), ("advanced", setup.advanced_dealt)):
        if decks.count(deck) < most * dealt:
            text = f"{decks.count(deck)} {deck} artifacts without modules; {most} players are dealt"
            yield ("artifacts", f"setup.{deck}_dealt"), f"{text} {dealt} each"
    base = sum(kind.count for kind in rules.companions.values() if kind.supply == BASE)
    if base < most:
        yield ("companions",), f"{base} companions for everybody; there are up to {most} players"
    for stack in ("base", "new"):
        size = sum(threat.stack == stack for threat in rules.threats.values())
        if not 1 <= size <= MAX_THREATS:
            yield ("threats",), f"{size} threats of the {stack} stack; allowed: 1 to {MAX_THREATS}"
    spells = sum(cards.copies for cards in rules.spells.values())
    if spells > MAX_CARDS:
        yield ("spells",), f"{spells} spell cards; at most {MAX_CARDS} fit"


@functools.lru_cache(maxsize=4096)
def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name != NONE


_LISTS = (
    *("adventurers", "companions", "chiefs", "artifacts", "treasures", "threats"),
    *(
        "mine_areas",
        "mine_cards",
        "maps",
        "spaces",
        "paths",
        "quests",
        "paragraphs",
        "scenarios",
        "keywords",
    ),
)


def _names(rules: Rules) -> Problems:
    return _name_problems(*(getattr(rules, group) for group in _LISTS))


@_once
def _name_problems(*lists: Mapping[str, Any]) -> Problems:
    """Names that cannot be keys, and stories whose name is taken."""
    found = []
    for group, names in zip(_LISTS, lists, strict=True):
        for name in names:
            if not _is_name(name):
                text = f"{show(name)} is no name; write small letters, digits and _: old_lamp"
                found.append(((f"{group}.{name}",), text))
    maps, scenarios = lists[_LISTS.index("maps")], lists[_LISTS.index("scenarios")]
    twice = [
        ((f"scenarios.{name}",), f"{name} is a map, too") for name in scenarios if name in maps
    ]
    return (*found, *twice)


def _mine_problems(rules: Rules) -> Found:
    """Areas of the old mine, and the entrance of the new one."""
    areas = rules.mine_areas
    for name, area in areas.items():
        for other in area.next_to.split():
            if other not in areas:
                yield (f"mine_areas.{name}.next_to",), _unknown("area", other, areas)
            elif other == name:
                yield (f"mine_areas.{name}.next_to",), "an area next to itself"
    adjacent = _adjacent(rules)
    starts = [number for number, area in enumerate(areas.values()) if area.start]
    if areas and not starts:
        yield ("mine_areas",), "no area is a start; one must have start = true"
    elif areas:
        reached = {number for start in starts for number in _steps(adjacent, start)}
        for number, name in enumerate(areas):
            if number not in reached:
                text = "no row of neighbours leads from a start to this area"
                yield (f"mine_areas.{name}.next_to",), text
    name, card = next(iter(rules.mine_cards.items()), ("", None))
    if card is not None and (card.check != NONE or card.reward or card.amber):
        text = "the first card of the list is the entrance: no check, no amber, no reward"
        yield (f"mine_cards.{name}.check", f"mine_cards.{name}.reward"), text


def _adjacent(rules: Rules) -> list[list[int]]:
    """Return the areas next to each area; being next to each other goes both ways."""
    numbers = {name: number for number, name in enumerate(rules.mine_areas)}
    beside: list[set[int]] = [set() for _ in numbers]
    for name, area in rules.mine_areas.items():
        for other in area.next_to.split():
            if other in numbers and other != name:
                beside[numbers[name]].add(numbers[other])
                beside[numbers[other]].add(numbers[name])
    return [sorted(others) for others in beside]


# --- maps ----------------------------------------------------------------------------------------


def spaces_of(rules: Rules, name: str) -> list[str]:
    """Return the spaces of a map in the order of their list, which numbers them."""
    return [space for space, row in rules.spaces.items() if row.map == name]


def paths_of(rules: Rules, name: str) -> list[PathSheet]:
    """Return the paths of a map in the order of their list, which numbers them."""
    inside = set(spaces_of(rules, name))
    return [path for path in rules.paths.values() if path.one in inside]


def _steps(neighbours: Sequence[Collection[int]], start: int) -> dict[int, int]:
    """Return the steps from a space to each that can be reached."""
    found = {start: 0}
    todo = deque([start])
    while todo:
        space = todo.popleft()
        for other in neighbours[space]:
            if other not in found:
                found[other] = found[space] + 1
                todo.append(other)
    return found


def _map_problems(rules: Rules) -> Problems:
    return _graph_problems(rules.maps, rules.spaces, rules.paths, rules.scenarios)


@_once
def _graph_problems(
    maps: Mapping[str, MapSheet],
    spaces: Mapping[str, Space],
    paths: Mapping[str, PathSheet],
    scenarios: Mapping[str, Scenario],
) -> Problems:
    """Maps, their spaces and paths, and what scenarios change on them."""
    found: list[tuple[tuple[str, ...], str]] = []

    def complain(key: str, text: str) -> None:
        found.append(((key,), text))

    for name, space in spaces.items():
        if space.map not in maps:
            complain(f"spaces.{name}.map", _unknown("map", space.map, maps))
    seen: dict[frozenset[str], str] = {}
    beside: dict[str, list[str]] = {name: [] for name in spaces}
    for name, path in paths.items():
        ends = frozenset((path.one, path.other))
        lost = False
        for column, end in (("from", path.one), ("to", path.other)):
            if end not in spaces:
                lost = True
                text = f"unknown space {show(end)}{nearest(end, spaces)}"
                complain(f"paths.{name}.{column}", f"{text}; the spaces are in spaces.csv")
        if lost:
            continue
        if path.one == path.other:
            complain(f"paths.{name}.to", f"a path from {path.one} to itself")
        elif ends in seen:
            text = f"{path.one} and {path.other} are joined by {seen[ends]} already"
            complain(f"paths.{name}.to", text)
        elif spaces[path.one].map != spaces[path.other].map:
            text = f"{path.one} is on {spaces[path.one].map}, {path.other} on another map"
            complain(f"paths.{name}.to", text)
        else:
            seen[ends] = name
            beside[path.one].append(path.other)
            beside[path.other].append(path.one)
    for name, others in beside.items():
        if len(others) > MAX_DEGREE:
            text = f"{len(others)} paths meet here; at most {MAX_DEGREE} can"
            complain(f"spaces.{name}.map", text)
    for name, sheet in maps.items():
        own = [space for space, row in spaces.items() if row.map == name]
        roads = sum(len(beside[space]) for space in own) // 2
        if not 2 <= len(own) <= MAX_SPACES:
            complain(f"maps.{name}.town", f"{len(own)} spaces; allowed: 2 to {MAX_SPACES}")
        if roads > MAX_ROADS:
            complain(f"maps.{name}.town", f"{roads} paths; at most {MAX_ROADS} fit")
        if sheet.town not in own:
            complain(f"maps.{name}.town", _unknown("space", sheet.town, own))
            continue
        numbers = {space: number for number, space in enumerate(own)}
        near = [[numbers[other] for other in beside[space]] for space in own]
        joined = _steps(near, numbers[sheet.town])
        cut_off = [space for space, number in numbers.items() if number not in joined]
        if cut_off:
            more = f"; nor to {choices(cut_off[1:])}" if cut_off[1:] else ""
            text = f"no way leads from {sheet.town} to here{more}"
            complain(f"spaces.{cut_off[0]}.map", text)
        signs = [spaces[space].resource for space in own]
        found += _route_problems(f"maps.{name}.town", signs)
    for name, scenario in scenarios.items():
        if scenario.map not in maps:
            complain(f"scenarios.{name}.map", _unknown("map", scenario.map, maps))
            continue
        own = [space for space, row in spaces.items() if row.map == scenario.map]
        if scenario.town not in own:
            complain(f"scenarios.{name}.town", _unknown("space", scenario.town, own))
        elif maps[scenario.map].town in own:
            moved = _scenario_spaces({space: spaces[space] for space in own}, scenario, maps)
            signs = [space.resource for space in moved.values()]
            found += _route_problems(f"scenarios.{name}.resource", signs)
    return tuple(found)


def _route_problems(key: str, signs: Sequence[str]) -> Problems:
    counts = {resource: signs.count(resource) for resource in RESOURCE_NAMES}
    wrong = [f"{resource} on {count}" for resource, count in counts.items() if count != 2]
    text = f"a trade resource is on two spaces of a map; here {', '.join(wrong)}"
    return (((key,), text),) if wrong else ()


def _scenario_spaces(
    own: Mapping[str, Space], scenario: Scenario | None, maps: Mapping[str, MapSheet]
) -> dict[str, Space]:
    """Return the spaces of a map as a scenario has them: town and its old place change signs."""
    out = dict(own)
    if scenario is not None:
        old = maps[scenario.map].town
        if old != scenario.town:
            sign = out[old].refresh
            out[old] = out[old].model_copy(update={"resource": scenario.resource, "refresh": False})
            out[scenario.town] = out[scenario.town].model_copy(
                update={"resource": NONE, "refresh": sign}
            )
    return out


# --- stories -------------------------------------------------------------------------------------


def story(rules: Rules) -> str:
    """Return whose quests are played: the scenario's, or the map's."""
    switches = rules.switches
    return switches.map if switches.scenario == NONE else switches.scenario


def quest_tokens(rules: Rules, players: int) -> int:
    """Return the number of quest tokens on the map."""
    setup = rules.setup
    if rules.switches.scenario != NONE:
        return players * setup.scenario_quests
    return players * setup.quests + setup.more_quests


def _story_problems(rules: Rules) -> Found:
    yield from _text_problems(
        rules.quests,
        rules.paragraphs,
        rules.keywords,
        rules.maps,
        rules.spaces,
        rules.scenarios,
    )
    played = sum(quest.story == story(rules) for quest in rules.quests.values())
    tokens = quest_tokens(rules, rules.players.most)
    if story(rules) in {*rules.maps, *rules.scenarios} and played < tokens:
        text = f"{tokens} quest tokens with {rules.players.most} players; {story(rules)} has room"
        key = "quests" if rules.switches.scenario == NONE else "scenario_quests"
        yield (f"setup.{key}",), f"{text} for {played}"


@_once
def _text_problems(
    quests: Mapping[str, Quest],
    paragraphs: Mapping[str, Paragraph],
    keywords: Mapping[str, Keyword],
    maps: Mapping[str, MapSheet],
    spaces: Mapping[str, Space],
    scenarios: Mapping[str, Scenario],
) -> Problems:
    """Quests, paragraphs and keywords."""
    found: list[tuple[tuple[str, ...], str]] = []

    def complain(key: str, text: str) -> None:
        found.append(((key,), text))

    stories = [*maps, *scenarios]
    own = {
        name: [word for word, keyword in keywords.items() if keyword.scenario == name]
        for name in stories
    }
    for name, keyword in keywords.items():
        if keyword.scenario not in stories:
            complain(f"keywords.{name}.scenario", _unknown("story", keyword.scenario, stories))
    for name, words in own.items():
        if len(words) > KEYWORDS:
            text = f"{len(words)} keywords of {name}; at most {KEYWORDS} fit"
            complain(f"keywords.{words[0]}.scenario", text)
    taken: dict[tuple[str, str], str] = {}
    for name, quest in quests.items():
        if quest.story not in stories:
            complain(f"quests.{name}.story", _unknown("story", quest.story, stories))
            continue
        sheet = quest.story if quest.story in maps else scenarios[quest.story].map
        inside = [space for space, row in spaces.items() if row.map == sheet]
        if quest.space not in inside:
            complain(f"quests.{name}.space", _unknown("space", quest.space, inside))
        elif (quest.story, quest.space) in taken:
            other = taken[quest.story, quest.space]
            complain(f"quests.{name}.space", f"the quest {other} is here already")
        taken.setdefault((quest.story, quest.space), name)
    rows: list[tuple[str, str, str]] = [
        *((f"quests.{name}.skill_then", q.story, q.skill_then) for name, q in quests.items()),
        *((f"quests.{name}.combat_then", q.story, q.combat_then) for name, q in quests.items()),
        *((f"paragraphs.{name}.then", p.story, p.then) for name, p in paragraphs.items()),
    ]
    for name, paragraph in paragraphs.items():
        if paragraph.story not in stories:
            complain(f"paragraphs.{name}.story", _unknown("story", paragraph.story, stories))
    for key, where, text in rows:
        for verb, name in _read_then(text)[0]:
            if verb == "read":
                known = [p for p, row in paragraphs.items() if row.story == where]
                if key.startswith("paragraphs"):
                    complain(key, "a paragraph cannot go on with another one")
                elif name not in known:
                    complain(key, _unknown("paragraph", name, known))
            elif name not in own.get(where, ()):
                complain(key, _unknown("keyword", name, own.get(where, ())))
    return tuple(found)


# --- tables --------------------------------------------------------------------------------------

HANDICAPS: dict[str, str] = {
    "expert_die": "per seat printed, start (from the start) or never; or 0, 1, 2",
    "forbid_artifacts": 'per seat artifacts it may not buy: a name, names, or "" for none',
    "deal_artifact": 'per seat the artifact it holds after the draft: its name, or "" for none',
    "forbid_members": 'per seat adventurers it may not recruit: a name, names, or "" for none',
    "start_member": 'per seat the adventurer it owns from the start: its name, or "" for none',
    "forbid_places": "per seat buildings of the town it may not visit: a name, names, or one bit "
    "for each",
    "forbid_duels": "per seat duels it may not start: honest, dishonest, both, or one bit for each",
    "start_goods": "per seat goods beside the coins: a table {gem = 2}, or a number for each good",
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
        raise UserError(f"{players} players; allowed: {allowed}")
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
    _fill_names(row, rules)
    for name, values in (handicaps or {}).items():
        if name not in HANDICAPS:
            raise UserError(
                f"unknown handicap {name!r}{nearest(name, HANDICAPS)}; "
                f"known handicaps: {choices(HANDICAPS)}"
            )
        listed = isinstance(values, Sequence) and not isinstance(values, str)
        if not listed or len(values) != players:
            raise UserError(f"handicap {name}: give one value for each of the {players} seats")
        for seat, value in enumerate(values):
            row[name][seat] = _handicap(name, value, rules)
    return out


def _fill_switches(row: np.void, rules: Rules, players: int) -> None:
    switches = rules.switches
    for module in (*NEEDS, "heart_total", "map_scarcity"):
        row[module] = getattr(rules.modules, module)
    scenarios = [NONE, *rules.scenarios]
    row["scenario"] = scenarios.index(switches.scenario)
    stay = switches.scenario != NONE
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
    if players == 2 and switches.dummy != NONE:
        row["dummy"] = 1 + Place[switches.dummy.upper()]
    row["farm_cards"] = switches.farm_cards
    row["random_start"] = switches.start_order == "random"
    row["turn_cap"] = rules.stall.turn_cap


def _fill_sizes(row: np.void, rules: Rules, players: int) -> None:
    setup, town, duel = rules.setup, rules.town, rules.duel
    new_store = rules.modules.new_general_store
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
        "basic_dealt": setup.basic_dealt,
        "advanced_dealt": setup.advanced_dealt,
        "advanced_kept": setup.advanced_kept,
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
    }
    for name, value in sizes.items():
        row[name] = value
    faces = rules.expert_die.faces()
    row["expert_face"][: len(faces)] = faces


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
    modules = rules.modules
    adventurers = list(rules.adventurers.values())
    row["adventurers"] = _bits(
        number
        for number, member in enumerate(adventurers)
        if member.supply == BASE or getattr(modules, member.supply)
    )
    for number, member in enumerate(adventurers):
        symbols = _member_symbols(member.symbols) | {Symbol.HEARTS: member.hearts}
        if member.supply == "miners":
            symbols[Symbol.PICKAX] = 1
        if member.supply == "magic_teachers":
            symbols[Symbol.MAGIC] = 1
        row["member_cost"][number] = member.cost
        row["member_faction"][number] = Faction[member.faction.upper()]
        row["member_symbols"][number] = _packed(symbols)
    for number, kind in enumerate(rules.companions.values()):
        symbols = _member_symbols(kind.symbols) | {Symbol.HEARTS: kind.hearts}
        row["member_symbols"][FIRST_COMPANION + number] = _packed(symbols)
        if kind.supply == BASE or modules.numbat:
            row["companion_count"][number] = kind.count


_ABILITIES = {NONE: 0, **{ability.name.lower(): int(ability) for ability in Ability}}


def _rewards(text: str) -> list[int]:
    """Return a reward by Reward."""
    found = _reward(text)
    return [found.get(column, 0) for column in range(REWARDS)]


def _fill_cards(row: np.void, rules: Rules) -> None:
    """Fill in artifacts, treasures and threats."""
    modules = rules.modules
    artifacts = list(rules.artifacts.values())
    for deck in ("basic", "advanced"):
        row[f"{deck}_cards"] = _bits(
            number
            for number, card in enumerate(artifacts)
            if card.deck == deck and (card.supply == BASE or modules.amber_artifacts)
        )
    for number, card in enumerate(artifacts):
        cost = row["artifact_cost"][number]
        cost[Good.FOOD] = card.food
        cost[Good.COIN] = card.coins
        cost[Good.GEM] = card.gems
        for faction, amount in _tokens(card.tokens).items():
            cost[TOKEN + faction] = amount
        row["artifact_reputation"][number] = card.reputation
        row["artifact_symbols"][number] = _packed(_card_symbols(card.symbols))
        row["artifact_ability"][number] = _ABILITIES[card.ability]
        row["artifact_points"][number] = card.points
    treasures = list(rules.treasures.values())
    row["treasure_cards"] = _bits(
        number
        for number, treasure in enumerate(treasures)
        if treasure.supply == BASE or modules.amber_treasures
    )
    for number, treasure in enumerate(treasures):
        row["treasure_symbols"][number] = _packed(_card_symbols(treasure.symbols))
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
    for number, (area, beside) in enumerate(zip(areas, _adjacent(rules), strict=True)):
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
    rows = _scenario_spaces(own, scenario, rules.maps)
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
        for other, steps in _steps(neighbours, space).items():
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
            said = list(_read_then(then)[0])
            for verb, name in said:
                if verb == "read":
                    paragraph = rules.paragraphs[name]
                    total += _rewards(paragraph.reward)
                    said += _read_then(paragraph.then)[0]
                else:
                    field = "quest_gains" if verb == "gain" else "quest_loses"
                    row[field][space, way] |= 1 << words.index(name)
            row["quest_reward"][space, way] = total


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


def _handicap(name: str, value: Any, rules: Rules) -> int | list[int]:
    """Return a handicap of one seat as the kernel reads it."""
    if name == "start_goods":
        return _start_goods(value)
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
