"""The section about a sweep: curves or maps of its figures, targets, what matters most."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis import words
from analysis.designs import Factor
from analysis.measures import Measure
from analysis.question import Setting
from analysis.sensitivity import DUMMY
from analysis.sweep import DRAWS, Target
from analysis.sweep_answer import (
    BASE,
    Sweep,
    amount,
    chance,
    change_amount,
    of_measure,
    said,
    title,
)
from reports import figures, maps, style
from reports.answers.parts import n_of, percent, picture
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval
from sim.wording import counted

MOST_MAPS = 6  # figures without a target that get a map
MOST_ROWS = 40  # cells that the report's table lists
MOST_EFFECTS = 16  # effects in one picture; smaller interactions are left out of it
FEWEST_PAIRS = 4  # interactions in it, however many main effects there are
DESIGNS = {
    "grid": "every combination of the values",
    "latin": "a Latin hypercube",
    "sobol": "a scrambled Sobol sequence",
    "factorial": "every combination of two values each",
    "indices": "Saltelli's sample for Sobol indices",
    "morris": "Morris's trajectories",
}


def section(setting: Setting, sweep: Sweep) -> Section:
    """Return the section: findings, pictures, the cells that were played again, the ranking."""
    blocks: list[Block] = [Text(_varied(sweep))]
    blocks += [Finding(sentence) for sentence in sweep.sentences[:1]]
    if len(sweep.sentences) > 1:
        blocks.append(Text("\n".join(f"- {sentence}" for sentence in sweep.sentences[1:])))
    if "cells" in sweep.frames:
        blocks += pictures(setting, sweep)
    if "replay" in sweep.frames:
        blocks.append(_replay_table(sweep))
    if "targets" in sweep.frames and sweep.targets:
        blocks.append(_targets_table(sweep))
    if "effects" in sweep.frames:
        blocks += _effects(sweep)
    if "sensitivity" in sweep.frames:
        blocks += _sensitivity(sweep)
    if "indices" in sweep.frames:
        blocks += _indices(sweep)
    return Section("Sweep", blocks)


def pictures(setting: Setting, sweep: Sweep) -> list[Figure]:
    """Return curves for one factor, maps for two; none for more, where effects say it better."""
    if len(sweep.factors) > 2 or sweep.kind == "factorial":
        return []
    found = []
    targeted = [target.measure for target in sweep.targets]
    others = [one for one in sweep.asked.measures if one not in targeted]
    if len(sweep.factors) == 2:
        if sweep.targets:
            found.append(_probability_map(sweep))
        found += [_map(sweep, one) for one in [*dict.fromkeys(targeted), *others[:MOST_MAPS]]]
    else:
        if sweep.targets:
            found.append(_probability_curve(sweep))
        found += [_curve(sweep, one) for one in dict.fromkeys(targeted)]
        found += _curves_by_group(sweep, others)
    return found


# ----------------------------------------------------------------------------------- in words


def _varied(sweep: Sweep) -> str:
    parts = []
    for factor in sweep.factors:
        if factor.levels is not None:
            span = words.listed([said(value) for value in factor.levels], "or")
        else:
            span = f"{factor.low:g} to {factor.high:g}"
        key = "" if factor.name == factor.key else f" (`{factor.key}`)"
        parts.append(f"**{factor.name}**{key}, {span}, in the base {said(factor.base)}")
    text = "Varied: " + "; ".join(parts) + f". The design is {DESIGNS[sweep.kind]}"
    text += f", {counted(len(sweep.cells) - 1, 'different cell')}."
    if sweep.targets:
        wanted = [
            f"{target.name} from {_bound(target, target.low)} to {_bound(target, target.high)}"
            for target in sweep.targets
        ]
        text += f" Wanted: {'; '.join(wanted)}."
    return text


def _bound(target: Target, value: float) -> str:
    if target.measure.is_share:
        return f"{value * 100:g}{words.SPACE}%"
    return f"{value:g}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:48]


def _kind(measure: Measure) -> str:
    return "rate" if measure.is_share else "mean"


def _difference_kind(measure: Measure) -> str:
    return "points" if measure.is_share else "difference"


def _caption(sweep: Sweep, rows: pd.DataFrame) -> str:
    method = rows["method"].mode().iloc[0]
    return (
        f"{n_of(rows, 'block')} a cell; interval at {percent(float(rows['level'].iloc[0]))} for "
        "each cell "
        f"by itself ({method}). All cells are played on the same deals, so the whole picture errs "
        "together."
    )


def _marks(sweep: Sweep) -> dict[str, tuple[Any, Any]]:
    """Return what a map points at: the base, and the cell that was picked."""
    first, second = (factor.name for factor in sweep.factors)
    base = sweep.values(BASE)
    found = {"the rules as they are": (base[first], base[second])}
    if sweep.replay and sweep.replay[0] != BASE:
        best = sweep.values(sweep.replay[0])
        name = "cheapest that meets all targets" if sweep.meets else "nearest to the targets"
        found[name] = (best[first], best[second])
    return found


def _design_rows(sweep: Sweep, frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["cell"] != BASE]


def _plot(sweep: Sweep) -> Callable[..., Axes]:
    numbers = all(factor.is_number for factor in sweep.factors)
    return maps.scatter_map if sweep.kind in ("latin", "sobol") and numbers else maps.heat_map


def _is_grid(sweep: Sweep) -> bool:
    return _plot(sweep) is maps.heat_map


# ----------------------------------------------------------------------------------- pictures


def _map(sweep: Sweep, measure: Measure) -> Figure:
    rows = _design_rows(sweep, of_measure(sweep.frames["cells"], measure))
    first, second = (factor.name for factor in sweep.factors)
    contours: dict[float, str] = {}
    for target in sweep.targets:
        if target.measure == measure:
            for end, name in ((target.low, "least"), (target.high, "most")):
                if np.isfinite(end):
                    contours[end] = f"{name} wanted: {_bound(target, end)}"
    options: dict[str, Any] = {
        "x": first,
        "y": second,
        "kind": _kind(measure),
        "contours": contours,
        "marks": _marks(sweep),
    }
    size = _size(rows, second) if _is_grid(sweep) else style.TALL
    span = _span(measure, rows)
    return Figure(
        f"map_{_slug(measure.name)}",
        picture(_plot(sweep), rows, size, **options),
        f"Map of {title(measure)} over {first} and {second}: {span}.",
        f"{_capital(title(measure))} in {_unit(measure)}. {_caption(sweep, rows)}",
        f"{_heading(sweep, measure)}: {span} over the cells",
    )


def _span(measure: Measure, rows: pd.DataFrame) -> str:
    """Return the smallest and the largest estimate in words: "28.6 to 45 rolls"."""
    least, most = float(rows["estimate"].min()), float(rows["estimate"].max())
    if measure.is_share:
        return f"{least * 100:.1f} to {most * 100:.1f}{words.SPACE}%"
    return f"{least:.3g} to {most:.3g} {measure.metric.unit}"


def _heading(sweep: Sweep, measure: Measure) -> str:
    """Return what a picture is about: the target's name where the figure has one."""
    names = [target.name for target in sweep.targets if target.measure == measure]
    return _capital(names[0] if names else title(measure))


