"""Are the four alignments of Dobbers worth the same: to whoever collects one, to whoever lacks it.

Three experiments, all on the same deals. Frames, every estimate with low, high, level, n and
method:

collectors: one collector of an alignment at the table instead of a player of the lineup.
    alignment, strategy; place (in the lineup; missing: average over the places); estimate: win rate
    of the collector minus that of the player it replaces; without (that player), changed (the
    collector), discordance, correlation, speed_up. The averages hold together, and so do the
    single places.
table: the four collectors against each other, each in every seat. Four players only.
    alignment, strategy; games; estimate: win rate. The intervals hold together.
fairness: one row. estimate: largest minus smallest rate of `table`, with low and high; deviation,
    deviation_low, deviation_high: largest distance from a quarter of the won games; margin; verdict
    ("fair" within the margin, "not fair", "undecided").
forbidden: what the cards of an alignment are worth to a seat of the lineup.
    alignment; seat (missing: average); estimate: win rate as it is minus win rate if this seat may
    not buy cards of the alignment; without (as it is), changed (if forbidden), discordance,
    correlation, speed_up. The averages hold together, and so do the single seats.
own: what a collector has of its own alignment, one collector at the table.
    alignment, strategy; estimate: win rate as it is minus win rate if it may not buy cards of the
    alignment that it collects; without, changed, ... as in `forbidden`. The intervals hold
    together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis import words
from analysis.intervals import Interval, clustered_ratio, largest_deviation, simultaneous_level
from analysis.intervals import spread as spread_of
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    effect_row,
    frame,
    interval_row,
    paired_effect,
    worth_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.strategies import option_columns, option_plays, options_frame
from sim.batch import Chunk
from sim.game import WIN_UNIT, Game, Option
from strategies.presets import presets_of

TITLE = "Alignments"
TEXT = "Do the four alignments win alike, for those who collect one and for those who lack it?"
HANDICAP = "forbid_alignments"
PREFIX = "collector_"
MARGIN = 0.02  # an alignment within two points of its fair share is fair enough
COLLECTOR_SHARE = 0.25  # games of each play, as part of the setting's
TABLE_SHARE = 0.5
FORBIDDEN_SHARE = 0.25
COLLECTORS, TABLE, FORBIDDEN = "collectors", "table", "forbidden"


@dataclass(frozen=True)
class Alignment:
    """An alignment: its name, the strategy that collects it, and how a seat is denied it."""

    name: str
    collector: str
    option: Option


def alignments_of(game: Game) -> tuple[Alignment, ...]:
    """The alignments that the game can deny and for which there is a collector."""
    presets = presets_of(game)
    found = []
    for option in game.options:
        name = option.name.removeprefix("cards of ")
        collector = f"{PREFIX}{name.lower().replace(' ', '_')}"
        if option.handicap == HANDICAP and collector in presets:
            found.append(Alignment(name, collector, option))
    return tuple(found)


# ------------------------------------------------------------------------------------ the plays


def _places(setting: Setting) -> range:
    """Where one collector sits in turn: lineup slot 0 is enough where seats rotate."""
    return range(1 if setting.rotate else setting.players)


def _seats(setting: Setting, place: int, spec: str) -> tuple[str, ...]:
    return (*setting.seats[:place], spec, *setting.seats[place + 1 :])


def collector_plays(setting: Setting, alignments: Sequence[Alignment]) -> tuple[Play, ...]:
    """Games as they are; a collector in each place, free, and denied its own alignment.

    Where seats rotate the collector moves with its slot, and a seat cannot be denied for it: the
    plays that deny are left out.
    """
    plays = [Play("as it is")]
    for alignment in alignments:
        for place in _places(setting):
            seats = _seats(setting, place, alignment.collector)
            name = f"{alignment.collector} in place {place + 1}"
            plays.append(Play(name, seats))
    for alignment in () if setting.rotate else alignments:
        for place in _places(setting):
            seats = _seats(setting, place, alignment.collector)
            value = alignment.option.value
            denied = [value if seat == place else 0 for seat in range(setting.players)]
            name = f"{alignment.collector} in place {place + 1}, denied"
            plays.append(Play(name, seats, handicaps={HANDICAP: denied}))
    return tuple(plays)


def _collector(setting: Setting, count: int, index: int, *, denied: bool = False) -> list[Column]:
    """Wins of the collector of the index-th of `count` alignments, place by place."""
    places = len(_places(setting))
    first = 1 + (index + count * denied) * places
    return [Column(first + place, "win", slot=place) for place in range(places)]


def collector_columns(setting: Setting, count: int) -> list[Column]:
    """What is summed of `collector_plays`."""
    columns = [Column(0, "win", slot=place) for place in _places(setting)]
    for index in range(count):
        columns += _collector(setting, count, index)
        if not setting.rotate:
            columns += _collector(setting, count, index, denied=True)
    return columns


def table_plays(setting: Setting, alignments: Sequence[Alignment]) -> tuple[Play, ...]:
    """All collectors at one table, moved on by a seat from play to play."""
    names = [alignment.collector for alignment in alignments]
    turns = range(1 if setting.rotate else len(names))
    return tuple(
        Play(f"collectors, moved by {turn}", tuple(names[turn:] + names[:turn])) for turn in turns
    )


def _at_table(setting: Setting, count: int, index: int) -> list[Column]:
    turns = range(1 if setting.rotate else count)
    return [Column(turn, "win", slot=(index - turn) % count) for turn in turns]


def table_columns(setting: Setting, count: int) -> list[Column]:
    """What is summed of `table_plays`."""
    return [column for index in range(count) for column in _at_table(setting, count, index)]


# ------------------------------------------------------------------------------------ the frames


def collectors_frame(
    sums: BlockSums, setting: Setting, alignments: Sequence[Alignment]
) -> pd.DataFrame:
    """The frame `collectors` of this module. sums: of `collector_columns`."""
    rows = []
    places = [None, *_places(setting)]
    for index, alignment in enumerate(alignments):
        columns = _collector(setting, len(alignments), index)
        for place in places if len(columns) > 1 else places[:1]:
            effect = paired_effect(
                sums,
                columns if place is None else [columns[place]],
                setting.level,
                scale=WIN_UNIT,
                bounds=(-1.0, 1.0),
                together=len(alignments) * (1 if place is None else len(columns)),
            )
            keys = {
                "alignment": alignment.name,
                "strategy": alignment.collector,
                "place": None if place is None else place + 1,
            }
            rows.append({**keys, **effect_row(effect)})
    found = frame(rows, ("alignment", "strategy", "place", *EFFECT_COLUMNS))
    return found.astype({"place": "Int64"})


def own_frame(sums: BlockSums, setting: Setting, alignments: Sequence[Alignment]) -> pd.DataFrame:
    """The frame `own` of this module. sums: of `collector_columns`; seats do not rotate."""
    rows = []
    for index, alignment in enumerate(alignments):
        free = _collector(setting, len(alignments), index)
        effect = paired_effect(
            sums,
            _collector(setting, len(alignments), index, denied=True),
            setting.level,
            scale=WIN_UNIT,
            bounds=(-1.0, 1.0),
            together=len(alignments),
            against=[column.play for column in free],
        )
        keys = {"alignment": alignment.name, "strategy": alignment.collector}
        rows.append({**keys, **worth_row(effect)})
    return frame(rows, ("alignment", "strategy", *EFFECT_COLUMNS))


def table_frames(
    sums: BlockSums,
    setting: Setting,
    alignments: Sequence[Alignment],
    margin: float = MARGIN,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames `table` and `fairness` of this module. sums: of `table_columns`.

    Rates are out of the games that somebody won, so a fair share is one in four.
    """
    count, level = len(alignments), setting.level
    own = simultaneous_level(level, count)
    won = {
        column: 1 for index in range(count) for column in _at_table(setting, count, index)
    }  # all twelfths of a won game
    intervals: list[Interval] = []
    rows = []
    for index, alignment in enumerate(alignments):
        wins = dict.fromkeys(_at_table(setting, count, index), 1)
        interval = clustered_ratio(
            sums.cluster(wins, won),
            own,
            bounds=(0.0, 1.0),
            method=f"ratio over blocks, Student; {count} at once (Bonferroni)",
        )
        intervals.append(interval)
        rows.append(
            {
                "alignment": alignment.name,
                "strategy": alignment.collector,
                "games": int(sums.cluster(won).num) // WIN_UNIT,
                **interval_row(interval),
                "level": level,
            }
        )
    apart = spread_of(intervals, level)
    far = largest_deviation(intervals, 1 / count, level)
    said = "fair" if far.high <= margin else "not fair" if far.low > margin else "undecided"
    fairness = {
        **interval_row(apart),
        "deviation": far.estimate,
        "deviation_low": far.low,
        "deviation_high": far.high,
        "margin": margin,
        "verdict": said,
    }
    columns = ("alignment", "strategy", "games", *INTERVAL_COLUMNS)
    return frame(rows, columns), pd.DataFrame([fairness])


