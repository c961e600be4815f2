"""Duels of Near and Far: who asks for them and wins, what the right to them is worth, how to fight.

Frames, every estimate with low, high, level, n and method:

duels: one row per player and quantity. who ("all players", "seat 1", ...; where the lineup holds
    several strategies, these); kind ("honest", "dishonest"); quantity ("asked": duels of a player,
    "won": share that the challenger wins); unit; estimate.
defences: the same players as defenders. who; quantity ("challenged": times a game, "held": share
    that the defender wins); unit; estimate.
rights: what the right to duel is worth: one seat may not, on the same deals, the others may.
    right ("any duel", "dishonest duels", "honest duels"); seat (missing: average); quantity
    (win_rate, score), unit; estimate: with the right minus without; without (the right), changed
    (with it), discordance, correlation, speed_up. The seats of a right and quantity hold together.
manner: one player always duels honestly, or always dishonestly, the others unchanged.
    scoring ("as set", "full": where reputation scores, see A-3); strategy; quantity, unit:
    win_rate, score, duels, won (share of duels asked for), reputation; estimate: honest minus
    dishonest; without (dishonest), changed (honest), discordance, correlation, speed_up. The
    quantities of a scoring each stand for themselves. Empty where no strategy has the weight.

Winning a duel dishonestly takes a step of reputation, winning it honestly gives one; the former
adds one to the roll. Where reputation does not score it still is a price of some artifacts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.derived import ratio_effect, with_fields
from analysis.habits import Habit, find_habit
from analysis.intervals import DIFFERENCE, UNBOUNDED, Bounds, Interval, clustered_share
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    effect_row,
    frame,
    interval_row,
    ones,
    paired_effect,
    rows_where,
    with_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.score_sources import EVERYBODY, players_of
from sim.batch import Chunk
from sim.game import WIN_UNIT

TITLE = "Duels"
TEXT = "Who fights duels and wins them, what is the right to them worth, and should they be honest?"
RIGHTS = {"any duel": 3, "dishonest duels": 2, "honest duels": 1}  # bits of the handicap
HANDICAP, MANNER, SCORING = "forbid_duels", "dishonest", "switches.scoring"
RIGHTS_SHARE = 0.25
KINDS = ("honest", "dishonest")
WORTHS: dict[str, tuple[str, int, Bounds]] = {
    "win_rate": ("share of games", WIN_UNIT, DIFFERENCE),
    "score": ("journey points", 1, UNBOUNDED),
}
# quantity -> unit, field, per, scale, bounds
MANNERS: dict[str, tuple[str, str, str | None, int, Bounds]] = {
    "win_rate": ("share of games", "win", None, WIN_UNIT, DIFFERENCE),
    "score": ("journey points", "score", None, 1, UNBOUNDED),
    "duels": ("duels", "duels", None, 1, UNBOUNDED),
    "won": ("share of duels", "duels_won", "duels", 1, DIFFERENCE),
    "reputation": ("steps", "reputation", None, 1, UNBOUNDED),
}


# ------------------------------------------------------------------------------------- the sums


def by_kind(chunk: Chunk) -> Chunk:
    """The chunk with honest and dishonest duels apart."""
    seats = chunk.seats
    asked, won = seats["duels"].astype(np.int64), seats["duels_won"].astype(np.int64)
    fields: dict[str, NDArray[Any]] = {
        "one": np.ones_like(asked),
        "asked honest": asked - seats["dishonest"],
        "asked dishonest": seats["dishonest"],
        "won honest": won - seats["duels_dishonest_won"],
        "won dishonest": seats["duels_dishonest_won"],
        "challenged": seats["defences"],
        "held": seats["defences_won"],
    }
    return with_fields(chunk, fields)


def duel_columns(seats: Sequence[str]) -> list[Column]:
    """What is summed of `by_kind`."""
    fields = ["one", "challenged", "held"]
    fields += [f"{what} {kind}" for what in ("asked", "won") for kind in KINDS]
    picks = [pick for part in players_of(seats).values() for pick in part]
    return [replace(pick, field=field) for pick in picks for field in fields]


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


def scorings(setting: Setting) -> dict[str, dict[str, str]]:
    """Patches of the scorings looked at: the setting's, and the full one if that is another."""
    values = {entry.key: entry.value for entry in setting.rules.entries}
    found: dict[str, dict[str, str]] = {"as set": {}}
    if values[SCORING] != "full":
        found["full"] = {SCORING: "full"}
    return found


