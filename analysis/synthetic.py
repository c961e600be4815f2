"""Made-up data whose truth is known: rows of a game nobody plays, and block values by chance.

`rows` makes chunks as a batch of games would: four players, a deal played in each of four
rotations, luck that belongs to the deal, so that the games of a block resemble each other, strong
and weak strategies, shared wins. `TRUTH` has every figure of it, computed and not drawn.

`Pair` is a change between two plays as chances of pairs of block values. A million blocks are then
a handful of counts, drawn at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.measures import Measure
from analysis.pairs import PairSums
from sim.batch import Chunk
from sim.game import WIN_UNIT, Metric

PLAYERS = 4
LABELS = ("strong", "plain", "strong", "weak")
GAME_ROW = np.dtype([("game", np.int64), ("length", np.int16)])
SEAT_ROW = np.dtype([("slot", np.int8), ("win", np.int8), ("hits", np.int16), ("rolls", np.int16)])
WIN = Metric("win_rate", "share", "seat", "win", scale=WIN_UNIT, by=(("seat",), ("strategy",)))
LENGTH = Metric("length", "rolls", "game", "length", statistics=("mean", "sd", "quantiles"))
HITS = Metric("hits_per_roll", "hits", "seat", "hits", per="rolls")
METRICS = (WIN, LENGTH, HITS)

_STRENGTH = np.array([1.2, 1.0, 1.2, 0.7])  # of the slots
_LUCKY = 2.0  # how much stronger the lucky seat of a deal is
_SHARED = 0.1  # wins that the next seat shares
_DEAL_LENGTH, _OWN_LENGTH = 40, 60  # lengths: 20 + below the one + below the other, uniform
_FEW, _MANY = 2, 5  # rolls of a seat in a calm deal and in a wild one, which are equally likely
_CALM, _WILD = 0.2, 0.4  # chance that a roll hits


def _win_chances() -> NDArray[np.float64]:
    """Chance that the first (maybe only) winner is a seat: (lucky seat, rotation, seat)."""
    seats = np.arange(PLAYERS)
    chances = np.empty((PLAYERS, PLAYERS, PLAYERS))
    for lucky in seats:
        for rotation in seats:
            weight = _STRENGTH[(seats + rotation) % PLAYERS] * np.where(seats == lucky, _LUCKY, 1)
            chances[lucky, rotation] = weight / weight.sum()
    return chances


_CHANCES = _win_chances()


def rows(rng: np.random.Generator, blocks: int, first: int = 0) -> Chunk:
    """Play `blocks` deals in all rotations; the chunk's first game is `first`."""
    deals, games = blocks, blocks * PLAYERS
    made = np.zeros(games, GAME_ROW)
    made["game"] = first + np.arange(games)
    length = rng.integers(0, _DEAL_LENGTH, deals)[:, None]
    made["length"] = (20 + length + rng.integers(0, _OWN_LENGTH, (deals, PLAYERS))).reshape(-1)
    seats = np.zeros((games, PLAYERS), SEAT_ROW)
    rotation = np.arange(games) % PLAYERS
    seats["slot"] = (np.arange(PLAYERS) + rotation[:, None]) % PLAYERS
    lucky = np.repeat(rng.integers(0, PLAYERS, deals), PLAYERS)
    edges = np.cumsum(_CHANCES, axis=2)[lucky, rotation]
    winner = (rng.random(games)[:, None] >= edges[:, :-1]).sum(axis=1)
    shared = rng.random(games) < _SHARED
    every = np.arange(games)
    seats["win"][every, winner] = np.where(shared, WIN_UNIT // 2, WIN_UNIT)
    seats["win"][every[shared], (winner[shared] + 1) % PLAYERS] = WIN_UNIT // 2
    wild = np.repeat(rng.random(deals) < 0.5, PLAYERS)[:, None]
    rolls = rng.integers(0, 3, (games, PLAYERS)) + np.where(wild, _MANY, _FEW)
    seats["rolls"] = rolls
    seats["hits"] = rng.binomial(rolls, np.where(wild, _WILD, _CALM))
    return Chunk(first, made, seats, {})


def _win_rates() -> dict[int | str, float]:
    """Win rate of each seat (from 1) and of each strategy."""
    first = _CHANCES.mean(axis=0)  # rotation, seat
    rate = first * (1 - _SHARED / 2) + np.roll(first, 1, axis=1) * (_SHARED / 2)
    found: dict[int | str, float] = {s + 1: float(rate[:, s].mean()) for s in range(PLAYERS)}
    seats = np.arange(PLAYERS)
    slots = (seats + seats[:, None]) % PLAYERS  # rotation, seat
    for label in set(LABELS):
        played = np.isin(slots, [i for i, name in enumerate(LABELS) if name == label])
        found[label] = float(rate[played].mean())
    return found


def _lengths() -> NDArray[np.float64]:
    """Chance of each length from 0 on."""
    deal, own = (np.full(k, 1 / k) for k in (_DEAL_LENGTH, _OWN_LENGTH))
    return np.concatenate((np.zeros(20), np.convolve(deal, own)))


WIN_RATES = _win_rates()
LENGTHS = _lengths()
LENGTH_MEAN = float(np.arange(len(LENGTHS)) @ LENGTHS)
LENGTH_SD = math.sqrt(((np.arange(len(LENGTHS)) - LENGTH_MEAN) ** 2) @ LENGTHS)
HIT_RATE = ((_FEW + 1) * _CALM + (_MANY + 1) * _WILD) / (_FEW + 1 + _MANY + 1)


def length_quantile(p: float, lengths: NDArray[np.float64] = LENGTHS) -> int:
    """Return the least length that at least a share p of all games does not exceed."""
    return int(np.searchsorted(np.cumsum(lengths), p - 1e-12))


MOVED = 0.12  # share of games that `changed` gives to seat 1
_LONGER = 20  # rolls that a game takes longer at most; all numbers up to it are equally likely
MEDIAN_LONGER = length_quantile(
    0.5, np.convolve(LENGTHS, np.full(_LONGER + 1, 1 / (_LONGER + 1)))
) - length_quantile(0.5)


def changed(rng: np.random.Generator, base: Chunk) -> Chunk:
    """Play the same games under another rule: some go to seat 1 or take longer, some hits fail.

    The true effects: MOVED * (1 - its rate) on seat 1's win rate, MEDIAN_LONGER on the median
    length, -10 % of HIT_RATE on hits a roll.
    """
    games, seats = base.games.copy(), base.seats.copy()
    games["length"] += rng.integers(0, _LONGER + 1, len(games), dtype=np.int16)
    moved = rng.random(len(games)) < MOVED
    seats["win"][moved] = [WIN_UNIT, 0, 0, 0]
    seats["hits"] -= rng.binomial(seats["hits"], 0.1).astype(np.int16)
    return Chunk(base.first, games, seats, {})


# ------------------------------------------------------------------------------ changes by chance


@dataclass(frozen=True, eq=False)
class Pair:
    """Chances of what a measure sums to in a block of the changed play and of the base.

    values: (k, 2) whole numbers, changed and base; chances: (k,). rows: rows of a block.
    """

    measure: Measure
    values: NDArray[np.int64]
    chances: NDArray[np.float64]
    rows: int = 1

    @property
    def unit(self) -> int:
        """What a block's sum is divided by."""
        return self.rows * self.measure.metric.scale

    @property
    def differences(self) -> NDArray[np.float64]:
        """Differences of the block's means, changed minus base: (k,), not distinct."""
        return (self.values[:, 0] - self.values[:, 1]) / self.unit

    @property
    def effect(self) -> float:
        """The true change."""
        return float(self.differences @ self.chances)

    @property
    def variance(self) -> float:
        """The true variance of a block's difference."""
        return float(self.differences**2 @ self.chances) - self.effect**2

    def draw(self, rng: np.random.Generator, blocks: int, repetitions: int) -> NDArray[np.int64]:
        """Return how many of `blocks` blocks had each pair of values: (repetitions, k)."""
        return rng.multinomial(blocks, self.chances, repetitions)

    def sums(self, counts: ArrayLike) -> PairSums:
        """Return the sums of blocks of which each pair of values was seen so often: (k,)."""
        c = np.asarray(counts, dtype=np.int64)
        rows = np.full(len(c), self.rows)
        table = np.array([self.values[:, 0], rows, self.values[:, 1], rows])
        apart = self.values[:, 0] - self.values[:, 1]
        differences: dict[int, int] = {}
        if self.measure.is_share:
            for value, count in zip(apart.tolist(), c.tolist(), strict=True):
                if count:
                    differences[value] = differences.get(value, 0) + count
        return PairSums(
            self.measure,
            self.rows,
            self.rows,
            int(c.sum()),
            _whole(table @ c),
            _whole((table * c) @ table.T),
            int(c[apart != 0].sum()),
            differences,
        )


def _whole(values: NDArray[np.int64]) -> NDArray[np.object_]:
    found = np.empty(values.shape, dtype=object)
    found.reshape(-1)[:] = [int(v) for v in values.reshape(-1)]
    return found


def single_games(discordance: float, effect: float, rate: float = 0.25) -> Pair:
    """A win rate in single games: `discordance` of them differ, by `effect` on average.

    rate: of the base. Raises ValueError where the three do not fit.
    """
    up, down = (discordance + effect) / 2, (discordance - effect) / 2
    both, neither = rate - down, 1 - rate - up
    if min(up, down, both, neither) < 0:
        raise ValueError(f"no such games: {discordance=} {effect=} {rate=}")
    values = WIN_UNIT * np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    return Pair(Measure(WIN, seat=1), values, np.array([up, down, both, neither]))


def rotated_blocks(
    differing: float, differences: dict[int, float], measure: Measure | None = None
) -> Pair:
    """Blocks of four games of which a share `differing` differ.

    differences: of a block's sums -> share among these. The base is a win of one game in each.
    """
    wins = WIN_UNIT if measure is None else 0
    values = [[wins, wins], *([wins + d, wins] for d in differences)]
    chances = [1 - differing, *(differing * share for share in differences.values())]
    return Pair(measure or Measure(WIN, seat=1), np.array(values), np.array(chances), PLAYERS)
