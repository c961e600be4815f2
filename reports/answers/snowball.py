"""The section about leads, comebacks and when a game is decided."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import n_of, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, rate
from sim.wording import counted

FEW_GAMES = 100  # a lead that fewer games saw is left out of the picture
LISTED = 20  # a lead that fewer games saw is left out of the table; results.json has it
SHOWN = 0.999  # share of the games that the picture of lead changes shows


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: curves by lead, when games are decided, the forecast's quality."""
    frames = answer.frames
    leads, curves = frames["leads"], frames["curves"]
    if curves.empty:
        return Section("Snowball", [Text(answer.sentences[0])])
    level = percent(setting.level)
    blocks: list[Block] = [
        _curves_figure(curves, leads, setting),
        _decided_figure(frames["decided"], setting),
        Finding(answer.sentences[0]),
        Text("\n".join(f"- {sentence}" for sentence in answer.sentences[1:])),
        Text(
            "Leads are taken at marks that players can see coming: when the part named of the "
            "leader's own way is behind it, whatever the length of the game turns out to be. "
            "A leader by 0 shares the lead and had it first."
        ),
        Table(
            "leads",
            _leads_table(leads),
            f"Leaders at the marks; {level} intervals over blocks, each by itself. Comeback: "
            "somebody else wins.",
            columns={
                "progress": "mark",
                "games": "games",
                "leader_wins": "leader wins",
                "comeback": "comeback",
                "lead": "lead",
            },
            formats={
                "games": "count",
                "leader_wins": Interval("rate", "leader_wins_low", "leader_wins_high"),
                "comeback": Interval("rate", "comeback_low", "comeback_high"),
                "lead": Interval("mean", "lead_low", "lead_high"),
            },
            headline=True,
        ),
        Table(
            "lead_curves",
            curves[curves["games"] >= LISTED],
            f"Win probability of the leader by lead, for leads that {LISTED} games or more saw; "
            f"{level} intervals over blocks that hold together for a mark.",
            columns={
                "progress": "mark",
                "lead": "lead",
                "games": "games",
                "estimate": "leader wins",
            },
            formats={"lead": "count", "games": "count", "estimate": Interval("rate")},
        ),
        _changes_section(frames["changes"], answer, setting),
        _forecast_section(frames["score"], frames["reliability"], answer, setting),
    ]
    return Section("Snowball", blocks)


def _leads_table(leads: pd.DataFrame) -> pd.DataFrame:
    return wide(leads, ["progress"], "quantity", ("games",))


def _curves_figure(curves: pd.DataFrame, leads: pd.DataFrame, setting: Setting) -> Figure:
    shown = curves[curves["games"] >= FEW_GAMES]
    if shown.empty:
        shown = curves
    fair = 1 / setting.players
    wins = only(leads, quantity="leader_wins").dropna(subset=["estimate"])
    wins = wins[wins["mark"].isin(shown["mark"])]
    first, last = wins.iloc[0], wins.iloc[-1]
    title = f"The leader at {first['progress']} of the way wins {_rate(first)}"
    # a mark whose leads were all too rare for a curve is none of the picture's findings
    if first["mark"] != last["mark"]:
        title += f", at {last['progress']} {_rate(last)}"
    listed = "; ".join(
        f"at {row['progress']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in wins.to_dict("records")
    )
    few = "" if len(shown) == len(curves) else f" Leads that {FEW_GAMES} games or more saw."
    return Figure(
        "win_by_lead",
        picture(
            figures.win_probability_curves,
            shown,
            style.FULL,
            x="lead",
            by="progress",
            by_label="part of the way",
            estimate="estimate",
            reference=fair,
            reference_label="fair share",
        ),
        "Curves of the leader's win probability over the lead, one for each mark of progress. "
        f"All leads together: {listed}.",
        f"By lead at the time; n = {counted(wins['n'].max(), 'block')}, {percent(setting.level)} "
        f"intervals that hold together for a curve (Wilson on the effective number).{few}",
        title,
    )


