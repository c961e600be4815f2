"""Words for the states, choices and events of Dobbers, for traces and for people who play.

Seats are numbered from 1 here, as people do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.dobbers.stacks import location_places, points_needed, travel_number
from sim.dobbers.state import (
    CULL_PILE,
    FIRST_SOLO,
    SLOTS,
    Alignment,
    Event,
    Gain,
    Icon,
    Main,
    Op,
    Prompt,
    Status,
    Type,
)

AMONG_SEVERAL = ("lead_changes", "outwits")  # metrics that a player alone never has
SLOT = ("weapon", "armor", "item")
POINTS = ("influence", "red", "blue", "gold")
_OPS = {
    Op.CULL: "may destroy {n} of hand or discard pile",
    Op.RECOVER: "take {n} of the discard pile to hand",
    Op.BOON: "take {n} positive token(s)",
    Op.BURDEN: "take {n} negative token(s)",
    Op.DISCARD_EQUIPMENT: "discard {n} equipment",
    Op.DESTROY_EQUIPMENT: "destroy {n} equipment",
    Op.DISCARD_CARD: "discard {n} card(s)",
    Op.BACK: "move back {n}",
    Op.LOSE_INFLUENCE: "lose {n} influence",
    Op.ADD_CREATURE: "{n} creature(s) under the first free location",
    Op.ADD_CREATURE_LAST: "{n} creature(s) under the last free location",
    Op.ADD_EQUIPMENT: "{n} equipment of the row onto a stack",
    Op.SWEEP_LEFT: "destroy the {n} leftmost cards of the row",
    Op.SWEEP_DEAR: "destroy the {n} dearest cards of the row",
    Op.SWEEP_ALL: "destroy the whole row",
    Op.SLOW: "travel numbers +{n} for a round",
    Op.DRAW: "draw {n}",
}
_IRREGULAR = {"do": "does", "go": "goes", "pass": "passes", "discard": "discards"}


def he_does(phrase: str) -> str:
    """Return "buys a card" for "buy a card"."""
    verb, space, rest = phrase.partition(" ")
    return _IRREGULAR.get(verb, f"{verb}s") + space + rest


def name_of(words: Any) -> str:
    """Return a name out of the tables in readable form."""
    text = np.ascontiguousarray(words).tobytes().rstrip(b"\0").decode("ascii", "replace")
    return text.replace("_", " ").title()


def gains_text(gains: Any) -> str:
    """Return what a row of gains gives: "1 influence, 2 red, draw 1"."""
    parts = [f"{int(gains[i])} {word}" for i, word in enumerate(POINTS) if gains[i]]
    if gains[Gain.DRAW]:
        parts.append(f"draw {int(gains[Gain.DRAW])}")
    return ", ".join(parts)


def text_of(tables: Any, text: int) -> str:
    """Return a card text in words; "" if it says nothing."""
    ways = []
    for way in range(int(tables["text_ways"][text])):
        phrases = []
        for op, amount in zip(
            tables["text_op"][text, way], tables["text_amount"][text, way], strict=True
        ):
            if 0 < op <= Op.GOLD:
                phrases.append(f"{int(amount)} {POINTS[int(op) - 1]}")
            elif op:
                phrases.append(_OPS[Op(int(op))].format(n=int(amount)))
        ways.append(", ".join(phrases) or "nothing")
    return " or ".join(ways) if any(way != "nothing" for way in ways) else ""


class Narrator:
    """Tells one game; see `sim.trace.Narrator`."""

    def __init__(
        self, state: Any, tables: Any, labels: Sequence[str], viewer: int | None = None
    ) -> None:
        self.state = state
        self.tables = tables
        self.labels = labels
        self.viewer = viewer

    # --- names ---

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.state["players"])

    def sees(self, seat: int) -> bool:
        """Say whether the reader sees a seat's hand."""
        return self.viewer is None or self.viewer == seat

    def card(self, card: int) -> str:
        """Return the name of a card."""
        return name_of(self.tables["kind_name"][self.tables["card_kind"][int(card)]])

    def location(self, location: int) -> str:
        """Return the name of a location."""
        return name_of(self.tables["location_name"][int(location)])

    def creature(self, creature: int) -> str:
        """Return the name of a creature."""
        return name_of(self.tables["creature_name"][int(creature)])

    def front(self, location: int, *, cost: bool = False) -> str:
        """Return what a reader sees of a location: its name, or the front of what lies face down.

        A name tells the text side, so somebody who plays gets it once the card was turned over.
        cost: whether the front's cost is told as well; beside a price it need not be.
        """
        tables = self.tables
        if self.viewer is None or int(self.state["known_locations"]) >> int(location) & 1:
            return self.location(location)
        parts = [f"cost {int(tables['location_cost'][location])}"] if cost else []
        icon = int(tables["location_icon"][location])
        parts += [Icon(icon).name.lower()] if icon else []
        parts.append(f"room for {int(tables['location_capacity'][location])}")
        return f"a location face down ({', '.join(parts)})"

    def creature_front(self, creature: int, *, cost: bool = False) -> str:
        """Return what a reader sees of a creature; see `front`."""
        if self.viewer is None or int(self.state["known_creatures"]) >> int(creature) & 1:
            return self.creature(creature)
        price = f" (cost {int(self.tables['creature_cost'][creature])})" if cost else ""
        return f"a creature face down{price}"

    def square(self, square: int) -> str:
        """Return the name of a square, with the number of its encounter."""
        name = name_of(self.tables["square_name"][int(square)])
        encounter = int(self.tables["encounter"][int(square)])
        if int(square) == int(self.tables["key_square"]):
            return f"{name} (encounter {encounter}, the key)"
        return f"{name} (encounter {encounter})" if encounter else name

    def hero(self, seat: int) -> str:
        """Return the name of a seat's hero."""
        return name_of(self.tables["hero_name"][int(self.state["hero"][seat]) - 1])

    # --- what happens ---

    def opening(self) -> list[str]:
        """Return the rows and what lies on the board."""
        return ["", "Set-up", *(f"  {line}" for line in self._rows()), *self._stacks(), ""]

    def decision(self, prompt: int, choice: int) -> list[str]:
        """Return a choice as a sentence."""
        said = he_does(self._phrase(prompt, choice))
        return [f"  seat {int(self.state['seat']) + 1} {said}"]

    def event(self, event: int, seat: int, a: int, b: int, c: int) -> list[str]:
        """Return an event as a sentence; the start of a turn as its heading and the state."""
        if event == Event.TURN:
            heading = f"Turn {a}, seat {seat + 1} ({self.labels[seat]}, {self.hero(seat)})"
            return ["", heading, f"  {self._seat(seat)}", *self._stacks()]
        said = self._event(Event(event), seat, a, b, c)
        return [f"  {said}"]

    def ending(self) -> list[str]:
        """Return how it ended and where everybody is."""
        state = self.state
        lines = ["", *(f"  {self._seat(seat)}" for seat in range(self.players))]
        turns = f"{int(state['turn'])} turns"
        if state["status"] == Status.WON:
            winner = int(state["winner"])
            lines.append(f"Seat {winner + 1} ({self.labels[winner]}) wins after {turns}.")
        elif state["status"] == Status.CAPPED:
            lines.append(f"Nobody wins: the game is stopped after {turns}.")
        return lines

    def _event(self, event: Event, seat: int, a: int, b: int, c: int) -> str:
        who = f"seat {seat + 1}"
        if event == Event.DREW:
            return f"{who} draws {self.card(a) if self.sees(seat) else 'a card'}"
        if event == Event.RESHUFFLED:
            return f"{who} shuffles {a} discarded cards into a new deck"
        if event == Event.REFILLED:
            return f"{self.card(b)} comes to place {a + 1} of the row"
        if event == Event.EVENT:
            return f"the event {self.card(a)} is revealed: {self._special(a)}"
        if event == Event.SOLO_CARD:
            return f"{self.card(a)} comes to place {b + 1} of the row: {self._special(a)}"
        if event == Event.MOVED:
            return f"{who} pays {b} and comes to {self.square(a)}"
        if event == Event.REVEALED:
            return f"the stack is revealed: {self._stack(a)}"
        if event == Event.COMPARED:
            return f"{who} has {a} against {b}"
        if event == Event.VICTORY:
            return f"{who} overcomes the challenge"
        if event == Event.DEFEAT:
            return f"{who} is defeated"
        if event == Event.MOVED_BACK:
            return f"{who} is moved back to {self.square(a)}"
        if event == Event.TOKEN:
            return f"{who} takes the token {name_of(self.tables['token_name'][a])}"
        if event == Event.BONUS:
            return f"the alignment bonus of {self.card(a)} works: {self._bonus(a)}"
        if event == Event.DESTROYED:
            return f"{self.card(a)} is destroyed"
        if event == Event.DISCARDED:
            return f"{who} discards {self.card(a)}"
        if event == Event.PLACED:
            return self._placed(seat, a, b)
        if event == Event.OUTWITTED:
            return f"{who} takes {self.card(a)} from seat {b + 1} by Outwit"
        if event == Event.REACHED:
            return f"{who} has reached the key"
        if event == Event.DUEL:
            return f"{who} has {a} points in the duel"
        if event == Event.WON:
            return f"{who} wins"
        if event == Event.GAINED:
            return f"{who} gets {b} {POINTS[a]}"
        return f"{a} turns are over, and nobody has won"

    def _special(self, card: int) -> str:
        kind = self.tables["card_kind"][card]
        return text_of(self.tables, int(self.tables["text"][kind])) or "nothing happens"

    def _bonus(self, card: int) -> str:
        return gains_text(self.tables["bonus"][self.tables["card_kind"][card]])

    def _placed(self, encounter: int, what: int, which: int) -> str:
        place = self.square(int(self.tables["encounter_square"][encounter]))
        if what == 0:
            return f"{self.front(which, cost=True)} is placed on {place}"
        if what == 1:
            return f"{self.creature_front(which, cost=True)} is placed on {place}"
        owner = self.state["gear_owner"][encounter, self._type(which) - 1]
        hidden = owner != 0 and not self.sees(int(owner) - 1)
        return f"{'equipment' if hidden else self.card(which)} is placed on {place}"

    # --- what can be done ---

    def _phrase(self, prompt: int, choice: int) -> str:
        """Return a choice as a phrase that begins with its verb."""
        state = self.state
        seat = int(state["seat"])
        if prompt == Prompt.HERO:
            return f"pick {name_of(self.tables['hero_name'][choice])}"
        if prompt == Prompt.START:
            return f"begin on {self.square(self.tables['start_square'][choice])}"
        if prompt == Prompt.MAIN:
            return self._main(seat, choice)
        if prompt == Prompt.FIGHT:
            return "compare the points" if choice == 0 else self._main(seat, choice)
        if prompt == Prompt.PUT:
            card = self.card(state["hand"][seat, int(state["place"])])
            if choice == 0:
                return f"put {card} on"
            if choice < 4:
                under = self.card(int(state["equipment"][seat, choice - 1]) - 1)
                return f"forge {card} under {under}"
            return f"lay {card} on {self._encounter(choice - 4)}"
        if prompt == Prompt.PLACE:
            if choice == 0:
                return "put it on the discard pile"
            return f"put it on {self._encounter(choice - 1)}"
        if prompt == Prompt.OPTION:
            ways = text_of(self.tables, int(state["card"])).split(" or ")
            return f"choose {ways[choice]}"
        if prompt == Prompt.CULL:
            if choice == 0:
                return "destroy nothing"
            return f"choose {self._held(seat, choice, CULL_PILE)} to destroy"
        if prompt == Prompt.RECOVER:
            return f"take back {self.card(self._pile(seat)[choice - 1])}"
        if prompt == Prompt.SPOILS:
            place = int(state["place"])
            card = self.card(int(state["gear"][place >> 2, place & 3]) - 1)
            where = ("destroy {}", "take {} to hand", "discard {}")[choice]
            return where.format(card)
        if prompt == Prompt.LOSE_EQUIPMENT:
            return f"give up {self.card(int(state['equipment'][seat, choice - 1]) - 1)}"
        if prompt == Prompt.DISCARD:
            return f"discard {self.card(state['hand'][seat, choice - 1])}"
        if prompt == Prompt.OUTWIT:
            card = self.card(int(state["card"]))
            return f"play Outwit for {card}" if choice else f"leave {card} alone"
        if prompt == Prompt.ROW_EQUIPMENT:
            return f"choose {self.card(int(state['row'][choice - 1]) - 1)} for a stack"
        return f"lay it on {self._encounter(choice - 1)}"

    def _main(self, seat: int, choice: int) -> str:
        state, tables = self.state, self.tables
        if choice == Main.END:
            return "end the main phase"
        if choice == Main.PLAY_ALL:
            return "use all equipment and all effects that ask nothing"
        if choice < Main.PLAY:
            return f"use {self.card(int(state['equipment'][seat, choice - Main.USE]) - 1)}"
        if choice < Main.BUY:
            return f"play {self.card(state['hand'][seat, choice - Main.PLAY])}"
        if choice < Main.CHALLENGE:
            card = int(state["row"][choice - Main.BUY]) - 1
            cost = int(tables["cost"][tables["card_kind"][card]])
            return f"buy {self.card(card)} for {cost}"
        if choice < Main.TRAVEL:
            place = choice - Main.CHALLENGE
            visible = int(location_places(tables))
            if place < visible:
                which = int(state["location_row"][place]) - 1
                return f"buy {self.front(which)} for {int(tables['location_cost'][which])}"
            which = int(state["creature_row"][place - visible]) - 1
            return f"buy {self.creature_front(which)} for {int(tables['creature_cost'][which])}"
        if choice < Main.TOKEN:
            edge = choice - Main.TRAVEL
            to = int(tables["edge_to"][int(state["square"][seat]), edge]) - 1
            return f"go to {self.square(to)} for {int(travel_number(state, tables, seat, edge))}"
        if choice < Main.DESTROY:
            return f"play the token {name_of(tables['token_name'][choice - Main.TOKEN])}"
        if choice < Main.DISCARD:
            played = [
                int(card)
                for card in state["played"][: int(state["played_size"])]
                if tables["destroy_text"][tables["card_kind"][int(card)]]
            ]
            return f"destroy {self.card(played[choice - Main.DESTROY])}"
        return "discard a card"

    def _encounter(self, encounter: int) -> str:
        return self.square(int(self.tables["encounter_square"][encounter]))

    def _type(self, card: int) -> int:
        return int(self.tables["type"][self.tables["card_kind"][int(card)]])

    def _pile(self, seat: int) -> list[int]:
        """Return the cards of a discard pile, the top one first."""
        return self._chain(int(self.state["discard"][seat]))

    def _chain(self, link: int) -> list[int]:
        cards = []
        while link:
            cards.append(link - 1)
            link = int(self.state["next"][link - 1])
        return cards

    def _held(self, seat: int, choice: int, pile: int) -> str:
        if choice >= pile:
            return f"{self.card(self._pile(seat)[choice - pile])} of the discard pile"
        return f"{self.card(self.state['hand'][seat, choice - 1])} of the hand"

    # --- for a person who plays ---

    def question(self, prompt: int) -> str:
        """Return what the seat is asked."""
        state = self.state
        seat = int(state["seat"])
        points = self._points()
        if prompt == Prompt.MAIN:
            return f"You have {points}."
        if prompt == Prompt.FIGHT:
            needed = int(points_needed(state, self.tables, seat, int(state["fighting"]) - 1))
            return f"The challenge needs {needed} of red and gold; you have {points}."
        if prompt == Prompt.OUTWIT:
            price = int(self.tables["cost"][self.tables["card_kind"][int(state["card"])]])
            return f"Seat {int(state['active']) + 1} has bought a card for {price}: Outwit?"
        return {
            Prompt.HERO: "Which hero do you play?",
            Prompt.START: "Where do you begin?",
            Prompt.PUT: "What do you do with this equipment?",
            Prompt.PLACE: "Where does the card go?",
            Prompt.OPTION: "Which of the two?",
            Prompt.CULL: "Which card do you destroy?",
            Prompt.RECOVER: "Which card do you take back?",
            Prompt.SPOILS: "What happens to this equipment of the stack?",
            Prompt.LOSE_EQUIPMENT: "Which equipment do you give up?",
            Prompt.DISCARD: "Which card do you discard?",
            Prompt.ROW_EQUIPMENT: "Which equipment of the row goes onto a stack?",
            Prompt.STACK: "Onto which stack?",
        }[Prompt(prompt)]

    def option(self, prompt: int, choice: int) -> str:
        """Return a choice in words, with what it does where that is printed on a card."""
        text = self._phrase(prompt, choice)
        seat = int(self.state["seat"])
        if prompt == Prompt.HERO:
            gains = gains_text(self.tables["hero_gain"][choice])
            other = gains_text(self.tables["hero_alternate"][choice])
            return f"{text} ({gains}{f'; every other turn {other}' if other else ''})"
        if prompt in (Prompt.MAIN, Prompt.FIGHT):
            if Main.PLAY <= choice < Main.BUY:
                card = int(self.state["hand"][seat, choice - Main.PLAY])
                return f"{text} ({self._says(card)})"
            if Main.BUY <= choice < Main.CHALLENGE:
                card = int(self.state["row"][choice - Main.BUY]) - 1
                return f"{text} ({self._says(card)})"
        return text

    def _says(self, card: int) -> str:
        """Return what is printed on a card."""
        tables = self.tables
        kind = int(tables["card_kind"][card])
        parts = [Type(int(tables["type"][kind])).name.lower()]
        if tables["icon"][kind]:
            parts[0] = f"{Icon(int(tables['icon'][kind])).name.lower()} item"
        if tables["alignment"][kind]:
            alignment = Alignment(int(tables["alignment"][kind])).name
            parts.append(alignment.replace("_", " ").title())
        says = [gains_text(tables["gain"][kind]), text_of(tables, int(tables["text"][kind]))]
        parts.append(", ".join(part for part in says if part) or "nothing")
        if tables["has_bonus"][kind]:
            parts.append(f"aligned: {gains_text(tables['bonus'][kind])}")
        if tables["can_forge"][kind]:
            parts.append(f"forge: {gains_text(tables['forge'][kind])}")
        if tables["destroy_text"][kind]:
            parts.append(f"destroy: {text_of(tables, int(tables['destroy_text'][kind]))}")
        if tables["outwits"][kind]:
            parts.append("takes the card another player has just bought")
        return "; ".join(parts)

    def view(self, seat: int) -> list[str]:
        """Return everything that a seat can see."""
        state = self.state
        lines = [*self._rows(), *self._stacks(), ""]
        for other in range(self.players):
            lines.append(self._seat(other))
            names = ", ".join(self.card(card) for card in self._pile(other))
            lines.append(f"  discard pile: {names or 'empty'}")
        hand = [int(card) for card in state["hand"][seat, : int(state["hand_size"][seat])]]
        lines += ["", "your hand:", *(f"  {self.card(card)} ({self._says(card)})" for card in hand)]
        if int(state["active"]) == seat:
            lines.append(f"your points: {self._points()}")
        deck = self._chain(int(state["deck"][seat]))
        names = ", ".join(sorted(self.card(card) for card in deck))
        lines.append(f"your deck, in no order: {names or 'empty'}")
        return lines

    # --- the table ---

    def _points(self) -> str:
        return ", ".join(f"{int(self.state[word])} {word}" for word in POINTS)

    def _rows(self) -> list[str]:
        state, tables = self.state, self.tables
        cards = []
        for place in range(int(tables["row_size"])):
            card = int(state["row"][place]) - 1
            if card >= 0:
                cost = int(tables["cost"][tables["card_kind"][card]])
                cards.append(self.card(card) if card >= FIRST_SOLO else f"{self.card(card)} {cost}")
        lines = [f"row: {', '.join(cards) or 'empty'}"]
        fronts = [
            f"{self.front(number - 1)} {int(tables['location_cost'][number - 1])}"
            for number in state["location_row"]
            if number
        ]
        fronts += [
            f"{self.creature_front(number - 1)} {int(tables['creature_cost'][number - 1])}"
            for number in state["creature_row"]
            if number
        ]
        return [*lines, f"challenges: {', '.join(fronts) or 'none'}"]

    def _stack(self, encounter: int) -> str:
        """Return a stack in words; of what lies face down the front only."""
        state, tables = self.state, self.tables
        location = int(state["location"][encounter]) - 1
        parts = [self.front(location, cost=True)]
        if int(state["known_locations"]) >> location & 1:
            parts[0] += f" {int(tables['location_points'][location])}"
            icon = int(tables["location_icon"][location])
            if icon:
                less = int(tables["location_reduced"][location])
                parts[0] += f" ({less} with {Icon(icon).name.lower()})"
        creature = int(state["creature"][encounter]) - 1
        if creature >= 0:
            known = int(state["known_creatures"]) >> creature & 1
            points = f" {int(tables['creature_points'][creature])}" if known else ""
            parts.append(self.creature_front(creature, cost=True) + points)
        for slot in range(SLOTS):
            card = int(state["gear"][encounter, slot]) - 1
            owner = int(state["gear_owner"][encounter, slot])
            if card >= 0:
                seen = owner == 0 or self.sees(owner - 1)
                parts.append(self.card(card) if seen else f"{SLOT[slot]} face down")
        return ", ".join(parts)

    def _stacks(self) -> list[str]:
        lines = []
        for encounter in range(int(self.tables["encounters"])):
            if self.state["location"][encounter]:
                place = self.square(int(self.tables["encounter_square"][encounter]))
                lines.append(f"  on {place}: {self._stack(encounter)}")
        return lines

    def _seat(self, seat: int) -> str:
        """Return one line about a seat: place, cards, equipment, tokens."""
        state, tables = self.state, self.tables
        if not state["hero"][seat]:
            return f"seat {seat + 1} has not begun"
        square = int(state["square"][seat])
        text = f"seat {seat + 1} on {self.square(square)}, {int(tables['distance'][square])} to go"
        text += f"; hand {int(state['hand_size'][seat])}, deck {int(state['deck_size'][seat])}"
        text += f", discarded {int(state['discard_size'][seat])}"
        worn = []
        for slot in range(SLOTS):
            card = int(state["equipment"][seat, slot]) - 1
            if card >= 0:
                under = int(state["forged"][seat, slot]) - 1
                worn.append(self.card(card) + (f" + {self.card(under)}" if under >= 0 else ""))
        text += f"; {', '.join(worn) or 'no equipment'}"
        tokens = [
            f"{int(state['tokens'][seat, kind])} x {name_of(tables['token_name'][kind])}"
            for kind in range(int(tables["token_kinds"]))
            if state["tokens"][seat, kind]
        ]
        return text + (f"; {', '.join(tokens)}" if tokens else "")
