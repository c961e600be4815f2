from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis import strategies
from analysis.paired import BlockSums
from analysis.question import Answer, Play, Setting
from analysis.strategies import (
    OPTIONS,
    QUESTION,
    cycle_sentence,
    options_frame,
    options_sentence,
    strategies_of,
)
from sim.batch import Batch, Chunk, play
from sim.game import Option, load_game
from strategies.presets import presets_of
from strategies.resolve import lineup

GAME = load_game("wizard_miners")
SHIPPED = tuple(presets_of(GAME))
FIELD = ("drill_first",) * 4


def setting(seats: tuple[str, ...] = FIELD, games: int = 640, **changes: Any) -> Setting:
    return dataclasses.replace(
        Setting(GAME, GAME.load(None, {}), seats, False, games, 5), **changes
    )


def chunk_of(who: np.ndarray, rotations: int) -> Chunk:
    """Games won by these seats (-1: by nobody), seats rotated."""
    games = np.zeros(len(who), GAME.game_row)
    games["game"] = np.arange(len(who))
    seats = np.zeros((len(who), 4), GAME.seat_row)
    seats["slot"] = (np.arange(4) + (games["game"] % rotations)[:, None]) % 4
    seats["win"] = 12 * (np.arange(4) == who[:, None])
    return Chunk(0, games, seats, {})


def planted(where: Setting, one: Play, strength: Mapping[str, float], n: int) -> Chunk:
    """Games that seats win in proportion to the strength of who sits there."""
    line = one.seats or where.seats
    rng = np.random.default_rng(list(one.name.encode()))
    rotation = np.arange(n) % where.rotations
    slots = (np.arange(4) + rotation[:, None]) % 4
    weights = np.array([strength[name] for name in line])[slots]
    edges = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    return chunk_of((rng.random(n)[:, None] > edges).sum(axis=1), where.rotations)


def asked(where: Setting, strength: Mapping[str, float], n: int) -> Answer:
    sums = {
        group.name: group.reduce(tuple(planted(where, one, strength, n) for one in group.plays))
        for group in QUESTION.groups(where)
    }
    return QUESTION.answer(where, sums)


# ------------------------------------------------------------------------------------ the plays


def test_strategies_of_the_lineup_join_those_that_ship():
    where = setting(("builder", "cleaner:blunder=0.2", "builder", "cleaner"))
    assert strategies_of(where) == (*SHIPPED, "cleaner:blunder=0.2")


@pytest.mark.parametrize("rotate", [False, True])
def test_one_sits_in_every_seat_among_every_field(rotate):
    where = setting(rotate=rotate)
    groups = {g.name: g for g in QUESTION.groups(where)}
    plays = groups["field of cleaner"].plays
    pairs = [one.seats for one in plays]
    places = 1 if rotate else 4
    assert len(pairs) == (len(SHIPPED) - 1) * places
    for seats in pairs:
        assert seats is not None
        assert seats.count("cleaner") == 1
        assert len(set(seats)) == 2
    assert {seats.index("cleaner") for seats in pairs if seats} == set(range(places))
    # a cell has the same number of games either way
    share = groups["field of cleaner"].share
    assert share * places == pytest.approx(strategies.CELL_SHARE)


def test_each_option_is_denied_to_each_seat_alone():
    (options,) = [g for g in QUESTION.groups(setting()) if g.name == OPTIONS]
    assert options.plays[0].handicaps == {}
    assert len(options.plays) == 1 + 4 * len(GAME.options)
    for one in options.plays[1:]:
        ((field, values),) = one.handicaps.items()
        assert sum(value != 0 for value in values) == 1
        GAME.make_tables(GAME.load(None, {}).model, 4, one.handicaps)  # is accepted
        assert field in {option.handicap for option in GAME.options}


# ------------------------------------------------------------------------------------ the frames

STRENGTH = dict.fromkeys(SHIPPED, 1.0) | {"passive": 0.0001, "sprinter": 3.0, "builder": 2.0}


