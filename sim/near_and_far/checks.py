"""Combinations of numbers that no game of Near and Far can be played with.

Each function yields (keys involved, what is wrong), as `sim.content.Model.problems` does. What the
tables need as well, which spaces a map has and what a scenario changes, is here, too.
"""

from __future__ import annotations

import functools
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sim.decks import MAX_CARDS
from sim.errors import choices, nearest
from sim.near_and_far.state import (
    COMPANIONS,
    DIE_SIDES,
    FIRST_COMPANION,
    KEYWORDS,
    MAX_AREAS,
    MAX_ARTIFACTS,
    MAX_BOSSES,
    MAX_DEGREE,
    MAX_MINE_CARDS,
    MAX_MINIONS,
    MAX_ROADS,
    MAX_SPACES,
    MAX_THREATS,
    MAX_TIME,
    MAX_TREASURES,
)
from sim.near_and_far.words import (
    BASE,
    NAME,
    NONE,
    RESOURCE_NAMES,
    read_start,
    read_then,
)
from sim.tomlfile import show
from sim.wording import counted

if TYPE_CHECKING:
    from sim.near_and_far.model import (
        Keyword,
        MapSheet,
        MineArea,
        Paragraph,
        PathSheet,
        Quest,
        Rules,
        Scenario,
        Space,
        TimeSpace,
    )

NEEDS: dict[str, tuple[str, ...]] = {
    "new_threats": (),
    "amber_mines": (),
    "magic": ("amber_mines",),
    "new_general_store": (),
    "miners": ("amber_mines",),
    "magic_teachers": ("magic",),
    "expert_dice": (),
    "amber_treasures": ("amber_mines", "magic"),
    "amber_artifacts": ("amber_mines", "magic"),
    "numbat": (),
    "coop": ("amber_mines",),
    "minions": ("coop",),
}
TOGETHER = ("coop", "minions")  # with them the players are a team
ONE_EACH = ("remove_camp", "discard_treasure", "discard_artifact", "remove_threat")


def missing_modules(on: Collection[str]) -> list[tuple[str, str]]:
    """Return (module, a module it needs and that is not in play) for each that is missing.

    on: modules in play, of those in NEEDS. Every module needs the new threats (A-25).
    """
    missing = []
    for module in NEEDS:
        if module in on:
            needs = [*NEEDS[module], *(["new_threats"] if module != "new_threats" else [])]
            missing += [(module, need) for need in needs if need not in on]
    return missing


Found = Iterator[tuple[tuple[str, ...], str]]  # what `Model.problems` yields
Part = TypeVar("Part")


def _once(function: Callable[..., tuple[Part, ...]]) -> Callable[..., tuple[Part, ...]]:
    """Keep the results for the tables seen last, which are frozen and told apart by identity.

    Files are checked with each bound of each number in place, and nearly all of those leave maps
    and stories as they were.
    """
    kept: deque[tuple[tuple[Any, ...], tuple[Part, ...]]] = deque(maxlen=4)

    @functools.wraps(function)
    def wrapper(*tables: Any) -> tuple[Part, ...]:
        for known, result in kept:
            if all(a is b for a, b in zip(known, tables, strict=True)):
                return result
        result = function(*tables)
        kept.append((tables, result))
        return result

    return wrapper


Problems = tuple[tuple[tuple[str, ...], str], ...]


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """Say that a name is not known, what is near it, and what is known."""
    return f"unknown {what} {show(name)}{nearest(name, known)}; known: {choices(known)}"


def switch_problems(rules: Rules) -> Found:
    """Switches and modules that do not go together."""
    switches, modules = rules.switches, rules.modules
    if switches.map not in rules.maps:
        yield ("switches.map",), unknown("map", switches.map, rules.maps)
    if switches.scenario != NONE:
        if switches.scenario not in rules.scenarios:
            text = unknown("scenario", switches.scenario, [NONE, *rules.scenarios])
            yield ("switches.scenario",), text
        elif rules.scenarios[switches.scenario].map != switches.map:
            needed = rules.scenarios[switches.scenario].map
            text = f"{switches.scenario} is played on the map {needed}"
            yield ("switches.scenario", "switches.map"), f'{text}; set switches.map = "{needed}"'
    if not switches.threats_free:
        for module, missing in missing_modules(modules.on()):
            if missing == "new_threats":
                text = (
                    f"{module} needs {missing}, which is not in play; set modules.{missing} = "
                    "true, or switches.threats_free = true to play without"
                )
                yield (f"modules.{module}", f"modules.{missing}"), text
    faces = len(rules.expert_die.faces())
    if faces != rules.dice.sides or faces > DIE_SIDES:
        text = f"{faces} faces of an expert die, {rules.dice.sides} of an ordinary one"
        yield ("expert_die.numbers", "dice.sides"), f"{text}; at most {DIE_SIDES} fit"
    setup = rules.setup
    if setup.advanced_kept > setup.advanced_dealt:
        text = f"{setup.advanced_kept} of {setup.advanced_dealt} advanced artifacts are kept"
        yield ("setup.advanced_kept", "setup.advanced_dealt"), text


