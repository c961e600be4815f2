"""The numbers of Dobbers: the model they must fit, and the tables the kernel reads.

The numbers are in the files beside this one: lists of like things, whose first column names the
thing, and what is no list in two TOML files. What the rulebook prints of a card stands in
rulebook.toml; the cell in the list is then empty. Limits below are what the kernel can hold, not
numbers of the game.

    list               columns after the name
    starting.csv       count, type, alignment, keywords, icon, gives, bonus, forge, destroy
    adventure.csv      the same and cost
    heroes.csv         gives, alternate: on top of what the table `hero` gives to all
    locations.csv      cost, points, icon, reduced, capacity, victory, results, tan, defeat,
                       item_results, item_defeat
    creatures.csv      cost, points, alignment, bonus, immune
    tokens.csv         count, and gives, or hinders and amount
    add_locations.csv  place, encounter, start; the lowest number first
    solo_cards.csv     count, text
    events.csv         scope, text
    squares.csv        kind; starts are lettered and encounters numbered in the order of the file
    paths.csv          from, to, number: squares next to each other, to be walked both ways

`type`: effect, weapon, armor or item; an item has an `icon` (navigation, protection, travel,
combat). `alignment`: empty or a territory. `keywords`: words with spaces between them; `immune`
takes such words, and weapon, armor, item. `gives`: what a card does when it is played or used.
`bonus`: what it gives besides while another card of its alignment is in play. `forge`: makes it a
forge card, and is what it adds to the card it lies under. `destroy`: what it does when it is given
up. `alternate`: what a hero gives in the own first, third, ... turn. `reduced`: the points of a
location with an item of its icon; `item_results`, `item_defeat`: its texts with such an item
(empty: the usual ones). `scope` of an event: table (once), each (player) or leader.

A text is phrases with commas between them, carried out in this order: `1 influence, 1 cull`. A
phrase is a number from 1 to 15 and a word. `nothing` is a text, too. `A or B` lets the player
choose between two texts.

    influence red blue gold draw                     all that bonus, forge, heroes, tokens and
                                                     the `gives` of equipment can say
    cull recover                                     may destroy a card of the hand or the discard
                                                     pile; take a card of the discard pile
    boon burden                                      take a positive, a negative token
    discard_equipment destroy_equipment discard_card lose_influence back
    outwit                                           effects: to be played in another's turn
    add_creature add_creature_last add_equipment     solo cards and events: onto the first stack,
                                                     the one nearest to the key, one of choice
    sweep_left sweep_dear sweep_all                  solo cards and events: destroy cards of the
                                                     row, leftmost, dearest or all (1 sweep_all)
    slow                                             solo cards and events: travel numbers go up
                                                     for one round

Unnamed adventure cards have their cost from a rule. It counts 1.5 for each influence, blue and
gold, 2 for each red, 1 for each card drawn or taken back and each boon, 1 less for each burden and
each card discarded, the better of two texts, three quarters of that for a bonus, and nothing for
what else a card can do. An effect costs the sum, equipment twice the sum, half rounded up, from 1
to 8.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import AfterValidator, Field

from sim import content
from sim.content import Content, Model
from sim.dobbers.state import (
    FIRST_ADVENTURE,
    FIRST_EVENT,
    FIRST_SOLO,
    GAIN_BITS,
    GAINS,
    KEYWORDS,
    KIND_BITS,
    KIND_WORDS,
    MAX_ADVENTURE,
    MAX_CREATURES,
    MAX_EDGES,
    MAX_ENCOUNTERS,
    MAX_HEROES,
    MAX_KINDS,
    MAX_LOCATIONS,
    MAX_ROW,
    MAX_SEATS,
    MAX_SPECIAL,
    MAX_SQUARES,
    MAX_TEXTS,
    MAX_TOKENS,
    NO_PRICE,
    PRICE_BITS,
    STARTERS,
    SUM_BITS,
    TABLES,
    TEXT_OPS,
    TEXT_WAYS,
    Alignment,
    Fact,
    Gain,
    Hinder,
    Icon,
    Mark,
    Op,
    Scope,
    Type,
)
from sim.errors import UserError, choices, nearest
from sim.game import Card
from sim.tomlfile import show
from sim.wording import counted

FOLDER = Path(__file__).parent

LETTERS = "ABCD"
MOST = 15  # of anything in one phrase
NOTHING = "nothing"
NONE = "none"

# --- texts ---------------------------------------------------------------------------------------

Way = tuple[tuple[Op, int], ...]

GIVES = (Op.INFLUENCE, Op.RED, Op.BLUE, Op.GOLD, Op.DRAW)
ACTS = (
    *(Op.CULL, Op.RECOVER, Op.BOON, Op.BURDEN, Op.DISCARD_EQUIPMENT, Op.DESTROY_EQUIPMENT),
    *(Op.DISCARD_CARD, Op.BACK, Op.LOSE_INFLUENCE),
)
TABLE_ACTS = (
    *(Op.ADD_CREATURE, Op.ADD_CREATURE_LAST, Op.ADD_EQUIPMENT),
    *(Op.SWEEP_LEFT, Op.SWEEP_DEAR, Op.SWEEP_ALL, Op.SLOW),
)

_PHRASE = re.compile(r"([0-9]+)\s+([A-Za-z_]+(?:\s+[A-Za-z_]+)*)")
_WORD = re.compile(r"[a-z][a-z0-9_]*")


@functools.lru_cache(maxsize=4096)
def _read_text(text: str, words: tuple[Op, ...], options: int) -> tuple[tuple[Way, ...], str]:
    """Return the ways of a text, and what is wrong with it ("" if nothing is)."""
    known = {op.name.lower(): op for op in words}
    ways: list[Way] = []
    wrong: list[str] = []
    for part in re.split(r"\s+or\s+", text.strip()) if text.strip() else []:
        phrases: list[tuple[Op, int]] = []
        for phrase in [] if part.strip().lower() == NOTHING else part.split(","):
            phrase = phrase.strip()
            match = _PHRASE.fullmatch(phrase)
            if match is None:
                hint = nearest(phrase.lower(), [NOTHING])
                how = 'write a number and a word: "2 red"'
                wrong.append(f"{show(phrase)} is no phrase{hint}; {how}")
                continue
            amount, word = int(match[1]), "_".join(match[2].lower().split())
            if word not in known:
                hint = nearest(word, known)
                wrong.append(f"unknown word {show(word)}{hint}; known words: {choices(known)}")
                continue
            op = known[word]
            most = 1 if op in (Op.SWEEP_ALL, Op.OUTWIT) else MOST
            if not 1 <= amount <= most:
                allowed = "1" if most == 1 else f"a whole number from 1 to {most}"
                wrong.append(f"{show(phrase)}: {amount} is not allowed; allowed: {allowed}")
            phrases.append((op, amount))
        if len(phrases) > TEXT_OPS:
            wrong.append(f"{len(phrases)} phrases; a text holds at most {TEXT_OPS}")
        ways.append(tuple(phrases))
    if len(ways) > options:
        how = "no choice is possible here" if options == 1 else f"at most {options} are possible"
        wrong.append(f'{len(ways)} texts with "or" between them; {how}')
    if any(op == Op.OUTWIT for way in ways for op, _ in way) and len(ways) > 1:
        wrong.append('outwit stands for the whole card and cannot be one of two texts with "or"')
    return tuple(ways), "; ".join(wrong)


@functools.lru_cache(maxsize=4096)
def read_text(text: str) -> tuple[Way, ...]:
    """Return the ways of a text that has been checked: what each does, and how much of it.

    () for a text that does nothing whatever is chosen.
    """
    ways = _read_text(text, tuple(Op), TEXT_WAYS)[0]
    return ways if any(ways) else ()


def _checker(words: tuple[Op, ...], options: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        wrong = _read_text(text, words, options)[1]
        if wrong:
            raise ValueError(wrong)
        return text

    return check


def _check_words(text: str) -> str:
    for word in text.split():
        if not _WORD.fullmatch(word):
            raise ValueError(f"{show(word)} is no word; write small letters and _")
    return text


Gains = Annotated[str, AfterValidator(_checker(GIVES, 1))]
Effect = Annotated[str, AfterValidator(_checker((*GIVES, *ACTS, Op.OUTWIT), TEXT_WAYS))]
Text = Annotated[str, AfterValidator(_checker((*GIVES, *ACTS), TEXT_WAYS))]
TableText = Annotated[str, AfterValidator(_checker((*GIVES, *ACTS, *TABLE_ACTS), TEXT_WAYS))]
Words = Annotated[str, AfterValidator(_check_words)]


def _gains(text: str) -> list[int]:
    """Return what a text gives, by Gain; all of it must be gains."""
    out = [0] * GAINS
    for way in read_text(text):
        for op, amount in way:
            out[op - Op.INFLUENCE] += amount
    return out


@functools.lru_cache(maxsize=4096)
def _split(text: str) -> tuple[tuple[int, ...], tuple[Way, ...]]:
    """Return what a card gives at once, and the ways of the rest of its text.

    Drawing is the last thing that happens at once: what comes after sees the cards drawn.
    """
    ways = read_text(text)
    gain = [0] * GAINS
    if len(ways) != 1:
        return tuple(gain), ways
    way = tuple(phrase for phrase in ways[0] if phrase[0] != Op.OUTWIT)
    for done, (op, amount) in enumerate(way):
        if op not in GIVES:
            return tuple(gain), (way[done:],)
        gain[op - Op.INFLUENCE] += amount
        if op == Op.DRAW:
            rest = way[done + 1 :]
            return tuple(gain), (rest,) if rest else ()
    return tuple(gain), ()


@functools.lru_cache(maxsize=4096)
def _only_gives(text: str) -> bool:
    ways = read_text(text)
    return len(ways) <= 1 and all(op in GIVES for way in ways for op, _ in way)


# --- the model -----------------------------------------------------------------------------------

Found = Iterator[tuple[tuple[str, ...], str]]  # what `Model.problems` yields

Count = Annotated[int, Field(ge=0, le=MAX_ADVENTURE)]
Few = Annotated[int, Field(ge=0, le=9)]
Price = Annotated[int, Field(ge=0, le=99)]
Points = Annotated[int, Field(ge=0, le=99)]
Drawn = Annotated[int, Field(ge=0, le=10)]
RowSize = Annotated[int, Field(ge=1, le=MAX_ROW)]
Turns = Annotated[int, Field(ge=1, le=999)]
Territory = Literal["none", "dobberton", "wild", "rat_claw_clan", "decay"]
ItemIcon = Literal["none", "navigation", "protection", "travel", "combat"]
CardType = Literal["effect", "weapon", "armor", "item"]


class Players(Model):
    """How many can play against each other; one player plays the solo game."""

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


class Setup(Model):
    """Hands and rows."""

    opening_solo: Drawn
    """cards a solo player starts with"""
    opening_two: tuple[Drawn, Drawn]
    """cards the first, second, ... of two players start with"""
    opening_three: tuple[Drawn, Drawn, Drawn]
    """cards the first, second, ... of three players start with"""
    opening_four: tuple[Drawn, Drawn, Drawn, Drawn]
    """cards the first, second, ... of four players start with"""
    draw: Drawn
    """cards drawn at the end of a turn"""
    row: RowSize
    """cards of the adventure row"""
    locations_visible: RowSize
    """locations of the challenge row"""
    creatures_visible: RowSize
    """creatures of the challenge row"""

    def problems(self) -> Found:
        """Yield what is wrong with the table as a whole."""
        visible = self.locations_visible + self.creatures_visible
        if visible > MAX_ROW:
            text = f"{visible} locations and creatures in the challenge row; at most {MAX_ROW} fit"
            yield ("locations_visible", "creatures_visible"), text


class BaseHero(Model):
    """What every hero gives, in every turn."""

    influence: Few
    """influence of every hero"""
    red: Few
    """red action points of every hero"""


class Solo(Model):
    """The game of one player."""

    visible: RowSize
    """locations, later creatures, of the challenge row"""
    removal: Literal["position", "cost"]
    """which card of the adventure row is destroyed after a turn: places in order, or the dearest
    and the cheapest in turn"""
    bands: tuple[Turns, Turns, Turns]
    """most turns of the best, second and third result"""

    def problems(self) -> Found:
        """Yield what is wrong with the table as a whole."""
        if any(least >= most for least, most in itertools.pairwise(self.bands)):
            yield ("bands",), f"{show(self.bands)} does not go up"


class TwoPlayer(Model):
    """The variants for two."""

    locations: Annotated[int, Field(ge=0, le=MAX_ENCOUNTERS)]
    """Add Location cards used in the set-up (variant A)"""
    replaced: str
    """starting card of which one is replaced (variant B)"""
    replacement: str
    """adventure card that replaces it (variant B)"""


class StartingCard(Model):
    """A card of every starting deck."""

    count: Count
    """cards in each starting deck"""
    type: CardType
    """effect, or kind of equipment"""
    alignment: Territory = "none"
    """territory"""
    keywords: Words = ""
    """words that creatures can be immune to"""
    icon: ItemIcon = "none"
    """type of an item"""
    gives: Effect = ""
    """what it does when it is played or used"""
    bonus: Gains = ""
    """what it gives besides while another card of its alignment is in play"""
    forge: Gains = ""
    """what it adds to the equipment it lies under"""
    destroy: Text = ""
    """what it does when it is given up"""

    def problems(self) -> Found:
        """Yield what a card of its type cannot have."""
        item, effect = self.type == "item", self.type == "effect"
        if item and self.icon == NONE:
            allowed = choices(icon.name.lower() for icon in Icon if icon)
            yield ("icon", "type"), f"an item has an icon; allowed: {allowed}"
        if not item and self.icon != NONE:
            yield ("icon", "type"), f"{self.type} with the icon {self.icon}; items only"
        if not effect and not _only_gives(self.gives):
            allowed = choices(op.name.lower() for op in GIVES)
            what = f"{show(self.gives)}: {self.type} cannot do that"
            yield ("gives", "type"), f"{what}; known words: {allowed}, without or"
        if effect and self.forge:
            yield ("forge", "type"), "an effect is no forge card; weapon, armor, item are"
        if not effect and self.destroy:
            text = f"{self.type} with a destroy ability; only effects have one"
            yield ("destroy", "type"), text
        if self.bonus and self.alignment == NONE:
            allowed = choices(alignment.name.lower() for alignment in Alignment if alignment)
            yield ("bonus", "alignment"), f"a bonus needs an alignment; allowed: {allowed}"


class AdventureCard(StartingCard):
    """A card of the adventure deck."""

    count: Count
    """cards in the adventure deck"""
    cost: Price
    """influence it costs"""


class Hero(Model):
    """A hero, on top of what every hero gives."""

    gives: Gains = ""
    """what it gives in every turn"""
    alternate: Gains = ""
    """what it gives in the own first, third, ... turn"""


class Location(Model):
    """A location."""

    cost: Price
    """influence it costs"""
    points: Points
    """action points it takes to overcome"""
    icon: ItemIcon
    """type of item that helps"""
    reduced: Points
    """action points it takes with such an item"""
    capacity: Annotated[int, Field(ge=0, le=4)]
    """cards it can have under it"""
    victory: Text = ""
    """what happens to who overcomes it"""
    results: Text = ""
    """what happens after that"""
    tan: Text = ""
    """extra challenge box"""
    defeat: Text = ""
    """what happens to who fails"""
    item_results: Text = ""
    """results with an item of the icon; empty: as without"""
    item_defeat: Text = ""
    """defeat with an item of the icon; empty: as without"""

    def problems(self) -> Found:
        """Yield what is wrong with the row as a whole."""
        if self.reduced > self.points:
            text = f"{self.reduced} points with an item, {self.points} without"
            yield ("reduced", "points"), text
        if self.icon == NONE and self.reduced != self.points:
            text = f"no icon, and {self.reduced} points with an item, not {self.points}"
            yield ("icon", "reduced"), text
        for column in ("item_results", "item_defeat"):
            if self.icon == NONE and getattr(self, column):
                yield (column, "icon"), "a text with an item of the icon, and no icon"


class Creature(Model):
    """A creature."""

    cost: Price
    """influence it costs"""
    points: Points
    """action points it takes to overcome"""
    alignment: Territory = "none"
    """territory"""
    bonus: Points = 0
    """action points more with equipment of its alignment in the stack"""
    immune: Words = ""
    """keywords and types of equipment whose action points do not count"""

    def problems(self) -> Found:
        """Yield what is wrong with the row as a whole."""
        if self.bonus and self.alignment == NONE:
            yield ("bonus", "alignment"), "a bonus needs an alignment"


class Token(Model):
    """A kind of round modifier token."""

    count: Count
    """tokens of this kind"""
    gives: Gains = ""
    """what a positive token gives"""
    hinders: Literal["none", "travel", "challenge", "both"] = "none"
    """what a negative token makes harder"""
    amount: Annotated[int, Field(ge=0, le=9)] = 0
    """by how much"""

    def problems(self) -> Found:
        """Yield what is wrong with the row as a whole."""
        if bool(self.gives) == (self.hinders != NONE):
            yield ("gives", "hinders"), "a token either gives or hinders something"
        elif (self.amount > 0) != (self.hinders != NONE):
            text = "amount is by how much a token hinders: at least 1 there, empty otherwise"
            yield ("amount", "hinders"), text


class AddLocation(Model):
    """A card that places a location before the game."""

    place: Annotated[int, Field(ge=1, le=MAX_ROW)]
    """place of the location in the challenge row"""
    encounter: Annotated[int, Field(ge=1, le=MAX_ENCOUNTERS)]
    """number of the encounter square it is put on"""
    start: Literal["A", "B", "C", "D"]
    """where a solo hero starts when this card is the last"""


class SoloCard(Model):
    """A card of the solo deck that is shuffled into the adventure deck."""

    count: Annotated[int, Field(ge=0, le=MAX_SPECIAL)]
    """cards of this kind"""
    text: TableText
    """what happens when it is revealed"""


class EventCard(Model):
    """An event."""

    scope: Literal["table", "each", "leader"]
    """whom it is for"""
    text: TableText
    """what happens when it is revealed"""


class BoardSquare(Model):
    """A square."""

    kind: Literal["start", "travel", "encounter", "key"]
    """what it is"""


class BoardPath(Model):
    """Two squares next to each other."""

    one: Annotated[str, Field(alias="from")]
    """square"""
    other: Annotated[str, Field(alias="to")]
    """square"""
    number: Annotated[int, Field(ge=1, le=99)]
    """travel number between them"""


class Stall(Model):
    """The end of a game that does not end."""

    turn_cap: Annotated[int, Field(ge=1, le=4000)]
    """turns of all players together after which a game ends without a winner"""


class Experiment(Model):
    """Decks changed to measure what a card is worth."""

    first_card: str
    """adventure card of which one is dealt first"""
    left_out: str
    """adventure cards of which none is in the deck, with spaces between them"""


class Switches(Model):
    """Variants, and readings of the rules. What does not fit the number of players does nothing."""

    duel: bool
    """others have one more turn when the first reaches the key, and points decide"""
    two_player_a: bool
    """two players: locations are on the board from the start"""
    two_player_b: bool
    """two players: a better card in each starting deck"""
    tan_boxes: bool
    """extra challenge boxes of locations count"""
    events: bool
    """events are in the adventure deck (not in solo games)"""
    text_order: Literal["victory_first", "results_first"]
    """which text of an overcome location comes first (D-3)"""
    results_after_defeat: bool
    """results apply after a defeat, too (D-4)"""
    points_lost_on_defeat: bool
    """all action points are gone after a defeat (D-14)"""
    play_after_reveal: bool
    """effects may be played after a stack was turned over (D-16)"""
    capacity_counts_creature: bool
    """the creature takes up room under a location (D-18)"""
    outwit_influence: Literal["none", "base", "all"]
    """influence one has in others' turns: none, of hero and equipment, all not spent (D-23)"""
    start_order: Literal["seat_1", "random"]
    """who starts"""


