"""Teams of Near and Far: legal in whole games, gifts, bosses, minions, the clock and the end."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sim.game import load_game
from sim.jit import COMPILED
from sim.near_and_far.state import (
    GIFT_TREASURE,
    GIFTS,
    GOODS,
    Effect,
    Good,
    Place,
    Prompt,
    Status,
    Step,
    Turn,
)
from sim.rng import make_key
from strategies.near_and_far_team import hours_left, team_points
from strategies.near_and_far_team_gifts import in_purse, prices_of
from strategies.presets import presets_of
from strategies.resolve import resolve
from tests.contract import ROOT, Session, bits, callable_rule
from tests.sim.near_and_far.contract import make_tables
from tests.sim.near_and_far.sheet import Sheet, reward, word
from tests.sim.near_and_far.team import Team
from tests.sim.near_and_far.test_modules import NEEDS
from tests.strategies.tables import decide, lineups_with, whole_games

GAME = load_game("near_and_far")
TEAMS = ("team_random", "team_uncoordinated", "team_roles", "team_balanced")
TOGETHER = {"modules__coop": True, "modules__minions": True}
CAP = 240 if COMPILED else 12  # turns; plain Python is some hundred times slower

VARIANTS: dict[str, tuple[int, dict[str, Any]]] = {
    "all modules": (4, {}),
    "brutal": (3, {"switches__difficulty": "moon", "switches__scoring": "full"}),
    "the mine alone": (
        2,
        {
            **{f"modules__{name}": name == "amber_mines" for name in NEEDS},
            "modules__coop": True,
            "modules__minions": False,
            "modules__heart_total": False,
        },
    ),
    "bosses after threats": (
        3,
        {
            "switches__boss_fights": "after_threats",
            "switches__coop_duels": True,
            "switches__coop_at_least": True,
        },
    ),
    "election": (
        4,
        {"switches__map": "cloudy_valley", "switches__scenario": "snazra_election"},
    ),
    "railroad": (
        2,
        {
            "switches__map": "meteor_mountain",
            "switches__scenario": "ancient_railroad",
            "switches__hearts_before_roll": True,
            "switches__heart_cost": "leave",
        },
    ),
}
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def tables_of(variant: str, cap: int) -> np.ndarray:
    """Return the tables of a variant."""
    players, patches = VARIANTS[variant]
    return make_tables(players, **{**TOGETHER, **patches}, stall__turn_cap=cap)


def random_tables(seed: int, cap: int) -> np.ndarray:
    """Return the tables of a random legal combination of modules."""
    draw = random.Random(seed)
    on = {"amber_mines"}
    for module, needs in NEEDS.items():
        if on >= set(needs) and draw.random() < 0.5:
            on.add(module)
    patches: dict[str, Any] = {f"modules__{module}": module in on for module in NEEDS}
    for module in ("heart_total", "map_scarcity", "minions"):
        patches[f"modules__{module}"] = draw.random() < 0.5
    patches["modules__coop"] = True
    patches["switches__boss_fights"] = draw.choice(("space", "after_threats"))
    patches["switches__difficulty"] = draw.choice(("sun", "moon"))
    patches["switches__scoring"] = draw.choice(("stated", "full"))
    return make_tables(draw.choice((2, 3, 4)), **patches, stall__turn_cap=cap)


# --- whole games ----------------------------------------------------------------------------------


def test_the_teams_that_ship() -> None:
    presets = presets_of(GAME)
    assert {name for name in presets if name.startswith("team_")} == set(TEAMS)
    assert presets["team_random"].blunder == 1
    assert all(resolve(GAME, f"{name}:blunder=0.1").blunder == 0.1 for name in TEAMS)
    own = {weight.name: weight.value for weight in presets["team_roles"].weights}
    assert own["role"] > 1
    assert {w.name: w.value for w in presets["team_balanced"].weights}["role"] <= 1


@pytest.mark.kernel
@every_variant
def test_games_end_and_every_choice_is_legal(variant: str) -> None:
    tables = tables_of(variant, CAP)
    players = int(tables["players"][0])
    for name in TEAMS[1:] if COMPILED else ("team_balanced",):
        games, seats, _ = whole_games(GAME, [name] * players, tables, 12 if COMPILED else 1)
        assert (games["status"] != Status.ILLEGAL_CHOICE).all(), name
        if COMPILED:
            assert (games["status"] == Status.WON).all(), name
            assert (seats["win"] == 12 * games["team_won"][:, None]).all()


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(12 if COMPILED else 3))
def test_any_modules_that_the_mode_allows(seed: int) -> None:
    tables = random_tables(seed, CAP)
    players = int(tables["players"][0])
    names = [("team_roles", "team_balanced:blunder=0.2")[seat % 2] for seat in range(players)]
    games, _, _ = whole_games(GAME, names, tables, 20 if COMPILED else 1)
    assert (games["status"] != Status.ILLEGAL_CHOICE).all()


def test_these_games_ask_every_prompt_of_the_mode() -> None:
    """What the tests above show, they show for each prompt but the draft's and the base
    mine's (the mode needs the Amber Mines).
    """
    asked: set[int] = set()
    for variant in VARIANTS:
        tables = tables_of(variant, CAP)
        players = int(tables["players"][0])
        for names in lineups_with(TEAMS, players):
            made = whole_games(GAME, names, tables, 4 * players, decisions=40_000 * players)[2]
            asked |= set(made[:, 2].tolist())
    never = {Prompt.GAME_OVER, Prompt.DRAFT, Prompt.MINE_AREA}
    assert asked == {int(prompt) for prompt in Prompt} - {int(prompt) for prompt in never}


def digest() -> str:
    """Return a hash of two games of three teams' players, choice by choice."""
    tables = make_tables(3, **TOGETHER, stall__turn_cap=45)
    games, seats, made = whole_games(GAME, list(TEAMS[1:]), tables, 2, decisions=9_000)
    parts = (games.tobytes(), seats.tobytes(), made.tobytes())
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_plain_python_plays_the_same_games() -> None:
    """Choice by choice, in a process without the compiler."""
    code = "from tests.strategies import test_near_and_far_team as own; print(own.digest())"
    plain = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest()


