"""What a sweep comes to: sums of cells in, tidy frames and sentences out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.designs import Cell, Factor
from analysis.intervals import Interval, simultaneous_level
from analysis.joint import JointSums
from analysis.measures import Measure
from analysis.sensitivity import (
    discoveries,
    factorial_effects,
    response,
    terms_of,
)
from analysis.sweep import (
    Asked,
    CellSums,
    Target,
    cost_of,
    difference,
    figure,
    overall,
    probability,
    shared_level,
    shortlist,
    standard_normals,
    verdicts,
)
from sim.wording import counted

BASE = 0  # the number of the base among the cells

FIGURE_COLUMNS = (
    "metric", "unit", "seat", "strategy", "where", "statistic", "estimate", "low", "high", "level",
    "n", "method", "difference", "difference_low", "difference_high",
)  # fmt: skip
TARGET_COLUMNS = ("games", "blocks", "probability", "verdict", "cost")
TAKEN = ("cell", "role", "target", "rank", *FIGURE_COLUMNS, *TARGET_COLUMNS)
"""Columns of the frames; no factor can be called so."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep that was played.

    kind: the design. cells: the base first, then the design's. asked: what was summed. sequential:
    whether cells stopped at different looks. replay: numbers of the cells that were played again on
    fresh deals, the cheapest that meets the targets (or the likeliest to) first. meets: whether it
    did so before the replay. frames:

    cells: a row per cell and figure; factors by name, FIGURE_COLUMNS, difference to the base.
    targets: a row per cell; factors by name, TARGET_COLUMNS, a verdict per target.
    sensitivity, fit: `analysis.sensitivity.response` per figure. effects: of a factorial.
    indices: Sobol or Morris per figure. replay: as cells, for the cells played again.
    """

    kind: str
    factors: tuple[Factor, ...]
    cells: tuple[Cell, ...]
    asked: Asked
    level: float
    sequential: bool
    frames: Mapping[str, pd.DataFrame]
    sentences: tuple[str, ...]
    replay: tuple[int, ...] = ()
    meets: bool = False

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets."""
        return self.asked.targets

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the frames that answer the question at a glance, where there are any."""
        names: tuple[str, ...] = ("targets", "replay", "effects", "sensitivity", "indices")
        if not self.targets:
            names = names[2:]
        found = tuple(name for name in names if name in self.frames and len(self.frames[name]))
        return found or ("cells",)

    def values(self, number: int) -> dict[str, Any]:
        """Return the values of a cell by the names of the factors."""
        return named(self.factors, self.cells[number])


def named(factors: Sequence[Factor], cell: Cell) -> dict[str, Any]:
    """Return the values of a cell by the names of the factors, lists as text."""
    return {factor.name: _text(value) for factor, value in zip(factors, cell, strict=True)}


def _text(value: Any) -> Any:
    if isinstance(value, tuple):
        return "[" + ", ".join(str(_text(one)) for one in value) + "]"
    return value


def said(value: Any) -> str:
    """Return a value for a sentence."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return f"{value:.4g}"
    return str(_text(value))


# --------------------------------------------------------------------------------------- frames


def figure_keys(measure: Measure) -> dict[str, Any]:
    """Return the columns that tell one figure of a cell from another."""
    return {
        "metric": measure.metric.name,
        "unit": measure.metric.unit,
        "seat": measure.seat,
        "strategy": measure.strategy,
        "where": ", ".join(f"{field} {value}" for field, value in measure.fields) or None,
        "statistic": measure.statistic,
    }


def _figure_row(
    sums: CellSums, asked: Asked, place: int, level: float, *, sequential: bool, is_base: bool
) -> dict[str, Any]:
    pair = sums.pairs[place]
    found = figure(pair, sums.counts[len(asked.conditions) + place], level, sequential=sequential)
    change = difference(pair, level, sequential=sequential)
    ends = (math.nan,) * 3 if change is None else (change.estimate, change.low, change.high)
    if is_base:
        ends = (0.0, 0.0, 0.0)
    return {
        **figure_keys(asked.measures[place]),
        **_interval(found),
        **dict(zip(("difference", "difference_low", "difference_high"), ends, strict=True)),
    }


def _interval(found: Interval) -> dict[str, Any]:
    return {
        "estimate": found.estimate,
        "low": found.low,
        "high": found.high,
        "level": found.level,
        "n": found.n,
        "method": found.method,
    }


def level_of(measure: Measure, asked: Asked, level: float) -> float:
    """Return the level of a figure's interval: a target's shares the error rate with the others."""
    targeted = any(target.measure == measure for target in asked.targets)
    return shared_level(level, asked) if targeted else level


