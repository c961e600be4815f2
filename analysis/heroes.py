"""Are the heroes of Dobbers worth the same: by whom they are held, to whom they are given.

Who holds a hero has picked it, late or early, and plays as suits it; so "won when held" mixes the
hero with its owner. Beside it stands the experiment: a hero is given to one seat, on the same
deals, and everybody else plays (and picks) as before. Frames, every estimate with low, high, level,
n and method:

held: heroes as they are picked, one row per hero and seat.
    hero, ability; seat (missing: all); games (in which this seat, or anybody, holds it); picked
    (share of all games), with _low, _high, _n, _method; estimate: share of these games that its
    owner wins. The heroes of all seats hold together, and so do those of the single seats.
given: one row per hero and seat it is given to.
    hero, ability; seat (missing: average over the seats); estimate: win rate of that seat. As
    above, the averages hold together, and so do the single seats.
balance: the same games; how far a hero is from the average hero.
    hero, ability; seat; estimate: win rate with this hero minus the mean over all heroes, on the
    same deals; margin; verdict ("fair" within the margin, "strong", "weak", "undecided"). They hold
    together as in `given`.
spread: one row per seat (missing: average). estimate: largest minus smallest win rate over the
    heroes, from the simultaneous intervals of `balance`.
abilities: what an ability is worth to its owner, one row per hero and seat.
    hero, ability; seat; estimate: win rate with the hero minus win rate with the same hero whose
    ability is void, on the same deals; without (void), changed (with it), discordance,
    correlation, speed_up. They hold together as in `given`.
kinds: the same for each kind of ability, averaged over seats and the heroes that have it.
    ability; heroes (how many); estimate, ..., as in `abilities`. The intervals hold together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.intervals import (
    ClusterSums,
    Interval,
    clustered_ratio,
    clustered_share,
    simultaneous_level,
)
from analysis.intervals import spread as spread_of
from analysis.length import over_all_blocks
from analysis.moments import KeyedMoments, keyed_moments
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    effect_row,
    frame,
    interval_row,
    jointly,
    paired_effect,
    side_columns,
    side_row,
    turned,
)
from analysis.question import Answer, Group, Play, Question, Setting
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.wording import counted

TITLE = "Heroes"
TEXT = "Does every hero win as often as any other, in every seat, and what is its ability worth?"
MARGIN = 0.02  # a hero within two points of the average one is fair enough
GIVE, VOID = "force_hero", "void_hero"  # handicaps of the game
GIVEN_SHARE = 0.1  # two plays for each hero and seat, all on the same deals
SHARE_METHOD = "Wilson on the effective number, over blocks"
NO_ABILITY = "none"


def heroes_of(setting: Setting) -> dict[str, str]:
    """Each hero's ability in words: "1 gold", or "1 red every other turn"."""
    found = {}
    for name, hero in setting.rules.model.heroes.items():
        parts = [hero.gives] if hero.gives else []
        parts += [f"{hero.alternate} every other turn"] if hero.alternate else []
        found[name] = ", ".join(parts) or NO_ABILITY
    return found


# ------------------------------------------------------------------------------------ the plays


@dataclass(frozen=True)
class HeldSums:
    """Wins in twelfths of who holds a hero, by hero and by seat * heroes + hero; all blocks."""

    every: KeyedMoments
    seats: KeyedMoments
    blocks: int
    rotations: int

    def __add__(self, other: HeldSums) -> HeldSums:
        return HeldSums(
            self.every + other.every,
            self.seats + other.seats,
            self.blocks + other.blocks,
            self.rotations,
        )


def held_sums(chunk: Chunk, heroes: int, rotations: int) -> HeldSums:
    """Sum a chunk of games in which everybody picks. Raises ValueError as `keyed_moments`."""
    hero = chunk.seats["hero"].astype(np.int64)
    win = chunk.seats["win"].astype(np.int64)
    seat = np.arange(hero.shape[1])
    return HeldSums(
        keyed_moments(hero, win, rotations=rotations),
        keyed_moments(hero + heroes * seat, win, rotations=rotations),
        len(hero) // rotations,
        rotations,
    )


