"""What is wrong with numbers of Near and Far is said in words: file, line, key, what is allowed."""

import csv
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.content import validate
from sim.errors import UserError
from sim.near_and_far.content import FOLDER, HANDICAPS, load, tables
from sim.near_and_far.state import GOODS, TABLES, Place
from sim.near_and_far.words import (
    BUILDING_NAMES,
    FACTION_NAMES,
    card_symbols,
    member_symbols,
    read_reward,
    read_tokens,
)
from sim.rulefiles import data_files
from tests.sim.mixed_cells import mix_cells

CONTENT = load()
RULES = CONTENT.model
ARTIFACTS = list(RULES.artifacts)
ADVENTURERS = list(RULES.adventurers)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in data_files(FOLDER):
        shutil.copy(path, tmp_path / path.name)
    return tmp_path


def change(folder: Path, list_name: str, name: str, column: str, value: str | None) -> int:
    """Change a cell of a list (the whole row goes with None); return the line of the row."""
    path = folder / f"{list_name}.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    line = next(number for number, row in enumerate(rows) if row[0] == name)
    if value is None:
        del rows[line]
    else:
        rows[line][rows[0].index(column)] = value
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return line + 1


def told(patches: dict) -> list[str]:
    with pytest.raises(UserError) as caught:
        load(patches=patches)
    return str(caught.value).splitlines()


# --- texts ---------------------------------------------------------------------------------------

REWARD_WORDS = (
    "coin, food, gem, heart, lizardfolk, magic, mystics, nomads, outlaws, point, reputation, "
    "treasure"
)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        (
            "quests.quest_a.skill_reward",
            "2 coyns",
            f"unknown word \"coyns\" (did you mean 'coin'?); known words: {REWARD_WORDS}",
        ),
        (
            "quests.quest_a.skill_reward",
            "coins",
            '"coins" is no phrase; write a number and a word: "2 food"',
        ),
        (
            "quests.quest_a.skill_bonus",
            "16 food",
            '"16 food": 16 is not allowed; allowed: a whole number from 1 to 15',
        ),
        (
            "threats.new_6.reward",
            "-10 reputation",
            '"-10 reputation": -10 is not allowed; allowed: a whole number from -9 to 15, but not '
            "0",
        ),
        (
            "threats.new_6.reward",
            "-1 coin",
            '"-1 coin": -1 is not allowed; allowed: a whole number from 1 to 15',
        ),
        ("mine_cards.web_tunnel.reward", "1 coin, 2 coins", "coin stands twice"),
        (
            "adventurers.pim.symbols",
            "1 heart",
            "unknown word \"heart\" (did you mean 'search'?); known words: caution, combat, "
            "movement, search, skill",
        ),
        (
            "treasures.horn_bow.symbols",
            "1 search",
            "unknown word \"search\" (did you mean 'heart'?); known words: caution, combat, heart, "
            "movement, skill",
        ),
        (
            "artifacts.bent_lantern.tokens",
            "1 nomad",
            "unknown word \"nomad\" (did you mean 'nomads'?); known words: lizardfolk, mystics, "
            "nomads, outlaws",
        ),
        (
            "artifacts.bent_lantern.symbols",
            "10 skill",
            '"10 skill": 10 is not allowed; allowed: a whole number from 1 to 9',
        ),
        (
            "paths.caverns_d_to_k.symbols",
            "tresure",
            "unknown word \"tresure\" (did you mean 'treasure'?); known words: threat, treasure",
        ),
        (
            "paths.caverns_d_to_k.symbols",
            "threat threat",
            "threat stands twice; a path has one of each at most",
        ),
        (
            "quests.election_65.skill_then",
            "gains turtle",
            "unknown word \"gains\" (did you mean 'gain'?); known words: gain, lose, read",
        ),
        (
            "quests.election_65.skill_then",
            "gain",
            '"gain" is no phrase; write a verb and a name: "gain turtle"',
        ),
        (
            "mine_areas.area_a1.next_to",
            "area-a2",
            '"area-a2" is no name; write small letters, digits and _',
        ),
    ],
)
def test_a_bad_text_is_one_clear_line(key, text, message):
    assert told({key: text}) == [f"{key}: {message}"]