class Rules(Model):
    """All numbers of Dobbers: Quest for the Key."""

    GAME: ClassVar[str] = "dobbers"
    FILES: ClassVar[tuple[str, ...]] = (
        *Model.FILES,
        *("starting.csv", "adventure.csv", "heroes.csv", "locations.csv", "creatures.csv"),
        *("tokens.csv", "add_locations.csv", "solo_cards.csv", "events.csv"),
        *("squares.csv", "paths.csv"),
    )
    ONLY_FOR: ClassVar[Mapping[str, tuple[int, ...]]] = {
        **dict.fromkeys(("switches.two_player_a", "switches.two_player_b", "two_player"), (2,)),
        **dict.fromkeys(("solo", "solo_cards", "setup.opening_solo"), (1,)),
        "setup.opening_two": (2,),
        "setup.opening_three": (3,),
        "setup.opening_four": (4,),
        "add_locations": (1, 2),
        **dict.fromkeys(("setup.locations_visible", "setup.creatures_visible"), (2, 3, 4)),
        **dict.fromkeys(("switches.duel", "switches.events", "events"), (2, 3, 4)),
        **dict.fromkeys(("switches.outwit_influence", "switches.start_order"), (2, 3, 4)),
    }

    players: Players
    setup: Setup
    hero: BaseHero
    solo: Solo
    two_player: TwoPlayer
    stall: Stall
    experiment: Experiment
    switches: Switches
    starting: dict[str, StartingCard]
    adventure: dict[str, AdventureCard]
    heroes: dict[str, Hero]
    locations: dict[str, Location]
    creatures: dict[str, Creature]
    tokens: dict[str, Token]
    add_locations: dict[str, AddLocation]
    solo_cards: dict[str, SoloCard]
    events: dict[str, EventCard]
    squares: dict[str, BoardSquare]
    paths: dict[str, BoardPath]

    def problems(self) -> Found:
        """Yield the combinations that no game can be played with."""
        yield from _sizes(self)
        yield from _names(self)
        yield from _immunities(self)
        yield from _words(self)
        yield from _board_problems(self)


