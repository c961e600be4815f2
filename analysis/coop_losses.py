"""Why teams lose: points short, bosses left, time run out; and how close they were.

In the setting as it is, each team (the lineup's, then those that ship) on the same deals. Frames,
every estimate with low, high, level, n and method:

outcomes: one row per team and outcome, each game in one of them.
    team; outcome: "won", "points short", "bosses left", "points and bosses" (both of them), "time
    ran out" (whatever else was lacking); games; estimate: share of all games. The intervals of a
    team hold together.
causes: one row per team and cause; a game may have several.
    team; cause: points (not enough), bosses (at least one left), time (the token came to its last
    space); games; lost (games of the team); estimate: share of the lost games. The intervals of a
    team hold together.
bosses: one row per team and number of bosses. team; left; games; estimate: share of lost games.
    The intervals of a team hold together.
short: one row per team and limit. team; limit (points); games (not enough points); estimate: share
    of these games that lacked so many points or fewer. They hold together for a team.
margin: one row per team and statistic (mean, sd, q05, q25, q50, q75, q95) of the margin, points
    above what was needed, of all games. team; statistic; estimate. Each interval stands for itself.
lacking: one row per team. estimate: points that were lacking on average where they were not enough.
distribution: one row per team and band of BAND points. team; from, to (margin from this to that);
    games; estimate: share of all games. Each interval stands for itself.
close: one row per team and way of being close.
    team; how: "won by NEAR points or fewer", "lost by NEAR points or fewer" (nothing else was
    lacking), "lost by one boss" (nothing else was lacking), "any of these"; estimate: share of all
    games. They hold together for a team.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.cooperation import (
    MARGIN,
    plays_together,
    share,
    team_labels,
    team_seats,
    teams_of,
    with_game_fields,
)
from analysis.length import value_shares
from analysis.moments import KeyedMoments, Moments, keyed_moments
from analysis.paired import INTERVAL_COLUMNS, BlockSums, Column, frame, interval_row
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import Metric
from sim.near_and_far.state import MAX_BOSSES

TITLE = "Why teams lose"
TEXT = "Do teams lose for want of points, for bosses left or for time, and how close were they?"
GROUP = "teams"
OUTCOMES = ("won", "points short", "bosses left", "points and bosses", "time ran out")
CAUSES = ("points", "bosses", "time")
LIMITS = (5, 10, 20, 40)  # points that were lacking at most
NEAR = 5  # points of a close game
BAND = 5  # points of a bar of the histogram
LOWEST, HIGHEST = -400, 399  # margins beyond are counted with these
CLOSE = (
    f"won by {NEAR} points or fewer",
    f"lost by {NEAR} points or fewer",
    "lost by one boss",
    "any of these",
)
METRIC = Metric(MARGIN, "points", "game", MARGIN, statistics=("mean", "sd", "quantiles"))


# -------------------------------------------------------------------------------------- the sums


def facts(games: NDArray[Any], at_least: bool) -> dict[str, NDArray[np.int64]]:
    """What is counted of games, 0 or 1 each but for `lacking`.

    games: rows with team_won, team_margin, bosses_left, skull, points_short. at_least: reaching
    the points needed is enough; else a margin of 0 lacks one point.
    """
    won = games["team_won"].astype(np.int64)
    lost = 1 - won
    points = lost * (games["points_short"] != 0)
    bosses = lost * (games["bosses_left"] > 0)
    # a game that was stopped ran out of time as well: it was neither won nor lost by its end
    time = lost * ((games["skull"] != 0) | (points + bosses == 0))
    margin = games[MARGIN].astype(np.int64)
    lacking = points * np.maximum((0 if at_least else 1) - margin, 0)
    ended = lost * (1 - time)
    outcome = np.select(
        [won == 1, time == 1, points * bosses == 1, points == 1], [0, 4, 3, 1], default=2
    )
    near = {
        CLOSE[0]: won * (margin <= NEAR),
        CLOSE[1]: ended * points * (1 - bosses) * (lacking <= NEAR),
        CLOSE[2]: ended * bosses * (1 - points) * (games["bosses_left"] == 1),
    }
    near[CLOSE[3]] = sum(near.values(), np.zeros(len(games), dtype=np.int64))
    return {
        "lost": lost,
        "lacking": lacking,
        **{name: (outcome == code).astype(np.int64) for code, name in enumerate(OUTCOMES)},
        **dict(zip(CAUSES, (points, bosses, time), strict=True)),
        **{
            left_words(left): lost * (games["bosses_left"] == left)
            for left in range(MAX_BOSSES + 1)
        },
        **{limit_words(limit): points * (lacking <= limit) for limit in LIMITS},
        **near,
    }


def left_words(bosses: int) -> str:
    """How many bosses are left."""
    return f"{bosses} left" if bosses else "none left"


def limit_words(points: int) -> str:
    """How many points were lacking at most."""
    return f"{points} or fewer"


def _column(play: int, name: str) -> Column:
    return Column(play, name, "game")


@dataclass(frozen=True)
class LossSums:
    """Sums of the teams' plays side by side: what `facts` counts, and each team's margins."""

    facts: BlockSums
    margins: tuple[Moments, ...]
    bands: tuple[KeyedMoments, ...]

    def __add__(self, other: LossSums) -> LossSums:
        return LossSums(
            self.facts + other.facts,
            tuple(a + b for a, b in zip(self.margins, other.margins, strict=True)),
            tuple(a + b for a, b in zip(self.bands, other.bands, strict=True)),
        )


def loss_sums(chunks: Sequence[Chunk], rotations: int, at_least: bool) -> LossSums:
    """Sum chunks of whole blocks, one a team."""
    made = [with_game_fields(chunk, facts(chunk.games, at_least)) for chunk in chunks]
    columns = [
        _column(play, name)
        for play, chunk in enumerate(made)
        for name in chunk.games.dtype.names or ()
    ]
    margins, bands = [], []
    for chunk in chunks:
        labels = ("",) * chunk.seats.shape[1]
        margins.append(
            Moments.of(chunk.games, chunk.seats, (METRIC,), rotations=rotations, labels=labels)
        )
        margin = np.clip(chunk.games[MARGIN].astype(np.int64), LOWEST, HIGHEST)
        ones = np.ones(len(margin), dtype=np.int64)
        bands.append(keyed_moments((margin - LOWEST) // BAND, ones, rotations=rotations))
    return LossSums(BlockSums.of(made, columns, rotations), tuple(margins), tuple(bands))


# ------------------------------------------------------------------------------------ the frames


def shares_frame(
    sums: BlockSums,
    teams: Sequence[str],
    key: str,
    fields: Mapping[Any, str],
    level: float,
    *,
    of: str | None = None,
    total: str | None = None,
) -> pd.DataFrame:
    """Shares by team. key: the column with the names of `fields`, name -> fact that is counted.

    of: the fact whose games are all; None for all games. total: the column with their number.
    """
    rows = []
    for play, team in enumerate(teams):
        every = None if of is None else _column(play, of)
        for name, field in fields.items():
            column = _column(play, field)
            interval = share(sums, column, level, of=every, together=len(fields))
            row = {"team": team, key: name, "games": int(sums.cluster({column: 1}).num)}
            if total is not None and every is not None:
                row[total] = int(sums.cluster({every: 1}).num)
            rows.append({**row, **interval_row(interval)})
    columns = ("team", key, "games", *(() if total is None else (total,)), *INTERVAL_COLUMNS)
    return frame(rows, columns)


def margin_frame(margins: Sequence[Moments], teams: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `margin` of this module."""
    rows = [
        {"team": team, **row}
        for team, found in zip(teams, margins, strict=True)
        for row in found.estimates(level).to_dict("records")
    ]
    return frame(
        [{name: row[name] for name in ("team", "statistic", *INTERVAL_COLUMNS)} for row in rows],
        ("team", "statistic", *INTERVAL_COLUMNS),
    )


