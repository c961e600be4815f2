"""The numbers of Wizard Miners: the model they must fit, and the tables the kernel reads.

The numbers are in the files beside this one. Limits below are what the kernel can hold (cards of
a kind are counted in bytes, choices are bits of a word, sums of two dice index a table), not
numbers of the game.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import content
from sim.content import Content, Entry, Model
from sim.errors import UserError, choices, nearest
from sim.rulefiles import ALTERNATIVES
from sim.wizard_miners.state import (
    ENTIRE_PILE,
    GEM_KINDS,
    LEVELS,
    MAX_SEATS,
    NEVER,
    NUMBERS,
    TABLES,
    TOOLS,
    Spell,
    Tool,
)
from sim.wording import counted

FOLDER = Path(__file__).parent

Count = Annotated[int, Field(ge=0, le=127)]  # fits a byte of a packed word
Price = Annotated[int, Field(ge=0, le=99)]
Few = Annotated[int, Field(ge=0, le=9)]
Rolls = Annotated[int, Field(ge=1, le=7)]
Number = Annotated[int, Field(ge=2, le=NUMBERS - 1)]
Sides = Annotated[int, Field(ge=2, le=20)]
Fallen = Annotated[int, Field(ge=0, le=ENTIRE_PILE - 1)] | Literal["all"]
Numbers = Annotated[tuple[Number, ...], Field(max_length=8)]
ToolName = Literal["chisel", "hammer", "pick", "shovel", "drill"]


class Players(Model):
    """How many can play."""

    least: Annotated[int, Field(ge=2, le=MAX_SEATS)]
    """fewest players"""
    most: Annotated[int, Field(ge=2, le=MAX_SEATS)]
    """most players"""


class Dice(Model):
    """The two dice of a roll."""

    sides: Annotated[int, Field(ge=2, le=8)]
    """sides of each of the two mining dice"""


class Wizards(Model):
    """The four wizard cards, in order."""

    numbers: tuple[Number, Number, Number, Number]
    """mining number of each wizard"""
    gems: tuple[Price, Price, Price, Price]
    """starting gems of each wizard"""


class Mine(Model):
    """One player's deck of mine cards."""

    cards: Annotated[int, Field(ge=1, le=127)]
    """mine cards of each player"""
    cards_above: Count
    """mine cards above the cave-in card"""
    gem_cards: dict[Literal["1", "2", "3", "4", "5", "6", "7"], Count]
    """mine cards that show so many gems; the rest show none"""


class ToolCards(Model):
    """The three cards of a tool: basic, big, great."""

    numbers: tuple[Numbers, Numbers, Numbers]
    """numbers on the basic, big and great card"""
    cost: tuple[Price, Price, Price]
    """gems for the basic, big and great card"""
    bonus: Count
    """extra cards of the great tool for a digger who took no action"""


class Tools(Model):
    """The store."""

    chisel: ToolCards
    hammer: ToolCards
    pick: ToolCards
    shovel: ToolCards
    drill: ToolCards
    types: Annotated[int, Field(ge=0, le=TOOLS)]
    """tools of different types a player may own"""
    supply: Price
    """cards of each level of each tool"""


class Turn(Model):
    """Actions in a turn."""

    actions_digging: Few
    """actions of a player who declares digging"""
    actions_not_digging: Few
    """actions of a player who declares not digging"""


class Dynamite(Model):
    """Dynamite."""

    supply: Price
    """pieces in the game"""
    cost: Price
    """gems for one piece"""
    per_action: Few
    """most pieces in one purchase"""


class CleanUp(Model):
    """Removing rubble for gems."""

    cost: Price
    """gems for one card"""
    most: Annotated[int, Field(ge=0, le=50)]
    """most cards in one action"""