def test_words_are_read_as_designers_write_them():
    assert read_reward("2 coins, 1 gem") == read_reward("2 COIN ,1 gems") == {1: 2, 2: 1}
    assert read_reward("") == read_reward("  ") == {}
    assert read_reward("-2 reputation, +1 treasure") == {7: -2, 9: 1}
    assert member_symbols("1 skill, 2 movement") == {0: 1, 4: 2}
    assert card_symbols("2 hearts") == {5: 2}
    assert read_tokens(", ".join(f"1 {name}" for name in FACTION_NAMES)) == dict.fromkeys(
        (1, 2, 3, 4), 1
    )


def test_a_text_that_was_read_cannot_be_spoilt():
    read_reward("3 gems").clear()
    assert read_reward("3 gems") == {2: 3}


# --- combinations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patches", "message"),
    [
        (
            {"switches.map": "cloudy_vally"},
            "switches.map: unknown map \"cloudy_vally\" (did you mean 'cloudy_valley'?); known: "
            "cloudy_valley, glogo_caverns, meteor_mountain",
        ),
        (
            {"switches.scenario": "snazra_election"},
            "switches.scenario: snazra_election is played on the map cloudy_valley; set "
            'switches.map = "cloudy_valley"',
        ),
        (
            {"switches.scenario": "snazra"},
            "switches.scenario: unknown scenario \"snazra\" (did you mean 'snazra_election'?); "
            "known: ancient_railroad, none, snazra_election",
        ),
        (
            {"expert_die.numbers": [3, 4, 5]},
            "expert_die.numbers: 5 faces of an expert die, 6 of an ordinary one; at most 6 fit",
        ),
        (
            {"dice.sides": 8},
            "dice.sides: 6 faces of an expert die, 8 of an ordinary one; at most 6 fit",
        ),
        (
            {"expert_die.numbers": [0, 4, 5, 6]},
            "expert_die.numbers.0: 0 is no number on a face; from 1 to 9",
        ),
        (
            {"setup.advanced_kept": 3},
            "setup.advanced_kept: 3 of 2 advanced artifacts are kept",
        ),
        (
            {"setup.advanced_dealt": 4},
            "setup.advanced_dealt: 15 advanced artifacts without modules; 4 players are dealt 4 "
            "each",
        ),
        (
            {"setup.more_quests": 5},
            "setup.more_quests: 17 quest tokens with 4 players; glogo_caverns has room for 16",
        ),
        (
            {"magic.spell_spaces": [3, 15]},
            "magic.spell_spaces.1: space 15 of a track of 14",
        ),
        ({"magic.spell_spaces": [3, 3]}, "magic.spell_spaces: [3, 3] has a space twice"),
        (
            {"companions.dog_or_cat.count": 3},
            "companions: 3 companions for everybody; there are up to 4 players",
        ),
        (
            {"spells.haste.copies": 101},
            "spells: 128 spell cards; at most 127 fit",
        ),
        (
            {"mine_cards.web_tunnel.number": 0},
            "mine_cards.web_tunnel.number: a check has a number of at least 1; a card without a "
            "check has none",
        ),
        (
            {"mine_cards.entrance.reward": "1 gem"},
            "mine_cards.entrance.reward: the first card of the list is the entrance: no check, no "
            "amber, no reward",
        ),
        (
            {"mine_areas.area_a1.next_to": "area_x9"},
            "mine_areas.area_a1.next_to: unknown area \"area_x9\" (did you mean 'area_c4'?); "
            "known: " + ", ".join(sorted(RULES.mine_areas)),
        ),
        (
            {"mine_areas.area_a1.start": False, "mine_areas.area_b1.start": False},
            "mine_areas: no area is a start; one must have start = true",
        ),
        (
            {"spaces.snazra.map": "cloud_valley"},
            "spaces.snazra.map: unknown map \"cloud_valley\" (did you mean 'cloudy_valley'?); "
            "known: cloudy_valley, glogo_caverns, meteor_mountain",
        ),
        (
            {"spaces.caverns_w1.resource": "none"},
            "spaces.caverns_w1.resource: a trade resource is on two spaces of a map; here peppers "
            "on 1",
        ),
        (
            {"scenarios.snazra_election.resource": "peppers"},
            "scenarios.snazra_election.resource: a trade resource is on two spaces of a map; here "
            "peppers on 3, tea_leaves on 1",
        ),
        (
            {"scenarios.snazra_election.town": "hogtown"},
            'scenarios.snazra_election.town: unknown space "hogtown"',
        ),
        (
            {"paths.caverns_d_to_k.to": "caverns_d"},
            "paths.caverns_d_to_k.to: a path from caverns_d to itself",
        ),
        (
            {"paths.caverns_d_to_k.to": "caverns_w4"},
            "paths.caverns_d_to_k.to: caverns_d and caverns_w4 are joined by caverns_w4_to_d "
            "already",
        ),
        (
            {"paths.caverns_d_to_k.to": "snazra"},
            "paths.caverns_d_to_k.to: caverns_d is on glogo_caverns, snazra on another map",
        ),
        (
            {"paths.caverns_d_to_k.to": "caverns_z"},
            'paths.caverns_d_to_k.to: unknown space "caverns_z" (did you mean ',
        ),
        (
            {"quests.quest_a.space": "snazra"},
            'quests.quest_a.space: unknown space "snazra"',
        ),
        (
            {"quests.quest_a.space": "caverns_b"},
            "quests.quest_b.space: the quest quest_a is here already",
        ),
        (
            {"quests.quest_a.story": "glogo_cavern"},
            "quests.quest_a.story: unknown story \"glogo_cavern\" (did you mean 'glogo_caverns'?)",
        ),
        (
            {"quests.quest_a.skill_then": "gain turtle"},
            'quests.quest_a.skill_then: unknown keyword "turtle"; known: ',
        ),
        (
            {"quests.election_65.skill_then": "gain turtel"},
            "quests.election_65.skill_then: unknown keyword \"turtel\" (did you mean 'turtle'?)",
        ),
        (
            {"quests.election_65.skill_then": "read railroad_49"},
            'quests.election_65.skill_then: unknown paragraph "railroad_49"',
        ),
        (
            {"paragraphs.election_63.then": "read election_64"},
            "paragraphs.election_63.then: a paragraph cannot go on with another one",
        ),
        (
            {"keywords.turtle.scenario": "none"},
            'keywords.turtle.scenario: unknown story "none"',
        ),
        (
            {"players.most": 5},
            "players.most: 5 is not allowed; allowed: a whole number from 2 to 4",
        ),
        (
            {"adventurers.pim.faction": "nomad"},
            'adventurers.pim.faction: "nomad" is not allowed; allowed: "lizardfolk", "mystics", '
            '"nomads", "none", "outlaws" (did you mean \'nomads\'?)',
        ),
        (
            {"treasures.Big Bow": {"supply": "base"}},
            'treasures.Big Bow: "Big Bow" is no name; write small letters, digits and _: old_lamp',
        ),
        (
            {"time_track.hour_7.next": "hour_99"},
            'time_track.hour_7.next: unknown space of the time track "hour_99"',
        ),
        (
            {"time_track.hour_7.next": "hour_6"},
            "time_track.hour_7.next: goes round in a circle from hour_6 to hour_7; no skull",
        ),
        (
            {"time_track.skull.next": "hour_7"},
            "time_track.skull.next: nothing comes after a skull",
        ),
        (
            {"time_track.skull.swords": True},
            "time_track.skull.swords: a skull is the end and nothing else",
        ),
        (
            {"time_track.hour_7.value": 0},
            "time_track.hour_7.value: a space that is no skull has a number of at least 1",
        ),
        (
            {"time_track.hour_7.start": "moon 2-3"},
            "time_track.hour_21.start: moon 2 starts on hour_7 already",
        ),
        (
            {"time_track.hour_7.start": "mooon 2"},
            "time_track.hour_7.start: unknown word \"mooon\" (did you mean 'moon'?)",
        ),
        (
            {"time_track.hour_7.start": "two, moon"},
            'time_track.hour_7.start: "two, moon" is no phrase; write a difficulty and how many',
        ),
        (
            {"time_track.hour_7.start": "moon 9"},
            'time_track.hour_7.start: "moon 9" is no phrase; write a difficulty and how many',
        ),
        (
            {"time_track.hour_7.start": "moon 4-3"},
            'time_track.hour_7.start: "moon 4-3" is for nobody; write 3-4',
        ),
        (
            {"modules.coop": True, "time_track.hour_6.start": ""},
            "the time track has no start for sun 2",
        ),
        (
            {"modules.coop": True, "together.start": 30},
            "together.start: the time track has no space with the number 30; allowed: 0, for the "
            "start of the difficulty, and 31 to 72 (the nearest is 31)",
        ),
        (
            {"maps.glogo_caverns.bosses": "caverns_m caverns_z"},
            'maps.glogo_caverns.bosses: unknown space "caverns_z"',
        ),
        (
            {"maps.glogo_caverns.bosses": "lantern_gate caverns_a caverns_b caverns_c"},
            "maps.glogo_caverns.bosses: lantern_gate is the town",
        ),
        (
            {"maps.glogo_caverns.bosses": "caverns_a caverns_a caverns_b caverns_c"},
            "has a space twice",
        ),
        (
            {"maps.glogo_caverns.bosses": "caverns_a caverns_b caverns_c caverns_d caverns_e"},
            "maps.glogo_caverns.bosses: 5 bosses; at most 4 fit",
        ),
        (
            {"modules.coop": True, "maps.glogo_caverns.bosses": "caverns_m"},
            "maps.glogo_caverns.bosses: 1 space for 4 bosses",
        ),
        (
            {"together.bosses": 5},
            "together.bosses: 5 is not allowed; allowed: a whole number from 0 to 4",
        ),
        (
            {"minions.cave_warden.amount": 2},
            "remove_camp is about one thing; the amount is 1",
        ),
        (
            {"minions.cave_warden.building": "jail"},
            'minions.cave_warden.building: "jail" is not allowed',
        ),
        (
            {"together.basic_dealt": 10, "artifacts.oak_buckler.deck": "advanced"},
            "39 basic artifacts without modules; 4 players are dealt 10 each",
        ),
        (
            {"modules.coop": True, "together.quests": 5},
            "20 quest tokens with 4 players; glogo_caverns has room for 16",
        ),
        (
            {"modules.magick": True},
            "modules.magick: unknown key (did you mean 'modules.magic'?)",
        ),
    ],
)
def test_bad_combinations(patches, message):
    lines = told(patches)
    # a place in a file comes first where the problem is not in what was patched
    assert any(message in line for line in lines), lines


