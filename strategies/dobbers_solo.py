"""How Dobbers is played alone.

`planning` shares with `weighing` what a card is worth and how questions are answered. It differs
in what it looks at. It works out from all cards it owns how many blue, red and gold points a turn
brings, goes the way to the key in its mind, and counts a point of each colour by the time it would
save there: a stack that an average turn does not overcome makes gold dear, gold in plenty before a
long walk is worth nothing. It pays for an item that lowers the next stack, measures a new card by
the usual one of its deck, does not thin a deck that is drawn whole every turn, and faces a stack
whose cards lie face down only where the chance to overcome it, over all cards that look the same,
is large enough for it.
"""

from __future__ import annotations

import math
from enum import IntEnum

from sim.dobbers.piles import hindrance
from sim.dobbers.points import slot_of
from sim.dobbers.stacks import points_needed, stack_on
from sim.dobbers.state import (
    DESTROYABLE,
    GAINS,
    MAX_EDGES,
    MAX_TOKENS,
    PLACES,
    SLOTS,
    Fact,
    Gain,
    Hinder,
    Main,
    Prompt,
    Type,
)
from sim.jit import rare, rule
from strategies import (
    dobbers_answers,
    dobbers_cards,
    dobbers_look,
    dobbers_notes,
    dobbers_stacks,
    dobbers_worth,
)
from strategies.toolkit import is_legal, lowest

_INFLUENCE = int(Gain.INFLUENCE)
_RED = int(Gain.RED)
_BLUE = int(Gain.BLUE)
_GOLD = int(Gain.GOLD)
_DRAW = int(Gain.DRAW)
_EFFECT = int(Type.EFFECT)
_FORGE = int(Fact.FORGE)
_PLAY_ALL = int(Main.PLAY_ALL)
_PLAY = int(Main.PLAY)
_BUY = int(Main.BUY)
_CHALLENGE = int(Main.CHALLENGE)
_TRAVEL = int(Main.TRAVEL)
_TOKEN = int(Main.TOKEN)
_DESTROY = int(Main.DESTROY)
_ON_THE_WAY = int(Hinder.TRAVEL)
_IN_FIGHTS = int(Hinder.CHALLENGE)


class Weight(IntEnum):
    """Weights of `planning`; dobbers.toml says what they mean. Up to ICON those of `weighing`."""

    INFLUENCE = int(dobbers_notes.Weight.INFLUENCE)
    RED = int(dobbers_notes.Weight.RED)
    BLUE = int(dobbers_notes.Weight.BLUE)
    GOLD = int(dobbers_notes.Weight.GOLD)
    GOLD_AHEAD = int(dobbers_notes.Weight.GOLD_AHEAD)
    DRAW = int(dobbers_notes.Weight.DRAW)
    FADE = int(dobbers_notes.Weight.FADE)
    BUY_AT = int(dobbers_notes.Weight.BUY_AT)
    THRIFT = int(dobbers_notes.Weight.THRIFT)
    DILUTION = int(dobbers_notes.Weight.DILUTION)
    EQUIPMENT = int(dobbers_notes.Weight.EQUIPMENT)
    SYNERGY = int(dobbers_notes.Weight.SYNERGY)
    DOBBERTON = int(dobbers_notes.Weight.DOBBERTON)
    WILD = int(dobbers_notes.Weight.WILD)
    RAT_CLAW_CLAN = int(dobbers_notes.Weight.RAT_CLAW_CLAN)
    DECAY = int(dobbers_notes.Weight.DECAY)
    CULL = int(dobbers_notes.Weight.CULL)
    CULL_AT = int(dobbers_notes.Weight.CULL_AT)
    TOKEN = int(dobbers_notes.Weight.TOKEN)
    BURN = int(dobbers_notes.Weight.BURN)
    PACE = int(dobbers_notes.Weight.PACE)
    LACK = int(dobbers_notes.Weight.LACK)
    NEED = int(dobbers_notes.Weight.NEED)
    LATE = int(dobbers_notes.Weight.LATE)
    CHURN = int(dobbers_notes.Weight.CHURN)
    GRACE = int(dobbers_notes.Weight.GRACE)
    ICON = int(dobbers_notes.Weight.ICON)
    PLAN = 48
    SCALE = 49
    SPREAD = 50
    GROWTH = 51
    LONGER = 52
    GATE_ITEM = 53
    THICK = 54
    ENOUGH = 55
    SURE = 56
    PATIENCE = 57


