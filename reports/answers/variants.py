"""The section about variants: what each changes, against the base on the same deals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure as Canvas

from analysis import words
from analysis.comparison import group_words, is_share_unit, judgement
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import percent
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.effects import (
    base_words,
    effect_words,
    figure_words,
    lineup_words,
    margin_words,
    speed_words,
)
from reports.format import cell
from sim.wording import counted

PANELS = 4  # of a figure, side by side
MOST_LINES = 16  # of a picture that leads
LONGEST = 24  # letters of a variant's name beside a figure

METHODS = (
    Section(
        "Comparing rules",
        [
            Text(
                "A variant and the base are played on the same deals, and an effect is the figure "
                "with the change minus the figure without. Where blocks are single games that are "
                "won by one alone, effects on win rates have Tango's score interval; other effects "
                "have Student's interval on the differences of blocks, ratios linearised. Where "
                "fewer than 100 blocks differ that would be too short: shares then have the "
                "interval of a betting sequence, other figures the share of blocks that differ "
                "times the mean change in these, and where none differs there is a bound. "
                "Differences of quantiles are made of the intervals of the two quantiles and are "
                "conservative. The intervals of a figure hold for all variants at once "
                "(Bonferroni). *Differ* is the share of blocks whose result differs, *speed-up* "
                "how many times more games unpaired plays would need for the same interval."
            ),
            Text(
                "Scripts do not rethink when a rule changes. So all plays are repeated with "
                "players who leave a share of their decisions to chance, and with another lineup. "
                "A judgement (the verdict, or without a margin the sign of an effect whose "
                "interval excludes 0) that turns round there is listed under *flips*."
            ),
        ],
    ),
)


def section(
    setting: Setting, answer: Answer, repeats: Mapping[str, Sequence[str]] | None = None
) -> Section:
    """Return the section: forest plots, a finding for each variant, a table for each variant.

    answer: as `analysis.comparison.answer` makes it. repeats: who plays in each repetition.
    """
    frame = answer.frames["effects"]
    blocks: list[Block] = [*_figures(frame, setting)]
    blocks += [Finding(sentence) for sentence in answer.sentences]
    if repeats:
        blocks.append(_repeated(frame, repeats))
    changes = answer.frames["variants"].set_index("variant")
    for place, name in enumerate(changes.index, start=1):
        rows = frame[frame["variant"] == name]
        blocks.append(_table(place, str(name), rows, changes.loc[name], setting))
    return Section("Variants", blocks)


def _repeated(frame: pd.DataFrame, repeats: Mapping[str, Sequence[str]]) -> Text:
    lines = []
    for name, seats in repeats.items():
        flips = sum(name in names.split("; ") for names in frame["flips"])
        undecided = sum(name in names.split("; ") for names in frame["open"])
        lines.append(
            f"- {name} ({lineup_words(seats)}): {words.count(flips)} of "
            f"{counted(len(frame), 'judgement')} {'flips' if flips == 1 else 'flip'}, "
            f"{words.count(undecided)} {'is' if undecided == 1 else 'are'} no longer decided"
        )
    return Text("Repeated on the same deals with other players:\n\n" + "\n".join(lines))


# --------------------------------------------------------------------------------------- figures


def _figures(frame: pd.DataFrame, setting: Setting) -> list[Figure]:
    """Return a forest plot by seat or strategy, and one of what has no such groups."""
    means = frame[frame["statistic"] == "mean"]
    means = means.assign(label=[_short(name) for name in means["variant"]])
    grouped = means[means["seat"].notna() | means["strategy"].notna()]
    found = []
    rows = grouped
    if len(grouped):
        metric = grouped["metric"].iloc[0]
        rows = grouped[grouped["metric"] == metric]
        # where seats rotate it is the strategies that differ, elsewhere the seats
        first, second = ("strategy", "seat") if setting.rotate else ("seat", "strategy")
        key = first if rows[first].notna().any() else second
        rows = rows[rows[key].notna()]
        found.append(_by_group(metric, rows, setting))
    whole = _whole_field(means)
    if len(whole):
        found.append(_whole(whole, setting))
        if len(rows) > MOST_LINES:  # the compact picture fits on the first page
            found.reverse()
    return found


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _whole_field(means: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of whole games and of all seats together, the first few metrics."""
    rows = means[means["seat"].isna() & means["strategy"].isna()]
    moved = rows[rows["discordance"] > 0]  # a metric that never moves needs no picture
    names = list(dict.fromkeys(moved["metric"]))[:PANELS]
    return rows[rows["metric"].isin(names)]


def _by_group(metric: str, rows: pd.DataFrame, setting: Setting) -> Figure:
    rows = rows.assign(group=[group_words(row) for row in rows.to_dict("records")])
    share = is_share_unit(rows["unit"].iloc[0])
    several = rows["group"].nunique() > 1
    height = 1.2 + (0.17 if len(rows) <= MOST_LINES else 0.13) * len(rows)
    unit = "pp" if share else rows["unit"].iloc[0]
    return Figure(
        "variants_by_group",
        _forest(
            [rows],
            (style.FULL[0], min(8.5, max(style.FULL[1], height))),
            [f"change of {metric} ({unit})"],
            by="group" if several else None,
        ),
        f"Forest plot of changes of {metric}: {_listed(rows)}.",
        _caption(rows, setting),
        _title(metric, rows),
    )


