"""Files of any game: a toy game with every kind of entry."""

import math
import os
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, Field

from sim.content import Model, Patch, export, game_of, load, parse_assignment, validate
from sim.errors import UserError
from sim.rulefiles import data_files
from sim.tomlfile import ProblemsError, toml_lines

Small = Annotated[int, Field(ge=0, le=20)]


class Card(Model):
    count: Small
    strength: Annotated[float, Field(ge=0, le=1)]


class Dice(Model):
    sides: Annotated[int, Field(ge=2, le=12)]
    """sides of the die"""
    faces: Annotated[int, Field(ge=0, le=12)]


class Switches(Model):
    module: bool
    reading: Literal["early", "late"]
    profile: str


class Toy(Model):
    GAME: ClassVar[str] = "toy"
    FILES: ClassVar[tuple[str, ...]] = (*Model.FILES, "cards.csv")

    dice: Dice
    prices: tuple[Small, Small, Small]
    marks: tuple[Small, ...]
    cards: dict[Literal["axe", "bow"], Card]
    switches: Switches

    def problems(self) -> Iterator[tuple[tuple[str, ...], str]]:
        if self.dice.faces > self.dice.sides:
            yield ("dice.faces", "dice.sides"), "more faces than sides"


RULEBOOK = """\
game = "toy"

[dice]
sides = { value = 6, section = "Box" }

[prices]
value = [2]
section = "Shop"
"""

ASSUMED = """\
[dice.faces]
value = 2
low = 1
high = 3
range = "judged"
evidence = "a guess"

[prices]
value = [
  4,
  6,
]
low = [3, 5]
high = [5, 8]
evidence = "two dearer at each step"

[marks]
value = [1, 2]
range = "switches.profile"
evidence = "a guess"

[switches]
module = { value = true, evidence = "usual" }
reading = { value = "early", evidence = "usual" }
profile = { value = "default", evidence = "usual" }
"""

ALTERNATIVES = """\
[switches.profile.rich]
evidence = "more of everything"
set = { marks = [3, 4, 5], dice.faces = 3 }
"""

CARDS = """\
card,count,count_low,count_high,strength,strength_low,strength_high,range,evidence,section
axe,4,3,5,0.5,0.25,0.75,judged,a guess,
bow,7,,,1.0,,,,,Bows
"""