def test_bosses_that_are_not_there(folder):
    """As many as there are players, or as many as is said."""
    change(folder, "bosses", "the_red_king", "level", None)
    load(folder, {"modules.coop": True, "together.bosses": 3})
    for number, words in ((0, "a boss for each of 4 players"), (4, "4 bosses")):
        with pytest.raises(UserError, match=f"{words}; there are 3"):
            load(folder, {"modules.coop": True, "together.bosses": number})


def test_a_map_without_bosses_can_be_played_with_the_other_reading():
    patches = {"modules.coop": True, "maps.glogo_caverns.bosses": ""}
    assert any("0 spaces for 4 bosses" in line for line in told(patches))
    load(patches=patches | {"switches.boss_fights": "after_threats"})


def test_places_that_no_path_leads_to(folder):
    line = change(folder, "paths", "mountain_w3_to_35", "to", None)
    assert line
    for name in ("mountain_35_to_38", "mountain_35_to_48"):
        change(folder, "paths", name, "to", None)
    with pytest.raises(UserError) as caught:
        load(folder)
    text = str(caught.value)
    assert "spaces.mountain_35.map: no way leads from macria to here" in text
    assert f"{folder}{os.sep}spaces.csv:" in text


def test_too_many_paths_meet(folder):
    with (folder / "paths.csv").open("a", encoding="utf-8") as file:
        for number, other in enumerate(("d", "e", "f", "g", "h")):
            file.write(f"more_{number},lantern_gate,caverns_{other},,a test\n")
    with pytest.raises(UserError, match=r"spaces\.lantern_gate\.map: 9 paths meet here; at most 8"):
        load(folder)


