"""Decks of anonymous cards: only how many of each kind are left matters.

A word is an int64 whose byte i counts the cards of kind i: up to eight kinds, up to 127 cards
in all. A deck of more kinds is an array of two words. Drawing picks a card by its position
among the cards left, so a deck needs no order and no shuffling, and a changed count leaves the
other draws as they were.
"""

from __future__ import annotations

import itertools

import numpy as np

from sim.jit import COMPILED, rule

KINDS_PER_WORD = 8
MAX_CARDS = 127

if COMPILED:
    _ONES = np.uint64(0x0101010101010101)
    _HIGH = np.uint64(0x8080808080808080)
    _56 = np.uint64(56)
    _7 = np.uint64(7)

    @rule
    def cards_in(word):
        """Return the number of cards in a word."""
        return np.int64((np.uint64(word) * _ONES) >> _56)

    @rule
    def kind_at(word, position):
        """Return the kind of the card at a position (from 0) when cards lie sorted by kind.

        All eight running totals are compared at once: multiplying by ones makes the totals, and
        a byte's high bit survives the subtraction where its total is at most the position.
        """
        totals = np.uint64(word) * _ONES
        reached = ((np.uint64(position) * _ONES | _HIGH) - totals) & _HIGH
        return np.int64(((reached >> _7) * _ONES) >> _56)

    @rule
    def totals_of(word):
        """Return the running totals of a word, one byte a kind, for drawing many cards."""
        return np.uint64(word) * _ONES

    @rule
    def word_of(totals):
        """Return the word that has these running totals."""
        return np.int64(totals - (totals << np.uint64(8)))

    @rule
    def take_from(totals, position):
        """Take the card at a position; return its kind and the totals without it.

        The totals above the position are those of the card's kind and of all later ones, so they
        lose one each; the next draw need not wait until the kind is known.
        """
        reached = ((np.uint64(position) * _ONES | _HIGH) - totals) & _HIGH
        kind = np.int64(((reached >> _7) * _ONES) >> _56)
        return kind, totals - ((reached ^ _HIGH) >> _7)

else:

    def cards_in(word):
        """Return the number of cards in a word."""
        return sum(int(word).to_bytes(8, "little"))

    def kind_at(word, position):
        """Return the kind of the card at a position (from 0) when cards lie sorted by kind."""
        total = 0
        for kind, count in enumerate(int(word).to_bytes(8, "little")):
            total += count
            if position < total:
                return kind
        return KINDS_PER_WORD

    def totals_of(word):
        """Return the running totals of a word."""
        return list(itertools.accumulate(int(word).to_bytes(8, "little")))

    def word_of(totals):
        """Return the word that has these running totals."""
        return pack([high - low for low, high in itertools.pairwise([0, *totals])])

    def take_from(totals, position):
        """Take the card at a position; return its kind and the totals without it."""
        kind = sum(position >= total for total in totals)
        return kind, [total - (place >= kind) for place, total in enumerate(totals)]


@rule
def add(deck, kind, cards):
    """Add cards of a kind (or take them, when negative) in a deck of two words."""
    deck[kind >> 3] += cards << ((kind & 7) << 3)


@rule
def count(deck, kind):
    """Return how many cards of a kind a deck of two words holds."""
    return (deck[kind >> 3] >> ((kind & 7) << 3)) & 127


@rule
def take(deck, position):
    """Take the card at a position out of a deck of two words; return its kind."""
    first = cards_in(deck[0])
    word = np.int64(position >= first)  # an index instead of a branch: which one is a coin toss
    kind = kind_at(deck[word], position - first * word) + KINDS_PER_WORD * word
    add(deck, kind, -1)
    return kind


def pack(counts: list[int]) -> int:
    """Return the word that holds up to eight counts.

    Raises ValueError for more kinds or cards than a word holds.
    """
    if len(counts) > KINDS_PER_WORD or min(counts, default=0) < 0 or sum(counts) > MAX_CARDS:
        raise ValueError(f"a word holds up to 8 kinds and {MAX_CARDS} cards, not {counts}")
    return sum(int(count) << (8 * kind) for kind, count in enumerate(counts))


def unpack(word: int) -> list[int]:
    """Return the eight counts of a word."""
    return list(int(word).to_bytes(8, "little"))
