"""The section about challenges and blocking in Dobbers."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.challenges import NARROW_LOSS, NARROW_WIN
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, difference, mean, points, rate
from sim.wording import counted

FEW = 20  # a class that fewer challenges saw is left out of the picture
WINS = {
    "builder": "the only builder gains",
    "blocked": "each of the blocked loses",
    "all_build": "building among builders is worth",
}
CASES = {
    "builder": "wins of the only builder",
    "blocked": "wins of each whom it blocks",
    "all_build": "wins of one who alone may not build",
}
CHANGES = {
    "turns": "turns of a player",
    "challenges": "challenges a player faces",
    "moved_back": "squares a player is moved back",
    "capped": "games that the cap stops",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: margins, then what building and blocking do."""
    frames = answer.frames
    blocks: list[Block] = []
    if len(frames["margins"]):
        blocks.append(_margins_figure(frames["margins"], frames["outcomes"], setting))
    if "blocking" in frames:
        blocks.append(_blocking_figure(frames["blocking"], setting))
    if len(frames.get("shown", ())):
        blocks.append(_shown_figure(frames["shown"], setting))
    first, *rest = answer.sentences
    blocks += [Finding(first), *(Text(sentence) for sentence in rest)]
    blocks.append(_outcomes_table(frames["outcomes"], setting))
    if "stacks" in frames:
        blocks.append(_stacks_table(frames["stacks"], setting))
    if "blocking" in frames:
        blocks += [
            Text(
                "To build is to buy locations and creatures and put them in the way. Games are "
                "played on the same deals as they are, with nobody building, with one player "
                "alone who builds, and with one player alone who does not; each seat has its turn. "
                "Whoever may not build spends its influence on other cards, as scripted."
            ),
            _blocking_table(frames["blocking"], setting),
        ]
    return Section("Challenges", blocks)


def _margins_figure(margins: pd.DataFrame, outcomes: pd.DataFrame, setting: Setting) -> Figure:
    won = only(outcomes, strategy=None, quantity="won").iloc[0]
    near = margins[margins["margin"].between(NARROW_LOSS[0], NARROW_WIN[1])]
    listed = "; ".join(
        f"{row['margin']:+d} {rate(row['estimate'], row['low'], row['high'])}"
        for row in near.to_dict("records")
    ).replace("-", "−")
    ends = (int(margins["margin"].min()), int(margins["margin"].max()))
    shown = rate(won["estimate"], won["low"], won["high"])
    return Figure(
        "challenge_margins",
        picture(
            figures.distribution,
            margins,
            style.FULL,
            value="margin",
            share="estimate",
            xlabel="points less points needed (from 0 on the challenge is won)",
            ylabel="share of challenges",
        ),
        f"Histogram of the margin of challenges, from {ends[0]} to {ends[1]}: {listed}.".replace(
            "-", "−"
        ),
        f"n = {counted(margins['challenges'].sum(), 'challenge')}, {percent(setting.level)} "
        "intervals that hold together (Wilson on the effective number, over 32 replicates; what "
        "was never seen is bounded by the number of deals; Bonferroni).",
        f"Players win {shown} of their challenges",
    )