class Chart(Model):
    """The chart on the cave-in card."""

    below_1: Fallen
    """rubble cards that fall when the modified roll is below 1"""
    roll_1: Fallen
    """rubble cards that fall on a modified roll of 1"""
    roll_2: Fallen
    """rubble cards that fall on a modified roll of 2"""
    roll_3: Fallen
    """rubble cards that fall on a modified roll of 3"""
    roll_4: Fallen
    """rubble cards that fall on a modified roll of 4"""
    roll_5: Fallen
    """rubble cards that fall on a modified roll of 5"""
    roll_6: Fallen
    """rubble cards that fall on a modified roll of 6"""
    roll_7_or_more: Fallen
    """rubble cards that fall on a modified roll of 7 or more"""

    def rows(self) -> list[tuple[str, int]]:
        """Return (name, cards) from the lowest row up; the entire pile is ENTIRE_PILE."""
        values = ((name, getattr(self, name)) for name in type(self).model_fields)
        return [(name, ENTIRE_PILE if cards == "all" else cards) for name, cards in values]


class CaveIn(Model):
    """Cave-ins."""

    die_faces: Annotated[int, Field(ge=0, le=20)]
    """faces of the third die that show CAVE-IN"""
    die_sides: Sides
    """sides of the die with the CAVE-IN faces"""
    roll_sides: Sides
    """sides of the die of a cave-in roll"""
    chart: Chart


class Hand(Model):
    """Getting and holding spells."""

    starting: Few
    """spells each player starts with"""
    free: Few
    """spells the active player takes at the end of the turn"""
    extra_cost: Price
    """gems for one more spell"""
    limit: Annotated[int, Field(ge=0, le=127)]
    """spells a hand may hold at the end of the own turn"""


class Card(Model):
    """A spell without numbers of its own."""

    count: Count
    """cards in the spell deck"""


class Sized(Card):
    """A spell with a size."""

    amount: Count
    """cards mined, lost or added by the spell; for Shore Up what it takes off the roll"""


class Timed(Card):
    """A spell with a duration."""

    rolls: Rolls
    """rolls of the dice the spell lasts"""


class SizedTimed(Sized):
    """A spell with a size and a duration."""

    rolls: Rolls
    """rolls of the dice the spell lasts"""


class Spells(Model):
    """The spell deck."""

    blast: Sized
    big_blast: Sized
    wizard_drill: SizedTimed
    magic_aura: SizedTimed
    shore_up: Sized
    broken_tool: Card
    cave_in: Sized
    knocked_out: Timed
    out_for_repair: Timed
    hard_rock: SizedTimed
    negate: Card
    redirect: Card
    reflect: Card
    tool_saved: Card


class Stall(Model):
    """The end of a game that does not end."""

    roll_cap: Annotated[int, Field(ge=1, le=4000)]
    """rolls after which a game ends without a winner"""


class Switches(Model):
    """Readings of the rules, and parts that can be left out."""

    spells: bool
    """play with spells"""
    dynamite: bool
    """play with dynamite"""
    cave_in_reveal: Literal["exposed", "hit"]
    """turn the cave-in card up when it becomes the top card, or when it is hit (W-4)"""
    start_order: Literal["seat_1", "random"]
    """who starts"""
    wizard_assignment: Literal["in_order", "random"]
    """who gets which wizard"""
    gem_profile: str
    """which gems the mine cards show"""
    tool_table: str
    """which numbers the tool cards show"""


class Example(Model):
    """A worked example of the rulebook that tells something about tool cards."""

    levels: dict[ToolName, Annotated[int, Field(ge=1, le=LEVELS)]]
    """tools, each with all cards up to this level"""
    number: Number
    """the number rolled"""
    times: Count
    """how often those cards show it"""