def given_plays(heroes: Sequence[str], players: int) -> tuple[Play, ...]:
    """Each hero given to each seat, once as it is and once with its ability void."""
    plays = []
    for number, hero in enumerate(heroes, start=1):
        for seat in range(players):
            given = [number if other == seat else 0 for other in range(players)]
            void = [int(other == seat) for other in range(players)]
            name = f"{hero} for seat {seat + 1}"
            plays.append(Play(name, handicaps={GIVE: given}))
            plays.append(Play(f"{name}, void", handicaps={GIVE: given, VOID: void}))
    return tuple(plays)


def _wins(hero: int, players: int, seat: int | None, *, void: bool = False) -> list[Column]:
    """Wins of the seat (from 1; None: each in turn) that the hero (from 0) is given to."""
    seats = range(1, players + 1) if seat is None else [seat]
    return [Column(2 * (hero * players + s - 1) + void, "win", seat=s) for s in seats]


def given_columns(heroes: int, players: int) -> list[Column]:
    """What is summed of `given_plays`."""
    return [
        column
        for void in (False, True)
        for hero in range(heroes)
        for column in _wins(hero, players, None, void=void)
    ]


# ------------------------------------------------------------------------------------ the frames


def _seats(players: int) -> list[int | None]:
    return [None, *range(1, players + 1)]


def _share(sums: ClusterSums, level: float, together: int) -> Interval:
    return jointly(
        lambda own: clustered_share(sums, own, scale=WIN_UNIT, method=SHARE_METHOD),
        level,
        together,
    )


def _picked(own: ClusterSums, sums: HeldSums, level: float, together: int) -> Interval:
    """Share of all games in which a hero is held; own: wins and games of who holds it."""
    games = ClusterSums(own.clusters, own.den, own.den, own.den2, own.den2, own.den2)
    of_all = over_all_blocks(games, sums.blocks, sums.rotations)
    return jointly(lambda own: clustered_share(of_all, own, method=SHARE_METHOD), level, together)


def held_frame(
    sums: HeldSums, heroes: Mapping[str, str], players: int, level: float
) -> pd.DataFrame:
    """The frame `held` of this module."""
    rows = []
    for seat in _seats(players):
        found = sums.every if seat is None else sums.seats
        first = 0 if seat is None else (seat - 1) * len(heroes)
        together = len(heroes) * (1 if seat is None else players)
        for place, (hero, ability) in enumerate(heroes.items()):
            own = found.sums(first + place)
            keys = {
                "hero": hero,
                "ability": ability,
                "seat": seat,
                "games": int(own.den),
                **side_row("picked", _picked(own, sums, level, together)),
            }
            rows.append({**keys, **interval_row(_share(own, level, together))})
    columns = ("hero", "ability", "seat", "games", *side_columns("picked"), *INTERVAL_COLUMNS)
    return frame(rows, columns).astype({"seat": "Int64"})


def given_frame(
    sums: BlockSums, heroes: Mapping[str, str], players: int, level: float
) -> pd.DataFrame:
    """The frame `given` of this module. sums: of `given_columns`."""
    rows = []
    for seat in _seats(players):
        together = len(heroes) * (1 if seat is None else players)
        for place, (hero, ability) in enumerate(heroes.items()):
            own = sums.cluster(dict.fromkeys(_wins(place, players, seat), 1))
            keys = {"hero": hero, "ability": ability, "seat": seat}
            rows.append({**keys, **interval_row(_share(own, level, together))})
    columns = ("hero", "ability", "seat", *INTERVAL_COLUMNS)
    return frame(rows, columns).astype({"seat": "Int64"})


def from_average(
    sums: BlockSums, heroes: int, players: int, seat: int | None, level: float, together: int
) -> list[Interval]:
    """Win rate with each hero minus the mean over all heroes, on the same deals.

    together: how many intervals hold at once at `level`; each has the level that takes, and says
    so, for `analysis.intervals.spread`.
    """
    own = simultaneous_level(level, together)
    every = [_wins(hero, players, seat) for hero in range(heroes)]
    found = []
    for hero in range(heroes):
        num = {
            column: heroes * (other == hero) - 1
            for other, columns in enumerate(every)
            for column in columns
        }
        # the positive weights sum (heroes - 1) rows a seat; a mean over `heroes` is wanted
        found.append(
            clustered_ratio(
                sums.cluster(num),
                own,
                scale=WIN_UNIT * heroes / (heroes - 1),
                bounds=(-1.0, 1.0),
                method=f"Student over paired blocks; {together} at once (Bonferroni)",
            )
        )
    return found


