"""The players of Near and Far: legal in whole games, blind to hidden cards, each in its style."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from sim.game import load_game
from sim.jit import COMPILED
from sim.near_and_far import exact
from sim.near_and_far.state import (
    DIE_CHANCES,
    FACES,
    FIRST_COMPANION,
    MEMO,
    After,
    EndTrigger,
    Face,
    Hall,
    Place,
    Prompt,
    RollKind,
    Spell,
    Status,
    Step,
    Turn,
    Walk,
)
from sim.rng import make_key
from strategies.near_and_far_map import adventure_worth, may_go_out
from strategies.near_and_far_worth import DIE, DIG_AT, SUMS, hearts_to_spend, odds
from strategies.presets import presets_of
from strategies.resolve import resolve
from tests.contract import Session, callable_rule
from tests.sim.near_and_far.contract import make_tables
from tests.sim.near_and_far.sheet import Sheet, reward, word
from tests.strategies.tables import decide, lineups_with, whole_games

GAME = load_game("near_and_far")
STYLES = ("miner", "fighter", "explorer", "quester", "collector", "mage")
NAMES = ("random", "balanced", *STYLES)
CAP = 240 if COMPILED else 12  # turns; plain Python is some hundred times slower

BASE = {
    f"modules__{module}": False
    for module in (
        "new_threats",
        "amber_mines",
        "magic",
        "new_general_store",
        "miners",
        "magic_teachers",
        "expert_dice",
        "amber_treasures",
        "amber_artifacts",
        "numbat",
        "heart_total",
    )
}
VARIANTS: dict[str, tuple[int, dict[str, Any]]] = {
    "all modules": (4, {}),
    "base game": (4, BASE),
    "two players": (2, {"switches__scoring": "full"}),
    "the mine alone": (3, {**BASE, "modules__amber_mines": True, "modules__new_threats": True}),
    "election": (
        3,
        {"switches__map": "cloudy_valley", "switches__scenario": "snazra_election"},
    ),
    "railroad": (
        4,
        {
            "switches__map": "meteor_mountain",
            "switches__scenario": "ancient_railroad",
            "modules__map_scarcity": True,
        },
    ),
    "other readings": (
        4,
        {
            "switches__hearts_before_roll": True,
            "switches__heart_cost": "leave",
            "switches__mine_left": True,
            "switches__end_trigger": "camps",
            "switches__scoring": "full",
            "switches__dummy": "mine",
        },
    ),
}
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def tables_of(variant: str, cap: int) -> np.ndarray:
    """Return the tables of a variant."""
    players, patches = VARIANTS[variant]
    return make_tables(players, **patches, stall__turn_cap=cap)


# --- whole games ----------------------------------------------------------------------------------


def test_the_shipped_strategies() -> None:
    presets = presets_of(GAME)
    assert {name for name in presets if not name.startswith("team_")} == set(NAMES)
    assert presets["random"].blunder == 1


@pytest.mark.kernel
@every_variant
def test_games_end_and_every_choice_is_legal(variant: str) -> None:
    tables = tables_of(variant, CAP)
    players = int(tables["players"][0])
    for name in NAMES[1:] if COMPILED else ("balanced",):
        games, seats, _ = whole_games(GAME, [name] * players, tables, 12 if COMPILED else 1)
        assert (games["status"] != Status.ILLEGAL_CHOICE).all(), name
        won = games["status"] == Status.WON
        assert (seats["win"].sum(axis=1)[won] == 12).all()
        if COMPILED:
            assert won.mean() > (0.8 if name == "balanced" else 0.5), name


def test_these_games_ask_every_prompt() -> None:
    """What the test above shows, it shows for each prompt but those of teams."""
    asked: set[int] = set()
    for variant in VARIANTS:
        tables = tables_of(variant, CAP)
        players = int(tables["players"][0])
        for names in lineups_with(NAMES, players):
            made = whole_games(GAME, names, tables, 4 * players, decisions=40_000 * players)[2]
            asked |= set(made[:, 2].tolist())
    assert asked == {int(prompt) for prompt in Prompt if Prompt.GAME_OVER < prompt < Prompt.GIVE}


def test_blunders_are_legal_too() -> None:
    """Players that go on from positions they would never have come to."""
    for variant in VARIANTS:
        tables = tables_of(variant, CAP)
        players = int(tables["players"][0])
        games, _, _ = whole_games(GAME, ["balanced:blunder=0.3"] * players, tables, 60)
        assert (games["status"] != Status.ILLEGAL_CHOICE).all(), variant


def test_one_balanced_against_three_random_wins_nearly_always() -> None:
    _, seats, _ = whole_games(
        GAME, ["balanced", *["random"] * 3], tables_of("all modules", CAP), 200
    )
    mine = (seats["win"] * (seats["slot"] == 0)).sum() / 12
    assert mine > 190


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("miner", "mine_camps"),
        ("fighter", "threats_beaten"),
        ("explorer", "map_camps"),
        ("quester", "quests_done"),
        ("collector", "artifacts_bought"),
        ("mage", "magic"),
    ],
)
def test_each_style_does_more_of_its_own_than_balanced(name: str, field: str) -> None:
    _, seats, _ = whole_games(GAME, [name, *["balanced"] * 3], tables_of("all modules", CAP), 400)
    own = seats["slot"] == 0
    assert seats[field][own].mean() > 1.1 * seats[field][~own].mean()


# --- what a seat cannot know ----------------------------------------------------------------------


@pytest.mark.kernel
@every_variant
def test_what_is_hidden_changes_neither_choices_nor_notes(variant: str) -> None:
    """Everything a seat cannot know is dealt anew at its decisions."""
    tables = tables_of(variant, 60 if COMPILED else 4)
    players = int(tables["players"][0])
    tried = [["balanced"] * players] if not COMPILED else lineups_with(NAMES, players)
    changed = 0
    for deal, names in enumerate(tried):
        strategies = [resolve(GAME, name) for name in names]
        whims = random.Random(deal)
        session = Session(GAME, tables, seed=17, deal=deal)
        session.open()
        while not session.over:
            seat = session.seat
            copies = [session.states.copy()]
            for k in range(2):
                copy = session.states.copy()
                luck = session.backstages.copy()
                luck["key"] = make_key(999)
                callable_rule(GAME, GAME.hide, "state tables backstage seat k")(
                    copy[0], session.tables, luck[0], seat, k
                )
                changed += any(
                    (copy[field] != session.states[field]).any()
                    for field in ("hand", "basic_deck", "advanced_deck", "artifact_discard")
                )
                copies.append(copy)
            answers = {
                decide(strategies[seat], copy[0], session.tables, session.prompt) for copy in copies
            }
            assert len(answers) == 1, (names[seat], Prompt(session.prompt))
            notes = {copy["memo"][0, seat].tobytes() for copy in copies}
            assert len(notes) == 1, (names[seat], Prompt(session.prompt))
            session.state["memo"][seat] = copies[0]["memo"][0, seat]
            whim = whims.choice(session.legal) if names[seat] == "random" else answers.pop()
            session.choose(whim)
    assert changed > 10


@pytest.mark.kernel
def test_a_strategy_changes_nothing_but_its_own_notes() -> None:
    """Nothing but those and the scratch fields, and what is in there before makes no difference."""
    session = Session(GAME, tables_of("all modules", 60 if COMPILED else 6), seed=5)
    balanced = resolve(GAME, "balanced")
    session.open()
    while not session.over:
        before = session.states.copy()
        copy = session.states.copy()
        copy["scratch"] = 1e6
        copy["labels"] = 1 << 40
        choice = decide(balanced, session.state, session.tables, session.prompt)
        before["memo"][0, session.seat] = session.states["memo"][0, session.seat]
        before["scratch"] = session.states["scratch"]
        before["labels"] = session.states["labels"]
        assert before.tobytes() == session.states.tobytes()
        assert choice == decide(balanced, copy[0], session.tables, session.prompt)
        session.choose(choice)


# --- dice -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("expert", [0, 1])
@pytest.mark.parametrize("food", [0, 1, 3])
def test_the_chance_of_a_roll_is_exact(expert: int, food: int) -> None:
    tables = Sheet().tables
    memo = np.zeros(MEMO, np.int64)
    memo[DIE] = tables["die_odds"][expert, food]
    for wanted in range(-1, 9):
        law = exact.success(tables, wanted, expert=bool(expert), food=food if expert else 0)
        assert odds(memo, wanted) == pytest.approx(float(law), abs=0.5 / DIE_CHANCES), wanted


@pytest.mark.parametrize("expert", [0, 1])
def test_hearts_that_turn_a_roll_are_counted_exactly(expert: int) -> None:
    tables = Sheet().tables
    memo = np.zeros(MEMO, np.int64)
    memo[DIE] = tables["die_odds"][expert, 0]
    memo[SUMS : SUMS + FACES] = tables["die_sums"][expert, 0]
    for wanted in range(-3, 12):
        for hearts in range(9):
            law = exact.hearts_spent(tables, wanted, hearts=hearts, expert=bool(expert))
            found = hearts_to_spend(memo, wanted, hearts)
            assert found == pytest.approx(float(law), abs=hearts / DIE_CHANCES), (wanted, hearts)


# --- the search over the map ----------------------------------------------------------------------


def reachable(sheet: Sheet, start: int, hearts: int, moves: int) -> set[int]:
    """Return the spaces a figure can end its move on, found by walking every way."""
    ends = {start}
    ways = [(start, hearts, moves, True)]
    while ways:
        space, left, steps, first = ways.pop()
        ends.add(space)
        camped = bool(int(sheet.state["camped"]) >> space & 1)
        left -= 0 if first or camped or space == 0 else 1
        if steps > 0 and left >= 0:
            for place in range(int(sheet.tables["degree"][space])):
                to = int(sheet.tables["road_to"][space, place]) - 1
                ways.append((to, left, steps - 1, False))
    return ends


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(20))
def test_the_plan_ends_on_the_best_space_within_reach(seed: int) -> None:
    """Against every way walked: quests of different worth, some camps to pass, few hearts."""
    draw = random.Random(seed)
    names = "abcdefgh"
    roads = ["t-a"]
    roads += [
        f"{draw.choice(('t', *names[:number]))}-{names[number]}" for number in range(1, len(names))
    ]
    for _ in range(3):
        one, other = draw.sample(names, 2)
        if f"{one}-{other}" not in roads and f"{other}-{one}" not in roads:
            roads.append(f"{one}-{other}")
    sheet = Sheet(" ".join(roads), end_trigger=EndTrigger.CAMPS)
    sheet.party(skill=3)
    values = draw.sample(range(1, 20), len(names))
    for name, value in zip(names, values, strict=True):
        space = sheet.space(name)
        sheet.state["tokens"] |= 1 << space
        sheet.tables["quest_need"][space] = 1
        sheet.tables["quest_reward"][space] = reward(journey=value)
    sheet.camps("".join(name for name in names if draw.random() < 0.4))
    sheet.state["tents"][0] = 0
    hearts, moves = draw.randint(0, 3), draw.randint(1, 4)
    start = draw.choice(names)
    sheet.stand(start, movement=moves, hearts=hearts)
    worth = dict(zip((sheet.space(name) for name in names), values, strict=True))
    ends = reachable(sheet, sheet.space(start), hearts, moves)
    best = max((space for space in ends if space in worth), key=lambda space: worth[space])
    prompt = sheet.at(Step.ASK_MOVE)
    balanced = resolve(GAME, "balanced")
    while prompt == Prompt.MOVE:
        prompt = sheet.choose(decide(balanced, sheet.state, sheet.tables, prompt))
    assert sheet.of("space") == best


@pytest.mark.parametrize("name", ["balanced", "team_balanced"])
def test_a_search_is_spared_where_the_town_is_better(name: str) -> None:
    """What the guess gives up for lost is seldom worth more, and that is a good part of it."""
    tables = make_tables(4, modules__coop=name != "balanced", stall__turn_cap=CAP)
    player = resolve(GAME, name)
    weights = player.weights.copy()
    spared = wrong = asked = 0
    for deal in range(3 if COMPILED else 1):
        session = Session(GAME, tables, seed=29, deal=deal)
        session.open()
        while not session.over:
            choice = decide(player, session.state, session.tables, session.prompt)
            if session.prompt == Prompt.TURN and 0 in session.legal and choice < Place.MAP:
                before = session.states.copy()
                me = session.seat
                memo = session.state["memo"][me]
                known = (session.state, session.tables, weights, memo, me)
                worth = adventure_worth(*known)
                for least in (2.0, 4.0, 6.0):
                    asked += 1
                    if not may_go_out(*known, least):
                        spared += 1
                        wrong += worth > least
                session.states[:] = before
            session.choose(choice)
    assert spared > 0.3 * asked
    assert wrong < 0.15 * spared


@pytest.mark.kernel
def test_a_plan_in_the_mine_is_followed_as_far_as_it_holds() -> None:
    """The way that was planned in the town is most often the one that would be planned anew."""
    balanced = resolve(GAME, "balanced")
    session = Session(GAME, tables_of("all modules", 120 if COMPILED else 30), seed=31)
    session.open()
    same = followed = anew = 0
    while not session.over:
        fresh = session.states.copy()
        fresh["memo"][0, session.seat, DIG_AT] = 0
        choice = decide(balanced, session.state, session.tables, session.prompt)
        if session.prompt == Prompt.MINE_MOVE:
            notes = session.state["memo"][session.seat]
            again = decide(balanced, fresh[0], session.tables, session.prompt)
            if (fresh["memo"][0, session.seat] == notes).all():
                anew += 1  # or the plan had no way behind it yet
                assert again == choice
            followed += 1
            same += again == choice
        session.choose(choice)
    assert followed > anew
    assert same >= 0.85 * followed


# --- situations -----------------------------------------------------------------------------------


def answer(sheet: Session, name: str = "balanced") -> int:
    """Return a strategy's answer to the open prompt; it is legal."""
    choice = decide(resolve(GAME, name), sheet.state, sheet.tables, sheet.prompt)
    assert choice in sheet.legal
    return choice


