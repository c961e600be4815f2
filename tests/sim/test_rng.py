"""The generator: known answers, addresses, evenness; the same in compiled and plain code."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy import stats

from sim import rng
from sim.driver import backstage_dtype
from sim.jit import COMPILED
from sim.rng import MASK, MAX_DEALS, MAX_K, MAX_TURN, make_key
from tests.oracles import GOLDEN, Luck, reference_key, reference_squares, splitmix

pytestmark = pytest.mark.kernel

LUCK = backstage_dtype(np.dtype([]))
words = st.integers(0, MASK)


def compiled(function):
    """Compile for a few calls from Python; in plain Python mode the function itself."""
    return njit(function) if COMPILED else function


@compiled
def squares(counters, key, out):
    for i in range(len(counters)):
        out[i] = rng.squares64(counters[i], key)


@compiled
def draws(lucks, deal, stream, index, out):
    rng.set_deal(lucks[0], deal)
    for i in range(len(out)):
        out[i] = rng.draw(lucks[0], stream, index + i)


@compiled
def dice(lucks, stream, first, sides, out):
    for i in range(len(out)):
        out[i] = rng.die(lucks[0], stream, first + i, sides)


@compiled
def address(turn, k):
    return rng.turn_index(turn, k)


@compiled
def remixed(bits, ordinal):
    return rng.remix(bits, ordinal)


def luck(seed: int) -> np.ndarray:
    """Return a record with the luck of a seed."""
    record = np.zeros(1, LUCK)
    record["key"] = make_key(seed)
    return record


def outputs(counters: list[int], key: int) -> list[int]:
    """Return our generator's outputs."""
    out = np.zeros(len(counters), np.uint64)
    with np.errstate(over="ignore"):
        squares(np.array(counters, np.uint64), np.uint64(key), out)
    return [int(x) for x in out]


# Counters 0, 1, 2^28 (the next deal), 2^64 - 1.
KNOWN = {
    0: (
        0x71F364C545C98B6F,
        [0x97BA7776C2A8142C, 0x5A80D796E85A6840, 0xE090A304DCEC2642, 0xC441D16D0C8ECE39],
    ),
    1: (
        0xCF67BD53C258796D,
        [0xFFB6DC42C7D051A0, 0xED06D8CDFB000DDF, 0x927B339D0392D33A, 0x554748ED46376C03],
    ),
    2**32: (
        0x4B791C2F6C23AD8B,
        [0x4E451E218AB8AF81, 0xB44E93D47C0694F0, 0x95E382012689BF88, 0x6492D37597FE03C9],
    ),
    2**64 - 1: (
        0xE47BDF3A8B6E3D21,
        [0x1D7728838B97E58A, 0x81EC557F599EF1DF, 0x9EC858FEA2236B93, 0x321C31157BDB6357],
    ),
}


def test_published_answers() -> None:
    """The three values that another implementation of Squares prints for its example key."""
    key = 0x548C9DECBCE65297
    published = [0x36D88366CEE633A5, 0x944716E00E60DFAA, 0xC8A8F4E0678654BF]
    assert outputs([0, 1, 2], key) == published
    assert [reference_squares(counter, key) for counter in range(3)] == published


def test_published_answers_of_splitmix() -> None:
    """The first outputs of splitmix64 for seed 1234567, as its users publish them."""
    assert splitmix(1234567, 3) == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("seed", KNOWN)
def test_known_answers(seed: int) -> None:
    key, numbers = KNOWN[seed]
    assert make_key(seed) == key
    assert outputs([0, 1, 2**28, MASK], key) == numbers


@given(words)
def test_keys_have_the_form_that_squares_asks_for(seed: int) -> None:
    """Each half: eight distinct non-zero hexadecimal digits; odd. And the key is as documented."""
    key = make_key(seed)
    digits = f"{key:016x}"
    for half in (digits[:8], digits[8:]):
        assert len(set(half)) == 8
        assert "0" not in half
    assert key % 2 == 1
    assert key == reference_key(seed)


def test_neighbouring_seeds_have_different_keys() -> None:
    assert len({make_key(seed) for seed in range(3000)}) == 3000
    assert len({make_key(seed) >> 32 for seed in range(3000)}) > 2990


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        make_key(seed)


@given(st.lists(words, min_size=1, max_size=20), words)
def test_squares_as_published(counters: list[int], seed: int) -> None:
    """Our generator against the slow one, over all counters and keys."""
    key = make_key(seed)
    assert outputs(counters, key) == [reference_squares(counter, key) for counter in counters]


@given(words, st.integers(0, MAX_DEALS - 5), st.integers(0, 255), st.integers(0, (1 << 20) - 4))
def test_addresses(seed: int, deal: int, stream: int, index: int) -> None:
    """The counter of a draw is deal << 28 | stream << 20 | index; a draw is the upper half."""
    out = np.zeros(3, np.int64)
    draws(luck(seed), deal, stream, index, out)
    key = make_key(seed)
    expected = [
        reference_squares((deal << 28) + (stream << 20) + index + i, key) >> 32 for i in range(3)
    ]
    assert out.tolist() == expected


