"""What ends Near and Far: the last quest token, the last camp, or either; and what that changes.

Sources of the rules disagree (A-1), so the same deals are played with each of them. Frames, every
estimate with low, high, level, n and method:

ends: one row per trigger and quantity.
    trigger ("quests", "camps", "either"); quantity, unit: rounds, score (of a player), spread (most
    less fewest points), margin, lead_changes, camps (of a player), quests_left, capped; estimate:
    per game or player. Each interval stands for itself.
changes: the same, of a trigger minus "either", on the same deals: estimate; without, changed,
    discordance, correlation, speed_up. The triggers of a quantity hold together.
lengths: rounds by trigger. statistic (q05, q25, q50, q75, q95); estimate, low, high; censored.
enders: who brings the end about. trigger; by ("quests", "camps"); share (of games that end so),
    share_low, share_high, share_n, share_method; estimate: share of these that the player wins who
    brought it about. The estimates of a trigger hold together, and so do its shares.
ender_seats: trigger; seat; estimate: share of games in which the seat brings the end about. The
    seats of a trigger hold together.
seats: trigger; seat; estimate: win rate. The seats of a trigger hold together.
fairness: trigger; estimate: largest less smallest win rate of a seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.derived import with_fields
from analysis.intervals import SHARE, UNBOUNDED, Bounds, clustered_share, simultaneous_level, spread
from analysis.length import LengthSums, length_sums, summary_frame
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    effect_row,
    frame,
    interval_row,
    jointly,
    paired_effect,
    relabelled,
    rows_where,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT, Metric
from sim.near_and_far.state import MAX_SPACES, Status

TITLE = "End of the game"
TEXT = (
    "What if the last quest token, the last camp, or either ends the game: length, scores, seats, "
    "and who brings the end about?"
)
TRIGGER = "switches.end_trigger"
TRIGGERS = ("either", "quests", "camps")  # the first is what the others are compared with
CAUSES = {"quests": 1, "camps": 2}  # the field `ended_by`

# quantity -> table, field, unit, bounds
QUANTITIES: dict[str, tuple[str, str, str, Bounds]] = {
    "rounds": ("game", "rounds", "rounds", UNBOUNDED),
    "score": ("seat", "score", "journey points", UNBOUNDED),
    "spread": ("game", "spread", "journey points", UNBOUNDED),
    "margin": ("game", "margin", "journey points", UNBOUNDED),
    "lead_changes": ("game", "lead_changes", "changes", UNBOUNDED),
    "camps": ("seat", "camps", "camps", UNBOUNDED),
    "quests_left": ("game", "quests_left", "tokens", (0.0, float(MAX_SPACES))),
    "capped": ("game", "capped", "share of games", SHARE),
}
LENGTH = "rounds"
STATISTICS = ("q05", "q25", "q50", "q75", "q95")


# ------------------------------------------------------------------------------------- the sums


def end_plays() -> tuple[Play, ...]:
    """The game with each trigger."""
    return tuple(Play(name, patches={TRIGGER: name}) for name in TRIGGERS)


def end_columns(players: int) -> list[Column]:
    """What is summed of `end_plays`."""
    columns = []
    for play in range(len(TRIGGERS)):
        columns += [Column(play, field, table) for table, field, *_ in QUANTITIES.values()]
        for seat in range(1, players + 1):
            columns += [Column(play, "win", seat=seat), Column(play, "ended", seat=seat)]
    return columns


def by_cause(chunk: Chunk) -> Chunk:
    """The chunk with who brought the end about, and what that player wins, by cause."""
    ended = chunk.seats["ended"].astype(np.int64)
    win = chunk.seats["win"].astype(np.int64)
    fields = {}
    for cause, number in CAUSES.items():
        here = ended * (chunk.games["ended_by"] == number)[:, None]
        fields[cause] = here
        fields[f"{cause} win"] = here * win
    return with_fields(chunk, fields)


def cause_columns() -> list[Column]:
    """What is summed of `by_cause`."""
    return [Column(0, f"{cause}{end}") for cause in CAUSES for end in ("", " win")]


@dataclass(frozen=True)
class EndSums:
    """Sums of `end_plays`: blocks of all plays, and causes and lengths of each of them."""

    blocks: BlockSums
    causes: tuple[BlockSums, ...]
    lengths: tuple[LengthSums, ...]

    def __add__(self, other: EndSums) -> EndSums:
        return EndSums(
            self.blocks + other.blocks,
            tuple(a + b for a, b in zip(self.causes, other.causes, strict=True)),
            tuple(a + b for a, b in zip(self.lengths, other.lengths, strict=True)),
        )


def end_sums(
    chunks: Sequence[Chunk], metric: Metric, rotations: int, labels: tuple[str, ...]
) -> EndSums:
    """Sum chunks of `end_plays`. metric: the one of the rounds."""
    players, capped = chunks[0].seats.shape[1], int(Status.CAPPED)
    return EndSums(
        BlockSums.of(chunks, end_columns(players), rotations),
        tuple(BlockSums.of([by_cause(c)], cause_columns(), rotations) for c in chunks),
        tuple(length_sums(c, (metric,), rotations, labels, capped) for c in chunks),
    )


# ------------------------------------------------------------------------------------ the frames


def ends_frame(sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `ends` of this module. sums: of `end_columns`."""
    rows = []
    for play, trigger in enumerate(TRIGGERS):
        for name, (table, field, unit, bounds) in QUANTITIES.items():
            interval = sums.estimate({Column(play, field, table): 1}, level=level, bounds=bounds)
            keys = {"trigger": trigger, "quantity": name, "unit": unit}
            rows.append({**keys, **interval_row(interval)})
    return frame(rows, ("trigger", "quantity", "unit", *INTERVAL_COLUMNS))


