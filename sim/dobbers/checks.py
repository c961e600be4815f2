"""Combinations of numbers that no game of Dobbers can be played with.

Each function yields (keys involved, what is wrong), as `sim.content.Model.problems` does. What the
tables need as well, the numbers of kinds and texts and the ways of the board, is here, too.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sim.dobbers.state import (
    KEYWORDS,
    MAX_ADVENTURE,
    MAX_CREATURES,
    MAX_EDGES,
    MAX_ENCOUNTERS,
    MAX_HEROES,
    MAX_KINDS,
    MAX_LOCATIONS,
    MAX_SEATS,
    MAX_SPECIAL,
    MAX_SQUARES,
    MAX_TEXTS,
    MAX_TOKENS,
    STARTERS,
)
from sim.dobbers.words import (
    NAME,
    NONE,
    NOTHING,
    SLOT_NAMES,
    Way,
    read_text,
    split_text,
)
from sim.errors import choices, nearest
from sim.tomlfile import show

if TYPE_CHECKING:
    from sim.dobbers.model import EventCard, Rules, SoloCard

Found = Iterator[tuple[tuple[str, ...], str]]  # what `Model.problems` yields


def sizes(rules: Rules) -> Found:
    """More of something than the kernel holds, or less than a game needs."""
    sums = {
        "starting": (sum(card.count for card in rules.starting.values()), 1, STARTERS),
        "adventure": (sum(card.count for card in rules.adventure.values()), 1, MAX_ADVENTURE),
        "solo_cards": (sum(card.count for card in rules.solo_cards.values()), 0, MAX_SPECIAL),
        "events": (len(rules.events), 0, MAX_SPECIAL),
        "heroes": (len(rules.heroes), rules.players.most, MAX_HEROES),
        "locations": (len(rules.locations), 0, MAX_LOCATIONS),
        "creatures": (len(rules.creatures), 0, MAX_CREATURES),
        "tokens": (len(rules.tokens), 0, MAX_TOKENS),
        "add_locations": (len(rules.add_locations), 0, MAX_ENCOUNTERS),
    }
    what = {"tokens": "kinds of tokens", "starting": "cards in each starting deck"}
    for key, (size, least, most) in sums.items():
        if not least <= size <= most:
            words = what.get(key, "cards" if "card" in key or key == "adventure" else key)
            words = words.replace("_", " ")
            yield (key,), f"{size} {words}; allowed: {least} to {most}"
    count = len(kinds(rules))
    if count > MAX_KINDS:
        yield ("adventure",), f"{count} kinds of cards in all lists; at most {MAX_KINDS} fit"
    texts = len(texts_of(rules))
    if texts > MAX_TEXTS:
        yield ("adventure",), f"{texts} different texts in all lists; at most {MAX_TEXTS} fit"
    if rules.two_player.locations > len(rules.add_locations):
        text = f"{rules.two_player.locations} of {len(rules.add_locations)} Add Location cards"
        yield ("two_player.locations", "add_locations"), text
    silver = rules.adventure.get(rules.two_player.replacement)
    if rules.switches.two_player_b and silver is not None and silver.count < 2:
        name = rules.two_player.replacement
        text = f"{silver.count} {name}, of which each of two players gets one; allowed: 2 or more"
        yield (f"adventure.{name}.count", "switches.two_player_b"), text


def kinds(rules: Rules) -> list[str]:
    """Return the names of the kinds of cards by their numbers.

    Starting cards, adventure cards, solo cards, events, each in the order of their list.
    """
    return [*rules.starting, *rules.adventure, *rules.solo_cards, *rules.events]


def _item_text(usual: str, text: str) -> str:
    return text if text.strip() else usual


def location_texts(rules: Rules) -> list[dict[str, str]]:
    """Return the texts of each location, by the name of their field in the tables."""
    return [
        {
            "location_victory": location.victory,
            "location_results": location.results,
            "location_tan": location.tan,
            "location_defeat": location.defeat,
            "location_item_results": _item_text(location.results, location.item_results),
            "location_item_defeat": _item_text(location.defeat, location.item_defeat),
        }
        for location in rules.locations.values()
    ]


def kind_texts(rules: Rules) -> list[tuple[tuple[Way, ...], tuple[Way, ...]]]:
    """Return for each kind of card what comes after its gains, and its destroy ability."""
    cards = (*rules.starting.values(), *rules.adventure.values())
    specials: tuple[SoloCard | EventCard, ...] = (
        *rules.solo_cards.values(),
        *rules.events.values(),
    )
    return [
        *((split_text(card.gives)[1], read_text(card.destroy)) for card in cards),
        *((read_text(special.text), ()) for special in specials),
    ]


def texts_of(rules: Rules) -> dict[tuple[Way, ...], int]:
    """Return the number of each text that some card has; 0 is the empty one."""
    texts: dict[tuple[Way, ...], int] = {(): 0}
    for pair in kind_texts(rules):
        for ways in pair:
            texts.setdefault(ways, len(texts))
    for row in location_texts(rules):
        for text in row.values():
            texts.setdefault(read_text(text), len(texts))
    return texts


@functools.lru_cache(maxsize=4096)
def _is_name(name: str) -> bool:
    return NAME.fullmatch(name) is not None and name not in (NONE, NOTHING)


def names(rules: Rules) -> Found:
    """Names that cannot be keys, and names of two cards."""
    lists = (
        *("starting", "adventure", "solo_cards", "events"),
        *("heroes", "locations", "creatures", "tokens", "add_locations", "squares", "paths"),
    )
    cards: dict[str, str] = {}
    for group in lists:
        for name in getattr(rules, group):
            if not _is_name(name):
                text = f"{show(name)} is no name; write small letters, digits and _: silver_sword"
                yield (f"{group}.{name}",), text
            elif group in lists[:4]:
                if name in cards:
                    yield (f"{group}.{name}",), f"{name} is a card of {cards[name]}, too"
                cards.setdefault(name, group)


def keywords_of(rules: Rules) -> list[str]:
    """Return the keywords of all cards, in the order of the lists."""
    cards = (*rules.starting.values(), *rules.adventure.values())
    return list(dict.fromkeys(word for card in cards for word in card.keywords.split()))


def immunities(rules: Rules) -> Found:
    """Keywords."""
    known = keywords_of(rules)
    if len(known) > KEYWORDS:
        yield ("adventure",), f"{len(known)} different keywords; at most {KEYWORDS} fit"
    for name, creature in rules.creatures.items():
        for word in creature.immune.split():
            if word not in known and word not in SLOT_NAMES:
                names = (*known, *SLOT_NAMES)
                text = f"unknown keyword {show(word)}{nearest(word, names)}"
                yield (f"creatures.{name}.immune",), f"{text}; known: {choices(names)}"


def left_out(rules: Rules) -> list[str]:
    """Return the adventure cards that an experiment leaves out."""
    return rules.experiment.left_out.split()


def named_cards(rules: Rules) -> Found:
    """Cards that are named outside their list."""
    adventure, starting = rules.adventure, rules.starting
    cards = (NONE, *adventure)
    named: list[tuple[str, str, Sequence[str]]] = [
        ("two_player.replaced", rules.two_player.replaced, tuple(starting)),
        ("two_player.replacement", rules.two_player.replacement, tuple(adventure)),
        ("experiment.first_card", rules.experiment.first_card, cards),
        *(("experiment.left_out", name, cards) for name in left_out(rules) or [""]),
    ]
    for key, name, known in named:
        if name not in known:
            text = f"unknown card {show(name)}{nearest(name, known)}"
            yield (key,), f"{text}; known cards: {choices(known)}"
    if rules.two_player.replaced in starting and not starting[rules.two_player.replaced].count:
        text = f"no {rules.two_player.replaced} in a starting deck"
        yield ("two_player.replaced", f"starting.{rules.two_player.replaced}.count"), text


def farness(edges: list[list[tuple[int, int]]], key: int, *, count: bool) -> dict[int, int]:
    """Return the distance of each square from which the key can be reached (Dijkstra)."""
    found: dict[int, int] = {}
    heap = [(0, key)]
    while heap:
        far, square = heapq.heappop(heap)
        if square in found:
            continue
        found[square] = far
        for other, number in edges[square]:
            if other not in found:
                heapq.heappush(heap, (far + (1 if count else number), other))
    return found


def edges_of(rules: Rules) -> list[list[tuple[int, int]]]:
    """Return for each square the edges: (square, travel number), in the order of the paths."""
    numbers = {name: number for number, name in enumerate(rules.squares)}
    edges: list[list[tuple[int, int]]] = [[] for _ in numbers]
    for path in rules.paths.values():
        if path.one in numbers and path.other in numbers and path.one != path.other:
            edges[numbers[path.one]].append((numbers[path.other], path.number))
            edges[numbers[path.other]].append((numbers[path.one], path.number))
    return edges


def board_problems(rules: Rules) -> Found:
    """Squares, paths, and Add Location cards."""
    squares = list(rules.squares)
    kinds = [square.kind for square in rules.squares.values()]
    if len(squares) > MAX_SQUARES:
        yield ("squares",), f"{len(squares)} squares; at most {MAX_SQUARES} fit"
    starts = kinds.count("start")
    if starts != MAX_SEATS:
        yield ("squares",), f"{starts} starts; a board has {MAX_SEATS}"
    encounters = kinds.count("encounter") + kinds.count("key")
    if encounters > MAX_ENCOUNTERS:
        yield ("squares",), f"{encounters} encounter squares; at most {MAX_ENCOUNTERS} fit"
    keys = [name for name, kind in zip(squares, kinds, strict=True) if kind == "key"]
    if not keys:
        yield ("squares",), "no square is the key; one square must have the kind key"
    for name in keys[1:]:
        yield (f"squares.{name}.kind",), f"a second key; the first one is {keys[0]}"
    if keys and "encounter" in kinds[kinds.index("key") :]:
        text = "an encounter stands below the key in the list; the key has the highest number"
        yield (f"squares.{keys[0]}.kind",), text

    broken = False
    seen: dict[frozenset[str], str] = {}
    for name, path in rules.paths.items():
        ends = frozenset((path.one, path.other))
        for column, square in (("from", path.one), ("to", path.other)):
            if square not in rules.squares:
                broken = True
                text = f"unknown square {show(square)}{nearest(square, squares)}"
                yield (f"paths.{name}.{column}",), f"{text}; known squares: {choices(squares)}"
        if path.one == path.other:
            broken = True
            yield (f"paths.{name}.to",), f"a path from {path.one} to itself"
        elif ends in seen:
            broken = True
            text = f"{path.one} and {path.other} are joined by {seen[ends]} already"
            yield (f"paths.{name}.to",), text
        seen.setdefault(ends, name)
    edges = edges_of(rules)
    for name, ways in zip(squares, edges, strict=True):
        if len(ways) > MAX_EDGES:
            yield (f"squares.{name}.kind",), f"{len(ways)} paths meet here; at most {MAX_EDGES} can"
    if len(keys) == 1 and not broken:
        joined = farness(edges, squares.index(keys[0]), count=True)
        lost = [name for number, name in enumerate(squares) if number not in joined]
        if lost:
            text = f"no way leads from here to the key {keys[0]}"
            more = f"; nor from {choices(lost[1:])}" if lost[1:] else ""
            yield (f"squares.{lost[0]}.kind",), text + more

    taken: dict[int, str] = {}
    for name, card in rules.add_locations.items():
        if card.encounter > encounters:
            text = (
                f"{card.encounter} is not allowed; allowed: a whole number from 1 to {encounters}"
            )
            yield (f"add_locations.{name}.encounter",), text
        elif card.encounter in taken:
            text = f"{taken[card.encounter]} puts a location on this square already"
            yield (f"add_locations.{name}.encounter",), text
        taken.setdefault(card.encounter, name)
        if card.place > rules.solo.visible:
            text = f"place {card.place} of a row of {rules.solo.visible}"
            yield (f"add_locations.{name}.place", "solo.visible"), text