@given(st.integers(0, MAX_TURN), st.integers(0, MAX_K))
def test_turn_index(turn: int, k: int) -> None:
    assert int(address(turn, k)) == turn * 256 + k


@pytest.mark.parametrize(("turn", "k"), [(MAX_TURN + 1, 0), (0, MAX_K + 1), (MAX_TURN + 1, 256)])
def test_an_address_that_overflows_is_an_error(turn: int, k: int) -> None:
    with pytest.raises(OverflowError, match="address overflows"):
        address(turn, k)


def test_the_highest_address_fits_the_counter() -> None:
    """Deal, stream, turn and k at their most fill exactly 64 bits."""
    assert ((MAX_DEALS - 1) << 28) + (255 << 20) + (MAX_TURN << 8) + MAX_K == MASK


@given(st.integers(0, 2**32 - 1), st.integers(0, 255))
def test_remix(bits: int, ordinal: int) -> None:
    """Further bits of a draw are splitmix64 of it: the output after `ordinal` steps."""
    state = ((bits << 32) + ordinal * GOLDEN) % 2**64
    assert int(remixed(bits, ordinal)) == splitmix(state, 1)[0] >> 32


@pytest.mark.parametrize("sides", [2, 6, 8, 20])
def test_a_die_is_even(sides: int) -> None:
    """Chi-square at fixed seeds, over ordinals, and every number in range."""
    rolls = 400_000 if COMPILED else 20_000
    out = np.zeros(rolls, np.int64)
    dice(luck(2024), 3, 0, sides, out)
    counts = np.bincount(out, minlength=sides + 1)
    assert counts[0] == 0
    assert len(counts) == sides + 1
    assert stats.chisquare(counts[1:]).pvalue > 1e-3
    assert min(counts[1:]) > 0


@pytest.mark.parametrize("what", ["deal", "stream", "turn", "seed"])
def test_draws_at_neighbouring_addresses_are_independent(what: str) -> None:
    """Pairs of dice at addresses that differ in one part fill the 64 fields evenly."""
    pairs = 12_800 if COMPILED else 3200
    source = [Luck(seed) for seed in range(pairs)] if what == "seed" else [Luck(5)] * pairs
    table = np.zeros((8, 8))
    here, there = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for i in range(pairs):
        first = (0, 7, i << 8) if what == "turn" else (i, 0, 256)
        step = {"deal": (1, 0, 0), "stream": (0, 1, 0), "turn": (0, 0, 256), "seed": (0, 0, 0)}
        second = tuple(a + b for a, b in zip(first, step[what], strict=True))
        key = source[i].key
        for (deal, stream, index), out in ((first, here), (second, there)):
            counter = (deal << 28) + (stream << 20) + index
            out[0] = reference_squares(counter, key) >> 61
        if what == "seed":
            there[0] = reference_squares(256, source[(i + 1) % pairs].key) >> 61
        table[here[0], there[0]] += 1
    assert stats.chisquare(table.ravel()).pvalue > 1e-3


@pytest.mark.skipif(not COMPILED, reason="compares with a process in plain Python")
def test_compiled_equals_plain() -> None:
    """The two texts of each function, over random addresses."""
    program = (
        "import numpy as np; from sim import rng; r = np.random.default_rng(3)\n"
        "from sim.driver import backstage_dtype\n"
        "b = np.zeros(1, backstage_dtype(np.dtype([])))\n"
        "for _ in range(300):\n"
        "    b['key'] = rng.make_key(int(r.integers(2**63)))\n"
        "    rng.set_deal(b[0], int(r.integers(2**36)))\n"
        "    n = int(r.integers(1, 100)); s = int(r.integers(256)); i = int(r.integers(2**20))\n"
        "    d = int(rng.draw(b[0], s, i))\n"
        "    print(d, rng.below(b[0], s, i, n), rng.die(b[0], s, i, n), rng.remix(d, n))\n"
    )
    root = Path(__file__).resolve().parents[2]
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env={"NUMBA_DISABLE_JIT": "1", "PATH": "", "PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    plain = [[int(x) for x in line.split()] for line in answer.stdout.splitlines()]
    assert len(plain) == 300
    r = np.random.default_rng(3)
    b = np.zeros(1, LUCK)
    for row in plain:
        b["key"] = make_key(int(r.integers(2**63)))
        deal = int(r.integers(2**36))
        n, s, i = int(r.integers(1, 100)), int(r.integers(256)), int(r.integers(2**20))
        out = np.zeros(1, np.int64)
        draws(b, deal, s, i, out)
        rolled = np.zeros(1, np.int64)
        dice(b, s, i, n, rolled)
        d = int(out[0])
        assert row == [d, d * n >> 32, rolled[0], int(remixed(d, n))]
