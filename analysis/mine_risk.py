"""The Amber Mine of Near and Far: how often one is thrown back, and how far it pays to go.

Frames, every estimate with low, high, level, n and method:

thrown: rolls in the mine as they are played, hearts, spells and expert dice included.
    depth (cards entered in this visit, "1" to "8+"; missing: all); wanted (the number that the die
    alone must show, symbols counted, "1": any, to "8+"; missing: all); rolls; estimate: share of
    them that throw the figure back; exact (an ordinary die and nothing else; missing where all
    numbers are together), exact_expert (an expert die without food).
bare: the same by wanted, in games without hearts, spells and expert dice, where the exact chance
    must come out. rolls; exact; estimate; inside (all intervals hold together).
visits: how visits end, by how many cards were entered, thrown back or not.
    depth ("0" to "8+"); visits; share (of all visits), share_low, share_high, share_n,
    share_method; estimate: share of them that end with a camp.
deck: what the next card of a full deck holds, exact, by the bonus of a party in skill and combat.
    bonus; thrown_back; stays; goods (value of the reward by the trade table), amber: of the cards
    one stays on, on average; method "exact".
steps: the best that digging in a row can bring, exact, by how many steps are left.
    aim ("goods": the reward's value by the trade table, "amber": pieces of amber); bonus; steps;
    value (from the entrance), gain (over one step less); stop_from (on a card worth this much or
    more it is best to build, with so many steps left; missing: no card is worth it); method
    "exact".
push: one player with another price of a card not yet drawn, the others unchanged.
    strategy, weight; value; scripted (true: what the strategy does); quantity, unit; estimate:
    against the scripted value; without, changed, discordance, correlation, speed_up. The values of
    a quantity hold together.
worth: what the mine is worth: one seat may never visit it, on the same deals.
    seat (missing: average); quantity, unit; estimate: with the mine minus without; ... The seats of
    a quantity hold together.

`steps` is a dynamic programme. A row is dug to the right; each card is drawn as from a full deck;
a card that threw one back lies there and is what comes next; on the way back a card without a camp
wants its roll again (rules 28 to 31). A party's bonus is the same for skill and combat; hearts one
would spend on every roll count as bonus. What a camp costs in food is left out.

A throw owes nothing to what came before it, so the intervals of `bare` are those of independent
throws, divided by the rotations. Those of `thrown` are over the replicates of the counters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.derived import ratio_effect
from analysis.habits import Habit, find_habit
from analysis.intervals import (
    DIFFERENCE,
    SHARE,
    UNBOUNDED,
    Bounds,
    Interval,
    clopper_pearson,
    replicate_ratio,
    simultaneous_level,
)
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    Effect,
    effect_row,
    frame,
    interval_row,
    paired_effect,
    rows_where,
    side_columns,
    side_row,
    worth_row,
)
from analysis.question import Answer, Group, Play, Question, Setting, tables_of
from sim.batch import Chunk
from sim.errors import UserError
from sim.game import WIN_UNIT
from sim.near_and_far import exact
from sim.near_and_far.state import GOODS, MAX_MINE_CARDS, MINE_DEPTHS, MINE_WANTED, Place
from sim.wording import counted, noun_for

TITLE = "Risk in the Amber Mine"
TEXT = (
    "How often is one thrown back in the mine, what is each further step worth, and when is it "
    "time to stop?"
)
BARE_SHARE, PUSH_SHARE, WORTH_SHARE = 0.1, 0.25, 0.25
BONUSES = range(9)
STEPS = 6
AIMS = {"goods": "value of goods", "amber": "amber"}
PUSH = "new_card"  # the weight that says what a strategy expects of a card not yet drawn
PUSHED = (-2.0, -1.0, 0.0, 0.5, 1.0, 1.5, 3.0, 5.0)
NEAR = 0.15  # a price as near to the scripted one is not tried
DEPTHS = (*map(str, range(1, MINE_DEPTHS)), f"{MINE_DEPTHS}+")
WANTED = (*map(str, range(1, MINE_WANTED)), f"{MINE_WANTED}+")

# quantity -> unit, field, per, scale, bounds
PUSHES: dict[str, tuple[str, str, str | None, int, Bounds]] = {
    "win_rate": ("share of games", "win", None, WIN_UNIT, DIFFERENCE),
    "score": ("journey points", "score", None, 1, UNBOUNDED),
    "mine_visits": ("visits", "mine_visits", None, 1, UNBOUNDED),
    "mine_camps": ("camps", "mine_camps", None, 1, UNBOUNDED),
    "rolls_per_visit": ("rolls", "mine_rolls", "mine_visits", 1, UNBOUNDED),
    "thrown_back": ("share of rolls", "mine_back", "mine_rolls", 1, DIFFERENCE),
}
WORTHS = ("win_rate", "score")


# ------------------------------------------------------------------------- what a card brings


@dataclass(frozen=True)
class Deck:
    """The cards of the mine: number, whether skill, value of the reward in goods, amber."""

    need: NDArray[np.int64]
    goods: NDArray[np.float64]
    amber: NDArray[np.float64]

    @classmethod
    def of(cls, tables: Any) -> Deck:
        """Read the cards but the entrance from a TABLES record."""
        cards = [c for c in range(MAX_MINE_CARDS) if int(tables["mine_cards"]) >> c & 1]
        value = tables["mine_reward"][:, :GOODS] @ tables["good_value"]
        return cls(
            tables["mine_need"][cards].astype(np.int64),
            value[cards].astype(np.float64),
            tables["mine_amber"][cards].astype(np.float64),
        )

    def worth(self, aim: str) -> NDArray[np.float64]:
        """What each card is worth by an aim."""
        return self.goods if aim == "goods" else self.amber

    def stays(self, tables: Any, bonus: int) -> NDArray[np.float64]:
        """The chance to stay on each card with a bonus, by an ordinary die."""
        chance = {
            int(need): float(exact.success(tables, int(need), bonus)) if need else 1.0
            for need in np.unique(self.need)
        }
        return np.array([chance[int(need)] for need in self.need])


def best_digging(
    worth: NDArray[np.float64], stays: NDArray[np.float64], steps: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The value of digging a row with 0 to `steps` steps, and when it is best to build.

    worth, stays: of each card of the deck, (cards,). Returns the value from the entrance,
    (steps + 1,), and the least worth from which on it is best to build on a card just entered from
    the entrance, (steps + 1,), NaN for none. Method: backward induction over the steps left.
    State: the card one is on, the one behind it, the next one where it is known; place 0 is the
    entrance, which needs no roll and brings nothing.
    """
    value = np.concatenate([[0.0], worth])
    stay = np.concatenate([[1.0], stays])
    size = len(value)
    unknown = np.repeat(value[:, None], size, axis=1)  # [here, behind]
    known = np.repeat(unknown[:, :, None], size, axis=2)  # [here, behind, next]
    found, stop = [float(unknown[0, 0])], [float(value[1:].min())]
    for _ in range(steps):
        # going back is for building there: further on the way leads through this card again
        def back(stand: NDArray[np.float64], spare: tuple[int, ...]) -> NDArray[np.float64]:
            home = (stay * value).reshape(1, size, *spare)
            miss = (1 - stay).reshape(1, size, *spare)
            return home + miss * stand

        # [next, here]: one stands on the next card, this one behind
        ahead = stay[:, None] * unknown
        enter = ahead.T[:, None, :] + (1 - stay)[None, None, :] * known
        build = value[:, None]
        draw = enter[:, :, 1:].mean(axis=2)
        later = np.maximum(np.maximum(build, draw), back(unknown, ()))
        lasting = np.maximum(np.maximum(build[:, :, None], enter), back(known, (1,)))
        go_on = later[1:, 0] > value[1:] + 1e-12
        high = value[1:][go_on].max(initial=-math.inf)
        above = value[1:][value[1:] > high]
        stop.append(float(above.min()) if len(above) else math.nan)
        unknown, known = later, lasting
        found.append(float(unknown[0, 0]))
    return np.array(found), np.array(stop)


