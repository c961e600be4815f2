"""What each card is worth, by intervention, beside the share of games won by whoever bought it.

Buyers of a card differ from others before they buy: who is ahead can pay more, and who has long to
live needs more. So "won when bought" measures the buyers as much as the card. Here cards are
denied instead, at random, to one seat and not to another: that is what the card does.

Three experiments, all on the deals of the setting:

forbidden: in each play of a trial (`analysis.trials`) a quarter of all cards is forbidden to each
    seat, another quarter to each seat; the cards lie in the row, others may buy them. What a card
    is worth: win rate of a seat that may buy it, less that of one that may not.
left out: in each play a quarter of all cards is taken out of the deck. What the card does to the
    length of the game by being in it.
dealt first: for a few cards that the game names. The card lies in the row when the game begins;
    against it the same deal with the card out of the deck (length), and with the card forbidden
    to one seat, the others unchanged (its worth to that seat).

Frames, every estimate with low, high, level, n and method:

cards: one row per card. card, copies, its classes (type, cost, ...); seen: share of games in which
    it could be bought; bought: share of player games in which it was; naive, naive_low,
    naive_high: share of games won by who bought it; lift, lift_low, lift_high: that less the share
    won by who did not; estimate, low, high: what it is worth, in win probability a game;
    buyers: share of player games of the trial in which a player that may have it buys it;
    per_purchase with low, high: worth / buyers, the win probability that a purchase adds; gap with
    low, high: lift - per_purchase, by how much the naive comparison is off; verdict: "flatters" or
    "belittles" where the gap's interval leaves 0 out. Intervals of a column hold together, and
    naive with worth as well; those of gap follow from the two by adding up. Where hardly anybody
    buys it, per_purchase is missing.
classes: one row per class of cards and seat. by, value (of the class), cards, seat (missing: all
    seats), estimate: the mean worth of one of its cards. Intervals hold together for all classes
    of one kind, and so do those of the seats.
length: one row per card. card; estimate: how much longer a game is with it in the deck, in units
    of the game's length.
examples: one row per example, and what. card; what ("worth", "length"); seat (missing: average);
    estimate; without, changed, discordance, correlation, speed_up as in `analysis.paired`. The
    averages hold together, and so do the seats' figures, and the lengths.
trial: one row per experiment. experiment; plays, games, cards, denied (share of the cards); df;
    half_width: the median half-width of its intervals, in its unit.
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
from analysis.intervals import ClusterSums, Interval
from analysis.paired import (
    EFFECT_COLUMNS,
    INTERVAL_COLUMNS,
    BlockSums,
    Column,
    frame,
    interval_row,
    paired_effect,
    replicate_share,
    turned,
    worth_row,
)
from analysis.question import Answer, Group, Play, Question, Setting
from analysis.trials import (
    Fit,
    TrialSums,
    denial,
    one_seat_fit,
    plays_for,
    seat_fit,
    seat_worth,
    student,
    table_fit,
)
from sim.batch import Chunk
from sim.game import WIN_UNIT, Card, Cards, Game
from sim.wording import counted

TITLE = "What cards are worth"
TEXT = "What is each card worth, and where does “won when bought” mislead?"

PLAIN = "as it is"
FORBIDDEN = "forbidden"
LEFT_OUT = "left out"
DENIED = 0.25  # share of the cards that a play of a trial takes away
SPARE = 60  # degrees of freedom of a trial beside one a card
# What is missing matters in combination, by some 4 points of a seat's win rate: more plays of fewer
# games tell more, until it takes longer to set up a play than to play its games.
SEAT_GAMES, DECK_GAMES_A_PLAY = 240, 400
MOST_PLAYS = 1200
AT_ONCE = 16  # plays of a trial that are played side by side
TRIAL_GAMES = 16.0  # games of the trial on seats, all plays together, as part of the setting's
DECK_GAMES = 8.0  # the same of the trial on decks
EXAMPLE_SHARE = 0.1  # each example takes a play a seat and two more
BUYERS = 0.002  # with fewer buyers a player game, nothing is said of a purchase

LIFT = ("lift", "lift_low", "lift_high")
PER = ("per_purchase", "per_purchase_low", "per_purchase_high")
GAP = ("gap", "gap_low", "gap_high")


def has_cards(game: Game) -> bool:
    """Whether the question makes sense for a game."""
    return game.cards is not None


def cards_of(setting: Setting) -> tuple[Cards, tuple[Card, ...]]:
    """What the game says about its cards, and the cards of these rules."""
    deck = setting.game.cards
    assert deck is not None  # `has_cards` was asked before
    return deck, deck.listed(setting.rules.model)


# ------------------------------------------------------------------------------------ the plays


def seat_design(setting: Setting) -> NDArray[np.bool_]:
    """What each play forbids to each seat: (plays, seats, cards)."""
    _, cards = cards_of(setting)
    players = setting.players
    least = plays_for(2 * len(cards), SPARE, players - 1)
    plays = _plays(setting, TRIAL_GAMES, SEAT_GAMES, least)
    return denial(len(cards), players, plays, DENIED, setting.seed)


def deck_design(setting: Setting) -> NDArray[np.bool_]:
    """Which cards each play leaves out: (plays, cards)."""
    _, cards = cards_of(setting)
    plays = _plays(setting, DECK_GAMES, DECK_GAMES_A_PLAY, plays_for(len(cards), SPARE))
    return denial(len(cards), 1, plays, DENIED, setting.seed + 1)[:, 0]


def _plays(setting: Setting, games: float, a_play: int, least: int) -> int:
    """How many plays a trial has, a multiple of 16. games: of all plays, in the setting's."""
    wanted = plays_for(round(min(MOST_PLAYS, games * setting.games / a_play)), 0)
    return max(least, wanted)


