"""What a finished game leaves behind: rows, counters, the metrics they feed."""

from __future__ import annotations

import numpy as np

from sim.game import REPLICATES, WIN_UNIT, Metric
from sim.jit import rare, rule
from sim.near_and_far.basics import pop
from sim.near_and_far.scoring import enough
from sim.near_and_far.state import (
    FACES,
    FIRST_COMPANION,
    GAP_ROUNDS,
    GAPS,
    MAX_ARTIFACTS,
    MAX_SEATS,
    MAX_SPACES,
    MAX_THREATS,
    MINE_DEPTHS,
    MINE_WANTED,
    QUEST_WAYS,
    RESOURCES,
    Good,
    Source,
    Status,
    Tally,
)

_i2 = np.int16
CARDS = MAX_ARTIFACTS + FIRST_COMPANION  # artifacts, then adventurers, on one axis

_NOTED = tuple(GAP_ROUNDS * (place + 1) for place in range(GAPS))  # rounds
GAP_FIELDS = tuple(f"gap_r{number}" for number in _NOTED)
BOSS_FIELDS = tuple(f"bosses_r{number}" for number in _NOTED)
_TEAM_GAME = (
    "team_won",
    "team_points",  # of all seats
    "team_needed",  # number at the time token x players: more are needed
    "team_margin",
    "time_value",  # number at the token at the end, the last one if time ran out
    "bosses_left",
    "skull",  # 1: time ran out
    "points_short",  # 1: too few points
    "minions_drawn",
    "minions_beaten",
    "gifts",  # things given
    # after rounds 4, 8, ...: certain points less those needed then (NO_GAP: the game was over),
    # and bosses left (-1)
    *GAP_FIELDS,
    *BOSS_FIELDS,
)

GAME_ROW = np.dtype(
    [
        ("game", np.int64),
        ("status", _i2),  # Status
        ("turns", _i2),  # of all players together
        ("rounds", _i2),
        ("winner", _i2),  # seat from 0, -1 for none; the first of several
        ("winners", _i2),
        ("start_seat", _i2),
        ("lead_changes", _i2),
        ("capped", _i2),
        ("illegal", _i2),
        ("ended_by", _i2),  # 0 nothing, 1 quest tokens ran out, 2 all camps placed
        ("ender", _i2),  # seat from 0 that brought the end about, -1 for none
        ("spread", _i2),  # most less fewest journey points
        ("best", _i2),  # journey points of the winner
        ("margin", _i2),  # to the second
        ("threats_beaten", _i2),
        ("quests_left", _i2),
        ("mine_cards", _i2),  # laid out
        ("routes_alone", _i2),
        ("routes_joint", _i2),
        ("duels", _i2),
        ("honest_duels", _i2),
        ("honest_won", _i2),
        ("dishonest_won", _i2),
        # when the first player has a quarter, a half, three quarters of the camps placed: who leads
        # by certain points (-1: never) and by how many
        ("leader_q1", _i2),
        ("leader_q2", _i2),
        ("leader_q3", _i2),
        ("lead_q1", _i2),
        ("lead_q2", _i2),
        ("lead_q3", _i2),
        *((name, _i2) for name in _TEAM_GAME),  # 0 where there is no team
    ]
)

# fields of a seat's row that are its tallies, in the order of `Tally`
_TALLIED = tuple(name.name.lower() for name in Tally)
# points by source: `points_artifacts`, ...
_SCORED = tuple(f"points_{name.name.lower()}" for name in Source)

SEAT_ROW = np.dtype(
    [
        ("slot", _i2),  # index in the lineup, from 0
        ("win", _i2),  # twelfths
        ("score", _i2),  # journey points
        ("camps", _i2),  # placed
        ("map_camps", _i2),
        ("mine_camps", _i2),
        ("threat_camps", _i2),
        ("store_camps", _i2),
        ("magic_camps", _i2),
        ("boss_camps", _i2),
        ("reputation", _i2),
        ("coins", _i2),  # left over
        ("gems", _i2),
        ("food", _i2),
        ("hearts", _i2),
        ("birds", _i2),
        ("members", _i2),  # owned, the companion too
        ("artifacts_bought", _i2),
        ("artifacts_unbought", _i2),
        ("treasures_held", _i2),
        ("amber", _i2),
        ("magic", _i2),
        ("spells", _i2),
        ("expert", _i2),  # owns an expert die
        ("first_expert", _i2),  # was the first to own one by a visit
        ("routes_alone", _i2),
        ("routes_joint", _i2),
        ("ended", _i2),  # brought the end about
        *((name, _i2) for name in _TALLIED),
        *((name, _i2) for name in _SCORED),
    ]
)

