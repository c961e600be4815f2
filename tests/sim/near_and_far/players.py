"""Scripted players for tests, so that tests of the rules do not lean on the strategies."""

from __future__ import annotations

from typing import Any

from sim.jit import rule


def busy(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Take choices all over the range, by turn and goods: much happens."""
    legal = state["legal"]
    count = 0
    rest = legal
    while rest != 0:
        rest &= rest - 1
        count += 1
    if prompt == 4 and legal & 1 != 0 and state["turn"] % 3 != 0:  # TURN: adventure
        return 0
    seat = state["seat"]
    start = state["turn"] * 7 + state["goods"][seat, 0] * 3 + state["goods"][seat, 1]
    pick = (start + state["movement"] * 5 + state["hearts"][seat]) % count
    for _ in range(pick):
        legal &= legal - 1
    choice = 0
    while legal & 1 == 0:
        legal >>= 1
        choice += 1
    return choice


@rule
def settler_turn(state: Any, tables: Any, legal: Any, seat: Any) -> Any:
    """Choose a turn: out as long as there are hearts, else what is lacking."""
    if legal >> 8 & 1 != 0:
        return 8
    if legal >> 23 & 1 != 0 and state["turn"] % 3 == 1:  # gifts
        return 23
    out = legal & 1
    hearts = state["hearts"][seat]
    members = 0
    rest = state["members"][seat]
    while rest != 0:
        rest &= rest - 1
        members += 1
    own_turn = state["turn"] // state["players"]
    if out != 0 and state["place"][seat] == 9 and hearts >= 5 and own_turn % 4 != 0:
        return 0
    if members < 3 and legal >> 2 & 1 != 0 and state["goods"][seat, 1] >= 3:
        return 2
    if out != 0 and state["place"][seat] != 9 and own_turn % 3 == 2:
        return 0
    order = (own_turn * 5 + seat) % 7
    wanted = 1 + order
    if state["goods"][seat, 0] < 2:
        wanted = 5
    elif state["birds"][seat] < 3 and own_turn % 2 == 0:
        wanted = 3
    elif own_turn % 3 == 0:
        wanted = 7
    for more in range(7):
        place = 1 + (wanted - 1 + more) % 7
        if legal >> place & 1 != 0:
            return place
    return 0


@rule
def settler_move(state: Any, tables: Any, legal: Any, seat: Any) -> Any:
    """Go towards the nearest quest, or the nearest free space; stop there."""
    space = state["space"][seat]
    free = ~(state["camped"] | tables["no_camp"])
    wanted = state["tokens"]
    if wanted == 0 or state["tents"][seat] < 6:
        wanted |= free
    if wanted >> space & 1 != 0 and (state["entered"] != 0 or state["tokens"] >> space & 1 != 0):
        return 0
    if free >> space & 1 != 0 and state["entered"] != 0 and state["hearts"][seat] < 5:
        return 0
    best = 0
    nearest = 1000
    for place in range(8):
        if legal >> (1 + place) & 1 != 0:
            to = tables["road_to"][space, place] - 1
            for goal in range(tables["spaces"]):
                if wanted >> goal & 1 != 0:
                    far = 10 * tables["distance"][to, goal] + 3 * (free >> to & 1)
                    far += 5 * tables["road_threat"][tables["road"][space, place]]
                    if far < nearest:
                        nearest = far
                        best = 1 + place
    return best


def settler(state: Any, tables: Any, prompt: Any, weights: Any) -> Any:
    """Play with a purpose: recruit, feed, go out, camp, dig, buy what can be bought.

    Prompts and choices are written as numbers, which is what compiled code sees.
    """
    legal = state["legal"]
    seat = state["seat"]
    highest = 62
    while legal >> highest & 1 == 0:
        highest -= 1
    lowest = 0
    while legal >> lowest & 1 == 0:
        lowest += 1
    if prompt == 2:  # DRAFT: most points
        best = lowest
        for card in range(62):
            if (
                legal >> card & 1 != 0
                and tables["artifact_points"][card] > tables["artifact_points"][best]
            ):
                best = card
        return best
    if prompt == 3:  # KEEP: two cards, or as few as may be
        for kept in (3, 1, 2):
            if legal >> kept & 1 != 0 and state["turn"] == 0:
                return kept
        return 1 if legal & 2 != 0 and state["turn"] % 3 == 0 else 0
    if prompt == 4:  # TURN
        return settler_turn(state, tables, legal, seat)
    if prompt == 5:  # DUEL: honestly
        for choice in range(10):
            if legal >> choice & 1 != 0 and choice & 1 == 0:
                return choice
        return lowest
    if prompt == 6:  # TOWN_HALL: reputation for gems
        return 17 if legal >> 17 & 1 != 0 and state["goods"][seat, 2] > 4 else 0
    if prompt == 7 or prompt == 12 or prompt == 14 or prompt == 26:  # highest does
        return highest if prompt != 14 else lowest
    if prompt == 9:  # RECRUIT: who costs most
        best = 0
        most = -1
        for place in range(8):
            if legal >> (1 + place) & 1 != 0:
                cost = tables["member_cost"][state["track"][place] - 1]
                if cost > most:
                    most = cost
                    best = 1 + place
        return best
    if prompt == 10 or prompt == 11:  # STABLES, STORE
        return highest
    if prompt == 16:  # MINE_START: a camp of one's own, the last one
        return highest
    if prompt == 17:  # MINE_MOVE: camp if possible, else go on
        if legal >> 5 & 1 != 0 and state["mine_depth"] > 1:
            return 5
        for direction in (2, 3, 1, 4):
            if (
                legal >> direction & 1 != 0
                and (state["turn"] + state["mine_card"]) % 5 != direction
            ):
                return direction
        return 5 if legal >> 5 & 1 != 0 else 0
    if prompt == 18:  # PARTY: whoever can join if there is room
        party = state["party"][seat]
        size = 0
        while party != 0:
            party &= party - 1
            size += 1
        return highest if size < 4 and legal > 1 else 0
    if prompt == 20:  # MOVE
        return settler_move(state, tables, legal, seat)
    if prompt == 21:  # THREAT: by caution, else fight
        return 1 if legal & 2 != 0 else 0
    if prompt == 22:  # QUEST: the way with the better symbols
        space = state["space"][seat]
        word = state["party_symbols"][seat] + state["card_symbols"][seat]
        first = (word >> (8 * tables["quest_symbol"][space, 0]) & 127) - tables["quest_need"][
            space, 0
        ]
        second = (word >> (8 * tables["quest_symbol"][space, 1]) & 127) - tables["quest_need"][
            space, 1
        ]
        return 2 if second > first else 1
    if prompt == 23:  # CAMP
        return 1
    if prompt == 24 or prompt == 25:  # BEFORE_ROLL, REROLL
        return lowest
    if prompt == 27 or prompt == 15 or prompt == 30:  # BUY, MINE_AREA, BOSS
        return highest
    if prompt == 28 or prompt == 29:  # GIVE, MINION: some of the time
        return highest if (state["turn"] + state["goods"][seat, 1]) % 3 != 0 else 0
    return lowest