def forbidden_plays(setting: Setting) -> list[Play]:
    """One play for each row of `seat_design`."""
    deck, cards = cards_of(setting)
    names = np.array([card.name for card in cards])
    return [
        Play(
            f"{FORBIDDEN}, play {number}",
            handicaps={deck.forbid: [tuple(names[seat].tolist()) for seat in row]},
        )
        for number, row in enumerate(seat_design(setting), start=1)
    ]


def left_out_plays(setting: Setting) -> list[Play]:
    """One play for each row of `deck_design`."""
    deck, cards = cards_of(setting)
    names = np.array([card.name for card in cards])
    return [
        Play(f"{LEFT_OUT}, play {number}", patches={deck.left_out: " ".join(names[row])})
        for number, row in enumerate(deck_design(setting), start=1)
    ]


def example_plays(deck: Cards, name: str, players: int) -> tuple[Play, ...]:
    """A card dealt first; left out of the deck; dealt first and forbidden to each seat in turn."""
    dealt = {deck.first: name}
    return (
        Play(f"{name} dealt first", patches=dealt),
        Play(f"without {name}", patches={deck.left_out: name}),
        *(
            Play(
                f"{name} dealt first, forbidden to seat {seat + 1}",
                patches=dealt,
                handicaps={
                    deck.forbid: [(name,) if other == seat else () for other in range(players)]
                },
            )
            for seat in range(players)
        ),
    )


def example_columns(deck: Cards, players: int) -> list[Column]:
    """What is summed of `example_plays`."""
    return [
        *(Column(play, deck.length, "game") for play in (0, 1)),
        *(Column(0, "win", seat=seat) for seat in range(1, players + 1)),
        *_denied(players),
    ]


def _denied(players: int) -> list[Column]:
    """The win of each seat in the play that forbids the example to it."""
    return [Column(1 + seat, "win", seat=seat) for seat in range(1, players + 1)]


