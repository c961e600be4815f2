"""The tables of Dobbers that the kernel reads, made of its numbers.

`model.py` has what the numbers must fit and the files they are in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim import content
from sim.content import Content
from sim.dobbers.checks import (
    edges_of,
    farness,
    keywords_of,
    kind_texts,
    kinds,
    left_out,
    location_texts,
    texts_of,
)
from sim.dobbers.model import AdventureCard, Location, Rules, SoloCard, StartingCard
from sim.dobbers.state import (
    FACT_FIELD,
    FIRST_ADVENTURE,
    FIRST_EVENT,
    FIRST_SOLO,
    GAIN_BITS,
    GAINS,
    KIND_BITS,
    KIND_WORDS,
    MAX_EDGES,
    MAX_ROW,
    MAX_SEATS,
    MAX_SQUARES,
    NO_PRICE,
    PRICE_BITS,
    STARTERS,
    SUM_BITS,
    TABLES,
    Alignment,
    Fact,
    Gain,
    Hinder,
    Icon,
    Mark,
    Op,
    Scope,
    Type,
)
from sim.dobbers.words import (
    NONE,
    SLOT_NAMES,
    Way,
    read_gains,
    read_text,
    split_text,
)
from sim.errors import UserError, choices, nearest
from sim.game import Card
from sim.wording import counted

FOLDER = Path(__file__).parent

LETTERS = "ABCD"

HANDICAPS: dict[str, str] = {
    "forbid_kinds": "per seat the adventure cards it may not buy: their names",
    "forbid_alignments": "per seat the alignments it may not buy: names, or one bit for each",
    "forbid_blocking": "per seat true or false: this seat may not buy locations and creatures",
    "void_hero": "per seat true or false: this seat's hero gives what every hero gives",
    "force_hero": 'per seat the hero it has: its name ("" for a free choice), or 1 + its number',
}


def load(
    folder: Path | str | None = None, patches: Mapping[str, Any] | None = None
) -> Content[Rules]:
    """Return the checked content: of a designer's folder, or the one we ship.

    Raises UserError with all problems, see `sim.content.load`.
    """
    return content.load(Rules, FOLDER if folder is None else folder, patches)


_BIGGER = 3  # creatures that may be bigger than "one of the biggest"


def constraints(rules: Rules) -> list[str]:
    """Return what the rulebook's examples print and these rules break.

    DB-T1, DB-T6, DB-T7, DB-T9, DB-T10, DB-T12, DB-T13, and what it says of single cards. What an
    example needs and these rules do not have (its cards under other names) is not judged.
    """
    return [*_broken_points(rules), *_broken_challenges(rules), *_broken_board(rules)]


def _sum_of(rules: Rules, hero: str, *cards: str) -> list[int] | None:
    """Return what a hero and cards give together, None where one of them is not in the rules."""
    known = {**rules.starting, **rules.adventure}
    if hero not in rules.heroes or any(card not in known for card in cards):
        return None
    gains = [_base(rules), list(read_gains(rules.heroes[hero].gives))]
    gains += [list(split_text(known[card].gives)[0]) for card in cards]
    return [int(number) for number in np.sum(gains, axis=0)]


def _broken_points(rules: Rules) -> Iterator[str]:
    hand = ("silver_sword", "helpful", "strength", "bottle_cap", "bottle_cap", "bottle_cap")
    found = _sum_of(rules, "toby", *hand)
    if found is not None and found[Gain.INFLUENCE] != 6:
        yield f"Acquiring, Example A: {found[Gain.INFLUENCE]} influence, printed are 6"
    found = _sum_of(rules, "toby", "traveling_kit", "silver_sword", "iron_bark")
    if found is not None:
        points = tuple(found[gain] for gain in (Gain.BLUE, Gain.RED, Gain.GOLD))
        if points != (1, 4, 3):
            yield f"Travel: {points} blue, red and gold points of Toby, printed are (1, 4, 3)"
    both = _sum_of(rules, "toby", "helpful", "strength")
    alone = _sum_of(rules, "toby")
    if both is not None and alone is not None:
        more = sum(both[gain] - alone[gain] for gain in (Gain.RED, Gain.GOLD))
        if more != 2:
            yield f"Resolving a Challenge: Strength and Helpful give {more} points, printed are 2"


def _broken_challenges(rules: Rules) -> Iterator[str]:
    for name, location in rules.locations.items():
        if location.reduced >= location.points:
            text = f"{location.reduced} points with its item and {location.points} without"
            yield f"Location Advantage From Items: {name} asks for {text}"
    golem = rules.creatures.get("tree_golem")
    if golem is not None:
        bigger = sum(creature.points > golem.points for creature in rules.creatures.values())
        if bigger > _BIGGER:
            yield f"Resolving a Challenge: {bigger} creatures are bigger than one of the biggest"


def _broken_board(rules: Rules) -> Iterator[str]:
    places = board(rules)
    firsts = {number for start in places.starts for _, number in places.edges[start]}
    if 2 not in firsts:
        yield f"Travel, Example A: no start has the number 2 ahead, but {sorted(firsts)}"
    before = {
        number for ways in places.edges for square, number in ways if square in places.encounters
    }
    if 3 not in before:
        yield f"Resolving a Challenge: no stack has the number 3 before it, but {sorted(before)}"
    if 4 not in {number for ways in places.edges for _, number in ways}:
        yield "Token Modifiers: no travel number is 4"


# cards that the rulebook's examples or its text say something of
_EXAMPLES = (
    *("silver", "cull", "helpful", "hearty_mushroom", "rot"),
    *("silver_sword", "bow_and_arrow", "iron_bark", "traveling_cloak", "silver_shield"),
)
_PLENTY = 9  # influence that a hero can have at most: enough for any card that ships


def cards(rules: Rules) -> tuple[Card, ...]:
    """Return the adventure cards, one of each kind that the deck holds."""
    first = len(rules.starting)
    return tuple(
        Card(
            name,
            first + place,
            card.count,
            (("type", card.type), ("alignment", card.alignment), ("cost", str(card.cost))),
        )
        for place, (name, card) in enumerate(rules.adventure.items())
        if card.count
    )


def example_cards(rules: Rules) -> tuple[str, ...]:
    """Return the cards of the rulebook's examples that these rules have."""
    return tuple(name for name in _EXAMPLES if name in rules.adventure)


