"""The store: tools, upgrades, dynamite, clean-up ("Set Up D", "Starting Play 2")."""

from __future__ import annotations

from sim.jit import rare, rule
from sim.wizard_miners.mine import clean_up, place_at
from sim.wizard_miners.state import (
    BUY_DYNAMITE,
    CLEAN_UP,
    DUE_SHIFT,
    LEVELS,
    NEVER,
    NUMBERS,
    TOOLS,
    Effect,
    Tally,
)

_EACH = sum(1 << (8 * tool) for tool in range(TOOLS))  # a byte a tool
_HIGH = _EACH << 7
_GATHER = sum(1 << (28 - 7 * tool) for tool in range(TOOLS))
_REPAIR = int(Effect.REPAIR)
_DYNAMITE_BOUGHT = int(Tally.DYNAMITE_BOUGHT)
_DYNAMITE_RECEIVED = int(Tally.DYNAMITE_RECEIVED)


@rule
def count_hits(state, tables, seat, tool, before, after):
    """Change what a seat mines with from one working level of a tool to another; 0 is none."""
    seat = place_at(seat)
    lane = seat << DUE_SHIFT
    hits = state["hits"]
    old = tables["tool_hits"][tool, before]
    new = tables["tool_hits"][tool, after]
    for number in range(1, NUMBERS):
        hits[number] += (new[number] - old[number]) << lane
    state["great"][seat] = state["great"][seat] & ~(1 << tool) | (after == LEVELS) << tool


@rule
def set_level(state, tables, seat, tool, level):
    """Change the level of a tool; its numbers count at once unless it is out for repair."""
    seat = place_at(seat)
    before = state["levels"][seat, tool]
    if state["effects"][seat, _REPAIR + tool] == 0:
        count_hits(state, tables, seat, tool, before, level)
    state["levels"][seat, tool] = level
    rise = tables["next_cost"][tool, level] - tables["next_cost"][tool, before & LEVELS]
    state["prices"][seat] += rise << (tool << 3)
    owned = state["owned"][seat]
    state["types"][seat] += (level > 0) - (owned >> tool & 1)
    state["owned"][seat] = owned & ~(1 << tool) | (level > 0) << tool


@rare
def in_stock(state, tables, seat):
    """Return the tools whose next level the supply still holds, as bits 1 + tool (W-29).

    The supply of a card is what was printed less what lies in front of players.
    """
    stock = 0
    for tool in range(TOOLS):
        level = state["levels"][seat, tool]
        owned = 0
        for other in range(state["players"]):
            owned += state["levels"][other, tool] > level
        stock |= (owned < tables["tool_supply"]) << (1 + tool)
    return stock


@rule
def tool_choices(state, tables, seat):
    """Return the tools whose next level a seat may buy, as bits 1 + tool.

    Levels in order, no second copy, no more types than allowed ("Starting Play 2"; rule 3).
    """
    seat = place_at(seat)
    # all at once: a byte's high bit survives where its tool's price is at most the gems; the
    # multiplication gathers the five bits
    gems = min(state["gems"][seat], NEVER - 1)
    paid = ((gems * _EACH | _HIGH) - state["prices"][seat]) & _HIGH
    tools = (((paid >> 7) * _GATHER) >> 28) & (1 << TOOLS) - 1
    owned = state["owned"][seat]
    tools &= owned | -int(state["types"][seat] < tables["tool_types"])
    legal = (tools & ~tables["forbid_tools"][seat]) << 1
    if tables["tool_supply"] < state["players"]:
        legal &= in_stock(state, tables, seat)
    return legal


@rule
def can_buy_dynamite(state, tables, seat):
    """Say whether a seat may buy a piece of dynamite now (rule 24, WM-T19)."""
    return (  # without branches: the gems are a coin toss to the processor
        (tables["dynamite_on"] != 0)
        & (state["gems"][seat] >= tables["dynamite_cost"])
        & (state["dynamite_supply"] > 0)
        & (tables["forbid_dynamite"][seat] == 0)
    )


@rule
def clean_up_choices(state, tables, seat):
    """Return the sizes of a paid clean-up as bits CLEAN_UP + cards (WM-T17)."""
    most = min(state["rubble"][seat], tables["clean_up_most"])
    cost = tables["clean_up_cost"]
    if cost == 1:
        most = min(most, state["gems"][seat])
    elif cost > 1:
        most = min(most, state["gems"][seat] // cost)
    return ((1 << most) - 1) << (CLEAN_UP + 1)


@rule
def action_choices(state, tables, seat):
    """Return the legal actions: none, a tool or upgrade, dynamite, a clean-up.

    With nothing affordable only "none" is left, which counts as no action (W-42).
    """
    seat = place_at(seat)
    legal = 1 | tool_choices(state, tables, seat) | clean_up_choices(state, tables, seat)
    return legal | can_buy_dynamite(state, tables, seat) << BUY_DYNAMITE


@rare
def buy_tool(state, tables, seat, tool):
    """Pay for a tool's next level and place it."""
    seat = place_at(seat)
    level = state["levels"][seat, tool] & LEVELS
    state["gems"][seat] -= tables["tool_cost"][tool, level]
    set_level(state, tables, seat, tool, level + 1)


@rare
def place_dynamite(state, tables, buyer, seat):
    """Buy a piece of dynamite and sneak it into another mine, empty or not (W-17, W-34)."""
    state["gems"][buyer] -= tables["dynamite_cost"]
    state["dynamite_supply"] -= 1
    state["dynamite"][seat] += 1
    state["tally"][buyer, _DYNAMITE_BOUGHT] += 1
    state["tally"][seat, _DYNAMITE_RECEIVED] += 1


@rule
def take_action(state, tables, seat, choice):
    """Carry out an action; a purchase may go on with dynamite ("Starting Play 2").

    The five legal purchases are a tool or an upgrade, either with dynamite, or dynamite alone.
    """
    state["acted"] = 1
    state["actions_left"] -= 1
    if choice > CLEAN_UP:
        cards = choice - CLEAN_UP
        state["gems"][seat] -= cards * tables["clean_up_cost"]
        clean_up(state, seat, cards)
        return
    state["dynamite_left"] = tables["dynamite_per_action"]
    if choice == BUY_DYNAMITE:
        state["dynamite_due"] = 1
    else:
        buy_tool(state, tables, seat, choice - 1)
        state["dynamite_due"] = 0


@rule
def dynamite_choices(state, tables, seat):
    """Return the seats that may get the next piece as bits 1 + seat; bit 0 is "done"."""
    seat = place_at(seat)
    others = ((1 << state["players"]) - 1) & ~(1 << seat)
    # without a branch: the gems are a coin toss to the processor
    allowed = (state["dynamite_left"] > 0) & can_buy_dynamite(state, tables, seat)
    return 1 - state["dynamite_due"] | (others << 1) * allowed
