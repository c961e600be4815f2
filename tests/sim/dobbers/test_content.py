"""The numbers of Dobbers, and the tables made of them."""

import csv
import math
import os
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.content import validate
from sim.dobbers import content, model, words
from sim.dobbers.checks import kinds
from sim.dobbers.content import FOLDER, board, load, tables
from sim.dobbers.state import (
    FIRST_ADVENTURE,
    FIRST_EVENT,
    FIRST_SOLO,
    KIND_BITS,
    MAX_EDGES,
    MAX_ENCOUNTERS,
    MAX_KINDS,
    NAME_WORDS,
    STARTERS,
    TABLES,
    Alignment,
    Gain,
    Hinder,
    Icon,
    Op,
    Scope,
    Type,
)
from sim.dobbers.words import ACTS, GIVES, read_text
from sim.errors import UserError
from sim.rulefiles import data_files
from tests.sim.mixed_cells import mix_cells

CONTENT = load()
RULES = CONTENT.model
ENTRIES = {entry.key: entry for entry in CONTENT.entries}
ROW = tables(RULES, 4)[0]
KINDS = {name: number for number, name in enumerate(kinds(RULES))}

# cards of which the rulebook or a ruling on it gives the cost
PRICED = {
    "silver": 3,
    "rot": 3,
    "silver_sword": 8,
    "iron_bark": 5,
    "bow_and_arrow": 8,
    "hearty_mushroom": 3,
    "helpful": 3,
    "strength": 2,
    "cull": 3,
}
PRICES = {
    Op.INFLUENCE: 1.5,
    Op.RED: 2,
    Op.BLUE: 1.5,
    Op.GOLD: 1.5,
    Op.DRAW: 1,
    Op.RECOVER: 1,
    Op.BOON: 1,
    Op.BURDEN: -1,
    Op.DISCARD_CARD: -1,
}


def gains(influence=0, red=0, blue=0, gold=0, draw=0) -> list[int]:
    return [influence, red, blue, gold, draw]


def says(number: int, row: np.void = ROW) -> list[list[tuple[Op, int]]]:
    """Return a text of the tables as lists of (what, how much)."""
    if not number:
        return []
    return [
        [
            (Op(op), int(amount))
            for op, amount in zip(
                row["text_op"][number, way], row["text_amount"][number, way], strict=True
            )
            if op
        ]
        for way in range(row["text_ways"][number])
    ]


def cards() -> list[tuple[str, model.AdventureCard]]:
    """Return every card of the adventure deck, each copy by itself."""
    return [(name, c) for name, c in RULES.adventure.items() for _ in range(c.count)]


# --- what is printed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("bottle_cap", gains(influence=1)),
        ("traveling_kit", gains(blue=1)),
        ("wooden_knife", gains(gold=1)),
        ("silver", gains(influence=2)),
        ("silver_sword", gains(influence=1, red=2, gold=1)),
        ("iron_bark", gains(red=1, gold=1)),
        ("bow_and_arrow", gains(red=2, draw=1)),
        ("helpful", gains(influence=1, red=1)),
        ("strength", gains(red=1)),
        ("hearty_mushroom", gains(red=1, draw=1)),
        ("lucky_swing", gains(gold=2)),
        ("cull", gains(influence=1)),
    ],
)
def test_gains_of_named_cards(card, expected):
    assert list(ROW["gain"][KINDS[card]]) == expected


def test_influence_of_the_first_example():
    """DB-T1 to DB-T3: what there is, and what is left after the two purchases."""
    hero = list(RULES.heroes).index("toby")
    in_play = ["silver_sword", "traveling_kit", "iron_bark", "helpful", "strength"]
    in_play += ["bottle_cap"] * 3
    total = ROW["hero_gain"][hero, Gain.INFLUENCE]
    total += sum(ROW["gain"][KINDS[name], Gain.INFLUENCE] for name in in_play)
    assert total == 6
    assert total - ROW["cost"][KINDS["silver"]] == 3
    assert total - ROW["cost"][KINDS["silver"]] - ROW["cost"][KINDS["rot"]] == 0


def test_points_of_the_travel_example():
    """DB-T6, and DB-T7: a hero without blue."""
    toby, herb = (list(RULES.heroes).index(name) for name in ("toby", "herb"))
    equipped = [KINDS[name] for name in ("traveling_kit", "silver_sword", "iron_bark")]
    total = ROW["hero_gain"][toby] + ROW["gain"][equipped].sum(axis=0)
    assert list(total[[Gain.RED, Gain.BLUE, Gain.GOLD]]) == [4, 1, 3]
    points = ROW["hero_gain"][herb] + ROW["gain"][KINDS["traveling_kit"]]
    assert list(points[[Gain.RED, Gain.BLUE]]) == [1, 1]
    assert not ROW["hero_alternate"][herb].any()
    number = ROW["edge_number"][ROW["start_square"][0], 0]
    assert points[Gain.RED] + points[Gain.BLUE] - number == 0


def test_the_challenge_example():
    """DB-T4, DB-T10 to DB-T12, DB-T22: costs, points and room of named challenges."""
    walls, vines = (list(RULES.locations).index(n) for n in ("castle_walls", "thorned_vines"))
    golem = list(RULES.creatures).index("tree_golem")
    assert ROW["location_cost"][walls] == 5
    assert ROW["location_points"][walls] + ROW["creature_points"][golem] == 7
    assert ROW["location_capacity"][walls] >= 2  # a creature and a weapon
    assert ROW["location_icon"][vines] == Icon.PROTECTION
    assert ROW["location_reduced"][vines] == 2 < ROW["location_points"][vines]
    thorns = {"briar_whip", "bramble_coat", "thorn_cudgel", "blighted_thorn"}
    immune = ROW["creature_immune_keywords"][golem]
    assert {name for name, kind in KINDS.items() if ROW["keywords"][kind] & immune} == thorns
    assert any(
        ROW["gain"][KINDS[name], Gain.GOLD] == 2 and RULES.adventure[name].type == "weapon"
        for name in thorns
    )
    assert max(ROW["creature_points"]) == ROW["creature_points"][golem]
    assert ROW["icon"][KINDS["traveling_cloak"]] == Icon.PROTECTION


def test_territories_of_the_alignment_example():
    """DB-T17: Endurance switches on the Shield, Charm switches on Ember and itself."""
    adventure = RULES.adventure
    assert adventure["endurance"].alignment == adventure["silver_shield"].alignment
    assert adventure["charm"].alignment == adventure["ember"].alignment
    assert adventure["endurance"].alignment != adventure["charm"].alignment
    for name in ("silver_shield", "ember"):
        assert list(ROW["bonus"][KINDS[name]]) == gains(gold=1)
    assert ROW["has_bonus"][KINDS["charm"]]
    assert not ROW["has_bonus"][KINDS["endurance"]]
    assert (adventure["silver_shield"].type, adventure["ember"].type) == ("item", "weapon")


