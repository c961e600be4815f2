"""A small cooperative game drawn by hand, on top of `Sheet`."""

from __future__ import annotations

from typing import Any

from sim.near_and_far.state import Effect, EndTrigger, Place, Prompt, Step, Tally
from tests.sim.near_and_far.sheet import Sheet, reward

__all__ = ["Effect", "Place", "Prompt", "Step", "Tally", "Team", "reward"]

FIRST, LAST = 50, 60  # numbers of the track; the skull comes after the last one


class Team(Sheet):
    """A team in the middle of a round: a track from 50 to 60, no boss and no minion yet."""

    def __init__(
        self,
        roads: str = "t-a",
        players: int = 2,
        *,
        first: int = FIRST,
        hours: int = LAST - FIRST + 1,
        **numbers: Any,
    ) -> None:
        """Draw the map and set numbers of the tables; the skull is `hours` after the first one."""
        given = {
            "coop": 1,
            "minions": 1,
            "end_trigger": EndTrigger.CAMPS,
            "failed_stay": 1,
            "minion_coins": 1,
            **numbers,
        }
        super().__init__(roads, players, **given)
        tables, state = self.tables, self.state
        tables["time_spaces"] = hours + 1
        for space in range(hours):
            tables["time_value"][space] = first + space
            tables["time_next"][space] = space + 1
        tables["time_next"][hours] = hours
        tables["time_skull"] = 1 << hours
        state["together"] = 1
        state["time_value"] = first

    def token(self, value: int, *, swords: int = 0) -> None:
        """Put the time token on a number; `swords` is a number with swords."""
        self.state["time_space"] = value - FIRST
        self.state["time_value"] = value
        if swords:
            self.tables["time_swords"] |= 1 << (swords - FIRST)

    def bosses(self, *levels: int, left: int | None = None, spaces: str = "") -> None:
        """Have bosses in play, `left` of them not beaten; on the spaces that are named."""
        count = len(levels)
        self.tables["bosses"] = count
        self.tables["boss_cards"] = self.state["bosses"] = (1 << count) - 1
        self.tables["boss_level"][:count] = levels
        left = count if left is None else left
        beaten = count - left
        self.state["bosses_left"] = ((1 << left) - 1) << beaten
        self.state["boss_owner"][:beaten] = 1
        for boss, name in enumerate(spaces):
            self.tables["boss_space"][boss] = self.space(name)

    def minion(
        self,
        minion: int,
        effect: Effect,
        place: Place = Place.FARM,
        *,
        amount: int = 1,
        skill: int = 6,
        swords: int = 7,
        town: bool = True,
        **rewards: int,
    ) -> None:
        """Print a minion and put it in town, or into the deck."""
        tables = self.tables
        tables["minion_cards"] |= 1 << minion
        tables["minion_place"][minion] = place
        tables["minion_effect"][minion] = effect
        tables["minion_amount"][minion] = amount
        tables["minion_need"][minion] = skill, swords
        tables["minion_reward"][minion] = reward(**(rewards or {"reputation": 1}))
        self.state["minions_in_town" if town else "minion_deck"] |= 1 << minion

    def cards(self, *numbers: int, seat: int = 0) -> None:
        """Give a seat artifacts to hold."""
        self.tables["basic_cards"] |= sum(1 << card for card in numbers)
        self.state["hand"][seat] |= sum(1 << card for card in numbers)
        self.tables["artifact_cost"][list(numbers), 1] = 99

    def hold(self, *numbers: int, birds: int = 3, seat: int = 0) -> None:
        """Give a seat treasures and the birds to hold them."""
        self.tables["treasure_cards"] |= sum(1 << card for card in numbers)
        self.state["treasures"][seat] |= sum(1 << card for card in numbers)
        self.state["birds"][seat] = birds

    def round(self) -> int:
        """End the last seat's turn: the first player begins a round; return the prompt."""
        players = int(self.state["players"])
        self.state["turn"] = 2 * players
        return self.at(Step.NEXT_TURN, seat=players - 1)

    def turn(self, seat: int = 0) -> int:
        """Ask a seat for its turn."""
        return self.at(Step.ASK_TURN, seat=seat)

    def finish(self, *totals: int) -> None:
        """End the game with these points."""
        self.state["journey"][: len(totals)] = totals
        self.state["ending"] = 1 + EndTrigger.CAMPS
        self.at(Step.NEXT_TURN, seat=int(self.state["players"]) - 1)
        assert self.over

    @property
    def won(self) -> bool:
        """Whether the team has won."""
        return bool(self.state["winners"])