def _sizes(rules: Rules) -> Found:
    """More of something than the kernel holds, or less than a game needs."""
    sums = {
        "starting": (sum(card.count for card in rules.starting.values()), 1, STARTERS),
        "adventure": (sum(card.count for card in rules.adventure.values()), 1, MAX_ADVENTURE),
        "solo_cards": (sum(card.count for card in rules.solo_cards.values()), 0, MAX_SPECIAL),
        "events": (len(rules.events), 0, MAX_SPECIAL),
        "heroes": (len(rules.heroes), rules.players.most, MAX_HEROES),
        "locations": (len(rules.locations), 0, MAX_LOCATIONS),
        "creatures": (len(rules.creatures), 0, MAX_CREATURES),
        "tokens": (len(rules.tokens), 0, MAX_TOKENS),
        "add_locations": (len(rules.add_locations), 0, MAX_ENCOUNTERS),
    }
    what = {"tokens": "kinds of tokens", "starting": "cards in each starting deck"}
    for key, (size, least, most) in sums.items():
        if not least <= size <= most:
            words = what.get(key, "cards" if "card" in key or key == "adventure" else key)
            words = words.replace("_", " ")
            yield (key,), f"{size} {words}; allowed: {least} to {most}"
    count = len(kinds(rules))
    if count > MAX_KINDS:
        yield ("adventure",), f"{count} kinds of cards in all lists; at most {MAX_KINDS} fit"
    texts = len(_texts(rules))
    if texts > MAX_TEXTS:
        yield ("adventure",), f"{texts} different texts in all lists; at most {MAX_TEXTS} fit"
    if rules.two_player.locations > len(rules.add_locations):
        text = f"{rules.two_player.locations} of {len(rules.add_locations)} Add Location cards"
        yield ("two_player.locations", "add_locations"), text
    silver = rules.adventure.get(rules.two_player.replacement)
    if rules.switches.two_player_b and silver is not None and silver.count < 2:
        name = rules.two_player.replacement
        text = f"{silver.count} {name}, of which each of two players gets one; allowed: 2 or more"
        yield (f"adventure.{name}.count", "switches.two_player_b"), text


