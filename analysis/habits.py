"""One player plays with another value of a weight, the others as they are, on the same deals.

A strategy's weight is what it thinks a thing is worth; with another one it does more of it, or
less. So what a pursuit is worth to a player is measured on one player at a time, like an option
that is denied, but for things that the rules cannot deny.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.paired import Column
from analysis.question import Play, Setting
from strategies.presets import presets_of


@dataclass(frozen=True)
class Habit:
    """The player whose weight is varied.

    weight: its name. spec: the strategy that has it; slots: where that one sits in the lineup, of
    rotating seats the first only. scripted: the value it plays with; low, high: what it may be.
    """

    weight: str
    spec: str
    slots: tuple[int, ...]
    scripted: float
    low: float
    high: float

    def with_value(self, value: float) -> str:
        """The strategy with another value."""
        name, *options = self.spec.split(":")
        kept = [option for option in options if option.split("=")[0].strip() != self.weight]
        return ":".join([name, *kept, f"{self.weight}={value:.15g}"])

    def plays(self, setting: Setting, value: float) -> list[Play]:
        """One play for each slot, in which it alone plays with the value."""
        found = []
        for slot in self.slots:
            seats = list(setting.seats)
            seats[slot] = self.with_value(value)
            name = f"slot {slot + 1}: {self.weight} {value:g}"
            found.append(Play(name, seats=tuple(seats)))
        return found

    def columns(self, first: int, field: str = "win") -> list[Column]:
        """The varied players' rows in `plays`, the first of which has this number."""
        return [Column(first + i, field, slot=slot) for i, slot in enumerate(self.slots)]

    def as_scripted(self, field: str = "win") -> list[Column]:
        """The same players' rows in play 0, where nothing is varied."""
        return [Column(0, field, slot=slot) for slot in self.slots]


def find_habit(setting: Setting, weight: str) -> Habit | None:
    """The first strategy of the lineup that ships with the game and has the weight, or None."""
    presets = presets_of(setting.game)
    for spec in setting.seats:
        name, *options = (part.strip() for part in spec.split(":"))
        weights = {w.name: w for w in presets[name].weights} if name in presets else {}
        if weight not in weights:
            continue
        known = weights[weight]
        own = {
            key.strip(): value for key, _, value in (option.partition("=") for option in options)
        }
        scripted = float(own.get(weight, known.value))
        slots = tuple(slot for slot, other in enumerate(setting.seats) if other == spec)
        kept = slots[:1] if setting.rotate else slots
        return Habit(weight, spec, kept, scripted, known.low, known.high)
    return None