def is_honest(habit: Habit) -> bool:
    """Whether the strategy duels honestly as it is scripted."""
    return habit.scripted < 0.5


def manner_plays(setting: Setting, habit: Habit, patches: Mapping[str, str]) -> tuple[Play, ...]:
    """Everybody as scripted, then each slot in turn the other way."""
    plays = [Play("as it is"), *habit.plays(setting, 1 if is_honest(habit) else 0)]
    return tuple(replace(play, patches=patches) for play in plays)


def manner_columns(habit: Habit) -> list[Column]:
    """What is summed of `manner_plays`."""
    fields = {f for row in MANNERS.values() for f in row[1:3] if isinstance(f, str)}
    return [
        column
        for field in sorted(fields)
        for column in (*habit.as_scripted(field), *habit.columns(1, field))
    ]


# ------------------------------------------------------------------------------------ the frames


def _often(sums: BlockSums, picks: Sequence[Column], field: str, level: float) -> Interval:
    num = ones([replace(pick, field=field) for pick in picks])
    return sums.estimate(num, ones(picks), level)


def _out_of(
    sums: BlockSums, picks: Sequence[Column], num: str, den: str, level: float
) -> Interval | None:
    """A share of duels; None where there is no duel."""
    above, below = ([replace(pick, field=field) for pick in picks] for field in (num, den))
    found = sums.cluster(ones(above), ones(below))
    return clustered_share(found, level) if found.den else None


def duels_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `duels` of this module. sums: of `duel_columns`."""
    rows = []
    for who, picks in players_of(seats).items():
        for kind in KINDS:
            share = _out_of(sums, picks, f"won {kind}", f"asked {kind}", level)
            if share is None:  # nobody asked for one
                continue
            keys = {"who": who, "kind": kind}
            asked = interval_row(_often(sums, picks, f"asked {kind}", level))
            rows.append({**keys, "quantity": "asked", "unit": "duels of a player", **asked})
            own = interval_row(share)
            rows.append({**keys, "quantity": "won", "unit": "share of duels", **own})
    return frame(rows, ("who", "kind", "quantity", "unit", *INTERVAL_COLUMNS))


def defences_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `defences` of this module. sums: of `duel_columns`."""
    rows = []
    for who, picks in players_of(seats).items():
        share = _out_of(sums, picks, "held", "challenged", level)
        if share is None:
            continue
        asked = interval_row(_often(sums, picks, "challenged", level))
        rows.append({"who": who, "quantity": "challenged", "unit": "duels of a player", **asked})
        own = interval_row(share)
        rows.append({"who": who, "quantity": "held", "unit": "share of duels", **own})
    return frame(rows, ("who", "quantity", "unit", *INTERVAL_COLUMNS))


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
                rows.append({**keys, **with_row(effect)})
    columns = ("right", "seat", "quantity", "unit", *EFFECT_COLUMNS)
    return frame(rows, columns).astype({"seat": "Int64"})