def test_a_map_of_ones_own(folder):
    """A designer's map: a town, eight spaces in a ring, quests on all of them."""
    names = [f"ring_{n}" for n in range(8)]
    resources = ("peppers", "machine_parts", "ichor_stone", "tea_leaves") * 2
    rows = {
        "maps": ["ring,20,20,20,ring_town,,,5,4,6,2,1,3,ring_0 ring_1 ring_2 ring_3,judged,mine"],
        "spaces": [
            "ring_town,ring,none,none,true,mine",
            *(
                f"{name},ring,{good},none,false,mine"
                for name, good in zip(names, resources, strict=True)
            ),
        ],
        "paths": [
            "way_in,ring_town,ring_0,,mine",
            *(f"way_{n},ring_{n},ring_{(n + 1) % 8},threat,mine" for n in range(8)),
        ],
    }
    for name, lines in rows.items():
        with (folder / f"{name}.csv").open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    with (folder / "quests.csv").open(encoding="utf-8") as file:
        head = next(csv.reader(file))
    quest = {"story": "ring", "range": "judged", "evidence": "mine"}
    for way in ("skill", "combat"):
        quest |= {way: "5", f"{way}_low": "4", f"{way}_high": "6", f"{way}_reward": "1 gem"}
    with (folder / "quests.csv").open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, head, lineterminator="\n")
        for n, name in enumerate(names):
            writer.writerow(quest | {"quest": f"ring_quest_{n}", "space": name})
    patches = {"switches.map": "ring", "setup.quests": 1}
    rules = load(folder, patches).model
    row = tables(rules, 4)[0]
    assert (row["map"], row["spaces"], row["roads"], row["quest_tokens"]) == (20, 9, 9, 5)
    assert row["distance"][row["town_space"]].max() == 5
    assert list(row["route_alone"]) == [5] * 4
    with pytest.raises(UserError, match="13 quest tokens with 4 players; ring has room for 8"):
        load(folder, {"switches.map": "ring"})


