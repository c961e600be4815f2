"""What the rules of Near and Far share: sets, decks, symbols, hearts, goods, camps, treasures."""

from __future__ import annotations

import numpy as np

from sim.choices import lowest
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.state import (
    FIRST_COMPANION,
    GOODS,
    PURSE_BITS,
    PURSE_GUARD,
    Ability,
    CampKind,
    EndTrigger,
    Event,
    Good,
    Reward,
    Symbol,
    Tally,
)
from sim.rng import draw

_HEARTS = np.int64(Symbol.HEARTS)
_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_REPUTATION = np.int64(Reward.REPUTATION)
_MERCHANT_PACK = np.int64(Ability.MERCHANT_PACK)
_COINS_GAINED = np.int64(Tally.COINS_GAINED)
_GEMS_GAINED = np.int64(Tally.GEMS_GAINED)
_THREAT_CAMP = np.int64(CampKind.THREAT)
_CAMPS = np.int64(EndTrigger.CAMPS)
_EITHER = np.int64(EndTrigger.EITHER)
_PURSE_MOST = (1 << (PURSE_BITS - 1)) - 1
_NO_TICKET = 1 << 40  # more than any draw


# --- sets and decks -------------------------------------------------------------------------------


@rule
def pop(bits):
    """Return the number of set bits."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@rare
def nth(bits, place):
    """Return the number of a set bit by its place among them, the lowest at 0."""
    for _ in range(place):
        bits &= bits - 1
    return lowest(bits)


@rare
def place_of(bits, number):
    """Return the place of a set bit among those set, the lowest at 0."""
    return pop(bits & ((1 << number) - 1))


@rare
def pick_card(backstage, stream, shuffle, bits):
    """Return the next card of a deck: of those left, the one with the smallest draw.

    bits: the cards left, at least one. The address of a card's draw is its deck, how often that
    deck was shuffled, and its number.
    """
    best = -1
    least = _NO_TICKET
    while bits != 0:
        card = lowest(bits)
        bits &= bits - 1
        ticket = draw(backstage, stream, shuffle << 8 | card)
        if ticket < least:
            least = ticket
            best = card
    return best


# --- symbols and hearts ---------------------------------------------------------------------------


@rule
def symbols(word, symbol):
    """Return how often a symbol is in a word of symbols."""
    return word >> (symbol << 3) & 127


@rule
def party_power(state, seat, symbol):
    """Return how often a symbol is in a seat's active party."""
    return symbols(state["party_symbols"][seat], symbol)


@rule
def power(state, seat, symbol):
    """Return how often a symbol is in the active party, bought artifacts and treasures."""
    return symbols(state["party_symbols"][seat] + state["card_symbols"][seat], symbol)


@rule
def heart_total(state, tables, seat):
    """Return the hearts of party and cards ("Leaving town", "New rule: heart total")."""
    return min(tables["most_hearts"], power(state, seat, _HEARTS))


@rule
def heart_limit(state, tables, seat):
    """Return how many hearts a seat can have: its total, or the end of the track (rule 52)."""
    if tables["heart_total"] != 0:
        return heart_total(state, tables, seat)
    return tables["most_hearts"]


@rare
def gain_hearts(state, tables, seat, amount):
    """Gain hearts, as many as there is room for (NF-T11)."""
    hearts = state["hearts"][seat]
    more = min(amount, heart_limit(state, tables, seat) - hearts)
    if more > 0:
        state["hearts"][seat] = hearts + more
        emit(Event.HEARTS, seat, hearts + more, more, 0)


@rule
def pay_hearts(state, seat, amount):
    """Spend hearts."""
    state["hearts"][seat] -= amount
    emit(Event.HEARTS, seat, state["hearts"][seat], -amount, 0)


@rare
def trim_hearts(state, tables, seat):
    """Lose hearts above the total where the total is the limit (rule 52)."""
    if tables["heart_total"] != 0:
        excess = state["hearts"][seat] - heart_total(state, tables, seat)
        if excess > 0:
            pay_hearts(state, seat, excess)


# --- goods and reputation -------------------------------------------------------------------------


@rare
def gain(state, seat, good, amount):
    """Gain goods, or pay them where the amount is below zero."""
    state["goods"][seat, good] += amount
    if amount > 0:
        if good == _COIN:
            state["tally"][seat, _COINS_GAINED] += amount
        elif good == _GEM:
            state["tally"][seat, _GEMS_GAINED] += amount
    emit(Event.GAINED, seat, good, amount, state["goods"][seat, good])


@rule
def purse(state, seat, saved):
    """Return a seat's goods in one word, PURSE_BITS for each, to compare all of them at once.

    saved: coins it need not pay. More than 255 count as 255.
    """
    word = 0
    for good in range(GOODS):
        has = state["goods"][seat, good]
        if good == _COIN:
            has += saved
        word |= min(_PURSE_MOST, has) << (PURSE_BITS * good)
    return word


@rule
def short_of(word, price):
    """Return the goods that a purse has too few of for a price: the highest bits of their places.

    The highest bit of a place is set before the price is taken away, and used up where it is more.
    """
    return ~((word | PURSE_GUARD) - price) & PURSE_GUARD


