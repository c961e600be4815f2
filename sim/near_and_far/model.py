"""The numbers of Near and Far with the Amber Mines: the model they must fit.

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
    time_track.csv   value, next, swords, skull, start: a graph that the time token goes along
    bosses.csv       level
    minions.csv      copies, building, effect, amount, skill, swords, reward

`supply`: base, or the module that adds the thing. `reputation` of an artifact: at least so much,
or, below 0, at most. `story`: a map, or the scenario that replaces its stories.

The texts in these lists are phrases; `words.py` has what they can say.

The shipped cards follow rules of cost. An adventurer has one symbol less than it costs, hearts
apart. The price of an artifact, by the values of trade, is 2 for each point, 1 for each symbol (2
for caution), 1 less for each token and 1 less for each two steps of reputation. Rewards of quests
are worth 5 to 8 and bonuses 2, by the values of trade and 2 for a point, 3 for a treasure, 1 for a
step of reputation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.content import Model
from sim.decks import MAX_CARDS
from sim.near_and_far import checks
from sim.near_and_far.checks import Found
from sim.near_and_far.state import (
    DIE_SIDES,
    GOODS,
    MAX_BOSSES,
    MAX_MAGIC,
    MAX_SEATS,
    MAX_SPACES,
    MAX_TRACK,
    OFFER,
    DieFace,
)
from sim.near_and_far.words import (
    NONE,
    CardSymbols,
    MemberSymbols,
    Names,
    RewardText,
    RoadText,
    StartText,
    ThenText,
    Tokens,
)
from sim.tomlfile import show
from sim.wording import counted

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
TownPlace = Literal["town_hall", "saloon", "stables", "general_store", "farm", "hut", "mine"]
Building = Literal["none", TownPlace]
EffectName = Literal[
    "remove_camp",
    "discard_treasure",
    "lose_food",
    "discard_artifact",
    "lose_reputation",
    "remove_threat",
    "bird_coins",
    "recruit_reputation",
]
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
            yield (
                ("least", "most"),
                f"at least {counted(self.least, 'player')} and at most {self.most}",
            )


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
    advanced_dealt: Annotated[int, Field(ge=0, le=OFFER)]
    """advanced artifacts dealt to each player"""
    advanced_kept: Annotated[int, Field(ge=0, le=OFFER)]
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


class Together(Model):
    """The cooperative mode."""

    basic_dealt: Annotated[int, Field(ge=1, le=2 * OFFER)]
    """basic artifacts dealt to each player"""
    advanced_dealt: Annotated[int, Field(ge=0, le=OFFER)]
    """advanced artifacts dealt to each player"""
    quests: Few
    """quest tokens for each player"""
    bosses: Annotated[int, Field(ge=0, le=MAX_BOSSES)]
    """bosses to beat; 0: as many as there are players (A-6)"""
    start: Price
    """number on the time track where the token starts; 0: where the difficulty says"""
    minion_coins: Few
    """coins on a minion for each kind of defeat; they go to whoever brings about the second"""


class Stall(Model):
    """The end of a game that does not end."""

    turn_cap: Annotated[int, Field(ge=1, le=4000)]
    """turns of all players together after which a game ends without a winner"""


class Experiment(Model):
    """What is changed to measure what a card is worth. A card: an artifact or an adventurer."""

    first_card: str
    """card that is dealt first: an artifact to the first player, an adventurer to the track"""
    left_out: str
    """cards that are not in the game, with spaces between them"""
    goods: Price
    """of each kind of goods, what everybody has at the start beside the coins"""


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
    """cooperative mode: the players win or lose together"""
    minions: bool
    """minions of the cooperative mode"""
    heart_total: bool
    """hearts never exceed those of the party and its cards"""
    map_scarcity: bool
    """a symbol on the map works once in a turn"""

    def on(self) -> frozenset[str]:
        """Return the modules in play, the two rules that need nothing left out."""
        return frozenset(name for name in checks.NEEDS if getattr(self, name))

    def problems(self) -> Found:
        """Yield modules without what they need."""
        for module, missing in checks.missing_modules(self.on() | {"new_threats"}):
            text = f"{module} needs {missing}, which is not in play; set modules.{missing} = true"
            yield (module, missing), text


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
    difficulty: Literal["sun", "moon"]
    """where the time token of the cooperative mode starts"""
    coop_at_least: bool
    """a team with exactly the points needed wins, too (A-5)"""
    coop_duels: bool
    """in the cooperative mode duels can be fought by choice"""
    boss_fights: Literal["space", "after_threats"]
    """bosses are fought on spaces of their own, or in the place of threats after the last one
    (A-7)"""


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
    bosses: Names = ""
    """spaces where the bosses of the cooperative mode are, in their order"""


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


class TimeSpace(Model):
    """A space of the time track of the cooperative mode."""

    value: Price = 0
    """number on it"""
    next: str = ""
    """space that the time token goes on to"""
    swords: bool = False
    """crossed swords with jagged blades: a minion comes"""
    skull: bool = False
    """time is over here"""
    start: StartText = ""
    """for which difficulty and how many players the token starts here"""

    def problems(self) -> Found:
        """Yield what is wrong with the row as a whole."""
        if self.skull and (self.start or self.swords or self.value):
            yield ("skull", "start", "swords", "value"), "a skull is the end and nothing else"
        if not self.skull and self.value == 0:
            yield ("value",), "a space that is no skull has a number of at least 1"


class Boss(Model):
    """A boss of the cooperative mode."""

    level: Number
    """total that beats it"""


class Minion(Model):
    """A minion of the cooperative mode."""

    copies: Annotated[int, Field(ge=0, le=1)]
    """1 if the card is in play"""
    building: TownPlace
    """building it stands on"""
    effect: EffectName
    """what it does"""
    amount: Few = 1
    """how much of it"""
    skill: Number
    """total that beats it with skill"""
    swords: Number
    """total that beats it with combat"""
    reward: RewardText = ""
    """what the second defeat gives, beside the coins"""

    def problems(self) -> Found:
        """Yield what is wrong with the row as a whole."""
        if self.effect in checks.ONE_EACH and self.amount != 1:
            yield ("amount", "effect"), f"{self.effect} is about one thing; the amount is 1"


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
        *("time_track.csv", "bosses.csv", "minions.csv"),
    )
    ONLY_FOR: ClassVar[Mapping[str, tuple[int, ...]]] = {"switches.dummy": (2,)}
    ONLY_WITH: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("together", "time_track", "bosses"), "modules.coop"),
        **dict.fromkeys(("switches.difficulty", "switches.boss_fights"), "modules.coop"),
        **dict.fromkeys(("switches.coop_at_least", "switches.coop_duels"), "modules.coop"),
        "minions": "modules.minions",
        **dict.fromkeys(("magic", "spells"), "modules.magic"),
        **dict.fromkeys(("amber", "mine_cards", "switches.mine_left"), "modules.amber_mines"),
        "new_store": "modules.new_general_store",
        "expert_die": "modules.expert_dice",
    }

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
    together: Together
    stall: Stall
    experiment: Experiment
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
    time_track: dict[str, TimeSpace]
    bosses: dict[str, Boss]
    minions: dict[str, Minion]

    def problems(self) -> Found:
        """Yield the combinations that no game can be played with."""
        yield from checks.switch_problems(self)
        yield from checks.sizes(self)
        yield from checks.names(self)
        yield from checks.experiment_problems(self)
        yield from checks.mine_problems(self)
        yield from checks.map_problems(self)
        yield from checks.story_problems(self)
        yield from checks.together_problems(self)
