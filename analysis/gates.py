"""Gates: a figure that must lie in a range, or a change that must stay within a margin.

A gate is judged look by look on additive sums of blocks. Its verdict is read off the interval that
is printed, which comes from a confidence sequence and so holds at every look at once; K gates of
one file share the error rate, each has its sequence at alpha / K.

Methods, by what is judged:
- a share with blocks of equal size, and its change between two plays on the same deals: the
  betting sequence on block values, or on differences of block values in [-1, 1];
- other means and ratios, and their changes: the asymptotic sequence on linearised blocks;
- a quantile: the values x that two rates leave open, P(X <= x) >= p and P(X < x) <= p, each by
  its betting sequence; its change: the difference of the two plays' intervals, half of the error
  each;
- max - min over the seats: from the seats' sequences, which share the error.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import SHARE, UNBOUNDED, Bounds, ClusterSums
from analysis.measures import MEAN, Measure, RankCounts, block_values, rank_counts
from analysis.moments import is_share
from analysis.pairs import PairSums
from analysis.sequential import (
    Verdict,
    asymptotic_mean_sequence,
    bounded_mean_sequence,
    gate_verdict,
    log_capital,
)
from sim.batch import Chunk
from sim.wording import counted

SPREAD = "spread"
BETTING = "betting sequence on blocks"
BETTING_PAIRED = "betting sequence on block differences"
ASYMPTOTIC = "asymptotic sequence on blocks"
ASYMPTOTIC_PAIRED = "asymptotic sequence on block differences"
QUANTILE = "betting sequences of the rates below and above"
QUANTILE_CHANGE = "difference of the two plays' quantile sequences"
SPREAD_METHOD = "simultaneous sequences of the seats"
IDENTICAL = "the same rules, code and players: no game can differ"
_MOST_TIMES = 2.0**20  # further than this nobody plays on

OnUndecided = Literal["exit3", "fail", "pass"]


@dataclass(frozen=True)
class Gate:
    """One gate. Exactly one of within (a range) and margin (of a change) is given.

    level: confidence level of its sequence, the file's error already shared (`shared_level`).
    on_undecided: what it counts as when the games run out. seats: for the spread, max - min over
    seats, the measure of each seat; `measure` is then that of any seat.
    Raises ValueError for what cannot be judged.
    """

    name: str
    measure: Measure
    within: tuple[float, float] | None = None
    margin: float | None = None
    level: float = 0.95
    on_undecided: OnUndecided = "exit3"
    seats: tuple[Measure, ...] = ()

    def __post_init__(self) -> None:
        """Check the gate."""
        gate_verdict(0.0, 0.0, margin=self.margin, within=self.within)
        if not 0 < self.level < 1:
            raise ValueError(f"level must lie between 0 and 1, not {self.level}")
        if self.seats and self.within is None:
            raise ValueError("a spread is gated by a range")

    @property
    def figure(self) -> str:
        """What is judged, in a few words."""
        if not self.seats:
            return self.measure.name
        return f"{replace(self.measure, seat=None).name}, max - min over seats"

    @property
    def plays(self) -> int:
        """How many plays it reads: the changed one and the base, or one."""
        return 1 if self.margin is None else 2

    def verdict(self, low: float, high: float) -> Verdict:
        """Return the verdict that an interval gives."""
        return gate_verdict(low, high, margin=self.margin, within=self.within)

    def holds(self, verdict: Verdict) -> bool | None:
        """Say whether the gate holds; None where it is undecided and that is neither."""
        if verdict is Verdict.UNDECIDED:
            return {"exit3": None, "fail": False, "pass": True}[self.on_undecided]
        return verdict.holds


def shared_level(level: float, gates: int) -> float:
    """Return the level of each of several gates that share an error rate (Bonferroni)."""
    return 1 - (1 - level) / max(1, gates)


# ---------------------------------------------------------------------------------------- sums


@dataclass(frozen=True, eq=False)
class PlaySums:
    """A measure in one play, summed over blocks. Add them up with +.

    sums: totals over blocks, as Python ints. values: sum of a block -> blocks; kept for shares
    with blocks of equal size, where `rows` times the metric's scale is the largest. ranks: for
    quantiles.
    """

    measure: Measure
    rotations: int
    rows: int
    sums: ClusterSums
    values: Mapping[int, int] = field(default_factory=dict)
    ranks: RankCounts | None = None

    @classmethod
    def of(
        cls, measure: Measure, chunk: Chunk, *, rotations: int, labels: tuple[str, ...]
    ) -> PlaySums:
        """Sum a measure over a chunk of whole blocks.

        Raises ValueError where it is not whole blocks.
        """
        if chunk.first % rotations:
            raise ValueError(f"the chunk begins with game {chunk.first}, in the middle of a block")
        v = block_values(measure, chunk.games, chunk.seats, rotations=rotations, labels=labels)
        den = np.full(len(v.num), v.rows) if v.den is None else v.den
        values: dict[int, int] = {}
        if measure.is_share and v.den is None:
            distinct, counts = np.unique(v.num, return_counts=True)
            values = dict(zip(distinct.tolist(), counts.tolist(), strict=True))
        ranks = None
        if measure.quantile is not None:
            ranks = rank_counts(
                measure, chunk.games, chunk.seats, rotations=rotations, labels=labels
            )
        sums = ClusterSums(
            len(v.num),
            int(v.num.sum()),
            int(den.sum()),
            _exact_product(v.num, v.num),
            _exact_product(den, den),
            _exact_product(v.num, den),
        )
        return cls(measure, rotations, v.rows, sums, values, ranks)

    def __add__(self, other: PlaySums) -> PlaySums:
        if (self.measure, self.rotations, self.rows) != (
            other.measure,
            other.rotations,
            other.rows,
        ):
            raise ValueError("sums of different measures do not add up")
        values = dict(self.values)
        for value, count in other.values.items():
            values[value] = values.get(value, 0) + count
        ranks = self.ranks
        if self.ranks is not None and other.ranks is not None:
            ranks = self.ranks + other.ranks
        return PlaySums(
            self.measure, self.rotations, self.rows, self.sums + other.sums, values, ranks
        )

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self.sums.clusters

    def figure(self) -> float:
        """Return the measure, in the metric's unit; NaN where nothing was counted."""
        scale = self.measure.metric.scale
        if self.ranks is not None:
            p = self.measure.quantile
            assert p is not None
            return self.ranks.quantile(p) / scale
        return self.sums.ratio() / scale


