"""The section about cave-ins in Wizard Miners."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes

from analysis import words
from analysis.cave_in_risk import (
    CAVE_INS,
    RUBBLE,
    VOIDED,
    Cleaner,
    Way,
    best_is_shown,
    chart_sentence,
    cost_sentence,
    die_off_sentence,
    dynamite_sentence,
    find_cleaner,
    price_sentence,
    risk_sentence,
    threshold_sentence,
    threshold_words,
    way_name,
    way_of,
)
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.parts import mask, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Format, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted, noun_for

FEW_ROLLS = 200  # a class with fewer rolls is left out of pictures; the tables have it
RARE = 0.01  # share of rolls below which a class is left out of the table of the chart
CURVES = 4  # numbers of dynamite that a picture tells apart
NAMED = {**{CAVE_INS[k]: words.ORDINALS[k - 1] for k in VOIDED if k > 0}, "all": "all of a game"}


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: costs and thresholds first, then risk, the chart, the die."""
    frames = answer.frames
    cleaner = find_cleaner(setting)
    blocks: list[Block] = []
    if frames["costs"]["happens"].any():
        blocks.append(_cost_figure(frames["costs"], setting))
    if cleaner is not None:
        blocks.append(_threshold_figure(frames, cleaner))
    blocks.append(_cost_section(frames["costs"], setting))
    if cleaner is not None:
        blocks.append(_threshold_section(frames, cleaner, setting))
    blocks += [
        _risk_section(frames["risk"], frames["falls"], setting),
        _chart_section(frames["chart"], setting),
        _die_section(frames["die_off"], setting),
    ]
    return Section("Cave-ins", blocks)


# ---------------------------------------------------------------------------------------- costs


def _cost_figure(costs: pd.DataFrame, setting: Setting) -> Figure:
    rows = costs[costs["seat"].isna() & (costs["per"] == "cave-in") & (costs["happens"] > 0)]
    rows = rows.assign(label=[_figure_label(name) for name in rows["cave_in"]])
    every = only(costs, cave_in="all", seat=None, per="cave-in").iloc[0]
    listed = "; ".join(
        f"{row['label']} {points(row['estimate'], row['low'], row['high'])}"
        for row in rows.to_dict("records")
    )
    cost = words.gain(every).replace(words.SPACE, " ")
    return Figure(
        "cave_in_cost",
        picture(
            figures.interval_dots,
            rows,
            style.HALF,
            label="label",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="win probability it costs (pp)",
        ),
        f"Dot plot of what a cave-in costs its victim: {listed}.",
        "A seat's cave-in voided on the same deals, averaged over "
        f"{counted(setting.players, 'seat')}; "
        f"n = {counted(every['n'], 'block')}, {percent(setting.level)} intervals that hold "
        "together (Student over paired blocks, Bonferroni).",
        f"A cave-in costs its victim {cost} of win probability",
    )


def _figure_label(cave_in: str) -> str:
    return "average of all" if cave_in == "all" else f"the {NAMED[cave_in]}"


