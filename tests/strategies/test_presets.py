"""Files of presets: what they give, and every mistake in one go."""

import tomllib
from pathlib import Path

import pytest

from sim.driver import MAX_WEIGHTS
from sim.errors import UserError
from sim.game import load_game
from strategies.presets import FOLDER, presets_of, read_presets, scripts_of
from strategies.resolve import list_strategies, list_weights
from tests.strategies.tables import GAME, SHIPPED

GOOD = (FOLDER / "wizard_miners.toml").read_text("utf-8")


def read(folder: Path, text: str) -> str:
    """Return what is wrong with a file of presets."""
    path = folder / "presets.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError) as caught:
        read_presets(GAME, path)
    return str(caught.value)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_shipped_strategies() -> None:
    presets = presets_of(GAME)
    assert set(presets) == set(SHIPPED)
    assert presets["random"].blunder == 1
    assert all(preset.blunder == 0 for name, preset in presets.items() if name != "random")
    assert all(preset.description for preset in presets.values())
    assert [weight.value for weight in presets["drill_first"].weights] == [10]


def test_weights_lie_where_their_script_looks_for_them() -> None:
    for preset in presets_of(GAME).values():
        assert [weight.index for weight in preset.weights] == list(range(len(preset.weights)))
        assert len(preset.weights) <= MAX_WEIGHTS
        for weight in preset.weights:
            assert preset.script.weights is not None
            assert preset.script.weights[weight.name.upper()] == weight.index
            assert weight.low <= weight.value <= weight.high
            assert weight.meaning


def test_a_strategy_has_the_values_of_its_script_where_it_says_nothing_else() -> None:
    presets = presets_of(GAME)
    balanced = {weight.name: weight.value for weight in presets["balanced"].weights}
    builder = {weight.name: weight.value for weight in presets["builder"].weights}
    assert builder["per_gem"] == 1
    assert builder["dynamite"] == 0
    assert builder["growth"] == balanced["growth"]


def test_lists_for_people() -> None:
    rows = list_strategies(GAME)
    assert [row["strategy"] for row in rows] == list(SHIPPED)
    assert rows[1]["weights"] == "clean_up_at=10"
    assert rows[1]["own"] == ""
    assert list_weights(GAME, "random") == []
    builder = {row["weight"]: row for row in list_weights(GAME, "builder")}
    own = dict(part.split("=") for part in rows[SHIPPED.index("builder")]["own"].split(":"))
    printed = tomllib.loads(GOOD)["strategies"]["builder"]["weights"]
    assert own == {name: f"{value:g}" for name, value in printed.items()}
    assert {name for name, row in builder.items() if row["own"]} == set(printed)
    assert {name: builder[name]["value"] for name in printed} == printed
    assert list_weights(GAME, "drill_first")[0] == {
        "weight": "clean_up_at",
        "value": 10.0,
        "own": False,
        "low": 0.0,
        "high": 100.0,
        "meaning": "rubble cards from which it cleans up, once its cave-in card is out",
    }


def test_for_how_many_players_a_strategy_is() -> None:
    players = {row["strategy"]: row["players"] for row in list_strategies(load_game("dobbers"))}
    assert players["solo_safe"] == [1]
    assert players["balanced"] == []


def test_weights_of_an_unknown_strategy() -> None:
    with pytest.raises(UserError, match=r"'cleanr' .*did you mean 'cleaner'.*builder"):
        list_weights(GAME, "cleanr")


def test_unknown_words_have_file_line_and_nearest(tmp_path: Path) -> None:
    text = GOOD.replace('script = "drill_first"', 'script = "dril_first"')
    text = text.replace("attack = 0.2\n", "atack = 0.2\n", 1)
    text += '\n[strategies.other]\nscript = "passive"\ndescription = "x"\nblundr = 1\n'
    said = read(tmp_path, text)
    script = line_of(text, '"dril_first"')
    atack = line_of(text, "atack")
    blundr = line_of(text, "blundr")
    assert (
        f'presets.toml:{script}: strategies.drill_first.script: unknown script "dril_first" '
        "(did you mean 'drill_first'?); known: drill_first, passive, weighing" in said
    )
    assert f"presets.toml:{atack}: strategies.builder.weights.atack: unknown key" in said
    assert "(did you mean 'attack'?)" in said
    assert f"presets.toml:{blundr}: strategies.other.blundr: unknown key" in said
    assert "(did you mean 'blunder'?)" in said
    assert len(said.splitlines()) == 3


