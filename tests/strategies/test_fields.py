"""Every shipped strategy in whole games: legal, blind to hidden cards, true to its orders."""

import itertools

import numpy as np
import pytest
from scipy import stats

from sim.jit import COMPILED
from sim.wizard_miners.state import Prompt, Status
from strategies.resolve import lineup, resolve
from tests.contract import bits, callable_rule
from tests.strategies.tables import FEW, GAME, SHIPPED, choose, games_of, play, win_share

everyone = pytest.mark.parametrize("name", SHIPPED)
players_of = pytest.mark.parametrize("players", [3, 4])
COMPETENT = ("drill_first", "builder", "cleaner", "saboteur", "sprinter", "balanced")


@pytest.mark.kernel
@players_of
@everyone
def test_games_end_and_every_choice_is_legal(name: str, players: int) -> None:
    games, seats, _ = play(lineup(GAME, [name] * players), 120 if COMPILED else players)
    assert (games["status"] != Status.ILLEGAL_CHOICE).all()
    if name in COMPETENT:
        assert (games["status"] == Status.WON).mean() > 0.99
        assert (seats["win"].sum(axis=1)[games["status"] == Status.WON] == 12).all()


@pytest.mark.kernel
@everyone
def test_hidden_cards_change_no_choice(name: str) -> None:
    """Other hands and the spell deck are dealt anew three times at every decision."""
    strategy = resolve(GAME, name)
    changed = 0
    for session, _ in games_of([name, "anybody", "balanced", "saboteur"], FEW, seed=9):
        seat = session.seat
        if seat != 0:
            continue
        copies = [session.states.copy() for _ in range(4)]
        for k, copy in enumerate(copies[1:]):
            luck = session.backstages.copy()
            luck["key"] = 0x1357_9BDF_2468_ACE1
            callable_rule(GAME, GAME.hide, "state tables backstage seat k")(
                copy[0], session.tables, luck[0], seat, k
            )
            changed += (copy["hand"] != session.states["hand"]).any()
        choices = {
            int(strategy.decider(copy[0], session.tables, session.prompt, strategy.weights))
            for copy in copies
        }
        assert len(choices) == 1, Prompt(session.prompt)
        assert all(np.array_equal(copy["memo"][0, 0], copies[0]["memo"][0, 0]) for copy in copies)
    assert changed > 50


@pytest.mark.kernel
@everyone
def test_standing_orders_save_questions_and_change_nothing(name: str) -> None:
    who = lineup(GAME, [name, "saboteur", name, "drill_first"])
    games = 400 if COMPILED else 2
    room = 600 * games
    rows, seats, asked = play(who, games, decisions=room)
    who.record["standing"] = 0
    all_rows, all_seats, all_asked = play(who, games, decisions=room)
    assert rows.tobytes() == all_rows.tobytes()
    assert seats.tobytes() == all_seats.tobytes()
    assert len(asked) < len(all_asked) < room


@everyone
def test_standing_orders_cover_what_a_strategy_always_does(name: str) -> None:
    """Asked nevertheless, it takes what the rules take in these prompts."""
    strategy = resolve(GAME, name)
    for session, _ in games_of([name, "anybody", "anybody", "anybody"], 2, seed=3):
        if session.seat == 0 and strategy.standing >> session.prompt & 1:
            newest = 1 + int(session.state["last_spell"][0])
            discards = session.prompt == Prompt.DISCARD and newest in session.legal
            assert choose(strategy, session) == (newest if discards else session.legal[0])


def test_random_takes_all_legal_choices_alike() -> None:
    """Among the decisions with the same choices, each choice comes up as often as any other."""
    _, _, made = play(lineup(GAME, ["random"] * 4), 800, decisions=400_000)
    assert len(made) < 400_000
    worst = []
    for prompt in (Prompt.INITIAL_PURCHASE, Prompt.DIG, Prompt.ACTION, Prompt.CAST, Prompt.TARGET):
        of_prompt = made[made[:, 2] == prompt]
        masks, counts = np.unique(of_prompt[:, 3], return_counts=True)
        mask = masks[counts.argmax()]
        legal = bits(int(mask))
        taken = of_prompt[of_prompt[:, 3] == mask][:, 4]
        observed = [int((taken == choice).sum()) for choice in legal]
        assert sum(observed) == len(taken) > 400
        worst.append(stats.chisquare(observed).pvalue)
    assert min(worst) > 1e-5


def test_blunder_one_is_random_whatever_the_strategy() -> None:
    rows = play(lineup(GAME, ["random"] * 4), 64)[1]
    other = play(lineup(GAME, ["balanced:blunder=1"] * 4), 64)[1]
    assert rows.tobytes() == other.tobytes()


def test_blunders_cost_wins() -> None:
    """Skill is a dial: three steps, each a loss beyond chance."""
    shares = [win_share(f"balanced:blunder={b}", "builder", 6000) for b in (0, 0.3, 0.8)]
    for (better, a), (worse, b) in itertools.pairwise(shares):
        assert better - worse > 4 * np.hypot(a, b)


@pytest.mark.parametrize("field", [name for name in SHIPPED if name != "balanced"])
def test_balanced_beats_every_field(field: str) -> None:
    """One of it against three others wins more than its quarter, five standard errors off."""
    share, error = win_share("balanced", field, 12_000)
    assert share - 5 * error > 0.25, f"{share:.4f} +- {error:.4f}"