def sizes(rules: Rules) -> Found:
    """More of something than the kernel holds, or less than a game needs."""
    most, setup = rules.players.most, rules.setup
    decks: list[str] = [card.deck for card in rules.artifacts.values() if card.supply == BASE]
    counts = {
        "adventurers": (len(rules.adventurers), setup.track, FIRST_COMPANION),
        "companions": (len(rules.companions), 1, COMPANIONS),
        "artifacts": (len(rules.artifacts), 1, MAX_ARTIFACTS),
        "treasures": (len(rules.treasures), 1, MAX_TREASURES),
        "mine_areas": (len(rules.mine_areas), 1, MAX_AREAS),
        "mine_cards": (len(rules.mine_cards), 2, MAX_MINE_CARDS),
        "time_track": (len(rules.time_track), 2, MAX_TIME),
        "bosses": (len(rules.bosses), 1, MAX_BOSSES),
        "minions": (len(rules.minions), 1, MAX_MINIONS),
    }
    for key, (size, least, limit) in counts.items():
        if not least <= size <= limit:
            words = "spaces" if key == "time_track" else key.replace("_", " ")
            yield (key,), f"{size} {words}; allowed: {least} to {limit}"
    team = rules.together
    for key, deck, dealt in (
        ("setup.basic_dealt", "basic", setup.basic_dealt),
        ("setup.advanced_dealt", "advanced", setup.advanced_dealt),
        ("together.basic_dealt", "basic", team.basic_dealt),
        ("together.advanced_dealt", "advanced", team.advanced_dealt),
    ):
        if decks.count(deck) < most * dealt:
            text = (
                f"{counted(decks.count(deck), f'{deck} artifact')} without modules; "
                f"{counted(most, 'player')} {'is' if most == 1 else 'are'} dealt"
            )
            yield ("artifacts", key), f"{text} {dealt} each"
    base = sum(kind.count for kind in rules.companions.values() if kind.supply == BASE)
    if base < most:
        yield (
            ("companions",),
            f"{counted(base, 'companion')} for everybody; there are up to "
            f"{counted(most, 'player')}",
        )
    for stack in ("base", "new"):
        size = sum(threat.stack == stack for threat in rules.threats.values())
        if not 1 <= size <= MAX_THREATS:
            yield ("threats",), f"{size} threats of the {stack} stack; allowed: 1 to {MAX_THREATS}"
    spells = sum(cards.copies for cards in rules.spells.values())
    if spells > MAX_CARDS:
        yield ("spells",), f"{spells} spell cards; at most {MAX_CARDS} fit"


_LISTS = (
    *("adventurers", "companions", "chiefs", "artifacts", "treasures", "threats"),
    *(
        "mine_areas",
        "mine_cards",
        "maps",
        "spaces",
        "paths",
        "quests",
        "paragraphs",
        "scenarios",
        "keywords",
        "time_track",
        "bosses",
        "minions",
    ),
)


def names(rules: Rules) -> Found:
    """Names that cannot be keys, and stories whose name is taken."""
    for group in _LISTS:
        for name in _bad_names(tuple(getattr(rules, group))):
            text = f"{show(name)} is no name; write small letters, digits and _: old_lamp"
            yield (f"{group}.{name}",), text
    for name in rules.artifacts:
        if name in rules.adventurers:
            yield (f"artifacts.{name}",), f"{name} is an adventurer, too"
    for name in rules.scenarios:
        if name in rules.maps:
            yield (f"scenarios.{name}",), f"{name} is a map, too"


def supply_of(rules: Rules) -> dict[str, str]:
    """Return the supply of each artifact and adventurer: base, or the module it belongs to."""
    artifacts: dict[str, str] = {name: card.supply for name, card in rules.artifacts.items()}
    return artifacts | {name: member.supply for name, member in rules.adventurers.items()}


