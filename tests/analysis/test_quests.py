from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.quests import (
    Book,
    choice_frame,
    choice_sentence,
    numbers_frame,
    player_columns,
    players_frame,
    quest_sums,
    spaces_frame,
    spaces_sentence,
    ways_frame,
    ways_sentence,
)
from sim.near_and_far.outcome import COUNTERS
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2


def drawn(rng: np.random.Generator, book: Book, games: int) -> np.ndarray:
    """Tokens laid in `games` games of each replicate, drawn without replacement."""
    tokens = np.zeros(COUNTERS["tokens"].shape, np.int64)
    for replicate in range(len(tokens)):
        for _ in range(games):
            spaces = rng.choice(book.spaces, book.tokens, replace=False)
            tokens[replicate, spaces] += 1
    return tokens


def attempts(rng: np.random.Generator, book: Book) -> np.ndarray:
    """Attempts that succeed more rarely where more is asked; half of those done earn the bonus."""
    quests = np.zeros(COUNTERS["quests"].shape, np.int64)
    for place, space in enumerate(book.spaces):
        for way in range(2):
            chance = 1 - 0.08 * book.numbers[place, way]
            tried = rng.integers(20, 40, len(quests))
            done = rng.binomial(tried, chance)
            bonus = rng.binomial(done, 0.5)
            quests[:, space, way] = np.stack([tried - done, done - bonus, bonus], axis=1)
    return quests


def test_quests_are_read_from_the_map() -> None:
    where = setting(TWO, name=NAME)
    book = Book.of(where)
    assert len(book.spaces) == 16
    assert book.tokens == 7  # three a player and one
    listed = {quest.space: quest for quest in where.rules.model.quests.values()}
    for name, (skill, combat) in zip(book.names, book.numbers.tolist(), strict=True):
        assert (listed[name].skill, listed[name].combat) == (skill, combat)


def test_success_by_way_and_number_is_that_of_the_attempts() -> None:
    book = Book.of(setting(TWO, name=NAME))
    quests = attempts(np.random.default_rng(1), book)
    counts = book.own(quests)
    flat = pd.DataFrame(
        [
            {
                "way": ("skill", "combat")[way],
                "number": int(book.numbers[place, way]),
                "harder": int(book.numbers[place, 0] - book.numbers[place, 1]),
                "tried": int(counts[:, place, way].sum()),
                "done": int(counts[:, place, way, 1:].sum()),
                "bonus": int(counts[:, place, way, 2].sum()),
            }
            for place in range(16)
            for way in range(2)
        ]
    )
    ways = ways_frame(counts, 0.95).set_index(["way", "quantity"])
    skill = flat[flat["way"] == "skill"]
    assert ways.loc[("skill", "done"), "estimate"] == pytest.approx(
        skill["done"].sum() / skill["tried"].sum()
    )
    assert ways.loc[("all", "bonus"), "estimate"] == pytest.approx(
        flat["bonus"].sum() / flat["done"].sum()
    )
    assert ways.loc[("skill", "done"), "share"] == pytest.approx(
        skill["tried"].sum() / flat["tried"].sum()
    )
    each = counts[:, :, 0].sum(axis=(1, 2)) / counts.sum(axis=(1, 2, 3))
    spread = ways.loc[("skill", "done"), "share_high"] - ways.loc[("skill", "done"), "share_low"]
    jack = 2 * stats.sem(each) * stats.t.isf(0.025, len(each) - 1)  # attempts are nearly as many
    assert spread == pytest.approx(jack, rel=0.1)
    assert ways.loc[("all", "done"), ["share", "share_low", "share_high"]].tolist() == [1, 1, 1]
    numbers = numbers_frame(counts, book, 0.999).set_index(["way", "number"])
    for key, rows in flat.groupby(["way", "number"]):
        row = numbers.loc[key]
        assert row["estimate"] == pytest.approx(rows["done"].sum() / rows["tried"].sum())
        assert row["low"] < 1 - 0.08 * key[1] < row["high"]
    choice = choice_frame(counts, book, 0.95).set_index("harder")
    for more, rows in flat.groupby("harder"):
        own = rows[rows["way"] == "skill"]["tried"].sum() / rows["tried"].sum()
        assert choice.loc[more, "estimate"] == pytest.approx(own)
    assert "earn the bonus" in ways_sentence(ways.reset_index())
    assert "of attempts" in choice_sentence(choice.reset_index())
    empty = book.own(np.zeros_like(quests))
    assert ways_sentence(ways_frame(empty, 0.95)) == "Nobody tried a quest."
    assert choice_sentence(choice_frame(empty, book, 0.95)) == ""


