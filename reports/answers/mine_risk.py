"""The section about the risk in the Amber Mine of Near and Far."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis import words
from analysis.mine_risk import PUSH, PUSHES, WORTHS
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points, rate
from sim.wording import counted

FEW_ROLLS = 100  # a class with fewer rolls is left out of pictures; the tables have it
DIE_CURVES = ("3", "4", "5", "6")
CURVES = (0, 2, 4, 6)  # bonuses that a picture tells apart
NAMED = {
    "win_rate": "win rate",
    "score": "journey points",
    "mine_visits": "visits",
    "mine_camps": "camps in the mine",
    "rolls_per_visit": "rolls a visit",
    "thrown_back": "thrown back",
}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: the risk as played, the exact value of steps, prices, worth, the dice."""
    frames = answer.frames
    blocks: list[Block] = []
    by_number = only(frames["thrown"], depth=None)
    by_number = by_number[by_number["wanted"].notna()]
    if (by_number["rolls"] >= FEW_ROLLS).any():
        blocks.append(_thrown_figure(frames["thrown"], setting))
    blocks.append(_steps_figure(frames["steps"], setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "A failed roll costs the step and nothing else: the figure stands where it stood and "
            "may build there. The risk of going on is to leave a good card for a worse one, for "
            "the way back costs a step, and without a camp on it the good card wants its roll "
            "again. {table:mine_steps} weighs that exactly for a row dug to the right, each card "
            "as from a full deck; *bonus* is symbols and hearts spent on each roll."
        ),
        _steps_table(frames["steps"], frames["deck"], setting),
    ]
    if len(frames["thrown"]):
        blocks.append(_wanted_table(frames["thrown"], setting))
        if len(_by_both(frames["thrown"])):
            blocks.append(_depth_figure(frames["thrown"], setting))
        blocks.append(_depth_table(frames["thrown"], setting))
    if len(frames["visits"]):
        blocks.append(_visits_table(frames["visits"], setting))
    if "push" in frames:
        blocks += [_push_figure(frames["push"], setting), _push_table(frames["push"], setting)]
    blocks.append(_worth_table(frames["worth"], setting))
    if len(frames["bare"]):
        blocks.append(_bare_table(frames["bare"], setting))
    return Section("Risk in the Amber Mine", blocks)


