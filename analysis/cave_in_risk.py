"""Cave-ins in Wizard Miners: how often, how bad, what they cost, when to clean up.

Frames, every estimate with low, high, level, n and method:

risk: how often and how bad, one row per strategy and quantity.
    strategy (missing: all players together); quantity, unit:
    cave_in_rolls (a player a game), cards_per_roll, cards_per_game, pile_per_roll (share of rolls
    that take an entire pile), pile_per_game (share of players' games with an entire pile lost).
falls: by what led to a roll, one row per group and quantity.
    dynamite ("0" to "7+", on the player at the time), rubble ("0", "1-2", ..., cards in the pile
    at the time), either missing where not grouped by it; rolls (how many the row rests on);
    quantity (share_of_rolls, cards_per_roll, pile_per_roll).
chart: the chart of the cave-in card, one row per dynamite, Shore Ups and result.
    dynamite, shore_ups ("3+"), result (cards, "entire pile"); rolls, times; exact (missing where a
    class holds unlike distributions); estimate (share of the rolls); inside (exact within the
    interval; all intervals of the frame hold together).
costs: what a cave-in costs its victim, one row per cave-in, seat and unit.
    cave_in ("1", "2", "3": the first, ...; "all": all of a game); seat (missing: average); per
    ("game", "cave-in": when it comes, "card": that it moves); happens (how often a player has it in
    a game); estimate is the win probability it costs, and without, changed are the win rates with
    cave-ins as they come and with this one voided; discordance, correlation, speed_up.
die_off: all games without a CAVE-IN face, compared with games as they are.
    quantity (rolls, cave_in_rolls, capped); columns as in costs.
thresholds: win probability gained by cleaning up from another threshold on, one row each.
    strategy; threshold (cards of rubble); never (true: more than there are); scripted (true: what
    the strategy does); weighs (true: cleans up only where that is worth its price, as scripted;
    else whatever it costs, and the scripted threshold is there in both ways where the strategy
    weighs); columns as in costs, against the strategy as scripted. All intervals hold together.
price: win probability gained by weighing the price of a clean-up (changed) over cleaning up
    whatever it costs (without), both from the scripted threshold on; only where the strategy
    weighs it. strategy, threshold; columns as in costs; one row, its interval stands for itself.
best_threshold: the threshold that did best in one half of the deals, measured in the other.
    threshold, weighs, role ("best", "neighbour", "scripted"); estimate is the gain over the
    strategy as scripted; all intervals hold together.
rivals: how far the other thresholds stay behind the best, measured in the other half as well.
    threshold, weighs, estimate (threshold minus best); all intervals hold together.

What a cave-in costs is an intervention on one seat: that seat's k-th cave-in roll moves no card, on
the same luck, the others unchanged; the average goes over the seats. A switch for everybody would
leave win rates where they are, so it is for the length of the game only.

The die of a cave-in roll is thrown after dynamite and Shore Ups are known and owes nothing to
anything before it. So the intervals of `chart` are those of independent rolls; replicates would
waste their number and fail in classes with few rolls. Where seats rotate, one throw serves up to
`rotations` games, and the number of rolls is divided by it, which is on the safe side. Everything
else depends on the course of games and has intervals over blocks, or over the replicates of the
event counters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.intervals import (
    DIFFERENCE,
    SHARE,
    UNBOUNDED,
    Bounds,
    Interval,
    clopper_pearson,
    no_events,
    only_events,
    replicate_ratio,
    simultaneous_level,
)
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    NOT_BELOW_0,
    BlockSums,
    Column,
    Effect,
    effect_row,
    frame,
    interval_row,
    ones,
    paired_effect,
    side_columns,
    side_row,
    turned,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.wizard_miners.content import Rules
from sim.wizard_miners.content import tables as make_tables
from sim.wizard_miners.exact import chart_result
from sim.wizard_miners.mine import RUBBLE_BINS
from sim.wizard_miners.state import ENTIRE_PILE
from sim.wording import counted, noun_for
from strategies.presets import Weight, presets_of

TITLE = "Cave-ins"
TEXT = (
    "How often do cave-ins come and how bad are they, what does one cost its victim, and from "
    "which pile of rubble on does it pay to clean up?"
)
VOIDED = (1, 2, 3, -1)  # the k-th cave-in of a seat; -1 all of them
CAVE_INS = {1: "1", 2: "2", 3: "3", -1: "all"}
THRESHOLDS = (2, 4, 6, 8, 10, 12, 15, 18, 21)
THRESHOLD = "clean_up_at"
WORTH = "clean_up"  # how much a strategy makes of a clean-up, where it weighs its price
# Many plays on the same deals: with part of the games these are as precise as the rest with all.
VOID_SHARE = 0.5
THRESHOLD_SHARE = 0.25
POSITIVE: Bounds = (0.0, math.inf)
PILE = "entire pile"
MANY_DYNAMITE, MANY_SHORE_UPS, MANY_CARDS = 7, 3, 8  # the last classes of the event counters
RESULTS = 10
DYNAMITE = (*map(str, range(MANY_DYNAMITE)), f"{MANY_DYNAMITE}+")
SHORE_UPS = (*map(str, range(MANY_SHORE_UPS)), f"{MANY_SHORE_UPS}+")
RUBBLE = tuple(
    f"{low}+" if high is None else f"{low}" if high == low + 1 else f"{low}-{high - 1}"
    for low, high in zip(RUBBLE_BINS, (*RUBBLE_BINS[1:], None), strict=True)
)


# ------------------------------------------------------------------------------------- the sums


@dataclass(frozen=True)
class FieldSums:
    """Sums of the games as they are: blocks of rows, and the event counters."""

    blocks: BlockSums
    chart: NDArray[np.int64]
    falls: NDArray[np.int64]

    def __add__(self, other: FieldSums) -> FieldSums:
        return FieldSums(
            self.blocks + other.blocks, self.chart + other.chart, self.falls + other.falls
        )


def _field_columns(players: int) -> list[Column]:
    return [
        column
        for slot in range(players)
        for column in (
            Column(0, "cave_in_rolls", slot=slot),
            Column(0, "cards_lost", slot=slot),
            Column(0, "piles_lost", slot=slot),
            Column(0, "piles_lost", slot=slot, at_least=1),
        )
    ]


def field_sums(chunk: Chunk, rotations: int) -> FieldSums:
    """Sum a chunk of games as they are."""
    columns = _field_columns(chunk.seats.shape[1])
    blocks = BlockSums.of([chunk], columns, rotations)
    return FieldSums(blocks, chunk.counters["chart"], chunk.counters["falls"])


def void_plays(players: int) -> tuple[Play, ...]:
    """Games as they are, then one play per voided cave-in (VOIDED) and seat."""
    plays = [Play("as it is")]
    for k in VOIDED:
        for seat in range(players):
            what = "all cave-ins" if k < 0 else f"{words.ORDINALS[k - 1]} cave-in"
            handicap = [k if other == seat else 0 for other in range(players)]
            plays.append(Play(f"{what} of seat {seat + 1} voided", handicaps=_void(handicap)))
    return tuple(plays)


def _void(values: Sequence[int]) -> dict[str, Sequence[int]]:
    return {"void_cave_in": values}


def _victims(k: int, players: int) -> list[Column]:
    """The win of each seat in the play that voids its k-th cave-in."""
    first = 1 + VOIDED.index(k) * players
    return [Column(first + seat, "win", seat=seat + 1) for seat in range(players)]


def _happens(k: int, seats: Iterable[int]) -> list[Column]:
    """How often the seats have a k-th cave-in in games as they are; -1 counts all of them."""
    if k < 0:
        return [Column(0, "cave_in_rolls", seat=seat) for seat in seats]
    return [Column(0, "cave_in_rolls", seat=seat, at_least=k) for seat in seats]


def void_columns(players: int) -> list[Column]:
    """What is summed of `void_plays`."""
    seats = range(1, players + 1)
    columns = [Column(0, field, seat=seat) for field in ("win", "cards_lost") for seat in seats]
    for k in VOIDED:
        columns += [*_happens(k, seats), *_victims(k, players)]
    return columns


_LENGTH = {"rolls": "rolls", "cave_in_rolls": "rolls", "capped": "share of games"}


def die_off_columns() -> list[Column]:
    """What is summed of games as they are (0) and games without a CAVE-IN face (1)."""
    return [Column(play, field, "game") for play in (0, 1) for field in _LENGTH]


# ------------------------------------------------------------------------------- the thresholds


class Way(NamedTuple):
    """A way of cleaning up: from so many cards on, whatever it costs or only where that pays."""

    threshold: float
    weighs: bool = False


@dataclass(frozen=True)
class Cleaner:
    """The player whose clean-up threshold is varied, one seat at a time.

    slots: where it sits in the lineup. scripted: the threshold it plays with. thresholds: those
    tried, ascending, the scripted one among them. cards: what a mine holds; a threshold above it
    is never reached. eager: the weight with which a strategy that weighs the price of a clean-up
    takes every one from its threshold on; else the threshold would not be what decides. Empty for
    who cleans up whatever it costs anyway.
    """

    spec: str
    slots: tuple[int, ...]
    scripted: float
    thresholds: tuple[float, ...]
    cards: int
    eager: tuple[str, ...] = ()

    @property
    def own(self) -> Way:
        """What the strategy does as scripted."""
        return Way(self.scripted, bool(self.eager))

    @property
    def curve(self) -> tuple[Way, ...]:
        """All thresholds, whatever a clean-up costs; `own` among them unless it weighs that."""
        return tuple(Way(threshold) for threshold in self.thresholds)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The curve and `own`, ascending."""
        return tuple(sorted({*self.curve, self.own}))

    @property
    def tried(self) -> tuple[Way, ...]:
        """The ways of the curve that differ from the scripted one."""
        return tuple(way for way in self.curve if way != self.own)

    def beside(self, way: Way) -> tuple[Way, ...]:
        """A way, and the curve around its threshold."""
        place = self.thresholds.index(way.threshold)
        return tuple(sorted({way, *self.curve[max(0, place - 1) : place + 2]}))

    def with_threshold(self, threshold: float) -> str:
        """The strategy with another threshold."""
        name, *options = self.spec.split(":")
        changed = [*self.eager, f"{THRESHOLD}={threshold:.15g}"]
        names = {option.partition("=")[0] for option in changed}
        kept = [option for option in options if option.partition("=")[0].strip() not in names]
        return ":".join([name, *kept, *changed])


