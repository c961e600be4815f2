"""Where journey points of Near and Far come from, and what routes, threats and duels bring.

Frames, every estimate with low, high, level, n and method:

sources: one row per strategy, result and source.
    strategy (missing: all players); result ("all", "winners", "losers": of games that were won);
    source ("score" is the total), share (of the score); estimate: points of a player.
gap: what winners have more than losers of the same games. strategy; source; estimate; winners,
    losers (points of a player). The sources of a strategy hold together.
routes: one row per strategy and quantity. strategy (missing: all); quantity, unit: routes_alone,
    routes_joint (of a player), points_routes; estimate.
held: who holds so many routes, alone or jointly. routes ("0" to "3+"); players (share of all);
    estimate: share of them that win. It says who wins, not what a route is worth.
threats: fights by the threat's place in the stack. threat (its number), points; fights; estimate:
    share that is won.
duels: one row per kind ("honest", "dishonest"). quantity ("asked": duels a game, "won": share the
    challenger wins); unit; estimate.
rights: what the right to duel is worth: one seat may not, on the same deals, the others may.
    right ("any duel", "dishonest duels", "honest duels"); seat (missing: average); quantity
    (win_rate, score), unit; estimate: with the right minus without; without (the right), changed
    (with it), discordance, correlation, speed_up. The seats of a right and quantity hold together.

Winners and losers are compared within the same games: the difference of two ratios over blocks, so
a long game with many points counts for both. What winners have more of need not be what makes them
win; `rights` is an experiment, the other frames are not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.derived import difference_of_ratios, with_fields
from analysis.intervals import SHARE, UNBOUNDED, Bounds, clustered_ratio, clustered_share
from analysis.intervals import replicate_ratio as replicates
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    paired_effect,
)
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.strategies import worth_row
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.near_and_far.state import Source, Status

TITLE = "Where points come from"
TEXT = (
    "Which sources bring the points, to whom and to winners more than to losers, and what do "
    "routes, threats and duels bring?"
)
SCORE = "score"
SOURCES = tuple(source.name.lower() for source in Source)
MOST_ROUTES = 3
RIGHTS = {"any duel": 3, "dishonest duels": 2, "honest duels": 1}  # bits of the handicap
HANDICAP = "forbid_duels"
RIGHTS_SHARE = 0.25
DIFFERENCE: Bounds = (-1.0, 1.0)
RESULTS = {"all": "", "winners": " won", "losers": " lost"}
WORTHS: dict[str, tuple[str, int, Bounds]] = {
    "win_rate": ("share of games", WIN_UNIT, DIFFERENCE),
    "score": ("journey points", 1, UNBOUNDED),
}


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
    honest = seats["duels"].astype(np.int64) - seats["dishonest"]
    fields |= {
        "routes_alone": seats["routes_alone"],
        "routes_joint": seats["routes_joint"],
        "asked honest": honest,
        "asked dishonest": seats["dishonest"],
        "won honest": seats["duels_won"].astype(np.int64) - seats["duels_dishonest_won"],
        "won dishonest": seats["duels_dishonest_won"],
    }
    return with_fields(chunk, fields)


def source_columns(players: int) -> list[Column]:
    """What is summed of `with_results`: by slot for points and routes, all together else."""
    names = ["one", SCORE, *SOURCES, "routes_alone", "routes_joint"]
    by_slot = [f"{name}{end}" for name in names[: len(SOURCES) + 2] for end in RESULTS.values()]
    columns = [Column(0, f, slot=s) for s in range(players) for f in (*by_slot, *names[-2:])]
    together = [f"routes {n}{end}" for n in range(MOST_ROUTES + 1) for end in ("", " win")]
    together += [f"{what} {kind}" for what in ("asked", "won") for kind in ("honest", "dishonest")]
    return [*columns, *(Column(0, f) for f in together)]


@dataclass(frozen=True)
class SourceSums:
    """Sums of games as they are: blocks of `with_results`, fights (replicates, threat, 2)."""

    blocks: BlockSums
    fights: NDArray[np.int64]

    def __add__(self, other: SourceSums) -> SourceSums:
        return SourceSums(self.blocks + other.blocks, self.fights + other.fights)


def source_sums(chunk: Chunk, rotations: int) -> SourceSums:
    """Sum a chunk of games as they are."""
    columns = source_columns(chunk.seats.shape[1])
    blocks = BlockSums.of([with_results(chunk)], columns, rotations)
    return SourceSums(blocks, chunk.counters["fights"].sum(axis=1))


def right_plays(players: int) -> tuple[Play, ...]:
    """Games as they are, then each right taken from each seat."""
    plays = [Play("as it is")]
    for right, bits in RIGHTS.items():
        for seat in range(players):
            taken = [bits if other == seat else 0 for other in range(players)]
            plays.append(Play(f"no {right} for seat {seat + 1}", handicaps={HANDICAP: taken}))
    return tuple(plays)


def _right_play(right: str, seat: int, players: int) -> int:
    return 1 + list(RIGHTS).index(right) * players + seat - 1


def right_columns(players: int) -> list[Column]:
    """What is summed of `right_plays`."""
    seats = range(1, players + 1)
    plays = [(s, [0, *(_right_play(right, s, players) for right in RIGHTS)]) for s in seats]
    return [
        Column(play, field, seat=seat)
        for seat, numbers in plays
        for play in numbers
        for field in ("win", "score")
    ]


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


def _ones(columns: Sequence[Column]) -> dict[Column, int]:
    return dict.fromkeys(columns, 1)


def seen_sources(sums: BlockSums, players: int) -> list[str]:
    """The sources that ever gave or took a point."""
    every = range(players)
    return [s for s in SOURCES if any(sums.cluster({column: 1}).num2 for column in _some(s, every))]


def sources_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `sources` of this module. sums: of `source_columns`."""
    rows = []
    for strategy, slots in groups_of(seats).items():
        for result, end in RESULTS.items():
            den = _ones(_some(f"one{end}", slots))
            if not sums.cluster(den).num:
                continue
            total = sums.cluster(_ones(_some(f"{SCORE}{end}", slots)), den).ratio()
            for source in (SCORE, *seen_sources(sums, len(seats))):
                num = _ones(_some(f"{source}{end}", slots))
                interval = sums.estimate(num, den, level)
                rows.append(
                    {
                        "strategy": strategy,
                        "result": result,
                        "source": source,
                        "share": interval.estimate / total if total else math.nan,
                        **interval_row(interval),
                    }
                )
    columns = ("strategy", "result", "source", "share", *INTERVAL_COLUMNS)
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
                    "winners": effect.changed,
                    "losers": effect.without,
                }
            )
    columns = ("strategy", "source", *INTERVAL_COLUMNS, "winners", "losers")
    return frame(rows, columns).astype({"strategy": "str"})