def left_out(rules: Rules) -> frozenset[str]:
    """Return the artifacts and adventurers that an experiment leaves out."""
    return frozenset(rules.experiment.left_out.split()) - {NONE}


def in_play(rules: Rules, supply: str) -> bool:
    """Say whether the cards of a supply are in the game."""
    return supply == BASE or getattr(rules.modules, supply)


def experiment_problems(rules: Rules) -> Found:
    """Cards of experiments that are not known, or not there."""
    first, out = rules.experiment.first_card, rules.experiment.left_out.split()
    if first == NONE and out == [NONE]:
        return  # a game as usual: files are checked with each bound of each number in place
    supply = supply_of(rules)
    known = (NONE, *supply)
    for key, name in (("first_card", first), *(("left_out", name) for name in out or [""])):
        if name not in known:
            yield (f"experiment.{key}",), unknown("card", name, known)
    if first in supply:
        if not in_play(rules, supply[first]):
            text = f"{first} is in the game only with modules.{supply[first]} = true"
            yield ("experiment.first_card", f"modules.{supply[first]}"), text
        if first in out:
            text = f"{first} is dealt first and left out"
            yield ("experiment.first_card", "experiment.left_out"), text


@functools.lru_cache(maxsize=256)
def _bad_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if not NAME.fullmatch(name) or name == NONE)


def mine_problems(rules: Rules) -> Found:
    """Areas of the old mine, and the entrance of the new one."""
    yield from _area_problems(rules.mine_areas)
    name, card = next(iter(rules.mine_cards.items()), ("", None))
    if card is not None and (card.check != NONE or card.reward or card.amber):
        text = "the first card of the list is the entrance: no check, no amber, no reward"
        yield (f"mine_cards.{name}.check", f"mine_cards.{name}.reward"), text


@_once
def _area_problems(areas: Mapping[str, MineArea]) -> Problems:
    return tuple(_lost_areas(areas))


def _lost_areas(areas: Mapping[str, MineArea]) -> Found:
    """Areas that are not known, or that no camp can get to."""
    for name, area in areas.items():
        for other in area.next_to.split():
            if other not in areas:
                yield (f"mine_areas.{name}.next_to",), unknown("area", other, areas)
            elif other == name:
                yield (f"mine_areas.{name}.next_to",), "an area next to itself"
    beside = adjacent(areas)
    starts = [number for number, area in enumerate(areas.values()) if area.start]
    if areas and not starts:
        yield ("mine_areas",), "no area is a start; one must have start = true"
    elif areas:
        reached = {number for start in starts for number in steps_from(beside, start)}
        for number, name in enumerate(areas):
            if number not in reached:
                text = "no row of neighbours leads from a start to this area"
                yield (f"mine_areas.{name}.next_to",), text


def adjacent(areas: Mapping[str, MineArea]) -> list[list[int]]:
    """Return the areas next to each area; being next to each other goes both ways."""
    numbers = {name: number for number, name in enumerate(areas)}
    beside: list[set[int]] = [set() for _ in numbers]
    for name, area in areas.items():
        for other in area.next_to.split():
            if other in numbers and other != name:
                beside[numbers[name]].add(numbers[other])
                beside[numbers[other]].add(numbers[name])
    return [sorted(others) for others in beside]


# --- maps ----------------------------------------------------------------------------------------


def spaces_of(rules: Rules, name: str) -> list[str]:
    """Return the spaces of a map in the order of their list, which numbers them."""
    return [space for space, row in rules.spaces.items() if row.map == name]


def paths_of(rules: Rules, name: str) -> list[PathSheet]:
    """Return the paths of a map in the order of their list, which numbers them."""
    inside = set(spaces_of(rules, name))
    return [path for path in rules.paths.values() if path.one in inside]


def steps_from(neighbours: Sequence[Collection[int]], start: int) -> dict[int, int]:
    """Return the steps from a space to each that can be reached."""
    found = {start: 0}
    todo = deque([start])
    while todo:
        space = todo.popleft()
        for other in neighbours[space]:
            if other not in found:
                found[other] = found[space] + 1
                todo.append(other)
    return found


def map_problems(rules: Rules) -> Problems:
    """Maps, paths, and what scenarios change on them."""
    return _graph_problems(rules.maps, rules.spaces, rules.paths, rules.scenarios)