# fields that say something in cooperative games only
TEAM_FIELDS = frozenset(
    (
        *_TEAM_GAME,
        *("boss_camps", "gifts_taken", "minion_fights", "minions_covered"),
        *("boss_fights", "bosses_beaten"),
    )
)

COUNTERS = np.dtype(
    [
        # by [replicate, slot, standard or expert die, number shown]: throws
        ("faces", np.int64, (REPLICATES, MAX_SEATS, 2, FACES)),
        # by [replicate, cards entered less one, die it takes less one, thrown back or stayed]
        ("mine", np.int64, (REPLICATES, MINE_DEPTHS, MINE_WANTED, 2)),
        # by [replicate, cards entered, left without or with a camp]: visits to the Amber Mine
        ("visits", np.int64, (REPLICATES, MINE_DEPTHS + 1, 2)),
        # by [replicate, space, way, failed or done or done with the bonus]: quests tried
        ("quests", np.int64, (REPLICATES, MAX_SPACES, QUEST_WAYS, 3)),
        # by [replicate, space]: games in which a quest token was laid there
        ("tokens", np.int64, (REPLICATES, MAX_SPACES)),
        # by [replicate, slot, threat of the stack, lost or won]: fights
        ("fights", np.int64, (REPLICATES, MAX_SEATS, MAX_THREATS, 2)),
        # by [replicate, slot, artifact or MAX_ARTIFACTS + adventurer, what]: games in which the
        # slot bought it, and those of them that it won, in twelfths
        ("bought", np.int64, (REPLICATES, MAX_SEATS, CARDS, 2)),
        # by [replicate, number as above]: games in which somebody could have it
        ("seen", np.int64, (REPLICATES, CARDS)),
    ]
)


@rule
def wins(state, seat):
    """Return a seat's part of the win in twelfths; ties share it, a team wins as one."""
    if state["winners"] >> seat & 1 == 0:
        return 0
    if state["together"] != 0:
        return WIN_UNIT
    return WIN_UNIT // pop(state["winners"])


@rare
def note_cards(state, tables, backstage):
    """Count which artifacts and adventurers could be had, and who had them."""
    replicate = backstage["replicate"]
    seen = 0
    for seat in range(state["players"]):
        seen |= state["seen"][seat]
    for number in range(MAX_ARTIFACTS):
        backstage["seen"][replicate, number] += seen >> number & 1
    seen = tables["adventurers"]
    if state["bag_shuffles"] == 0:  # else all were on the track before the bag was filled again
        seen &= ~state["bag"]
    for number in range(FIRST_COMPANION):
        backstage["seen"][replicate, MAX_ARTIFACTS + number] += seen >> number & 1
    for seat in range(state["players"]):
        slot = backstage["slots"][seat]
        win = wins(state, seat)
        bits = state["bought"][seat]
        number = 0
        while bits != 0:
            if bits & 1 != 0:
                backstage["bought"][replicate, slot, number, 0] += 1
                backstage["bought"][replicate, slot, number, 1] += win
            bits >>= 1
            number += 1
        bits = state["recruited_ever"][seat]
        number = MAX_ARTIFACTS
        while bits != 0:
            if bits & 1 != 0:
                backstage["bought"][replicate, slot, number, 0] += 1
                backstage["bought"][replicate, slot, number, 1] += win
            bits >>= 1
            number += 1


