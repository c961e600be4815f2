"""Adventures on the map (rules 13 to 23, 53, 66 to 68)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sim.near_and_far.state import (
    EndTrigger,
    Face,
    Place,
    RollKind,
    Spell,
    Symbol,
    Tally,
)
from sim.near_and_far.travel import (
    arrive,
    build_camp,
    camp_choices,
    close_quest,
    close_threat,
    cross,
    depart,
    open_quest,
    open_threat,
    pass_threat,
    quest_choices,
    road_choices,
    start_moves,
    take_road,
    threat_choices,
)
from tests.contract import bits
from tests.sim.near_and_far.sheet import Sheet, reward, word

pytestmark = pytest.mark.kernel

LINE = "t-a a-b b-c c-d"


def place(sheet: Sheet, to: str, seat: int = 0) -> int:
    """Return the place of the road to a space in the list of the present space's roads."""
    here = sheet.of("space", seat)
    return [int(n) - 1 for n in sheet.tables["road_to"][here]].index(sheet.space(to))


def ways(sheet: Sheet, seat: int = 0) -> str:
    """Return the spaces the figure can set out to, in alphabetical order."""
    here = sheet.of("space", seat)
    roads = bits(sheet.call(road_choices, "state tables seat", seat))
    return "".join(sorted(sheet.spaces[sheet.tables["road_to"][here, n] - 1] for n in roads))


def take(sheet: Sheet, to: str, seat: int = 0) -> int:
    """Set out to a space; return whether there is a threat to be faced."""
    return int(sheet.call(take_road, "state tables seat place", seat, place(sheet, to, seat)))


def go(sheet: Sheet, path: str, seat: int = 0) -> None:
    """Walk; nothing stands in the way, and each step must be possible."""
    for to in path:
        assert to in ways(sheet, seat)
        assert not take(sheet, to, seat)
        sheet.call(cross, "state tables seat", seat)
        assert sheet.of("space", seat) == sheet.space(to)
        assert sheet.state["road"] == 0


def start(sheet: Sheet, seat: int = 0) -> None:
    sheet.call(start_moves, "state tables seat", seat)


# --- leaving town ---------------------------------------------------------------------------------


def test_hearts_are_counted_when_leaving_town() -> None:
    """Rules 13 and 14, A-21: party and cards, 13 at most, whatever there was before."""
    sheet = Sheet()
    sheet.party(hearts=5)
    sheet.state["card_symbols"][0] = word(hearts=2)
    for before in (0, 12):
        sheet.state["hearts"][0] = before
        sheet.state["place"][0] = Place.FARM
        sheet.call(depart, "state tables seat", 0)
        assert sheet.of("hearts") == 7
        assert sheet.of("place") == Place.MAP
        assert sheet.of("space") == sheet.space("t")
    sheet.state["card_symbols"][0] = word(hearts=9)
    sheet.call(depart, "state tables seat", 0)
    assert sheet.of("hearts") == 13


def test_the_town_of_a_scenario_is_another_space() -> None:
    """Rules 67 and 68."""
    sheet = Sheet("t-a a-b", town_space=2)
    sheet.call(depart, "state tables seat", 0)
    assert sheet.of("space") == sheet.space("b")


def test_movement() -> None:
    """NF-T27: 2 birds and one member with a movement symbol: 5."""
    sheet = Sheet()
    sheet.state["birds"][0] = 2
    sheet.party(movement=1)
    start(sheet)
    assert sheet.state["movement"] == 5


def test_a_step_takes_a_movement_point() -> None:
    """Rule 15."""
    sheet = Sheet(LINE)
    sheet.stand("t", movement=2, hearts=9)
    go(sheet, "ab")
    assert sheet.state["movement"] == 0
    assert ways(sheet) == ""
    assert sheet.state["tally"][0, Tally.STEPS] == 2


# --- hearts for empty spaces ----------------------------------------------------------------------


@pytest.mark.parametrize(("leave", "hearts"), [(0, 2), (1, 3)])
def test_hearts_for_empty_spaces(leave: int, hearts: int) -> None:
    """NF-T33: start on an empty space, pass two, end on a third: 2 hearts, or 3 for leaving.

    With one heart less the last step cannot be made.
    """
    sheet = Sheet(LINE, heart_cost_leave=leave)
    sheet.stand("a", movement=3, hearts=hearts)
    go(sheet, "bcd")
    assert sheet.of("hearts") == 0
    assert sheet.state["tally"][0, Tally.HEARTS_CROSSING] == hearts
    sheet = Sheet(LINE, heart_cost_leave=leave)
    sheet.stand("a", movement=3, hearts=hearts - 1)
    go(sheet, "bc")
    assert ways(sheet) == ""