def find_cleaner(setting: Setting) -> Cleaner | None:
    """The first strategy of the lineup that has a clean-up threshold, or None.

    Where seats rotate, one slot sits in every seat in turn; else each slot of that strategy takes
    its turn.
    """
    presets = presets_of(setting.game)
    for spec in setting.seats:
        name, *options = (part.strip() for part in spec.split(":"))
        weights = {w.name: w for w in presets[name].weights} if name in presets else {}
        if THRESHOLD not in weights:
            continue
        weight = weights[THRESHOLD]
        given = (option.partition("=") for option in options)
        own = {key.strip(): value for key, _, value in given}
        scripted = float(own.get(THRESHOLD, weight.value))
        cards = setting.rules.model.mine.cards
        wanted = [t for t in THRESHOLDS if t < cards]
        wanted += [cards + 1] if scripted <= cards else []  # else it never cleans up as it is
        tried = {float(t) for t in wanted if weight.low <= t <= weight.high}
        slots = tuple(slot for slot, other in enumerate(setting.seats) if other == spec)
        used = slots[:1] if setting.rotate else slots
        eager = _eager(weights[WORTH], own) if WORTH in weights and scripted <= cards else ()
        return Cleaner(spec, used, scripted, tuple(sorted({*tried, scripted})), cards, eager)
    return None