@rare
def record_seat(state, tables, backstage, seat, row):
    """Write the row of a seat."""
    row["slot"] = backstage["slots"][seat]
    row["win"] = wins(state, seat)
    row["score"] = state["total"][seat]
    row["camps"] = tables["tents"] - state["tents"][seat]
    row["map_camps"] = pop(state["map_camps"][seat])
    row["mine_camps"] = state["mine_camps"][seat]
    row["threat_camps"] = state["threat_camps"][seat]
    row["store_camps"] = state["store_camps"][seat]
    row["magic_camps"] = state["magic_camps"][seat]
    row["boss_camps"] = state["boss_camps"][seat]
    row["reputation"] = state["reputation"][seat]
    row["coins"] = state["goods"][seat, Good.COIN]
    row["gems"] = state["goods"][seat, Good.GEM]
    row["food"] = state["goods"][seat, Good.FOOD]
    row["hearts"] = state["hearts"][seat]
    row["birds"] = state["birds"][seat]
    row["members"] = pop(state["members"][seat])
    row["artifacts_bought"] = pop(state["bought"][seat])
    row["artifacts_unbought"] = pop(state["hand"][seat])
    row["treasures_held"] = pop(state["treasures"][seat])
    row["amber"] = state["amber"][seat]
    row["magic"] = state["magic"][seat]
    row["spells"] = pop(state["spells"][seat])
    row["expert"] = state["expert"][seat]
    row["first_expert"] = 1 if state["first_expert"] == seat + 1 else 0
    row["routes_alone"] = 0
    row["routes_joint"] = 0
    for resource in range(RESOURCES):
        share = state["route_share"][resource]
        if share == seat + 1:
            row["routes_alone"] += 1
        elif share >= 8 and share >> (seat + 4) & 1 != 0:
            row["routes_joint"] += 1
    row["ended"] = 1 if state["ended_by"] == seat + 1 else 0


@rare
def record_tallies(state, seat, row):
    """Write what was counted for a seat."""
    tally = state["tally"][seat]
    row["turns"] = tally[Tally.TURNS]
    row["town_visits"] = tally[Tally.TOWN_VISITS]
    row["adventures"] = tally[Tally.ADVENTURES]
    row["steps"] = tally[Tally.STEPS]
    row["duels"] = tally[Tally.DUELS]
    row["duels_won"] = tally[Tally.DUELS_WON]
    row["dishonest"] = tally[Tally.DISHONEST]
    row["duels_dishonest_won"] = tally[Tally.DUELS_DISHONEST_WON]
    row["defences"] = tally[Tally.DEFENCES]
    row["defences_won"] = tally[Tally.DEFENCES_WON]
    row["threats_fought"] = tally[Tally.THREATS_FOUGHT]
    row["threats_beaten"] = tally[Tally.THREATS_BEATEN]
    row["threats_passed"] = tally[Tally.THREATS_PASSED]
    row["quests_tried"] = tally[Tally.QUESTS_TRIED]
    row["quests_done"] = tally[Tally.QUESTS_DONE]
    row["quest_bonuses"] = tally[Tally.QUEST_BONUSES]
    row["mine_rolls"] = tally[Tally.MINE_ROLLS]
    row["mine_back"] = tally[Tally.MINE_BACK]
    row["mine_visits"] = tally[Tally.MINE_VISITS]
    row["mine_cards"] = tally[Tally.MINE_CARDS]
    row["recruited"] = tally[Tally.RECRUITED]
    row["bought"] = tally[Tally.BOUGHT]
    row["advanced_bought"] = tally[Tally.ADVANCED_BOUGHT]
    row["treasures_drawn"] = tally[Tally.TREASURES_DRAWN]
    row["spells_cast"] = tally[Tally.SPELLS_CAST]
    row["hearts_spent"] = tally[Tally.HEARTS_SPENT]
    row["hearts_crossing"] = tally[Tally.HEARTS_CROSSING]
    row["rolls"] = tally[Tally.ROLLS]
    row["food_for_rerolls"] = tally[Tally.FOOD_FOR_REROLLS]
    row["rerolls"] = tally[Tally.REROLLS]
    row["expert_turn"] = tally[Tally.EXPERT_TURN]
    row["coins_gained"] = tally[Tally.COINS_GAINED]
    row["gems_gained"] = tally[Tally.GEMS_GAINED]
    row["gifts"] = tally[Tally.GIFTS]
    row["gifts_taken"] = tally[Tally.GIFTS_TAKEN]
    row["minion_fights"] = tally[Tally.MINION_FIGHTS]
    row["minions_covered"] = tally[Tally.MINIONS_COVERED]
    row["minions_beaten"] = tally[Tally.MINIONS_BEATEN]
    row["boss_fights"] = tally[Tally.BOSS_FIGHTS]
    row["bosses_beaten"] = tally[Tally.BOSSES_BEATEN]


