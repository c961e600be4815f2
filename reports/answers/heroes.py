"""The section about the heroes of Dobbers."""

from __future__ import annotations

import pandas as pd

from analysis import words
from analysis.heroes import hero_name
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import only, percent, picture
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: heroes against the average, abilities, both by seat."""
    frames = answer.frames
    balance = frames["balance"]
    blocks: list[Block] = []
    if len(balance):
        blocks.append(_balance_figure(balance, answer.frames["spread"], setting))
    blocks.append(_kinds_figure(frames["kinds"], setting))
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "A hero is given to one seat before anybody picks; the others pick from what is left, "
            "and everything else, all cards included, stays. *Ability* compares the hero with "
            "itself: its ability is void, and it gives what every hero gives. Who holds a hero of "
            "free choice has picked it, so *won when held* says as much about pickers and seats."
        ),
        _heroes_table(answer, setting),
        _held_table(answer.frames["held"], setting),
        _seats_table(answer, setting),
    ]
    return Section("Heroes", blocks)


def _balance_figure(balance: pd.DataFrame, spread: pd.DataFrame, setting: Setting) -> Figure:
    rows = balance[balance["seat"].isna()]
    rows = rows.sort_values("estimate", ascending=False, kind="stable")
    rows = rows.assign(
        label=[f"{hero_name(h)}: {a}" for h, a in zip(rows["hero"], rows["ability"], strict=True)]
    )
    best = rows.iloc[0]
    apart = words.gain(only(spread, seat=None).iloc[0]).replace(words.SPACE, " ")
    listed = "; ".join(
        f"{row['label']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    return Figure(
        "heroes",
        picture(
            figures.interval_dots,
            rows,
            (style.TALL[0], max(style.FULL[1], 0.9 + 0.23 * len(rows))),
            label="label",
            estimate="estimate",
            kind="points",
            reference=0.0,
            reference_label="average hero",
            xlabel="win probability above the average hero (pp)",
        ),
        f"Dot plot of heroes given to a seat, against the average hero: {listed}.",
        "Each hero given to one seat on the same deals, averaged over "
        f"{counted(setting.players, 'seat')}; "
        f"n = {counted(best['n'], 'block')}, {percent(setting.level)} intervals that hold "
        "together (Student over paired blocks, Bonferroni).",
        f"The best and the worst hero are {apart} apart",
    )


def _kinds_figure(kinds: pd.DataFrame, setting: Setting) -> Figure:
    rows = kinds.sort_values("estimate", ascending=False, kind="stable")
    first = rows.iloc[0]
    listed = "; ".join(
        f"{row['ability']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    worth = words.gain(first).replace(words.SPACE, " ")
    return Figure(
        "abilities",
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], 2.2),
            label="ability",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability it is worth to its owner (pp)",
        ),
        f"Dot plot of what abilities of heroes are worth: {listed}.",
        "The hero against itself with its ability void, on the same deals, averaged over seats and "
        f"the heroes that have it; n = {counted(first['n'], 'block')}, {percent(setting.level)} "
        "intervals that hold together (Student over paired blocks, Bonferroni).",
        f"{first['ability']}: {worth} of win probability to its owner",
    )


def _heroes_table(answer: Answer, setting: Setting) -> Table:
    frames = answer.frames
    keys = ["hero", "ability"]
    columns = ["estimate", "low", "high"]
    table = only(frames["given"], seat=None)[[*keys, *columns]]
    for name in ("balance", "abilities"):
        more = ["verdict"] if name == "balance" else []
        own = only(frames[name], seat=None)[["hero", *columns, *more]]
        own = own.rename(columns={column: f"{name}_{column}" for column in columns})
        table = table.merge(own, on="hero", how="left")
    table = table.assign(name=[hero_name(hero) for hero in table["hero"]])
    table = table.sort_values("estimate", ascending=False, kind="stable")
    return Table(
        "heroes",
        table,
        f"Heroes, all seats together; {percent(setting.level)} intervals that hold together within "
        "a column. Given: win rate of a seat that gets the hero.",
        columns={
            "name": "hero",
            "ability": "ability",
            "estimate": "given",
            "balance_estimate": "from average",
            "verdict": "verdict",
            "abilities_estimate": "ability is worth",
        },
        formats={
            "estimate": Interval("rate"),
            "balance_estimate": Interval("points", "balance_low", "balance_high"),
            "abilities_estimate": Interval("points", "abilities_low", "abilities_high"),
        },
        headline=True,
    )


def _held_table(held: pd.DataFrame, setting: Setting) -> Table:
    table = only(held, seat=None)
    table = table[table["games"] > 0]
    table = table.assign(name=[hero_name(hero) for hero in table["hero"]])
    return Table(
        "heroes_held",
        table.sort_values("picked", ascending=False, kind="stable"),
        f"Heroes as they are picked; {percent(setting.level)} intervals that hold together. "
        "Heroes that nobody picked are left out.",
        columns={
            "name": "hero",
            "ability": "ability",
            "picked": "picked",
            "estimate": "won when held",
        },
        formats={
            "picked": Interval("rate", "picked_low", "picked_high"),
            "estimate": Interval("rate"),
        },
    )


def _seats_table(answer: Answer, setting: Setting) -> Table:
    given = answer.frames["given"]
    rows = given[given["seat"].notna()]
    seats = [int(seat) for seat in dict.fromkeys(rows["seat"])]
    table = rows[["hero", "ability"]].drop_duplicates("hero").reset_index(drop=True)
    for seat in seats:
        own = only(given, seat=seat).set_index("hero")
        for column, suffix in (("estimate", ""), ("low", "_low"), ("high", "_high")):
            table[f"seat {seat}{suffix}"] = table["hero"].map(own[column])
    table = table.assign(name=[hero_name(hero) for hero in table["hero"]])
    return Table(
        "hero_by_seat",
        table,
        f"Win rate of each seat by the hero it is given; {percent(setting.level)} intervals that "
        "hold together for the whole table.",
        columns={
            "name": "hero",
            "ability": "ability",
            **{f"seat {seat}": f"seat {seat}" for seat in seats},
        },
        formats={
            f"seat {seat}": Interval("rate", f"seat {seat}_low", f"seat {seat}_high")
            for seat in seats
        },
    )
