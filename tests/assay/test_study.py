"""Study files: what they say, and how mistakes in them are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.study import load_study, same_players
from sim.errors import UserError
from sim.tomlfile import ProblemsError

HEAD = """\
[study]
title = "t"
question = "q"
game = "wizard_miners"
players = 4
[lineup]
seats = ["balanced"]
[stop]
games = 1000
"""


def study(folder: Path, text: str) -> Path:
    path = folder / "one.toml"
    path.write_text(HEAD + text)
    return path


def mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        load_study(study(folder, text))
    prefix = f"{folder / 'one.toml'}:"
    return [str(problem).removeprefix(prefix) for problem in caught.value.problems]


def test_a_study_has_variants_gates_and_a_sweep(tmp_path: Path) -> None:
    found = load_study(
        study(
            tmp_path,
            """\
[variants.cheap.set]
"tools.drill.cost" = [3, 5, 7]
[variants.rivals]
seats = ["saboteur"]
[compare]
margin = 0.01
second_lineup = ["sprinter"]
[[check]]
name = "fair"
metric = "win_rate"
where = { seat = 1 }
within = [0.2, 0.3]
[[check]]
name = "same"
metric = "rolls"
statistic = "q50"
variant = "cheap"
against = "base"
max_change = 2
[sweep]
[[sweep.factors]]
key = "dynamite.supply"
low = 4
high = 20
[[sweep.targets]]
name = "short"
metric = "rolls"
within = [20, 40]
""",
        )
    )
    assert found.variants["cheap"].patches["tools.drill.cost"].line == 11
    assert found.variants["rivals"].seats == ("saboteur",) * 4
    assert found.second_seats == ("sprinter",) * 4
    assert [check.name for check in found.checks] == ["fair", "same"]
    assert found.checks[0].where == {"seat": 1}
    assert found.checks[1].max_change == 2
    assert found.sweep is not None
    assert (found.sweep.factors[0].steps, found.sweep.design) == (5, "grid")
    assert found.compare.blunder == 0.15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[variants.cheap]\nsett = 1\n",
            "11: variants.cheap.sett: unknown key (did you mean 'set'?); "
            "known keys: players, seats, set",
        ),
        ("[variants.idle]\n", "10: variants.idle: changes nothing; give set, seats or players"),
        (
            "[variants.base.set]\nx = 1\n",
            "10: variants.base: the rules without a variant are called base already",
        ),
        (
            '[variants.two]\nseats = ["random", "balanced"]\n',
            "11: variants.two.seats: 2 strategies for 4 players; give one for each seat, "
            "or one for all",
        ),
        (
            "[compare]\nmargin = { win_rate = -1 }\n",
            "11: compare.margin.win_rate: must be more than 0.0, not -1",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\n',
            "10: check.0: give either within or max_change",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nwithin = [3, 2]\n',
            "13: check.0.within: an empty range: 3 to 2",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nwithin = [-inf, inf]\n',
            "13: check.0.within: a range without an end at either side holds whatever happens",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nmax_change = inf\n',
            "13: check.0.max_change: must be a finite number, not inf",
        ),
        (
            "[compare]\nmargin = inf\n",
            "11: compare.margin: must be a finite number, not inf; or must be a table, not inf",
        ),
        ("[robust]\ndraws = 10_001\n", "11: robust.draws: must be 10000 or less, not 10001"),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nwithin = [1, 2]\nvariant = "bas"\n',
            "14: check.0.variant: unknown variant 'bas' (did you mean 'base'?); "
            "known variants: base",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nwithin = [1, 2]\nagainst = "base"\n',
            "14: check.0.against: a range is not measured against anything; leave it out",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nwithin = [1]\n',
            "13: check.0.within: needs 2 or more, not 1",
        ),
        (
            '[[check]]\nname = "a"\nmetric = "rolls"\nwithin = [1, 2]\nwhere = { seat = 1.5 }\n',
            "14: check.0.where.seat: must be a whole number, not 1.5; or must be text in quotes, "
            "not 1.5",
        ),
        (
            '[sweep]\n[[sweep.factors]]\nkey = "a"\nlow = 1\n',
            "11: sweep.factors.0: give values, or low and high, or neither for the assumed range",
        ),
        (
            '[sweep]\n[[sweep.factors]]\nkey = "a"\nlow = 1\nhigh = 1\n',
            "13: sweep.factors.0.low: an empty range: 1 to 1",
        ),
        (
            '[sweep]\ndesign = "sobol"\ncells = 48\n[[sweep.factors]]\nkey = "a"\n',
            "12: sweep.cells: a Sobol sequence takes a power of 2: 32 or 64, not 48",
        ),
        (
            '[sweep]\ndesign = "factorial"\n[[sweep.factors]]\nkey = "a"\nvalues = [1, 2, 3]\n',
            "14: sweep.factors.0.values: a factorial takes two values, not 3",
        ),
        (
            '[sweep]\n[[sweep.factors]]\nkey = "a"\nvalues = [1, 2]\nlowe = 2\n',
            "14: sweep.factors.0.lowe: unknown key (did you mean 'low'?); known keys: cost, high, "
            "key, low, name, steps, values, whole",
        ),
        (
            '[sweep]\n[[sweep.factors]]\nkey = "a.b.1"\n[[sweep.factors]]\nkey = "a.b"\n',
            "12: sweep.factors.0.key: a.b.1 lies within a.b, which is varied as a whole",
        ),
        (
            '[sweep]\ndesign = "gird"\n[[sweep.factors]]\nkey = "a"\nvalues = [1, 2]\n',
            "11: sweep.design: must be 'grid', 'latin', 'sobol', 'factorial', 'indices' or "
            "'morris', not \"gird\"",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line_and_key(tmp_path: Path, text: str, expected: str) -> None:
    assert mistakes(tmp_path, text) == [expected]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    gate = '[[check]]\nname = "a"\nmetric = "rolls"\n'
    found = mistakes(tmp_path, gate + gate + "[variants.idle]\n")
    assert found == [
        "10: check.0: give either within or max_change",
        "13: check.1: give either within or max_change",
        "14: check.1.name: 'a' stands twice",
        "16: variants.idle: changes nothing; give set, seats or players",
    ]


def test_a_study_without_questions_is_no_report(tmp_path: Path) -> None:
    from assay.runner import run

    with pytest.raises(UserError, match="asks no question"):
        run(study(tmp_path, ""), out=tmp_path / "out", games=4)


def test_a_variant_may_have_other_players(tmp_path: Path) -> None:
    found = load_study(
        study(
            tmp_path,
            """\