@dataclass(frozen=True, eq=False)
class CardCounts:
    """Additive counts of a play: who saw and took which card.

    games; players; wins: twelfths that any player won. seen: (replicates, cards) games. taken,
    won: (replicates, cards) player games, and twelfths of a win in them. unused: those of them in
    which the card was never used, none where the game does not say.
    """

    games: int
    players: int
    wins: int
    seen: NDArray[np.int64]
    taken: NDArray[np.int64]
    won: NDArray[np.int64]
    unused: NDArray[np.int64]

    @classmethod
    def of(cls, chunk: Chunk, deck: Cards, numbers: Sequence[int]) -> CardCounts:
        """Count a chunk."""
        taken = chunk.counters[deck.taken].sum(axis=1)[:, list(numbers)]
        return cls(
            len(chunk.games),
            chunk.seats.shape[1],
            int(chunk.seats["win"].sum(dtype=np.int64)),
            chunk.counters[deck.seen][:, list(numbers)].astype(np.int64),
            taken[..., 0].astype(np.int64),
            taken[..., 1].astype(np.int64),
            (taken[..., 2] if deck.use else 0 * taken[..., 0]).astype(np.int64),
        )

    def __add__(self, other: CardCounts) -> CardCounts:
        return CardCounts(
            self.games + other.games,
            self.players,
            self.wins + other.wins,
            self.seen + other.seen,
            self.taken + other.taken,
            self.won + other.won,
            self.unused + other.unused,
        )

    def deals(self, card: int, rotations: int) -> int:
        """In at least so many deals somebody took a card: as if all did in every rotation."""
        return int(self.taken[:, card].sum()) // (self.players * rotations)

    def fair(self) -> float:
        """The share of its games that a player wins on average."""
        return self.wins / WIN_UNIT / self.games / self.players


# ------------------------------------------------------------------------------------ the frames


def naive_share(
    counts: CardCounts, card: int, rotations: int, level: float, together: int
) -> Interval:
    """Share of games won by who took a card; the whole range where nobody did."""
    taken, won = counts.taken[:, card], counts.won[:, card]
    if not taken.any():
        return Interval(math.nan, 0.0, 1.0, level, 0, "nobody took it: whole range")
    return replicate_share(
        won,
        taken,
        level,
        scale=WIN_UNIT,
        together=together,
        deals=counts.deals(card, rotations),
    )


def worth(fit: Fit, thing: int, players: int, level: float, together: int) -> Interval:
    """What a card, or one card of a class, is worth to a seat."""
    weights = seat_worth(thing, len(fit.coefficients), players)
    return fit.interval(weights, level, together, method="least squares on a trial, Student")


def buyers(sums: TrialSums, denied: NDArray[np.bool_], card: int) -> tuple[float, float]:
    """Share of player games in which a seat that may have a card takes it, and its error.

    The error is that of a ratio over the plays (Cochran, Sampling Techniques, section 6.3).
    """
    allowed = (~denied[:, :, card]).sum(axis=1) * sums.games
    found = ClusterSums.of(sums.taken[:, card], allowed)
    return found.ratio(), math.sqrt(found.variance())


