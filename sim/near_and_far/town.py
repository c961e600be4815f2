"""The buildings of the town, base and new ("Town actions"), and the active party."""

from __future__ import annotations

import numpy as np

from sim.choices import lowest
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import (
    gain,
    gain_hearts,
    join_party,
    leave_party,
    own_member,
    party_power,
    pick_card,
    pop,
    power,
    purse,
    put_camp,
    reputation_by,
    same_faction,
    short_of,
    trim_hearts,
)
from sim.near_and_far.minions import standing
from sim.near_and_far.rewards import give
from sim.near_and_far.setup import fill_track
from sim.near_and_far.state import (
    GOODS,
    PARTY,
    RECRUIT_REFRESH,
    TOKEN,
    Ability,
    CampKind,
    Effect,
    Event,
    Good,
    Hall,
    Place,
    Stream,
    Symbol,
    Tally,
)

_FOOD = np.int64(Good.FOOD)
_COIN = np.int64(Good.COIN)
_GEM = np.int64(Good.GEM)
_SKILL = np.int64(Symbol.SKILL)
_GENERAL_STORE = np.int64(Place.GENERAL_STORE)
_BIRD_COINS = np.int64(Effect.BIRD_COINS)
_RECRUIT_REPUTATION = np.int64(Effect.RECRUIT_REPUTATION)
_MINE_CAMP = np.int64(CampKind.MINE)
_STORE_CAMP = np.int64(CampKind.STORE)
_ALMANAC = np.int64(Ability.ALMANAC)
_GIVE_ONE = np.int64(Hall.GIVE_ONE)
_TAKE_ONE = np.int64(Hall.TAKE_ONE)
_DISCARD = np.int64(Hall.DISCARD)
_COIN_UP = np.int64(Hall.COIN_UP)
_GEM_UP = np.int64(Hall.GEM_UP)
_COIN_DOWN = np.int64(Hall.COIN_DOWN)
_GEM_DOWN = np.int64(Hall.GEM_DOWN)
_TRADED = 1  # bits of `hall_done`
_DISCARDED = 2
_HONOURED = 4
_BASIC = np.int64(Stream.BASIC)
_ADVANCED = np.int64(Stream.ADVANCED)
_RECRUITED = np.int64(Tally.RECRUITED)
_BOUGHT = np.int64(Tally.BOUGHT)
_ADVANCED_BOUGHT = np.int64(Tally.ADVANCED_BOUGHT)
_EXPERT_TURN = np.int64(Tally.EXPERT_TURN)
_TURNS = np.int64(Tally.TURNS)


# --- Town Hall (rule 1) ---------------------------------------------------------------------------


@rare
def hall_choices(state, tables, seat):
    """Return what is left to do in the Town Hall: a trade, a discard, reputation, each once."""
    legal = 1
    done = state["hall_done"]
    if done & _TRADED == 0:
        best = best_value(state, tables, seat, tables["trade_many"])
        for good in range(GOODS):
            value = tables["good_value"][good]
            if state["goods"][seat, good] > 0 and receivable(tables, good, value) != 0:
                legal |= 1 << (_GIVE_ONE + good)
            if best >= value:
                legal |= 1 << (_TAKE_ONE + good)
    if done & _DISCARDED == 0 and state["hand"][seat] != 0:
        legal |= 1 << _DISCARD
    if done & _HONOURED == 0:
        ways = 0
        if state["reputation"][seat] < tables["reputation_high"]:
            ways |= 1 << _COIN_UP | 1 << _GEM_UP
        if state["reputation"][seat] > tables["reputation_low"]:
            ways |= 1 << _COIN_DOWN | 1 << _GEM_DOWN
        if state["goods"][seat, _COIN] == 0:
            ways &= ~(1 << _COIN_UP | 1 << _COIN_DOWN)
        if state["goods"][seat, _GEM] == 0:
            ways &= ~(1 << _GEM_UP | 1 << _GEM_DOWN)
        legal |= ways
    return legal