def routes_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `routes` of this module. sums: of `source_columns`."""
    units = {"routes_alone": "routes", "routes_joint": "routes", "routes": "journey points"}
    rows = []
    for strategy, slots in groups_of(seats).items():
        for field, unit in units.items():
            interval = sums.estimate(_ones(_some(field, slots)), _ones(_some("one", slots)), level)
            name = "points_routes" if field == "routes" else field
            rows.append(
                {"strategy": strategy, "quantity": name, "unit": unit, **interval_row(interval)}
            )
    found = frame(rows, ("strategy", "quantity", "unit", *INTERVAL_COLUMNS))
    return found.astype({"strategy": "str"})


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


def threats_frame(fights: NDArray[np.int64], tables: Any, level: float) -> pd.DataFrame:
    """The frame `threats` of this module, from the counter (replicates, threat, lost or won)."""
    rows = []
    for threat in range(int(tables["threats"])):
        each = fights[:, threat]
        if each.sum():
            won = replicates(each[:, 1], each.sum(axis=1), level, bounds=SHARE)
            rows.append(
                {
                    "threat": int(tables["threat_level"][threat]),
                    "points": int(tables["threat_points"][threat]),
                    "fights": int(each.sum()),
                    **interval_row(won),
                }
            )
    return frame(rows, ("threat", "points", "fights", *INTERVAL_COLUMNS))


def duels_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `duels` of this module. sums: of `source_columns`."""
    games = _ones(_some("one", range(players)))
    rows = []
    for kind in ("honest", "dishonest"):
        asked, won = Column(0, f"asked {kind}"), Column(0, f"won {kind}")
        often = clustered_ratio(
            sums.cluster({asked: players}, games),
            level,
            bounds=(0.0, math.inf),
            method="ratio over blocks, Student",
        )
        rows.append(
            {"kind": kind, "quantity": "asked", "unit": "duels a game", **interval_row(often)}
        )
        if sums.cluster({asked: 1}).num:
            share = clustered_share(sums.cluster({won: 1}, {asked: 1}), level)
            rows.append(
                {"kind": kind, "quantity": "won", "unit": "share of duels", **interval_row(share)}
            )
    return frame(rows, ("kind", "quantity", "unit", *INTERVAL_COLUMNS))


