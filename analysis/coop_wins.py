"""How often teams win: by difficulty, number of players, team, and with or without minions.

Played are the lineup's team and those that ship, at every size of table, all on the same deals as
far as tables of one size go. A lineup of several strategies is dealt out in turn, so with fewer
players the first ones sit down. The token starts where the difficulty says, even where the setting
has another start. Frames, every estimate with low, high, level, n and method:

wins: one row per difficulty, number of players, team and minions.
    difficulty ("sun", "moon"); players; team; minions; games; won; estimate: share of games won.
    The intervals of the whole table hold together.
difficulty: one row per number of players, team and minions. estimate: share won under the moon
    minus under the sun; without (sun), changed (moon), each with _low, _high, _n, _method;
    discordance, correlation, speed_up.
minions: one row per difficulty, number of players and team. estimate: with minions minus without;
    without, changed (with), ...
teams: one row per difficulty, number of players, minions and team other than the lineup's.
    estimate: the lineup's team minus this one; without (this one), changed (the lineup's), ...
    The intervals of each of these three frames hold together.
bounds: one row per set-up that nobody won, or that nobody lost, with games, event ("won", "lost"),
    high: what the rate of that event is below, by itself; together_high: below which all such
    rates are at once. Exact one-sided bounds of an event that was never seen ("rule of three").
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis import words
from analysis.cooperation import (
    DIFFICULTY,
    MINIONS,
    START,
    effect,
    moved,
    plays_together,
    share,
    team_labels,
    team_seats,
    teams_of,
    won,
)
from analysis.intervals import no_events, simultaneous_level
from analysis.paired import EFFECT_COLUMNS, INTERVAL_COLUMNS, BlockSums, Column, frame, interval_row
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.near_and_far.words import DIFFICULTIES
from sim.wording import counted

TITLE = "Win rate of teams"
TEXT = (
    "How often does each team win, by difficulty and number of players, with minions and without?"
)
AT = ("difficulty", "players", "team", "minions")
Case = tuple[str, str, bool]  # difficulty, team, minions


# ------------------------------------------------------------------------------------ the plays


def sizes(setting: Setting) -> range:
    """The numbers of players that the game is for."""
    return range(setting.game.min_players, setting.game.max_players + 1)


def cases(teams: Sequence[str]) -> list[Case]:
    """What is played at a table of each size, in order."""
    return list(itertools.product(DIFFICULTIES, teams, (False, True)))


def win_plays(teams: Mapping[str, tuple[str, ...]], players: int) -> tuple[Play, ...]:
    """The plays of one size, in the order of `cases`."""
    return tuple(
        Play(
            f"{team}, {difficulty}, {'with' if minions else 'without'} minions",
            team_seats(teams[team], players),
            {DIFFICULTY: difficulty, START: 0, MINIONS: minions},
        )
        for difficulty, team, minions in cases(tuple(teams))
    )


def win_columns(teams: int) -> list[Column]:
    """What is summed of `win_plays`."""
    return [won(play) for play in range(2 * len(DIFFICULTIES) * teams)]


# ----------------------------------------------------------------------------------- the frames

Sized = Mapping[int, BlockSums]  # number of players -> sums of `win_columns`


def wins_frame(sums: Sized, teams: Sequence[str], level: float) -> pd.DataFrame:
    """The frame `wins` of this module."""
    listed = cases(teams)
    rows = []
    for players, found in sums.items():
        for play, (difficulty, team, minions) in enumerate(listed):
            interval = share(found, won(play), level, together=len(listed) * len(sums))
            keys = {"difficulty": difficulty, "players": players, "team": team, "minions": minions}
            games = found.blocks * found.rotations
            count = int(found.cluster({won(play): 1}).num)
            rows.append({**keys, "games": games, "won": count, **interval_row(interval)})
    made = frame(rows, (*AT, "games", "won", *INTERVAL_COLUMNS))
    order = {name: place for place, name in enumerate((*DIFFICULTIES, *teams))}
    return made.sort_values(
        ["difficulty", "minions", "players", "team"],
        key=lambda column: column.map(lambda value: order.get(value, value)),
        kind="stable",
        ignore_index=True,
    )


def effects_frame(sums: Sized, teams: Sequence[str], what: str, level: float) -> pd.DataFrame:
    """The frames `difficulty`, `minions` and `teams` of this module, by the name `what`."""
    places = {case: play for play, case in enumerate(cases(teams))}
    pairs: list[tuple[dict[str, Any], Case, Case]] = []
    if what == "difficulty":
        for team, minions in itertools.product(teams, (False, True)):
            keys = {"team": team, "minions": minions}
            easy, hard = ((difficulty, team, minions) for difficulty in DIFFICULTIES)
            pairs.append((keys, hard, easy))
    elif what == "minions":
        for difficulty, team in itertools.product(DIFFICULTIES, teams):
            keys = {"difficulty": difficulty, "team": team}
            pairs.append((keys, (difficulty, team, True), (difficulty, team, False)))
    else:
        own = teams[0]
        for difficulty, minions, team in itertools.product(DIFFICULTIES, (False, True), teams[1:]):
            keys = {"difficulty": difficulty, "minions": minions, "team": team}
            pairs.append((keys, (difficulty, own, minions), (difficulty, team, minions)))
    rows = []
    for players, found in sums.items():
        for keys, changed, without in pairs:
            row = effect(
                found,
                "won",
                places[changed],
                places[without],
                level,
                together=len(pairs) * len(sums),
            )
            rows.append({**keys, "players": players, **row})
    columns = [name for name in AT if name != what]
    return frame(rows, (*columns, *EFFECT_COLUMNS))


def bounds_frame(wins: pd.DataFrame, level: float) -> pd.DataFrame:
    """The frame `bounds` of this module. wins: the frame of that name."""
    rows = []
    for row in wins.to_dict("records"):
        for event, seen in (("won", row["won"]), ("lost", row["games"] - row["won"])):
            if row["games"] and seen == 0:
                rows.append(
                    {**{name: row[name] for name in (*AT, "games")}, "event": event, "n": row["n"]}
                )
    for row in rows:
        # games of one block are not independent: each block counts once
        bound = no_events(row["n"], level)
        joint = no_events(row["n"], simultaneous_level(level, len(rows)))
        row |= {**interval_row(bound), "together_high": joint.high}
    return frame(rows, (*AT, "games", "event", *INTERVAL_COLUMNS, "together_high"))


# --------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    teams = teams_of(setting)
    columns = win_columns(len(teams))

    def reduce(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, setting.rotations)

    return [Group(_group(size), win_plays(teams, size), reduce) for size in sizes(setting)]


def _group(players: int) -> str:
    return counted(players, "player")


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    teams, level = team_labels(setting), setting.level
    sized = {size: sums[_group(size)] for size in sizes(setting)}
    wins = wins_frame(sized, teams, level)
    frames = {
        "wins": wins,
        **{
            name: effects_frame(sized, teams, name, level)
            for name in ("difficulty", "minions", "teams")
        },
        "bounds": bounds_frame(wins, level),
    }
    sentences = (
        wins_sentence(wins, teams[0]),
        effect_sentence(frames["difficulty"], teams[0], "The moon instead of the sun"),
        effect_sentence(frames["minions"], teams[0], "Minions"),
        teams_sentence(frames["teams"], teams[0]),
        bounds_sentence(frames["bounds"], level),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# ------------------------------------------------------------------------------------- in words


def setup_words(row: Mapping[str, Any]) -> str:
    """A set-up but for its team: "2 players, sun, with minions"."""
    parts = [counted(row["players"], "player")] if "players" in row else []
    parts += [row["difficulty"]] if "difficulty" in row else []
    if "minions" in row:
        parts.append("with minions" if row["minions"] else "without minions")
    return ", ".join(parts)


def wins_sentence(wins: pd.DataFrame, team: str) -> str:
    """How often the lineup's team wins."""
    rows = wins[(wins["team"] == team) & ~wins["minions"].astype(bool)]
    parts = []
    for difficulty in DIFFICULTIES:
        found = [
            f"{words.shown(row)} with {counted(row['players'], 'player')}"
            for row in rows[rows["difficulty"] == difficulty].to_dict("records")
        ]
        parts.append(f"under the {difficulty} {words.listed(found)}")
    text = f"Without minions {team} wins {words.listed(parts)}"
    rows = wins[wins["team"] == team]
    most, least = (rows.loc[rows["estimate"].idxmax()], rows.loc[rows["estimate"].idxmin()])
    if most["estimate"] == least["estimate"]:
        return f"{text}; all its {counted(len(rows), 'set-up')} came to the same."
    return (
        f"{text}; of its {counted(len(rows), 'set-up')} the easiest is {setup_words(most)} "
        f"({words.shown(most)}), the hardest {setup_words(least)} ({words.shown(least)})."
    )