def test_team_balanced_wins_more_than_a_team_that_ignores_each_other() -> None:
    tables = tables_of("all modules", CAP)
    won = {
        name: whole_games(GAME, [name] * 4, tables, 160)[0]["team_won"].sum()
        for name in ("team_balanced", "team_uncoordinated")
    }
    assert won["team_balanced"] > won["team_uncoordinated"] + 40


# --- what is seen ---------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("variant", ["all modules", "brutal"])
def test_what_is_hidden_changes_neither_choices_nor_notes(variant: str) -> None:
    """Everything a seat cannot know is dealt anew at its decisions."""
    tables = tables_of(variant, 60 if COMPILED else 5)
    players = int(tables["players"][0])
    strategies = [
        resolve(GAME, ("team_balanced", "team_roles")[seat % 2]) for seat in range(players)
    ]
    session = Session(GAME, tables, seed=23)
    session.open()
    changed = 0
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
            changed += bool((copy["hand"] != session.states["hand"]).any())
            copies.append(copy)
        answers = {
            decide(strategies[seat], copy[0], session.tables, session.prompt) for copy in copies
        }
        assert len(answers) == 1, Prompt(session.prompt)
        notes = {copy["memo"][0, seat].tobytes() for copy in copies}
        assert len(notes) == 1, Prompt(session.prompt)
        session.state["memo"][seat] = copies[0]["memo"][0, seat]
        session.choose(answers.pop())
    assert changed > 10


# --- the clock ------------------------------------------------------------------------------------


