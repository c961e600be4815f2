"""The players of Dobbers: legal in whole games, blind to hidden cards, sensible at every prompt."""

from __future__ import annotations

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
from strategies.resolve import lineup, resolve
from tests.contract import Session, callable_rule
from tests.sim.dobbers.board import Board
from tests.sim.dobbers.contract import deck, discard, hand, make_tables
from tests.strategies.tables import decide, lineups_with, whole_games

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


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.kernel
@every_variant
def test_games_end_and_every_choice_is_legal(variant: str) -> None:
    tables = VARIANTS[variant](CAP)
    players = int(tables["players"][0])
    names = names_for(tables) if COMPILED else ("balanced",)
    for name in names:
        games, seats, _ = whole_games(GAME, [name] * players, tables, 24 if COMPILED else players)
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
        for names in lineups_with(names_for(tables), players):
            made = whole_games(GAME, names, tables, 6 * players, decisions=60_000 * players)[2]
            asked |= set(made[:, 2].tolist())
    assert asked == {int(prompt) for prompt in Prompt} - {Prompt.GAME_OVER}


@pytest.mark.kernel
@every_variant
def test_who_is_asked_nevertheless_plays_the_same(variant: str) -> None:
    """A trace asks in every prompt; it has to show the game that was played."""
    tables = VARIANTS[variant](CAP)
    players = int(tables["players"][0])
    names = names_for(tables) if COMPILED else ("balanced",)
    more = 0
    for name in names:
        sizes = (24 if COMPILED else players, 60_000 * players)
        played, asked = (
            whole_games(
                GAME, [name] * players, tables, sizes[0], decisions=sizes[1], asked=nevertheless
            )
            for nevertheless in (False, True)
        )
        for rows, others in zip(played[:2], asked[:2], strict=True):
            assert rows.tobytes() == others.tobytes(), name
        more += len(asked[2]) - len(played[2])
    assert more > 0


def test_one_balanced_against_three_random_wins_nearly_always() -> None:
    games, seats, _ = whole_games(GAME, ["balanced", *["random"] * 3], make_tables(4), 200)
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
    tried = [["balanced"] * players] if not COMPILED else lineups_with(names_for(tables), players)
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


# --- what each weight means -----------------------------------------------------------------------


def with_(**weights: float) -> str:
    """Return `balanced` with other weights, all far from where rounding would matter."""
    return "balanced" + "".join(f":{name}={value:g}" for name, value in weights.items())


def judged(board: Board, **weights: float) -> int:
    """Return what `balanced` with other weights chooses when it looks at the board anew."""
    board.state["memo"] = 0
    return answer(board, with_(**weights))


def nothing_to_buy(board: Board, influence: int) -> Board:
    """Give the active player influence alone, and lay nothing in the row but Silver."""
    board.lay_row(*["silver"] * 6)
    board.pool(influence=influence)
    board.refresh()
    if Main.PLAY_ALL in board.legal:
        board.choose(Main.PLAY_ALL)
    board.pool(influence=influence, red=0, blue=0, gold=0)
    board.refresh()
    return board


def facing(location: str, creature: str = "") -> Board:
    """Return a board where seat 0 stands before an unknown stack, three points away."""
    board = Board()
    board.stack(0, location, creature)
    board.stand(0, board.before(0), number=3)
    return board


@pytest.mark.kernel
def test_dare_and_impatience_say_when_an_unknown_stack_is_faced() -> None:
    board = facing("castle_walls")  # costs 5, so it is thought to have 3
    board.pool(red=6, blue=0, gold=1)
    board.refresh()
    assert judged(board, dare=0) == Main.TRAVEL
    assert judged(board, dare=1) == Main.TRAVEL
    assert judged(board, dare=1.5, impatience=0) != Main.TRAVEL
    for waited in range(4):  # a point more dared for each turn
        goes = answer(board, with_(dare=2.5, impatience=1)) == Main.TRAVEL
        assert goes == (waited >= 2)
        board.state["turn"] += 2


