"""Which strategy beats which, and what the game's options are worth to a seat.

Frames, every estimate with low, high, level, n and method:

matrix: one strategy among players of another, one row per pair.
    strategy (one of it), field (all other seats); fair (its share of the games if it were no
    better); games; estimate (its win rate, over all seats it can sit in). All intervals hold
    together. verdict ("better", "worse", "undecided"): the interval against `fair`.
overall: one row per strategy. strategy; estimate: mean win rate over the fields of all others;
    the intervals hold together. best_field, best, worst_field, worst: where it wins most and least,
    with best_low, best_high, worst_low, worst_high from the matrix.
options: what an option is worth to a seat, one row per option and seat.
    option; seat (missing: average over the seats); estimate: win rate as it is minus win rate if
    the option is forbidden to this seat on the same deals, the others unchanged; without (win rate
    as it is), changed (if forbidden), each with _low, _high, _n, _method; discordance (share of
    deals in which the seat's result differs), correlation, speed_up. The averages hold together,
    and so do the seats' figures.

The strategies are those that ship with the game for tables of so many, and those of the lineup
that do not. The options are those that the game names. Fields of one's own kind are left out: there
the share is fair by symmetry. A strategy that a game forbids an option still plays as scripted with
what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis import words
from analysis.intervals import DIFFERENCE, Interval
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    ones,
    paired_effect,
    worth_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT, Option
from sim.wording import counted
from strategies.presets import presets_of

TITLE = "Strategies"
TEXT = "Which strategy beats which, and what is each option of the game worth to a seat?"
OPTIONS = "options"
CELL_SHARE = 0.15  # games of a cell of the matrix, all seats together, as part of the setting's
ENDS = ("estimate", "low", "high")
OPTION_SHARE = 0.25  # each option takes a play a seat


def strategies_of(setting: Setting) -> tuple[str, ...]:
    """Specs of the strategies compared: those shipped for so many, then others of the lineup."""
    shipped = presets_of(setting.game).values()
    meant = [
        preset.name
        for preset in shipped
        if preset.fits(setting.players) and preset.together == setting.together
    ]
    return tuple(dict.fromkeys([*meant, *setting.seats]))


# ------------------------------------------------------------------------------------ the plays


def _places(setting: Setting) -> range:
    """Where one strategy sits in turn: lineup slot 0 is enough where seats rotate."""
    return range(1 if setting.rotate else setting.players)


def field_plays(setting: Setting, strategy: str, fields: Sequence[str]) -> tuple[Play, ...]:
    """One of a strategy among players of each field, one play per field and place."""
    plays = []
    for field in fields:
        for place in _places(setting):
            seats = [field] * setting.players
            seats[place] = strategy
            plays.append(Play(f"{strategy} among {field}, place {place + 1}", tuple(seats)))
    return tuple(plays)


def _wins(setting: Setting, index: int) -> list[Column]:
    """The win of the one strategy in the plays of its index-th field."""
    places = _places(setting)
    first = index * len(places)
    return [Column(first + place, "win", slot=place) for place in places]


def option_plays(options: Sequence[Option], players: int) -> tuple[Play, ...]:
    """Games as they are, then one play per option and seat it is forbidden to."""
    plays = [Play("as it is")]
    for option in options:
        for seat in range(players):
            values = tuple(option.value if other == seat else 0 for other in range(players))
            plays.append(
                Play(f"seat {seat + 1} without {option.name}", handicaps={option.handicap: values})
            )
    return tuple(plays)


def _denied(index: int, players: int) -> list[Column]:
    """The win of each seat in the play that forbids it the index-th option."""
    first = 1 + index * players
    return [Column(first + seat, "win", seat=seat + 1) for seat in range(players)]


def option_columns(options: Sequence[Option], players: int) -> list[Column]:
    """What is summed of `option_plays`."""
    columns = [Column(0, "win", seat=seat) for seat in range(1, players + 1)]
    for index in range(len(options)):
        columns += _denied(index, players)
    return columns


# ------------------------------------------------------------------------------------ the frames


def matrix_frame(sums: Mapping[str, BlockSums], setting: Setting) -> pd.DataFrame:
    """The frame `matrix` of this module. sums: of `field_plays` by strategy."""
    names, fair = strategies_of(setting), 1 / setting.players
    together = len(names) * (len(names) - 1)
    rows = []
    for strategy in sums:
        for index, field in enumerate(_others(names, strategy)):
            columns = _wins(setting, index)
            interval = sums[strategy].share(
                ones(columns), level=setting.level, scale=WIN_UNIT, together=together
            )
            rows.append(
                {
                    "strategy": strategy,
                    "field": field,
                    "fair": fair,
                    "games": sums[strategy].blocks * sums[strategy].rotations * len(columns),
                    **interval_row(interval),
                    "verdict": _verdict(interval, fair),
                }
            )
    columns_ = ("strategy", "field", "fair", "games", *INTERVAL_COLUMNS, "verdict")
    return frame(rows, columns_)


def overall_frame(
    sums: Mapping[str, BlockSums], matrix: pd.DataFrame, setting: Setting
) -> pd.DataFrame:
    """The frame `overall` of this module."""
    names = strategies_of(setting)
    rows = []
    for strategy in sums:
        columns = [
            column for i in range(len(names) - 1) for column in _wins(setting, i)
        ]  # as many games of each field, so this is the mean over the fields
        interval = sums[strategy].share(
            ones(columns), level=setting.level, scale=WIN_UNIT, together=len(names)
        )
        own = matrix[matrix["strategy"] == strategy]
        best, worst = own.loc[own["estimate"].idxmax()], own.loc[own["estimate"].idxmin()]
        rows.append(
            {
                "strategy": strategy,
                **interval_row(interval),
                "best_field": best["field"],
                **{_end("best", key): best[key] for key in ENDS},
                "worst_field": worst["field"],
                **{_end("worst", key): worst[key] for key in ENDS},
            }
        )
    columns_ = [
        *("strategy", *INTERVAL_COLUMNS),
        *("best_field", *(_end("best", key) for key in ENDS)),
        *("worst_field", *(_end("worst", key) for key in ENDS)),
    ]
    found = frame(rows, columns_)
    return found.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _end(name: str, key: str) -> str:
    return name if key == "estimate" else f"{name}_{key}"


def options_frame(
    sums: BlockSums, options: Sequence[Option], players: int, level: float
) -> pd.DataFrame:
    """The frame `options` of this module. sums: of `option_columns`."""
    rows = []
    for index, option in enumerate(options):
        denied = _denied(index, players)
        for seat in (None, *range(1, players + 1)):
            columns = denied if seat is None else [denied[seat - 1]]
            effect = paired_effect(
                sums,
                columns,
                level,
                scale=WIN_UNIT,
                bounds=DIFFERENCE,
                together=len(options) * (1 if seat is None else players),
            )
            rows.append({"option": option.name, "seat": seat, **worth_row(effect)})
    return frame(rows, ("option", "seat", *EFFECT_COLUMNS)).astype({"seat": "Int64"})


def _verdict(interval: Interval, fair: float) -> str:
    if interval.low > fair:
        return "better"
    return "worse" if interval.high < fair else "undecided"


def _others(names: Sequence[str], strategy: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != strategy)


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    names, rotations, players = strategies_of(setting), setting.rotations, setting.players
    options = setting.game.options
    groups = []
    if options:
        wanted = option_columns(options, players)

        def reduce_options(chunks: tuple[Chunk, ...]) -> BlockSums:
            return BlockSums.of(chunks, wanted, rotations)

        plays = option_plays(options, players)
        groups.append(Group(OPTIONS, plays, reduce_options, OPTION_SHARE))
    columns = [column for i in range(len(names) - 1) for column in _wins(setting, i)]

    def reduce_fields(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, rotations)

    share = CELL_SHARE / len(_places(setting))
    for name in names if columns else ():
        plays = field_plays(setting, name, _others(names, name))
        groups.append(Group(_group_of(name), plays, reduce_fields, share))
    return groups


def _group_of(strategy: str) -> str:
    return f"field of {strategy}"


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    fields = {
        name: sums[_group_of(name)] for name in strategies_of(setting) if _group_of(name) in sums
    }
    frames: dict[str, pd.DataFrame] = {}
    sentences: list[str] = []
    if fields:
        frames["matrix"] = matrix_frame(fields, setting)
        frames["overall"] = overall_frame(fields, frames["matrix"], setting)
        sentences.append(best_sentence(frames["matrix"], frames["overall"], setting.players))
    if OPTIONS in sums:
        options = setting.game.options
        frames["options"] = options_frame(sums[OPTIONS], options, setting.players, setting.level)
        sentences.append(options_sentence(frames["options"]))
    if fields:
        sentences.append(ranking_sentence(frames["overall"]))
        sentences.append(cycle_sentence(frames["matrix"]))
    if not sentences:
        sentences.append("There is only one strategy, and no option to forbid.")
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def best_sentence(matrix: pd.DataFrame, overall: pd.DataFrame, players: int) -> str:
    """The strategy with the best mean, and the fields in which it is better than fair."""
    best = overall["strategy"].iloc[0]
    own = matrix[matrix["strategy"] == best]
    worst = own.loc[own["estimate"].idxmin()].to_dict()
    others = counted(players - 1, "player")
    fair = words.share(worst["fair"])
    least = f"its hardest field is {worst['field']}, where it wins {words.shown(worst)}"
    better = int((own["verdict"] == "better").sum())
    if better == len(own):
        return (
            f"{best} is the best all-round strategy: one of it among {others} of any other "
            f"strategy wins more than the fair {fair}; {least}."
        )
    return (
        f"{best} does best on average; among {others} of another strategy it wins more "
        f"than the fair {fair} in {better} of {counted(len(own), 'field')}, and {least}."
    )


def options_sentence(options: pd.DataFrame) -> str:
    """What each option is worth, the most valuable first."""
    rows = options[options["seat"].isna()].sort_values("estimate", ascending=False, kind="stable")
    known = rows.to_dict("records")
    clear = [row for row in known if row["low"] > 0 or row["high"] < 0]
    open_ = [row["option"] for row in known if row["low"] <= 0 <= row["high"]]
    if not clear:
        return (
            f"Forbidding a seat {words.listed(open_, 'or')} makes no difference that so many games "
            "can show."
        )
    first = clear[0]
    unit = "points of win probability"
    parts = [
        f"{row['option']} {words.points(row['estimate'], row['low'], row['high'], unit)}"
        if row is first
        else f"{row['option']} {words.points(row['estimate'], row['low'], row['high'], '')}"
        for row in clear
    ]
    text = f"What it is worth to a seat, as played by this lineup: {words.listed(parts)}"
    if clear[-1]["estimate"] < 0:
        text += " (below 0: the seat wins more where it is forbidden)"
    if open_:
        text += f"; for {words.listed(open_)} so many games show no difference"
    return f"{text}."


def ranking_sentence(overall: pd.DataFrame) -> str:
    """All strategies by their mean win rate."""
    parts = [f"{row['strategy']} {words.shown(row)}" for row in overall.to_dict("records")]
    return f"On average over the fields of all others: {words.listed(parts)}."


def cycle_sentence(matrix: pd.DataFrame) -> str:
    """Three strategies of which each is better in the field of the next, in a ring; or nothing."""
    rows = matrix[matrix["verdict"] == "better"].to_dict("records")
    beats = {(row["strategy"], row["field"]) for row in rows}
    beats -= {(b, a) for a, b in beats}  # each better among the other: no order between them
    for a, b in sorted(beats):
        for c in sorted({field for name, field in beats if name == b}):
            if (c, a) in beats:
                return (
                    f"No strategy ends the matter: {a} does better than fair among players of {b}, "
                    f"{b} among {c}, and {c} among {a}."
                )
    return ""


QUESTION = Question("strategies", TITLE, TEXT, _groups, _answer, least_players=2)
