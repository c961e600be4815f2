"""The end of a game: journey points by source, and who wins ("End of the game")."""

from __future__ import annotations

import numpy as np

from sim.choices import lowest
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import pop
from sim.near_and_far.mine import amber_of
from sim.near_and_far.state import (
    FACTIONS,
    GOODS,
    KEYWORDS,
    RESOURCES,
    SOURCES,
    TOKEN,
    Ability,
    Event,
    Source,
    Status,
)

_ARTIFACTS = np.int64(Source.ARTIFACTS)
_UNBOUGHT = np.int64(Source.UNBOUGHT)
_CAMPS = np.int64(Source.CAMPS)
_ALL_CAMPS = np.int64(Source.ALL_CAMPS)
_THREATS = np.int64(Source.THREATS)
_ROUTES = np.int64(Source.ROUTES)
_QUESTS = np.int64(Source.QUESTS)
_TREASURES = np.int64(Source.TREASURES)
_TREASURE_SET = np.int64(Source.TREASURE_SET)
_AMBER = np.int64(Source.AMBER)
_MAGIC = np.int64(Source.MAGIC)
_SPELLS = np.int64(Source.SPELLS)
_REPUTATION = np.int64(Source.REPUTATION)
_CHIEFS = np.int64(Source.CHIEFS)
_GOODS = np.int64(Source.GOODS)
_TALENTS = np.int64(Source.TALENTS)
_KEYWORDS = np.int64(Source.KEYWORDS)
_MERCHANT_PACK = np.int64(Ability.MERCHANT_PACK)


@rule
def carries_set(state, tables, seat):
    """Say whether a seat has the birds, or the Merchant Pack, for a set of treasures (NF-T21)."""
    birds = state["birds"][seat]
    return birds >= tables["set_treasures"] or state["abilities"][seat] & _MERCHANT_PACK != 0


@rare
def card_points(state, tables, seat):
    """Score artifacts, unbought ones, threats and treasures (6.1, 6.2, 6.4, 6.7)."""
    points = 0
    bits = state["bought"][seat]
    while bits != 0:
        points += tables["artifact_points"][lowest(bits)]
        bits &= bits - 1
    state["points"][seat, _ARTIFACTS] = points
    state["points"][seat, _UNBOUGHT] = pop(state["hand"][seat]) * tables["unbought_points"]
    points = 0
    for threat in range(tables["threats"]):
        if state["threat_owner"][threat] == seat + 1:
            points += tables["threat_points"][threat]
    state["points"][seat, _THREATS] = points
    points = 0
    bits = state["treasures"][seat]
    while bits != 0:
        points += tables["treasure_points"][lowest(bits)]
        bits &= bits - 1
    state["points"][seat, _TREASURES] = points
    held = pop(state["treasures"][seat])
    if held >= tables["set_treasures"] and carries_set(state, tables, seat):
        state["points"][seat, _TREASURE_SET] = tables["set_points"]


@rare
def camp_points(state, tables, seat):
    """Score camps, wherever they stand, and all of them placed (6.3)."""
    state["points"][seat, _CAMPS] = (tables["tents"] - state["tents"][seat]) * tables["camp_points"]
    if state["tents"][seat] == 0:
        state["points"][seat, _ALL_CAMPS] = tables["all_camps_points"]


@rare
def route_points(state, tables):
    """Score trade routes: both spaces of a resource, alone or jointly (rule 23, 6.5)."""
    for resource in range(RESOURCES):
        first = tables["route_space"][resource, 0]
        second = tables["route_space"][resource, 1]
        if first == second:  # the map has no such route
            continue
        one = state["camp"][first]
        other = state["camp"][second]
        if one == 0 or other == 0:
            continue
        if one == other:
            state["points"][one - 1, _ROUTES] += tables["route_alone"][resource]
            state["route_share"][resource] = one
        else:
            state["points"][one - 1, _ROUTES] += tables["route_joint"][resource]
            state["points"][other - 1, _ROUTES] += tables["route_joint"][resource]
            state["route_share"][resource] = 8 | 1 << (one - 1 + 4) | 1 << (other - 1 + 4)


@rare
def places_of(values, players, seat):
    """Return a seat's place by amount: 1 most, 2 second most, ...; ties share the better place.

    The place counts different higher amounts, not seats: who comes after a shared first place is
    second (A-15).
    """
    place = 1
    for other in range(players):
        if values[other] > values[seat]:
            fresh = True
            for earlier in range(other):
                if values[earlier] == values[other]:
                    fresh = False
            if fresh:
                place += 1
    return place