@functools.lru_cache(maxsize=4096)
def _is_name(name: str) -> bool:
    return _WORD.fullmatch(name) is not None and name not in (NONE, NOTHING)


def _names(rules: Rules) -> Found:
    """Names that cannot be keys, and names of two cards."""
    lists = (
        *("starting", "adventure", "solo_cards", "events"),
        *("heroes", "locations", "creatures", "tokens", "add_locations", "squares", "paths"),
    )
    cards: dict[str, str] = {}
    for group in lists:
        for name in getattr(rules, group):
            if not _is_name(name):
                text = f"{show(name)} is no name; write small letters, digits and _: silver_sword"
                yield (f"{group}.{name}",), text
            elif group in lists[:4]:
                if name in cards:
                    yield (f"{group}.{name}",), f"{name} is a card of {cards[name]}, too"
                cards.setdefault(name, group)


def _keywords(rules: Rules) -> list[str]:
    """Return the keywords of all cards, in the order of the lists."""
    cards = (*rules.starting.values(), *rules.adventure.values())
    return list(dict.fromkeys(word for card in cards for word in card.keywords.split()))


SLOT_NAMES = ("weapon", "armor", "item")


def _immunities(rules: Rules) -> Found:
    """Keywords."""
    known = _keywords(rules)
    if len(known) > KEYWORDS:
        yield ("adventure",), f"{len(known)} different keywords; at most {KEYWORDS} fit"
    for name, creature in rules.creatures.items():
        for word in creature.immune.split():
            if word not in known and word not in SLOT_NAMES:
                names = (*known, *SLOT_NAMES)
                text = f"unknown keyword {show(word)}{nearest(word, names)}"
                yield (f"creatures.{name}.immune",), f"{text}; known: {choices(names)}"


def _left_out(rules: Rules) -> list[str]:
    return rules.experiment.left_out.split()


def _words(rules: Rules) -> Found:
    """Cards that are named outside their list."""
    adventure, starting = rules.adventure, rules.starting
    cards = (NONE, *adventure)
    named: list[tuple[str, str, Sequence[str]]] = [
        ("two_player.replaced", rules.two_player.replaced, tuple(starting)),
        ("two_player.replacement", rules.two_player.replacement, tuple(adventure)),
        ("experiment.first_card", rules.experiment.first_card, cards),
        *(("experiment.left_out", name, cards) for name in _left_out(rules) or [""]),
    ]
    for key, name, known in named:
        if name not in known:
            text = f"unknown card {show(name)}{nearest(name, known)}"
            yield (key,), f"{text}; known cards: {choices(known)}"
    if rules.two_player.replaced in starting and not starting[rules.two_player.replaced].count:
        text = f"no {rules.two_player.replaced} in a starting deck"
        yield ("two_player.replaced", f"starting.{rules.two_player.replaced}.count"), text


# --- the board -----------------------------------------------------------------------------------


class Board(NamedTuple):
    """Squares by number, and for each the edges: (square, travel number), nearest to the key first.

    distance, steps: least sum of travel numbers and least number of squares to the key.
    """

    starts: list[int]
    encounters: list[int]
    key: int
    edges: list[list[tuple[int, int]]]
    distance: list[int]
    steps: list[int]