@pytest.mark.kernel
@pytest.mark.parametrize(("level", "face"), [(20, Face.CAUTION), (4, Face.FIGHT)])
def test_a_threat_is_fought_if_it_can_be_beaten(level: int, face: Face) -> None:
    sheet = Sheet("t-a!")
    sheet.party(combat=3, caution=1)
    sheet.threats(level)
    sheet.stand("t", movement=1, hearts=2)
    assert sheet.at(Step.ASK_MOVE) == Prompt.MOVE
    assert sheet.choose(Walk.ROAD) == Prompt.THREAT
    assert answer(sheet) == face


@pytest.mark.kernel
@pytest.mark.parametrize("better", [1, 2])
def test_the_way_through_a_quest_that_is_likelier_is_taken(better: int) -> None:
    sheet = Sheet("t-a")
    sheet.party(skill=3)
    space = sheet.space("a")
    sheet.state["tokens"] = 1 << space | 1
    sheet.tables["quest_reward"][space] = reward(journey=3)
    sheet.tables["quest_need"][space] = [4, 8] if better == 1 else [8, 4]
    sheet.stand("a", movement=0, hearts=0)
    assert sheet.at(Step.ASK_QUEST) == Prompt.QUEST
    assert answer(sheet) == better


@pytest.mark.kernel
def test_hearts_are_spent_where_they_win() -> None:
    sheet = Sheet("t-a!")
    sheet.party(combat=2)
    sheet.threats(8)
    sheet.stand("t", movement=1, hearts=4)
    sheet.at(Step.ASK_MOVE)
    sheet.luck(die=4)
    sheet.choose(Walk.ROAD)
    assert sheet.prompt == Prompt.AFTER_ROLL
    assert answer(sheet) == After.SPEND