def changes_frame(sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `changes` of this module. sums: of `end_columns`."""
    rows = []
    for play, trigger in enumerate(TRIGGERS[1:], start=1):
        for name, (table, field, unit, bounds) in QUANTITIES.items():
            wide = bounds if bounds == UNBOUNDED else (-bounds[1], bounds[1])
            effect = paired_effect(
                sums,
                [Column(play, field, table)],
                level,
                bounds=wide,
                together=len(TRIGGERS) - 1,
            )
            keys = {"trigger": trigger, "quantity": name, "unit": unit}
            rows.append({**keys, **effect_row(effect)})
    return frame(rows, ("trigger", "quantity", "unit", *EFFECT_COLUMNS))


def lengths_frame(sums: Sequence[LengthSums], level: float) -> pd.DataFrame:
    """The frame `lengths` of this module."""
    parts = []
    for trigger, one in zip(TRIGGERS, sums, strict=True):
        found = summary_frame(one, level)
        found = found[found["statistic"].isin(STATISTICS)]
        parts.append(found.drop(columns="metric").assign(trigger=trigger))
    columns = ["trigger", "statistic", "unit", *INTERVAL_COLUMNS, "censored"]
    return pd.concat(parts, ignore_index=True)[columns]


def enders_frame(sums: Sequence[BlockSums], level: float) -> pd.DataFrame:
    """The frame `enders` of this module. sums: of `cause_columns`, one a trigger."""
    rows = []
    for trigger, one in zip(TRIGGERS, sums, strict=True):
        seen = [cause for cause in CAUSES if one.cluster({Column(0, cause): 1}).num]
        for cause in seen:
            ended, won = Column(0, cause), Column(0, f"{cause} win")
            interval = jointly(
                lambda own, one=one, won=won, ended=ended: clustered_share(
                    one.cluster({won: 1}, {ended: 1}), own, scale=WIN_UNIT
                ),
                level,
                len(seen),
            )
            share = jointly(
                lambda own, one=one, ended=ended: clustered_share(
                    one.cluster({ended: 1}), own, scale=1 / one.players
                ),  # one player ends a game, but the rows are those of all
                level,
                len(seen),
            )
            keys = {"trigger": trigger, "by": cause}
            rows.append({**keys, **side_row("share", share), **interval_row(interval)})
    return frame(rows, ("trigger", "by", *side_columns("share"), *INTERVAL_COLUMNS))


def _shares(
    sums: BlockSums, players: int, field: str, scale: int, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A share of games by trigger and seat, and its spread by trigger."""
    rows, spreads = [], []
    for play, trigger in enumerate(TRIGGERS):
        own = simultaneous_level(level, players)
        found = []
        for seat in range(1, players + 1):
            cluster = sums.cluster({Column(play, field, seat=seat): 1})
            found.append(clustered_share(cluster, own, scale=scale))
            told = interval_row(relabelled(found[-1], level, players))
            rows.append({"trigger": trigger, "seat": seat, **told})
        spreads.append({"trigger": trigger, **interval_row(spread(found, level))})
    return (
        frame(rows, ("trigger", "seat", *INTERVAL_COLUMNS)),
        frame(spreads, ("trigger", *INTERVAL_COLUMNS)),
    )


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    metric = next(m for m in setting.game.metrics if m.name == LENGTH)

    def reduce(chunks: tuple[Chunk, ...]) -> EndSums:
        return end_sums(chunks, metric, setting.rotations, setting.seats)

    return [Group("ends", end_plays(), reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: EndSums = sums["ends"]
    level, players = setting.level, setting.players
    seats, fairness = _shares(found.blocks, players, "win", WIN_UNIT, level)
    frames = {
        "ends": ends_frame(found.blocks, level),
        "changes": changes_frame(found.blocks, level),
        "lengths": lengths_frame(found.lengths, level),
        "enders": enders_frame(found.causes, level),
        "ender_seats": _shares(found.blocks, players, "ended", 1, level)[0],
        "seats": seats,
        "fairness": fairness,
    }
    sentences = (
        length_sentence(frames["ends"], frames["lengths"]),
        enders_sentence(frames["enders"]),
        seats_sentence(frames["seats"], frames["fairness"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def named(trigger: str) -> str:
    """A trigger in words."""
    return {
        "quests": "the last quest token",
        "camps": "the last camp",
        "either": "either of them",
    }[trigger]


def length_sentence(ends: pd.DataFrame, lengths: pd.DataFrame) -> str:
    """How long games are and what players score, by trigger."""
    parts = []
    for trigger in ("quests", "camps", "either"):
        rounds = rows_where(ends, trigger=trigger, quantity="rounds")[0]
        score = rows_where(ends, trigger=trigger, quantity="score")[0]
        half = rows_where(lengths, trigger=trigger, statistic="q50")[0]
        text = words.number(rounds["estimate"], rounds["low"], rounds["high"], "rounds")
        points = words.number(score["estimate"], score["low"], score["high"], "points")
        middle = words.whole(half["estimate"], half["low"], half["high"])
        told = f"more than {middle}" if half["censored"] else f"{middle} or fewer"
        parts.append(
            f"{named(trigger)}, games take {text} (half of them {told}) and bring a player {points}"
        )
    return f"Ended by {'; by '.join(parts)}."


def enders_sentence(enders: pd.DataFrame) -> str:
    """Which trigger comes first, and whether whoever brings it about wins."""
    rows = rows_where(enders, trigger="either")
    if not rows:
        return ""
    parts = [
        f"{named(row['by'])} in "
        f"{words.share(row['share'], row['share_low'], row['share_high'])} of games (whoever takes "
        f"it wins {words.share(row['estimate'], row['low'], row['high'])})"
        for row in rows
    ]
    return f"Where either may end it, what does is {words.listed(parts)}."


def seats_sentence(seats: pd.DataFrame, fairness: pd.DataFrame) -> str:
    """Whether a trigger evens out the seats."""
    parts = []
    for row in rows_where(fairness):
        first = rows_where(seats, trigger=row["trigger"], seat=1)[0]
        won = words.share(first["estimate"], first["low"], first["high"])
        apart = words.points(row["estimate"], row["low"], row["high"])
        parts.append(f"with {named(row['trigger'])} seat 1 wins {won}, the seats {apart} apart")
    return f"Seats: {'; '.join(parts)}."


QUESTION = Question(
    "end_trigger", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