@rare
def receivable(tables, given, value):
    """Return the goods, as bits, of which one is worth at most `value`, the one given aside."""
    found = 0
    for good in range(GOODS):
        if good != given and tables["good_value"][good] <= value:
            found |= 1 << good
    return found


@rare
def best_value(state, tables, seat, count):
    """Return the most that `count` of a seat's goods are worth; -1 if it has fewer."""
    total = 0
    used = 0
    while count > 0:
        best = -1
        for good in range(GOODS):
            if (
                used >> good & 1 == 0
                and state["goods"][seat, good] > 0
                and (best < 0 or tables["good_value"][good] > tables["good_value"][best])
            ):
                best = good
        if best < 0:
            return -1
        used |= 1 << best
        number = min(count, state["goods"][seat, best])
        total += number * tables["good_value"][best]
        count -= number
    return total


@rare
def hall(state, tables, seat, choice):
    """Act on a choice of the Town Hall; say whether goods have to be named (GOODS).

    An action that was begun is over as soon as another one begins.
    """
    if choice < _COIN_UP and state["hall_now"] != 0:
        state["hall_now"] = 0
        state["hall_done"] |= _HONOURED
    if choice >= _COIN_UP:
        state["hall_now"] = 1
        coin = choice in (_COIN_UP, _COIN_DOWN)
        gain(state, seat, _COIN if coin else _GEM, -1)
        reputation_by(state, tables, seat, 1 if choice <= _GEM_UP else -1)
        return False
    if choice == _DISCARD:
        state["hall_done"] |= _DISCARDED
        return False
    state["hall_done"] |= _TRADED
    state["trade"] = choice
    if choice >= _TAKE_ONE:
        state["goods_due"] = tables["good_value"][choice - _TAKE_ONE]  # value still to be paid
        state["goods_left"] = tables["trade_many"]
    else:
        good = choice - _GIVE_ONE
        gain(state, seat, good, -1)
        state["goods_due"] = tables["good_value"][good]  # value that can still be received
        state["goods_left"] = tables["trade_many"]
    return True


@rare
def goods_choices(state, tables, seat):
    """Return what can be paid or received next in a trade; 1 when the trade is over (A-28)."""
    left = state["goods_left"]
    if left == 0:
        return 1
    if state["trade"] < _TAKE_ONE:
        legal = receivable(tables, state["trade"] - _GIVE_ONE, state["goods_due"]) << 1
        if left < tables["trade_many"] or legal == 0:
            legal |= 1
        return legal
    legal = 0
    for good in range(GOODS):
        if state["goods"][seat, good] > 0:
            state["goods"][seat, good] -= 1  # would the rest still be worth enough?
            rest = best_value(state, tables, seat, left - 1)
            state["goods"][seat, good] += 1
            if rest + tables["good_value"][good] >= state["goods_due"]:
                legal |= 2 << good
    return legal


@rare
def trade(state, tables, seat, choice):
    """Pay or receive one of the goods of a trade; 0 ends what is received."""
    if choice == 0:
        state["goods_left"] = 0
        return
    good = choice - 1
    state["goods_left"] -= 1
    if state["trade"] < _TAKE_ONE:
        gain(state, seat, good, 1)
        state["goods_due"] -= tables["good_value"][good]
        return
    gain(state, seat, good, -1)
    state["goods_due"] = max(0, state["goods_due"] - tables["good_value"][good])
    if state["goods_left"] == 0:
        gain(state, seat, state["trade"] - _TAKE_ONE, 1)


# --- Saloon (rule 2) ------------------------------------------------------------------------------


@rare
def recruit_cost(state, tables, seat, member):
    """Return what an adventurer costs: a coin less for each banner of its colour (NF-T25)."""
    cost = tables["member_cost"][member]
    faction = tables["member_faction"][member]
    if faction != 0:
        cost -= state["banners"][seat, faction - 1] + state["goods"][seat, TOKEN + faction]
    return max(0, cost)


