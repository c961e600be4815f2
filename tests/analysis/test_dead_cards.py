"""Cards that nobody buys: bounds, reasons, and a game with cards that are dead for certain."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analysis.card_value import CardCounts, cards_of
from analysis.dead_cards import (
    DEAD,
    OVERPRICED,
    QUESTION,
    REFUSED,
    TOO_DEAR,
    PlayCounts,
    buyers,
    dead_frame,
    dead_sentence,
    purchases,
    purchases_frame,
    strategy_plays,
    unused_frame,
    unused_sentence,
    why_sentence,
)
from sim.game import Card
from tests.analysis.test_card_value import setting, summed

CARDS = (Card("gone", 0), Card("rare", 1), Card("usual", 2))


def counts(seen: int, taken: tuple[int, ...], games: int = 3200) -> CardCounts:
    """Counts with the same purchases of each card in every replicate, as nearly as it goes."""
    table = np.array([[t // 32 + (r < t % 32) for t in taken] for r in range(32)])
    lay = np.full((32, len(taken)), seen // 32)
    return CardCounts(games, 4, 12 * games, lay, table, table * 0, table // 2)


def test_none_bought_is_a_one_sided_bound() -> None:
    """1 - alpha^(1/n), all cards at once: the rule of three."""
    found = purchases(counts(1600, (0,)), 0, 1, 0.95)
    assert (found.estimate, found.low) == (0, 0)
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 1600))
    assert found.high == pytest.approx(3 / 1600, rel=0.01)
    joint = purchases(counts(1600, (0,)), 0, 1, 0.95, together=100)
    assert joint.high == pytest.approx(-math.log(0.0005) / 1600, rel=0.01)
    rotated = purchases(counts(1600, (0,)), 0, 4, 0.95)
    assert rotated.high == pytest.approx(1 - 0.05 ** (1 / 400))


def test_few_bought_cover_the_truth() -> None:
    """400 studies of a card bought in 1 % of games: at least 95 % cover it, 3 errors off."""
    random = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        one = counts(3200, (0,))
        taken = random.binomial(100, 0.01, (32, 1))
        found = purchases(CardCounts(3200, 4, 0, one.seen, taken, taken * 0, taken * 0), 0, 1, 0.95)
        inside += found.contains(0.01)
    assert inside >= 380 - 3 * math.sqrt(400 * 0.95 * 0.05)


def test_many_copies_count_once() -> None:
    assert purchases(counts(640, (2000,)), 0, 1, 0.95).estimate == 1


def test_reasons() -> None:
    usual = counts(1600, (0, 0, 800))
    rich = counts(1600, (0, 400, 800))
    cheap = counts(1600, (400, 0, 800))
    none = counts(1600, (0, 0, 800))
    plays = {
        "a": PlayCounts((usual, rich, cheap)),
        "b": PlayCounts((usual, none, none)),
    }
    found = purchases_frame(plays, CARDS, 1, 0.95).set_index(["strategy", "card"])
    assert found.loc[("a", "gone"), "why"] == OVERPRICED
    assert found.loc[("a", "rare"), "why"] == TOO_DEAR
    assert found.loc[("b", "gone"), "why"] == REFUSED
    assert found.loc[("b", "usual"), "why"] == ""
    assert set(found["verdict"]) == {"dead", "bought"}
    dead = dead_frame(found.reset_index(), CARDS)
    assert dead["card"].tolist() == ["gone", "rare"]
    assert dead["everywhere"].all()
    assert (dead["bound"] < DEAD).all()
    said = why_sentence(found.reset_index())
    assert "2 times refused" in said
    assert "once overpriced" in said


def test_taken_and_never_used() -> None:
    """Half of the player games by the counts of above; a card that nobody took has no row."""
    deck, _ = cards_of(setting())
    plays = {"a": PlayCounts([counts(6400, (0, 640, 6400), 6400)] * 3)}
    found = unused_frame(plays, CARDS, 1, 0.95).set_index("card")
    assert set(found.index) == {"rare", "usual"}
    assert found["estimate"].tolist() == [0.5, 0.5]
    assert found.loc["usual", "taken"] == 6400
    none = unused_sentence(found.reset_index(), deck)
    assert none.startswith("No card is shown to be bought and then never played in more than 50.0")
    often = found.reset_index().assign(estimate=0.7, low=0.6, high=0.8)
    said = unused_sentence(often, deck)
    assert said.startswith("2 cards are bought by some strategy and then never played in more")


def test_always_or_never_unused_is_bounded_by_deals() -> None:
    """6400 player games of 4 players are 1600 deals at least, or 400 where seats rotate."""
    none = counts(6400, (0, 640, 6400), 6400)
    plays = {"a": PlayCounts([replace(none, unused=0 * none.unused)] * 3)}
    once, rotated = (
        unused_frame(plays, CARDS, rotations, 0.95).set_index("card") for rotations in (1, 4)
    )
    assert (once.loc["usual", "n"], rotated.loc["usual", "n"]) == (1600, 400)
    assert once.loc["usual", "high"] < rotated.loc["usual", "high"] / 3.9 < 0.01
    plays = {"a": PlayCounts([replace(none, unused=none.taken)] * 3)}
    every = unused_frame(plays, CARDS, 4, 0.95).set_index("card")
    assert every.loc["usual", "low"] == pytest.approx(1 - rotated.loc["usual", "high"])


def test_unused_cards_of_real_games() -> None:
    """No more games without use than games with a purchase; most cards bought are played."""
    where = setting(3000, ("balanced",) * 2)
    (group,) = [g for g in QUESTION.groups(where) if g.name == "bought by balanced"]
    usual = summed(where, group)[0]
    assert (usual.unused <= usual.taken).all()
    assert 0 < usual.unused.sum() < usual.taken.sum() / 4


def test_few_games_leave_it_open() -> None:
    plays = {"a": PlayCounts([counts(64, (0, 1, 32), 64)] * 3)}
    found = purchases_frame(plays, CARDS, 1, 0.95)
    assert found["verdict"].tolist() == ["open", "open", "bought"]
    deck, _ = cards_of(setting())
    said = dead_sentence(dead_frame(found, CARDS), found, deck, 3)
    assert said.startswith("No card is shown to be dead for the one strategy")
    assert "2 cards may be, which takes more games to tell" in said


def test_the_game_has_a_dead_card_if_it_does_harm() -> None:
    """A card that only takes burdens is refused at any price; Silver is bought by all.

    By a player that does not buy a card just to see another one in its place, when it is stuck.
    """
    buyer = "balanced:churn=0"
    where = setting(
        9000,
        (buyer,) * 2,
        adventure__open_purse__gives="5 burden",
        adventure__rot_blade__cost=40,
    )
    (group,) = [g for g in QUESTION.groups(where) if g.name == f"bought by {buyer}"]
    _, cards = cards_of(where)
    found = purchases_frame({buyer: summed(where, group)}, cards, 1, 0.95)
    rows = found.set_index("card")
    assert rows.loc["open_purse", ["estimate", "verdict", "why"]].tolist() == [0, "dead", REFUSED]
    assert rows.loc["rot_blade", ["estimate", "verdict", "why"]].tolist() == [0, "dead", OVERPRICED]
    assert rows.loc["silver", "verdict"] == "bought"
    n = rows.loc["open_purse", "n"]
    assert rows.loc["open_purse", "high"] == pytest.approx(1 - (0.05 / len(cards)) ** (1 / n))
    assert stats.binom.cdf(0, n, rows.loc["open_purse", "high"]) == pytest.approx(0.05 / len(cards))


def test_who_is_asked() -> None:
    asked = buyers(setting())
    assert "balanced" in asked
    assert "random" not in asked
    plays = strategy_plays(setting(), "runner")
    assert {one.seats for one in plays} == {("runner",) * 4}
    assert plays[1].patches["hero.influence"] == 9
    assert set(plays[2].patches.values()) == {1}