@pytest.mark.kernel
def test_what_a_point_is_worth_decides_what_is_bought() -> None:
    cards = {"influence": "open_purse", "red": "strength", "blue": "fleet_foot"}
    cards |= {"gold": "lucky_swing", "draw": "town_crier"}
    board = Board()
    board.lay_row(*cards.values(), "coffin_lid")
    board.pool(influence=6)
    board.refresh()
    others = {"red": 0.1, "blue": 0.1, "gold": 0.1, "draw": 0.1, "influence": 0.1}
    others |= {"gold_ahead": 0, "need": 0, "block": 0, "thrift": 0, "dilution": 0, "fade": 0}
    others |= {"equipment": 0, "churn": 0, "synergy": 0}
    for gain, card in cards.items():
        chosen = judged(board, **(others | {gain: 5}))
        assert board.row()[chosen - Main.BUY] == card, gain


@pytest.mark.kernel
def test_gold_is_worth_more_where_stacks_lie_ahead_and_where_points_lack() -> None:
    row = ("fleet_foot", "lucky_swing")  # 2 blue, 2 gold
    plain = {"blue": 1.5, "gold": 1, "gold_ahead": 0, "need": 0, "red": 0, "draw": 0}
    plain |= {"block": 0, "influence": 0, "equipment": 0, "synergy": 0, "churn": 0, "thrift": 0}

    def bought(board: Board, **weights: float) -> str:
        board.lay_row(*row)
        board.pool(influence=3)
        board.refresh()
        return board.row()[judged(board, **(plain | weights)) - Main.BUY]

    for weight, value in (("gold_ahead", 1), ("need", 0.5)):
        assert bought(Board(), **{weight: value}) == "fleet_foot"
        assert bought(facing("castle_walls", "tree_golem")) == "fleet_foot"
        board = facing("castle_walls", "tree_golem")
        assert bought(board, **{weight: value}) == "lucky_swing", weight
        board = facing("castle_walls", "tree_golem")
        board.stand(0, int(board.tables["encounter_square"][0]))  # behind it lies nothing
        assert bought(board, **{weight: value}) == "fleet_foot", weight


@pytest.mark.kernel
def test_thresholds_of_a_purchase() -> None:
    board = Board()
    board.stand(0, board.before(0))  # the end comes within the twenty turns of `fade` below
    board.lay_row("strength", *["silver"] * 5)
    board.pool(influence=2)
    board.refresh()
    plain = {"buy_at": 0, "thrift": 0, "block": 0, "churn": 0, "dilution": 0, "fade": 0}
    strength = Main.BUY
    assert judged(board, **plain) == strength
    assert judged(board, **(plain | {"buy_at": 20})) == Main.END
    assert judged(board, **(plain | {"thrift": 2, "red": 0.2, "gold": 0})) == Main.END
    assert judged(board, **(plain | {"dilution": 3, "influence": 5})) == Main.END
    assert judged(board, **(plain | {"fade": 20, "dilution": 3, "influence": 5})) == strength


@pytest.mark.kernel
def test_who_is_late_buys_for_the_sake_of_a_fresh_row() -> None:
    board = Board()
    board.lay_row(*["silver"] * 6)
    board.pool(influence=3)
    board.refresh()
    useless = {"influence": 0, "block": 0, "dilution": 0, "thrift": 0, "buy_at": 0.5, "grace": 4}
    assert judged(board, churn=1, **useless) == Main.END
    board.state["turn"] = 31  # sixteen turns without a step
    assert judged(board, churn=0, **useless) == Main.END
    assert judged(board, churn=1, **useless) >= Main.BUY
    assert judged(board, churn=1, **(useless | {"grace": 20})) < Main.BUY


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("alignment", "card"),
    [
        ("dobberton", "watchmans_vest"),
        ("wild", "bramble_coat"),
        ("rat_claw_clan", "rat_hide"),
        ("decay", "coffin_lid"),
    ],
)
def test_a_collector_prefers_its_own(alignment: str, card: str) -> None:
    board = Board()
    board.lay_row("watchmans_vest", "bramble_coat", "rat_hide", "coffin_lid", "silver", "silver")
    board.pool(influence=5)
    board.refresh()
    even = {"red": 0.5, "gold": 0.5, "blue": 0.1, "gold_ahead": 0, "need": 0, "influence": 0}
    even |= {"block": 0, "synergy": 0, "thrift": 0}
    chosen = judged(board, **even, **{alignment: 4})
    assert board.row()[chosen - Main.BUY] == card