def test_unnamed_cards_that_the_rulebook_describes():
    decay = [c for _, c in cards() if c.alignment == "decay"]
    assert any((c.gives, c.bonus) == ("1 blue", "1 gold") for c in decay)
    assert any(c.bonus == "2 gold" for c in decay)
    assert any(c.type == "weapon" and c.forge == "1 gold" for _, c in cards())
    assert any(c.destroy == "1 recover" for _, c in cards())


def test_cull_gives_at_once_and_then_destroys_and_draws():
    """DB-T19."""
    assert says(ROW["text"][KINDS["cull"]]) == [[(Op.CULL, 1), (Op.DRAW, 1)]]


def test_printed_figures_of_the_set_up():
    """DB-T15, DB-T16, DB-T28, DB-T31."""
    for players, opening in ((1, [5]), (2, [3, 5]), (3, [3, 4, 5]), (4, [3, 4, 5, 5])):
        row = tables(RULES, players)[0]
        assert list(row["opening"]) == opening + [0] * (4 - players)
        visible = 6 if players == 1 else 3
        assert (row["locations_visible"], row["creatures_visible"]) == (visible, visible)
        assert (row["row_size"], row["draw"], row["starting_cards"]) == (6, 5, 10)
        assert (row["adventure_cards"], row["solo_cards"], row["add_locations"]) == (114, 18, 6)
        assert row["adventure_cards"] - row["row_size"] + row["solo_cards"] == 126
        assert row["solo"] == (players == 1)
    assert [c.count for c in RULES.starting.values()] == [8, 1, 1]
    assert list(ROW["bands"]) == [13, 15, 18]


# --- what is assumed -----------------------------------------------------------------------------


def test_quantities():
    assert len(RULES.heroes) == 16
    assert len(RULES.locations) == 18
    assert len(RULES.creatures) == 20
    assert sum(token.count for token in RULES.tokens.values()) == 30
    assert len(RULES.events) == 8
    types = Counter(card.type for _, card in cards())
    assert types == {"effect": 58, "weapon": 19, "armor": 18, "item": 19}
    assert RULES.adventure["silver"].count == 10
    alignments = Counter(card.alignment for _, card in cards())
    assert alignments == {"none": 18, "dobberton": 24, "wild": 24, "rat_claw_clan": 24, "decay": 24}
    icons = Counter(card.icon for _, card in cards() if card.type == "item")
    assert icons == {"navigation": 4, "protection": 5, "travel": 5, "combat": 5}
    words = Counter(word for _, card in cards() for word in card.keywords.split())
    assert words == {"silver": 4, "thorn": 4}
    assert [card.forge for _, card in cards() if card.forge] == ["1 gold"] * 9  # of 56, one in 6
    assert sum(bool(card.destroy) for _, card in cards()) == 7  # of 58, one in 8
    assert all(1 <= card.cost <= 8 for _, card in cards())


def worth(text: str) -> float:
    return max((sum(PRICES.get(op, 0) * n for op, n in way) for way in read_text(text)), default=0)


@pytest.mark.parametrize("name", [name for name in RULES.adventure if name not in PRICED])
def test_cost_rule(name):
    card = RULES.adventure[name]
    value = worth(card.gives) + 0.75 * worth(card.bonus)
    value *= 1 if card.type == "effect" else 2
    assert card.cost == min(8, max(1, math.floor(value + 0.5)))


def test_costs_that_are_given():
    assert {name: RULES.adventure[name].cost for name in PRICED} == PRICED


def test_heroes_have_one_ability_each():
    abilities = Counter((hero.gives, hero.alternate) for hero in RULES.heroes.values())
    assert abilities == {
        ("1 gold", ""): 4,
        ("1 blue", ""): 4,
        ("1 influence", ""): 4,
        ("", "1 red"): 2,
        ("1 draw", ""): 2,
    }
    assert list(ROW["plain_hero"]) == gains(influence=1, red=1)
    extra = ROW["hero_gain"][:16] - ROW["plain_hero"] + ROW["hero_alternate"][:16]
    assert (extra >= 0).all()
    assert (extra.sum(axis=1) == 1).all()


def test_locations_and_creatures():
    locations = RULES.locations.values()
    assert Counter(place.points for place in locations) == {2: 6, 3: 6, 4: 6}
    icons = Counter(place.icon for place in locations)
    assert icons == {"navigation": 3, "protection": 5, "travel": 5, "combat": 5}
    assert {place.points - place.reduced for place in locations} == {1, 2}
    assert {place.capacity for place in locations} == {1, 2, 3, 4}
    assert sum(place.capacity in (2, 3) for place in locations) > 12
    # the cost does not tell the points, and is 2 above them on average
    above = Counter((place.points, place.cost - place.points) for place in locations)
    assert above == {(points, more): 2 for points in (2, 3, 4) for more in (1, 2, 3)}
    victories = Counter(place.victory for place in locations)
    assert victories == {"1 draw": 6, "1 boon": 6, "1 boon or 1 influence": 6}
    results = Counter(place.results for place in locations)
    assert results == {"1 discard_equipment": 6, "1 burden": 6, "": 6}
    defeats = Counter(read_text(place.defeat)[0][0] for place in locations)
    assert defeats == {(Op.BACK, 1): 9, (Op.BACK, 2): 9}
    assert sum("discard_equipment" in place.defeat for place in locations) == 6
    assert sum(bool(place.item_results or place.item_defeat) for place in locations) == 6
    assert sum(bool(place.tan) for place in locations) == 6

    creatures = RULES.creatures.values()
    assert Counter(creature.points for creature in creatures) == {1: 9, 2: 8, 3: 2, 4: 1}
    assert {creature.cost - creature.points for creature in creatures} == {0, 1, 2}
    assert sum(creature.cost - creature.points for creature in creatures) == len(creatures)
    assert sum(bool(creature.bonus or creature.immune) for creature in creatures) == 5
    assert set(Counter(creature.alignment for creature in creatures).values()) == {5}


