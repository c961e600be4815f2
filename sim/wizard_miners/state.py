"""Enums and records of Wizard Miners: what a game is made of.

Seats are numbered from 0 inside the kernel (from 1 for people). All fields are int64, so plain
Python and compiled code do the same arithmetic.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

MAX_SEATS = 4
TOOLS = 5
LEVELS = 3
SPELLS = 14
NUMBERS = 17  # sums of two dice index a table directly; 0 and 1 stay empty
GEM_KINDS = 8
CHART_ROWS = 8
ENTIRE_PILE = 127
EFFECTS = 16
MEMO = 16
NEVER = 127  # a price above all others; like them it fits a byte
MOST_CHOICE = 61  # the choices of a prompt are the bits of an int64
DUE_SHIFT = 4
DUE_BITS = 1 << DUE_SHIFT  # of a lane: four seats' cards as one number


class Prompt(IntEnum):
    """What a player is asked, and what the choices mean."""

    GAME_OVER = 0
    INITIAL_PURCHASE = 1  # 0 nothing, 1 + tool
    DIG = 2  # 0 digging, 1 not digging
    ACTION = 3  # 0 none, 1 + tool (its next level), 6 dynamite, 8 + k clean up k cards
    DYNAMITE = 4  # 0 done, 1 + seat that gets the next one
    CAST = 5  # 0 pass, 1 + spell
    TARGET = 6  # 1 + seat, asked of the caster (or of the player who redirects)
    TOOL = 7  # 1 + tool, asked of the caster
    DEFEND = 8  # 0 accept, 1 + defensive spell
    FREE_CLEAN_UP = 9  # number of rubble cards removed without cost
    BUY_SPELL = 10  # 0 no, 1 yes
    DISCARD = 11  # 1 + spell; unasked the spell acquired last


BUY_DYNAMITE = 6
CLEAN_UP = 8


class Tool(IntEnum):
    """The five tools, in the order of the rulebook's price list."""

    CHISEL = 0
    HAMMER = 1
    PICK = 2
    SHOVEL = 3
    DRILL = 4


class Spell(IntEnum):
    """The fourteen spells: five enhancements, five attacks, four defences."""

    BLAST = 0
    BIG_BLAST = 1
    WIZARD_DRILL = 2
    MAGIC_AURA = 3
    SHORE_UP = 4
    BROKEN_TOOL = 5
    CAVE_IN = 6
    KNOCKED_OUT = 7
    OUT_FOR_REPAIR = 8
    HARD_ROCK = 9
    NEGATE = 10
    REDIRECT = 11
    REFLECT = 12
    TOOL_SAVED = 13


FIRST_ATTACK = 5
FIRST_DEFENCE = 10


class Effect(IntEnum):
    """Lasting effects on a player; AURA and REPAIR are followed by one slot per tool."""

    WIZARD_DRILL = 0
    KNOCKED_OUT = 1
    HARD_ROCK = 2
    AURA = 3
    REPAIR = 8


class Status(IntEnum):
    """How a game ended. The first three codes mean the same in every game."""

    WON = 0
    CAPPED = 1
    ILLEGAL_CHOICE = 2
    PLAYING = 3


class Step(IntEnum):
    """Where the rules stand: a step that asks, then one that acts on the answer."""

    ASK_PURCHASE = 0
    PURCHASE = 1
    TURN_START = 2
    DIG = 3
    ASK_ACTION = 4
    ACTION = 5
    ASK_DYNAMITE = 6
    DYNAMITE = 7
    ASK_CAST = 8
    CAST = 9
    ASK_TARGET = 10
    TARGET = 11
    ASK_TOOL = 12
    TOOL = 13
    ASK_DEFENCE = 14
    DEFENCE = 15
    ROLL = 16
    MINING = 17
    FREE_CLEAN_UP = 18
    ROLL_END = 19
    BUY_SPELL = 20
    ASK_DISCARD = 21
    DISCARD = 22


class Stream(IntEnum):
    """Purposes of luck; the last two are followed by one stream per seat."""

    ROLL = 0
    CAVE_IN_DIE = 1
    SPELL_DECK = 2
    SET_UP = 3  # index 0 the first seat, then one draw per wizard
    CAVE_IN_ROLL = 4
    MINE = 8


class Event(IntEnum):
    """What is reported to a trace: seat, and up to three numbers."""

    TURN = 0  # active seat, number of the turn
    ROLL = 1  # active seat, the two dice
    CAVE_IN_DIE = 2  # active seat, 1 if it shows CAVE-IN
    CARD_UP = 3  # the seat's cave-in card is turned up
    CAVE_IN = 4  # seat, die, modified roll, cards that fell
    MINED = 5  # seat, face-up cards, face-down cards, gems
    BONUS = 6  # seat, bonus cards of great tools
    DREW = 7  # seat, spell
    RESHUFFLED = 8  # the discarded spells are the new deck
    RAN_OUT = 9  # seat, effect, cards
    RETURNED = 10  # seat, rubble cards put back by a spell
    BROKEN = 11  # seat, tool, level lost
    NO_EFFECT = 12  # seat that a spell could not hurt, spell
    WON = 13  # seat
    CAPPED = 14  # rolls


class Tally(IntEnum):
    """What is counted per seat while the game runs."""

    MINED = 0
    CLEANED = 1
    GEMS_MINED = 2
    CAVE_IN_ROLLS = 3
    CARDS_LOST = 4
    PILES_LOST = 5
    DYNAMITE_RECEIVED = 6
    DYNAMITE_BOUGHT = 7
    SPELLS_CAST = 8
    SPELLS_BOUGHT = 9
    BONUS_CARDS = 10