@pytest.mark.kernel
def test_synergy_counts_a_bonus_as_often_as_its_alignment_is_in_play() -> None:
    plain = {"influence": 0, "block": 0, "thrift": 0, "churn": 0, "gold": 1, "synergy": 1}
    for worn, better, worse in (
        ("iron_bark", "hunting_spear", "ember"),  # of the Wild; both weapons 1 red, 1 gold with it
        ("merchants_coat", "ember", "hunting_spear"),  # of Dobberton, as Ember is
    ):
        board = Board()
        board.equip(0, worn)
        nothing_to_buy(board, influence=6)
        board.lay_row(worse, better)
        board.refresh()
        assert board.row()[judged(board, **plain) - Main.BUY] == better


def placed(board: Board, name: str, what: str, card: str) -> int | None:
    """Return the encounter where a strategy puts a card of the challenge row; None: not bought."""
    place = board.challenge_place(what, card)
    if answer(board, name) != place:
        return None
    board.choose(place)
    return answer(board, name) - 1


ONLY_BLOCK = {"buy_at": 0, "price": 0, "influence": 0, "red": 0, "blue": 0, "gold": 0}
ONLY_BLOCK |= {"draw": 0, "gold_ahead": 0, "need": 0, "height": 0, "chase": 0, "equipment": 0}


@pytest.mark.kernel
def test_stacks_are_for_others() -> None:
    """Behind oneself one is glad to build, before oneself only if it hinders others more."""

    def board_at(square: int) -> Board:
        board = Board()
        board.lay_challenge("location", "castle_walls")
        board.stand(0, square)
        return nothing_to_buy(board, influence=5)

    start = int(Board().tables["start_square"][0])
    ahead = board_at(Board().before(3))
    where = placed(ahead, with_(**ONLY_BLOCK, block=1, own_way=5), "location", "castle_walls")
    assert where in (0, 1, 2)
    level = board_at(start)
    assert judged(level, **ONLY_BLOCK, block=1, own_way=2) == Main.END
    assert judged(level, **ONLY_BLOCK, block=0, own_way=0) == Main.END
    walls = level.challenge_place("location", "castle_walls")
    assert judged(level, **ONLY_BLOCK, block=1, own_way=0.5) == walls
    assert judged(level, **(ONLY_BLOCK | {"price": 2}), block=1, own_way=0.5) == Main.END


@pytest.mark.kernel
def test_whoever_is_ahead_is_hindered_first() -> None:
    """`chase` makes a stack in the leader's way worth what it costs oneself."""
    board = Board(2)
    board.stand(0, int(board.tables["start_square"][0]))
    board.stand(1, board.before(5))  # one step from the key
    board.lay_challenge("location", "castle_walls")
    nothing_to_buy(board, influence=5)
    walls = board.challenge_place("location", "castle_walls")
    assert judged(board, **(ONLY_BLOCK | {"chase": 0}), block=1, own_way=1.5) == Main.END
    assert judged(board, **(ONLY_BLOCK | {"chase": 4}), block=1, own_way=1.5) == walls
    assert (
        placed(
            board,
            with_(**(ONLY_BLOCK | {"chase": 4}), block=1, own_way=1.5),
            "location",
            "castle_walls",
        )
        == 5
    )

    board = Board(2)  # the one behind is no threat
    board.stand(0, int(board.tables["encounter_square"][3]))
    board.lay_challenge("location", "castle_walls")
    nothing_to_buy(board, influence=5)
    walls = board.challenge_place("location", "castle_walls")
    assert judged(board, **(ONLY_BLOCK | {"chase": 0}), block=1, own_way=1.5) == walls
    assert judged(board, **(ONLY_BLOCK | {"chase": 4}), block=1, own_way=1.5) == Main.END


@pytest.mark.kernel
def test_a_creature_stops_the_first_and_hardly_those_who_follow() -> None:
    board = Board(3)
    board.stack(5, "castle_walls")
    board.stand(0, int(board.tables["start_square"][0]))
    board.stand(1, board.before(5))
    board.stand(2, board.before(5))
    board.lay_challenge("creature", "tree_golem")
    nothing_to_buy(board, influence=5)
    golem = board.challenge_place("creature", "tree_golem")
    hard = {"block": 0.5, "own_way": 1.5}  # 1 for the two ahead, 1.5 in one's own way
    assert judged(board, **ONLY_BLOCK, **hard, follow=1) == Main.END
    assert judged(board, **ONLY_BLOCK, **hard, follow=0.2) == golem