def _cost_section(costs: pd.DataFrame, setting: Setting) -> Section:
    averages = costs[costs["seat"].isna() & (costs["per"] != "card")]
    sides = [
        f"{name}{end}"
        for name in ("happens", "without", "changed")
        for end in ("", "_low", "_high")
    ]
    keep = (*sides, "discordance", "speed_up")
    table = wide(averages, ["cave_in"], "per", keep)
    table["cave_in"] = table["cave_in"].map(NAMED)
    seats = costs[costs["seat"].notna() & (costs["per"] == "cave-in")]
    by_seat = wide(seats.assign(which=seats["cave_in"].map(NAMED)), ["seat"], "which")
    named = [str(name) for name in dict.fromkeys(seats["cave_in"].map(NAMED))]
    level = percent(setting.level)
    return Section(
        "What a cave-in costs its victim",
        [
            Finding(cost_sentence(costs)),
            Text(
                "One seat's cave-in is voided: it rolls as before, but no card falls. Everything "
                "else stays, the other players and all later dice and cards included. The "
                "difference in that seat's win probability is what the cave-in costs; it is "
                "averaged over the seats. A roll that moves no card counts as a cave-in as well. "
                "For *all of a game*, the figure per cave-in is the loss of a game divided by the "
                "number of cave-ins, and that is not quite the average of single ones: with every "
                "fall voided there is more rubble for the next."
            ),
            Table(
                "cave_in_cost",
                table,
                f"Win probability that cave-ins cost, averaged over the seats; {level} intervals "
                "that hold together within a column. Speed-up: how many times more deals the "
                "same precision would take if every play had its own.",
                columns={
                    "cave_in": "cave-in",
                    "happens": "times a game",
                    "game": "costs in a game",
                    "cave-in": "costs when it comes",
                    # as it is a seat wins 1 / players on average: in the CSV only
                    "changed": "wins if voided",
                    "discordance": "deals that differ",
                    "speed_up": "speed-up",
                },
                formats={
                    "happens": Interval("mean", "happens_low", "happens_high"),
                    "game": Interval("points", "game_low", "game_high"),
                    "cave-in": Interval("points", "cave-in_low", "cave-in_high"),
                    "changed": Interval("rate", "changed_low", "changed_high"),
                    "discordance": "rate",
                    "speed_up": "mean:1",
                },
                headline=True,
            ),
            Table(
                "cave_in_cost_by_seat",
                by_seat,
                f"What a cave-in costs when it comes, by seat; {level} intervals that hold "
                "together for the whole table.",
                columns={"seat": "seat", **{name: name for name in named}},
                formats={
                    "seat": "count",
                    **{name: Interval("points", f"{name}_low", f"{name}_high") for name in named},
                },
            ),
        ],
    )


# ----------------------------------------------------------------------------------- thresholds


def _threshold_figure(frames: Mapping[str, pd.DataFrame], cleaner: Cleaner) -> Figure:
    thresholds = frames["thresholds"]
    chosen = way_of(only(frames["best_threshold"], role="best").iloc[0].to_dict())
    over = f"{cleaner.scripted:g}"
    note = ""
    marked = chosen.threshold
    if cleaner.eager:  # its own play weighs the price: not a point of this curve, but its zero
        thresholds = thresholds[~thresholds["weighs"]]
        over = "its own play"
        note = (
            f" Its own play, the dashed line, weighs the price from {cleaner.scripted:g} cards on; "
            "the curve cleans up whatever it costs."
        )
        marked = math.inf if chosen.weighs else chosen.threshold
    end = max(t for t in cleaner.thresholds if t <= cleaner.cards) + 3
    rows = thresholds.assign(at=[min(t, end) for t in thresholds["threshold"]])
    shown = [t for t in cleaner.thresholds if t <= cleaner.cards]
    has_never = len(shown) < len(cleaner.thresholds)

    def finish(axes: Axes) -> None:
        ticks = shown[::2] if len(shown) > 6 else shown
        labels = [f"{t:g}" for t in ticks]
        axes.set_xticks([*ticks, end] if has_never else ticks, [*labels, "never"][: len(ticks) + 1])

    title = f"{cleaner.spec} plays better if it {threshold_words(cleaner, chosen)}"
    if not best_is_shown(frames):
        own = f"{cleaner.scripted:g} {noun_for(cleaner.scripted, 'card')}"
        title = f"No threshold is shown to beat {cleaner.spec}’s own, {own}"
        if cleaner.eager:
            title = f"Cleaning up whatever it costs is not shown to beat {cleaner.spec}’s own play"
    worst = thresholds.loc[thresholds["estimate"].idxmin()]
    most = thresholds.loc[thresholds["estimate"].idxmax()]
    return Figure(
        "clean_up_threshold",
        picture(
            figures.curve_with_band,
            rows,
            style.HALF,
            finish,
            x="at",
            estimate="estimate",
            kind="points",
            best=marked if marked < end else None,  # at the end the curve says it by itself
            best_label="best",
            reference=0.0,
            xlabel="cleans up from this many cards on",
            ylabel=f"win probability gained over {over} (pp)",
        ),
        "Curve of the win probability gained over the clean-up threshold, from "
        f"{points(worst['estimate'], worst['low'], worst['high'])} at "
        f"{way_name(cleaner, Way(worst['threshold']))} to "
        f"{points(most['estimate'], most['low'], most['high'])} at "
        f"{way_name(cleaner, Way(most['threshold']))}.",
        f"One {cleaner.spec} with another threshold, the others unchanged, on the same deals; "
        f"n = {counted(most['n'], 'block')}, {percent(most['level'])} intervals that hold "
        "together (Student over paired blocks, Bonferroni). Best: chosen in one half of the deals."
        f"{note}",
        title,
    )


