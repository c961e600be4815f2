"""How good solo games of Dobbers turn out: result bands and turns, by strategy and removal method.

Compared are the strategy of the lineup and those that ship for one player, each with both methods
of removing cards of the adventure row between turns, all on the same deals. Frames, every estimate
with low, high, level, n and method:

bands: one row per strategy, removal method and band.
    strategy; removal ("position", "cost"); band (1 the best to 4; 0: stopped by the cap), result
    ("13 turns or fewer", ..., "never done"); games; estimate: share of all games. The intervals of
    one strategy and method hold together.
turns: one row per strategy, method and statistic (mean, sd, q05, q25, q50, q75, q95).
    strategy; removal; statistic; estimate; censored (capped games make it a lower bound). Each
    interval stands for itself.
distribution: one row per strategy, method and number of turns. strategy; removal; turns; games;
    share, low, high, ... Each interval stands for itself.
removal: one row per strategy. estimate: turns with the method "cost" minus turns with "position";
    without ("position"), changed ("cost"), discordance, correlation, speed_up. They hold together.
strategies: one row per method and strategy other than the lineup's. removal; strategy; estimate:
    its turns minus those of the lineup's; without (the lineup's), changed, ... They hold together.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis import words
from analysis.intervals import Interval, rate
from analysis.length import LengthSums, length_metrics, length_sums, lengths_frame, summary_frame
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
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import Metric
from strategies.presets import presets_of

TITLE = "Solo results"
TEXT = (
    "How many turns does a solo game take, and which result does it end with, by strategy and by "
    "the way cards of the row are removed?"
)
KEY = "solo.removal"
METHODS = ("position", "cost")
BANDS = 4
UNFINISHED = 0
TURNS = "turns"
SOLO = "solo"


def strategies_of(setting: Setting) -> tuple[str, ...]:
    """The lineup's strategy, then those that ship for one player only."""
    presets = presets_of(setting.game).values()
    alone = [preset.name for preset in presets if preset.players == (1,)]
    return tuple(dict.fromkeys([*setting.seats, *alone]))


def result_names(limits: Sequence[int]) -> dict[int, str]:
    """The bands in words, by number. limits: most turns of the three better bands."""
    names = {1: f"{limits[0]} turns or fewer"}
    for band, (before, most) in enumerate(itertools.pairwise(limits), start=2):
        few = before + 1
        names[band] = f"{few}" if few == most else f"{few} to {most}"
    names[len(limits) + 1] = f"{limits[-1] + 1} or more"
    return {**names, UNFINISHED: "never done"}


# ------------------------------------------------------------------------------------ the plays


def solo_plays(strategies: Sequence[str]) -> tuple[Play, ...]:
    """Each strategy with each method of removal."""
    return tuple(
        Play(f"{strategy}, {method}", (strategy,), {KEY: method})
        for strategy in strategies
        for method in METHODS
    )


def _play(strategy: int, method: str) -> int:
    return len(METHODS) * strategy + METHODS.index(method)


def _band(play: int, band: int) -> Column:
    return Column(play, "band", "game", equals=band)


def solo_columns(plays: int) -> list[Column]:
    """What is summed of `solo_plays`."""
    columns = []
    for play in range(plays):
        columns.append(Column(play, TURNS, "game"))
        columns += [_band(play, band) for band in range(BANDS + 1)]
    return columns


@dataclass(frozen=True)
class SoloSums:
    """Sums of the plays side by side, and of the turns of each."""

    blocks: BlockSums
    turns: tuple[LengthSums, ...]

    def __add__(self, other: SoloSums) -> SoloSums:
        pairs = zip(self.turns, other.turns, strict=True)
        return SoloSums(self.blocks + other.blocks, tuple(a + b for a, b in pairs))


def solo_sums(chunks: Sequence[Chunk], metric: Metric, capped: int) -> SoloSums:
    """Sum chunks, one a play. capped: the status of a game that the cap stopped."""
    return SoloSums(
        BlockSums.of(chunks, solo_columns(len(chunks)), 1),
        tuple(length_sums(chunk, (metric,), 1, ("",), capped) for chunk in chunks),
    )


# ------------------------------------------------------------------------------------ the frames


