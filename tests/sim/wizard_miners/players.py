"""Scripted players for tests, so that tests of the rules do not lean on the strategies."""

from __future__ import annotations

from typing import Any

from sim.wizard_miners.state import Prompt


def passive(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Do nothing that can be left undone, but clean up for free."""
    legal = state["legal"]
    if prompt == Prompt.DISCARD:
        return 1 + state["last_spell"][state["seat"]]
    if prompt == Prompt.FREE_CLEAN_UP:
        cards = 0
        while legal >> (cards + 1) != 0:
            cards += 1
        return cards
    return 0


def drill_first(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Buy drill, shovel, hammer in this order; clean up ten cards of rubble or more."""
    legal = state["legal"]
    seat = state["seat"]
    if prompt == Prompt.INITIAL_PURCHASE:
        return 5 if legal >> 5 & 1 != 0 else 0
    if prompt == Prompt.ACTION:
        if state["cave_in_out"][seat] != 0 and state["rubble"][seat] >= 10:
            for cards in range(5, 0, -1):
                if legal >> (8 + cards) & 1 != 0:
                    return 8 + cards
        for tool in (4, 3, 1):
            if legal >> (1 + tool) & 1 != 0:
                return 1 + tool
        return 0
    if prompt == Prompt.DISCARD:
        return 1 + state["last_spell"][seat]
    if prompt == Prompt.FREE_CLEAN_UP:
        cards = 0
        while legal >> (cards + 1) != 0:
            cards += 1
        return cards
    return 0


def busy(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Take the highest legal choice, but dig in every other turn: much happens."""
    legal = state["legal"]
    if prompt == Prompt.DIG:
        return state["turn"] & 1
    if prompt == Prompt.ACTION and state["turn"] & 2 != 0:
        for tool in range(5):
            if legal >> (1 + tool) & 1 != 0:
                return 1 + tool
    choice = 0
    while legal >> (choice + 1) != 0:
        choice += 1
    return choice
