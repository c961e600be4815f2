"""Expert dice of Near and Far: who gains by one, what the module does, what the die itself does.

A die for everybody leaves every win rate near 1/n, so what one is worth is measured on one seat at
a time: it alone has an expert die from the start, on the same deals, and nobody else can get one;
and, the other way round, the module is played as printed and one seat alone never gets a die.
Frames, every estimate with low, high, level, n and method:

owner: one row per seat and quantity.
    seat (missing: average over the seats); quantity, unit: win_rate, score, quests (successes out
    of attempts), threats (beaten out of fought), thrown_back (out of rolls in the mine), tries
    (quests attempted and threats fought); estimate: with the die minus nobody having one; without,
    changed, discordance, correlation, speed_up. The averages hold together within a quantity, as
    one; the single seats of a quantity hold together.
denied: the same of the module as printed: estimate is what the seat has more than if it never gets
    a die while all others may; changed is with it.
strategies: who gains, where the lineup holds several strategies: as owner, for win_rate and score.
    strategy; quantity, ...; the strategies of a quantity hold together.
module: as printed minus without the module, for everybody.
    quantity, unit: rounds, spread, score, quests, threats, thrown_back, owners (players with a die
    at the end); as above. Each interval stands for itself.
seats: win probability of each seat with the module minus without. They hold together.
visits: whoever comes first to the General Store, second, ..., and has the die longer than others.
    visit; came (share of games in which so many came), turn (own turn, on average), won (their win
    rate with the module), each with _low, _high, _n, _method; estimate: that minus the same
    players' win rate without the module, on the same deals. The rows hold together.
faces: throws as they come to rest, beside the exact law.
    die ("standard", "expert"); number; throws, times; exact (of one throw: no food is paid),
    exact_food (of a roll whose owner pays food for every face that a food rolls again); estimate
    (share of the throws); inside (exact lies within the interval; all of them hold together).
chances: exact chance that a roll reaches a number. missing (the number less symbols and hearts);
    die ("standard", "expert", "expert, 1 food", "expert, 3 food"); estimate; method "exact".

A throw owes nothing to what came before it, so the intervals of `faces` are those of independent
throws, divided by the rotations, since one throw may serve so many games.
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
from analysis.derived import ratio_effect, with_fields
from analysis.intervals import (
    DIFFERENCE,
    UNBOUNDED,
    Bounds,
    Interval,
    clopper_pearson,
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
    side_columns,
    side_row,
    turned,
)
from analysis.question import Answer, Group, Play, Question, Setting, tables_of
from sim.batch import Chunk
from sim.game import WIN_UNIT
from sim.near_and_far import exact
from sim.near_and_far.state import FACES
from sim.wording import counted

TITLE = "Expert dice"
TEXT = "Who gains by an expert die, how much, and what does it do to quests, threats and the mine?"
MODULE, NEW_THREATS, FREE = "modules.expert_dice", "modules.new_threats", "switches.threats_free"
HANDICAP, GIVEN, DENIED = "expert_die", 1, 2
SHARE_OF_GAMES = 0.25  # two plays for each seat on the same deals: precise enough with fewer
DICE = ("standard", "expert")
FEEDS = {"expert": 0, "expert, 1 food": 1, "expert, 3 food": 3}
MISSING = range(1, 9)
STORE = 24  # food for "as often as it helps": what remains is below a billionth of a throw


@dataclass(frozen=True)
class Quantity:
    """Something a seat has: a field, out of another one where it is a rate of success."""

    unit: str
    fields: tuple[str, ...]
    per: str | None = None
    scale: int = 1
    bounds: Bounds = UNBOUNDED


QUANTITIES = {
    "win_rate": Quantity("share of games", ("win",), scale=WIN_UNIT, bounds=DIFFERENCE),
    "score": Quantity("journey points", ("score",)),
    "quests": Quantity("share of attempts", ("quests_done",), "quests_tried", bounds=DIFFERENCE),
    "threats": Quantity("share of fights", ("threats_beaten",), "threats_fought", 1, DIFFERENCE),
    "thrown_back": Quantity("share of rolls", ("mine_back",), "mine_rolls", 1, DIFFERENCE),
    "tries": Quantity("quests and threats", ("quests_tried", "threats_fought")),
}
OF_ALL = ("score", "quests", "threats", "thrown_back")
OF_GAMES = {"rounds": "rounds", "spread": "journey points"}


# ------------------------------------------------------------------------------------ the plays

NOBODY, PRINTED = 0, 1


def dice_plays(setting: Setting) -> tuple[Play, ...]:
    """Nobody has a die; as printed; each seat alone has one; each seat alone never gets one."""
    values = {entry.key: entry.value for entry in setting.rules.entries}
    without, printed = {MODULE: False}, {MODULE: True}
    if not values[NEW_THREATS]:  # the module asks for them unless it need not
        printed[FREE] = True
    plays = [Play("without expert dice", patches=without), Play("as printed", patches=printed)]
    players = range(setting.players)
    for seat in players:
        given = [GIVEN if other == seat else DENIED for other in players]
        plays.append(Play(f"only seat {seat + 1}", patches=without, handicaps={HANDICAP: given}))
    for seat in players:
        denied = [DENIED if other == seat else 0 for other in players]
        plays.append(Play(f"not seat {seat + 1}", patches=printed, handicaps={HANDICAP: denied}))
    return tuple(plays)


def given_play(seat: int) -> int:
    """Number of the play in which this seat (from 1) alone has a die."""
    return 1 + seat


def denied_play(seat: int, players: int) -> int:
    """Number of the play in which this seat (from 1) alone never gets one."""
    return 1 + players + seat


def _fields(quantity: Quantity) -> tuple[str, ...]:
    return (*quantity.fields, *([quantity.per] if quantity.per else []))


def seat_columns(players: int) -> list[Column]:
    """What is summed of `dice_plays`, seat by seat and over all."""
    fields = list(dict.fromkeys(f for q in QUANTITIES.values() for f in _fields(q)))
    columns = []
    for seat in range(1, players + 1):
        for play in (NOBODY, PRINTED, given_play(seat), denied_play(seat, players)):
            columns += [Column(play, field, seat=seat) for field in fields]
    for play in (NOBODY, PRINTED):
        columns += [Column(play, field, "game") for field in OF_GAMES]
        columns += [Column(play, "expert")]
        columns += [Column(play, f) for name in OF_ALL for f in _fields(QUANTITIES[name])]
    return columns


def labels_of(setting: Setting) -> tuple[str, ...]:
    """The different strategies of the lineup, in its order."""
    return tuple(dict.fromkeys(setting.seats))


def strategy_columns(players: int, labels: Sequence[str]) -> list[Column]:
    """What is summed of `by_strategy`: played games, wins, points of a seat by who sits there."""
    return [
        Column(play, f"{field} {place}", seat=seat)
        for place in range(len(labels))
        for seat in range(1, players + 1)
        for play in (NOBODY, given_play(seat))
        for field in ("games", "win", "score")
    ]


def by_strategy(chunk: Chunk, seats: Sequence[str], labels: Sequence[str]) -> Chunk:
    """The chunk with wins and points of each strategy apart: 0 where another one sits."""
    who = np.array([labels.index(name) for name in seats])[chunk.seats["slot"]]
    fields = {}
    for place in range(len(labels)):
        here = (who == place).astype(np.int64)
        fields[f"games {place}"] = here
        fields[f"win {place}"] = here * chunk.seats["win"]
        fields[f"score {place}"] = here * chunk.seats["score"]
    return with_fields(chunk, fields)


def visit_columns(players: int) -> list[Column]:
    """What is summed of `by_visit`."""
    return [
        Column(0, f"{field} {place}")
        for place in range(1, players + 1)
        for field in ("came", "turn", "won", "before")
    ]


def by_visit(printed: Chunk, nobody: Chunk) -> Chunk:
    """The chunk with who came first, second, ... for a die, and what they win with and without.

    Order: by own turn, then by seat from the start seat, as turns go around.
    """
    turn = printed.seats["expert_turn"].astype(np.int64)
    players = turn.shape[1]
    first = printed.games["start_seat"].astype(np.int64)
    late = (np.arange(players) - first[:, None]) % players
    when = np.where(turn > 0, turn * players + late, np.iinfo(np.int64).max)
    order = when.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable") + 1
    fields = {}
    for place in range(1, players + 1):
        here = ((order == place) & (turn > 0)).astype(np.int64)
        fields[f"came {place}"] = here
        fields[f"turn {place}"] = here * turn
        fields[f"won {place}"] = here * printed.seats["win"]
        fields[f"before {place}"] = here * nobody.seats["win"]
    return with_fields(printed, fields)


@dataclass(frozen=True)
class DiceSums:
    """Sums of `dice_plays`: blocks of rows, strategies, visits, and faces (die, number)."""

    blocks: BlockSums
    strategies: BlockSums
    visits: BlockSums
    faces: NDArray[np.int64]

    def __add__(self, other: DiceSums) -> DiceSums:
        return DiceSums(
            self.blocks + other.blocks,
            self.strategies + other.strategies,
            self.visits + other.visits,
            self.faces + other.faces,
        )


def dice_sums(chunks: Sequence[Chunk], setting: Setting) -> DiceSums:
    """Sum chunks of `dice_plays`."""
    players, rotations, labels = setting.players, setting.rotations, labels_of(setting)
    apart = [by_strategy(chunk, setting.seats, labels) for chunk in chunks]
    return DiceSums(
        BlockSums.of(chunks, seat_columns(players), rotations),
        BlockSums.of(apart, strategy_columns(players, labels), rotations),
        BlockSums.of(
            [by_visit(chunks[PRINTED], chunks[NOBODY])], visit_columns(players), rotations
        ),
        chunks[PRINTED].counters["faces"].sum(axis=(0, 1)),
    )


# ------------------------------------------------------------------------------------ the frames


def _effect(
    sums: BlockSums,
    quantity: Quantity,
    picks: Sequence[Column],
    against: Sequence[int],
    level: float,
    together: int,
) -> Effect:
    """Effect on a quantity; picks: the rows (play and seat), whatever their field."""
    columns = [replace(pick, field=field) for pick in picks for field in quantity.fields]
    others = [play for play in against for _ in quantity.fields]
    options: dict[str, Any] = {
        "scale": quantity.scale,
        "bounds": quantity.bounds,
        "together": together,
    }
    if quantity.per is not None:
        den = [replace(pick, field=quantity.per) for pick in picks]
        return ratio_effect(sums, columns, den, level, against=others, **options)
    if len(quantity.fields) > 1:  # a sum of fields, not their mean
        options["scale"] = quantity.scale / len(quantity.fields)
    return paired_effect(sums, columns, level, against=others, **options)


def _by_seat(
    sums: BlockSums, plays: Sequence[int], against: Sequence[int], level: float
) -> pd.DataFrame:
    """Rows of `owner`. plays, against: the play of each seat, and the one it is compared with."""
    players = len(plays)
    rows = []
    for seat in (None, *range(1, players + 1)):
        seats = range(1, players + 1) if seat is None else [seat]
        picks = [Column(plays[s - 1], "win", seat=s) for s in seats]
        for name, quantity in QUANTITIES.items():
            effect = _effect(
                sums,
                quantity,
                picks,
                [against[s - 1] for s in seats],
                level,
                1 if seat is None else players,
            )
            rows.append(
                {"seat": seat, "quantity": name, "unit": quantity.unit, **effect_row(effect)}
            )
    found = frame(rows, ("seat", "quantity", "unit", *EFFECT_COLUMNS))
    return found.astype({"seat": "Int64"})


def owner_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `owner` of this module. sums: of `seat_columns`."""
    plays = [given_play(seat) for seat in range(1, players + 1)]
    return _by_seat(sums, plays, [NOBODY] * players, level)


