"""Is the table fair: by seat, by turn order, by what a seat is dealt; and what would be.

Where the lineup does not rotate, the strategy of its first seat sits in all seats, so that no
difference is one of strategies. What a seat holds (its role: in Wizard Miners the number of its
wizard; many games have none) is dealt in order of the seats unless a rule says otherwise, and then
nobody can tell one from the other. So the game is played "as dealt", and with "all drawn": who
starts and who holds what is drawn by lot for each deal. Frames, every estimate with low, high,
level, n and method; `wizard` stands for the game's role, and is left out where it has none:

rates: one row per play and value of what is compared.
    play ("as dealt", "all drawn"); by ("seat"; "order": 1 is who starts; "wizard"); value; wizard
    (what the seat holds, where it always holds the same); games (won by anybody, with this value
    at the table); estimate (share of them that it wins). The intervals of one play and `by` hold
    together.
fairness: one row per play and `by`.
    estimate: largest minus smallest rate (points as a share), with low and high; deviation,
    deviation_low, deviation_high: largest distance of a rate from 1 / players; margin; verdict
    ("fair" within the margin, "not fair", "undecided"); statistic, df, p_value, design_effect:
    likelihood-ratio test of equal rates.
together: rates by order and wizard at once, all drawn; the intervals hold together.
    order, wizard; games; estimate.
gem_worth: Wizard Miners. What a starting gem is worth to its owner, all drawn.
    wizard (missing: mean of all); quantity: per_gem (slope of the win rate), bend (mean of the
    rates with a gem more and a gem less, minus the rate in between: 0 if every gem is worth the
    same); estimate. The wizards' intervals of a quantity hold together.
allocations: Wizard Miners. Starting gems, one row per allocation and wizard, from odd deals.
    gems ("6/5/5/6", in the order of the wizards' numbers); role ("rules": what the rules say,
    "best": nearest to fair among those played, "model": nearest to fair among all within reach, by
    the linear model; ""); played; moved (gems more and less than the rules say); wizard;
    estimate (win rate, all drawn; of the linear model where not played). The intervals of one
    allocation hold together.
nearest: one row per allocation of `allocations`. estimate: largest distance from 1 / players.

Gems: around the rules' allocation lie eight corners (two gems more or less for each wizard, the
fourth as the product of the other three) and eight axes (one gem more or less for one wizard). All
are played on the same deals, and a linear surface in the wizards' gems is fitted; slopes are free
of each other by design (a half fraction of a 2^4 factorial; Box, Hunter and Hunter, Statistics for
Experimenters, chapter 6). "best" and "model" are chosen by the surface on deals with even numbers
and measured on deals with odd numbers, so that luck that helped to choose is not counted again.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.cave_in_risk import Halves, halves
from analysis.intervals import (
    FairnessTest,
    Interval,
    clustered_ratio,
    clustered_share,
    design_effect,
    fairness_test,
    largest_deviation,
    simultaneous_level,
    spread,
)
from analysis.moments import KeyedMoments, keyed_moments
from analysis.paired import (
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    jointly,
    relabelled,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.wording import counted

TITLE = "Seats"
TEXT = (
    "Does everybody have the same chance, whatever the seat, the turn order and what a seat is "
    "dealt; and where seats start with different means, are these fair, and what would be?"
)
MARGIN = 0.02  # a seat within two points of its fair share is fair enough
ROLE = "wizard"  # the role in Wizard Miners, where there are gems
# switches that draw by lot what a seat is dealt ("wizard": a field of its row), and who starts
ASSIGNMENT, START = re.compile(r"switches\.(\w+)_assignment"), "switches.start_order"
AS_DEALT, ALL_DRAWN = "as dealt", "all drawn"
GEMS = "wizards.gems"
GEM_SHARE = 0.2  # the allocations take many plays
CORNER, AXIS = 2, 1  # gems more or less
MOST_GEMS = 99  # that a rules file can give to a wizard


# ------------------------------------------------------------------------------- seats and roles


def lineup_of(setting: Setting) -> tuple[str, ...]:
    """Who plays: the lineup where it rotates, else the strategy of its first seat in all seats."""
    return setting.seats if setting.rotate else (setting.seats[0],) * setting.players


def role_of(setting: Setting) -> str:
    """What a seat is dealt, in the game's own word; "" where it is dealt nothing."""
    fields = setting.game.seat_row.names or ()
    for entry in setting.rules.entries:
        found = ASSIGNMENT.fullmatch(entry.key)
        if found and found[1] in fields:
            return found[1]
    return ""