def test_wrong_types_and_ranges(tmp_path: Path) -> None:
    text = GOOD.replace("per_gem = 1\n", 'per_gem = "much"\n', 1)
    text = text.replace("gem = 0\n", "gem = true\n", 1)
    text = text.replace("blunder = 1\n", "blunder = 1.5\n")
    text = text.replace('description = "dynamite and attacks at the leader"', "description = 3")
    said = [line.split(": ", 1)[1] for line in read(tmp_path, text).splitlines()]
    assert sorted(said) == [
        "strategies.builder.weights.gem: must be a number, not true",
        'strategies.builder.weights.per_gem: must be a number, not "much"',
        "strategies.random.blunder: must be from 0 to 1, not 1.5",
        "strategies.saboteur.description: must be words, not 3",
    ]


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("idle = { value", "ilde = { value", "weights.weighing: lacks idle"),
        ("per_gem = { value = ", "per_gem = { value = 7", "must be from 0 to 1, not 7"),
        ("low = 0.5, high = 100", "low = 0.5, high = 0.1", "weights.weighing.span.high: must be"),
        ("[weights.drill_first]", "[weights.dril_first]", "weights.dril_first: unknown key"),
        ("[strategies.builder]", '[strategies."Big Bob"]', "lower-case letters"),
        ('script = "passive"\n', "", "strategies.passive: lacks script"),
        (
            "[strategies.cleaner.weights]",
            "[strategies.cleaner.wieghts]",
            "(did you mean 'weights'?)",
        ),
    ],
)
def test_a_broken_file_says_where(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    assert was in GOOD
    assert said in read(tmp_path, GOOD.replace(was, becomes, 1))


def test_what_is_no_table(tmp_path: Path) -> None:
    assert "strategies: must be a table, not 3" in read(tmp_path, "strategies = 3\n")
    said = read(tmp_path, "strategies = {a = 1}\nweights = 2\n")
    assert "weights: must be a table, not 2" in said
    assert "presets.toml:1" in read(tmp_path, "strategies = [\n")
    assert "lacks strategies" in read(tmp_path, "")


def test_every_script_is_used() -> None:
    used = {id(preset.script) for preset in presets_of(GAME).values()}
    assert used == {id(script) for script in scripts_of(GAME).values()}


def test_a_strategy_says_for_how_many_players_it_is(tmp_path: Path) -> None:
    """Solo strategies stay out of tables of several, whoever picks strategies for these."""
    presets = presets_of(load_game("dobbers"))
    assert presets["solo_fast"].players == (1,)
    assert presets["solo_fast"].fits(1)
    assert not presets["solo_fast"].fits(2)
    assert all(presets["balanced"].fits(players) for players in (1, 2, 3, 4))
    line = 'script = "weighing"\n'
    assert line in GOOD
    for value in ("[0, 3]", "3", '["two"]', "[true]"):
        said = read(tmp_path, GOOD.replace(line, f"{line}players = {value}\n", 1))
        assert "players: must be a list of numbers from" in said
        assert str(tmp_path / "presets.toml") in said
    path = tmp_path / "presets.toml"
    path.write_text(GOOD.replace(line, f"{line}players = [4, 3, 4]\n", 1), "utf-8")
    found = read_presets(GAME, path)
    assert (3, 4) in [preset.players for preset in found.values()]


def test_a_strategy_says_whether_it_is_for_teams(tmp_path: Path) -> None:
    presets = presets_of(load_game("near_and_far"))
    assert {name for name, one in presets.items() if one.together} == {
        name for name in presets if name.startswith("team_")
    }
    line = 'script = "weighing"\n'
    said = read(tmp_path, GOOD.replace(line, f"{line}together = 1\n", 1))
    assert "together: must be true or false" in said