@rare
def recruit_choices(state, tables, seat):
    """Return whom a seat can pay for, and whether it can have a new track."""
    legal = 1
    for place in range(tables["track_size"]):
        member = state["track"][place] - 1
        if (
            member >= 0
            and tables["forbid_members"][seat] >> member & 1 == 0
            and recruit_cost(state, tables, seat, member) <= state["goods"][seat, _COIN]
        ):
            legal |= 2 << place
    if (
        state["goods"][seat, _FOOD] >= tables["refresh_food"]
        and state["bag"] | state["bag_out"] != 0
    ):
        legal |= 1 << RECRUIT_REFRESH
    return legal


@rare
def refresh_track(state, tables, backstage, seat):
    """Pay food to have the whole track replaced."""
    gain(state, seat, _FOOD, -tables["refresh_food"])
    for place in range(tables["track_size"]):
        if state["track"][place] != 0:
            state["bag_out"] |= 1 << (state["track"][place] - 1)
            state["track"][place] = 0
    for place in range(tables["track_size"]):
        fill_track(state, backstage, place)


@rare
def recruit(state, tables, backstage, seat, place):
    """Recruit from a place of the track, which is filled at once.

    A second one of a faction can be recruited (A-27). The newcomer joins the active party where
    there is room for it; PARTY may change that.
    """
    member = state["track"][place] - 1
    cost = recruit_cost(state, tables, seat, member)
    if cost > 0:
        gain(state, seat, _COIN, -cost)
    state["tally"][seat, _RECRUITED] += 1
    state["recruited_ever"][seat] |= 1 << member
    emit(Event.RECRUITED, seat, member, cost, 0)
    if state["minions_in_town"] != 0:
        loss = standing(state, tables, _RECRUIT_REPUTATION)
        if loss > 0:
            reputation_by(state, tables, seat, -loss)
    own_member(state, tables, seat, member)
    fill_track(state, backstage, place)
    if pop(state["party"][seat]) < PARTY and same_faction(state, tables, seat, member) == 0:
        join_party(state, tables, seat, member)


# --- the active party (rule 12) -------------------------------------------------------------------


@rare
def party_choices(state, tables, seat):
    """Return who can join the active party now: each member moves once at most in a window."""
    legal = 1
    waiting = state["members"][seat] & ~state["party"][seat] & ~state["moved_members"]
    if waiting == 0:
        return legal
    full = pop(state["party"][seat]) >= PARTY
    can_leave = state["party"][seat] & ~state["moved_members"] != 0
    while waiting != 0:
        member = lowest(waiting)
        waiting &= waiting - 1
        rival = same_faction(state, tables, seat, member)
        if rival != 0:
            if state["moved_members"] >> (rival - 1) & 1 == 0:
                legal |= 2 << member
        elif not full or can_leave:
            legal |= 2 << member
    return legal


@rare
def party_out_choices(state, tables, seat, member):
    """Return who may leave for a member that joins; 0 if nobody has to."""
    rival = same_faction(state, tables, seat, member)
    if rival != 0:
        return 1 << rival
    if pop(state["party"][seat]) < PARTY:
        return 0
    return (state["party"][seat] & ~state["moved_members"]) << 1


@rare
def change_party(state, tables, seat, joins, leaves):
    """Let a member join the active party, and another one leave it (-1: nobody)."""
    if leaves >= 0:
        leave_party(state, tables, seat, leaves)
        state["moved_members"] |= 1 << leaves
    join_party(state, tables, seat, joins)
    state["moved_members"] |= 1 << joins
    trim_hearts(state, tables, seat)


# --- Stables (rule 3), Farm (rule 5), Hut (rule 6) ------------------------------------------------


@rare
def stables_choices(state, tables, seat):
    """Return how many pack birds a seat can buy."""
    most = min(tables["birds_per_visit"], tables["most_birds"] - state["birds"][seat])
    legal = 1
    coins = 0
    if state["minions_in_town"] != 0:
        coins = standing(state, tables, _BIRD_COINS)
    for birds in range(1, most + 1):
        if (
            state["goods"][seat, _FOOD] >= birds * tables["bird_food"]
            and state["goods"][seat, _COIN] >= birds * coins
        ):
            legal |= 1 << birds
    return legal


