"""Factors: what a file of them may say, and how they move the numbers."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim.game
from sim.factors import (
    FACTORS,
    MOST_FACTORS,
    Factor,
    Factors,
    Number,
    keep_total,
    read_factors,
)
from sim.game import GAMES, Game, load_game
from sim.tomlfile import ProblemsError

FOLDER = Path(sim.game.__file__).parent
WITH_FACTORS = [name for name in GAMES if (FOLDER / name / FACTORS).is_file()]
MINERS = load_game("wizard_miners")


def loader(game: Game, own: dict | None = None, folder: Path | None = None):
    return lambda changes: game.load(folder, {**(own or {}), **changes})


def defaults(factors: Factors, values: dict) -> list[float]:
    """The point at which everything has its default."""
    return [
        0.5
        if one.choice is None
        else (one.options.index(values[one.choice]) + 0.5) / len(one.options)
        for one in factors.factors
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of rules of one's own, with a small file of factors."""
    source = MINERS.load().folder
    target = tmp_path / "rules"
    target.mkdir()
    for path in source.iterdir():
        if path.suffix in (".toml", ".csv"):
            shutil.copy(path, target)
    (target / FACTORS).write_text(
        """\
[factors.prices]
meaning = "what upgrades cost"
keys = ["tools.*.cost"]

[factors.table]
meaning = "how often tools hit"
choice = "switches.tool_table"

[totals.deck]
meaning = "cards in the deck"
keys = ["spells.*.count"]
""",
        "utf-8",
    )
    return target


def problems(folder: Path, old: str, new: str) -> list[str]:
    path = folder / FACTORS
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(ProblemsError) as caught:
        read_factors(MINERS, folder)
    return [str(one).removeprefix(f"{path}:") for one in caught.value.problems]


def test_a_game_ships_factors() -> None:
    assert "wizard_miners" in WITH_FACTORS


@pytest.mark.parametrize("name", WITH_FACTORS)
def test_the_factors_that_ship(name: str) -> None:
    """At most twenty; the middle is the default; the ends are the ends of the ranges."""
    game = load_game(name)
    file = read_factors(game)
    factors = file.fit(loader(game))
    base = game.load()
    values = {entry.key: entry.value for entry in base.entries}
    assert 1 <= len(factors.factors) <= MOST_FACTORS
    middle = defaults(factors, values)
    assert game.load(None, factors.patches(middle)).hash == base.hash
    in_total = {number.key for total in factors.totals for number in total}
    for end, side in ((0.0, "low"), (1.0, "high")):
        point = [
            end if one.choice is None else u for one, u in zip(factors.factors, middle, strict=True)
        ]
        found = factors.patches(point)
        for one in factors.factors:
            for number in one.numbers:
                if number.key not in in_total:
                    assert found[number.key] == getattr(number, side), number.key


@cache
def fitted(name: str) -> tuple[Factors, dict[str, tuple[float, float]]]:
    """The factors of a game, and the ranges of its numbers."""
    game = load_game(name)
    ranges = {
        entry.key: (entry.low, entry.high)
        for entry in game.load().entries
        if entry.low is not None and entry.high is not None
    }
    return read_factors(game).fit(loader(game)), ranges


@pytest.mark.parametrize("name", WITH_FACTORS)
@given(seed=st.integers(0, 2**32))
def test_every_point_is_a_game_within_the_ranges(name: str, seed: int) -> None:
    factors, ranges = fitted(name)
    found = factors.patches(np.random.default_rng(seed).random(len(factors.factors)).tolist())
    for key, value in found.items():
        if key in ranges:
            low, high = ranges[key]
            assert low <= value <= high, key
    for total in factors.totals:
        keys = [number.key for number in total]
        assert sum(found[key] for key in keys) == sum(number.value for number in total)


def test_a_number_goes_over_its_default() -> None:
    number = Number("k", 2, 3, 8, whole=True)
    assert [number.at(u) for u in (0, 0.25, 0.5, 0.75, 1)] == [2, 2.5, 3, 5.5, 8]
    assert [number.rounded(x) for x in (2.49, 2.5, 5.5)] == [2, 3, 6]
    assert Number("k", 0.1, 0.2, 0.3, whole=False).rounded(0.25) == 0.25