# ------------------------------------------------------------------------------------ the plays


@dataclass(frozen=True)
class RollSums:
    """Rolls in the mine: (replicates, depth, wanted, thrown back or not).

    visits: (replicates, cards entered, left without or with a camp).
    """

    rolls: NDArray[np.int64]
    visits: NDArray[np.int64]

    def __add__(self, other: RollSums) -> RollSums:
        return RollSums(self.rolls + other.rolls, self.visits + other.visits)


def bare_play(setting: Setting) -> Play:
    """Games in which nothing but die and symbols counts for a roll."""
    off = ("magic", "magic_teachers", "amber_treasures", "amber_artifacts", "expert_dice")
    patches: dict[str, Any] = {f"modules.{name}": False for name in off}
    patches["movement.most_hearts"] = 0
    return Play("without hearts, spells and expert dice", patches=patches)


@dataclass(frozen=True)
class Pusher(Habit):
    """The player whose price of a new card is varied. tried: the other prices."""

    tried: tuple[float, ...] = ()


def find_pusher(setting: Setting) -> Pusher | None:
    """The first strategy of the lineup that has the weight, or None."""
    habit = find_habit(setting, PUSH)
    if habit is None:
        return None
    tried = tuple(
        v for v in PUSHED if habit.low <= v <= habit.high and abs(v - habit.scripted) > NEAR
    )
    return Pusher(**vars(habit), tried=tried)


