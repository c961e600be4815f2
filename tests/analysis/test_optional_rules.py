from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.optional_rules import (
    RULES,
    duel_frame,
    duel_sentence,
    effect_columns,
    effects_frame,
    race_columns,
    rules_of,
    seats_frame,
    sides_of,
    slower_sentence,
)
from analysis.paired import BlockSums
from tests.analysis.dobbers_games import made, one_winner
from tests.reports.answers import ask, setting


def names(seats: int) -> list[str]:
    return [rule.name for rule in rules_of(setting(("runner",) * seats, name="dobbers"))]


def test_rules_that_cannot_matter_are_left_out() -> None:
    assert names(1) == ["tan boxes"]
    assert names(3) == names(4) == ["tan boxes", "events", "duel"]
    assert names(2) == [rule.name for rule in RULES]


def test_what_the_setting_has_already_is_not_played_again() -> None:
    where = setting(("runner",) * 2, name="dobbers", switches__two_player_b=True)
    sides = sides_of(where, rules_of(where))
    changed = [dict(play.patches) for play in sides.plays]
    both = "switches.two_player_a", "switches.two_player_b"
    assert changed == [
        {},
        {"switches.tan_boxes": False},
        {"switches.events": True},
        {"switches.duel": True},
        {both[0]: True},
        {both[1]: False},
        dict.fromkeys(both, False),
        dict.fromkeys(both, True),
    ]
    assert sides.without == (1, 0, 0, 0, 5, 6)
    assert sides.with_it == (0, 2, 3, 4, 0, 7)


def test_effects_are_paired_differences_whichever_side_is_the_setting() -> None:
    where = setting(("runner",) * 3, name="dobbers")  # tan boxes are on, the others are not
    rules = rules_of(where)
    sides = sides_of(where, rules)
    rng = np.random.default_rng(9)
    rounds = [10 + rng.integers(0, 6, 200) + place for place in range(len(sides.plays))]
    wins = [one_winner(rng, 200, [1 + place, 1, 1]) for place in range(len(sides.plays))]
    chunks = [
        made(200, 3, rounds=length, win=win) for length, win in zip(rounds, wins, strict=True)
    ]
    sums = BlockSums.of(chunks, effect_columns(sides, 3), 1)
    found = effects_frame(sums, rules, sides, 3, 0.95)
    found = found[found["quantity"] == "rounds"].set_index("rule")
    pairs = {"tan boxes": (1, 0), "events": (0, 2), "duel": (0, 3)}
    for rule, (without, with_it) in pairs.items():
        gain = rounds[with_it] - rounds[without]
        test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 3)
        row = found.loc[rule]
        assert row["estimate"] == pytest.approx(gain.mean())
        assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
        assert row["without"] == pytest.approx(rounds[without].mean())
        assert row["changed"] == pytest.approx(rounds[with_it].mean())
        assert row["discordance"] == pytest.approx((gain != 0).mean())
    seats = seats_frame(sums, rules, sides, 3, 0.95)
    row = seats[(seats["rule"] == "tan boxes") & (seats["seat"] == 1)].iloc[0]
    assert row["estimate"] == pytest.approx((wins[0][:, 0] - wins[1][:, 0]).mean() / 12)


def test_the_race_is_counted_out_of_won_games() -> None:
    # of ten games one is stopped, four see rivals, three of these go against the first
    status = np.array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    arrivals = np.array([0, 1, 1, 1, 1, 1, 2, 2, 3, 2])
    overturned = np.array([0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
    chunk = made(10, 4, status=status, arrivals=arrivals, overturned=overturned)
    found = duel_frame(BlockSums.of([chunk], race_columns(), 1), 0.95).set_index("quantity")
    assert found["games"].tolist() == [9, 9, 4, 9]
    assert found.loc["overturned", "estimate"] == pytest.approx(3 / 9)
    assert found.loc["rivals", "estimate"] == pytest.approx(4 / 9)
    assert found.loc["lost_duels", "estimate"] == pytest.approx(3 / 4)
    assert found.loc["arrivals", "estimate"] == pytest.approx(14 / 9)
    assert "in 33" in duel_sentence(found.reset_index())


def test_the_rulebooks_word_on_two_players_is_judged() -> None:
    where = setting(("runner",) * 2, name="dobbers")
    rules = rules_of(where)
    sides = sides_of(where, rules)

    def said(a: int, b: int, both: int) -> str:
        add = [0, 0, 0, 0, a, b, both]
        noise = np.random.default_rng(1).integers(0, 2, 300)
        chunks = [
            made(300, 2, rounds=20 + value + (noise if place else 0))
            for place, value in enumerate(add)
        ]
        sums = BlockSums.of(chunks, effect_columns(sides, 2), 1)
        return slower_sentence(effects_frame(sums, rules, sides, 2, 0.95))

    assert said(3, 2, 5).startswith("Both two-player variants slow the game")
    assert said(-3, -2, -5).startswith("Against the rulebook's word")
    assert said(3, -2, 2).startswith("Of the two-player variants A and A and B slows")


def test_real_games_are_answered() -> None:
    four = ask("optional_rules", setting(("runner",) * 4, 60, name="dobbers"))
    assert set(four.frames) == {"effects", "seats", "duel"}
    effects = four.frames["effects"].set_index(["rule", "quantity"])
    assert effects.loc[("duel", "rounds"), "estimate"] >= 0  # it only adds turns
    duel = four.frames["duel"].set_index("quantity")["estimate"]
    assert duel["overturned"] == pytest.approx(duel["rivals"] * duel["lost_duels"])
    two = ask("optional_rules", setting(("runner",) * 2, 60, name="dobbers"))
    assert "rulebook" in two.sentences[0]
    alone = ask("optional_rules", setting(("solo_fast",), 60, name="dobbers"))
    assert set(alone.frames) == {"effects"}
