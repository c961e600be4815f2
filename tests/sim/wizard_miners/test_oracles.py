"""Exact answers and a second implementation, against the simulation."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import dice
from sim.game import load_game
from sim.jit import COMPILED
from sim.wizard_miners import exact
from sim.wizard_miners.mine import suffer_cave_in
from sim.wizard_miners.state import ENTIRE_PILE, Tally
from tests.contract import Played, play, players
from tests.oracles import (
    Addressed,
    Outcome,
    Policy,
    ReferenceGame,
    Shuffled,
    drill_first_policy,
    lead_story,
    passive_policy,
)
from tests.sim.wizard_miners import players as scripts
from tests.sim.wizard_miners.board import Board, Tool
from tests.sim.wizard_miners.contract import make_tables

GAME = load_game("wizard_miners")
POLICIES: dict[str, tuple[Any, Policy]] = {
    "drill_first": (scripts.drill_first, drill_first_policy),
    "passive": (scripts.passive, passive_policy),
}


many_games = pytest.mark.skipif(not COMPILED, reason="needs many games")


def model(**patches: Any) -> Any:
    """Return the rules as the designer's files give them."""
    named = {key.replace("__", "."): value for key, value in patches.items()}
    return GAME.load(None, named).model


def simulate(strategy: str, count: int, games: int, *, seed: int = 1, **patches: Any) -> Played:
    """Play games of one strategy against itself with the kernel."""
    lineup = players(GAME, POLICIES[strategy][0], scripts.__file__)
    return play(GAME, make_tables(count, **patches), lineup, seed=seed, count=games)


# --- exact cases ----------------------------------------------------------------------------------


def test_two_dice() -> None:
    """Section 1: the sum of 2d8 out of 64."""
    law = exact.mining_roll(make_tables(4)[0])
    assert law == {number: Fraction(8 - abs(9 - number), 64) for number in range(2, 17)}


@pytest.mark.kernel
def test_the_dice_of_the_simulation() -> None:
    """First rolls of games, and the face of the CAVE-IN die at all rolls, against the law."""
    law = exact.mining_roll(make_tables(4)[0])
    games = 1500 if COMPILED else 300
    tables = make_tables(4, stall__roll_cap=1, switches__spells=False)
    lineup = players(GAME)
    counts = np.zeros(17)
    for game in range(games):
        counts[int(play(GAME, tables, lineup, seed=6, first=game).desk.states["roll"][0])] += 1
    expected = [float(law[number]) * games for number in range(2, 17)]
    assert stats.chisquare(counts[2:], expected).pvalue > 1e-4


def test_a_wizard_without_tools() -> None:
    """Section 11: a wizard's cards per roll are the chance of its number."""
    tables = make_tables(4)[0]
    sixty_fourths = {7: 6, 8: 7, 10: 7, 11: 6}
    for number, ways in sixty_fourths.items():
        assert exact.expected_cards(tables, number) == Fraction(ways, 64)
        assert exact.expected_cards(tables, number, [3] * 5, digging=False) == Fraction(ways, 64)


@pytest.mark.parametrize(
    ("tool", "weights"),
    [
        (Tool.CHISEL, (13, 14, 16)),
        (Tool.PICK, (14, 14, 15)),
        (Tool.HAMMER, (19, 18, 20)),
        (Tool.SHOVEL, (18, 18, 21)),
        (Tool.DRILL, (26, 23, 24)),
    ],
)
def test_weights_of_the_tool_cards(tool: Tool, weights: tuple[int, ...]) -> None:
    """Section 9.1: expected hits per 64 rolls of each card."""
    tables = make_tables(4)[0]
    for level in range(1, 4):
        levels = [0] * 5
        levels[tool] = level
        cards = exact.expected_cards(tables, 7, levels) - Fraction(6, 64)
        assert cards == Fraction(sum(weights[:level]), 64)


