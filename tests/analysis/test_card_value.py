"""What cards are worth: made-up games with a known truth, absurd cards, other routes."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import card_value
from analysis.card_value import (
    QUESTION,
    CardCounts,
    cards_frame,
    cards_of,
    classes_frame,
    example_plays,
    has_cards,
    kinds_of_class,
    naive_sentence,
    seat_design,
)
from analysis.paired import BlockSums
from analysis.question import Group, Play, Setting
from analysis.questions import load_question
from analysis.trials import TrialSums, denial
from sim.batch import Batch, Chunk, play, whole_blocks
from sim.errors import UserError
from sim.game import Card, load_game
from strategies.resolve import lineup

GAME = load_game("dobbers")
BALANCED = ("balanced",) * 4


def setting(games: int = 160, seats: tuple[str, ...] = BALANCED, **patches: Any) -> Setting:
    rules = GAME.load(None, {key.replace("__", "."): value for key, value in patches.items()})
    return Setting(GAME, rules, seats, False, games, 5)


def batch(where: Setting, wanted: Play) -> Batch:
    patches = {**where.rules.patches, **wanted.patches}
    rules = GAME.load(None, patches) if wanted.patches else where.rules
    seats = wanted.seats or where.seats
    tables = GAME.make_tables(rules.model, len(seats), wanted.handicaps)
    return Batch(GAME, tables, lineup(GAME, seats), where.seed, where.rotations)


def summed(where: Setting, group: Group) -> Any:
    games = whole_blocks(max(1, round(where.games * group.share)), where.rotations)
    batches = [batch(where, one) for one in group.plays]
    total = None
    for _, part in play(batches, 0, games, group.reduce, threads=1):
        total = part if total is None else total + part
    return total


@cache
def asked(games: int = 160) -> tuple[Setting, Any, dict[str, Any]]:
    """The answer to the question about the game as it ships, and what was summed."""
    where = setting(games)
    sums = {group.name: summed(where, group) for group in QUESTION.groups(where)}
    return where, QUESTION.answer(where, sums), sums


# ------------------------------------------------------------------------ games with a known truth

CARDS = tuple(
    Card(f"c{k}", k, 1, (("type", "ab"[k % 2]), ("cost", str(1 + k // 4)))) for k in range(8)
)
STRENGTH = np.array([0.0, 1.2, 0.5, 0.3, 0.0, 0.0, 0.0, -0.6])


def games_of(
    random: np.random.Generator, games: int, denied: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Winners (games,) and who takes which card (games, 4, 8) of a made-up game.

    Each seat has a head start by luck. c0 does nothing and is taken by those ahead; c1 is good and
    taken by those behind; the others by every other seat. A card taken adds its strength.
    """
    luck = random.normal(0, 1.2, (games, 4))
    takes = random.random((games, 4, 8)) < 0.5
    takes[:, :, 0] = luck > 0.6
    takes[:, :, 1] = luck < -0.6
    takes &= ~denied
    power = np.exp(luck + takes @ STRENGTH)
    power /= power.sum(axis=1, keepdims=True)
    winners = (power.cumsum(axis=1) < random.random((games, 1))).sum(axis=1)
    return winners, takes