def cards_frame(
    counts: CardCounts,
    sums: TrialSums,
    denied: NDArray[np.bool_],
    cards: Sequence[Card],
    rotations: int,
    level: float,
) -> pd.DataFrame:
    """The frame `cards` of this module. sums: of the plays of `denied`, (plays, seats, cards)."""
    players = counts.players
    fit = seat_fit(_win_shares(sums), denied)
    fair = counts.fair()
    together = 2 * len(cards)  # naive and worth of all cards
    rows = []
    for place, card in enumerate(cards):
        naive = naive_share(counts, place, rotations, level, together)
        value = worth(fit, place, players, level, together)
        share, error = buyers(sums, denied, place)
        each = _per_purchase(fit, place, players, share, error, level, together)
        bought = counts.taken[:, place].sum() / counts.games / players
        lift = [
            # of those who did not buy it: fair = bought * naive + (1 - bought) * theirs
            (x - fair) / (1 - bought) if bought < 1 else math.nan
            for x in (naive.estimate, naive.low, naive.high)
        ]
        gap = (lift[0] - each.estimate, lift[1] - each.high, lift[2] - each.low)
        rows.append(
            {
                "card": card.name,
                "copies": card.copies,
                **dict(card.classes),
                "seen": counts.seen[:, place].sum() / counts.games,
                "bought": bought,
                "naive": naive.estimate,
                "naive_low": naive.low,
                "naive_high": naive.high,
                **dict(zip(LIFT, lift, strict=True)),
                **interval_row(value),
                "buyers": share,
                **dict(zip(PER, (each.estimate, each.low, each.high), strict=True)),
                **dict(zip(GAP, gap, strict=True)),
                "verdict": _verdict(gap),
            }
        )
    classes = [name for name, _ in cards[0].classes] if cards else []
    columns = (
        *("card", "copies", *classes, "seen", "bought"),
        *("naive", "naive_low", "naive_high", *LIFT, *INTERVAL_COLUMNS, "buyers"),
        *(*PER, *GAP, "verdict"),
    )
    found = frame(rows, columns)
    return found.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _win_shares(sums: TrialSums) -> NDArray[np.float64]:
    return sums.wins / WIN_UNIT / sums.games[:, None]


def _per_purchase(
    fit: Fit, card: int, players: int, share: float, error: float, level: float, together: int
) -> Interval:
    """Worth of a purchase: worth / share of buyers, both with their errors (delta method)."""
    if not share > BUYERS:
        return Interval(math.nan, math.nan, math.nan, level, fit.rows, "too few buyers")
    weights = seat_worth(card, len(fit.coefficients), players)
    value = float(weights @ fit.coefficients)
    spread = math.hypot(fit.error(weights) / share, value * error / share**2)
    method = "ratio on a trial, Student"
    return student(value / share, spread, fit.df, level, together, fit.rows, method)


def _verdict(gap: tuple[float, float, float]) -> str:
    if gap[1] > 0:
        return "flatters"
    return "belittles" if gap[2] < 0 else ""


def kinds_of_class(cards: Sequence[Card]) -> dict[str, list[str]]:
    """The kinds of classes, such as type and cost, each with its values in order."""
    found: dict[str, dict[str, None]] = {}
    for card in cards:
        for by, value in card.classes:
            found.setdefault(by, {})[value] = None
    return {
        by: sorted(values, key=int) if all(value.isdigit() for value in values) else list(values)
        for by, values in found.items()
    }


def classes_frame(
    sums: TrialSums, denied: NDArray[np.bool_], cards: Sequence[Card], level: float
) -> pd.DataFrame:
    """The frame `classes` of this module."""
    wins, players = _win_shares(sums), denied.shape[1]
    rows = []
    for by, values in kinds_of_class(cards).items():
        member = np.array([[dict(card.classes).get(by) == v for v in values] for card in cards])
        number = denied.astype(float) @ member  # (plays, seats, classes)
        fit = seat_fit(wins, number)
        by_seat = [one_seat_fit(wins, number, seat) for seat in range(players)]
        for place, value in enumerate(values):
            keys = {"by": by, "value": value, "cards": int(member[:, place].sum())}
            all_seats = worth(fit, place, players, level, len(values))
            rows.append({**keys, "seat": None, **interval_row(all_seats)})
            for seat, own in enumerate(by_seat, start=1):
                weights = np.zeros(len(own.coefficients))
                weights[place] = -1
                interval = own.interval(
                    weights,
                    level,
                    len(values) * players,
                    method="least squares on a trial, Student",
                )
                rows.append({**keys, "seat": seat, **interval_row(interval)})
    found = frame(rows, ("by", "value", "cards", "seat", *INTERVAL_COLUMNS))
    return found.astype({"seat": "Int64"})


