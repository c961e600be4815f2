"""What a study's conclusions owe to numbers that nobody published.

Factors (`sim.factors`) are drawn from their ranges, every conclusion is judged anew in each draw,
all draws on the same deals. Then: in what share of the draws does a conclusion hold, is it
reversed, is it undecided, and which factors move the figure it rests on.

Noise must not look like fragility, so there are two answers.

- The verdict of a draw is read off the interval of its own games at the study's level. A draw too
  close to the border is "undecided", not "reversed"; the shares of the three outcomes have
  Goodman's simultaneous intervals for the draws being a sample of all plausible numbers.
- Draws share their luck, so their errors go together and do not average out; single verdicts are
  wrong with probability 1 - level each, all at once at worst. `Share.at_least` and `at_most` hold
  whatever they have in common: half of the error is spent on intervals that are right in all draws
  at once (Bonferroni), half on the draws as a sample (Clopper-Pearson). A draw that stays undecided
  counts against the lower bound and for the upper one.

A Latin hypercube spreads the draws more evenly than independent ones, so intervals for independent
draws are conservative (Stein 1987, Large sample properties of simulations using Latin hypercube
sampling).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special
from scipy.stats import false_discovery_control, qmc

from analysis import words
from analysis.comparison import effect_interval, quantile_interval
from analysis.gates import GateSums, PlaySums, SpreadSums
from analysis.intervals import (
    SHARE,
    UNBOUNDED,
    Interval,
    clopper_pearson,
    clustered_ratio,
    clustered_share,
    simultaneous_level,
    spread,
    wilson,
)
from analysis.measures import MEAN, Measure
from analysis.moments import is_share
from analysis.pairs import PairSums
from analysis.question import Answer
from analysis.sequential import Verdict, gate_verdict
from sim.batch import Chunk
from sim.errors import UserError
from sim.factors import Factor
from sim.wording import counted

TRIES = 20  # draws tried for each one that is wanted
DUMMY = "(random)"  # a factor that moves nothing; what it seems to explain is noise
METHOD = "regression, HC3 and parts of the deals"
PARTS = 8  # of the deals, whose spread is the error that all draws share
ROUNDING = 1e-9  # what is explained below it is rounding
DUMMIES = 199  # of them that give the noise floor


# ------------------------------------------------------------------------------------------- draws


@dataclass(frozen=True, eq=False)
class Draws:
    """Points that keep to the constraints, (draws, factors) in [0, 1]; tried: how many it took.

    broken: constraint -> how many draws broke it. narrowed: the same of what the study sets and a
    draw did not go with: numbers are not drawn from all of their range then.
    """

    points: NDArray[np.float64]
    tried: int
    broken: Mapping[str, int]
    narrowed: Mapping[str, int] = field(default_factory=dict)

    @property
    def rejected(self) -> int:
        """How many draws were drawn again."""
        return self.tried - len(self.points)


def latin(
    factors: int, count: int, seed: int, breaks: Callable[[NDArray[np.float64]], Iterable[str]]
) -> Draws:
    """Return points of a Latin hypercube; those that break a constraint are drawn again.

    breaks: the constraints that a point (factors,) breaks. The points drawn again are Latin among
    themselves. What depends on `seed` and on the arguments alone is the same on any machine.
    Raises UserError where fewer than one draw in TRIES keeps to the constraints.
    """
    sampler = qmc.LatinHypercube(factors, rng=np.random.default_rng([seed, count]))
    kept: list[NDArray[np.float64]] = []
    broken: Counter[str] = Counter()
    tried = 0
    while len(kept) < count:
        for point in sampler.random(count - len(kept)):
            tried += 1
            found = list(breaks(point))
            broken.update(found)
            if not found:
                kept.append(point)
        if len(kept) < count and tried >= TRIES * count:
            often = "; ".join(f"{text} ({times} times)" for text, times in broken.most_common(3))
            raise UserError(
                f"only {len(kept)} of {counted(tried, 'draw')} of the factors keep to the "
                f"constraints: {often}"
            )
    return Draws(np.array(kept), tried, dict(broken.most_common()))


# ------------------------------------------------------------------------------------- conclusions


class Outcome(StrEnum):
    """What a draw says of a conclusion."""

    HOLDS = "holds"
    UNDECIDED = "undecided"
    REVERSED = "reversed"


@dataclass(frozen=True)
class Conclusion:
    """A figure, or its change between two plays, and what is said of it.

    changed: the play it is read from; against: the play a change is measured from, None for the
    figure itself. within: a range; margin: of a change; neither: the sign of a change.
    seats: for max - min over seats, the measure of each. effect_of: the variant whose effect it
    is; empty for a gate, whose name says what is claimed.
    """

    name: str
    measure: Measure
    changed: str
    against: str | None = None
    within: tuple[float, float] | None = None
    margin: float | None = None
    seats: tuple[Measure, ...] = ()
    effect_of: str = ""

    @property
    def subject(self) -> str:
        """The figure it is about, in words."""
        name = self.measure.name
        if self.seats:
            name = f"{replace(self.measure, seat=None).name}, max - min over seats"
        if self.against is None:
            return name if self.changed == "base" else f"{name} in {self.changed}"
        return f"{name}, {self.changed} less {self.against}"

    @property
    def plays(self) -> tuple[str, ...]:
        """The names of the plays it reads."""
        return (self.changed,) if self.against is None else (self.changed, self.against)

    def sums(
        self, chunks: Mapping[str, Chunk], labels: Mapping[str, tuple[str, ...]], rotations: int
    ) -> GateSums:
        """Return what it needs of a chunk of each play, to be added up.

        Raises ValueError where the chunks are not of the same whole blocks.
        """
        if self.against is not None:
            return PairSums.of(
                self.measure,
                chunks[self.changed],
                chunks[self.against],
                rotations=rotations,
                changed_labels=labels[self.changed],
                base_labels=labels[self.against],
            )
        parts = tuple(
            PlaySums.of(m, chunks[self.changed], rotations=rotations, labels=labels[self.changed])
            for m in self.seats or (self.measure,)
        )
        return SpreadSums(parts) if self.seats else parts[0]

    def verdict(self, low: float, high: float) -> Verdict:
        """Return what an interval of the figure says."""
        if self.within is not None or self.margin is not None:
            return gate_verdict(low, high, within=self.within, margin=self.margin)
        if low > 0:
            return Verdict.CHANGED_UP
        return Verdict.CHANGED_DOWN if high < 0 else Verdict.UNDECIDED

    def claim(self, base: Interval) -> Verdict:
        """Return what is claimed: what the default numbers say.

        Where they leave it open: that the gate holds, or the sign of the estimate.
        """
        found = self.verdict(base.low, base.high)
        if found is not Verdict.UNDECIDED:
            return found
        if self.within is not None:
            return Verdict.PASS
        if self.margin is not None:
            return Verdict.EQUIVALENT
        return Verdict.CHANGED_UP if base.estimate >= 0 else Verdict.CHANGED_DOWN

    def statement(self, claim: Verdict) -> str:
        """Return in words what is claimed."""
        if not self.effect_of:
            return self.name if claim.holds else f"not so: {self.name}"
        ways = {Verdict.CHANGED_UP: "raises", Verdict.CHANGED_DOWN: "lowers"}
        text = f"{self.effect_of} {ways.get(claim, 'changes')} {self.measure.name}"
        if self.margin is None:
            return text
        return f"{text} by {'at most' if claim.holds else 'more than'} {self.margin:g}"

    def outcome(self, claim: Verdict, low: float, high: float) -> Outcome:
        """Return what an interval says of a claim; any other decided verdict reverses it."""
        found = self.verdict(low, high)
        if found is Verdict.UNDECIDED:
            return Outcome.UNDECIDED
        return Outcome.HOLDS if found is claim else Outcome.REVERSED


@dataclass(frozen=True)
class ConclusionSums:
    """The sums of all conclusions over the same blocks. Add them up with +."""

    parts: tuple[GateSums, ...]

    def __add__(self, other: ConclusionSums) -> ConclusionSums:
        pairs: Any = zip(self.parts, other.parts, strict=True)  # alike, one by one
        return ConclusionSums(tuple(a + b for a, b in pairs))


def summing(
    conclusions: Sequence[Conclusion],
    plays: Sequence[str],
    labels: Mapping[str, tuple[str, ...]],
    rotations: int,
) -> Callable[[tuple[Chunk, ...]], ConclusionSums]:
    """Return what sums chunks of the same games, one a play in the order of `plays`."""

    def sums(chunks: tuple[Chunk, ...]) -> ConclusionSums:
        named = dict(zip(plays, chunks, strict=True))
        return ConclusionSums(tuple(c.sums(named, labels, rotations) for c in conclusions))

    return sums


def interval_of(sums: GateSums, level: float) -> Interval:
    """Return a figure, or its change, with its interval at a fixed number of blocks."""
    if isinstance(sums, PairSums):
        return effect_interval(sums, level)
    if isinstance(sums, SpreadSums):
        own = simultaneous_level(level, len(sums.seats))
        return spread([_figure(seat, own) for seat in sums.seats], level)
    return _figure(sums, level)


def _figure(sums: PlaySums, level: float) -> Interval:
    measure, scale = sums.measure, sums.measure.metric.scale
    if sums.ranks is not None:
        p = measure.quantile
        assert p is not None
        found = quantile_interval(sums.ranks, p, level)
        estimate, low, high = (x / scale for x in (found.estimate, found.low, found.high))
        return Interval(estimate, low, high, found.level, found.n, found.method)
    if measure.is_share:
        return clustered_share(sums.sums, level, scale=scale)
    share = is_share(measure.metric) and measure.statistic == MEAN
    return clustered_ratio(sums.sums, level, scale=scale, bounds=SHARE if share else UNBOUNDED)


def strict_level(level: float, draws: int) -> float:
    """Return the level at which the intervals of all draws hold at once, for half of the error."""
    return simultaneous_level((1 + level) / 2, draws)


# ----------------------------------------------------------------------------------------- shares


@dataclass(frozen=True)
class Share:
    """In how many of the plausible numbers a conclusion holds.

    intervals: of each outcome's share of the draws, together at the level. at_least, at_most:
    bounds of the share of plausible numbers for which it is true, free of the draws' own errors.
    """

    counts: Mapping[Outcome, int]
    intervals: Mapping[Outcome, Interval]
    at_least: float
    at_most: float


def shares(outcomes: Sequence[Outcome], strict: Sequence[Outcome], level: float = 0.95) -> Share:
    """Return the shares of the outcomes of all draws.

    outcomes: of each draw at the study's level. strict: at `strict_level`.
    The intervals are Goodman's (1965, On simultaneous confidence intervals for multinomial
    proportions): Wilson's, each at the level of one of three. Raises ValueError without a draw.
    """
    n = len(outcomes)
    if not n or len(strict) != n:
        raise ValueError(f"need as many strict outcomes as outcomes, got {len(strict)} and {n}")
    counts = {outcome: sum(one is outcome for one in outcomes) for outcome in Outcome}
    own = simultaneous_level(level, len(Outcome))
    intervals = {}
    for outcome, count in counts.items():
        one = wilson(count, n, own)
        intervals[outcome] = Interval(one.estimate, one.low, one.high, level, n, "Goodman")
    sample = (1 + level) / 2  # each end of its interval spends a quarter of the error
    sure = {o: clopper_pearson(sum(one is o for one in strict), n, sample).low for o in Outcome}
    return Share(counts, intervals, sure[Outcome.HOLDS], 1 - sure[Outcome.REVERSED])


# ----------------------------------------------------------------------------------------- ranking

RANKING = (
    *("factor", "meaning", "from", "to", "effect", "low", "high", "level", "n", "method"),
    *("explained", "floor", "p", "q", "decides"),
)


@dataclass(frozen=True)
class _Block:
    """A factor's columns in a regression. places: which option each column stands for, and 0th."""

    factor: Factor
    columns: NDArray[np.float64]
    places: tuple[int, ...] = ()