FILES = {
    "rulebook.toml": RULEBOOK,
    "assumed.toml": ASSUMED,
    "alternatives.toml": ALTERNATIVES,
    "cards.csv": CARDS,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def error(folder: Path, patches: dict[str, Any] | None = None) -> str:
    """Return the message of the UserError that loading raises, the folder's path left out."""
    with pytest.raises(UserError) as caught:
        load(Toy, folder, patches)
    return str(caught.value).replace(f"{folder}{os.sep}", "")


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


# --- what a good folder gives --------------------------------------------------------------------


def test_values_come_from_all_files(folder):
    toy = load(Toy, folder).model
    assert toy.dice == Dice(sides=6, faces=2)
    assert toy.prices == (2, 4, 6)
    assert toy.marks == (1, 2)
    assert toy.cards["axe"] == Card(count=4, strength=0.5)
    assert toy.cards["bow"].count == 7
    assert toy.switches == Switches(module=True, reading="early", profile="default")


def test_entries_say_where_each_number_comes_from(folder):
    content = load(Toy, folder)
    entries = {entry.key: entry for entry in content.entries}
    assert list(entries) == [
        "dice.sides",
        "dice.faces",
        "prices.0",
        "prices.1",
        "prices.2",
        "marks",
        "cards.axe.count",
        "cards.axe.strength",
        "cards.bow.count",
        "cards.bow.strength",
        "switches.module",
        "switches.reading",
        "switches.profile",
    ]
    sides = entries["dice.sides"]
    assert (sides.value, sides.source, sides.section, sides.low) == (6, "rulebook", "Box", None)
    assert sides.meaning == "sides of the die"
    assert sides.allowed == "a whole number from 2 to 12"
    faces = entries["dice.faces"]
    assert (faces.source, faces.low, faces.high, faces.range) == ("assumed", 1, 3, "judged")
    assert faces.evidence == "a guess"
    assert [entries[f"prices.{i}"].source for i in range(3)] == ["rulebook", "assumed", "assumed"]
    assert (entries["prices.2"].value, entries["prices.2"].low, entries["prices.2"].high) == (
        6,
        5,
        8,
    )
    assert entries["marks"].range == "switches.profile"
    assert entries["cards.bow.count"].section == "Bows"
    assert entries["switches.module"].options == (True, False)
    assert entries["switches.reading"].options == ("early", "late")
    assert entries["switches.profile"].options == ("default", "rich")


def test_entries_know_their_exact_line(folder):
    for entry in load(Toy, folder).entries:
        assert entry.file is not None
        assert entry.line is not None
        line = Path(entry.file).read_text(encoding="utf-8").splitlines()[entry.line - 1]
        words = {"prices.1": "  4,", "prices.2": "  6,", "prices.0": "value = [2]"}
        if Path(entry.file).suffix == ".csv":
            assert line.startswith(entry.key.split(".")[1])
        elif entry.key in words:
            assert line == words[entry.key]
        else:
            assert "value = " in line


def test_the_hash_is_of_the_values_alone(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    for name, text in FILES.items():
        (other / name).write_text(text, encoding="utf-8")
    (other / "assumed.toml").write_text("# mine\n" + ASSUMED, encoding="utf-8")
    content, same = load(Toy, folder), load(Toy, other)
    assert content.hash == same.hash
    assert content.files_hash != same.files_hash
    assert load(Toy, folder, {"dice.sides": 8}).hash != content.hash
    assert load(Toy, folder, {"switches.reading": "late"}).hash != content.hash
    assert load(Toy, folder, {"dice.sides": 6}).hash == content.hash
    assert load(Toy, folder, {"cards.bow.strength": 1}).hash == content.hash
    edit(other, "rulebook.toml", "value = 6", "value = 8")
    assert load(Toy, other).hash == load(Toy, folder, {"dice.sides": 8}).hash


def test_windows_files_are_read_and_lines_still_right(folder):
    for name, text in FILES.items():
        (folder / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    entries = {entry.key: entry for entry in load(Toy, folder).entries}
    assert entries["prices.2"].line == 11
    assert entries["cards.bow.count"].line == 3


# --- patches -------------------------------------------------------------------------------------


def test_patches_replace_values_elements_and_tables(folder):
    content = load(
        Toy,
        folder,
        {
            "prices.1": np.int64(9),
            "dice": {"sides": 8, "faces": Patch(4, "study.toml", 7)},
            "cards.axe": {"count": 1},
            "marks": (5, 6, 7),
        },
    )
    assert content.model.prices == (2, 9, 6)
    assert content.model.dice == Dice(sides=8, faces=4)
    assert content.model.cards["axe"] == Card(count=1, strength=0.5)
    assert content.patches == {
        "prices.1": 9,
        "dice.sides": 8,
        "dice.faces": 4,
        "cards.axe.count": 1,
        "marks": [5, 6, 7],
    }
    entries = {entry.key: entry for entry in content.entries}
    price = entries["prices.1"]
    assert (price.source, price.value, price.was, price.file) == ("patched", 9, 4, None)
    assert entries["prices.0"].source == "rulebook"
    faces = entries["dice.faces"]
    assert (faces.source, faces.was, faces.file, faces.line) == ("patched", 2, "study.toml", 7)
    assert entries["marks"].source == "patched"


def test_an_alternative_replaces_values_and_patches_come_on_top(folder):
    content = load(Toy, folder, {"switches.profile": "rich", "marks.2": 9})
    assert content.model.marks == (3, 4, 9)
    faces = next(entry for entry in content.entries if entry.key == "dice.faces")
    assert (faces.value, faces.was, faces.source) == (3, 2, "assumed")
    assert (faces.range, faces.evidence) == ("switches.profile = rich", "more of everything")
    assert (Path(str(faces.file)).name, faces.line) == ("alternatives.toml", 3)
    edit(folder, "assumed.toml", 'profile = { value = "default"', 'profile = { value = "rich"')
    assert load(Toy, folder).model.marks == (3, 4, 5)
    assert load(Toy, folder, {"switches.profile": "default"}).model.marks == (1, 2)


@pytest.mark.parametrize(
    ("patches", "message"),
    [
        ({"dice.side": 6}, "dice.side: unknown key (did you mean 'dice.sides'?)"),
        (
            {"zzz": 6},
            "zzz: unknown key; known keys: cards, dice, marks, prices, switches",
        ),
        (
            {"cards.1234567890123": 6},
            "cards.1234567890123: unknown key; known keys in cards: axe, bow",
        ),
        (
            {"dice.sides": Patch(1, "study.toml", 12)},
            "study.toml:12: dice.sides: 1 is not allowed; allowed: a whole number from 2 to 12",
        ),
        (
            {"dice.sides": True},
            "dice.sides: true is not allowed; allowed: a whole number from 2 to 12",
        ),
        (
            {"dice.sides": 6.0},
            "dice.sides: 6.0 is not allowed; allowed: a whole number from 2 to 12",
        ),
        ({"dice.sides": math.inf}, "dice.sides: inf is not a finite number"),
        ({"dice.sides": 10**500}, "dice.sides: a number of more than 15 digits is too large"),
        (
            {"dice.sides": None},
            "dice.sides: None is neither a number nor a word, a list, true or false",
        ),
        ({"dice": 3}, "dice: 3 is not allowed; allowed: a table with sides, faces"),
        ({"dice": 3, "dice.sides": 3}, "dice.sides: dice is 3, which has no parts"),
        ({"dice": {}}, "dice: the patch is empty"),
        (
            {"prices": [1, 2]},
            "prices: [1, 2] is not allowed; allowed: a list of 3, each a whole number from 0 to 20",
        ),
        ({"prices.3": 1}, "prices.3: prices has 3 values, numbered from 0 to 2"),
        ({"prices.x": 1}, "prices.x: prices has 3 values, numbered from 0 to 2"),
        (
            {"switches.reading": "erly"},
            'switches.reading: "erly" is not allowed; allowed: "early", "late" '
            "(did you mean 'early'?)",
        ),
        (
            {"switches.profile": "rch"},
            'switches.profile: "rch" is not allowed; allowed: "default", "rich" '
            "(did you mean 'rich'?)",
        ),
        ({"switches.module": 1}, "switches.module: 1 is not allowed; allowed: true, false"),
        ({"dice.sides": 2, "dice.faces": 3}, "dice.faces: more faces than sides"),
        ({"dice.sides": Patch(2, "s.toml", 4), "switches.profile": "rich"}, None),
        (
            {"dice.sides": -1, "switches.module": "no"},
            "dice.sides: -1 is not allowed; allowed: a whole number from 2 to 12\n"
            'switches.module: "no" is not allowed; allowed: true, false',
        ),
    ],
)
def test_a_bad_patch_is_one_clear_line(folder, patches, message):
    if message is None:  # the files alone are fine: the patch is what clashes, so it is named
        message = "s.toml:4: dice.sides: more faces than sides"
    assert error(folder, patches) == message


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("a.b=[3,5,7]", ("a.b", [3, 5, 7])),
        (" a.b = 3 ", ("a.b", 3)),
        ("a=-0.5", ("a", -0.5)),
        ("a=true", ("a", True)),
        ("a=hit", ("a", "hit")),
        ("a='two words'", ("a", "two words")),
        ("a={b = 1}", ("a", {"b": 1})),
        ("a=b=c", None),
        ("a", None),
        ("=3", None),
        ("a=", None),
        ("a=[3", None),
        ("a=3,5", None),
        ("a=1\nb=2", None),
        ("a=" + "[" * 5000, None),
    ],
)
def test_assignments_of_the_command_line(text, pair):
    if pair is None:
        with pytest.raises(UserError):
            parse_assignment(text)
    else:
        assert parse_assignment(text) == pair


def test_a_list_without_brackets_gets_a_hint():
    with pytest.raises(UserError) as caught:
        parse_assignment("a=3,5")
    assert str(caught.value) == (
        "a: '3,5' is no number, word, list, true or false; write a list as [3,5]"
    )


def test_a_text_without_quotes_gets_a_hint():
    with pytest.raises(UserError) as caught:
        parse_assignment("a=2 red, 1 gold")
    assert str(caught.value) == (
        "a: '2 red, 1 gold' is no number, word, list, true or false; "
        'write a text in quotes: "2 red, 1 gold"'
    )
    assert parse_assignment('a="2 red, 1 gold"') == ("a", "2 red, 1 gold")


# --- bad files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "rulebook.toml",
            "value = 6",
            "value = 60",
            "rulebook.toml:4: dice.sides: 60 is not allowed; allowed: a whole number from 2 to 12",
        ),
        (
            "rulebook.toml",
            "value = 6",
            "value = -6",
            "rulebook.toml:4: dice.sides: -6 is not allowed; allowed: a whole number from 2 to 12",
        ),
        (
            "rulebook.toml",
            "sides = {",
            "side = {",
            "FOLDER: dice.sides: is missing; allowed: a whole number from 2 to 12\n"
            "rulebook.toml:4: dice.side: unknown key (did you mean 'dice.sides'?)",
        ),
        (
            "rulebook.toml",
            'section = "Box"',
            'secton = "Box"',
            "rulebook.toml:4: dice.sides: secton: unknown key (did you mean 'section'?); "
            "known keys: section, value\n"
            "rulebook.toml:4: dice.sides: section is missing",
        ),
        (
            "rulebook.toml",
            '{ value = 6, section = "Box" }',
            "6",
            "rulebook.toml:4: dice.sides: stands alone; "
            'write sides = { value = 6, section = "..." }',
        ),
        (
            "rulebook.toml",
            "value = [2]\n",
            "",
            "rulebook.toml:6: prices: has no value",
        ),
        (
            "rulebook.toml",
            'game = "toy"',
            'game = "chess"',
            'rulebook.toml:1: game: "chess" is another game; these are rules of toy',
        ),
        (
            "rulebook.toml",
            'game = "toy"\n',
            "",
            'rulebook.toml: game: is missing; write game = "toy" above the first table',
        ),
        (
            "rulebook.toml",
            "value = [2]",
            "value = [2, 3]",
            "rulebook.toml:7: prices: [2, 3, 4, 6] is not allowed; "
            "allowed: a list of 3, each a whole number from 0 to 20",
        ),
        (
            "rulebook.toml",
            "[prices]",
            "[dice]",
            "rulebook.toml:6: this table stands twice",
        ),
        (
            "assumed.toml",
            "  6,",
            "  66,",
            "assumed.toml:11: prices.2: 66 is not allowed; allowed: a whole number from 0 to 20\n"
            "assumed.toml:13: prices: [4, 66] is not between low [3, 5] and high [5, 8]",
        ),
        (
            "assumed.toml",
            "low = 1\n",
            "",
            "assumed.toml:1: dice.faces: low is missing",
        ),
        (
            "assumed.toml",
            "low = 1\n",
            "low = 1\nlow = 1\n",
            "assumed.toml:4: this key stands twice",
        ),
        (
            "assumed.toml",
            "low = 1\n",
            "low = 3\n",
            "assumed.toml:3: dice.faces: 2 is not between low 3 and high 3",
        ),
        (
            "assumed.toml",
            "high = 3\n",
            "high = 7\n",
            "assumed.toml:4: dice.faces: high: more faces than sides",
        ),
        (
            "assumed.toml",
            "high = 3\n",
            "high = nan\n",
            "assumed.toml:4: dice.faces: high: nan is not a finite number",
        ),
        (
            "assumed.toml",
            "value = 2\n",
            "value = true\n",
            "assumed.toml:2: dice.faces: true is not allowed; "
            "allowed: a whole number from 0 to 12\n"
            "assumed.toml:3: dice.faces: low: only numbers have one",
        ),
        (
            "assumed.toml",
            "value = 2\n",
            "value = 1979-05-27\n",
            "assumed.toml:2: dice.faces: 1979-05-27 is neither a number nor a word, "
            "a list, true or false",
        ),
        (
            "assumed.toml",
            'evidence = "two dearer at each step"\n',
            "",
            "assumed.toml:8: prices: evidence is missing",
        ),
        (
            "assumed.toml",
            "low = [3, 5]",
            "low = [3]",
            "assumed.toml:13: prices: value, low and high are not alike; "
            "give each the same number of numbers",
        ),
        (
            "assumed.toml",
            'range = "switches.profile"',
            'range = "switches.profil"',
            'assumed.toml:19: marks: range "switches.profil" is neither "judged" nor a key in '
            "alternatives.toml (did you mean 'switches.profile'?)",
        ),
        (
            "assumed.toml",
            "[marks]",
            '[dice.sides]\nvalue = 6\nlow = 6\nhigh = 6\nevidence = "again"\n\n[marks]',
            "assumed.toml:18: dice.sides: stands twice; the other one is in rulebook.toml:4",
        ),
        (
            "alternatives.toml",
            "marks =",
            "mark =",
            "alternatives.toml:3: mark: unknown key (did you mean 'marks'?)",
        ),
        (
            "alternatives.toml",
            "dice.faces = 3",
            "dice.faces = 13",
            "alternatives.toml:3: dice.faces: 13 is not allowed; "
            "allowed: a whole number from 0 to 12",
        ),
        (
            "alternatives.toml",
            "dice.faces = 3",
            "dice.faces = 7",
            "alternatives.toml:3: dice.faces: more faces than sides",
        ),
        (
            "alternatives.toml",
            'evidence = "more of everything"',
            "",
            "alternatives.toml:1: switches.profile.rich: evidence is missing",
        ),
        (
            "alternatives.toml",
            "[switches.profile.rich]",
            "[switches.profile.default]",
            "alternatives.toml:1: switches.profile.default: "
            'an alternative is [KEY.NAME], and NAME is not "default"',
        ),
        (
            "cards.csv",
            "axe,4,",
            "axe,four,",
            "cards.csv:2: cards.axe.count: low: only numbers have one\n"
            'cards.csv:2: cards.axe.count: "four" is not allowed; '
            "allowed: a whole number from 0 to 20",
        ),
        (
            "cards.csv",
            "axe,4,",
            "ax,4,",
            "cards.csv:2: cards.ax: unknown key (did you mean 'cards.axe'?)",
        ),
        (
            "cards.csv",
            "bow,7,",
            "bow,,",
            "cards.csv:3: cards.bow.count: is missing; allowed: a whole number from 0 to 20",
        ),
        (
            "cards.csv",
            "bow,7,",
            "bow,7,7,",
            "cards.csv:3: cards.bow: 11 cells in a row, 10 columns in the head",
        ),
        (
            "cards.csv",
            "bow,7,",
            "axe,7,",
            "cards.csv:3: cards.axe: stands twice; see line 2",
        ),
        (
            "cards.csv",
            "Bows",
            "",
            "cards.csv:3: cards.bow.count: evidence is missing\n"
            "cards.csv:3: cards.bow.count: low is missing\n"
            "cards.csv:3: cards.bow.strength: evidence is missing\n"
            "cards.csv:3: cards.bow.strength: low is missing",
        ),
        ("cards.csv", "strength,", "count,", "cards.csv:1: column 'count' stands twice"),
        (
            "cards.csv",
            "axe,4,",
            '"axe,4,',
            "cards.csv:2: is not a CSV list: unexpected end of data",
        ),
    ],
)
def test_a_bad_file_is_told_by_line_and_key(folder, name, old, new, message):
    edit(folder, name, old, new)
    assert error(folder).replace(str(folder), "FOLDER") == message