def denied_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `denied` of this module. sums: of `seat_columns`."""
    against = [denied_play(seat, players) for seat in range(1, players + 1)]
    return _by_seat(sums, [PRINTED] * players, against, level)


def strategies_frame(
    sums: BlockSums, players: int, labels: Sequence[str], level: float
) -> pd.DataFrame:
    """The frame `strategies` of this module; empty where all play alike."""
    rows = []
    for place, label in enumerate(labels) if len(labels) > 1 else ():
        for name in ("win_rate", "score"):
            quantity, seats = QUANTITIES[name], range(1, players + 1)
            effect = ratio_effect(
                sums,
                [Column(given_play(s), f"{quantity.fields[0]} {place}", seat=s) for s in seats],
                [Column(given_play(s), f"games {place}", seat=s) for s in seats],
                level,
                scale=quantity.scale,
                bounds=quantity.bounds,
                together=len(labels),
                against=[NOBODY] * players,
            )
            row = {"strategy": label, "quantity": name, "unit": quantity.unit}
            rows.append({**row, **effect_row(effect)})
    return frame(rows, ("strategy", "quantity", "unit", *EFFECT_COLUMNS))


def module_frame(sums: BlockSums, level: float) -> pd.DataFrame:
    """The frame `module` of this module. sums: of `seat_columns`."""
    rows = []
    for name, unit in OF_GAMES.items():
        effect = paired_effect(sums, [Column(PRINTED, name, "game")], level)
        rows.append({"quantity": name, "unit": unit, **effect_row(effect)})
    for name in OF_ALL:
        effect = _effect(sums, QUANTITIES[name], [Column(PRINTED, "win")], [NOBODY], level, 1)
        rows.append({"quantity": name, "unit": QUANTITIES[name].unit, **effect_row(effect)})
    owners = paired_effect(sums, [Column(PRINTED, "expert")], level, bounds=DIFFERENCE)
    rows.append({"quantity": "owners", "unit": "share of players", **effect_row(owners)})
    return frame(rows, ("quantity", "unit", *EFFECT_COLUMNS))


def seats_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `seats` of this module. sums: of `seat_columns`."""
    rows = []
    for seat in range(1, players + 1):
        effect = paired_effect(
            sums,
            [Column(PRINTED, "win", seat=seat)],
            level,
            scale=WIN_UNIT,
            bounds=DIFFERENCE,
            together=players,
        )
        rows.append({"seat": seat, **effect_row(effect)})
    return frame(rows, ("seat", *EFFECT_COLUMNS))


