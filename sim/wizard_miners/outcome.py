"""What a finished game of Wizard Miners leaves behind: rows, counters, the metrics they feed."""

from __future__ import annotations

import numpy as np

from sim.game import REPLICATES, WIN_UNIT, Metric
from sim.jit import rule
from sim.wizard_miners.mine import deck_left
from sim.wizard_miners.state import MAX_SEATS, TOOLS, Status, Tally

_i2 = np.int16

GAME_ROW = np.dtype(
    [
        ("game", np.int64),
        ("status", _i2),  # Status
        ("rolls", _i2),
        ("rounds", _i2),
        ("winner", _i2),  # seat from 0, -1 for none
        ("start_seat", _i2),
        ("lead_changes", _i2),
        ("cave_in_rolls", _i2),  # of all seats
        ("capped", _i2),
        ("illegal", _i2),
        # when the leader's deck first is down to 3/4, 1/2, 1/4: who leads (-1: never
        # reached) and the lead over the runner-up in cards
        ("leader_q1", _i2),
        ("leader_q2", _i2),
        ("leader_q3", _i2),
        ("lead_q1", _i2),
        ("lead_q2", _i2),
        ("lead_q3", _i2),
    ]
)

SEAT_ROW = np.dtype(
    [
        ("slot", _i2),  # index in the lineup, from 0
        ("wizard", _i2),  # mining number
        ("win", _i2),  # twelfths
        ("cards_left", _i2),
        ("mined", _i2),
        ("cleaned", _i2),
        ("gems_left", _i2),
        ("gems_mined", _i2),
        ("cave_in_rolls", _i2),
        ("cards_lost", _i2),
        ("piles_lost", _i2),
        ("dynamite_received", _i2),
        ("dynamite_bought", _i2),
        ("spells_cast", _i2),
        ("spells_bought", _i2),
        ("bonus_cards", _i2),
        ("tool_types", _i2),
        ("tool_levels", _i2),
    ]
)

COUNTERS = np.dtype(
    [
        # cave-in rolls by [replicate, slot, dynamite (7: or more), Shore Ups (3: or more),
        # cards on the chart (9: the entire pile)]
        ("chart", np.int64, (REPLICATES, MAX_SEATS, 8, 4, 10)),
        # by [replicate, slot, dynamite, size of the pile (RUBBLE_BINS), what]: rolls, cards
        # lost, cards lost squared, whole piles lost
        ("falls", np.int64, (REPLICATES, MAX_SEATS, 8, 8, 4)),
    ]
)


@rule
def record(state, tables, backstage, game_row, seat_rows):
    """Write the rows of a finished game; status and winner as the state has them."""
    players = state["players"]
    rolls = state["turn"]
    game_row["status"] = state["status"]
    game_row["rolls"] = rolls
    game_row["rounds"] = (rolls + players - 1) // players
    game_row["winner"] = state["winner"]
    game_row["start_seat"] = state["first_seat"]
    game_row["lead_changes"] = state["lead_changes"]
    game_row["leader_q1"] = state["leader_at"][0]
    game_row["leader_q2"] = state["leader_at"][1]
    game_row["leader_q3"] = state["leader_at"][2]
    game_row["lead_q1"] = state["lead_at"][0]
    game_row["lead_q2"] = state["lead_at"][1]
    game_row["lead_q3"] = state["lead_at"][2]
    game_row["capped"] = 1 if state["status"] == Status.CAPPED else 0
    game_row["illegal"] = 1 if state["status"] == Status.ILLEGAL_CHOICE else 0
    cave_in_rolls = 0
    for seat in range(players):
        row = seat_rows[seat]
        cave_in_rolls += state["tally"][seat, Tally.CAVE_IN_ROLLS]
        row["slot"] = backstage["slots"][seat]
        row["wizard"] = state["wizard"][seat]
        row["win"] = WIN_UNIT if seat == state["winner"] else 0
        row["cards_left"] = deck_left(state, seat)
        row["gems_left"] = state["gems"][seat]
        types = 0
        levels = 0
        for tool in range(TOOLS):
            level = state["levels"][seat, tool]
            levels += level
            if level > 0:
                types += 1
        row["tool_types"] = types
        row["tool_levels"] = levels
        tally = state["tally"][seat]
        row["mined"] = tally[Tally.MINED]
        row["cleaned"] = tally[Tally.CLEANED]
        row["gems_mined"] = tally[Tally.GEMS_MINED]
        row["cave_in_rolls"] = tally[Tally.CAVE_IN_ROLLS]
        row["cards_lost"] = tally[Tally.CARDS_LOST]
        row["piles_lost"] = tally[Tally.PILES_LOST]
        row["dynamite_received"] = tally[Tally.DYNAMITE_RECEIVED]
        row["dynamite_bought"] = tally[Tally.DYNAMITE_BOUGHT]
        row["spells_cast"] = tally[Tally.SPELLS_CAST]
        row["spells_bought"] = tally[Tally.SPELLS_BOUGHT]
        row["bonus_cards"] = tally[Tally.BONUS_CARDS]
    game_row["cave_in_rolls"] = cave_in_rolls


_SEATS = (("seat",), ("strategy",))

METRICS = (
    Metric(
        "win_rate", "share of games", "seat", "win", scale=WIN_UNIT, by=_SEATS, doc="Won games."
    ),
    Metric(
        "rolls",
        "rolls",
        "game",
        "rolls",
        statistics=("mean", "sd", "quantiles"),
        doc="Rolls of the mining dice per game; capped games count with the cap.",
    ),
    Metric(
        "rounds",
        "rounds",
        "game",
        "rounds",
        statistics=("mean", "sd", "quantiles"),
        doc="Rounds per game, a started round counts.",
    ),
    Metric("cave_in_rolls", "rolls", "game", "cave_in_rolls", doc="Cave-in rolls per game."),
    Metric(
        "cave_in_rolls_per_seat",
        "rolls",
        "seat",
        "cave_in_rolls",
        by=_SEATS,
        doc="Cave-in rolls of a player in a game.",
    ),
    Metric(
        "cards_per_cave_in_roll",
        "cards",
        "seat",
        "cards_lost",
        per="cave_in_rolls",
        by=((), ("strategy",)),
        doc="Cards that fall per cave-in roll; turn-up rolls and zero results included.",
    ),
    Metric(
        "cards_lost",
        "cards",
        "seat",
        "cards_lost",
        by=((), ("seat",), ("strategy",)),
        doc="Cards a player loses to cave-in rolls in a game.",
    ),
    Metric(
        "piles_lost_per_cave_in_roll",
        "share of rolls",
        "seat",
        "piles_lost",
        per="cave_in_rolls",
        by=((), ("strategy",)),
        doc="Share of cave-in rolls that take an entire pile.",
    ),
    Metric("gems_left", "gems", "seat", "gems_left", by=_SEATS, doc="Gems unspent at the end."),
    Metric("cards_left", "cards", "seat", "cards_left", by=_SEATS, doc="Deck left at the end."),
    Metric("lead_changes", "changes", "game", "lead_changes", doc="Changes of the leader."),
    Metric("capped_rate", "share of games", "game", "capped", doc="Games stopped by the cap."),
    Metric(
        "illegal_rate", "share of games", "game", "illegal", doc="Games ended by an illegal choice."
    ),
)
