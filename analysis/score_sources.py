"""Where journey points of Near and Far come from, and which of them decide games.

Frames, every estimate with low, high, level, n and method:

sources: one row per strategy, result and source.
    strategy (missing: all players); result ("all", "winners", "losers": of games that were won);
    source ("score" is the total); share (of the score), share_low, share_high, share_n,
    share_method; estimate: points of a player.
gap: what winners have more than losers of the same games. strategy; source; estimate; winners,
    losers (points of a player). The sources of a strategy hold together.
void: what a source decides: its points are taken from one player, the play stays the same.
    source; seat (missing: average over the seats); points (of a player), points_low, points_high,
    points_n, points_method, those of the sources together; estimate: win probability
    with these points minus without; without, changed (with them). The averages hold together,
    and so do the seats of a source.
routes: one row per player and quantity. who ("all players", "seat 1", ...; where the lineup holds
    several strategies, these); quantity, unit: routes_alone, routes_joint (of a player),
    points_routes; estimate.
held: who holds so many routes, alone or jointly. routes ("0" to "3+"); players (share of all);
    estimate: share of them that win. It says who wins, not what a route is worth.
route_worth: what a route is worth, as `void`. kind ("alone", "jointly"); points (of one
    route, which the rules fix); held (routes of a player); both with _low, _high, _n, _method;
    estimate: win probability for each route of this kind.
threats: fights by the threat's place in the stack. who ("all players", and the seats, or where
    seats rotate the strategies); threat (its number), points; fights; share (of the fights with
    it, by who), share_low, share_high, share_n, share_method; estimate: share that is won.

Winners and losers are compared within the same games: the difference of two ratios over blocks, so
a long game with many points counts for both. What winners have more of need not be what makes them
win; `void` is an experiment on the count of points, the naive frames are not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.derived import difference_of_ratios, with_fields
from analysis.intervals import DIFFERENCE, SHARE, Interval, clustered_share
from analysis.intervals import replicate_ratio as replicates
from analysis.paired import (
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    all_of_them,
    frame,
    interval_row,
    ones,
    rows_where,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting, tables_of
from analysis.rescoring import wins_without
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.near_and_far.state import Source, Status

TITLE = "Where points come from"
TEXT = (
    "Which sources bring the points, to whom and to winners more than to losers, which of them "
    "decide games, and who gets the routes and the threats?"
)
SCORE = "score"
SOURCES = tuple(source.name.lower() for source in Source)
MOST_ROUTES = 3
RESULTS = {"all": "", "winners": " won", "losers": " lost"}
SHARED = "switches.shared_win"
EVERYBODY = "all players"


# ------------------------------------------------------------------------------------- the sums


def _field(source: str) -> str:
    return source if source == SCORE else f"points_{source}"


def with_results(chunk: Chunk) -> Chunk:
    """The chunk with points of winners and of losers apart, and with who holds how many routes."""
    seats = chunk.seats
    over = (chunk.games["status"] == Status.WON)[:, None]
    won = (seats["win"] > 0).astype(np.int64)
    lost = ((seats["win"] == 0) & over).astype(np.int64)
    fields: dict[str, NDArray[Any]] = {"one": np.ones_like(won), "one won": won, "one lost": lost}
    for source in (SCORE, *SOURCES):
        points = seats[_field(source)].astype(np.int64)
        fields |= {source: points, f"{source} won": points * won, f"{source} lost": points * lost}
    routes = seats["routes_alone"].astype(np.int64) + seats["routes_joint"]
    for number in range(MOST_ROUTES + 1):
        here = (routes == number) | ((number == MOST_ROUTES) & (routes > number))
        fields[f"routes {number}"] = here.astype(np.int64)
        fields[f"routes {number} win"] = here * seats["win"].astype(np.int64)
    fields["routes_alone"] = seats["routes_alone"]
    fields["routes_joint"] = seats["routes_joint"]
    return with_fields(chunk, fields)


def source_columns(seats: Sequence[str]) -> list[Column]:
    """What is summed of `with_results`: by slot for points, by player for routes, all together."""
    names = ["one", SCORE, *SOURCES]
    by_slot = [f"{name}{end}" for name in names for end in RESULTS.values()]
    columns = [Column(0, f, slot=slot) for slot in range(len(seats)) for f in by_slot]
    for picks in players_of(seats).values():
        columns += [
            replace(pick, field=field)
            for pick in picks
            for field in ("one", "routes", "routes_alone", "routes_joint")
        ]
    together = [f"routes {n}{end}" for n in range(MOST_ROUTES + 1) for end in ("", " win")]
    return [*columns, *(Column(0, f) for f in together)]


@dataclass(frozen=True)
class Scoring:
    """What the question must know of the rules: who wins a tie, what a route held alone scores."""

    shared: bool
    alone: int

    @classmethod
    def of(cls, setting: Setting) -> Scoring:
        """Read it from the rules of a setting."""
        values = {entry.key: entry.value for entry in setting.rules.entries}
        return cls(bool(values[SHARED]), int(tables_of(setting)["route_alone"].max()))


ROUTES = {"alone": "routes_alone", "jointly": "routes_joint"}


def with_void(chunk: Chunk, scoring: Scoring) -> Chunk:
    """The chunk with what each player would win without a source, and without its routes."""
    seats, games = chunk.seats, chunk.games
    score = seats["score"].astype(np.int64)
    points = {source: seats[_field(source)].astype(np.int64) for source in SOURCES}
    routes = points["routes"]
    parts = {"alone": seats["routes_alone"].astype(np.int64) * scoring.alone}
    parts["jointly"] = routes - parts["alone"]
    fields: dict[str, NDArray[Any]] = {"one": np.ones_like(score), **points, **parts}
    for name, taken in (points | parts).items():
        fields[f"{name} void"] = wins_without(
            score,
            taken,
            games["status"] == Status.WON,
            shared=scoring.shared,
            first=games["start_seat"],
        )
    for field in ROUTES.values():
        fields[field] = seats[field]
    return with_fields(chunk, fields)


def void_columns(players: int) -> list[Column]:
    """What is summed of `with_void`."""
    names = (*SOURCES, *ROUTES)
    columns = [Column(0, f) for f in ("one", *names, *ROUTES.values())]
    for seat in range(1, players + 1):
        columns += [Column(0, f, seat=seat) for f in ("win", *(f"{name} void" for name in names))]
    return columns


@dataclass(frozen=True)
class SourceSums:
    """Sums of games: blocks of `with_results` and of `with_void`, fights.

    fights: (replicates, slot, threat, 2).
    """

    blocks: BlockSums
    void: BlockSums
    fights: NDArray[np.int64]

    def __add__(self, other: SourceSums) -> SourceSums:
        return SourceSums(
            self.blocks + other.blocks, self.void + other.void, self.fights + other.fights
        )


def source_sums(chunk: Chunk, seats: Sequence[str], rotations: int, scoring: Scoring) -> SourceSums:
    """Sum a chunk of games as they are. seats: the lineup."""
    players = len(seats)
    return SourceSums(
        BlockSums.of([with_results(chunk)], source_columns(seats), rotations),
        BlockSums.of([with_void(chunk, scoring)], void_columns(players), rotations),
        chunk.counters["fights"],
    )


# ------------------------------------------------------------------------------------ the frames


def groups_of(seats: Sequence[str]) -> dict[str | None, list[int]]:
    """Slots by strategy; None stands for all of them, and for the only one."""
    found: dict[str | None, list[int]] = {None: list(range(len(seats)))}
    if len(set(seats)) > 1:
        for slot, name in enumerate(seats):
            found.setdefault(name, []).append(slot)
    return found


def _some(field: str, slots: Sequence[int]) -> list[Column]:
    return [Column(0, field, slot=slot) for slot in slots]


def seen_sources(sums: BlockSums, players: int) -> list[str]:
    """The sources that ever gave or took a point."""
    every = range(players)
    return [s for s in SOURCES if any(sums.cluster({column: 1}).num2 for column in _some(s, every))]


def sources_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `sources` of this module. sums: of `source_columns`."""
    rows = []
    for strategy, slots in groups_of(seats).items():
        for result, end in RESULTS.items():
            den = ones(_some(f"one{end}", slots))
            if not sums.cluster(den).num:
                continue
            total = ones(_some(f"{SCORE}{end}", slots))
            for source in (SCORE, *seen_sources(sums, len(seats))):
                num = ones(_some(f"{source}{end}", slots))
                share = sums.estimate(num, total, level)
                if source == SCORE and not math.isnan(share.estimate):
                    share = all_of_them(level, share.n)
                rows.append(
                    {
                        "strategy": strategy,
                        "result": result,
                        "source": source,
                        **side_row("share", share),
                        **interval_row(sums.estimate(num, den, level)),
                    }
                )
    columns = ("strategy", "result", "source", *side_columns("share"), *INTERVAL_COLUMNS)
    return frame(rows, columns).astype({"strategy": "str"})