# --- files ---------------------------------------------------------------------------------------


def test_problems_of_all_lists_come_at_once(folder):
    lines = {
        "adventurers": change(folder, "adventurers", "pim", "symbols", "1 moovement"),
        "artifacts": change(folder, "artifacts", "bone_dice", "deck", "basik"),
        "mine_cards": change(folder, "mine_cards", "web_tunnel", "check", "fight"),
        "quests": change(folder, "quests", "quest_c", "combat_reward", "1 coyn"),
        "threats": change(folder, "threats", "new_20", "camp", "perhaps"),
    }
    with pytest.raises(UserError) as caught:
        load(folder)
    places = [text.split(": ")[0] for text in str(caught.value).splitlines()]
    assert places == [f"{folder / name}.csv:{line}" for name, line in lines.items()]


def test_missing_and_unknown_columns_and_files(folder):
    path = folder / "treasures.csv"
    path.write_text(path.read_text("utf-8").replace("symbols", "symbol", 1), "utf-8")
    (folder / "chiefs.csv").unlink()
    (folder / "potions.csv").write_text("potion,cost\n", "utf-8")
    with pytest.raises(UserError) as caught:
        load(folder)
    text = str(caught.value)
    assert "chiefs.csv: is missing" in text
    assert "potions.csv: this game has no such list" in text
    assert "treasures.csv:1: treasures: unknown column \"symbol\" (did you mean 'symbols'?)" in text


