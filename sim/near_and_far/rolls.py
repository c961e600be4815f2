"""Rolls: one procedure for threats, quests, the mine and duels.

Whoever needs a roll calls `open_roll`; `rules.advance` then asks what can be asked before and after
the die, and hands the result, `state["success"]`, to the rule that wanted it.
"""

from __future__ import annotations

import numpy as np

from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import gain, pay_hearts
from sim.near_and_far.magic import flip
from sim.near_and_far.state import (
    DUMMY,
    FACES,
    After,
    DieFace,
    Event,
    Good,
    RollKind,
    Spell,
    Stream,
    Symbol,
    Tally,
)
from sim.rng import draw, remix, turn_index

_FOOD = np.int64(Good.FOOD)
_COMBAT = np.int64(Symbol.COMBAT)
_DEFENCE = np.int64(RollKind.DEFENCE)
_ROLL = np.int64(Stream.ROLL)
_SECOND_DIE = np.int64(Stream.SECOND_DIE)
_DEFENCE_DIE = np.int64(Stream.DEFENCE)
_REROLL_FACE = np.int64(DieFace.REROLL)
_MAY_REROLL = np.int64(DieFace.MAY_REROLL)
_WIND_STORM = np.int64(Spell.WIND_STORM)
_SUMMON_IMP = np.int64(Spell.SUMMON_IMP)
_ILLUSION = np.int64(Spell.ILLUSION)
_LIGHTNING_BOLT = np.int64(Spell.LIGHTNING_BOLT)
_SPEND = np.int64(After.SPEND)
_SPEND_BONUS = np.int64(After.SPEND_BONUS)
_SPELL = np.int64(After.SPELL)
_HEARTS_SPENT = np.int64(Tally.HEARTS_SPENT)
_ROLLS = np.int64(Tally.ROLLS)
_REROLLS = np.int64(Tally.REROLLS)
_FOOD_FOR_REROLLS = np.int64(Tally.FOOD_FOR_REROLLS)


@rare
def open_roll(state, tables, kind, seat, symbol, base, need, bonus):
    """Prepare a roll: die + base + hearts and spells against a number.

    kind: RollKind. symbol: COMBAT or SKILL, what spells must help. need: total for success; bonus:
    total for the bonus reward of a quest, 0 if there is none.
    """
    state["roll_kind"] = kind
    state["roll_seat"] = seat
    state["roll_symbol"] = symbol
    state["roll_base"] = base
    state["roll_need"] = need
    state["roll_bonus"] = bonus
    state["roll_plus"] = 0
    state["roll_dice"] = 1
    state["die"] = 0
    state["second_die"] = 0
    state["throws"] = 0
    state["success"] = 0
    state["tally"][seat, _ROLLS] += 1


@rare
def before_choices(state, tables):
    """Return what can be done before a roll: Illusion (rule 42), hearts where A-41 says so."""
    seat = state["roll_seat"]
    legal = 1
    if state["roll_kind"] != _DEFENCE:
        if state["spells_up"][seat] >> _ILLUSION & 1 != 0:
            legal |= 2
        if tables["hearts_before_roll"] != 0:
            free = state["hearts"][seat] - state["reserve"]
            for hearts in range(1, free + 1):
                legal |= 1 << (2 + hearts)
    return legal


@rare
def prepare(state, tables, choice):
    """Act on a choice of BEFORE_ROLL; say whether the die is thrown now."""
    seat = state["roll_seat"]
    if choice == 1:
        flip(state, seat, _ILLUSION)
        state["roll_dice"] = 2
        return False
    if choice > 2:
        spend_hearts(state, seat, choice - 2)
    return True


@rare
def spend_hearts(state, seat, hearts):
    """Spend hearts for one each on a roll (rules 10, 18, 21)."""
    pay_hearts(state, seat, hearts)
    state["roll_plus"] += hearts
    state["tally"][seat, _HEARTS_SPENT] += hearts


@rule
def rolls_expertly(state):
    """Say whether the die that is thrown is an expert die; the unused figure has none (A-22)."""
    if state["roll_kind"] == _DEFENCE and state["opponent"] == DUMMY:
        return False
    return state["expert"][state["roll_seat"]] != 0


@rare
def face_of(state, tables, bits):
    """Return the face that random bits show on the die of the roller.

    An expert die (rule 48) throws its reroll face again at once, as often as it comes (A-32).
    """
    if not rolls_expertly(state):
        return (bits * tables["die_sides"] >> 32) + 1
    now = bits
    sides = tables["die_sides"]
    if state["throws"] > 0:
        now = remix(bits, state["throws"])
    face = tables["expert_face"][now * sides >> 32]
    while face == _REROLL_FACE:
        state["throws"] += 1
        state["tally"][state["roll_seat"], _REROLLS] += 1
        emit(Event.REROLLED, state["roll_seat"], 0, 0, 0)
        face = tables["expert_face"][remix(bits, state["throws"]) * sides >> 32]
    return face