def length_frame(
    sums: TrialSums, denied: NDArray[np.bool_], cards: Sequence[Card], level: float
) -> pd.DataFrame:
    """The frame `length` of this module. denied: (plays, cards) left out of the deck."""
    fit = table_fit(sums.length / sums.games, denied)
    rows = []
    for place, card in enumerate(cards):
        weights = np.zeros(len(fit.coefficients))
        weights[place] = -1
        method = "least squares on a trial, Student"
        interval = fit.interval(weights, level, len(cards), method=method)
        rows.append({"card": card.name, **interval_row(interval)})
    found = frame(rows, ("card", *INTERVAL_COLUMNS))
    return found.sort_values("estimate", kind="stable", ignore_index=True)


def examples_frame(
    sums: Mapping[str, BlockSums], deck: Cards, players: int, level: float
) -> pd.DataFrame:
    """The frame `examples` of this module. sums: of `example_plays` by card."""
    rows = []
    for name, found in sums.items():
        for seat in (None, *range(1, players + 1)):
            columns = _denied(players)
            effect = paired_effect(
                found,
                columns if seat is None else [columns[seat - 1]],
                level,
                scale=WIN_UNIT,
                bounds=(-1.0, 1.0),
                together=len(sums) * (1 if seat is None else players),
            )
            rows.append({"card": name, "what": "worth", "seat": seat, **worth_row(effect)})
        length = [Column(1, deck.length, "game")]
        effect = paired_effect(found, length, level, together=len(sums))
        rows.append({"card": name, "what": "length", "seat": None, **worth_row(effect)})
    columns_ = ("card", "what", "seat", *EFFECT_COLUMNS)
    return frame(rows, columns_).astype({"seat": "Int64"})


def trial_row(
    name: str, sums: TrialSums, cards: int, df: int, intervals: pd.DataFrame, unit: str
) -> dict[str, Any]:
    """A row of the frame `trial`."""
    return {
        "experiment": name,
        "plays": len(sums.games),
        "games": int(sums.games.sum()),
        "cards": cards,
        "denied": DENIED,
        "df": df,
        "half_width": float(((intervals["high"] - intervals["low"]) / 2).median()),
        "unit": unit,
    }


# ---------------------------------------------------------------------------------- the question


def _groups(setting: Setting) -> list[Group]:
    deck, cards = cards_of(setting)
    numbers = [card.number for card in cards]
    rotations, players = setting.rotations, setting.players

    def count(chunks: tuple[Chunk, ...]) -> CardCounts:
        return CardCounts.of(chunks[0], deck, numbers)

    def trial(chunks: tuple[Chunk, ...]) -> TrialSums:
        return TrialSums.of(chunks, deck.length, deck.taken, numbers)

    columns = example_columns(deck, players)

    def example(chunks: tuple[Chunk, ...]) -> BlockSums:
        return BlockSums.of(chunks, columns, rotations)

    groups = [Group(PLAIN, (Play(PLAIN),), count)]
    for name, plays, games in (
        (FORBIDDEN, forbidden_plays(setting), TRIAL_GAMES),
        (LEFT_OUT, left_out_plays(setting), DECK_GAMES),
    ):
        for first in range(0, len(plays), AT_ONCE):
            part = tuple(plays[first : first + AT_ONCE])
            groups.append(Group(_part(name, first), part, trial, games / len(plays)))
    for name in deck.examples(setting.rules.model):
        plays_ = example_plays(deck, name, players)
        groups.append(Group(_example(name), plays_, example, EXAMPLE_SHARE))
    return groups


def _part(name: str, first: int) -> str:
    return f"{name} {first // AT_ONCE + 1}"


def _example(name: str) -> str:
    return f"example {name}"