def _rate(row: pd.Series) -> str:
    return words.share(row["estimate"], row["low"], row["high"])


def _decided_figure(decided: pd.DataFrame, setting: Setting) -> Figure:
    named = [
        "only after the last mark" if name == "later" else f"from {name} of the way on"
        for name in decided["progress"]
    ]
    rows = decided.assign(label=named)
    late = rows.iloc[-1]
    listed = "; ".join(
        f"{row['label']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    return Figure(
        "decided",
        picture(
            figures.interval_dots,
            rows,
            style.FULL,
            label="label",
            estimate="estimate",
            xlabel="share of won games",
        ),
        f"Dot plot of when the winner took the lead for good: {listed}.",
        "First mark from which the later winner leads at every mark, known only afterwards; "
        f"n = {counted(late['n'], 'block')}, {percent(setting.level)} intervals, each by itself "
        "(Wilson on the effective number).",
        f"In {_rate(late)} of the games the winner leads only after the last mark",
    )


def _changes_section(changes: pd.DataFrame, answer: Answer, setting: Setting) -> Section:
    below = changes["share"].cumsum()
    shown = changes[below.shift(fill_value=0.0) < SHOWN]
    mean = answer.frames["mean_changes"].iloc[0]
    text = words.number(mean["estimate"], mean["low"], mean["high"])
    left = 1 - float(shown["share"].sum())
    beyond = f" {words.share(left)} of the games have more." if left > 1e-9 else ""
    return Section(
        "Changes of the lead",
        [
            Figure(
                "lead_changes",
                picture(
                    figures.distribution,
                    shown,
                    value="changes",
                    xlabel="changes of the lead in a game",
                ),
                f"Histogram of the changes of the lead in a game, {text} on average.",
                f"n = {counted(changes['games'].sum(), 'game')}, {percent(setting.level)} "
                f"interval for each number by itself.{beyond}",
                f"The lead changes {text} times in a game on average",
            ),
        ],
    )


def _forecast_section(
    score: pd.DataFrame, reliability: pd.DataFrame, answer: Answer, setting: Setting
) -> Section:
    level = percent(setting.level)
    scores = wide(score, ["progress"], "quantity")
    return Section(
        "How far the lead foretells the winner",
        [
            Finding(answer.sentences[-1]),
            Text(
                "A logistic curve over the lead was fitted at each mark to the deals with even "
                "numbers and tried on those with odd numbers. The Brier score is the mean squared "
                "distance between the forecast and what happened (1 or 0): 0 is perfect."
            ),
            Table(
                "forecast_score",
                scores,
                f"Brier score of the forecast on fresh deals; {n_of(score, 'replicate')}, {level} "
                "intervals, each by itself (ratio, Student over replicates). Gain: the part "
                "of the score that knowing the lead removes.",
                columns={
                    "progress": "mark",
                    "brier": "Brier score",
                    "brier_without": "without the lead",
                    "skill": "gain",
                },
                formats={
                    "brier": Interval("mean", "brier_low", "brier_high"),
                    "brier_without": Interval("mean", "brier_without_low", "brier_without_high"),
                    "skill": Interval("rate", "skill_low", "skill_high"),
                },
            ),
            Table(
                "forecast_reliability",
                reliability.assign(
                    forecasts=[
                        f"{a * 100:g} to {b * 100:g}\u00a0%"
                        for a, b in zip(reliability["from"], reliability["to"], strict=True)
                    ]
                ),
                "Forecasts beside what happened, all marks together; "
                f"{n_of(reliability, 'replicate')} of the deals with odd numbers, {level} "
                "intervals that hold together for a column (means: ratio, Student; leader won: "
                "Wilson or exact on the effective number; Bonferroni).",
                columns={
                    "forecasts": "forecasts",
                    "games": "games",
                    "forecast": "their mean",
                    "estimate": "leader won",
                    "inside": "agrees",
                },
                formats={
                    "games": "count",
                    "forecast": Interval("rate", "forecast_low", "forecast_high"),
                    "estimate": Interval("rate"),
                },
            ),
        ],
    )