def forbidden_frame(
    sums: BlockSums, setting: Setting, alignments: Sequence[Alignment]
) -> pd.DataFrame:
    """The frame `forbidden` of this module. sums: of `option_columns`."""
    options = [alignment.option for alignment in alignments]
    found = options_frame(sums, options, setting.players, setting.level)
    names = {alignment.option.name: alignment.name for alignment in alignments}
    found["option"] = found["option"].map(names)
    return found.rename(columns={"option": "alignment"})


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    alignments, rotations = alignments_of(setting.game), setting.rotations
    options = [alignment.option for alignment in alignments]
    collecting = collector_columns(setting, len(alignments))
    forbidding = option_columns(options, setting.players)

    def collectors(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, collecting, rotations)

    def forbidden(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, forbidding, rotations)

    groups = [
        Group(COLLECTORS, collector_plays(setting, alignments), collectors, COLLECTOR_SHARE),
        Group(FORBIDDEN, option_plays(options, setting.players), forbidden, FORBIDDEN_SHARE),
    ]
    if len(alignments) == setting.players:
        together = table_columns(setting, len(alignments))

        def table(chunks: tuple[Chunk, ...]) -> BlockSums:
            return BlockSums.of(chunks, together, rotations)

        groups.append(Group(TABLE, table_plays(setting, alignments), table, TABLE_SHARE))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    alignments = alignments_of(setting.game)
    frames = {
        "collectors": collectors_frame(sums[COLLECTORS], setting, alignments),
        "forbidden": forbidden_frame(sums[FORBIDDEN], setting, alignments),
    }
    sentences = []
    if TABLE in sums:
        frames["table"], frames["fairness"] = table_frames(sums[TABLE], setting, alignments)
        sentences.append(table_sentence(frames["table"], frames["fairness"]))
    sentences += [
        collectors_sentence(frames["collectors"]),
        forbidden_sentence(frames["forbidden"]),
    ]
    if not setting.rotate:
        frames["own"] = own_frame(sums[COLLECTORS], setting, alignments)
        sentences.append(own_sentence(frames["own"]))
    return Answer(frames, tuple(sentences))


