"""The section about why teams lose."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis import words
from analysis.coop_losses import (
    BAND,
    CAUSES,
    CLOSE,
    LIMITS,
    OUTCOMES,
    left_words,
    limit_words,
)
from analysis.cooperation import team_labels
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.coop_parts import shares_by
from reports.answers.parts import n_of, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.wording import counted

NAMED = {"points": "too few points", "bosses": "bosses left", "time": "time ran out"}
SHOWN = 0.001  # shares of margins below it, at either end, are left out of the picture
STATISTICS = {
    "mean": "mean",
    "sd": "standard deviation",
    "q05": "5 % are at most",
    "q50": "median",
    "q95": "95 %",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: how games end by team, margins, causes, how close it was."""
    frames = answer.frames
    own = team_labels(setting)[0]
    first, *rest = answer.sentences
    of_them = ("of them", "of them")
    some = of_them if setting.rotations == 1 else ("block with some", "blocks with some")
    blocks: list[Block] = [
        _outcomes_figure(frames["outcomes"], own, setting),
        _margin_figure(frames["distribution"], frames["margin"], own, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "A game is lost when the points are not above what the time token asks for, when a "
            "boss is left, or at once when time runs out. The first table lists every cause of "
            "each lost game, so its lines add up to more than all; the picture has each game "
            "once. The margin is the points of the team less those it needs."
        ),
        Table(
            "coop_causes",
            wide(frames["causes"], ["team"], "cause", ("lost",)),
            f"Lost games by cause, of which one may have several; {n_of(frames['causes'], *some)}, "
            f"{percent(setting.level)} intervals that hold together for a team "
            f"({shares_by(setting)}, Bonferroni).",
            columns={
                "team": "team",
                "lost": "lost games",
                **{name: NAMED[name] for name in CAUSES},
            },
            formats={
                "lost": "count",
                **{name: Interval("rate", f"{name}_low", f"{name}_high") for name in CAUSES},
            },
            headline=True,
        ),
        _shares(
            frames["close"],
            "how",
            "coop_close",
            "Close games, out of all",
            CLOSE,
            ("block",),
            setting,
        ),
        _shares(
            frames["short"].assign(
                limit=[limit_words(limit) for limit in frames["short"]["limit"]]
            ),
            "limit",
            "coop_short",
            "Games with too few points, by how many were lacking at most; out of these games",
            tuple(limit_words(limit) for limit in LIMITS),
            some,
            setting,
        ),
        _shares(
            frames["bosses"].assign(left=[left_words(left) for left in frames["bosses"]["left"]]),
            "left",
            "coop_bosses",
            "Lost games by the number of bosses left",
            tuple(left_words(left) for left in dict.fromkeys(frames["bosses"]["left"])),
            some,
            setting,
        ),
        _margin_table(frames["margin"], setting),
    ]
    return Section("Why teams lose", blocks)


def _outcomes_figure(outcomes: pd.DataFrame, own: str, setting: Setting) -> Figure:
    teams = outcomes["team"].nunique()
    listed = "; ".join(
        f"{row['team']} {row['outcome']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in outcomes.to_dict("records")
    )
    mine = only(outcomes, team=own)
    won, lost = only(mine, outcome="won").iloc[0], mine[mine["outcome"] != "won"]
    most = lost.loc[lost["estimate"].idxmax()]
    told = {row["outcome"]: rate(row["estimate"], row["low"], row["high"]) for row in (won, most)}
    title = f"{own} wins {told['won']} of its games"
    if most["games"]:
        title += f"; most of the lost ones: {most['outcome']}, {told[most['outcome']]} of all"
    return Figure(
        "coop_outcomes",
        picture(
            figures.share_bars,
            outcomes,
            (style.FULL[0], 1.5 + 0.36 * teams),
            label="team",
            outcome="outcome",
            outcomes=list(OUTCOMES),
            xlabel="share of games",
        ),
        f"Bars of how games end, by team: {listed}.",
        f"{counted(setting.players, 'player')}; {n_of(outcomes, 'block')} of each team on the "
        "same deals, "
        f"{percent(setting.level)} intervals of the first and the last piece, which hold together "
        f"with the others of their bar ({shares_by(setting)}, Bonferroni).",
        title,
    )


def _margin_figure(
    distribution: pd.DataFrame, margin: pd.DataFrame, own: str, setting: Setting
) -> Figure:
    rows = only(distribution, team=own)
    seen = rows[rows["estimate"] >= min(SHOWN, rows["estimate"].max())]
    rows = rows[rows["from"].between(seen["from"].min(), seen["from"].max())]
    rows = rows.assign(value=rows["from"] + BAND / 2, share=rows["estimate"])
    mine = only(margin, team=own)
    told = {row["statistic"]: _margin(row) for row in mine.to_dict("records")}
    listed = "; ".join(f"{name} {told[key]}" for key, name in STATISTICS.items())

    def finish(axes: Axes) -> None:
        axes.axvline(0, color=style.ACCENT, linewidth=1.0)
        axes.annotate(
            "points needed",
            (0, 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, -2),
            textcoords="offset points",
            va="top",
            fontsize=7,
        )

    return Figure(
        "coop_margin",
        picture(
            figures.distribution,
            rows,
            style.FULL,
            finish,
            value="value",
            xlabel="points above those needed",
        ),
        f"Histogram of the margin of {own}: {listed}.",
        f"{counted(setting.players, 'player')}; bars of {BAND} points; {n_of(rows, 'block')}, "
        f"{percent(setting.level)} interval for each bar by itself ({shares_by(setting)}).",
        f"Half of the games of {own} end with a margin of {told['q50']} points or less",
    )


def _shares(
    found: pd.DataFrame,
    key: str,
    name: str,
    what: str,
    names: tuple[str, ...],
    unit: tuple[str, ...],
    setting: Setting,
) -> Table:
    return Table(
        name,
        wide(found, ["team"], key),
        f"{what}; {n_of(found, *unit)}, {percent(setting.level)} intervals that hold together for "
        f"a team ({shares_by(setting)}, Bonferroni).",
        columns={"team": "team", **{one: one for one in names}},
        formats={one: Interval("rate", f"{one}_low", f"{one}_high") for one in names},
    )


def _margin(row: Mapping[Hashable, Any]) -> str:
    """A statistic of margins with its interval."""
    values = row["estimate"], row["low"], row["high"]
    whole = str(row["statistic"]).startswith("q")
    return words.whole(*values) if whole else words.number(*values)


def _margin_table(margin: pd.DataFrame, setting: Setting) -> Table:
    rows = [_margin(row) for row in margin.to_dict("records")]
    table = margin.assign(shown=rows).pivot(index="team", columns="statistic", values="shown")
    table = table.loc[list(dict.fromkeys(margin["team"])), list(STATISTICS)].reset_index()
    return Table(
        "coop_margin",
        table,
        f"Points above those needed, all games; {n_of(margin, 'block')}, "
        f"{percent(setting.level)} intervals, each by itself (Student over blocks; of the "
        "quantiles by order statistics).",
        columns={"team": "team", **STATISTICS},
    )