def test_the_bonus_in_numbers() -> None:
    """Rule 4: a great drill shows ten numbers; any of them brings three cards more."""
    tables = make_tables(4)[0]
    levels = [0, 0, 0, 0, 3]
    numbers = {2, 5, 7, 8, 9, 10, 11, 12, 13}
    chance = sum(exact.mining_roll(tables)[number] for number in numbers)
    extra = exact.expected_cards(tables, 8, levels, idle=True) - exact.expected_cards(
        tables, 8, levels
    )
    assert extra == 3 * chance
    assert exact.expected_cards(tables, 8, levels, idle=True, digging=False) == Fraction(7, 64)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "levels", [(0, 0, 0, 0, 0), (1, 0, 0, 2, 3), (3, 3, 0, 0, 3), (0, 0, 3, 1, 0)]
)
@pytest.mark.parametrize(
    ("active", "digging", "acted"), [(0, 1, 0), (0, 1, 1), (0, 0, 0), (2, 1, 0)]
)
def test_expected_cards_per_roll(
    levels: tuple[int, ...], active: int, digging: int, acted: int
) -> None:
    """Section 11: the rules' cards on every possible roll, weighted, are the exact mean."""
    mean = Fraction(0)
    board = Board(4)
    board.tools(0, **{tool.name.lower(): levels[tool] for tool in Tool if levels[tool]})
    fresh = board.states.copy()
    for number, chance in exact.mining_roll(board.tables).items():
        board.states[:] = fresh
        board.mining(number, active=active, digging=bool(digging), acted=bool(acted))
        mean += chance * board.tally(Tally.MINED, 0)
    expected = exact.expected_cards(
        board.tables,
        7,
        levels,
        digging=bool(digging) or active != 0,
        idle=active == 0 and not acted,
    )
    assert mean == expected


@pytest.mark.parametrize("dynamite", range(8))
@pytest.mark.parametrize("shore_ups", range(4))
def test_cave_in_results_by_hand(dynamite: int, shore_ups: int) -> None:
    """Section 9.2 with the modifiers of rule 21, counted face by face."""
    chart = [0, 0, 1, 2, 4, 6, 8, ENTIRE_PILE]
    faces = [chart[min(7, max(0, face + dynamite - shore_ups))] for face in range(1, 7)]
    law = exact.chart_result(make_tables(4)[0], dynamite, shore_ups)
    assert law == {cards: Fraction(faces.count(cards), 6) for cards in sorted(set(faces))}
    assert exact.pile_lost(make_tables(4)[0], dynamite, shore_ups) == Fraction(
        faces.count(ENTIRE_PILE), 6
    )
    fallen = exact.cards_fallen(make_tables(4)[0], dynamite, shore_ups, 5)
    assert dice.mean(fallen) == Fraction(sum(min(5, cards) for cards in faces), 6)


@pytest.mark.kernel
@pytest.mark.parametrize("rubble", [0, 3, 20])
def test_cave_ins_of_the_rules(rubble: int) -> None:
    """Every face, dynamite and number of Shore Ups: what falls is what the law says."""
    board = Board(4)
    board.mine(1, face_down=15, rubble=rubble)
    fresh = board.states.copy()
    for dynamite in (0, 1, 3, 7):
        for shore_ups in (0, 1, 3):
            fallen: dict[int, Fraction] = {}
            for face in range(1, 7):
                board.states[:] = fresh
                board.dynamite(1, dynamite)
                board.shore_up(1, shore_ups)
                cards = int(board.call(suffer_cave_in, "state tables backstage seat roll", 1, face))
                fallen[cards] = fallen.get(cards, Fraction(0)) + Fraction(1, 6)
            law = exact.cards_fallen(board.tables, dynamite, shore_ups, rubble)
            assert dict(sorted(fallen.items())) == law


@many_games
def test_chart_results_of_many_games() -> None:
    """The event counter of the chart against the exact distribution (no dynamite: no blunders)."""
    played = simulate("drill_first", 4, 3000)
    chart = played.desk.backstage["chart"][0].sum(axis=(0, 1))
    assert chart.sum() == chart[0, 0].sum() > 50_000
    law = exact.chart_result(make_tables(4)[0], 0, 0)
    expected = np.zeros(10)
    for cards, chance in law.items():
        expected[cards] = float(chance) * chart.sum()
    some = expected > 0
    assert chart[0, 0][~some].sum() == 0
    assert stats.chisquare(chart[0, 0][some], expected[some]).pvalue > 1e-4


# --- a race that can be solved --------------------------------------------------------------------


ALL_ZERO = {
    f"cave_in__chart__{row}": 0
    for row in ("below_1", *(f"roll_{k}" for k in range(1, 7)), "roll_7_or_more")
}


def test_the_dynamic_programme_by_hand() -> None:
    """Two cards each, two players, sure to hit in turns: written out."""
    win, rolls = exact.bare_race([0.5, 0.5], 1, 50)
    # roll 1 empties one deck: seat 0 wins on it, or seat 1 at the start of its turn
    assert win.tolist() == [0.5, 0.5]
    assert rolls[1] == 1.0
    win, rolls = exact.bare_race([1.0, 0.0], 3, 50)
    assert win.tolist() == [1.0, 0.0]
    assert rolls[3] == 1.0  # roll 3 is seat 0's own
    win, rolls = exact.bare_race([1.0, 0.0], 2, 50)
    assert rolls[2] == 1.0  # emptied in roll 2 of seat 1, won at the start of turn 3
    win, rolls = exact.bare_race([0.0, 0.25, 0.0], 1, 400)
    assert abs(win[1] - 1) < 1e-12
    # rolls 1 and 2 lead to a win before turn 3: at the start of turn 2, after roll 2
    assert np.allclose(rolls[1:4], [0.25, 0.75 * 0.25, 0.0])
    assert abs(rolls[4] - 0.75**2 * (1 - 0.75**2)) < 1e-12