@rare
def throw(state, tables, backstage):
    """Roll the die, or two dice of which one is an expert die (A-31); count an expert's throws.

    Returns whether a food can be paid to roll the face again (rule 48, NF-T22).
    """
    seat = state["roll_seat"]
    stream = _DEFENCE_DIE if state["roll_kind"] == _DEFENCE else _ROLL
    index = turn_index(state["turn"], state["rolls"])
    face = face_of(state, tables, draw(backstage, stream, index))
    if state["roll_dice"] == 2 and state["second_die"] == 0:
        bits = draw(backstage, _SECOND_DIE, index)
        state["second_die"] = (bits * tables["die_sides"] >> 32) + 1
    again = False
    if face >= _MAY_REROLL:
        face -= _MAY_REROLL
        again = state["goods"][seat, _FOOD] > 0
    state["die"] = face
    slot = backstage["slots"][seat]
    expert = 1 if rolls_expertly(state) else 0
    shown = min(face, FACES - 1)  # the last place counts all higher numbers
    backstage["faces"][backstage["replicate"], slot, expert, shown] += 1
    emit(Event.ROLL, seat, face, state["second_die"], state["roll_base"] + state["roll_plus"])
    return again


@rare
def throw_again(state):
    """Pay a food to roll the face again."""
    seat = state["roll_seat"]
    gain(state, seat, _FOOD, -1)
    state["throws"] += 1
    state["tally"][seat, _FOOD_FOR_REROLLS] += 1
    emit(Event.REROLLED, seat, state["die"], 1, 0)


@rule
def roll_total(state):
    """Return the total of a roll: the better die, symbols, hearts and spells."""
    return max(state["die"], state["second_die"]) + state["roll_base"] + state["roll_plus"]


@rule
def level(state, total):
    """Return what a total is worth: 0 a failure, 1 a success, 2 with the bonus."""
    if total < state["roll_need"]:
        return 0
    if state["roll_bonus"] > 0 and total >= state["roll_bonus"]:
        return 2
    return 1


@rule
def spell_help(state, tables, spell, symbol):
    """Return what a spell adds to a roll with a symbol (rule 42)."""
    if spell == _SUMMON_IMP and symbol != _COMBAT:
        return tables["spell_second"][spell]
    if symbol != _COMBAT:
        return 0
    return tables["spell_amount"][spell]


@rare
def after_choices(state, tables):
    """Return what can still be done about a roll: hearts (A-41) and spells (rule 42).

    Nothing is offered where all of it together would change nothing.
    """
    seat = state["roll_seat"]
    if state["roll_kind"] == _DEFENCE:  # a defender spends nothing (rule 10)
        return 1
    total = roll_total(state)
    now = level(state, total)
    if now == 2 or (now == 1 and state["roll_bonus"] == 0):
        return 1
    free = 0
    if tables["hearts_before_roll"] == 0:
        free = state["hearts"][seat] - state["reserve"]
    legal = 1
    most = total + free
    up = state["spells_up"][seat]
    if up != 0:
        symbol = state["roll_symbol"]
        for spell in (_WIND_STORM, _SUMMON_IMP, _LIGHTNING_BOLT):
            if up >> spell & 1 != 0 and state["goods"][seat, _FOOD] >= tables["spell_food"][spell]:
                help_ = spell_help(state, tables, spell, symbol)
                if help_ > 0:
                    legal |= 1 << (_SPELL + spell)
                    most += help_
    if level(state, most) == now:
        return 1
    gap = state["roll_need"] - total
    if 0 < gap <= free:
        legal |= 1 << _SPEND
    gap = state["roll_bonus"] - total
    if 0 < gap <= free:
        legal |= 1 << _SPEND_BONUS
    return legal


@rare
def improve(state, tables, choice):
    """Act on a choice of AFTER_ROLL; say whether to ask again."""
    seat = state["roll_seat"]
    if choice == 0:
        return False
    if choice == _SPEND:
        spend_hearts(state, seat, state["roll_need"] - roll_total(state))
        return False
    if choice == _SPEND_BONUS:
        spend_hearts(state, seat, state["roll_bonus"] - roll_total(state))
        return False
    spell = choice - _SPELL
    flip(state, seat, spell)
    if tables["spell_food"][spell] > 0:
        gain(state, seat, _FOOD, -tables["spell_food"][spell])
    state["roll_plus"] += spell_help(state, tables, spell, state["roll_symbol"])
    return True


@rare
def close_roll(state):
    """Note the result of a roll."""
    total = roll_total(state)
    state["rolled"] = total
    state["success"] = level(state, total)
    state["rolls"] += 1
    emit(Event.ROLLED, state["roll_seat"], state["success"], total, state["roll_need"])
