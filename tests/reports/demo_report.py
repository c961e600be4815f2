"""A realistic report from synthetic frames. `python -m tests.reports.demo_report FOLDER` writes it.

The numbers are made up by a seeded generator; nothing here says anything about a real game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from reports import build, figures, style
from reports.document import (
    Assumption,
    Figure,
    Finding,
    Report,
    Reproduce,
    Section,
    Table,
    Text,
)
from reports.format import Interval, rate

STRATEGIES = ["balanced", "builder", "cleaner", "drill_first", "passive", "saboteur", "sprinter"]
LEVEL = "95 % simultaneous intervals, 250,000 deals under all seat rotations"


def rng() -> np.random.Generator:
    return np.random.default_rng(20260101)


def bounds(frame: pd.DataFrame, half: Any, column: str = "rate") -> pd.DataFrame:
    return frame.assign(low=frame[column] - half, high=frame[column] + half)


def seats() -> pd.DataFrame:
    frame = pd.DataFrame(
        {"seat": [f"seat {i}" for i in (1, 2, 3, 4)], "rate": [0.2712, 0.2551, 0.2419, 0.2318]}
    )
    return bounds(frame, 0.0021)


def thresholds() -> pd.DataFrame:
    at = np.arange(0, 21)
    parts = []
    for supply, best in (("12 dynamite", 7.0), ("8 dynamite", 10.0)):
        frame = pd.DataFrame({"threshold": at, "supply": supply})
        frame["rate"] = 0.29 - 0.00065 * (at - best) ** 2 + rng().normal(0, 0.001, len(at))
        parts.append(bounds(frame, 0.003 + 0.0002 * at))
    return pd.concat(parts, ignore_index=True)


def lengths() -> pd.DataFrame:
    value = np.arange(18, 95)
    weight = np.exp(-(((value - 41) / 9.5) ** 2) / 2) + 0.25 * np.exp(-(((value - 55) / 14) ** 2))
    frame = pd.DataFrame({"rolls": value, "share": weight / weight.sum()})
    return bounds(frame, 0.0009 + 0.01 * frame["share"], "share").clip(lower=0)


def rounds() -> pd.DataFrame:
    value = np.arange(6, 25)
    weight = np.exp(-(((value - 12) / 2.6) ** 2) / 2)
    frame = pd.DataFrame({"rounds": value, "share": weight / weight.sum()})
    return bounds(frame, 0.004, "share").clip(lower=0)


def chart() -> pd.DataFrame:
    exact = np.array([0.031, 0.109, 0.172, 0.203, 0.181, 0.127, 0.082, 0.051, 0.027, 0.017])
    labels = [*(str(i) for i in range(9)), "whole pile"]
    simulated = bounds(
        pd.DataFrame(
            {"result": labels, "source": "simulated", "rate": exact + rng().normal(0, 0.002, 10)}
        ),
        0.004,
    )
    known = pd.DataFrame({"result": labels, "source": "exact", "rate": exact})
    return pd.concat([known.assign(low=np.nan, high=np.nan), simulated], ignore_index=True)


def snowball() -> pd.DataFrame:
    parts = []
    for index, quarter in enumerate(["first quarter", "half", "third quarter"]):
        lead = np.arange(0, 26)
        frame = pd.DataFrame({"quarter": quarter, "lead": lead})
        frame["rate"] = 1 / (1 + np.exp(-(-0.95 + 0.1 * index + (0.07 + 0.05 * index) * lead)))
        parts.append(bounds(frame, 0.008 + 0.0025 * lead))
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(low=frame["low"].clip(0, 1), high=frame["high"].clip(0, 1))


def field() -> pd.DataFrame:
    draw = rng()
    rows = [
        {"strategy": a, "field": b, "rate": 0.25 if a == b else float(draw.uniform(0.08, 0.55))}
        for a in STRATEGIES
        for b in STRATEGIES
    ]
    return bounds(pd.DataFrame(rows), 0.0032)


def cave_ins() -> pd.DataFrame:
    draw = rng()
    rows = [
        {
            "strategy": strategy,
            "dynamite": "3+" if dynamite == 3 else str(dynamite),
            "cards": 1.2 + 0.9 * dynamite + float(draw.normal(0, 0.15)),
        }
        for strategy in STRATEGIES[:5]
        for dynamite in range(4)
    ]
    return bounds(pd.DataFrame(rows), 0.16, "cards")


def long_table() -> pd.DataFrame:
    draw = rng()
    n = 500
    frame = pd.DataFrame(
        {
            "cell": np.arange(1, n + 1),
            "strategy": draw.choice(STRATEGIES, n),
            "dynamite": draw.integers(0, 8, n),
            "rubble": draw.choice(["0", "1-2", "3-4", "5-7", "8-10", "11-15", "16-21", "22+"], n),
            "games": draw.integers(900, 1_400_000, n),
            "rate": draw.uniform(0.001, 0.6, n),
            "cards": draw.gamma(3, 1.4, n),
        }
    )
    frame = bounds(frame, 1.96 * np.sqrt(frame["rate"] * (1 - frame["rate"]) / frame["games"]))
    frame["cards_low"] = frame["cards"] - 0.08
    frame["cards_high"] = frame["cards"] + 0.08
    return frame


def picture(
    plot: Callable[..., Axes],
    frame: pd.DataFrame,
    size: tuple[float, float] = style.FULL,
    **options: Any,
) -> Callable[[], Canvas]:
    def make() -> Canvas:
        figure = style.new_figure(size)
        plot(frame, figure.subplots(), **options)
        return figure

    return make


def report() -> Report:
    best = seats().iloc[0]
    marks = pd.DataFrame(
        {
            "label": ["10 %", "median", "90 %"],
            "estimate": [31, 43, 61],
            "low": [30.8, 42.8, 60.6],
            "high": [31.2, 43.2, 61.4],
        }
    )
    headline = [
        Figure(
            "win_rate_by_seat",
            picture(
                figures.interval_dots,
                seats(),
                style.HALF,
                label="seat",
                reference=0.25,
                reference_label="fair share",
                xlabel="win rate",
            ),
            "Dot plot: win rates fall from 27.1 % in seat 1 to 23.2 % in seat 4; a fair share is "
            "25 %.",
            f"Win rate by seat; {LEVEL}.",
            "Seat 1 wins four points more often than seat 4",
        ),
        Figure(
            "clean_up_threshold",
            picture(
                figures.curve_with_band,
                thresholds(),
                style.HALF,
                x="threshold",
                by="supply",
                reference=0.25,
                xlabel="clean up at this many cards of rubble",
                ylabel="win rate",
            ),
            "Two curves of win rate over the clean-up threshold, highest near 7 and near 10 cards.",
            f"Win rate of one cleaner among three balanced players; {LEVEL}.",
            "Cleaning up pays from seven cards of rubble on",
        ),
    ]
    seat_table = Table(
        "seats",
        seats().assign(deals=250_000),
        "Win rate by seat, all strategies pooled.",
        columns={"seat": "seat", "rate": "win rate (95 %)", "deals": "deals"},
        formats={"rate": Interval("rate"), "deals": "count"},
        headline=True,
    )
    sections = [
        Section(
            "Cave-ins",
            [
                Finding(
                    "A cave-in costs its victim **4.1 pp [3.8, 4.4]** of win probability, and the "
                    "first stick of dynamite does half of that."
                ),
                Text(
                    "The chart decides how many cards of rubble go back to the mine. The exact "
                    "distribution follows from the die by enumeration; {figure:chart} shows that "
                    "the simulation agrees with it in every column.\n\n"
                    "What a cave-in costs is measured by voiding one seat's cave-in on the same "
                    "luck, the other seats unchanged:\n\n"
                    "- the *effect* is the difference in win probability of that seat,\n"
                    "- the *unit* is the deal under all rotations of the seats,\n"
                    "- the switch is `void_cave_in`, and {table:by_cell} lists every cell."
                ),
                Figure(
                    "chart",
                    picture(
                        figures.grouped_bars_with_intervals,
                        chart(),
                        label="result",
                        xlabel="cards lost in one cave-in",
                        ylabel="share of cave-in rolls",
                    ),
                    "Paired bars of exact and simulated shares for each chart result; they agree "
                    "within the whiskers.",
                    "Two sticks of dynamite, no Shore Up; Wilson intervals at 95 %, n = 48,211 "
                    "cave-in rolls.",
                    "The simulated chart agrees with the exact one",
                ),
                Section(
                    "By strategy and dynamite",
                    [
                        Figure(
                            "cards_lost",
                            picture(
                                figures.interval_dots,
                                cave_ins(),
                                style.TALL,
                                label="strategy",
                                by="dynamite",
                                by_label="sticks of dynamite",
                                estimate="cards",
                                kind="mean",
                                xlabel="cards lost per cave-in",
                            ),
                            "Dot plot: cards lost per cave-in rise with dynamite for every "
                            "strategy alike.",
                            "Student intervals on 32 replicates; colour is the number of sticks.",
                            "Every stick costs about one card more, whatever the strategy",
                        ),
                        seat_table,
                    ],
                ),
            ],
        ),
        Section(
            "Length of the game",
            [
                Text("Nine games in ten end within 61 rolls. No game reached the cap."),
                Figure(
                    "rolls",
                    picture(
                        figures.distribution,
                        lengths(),
                        value="rolls",
                        marks=marks,
                        xlabel="rolls",
                    ),
                    "Histogram of rolls, a single hump at 41 with a tail to the right; median 43.",
                    "Band: 95 % intervals; grey: order-statistic intervals of the quantiles.",
                    "Half of all games take 43 rolls or fewer",
                ),
                Figure(
                    "rounds",
                    picture(
                        figures.distribution,
                        rounds(),
                        value="rounds",
                        marks=pd.DataFrame({"label": ["median"], "estimate": [12]}),
                        xlabel="rounds",
                    ),
                    "Histogram of rounds from 6 to 24, median 12.",
                    "Wilson intervals at 95 %, n = 1,000,000 games.",
                    "Twelve rounds are typical",
                ),
                Table(
                    "stalled",
                    pd.DataFrame({"game": [], "rolls": [], "replay": []}),
                    "Games that reached the cap.",
                    empty="No game of 1,000,000 reached the cap of 400 rolls: < 0.00037 % [95 %].",
                ),
            ],
        ),
        Section(
            "Strategies and snowball",
            [
                Figure(
                    "field",
                    picture(
                        figures.matrix,
                        field(),
                        style.TALL,
                        rows="strategy",
                        columns="field",
                        xlabel="three opponents",
                        ylabel="one player",
                    ),
                    "Matrix of win rates in percent of each of seven strategies against a field "
                    "of three of each.",
                    "Win rate in percent, half the width of the 95 % interval below it.",
                    "No strategy wins more than its share against every field",
                ),
                Figure(
                    "snowball",
                    picture(
                        figures.win_probability_curves,
                        snowball(),
                        by="quarter",
                        reference=0.25,
                        reference_label="fair share",
                        xlabel="lead over the runner-up (cards)",
                    ),
                    "Three rising curves of win probability over the lead, steeper later in the "
                    "game.",
                    "When the leader's deck is down to three quarters, a half, a quarter; 95 % "
                    "bands.",
                    "A lead of ten cards at half time wins two games in three",
                ),
                Table(
                    "by_cell",
                    long_table(),
                    "Every cell of the sweep, in the order of play. Intervals at 95 %.",
                    columns={
                        "cell": "cell",
                        "strategy": "strategy",
                        "dynamite": "dynamite",
                        "rubble": "rubble",
                        "games": "games",
                        "rate": "chance of a cave-in",
                        "cards": "cards lost",
                    },
                    formats={
                        "rate": Interval("rate"),
                        "cards": Interval("mean", "cards_low", "cards_high"),
                    },
                ),
            ],
        ),
    ]
    methods: list[Section | Text] = [
        Text(
            "Every deal is played once under each rotation of the seats; luck belongs to the "
            "seat. The deal is the unit of every interval, because the games of one deal share "
            "their luck."
        ),
        Section("Rates", [Text("Student intervals on deal means; Bonferroni over four seats.")]),
        Section("Quantiles", [Text("Order-statistic intervals, distribution free.")]),
    ]
    assumptions = [
        Assumption(
            f"tools.{tool}.cost",
            str(3 + i % 4),
            f"{2 + i % 4} to {5 + i % 4}" + (" (judged)" if i % 3 else ""),
            "Photographs of the player board show three slots per tool; prices are not legible, so "
            "the range covers what a player earns in one to two turns.",
            "rules page, section 9" if i % 2 else "designer's diary",
        )
        for i, tool in enumerate(["drill", "lantern", "cart", "shore_up", "great_tool", "pick"])
    ]
    return Report(
        "What a cave-in costs, and whom",
        "How much win probability does a cave-in take from the player it hits, and from which "
        "amount of rubble does cleaning up pay?",
        [
            "A cave-in costs its victim **4.1 pp [3.8, 4.4]** of win probability; the whole pile "
            "is lost in 1.7 % [1.6, 1.8] of cave-ins.",
            f"Cleaning up pays from **7 cards [6, 8]** of rubble on. Seat 1 wins "
            f"{rate(best['rate'], best['low'], best['high'])} of its games, where 25 % is fair.",
        ],
        headline,
        sections,
        methods,
        assumptions,
        Reproduce(
            "assay run studies/cave_in_risk.toml --games 1000000 --seed 20260101 --threads 2 "
            "--set tools.drill.cost=4 --out results/cave_in_risk",
            20260101,
            {"tabletop-assay": "0.1.0", "numba": "0.68.1", "numpy": "2.4.6", "typst": "0.15.2"},
            {
                "rules": "9b2f4c1d8e7a6f5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b",
                "content": "1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b9b2f4c1d8e7a6f5b4c3d2e",
            },
            {"games": "1,000,000 in 250,000 deals"},
        ),
    )


def results() -> dict[str, Any]:
    rows = [
        {
            "metric": "win_rate",
            "seat": index + 1,
            "estimate": row["rate"],
            "low": row["low"],
            "high": row["high"],
            "level": 0.95,
            "n": 250_000,
            "method": "Student on deal means, Bonferroni over 4 seats",
        }
        for index, row in enumerate(seats().to_dict("records"))
    ]
    return {
        "game": "wizard_miners",
        "players": 4,
        "seats": ["balanced"] * 4,
        "games": np.int64(1_000_000),
        "seed": 20260101,
        "metrics": pd.DataFrame(rows),
    }


if __name__ == "__main__":
    build.write(report(), sys.argv[1], results=results())
