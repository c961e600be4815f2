from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.heroes import (
    MARGIN,
    abilities_frame,
    balance_frames,
    balance_sentence,
    given_columns,
    given_frame,
    given_plays,
    held_frame,
    held_sums,
    heroes_of,
    kinds_frame,
    verdict,
)
from analysis.intervals import Interval
from analysis.paired import BlockSums
from tests.analysis.dobbers_games import made, one_winner
from tests.reports.answers import ask, setting

HEROES = {"ann": "1 gold", "bob": "1 gold", "cid": "none"}
PLAYERS = 2
GAMES = 400


@pytest.fixture(scope="module")
def wins() -> list[np.ndarray]:
    """Wins of every play, in the order of the plays: heroes of different strength."""
    rng = np.random.default_rng(7)
    luck = rng.random(GAMES)
    found = []
    for play in given_plays(list(HEROES), PLAYERS):
        (hero,) = [h for h in play.handicaps["force_hero"] if h]
        seat = [bool(h) for h in play.handicaps["force_hero"]].index(True)
        void = any(play.handicaps.get("void_hero", []))
        chance = 0.5 if void else (0.7, 0.6, 0.5)[hero - 1]
        own = luck < chance if seat == 0 else luck > 1 - chance
        winner = np.where(own, seat, 1 - seat)
        found.append(12 * np.eye(2, dtype=np.int64)[winner])
    return found


@pytest.fixture(scope="module")
def sums(wins: list[np.ndarray]) -> BlockSums:
    chunks = [made(GAMES, PLAYERS, win=win) for win in wins]
    return BlockSums.of(chunks, given_columns(len(HEROES), PLAYERS), 1)


def test_every_hero_is_given_to_every_seat_with_and_without_its_ability() -> None:
    plays = given_plays(["ann", "bob"], 3)
    assert len(plays) == 12
    given = [tuple(play.handicaps["force_hero"]) for play in plays]
    assert set(given) == {(h, 0, 0) for h in (1, 2)} | {(0, h, 0) for h in (1, 2)} | {
        (0, 0, h) for h in (1, 2)
    }
    for play in plays:
        void = play.handicaps.get("void_hero")
        if void is not None:
            assert [bool(v) for v in void] == [bool(h) for h in play.handicaps["force_hero"]]
    assert sum("void_hero" in play.handicaps for play in plays) == 6


def test_rates_of_a_given_hero_are_plain_shares(sums: BlockSums, wins: list[np.ndarray]) -> None:
    found = given_frame(sums, HEROES, PLAYERS, 0.95)
    for hero in range(3):
        for seat in range(PLAYERS):
            row = found[(found["hero"] == list(HEROES)[hero]) & (found["seat"] == seat + 1)]
            won = int((wins[2 * (hero * PLAYERS + seat)][:, seat] > 0).sum())
            assert row["estimate"].iloc[0] == pytest.approx(won / GAMES)
            # six single seats hold together; Student's quantile makes it a little wider
            low, high = proportion_confint(won, GAMES, 0.05 / 6, "wilson")
            assert row["low"].iloc[0] == pytest.approx(low, abs=2e-3)
            assert row["high"].iloc[0] == pytest.approx(high, abs=2e-3)


def test_the_distance_from_the_average_hero_is_a_paired_mean(
    sums: BlockSums, wins: list[np.ndarray]
) -> None:
    balance, spread = balance_frames(sums, HEROES, PLAYERS, 0.95)
    table = np.stack(
        [
            np.mean([wins[2 * (hero * PLAYERS + s)][:, s] / 12 for s in range(PLAYERS)], axis=0)
            for hero in range(3)
        ]
    )  # heroes, games
    away = table - table.mean(axis=0)
    rows = balance[balance["seat"].isna()].reset_index(drop=True)
    for hero in range(3):
        test = stats.ttest_1samp(away[hero], 0).confidence_interval(1 - 0.05 / 3)
        assert rows["estimate"][hero] == pytest.approx(away[hero].mean())
        assert (rows["low"][hero], rows["high"][hero]) == pytest.approx((test.low, test.high))
    assert rows["estimate"].sum() == pytest.approx(0)
    apart = spread[spread["seat"].isna()].iloc[0]
    assert apart["estimate"] == pytest.approx(rows["estimate"].max() - rows["estimate"].min())
    assert apart["low"] <= apart["estimate"] <= apart["high"]
    assert list(rows["verdict"]) == ["strong", "fair", "weak"]
    assert balance_sentence(balance, spread).startswith("The heroes are not fair: 2 of 3")