def push_plays(setting: Setting, pusher: Pusher) -> tuple[Play, ...]:
    """Games as they are, then one play per price and slot."""
    tried = [play for value in pusher.tried for play in pusher.plays(setting, value)]
    return (Play("as it is"), *tried)


def _pushed(pusher: Pusher, value: float) -> list[Column]:
    """The rows of the varied slots in the plays of a value."""
    if value == pusher.scripted:
        return pusher.as_scripted()
    return pusher.columns(1 + pusher.tried.index(value) * len(pusher.slots))


def _each_field(picks: Sequence[Column], names: Sequence[str]) -> list[Column]:
    fields = {f for name in names for f in PUSHES[name][1:3] if isinstance(f, str)}
    return [
        Column(p.play, field, seat=p.seat, slot=p.slot) for p in picks for field in sorted(fields)
    ]


def push_columns(pusher: Pusher) -> list[Column]:
    """What is summed of `push_plays`."""
    values = (pusher.scripted, *pusher.tried)
    return [c for v in values for c in _each_field(_pushed(pusher, v), tuple(PUSHES))]


def worth_plays(players: int) -> tuple[Play, ...]:
    """Games as they are, then each seat kept out of the mine."""
    plays = [Play("as it is")]
    for seat in range(players):
        out = [1 << int(Place.MINE) if other == seat else 0 for other in range(players)]
        plays.append(Play(f"no mine for seat {seat + 1}", handicaps={"forbid_places": out}))
    return tuple(plays)


def worth_columns(players: int) -> list[Column]:
    """What is summed of `worth_plays`."""
    seats = range(1, players + 1)
    picks = [Column(play, "win", seat=s) for s in seats for play in (0, s)]
    return _each_field(picks, WORTHS)


# ------------------------------------------------------------------------------------ the frames


def _class_chance(tables: Any, wanted: int, expert: bool) -> float:
    """Chance to be thrown back in a class of `wanted` (from 0); the last holds all higher ones."""
    return float(1 - exact.success(tables, wanted + 1, expert=expert))


def thrown_frame(rolls: NDArray[np.int64], tables: Any, level: float) -> pd.DataFrame:
    """The frame `thrown` of this module, from the counter (replicates, depth, wanted, 2)."""
    rows = []
    for depth in (None, *range(MINE_DEPTHS)):
        for wanted in (None, *range(MINE_WANTED)):
            part = rolls if depth is None else rolls[:, depth : depth + 1]
            part = part if wanted is None else part[:, :, wanted : wanted + 1]
            each = part.sum(axis=(1, 2))
            if not each.sum():
                continue
            known = wanted is not None
            rows.append(
                {
                    "depth": None if depth is None else DEPTHS[depth],
                    "wanted": None if wanted is None else WANTED[wanted],
                    "rolls": int(each.sum()),
                    "exact": _class_chance(tables, wanted, False) if known else math.nan,
                    "exact_expert": _class_chance(tables, wanted, True) if known else math.nan,
                    **interval_row(
                        replicate_ratio(each[:, 0], each.sum(axis=1), level, bounds=SHARE)
                    ),
                }
            )
    columns = ("depth", "wanted", "rolls", "exact", "exact_expert", *INTERVAL_COLUMNS)
    return frame(rows, columns).astype({"depth": "str", "wanted": "str"})


