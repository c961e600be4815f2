"""Setting up, the variants for two and for one, the duel, events: DB-T15, T16, T26 to T31."""

from typing import Any

import numpy as np
import pytest

from sim.dobbers.duel import duel_points
from sim.dobbers.hidden import hide
from sim.dobbers.state import FIRST_EVENT, FIRST_SOLO, Main, Prompt, Step
from sim.game import load_game
from sim.rng import make_key
from tests.contract import Session, callable_rule
from tests.sim.dobbers.board import Board, name_of
from tests.sim.dobbers.contract import deck, hand, invariants, make_tables, whereabouts
from tests.sim.dobbers.players import runner

pytestmark = pytest.mark.kernel


def opened(players: int, deal: int = 0, **patches: object) -> Session:
    """Return a game at the first decision of its first turn."""
    session = Session(load_game("dobbers"), make_tables(players, **patches), deal=deal)
    session.open()
    while session.prompt in (Prompt.HERO, Prompt.START):
        session.choose(session.legal[0])
    return session


def played(session: Session) -> Session:
    """Let the runner play a game to its end."""
    while not session.over:
        session.choose(int(runner(session.state, session.tables, session.prompt, None)))
    return session


@pytest.mark.parametrize(
    ("players", "sizes"), [(1, [5]), (2, [3, 5]), (3, [3, 4, 5]), (4, [3, 4, 5, 5])]
)
def test_opening_hands(players: int, sizes: list[int]) -> None:
    """DB-T15; D-32 for one."""
    session = Session(load_game("dobbers"), make_tables(players))
    session.open()
    while session.prompt in (Prompt.HERO, Prompt.START):
        assert not session.state["hand_size"].any()
        # heroes without a card of their own, so that the first turn does not draw
        quiet = [c for c in session.legal if session.prompt == Prompt.START or c < 3]
        session.choose(quiet[0] if quiet else session.legal[0])
    drawn = session.state["hand_size"][:players].tolist()
    ability = session.tables["hero_gain"][session.state["hero"][0] - 1, 4]
    assert drawn == [sizes[0] + ability, *sizes[1:]]


def test_the_first_player_may_be_drawn() -> None:
    """Whoever starts draws the fewest cards."""
    starts = set()
    for deal in range(12):
        session = opened(3, deal, switches__start_order="random")
        first = int(session.state["first_seat"])
        starts.add(first)
        assert session.state["active"] == first
        assert len(hand(session.state, (first + 1) % 3)) == 4
    assert starts == {0, 1, 2}


def test_rows() -> None:
    """DB-T16: 3 locations, 3 creatures, 6 adventure cards."""
    state = opened(4).state
    assert np.count_nonzero(state["location_row"]) == 3
    assert np.count_nonzero(state["creature_row"]) == 3
    assert np.count_nonzero(state["row"]) == 6
    assert not state["location"].any()


def test_heroes_and_starts_are_different() -> None:
    """Setup 1 and 2; the order of picking is drawn."""
    orders = set()
    for deal in range(8):
        session = Session(load_game("dobbers"), make_tables(4), deal=deal)
        session.open()
        order = []
        while session.prompt in (Prompt.HERO, Prompt.START):
            if session.prompt == Prompt.HERO:
                order.append(session.seat)
            session.choose(session.legal[-1])
        assert len(set(session.state["hero"].tolist())) == 4
        assert len(set(session.state["square"].tolist())) == 4
        orders.add(tuple(order))
    assert len(orders) > 4


def test_starting_decks() -> None:
    """Setup 3: 8 Bottle Caps, a Traveling Kit, a Wooden Knife."""
    board = Board()
    for seat in range(2):
        assert sorted(board.deck(seat)) == ["bottle_cap"] * 8 + ["traveling_kit", "wooden_knife"]


def test_a_silver_for_a_cap() -> None:
    """DB-T31: variant B for two: 7 caps, 1 Silver, 1 Kit, 1 Knife."""
    board = Board(switches__two_player_b=True)
    for seat in range(2):
        cards = ["bottle_cap"] * 7 + ["silver", "traveling_kit", "wooden_knife"]
        assert sorted(board.deck(seat)) == cards
    everywhere = [board.named(card) for card in whereabouts(board.state, board.tables)]
    assert everywhere.count("silver") == 10