def test_a_number_outside_its_range(folder):
    line = change(folder, "quests", "quest_c", "combat", "9")
    with pytest.raises(UserError) as caught:
        load(folder)
    place = f"{folder / 'quests.csv'}:{line}"
    assert str(caught.value) == f"{place}: quests.quest_c.combat: 9 is not between low 3 and high 5"


def test_a_designers_folder(folder):
    assert validate(folder).hash == CONTENT.hash


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_any_cell_is_taken_or_refused(tmp_path_factory, data):
    """Cells mixed up between rows and columns give a game or a message with a place."""
    target = tmp_path_factory.mktemp("mixed")
    mix_cells(data_files(FOLDER), target, data)
    try:
        rules = load(target).model
    except UserError as error:
        for line in str(error).splitlines():
            assert line.startswith(str(target))
        return
    for players in (2, 4):
        tables(rules, players)


# --- players and handicaps -----------------------------------------------------------------------


@pytest.mark.parametrize("players", [0, 1, 5])
def test_numbers_of_players(players):
    with pytest.raises(UserError) as caught:
        tables(RULES, players)
    table = "1 player" if players == 1 else f"{players} players"
    assert str(caught.value) == f"{table}; allowed: 2, 3, 4"


DICE, DRUM = ARTIFACTS.index("bone_dice"), ARTIFACTS.index("war_drum")
PIM = ADVENTURERS.index("pim")


@pytest.mark.parametrize(
    ("handicaps", "field", "expected"),
    [
        ({"expert_die": ["start", "never"]}, "expert_die", [1, 2]),
        ({"expert_die": [np.int64(2), "printed"]}, "expert_die", [2, 0]),
        (
            {"forbid_artifacts": [["bone_dice", "war_drum"], ""]},
            "forbid_artifacts",
            [1 << DICE | 1 << DRUM, 0],
        ),
        ({"forbid_artifacts": ["war_drum", 5]}, "forbid_artifacts", [1 << DRUM, 5]),
        ({"deal_artifact": ["war_drum", "none"]}, "deal_artifact", [1 + DRUM, 0]),
        ({"forbid_members": ["pim", []]}, "forbid_members", [1 << PIM, 0]),
        ({"start_member": ["", "pim"]}, "start_member", [0, 1 + PIM]),
        (
            {"forbid_places": ["hut", ["mine", "saloon"]]},
            "forbid_places",
            [1 << Place.HUT, 1 << Place.MINE | 1 << Place.SALOON],
        ),
        ({"forbid_places": [1 << Place.FARM, 0]}, "forbid_places", [1 << Place.FARM, 0]),
        ({"forbid_duels": ["dishonest", ["honest", "dishonest"]]}, "forbid_duels", [2, 3]),
        ({"forbid_gifts": [1, 0]}, "forbid_gifts", [1, 0]),
        (
            {"start_goods": [{"gem": 2, "nomads": 1}, [0] * GOODS]},
            "start_goods",
            [[0, 0, 2, 0, 0, 0, 1], [0] * GOODS],
        ),
    ],
)
def test_handicaps(handicaps, field, expected):
    row = tables(RULES, 2, handicaps)[0]
    assert row[field][:2].tolist() == expected
    usual = tables(RULES, 2)[0]
    changed = {name for name in TABLES.names if not np.array_equal(usual[name], row[name])}
    assert changed == {field}