@pytest.mark.kernel
def test_a_spell_is_used_where_hearts_do_not_do() -> None:
    sheet = Sheet("t-a!")
    sheet.party(combat=2)
    sheet.threats(8)
    sheet.spells(Spell.WIND_STORM)
    sheet.stand("t", movement=1, hearts=0)
    sheet.at(Step.ASK_MOVE)
    sheet.luck(die=4)
    sheet.choose(Walk.ROAD)
    if sheet.prompt == Prompt.THREAT:
        sheet.choose(Face.FIGHT)
    assert sheet.prompt == Prompt.AFTER_ROLL
    assert sheet.state["roll_kind"] == RollKind.THREAT
    assert answer(sheet) == After.SPELL + Spell.WIND_STORM


@pytest.mark.kernel
@pytest.mark.parametrize("name", NAMES[1:] if COMPILED else ("balanced",))
def test_a_camp_is_built_where_hearts_allow_it(name: str) -> None:
    sheet = Sheet("t-a a-b")
    sheet.party(search=2)
    sheet.stand("a", movement=0, hearts=3)
    assert sheet.at(Step.ASK_CAMP) == Prompt.CAMP
    assert answer(sheet, name) == 1


@pytest.mark.kernel
@pytest.mark.parametrize("name", NAMES[1:] if COMPILED else ("balanced",))
def test_an_artifact_that_can_be_paid_is_bought(name: str) -> None:
    sheet = Sheet("t-a", new_general_store=0)
    sheet.party(skill=1)
    sheet.tables["basic_cards"] = 1
    sheet.tables["artifact_points"][0] = 6
    sheet.tables["artifact_cost"][0, 1] = 2
    sheet.state["hand"][0] = 1
    sheet.give(coin=3)
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN
    assert answer(sheet, name) == Turn.BUY


