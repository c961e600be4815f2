"""A board of Wizard Miners to set up by hand and play move by move through the public stepper.

Everything a test does not place is left as the set-up leaves it, hands aside: they start empty,
so that nobody is asked to cast. Every decision checks the invariants of the contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sim.game import load_game
from sim.wizard_miners.state import (
    BUY_DYNAMITE,
    CLEAN_UP,
    DUE_SHIFT,
    LEVELS,
    MAX_SEATS,
    TOOLS,
    Effect,
    Prompt,
    Spell,
    Step,
    Stream,
    Tally,
    Tool,
)
from tests.contract import Session
from tests.oracles import Luck
from tests.sim.wizard_miners.contract import (
    conserved,
    expected_hits,
    expected_prices,
    make_tables,
    spell_counts,
)

__all__ = ["BUY_DYNAMITE", "CLEAN_UP", "Board", "Effect", "Prompt", "Spell", "Tally", "Tool"]

GEMS = "gem_cards"


def lucky_deal(
    draws: Iterable[tuple[int, int, int, int, Iterable[int]]], *, seed: int = 1, start: int = 0
) -> int:
    """Return the first deal whose draws come out as wanted.

    draws: (stream, turn, k, sides, wanted results), from the generator written for the tests.
    """
    luck = Luck(seed)
    wanted = [
        (stream, turn << 8 | k, sides, set(results)) for stream, turn, k, sides, results in draws
    ]
    for deal in range(start, start + 2_000_000):
        if all(luck.die(deal, s, index, sides) in results for s, index, sides, results in wanted):
            return deal
    raise AssertionError("no such deal found")


def mining_dice(turn: int, *dice: int) -> list[tuple[int, int, int, int, list[int]]]:
    """Return the draws that make the mining dice of a turn show these numbers."""
    return [(Stream.ROLL, turn, k, 8, [die]) for k, die in enumerate(dice)]


def cave_in_die(turn: int, shows: bool) -> tuple[int, int, int, int, list[int]]:
    """Return the draw that makes the CAVE-IN die of a turn show CAVE-IN (two faces of six)."""
    return (Stream.CAVE_IN_DIE, turn, 0, 6, [1, 2] if shows else [3, 4, 5, 6])


def cave_in_roll(
    turn: int, seat: int, die: int, k: int = 0
) -> tuple[int, int, int, int, list[int]]:
    """Return the draw that makes a seat's k-th cave-in roll of a turn come out."""
    return (Stream.CAVE_IN_ROLL + seat, turn, k, 6, [die])