def manner_frame(parts: Mapping[str, BlockSums], habit: Habit, level: float) -> pd.DataFrame:
    """The frame `manner` of this module. parts: scoring -> sums of `manner_columns`."""
    rows = []
    for scoring, sums in parts.items():
        for name, (unit, field, per, scale, bounds) in MANNERS.items():
            columns = habit.columns(1, field)
            options: dict[str, Any] = {"scale": scale, "bounds": bounds}
            if per is None:
                effect = paired_effect(sums, columns, level, **options)
            else:
                effect = ratio_effect(sums, columns, habit.columns(1, per), level, **options)
            keys = {"scoring": scoring, "strategy": habit.spec, "quantity": name, "unit": unit}
            # where it is honest as scripted, what changed is the dishonest one
            rows.append({**keys, **(with_row if is_honest(habit) else effect_row)(effect)})
    return frame(rows, ("scoring", "strategy", "quantity", "unit", *EFFECT_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    players, rotations = setting.players, setting.rotations

    def duels(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of([by_kind(chunks[0])], duel_columns(setting.seats), rotations)

    def rights(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, right_columns(players), rotations)

    groups = [
        Group("duels", (Play("as it is"),), duels),
        Group("rights", right_plays(players), rights, RIGHTS_SHARE),
    ]
    habit = find_habit(setting, MANNER)
    if habit is not None:
        columns = manner_columns(habit)

        def manner(chunks: tuple[Chunk, ...]) -> BlockSums:
            return BlockSums.of(chunks, columns, rotations)

        for name, patches in scorings(setting).items():
            plays = manner_plays(setting, habit, patches)
            groups.append(Group(f"manner {name}", plays, manner, RIGHTS_SHARE))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    level, players, habit = setting.level, setting.players, find_habit(setting, MANNER)
    frames = {
        "duels": duels_frame(sums["duels"], setting.seats, level),
        "defences": defences_frame(sums["duels"], setting.seats, level),
        "rights": rights_frame(sums["rights"], players, level),
    }
    sentences = [duels_sentence(frames["duels"]), rights_sentence(frames["rights"])]
    if habit is not None:
        parts = {name: sums[f"manner {name}"] for name in scorings(setting)}
        frames["manner"] = manner_frame(parts, habit, level)
        sentences.append(manner_sentence(frames["manner"]))
    return Answer(frames, tuple(sentences))


# -------------------------------------------------------------------------------------- in words


def duels_sentence(duels: pd.DataFrame) -> str:
    """How many duels there are, of which kind, and who wins them."""
    asked = rows_where(duels, who=EVERYBODY, quantity="asked")
    won = {row["kind"]: row for row in rows_where(duels, who=EVERYBODY, quantity="won")}
    if not asked:
        return "Nobody fought a duel."
    parts = []
    for row in asked:
        share = won[row["kind"]]
        parts.append(
            f"{words.number(row['estimate'], row['low'], row['high'])} {row['kind']} duels, of "
            f"which it wins {words.share(share['estimate'], share['low'], share['high'])}"
        )
    text = f"A player asks for {words.listed(parts)}"
    missing = [kind for kind in KINDS if kind not in won]
    return f"{text}; nobody fights {words.listed(missing)} ones." if missing else f"{text}."


def rights_sentence(rights: pd.DataFrame) -> str:
    """What the rights to duel are worth."""
    parts = []
    for right in RIGHTS:
        row = rows_where(rights, right=right, seat=None, quantity="win_rate")[0]
        same = row["discordance"] == 0
        parts.append(
            f"to {right} is worth {'nothing (no game differs)' if same else words.gain(row)}"
        )
    return f"In win probability, to a player who alone lacks it, the right {words.listed(parts)}."


def manner_sentence(manner: pd.DataFrame) -> str:
    """Whether it pays to be honest."""
    parts = []
    for row in rows_where(manner, quantity="win_rate"):
        won = rows_where(manner, quantity="won", scoring=row["scoring"])[0]
        where = "with points as set" if row["scoring"] == "as set" else "where reputation scores"
        told = row["low"] > 0 or row["high"] < 0
        verb = "changes" if told else "does not measurably change"
        parts.append(
            f"{where}, it {verb} its win probability ({words.gain(row)}) and changes the share "
            f"of duels it wins by {words.gain(won)}"
        )
    spec = manner["strategy"].iloc[0]
    return f"If one {spec} fights its duels honestly instead of dishonestly: {'; '.join(parts)}."


QUESTION = Question(
    "duels", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