def cells_frame(
    factors: Sequence[Factor],
    cells: Sequence[Cell],
    sums: Sequence[CellSums],
    asked: Asked,
    level: float,
    *,
    sequential: bool,
) -> pd.DataFrame:
    """Return every figure of every cell, with its difference to the base (cell 0).

    Intervals hold for a cell by itself.
    """
    rows = []
    for number, (cell, found) in enumerate(zip(cells, sums, strict=True)):
        for place, measure in enumerate(asked.measures):
            own = level_of(measure, asked, level)
            same = number == BASE or cell == cells[BASE]
            row = _figure_row(found, asked, place, own, sequential=sequential, is_base=same)
            rows.append({"cell": number, **named(factors, cell), **row})
    columns = ["cell", *(factor.name for factor in factors), *FIGURE_COLUMNS]
    return _tidy(pd.DataFrame(rows, columns=columns))


def _tidy(frame: pd.DataFrame) -> pd.DataFrame:
    """Give seats whole numbers, and drop columns that no figure is grouped by."""
    frame = frame.assign(seat=frame["seat"].astype("Int64"))
    empty = [name for name in ("seat", "strategy", "where") if frame[name].isna().all()]
    return frame.drop(columns=empty)


def targets_frame(
    factors: Sequence[Factor],
    cells: Sequence[Cell],
    sums: Sequence[CellSums],
    asked: Asked,
    level: float,
    *,
    sequential: bool,
    seed: int,
) -> pd.DataFrame:
    """Return each cell's games, P(all targets met), verdicts and cost."""
    normals = standard_normals(seed, len(asked.conditions))
    rows = []
    for number, (cell, found) in enumerate(zip(cells, sums, strict=True)):
        judged = verdicts(found, asked, level, sequential=sequential)
        blocks = found.pairs[0].blocks
        row: dict[str, Any] = {
            "cell": number,
            **named(factors, cell),
            "games": blocks * asked.rotations,
            "blocks": blocks,
            "probability": math.nan,
            "verdict": str(overall(judged)),
            "cost": cost_of(cell, factors),
        }
        if found.joint is not None:
            row["probability"] = probability(found.joint, asked.conditions, normals)
        for target, verdict in zip(asked.targets, judged, strict=True):
            row[target.name] = str(verdict)
        rows.append(row)
    columns = ["cell", *(factor.name for factor in factors), *TARGET_COLUMNS]
    columns += [target.name for target in asked.targets]
    frame = pd.DataFrame(rows, columns=columns)
    return frame if asked.targets else frame.drop(columns=["probability", "verdict", "cost"])


def candidates(frame: pd.DataFrame, cells: Sequence[Cell], level: float) -> tuple[list[int], bool]:
    """Return the cells to be played again, and whether the first meets the targets.

    The base is a candidate; a cell of the design that equals it is not listed twice.
    """
    known = [
        number for number in range(len(cells)) if number == BASE or cells[number] != cells[BASE]
    ]
    costs = [float(frame["cost"].iloc[number]) for number in known]
    chances = [float(frame["probability"].iloc[number]) for number in known]
    found = [known[place] for place in shortlist(costs, chances, level)]
    return found, bool(found and frame["probability"].iloc[found[0]] >= level)


def replay_frame(
    factors: Sequence[Factor],
    cells: Sequence[Cell],
    sums: Mapping[int, CellSums],
    asked: Asked,
    level: float,
    *,
    seed: int,
) -> pd.DataFrame:
    """Return the figures of the cells that were played again on fresh deals.

    sums: by number, in the order of the shortlist, and the base. The number of games was fixed
    beforehand; intervals share the error rate among all cells and conditions.
    """
    normals = standard_normals(seed, len(asked.conditions))
    each = simultaneous_level(level, len(sums) * max(1, len(asked.conditions)))
    rows = []
    for rank, (number, found) in enumerate(sums.items(), start=1):
        assert found.joint is not None
        judged = verdicts(found, asked, simultaneous_level(level, len(sums)), sequential=False)
        for place in range(len(asked.measures)):
            row = _figure_row(found, asked, place, each, sequential=False, is_base=number == BASE)
            rows.append(
                {
                    "rank": rank,
                    "cell": number,
                    **named(factors, cells[number]),
                    **row,
                    "probability": probability(found.joint, asked.conditions, normals),
                    "verdict": str(overall(judged)),
                    "cost": cost_of(cells[number], factors),
                }
            )
    columns = ["rank", "cell", *(factor.name for factor in factors), *FIGURE_COLUMNS]
    return _tidy(pd.DataFrame(rows, columns=[*columns, "probability", "verdict", "cost"]))


