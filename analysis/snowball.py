"""Does a lead decide the game: win probability by lead, comebacks, when games are decided.

For every game whose rows keep, at marks of progress known at the time, who leads and by how much
(`leader_q1`, `lead_q1`, ..., in Wizard Miners when the leader's deck first is down to 3/4, 1/2 and
1/4), and how often the lead changed. A leader by 0 shares the lead and had it first. Frames, every
estimate with low, high, level, n and method:

curves: win probability of the leader, one row per mark and lead.
    mark (from 1), progress ("1/4": that part of the own deck is gone); lead (over the runner-up);
    games; estimate. The intervals of one mark hold together.
leads: one row per mark and quantity, each interval for itself.
    mark, progress; games (in which the mark was reached); quantity, unit: leader_wins (share of
    these games), comeback (share that somebody else wins), lead (mean).
changes: how often the lead passes from one player to another, one row per number of changes.
    changes, games; share, low, high, ... (of all games), each interval for itself.
mean_changes: one row, the mean of it. estimate, low, high, ...
decided: from which mark on the later winner leads at every mark, one row per mark; known only
    afterwards. mark, progress ("later": not even at the last mark); estimate (share of won games).
score: how good the lead is as a forecast, one row per mark and quantity.
    mark, progress; quantity: brier (mean squared error of the forecast), brier_without (of a
    forecast that ignores the lead), skill (1 - brier / brier_without).
reliability: forecasts beside what happened, one row per class of forecasts of all marks.
    from, to (the class); games; forecast (their mean), with forecast_low, _high, _n, _method;
    estimate (share of these games that the leader won). The intervals of the shares hold together,
    and so do those of the forecasts. inside: forecast within the interval of the share.

The forecast of a mark is a logistic curve over the lead and its square, fitted to the deals with
even numbers; score and reliability are measured on the deals with odd numbers, so a forecast never
judges games it was made of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from analysis import words
from analysis.intervals import (
    SHARE,
    UNBOUNDED,
    ClusterSums,
    Interval,
    clustered_ratio,
    clustered_share,
    replicate_ratio,
)
from analysis.length import value_shares
from analysis.moments import KeyedMoments, keyed_moments
from analysis.paired import (
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    jointly,
    replicate_share,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.errors import UserError
from sim.game import REPLICATES, WIN_UNIT, Game
from sim.wording import counted

TITLE = "Snowball"
TEXT = "Does an early lead decide the game, or can those behind catch up?"
RIDGE = 0.01  # holds the curve where all leaders of a mark have won, or none; as a hundredth game
LITTLE = 0.02  # an early lead that moves the win probability by less is worth nothing
NEWTON = 100  # steps of the fit at most
CLASSES = 10  # classes of forecasts in the reliability table
ROUNDING = 1e-9  # a mean may leave its class by as much
CHANGES = Column(0, "lead_changes", "game")
WINS = WIN_UNIT + 1  # a leader's win in twelfths, 0 to 12


def marks_of(game: Game) -> int:
    """How many marks of progress a game's rows keep.

    Raises UserError where they keep none.
    """
    names = game.game_row.names or ()
    found = 0
    while f"leader_q{found + 1}" in names and f"lead_q{found + 1}" in names:
        found += 1
    if not found or CHANGES.field not in names:
        raise UserError(f"{game.name} does not record who leads: 'snowball' cannot be asked of it")
    return found


def progress_of(mark: int, marks: int) -> str:
    """The part of the way behind the leader at a mark, as a fraction in lowest terms."""
    shared = math.gcd(mark, marks + 1)
    return f"{mark // shared}/{(marks + 1) // shared}"


# ------------------------------------------------------------------------------------- the sums


@dataclass(frozen=True, eq=False)
class SnowballSums:
    """Additive sums of games.

    wins: per mark, twelfths won by the leader, by lead. leads: by mark - 1, twelfths won by the
    leader, won by others, and the lead itself. changes: games by changes of the lead. blocks: sum
    of the changes. decided: by mark - 1 (last: later), won games. forecasts: games by
    (even or odd deal, replicate, mark - 1, lead, twelfths won by the leader).
    """

    wins: tuple[KeyedMoments, ...]
    leader: KeyedMoments
    others: KeyedMoments
    lead: KeyedMoments
    changes: KeyedMoments
    blocks: BlockSums
    decided: KeyedMoments
    forecasts: NDArray[np.int64]

    def __add__(self, other: SnowballSums) -> SnowballSums:
        width = max(self.forecasts.shape[3], other.forecasts.shape[3])
        return SnowballSums(
            tuple(a + b for a, b in zip(self.wins, other.wins, strict=True)),
            self.leader + other.leader,
            self.others + other.others,
            self.lead + other.lead,
            self.changes + other.changes,
            self.blocks + other.blocks,
            self.decided + other.decided,
            _widened(self.forecasts, width) + _widened(other.forecasts, width),
        )

    @property
    def marks(self) -> int:
        """How many marks there are."""
        return len(self.wins)


def _widened(forecasts: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    missing = width - forecasts.shape[3]
    return np.pad(forecasts, ((0, 0), (0, 0), (0, 0), (0, missing), (0, 0)))


def snowball_sums(chunk: Chunk, marks: int, rotations: int) -> SnowballSums:
    """Sum a chunk of whole blocks.

    Raises ValueError where a lead is negative, and as `keyed_moments`.
    """
    games, seats = chunk.games, chunk.seats
    leaders, leads = (
        np.stack([games[f"{name}_q{mark}"] for mark in range(1, marks + 1)], axis=1).astype(int)
        for name in ("leader", "lead")
    )  # (games, marks)
    reached = leaders >= 0
    if (leads[reached] < 0).any():
        raise ValueError("a leader is behind the runner-up")
    win = seats["win"].astype(np.int64)
    ahead = np.where(reached, np.take_along_axis(win, np.maximum(leaders, 0), axis=1), 0)
    total = win.sum(axis=1, keepdims=True)
    won = (total > 0).astype(np.int64)
    by_mark = np.where(reached, np.arange(marks), -1)
    # the first mark from which on a winner leads at all marks: the longest run back from the end
    held = np.cumprod((ahead > 0)[:, ::-1], axis=1).sum(axis=1)
    places = np.broadcast_to(np.arange(marks + 1), (len(games), marks + 1))
    first = (places == (marks - held)[:, None]) & (won > 0)
    ones = np.ones(len(games), dtype=np.int64)
    return SnowballSums(
        tuple(
            keyed_moments(
                np.where(reached[:, i], leads[:, i], -1), ahead[:, i], rotations=rotations
            )
            for i in range(marks)
        ),
        keyed_moments(by_mark, ahead, rotations=rotations),
        keyed_moments(by_mark, total - ahead, rotations=rotations),
        keyed_moments(by_mark, leads, rotations=rotations),
        keyed_moments(games[CHANGES.field].astype(np.int64), ones, rotations=rotations),
        BlockSums.of([chunk], [CHANGES], rotations),
        keyed_moments(
            places, first.astype(np.int64), np.broadcast_to(won, first.shape), rotations=rotations
        ),
        _forecast_counts(chunk.first, leads, reached, ahead, rotations),
    )


def _forecast_counts(
    start: int,
    leads: NDArray[np.int64],
    reached: NDArray[np.bool_],
    ahead: NDArray[np.int64],
    rotations: int,
) -> NDArray[np.int64]:
    games, marks = leads.shape
    deal = (start + np.arange(games)) // rotations
    shape = (2, REPLICATES, marks, int(leads[reached].max(initial=0)) + 1, WINS)
    game, mark = np.nonzero(reached)
    place = np.ravel_multi_index(
        (
            deal[game] % 2,
            deal[game] // 2 % REPLICATES,
            mark,
            leads[game, mark],
            ahead[game, mark],
        ),
        shape,
    )
    return np.bincount(place, minlength=math.prod(shape)).reshape(shape)


# ------------------------------------------------------------------------------------ the frames


def curves_frame(sums: SnowballSums, level: float) -> pd.DataFrame:
    """The frame `curves` of this module."""
    rows = []
    for i, wins in enumerate(sums.wins):
        seen = [lead for lead in range(len(wins.table)) if wins.sums(lead).clusters]
        for lead in seen:
            found = wins.sums(lead)
            interval = _share(found, level, together=len(seen))
            rows.append(
                {
                    **_mark(i, sums.marks),
                    "lead": lead,
                    "games": int(found.den),
                    **interval_row(interval),
                }
            )
    return frame(rows, ("mark", "progress", "lead", "games", *INTERVAL_COLUMNS))


def leads_frame(sums: SnowballSums, level: float) -> pd.DataFrame:
    """The frame `leads` of this module."""
    rows = []
    for i in range(sums.marks):
        keys = {**_mark(i, sums.marks), "games": int(sums.leader.sums(i).den)}
        quantities = [
            ("leader_wins", "share of games", _share(sums.leader.sums(i), level)),
            ("comeback", "share of games", _share(sums.others.sums(i), level)),
            (
                "lead",
                "lead",
                clustered_ratio(
                    sums.lead.sums(i),
                    level,
                    bounds=(0.0, UNBOUNDED[1]),
                    method="Student over blocks",
                ),
            ),
        ]
        for quantity, unit, interval in quantities:
            rows.append({**keys, "quantity": quantity, "unit": unit, **interval_row(interval)})
    return frame(rows, ("mark", "progress", "games", "quantity", "unit", *INTERVAL_COLUMNS))


def decided_frame(sums: SnowballSums, level: float) -> pd.DataFrame:
    """The frame `decided` of this module."""
    rows = []
    for i in range(sums.marks + 1):
        interval = _share(sums.decided.sums(i), level, scale=1)
        rows.append({**_mark(i, sums.marks), **interval_row(interval)})
    return frame(rows, ("mark", "progress", *INTERVAL_COLUMNS))


def _mark(index: int, marks: int) -> dict[str, Any]:
    progress = progress_of(index + 1, marks) if index < marks else "later"
    return {"mark": index + 1, "progress": progress}


def _share(
    sums: ClusterSums, level: float, *, scale: int = WIN_UNIT, together: int = 1
) -> Interval:
    return jointly(lambda own: clustered_share(sums, own, scale=scale), level, together)


# ----------------------------------------------------------------------------------- the forecast


@dataclass(frozen=True, eq=False)
class Forecast:
    """Win probabilities of the leader: by_lead (marks, leads), plain (marks,) without the lead.

    NaN for a mark of which nothing is known.
    """

    by_lead: NDArray[np.float64]
    plain: NDArray[np.float64]


def forecast(forecasts: NDArray[np.int64]) -> Forecast:
    """The forecast that the even deals make. forecasts: as in `SnowballSums`.

    Leads larger than any seen are forecast as the largest one.
    """
    seen = forecasts[0].sum(axis=0)  # marks, leads, twelfths
    games = seen.sum(axis=-1)
    wins = seen @ (np.arange(WINS) / WIN_UNIT)
    with np.errstate(invalid="ignore"):
        plain = wins.sum(axis=1) / games.sum(axis=1)
    curves = [logistic_curve(w, g) for w, g in zip(wins, games, strict=True)]
    return Forecast(np.stack(curves), plain)


def logistic_curve(wins: NDArray[np.float64], games: NDArray[np.int64]) -> NDArray[np.float64]:
    """Fitted share won by lead: a logistic curve over the lead and its square.

    wins, games: (leads,) of each lead from 0. NaN where there is no game.
    """
    if not games.sum():
        return np.full(len(games), np.nan)
    leads = np.minimum(np.arange(len(games)), np.flatnonzero(games)[-1])
    centre = (games @ leads) / games.sum()
    unit = math.sqrt((games @ (leads - centre) ** 2) / games.sum()) or 1.0
    x = (leads - centre) / unit
    design = np.stack([np.ones_like(x), x, x * x], axis=1)
    return special.expit(design @ logistic(design, wins, games))


def logistic(
    design: NDArray[np.float64], wins: NDArray[Any], games: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Weights of a logistic curve by maximum likelihood (Newton's method, with a slight ridge).

    design: (rows, features); wins, games: (rows,). The ridge keeps the weights finite where all
    games are won, or none.
    """
    beta = np.zeros(design.shape[1])
    ridge = RIDGE * np.eye(len(beta))
    for _ in range(NEWTON):
        p = special.expit(design @ beta)
        gradient = design.T @ (wins - games * p) - RIDGE * beta
        weight = games * p * (1 - p)
        step = np.linalg.solve((design.T * weight) @ design + ridge, gradient)
        # far steps overshoot where the curve is flat
        beta = beta + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-10:
            break
    return beta