def test_special_cards_and_tokens():
    solo = Counter(
        {says(ROW["text"][KINDS[name]])[0][0]: c.count for name, c in RULES.solo_cards.items()}
    )
    assert solo == {
        (Op.ADD_CREATURE, 1): 6,
        (Op.ADD_EQUIPMENT, 1): 4,
        (Op.SWEEP_LEFT, 2): 4,
        (Op.SWEEP_DEAR, 2): 4,
    }
    events = {
        (Scope(ROW["scope"][KINDS[name]]), says(ROW["text"][KINDS[name]])[0][0])
        for name in RULES.events
    }
    assert events == {
        (Scope.EACH, (Op.DISCARD_EQUIPMENT, 1)),
        (Scope.EACH, (Op.BURDEN, 1)),
        (Scope.EACH, (Op.LOSE_INFLUENCE, 1)),
        (Scope.TABLE, (Op.SWEEP_ALL, 1)),
        (Scope.TABLE, (Op.ADD_CREATURE_LAST, 1)),
        (Scope.LEADER, (Op.BACK, 1)),
        (Scope.EACH, (Op.DISCARD_CARD, 1)),
        (Scope.TABLE, (Op.SLOW, 1)),
    }
    assert list(ROW["token_count"][:3]) == [10, 10, 10]
    assert ROW["token_gain"][:3].tolist() == [gains(influence=1), gains(red=1), gains()]
    assert list(ROW["token_hinders"][:3]) == [0, 0, Hinder.TRAVEL | Hinder.CHALLENGE]
    assert list(ROW["token_amount"][:3]) == [0, 0, 2]
    assert list(ROW["add_place"][:6]) == list(ROW["add_encounter"][:6]) == [0, 1, 2, 3, 4, 5]
    assert set(ROW["add_start"][:6]) == {0, 1, 2, 3}


def test_territories_play_differently():
    """Each has most of something."""
    total = {name: Counter() for name in ("dobberton", "wild", "rat_claw_clan", "decay")}
    for _, card in cards():
        if card.alignment == "none":
            continue
        mine = total[card.alignment]
        for text in (card.gives, card.destroy):
            for op, amount in (phrase for way in read_text(text) for phrase in way):
                mine[op] += amount
        mine["bonus"] += bool(card.bonus)
        mine["destroy"] += bool(card.destroy)
    for what, best in (
        (Op.INFLUENCE, "dobberton"),
        (Op.RED, "wild"),
        (Op.BLUE, "wild"),
        (Op.GOLD, "rat_claw_clan"),
        (Op.CULL, "rat_claw_clan"),
        ("destroy", "rat_claw_clan"),
        ("bonus", "decay"),
        (Op.BURDEN, "decay"),
    ):
        most = max(counts[what] for counts in total.values())
        assert [name for name in total if total[name][what] == most] == [best], what


def test_every_number_has_a_source_or_a_range_with_evidence():
    for entry in CONTENT.entries:
        if entry.source == "rulebook":
            assert entry.section
            continue
        assert entry.source == "assumed"
        assert entry.evidence
        number = isinstance(entry.value, int) and not isinstance(entry.value, bool)
        assert number == (entry.low is not None)
        if number:
            assert entry.low <= entry.value <= entry.high
    printed = {entry.key for entry in CONTENT.entries if entry.source == "rulebook"}
    assert {
        "hero.red",
        "heroes.toby.gives",
        "starting.bottle_cap.gives",
        "starting.traveling_kit.gives",
        "adventure.silver_sword.gives",
        "adventure.iron_bark.gives",
        "adventure.silver.cost",
        "adventure.silver.gives",
        "adventure.rot.cost",
        "adventure.hearty_mushroom.gives",
        "adventure.cull.gives",
        "locations.castle_walls.cost",
        "locations.castle_walls.points",
        "locations.thorned_vines.reduced",
        "creatures.tree_golem.points",
        "creatures.tree_golem.immune",
    } <= printed


def test_meanings_and_lines_of_entries():
    entry = ENTRIES["locations.swamp.capacity"]
    assert entry.meaning == "cards it can have under it"
    assert entry.allowed == "a whole number from 0 to 4"
    for entry in CONTENT.entries:
        assert entry.meaning
        lines = Path(str(entry.file)).read_text(encoding="utf-8").splitlines()
        assert entry.key.split(".")[1] in lines[entry.line - 1] or "bands" in entry.key


@pytest.mark.parametrize("seed", range(8))
def test_numbers_drawn_from_all_ranges_together_are_a_game(seed):
    """What a study of robustness does: every assumed number anywhere in its range."""
    ranges = {
        entry.key: (int(entry.low), int(entry.high))
        for entry in CONTENT.entries
        if entry.low is not None and entry.high is not None
    }
    assert len(ranges) > 300
    draw = np.random.default_rng(seed)
    drawn = {key: int(draw.integers(*ends, endpoint=True)) for key, ends in ranges.items()}
    ends = {key: ends[seed % 2] for key, ends in ranges.items()}
    for patches in (drawn, ends):
        tables(load(patches=patches).model, 1 + seed % 4)


# --- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "gain", "rest"),
    [
        ("", gains(), []),
        ("nothing", gains(), []),
        ("2 red, 1 gold", gains(red=2, gold=1), []),
        ("1 RED,1 red", gains(red=2), []),
        ("1 draw", gains(draw=1), []),
        ("1 draw, 1 gold", gains(draw=1), [[(Op.GOLD, 1)]]),
        ("1 influence, 1 cull, 1 draw", gains(influence=1), [[(Op.CULL, 1), (Op.DRAW, 1)]]),
        ("1 discard card, 1 red", gains(), [[(Op.DISCARD_CARD, 1), (Op.RED, 1)]]),
        ("1 boon or 1 influence", gains(), [[(Op.BOON, 1)], [(Op.INFLUENCE, 1)]]),
        ("1 red or nothing", gains(), [[(Op.RED, 1)], []]),
        ("1 influence, 1 outwit", gains(influence=1), []),
        ("1 outwit, 1 gold, 1 boon", gains(gold=1), [[(Op.BOON, 1)]]),
        ("15 blue", gains(blue=15), []),
    ],
)
def test_a_text_becomes_gains_and_what_comes_after(text, gain, rest):
    row = tables(load(patches={"adventure.fleet_foot.gives": text}).model, 2)[0]
    kind = KINDS["fleet_foot"]
    assert list(row["gain"][kind]) == gain
    assert says(row["text"][kind], row) == rest
    assert row["outwits"][kind] == ("outwit" in text)
    assert row["text_ways"][0] == 1
    assert not row["text_op"][0].any()


WORDS = st.sampled_from([op.name.lower() for op in (*GIVES, *ACTS)])
PHRASES = st.tuples(st.integers(1, 15), WORDS)
WAYS = st.lists(st.lists(PHRASES, min_size=1, max_size=6), min_size=1, max_size=2)