def _unit(measure: Measure) -> str:
    return measure.metric.unit.replace("share", "%") if measure.is_share else measure.metric.unit


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _size(rows: pd.DataFrame, down: str) -> tuple[float, float]:
    """As tall as the rows of a map need."""
    return style.FULL[0], min(4.6, max(2.4, 0.9 + 0.42 * rows[down].nunique()))


def _probability_map(sweep: Sweep) -> Figure:
    rows = _design_rows(sweep, sweep.frames["targets"])
    first, second = (factor.name for factor in sweep.factors)
    options: dict[str, Any] = {
        "x": first,
        "y": second,
        "value": "probability",
        "kind": "rate",
        "contours": {0.5: "as likely as not"},
        "marks": _marks(sweep),
        "limits": (0.0, 1.0),
    }
    if _is_grid(sweep):
        options |= {"low": None, "high": None}
    size = _size(rows, second) if _is_grid(sweep) else style.TALL
    return Figure(
        "map_probability",
        picture(_plot(sweep), rows, size, **options),
        f"Map of the probability that all targets are met over {first} and {second}: "
        f"{_sure(sweep, rows)}.",
        _probability_caption(sweep, rows),
        _capital(_sure(sweep, rows)),
    )


def _sure(sweep: Sweep, rows: pd.DataFrame) -> str:
    sure = int((rows["probability"] >= sweep.level).sum())
    many = {0: "no cell meets", 1: f"1 of {counted(len(rows), 'cell')} meets"}
    lead = many.get(sure, f"{sure} of {counted(len(rows), 'cell')} meet")
    return f"{lead} all targets with {percent(sweep.level)} certainty"


