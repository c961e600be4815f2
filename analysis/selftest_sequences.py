"""Experiments on confidence sequences and gates: errors under continuous looking, and power.

A betting sequence excludes a mean exactly when the fortune of the bets against it has reached
2 / (1 - level) on one side, so whether the truth was ever excluded, or a margin passed, is read off
the fortunes at that one point, for thousands of looks at once. The rows "as read off the interval"
check it: at looks that decide, and at some that do not, the interval and the gate that users see
must say the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis import gates, sequential, synthetic
from analysis.gates import Gate, PlaySums, shared_level
from analysis.intervals import ClusterSums
from analysis.measures import Measure, RankCounts
from analysis.selftest import ALPHA, NEARLY, Experiment, Promise, Tally
from analysis.sequential import Verdict, log_capital, looks
from analysis.synthetic import LENGTH, PLAYERS, WIN, Pair, rotated_blocks, single_games
from sim.game import WIN_UNIT

CONTINUOUS = 2048  # blocks with a look after each
LAST = 1 << 20  # blocks of the last look of the schedule
MARGIN = 0.01
SEQUENCE, GATE, POWER = "confidence sequence", "gate", "power of a gate"
AS_READ = "as read off the interval"
_CHECKED, _UNDECIDED = 20, 10  # looks with and without a decision that are read off the interval


def cumulative(
    rng: np.random.Generator, chances: NDArray[np.float64], at: NDArray[np.int64], runs: int
) -> NDArray[np.int64]:
    """Counts of categories after `at` (ascending) blocks: (runs, looks, categories)."""
    steps = np.diff(at, prepend=0)
    return rng.multinomial(steps, chances, (runs, len(at))).cumsum(axis=1)


# ------------------------------------------------------------------------------------ sequences


def _excluding(
    values: list[float], chances: list[float], low: float = 0.0, together: int = 1
) -> Callable[[np.random.Generator, int, float], list[Tally]]:
    """Runs in which the betting sequence excludes the true mean, looking after every block.

    Up to CONTINUOUS blocks each is looked at, then the product's schedule up to LAST.
    """
    x, p = np.array(values), np.array(chances)
    unit, truth = (x - low) / (1 - low), float(x @ p)
    mean = (truth - low) / (1 - low)
    schedule = looks(LAST)
    at = np.concatenate((np.arange(1, CONTINUOUS + 1), schedule[schedule > CONTINUOUS]))

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        own = shared_level(level, together)
        wanted = math.log(2 / (1 - own))
        missed = checked = wrong = 0
        for number in range(repetitions):
            counts = cumulative(rng, p, at, 1)[0]
            out = log_capital(unit, counts, mean) >= wanted
            out |= log_capital(1 - unit, counts, 1 - mean) >= wanted
            missed += bool(out.any())
            places = {len(at) - 1} if number < _CHECKED else set()
            if out.any():
                first = int(out.argmax())
                places |= {first, max(first - 1, 0)}
            for place in places:
                ends = sequential.bounded_mean_sequence(x, counts[place], own, low, 1.0)
                wrong += bool(out[place]) == (ends[0] <= truth <= ends[1])
                checked += 1
        return [Tally(missed, repetitions), Tally(wrong, checked)]

    return run


def _asymptotic(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Runs in which the sequence of a mean length, or of a ratio, excludes the truth.

    Looks after every 32 blocks from the burn-in on, up to eight times as many blocks.
    """
    at = np.arange(sequential.FIRST_LOOK, 8 * sequential.FIRST_LOOK + 1, 32)
    values = np.arange(len(synthetic.LENGTHS))
    pairs = np.array([(h, r) for h, r in ((0, 3), (1, 4), (2, 4), (3, 8), (2, 9), (6, 12))])
    chances = np.array([0.3, 0.2, 0.15, 0.15, 0.1, 0.1])
    ratio = float(pairs[:, 0] @ chances) / float(pairs[:, 1] @ chances)
    num, den = pairs.T
    table = np.array([num, den, num * num, den * den, num * den]).T
    missed = [0, 0]
    for _ in range(repetitions):
        lengths = cumulative(rng, synthetic.LENGTHS, at, 1)[0]
        totals, squares = lengths @ values, lengths @ (values * values)
        for n, total, square in zip(at.tolist(), totals.tolist(), squares.tolist(), strict=True):
            low, high = sequential.asymptotic_mean_sequence(n, total, square, level)
            if not low <= synthetic.LENGTH_MEAN <= high:
                missed[0] += 1
                break
        for n, sums in zip(
            at.tolist(), (cumulative(rng, chances, at, 1)[0] @ table).tolist(), strict=True
        ):
            low, high = sequential.asymptotic_ratio_sequence(ClusterSums(n, *sums), level)
            if not low <= ratio <= high:
                missed[1] += 1
                break
    return [Tally(count, repetitions) for count in missed]