@given(WAYS, st.sampled_from([", ", ",", " ,  "]), st.sampled_from(["_", " ", "  "]))
def test_texts_are_read_as_they_are_written(ways, comma, blank):
    text = " or ".join(
        comma.join(f"{n} {word.replace('_', blank)}" for n, word in way) for way in ways
    )
    expected = tuple(tuple((Op[word.upper()], n) for n, word in way) for way in ways)
    assert read_text(text) == expected


@given(st.text(alphabet="12 ,or_redxc\t-", max_size=20))
def test_any_text_is_read_or_refused_in_words(text):
    ways, wrong = words._read_text(text, GIVES, 2)
    assert wrong or all(op in GIVES and 1 <= n <= 15 for way in ways for op, n in way)
    assert len(ways) <= 2 or "or" in wrong


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        (
            "heroes.toby.gives",
            "1 gld",
            "unknown word \"gld\" (did you mean 'gold'?); "
            "known words: blue, draw, gold, influence, red",
        ),
        (
            "adventure.forage.bonus",
            "1 cull",
            'unknown word "cull"; known words: blue, draw, gold, influence, red',
        ),
        (
            "locations.swamp.defeat",
            "2 bak",
            "unknown word \"bak\" (did you mean 'back'?); known words: back, blue, boon, burden, "
            "cull, destroy_equipment, discard_card, discard_equipment, draw, gold, influence, "
            "lose_influence, recover, red",
        ),
        (
            "locations.swamp.victory",
            "1 outwit",
            'unknown word "outwit"; known words: back, blue, boon, burden, cull, '
            "destroy_equipment, discard_card, discard_equipment, draw, gold, influence, "
            "lose_influence, recover, red",
        ),
        (
            "adventure.forage.gives",
            "red",
            '"red" has no number; write "1 red"',
        ),
        (
            "adventure.forage.gives",
            "red two",
            '"red two" is no phrase; write a number and a word: "2 red"',
        ),
        (
            "adventure.forage.gives",
            "1 red, ",
            'a phrase is missing beside a comma in "1 red,"',
        ),
        (
            "adventure.forage.gives",
            "1 red or",
            'a phrase is missing beside or in "1 red or"',
        ),
        (
            "adventure.forage.gives",
            "nothing, 1 red",
            '"nothing" stands alone; leave it out beside other phrases',
        ),
        (
            "locations.swamp.results",
            "noting",
            '"noting" is no phrase (did you mean \'nothing\'?); write a number and a word: "2 red"',
        ),
        (
            "adventure.forage.gives",
            "16 red",
            '"16 red": 16 is not allowed; allowed: a whole number from 1 to 15',
        ),
        (
            "adventure.forage.gives",
            "0 red",
            '"0 red": 0 is not allowed; allowed: a whole number from 1 to 15',
        ),
        ("events.tax_day.text", "2 sweep_all", '"2 sweep_all": 2 is not allowed; allowed: 1'),
        (
            "adventure.forage.gives",
            ", ".join(["1 red"] * 7),
            "7 phrases; a text holds at most 6",
        ),
        (
            "adventure.forage.gives",
            "1 red or 1 gold or 1 blue",
            '3 texts with "or" between them; at most 2 are possible',
        ),
        (
            "tokens.favor.gives",
            "1 red or 1 gold",
            '2 texts with "or" between them; no choice is possible here',
        ),
        (
            "adventure.forage.gives",
            "1 outwit or 1 red",
            'outwit stands for the whole card and cannot be one of two texts with "or"',
        ),
        ("adventure.forage.keywords", "Big, bad", '"Big," is no word; write small letters and _'),
        ("adventure.forage.gives", 2, "2 is not allowed; allowed: a word"),
    ],
)
def test_a_bad_text_is_one_clear_line(key, text, message):
    with pytest.raises(UserError) as caught:
        load(patches={key: text})
    assert str(caught.value) == f"{key}: {message}"


