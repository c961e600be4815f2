"""What variants change against the base: effects on the same deals, with their intervals.

A variant and the base are played on the same deals, and the sums of both (`analysis.pairs`) become
one row per variant and figure: the effect is the figure in the variant minus the figure in the
base. The number of games is fixed beforehand; what looks at the games in order to stop belongs to
`analysis.sequential`.

Intervals, in the order in which they are chosen:

- quantiles: from the intervals of the two quantiles, which together hold at the level;
- no block differs: the bound of the share of blocks that do, times the widest possible change;
- single games, each won or lost and by one alone: Tango's score interval, or Newcombe's with
  exact limits where fewer than ten games differ;
- few blocks differ: for shares the betting interval, which is exact at any number of blocks; for
  other figures the share of blocks that differ times the mean change in these;
- otherwise Student's on the differences of blocks, ratios linearised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from analysis import words
from analysis.intervals import (
    UNBOUNDED,
    Bounds,
    ClusterSums,
    Interval,
    block_quantile,
    clopper_pearson,
    clustered_ratio,
    histogram_quantile,
    no_differences,
    no_events,
    paired_rates,
    student_mean,
)
from analysis.measures import MEAN, Measure, RankCounts, all_measures
from analysis.paired import jointly
from analysis.pairs import PairSums
from analysis.question import Answer
from analysis.sequential import Verdict, bounded_mean_sequence, gate_verdict
from sim.batch import Chunk
from sim.errors import UserError, choices, nearest
from sim.game import WIN_UNIT, Metric
from sim.wording import counted

QUANTILES = ("q05", "q50", "q95")
# With fewer blocks that differ, Student's interval of a difference is too short: some differences
# are rarer still, and a handful of blocks does not tell how large they are. Measured misses of a
# 95 % interval: up to 48 % at 2 blocks, 20 % at 8, 8 % at 32, 6 % at 100.
FEW = 100
CHANGE: Bounds = (-1.0, 1.0)  # of a share

# one row per variant and figure; base, changed, effect, low, high, margin in the metric's unit
COLUMNS = (
    *("variant", "metric", "unit", "statistic", "seat", "strategy"),
    *("base", "changed", "effect", "low", "high", "level", "blocks", "n", "method"),
    *("discordance", "correlation", "speed_up", "margin", "verdict"),
)


# ------------------------------------------------------------------------------- what is compared


def compared_measures(metrics: Sequence[Metric], labels: Sequence[str]) -> list[Measure]:
    """Return the figures of metrics: means of all their groups, and quantiles where they have any.

    labels: the lineup's strategies. Left out is what says nothing new: a strategy that plays every
    seat where the whole field is a group as well, and its share of the wins, which is always 1/n.
    """
    found = []
    alone = len(set(labels)) == 1
    for one in all_measures(metrics, labels):
        metric = one.metric
        everybody = one.strategy is not None and one.seat is None and alone
        if everybody and (() in metric.by or metric.scale == WIN_UNIT):
            continue
        found.append(one)
        if "quantiles" in metric.statistics:
            found += [Measure(metric, one.seat, one.strategy, (), q) for q in QUANTILES]
    return found


def chosen_metrics(metrics: Sequence[Metric], names: Sequence[str]) -> list[Metric]:
    """Return the metrics of these names, all if none is named.

    Raises UserError for a name that is no metric's.
    """
    known = {metric.name: metric for metric in metrics}
    for name in names:
        if name not in known:
            raise UserError(
                f"unknown metric {name!r}{nearest(name, known)}; known metrics: {choices(known)}"
            )
    return [metric for metric in metrics if not names or metric.name in names]


Margins = float | Mapping[str, float] | None
"""Changes up to it do not matter: one number for all metrics, one each, or none."""


def margin_of(metric: str, margins: Margins) -> float | None:
    """Return a metric's margin, None where it has none."""
    return margins.get(metric) if isinstance(margins, Mapping) else margins


# ----------------------------------------------------------------------------------------- sums


@dataclass(frozen=True)
class Parted:
    """How many games of a variant have other rows than the base's, and the first of them."""

    games: int = 0
    first: int | None = None

    def __add__(self, other: Parted) -> Parted:
        firsts = [first for first in (self.first, other.first) if first is not None]
        return Parted(self.games + other.games, min(firsts, default=None))