def test_all_problems_of_all_files_come_at_once(folder):
    edit(folder, "rulebook.toml", "value = 6", "value = 60")
    edit(folder, "assumed.toml", '"early"', '"erly"')
    edit(folder, "cards.csv", "bow,7", "bow,70")
    assert error(folder, {"dice.side": 1}) == (
        "dice.side: unknown key (did you mean 'dice.sides'?)\n"
        'assumed.toml:24: switches.reading: "erly" is not allowed; allowed: "early", "late" '
        "(did you mean 'early'?)\n"
        "cards.csv:3: cards.bow.count: 70 is not allowed; allowed: a whole number from 0 to 20\n"
        "rulebook.toml:4: dice.sides: 60 is not allowed; allowed: a whole number from 2 to 12"
    )


def test_a_syntax_error_does_not_hide_the_other_files(folder):
    edit(folder, "assumed.toml", "value = 2", "value = ")
    edit(folder, "rulebook.toml", 'section = "Box"', 'section = ""')
    first, second = error(folder).splitlines()
    assert first.startswith("assumed.toml:2: is not valid TOML: ")
    assert second == 'rulebook.toml:4: dice.sides: section "" is not a sentence'


def test_files_that_cannot_be_read(folder):
    (folder / "rulebook.toml").unlink()
    (folder / "assumed.toml").write_bytes(ASSUMED.replace("guess", "gu\xe9ss").encode("latin-1"))
    (folder / "cards.csv").unlink()
    (folder / "cards.csv").mkdir()
    (folder / "alternatives.toml").write_text("a = " + "[" * 5000, encoding="utf-8")
    assert error(folder) == (
        "alternatives.toml: is nested too deeply\n"
        "assumed.toml:6: is not UTF-8; save it as UTF-8\n"
        "cards.csv: cannot be read: Is a directory\n"
        "rulebook.toml: is missing"
    )