# --- bad content ---------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        (
            "adventure.fleet_foot.gives",
            "2 bleu",
            "adventure.fleet_foot.gives: unknown word \"bleu\" (did you mean 'blue'?); known "
            "words: back, blue, boon, burden, cull, destroy_equipment, discard_card, "
            "discard_equipment, draw, gold, influence, lose_influence, outwit, recover, red",
        ),
        (
            "adventure.flame.type",
            "waepon",
            'adventure.flame.type: "waepon" is not allowed; allowed: "armor", "effect", "item", '
            "\"weapon\" (did you mean 'weapon'?)",
        ),
        (
            "adventure.flame.alignment",
            "rat_clan",
            'adventure.flame.alignment: "rat_clan" is not allowed; allowed: "decay", '
            '"dobberton", "none", "rat_claw_clan", "wild" (did you mean \'rat_claw_clan\'?)',
        ),
        (
            "adventure.town_map.icon",
            "",
            "adventure.town_map.icon: an item has an icon; "
            "allowed: combat, navigation, protection, travel",
        ),
        (
            "adventure.town_map.icon",
            "compass",
            'adventure.town_map.icon: "compass" is not allowed; allowed: "combat", '
            '"navigation", "none", "protection", "travel" (did you mean \'combat\'?)',
        ),
        (
            "adventure.flame.icon",
            "combat",
            "adventure.flame.icon: weapon with the icon combat; items only",
        ),
        (
            "adventure.flame.gives",
            "1 boon",
            'adventure.flame.gives: "1 boon": weapon cannot do that; '
            "known words: blue, draw, gold, influence, red, without or",
        ),
        (
            "adventure.flame.gives",
            "1 red or 1 gold",
            'adventure.flame.gives: "1 red or 1 gold": weapon cannot do that; '
            "known words: blue, draw, gold, influence, red, without or",
        ),
        (
            "adventure.fleet_foot.forge",
            "1 gold",
            "adventure.fleet_foot.forge: an effect is no forge card; weapon, armor, item are",
        ),
        (
            "adventure.flame.destroy",
            "1 gold",
            "adventure.flame.destroy: weapon with a destroy ability; only effects have one",
        ),
        (
            "adventure.padded_jerkin.bonus",
            "1 gold",
            "adventure.padded_jerkin.bonus: a bonus needs an alignment; "
            "allowed: decay, dobberton, rat_claw_clan, wild",
        ),
        (
            "adventure.fleet_foot.cost",
            "300",
            "adventure.fleet_foot.cost: 300 is not allowed; allowed: a whole number from 0 to 99",
        ),
        (
            "adventure.fleet_foot.count",
            "40",
            "adventure: 153 cards; allowed: 1 to 128",
        ),
        (
            "locations.fog_moor.reduced",
            "4",
            "locations.fog_moor.reduced: 4 points with an item, 3 without",
        ),
        (
            "locations.fog_moor.icon",
            "none",
            "locations.fog_moor.icon: no icon, and 1 points with an item, not 3",
        ),
        (
            "creatures.rattlebones.immune",
            "weapons",
            "creatures.rattlebones.immune: unknown keyword \"weapons\" (did you mean 'weapon'?); "
            "known: armor, item, silver, thorn, weapon",
        ),
        (
            "creatures.clan_scout.alignment",
            "",
            "creatures.clan_scout.bonus: a bonus needs an alignment",
        ),
        (
            "tokens.favor.gives",
            "",
            "tokens.favor.gives: a token either gives or hinders something",
        ),
        (
            "tokens.fatigue.amount",
            "",
            "tokens.fatigue.amount: amount is by how much a token hinders: "
            "at least 1 there, empty otherwise",
        ),
        (
            "squares.start_b.kind",
            "travel",
            "squares: 3 starts; a board has 4",
        ),
        (
            "squares.key.kind",
            "encounter",
            "squares: no square is the key; one square must have the kind key",
        ),
        (
            "squares.road_3.kind",
            "key",
            "squares.key.kind: a second key; the first one is road_3\n"
            "squares.road_3.kind: an encounter stands below the key in the list; "
            "the key has the highest number",
        ),
        (
            "paths.to_5.to",
            "rode_5",
            "paths.to_5.to: unknown square \"rode_5\" (did you mean 'road_5'?); known squares: "
            + ", ".join(sorted(RULES.squares)),
        ),
        ("paths.to_5.to", "road_4", "paths.to_5.to: a path from road_4 to itself"),
        (
            "paths.a_to_1.to",
            None,
            "squares.start_a.kind: no way leads from here to the key key",
        ),
        (
            "paths.to_9.to",
            None,
            "squares.start_a.kind: no way leads from here to the key key; nor from a_1, a_2, b_1, "
            "b_2, c_1, c_2, d_1, d_2, road_3, road_4, road_5, road_6, road_7, road_8, start_b, "
            "start_c, start_d",
        ),
        ("paths.to_9.to", "road_7", "paths.to_9.to: road_8 and road_7 are joined by to_8 already"),
        (
            "add_locations.add_3.encounter",
            "2",
            "add_locations.add_3.encounter: add_2 puts a location on this square already",
        ),
        (
            "add_locations.add_3.encounter",
            "9",
            "add_locations.add_3.encounter: 9 is not allowed; allowed: a whole number from 1 to 6",
        ),
        (
            "events.tax_day.scope",
            "all",
            'events.tax_day.scope: "all" is not allowed; allowed: "each", "leader", "table" '
            "(did you mean 'table'?)",
        ),
        ("solo_cards.ambush.text", "", "solo_cards.ambush.text: is missing; allowed: a word"),
        (
            "heroes.toby.hero",
            "Big Toby",
            'heroes.Big Toby: "Big Toby" is no name; write small letters, digits and _: '
            "silver_sword",
        ),
        (
            "adventure.luck.card",
            "strength",
            "adventure.strength: stands twice; see line {strength}",
        ),
        (
            "solo_cards.ambush.card",
            "luck",
            "solo_cards.luck: luck is a card of adventure, too",
        ),
    ],
)
def test_bad_content_is_told_by_file_line_and_key(folder, cell, value, message):
    list_name, name, column = cell.split(".")
    if cell.endswith((".cost", ".count", ".reduced", ".encounter")):
        for end in ("_low", "_high"):
            change(folder, list_name, name, column + end, str(value))
    elif cell == "tokens.fatigue.amount":
        for end in ("_low", "_high"):
            change(folder, list_name, name, column + end, "")
    line = change(folder, list_name, name, column, value)
    with pytest.raises(UserError) as caught:
        load(folder)
    lines = str(caught.value).replace(f"{folder}{os.sep}", "").splitlines()
    with (folder / "adventure.csv").open(encoding="utf-8") as file:
        strength = next(n for n, text in enumerate(file, 1) if text.startswith("strength,"))
    assert sorted(text.partition(": ")[2] for text in lines) == sorted(
        message.replace("{strength}", str(strength)).splitlines()
    )
    places = [text.partition(": ")[0] for text in lines]
    if cell.startswith("paths") and value is None:
        list_name, line = "squares", 2
    if message.startswith(("adventure: ", "squares: ")):
        line = 2  # of the whole list: its first row
    assert f"{list_name}.csv:{line}" in places
    assert all(place.startswith(f"{list_name}.csv:") for place in places)


def test_problems_of_all_lists_come_at_once(folder):
    lines = [
        change(folder, "adventure", "flame", "type", "wepon"),
        change(folder, "heroes", "quill", "gives", "1 influenz"),
        change(folder, "locations", "fog_moor", "icon", "none"),
        change(folder, "squares", "key", "kind", "end"),
        change(folder, "tokens", "favor", "gives", ""),
    ]
    with pytest.raises(UserError) as caught:
        load(folder)
    places = [text.split(": ")[0] for text in str(caught.value).splitlines()]
    names = ("adventure", "heroes", "locations", "squares", "tokens")
    assert places == [
        f"{folder / name}.csv:{line}" for name, line in zip(names, lines, strict=True)
    ]


def test_combinations_of_all_lists_come_at_once(folder):
    change(folder, "adventure", "town_map", "icon", "")
    change(folder, "squares", "key", "kind", "encounter")
    change(folder, "creatures", "rattlebones", "immune", "weapn")
    with pytest.raises(UserError) as caught:
        load(folder)
    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("patches", "message"),
    [
        (
            {"experiment.first_card": "silver_sord"},
            "experiment.first_card: unknown card \"silver_sord\" (did you mean 'silver_sword'?)",
        ),
        (
            {"two_player.replacement": "rotten"},
            "two_player.replacement: unknown card \"rotten\" (did you mean 'rot'?)",
        ),
        (
            {"two_player.replaced": "silver"},
            'two_player.replaced: unknown card "silver"; '
            "known cards: bottle_cap, traveling_kit, wooden_knife",
        ),
        (
            {"starting.bottle_cap.count": 0},
            "starting.bottle_cap.count: no bottle_cap in a starting deck",
        ),
        (
            {"starting.bottle_cap.count": 20},
            "starting: 22 cards in each starting deck; allowed: 1 to 16",
        ),
        ({"solo.bands": [15, 13, 18]}, "solo.bands: [15, 13, 18] does not go up"),
        ({"solo.bands": [13, 13, 18]}, "solo.bands: [13, 13, 18] does not go up"),
        (
            {"switches.two_player_b": True, "adventure.silver.count": 1},
            "adventure.silver.count: 1 silver, of which each of two players gets one; "
            "allowed: 2 or more",
        ),
        ({"solo.visible": 3}, "solo.visible: place 4 of a row of 3"),
        (
            {"two_player.locations": 7},
            "two_player.locations: 7 of 6 Add Location cards",
        ),
        (
            {"setup.creatures_visible": 4},
            "setup.creatures_visible: 7 locations and creatures in the challenge row; "
            "at most 6 fit",
        ),
        (
            {"players.least": 4, "players.most": 3},
            "players.most: at least 4 players and at most 3",
        ),
        (
            {"adventure.silver_sward.cost": 5},
            "adventure.silver_sward.cost: unknown name (did you mean 'silver_sword'?)",
        ),
        (
            {"adventure.silver_sword.price": 5},
            "adventure.silver_sword.price: unknown key; known keys in adventure.silver_sword: "
            "alignment, bonus, cost, count, destroy, forge, gives, icon, keywords, type",
        ),
    ],
)
def test_bad_patches(patches, message):
    with pytest.raises(UserError) as caught:
        load(patches=patches)
    assert str(caught.value).startswith(message)