def effect_sentence(effects: pd.DataFrame, team: str, what: str) -> str:
    """What the moon, or minions, change for the lineup's team."""
    rows = effects[effects["team"] == team].to_dict("records")
    told = [row for row in rows if moved(row)]
    if not told:
        return f"{what}: no difference for {team} is told apart from none."
    ranked = sorted(told, key=lambda row: row["estimate"])
    first, last = ranked[0], ranked[-1]
    text = f"{what} change{'' if what.endswith('s') else 's'} the win rate of {team} by "
    text += f"{words.gain(first)} ({setup_words(first)})"
    if last is not first:
        text += f" to {words.gain(last)} ({setup_words(last)})"
    open_ = len(rows) - len(told)
    if open_:
        text += f"; in {open_} of {counted(len(rows), 'set-up')} no difference is told"
    return f"{text}."


def teams_sentence(teams: pd.DataFrame, own: str) -> str:
    """Whether the lineup's team beats each other one."""
    parts = []
    for team in dict.fromkeys(teams["team"]):
        rows = teams[teams["team"] == team]
        ahead, behind = int((rows["low"] > 0).sum()), int((rows["high"] < 0).sum())
        most = rows.loc[rows["estimate"].abs().idxmax()]
        text = f"{team} in {ahead} of {counted(len(rows), 'set-up')}"
        if behind:
            text += f" (and falls behind it in {behind})"
        parts.append(f"{text}, by {words.gain(most)} where they differ most")
    return f"{own} wins more often than {words.listed(parts)}." if parts else ""


def bounds_sentence(bounds: pd.DataFrame, level: float) -> str:
    """What is known of set-ups that nobody won, or nobody lost."""
    parts = []
    for event in ("won", "lost"):
        rows = bounds[bounds["event"] == event]
        if rows.empty:
            continue
        n = counted(rows["n"].min(), "game")
        teams = words.listed(list(dict.fromkeys(rows["team"])))
        bound = _percent(float(rows["high"].max()))
        joint = _percent(float(rows["together_high"].max()))
        where = f"in {counted(len(rows), 'set-up')}"
        all_at_once = "" if len(bounds) == 1 else f", and below {joint} in all of them at once"
        parts.append(
            f"No game was {event} by {teams} {where} of {n} or more. That does not make it "
            f"impossible: the true rate is below {bound} in each{all_at_once} "
            f"({100 * level:g}{words.SPACE}%, exact one-sided bound for an event never seen, the "
            "rule of three)."
        )
    return " ".join(parts)


def _percent(bound: float) -> str:
    return words.share(0.0, 0.0, bound).removeprefix(f"less than{words.SPACE}")


QUESTION = Question(
    "coop_wins",
    TITLE,
    TEXT,
    _groups,
    _answer,
    least_players=2,
    suits=plays_together,
    together=True,
)