@pytest.mark.parametrize("owner", [0, 1])
def test_a_camp_of_anybody_makes_the_way_free(owner: int) -> None:
    """A-9."""
    sheet = Sheet(LINE)
    sheet.camps("bc", seat=owner)
    sheet.stand("a", movement=3, hearts=0)
    go(sheet, "bcd")
    assert sheet.of("hearts") == 0


@pytest.mark.parametrize("leave", [0, 1])
def test_the_town_never_costs(leave: int) -> None:
    """A-8: not at the start and not on the way."""
    sheet = Sheet("t-a t-b", heart_cost_leave=leave)
    sheet.stand("t", movement=2, hearts=0)
    go(sheet, "a")
    sheet = Sheet("t-a t-b", heart_cost_leave=leave)
    sheet.stand("a", movement=2, hearts=leave)
    go(sheet, "tb")
    assert sheet.of("hearts") == 0


def test_the_space_one_started_from_costs_when_passed_again() -> None:
    """A-8: in this turn the figure has come to it, so it is passed."""
    sheet = Sheet("a-b a-c")
    sheet.stand("a", movement=3, hearts=2)
    go(sheet, "bac")
    assert sheet.of("hearts") == 0


def simple_paths(roads: list[str], start_: str, steps: int) -> Iterator[str]:
    """Yield every path without a space twice, up to a length."""
    yield start_
    stack = [start_]
    while stack:
        path = stack.pop()
        if len(path) > steps:
            continue
        for road in roads:
            one, other = road.split("-")
            for here, there in ((one, other), (other, one)):
                if here == path[-1] and there not in path:
                    yield path + there
                    stack.append(path + there)


def cheapest(sheet: Sheet, start_: str, movement: int, hearts: int, leave: bool) -> dict[str, int]:
    """Return each space that can be the end of the movement with most hearts left: brute force."""
    best: dict[str, int] = {}
    camped = {sheet.spaces[n] for n in bits(int(sheet.state["camped"]))}
    for path in simple_paths(sheet.roads, start_, movement):
        left_behind = path[:-1] if leave else path[1:-1]
        cost = sum(space != "t" and space not in camped for space in left_behind)
        if cost <= hearts:
            best[path[-1]] = max(best.get(path[-1], -1), hearts - cost)
    return best


def reached(sheet: Sheet) -> dict[str, int]:
    """Return the same by trying every step that the engine allows."""
    best: dict[str, int] = {}
    seen: set[tuple[int, ...]] = set()
    todo = [sheet.states.copy()]
    while todo:
        states = todo.pop()
        now = states[0]
        key = tuple(int(n) for n in (now["space"][0], now["movement"], now["hearts"][0]))
        if (*key, int(now["entered"])) in seen:
            continue
        seen.add((*key, int(now["entered"])))
        name = sheet.spaces[key[0]]
        best[name] = max(best.get(name, -1), key[2])
        sheet.states[:] = states
        for road in bits(sheet.call(road_choices, "state tables seat", 0)):
            sheet.states[:] = states
            sheet.call(take_road, "state tables seat place", 0, road)
            sheet.call(cross, "state tables seat", 0)
            todo.append(sheet.states.copy())
    return best


@pytest.mark.parametrize("leave", [0, 1])
@pytest.mark.parametrize("seed", range(8))
def test_the_spaces_in_reach_are_those_of_brute_force(seed: int, leave: int) -> None:
    """Rules 15 and 16, A-8: random maps and camps, all simple paths against all steps."""
    chance = random.Random(seed)
    names = "tabcdefghi"
    roads = {f"{chance.choice(names[:n])}-{names[n]}" for n in range(1, len(names))}
    while len(roads) < 14:
        one, other = sorted(chance.sample(range(len(names)), 2))
        roads.add(f"{names[one]}-{names[other]}")
    sheet = Sheet(" ".join(sorted(roads)), heart_cost_leave=leave)
    if sheet.tables["degree"].max() > 8:
        pytest.fail("the map is too dense for the tables")
    sheet.camps("".join(chance.sample(names[1:], 3)))
    start_ = chance.choice(names)
    lengths = set()
    for movement in range(5):
        for hearts in range(4):
            sheet.stand(start_, movement=movement, hearts=hearts)
            sheet.state["entered"] = 0
            fresh = sheet.states.copy()
            found = reached(sheet)
            sheet.states[:] = fresh
            assert found == cheapest(sheet, start_, movement, hearts, bool(leave))
            lengths.add(len(found))
    assert len(lengths) > 2