def _threshold_section(
    frames: Mapping[str, pd.DataFrame], cleaner: Cleaner, setting: Setting
) -> Section:
    def named(frame: pd.DataFrame) -> pd.DataFrame:
        ways = map(way_of, frame.to_dict("records"))
        return frame.assign(cleans_up=[way_name(cleaner, way) for way in ways])

    shown = {
        "cleans_up": "cleans up from",
        "estimate": "win probability gained",
        "changed": "wins",
        "discordance": "deals that differ",
        "n": "blocks",
    }
    formats: dict[str, Format] = {
        "estimate": Interval("points"),
        "changed": Interval("rate", "changed_low", "changed_high"),
        "discordance": "rate",
        "n": "count",
    }
    level = percent(setting.level)
    best = {name: title for name, title in shown.items() if name != "discordance"}
    own = way_name(cleaner, cleaner.own)
    how = "cleans up whenever its rubble reaches a threshold"
    against = f"the scripted threshold ({own})"
    if cleaner.eager:
        how += (
            f", whatever that costs. As scripted it weighs the price from {cleaner.scripted:g} "
            f"{noun_for(cleaner.scripted, 'card')} on, so that threshold is played in both ways"
        )
        against = f"its own play ({own}); all others clean up whatever it costs"
    return Section(
        "From which pile on it pays to clean up",
        [
            Finding(threshold_sentence(frames, cleaner)),
            *_price(frames, cleaner, level),
            Text(
                f"One player plays {cleaner.spec} and {how}. The others stay "
                "as they are, and the seats take turns. "
                "The best of many thresholds looks better than it is, because luck helped to "
                "choose it. So it was chosen on the deals with even numbers and measured, with its "
                "neighbours, on those with odd numbers ({table:clean_up_best}). The curve and "
                "{table:clean_up_thresholds} rest on all deals; their intervals are wide enough to "
                "hold for all thresholds at once."
            ),
            Table(
                "clean_up_thresholds",
                named(frames["thresholds"]),
                f"Win probability gained against {against}; {level} intervals that hold together.",
                columns=shown,
                formats=formats,
            ),
            Table(
                "clean_up_best",
                named(frames["best_threshold"]),
                "The threshold chosen in one half of the deals, and its neighbours, measured in "
                f"the other half; {level} intervals that hold together.",
                columns={"role": "threshold", **best},
                formats={name: spec for name, spec in formats.items() if name in best},
                headline=True,
            ),
        ],
    )


def _price(frames: Mapping[str, pd.DataFrame], cleaner: Cleaner, level: str) -> list[Block]:
    """What weighing the price brings; nothing of a strategy that does not."""
    if not cleaner.eager:
        return []
    price = frames["price"]
    table = price.assign(cleans_up=[f"{t:g}" for t in price["threshold"]])
    method = price["method"].iloc[0]
    return [
        Finding(price_sentence(price)),
        Table(
            "clean_up_price",
            table,
            "What weighing the price of a clean-up gains over cleaning up whatever it costs, from "
            f"the same number of cards on; {level} interval by itself ({method}).",
            columns={
                "cleans_up": "cleans up from",
                "estimate": "win probability gained",
                "changed": "wins, weighing",
                "without": "wins, whatever it costs",
                "discordance": "deals that differ",
                "n": "blocks",
            },
            formats={
                "estimate": Interval("points"),
                "without": Interval("rate", "without_low", "without_high"),
                "changed": Interval("rate", "changed_low", "changed_high"),
                "discordance": "rate",
                "n": "count",
            },
        ),
    ]


# ----------------------------------------------------------------------------------------- risk