def _farness(edges: list[list[tuple[int, int]]], key: int, *, count: bool) -> dict[int, int]:
    """Return the distance of each square from which the key can be reached (Dijkstra)."""
    found: dict[int, int] = {}
    heap = [(0, key)]
    while heap:
        far, square = heapq.heappop(heap)
        if square in found:
            continue
        found[square] = far
        for other, number in edges[square]:
            if other not in found:
                heapq.heappush(heap, (far + (1 if count else number), other))
    return found


def _edges(rules: Rules) -> list[list[tuple[int, int]]]:
    numbers = {name: number for number, name in enumerate(rules.squares)}
    edges: list[list[tuple[int, int]]] = [[] for _ in numbers]
    for path in rules.paths.values():
        if path.one in numbers and path.other in numbers and path.one != path.other:
            edges[numbers[path.one]].append((numbers[path.other], path.number))
            edges[numbers[path.other]].append((numbers[path.one], path.number))
    return edges


def board(rules: Rules) -> Board:
    """Return the board of rules that have been checked."""
    kinds = [square.kind for square in rules.squares.values()]
    key = kinds.index("key")
    edges = _edges(rules)
    distance = _farness(edges, key, count=False)
    steps = _farness(edges, key, count=True)
    for square, ways in enumerate(edges):
        if square != key:
            best = min(ways, key=lambda way: way[1] + distance[way[0]])
            ways.remove(best)
            ways.insert(0, best)
    return Board(
        starts=[square for square, kind in enumerate(kinds) if kind == "start"],
        encounters=[square for square, kind in enumerate(kinds) if kind in ("encounter", "key")],
        key=key,
        edges=edges,
        distance=[distance[square] for square in range(len(kinds))],
        steps=[steps[square] for square in range(len(kinds))],
    )


def _board_problems(rules: Rules) -> Found:
    """Squares, paths, and Add Location cards."""
    squares = list(rules.squares)
    kinds = [square.kind for square in rules.squares.values()]
    if len(squares) > MAX_SQUARES:
        yield ("squares",), f"{len(squares)} squares; at most {MAX_SQUARES} fit"
    starts = kinds.count("start")
    if starts != MAX_SEATS:
        yield ("squares",), f"{starts} starts; a board has {MAX_SEATS}"
    encounters = kinds.count("encounter") + kinds.count("key")
    if encounters > MAX_ENCOUNTERS:
        yield ("squares",), f"{encounters} encounter squares; at most {MAX_ENCOUNTERS} fit"
    keys = [name for name, kind in zip(squares, kinds, strict=True) if kind == "key"]
    if not keys:
        yield ("squares",), "no square is the key; one square must have the kind key"
    for name in keys[1:]:
        yield (f"squares.{name}.kind",), f"a second key; the first one is {keys[0]}"
    if keys and "encounter" in kinds[kinds.index("key") :]:
        text = "an encounter stands below the key in the list; the key has the highest number"
        yield (f"squares.{keys[0]}.kind",), text

    broken = False
    seen: dict[frozenset[str], str] = {}
    for name, path in rules.paths.items():
        ends = frozenset((path.one, path.other))
        for column, square in (("from", path.one), ("to", path.other)):
            if square not in rules.squares:
                broken = True
                text = f"unknown square {show(square)}{nearest(square, squares)}"
                yield (f"paths.{name}.{column}",), f"{text}; known squares: {choices(squares)}"
        if path.one == path.other:
            broken = True
            yield (f"paths.{name}.to",), f"a path from {path.one} to itself"
        elif ends in seen:
            broken = True
            text = f"{path.one} and {path.other} are joined by {seen[ends]} already"
            yield (f"paths.{name}.to",), text
        seen.setdefault(ends, name)
    edges = _edges(rules)
    for name, ways in zip(squares, edges, strict=True):
        if len(ways) > MAX_EDGES:
            yield (f"squares.{name}.kind",), f"{len(ways)} paths meet here; at most {MAX_EDGES} can"
    if len(keys) == 1 and not broken:
        joined = _farness(edges, squares.index(keys[0]), count=True)
        lost = [name for number, name in enumerate(squares) if number not in joined]
        if lost:
            text = f"no way leads from here to the key {keys[0]}"
            more = f"; nor from {choices(lost[1:])}" if lost[1:] else ""
            yield (f"squares.{lost[0]}.kind",), text + more

    taken: dict[int, str] = {}
    for name, card in rules.add_locations.items():
        if card.encounter > encounters:
            text = (
                f"{card.encounter} is not allowed; allowed: a whole number from 1 to {encounters}"
            )
            yield (f"add_locations.{name}.encounter",), text
        elif card.encounter in taken:
            text = f"{taken[card.encounter]} puts a location on this square already"
            yield (f"add_locations.{name}.encounter",), text
        taken.setdefault(card.encounter, name)
        if card.place > rules.solo.visible:
            text = f"place {card.place} of a row of {rules.solo.visible}"
            yield (f"add_locations.{name}.place", "solo.visible"), text


# --- tables --------------------------------------------------------------------------------------

HANDICAPS: dict[str, str] = {
    "forbid_kinds": "per seat the adventure cards it may not buy: their names",
    "forbid_alignments": "per seat the alignments it may not buy: names, or one bit for each",
    "forbid_blocking": "per seat true or false: this seat may not buy locations and creatures",
    "void_hero": "per seat true or false: this seat's hero gives what every hero gives",
    "force_hero": 'per seat the hero it has: its name ("" for a free choice), or 1 + its number',
}


def load(
    folder: Path | str | None = None, patches: Mapping[str, Any] | None = None
) -> Content[Rules]:
    """Return the checked content: of a designer's folder, or the one we ship.

    Raises UserError with all problems, see `sim.content.load`.
    """
    return content.load(Rules, FOLDER if folder is None else folder, patches)


def kinds(rules: Rules) -> list[str]:
    """Return the names of the kinds of cards by their numbers.

    Starting cards, adventure cards, solo cards, events, each in the order of their list.
    """
    return [*rules.starting, *rules.adventure, *rules.solo_cards, *rules.events]


_BIGGER = 3  # creatures that may be bigger than "one of the biggest"


def constraints(rules: Rules) -> list[str]:
    """Return what the rulebook's examples print and these rules break.

    DB-T1, DB-T6, DB-T7, DB-T9, DB-T10, DB-T12, DB-T13, and what it says of single cards. What an
    example needs and these rules do not have (its cards under other names) is not judged.
    """
    return [*_broken_points(rules), *_broken_challenges(rules), *_broken_board(rules)]


def _sum_of(rules: Rules, hero: str, *cards: str) -> list[int] | None:
    """Return what a hero and cards give together, None where one of them is not in the rules."""
    known = {**rules.starting, **rules.adventure}
    if hero not in rules.heroes or any(card not in known for card in cards):
        return None
    gains = [_base(rules), list(_gains(rules.heroes[hero].gives))]
    gains += [list(_split(known[card].gives)[0]) for card in cards]
    return [int(number) for number in np.sum(gains, axis=0)]