def test_an_ability_is_worth_what_voiding_it_costs(sums: BlockSums, wins: list[np.ndarray]) -> None:
    found = abilities_frame(sums, HEROES, PLAYERS, 0.95)
    for hero, name in enumerate(HEROES):
        for seat in range(PLAYERS):
            play = 2 * (hero * PLAYERS + seat)
            effect = (wins[play][:, seat] - wins[play + 1][:, seat]).mean() / 12
            row = found[(found["hero"] == name) & (found["seat"] == seat + 1)].iloc[0]
            assert row["estimate"] == pytest.approx(effect)
            assert row["changed"] - row["without"] == pytest.approx(effect)
    none = found[found["hero"] == "cid"]
    assert (none["estimate"] == 0).all()
    kinds = kinds_frame(sums, HEROES, PLAYERS, 0.95).set_index("ability")
    assert kinds.loc["1 gold", "heroes"] == 2
    gold = found[found["seat"].isna() & (found["ability"] == "1 gold")]
    assert kinds.loc["1 gold", "estimate"] == pytest.approx(gold["estimate"].mean())


def test_rates_of_holders_are_those_of_pandas() -> None:
    rng = np.random.default_rng(3)
    hero = np.array([rng.permutation(3)[:2] for _ in range(300)])
    win = one_winner(rng, 300, [0.6, 0.4])
    whole = made(300, 2, hero=hero, win=win)
    parts = [
        held_sums(made(100, 2, first=a, hero=hero[a : a + 100], win=win[a : a + 100]), 3, 1)
        for a in (0, 100, 200)
    ]
    found = held_frame(parts[0] + parts[1] + parts[2], HEROES, 2, 0.95)
    pd.testing.assert_frame_equal(found, held_frame(held_sums(whole, 3, 1), HEROES, 2, 0.95))
    rows = pd.DataFrame({"hero": hero.ravel(), "seat": [1, 2] * 300, "won": win.ravel() / 12})
    for seat in (None, 1, 2):
        own = rows if seat is None else rows[rows["seat"] == seat]
        wanted = own.groupby("hero")["won"].agg(["mean", "count"])
        got = found[found["seat"].isna() if seat is None else found["seat"] == seat]
        assert list(got["estimate"]) == pytest.approx(list(wanted["mean"]))
        assert list(got["games"]) == list(wanted["count"])
        assert list(got["picked"]) == pytest.approx([n / 300 for n in wanted["count"]])


def test_verdicts_go_by_the_margin() -> None:
    def interval(low: float, high: float) -> Interval:
        return Interval((low + high) / 2, low, high, 0.95, 100, "")

    assert verdict(interval(-MARGIN, MARGIN), MARGIN) == "fair"
    assert verdict(interval(MARGIN + 1e-9, 1), MARGIN) == "strong"
    assert verdict(interval(-1, -MARGIN - 1e-9), MARGIN) == "weak"
    assert verdict(interval(0, 2 * MARGIN), MARGIN) == "undecided"


def test_equal_heroes_are_worth_the_same_and_one_without_ability_nothing() -> None:
    where = setting(("runner",) * 2, 80, name="dobbers", heroes__toby__gives="")
    answer = ask("heroes", where)
    given = answer.frames["given"]
    assert len(heroes_of(where)) == 16
    assert heroes_of(where)["toby"] == "none"
    assert heroes_of(where)["grim_hollis"] == "1 red every other turn"
    one = given[given["hero"] == "grim_hollis"].reset_index(drop=True)
    other = given[given["hero"] == "two_moon_sera"].reset_index(drop=True)
    assert list(one["estimate"]) == list(other["estimate"])
    abilities = answer.frames["abilities"]
    assert (abilities[abilities["hero"] == "toby"]["estimate"] == 0).all()
    assert (abilities[abilities["hero"] != "toby"]["estimate"] != 0).any()
    held = answer.frames["held"]
    assert held[held["seat"].isna()]["games"].sum() == 2 * 80
