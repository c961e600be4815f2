"""What the lists of Dobbers can say: card texts, checked and read.

A text is phrases with commas between them, carried out in this order: `1 influence, 1 cull`. A
phrase is a number from 1 to 15 and a word. `nothing` is a text, too. `A or B` lets the player
choose between two texts.

    influence red blue gold draw                     all that bonus, forge, heroes, tokens and
                                                     the `gives` of equipment can say
    cull recover                                     may destroy a card of the hand or the discard
                                                     pile; take a card of the discard pile
    boon burden                                      take a positive, a negative token
    discard_equipment destroy_equipment discard_card lose_influence back
    outwit                                           effects: to be played in another's turn
    add_creature add_creature_last add_equipment     solo cards and events: onto the first stack,
                                                     the one nearest to the key, one of choice
    sweep_left sweep_dear sweep_all                  solo cards and events: destroy cards of the
                                                     row, leftmost, dearest or all (1 sweep_all)
    slow                                             solo cards and events: travel numbers go up
                                                     for one round
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection
from typing import Annotated

from pydantic import AfterValidator

from sim.dobbers.state import GAINS, TEXT_OPS, TEXT_WAYS, Op
from sim.errors import choices, nearest
from sim.tomlfile import show

MOST = 15  # of anything in one phrase
NOTHING = "nothing"
NONE = "none"
SLOT_NAMES = ("weapon", "armor", "item")

Way = tuple[tuple[Op, int], ...]

GIVES = (Op.INFLUENCE, Op.RED, Op.BLUE, Op.GOLD, Op.DRAW)
ACTS = (
    *(Op.CULL, Op.RECOVER, Op.BOON, Op.BURDEN, Op.DISCARD_EQUIPMENT, Op.DESTROY_EQUIPMENT),
    *(Op.DISCARD_CARD, Op.BACK, Op.LOSE_INFLUENCE),
)
TABLE_ACTS = (
    *(Op.ADD_CREATURE, Op.ADD_CREATURE_LAST, Op.ADD_EQUIPMENT),
    *(Op.SWEEP_LEFT, Op.SWEEP_DEAR, Op.SWEEP_ALL, Op.SLOW),
)

_OR = re.compile(r"(?:^|\s+)or(?:\s+|$)")
_PHRASE = re.compile(r"([0-9]+)\s+([A-Za-z_]+(?:\s+[A-Za-z_]+)*)")
NAME = re.compile(r"[a-z][a-z0-9_]*")


def _no_phrase(phrase: str, part: str, text: str, known: Collection[str]) -> str:
    """Say why a phrase of a part of a text is none."""
    if not phrase:
        beside = "a comma" if part.strip() else "or"
        return f"a phrase is missing beside {beside} in {show(text.strip())}"
    if phrase.lower() == NOTHING:
        return f"{show(phrase)} stands alone; leave it out beside other phrases"
    if "_".join(phrase.lower().split()) in known:
        return f'{show(phrase)} has no number; write "1 {phrase}"'
    hint = nearest(phrase.lower(), [NOTHING])
    return f'{show(phrase)} is no phrase{hint}; write a number and a word: "2 red"'


@functools.lru_cache(maxsize=4096)
def _read_text(text: str, words: tuple[Op, ...], options: int) -> tuple[tuple[Way, ...], str]:
    """Return the ways of a text, and what is wrong with it ("" if nothing is)."""
    known = {op.name.lower(): op for op in words}
    ways: list[Way] = []
    wrong: list[str] = []
    for part in _OR.split(text.strip()) if text.strip() else []:
        phrases: list[tuple[Op, int]] = []
        for phrase in [] if part.strip().lower() == NOTHING else part.split(","):
            phrase = phrase.strip()
            match = _PHRASE.fullmatch(phrase)
            if match is None:
                wrong.append(_no_phrase(phrase, part, text, known))
                continue
            amount, word = int(match[1]), "_".join(match[2].lower().split())
            if word not in known:
                hint = nearest(word, known)
                wrong.append(f"unknown word {show(word)}{hint}; known words: {choices(known)}")
                continue
            op = known[word]
            most = 1 if op in (Op.SWEEP_ALL, Op.OUTWIT) else MOST
            if not 1 <= amount <= most:
                allowed = "1" if most == 1 else f"a whole number from 1 to {most}"
                wrong.append(f"{show(phrase)}: {amount} is not allowed; allowed: {allowed}")
            phrases.append((op, amount))
        if len(phrases) > TEXT_OPS:
            wrong.append(f"{len(phrases)} phrases; a text holds at most {TEXT_OPS}")
        ways.append(tuple(phrases))
    if len(ways) > options:
        how = "no choice is possible here" if options == 1 else f"at most {options} are possible"
        wrong.append(f'{len(ways)} texts with "or" between them; {how}')
    if any(op == Op.OUTWIT for way in ways for op, _ in way) and len(ways) > 1:
        wrong.append('outwit stands for the whole card and cannot be one of two texts with "or"')
    return tuple(ways), "; ".join(wrong)


@functools.lru_cache(maxsize=4096)
def read_text(text: str) -> tuple[Way, ...]:
    """Return the ways of a text that has been checked: what each does, and how much of it.

    () for a text that does nothing whatever is chosen.
    """
    ways = _read_text(text, tuple(Op), TEXT_WAYS)[0]
    return ways if any(ways) else ()


def _checker(words: tuple[Op, ...], options: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        wrong = _read_text(text, words, options)[1]
        if wrong:
            raise ValueError(wrong)
        return text

    return check


def _check_words(text: str) -> str:
    for word in text.split():
        if not NAME.fullmatch(word):
            raise ValueError(f"{show(word)} is no word; write small letters and _")
    return text


def read_gains(text: str) -> list[int]:
    """Return what a text gives, by Gain; all of it must be gains."""
    out = [0] * GAINS
    for way in read_text(text):
        for op, amount in way:
            out[op - Op.INFLUENCE] += amount
    return out


@functools.lru_cache(maxsize=4096)
def split_text(text: str) -> tuple[tuple[int, ...], tuple[Way, ...]]:
    """Return what a card gives at once, and the ways of the rest of its text.

    Drawing is the last thing that happens at once: what comes after sees the cards drawn.
    """
    ways = read_text(text)
    gain = [0] * GAINS
    if len(ways) != 1:
        return tuple(gain), ways
    way = tuple(phrase for phrase in ways[0] if phrase[0] != Op.OUTWIT)
    for done, (op, amount) in enumerate(way):
        if op not in GIVES:
            return tuple(gain), (way[done:],)
        gain[op - Op.INFLUENCE] += amount
        if op == Op.DRAW:
            rest = way[done + 1 :]
            return tuple(gain), (rest,) if rest else ()
    return tuple(gain), ()


@functools.lru_cache(maxsize=4096)
def only_gives(text: str) -> bool:
    """Say whether all that a text says is what `read_gains` reads."""
    ways = read_text(text)
    return len(ways) <= 1 and all(op in GIVES for way in ways for op, _ in way)


Gains = Annotated[str, AfterValidator(_checker(GIVES, 1))]
Effect = Annotated[str, AfterValidator(_checker((*GIVES, *ACTS, Op.OUTWIT), TEXT_WAYS))]
Text = Annotated[str, AfterValidator(_checker((*GIVES, *ACTS), TEXT_WAYS))]
TableText = Annotated[str, AfterValidator(_checker((*GIVES, *ACTS, *TABLE_ACTS), TEXT_WAYS))]
Words = Annotated[str, AfterValidator(_check_words)]