def _risk_section(risk: pd.DataFrame, falls: pd.DataFrame, setting: Setting) -> Section:
    level = percent(setting.level)
    several = risk["strategy"].nunique() > 1
    by_strategy = wide(
        risk if several else risk[risk["strategy"].notna()], ["strategy"], "quantity"
    )
    by_strategy["strategy"] = by_strategy["strategy"].fillna("all players")
    risks = {
        "cave_in_rolls": ("cave-in rolls a game", "mean"),
        "cards_per_roll": ("cards lost a roll", "mean"),
        "cards_per_game": ("cards lost a game", "mean"),
        "pile_per_roll": ("rolls that take the entire pile", "rate"),
        "pile_per_game": ("games with an entire pile lost", "rate"),
    }
    blocks: list[Block] = [
        Finding(risk_sentence(risk) or "No player made a cave-in roll."),
        Table(
            "cave_ins_by_strategy",
            by_strategy,
            f"Cave-ins of a player by strategy; {level} intervals over blocks, each by itself.",
            columns={"strategy": "strategy", **{k: title for k, (title, _) in risks.items()}},
            formats={k: Interval(kind, f"{k}_low", f"{k}_high") for k, (_, kind) in risks.items()},
        ),
    ]
    if falls.empty:
        return Section("How often cave-ins come, and what they take", blocks)
    blocks += [Text(dynamite_sentence(falls)), _fall_figure(falls, setting)]
    for by, other, title in (
        ("dynamite", "rubble", "dynamite on the player"),
        ("rubble", "dynamite", "cards in the pile"),
    ):
        rows = falls[falls[by].notna() & falls[other].isna()]
        table = wide(rows, [by], "quantity", ("rolls",))
        blocks.append(
            Table(
                f"cave_ins_by_{by}",
                table,
                f"Cave-in rolls by {title} at the time; {level} intervals over "
                "32 replicates, each by itself; a share never seen has a one-sided bound.",
                columns={
                    by: title,
                    "rolls": "rolls",
                    "share_of_rolls": "share of rolls",
                    "cards_per_roll": "cards lost a roll",
                    "pile_per_roll": "takes the entire pile",
                },
                formats={
                    "rolls": "count",
                    "share_of_rolls": Interval("rate", "share_of_rolls_low", "share_of_rolls_high"),
                    "cards_per_roll": Interval("mean", "cards_per_roll_low", "cards_per_roll_high"),
                    "pile_per_roll": Interval("rate", "pile_per_roll_low", "pile_per_roll_high"),
                },
            )
        )
    return Section("How often cave-ins come, and what they take", blocks)


def _fall_figure(falls: pd.DataFrame, setting: Setting) -> Figure:
    cells = falls[
        falls["dynamite"].notna()
        & falls["rubble"].notna()
        & (falls["quantity"] == "cards_per_roll")
    ]
    kept = cells[cells["rolls"] >= FEW_ROLLS]
    if kept.empty:
        kept = cells
    common = kept.groupby("dynamite")["rolls"].sum().nlargest(CURVES).index
    kept = kept[kept["dynamite"].isin(common)]
    kept = kept.assign(rubble=pd.Categorical(kept["rubble"], list(RUBBLE), ordered=True))
    several = len(common) > 1
    numbers = words.listed(sorted(common))
    return Figure(
        "cards_lost_by_rubble",
        picture(
            figures.interval_dots,
            kept,
            style.TALL if several else style.FULL,
            label="rubble",
            estimate="estimate",
            by="dynamite" if several else None,
            by_label="dynamite on the player",
            kind="mean",
            xlabel="cards lost in a cave-in roll",
        ),
        "Dot plot of the cards lost in a cave-in roll, for piles from small to large and "
        f"{numbers} dynamite on the player; from "
        f"{words.amount(kept.loc[kept['estimate'].idxmin()])} to "
        f"{words.amount(kept.loc[kept['estimate'].idxmax()], 'cards')}.",
        f"By cards in the pile at the time, for {numbers} dynamite; classes with {FEW_ROLLS} rolls "
        f"or more, n = {counted(kept['rolls'].sum(), 'roll')}; {percent(setting.level)} "
        "intervals over 32 replicates, each by itself.",
        _fall_title(kept),
    )


def _fall_title(kept: pd.DataFrame) -> str:
    """What the most dynamite in the picture does to the largest pile that it met."""
    pile = kept.sort_values(["dynamite", "rubble"])["rubble"].iloc[-1]
    same = kept[kept["rubble"] == pile].sort_values("dynamite")
    low, top = same.iloc[0], same.iloc[-1]
    least, most = (words.amount(row).replace(words.SPACE, " ") for row in (low, top))
    title = f"Cards that a cave-in takes from a pile of {pile}: "
    if len(same) < 2:
        return f"{title}{most}"
    return f"{title}{least} with {low['dynamite']} dynamite and {most} with {top['dynamite']}"


