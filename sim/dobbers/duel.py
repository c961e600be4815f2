"""Reaching the key: the plain race, and the duel at the end (Winning; Alternate Competition)."""

from __future__ import annotations

from sim.dobbers.state import ALIGNMENTS, SLOTS, Event, Gain, Status, Tally, Type
from sim.events import emit
from sim.jit import rare

_RED = int(Gain.RED)
_GOLD = int(Gain.GOLD)
_EFFECT = int(Type.EFFECT)
_TURNS = int(Tally.TURNS)


@rare
def win(state, seat):
    """End the game with one winner."""
    state["status"] = Status.WON
    state["winner"] = seat
    emit(Event.WON, seat, 0, 0, 0)


@rare
def reach_key(state, tables, seat):
    """Note that a hero stands on the key square, its stack overcome; say whether it is over.

    The plain race ends at once. In a duel the first one there goes on with the turn, and every
    other player has one more turn (D-13).
    """
    state["arrivals"] += 1
    state["arrived"][seat] = state["arrivals"]
    emit(Event.REACHED, seat, state["arrivals"], 0, 0)
    if tables["duel"] == 0 or tables["solo"] != 0:
        win(state, seat)
        return True
    if state["arrivals"] == 1:
        state["last_turns"] = state["players"]  # the turn under way is one of them
    return False


@rare
def duel_points(state, tables, seat):
    """Return red and gold of hero, equipment and effects in hand; blue does not count (DB-T27).

    All these cards are in play together, so they switch on each other's alignment bonuses.
    """
    cards = state["hand_size"][seat]
    hero = state["hero"][seat] - 1
    if tables["void_hero"][seat] != 0:
        total = tables["plain_hero"][_RED] + tables["plain_hero"][_GOLD]
    else:
        total = tables["hero_gain"][hero, _RED] + tables["hero_gain"][hero, _GOLD]
        if state["tally"][seat, _TURNS] & 1 == 0:  # the turn that would come next
            total += tables["hero_alternate"][hero, _RED] + tables["hero_alternate"][hero, _GOLD]
    for alignment in range(ALIGNMENTS):
        count = 0
        bonus = 0
        for place in range(cards):
            kind = tables["card_kind"][state["hand"][seat, place]]
            if tables["type"][kind] == _EFFECT and tables["alignment"][kind] == alignment:
                total += tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
                bonus += tables["bonus"][kind, _RED] + tables["bonus"][kind, _GOLD]
                count += 1
        for slot in range(SLOTS):
            card = state["equipment"][seat, slot] - 1
            if card >= 0:
                kind = tables["card_kind"][card]
                under = state["forged"][seat, slot] - 1
                if tables["alignment"][kind] == alignment:
                    total += tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
                    bonus += tables["bonus"][kind, _RED] + tables["bonus"][kind, _GOLD]
                    count += 1
                    if under >= 0:
                        below_it = tables["card_kind"][under]
                        total += tables["forge"][below_it, _RED] + tables["forge"][below_it, _GOLD]
                elif under >= 0:
                    count += tables["alignment"][tables["card_kind"][under]] == alignment
        if count > 1 and alignment != 0:
            total += bonus
    return total


@rare
def end_duel(state, tables):
    """Compare all who are at the key; a tie goes to who came first (D-12, DB-T26)."""
    best = -1
    winner = -1
    for rank in range(1, state["arrivals"] + 1):
        for seat in range(state["players"]):
            if state["arrived"][seat] == rank:
                points = 0
                if state["arrivals"] > 1:
                    points = duel_points(state, tables, seat)
                    emit(Event.DUEL, seat, points, 0, 0)
                if points > best:
                    best = points
                    winner = seat
    win(state, winner)