@_once
def _graph_problems(
    maps: Mapping[str, MapSheet],
    spaces: Mapping[str, Space],
    paths: Mapping[str, PathSheet],
    scenarios: Mapping[str, Scenario],
) -> Problems:
    """Maps, their spaces and paths, and what scenarios change on them."""
    found: list[tuple[tuple[str, ...], str]] = []

    def complain(key: str, text: str) -> None:
        found.append(((key,), text))

    for name, space in spaces.items():
        if space.map not in maps:
            complain(f"spaces.{name}.map", unknown("map", space.map, maps))
    seen: dict[frozenset[str], str] = {}
    beside: dict[str, list[str]] = {name: [] for name in spaces}
    for name, path in paths.items():
        ends = frozenset((path.one, path.other))
        lost = False
        for column, end in (("from", path.one), ("to", path.other)):
            if end not in spaces:
                lost = True
                text = f"unknown space {show(end)}{nearest(end, spaces)}"
                complain(f"paths.{name}.{column}", f"{text}; the spaces are in spaces.csv")
        if lost:
            continue
        if path.one == path.other:
            complain(f"paths.{name}.to", f"a path from {path.one} to itself")
        elif ends in seen:
            text = f"{path.one} and {path.other} are joined by {seen[ends]} already"
            complain(f"paths.{name}.to", text)
        elif spaces[path.one].map != spaces[path.other].map:
            text = f"{path.one} is on {spaces[path.one].map}, {path.other} on another map"
            complain(f"paths.{name}.to", text)
        else:
            seen[ends] = name
            beside[path.one].append(path.other)
            beside[path.other].append(path.one)
    for name, others in beside.items():
        if len(others) > MAX_DEGREE:
            text = f"{len(others)} paths meet here; at most {MAX_DEGREE} can"
            complain(f"spaces.{name}.map", text)
    for name, sheet in maps.items():
        own = [space for space, row in spaces.items() if row.map == name]
        roads = sum(len(beside[space]) for space in own) // 2
        if not 2 <= len(own) <= MAX_SPACES:
            complain(
                f"maps.{name}.town", f"{counted(len(own), 'space')}; allowed: 2 to {MAX_SPACES}"
            )
        if roads > MAX_ROADS:
            complain(f"maps.{name}.town", f"{counted(roads, 'path')}; at most {MAX_ROADS} fit")
        if sheet.town not in own:
            complain(f"maps.{name}.town", unknown("space", sheet.town, own))
            continue
        numbers = {space: number for number, space in enumerate(own)}
        near = [[numbers[other] for other in beside[space]] for space in own]
        joined = steps_from(near, numbers[sheet.town])
        cut_off = [space for space, number in numbers.items() if number not in joined]
        if cut_off:
            more = f"; nor to {choices(cut_off[1:])}" if cut_off[1:] else ""
            text = f"no way leads from {sheet.town} to here{more}"
            complain(f"spaces.{cut_off[0]}.map", text)
        signs = {space: spaces[space].resource for space in own}
        found += _route_problems(f"maps.{name}.town", signs)
    for name, scenario in scenarios.items():
        if scenario.map not in maps:
            complain(f"scenarios.{name}.map", unknown("map", scenario.map, maps))
            continue
        own = [space for space, row in spaces.items() if row.map == scenario.map]
        if scenario.town not in own:
            complain(f"scenarios.{name}.town", unknown("space", scenario.town, own))
        elif maps[scenario.map].town in own:
            moved = scenario_spaces({space: spaces[space] for space in own}, scenario, maps)
            signs = {space: row.resource for space, row in moved.items()}
            found += _route_problems(f"scenarios.{name}.resource", signs)
    return tuple(found)


def _route_problems(key: str, signs: Mapping[str, str]) -> Problems:
    """Resources that are not on two spaces of a map. signs: space to resource."""
    counts = Counter(signs.values())
    wrong = [f"{name} on {counts[name]}" for name in RESOURCE_NAMES if counts[name] != 2]
    text = f"a trade resource is on two spaces of a map; here {', '.join(wrong)}"
    return (((key, *(f"spaces.{name}.resource" for name in signs)), text),) if wrong else ()


def scenario_spaces(
    own: Mapping[str, Space], scenario: Scenario | None, maps: Mapping[str, MapSheet]
) -> dict[str, Space]:
    """Return the spaces of a map as a scenario has them: town and its old place change signs."""
    out = dict(own)
    if scenario is not None:
        old = maps[scenario.map].town
        if old != scenario.town:
            sign = out[old].refresh
            out[old] = out[old].model_copy(update={"resource": scenario.resource, "refresh": False})
            out[scenario.town] = out[scenario.town].model_copy(
                update={"resource": NONE, "refresh": sign}
            )
    return out