@pytest.mark.parametrize("rotate", [False, True])
def test_planted_strengths_are_found(rotate):
    where = setting(rotate=rotate)
    found = asked(where, STRENGTH, 4000)
    matrix = found.frames["matrix"].set_index(["strategy", "field"])
    assert len(matrix) == len(SHIPPED) * (len(SHIPPED) - 1)
    for (one, other), row in matrix.iterrows():
        truth = STRENGTH[one] / (STRENGTH[one] + 3 * STRENGTH[other])
        assert row["low"] <= truth <= row["high"], (one, other)
        assert row["games"] == (4000 if rotate else 16000)
    assert matrix["verdict"]["sprinter", "cleaner"] == "better"
    assert matrix["verdict"]["passive", "cleaner"] == "worse"
    assert matrix["verdict"]["cleaner", "random"] == "undecided"
    assert found.frames["overall"]["strategy"].iloc[0] == "sprinter"
    assert "sprinter is the best all-round strategy" in found.sentences[0]
    assert "hardest field is builder" in found.sentences[0]


def test_matrix_is_plain_wins_over_games():
    where = setting()
    found = asked(where, STRENGTH, 400)
    (group,) = [g for g in QUESTION.groups(where) if g.name == "field of builder"]
    wins: dict[str, list[float]] = {}
    for one in group.plays:
        assert one.seats is not None
        at = one.seats.index("builder")
        (field,) = set(one.seats) - {"builder"}
        wins.setdefault(field, []).append(
            planted(where, one, STRENGTH, 400).seats["win"][:, at].mean() / 12
        )
    own = found.frames["matrix"].query("strategy == 'builder'").set_index("field")["estimate"]
    assert own.to_dict() == pytest.approx({field: np.mean(w) for field, w in wins.items()})
    overall = found.frames["overall"].set_index("strategy")["estimate"]
    assert overall["builder"] == pytest.approx(np.mean(list(wins.values())))


def test_cell_has_wilsons_interval_at_the_joint_level():
    """Places with luck of their own make independent games."""
    where = setting()
    names, n = strategies_of(where), 3000
    rng = np.random.default_rng(2)
    together = len(names) * (len(names) - 1)
    chunks = [
        chunk_of(np.where(rng.random(n) < 0.4, place, (place + 1) % 4), 1)
        for place in [0, 1, 2, 3] * (len(names) - 1)
    ]
    (group,) = [g for g in QUESTION.groups(where) if g.name == "field of random"]
    sums = group.reduce(tuple(chunks))
    assert isinstance(sums, BlockSums)
    row = strategies.matrix_frame({"random": sums}, where).iloc[0]
    wins = sum(int((c.seats["win"][:, p] > 0).sum()) for p, c in enumerate(chunks[:4]))
    low, high = proportion_confint(wins, 4 * n, 0.05 / together, "wilson")
    assert row["estimate"] == pytest.approx(wins / 4 / n)
    assert row["low"] == pytest.approx(low, abs=1.5e-3)
    assert row["high"] == pytest.approx(high, abs=1.5e-3)
    assert row["level"] == 0.95


def option_chunks(gains: list[float], n: int, seed: int = 1) -> list[Chunk]:
    """Plays of two options: a denied seat wins less often, by its option's gain, on shared luck."""
    rng = np.random.default_rng(seed)
    u, other = rng.random(n), rng.random(n)

    def who(seat: int, share: float) -> np.ndarray:
        rest = [s for s in range(4) if s != seat]
        return np.where(u < share, seat, np.array(rest)[(other * 3).astype(int)])

    base = who(0, 0.25)
    chunks = [chunk_of(base, 1)]
    for gain in gains:
        for seat in range(4):
            lost = (base == seat) & (rng.random(n) < gain)
            chunks.append(chunk_of(np.where(lost, (seat + 1) % 4, base), 1))
    return chunks


SOME_OPTIONS = (Option("spells", "forbid_spells", 1), Option("dynamite", "forbid_dynamite", 1))


def test_worth_of_an_option_is_the_paired_loss():
    chunks = option_chunks([0.4, 0.0], 5000)
    sums = BlockSums.of(chunks, strategies.option_columns(SOME_OPTIONS, 4), 1)
    found = options_frame(sums, SOME_OPTIONS, 4, 0.95)
    base = chunks[0].seats["win"] / 12
    lost = np.stack([base[:, s] - chunks[1 + s].seats["win"][:, s] / 12 for s in range(4)], axis=1)
    average = found[(found["option"] == "spells") & found["seat"].isna()].iloc[0]
    mean = lost.mean(axis=1)
    interval = stats.ttest_1samp(mean, 0).confidence_interval(1 - 0.05 / 2)
    assert average["estimate"] == pytest.approx(mean.mean())
    assert (average["low"], average["high"]) == pytest.approx(tuple(interval))
    assert average["discordance"] == pytest.approx((lost != 0).mean())
    assert average["without"] == pytest.approx(0.25)
    assert average["changed"] == pytest.approx(0.25 - mean.mean())
    third = found[(found["option"] == "spells") & (found["seat"] == 3)].iloc[0]
    interval = stats.ttest_1samp(lost[:, 2], 0).confidence_interval(1 - 0.05 / 8)
    assert (third["low"], third["high"]) == pytest.approx(tuple(interval))
    nothing = found[(found["option"] == "dynamite") & found["seat"].isna()].iloc[0]
    assert nothing["estimate"] == 0
    assert not np.signbit(nothing["estimate"])
    assert nothing["low"] < 0 < nothing["high"]  # what is never seen has a bound, not a zero width