def visits_frame(sums: BlockSums, players: int, level: float) -> pd.DataFrame:
    """The frame `visits` of this module. sums: of `visit_columns`."""
    rows = []
    for visit in range(1, players + 1):
        came, turn, won, before = (
            Column(0, f"{name} {visit}") for name in ("came", "turn", "won", "before")
        )
        if not sums.cluster({came: 1}).num:
            continue
        # one player comes first, but the rows are those of all
        often = sums.share({came: 1}, level=level, scale=1 / players, together=players)
        when = sums.estimate({turn: 1}, {came: 1}, level, bounds=(0.0, math.inf), together=players)
        naive = sums.share({won: 1}, {came: 1}, level, scale=WIN_UNIT, together=players)
        gain = sums.estimate(
            {won: 1, before: -1},
            {came: 1},
            level,
            scale=WIN_UNIT,
            bounds=DIFFERENCE,
            together=players,
        )
        rows.append(
            {
                "visit": visit,
                **side_row("came", often),
                **side_row("turn", when),
                **side_row("won", naive),
                **interval_row(gain),
            }
        )
    sides = [name for side in ("came", "turn", "won") for name in side_columns(side)]
    return frame(rows, ("visit", *sides, *INTERVAL_COLUMNS))


def faces_frame(
    faces: NDArray[np.int64], tables: Any, rotations: int, level: float
) -> pd.DataFrame:
    """The frame `faces` of this module, from the counter (die, number). tables: a TABLES record."""
    laws = {"standard": exact.standard_die(tables), "expert": exact.expert_die(tables)}
    fed = {"standard": laws["standard"], "expert": exact.expert_die(tables, STORE)}
    cells = []
    for place, die in enumerate(DICE):
        law = dict.fromkeys(range(FACES), 0.0)
        paid = dict(law)
        for source, target in ((laws, law), (fed, paid)):
            for number, chance in source[die].items():
                target[min(number, FACES - 1)] += float(chance)
        throws = int(faces[place].sum())
        for number in range(FACES):
            times = int(faces[place, number])
            if throws and (times or law[number]):
                cells.append((die, number, throws, times, law[number], paid[number]))
    own = simultaneous_level(level, max(1, len(cells)))
    rows = []
    for die, number, throws, times, share, with_food in cells:
        n = throws // rotations
        low = clopper_pearson(min(times // rotations, n), n, own).low
        high = clopper_pearson(min(-(-times // rotations), n), n, own).high
        method = "Clopper-Pearson" + (f" at throws / {rotations}" if rotations > 1 else "")
        method += f"; {len(cells)} at once (Bonferroni)"
        interval = Interval(times / throws, low, high, level, n, method)
        rows.append(
            {
                "die": die,
                "number": number,
                "throws": throws,
                "times": times,
                "exact": share,
                "exact_food": with_food,
                **interval_row(interval),
                "inside": interval.low <= share <= interval.high,
            }
        )
    columns = ("die", "number", "throws", "times", "exact", "exact_food")
    return frame(rows, (*columns, *INTERVAL_COLUMNS, "inside"))


def chances_frame(tables: Any, level: float) -> pd.DataFrame:
    """The frame `chances` of this module. tables: a TABLES record."""
    rows = []
    for missing in MISSING:
        chances = {"standard": exact.success(tables, missing)}
        for die, food in FEEDS.items():
            chances[die] = exact.success(tables, missing, expert=True, food=food)
        for die, chance in chances.items():
            sure = Interval(float(chance), float(chance), float(chance), level, 0, "exact")
            rows.append({"missing": missing, "die": die, **interval_row(sure)})
    return frame(rows, ("missing", "die", *INTERVAL_COLUMNS))


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    def reduce(chunks: tuple[Chunk, ...]) -> DiceSums:
        return dice_sums(chunks, setting)

    return [Group("dice", dice_plays(setting), reduce, SHARE_OF_GAMES)]


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    found: DiceSums = sums["dice"]
    players, level, tables = setting.players, setting.level, tables_of(setting)
    frames = {
        "owner": owner_frame(found.blocks, players, level),
        "denied": denied_frame(found.blocks, players, level),
        "strategies": strategies_frame(found.strategies, players, labels_of(setting), level),
        "module": module_frame(found.blocks, level),
        "seats": seats_frame(found.blocks, players, level),
        "visits": visits_frame(found.visits, players, level),
        "faces": faces_frame(found.faces, tables, setting.rotations, level),
        "chances": chances_frame(tables, level),
    }
    sentences = (
        owner_sentence(frames["owner"]),
        denied_sentence(frames["denied"]),
        strategies_sentence(frames["strategies"]),
        module_sentence(frames["module"], frames["seats"]),
        visits_sentence(frames["visits"]),
        faces_sentence(frames["faces"], level),
    )
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


# -------------------------------------------------------------------------------------- in words


def row_of(found: pd.DataFrame, **keys: Any) -> dict[str, Any]:
    """The first row with these values; None asks for a missing one. Raises KeyError for none."""
    for key, value in keys.items():
        column = found[key]
        found = found[column.isna() if value is None else column == value]
    if found.empty:
        raise KeyError(f"no row with {keys}")
    return {str(key): value for key, value in found.to_dict("records")[0].items()}


def told(row: Mapping[str, Any]) -> bool:
    """Whether an effect can be told from none."""
    return bool(row["low"] > 0 or row["high"] < 0)


def _rate_words(row: Mapping[str, Any], what: str) -> str:
    return (
        f"{what} {words.shown(row, 'without')} to {words.shown(row, 'changed')} ({words.gain(row)})"
    )


def owner_sentence(owner: pd.DataFrame) -> str:
    """What a die brings a player who alone has one."""
    rows = {name: row_of(owner, seat=None, quantity=name) for name in QUANTITIES}
    win, score = rows["win_rate"], rows["score"]
    rates = [
        _rate_words(rows[name], what)
        for name, what in (
            ("quests", "quests that succeed from"),
            ("threats", "threats that are beaten from"),
            ("thrown_back", "rolls in the mine that throw one back from"),
        )
        if not math.isnan(rows[name]["estimate"])
    ]
    verdict = "gains" if win["low"] > 0 else "loses" if win["high"] < 0 else "is not shown to gain"
    gain = words.gain(turned(win) if win["high"] < 0 else win)
    text = (
        f"A player who alone has an expert die {verdict} "
        f"{gain} of win probability and {words.amount(score, 'journey points')}"
    )
    return f"{text}: {words.listed(rates)}." if rates else f"{text}."


def denied_sentence(denied: pd.DataFrame) -> str:
    """What the die is worth where everybody can have one."""
    win = row_of(denied, seat=None, quantity="win_rate")
    score = row_of(denied, seat=None, quantity="score")
    return (
        "Where everybody can take one, as printed, a player who never gets it gives up "
        f"{words.gain(win)} of win probability and {words.amount(score, 'journey points')}."
    )


def strategies_sentence(found: pd.DataFrame) -> str:
    """Which strategies gain most by being the only owner."""
    rows = found[found["quantity"] == "win_rate"] if len(found) else found
    if rows.empty:
        return ""
    ranked = rows.sort_values("estimate", ascending=False, kind="stable").to_dict("records")
    parts = [f"{row['strategy']} {words.gain(row)}" for row in ranked]
    return f"By strategy of the owner, in win probability: {words.listed(parts)}."


def module_sentence(module: pd.DataFrame, seats: pd.DataFrame) -> str:
    """What the module does for all."""
    rounds, spread = (row_of(module, quantity=name) for name in ("rounds", "spread"))
    score, owners = (row_of(module, quantity=name) for name in ("score", "owners"))
    moved = [row for row in seats.to_dict("records") if told(row)]
    text = (
        f"As printed, {words.shown(owners, 'changed')} of players come to own one; the module "
        f"changes the length by {words.amount(rounds, 'rounds')}, scores by "
        f"{words.amount(score, 'journey points')} and their spread by {words.amount(spread)}"
    )
    if not moved:
        return f"{text}; no seat's win probability is shown to move."
    parts = [f"seat {row['seat']} by {words.gain(row)}" for row in moved]
    return f"{text}; it moves the win probability of {words.listed(parts)}."


def visits_sentence(visits: pd.DataFrame) -> str:
    """What it is worth to be the first to have a die."""
    if visits.empty:
        return "Nobody took an expert die."
    first = visits.to_dict("records")[0]
    if first["visit"] != 1:
        return ""
    won = words.shown(first, "won")
    verdict = (
        f"{words.gain(first)} of it owed to the module"
        if told(first)
        else f"no difference that can be told is owed to the module ({words.gain(first)})"
    )
    return (
        f"Whoever takes the first one, in its turn {words.amount(first, side='turn')} on average, "
        f"wins {won}; {verdict}, for the same players without it are the comparison."
    )


def faces_sentence(faces: pd.DataFrame, level: float) -> str:
    """Whether the throws agree with the exact law."""
    if faces.empty:
        return ""
    throws = counted(faces.groupby("die")["throws"].first().sum(), "throw")
    percent = f"{level * 100:g}{words.SPACE}%"
    outside = int((~faces["inside"].astype(bool)).sum())
    if not outside:
        return (
            f"The dice do what the faces say: every exact share lies inside its interval "
            f"({counted(len(faces), 'share')} from {throws}, {percent} for all at once)."
        )
    return (
        f"{outside} of {counted(len(faces), 'exact share')} of faces "
        f"{'lies outside its interval' if outside == 1 else 'lie outside their intervals'} "
        f"({percent} for all at once, {throws}): chance would rarely do that."
    )


QUESTION = Question(
    "expert_dice", TITLE, TEXT, _groups, _answer, games=("near_and_far",), least_players=2
)
