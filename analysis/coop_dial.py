"""The designer's dial of difficulty: from which start value a team wins half of its games.

The time token's start is moved along its track; a later start asks for more points and leaves fewer
rounds. The lineup's team and those that ship are played from every start on the same deals.
Frames, every estimate with low, high, level, n and method:

curve: one row per team and start.
    team; start (value at the token before the game); games; won; estimate: share of games won;
    margin (mean points above what was needed), margin_low, _high, _n, _method. The shares of a
    team hold together; the margins stand for themselves.
dial: one row per team and wanted win rate.
    team; wanted (0.5, 0.65, 0.8); estimate: the start at which the win rate comes to it, between
    two starts that were played by a straight line; -inf where it is never as high at the starts
    played, inf where it is never as low; low, high; start: the last whole value that wins as often
    or more, missing where there is none within the starts played.

Method of an interval: the shares of a team lie in their simultaneous intervals; as a later start
cannot be easier, a share is at least what any later start is shown to win, and at most what any
earlier one is. The ends are where these two bounds, and straight lines between them, cross the
wanted rate. So it holds for the line through the true shares at the starts played.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.cooperation import (
    MARGIN,
    START,
    plays_together,
    share,
    team_labels,
    team_seats,
    teams_of,
    won,
)
from analysis.intervals import Interval
from analysis.paired import (
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.near_and_far.words import DIFFICULTIES, read_start

TITLE = "The dial of difficulty"
TEXT = "From which start of the time token does each team win 50 %, 65 %, 80 % of its games?"
WANTED = (0.5, 0.65, 0.8)
GROUP = "starts"
STEP = 3  # values between starts that are played
ROUNDS_LEFT = 6  # a start that leaves fewer rounds is not played
METHOD = "where the simultaneous bounds of the win rates cross it"


# ------------------------------------------------------------------------------------- the plays


def starts_of(values: Sequence[int]) -> tuple[int, ...]:
    """The starts that are played. values: those of the track, each a round later, to its end."""
    last = values[: max(1, len(values) - ROUNDS_LEFT)]
    return tuple(last[::STEP])


def track_of(setting: Setting) -> tuple[int, ...]:
    """The values of the track's spaces, those farthest from its end first; each of them once.

    Of spaces with the same value the first one counts, on which a token would start.
    """
    track = setting.rules.model.time_track
    far: dict[int, int] = {}
    for space in track.values():
        if not space.skull and space.value not in far:
            far[space.value] = _rounds_left(track, space)
    return tuple(sorted(far, key=lambda value: (-far[value], value)))


def _rounds_left(track: Mapping[str, Any], space: Any) -> int:
    left = 0
    while not space.skull:
        space, left = track[space.next], left + 1
    return left


def dial_plays(setting: Setting, starts: Sequence[int]) -> tuple[Play, ...]:
    """Each team from each start."""
    return tuple(
        Play(f"{name}, start {start}", team_seats(team, setting.players), {START: start})
        for name, team in teams_of(setting).items()
        for start in starts
    )


def dial_columns(plays: int) -> list[Column]:
    """What is summed of `dial_plays`."""
    return [c for play in range(plays) for c in (won(play), Column(play, MARGIN, "game"))]


# ------------------------------------------------------------------------------------- the frames


def curve_frame(
    sums: BlockSums, teams: Sequence[str], starts: Sequence[int], level: float
) -> pd.DataFrame:
    """The frame `curve` of this module. sums: of `dial_columns`."""
    rows = []
    for place, team in enumerate(teams):
        for at, start in enumerate(starts):
            play = place * len(starts) + at
            interval = share(sums, won(play), level, together=len(starts))
            margin = sums.estimate({Column(play, MARGIN, "game"): 1}, level=level)
            rows.append(
                {
                    "team": team,
                    "start": start,
                    "games": sums.blocks * sums.rotations,
                    "won": int(sums.cluster({won(play): 1}).num),
                    **interval_row(interval),
                    **side_row("margin", margin),
                }
            )
    columns = ("team", "start", "games", "won", *INTERVAL_COLUMNS, *side_columns("margin"))
    return frame(rows, columns)


def falling(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest curve that never rises: pool adjacent violators, all starts alike.

    Source: Ayer, Brunk, Ewing, Reid, Silverman (1955). values: (starts,) in order of the starts.
    """
    pools: list[list[float]] = []  # mean, size
    for value in values:
        pools.append([float(value), 1.0])
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            mean, size = pools.pop()
            before, more = pools.pop()
            pools.append([(mean * size + before * more) / (size + more), size + more])
    return np.array([mean for mean, size in pools for _ in range(int(size))])


def crossing(starts: Sequence[int], curve: NDArray[np.float64], wanted: float) -> float:
    """The last start at which a falling curve is at least `wanted`, by straight lines.

    -inf where it is lower from the first start on, inf where it is not at the last.
    """
    if curve[0] < wanted:
        return -math.inf
    if curve[-1] >= wanted:
        return math.inf
    last = int(np.flatnonzero(curve >= wanted)[-1])
    a, b = float(curve[last]), float(curve[last + 1])
    return starts[last] + (starts[last + 1] - starts[last]) * (a - wanted) / (a - b)