def _shown_figure(shown: pd.DataFrame, setting: Setting) -> Figure:
    rows = shown[shown["challenges"] >= FEW]
    rows = rows if len(rows) else shown
    listed = "; ".join(
        f"{row['shown']:+d} {rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    ).replace("-", "−")
    even = rows[rows["estimate"] >= 0.5]["shown"]
    title = "Most challenges are won whatever was seen of the stack"
    if len(even) and even.min() > rows["shown"].min():
        title = f"Most challenges are won from {_points(int(even.min()))} on"
    return Figure(
        "challenge_shown",
        picture(
            figures.curve_with_band,
            rows,
            style.FULL,
            x="shown",
            estimate="estimate",
            xlabel="points ready less points that the fronts let expect",
            ylabel="challenges won",
        ),
        f"Curve of challenges won by the points shown before the reveal: {listed}.",
        f"n = {counted(shown['challenges'].sum(), 'challenge')}, {percent(setting.level)} "
        "intervals that hold together (Wilson on the effective number, over 32 replicates; what "
        "was never won, or always, is bounded by as few deals as may have had it; Bonferroni). "
        f"Points that {FEW} challenges or more began with.",
        title.replace("-", "−"),
    )


def _points(shown: int) -> str:
    """Points ready, told by how many they are less those that the stack was thought to need."""
    if shown == 0:
        return "just the points that the fronts let expect"
    number = counted(abs(shown), "point")
    return f"{number} {'more' if shown > 0 else 'less'} than the fronts let expect"


def _stacks_table(stacks: pd.DataFrame, setting: Setting) -> Table:
    named = {0: "location alone", 1: "location, creature"}
    what = [
        named.get(cards, f"location, creature, equipment: {cards - 1}") for cards in stacks["cards"]
    ]
    return Table(
        "challenge_stacks",
        stacks.assign(what=what),
        f"Challenges won by stack, and by whether something in it lay face down; "
        f"{percent(setting.level)} intervals that hold together.",
        columns={"what": "stack", "face": "face", "challenges": "challenges", "estimate": "won"},
        formats={"challenges": "count", "estimate": Interval("rate")},
    )


def _blocking_figure(blocking: pd.DataFrame, setting: Setting) -> Figure:
    rows = blocking[blocking["quantity"].isin(list(WINS))]
    rows = rows.assign(label=[WINS[name] for name in rows["quantity"]])
    listed = "; ".join(
        f"{row['label']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    blocked = only(rows, quantity="blocked").iloc[0]
    cost = words.gain(blocked).replace(words.SPACE, " ")
    return Figure(
        "blocking",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 1.8),
            label="label",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability (pp)",
        ),
        f"Dot plot of what building stacks brings and costs: {listed}.",
        "Who may build is changed on the same deals, averaged over "
        f"{counted(setting.players, 'seat')}; "
        f"n = {counted(blocked['n'], 'block')}, {percent(setting.level)} intervals that hold "
        "together (Student over paired blocks, Bonferroni).",
        f"One player’s stacks cost each of the others {cost} of win probability",
    )


def _outcomes_table(outcomes: pd.DataFrame, setting: Setting) -> Table:
    table = wide(outcomes, ["strategy"], "quantity")
    table["strategy"] = table["strategy"].fillna("all players")
    shown = {
        "challenges": ("faced a game", "mean"),
        "won": ("won", "rate"),
        "narrowly_won": ("won with 0 or 1 to spare", "rate"),
        "narrowly_lost": ("lost by 1 or 2", "rate"),
        "moved_back": ("squares back a defeat", "mean"),
    }
    return Table(
        "challenges",
        table,
        f"Challenges of a player by strategy; {percent(setting.level)} intervals, each by itself.",
        columns={"strategy": "strategy", **{k: title for k, (title, _) in shown.items()}},
        formats={k: Interval(kind, f"{k}_low", f"{k}_high") for k, (_, kind) in shown.items()},
        headline=True,
    )


def _blocking_table(blocking: pd.DataFrame, setting: Setting) -> Table:
    named = {**CASES, **CHANGES}
    # what somebody loses is a difference below 0 here
    lost = blocking["quantity"].isin(["blocked", "all_build"])
    sides = blocking.assign(
        estimate=blocking["estimate"].where(~lost, 0 - blocking["estimate"]),
        low=blocking["low"].where(~lost, 0 - blocking["high"]),
        high=blocking["high"].where(~lost, 0 - blocking["low"]),
    )
    shares = blocking["unit"] == "share of games"
    before, after = (
        [
            (rate if share else mean)(row[name], row[f"{name}_low"], row[f"{name}_high"])
            for share, row in zip(shares, blocking.to_dict("records"), strict=True)
        ]
        for name in ("without", "changed")
    )
    effects = [
        (points if share else difference)(row["estimate"], row["low"], row["high"])
        for share, row in zip(shares, sides.to_dict("records"), strict=True)
    ]
    table = sides.assign(
        what=[named[name] for name in blocking["quantity"]],
        before=before,
        after=after,
        effect=effects,
    )
    return Table(
        "blocking",
        table,
        f"What stacks in the way do; {percent(setting.level)} intervals, those on win probability "
        "hold together, the others each by itself. Before: nobody builds, but for *one who alone "
        "may not build*: all do. After: the case that the row names; in the last rows, all build.",
        columns={
            "what": "what",
            "before": "before",
            "after": "after",
            "effect": "difference",
            "n": "blocks",
        },
        formats={"n": "count"},
    )
