"""Decks of anonymous cards in packed words, against lists of cards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from sim import decks
from sim.jit import COMPILED

pytestmark = pytest.mark.kernel

counts = st.lists(st.integers(0, 15), min_size=8, max_size=8)
full = st.lists(st.integers(0, 127), min_size=8, max_size=8).filter(lambda c: sum(c) <= 127)


def compiled(function):
    """Compile for calls from Python; in plain Python mode the function itself."""
    return njit(function) if COMPILED else function


@compiled
def cards_in(word):
    return decks.cards_in(word)


@compiled
def kind_at(word, position):
    return decks.kind_at(word, position)


@compiled
def take(deck, position):
    return decks.take(deck, position)


@compiled
def add(deck, kind, cards):
    decks.add(deck, kind, cards)


@compiled
def count(deck, kind):
    return decks.count(deck, kind)


def as_list(numbers: list[int]) -> list[int]:
    """Return the cards one by one, by kind."""
    return [kind for kind, number in enumerate(numbers) for _ in range(number)]


@given(full | counts)
def test_pack_and_unpack(numbers: list[int]) -> None:
    word = decks.pack(numbers)
    assert decks.unpack(word) == numbers
    assert int(cards_in(word)) == sum(numbers)
    assert 0 <= word < 2**63


@given(full | counts)
def test_kind_at_every_position(numbers: list[int]) -> None:
    """Cards lie sorted by kind; past the last card the kind is eight."""
    word = decks.pack(numbers)
    for position, kind in enumerate(as_list(numbers)):
        assert int(kind_at(word, position)) == kind
    assert int(kind_at(word, sum(numbers))) == decks.KINDS_PER_WORD


@given(counts, counts, st.data())
def test_taking_cards_one_by_one(low: list[int], high: list[int], data: st.DataObject) -> None:
    """A deck of two words gives every card once."""
    if sum(low) + sum(high) == 0:
        low = [1, *low[1:]]
    low, high = [min(n, 7) for n in low], [min(n, 7) for n in high]
    deck = np.array([decks.pack(low), decks.pack(high)], np.int64)
    cards = as_list(low + high)
    for _ in range(min(len(cards), 12)):
        position = data.draw(st.integers(0, len(cards) - 1))
        assert int(take(deck, position)) == cards.pop(position)
        assert decks.unpack(deck[0]) + decks.unpack(deck[1]) == [
            cards.count(kind) for kind in range(16)
        ]


@given(counts, counts, st.integers(0, 15), st.integers(0, 7))
def test_add_and_count(low: list[int], high: list[int], kind: int, cards: int) -> None:
    deck = np.array([decks.pack([n // 2 for n in low]), decks.pack([n // 2 for n in high])])
    before = [int(count(deck, other)) for other in range(16)]
    assert before == [n // 2 for n in low + high]
    add(deck, kind, cards)
    assert int(count(deck, kind)) == before[kind] + cards
    add(deck, kind, -cards)
    assert [int(count(deck, other)) for other in range(16)] == before


@pytest.mark.parametrize("wrong", [[1] * 9, [-1], [100, 28], [128]])
def test_what_a_word_cannot_hold(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match="a word holds up to 8 kinds and 127 cards"):
        decks.pack(wrong)


def test_a_full_word() -> None:
    """127 cards of one kind, the top byte included."""
    for kind in range(8):
        numbers = [0] * 8
        numbers[kind] = 127
        word = decks.pack(numbers)
        assert int(cards_in(word)) == 127
        assert int(kind_at(word, 0)) == int(kind_at(word, 126)) == kind
