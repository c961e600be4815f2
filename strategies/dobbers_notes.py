"""What players of Dobbers weigh with, and what they note from one decision to the next."""

from __future__ import annotations

from enum import IntEnum

from sim.dobbers.state import MAX_ROW, WAY_BITS, Icon, Op
from sim.jit import rule


class Weight(IntEnum):
    """Weights of `weighing`; dobbers.toml says what they mean."""

    INFLUENCE = 0
    RED = 1
    BLUE = 2
    GOLD = 3
    GOLD_AHEAD = 4
    DRAW = 5
    FADE = 6
    BUY_AT = 7
    THRIFT = 8
    DILUTION = 9
    EQUIPMENT = 10
    SYNERGY = 11
    DOBBERTON = 12
    WILD = 13
    RAT_CLAW_CLAN = 14
    DECAY = 15
    CULL = 16
    CULL_AT = 17
    TOKEN = 18
    BLOCK = 19
    CHASE = 20
    OWN_WAY = 21
    LAY = 22
    DARE = 23
    BURN = 24
    PACE = 25
    LACK = 26
    IMPATIENCE = 27
    NEED = 28
    LATE = 29
    CHURN = 30
    FOLLOW = 31
    HEIGHT = 32
    PRICE = 33
    GRACE = 34
    ICON = 35


WORTHS = int(Op.LOSE_INFLUENCE)  # operations of texts that have a worth

# What `weighing` notes in its memo, so that it looks around every LOOK turns of its own and when a
# stack has come in its way, and weighs in between with what it has noted. Worths are in TICKS.
SEEN = 0  # packed: the turn of the notes, plus one; 1 + cards of a hand that has been gone through;
# from STAYS on, 1 + points with which no step was worth taking; from DUE on the turn from which
# the notes are too old
WORTH = 1  # by Op from its first: of one of each; its first GAINS are those of a Gain
OPS = WORTH - 1  # + an Op: the same
LEFT = WORTH + WORTHS  # packed: turns until somebody reaches the key; uses of an effect bought now
# until then; turns that a piece of equipment bought now is worn until then, times the weight of
# equipment. 0 if not noted in this turn
FACTORS = LEFT + 1  # packed by alignment: factor on cards of it
SHARED = FACTORS + 1  # packed by alignment: what a bonus is worth, as a share of its points
OWNED = SHARED + 1  # packed: cards owned by alignment, all; 1 + kind of the best of each slot
TURNS = OWNED + 1  # packed by seat: turns to the key
STAND = TURNS + 1  # packed: points for a fight of late, own square, turns waited there, turns late
THREATS = STAND + 1  # packed by seat: what a point in its way is worth; 0 if not noted
BLOCKS = THREATS + 1  # packed: worth of a point on the best square for a location, for a creature
ICONS = BLOCKS + 1  # packed by Icon: what an item of it is worth at the stacks ahead of me
BESTS = ICONS + 1  # packed by slot: worth of the best equipment owned, above LEAST; 0 if not noted
ROW = BESTS + 1  # by place: 1 + card that was looked at; GEAR if it is equipment; from UNIT on what
# it is worth each turn or use, more than what I have
PUT = ROW + MAX_ROW  # packed: 1 + card in hand for which the best use is noted, that use
USUAL = PUT + 1  # packed: worth of the card that a new effect pushes out; from THRIFT on the points
# that each influence of a price must bring, in units of 1 / FINE
END = USUAL + 1  # the turn of mine in which somebody is expected at the key
AHEAD = END + 1  # stacks ahead of me, as bits
PRICED = AHEAD + 1  # packed: what influence and gold were worth when ROW and BESTS were begun

TICKS = 256.0
TICK_BITS = 8
LONG = 40.0  # turns; what lies further ahead is not planned for
LOOK = 4
HALF = 16  # bits of the turn in SEEN
BYTE = 255
STAYS = 24
DUE = 32
WORD = 20  # bits of each number in LEFT
PART = 12  # bits of each number in FACTORS and SHARED
COUNT = 6  # bits of a number of cards in OWNED, by alignment from 0, then all
ALL = 5 * COUNT
BEST = 38  # first bit of the best kinds in OWNED
KIND = 8  # bits of one
CARD_BITS = 16  # of the card in PUT
SEAT_BITS = WAY_BITS  # of a seat's turns in TURNS, in units of 1 / TURN
EACH = 1 | 1 << SEAT_BITS | 1 << 2 * SEAT_BITS | 1 << 3 * SEAT_BITS  # 1 for every seat
FIELD = (1 << SEAT_BITS) - 1
FIELDS = EACH * FIELD
PAIRS = FIELD | FIELD << 2 * SEAT_BITS
HIGH = EACH << (SEAT_BITS - 1)
TURN = 64.0
ICON_TYPES = int(Icon.COMBAT) + 1
POINT = 64.0  # worths in BLOCKS are in units of 1 / POINT
BLOCK_BITS = 20
MOST = 511  # a block's worth is no more than this, nor less than its negative
NOTED = 1 << 62  # in THREATS
SITE = 1 << 61  # in BLOCKS: the best square for a location is noted
LAIR = 1 << 62
BEST_BITS = 20  # of a worth in BESTS
LEAST = -1 << 18
CARD = 9  # bits of the card in a word of ROW
CARD_FIELD = (1 << CARD) - 1
GEAR = 1 << CARD
UNIT = CARD + 1  # first bit of the worth
PRICED_BITS = 20  # of each number in PRICED
SLACK = 32  # by which what influence is worth may change before cards are weighed anew
FINE = 4096.0  # worths in ROW are in units of 1 / FINE
TO_FINE = 2 * TICK_BITS - 12  # bits by which a worth times turns, both in TICKS, is finer than that
THRIFT = 24
USUAL_FIELD = (1 << THRIFT) - 1


@rule
def field(word, bits, place):
    """Return a packed number."""
    return word >> (bits * place) & ((1 << bits) - 1)
