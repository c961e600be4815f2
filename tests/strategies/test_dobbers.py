"""The players of Dobbers: legal in whole games, blind to hidden cards, sensible at every prompt."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.dobbers.state import CULL_PILE, FIRST_ADVENTURE, Main, Prompt, Status
from sim.game import load_game
from sim.jit import COMPILED
from sim.kernel import Desk, kernel_of
from sim.rng import make_key
from strategies.presets import presets_of
from strategies.resolve import Strategy, lineup, resolve
from tests.contract import Session, callable_rule
from tests.sim.dobbers.board import Board
from tests.sim.dobbers.contract import deck, discard, hand, make_tables

GAME = load_game("dobbers")
ALONE = ("random", "balanced", "runner", "economist", "solo_safe", "solo_fast")
TOGETHER = tuple(name for name in presets_of(GAME) if not name.startswith("solo"))
CAP = 240 if COMPILED else 6  # turns; plain Python is some hundred times slower

VARIANTS: dict[str, Callable[[int], np.ndarray]] = {
    "four": lambda cap: make_tables(4, stall__turn_cap=cap),
    "three": lambda cap: make_tables(3, stall__turn_cap=cap),
    "two": lambda cap: make_tables(2, stall__turn_cap=cap),
    "two, A": lambda cap: make_tables(2, switches__two_player_a=True, stall__turn_cap=cap),
    "two, B": lambda cap: make_tables(2, switches__two_player_b=True, stall__turn_cap=cap),
    "duel": lambda cap: make_tables(4, switches__duel=True, stall__turn_cap=cap),
    "events": lambda cap: make_tables(3, switches__events=True, stall__turn_cap=cap),
    "solo": lambda cap: make_tables(1, stall__turn_cap=cap),
    "solo by cost": lambda cap: make_tables(1, solo__removal="cost", stall__turn_cap=cap),
}
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def names_for(tables: np.ndarray) -> tuple[str, ...]:
    """Return the strategies that play at a table of this size."""
    return ALONE if int(tables["players"][0]) == 1 else TOGETHER


def tables_of(names: tuple[str, ...], players: int) -> list[list[str]]:
    """Return lineups in which every name sits at least once."""
    around = itertools.cycle(names)
    return [[next(around) for _ in range(players)] for _ in range(-(-len(names) // players))]


def play(
    names: list[str], tables: np.ndarray, games: int, *, decisions: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games; return the rows of games and seats, and the transcript."""
    who = lineup(GAME, names)
    desk = Desk(GAME, make_key(4))
    made = np.zeros((decisions, 5), np.int64)
    rows = kernel_of(GAME).play(desk, 0, games, len(names), tables, who.deciders, who.record, made)
    return *rows, made[: int(desk.backstage["recorded"][0])]


def decide(strategy: Strategy, state: Any, tables: Any, prompt: int) -> int:
    """Return what a strategy answers."""
    return int(strategy.decider(state, tables, prompt, strategy.weights.copy()))


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.kernel
@every_variant
def test_games_end_and_every_choice_is_legal(variant: str) -> None:
    tables = VARIANTS[variant](CAP)
    players = int(tables["players"][0])
    names = names_for(tables) if COMPILED else ("balanced",)
    for name in names:
        games, seats, _ = play([name] * players, tables, 24 if COMPILED else players)
        assert (games["status"] != Status.ILLEGAL_CHOICE).all(), name
        won = games["status"] == Status.WON
        assert (seats["win"].sum(axis=1)[won] == 12).all()
        if COMPILED and name == "balanced":
            assert won.mean() > 0.8


def test_these_games_ask_every_prompt() -> None:
    """What the test above shows, it shows for each prompt."""
    asked: set[int] = set()
    for make in VARIANTS.values():
        tables = make(CAP)
        players = int(tables["players"][0])
        for names in tables_of(names_for(tables), players):
            made = play(names, tables, 6 * players, decisions=60_000 * players)[2]
            asked |= set(made[:, 2].tolist())
    assert asked == {int(prompt) for prompt in Prompt} - {Prompt.GAME_OVER}


def test_one_balanced_against_three_random_wins_nearly_always() -> None:
    games, seats, _ = play(["balanced", *["random"] * 3], make_tables(4), 200)
    mine = (seats["win"] * (seats["slot"] == 0)).sum() / 12
    assert mine > 190
    assert (games["status"] == Status.WON).sum() > 190


# --- what a seat cannot know ----------------------------------------------------------------------