@pytest.mark.kernel
@every_variant
def test_points_counted_on_the_way_are_those_of_the_end(variant: str) -> None:
    tables = tables_of(variant, CAP)
    players = int(tables["players"][0])
    whims = random.Random(1)
    team = resolve(GAME, "team_balanced")
    session = Session(GAME, tables, seed=3)
    session.open()
    while not session.over:
        wild = whims.random() < 0.1
        choice = decide(team, session.state, session.tables, session.prompt)
        session.choose(whims.choice(session.legal) if wild else choice)
    talents = int(session.tables["storytelling_points"])
    assert talents == 0
    total = int(session.state["total"][:players].sum())
    assert session.call(team_points, "state tables") == total


def test_turns_left_are_counted_to_the_skull() -> None:
    sheet = team_sheet("t-a")
    for now, left in ((0, 2), (1, 1), (2, 0)):
        sheet.state["time_space"] = now
        assert sheet.call(hours_left, "state tables") == left


def test_what_is_kept_for_artifacts_counts_each_price() -> None:
    """The dearest card of each good, and the sum: all goods at once, as one by one."""
    sheet = team_sheet("t-a")
    whims = random.Random(2)
    for _ in range(20):
        costs = [[whims.choice((0, 0, 1, 2, 9)) for _ in range(GOODS)] for _ in range(4)]
        sheet.tables["artifact_cost"][:4] = costs
        sheet.state["hand"][1] = hand = whims.randrange(16)
        sheet.tables["forbid_artifacts"][1] = forbidden = whims.choice((0, 2))
        most, total = sheet.call(prices_of, "state tables me", 1)
        held = [costs[card] for card in bits(hand & ~forbidden)]
        for good in range(GOODS):
            prices = [cost[good] for cost in held]
            assert in_purse(most, good) == max(prices, default=0)
            assert in_purse(total, good) == sum(prices)


# --- situations -----------------------------------------------------------------------------------


def team_sheet(roads: str, players: int = 2, hours: int = 3, **numbers: Any) -> Team:
    """Draw a cooperative game by hand: the clock stands on its first number, 30."""
    return Team(roads, players, first=30, hours=hours, **numbers)


def answer(sheet: Session, name: str = "team_balanced") -> int:
    """Return a strategy's answer to the open prompt; it is legal."""
    choice = decide(resolve(GAME, name), sheet.state, sheet.tables, sheet.prompt)
    assert choice in sheet.legal
    return choice


def boss_prompt(
    *, level: int = 10, hearts: int = 3, tents: int = 8, points: int = 0, bosses: int = 1
) -> Sheet:
    """Return a game in which a figure with 3 combat has come to a boss."""
    sheet = team_sheet("t-a t-b", hours=20)
    sheet.party(combat=3, hearts=3)
    sheet.bosses(*(level, 12)[:bosses], spaces="ab"[:bosses])
    sheet.state["tents"][0] = tents
    sheet.state["running"][0] = points
    sheet.stand("a", movement=0, hearts=hearts)
    sheet.state["camped"] |= 1 << sheet.space("a")
    assert sheet.at(Step.ASK_MOVE) == Prompt.BOSS
    return sheet


@pytest.mark.kernel
def test_a_boss_is_fought_as_soon_as_it_can_be_beaten() -> None:
    """A lost fight costs nothing: any chance is enough, none is not."""
    assert answer(boss_prompt(level=12, hearts=3)) == 1  # a six does
    assert answer(boss_prompt(level=13, hearts=3)) == 0
    assert answer(boss_prompt(level=13, hearts=4)) == 1


@pytest.mark.kernel
def test_a_boss_is_left_alone_while_its_camp_would_end_a_game_not_won() -> None:
    assert answer(boss_prompt(tents=1, points=20)) == 0
    assert answer(boss_prompt(tents=1, points=80, bosses=2)) == 0
    assert answer(boss_prompt(tents=1, points=80)) == 1  # the last one: the game is won
    assert answer(boss_prompt(tents=2, points=20)) == 1