@rare
def record_points(state, seat, row):
    """Write a seat's journey points by source."""
    points = state["points"][seat]
    row["points_artifacts"] = points[Source.ARTIFACTS]
    row["points_unbought"] = points[Source.UNBOUGHT]
    row["points_camps"] = points[Source.CAMPS]
    row["points_all_camps"] = points[Source.ALL_CAMPS]
    row["points_threats"] = points[Source.THREATS]
    row["points_routes"] = points[Source.ROUTES]
    row["points_quests"] = points[Source.QUESTS]
    row["points_treasures"] = points[Source.TREASURES]
    row["points_treasure_set"] = points[Source.TREASURE_SET]
    row["points_amber"] = points[Source.AMBER]
    row["points_magic"] = points[Source.MAGIC]
    row["points_spells"] = points[Source.SPELLS]
    row["points_reputation"] = points[Source.REPUTATION]
    row["points_chiefs"] = points[Source.CHIEFS]
    row["points_goods"] = points[Source.GOODS]
    row["points_talents"] = points[Source.TALENTS]
    row["points_keywords"] = points[Source.KEYWORDS]


@rare
def record_team(state, tables, row):
    """Write how a cooperative game went; nothing but zeros in others."""
    points = 0
    gifts = 0
    if state["together"] != 0:
        for seat in range(state["players"]):
            points += state["total"][seat]
            gifts += state["tally"][seat, Tally.GIFTS]
    needed = state["time_value"] * state["players"]
    row["team_won"] = 1 if state["together"] != 0 and state["winners"] != 0 else 0
    row["team_points"] = points
    row["team_needed"] = needed
    row["team_margin"] = points - needed
    row["time_value"] = state["time_value"]
    row["bosses_left"] = pop(state["bosses_left"])
    row["skull"] = state["skull"]
    row["points_short"] = 0
    if state["together"] != 0 and not enough(state, tables, points):
        row["points_short"] = 1
    row["minions_drawn"] = state["minions_drawn"]
    row["minions_beaten"] = state["minions_beaten"]
    row["gifts"] = gifts
    gap = state["team_gap"]
    row["gap_r4"] = gap[0]
    row["gap_r8"] = gap[1]
    row["gap_r12"] = gap[2]
    row["gap_r16"] = gap[3]
    row["gap_r20"] = gap[4]
    row["gap_r24"] = gap[5]
    row["gap_r28"] = gap[6]
    row["gap_r32"] = gap[7]
    bosses = state["team_bosses"]
    row["bosses_r4"] = bosses[0]
    row["bosses_r8"] = bosses[1]
    row["bosses_r12"] = bosses[2]
    row["bosses_r16"] = bosses[3]
    row["bosses_r20"] = bosses[4]
    row["bosses_r24"] = bosses[5]
    row["bosses_r28"] = bosses[6]
    row["bosses_r32"] = bosses[7]


@rare
def record(state, tables, backstage, game_row, seat_rows):
    """Write the rows of a finished game; status and winner as the state has them."""
    players = state["players"]
    game_row["status"] = state["status"]
    game_row["turns"] = state["turn"]
    game_row["rounds"] = (state["turn"] + players - 1) // players
    game_row["winner"] = state["winner"]
    game_row["start_seat"] = state["first_seat"]
    game_row["lead_changes"] = state["lead_changes"]
    game_row["capped"] = 1 if state["status"] == Status.CAPPED else 0
    game_row["illegal"] = 1 if state["status"] == Status.ILLEGAL_CHOICE else 0
    game_row["ended_by"] = state["ending"]
    game_row["ender"] = state["ended_by"] - 1
    if state["status"] != Status.WON:
        state["winners"] = 0
    game_row["winners"] = pop(state["winners"])
    note_cards(state, tables, backstage)
    most = -(1 << 30)
    second = most
    fewest = 1 << 30
    duels = 0
    dishonest = 0
    won = 0
    dishonest_won = 0
    for seat in range(players):
        row = seat_rows[seat]
        record_seat(state, tables, backstage, seat, row)
        record_tallies(state, seat, row)
        record_points(state, seat, row)
        total = state["total"][seat]
        fewest = min(fewest, total)
        if total > most:
            second = most
            most = total
        elif total > second:
            second = total
        tally = state["tally"][seat]
        duels += tally[Tally.DUELS]
        dishonest += tally[Tally.DISHONEST]
        won += tally[Tally.DUELS_WON]
        dishonest_won += tally[Tally.DUELS_DISHONEST_WON]
    game_row["spread"] = most - fewest
    game_row["best"] = most
    game_row["margin"] = most - second
    game_row["threats_beaten"] = 0
    for threat in range(tables["threats"]):
        game_row["threats_beaten"] += 1 if state["threat_owner"][threat] != 0 else 0
    game_row["quests_left"] = pop(state["tokens"])
    game_row["mine_cards"] = pop(tables["mine_cards"]) - pop(state["mine_deck"])
    game_row["routes_alone"] = 0
    game_row["routes_joint"] = 0
    for resource in range(RESOURCES):
        share = state["route_share"][resource]
        game_row["routes_alone"] += 1 if 0 < share < 8 else 0
        game_row["routes_joint"] += 1 if share >= 8 else 0
    game_row["duels"] = duels
    game_row["honest_duels"] = duels - dishonest
    game_row["honest_won"] = won - dishonest_won
    game_row["dishonest_won"] = dishonest_won
    game_row["leader_q1"] = state["leader_at"][0]
    game_row["leader_q2"] = state["leader_at"][1]
    game_row["leader_q3"] = state["leader_at"][2]
    game_row["lead_q1"] = state["lead_at"][0]
    game_row["lead_q2"] = state["lead_at"][1]
    game_row["lead_q3"] = state["lead_at"][2]
    record_team(state, tables, game_row)