class Board(Session):
    """Wizard Miners with words for placing things and for moves. Seats count from 0."""

    def __init__(
        self, players: int = 4, *, seed: int = 1, deal: int = 0, buy: bool = False, **patches: Any
    ) -> None:
        """Set up; unless `buy`, pass the initial purchase and stop at the first DIG."""
        tables = make_tables(players, **patches)
        super().__init__(load_game("wizard_miners"), tables, seed=seed, deal=deal)
        self.open()
        if not buy:
            while self.prompt == Prompt.INITIAL_PURCHASE:
                self.choose(0)
            for seat in range(players):
                self.hand(seat)

    # --- looking ---------------------------------------------------------------------------------

    def of(self, name: str, seat: int) -> int:
        """Return a number of a seat."""
        return int(self.state[name][seat])

    def now(self, name: str) -> int:
        """Return a number of the whole table."""
        return int(self.state[name])

    def tally(self, what: Tally, seat: int) -> int:
        """Return a count of a seat."""
        return int(self.state["tally"][seat, what])

    def level(self, seat: int, tool: Tool) -> int:
        """Return a tool's level, 0 for none."""
        return int(self.state["levels"][seat, tool])

    def deck(self, seat: int) -> int:
        """Return the mine cards a seat has left."""
        return self.of("face_up", seat) + self.of("face_down", seat)

    def cards(self, seat: int, spell: Spell) -> int:
        """Return how many cards of a spell a seat holds."""
        return int(self.state["hand"][seat, spell])

    def discarded(self, spell: Spell) -> int:
        """Return how many cards of a spell lie on the discard pile."""
        return int(spell_counts(self.state["discard"])[spell])

    def rolls_left(self, seat: int, effect: int) -> list[int]:
        """Return the rolls each card of a lasting effect has left."""
        word = int(self.state["effects"][seat, effect])
        return [place + 1 for place in range(8) for _ in range(word >> 8 * place & 255)]

    # --- placing ---------------------------------------------------------------------------------

    def _take_out_of_deck(self, spell: Spell) -> None:
        assert spell_counts(self.state["deck"])[spell] > 0, f"no {spell.name} left"
        self.state["deck"][spell >> 3] -= 1 << ((spell & 7) << 3)
        self.state["deck_size"] -= 1

    def hand(self, seat: int, *spells: Spell) -> None:
        """Give a seat exactly these spells; what it held goes back into the deck."""
        held = self.state["hand"][seat]
        for spell in Spell:
            self.state["deck"][spell >> 3] += int(held[spell]) << ((spell & 7) << 3)
        self.state["deck_size"] += held.sum()
        held[:] = 0
        for spell in spells:
            self._take_out_of_deck(spell)
            held[spell] += 1
        self.state["hand_size"][seat] = len(spells)
        self.state["hand_kinds"][seat] = sum(1 << spell for spell in set(spells))

    def tools(self, seat: int, **levels: int) -> None:
        """Give a seat exactly these tools, by name and level."""
        for tool in Tool:
            self.state["levels"][seat, tool] = levels.get(tool.name.lower(), 0)
        self.state["prices"] = expected_prices(self.state, self.tables)
        owned = [tool for tool in Tool if self.level(seat, tool)]
        self.state["owned"][seat] = sum(1 << tool for tool in owned)
        self.state["types"][seat] = len(owned)
        self._recount()

    def _recount(self) -> None:
        lanes = np.arange(MAX_SEATS) << DUE_SHIFT
        hits = expected_hits(self.state, self.tables)
        self.state["hits"] = (hits << lanes[:, None]).sum(axis=0)
        for seat in range(int(self.tables["players"])):
            works = self.state["effects"][seat, Effect.REPAIR : Effect.REPAIR + TOOLS] == 0
            great = (self.state["levels"][seat] == LEVELS) & works
            self.state["great"][seat] = sum(1 << tool for tool in range(TOOLS) if great[tool])

    def lay(self, seat: int, effect: int, spell: Spell, rolls: int) -> None:
        """Lay a lasting spell in front of a seat, with so many rolls left."""
        self._take_out_of_deck(spell)
        self.state["effects"][seat, effect] += 1 << 8 * (rolls - 1)
        self.state["lasting"][seat] += 1
        self._recount()

    def shore_up(self, seat: int, cards: int = 1) -> None:
        """Lay Shore Ups out in front of a seat."""
        for _ in range(cards):
            self._take_out_of_deck(Spell.SHORE_UP)
        self.state["shore_ups"][seat] += cards

    def dynamite(self, seat: int, pieces: int) -> None:
        """Place dynamite out of the supply on a seat."""
        self.state["dynamite"][seat] += pieces
        self.state["dynamite_supply"] -= pieces

    def mine(
        self,
        seat: int,
        *,
        face_down: int,
        face_up: int = 0,
        rubble: int = 0,
        out: bool | None = None,
        gem_cards: Sequence[int] | None = None,
    ) -> None:
        """Lay out a mine; the cards not named count as cleaned up.

        out: whether the cave-in card lies in front (default: if the lower half is reached).
        gem_cards: face-down cards that show 0, 1, 2, ... gems (default: some of the deck's).
        """
        size, above = int(self.tables["deck_size"]), int(self.tables["cards_above"])
        if gem_cards is None:
            left, counts = face_down, []
            for kind in range(8):
                take = min(left, int(self.tables[GEMS]) >> 8 * kind & 255)
                counts.append(take)
                left -= take
            gem_cards = counts
        assert sum(gem_cards) == face_down
        state = self.state
        state["face_down"][seat] = face_down
        state["face_up"][seat] = face_up
        state["rubble"][seat] = rubble
        state[GEMS][seat] = sum(count << 8 * kind for kind, count in enumerate(gem_cards))
        state["tally"][seat, Tally.CLEANED] = size - face_down - face_up - rubble
        all_gems = [int(self.tables[GEMS]) >> 8 * kind & 255 for kind in range(8)]
        shown = [full - left for full, left in zip(all_gems, [*gem_cards, *[0] * 8], strict=False)]
        state["tally"][seat, Tally.GEMS_MINED] = sum(
            count * int(value) for count, value in zip(shown, self.tables["gem_value"], strict=True)
        )
        if out is None:
            out = face_down <= size - above
        state["cards_out"] += int(out) - state["cave_in_out"][seat]
        state["cave_in_out"][seat] = int(out)

    def gems(self, seat: int, gems: int) -> None:
        """Set a seat's gems."""
        self.state["gems"][seat] = gems

    # --- moving ----------------------------------------------------------------------------------

    def advance(self, choice: int) -> int:
        """Hand a choice to the rules and check what must hold at the next decision."""
        prompt = super().advance(choice)
        self.check()
        return prompt

    def check(self) -> None:
        """Assert that nothing got lost."""
        conserved(self.state, self.tables)

    def expect(self, prompt: Prompt, seat: int | None = None) -> None:
        """Assert which prompt is open, and for whom."""
        assert Prompt(self.prompt) == prompt
        if seat is not None:
            assert self.seat == seat

    def take(self, prompt: Prompt, choice: int, seat: int | None = None) -> int:
        """Answer a prompt that must be the open one."""
        self.expect(prompt, seat)
        return self.choose(choice)

    def dig(self) -> int:
        """Declare digging."""
        return self.take(Prompt.DIG, 0)

    def rest(self) -> int:
        """Declare not digging."""
        return self.take(Prompt.DIG, 1)

    def act(self, choice: int = 0) -> int:
        """Take an action (0 none, 1 + tool, BUY_DYNAMITE, CLEAN_UP + cards)."""
        return self.take(Prompt.ACTION, choice)

    def cast(self, spell: Spell, seat: int | None = None) -> int:
        """Cast a spell."""
        return self.take(Prompt.CAST, 1 + spell, seat)

    def target(self, victim: int, seat: int | None = None) -> int:
        """Name the victim of an attack."""
        return self.take(Prompt.TARGET, 1 + victim, seat)

    def tool(self, tool: Tool, seat: int | None = None) -> int:
        """Name the tool a spell falls on."""
        return self.take(Prompt.TOOL, 1 + tool, seat)

    def defend(self, spell: Spell | None, seat: int | None = None) -> int:
        """Defend with a spell, or accept the attack (None)."""
        return self.take(Prompt.DEFEND, 0 if spell is None else 1 + spell, seat)

    def to_spells(self) -> int:
        """Dig and take no action: go to the spell window, or beyond if nobody can cast."""
        self.dig()
        if self.prompt == Prompt.ACTION:
            self.choose(0)
        return self.prompt

    def pass_to(self, prompt: Prompt) -> int:
        """Pass, or take the lowest choice, until a prompt of this kind or the end of the game."""
        for _ in range(5000):
            if self.over or self.prompt == prompt:
                return self.prompt
            self.choose(self.legal[0])
        raise AssertionError(f"{prompt.name} never came up")

    def mining(
        self, number: int, *, active: int = 0, digging: bool = True, acted: bool = False
    ) -> int:
        """Let a roll of this number happen to everybody, in the turn of `active`.

        The rules are entered after the roll of the dice and before the mining.
        """
        if self.state["turn"] == 0:
            self.state["turn"] = 1
        self.state["active"] = active
        self.state["digging"] = int(digging)
        self.state["acted"] = int(acted)
        self.state["roll"] = number
        self.state["step"] = Step.MINING
        return self.advance(0)

    def rolling(self, *, active: int = 0) -> int:
        """Go on with the roll of the dice, in the turn of `active`, digging without action."""
        if self.state["turn"] == 0:
            self.state["turn"] = 1
        self.state["active"] = active
        self.state["digging"] = 1
        self.state["acted"] = 0
        self.state["step"] = Step.ROLL
        return self.advance(0)


def no_effects(board: Board, seat: int) -> bool:
    """Say whether no lasting spell lies in front of a seat."""
    return not np.any(board.state["effects"][seat])
