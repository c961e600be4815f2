"""The scripted players of Dobbers.

`weighing` is one competent player with weights: it counts every card, piece of equipment, stack
and risk in points until the end of the game and takes the best. The strategies `runner`,
`fighter`, `blocker`, `economist`, the collectors, `balanced` and the solo players are sets of its
weights, in dobbers.toml. `steady` takes the lowest choice; with a blunder of 1 it is `random`.

Nothing here looks at what a player cannot see: the order of decks, other hands, the text side of
challenge cards that nobody has turned over, equipment that others laid face down.
"""

from __future__ import annotations

from sim.dobbers.points import type_of
from sim.dobbers.stacks import price_at
from sim.dobbers.state import (
    DESTROYABLE,
    MAX_ROW,
    MAX_TOKENS,
    ORDERS,
    PLACES,
    Gain,
    Main,
    Prompt,
    Type,
)
from sim.jit import rule
from strategies import dobbers_solo
from strategies.dobbers_answers import choose_answer
from strategies.dobbers_cards import choose_burn, choose_from_hand, choose_token
from strategies.dobbers_look import (
    begin,
    forget_row,
    looked,
    note_power,
    unasked,
)
from strategies.dobbers_notes import (
    BYTE,
    CARD,
    CARD_FIELD,
    FINE,
    HALF,
    LEFT,
    OWNED,
    ROW,
    SEEN,
    STAND,
    STAYS,
    THRIFT,
    TURN,
    USUAL,
    Weight,
)
from strategies.dobbers_stacks import (
    choose_challenge,
    choose_to_lay,
    dares,
    lairs_with_room,
    token_helps,
)
from strategies.dobbers_worth import in_all, unit_worth, with_card
from strategies.toolkit import Script, is_legal, lowest

_RED = int(Gain.RED)
_INFLUENCE = int(Gain.INFLUENCE)
_EFFECT = int(Type.EFFECT)
_PLAY_ALL = int(Main.PLAY_ALL)
_PLAY = int(Main.PLAY)
_BUY = int(Main.BUY)
_CHALLENGE = int(Main.CHALLENGE)
_TRAVEL = int(Main.TRAVEL)
_TOKEN = int(Main.TOKEN)
_DESTROY = int(Main.DESTROY)
_PURCHASES = (1 << _TRAVEL) - (1 << _BUY)


def steady(state, tables, prompt, weights):
    """Take the lowest choice."""
    return lowest(state["legal"])


@rule
def note_row(state, tables, me, places):
    """Note what cards of the adventure row are worth. places: theirs, as bits."""
    while places != 0:
        place = lowest(places)
        places &= places - 1
        card = state["row"][place]
        worth = unit_worth(state, tables, me, tables["card_kind"][card - 1])
        state["memo"][me, ROW + place] = worth | card


@rule
def choose_purchase(state, tables, weights, me):
    """Return the purchase that is worth most, as a choice of MAIN, 0 for none.

    Notes as orders that nothing will be wanted afterwards but what is worth buying, and the card
    that comes into the row. No branch depends on which card is the best: nobody could guess that.
    """
    legal = state["legal"]
    places = legal >> _BUY & ((1 << MAX_ROW) - 1)
    new = 0
    for place in range(MAX_ROW):
        known = state["memo"][me, ROW + place] & CARD_FIELD == state["row"][place]
        new |= (not known) << place
    if places & new != 0:
        note_row(state, tables, me, places & new)
    left = state["memo"][me, LEFT]
    thrift = state["memo"][me, USUAL] >> THRIFT
    # who is stuck wants to see other cards
    fresh = int(FINE / TURN * weights[Weight.CHURN] * (state["memo"][me, STAND] >> 48))
    least = int(FINE * weights[Weight.BUY_AT]) - fresh << CARD
    best = least
    wanted = 0
    for place in range(MAX_ROW):
        worth = in_all(left, state["memo"][me, ROW + place])
        worth -= thrift * price_at(state["row_prices"], place)
        worth = worth << CARD | CARD_FIELD - place  # of equals the first
        best = max(best, worth if places >> place & 1 != 0 else best)
        wanted |= (worth > least) << (_BUY + place)
    found = _BUY + CARD_FIELD - (best & CARD_FIELD)
    if best & CARD_FIELD == 0:
        found = 0
    if weights[Weight.BLOCK] > 0 and legal >> _CHALLENGE & ((1 << (_TRAVEL - _CHALLENGE)) - 1) != 0:
        worth = ((best >> CARD) + fresh) / FINE
        at_least = ((least >> CARD) + fresh) / FINE
        found, more = choose_challenge(state, tables, weights, me, worth, found, at_least)
        wanted |= more
    if found >= _CHALLENGE:  # the squares will be other ones
        state["memo"][me, ORDERS] = ~(_PURCHASES | 1 | 1 << _PLAY_ALL)
    elif found != 0:
        state["memo"][me, ORDERS] = ~(wanted | 1 << found | 1 << _PLAY_ALL)
    return found


