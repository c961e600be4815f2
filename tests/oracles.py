"""Slow and obvious second implementations, written from the sources and not from our code.

`Luck` is the generator as its author published it. `play_reference` plays Wizard Miners with
decks as lists of cards, one action after the other; it knows the strategies `passive` and
`drill_first` only, who never cast. It takes its luck either from Python's own generator (for
comparisons of distributions) or from the addresses of ours (for comparisons game by game).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15


# --- the generator --------------------------------------------------------------------------------


def splitmix(seed: int, count: int) -> list[int]:
    """Return the first outputs of splitmix64 (Steele, Lea, Flood 2014; Vigna's constants)."""
    outputs = []
    state = seed
    for _ in range(count):
        state = (state + GOLDEN) % WORD
        z = state
        z = (z ^ (z // 2**30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z // 2**27)) * 0x94D049BB133111EB % WORD
        outputs.append(z ^ (z // 2**31))
    return outputs


def reference_key(seed: int) -> int:
    """Return the key of a seed: sixteen digits drawn one by one, as our docstring promises.

    The upper eight digits are drawn from the left; the lower eight from the right, the rightmost
    among the odd digits. No digit comes twice in a half, and none is 0. The first output of
    splitmix64 is not used.
    """
    numbers = splitmix(seed, 17)[1:]
    digits = ""
    for half in ("upper", "lower"):
        free = list("123456789abcdef")
        drawn = ""
        for place in range(8):
            pool = free
            if half == "lower" and place == 0:
                pool = [digit for digit in free if int(digit, 16) % 2 == 1]
            digit = pool[(numbers.pop(0) // 2**32) * len(pool) // 2**32]
            free.remove(digit)
            drawn += digit
        digits += drawn if half == "upper" else drawn[::-1]
    return int(digits, 16)


def swapped(x: int) -> int:
    """Swap the halves of a word."""
    return x // 2**32 + x % 2**32 * 2**32


def reference_squares(counter: int, key: int) -> int:
    """Return the 64-bit output of Squares: five rounds (Widynski 2020, arXiv 2004.06278)."""
    y = counter * key % WORD
    z = (y + key) % WORD
    x = y
    for addend in (y, z, y):
        x = swapped((x * x + addend) % WORD)
    t = (x * x + z) % WORD
    x = swapped(t)
    return t ^ ((x * x + y) % WORD // 2**32)


class Luck:
    """Draws by address, as the documentation of `sim.rng` lays addresses out."""

    def __init__(self, seed: int) -> None:
        self.key = reference_key(seed)

    def below(self, deal: int, stream: int, index: int, n: int) -> int:
        """Return a number from 0 to n - 1."""
        counter = deal * 2**28 + stream * 2**20 + index
        return reference_squares(counter, self.key) // 2**32 * n // 2**32

    def die(self, deal: int, stream: int, index: int, sides: int) -> int:
        """Return a roll."""
        return 1 + self.below(deal, stream, index, sides)


# --- where the luck of a game comes from ----------------------------------------------------------


class Chance(Protocol):
    """Everything that is left to chance in a game without spells."""

    def mining_dice(self, turn: int) -> int:
        """Return the sum of the two mining dice."""

    def shows_cave_in(self, turn: int) -> bool:
        """Roll the CAVE-IN die."""

    def cave_in_roll(self, turn: int, seat: int) -> int:
        """Return a cave-in roll."""

    def gem_card(self, seat: int, left: list[int]) -> int:
        """Take a face-down card out of those left (sorted by gems) and return its gems."""


class Shuffled:
    """Luck of its own: Python's generator, and decks shuffled before the game."""

    def __init__(self, rules: Any, players: int, seed: str) -> None:
        self._random = random.Random(seed)
        self._rules = rules
        self._decks = []
        for _ in range(players):
            deck = gem_cards(rules)
            self._random.shuffle(deck)
            self._decks.append(deck)

    def mining_dice(self, turn: int) -> int:
        sides = self._rules.dice.sides
        return self._random.randint(1, sides) + self._random.randint(1, sides)

    def shows_cave_in(self, turn: int) -> bool:
        cave_in = self._rules.cave_in
        return self._random.randint(1, cave_in.die_sides) <= cave_in.die_faces

    def cave_in_roll(self, turn: int, seat: int) -> int:
        return self._random.randint(1, self._rules.cave_in.roll_sides)

    def gem_card(self, seat: int, left: list[int]) -> int:
        gems = self._decks[seat].pop()
        left.remove(gems)
        return gems


class Addressed:
    """The luck of one of our deals, read at its addresses: streams as `Stream` documents them."""

    def __init__(self, rules: Any, players: int, seed: int, deal: int) -> None:
        self._luck = Luck(seed)
        self._rules = rules
        self._deal = deal
        self._rolled: dict[tuple[int, int], int] = {}

    def mining_dice(self, turn: int) -> int:
        sides = self._rules.dice.sides
        return sum(self._luck.die(self._deal, 0, turn * 256 + k, sides) for k in (0, 1))

    def shows_cave_in(self, turn: int) -> bool:
        cave_in = self._rules.cave_in
        rolled = self._luck.die(self._deal, 1, turn * 256, cave_in.die_sides)
        return rolled <= cave_in.die_faces

    def cave_in_roll(self, turn: int, seat: int) -> int:
        k = self._rolled.get((turn, seat), 0)
        self._rolled[turn, seat] = k + 1
        return self._luck.die(self._deal, 4 + seat, turn * 256 + k, self._rules.cave_in.roll_sides)

    def gem_card(self, seat: int, left: list[int]) -> int:
        ordinal = self._rules.mine.cards - len(left)
        return left.pop(self._luck.below(self._deal, 8 + seat, ordinal, len(left)))


# --- the game -------------------------------------------------------------------------------------


def gem_cards(rules: Any) -> list[int]:
    """Return the gems on the cards of a mine, sorted."""
    cards = [int(gems) for gems, count in rules.mine.gem_cards.items() for _ in range(count)]
    return sorted([0] * (rules.mine.cards - len(cards)) + cards)


@dataclass
class Miner:
    """A player: a pile of cards ("?" face down, "o" face up, "X" the cave-in card), top last."""

    seat: int
    number: int
    gems: int
    pile: list[str]
    unseen: list[int]
    numbers: dict[str, list[int]] = field(default_factory=dict)  # of each tool, levels together
    levels: dict[str, int] = field(default_factory=dict)
    rubble: int = 0
    chart_out: bool = False
    mined: int = 0
    cleaned: int = 0
    gems_mined: int = 0
    cave_in_rolls: int = 0
    cards_lost: int = 0
    bonus_cards: int = 0

    @property
    def left(self) -> int:
        """The mine cards left; the cave-in card is none."""
        return sum(card != "X" for card in self.pile)


@dataclass
class Outcome:
    """A finished reference game."""

    winner: int
    rolls: int
    miners: list[Miner]
    decks: list[list[int]]  # cards left by seat, after each roll


Policy = Callable[[Any, Miner], str]


def passive_policy(rules: Any, miner: Miner) -> str:
    """Take no action."""
    return ""


def drill_first_policy(rules: Any, miner: Miner) -> str:
    """Return "clean up", the name of a tool to buy next, or ""."""
    if miner.chart_out and miner.rubble >= 10 and miner.gems >= 1:
        return "clean up"
    for tool in ("drill", "shovel", "hammer"):
        level = miner.levels.get(tool, 0)
        if level < 3 and miner.gems >= getattr(rules.tools, tool).cost[level]:
            return tool
    return ""


class ReferenceGame:
    """One game of players who never cast, own at most three tools and buy no dynamite."""

    def __init__(
        self, rules: Any, players: int, policy: Policy, chance: Chance, *, hit: bool = False
    ) -> None:
        self.rules = rules
        self.policy = policy
        self.chance = chance
        self.hit = hit
        self.turn = 0
        lower = rules.mine.cards - rules.mine.cards_above
        self.miners = [
            Miner(
                seat=seat,
                number=rules.wizards.numbers[seat],
                gems=rules.wizards.gems[seat],
                pile=["?"] * lower + ["X"] + ["?"] * rules.mine.cards_above,
                unseen=gem_cards(rules),
            )
            for seat in range(players)
        ]

    def cave_in(self, miner: Miner) -> None:
        """Roll on the chart; rubble goes back on top, face up."""
        chart = self.rules.cave_in.chart
        roll = self.chance.cave_in_roll(self.turn, miner.seat)
        fallen = getattr(chart, "roll_7_or_more" if roll > 6 else f"roll_{roll}")
        if fallen == "all" or fallen > miner.rubble:
            fallen = miner.rubble
        miner.rubble -= fallen
        miner.pile += ["o"] * fallen
        miner.cave_in_rolls += 1
        miner.cards_lost += fallen

    def turn_up(self, miner: Miner) -> None:
        """Turn up the cave-in card on top."""
        assert miner.pile.pop() == "X"
        miner.chart_out = True
        self.cave_in(miner)

    def mine(self, miner: Miner, cards: int) -> None:
        """Mine cards one by one."""
        for _ in range(cards):
            if miner.pile and miner.pile[-1] == "X":
                self.turn_up(miner)
            if not miner.pile:
                return
            if miner.pile.pop() == "?":
                gems = self.chance.gem_card(miner.seat, miner.unseen)
                miner.gems += gems
                miner.gems_mined += gems
            miner.rubble += 1
            miner.mined += 1
            if not self.hit and miner.pile and miner.pile[-1] == "X":
                self.turn_up(miner)

    def due(self, miner: Miner, roll: int, idle: bool) -> int:
        """Return the cards a miner takes on a roll."""
        cards = int(roll == miner.number)
        for tool, numbers in miner.numbers.items():
            cards += numbers.count(roll)
            if idle and miner.levels[tool] == 3 and roll in numbers:
                bonus = getattr(self.rules.tools, tool).bonus
                cards += bonus
                miner.bonus_cards += bonus
        return cards

    def buy(self, miner: Miner, tool: str) -> None:
        """Buy the next level of a tool."""
        cards = getattr(self.rules.tools, tool)
        level = miner.levels.get(tool, 0)
        miner.gems -= cards.cost[level]
        miner.levels[tool] = level + 1
        miner.numbers.setdefault(tool, []).extend(cards.numbers[level])

    def play(self) -> Outcome:
        """Play to the end."""
        rules = self.rules
        if self.policy is drill_first_policy:
            for miner in self.miners:
                if miner.gems >= rules.tools.drill.cost[0]:
                    self.buy(miner, "drill")
        decks: list[list[int]] = []
        while True:
            active = self.miners[self.turn % len(self.miners)]
            if active.left == 0:
                return Outcome(active.seat, self.turn, self.miners, decks)
            if self.turn == rules.stall.roll_cap:
                return Outcome(-1, self.turn, self.miners, decks)
            self.turn += 1
            action = self.policy(rules, active)
            if action == "clean up":
                cards = min(5, active.gems)
                active.gems -= cards
                active.rubble -= cards
                active.cleaned += cards
            elif action:
                self.buy(active, action)
            roll = self.chance.mining_dice(self.turn)
            out = [miner for miner in self.miners if miner.chart_out]
            if out and self.chance.shows_cave_in(self.turn):
                for miner in out:
                    self.cave_in(miner)
            for miner in self.miners:
                due = self.due(miner, roll, idle=miner is active and not action)
                if miner.left:
                    self.mine(miner, due)
                elif miner is not active:
                    cards = min(due, miner.rubble)
                    miner.rubble -= cards
                    miner.cleaned += cards
            decks.append([miner.left for miner in self.miners])
            if active.left == 0:
                return Outcome(active.seat, self.turn, self.miners, decks)


def lead_story(decks: list[list[int]], full: int) -> tuple[int, list[int], list[int]]:
    """Return changes of the leader, and at 3/4, 1/2, 1/4 of a deck who leads and by how much.

    decks: cards left by seat, after each roll. A leader stays leader until somebody has fewer
    cards; nobody leads before the first card is mined.
    """
    changes = 0
    leader = -1
    leaders, leads = [-1, -1, -1], [0, 0, 0]
    for left in decks:
        if leader < 0:
            if min(left) < full:
                leader = left.index(min(left))
        elif min(left) < left[leader]:
            leader = left.index(min(left))
            changes += 1
        for quarter, share in enumerate((0.75, 0.5, 0.25)):
            if leaders[quarter] < 0 and leader >= 0 and left[leader] <= share * full:
                others = [cards for seat, cards in enumerate(left) if seat != leader]
                leaders[quarter] = leader
                leads[quarter] = min(others) - left[leader]
    return changes, leaders, leads