# `planning` uses the memo of `weighing`; where that notes what stacks are worth, which nobody buys
# alone, it notes 1 + the worth of the usual card in TICKS.
USUAL = dobbers_notes.BLOCKS
STEP = 0.5  # points a turn more, by which it measures what they save
SHARE = 0.6  # of the points a deck gains while it goes on, those that any two colours have
GROWING = 8.0  # turns in which a deck grows
DEAREST = 6.0  # what a point is worth at most
STUCK = 4.0  # exp(STUCK) turns are the longest wait at one square that is told from a longer one


# ---- what a turn brings -------------------------------------------------------------------


@rule
def circulating(state, me):
    """Return how many cards go round: deck, discard pile, hand, effects played."""
    cards = state["deck_size"][me] + state["discard_size"][me] + state["hand_size"][me]
    return cards + state["played_size"]


@rare
def card_gain(state, tables, me, kind, gain):
    """Return the points of a kind that a card gives, in TICKS: its bonus as far as it works."""
    share = dobbers_notes.field(
        state["memo"][me, dobbers_notes.SHARED], dobbers_notes.PART, tables["alignment"][kind]
    )
    return (tables["gain"][kind, gain] << dobbers_notes.TICK_BITS) + share * tables["bonus"][
        kind, gain
    ]


@rare
def all_effects(state, tables, me, gain):
    """Return what all effects that go round give, in TICKS: points of a kind, worth for GAINS."""
    total = 0
    hand = state["hand_size"][me]
    link = state["deck"][me]
    for place in range(-2, hand + state["played_size"]):  # the two piles come first
        if place == -1:
            link = state["discard"][me]
        elif 0 <= place < hand:
            link = state["hand"][me, place] + 1
        elif place >= hand:
            link = state["played"][place - hand] + 1
        while link != 0:
            kind = tables["card_kind"][link - 1]
            if tables["type"][kind] == _EFFECT:
                if gain == GAINS:
                    total += max(0, dobbers_worth.kind_worth(state, tables, me, kind))
                else:
                    total += card_gain(state, tables, me, kind, gain)
            link = state["next"][link - 1] if place < 0 else 0
    return total


@rare
def every_turn(state, tables, me, gain):
    """Return the points of a kind that hero and the best equipment owned give, in TICKS."""
    hero = state["hero"][me] - 1
    total = tables["hero_gain"][hero, gain] << dobbers_notes.TICK_BITS
    total += tables["hero_alternate"][hero, gain] << (dobbers_notes.TICK_BITS - 1)
    for slot in range(SLOTS):
        kind = (
            dobbers_notes.field(
                state["memo"][me, dobbers_notes.OWNED] >> dobbers_notes.BEST,
                dobbers_notes.KIND,
                slot,
            )
            - 1
        )
        if kind >= 0:
            total += card_gain(state, tables, me, kind, gain)
        under = state["forged"][me, slot] - 1
        if under >= 0:
            total += tables["forge"][tables["card_kind"][under], gain] << dobbers_notes.TICK_BITS
    return total


@rare
def drawn_cards(state, tables, me):
    """Return the cards that a turn draws, those that cards draw too."""
    cards = max(1, circulating(state, me))
    drawn = tables["draw"] + every_turn(state, tables, me, _DRAW) / dobbers_notes.TICKS
    again = all_effects(state, tables, me, _DRAW) / (dobbers_notes.TICKS * cards)
    return min(drawn / max(0.3, 1.0 - again), 1.0 * cards)