def rich_players(rules: Rules) -> dict[str, Any]:
    """Return changes with which every player can pay for nearly any card in every turn."""
    return {"hero.influence": _PLENTY}


def cheap_cards(rules: Rules) -> dict[str, Any]:
    """Return changes with which every adventure card costs 1 at most."""
    return {f"adventure.{name}.cost": 1 for name, card in rules.adventure.items() if card.cost > 1}


def _kind_bits(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return a bit for each kind that is named, KIND_BITS a word."""
    words = [0] * KIND_WORDS
    for name in set(wanted) - {NONE}:
        kind = names.index(name)
        words[kind // KIND_BITS] |= 1 << kind % KIND_BITS
    return words


def _bits(words: str, known: Sequence[str]) -> int:
    return sum(1 << known.index(word) for word in set(words.split()) if word in known)


def tables(rules: Rules, players: int, handicaps: Mapping[str, Any] | None = None) -> np.ndarray:
    """Return what the kernel reads: shape (1,), dtype TABLES. One player plays the solo game.

    handicaps: name (see HANDICAPS) to one value per seat, for measuring what a thing is worth.
    Raises UserError for a number of players the game does not have and for wrong handicaps.
    """
    least, most = rules.players.least, rules.players.most
    allowed = (1, *range(least, most + 1))
    if players not in allowed:
        raise UserError(f"{counted(players, 'player')}; allowed: {', '.join(map(str, allowed))}")
    out = np.zeros(1, TABLES)
    row = out[0]
    row["players"] = players
    _fill_variants(row, rules, players)
    texts = texts_of(rules)
    for ways, number in texts.items():
        row["text_ways"][number] = max(1, len(ways))
        for way, phrases in enumerate(ways):
            for index, (op, amount) in enumerate(phrases):
                row["text_op"][number, way, index] = op
                row["text_amount"][number, way, index] = amount
    _fill_cards(row, rules, texts)
    _fill_challenges(row, rules, texts)
    _fill_board(row, rules)
    _fill_names(row, rules)
    names = kinds(rules)
    for name, values in (handicaps or {}).items():
        if name not in HANDICAPS:
            raise UserError(
                f"unknown handicap {name!r}{nearest(name, HANDICAPS)}; "
                f"known handicaps: {choices(HANDICAPS)}"
            )
        listed = isinstance(values, Sequence) and not isinstance(values, str)
        if not listed or len(values) != players:
            raise UserError(
                f"handicap {name}: give one value for each of the {counted(players, 'seat')}"
            )
        for seat, value in enumerate(values):
            row[name][seat] = _handicap(name, value, rules, names)
    row["forbids"] = row["forbid_kinds"].any(axis=1) | (row["forbid_alignments"] != 0)
    return out


def _fill_variants(row: np.void, rules: Rules, players: int) -> None:
    switches, setup, solo = rules.switches, rules.setup, rules.solo
    alone, two = players == 1, players == 2
    row["solo"] = alone
    row["duel"] = switches.duel and not alone
    if two and switches.two_player_a:
        row["start_locations"] = rules.two_player.locations
    if two and switches.two_player_b:
        row["start_silver"] = 1 + kinds(rules).index(rules.two_player.replacement)
    row["start_replaced"] = kinds(rules).index(rules.two_player.replaced)
    row["tan_boxes"] = switches.tan_boxes
    row["events"] = switches.events and not alone
    if alone:
        row["removal"] = 2 if solo.removal == "cost" else 1
    row["results_first"] = switches.text_order == "results_first"
    row["results_after_defeat"] = switches.results_after_defeat
    row["points_lost"] = switches.points_lost_on_defeat
    row["play_after_reveal"] = switches.play_after_reveal
    row["capacity_with_creature"] = switches.capacity_counts_creature
    row["outwit_influence"] = ("none", "base", "all").index(switches.outwit_influence)
    row["random_start"] = switches.start_order == "random"
    row["turn_cap"] = rules.stall.turn_cap
    opening = {
        1: (setup.opening_solo,),
        2: setup.opening_two,
        3: setup.opening_three,
        4: setup.opening_four,
    }[players]
    row["opening"][:players] = opening
    row["draw"] = setup.draw
    row["row_size"] = setup.row
    row["locations_visible"] = solo.visible if alone else setup.locations_visible
    row["creatures_visible"] = solo.visible if alone else setup.creatures_visible
    row["bands"] = solo.bands
    row["plain_hero"] = _base(rules)


def _base(rules: Rules) -> list[int]:
    out = [0] * GAINS
    out[Gain.INFLUENCE] = rules.hero.influence
    out[Gain.RED] = rules.hero.red
    return out


def _fill_cards(row: np.void, rules: Rules, texts: Mapping[tuple[Way, ...], int]) -> None:
    """Fill in kinds of cards, the cards, heroes and tokens."""
    starting, adventure = list(rules.starting.values()), list(rules.adventure.values())
    solo, events = list(rules.solo_cards.values()), list(rules.events.values())
    names, keywords = kinds(rules), keywords_of(rules)
    row["kinds"] = len(names)
    for kind, (text, destroyed) in enumerate(kind_texts(rules)):
        row["text"][kind] = texts[text]
        row["destroy_text"][kind] = texts[destroyed]
    for kind, card in enumerate((*starting, *adventure)):
        row["type"][kind] = Type[card.type.upper()]
        row["cost"][kind] = card.cost if isinstance(card, AdventureCard) else 0
        row["alignment"][kind] = Alignment[card.alignment.upper()]
        row["keywords"][kind] = _bits(card.keywords, keywords)
        row["icon"][kind] = Icon[card.icon.upper()]
        row["gain"][kind] = split_text(card.gives)[0]
        row["bonus"][kind] = read_gains(card.bonus)
        row["has_bonus"][kind] = any(read_gains(card.bonus))
        row["forge"][kind] = read_gains(card.forge)
        row["can_forge"][kind] = any(read_gains(card.forge))
        row["outwits"][kind] = any(
            op == Op.OUTWIT for way in read_text(card.gives) for op, _ in way
        )
    first_solo = len(starting) + len(adventure)
    row["type"][first_solo : first_solo + len(solo)] = Type.SOLO
    first_event = first_solo + len(solo)
    for kind, event in enumerate(events, start=first_event):
        row["type"][kind] = Type.EVENT
        row["scope"][kind] = Scope[event.scope.upper()]
    row["facts"] = (
        row["type"] << Fact.TYPE
        | row["alignment"] << Fact.ALIGNMENT
        | row["has_bonus"] << Fact.BONUS
        | row["can_forge"] << Fact.FORGE
        | (row["text"] != 0) * (1 << Fact.TEXT)
        | row["outwits"] << Fact.OUTWITS
        | (row["destroy_text"] != 0) * (1 << Fact.BURNS)
        | (row["gain"][:, Gain.DRAW] != 0) * (1 << Fact.DRAWS)
    )

    def copies(cards: Sequence[StartingCard | SoloCard], kind: int) -> list[int]:
        return [kind + i for i, card in enumerate(cards) for _ in range(card.count)]

    deck = copies(starting, 0)
    for seat in range(MAX_SEATS):
        row["card_kind"][STARTERS * seat : STARTERS * seat + len(deck)] = deck
    row["starting_cards"] = len(deck)
    for field, first, cards in (
        ("adventure_cards", FIRST_ADVENTURE, copies(adventure, len(starting))),
        ("solo_cards", FIRST_SOLO, copies(solo, first_solo)),
        ("event_cards", FIRST_EVENT, [first_event + i for i in range(len(events))]),
    ):
        row["card_kind"][first : first + len(cards)] = cards
        row[field] = len(cards)
    facts = row["facts"][row["card_kind"]]
    row["card_facts"] = facts
    effects = facts >> Fact.TYPE & FACT_FIELD == Type.EFFECT
    asking = facts & (1 << Fact.TEXT | 1 << Fact.OUTWITS)
    row["marks"] = (
        ~effects * (1 << Mark.GEAR)
        | (effects & (asking == 1 << Fact.TEXT)) * (1 << Mark.ASKS)
        | (effects & (asking == 0)) * (1 << Mark.PLAIN)
    )
    packed = row["gain"][:, : Gain.DRAW] << SUM_BITS * np.arange(Gain.DRAW)
    row["card_gains"] = packed.sum(axis=1)[row["card_kind"]]
    dealt = rules.experiment.first_card
    row["first_card"] = 0 if dealt == NONE else 1 + names.index(dealt)
    row["left_out"] = _kind_bits(left_out(rules), names)

    row["heroes"] = len(rules.heroes)
    for number, hero in enumerate(rules.heroes.values()):
        row["hero_gain"][number] = np.add(_base(rules), read_gains(hero.gives))
        row["hero_alternate"][number] = read_gains(hero.alternate)
    row["token_kinds"] = len(rules.tokens)
    hinders = {
        "none": 0,
        "travel": Hinder.TRAVEL,
        "challenge": Hinder.CHALLENGE,
        "both": Hinder.TRAVEL | Hinder.CHALLENGE,
    }
    for number, token in enumerate(rules.tokens.values()):
        row["token_count"][number] = token.count
        row["token_gain"][number] = read_gains(token.gives)
        row["token_hinders"][number] = hinders[token.hinders]
        row["token_amount"][number] = token.amount
        row["hindering"] |= (token.hinders != "none") << number
    for unpacked, field in _PACKED_GAINS.items():
        row[field] = (row[unpacked] << GAIN_BITS * np.arange(GAINS)).sum(axis=1)


def _fill_challenges(row: np.void, rules: Rules, texts: Mapping[tuple[Way, ...], int]) -> None:
    row["locations"] = len(rules.locations)
    pairs = zip(rules.locations.values(), location_texts(rules), strict=True)
    for number, (location, says) in enumerate(pairs):
        row["location_cost"][number] = location.cost
        row["location_icon"][number] = Icon[location.icon.upper()]
        row["location_points"][number] = location.points
        row["location_reduced"][number] = location.reduced
        row["location_capacity"][number] = location.capacity
        for field, text in says.items():
            row[field][number] = texts[read_text(text)]
    _fill_fronts(row, rules)
    keywords = keywords_of(rules)
    row["creatures"] = len(rules.creatures)
    for number, creature in enumerate(rules.creatures.values()):
        row["creature_cost"][number] = creature.cost
        row["creature_points"][number] = creature.points
        row["creature_alignment"][number] = Alignment[creature.alignment.upper()]
        row["creature_bonus"][number] = creature.bonus
        row["creature_immune_keywords"][number] = _bits(creature.immune, keywords)
        row["creature_immune_types"][number] = _bits(creature.immune, SLOT_NAMES)


_PACKED_GAINS = {
    "gain": "gains",
    "bonus": "bonuses",
    "forge": "forges",
    "hero_gain": "hero_gains",
    "hero_alternate": "hero_alternates",
    "token_gain": "token_gains",
}


def _fill_fronts(row: np.void, rules: Rules) -> None:
    """Fill in what fronts let expect, in twelfths of a point: means over all that look alike."""
    fronts: dict[tuple[Any, ...], list[Location]] = {}
    for location in rules.locations.values():
        key = location.cost, location.icon, location.capacity
        fronts.setdefault(key, []).append(location)
    for number, location in enumerate(rules.locations.values()):
        alike = fronts[location.cost, location.icon, location.capacity]
        row["location_front"][number] = _twelfths([one.points for one in alike])
        row["location_front_reduced"][number] = _twelfths([one.reduced for one in alike])
    creatures = list(rules.creatures.values())
    for number, creature in enumerate(creatures):
        alike_points = [one.points for one in creatures if one.cost == creature.cost]
        row["creature_front"][number] = _twelfths(alike_points)
    cards = [card for card in rules.adventure.values() for _ in range(card.count)]
    for slot, name in enumerate(SLOT_NAMES):
        gains = [split_text(card.gives)[0] for card in cards if card.type == name]
        row["gear_front"][slot] = _twelfths([gain[Gain.RED] + gain[Gain.GOLD] for gain in gains])


def _twelfths(points: Sequence[int]) -> int:
    return round(12 * sum(points) / len(points)) if points else 0


def pack_numbers(row: Any) -> None:
    """Pack the travel numbers of each square as prices are; where there is no edge none is low."""
    numbers = np.full((MAX_SQUARES, MAX_ROW), NO_PRICE)
    edges = row["edge_to"] != 0
    numbers[:, :MAX_EDGES][edges] = row["edge_number"][edges]
    row["edge_numbers"] = (numbers << PRICE_BITS * np.arange(MAX_ROW)).sum(axis=1)


class Board(NamedTuple):
    """Squares by number, and for each the edges: (square, travel number), nearest to the key first.

    distance, steps: least sum of travel numbers and least number of squares to the key.
    """

    starts: list[int]
    encounters: list[int]
    key: int
    edges: list[list[tuple[int, int]]]
    distance: list[int]
    steps: list[int]


def board(rules: Rules) -> Board:
    """Return the board of rules that have been checked."""
    kinds = [square.kind for square in rules.squares.values()]
    key = kinds.index("key")
    edges = edges_of(rules)
    distance = farness(edges, key, count=False)
    steps = farness(edges, key, count=True)
    for square, ways in enumerate(edges):
        if square != key:
            best = min(ways, key=lambda way: way[1] + distance[way[0]])
            ways.remove(best)
            ways.insert(0, best)
    return Board(
        starts=[square for square, kind in enumerate(kinds) if kind == "start"],
        encounters=[square for square, kind in enumerate(kinds) if kind in ("encounter", "key")],
        key=key,
        edges=edges,
        distance=[distance[square] for square in range(len(kinds))],
        steps=[steps[square] for square in range(len(kinds))],
    )


def _fill_board(row: np.void, rules: Rules) -> None:
    places = board(rules)
    row["squares"] = len(rules.squares)
    for square, ways in enumerate(places.edges):
        for edge, (other, number) in enumerate(ways):
            row["edge_to"][square, edge] = 1 + other
            row["edge_number"][square, edge] = number
    pack_numbers(row)
    row["encounters"] = len(places.encounters)
    for encounter, square in enumerate(places.encounters):
        row["encounter"][square] = 1 + encounter
        row["encounter_square"][encounter] = square
    row["starts"] = len(places.starts)
    row["start_square"] = places.starts
    row["key_square"] = places.key
    row["distance"][: len(places.distance)] = places.distance
    row["steps"][: len(places.steps)] = places.steps
    for square, distance in enumerate(places.distance):
        for encounter, other in enumerate(places.encounters):
            row["nearer"][square] |= (places.distance[other] < distance) << encounter
        for edge, (other, _) in enumerate(places.edges[square]):
            row["onward"][square] |= (places.distance[other] < distance) << edge
    row["add_locations"] = len(rules.add_locations)
    for number, card in enumerate(rules.add_locations.values()):
        row["add_place"][number] = card.place - 1
        row["add_encounter"][number] = card.encounter - 1
        row["add_start"][number] = LETTERS.index(card.start)


def _fill_names(row: np.void, rules: Rules) -> None:
    """Fill in names as ASCII bytes, cut to what the fields hold."""
    for field, names in (
        ("kind_name", kinds(rules)),
        ("hero_name", rules.heroes),
        ("location_name", rules.locations),
        ("creature_name", rules.creatures),
        ("token_name", rules.tokens),
        ("square_name", rules.squares),
        ("keyword_name", keywords_of(rules)),
    ):
        for number, name in enumerate(names):
            size = row[field][number].nbytes
            letters = name.encode("ascii")[:size].ljust(size, b"\0")
            row[field][number] = np.frombuffer(letters, np.dtype("<i8"))


def _handicap(name: str, value: Any, rules: Rules, names: Sequence[str]) -> int | list[int]:
    """Return a handicap of one seat as the kernel reads it."""
    number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if name == "forbid_alignments" and not number:
        return _alignment_mask(name, value)
    if name == "forbid_kinds":
        return _forbidden(name, value, list(rules.adventure), names)
    if name == "force_hero":
        known = list(rules.heroes)
        if isinstance(value, str):
            if value in ("", NONE):
                return 0
            if value not in known:
                raise UserError(f"handicap {name}: unknown hero {value!r}{nearest(value, known)}")
            return 1 + known.index(value)
        allowed = f"a name, or a whole number from 0 to {len(known)}"
        if not number or not 0 <= value <= len(known):
            raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: {allowed}")
        return int(value)
    high = (1 << len(Alignment)) - 1 if name == "forbid_alignments" else 1
    allowed = "names of alignments, or one bit for each" if high > 1 else "true, false"
    if value not in range(high + 1):
        raise UserError(f"handicap {name}: {value!r} is not allowed; allowed: {allowed}")
    return int(value)


def _forbidden(name: str, value: Any, cards: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return one bit for each adventure card that is named."""
    if isinstance(value, str):
        value = value.split()
    if not isinstance(value, Sequence):
        raise UserError(f"handicap {name}: {value!r} is no list of cards")
    for card in value:
        if card not in (*cards, NONE):
            raise UserError(f"handicap {name}: unknown card {card!r}{nearest(str(card), cards)}")
    return _kind_bits(value, names)


def _alignment_mask(name: str, value: Any) -> int:
    """Return one bit for each alignment that is named."""
    known = [alignment.name.lower() for alignment in Alignment]
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, Sequence):
        text = f"{value!r} is no list; known alignments: {choices(known)}"
        raise UserError(f"handicap {name}: {text}")
    mask = 0
    for word in words:
        if word not in known:
            hint = f"{nearest(word, known)}; known alignments: {choices(known)}"
            raise UserError(f"handicap {name}: unknown alignment {word!r}{hint}")
        mask |= 1 << known.index(word)
    return mask