def _whole(rows: pd.DataFrame, setting: Setting) -> Figure:
    panels = [part for _, part in rows.groupby("metric", sort=False)]
    units = ["pp" if is_share_unit(part["unit"].iloc[0]) else "" for part in panels]
    labels = [
        _wrapped(part["metric"].iloc[0]) + (f"\n({unit})" if unit else "")
        for part, unit in zip(panels, units, strict=True)
    ]
    variants = rows["variant"].nunique()
    return Figure(
        "variants",
        _forest(panels, (style.FULL[0], min(8.5, 1.1 + 0.3 * max(3, variants))), labels),
        "Forest plots of changes: "
        + "; ".join(f"{part['metric'].iloc[0]}: {_listed(part)}" for part in panels)
        + ".",
        _caption(rows, setting),
        _title(str(panels[0]["metric"].iloc[0]), panels[0]),
    )


def _wrapped(name: str, width: int = 15) -> str:
    """Return a name of several words in lines that fit below a panel."""
    lines = [""]
    for part in re.findall(r"[^_]*_?", name):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def _bounded(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows whose unbounded intervals reach a good deal further than all others."""
    ends = rows[["low", "high"]].abs().to_numpy()
    widest = max((end for end in ends.ravel() if math.isfinite(end)), default=0.0) or 1.0
    far = 1.5 * widest
    return rows.assign(low=rows["low"].clip(-far, far), high=rows["high"].clip(-far, far))


def _forest(
    panels: list[pd.DataFrame],
    size: tuple[float, float],
    labels: Sequence[str],
    by: str | None = None,
) -> Callable[[], Canvas]:
    """Return what draws panels of effects side by side, the margin as a band around 0.

    An interval without ends is drawn across the whole panel.
    """

    def draw() -> Canvas:
        canvas = style.new_figure(size)
        axes = canvas.subplots(1, len(panels), squeeze=False)[0]
        for place, (rows, ax, label) in enumerate(zip(panels, axes, labels, strict=True)):
            share = is_share_unit(rows["unit"].iloc[0])
            figures.interval_dots(
                _bounded(rows),
                ax,
                label="label",
                estimate="effect",
                by=by,
                kind="points" if share else "difference",
                reference=0,
                xlabel=label,
            )
            margin = rows["margin"].iloc[0]
            if not math.isnan(margin):
                ax.axvspan(-margin, margin, color=style.FAINT, linewidth=0, zorder=0, alpha=0.6)
            if place:
                ax.set_yticklabels([])
        return canvas

    return draw


def _caption(rows: pd.DataFrame, setting: Setting) -> str:
    several = rows["variant"].nunique()
    at_once = f", for all {counted(several, 'variant')} at once" if several > 1 else ""
    margin = " The band is the margin." if rows["margin"].notna().any() else ""
    return (
        f"Change against the base; n = {counted(rows['blocks'].max(), 'block')} of each play on "
        f"the same deals, {percent(setting.level)} intervals{at_once}.{margin}"
    )


def _listed(rows: pd.DataFrame) -> str:
    parts = []
    for row in rows.to_dict("records"):
        group = group_words(row)
        name = f"{row['variant']}, {group}" if group else str(row["variant"])
        parts.append(f"{name} {effect_words(row)}")
    return "; ".join(parts)


def _title(metric: str, rows: pd.DataFrame) -> str:
    """Return how many variants change a figure, as the finding of a picture."""
    variants = list(dict.fromkeys(rows["variant"]))
    said = {
        name: {judgement(row) for row in _plain(rows[rows["variant"] == name])} for name in variants
    }
    moving = [name for name, found in said.items() if found - {None, "EQUIVALENT"}]
    if not moving:
        return f"No variant clearly changes {metric}"
    if len(variants) == 1:
        return f"{_short(variants[0])} changes {metric}"
    if len(moving) == len(variants):
        return f"All {counted(len(variants), 'variant')} change {metric}"
    if len(moving) <= 2:
        named = words.listed([_short(name) for name in moving])
        return f"{named} {'changes' if len(moving) == 1 else 'change'} {metric}"
    return f"{len(moving)} of {counted(len(variants), 'variant')} change {metric}"


def _plain(rows: pd.DataFrame) -> list[dict[str, Any]]:
    return rows.astype(object).where(rows.notna(), None).to_dict("records")


# ---------------------------------------------------------------------------------------- tables


def _table(
    place: int, name: str, rows: pd.DataFrame, variant: pd.Series, setting: Setting
) -> Table:
    records = rows.to_dict("records")
    shown = rows.assign(
        figure=[figure_words(row) for row in records],
        base_text=[base_words(row) for row in records],
        effect_text=[str(effect_words(row)) for row in records],
        differ=[str(cell("rate", row["discordance"])) for row in records],
        speed=[speed_words(row["speed_up"]) for row in records],
        verdict=rows["verdict"].fillna(""),
    )
    columns = {
        "figure": "figure",
        "base_text": "base",
        "effect_text": "effect",
        "differ": "differ",
        "speed": "speed-up",
    }
    if rows["verdict"].notna().any():
        columns["verdict"] = "verdict"
    if (rows["flips"] != "").any():
        columns["flips"] = "flips"
    what = f"{name}: {variant['changes']}" if name != variant["changes"] else name
    margins = margin_words(records)
    margin = f" Margins: {margins}." if margins else ""
    return Table(
        f"variant_{place}",
        shown,
        f"{_escaped(what)}. {words.share(variant['games_parted'] / variant['games'])} of the games "
        f"part from the base's; {percent(setting.level)} intervals.{margin}",
        columns=columns,
        headline=True,
    )


def _escaped(text: str) -> str:
    """Return a user's words for a caption, where a star would mean emphasis."""
    return re.sub(r"([\\*`{])", r"\\\1", text)


__all__ = ["METHODS", "section"]
