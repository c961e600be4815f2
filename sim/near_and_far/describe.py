"""Words for the states, choices and events of Near and Far, for traces and for people who play.

Seats are numbered from 1 here, as people do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.choices import seat_after
from sim.near_and_far.basics import heart_total, nth, power, treasure_room
from sim.near_and_far.bosses import boss_here
from sim.near_and_far.minions import minion_at
from sim.near_and_far.outcome import TEAM_METRICS
from sim.near_and_far.rolls import roll_total
from sim.near_and_far.scoring import enough
from sim.near_and_far.state import (
    DUMMY,
    FACTIONS,
    FIRST_COMPANION,
    GIFT_BIRD,
    GIFT_TREASURE,
    GIFTS,
    GOODS,
    MAX_MINE_CARDS,
    MINE_ENTRANCE,
    MINE_ROW,
    NO_DUEL,
    RECRUIT_REFRESH,
    RESOURCES,
    REWARDS,
    SYMBOLS,
    CampKind,
    Dig,
    Effect,
    EndTrigger,
    Event,
    Face,
    Faction,
    Hall,
    Place,
    Prompt,
    Source,
    Spell,
    Status,
    Symbol,
    Turn,
    Walk,
)
from sim.near_and_far.town import recruit_cost
from sim.near_and_far.travel import movement_of
from sim.wording import noun_for

GOOD = ("food", "coin", "gem", "Outlaws token", "Mystics token", "Lizardfolk token", "Nomads token")
REWARD = (*GOOD, "reputation", "journey point", "treasure", "magic", "heart")
DIRECTION = ("", "left", "right", "down", "up")
# metrics that players who win together have no use for, and those that only they have
AMONG_RIVALS = ("win_rate", "margin", "lead_changes")
OF_A_TEAM = tuple(metric.name for metric in TEAM_METRICS)
_UNCOUNTED = {"food", "reputation", "magic"}
_IRREGULAR = {"do": "does", "go": "goes", "pass": "passes", "discard": "discards"}


def he_does(phrase: str) -> str:
    """Return "buys a card" for "buy a card"."""
    verb, space, rest = phrase.partition(" ")
    return _IRREGULAR.get(verb, f"{verb}s") + space + rest


def name_of(words: Any) -> str:
    """Return a name out of the tables in readable form."""
    text = np.ascontiguousarray(words).tobytes().rstrip(b"\0").decode("ascii", "replace")
    return text.replace("_", " ").title()


def word_of(name: Any) -> str:
    """Return the name of an enum's member as words."""
    return str(name.name).replace("_", " ").title()


def place_name(place: int) -> str:
    """Return the name of a building."""
    return "Mystic's Hut" if place == Place.HUT else word_of(Place(place))


def amount_of(what: str, amount: int) -> str:
    """Return "2 coins", "1 food"."""
    noun = what if what in _UNCOUNTED else noun_for(abs(amount), what)
    return f"{amount} {noun}"


def reward_text(row: Any) -> str:
    """Return a reward in words."""
    parts = [amount_of(REWARD[i], int(row[i])) for i in range(REWARDS) if row[i]]
    return ", ".join(parts) or "nothing"


def symbols_text(word: int) -> str:
    """Return a word of symbols in words: "2 skill, 1 combat"."""
    parts = []
    for symbol in range(SYMBOLS):
        count = int(word) >> (8 * symbol) & 127
        if count:
            parts.append(f"{count} {Symbol(symbol).name.lower()}")
    return ", ".join(parts) or "no symbols"


def bits_of(bits: int) -> list[int]:
    """Return the numbers of the set bits."""
    return [number for number in range(63) if int(bits) >> number & 1]