@pytest.mark.parametrize(
    ("handicaps", "message"),
    [
        (
            {"forbid_cards": ["red_window", 0]},
            "handicap forbid_cards: unknown artifact or adventurer 'red_window' (did you mean "
            "'red_widow'?); known: " + ", ".join(sorted([*RULES.artifacts, *RULES.adventurers])),
        ),
        (
            {"expert_dice": [0, 1]},
            "unknown handicap 'expert_dice' (did you mean 'expert_die'?); known handicaps: "
            + ", ".join(sorted(HANDICAPS)),
        ),
        ({"expert_die": [1]}, "handicap expert_die: give one value for each of the 2 seats"),
        ({"expert_die": "ab"}, "handicap expert_die: give one value for each of the 2 seats"),
        (
            {"expert_die": [3, 0]},
            "handicap expert_die: 3 is not allowed; allowed: names, or a whole number from 0 to 2",
        ),
        (
            {"expert_die": ["always", 0]},
            "handicap expert_die: unknown word 'always'; known: never, printed, start",
        ),
        (
            {"deal_artifact": [63, 0]},
            "handicap deal_artifact: 63 is not allowed; allowed: names, or a whole number from 0 "
            "to 62",
        ),
        (
            {"deal_artifact": [["war_drum", "bone_dice"], 0]},
            "handicap deal_artifact: ['war_drum', 'bone_dice']: one name for each seat",
        ),
        (
            {"start_member": [None, 0]},
            "handicap start_member: None is no name and no list of names",
        ),
        (
            {"forbid_places": ["mines", 0]},
            "handicap forbid_places: unknown building 'mines' (did you mean 'mine'?); known: "
            + ", ".join(sorted(BUILDING_NAMES)),
        ),
        (
            {"forbid_places": [1, 0]},
            "handicap forbid_places: 1 is not allowed; allowed: names, or a whole number from 0 to "
            "254",
        ),
        (
            {"start_goods": [{"gems": 1}, {}]},
            "handicap start_goods: unknown good 'gems' (did you mean 'gem'?); known: coin, food, "
            "gem, lizardfolk, mystics, nomads, outlaws",
        ),
        (
            {"start_goods": [[1], {}]},
            "handicap start_goods: [1] is not allowed; allowed: a table of coin, food, gem, "
            "lizardfolk, mystics, nomads, outlaws, or 7 whole numbers from 0 to 99",
        ),
        (
            {"forbid_gifts": ["all", 0]},
            "handicap forbid_gifts: 'all' is not allowed; allowed: 0, 1",
        ),
    ],
)
def test_bad_handicaps(handicaps, message):
    with pytest.raises(UserError) as caught:
        tables(RULES, 2, handicaps)
    assert str(caught.value) == message


def test_cards_can_be_forbidden_together():
    own = {"forbid_cards": [["red_widow", "tin_whistle"], ""]}
    row = tables(RULES, 2, own | {"forbid_members": ["", "old_ssar"]})[0]
    artifact, member = ARTIFACTS.index("tin_whistle"), ADVENTURERS.index("red_widow")
    assert row["forbid_artifacts"].tolist() == [1 << artifact, 0, 0, 0]
    assert row["forbid_members"].tolist() == [
        *(1 << member, 1 << ADVENTURERS.index("old_ssar")),
        *(0, 0),
    ]
    more = {"forbid_members": ["old_ssar", 0]} | own
    for handicaps in (more, dict(reversed(more.items()))):
        both = tables(RULES, 2, handicaps)[0]["forbid_members"][0]
        assert both == 1 << member | 1 << ADVENTURERS.index("old_ssar")


@pytest.mark.parametrize(
    ("patches", "message"),
    [
        (
            {"experiment.first_card": "merchant_pak"},
            "experiment.first_card: unknown card \"merchant_pak\" (did you mean 'merchant_pack'?)",
        ),
        (
            {"experiment.left_out": "bone_dice red_window"},
            "experiment.left_out: unknown card \"red_window\" (did you mean 'red_widow'?)",
        ),
        ({"experiment.left_out": ""}, 'experiment.left_out: unknown card ""'),
        (
            {"experiment.first_card": "merchant_pack", "modules.amber_artifacts": False},
            "merchant_pack is in the game only with modules.amber_artifacts = true",
        ),
        (
            {"experiment.first_card": "bone_dice", "experiment.left_out": "red_widow bone_dice"},
            "bone_dice is dealt first and left out",
        ),
    ],
)
def test_cards_of_experiments_that_are_not_there(patches, message):
    assert any(message in line for line in told(patches))


def test_a_name_for_an_artifact_and_an_adventurer(folder):
    change(folder, "artifacts", "bone_dice", "artifact", "red_widow")
    with pytest.raises(UserError, match="red_widow is an adventurer, too"):
        load(folder)