def turned(states: np.ndarray, seat: int) -> np.ndarray:
    """Return a copy with all decks listed the other way round; the lists mean no order."""
    copy: np.ndarray = states.copy()
    state = copy[0]
    for other in range(int(state["players"])):
        link = 0
        for card in deck(states[0], other):
            state["next"][card] = link
            link = card + 1
        state["deck"][other] = link
    for what in ("location", "creature"):
        size = int(state[f"{what}_deck_size"])
        state[f"{what}_deck"][:size] = state[f"{what}_deck"][:size][::-1].copy()
    return copy


@pytest.mark.kernel
@every_variant
def test_what_is_hidden_changes_neither_choices_nor_notes(variant: str) -> None:
    """Everything a seat cannot know is dealt anew at its decisions; so is the order of decks."""
    tables = VARIANTS[variant](80 if COMPILED else 4)
    players = int(tables["players"][0])
    tried = [["balanced"] * players] if not COMPILED else tables_of(names_for(tables), players)
    changed = 0
    for deal, names in enumerate(tried):
        strategies = [resolve(GAME, name) for name in names]
        whims = random.Random(deal)
        session = Session(GAME, tables, seed=17, deal=deal)
        session.open()
        while not session.over:
            seat = session.seat
            copies = [session.states.copy(), turned(session.states, seat)]
            for k in range(2):
                copy = session.states.copy()
                luck = session.backstages.copy()
                luck["key"] = make_key(999)
                callable_rule(GAME, GAME.hide, "state tables backstage seat k")(
                    copy[0], session.tables, luck[0], seat, k
                )
                changed += any(
                    (copy[field] != session.states[field]).any()
                    for field in ("hand", "location", "creature", "gear", "location_row")
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
    session = Session(GAME, make_tables(4, stall__turn_cap=30 if COMPILED else 4), seed=5)
    balanced = resolve(GAME, "balanced")
    session.open()
    while not session.over:
        before = session.states.copy()
        choice = decide(balanced, session.state, session.tables, session.prompt)
        before["memo"][0, session.seat] = session.states["memo"][0, session.seat]
        assert before.tobytes() == session.states.tobytes()
        session.choose(choice)


# --- situations -----------------------------------------------------------------------------------

COMPETENT = ("balanced", "runner", "fighter", "blocker")
everyone = pytest.mark.parametrize("name", COMPETENT if COMPILED else ("balanced",))


def answer(board: Board, name: str = "balanced") -> int:
    """Return a strategy's answer to the open prompt; it is legal."""
    choice = decide(resolve(GAME, name), board.state, board.tables, board.prompt)
    assert choice in board.legal
    return choice


def asked(board: Board, name: str, prompt: Prompt, legal: list[int], **fields: int) -> int:
    """Return a strategy's answer to a prompt opened by hand."""
    copy = board.states.copy()
    for field, value in fields.items():
        copy[field] = value
    copy["prompt"] = prompt
    copy["legal"] = sum(1 << choice for choice in legal)
    choice = decide(resolve(GAME, name), copy[0], board.tables, prompt)
    assert choice in legal
    return choice


@pytest.mark.kernel
@everyone
def test_a_bottle_cap_is_destroyed_early(name: str) -> None:
    board = Board()
    board.hand(0, "cull", "silver")
    board.lay_discard(0, "silver", "bottle_cap", "silver")
    board.refresh()
    board.play("cull")
    assert board.prompt == Prompt.CULL
    assert board.legal[-1] == CULL_PILE + 2
    assert answer(board, name) == CULL_PILE + 1


@pytest.mark.kernel
@everyone
def test_the_best_equipment_is_bought(name: str) -> None:
    board = Board()
    board.lay_row("rat_hide", "antler_club", "silver_sword", "rope_ladder", "coffin_lid")
    board.pool(influence=8)
    board.refresh()
    assert answer(board, name) == Main.BUY + board.row().index("silver_sword")


@pytest.mark.kernel
@everyone
def test_better_equipment_is_put_on_and_worse_is_not(name: str) -> None:
    board = Board()
    board.equip(0, "wooden_knife")
    board.hand(0, "silver_sword")
    board.refresh()
    assert answer(board, name) == Main.PLAY
    board.choose(Main.PLAY)
    if board.prompt == Prompt.PUT:
        assert answer(board, name) == 0

    board = Board()
    board.equip(0, "silver_sword")
    board.hand(0, "wooden_knife")
    board.refresh()
    assert answer(board, name) != Main.PLAY


@pytest.mark.kernel
@everyone
def test_a_known_stack_is_faced_only_when_it_can_be_beaten(name: str) -> None:
    board = Board()
    board.stack(0, "castle_walls", "tree_golem")
    board.state["known_locations"] |= 1 << board.number("location", "castle_walls")
    board.state["known_creatures"] |= 1 << board.number("creature", "tree_golem")
    board.stand(0, board.before(0), number=3)
    board.pool(red=8, blue=0, gold=0)  # 3 to get there, 5 against 7
    board.refresh()
    assert board.can_go()
    assert answer(board, name) != Main.TRAVEL
    board.pool(red=10)
    assert answer(board, name) == Main.TRAVEL
    board.pool(red=8, blue=2)
    assert answer(board, name) == Main.TRAVEL


@pytest.mark.kernel
@everyone
def test_a_token_is_used_for_the_step_it_makes_possible(name: str) -> None:
    board = Board()
    board.stand(0, int(board.tables["start_square"][0]), number=3)
    board.token(0, "vigor")
    vigor = Main.TOKEN + board.number("token", "vigor")
    board.pool(blue=2, red=0, gold=0)
    board.refresh()
    assert answer(board, name) == vigor
    board.choose(vigor)
    assert answer(board, name) == Main.TRAVEL

    board = Board()
    board.stand(0, int(board.tables["start_square"][0]), number=3)
    board.token(0, "vigor")
    board.pool(blue=1, red=0, gold=0)
    board.refresh()
    assert answer(board, name) != vigor


@pytest.mark.kernel
@everyone
@pytest.mark.parametrize("gold", [1, 2, 3])
def test_a_token_is_used_in_a_fight_when_it_turns_it(name: str, gold: int) -> None:
    board = Board()
    board.stack(0, "castle_walls")
    board.stand(0, board.before(0), number=3)
    board.token(0, "vigor")
    vigor = Main.TOKEN + board.number("token", "vigor")
    board.pool(blue=3, red=0, gold=gold)
    board.refresh()
    board.go()
    assert board.prompt == Prompt.FIGHT
    assert vigor in board.legal
    assert answer(board, name) == (vigor if gold == 2 else 0)  # 3 are needed


@pytest.mark.kernel
@everyone
def test_a_stack_is_built_behind_oneself(name: str) -> None:
    board = Board()
    board.lay_challenge("location", "castle_walls")
    board.stand(0, board.before(3))
    board.pool(influence=5)
    board.refresh()
    board.main(board.challenge_place("location", "castle_walls"))
    assert board.prompt == Prompt.PLACE
    assert board.legal == [1 + encounter for encounter in range(6)]
    square = int(board.tables["encounter_square"][answer(board, name) - 1])
    distance = board.tables["distance"]
    assert distance[square] >= distance[board.state["square"][0]]


@pytest.mark.kernel
@everyone
def test_the_best_card_comes_back_and_the_worst_goes(name: str) -> None:
    board = Board()
    board.lay_discard(0, "bottle_cap", "silver", "bottle_cap")
    assert board.named(discard(board.state, 0)[1]) == "silver"
    assert asked(board, name, Prompt.RECOVER, [1, 2, 3]) == 2
    board.hand(0, "silver", "bottle_cap", "outwit")
    assert asked(board, name, Prompt.DISCARD, [1, 2]) == 2
    assert asked(board, name, Prompt.DISCARD, [0, 1, 2]) == 0
    board.equip(0, "silver_sword", "rat_hide")
    assert asked(board, name, Prompt.LOSE_EQUIPMENT, [1, 2]) == 2


@pytest.mark.kernel
@everyone
def test_captured_equipment_is_kept_when_it_is_better(name: str) -> None:
    for own, captured, taken in (
        ("wooden_knife", "silver_sword", True),
        ("silver_sword", "ledger_knife", False),
    ):
        board = Board()
        board.stack(1, "castle_walls", "tree_golem", captured)
        board.equip(0, own)
        kept = asked(board, name, Prompt.SPOILS, [0, 1, 2], place=1 << 2)
        assert (kept != 0) == taken


@pytest.mark.kernel
def test_a_bought_sword_is_outwitted_and_equipment_given_away_is_weak() -> None:
    board = Board()
    sword = board.find("silver_sword")
    assert sword >= FIRST_ADVENTURE
    assert asked(board, "balanced", Prompt.OUTWIT, [0, 1], card=sword) == 1
    board.lay_row("silver_sword", "moss_boots", "war_flail")
    assert asked(board, "balanced", Prompt.ROW_EQUIPMENT, [1, 2, 3]) == 2


@pytest.mark.kernel
def test_what_can_be_played_is_played_before_the_turn_ends() -> None:
    board = Board()
    board.hand(0, "bottle_cap", "bottle_cap")
    board.equip(0, "wooden_knife")
    board.refresh()
    assert answer(board) == Main.PLAY_ALL
    board.choose(Main.PLAY_ALL)
    assert board.points()[0] == 2 + int(board.tables["hero_gain"][board.state["hero"][0] - 1, 0])
    assert hand(board.state, 0) == []