def rights_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `rights` of this module. sums: of `right_columns`."""
    rows = []
    for right in RIGHTS:
        for name, (unit, scale, bounds) in WORTHS.items():
            field = "win" if name == "win_rate" else name
            for seat in (None, *range(1, players + 1)):
                seats = range(1, players + 1) if seat is None else [seat]
                effect = paired_effect(
                    sums,
                    [Column(_right_play(right, s, players), field, seat=s) for s in seats],
                    level,
                    scale=scale,
                    bounds=bounds,
                    together=1 if seat is None else players,
                )
                keys = {"right": right, "seat": seat, "quantity": name, "unit": unit}
                found = worth_row(effect)  # with the right minus without it
                swapped = {"without": found["changed"], "changed": found["without"]}
                rows.append({**keys, **found, **swapped})
    columns = ("right", "seat", "quantity", "unit", *EFFECT_COLUMNS)
    return frame(rows, columns).astype({"seat": "Int64"})


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    players, rotations = setting.players, setting.rotations

    def sources(chunks: tuple[Chunk, ...]) -> SourceSums:
        return source_sums(chunks[0], rotations)

    def rights(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, right_columns(players), rotations)

    return [
        Group("sources", (Play("as it is"),), sources),
        Group("rights", right_plays(players), rights, RIGHTS_SHARE),
    ]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: SourceSums = sums["sources"]
    blocks, players, level, seats = found.blocks, setting.players, setting.level, setting.seats
    tables = setting.game.make_tables(setting.rules.model, players, {})[0]
    frames = {
        "sources": sources_frame(blocks, seats, level),
        "gap": gap_frame(blocks, seats, level),
        "routes": routes_frame(blocks, seats, level),
        "held": held_frame(blocks, players, level),
        "threats": threats_frame(found.fights, tables, level),
        "duels": duels_frame(blocks, players, level),
        "rights": rights_frame(sums["rights"], players, level),
    }
    sentences = (
        gap_sentence(frames["gap"]),
        sources_sentence(frames["sources"]),
        strategies_sentence(frames["sources"]),
        routes_sentence(frames["routes"]),
        threats_sentence(frames["threats"]),
        duels_sentence(frames["duels"], frames["rights"]),
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


def _rows(found: pd.DataFrame, **keys: Any) -> list[dict[str, Any]]:
    for key, value in keys.items():
        column = found[key]
        found = found[column.isna() if value is None else column == value]
    return [{str(k): v for k, v in row.items()} for row in found.to_dict("records")]


def _number(row: Mapping[str, Any], unit: str = "") -> str:
    return words.number(row["estimate"], row["low"], row["high"], unit)


def gap_sentence(gap: pd.DataFrame) -> str:
    """What winners have more of than losers."""
    rows = _rows(gap, strategy=None)
    known = [r for r in rows if r["source"] != SCORE and not math.isnan(r["estimate"])]
    every = next(r for r in rows if r["source"] == SCORE)
    if not known:
        return "No game was won."
    best = sorted(known, key=lambda row: -row["estimate"])[:3]
    parts = [f"{NAMES[row['source']]} {_number(row)}" for row in best]
    return (
        f"Winners have {_number(every, 'journey points')} more than losers of the same games, most "
        f"of it from {words.listed(parts)}."
    )


def sources_sentence(sources: pd.DataFrame) -> str:
    """Where a player's points come from."""
    rows = _rows(sources, strategy=None, result="all")
    every = next(row for row in rows if row["source"] == SCORE)
    ranked = sorted((r for r in rows if r["source"] != SCORE), key=lambda row: -row["estimate"])
    parts = [
        f"{NAMES[row['source']]} {_number(row)} ({words.share(row['share'])})" for row in ranked[:4]
    ]
    return (
        f"A player scores {_number(every, 'journey points')}: {words.listed(parts)} first of all."
    )