class Rules(Model):
    """All numbers of Wizard Miners."""

    GAME: ClassVar[str] = "wizard_miners"
    FILES: ClassVar[tuple[str, ...]] = (*Model.FILES, ALTERNATIVES, "spells.csv")

    players: Players
    dice: Dice
    wizards: Wizards
    mine: Mine
    tools: Tools
    turn: Turn
    dynamite: Dynamite
    clean_up: CleanUp
    cave_in: CaveIn
    hand: Hand
    spells: Spells
    stall: Stall
    switches: Switches
    examples: dict[Literal["c1", "c2", "c3", "c4", "c5"], Example]

    def problems(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield the combinations that no game can be played with."""
        if self.players.least > self.players.most:
            text = (
                f"at least {counted(self.players.least, 'player')} and at most {self.players.most}"
            )
            yield ("players.least", "players.most"), text
        mine = self.mine
        if mine.cards_above > mine.cards:
            above = counted(mine.cards_above, "card")
            text = f"{above} above the cave-in card; a mine has {mine.cards}"
            yield ("mine.cards_above", "mine.cards"), text
        with_gems = sum(mine.gem_cards.values())
        if with_gems > mine.cards:
            text = (
                f"{counted(with_gems, 'card')} show gems; a mine has {counted(mine.cards, 'card')}"
            )
            yield ("mine.gem_cards", "mine.cards"), text
        cave_in = self.cave_in
        if cave_in.die_faces > cave_in.die_sides:
            text = f"{cave_in.die_faces} CAVE-IN faces on a die with {cave_in.die_sides} sides"
            yield ("cave_in.die_faces", "cave_in.die_sides"), text
        rows = cave_in.chart.rows()
        for (low, less), (high, more) in itertools.pairwise(rows):
            if less > more:
                keys = (f"cave_in.chart.{high}", f"cave_in.chart.{low}")
                text = f"fewer cards fall in {high} than in {low}; the chart must not go down"
                yield keys, text
        total = sum(_spell_counts(self))
        if total > ENTIRE_PILE:
            text = f"{total} spell cards; the deck can hold {ENTIRE_PILE}"
            yield ("spells",), text


HANDICAPS: dict[str, str] = {
    "forbid_dynamite": "per seat true or false: this seat may not buy dynamite",
    "forbid_spells": "per seat true or false: this seat may neither cast nor defend nor buy",
    "forbid_tools": "per seat the tools it may not buy: names, or one bit for each",
    "void_cave_in": "per seat 0, or k: its k-th cave-in roll does nothing; -1: none does",
}


def load(
    folder: Path | str | None = None, patches: Mapping[str, Any] | None = None
) -> Content[Rules]:
    """Return the checked content: of a designer's folder, or the one we ship.

    Raises UserError with all problems, see `sim.content.load`.
    """
    return content.load(Rules, FOLDER if folder is None else folder, patches)


def _spell_counts(rules: Rules) -> list[int]:
    return [getattr(rules.spells, spell.name.lower()).count for spell in Spell]


def _tool_cards(rules: Rules) -> list[ToolCards]:
    return [getattr(rules.tools, tool.name.lower()) for tool in Tool]


def constraints(rules: Rules) -> list[str]:
    """Return what the rulebook prints about tools and the cave-in chart and these rules break.

    The worked examples (c1 to c5 in `examples`), and every printed price, bonus and chart row.
    Patches may break them; a study of robustness keeps to what breaks none.
    """
    broken = []
    for name, example in rules.examples.items():
        times = sum(
            card.count(example.number)
            for tool, level in example.levels.items()
            for card in getattr(rules.tools, tool).numbers[:level]
        )
        if times != example.times:
            cards = ", ".join(f"{tool} to level {k}" for tool, k in example.levels.items())
            broken.append(f"{name}: {cards}: {example.number} {times} times, not {example.times}")
    values = rules.model_dump()
    for entry in _printed():
        value: Any = values
        for part in entry.key.split("."):
            value = value[int(part) if isinstance(value, tuple) else part]
        if value != entry.value:
            broken.append(f"{entry.key}: {value}, printed {entry.value} ({entry.section})")
    return broken


@functools.cache
def _printed() -> tuple[Entry, ...]:
    """Return what the rulebook prints about single tools and about the chart."""
    groups = ("cave_in.chart.", *(f"tools.{tool.name.lower()}." for tool in Tool))
    return tuple(
        entry
        for entry in load().entries
        if entry.source == "rulebook" and entry.key.startswith(groups)
    )


def pack(counts: Iterable[int]) -> int:
    """Return counts of at most eight kinds as one word, the first kind in the lowest byte."""
    return sum(count << (8 * kind) for kind, count in enumerate(counts))


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

    switches = rules.switches
    row["spells_on"] = switches.spells
    row["dynamite_on"] = switches.dynamite
    row["reveal_on_hit"] = switches.cave_in_reveal == "hit"
    row["random_start"] = switches.start_order == "random"
    row["random_wizards"] = switches.wizard_assignment == "random"
    row["roll_cap"] = rules.stall.roll_cap

    row["wizard_number"] = rules.wizards.numbers
    row["starting_gems"] = rules.wizards.gems
    row["deck_size"] = rules.mine.cards
    row["cards_above"] = rules.mine.cards_above
    gem_cards = {int(gems): cards for gems, cards in rules.mine.gem_cards.items()}
    with_gems = [gem_cards.get(gems, 0) for gems in range(1, GEM_KINDS)]
    row["gem_cards"] = pack([rules.mine.cards - sum(with_gems), *with_gems])
    row["gem_value"] = range(GEM_KINDS)

    row["dice_sides"] = rules.dice.sides
    row["cave_in_die_faces"] = rules.cave_in.die_faces
    row["cave_in_die_sides"] = rules.cave_in.die_sides
    row["cave_in_roll_sides"] = rules.cave_in.roll_sides
    row["chart"] = [cards for _, cards in rules.cave_in.chart.rows()]

    hits = np.zeros((TOOLS, LEVELS, NUMBERS), np.int64)
    for tool, cards in enumerate(_tool_cards(rules)):
        row["tool_cost"][tool] = cards.cost
        row["next_cost"][tool] = [*cards.cost, NEVER]
        row["tool_bonus"][tool] = cards.bonus
        for level, numbers in enumerate(cards.numbers):
            hits[tool, level] = np.bincount(numbers, minlength=NUMBERS)
    row["card_hits"] = hits
    row["tool_hits"][:, 1:] = hits.cumsum(axis=1)
    row["tool_types"] = rules.tools.types
    row["tool_supply"] = rules.tools.supply
    row["dynamite_cost"] = rules.dynamite.cost
    row["dynamite_supply"] = rules.dynamite.supply
    row["dynamite_per_action"] = rules.dynamite.per_action
    row["clean_up_cost"] = rules.clean_up.cost
    row["clean_up_most"] = rules.clean_up.most
    row["actions_digging"] = rules.turn.actions_digging
    row["actions_not_digging"] = rules.turn.actions_not_digging

    row["starting_spells"] = rules.hand.starting
    row["free_spells"] = rules.hand.free
    row["extra_spell_cost"] = rules.hand.extra_cost
    row["hand_limit"] = rules.hand.limit
    for spell in Spell:
        card = getattr(rules.spells, spell.name.lower())
        row["spell_amount"][spell] = getattr(card, "amount", 0)
        row["spell_rolls"][spell] = getattr(card, "rolls", 0)
    counts = _spell_counts(rules)
    row["spell_deck"] = [pack(counts[:8]), pack(counts[8:])]
    row["spell_cards"] = sum(counts)

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
            row[name][seat] = _handicap(name, value)
    return out


def _handicap(name: str, value: Any) -> int:
    """Return a handicap of one seat as the kernel reads it."""
    if name == "forbid_tools" and not isinstance(value, int | np.integer):
        return _tool_mask(name, value)
    low, high, allowed = {
        "forbid_tools": (0, (1 << TOOLS) - 1, "names of tools, or one bit for each"),
        "void_cave_in": (-1, 127, "a whole number from -1 to 127"),
    }.get(name, (0, 1, "true, false"))
    if value not in range(low, high + 1):
        raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: {allowed}")
    return int(value)


def _tool_mask(name: str, value: Any) -> int:
    """Return one bit for each tool that is named."""
    known = [tool.name.lower() for tool in Tool]
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, Sequence):
        raise UserError(f"handicap {name}: {value!r} is no list; known tools: {choices(known)}")
    mask = 0
    for tool in names:
        if tool not in known:
            hint = f"{nearest(tool, known)}; known tools: {choices(known)}"
            raise UserError(f"handicap {name}: unknown tool {tool!r}{hint}")
        mask |= 1 << Tool[tool.upper()]
    return mask