def gap_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `gap` of this module. sums: of `source_columns`."""
    rows = []
    sources = seen_sources(sums, len(seats))
    for strategy, slots in groups_of(seats).items():
        for source in (SCORE, *sources):
            effect = difference_of_ratios(
                sums,
                (_some(f"{source} won", slots), _some("one won", slots)),
                (_some(f"{source} lost", slots), _some("one lost", slots)),
                level,
                together=len(sources) if source != SCORE else 1,
            )
            rows.append(
                {
                    "strategy": strategy,
                    "source": source,
                    **interval_row(effect.interval),
                    **side_row("winners", effect.changed),
                    **side_row("losers", effect.without),
                }
            )
    sides = (*side_columns("winners"), *side_columns("losers"))
    return frame(rows, ("strategy", "source", *INTERVAL_COLUMNS, *sides)).astype(
        {"strategy": "str"}
    )


def players_of(seats: Sequence[str]) -> dict[str, list[Column]]:
    """Whose routes are told: everybody's, then each strategy's, or each seat's if there is one."""
    players = range(len(seats))
    found = {EVERYBODY: [Column(0, "one", slot=slot) for slot in players]}
    if len(set(seats)) > 1:
        for slot, name in enumerate(seats):
            found.setdefault(name, []).append(Column(0, "one", slot=slot))
    else:
        found |= {f"seat {seat + 1}": [Column(0, "one", seat=seat + 1)] for seat in players}
    return found