@dataclass(frozen=True, eq=False)
class SpreadSums:
    """The same measure at each seat of one play. Add them up with +."""

    seats: tuple[PlaySums, ...]

    def __add__(self, other: SpreadSums) -> SpreadSums:
        return SpreadSums(tuple(a + b for a, b in zip(self.seats, other.seats, strict=True)))

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self.seats[0].blocks


GateSums = PlaySums | PairSums | SpreadSums


def sums_of(
    gate: Gate, chunks: Sequence[Chunk], *, rotations: int, labels: Sequence[tuple[str, ...]]
) -> GateSums:
    """Return what a gate needs of a chunk of each of its plays: the changed one, then the base.

    labels: of each play's lineup. Raises ValueError where the chunks do not fit.
    """
    if len(chunks) != gate.plays or len(labels) != gate.plays:
        raise ValueError(f"{gate.name} needs {counted(gate.plays, 'play')}, not {len(chunks)}")
    if gate.margin is not None:
        return PairSums.of(
            gate.measure,
            chunks[0],
            chunks[1],
            rotations=rotations,
            changed_labels=labels[0],
            base_labels=labels[1],
        )
    parts = tuple(
        PlaySums.of(measure, chunks[0], rotations=rotations, labels=labels[0])
        for measure in gate.seats or (gate.measure,)
    )
    return SpreadSums(parts) if gate.seats else parts[0]


def add(total: GateSums | None, part: GateSums) -> GateSums:
    """Return sums of a gate added up; None is nothing yet. Raises ValueError across gates."""
    if total is None:
        return part
    if type(total) is not type(part):
        raise ValueError("sums of different gates do not add up")
    found: GateSums = operator.add(total, part)
    return found


