"""Quests of Near and Far: which tokens are laid, which way through a quest is taken, what succeeds.

Frames, every estimate with low, high, level, n and method:

ways: one row per way through a quest. way ("all", "skill", "combat"); tried; share (of all
    attempts), share_low, share_high, share_n, share_method; quantity ("done": share of the
    attempts that succeed, "bonus": share of those done that earn the bonus); estimate.
numbers: success by the number to reach. way; number; tried; estimate: share done.
choice: which way is taken, by how much harder the skill one is. harder (number of the skill way
    less that of the combat way); tried; estimate: share of the attempts that go by skill.
spaces: one row per quest. quest (name of its space); skill, combat (numbers); laid (share of games
    with a token there), laid_low, laid_high, exact (that share by the draw), inside (exact lies
    within the interval; all of them hold together); tried (attempts for each token laid),
    tried_low, tried_high, tried_n, tried_method; estimate: share of the attempts that succeed.
players: who tries quests. who ("all players", "seat 1", ...; where the lineup holds several
    strategies, these); quantity ("tried", "done" of a player; "success": share of attempts),
    unit; estimate.

Tokens are drawn without replacement from all spaces with a book, so each of them gets one in
tokens / spaces of the games. Success is as played: whoever goes for a quest has the symbols and
hearts for it, so hard numbers need not fail more often. Intervals of counters are over replicates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.derived import with_fields
from analysis.intervals import SHARE, clustered_share
from analysis.intervals import replicate_ratio as replicates
from analysis.paired import (
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    all_of_them,
    frame,
    interval_row,
    jointly,
    ones,
    rows_where,
    side_columns,
    side_row,
)
from analysis.question import Answer, Group, Play, Question, Setting, tables_of
from analysis.score_sources import EVERYBODY, players_of
from sim.batch import Chunk
from sim.near_and_far.content import board
from sim.wording import counted

TITLE = "Quests"
TEXT = "Which quests are tried, which way through them is taken, and what succeeds?"
WAYS = ("skill", "combat")  # as counted
FAILED = 0  # place of the failures in the counter; then done, done with the bonus
ALIKE = 0.05  # attempts for a token, below which spaces are alike
FEW = 30  # attempts, below which an interval would say nothing


@dataclass(frozen=True)
class QuestSums:
    """Sums: quests (replicates, space, way, outcome), tokens (replicates, space), blocks."""

    quests: NDArray[np.int64]
    tokens: NDArray[np.int64]
    blocks: BlockSums

    def __add__(self, other: QuestSums) -> QuestSums:
        return QuestSums(
            self.quests + other.quests, self.tokens + other.tokens, self.blocks + other.blocks
        )


def player_columns(seats: Sequence[str]) -> list[Column]:
    """What is summed of the rows."""
    picks = [pick for part in players_of(seats).values() for pick in part]
    fields = ("one", "quests_tried", "quests_done")
    return [replace(pick, field=field) for pick in picks for field in fields]


def quest_sums(chunk: Chunk, seats: Sequence[str], rotations: int) -> QuestSums:
    """Sum a chunk of games as they are. seats: the lineup."""
    tried = chunk.seats["quests_tried"].astype(np.int64)
    fields = {
        "one": np.ones_like(tried),
        "quests_tried": tried,
        "quests_done": chunk.seats["quests_done"],
    }
    blocks = BlockSums.of([with_fields(chunk, fields)], player_columns(seats), rotations)
    return QuestSums(chunk.counters["quests"], chunk.counters["tokens"], blocks)


@dataclass(frozen=True)
class Book:
    """The quests of a map: their spaces, and the numbers of both ways, (spaces, ways)."""

    spaces: tuple[int, ...]
    names: tuple[str, ...]
    numbers: NDArray[np.int64]
    tokens: int

    @classmethod
    def of(cls, setting: Setting) -> Book:
        """Read it from the rules of a setting."""
        tables = tables_of(setting)
        bits = int(tables["quest_spaces"])
        spaces = tuple(space for space in range(int(tables["spaces"])) if bits >> space & 1)
        names = board(setting.rules.model).names
        return cls(
            spaces,
            tuple(names[space] for space in spaces),
            tables["quest_need"][list(spaces)].astype(np.int64),
            min(int(tables["quest_tokens"]), len(spaces)),
        )

    def own(self, quests: NDArray[np.int64]) -> NDArray[np.int64]:
        """The counter by [replicate, quest, way, outcome]."""
        return quests[:, list(self.spaces)]


# ------------------------------------------------------------------------------------ the frames


def _done(each: NDArray[np.int64], level: float) -> dict[str, Any]:
    """Row of the share of attempts that succeed. each: (replicates, outcome)."""
    done, tried = each[:, FAILED + 1 :].sum(axis=1), each.sum(axis=1)
    return interval_row(replicates(done, tried, level, bounds=SHARE))


def ways_frame(counts: NDArray[np.int64], level: float) -> pd.DataFrame:
    """The frame `ways` of this module. counts: of `Book.own`."""
    rows, every = [], counts.sum(axis=(1, 2, 3))
    for name, ways in (("all", [0, 1]), *((way, [place]) for place, way in enumerate(WAYS))):
        each = counts[:, :, ways].sum(axis=(1, 2))
        if not each.sum():
            continue
        tried = each.sum(axis=1)
        share = replicates(tried, every, level, bounds=SHARE)
        if name == "all":
            share = all_of_them(level, share.n)
        keys = {"way": name, "tried": int(tried.sum()), **side_row("share", share)}
        rows.append({**keys, "quantity": "done", **_done(each, level)})
        if each[:, FAILED + 1 :].sum():
            bonus = replicates(each[:, -1], each[:, FAILED + 1 :].sum(axis=1), level, bounds=SHARE)
            rows.append({**keys, "quantity": "bonus", **interval_row(bonus)})
    return frame(rows, ("way", "tried", *side_columns("share"), "quantity", *INTERVAL_COLUMNS))


def numbers_frame(counts: NDArray[np.int64], book: Book, level: float) -> pd.DataFrame:
    """The frame `numbers` of this module. counts: of `Book.own`."""
    rows = []
    for place, way in enumerate(WAYS):
        for number in np.unique(book.numbers[:, place]):
            each = counts[:, book.numbers[:, place] == number, place].sum(axis=1)
            if each.sum() >= FEW:
                keys = {"way": way, "number": int(number), "tried": int(each.sum())}
                rows.append({**keys, **_done(each, level)})
    return frame(rows, ("way", "number", "tried", *INTERVAL_COLUMNS))


def choice_frame(counts: NDArray[np.int64], book: Book, level: float) -> pd.DataFrame:
    """The frame `choice` of this module. counts: of `Book.own`."""
    rows = []
    harder = book.numbers[:, 0] - book.numbers[:, 1]
    for more in np.unique(harder):
        each = counts[:, harder == more].sum(axis=(1, 3))  # (replicates, ways)
        if each.sum() >= FEW:
            skill = replicates(each[:, 0], each.sum(axis=1), level, bounds=SHARE)
            rows.append({"harder": int(more), "tried": int(each.sum()), **interval_row(skill)})
    return frame(rows, ("harder", "tried", *INTERVAL_COLUMNS))


def spaces_frame(
    counts: NDArray[np.int64], tokens: NDArray[np.int64], book: Book, level: float
) -> pd.DataFrame:
    """The frame `spaces` of this module. counts: of `Book.own`; tokens: of the counter."""
    rows = []
    games = tokens.sum(axis=1) / book.tokens
    exact = book.tokens / len(book.spaces)
    for place, space in enumerate(book.spaces):
        laid = jointly(
            lambda own, space=space: replicates(tokens[:, space], games, own, bounds=SHARE),
            level,
            len(book.spaces),
        )
        each = counts[:, place].sum(axis=1)
        tried = replicates(each.sum(axis=1), tokens[:, space], level, bounds=(0.0, math.inf))
        rows.append(
            {
                "quest": book.names[place],
                "skill": int(book.numbers[place, 0]),
                "combat": int(book.numbers[place, 1]),
                "laid": laid.estimate,
                "laid_low": laid.low,
                "laid_high": laid.high,
                "exact": exact,
                "inside": bool(laid.low <= exact <= laid.high),
                **side_row("tried", tried),
                **_done(each, level),
            }
        )
    ends = ("laid", "laid_low", "laid_high", "exact", "inside", *side_columns("tried"))
    return frame(rows, ("quest", "skill", "combat", *ends, *INTERVAL_COLUMNS))


def players_frame(sums: BlockSums, seats: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `players` of this module. sums: of `player_columns`."""
    rows = []
    for who, picks in players_of(seats).items():

        def of(field: str, picks: Sequence[Column] = picks) -> dict[Column, int]:
            return ones([replace(pick, field=field) for pick in picks])

        for name in ("tried", "done"):
            interval = sums.estimate(of(f"quests_{name}"), of("one"), level)
            keys = {"who": who, "quantity": name, "unit": "quests"}
            rows.append({**keys, **interval_row(interval)})
        cluster = sums.cluster(of("quests_done"), of("quests_tried"))
        if cluster.den:
            keys = {"who": who, "quantity": "success", "unit": "share of attempts"}
            rows.append({**keys, **interval_row(clustered_share(cluster, level))})
    return frame(rows, ("who", "quantity", "unit", *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    def reduce(chunks: tuple[Chunk, ...]) -> QuestSums:
        return quest_sums(chunks[0], setting.seats, setting.rotations)

    return [Group("quests", (Play("as it is"),), reduce)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: QuestSums = sums["quests"]
    book, level = Book.of(setting), setting.level
    counts = book.own(found.quests)
    frames = {
        "ways": ways_frame(counts, level),
        "numbers": numbers_frame(counts, book, level),
        "choice": choice_frame(counts, book, level),
        "spaces": spaces_frame(counts, found.tokens, book, level),
        "players": players_frame(found.blocks, setting.seats, level),
    }
    sentences = (
        ways_sentence(frames["ways"]),
        numbers_sentence(frames["numbers"]),
        choice_sentence(frames["choice"]),
        spaces_sentence(frames["spaces"], level),
        players_sentence(frames["players"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def _tried(row: Mapping[str, Any]) -> str:
    if math.isinf(row["tried_high"]):  # the same in every replicate: how much it varies is unknown
        alike = counted(row["tried_n"], "replicate")
        return f"{words.number(row['tried'])} times, alike in {alike}"
    return f"{words.number(row['tried'], row['tried_low'], row['tried_high'])} times"


def ways_sentence(ways: pd.DataFrame) -> str:
    """How often quests succeed, by which way."""
    done = {row["way"]: row for row in rows_where(ways, quantity="done")}
    if not done:
        return "Nobody tried a quest."
    parts = [
        f"{words.shown(done[way], 'share')} of them by {way}, which succeeds in "
        f"{words.shown(done[way])}"
        for way in WAYS
        if way in done
    ]
    text = f"{words.shown(done['all'])} of quests tried succeed; {words.listed(parts)}"
    bonus = rows_where(ways, way="all", quantity="bonus")
    return f"{text}; {words.shown(bonus[0])} of those done earn the bonus." if bonus else f"{text}."


def numbers_sentence(numbers: pd.DataFrame) -> str:
    """How success falls with the number."""
    parts = []
    for way in WAYS:
        rows = rows_where(numbers, way=way)
        if len(rows) > 1:
            first, last = rows[0], rows[-1]
            parts.append(
                f"by {way} from {words.shown(first)} where {first['number']} is asked to "
                f"{words.shown(last)} where {last['number']} is"
            )
    return f"Success goes {words.listed(parts)}." if parts else ""


def choice_sentence(choice: pd.DataFrame) -> str:
    """Which way is taken."""
    rows = rows_where(choice)
    if len(rows) < 2:
        return ""
    first, last = rows[0], rows[-1]

    def gap(row: Mapping[str, Any]) -> str:
        more = row["harder"]
        if more == 0:
            return "both numbers are the same"
        return f"it asks for {abs(more)} {'more' if more > 0 else 'less'}"

    return (
        f"The way by skill is taken in {words.shown(first)} of attempts where {gap(first)} than "
        f"combat, and in {words.shown(last)} where {gap(last)}."
    )


def spaces_sentence(spaces: pd.DataFrame, level: float) -> str:
    """Whether the draw is fair, and which tokens are left lying."""
    outside = int((~spaces["inside"].astype(bool)).sum())
    percent = f"{level * 100:g}{words.SPACE}%"
    drawn = (
        f"each of the {counted(len(spaces), 'space')} has a token in "
        f"{words.share(spaces['exact'].iloc[0])} "
        f"of games, and all intervals hold that ({percent} for all at once)"
        if not outside
        else f"{outside} of {counted(len(spaces), 'space')} {'has' if outside == 1 else 'have'} a "
        "token in another share of games than the "
        f"draw says ({percent} for all at once): chance would rarely do that"
    )
    rows = [row for row in rows_where(spaces) if row["tried_n"]]
    if not rows:
        return f"Of the draw: {drawn}."
    least, most = (pick(rows, key=lambda row: row["tried"]) for pick in (min, max))
    if most["tried"] - least["tried"] < ALIKE:
        return (
            f"Of the draw: {drawn}. Each token is tried as often, wherever it lies: from "
            f"{_tried(least)} on {_named(least['quest'])} to {_tried(most)} on "
            f"{_named(most['quest'])}."
        )
    return (
        f"Of the draw: {drawn}. A token on {_named(most['quest'])} is tried most "
        f"({_tried(most)} in a game that has it), one on {_named(least['quest'])} least "
        f"({_tried(least)})."
    )


def _named(name: str) -> str:
    return name.replace("_", " ")


def players_sentence(players: pd.DataFrame) -> str:
    """Who does quests."""
    rows = [row for row in rows_where(players, quantity="done") if row["who"] != EVERYBODY]
    parts = [
        f"{row['who']} {words.number(row['estimate'], row['low'], row['high'])}" for row in rows
    ]
    return f"Quests done: {words.listed(parts)}." if parts else ""


QUESTION = Question(
    "quests", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
