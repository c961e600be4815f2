"""What the lists of Near and Far can say: small texts, checked and read.

Texts are phrases of a number and a word with commas between them: `2 coins, 1 reputation`.

    symbols   skill combat search caution movement heart, from 1 to 9; cards have no
              search, which counts for members of the active party only
    rewards   food coin gem reputation point treasure magic heart, and tokens of factions:
              outlaws mystics lizardfolk nomads; from 1 to 15, reputation from -9
    tokens    outlaws mystics lizardfolk nomads
    then      `gain` a keyword, `lose` one (everybody who has it), `read` a paragraph
    start     `sun` or `moon` and how many play, with semicolons between: `sun 2; moon 3-4`
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import AfterValidator

from sim.errors import choices, nearest
from sim.near_and_far.state import BUILDINGS, Faction, Place, Reward, Symbol
from sim.tomlfile import show

NONE = "none"
BASE = "base"  # not of any module
MOST_SYMBOLS = 9  # of a kind on one card; sums of them stay within a byte
MOST_REWARD = 15
LEAST_REPUTATION = -9

_PHRASE = re.compile(r"([+-]?[0-9]+)\s+([A-Za-z_]+(?:\s+[A-Za-z_]+)*)")
NAME = re.compile(r"[a-z][a-z0-9_]*")

FACTION_NAMES = tuple(faction.name.lower() for faction in Faction if faction)
RESOURCE_NAMES = ("peppers", "machine_parts", "ichor_stone", "tea_leaves")
BUILDING_NAMES = tuple(Place(place).name.lower() for place in range(1, BUILDINGS))

_MEMBER_WORDS = {
    "skill": Symbol.SKILL,
    "combat": Symbol.COMBAT,
    "search": Symbol.SEARCH,
    "caution": Symbol.CAUTION,
    "movement": Symbol.MOVEMENT,
}
_CARD_WORDS = {
    "skill": Symbol.SKILL,
    "combat": Symbol.COMBAT,
    "caution": Symbol.CAUTION,
    "movement": Symbol.MOVEMENT,
    "heart": Symbol.HEARTS,
}
_TOKEN_WORDS = {name: Faction[name.upper()] for name in FACTION_NAMES}
_REWARD_WORDS = {
    "food": Reward.FOOD,
    "coin": Reward.COIN,
    "gem": Reward.GEM,
    **{name: Reward[name.upper()] for name in FACTION_NAMES},
    "reputation": Reward.REPUTATION,
    "point": Reward.JOURNEY,
    "treasure": Reward.TREASURE,
    "magic": Reward.MAGIC,
    "heart": Reward.HEARTS,
}
_PLURAL = {f"{word}s": word for word in ("heart", "coin", "gem", "point", "treasure")}


@functools.lru_cache(maxsize=4096)
def _read_text(
    text: str, words: tuple[tuple[str, int], ...], most: int, least_reputation: int
) -> tuple[dict[int, int], str]:
    """Return how much of each thing a text says, and what is wrong with it ("" if nothing is).

    words: (word, number of the thing). least_reputation: below 0 where reputation can be lost.
    """
    known = dict(words)
    found: dict[int, int] = {}
    wrong: list[str] = []
    for phrase in text.split(",") if text.strip() else []:
        phrase = phrase.strip()
        match = _PHRASE.fullmatch(phrase)
        if match is None:
            example = next(iter(known))
            wrong.append(f'{show(phrase)} is no phrase; write a number and a word: "2 {example}"')
            continue
        amount = int(match[1])
        word = "_".join(match[2].lower().split())
        word = _PLURAL.get(word, word)
        if word not in known:
            hint = nearest(word, known)
            wrong.append(f"unknown word {show(word)}{hint}; known words: {choices(known)}")
            continue
        least = least_reputation if word == "reputation" else 1
        if not least <= amount <= most or amount == 0:
            but = ", but not 0" if least < 0 else ""
            allowed = f"a whole number from {least} to {most}{but}"
            wrong.append(f"{show(phrase)}: {amount} is not allowed; allowed: {allowed}")
        elif known[word] in found:
            wrong.append(f"{word} stands twice")
        else:
            found[known[word]] = amount
    return found, "; ".join(wrong)


Words = Mapping[str, int]


def _reader(
    words: Words, most: int, least_reputation: int = 1
) -> tuple[Callable[[str], str], Callable[[str], dict[int, int]]]:
    """Return the check of a kind of text, and what reads a text that passed it."""
    known = tuple((word, int(number)) for word, number in words.items())

    def check(text: str) -> str:
        wrong = _read_text(text, known, most, least_reputation)[1]
        if wrong:
            raise ValueError(wrong)
        return text

    def read(text: str) -> dict[int, int]:
        return dict(_read_text(text, known, most, least_reputation)[0])

    return check, read


_check_member, member_symbols = _reader(_MEMBER_WORDS, MOST_SYMBOLS)
_check_card, card_symbols = _reader(_CARD_WORDS, MOST_SYMBOLS)
_check_tokens, read_tokens = _reader(_TOKEN_WORDS, MOST_SYMBOLS)
_check_reward, read_reward = _reader(_REWARD_WORDS, MOST_REWARD, LEAST_REPUTATION)

THEN = ("gain", "lose", "read")


@functools.lru_cache(maxsize=4096)
def read_then(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return (verb, name) for each phrase of a `then` text, and what is wrong with it."""
    found: list[tuple[str, str]] = []
    wrong: list[str] = []
    for phrase in text.split(",") if text.strip() else []:
        parts = phrase.split()
        if len(parts) != 2:
            how = 'write a verb and a name: "gain turtle"'
            wrong.append(f"{show(phrase.strip())} is no phrase; {how}")
        elif parts[0] not in THEN:
            hint = nearest(parts[0], THEN)
            wrong.append(f"unknown word {show(parts[0])}{hint}; known words: {choices(THEN)}")
        else:
            found.append((parts[0], parts[1]))
    return tuple(found), "; ".join(wrong)


