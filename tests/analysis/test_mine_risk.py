from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.mine_risk import (
    PUSH,
    Deck,
    bare_frame,
    bare_sentence,
    best_digging,
    deck_frame,
    find_pusher,
    push_columns,
    push_frame,
    push_plays,
    push_sentence,
    steps_frame,
    thrown_frame,
    visits_frame,
    visits_sentence,
    worth_columns,
    worth_frame,
    worth_plays,
)
from analysis.paired import BlockSums
from analysis.question import Answer
from analysis.questions import load_question
from sim.errors import UserError
from sim.near_and_far import exact
from sim.near_and_far.outcome import COUNTERS
from sim.near_and_far.state import Place
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2


def tables(**patches: Any) -> Any:
    where = setting(TWO, name=NAME, **patches)
    return where.game.make_tables(where.rules.model, 2, {})[0]


def test_a_deck_throws_back_as_the_exact_chance_says() -> None:
    found = deck_frame(tables()).set_index("bonus")
    for bonus in (0, 2, 5):
        assert found.loc[bonus, "thrown_back"] == pytest.approx(
            float(exact.thrown_back(tables(), bonus, bonus))
        )
    deck = Deck.of(tables())
    assert len(deck.need) == 42
    assert found.loc[8, "amber"] == pytest.approx(deck.amber.mean())  # nothing throws back


def digging(
    worth: tuple[Fraction, ...], stays: tuple[Fraction, ...], steps: int
) -> tuple[Fraction, Any]:
    """The value of a row with so many steps, by plain recursion over what one can do."""
    value, stay = (Fraction(0), *worth), (Fraction(1), *stays)

    @cache
    def best(here: int, behind: int, ahead: int | None, left: int) -> Fraction:
        options = [value[here]]
        if left > 0:

            def enter(card: int) -> Fraction:
                return stay[card] * best(card, here, None, left - 1) + (1 - stay[card]) * best(
                    here, behind, card, left - 1
                )

            cards = range(1, len(value)) if ahead is None else [ahead]
            options.append(sum((enter(card) for card in cards), Fraction(0)) / len(cards))
            home = stay[behind] * value[behind]
            options.append(home + (1 - stay[behind]) * best(here, behind, ahead, left - 1))
        return max(options)

    return best(0, 0, None, steps), best


def test_the_value_of_steps_is_that_of_plain_recursion() -> None:
    worth = Fraction(1), Fraction(3), Fraction(7)
    stays = Fraction(1), Fraction(1, 2), Fraction(1, 3)
    value, stop = best_digging(np.array(worth, float), np.array(stays, float), 4)
    for steps in range(5):
        wanted, best = digging(worth, stays, steps)
        assert value[steps] == pytest.approx(float(wanted))
        # build from this worth on: from there on no card is better left, just below one is
        build = [w for card, w in enumerate(worth, 1) if best(card, 0, None, steps) == w]
        assert stop[steps] in [float(w) for w in build]
        assert all(float(w) >= stop[steps] or w not in build for w in worth) or steps == 0
    assert value[1] == pytest.approx((1 + 3 / 2 + 7 / 3) / 3)


def test_a_sure_deck_of_one_card_is_worth_that_card() -> None:
    value, stop = best_digging(np.array([5.0]), np.array([1.0]), 3)
    assert value.tolist() == [0, 5, 5, 5]
    assert stop.tolist() == [5, 5, 5, 5]
    value, _ = best_digging(np.array([5.0]), np.array([0.25]), 3)
    assert value == pytest.approx([0, 5 * 0.25, 5 * (1 - 0.75**2), 5 * (1 - 0.75**3)])


def test_more_steps_and_a_bonus_are_never_worse() -> None:
    found = steps_frame(tables(), 4)
    for _, rows in found.groupby(["aim", "bonus"]):
        assert rows["value"].is_monotonic_increasing
        assert (rows["gain"].dropna().diff().dropna() < 1e-9).all()  # each adds less
    goods = found[(found["aim"] == "goods") & (found["steps"] == 3)]
    assert goods["value"].is_monotonic_increasing