def made_up(seed: int, games: int = 20_000, a_play: int = 600) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    winners, takes = games_of(random, games, np.zeros((4, 8), bool))
    replicate = np.arange(games) % 32
    taken = np.zeros((32, 8), np.int64)
    won = np.zeros((32, 8), np.int64)
    for seat in range(4):
        np.add.at(taken, replicate, takes[:, seat])
        np.add.at(won, replicate, 12 * (takes[:, seat] & (winners == seat)[:, None]))
    seen = np.full((32, 8), games // 32, np.int64)
    counts = CardCounts(games, 4, 12 * games, seen, taken, won, taken * 0)
    denied = denial(8, 4, 96, 0.25, seed)
    sums = []
    for row in denied:
        winners, takes = games_of(random, a_play, row)
        wins = 12 * np.bincount(winners, minlength=4)
        bought = takes.sum(axis=(0, 1))
        sums.append(
            TrialSums(np.array([a_play]), wins[None], np.array([0]), bought[None].astype(np.int64))
        )
    return cards_frame(counts, TrialSums.joined(sums), denied, CARDS, 1, 0.95)


def test_the_naive_figure_is_found_out() -> None:
    """c0 does nothing and is bought by leaders; c1 wins games and is bought by those behind."""
    found = made_up(1).set_index("card")
    assert found.loc["c0", "lift"] > 0.12
    assert found.loc["c0", "low"] < 0 < found.loc["c0", "high"]
    assert found.loc["c0", "verdict"] == "flatters"
    assert found.loc["c1", "lift"] < -0.05
    assert found.loc["c1", "per_purchase_low"] > 0.03
    assert found.loc["c1", "verdict"] == "belittles"
    assert found.loc["c2", "low"] > 0
    assert found.loc["c7", "high"] < 0
    assert found.loc["c2", "verdict"] == ""
    for name in ("c4", "c5", "c6"):
        assert found.loc[name, "low"] < 0 < found.loc[name, "high"]
    deck, _ = cards_of(setting())
    said = naive_sentence(found.reset_index(), deck)
    assert said.startswith("“Won when bought” misleads for 2 cards of 8: it flatters 1")


def test_the_gap_holds_wherever_both_figures_hold() -> None:
    found = made_up(2)
    others = (0.25 - found["bought"] * found["naive"]) / (1 - found["bought"])
    assert np.allclose(found["lift"], found["naive"] - others)
    assert np.allclose(found["gap"], found["lift"] - found["per_purchase"])
    assert np.allclose(found["gap_low"], found["lift_low"] - found["per_purchase_high"])
    assert np.allclose(found["gap_high"], found["lift_high"] - found["per_purchase_low"])
    assert (found["per_purchase"] * found["buyers"]).to_numpy() == pytest.approx(
        found["estimate"].to_numpy()
    )
    assert found["estimate"].is_monotonic_decreasing


def test_a_card_that_nobody_takes_has_no_figure_a_purchase() -> None:
    none = np.zeros((32, 1), int)
    counts = CardCounts(320, 4, 12 * 320, np.full((32, 1), 10), none, none, none)
    denied = denial(1, 4, 32, 0.25, 1)
    wins = np.random.default_rng(0).multinomial(100, [0.25] * 4, 32) * 12
    sums = TrialSums(np.full(32, 100), wins, np.zeros(32, int), np.zeros((32, 1), int))
    row = cards_frame(counts, sums, denied, CARDS[:1], 1, 0.95).iloc[0]
    assert np.isnan(row["per_purchase"])
    assert np.isnan(row["naive"])
    assert (row["naive_low"], row["naive_high"], row["verdict"]) == (0, 1, "")


def test_classes_keep_the_order_of_numbers() -> None:
    cards = [Card("x", 0, 1, (("cost", "10"),)), Card("y", 1, 1, (("cost", "9"),))]
    assert kinds_of_class(cards) == {"cost": ["9", "10"]}
    assert kinds_of_class(CARDS) == {"type": ["a", "b"], "cost": ["1", "2"]}


# --------------------------------------------------------------------------------- the game itself


def test_all_cards_have_a_row_and_the_naive_figure_is_that_of_pandas() -> None:
    where, answer, sums = asked()
    cards = answer.frames["cards"]
    assert sorted(cards["card"]) == sorted(where.rules.model.adventure)
    chunks = []
    one = Play("as it is")
    for _, (chunk,) in play([batch(where, one)], 0, where.games, lambda c: c, threads=1):
        chunks.append(chunk)
    numbers = {card.name: card.number for card in cards_of(where)[1]}
    long = pd.concat(
        pd.DataFrame(
            {
                "card": name,
                "replicate": np.repeat(np.arange(32), 4),
                "games": chunk.counters["bought"][:, :, number, 0].reshape(-1),
                "won": chunk.counters["bought"][:, :, number, 1].reshape(-1) / 12,
            }
        )
        for chunk in chunks
        for name, number in numbers.items()
    )
    other = long.groupby("card")[["games", "won"]].sum()
    found = cards.set_index("card")
    assert (other["won"] / other["games"]).loc[found.index].to_numpy() == pytest.approx(
        found["naive"].to_numpy(), nan_ok=True
    )
    assert (other["games"] / where.games / 4).loc[found.index].to_numpy() == pytest.approx(
        found["bought"].to_numpy()
    )
    assert sums["as it is"].games == where.games
    assert len(answer.sentences) >= 4


def test_cards_forbidden_to_a_seat_are_not_bought_by_it() -> None:
    """What the trial rests on, by the counters of its plays: slot is seat where none rotates."""
    where = setting(40)
    design = seat_design(where)
    plays = card_value.forbidden_plays(where)
    _, cards = cards_of(where)
    numbers = [card.number for card in cards]
    for number in (0, 7):
        for _, (chunk,) in play([batch(where, plays[number])], 0, 40, lambda c: c, threads=1):
            bought = chunk.counters["bought"][:, :, numbers, 0].sum(axis=0)
            assert not bought[design[number]].any()
            assert bought[~design[number]].sum() > 100


def test_an_absurdly_strong_card_is_worth_a_lot_and_an_empty_one_nothing() -> None:
    """A card that carries a hero to the key alone; one that says nothing."""
    where = setting(
        160,
        adventure__strength__gives="15 red, 15 blue, 15 gold",
        adventure__strength__cost=1,
        adventure__charm__gives="nothing",
        adventure__charm__bonus="",
    )
    deck, _ = cards_of(where)
    columns = card_value.example_columns(deck, 4)
    sums = {}
    for name in ("strength", "charm"):
        group = Group(
            name,
            example_plays(deck, name, 4),
            lambda chunks: BlockSums.of(chunks, columns, 1),
        )
        sums[name] = summed(where, group)
    found = card_value.examples_frame(sums, deck, 4, 0.95)
    worth = found[(found["what"] == "worth") & found["seat"].isna()].set_index("card")
    assert worth.loc["strength", "low"] > 0.02
    assert abs(worth.loc["charm", "estimate"]) < 0.06
    length = found[found["what"] == "length"].set_index("card")
    assert length.loc["strength", "high"] < 0


def test_examples_are_those_of_a_slow_count() -> None:
    where, answer, _ = asked()
    deck, _ = cards_of(where)
    examples = answer.frames["examples"]
    name = "iron_bark"
    plays = example_plays(deck, name, 4)
    games = round(where.games * card_value.EXAMPLE_SHARE)
    rows: list[Chunk] = []
    for one in plays:
        ((_, (chunk,)),) = play([batch(where, one)], 0, games, lambda c: c, threads=1)
        rows.append(chunk)
    own = examples[(examples["card"] == name) & (examples["what"] == "worth")]
    gains = np.array(
        [(rows[0].seats["win"][:, s] - rows[2 + s].seats["win"][:, s]) / 12 for s in range(4)]
    )
    for seat in range(4):
        assert own[own["seat"] == seat + 1]["estimate"].iloc[0] == pytest.approx(gains[seat].mean())
    average = own[own["seat"].isna()].iloc[0]
    assert average["estimate"] == pytest.approx(gains.mean())
    half = stats.t.isf(0.025 / examples["card"].nunique(), games - 1)
    half *= stats.sem(gains.mean(axis=0))
    assert average["high"] - average["estimate"] == pytest.approx(half)
    turns = examples[(examples["card"] == name) & (examples["what"] == "length")].iloc[0]
    difference = rows[0].games["turns"].mean() - rows[1].games["turns"].mean()
    assert turns["estimate"] == pytest.approx(difference)


def test_classes_of_one_card_each_are_the_cards() -> None:
    """Where every card is a class of its own, a class is worth what the card is."""
    _, _, sums = asked()
    where = setting()
    design = seat_design(where)
    parts = [sums[name] for name in sums if name.startswith("forbidden")]
    trial = TrialSums.joined(parts)
    _, cards = cards_of(where)
    own = tuple(dataclasses.replace(card, classes=(("name", card.name),)) for card in cards[:12])
    found = classes_frame(trial, design[:, :, :12], own, 0.95)
    values = cards_frame(sums["as it is"], trial, design[:, :, :12], cards[:12], 1, 0.95)
    expected = values.set_index("card")["estimate"]
    all_seats = found[found["seat"].isna()].set_index("value")["estimate"]
    assert all_seats.loc[expected.index].to_numpy() == pytest.approx(expected.to_numpy())


def test_a_game_without_cards_is_refused() -> None:
    assert not has_cards(load_game("wizard_miners"))
    with pytest.raises(UserError, match="'card_value' is not for wizard_miners; it is for dobbers"):
        load_question("card_value", "wizard_miners", 4)
    with pytest.raises(UserError, match="is for 2 players or more"):
        load_question("card_value", "dobbers", 1)