def test_options_sentence_names_what_shows_and_what_does_not():
    chunks = option_chunks([0.4, 0.0], 5000)
    sums = BlockSums.of(chunks, strategies.option_columns(SOME_OPTIONS, 4), 1)
    said = options_sentence(options_frame(sums, SOME_OPTIONS, 4, 0.95))
    assert "as played by this lineup: spells 9" in said or "lineup: spells 10" in said
    assert said.endswith("for dynamite so many games show no difference.")
    harmless = BlockSums.of(
        option_chunks([0.0, 0.0], 500), strategies.option_columns(SOME_OPTIONS, 4), 1
    )
    said = options_sentence(options_frame(harmless, SOME_OPTIONS, 4, 0.95))
    assert said.startswith("Forbidding a seat spells or dynamite makes no difference")


def test_harmful_option_is_worth_less_than_nothing():
    base, *denied = option_chunks([0.0, 0.0], 5000)
    who = base.seats["win"].argmax(axis=1)
    gift = np.arange(5000) % 9 == 0
    chunks = [base, *(chunk_of(np.where(gift, i % 4, who), 1) for i in range(len(denied)))]
    sums = BlockSums.of(chunks, strategies.option_columns(SOME_OPTIONS, 4), 1)
    found = options_frame(sums, SOME_OPTIONS, 4, 0.95)
    assert (found[found["seat"].isna()]["high"] < 0).all()
    assert "the seat wins more where it is forbidden" in options_sentence(found)


# -------------------------------------------------------------------------------------- in words


def beats(*pairs: str) -> pd.DataFrame:
    rows = [(a, b, "better" if a + b in pairs else "worse") for a in "abc" for b in "abc" if a != b]
    return pd.DataFrame(rows, columns=["strategy", "field", "verdict"])


def test_cycle_is_told_and_an_order_is_not():
    assert "a does better than fair among players of b" in cycle_sentence(beats("ab", "bc", "ca"))
    assert cycle_sentence(beats("ab", "bc", "ac")) == ""
    # b is better among a as well, so there is no ring
    assert cycle_sentence(beats("ab", "ba", "bc", "ca")) == ""


def test_best_strategy_is_not_called_all_round_where_it_loses():
    strength = dict.fromkeys(SHIPPED, 1.0)
    found = asked(setting(), strength, 200)
    assert "all-round" not in found.sentences[0]
    assert f"in 0 of {len(SHIPPED) - 1} fields" in found.sentences[0]


def test_game_without_options_is_asked_for_strategies_only():
    bare = setting(game=dataclasses.replace(GAME, options=()))
    found = asked(bare, STRENGTH, 200)
    assert set(found.frames) == {"matrix", "overall"}


# ------------------------------------------------------------------------------------ real games


def test_real_games_give_the_answer():
    where = setting(("builder",) * 4, 64)

    def games_of(one: Play) -> Chunk:
        seats = one.seats or where.seats
        tables = GAME.make_tables(where.rules.model, 4, one.handicaps)
        batch = Batch(GAME, tables, lineup(GAME, seats), where.seed, 1)
        ((_, (chunk,)),) = play([batch], 0, 16, lambda c: c, threads=1)
        return chunk

    sums = {g.name: g.reduce(tuple(map(games_of, g.plays))) for g in QUESTION.groups(where)}
    found = QUESTION.answer(where, sums)
    matrix = found.frames["matrix"].set_index(["strategy", "field"])["estimate"]
    assert matrix["builder", "passive"] == 1
    assert matrix["passive", "builder"] == 0
    assert len(found.frames["options"]) == 5 * len(GAME.options)
    assert len(found.sentences) >= 3