_SEATS = (("seat",), ("strategy",))
_ALL = ((), ("seat",), ("strategy",))


def _points(source: str, doc: str) -> Metric:
    """Return the metric of one source of journey points."""
    return Metric(
        f"points_{source}", "journey points", "seat", f"points_{source}", by=_ALL, doc=doc
    )


# metrics that say something in cooperative games only
TEAM_METRICS = (
    Metric(
        "team_win_rate",
        "share of games",
        "game",
        "team_won",
        doc="Games that a team wins, in the cooperative mode.",
    ),
    Metric(
        "team_points",
        "journey points",
        "game",
        "team_points",
        statistics=("mean", "sd"),
        doc="Points of a team.",
    ),
    Metric(
        "team_margin",
        "journey points",
        "game",
        "team_margin",
        statistics=("mean", "sd"),
        doc="Points of a team less the number at the time token for each player.",
    ),
    Metric(
        "points_short_rate",
        "share of games",
        "game",
        "points_short",
        doc="Games at whose end a team has too few points.",
    ),
    Metric("bosses_left", "bosses", "game", "bosses_left", doc="Bosses a team has not beaten."),
    Metric("skull_rate", "share of games", "game", "skull", doc="Games in which time runs out."),
    Metric("time_value", "number", "game", "time_value", doc="Number at the time token."),
    Metric("gifts", "things", "game", "gifts", doc="Things that players of a team give away."),
    Metric("minions_drawn", "minions", "game", "minions_drawn", doc="Minions that come to town."),
    Metric("minions_gone", "minions", "game", "minions_beaten", doc="Minions beaten twice."),
)

