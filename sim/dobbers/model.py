"""The numbers of Dobbers: the model they must fit.

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

The texts in these lists are phrases; `words.py` has what they can say.

Unnamed adventure cards have their cost from a rule. It counts 1.5 for each influence, blue and
gold, 2 for each red, 1 for each card drawn or taken back and each boon, 1 less for each burden and
each card discarded, the better of two texts, three quarters of that for a bonus, and nothing for
what else a card can do. An effect costs the sum, equipment twice the sum, half rounded up, from 1
to 8.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.content import Model
from sim.dobbers import checks
from sim.dobbers.checks import Found
from sim.dobbers.state import (
    MAX_ADVENTURE,
    MAX_ENCOUNTERS,
    MAX_ROW,
    MAX_SEATS,
    MAX_SPECIAL,
    Alignment,
    Icon,
)
from sim.dobbers.words import (
    GIVES,
    NONE,
    Effect,
    Gains,
    TableText,
    Text,
    Words,
    only_gives,
)
from sim.errors import choices
from sim.tomlfile import show
from sim.wording import counted

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
        if not effect and not only_gives(self.gives):
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
        yield from checks.sizes(self)
        yield from checks.names(self)
        yield from checks.immunities(self)
        yield from checks.named_cards(self)
        yield from checks.board_problems(self)