def response_frames(
    factors: Sequence[Factor],
    cells: Sequence[Cell],
    joints: Mapping[Measure, JointSums],
    level: float,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Return `sensitivity` and `fit`: the regression of each figure on the factors.

    cells: the design's, in the order of the figures of `joints`.
    """
    terms = terms_of(factors, cells)
    effects, fits = [], []
    for measure, joint in joints.items():
        means, spread = _scaled(joint, measure)
        frame, fit = response(terms, means, spread, joint.blocks, seed=seed, level=level)
        keys = figure_keys(measure)
        effects.append(frame.assign(**keys)[[*keys, *frame.columns]])
        fits.append({**keys, **fit})
    filled = [frame for frame in effects if len(frame)]
    sensitivity = pd.concat(filled, ignore_index=True) if filled else effects[0]
    if len(sensitivity):
        sensitivity["rank"] = sensitivity["rank"].astype("Int64")
    return {"sensitivity": _tidy(sensitivity), "fit": _tidy(pd.DataFrame(fits))}


def effects_frame(
    factors: Sequence[Factor],
    codes: Any,
    joints: Mapping[Measure, JointSums],
    level: float,
) -> pd.DataFrame:
    """Return main effects and interactions of a factorial, for each figure.

    discovery: whether the effect stands among all of the table's (Benjamini and Hochberg).
    """
    frames = []
    names = [factor.name for factor in factors]
    for measure, joint in joints.items():
        means, spread = _scaled(joint, measure)
        frame = factorial_effects(codes, names, means, spread, joint.blocks, level)
        keys = figure_keys(measure)
        frames.append(frame.assign(**keys)[[*keys, *frame.columns]])
    frame = pd.concat(frames, ignore_index=True)
    return _tidy(frame.assign(discovery=discoveries(frame["p"].tolist(), level)))


def _scaled(joint: JointSums, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
    scale = measure.metric.scale
    return joint.means() / scale, joint.covariance() / scale**2


# ------------------------------------------------------------------------------------ sentences


def change_words(factors: Sequence[Factor], cell: Cell) -> str:
    """Return what a cell changes against the base: "die faces 1 instead of 2"."""
    parts = [
        f"{factor.name} {said(value)} instead of {said(factor.base)}"
        for factor, value in zip(factors, cell, strict=True)
        if value != factor.base
    ]
    return words.listed(parts) or "the rules as they are"


def amount(measure: Measure, estimate: float, low: float, high: float) -> str:
    """Return a figure with its interval in words."""
    if measure.is_share:
        return words.share(estimate, low, high)
    if measure.quantile is not None:
        return words.whole(estimate, low, high, measure.metric.unit)
    return words.number(estimate, low, high, measure.metric.unit)


def change_amount(measure: Measure, estimate: float, low: float, high: float) -> str:
    """Return a difference with its interval in words."""
    if measure.is_share:
        return words.points(estimate, low, high)
    return words.number(estimate, low, high, measure.metric.unit)


UNTOLD = (
    "How likely a cell is to meet the targets cannot be told: there are too few games, or too few "
    "rows of the kind that a target asks for."
)


def target_sentences(
    targets: pd.DataFrame,
    replay: pd.DataFrame,
    factors: Sequence[Factor],
    cells: Sequence[Cell],
    asked: Asked,
    chosen: Sequence[int],
    meets: bool,
    level: float,
) -> list[str]:
    """Return what a designer wants to know of the targets; the chosen cell as played again."""
    design = targets.iloc[1:]
    sure = int((design["probability"] >= level).sum())
    out = int((design["probability"] < 1 - level).sum())
    sentences = []
    best = replay[replay["rank"] == 1]
    figures = "; ".join(_target_words(best, target) for target in asked.targets)
    again = float(best["probability"].iloc[0])
    what = change_words(factors, cells[chosen[0]])
    if not meets:
        lead = f"No cell meets all targets for certain; nearest to them: {what}"
    elif again < level:
        lead = f"The cheapest cell that seemed to meet the targets, {what}, is not sure to"
    elif chosen[0] == BASE:
        lead = "The rules as they are meet the targets"
    else:
        lead = f"The cheapest change that meets the targets: {what}"
    sentences.append(
        f"{lead}. On fresh deals it has {figures}; all targets are met with a probability of "
        f"{chance(again)}."
    )
    sentences.append(
        f"Of {counted(len(design), 'cell')}, {sure} {'meets' if sure == 1 else 'meet'} all "
        "targets with a probability of "
        f"{words.share(level)} or more, {out} with one below {words.share(1 - level)}."
    )
    return sentences


def chance(probability: float) -> str:
    """Return a probability that was found by draws: none and all of them are no certainty."""
    if probability > 0.9995:
        return f"over{words.SPACE}99.9{words.SPACE}%"
    if probability < 0.0005:
        return f"under{words.SPACE}0.1{words.SPACE}%"
    return words.share(probability)


def _target_words(rows: pd.DataFrame, target: Target) -> str:
    for row in rows.to_dict("records"):
        if all(_same(row.get(key), value) for key, value in figure_keys(target.measure).items()):
            found = amount(target.measure, row["estimate"], row["low"], row["high"])
            return f"{target.name}: {found}"
    raise ValueError(f"no row of {target.name}")


def _same(a: Any, b: Any) -> bool:
    missing = a is None or a is pd.NA or (isinstance(a, float) and math.isnan(a))
    return missing if b is None else (not missing and a == b)


def ranking_sentences(
    sensitivity: pd.DataFrame, fit: pd.DataFrame, measures: Sequence[Measure]
) -> list[str]:
    """Return what moves each figure most, or that noise or misfit hides it."""
    sentences = []
    silent: list[Measure] = []
    bent: list[Measure] = []
    for measure in measures:
        rows = of_measure(sensitivity, measure)
        if not len(rows):
            continue
        ranked = rows[rows["rank"].notna()].sort_values("rank")
        if not len(ranked):
            moves = bool(of_measure(fit, measure)["distinguishable"].iloc[0])
            (bent if moves else silent).append(measure)
            continue
        first = ranked.iloc[0]
        moved = change_amount(measure, first["effect"], first["low"], first["high"])
        misfit = float(of_measure(fit, measure)["misfit"].iloc[0])
        tail = ""
        if misfit > 0.05:
            tail = (
                f"; {words.share(misfit)} of the variance over the cells is interplay or curvature "
                "that such effects leave out"
            )
        sentences.append(
            f"For {title(measure)} most depends on {first['factor']}: from {first['change']} makes "
            f"a difference of {moved} on average over the cells{tail}."
        )
    if bent:
        sentences.append(
            f"For {words.listed([title(one) for one in bent])} cells differ by more than noise, "
            "but no factor's average effect stands out, so none is ranked; the cells show how."
        )
    return sentences + _silent(silent)


def title(measure: Measure) -> str:
    """Return a figure's name in words: "win rate of seat 1"."""
    return measure.name.replace("_", " ")


def _silent(measures: Sequence[Measure]) -> list[str]:
    """Return the sentence about figures of which noise hides what matters."""
    if not measures:
        return []
    names = words.listed([title(one) for one in measures])
    return [f"For {names} no factor is distinguishable from noise, so none is ranked."]


def effect_sentences(effects: pd.DataFrame, measures: Sequence[Measure]) -> list[str]:
    """Return the largest main effect and the largest interaction of each figure.

    Of the seats, and of the strategies, only the figure that they move most.
    """
    sentences = []
    silent = []
    groups: dict[tuple[str, bool, bool], list[Measure]] = {}
    for one in measures:
        key = one.metric.name, one.seat is not None, one.strategy is not None
        groups.setdefault(key, []).append(one)
    for group in groups.values():
        found = [(one, of_measure(effects, one)) for one in group]
        moved = [(one, rows) for one, rows in found if rows["discovery"].any()]
        if not moved:
            silent += group
            continue
        measure, rows = max(
            moved, key=lambda pair: float(pair[1].loc[pair[1]["discovery"], "effect"].abs().max())
        )
        parts = []
        for kind, words_for in (
            ("main", "the largest effect is that of"),
            ("interaction", "the largest interaction that of"),
        ):
            sure = rows[(rows["kind"] == kind) & rows["discovery"]]
            if len(sure):
                top = sure.loc[sure["effect"].abs().idxmax()]
                amount_of = change_amount(measure, top["effect"], top["low"], top["high"])
                parts.append(f"{words_for} {top['effect_of']}, {amount_of}")
        sentences.append(f"For {title(measure)} {words.listed(parts)}.")
    return sentences + _silent(silent)


def index_sentences(indices: pd.DataFrame, measures: Sequence[Measure], kind: str) -> list[str]:
    """Return the ranking of each figure by its indices, or that noise hides it."""
    sentences = []
    silent = []
    by = "total" if kind == "indices" else "size"
    for measure in measures:
        rows = of_measure(indices, measure)
        if not len(rows):
            continue
        ranked = rows[rows["rank"].notna()].sort_values("rank")
        if not len(ranked):
            silent.append(measure)
            continue
        listed = []
        for row in ranked.to_dict("records"):
            ends = row[by], row[f"{by}_low"], row[f"{by}_high"]
            size = words.share(*ends) if by == "total" else words.number(*ends)
            listed.append(f"{row['factor']} {size}")
        what = "total Sobol indices" if kind == "indices" else "sizes of elementary effects"
        sentences.append(
            f"For {title(measure)} the {what} above what a dummy factor reaches are those of "
            f"{words.listed(listed)}."
        )
    return sentences + _silent(silent)


def of_measure(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return the rows of one figure."""
    chosen = pd.Series(True, index=frame.index)
    for key, value in figure_keys(measure).items():
        if key not in frame:
            continue
        column = frame[key]
        chosen &= column.isna() if value is None else (column == value).fillna(False).astype(bool)
    return frame[chosen]