@rare
def buy_birds(state, tables, seat, birds):
    """Buy pack birds with food, and with coins where a minion wants some (rule 65)."""
    if birds > 0:
        gain(state, seat, _FOOD, -birds * tables["bird_food"])
        if state["minions_in_town"] != 0:
            coins = standing(state, tables, _BIRD_COINS)
            if coins > 0:
                gain(state, seat, _COIN, -birds * coins)
        state["birds"][seat] += birds
        emit(Event.BIRD, seat, state["birds"][seat], birds, 0)


@rare
def farm(state, tables, seat):
    """Gain food for the skill of the active party (rule 5)."""
    food = party_power(state, seat, _SKILL)
    if tables["farm_cards"] != 0:
        food = power(state, seat, _SKILL)
    if food > 0:
        gain(state, seat, _FOOD, food)


@rare
def old_hut(state, tables, seat):
    """Draw treasure with a pack bird (rule 6, the Hut of the base game)."""
    if state["birds"][seat] > 0:
        state["treasures_due"] += tables["hut_treasures"]


# --- General Store (rules 4 and 45) ---------------------------------------------------------------


@rare
def enter_store(state, tables, seat):
    """Do what a visit of the General Store brings at once: the expert die, coin and hearts."""
    if (
        tables["expert_dice"] != 0
        and state["expert"][seat] == 0
        and tables["expert_die"][seat] != 2
    ):
        state["expert"][seat] = 1
        if state["first_expert"] == 0:
            state["first_expert"] = 1 + seat
        state["tally"][seat, _EXPERT_TURN] = state["tally"][seat, _TURNS]
        emit(Event.EXPERT_DIE, seat, 0, 0, 0)
    if tables["new_general_store"] != 0:
        gain(state, seat, _COIN, tables["store_coin"])
        gain_hearts(state, tables, seat, tables["store_hearts"])
        state["store_camp"] = 1


@rare
def store_choices(state, tables):
    """Return the mixes of basic and advanced artifacts that can be drawn, and the coin.

    The new store gives its coin anyway; there 0 is legal only if too few cards are left.
    """
    discard = state["artifact_discard"]
    basic = pop(state["basic_deck"] | discard & tables["basic_cards"])
    advanced = pop(state["advanced_deck"] | discard & tables["advanced_cards"])
    legal = 0
    for number in range(tables["store_cards"] + 1):
        if number <= basic and tables["store_cards"] - number <= advanced:
            legal |= 2 << number
    if legal == 0 or tables["new_general_store"] == 0:
        legal |= 1
    return legal


@rare
def draw_artifact(state, tables, backstage, seat, basic):
    """Return the next artifact of a deck; an empty deck is its shuffled discards."""
    if basic:
        if state["basic_deck"] == 0:
            state["basic_deck"] = state["artifact_discard"] & tables["basic_cards"]
            state["artifact_discard"] &= ~tables["basic_cards"]
            state["basic_shuffles"] += 1
        card = pick_card(backstage, _BASIC, state["basic_shuffles"], state["basic_deck"])
        state["basic_deck"] &= ~(1 << card)
    else:
        if state["advanced_deck"] == 0:
            state["advanced_deck"] = state["artifact_discard"] & tables["advanced_cards"]
            state["artifact_discard"] &= ~tables["advanced_cards"]
            state["advanced_shuffles"] += 1
        card = pick_card(backstage, _ADVANCED, state["advanced_shuffles"], state["advanced_deck"])
        state["advanced_deck"] &= ~(1 << card)
    state["seen"][seat] |= 1 << card
    return card