def _thrown_figure(thrown: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(thrown, depth=None)
    rows = rows[rows["wanted"].notna() & (rows["rolls"] >= FEW_ROLLS)]
    blank = {"low": float("nan"), "high": float("nan")}
    shown = pd.concat(
        [
            rows.assign(source="an ordinary die alone, exact", rate=rows["exact"], **blank),
            rows.assign(source="as played", rate=rows["estimate"]),
        ],
        ignore_index=True,
    )
    every = only(thrown, depth=None, wanted=None).iloc[0]
    listed = "; ".join(
        f"{row['wanted']} {words.share(row['estimate'], row['low'], row['high'])}, exact "
        f"{words.share(row['exact'])}"
        for row in rows.to_dict("records")
    )
    return Figure(
        "mine_thrown_back",
        picture(
            figures.grouped_bars_with_intervals,
            shown,
            style.FULL,
            label="wanted",
            by="source",
            xlabel="what the die alone must show (number less symbols)",
            ylabel="share of rolls thrown back",
        ),
        f"Bars of the share of rolls thrown back by what the die must show: {listed}.",
        f"All strategies together, n = {counted(every['rolls'], 'roll')}; "
        f"{percent(setting.level)} intervals over replicates, each by itself. As played, hearts, "
        "spells and expert dice help.",
        f"{rate(every['estimate'], every['low'], every['high'])} of rolls in the mine throw "
        "the figure back",
    )


def _by_both(thrown: pd.DataFrame) -> pd.DataFrame:
    """Rolls by depth and what the die must show at once, where there are enough of them."""
    rows = thrown[thrown["depth"].notna() & thrown["wanted"].isin(DIE_CURVES)]
    return rows[rows["rolls"] >= FEW_ROLLS]


def _depth_figure(thrown: pd.DataFrame, setting: Setting) -> Figure:
    rows = _by_both(thrown)
    shown = rows.assign(
        card=rows["depth"].str.rstrip("+").astype(int), rate=rows["estimate"]
    ).sort_values(["wanted", "card"], kind="stable")
    listed = "; ".join(
        f"card {row['depth']}, {row['wanted']} to show: "
        f"{rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    middle = only(shown, wanted=DIE_CURVES[1])
    ends = [middle.iloc[0], middle.iloc[-1]] if len(middle) else [shown.iloc[0], shown.iloc[-1]]
    told = " and ".join(
        f"{rate(row['estimate'], row['low'], row['high'])} on card {row['depth']}" for row in ends
    )
    return Figure(
        "mine_depth",
        picture(
            figures.curve_with_band,
            shown,
            style.FULL,
            x="card",
            by="wanted",
            by_label="the die must show",
            kind="rate",
            xlabel="card of the visit",
            ylabel="share of rolls thrown back",
        ),
        f"Curves of the share of rolls thrown back by the card of the visit: {listed}.",
        f"As played, n = {counted(rows['rolls'].sum(), 'roll')}; {percent(setting.level)} "
        "intervals over replicates, each by itself. What the die must show is the number of the "
        "card less the bonus; hearts are left for later cards, or are spent already.",
        f"Where the die must show {ends[0]['wanted']}, {told} are thrown back",
    )


def _visits_table(visits: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "mine_visits",
        visits,
        "Visits by how many cards were entered, thrown back or not, and whether they end with a "
        f"camp; {percent(setting.level)} intervals over replicates, each by itself.",
        columns={
            "depth": "cards entered",
            "visits": "visits",
            "share": "of all visits",
            "estimate": "end with a camp",
        },
        formats={
            "visits": "count",
            "share": Interval("rate", "share_low", "share_high"),
            "estimate": Interval("rate"),
        },
    )


def _steps_figure(steps: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(steps, aim="goods")
    rows = rows[rows["bonus"].isin(CURVES)].assign(label=lambda f: f["bonus"].astype(str))
    last = int(rows["steps"].max())
    ends = rows[rows["steps"] == last]
    listed = "; ".join(
        f"bonus {row['bonus']}: {words.number(row['value'])}" for row in ends.to_dict("records")
    )
    typical = only(rows, bonus=CURVES[2]).set_index("steps")["gain"]
    first, third = float(typical[1]), float(typical[min(3, last)])
    return Figure(
        "mine_steps",
        picture(
            figures.curve_with_band,
            rows.assign(low=float("nan"), high=float("nan")),
            style.FULL,
            x="steps",
            estimate="value",
            by="label",
            by_label="bonus",
            kind="mean",
            xlabel="steps the party has",
            ylabel="best value of goods",
        ),
        f"Curves of the best value of a dig over its steps; with {last} steps {listed}.",
        f"Exact (dynamic programme, n = all rows of cards; a {percent(setting.level)} interval "
        "would have no width): a row dug from the entrance, goods by the trade table.",
        f"With a bonus of {CURVES[2]} the first step is worth {words.number(first)}, the third "
        f"{words.number(third)}",
    )


def _steps_table(steps: pd.DataFrame, deck: pd.DataFrame, setting: Setting) -> Table:
    goods = only(steps, aim="goods")
    table = deck.rename(columns={"goods": "reward"}).copy()
    for left in (1, 2, 3, 5):
        rows = only(goods, steps=left).set_index("bonus")
        table[f"gain_{left}"] = table["bonus"].map(rows["gain"])
        table[f"stop_{left}"] = [
            words.MISSING if pd.isna(value) else f"{value:g}"
            for value in table["bonus"].map(rows["stop_from"])
        ]
    return Table(
        "mine_steps",
        table,
        "By the party's bonus: chance to be thrown back by a new card, goods and amber of the "
        "cards one stays on, worth of the first, second, third and fifth step, and the reward "
        f"from which on it is best to build with so many left. Exact: {percent(setting.level)} "
        "intervals have no width.",
        columns={
            "bonus": "bonus",
            "thrown_back": "thrown back",
            "reward": "goods",
            "amber": "amber",
            **{f"gain_{left}": f"step {left}" for left in (1, 2, 3, 5)},
            **{f"stop_{left}": f"build from, {left} left" for left in (1, 3, 5)},
        },
        formats={
            "bonus": "count",
            "thrown_back": "rate",
            "reward": "mean",
            "amber": "mean",
            **{f"gain_{left}": "mean" for left in (1, 2, 3, 5)},
        },
        headline=True,
    )


def _wanted_table(thrown: pd.DataFrame, setting: Setting) -> Table:
    rows = only(thrown, depth=None)
    return Table(
        "mine_by_number",
        rows[rows["wanted"].notna()],
        f"Rolls by what the die alone must show; {percent(setting.level)} intervals over "
        "replicates, each by itself; a share never seen has a one-sided bound.",
        columns={
            "wanted": "die must show",
            "rolls": "rolls",
            "estimate": "thrown back, as played",
            "exact": "ordinary die, exact",
            "exact_expert": "expert die, exact",
        },
        formats={
            "rolls": "count",
            "estimate": Interval("rate"),
            "exact": "rate",
            "exact_expert": "rate",
        },
    )


def _depth_table(thrown: pd.DataFrame, setting: Setting) -> Table:
    rows = only(thrown, wanted=None)
    return Table(
        "mine_by_depth",
        rows[rows["depth"].notna()],
        f"Rolls by how many cards the visit has entered; {percent(setting.level)} intervals over "
        "replicates, each by itself. Deeper visits are those of stronger parties.",
        columns={"depth": "card of the visit", "rolls": "rolls", "estimate": "thrown back"},
        formats={"rolls": "count", "estimate": Interval("rate")},
    )


def _push_figure(push: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(push, quantity="win_rate")
    own = rows[rows["scripted"]].iloc[0]
    best = rows.loc[rows["estimate"].idxmax()]
    shown = bool((rows["low"] > 0).any())
    listed = "; ".join(
        f"{row['value']:g} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
        if not row["scripted"]
    )
    title = (
        f"{own['strategy']} wins more with {best['value']:g}"
        if shown
        else f"No price is shown to beat {own['strategy']}’s own, {own['value']:g}"
    )
    return Figure(
        "mine_push",
        picture(
            figures.curve_with_band,
            rows,
            style.HALF,
            x="value",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="what it expects of a new card",
            ylabel=f"win rate gained over {own['value']:g} (pp)",
        ),
        f"Curve of the win rate over the price of a card not yet drawn: {listed}.",
        f"One {own['strategy']} with another weight {PUSH}, the others unchanged, on the same "
        f"deals; n = {counted(own['n'], 'block')}, {percent(setting.level)} intervals that hold "
        "together (Student over paired blocks, Bonferroni).",
        title,
    )


def _push_table(push: pd.DataFrame, setting: Setting) -> Table:
    wins = only(push, quantity="win_rate")[["value", "estimate", "low", "high"]]
    for name in PUSHES:
        rows = only(push, quantity=name).set_index("value")
        wins = wins.assign(**{name: wins["value"].map(rows["changed"])})
    return Table(
        "mine_push",
        wins,
        f"What happens as one player expects more of a new card; {percent(setting.level)} "
        "intervals that hold together.",
        columns={
            "value": "expects",
            "estimate": "win rate gained",
            **{name: NAMED[name] for name in PUSHES if name != "win_rate"},
        },
        formats={
            "value": "number",
            "estimate": Interval("points"),
            **{n: "rate" if PUSHES[n][0].startswith("share") else "mean" for n in PUSHES},
        },
    )


def _worth_table(worth: pd.DataFrame, setting: Setting) -> Table:
    table = wide(worth, ["seat"], "quantity")
    table["who"] = ["all seats" if pd.isna(s) else f"seat {int(s)}" for s in table["seat"]]
    kinds: Mapping[str, str] = {"win_rate": "points", "score": "difference"}
    return Table(
        "mine_worth",
        table,
        "What a seat loses that may never visit the mine; "
        f"{percent(setting.level)} intervals, those of the seats hold together within a column.",
        columns={"who": "seat", **{name: NAMED[name] for name in WORTHS}},
        formats={name: Interval(kinds[name], f"{name}_low", f"{name}_high") for name in WORTHS},
    )


def _bare_table(bare: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "mine_bare",
        bare,
        "Rolls in games without hearts, spells and expert dice beside the exact chance; "
        f"{percent(setting.level)} intervals that hold together.",
        columns={
            "wanted": "die must show",
            "rolls": "rolls",
            "exact": "thrown back, exact",
            "estimate": "simulated",
            "inside": "agrees",
        },
        formats={"rolls": "count", "exact": "rate", "estimate": Interval("rate")},
    )