def _answer(setting: Setting, sums: Mapping[str, Any]) -> Answer:
    deck, cards = cards_of(setting)
    level, players = setting.level, setting.players
    denied, missing = seat_design(setting), deck_design(setting)
    found = {
        name: TrialSums.joined([sums[_part(name, k)] for k in range(0, plays, AT_ONCE)])
        for name, plays in ((FORBIDDEN, len(denied)), (LEFT_OUT, len(missing)))
    }
    values = cards_frame(sums[PLAIN], found[FORBIDDEN], denied, cards, setting.rotations, level)
    length = length_frame(found[LEFT_OUT], missing, cards, level)
    spent = {FORBIDDEN: denied.shape[0] + players - 1, LEFT_OUT: 1}
    cells = {FORBIDDEN: denied.shape[0] * players, LEFT_OUT: missing.shape[0]}
    frames = {
        "cards": values,
        "classes": classes_frame(found[FORBIDDEN], denied, cards, level),
        "length": length,
        "trial": pd.DataFrame(
            [
                trial_row(
                    name, found[name], len(cards), cells[name] - spent[name] - len(cards), of, unit
                )
                for name, of, unit in (
                    (FORBIDDEN, values, "win probability"),
                    (LEFT_OUT, length, length_unit(setting.game, deck)),
                )
            ]
        ),
    }
    examples = {
        name: sums[_example(name)]
        for name in deck.examples(setting.rules.model)
        if _example(name) in sums
    }
    if examples:
        frames["examples"] = examples_frame(examples, deck, players, level)
    sentences = [
        best_sentence(values, deck),
        naive_sentence(values, deck),
        classes_sentence(frames["classes"], deck),
        length_sentence(length, deck, length_unit(setting.game, deck)),
        precision_sentence(frames["trial"], deck, level),
    ]
    if examples:
        sentences.insert(3, examples_sentence(frames["examples"], deck))
    return Answer(frames, tuple(sentence for sentence in sentences if sentence))


def length_unit(game: Game, deck: Cards) -> str:
    """The unit of the game's length, as its metric has it."""
    units = [m.unit for m in game.metrics if m.table == "game" and m.value == deck.length]
    return units[0] if units else deck.length


# ---------------------------------------------------------------------------------- in words

_MOST_NAMED = 3
_WORTH = "points of win probability"


def called(name: str) -> str:
    """A card's name as people read it."""
    return name.replace("_", " ").title()


def best_sentence(cards: pd.DataFrame, deck: Cards) -> str:
    """Which cards are worth most to a seat that may have them, and which do harm."""
    good = cards[cards["low"] > 0]
    bad = cards[cards["high"] < 0].sort_values("estimate", kind="stable")
    if good.empty and bad.empty:
        top = cards.iloc[0]
        return (
            f"No {deck.kind} is shown to be worth anything by itself; the highest estimate is that "
            f"of {called(top['card'])}, {words.points(top['estimate'], top['low'], top['high'])}."
        )
    parts = []
    if not good.empty:
        named = _named(good.head(_MOST_NAMED), _WORTH)
        parts.append(
            f"{counted(len(good), deck.kind)} of {len(cards)} {_are(len(good))} shown to be worth "
            f"something to a player who may have {_them(len(good))}: most {named}"
        )
    if not bad.empty:
        named = _named(bad.head(_MOST_NAMED), "" if parts else _WORTH)
        parts.append(
            f"{counted(len(bad), deck.kind)} {_do(len(bad))} harm to players who take "
            f"{_them(len(bad))}: {named}"
        )
    return f"{'; '.join(parts)}."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _do(number: int) -> str:
    return "does" if number == 1 else "do"


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def _named(rows: pd.DataFrame, unit: str) -> str:
    parts: list[str] = []
    for row in rows.to_dict("records"):
        value = words.points(row["estimate"], row["low"], row["high"], "" if parts else unit)
        parts.append(f"{called(row['card'])} {value}".rstrip())
    return words.listed(parts)