def _probability_caption(sweep: Sweep, rows: pd.DataFrame) -> str:
    least, most = int(rows["games"].min()), int(rows["games"].max())
    games = words.count(most)
    if least != most:
        games = f"{words.count(least)} to {words.count(most)}, more where the verdict was open"
    return (
        "Probability in % that all targets are met: the share of "
        f"{counted(DRAWS, 'draw')} from the joint normal of a cell's block means. Games of a "
        f"cell: {games}. All cells are played on the same deals, so the whole map errs together."
    )


def _probability_curve(sweep: Sweep) -> Figure:
    rows = _design_rows(sweep, sweep.frames["targets"])
    factor = sweep.factors[0]
    rows = rows.assign(low=rows["probability"], high=rows["probability"])
    return Figure(
        "curve_probability",
        _line(rows, factor, "probability", "rate", (sweep.level, 1.0), "sure"),
        f"Probability that all targets are met by {factor.name}.",
        _probability_caption(sweep, rows),
        _capital(_sure(sweep, rows)),
    )


def _line(
    rows: pd.DataFrame,
    factor: Factor,
    estimate: str,
    kind: str,
    within: tuple[float, float] | None,
    wanted: str,
    by: str | None = None,
) -> Callable[[], Any]:
    """A curve over a number, dots over words; the wanted range as a band."""

    def finish(axes: Axes) -> None:
        if within is None:
            return
        low, high = axes.get_ylim() if factor.is_number else axes.get_xlim()
        first, last = max(within[0], min(low, within[0])), min(within[1], max(high, within[1]))
        first = first if np.isfinite(first) else low
        last = last if np.isfinite(last) else high
        draw = axes.axhspan if factor.is_number else axes.axvspan
        draw(first, last, color=style.SERIES[3], alpha=0.22, linewidth=0, zorder=0, label=wanted)
        if by is None:
            figures._legend(axes)

    if factor.is_number:
        return picture(
            figures.curve_with_band,
            rows,
            style.FULL,
            finish,
            x=factor.name,
            estimate=estimate,
            by=by,
            by_label=by or "",
            kind=kind,
            xlabel=factor.name,
        )
    labelled = rows.assign(**{factor.name: [said(value) for value in rows[factor.name]]})
    return picture(
        figures.interval_dots,
        labelled,
        style.FULL,
        finish,
        label=factor.name,
        estimate=estimate,
        by=by,
        by_label=by or "",
        kind=kind,
    )


def _curve(sweep: Sweep, measure: Measure) -> Figure:
    rows = _design_rows(sweep, of_measure(sweep.frames["cells"], measure))
    factor = sweep.factors[0]
    target = next(target for target in sweep.targets if target.measure == measure)
    span = f"{_bound(target, target.low)} to {_bound(target, target.high)}"
    seen = _span(measure, rows)
    return Figure(
        f"curve_{_slug(measure.name)}",
        _line(
            rows,
            factor,
            "estimate",
            _kind(measure),
            (target.low, target.high),
            f"wanted: {span}",
        ),
        f"{title(measure)} by {factor.name}: {seen}.",
        f"{_capital(title(measure))} in {_unit(measure)}. {_caption(sweep, rows)}",
        f"{_heading(sweep, measure)}: {seen} over {factor.name}",
    )