@pytest.mark.kernel
def test_a_move_ends_where_a_boss_can_be_beaten() -> None:
    for level, there in ((9, True), (30, False)):
        sheet = team_sheet("t-a t-b", hours=20)
        sheet.party(combat=4, hearts=4)
        for name, value in (("a", 0), ("b", 1)):
            space = sheet.space(name)
            sheet.state["tokens"] |= 1 << space
            sheet.tables["quest_need"][space] = 1
            sheet.tables["quest_reward"][space] = reward(journey=value)
        sheet.tables["distance"][:3, :3] = [[0, 1, 1], [1, 0, 2], [1, 2, 0]]
        sheet.bosses(level, spaces="a")
        sheet.stand("t", movement=1, hearts=4)
        prompt = sheet.at(Step.ASK_MOVE)
        while prompt == Prompt.MOVE:
            prompt = sheet.choose(answer(sheet))
        assert (sheet.of("space") == sheet.space("a")) == there


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("points", "bosses", "camp"), [(0, 0, 0), (80, 0, 1), (80, 1, 0), (56, 0, 0), (59, 0, 1)]
)
def test_the_last_camp_waits_until_the_game_is_won(points: int, bosses: int, camp: int) -> None:
    """Two players need more than 60; the last camp brings three points."""
    sheet = team_sheet("t-a a-b", hours=20)
    sheet.party(search=2)
    if bosses:
        sheet.bosses(20, spaces="b")
    sheet.state["tents"][:2] = (1, 5)
    sheet.state["running"][0] = points
    sheet.state["first_seat"] = 1  # seat 0 is the last of the round
    sheet.stand("a", movement=0, hearts=3)
    assert sheet.at(Step.ASK_CAMP) == Prompt.CAMP
    assert answer(sheet) == camp


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("tents", "points", "there"), [(1, 20, False), (2, 20, True), (1, 58, True)]
)
def test_a_threat_is_left_alone_while_its_camp_would_end_a_game_not_won(
    tents: int, points: int, there: bool
) -> None:
    """Unless its points are all that is lacking."""
    sheet = team_sheet("t-a!", hours=20)
    sheet.party(combat=9, hearts=3)
    sheet.threats(4, 12)
    sheet.state["tents"][0] = tents
    sheet.state["running"][0] = points
    sheet.stand("t", movement=2, hearts=3)
    assert sheet.at(Step.ASK_MOVE) == Prompt.MOVE
    assert (answer(sheet) != 0) == there


@pytest.mark.kernel
def test_a_camp_that_is_not_the_last_is_built() -> None:
    sheet = team_sheet("t-a a-b", hours=20)
    sheet.party(search=2)
    sheet.state["tents"][0] = 4
    sheet.stand("a", movement=0, hearts=3)
    assert sheet.at(Step.ASK_CAMP) == Prompt.CAMP
    assert answer(sheet) == 1


# --- gifts ----------------------------------------------------------------------------------------


def goods_of(sheet: Session) -> list[int]:
    """Return how much of each good there is, and birds and treasures."""
    players = int(sheet.state["players"])
    total = [int(sheet.state["goods"][:players, good].sum()) for good in range(GOODS)]
    treasures = sum(int(word).bit_count() for word in sheet.state["treasures"][:players])
    return [*total, int(sheet.state["birds"][:players].sum()), treasures]


def gifts_of(sheet: Sheet, name: str = "team_balanced") -> list[tuple[int, int]]:
    """Let the first seat give what it wants to; return what it gave: mate, what."""
    given: list[tuple[int, int]] = []
    assert sheet.prompt == Prompt.TURN
    while sheet.prompt == Prompt.TURN and answer(sheet, name) == Turn.GIVE:
        sheet.choose(Turn.GIVE)
        while sheet.prompt == Prompt.GIVE:
            before = goods_of(sheet)
            choice = answer(sheet, name)
            if choice:
                given.append(divmod(choice - 1, GIFTS))
            sheet.choose(choice)
            assert goods_of(sheet) == before
            assert len(given) < 30
    return given