def _check_then(text: str) -> str:
    wrong = read_then(text)[1]
    if wrong:
        raise ValueError(wrong)
    return text


def _check_names(text: str) -> str:
    for word in text.split():
        if not NAME.fullmatch(word):
            raise ValueError(f"{show(word)} is no name; write small letters, digits and _")
    return text


_ROAD_WORDS = ("threat", "treasure")


def _check_road(text: str) -> str:
    words = text.split()
    for word in words:
        if word not in _ROAD_WORDS:
            hint = nearest(word, _ROAD_WORDS)
            raise ValueError(
                f"unknown word {show(word)}{hint}; known words: {choices(_ROAD_WORDS)}"
            )
        if words.count(word) > 1:
            raise ValueError(f"{word} stands twice; a path has one of each at most")
    return text


DIFFICULTIES = ("sun", "moon")
_START = re.compile(r"([a-z]+) ([2-4])(?:-([2-4]))?")


@functools.lru_cache(maxsize=256)
def read_start(text: str) -> tuple[tuple[tuple[str, int], ...], str]:
    """Return (difficulty, players) that a start is for, and what is wrong with the text."""
    found: list[tuple[str, int]] = []
    wrong: list[str] = []
    for phrase in text.split(";") if text.strip() else []:
        match = _START.fullmatch(" ".join(phrase.split()))
        if match is None:
            how = 'write a difficulty and how many play, 2 to 4: "sun 2", "moon 3-4"'
            wrong.append(f"{show(phrase.strip())} is no phrase; {how}")
        elif match[1] not in DIFFICULTIES:
            hint = nearest(match[1], DIFFICULTIES)
            wrong.append(
                f"unknown word {show(match[1])}{hint}; known words: {choices(DIFFICULTIES)}"
            )
        else:
            first, last = int(match[2]), int(match[3] or match[2])
            if first > last:
                wrong.append(f"{show(phrase.strip())} is for nobody; write {last}-{first}")
            found += [(match[1], players) for players in range(first, last + 1)]
    return tuple(found), "; ".join(wrong)


def _check_start(text: str) -> str:
    wrong = read_start(text)[1]
    if wrong:
        raise ValueError(wrong)
    return text


MemberSymbols = Annotated[str, AfterValidator(_check_member)]
CardSymbols = Annotated[str, AfterValidator(_check_card)]
Tokens = Annotated[str, AfterValidator(_check_tokens)]
RewardText = Annotated[str, AfterValidator(_check_reward)]
ThenText = Annotated[str, AfterValidator(_check_then)]
Names = Annotated[str, AfterValidator(_check_names)]
RoadText = Annotated[str, AfterValidator(_check_road)]
StartText = Annotated[str, AfterValidator(_check_start)]
