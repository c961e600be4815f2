"""The section about the tension of games played together."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.coop_tension import KNOWS, STATES, SURE, middle
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.coop_parts import shares_by
from reports.answers.parts import n_of, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.wording import counted

FEW_GAMES = 50  # a band that fewer games saw is left out of the picture
LISTED = 20  # and of the table; results.json has it
KNOWN = {"points": "points", "bosses": "bosses left", "both": "both"}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: open games, win rate by gap, what foretells the end."""
    frames = answer.frames
    if frames["open"].empty:
        return Section("Tension", [Text(answer.sentences[0])])
    first, *rest = answer.sentences
    level = percent(setting.level)
    rounds = middle(list(dict.fromkeys(frames["curves"]["round"])))
    listed = frames["curves"]
    listed = listed[listed["round"].isin(rounds) & (listed["games"] >= LISTED)]
    blocks: list[Block] = [
        _open_figure(frames["open"], setting),
        _curves_figure(frames["curves"], rounds, setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "The gap is what the team's points that are certain exceed the number at the time "
            "token for each player; it starts far below 0. The chance to win is a logistic curve "
            "over gap and bosses left, fitted at each round to the deals with even numbers and "
            f"tried on those with odd numbers; below {100 * SURE:g}\u00a0% a game counts as "
            f"nearly lost, above {100 - 100 * SURE:g}\u00a0% as nearly won."
        ),
    ]
    if len(frames["indicators"]):
        blocks += [
            _indicators_figure(frames["indicators"], setting),
            _indicators_table(frames["indicators"], setting),
        ]
    blocks += [
        Table(
            "coop_gaps",
            listed.assign(
                left=[_left(bosses) for bosses in listed["bosses"]],
                gap=[_band(a, b) for a, b in zip(listed["from"], listed["to"], strict=True)],
            ),
            f"Games that are won in the end, by gap and bosses left, where {LISTED} games or more "
            f"saw it; {n_of(listed, _units(setting))} a line, {level} intervals that hold together "
            f"for a round and a number of bosses ({shares_by(setting)}, Bonferroni).",
            columns={
                "round": "after round",
                "left": "bosses left",
                "gap": "gap",
                "games": "games",
                "estimate": "won",
            },
            formats={"round": "count", "games": "count", "estimate": Interval("rate")},
            empty=f"No gap was seen by {LISTED} games.",
        ),
        _reliability_table(frames["reliability"], setting),
    ]
    return Section("Tension", blocks)


def _left(bosses: int) -> str:
    return "any" if pd.isna(bosses) else str(bosses)


def _band(low: int, high: int) -> str:
    return f"{low} to {high}".replace("-", words.MINUS)


def _open_figure(found: pd.DataFrame, setting: Setting) -> Figure:
    rows = found.assign(label=[f"round {number}" for number in found["round"]])
    opened = only(found, state="open")
    late = only(opened, round=middle(list(opened["round"]))[-1]).iloc[0]
    listed = "; ".join(
        f"after round {row['round']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in opened.to_dict("records")
    )
    order = [STATES[3], STATES[2], STATES[1], STATES[0]]
    return Figure(
        "coop_open",
        picture(
            figures.share_bars,
            rows,
            (style.FULL[0], 1.2 + 0.27 * len(opened)),
            label="label",
            outcome="state",
            outcomes=order,
            xlabel="share of games",
        ),
        f"Bars of the state of games after rounds; open: {listed}.",
        f"{counted(setting.players, 'player')}; {n_of(found, _units(setting))} of the odd deals, "
        f"{percent(setting.level)} intervals of the first and the last piece, which hold together "
        f"with the others of their bar ({shares_by(setting)}, Bonferroni).",
        f"After round {late['round']} {rate(late['estimate'], late['low'], late['high'])} of the "
        "games are open",
    )