def test_locations_at_the_start() -> None:
    """2 Player Rule Variants A: encounters 1 to 4 have a location (D-31)."""
    state = opened(2, switches__two_player_a=True).state
    assert (state["location"][:6] != 0).tolist() == [True] * 4 + [False] * 2
    assert np.count_nonzero(state["location_row"]) == 3
    assert state["known_locations"] == 0
    for players in (3, 4):
        assert not opened(players, switches__two_player_a=True).state["location"].any()


# --- solo -----------------------------------------------------------------------------------------


def test_solo_set_up() -> None:
    """DB-T28: 24 = 6 + 18 cards; a location on each square, six creatures; 126 cards to draw."""
    session = opened(1)
    state, tables = session.state, session.tables
    assert tables["add_locations"] + tables["solo_cards"] == 24
    assert (state["location"][:6] != 0).all()
    assert np.count_nonzero(state["creature_row"]) == 6
    assert not state["location_row"].any()
    assert np.count_nonzero(state["row"]) == 6
    assert state["adventure_size"] + state["solo_left"] == 126


def test_the_sixth_card_names_the_start() -> None:
    """5.1, step 2: the start square follows from the deal alone."""
    starts = {int(opened(1, deal).state["square"][0]) for deal in range(20)}
    assert len(starts) > 1
    assert starts <= set(make_tables(1)[0]["start_square"].tolist())


def test_solo_cards_come_in_the_upper_half() -> None:
    """5.1, step 5 (D-29): all 18 among the first 72 cards, somewhere different in each deal."""
    firsts = set()
    for deal in range(3):
        board = Session(load_game("dobbers"), make_tables(1, stall__turn_cap=240), deal=deal)
        board.open()
        seen = 0
        while not board.over and board.state["solo_left"] > 0:
            if seen == 0 and board.state["solo_left"] < 18:
                firsts.add(int(board.state["revealed"]))
                seen = 1
            busy = Main.BUY if board.prompt == Prompt.MAIN and Main.BUY in board.legal else -1
            board.choose(busy if busy >= 0 else board.legal[0])
        assert board.state["revealed"] - 6 <= 72 + 6  # the row may be filled on in one go
    assert len(firsts) > 1


@pytest.mark.parametrize("method", ["position", "cost"])
def test_solo_removal(method: str) -> None:
    """DB-T29: places 1 to 6, then 1 again. DB-T30 (D-33): the dearest card, then the cheapest."""
    session = opened(1, solo__removal=method)
    state, tables = session.state, session.tables
    for turn in range(1, 8):
        before = [int(link) - 1 for link in state["row"][:6]]
        costs = [
            0 if card >= FIRST_SOLO else int(tables["cost"][tables["card_kind"][card]])
            for card in before
        ]
        count = int(state["destroyed_size"])
        while not session.over and state["turn"] == turn:
            session.choose(session.legal[0])
        gone = session_destroyed(session)[count:]
        if method == "position":
            expected = before[(turn - 1) % 6]
        else:
            expected = before[costs.index(max(costs) if turn % 2 else min(costs))]
        assert gone[0] == expected


def session_destroyed(session: Session) -> list[int]:
    """Return the cards out of the game, the first one first."""
    cards, link = [], int(session.state["destroyed"])
    while link:
        cards.append(link - 1)
        link = int(session.state["next"][link - 1])
    return cards[::-1]


def test_solo_cards_cannot_be_bought() -> None:
    """D-33."""
    session = opened(1)
    met = 0
    while not session.over and session.state["turn"] < 40:
        for place in range(6):
            card = int(session.state["row"][place]) - 1
            if card >= FIRST_SOLO and session.prompt == Prompt.MAIN:
                met += 1
                assert Main.BUY + place not in session.legal
        session.choose(session.legal[0])
    assert met > 0


@pytest.mark.parametrize(("turns", "band"), [(13, 1), (14, 2), (15, 2), (16, 3), (18, 3), (19, 4)])
def test_solo_bands(turns: int, band: int) -> None:
    """D-9."""
    bands = make_tables(1)[0]["bands"]
    assert 1 + sum(turns > most for most in bands) == band


# --- the end --------------------------------------------------------------------------------------


def at_the_key(**patches: object) -> Board:
    """A board with the first player one step before the key."""
    board = Board(**patches)
    for seat in range(2):
        board.hand(seat, "bottle_cap")
        board.stand(seat, board.before(5, seat), number=1)
    board.pool(red=5)
    board.refresh()
    return board


def test_the_race_ends_at_the_key() -> None:
    """Winning."""
    board = at_the_key()
    board.go()
    assert board.over
    assert board.state["winner"] == 0