@dataclass(frozen=True)
class VariantSums:
    """A variant and the base, summed over blocks: all figures, and where games part."""

    pairs: tuple[PairSums, ...]
    parted: Parted

    def __add__(self, other: VariantSums) -> VariantSums:
        pairs = tuple(a + b for a, b in zip(self.pairs, other.pairs, strict=True))
        return VariantSums(pairs, self.parted + other.parted)


@dataclass(frozen=True)
class CompareSums:
    """Sums of several variants by name. Add them up with +, in any order."""

    variants: Mapping[str, VariantSums]

    def __add__(self, other: CompareSums) -> CompareSums:
        return CompareSums({k: v + other.variants[k] for k, v in self.variants.items()})


@dataclass(frozen=True)
class Side:
    """A variant as its games are summed: its figures, and who plays, by slot."""

    measures: tuple[Measure, ...]
    labels: tuple[str, ...]


def summing(
    base_labels: tuple[str, ...], sides: Mapping[str, Side], rotations: int
) -> Callable[[tuple[Chunk, ...]], CompareSums]:
    """Return what sums chunks of the same games: the base's first, then one for each of `sides`."""

    def sums(chunks: tuple[Chunk, ...]) -> CompareSums:
        base, *others = chunks
        found = {}
        for (name, side), chunk in zip(sides.items(), others, strict=True):
            pairs = tuple(
                PairSums.of(
                    measure,
                    chunk,
                    base,
                    rotations=rotations,
                    changed_labels=side.labels,
                    base_labels=base_labels,
                )
                for measure in side.measures
            )
            found[name] = VariantSums(pairs, parted(chunk, base))
        return CompareSums(found)

    return sums


def parted(changed: Chunk, base: Chunk) -> Parted:
    """Count the games of a chunk whose rows differ, and find the first."""
    differ = _differ(changed.games, base.games)
    differ |= _differ(changed.seats, base.seats).any(axis=1)
    places = np.flatnonzero(differ)
    return Parted(len(places), base.first + int(places[0])) if len(places) else Parted()