def routes_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `routes` of this module. sums: of `source_columns`."""
    units = {"routes_alone": "routes", "routes_joint": "routes", "routes": "journey points"}
    rows = []
    for who, picks in players_of(seats).items():
        for field, unit in units.items():
            num = ones([replace(pick, field=field) for pick in picks])
            interval = sums.estimate(num, ones(picks), level)
            name = "points_routes" if field == "routes" else field
            rows.append({"who": who, "quantity": name, "unit": unit, **interval_row(interval)})
    return frame(rows, ("who", "quantity", "unit", *INTERVAL_COLUMNS))


def held_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `held` of this module. sums: of `source_columns`."""
    every = sums.blocks * sums.rotations * players
    rows = []
    for number in range(MOST_ROUTES + 1):
        here, win = (Column(0, f"routes {number}{end}") for end in ("", " win"))
        cluster = sums.cluster({win: 1}, {here: 1})
        if not cluster.den:
            continue
        rows.append(
            {
                "routes": f"{number}+" if number == MOST_ROUTES else str(number),
                "players": int(cluster.den) / every,
                **interval_row(clustered_share(cluster, level, scale=WIN_UNIT)),
            }
        )
    return frame(rows, ("routes", "players", *INTERVAL_COLUMNS))


def fighters(setting: Setting) -> dict[str, list[int]]:
    """Slots whose fights are counted together: of each seat; of each strategy where seats rotate.

    Counters know slots only; where seats do not rotate a slot is a seat.
    """
    found = {EVERYBODY: list(range(setting.players))}
    if not setting.rotate:
        found |= {f"seat {slot + 1}": [slot] for slot in range(setting.players)}
    elif len(set(setting.seats)) > 1:
        for slot, name in enumerate(setting.seats):
            found.setdefault(name, []).append(slot)
    return found


def threats_frame(
    fights: NDArray[np.int64], tables: Any, who: Mapping[str, Sequence[int]], level: float
) -> pd.DataFrame:
    """The frame `threats` of this module, from the counter (replicates, slot, threat, 2)."""
    rows = []
    for name, slots in who.items():
        for threat in range(int(tables["threats"])):
            each = fights[:, list(slots), threat].sum(axis=1)
            if each.sum():
                won = replicates(each[:, 1], each.sum(axis=1), level, bounds=SHARE)
                fought = fights[:, :, threat].sum(axis=(1, 2))
                share = replicates(each.sum(axis=1), fought, level, bounds=SHARE)
                if name == EVERYBODY:
                    share = all_of_them(level, share.n)
                rows.append(
                    {
                        "who": name,
                        "threat": int(tables["threat_level"][threat]),
                        "points": int(tables["threat_points"][threat]),
                        "fights": int(each.sum()),
                        **side_row("share", share),
                        **interval_row(won),
                    }
                )
    names = ("who", "threat", "points", "fights", *side_columns("share"))
    return frame(rows, (*names, *INTERVAL_COLUMNS))


