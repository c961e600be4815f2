"""Names of strategies: what they mean, and what is said about those that mean nothing."""

from pathlib import Path

import numpy as np
import pytest

from sim.driver import MAX_WEIGHTS
from sim.errors import UserError
from sim.wizard_miners.state import Prompt
from strategies.resolve import check_seats, lineup, parse_seats, resolve
from strategies.wizard_miners import Weight
from tests.strategies.tables import GAME

BOT = """
from strategies.toolkit import lowest

WEIGHTS = {"greed": 2, "fear": 0.5}


def decide(state, tables, prompt, weights):
    return lowest(state["legal"])
"""


def mistake(spec: str) -> str:
    """Return what is said about a name."""
    with pytest.raises(UserError) as caught:
        resolve(GAME, spec)
    return str(caught.value)


def test_seats_are_separated_by_commas() -> None:
    text = " builder,cleaner:blunder=0.2 , my_bot.py:decide"
    assert parse_seats(text) == ["builder", "cleaner:blunder=0.2", "my_bot.py:decide"]
    for text in ("", "builder,,cleaner", "builder,"):
        with pytest.raises(UserError, match="a seat is empty"):
            parse_seats(text)


def test_a_plain_name() -> None:
    strategy = resolve(GAME, "drill_first")
    assert (strategy.label, strategy.spec, strategy.blunder) == ("drill_first", "drill_first", 0)
    assert strategy.weights.shape == (MAX_WEIGHTS,)
    assert strategy.weights.dtype == np.float64
    assert strategy.weights[0] == 10
    assert not strategy.weights[1:].any()
    assert not strategy.is_user_code
    asked = {prompt for prompt in Prompt if not strategy.standing >> prompt & 1}
    assert asked == {
        Prompt.GAME_OVER,
        Prompt.INITIAL_PURCHASE,
        Prompt.ACTION,
        Prompt.TARGET,
        Prompt.TOOL,
        Prompt.FREE_CLEAN_UP,
    }


def test_options_change_weights_and_blunder() -> None:
    strategy = resolve(GAME, "balanced:clean_up_at=12:blunder=0.1")
    plain = resolve(GAME, "balanced")
    assert strategy.weights[Weight.CLEAN_UP_AT] == 12
    assert strategy.blunder == 0.1
    different = np.flatnonzero(strategy.weights != plain.weights)
    assert different.tolist() == [Weight.CLEAN_UP_AT]
    assert strategy.label == "balanced:blunder=0.1:clean_up_at=12"


def test_equal_players_have_equal_labels() -> None:
    def label(spec: str) -> str:
        return resolve(GAME, spec).label

    assert label("cleaner:blunder=0.20") == label("cleaner:blunder=.2") == "cleaner:blunder=0.2"
    assert label("cleaner:blunder=0") == "cleaner"
    assert label("random:blunder=1") == "random"
    assert label("drill_first:clean_up_at=10") == "drill_first"
    assert label("balanced:span=9:fuse=0.3") == label("balanced:fuse=0.30:span=9.0")
    assert label("balanced:span=9") != label("balanced:span=9.0000001")


def test_the_hash_tells_players_apart() -> None:
    def source_hash(spec: str) -> str:
        return resolve(GAME, spec).source_hash

    assert source_hash("builder") == source_hash("builder:blunder=0")
    hashes = [source_hash(spec) for spec in ("builder", "builder:blunder=0.1", "builder:span=9")]
    assert len(set(hashes)) == 3
    assert resolve(GAME, "builder").identity == {"label": "builder", "source_hash": hashes[0]}


def test_unknown_strategy() -> None:
    said = mistake("bilder")
    assert said.startswith("unknown strategy 'bilder' (did you mean 'builder'?); wizard_miners has")
    assert "balanced, builder, cleaner, drill_first, passive, random" in said
    assert "FILE.py:FUNCTION" in said


def test_all_that_is_wrong_with_options_is_said_at_once() -> None:
    said = mistake("drill_first:cleanup_at=3:blunder=1.5:clean_up_at=x:three:=4").splitlines()
    assert said == [
        "strategy 'drill_first:cleanup_at=3:blunder=1.5:clean_up_at=x:three:=4': " + problem
        for problem in (
            "unknown weight 'cleanup_at' (did you mean 'clean_up_at'?); "
            "known: blunder, clean_up_at",
            "blunder must be from 0 to 1, not 1.5",
            "clean_up_at must be a number, not 'x'",
            "'three' is not an option; options are written NAME=NUMBER",
            "'=4' is not an option; options are written NAME=NUMBER",
        )
    ]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("builder:blunder=-0.1", "blunder must be from 0 to 1, not -0.1"),
        ("builder:blunder=nan", "blunder must be a number, not 'nan'"),
        ("builder:blunder=inf", "blunder must be a number, not 'inf'"),
        ("builder:blunder=", "blunder must be a number, not ''"),
        ("builder:blunder=0.1:blunder=0.2", "blunder stands twice"),
        ("builder:span=0.1", "span must be from 0.5 to 100, not 0.1"),
        ("passive:span=1", "unknown weight 'span'; known: blunder"),
        ("builder:", "'' is not an option"),
        ("", "unknown strategy ''"),
    ],
)
def test_single_mistakes(spec: str, said: str) -> None:
    assert said in mistake(spec)


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_wrong_number_of_seats(count: int) -> None:
    specs = ["builder"] * count
    with pytest.raises(UserError, match=rf"wizard_miners is played with 3 or 4 seats, not {count}"):
        lineup(GAME, specs)
    check_seats(GAME, ["builder"] * 3)


def test_a_lineup_of_three() -> None:
    who = lineup(GAME, ["builder", "drill_first:blunder=0.25", "builder"])
    assert who.labels == ("builder", "drill_first:blunder=0.25", "builder")
    assert who.record.shape == (1,)
    assert who.record["blunder"].tolist() == [[0, 0.25, 0, 0]]
    assert who.record["weights"][0, 1, 0] == 10
    assert (who.record["weights"][0, 0] == who.strategies[0].weights).all()
    assert who.record["standing"][0].tolist() == [0, who.strategies[1].standing, 0, 0]
    assert len(who.deciders) == 4
    assert who.deciders[2] is who.deciders[0] is who.deciders[3]
    assert who.deciders[1] is not who.deciders[0]


def test_every_wrong_name_of_a_lineup_is_said_once() -> None:
    with pytest.raises(UserError) as caught:
        lineup(GAME, ["bilder", "cleaner:blunder=3", "bilder", "nowhere.py:decide"])
    said = str(caught.value).splitlines()
    assert len(said) == 3
    assert "builder" in said[0]
    assert "blunder must be from 0 to 1, not 3" in said[1]
    assert said[2] == "nowhere.py: no such file"


def test_a_users_file(tmp_path: Path) -> None:
    file = tmp_path / "my:bot.py"  # a colon in a path is no option
    file.write_text(BOT, "utf-8")
    strategy = resolve(GAME, f"{file}:decide")
    assert strategy.label == f"{file}:decide"
    assert strategy.is_user_code
    assert strategy.weights[:3].tolist() == [2, 0.5, 0]
    assert strategy.standing == 0
    other = resolve(GAME, f"{file}:decide:fear=3:blunder=0.5")
    assert other.weights[:3].tolist() == [2, 3, 0]
    assert other.blunder == 0.5
    assert other.label == f"{file}:decide:blunder=0.5:fear=3"
    assert other.source_hash != strategy.source_hash
    assert "unknown weight 'feer' (did you mean 'fear'?)" in mistake(f"{file}:decide:feer=1")