def giving(players: int = 3, **numbers: Any) -> Sheet:
    """Return a game in town in which everybody has three birds: nobody lacks food."""
    sheet = team_sheet("t-a", players=players, hours=20, **numbers)
    for seat in range(players):
        sheet.party(seat, skill=1, hearts=2)
        sheet.state["birds"][seat] = 3
        sheet.give(seat, food=1)
    return sheet


@pytest.mark.kernel
def test_food_goes_to_whoever_lacks_it_for_the_mine() -> None:
    sheet = giving()
    sheet.state["birds"][2] = 0
    sheet.give(0, food=6)
    sheet.at(Step.ASK_TURN)
    given = gifts_of(sheet)
    assert given
    assert set(given) == {(1, Good.FOOD)}
    assert sheet.good("food", 2) <= 5
    assert sheet.good("food", 0) >= 1


@pytest.mark.kernel
def test_nobody_gives_what_an_artifact_in_hand_costs() -> None:
    for cost, expected in ((6, 0), (1, 1)):
        sheet = giving(players=2)
        sheet.give(0, coin=6, food=1)
        sheet.tables["basic_cards"] = 3
        sheet.tables["artifact_points"][:2] = 6
        sheet.tables["artifact_cost"][0, Good.COIN] = cost
        sheet.tables["artifact_cost"][0, Good.GEM] = 2  # so that it cannot be bought at once
        sheet.state["hand"][0] = 1
        sheet.state["hand"][1] = 2
        sheet.at(Step.ASK_TURN)
        given = gifts_of(sheet)
        assert len([what for _, what in given if what == Good.COIN]) >= expected
        assert sheet.good("coin") >= cost


@pytest.mark.kernel
def test_a_treasure_completes_the_set_of_a_mate() -> None:
    sheet = giving(players=2)
    sheet.treasures(one=word(skill=1), two=word(skill=1), three=word(skill=1))
    sheet.state["treasures"][:2] = (1, 6)
    sheet.state["birds"][:2] = (1, 3)
    for seat, symbols in ((0, word(skill=1)), (1, word(skill=2))):
        sheet.state["card_symbols"][seat] = symbols
    sheet.at(Step.ASK_TURN)
    assert (0, GIFT_TREASURE) in gifts_of(sheet)
    assert sheet.of("treasures", 1) == 7


@pytest.mark.kernel
def test_a_set_is_not_broken() -> None:
    sheet = giving(players=2)
    sheet.treasures(one=word(skill=1), two=word(skill=1), three=word(skill=1))
    sheet.state["treasures"][:2] = (7, 0)
    sheet.state["card_symbols"][0] = word(skill=3)
    sheet.at(Step.ASK_TURN)
    assert all(what < GIFT_TREASURE for _, what in gifts_of(sheet))


@pytest.mark.kernel
def test_who_plays_alone_gives_nothing() -> None:
    sheet = giving()
    sheet.state["birds"][2] = 0
    sheet.give(0, food=6)
    sheet.at(Step.ASK_TURN)
    assert gifts_of(sheet, "team_uncoordinated") == []


@pytest.mark.kernel
def test_coins_go_to_the_banker() -> None:
    """With three players the banker sits last."""
    sheet = giving()
    for seat in range(3):
        sheet.give(seat, coin=5)
        sheet.state["hand"][seat] = 1 << seat
    sheet.tables["basic_cards"] = 7
    sheet.at(Step.ASK_TURN)
    given = gifts_of(sheet, "team_roles")
    assert given
    assert {mate for mate, what in given if what == Good.COIN} == {1}