def _lost(sums: BlockSums, name: str, seats: Sequence[int]) -> dict[Column, int]:
    """Weights of the twelfths that hinge on these points, summed over the seats."""
    weights = {Column(0, "win", seat=seat): 1 for seat in seats}
    return weights | {Column(0, f"{name} void", seat=seat): -1 for seat in seats}


def void_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `void` of this module. sums: of `void_columns`."""
    every = range(1, players + 1)
    known = [name for name in SOURCES if sums.cluster({Column(0, name): 1}).num2]
    one, rows = Column(0, "one"), []
    for name in known:
        points = sums.estimate({Column(0, name): 1}, {one: 1}, level, together=len(known))
        for seat in (None, *every):
            seats = every if seat is None else [seat]
            wins = {Column(0, "win", seat=s): 1 for s in seats}
            void = {Column(0, f"{name} void", seat=s): 1 for s in seats}
            interval = sums.estimate(
                _lost(sums, name, seats),
                level=level,
                scale=WIN_UNIT,
                bounds=DIFFERENCE,
                together=len(known) if seat is None else players,
            )
            keys = {"source": name, "seat": seat, **side_row("points", points)}
            both = {"without": void, "changed": wins}
            ends = {key: float(sums.cluster(w).ratio()) / WIN_UNIT for key, w in both.items()}
            rows.append({**keys, **interval_row(interval), **ends})
    names = ("source", "seat", *side_columns("points"))
    columns = (*names, *INTERVAL_COLUMNS, "without", "changed")
    return frame(rows, columns).astype({"seat": "Int64"})


def route_worth_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `route_worth` of this module. sums: of `void_columns`."""
    every, rows = range(1, players + 1), []
    for kind, field in ROUTES.items():
        routes, points = Column(0, field), Column(0, kind)
        if not sums.cluster({routes: 1}).num:
            continue
        one = float(sums.cluster({points: 1}, {routes: 1}).ratio())
        interval = sums.estimate(
            _lost(sums, kind, every), {routes: 1}, level, scale=WIN_UNIT, bounds=DIFFERENCE
        )
        rows.append(
            {
                "kind": kind,
                **side_row("points", Interval(one, one, one, level, sums.blocks, "by the rules")),
                **side_row("held", sums.estimate({routes: 1}, {Column(0, "one"): 1}, level)),
                **interval_row(interval),
            }
        )
    names = ("kind", *side_columns("points"), *side_columns("held"))
    return frame(rows, (*names, *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    scoring = Scoring.of(setting)

    def sources(chunks: tuple[Chunk, ...]) -> SourceSums:
        return source_sums(chunks[0], setting.seats, setting.rotations, scoring)

    return [Group("sources", (Play("as it is"),), sources)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: SourceSums = sums["sources"]
    blocks, players, level, seats = found.blocks, setting.players, setting.level, setting.seats
    frames = {
        "sources": sources_frame(blocks, seats, level),
        "gap": gap_frame(blocks, seats, level),
        "void": void_frame(found.void, players, level),
        "routes": routes_frame(blocks, seats, level),
        "held": held_frame(blocks, players, level),
        "route_worth": route_worth_frame(found.void, players, level),
        "threats": threats_frame(found.fights, tables_of(setting), fighters(setting), level),
    }
    sentences = (
        gap_sentence(frames["gap"]),
        sources_sentence(frames["sources"]),
        void_sentence(frames["void"]),
        strategies_sentence(frames["sources"]),
        routes_sentence(frames["routes"], frames["route_worth"]),
        threats_sentence(frames["threats"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words

NAMES = {
    "artifacts": "artifacts",
    "unbought": "artifacts left in hand",
    "camps": "camps",
    "all_camps": "the last camp",
    "threats": "threats",
    "routes": "trade routes",
    "quests": "quests",
    "treasures": "treasures",
    "treasure_set": "a set of treasures",
    "amber": "amber",
    "magic": "the magic track",
    "spells": "spells",
    "reputation": "reputation",
    "chiefs": "chiefs",
    "goods": "goods left over",
    "talents": "talents",
    "keywords": "keywords",
    SCORE: "all together",
}


def gap_sentence(gap: pd.DataFrame) -> str:
    """What winners have more of than losers."""
    rows = rows_where(gap, strategy=None)
    known = [r for r in rows if r["source"] != SCORE and not math.isnan(r["estimate"])]
    every = next(r for r in rows if r["source"] == SCORE)
    if not known:
        return "No game was won."
    best = sorted(known, key=lambda row: -row["estimate"])[:3]
    parts = [f"{NAMES[row['source']]} {words.amount(row)}" for row in best]
    return (
        f"Winners have {words.amount(every, 'journey points')} more than losers of the same "
        f"games, most of it from {words.listed(parts)}."
    )


def sources_sentence(sources: pd.DataFrame) -> str:
    """Where a player's points come from."""
    rows = rows_where(sources, strategy=None, result="all")
    every = next(row for row in rows if row["source"] == SCORE)
    ranked = sorted((r for r in rows if r["source"] != SCORE), key=lambda row: -row["estimate"])
    parts = [
        f"{NAMES[row['source']]} {words.amount(row)} ({words.shown(row, 'share')})"
        for row in ranked[:4]
    ]
    return (
        f"A player scores {words.amount(every, 'journey points')}: {words.listed(parts)} "
        "first of all."
    )


def strategies_sentence(sources: pd.DataFrame) -> str:
    """What each strategy lives on, where there are several."""
    parts = []
    for strategy in dict.fromkeys(sources["strategy"].dropna()):
        rows = rows_where(sources, strategy=strategy, result="all")
        most = max((r for r in rows if r["source"] != SCORE), key=lambda row: row["estimate"])
        parts.append(f"{strategy} most from {NAMES[most['source']]} ({words.amount(most)})")
    return f"By strategy: {words.listed(parts)}." if parts else ""


def void_sentence(void: pd.DataFrame) -> str:
    """Which sources decide games: what they bring in wins where the play stays the same."""
    ranked = sorted(rows_where(void, seat=None), key=lambda row: -row["estimate"])
    parts = [
        f"of {NAMES[row['source']]} {words.points(row['estimate'], row['low'], row['high'])}"
        for row in ranked[:4]
        if row["low"] > 0
    ]
    if not parts:
        return ""
    return (
        "With the same play, but without its points of one source, a player would win less: "
        f"without those {words.listed(parts)} of win probability."
    )


def routes_sentence(routes: pd.DataFrame, worth: pd.DataFrame) -> str:
    """How many routes are held, alone and jointly, by whom, and what one is worth."""
    rows = {row["quantity"]: row for row in rows_where(routes, who=EVERYBODY)}
    text = (
        f"A player holds {words.amount(rows['routes_alone'], 'trade routes')} alone and "
        f"{words.amount(rows['routes_joint'])} jointly, for {words.amount(rows['points_routes'])} "
        "points"
    )
    parts = [
        f"one held {row['kind']} {words.points(row['estimate'], row['low'], row['high'])}"
        for row in rows_where(worth)
    ]
    if parts:
        text += f"; in win probability {words.listed(parts)} (its points alone)"
    others = [r for r in rows_where(routes, quantity="points_routes") if r["who"] != EVERYBODY]
    if others:
        most = max(others, key=lambda row: row["estimate"])
        least = min(others, key=lambda row: row["estimate"])
        text += f"; {most['who']} has most of these points ({words.amount(most)}), {least['who']} "
        text += f"fewest ({words.amount(least)})"
    return f"{text}."


def threats_sentence(threats: pd.DataFrame) -> str:
    """Which threats are fought, by whom, and with what success."""
    rows = rows_where(threats, who=EVERYBODY)
    if not rows:
        return "No threat was fought."
    first, last = rows[0], rows[-1]
    most = max(rows, key=lambda row: row["fights"])

    def share(row: Mapping[str, Any]) -> str:
        return words.share(row["estimate"], row["low"], row["high"])

    text = (
        f"Of fights against the threat of level {first['threat']} {share(first)} are won, of those "
        f"against level {most['threat']}, which is fought most, {share(most)}; the highest that "
        f"was fought is {last['threat']}"
    )
    others = [r for r in rows_where(threats, threat=first["threat"]) if r["who"] != EVERYBODY]
    if others:
        most = max(others, key=lambda row: row["share"])
        text += (
            f". Most fights with the first threat are those of {most['who']}, "
            f"{words.shown(most, 'share')} of them"
        )
    return f"{text}."


QUESTION = Question(
    "score_sources", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
