"""The section about robustness: in what share of the plausible numbers each conclusion holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from analysis.robustness import DUMMY, PARTS, Outcome
from reports import figures, style
from reports.answers.parts import percent, picture
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval
from sim.factors import Factor
from sim.wording import counted

OUTCOMES = (str(Outcome.HOLDS), str(Outcome.UNDECIDED), str(Outcome.REVERSED))
SHOWN = 6  # factors in a figure
MOST_FIGURES = 6  # of deciding factors; all of them stand in the table
MOST_BARS = 12  # in one figure


@dataclass(frozen=True)
class Facts:
    """How the draws were made.

    tried: how many it took; broken: constraint -> how many broke it; narrowed: the same of what the
    study sets. games: of each play in a draw. skipped: gates that were left out, and why.
    """

    factors: tuple[Factor, ...]
    draws: int
    tried: int
    broken: Mapping[str, int]
    games: int
    skipped: tuple[str, ...] = ()
    narrowed: Mapping[str, int] = field(default_factory=dict)


def pages(setting: Setting, answer: Answer, facts: Facts) -> tuple[list[Figure], Section]:
    """Return the figures of the first page, and the section."""
    frames = answer.frames
    first, *others = _bars(frames, setting, facts)
    decides: list[Block] = []
    for place, row in enumerate(_subjects(frames["conclusions"]).to_dict("records"), 1):
        own = frames["deciding"][frames["deciding"]["conclusion"] == row["conclusion"]]
        real = own[own["decides"].astype(bool)]
        if real.empty:
            decides.append(Text(f"*{row['subject']}*: no factor stands out of the noise."))
            continue
        if place <= MOST_FIGURES:
            decides.append(_deciding_figure(place, row, own, setting))
        decides.append(_factor_table(place, row, real, setting))
    blocks: list[Block] = [
        Finding(answer.sentences[0]),
        *others,
        Text("\n".join(f"- {sentence}" for sentence in answer.sentences[1:])),
        _table(frames["conclusions"], setting, facts),
        Section("What decides", decides),
        Section("The factors", [_drawn(facts), _factors(facts)]),
    ]
    if facts.skipped:
        blocks.append(Text("Left out: " + "; ".join(facts.skipped) + "."))
    return [first], Section("Robustness to what nobody published", blocks)


def methods(setting: Setting, facts: Facts) -> Section:
    """Return how it was done, in words."""
    level = percent(setting.level)
    return Section(
        "Robustness",
        [
            Text(
                f"{counted(facts.draws, 'draw')} of {counted(len(facts.factors), 'factor')} from a "
                "Latin hypercube: each "
                "factor moves its numbers together from their low ends over their defaults to "
                "their high ends, and a choice takes each option equally often. The default "
                f"numbers were played {counted(setting.games, 'time')} a play, each draw "
                f"{counted(facts.games, 'time')}, "
                "all on the same deals."
            ),
            Text(
                "A conclusion is what the default numbers say; where they leave it open, that the "
                "gate holds, or the sign of the estimate. A draw's verdict is read off the "
                f"{level} interval of its own games, so a draw near the border is undecided and "
                "not reversed. The shares of the three outcomes have Goodman's simultaneous "
                "intervals for the draws as a sample. Each conclusion stands for itself; "
                "nothing is corrected for their number. Draws share their deals, so their errors "
                "go together; the bounds in which a conclusion is true hold all the same: half of "
                "the error is spent on intervals that are right in all draws at once, half on the "
                "sample (Clopper-Pearson)."
            ),
            Text(
                "Factors are ranked by a regression of the conclusion's figure on all of them. "
                "Their errors are those of the draws (HC3) and, as all draws share their deals, "
                f"the spread between {PARTS} equal parts of these. A factor counts where its "
                f"effect stands out at a false discovery rate of {percent(1 - setting.level)} "
                "(Benjamini and Hochberg) and explains more than 95\u00a0% of random factors do."
            ),
        ],
    )


def _by_certainty(table: pd.DataFrame) -> pd.DataFrame:
    return table.sort_values(["holds", "undecided"], kind="stable")


def _subjects(table: pd.DataFrame) -> pd.DataFrame:
    """Return one conclusion of each figure: what moves a figure is the same for all of them."""
    return _by_certainty(table).drop_duplicates("subject")


def _bars(frames: Mapping[str, pd.DataFrame], setting: Setting, facts: Facts) -> list[Figure]:
    """Return the share bars of all conclusions, as many as fit into a figure at a time."""
    table = _by_certainty(frames["conclusions"])
    names = table["statement"].tolist()
    found = []
    for start in range(0, len(names), MOST_BARS):
        some = names[start : start + MOST_BARS]
        rows = frames["shares"]
        rows = rows[rows["statement"].isin(some)].assign(
            label=lambda frame, some=some: pd.Categorical(frame["statement"], some, ordered=True)
        )
        rows = rows.sort_values("label", kind="stable")
        bounds = {
            row["statement"]: (row["at_least"], row["at_most"]) for row in table.to_dict("records")
        }
        said = "; ".join(
            f"{row['statement']}: holds {row['holds']:.0%}, undecided {row['undecided']:.0%}, "
            f"reversed {row['reversed']:.0%}"
            for row in table[table["statement"].isin(some)].to_dict("records")
        )
        worst = table.iloc[0]
        found.append(
            Figure(
                "robust" if not start else f"robust_{start // MOST_BARS + 1}",
                picture(
                    figures.share_bars,
                    rows,
                    (style.FULL[0], 1.1 + 0.42 * len(some)),
                    outcomes=OUTCOMES,
                    bounds=bounds,
                    xlabel="share of the draws",
                ),
                f"Stacked bars of outcomes by conclusion. {said}.",
                f"n = {counted(facts.draws, 'draw')}, {percent(setting.level)} intervals of the "
                "shares that "
                "hold and are reversed (Goodman). The thin line below a bar: the share of "
                "plausible numbers for which the conclusion is true, errors of the games included.",
                f"The least certain conclusion holds in {worst['holds']:.0%} of the draws".replace(
                    "%", f"{words.SPACE}%"
                ),
            )
        )
    return found


def _table(table: pd.DataFrame, setting: Setting, facts: Facts) -> Table:
    rows = _by_certainty(table).assign(
        figure=lambda frame: [
            words.share(*ends) if _is_share(unit) else words.number(*ends)
            for unit, *ends in zip(
                frame["unit"], frame["estimate"], frame["low"], frame["high"], strict=True
            )
        ]
    )
    return Table(
        "robust_conclusions",
        rows,
        f"Conclusions in {counted(facts.draws, 'draw')}, the least certain first; "
        f"{percent(setting.level)} "
        "intervals. Figure and verdict: at the default numbers. True for at least and at most: "
        "bounds of the share of plausible numbers, errors of the games included.",
        columns={
            "statement": "conclusion",
            "figure": "figure",
            "verdict": "verdict",
            "holds": "holds",
            "reversed": "reversed",
            "at_least": "true for at least",
            "at_most": "at most",
        },
        formats={
            "figure": "text",
            "verdict": "text",
            "holds": Interval("rate", "holds_low", "holds_high"),
            "reversed": Interval("rate", "reversed_low", "reversed_high"),
            "at_least": "rate",
            "at_most": "rate",
        },
        headline=True,
    )


def _is_share(unit: str) -> bool:
    return unit.split(" ")[0] == "share"


def _deciding_figure(
    place: int, row: Mapping[str, Any], own: pd.DataFrame, setting: Setting
) -> Figure:
    """Return the effects of the factors that stand out, with the random one."""
    real = own[own["decides"].astype(bool)].head(SHOWN)
    rows = pd.concat([real, own[own["factor"] == DUMMY]])
    rows = rows.assign(
        label=[
            f"{one['meaning']}: {one['from']} to {one['to']}"
            if one["factor"] != DUMMY
            else "a random factor, for comparison"
            for one in rows.to_dict("records")
        ]
    )
    strongest = real.iloc[0]
    share = f"{strongest['explained']:.0%}".replace("%", f"{words.SPACE}%")
    points = _is_share(str(row["unit"]))
    effect = "; ".join(f"{one['label']} {one['effect']:+.3g}" for one in rows.to_dict("records"))
    return Figure(
        f"robust_factors_{place}",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 0.9 + 0.36 * len(rows)),
            label="label",
            estimate="effect",
            kind="points" if points else "difference",
            reference=0.0,
            xlabel="effect on the figure"
            + (", percentage points" if points else f", {row['unit']}"),
        ),
        f"Effects of factors on {row['subject']}: {effect}.",
        f"n = {counted(strongest['n'], 'draw')}, {percent(setting.level)} intervals "
        f"({strongest['method']}).",
        f"{row['subject']}: {strongest['meaning']} explains {share} of the differences",
    )


def _factor_table(
    place: int, row: Mapping[str, Any], real: pd.DataFrame, setting: Setting
) -> Table:
    steps = [f"{a} to {b}" for a, b in zip(real["from"], real["to"], strict=True)]
    return Table(
        f"robust_factors_{place}",
        real.assign(step=steps),
        f"Factors that stand out of the noise for {row['subject']}, the strongest first: the "
        "effect on the figure, the share of its variance over the draws, and the share of draws "
        f"with *{row['statement']}* at both ends (lowest and highest third, or two options). "
        f"{percent(setting.level)} intervals.",
        columns={
            "factor": "factor",
            "step": "from, to",
            "effect": "effect",
            "explained": "explains",
            "holds_from": "holds at the first",
            "holds_to": "holds at the second",
        },
        formats={
            "step": "text",
            "effect": Interval("points" if _is_share(str(row["unit"])) else "difference"),
            "explained": "rate",
            "holds_from": Interval("rate", "holds_from_low", "holds_from_high"),
            "holds_to": Interval("rate", "holds_to_low", "holds_to_high"),
        },
    )


def _drawn(facts: Facts) -> Text:
    rejected = facts.tried - facts.draws
    text = f"{counted(facts.tried, 'draw')} {'was' if facts.tried == 1 else 'were'} made"
    if not rejected:
        return Text(f"{text}; none of them broke a constraint that the rulebook sets.")
    why = []
    if facts.broken:
        why.append("broke a constraint that the rulebook sets")
    if facts.narrowed:
        why.append("did not go with what the study sets, so some numbers are never drawn,")
    reasons = [*facts.narrowed.items(), *facts.broken.items()][:5]
    often = "; ".join(f"{name} ({counted(count, 'time')})" for name, count in reasons)
    return Text(
        f"{text}; {rejected} {' or '.join(why)} and {'was' if rejected == 1 else 'were'} drawn "
        f"again: {often}."
    )


def _factors(facts: Facts) -> Table:
    rows = []
    for factor in facts.factors:
        if factor.choice is not None:
            moved = ", ".join(map(str, factor.options))
            keys = factor.choice
        else:
            moved = "; ".join(dict.fromkeys(f"{n.low:g} to {n.high:g}" for n in factor.numbers))
            keys = ", ".join(number.key for number in factor.numbers)
        rows.append(
            {"factor": factor.name, "meaning": factor.meaning, "range": moved, "keys": keys}
        )
    return Table(
        "robust_ranges",
        pd.DataFrame(rows, columns=["factor", "meaning", "range", "keys"]),
        "The factors, and the ranges of the numbers that each moves together. The CSV lists their "
        "keys; the evidence stands with the assumptions.",
        columns={"factor": "factor", "meaning": "meaning", "range": "range"},
        formats={"range": "text"},
    )