# --- threats --------------------------------------------------------------------------------------


def facing(*levels: int, **numbers: int) -> Sheet:
    """Return a game in which the figure stands before a road with a threat, on b."""
    sheet = Sheet("t-a a-b b-c! c-d", **numbers)
    sheet.threats(*levels)
    sheet.stand("b", movement=4, hearts=5)
    return sheet


def faces(sheet: Sheet) -> list[int]:
    return bits(sheet.call(threat_choices, "state tables seat", 0))


def fight(sheet: Sheet, success: int) -> int:
    """Fight the threat with a given result; return whether the figure may cross."""
    sheet.call(open_threat, "state tables seat", 0)
    sheet.state["success"] = success
    return int(sheet.call(close_threat, "state tables seat", 0))


def test_a_threat_has_to_be_faced_first() -> None:
    """Rule 17."""
    sheet = facing(4, 5)
    assert take(sheet, "c")
    assert sheet.of("space") == sheet.space("b")
    assert faces(sheet) == [Face.FIGHT]


def test_the_numbers_of_a_fight() -> None:
    """Rule 18: swords of party and cards against the level of the card on top."""
    sheet = facing(4, 5)
    sheet.party(combat=2, skill=3)
    sheet.state["card_symbols"][0] = word(combat=1)
    sheet.state["threat"] = 1
    take(sheet, "c")
    sheet.call(open_threat, "state tables seat", 0)
    assert sheet.state["roll_kind"] == RollKind.THREAT
    assert sheet.state["roll_symbol"] == Symbol.COMBAT
    assert sheet.state["roll_base"] == 3
    assert sheet.state["roll_need"] == 5
    assert sheet.state["roll_bonus"] == 0
    assert sheet.state["tally"][0, Tally.THREATS_FOUGHT] == 1


def test_a_beaten_threat_is_kept_with_a_camp() -> None:
    """Rule 18: the next card is on top then."""
    sheet = facing(4, 5)
    take(sheet, "c")
    assert fight(sheet, 1)
    sheet.call(cross, "state tables seat", 0)
    assert sheet.of("space") == sheet.space("c")
    assert sheet.state["threat_owner"][0] == 1
    assert sheet.state["threat"] == 1
    assert sheet.of("tents") == 13
    assert sheet.of("threat_camps") == 1
    assert sheet.of("running") == 1 + 2


def test_some_threats_take_no_camp() -> None:
    """Rule 44, A-37; and with no camp left none is placed (A-38)."""
    sheet = facing(4, 5)
    sheet.tables["threat_camp"][0] = 0
    take(sheet, "c")
    assert fight(sheet, 1)
    assert sheet.of("tents") == 14
    assert sheet.of("threat_camps") == 0
    assert sheet.state["threat_owner"][0] == 1
    sheet.state["tents"][0] = 0
    assert fight(sheet, 1)
    assert sheet.of("threat_camps") == 0
    assert sheet.state["threat_owner"][1] == 1


def test_a_threat_with_a_reputation_symbol() -> None:
    """NF-T12: a reputation at once, whether it is wanted or not."""
    sheet = facing(4, 5)
    sheet.tables["threat_reward"][0] = reward(reputation=1, coin=1)
    sheet.state["reputation"][0] = -3
    take(sheet, "c")
    fight(sheet, 1)
    assert sheet.of("reputation") == -2
    assert sheet.good("coin") == 1


def test_a_lost_fight_ends_the_movement() -> None:
    """A-10: before the road; no hearts are lost, the threat stays."""
    sheet = facing(4, 5)
    sheet.state["entered"] = 1
    take(sheet, "c")
    assert not fight(sheet, 0)
    assert sheet.of("space") == sheet.space("b")
    assert sheet.of("hearts") == 5
    assert sheet.state["threat"] == 0
    assert not sheet.state["threat_owner"].any()
    assert sheet.of("tents") == 14
    assert ways(sheet) == ""
    assert sheet.state["reserve"] == 0


def test_the_heart_for_the_space_behind_is_kept_for_it() -> None:
    """Rules 16 and 18: a fight may not spend it; it is paid when the fight is won."""
    sheet = facing(4, 5)
    sheet.state["entered"] = 1
    take(sheet, "c")
    assert sheet.state["reserve"] == 1
    assert sheet.of("hearts") == 5
    assert fight(sheet, 1)
    sheet.call(cross, "state tables seat", 0)
    assert sheet.of("hearts") == 4
    assert sheet.state["reserve"] == 0