# --- tables --------------------------------------------------------------------------------------


def test_kinds_and_cards_are_numbered_in_the_order_of_the_lists():
    row = ROW
    assert row["kinds"] == len(KINDS)
    deck = ["bottle_cap"] * 8 + ["traveling_kit", "wooden_knife"]
    for seat in range(4):
        mine = row["card_kind"][STARTERS * seat : STARTERS * seat + 10]
        assert list(mine) == [KINDS[name] for name in deck]
    adventure = [KINDS[name] for name, _ in cards()]
    assert list(row["card_kind"][FIRST_ADVENTURE : FIRST_ADVENTURE + 114]) == adventure
    solo = [KINDS[name] for name, c in RULES.solo_cards.items() for _ in range(c.count)]
    assert list(row["card_kind"][FIRST_SOLO : FIRST_SOLO + 18]) == solo
    assert list(row["card_kind"][FIRST_EVENT : FIRST_EVENT + 8]) == [KINDS[n] for n in RULES.events]
    assert row["event_cards"] == 8
    types = {name: Type(row["type"][kind]) for name, kind in KINDS.items()}
    assert types["silver_sword"] == Type.WEAPON
    assert types["town_map"] == Type.ITEM
    assert types["ambush"] == Type.SOLO
    assert types["tax_day"] == Type.EVENT
    assert row["alignment"][KINDS["flame"]] == Alignment.RAT_CLAW_CLAN
    assert row["alignment"][KINDS["silver"]] == Alignment.NONE


def test_a_new_card_leaves_the_others_as_they_are():
    new = {"count": 2, "type": "effect", "cost": 4, "alignment": "wild", "gives": "2 red"}
    more = load(patches={"adventure.sunrise": new})
    row = tables(more.model, 3)[0]
    usual = tables(RULES, 3)[0]
    assert kinds(more.model).index("sunrise") == len(RULES.starting) + len(RULES.adventure)
    assert row["adventure_cards"] == 116
    first, last = FIRST_ADVENTURE, FIRST_ADVENTURE + 114
    assert list(row["card_kind"][first:last]) == list(usual["card_kind"][first:last])
    assert load(patches=more.patches).hash == more.hash


def test_a_range_misspelt_is_told_as_that(folder):
    line = change(folder, "tokens", "favor", "range", "jugded")
    with pytest.raises(UserError) as caught:
        load(folder)
    said = 'range "jugded" is neither "judged" nor the key of a choice (did you mean \'judged\'?)'
    assert f"tokens.csv:{line}: tokens.favor.count: {said}" in str(caught.value)


def test_the_card_of_the_guide_can_be_added(folder):
    guide = (FOLDER.parents[1] / "docs" / "dobbers_cards.md").read_text(encoding="utf-8")
    lines = [line.strip("| ").split(" | ") for line in guide.splitlines() if line.startswith("|")]
    named, shown = lines[0], lines[2]
    with (folder / "adventure.csv").open(newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file))
    new = dict(zip(named, shown, strict=True))
    with (folder / "adventure.csv").open("a", newline="", encoding="utf-8") as file:
        csv.DictWriter(file, columns, lineterminator="\n").writerow(new)
    change(folder, "adventure", "silver", "count", "9")
    card = load(folder).model.adventure[new["card"]]
    assert (card.count, card.cost, card.gives, card.destroy) == (1, 4, "1 red, 1 draw", "2 gold")
    assert sum(card.count for card in load(folder).model.adventure.values()) == 114


def test_items_change_the_texts_of_a_location():
    rows = {name: number for number, name in enumerate(RULES.locations)}
    walls, swamp, moor = rows["castle_walls"], rows["swamp"], rows["fog_moor"]
    assert says(ROW["location_results"][walls]) == [[(Op.DISCARD_EQUIPMENT, 1)]]
    assert says(ROW["location_item_results"][walls]) == []
    assert ROW["location_item_defeat"][walls] == ROW["location_defeat"][walls]
    assert says(ROW["location_defeat"][swamp]) == [[(Op.BACK, 2)]]
    assert says(ROW["location_item_defeat"][swamp]) == [[(Op.BACK, 1)]]
    assert ROW["location_tan"][moor] == 0
    assert says(ROW["location_victory"][swamp]) == [[(Op.BOON, 1)], [(Op.INFLUENCE, 1)]]
    slots = ROW["creature_immune_types"]
    assert slots[list(RULES.creatures).index("rattlebones")] == 1 << (Type.WEAPON - 1)
    assert slots.sum() == 1


def test_the_board():
    places = board(RULES)
    assert (len(places.starts), len(places.encounters), len(RULES.squares)) == (4, 6, 24)
    assert places.encounters[-1] == places.key == ROW["key_square"]
    for start in places.starts:
        assert (places.distance[start], places.steps[start]) == (48, 14)
        square, walked, numbers, stops = start, 0, [], []
        while square != places.key:
            square, number = places.edges[square][0]
            walked += 1
            numbers.append(number)
            stops += [walked] if square in places.encounters else []
        assert numbers == [2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]
        assert stops == [3, 5, 7, 9, 11, 14]

    def is_nearer(square, other):
        return ROW["distance"][square] < ROW["distance"][other]

    size = len(RULES.squares)
    for square in range(size):
        ways = [
            (int(other) - 1, int(number))
            for other, number in zip(
                ROW["edge_to"][square], ROW["edge_number"][square], strict=True
            )
            if other
        ]
        assert len(ways) <= MAX_EDGES
        for other, number in ways:
            back = list(ROW["edge_to"][other]).index(square + 1)
            assert ROW["edge_number"][other, back] == number
        if square != places.key:
            ahead, number = ways[0]
            assert ROW["distance"][square] == number + ROW["distance"][ahead]
        onward = {edge for edge in range(MAX_EDGES) if ROW["onward"][square] >> edge & 1}
        closer = {edge for edge, (other, _) in enumerate(ways) if is_nearer(other, square)}
        assert onward == closer
        nearer = {place for place in range(MAX_ENCOUNTERS) if ROW["nearer"][square] >> place & 1}
        closer = {
            place for place, other in enumerate(places.encounters) if is_nearer(other, square)
        }
        assert nearer == closer
    assert ROW["distance"][places.key] == ROW["steps"][places.key] == 0
    for encounter, square in enumerate(places.encounters):
        assert ROW["encounter"][square] == encounter + 1
        assert ROW["encounter_square"][encounter] == square
    assert np.count_nonzero(ROW["encounter"]) == 6