def _curves_by_group(sweep: Sweep, measures: list[Measure]) -> list[Figure]:
    """Return one picture a metric, its seats or strategies as series."""
    found = []
    factor = sweep.factors[0]
    for name in dict.fromkeys(measure.metric.name for measure in measures):
        for key in ("seat", "strategy", None):
            group = [
                one
                for one in measures
                if one.metric.name == name
                and (key is None) == (one.seat is None and one.strategy is None)
                and (key is None or getattr(one, key) is not None)
            ]
            if not group:
                continue
            parts = [
                of_measure(sweep.frames["cells"], one).assign(
                    group=str(getattr(one, key)) if key else ""
                )
                for one in group
            ]
            rows = _design_rows(sweep, pd.concat(parts))
            name_of_group = key or "group"
            rows = rows.drop(columns=[name_of_group], errors="ignore") if key else rows
            rows = rows.rename(columns={"group": name_of_group})
            heading = f"{name.replace('_', ' ')}{f' by {key}' if key else ''}"
            found.append(
                Figure(
                    f"curve_{_slug(name)}_{key or 'all'}",
                    _line(rows, factor, "estimate", _kind(group[0]), None, "", key),
                    f"{heading} over {factor.name}.",
                    f"In {_unit(group[0])}. {_caption(sweep, rows)}",
                    f"{_capital(heading)} over {factor.name}",
                )
            )
    return found


# ------------------------------------------------------------------------------------- tables


def _replay_table(sweep: Sweep) -> Table:
    frame = sweep.frames["replay"]
    names = [factor.name for factor in sweep.factors]
    parts = []
    for target in sweep.targets:
        found = of_measure(frame, target.measure)
        records = found.to_dict("records")
        parts.append(
            found.assign(
                role=[_role(sweep, row) for row in records],
                figure=target.name,
                found=[
                    amount(target.measure, row["estimate"], row["low"], row["high"])
                    for row in records
                ],
                against=[_against(target.measure, row) for row in records],
            )
        )
    rows = pd.concat(parts).sort_values("rank", kind="stable")
    columns = {"role": "cell", **{name: name for name in names}, "figure": "figure"}
    columns |= {"found": "estimate", "against": "against the base"}
    columns |= {"probability": "all targets met"}
    return Table(
        "replay",
        rows,
        "Played again on fresh deals: a cell that was picked as the best of many looks better than "
        "it is, so only these figures are quoted. "
        f"n = {counted(rows['n'].iloc[0], 'block')} a cell, a number fixed beforehand; intervals "
        f"at {percent(sweep.level)} for all of them together.",
        columns=columns,
        formats={
            **dict.fromkeys(names, _value),
            "probability": chance,
        },
        headline=True,
    )


def _against(measure: Measure, row: Mapping[str, Any]) -> str:
    if row["cell"] == BASE or pd.isna(row["difference"]):
        return "–"
    ends = row["difference"], row["difference_low"], row["difference_high"]
    return change_amount(measure, *ends)


def _role(sweep: Sweep, row: Mapping[str, Any]) -> str:
    if row["rank"] == 1:
        name = "cheapest that meets" if sweep.meets else "nearest to the targets"
        return f"{name} (base)" if row["cell"] == BASE else name
    return "base" if row["cell"] == BASE else "rival"


def _figure_name(row: Mapping[str, Any]) -> str:
    parts = [str(row["metric"])]
    if row["statistic"] != "mean":
        parts[0] += f" {row['statistic']}"
    for key in ("seat", "strategy", "where"):
        value = row.get(key)
        if value is not None and value is not pd.NA and value == value:
            parts.append(f"{key} {value}" if key == "seat" else str(value))
    return ", ".join(parts)


def _value(value: Any) -> str:
    return said(value.item() if hasattr(value, "item") else value)