@rare
def expected(state, tables, me, drawn, gain):
    """Return the points of a kind that a turn brings on average."""
    share = drawn / max(1, circulating(state, me))
    points = every_turn(state, tables, me, gain) + share * all_effects(state, tables, me, gain)
    return points / dobbers_notes.TICKS


# ---- the way ------------------------------------------------------------------------------


@rule
def onward(tables, square):
    """Return the edge of a square that leads towards the key."""
    for edge in range(MAX_EDGES):
        to = tables["edge_to"][square, edge] - 1
        if to >= 0 and tables["distance"][to] < tables["distance"][square]:
            return edge
    return 0


@rare
def time_left(state, tables, weights, me, blue, red, gold):
    """Return the turns to the key with so many points a turn, which grow.

    Each step takes the part of a turn's points that it needs, of the colours it needs, and the
    wait until a turn brings enough for it: exp(-x) for x spreads more than needed on average,
    which is 1 / p - 1 for a logistic chance p a turn.
    """
    turns = 0.0
    square = state["square"][me]
    icon = dobbers_look.icon_of_mine(state, tables, me)
    slow = hindrance(state, tables, me, _ON_THE_WAY)
    weak = hindrance(state, tables, me, _IN_FIGHTS)
    sharp = 1.0 / weights[Weight.SPREAD]
    while tables["distance"][square] > 0:
        edge = onward(tables, square)
        number = 1.0 * (tables["edge_number"][square, edge] + slow)
        slow = 0
        square = tables["edge_to"][square, edge] - 1
        grown = weights[Weight.GROWTH] * min(turns, GROWING)
        walk = blue + red + SHARE * grown
        spare = walk - number
        part = number / max(walk, 1.0)
        encounter = stack_on(state, tables, square) - 1
        if encounter >= 0:
            needed, _sure = dobbers_look.stack_guess(state, tables, me, icon, encounter)
            needed += weak
            weak = 0
            fight = red + gold + SHARE * grown
            both = blue + red + gold + grown
            spare = min(spare, min(fight - needed, both - needed - number))
            part = max(part, max(needed / max(fight, 1.0), (needed + number) / max(both, 1.0)))
        turns += part + math.exp(min(-(spare + 0.5) * sharp, STUCK))
    return turns


@rare
def next_stack(state, tables, me):
    """Return the next encounter with a stack on my way, -1 for none."""
    square = state["square"][me]
    while tables["distance"][square] > 0:
        square = tables["edge_to"][square, onward(tables, square)] - 1
        encounter = stack_on(state, tables, square) - 1
        if encounter >= 0:
            return encounter
    return -1


@rare
def note_gate_item(state, tables, weights, me):
    """Add to what items are worth for their types what one saves at the next stack, in gold."""
    encounter = next_stack(state, tables, me)
    if encounter < 0:
        return
    saved = dobbers_look.saved_at(state, tables, encounter)
    gold = weights[Weight.GATE_ITEM] * state["memo"][me, dobbers_notes.WORTH + _GOLD]
    for icon in range(1, dobbers_notes.ICON_TYPES):
        worth = int(0.1 * gold * dobbers_notes.field(saved, dobbers_notes.PART, icon))
        noted = dobbers_notes.field(
            state["memo"][me, dobbers_notes.ICONS], dobbers_notes.PART, icon
        )
        more = min(worth, (1 << dobbers_notes.PART) - 1 - noted)
        state["memo"][me, dobbers_notes.ICONS] += more << (dobbers_notes.PART * icon)