def test_the_first_edge_is_the_shorter_way_even_over_more_squares(folder):
    """A dear short cut from the first start to the key: fewer steps, not the shorter way."""
    with (folder / "paths.csv").open("a", encoding="utf-8") as file:
        file.write("cliff,start_a,road_13,60,50,70,judged,a short cut\n")
    places = board(load(folder).model)
    names = list(load(folder).model.squares)
    start = names.index("start_a")
    assert (places.distance[start], places.steps[start]) == (48, 2)
    assert [names[square] for square, _ in places.edges[start]] == ["a_1", "road_13"]


def test_names():
    def name(field: str, number: int) -> str:
        return ROW[field][number].tobytes().rstrip(b"\0").decode("ascii")

    assert ROW["kind_name"].shape[1] == NAME_WORDS
    for field, names in (
        ("kind_name", KINDS),
        ("hero_name", RULES.heroes),
        ("location_name", RULES.locations),
        ("creature_name", RULES.creatures),
        ("token_name", RULES.tokens),
        ("square_name", RULES.squares),
        ("keyword_name", ["silver", "thorn"]),
    ):
        assert [name(field, number) for number in range(len(names))] == list(names)
        assert not ROW[field][len(names) :].any()


SWITCHES = [
    ("switches.duel", True, "duel", (0, 1, 1, 1)),
    ("switches.two_player_a", True, "start_locations", (0, 4, 0, 0)),
    ("switches.tan_boxes", False, "tan_boxes", (0, 0, 0, 0)),
    ("switches.events", True, "events", (0, 1, 1, 1)),
    ("solo.removal", "cost", "removal", (2, 0, 0, 0)),
    ("switches.text_order", "results_first", "results_first", (1, 1, 1, 1)),
    ("switches.results_after_defeat", True, "results_after_defeat", (1, 1, 1, 1)),
    ("switches.points_lost_on_defeat", False, "points_lost", (0, 0, 0, 0)),
    ("switches.play_after_reveal", False, "play_after_reveal", (0, 0, 0, 0)),
    ("switches.capacity_counts_creature", False, "capacity_with_creature", (0, 0, 0, 0)),
    ("switches.outwit_influence", "none", "outwit_influence", (0, 0, 0, 0)),
    ("switches.outwit_influence", "all", "outwit_influence", (2, 2, 2, 2)),
    ("switches.start_order", "random", "random_start", (1, 1, 1, 1)),
    ("stall.turn_cap", 50, "turn_cap", (50, 50, 50, 50)),
]


@pytest.mark.parametrize(("key", "value", "field", "expected"), SWITCHES)
def test_each_switch_changes_one_field(key, value, field, expected):
    rules = load(patches={key: value}).model
    for players, wanted in enumerate(expected, start=1):
        usual, row = tables(RULES, players)[0], tables(rules, players)[0]
        assert row[field] == wanted
        changed = {name for name in TABLES.names if not np.array_equal(usual[name], row[name])}
        assert changed == ({field} if usual[field] != wanted else set())
    assert any(
        tables(RULES, players)[0][field] != expected[players - 1] for players in (1, 2, 3, 4)
    )


def test_the_usual_readings():
    usual = {
        "solo": 0,
        "duel": 0,
        "start_locations": 0,
        "start_silver": 0,
        "tan_boxes": 1,
        "events": 0,
        "removal": 0,
        "results_first": 0,
        "results_after_defeat": 0,
        "points_lost": 1,
        "play_after_reveal": 1,
        "capacity_with_creature": 1,
        "outwit_influence": 1,
        "random_start": 0,
        "first_card": 0,
    }
    assert {field: int(ROW[field]) for field in usual} == usual
    assert not ROW["left_out"].any()
    assert tables(RULES, 1)[0]["removal"] == 1


def test_a_better_card_in_starting_decks_of_two():
    """DB-T31."""
    rules = load(patches={"switches.two_player_b": True}).model
    for players in (1, 2, 3, 4):
        row = tables(rules, players)[0]
        assert row["start_silver"] == (1 + KINDS["silver"] if players == 2 else 0)
        assert row["start_replaced"] == KINDS["bottle_cap"]