def counted(rng: np.random.Generator, size: int, luck: float = 1.0) -> np.ndarray:
    """Rolls by an ordinary die: (replicates, depth, wanted, back or stayed)."""
    rolls = np.zeros(COUNTERS["mine"].shape, np.int64)
    for depth in range(3):
        for wanted in range(8):
            fails = min(1.0, luck * min(wanted, 6) / 6)
            back = rng.binomial(size, fails, len(rolls))
            rolls[:, depth, wanted] = np.stack([back, size - back], axis=1)
    return rolls


def test_shares_thrown_back_stand_beside_the_exact_chance() -> None:
    rolls = counted(np.random.default_rng(6), 40)
    found = thrown_frame(rolls, tables(), 0.95)
    by_number = found[found["depth"].isna() & found["wanted"].notna()].set_index("wanted")
    assert by_number["exact"].tolist() == pytest.approx(
        [0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1, 1]
    )
    assert by_number["exact_expert"].tolist() == pytest.approx([0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1])
    each = rolls[:, 1, 3]
    row = found[(found["depth"] == "2") & (found["wanted"] == "4")].iloc[0]
    share = each[:, 0] / each.sum(axis=1)
    half = stats.sem(share) * stats.t.isf(0.025, len(share) - 1)
    assert row["estimate"] == pytest.approx(share.mean())
    assert row["high"] - row["low"] == pytest.approx(2 * half)
    every = found[found["depth"].isna() & found["wanted"].isna()].iloc[0]
    assert every["rolls"] == rolls.sum()
    assert every["estimate"] == pytest.approx(rolls[..., 0].sum() / rolls.sum())


def test_bare_rolls_must_agree_with_the_die() -> None:
    rng = np.random.default_rng(7)
    fair = bare_frame(counted(rng, 60), tables(), 1, 0.999)
    assert fair["inside"].all()
    assert "do what the die says" in bare_sentence(fair, 0.999)
    loaded = bare_frame(counted(rng, 60, luck=0.8), tables(), 1, 0.999)
    assert not loaded["inside"].all()
    assert "lie outside" in bare_sentence(loaded, 0.999).replace("\n", " ")
    assert (bare_frame(counted(rng, 60), tables(), 2, 0.999)["n"] * 2 == fair["rolls"]).all()


def test_visits_are_counted_by_how_deep_they_go() -> None:
    rng = np.random.default_rng(13)
    visits = np.zeros(COUNTERS["visits"].shape, np.int64)
    camped = rng.binomial(50, 0.6, len(visits))
    visits[:, 2] = np.stack([50 - camped, camped], axis=1)
    visits[:, 0, 0] = 10
    found = visits_frame(visits, 0.95).set_index("depth")
    assert found.index.tolist() == ["0", "2"]
    share = camped / 50
    half = stats.sem(share) * stats.t.isf(0.025, len(visits) - 1)
    assert found.loc["2", "estimate"] == pytest.approx(share.mean())
    assert found.loc["2", "high"] - found.loc["2", "estimate"] == pytest.approx(half)
    assert found.loc["2", "share"] == pytest.approx(5 / 6)
    assert found.loc["2", "share_low"] < 5 / 6 < found.loc["2", "share_high"]
    more = visits.copy()
    more[:, 0, 0] += rng.poisson(2, len(visits))
    row = visits_frame(more, 0.95).set_index("depth").loc["2"]
    total = more.sum(axis=(1, 2))
    error = np.sqrt(((50 - row["share"] * total) ** 2).sum() / len(total) / (len(total) - 1))
    half = error / total.mean() * stats.t.isf(0.025, len(total) - 1)  # linearised by hand
    assert row["share_high"] - row["share"] == pytest.approx(half)
    assert found.loc["0", "estimate"] == 0
    assert "enter 2 cards" in visits_sentence(found.reset_index())
    assert visits_sentence(visits_frame(np.zeros_like(visits), 0.95)) == "Nobody visited the mine."