def ranking(
    figures: NDArray[np.float64],
    points: NDArray[np.float64],
    factors: Sequence[Factor],
    *,
    seed: int,
    level: float = 0.95,
    parts: NDArray[np.float64] | None = None,
) -> pd.DataFrame:
    """Return which factors move a figure, the strongest first: one row a factor, and a dummy.

    figures: (draws,), NaN where nothing was counted. points: (draws, factors) in [0, 1]. parts:
    (draws, PARTS) the figures in equal parts of the deals, where all draws share them.
    A regression on all of them at once, numbers linear, choices by option. Two errors add up: that
    of the draws, HC3 (MacKinnon and White 1985), as it depends on where a draw is; and that of the
    deals, which all draws share, so that no residual shows it: the spread of the coefficients
    between parts of the deals. Degrees of freedom by Welch and Satterthwaite. The figure and not
    the verdict is explained: a verdict that is the same in all draws tells nothing of factors.
    effect: of going from the low to the high end, or between the two options furthest apart.
    explained: the share of the figure's variance that leaving the factor out would cost. floor:
    what 95 % of random factors of the same kind explain at most.
    decides: the effect is real at a false discovery rate of 1 - level over the factors (Benjamini
    and Hochberg 1995), and it explains more than the floor. The dummy is one random factor.
    No row where there are fewer than ten more draws than coefficients, or the figure never varies.
    """
    known = np.isfinite(figures)
    y, u = figures[known], points[known]
    if not len(y) or not np.ptp(y) > 1e-12 * np.abs(y).max():
        return pd.DataFrame(columns=list(RANKING))
    shared = None if parts is None else parts[known][:, np.isfinite(parts[known]).all(axis=0)]
    found = [_block(factor, u[:, place]) for place, factor in enumerate(factors)]
    blocks = [block for block in found if block.columns.shape[1]]
    x = np.hstack([np.ones((len(y), 1)), *(block.columns for block in blocks)])
    spare = len(y) - x.shape[1]
    if spare < 10 or np.linalg.matrix_rank(x) < x.shape[1]:
        return pd.DataFrame(columns=list(RANKING))
    rng = np.random.default_rng([seed, DUMMIES])
    _, _, residuals = _fit(x, y)
    total = float(((y - y.mean()) ** 2).sum())
    floors = {
        width: _floor(x, residuals, width, rng) / total
        for width in sorted({block.columns.shape[1] for block in blocks} | {1})
    }
    dummy = _Block(Factor(DUMMY, "moves nothing"), rng.uniform(-1, 1, (len(y), 1)))
    rows: list[dict[str, Any]] = []
    at = 1
    for block in [*blocks, dummy]:
        width = block.columns.shape[1]
        table = np.hstack([x, block.columns]) if block is dummy else x
        columns = np.arange(at, at + width)
        at += width
        beta, covariance, rest = _fit(table, y)
        own, errors = beta[columns], covariance[np.ix_(columns, columns)]
        errors, df = _with_deals(table, columns, errors, len(y) - table.shape[1], shared)
        # a fit without residuals has no errors: then any effect is real
        wald = float(own @ np.linalg.pinv(errors) @ own) / width if errors.any() else math.inf
        _, _, without = _fit(np.delete(table, columns, axis=1), y)
        gain = float(without @ without) - float(rest @ rest)
        rows.append(
            {
                "factor": block.factor.name,
                "meaning": block.factor.meaning,
                **_effect(block, own, errors, df, level),
                "level": level,
                "n": len(y),
                "method": METHOD if shared is not None else "regression, HC3",
                "explained": max(0.0, gain) / total,
                "floor": floors[width],
                "p": float(special.fdtrc(width, df, wald)),
            }
        )
    frame = pd.DataFrame(rows)
    real = frame["factor"] != DUMMY
    frame["q"] = math.nan
    if real.any():
        frame.loc[real, "q"] = false_discovery_control(frame.loc[real, "p"].to_numpy())
    clear = (frame["explained"] > frame["floor"]) & (frame["explained"] > ROUNDING)
    frame["decides"] = real & (frame["q"] <= 1 - level) & clear
    frame = frame.sort_values("explained", ascending=False, kind="stable")
    return frame[list(RANKING)].reset_index(drop=True)