@pytest.mark.kernel
def test_equipment_is_laid_on_a_stack_others_meet() -> None:
    board = Board()
    board.stack(0, "castle_walls", "tree_golem")
    board.stand(0, board.before(3))
    board.equip(0, "silver_sword")
    board.hand(0, "rusty_cleaver")
    board.refresh()
    board.choose(Main.PLAY_ALL)
    board.pool(influence=0, red=0, blue=0)
    board.refresh()
    assert judged(board, block=1, lay=3) == Main.PLAY
    assert judged(board, block=1, lay=0) == Main.END


@pytest.mark.kernel
def test_burn_and_cull_at() -> None:
    board = Board()
    board.hand(0, "smash_and_grab")  # 1 gold; destroyed: 3 more
    board.refresh()
    board.choose(Main.PLAY_ALL)
    assert judged(board, burn=4, gold=1) == Main.DESTROY
    assert judged(board, burn=0, gold=1) != Main.DESTROY

    board = Board()
    board.hand(0, "cull")
    board.lay_discard(0, "bottle_cap")
    board.refresh()
    board.play("cull")
    assert board.prompt == Prompt.CULL
    assert judged(board, cull_at=3) == CULL_PILE
    assert judged(board, cull_at=0) == 0


# --- strategies have the style they are named for -------------------------------------------------


def means(names: list[str], fields: tuple[str, ...], games: int = 400) -> dict[str, Any]:
    """Return by strategy the means of fields of its rows, every deal in all rotations."""
    who = lineup(GAME, names)
    desk, tables = Desk(GAME, make_key(8)), make_tables(len(names))
    play_games = kernel_of(GAME).play
    rows = play_games(desk, 0, games, len(names), tables, who.deciders, who.record)[1]
    found = {}
    for slot, name in enumerate(names):
        mine = rows[rows["slot"] == slot]
        found[name] = {field: float(mine[field].mean()) for field in fields}
    return found


def test_runner_builds_no_stacks_and_blocker_the_most() -> None:
    names = ["balanced", "runner", "blocker", "economist"]
    built = means(names, ("placed",))
    assert built["runner"]["placed"] < 0.2
    assert built["blocker"]["placed"] > 1.2 * built["balanced"]["placed"]


def test_fighter_wins_more_of_its_challenges_than_runner() -> None:
    names = ["fighter", "runner", "balanced", "blocker"]
    rows = means(names, ("challenges", "victories"))
    share = {name: row["victories"] / row["challenges"] for name, row in rows.items()}
    assert share["fighter"] > share["runner"]


def test_economist_spends_more_and_destroys_more() -> None:
    rows = means(["economist", "balanced"], ("influence_spent", "destroyed"), 600)
    assert rows["economist"]["influence_spent"] > 1.05 * rows["balanced"]["influence_spent"]
    assert rows["economist"]["destroyed"] > rows["balanced"]["destroyed"]


@pytest.mark.parametrize("alignment", ["dobberton", "wild", "rat_claw_clan", "decay"])
def test_collectors_buy_their_alignment(alignment: str) -> None:
    """Kinds bought at least once in a game: more of the own alignment than `balanced` has."""
    who = lineup(GAME, [f"collector_{alignment}", "balanced", "balanced", "balanced"])
    desk = Desk(GAME, make_key(9))
    tables = make_tables(4)
    kernel_of(GAME).play(desk, 0, 400, 4, tables, who.deciders, who.record)
    bought = desk.backstage["bought"][0].sum(axis=0)[:, :, 0]  # slot, kind
    own = tables["alignment"][0] == 1 + list(COLLECTED).index(alignment)
    share = bought[:, own].sum(axis=1) / bought.sum(axis=1)
    assert share[0] > 1.3 * share[1:].max()


COLLECTED = ("dobberton", "wild", "rat_claw_clan", "decay")


def test_alone_the_fast_one_is_faster_and_the_safe_one_loses_fewer_challenges() -> None:
    tables = make_tables(1)
    turns, lost = {}, {}
    for name in ("solo_safe", "solo_fast"):
        games, seats, _ = whole_games(GAME, [name], tables, 600)
        assert (games["status"] == Status.WON).mean() > 0.99
        turns[name] = float(np.median(games["turns"]))
        lost[name] = float((seats["challenges"] - seats["victories"]).mean())
    assert turns["solo_fast"] <= turns["solo_safe"]
    assert lost["solo_fast"] > lost["solo_safe"]