def _eager(worth: Weight, own: Mapping[str, str]) -> tuple[str, ...]:
    """The weight that takes every clean-up; nothing where the strategy has it (`own`: its own)."""
    if float(own.get(WORTH, worth.value)) >= worth.high:
        return ()
    return (f"{WORTH}={worth.high:g}",)


def threshold_plays(setting: Setting, cleaner: Cleaner) -> tuple[Play, ...]:
    """Games as they are, then one play per way that is tried and slot."""
    plays = [Play("as it is")]
    for threshold, _ in cleaner.tried:
        spec = cleaner.with_threshold(threshold)
        for slot in cleaner.slots:
            seats = (*setting.seats[:slot], spec, *setting.seats[slot + 1 :])
            plays.append(Play(f"slot {slot + 1} cleans up at {threshold:g}", seats=seats))
    return tuple(plays)


def _cleaners(cleaner: Cleaner, way: Way) -> list[Column]:
    """The win of the varied slot in the plays of a way, slot by slot."""
    if way == cleaner.own:
        return [Column(0, "win", slot=slot) for slot in cleaner.slots]
    first = 1 + cleaner.tried.index(way) * len(cleaner.slots)
    return [Column(first + i, "win", slot=slot) for i, slot in enumerate(cleaner.slots)]


def threshold_columns(cleaner: Cleaner) -> list[Column]:
    """What is summed of `threshold_plays`."""
    return [column for way in cleaner.ways for column in _cleaners(cleaner, way)]


@dataclass(frozen=True)
class Halves:
    """Sums of the deals with even and with odd numbers: one picks, the other measures."""

    picking: BlockSums
    measuring: BlockSums

    def __add__(self, other: Halves) -> Halves:
        return Halves(self.picking + other.picking, self.measuring + other.measuring)


def halves(chunks: Sequence[Chunk], columns: Iterable[Column], rotations: int) -> Halves:
    """Sum the even and the odd deals of chunks apart."""
    wanted = list(columns)
    even, odd = (BlockSums.of(chunks, wanted, rotations, part=(i, 2)) for i in (0, 1))
    return Halves(even, odd)


# ------------------------------------------------------------------------------------ the frames