def test_a_fair_draw_agrees_with_its_exact_chance_and_another_does_not() -> None:
    book = Book.of(setting(TWO, name=NAME))
    rng = np.random.default_rng(2)
    counts = book.own(attempts(rng, book))
    tokens = drawn(rng, book, 40)
    found = spaces_frame(counts, tokens, book, 0.999)
    assert (found["exact"] == 7 / 16).all()
    assert found["inside"].all()
    share = tokens[:, book.spaces[3]] / 40  # as many games in each replicate
    assert found.loc[3, "laid"] == pytest.approx(share.mean())
    half = stats.sem(share) * stats.t.isf(0.001 / 16 / 2, 31)
    assert found.loc[3, "laid_high"] - found.loc[3, "laid"] == pytest.approx(half)
    assert found.loc[3, "tried"] == pytest.approx(
        counts[:, 3].sum() / tokens[:, book.spaces[3]].sum()
    )
    tried = counts[:, 3].sum(axis=(1, 2))
    laid = tokens[:, book.spaces[3]]
    off = tried - found.loc[3, "tried"] * laid  # linearised by hand
    error = np.sqrt((off**2).sum() / 32 / 31) / laid.mean()
    half = error * stats.t.isf(0.0005, 31)
    assert found.loc[3, "tried_high"] - found.loc[3, "tried"] == pytest.approx(half)
    assert "all intervals hold that" in spaces_sentence(found, 0.999)
    assert "is tried most" in spaces_sentence(found, 0.999)
    alike = spaces_sentence(found.assign(tried=1.0), 0.999)
    assert "Each token is tried as often, wherever it lies" in alike
    equal = spaces_sentence(found.assign(tried=0.5, tried_high=np.inf, tried_n=32), 0.999)
    assert "0.50 times, alike in 32 replicates" in equal
    assert "tried" not in spaces_sentence(found.assign(tried=np.nan, tried_n=0), 0.999)
    one, other = book.spaces[:2]
    tokens[:, one] += tokens[:, other] // 2
    tokens[:, other] -= tokens[:, other] // 2
    loaded = spaces_frame(counts, tokens, book, 0.999)
    assert not loaded["inside"][:2].any()
    assert "another share of games" in spaces_sentence(loaded, 0.999)


def test_players_are_told_apart_by_seat() -> None:
    rng = np.random.default_rng(3)
    tried = rng.integers(0, 6, (60, 2))
    chunk = made(60, 2, quests_tried=tried, quests_done=rng.binomial(tried, 0.8))
    sums = quest_sums(chunk, TWO, 1).blocks
    assert set(player_columns(TWO)) == set(sums.columns)
    found = players_frame(sums, TWO, 0.95).set_index(["who", "quantity"])["estimate"]
    done = chunk.seats["quests_done"].astype(int)
    assert found["seat 2", "tried"] == pytest.approx(tried[:, 1].mean())
    assert found["seat 1", "success"] == pytest.approx(done[:, 0].sum() / tried[:, 0].sum())
    assert found["all players", "done"] == pytest.approx(done.mean())


def test_real_games_are_answered() -> None:
    found = ask("quests", setting(TWO, 160, name=NAME))
    spaces = found.frames["spaces"]
    assert spaces["laid"].sum() == pytest.approx(7)
    ways = found.frames["ways"].set_index(["way", "quantity"])
    players = found.frames["players"].set_index(["who", "quantity"])["estimate"]
    # two routes to the same figure: counters and rows
    assert ways.loc[("all", "done"), "estimate"] == pytest.approx(
        players["all players", "success"], abs=1e-9
    )
    assert ways.loc[("all", "done"), "tried"] == pytest.approx(
        players["all players", "tried"] * 320
    )
    assert len(found.sentences) == 5