def balance_frames(
    sums: BlockSums,
    heroes: Mapping[str, str],
    players: int,
    level: float,
    margin: float = MARGIN,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The frames `balance` and `spread` of this module. Empty where there is one hero only."""
    rows, apart = [], []
    for seat in _seats(players) if len(heroes) > 1 else ():
        together = len(heroes) * (1 if seat is None else players)
        intervals = from_average(sums, len(heroes), players, seat, level, together)
        for (hero, ability), interval in zip(heroes.items(), intervals, strict=True):
            rows.append(
                {
                    "hero": hero,
                    "ability": ability,
                    "seat": seat,
                    **interval_row(interval),
                    "level": level,
                    "margin": margin,
                    "verdict": verdict(interval, margin),
                }
            )
        apart.append({"seat": seat, **interval_row(spread_of(intervals, level))})
    columns = ("hero", "ability", "seat", *INTERVAL_COLUMNS, "margin", "verdict")
    return (
        frame(rows, columns).astype({"seat": "Int64"}),
        frame(apart, ("seat", *INTERVAL_COLUMNS)).astype({"seat": "Int64"}),
    )


def verdict(interval: Interval, margin: float) -> str:
    """Return "fair" within the margin, "strong" or "weak" outside, else "undecided"."""
    if -margin <= interval.low and interval.high <= margin:
        return "fair"
    if interval.low > margin:
        return "strong"
    return "weak" if interval.high < -margin else "undecided"


def abilities_frame(
    sums: BlockSums, heroes: Mapping[str, str], players: int, level: float
) -> pd.DataFrame:
    """The frame `abilities` of this module. sums: of `given_columns`."""
    rows = []
    for seat in _seats(players):
        together = len(heroes) * (1 if seat is None else players)
        for place, (hero, ability) in enumerate(heroes.items()):
            with_it = _wins(place, players, seat)
            effect = paired_effect(
                sums,
                with_it,
                level,
                scale=WIN_UNIT,
                bounds=(-1.0, 1.0),
                together=together,
                against=[column.play + 1 for column in with_it],
            )
            rows.append({"hero": hero, "ability": ability, "seat": seat, **effect_row(effect)})
    columns = ("hero", "ability", "seat", *EFFECT_COLUMNS)
    return frame(rows, columns).astype({"seat": "Int64"})


def kinds_frame(
    sums: BlockSums, heroes: Mapping[str, str], players: int, level: float
) -> pd.DataFrame:
    """The frame `kinds` of this module. sums: of `given_columns`."""
    owners: dict[str, list[int]] = {}
    for place, ability in enumerate(heroes.values()):
        owners.setdefault(ability, []).append(place)
    rows = []
    for ability, places in owners.items():
        with_it = [column for place in places for column in _wins(place, players, None)]
        effect = paired_effect(
            sums,
            with_it,
            level,
            scale=WIN_UNIT,
            bounds=(-1.0, 1.0),
            together=len(owners),
            against=[column.play + 1 for column in with_it],
        )
        rows.append({"ability": ability, "heroes": len(places), **effect_row(effect)})
    return frame(rows, ("ability", "heroes", *EFFECT_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    heroes, players, rotations = list(heroes_of(setting)), setting.players, setting.rotations
    columns = given_columns(len(heroes), players)

    def held(chunks: tuple[Chunk, ...]) -> HeldSums:
        return held_sums(chunks[0], len(heroes), rotations)

    def given(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, rotations)

    return [
        Group("held", (Play("as it is"),), held),
        Group("given", given_plays(heroes, players), given, GIVEN_SHARE),
    ]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    heroes, players, level = heroes_of(setting), setting.players, setting.level
    balance, spread = balance_frames(sums["given"], heroes, players, level)
    frames = {
        "held": held_frame(sums["held"], heroes, players, level),
        "given": given_frame(sums["given"], heroes, players, level),
        "balance": balance,
        "spread": spread,
        "abilities": abilities_frame(sums["given"], heroes, players, level),
        "kinds": kinds_frame(sums["given"], heroes, players, level),
    }
    sentences = (
        balance_sentence(balance, spread),
        ability_sentence(frames["kinds"]),
        seat_sentence(balance),
        held_sentence(frames["held"]),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def hero_name(hero: str) -> str:
    """A hero's name as people write it."""
    return hero.replace("_", " ").title()


def ends_of(rows: pd.DataFrame) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows with the largest and the smallest estimate."""
    ranked = rows.sort_values("estimate", ascending=False, kind="stable").to_dict("records")
    return (
        {str(key): value for key, value in ranked[0].items()},
        {str(key): value for key, value in ranked[-1].items()},
    )


def balance_sentence(balance: pd.DataFrame, spread: pd.DataFrame) -> str:
    """Whether the heroes are worth the same, all seats together."""
    rows = balance[balance["seat"].isna()]
    if rows.empty:
        return ""
    best, worst = ends_of(rows)
    apart = spread[spread["seat"].isna()].to_dict("records")[0]
    margin = f"{best['margin'] * 100:g}{words.SPACE}points"
    ends = (
        f"{hero_name(best['hero'])} ({best['ability']}) is {words.gain(best)} above the average "
        f"hero in win probability and {hero_name(worst['hero'])} ({worst['ability']}) "
        f"{words.gain(turned(worst), '')} below"
    )
    found = set(rows["verdict"])
    if found == {"fair"}:
        return f"The heroes are fair within {margin} of the average hero: {ends}."
    if found & {"strong", "weak"}:
        odd = int(rows["verdict"].isin(["strong", "weak"]).sum())
        return (
            f"The heroes are not fair: {odd} of {len(rows)} {'is' if odd == 1 else 'are'} more "
            f"than {margin} from the "
            f"average hero. {ends}; the best and the worst are {words.gain(apart)} apart."
        )
    return f"Whether the heroes are fair within {margin} is undecided: {ends}."


def ability_sentence(kinds: pd.DataFrame) -> str:
    """What each kind of ability is worth, the dearest first."""
    rows = kinds[kinds["ability"] != NO_ABILITY]
    if rows.empty:
        return ""
    ranked = rows.sort_values("estimate", ascending=False, kind="stable").to_dict("records")
    parts = [f"{row['ability']} {words.gain(row, '')}" for row in ranked]
    return (
        "An ability is worth to its owner, in points of win probability against the same hero "
        f"without it: {words.listed(parts)}."
    )


def seat_sentence(balance: pd.DataFrame) -> str:
    """Heroes that are strong or weak in some seat."""
    rows = balance[balance["seat"].notna() & balance["verdict"].isin(["strong", "weak"])]
    if rows.empty:
        return ""
    best, worst = ends_of(rows)
    named = [best] if best["hero"] == worst["hero"] and best["seat"] == worst["seat"] else []
    parts = [
        f"{hero_name(row['hero'])} in seat {row['seat']} ({words.gain(row)} from the average hero "
        "there)"
        for row in (named or [best, worst])
    ]
    seats = len(balance[balance["seat"].notna()])
    return (
        f"Seat by seat, {len(rows)} of {counted(seats, 'pair')} of hero and seat "
        f"{'is' if len(rows) == 1 else 'are'} outside the margin, at "
        f"the ends {words.listed(parts)}."
    )


def held_sentence(held: pd.DataFrame) -> str:
    """What counting wins of holders would have said."""
    rows = held[held["seat"].isna()]
    often = rows.loc[rows["picked"].idxmax()].to_dict()
    never = [hero_name(hero) for hero in rows.loc[rows["games"] == 0, "hero"]]
    text = (
        f"These players pick {hero_name(often['hero'])} most often, in "
        f"{words.shown(often, 'picked')} of games, and win {words.shown(often)} of them with it"
    )
    if never:
        few = words.listed(never) if len(never) <= 3 else f"{counted(len(never), 'hero', 'heroes')}"
        text += f"; nobody ever picks {few}"
    return f"{text}. Who holds a hero has chosen it, so such rates say little about the hero."


QUESTION = Question("heroes", TITLE, TEXT, _groups, _answer, games=("dobbers",), least_players=2)