def _targets_table(sweep: Sweep) -> Table:
    frame = sweep.frames["targets"]
    names = [factor.name for factor in sweep.factors]
    order = frame.sort_values(["probability", "cost"], ascending=[False, True], kind="stable")
    cut = ""
    if len(order) > MOST_ROWS:
        cut = f" The {MOST_ROWS} likeliest of {len(order)}; all are in targets.csv."
    rows = order.head(MOST_ROWS)
    columns = {"cell": "cell", **{name: name for name in names}, "cost": "cost", "games": "games"}
    columns |= {"probability": "all targets met", "verdict": "verdict"}
    columns |= {target.name: target.name for target in sweep.targets}
    return Table(
        "cells_by_probability",
        rows,
        "Cells by the probability that all targets are met. Cost: share of the "
        "range that each number moves, times its cost. Verdicts are read off "
        f"{'confidence sequences' if sweep.sequential else 'intervals'} at {percent(sweep.level)} "
        f"for each cell by itself.{cut}",
        columns=columns,
        formats={
            "cell": lambda number: "base" if number == BASE else str(number),
            **dict.fromkeys(names, _value),
            "cost": "number",
            "probability": chance,
            "games": "count",
        },
    )


def _effects(sweep: Sweep) -> list[Block]:
    frame = sweep.frames["effects"]
    blocks: list[Block] = []
    for measures in _by_metric(sweep):
        rows = pd.concat(
            [
                of_measure(frame, one).assign(of=_group(one))
                for one in measures
                if one.quantile is None
            ]
        )
        if not len(rows):
            continue
        name = measures[0].metric.name
        several = len(measures) > 1
        top = rows.loc[rows["effect"].abs().idxmax()]
        first = next(one for one in measures if _group(one) == top["of"])
        moved = _moved(first, *(float(top[end]) for end in ("effect", "low", "high")))
        rows, hidden = _largest(rows)
        each = 0.15 if not several else 0.14 + 0.1 * len(measures)
        size = (style.FULL[0], min(6.6, 0.9 + each * rows["effect_of"].nunique()))
        left_out = (
            f" The {hidden} smaller interactions are in {{table:effects}} only." if hidden else ""
        )
        blocks.append(
            Figure(
                f"effects_{_slug(name)}_{_slug(_group_kind(measures[0]))}",
                picture(
                    figures.interval_dots,
                    rows,
                    size,
                    label="effect_of",
                    estimate="effect",
                    by="of" if several else None,
                    by_label=_group_kind(measures[0]) if several else "",
                    kind=_difference_kind(first),
                    reference=0.0,
                    xlabel=f"change of {_axis(first)}",
                ),
                f"Effects on {name.replace('_', ' ')}: the largest is {top['effect_of']}, {moved}.",
                f"Main effects and interactions (×), n = {counted(rows['n'].iloc[0], 'block')} "
                f"of each cell, {percent(sweep.level)} interval for each by itself. Main effect: "
                "the second value against the first, averaged over all else. Interaction: half of "
                f"what one effect gains when the other factor changes.{left_out}",
                f"{_capital(top['effect_of'])} moves {title(first)} most, by {moved}",
            )
        )
    shown = frame.assign(figure=[_figure_name(row) for row in frame.to_dict("records")])
    blocks.append(
        Table(
            "effects",
            shown,
            "Factorial effects; those marked stand when a share of "
            f"{words.share(1 - sweep.level)} false ones among them is allowed (Benjamini and "
            "Hochberg). Shares as fractions of 1.",
            columns={"figure": "figure", "effect_of": "effect of", "effect": "effect",
                     "discovery": "stands"},
            formats={"effect": Interval("difference", "low", "high"), "discovery": _yes},
        )
    )  # fmt: skip
    return blocks


