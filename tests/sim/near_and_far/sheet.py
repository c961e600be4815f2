"""A small game of Near and Far drawn by hand: every number of it stands in the test.

`Sheet` makes its own tables, so tests of rules do not depend on the content that ships: a map of
lettered spaces, four members, three treasures, a handful of mine cards. Rules are called one by
one, or the game is stepped from any point on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sim.decks import pack
from sim.game import load_game
from sim.near_and_far import content
from sim.near_and_far.mine import lay_card, lay_entrance
from sim.near_and_far.state import (
    FIRST_COMPANION,
    MINE_ENTRANCE,
    MINE_ROW,
    REWARDS,
    EndTrigger,
    Good,
    Place,
    Reward,
    Spell,
    Status,
    Step,
    Stream,
    Symbol,
    Tally,
)
from tests.contract import FIRST_DEAL, Session, bits
from tests.oracles import Luck

SEED = 1
PRINTED = {
    "new_threats": 1,
    "amber_mines": 1,
    "magic": 1,
    "new_general_store": 1,
    "heart_total": 1,
    "end_trigger": EndTrigger.EITHER,
    "finish_round": 1,
    "turn_cap": 400,
    "start_coins": 3,
    "tents": 14,
    "most_hearts": 13,
    "base_movement": 2,
    "most_birds": 3,
    "birds_per_visit": 1,
    "bird_food": 1,
    "reputation_low": -10,
    "reputation_high": 10,
    "quest_bonus": 2,
    "cross_hearts": 1,
    "camp_hearts": 3,
    "hut_magic": 1,
    "hut_gems": 1,
    "hut_gem_magic": 3,
    "teacher_magic": 1,
    "miner_coins": 1,
    "mine_camp_food": 1,
    "spells_drawn": 3,
    "camp_points": 1,
    "all_camps_points": 2,
    "unbought_points": -1,
    "store_coin": 1,
    "store_hearts": 2,
    "die_sides": 6,
    "magic_spaces": 14,
    "magic_icons": 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12,
    "magic_camps": 2,
    "town_space": 0,
    "no_camp": 1,
    "store_camps": 3,
    "set_treasures": 3,
    "set_points": 5,
    "amber_points": (5, 3),
    "magic_points": 2,
    "spell_points": 1,
    "expert_face": (0, 102, 3, 4, 5, 6),
}
SPELL_NUMBERS = {
    Spell.HASTE: {"spell_amount": 2},
    Spell.WIND_STORM: {"spell_amount": 2},
    Spell.DIVINATION: {"spell_amount": 2},
    Spell.SUMMON_IMP: {"spell_amount": 1, "spell_second": 2},
    Spell.REJUVENATION: {"spell_amount": 2, "spell_second": 1},
    Spell.TRANSMUTATION: {"spell_amount": 2, "spell_uses": 4},
    Spell.LIGHTNING_BOLT: {"spell_amount": 3, "spell_food": 1},
    Spell.ALTER_WEATHER: {"spell_amount": 2},
    Spell.BREW_POTION: {"spell_amount": 3, "spell_food": 1},
}


def word(**symbols: int) -> int:
    """Return packed symbols: word(skill=2, hearts=1)."""
    return sum(count << (8 * Symbol[name.upper()]) for name, count in symbols.items())


def reward(**amounts: int) -> list[int]:
    """Return a reward: reward(gem=2, magic=1)."""
    row = [0] * REWARDS
    for name, amount in amounts.items():
        row[Reward[name.upper()]] = amount
    return row


@cache
def _luck() -> Luck:
    return Luck(SEED)


@cache
def deal_with(index: int, face: int, card: int, deck: int) -> int:
    """Return a deal in which the roll at an index shows a face of a plain die (0: any).

    card, deck: the card that comes next out of a deck of mine cards, as bits (-1: any).
    """

    def fits(deal: int) -> bool:
        if face and _luck().die(deal, Stream.ROLL, index, 6) != face:
            return False
        return card < 0 or card == min(
            bits(deck), key=lambda other: _luck().below(deal, Stream.MINE, other, 1 << 32)
        )

    return next(deal for deal in range(100_000) if fits(deal))


def set_luck(session: Session, *, die: int = 0, card: int = -1) -> None:
    """Choose what the next roll shows and which mine card comes next; the seed must be SEED."""
    index = int(session.state["turn"]) << 8 | int(session.state["rolls"])
    deal = deal_with(index, die, card, int(session.state["mine_deck"]))
    session.backstage["base"] = deal << FIRST_DEAL


class Sheet(Session):
    """A game to set up by hand, in the middle of seat 0's first turn."""

    def __init__(self, roads: str = "t-a", players: int = 2, **numbers: Any) -> None:
        """Draw the map and set numbers of the tables.

        roads: pairs of spaces, "t" the town, "!" after a road with a threat, "$" with a treasure.
        """
        game = load_game("near_and_far")
        rows = np.zeros(1, game.tables)
        tables = rows[0]
        tables["players"] = players
        for name, number in {**PRINTED, **numbers}.items():
            tables[name] = number
        for spell, printed in SPELL_NUMBERS.items():
            for name, number in printed.items():
                tables[name][spell] = number
        counts = [3] * len(Spell)
        tables["spell_deck"] = (pack(counts[:8]), pack(counts[8:]))
        tables["spell_cards"] = sum(counts)
        self.spaces = ["t"]
        self.roads: list[str] = []
        super().__init__(game, rows, seed=SEED)
        self._draw_map(roads)
        state = self.state
        state["players"] = players
        state["status"] = Status.PLAYING
        state["winner"] = -1
        state["leader"] = -1
        state["leader_at"] = -1
        state["turn"] = players + 1  # the first round in town is over
        state["tents"][:players] = tables["tents"]
        state["spell_deck"] = tables["spell_deck"]
        state["spell_deck_size"] = tables["spell_cards"]
        state["magic_camps_left"] = tables["magic_camps"]
        state["store_camps_left"] = tables["store_camps"]
        state["place"][:players] = Place.SALOON
        tables["mine_shaft"][0] = 1
        self.call(lay_entrance, "state tables")

    def call(self, function: Callable[..., Any], parameters: str, *values: int) -> Any:
        """Call a rule function on the records of this session."""
        content.derive(self.tables)
        return super().call(function, parameters, *values)

    def advance(self, choice: int) -> int:
        """Hand the rules a choice as it is; return the next prompt."""
        content.derive(self.tables)
        return super().advance(choice)

    # --- drawing ---------------------------------------------------------------------------------

    def space(self, name: str) -> int:
        """Return the number of a space; a new name is a new space."""
        if name not in self.spaces:
            self.spaces.append(name)
        return self.spaces.index(name)

    def _draw_map(self, roads: str) -> None:
        tables = self.tables
        for number, text in enumerate(roads.split()):
            ends = text.strip("!$")
            one, other = (self.space(name) for name in ends.split("-"))
            self.roads.append(ends)
            for here, there in ((one, other), (other, one)):
                place = int(tables["degree"][here])
                tables["road_to"][here, place] = 1 + there
                tables["road"][here, place] = number
                tables["degree"][here] = place + 1
                tables["neighbours"][here] |= 1 << there
            tables["road_threat"][number] = "!" in text
            tables["road_treasure"][number] = "$" in text
        tables["roads"] = len(self.roads)
        tables["spaces"] = len(self.spaces)

    def threats(self, *levels: int, **rewards: list[int]) -> None:
        """Stack threats, the first on top; reward_0 is the reward of the first."""
        self.tables["threats"] = len(levels)
        for number, level in enumerate(levels):
            self.tables["threat_level"][number] = level
            self.tables["threat_points"][number] = level // 2
            self.tables["threat_camp"][number] = 1
            self.tables["threat_reward"][number] = rewards.get(f"reward_{number}", reward())

    def treasures(self, **symbols: int) -> None:
        """Make a treasure deck: a treasure for each name, with its symbols."""
        for number, symbol in enumerate(symbols.values()):
            self.tables["treasure_symbols"][number] = symbol
        self.tables["treasure_cards"] = self.state["treasure_deck"] = (1 << len(symbols)) - 1

    def party(self, seat: int = 0, **symbols: int) -> None:
        """Give a seat a party: one companion with all the symbols."""
        member = FIRST_COMPANION + seat
        self.tables["member_symbols"][member] = word(**symbols)
        self.state["members"][seat] = self.state["party"][seat] = 1 << member
        self.state["party_symbols"][seat] = word(**symbols)

    def give(self, seat: int = 0, **goods: int) -> None:
        """Set goods of a seat."""
        for name, amount in goods.items():
            self.state["goods"][seat, Good[name.upper()]] = amount

    def spells(self, *spells: Spell, seat: int = 0) -> None:
        """Give a seat spells, face up; they leave the deck."""
        for spell in spells:
            self.state["spells"][seat] |= 1 << spell
            self.state["spells_up"][seat] |= 1 << spell
            self.state["spell_deck"][spell >> 3] -= 1 << 8 * (spell & 7)
            self.state["spell_deck_size"] -= 1

    def camps(self, names: str, seat: int = 1) -> None:
        """Put camps of a seat on spaces."""
        for name in names:
            number = self.space(name)
            self.state["camp"][number] = 1 + seat
            self.state["camped"] |= 1 << number
            self.state["map_camps"][seat] |= 1 << number
            self.state["tents"][seat] -= 1

    def stand(self, name: str, *, movement: int, hearts: int, seat: int = 0) -> None:
        """Put a figure on the map at the start of its moves."""
        self.state["place"][seat] = Place.MAP
        self.state["space"][seat] = self.space(name)
        self.state["hearts"][seat] = hearts
        self.state["movement"] = movement

    # --- the mine --------------------------------------------------------------------------------

    def mine_card(self, card: int, check: str = "", *, amber: int = 0, shaft: bool = False) -> None:
        """Print a mine card: check "skill 6", "combat 4" or none."""
        tables = self.tables
        tables["mine_cards"] |= 1 << card
        self.state["mine_deck"] |= 1 << card
        if check:
            symbol, need = check.split()
            tables["mine_symbol"][card] = Symbol[symbol.upper()]
            tables["mine_need"][card] = int(need)
        tables["mine_amber"][card] = amber
        tables["mine_shaft"][card] = shaft

    def lay(self, card: int, row: int, column: int, *, camp: int = -1) -> None:
        """Lay a printed mine card out, `column` counted from the entrance, with a seat's camp."""
        place = row * MINE_ROW + MINE_ENTRANCE + column
        assert 1 + place not in self.state["mine_at"]
        self.call(lay_card, "state tables card place", card, place)
        if camp >= 0:
            self.state["mine_camp"][card] = 1 + camp
            self.state["mine_own"][camp] |= 1 << card
            self.state["mine_camps"][camp] += 1
            self.state["tents"][camp] -= 1

    def in_mine(self) -> int:
        """Return the card the figure is on."""
        return int(self.state["mine_card"])

    # --- playing ---------------------------------------------------------------------------------

    def at(self, step: Step, *, seat: int = 0) -> int:
        """Go on from a step of a seat's turn to the next decision."""
        self.state["active"] = seat
        self.state["tally"][seat, Tally.TURNS] = 2
        self.state["step"] = step
        return self.advance(0)

    def luck(self, *, die: int = 0, card: int = -1) -> None:
        """Choose what the active player's next roll shows and which mine card comes next."""
        set_luck(self, die=die, card=card)

    def of(self, name: str, seat: int = 0) -> int:
        """Return a number of a seat."""
        return int(self.state[name][seat])

    def good(self, name: str, seat: int = 0) -> int:
        """Return how much of a good a seat has."""
        return int(self.state["goods"][seat, Good[name.upper()]])