def visits_frame(visits: NDArray[np.int64], level: float) -> pd.DataFrame:
    """The frame `visits` of this module, from the counter (replicates, cards entered, 2)."""
    rows = []
    for depth in range(MINE_DEPTHS + 1):
        each = visits[:, depth]
        if not each.sum():
            continue
        camped = replicate_ratio(each[:, 1], each.sum(axis=1), level, bounds=SHARE)
        keys = {"depth": ("0", *DEPTHS)[depth], "visits": int(each.sum())}
        share = replicate_ratio(each.sum(axis=1), visits.sum(axis=(1, 2)), level, bounds=SHARE)
        rows.append({**keys, **side_row("share", share), **interval_row(camped)})
    return frame(rows, ("depth", "visits", *side_columns("share"), *INTERVAL_COLUMNS))


def bare_frame(rolls: NDArray[np.int64], tables: Any, rotations: int, level: float) -> pd.DataFrame:
    """The frame `bare` of this module, from the counter of games without anything else."""
    counts = rolls.sum(axis=(0, 1))
    classes = [wanted for wanted in range(MINE_WANTED) if counts[wanted].sum()]
    own = simultaneous_level(level, max(1, len(classes)))
    rows = []
    for wanted in classes:
        back, total = int(counts[wanted, 0]), int(counts[wanted].sum())
        n = total // rotations
        low = clopper_pearson(min(back // rotations, n), n, own).low
        high = clopper_pearson(min(-(-back // rotations), n), n, own).high
        method = "Clopper-Pearson" + (f" at rolls / {rotations}" if rotations > 1 else "")
        interval = Interval(
            back / total, low, high, level, n, f"{method}; {len(classes)} at once (Bonferroni)"
        )
        chance = _class_chance(tables, wanted, False)
        rows.append(
            {
                "wanted": WANTED[wanted],
                "rolls": total,
                "exact": chance,
                **interval_row(interval),
                "inside": interval.low <= chance <= interval.high,
            }
        )
    return frame(rows, ("wanted", "rolls", "exact", *INTERVAL_COLUMNS, "inside"))


def deck_frame(tables: Any) -> pd.DataFrame:
    """The frame `deck` of this module."""
    deck, rows = Deck.of(tables), []
    for bonus in BONUSES:
        stays = deck.stays(tables, bonus)
        rows.append(
            {
                "bonus": bonus,
                "thrown_back": float(1 - stays.mean()),
                "goods": float(stays @ deck.goods / stays.sum()),
                "amber": float(stays @ deck.amber / stays.sum()),
                "method": "exact",
            }
        )
    return frame(rows, ("bonus", "thrown_back", "goods", "amber", "method"))


def steps_frame(tables: Any, steps: int = STEPS) -> pd.DataFrame:
    """The frame `steps` of this module."""
    deck, rows = Deck.of(tables), []
    for aim in AIMS:
        for bonus in BONUSES:
            value, stop = best_digging(deck.worth(aim), deck.stays(tables, bonus), steps)
            rows += [
                {
                    "aim": aim,
                    "unit": AIMS[aim],
                    "bonus": bonus,
                    "steps": left,
                    "value": value[left],
                    "gain": value[left] - value[left - 1] if left else math.nan,
                    "stop_from": stop[left],
                    "method": "exact",
                }
                for left in range(steps + 1)
            ]
    columns = ("aim", "unit", "bonus", "steps", "value", "gain", "stop_from", "method")
    return frame(rows, columns)


def _effect(
    sums: BlockSums,
    name: str,
    picks: Sequence[Column],
    against: Sequence[Column],
    level: float,
    together: int,
) -> Effect:
    _, field, per, scale, bounds = PUSHES[name]

    def of(field: str) -> list[Column]:
        return [Column(p.play, field, seat=p.seat, slot=p.slot) for p in picks]

    others = [p.play for p in against]
    if per is not None:
        return ratio_effect(
            sums,
            of(field),
            of(per),
            level,
            scale=scale,
            bounds=bounds,
            together=together,
            against=others,
        )
    return paired_effect(
        sums, of(field), level, scale=scale, bounds=bounds, together=together, against=others
    )


def push_frame(sums: BlockSums, pusher: Pusher, level: float) -> pd.DataFrame:
    """The frame `push` of this module. sums: of `push_columns`."""
    rows = []
    base = _pushed(pusher, pusher.scripted)
    for name, (unit, *_) in PUSHES.items():
        for value in sorted((pusher.scripted, *pusher.tried)):
            keys = {
                "strategy": pusher.spec,
                "weight": PUSH,
                "value": value,
                "scripted": value == pusher.scripted,
                "quantity": name,
                "unit": unit,
            }
            picks = base if value == pusher.scripted else _pushed(pusher, value)
            if picks is base:
                found = _effect(sums, name, base, base, level, 1)
                same = Interval(0.0, 0.0, 0.0, level, sums.blocks, "the reference itself")
                effect = Effect(same, found.without, found.changed, 0.0, 1.0, math.inf)
            else:
                effect = _effect(sums, name, picks, base, level, len(pusher.tried))
            rows.append({**keys, **effect_row(effect)})
    columns = ("strategy", "weight", "value", "scripted", "quantity", "unit", *EFFECT_COLUMNS)
    return frame(rows, columns)


def worth_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `worth` of this module. sums: of `worth_columns`."""
    rows = []
    for name in WORTHS:
        for seat in (None, *range(1, players + 1)):
            seats = range(1, players + 1) if seat is None else [seat]
            out = [Column(s, "win", seat=s) for s in seats]
            base = [Column(0, "win", seat=s) for s in seats]
            effect = _effect(sums, name, out, base, level, 1 if seat is None else players)
            keys = {"seat": seat, "quantity": name, "unit": PUSHES[name][0]}
            rows.append({**keys, **worth_row(effect)})
    columns = ("seat", "quantity", "unit", *EFFECT_COLUMNS)
    return frame(rows, columns).astype({"seat": "Int64"})


# ---------------------------------------------------------------------------------- the question


def has_mine(setting: Setting) -> bool:
    """Whether the setting plays with the Amber Mine."""
    return bool(setting.rules.model.modules.amber_mines)


def _groups(setting: Setting) -> list[Group]:
    if not has_mine(setting):
        raise UserError("the question 'mine_risk' needs the Amber Mine; set modules.amber_mines")
    players, rotations = setting.players, setting.rotations

    def rolls(chunks: tuple[Chunk, ...]) -> RollSums:
        return RollSums(chunks[0].counters["mine"], chunks[0].counters["visits"])

    def worth(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, worth_columns(players), rotations)

    groups = [
        Group("rolls", (Play("as it is"),), rolls),
        Group("bare", (bare_play(setting),), rolls, BARE_SHARE),
        Group("worth", worth_plays(players), worth, WORTH_SHARE),
    ]
    pusher = find_pusher(setting)
    if pusher is not None:
        columns = push_columns(pusher)

        def push(chunks: tuple[Chunk, ...]) -> BlockSums:
            return BlockSums.of(chunks, columns, rotations)

        groups.append(Group("push", push_plays(setting, pusher), push, PUSH_SHARE))
    return groups


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    level, tables, pusher = setting.level, tables_of(setting), find_pusher(setting)
    frames = {
        "thrown": thrown_frame(sums["rolls"].rolls, tables, level),
        "visits": visits_frame(sums["rolls"].visits, level),
        "bare": bare_frame(sums["bare"].rolls, tables, setting.rotations, level),
        "deck": deck_frame(tables),
        "steps": steps_frame(tables),
        "worth": worth_frame(sums["worth"], setting.players, level),
    }
    sentences = [
        thrown_sentence(frames["thrown"]),
        visits_sentence(frames["visits"]),
        steps_sentence(frames["deck"], frames["steps"]),
        worth_sentence(frames["worth"]),
        bare_sentence(frames["bare"], level),
    ]
    if pusher is not None:
        frames["push"] = push_frame(sums["push"], pusher, level)
        sentences.insert(3, push_sentence(frames["push"]))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words

TYPICAL = 3  # a bonus for a sentence: a party with a symbol or two and some hearts


def thrown_sentence(thrown: pd.DataFrame) -> str:
    """How often one is thrown back, and how that grows."""
    every = rows_where(thrown, depth=None, wanted=None)
    if not every:
        return "Nobody rolled in the mine."
    text = f"{words.shown(every[0])} of rolls in the mine throw the figure back"
    deep = [row for row in rows_where(thrown, wanted=None) if isinstance(row["depth"], str)]
    if len(deep) > 1:
        first, last = deep[0], max(deep[1:], key=lambda row: row["rolls"])
        text += (
            f", {words.shown(first)} on the {words.ORDINALS[DEPTHS.index(first['depth'])]} card "
            f"of a visit and {words.shown(last)} on the "
            f"{words.ORDINALS[DEPTHS.index(last['depth'])]}"
        )
    parts = [
        f"{words.shown(row)} where the die must show {row['wanted']} ({words.share(row['exact'])} "
        "by an ordinary die alone)"
        for row in rows_where(thrown, depth=None)
        if row["wanted"] in ("3", "5")
    ]
    return f"{text}; {words.listed(parts)}." if parts else f"{text}."


def visits_sentence(visits: pd.DataFrame) -> str:
    """How deep visits go, and how they end."""
    rows = rows_where(visits)
    if not rows:
        return "Nobody visited the mine."
    ranked = sorted(rows, key=lambda row: -row["visits"])[:3]
    parts = [
        f"{words.shown(row, 'share')} of visits enter {row['depth']} "
        f"{noun_for(1 if row['depth'] == '1' else 2, 'card')} "
        f"({words.shown(row)} of these end with a camp)"
        for row in sorted(ranked, key=lambda row: row["depth"])
    ]
    return f"{words.listed(parts)}."


def steps_sentence(deck: pd.DataFrame, steps: pd.DataFrame) -> str:
    """What further steps are worth and when to stop, at a typical bonus."""
    back = rows_where(deck, bonus=TYPICAL)[0]["thrown_back"]
    own = rows_where(steps, aim="goods", bonus=TYPICAL)
    gains = [words.number(row["gain"]) for row in own if row["steps"] in (1, 2, 3)]
    stops = [
        f"{row['stop_from']:g} with {row['steps']} left"
        for row in own
        if row["steps"] in (1, 2, 3) and not math.isnan(row["stop_from"])
    ]
    text = (
        f"With a bonus of {TYPICAL} a new card throws back in {words.share(back)} (exact); the "
        f"first three steps of a row add {words.listed(gains)} in goods by the trade table"
    )
    if stops:
        text += f", and it is best to build on a card worth at least {words.listed(stops, 'or')}"
    return f"{text}."


def push_sentence(push: pd.DataFrame) -> str:
    """Whether another price of new cards plays better."""
    rows = rows_where(push, quantity="win_rate")
    scripted = next(row for row in rows if row["scripted"])
    better = [row for row in rows if row["low"] > 0]
    worst = min(rows, key=lambda row: row["estimate"])
    spec = scripted["strategy"]
    text = f"{spec} expects {scripted['value']:g} of a card not yet drawn"
    if better:
        best = max(better, key=lambda row: row["estimate"])
        text += (
            f"; with {best['value']:g} it wins more, by "
            f"{words.points(best['estimate'], best['low'], best['high'])}"
        )
    else:
        text += "; no other price is shown to win more"
    if worst["high"] < 0:
        lost = words.points(-worst["estimate"], -worst["high"], -worst["low"])
        text += f", and {worst['value']:g} costs it {lost}"
    return f"{text}."


def worth_sentence(worth: pd.DataFrame) -> str:
    """What the mine is worth to a player."""
    win = rows_where(worth, seat=None, quantity="win_rate")[0]
    score = rows_where(worth, seat=None, quantity="score")[0]
    points = words.points(win["estimate"], win["low"], win["high"])
    told = win["low"] > 0 or win["high"] < 0
    change = (
        f"takes {points} of win probability from a player"
        if told
        else f"makes no difference to a player's win probability that can be told ({points})"
    )
    journey = words.number(score["estimate"], score["low"], score["high"], "journey points")
    return f"To be kept out of the mine {change}; what is lost with it: {journey}."


def bare_sentence(bare: pd.DataFrame, level: float) -> str:
    """Whether bare rolls agree with the exact chances."""
    if bare.empty:
        return ""
    rolls = counted(bare["rolls"].sum(), "roll")
    outside = int((~bare["inside"].astype(bool)).sum())
    percent = f"{level * 100:g}{words.SPACE}%"
    if not outside:
        return (
            f"Without hearts, spells and expert dice the rolls do what the die says: each of "
            f"{counted(len(bare), 'exact chance')} lies inside its interval ({rolls}, {percent} "
            "for all at once)."
        )
    return (
        f"Without hearts, spells and expert dice {outside} of {counted(len(bare), 'exact chance')} "
        f"{'lies outside its interval' if outside == 1 else 'lie outside their intervals'} "
        f"({rolls}, {percent} for all at once): chance would rarely do that."
    )


QUESTION = Question(
    "mine_risk", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