def risk_frame(sums: BlockSums, labels: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `risk` of this module. labels: the strategy of each slot."""
    slots_of: dict[str, list[int]] = {}
    for slot, name in enumerate(labels):
        slots_of.setdefault(name, []).append(slot)
    groups: list[tuple[str | None, list[int]]] = [(None, list(range(len(labels))))]
    groups += slots_of.items()
    rows = []
    for label, slots in groups:
        for quantity, unit, interval in _risks(sums, slots, level):
            rows.append(
                {"strategy": label, "quantity": quantity, "unit": unit, **interval_row(interval)}
            )
    found = frame(rows, ("strategy", "quantity", "unit", *INTERVAL_COLUMNS))
    return found.astype({"strategy": "str"})


def _risks(sums: BlockSums, slots: Sequence[int], level: float) -> list[tuple[str, str, Interval]]:
    def some(field: str, at_least: int | None = None) -> dict[Column, int]:
        return {Column(0, field, slot=slot, at_least=at_least): 1 for slot in slots}

    def estimate(num: dict[Column, int], den: dict[Column, int] | None, bounds: Bounds) -> Interval:
        return sums.estimate(num, den, level, bounds=bounds)

    rolls, cards, piles = some("cave_in_rolls"), some("cards_lost"), some("piles_lost")
    return [
        ("cave_in_rolls", "rolls", estimate(rolls, None, POSITIVE)),
        ("cards_per_roll", "cards", estimate(cards, rolls, POSITIVE)),
        ("cards_per_game", "cards", estimate(cards, None, POSITIVE)),
        ("pile_per_roll", "share of rolls", estimate(piles, rolls, SHARE)),
        ("pile_per_game", "share of games", estimate(some("piles_lost", 1), None, SHARE)),
    ]


def falls_frame(
    falls: NDArray[np.int64], cards: int, blocks: int, rotations: int, level: float
) -> pd.DataFrame:
    """The frame `falls` of this module, from the counter (replicates, slots, dynamite, rubble, 4).

    cards: what a mine holds. blocks: deals played. Each interval stands for itself.
    """
    table = falls.sum(axis=1)  # replicates, dynamite, rubble, (rolls, cards, squares, piles)
    every = table[..., 0].sum(axis=(1, 2))
    largest = [low - 1 for low in (*RUBBLE_BINS[1:], cards + 1)]
    rows = []
    for dynamite in (None, *range(len(DYNAMITE))):
        for rubble in (None, *range(len(RUBBLE))):
            picked = table if dynamite is None else table[:, dynamite : dynamite + 1]
            picked = picked if rubble is None else picked[:, :, rubble : rubble + 1]
            rolls, fallen, _, piles = np.moveaxis(picked.sum(axis=(1, 2)), -1, 0)
            if not rolls.sum():
                continue
            keys = {
                "dynamite": None if dynamite is None else DYNAMITE[dynamite],
                "rubble": None if rubble is None else RUBBLE[rubble],
                "rolls": int(rolls.sum()),
            }
            most = float(cards if rubble is None else largest[rubble])
            estimates = {
                "cards_per_roll": replicate_ratio(fallen, rolls, level, bounds=(0.0, most)),
                "pile_per_roll": _piles(piles, rolls, rotations, level),
            }
            if dynamite is not None or rubble is not None:
                share = replicate_ratio(rolls, every, level, bounds=SHARE)
                if (rolls == every).all():
                    share = only_events(blocks, level)
                estimates = {"share_of_rolls": share, **estimates}
            for quantity, interval in estimates.items():
                rows.append({**keys, "quantity": quantity, **interval_row(interval)})
    columns = ("dynamite", "rubble", "rolls", "quantity", *INTERVAL_COLUMNS)
    return frame(rows, columns).astype({"dynamite": "str", "rubble": "str"})


def _piles(
    piles: NDArray[np.int64], rolls: NDArray[np.int64], rotations: int, level: float
) -> Interval:
    independent = int(rolls.sum()) // rotations  # one throw serves up to so many games
    if not piles.any() and independent:
        return no_events(independent, level)
    return replicate_ratio(piles, rolls, level, bounds=SHARE)


def chart_frame(
    chart: NDArray[np.int64], rules: Rules, rotations: int, level: float
) -> pd.DataFrame:
    """The frame `chart` of this module, from the counter (replicates, slots, 8, 4, 10)."""
    counts = chart.sum(axis=(0, 1))
    cells = []
    for dynamite, shore_ups in np.argwhere(counts.sum(axis=-1)):
        exact = class_distribution(rules, int(dynamite), int(shore_ups))
        for result in range(RESULTS):
            times = int(counts[dynamite, shore_ups, result])
            p = None if exact is None else exact[result]
            if times or p:
                rolls = int(counts[dynamite, shore_ups].sum())
                cells.append((int(dynamite), int(shore_ups), result, rolls, times, p))
    rows = []
    for dynamite, shore_ups, result, rolls, times, p in cells:
        interval = _throws(times, rolls, rotations, level, together=len(cells))
        rows.append(
            {
                "dynamite": DYNAMITE[dynamite],
                "shore_ups": SHORE_UPS[shore_ups],
                "result": result_name(rules, result),
                "rolls": rolls,
                "times": times,
                "exact": math.nan if p is None else float(p),
                **interval_row(interval),
                "inside": pd.NA if p is None else interval.contains(float(p)),
            }
        )
    columns = ("dynamite", "shore_ups", "result", "rolls", "times", "exact")
    found = frame(rows, (*columns, *INTERVAL_COLUMNS, "inside"))
    return found.astype({"inside": "boolean", "exact": "float64"})


def class_distribution(rules: Rules, dynamite: int, shore_ups: int) -> list[Fraction] | None:
    """Exact share of each result class of the event counter in a class of rolls.

    The last classes hold all larger numbers; None where these have unlike distributions.
    """
    most_dynamite = max(dynamite, rules.dynamite.supply)
    most_shore_ups = max(shore_ups, rules.spells.shore_up.count)
    some = range(dynamite, (most_dynamite if dynamite == MANY_DYNAMITE else dynamite) + 1)
    others = range(shore_ups, (most_shore_ups if shore_ups == MANY_SHORE_UPS else shore_ups) + 1)
    tables = make_tables(rules, rules.players.least)[0]
    first: list[Fraction] | None = None
    for d in some:
        for s in others:
            found = [Fraction(0)] * RESULTS
            for cards, p in chart_result(tables, d, s).items():
                found[RESULTS - 1 if cards == ENTIRE_PILE else min(cards, MANY_CARDS)] += p
            if first is not None and found != first:
                return None
            first = found
    return first


def result_name(rules: Rules, result: int) -> str:
    """Name of a result class: cards, or the entire pile."""
    if result == RESULTS - 1:
        return PILE
    most = max((c for _, c in rules.cave_in.chart.rows() if c != ENTIRE_PILE), default=0)
    return f"{MANY_CARDS}+" if result == MANY_CARDS and most > MANY_CARDS else str(result)


def _throws(times: int, rolls: int, rotations: int, level: float, together: int) -> Interval:
    """Interval of a share of throws of which each counts at most `rotations` times."""
    own = simultaneous_level(level, together)
    n = rolls // rotations
    low = clopper_pearson(min(times // rotations, n), n, own).low
    high = clopper_pearson(min(-(-times // rotations), n), n, own).high
    method = f"Clopper-Pearson; {together} at once (Bonferroni)"
    if rotations > 1:
        method = f"Clopper-Pearson at rolls / {rotations}; {together} at once (Bonferroni)"
    return Interval(times / rolls, low, high, level, n, method)


def costs_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `costs` of this module.

    The averages of one unit hold together, and so do the seats' figures of one unit.
    """
    rows = []
    for k in VOIDED:
        victims = _victims(k, players)
        for seat in (None, *range(1, players + 1)):
            seats = range(1, players + 1) if seat is None else [seat]
            columns = [victims[s - 1] for s in seats]
            happens = _happens(k, seats)
            units = {"game": None, "cave-in": happens}
            if k < 0:
                units["card"] = [Column(0, "cards_lost", seat=s) for s in seats]
            for per, den in units.items():
                family = (1 if per == "card" else len(VOIDED)) * (1 if seat is None else players)
                effect = paired_effect(
                    sums,
                    columns,
                    level,
                    per=den,
                    scale=WIN_UNIT,
                    bounds=DIFFERENCE,
                    together=family,
                    side_bounds=SHARE,  # a game, whatever the costs are divided by
                )
                often = sums.estimate(
                    ones(happens), level=level, bounds=(0.0, math.inf), together=family
                )
                keys = {"cave_in": CAVE_INS[k], "seat": seat, "per": per}
                rows.append({**keys, **side_row("happens", often), **effect_row(effect)})
    columns_ = ("cave_in", "seat", "per", *side_columns("happens"), *EFFECT_COLUMNS)
    return frame(rows, columns_).astype({"seat": "Int64"})


def die_off_frame(sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `die_off` of this module; each interval stands for itself."""
    rows = []
    for field, unit in _LENGTH.items():
        bounds = DIFFERENCE if field == "capped" else UNBOUNDED
        effect = paired_effect(
            sums, [Column(1, field, "game")], level, bounds=bounds, side_bounds=NOT_BELOW_0
        )
        rows.append({"quantity": field, "unit": unit, **effect_row(effect)})
    return frame(rows, ("quantity", "unit", *EFFECT_COLUMNS))


def _gain(
    sums: BlockSums,
    cleaner: Cleaner,
    way: Way,
    level: float,
    together: int,
    over: Way | None = None,
) -> Effect:
    """Win probability gained by a way over another one, by default the scripted one."""
    over = cleaner.own if over is None else over
    if way == over:
        cleaners = ones(_cleaners(cleaner, way))
        same = sums.share(cleaners, level=level, scale=WIN_UNIT, together=max(1, together))
        none = Interval(0.0, 0.0, 0.0, level, sums.blocks, "the reference itself")
        return Effect(none, same, same, 0.0, 1.0, math.inf)
    return paired_effect(
        sums,
        _cleaners(cleaner, way),
        level,
        scale=WIN_UNIT,
        bounds=DIFFERENCE,
        together=max(1, together),
        against=[column.play for column in _cleaners(cleaner, over)],
    )


def thresholds_frame(sums: BlockSums, cleaner: Cleaner, level: float) -> pd.DataFrame:
    """The frame `thresholds` of this module, from all deals."""
    rows = []
    for way in cleaner.ways:
        keys = {
            "strategy": cleaner.spec,
            "threshold": way.threshold,
            "never": way.threshold > cleaner.cards,
            "scripted": way == cleaner.own,
            "weighs": way.weighs,
        }
        effect = _gain(sums, cleaner, way, level, len(cleaner.tried))
        rows.append({**keys, **effect_row(effect)})
    return frame(rows, ("strategy", "threshold", "never", "scripted", "weighs", *EFFECT_COLUMNS))


def price_frame(sums: BlockSums, cleaner: Cleaner, level: float) -> pd.DataFrame:
    """The frame `price` of this module, from all deals."""
    paying = _gain(sums, cleaner, Way(cleaner.scripted), level, 1)
    weighing = turned(effect_row(replace(paying, without=paying.changed, changed=paying.without)))
    row = {"strategy": cleaner.spec, "threshold": cleaner.scripted, **weighing}
    return frame([row], ("strategy", "threshold", *EFFECT_COLUMNS))


def pick_threshold(sums: BlockSums, cleaner: Cleaner) -> Way:
    """The way with the most wins; of equals the one nearest to the scripted one."""

    def rank(way: Way) -> tuple[int, float, bool]:
        wins = sums.cluster(dict.fromkeys(_cleaners(cleaner, way), 1)).num
        return -int(wins), abs(way.threshold - cleaner.scripted), way != cleaner.own

    return min(cleaner.ways, key=rank)


def best_frames(sums: Halves, cleaner: Cleaner, level: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames `best_threshold` and `rivals` of this module."""
    best = pick_threshold(sums.picking, cleaner)
    chosen = cleaner.beside(best)
    rows = []
    for way in chosen:
        role = "neighbour" if way != cleaner.own else "scripted"
        role = "best" if way == best else role
        together = len(chosen) - (cleaner.own in chosen)
        effect = _gain(sums.measuring, cleaner, way, level, together)
        rows.append({**way._asdict(), "role": role, **effect_row(effect)})
    others = [way for way in cleaner.ways if way != best]
    behind = [
        {
            **way._asdict(),
            **effect_row(_gain(sums.measuring, cleaner, way, level, len(others), best)),
        }
        for way in others
    ]
    return (
        frame(rows, (*Way._fields, "role", *EFFECT_COLUMNS)),
        frame(behind, (*Way._fields, *EFFECT_COLUMNS)),
    )


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    rotations, players = setting.rotations, setting.players

    def field(chunks: tuple[Chunk, ...]) -> FieldSums:
        return field_sums(chunks[0], rotations)

    def void(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, void_columns(players), rotations)

    def die_off(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, die_off_columns(), rotations)

    no_face = Play("no CAVE-IN face", patches={"cave_in.die_faces": 0})
    groups = [
        Group("field", (Play("as it is"),), field),
        Group("void", void_plays(players), void, VOID_SHARE),
        Group("die off", (Play("as it is"), no_face), die_off),
    ]
    cleaner = find_cleaner(setting)
    if cleaner is not None:
        columns = threshold_columns(cleaner)

        def thresholds(chunks: tuple[Chunk, ...]) -> Halves:
            return halves(chunks, columns, rotations)

        plays = threshold_plays(setting, cleaner)
        groups.append(Group("thresholds", plays, thresholds, THRESHOLD_SHARE))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    level, rules = setting.level, setting.rules.model
    found: FieldSums = sums["field"]
    frames = {
        "risk": risk_frame(found.blocks, setting.seats, level),
        "falls": falls_frame(
            found.falls, rules.mine.cards, found.blocks.blocks, setting.rotations, level
        ),
        "chart": chart_frame(found.chart, rules, setting.rotations, level),
        "costs": costs_frame(sums["void"], setting.players, level),
        "die_off": die_off_frame(sums["die off"], level),
    }
    sentences = [
        cost_sentence(frames["costs"]),
        risk_sentence(frames["risk"]),
        dynamite_sentence(frames["falls"]),
        die_off_sentence(frames["die_off"]),
        chart_sentence(frames["chart"], level),
    ]
    cleaner = find_cleaner(setting)
    if cleaner is not None:
        split: Halves = sums["thresholds"]
        both = split.picking + split.measuring
        frames["thresholds"] = thresholds_frame(both, cleaner, level)
        frames["best_threshold"], frames["rivals"] = best_frames(split, cleaner, level)
        sentences.insert(1, threshold_sentence(frames, cleaner))
        if cleaner.eager:
            frames["price"] = price_frame(both, cleaner, level)
            sentences.insert(2, price_sentence(frames["price"]))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# ---------------------------------------------------------------------------------- in words


def _one(found: pd.DataFrame, **keys: Any) -> dict[str, Any] | None:
    """The row of a frame with these values; a key of None asks for a missing one."""
    for key, value in keys.items():
        column = found[key]
        found = found[column.isna() if value is None else column == value]
    rows = found.to_dict("records")
    return {str(key): value for key, value in rows[0].items()} if rows else None


def _said(write: Any, row: Mapping[str, Any], unit: str | None = None) -> str:
    bounds = row["estimate"], row["low"], row["high"]
    return write(*bounds) if unit is None else write(*bounds, unit)


def cost_sentence(costs: pd.DataFrame) -> str:
    """What cave-ins cost their victim."""
    every = _one(costs, cave_in="all", seat=None, per="game")
    each = _one(costs, cave_in="all", seat=None, per="cave-in")
    card = _one(costs, cave_in="all", seat=None, per="card")
    assert every is not None
    assert each is not None
    assert card is not None
    if not every["happens"]:
        return "No player ever made a cave-in roll."
    parts = []
    for k in VOIDED[:-1]:
        row = _one(costs, cave_in=CAVE_INS[k], seat=None, per="cave-in")
        if row is not None and row["happens"]:
            parts.append(f"the {words.ORDINALS[k - 1]} {_said(words.points, row, '')}".rstrip())
    text = (
        f"A cave-in costs its victim {_said(words.points, each, 'points of win probability')} on "
        f"average ({_said(words.points, card)} for each card that falls)"
    )
    if parts:
        text += f"; taken alone and when it comes, {words.listed(parts)}"
    return (
        f"{text}. All {words.amount(every, side='happens')} of a game together cost "
        f"{_said(words.points, every)}."
    )


def risk_sentence(risk: pd.DataFrame) -> str:
    """How often cave-ins come and what they take."""
    rows = {row["quantity"]: row for row in risk[risk["strategy"].isna()].to_dict("records")}
    if math.isnan(rows["cards_per_roll"]["estimate"]):
        return ""
    return (
        f"A player makes {_said(words.number, rows['cave_in_rolls'], 'cave-in rolls')} a game and "
        f"loses {_said(words.number, rows['cards_per_roll'], 'cards')} in each, "
        f"{_said(words.number, rows['cards_per_game'], 'cards')} in all; "
        f"{_said(words.share, rows['pile_per_game'])} of players lose an entire pile at least once."
    )


def dynamite_sentence(falls: pd.DataFrame) -> str:
    """What dynamite adds, at its most common number."""
    without = _one(falls, dynamite="0", rubble=None, quantity="cards_per_roll")
    some = falls[(falls["dynamite"] != "0") & falls["dynamite"].notna() & falls["rubble"].isna()]
    some = some[some["quantity"] == "cards_per_roll"]
    if without is None or some.empty:
        return "No cave-in roll was made with dynamite on the player." if len(falls) else ""
    common = some.loc[some["rolls"].idxmax()].to_dict()
    at = {"dynamite": common["dynamite"], "rubble": None}
    often = _one(falls, **at, quantity="share_of_rolls")
    pile = _one(falls, **at, quantity="pile_per_roll")
    assert often is not None
    assert pile is not None
    return (
        f"With {common['dynamite']} dynamite on the player ({_said(words.share, often)} of rolls) "
        f"a cave-in takes {_said(words.number, common, 'cards')} and with "
        f"{_said(words.share, pile)} the entire pile; without dynamite it takes "
        f"{_said(words.number, without, 'cards')}."
    )


def die_off_sentence(die_off: pd.DataFrame) -> str:
    """What the CAVE-IN die does to the length of the game."""
    row = _one(die_off, quantity="rolls")
    assert row is not None
    return (
        f"The CAVE-IN die lengthens a game by {_said(words.number, turned(row), 'rolls')}: "
        "without it, so that players roll only when they turn up their cave-in card, a game takes "
        f"{words.amount(row, 'rolls', 'changed')} instead of {words.amount(row, side='without')}."
    )


def chart_sentence(chart: pd.DataFrame, level: float) -> str:
    """Whether the rolls agree with the chart."""
    known = chart[chart["inside"].notna()]
    if known.empty:
        return ""
    rolls = counted(known.groupby(["dynamite", "shore_ups"])["rolls"].first().sum(), "roll")
    outside = int((~known["inside"].astype(bool)).sum())
    percent = f"{level * 100:g}{words.SPACE}%"
    if not outside:
        return (
            f"The dice do what the chart says: the exact share of every result lies inside its "
            f"interval ({counted(len(known), 'share')} from {rolls}, {percent} for all at once)."
        )
    return (
        f"{outside} of {counted(len(known), 'exact share')} of the chart "
        f"{'lies outside its interval' if outside == 1 else 'lie outside their intervals'} "
        f"({percent} for all at once, {rolls}): chance would rarely do that."
    )


def threshold_words(cleaner: Cleaner, way: Way) -> str:
    """What a player does: "cleans up from 7 cards on", "never cleans up".

    Where the strategy weighs the price of a clean-up, it is told whether this is done.
    """
    if way.threshold > cleaner.cards:
        return "never cleans up"
    text = f"cleans up from {way.threshold:g} {noun_for(way.threshold, 'card')} on"
    if not cleaner.eager:
        return text
    return f"{text} {'where that pays' if way.weighs else 'whatever it costs'}"


def way_of(row: Mapping[str, Any]) -> Way:
    """The way of a row of `thresholds`, `best_threshold` or `rivals`."""
    return Way(float(row["threshold"]), bool(row["weighs"]))


def gained(row: Mapping[str, Any]) -> str:
    """An effect on the win probability in words: gains, costs, or makes no clear difference."""
    if row["low"] > 0:
        return f"gains {_said(words.points, row)}"
    if row["high"] < 0:
        return f"costs {_said(words.points, turned(row))}"
    return f"makes no difference that can be told ({_said(words.points, row)})"


def best_is_shown(frames: Mapping[str, pd.DataFrame]) -> bool:
    """Whether the chosen threshold beats the scripted one on all deals, all thresholds at once."""
    best = _one(frames["best_threshold"], role="best")
    assert best is not None
    every = _one(frames["thresholds"], **way_of(best)._asdict())
    assert every is not None
    return bool(every["low"] > 0)


def way_name(cleaner: Cleaner, way: Way) -> str:
    """A way in a word or two: "7", "never", "10 where that pays"."""
    if way.threshold > cleaner.cards:
        return "never"
    return f"{way.threshold:g} where that pays" if way.weighs else f"{way.threshold:g}"


def price_sentence(price: pd.DataFrame) -> str:
    """What weighing the price of a clean-up brings, at the same threshold."""
    row = price.iloc[0].to_dict()
    cards = f"{row['threshold']:g} {noun_for(row['threshold'], 'card')}"
    return (
        f"From {cards} on, weighing the price of a clean-up, as {row['strategy']} does, "
        f"{gained(row)} compared with cleaning up whatever it costs."
    )


def threshold_sentence(frames: Mapping[str, pd.DataFrame], cleaner: Cleaner) -> str:
    """The best threshold, with what speaks against it."""
    best = _one(frames["best_threshold"], role="best")
    never = _one(frames["thresholds"], never=True)
    assert best is not None
    way = way_of(best)
    every = _one(frames["thresholds"], **way._asdict())
    assert every is not None
    if not frames["best_threshold"]["n"].all():
        return "There are too few deals to choose a clean-up threshold and measure it in others."
    name = threshold_words(cleaner, way)
    scripted = threshold_words(cleaner, cleaner.own)
    if way == cleaner.own:
        rest = "no other threshold did better"
        if way.weighs:
            rest = "cleaning up whatever it costs, from any number of cards on, did no better"
        text = (
            f"{cleaner.spec} {scripted}; {rest} in the half of the deals "
            "that was used to choose, and the other half was used to measure"
        )
    elif best_is_shown(frames):
        text = (
            f"{cleaner.spec} plays better if it {name}; as scripted it {scripted}. The change "
            f"gains {_said(words.points, every)}, and {_said(words.points, best)} in the half of "
            "the deals that had no part in choosing it"
        )
    else:
        own = "play" if cleaner.eager else "one"
        text = (
            f"No clean-up threshold is shown to beat the scripted {own} of {cleaner.spec}, which "
            f"{scripted}. It did best in one half of the deals if it {name}; in the other half "
            f"that gains {_said(words.points, best)}"
        )
    rivals = frames["rivals"]
    close = [way_of(row) for row in rivals.to_dict("records") if row["high"] >= 0]
    if close:
        names = words.listed([way_name(cleaner, one) for one in sorted(close)], "or")
        text += f". Thresholds not told apart from the best in that half: {names}"
    if never is None or never["scripted"] or best["threshold"] == never["threshold"]:
        return f"{text}."
    return f"{text}. Never cleaning up {gained(never)}."


QUESTION = Question("cave_in_risk", TITLE, TEXT, _groups, _answer, games=("wizard_miners",))