def kinds_of(words):
    bits = [int(words[k // KIND_BITS]) >> k % KIND_BITS & 1 for k in range(MAX_KINDS)]
    return {name for name, kind in KINDS.items() if bits[kind]}


def left_out(row):
    return kinds_of(row["left_out"])


def test_experiments():
    row = tables(load(patches={"experiment.first_card": "rot"}).model, 2)[0]
    assert (row["first_card"], left_out(row)) == (1 + KINDS["rot"], set())
    row = tables(load(patches={"experiment.left_out": "cull"}).model, 2)[0]
    assert (row["first_card"], left_out(row)) == (0, {"cull"})
    row = tables(load(patches={"experiment.left_out": "plague_lantern cull rot"}).model, 2)[0]
    assert left_out(row) == {"cull", "rot", "plague_lantern"}


@pytest.mark.parametrize("players", [0, 5, -1])
def test_numbers_of_players(players):
    with pytest.raises(UserError) as caught:
        tables(RULES, players)
    assert str(caught.value) == f"{players} players; allowed: 1, 2, 3, 4"


@pytest.mark.parametrize(
    ("handicaps", "field", "expected"),
    [
        (
            {"forbid_alignments": [["wild", "decay"], "none"]},
            "forbid_alignments",
            [1 << Alignment.WILD | 1 << Alignment.DECAY, 1],
        ),
        ({"forbid_alignments": [31, []]}, "forbid_alignments", [31, 0]),
        ({"forbid_blocking": [True, False]}, "forbid_blocking", [1, 0]),
        ({"void_hero": [0, 1]}, "void_hero", [0, 1]),
        ({"force_hero": ["toby", ""]}, "force_hero", [1, 0]),
        ({"force_hero": [0, 16]}, "force_hero", [0, 16]),
    ],
)
def test_handicaps(handicaps, field, expected):
    row = tables(RULES, 2, handicaps)[0]
    assert list(row[field][:2]) == expected
    usual = tables(RULES, 2)[0]
    changed = {name for name in TABLES.names if not np.array_equal(usual[name], row[name])}
    bought = field in ("forbid_kinds", "forbid_alignments")
    assert list(row["forbids"][:2]) == [int(bought and what != 0) for what in expected]
    assert changed - {"forbids"} == {field}


def test_forbidden_cards():
    row = tables(RULES, 2, {"forbid_kinds": [("rot", "plague_lantern"), "cull charm"]})[0]
    assert [kinds_of(words) for words in row["forbid_kinds"]] == [
        {"rot", "plague_lantern"}, {"cull", "charm"}, set(), set(),
    ]  # fmt: skip
    none = tables(RULES, 2, {"forbid_kinds": ["none", []]})[0]
    assert none.tobytes() == tables(RULES, 2)[0].tobytes()


@pytest.mark.parametrize(
    ("handicaps", "message"),
    [
        (
            {"forbid_hero": [0, 1]},
            "unknown handicap 'forbid_hero' (did you mean 'void_hero'?); known handicaps: "
            "forbid_alignments, forbid_blocking, forbid_kinds, force_hero, void_hero",
        ),
        ({"void_hero": [1]}, "handicap void_hero: give one value for each of the 2 seats"),
        ({"void_hero": "ab"}, "handicap void_hero: give one value for each of the 2 seats"),
        (
            {"void_hero": [2, 0]},
            "handicap void_hero: 2 is not allowed; allowed: true, false",
        ),
        (
            {"forbid_kinds": [["rot", "silver_sord"], []]},
            "handicap forbid_kinds: unknown card 'silver_sord' (did you mean 'silver_sword'?)",
        ),
        (
            {"forbid_kinds": [3, ""]},
            "handicap forbid_kinds: 3 is no list of cards",
        ),
        (
            {"forbid_kinds": ["bottle_cap", ""]},
            "handicap forbid_kinds: unknown card 'bottle_cap' (did you mean 'bramble_coat'?)",
        ),
        (
            {"force_hero": ["tobi", ""]},
            "handicap force_hero: unknown hero 'tobi' (did you mean 'toby'?)",
        ),
        (
            {"force_hero": [17, ""]},
            "handicap force_hero: 17 is not allowed; "
            "allowed: a name, or a whole number from 0 to 16",
        ),
        (
            {"forbid_alignments": [["wilds"], []]},
            "handicap forbid_alignments: unknown alignment 'wilds' (did you mean 'wild'?); "
            "known alignments: decay, dobberton, none, rat_claw_clan, wild",
        ),
        (
            {"forbid_alignments": [32, 0]},
            "handicap forbid_alignments: 32 is not allowed; "
            "allowed: names of alignments, or one bit for each",
        ),
        (
            {"forbid_alignments": [None, 0]},
            "handicap forbid_alignments: None is no list; "
            "known alignments: decay, dobberton, none, rat_claw_clan, wild",
        ),
    ],
)
def test_bad_handicaps(handicaps, message):
    with pytest.raises(UserError) as caught:
        tables(RULES, 2, handicaps)
    assert str(caught.value) == message


def test_a_designers_folder(folder):
    assert validate(folder).hash == CONTENT.hash
    assert {path.name for path in data_files(FOLDER)} == set(model.Rules.FILES)


@settings(max_examples=25)
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
    for players in (1, 4):
        tables(rules, players)


# --- what examples print of unpublished numbers ---------------------------------------------------


@pytest.mark.parametrize(
    ("patches", "said"),
    [
        ({"hero.influence": 2}, "Acquiring, Example A: 7 influence, printed are 6"),  # DB-T1
        (
            {"adventure.iron_bark.gives": "1 red"},  # DB-T6
            "Travel: (1, 4, 2) blue, red and gold points of Toby, printed are (1, 4, 3)",
        ),
        (
            {"adventure.strength.gives": "2 red"},  # DB-T10
            "Resolving a Challenge: Strength and Helpful give 3 points, printed are 2",
        ),
        (
            {"locations.swamp.reduced": 2},  # DB-T12
            "Location Advantage From Items: swamp asks for 2 points with its item and 2 without",
        ),
        (
            {f"creatures.{name}.points": 5 for name in list(RULES.creatures)[-4:]},
            "Resolving a Challenge: 4 creatures are bigger than one of the biggest",
        ),
        (
            {f"paths.{start}_to_1.number": 3 for start in "abcd"},  # DB-T7
            "Travel, Example A: no start has the number 2 ahead, but [3]",
        ),
        (
            {f"paths.to_{place}.number": 3 for place in range(8, 15)},  # DB-T13
            "Token Modifiers: no travel number is 4",
        ),
        (
            {
                **{f"paths.{start}_to_3.number": 2 for start in "abcd"},
                **{f"paths.to_{place}.number": 2 for place in (5, 7, 9, 11)},
                # DB-T9; on the way back one meets the other number
                **{f"paths.to_{place}.number": 2 for place in (4, 6, 8, 10, 12)},
            },
            "Resolving a Challenge: no stack has the number 3 before it, but [2, 4]",
        ),
    ],
)
def test_what_the_examples_print_is_known(patches, said):
    assert content.constraints(load(patches=patches).model) == [said]


def test_cards_under_other_names_are_not_judged():
    rules = RULES.model_copy(update={"heroes": {}, "creatures": {}, "locations": {}})
    assert content.constraints(rules) == []


# --- cards as things of which each may be worth something -----------------------------------------


def test_the_cards_of_the_deck():
    cards = content.cards(RULES)
    assert sum(card.copies for card in cards) == 114
    assert len(cards) == len(RULES.adventure) == 81
    assert {card.name: card.number for card in cards} == {
        name: KINDS[name] for name in RULES.adventure
    }
    classes = dict(cards[0].classes)
    assert (cards[0].name, classes) == (
        "silver", {"type": "effect", "alignment": "none", "cost": "3"}
    )  # fmt: skip
    assert set(content.example_cards(RULES)) <= set(RULES.adventure)
    without = load(patches={"adventure.rot.count": 0, "adventure.silver.count": 12}).model
    assert "rot" not in {card.name for card in content.cards(without)}


def test_rich_players_and_cheap_cards():
    rich = load(patches=content.rich_players(RULES)).model
    most = max(card.cost for card in RULES.adventure.values())
    assert rich.hero.influence >= most
    cheap = load(patches=content.cheap_cards(RULES)).model
    assert {card.cost for card in cheap.adventure.values()} == {1}
