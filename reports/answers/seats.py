"""The section about seats, turn order, what seats are dealt, and starting gems."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis import words
from analysis.question import Answer, Setting
from analysis.seats import ALL_DRAWN, AS_DEALT, MARGIN, ROLE, lineup_of, role_of
from reports import figures, style
from reports.answers.parts import only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points, rate
from sim.wording import counted


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: seats as dealt, then all drawn, then starting gems."""
    frames = answer.frames
    rates, fairness = frames["rates"], frames["fairness"]
    role = role_of(setting)
    blocks: list[Block] = [_seats_figure(rates, fairness, setting)]
    apart = _apart_figure(rates, fairness, role, setting)
    if apart is not None:
        blocks.append(apart)
    first, *rest = answer.sentences
    blocks += [
        Finding(first),
        *(Text(sentence) for sentence in rest),
        _how(role, setting),
        _rates_table(rates, role, setting),
        _fairness_table(fairness, setting),
    ]
    if "together" in frames:
        blocks.append(_together_table(frames["together"], role, setting))
    if "gem_worth" in frames:
        blocks.append(_gems_section(frames, setting))
    return Section(f"Seats and {role}s" if role else "Seats", blocks)


# ---------------------------------------------------------------------------------------- rates


def _label(by: str, value: int) -> str:
    if by == "order":
        return f"plays {words.ORDINALS[value - 1]}"
    return f"{by} {value}"


def _named(by: str) -> str:
    return "turn order" if by == "order" else by