def drawn_patches(setting: Setting) -> dict[str, str]:
    """The rules that draw by lot who starts and who holds what, as far as the game has them."""
    role = role_of(setting)
    drawn = [f"switches.{role}_assignment"] if role else []
    known = {entry.key for entry in setting.rules.entries}
    return {key: "random" for key in [*drawn, START] if key in known}


@dataclass(frozen=True)
class Tallies:
    """Additive sums of wins: twelfths won out of games won by anybody, by key.

    by: "seat" and "order" (key from 0); where the game has roles also the role (key: its number)
    and "cell" (role * players + order). role: its name, or "".
    """

    by: Mapping[str, KeyedMoments]
    role: str = ""

    def __add__(self, other: Tallies) -> Tallies:
        return Tallies({name: sums + other.by[name] for name, sums in self.by.items()}, self.role)


def tallies(chunk: Chunk, rotations: int, role: str = "") -> Tallies:
    """Sum a chunk of whole blocks. role: a field of the seats' rows, or "" for none."""
    win = chunk.seats["win"].astype(np.int64)
    players = win.shape[1]
    won = np.broadcast_to((win.sum(axis=1, keepdims=True) > 0).astype(np.int64), win.shape)
    seat = np.broadcast_to(np.arange(players), win.shape)
    keys: dict[str, NDArray[np.int64]] = {"seat": seat}
    if "start_seat" in (chunk.games.dtype.names or ()):
        start = chunk.games["start_seat"].astype(np.int64)[:, None]
        keys["order"] = (seat - start) % players
    if role:
        keys[role] = chunk.seats[role].astype(np.int64)
        keys["cell"] = keys[role] * players + keys.get("order", seat)
    return Tallies(
        {name: keyed_moments(key, win, won, rotations=rotations) for name, key in keys.items()},
        role,
    )


def _seen(sums: KeyedMoments) -> list[int]:
    return [key for key in range(len(sums.table)) if sums.sums(key).clusters]


def _compared(found: Tallies, players: int) -> list[str]:
    """What can be told apart in a play: "order" and roles only where the seat does not fix them."""
    names = ["seat"]
    if "order" in found.by and found.by["order"] != found.by["seat"]:
        names.append("order")
    if found.role and len(_seen(found.by["cell"])) > players:
        names.append(found.role)
    return names


def _intervals(sums: KeyedMoments, level: float) -> dict[int, Interval]:
    """Rates by key, each at the level at which all of them hold together."""
    keys = _seen(sums)
    own = simultaneous_level(level, max(1, len(keys)))
    method = "Wilson on the effective number, over blocks"
    return {
        key: clustered_share(sums.sums(key), own, scale=WIN_UNIT, method=method) for key in keys
    }


def rates_frame(plays: Mapping[str, Tallies], players: int, level: float) -> pd.DataFrame:
    """The frame `rates` of this module."""
    role = next((found.role for found in plays.values()), "")
    rows = []
    for play, found in plays.items():
        held = _held(found, players)
        for by in _compared(found, players):
            intervals = _intervals(found.by[by], level)
            for key, interval in intervals.items():
                rows.append(
                    {
                        "play": play,
                        "by": by,
                        "value": key if by == role else key + 1,
                        **({role: held.get(key) if by == "seat" else None} if role else {}),
                        "games": int(found.by[by].sums(key).den),
                        **interval_row(relabelled(interval, level, len(intervals))),
                    }
                )
    dealt = (role,) if role else ()
    columns = ("play", "by", "value", *dealt, "games", *INTERVAL_COLUMNS)
    return frame(rows, columns).astype(dict.fromkeys(dealt, "Int64"))