def test_each_caution_symbol_passes_a_threat_a_turn() -> None:
    """A-11, rule 19: of party and cards; the threat stays on top."""
    sheet = facing(4, 5)
    sheet.party(caution=1)
    sheet.state["card_symbols"][0] = word(caution=1)
    for _ in range(2):
        assert faces(sheet) == [Face.FIGHT, Face.CAUTION]
        sheet.call(pass_threat, "state tables seat face", 0, Face.CAUTION)
    assert faces(sheet) == [Face.FIGHT]
    assert sheet.state["threat"] == 0
    assert sheet.state["tally"][0, Tally.THREATS_PASSED] == 2


def test_a_bird_passes_a_threat_and_lends_its_step() -> None:
    """Rule 3: its movement stays until the end of the turn."""
    sheet = facing(4, 5)
    sheet.state["birds"][0] = 1
    start(sheet)
    assert sheet.state["movement"] == 3
    assert faces(sheet) == [Face.FIGHT, Face.BIRD]
    sheet.call(pass_threat, "state tables seat face", 0, Face.BIRD)
    assert sheet.of("birds") == 0
    assert sheet.state["movement"] == 3
    assert faces(sheet) == [Face.FIGHT]


def test_wind_storm_passes_a_threat() -> None:
    """Rule 42: as a caution symbol, once."""
    sheet = facing(4, 5)
    sheet.spells(Spell.WIND_STORM)
    assert faces(sheet) == [Face.FIGHT, Face.WIND_STORM]
    sheet.call(pass_threat, "state tables seat face", 0, Face.WIND_STORM)
    assert sheet.of("spells_up") == 0
    assert sheet.state["caution_used"] == 0
    assert faces(sheet) == [Face.FIGHT]


def test_an_empty_stack_has_no_threats() -> None:
    """A-42."""
    sheet = facing(4, 5)
    sheet.state["threat"] = 2
    assert not take(sheet, "c")


@pytest.mark.parametrize(("scarcity", "again"), [(0, 1), (1, 0)])
def test_a_threat_symbol_and_map_scarcity(scarcity: int, again: int) -> None:
    """Rule 53: once for each symbol and turn."""
    sheet = Sheet("a-b! b-c!", map_scarcity=scarcity)
    sheet.threats(4, 5, 6)
    sheet.stand("a", movement=4, hearts=5)
    assert take(sheet, "b")
    fight(sheet, 1)
    sheet.call(cross, "state tables seat", 0)
    assert take(sheet, "a") == again
    assert take(sheet, "c")


# --- treasures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scarcity", "due"), [(0, 2), (1, 1)])
def test_a_treasure_symbol_and_map_scarcity(scarcity: int, due: int) -> None:
    """NF-T29: the same symbol crossed twice in a turn: one treasure with the rule, two without."""
    sheet = Sheet("a-b$ b-c$", map_scarcity=scarcity)
    sheet.stand("a", movement=4, hearts=9)
    go(sheet, "b")
    assert sheet.state["treasures_due"] == 1
    go(sheet, "a")
    assert sheet.state["treasures_due"] == due
    go(sheet, "bc")
    assert sheet.state["treasures_due"] == (4 if not scarcity else 2)


# --- where the movement ends ----------------------------------------------------------------------


def test_a_space_with_a_heart_symbol() -> None:
    """Rules 67 and 68: ending there fills the hearts up, and never takes any."""
    sheet = Sheet(LINE, refresh=1 << 2)
    sheet.party(hearts=6)
    sheet.stand("b", movement=1, hearts=1)
    sheet.call(arrive, "state tables seat", 0)
    assert sheet.of("hearts") == 6
    sheet.state["hearts"][0] = 8
    sheet.call(arrive, "state tables seat", 0)
    assert sheet.of("hearts") == 8
    sheet.stand("a", movement=1, hearts=1)
    sheet.call(arrive, "state tables seat", 0)
    assert sheet.of("hearts") == 1


# --- quests ---------------------------------------------------------------------------------------