@rare
def shop(state, tables, backstage, seat, choice):
    """Take the coin, or draw artifacts and lay them out to choose from (rule 4)."""
    if choice == 0:
        if tables["new_general_store"] == 0:
            gain(state, seat, _COIN, tables["store_coin"])
        return
    for number in range(tables["store_cards"]):
        card = draw_artifact(state, tables, backstage, seat, number < choice - 1)
        state["offer"][number] = 1 + card
    state["offer_size"] = tables["store_cards"]


# --- artifacts (rule 24) --------------------------------------------------------------------------


@rule
def has_reputation(state, tables, seat, card):
    """Say whether a seat has the reputation that an artifact wants, high or low."""
    wanted = tables["artifact_reputation"][card]
    reputation = state["reputation"][seat]
    # without jumps, which could not be guessed
    return ((wanted <= 0) | (reputation >= wanted)) & ((wanted >= 0) | (reputation <= wanted))


@rare
def price(state, tables, seat, card, good):
    """Return how many of a kind of goods an artifact costs; the Almanac saves a coin (A-48)."""
    cost = tables["artifact_cost"][card, good]
    if good == _COIN and state["abilities"][seat] & _ALMANAC != 0:
        cost = max(0, cost - tables["almanac_coins"])
    return cost


@rare
def buy_choices(state, tables, seat):
    """Return the artifacts of the hand that can be bought now, as bits of BUY, without 0."""
    legal = 0
    cards = state["hand"][seat] & ~tables["forbid_artifacts"][seat]
    if cards == 0:
        return legal
    saved = tables["almanac_coins"] if state["abilities"][seat] & _ALMANAC != 0 else 0
    word = purse(state, seat, saved)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        can_pay = short_of(word, tables["artifact_price"][card]) == 0
        can_buy = can_pay & has_reputation(state, tables, seat, card)
        legal |= np.int64(can_buy) << (1 + card)
    return legal


@rare
def buy_artifact(state, tables, seat, card):
    """Buy an artifact; in the new General Store an advanced one earns a camp there (rule 45)."""
    emit(Event.BOUGHT, seat, card, 0, 0)
    for good in range(GOODS):
        cost = price(state, tables, seat, card, good)
        if cost > 0:
            gain(state, seat, good, -cost)
    state["hand"][seat] &= ~(1 << card)
    state["bought"][seat] |= 1 << card
    state["card_symbols"][seat] += tables["artifact_symbols"][card]
    state["abilities"][seat] |= tables["artifact_ability"][card]
    state["running"][seat] += tables["artifact_points"][card]
    state["tally"][seat, _BOUGHT] += 1
    if tables["advanced_cards"] >> card & 1 != 0:
        state["tally"][seat, _ADVANCED_BOUGHT] += 1
        if state["store_camp"] != 0 and state["store_camps_left"] > 0:
            state["store_camp"] = 0
            if put_camp(state, tables, seat, _STORE_CAMP, 0) != 0:
                state["store_camps_left"] -= 1
                state["store_camps"][seat] += 1


# --- the mine of the base game (rule 7) -----------------------------------------------------------


@rare
def area_choices(state, tables, seat):
    """Return the areas where a seat can dig, as bits of MINE_AREA.

    An area must be free and next to any camp in the mine, or one where the first may stand; the
    skill of party and cards must reach its number, and there must be a camp to place.
    """
    legal = 1
    if state["tents"][seat] == 0:
        return legal
    skill = power(state, seat, _SKILL)
    near = tables["area_start"]
    taken = 0
    for area in range(tables["areas"]):
        if state["area_camp"][area] != 0:
            taken |= 1 << area
            near |= tables["area_adjacent"][area]
    near &= ~taken
    for area in range(tables["areas"]):
        if near >> area & 1 != 0 and skill >= tables["area_skill"][area]:
            legal |= 2 << area
    return legal


@rare
def dig_area(state, tables, seat, area):
    """Place a camp in an area of the mine and take its reward."""
    if put_camp(state, tables, seat, _MINE_CAMP, area) != 0:
        state["area_camp"][area] = 1 + seat
        state["mine_camps"][seat] += 1
    give(state, tables, seat, tables["area_reward"][area])