def test_the_price_of_a_new_card_is_varied_for_one_player() -> None:
    where = setting(("random", "balanced:new_card=1.5:quest=2"), name=NAME)
    pusher = find_pusher(where)
    assert pusher is not None
    assert pusher.slots == (1,)
    assert pusher.scripted == 1.5
    assert 1.5 not in pusher.tried
    assert 1.0 in pusher.tried
    assert pusher.with_value(3) == f"balanced:quest=2:{PUSH}=3"
    plays = push_plays(where, pusher)
    assert len(plays) == 1 + len(pusher.tried)
    assert plays[1].seats == ("random", pusher.with_value(pusher.tried[0]))
    assert find_pusher(setting(("random",) * 2, name=NAME)) is None


def test_prices_and_the_mine_are_measured_in_pairs() -> None:
    where = setting(TWO, name=NAME)
    pusher = find_pusher(where)
    assert pusher is not None
    rng = np.random.default_rng(12)
    plays = push_plays(where, pusher)
    chunks = []
    for _ in plays:
        visits = rng.integers(1, 4, (150, 2))
        rolls = rng.integers(0, 5, (150, 2))
        chunks.append(
            made(
                150,
                2,
                win=12 * np.eye(2, dtype=np.int64)[rng.integers(0, 2, 150)],
                mine_visits=visits,
                mine_rolls=rolls,
                mine_back=rng.binomial(rolls, 0.3),
            )
        )
    found = push_frame(BlockSums.of(chunks, push_columns(pusher), 1), pusher, 0.95)
    value = pusher.tried[2]
    place = 1 + 2 * len(pusher.slots)
    gained = np.mean(
        [
            chunks[place + i].seats["win"][:, slot].mean() - chunks[0].seats["win"][:, slot].mean()
            for i, slot in enumerate(pusher.slots)
        ]
    )
    row = found[(found["quantity"] == "win_rate") & (found["value"] == value)].iloc[0]
    assert row["estimate"] == pytest.approx(gained / 12)
    row = found[(found["quantity"] == "rolls_per_visit") & (found["value"] == value)].iloc[0]
    num, den = (
        sum(chunks[place + i].seats[f][:, slot].sum() for i, slot in enumerate(pusher.slots))
        for f in ("mine_rolls", "mine_visits")
    )
    assert row["changed"] == pytest.approx(num / den)
    own = found[found["scripted"]]
    assert (own["estimate"] == 0).all()
    assert "balanced expects" in push_sentence(found)
    # kept out of the mine
    out = worth_plays(2)
    assert out[2].handicaps == {"forbid_places": [0, 1 << Place.MINE]}
    three = chunks[:3]
    worth = worth_frame(BlockSums.of(three, worth_columns(2), 1), 2, 0.95)
    lost = three[0].seats["win"][:, 1].mean() - three[2].seats["win"][:, 1].mean()
    row = worth[(worth["seat"] == 2) & (worth["quantity"] == "win_rate")].iloc[0]
    assert row["estimate"] == pytest.approx(lost / 12)


@pytest.fixture(scope="module")
def real() -> Answer:
    return ask("mine_risk", setting(TWO, 300, name=NAME))


def test_real_rolls_obey_the_exact_chance(real: Answer) -> None:
    bare: pd.DataFrame = real.frames["bare"]
    assert bare["rolls"].sum() > 0
    assert bare["inside"].all()
    thrown = real.frames["thrown"]
    played = thrown[thrown["depth"].isna() & thrown["wanted"].notna()]
    easy = played[played["wanted"] == "1"]
    assert (easy["estimate"] == 0).all()  # any die is enough
    assert set(real.frames) == {"thrown", "visits", "bare", "deck", "steps", "worth", "push"}
    assert real.frames["visits"]["share"].sum() == pytest.approx(1)


def test_without_the_mine_there_is_no_risk() -> None:
    needed = "magic", "magic_teachers", "miners", "amber_treasures", "amber_artifacts"
    off = {f"modules__{name}": False for name in (*needed, "amber_mines")}
    question, where = load_question("mine_risk", NAME, 2), setting(TWO, name=NAME, **off)
    with pytest.raises(UserError, match="needs the Amber Mine"):
        question.groups(where)
