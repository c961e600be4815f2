"""Scripted players for tests, so that tests of the rules do not lean on the strategies."""

from __future__ import annotations

from typing import Any


def runner(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Play everything, buy what is dear, go on when points allow it; build a stack at times.

    Prompts and choices are written as numbers, which is what compiled code sees.
    """
    legal = state["legal"]
    seat = state["seat"]
    if prompt == 3:  # MAIN
        if legal >> 1 & 1 != 0:
            return 1
        for place in range(16):
            if legal >> (5 + place) & 1 != 0:
                kind = tables["card_kind"][state["hand"][seat, place]]
                slot = tables["type"][kind] - 1
                if slot < 0:
                    return 5 + place
                worn = state["equipment"][seat, slot]
                if worn == 0:
                    return 5 + place
                if tables["cost"][tables["card_kind"][worn - 1]] < tables["cost"][kind]:
                    return 5 + place
        if legal >> 33 & 1 != 0:
            square = state["square"][seat]
            encounter = tables["encounter"][tables["edge_to"][square, 0] - 1]
            if encounter == 0 or state["location"][encounter - 1] == 0:
                return 33
            left = state["blue"] + state["red"] - tables["edge_number"][square, 0]
            left = min(left, state["red"]) + state["gold"]
            if left >= 3 + 2 * (state["creature"][encounter - 1] != 0):
                return 33
        for kind in range(8):
            if legal >> (38 + kind) & 1 != 0:
                return 38 + kind
        if state["turn"] & 3 == 1 and legal >> 27 & 63 != 0:
            for place in range(6):
                if legal >> (27 + place) & 1 != 0:
                    return 27 + place
        best = 0
        dearest = 2
        for place in range(6):
            if legal >> (21 + place) & 1 != 0:
                cost = tables["cost"][tables["card_kind"][state["row"][place] - 1]]
                if cost > dearest:
                    dearest = cost
                    best = 21 + place
        return best
    if prompt in (4, 5):  # PUT, PLACE: on the hero, discard pile
        choice = 0
        while legal >> choice & 1 == 0:
            choice += 1
        return choice
    if prompt == 6 and legal & 2 != 0:  # FIGHT
        return 2 - 1
    choice = 0
    while legal >> (choice + 1) != 0:
        choice += 1
    return choice


def busy(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Take choices all over the range, by turn and points: much happens."""
    legal = state["legal"]
    count = 0
    rest = legal
    while rest != 0:
        rest &= rest - 1
        count += 1
    if prompt == 3 and legal & 2 != 0:
        return 1
    start = state["turn"] * 7 + state["influence"] * 3 + state["red"] + state["hand_size"][0]
    pick = (start + state["played_size"] * 5) % count
    for _ in range(pick):
        legal &= legal - 1
    choice = 0
    while legal & 1 == 0:
        legal >>= 1
        choice += 1
    return choice


def buyer(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Buy cards and do nothing else: the first that can be bought, onto the discard pile."""
    legal = state["legal"]
    if prompt == 3:  # MAIN
        for place in range(6):
            if legal >> (21 + place) & 1 != 0:
                return 21 + place
        return 0
    choice = 0
    while legal >> choice & 1 == 0:
        choice += 1
    return choice
