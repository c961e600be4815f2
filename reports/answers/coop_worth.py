"""The section about what helps and hurts a team."""

from __future__ import annotations

import pandas as pd

from analysis.cooperation import QUANTITIES
from analysis.modules import module_name
from analysis.question import Answer, Setting
from reports import figures, style
from reports.answers.coop_parts import gains_by
from reports.answers.parts import n_of, only, percent, picture, wide
from reports.document import Block, Figure, Finding, Section, Table, Text
from reports.format import Interval, points
from sim.wording import counted

NAMED = {
    "won": "win rate",
    "margin": "margin (points)",
    "bosses_left": "bosses left",
    "rounds": "rounds",
}
KINDS = {name: "points" if name == "won" else "difference" for name in QUANTITIES}


INSTEAD = "all against none; each against others that come in its place"


def section(setting: Setting, answer: Answer) -> Section:
    """Return the section: minions, modules, gifts; pictures of the win rate, tables of all."""
    frames = answer.frames
    minions = frames["minions"].assign(
        label=[_minion(name) for name in frames["minions"]["minion"]]
    )
    modules = frames["modules"].assign(
        label=[module_name(name) for name in frames["modules"]["module"]]
    )
    sharing = frames["sharing"].assign(label=[_seat(seat) for seat in frames["sharing"]["seat"]])
    first, *rest = answer.sentences
    blocks: list[Block] = [
        _figure(minions, "minion", "coop_minion_cost", setting, INSTEAD),
        _figure(modules, "module", "coop_module_gain", setting),
        Finding(first),
        *(Text(sentence) for sentence in rest),
        Text(
            "Everything is switched on the same deals, one thing at a time, the rest as it is. A "
            "module that others need takes these with it. How many minions come is up to the "
            "clock: one that is left out of the deck has its place taken by another, as long as "
            "one is left. So a single minion is compared with the others, one that does little "
            "harm seems to help, and what they do does not add up to what all do against none. "
            "Scripts do not rethink their prices: a team that cannot give plays on as if it could."
        ),
        _table(
            minions,
            "minion",
            "coop_minions_cost",
            f"What minions change ({INSTEAD})",
            setting,
            headline=True,
        ),
        _table(sharing, "seat", "coop_sharing", "What being able to give changes", setting),
        _table(modules, "module", "coop_modules", "What each module changes", setting),
    ]
    return Section("What helps and hurts a team", blocks)


def _minion(name: str | None) -> str:
    return "all minions" if name is None or pd.isna(name) else module_name(name)


def _seat(seat: int | None) -> str:
    return "gifts of all" if pd.isna(seat) else f"gifts of seat {seat}"


def _together(found: pd.DataFrame, key: str, within: str = "") -> str:
    """Which intervals hold together: those of one thing each, not that of all at once."""
    single, every = found[found[key].notna()], found[found[key].isna()]
    text = f"intervals that hold together{within}"
    if every.empty or single.empty:
        return text if every.empty else "intervals"
    return f"{text}, that of {every['label'].iloc[0]} by itself"


def _figure(
    found: pd.DataFrame, key: str, name: str, setting: Setting, against: str = ""
) -> Figure:
    """against: what is compared with what, where it does not go without saying."""
    rows = only(found, quantity="won").sort_values("estimate", kind="stable")
    told = {
        row["label"]: points(row["estimate"], row["low"], row["high"])
        for row in rows.to_dict("records")
    }
    every, single = rows[rows[key].isna()]["label"], rows[rows[key].notna()]
    parts = [f"{one} {told[one]}" for one in every]
    if len(single):
        most = single.loc[single["estimate"].abs().idxmax()]
        instead = " in place of others" if against else ""
        parts.append(
            f"most by {most['label']}{instead}: {told[most['label']]}"
            if most["estimate"]
            else f"no single {key} shows a change"
        )
    listed = "; ".join(f"{one} {text}" for one, text in told.items())
    title = "; ".join(parts)
    return Figure(
        name,
        picture(
            figures.interval_dots,
            rows,
            (style.FULL[0], max(style.FULL[1], 0.9 + 0.23 * len(rows))),
            label="label",
            estimate="estimate",
            kind="points",
            reference=0.0,
            xlabel="with it less without, in the share of games won (pp)",
        ),
        f"Dot plot of what each {key} changes in the share of games won: {listed}.",
        f"{counted(setting.players, 'player')}, on the same deals{against and f' ({against})'}; "
        f"{n_of(rows, 'block')}, "
        f"{percent(setting.level)} {_together(rows, key)} ({gains_by(setting)}; Bonferroni).",
        title[:1].upper() + title[1:],
    )


def _table(
    found: pd.DataFrame,
    key: str,
    name: str,
    what: str,
    setting: Setting,
    *,
    headline: bool = False,
) -> Table:
    table = wide(found, ["label"], "quantity")
    return Table(
        name,
        table,
        f"{what}: with it less without, on the same deals; {n_of(found, 'block')}, "
        f"{percent(setting.level)} {_together(found, key, ' within a column')} (win rate: "
        f"{gains_by(setting)}; else Student over paired blocks; Bonferroni).",
        columns={"label": "what", **NAMED},
        formats={one: Interval(KINDS[one], f"{one}_low", f"{one}_high") for one in NAMED},
        headline=headline,
    )