def test_a_list_of_another_name_is_refused_once(folder):
    (folder / "cardz.csv").write_text(CARDS, encoding="utf-8")
    assert error(folder) == "cardz.csv: this game has no such list (did you mean 'cards.csv'?)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cards.csv: is empty"),
        ("card;count\naxe;4\n", "cards.csv:1: has one column; separate columns by commas"),
        (
            CARDS.splitlines()[0],
            "cards.csv:1: has a head but no rows; write a line below it for each thing of the list",
        ),
        (
            "card,evidence\naxe,a guess\nbow,a guess\n",
            'cards.csv:1: cards: columns "count", "strength" are missing; '
            "known columns: count, evidence, range, section, strength",
        ),
        (  # the rest of the row stands in columns of another name: said once, not for each row
            CARDS.replace("strength", "strenght"),
            "cards.csv:1: cards: unknown column \"strenght\" (did you mean 'strength'?); "
            'column "strength" is missing; '
            "known columns: count, evidence, range, section, strength",
        ),
    ],
)
def test_lists_that_are_none(folder, text, message):
    (folder / "cards.csv").write_text(text, encoding="utf-8")
    assert error(folder) == message


def test_no_folder(tmp_path):
    with pytest.raises(UserError) as caught:
        load(Toy, tmp_path / "nowhere")
    assert str(caught.value) == f"{tmp_path / 'nowhere'}: no such folder"