@pytest.mark.kernel
def test_a_hopeless_artifact_is_discarded_in_the_town_hall() -> None:
    sheet = Sheet("t-a")
    sheet.party(skill=1)
    sheet.tables["basic_cards"] = 3
    sheet.tables["artifact_points"][:2] = [2, 6]
    sheet.tables["good_value"] = 2
    sheet.tables["artifact_cost"][:2, 2] = 9
    sheet.state["hand"][0] = 3
    sheet.state["ending"] = 1
    sheet.state["place"][0] = Place.FARM
    assert sheet.at(Step.ASK_HALL) == Prompt.TOWN_HALL
    assert answer(sheet) == Hall.DISCARD


@pytest.mark.kernel
def test_the_weaker_opponent_is_challenged() -> None:
    for weak in (1, 2):
        sheet = Sheet("t-a", players=3)
        for seat in range(3):
            sheet.party(seat, combat=1 if seat in (0, weak) else 5)
            sheet.state["place"][seat] = Place.FARM if seat > 0 else Place.SALOON
        assert sheet.at(Step.ASK_TURN) == Prompt.TURN
        assert sheet.choose(Place.FARM) == Prompt.DUEL
        assert answer(sheet) >> 1 == weak


@pytest.mark.kernel
def test_nobody_goes_to_a_building_only_to_be_beaten() -> None:
    sheet = Sheet("t-a", players=2)
    sheet.party(0, combat=0, skill=4)
    sheet.party(1, combat=9)
    sheet.state["place"][1] = Place.FARM
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN
    assert answer(sheet) != Place.FARM