def skill(errors: NDArray[Any], without: NDArray[Any], level: float) -> Interval:
    """The share of an error that a forecast removes: 1 - errors / without.

    errors, without: (replicates,) totals of a forecast's squared errors, and of a poorer one's.
    """
    left = replicate_ratio(errors, without, level, bounds=(0.0, UNBOUNDED[1]))
    return Interval(1 - left.estimate, 1 - left.high, 1 - left.low, left.level, left.n, left.method)


def score_frame(forecasts: NDArray[np.int64], foretold: Forecast, level: float) -> pd.DataFrame:
    """The frame `score` of this module. forecasts: as in `SnowballSums`."""
    odd = forecasts[1]  # replicates, marks, leads, twelfths
    outcome = np.arange(WINS) / WIN_UNIT
    rows = []
    for i in range(odd.shape[1]):
        at = odd[:, i]
        games = at.sum(axis=(1, 2))
        error = (foretold.by_lead[i][:, None] - outcome) ** 2
        with_lead = (at * error).sum(axis=(1, 2))
        without = (at * (foretold.plain[i] - outcome) ** 2).sum(axis=(1, 2))
        quantities = {
            "brier": replicate_ratio(with_lead, games, level, bounds=SHARE),
            "brier_without": replicate_ratio(without, games, level, bounds=SHARE),
            "skill": skill(with_lead, without, level),
        }
        for quantity, interval in quantities.items():
            rows.append(
                {
                    **_mark(i, odd.shape[1]),
                    "quantity": quantity,
                    **interval_row(interval),
                }
            )
    return frame(rows, ("mark", "progress", "quantity", *INTERVAL_COLUMNS))


