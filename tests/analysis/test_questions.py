"""Questions by name, and for whom they make no sense."""

import pytest

from analysis.questions import load_question
from sim.errors import UserError


def test_questions_are_found_by_name():
    assert load_question("cave_in_risk", "wizard_miners", 3).name == "cave_in_risk"
    assert load_question("length", "dobbers", 1).name == "length"


@pytest.mark.parametrize("name", ["seats", "strategies", "snowball"])
def test_questions_about_others_need_others(name):
    assert load_question(name, "dobbers", 2).name == name
    with pytest.raises(UserError, match=f"'{name}' is for 2 players or more, not for 1"):
        load_question(name, "dobbers", 1)


def test_a_question_of_another_game_is_refused():
    with pytest.raises(UserError, match="not for dobbers; it is for wizard_miners"):
        load_question("cave_in_risk", "dobbers", 4)
    with pytest.raises(UserError, match=r"unknown question 'seat'.*'seats'"):
        load_question("seat", "dobbers", 4)