def _exact_product(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Return the sum of a * b. Raises ValueError where it could overflow."""
    largest = float(np.abs(a).max(initial=0)) * float(np.abs(b).max(initial=0))
    if largest * max(1, len(a)) >= 2.0**62:
        raise ValueError("values too large to be summed exactly")
    return int(a @ b)


# ------------------------------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Reading:
    """A gate at a look.

    low, high: its confidence sequence at `level`; the verdict is read off them. needs: about how
    many more blocks it takes to decide if the figures stay as they are: 0 where it is decided,
    infinite where no number would do.
    """

    estimate: float
    low: float
    high: float
    level: float
    blocks: int
    verdict: Verdict
    method: str
    needs: float

    @property
    def decided(self) -> bool:
        """Whether more games can be spared."""
        return self.verdict is not Verdict.UNDECIDED


def judge(gate: Gate, sums: GateSums, *, forecast: bool = True) -> Reading:
    """Judge a gate by the sums of its blocks so far.

    forecast: whether to tell what more blocks it needs, which costs more than the verdict; without
    it, `needs` is NaN where the gate is undecided. Raises ValueError where the sums are not the
    gate's.
    """
    low, high, method = _sequence(gate, sums, 1.0)
    verdict = gate.verdict(low, high)
    needs = 0.0
    if verdict is Verdict.UNDECIDED:
        needs = _more_blocks(gate, sums) if forecast else math.nan
    return Reading(_estimate(sums), low, high, gate.level, sums.blocks, verdict, method, needs)


def identical(gate: Gate) -> Reading:
    """Return the reading of a change between two plays that are the same play.

    Raises ValueError for a gate with a range.
    """
    if gate.margin is None:
        raise ValueError("a range is not measured against anything")
    verdict = gate.verdict(0.0, 0.0)
    return Reading(0.0, 0.0, 0.0, gate.level, 0, verdict, IDENTICAL, 0.0)


def unpaired_blocks(gate: Gate, sums: PairSums) -> float:
    """Return about how many blocks of each play the verdict takes on luck that is not shared.

    By the asymptotic sequence, with the variances of both plays added and the effect as it was
    measured. A quantile's change is judged without pairing, so it is the blocks there are. NaN
    where neither play varies.
    """
    if sums.measure.quantile is not None:
        return float(sums.blocks)
    variance = float(np.trace(sums.covariances()))
    effect = sums.effect()
    if not variance > 0:
        return math.nan

    def decided(blocks: float) -> bool:
        low, high = _asymptotic(effect, variance, blocks, gate.level, UNBOUNDED)
        return gate.verdict(low, high) is not Verdict.UNDECIDED

    return _first(decided, 64.0, 2.0**50)


def _more_blocks(gate: Gate, sums: GateSums) -> float:
    """Return about how many more blocks decide, if more of the same are seen."""

    def decided(times: float) -> bool:
        low, high, _ = _sequence(gate, sums, times)
        return gate.verdict(low, high) is not Verdict.UNDECIDED

    if not sums.blocks:
        return math.inf
    more = (_first(decided, 1.0, _MOST_TIMES) - 1) * sums.blocks
    return math.ceil(more) if math.isfinite(more) else math.inf


def _first(true: Callable[[float], bool], start: float, end: float) -> float:
    """Return about the least number from which on something is true; infinity if beyond `end`."""
    high = start
    while not true(high):
        high *= 2
        if high > end:
            return math.inf
    low = high / 2
    for _ in range(7):  # to 1 % of a factor of two
        middle = math.sqrt(low * high)
        low, high = (low, middle) if true(middle) else (middle, high)
    return high


def _estimate(sums: GateSums) -> float:
    if isinstance(sums, PairSums):
        return sums.effect() if sums.blocks else math.nan
    if isinstance(sums, SpreadSums):
        figures = [seat.figure() for seat in sums.seats]
        return max(figures) - min(figures)
    return sums.figure()


def _sequence(gate: Gate, sums: GateSums, times: float) -> tuple[float, float, str]:
    """Return the interval and its method, as if everything had been seen `times` times."""
    if isinstance(sums, PairSums):
        if gate.margin is None:
            raise ValueError(f"{gate.name} is gated by a range, but has the sums of two plays")
        return _change(sums, gate.level, times)
    if gate.within is None:
        raise ValueError(f"{gate.name} is gated by a margin, but has the sums of one play")
    if isinstance(sums, SpreadSums):
        level = shared_level(gate.level, len(sums.seats))
        ends = [_figure(seat, level, times)[:2] for seat in sums.seats]
        lows, highs = [low for low, _ in ends], [high for _, high in ends]
        return max(0.0, max(lows) - min(highs)), max(highs) - min(lows), SPREAD_METHOD
    return _figure(sums, gate.level, times)


def _figure(sums: PlaySums, level: float, times: float) -> tuple[float, float, str]:
    """Return the sequence of one play's figure."""
    measure, scale = sums.measure, sums.measure.metric.scale
    if sums.ranks is not None:
        low, high = quantile_sequence(sums.ranks, _p(measure), level, times)
        return low / scale, high / scale, QUANTILE
    if sums.values:
        values = np.array(list(sums.values), dtype=np.float64) / (sums.rows * scale)
        counts = np.array(list(sums.values.values())) * times
        return *bounded_mean_sequence(values, counts, level), BETTING
    bounds = SHARE if is_share(measure.metric) and measure.statistic == MEAN else UNBOUNDED
    variance = sums.sums.variance() * sums.blocks / scale**2
    ends = _asymptotic(sums.figure(), variance, sums.blocks * times, level, bounds)
    return *ends, ASYMPTOTIC


def _change(sums: PairSums, level: float, times: float) -> tuple[float, float, str]:
    """Return the sequence of the change between two plays."""
    measure, scale = sums.measure, sums.measure.metric.scale
    if sums.ranks is not None:
        half = shared_level(level, 2)
        new, old = (quantile_sequence(ranks, _p(measure), half, times) for ranks in sums.ranks)
        return (new[0] - old[1]) / scale, (new[1] - old[0]) / scale, QUANTILE_CHANGE
    if sums.counts_differences:
        values, counts = sums.difference_counts()
        ends = bounded_mean_sequence(values, counts * times, level, -1.0, 1.0)
        return *ends, BETTING_PAIRED
    if not sums.blocks:
        return *UNBOUNDED, ASYMPTOTIC_PAIRED
    bounds = (-1.0, 1.0) if is_share(measure.metric) else UNBOUNDED
    # Where next to no block differs, the spread of the differences is known badly, and it is zero
    # where none does. So one more block counts as seen, with a difference twice as large as between
    # two independent plays. Measured misses of a 95 % sequence when 2 to 500 blocks in 10,000
    # differ, all in one direction: 1 % at differences as large as between independent plays, 5 % at
    # twice, 14 % at three times that; with half the difference counted, 6, 23 and 35 %.
    n = sums.blocks * times
    variance = sums.variance() + 4 * float(np.trace(sums.covariances())) / n
    return *_asymptotic(sums.effect(), variance, n, level, bounds), ASYMPTOTIC_PAIRED


def _asymptotic(
    estimate: float, variance: float, blocks: float, level: float, bounds: Bounds
) -> tuple[float, float]:
    """Return the asymptotic sequence of a mean over blocks with this variance between them."""
    if not math.isfinite(estimate) or not variance > 0:  # NaN: nothing was counted
        return bounds
    n = round(blocks)
    low, high = asymptotic_mean_sequence(n, 0.0, variance * (n - 1), level)  # no cancellation at 0
    return max(bounds[0], estimate + low), min(bounds[1], estimate + high)


def _p(measure: Measure) -> float:
    p = measure.quantile
    assert p is not None
    return p


def quantile_sequence(
    ranks: RankCounts, p: float, level: float = 0.95, times: float = 1.0
) -> tuple[float, float]:
    """Return the interval of a quantile of whole numbers, valid at every look.

    The p-quantile is the least x with P(X <= x) >= p. It is above x where the sequence of
    P(X <= x) lies below p, and at most x where that lies above p. The counts of x's neighbours
    are nested, so one error at the true quantile covers all x, and each side spends half of
    1 - level. Infinite where no value can be left out. times: as if all had been seen so often.
    """
    wanted = math.log(2 / (1 - level))

    def is_above(x: int) -> bool:
        shares, counts = ranks.shares_below(x)
        return bool(log_capital(1 - shares, counts * times, 1 - p) >= wanted)

    def is_up_to(x: int) -> bool:
        shares, counts = ranks.shares_below(x)
        return bool(log_capital(shares, counts * times, p) >= wanted)

    first, last = ranks.first - 1, ranks.first + ranks.counts.shape[1] - 1
    if not ranks.blocks:
        return UNBOUNDED
    # above first .. a - 1 for sure, and up to b, ... last
    a = _bisect(lambda x: not is_above(x), first, last + 1)
    b = _bisect(is_up_to, first, last + 1)
    return (a if a > first else -math.inf), (b if b <= last else math.inf)


def _bisect(true: Callable[[int], bool], low: int, high: int) -> int:
    """Return the least number from low to high - 1 at which something is true; high if none."""
    while low < high:
        middle = (low + high) // 2
        if true(middle):
            high = middle
        else:
            low = middle + 1
    return low


# --------------------------------------------------------------------------- what is told of it


@dataclass(frozen=True)
class Place:
    """A line of a file that has to do with a gate, and what stands there."""

    file: str
    line: int | None
    text: str


@dataclass(frozen=True)
class GateResult:
    """A gate that has been judged for the last time.

    variant: whose figure it is. against: what a change is measured from, None for a range.
    sums: what it was judged by; None where nothing had to be played. rotations: games of a block.
    stopped: why no more games were played. repeats: readings in other circumstances, by their
    name; None where there is nothing to judge. places: the lines that were changed.
    """

    gate: Gate
    variant: str
    against: str | None
    reading: Reading
    sums: GateSums | None
    rotations: int
    stopped: str
    repeats: Mapping[str, Reading | None] = field(default_factory=dict)
    places: tuple[Place, ...] = ()

    @property
    def holds(self) -> bool | None:
        """Whether the gate holds; None where it is undecided and that is neither."""
        return self.gate.holds(self.reading.verdict)

    @property
    def games(self) -> int:
        """The games of each play that the verdict took."""
        return self.reading.blocks * self.rotations

    @property
    def more_games(self) -> float:
        """About how many more games of each play a verdict takes."""
        return self.reading.needs * self.rotations

    @property
    def unpaired_games(self) -> float | None:
        """About how many games of each play it takes on luck that is not shared; None: unknown."""
        if not isinstance(self.sums, PairSums):
            return None
        blocks = unpaired_blocks(self.gate, self.sums)
        if math.isnan(blocks):
            return None
        return math.ceil(blocks) * self.rotations if math.isfinite(blocks) else blocks

    @property
    def figure(self) -> str:
        """What is judged, and of which variants."""
        words = self.gate.figure
        if self.against is not None:
            return f"{words}: {self.variant} against {self.against}"
        return words if self.variant == "base" else f"{words}: {self.variant}"

    @property
    def wanted(self) -> str:
        """What the gate asks for."""
        if self.gate.margin is not None:
            return f"change of at most {self.gate.margin:g}"
        assert self.gate.within is not None
        return f"{self.gate.within[0]:g} to {self.gate.within[1]:g}"

    @property
    def flips(self) -> tuple[str, ...]:
        """The circumstances in which the verdict is the opposite one."""
        return tuple(
            name
            for name, other in self.repeats.items()
            if other is not None
            and {other.verdict.holds, self.reading.verdict.holds} == {True, False}
        )

    def row(self) -> dict[str, Any]:
        """Return the result as one row of a table, numbers in full."""
        gate, reading = self.gate, self.reading
        row: dict[str, Any] = {
            "gate": gate.name,
            "metric": gate.measure.metric.name,
            **(gate.measure.keys if not gate.seats else {"statistic": SPREAD}),
            "unit": gate.measure.metric.unit,
            "variant": self.variant,
            "against": self.against,
            "wanted_low": gate.within[0] if gate.within else None,
            "wanted_high": gate.within[1] if gate.within else None,
            "max_change": gate.margin,
            "estimate": reading.estimate,
            "low": reading.low,
            "high": reading.high,
            "level": reading.level,
            "method": reading.method,
            "verdict": str(reading.verdict),
            "holds": self.holds,
            "blocks": reading.blocks,
            "games": self.games,
            "stopped": self.stopped,
            "more_games": self.more_games,
        }
        if isinstance(self.sums, PairSums):
            row |= {
                "discordance": self.sums.discordance,
                "correlation": self.sums.correlation(),
                "speed_up": self.sums.speed_up(),
                "unpaired_games": self.unpaired_games,
            }
        for name, other in self.repeats.items():
            row[name] = None if other is None else str(other.verdict)
        row["flips"] = ", ".join(self.flips)
        return {key: value for key, value in row.items() if value is not None or key == "holds"}


def exit_code(results: Sequence[GateResult]) -> int:
    """Return 0 where all gates hold, 1 where one fails, 3 where none fails but one is undecided."""
    held = [result.holds for result in results]
    return 1 if False in held else 3 if None in held else 0
