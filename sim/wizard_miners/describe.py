"""Words for the states, choices and events of Wizard Miners, for traces and for people who play.

Seats are numbered from 1 here, as people do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.wizard_miners.mine import cards_in_play, chart_cards, deck_left
from sim.wizard_miners.state import (
    BUY_DYNAMITE,
    CLEAN_UP,
    EFFECTS,
    ENTIRE_PILE,
    Effect,
    Event,
    Prompt,
    Spell,
    Status,
    Tool,
)
from sim.wording import counted

LEVEL = ("no", "basic", "big", "great")
TOOL = tuple(tool.name.lower() for tool in Tool)
SPELL = {spell: spell.name.replace("_", " ").title() for spell in Spell}
SPELL |= {Spell.CAVE_IN: "Cave-in", Spell.OUT_FOR_REPAIR: "Out for Repair"}
_IRREGULAR = {"do": "does", "pass": "passes"}


def he_does(phrase: str) -> str:
    """Return "buys a drill" for "buy a drill"."""
    verb, space, rest = phrase.partition(" ")
    return _IRREGULAR.get(verb, f"{verb}s") + space + rest


class Narrator:
    """Tells one game; see `sim.trace.Narrator`."""

    def __init__(
        self, state: Any, tables: Any, labels: Sequence[str], viewer: int | None = None
    ) -> None:
        self.state = state
        self.tables = tables
        self.labels = labels
        self.viewer = viewer
        self.effects = np.zeros_like(state["effects"])
        self.shore_ups = np.zeros_like(state["shore_ups"])

    # --- what happens ---

    def opening(self) -> list[str]:
        """Return wizards, gems and hands."""
        lines = ["", "Set-up"]
        for seat in range(self.players):
            line = f"  seat {seat + 1}: wizard {self.state['wizard'][seat]}, {self._gems(seat)}"
            hand = (
                self._hand(seat)
                if self.sees(seat)
                else counted(int(self.state["hand_size"][seat]), "card")
            )
            if self.tables["spells_on"]:
                line += f", spells: {hand or 'none'}"
            lines.append(line)
        lines.append("")
        return lines

    def decision(self, prompt: int, choice: int) -> list[str]:
        """Return a choice as a sentence."""
        said = he_does(self._phrase(prompt, choice))
        return [*self._new_effects(), f"  seat {int(self.state['seat']) + 1} {said}"]

    def event(self, event: int, seat: int, a: int, b: int, c: int) -> list[str]:
        """Return an event as a sentence; the start of a turn as its heading and the state."""
        if event == Event.TURN:
            return [*self._new_effects(), *self._turn(seat, a)]
        said = self._event(Event(event), seat, a, b, c)
        return [*self._new_effects(), f"  {said}"]

    def ending(self) -> list[str]:
        """Return how it ended and what everybody has."""
        state = self.state
        lines = [*self._new_effects(), "", *self._table(range(self.players))]
        rolls = counted(int(state["turn"]), "roll")
        if state["status"] == Status.WON:
            winner = int(state["winner"])
            lines.append(f"Seat {winner + 1} ({self.labels[winner]}) wins after {rolls}.")
        elif state["status"] == Status.CAPPED:
            lines.append(f"Nobody wins: the game is stopped after {rolls}.")
        return lines

    def _turn(self, seat: int, turn: int) -> list[str]:
        heading = f"Roll {turn}, turn of seat {seat + 1} ({self.labels[seat]})"
        first_of_round = (turn - 1) % self.players == 0
        who = range(self.players) if first_of_round else (seat,)
        return ["", heading, *self._table(who)]

    def _event(self, event: Event, seat: int, a: int, b: int, c: int) -> str:
        who = f"seat {seat + 1}"
        if event == Event.ROLL:
            return f"the dice show {a} + {b} = {a + b}"
        if event == Event.CAVE_IN_DIE:
            return f"the third die shows {'CAVE-IN' if a else 'no cave-in'}"
        if event == Event.CARD_UP:
            return f"{who} turns up the cave-in card"
        if event == Event.CAVE_IN:
            return self._cave_in(seat, a, b, c)
        if event == Event.MINED:
            return f"{who} mines {self._mined(a, b, c)}{self._now(seat)}"
        if event == Event.BONUS:
            return f"{who} gets {counted(a, 'bonus card')} of great tools for taking no action"
        if event == Event.DREW:
            return f"{who} draws {SPELL[Spell(a)] if self.sees(seat) else 'a spell'}"
        if event == Event.RESHUFFLED:
            return "the discarded spells are shuffled and form the new deck"
        if event == Event.RAN_OUT:
            cards = f"{b} x " if b > 1 else ""
            return f"{cards}{self._effect_name(a)} of {who} runs out"
        if event == Event.RETURNED:
            back = counted(a, "rubble card")
            return f"{back} of {who} {'goes' if a == 1 else 'go'} back on the deck{self._now(seat)}"
        if event == Event.BROKEN:
            return f"{who} loses the {LEVEL[b]} {TOOL[a]}"
        if event == Event.NO_EFFECT:
            return f"{SPELL[Spell(a)]} does nothing: {who} has no tool"
        if event == Event.WON:
            return f"{who} has no mine card left in the own turn and wins"
        return f"{counted(a, 'roll')} are over, and nobody has won"

    def _mined(self, old: int, new: int, gems: int) -> str:
        """Return face-up cards, which bring no gems, and face-down ones."""
        parts = [counted(old, "face-up card")] if old else []
        if new:
            parts.append(f"{counted(new, 'card')} for {counted(gems, 'gem')}")
        return " and ".join(parts)

    def _cave_in(self, seat: int, roll: int, total: int, fallen: int) -> str:
        """Return a cave-in roll with its sum; the dynamite still lies there when it is reported."""
        parts = f"{roll}"
        if dynamite := int(self.state["dynamite"][seat]):
            parts += f" + {dynamite} (dynamite)"
        if shore_ups := int(self.state["shore_ups"][seat]):
            amount = int(self.tables["spell_amount"][Spell.SHORE_UP])
            parts += f" - {shore_ups * amount} ({'Shore Up' if shore_ups == 1 else 'Shore Ups'})"
        if parts != str(total):
            parts += f" = {total}"
        cards = int(chart_cards(self.tables, total))
        due = "the entire pile" if cards == ENTIRE_PILE else counted(cards, "card")
        result = f"{due} on the chart"
        if cards:
            result += f", {fallen} {'falls' if fallen == 1 else 'fall'}{self._now(seat)}"
        return f"seat {seat + 1} makes a cave-in roll: {parts}; {result}"

    def _now(self, seat: int) -> str:
        """Return what is left after cards moved."""
        state = self.state
        return (
            f" [deck {int(deck_left(state, seat))}, rubble {state['rubble'][seat]}, "
            f"{self._gems(seat)}]"
        )

    def _new_effects(self) -> list[str]:
        """Return the lasting spells that have come into play since the last line."""
        lines = []
        for seat in range(self.players):
            if self.state["shore_ups"][seat] > self.shore_ups[seat]:
                amount = self.tables["spell_amount"][Spell.SHORE_UP]
                lines.append(f"  seat {seat + 1} has a Shore Up out: -{amount} on cave-in rolls")
            for effect in range(EFFECTS):
                now, before = self.state["effects"][seat, effect], self.effects[seat, effect]
                if now and cards_in_play(int(now)) > cards_in_play(int(before)):
                    lines.append(f"  {self._effect(seat, effect)}")
        self.effects[:] = self.state["effects"]
        self.shore_ups[:] = self.state["shore_ups"]
        return lines

    def _effect_name(self, effect: int) -> str:
        if effect >= Effect.REPAIR:
            return f"Out for Repair on the {TOOL[effect - Effect.REPAIR]}"
        if effect >= Effect.AURA:
            return f"Magic Aura on the {TOOL[effect - Effect.AURA]}"
        spells = (Spell.WIZARD_DRILL, Spell.KNOCKED_OUT, Spell.HARD_ROCK)
        return SPELL[spells[effect]]

    def _effect(self, seat: int, effect: int) -> str:
        who = f"seat {seat + 1}"
        if effect >= Effect.REPAIR:
            tool = TOOL[effect - Effect.REPAIR]
            return f"the {tool} of {who} is out for repair for {self._rolls(Spell.OUT_FOR_REPAIR)}"
        if effect >= Effect.AURA:
            amount = self._amount(Spell.MAGIC_AURA)
            tool = TOOL[effect - Effect.AURA]
            rolls = self._rolls(Spell.MAGIC_AURA)
            return f"the {tool} of {who} mines {amount} more whenever it hits, for {rolls}"
        if effect == Effect.WIZARD_DRILL:
            amount, rolls = self._amount(Spell.WIZARD_DRILL), self._rolls(Spell.WIZARD_DRILL)
            return f"{who} mines {amount} more, for {rolls}"
        if effect == Effect.KNOCKED_OUT:
            return f"{who} is knocked out and mines nothing for {self._rolls(Spell.KNOCKED_OUT)}"
        amount, rolls = self._amount(Spell.HARD_ROCK), self._rolls(Spell.HARD_ROCK)
        return f"{who} mines {amount} fewer, for {rolls}"

    def _amount(self, spell: Spell) -> str:
        return counted(int(self.tables["spell_amount"][spell]), "card")

    def _rolls(self, spell: Spell) -> str:
        return counted(int(self.tables["spell_rolls"][spell]), "roll")

    # --- what can be done ---

    def _phrase(self, prompt: int, choice: int) -> str:
        """Return a choice as a phrase that begins with its verb."""
        state, tables = self.state, self.tables
        seat = int(state["seat"])
        if prompt == Prompt.INITIAL_PURCHASE:
            return "buy no tool" if choice == 0 else self._buy(seat, choice - 1)
        if prompt == Prompt.DIG:
            return "dig" if choice == 0 else "do not dig"
        if prompt == Prompt.ACTION:
            if choice == 0:
                return "take no further action" if state["acted"] else "take no action"
            if choice == BUY_DYNAMITE:
                return "buy dynamite"
            if choice > CLEAN_UP:
                cards = choice - CLEAN_UP
                price = counted(cards * int(tables["clean_up_cost"]), "gem")
                return f"clean up {counted(cards, 'rubble card')} for {price}"
            return self._buy(seat, choice - 1)
        if prompt == Prompt.DYNAMITE:
            if choice == 0:
                first = state["dynamite_left"] == tables["dynamite_per_action"]
                return f"buy no {'' if first else 'more '}dynamite"
            return f"give seat {choice} dynamite for {counted(int(tables['dynamite_cost']), 'gem')}"
        if prompt == Prompt.CAST:
            return "cast nothing" if choice == 0 else f"cast {SPELL[Spell(choice - 1)]}"
        if prompt == Prompt.TARGET:
            return f"aim {SPELL[Spell(int(state['spell']))]} at seat {choice}"
        if prompt == Prompt.TOOL:
            whose = int(state["victim"])
            own = "the own" if whose == seat else f"seat {whose + 1}'s"
            return f"choose {own} {TOOL[choice - 1]}"
        if prompt == Prompt.DEFEND:
            attack = self._attack()
            if choice == 0:
                return f"accept {attack}"
            return f"answer {attack} with {SPELL[Spell(choice - 1)]}"
        if prompt == Prompt.FREE_CLEAN_UP:
            what = counted(choice, "rubble card") if choice else "nothing"
            return f"clean up {what} for free"
        if prompt == Prompt.BUY_SPELL:
            price = counted(int(tables["extra_spell_cost"]), "gem")
            return "buy no second spell" if choice == 0 else f"buy a second spell for {price}"
        return f"discard {SPELL[Spell(choice - 1)]}"

    def _buy(self, seat: int, tool: int) -> str:
        level = int(self.state["levels"][seat, tool])
        price = counted(int(self.tables["tool_cost"][tool, level]), "gem")
        return f"buy the {LEVEL[level + 1]} {TOOL[tool]} for {price}"

    def _attack(self) -> str:
        spell, tool = Spell(int(self.state["spell"])), int(self.state["spell_tool"])
        caster = f"seat {int(self.state['caster']) + 1}'s"
        on = f" on the {TOOL[tool]}" if spell in (Spell.BROKEN_TOOL, Spell.OUT_FOR_REPAIR) else ""
        return f"{caster} {SPELL[spell]}{on}"

    # --- for a person who plays ---

    def question(self, prompt: int) -> str:
        """Return what the seat is asked."""
        state = self.state
        if prompt == Prompt.DEFEND:
            return f"You are the victim of {self._attack()}."
        if prompt == Prompt.ACTION:
            left = counted(int(state["actions_left"]), "action")
            return f"You have {self._gems(int(state['seat']))} and {left} left."
        if prompt == Prompt.DYNAMITE:
            return f"Dynamite on whom? You may place up to {int(state['dynamite_left'])} more."
        if prompt == Prompt.TOOL:
            return f"{SPELL[Spell(int(state['spell']))]} on which tool?"
        if prompt == Prompt.TARGET:
            return f"{SPELL[Spell(int(state['spell']))]} on whom?"
        return {
            Prompt.INITIAL_PURCHASE: f"A tool to begin with? You have {self._gems(state['seat'])}.",
            Prompt.DIG: (
                f"Do you dig, with {counted(int(self.tables['actions_digging']), 'action')}? Not "
                f"digging gives {int(self.tables['actions_not_digging'])}, "
                "but then only your wizard's number mines."
            ),
            Prompt.CAST: "Cast a spell before the roll?",
            Prompt.FREE_CLEAN_UP: "Your deck is empty, and you were hit: clean up how much?",
            Prompt.BUY_SPELL: f"Buy one more spell? You have {self._gems(state['seat'])}.",
            Prompt.DISCARD: "Too many spells in hand: which one goes?",
        }[Prompt(prompt)]

    def option(self, prompt: int, choice: int) -> str:
        """Return a choice in words, with what it does where that is printed on a card."""
        text = self._phrase(prompt, choice)
        seat = int(self.state["seat"])
        buys = prompt == Prompt.INITIAL_PURCHASE or prompt == Prompt.ACTION
        if buys and 0 < choice < BUY_DYNAMITE:
            level = int(self.state["levels"][seat, choice - 1])
            text += f": mines on {self._numbers(choice - 1, level)}"
        if prompt in (Prompt.CAST, Prompt.DEFEND, Prompt.DISCARD) and choice > 0:
            text += f" ({self._spell_text(Spell(choice - 1))})"
        return text

    def _numbers(self, tool: int, level: int) -> str:
        hits = self.tables["card_hits"][tool, level]
        return " ".join(str(number) for number in range(len(hits)) for _ in range(hits[number]))

    def _spell_text(self, spell: Spell) -> str:
        amount, rolls = self._amount(spell), self._rolls(spell)
        return {
            Spell.BLAST: f"mine {amount} now",
            Spell.BIG_BLAST: f"mine {amount} now",
            Spell.WIZARD_DRILL: f"{amount} more, for {rolls}",
            Spell.MAGIC_AURA: f"{amount} more whenever a tool hits, for {rolls}",
            Spell.SHORE_UP: f"-{self.tables['spell_amount'][spell]} on your cave-in rolls",
            Spell.BROKEN_TOOL: "somebody loses the top card of a tool",
            Spell.CAVE_IN: f"{amount} of somebody's rubble back on the deck",
            Spell.KNOCKED_OUT: f"somebody mines nothing for {rolls}",
            Spell.OUT_FOR_REPAIR: f"somebody's tool is off for {rolls}",
            Spell.HARD_ROCK: f"somebody mines {amount} fewer, for {rolls}",
            Spell.NEGATE: "an attack on you does nothing",
            Spell.REDIRECT: "an attack on you goes to somebody else",
            Spell.REFLECT: "an attack on you goes back to its caster",
            Spell.TOOL_SAVED: "an attack on your tool does nothing",
        }[spell]

    def view(self, seat: int) -> list[str]:
        """Return everything on the table, and the own hand."""
        state, tables = self.state, self.tables
        lines = [*self._table(range(self.players)), ""]
        for other in range(self.players):
            whose = "you" if other == seat else f"seat {other + 1}"
            lines.append(f"{whose}: wizard {state['wizard'][other]}; {self._tool_cards(other)}")
            lying = [
                self._effect(other, effect)
                for effect in range(EFFECTS)
                if state["effects"][other, effect]
            ]
            if shore_ups := int(state["shore_ups"][other]):
                lying.append(counted(shore_ups, "Shore Up"))
            lines += [f"  {text}" for text in lying]
        if tables["spells_on"]:
            lines += ["", f"your spells: {self._hand(seat) or 'none'}"]
            lines.append(
                f"spells in the deck {state['deck_size']}, discarded {state['discard_size']}"
            )
        lines.append(f"dynamite in the supply: {state['dynamite_supply']}")
        return lines

    def _tool_cards(self, seat: int) -> str:
        """Return a seat's tools with all their numbers."""
        cards = []
        for tool, level in enumerate(self.state["levels"][seat]):
            if level:
                hits = self.tables["tool_hits"][tool, level]
                numbers = " ".join(str(n) for n in range(len(hits)) for _ in range(hits[n]))
                cards.append(f"{LEVEL[level]} {TOOL[tool]} ({numbers})")
        return ", ".join(cards) or "no tools"

    # --- the table ---

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.state["players"])

    def sees(self, seat: int) -> bool:
        """Say whether the reader sees a seat's hand."""
        return self.viewer is None or self.viewer == seat

    def _gems(self, seat: int) -> str:
        return counted(int(self.state["gems"][seat]), "gem")

    def _hand(self, seat: int) -> str:
        held = self.state["hand"][seat]
        return ", ".join(
            f"{held[spell]} x {SPELL[spell]}" if held[spell] > 1 else SPELL[spell]
            for spell in Spell
            if held[spell]
        )

    def _table(self, seats: Sequence[int]) -> list[str]:
        """Return one line a seat: deck, rubble, gems, dynamite, spells, tools."""
        state = self.state
        lines = []
        for seat in seats:
            up = int(state["face_up"][seat])
            line = f"  seat {seat + 1}: deck {int(deck_left(state, seat)):>2}"
            line += f", rubble {state['rubble'][seat]:>2}, gems {state['gems'][seat]:>2}"
            line += f", dynamite {state['dynamite'][seat]}"
            if self.tables["spells_on"]:
                line += f", spells {state['hand_size'][seat]}"
            tools = ", ".join(
                f"{LEVEL[level]} {TOOL[tool]}"
                for tool, level in enumerate(state["levels"][seat])
                if level
            )
            line += f"; {tools or 'no tools'}"
            if state["cave_in_out"][seat]:
                line += "; cave-in card out"
            if up:
                line += f"; {counted(up, 'card')} face up"
            lines.append(line)
        return lines