def on_quest(**numbers: int) -> Sheet:
    """Return a game with quests on b and c; the figure stands on b."""
    sheet = Sheet(LINE, **numbers)
    b, c = sheet.space("b"), sheet.space("c")
    sheet.state["tokens"] = 1 << b | 1 << c
    sheet.tables["quest_symbol"][b] = (Symbol.SKILL, Symbol.COMBAT)
    sheet.tables["quest_need"][b] = (7, 5)
    sheet.tables["quest_reward"][b] = (reward(gem=2), reward(coin=3, journey=1))
    sheet.tables["quest_extra"][b] = (reward(food=2), reward())
    sheet.stand("b", movement=0, hearts=3)
    return sheet


def choices(sheet: Sheet) -> list[int]:
    return bits(sheet.call(quest_choices, "state tables seat", 0))


def quest(sheet: Sheet, way: int, success: int) -> None:
    sheet.call(open_quest, "state tables seat way", 0, way)
    sheet.state["success"] = success
    sheet.call(close_quest, "state tables seat", 0)


def test_a_quest_needs_its_token() -> None:
    """Rule 21."""
    sheet = on_quest()
    assert choices(sheet) == [0, 1, 2]
    sheet.stand("a", movement=0, hearts=3)
    assert choices(sheet) == [0]


def test_the_numbers_of_a_quest() -> None:
    """Rule 21: the symbols of the way, the bonus two above where there is one."""
    sheet = on_quest()
    sheet.party(skill=2, combat=1)
    sheet.state["card_symbols"][0] = word(skill=1)
    sheet.state["reserve"] = 1
    sheet.call(open_quest, "state tables seat way", 0, 1)
    assert sheet.state["roll_kind"] == RollKind.QUEST
    assert sheet.state["roll_symbol"] == Symbol.SKILL
    assert [int(sheet.state[f"roll_{name}"]) for name in ("base", "need", "bonus")] == [3, 7, 9]
    assert sheet.state["reserve"] == 0
    sheet.call(open_quest, "state tables seat way", 0, 2)
    assert sheet.state["roll_symbol"] == Symbol.COMBAT
    assert [int(sheet.state[f"roll_{name}"]) for name in ("base", "need", "bonus")] == [1, 5, 0]


@pytest.mark.parametrize(("success", "gems", "food"), [(0, 0, 0), (1, 2, 0), (2, 2, 2)])
def test_what_a_quest_brings(success: int, gems: int, food: int) -> None:
    """NF-T26: reward, reward and bonus, or nothing; the token is gone in all three."""
    sheet = on_quest()
    quest(sheet, 1, success)
    assert (sheet.good("gem"), sheet.good("food")) == (gems, food)
    assert bits(sheet.state["tokens"]) == [sheet.space("c")]
    assert sheet.of("quests_done") == (success > 0)
    assert sheet.state["tally"][0, Tally.QUESTS_TRIED] == 1
    assert sheet.state["tally"][0, Tally.QUEST_BONUSES] == (success == 2)
    assert sheet.state["ending"] == 0


def test_the_second_way_has_its_own_reward() -> None:
    """Rule 21."""
    sheet = on_quest()
    quest(sheet, 2, 1)
    assert (sheet.good("coin"), sheet.good("gem"), sheet.of("journey")) == (3, 0, 1)


def test_failed_quests_stay_in_a_scenario() -> None:
    """Rule 66: and can be tried again."""
    sheet = on_quest(failed_stay=1)
    quest(sheet, 1, 0)
    assert choices(sheet) == [0, 1, 2]
    quest(sheet, 1, 1)
    assert choices(sheet) == [0]


@pytest.mark.parametrize(
    ("trigger", "ends"), [(EndTrigger.QUESTS, 1), (EndTrigger.EITHER, 1), (EndTrigger.CAMPS, 0)]
)
@pytest.mark.parametrize("success", [0, 1])
def test_the_last_token_may_end_the_game(trigger: EndTrigger, ends: int, success: int) -> None:
    """A-1."""
    sheet = on_quest(end_trigger=trigger)
    sheet.state["tokens"] = 1 << sheet.space("b")
    quest(sheet, 1, success)
    assert sheet.state["ending"] == (1 + EndTrigger.QUESTS if ends else 0)


def test_keywords_are_gained_and_lost() -> None:
    """Rule 67: lost by everybody, gained by whoever succeeds; a failure changes nothing."""
    sheet = on_quest(failed_stay=1)
    b = sheet.space("b")
    sheet.tables["quest_gains"][b, 0] = 0b0011
    sheet.tables["quest_loses"][b, 0] = 0b0110
    sheet.state["keywords"][:2] = (0b0100, 0b1110)
    quest(sheet, 1, 0)
    assert [sheet.of("keywords", seat) for seat in (0, 1)] == [0b0100, 0b1110]
    quest(sheet, 1, 1)
    assert [sheet.of("keywords", seat) for seat in (0, 1)] == [0b0011, 0b1000]


