"""The numbers of Wizard Miners, and the tables made of them."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.content import export, validate
from sim.errors import UserError
from sim.tomlfile import ProblemsError
from sim.wizard_miners import content
from sim.wizard_miners.content import FOLDER, constraints, load, tables
from sim.wizard_miners.state import ENTIRE_PILE, SPELLS, TABLES, Spell, Tool

CONTENT = load()
RULES = CONTENT.model
ENTRIES = {entry.key: entry for entry in CONTENT.entries}
WAYS = np.bincount([a + b for a in range(1, 9) for b in range(1, 9)])  # of 64, for two dice


def unpack(word: int, kinds: int = 8) -> list[int]:
    return [int(word) >> (8 * kind) & 255 for kind in range(kinds)]


# --- the default numbers -------------------------------------------------------------------------


def test_weights_of_all_tool_cards():
    """Expected hits in 64 rolls of each card, as the assumed tool table promises."""
    weights = {
        tool.name.lower(): [
            sum(WAYS[number] for number in card)
            for card in getattr(RULES.tools, tool.name.lower()).numbers
        ]
        for tool in Tool
    }
    assert weights == {
        "chisel": [13, 14, 16],
        "hammer": [19, 18, 20],
        "pick": [14, 14, 15],
        "shovel": [18, 18, 21],
        "drill": [26, 23, 24],
    }


@pytest.mark.parametrize(("table", "factor"), [("weak", 0.75), ("strong", 1.25)])
def test_other_tool_tables_keep_the_examples_and_are_a_quarter_off(table, factor):
    other = load(patches={"switches.tool_table": table})
    assert constraints(other.model) == []
    for tool in Tool:
        name = tool.name.lower()
        pairs = zip(
            getattr(RULES.tools, name).numbers,
            getattr(other.model.tools, name).numbers,
            strict=True,
        )
        for usual, card in pairs:
            assert len(set(card)) == len(card)
            weight = sum(WAYS[number] for number in card)
            assert weight == round(factor * sum(WAYS[number] for number in usual))
    changed = {e.key for e in other.entries if e.range == f"switches.tool_table = {table}"}
    assert changed == {f"tools.{tool.name.lower()}.numbers" for tool in Tool}


def cards(*names: str) -> list[int]:
    """Return the numbers on some cards, e.g. "shovel 1" for the big shovel."""
    pairs = (name.split() for name in names)
    return [n for tool, k in pairs for n in getattr(RULES.tools, tool).numbers[int(k)]]


def test_constraints_of_the_worked_examples():
    """c1 to c8, and what the chart must give (WM-T1 to WM-T3, WM-T9)."""
    assert cards("shovel 0", "shovel 1").count(8) == 2
    assert cards("drill 0", "drill 1").count(8) == 2
    assert cards("chisel 0").count(8) == 0
    assert cards("shovel 0", "shovel 1", "drill 0", "drill 1", "chisel 0").count(3) == 2
    assert cards("drill 0", "drill 1", "drill 2").count(5) == 2
    assert RULES.tools.drill.bonus == 3
    costs = {
        tool: getattr(RULES.tools, tool).cost[0]
        for tool in content.Tools.model_fields
        if tool not in ("types", "supply")
    }
    assert costs == {"chisel": 2, "hammer": 3, "pick": 2, "shovel": 3, "drill": 4}
    assert all(2 <= n <= 16 for t in costs for n in cards(f"{t} 0", f"{t} 1", f"{t} 2"))
    assert RULES.cave_in.chart.roll_6 == 8
    assert constraints(RULES) == []


@pytest.mark.parametrize(
    ("patches", "broken"),
    [
        ({"tools.shovel.numbers.1": [3, 11]}, ["c1: shovel to level 2: 8 1 times, not 2"]),
        (
            {"tools.chisel.numbers.0": [8]},
            [
                "c3: chisel to level 1: 8 1 times, not 0",
                "c4: shovel to level 2, drill to level 2, chisel to level 1: 3 1 times, not 2",
            ],
        ),
        ({"tools.drill.bonus": 2}, ["tools.drill.bonus: 2, printed 3 (Starting Play 3, bonus)"]),
        ({"tools.drill.cost.0": 5}, ["tools.drill.cost.0: 5, printed 4 (Set Up D)"]),
        ({"cave_in.chart.roll_6": 7}, ["cave_in.chart.roll_6: 7, printed 8 (Sample Game Play)"]),
        ({"dynamite.supply": 8, "tools.drill.cost.1": 7}, []),
    ],
)
def test_constraints_name_what_is_broken(patches, broken):
    assert constraints(load(patches=patches).model) == broken


def test_what_the_box_holds():
    assert sum(getattr(RULES.spells, spell.name.lower()).count for spell in Spell) == 75
    assert RULES.tools.supply * 15 == 60
    assert (RULES.mine.cards, RULES.mine.cards_above) == (42, 21)  # WM-T25
    assert RULES.wizards.numbers == (7, 8, 10, 11)
    assert RULES.wizards.gems == (6, 5, 5, 6)  # WM-T14
    assert RULES.dynamite.supply == 16


def test_gems_in_a_mine():
    for profile in ("default", "even", "uneven"):
        row = tables(load(patches={"switches.gem_profile": profile}).model, 4)[0]
        counts = unpack(row["gem_cards"])
        assert sum(counts) == 42
        assert sum(np.array(counts) * row["gem_value"]) == 62
        if profile == "default":
            assert counts == [8, 14, 12, 8, 0, 0, 0, 0]


def test_every_number_has_a_source_or_a_range_with_evidence():
    for entry in CONTENT.entries:
        if entry.source == "rulebook":
            assert entry.section
            assert entry.low is None
            continue
        assert entry.source == "assumed"
        assert entry.evidence
        if isinstance(entry.value, bool | str):
            assert entry.options or entry.key == "cave_in.chart.roll_7_or_more"
        elif isinstance(entry.value, int):
            assert entry.low is not None
            assert entry.high is not None
            assert entry.low <= entry.value <= entry.high
        else:
            assert entry.range == "switches.tool_table"
        assert entry.meaning
        assert entry.allowed


def test_judged_ranges_are_a_quarter_either_way():
    """In whole steps, at least one; the chart stops short of the next row."""
    judged = [entry for entry in CONTENT.entries if entry.range == "judged"]
    assert len(judged) > 40
    for entry in judged:
        assert entry.low is not None
        assert entry.high is not None
        step = max(1, entry.value // 4)
        within = entry.key.startswith("cave_in.chart.") or entry.value <= 1
        if within:  # cut off at the neighbours, at zero and at one
            assert entry.value - step <= entry.low <= entry.value <= entry.high
            assert entry.high <= entry.value + step
            assert entry.low < entry.high
        else:
            assert (entry.low, entry.high) == (entry.value - step, entry.value + step)


def test_all_lows_and_all_highs_together_are_games():
    for name in ("low", "high"):
        patches = {e.key: getattr(e, name) for e in CONTENT.entries if e.low is not None}
        assert len(patches) > 40
        assert load(patches=patches).model != RULES


def test_code_holds_no_number_of_the_game():
    """Whole numbers in the module are sizes of bytes, words and lists, or limits in fields."""
    text = (FOLDER / "content.py").read_text(encoding="utf-8")
    code = re.sub(r'""".*?"""|#[^\n]*|"[^"\n]*"|Field\([^)]*\)', "", text, flags=re.DOTALL)
    assert set(re.findall(r"(?<![\w.])\d+", code)) <= {"0", "1", "8", "127"}


# --- tables --------------------------------------------------------------------------------------


def test_tables_of_the_default_rules():
    out = tables(RULES, 4)
    assert out.shape == (1,)
    assert out.dtype == TABLES
    row = out[0]
    assert row["players"] == 4
    assert list(row["chart"]) == [0, 0, 1, 2, 4, 6, 8, ENTIRE_PILE]
    assert row["roll_cap"] == 400
    assert (row["spells_on"], row["dynamite_on"], row["reveal_on_hit"]) == (1, 1, 0)
    assert (row["random_start"], row["random_wizards"]) == (0, 0)
    assert list(row["tool_cost"][Tool.DRILL]) == [4, 6, 8]
    assert list(row["tool_cost"][Tool.HAMMER]) == [3, 5, 7]
    assert list(row["tool_bonus"]) == [1, 2, 1, 2, 3]
    assert row["tool_hits"][Tool.SHOVEL, 2, 8] == 2
    assert row["tool_hits"][Tool.DRILL, 3, 5] == 2
    assert row["card_hits"][Tool.DRILL, 1, 5] == 0
    assert row["tool_hits"][:, 0].sum() == 0
    assert (row["tool_hits"][:, 1:] == row["card_hits"].cumsum(axis=1)).all()
    counts = [*unpack(row["spell_deck"][0]), *unpack(row["spell_deck"][1], 6)]
    assert counts == [8, 4, 5, 8, 6, 6, 6, 5, 6, 5, 5, 4, 4, 3]
    assert row["spell_cards"] == sum(counts) == 75
    assert row["spell_amount"][Spell.BIG_BLAST] == 4
    assert row["spell_rolls"][Spell.MAGIC_AURA] == 3
    assert row["spell_amount"][Spell.NEGATE] == 0
    numbers = [row[name] for name in ("clean_up_cost", "clean_up_most", "dynamite_cost")]
    assert numbers == [1, 5, 2]
    numbers = [row[name] for name in ("starting_spells", "free_spells", "extra_spell_cost")]
    assert numbers == [2, 1, 2]
    assert row["hand_limit"] == 5
    assert (row["actions_digging"], row["actions_not_digging"]) == (1, 2)
    assert (row["tool_types"], row["tool_supply"], row["dynamite_per_action"]) == (3, 4, 3)
    assert (row["dice_sides"], row["cave_in_roll_sides"]) == (8, 6)
    assert (row["cave_in_die_faces"], row["cave_in_die_sides"]) == (2, 6)


def test_switches_reach_the_tables():
    patches = {
        "switches.spells": False,
        "switches.dynamite": False,
        "switches.cave_in_reveal": "hit",
        "switches.start_order": "random",
        "switches.wizard_assignment": "random",
    }
    row = tables(load(patches=patches).model, 3)[0]
    names = ("spells_on", "dynamite_on", "reveal_on_hit", "random_start", "random_wizards")
    assert [row[name] for name in names] == [0, 0, 1, 1, 1]


def test_cave_ins_can_be_taken_out():
    chart = dict.fromkeys(content.Chart.model_fields, 0)
    rules = load(patches={"cave_in.die_faces": 0, "cave_in.chart": chart}).model
    assert not tables(rules, 3)[0]["chart"].any()


@given(st.lists(st.integers(0, 127), min_size=8, max_size=8))
def test_packed_counts_fit_a_word(counts):
    word = content.pack(counts)
    assert word == int(np.int64(word)) >= 0
    assert unpack(word) == counts


@pytest.mark.parametrize("players", [-1, 0, 2, 5])
def test_numbers_of_players(players):
    with pytest.raises(UserError) as caught:
        tables(RULES, players)
    assert str(caught.value) == f"{players} players; allowed: 3, 4"


def test_handicaps_reach_the_tables():
    row = tables(
        RULES,
        3,
        {
            "forbid_dynamite": [True, False, False],
            "forbid_spells": [False, True, False],
            "forbid_tools": [[], ["drill", "chisel"], "pick"],
            "void_cave_in": [-1, 0, 2],
        },
    )[0]
    assert list(row["forbid_dynamite"]) == [1, 0, 0, 0]
    assert list(row["forbid_spells"]) == [0, 1, 0, 0]
    mask = 1 << Tool.DRILL | 1 << Tool.CHISEL
    assert list(row["forbid_tools"]) == [0, mask, 1 << Tool.PICK, 0]
    assert list(row["void_cave_in"]) == [-1, 0, 2, 0]
    masks = tables(RULES, 3, {"forbid_tools": [0, mask, 31]})[0]["forbid_tools"]
    assert list(masks) == [0, mask, 31, 0]


@pytest.mark.parametrize(
    ("handicaps", "message"),
    [
        (
            {"forbid_dynamit": [True] * 4},
            "unknown handicap 'forbid_dynamit' (did you mean 'forbid_dynamite'?); known "
            "handicaps: forbid_dynamite, forbid_spells, forbid_tools, void_cave_in",
        ),
        (
            {"forbid_spells": [True]},
            "handicap forbid_spells: give one value for each of the 4 seats",
        ),
        (
            {"forbid_spells": True},
            "handicap forbid_spells: give one value for each of the 4 seats",
        ),
        (
            {"forbid_spells": [2, 0, 0, 0]},
            "handicap forbid_spells: 2 is not allowed; allowed: true, false",
        ),
        (
            {"void_cave_in": [0, -2, 0, 0]},
            "handicap void_cave_in: -2 is not allowed; allowed: a whole number from -1 to 127",
        ),
        (
            {"forbid_tools": [["dril"], [], [], []]},
            "handicap forbid_tools: unknown tool 'dril' (did you mean 'drill'?); known tools: "
            "chisel, drill, hammer, pick, shovel",
        ),
        (
            {"forbid_tools": [None, [], [], []]},
            "handicap forbid_tools: None is no list; "
            "known tools: chisel, drill, hammer, pick, shovel",
        ),
        (
            {"forbid_tools": [32, 0, 0, 0]},
            "handicap forbid_tools: 32 is not allowed; "
            "allowed: names of tools, or one bit for each",
        ),
    ],
)
def test_wrong_handicaps(handicaps, message):
    with pytest.raises(UserError) as caught:
        tables(RULES, 4, handicaps)
    assert str(caught.value) == message


# --- patches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patches", "message"),
    [
        (
            {"tools.dril.cost": [1, 2, 3]},
            "tools.dril.cost: unknown key (did you mean 'tools.drill.cost'?)",
        ),
        (
            {"tools.drill.numbers.0": [1]},
            "tools.drill.numbers.0.0: 1 is not allowed; allowed: a whole number from 2 to 16",
        ),
        (
            {"tools.drill.cost.0": -1},
            "tools.drill.cost.0: -1 is not allowed; allowed: a whole number from 0 to 99",
        ),
        ({"mine.cards": 30}, "mine.cards: 34 cards show gems; a mine has 30 cards"),
        (
            {"mine.cards_above": 43},
            "mine.cards_above: 43 cards above the cave-in card; a mine has 42",
        ),
        (
            {"mine.cards": 128},
            "mine.cards: 128 is not allowed; allowed: a whole number from 1 to 127",
        ),
        (
            {"mine.gem_cards.8": 1},
            "mine.gem_cards.8: unknown key (did you mean 'mine.gem_cards.7'?)",
        ),
        ({"cave_in.die_faces": 7}, "cave_in.die_faces: 7 CAVE-IN faces on a die with 6 sides"),
        (
            {"cave_in.chart.roll_4": 7},
            "cave_in.chart.roll_4: fewer cards fall in roll_5 than in roll_4; "
            "the chart must not go down",
        ),
        (
            {"cave_in.chart.roll_4": "al"},
            'cave_in.chart.roll_4: "al" is not allowed; '
            'allowed: a whole number from 0 to 126 or "all"',
        ),
        ({"spells.blast.count": 61}, "spells: 128 spell cards; the deck can hold 127"),
        (
            {"spells.magic_aura.rolls": 8},
            "spells.magic_aura.rolls: 8 is not allowed; allowed: a whole number from 1 to 7",
        ),
        ({"dice.sides": 9}, "dice.sides: 9 is not allowed; allowed: a whole number from 2 to 8"),
        (
            {"stall.roll_cap": 4001},
            "stall.roll_cap: 4001 is not allowed; allowed: a whole number from 1 to 4000",
        ),
        (
            {"clean_up.most": 51},
            "clean_up.most: 51 is not allowed; allowed: a whole number from 0 to 50",
        ),
        (
            {"switches.cave_in_reveal": "exposd"},
            'switches.cave_in_reveal: "exposd" is not allowed; allowed: "exposed", "hit" '
            "(did you mean 'exposed'?)",
        ),
    ],
)
def test_patches_that_make_no_game(patches, message):
    with pytest.raises(UserError) as caught:
        load(patches=patches)
    assert str(caught.value) == message


def test_the_edges_of_what_is_allowed_load():
    patches = {
        "mine.cards": 127,
        "mine.cards_above": 127,
        "mine.gem_cards": {"1": 0, "2": 0, "3": 0, "7": 127},
        "spells.blast.count": 60,
        "spells.hard_rock.rolls": 7,
        "stall.roll_cap": 4000,
        "clean_up.most": 50,
        "dice.sides": 2,
        "cave_in.die_faces": 6,
        "tools.chisel.numbers": [[], [2] * 8, [16]],
    }
    row = tables(load(patches=patches).model, 4)[0]
    assert unpack(row["gem_cards"]) == [0, 0, 0, 0, 0, 0, 0, 127]
    assert row["gem_cards"] > 0
    assert row["spell_cards"] == 127
    assert row["card_hits"][Tool.CHISEL, 1, 2] == 8


@given(st.data())
def test_any_of_the_ranges_may_meet(data):
    """Every combination of values within the published ranges gives tables."""
    numbers = [e for e in CONTENT.entries if e.low is not None]
    some = data.draw(st.lists(st.sampled_from(numbers), max_size=12, unique=True))
    patches = {e.key: data.draw(st.integers(e.low, e.high)) for e in some}
    content = load(patches=patches)
    assert content.patches == patches
    assert sum(unpack(tables(content.model, 4)[0]["gem_cards"])) == 42


# --- a designer's copy ---------------------------------------------------------------------------


def test_a_copy_is_the_same_game(tmp_path):
    export(FOLDER, tmp_path / "mine")
    assert validate(tmp_path / "mine").hash == CONTENT.hash
    assert load(tmp_path / "mine").files_hash == CONTENT.files_hash


def test_a_mistake_in_a_copy_is_told_by_line(tmp_path):
    export(FOLDER, tmp_path)
    path = tmp_path / "assumed.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("die_faces"))
    lines[at] = lines[at].replace("high = 3", "high = 9")
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        load(tmp_path)
    text = "cave_in.die_faces: high: 9 CAVE-IN faces on a die with 6 sides"
    assert str(caught.value) == f"{path}:{at + 1}: {text}"


def test_lines_point_at_the_numbers():
    for entry in CONTENT.entries:
        assert entry.file is not None
        assert entry.line is not None
        line = Path(entry.file).read_text(encoding="utf-8").splitlines()[entry.line - 1]
        *_, group, name = [part for part in entry.key.split(".") if not part.isdecimal()]
        word = group if entry.file.endswith(".csv") else name
        assert word in line or "gem_cards" in entry.key, entry


def test_each_number_stands_once():
    """No key has two homes, and the kernel's kinds are all covered."""
    assert len(ENTRIES) == len(CONTENT.entries)
    assert len({entry.key for entry in CONTENT.entries if entry.key.endswith(".count")}) == SPELLS
    for left, right in itertools.combinations(sorted(ENTRIES), 2):
        assert not right.startswith(f"{left}.")


@given(st.data())
def test_broken_copies_load_or_are_user_errors(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("broken")
    export(FOLDER, folder)
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    numbers = list(re.finditer(r"\d+", lines[at]))
    how = data.draw(st.sampled_from(["delete", "double", "retype"]))
    if how == "retype" and numbers:
        where = data.draw(st.sampled_from(numbers))
        new = data.draw(st.sampled_from(["true", "-1", "2.5", "nan", '"x"', "[1]", "9" * 25]))
        lines[at] = lines[at][: where.start()] + new + lines[at][where.end() :]
    elif how == "delete":
        del lines[at]
    else:
        lines.insert(at, lines[at])
    path.write_text("".join(lines), encoding="utf-8")
    try:
        content = load(folder)
    except ProblemsError as error:
        problems = error.problems
    else:
        problems = []
        tables(content.model, 4)
    assert all(problem.file.startswith(str(folder)) for problem in problems)