def _held(found: Tallies, players: int) -> dict[int, int]:
    """The role of each seat, where every seat always has the same and its place in the order."""
    cells = _seen(found.by["cell"]) if "cell" in found.by else []
    fixed = len(cells) == players and found.by.get("order", found.by["seat"]) == found.by["seat"]
    return {cell % players: cell // players for cell in cells} if fixed else {}


def fairness_frame(
    plays: Mapping[str, Tallies], players: int, level: float, margin: float = MARGIN
) -> pd.DataFrame:
    """The frame `fairness` of this module. margin: distance from 1 / players that is fair."""
    rows = []
    for play, found in plays.items():
        for by in _compared(found, players):
            intervals = list(_intervals(found.by[by], level).values())
            if len(intervals) < 2 or any(math.isnan(i.estimate) for i in intervals):
                continue
            apart = spread(intervals, level)
            deviation = largest_deviation(intervals, 1 / players, level)
            test = _test(found.by[by])
            rows.append(
                {
                    "play": play,
                    "by": by,
                    **interval_row(apart),
                    "deviation": deviation.estimate,
                    "deviation_low": deviation.low,
                    "deviation_high": deviation.high,
                    "margin": margin,
                    "verdict": _verdict(deviation, margin),
                    "statistic": test.statistic,
                    "df": test.df,
                    "p_value": test.p_value,
                    "design_effect": test.design_effect,
                }
            )
    columns = (
        *("play", "by", *INTERVAL_COLUMNS),
        *("deviation", "deviation_low", "deviation_high", "margin", "verdict"),
        *("statistic", "df", "p_value", "design_effect"),
    )
    return frame(rows, columns)


def _verdict(deviation: Interval, margin: float) -> str:
    if deviation.high <= margin:
        return "fair"
    return "not fair" if deviation.low > margin else "undecided"


def _test(sums: KeyedMoments) -> FairnessTest:
    """Likelihood-ratio test of equal rates.

    Roles that are not at every table are drawn by lot, each as often as any other, so equal rates
    are equal numbers of wins. Single games with one winner are independent; blocks are not.
    """
    found = [sums.sums(key) for key in _seen(sums)]
    wins = [f.num / WIN_UNIT for f in found]
    independent = all(f.num2 == WIN_UNIT * f.num and f.den2 == f.den for f in found)
    effects = [1.0] if independent else [design_effect(f, WIN_UNIT) for f in found]
    known = [effect for effect in effects if effect > 0]
    return fairness_test(wins, float(np.mean(known)) if known else 1.0)


def together_frame(found: Tallies, players: int, level: float) -> pd.DataFrame:
    """The frame `together` of this module, of a play in which all is drawn."""
    sums = found.by["cell"]
    intervals = _intervals(sums, level)
    rows = [
        {
            "order": key % players + 1,
            found.role: key // players,
            "games": int(sums.sums(key).den),
            **interval_row(relabelled(interval, level, len(intervals))),
        }
        for key, interval in intervals.items()
    ]
    return frame(rows, ("order", found.role, "games", *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------------- gems


@dataclass(frozen=True)
class Gems:
    """The allocations of starting gems that are played.

    numbers: of the wizards, ascending. printed: what the rules give them. centre: what the linear
    surface is about; printed, but never so few that a corner would be below 0. steps: (17, 4) gems
    more or less than the centre, of the plays that the surface is fitted to. extra: further
    allocations that are played.
    """

    numbers: tuple[int, ...]
    printed: tuple[int, ...]
    centre: tuple[int, ...]
    steps: tuple[tuple[int, ...], ...]
    extra: tuple[tuple[int, ...], ...]

    @property
    def played(self) -> tuple[tuple[int, ...], ...]:
        """Gems of all allocations played, by number of the play."""
        return (*(self.at(step) for step in self.steps), *self.extra)

    def at(self, step: Sequence[int]) -> tuple[int, ...]:
        """The allocation that lies these steps from the centre."""
        return tuple(g + s for g, s in zip(self.centre, step, strict=True))

    def step(self, gems: Sequence[int]) -> tuple[int, ...]:
        """The steps from the centre to an allocation."""
        return tuple(g - c for g, c in zip(gems, self.centre, strict=True))

    @property
    def squares(self) -> int:
        """Sum of the squared steps of a wizard, the same for all."""
        return sum(step[0] ** 2 for step in self.steps)

    def moved(self, gems: Sequence[int]) -> int:
        """Gems that an allocation gives and takes against the rules."""
        return sum(abs(g - p) for g, p in zip(gems, self.printed, strict=True))


def gems_of(setting: Setting) -> Gems | None:
    """The allocations to be played; None where a game has no such gems or wizards look alike."""
    if GEMS not in {entry.key for entry in setting.rules.entries}:
        return None
    wizards = setting.rules.model.wizards
    if len(set(wizards.numbers)) < len(wizards.numbers):
        return None
    order = np.argsort(wizards.numbers)
    numbers = tuple(int(wizards.numbers[i]) for i in order)
    printed = tuple(int(wizards.gems[i]) for i in order)
    centre = tuple(min(max(g, CORNER), MOST_GEMS - CORNER) for g in printed)
    axes = [
        tuple(sign * AXIS if other == wizard else 0 for other in range(len(numbers)))
        for wizard in range(len(numbers))
        for sign in (-1, 1)
    ]
    corners = [
        tuple(CORNER * sign for sign in (*signs, math.prod(signs)))
        for signs in itertools.product((-1, 1), repeat=len(numbers) - 1)
    ]
    steps = ((0,) * len(numbers), *axes, *corners)
    level = (round(sum(printed) / len(printed)),) * len(printed)
    design = Gems(numbers, printed, centre, steps, ())
    extra = [gems for gems in dict.fromkeys([printed, level]) if gems not in design.played]
    return replace(design, extra=tuple(extra))


def gem_plays(setting: Setting, gems: Gems) -> tuple[Play, ...]:
    """One play per allocation, all drawn. Patches are in the order of the rules file."""
    numbers = setting.rules.model.wizards.numbers
    places = [gems.numbers.index(number) for number in numbers]
    plays = []
    for allocation in gems.played:
        patch = {**drawn_patches(setting), GEMS: [allocation[place] for place in places]}
        plays.append(Play(f"gems {gems_name(allocation)}", _other(setting), patch))
    return tuple(plays)


def gems_name(allocation: Sequence[int]) -> str:
    """An allocation in short: "6/5/5/6"."""
    return "/".join(map(str, allocation))


_BY_WIZARD = np.dtype([("win", np.int64), ("present", np.int64)])


def by_wizard(chunk: Chunk, numbers: Sequence[int]) -> Chunk:
    """A chunk whose seats are the wizards, by number: what each won, and whether it was there."""
    held = chunk.seats[ROLE].astype(np.int64)
    rows = np.zeros((len(held), len(numbers)), dtype=_BY_WIZARD)
    for place, number in enumerate(numbers):
        here = held == number
        rows["win"][:, place] = np.where(here, chunk.seats["win"], 0).sum(axis=1)
        rows["present"][:, place] = here.sum(axis=1)
    return Chunk(chunk.first, chunk.games, rows, chunk.counters)


def _won(play: int, wizard: int) -> Column:
    return Column(play, "win", seat=wizard + 1)


def _present(wizards: Iterable[int]) -> dict[Column, int]:
    return {Column(0, "present", seat=wizard + 1): 1 for wizard in wizards}


def gem_columns(gems: Gems) -> list[Column]:
    """What is summed of `gem_plays`, by wizard."""
    wizards = range(len(gems.numbers))
    won = [_won(play, wizard) for play in range(len(gems.played)) for wizard in wizards]
    return [*won, *_present(wizards)]


def surface(gems: Gems, sums: BlockSums, step: Sequence[int], level: float) -> list[Interval]:
    """Win rate of each wizard at these steps from the centre, by the linear surface.

    Least squares on an orthogonal design: the rate is sum_p y_p (1 / plays + step . step_p /
    squares). level: of each interval.
    """
    scale = len(gems.steps) * gems.squares
    weights = [
        gems.squares + len(gems.steps) * sum(a * b for a, b in zip(step, other, strict=True))
        for other in gems.steps
    ]
    found = []
    for wizard in range(len(gems.numbers)):
        num = {_won(play, wizard): weight for play, weight in enumerate(weights)}
        cluster = sums.cluster(num, _present([wizard]))
        interval = clustered_ratio(cluster, level, scale=WIN_UNIT * scale, method=_SURFACE)
        found.append(interval)
    return found


_SURFACE = "linear surface, Student over blocks"


def played_rates(gems: Gems, sums: BlockSums, play: int, level: float) -> list[Interval]:
    """Win rate of each wizard in a play. level: of each interval."""
    method = "Wilson on the effective number, over blocks"
    return [
        clustered_share(
            sums.cluster({_won(play, wizard): 1}, _present([wizard])),
            level,
            scale=WIN_UNIT,
            method=method,
        )
        for wizard in range(len(gems.numbers))
    ]


def gem_worth_frame(gems: Gems, sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `gem_worth` of this module."""
    rows = []
    wizards = range(len(gems.numbers))
    for wizard in (None, *wizards):
        some = wizards if wizard is None else [wizard]
        slope: dict[Column, int] = {}
        bend: dict[Column, int] = {}
        for w in some:
            for play, step in enumerate(gems.steps):
                if step[w]:
                    slope[_won(play, w)] = step[w]
                if step[w] in (-AXIS, AXIS) and sum(map(abs, step)) == AXIS:
                    bend[_won(play, w)] = 1
            bend[_won(0, w)] = -2
        for quantity, num, scale in (("per_gem", slope, gems.squares), ("bend", bend, 2)):
            interval = _ratio(
                sums, num, some, WIN_UNIT * scale, level, 1 if wizard is None else len(wizards)
            )
            rows.append(
                {
                    ROLE: None if wizard is None else gems.numbers[wizard],
                    "quantity": quantity,
                    **interval_row(interval),
                }
            )
    return frame(rows, (ROLE, "quantity", *INTERVAL_COLUMNS)).astype({ROLE: "Int64"})


def _ratio(
    sums: BlockSums,
    num: Mapping[Column, int],
    wizards: Iterable[int],
    scale: int,
    level: float,
    together: int,
) -> Interval:
    cluster = sums.cluster(num, _present(wizards))
    method = "contrast of plays, Student over paired blocks"
    return jointly(
        lambda own: clustered_ratio(cluster, own, scale=scale, bounds=(-1.0, 1.0), method=method),
        level,
        together,
    )


def reachable(gems: Gems) -> list[tuple[int, ...]]:
    """All allocations of whole gems no further from the centre than the corners."""
    return list(itertools.product(range(-CORNER, CORNER + 1), repeat=len(gems.numbers)))


def nearest_to_fair(
    gems: Gems, sums: BlockSums, steps: Iterable[Sequence[int]], players: int
) -> tuple[int, ...]:
    """The steps at which the surface is nearest to 1 / players; of equals the fewest gems moved."""
    wizards = range(len(gems.numbers))
    origin = np.array([i.estimate for i in surface(gems, sums, (0,) * len(gems.numbers), 0.95)])
    units = np.eye(len(gems.numbers), dtype=int).tolist()
    ahead = np.array([[i.estimate for i in surface(gems, sums, unit, 0.95)] for unit in units])
    slopes = ahead - origin  # [whose gem, whose rate]

    def distance(step: Sequence[int]) -> tuple[float, int, tuple[int, ...]]:
        rates = origin + sum(step[w] * slopes[w] for w in wizards)
        far = round(float(np.abs(rates - 1 / players).max()), 12)
        return far, gems.moved(gems.at(step)), tuple(step)

    return min(distance(step) for step in steps)[2]


def allocation_frames(
    gems: Gems, split: Halves, players: int, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames `allocations` and `nearest` of this module."""
    played = gems.played
    within = [gems.step(a) for a in played if max(map(abs, gems.step(a))) <= CORNER]
    best = gems.at(nearest_to_fair(gems, split.picking, within, players))
    model = gems.at(nearest_to_fair(gems, split.picking, reachable(gems), players))
    wizards = len(gems.numbers)
    own = simultaneous_level(level, wizards)
    rows, far = [], []
    for allocation in dict.fromkeys([gems.printed, best, model, *played]):
        is_played = allocation in played
        if is_played:
            intervals = played_rates(gems, split.measuring, played.index(allocation), own)
        else:
            intervals = surface(gems, split.measuring, gems.step(allocation), own)
        roles = {"rules": gems.printed, "best": best, "model": model}
        keys = {
            "gems": gems_name(allocation),
            "role": ", ".join(name for name, which in roles.items() if which == allocation),
            "played": is_played,
            "moved": gems.moved(allocation),
        }
        for number, interval in zip(gems.numbers, intervals, strict=True):
            row = interval_row(relabelled(interval, level, wizards))
            rows.append({**keys, ROLE: number, **row})
        deviation = largest_deviation(intervals, 1 / players, level)
        far.append({**keys, **interval_row(deviation)})
    keys_ = ("gems", "role", "played", "moved")
    return frame(rows, (*keys_, ROLE, *INTERVAL_COLUMNS)), frame(far, (*keys_, *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _other(setting: Setting) -> tuple[str, ...] | None:
    """The lineup of a play; None if it is the setting's, so that games are shared."""
    lineup = lineup_of(setting)
    return None if lineup == setting.seats else lineup


def _groups(setting: Setting) -> list[Group]:
    rotations, drawn, role = setting.rotations, drawn_patches(setting), role_of(setting)

    def rates(chunks: tuple[Chunk, ...]) -> Tallies:
        return tallies(chunks[0], rotations, role)

    groups = [Group(AS_DEALT, (Play(AS_DEALT, _other(setting)),), rates)]
    if drawn:
        groups.append(Group(ALL_DRAWN, (Play(ALL_DRAWN, _other(setting), drawn),), rates))
    gems = gems_of(setting)
    if gems is not None:
        columns = gem_columns(gems)

        def allocations(chunks: tuple[Chunk, ...]) -> Halves:
            return halves([by_wizard(c, gems.numbers) for c in chunks], columns, rotations)

        groups.append(Group("gems", gem_plays(setting, gems), allocations, GEM_SHARE))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    level, players = setting.level, setting.players
    plays = {name: sums[name] for name in (AS_DEALT, ALL_DRAWN) if name in sums}
    rates = rates_frame(plays, players, level)
    fairness = fairness_frame(plays, players, level)
    frames = {"rates": rates, "fairness": fairness}
    role = role_of(setting)
    seats = [seat_sentence(rates, fairness, players), habit_sentence(rates, fairness, role)]
    sentences = [" ".join(filter(None, seats))]
    if ALL_DRAWN in plays:
        if "cell" in plays[ALL_DRAWN].by:
            frames["together"] = together_frame(plays[ALL_DRAWN], players, level)
        sentences.append(apart_sentence(rates, fairness, role))
    gems = gems_of(setting)
    if gems is not None:
        split: Halves = sums["gems"]
        frames["gem_worth"] = gem_worth_frame(gems, split.picking + split.measuring, level)
        frames["allocations"], frames["nearest"] = allocation_frames(gems, split, players, level)
        sentences.append(gems_sentence(frames["nearest"], fairness, gems))
        sentences.append(worth_sentence(frames["gem_worth"], fairness, players))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def _one(found: pd.DataFrame, **keys: Any) -> dict[str, Any] | None:
    for key, value in keys.items():
        found = found[found[key].isna() if value is None else found[key] == value]
    rows = found.to_dict("records")
    return {str(key): value for key, value in rows[0].items()} if rows else None


def _ends(rates: pd.DataFrame, play: str, by: str) -> tuple[dict[str, Any], dict[str, Any]]:
    rows = rates[(rates["play"] == play) & (rates["by"] == by)]
    best = rows.loc[rows["estimate"].idxmax()].to_dict()
    return best, rows.loc[rows["estimate"].idxmin()].to_dict()


def _within(row: Mapping[str, Any]) -> str:
    return f"{row['margin'] * 100:g}{words.SPACE}points"


def seat_sentence(rates: pd.DataFrame, fairness: pd.DataFrame, players: int) -> str:
    """Whether the seats are fair as dealt."""
    row = _one(fairness, play=AS_DEALT, by="seat")
    if row is None:
        return "No game was won, so nothing can be said of the seats."
    best, worst = _ends(rates, AS_DEALT, "seat")
    ends = (
        f"seat {best['value']} wins {words.shown(best)} and seat {worst['value']} "
        f"{words.shown(worst)} ({words.share(1 / players)} would be fair)"
    )
    if row["verdict"] == "fair":
        return f"The seats are fair within {_within(row)}: as dealt, {ends}."
    if row["verdict"] == "not fair":
        return f"The seats are not fair: as dealt, {ends}, {words.gain(row)} apart."
    return f"Whether the seats are fair within {_within(row)} is undecided: as dealt, {ends}."


def apart_sentence(rates: pd.DataFrame, fairness: pd.DataFrame, role: str) -> str:
    """Turn order and roles told apart."""
    parts = []
    order = _one(fairness, play=ALL_DRAWN, by="order")
    if order is not None:
        best, worst = _ends(rates, ALL_DRAWN, "order")
        parts.append(
            f"who plays {words.ORDINALS[int(best['value']) - 1]} wins {words.shown(best)} and who "
            f"plays {words.ORDINALS[int(worst['value']) - 1]} {words.shown(worst)} "
            f"({_verdict_words(order)})"
        )
    held = _one(fairness, play=ALL_DRAWN, by=role) if role else None
    if held is not None:
        best, worst = _ends(rates, ALL_DRAWN, role)
        parts.append(
            f"{role} {best['value']} wins {words.shown(best)} and {role} {worst['value']} "
            f"{words.shown(worst)} ({_verdict_words(held)})"
        )
    if not parts:
        return ""
    return f"With {_dealt(fairness, role)} drawn by lot, {'; '.join(parts)}."


def _dealt(fairness: pd.DataFrame, role: str) -> str:
    """What is drawn by lot where all is: "the start", or "start and wizards"."""
    told = role and _one(fairness, play=ALL_DRAWN, by=role) is not None
    return f"start and {role}s" if told else "the start"


def habit_sentence(rates: pd.DataFrame, fairness: pd.DataFrame, role: str) -> str:
    """A warning where the number of a seat matters although all that it stands for is drawn."""
    seat = _one(fairness, play=ALL_DRAWN, by="seat")
    order = _one(fairness, play=ALL_DRAWN, by="order")
    if seat is None or order is None or seat["low"] == 0:
        return ""
    best, worst = (end["value"] for end in _ends(rates, ALL_DRAWN, "seat"))
    return (
        "At least part of that is a habit of the strategies, such as whom they pick among equals, "
        f"and not of the rules: with {_dealt(fairness, role)} drawn by lot nothing but its number "
        "is left "
        f"of a seat, and seats {best} and {worst} are still {words.gain(seat)} apart."
    )


def _verdict_words(row: Mapping[str, Any]) -> str:
    known = {"fair": "fair within", "not fair": "not fair within", "undecided": "undecided at"}
    return f"{known[row['verdict']]} {_within(row)}"


def gems_sentence(nearest: pd.DataFrame, fairness: pd.DataFrame, gems: Gems) -> str:
    """Whether the rules' gems are fair, and which allocation comes nearest."""
    row = _one(fairness, play=ALL_DRAWN, by=ROLE)
    rules = nearest[nearest["gems"] == gems_name(gems.printed)].to_dict("records")[0]
    best = nearest[nearest["role"].str.contains("best")].to_dict("records")[0]
    if row is None:
        return ""
    numbers = gems_name(gems.numbers)
    starting = f"{rules['gems']} starting gems for the wizards {numbers}"
    answer = {
        "fair": f"{starting} are fair within {_within(row)}",
        "not fair": f"{starting} are not fair",
        "undecided": f"Whether {starting} are fair within {_within(row)} is undecided",
    }[row["verdict"]]
    far = words.points(row["deviation"], row["deviation_low"], row["deviation_high"])
    text = f"{answer} (the wizard furthest from its fair share is {far} away)"
    count = counted(int(nearest["played"].sum()), "allocation")
    if best["gems"] == rules["gems"]:
        return f"{text}, and none of {count} played looks nearer to fair."
    fresh = (
        f"{words.gain(best)} away, against {words.gain(rules)} with {rules['gems']}, on deals "
        "that did not choose it"
    )
    if best["high"] < rules["low"]:
        return f"{text}. Of {count} played, {best['gems']} is nearest to fair: {fresh}."
    return (
        f"{text}. Of {count} played, {best['gems']} looks nearest to fair, but cannot "
        f"be told from {rules['gems']}: {fresh}."
    )


def worth_sentence(worth: pd.DataFrame, fairness: pd.DataFrame, players: int) -> str:
    """What a starting gem is worth, and whether gems could make up for the turn order."""
    row = _one(worth, wizard=None, quantity="per_gem")
    if row is None or math.isnan(row["estimate"]):
        return ""
    if row["high"] < 0:
        turned = {"estimate": -row["estimate"], "low": -row["high"], "high": -row["low"]}
        return (
            "As these strategies spend it, a starting gem more costs its owner "
            f"{words.gain(turned)} of win probability."
        )
    text = f"A starting gem more is worth {words.gain(row)} of win probability to its owner"
    order = _one(fairness, play=ALL_DRAWN, by="order")
    if order is None or order["verdict"] != "not fair":
        return f"{text}."
    if row["low"] <= 0:
        return f"{text}: too little to make up for the turn order."
    # a gem given to one lowers the others by as much in all
    needed = order["estimate"] / (row["estimate"] * players / (players - 1))
    return (
        f"{text}; the turn order is worth {words.gain(order)}, as much as about "
        f"{counted(math.ceil(needed), 'gem')}."
    )


QUESTION = Question("seats", TITLE, TEXT, _groups, _answer, least_players=2)
