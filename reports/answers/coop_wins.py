"""The section about how often teams win."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure as Canvas

from analysis.coop_wins import setup_words
from analysis.cooperation import team_labels
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.coop_parts import gains_by, shares_by
from reports.answers.parts import n_of, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, points, rate
from sim.near_and_far.words import DIFFICULTIES
from sim.wording import counted

CURVES = 5  # teams that a picture tells apart
WITH = {False: "without minions", True: "with minions"}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: curves over the players, what the lineup's team wins more, tables."""
    frames = answer.frames
    wins, own = frames["wins"], team_labels(setting)[0]
    blocks: list[Block] = [_curves_figure(wins, own, setting)]
    if len(frames["teams"]):
        blocks.append(_teams_figure(frames["teams"], own, setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Every set-up of a table of the same size is played on the same deals, so differences "
            "between teams, between sun and moon, and between games with and without minions owe "
            "little to chance. Teams are scripts; a group of people would play better or worse."
        ),
        _wins_table(wins, setting),
        _effects_table(frames["difficulty"], "moon instead of sun", "coop_difficulty", setting),
        _effects_table(frames["minions"], "minions in play", "coop_minions", setting),
    ]
    if len(frames["bounds"]):
        blocks.append(_bounds_table(frames["bounds"], setting))
    return Section("Win rate of teams", blocks)


def _curves_figure(wins: pd.DataFrame, own: str, setting: Setting) -> Figure:
    teams = list(dict.fromkeys(wins["team"]))[:CURVES]
    shown = wins[wins["team"].isin(teams)]
    mine = wins[(wins["team"] == own) & (wins["players"] == setting.players)]
    parts = []
    for difficulty in DIFFICULTIES:
        row = only(mine, difficulty=difficulty, minions=False).iloc[0]
        parts.append(f"{rate(row['estimate'], row['low'], row['high'])} under the {difficulty}")
    drawn = counted(len(teams), "team")
    return Figure(
        "coop_win_rate",
        _grid(shown),
        "Four panels, sun and moon without and with minions, with curves of the win rate over the "
        f"number of players for {drawn}. {_range_words(shown, own)} The table has all of them.",
        f"{n_of(wins, 'block')} a point, {percent(setting.level)} intervals that hold together "
        f"for all {counted(len(wins), 'set-up')} ({shares_by(setting)}, Bonferroni).",
        f"With {counted(setting.players, 'player')} {own} wins {' and '.join(parts)}",
    )


def _range_words(wins: pd.DataFrame, own: str) -> str:
    """The highest and the lowest win rate of all set-ups, and those of the lineup's team."""
    parts = []
    for who, rows in (("", wins), (f"of {own} ", only(wins, team=own))):
        ends = []
        for name, place in (
            ("highest", rows["estimate"].idxmax()),
            ("lowest", rows["estimate"].idxmin()),
        ):
            row = rows.loc[place]
            team = "" if who else f"{row['team']}, "
            found = rate(row["estimate"], row["low"], row["high"])
            ends.append(f"the {name} {who}is {found} ({team}{setup_words(row)})")
        parts.append(" and ".join(ends))
    return f"Of {counted(len(wins), 'set-up')} {'; '.join(parts)}."