METRICS = (
    Metric(
        "win_rate",
        "share of games",
        "seat",
        "win",
        scale=WIN_UNIT,
        by=_SEATS,
        doc="Won games; a shared win counts in part.",
    ),
    Metric(
        "score",
        "journey points",
        "seat",
        "score",
        by=_ALL,
        statistics=("mean", "sd", "quantiles"),
        doc="Journey points of a player at the end.",
    ),
    Metric(
        "turns",
        "turns",
        "game",
        "turns",
        statistics=("mean", "sd", "quantiles"),
        doc="Turns of all players together; capped games count with the cap.",
    ),
    Metric(
        "rounds",
        "rounds",
        "game",
        "rounds",
        statistics=("mean", "sd", "quantiles"),
        doc="Rounds per game: turns of each player.",
    ),
    Metric(
        "spread",
        "journey points",
        "game",
        "spread",
        statistics=("mean", "sd"),
        doc="Most less fewest journey points of a game.",
    ),
    Metric("margin", "journey points", "game", "margin", doc="The winner's lead over the second."),
    Metric("lead_changes", "changes", "game", "lead_changes", doc="Changes of the leader."),
    _points("artifacts", "From artifacts bought."),
    _points("unbought", "Lost for artifacts in hand."),
    _points("camps", "From camps, wherever they stand."),
    _points("all_camps", "For having all camps placed."),
    _points("threats", "From threats beaten."),
    _points("routes", "From trade routes."),
    _points("quests", "From rewards in journey points."),
    _points("treasures", "Printed on treasures."),
    _points("treasure_set", "For a full set of treasures."),
    _points("amber", "From amber."),
    _points("magic", "From the magic track."),
    _points("spells", "From spells."),
    _points("reputation", "From reputation, where it scores."),
    _points("chiefs", "From chiefs, where they score."),
    _points("goods", "From goods left over, where they score."),
    _points("talents", "From talents, where they score."),
    _points("keywords", "From keywords of a scenario."),
    Metric("camps", "camps", "seat", "camps", by=_ALL, doc="Camps a player places."),
    Metric("map_camps", "camps", "seat", "map_camps", by=_ALL, doc="Camps on the map."),
    Metric("mine_camps", "camps", "seat", "mine_camps", by=_ALL, doc="Camps in the mine."),
    Metric(
        "quests_done_rate",
        "share of attempts",
        "seat",
        "quests_done",
        per="quests_tried",
        by=_ALL,
        doc="Quests that succeed.",
    ),
    Metric("quests_done", "quests", "seat", "quests_done", by=_ALL, doc="Quests completed."),
    Metric(
        "quest_bonuses",
        "share of quests done",
        "seat",
        "quest_bonuses",
        per="quests_done",
        by=_ALL,
        doc="Completed quests that earn the bonus, too.",
    ),
    Metric(
        "threats_beaten_rate",
        "share of fights",
        "seat",
        "threats_beaten",
        per="threats_fought",
        by=_ALL,
        doc="Threats fought that are beaten.",
    ),
    Metric("threats_beaten", "threats", "seat", "threats_beaten", by=_ALL, doc="Threats beaten."),
    Metric(
        "threats_passed",
        "threats",
        "seat",
        "threats_passed",
        by=_ALL,
        doc="Threats passed without a fight.",
    ),
    Metric(
        "mine_back_rate",
        "share of rolls",
        "seat",
        "mine_back",
        per="mine_rolls",
        by=_ALL,
        doc="Rolls in the mine after which a figure is thrown back.",
    ),
    Metric("mine_visits", "visits", "seat", "mine_visits", by=_ALL, doc="Visits to the mine."),
    Metric("duels", "duels", "seat", "duels", by=_ALL, doc="Duels a player asks for."),
    Metric(
        "duels_won_rate",
        "share of duels",
        "seat",
        "duels_won",
        per="duels",
        by=_ALL,
        doc="Duels that the challenger wins.",
    ),
    Metric(
        "honest_won_rate",
        "share of duels",
        "game",
        "honest_won",
        per="honest_duels",
        doc="Honest duels that the challenger wins.",
    ),
    Metric(
        "dishonest_rate",
        "share of duels",
        "seat",
        "dishonest",
        per="duels",
        by=_ALL,
        doc="Duels fought dishonestly.",
    ),
    Metric("routes_alone", "routes", "seat", "routes_alone", by=_ALL, doc="Routes held alone."),
    Metric("routes_joint", "routes", "seat", "routes_joint", by=_ALL, doc="Routes shared."),
    Metric("artifacts_bought", "artifacts", "seat", "artifacts_bought", by=_ALL, doc="Bought."),
    Metric(
        "artifacts_unbought",
        "artifacts",
        "seat",
        "artifacts_unbought",
        by=_ALL,
        doc="Artifacts in hand at the end.",
    ),
    Metric("recruited", "adventurers", "seat", "recruited", by=_ALL, doc="Adventurers recruited."),
    Metric("town_visits", "turns", "seat", "town_visits", by=_ALL, doc="Buildings visited."),
    Metric("adventures", "turns", "seat", "adventures", by=_ALL, doc="Turns spent on the map."),
    Metric("hearts_spent", "hearts", "seat", "hearts_spent", by=_ALL, doc="Hearts spent on rolls."),
    Metric("amber", "amber", "seat", "amber", by=_ALL, doc="Amber at the end."),
    Metric("magic", "spaces", "seat", "magic", by=_ALL, doc="Spaces on the magic track."),
    Metric("spells", "spells", "seat", "spells", by=_ALL, doc="Spells owned."),
    Metric("spells_cast", "spells", "seat", "spells_cast", by=_ALL, doc="Spells used."),
    Metric("reputation", "steps", "seat", "reputation", by=_ALL, doc="Reputation at the end."),
    Metric("expert", "share of players", "seat", "expert", by=_ALL, doc="Owners of expert dice."),
    Metric("quests_left", "tokens", "game", "quests_left", doc="Quest tokens left at the end."),
    Metric("mine_cards", "cards", "game", "mine_cards", doc="Mine cards laid out."),
    Metric("capped_rate", "share of games", "game", "capped", doc="Games stopped by the cap."),
    Metric(
        "illegal_rate", "share of games", "game", "illegal", doc="Games ended by an illegal choice."
    ),
    *TEAM_METRICS,
)