@rare
def plan(state, tables, weights, me):
    """Look around as `weighing` does, then count points by the time that they save."""
    dobbers_look.look_around(state, tables, weights, me)
    drawn = drawn_cards(state, tables, me)
    blue = expected(state, tables, me, drawn, _BLUE)
    red = expected(state, tables, me, drawn, _RED)
    gold = expected(state, tables, me, drawn, _GOLD)
    turns = time_left(state, tables, weights, me, blue, red, gold)
    left = dobbers_look.turns_of(state, me, me)
    left = min(left + weights[Weight.LONGER] * (turns - left), dobbers_notes.LONG)
    influence = 0.1 * weights[Weight.INFLUENCE] * max(0.0, left - weights[Weight.FADE])
    state["memo"][me, dobbers_notes.WORTH + _INFLUENCE] = int(dobbers_notes.TICKS * influence)
    # so that a point is worth 1 where every point goes into the way
    points = blue + red + gold + 0.5 * weights[Weight.GROWTH] * min(turns, GROWING)
    scale = weights[Weight.SCALE] * points / (STEP * max(turns, 1.0))
    share = weights[Weight.PLAN]
    for gain in (_RED, _BLUE, _GOLD):
        more_blue = STEP if gain == _BLUE else 0.0
        more_red = STEP if gain == _RED else 0.0
        more_gold = STEP if gain == _GOLD else 0.0
        less = turns - time_left(
            state, tables, weights, me, blue + more_blue, red + more_red, gold + more_gold
        )
        worth = share * dobbers_notes.TICKS * min(max(scale * less, 0.0), DEAREST)
        worth += (1.0 - share) * state["memo"][me, dobbers_notes.WORTH + gain]
        state["memo"][me, dobbers_notes.WORTH + gain] = int(worth)
    note_gate_item(state, tables, weights, me)
    state["memo"][me, dobbers_notes.OWNED] = dobbers_worth.all_owned(state, tables, me)
    note_uses(state, tables, me, left)
    cards = circulating(state, me)
    usual = all_effects(state, tables, me, GAINS) // cards if cards > drawn else 0
    state["memo"][me, USUAL] = 1 + usual


@rule
def note_uses(state, tables, me, left):
    """Note the turns left, uses of an effect bought now, turns that equipment is worn."""
    cards = circulating(state, me)
    pile = 1.0 / max(1, tables["draw"])
    wait = state["deck_size"][me] * pile  # turns until the pile that a purchase joins is shuffled
    uses = max(0.0, left - wait) / (pile * max(1, cards))
    wears = max(0.0, left - wait - 0.5 * cards * pile)
    state["memo"][me, dobbers_notes.LEFT] = (
        int(dobbers_notes.TICKS * left)
        | int(dobbers_notes.TICKS * uses) << dobbers_notes.WORD
        | int(dobbers_notes.TICKS * wears) << (2 * dobbers_notes.WORD)
    )


@rule
def planned(state, tables, weights, me):
    """Plan if I have not done so since the turn began, I moved or bought a card."""
    if state["memo"][me, dobbers_notes.LEFT] == 0:
        plan(state, tables, weights, me)


@rule
def forget(state, me):
    """Forget the plan."""
    state["memo"][me, dobbers_notes.LEFT] = 0
    dobbers_look.forget_row(state, me)


# ---- what to do ---------------------------------------------------------------------------