def _seats_figure(rates: pd.DataFrame, fairness: pd.DataFrame, setting: Setting) -> Figure:
    rows = only(rates, by="seat")
    rows = rows.assign(label=[_label("seat", value) for value in rows["value"]])
    dealt = only(fairness, play=AS_DEALT, by="seat")
    own = rows[rows["play"] == AS_DEALT]
    listed = "; ".join(
        f"{row['play']}, {row['label']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    title = "No game was won"
    if len(dealt):
        row = dealt.iloc[0]
        apart = words.points(row["estimate"], row["low"], row["high"])
        title = f"As dealt, the best and the worst seat are {apart} apart"
    several = rows["play"].nunique() > 1
    return Figure(
        "seats",
        picture(
            figures.interval_dots,
            rows,
            style.FULL,
            label="label",
            estimate="estimate",
            by="play" if several else None,
            reference=1 / setting.players,
            reference_label="fair",
            xlabel="share of won games",
        ),
        f"Dot plot of win rates by seat: {listed}.",
        f"n = {counted(own['n'].max(), 'block')} a play, {percent(setting.level)} intervals "
        "that hold together for a play (Wilson on the effective number, Bonferroni).",
        title,
    )


def _apart_figure(
    rates: pd.DataFrame, fairness: pd.DataFrame, role: str, setting: Setting
) -> Figure | None:
    rows = rates[(rates["play"] == ALL_DRAWN) & (rates["by"] != "seat")]
    if rows.empty:
        return None
    labels = [_label(by, value) for by, value in zip(rows["by"], rows["value"], strict=True)]
    rows = rows.assign(label=labels)
    spread = only(fairness, play=ALL_DRAWN).set_index("by")[["estimate", "low", "high"]]
    parts = [
        f"{_named(by)} makes {words.points(*spread.loc[by])}"
        for by in ("order", role)
        if by in spread.index
    ]
    listed = "; ".join(
        f"{row['label']} {rate(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    title = f"All drawn, {words.listed(parts)}"
    return Figure(
        f"order_and_{role}s" if role else "turn_order",
        picture(
            figures.interval_dots,
            rows,
            style.FULL,
            label="label",
            estimate="estimate",
            reference=1 / setting.players,
            reference_label="fair",
            xlabel="share of won games",
        ),
        f"Dot plot of win rates with everything drawn by lot: {listed}.",
        f"n = {counted(rows['n'].max(), 'block')}, {percent(setting.level)} intervals that hold "
        f"together for turn order{f' and for {role}s' if role else ''} (Wilson on the effective "
        "number, Bonferroni).",
        title,
    )


def _how(role: str, setting: Setting) -> Text:
    who = (
        "The lineup rotates, so every strategy sits in every seat."
        if setting.rotate
        else f"The same strategy ({lineup_of(setting)[0]}) sits in all seats, so no difference is "
        "one of strategies."
    )
    dealt = (
        f"Where {role}s are dealt in order of the seats and seat 1 starts, nobody can tell a seat "
        f"from its turn or from its {role}."
        if role
        else "Where seat 1 starts, nobody can tell a seat from its turn."
    )
    holds = f" and who holds which {role}" if role else ""
    return Text(
        f"{who} {dealt} So the game is played *as dealt*, and with *all drawn*: for each deal it "
        f"is drawn by lot who starts{holds}. Then a seat is nothing but a place at the table, and "
        "its win rate a test of the strategies: it should be fair."
    )


def _rates_table(rates: pd.DataFrame, role: str, setting: Setting) -> Table:
    held = rates[role] if role else pd.Series(pd.NA, index=rates.index)
    labels = [
        _label(by, value) + ("" if pd.isna(number) else f" ({role} {number})")
        for by, value, number in zip(rates["by"], rates["value"], held, strict=True)
    ]
    within = f"seats, turn order and {role}s" if role else "seats and within turn order"
    return Table(
        "seats",
        rates.assign(who=labels),
        f"Share of the won games; {words.share(1 / setting.players)} is fair. "
        f"{percent(setting.level)} intervals that hold together within {within} of a play.",
        columns={"play": "play", "who": "who", "games": "games", "estimate": "wins"},
        formats={"games": "count", "estimate": Interval("rate")},
        headline=True,
    )


def _fairness_table(fairness: pd.DataFrame, setting: Setting) -> Table:
    return Table(
        "fairness",
        fairness.assign(what=[_named(by) for by in fairness["by"]]),
        f"Largest minus smallest share, largest distance from the fair share, and whether that is "
        f"within {MARGIN * 100:g} points; {percent(setting.level)} intervals from those of the "
        "shares. G: likelihood-ratio test of equal shares.",
        columns={
            "play": "play",
            "what": "by",
            "estimate": "largest − smallest",
            "deviation": "furthest from fair",
            "verdict": "verdict",
            "statistic": "G",
            "df": "df",
            "p_value": "p",
        },
        formats={
            "estimate": Interval("points"),
            "deviation": Interval("points", "deviation_low", "deviation_high"),
            "statistic": "mean:1",
            "df": "count",
            "p_value": lambda p: "< 0.001" if p < 0.001 else f"{p:.3f}",
        },
    )


def _together_table(together: pd.DataFrame, role: str, setting: Setting) -> Table:
    rows = together.assign(which=[_label("order", value) for value in together["order"]])
    rows = rows.sort_values([role, "order"], kind="stable")
    table = wide(rows, [role], "which")
    named = list(dict.fromkeys(rows["which"]))
    return Table(
        f"order_by_{role}",
        table,
        f"Share of the won games by {role} and turn order, all drawn; {percent(setting.level)} "
        "intervals that hold together for the whole table.",
        columns={role: role, **{name: name for name in named}},
        formats={
            role: "count",
            **{name: Interval("rate", f"{name}_low", f"{name}_high") for name in named},
        },
    )


# ---------------------------------------------------------------------------------------- gems


def _gems_section(frames: Mapping[str, pd.DataFrame], setting: Setting) -> Section:
    level = percent(setting.level)
    worth = frames["gem_worth"]
    named = ["all wizards" if pd.isna(w) else f"wizard {w}" for w in worth[ROLE]]
    worth = wide(worth.assign(who=named), ["who"], "quantity")
    allocations, nearest = frames["allocations"], frames["nearest"]
    table = wide(allocations, ["gems", "role", "played", "moved"], ROLE)
    far = nearest.set_index("gems")
    table = table.assign(
        far=table["gems"].map(far["estimate"]),
        far_low=table["gems"].map(far["low"]),
        far_high=table["gems"].map(far["high"]),
        how=["played" if played else "by the surface" for played in table["played"]],
    )
    numbers = list(dict.fromkeys(allocations[ROLE].astype(str)))
    return Section(
        "Starting gems",
        [
            _nearest_figure(nearest, numbers, setting),
            Text(
                "Start and wizards are drawn by lot throughout. Around the gems of the rules, "
                "each wizard gets up to two gems more or less in a balanced set of allocations, "
                "all played on the same deals, and a linear surface is fitted. The allocation "
                "nearest to fair was chosen on the deals with even numbers, among those played "
                "(*best*) and among all within two gems of the rules (*model*), and is measured "
                "on the deals with odd numbers."
            ),
            Table(
                "gem_worth",
                worth,
                "What one starting gem more is worth to its owner, and how far the worth bends "
                f"(0: every gem is worth the same); {level} intervals that hold together for the "
                "wizards.",
                columns={"who": "wizard", "per_gem": "a gem is worth", "bend": "bend"},
                formats={
                    "per_gem": Interval("points", "per_gem_low", "per_gem_high"),
                    "bend": Interval("points", "bend_low", "bend_high"),
                },
            ),
            Table(
                "gem_allocations",
                table,
                f"Win rates by starting gems of the wizards {', '.join(numbers)}, all drawn, on "
                f"deals with odd numbers; {level} intervals that hold together for an allocation.",
                columns={
                    "gems": "gems",
                    "role": "chosen as",
                    "how": "how",
                    **{number: number for number in numbers},
                    "far": "furthest from fair",
                },
                formats={
                    **{n: Interval("rate", f"{n}_low", f"{n}_high") for n in numbers},
                    "far": Interval("points", "far_low", "far_high"),
                },
            ),
        ],
    )


def _nearest_figure(nearest: pd.DataFrame, numbers: list[str], setting: Setting) -> Figure:
    names = {
        "rules": "rules",
        "best": "best played",
        "model": "best by the surface",
    }
    labels = [
        f"{row['gems']} ({', '.join(names[name] for name in row['role'].split(', '))})"
        if row["role"]
        else row["gems"]
        for row in nearest.to_dict("records")
    ]
    rows = nearest.assign(label=labels)
    rules = rows[rows["role"].str.contains("rules")].iloc[0]
    best = rows[rows["role"].str.contains("best")].iloc[0]
    if best["gems"] == rules["gems"]:
        title = f"No allocation of gems played looks fairer than {rules['gems']}"
    elif best["high"] < rules["low"]:
        title = f"{best['gems']} starting gems are fairer than {rules['gems']}"
    else:
        title = f"No allocation of gems played is clearly fairer than {rules['gems']}"
    return Figure(
        "gem_allocations",
        picture(
            figures.interval_dots,
            rows,
            style.TALL,
            label="label",
            estimate="estimate",
            kind="points",
            reference=MARGIN,
            reference_label="margin",
            xlabel="wizard furthest from its fair share (pp)",
        ),
        "Dot plot of the distance from fair by starting gems: with the rules' gems "
        f"{points(rules['estimate'], rules['low'], rules['high'])}, with {best['gems']} "
        f"{points(best['estimate'], best['low'], best['high'])}.",
        f"Starting gems of the wizards {', '.join(numbers)}, all drawn; "
        f"n = {counted(nearest['n'].max(), 'block')} (deals with odd numbers), "
        f"{percent(setting.level)} intervals from the wizards' simultaneous ones. With noise alone "
        "the largest of several distances is above 0.",
        title,
    )
