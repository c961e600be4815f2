"""A board of Dobbers to set up by hand and play move by move through the public stepper.

Everything a test does not place is left as the set-up leaves it; hands start empty. Every
decision checks the invariants of the contract.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from sim.dobbers.content import pack_numbers
from sim.dobbers.points import count_alignments, note_worn
from sim.dobbers.stacks import note_stack, stand_on
from sim.dobbers.state import (
    FIRST_ADVENTURE,
    MAX_ROW,
    NO_PRICE,
    PRICE_BITS,
    STARTERS,
    Main,
    Prompt,
    Step,
    Tally,
    Type,
)
from sim.game import load_game
from tests.contract import Session
from tests.sim.dobbers.contract import conserved, deck, discard, hand, make_tables

__all__ = ["Board", "Main", "Prompt", "Tally"]

POINTS = ("influence", "red", "blue", "gold")


def name_of(words: Any) -> str:
    """Return a name out of the tables as the files have it."""
    return np.ascontiguousarray(words).tobytes().rstrip(b"\0").decode()


class Board(Session):
    """Dobbers with words for placing things and for moves. Seats count from 0."""

    def __init__(
        self,
        players: int = 2,
        *,
        heroes: tuple[str, ...] = ("toby", "herb", "shaori", "brakka"),
        seed: int = 1,
        deal: int = 0,
        **patches: Any,
    ) -> None:
        """Set up with these heroes, seat by seat, and stop at the first MAIN with empty hands."""
        super().__init__(
            load_game("dobbers"), make_tables(players, **patches), seed=seed, deal=deal
        )
        for seat in range(players):
            self.tables["force_hero"][seat] = 1 + self.number("hero", heroes[seat])
        self.open()
        while self.prompt == Prompt.START:
            self.choose(self.legal[0])
        for seat in range(players):
            self.hand(seat)  # then `refresh`, once there is something to decide

    # --- looking ---------------------------------------------------------------------------------

    def number(self, what: str, name: str) -> int:
        """Return the number of a hero, location, creature, token, square or kind of card."""
        names = [name_of(words) for words in self.tables[f"{what}_name"]]
        return names.index(name)

    def kind(self, name: str) -> int:
        """Return the kind of a card."""
        return self.number("kind", name)

    def named(self, card: int) -> str:
        """Return the name of a card."""
        return name_of(self.tables["kind_name"][self.tables["card_kind"][card]])

    def points(self) -> tuple[int, ...]:
        """Return influence, red, blue and gold of the active player."""
        return tuple(int(self.state[word]) for word in POINTS)

    def held(self, seat: int) -> list[str]:
        """Return the names of the cards in a hand, sorted."""
        return sorted(self.named(card) for card in hand(self.state, seat))

    def discarded(self, seat: int) -> list[str]:
        """Return the names of a discard pile, sorted."""
        return sorted(self.named(card) for card in discard(self.state, seat))

    def deck(self, seat: int) -> list[str]:
        """Return the names of a seat's deck, sorted."""
        return sorted(self.named(card) for card in deck(self.state, seat))

    def destroyed(self) -> list[str]:
        """Return the names of the cards out of the game."""
        cards, link = [], int(self.state["destroyed"])
        while link:
            cards.append(self.named(link - 1))
            link = int(self.state["next"][link - 1])
        return cards

    def row(self) -> list[str]:
        """Return the names in the adventure row; "" for an empty place."""
        size = int(self.tables["row_size"])
        return [self.named(int(link) - 1) if link else "" for link in self.state["row"][:size]]

    def of(self, name: str, seat: int) -> int:
        """Return a number of a seat."""
        return int(self.state[name][seat])

    def tally(self, what: Tally, seat: int) -> int:
        """Return a count of a seat."""
        return int(self.state["tally"][seat, what])

    # --- placing ---------------------------------------------------------------------------------

    def find(self, name: str, seat: int = 0) -> int:
        """Return a card of this name that lies in the adventure deck, the row or a seat's deck."""
        kind = self.kind(name)
        own = [seat * STARTERS + n for n in range(int(self.tables["starting_cards"]))]
        loose = (FIRST_ADVENTURE + np.flatnonzero(self.state["adventure"])).tolist()
        loose += [int(link) - 1 for link in self.state["row"] if link]
        in_deck = deck(self.state, seat)
        for card in [*loose, *[card for card in own if card in in_deck]]:
            if self.tables["card_kind"][card] == kind:
                return card
        raise AssertionError(f"no {name} is free")

    def take(self, card: int) -> int:
        """Take a card out of the adventure deck, the row or a deck; the row is filled again."""
        state = self.state
        cards = (FIRST_ADVENTURE + np.flatnonzero(state["adventure"])).tolist()
        if card in cards:
            cards.remove(card)
        elif card + 1 in state["row"]:
            place = list(state["row"]).index(card + 1)
            state["row"][place] = cards.pop() + 1
            self._price()
        else:
            for seat in range(int(self.tables["players"])):
                pile = deck(state, seat)
                if card in pile:
                    pile.remove(card)
                    self.lay_deck(seat, pile)
                    break
            else:
                raise AssertionError("the card is in use")
        self._lay_adventure(cards)
        state["next"][card] = 0
        return card

    def _lay_adventure(self, cards: list[int]) -> None:
        self.state["adventure"] = 0
        self.state["adventure"][np.array(cards, int) - FIRST_ADVENTURE] = 1
        self.state["adventure_size"] = len(cards)

    def lay_deck(self, seat: int, cards: list[int]) -> None:
        """Make a seat's deck of these cards."""
        link = 0
        for card in cards:
            self.state["next"][card] = link
            link = card + 1
        self.state["deck"][seat] = link
        self.state["deck_size"][seat] = len(cards)
        self.state["in_order"][seat] = 0

    def lay_discard(self, seat: int, *names: str) -> None:
        """Put cards on a discard pile, the last one on top."""
        for name in names:
            card = self.take(self.find(name, seat))
            self.state["next"][card] = self.state["discard"][seat]
            self.state["discard"][seat] = card + 1
            self.state["discard_size"][seat] += 1

    def hand(self, seat: int, *names: str) -> None:
        """Give a seat exactly these cards; what it held goes back into its deck."""
        state = self.state
        self.lay_deck(seat, deck(state, seat) + hand(state, seat))
        state["hand"][seat] = 0
        state["hand_size"][seat] = 0
        for place, name in enumerate(names):
            state["hand"][seat, place] = self.take(self.find(name, seat))
            state["hand_size"][seat] += 1

    def equip(self, seat: int, *names: str) -> None:
        """Put equipment on a hero."""
        for name in names:
            card = self.take(self.find(name, seat))
            slot = int(self.tables["type"][self.tables["card_kind"][card]]) - 1
            assert self.state["equipment"][seat, slot] == 0
            self.state["equipment"][seat, slot] = card + 1
        self.call(note_worn, "state tables seat", seat)
        self.call(count_alignments, "state tables")

    def lay_row(self, *names: str) -> None:
        """Make these cards lie in the adventure row, from the left."""
        for place, name in enumerate(names):
            card = self.take(self.find(name))
            self.state["adventure"][int(self.state["row"][place]) - 1 - FIRST_ADVENTURE] = 1
            self.state["adventure_size"] += 1
            self.state["row"][place] = card + 1
        self._price()

    def _price(self) -> None:
        """Note what lies in the rows costs, as the rules would have done."""
        state, tables = self.state, self.tables
        for what in ("row", "location", "creature"):
            state[f"{what}_prices"] = 0
        for place in range(MAX_ROW):
            link = int(state["row"][place])
            kind = int(tables["card_kind"][link - 1])
            fits = link and tables["type"][kind] <= Type.ITEM
            cost = int(tables["cost"][kind]) if fits else NO_PRICE
            state["row_prices"] |= cost << (PRICE_BITS * place)
            for what in ("location", "creature"):
                link = int(state[f"{what}_row"][place])
                cost = int(tables[f"{what}_cost"][link - 1]) if link else NO_PRICE
                state[f"{what}_prices"] |= cost << (PRICE_BITS * place)

    def _swap(self, what: str, number: int) -> None:
        """Bring a location or creature out of the deck or the row, something else for it."""
        state = self.state
        size = int(state[f"{what}_deck_size"])
        pile = [int(other) for other in state[f"{what}_deck"][:size]]
        if number not in pile:
            place = list(state[f"{what}_row"]).index(number + 1)
            state[f"{what}_row"][place] = pile.pop(0) + 1
        else:
            pile.remove(number)
        state[f"{what}_deck"][:] = 0
        state[f"{what}_deck"][: len(pile)] = pile
        state[f"{what}_deck_size"] = len(pile)
        self._price()

    def lay_challenge(self, what: str, name: str, place: int = 0) -> None:
        """Make a location or creature lie in the challenge row."""
        number = self.number(what, name)
        self._swap(what, number)
        size = int(self.state[f"{what}_deck_size"])
        self.state[f"{what}_deck"][size] = self.state[f"{what}_row"][place] - 1
        self.state[f"{what}_deck_size"] = size + 1
        self.state[f"{what}_row"][place] = number + 1
        self._price()

    def stack(self, encounter: int, location: str, creature: str = "", *gear: str) -> None:
        """Build a stack on an encounter square (from 0), face down."""
        state = self.state
        number = self.number("location", location)
        self._swap("location", number)
        state["location"][encounter] = number + 1
        if creature:
            number = self.number("creature", creature)
            self._swap("creature", number)
            state["creature"][encounter] = number + 1
        for name in gear:
            card = self.take(self.find(name))
            slot = int(self.tables["type"][self.tables["card_kind"][card]]) - 1
            state["gear"][encounter, slot] = card + 1
        self.call(note_stack, "state tables encounter", encounter)

    def token(self, seat: int, name: str, count: int = 1) -> None:
        """Give a seat tokens."""
        kind = self.number("token", name)
        self.state["tokens"][seat, kind] += count
        self.state["held_tokens"][seat] |= (count > 0) << kind
        self.state["token_pile"][kind] -= count

    def stand(self, seat: int, square: int, number: int | None = None) -> None:
        """Put a hero on a square, come along the path from its start; set the next number."""
        path = [int(self.tables["start_square"][seat])]
        while path[-1] != square:
            path.append(int(self.tables["edge_to"][path[-1], 0]) - 1)
        self.state["came_from"][seat] = 0
        for before, after in itertools.pairwise(path):
            self.state["came_from"][seat, after] = before + 1
        self.call(stand_on, "state tables seat square", seat, square)
        if number is not None:
            self.tables["edge_number"][square, 0] = number
            pack_numbers(self.tables)

    def before(self, encounter: int, seat: int = 0) -> int:
        """Return the square one step before an encounter (from 0) on a seat's way."""
        target = int(self.tables["encounter_square"][encounter])
        square = int(self.tables["start_square"][seat])
        while (after := int(self.tables["edge_to"][square, 0]) - 1) != target:
            square = after
        return square

    def pool(self, **points: int) -> None:
        """Set points of the active player."""
        for word, amount in points.items():
            self.state[word] = amount

    # --- moving ----------------------------------------------------------------------------------

    def advance(self, choice: int) -> int:
        """Hand a choice to the rules and check what must hold at the next decision."""
        prompt = super().advance(choice)
        conserved(self.state, self.tables)
        return prompt

    def refresh(self) -> int:
        """Ask the active player again, after something was placed by hand."""
        self.state["step"] = Step.ASK_MAIN
        return self.advance(0)

    def answer(self, prompt: Prompt, choice: int, seat: int | None = None) -> int:
        """Answer a prompt that must be the open one."""
        assert Prompt(self.prompt) == prompt
        if seat is not None:
            assert self.seat == seat
        return self.choose(choice)

    def main(self, choice: int) -> int:
        """Choose in the main phase."""
        return self.answer(Prompt.MAIN, choice)

    def place_of(self, name: str) -> int:
        """Return the place of a card in the hand of the seat that is asked."""
        return [self.named(card) for card in hand(self.state, self.seat)].index(name)

    def play(self, name: str) -> int:
        """Play a card of the hand, in the main phase or in a challenge."""
        return self.choose(Main.PLAY + self.place_of(name))

    def can_play(self, name: str) -> bool:
        """Say whether a card of the hand can be played."""
        return Main.PLAY + self.place_of(name) in self.legal

    def buy(self, name: str) -> int:
        """Buy a card of the adventure row."""
        return self.main(Main.BUY + self.row().index(name))

    def challenge_place(self, what: str, name: str) -> int:
        """Return the choice of MAIN that buys a location or creature."""
        place = list(self.state[f"{what}_row"]).index(self.number(what, name) + 1)
        if what == "creature" and not self.tables["solo"]:
            place += int(self.tables["locations_visible"])
        return Main.CHALLENGE + place

    def go(self) -> int:
        """Travel along the first edge: towards the key."""
        return self.main(Main.TRAVEL)

    def can_go(self) -> bool:
        """Whether the active player can go on towards the key."""
        return self.prompt == Prompt.MAIN and Main.TRAVEL in self.legal

    def end(self) -> int:
        """End the main phase."""
        return self.main(Main.END)

    def round(self) -> None:
        """End the turn and those of all others; a turn in which nothing can be done ends itself."""
        seat = int(self.state["active"])
        self.end()
        while int(self.state["active"]) != seat:
            self.end()


assert FIRST_ADVENTURE == 4 * STARTERS