# --- stories -------------------------------------------------------------------------------------


def story(rules: Rules) -> str:
    """Return whose quests are played: the scenario's, or the map's."""
    switches = rules.switches
    return switches.map if switches.scenario == NONE else switches.scenario


def quest_tokens(rules: Rules, players: int) -> int:
    """Return the number of quest tokens on the map."""
    setup = rules.setup
    if rules.switches.scenario != NONE:
        return players * setup.scenario_quests
    if rules.modules.coop:
        return players * rules.together.quests
    return players * setup.quests + setup.more_quests


def story_problems(rules: Rules) -> Found:
    """Quests, paragraphs, keywords, and fewer quests than are laid out."""
    yield from _text_problems(
        rules.quests,
        rules.paragraphs,
        rules.keywords,
        rules.maps,
        rules.spaces,
        rules.scenarios,
    )
    played = sum(quest.story == story(rules) for quest in rules.quests.values())
    tokens = quest_tokens(rules, rules.players.most)
    if story(rules) in {*rules.maps, *rules.scenarios} and played < tokens:
        text = f"{counted(tokens, 'quest token')} with {counted(rules.players.most, 'player')}"
        keys: tuple[str, ...] = ("setup.scenario_quests",)
        if rules.switches.scenario == NONE:
            usual = ("setup.quests", "setup.more_quests")
            keys = ("together.quests", "modules.coop") if rules.modules.coop else usual
        yield (
            (*keys, "switches.map", "switches.scenario"),
            f"{text}; {story(rules)} has room for {played}",
        )


@_once
def _text_problems(
    quests: Mapping[str, Quest],
    paragraphs: Mapping[str, Paragraph],
    keywords: Mapping[str, Keyword],
    maps: Mapping[str, MapSheet],
    spaces: Mapping[str, Space],
    scenarios: Mapping[str, Scenario],
) -> Problems:
    """Quests, paragraphs and keywords."""
    found: list[tuple[tuple[str, ...], str]] = []

    def complain(key: str, text: str) -> None:
        found.append(((key,), text))

    stories = [*maps, *scenarios]
    own = {
        name: [word for word, keyword in keywords.items() if keyword.scenario == name]
        for name in stories
    }
    for name, keyword in keywords.items():
        if keyword.scenario not in stories:
            complain(f"keywords.{name}.scenario", unknown("story", keyword.scenario, stories))
    for name, words in own.items():
        if len(words) > KEYWORDS:
            text = f"{len(words)} keywords of {name}; at most {KEYWORDS} fit"
            complain(f"keywords.{words[0]}.scenario", text)
    inside: dict[str, list[str]] = {name: [] for name in maps}
    for space, place in spaces.items():
        inside.setdefault(place.map, []).append(space)
    taken: dict[tuple[str, str], str] = {}
    for name, quest in quests.items():
        if quest.story not in stories:
            complain(f"quests.{name}.story", unknown("story", quest.story, stories))
            continue
        sheet = quest.story if quest.story in maps else scenarios[quest.story].map
        if quest.space not in spaces or spaces[quest.space].map != sheet:
            text = unknown("space", quest.space, inside.get(sheet, ()))
            complain(f"quests.{name}.space", text)
        elif (quest.story, quest.space) in taken:
            other = taken[quest.story, quest.space]
            complain(f"quests.{name}.space", f"the quest {other} is here already")
        taken.setdefault((quest.story, quest.space), name)
    rows: list[tuple[str, str, str]] = [
        *((f"quests.{name}.skill_then", q.story, q.skill_then) for name, q in quests.items()),
        *((f"quests.{name}.combat_then", q.story, q.combat_then) for name, q in quests.items()),
        *((f"paragraphs.{name}.then", p.story, p.then) for name, p in paragraphs.items()),
    ]
    for name, paragraph in paragraphs.items():
        if paragraph.story not in stories:
            complain(f"paragraphs.{name}.story", unknown("story", paragraph.story, stories))
    for key, where, text in rows:
        for verb, name in read_then(text)[0]:
            if verb == "read":
                known = [p for p, row in paragraphs.items() if row.story == where]
                if key.startswith("paragraphs"):
                    complain(key, "a paragraph cannot go on with another one")
                elif name not in known:
                    complain(key, unknown("paragraph", name, known))
            elif name not in own.get(where, ()):
                complain(key, unknown("keyword", name, own.get(where, ())))
    return tuple(found)


# --- the cooperative mode ------------------------------------------------------------------------