@given(st.data())
def test_whatever_is_broken_loads_or_is_a_user_error(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("broken")
    texts = dict(FILES)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(texts)))
        lines = texts[name].splitlines()
        at = data.draw(st.integers(0, max(len(lines) - 1, 0)))
        how = data.draw(st.sampled_from(["delete", "double", "swap", "insert", "cut"]))
        line = lines[at] if lines else ""
        if how == "delete":
            lines[at : at + 1] = []
        elif how == "double":
            lines[at:at] = [line]
        elif how == "cut":
            lines[at : at + 1] = [line[: data.draw(st.integers(0, len(line)))]]
        elif how == "insert":
            place = data.draw(st.integers(0, len(line)))
            bit = data.draw(st.text(string.printable, max_size=3))
            lines[at : at + 1] = [line[:place] + bit + line[place:]]
        else:
            new = data.draw(
                st.sampled_from(
                    ["true", "nan", "-1", "1e400", "[]", "{}", '"x"', "9" * 30, "1.5", "07:32:00"]
                )
            )
            words = line.split(" ")
            words[data.draw(st.integers(0, len(words) - 1))] = new
            lines[at : at + 1] = [" ".join(words)]
        texts[name] = "\n".join(lines) + "\n"
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        content = load(Toy, folder)
    except ProblemsError as error:
        problems = [(p.file, p.text) for p in error.problems]
    else:
        problems = []
        assert all(entry.section or entry.evidence for entry in content.entries)
    for file, text in problems:
        assert file.startswith(str(folder))
        assert text