def dial_of(
    starts: Sequence[int],
    estimates: NDArray[np.float64],
    lows: NDArray[np.float64],
    highs: NDArray[np.float64],
    wanted: float,
    level: float,
    n: int,
) -> Interval:
    """The start that gives the wanted win rate, from the shares and their simultaneous bounds."""
    at_least = np.maximum.accumulate(lows[::-1])[::-1]  # what a later start wins, this one does
    at_most = np.minimum.accumulate(highs)
    found = crossing(starts, falling(estimates), wanted)
    return Interval(
        found,
        min(found, crossing(starts, at_least, wanted)),
        max(found, crossing(starts, at_most, wanted)),
        level,
        n,
        METHOD,
    )


def dial_frame(curve: pd.DataFrame, wanted: Sequence[float] = WANTED) -> pd.DataFrame:
    """The frame `dial` of this module. curve: the frame of that name."""
    rows = []
    for team in dict.fromkeys(curve["team"]):
        own = curve[curve["team"] == team]
        starts = [int(start) for start in own["start"]]
        values = (own[name].to_numpy(np.float64) for name in ("estimate", "low", "high"))
        estimates, lows, highs = values
        for rate in wanted:
            level, n = float(own["level"].iloc[0]), int(own["n"].iloc[0])
            found = dial_of(starts, estimates, lows, highs, rate, level, n)
            whole = math.floor(found.estimate + 1e-9) if math.isfinite(found.estimate) else None
            rows.append({"team": team, "wanted": rate, "start": whole, **interval_row(found)})
    made = frame(rows, ("team", "wanted", "start", *INTERVAL_COLUMNS))
    return made.assign(start=made["start"].astype("Int64"))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    plays = dial_plays(setting, starts_of(track_of(setting)))
    columns = dial_columns(len(plays))

    def reduce(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, setting.rotations)

    return [Group(GROUP, plays, reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    teams, starts = team_labels(setting), starts_of(track_of(setting))
    curve = curve_frame(sums[GROUP], teams, starts, setting.level)
    dial = dial_frame(curve)
    sentences = (
        dial_sentence(dial, teams[0], starts),
        printed_sentence(curve, teams[0], printed_starts(setting)),
        *(dial_sentence(dial, team, starts) for team in teams[1:]),
    )
    return Answer({"curve": curve, "dial": dial}, tuple(text for text in sentences if text))


def printed_starts(setting: Setting) -> dict[str, int]:
    """The start of each difficulty at a table of the setting's size."""
    return {
        difficulty: space.value
        for difficulty in DIFFICULTIES
        for space in setting.rules.model.time_track.values()
        if (difficulty, setting.players) in read_start(space.start)[0]
    }


# -------------------------------------------------------------------------------------- in words


def start_words(row: Mapping[str, Any], starts: Sequence[int]) -> str:
    """A start with its interval; the first or the last that was played where it lies beyond."""

    def one(value: float, decimals: int) -> str:
        if value == -math.inf:
            return f"below {starts[0]}"
        if value == math.inf:
            return f"above {starts[-1]}"
        return f"{value:.{decimals}f}"

    ends = [row[name] for name in ("low", "high")]
    if not math.isfinite(row["estimate"]) and ends[0] == ends[1]:
        return one(row["estimate"], 0)
    known = [end for end in ends if math.isfinite(end)]
    half = (max(known) - min(known)) / 2 if len(known) == 2 else 0.0
    decimals = min(1, words.decimals_for(half))
    text = one(row["estimate"], decimals)
    return f"{text} [{one(ends[0], decimals)},{words.SPACE}{one(ends[1], decimals)}]"


def dial_sentence(dial: pd.DataFrame, team: str, starts: Sequence[int]) -> str:
    """Which start gives a team each wanted rate."""
    rows = dial[dial["team"] == team].to_dict("records")
    if all(row["high"] == -math.inf for row in rows):
        return (
            f"No start from {starts[0]} on lets {team} win as much as "
            f"{100 * min(row['wanted'] for row in rows):g}{words.SPACE}%."
        )
    parts = [
        f"{100 * row['wanted']:g}{words.SPACE}% from {start_words(row, starts)}" for row in rows
    ]
    return f"By the time token's start {team} wins {words.listed(parts)}."


def printed_sentence(curve: pd.DataFrame, team: str, printed: Mapping[str, int]) -> str:
    """What the starts of the rules give, read off the curve."""
    own = curve[curve["team"] == team]
    parts = []
    for name, start in printed.items():
        near = own.loc[(own["start"] - start).abs().idxmin()]
        text = words.share(near["estimate"], near["low"], near["high"])
        at = "" if near["start"] == start else f" (played from {near['start']})"
        parts.append(f"{name} starts at {start}, where it wins {text}{at}")
    return f"As the rules have it, {words.listed(parts)}." if parts else ""


QUESTION = Question(
    "coop_dial",
    TITLE,
    TEXT,
    _groups,
    _answer,
    least_players=2,
    suits=plays_together,
    together=True,
)
