"""Counter-based luck: every draw has an address, so no draw can shift another.

The generator is Squares64 (B. Widynski, "Squares: A Fast Counter-Based RNG", 2020). A draw's
counter is `deal << 28 | stream << 20 | index`: the deal, the purpose, and which draw of that
purpose. `index` is `turn << 8 | k`, the k-th draw of this purpose in this turn, or the ordinal
of a card in its deck.

This is the one module with unsigned arithmetic. Each function that needs it exists twice, for
the compiler and for plain Python; tests hold the two together.
"""

from __future__ import annotations

import numpy as np

from sim.jit import COMPILED, rule

MASK = (1 << 64) - 1
MAX_DEALS = 1 << 36
MAX_TURN = (1 << 12) - 1
MAX_K = (1 << 8) - 1
WHIMS = 240  # first of the streams for random choices, one a seat; the driver's

if COMPILED:
    _32 = np.uint64(32)
    _28 = np.uint64(28)
    _20 = np.uint64(20)

    @rule
    def squares64(counter, key):
        """Return the 64 random bits of `counter` (both uint64)."""
        x = counter * key
        y = x
        z = y + key
        x = x * x + y
        x = (x >> _32) | (x << _32)
        x = x * x + z
        x = (x >> _32) | (x << _32)
        x = x * x + y
        x = (x >> _32) | (x << _32)
        x = x * x + z
        t = x
        x = (x >> _32) | (x << _32)
        return t ^ ((x * x + y) >> _32)

    @rule
    def draw(luck, stream, index):
        """Return 32 random bits as int64 for an address within the deal of `luck`."""
        counter = luck["base"] | (np.uint64(stream) << _20) | np.uint64(index)
        return np.int64(squares64(counter, luck["key"]) >> _32)

    @rule
    def set_deal(luck, deal):
        """Point `luck` at a deal."""
        luck["base"] = np.uint64(deal) << _28

    @rule
    def remix(bits, ordinal):
        """Return 32 further random bits made of 32 and a small number (splitmix64)."""
        x = (np.uint64(bits) << _32) + np.uint64(ordinal + 1) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.int64((x ^ (x >> np.uint64(31))) >> _32)

else:

    def squares64(counter, key):
        """Return the 64 random bits of `counter` (both below 2**64)."""
        counter, key = int(counter), int(key)
        x = y = counter * key & MASK
        z = y + key & MASK
        x = x * x + y & MASK
        x = x >> 32 | x << 32 & MASK
        x = x * x + z & MASK
        x = x >> 32 | x << 32 & MASK
        x = x * x + y & MASK
        x = x >> 32 | x << 32 & MASK
        t = x = x * x + z & MASK
        x = x >> 32 | x << 32 & MASK
        return t ^ (x * x + y & MASK) >> 32

    def draw(luck, stream, index):
        """Return 32 random bits for an address within the deal of `luck`."""
        counter = int(luck["base"]) | int(stream) << 20 | int(index)
        return squares64(counter, luck["key"]) >> 32

    def set_deal(luck, deal):
        """Point `luck` at a deal."""
        luck["base"] = int(deal) << 28

    def remix(bits, ordinal):
        """Return 32 further random bits made of 32 and a small number (splitmix64)."""
        return _splitmix64((int(bits) << 32) + int(ordinal) * 0x9E3779B97F4A7C15) >> 32


@rule
def turn_index(turn, k):
    """Return the index of the k-th draw of a purpose in a turn."""
    if turn > 4095 or k > 255:
        raise OverflowError("a draw's address overflows: more than 4095 turns or 256 draws")
    return turn << 8 | k


@rule
def below(luck, stream, index, n):
    """Return a number from 0 to n - 1; the bias of at most n / 2**32 is far below any error bar."""
    return (draw(luck, stream, index) * n) >> 32


@rule
def die(luck, stream, index, sides):
    """Return a roll from 1 to `sides`."""
    return below(luck, stream, index, sides) + 1


def _splitmix64(x: int) -> int:
    """Return the output of splitmix64 for the state x (Steele, Lea, Flood 2014)."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def make_key(seed: int) -> int:
    """Return a key of the form Squares asks for, made from any seed from 0 to 2**64 - 1.

    Each half has eight distinct non-zero hexadecimal digits and the last digit is odd. Raw seeds
    are bad keys: with seed 0 every draw would be 0.

    Raises ValueError for a seed outside the range.
    """
    if not 0 <= seed <= MASK:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    state = seed
    key = 0
    for half in range(2):
        digits = list(range(1, 16))
        chosen: list[int] = []
        for place in range(8):
            state = (state + 0x9E3779B97F4A7C15) & MASK
            bits = _splitmix64(state)
            last = half == 1 and place == 0  # the lowest digit is drawn first, among the odd ones
            candidates = [d for d in digits if d % 2] if last else digits
            digit = candidates[(bits >> 32) * len(candidates) >> 32]
            digits.remove(digit)
            chosen.append(digit)
        if half == 1:
            chosen.reverse()
        for digit in chosen:
            key = key << 4 | digit
    return key
