"""The section about the alignments of Dobbers."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points, rate
from sim.wording import counted

# frames with one figure an alignment, and what they are about
WORTH = {
    "collectors": "collected, against playing as the lineup does",
    "forbidden": "its cards, to a seat of the lineup",
    "own": "its cards, to its own collector",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: the collectors against each other, then what alignments are worth."""
    frames = answer.frames
    blocks: list[Block] = []
    if "table" in frames:
        blocks.append(_table_figure(frames["table"], setting))
    blocks.append(_worth_figure(_worth(answer), setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "A collector plays like the balanced strategy and values the cards of one alignment "
            "higher. It takes the place of one player of the lineup, each place in turn, the "
            "others unchanged. To deny an alignment to a seat means that it may not buy its cards."
        ),
        _summary_table(answer, setting),
        _seats_table(frames["forbidden"], setting),
    ]
    return Section("Alignments", blocks)


def _worth(answer: Answer) -> pd.DataFrame:
    """Return the averages of all experiments: alignment, what, estimate, low, high, n."""
    parts = []
    for name, what in WORTH.items():
        if name in answer.frames:
            rows = answer.frames[name]
            for key in ("place", "seat"):
                if key in rows:
                    rows = rows[rows[key].isna()]
            parts.append(rows[["alignment", "estimate", "low", "high", "n"]].assign(what=what))
    return pd.concat(parts, ignore_index=True)


def _table_figure(table: pd.DataFrame, setting: Setting) -> Figure:
    rows = table.sort_values("estimate", ascending=False, kind="stable")
    best, worst = rows.iloc[0], rows.iloc[-1]
    most, least = (words.shown(row).replace(words.SPACE, " ") for row in (best, worst))
    listed = "; ".join(
        f"{row['alignment']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    return Figure(
        "alignments",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 2.0),
            label="alignment",
            estimate="estimate",
            reference=1 / len(table),
            reference_label="fair",
            xlabel="share of won games",
        ),
        f"Dot plot of the win rates of four collectors at one table: {listed}.",
        f"One collector of each alignment, each in every seat; n = {counted(best['n'], 'block')}, "
        f"{percent(setting.level)} intervals that hold together (ratio over blocks, "
        "Student, Bonferroni).",
        f"Collectors of {best['alignment']} win {most}, of {worst['alignment']} {least}",
    )


def _worth_figure(rows: pd.DataFrame, setting: Setting) -> Figure:
    listed = "; ".join(
        f"{row['alignment']}, {row['what']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    cards = rows[rows["what"] == WORTH["forbidden"]]
    first = cards.loc[cards["estimate"].idxmax()]
    worth = words.gain(first).replace(words.SPACE, " ")
    return Figure(
        "alignment_worth",
        picture(
            figures.interval_dots,
            rows,
            style.FULL,
            label="alignment",
            estimate="estimate",
            by="what",
            kind="points",
            reference=0.0,
            xlabel="win probability (pp)",
        ),
        f"Dot plot of what alignments are worth: {listed}.",
        f"One seat changed on the same deals, averaged over seats; "
        f"n = {counted(rows['n'].max(), 'block')}, {percent(setting.level)} intervals that hold "
        "together for a colour (Student over paired blocks, Bonferroni).",
        f"Cards of {first['alignment']} are worth most to a seat: {worth}",
    )


def _summary_table(answer: Answer, setting: Setting) -> Table:
    rows = _worth(answer)
    named = {what: name for name, what in WORTH.items()}
    table = wide(rows.assign(which=rows["what"].map(named)), ["alignment"], "which")
    shown = [name for name in WORTH if name in table]
    columns = {"alignment": "alignment", **{name: WORTH[name] for name in shown}}
    formats = {name: Interval("points", f"{name}_low", f"{name}_high") for name in shown}
    if "table" in answer.frames:
        own = answer.frames["table"].set_index("alignment")
        for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
            table[f"won{suffix}"] = table["alignment"].map(own[column])
        columns["won"] = "wins against other collectors"
        formats["won"] = Interval("rate", "won_low", "won_high")
    return Table(
        "alignments",
        table,
        "What each alignment is worth in win probability, averaged over the seats; "
        f"{percent(setting.level)} intervals that hold together within a column.",
        columns=columns,
        formats=formats,
        headline=True,
    )


def _seats_table(forbidden: pd.DataFrame, setting: Setting) -> Table:
    rows = forbidden[forbidden["seat"].notna()]
    seats = [int(seat) for seat in dict.fromkeys(rows["seat"])]
    rows = rows.assign(where=[f"seat {seat}" for seat in rows["seat"]])
    return Table(
        "alignments_by_seat",
        wide(rows, ["alignment"], "where"),
        "Win probability that each seat loses if it may not buy cards of an alignment; "
        f"{percent(setting.level)} intervals that hold together for the whole table.",
        columns={"alignment": "alignment", **{f"seat {s}": f"seat {s}" for s in seats}},
        formats={f"seat {s}": Interval("points", f"seat {s}_low", f"seat {s}_high") for s in seats},
    )