class Narrator:
    """Tells one game; see `sim.trace.Narrator`."""

    def __init__(
        self, state: Any, tables: Any, labels: Sequence[str], viewer: int | None = None
    ) -> None:
        self.state = state
        self.tables = tables
        self.labels = labels
        self.viewer = viewer
        self._said: set[tuple[int, int]] = set()  # events that the last decision has told already

    # --- names ---

    def sees(self, seat: int) -> bool:
        """Say whether the reader sees a seat's hand."""
        return self.viewer is None or self.viewer == seat

    def member(self, member: int) -> str:
        """Return the name of an adventurer or a companion."""
        return name_of(self.tables["member_name"][int(member)])

    def artifact(self, card: int) -> str:
        """Return the name of an artifact."""
        return name_of(self.tables["artifact_name"][int(card)])

    def treasure(self, card: int) -> str:
        """Return the name of a treasure."""
        return name_of(self.tables["treasure_name"][int(card)])

    def threat(self, threat: int) -> str:
        """Return a threat with its level."""
        if int(threat) >= int(self.tables["threats"]):  # a boss stands in its place
            return self.boss(bits_of(self.state["bosses_left"])[0])
        name = name_of(self.tables["threat_name"][int(threat)])
        return f"{name} ({int(self.tables['threat_level'][int(threat)])})"

    def boss(self, boss: int) -> str:
        """Return a boss with its level."""
        name = name_of(self.tables["boss_name"][int(boss)])
        return f"{name} ({int(self.tables['boss_level'][int(boss)])})"

    def minion(self, minion: int) -> str:
        """Return a minion with its building and what can still be used against it."""
        tables, covered = self.tables, int(self.state["minion_covered"][int(minion)])
        ways = [
            f"{word} {int(tables['minion_need'][int(minion), way])}"
            for way, word in enumerate(("skill", "swords"))
            if not covered >> way & 1
        ]
        place = place_name(int(tables["minion_place"][int(minion)]))
        numbers = f": {', '.join(ways)}" if ways else ""
        return f"{name_of(tables['minion_name'][int(minion)])} of the {place}{numbers}"

    def minion_text(self, minion: int) -> str:
        """Return what a minion does."""
        amount = int(self.tables["minion_amount"][int(minion)])
        return {
            Effect.REMOVE_CAMP: "a camp of the mine is removed",
            Effect.DISCARD_TREASURE: "everybody discards a treasure",
            Effect.LOSE_FOOD: f"everybody loses {amount} food",
            Effect.DISCARD_ARTIFACT: "everybody discards an artifact of the hand",
            Effect.LOSE_REPUTATION: f"everybody loses {amount} reputation",
            Effect.REMOVE_THREAT: "the threat on top is removed",
            Effect.BIRD_COINS: f"a pack bird costs {amount_of('coin', amount)} more",
            Effect.RECRUIT_REPUTATION: f"recruiting costs {amount} reputation",
        }[Effect(int(self.tables["minion_effect"][int(minion)]))]

    def gift(self, seat: int, what: int, treasure: int = -1) -> str:
        """Return a thing that is given: one of the goods, a bird, a treasure."""
        if what < GOODS:
            return amount_of(GOOD[what], 1)
        if what == GIFT_BIRD:
            return "a pack bird"
        if treasure < 0:
            treasure = int(nth(self.state["treasures"][seat], what - GIFT_TREASURE))
        return self.treasure(treasure)

    def space(self, space: int) -> str:
        """Return the name of a space."""
        return name_of(self.tables["space_name"][int(space)])

    def mine_card(self, card: int) -> str:
        """Return a mine card with its number."""
        name = name_of(self.tables["mine_name"][int(card)])
        need = int(self.tables["mine_need"][int(card)])
        if need == 0:
            return name
        symbol = Symbol(int(self.tables["mine_symbol"][int(card)])).name.lower()
        return f"{name} ({symbol} {need})"

    def area(self, area: int) -> str:
        """Return the name of an area of the base mine."""
        return name_of(self.tables["area_name"][int(area)])

    def price(self, card: int) -> str:
        """Return what an artifact costs."""
        row = self.tables["artifact_cost"][int(card)]
        text = ", ".join(amount_of(GOOD[g], int(row[g])) for g in range(GOODS) if row[g])
        wanted = int(self.tables["artifact_reputation"][int(card)])
        if wanted:
            text += f", reputation {wanted:+d}"
        return text or "nothing"

    # --- what happens ---

    def opening(self) -> list[str]:
        """Return the map's quests, the track and the threats."""
        return ["", "Set-up", *(f"  {line}" for line in self._board()), ""]

    def decision(self, prompt: int, choice: int) -> list[str]:
        """Return a choice as a sentence."""
        seat = int(self.state["seat"])
        hidden = prompt in (Prompt.DRAFT, Prompt.KEEP) and not self.sees(seat)
        self._said = self._tells(prompt, choice)
        said = "chooses cards" if hidden else he_does(self._phrase(prompt, choice))
        return [f"  seat {seat + 1} {said}"]

    def _tells(self, prompt: int, choice: int) -> set[tuple[int, int]]:
        """Return the events, each with its first number, that a choice tells by itself."""
        state = self.state
        if prompt == Prompt.DRAFT:
            return {(Event.DRAFTED, choice)}
        if prompt == Prompt.COMPANION:
            return {(Event.COMPANION, choice), (Event.JOINED, FIRST_COMPANION + choice)}
        if prompt == Prompt.KEEP:
            return {(Event.KEPT, int(state["offer"][place]) - 1) for place in bits_of(choice)}
        if prompt == Prompt.BUY:
            return {(Event.BOUGHT, choice - 1)}
        if prompt == Prompt.TURN:
            return {(Event.VISITED, choice)}
        if prompt == Prompt.RECRUIT and 0 < choice < RECRUIT_REFRESH:
            return {(Event.RECRUITED, int(state["track"][choice - 1]) - 1)}
        if prompt == Prompt.DUEL:
            return {(Event.DUEL, choice >> 1)}
        if prompt == Prompt.QUEST:
            return {(Event.QUEST, int(state["space"][int(state["seat"])]))}
        if prompt == Prompt.GIVE and choice:
            mate = (choice - 1) // GIFTS
            return {(Event.GIFT, int(seat_after(state, state["seat"], mate + 1)))}
        if prompt == Prompt.MINION and choice:
            return {(Event.MINION_FIGHT, self._minion_here(choice))}
        if prompt == Prompt.BOSS and choice:
            return {(Event.BOSS_FIGHT, self._boss_here())}
        if prompt == Prompt.SPELL:
            return {(Event.SPELL_LEARNED, choice)}
        return set()

    def event(self, event: int, seat: int, a: int, b: int, c: int) -> list[str]:
        """Return an event as a sentence; the start of a turn as its heading and the state."""
        if (event, a) in self._said:
            return []
        if event == Event.TURN:
            self._said = set()
            heading = f"Turn {a}, seat {seat + 1} ({self.labels[seat]})"
            return ["", heading, *(f"  {line}" for line in self._seat(seat))]
        said = self._event(Event(event), seat, a, b, c)
        return [f"  {said}"] if said else []

    def ending(self) -> list[str]:
        """Return how it ended, and the points."""
        state = self.state
        lines = [""]
        turns = f"{int(state['turn'])} turns"
        if state["status"] == Status.WON and state["together"]:
            lines += [
                f"  seat {seat + 1} ({self.labels[seat]}): {int(state['total'][seat])}"
                for seat in range(int(state["players"]))
            ]
            lines.append(self._team_ending(turns))
        elif state["status"] == Status.WON:
            for seat in range(int(state["players"])):
                total = int(state["total"][seat])
                lines += [f"  seat {seat + 1} ({self.labels[seat]}): {total}"]
            winners = bits_of(state["winners"])
            names = " and ".join(f"seat {seat + 1} ({self.labels[seat]})" for seat in winners)
            verb = "share the win" if len(winners) > 1 else "wins"
            lines.append(f"{names[0].upper()}{names[1:]} {verb} after {turns}.")
        elif state["status"] == Status.CAPPED:
            lines.append(f"Nobody wins: the game is stopped after {turns}.")
        return lines

    def _team_ending(self, turns: str) -> str:
        """Return whether the team has won, and why not."""
        state, tables = self.state, self.tables
        players = int(state["players"])
        points = sum(int(total) for total in state["total"][:players])
        needed = players * int(state["time_value"])
        count = f"{points} points, {needed} {'needed' if tables['coop_at_least'] else 'to beat'}"
        if state["winners"]:
            return f"The team wins after {turns}: {count}, all bosses beaten."
        left = len(bits_of(state["bosses_left"]))
        why = []
        if state["skull"]:
            why.append("time has run out")
        if left:
            why.append(f"{left} {'boss is' if left == 1 else 'bosses are'} not beaten")
        if not enough(state, tables, points):
            why.append("the points are too few")
        return f"The team loses after {turns}: {count}; {', '.join(why)}."

    def _minion_here(self, choice: int) -> int:
        """Return the minion that a choice of MINION is about."""
        return int(minion_at(self.state, self.tables, self.state["building"], (choice - 1) >> 1))

    def _boss_here(self) -> int:
        return int(boss_here(self.state, self.tables, self.state["seat"])) - 1

    def _together(self, event: Event, seat: int, a: int, b: int, c: int) -> str:
        """Return an event of the cooperative mode as a sentence."""
        who = f"seat {seat + 1}"
        if event == Event.CLOCK:
            swords = ", which has swords" if b else ""
            return f"the time token goes to {a}{swords}"
        if event == Event.SKULL:
            return "the time token is on the skull: time is over"
        if event == Event.GIFT:
            return f"{who} gives {self.gift(seat, b, c)} to seat {a + 1}"
        if event == Event.MINION_CAME:
            return f"a minion comes: {self.minion(a)}"
        if event == Event.MINION_ACTS:
            name = name_of(self.tables["minion_name"][a])
            return f"{name} acts: {self.minion_text(a)}"
        if event == Event.MINION_FIGHT:
            return f"{who} fights {self.minion(a)} with {'swords' if b else 'skill'}"
        if event == Event.MINION_COVERED:
            name = name_of(self.tables["minion_name"][a])
            return f"{who} beats {name} with {'swords' if b else 'skill'}"
        if event == Event.MINION_BEATEN:
            return f"{name_of(self.tables['minion_name'][a])} leaves the town"
        if event == Event.CAMP_REMOVED:
            return f"the camp of {who} on {self.mine_card(a)} is removed ({b} left)"
        if event == Event.THREAT_REMOVED:
            return f"{self.threat(a)} is removed"
        if event == Event.BOSS_FIGHT:
            return f"{who} fights {self.boss(a)}"
        if event == Event.BOSS_BEATEN:
            return f"{who} beats {self.boss(a)}"
        if event == Event.BOSS_LOST:
            return f"{who} cannot beat {self.boss(a)}"
        return f"the team has {amount_of('journey point', a)} against {b}; bosses left: {c}"

    def _event(self, event: Event, seat: int, a: int, b: int, c: int) -> str:
        who = f"seat {seat + 1}"
        if event >= Event.CLOCK:
            return self._together(event, seat, a, b, c)
        if event == Event.COMPANION:
            return f"{who} has {self.member(FIRST_COMPANION + a)} for company"
        if event in (Event.DRAFTED, Event.KEPT, Event.DISCARDED):
            if not self.sees(seat):
                return ""
            verb = {Event.DRAFTED: "takes", Event.KEPT: "keeps", Event.DISCARDED: "discards"}[event]
            return f"{who} {verb} {self.artifact(a)}"
        if event == Event.BOUGHT:
            return f"{who} buys {self.artifact(a)}"
        if event == Event.GAINED:
            if b < 0:
                return f"{who} loses {amount_of(REWARD[a], -b)} (has {c})"
            return f"{who} gains {amount_of(REWARD[a], b)} (has {c})"
        if event == Event.VISITED:
            return f"{who} visits the {place_name(a)}"
        if event == Event.DUEL:
            manner = "a dishonest" if b else "an honest"
            return f"{who} challenges {self._opponent(a)} to {manner} duel"
        if event == Event.DUEL_WON:
            return f"{who} {'wins' if c else 'loses'} the duel {a} to {b}"
        if event == Event.JAILED:
            return f"{who} goes to Jail"
        if event == Event.RECRUITED:
            return f"{who} recruits {self.member(a)} for {amount_of('coin', b)}"
        if event == Event.TRACK:
            return f"{self.member(a)} comes to place {b + 1} of the track"
        if event == Event.BIRD:
            return f"{who} {'gets' if b > 0 else 'gives up'} {abs(b)} pack bird(s) (has {a})"
        if event == Event.JOINED:
            return f"{self.member(a)} joins the party of {who}"
        if event == Event.LEFT:
            return f"{self.member(a)} leaves the party of {who}"
        if event == Event.HEARTS:
            return f"{who} {'gains' if b > 0 else 'spends'} {amount_of('heart', abs(b))} (has {a})"
        if event == Event.DEPARTED:
            return f"{who} leaves town with {amount_of('heart', a)} and movement {b}"
        if event == Event.MOVED:
            paid = f" for {amount_of('heart', b)}" if b else ""
            return f"{who} comes to {self.space(a)}{paid}"
        if event == Event.THREAT_PASSED:
            way = {Face.CAUTION: "by caution", Face.BIRD: "for a pack bird"}
            return f"{who} passes {self.threat(a)} {way.get(Face(b), 'by Wind Storm')}"
        if event == Event.THREAT_BEATEN:
            return f"{who} beats {self.threat(a)}"
        if event == Event.THREAT_LOST:
            return f"{who} cannot beat {self.threat(a)}"
        if event == Event.TREASURE:
            return f"{who} draws the treasure {self.treasure(a)}"
        if event == Event.TREASURE_LOST:
            return f"{who} discards the treasure {self.treasure(a)}"
        if event == Event.QUEST:
            return f"{who} tries the quest of {self.space(a)}: {self._quest(a, b - 1)}"
        if event == Event.QUEST_DONE:
            return f"{who} completes the quest{' with its bonus' if b else ''}"
        if event == Event.QUEST_FAILED:
            return f"{who} fails the quest{', which stays' if b else ''}"
        if event == Event.CAMP:
            return f"{who} places a camp {self._camp(CampKind(a), b)} ({c} left)"
        if event == Event.ROLL:
            dice = f"{a} and {b}" if b else str(a)
            return f"{who} rolls {dice} and adds {c}"
        if event == Event.REROLLED:
            return f"{who} rolls the die again{' for a food' if b else ''}"
        if event == Event.ROLLED:
            result = ("misses", "reaches", "beats")[a]
            return f"{who} {result} {c} with {b}" if c else f"{who} has {b}"
        if event == Event.SPELL_LEARNED:
            return f"{who} learns {word_of(Spell(a))}"
        if event == Event.SPELL_USED:
            return f"{who} uses {word_of(Spell(a))}"
        if event == Event.SPELLS_READY:
            return f"{who} turns all spells face up"
        if event == Event.MAGIC:
            return f"{who} is on space {a} of the magic track"
        if event == Event.MINE_CARD:
            aside = b % MINE_ROW - MINE_ENTRANCE
            side = "left" if aside < 0 else "right"
            place = f"row {b // MINE_ROW + 1}, {abs(aside)} to the {side} of the entrance"
            return f"a new mine card lies in {place}: {self.mine_card(a)}"
        if event == Event.MINE_MOVED:
            return f"{who} goes to {self.mine_card(a)}"
        if event == Event.MINE_BACK:
            return f"{who} is thrown back from {self.mine_card(a)}"
        if event == Event.EXPERT_DIE:
            return f"{who} gets an expert die"
        if event == Event.KEYWORD:
            verb = "gets" if b else "loses"
            return f"{who} {verb} the keyword {name_of(self.tables['keyword_name'][a])}"
        if event == Event.LAST_ROUND:
            why = {EndTrigger.QUESTS: "no quest is left on the map"}
            return f"the last round: {why.get(EndTrigger(a), f'{who} has placed all camps')}"
        if event == Event.SCORE:
            return f"{who}: {amount_of('journey point', b)} for {word_of(Source(a)).lower()}"
        if event == Event.WON:
            return f"{who} wins with {amount_of('journey point', a)}"
        return f"{a} turns are over, and nobody has won"

    def _opponent(self, opponent: int) -> str:
        return "the unused figure" if opponent == DUMMY else f"seat {opponent + 1}"

    def _camp(self, kind: CampKind, where: int) -> str:
        if kind == CampKind.MAP:
            return f"on {self.space(where)}"
        if kind == CampKind.THREAT:
            return f"on {self.threat(where)}"
        if kind == CampKind.MINE:
            amber = self.tables["amber_mines"]
            return f"on {self.mine_card(where) if amber else self.area(where)} of the mine"
        if kind == CampKind.BOSS:
            return f"on {self.boss(where)}"
        return "under the magic track" if kind == CampKind.MAGIC else "on the General Store"

    def _quest(self, space: int, way: int) -> str:
        """Return a way through a quest in words."""
        symbol = Symbol(int(self.tables["quest_symbol"][space, way])).name.lower()
        need = int(self.tables["quest_need"][space, way])
        reward = reward_text(self.tables["quest_reward"][space, way])
        extra = self.tables["quest_extra"][space, way]
        bonus = f", and {reward_text(extra)} with the bonus" if extra.any() else ""
        return f"{symbol} {need} for {reward}{bonus}"

    # --- what can be done ---

    def _phrase(self, prompt: int, choice: int) -> str:
        """Return a choice as a phrase that begins with its verb."""
        state, tables = self.state, self.tables
        seat = int(state["seat"])
        if prompt == Prompt.COMPANION:
            return f"take {self.member(FIRST_COMPANION + choice)} for company"
        if prompt == Prompt.DRAFT:
            return f"take {self.artifact(choice)} for {self.price(choice)}"
        if prompt == Prompt.KEEP:
            cards = [self.artifact(int(state["offer"][place]) - 1) for place in bits_of(choice)]
            return f"keep {', '.join(cards) or 'nothing'}"
        if prompt == Prompt.TURN:
            return self._turn(choice)
        if prompt == Prompt.DUEL and choice == NO_DUEL:
            return "share the building"
        if prompt == Prompt.DUEL:
            manner = "dishonestly" if choice & 1 else "honestly"
            return f"challenge {self._opponent(choice >> 1)} {manner}"
        if prompt == Prompt.TOWN_HALL:
            return self._hall(choice)
        if prompt == Prompt.GOODS:
            if choice == 0:
                return "receive no more"
            verb = "receive" if state["trade"] < Hall.TAKE_ONE else "pay"
            return f"{verb} {amount_of(GOOD[choice - 1], 1)}"
        if prompt == Prompt.DISCARD:
            return f"choose {self.artifact(choice - 1)} to discard"
        if prompt == Prompt.RECRUIT:
            if choice == 0:
                return "recruit nobody"
            if choice == RECRUIT_REFRESH:
                return f"pay {amount_of('food', int(tables['refresh_food']))} for a new track"
            member = int(state["track"][choice - 1]) - 1
            cost = int(recruit_cost(state, tables, seat, member))
            return f"recruit {self._member(member)} for {amount_of('coin', cost)}"
        if prompt == Prompt.STABLES:
            return f"buy {choice} pack bird(s)" if choice else "buy no pack bird"
        if prompt == Prompt.STORE:
            if choice == 0:
                return "take a coin"
            basic = choice - 1
            return f"draw {basic} basic and {int(tables['store_cards']) - basic} advanced artifacts"
        if prompt == Prompt.HUT:
            return (
                "gain no magic",
                f"go {int(tables['hut_magic'])} on the magic track",
                f"pay a gem to go {int(tables['hut_gem_magic'])} on the magic track",
            )[choice]
        if prompt == Prompt.SPELL:
            return f"learn {word_of(Spell(choice))}"
        if prompt == Prompt.TREASURE:
            if choice == 0:
                return f"choose {self.treasure(int(state['drawn_treasure']) - 1)} to discard"
            held = self.treasure(int(nth(state["treasures"][seat], choice - 1)))
            return f"choose {held} to discard"
        if prompt == Prompt.MINE_AREA:
            if choice == 0:
                return "leave the mine alone"
            area = choice - 1
            skill = int(tables["area_skill"][area])
            reward = reward_text(tables["area_reward"][area])
            return f"dig in {self.area(area)} (skill {skill}) for {reward}"
        if prompt == Prompt.MINE_START:
            return f"start from {self.mine_card(choice)}"
        if prompt == Prompt.MINE_MOVE:
            return self._dig(choice)
        if prompt == Prompt.PARTY:
            if choice == 0:
                return "leave the party as it is"
            return f"let {self._member(choice - 1)} join the party"
        if prompt == Prompt.PARTY_OUT:
            return f"let {self._member(choice - 1)} leave the party"
        if prompt == Prompt.MOVE:
            return self._walk(seat, choice)
        if prompt == Prompt.THREAT:
            threat = self.threat(state["threat"])
            if choice == Face.FIGHT:
                return f"fight {threat} with combat {int(power(state, seat, Symbol.COMBAT))}"
            way = {Face.CAUTION: "by caution", Face.BIRD: "for a pack bird"}
            return f"pass {threat} {way.get(Face(choice), 'by Wind Storm')}"
        if prompt == Prompt.QUEST:
            if choice == 0:
                return "leave the quest alone"
            return f"try {self._quest(int(state['space'][seat]), choice - 1)}"
        if prompt == Prompt.CAMP:
            return self._camp_choice(choice)
        if prompt == Prompt.BEFORE_ROLL:
            if choice == 0:
                return "roll"
            if choice == 1:
                return "use Illusion"
            return f"spend {amount_of('heart', choice - 2)} and roll"
        if prompt == Prompt.REROLL:
            return "pay a food to roll again" if choice else f"keep the {int(state['die'])}"
        if prompt == Prompt.AFTER_ROLL:
            return self._after(choice)
        if prompt == Prompt.GIVE:
            if choice == 0:
                return "give no more"
            mate, what = divmod(choice - 1, GIFTS)
            other = int(seat_after(state, seat, mate + 1))
            return f"give {self.gift(seat, what)} to seat {other + 1}"
        if prompt == Prompt.MINION:
            if choice == 0:
                return "ignore the minions"
            kind = "swords" if (choice - 1) & 1 else "skill"
            return f"fight {self.minion(self._minion_here(choice))} with {kind}"
        if prompt == Prompt.BOSS:
            boss = self.boss(self._boss_here())
            combat = int(power(state, seat, Symbol.COMBAT))
            return f"fight {boss} with combat {combat}" if choice else f"leave {boss} alone"
        if prompt == Prompt.REMOVE_CAMP:
            owner = int(state["mine_camp"][choice - 1])
            return f"remove the camp of seat {owner} on {self.mine_card(choice - 1)}"
        return f"buy {self.artifact(choice - 1)} for {self.price(choice - 1)}" if choice else "pass"

    def _member(self, member: int) -> str:
        """Return a member with faction and symbols."""
        faction = int(self.tables["member_faction"][member])
        of = f"{word_of(Faction(faction))}, " if faction else ""
        symbols = symbols_text(self.tables["member_symbols"][member])
        return f"{self.member(member)} ({of}{symbols})"

    def _turn(self, choice: int) -> str:
        if choice == Turn.ADVENTURE:
            return "go on an adventure"
        if choice <= Place.MINE:
            return f"go to the {place_name(choice)}"
        if choice == Turn.BUY:
            return "look at the artifacts in hand"
        if choice == Turn.GIVE:
            return "give something to others"
        if choice > Turn.TRANSMUTE:
            return f"use Transmutation on {choice - Turn.TRANSMUTE} gems"
        return f"use {word_of(Spell(choice - Turn.SPELL))}"

    def _hall(self, choice: int) -> str:
        if choice == Hall.DONE:
            return "leave the Town Hall"
        if choice < Hall.TAKE_ONE:
            return f"offer {amount_of(GOOD[choice - Hall.GIVE_ONE], 1)} for others"
        if choice < Hall.DISCARD:
            many = int(self.tables["trade_many"])
            return f"ask for {amount_of(GOOD[choice - Hall.TAKE_ONE], 1)} for {many} others"
        if choice == Hall.DISCARD:
            return "discard an artifact"
        with_ = "coin" if choice in (Hall.COIN_UP, Hall.COIN_DOWN) else "gem"
        return f"pay a {with_} to {'gain' if choice <= Hall.GEM_UP else 'lose'} reputation"

    def _dig(self, choice: int) -> str:
        state = self.state
        if choice == Dig.LEAVE:
            return "leave the mine"
        if choice < Dig.CAMP:
            return f"go {DIRECTION[choice]}"
        if choice < Dig.BUY:
            card = int(state["mine_card"])
            reward = reward_text(self.tables["mine_reward"][card])
            weather = ("", " and gain reputation", " and lose reputation")[choice - Dig.CAMP]
            return f"build a camp on {self.mine_card(card)} for {reward}{weather}"
        if choice == Dig.BUY:
            return "look at the artifacts in hand"
        return f"use {word_of(Spell(choice - Dig.SPELL))}"

    def _walk(self, seat: int, choice: int) -> str:
        state, tables = self.state, self.tables
        here = int(state["space"][seat])
        if choice == Walk.STOP:
            return f"stay on {self.space(here)}"
        if choice < Walk.BUY:
            place = choice - Walk.ROAD
            road = int(tables["road"][here, place])
            signs = [
                word
                for word, field in (("threat", "road_threat"), ("treasure", "road_treasure"))
                if tables[field][road]
            ]
            by = f" ({' and '.join(signs)} on the way)" if signs else ""
            return f"go to {self.space(int(tables['road_to'][here, place]) - 1)}{by}"
        if choice == Walk.BUY:
            return "look at the artifacts in hand"
        if choice == Walk.GIVE:
            return "give something to others"
        return f"use {word_of(Spell(choice - Walk.SPELL))}"

    def _camp_choice(self, choice: int) -> str:
        if choice == 0:
            return "build no camp"
        weather = ("", ", reputation up by Alter Weather", ", reputation down by Alter Weather")
        divined = ", with Divination" if choice > 3 else ""
        hearts = amount_of("heart", int(self.tables["camp_hearts"]))
        return f"build a camp for {hearts}{weather[(choice - 1) % 3]}{divined}"

    def _after(self, choice: int) -> str:
        state = self.state
        total = int(roll_total(state))
        if choice == 0:
            return f"leave the roll at {total}"
        if choice == 1:
            return f"spend {amount_of('heart', int(state['roll_need']) - total)} for a success"
        if choice == 2:
            return f"spend {amount_of('heart', int(state['roll_bonus']) - total)} for the bonus"
        return f"use {word_of(Spell(choice - 3))}"

    def question(self, prompt: int) -> str:
        """Return what the player at `state["seat"]` is asked."""
        state = self.state
        asked = {
            Prompt.COMPANION: "Which companion?",
            Prompt.DRAFT: "Which artifact do you take?",
            Prompt.KEEP: "Which cards do you keep?",
            Prompt.TURN: "What do you do?",
            Prompt.DUEL: "The place is taken. Whom do you challenge, and how?",
            Prompt.TOWN_HALL: "What do you do in the Town Hall?",
            Prompt.GOODS: "Which goods?",
            Prompt.DISCARD: "Which artifact do you discard?",
            Prompt.RECRUIT: "Whom do you recruit?",
            Prompt.STABLES: "How many pack birds?",
            Prompt.STORE: "What do you take in the General Store?",
            Prompt.HUT: "What magic do you gain?",
            Prompt.SPELL: "Which spell do you learn?",
            Prompt.TREASURE: "Too many treasures. Which one do you discard?",
            Prompt.MINE_AREA: "Where do you dig?",
            Prompt.MINE_START: "Where do you start in the mine?",
            Prompt.MINE_MOVE: f"Movement {int(state['movement'])}. What do you do?",
            Prompt.PARTY: "Who joins the party?",
            Prompt.PARTY_OUT: "Who leaves the party?",
            Prompt.MOVE: f"Movement {int(state['movement'])}. Where do you go?",
            Prompt.THREAT: "How do you face the threat?",
            Prompt.QUEST: "Do you try the quest?",
            Prompt.CAMP: "Do you build a camp?",
            Prompt.BEFORE_ROLL: f"A roll against {int(state['roll_need'])}. Anything before it?",
            Prompt.REROLL: f"You rolled {int(state['die'])}. Again?",
            Prompt.AFTER_ROLL: (
                f"You have {int(roll_total(state))} against {int(state['roll_need'])}. What now?"
            ),
            Prompt.BUY: "Which artifact do you buy?",
            Prompt.GIVE: "What do you give to whom?",
            Prompt.MINION: "A minion is here. Do you fight it?",
            Prompt.BOSS: "A boss is here. Do you fight it?",
            Prompt.REMOVE_CAMP: "Which camp of the mine is removed?",
        }
        return asked[Prompt(prompt)]

    def option(self, prompt: int, choice: int) -> str:
        """Return one of the options of the open prompt in words."""
        return self._phrase(prompt, choice)

    # --- what can be seen ---

    def view(self, seat: int) -> list[str]:
        """Return everything that the player at a seat can see."""
        state = self.state
        lines = list(self._board())
        for other in range(int(state["players"])):
            lines += ["", *self._seat(other)]
        lines += ["", "your hand:"]
        lines += [f"  {self._artifact(card)}" for card in bits_of(state["hand"][seat])]
        return lines

    def _artifact(self, card: int) -> str:
        tables = self.tables
        points = int(tables["artifact_points"][card])
        symbols = symbols_text(tables["artifact_symbols"][card])
        return f"{self.artifact(card)}: {self.price(card)}; {points} points, {symbols}"

    def _board(self) -> list[str]:
        state, tables = self.state, self.tables
        track = [
            f"{self._member(int(number) - 1)} {int(tables['member_cost'][int(number) - 1])}"
            for number in state["track"]
            if number
        ]
        quests = [self.space(space) for space in bits_of(state["tokens"])]
        lines = [
            f"adventurers: {', '.join(track) or 'none'}",
            f"quests on: {', '.join(quests) or 'no space'}",
        ]
        threat = int(state["threat"])
        if threat < int(tables["threats"]):
            lines.append(f"threat: {self.threat(threat)}")
        if tables["coop"]:
            lines += self._team_board()
        for resource in range(RESOURCES):
            first, second = (int(space) for space in tables["route_space"][resource])
            if first != second:
                alone = int(tables["route_alone"][resource])
                joint = int(tables["route_joint"][resource])
                ends = f"{self.space(first)} and {self.space(second)}"
                lines.append(f"trade route: {ends} ({alone} alone, {joint} each jointly)")
        mine = [
            f"{self.mine_card(card)}{self._owner(int(state['mine_camp'][card]))}"
            for card in range(1, MAX_MINE_CARDS)
            if state["mine_at"][card]
        ]
        if mine:
            lines.append(f"in the mine: {', '.join(mine)}")
        return lines

    def _team_board(self) -> list[str]:
        """Return clock, bosses and minions."""
        state, tables = self.state, self.tables
        space = int(tables["time_next"][int(state["time_space"])])
        coming = "the skull" if int(tables["time_skull"]) >> space & 1 else "no skull"
        lines = [f"time token on {int(state['time_value'])}; next comes {coming}"]
        bosses = []
        for boss in bits_of(state["bosses_left"]):
            where = f" on {self.space(int(tables['boss_space'][boss]))}"
            bosses.append(self.boss(boss) + ("" if tables["bosses_as_threats"] else where))
        lines.append(f"bosses: {', '.join(bosses) or 'all beaten'}")
        lines += [
            f"{self.minion(minion)}; {self.minion_text(minion)}"
            for minion in bits_of(state["minions_in_town"])
        ]
        return lines

    def _owner(self, owner: int) -> str:
        return f" [camp of seat {owner}]" if owner else ""

    def _seat(self, seat: int) -> list[str]:
        """Return some lines about a seat: place, goods, party, cards."""
        state, tables = self.state, self.tables
        place = Place(int(state["place"][seat]))
        if place == Place.MAP:
            where = f"on {self.space(int(state['space'][seat]))}"
        elif place == Place.NOWHERE:
            where = "not in town yet"
        else:
            where = f"at the {place_name(place)}"
        goods = [
            amount_of(GOOD[good], int(state["goods"][seat, good]))
            for good in range(GOODS)
            if state["goods"][seat, good]
        ]
        hearts = f"hearts {int(state['hearts'][seat])} of {int(heart_total(state, tables, seat))}"
        party = [self._member(member) for member in bits_of(state["party"][seat])]
        rest = bits_of(int(state["members"][seat]) & ~int(state["party"][seat]))
        lines = [
            f"seat {seat + 1} {where}; {', '.join(goods) or 'no goods'}; {hearts}; movement "
            f"{int(movement_of(state, tables, seat))}; reputation {int(state['reputation'][seat])};"
            f" {int(state['tents'][seat])} camps left",
            f"party: {', '.join(party) or 'nobody'}",
        ]
        if rest:
            lines.append(f"not in the party: {', '.join(self._member(member) for member in rest)}")
        cards = [self.artifact(card) for card in bits_of(state["bought"][seat])]
        cards += [self.treasure(card) for card in bits_of(state["treasures"][seat])]
        if cards:
            lines.append(f"artifacts and treasures: {', '.join(cards)}")
        room = int(treasure_room(state, tables, seat))
        extras = [f"{int(state['birds'][seat])} pack birds, room for {amount_of('treasure', room)}"]
        if state["magic"][seat]:
            extras.append(f"magic {int(state['magic'][seat])}")
        spells = [
            word_of(Spell(spell))
            + ("" if int(state["spells_up"][seat]) >> spell & 1 else " (used)")
            for spell in bits_of(state["spells"][seat])
        ]
        if spells:
            extras.append(f"spells: {', '.join(spells)}")
        if state["expert"][seat]:
            extras.append("an expert die")
        banners = [
            f"{int(state['banners'][seat, faction])} of {word_of(Faction(faction + 1))}"
            for faction in range(FACTIONS)
            if state["banners"][seat, faction]
        ]
        if banners:
            extras.append(f"banners: {', '.join(banners)}")
        lines.append("; ".join(extras))
        hand = int(state["hand"][seat])
        if hand:
            if self.sees(seat):
                lines.append(f"hand: {', '.join(self.artifact(card) for card in bits_of(hand))}")
            else:
                lines.append(f"hand: {amount_of('artifact', len(bits_of(hand)))}")
        return lines
