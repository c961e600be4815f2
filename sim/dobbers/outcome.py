"""What a finished game of Dobbers leaves behind: rows, counters, the metrics they feed."""

from __future__ import annotations

import numpy as np

from sim.choices import lowest
from sim.dobbers.stacks import MARGIN_BINS, MARGIN_ZERO, STACK_KINDS, show_gear
from sim.dobbers.state import (
    FIRST_ADVENTURE,
    KIND_BITS,
    KIND_WORDS,
    MAX_KINDS,
    MAX_SEATS,
    Status,
    Tally,
)
from sim.game import REPLICATES, WIN_UNIT, Metric
from sim.jit import rare, rule

_i2 = np.int16

GAME_ROW = np.dtype(
    [
        ("game", np.int64),
        ("status", _i2),  # Status
        ("turns", _i2),  # of all players together
        ("rounds", _i2),
        ("winner", _i2),  # seat from 0, -1 for none
        ("start_seat", _i2),
        ("lead_changes", _i2),
        ("capped", _i2),
        ("illegal", _i2),
        ("arrivals", _i2),  # heroes at the key
        ("overturned", _i2),  # 1 if the first at the key lost the duel
        ("band", _i2),  # solo: 1 the best to 4; 0 in other games and when capped
        ("cards_seen", _i2),  # of the adventure deck, solo cards and events too
        ("challenges", _i2),
        ("victories", _i2),
        # when the leader has 3/4, 1/2, 1/4 of the way left for the first time at the end of a
        # turn: who leads (-1: never) and the lead over the runner-up in points of travel
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
        ("hero", _i2),  # from 0
        ("win", _i2),  # twelfths
        ("arrived", _i2),  # 1 the first at the key, 2 the second, ...; 0 not there
        ("distance_left", _i2),  # points of travel to the key
        ("turns", _i2),
        ("bought", _i2),  # adventure cards
        ("influence_spent", _i2),
        ("challenges", _i2),  # faced
        ("victories", _i2),
        ("margin", _i2),  # points less points needed, summed over challenges
        ("placed", _i2),  # locations, creatures, equipment put on stacks
        ("moves", _i2),
        ("moved_back", _i2),
        ("destroyed", _i2),
        ("cards_played", _i2),
        ("outwits", _i2),
        ("cards_owned", _i2),  # deck, discard pile, hand and equipment at the end
    ]
)

COUNTERS = np.dtype(
    [
        # by [replicate, slot, points less points needed from -12 to 12]: challenges
        ("margins", np.int64, (REPLICATES, MAX_SEATS, 2 * MARGIN_BINS + 1)),
        # by [replicate, slot, points ready less points thought to be needed before the reveal,
        # what]: challenges, and those won
        ("shown", np.int64, (REPLICATES, MAX_SEATS, 2 * MARGIN_BINS + 1, 2)),
        # by [replicate, slot, kind of stack (`stacks.look`), what]: the same
        ("stacks", np.int64, (REPLICATES, MAX_SEATS, STACK_KINDS, 2)),
        # by [replicate, slot, kind of card, what]: games in which the slot bought one; those of
        # them that it won, in twelfths; those in which it never played one
        ("bought", np.int64, (REPLICATES, MAX_SEATS, MAX_KINDS, 3)),
        # by [replicate, kind of card]: games in which one lay in the row
        ("seen", np.int64, (REPLICATES, MAX_KINDS)),
    ]
)


@rule
def cards_owned(state, seat):
    """Return the cards of a seat, wherever they are but in stacks."""
    cards = state["deck_size"][seat] + state["discard_size"][seat] + state["hand_size"][seat]
    if seat == state["active"]:
        cards += state["played_size"]
    for slot in range(3):
        cards += state["equipment"][seat, slot] != 0
        cards += state["forged"][seat, slot] != 0
    return cards


@rare
def note_cards(state, tables, backstage):
    """Count which kinds of cards were seen, which were bought by whom, and which of them played."""
    replicate = backstage["replicate"]
    for word in range(KIND_WORDS):
        bits = state["seen_kinds"][word]
        while bits != 0:
            backstage["seen"][replicate, word * KIND_BITS + lowest(bits)] += 1
            bits &= bits - 1
        for seat in range(state["players"]):
            slot = backstage["slots"][seat]
            win = WIN_UNIT if seat == state["winner"] else 0
            bits = state["bought_kinds"][seat, word]
            while bits != 0:
                kind = word * KIND_BITS + lowest(bits)
                bits &= bits - 1
                backstage["bought"][replicate, slot, kind, 0] += 1
                backstage["bought"][replicate, slot, kind, 1] += win
                backstage["bought"][replicate, slot, kind, 2] += 1
    for encounter in range(tables["encounters"]):
        show_gear(state, encounter)
    for number in range(tables["adventure_cards"]):
        seat = state["played_by"][FIRST_ADVENTURE + number] - 1
        if seat >= 0:
            kind = tables["card_kind"][FIRST_ADVENTURE + number]
            word = kind // KIND_BITS
            bit = 1 << (kind % KIND_BITS)
            if state["bought_kinds"][seat, word] & bit != 0:
                state["bought_kinds"][seat, word] &= ~bit  # each kind counts once
                backstage["bought"][replicate, backstage["slots"][seat], kind, 2] -= 1