def reliability_frame(
    forecasts: NDArray[np.int64], foretold: Forecast, rotations: int, level: float
) -> pd.DataFrame:
    """The frame `reliability` of this module; clusters are the replicates.

    forecasts: as in `SnowballSums`. A game has a forecast at each of its marks, so these do not
    stand for themselves; where all of a class were won, or none, as few deals count as may have
    had them.
    """
    odd = forecasts[1]
    games = odd.sum(axis=-1)  # replicates, marks, leads
    wins = odd @ np.arange(WINS)
    known = np.isfinite(foretold.by_lead)
    chances = np.where(known, foretold.by_lead, 0.0)
    classes = np.where(known, np.minimum((chances * CLASSES).astype(int), CLASSES - 1), -1)
    used = [k for k in range(CLASSES) if games[:, classes == k].sum()]
    rows = []
    for k in used:
        inside = classes == k
        den = games[:, inside].sum(axis=1)
        num = wins[:, inside].sum(axis=1)
        made = games[:, inside] @ chances[inside]
        # where all forecasts of a class are equal, its ends bound what others might have been
        ends = (max(0.0, k / CLASSES - ROUNDING), min(1.0, (k + 1) / CLASSES + ROUNDING))
        mean = jointly(
            lambda own, made=made, den=den, ends=ends: replicate_ratio(made, den, own, bounds=ends),
            level,
            len(used),
        )
        interval = replicate_share(
            num,
            den,
            level,
            scale=WIN_UNIT,
            together=len(used),
            deals=int(den.sum()) // (rotations * games.shape[1]),
        )
        rows.append(
            {
                "from": k / CLASSES,
                "to": (k + 1) / CLASSES,
                "games": int(den.sum()),
                **side_row("forecast", mean),
                **interval_row(interval),
                "inside": interval.contains(mean.estimate),
            }
        )
    columns = ("from", "to", "games", *side_columns("forecast"), *INTERVAL_COLUMNS, "inside")
    return frame(rows, columns)


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    marks, rotations = marks_of(setting.game), setting.rotations

    def reduce(chunks: tuple[Chunk, ...]) -> SnowballSums:
        return snowball_sums(chunks[0], marks, rotations)

    return [Group("leads", (Play("base"),), reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: SnowballSums = sums["leads"]
    level, rotations = setting.level, setting.rotations
    shares = value_shares(found.changes, found.blocks.blocks, rotations, level)
    columns = ("changes", "games", *INTERVAL_COLUMNS)
    changes = frame([{**row, "changes": row["value"]} for row in shares], columns)
    foretold = forecast(found.forecasts)
    mean = found.blocks.estimate({CHANGES: 1}, level=level, bounds=(0.0, UNBOUNDED[1]))
    frames = {
        "curves": curves_frame(found, level),
        "leads": leads_frame(found, level),
        "changes": changes.rename(columns={"estimate": "share"}),
        "mean_changes": pd.DataFrame([interval_row(mean)]),
        "decided": decided_frame(found, level),
        "score": score_frame(found.forecasts, foretold, level),
        "reliability": reliability_frame(found.forecasts, foretold, rotations, level),
    }
    sentences = (
        leader_sentence(frames["leads"], setting.players),
        lead_sentence(frames["curves"]),
        comeback_sentence(frames["leads"]),
        changes_sentence(frames["mean_changes"], frames["changes"]),
        decided_sentence(frames["decided"]),
        forecast_sentence(frames["score"], frames["reliability"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def leader_sentence(leads: pd.DataFrame, players: int) -> str:
    """How often the leader of each mark wins."""
    rows = _known(leads, "leader_wins")
    if not rows:
        return "No game went far enough for anybody to lead."
    fair = 1 / players
    first = rows[0]
    if first["high"] < fair:
        early = "An early lead is a burden"
    elif first["low"] > 0.5:
        early = "An early lead decides most games"
    elif first["low"] > fair:
        early = "An early lead helps"
    elif max(first["high"] - fair, fair - first["low"]) <= LITTLE:
        early = "An early lead is worth nothing"
    else:
        early = "Whether an early lead helps is undecided"
    parts = [f"{words.shown(row)} at {row['progress']} of the way" for row in rows]
    return (
        f"{early}: whoever leads wins {words.listed(parts)}; {words.share(fair)} is a fair share."
    )


def lead_sentence(curves: pd.DataFrame) -> str:
    """What a small, a middling and a large lead are worth at the last mark."""
    if curves.empty:
        return ""
    rows = curves[curves["mark"] == curves["mark"].max()]
    named = {"small": 0.25, "middling": 0.5, "large": 0.9}
    leads = {
        int(_weighted_quantile(rows["lead"], rows["games"], p)): name for name, p in named.items()
    }
    parts = []
    for lead, name in leads.items():
        row = rows[rows["lead"] == lead].to_dict("records")[0]
        parts.append(f"a {name} lead of {lead} wins {words.shown(row)}")
    text = f"At {rows['progress'].iloc[0]} of the way {words.listed(parts)}"
    if len(leads) == len(named):
        text += " (a quarter, half and nine in ten of the leads there are no larger)"
    return f"{text}."


def _weighted_quantile(values: pd.Series, weights: pd.Series, p: float) -> float:
    order = np.argsort(values.to_numpy(), kind="stable")
    below = np.cumsum(weights.to_numpy()[order])
    return float(values.to_numpy()[order][np.searchsorted(below, p * below[-1])])


def comeback_sentence(leads: pd.DataFrame) -> str:
    """How often the leader of the middle mark is beaten after all."""
    rows = _known(leads, "comeback")
    if not rows:
        return ""
    row = rows[(len(rows) - 1) // 2]
    last = rows[-1]
    text = f"The leader at {row['progress']} of the way is beaten in {words.shown(row)} of games"
    if last is not row:
        text += f", and the leader at {last['progress']} in {words.shown(last)}"
    return f"{text}."


def changes_sentence(mean: pd.DataFrame, changes: pd.DataFrame) -> str:
    """How often the lead changes."""
    row = mean.to_dict("records")[0]
    text = f"The lead changes {words.number(row['estimate'], row['low'], row['high'], 'times')}"
    never = changes[changes["changes"] == 0].to_dict("records")
    if never:
        share = words.share(never[0]["share"], never[0]["low"], never[0]["high"])
        return f"{text} in a game on average, and in {share} of games never."
    return f"{text} in a game on average."


def decided_sentence(decided: pd.DataFrame) -> str:
    """From which mark on the winner leads."""
    rows = decided[decided["estimate"].notna()].to_dict("records")
    if not rows:
        return ""
    first, last = rows[0], rows[-1]
    return (
        f"Looking back, the winner leads from {first['progress']} of the way on at every mark in "
        f"{words.shown(first)} of won games, and takes the lead only after the last mark in "
        f"{words.shown(last)}."
    )


def forecast_sentence(score: pd.DataFrame, reliability: pd.DataFrame) -> str:
    """How far the lead foretells the winner."""
    rows = [row for row in _known(score, "skill") if math.isfinite(row["low"])]
    if not rows or reliability.empty:
        return ""
    parts = [
        f"{words.shown(row) if row['low'] > 0 else 'nothing that shows'} at {row['progress']}"
        for row in rows
    ]
    outside = int((~reliability["inside"].astype(bool)).sum())
    agree = (
        "agree with what happened in every class"
        if not outside
        else f"miss what happened in {outside} of {counted(len(reliability), 'class', 'classes')}"
    )
    return (
        f"Knowing the lead removes {words.listed(parts)} of the way from the squared error of a "
        f"forecast that ignores it. Forecasts made from half of the deals {agree} of the others."
    )


def _known(found: pd.DataFrame, quantity: str) -> list[dict[str, Any]]:
    rows = found[(found["quantity"] == quantity) & found["estimate"].notna()]
    return [{str(key): value for key, value in row.items()} for row in rows.to_dict("records")]


QUESTION = Question("snowball", TITLE, TEXT, _groups, _answer, least_players=2)