@rare
def chance(state, tables, me, encounter, points):
    """Return the chance that points overcome a stack, over all cards that look the same.

    Of cards nobody has turned over cost and icon are seen. Equipment in stacks is known: solo
    cards lay it out of the row.
    """
    location = state["location"][encounter] - 1
    icon = tables["location_icon"][location]
    item = icon != 0 and icon == dobbers_look.icon_of_mine(state, tables, me)
    creature = state["creature"][encounter] - 1
    points -= hindrance(state, tables, me, _IN_FIGHTS)
    for slot in range(SLOTS):
        card = state["gear"][encounter, slot] - 1
        if card >= 0:
            kind = tables["card_kind"][card]
            points -= tables["gain"][kind, _RED] + tables["gain"][kind, _GOLD]
    known = state["known_locations"]
    met = state["known_creatures"]
    won = 0
    cases = 0
    for other in range(tables["locations"]):
        if other != location and (
            (known >> location | known >> other) & 1 != 0
            or tables["location_icon"][other] != icon
            or tables["location_cost"][other] != tables["location_cost"][location]
        ):
            continue
        left = points - tables["location_points"][other]
        if item:
            left = points - tables["location_reduced"][other]
        if creature < 0:
            cases += 1
            won += left >= 0
            continue
        for beast in range(tables["creatures"]):
            if beast == creature or (
                (met >> creature | met >> beast) & 1 == 0
                and tables["creature_cost"][beast] == tables["creature_cost"][creature]
            ):
                cases += 1
                won += left >= tables["creature_points"][beast]
    return won / cases


@rule
def risks(state, tables, weights, me, edge):
    """Say whether to go along an edge: always where no stack waits, else if likely to win.

    Who has waited for some turns is content with less.
    """
    square = tables["edge_to"][state["square"][me], edge] - 1
    encounter = stack_on(state, tables, square) - 1
    if encounter < 0:
        return True
    points = dobbers_stacks.points_there(state, tables, me, edge, encounter)
    creature = state["creature"][encounter] - 1
    known = state["known_locations"] >> (state["location"][encounter] - 1) & 1 != 0
    if known and (creature < 0 or state["known_creatures"] >> creature & 1 != 0):
        return points >= points_needed(state, tables, me, encounter)
    patience = weights[Weight.PATIENCE] * dobbers_look.waited(state, me)
    return chance(state, tables, me, encounter, points) >= weights[Weight.SURE] - patience


@rule
def choose_travel(state, tables, weights, me):
    """Return the step towards the key if it can be taken and risked, or a token for it; or 0."""
    edge = onward(tables, state["square"][me])
    if is_legal(state["legal"], _TRAVEL + edge):
        return _TRAVEL + edge if risks(state, tables, weights, me, edge) else 0
    if state["legal"] >> _TOKEN & ((1 << MAX_TOKENS) - 1) == 0:
        return 0
    if dobbers_stacks.token_helps(state, tables, me, 1 << edge):
        return dobbers_cards.choose_token(state, tables, me, _RED)
    return 0


@rare
def buy_worth(state, tables, weights, me, kind):
    """Return what an adventure card is worth until the end of the game, in points."""
    worth = dobbers_worth.kind_worth(state, tables, me, kind)
    facts = tables["facts"][kind]
    slot = slot_of(facts)
    left = state["memo"][me, dobbers_notes.LEFT]
    per_use = 1.0 / (dobbers_notes.TICKS * dobbers_notes.TICKS)
    if slot < 0:
        usual = weights[Weight.THICK] * (state["memo"][me, USUAL] - 1)
        return (worth - usual) * dobbers_notes.field(left, dobbers_notes.WORD, 1) * per_use
    better = 1.0 * max(0, worth - dobbers_worth.best_worth(state, tables, me, slot))
    if facts >> _FORGE & 1 != 0:
        forged = 0
        for gain in range(GAINS):
            forged += tables["forge"][kind, gain] * state["memo"][me, dobbers_notes.WORTH + gain]
        better = max(better, 0.8 * forged)
    return (
        weights[Weight.EQUIPMENT]
        * better
        * dobbers_notes.field(left, dobbers_notes.WORD, 2)
        * per_use
    )


@rule
def choose_purchase(state, tables, weights, me):
    """Return the card of the row that is worth most, as a choice of MAIN, 0 for none."""
    best = weights[Weight.BUY_AT]
    found = 0
    # who is stuck wants to see other cards
    late = (state["memo"][me, dobbers_notes.STAND] >> 48) / dobbers_notes.TURN
    fresh = weights[Weight.CHURN] * late
    rest = state["legal"] >> _BUY & ((1 << (_CHALLENGE - _BUY)) - 1)
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        kind = tables["card_kind"][state["row"][place] - 1]
        worth = buy_worth(state, tables, weights, me, kind) + fresh
        worth -= weights[Weight.THRIFT] * tables["cost"][kind]
        if worth > best:
            best = worth
            found = _BUY + place
    return found