def _broken_points(rules: Rules) -> Iterator[str]:
    hand = ("silver_sword", "helpful", "strength", "bottle_cap", "bottle_cap", "bottle_cap")
    found = _sum_of(rules, "toby", *hand)
    if found is not None and found[Gain.INFLUENCE] != 6:
        yield f"Acquiring, Example A: {found[Gain.INFLUENCE]} influence, printed are 6"
    found = _sum_of(rules, "toby", "traveling_kit", "silver_sword", "iron_bark")
    if found is not None:
        points = tuple(found[gain] for gain in (Gain.BLUE, Gain.RED, Gain.GOLD))
        if points != (1, 4, 3):
            yield f"Travel: {points} blue, red and gold points of Toby, printed are (1, 4, 3)"
    both = _sum_of(rules, "toby", "helpful", "strength")
    alone = _sum_of(rules, "toby")
    if both is not None and alone is not None:
        more = sum(both[gain] - alone[gain] for gain in (Gain.RED, Gain.GOLD))
        if more != 2:
            yield f"Resolving a Challenge: Strength and Helpful give {more} points, printed are 2"


def _broken_challenges(rules: Rules) -> Iterator[str]:
    for name, location in rules.locations.items():
        if location.reduced >= location.points:
            text = f"{location.reduced} points with its item and {location.points} without"
            yield f"Location Advantage From Items: {name} asks for {text}"
    golem = rules.creatures.get("tree_golem")
    if golem is not None:
        bigger = sum(creature.points > golem.points for creature in rules.creatures.values())
        if bigger > _BIGGER:
            yield f"Resolving a Challenge: {bigger} creatures are bigger than one of the biggest"


def _broken_board(rules: Rules) -> Iterator[str]:
    places = board(rules)
    firsts = {number for start in places.starts for _, number in places.edges[start]}
    if 2 not in firsts:
        yield f"Travel, Example A: no start has the number 2 ahead, but {sorted(firsts)}"
    before = {
        number for ways in places.edges for square, number in ways if square in places.encounters
    }
    if 3 not in before:
        yield f"Resolving a Challenge: no stack has the number 3 before it, but {sorted(before)}"
    if 4 not in {number for ways in places.edges for _, number in ways}:
        yield "Token Modifiers: no travel number is 4"


# cards that the rulebook's examples or its text say something of
_EXAMPLES = (
    *("silver", "cull", "helpful", "hearty_mushroom", "rot"),
    *("silver_sword", "bow_and_arrow", "iron_bark", "traveling_cloak", "silver_shield"),
)
_PLENTY = 9  # influence that a hero can have at most: enough for any card that ships


def cards(rules: Rules) -> tuple[Card, ...]:
    """Return the adventure cards, one of each kind that the deck holds."""
    first = len(rules.starting)
    return tuple(
        Card(
            name,
            first + place,
            card.count,
            (("type", card.type), ("alignment", card.alignment), ("cost", str(card.cost))),
        )
        for place, (name, card) in enumerate(rules.adventure.items())
        if card.count
    )


def example_cards(rules: Rules) -> tuple[str, ...]:
    """Return the cards of the rulebook's examples that these rules have."""
    return tuple(name for name in _EXAMPLES if name in rules.adventure)


def rich_players(rules: Rules) -> dict[str, Any]:
    """Return changes with which every player can pay for nearly any card in every turn."""
    return {"hero.influence": _PLENTY}


def cheap_cards(rules: Rules) -> dict[str, Any]:
    """Return changes with which every adventure card costs 1 at most."""
    return {f"adventure.{name}.cost": 1 for name, card in rules.adventure.items() if card.cost > 1}


def _item_text(usual: str, text: str) -> str:
    return text if text.strip() else usual


def _location_texts(rules: Rules) -> list[dict[str, str]]:
    """Return the texts of each location, by the name of their field in the tables."""
    return [
        {
            "location_victory": location.victory,
            "location_results": location.results,
            "location_tan": location.tan,
            "location_defeat": location.defeat,
            "location_item_results": _item_text(location.results, location.item_results),
            "location_item_defeat": _item_text(location.defeat, location.item_defeat),
        }
        for location in rules.locations.values()
    ]


def _kind_texts(rules: Rules) -> list[tuple[tuple[Way, ...], tuple[Way, ...]]]:
    """Return for each kind of card what comes after its gains, and its destroy ability."""
    cards = (*rules.starting.values(), *rules.adventure.values())
    specials: tuple[SoloCard | EventCard, ...] = (
        *rules.solo_cards.values(),
        *rules.events.values(),
    )
    return [
        *((_split(card.gives)[1], read_text(card.destroy)) for card in cards),
        *((read_text(special.text), ()) for special in specials),
    ]


def _texts(rules: Rules) -> dict[tuple[Way, ...], int]:
    """Return the number of each text that some card has; 0 is the empty one."""
    texts: dict[tuple[Way, ...], int] = {(): 0}
    for pair in _kind_texts(rules):
        for ways in pair:
            texts.setdefault(ways, len(texts))
    for row in _location_texts(rules):
        for text in row.values():
            texts.setdefault(read_text(text), len(texts))
    return texts