@given(
    st.dictionaries(
        st.sampled_from(
            [
                *("dice", "dice.sides", "prices", "prices.1", "prices.1.2", "marks.0", "marks"),
                *("cards", "cards.axe", "cards.axe.count", "switches.profile", "switches"),
                *("", ".", "x.y"),
            ]
        ),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text(max_size=3)
            | st.just("rich"),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["sides", "axe", "count", "0"]), inner, max_size=2
                )
            ),
            max_leaves=4,
        ),
        max_size=3,
    )
)
def test_whatever_is_patched_loads_or_is_a_user_error(tmp_path_factory, patches):
    folder = tmp_path_factory.mktemp("patched")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        content = load(Toy, folder, patches)
    except ProblemsError as error:
        assert error.problems  # noqa: PT017 - either outcome is right
    else:
        assert Toy.model_validate(content.model.model_dump()) == content.model


# --- lines of TOML -------------------------------------------------------------------------------

_keys = st.sampled_from(["a", "b-1", "c_d", "long key", "ü", "a.b", 'quo"te', "1"])
_scalars = st.sampled_from(
    [
        *("1", "-2.5", "true", "nan", "0x1F", "2020-01-01 10:00:00"),
        *('"t # [x] = {"', "'lit]'", "''", '""""""', '"\\\\"', '"""ends in quotes"""""'),
        *('"""two\nlines \\""" x"""', "'''a\n'b\n'''"),
    ]
)


@st.composite
def _toml_value(draw, depth=0):
    kind = draw(st.sampled_from(["scalar", "scalar", "list", "table"] if depth < 2 else ["scalar"]))
    if kind == "scalar":
        return draw(_scalars)
    inner = draw(st.lists(_toml_value(depth=depth + 1), max_size=3))
    if kind == "list":
        gap = draw(st.sampled_from(["", "\n", " # note ]\n  ", "\n\n"]))
        return f"[{gap}" + "".join(f"{item}{gap},{gap}" for item in inner) + "]"
    names = draw(st.lists(_keys, min_size=len(inner), max_size=len(inner), unique=True))
    return "{ " + ", ".join(f"{_written(k)} = {v}" for k, v in zip(names, inner, strict=True)) + "}"


def _written(key: str) -> str:
    bare = key.isascii() and all(c.isalnum() or c in "-_" for c in key)
    return key if bare else '"' + key.replace('"', '\\"') + '"'


@st.composite
def _toml_text(draw):
    lines = []
    for number in range(draw(st.integers(0, 5))):
        lines += draw(st.sampled_from([[], [""], ["# [no] table = 1"]]))
        head = draw(st.sampled_from(["", f"[t{number}]", f"[t{number}.'x y' . z]", "[[array]]"]))
        if head and (number or head != ""):
            lines.append(head)
        names = draw(st.lists(_keys, max_size=3, unique=True)) if head or not number else []
        for name in names:
            lines.append(f"{_written(name)} = {draw(_toml_value())}" + draw(st.just("  # end")))
    return "\n".join(lines)


def _paths(value: Any, path: tuple = ()) -> Iterator[tuple]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _paths(inner, (*path, index))


@given(_toml_text())
def test_every_key_of_a_toml_text_has_a_line(text):
    table = tomllib.loads(text)
    lines = toml_lines(text)
    assert set(lines) == set(_paths(table))
    rows = text.split("\n")
    for path, line in lines.items():
        if isinstance(path[-1], str):
            row = rows[line - 1]
            assert path[-1] in row or path[-1].replace('"', '\\"') in row


def test_lines_of_a_text_with_everything_in_it():
    text = (
        '# first\na.b = """\nx\n"""\n[t]\nlist = [\n  1, # one\n  [2,\n   3],\n]\n\n'
        "[[u]]\nk=1\n[[u]]\nk=2\n"
    )
    assert toml_lines(text) == {
        ("a",): 2,
        ("a", "b"): 2,
        ("t",): 5,
        ("t", "list"): 6,
        ("t", "list", 0): 7,
        ("t", "list", 1): 8,
        ("t", "list", 1, 0): 8,
        ("t", "list", 1, 1): 9,
        ("u",): 12,
        ("u", 0): 12,
        ("u", 0, "k"): 13,
        ("u", 1): 14,
        ("u", 1, "k"): 15,
    }


# --- copies --------------------------------------------------------------------------------------


def test_export_copies_the_files_and_nothing_else(folder, tmp_path_factory):
    (folder / "notes.txt").write_text("not data", encoding="utf-8")
    target = tmp_path_factory.mktemp("copies") / "new" / "folder"
    written = export(folder, target)
    assert [path.name for path in written] == sorted(FILES)
    assert load(Toy, target).files_hash == load(Toy, folder).files_hash
    assert export(folder, target) == written  # identical files may stay