@many_games
def test_three_passive_players() -> None:
    """Section 11: no CAVE-IN face, an all-zero chart, no cap: wins by seat, rolls to the end.

    Tolerance: 4.5 standard errors for each seat and the mean, chi-square above 1e-4.
    """
    games = 200_000
    patches: dict[str, Any] = {"cave_in__die_faces": 0, "stall__roll_cap": 4000, **ALL_ZERO}
    played = simulate("passive", 3, games, switches__spells=False, **patches)
    win, rolls = exact.bare_race([6 / 64, 7 / 64, 7 / 64], 42, 1200)
    assert win.sum() > 1 - 1e-9
    assert (played.games["status"] == 0).all()
    wins = np.bincount(played.games["winner"], minlength=3)
    for seat in range(3):
        error = (win[seat] * (1 - win[seat]) / games) ** 0.5
        assert abs(wins[seat] / games - win[seat]) < 4.5 * error
    assert stats.chisquare(wins, win / win.sum() * games).pvalue > 1e-4

    lengths = np.arange(len(rolls))
    mean = rolls @ lengths
    deviation = (rolls @ (lengths - mean) ** 2) ** 0.5
    assert abs(played.games["rolls"].mean() - mean) < 4.5 * deviation / games**0.5
    seen = np.bincount(played.games["rolls"], minlength=len(rolls))
    edges = np.searchsorted(rolls.cumsum(), np.linspace(0.02, 0.98, 49))
    expected = np.add.reduceat(rolls, [0, *(edges + 1)]) * games
    observed = np.add.reduceat(seen, [0, *(edges + 1)])
    assert observed.sum() == games
    assert stats.chisquare(observed, expected / expected.sum() * games).pvalue > 1e-4


@many_games
def test_spells_and_cards_in_the_way_leave_the_race_alone() -> None:
    """The same law with spells drawn and never cast, and the reading `hit` of W-4."""
    games = 20_000
    patches: dict[str, Any] = {"cave_in__die_faces": 0, "stall__roll_cap": 4000, **ALL_ZERO}
    played = simulate("passive", 3, games, seed=3, switches__cave_in_reveal="hit", **patches)
    win, _ = exact.bare_race([6 / 64, 7 / 64, 7 / 64], 42, 1200)
    wins = np.bincount(played.games["winner"], minlength=3)
    assert stats.chisquare(wins, win / win.sum() * games).pvalue > 1e-4


# --- the second implementation --------------------------------------------------------------------