# -------------------------------------------------------------------------------------- in words


def _ranked(rows: pd.DataFrame) -> list[dict[str, Any]]:
    ranked = rows.sort_values("estimate", ascending=False, kind="stable")
    return [{str(key): value for key, value in row.items()} for row in ranked.to_dict("records")]


def _points(row: Mapping[str, Any], unit: str = "") -> str:
    return words.points(row["estimate"], row["low"], row["high"], unit)


def table_sentence(table: pd.DataFrame, fairness: pd.DataFrame) -> str:
    """Whether the four collectors win alike against each other."""
    rows, fair = _ranked(table), fairness.to_dict("records")[0]
    if not table["games"].iloc[0]:
        return "With the four collectors at one table no game was won."
    margin = f"{fair['margin'] * 100:g}{words.SPACE}points"
    parts = [
        f"{row['alignment']} {words.share(row['estimate'], row['low'], row['high'])}"
        for row in rows
    ]
    said = {
        "fair": f"The alignments are fair within {margin}",
        "not fair": f"The alignments are not fair within {margin}",
        "undecided": f"Whether the alignments are fair within {margin} is undecided",
    }[fair["verdict"]]
    return (
        f"{said}: with one collector of each at the table, of the won games go to "
        f"{words.listed(parts)}."
    )


def collectors_sentence(collectors: pd.DataFrame) -> str:
    """What it brings to collect one alignment instead of playing as the lineup does."""
    rows = _ranked(collectors[collectors["place"].isna()])
    parts = [f"{row['alignment']} {_points(row)}" for row in rows]
    return (
        "Collecting one alignment instead of playing as this lineup does changes the win "
        f"probability, in points: {words.listed(parts)}."
    )


def forbidden_sentence(forbidden: pd.DataFrame) -> str:
    """What the cards of each alignment are worth to a seat of the lineup."""
    rows = _ranked(forbidden[forbidden["seat"].isna()])
    parts = [f"{row['alignment']} {_points(row)}" for row in rows]
    return (
        "What the cards of an alignment are worth to a seat of this lineup, in points of win "
        f"probability that it loses without them: {words.listed(parts)}."
    )


def own_sentence(own: pd.DataFrame) -> str:
    """What a collector loses without its own alignment."""
    parts = [f"{row['alignment']} {_points(row)}" for row in _ranked(own)]
    return f"A collector that may not buy what it collects loses, in points: {words.listed(parts)}."


QUESTION = Question(
    "alignments", TITLE, TEXT, _groups, _answer, games=("dobbers",), least_players=2
)