def test_a_choice_takes_each_option_for_an_equal_part() -> None:
    factor = Factor("f", "m", (), "switches.x", ("a", "b", "c"))
    assert [factor.place(u) for u in (0.0, 0.33, 0.34, 0.66, 0.67, 1.0)] == [0, 0, 1, 1, 2, 2]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.floats(0, 1)),
        min_size=1,
        max_size=8,
    )
)
def test_a_total_is_kept_within_the_ranges(rows: list[tuple[int, int, int, float]]) -> None:
    numbers, wanted = [], []
    for place, (*three, u) in enumerate(rows):
        low, value, high = sorted(three)
        numbers.append(Number(str(place), low, value, high, whole=True))
        wanted.append(low + u * (high - low))
    found = keep_total(numbers, wanted)
    assert sum(found) == sum(number.value for number in numbers)
    assert all(n.low <= x <= n.high for n, x in zip(numbers, found, strict=True))


def test_a_total_that_fits_is_left_alone() -> None:
    numbers = [Number(name, 0, 5, 10, whole=True) for name in "abc"]
    assert keep_total(numbers, [2.0, 5.0, 8.0]) == [2, 5, 8]
    assert keep_total(numbers, [10.0, 10.0, 10.0]) == [5, 5, 5]


def test_what_a_play_fixes_does_not_move(folder: Path) -> None:
    """Patched keys stand still, and so do numbers that a chosen set of values replaces."""
    file = read_factors(MINERS, folder)
    own = {"tools.drill.cost": [4, 5, 6], "switches.tool_table": "weak"}
    factors = file.fit(loader(MINERS, own, folder))
    prices, table = factors.factors
    assert not table.moves
    assert {number.key.split(".")[1] for number in prices.numbers} == {
        "chisel", "hammer", "pick", "shovel"
    }  # fmt: skip
    shipped = read_factors(MINERS).fit(loader(MINERS))
    names = [one.name for one in shipped.factors]
    point = [0.0] * len(names)
    assert names.index("gem_profile") >= 0
    found = shipped.patches(point)  # every choice at its first option: gems spread evenly
    assert found["switches.gem_profile"] == "even"
    assert not any(key.startswith("mine.gem_cards") for key in found)
    point[names.index("gem_profile")] = 0.5
    assert shipped.patches(point)["mine.gem_cards.1"] == 11