def naive_sentence(cards: pd.DataFrame, deck: Cards) -> str:
    """Where the share of games won by who took a card says something else than the experiment."""
    known = cards[cards["per_purchase"].notna()]
    wrong = known[known["verdict"] != ""]
    if known.empty:
        return ""
    if wrong.empty:
        return (
            f"For none of {counted(len(known), deck.kind)} the share of games won by who "
            f"{deck.took} it is shown to mislead."
        )
    flatters = int((wrong["verdict"] == "flatters").sum())
    row = wrong.loc[wrong["gap"].abs().idxmax()]
    won = words.share(row["naive"], row["naive_low"], row["naive_high"])
    lift = {"estimate": row["lift"], "low": row["lift_low"], "high": row["lift_high"]}
    more = row["lift"] > 0
    adds = words.points(row["per_purchase"], row["per_purchase_low"], row["per_purchase_high"])
    return (
        f"“Won when {deck.took}” misleads for {counted(len(wrong), deck.kind)} of {len(known)}: it "
        f"flatters {flatters} and belittles {len(wrong) - flatters}. Who {deck.took} "
        f"{called(row['card'])} won {won} of the games, "
        f"{words.gain(lift if more else turned(lift))} {'more' if more else 'less'} than who did "
        f"not; the purchase itself is worth {adds}."
    )


def classes_sentence(classes: pd.DataFrame, deck: Cards) -> str:
    """In each kind of classes, where one card is worth most."""
    rows = classes[classes["seat"].isna()]
    parts = []
    for by, own in rows.groupby("by", sort=False):
        clear = own[own["low"] > 0]
        if len(own) > 1 and not clear.empty:
            best = clear.loc[clear["estimate"].idxmax()]
            value = words.points(best["estimate"], best["low"], best["high"], "")
            parts.append(f"by {by} {str(best['value']).replace('_', ' ')} {value}".rstrip())
    if not parts:
        return ""
    return (
        f"Where one {deck.kind} is worth most on average, in points of win probability a game: "
        f"{words.listed(parts)}."
    )


def examples_sentence(examples: pd.DataFrame, deck: Cards) -> str:
    """What cards are worth that lie in the row when the game begins."""
    rows = examples[(examples["what"] == "worth") & examples["seat"].isna()]
    clear = rows[(rows["low"] > 0) | (rows["high"] < 0)]
    clear = clear.sort_values("estimate", ascending=False, kind="stable")
    if clear.empty:
        return ""
    named = _named(clear.head(_MOST_NAMED), _WORTH)
    return (
        f"Dealt first, and forbidden to one seat or not, a {deck.kind} is worth to that seat: "
        f"{named}."
    )


def length_sentence(length: pd.DataFrame, deck: Cards, unit: str) -> str:
    """Which cards shorten or lengthen the game."""
    shorter, longer = length[length["high"] < 0], length[length["low"] > 0]
    if shorter.empty and longer.empty:
        return f"No {deck.kind} is shown to change the length of the game."
    parts = []
    for rows, word in ((shorter, "shortens"), (longer.iloc[::-1], "lengthens")):
        if not rows.empty:
            row = rows.iloc[0]
            estimate, ends = row["estimate"], (row["low"], row["high"])
            if estimate < 0:
                estimate, ends = -estimate, (-row["high"], -row["low"])
            parts.append(
                f"{called(row['card'])} {word} the game most, by "
                f"{words.number(estimate, *ends, unit)} ({len(rows)} of "
                f"{counted(len(length), deck.kind)} clearly do)"
            )
    return f"{words.listed(parts)}."


def precision_sentence(trial: pd.DataFrame, deck: Cards, level: float) -> str:
    """What precision the games of the trial give, and what they would have to be for half of it."""
    row = trial.iloc[0]
    half = words.points(row["half_width"])
    return (
        f"{counted(row['games'], 'game')} in {counted(row['plays'], 'play')} tell the worth of "
        "every one of "
        f"{counted(row['cards'], deck.kind)} to ±{half} ({level * 100:g}{words.SPACE}%, all at "
        "once); half of that would take four times as many."
    )


QUESTION = Question("card_value", TITLE, TEXT, _groups, _answer, least_players=2, suits=has_cards)