def _kind_bits(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return a bit for each kind that is named, KIND_BITS a word."""
    words = [0] * KIND_WORDS
    for name in set(wanted) - {NONE}:
        kind = names.index(name)
        words[kind // KIND_BITS] |= 1 << kind % KIND_BITS
    return words


def _bits(words: str, known: Sequence[str]) -> int:
    return sum(1 << known.index(word) for word in set(words.split()) if word in known)


def tables(rules: Rules, players: int, handicaps: Mapping[str, Any] | None = None) -> np.ndarray:
    """Return what the kernel reads: shape (1,), dtype TABLES. One player plays the solo game.

    handicaps: name (see HANDICAPS) to one value per seat, for measuring what a thing is worth.
    Raises UserError for a number of players the game does not have and for wrong handicaps.
    """
    least, most = rules.players.least, rules.players.most
    allowed = (1, *range(least, most + 1))
    if players not in allowed:
        raise UserError(f"{counted(players, 'player')}; allowed: {', '.join(map(str, allowed))}")
    out = np.zeros(1, TABLES)
    row = out[0]
    row["players"] = players
    _fill_variants(row, rules, players)
    texts = _texts(rules)
    for ways, number in texts.items():
        row["text_ways"][number] = max(1, len(ways))
        for way, phrases in enumerate(ways):
            for index, (op, amount) in enumerate(phrases):
                row["text_op"][number, way, index] = op
                row["text_amount"][number, way, index] = amount
    _fill_cards(row, rules, texts)
    _fill_challenges(row, rules, texts)
    _fill_board(row, rules)
    _fill_names(row, rules)
    names = kinds(rules)
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
            row[name][seat] = _handicap(name, value, rules, names)
    row["forbids"] = row["forbid_kinds"].any(axis=1) | (row["forbid_alignments"] != 0)
    return out


def _fill_variants(row: np.void, rules: Rules, players: int) -> None:
    switches, setup, solo = rules.switches, rules.setup, rules.solo
    alone, two = players == 1, players == 2
    row["solo"] = alone
    row["duel"] = switches.duel and not alone
    if two and switches.two_player_a:
        row["start_locations"] = rules.two_player.locations
    if two and switches.two_player_b:
        row["start_silver"] = 1 + kinds(rules).index(rules.two_player.replacement)
    row["start_replaced"] = kinds(rules).index(rules.two_player.replaced)
    row["tan_boxes"] = switches.tan_boxes
    row["events"] = switches.events and not alone
    if alone:
        row["removal"] = 2 if solo.removal == "cost" else 1
    row["results_first"] = switches.text_order == "results_first"
    row["results_after_defeat"] = switches.results_after_defeat
    row["points_lost"] = switches.points_lost_on_defeat
    row["play_after_reveal"] = switches.play_after_reveal
    row["capacity_with_creature"] = switches.capacity_counts_creature
    row["outwit_influence"] = ("none", "base", "all").index(switches.outwit_influence)
    row["random_start"] = switches.start_order == "random"
    row["turn_cap"] = rules.stall.turn_cap
    opening = {
        1: (setup.opening_solo,),
        2: setup.opening_two,
        3: setup.opening_three,
        4: setup.opening_four,
    }[players]
    row["opening"][:players] = opening
    row["draw"] = setup.draw
    row["row_size"] = setup.row
    row["locations_visible"] = solo.visible if alone else setup.locations_visible
    row["creatures_visible"] = solo.visible if alone else setup.creatures_visible
    row["bands"] = solo.bands
    row["plain_hero"] = _base(rules)


def _base(rules: Rules) -> list[int]:
    out = [0] * GAINS
    out[Gain.INFLUENCE] = rules.hero.influence
    out[Gain.RED] = rules.hero.red
    return out


def _fill_cards(row: np.void, rules: Rules, texts: Mapping[tuple[Way, ...], int]) -> None:
    """Fill in kinds of cards, the cards, heroes and tokens."""
    starting, adventure = list(rules.starting.values()), list(rules.adventure.values())
    solo, events = list(rules.solo_cards.values()), list(rules.events.values())
    names, keywords = kinds(rules), _keywords(rules)
    row["kinds"] = len(names)
    for kind, (text, destroyed) in enumerate(_kind_texts(rules)):
        row["text"][kind] = texts[text]
        row["destroy_text"][kind] = texts[destroyed]
    for kind, card in enumerate((*starting, *adventure)):
        row["type"][kind] = Type[card.type.upper()]
        row["cost"][kind] = card.cost if isinstance(card, AdventureCard) else 0
        row["alignment"][kind] = Alignment[card.alignment.upper()]
        row["keywords"][kind] = _bits(card.keywords, keywords)
        row["icon"][kind] = Icon[card.icon.upper()]
        row["gain"][kind] = _split(card.gives)[0]
        row["bonus"][kind] = _gains(card.bonus)
        row["has_bonus"][kind] = any(_gains(card.bonus))
        row["forge"][kind] = _gains(card.forge)
        row["can_forge"][kind] = any(_gains(card.forge))
        row["outwits"][kind] = any(
            op == Op.OUTWIT for way in read_text(card.gives) for op, _ in way
        )
    first_solo = len(starting) + len(adventure)
    row["type"][first_solo : first_solo + len(solo)] = Type.SOLO
    first_event = first_solo + len(solo)
    for kind, event in enumerate(events, start=first_event):
        row["type"][kind] = Type.EVENT
        row["scope"][kind] = Scope[event.scope.upper()]
    row["facts"] = (
        row["type"] << Fact.TYPE
        | row["alignment"] << Fact.ALIGNMENT
        | row["has_bonus"] << Fact.BONUS
        | row["can_forge"] << Fact.FORGE
        | (row["text"] != 0) * (1 << Fact.TEXT)
        | row["outwits"] << Fact.OUTWITS
        | (row["destroy_text"] != 0) * (1 << Fact.BURNS)
        | (row["gain"][:, Gain.DRAW] != 0) * (1 << Fact.DRAWS)
    )

    def copies(cards: Sequence[StartingCard | SoloCard], kind: int) -> list[int]:
        return [kind + i for i, card in enumerate(cards) for _ in range(card.count)]

    deck = copies(starting, 0)
    for seat in range(MAX_SEATS):
        row["card_kind"][STARTERS * seat : STARTERS * seat + len(deck)] = deck
    row["starting_cards"] = len(deck)
    for field, first, cards in (
        ("adventure_cards", FIRST_ADVENTURE, copies(adventure, len(starting))),
        ("solo_cards", FIRST_SOLO, copies(solo, first_solo)),
        ("event_cards", FIRST_EVENT, [first_event + i for i in range(len(events))]),
    ):
        row["card_kind"][first : first + len(cards)] = cards
        row[field] = len(cards)
    facts = row["facts"][row["card_kind"]]
    row["card_facts"] = facts
    effects = facts >> Fact.TYPE & 7 == Type.EFFECT
    asking = facts & (1 << Fact.TEXT | 1 << Fact.OUTWITS)
    row["marks"] = (
        ~effects * (1 << Mark.GEAR)
        | (effects & (asking == 1 << Fact.TEXT)) * (1 << Mark.ASKS)
        | (effects & (asking == 0)) * (1 << Mark.PLAIN)
    )
    packed = row["gain"][:, : Gain.DRAW] << SUM_BITS * np.arange(Gain.DRAW)
    row["card_gains"] = packed.sum(axis=1)[row["card_kind"]]
    dealt = rules.experiment.first_card
    row["first_card"] = 0 if dealt == NONE else 1 + names.index(dealt)
    row["left_out"] = _kind_bits(_left_out(rules), names)

    row["heroes"] = len(rules.heroes)
    for number, hero in enumerate(rules.heroes.values()):
        row["hero_gain"][number] = np.add(_base(rules), _gains(hero.gives))
        row["hero_alternate"][number] = _gains(hero.alternate)
    row["token_kinds"] = len(rules.tokens)
    hinders = {
        "none": 0,
        "travel": Hinder.TRAVEL,
        "challenge": Hinder.CHALLENGE,
        "both": Hinder.TRAVEL | Hinder.CHALLENGE,
    }
    for number, token in enumerate(rules.tokens.values()):
        row["token_count"][number] = token.count
        row["token_gain"][number] = _gains(token.gives)
        row["token_hinders"][number] = hinders[token.hinders]
        row["token_amount"][number] = token.amount
        row["hindering"] |= (token.hinders != "none") << number
    for unpacked, field in _PACKED_GAINS.items():
        row[field] = (row[unpacked] << GAIN_BITS * np.arange(GAINS)).sum(axis=1)


def _fill_challenges(row: np.void, rules: Rules, texts: Mapping[tuple[Way, ...], int]) -> None:
    row["locations"] = len(rules.locations)
    pairs = zip(rules.locations.values(), _location_texts(rules), strict=True)
    for number, (location, says) in enumerate(pairs):
        row["location_cost"][number] = location.cost
        row["location_icon"][number] = Icon[location.icon.upper()]
        row["location_points"][number] = location.points
        row["location_reduced"][number] = location.reduced
        row["location_capacity"][number] = location.capacity
        for field, text in says.items():
            row[field][number] = texts[read_text(text)]
    _fill_fronts(row, rules)
    keywords = _keywords(rules)
    row["creatures"] = len(rules.creatures)
    for number, creature in enumerate(rules.creatures.values()):
        row["creature_cost"][number] = creature.cost
        row["creature_points"][number] = creature.points
        row["creature_alignment"][number] = Alignment[creature.alignment.upper()]
        row["creature_bonus"][number] = creature.bonus
        row["creature_immune_keywords"][number] = _bits(creature.immune, keywords)
        row["creature_immune_types"][number] = _bits(creature.immune, SLOT_NAMES)


_PACKED_GAINS = {
    "gain": "gains",
    "bonus": "bonuses",
    "forge": "forges",
    "hero_gain": "hero_gains",
    "hero_alternate": "hero_alternates",
    "token_gain": "token_gains",
}


def _fill_fronts(row: np.void, rules: Rules) -> None:
    """Fill in what fronts let expect, in twelfths of a point: means over all that look alike."""
    fronts: dict[tuple[Any, ...], list[Location]] = {}
    for location in rules.locations.values():
        key = location.cost, location.icon, location.capacity
        fronts.setdefault(key, []).append(location)
    for number, location in enumerate(rules.locations.values()):
        alike = fronts[location.cost, location.icon, location.capacity]
        row["location_front"][number] = _twelfths([one.points for one in alike])
        row["location_front_reduced"][number] = _twelfths([one.reduced for one in alike])
    creatures = list(rules.creatures.values())
    for number, creature in enumerate(creatures):
        alike_points = [one.points for one in creatures if one.cost == creature.cost]
        row["creature_front"][number] = _twelfths(alike_points)
    cards = [card for card in rules.adventure.values() for _ in range(card.count)]
    for slot, name in enumerate(SLOT_NAMES):
        gains = [_split(card.gives)[0] for card in cards if card.type == name]
        row["gear_front"][slot] = _twelfths([gain[Gain.RED] + gain[Gain.GOLD] for gain in gains])


def _twelfths(points: Sequence[int]) -> int:
    return round(12 * sum(points) / len(points)) if points else 0


def pack_numbers(row: Any) -> None:
    """Pack the travel numbers of each square as prices are; where there is no edge none is low."""
    numbers = np.full((MAX_SQUARES, MAX_ROW), NO_PRICE)
    edges = row["edge_to"] != 0
    numbers[:, :MAX_EDGES][edges] = row["edge_number"][edges]
    row["edge_numbers"] = (numbers << PRICE_BITS * np.arange(MAX_ROW)).sum(axis=1)


def _fill_board(row: np.void, rules: Rules) -> None:
    places = board(rules)
    row["squares"] = len(rules.squares)
    for square, ways in enumerate(places.edges):
        for edge, (other, number) in enumerate(ways):
            row["edge_to"][square, edge] = 1 + other
            row["edge_number"][square, edge] = number
    pack_numbers(row)
    row["encounters"] = len(places.encounters)
    for encounter, square in enumerate(places.encounters):
        row["encounter"][square] = 1 + encounter
        row["encounter_square"][encounter] = square
    row["starts"] = len(places.starts)
    row["start_square"] = places.starts
    row["key_square"] = places.key
    row["distance"][: len(places.distance)] = places.distance
    row["steps"][: len(places.steps)] = places.steps
    for square, distance in enumerate(places.distance):
        for encounter, other in enumerate(places.encounters):
            row["nearer"][square] |= (places.distance[other] < distance) << encounter
        for edge, (other, _) in enumerate(places.edges[square]):
            row["onward"][square] |= (places.distance[other] < distance) << edge
    row["add_locations"] = len(rules.add_locations)
    for number, card in enumerate(rules.add_locations.values()):
        row["add_place"][number] = card.place - 1
        row["add_encounter"][number] = card.encounter - 1
        row["add_start"][number] = LETTERS.index(card.start)


def _fill_names(row: np.void, rules: Rules) -> None:
    """Fill in names as ASCII bytes, cut to what the fields hold."""
    for field, names in (
        ("kind_name", kinds(rules)),
        ("hero_name", rules.heroes),
        ("location_name", rules.locations),
        ("creature_name", rules.creatures),
        ("token_name", rules.tokens),
        ("square_name", rules.squares),
        ("keyword_name", _keywords(rules)),
    ):
        for number, name in enumerate(names):
            size = row[field][number].nbytes
            letters = name.encode("ascii")[:size].ljust(size, b"\0")
            row[field][number] = np.frombuffer(letters, np.dtype("<i8"))


def _handicap(name: str, value: Any, rules: Rules, names: Sequence[str]) -> int | list[int]:
    """Return a handicap of one seat as the kernel reads it."""
    number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if name == "forbid_alignments" and not number:
        return _alignment_mask(name, value)
    if name == "forbid_kinds":
        return _forbidden(name, value, list(rules.adventure), names)
    if name == "force_hero":
        known = list(rules.heroes)
        if isinstance(value, str):
            if value in ("", NONE):
                return 0
            if value not in known:
                raise UserError(f"handicap {name}: unknown hero {value!r}{nearest(value, known)}")
            return 1 + known.index(value)
        allowed = f"a name, or a whole number from 0 to {len(known)}"
        if not number or not 0 <= value <= len(known):
            raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: {allowed}")
        return int(value)
    high = (1 << len(Alignment)) - 1 if name == "forbid_alignments" else 1
    allowed = "names of alignments, or one bit for each" if high > 1 else "true, false"
    if value not in range(high + 1):
        raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: {allowed}")
    return int(value)


def _forbidden(name: str, value: Any, cards: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return one bit for each adventure card that is named."""
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, Sequence):
        raise UserError(f"handicap {name}: {value!r} is no list of cards")
    for card in value:
        if card not in (*cards, NONE):
            raise UserError(f"handicap {name}: unknown card {card!r}{nearest(str(card), cards)}")
    return _kind_bits(value, names)


def _alignment_mask(name: str, value: Any) -> int:
    """Return one bit for each alignment that is named."""
    known = [alignment.name.lower() for alignment in Alignment]
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, Sequence):
        text = f"{value!r} is no list; known alignments: {choices(known)}"
        raise UserError(f"handicap {name}: {text}")
    mask = 0
    for word in words:
        if word not in known:
            hint = f"{nearest(word, known)}; known alignments: {choices(known)}"
            raise UserError(f"handicap {name}: unknown alignment {word!r}{hint}")
        mask |= 1 << known.index(word)
    return mask