@rule
def choose_travel(state, tables, weights, me):
    """Return the step nearest to the key that can be taken and dared, or a token for it; or 0."""
    legal = state["legal"]
    onward = tables["onward"][state["square"][me]]
    rest = legal >> _TRAVEL & onward
    while rest != 0:
        edge = lowest(rest)
        rest &= rest - 1
        if dares(state, tables, weights, me, edge):
            return _TRAVEL + edge
    stored = legal >> _TOKEN & ((1 << MAX_TOKENS) - 1) != 0 and state["arrived"][me] == 0
    if stored and token_helps(state, tables, me, onward & ~(legal >> _TRAVEL)):
        return choose_token(state, tables, me, _RED)
    return 0


@rule
def choose_main(state, tables, weights, me):
    """Equip, play what asks, then all; travel as far as one dares, buy, end the turn.

    What destroys cards of the hand is played while they are still there.
    """
    legal = state["legal"]
    hand = legal >> _PLAY & ((1 << PLACES) - 1)
    cards = 1 + state["hand_size"][me]
    if (
        hand & (state["hand_gear"] | state["hand_asks"]) != 0
        and state["memo"][me, SEEN] >> HALF & BYTE != cards
    ):
        looked(state, tables, weights, me)
        choice = choose_from_hand(state, tables, me)
        if choice != 0:
            return choice
    seen = state["memo"][me, SEEN] & ~(BYTE << HALF)
    if is_legal(legal, _PLAY_ALL):
        state["memo"][me, SEEN] = seen  # what is drawn may take the place of what is played
        return _PLAY_ALL
    seen |= cards << HALF
    state["memo"][me, SEEN] = seen
    if legal >> _DESTROY & ((1 << DESTROYABLE) - 1) != 0:
        looked(state, tables, weights, me)
        choice = choose_burn(state, tables, weights, me)
        if choice != 0:
            return choice
    points = 1 + min(state["red"] + state["blue"] + state["gold"], BYTE - 1)
    if seen >> STAYS & BYTE != points:
        note_power(state, tables, me)
        choice = choose_travel(state, tables, weights, me)
        if choice != 0:
            return choice
        state["memo"][me, SEEN] = seen & ~(BYTE << STAYS) | points << STAYS
    if legal >> _TOKEN & ((1 << MAX_TOKENS) - 1) != 0:
        choice = choose_token(state, tables, me, _INFLUENCE)
        if choice != 0:
            return choice
    if hand & state["hand_gear"] != 0 and lairs_with_room(state) != 0:
        looked(state, tables, weights, me)
        choice = choose_to_lay(state, tables, weights, me)
        if choice != 0:
            return choice
    if legal >> _BUY & ((1 << (_TRAVEL - _BUY)) - 1) == 0:
        return 0
    looked(state, tables, weights, me)
    choice = choose_purchase(state, tables, weights, me)
    if _BUY <= choice < _CHALLENGE:
        kind = tables["card_kind"][state["row"][choice - _BUY] - 1]
        owned = with_card(state, tables, me, state["memo"][me, OWNED], kind)
        state["memo"][me, OWNED] = owned
        if type_of(tables["facts"][kind]) != _EFFECT:
            forget_row(state, me)  # whatever is bought next is weighed anew
            state["memo"][me, ORDERS] &= ~_PURCHASES
    return choice


def weighing(state, tables, prompt, weights):
    """Weigh every choice in points until the end of the game, and take the best."""
    choice = unasked(state, prompt)
    if choice >= 0:
        return choice
    me = state["seat"]
    if state["memo"][me, SEEN] & ((1 << HALF) - 1) != state["turn"] + 1 and state["turn"] != 0:
        begin(state, me)
    if prompt == Prompt.MAIN:
        return choose_main(state, tables, weights, me)
    return choose_answer(state, tables, prompt, weights, me)


SCRIPTS = {
    "steady": Script(steady),
    "weighing": Script(weighing, Weight, (Prompt.START, Prompt.MAIN)),
    "planning": Script(dobbers_solo.planning, dobbers_solo.Weight, (Prompt.START, Prompt.MAIN)),
}
