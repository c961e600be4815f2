from __future__ import annotations

from analysis.habits import find_habit
from analysis.paired import Column
from tests.reports.answers import setting

NAME = "near_and_far"
LINEUP = ("random", "balanced:quest=2", "balanced:quest=2")


def test_the_first_strategy_with_the_weight_is_varied() -> None:
    habit = find_habit(setting(LINEUP, name=NAME), "quest")
    assert habit is not None
    assert (habit.spec, habit.scripted, habit.slots) == ("balanced:quest=2", 2.0, (1, 2))
    assert habit.low <= 0 < habit.high
    assert [play.seats for play in habit.plays(setting(LINEUP, name=NAME), 0.5)] == [
        ("random", "balanced:quest=0.5", "balanced:quest=2"),
        ("random", "balanced:quest=2", "balanced:quest=0.5"),
    ]
    assert habit.columns(4, "score") == [Column(4, "score", slot=1), Column(5, "score", slot=2)]
    assert habit.as_scripted() == [Column(0, "win", slot=1), Column(0, "win", slot=2)]


def test_one_slot_is_enough_where_seats_rotate() -> None:
    habit = find_habit(setting(LINEUP, 9, True, name=NAME), "quest")
    assert habit is not None
    assert habit.slots == (1,)


def test_a_weight_that_nobody_has_is_no_habit() -> None:
    assert find_habit(setting(LINEUP, name=NAME), "dynamite") is None
    assert find_habit(setting(("random",) * 2, name=NAME), "quest") is None