def test_the_file_of_a_folder_goes_before_that_of_the_game(folder: Path) -> None:
    assert read_factors(MINERS, folder).names == ("prices", "table")
    (folder / FACTORS).unlink()
    assert read_factors(MINERS, folder).names == read_factors(MINERS).names


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"tools.*.cost"',
            '"tools.*.csot"',
            '3: factors.prices.keys.0: unknown key "tools.*.csot"',
        ),
        (
            '"tools.*.cost"',
            '"dice.sides"',
            "3: factors.prices.keys.0: dice.sides is printed (",
        ),
        (
            '"tools.*.cost"',
            '"cave_in.chart.below_1"',
            "3: factors.prices.keys.0: cave_in.chart.below_1 has no range to move in",
        ),
        (
            '"tools.*.cost"',
            '"switches.spells"',
            "3: factors.prices.keys.0: switches.spells is a choice; write choice = ",
        ),
        (
            "[factors.table]",
            '[factors.other]\nmeaning = "m"\nkeys = ["tools.drill"]\n[factors.table]',
            "7: factors.other.keys.0: tools.drill.cost.1 is in the factor prices as well",
        ),
        (
            '["tools.*.cost"]',
            '["tools.*.cost", "tools.drill.cost"]',
            "3: factors.prices.keys.1: tools.drill.cost.1 stands twice",
        ),
        ('["tools.*.cost"]', "[]", "3: factors.prices.keys: must be a list of keys"),
        ('["tools.*.cost"]', "[3]", "3: factors.prices.keys.0: must be a key in quotes, not 3"),
        (
            'keys = ["tools.*.cost"]',
            'kyes = ["tools.*.cost"]',
            "3: factors.prices.kyes: unknown key (did you mean 'keys'?)",
        ),
        (
            'meaning = "what upgrades cost"',
            "",
            "factors.prices.meaning: meaning is missing",
        ),
        (
            '"switches.tool_table"',
            '"switches.tool_tabel"',
            '7: factors.table.choice: unknown key "switches.tool_tabel"',
        ),
        (
            '"switches.tool_table"',
            '"cave_in.die_faces"',
            "7: factors.table.choice: cave_in.die_faces is no choice between words",
        ),
        (
            '"switches.tool_table"',
            '"switches.tool_table"\noptions = ["weak", "feeble"]',
            '8: factors.table.options.1: "feeble" is no option of switches.tool_table',
        ),
        (
            '"switches.tool_table"',
            '"switches.tool_table"\noptions = ["weak"]',
            "8: factors.table.options: must be a list of two or more",
        ),
        (
            '"switches.tool_table"',
            '"switches.tool_table"\noptions = ["weak", "weak"]',
            "8: factors.table.options: an option stands twice",
        ),
        (
            'choice = "switches.tool_table"',
            'choice = "switches.tool_table"\nkeys = ["mine.gem_cards"]',
            "5: factors.table: give either keys (numbers) or choice",
        ),
        ("[totals.deck]", "[total.deck]", "9: total: unknown table; known tables: factors, totals"),
        ("[factors.table]", "[factors.Table]", "5: factors.Table: a name is of small letters"),
        (
            '"spells.*.count"',
            '"spells.blast.count", "spells.nothing.count"',
            '11: totals.deck.keys.1: unknown key "spells.nothing.count"',
        ),
    ],
)
def test_mistakes_are_told_with_file_line_and_key(
    folder: Path, old: str, new: str, said: str
) -> None:
    found = problems(folder, old, new)
    assert any(said in text for text in found), found


def test_all_mistakes_are_told_at_once(folder: Path) -> None:
    found = problems(folder, '"tools.*.cost"', '"tools.*.csot", "dice.sides", 3')
    assert len(found) == 3


def test_more_than_twenty_factors_are_too_many(folder: Path) -> None:
    text = "".join(
        f'[factors.f{n}]\nmeaning = "m"\nchoice = "switches.spells"\n' for n in range(19)
    )
    found = problems(folder, "[totals.deck]", text + "[totals.deck]")
    assert any("21 factors; at most 20" in text for text in found)


def test_a_point_has_one_coordinate_a_factor() -> None:
    factors = Factors((Factor("a", "m", (Number("k", 0, 1, 2, whole=True),)),))
    assert factors.patches([1.0]) == {"k": 2}
    with pytest.raises(ValueError, match="argument 2 is longer"):
        factors.patches([1.0, 0.0])


def test_a_folder_that_fixes_a_number_uses_the_factors_of_the_game(folder: Path) -> None:
    """A designer who knows the die writes it into the rulebook: it moves no more."""
    (folder / FACTORS).unlink()
    assumed, rulebook = folder / "assumed.toml", folder / "rulebook.toml"
    lines = assumed.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("die_faces")]
    assert len(kept) == len(lines) - 1
    assumed.write_text("\n".join(kept) + "\n", "utf-8")
    with rulebook.open("a", encoding="utf-8") as file:
        file.write('\n[cave_in.die_faces]\nvalue = 1\nsection = "the die"\n')
    factors = read_factors(MINERS, folder).fit(loader(MINERS, None, folder))
    still = [one.name for one in factors.factors if not one.moves]
    assert still == ["cave_in_faces"]


@pytest.mark.parametrize("name", GAMES)
def test_the_numbers_that_ship_keep_to_the_constraints(name: str) -> None:
    game = load_game(name)
    assert game.constraints(game.load().model) == []