def time_start(rules: Rules, players: int) -> str:
    """Return the space of the time track where the token starts; "" if there is none."""
    wanted = rules.together.start
    for name, space in rules.time_track.items():
        if wanted:
            if space.value == wanted and not space.skull:
                return name
        elif (rules.switches.difficulty, players) in read_start(space.start)[0]:
            return name
    return ""


def spans(numbers: Iterable[int]) -> str:
    """Return ascending numbers in words, neighbours as a range: "3, 5 to 9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def boss_spaces(rules: Rules) -> list[str]:
    """Return the spaces of the map in play where bosses are, in the bosses' order."""
    return rules.maps[rules.switches.map].bosses.split()


def together_problems(rules: Rules) -> Found:
    """A time track that leads nowhere, bosses that are nowhere, a start that is not there."""
    yield from _track_problems(rules.time_track)
    yield from _boss_problems(rules.maps, rules.spaces)
    if not rules.modules.coop:
        return
    team, switches = rules.together, rules.switches
    counts = range(rules.players.least, rules.players.most + 1)
    if team.bosses > len(rules.bosses):
        yield (
            ("together.bosses", "bosses"),
            f"{counted(team.bosses, 'boss', 'bosses')}; there are {len(rules.bosses)}",
        )
    if team.bosses == 0 and rules.players.most > len(rules.bosses):
        team_of = counted(rules.players.most, "player")
        text = f"a boss for each of {team_of}; there are {len(rules.bosses)}"
        yield ("together.bosses", "bosses"), text
    for players in counts:
        if rules.time_track and not time_start(rules, players):
            if team.start:
                numbers = sorted({s.value for s in rules.time_track.values() if not s.skull})
                near = min(numbers, key=lambda number: abs(number - team.start), default=0)
                text = (
                    f"the time track has no space with the number {team.start}; allowed: 0, for "
                    f"the start of the difficulty, and {spans(numbers)} (the nearest is {near})"
                )
                yield ("together.start", "time_track"), text
                break
            text = f"the time track has no start for {switches.difficulty} {players}"
            yield ("switches.difficulty", "time_track"), text
    known = switches.map in rules.maps
    if known and switches.boss_fights == "space":
        places = boss_spaces(rules)
        if len(places) < len(rules.bosses):
            bosses = counted(len(rules.bosses), "boss", "bosses")
            text = f"{counted(len(places), 'space')} for {bosses}"
            yield (f"maps.{switches.map}.bosses", "switches.boss_fights"), text


@_once
def _track_problems(track: Mapping[str, TimeSpace]) -> Problems:
    found: list[tuple[tuple[str, ...], str]] = []
    taken: dict[tuple[str, int], str] = {}
    for name, space in track.items():
        if space.skull and space.next:
            found.append(((f"time_track.{name}.next",), "nothing comes after a skull"))
        if not space.skull and space.next not in track:
            text = unknown("space of the time track", space.next, track)
            found.append(((f"time_track.{name}.next",), text))
        for start in read_start(space.start)[0]:
            if start in taken:
                text = f"{start[0]} {start[1]} starts on {taken[start]} already"
                found.append(((f"time_track.{name}.start",), text))
            taken.setdefault(start, name)
    if not found:
        circles: set[frozenset[str]] = set()
        for name in track:
            seen: list[str] = []
            here = name
            while not track[here].skull and here not in seen:
                seen.append(here)
                here = track[here].next
            if here not in seen:
                continue
            circle = seen[seen.index(here) :]  # once for all the spaces that lead into it
            if frozenset(circle) not in circles:
                circles.add(frozenset(circle))
                text = f"goes round in a circle from {here} to {circle[-1]}; no skull is reached"
                found.append(((f"time_track.{circle[-1]}.next",), text))
    return tuple(found)


@_once
def _boss_problems(maps: Mapping[str, MapSheet], spaces: Mapping[str, Space]) -> Problems:
    found: list[tuple[tuple[str, ...], str]] = []
    for name, sheet in maps.items():
        key = (f"maps.{name}.bosses",)
        own = [space for space, row in spaces.items() if row.map == name]
        places = sheet.bosses.split()
        for place in places:
            if place not in own:
                found.append((key, unknown("space", place, own)))
            elif place == sheet.town:
                found.append((key, f"{place} is the town"))
        if len(set(places)) < len(places):
            found.append((key, f"{show(sheet.bosses)} has a space twice"))
        if len(places) > MAX_BOSSES:
            found.append((key, f"{len(places)} bosses; at most {MAX_BOSSES} fit"))
    return tuple(found)