def _cases(strategies: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    return [
        (_play(place, method), {"strategy": strategy, "removal": method})
        for place, strategy in enumerate(strategies)
        for method in METHODS
    ]


def bands_frame(
    sums: BlockSums, strategies: Sequence[str], limits: Sequence[int], level: float
) -> pd.DataFrame:
    """The frame `bands` of this module. sums: of `solo_columns`."""
    names = result_names(limits)
    rows = []
    for play, keys in _cases(strategies):
        for band, name in names.items():
            games = int(sums.cluster({_band(play, band): 1}).num)
            interval = _share(games, sums.blocks, level, len(names))
            found = {"band": band, "result": name, "games": games, **interval_row(interval)}
            rows.append({**keys, **found})
    return frame(rows, ("strategy", "removal", "band", "result", "games", *INTERVAL_COLUMNS))


def _share(games: int, of: int, level: float, together: int) -> Interval:
    return jointly(lambda own: rate(games, of, own), level, together)


def turns_frames(
    turns: Sequence[LengthSums], strategies: Sequence[str], level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames `turns` and `distribution` of this module."""
    summaries, shares = [], []
    for play, keys in _cases(strategies):
        rows = summary_frame(turns[play], level).to_dict("records")
        summaries += [{**keys, **row} for row in rows]
        rows = lengths_frame(turns[play], level).to_dict("records")
        shares += [{**keys, **row, TURNS: int(row["value"])} for row in rows]
    at = ("strategy", "removal")
    interval = ("share", *INTERVAL_COLUMNS[1:])
    return (
        frame(summaries, (*at, "statistic", *INTERVAL_COLUMNS, "censored")),
        frame(shares, (*at, TURNS, "games", *interval)),
    )


def removal_frame(sums: BlockSums, strategies: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `removal` of this module. sums: of `solo_columns`."""
    rows = []
    for place, strategy in enumerate(strategies):
        effect = paired_effect(
            sums,
            [Column(_play(place, METHODS[1]), TURNS, "game")],
            level,
            together=len(strategies),
            against=_play(place, METHODS[0]),
        )
        rows.append({"strategy": strategy, **effect_row(effect)})
    return frame(rows, ("strategy", *EFFECT_COLUMNS))


def strategies_frame(sums: BlockSums, strategies: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `strategies` of this module. sums: of `solo_columns`; the first is the lineup's."""
    rows = []
    for method in METHODS:
        for place, strategy in enumerate(strategies[1:], start=1):
            effect = paired_effect(
                sums,
                [Column(_play(place, method), TURNS, "game")],
                level,
                together=len(METHODS) * (len(strategies) - 1),
                against=_play(0, method),
            )
            rows.append({"removal": method, "strategy": strategy, **effect_row(effect)})
    return frame(rows, ("removal", "strategy", *EFFECT_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _turns_metric(setting: Setting) -> Metric:
    (found,) = (metric for metric in length_metrics(setting.game) if metric.value == TURNS)
    return found


def _groups(setting: Setting) -> list[Group]:
    metric, capped = _turns_metric(setting), int(setting.game.status["CAPPED"])

    def reduce(chunks: tuple[Chunk, ...]) -> SoloSums:
        return solo_sums(chunks, metric, capped)

    return [Group(SOLO, solo_plays(strategies_of(setting)), reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: SoloSums = sums[SOLO]
    strategies, level = strategies_of(setting), setting.level
    limits = setting.rules.model.solo.bands
    turns, distribution = turns_frames(found.turns, strategies, level)
    frames = {
        "bands": bands_frame(found.blocks, strategies, limits, level),
        "turns": turns,
        "distribution": distribution,
        "removal": removal_frame(found.blocks, strategies, level),
        "strategies": strategies_frame(found.blocks, strategies, level),
    }
    own = str(setting.rules.model.solo.removal)
    sentences = [
        bands_sentence(frames["bands"], strategies[0], own),
        turns_sentence(turns, strategies[0], own),
        removal_sentence(frames["removal"]),
        strategies_sentence(frames["strategies"], strategies[0], own),
    ]
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words

REMOVED = {"position": "by position", "cost": "by cost"}


def bands_sentence(bands: pd.DataFrame, strategy: str, removal: str) -> str:
    """How often each result comes, for one strategy and method."""
    rows = bands[(bands["strategy"] == strategy) & (bands["removal"] == removal)]
    parts = [
        f"{row['result']} {words.share(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
        if row["band"] != UNFINISHED or row["games"]
    ]
    return (
        f"{strategy}, with cards removed {REMOVED[removal]}, ends its solo games with "
        f"{words.listed(parts)}."
    )


def _one(found: pd.DataFrame, **keys: str) -> dict[str, Any]:
    for key, value in keys.items():
        found = found[found[key] == value]
    return {str(key): value for key, value in found.to_dict("records")[0].items()}


def turns_sentence(turns: pd.DataFrame, strategy: str, removal: str) -> str:
    """How long its games are."""
    keys = {"strategy": strategy, "removal": removal}
    mean = _one(turns, **keys, statistic="mean")
    few, many = (_one(turns, **keys, statistic=name) for name in ("q05", "q95"))
    least = "at least " if mean["censored"] else ""
    text = words.number(mean["estimate"], mean["low"], mean["high"], TURNS)
    return (
        f"A game takes it {least}{text} on average, nine in ten between "
        f"{few['estimate']:g} and {many['estimate']:g}."
    )


def removal_sentence(removal: pd.DataFrame) -> str:
    """What the second method does to the turns of each strategy."""
    parts = []
    for row in removal.to_dict("records"):
        shown = words.number(row["estimate"], row["low"], row["high"], TURNS)
        parts.append(f"{row['strategy']} {shown}")
    return (
        "Removing the dearest and the cheapest card in turn instead of going by position changes "
        f"the length: {words.listed(parts)}."
    )


def strategies_sentence(found: pd.DataFrame, strategy: str, removal: str) -> str:
    """How the strategies for one player compare with the lineup's."""
    rows = found[found["removal"] == removal].to_dict("records")
    if not rows:
        return ""
    best = min(rows, key=lambda row: row["estimate"])
    if best["high"] < 0:
        less = words.number(0 - best["estimate"], 0 - best["high"], 0 - best["low"], TURNS)
        return f"{best['strategy']} needs {less} fewer than {strategy}."
    if all(row["low"] > 0 for row in rows):
        parts = [
            f"{row['strategy']} {words.number(row['estimate'], row['low'], row['high'], TURNS)}"
            for row in rows
        ]
        return f"Others need more turns than {strategy}: {words.listed(parts)}."
    return f"No strategy for one player is shown to be faster than {strategy}."


QUESTION = Question("solo_bands", TITLE, TEXT, _groups, _answer, games=("dobbers",), most_players=1)