def _quantiles(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Runs in which the sequence of a quantile of lengths excludes the truth, at any look."""
    at = looks(1 << 13)
    missed = [0, 0]
    ps = 0.5, 0.95
    truths = [synthetic.length_quantile(p) for p in ps]
    for _ in range(repetitions):
        counts = cumulative(rng, synthetic.LENGTHS, at, 1)[0]
        for place, (p, truth) in enumerate(zip(ps, truths, strict=True)):
            for seen in counts:
                low, high = gates.quantile_sequence(RankCounts(0, seen[None, :]), p, level)
                if not low <= truth <= high:
                    missed[place] += 1
                    break
    return [Tally(count, repetitions) for count in missed]


def _ordinary(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Runs in which Wilson's interval misses at any of the same looks: what not to do."""
    n = np.arange(10, CONTINUOUS + 1)
    z = -float(special.ndtri((1 - level) / 2))
    missed = 0
    for _ in range(repetitions):
        p = np.cumsum(rng.random(CONTINUOUS) < 0.25)[9:] / n
        centre, half = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        missed += bool((np.abs(centre - 0.25 * (1 + z * z / n)) > half).any())
    return [Tally(missed, repetitions)]


def _sequences() -> list[Experiment]:
    def betting(what: str, values: list[float], chances: list[float], **more: float) -> Experiment:
        promises = (
            Promise(f"betting, {what}: truth ever excluded", ALPHA),
            Promise(f"betting, {what}: not {AS_READ}", 0.0),
        )
        return Experiment(SEQUENCE, promises, _excluding(values, chances, **more))  # type: ignore[arg-type]

    wins = [k / 4 for k in range(5)]
    return [
        betting("rate 25 %", [0, 1], [0.75, 0.25]),
        betting("rate 2 %", [0, 1], [0.98, 0.02]),
        betting("wins of rotated blocks", wins, [0.35, 0.4, 0.2, 0.04, 0.01]),
        betting("paired differences, 10 % differ", [-1, 0, 1], [0.05, 0.9, 0.05], low=-1.0),
        betting("paired differences, 0.2 % up", [-1, 0, 1], [0.0005, 0.9975, 0.002], low=-1.0),
        betting("one seat of 4 at once", [0, 1], [0.75, 0.25], together=4),
        Experiment(
            SEQUENCE,
            (
                Promise("asymptotic, mean length: truth ever excluded", NEARLY),
                Promise("asymptotic, ratio: truth ever excluded", NEARLY),
            ),
            _asymptotic,
        ),
        Experiment(
            SEQUENCE,
            (
                Promise("quantile, median length: truth ever excluded", ALPHA),
                Promise("quantile, 95 % of lengths: truth ever excluded", ALPHA),
            ),
            _quantiles,
        ),
        Experiment(
            SEQUENCE,
            (Promise("an ordinary 95 % interval, looked at as often, must fail", at_least=0.2),),
            _ordinary,
        ),
    ]


# ---------------------------------------------------------------------------------------- gates


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a gate said in many runs: the deciding look of each, its verdict, UNDECIDED if none.

    wrong: of `checked` looks, those where the gate itself says something else.
    """

    verdicts: NDArray[np.object_]
    blocks: NDArray[np.int64]
    wrong: int
    checked: int

    def share(self, *wanted: Verdict) -> Tally:
        """How often it was one of these."""
        return Tally(int(np.isin(self.verdicts, wanted).sum()), len(self.verdicts))

    @property
    def disagreeing(self) -> Tally:
        """How often the gate itself says something else."""
        return Tally(self.wrong, self.checked)


def gate_runs(
    rng: np.random.Generator, pair: Pair, gate: Gate, at: NDArray[np.int64], runs: int
) -> Verdicts:
    """Run a gate on a share's change, a look at each of `at` blocks, until it decides.

    Decisions come from the fortunes against both margins, and are read off `gates.judge` at the
    deciding look, the look before it, and the last look of some undecided runs.
    """
    assert gate.margin is not None
    counts = cumulative(rng, pair.chances, at, runs)
    unit, mean = (pair.differences + 1) / 2, (1 + gate.margin) / 2
    wanted = math.log(2 / (1 - gate.level))
    up = log_capital(unit, counts, mean) >= wanted  # low > margin
    down = log_capital(1 - unit, counts, mean) >= wanted  # high < -margin
    inside = log_capital(unit, counts, 1 - mean) >= wanted  # low > -margin
    inside &= log_capital(1 - unit, counts, 1 - mean) >= wanted  # high < margin
    said = np.full(up.shape, Verdict.UNDECIDED, dtype=object)
    said[inside], said[up], said[down] = (
        Verdict.EQUIVALENT,
        Verdict.CHANGED_UP,
        Verdict.CHANGED_DOWN,
    )
    decided = inside | up | down
    first = np.where(decided.any(axis=1), decided.argmax(axis=1), len(at) - 1)
    some = decided.any(axis=1)
    yes, no = np.flatnonzero(some)[:_CHECKED], np.flatnonzero(~some)[:_UNDECIDED]
    before = [(run, first[run] - 1) for run in yes[:_UNDECIDED] if first[run]]
    checked = [*zip(yes, first[yes], strict=True), *zip(no, first[no], strict=True), *before]
    wrong = 0
    for run, look in checked:
        reading = gates.judge(gate, pair.sums(counts[run, look]), forecast=False)
        wrong += reading.verdict != said[run, look]
    every = np.arange(runs)
    return Verdicts(said[every, first], at[first], wrong, len(checked))


def _gate(level: float) -> Gate:
    return Gate("synthetic", Measure(WIN, seat=1), margin=MARGIN, level=level)


def _false_alarms(
    pair: Pair, wrong: tuple[Verdict, ...]
) -> Callable[[np.random.Generator, int, float], list[Tally]]:
    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        found = gate_runs(rng, pair, _gate(level), looks(1 << 17), repetitions)
        return [found.share(*wrong), found.disagreeing]

    return run


def needed_blocks(pair: Pair, gate: Gate) -> int:
    """Blocks after which a gate decides if every pair of values is seen as often as expected."""
    blocks = 64.0
    while True:
        low, high = sequential.bounded_mean_sequence(
            pair.differences, pair.chances * blocks, gate.level, -1.0, 1.0
        )
        if gate.verdict(low, high) is not Verdict.UNDECIDED:
            return math.ceil(blocks)
        blocks *= 1.05


def _power(pair: Pair, right: Verdict) -> Callable[[np.random.Generator, int, float], list[Tally]]:
    """Runs that come to the right verdict within twice the blocks that are expected to do."""

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        budget = 2 * needed_blocks(pair, _gate(0.95))
        found = gate_runs(rng, pair, _gate(level), looks(budget), repetitions)
        return [found.share(right), found.disagreeing]

    return run


def _range_gate(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
    """Runs of a gate on a range, the truth at its upper end, that decide either way."""
    gate = Gate("range", Measure(WIN, seat=1), within=(0.2, 0.25), level=level)
    at = looks(1 << 17)
    counts = cumulative(rng, np.array([0.75, 0.25]), at, repetitions)
    unit, wanted = np.array([0.0, 1.0]), math.log(2 / (1 - level))
    inside = log_capital(unit, counts, 0.2) >= wanted
    inside &= log_capital(1 - unit, counts, 0.75) >= wanted
    outside = (log_capital(unit, counts, 0.25) >= wanted) | (
        log_capital(1 - unit, counts, 0.8) >= wanted
    )
    decided = inside | outside
    wrong = checked = 0
    for number in range(repetitions):
        some = decided[number].any()
        if not some and number >= _UNDECIDED:
            continue
        look = int(decided[number].argmax()) if some else len(at) - 1
        lost, won = counts[number, look].tolist()
        reading = gates.judge(gate, _play_sums(lost, won), forecast=False)
        wrong += reading.decided != bool(some)
        checked += 1
    return [Tally(int(decided.any(axis=1).sum()), repetitions), Tally(wrong, checked)]


def _play_sums(lost: int, won: int) -> PlaySums:
    """Sums of single games, each lost or won."""
    n, total = lost + won, WIN_UNIT * won
    sums = ClusterSums(n, total, n, WIN_UNIT * total, n, total)
    return PlaySums(Measure(WIN, seat=1), 1, 1, sums, {0: lost, WIN_UNIT: won})


def _lengths_gate(effect: float) -> Callable[[np.random.Generator, int, float], list[Tally]]:
    """Runs of a gate on a mean length, the true change at its margin, that decide either way."""
    four, differ = 4 * PLAYERS, 0.3  # the games of a block that differs are four rolls longer
    longer = 0.5 + effect / (2 * 4 * differ)
    pair = rotated_blocks(differ, {four: longer, -four: 1 - longer}, Measure(LENGTH))

    def run(rng: np.random.Generator, repetitions: int, level: float) -> list[Tally]:
        gate = Gate("lengths", pair.measure, margin=abs(pair.effect), level=level)
        at = looks(1 << 12)
        wrong = 0
        for counts in cumulative(rng, pair.chances, at, repetitions):
            wrong += any(
                gates.judge(gate, pair.sums(seen), forecast=False).decided for seen in counts
            )
        return [Tally(wrong, repetitions)]

    return run


def _gates() -> list[Experiment]:
    found = []
    any_verdict = Verdict.EQUIVALENT, Verdict.CHANGED_UP, Verdict.CHANGED_DOWN
    changed = any_verdict[1:]
    for q in (0.02, 0.1, 0.3):
        for sign, effect in (("+", MARGIN), ("-", -MARGIN)):
            what = f"true effect {sign}margin, {q:.0%} differ"
            found.append(_pair_of(GATE, what, "decides", single_games(q, effect), any_verdict))
    blocks = {-WIN_UNIT: 0.22, 3: 0.3, WIN_UNIT: 0.48}  # of sums of four games; the effect is m
    found.append(
        _pair_of(
            GATE,
            "true effect +margin, rotated blocks",
            "decides",
            rotated_blocks(MARGIN / _mean(blocks), blocks),
            any_verdict,
        )
    )
    alike = single_games(0.375, 0.0)  # 25 % in either play, on luck of its own
    found.append(_pair_of(GATE, "A/A on independent luck", "says changed", alike, changed))
    found.append(
        Experiment(
            GATE,
            (
                Promise("range, truth at its end: decides", ALPHA),
                Promise(f"range, truth at its end: not {AS_READ}", 0.0),
            ),
            _range_gate,
        )
    )
    found += [
        Experiment(
            GATE,
            (Promise(f"mean length, true effect {sign}margin: decides", NEARLY),),
            _lengths_gate(effect),
        )
        for sign, effect in (("+", 0.3), ("-", -0.3))
    ]
    return found


def _mean(blocks: dict[int, float]) -> float:
    return sum(d * share for d, share in blocks.items()) / (PLAYERS * WIN_UNIT)


def _pair_of(
    part: str, what: str, happens: str, pair: Pair, wrong: tuple[Verdict, ...]
) -> Experiment:
    promises = Promise(f"{what}: {happens}", ALPHA), Promise(f"{what}: not {AS_READ}", 0.0)
    return Experiment(part, promises, _false_alarms(pair, wrong))


def _powers() -> list[Experiment]:
    found = []
    for q in (0.02, 0.1, 0.3):
        for what, effect, right in (
            ("no effect, one margin inside", 0.0, Verdict.EQUIVALENT),
            ("two margins, one outside", 2 * MARGIN, Verdict.CHANGED_UP),
            ("three margins, two outside", 3 * MARGIN, Verdict.CHANGED_UP),
        ):
            if abs(effect) > q:
                continue
            promises = (
                Promise(f"{what}, {q:.0%} differ: finds it", at_least=0.85),
                Promise(f"{what}, {q:.0%} differ: not {AS_READ}", 0.0),
            )
            found.append(Experiment(POWER, promises, _power(single_games(q, effect), right)))
    return found


def sequence_experiments() -> list[Experiment]:
    """Return all experiments of this module."""
    return [*_sequences(), *_gates(), *_powers()]