@rare
def reputation_by(state, tables, seat, amount):
    """Move reputation up or down, to the ends of its track at most."""
    before = state["reputation"][seat]
    after = min(tables["reputation_high"], max(tables["reputation_low"], before + amount))
    if after != before:
        state["reputation"][seat] = after
        emit(Event.GAINED, seat, _REPUTATION, after - before, after)


# --- camps and the end ----------------------------------------------------------------------------


@rare
def trigger_end(state, tables, seat, trigger):
    """Note that the end of the game was reached, if this is a way to reach it (A-1)."""
    wanted = tables["end_trigger"]
    if state["ending"] == 0 and (wanted in (trigger, _EITHER)):
        state["ending"] = 1 + trigger
        state["ended_by"] = 1 + seat
        emit(Event.LAST_ROUND, seat, trigger, 0, 0)


@rare
def put_camp(state, tables, seat, kind, where):
    """Take a camp off the player board; say whether there was one (A-38).

    kind: CampKind. The caller notes where it stands. The last one may end the game (A-1).
    """
    if state["tents"][seat] == 0:
        return 0
    state["tents"][seat] -= 1
    if kind == _THREAT_CAMP:
        state["threat_camps"][seat] += 1
    state["running"][seat] += tables["camp_points"]
    emit(Event.CAMP, seat, kind, where, state["tents"][seat])
    if state["tents"][seat] == 0:
        state["running"][seat] += tables["all_camps_points"]
        trigger_end(state, tables, seat, _CAMPS)
    return 1


# --- members and cards ----------------------------------------------------------------------------


@rare
def own_member(state, tables, seat, member):
    """Take an adventurer or a companion; it is inactive until it joins the party."""
    state["members"][seat] |= 1 << member
    faction = tables["member_faction"][member]
    if faction != 0:
        state["banners"][seat, faction - 1] += 1


@rare
def join_party(state, tables, seat, member):
    """Put an owned member into the active party."""
    state["party"][seat] |= 1 << member
    state["party_symbols"][seat] += tables["member_symbols"][member]
    emit(Event.JOINED, seat, member, 0, 0)


@rare
def leave_party(state, tables, seat, member):
    """Take a member out of the active party."""
    state["party"][seat] &= ~(1 << member)
    state["party_symbols"][seat] -= tables["member_symbols"][member]
    emit(Event.LEFT, seat, member, 0, 0)


@rule
def same_faction(state, tables, seat, member):
    """Return 1 + the active member of this member's faction, 0 if there is none (rule 12)."""
    faction = tables["member_faction"][member]
    if member >= FIRST_COMPANION or faction == 0:
        return 0
    bits = state["party"][seat]
    while bits != 0:
        other = lowest(bits)
        bits &= bits - 1
        if other != member and tables["member_faction"][other] == faction:
            return 1 + other
    return 0


@rare
def note_abilities(state, tables, seat):
    """Find out anew what a seat's cards can do."""
    abilities = 0
    bits = state["bought"][seat]
    while bits != 0:
        abilities |= tables["artifact_ability"][lowest(bits)]
        bits &= bits - 1
    bits = state["treasures"][seat]
    while bits != 0:
        abilities |= tables["treasure_ability"][lowest(bits)]
        bits &= bits - 1
    state["abilities"][seat] = abilities


@rule
def treasure_room(state, tables, seat):
    """Return how many treasures a seat may hold: one per pack bird (rules 3 and 50)."""
    if state["abilities"][seat] & _MERCHANT_PACK != 0:
        return tables["most_birds"]
    return state["birds"][seat]


@rare
def take_treasure(state, tables, seat, treasure):
    """Keep a treasure."""
    state["treasures"][seat] |= 1 << treasure
    state["card_symbols"][seat] += tables["treasure_symbols"][treasure]
    state["abilities"][seat] |= tables["treasure_ability"][treasure]


@rare
def discard_artifact(state, seat, card):
    """Discard an artifact of the hand."""
    state["hand"][seat] &= ~(1 << card)
    state["artifact_discard"] |= 1 << card
    emit(Event.DISCARDED, seat, card, 0, 0)


@rare
def part_with(state, tables, seat, treasure):
    """Take a treasure from who holds it."""
    state["treasures"][seat] &= ~(1 << treasure)
    state["card_symbols"][seat] -= tables["treasure_symbols"][treasure]
    note_abilities(state, tables, seat)
    trim_hearts(state, tables, seat)


@rare
def drop_treasure(state, tables, seat, treasure):
    """Discard a treasure that is held."""
    part_with(state, tables, seat, treasure)
    state["treasure_discard"] |= 1 << treasure
    emit(Event.TREASURE_LOST, seat, treasure, 0, 0)


@rare
def lose_bird(state, seat):
    """Give a pack bird back; SETTLE then asks for treasures that no longer fit (A-44)."""
    state["birds"][seat] -= 1
    emit(Event.BIRD, seat, state["birds"][seat], -1, 0)
