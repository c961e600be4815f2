"""Questions by name, and for whom they make no sense."""

import tomllib

import pytest

from analysis.questions import NAMES, TOGETHER, load_question, questions_for
from sim.errors import UserError
from sim.game import GAMES, load_game


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


@pytest.mark.parametrize("game", GAMES)
def test_a_question_that_nobody_knows_is_told_those_of_the_game(game):
    with pytest.raises(UserError) as caught:
        load_question("xyzzy", game, 2)
    said, _, listed = str(caught.value).partition(f"; questions of {game}: ")
    assert said == "unknown question 'xyzzy'"  # nothing near it
    known = set(listed.split(", "))
    assert known == set(questions_for(game))
    assert {"seats", "length"} <= known
    refused = set()
    for name in NAMES:
        for rules in (_rules(), _rules(modules__coop=True)) if game == "near_and_far" else (None,):
            try:
                load_question(name, game, 2, rules)
            except UserError as error:
                if "is not for" in str(error):
                    refused.add(name)
    assert known == set(NAMES) - refused


def test_what_is_near_is_looked_for_among_the_questions_of_the_game():
    with pytest.raises(UserError, match=r"did you mean 'modules'"):
        load_question("module", "near_and_far", 2)
    with pytest.raises(UserError) as caught:
        load_question("module", "dobbers", 2)
    assert "modules" not in str(caught.value)
    with pytest.raises(UserError, match="'modules' is not for dobbers; it is for near_and_far"):
        load_question("modules", "dobbers", 2)


def _rules(**patches):
    game = load_game("near_and_far")
    return game.load(None, {key.replace("__", "."): value for key, value in patches.items()}).model


ALONE = ("seats", "strategies", "snowball", "score_sources", "modules", "expert_dice", "card_value")


@pytest.mark.parametrize("name", ALONE)
def test_questions_about_rivals_are_refused_to_a_team(name):
    assert load_question(name, "near_and_far", 2, _rules()).name == name
    with pytest.raises(UserError, match=f"'{name}' is about players who win against each other"):
        load_question(name, "near_and_far", 2, _rules(modules__coop=True))


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(TOGETHER)])
def test_questions_about_a_team_need_one(name):
    assert load_question(name, "near_and_far", 2, _rules(modules__coop=True)).name == name
    with pytest.raises(UserError, match=r"win against each other; set modules\.coop = true"):
        load_question(name, "near_and_far", 2, _rules())
    with pytest.raises(UserError, match="not for dobbers; it is for near_and_far"):
        load_question(name, "dobbers", 2)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_says_makes_a_team_does(name):
    game = load_game(name)
    table = tomllib.loads(game.together_by)
    patches = {f"{group}.{key}": value for group in table for key, value in table[group].items()}
    assert game.together(game.load(None, patches).model) == bool(patches)
    assert not game.together(game.load().model)
    assert bool(patches) == (name == "near_and_far")


def test_some_questions_are_for_both():
    for name in ("length", "dead_cards"):
        for rules in (_rules(), _rules(modules__coop=True)):
            assert load_question(name, "near_and_far", 2, rules).name == name
