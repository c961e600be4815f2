"""The section about the length of games."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture
from reports.document import Block, Figure, Finding, Section, Table, Text
from sim.wording import counted

SHOWN = 0.999  # share of the games that a picture shows; a few long ones would squeeze the rest
RARELY = 0.001  # a share below it is not told in digits
STATISTICS = {
    "mean": "mean",
    "sd": "standard deviation",
    "q05": "5 % are at most this long",
    "q25": "25 %",
    "q50": "50 % (median)",
    "q75": "75 %",
    "q95": "95 %",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: a histogram of each length, quantiles, stalled games."""
    lengths, summary, stalled = (answer.frames[k] for k in ("lengths", "summary", "stalled"))
    metrics = list(dict.fromkeys(lengths["metric"]))
    blocks: list[Block] = [_histogram(metric, lengths, summary, setting) for metric in metrics]
    blocks += [Finding(answer.sentences[-1])]
    blocks += [Text("\n".join(f"- {sentence}" for sentence in answer.sentences[:-1]))]
    table = summary.assign(
        statistic=[STATISTICS[name] for name in summary["statistic"]],
        value=[_shown(row) for row in summary.to_dict("records")],
    )
    blocks.append(
        Table(
            "length",
            table,
            f"Length of the game in {counted(stalled['games'].iloc[0], 'game')}, with intervals "
            f"at {percent(setting.level)}. Games that the cap stopped count with the length they "
            "had; a quantile that they reach has no upper end.",
            columns={"metric": "length in", "statistic": "statistic", "value": "estimate"},
            headline=True,
        )
    )
    return Section("Length of the game", blocks)


def _shown(row: dict) -> str:
    estimate, low, high = row["estimate"], row["low"], row["high"]
    whole = row["statistic"].startswith("q")
    text = words.whole(estimate, low, high) if whole else words.number(estimate, low, high)
    return f"at least {text}" if row["censored"] else text


def _histogram(
    metric: str, lengths: pd.DataFrame, summary: pd.DataFrame, setting: Setting
) -> Figure:
    rows = only(lengths, metric=metric)
    unit = rows["unit"].iloc[0]
    quantiles = only(summary, metric=metric).set_index("statistic")
    marks = pd.DataFrame(
        {
            "label": ["5 %", "half", "95 %"],
            "estimate": [quantiles["estimate"][name] for name in ("q05", "q50", "q95")],
        }
    )
    below = rows["share"].cumsum()
    shown = rows[below.shift(fill_value=0.0) < SHOWN]
    left = 1 - float(shown["share"].sum())
    longer = words.share(left) if left >= RARELY else f"Less than {words.share(RARELY)}"
    beyond = f" {longer} of the games are longer than shown." if left > 1e-9 else ""
    seen = rows[rows["games"] > 0]  # where nothing was seen the bound has a method of its own
    half = quantiles["estimate"]["q50"]
    censored = bool(quantiles["censored"]["q50"])
    within = _within(half, censored)
    ends = (quantiles["low"]["q50"], quantiles["high"]["q50"])
    told = within if censored else f"end within {words.whole(half, *ends)}"
    first, last = quantiles["estimate"]["q05"], quantiles["estimate"]["q95"]
    return Figure(
        f"length_{metric}",
        picture(figures.distribution, shown, style.FULL, value="value", marks=marks, xlabel=unit),
        f"Histogram of {unit} a game: half of the games {within}, "
        f"nine in ten take between {first:g} and {last:g}.",
        f"Share of games by {unit}; n = {counted(rows['games'].sum(), 'game')}, "
        f"{percent(setting.level)} interval for each value by itself "
        f"({seen['method'].mode().iloc[0]}).{beyond}",
        f"Half of all games {told} {unit}",
    )


def _within(value: float, censored: bool) -> str:
    return f"last at least {value:g}" if censored else f"end within {value:g}"