def test_the_stack_on_the_key_square_comes_first() -> None:
    """Winning, D-26: overcome it, or be moved back."""
    board = at_the_key()
    board.stack(5, "nettle_field", "barrow_giant")
    board.go()
    board.answer(Prompt.FIGHT, 0)
    assert not board.over
    assert board.state["square"][0] == board.before(5)
    board = at_the_key()
    board.stack(5, "nettle_field", "barrow_giant")
    board.pool(red=30)
    board.go()
    board.answer(Prompt.FIGHT, 0)
    assert board.over
    assert board.state["winner"] == 0


def test_duel_points() -> None:
    """DB-T27: red 4, gold 3, blue 2, effects in hand 1 red: 8."""
    board = Board()
    board.equip(0, "silver_sword", "iron_bark", "traveling_cloak")  # red 1 + 2 + 1, gold 1 + 1 + 1
    board.hand(0, "strength", "ember", "bottle_cap")
    assert board.call(duel_points, "state tables seat", 0) == 8


def test_a_duel_decides() -> None:
    """DB-T26: of equals the first at the key wins; D-13: one more turn for the others."""
    board = at_the_key(switches__duel=True)
    board.go()
    assert board.state["arrived"].tolist()[:2] == [1, 0]
    assert not board.can_go()
    board.end()
    assert board.state["active"] == 1
    board.pool(red=5)
    board.refresh()
    board.go()
    assert board.state["arrived"].tolist()[:2] == [1, 2]
    board.end()
    assert board.over
    first = board.call(duel_points, "state tables seat", 0)
    second = board.call(duel_points, "state tables seat", 1)
    assert board.state["winner"] == int(second > first)


def test_a_tie_goes_to_the_first() -> None:
    """DB-T26."""
    for sword, winner in (("", 0), ("silver_sword", 1)):
        board = at_the_key(switches__duel=True, heroes=("toby", "brakka", "herb", "shaori"))
        if sword:
            board.equip(1, sword)
        board.go()
        board.end()
        board.pool(red=5)
        board.refresh()
        board.go()
        board.end()
        assert board.over
        assert board.state["winner"] == winner


@pytest.mark.parametrize(("sworded", "winner"), [((1, 2), 1), ((2,), 2), ((), 0), ((0, 1, 2), 0)])
def test_three_at_the_key(sworded: tuple[int, ...], winner: int) -> None:
    """D-12: all compare, the highest wins, ties go by the order of arrival."""
    weapons = ("flame", "flame", "flame")
    board = Board(3, heroes=("toby", "brakka", "old_wim"), switches__duel=True)
    kind = board.kind(weapons[0])
    board.tables["gain"][kind, 1] = 9  # far more than any hand
    own = [seat * 16 for seat in range(3)]  # a card of each seat becomes that weapon
    for seat in range(3):
        board.hand(seat, "bottle_cap")
        card = next(c for c in deck(board.state, seat) if c >= own[seat])
        if seat in sworded:
            board.tables["card_kind"][card] = kind
            board.state["equipment"][seat, 0] = 1 + board.take(card)
        board.stand(seat, board.before(5, seat), number=1)
    board.pool(red=5)
    board.refresh()
    for seat in range(3):
        assert board.state["active"] == seat
        board.pool(red=5)
        board.refresh()
        board.go()
        for other in range(seat + 1):  # hands that decide nothing
            board.tables["draw"] = 0
            assert board.state["arrived"][other] == other + 1
        board.end()
    assert board.over
    assert board.state["winner"] == winner


def test_alone_at_the_key_wins_the_duel() -> None:
    """D-13: every other player has exactly one more turn."""
    board = at_the_key(switches__duel=True)
    board.go()
    board.end()
    board.end()
    assert board.over
    assert board.state["winner"] == 0
    assert board.state["turn"] == 2


# --- events ---------------------------------------------------------------------------------------