@pytest.mark.kernel
def test_the_better_treasure_is_kept() -> None:
    sheet = Sheet("t-a$")
    sheet.party(skill=1)
    sheet.treasures(old=word(hearts=1), new=word(hearts=2, combat=1))
    sheet.state["birds"][0] = 1
    sheet.state["treasures"][0] = 1
    sheet.state["card_symbols"][0] = word(hearts=1)
    sheet.state["treasure_deck"] = 2
    sheet.stand("t", movement=1, hearts=2)
    assert sheet.at(Step.ASK_MOVE) == Prompt.MOVE
    assert sheet.choose(Walk.ROAD) == Prompt.TREASURE
    assert answer(sheet) == 1


@pytest.mark.kernel
def test_the_stronger_member_joins_a_full_party() -> None:
    sheet = Sheet("t-a")
    symbols = [word(skill=1), word(skill=1, hearts=1), word(hearts=2), word(combat=1, hearts=1)]
    symbols.append(word(skill=3, combat=2, hearts=2))
    for number, packed in enumerate(symbols):
        sheet.tables["member_symbols"][FIRST_COMPANION + number] = packed
    members = sum(1 << FIRST_COMPANION + number for number in range(5))
    sheet.state["members"][0] = members
    sheet.state["party"][0] = members & ~(1 << FIRST_COMPANION + 4)
    sheet.state["party_symbols"][0] = sum(symbols[:4])
    sheet.state["back"] = Step.DEPART
    assert sheet.at(Step.ASK_PARTY) == Prompt.PARTY
    assert answer(sheet) == 1 + FIRST_COMPANION + 4
    assert sheet.choose(1 + FIRST_COMPANION + 4) == Prompt.PARTY_OUT
    assert answer(sheet) == 1 + FIRST_COMPANION
