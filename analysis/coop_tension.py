"""How the tension of a game played together runs: the chance to win by round, points and bosses.

Rows keep, at rounds 4, 8, ... 32, the gap (points that are certain less what the token asks for at
that time) and the bosses that are left. Frames, every estimate with low, high, level, n and method;
round: the number of the round, as long as some game saw it:

open: one row per round and state. state: "over" (the game has ended), "nearly lost" (the forecast
    is below SURE), "open", "nearly won" (above 1 - SURE); games; estimate: share of all games. The
    intervals of a round hold together.
curves: one row per round, number of bosses left (missing: all together) and band of gaps.
    round, bosses, from, to (gap from this to that); games; won; estimate: share of these games that
    are won in the end. The intervals of a round and number of bosses hold together.
indicators: one row per round and what a forecast knows ("points", "bosses", "both").
    round, knows; brier (mean squared error of the forecast), without (of one that knows the round
    alone), each with _low, _high, _n, _method; estimate: skill, 1 - brier / without. Each interval
    stands for itself.
reliability: one row per class of forecasts of all rounds (knowing both). from, to (the class);
    games; forecast (their mean), with forecast_low, _high, _n, _method; estimate: share of these
    games that are won. The intervals of the shares hold together, and so do those of the forecasts.
    inside: forecast within the interval of the share.
falls: one row per round. pairs (neighbouring bands of all games), falls: those in which a larger
    gap is shown to win less often, both intervals at `level` for all pairs at once.

The forecast of a round is a logistic curve over gap, its square, bosses left, and their product,
fitted to the deals with even numbers; open, indicators and reliability are measured on the others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from analysis import words
from analysis.cooperation import WON, plays_together
from analysis.intervals import (
    SHARE,
    Interval,
    rate,
    replicate_ratio,
)
from analysis.paired import (
    INTERVAL_COLUMNS,
    frame,
    interval_row,
    jointly,
    replicate_share,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.snowball import logistic, skill
from sim.batch import Chunk
from sim.game import REPLICATES
from sim.near_and_far.outcome import BOSS_FIELDS, GAP_FIELDS
from sim.near_and_far.state import MAX_BOSSES, NO_GAP
from sim.wording import counted

TITLE = "Tension"
TEXT = "How does the chance to win run over the rounds, and what foretells it: points or bosses?"
GROUP = "tension"
ROUNDS = tuple(int(name.removeprefix("gap_r")) for name in GAP_FIELDS)
LOWEST, HIGHEST = -300, 199  # gaps beyond are counted with these
BOSSES = MAX_BOSSES + 1  # how many may be left, none too
BAND = 10  # points of a band of gaps
SURE = 0.1  # of a forecast that is nearly certain
CLASSES = 10  # of forecasts in the reliability table
STATES = ("over", "nearly lost", "open", "nearly won")
KNOWS = ("points", "bosses", "both")
WILSON = "Wilson on the effective number, over replicates"
_GAPS = HIGHEST - LOWEST + 1
_SHAPE = (2, REPLICATES, len(ROUNDS), _GAPS + 1, BOSSES, 2)  # the last gap: the game is over


# -------------------------------------------------------------------------------------- the sums


@dataclass(frozen=True, eq=False)
class TensionSums:
    """Games counted by even or odd deal, replicate, round, gap, bosses left, lost or won.

    keys: (n,) places in an array of that shape, rising; counts: (n,). Add them up with +.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]
    rotations: int

    def __add__(self, other: TensionSums) -> TensionSums:
        if self.rotations != other.rotations:
            raise ValueError("sums of different rotations do not add up")
        keys, places = np.unique(np.concatenate([self.keys, other.keys]), return_inverse=True)
        counts = np.zeros(len(keys), dtype=np.int64)
        np.add.at(counts, places, np.concatenate([self.counts, other.counts]))
        return TensionSums(keys, counts, self.rotations)

    def table(self) -> pd.DataFrame:
        """A row per count: odd, replicate, round (its place), gap (NaN: over), bosses, won, games.

        gap is a float column.
        """
        odd, replicate, place, gap, bosses, won = np.unravel_index(self.keys, _SHAPE)
        points = np.where(gap == _GAPS, np.nan, gap + float(LOWEST))
        columns = {
            "odd": odd,
            "replicate": replicate,
            "round": place,
            "gap": points,
            "bosses": bosses,
            "won": won,
            "games": self.counts,
        }
        return pd.DataFrame(columns)