def test_one_event_in_each_eighth_of_the_deck() -> None:
    """Rule 34: an event does not stay in the row; all eight come in a whole deck."""
    session = opened(2, switches__events=True, stall__turn_cap=2000)
    state = session.state
    assert state["events_left"] == 8
    dealt: list[int] = []
    while not session.over and state["events_left"] > 0 and state["turn"] < 1900:
        left = int(state["events_left"])
        if session.prompt == Prompt.MAIN and state["influence"] < 9:
            state["influence"] = 9
            state["step"] = Step.ASK_MAIN
            session.advance(0)
        row = [c for c in session.legal if Main.BUY <= c < Main.CHALLENGE]
        session.choose(row[0] if row and session.prompt == Prompt.MAIN else session.legal[0])
        assert not (state["row"] > FIRST_EVENT).any()
        dealt += [int(state["revealed"]) - 6] * (left - int(state["events_left"]))
    assert len(dealt) == 8
    parts = np.diff([0, *[108 * part // 8 + part for part in range(1, 9)]])
    bounds = np.cumsum(parts)
    for number, place in enumerate(dealt):
        # the row may have been filled on after the event, so the place is a little late
        assert place <= bounds[number] + 6
        assert number == 0 or place > bounds[number - 1]


def test_no_events_in_a_plain_game() -> None:
    """Rule 34 is optional."""
    assert opened(2).state["events_left"] == 0


# --- what the game can be asked to try ------------------------------------------------------------


def test_a_card_is_dealt_first_or_left_out() -> None:
    """Experiments: the rest of the deal stays as it was."""
    plain = opened(3).state
    without = opened(3, experiment__left_out="bow_and_arrow")
    names = [name_of(without.tables["kind_name"][k]) for k in without.tables["card_kind"]]
    cards = whereabouts(without.state, without.tables)
    assert "bow_and_arrow" not in {names[card] for card in cards if card < FIRST_SOLO}
    several = opened(3, experiment__left_out="cull rot silver ember")
    cards = whereabouts(several.state, several.tables)
    assert not {"cull", "rot", "silver", "ember"} & {
        names[card] for card in cards if card < FIRST_SOLO
    }
    first = opened(3, experiment__first_card="bow_and_arrow")
    assert names[int(first.state["row"][0]) - 1] == "bow_and_arrow"
    assert first.state["row"][1:6].tolist() == plain["row"][:5].tolist()
    assert hand(first.state, 0) == hand(plain, 0)


def test_a_card_is_forbidden_to_a_seat() -> None:
    """An experiment on one seat: it cannot buy the card, the others can; nothing else changes."""
    game = load_game("dobbers")
    rules = game.load(None, {"experiment.first_card": "town_crier", "hero.influence": 9}).model
    forbidden = game.make_tables(rules, 2, {"forbid_kinds": [("town_crier", "rot"), ()]})
    offers = {}
    for who, tables in (("free", game.make_tables(rules, 2)), ("forbidden", forbidden)):
        session = Session(game, tables)
        session.open()
        while session.prompt in (Prompt.HERO, Prompt.START):
            session.choose(session.legal[0])
        session.choose(int(Main.PLAY_ALL))
        own = set(session.legal)
        while session.state["active"] == 0:
            session.choose(int(Main.END))
        offers[who] = own, set(session.legal), session.state["row"].tolist()
    first = int(Main.BUY)
    assert offers["free"][2] == offers["forbidden"][2]
    assert offers["free"][0] - offers["forbidden"][0] == {first}
    assert offers["free"][1] == offers["forbidden"][1]
    assert first in offers["free"][1]


@pytest.mark.parametrize("seat", [0, 1])
def test_hidden_equipment_is_dealt_anew(seat: int) -> None:
    """A seat knows what it laid down itself; others see the type only."""
    board = Board()
    board.stack(0, "castle_walls", "gutter_rat")
    board.hand(1, "ember", "thorn_cudgel", "flame", "war_flail", "bottle_cap")
    board.state["active"] = 1
    board.refresh()
    board.play("ember")
    board.answer(Prompt.PUT, 4)
    seen = set()
    for k in range(12):
        states = board.states.copy()
        luck: Any = np.zeros(1, board.backstages.dtype)
        luck["key"] = make_key(5)
        rule = callable_rule(board.game, hide, "state tables backstage seat k")
        rule(states[0], board.tables, luck[0], seat, k)
        seen.add(board.named(int(states[0]["gear"][0, 0]) - 1))
        assert sorted(deck(states[0], 1) + hand(states[0], 1)) != []
    assert seen == {"ember"} if seat == 1 else len(seen) > 2


@pytest.mark.parametrize("players", [1, 2])
def test_the_runner_gets_to_the_key(players: int) -> None:
    """A whole game; what must hold holds at its end."""
    ends = 0
    for deal in range(3):
        session = played(opened(players, deal))
        invariants(session.state, session.tables)
        ends += session.state["winner"] >= 0
    assert ends > 0
