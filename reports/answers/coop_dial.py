"""The section about the dial of difficulty."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from analysis import words
from analysis.coop_dial import WANTED, printed_starts, start_words
from analysis.cooperation import team_labels
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.coop_parts import shares_by
from reports.answers.parts import n_of, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.wording import counted

CURVES = 5
NAMES_TO = 1.09  # the starts' names stand between 100 % and this, where no curve goes


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: win rate over the start, the starts that give the wanted rates."""
    curve, dial = answer.frames["curve"], answer.frames["dial"]
    first, *rest = answer.sentences
    blocks: list[Block] = [
        _curve_figure(curve, dial, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "A later start asks for more points from the first round on and leaves fewer rounds; "
            "swords and skull stay where they are. All starts and teams are played on the same "
            "deals. Between two starts that were played the win rate is taken along a straight "
            "line; the interval of a start holds for all starts of a team at once, as a later "
            "start cannot be easier."
        ),
        _dial_table(dial, curve, setting),
        _curve_table(curve, setting),
    ]
    return Section("The dial of difficulty", blocks)


def _curve_figure(curve: pd.DataFrame, dial: pd.DataFrame, setting: Setting) -> Figure:
    own = team_labels(setting)[0]
    teams = list(dict.fromkeys(curve["team"]))[:CURVES]
    starts = [int(start) for start in dict.fromkeys(curve["start"])]
    half = only(dial, team=own, wanted=WANTED[0]).iloc[0].to_dict()
    printed = printed_starts(setting)
    listed = "; ".join(
        f"{row['team']} from {row['start']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in curve.to_dict("records")
    )

    def finish(axes: Axes) -> None:
        axes.set_ylim(0, NAMES_TO)
        for wanted in WANTED:
            axes.axhline(wanted, color=style.MUTED, linewidth=0.7, linestyle=(0, (4, 2)), zorder=1)
        for name, start in printed.items():
            axes.axvline(start, color=style.INK, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1)
            axes.annotate(
                name,
                (start, NAMES_TO),
                xytext=(2, -1),
                textcoords="offset points",
                va="top",
                fontsize=7,
                color=style.INK,
            )

    marks = words.listed([f"{name} {start}" for name, start in printed.items()])
    return Figure(
        "coop_dial",
        picture(
            figures.curve_with_band,
            curve[curve["team"].isin(teams)],
            (style.FULL[0], 3.3),
            finish,
            x="start",
            estimate="estimate",
            by="team",
            xlabel="start of the time token",
            ylabel="share of games won",
        ),
        f"Curves of the win rate over the start of the time token, one a team: {listed}.",
        f"{counted(setting.players, 'player')}; dashed: "
        f"{words.listed([f'{100 * w:g} %' for w in WANTED])}; "
        f"dotted: starts of the rules ({marks}). {n_of(curve, 'block')} a point on the same "
        f"deals, {percent(setting.level)} intervals that hold together for a curve "
        f"({shares_by(setting)}, Bonferroni).",
        f"{own} wins half of its games from a start of {start_words(half, starts)}",
    )


def _dial_table(dial: pd.DataFrame, curve: pd.DataFrame, setting: Setting) -> Table:
    starts = [int(start) for start in dict.fromkeys(curve["start"])]
    rows = []
    for team in dict.fromkeys(dial["team"]):
        row = {"team": team}
        for found in only(dial, team=team).to_dict("records"):
            row[_wanted(found["wanted"])] = start_words(found, starts)
        rows.append(row)
    names = [_wanted(wanted) for wanted in WANTED]
    return Table(
        "coop_dial",
        pd.DataFrame(rows, columns=["team", *names]),
        f"Start of the time token at which a team wins so often; {n_of(dial, 'block')}, "
        f"{percent(setting.level)} intervals that hold together for a team (where the simultaneous "
        "bounds of the win rates cross it).",
        columns={"team": "team", **{name: f"wins {name}" for name in names}},
        headline=True,
    )


def _wanted(share: float) -> str:
    return f"{100 * share:g} %"


def _curve_table(curve: pd.DataFrame, setting: Setting) -> Table:
    table = wide(curve, ["start"], "team")
    teams = [str(team) for team in dict.fromkeys(curve["team"])]
    return Table(
        "coop_dial_curve",
        table,
        f"Share of games won by start; {n_of(curve, 'block')}, {percent(setting.level)} intervals "
        f"that hold together for a team ({shares_by(setting)}, Bonferroni).",
        columns={"start": "start", **{team: team for team in teams}},
        formats={
            "start": "count",
            **{team: Interval("rate", f"{team}_low", f"{team}_high") for team in teams},
        },
    )