@rare
def amber_points(state, tables):
    """Score amber: most and second most, ties in full, nothing for none (rule 35, A-15, A-16)."""
    players = state["players"]
    for seat in range(players):
        state["amber"][seat] = amber_of(state, tables, seat)
    if tables["amber_mines"] == 0:
        return
    for seat in range(players):
        place = places_of(state["amber"], players, seat)
        if state["amber"][seat] > 0 and place <= 2:
            state["points"][seat, _AMBER] = tables["amber_points"][place - 1]


@rare
def magic_points(state, tables):
    """Score the magic track and spells (rule 43; NF-T18, NF-T19)."""
    players = state["players"]
    for seat in range(players):
        state["points"][seat, _SPELLS] = pop(state["spells"][seat]) * tables["spell_points"]
        if state["magic"][seat] > 0 and places_of(state["magic"], players, seat) == 1:
            state["points"][seat, _MAGIC] = tables["magic_points"]


@rare
def goods_points(state, tables, seat):
    """Score reputation and what is left of goods, if the profile says so (A-3)."""
    if tables["reputation_steps"] > 0 and state["reputation"][seat] > 0:
        state["points"][seat, _REPUTATION] = state["reputation"][seat] // tables["reputation_steps"]
    if tables["goods_step"] > 0:
        value = 0
        for good in range(GOODS):
            value += state["goods"][seat, good] * tables["good_value"][good]
        state["points"][seat, _GOODS] = value // tables["goods_step"]


@rare
def chief_of(state, faction):
    """Return who has most banners of a faction, tokens too; -1 for nobody and for equals."""
    best = 0
    owner = -1
    for seat in range(state["players"]):
        banners = state["banners"][seat, faction] + state["goods"][seat, TOKEN + 1 + faction]
        if banners > best:
            best = banners
            owner = seat
        elif banners == best:
            owner = -1
    return owner


@rare
def chief_points(state, tables):
    """Score chiefs: most banners of a faction; nobody's where that is shared (A-3, A-34)."""
    for faction in range(FACTIONS):
        if tables["chief_points"][faction] == 0:
            continue
        owner = chief_of(state, faction)
        if owner >= 0:
            state["points"][owner, _CHIEFS] += tables["chief_points"][faction]


@rare
def story_points(state, tables, seat):
    """Score rewards, keywords of a scenario (rule 67), the Storytelling talent (6.6)."""
    state["points"][seat, _QUESTS] = state["journey"][seat]
    points = 0
    for keyword in range(KEYWORDS):
        if state["keywords"][seat] >> keyword & 1 != 0:
            points += tables["keyword_points"][keyword]
    state["points"][seat, _KEYWORDS] = points
    if (
        tables["storytelling_points"] != 0
        and places_of(state["reputation"], state["players"], seat) == 1
    ):
        state["points"][seat, _TALENTS] = tables["storytelling_points"]


@rare
def score(state, tables):
    """Score the game: `points` by source and `total` of each seat."""
    for seat in range(state["players"]):
        for source in range(SOURCES):
            state["points"][seat, source] = 0
        card_points(state, tables, seat)
        camp_points(state, tables, seat)
        goods_points(state, tables, seat)
        story_points(state, tables, seat)
    route_points(state, tables)
    amber_points(state, tables)
    magic_points(state, tables)
    chief_points(state, tables)
    for seat in range(state["players"]):
        total = 0
        for source in range(SOURCES):
            total += state["points"][seat, source]
            if state["points"][seat, source] != 0:
                emit(Event.SCORE, seat, source, state["points"][seat, source], 0)
        state["total"][seat] = total


@rare
def enough(state, tables, points):
    """Say whether a team has points enough: more than the number at the time token for each (A-5).

    In the other reading as many are enough.
    """
    needed = state["players"] * state["time_value"]
    return points > needed or (points == needed and tables["coop_at_least"] != 0)


@rare
def finish(state, tables):
    """Score and name the winners: most journey points, ties share the win (A-33)."""
    score(state, tables)
    best = -(1 << 30)
    for seat in range(state["players"]):
        best = max(best, state["total"][seat])
    for place in range(state["players"]):
        seat = (state["first_seat"] + place) % state["players"]
        if state["total"][seat] == best:
            if state["winner"] < 0:
                state["winner"] = seat
                state["winners"] |= 1 << seat
            elif tables["shared_win"] != 0:
                state["winners"] |= 1 << seat
    state["status"] = Status.WON
    for seat in range(state["players"]):
        if state["winners"] >> seat & 1 != 0:
            emit(Event.WON, seat, state["total"][seat], 0, 0)