def tension_sums(chunk: Chunk, rotations: int) -> TensionSums:
    """Count a chunk of whole blocks."""
    games = chunk.games
    deal = (chunk.first + np.arange(len(games))) // rotations
    keys = []
    for place, fields in enumerate(zip(GAP_FIELDS, BOSS_FIELDS, strict=True)):
        gap, left = (games[field].astype(np.int64) for field in fields)
        over = gap == NO_GAP
        where = np.where(over, _GAPS, np.clip(gap, LOWEST, HIGHEST) - LOWEST)
        bosses = np.where(over, 0, left)
        at = (deal % 2, deal // 2 % REPLICATES, np.full(len(games), place), where, bosses)
        keys.append(np.ravel_multi_index((*at, games[WON].astype(np.int64)), _SHAPE))
    found, counts = np.unique(np.concatenate(keys), return_counts=True)
    return TensionSums(found, counts.astype(np.int64), rotations)


# ---------------------------------------------------------------------------------- the forecast


def features(gap: NDArray[np.float64], bosses: NDArray[Any], knows: str) -> NDArray[np.float64]:
    """What a forecast is made of, (rows, features): scaled so that none is far from 1."""
    one, g, b = np.ones(len(gap)), gap / 50.0, np.asarray(bosses, dtype=np.float64)
    if knows == "points":
        return np.stack([one, g, g * g], axis=1)
    if knows == "bosses":
        return np.stack([one, b, b * b], axis=1)
    return np.stack([one, g, g * g, b, b * b, g * b], axis=1)


def forecasts(table: pd.DataFrame, knows: str) -> NDArray[np.float64]:
    """The forecast of every row, from the even deals of its round; NaN where the game is over.

    table: of `TensionSums`. A round that no even deal saw has none either.
    """
    found = np.full(len(table), np.nan)
    under_way = table["gap"].notna()
    for place in range(len(ROUNDS)):
        here = (table["round"] == place) & under_way
        even = table[here & (table["odd"] == 0)]
        if even.empty:
            continue
        games = even["games"].to_numpy()
        design = features(even["gap"].to_numpy(), even["bosses"].to_numpy(), knows)
        beta = logistic(design, games * even["won"].to_numpy(), games)
        rows = table[here]
        design = features(rows["gap"].to_numpy(), rows["bosses"].to_numpy(), knows)
        found[here.to_numpy()] = special.expit(design @ beta)
    return found


def foretold(sums: TensionSums) -> pd.DataFrame:
    """The table of `TensionSums` with a column for the forecast by each of KNOWS (`by`)."""
    table = sums.table()
    return table.assign(**{by(knows): forecasts(table, knows) for knows in KNOWS})


def by(knows: str) -> str:
    """The column with the forecast that knows this."""
    return f"by {knows}"


# ------------------------------------------------------------------------------------ the frames


def _share(
    chosen: pd.DataFrame, of: pd.DataFrame, rotations: int, level: float, together: int
) -> Interval:
    """Share of the games of `of` that are those of `chosen`; clusters are the replicates.

    A game counts once at most.
    """
    if rotations == 1:
        games, total = int(chosen["games"].sum()), int(of["games"].sum())
        return jointly(lambda own: rate(games, total, own), level, together)
    every = by_replicate(of)
    deals = int(every.sum()) // rotations
    return replicate_share(by_replicate(chosen), every, level, together=together, deals=deals)


def by_replicate(rows: pd.DataFrame) -> NDArray[np.int64]:
    """Games of every replicate, even and odd deals apart: (2 * REPLICATES,)."""
    place = rows["odd"].to_numpy() * REPLICATES + rows["replicate"].to_numpy()
    found = np.zeros(2 * REPLICATES, dtype=np.int64)
    np.add.at(found, place, rows["games"].to_numpy())
    return found


def curves_frame(table: pd.DataFrame, rotations: int, level: float) -> pd.DataFrame:
    """The frame `curves` of this module. table: of `TensionSums`."""
    table = table[table["gap"].notna()]
    table = table.assign(band=(table["gap"] // BAND).astype(np.int64))
    rows = []
    for place, number in enumerate(ROUNDS):
        here = table[table["round"] == place]
        for bosses in (None, *sorted(here["bosses"].unique())):
            part = here if bosses is None else here[here["bosses"] == bosses]
            bands = sorted(part["band"].unique())
            for band in bands:
                games = part[part["band"] == band]
                won = games[games["won"] == 1]
                interval = _share(won, games, rotations, level, len(bands))
                rows.append(
                    {
                        "round": number,
                        "bosses": bosses,
                        "from": int(band) * BAND,
                        "to": int(band) * BAND + BAND - 1,
                        "games": int(games["games"].sum()),
                        "won": int(won["games"].sum()),
                        **interval_row(interval),
                    }
                )
    columns = ("round", "bosses", "from", "to", "games", "won", *INTERVAL_COLUMNS)
    made = frame(rows, columns)
    return made.assign(bosses=made["bosses"].astype("Int64"))


def falls_frame(curves: pd.DataFrame, level: float) -> pd.DataFrame:
    """The frame `falls` of this module. curves: the frame of that name, at `level`."""
    every = curves[curves["bosses"].isna()]
    rows = []
    for number in dict.fromkeys(every["round"]):
        bands = every[every["round"] == number].to_dict("records")
        pairs = list(itertools.pairwise(bands))
        falls = sum(after["high"] < before["low"] for before, after in pairs)
        rows.append({"round": number, "pairs": len(pairs), "falls": int(falls), "level": level})
    return frame(rows, ("round", "pairs", "falls", "level"))


def open_frame(table: pd.DataFrame, rotations: int, level: float) -> pd.DataFrame:
    """The frame `open` of this module. table: of `foretold`."""
    known = table[table["odd"] == 1]
    low, high = known[by("both")] < SURE, known[by("both")] > 1 - SURE
    over = known["gap"].isna()
    where = np.select([over, low, high], [STATES[0], STATES[1], STATES[3]], STATES[2])
    known = known.assign(state=where)
    rows = []
    for place, number in enumerate(ROUNDS):
        here = known[known["round"] == place]
        if here.empty or here["gap"].isna().all():
            continue
        for state in STATES:
            part = here[here["state"] == state]
            interval = _share(part, here, rotations, level, len(STATES))
            rows.append(
                {
                    "round": number,
                    "state": state,
                    "games": int(part["games"].sum()),
                    **interval_row(interval),
                }
            )
    return frame(rows, ("round", "state", "games", *INTERVAL_COLUMNS))


def indicators_frame(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """The frame `indicators` of this module. table: of `foretold`."""
    under_way = table["gap"].notna()
    rows = []
    for place, number in enumerate(ROUNDS):
        here = (table["round"] == place) & under_way
        even, odd = here & (table["odd"] == 0), here & (table["odd"] == 1)
        if not even.any() or not odd.any():
            continue
        past, now = table[even], table[odd]
        plain = (past["won"] * past["games"]).sum() / past["games"].sum()
        games = now["games"].to_numpy()
        without = _per_replicate(now, games * (plain - now["won"].to_numpy()) ** 2)
        total = _per_replicate(now, games)
        base = replicate_ratio(without, total, level, bounds=SHARE)
        for knows in KNOWS:
            error = games * (now[by(knows)] - now["won"]).to_numpy() ** 2
            errors = _per_replicate(now, error)
            rows.append(
                {
                    "round": number,
                    "knows": knows,
                    **side_row("brier", replicate_ratio(errors, total, level, bounds=SHARE)),
                    **side_row("without", base),
                    **interval_row(skill(errors, without, level)),
                }
            )
    sides = (*side_columns("brier"), *side_columns("without"))
    return frame(rows, ("round", "knows", *sides, *INTERVAL_COLUMNS))


def _per_replicate(rows: pd.DataFrame, values: NDArray[Any]) -> NDArray[np.float64]:
    found = np.zeros(REPLICATES)
    np.add.at(found, rows["replicate"].to_numpy(), values)
    return found


def reliability_frame(table: pd.DataFrame, rotations: int, level: float) -> pd.DataFrame:
    """The frame `reliability` of this module; clusters are the replicates.

    table: of `foretold`. A game has a forecast at each of its rounds, so these do not stand for
    themselves; where all of a class were won, or none, as few deals count as may have had them.
    """
    known = table[(table["odd"] == 1) & table[by("both")].notna()]
    place = np.minimum((known[by("both")] * CLASSES).astype(int), CLASSES - 1)
    used = sorted(place.unique())
    rows = []
    for k in used:
        here = known[place == k]
        games = here["games"].to_numpy()
        den = _per_replicate(here, games)
        num = _per_replicate(here, games * here[by("both")].to_numpy())
        mean = jointly(
            lambda own, num=num, den=den: replicate_ratio(num, den, own, bounds=SHARE),
            level,
            len(used),
        )
        interval = replicate_share(
            by_replicate(here[here["won"] == 1]),
            by_replicate(here),
            level,
            together=len(used),
            deals=int(games.sum()) // (rotations * len(ROUNDS)),
        )
        ends = {"from": k / CLASSES, "to": (k + 1) / CLASSES}
        rows.append(
            {
                **ends,
                "games": int(games.sum()),
                **side_row("forecast", mean),
                **interval_row(interval),
                "inside": interval.contains(mean.estimate),
            }
        )
    columns = ("from", "to", "games", *side_columns("forecast"), *INTERVAL_COLUMNS, "inside")
    return frame(rows, columns)


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    def reduce(chunks: tuple[Chunk, ...]) -> TensionSums:
        return tension_sums(chunks[0], setting.rotations)

    return [Group(GROUP, (Play("base"),), reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    level, rotations = setting.level, setting.rotations
    table = foretold(sums[GROUP])
    curves = curves_frame(table, rotations, level)
    frames = {
        "open": open_frame(table, rotations, level),
        "curves": curves,
        "indicators": indicators_frame(table, level),
        "reliability": reliability_frame(table, rotations, level),
        "falls": falls_frame(curves, level),
    }
    sentences = (
        open_sentence(frames["open"]),
        curves_sentence(frames["curves"]),
        indicators_sentence(frames["indicators"]),
        forecast_sentence(frames["reliability"], frames["falls"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def middle(rounds: Sequence[int]) -> list[int]:
    """An early, a middling and a late round, of those there are."""
    places = {math.floor(part * (len(rounds) - 1) + 0.5) for part in (0.25, 0.5, 0.75)}
    return [rounds[place] for place in sorted(places)]


def open_sentence(found: pd.DataFrame) -> str:
    """How long games stay open."""
    rows = found[found["state"] == "open"]
    if rows.empty:
        return "No game saw round 4."
    parts = [
        f"{words.shown(row)} after round {row['round']}"
        for row in rows.to_dict("records")
        if row["round"] in middle(list(rows["round"]))
    ]
    return (
        f"Still open, with a chance to win between {100 * SURE:g} and {100 - 100 * SURE:g}"
        f"{words.SPACE}%, are {words.listed(parts)} of all games."
    )


def curves_sentence(curves: pd.DataFrame) -> str:
    """What a gap means at a middling round."""
    every = curves[curves["bosses"].isna()]
    if every.empty:
        return ""
    number = middle(list(dict.fromkeys(every["round"])))
    rows = every[every["round"] == number[len(number) // 2]]
    seen = rows["games"].cumsum() / rows["games"].sum()
    picked = dict.fromkeys(int((seen >= part).to_numpy().argmax()) for part in (0.1, 0.5, 0.9))
    parts = []
    for place in picked:
        row = rows.iloc[place].to_dict()
        ends = [f"{value:g}".replace("-", words.MINUS) for value in (row["from"], row["to"])]
        parts.append(f"from {ends[0]} to {ends[1]} wins {words.shown(row)}")
    return (
        f"After round {rows['round'].iloc[0]} a team whose points, less what the token asks for, "
        f"lie {words.listed(parts)} (a low, a middling, a high gap there)."
    )


def indicators_sentence(indicators: pd.DataFrame) -> str:
    """What foretells the end better: points or bosses."""
    rounds = list(dict.fromkeys(indicators["round"]))
    parts = []
    for number in middle(rounds) if rounds else ():
        rows = indicators[indicators["round"] == number].set_index("knows")
        if not np.isfinite(rows[["estimate", "low", "high"]].to_numpy(np.float64)).all():
            continue
        told = {
            knows: (
                words.shown(rows.loc[knows].to_dict())
                if rows.loc[knows, "low"] > 0
                else "nothing that shows"
            )
            for knows in KNOWS
        }
        parts.append(
            f"after round {number} the points remove {told['points']}, the bosses left "
            f"{told['bosses']}, both together {told['both']}"
        )
    if not parts:
        return ""
    return f"Of the squared error of a forecast that knows the round alone, {'; '.join(parts)}."


def forecast_sentence(reliability: pd.DataFrame, falls: pd.DataFrame) -> str:
    """Whether forecasts agree with what happened, and whether more points always help."""
    if reliability.empty:
        return ""
    outside = int((~reliability["inside"].astype(bool)).sum())
    agree = (
        "agree with what happened in every class"
        if not outside
        else f"miss what happened in {outside} of {counted(len(reliability), 'class', 'classes')}"
    )
    down, pairs = int(falls["falls"].sum()), int(falls["pairs"].sum())
    rising = (
        "no larger gap is shown to win less often"
        if not down
        else f"in {down} of {pairs} neighbouring bands a larger gap wins less often"
    )
    return f"Forecasts made from half of the deals {agree} of the others; {rising}."


QUESTION = Question(
    "coop_tension",
    TITLE,
    TEXT,
    _groups,
    _answer,
    least_players=2,
    suits=plays_together,
    together=True,
)