[variants.two]
players = 2
[variants.three]
players = 3
seats = ["saboteur", "balanced", "balanced"]
[variants.four]
players = 4
seats = ["saboteur"]
""",
        )
    )
    seats = {name: variant.seats for name, variant in found.variants.items()}
    assert seats == {
        "two": ("balanced",) * 2,
        "three": ("saboteur", "balanced", "balanced"),
        "four": ("saboteur",) * 4,
    }
    with pytest.raises(ProblemsError, match="2 players instead of 4 cannot be compared") as caught:
        same_players(found, 4)
    assert [problem.key for problem in caught.value.problems] == [
        "variants.two.players",
        "variants.three.players",
    ]


def test_mistakes_in_other_players_are_told(tmp_path: Path) -> None:
    found = mistakes(
        tmp_path,
        '[variants.a]\nplayers = 4\n[variants.b]\nplayers = 2\nseats = ["x", "y", "z"]\n',
    )
    assert found == [
        "10: variants.a: changes nothing; give set, seats or players",
        "14: variants.b.seats: 3 strategies for 2 players; give one for each seat, or one for all",
    ]
    turned = HEAD.replace('["balanced"]', '["a", "b", "c", "d"]\nrotate = true')
    path = tmp_path / "two.toml"
    path.write_text(turned + "[variants.b]\nplayers = 2\n")
    with pytest.raises(ProblemsError) as caught:
        load_study(path)
    texts = [str(problem) for problem in caught.value.problems]
    assert "must be as many as in the base" in texts[0]
    assert "4 strategies for 2 players" in texts[1]