def test_a_quest_on_the_space_of_the_town() -> None:
    """Rules 67 and 68: quests 70 and 48."""
    sheet = on_quest(town_space=2, no_camp=1 << 2)
    sheet.call(depart, "state tables seat", 0)
    assert choices(sheet) == [0, 1, 2]
    quest(sheet, 1, 1)
    assert sheet.good("gem") == 2


# --- camps ----------------------------------------------------------------------------------------


def camping(sheet: Sheet) -> list[int]:
    return bits(sheet.call(camp_choices, "state tables seat", 0))


def camp(sheet: Sheet, choice: int = 1) -> None:
    sheet.call(build_camp, "state tables seat choice", 0, choice)


def test_a_camp_on_a_gem_space() -> None:
    """NF-T28: a gem space, three search symbols, three hearts: a camp, 3 gems, no hearts left."""
    sheet = Sheet(LINE)
    a = sheet.space("a")
    sheet.tables["space_good"][a] = 1 + 2
    sheet.party(search=3)
    sheet.state["card_symbols"][0] = word(search=2)  # cards do not search
    sheet.stand("a", movement=0, hearts=3)
    assert camping(sheet) == [0, 1]
    camp(sheet)
    assert (sheet.good("gem"), sheet.good("coin")) == (3, 0)
    assert sheet.of("hearts") == 0
    assert sheet.of("tents") == 13
    assert sheet.state["camp"][a] == 1
    assert sheet.state["camped"] == sheet.of("map_camps") == 1 << a


def test_a_camp_on_a_coin_space_and_on_a_plain_one() -> None:
    """Rule 22."""
    sheet = Sheet(LINE)
    sheet.tables["space_good"][sheet.space("a")] = 1 + 1
    sheet.party(search=2)
    for name in "ab":
        sheet.stand(name, movement=0, hearts=4)
        camp(sheet)
        assert sheet.of("hearts") == 1
    assert (sheet.good("gem"), sheet.good("coin")) == (0, 2)


def test_where_no_camp_can_be_built() -> None:
    """Rule 22: a space with a camp, the town, too few hearts, no camp left."""
    sheet = Sheet(LINE)
    sheet.camps("b")
    for name, hearts, tents in (("b", 5, 14), ("t", 5, 14), ("a", 2, 14), ("a", 5, 0)):
        sheet.stand(name, movement=0, hearts=hearts)
        sheet.state["tents"][0] = tents
        assert camping(sheet) == [0]
    sheet.stand("a", movement=0, hearts=3)
    sheet.state["tents"][0] = 1
    assert camping(sheet) == [0, 1]
    camp(sheet)
    assert sheet.state["ending"] == 1 + EndTrigger.CAMPS


def test_divination_for_a_camp() -> None:
    """Rule 42: two search symbols more, where there is something to find."""
    sheet = Sheet(LINE)
    sheet.tables["space_good"][sheet.space("a")] = 1 + 2
    sheet.spells(Spell.DIVINATION)
    sheet.party(search=1)
    sheet.stand("b", movement=0, hearts=6)
    assert camping(sheet) == [0, 1]
    sheet.stand("a", movement=0, hearts=6)
    assert camping(sheet) == [0, 1, 4]
    camp(sheet, 4)
    assert sheet.good("gem") == 3
    assert sheet.state["divined"] == 0
    assert sheet.of("spells_up") == 0


@pytest.mark.parametrize(
    ("choice", "gems", "change"),
    [(1, 1, 0), (2, 1, 2), (3, 1, -2), (4, 3, 0), (5, 3, 2), (6, 3, -2)],
)
def test_spells_for_a_camp(choice: int, gems: int, change: int) -> None:
    """Rule 42: Alter Weather and Divination, each used or kept."""
    sheet = Sheet(LINE)
    sheet.tables["space_good"][sheet.space("a")] = 1 + 2
    sheet.spells(Spell.DIVINATION, Spell.ALTER_WEATHER)
    sheet.party(search=1)
    sheet.stand("a", movement=0, hearts=6)
    assert camping(sheet) == list(range(7))
    camp(sheet, choice)
    assert sheet.good("gem") == gems
    assert sheet.of("reputation") == change
    kept = {Spell.DIVINATION} if choice < 4 else set()
    kept |= {Spell.ALTER_WEATHER} if choice in (1, 4) else set()
    assert set(bits(sheet.of("spells_up"))) == kept