def reference_rows(outcome: Outcome, full: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what our rows should say about a reference game."""
    changes, leaders, leads = lead_story(outcome.decks, full)
    game = {
        "winner": outcome.winner,
        "status": 0 if outcome.winner >= 0 else 1,
        "rolls": outcome.rolls,
        "rounds": -(-outcome.rolls // len(outcome.miners)),
        "cave_in_rolls": sum(miner.cave_in_rolls for miner in outcome.miners),
        "lead_changes": changes,
        **{f"leader_q{quarter + 1}": leaders[quarter] for quarter in range(3)},
        **{f"lead_q{quarter + 1}": leads[quarter] for quarter in range(3)},
    }
    seats = [
        {
            "wizard": miner.number,
            "win": 12 * (miner.seat == outcome.winner),
            "cards_left": miner.left,
            "mined": miner.mined,
            "cleaned": miner.cleaned,
            "gems_left": miner.gems,
            "gems_mined": miner.gems_mined,
            "cave_in_rolls": miner.cave_in_rolls,
            "cards_lost": miner.cards_lost,
            "bonus_cards": miner.bonus_cards,
            "tool_types": len(miner.levels),
            "tool_levels": sum(miner.levels.values()),
            "spells_cast": 0,
            "spells_bought": 0,
            "dynamite_received": 0,
        }
        for miner in outcome.miners
    ]
    return game, seats


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("strategy", "count", "patches"),
    [
        ("drill_first", 4, {}),
        ("drill_first", 3, {"switches__spells": False}),
        ("drill_first", 4, {"switches__cave_in_reveal": "hit", "cave_in__die_faces": 3}),
        ("drill_first", 4, {"cave_in__die_faces": 1, "mine__cards_above": 12}),
        ("drill_first", 3, {"cave_in__die_faces": 6, "stall__roll_cap": 90}),
        ("passive", 4, {"stall__roll_cap": 400}),
        ("passive", 3, {"cave_in__die_faces": 0, "switches__cave_in_reveal": "hit"}),
    ],
)
def test_game_by_game(strategy: str, count: int, patches: dict[str, Any]) -> None:
    """The second implementation, fed with the same luck, plays the very same games."""
    games = 150 if COMPILED else {"drill_first": 6, "passive": 2}[strategy]
    policy = POLICIES[strategy][1]
    rules = model(**patches)
    played = simulate(strategy, count, games, seed=77, **patches)
    hit = patches.get("switches__cave_in_reveal") == "hit"
    for game in range(games):
        chance = Addressed(rules, count, 77, game)
        outcome = ReferenceGame(rules, count, policy, chance, hit=hit).play()
        expected_game, expected_seats = reference_rows(outcome, rules.mine.cards)
        ours = played.games[game]
        assert {name: int(ours[name]) for name in expected_game} == expected_game, f"game {game}"
        for seat, expected in enumerate(expected_seats):
            row = played.seats[game, seat]
            assert {name: int(row[name]) for name in expected} == expected, f"game {game}"


def measures(games: Any, seats: Any) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the quantities to compare, one value per game."""
    yield "rolls", games["rolls"]
    yield "rolls squared", games["rolls"].astype(float) ** 2
    yield "lead changes", games["lead_changes"]
    for seat in range(seats.shape[1]):
        for name in ("win", "cave_in_rolls", "cards_lost", "gems_left", "mined", "cleaned"):
            yield f"{name} of seat {seat}", seats[name][:, seat]
    lost, rolled = seats["cards_lost"].sum(axis=1), seats["cave_in_rolls"].sum(axis=1)
    yield "cards per cave-in roll", lost - lost.sum() / rolled.sum() * rolled


@pytest.fixture(scope="module")
def slow_games() -> tuple[np.ndarray, np.ndarray]:
    """Games of four `drill_first` out of the second implementation, with its own luck."""
    rules = model()
    count = 3000
    games = np.zeros(count, GAME.game_row)
    seats = np.zeros((count, 4), GAME.seat_row)
    for number in range(count):
        chance = Shuffled(rules, 4, f"game {number}")
        outcome = ReferenceGame(rules, 4, drill_first_policy, chance).play()
        game, rows = reference_rows(outcome, 42)
        for name, value in game.items():
            games[name][number] = value
        for seat, row in enumerate(rows):
            for name, value in row.items():
                seats[name][number, seat] = value
    return games, seats


@many_games
@pytest.mark.parametrize("spells", [True, False])
def test_four_drill_first_in_distribution(
    slow_games: tuple[np.ndarray, np.ndarray], spells: bool
) -> None:
    """Our games with our luck against slow games with other luck, with and without spells.

    z-tests over 28 quantities; at 4.7 standard errors a false alarm has a chance of 1 in 14,000.
    """
    played = simulate("drill_first", 4, 50_000, switches__spells=spells)
    for (name, ours), (_, theirs) in zip(
        measures(played.games, played.seats), measures(*slow_games), strict=True
    ):
        if name == "cards per cave-in roll":
            ratios = [
                rows["cards_lost"].sum() / rows["cave_in_rolls"].sum()
                for rows in (played.seats, slow_games[1])
            ]
            rolls = [
                rows["cave_in_rolls"].sum(axis=1).mean() for rows in (played.seats, slow_games[1])
            ]
            difference = ratios[0] - ratios[1]
            error = (
                ours.var() / len(ours) / rolls[0] ** 2 + theirs.var() / len(theirs) / rolls[1] ** 2
            ) ** 0.5
        else:
            difference = ours.mean() - theirs.mean()
            error = (ours.var() / len(ours) + theirs.var() / len(theirs)) ** 0.5
        assert abs(difference) < 4.7 * error, name


@many_games
def test_figures_of_four_drill_first() -> None:
    """Figures measured once at the shipped numbers, seed 1, 50,000 games."""
    played = simulate("drill_first", 4, 50_000)
    assert round(float(played.games["rolls"].mean()), 2) == 41.39
    wins = played.seats["win"].mean(axis=0) / 12
    assert [round(float(rate), 4) for rate in wins] == [0.2544, 0.2235, 0.2581, 0.2641]
    assert round(float(played.seats["cave_in_rolls"].mean()), 2) == 8.04
    per_roll = played.seats["cards_lost"].sum() / played.seats["cave_in_rolls"].sum()
    assert round(float(per_roll), 3) == 3.375
    assert not played.games["capped"].any()