# ---------------------------------------------------------------------------------------- chart


def _chart_section(chart: pd.DataFrame, setting: Setting) -> Section:
    blocks: list[Block] = []
    sentence = chart_sentence(chart, setting.level)
    every = chart.groupby(["dynamite", "shore_ups"])["rolls"].first().sum()
    shown = chart[chart["rolls"] >= RARE * every]
    if sentence:
        blocks += [Finding(sentence), *_chart_figure(chart, setting)]
    blocks += [
        Text(
            "A die of the cave-in roll is thrown when dynamite and Shore Ups are known, and owes "
            "nothing to what happened before. So the shares have exact intervals of independent "
            "throws."
        ),
        Table(
            "cave_in_chart",
            shown,
            f"Results of cave-in rolls beside the exact distribution; {percent(setting.level)} "
            f"intervals that hold together for all classes. Classes with less than "
            f"{percent(RARE)} of the rolls are in results.json only.",
            columns={
                "dynamite": "dynamite",
                "shore_ups": "Shore Ups",
                "result": "cards",
                "rolls": "rolls",
                "exact": "exact",
                "estimate": "simulated",
                "inside": "agrees",
            },
            formats={"rolls": "count", "exact": "rate", "estimate": Interval("rate")},
        ),
    ]
    return Section("The chart", blocks)


def _chart_figure(chart: pd.DataFrame, setting: Setting) -> list[Figure]:
    known = chart[chart["exact"].notna()]
    classes = known.groupby(["dynamite", "shore_ups"], sort=False)["rolls"].first()
    lit = classes[classes.index.get_level_values("dynamite") != "0"]
    lit = lit[lit >= FEW_ROLLS]
    dynamite, shore_ups = (lit if len(lit) else classes).idxmax()
    rows = only(known, dynamite=dynamite, shore_ups=shore_ups)
    exact = rows.assign(source="exact", rate=rows["exact"], low=float("nan"), high=float("nan"))
    played = rows.assign(source="simulated", rate=rows["estimate"])
    both = pd.concat([exact, played], ignore_index=True)
    agrees = bool(chart["inside"].dropna().all())
    rolls = int(rows["rolls"].iloc[0])
    return [
        Figure(
            "cave_in_chart",
            picture(
                figures.grouped_bars_with_intervals,
                both,
                style.FULL,
                label="result",
                by="source",
                xlabel="cards that fall by the chart",
                ylabel="share of cave-in rolls",
            ),
            "Pairs of bars, the exact and the simulated share of each result of the cave-in "
            f"chart with {dynamite} dynamite and {shore_ups} Shore Ups.",
            f"{dynamite} dynamite and {shore_ups} Shore Ups, n = {counted(rolls, 'roll')}; "
            f"{percent(setting.level)} intervals that hold together for all classes "
            "(Clopper-Pearson, Bonferroni).",
            "The simulated rolls agree with the exact chart"
            if agrees
            else "Some simulated shares do not agree with the exact chart",
        )
    ]


# ------------------------------------------------------------------------------------------ die


def _die_section(die_off: pd.DataFrame, setting: Setting) -> Section:
    named = {"rolls": "rolls", "cave_in_rolls": "cave-in rolls of all players"}
    table = die_off[mask(die_off, {"unit": "rolls"})]
    table = table.assign(what=[named[name] for name in table["quantity"]])
    return Section(
        "The CAVE-IN die switched off for everybody",
        [
            Finding(die_off_sentence(die_off)),
            Text(
                "A switch for everybody leaves every win rate of a symmetric table where it is. "
                "It says what cave-ins do to the length of the game, and nothing about what they "
                "cost a player."
            ),
            Table(
                "die_off",
                table,
                "A game without a CAVE-IN face, compared with the game as it is on the same "
                f"deals; {percent(setting.level)} intervals over paired blocks, each by itself.",
                columns={
                    "what": "in a game",
                    "without": "as it is",
                    "changed": "without the die",
                    "estimate": "difference",
                    "speed_up": "speed-up",
                    "n": "blocks",
                },
                formats={
                    "without": Interval("mean", "without_low", "without_high"),
                    "changed": Interval("mean", "changed_low", "changed_high"),
                    "estimate": Interval("difference"),
                    "speed_up": "mean:1",
                    "n": "count",
                },
            ),
        ],
    )