def _differ(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    names = one.dtype.names or ()
    return reduce(np.logical_or, (one[name] != other[name] for name in names))


# ------------------------------------------------------------------------------------- intervals


def effect_interval(sums: PairSums, level: float = 0.95, together: int = 1) -> Interval:
    """Return the effect of a change on a figure, in the metric's unit, with its interval.

    together: one of so many intervals that hold at once at `level` (Bonferroni). n counts blocks.
    The method is chosen as the module says; it never gives an interval of width 0 where the data
    merely show no spread: then it is a bound, or infinite where the metric has no range.
    """
    return jointly(lambda own: _interval(sums, own), level, together)


def _interval(sums: PairSums, level: float) -> Interval:
    if sums.measure.quantile is not None:
        return _quantile_difference(sums, level)
    estimate, n = sums.effect(), sums.blocks
    bounds = CHANGE if sums.measure.is_share else UNBOUNDED
    ratio = sums.measure.metric.per is not None
    if ratio and is_share_unit(sums.measure.metric.unit):
        bounds = CHANGE
    if math.isnan(estimate):
        return Interval(estimate, *bounds, level, n, "nothing was counted: whole range")
    if sums.differing == 0:
        return _nothing_differs(sums, level, bounds)
    games = _single_games(sums)
    if games is not None:
        return paired_rates(*games, n, level)
    even = _even(sums)
    if sums.differing < FEW and even is not None:
        if sums.counts_differences:
            low, high = bounded_mean_sequence(*sums.difference_counts(), level, *CHANGE)
            return Interval(estimate, low, high, level, n, "betting on block differences")
        return _few_differ(sums, even, level, bounds)
    if even is not None:
        return clustered_ratio(
            even,
            level,
            scale=sums.measure.metric.scale,
            bounds=bounds,
            method="Student on block differences",
        )
    return _linearised(sums, estimate, level, bounds)


def _nothing_differs(sums: PairSums, level: float, bounds: Bounds) -> Interval:
    """Bound of an effect of which no block told anything; infinite without a range.

    The share of blocks that differ is below the bound of an event never seen in so many blocks.
    A ratio whose blocks weigh differently may be anything in its range.
    """
    n = sums.blocks
    if not math.isfinite(bounds[1]):
        text = f"no block differs (at most {no_events(n, level).high:.2g} of them do): no range"
        return Interval(0.0, *bounds, level, n, text)
    if sums.measure.metric.per is not None:
        return Interval(0.0, *bounds, level, n, "no block differs: whole range of the ratio")
    return no_differences(n, level)


def _single_games(sums: PairSums) -> tuple[int, int] | None:
    """Return how many games have the event in the changed play only, and in the base only.

    None unless every block is one row that is 0 or 1 in both plays. A row x in [0, scale] is 0 or
    scale exactly where x^2 = scale x, and no x^2 is larger: so two sums tell it of all rows.
    """
    scale = sums.measure.metric.scale
    if not (sums.measure.is_share and sums.rotations == 1 and _rows(sums) == 1):
        return None
    changed, base = sums.one(True), sums.one(False)
    if changed.num2 != scale * changed.num or base.num2 != scale * base.num:
        return None
    both = sums.products[0, 2] // (scale * scale)
    return int(changed.num // scale - both), int(base.num // scale - both)


def _rows(sums: PairSums) -> int:
    """Return the rows of a block where all blocks of both plays have the same number, else 0."""
    rows = set()
    for play in (True, False):
        one = sums.one(play)
        if one.den * one.den != one.den2 * one.clusters:
            return 0
        rows.add(one.den // one.clusters)
    return int(rows.pop()) if len(rows) == 1 else 0


def _even(sums: PairSums) -> ClusterSums | None:
    """Return the sums of the block differences, None where blocks differ in their rows."""
    rows = _rows(sums)
    if not rows or sums.measure.metric.per is not None:
        return None
    one, other = sums.one(True), sums.one(False)
    total = one.num - other.num
    squares = one.num2 + other.num2 - 2 * sums.products[0, 2]
    n = sums.blocks
    return ClusterSums(n, total, rows * n, squares, rows * rows * n, rows * total)


def _few_differ(sums: PairSums, even: ClusterSums, level: float, bounds: Bounds) -> Interval:
    """Interval from the share of blocks that differ and the mean change in these.

    Each holds at (1 + level) / 2, so both hold at `level`, and the effect is their product. Among
    thousands of blocks alike a handful that differ give Student's interval a spread that is
    itself a matter of chance.
    """
    own = (1 + level) / 2
    share = clopper_pearson(sums.differing, sums.blocks, own)
    rows = even.den / even.clusters * sums.measure.metric.scale
    change = student_mean(sums.differing, even.num / rows, even.num2 / rows**2, own)
    ends = [a * b for a in (share.low, share.high) for b in (change.low, change.high)]
    low, high = max(bounds[0], min(ends)), min(bounds[1], max(ends))
    text = f"share of blocks that differ ({sums.differing}) times the change in these"
    return Interval(sums.effect(), low, high, level, sums.blocks, text)


def _linearised(sums: PairSums, estimate: float, level: float, bounds: Bounds) -> Interval:
    """Student's interval of the difference of two ratios, each linearised block by block."""
    variance, n = sums.variance(), sums.blocks
    verb = "differs" if sums.differing == 1 else "differ"
    few = f"; only {counted(sums.differing, 'block')} {verb}" if sums.differing < FEW else ""
    if not variance > 0:
        return Interval(estimate, *bounds, level, n, f"no spread between blocks: whole range{few}")
    half = -float(special.stdtrit(n - 1, (1 - level) / 2)) * math.sqrt(variance / n)
    low, high = max(bounds[0], estimate - half), min(bounds[1], estimate + half)
    text = "Student on linearised block differences"
    return Interval(estimate, low, high, level, n, text + few)


def _quantile_difference(sums: PairSums, level: float) -> Interval:
    """Interval of the difference of two quantiles.

    Both intervals together hold at `level` whatever the two plays have to do with each other, so
    their difference is conservative. The plays share their deals; that does not make it narrower.
    """
    own = (1 + level) / 2
    p, ranks = sums.measure.quantile, sums.ranks
    assert p is not None
    assert ranks is not None
    one, other = (quantile_interval(counts, p, own) for counts in ranks)
    scale = sums.measure.metric.scale
    return Interval(
        (one.estimate - other.estimate) / scale,
        (one.low - other.high) / scale,
        (one.high - other.low) / scale,
        level,
        sums.blocks,
        f"difference of two quantiles ({one.method}), conservative",
    )


def quantile_interval(ranks: RankCounts, p: float, level: float) -> Interval:
    """Return a quantile of one play with its interval, by the sizes of its blocks."""
    rows, counts = len(ranks.counts), ranks.counts.sum(axis=0)
    if rows == 1:
        return histogram_quantile(ranks.values, counts, p, level)
    odd = 2 * np.arange(rows)[:, None] + 1
    squares = (odd * ranks.counts).sum(axis=0)
    return block_quantile(ranks.values, counts, squares, p, level, blocks=ranks.blocks)


# ---------------------------------------------------------------------------------------- frames


def effects(
    sums: CompareSums, *, level: float = 0.95, margins: Margins = None, together: int | None = None
) -> pd.DataFrame:
    """Return one row per variant and figure, `COLUMNS`.

    level: at which the intervals of a figure hold for all variants at once. together: how many
    variants that are; those of the sums by default. margins: without one a figure has no verdict.
    blocks: deals of each play; n: the blocks that the interval rests on. discordance: share of
    blocks that differ. correlation: of the two plays between blocks. speed_up: how many times more
    blocks unpaired plays would need; infinite where nothing differs. The last two are NaN for
    quantiles, whose interval is not a paired one.
    """
    count = len(sums.variants) if together is None else together
    rows = [
        _row(name, pair, level, count, margins)
        for name, variant in sums.variants.items()
        for pair in variant.pairs
    ]
    return as_frame(rows)


def as_frame(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows as a frame with `COLUMNS` first; a seat, strategy or verdict may be missing."""
    records = list(rows)
    more = dict.fromkeys(key for row in records for key in row if key not in COLUMNS)
    frame = pd.DataFrame.from_records(records, columns=[*COLUMNS, *more]).astype({"seat": "Int64"})
    for name in ("strategy", "verdict"):  # None stays None
        frame[name] = pd.Series([row.get(name) for row in records], dtype=object)
    return frame


def _row(
    variant: str, sums: PairSums, level: float, together: int, margins: Margins
) -> dict[str, Any]:
    measure = sums.measure
    interval = effect_interval(sums, level, together)
    margin = margin_of(measure.metric.name, margins)
    verdict = None
    if margin is not None:
        found = gate_verdict(interval.low, interval.high, margin=margin)
        verdict = (Verdict.UNDECIDED if math.isnan(interval.estimate) else found).value
    paired = measure.statistic == MEAN
    return {
        "variant": variant,
        "metric": measure.metric.name,
        "unit": measure.metric.unit,
        "statistic": measure.statistic,
        "seat": measure.seat,
        "strategy": measure.strategy,
        "base": sums.figure(False),
        "changed": sums.figure(True),
        "effect": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "blocks": sums.blocks,
        "n": interval.n,
        "method": interval.method,
        "discordance": sums.discordance,
        "correlation": sums.correlation() if paired else math.nan,
        "speed_up": sums.speed_up() if paired else math.nan,
        "margin": math.nan if margin is None else margin,
        "verdict": verdict,
    }


# ----------------------------------------------------------------------------------------- flips


KEY = ("variant", "metric", "statistic", "seat", "strategy")


def judgement(row: Mapping[str, Any]) -> str | None:
    """Return what a row says: its verdict, or without a margin the sign of a clear effect.

    "UP" or "DOWN" where the interval excludes 0. None where nothing is decided.
    """
    if row["verdict"] is not None:
        return None if row["verdict"] == Verdict.UNDECIDED else str(row["verdict"])
    if row["low"] > 0:
        return "UP"
    return "DOWN" if row["high"] < 0 else None


def with_flips(frame: pd.DataFrame, repeats: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return effects with the columns `flips` and `open`.

    repeats: the effects of the same variants in other circumstances, by what is different. flips:
    those in which the judgement is another one; open: those in which a decided row is no longer
    decided. Both with "; " between, "" for none. A row that was not decided cannot flip.
    """
    there = {name: {_key(r): r for r in _records(other)} for name, other in repeats.items()}
    flips, undecided = [], []
    for row in _records(frame):
        said = judgement(row)
        again = {
            name: judgement(rows[_key(row)]) for name, rows in there.items() if _key(row) in rows
        }
        flips.append("; ".join(n for n, now in again.items() if said and now and now != said))
        undecided.append("; ".join(n for n, now in again.items() if said and now is None))
    return frame.assign(flips=flips, open=undecided)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    plain = frame.astype({"seat": object})
    return plain.where(plain.notna(), None).to_dict("records")


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in KEY)


# ----------------------------------------------------------------------------------------- words


def answer(
    frame: pd.DataFrame,
    repeats: Mapping[str, pd.DataFrame],
    changes: Mapping[str, str],
    parted: Mapping[str, Parted],
    games: int,
) -> Answer:
    """Return a comparison as an answer: frames effects, repeats, variants, and a sentence each.

    frame: effects with flips; repeats: those elsewhere. changes: what each variant changes, in
    words. games: of each play.
    """
    elsewhere = [other.assign(repeat=name) for name, other in repeats.items()]
    variants = pd.DataFrame(
        [
            {
                "variant": name,
                "changes": text,
                "games": games,
                "games_parted": parted[name].games,
                "first_parted": parted[name].first,
            }
            for name, text in changes.items()
        ]
    ).astype({"first_parted": "Int64"})
    frames = {"effects": frame, "variants": variants}
    if elsewhere:
        frames["repeats"] = pd.concat(elsewhere, ignore_index=True)
    rows = _records(frame)
    sentences = tuple(
        _sentence(name, text, [row for row in rows if row["variant"] == name])
        for name, text in changes.items()
    )
    return Answer(frames, sentences)


def _sentence(name: str, changes: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return what a variant does: how many figures, the clearest effects, and what flips."""
    judged = [row for row in rows if row["verdict"] is not None]
    what = f"**{name}**" if name == changes else f"**{name}** (`{changes}`)"
    if judged:
        changed = sum(row["verdict"].startswith("CHANGED") for row in judged)
        kept = sum(row["verdict"] == Verdict.EQUIVALENT for row in judged)
        text = (
            f"{what} changes {changed} of {counted(len(judged), 'figure')} by more than their "
            f"margin and leaves {kept} within it"
        )
    else:
        clear = sum(judgement(row) is not None for row in rows)
        text = f"{what} clearly changes {clear} of {counted(len(rows), 'figure')}"
    told = _clearest(rows)
    if told:
        text += f": {words.listed([_effect_words(row) for row in told])}"
    else:
        text += "; no mean is clearly another"
    flips = sum(bool(row.get("flips")) for row in rows)
    if flips:
        text += f". {flips} of these judgements {'turns' if flips == 1 else 'turn'} round elsewhere"
    return text + "."


def _clearest(rows: Sequence[Mapping[str, Any]], most: int = 3) -> list[Mapping[str, Any]]:
    """Return the clearest effect of each metric, the clearest metrics of all.

    Clear is an effect whose interval excludes 0; how clear, its distance from 0 in half-widths.
    """
    best: dict[str, tuple[float, Mapping[str, Any]]] = {}
    for row in rows:
        half = (row["high"] - row["low"]) / 2
        if row["statistic"] != MEAN or not 0 < half < math.inf:
            continue
        clarity = abs(row["effect"]) / half
        if clarity > best.get(row["metric"], (1.0, row))[0]:
            best[row["metric"]] = clarity, row
    return [row for _, row in sorted(best.values(), key=lambda pair: -pair[0])[:most]]


def is_share_unit(unit: str) -> bool:
    """Whether a metric's unit is a share, whose changes are percentage points."""
    return unit.split(" ")[0] == "share"


def group_words(row: Mapping[str, Any]) -> str:
    """Return what a row is a figure of: "seat 1", "balanced", "" for all."""
    parts = [] if row["seat"] is None or pd.isna(row["seat"]) else [f"seat {row['seat']}"]
    parts += [] if row["strategy"] is None or pd.isna(row["strategy"]) else [row["strategy"]]
    parts += [] if row["statistic"] == MEAN else [row["statistic"]]
    return ", ".join(parts)


def _effect_words(row: Mapping[str, Any]) -> str:
    say = words.points if is_share_unit(row["unit"]) else words.number
    group = group_words(row)
    name = f"`{row['metric']}`" + (f" of {group}" if group else "")
    sign = "+" if row["effect"] > 0 else ""
    return f"{name} {sign}{say(row['effect'], row['low'], row['high'])}"