def test_export_writes_over_nothing(folder, tmp_path_factory):
    target = tmp_path_factory.mktemp("target")
    (target / "rulebook.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        export(folder, target)
    path = target / "rulebook.toml"
    assert str(caught.value) == f"{path}: exists and differs; nothing was written"
    assert [path.name for path in target.iterdir()] == ["rulebook.toml"]
    assert path.read_text(encoding="utf-8") == "mine"
    with pytest.raises(UserError, match="cannot be written"):
        export(folder, path)


def test_the_folder_says_which_game_it_is(folder):
    assert game_of(folder) == "toy"
    with pytest.raises(UserError) as caught:
        validate(folder)
    assert str(caught.value).startswith(f"{folder / 'rulebook.toml'}: game: unknown game 'toy'")
    edit(folder, "rulebook.toml", 'game = "toy"', "game = 3")
    with pytest.raises(UserError, match="game: is missing"):
        game_of(folder)
    with pytest.raises(UserError, match="no such folder"):
        validate(folder / "nowhere")


def test_hidden_and_other_files_are_no_data(folder):
    for name in ("._cards.csv", "study.toml", ".~lock.cards.csv#"):
        (folder / name).write_bytes(b"\0\xff")
    assert [path.name for path in data_files(folder)] == sorted(FILES)
    load(Toy, folder)


# --- lists whose rows have names of their own ----------------------------------------------------


def _loud(text: str) -> str:
    if text != text.upper():
        raise ValueError(f"{text} is not loud")
    return text


class Tile(Model):
    cost: Small
    text: Annotated[str, AfterValidator(_loud)] = ""

    def problems(self) -> Iterator[tuple[tuple[str, ...], str]]:
        if self.text == "FREE" and self.cost:
            yield ("text", "cost"), f"free, and costs {self.cost}"


class Mark(Model):
    worth: Small = 0
    text: str = ""


class Marks(Model):
    GAME: ClassVar[str] = "marks"
    FILES: ClassVar[tuple[str, ...]] = ("rulebook.toml", "marks.csv")

    marks: dict[str, Mark]


class Tiles(Model):
    GAME: ClassVar[str] = "tiles"
    FILES: ClassVar[tuple[str, ...]] = (*Model.FILES, "tiles.csv")

    size: Small
    tiles: dict[str, Tile]
    most: Small

    def problems(self) -> Iterator[tuple[tuple[str, ...], str]]:
        if sum(tile.cost for tile in self.tiles.values()) > self.most:
            yield ("tiles", "most"), "the tiles cost too much"


TILES = """\
tile,cost,cost_low,cost_high,text,evidence
road,2,1,3,GO,a guess
wall,,,,STOP,a guess
lake,3,3,3,,a guess
"""


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    (tmp_path / "rulebook.toml").write_text(
        'game = "tiles"\nsize = { value = 3, section = "Box" }\n'
        'tiles.wall.cost = { value = 4, section = "Walls" }\n',
        encoding="utf-8",
    )
    (tmp_path / "assumed.toml").write_text(
        'most = { value = 10, low = 10, high = 12, evidence = "a guess" }\n', encoding="utf-8"
    )
    (tmp_path / "tiles.csv").write_text(TILES, encoding="utf-8")
    return tmp_path


def test_rows_are_in_the_order_of_the_list(tiles):
    content = load(Tiles, tiles)
    assert {name: tile.cost for name, tile in content.model.tiles.items()} == {
        "road": 2,
        "wall": 4,
        "lake": 3,
    }
    assert list(content.model.tiles) == ["road", "wall", "lake"]
    keys = [entry.key for entry in content.entries]
    assert keys == [
        "size",
        *("tiles.road.cost", "tiles.road.text", "tiles.wall.cost", "tiles.wall.text"),
        *("tiles.lake.cost", "most"),
    ]
    wall = next(entry for entry in content.entries if entry.key == "tiles.wall.cost")
    assert (wall.source, wall.section) == ("rulebook", "Walls")


def test_the_order_of_the_rows_is_part_of_the_hash(tiles):
    usual = load(Tiles, tiles).hash
    lines = TILES.splitlines(keepends=True)
    (tiles / "tiles.csv").write_text("".join([lines[0], *lines[:0:-1]]), encoding="utf-8")
    turned = load(Tiles, tiles)
    assert list(turned.model.tiles) == ["lake", "wall", "road"]
    assert turned.hash != usual


def test_a_table_of_values_is_a_new_row_of_a_list(tiles):
    content = load(
        Tiles, tiles, {"tiles": {"hill": {"cost": 0, "text": "UP"}}, "tiles.wall.cost": 1}
    )
    assert list(content.model.tiles) == ["road", "wall", "lake", "hill"]
    assert content.model.tiles["wall"] == Tile(cost=1, text="STOP")
    assert content.patches == {"tiles.hill": {"cost": 0, "text": "UP"}, "tiles.wall.cost": 1}
    again = load(Tiles, tiles, content.patches)
    assert (again.hash, again.patches) == (content.hash, content.patches)


@pytest.mark.parametrize(
    ("patches", "message"),
    [
        (
            {"tiles.wal.cost": 1},
            "tiles.wal.cost: unknown name (did you mean 'wall'?); known names: lake, road, wall",
        ),
        (
            {"tiles.wal": 1},
            "tiles.wal: unknown name (did you mean 'wall'?); known names: lake, road, wall",
        ),
        (
            {"tiles.wall.cots": 1},
            "tiles.wall.cots: unknown key (did you mean 'cost'?); "
            "known keys in tiles.wall: cost, text",
        ),
        (
            {"tiles.hill": {"text": "UP"}},
            "tiles.hill.cost: is missing; allowed: a whole number from 0 to 20",
        ),
        (
            {"tiles.wall.text": Patch("stop", "study.toml", 3)},
            "study.toml:3: tiles.wall.text: stop is not loud",
        ),
    ],
)
def test_bad_patches_of_lists(tiles, patches, message):
    with pytest.raises(UserError) as caught:
        load(Tiles, tiles, patches)
    assert str(caught.value).replace(f"{tiles}{os.sep}", "").endswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "cost,cost_low,cost_high,text",
            "cost,cost_low,cost_high,txt",
            "tiles.csv:1: tiles: unknown column \"txt\" (did you mean 'text'?); "
            "known columns: cost, evidence, range, section, text",
        ),
        (
            "cost,cost_low,cost_high,text",
            "kost,kost_low,kost_high,text",
            "tiles.csv:1: tiles: unknown column \"kost\" (did you mean 'cost'?); "
            'column "cost" is missing; known columns: cost, evidence, range, section, text',
        ),
        (
            "lake,3,3,3",
            "lake,30,30,30",
            "tiles.csv:4: tiles.lake.cost: 30 is not allowed; allowed: a whole number from 0 to 20",
        ),
        (
            "lake,3,3,3,,a guess",
            "big.lake,3,3,3,,a guess\n,3,3,3,,a guess",
            'tiles.csv:4: tiles: "big.lake" has a dot; names are parts of keys\n'
            "tiles.csv:5: tiles: the first cell, the name, is empty; names are parts of keys",
        ),
        ("STOP", "Stop", "tiles.csv:3: tiles.wall.text: Stop is not loud"),
        (
            "road,2,1,3",
            "road,2,1,30",
            "tiles.csv:2: tiles.road.cost: high: 30 is not allowed; "
            "allowed: a whole number from 0 to 20",
        ),
        ("road,2,1,3", "road,2,1,4", "tiles.csv:2: tiles.road.cost: high: the tiles cost too much"),
        ("road,2,1,3,GO", "road,2,1,30,go", "tiles.csv:2: tiles.road.text: go is not loud"),
    ],
)
def test_bad_lists_are_told_by_line_and_key(tiles, old, new, message):
    edit(tiles, "tiles.csv", old, new)
    with pytest.raises(UserError) as caught:
        load(Tiles, tiles)
    assert str(caught.value).replace(f"{tiles}{os.sep}", "") == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mark,worth,worth_low,worth_high,evidence\nstar,2,1,3,a guess\nmoon,,,,a guess\n", ""),
        (
            "mark,worth_low,worth_high,text,evidence\nstar,1,3,bright,a guess\n",
            'column "worth" is missing; ',
        ),
        ("mark,evidence\nstar,a guess\nmoon,a guess\n", "no column says anything of the rows; "),
        ("mark,text,painter,evidence\nstar,bright,mine,a guess\n", 'unknown column "painter"; '),
    ],
)
def test_columns_that_not_every_row_needs(tmp_path, text, message):
    (tmp_path / "rulebook.toml").write_text('game = "marks"\n', "utf-8")
    (tmp_path / "marks.csv").write_text(text, "utf-8")
    if not message:
        assert load(Marks, tmp_path).model.marks["star"].worth == 2
        return
    with pytest.raises(UserError) as caught:
        load(Marks, tmp_path)
    assert str(caught.value) == (
        f"{tmp_path / 'marks.csv'}:1: marks: {message}"
        "known columns: evidence, range, section, text, worth"
    )