def _block(factor: Factor, u: NDArray[np.float64]) -> _Block:
    """Return the columns of a factor: one for numbers, for choices options less one.

    Options that no draw has taken, and factors that stand still, have none.
    """
    if factor.choice is None:
        return _Block(factor, (2 * u - 1)[:, None] if factor.numbers else np.empty((len(u), 0)))
    taken = np.array([factor.place(one) for one in u])
    places = tuple(np.unique(taken).tolist())
    columns = (taken[:, None] == np.array(places[1:], dtype=np.int64)[None, :]).astype(float)
    return _Block(factor, columns, places)


def _floor(
    x: NDArray[np.float64], residuals: NDArray[np.float64], width: int, rng: np.random.Generator
) -> float:
    """Return what 95 % of random factors of so many columns take off the squared residuals."""
    basis, _ = np.linalg.qr(x)
    columns = rng.uniform(-1, 1, (DUMMIES, len(x), width))
    cleared, _ = np.linalg.qr(columns - basis @ (basis.T @ columns))
    return float(np.quantile(((residuals @ cleared) ** 2).sum(axis=-1), 0.95))


def _fit(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return coefficients, their HC3 covariance, and the residuals."""
    inverse = np.linalg.pinv(x.T @ x)
    beta = inverse @ x.T @ y
    residuals = y - x @ beta
    leverage = np.einsum("ij,jk,ik->i", x, inverse, x)
    scaled = residuals / np.maximum(1 - leverage, 1e-9)
    return beta, inverse @ (x.T * scaled**2) @ x @ inverse, residuals


def _with_deals(
    x: NDArray[np.float64],
    columns: NDArray[np.int64],
    errors: NDArray[np.float64],
    spare: int,
    parts: NDArray[np.float64] | None,
) -> tuple[NDArray[np.float64], float]:
    """Return the covariance of some coefficients with the error of the shared deals added.

    errors: theirs from the draws, with `spare` degrees of freedom. Returns the degrees, too.
    """
    if parts is None or parts.shape[1] < 2:
        return errors, spare
    each = (np.linalg.pinv(x) @ parts)[columns]
    count = parts.shape[1]
    deals = np.cov(each).reshape(len(columns), len(columns)) / count
    a, b = float(np.trace(errors)), float(np.trace(deals))
    if not a + b > 0:
        return errors, spare
    return errors + deals, (a + b) ** 2 / (a**2 / spare + b**2 / (count - 1))


def _effect(
    block: _Block,
    beta: NDArray[np.float64],
    covariance: NDArray[np.float64],
    spare: float,
    level: float,
) -> dict[str, Any]:
    """Return from, to, effect, low, high of a factor: of its widest step."""
    if not block.places:
        ends, step, together = ("low", "high"), np.array([2.0]), 1
    else:
        values = np.concatenate([[0.0], beta])
        first, last = sorted((int(values.argmin()), int(values.argmax())))
        options = block.factor.options
        ends = str(options[block.places[first]]), str(options[block.places[last]])
        step = np.zeros(len(beta))
        step[last - 1] = 1.0
        if first:
            step[first - 1] = -1.0
        together = math.comb(len(values), 2)  # the widest of so many
    own = simultaneous_level(level, together)
    effect = float(step @ beta)
    half = -float(special.stdtrit(spare, (1 - own) / 2)) * math.sqrt(step @ covariance @ step)
    return {
        "from": ends[0],
        "to": ends[1],
        "effect": effect,
        "low": effect - half,
        "high": effect + half,
    }


def holding(
    outcomes: Sequence[Outcome],
    u: NDArray[np.float64],
    factor: Factor,
    ends: tuple[str, str],
    level: float = 0.95,
) -> tuple[Interval, Interval]:
    """Return the share of draws in which a conclusion holds at both ends of a factor.

    u: (draws,) where the factor stood. ends: "low" and "high" (the lowest and the highest third),
    or two options.
    """
    holds = np.array([outcome is Outcome.HOLDS for outcome in outcomes])
    if factor.choice is None:
        sides = u < 1 / 3, u > 2 / 3
    else:
        taken = np.array([str(factor.options[factor.place(one)]) for one in u])
        sides = taken == ends[0], taken == ends[1]
    one, other = (wilson(int(holds[side].sum()), int(side.sum()), level) for side in sides)
    return one, other


# ------------------------------------------------------------------------------------------ answer


@dataclass(frozen=True, eq=False)
class Judged:
    """A conclusion with its figures.

    base: at the default numbers. drawn: (draws, 5) estimate, low, high at the level, low, high at
    `strict_level`. parts: (draws, PARTS) the figure in equal parts of the deals.
    """

    conclusion: Conclusion
    base: Interval
    drawn: NDArray[np.float64]
    parts: NDArray[np.float64]

    @property
    def claim(self) -> Verdict:
        """What is claimed."""
        return self.conclusion.claim(self.base)

    @property
    def statement(self) -> str:
        """What is claimed, in words."""
        return self.conclusion.statement(self.claim)

    def outcomes(self, strict: bool = False) -> list[Outcome]:
        """Return what each draw says of it."""
        lows, highs = (self.drawn[:, 3], self.drawn[:, 4]) if strict else self.drawn[:, 1:3].T
        found = self.conclusion
        return [
            found.outcome(self.claim, float(low), float(high))
            for low, high in zip(lows, highs, strict=True)
        ]


def answer(
    judged: Sequence[Judged],
    factors: Sequence[Factor],
    draws: Draws,
    *,
    seed: int,
    level: float = 0.95,
) -> Answer:
    """Return what the draws say of all conclusions.

    Frames: `conclusions`, one row each: conclusion (its name), statement (what is claimed), subject
    (the figure it is about), the base's estimate, low, high, level, n, method and verdict; the
    shares holds, undecided, reversed with _low and _high; at_least, at_most (`Share`); decided_by.
    `shares`: the same shares in long form. `deciding`: RANKING by conclusion, and the share of
    draws in which it holds at both ends of the factor: holds_from, holds_to with _low and _high.
    `figures`: one row a draw and conclusion. `draws`: where each factor stood, in [0, 1] or the
    option.
    """
    rows, long, deciding, figures = [], [], [], []
    for one in judged:
        outcomes = one.outcomes()
        share = shares(outcomes, one.outcomes(strict=True), level)
        ranked = _deciding(one, outcomes, factors, draws.points, seed, level)
        names = [row["factor"] for row in ranked if row["decides"]]
        deciding += ranked
        long += [
            {
                "conclusion": one.conclusion.name,
                "statement": one.statement,
                "outcome": str(outcome),
                "draws": share.counts[outcome],
                **_ends("", interval),
                "level": level,
                "n": interval.n,
                "method": interval.method,
            }
            for outcome, interval in share.intervals.items()
        ]
        rows.append(
            {
                "conclusion": one.conclusion.name,
                "statement": one.statement,
                "subject": one.conclusion.subject,
                "unit": one.conclusion.measure.metric.unit,
                **_ends("", one.base),
                "level": one.base.level,
                "n": one.base.n,
                "method": one.base.method,
                "verdict": str(one.conclusion.verdict(one.base.low, one.base.high)),
                **{
                    key: value
                    for outcome, interval in share.intervals.items()
                    for key, value in _ends(str(outcome), interval).items()
                },
                "at_least": share.at_least,
                "at_most": share.at_most,
                "draws": len(outcomes),
                "decided_by": ", ".join(names),
            }
        )
        figures += [
            {
                "draw": draw,
                "conclusion": one.conclusion.name,
                "estimate": float(figure[0]),
                "low": float(figure[1]),
                "high": float(figure[2]),
                "level": level,
                "outcome": str(outcome),
            }
            for draw, (figure, outcome) in enumerate(zip(one.drawn, outcomes, strict=True))
        ]
    table = pd.DataFrame(rows)
    places = pd.DataFrame(
        {
            factor.name: draws.points[:, place]
            if factor.choice is None
            else [str(factor.options[factor.place(u)]) for u in draws.points[:, place]]
            for place, factor in enumerate(factors)
        }
    )
    places.insert(0, "draw", np.arange(len(places)))
    frames = {
        "conclusions": table,
        "shares": pd.DataFrame(long),
        "deciding": pd.DataFrame(deciding, columns=[*DECIDING]),
        "figures": pd.DataFrame(figures),
        "draws": places,
    }
    return Answer(frames, _sentences(table, frames["deciding"], draws))


DECIDING = (
    "conclusion",
    *RANKING,
    *("holds_from", "holds_from_low", "holds_from_high"),
    *("holds_to", "holds_to_low", "holds_to_high"),
)


def _ends(name: str, interval: Interval) -> dict[str, float]:
    """Return estimate, low and high as columns, all with a name before them where there is one."""
    names = (name, f"{name}_low", f"{name}_high") if name else ("estimate", "low", "high")
    return dict(zip(names, (interval.estimate, interval.low, interval.high), strict=True))


def _deciding(
    one: Judged,
    outcomes: Sequence[Outcome],
    factors: Sequence[Factor],
    points: NDArray[np.float64],
    seed: int,
    level: float,
) -> list[dict[str, Any]]:
    ranked = ranking(one.drawn[:, 0], points, factors, seed=seed, level=level, parts=one.parts)
    places = {factor.name: place for place, factor in enumerate(factors)}
    rows = []
    for row in ranked.to_dict("records"):
        found: dict[str, Any] = {
            "conclusion": one.conclusion.name,
            **row,
        }
        if row["factor"] in places:
            place = places[row["factor"]]
            both = holding(
                outcomes, points[:, place], factors[place], (row["from"], row["to"]), level
            )
            for name, interval in zip(("holds_from", "holds_to"), both, strict=True):
                found |= _ends(name, interval)
        rows.append(found)
    return rows


_MOST_NAMED = 3  # factors in a sentence


def _verb(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def _sentences(table: pd.DataFrame, deciding: pd.DataFrame, draws: Draws) -> tuple[str, ...]:
    """Return the finding: all conclusions together, then each, the least certain first."""
    total = len(draws.points)
    always = int((table["holds"] == 1).sum())
    some = int((table["reversed"] > 0).sum())
    open_ = len(table) - always - some
    kinds = [
        (always, f"{always} {_verb(always, 'holds', 'hold')} in all of them"),
        (some, f"{some} {_verb(some, 'is', 'are')} reversed in some"),
        (open_, f"{open_} {_verb(open_, 'is', 'are')} undecided in some and reversed in none"),
    ]
    what = [text for count, text in kinds if count]
    first = (
        f"{counted(len(table), 'conclusion')} in {counted(total, 'draw')} of the "
        f"unpublished numbers: {words.listed(what)}."
    )
    if draws.narrowed:
        apart = [f"{text} in {count}" for text, count in draws.narrowed.items()]
        first += (
            f" Numbers that do not go with what the study sets are left out: {words.listed(apart)} "
            f"of {counted(draws.tried, 'draw')}."
        )
    found = [first]
    real = deciding[deciding["decides"].astype(bool)]
    for row in table.sort_values(["holds", "undecided"], kind="stable").to_dict("records"):
        parts = [
            f"{text} {words.share(row[name], row[f'{name}_low'], row[f'{name}_high'])} of the draws"
            for name, text in (("holds", "holds in"), ("reversed", "is reversed in"))
        ]
        bounds = (
            f"whatever the noise of the games, it is true for {row['at_least']:.0%} to "
            f"{row['at_most']:.0%} of the plausible numbers"
        ).replace("%", f"{words.SPACE}%")
        left = " (open at the default numbers)" if row["verdict"] == Verdict.UNDECIDED else ""
        text = f"*{row['statement']}*{left} {words.listed(parts)}; {bounds}."
        own = real[real["conclusion"] == row["conclusion"]]
        if len(own):
            named = [
                f"{one['meaning']} ({one['explained']:.0%} of the variance)".replace(
                    "%", f"{words.SPACE}%"
                )
                for one in own.head(_MOST_NAMED).to_dict("records")
            ]
            verb = "Most depends on" if row["holds"] < 1 else "Its size depends most on"
            text += f" {verb} {words.listed(named)}."
        else:
            text += " No factor stands out of the noise."
        found.append(text)
    return tuple(found)
