"""How long games last: distribution, quantiles, spread, and the share that never ends.

For every game: the metrics it keeps a row a game and quantiles of (rolls, rounds, ...). Frames:

lengths: one row per metric and value between the shortest and the longest game.
    metric, unit; value (in that unit); games; share (of all games), low, high, level, n, method.
    Each interval stands for itself.
summary: one row per metric and statistic.
    metric, unit; statistic (mean, sd, q05, q25, q50, q75, q95); estimate, low, high, level, n,
    method; censored (true where capped games make the estimate a lower bound). The upper end of a
    quantile that capped games reach is infinite.
stalled: one row. games, capped; estimate (share of games that the cap stopped), low, high, level,
    n, method.

A capped game would have gone on: it is a censored observation. All that is known of it is that it
is at least as long as it was when it was stopped, so quantiles below the shortest capped game are
unharmed (the product-limit estimate agrees with the plain share there), and others are bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.intervals import SHARE, ClusterSums, Interval, clustered_ratio, no_events, rate
from analysis.moments import KeyedMoments, Moments, keyed_moments
from analysis.paired import INTERVAL_COLUMNS, BlockSums, Column, frame, interval_row
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import Game, Metric

TITLE = "Length of the game"
TEXT = "How long does a game last, how much does that vary, and do games stall?"


def length_metrics(game: Game) -> tuple[Metric, ...]:
    """Metrics of a game that have one value a game and quantiles: how long it lasts."""
    return tuple(m for m in game.metrics if m.table == "game" and "quantiles" in m.statistics)


@dataclass(frozen=True)
class LengthSums:
    """Additive sums of games: moments of the metrics, games and capped games by value."""

    moments: Moments
    stalled: BlockSums
    values: Mapping[str, KeyedMoments]
    capped: Mapping[str, KeyedMoments]

    def __add__(self, other: LengthSums) -> LengthSums:
        return LengthSums(
            self.moments + other.moments,
            self.stalled + other.stalled,
            {name: sums + other.values[name] for name, sums in self.values.items()},
            {name: sums + other.capped[name] for name, sums in self.capped.items()},
        )


def length_sums(
    chunk: Chunk, metrics: tuple[Metric, ...], rotations: int, labels: tuple[str, ...], capped: int
) -> LengthSums:
    """Sum a chunk. labels: one a seat. capped: the status of a game that the cap stopped.

    Raises ValueError where a length is negative or not whole, and as `Moments.of`.
    """
    games = chunk.games
    moments = Moments.of(games, chunk.seats, metrics, rotations=rotations, labels=labels)
    values, stopped = {}, {}
    for metric in metrics:
        at = games[metric.value].astype(np.int64)
        if (at < 0).any():
            raise ValueError(f"{metric.name} is negative in some game")
        ones = np.ones(len(games), dtype=np.int64)
        values[metric.name] = keyed_moments(at, ones, rotations=rotations)
        there = np.where(games["status"] == capped, at, -1)
        stopped[metric.name] = keyed_moments(there, ones, rotations=rotations)
    stalled = BlockSums.of([chunk], [_stalled(capped)], rotations)
    return LengthSums(moments, stalled, values, stopped)


def _stalled(capped: int) -> Column:
    return Column(0, "status", "game", equals=capped)


def stalled_share(sums: BlockSums, capped: int, level: float) -> Interval:
    """Share of games that the cap stopped; a one-sided bound where none was."""
    found = sums.cluster({_stalled(capped): 1})
    return _share(found, sums.rotations, level)


def _share(found: ClusterSums, rotations: int, level: float) -> Interval:
    """Interval of a share of games from the sums of its blocks."""
    if rotations == 1:
        return rate(int(found.num), found.clusters, level)
    if found.clusters and found.num == 0:
        return no_events(found.clusters, level)  # blocks without it are at least as rare
    return clustered_ratio(found, level, bounds=SHARE, method="Student over blocks")


def over_all_blocks(some: ClusterSums, blocks: int, rotations: int) -> ClusterSums:
    """What some blocks have, out of the games of all blocks; the totals of the others are 0.

    some: its num counts, of each block that has any.
    """
    return ClusterSums(
        blocks, some.num, rotations * blocks, some.num2, rotations**2 * blocks, rotations * some.num
    )


def value_shares(
    values: KeyedMoments, blocks: int, rotations: int, level: float
) -> list[dict[str, Any]]:
    """Share of games at each value from the smallest to the largest seen, with its interval."""
    seen = [key for key in range(len(values.table)) if values.sums(key).num]
    rows = []
    for value in range(min(seen), max(seen) + 1) if seen else ():
        at = values.sums(value)
        interval = _share(over_all_blocks(at, blocks, rotations), rotations, level)
        rows.append({"value": value, "games": int(at.num), **interval_row(interval)})
    return rows


def censor(
    interval: Interval, statistic: str, shortest: float, finished: float
) -> tuple[Interval, bool]:
    """A statistic of lengths when games were stopped; whether it is a lower bound only.

    shortest: the least length among stopped games. finished: share of games that ended by
    themselves at that length or before; a quantile up to it is known.
    """
    if not statistic.startswith("q"):
        method = f"{interval.method}; capped games count with the cap"
        return replace(interval, method=method), True
    if interval.high < shortest:
        return interval, False
    method = f"{interval.method}; from {shortest:g} on games were stopped by the cap"
    bound = replace(
        interval,
        estimate=min(interval.estimate, shortest),
        low=min(interval.low, shortest),
        high=math.inf,
        method=method,
    )
    return bound, finished < int(statistic[1:]) / 100


def summary_frame(sums: LengthSums, level: float) -> pd.DataFrame:
    """The frame `summary` of this module."""
    limits = {metric.name: _stopped(sums, metric) for metric in sums.moments.metrics}
    rows = []
    for row in sums.moments.estimates(level).to_dict("records"):
        interval, censored = Interval(**{name: row[name] for name in INTERVAL_COLUMNS}), False
        limit = limits[row["metric"]]
        if limit is not None:
            interval, censored = censor(interval, row["statistic"], *limit)
        rows.append(
            {
                **{name: row[name] for name in ("metric", "unit", "statistic")},
                **interval_row(interval),
                "censored": censored,
            }
        )
    columns = ("metric", "unit", "statistic", *INTERVAL_COLUMNS, "censored")
    return frame(rows, columns)


def _stopped(sums: LengthSums, metric: Metric) -> tuple[float, float] | None:
    """Least length of a stopped game, and the share of games that ended by themselves by then."""
    capped = sums.capped[metric.name]
    stopped = [value for value in range(len(capped.table)) if capped.sums(value).num]
    if not stopped:
        return None
    least = stopped[0]
    ended = sum(int(sums.values[metric.name].sums(value).num) for value in range(least + 1))
    return least / metric.scale, (ended - int(capped.sums(least).num)) / sums.moments.games


def lengths_frame(sums: LengthSums, level: float) -> pd.DataFrame:
    """The frame `lengths` of this module."""
    rows = [
        {"metric": metric.name, "unit": metric.unit, **row, "value": row["value"] / metric.scale}
        for metric in sums.moments.metrics
        for row in value_shares(
            sums.values[metric.name], sums.moments.blocks, sums.moments.rotations, level
        )
    ]
    columns = ("metric", "unit", "value", "games", *INTERVAL_COLUMNS)
    return frame(rows, columns).rename(columns={"estimate": "share"})


def _groups(setting: Setting) -> list[Group]:
    metrics, capped = length_metrics(setting.game), _capped(setting)

    def reduce(chunks: tuple[Chunk, ...]) -> LengthSums:
        return length_sums(chunks[0], metrics, setting.rotations, setting.seats, capped)

    return [Group("lengths", (Play("base"),), reduce)]


def _capped(setting: Setting) -> int:
    return int(setting.game.status["CAPPED"])


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: LengthSums = sums["lengths"]
    summary = summary_frame(found, setting.level)
    share = stalled_share(found.stalled, _capped(setting), setting.level)
    games = found.moments.games
    capped = int(found.stalled.totals[0])
    stalled = pd.DataFrame([{"games": games, "capped": capped, **interval_row(share)}])
    frames = {
        "lengths": lengths_frame(found, setting.level),
        "summary": summary,
        "stalled": stalled,
    }
    sentences = [
        *(_metric_sentence(summary, metric) for metric in found.moments.metrics),
        _stalled_sentence(share, capped, games, setting.level),
    ]
    return Answer(frames, tuple(sentences))


def _metric_sentence(summary: pd.DataFrame, metric: Metric) -> str:
    rows = {
        row["statistic"]: row
        for row in summary[summary["metric"] == metric.name].to_dict("records")
    }
    mean, sd, middle = rows.get("mean"), rows.get("sd"), rows["q50"]
    parts = []
    if mean is not None:
        least = "at least " if mean["censored"] else ""
        text = words.number(mean["estimate"], mean["low"], mean["high"], metric.unit)
        spread = ""
        if sd is not None:
            spread = f" (standard deviation {_plain(words.number, sd)})"
        parts.append(f"A game takes {least}{text} on average{spread}")
    half = _quantile(middle, metric.unit)
    ends = f"{_quantile(rows['q05'])} and {_quantile(rows['q95'])}"
    parts.append(
        f"half of all games end within {half}, and nine in ten take between {ends} {metric.unit}"
    )
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _plain(write: Callable[..., str], row: Mapping[str, Any]) -> str:
    return write(row["estimate"], row["low"], row["high"])


def _quantile(row: Mapping[str, Any], unit: str = "") -> str:
    if row["censored"]:
        return f"at least {row['estimate']:.0f}{words.SPACE}{unit}".rstrip()
    return words.whole(row["estimate"], row["low"], row["high"], unit)


def _stalled_sentence(share: Interval, capped: int, games: int, level: float) -> str:
    if not capped:
        return (
            f"No game of {words.count(games)} was stopped by the cap: {words.share(share)} stall "
            f"(one-sided bound at {level * 100:g}{words.SPACE}%)."
        )
    return (
        f"The cap stopped {words.share(share)} of the games ({words.count(capped)} of "
        f"{words.count(games)}); means count them with the length they had, so they are lower "
        "bounds."
    )


QUESTION = Question("length", TITLE, TEXT, _groups, _answer, together=None)