_int = np.int64
_per_seat = (MAX_SEATS,)

STATE = np.dtype(
    [
        # the open prompt
        ("seat", _int),
        ("prompt", _int),
        ("legal", _int),
        ("standing", _int, _per_seat),  # bit per prompt: not asked
        ("memo", _int, (MAX_SEATS, MEMO)),
        # the turn
        ("players", _int),
        ("turn", _int),  # 0 before the first roll, then the number of the current roll
        ("first_seat", _int),
        ("active", _int),
        ("step", _int),
        ("digging", _int),
        ("actions_left", _int),
        ("acted", _int),
        ("dynamite_left", _int),  # how many more in this purchase
        ("dynamite_due", _int),  # 1: a purchase of dynamite alone, the first is not optional
        ("window", _int),  # seats that have had their chance to buy first, or to cast
        ("roll", _int),
        ("dues", _int),  # a lane a seat: cards still to be mined when somebody is asked
        ("status", _int),
        ("winner", _int),
        # the spell under way
        ("spell", _int),
        ("caster", _int),
        ("victim", _int),
        ("spell_tool", _int),
        # what lies in front of each seat
        ("wizard", _int, _per_seat),  # its mining number
        ("gems", _int, _per_seat),
        ("levels", _int, (MAX_SEATS, TOOLS)),
        ("prices", _int, _per_seat),  # of each tool's next level, a byte a tool
        ("owned", _int, _per_seat),  # bit per tool owned at any level
        ("types", _int, _per_seat),  # how many these are
        ("hits", _int, (NUMBERS,)),  # a lane a seat: cards mined on a number while digging
        ("great", _int, _per_seat),  # bit per tool that is great and not out for repair
        ("face_up", _int, _per_seat),
        ("face_down", _int, _per_seat),
        ("gem_cards", _int, _per_seat),  # face-down cards by gem kind, one byte a kind
        ("rubble", _int, _per_seat),
        ("cave_in_out", _int, _per_seat),
        ("cards_out", _int),  # cave-in cards turned up
        ("dynamite", _int, _per_seat),
        ("dynamite_supply", _int),
        ("shore_ups", _int, _per_seat),
        ("effects", _int, (MAX_SEATS, EFFECTS)),  # byte r - 1 counts cards with r rolls left
        ("lasting", _int, _per_seat),  # effect cards in front of the seat
        # spells
        ("hand", _int, (MAX_SEATS, SPELLS)),
        ("hand_size", _int, _per_seat),
        ("hand_kinds", _int, _per_seat),  # bit per kind held
        ("last_spell", _int, _per_seat),
        ("deck", _int, (2,)),  # spells left to draw by kind, one byte a kind, eight a word
        ("deck_size", _int),
        ("discard", _int, (2,)),
        ("discard_size", _int),
        ("spell_draws", _int),  # spells drawn this turn
        # for the outcome
        ("cave_in_rolls_turn", _int, _per_seat),  # cave-in rolls this turn, address of the die
        ("tally", _int, (MAX_SEATS, 11)),
        ("leader", _int),
        ("lead_changes", _int),
        ("quarter", _int),  # quarters of the leader's deck already passed
        ("leader_at", _int, (3,)),
        ("lead_at", _int, (3,)),
    ],
    align=True,
)

TABLES = np.dtype(
    [
        ("players", _int),
        # switches
        ("spells_on", _int),
        ("dynamite_on", _int),
        ("reveal_on_hit", _int),  # W-4: 0 exposed, 1 hit
        ("random_start", _int),
        ("random_wizards", _int),
        ("roll_cap", _int),
        # set-up
        ("wizard_number", _int, _per_seat),
        ("starting_gems", _int, _per_seat),
        ("deck_size", _int),
        ("cards_above", _int),  # mine cards above the cave-in card
        ("gem_cards", _int),  # packed: byte i counts the cards of gem kind i
        ("gem_value", _int, (GEM_KINDS,)),
        # dice
        ("dice_sides", _int),
        ("cave_in_die_faces", _int),
        ("cave_in_die_sides", _int),
        ("cave_in_roll_sides", _int),
        ("chart", _int, (CHART_ROWS,)),  # cards by modified roll; row 0 for less than 1
        # store
        ("tool_cost", _int, (TOOLS, LEVELS)),
        ("next_cost", _int, (TOOLS, LEVELS + 1)),  # by the level owned; NEVER after the last
        ("card_hits", _int, (TOOLS, LEVELS, NUMBERS)),  # numbers on one card
        ("tool_hits", _int, (TOOLS, LEVELS + 1, NUMBERS)),  # on all levels owned
        ("tool_bonus", _int, (TOOLS,)),
        ("tool_types", _int),
        ("tool_supply", _int),
        ("dynamite_cost", _int),
        ("dynamite_supply", _int),
        ("dynamite_per_action", _int),
        ("clean_up_cost", _int),
        ("clean_up_most", _int),
        ("actions_digging", _int),
        ("actions_not_digging", _int),
        # spells
        ("starting_spells", _int),
        ("free_spells", _int),
        ("extra_spell_cost", _int),
        ("hand_limit", _int),
        ("spell_amount", _int, (SPELLS,)),
        ("spell_rolls", _int, (SPELLS,)),
        ("spell_deck", _int, (2,)),  # packed like STATE["deck"]
        ("spell_cards", _int),
        # interventions on one seat, for measuring what something is worth
        ("forbid_dynamite", _int, _per_seat),
        ("forbid_spells", _int, _per_seat),
        ("forbid_tools", _int, _per_seat),  # bit per tool
        ("void_cave_in", _int, _per_seat),  # 0 none, k the k-th cave-in roll, -1 all
    ],
    align=True,
)