def test_whole_games_have_gifts_that_do_not_come_back_at_once() -> None:
    """A thing that somebody gives is seldom given back in the receiver's next turn."""
    tables = tables_of("all modules", CAP)
    team = resolve(GAME, "team_balanced")
    session = Session(GAME, tables, seed=8)
    session.open()
    given = returned = 0
    last: dict[tuple[int, int, int], int] = {}  # giver, receiver, what: turn
    while not session.over:
        choice = decide(team, session.state, session.tables, session.prompt)
        before = goods_of(session)
        gift = session.prompt == Prompt.GIVE and choice > 0
        if gift:
            mate, what = divmod(choice - 1, GIFTS)
            me, turn = session.seat, int(session.state["turn"])
            other = (me + mate + 1) % 4
            given += 1
            returned += turn - last.get((other, me, what), -99) < 4
            last[me, other, what] = turn
        session.choose(choice)
        if gift:
            assert goods_of(session) == before
    assert given > 5
    assert returned <= given // 10


# --- minions --------------------------------------------------------------------------------------


def minion_prompt(*, skill: int, need: tuple[int, int], hearts: int = 0) -> Sheet:
    """Return a game in which the visitor of the Farm meets a minion there."""
    sheet = team_sheet("t-a", hours=20)
    sheet.party(skill=skill, hearts=3)
    sheet.minion(0, Effect.LOSE_FOOD, skill=need[0], swords=need[1], journey=0)  # no reward
    sheet.state["hearts"][0] = hearts
    sheet.state["place"][0] = Place.SALOON
    assert sheet.at(Step.ASK_TURN) == Prompt.TURN
    assert sheet.choose(Place.FARM) == Prompt.MINION
    return sheet


@pytest.mark.kernel
def test_a_minion_is_fought_if_it_can_be_beaten() -> None:
    assert answer(minion_prompt(skill=5, need=(6, 9))) == 1  # any die, with skill
    assert answer(minion_prompt(skill=1, need=(9, 9))) == 0
    assert answer(minion_prompt(skill=0, need=(9, 1))) == 2  # with swords
    assert answer(minion_prompt(skill=1, need=(7, 9), hearts=5)) == 1


@pytest.mark.kernel
def test_the_camp_with_least_amber_is_removed() -> None:
    sheet = team_sheet("t-a", hours=20)
    sheet.party(skill=1)
    sheet.mine_card(1, amber=3)
    sheet.mine_card(2, amber=0)
    sheet.mine_card(3, amber=2)
    for card, camp in ((1, 0), (2, 1), (3, 0)):
        sheet.lay(card, 0, card, camp=camp)
    sheet.minion(0, Effect.REMOVE_CAMP, Place.MINE)
    sheet.state["minions_due"] = 1
    assert sheet.at(Step.DUE) == Prompt.REMOVE_CAMP
    assert answer(sheet) == 1 + 2
    assert answer(sheet, "team_uncoordinated") == 1 + 2


@pytest.mark.kernel
def test_a_minion_is_worth_more_the_longer_it_would_stay() -> None:
    """A doubtful fight is taken early and not on the last turn."""
    early = minion_prompt(skill=1, need=(5, 9))
    late = minion_prompt(skill=1, need=(5, 9))
    late.state["time_space"] = 19
    assert (answer(early), answer(late)) == (1, 0)


@pytest.mark.kernel
def test_nobody_goes_to_a_boss_that_a_mate_is_nearer_to() -> None:
    """Two steps away it is worth coming near, but not behind a strong mate."""
    for near, strength, steps in ((True, 9, 0), (True, 0, 1), (False, 9, 1)):
        sheet = team_sheet("t-a a-b b-c", hours=20)
        sheet.party(0, combat=6, hearts=6)
        sheet.party(1, combat=strength, hearts=2)
        distance = [[abs(one - other) for other in range(4)] for one in range(4)]
        sheet.tables["distance"][:4, :4] = distance
        sheet.bosses(10, spaces="c")
        sheet.stand("t", movement=2, hearts=6)
        sheet.state["camped"] = 14
        if near:
            sheet.stand("b", movement=2, hearts=2, seat=1)
        team = resolve(GAME, "team_balanced:approach=1")
        sheet.at(Step.ASK_MOVE)
        moved = decide(team, sheet.state, sheet.tables, sheet.prompt) != 0
        assert moved == bool(steps)