def _grid(wins: pd.DataFrame) -> Callable[[], Canvas]:
    """Curves over the players: difficulty across, minions down."""

    def draw() -> Canvas:
        figure = style.new_figure((style.FULL[0], 3.6))
        grid = figure.subplots(2, 2, sharex=True, sharey=True)
        for down, minions in enumerate((False, True)):
            for across, difficulty in enumerate(DIFFICULTIES):
                axes = grid[down][across]
                figures.curve_with_band(
                    only(wins, difficulty=difficulty, minions=minions),
                    axes,
                    x="players",
                    estimate="estimate",
                    by="team",
                    xlabel="players" if down else "",
                    ylabel="" if across else "share of games won",
                )
                axes.get_legend().remove()
                axes.set_title(f"{difficulty}, {WITH[minions]}", fontsize=8, fontweight="normal")
        grid[0][0].set_ylim(0, 1.02)
        grid[0][0].set_yticks([0, 0.25, 0.5, 0.75, 1])
        handles, names = grid[0][0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper left", ncols=min(3, len(names)))
        return figure

    return draw


def _teams_figure(teams: pd.DataFrame, own: str, setting: Setting) -> Figure:
    others = list(dict.fromkeys(teams["team"]))[: CURVES - 1]
    rows = only(teams[teams["team"].isin(others)], players=setting.players)
    rows = rows.assign(
        label=[f"{row['difficulty']}, {WITH[row['minions']]}" for row in rows.to_dict("records")]
    )
    least = rows.loc[rows["estimate"].idxmin()]
    most = rows.loc[rows["estimate"].idxmax()]
    ends = " to ".join(
        f"{points(row['estimate'], row['low'], row['high'])} ({row['team']}; {row['label']})"
        for row in (least, most)
    )
    gain = points(least["estimate"], least["low"], least["high"])
    return Figure(
        "coop_team_gain",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 2.6),
            label="label",
            estimate="estimate",
            by="team",
            by_label=f"{own} less",
            kind="points",
            reference=0.0,
            xlabel="difference of win rates (pp)",
        ),
        f"Dot plot of the win rate of {own} less that of other teams: from {ends}.",
        f"{counted(setting.players, 'player')}; {n_of(rows, 'block')} on the same deals, "
        f"{percent(setting.level)} intervals that hold together for tables of all sizes "
        f"({gains_by(setting)}; Bonferroni).",
        f"{own} is least ahead of {least['team']} ({least['label']}): {gain}",
    )


def _short(row: Mapping[Hashable, Any]) -> str:
    """A set-up for a narrow column: "2 players, sun, minions"."""
    parts = [
        f"{counted(row['players'], 'player')}",
        *([row["difficulty"]] if "difficulty" in row else []),
    ]
    if "minions" in row:
        parts.append("minions" if row["minions"] else "none")
    return ", ".join(parts)


def _wins_table(wins: pd.DataFrame, setting: Setting) -> Table:
    table = wide(wins, ["difficulty", "minions", "players"], "team")
    teams = [str(team) for team in dict.fromkeys(wins["team"])]
    label = [_short(row) for row in table.to_dict("records")]
    return Table(
        "coop_win_rate",
        table.assign(label=label),
        f"Share of games won, with minions and with none; {n_of(wins, 'block')} of each set-up, "
        f"{percent(setting.level)} intervals that hold together for the whole table "
        f"({shares_by(setting)}, Bonferroni).",
        columns={"label": "set-up", **{team: team for team in teams}},
        formats={team: Interval("rate", f"{team}_low", f"{team}_high") for team in teams},
        headline=True,
    )


def _effects_table(effects: pd.DataFrame, what: str, name: str, setting: Setting) -> Table:
    at = [column for column in ("difficulty", "minions", "players") if column in effects]
    table = wide(effects, at, "team")
    teams = [str(team) for team in dict.fromkeys(effects["team"])]
    formats: dict[str, Format] = {
        team: Interval("points", f"{team}_low", f"{team}_high") for team in teams
    }
    return Table(
        name,
        table.assign(label=[_short(row) for row in table.to_dict("records")]),
        f"What {what} changes in the share of games won, on the same deals; "
        f"{n_of(effects, 'block')}, {percent(setting.level)} intervals that hold together for the "
        f"table ({gains_by(setting)}; Bonferroni).",
        columns={"label": "set-up", **{team: team for team in teams}},
        formats=formats,
    )


def _bounds_table(bounds: pd.DataFrame, setting: Setting) -> Table:
    label = [f"{row['team']}, {_short(row)}" for row in bounds.to_dict("records")]
    return Table(
        "coop_bounds",
        bounds.assign(label=label),
        "Set-ups of which no game was won, or none was lost: what the true rate of that is below. "
        f"Exact one-sided bounds at {percent(setting.level)}, each by itself and all at once "
        "(rule of three).",
        columns={
            "label": "set-up",
            "event": "never",
            "games": "games",
            "high": "rate below",
            "together_high": "all at once",
        },
        formats={"games": "count", "high": "rate:3", "together_high": "rate:3"},
    )