def lacking_frame(sums: BlockSums, teams: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `lacking` of this module."""
    rows = []
    for play, team in enumerate(teams):
        lacking, games = _column(play, "lacking"), _column(play, "points")
        rows.append({"team": team, **interval_row(sums.estimate({lacking: 1}, {games: 1}, level))})
    return frame(rows, ("team", *INTERVAL_COLUMNS))


def distribution_frame(
    bands: Sequence[KeyedMoments], blocks: int, rotations: int, teams: Sequence[str], level: float
) -> pd.DataFrame:
    """The frame `distribution` of this module."""
    rows = []
    for team, found in zip(teams, bands, strict=True):
        for row in value_shares(found, blocks, rotations, level):
            start = LOWEST + BAND * row["value"]
            rows.append({**row, "team": team, "from": start, "to": start + BAND - 1})
    return frame(rows, ("team", "from", "to", "games", *INTERVAL_COLUMNS))


def frames_of(
    sums: LossSums, teams: Sequence[str], rotations: int, level: float
) -> dict[str, pd.DataFrame]:
    """All frames of this module."""
    found = sums.facts

    def same(names: Sequence[str]) -> dict[str, str]:
        return {name: name for name in names}

    lefts = {left: left_words(left) for left in range(MAX_BOSSES + 1)}
    lefts = {
        left: name
        for left, name in lefts.items()
        if any(found.cluster({_column(play, name): 1}).num for play in range(len(teams)))
    }
    limits = {limit: limit_words(limit) for limit in LIMITS}
    return {
        "outcomes": shares_frame(found, teams, "outcome", same(OUTCOMES), level),
        "causes": shares_frame(found, teams, "cause", same(CAUSES), level, of="lost", total="lost"),
        "bosses": shares_frame(found, teams, "left", lefts, level, of="lost"),
        "short": shares_frame(found, teams, "limit", limits, level, of="points"),
        "lacking": lacking_frame(found, teams, level),
        "margin": margin_frame(sums.margins, teams, level),
        "distribution": distribution_frame(sums.bands, found.blocks, rotations, teams, level),
        "close": shares_frame(found, teams, "how", same(CLOSE), level),
    }


# ---------------------------------------------------------------------------------- the question


def at_least(setting: Setting) -> bool:
    """Whether reaching the points needed is enough to win (A-5)."""
    return bool(setting.rules.model.switches.coop_at_least)


def _groups(setting: Setting) -> list[Group]:
    plays = tuple(
        Play(name, team_seats(team, setting.players)) for name, team in teams_of(setting).items()
    )
    enough = at_least(setting)

    def reduce(chunks: tuple[Chunk, ...]) -> LossSums:
        return loss_sums(chunks, setting.rotations, enough)

    return [Group(GROUP, plays, reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    teams, found = team_labels(setting), sums[GROUP]
    frames = frames_of(found, teams, setting.rotations, setting.level)
    own = teams[0]
    sentences = (
        causes_sentence(frames["outcomes"], frames["causes"], own),
        short_sentence(frames["lacking"], frames["short"], own),
        close_sentence(frames["close"], own),
        margin_sentence(frames["margin"], own),
        others_sentence(frames["causes"], teams[1:]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words

LACK = {"points": "points", "bosses": "bosses left", "time": "time"}


def _part(row: Mapping[str, Any]) -> str:
    """A share of games; in words as well where it was all of them or none."""
    all_or_none = {1.0: "all", 0.0: "none"}.get(row["estimate"])
    return words.shown(row) if all_or_none is None else f"{all_or_none} ({words.shown(row)})"


def _rows(found: pd.DataFrame, team: str, key: str) -> dict[Any, dict[str, Any]]:
    rows = found[found["team"] == team].to_dict("records")
    return {row[key]: {str(name): value for name, value in row.items()} for row in rows}


def causes_sentence(outcomes: pd.DataFrame, causes: pd.DataFrame, team: str) -> str:
    """How often the lineup's team wins, and what it lacked where it did not."""
    ends, why = _rows(outcomes, team, "outcome"), _rows(causes, team, "cause")
    text = f"{team} wins {_part(ends['won'])}"
    if why["points"]["lost"] == 0:
        return f"{text} of its games, so there is no loss to explain."
    apart = [
        f"for points alone {_part(ends['points short'])}",
        f"for bosses alone {_part(ends['bosses left'])}",
        f"for both {_part(ends['points and bosses'])}",
        f"because time ran out {_part(ends['time ran out'])}",
    ]
    return (
        f"{text} of its games and loses, in shares of all games, {words.listed(apart)}. Of the "
        f"lost games {_part(why['points'])} lacked points and {_part(why['bosses'])} had a boss "
        f"left; in {_part(why['time'])} the time had run out."
    )


def short_sentence(lacking: pd.DataFrame, short: pd.DataFrame, team: str) -> str:
    """By how much points were short."""
    row = lacking[lacking["team"] == team].to_dict("records")[0]
    if not row["estimate"] > 0:
        return ""
    within = _rows(short, team, "limit")
    mean = words.number(row["estimate"], row["low"], row["high"], "points")
    parts = [f"{limit_words(limit)} in {_part(within[limit])}" for limit in LIMITS[:3]]
    return (
        f"Where points were not enough {team} lacked {mean} on average, {words.listed(parts)} "
        "of these games."
    )


def close_sentence(close: pd.DataFrame, team: str) -> str:
    """How often it was close."""
    rows = _rows(close, team, "how")
    if rows[CLOSE[3]]["games"] == 0:
        return f"No game of {team} was close: {words.shown(rows[CLOSE[3]])} of all games are."
    parts = [f"{_part(rows[how])} {how}" for how in CLOSE[:3]]
    return f"Close games: {words.listed(parts)}; together {_part(rows[CLOSE[3]])} of all games."


def margin_sentence(margin: pd.DataFrame, team: str) -> str:
    """How the margins spread."""
    rows = _rows(margin, team, "statistic")
    ends = {name: [row[end] for end in ("estimate", "low", "high")] for name, row in rows.items()}
    return (
        f"The team's points are {words.number(*ends['mean'])} above what it needs on average "
        f"(below where negative); half of the games lie between {words.whole(*ends['q25'])} and "
        f"{words.whole(*ends['q75'])}."
    )


def others_sentence(causes: pd.DataFrame, teams: Sequence[str]) -> str:
    """What most often is lacking where the other teams lose."""
    parts = []
    for team in teams:
        rows = causes[(causes["team"] == team) & (causes["lost"] > 0)]
        if len(rows):
            most = rows[rows["estimate"] == rows["estimate"].max()].to_dict("records")
            what = words.listed([LACK[row["cause"]] for row in most])
            each = " each" if len(most) > 1 else ""
            parts.append(f"{team} {what}, in {_part(most[0])} of its lost games{each}")
    return f"What other teams lack most often: {'; '.join(parts)}." if parts else ""


QUESTION = Question(
    "coop_losses",
    TITLE,
    TEXT,
    _groups,
    _answer,
    least_players=2,
    suits=plays_together,
    together=True,
)