def test_a_bound_that_no_combination_allows_is_told(tiles):
    edit(tiles, "assumed.toml", "low = 10", "low = 8")
    with pytest.raises(UserError) as caught:
        load(Tiles, tiles)
    assert str(caught.value) == f"{tiles / 'assumed.toml'}:1: most: low: the tiles cost too much"


def test_what_is_wrong_with_a_row_is_told_beside_bad_values(tiles):
    edit(tiles, "tiles.csv", "road,2,1,3,GO", "road,2,0,3,FREE")
    message = f"{tiles / 'tiles.csv'}:2: tiles.road.text: free, and costs 2"
    with pytest.raises(UserError) as caught:
        load(Tiles, tiles)
    assert str(caught.value) == message
    edit(tiles, "tiles.csv", "lake,3,3,3", "lake,30,30,30")
    with pytest.raises(UserError) as caught:
        load(Tiles, tiles)
    assert str(caught.value).splitlines() == [
        message,
        f"{tiles / 'tiles.csv'}:4: tiles.lake.cost: 30 is not allowed; "
        "allowed: a whole number from 0 to 20",
    ]


def test_a_bound_that_its_row_does_not_allow_is_told(tiles):
    edit(tiles, "tiles.csv", "road,2,1,3,GO", "road,0,0,1,FREE")
    with pytest.raises(UserError) as caught:
        load(Tiles, tiles)
    assert str(caught.value) == (
        f"{tiles / 'tiles.csv'}:2: tiles.road.cost: high: free, and costs 1"
    )