def _curves_figure(curves: pd.DataFrame, rounds: list[int], setting: Setting) -> Figure:
    rows = only(curves, bosses=None)
    rows = rows[rows["round"].isin(rounds)]
    shown = rows[rows["games"] >= FEW_GAMES]
    seen = f"bands that {FEW_GAMES} games or more saw; "
    if shown.empty:
        shown, seen = rows, ""
    shown = shown.assign(
        middle=(shown["from"] + shown["to"]) / 2,
        stage=[f"after round {number}" for number in shown["round"]],
    )
    listed = "; ".join(
        f"{row['stage']}, gap {_band(row['from'], row['to'])} "
        f"{rate(row['estimate'], row['low'], row['high'])}"
        for row in shown.to_dict("records")
    )
    last = shown[shown["round"] == shown["round"].max()]
    worst, best = last.iloc[0], last.iloc[-1]
    ends = [
        f"{_band(row['from'], row['to'])} wins {rate(row['estimate'], row['low'], row['high'])}"
        for row in (worst, best)[: len(last)]
    ]
    return Figure(
        "coop_by_gap",
        picture(
            figures.win_probability_curves,
            shown,
            style.FULL,
            x="middle",
            by="stage",
            estimate="estimate",
            xlabel="certain points above what the token asks for, by tens",
            ylabel="share won in the end",
        ),
        f"Curves of the share of games won in the end over the gap: {listed}.",
        f"{counted(setting.players, 'player')}, bosses left or not; "
        f"{n_of(shown, _units(setting))} a point, "
        f"{seen}{percent(setting.level)} intervals that hold together for a round "
        f"({shares_by(setting)}, Bonferroni).",
        f"After round {last['round'].iloc[0]} a gap of {words.listed(ends)}",
    )


def _units(setting: Setting) -> str:
    """What n of a share counts."""
    return "game" if setting.rotations == 1 else "replicate"


def _indicators_figure(indicators: pd.DataFrame, setting: Setting) -> Figure:
    rows = indicators.assign(known=indicators["knows"].map(KNOWN))
    known = rows[rows[["estimate", "low", "high"]].notna().all(axis=1)]
    best = known.loc[known["estimate"].idxmax()] if len(known) else rows.iloc[0]
    listed = "; ".join(
        f"after round {row['round']}, {row['known']} "
        f"{rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    return Figure(
        "coop_indicators",
        picture(
            figures.curve_with_band,
            rows,
            style.FULL,
            x="round",
            estimate="estimate",
            by="known",
            by_label="the forecast knows",
            xlabel="after round",
            ylabel="share of the error removed",
            reference=0.0,
        ),
        f"Curves of how much a forecast gains by what it knows: {listed}.",
        "Squared error of the forecast on fresh deals, against one that knows the round alone; "
        f"{n_of(indicators, 'replicate')} of the odd deals, "
        f"{percent(setting.level)} intervals, each by itself (ratio, Student over replicates).",
        (
            f"Best foretold after round {best['round']} by {best['known']}: "
            f"{rate(best['estimate'], best['low'], best['high'])} of the error"
            if len(known)
            else "Nothing can be foretold where every game ends alike"
        ),
    )


def _indicators_table(indicators: pd.DataFrame, setting: Setting) -> Table:
    table = wide(indicators, ["round"], "knows", ["without", "without_low", "without_high"])
    return Table(
        "coop_indicators",
        table,
        "Share of the squared error of a forecast that is removed by what it knows; error without: "
        f"of one that knows the round alone. {n_of(indicators, 'replicate')} of the odd deals, "
        f"{percent(setting.level)} intervals, each by itself (ratio, Student over replicates).",
        columns={"round": "after round", "without": "error without", **KNOWN},
        formats={
            "round": "count",
            "without": Interval("mean", "without_low", "without_high"),
            **{name: Interval("rate", f"{name}_low", f"{name}_high") for name in KNOWS},
        },
    )


def _reliability_table(reliability: pd.DataFrame, setting: Setting) -> Table:
    ends = zip(reliability["from"], reliability["to"], strict=True)
    return Table(
        "coop_reliability",
        reliability.assign(forecasts=[f"{a * 100:g} to {b * 100:g}\u00a0%" for a, b in ends]),
        "Forecasts beside what happened, all rounds together; "
        f"{n_of(reliability, 'replicate')} of the odd deals, {percent(setting.level)} intervals "
        "that hold together for a column (means: ratio, Student; won: Wilson or exact on the "
        "effective number; Bonferroni).",
        columns={
            "forecasts": "forecasts",
            "games": "forecasts made",
            "forecast": "their mean",
            "estimate": "won",
            "inside": "agrees",
        },
        formats={
            "games": "count",
            "forecast": Interval("rate", "forecast_low", "forecast_high"),
            "estimate": Interval("rate"),
        },
    )