def _largest(rows: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The main effects and the largest interactions, and how many interactions are left out."""
    size = rows["effect"].abs().groupby(rows["effect_of"]).max()
    pairs = rows[rows["kind"] == "interaction"]["effect_of"].unique()
    ranked = sorted(pairs, key=lambda name: -float(size[name]))
    room = max(FEWEST_PAIRS, MOST_EFFECTS - (len(size) - len(pairs)))
    left_out = ranked[room:]
    return rows[~rows["effect_of"].isin(left_out)], len(left_out)


def _axis(measure: Measure) -> str:
    name = measure.metric.name.replace("_", " ")
    if measure.is_share:
        return f"{name}, points"
    return name if name == measure.metric.unit else f"{name}, {measure.metric.unit}"


def _moved(measure: Measure, effect: float, low: float, high: float) -> str:
    if measure.is_share:
        return words.points(effect, low, high)
    return words.number(effect, low, high, measure.metric.unit)


def _yes(value: Any) -> str:
    return "yes" if bool(value) else "no"


def _group(measure: Measure) -> str:
    parts = [f"seat {measure.seat}"] if measure.seat is not None else []
    parts += [measure.strategy] if measure.strategy is not None else []
    parts += [f"{field} {value}" for field, value in measure.fields]
    return ", ".join(parts) or "all"


def _group_kind(measure: Measure) -> str:
    if measure.seat is not None:
        return "seat"
    return "strategy" if measure.strategy is not None else "group"


def _by_metric(sweep: Sweep) -> list[list[Measure]]:
    found: dict[tuple[str, str], list[Measure]] = {}
    for one in sweep.asked.measures:
        if one.quantile is None:
            found.setdefault((one.metric.name, _group_kind(one)), []).append(one)
    return list(found.values())


def _sensitivity(sweep: Sweep) -> list[Block]:
    frame, fit = sweep.frames["sensitivity"], sweep.frames["fit"]
    blocks: list[Block] = []
    if not len(frame):
        return [Text("There are too few cells for a regression on the factors.")]
    shown = frame.assign(
        figure=[_figure_name(row) for row in frame.to_dict("records")],
        place=[("–" if pd.isna(rank) else f"{rank}") for rank in frame["rank"]],
    )
    if len(sweep.factors) > 2:
        blocks += [
            one for measure in sweep.asked.measures if (one := _ranking(sweep, measure)) is not None
        ]
    blocks.append(
        Table(
            "sensitivity",
            shown,
            "Main effects by least squares on the cells: the change from the smallest to the "
            "largest value of each factor, averaged over the rest; the interval holds the deals' "
            "noise and what main effects leave out, and the factors share its error rate. "
            "Standardised: in standard deviations of factor and figure. Ranked is what exceeds "
            f"95{words.SPACE}% of random dummy factors, one of which is shown. Shares as fractions "
            "of 1.",
            columns={"figure": "figure", "factor": "factor", "change": "from … to",
                     "effect": "effect", "standardised": "standardised", "floor": "noise floor",
                     "place": "rank"},
            formats={"effect": Interval("difference", "low", "high"),
                     "standardised": "difference:2", "floor": "mean:2", "place": "text"},
        )
    )  # fmt: skip
    named = fit.assign(figure=[_figure_name(row) for row in fit.to_dict("records")])
    blocks.append(
        Table(
            "fit",
            named,
            "How well main effects describe the cells: R² of the figures, the share of their "
            "variance that is the deals' noise, and the share that is neither (interplay, "
            "curvature), with Hotelling's statistic against factors that add up.",
            columns={"figure": "figure", "cells": "cells", "blocks": "blocks",
                     "explained": "R²", "noise_share": "noise", "misfit": "misfit",
                     "misfit_statistic": "T²", "misfit_df": "dimensions"},
            formats={"explained": "rate:1", "noise_share": "rate:1", "misfit": "rate:1",
                     "misfit_statistic": "number", "misfit_df": "count"},
        )
    )  # fmt: skip
    return blocks


def _ranking(sweep: Sweep, measure: Measure) -> Figure | None:
    rows = of_measure(sweep.frames["sensitivity"], measure)
    if not len(rows):
        return None
    unit = rows["standardised"] / rows["effect"]
    rows = rows.assign(
        label=[
            DUMMY if row["factor"] == DUMMY else f"{row['factor']}, {row['change']}"
            for row in rows.to_dict("records")
        ],
        a=np.minimum(rows["low"] * unit, rows["high"] * unit),
        b=np.maximum(rows["low"] * unit, rows["high"] * unit),
    )
    floor = float(rows["floor"].iloc[0])

    def finish(axes: Axes) -> None:
        axes.axvspan(-floor, floor, color=style.FAINT, alpha=0.7, linewidth=0, zorder=0)

    ranked = rows[rows["rank"].notna()].sort_values("rank")
    lead = "no factor stands out of the noise"
    if len(ranked):
        lead = f"most depends on {ranked['factor'].iloc[0]}"
    return Figure(
        f"ranking_{_slug(measure.name)}",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 0.9 + 0.3 * len(rows)),
            finish,
            estimate="standardised",
            low="a",
            high="b",
            kind="difference",
            reference=0.0,
            xlabel="standardised effect",
        ),
        f"Standardised effects of the factors on {title(measure)}: {lead}.",
        f"Standardised main effects with intervals at {percent(sweep.level)} for all together; "
        f"n = {counted(rows['n'].iloc[0], 'block')} of each cell. The grey band is what 95"
        f"{words.SPACE}% of random factors stay within.",
        f"{_capital(title(measure))}: {lead}",
    )


def _indices(sweep: Sweep) -> list[Block]:
    frame = sweep.frames["indices"]
    is_sobol = sweep.kind == "indices"
    main = "total" if is_sobol else "size"
    blocks: list[Block] = []
    for measure in sweep.asked.measures:
        rows = of_measure(frame, measure)
        if measure.quantile is not None or not len(rows) or rows[main].isna().all():
            continue
        blocks.append(_index_figure(sweep, measure, rows, main))
    shown = frame.assign(
        figure=[_figure_name(row) for row in frame.to_dict("records")],
        place=[("–" if pd.isna(rank) else f"{rank}") for rank in frame["rank"]],
    )
    if is_sobol:
        columns = {
            "figure": "figure",
            "factor": "factor",
            "first": "first order",
            "total": "total",
            "total_raw": "total, noise left in",
            "place": "rank",
        }
        formats: dict[str, Any] = {
            "first": Interval("mean", "first_low", "first_high"),
            "total": Interval("mean", "total_low", "total_high"),
            "total_raw": "mean:2",
        }
    else:
        columns = {"figure": "figure", "factor": "factor", "size": "size", "mu": "µ",
                   "mu_star": "µ*, noise left in", "sigma": "σ", "place": "rank"}  # fmt: skip
        formats = {"size": Interval("mean", "size_low", "size_high")}
    blocks.append(
        Table(
            "indices",
            shown,
            _index_caption(sweep, frame),
            columns=columns,
            formats={**formats, "place": "text"},
            headline=True,
        )
    )
    return blocks


def _index_caption(sweep: Sweep, frame: pd.DataFrame) -> str:
    what = (
        "Sobol indices (Saltelli, Jansen)"
        if sweep.kind == "indices"
        else "Root mean square of Morris's elementary effects over the whole range"
    )
    return (
        f"{what}, the variance that the games' noise adds subtracted; "
        f"n = {counted(frame['n'].iloc[0], 'row')}, each on deals of its own, intervals at "
        f"{percent(sweep.level)} by bootstrap over the rows. The dummy changes nothing but the "
        "deals; only what lies above its upper end is ranked."
    )


def _index_figure(sweep: Sweep, measure: Measure, rows: pd.DataFrame, main: str) -> Figure:
    floor = float(rows[f"{main}_high"].iloc[-1])

    def finish(axes: Axes) -> None:
        axes.axvspan(0, max(0.0, floor), color=style.FAINT, alpha=0.7, linewidth=0, zorder=0)

    ranked = rows[rows["rank"].notna()].sort_values("rank")
    lead = "no factor stands out of the noise"
    if len(ranked):
        lead = f"most depends on {ranked['factor'].iloc[0]}"
    label = "total Sobol index" if main == "total" else f"size of the effect, {measure.metric.unit}"
    return Figure(
        f"indices_{_slug(measure.name)}",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 0.9 + 0.3 * len(rows)),
            finish,
            label="factor",
            estimate=main,
            low=f"{main}_low",
            high=f"{main}_high",
            kind="mean",
            xlabel=label,
        ),
        f"{label} of each factor for {title(measure)}: {lead}.",
        _index_caption(sweep, rows) + " The grey band ends there.",
        f"{_capital(title(measure))}: {lead}",
    )