@rule
def choose_main(state, tables, weights, me):
    """Equip, play what asks, then all; travel as far as is likely enough, buy, end the turn."""
    legal = state["legal"]
    hand = legal >> _PLAY & ((1 << PLACES) - 1)
    asking = hand & (state["hand_gear"] | state["hand_asks"])
    seen = state["memo"][me, dobbers_notes.SEEN] & ((1 << dobbers_notes.HALF) - 1)
    cards = 1 + state["hand_size"][me]
    if asking != 0 and state["memo"][me, dobbers_notes.SEEN] >> dobbers_notes.HALF & 255 != cards:
        planned(state, tables, weights, me)
        choice = dobbers_cards.choose_from_hand(state, tables, me)
        if choice != 0:
            return choice
    if is_legal(legal, _PLAY_ALL):
        state["memo"][me, dobbers_notes.SEEN] = (
            seen  # what is drawn may take the place of what is played
        )
        return _PLAY_ALL
    state["memo"][me, dobbers_notes.SEEN] = seen | cards << dobbers_notes.HALF
    if legal >> _DESTROY & ((1 << DESTROYABLE) - 1) != 0:
        planned(state, tables, weights, me)
        choice = dobbers_cards.choose_burn(state, tables, weights, me)
        if choice != 0:
            return choice
    dobbers_look.note_power(state, tables, me)
    choice = choose_travel(state, tables, weights, me)
    if choice != 0:
        forget(state, me)
        return choice
    choice = dobbers_cards.choose_token(state, tables, me, _INFLUENCE)
    if choice == 0 and legal >> _BUY & ((1 << (_CHALLENGE - _BUY)) - 1) != 0:
        planned(state, tables, weights, me)
        choice = choose_purchase(state, tables, weights, me)
        if choice != 0:
            forget(state, me)
    return choice


@rule
def choose_stack(state, tables, me):
    """Let equipment be laid on a stack behind me, else on the one that I come to last."""
    found = 0
    nearest = 1 << 40
    rest = state["legal"] >> 1
    while rest != 0:
        encounter = lowest(rest)
        rest &= rest - 1
        to_key = tables["distance"][tables["encounter_square"][encounter]]
        if to_key >= tables["distance"][state["square"][me]]:
            return 1 + encounter
        if to_key < nearest:
            nearest = to_key
            found = 1 + encounter
    return found


def planning(state, tables, prompt, weights):
    """Plan the way, then weigh every choice by what it saves there."""
    choice = dobbers_look.unasked(state, prompt)
    if choice >= 0:
        return choice
    me = state["seat"]
    turn = state["turn"]
    if (
        state["memo"][me, dobbers_notes.SEEN] & ((1 << dobbers_notes.HALF) - 1) != turn + 1
        and turn != 0
    ):
        state["memo"][me, dobbers_notes.SEEN] = turn + 1
        state["memo"][me, dobbers_notes.PUT] = 0
        forget(state, me)
        dobbers_look.note_stand(state, me)
    if prompt == Prompt.MAIN:
        return choose_main(state, tables, weights, me)
    if prompt == Prompt.HERO:
        return dobbers_answers.choose_hero(state, tables, weights)
    if prompt == Prompt.STACK:
        return choose_stack(state, tables, me)
    thin = circulating(state, me) <= weights[Weight.ENOUGH]
    if prompt == Prompt.CULL and thin and is_legal(state["legal"], 0):
        return 0
    planned(state, tables, weights, me)
    return dobbers_answers.choose_answer(state, tables, prompt, weights, me)