def strategies_sentence(sources: pd.DataFrame) -> str:
    """What each strategy lives on, where there are several."""
    parts = []
    for strategy in dict.fromkeys(sources["strategy"].dropna()):
        rows = _rows(sources, strategy=strategy, result="all")
        most = max((r for r in rows if r["source"] != SCORE), key=lambda row: row["estimate"])
        parts.append(f"{strategy} most from {NAMES[most['source']]} ({_number(most)})")
    return f"By strategy: {words.listed(parts)}." if parts else ""


def routes_sentence(routes: pd.DataFrame) -> str:
    """How many routes are held, alone and jointly."""
    rows = {row["quantity"]: row for row in _rows(routes, strategy=None)}
    return (
        f"A player holds {_number(rows['routes_alone'], 'trade routes')} alone and "
        f"{_number(rows['routes_joint'])} jointly, for {_number(rows['points_routes'])} points."
    )


def threats_sentence(threats: pd.DataFrame) -> str:
    """Which threats are fought, and with what success."""
    if threats.empty:
        return "No threat was fought."
    rows = _rows(threats)
    first, last = rows[0], rows[-1]
    most = max(rows, key=lambda row: row["fights"])

    def share(row: Mapping[str, Any]) -> str:
        return words.share(row["estimate"], row["low"], row["high"])

    return (
        f"Of fights against the threat of level {first['threat']} {share(first)} are won, of those "
        f"against level {most['threat']}, which is fought most, {share(most)}; the highest that "
        f"was fought is {last['threat']}."
    )


def duels_sentence(duels: pd.DataFrame, rights: pd.DataFrame) -> str:
    """Whether duels pay, and honest or not."""
    asked = {row["kind"]: row for row in _rows(duels, quantity="asked")}
    won = {row["kind"]: row for row in _rows(duels, quantity="won")}
    parts = []
    for kind, row in asked.items():
        text = f"{_number(row)} {kind} ones" if kind in won else f"no {kind} one"
        if kind in won:
            share = words.share(won[kind]["estimate"], won[kind]["low"], won[kind]["high"])
            text += f" (the challenger wins {share})"
        parts.append(text)
    worth = []
    for right in RIGHTS:
        row = _rows(rights, right=right, seat=None, quantity="win_rate")[0]
        points = words.points(row["estimate"], row["low"], row["high"])
        worth.append(f"to {right} {points}")
    return (
        f"Of duels a game sees {words.listed(parts)}; the right {words.listed(worth)} of win "
        "probability."
    )


QUESTION = Question(
    "score_sources", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