@rule
def record(state, tables, backstage, game_row, seat_rows):
    """Write the rows of a finished game; status and winner as the state has them."""
    players = state["players"]
    turns = state["turn"]
    winner = state["winner"]
    game_row["status"] = state["status"]
    game_row["turns"] = turns
    game_row["rounds"] = (turns + players - 1) // players
    game_row["winner"] = winner
    game_row["start_seat"] = state["first_seat"]
    game_row["lead_changes"] = state["lead_changes"]
    game_row["capped"] = 1 if state["status"] == Status.CAPPED else 0
    game_row["illegal"] = 1 if state["status"] == Status.ILLEGAL_CHOICE else 0
    game_row["arrivals"] = state["arrivals"]
    game_row["overturned"] = 1 if winner >= 0 and state["arrived"][winner] > 1 else 0
    game_row["band"] = 0
    if tables["solo"] != 0 and winner >= 0:
        band = 1
        for most in range(3):
            band += turns > tables["bands"][most]
        game_row["band"] = band
    game_row["cards_seen"] = state["revealed"]
    game_row["leader_q1"] = state["leader_at"][0]
    game_row["leader_q2"] = state["leader_at"][1]
    game_row["leader_q3"] = state["leader_at"][2]
    game_row["lead_q1"] = state["lead_at"][0]
    game_row["lead_q2"] = state["lead_at"][1]
    game_row["lead_q3"] = state["lead_at"][2]
    note_cards(state, tables, backstage)
    challenges = 0
    victories = 0
    for seat in range(players):
        row = seat_rows[seat]
        tally = state["tally"][seat]
        row["slot"] = backstage["slots"][seat]
        row["hero"] = state["hero"][seat] - 1
        row["win"] = WIN_UNIT if seat == winner else 0
        row["arrived"] = state["arrived"][seat]
        row["distance_left"] = tables["distance"][state["square"][seat]]
        row["turns"] = tally[Tally.TURNS]
        row["bought"] = tally[Tally.BOUGHT]
        row["influence_spent"] = tally[Tally.INFLUENCE_SPENT]
        row["challenges"] = tally[Tally.CHALLENGES]
        row["victories"] = tally[Tally.VICTORIES]
        row["margin"] = tally[Tally.MARGIN] - MARGIN_ZERO * tally[Tally.CHALLENGES]
        row["placed"] = tally[Tally.PLACED]
        row["moves"] = tally[Tally.MOVES]
        row["moved_back"] = tally[Tally.MOVED_BACK]
        row["destroyed"] = tally[Tally.DESTROYED]
        row["cards_played"] = tally[Tally.CARDS_PLAYED]
        row["outwits"] = tally[Tally.OUTWITS]
        row["cards_owned"] = cards_owned(state, seat)
        challenges += tally[Tally.CHALLENGES]
        victories += tally[Tally.VICTORIES]
    game_row["challenges"] = challenges
    game_row["victories"] = victories


_SEATS = (("seat",), ("strategy",))
_ALL = ((), ("seat",), ("strategy",))

METRICS = (
    Metric(
        "win_rate", "share of games", "seat", "win", scale=WIN_UNIT, by=_SEATS, doc="Won games."
    ),
    Metric(
        "turns",
        "turns",
        "game",
        "turns",
        statistics=("mean", "sd", "quantiles"),
        doc="Turns of all players together; capped games count with the cap.",
    ),
    Metric(
        "rounds",
        "rounds",
        "game",
        "rounds",
        statistics=("mean", "sd", "quantiles"),
        doc="Rounds per game, a started round counts.",
    ),
    Metric("lead_changes", "changes", "game", "lead_changes", doc="Changes of the leader."),
    Metric("challenges", "challenges", "game", "challenges", doc="Challenges faced per game."),
    Metric(
        "challenges_per_seat",
        "challenges",
        "seat",
        "challenges",
        by=_SEATS,
        doc="Challenges a player faces in a game.",
    ),
    Metric(
        "victories_per_challenge",
        "share of challenges",
        "seat",
        "victories",
        per="challenges",
        by=_ALL,
        doc="Share of challenges that are overcome.",
    ),
    Metric(
        "margin_per_challenge",
        "points",
        "seat",
        "margin",
        per="challenges",
        by=_ALL,
        doc="Points less points needed, at the moment of comparing.",
    ),
    Metric("bought", "cards", "seat", "bought", by=_ALL, doc="Adventure cards bought by a player."),
    Metric(
        "influence_spent",
        "influence",
        "seat",
        "influence_spent",
        by=_ALL,
        doc="Influence a player spends in a game.",
    ),
    Metric(
        "placed",
        "cards",
        "seat",
        "placed",
        by=_ALL,
        doc="Locations, creatures and equipment a player puts on stacks.",
    ),
    Metric(
        "moved_back",
        "squares",
        "seat",
        "moved_back",
        by=_ALL,
        doc="Squares a player is moved back in a game.",
    ),
    Metric("destroyed", "cards", "seat", "destroyed", by=_ALL, doc="Cards a player destroys."),
    Metric("outwits", "cards", "seat", "outwits", by=_ALL, doc="Cards taken by Outwit."),
    Metric(
        "distance_left",
        "points of travel",
        "seat",
        "distance_left",
        by=_SEATS,
        doc="Way to the key that is left at the end.",
    ),
    Metric("cards_seen", "cards", "game", "cards_seen", doc="Cards that came into the row."),
    Metric(
        "overturned_rate",
        "share of games",
        "game",
        "overturned",
        doc="Games in which the first at the key loses the duel.",
    ),
    Metric("capped_rate", "share of games", "game", "capped", doc="Games stopped by the cap."),
    Metric(
        "illegal_rate", "share of games", "game", "illegal", doc="Games ended by an illegal choice."
    ),
)
