"""Enums and records of Dobbers: Quest for the Key: what a game is made of.

Seats are numbered from 0 inside the kernel (from 1 for people). All fields are int64, so plain
Python and compiled code do the same arithmetic. A field that may be empty holds 1 + a number, and
0 for nothing.

Cards of the adventure deck, starting cards, solo cards and events share one numbering, so that
the order of a shuffled deck does not depend on which other cards are in it: seat s starts with the
cards from 16 s on, adventure cards begin at FIRST_ADVENTURE, solo cards at FIRST_SOLO, events at
FIRST_EVENT. Piles are lists chained through `next`. Which card comes next out of the decks of the
table is the deal's luck, found when it is drawn; a seat's own deck is put in order then, too, once
after each shuffling.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

MAX_SEATS = 4
MEMO = 40
ORDERS = MEMO - 1  # word of a seat's notes that the rules read, see `Prompt.MAIN`

MAX_CARDS = 256
STARTERS = 16  # room for one seat's starting cards
FIRST_ADVENTURE = 64
MAX_ADVENTURE = 128
FIRST_SOLO = 192
FIRST_EVENT = 224
MAX_SPECIAL = 32  # solo cards, and events
MAX_KINDS = 192
KIND_BITS = 48  # bits of a word that hold kinds
KIND_WORDS = MAX_KINDS // KIND_BITS
WAY_BITS = 15  # of a seat's points of travel to the key

MAX_HEROES = 32
MAX_LOCATIONS = 32
MAX_CREATURES = 32
MAX_TOKENS = 8
MAX_SQUARES = 32
MAX_EDGES = 5
MAX_ENCOUNTERS = 16
MAX_ROW = 6
MAX_TEXTS = 256
TEXT_WAYS = 2  # "this or that"
TEXT_OPS = 6
GAINS = 5  # influence, red, blue, gold, cards drawn
SLOTS = 3  # weapon, armor, item
ALIGNMENTS = 5  # none and four territories
SUM_BITS = 15  # of gains of all cards played in a turn
GAIN_BITS = 12  # of one card's gains
ALIGNED = 8  # bits of a number of cards by alignment
KEYWORDS = 16
NAME_WORDS = 4
MAX_HAND = 32
MAX_PLAYED = 62
MAX_TODO = 96
PRICE_BITS = 8
NO_PRICE = 127  # of an empty place, or of what cannot be bought
NO_PRICES = NO_PRICE * 0x010101010101  # of a row of MAX_ROW empty places
MAX_DECK = MAX_ADVENTURE + STARTERS


class Prompt(IntEnum):
    """What a player is asked, and what the choices mean."""

    GAME_OVER = 0
    HERO = 1  # hero
    START = 2  # start square, in the order of their letters
    # See Main. Standing orders: PLAY_ALL while no card in hand asks anything. Who has them may note
    # in ORDERS, with a choice of MAIN, which choices it will not want afterwards, as bits: where a
    # purchase or a step leaves nothing else, the main phase ends. Bit 0: the lowest choice of the
    # PUT or PLACE that follows.
    MAIN = 3
    PUT = 4  # equipment from hand: 0 on the hero, 1 + slot forged under it, 4 + encounter
    PLACE = 5  # a card bought: 0 discard pile, 1 + encounter
    FIGHT = 6  # after the reveal: 0 compare now, otherwise as Main: use, play, tokens
    OPTION = 7  # this or that: 0 the first, 1 the second
    CULL = 8  # 0 none, 1 + place in hand, CULL_PILE + depth in the discard pile
    RECOVER = 9  # 1 + depth in the discard pile
    SPOILS = 10  # equipment of an overcome stack: 0 destroy, 1 to hand, 2 discard pile
    LOSE_EQUIPMENT = 11  # 1 + slot
    DISCARD = 12  # 1 + place in hand (0 none, where it is free to choose)
    OUTWIT = 13  # 0 pass, 1 play it
    ROW_EQUIPMENT = 14  # 1 + place in the adventure row, for a stack
    STACK = 15  # 1 + encounter, for that equipment


class Main(IntEnum):
    """The choices of MAIN; each stands for a run of choices."""

    END = 0  # end of the main phase
    PLAY_ALL = 1  # use all equipment, play every effect that asks nothing
    USE = 2  # + slot: use a piece of equipment
    PLAY = 5  # + place in hand: play an effect, put equipment somewhere
    BUY = 21  # + place in the adventure row
    CHALLENGE = 27  # + place in the challenge row: locations, then creatures
    TRAVEL = 33  # + edge of the own square
    TOKEN = 38  # + kind of token
    DESTROY = 46  # + which of the cards played this turn that can be destroyed
    DISCARD = 54  # discard a card


PLACES = 16  # cards in hand that can be chosen
CULL_PILE = 17
DESTROYABLE = 8


class Type(IntEnum):
    """Types of cards; equipment is a slot plus one."""

    EFFECT = 0
    WEAPON = 1
    ARMOR = 2
    ITEM = 3
    SOLO = 4
    EVENT = 5


class Fact(IntEnum):
    """First bits of what is packed about a kind of card, so that one look tells it all."""

    TYPE = 0  # three bits, a Type
    ALIGNMENT = 3  # three bits
    BONUS = 6  # it has an alignment bonus
    FORGE = 7  # it can be forged
    TEXT = 8  # it has a text
    OUTWITS = 9
    BURNS = 10  # destroying it does something
    DRAWS = 11  # its gains draw cards


FACT_FIELD = 7  # the three bits of a type or an alignment, once they are shifted down


class Mark(IntEnum):
    """Bits of what a card in hand is; those of all places in hand are shifted and put together."""

    GEAR = 0  # equipment
    ASKS = 16  # an effect with a text, other than Outwit
    PLAIN = 32  # an effect that is played with all others


class Alignment(IntEnum):
    """The four territories."""

    NONE = 0
    DOBBERTON = 1
    WILD = 2
    RAT_CLAW_CLAN = 3
    DECAY = 4


class Icon(IntEnum):
    """Types of items, and what locations ask for."""

    NONE = 0
    NAVIGATION = 1
    PROTECTION = 2
    TRAVEL = 3
    COMBAT = 4


class Gain(IntEnum):
    """Columns of what a card gives."""

    INFLUENCE = 0
    RED = 1
    BLUE = 2
    GOLD = 3
    DRAW = 4


class Op(IntEnum):
    """The vocabulary of card texts. `words.py` says how they are written in a spreadsheet."""

    NONE = 0
    INFLUENCE = 1
    RED = 2
    BLUE = 3
    GOLD = 4
    DRAW = 5
    CULL = 6  # may destroy a card of the hand or the discard pile
    RECOVER = 7  # take a card of the discard pile to hand
    BOON = 8  # take a positive token
    BURDEN = 9  # take a negative token
    DISCARD_EQUIPMENT = 10
    DESTROY_EQUIPMENT = 11
    DISCARD_CARD = 12
    BACK = 13  # move back
    LOSE_INFLUENCE = 14
    OUTWIT = 15  # in another player's turn: take the card just bought for its cost
    ADD_CREATURE = 16  # top creature under the first location that has none
    ADD_CREATURE_LAST = 17  # the same, under the location nearest to the key
    ADD_EQUIPMENT = 18  # equipment of the row onto a stack
    SWEEP_LEFT = 19  # destroy the leftmost cards of the row
    SWEEP_DEAR = 20  # destroy the dearest cards of the row
    SWEEP_ALL = 21  # destroy the whole row
    SLOW = 22  # travel numbers up for one round
    # what the rules put between texts; no card can say these
    TEXT = 32  # amount: number of the text
    REFILL = 33  # fill the empty places of the adventure row
    SPOILS = 34  # amount: encounter << 2 | slot
    OFFER = 35  # amount: the card just bought may be outwitted


class Scope(IntEnum):
    """Whom an event's text is for."""

    TABLE = 0  # the active player carries it out
    EACH = 1
    LEADER = 2


class Hinder(IntEnum):
    """Bits: what a negative token makes harder."""

    TRAVEL = 1
    CHALLENGE = 2


class Square(IntEnum):
    """Kinds of squares."""

    TRAVEL = 0
    START = 1
    ENCOUNTER = 2


class Status(IntEnum):
    """How a game ended. The first three codes mean the same in every game."""

    WON = 0
    CAPPED = 1
    ILLEGAL_CHOICE = 2
    PLAYING = 3


class Step(IntEnum):
    """Where the rules stand: a step that asks, then one that acts on the answer."""

    ASK_HERO = 0
    HERO = 1
    START = 2
    TURN_START = 3
    ASK_MAIN = 4
    MAIN = 5
    PUT = 6
    PLACE = 7
    ASK_FIGHT = 8
    FIGHT = 9
    TODO = 10
    ANSWER = 11  # of a prompt that a text opened
    TURN_END = 12
    NEXT_TURN = 13
    DISCARD = 14


class Stream(IntEnum):
    """Purposes of luck; DECK is followed by one stream per seat."""

    SET_UP = 0  # index 0 the first seat, then the order in which heroes are picked
    ADVENTURE = 1
    LOCATIONS = 2
    CREATURES = 3
    TOKENS = 4
    EVENTS = 5
    SOLO = 6
    ADD_LOCATIONS = 7
    DECK = 8


class Event(IntEnum):
    """What is reported to a trace: seat, and up to three numbers."""

    TURN = 0  # active seat, number of the turn
    DREW = 1  # seat, card
    RESHUFFLED = 2  # seat, cards
    REFILLED = 3  # place in the adventure row, card
    EVENT = 4  # an event card is revealed: card
    SOLO_CARD = 5  # a solo card is revealed: card
    MOVED = 6  # seat, square, points paid
    REVEALED = 7  # seat, encounter
    COMPARED = 8  # seat, points, points needed
    VICTORY = 9  # seat, encounter
    DEFEAT = 10  # seat, encounter
    MOVED_BACK = 11  # seat, square
    TOKEN = 12  # seat, kind
    BONUS = 13  # seat, card whose alignment bonus starts to work
    DESTROYED = 14  # card (seat -1: of the row or a stack)
    DISCARDED = 15  # seat, card
    PLACED = 16  # encounter, 0 location, 1 creature, 2 equipment; which
    OUTWITTED = 17  # seat, card, seat that bought it
    REACHED = 18  # seat: on the key square
    DUEL = 19  # seat, total
    WON = 20  # seat
    CAPPED = 21  # turns
    GAINED = 22  # seat, Gain, amount, by a text or a token


class Tally(IntEnum):
    """What is counted per seat while the game runs."""

    TURNS = 0
    BOUGHT = 1
    INFLUENCE_SPENT = 2
    CHALLENGES = 3
    VICTORIES = 4
    PLACED = 5
    MOVES = 6
    MOVED_BACK = 7
    DESTROYED = 8
    CARDS_PLAYED = 9
    OUTWITS = 10
    MARGIN = 11  # sum over challenges of points less points needed, plus 64 each


TALLIES = 12

_int = np.int64
_per_seat = (MAX_SEATS,)

STATE = np.dtype(
    [
        # the open prompt
        ("seat", _int),
        ("prompt", _int),
        ("legal", _int),
        ("standing", _int, _per_seat),  # bit per prompt: always the lowest legal choice
        # places in hand when points could last be got, as bits
        ("hand_gear", _int),  # equipment
        ("hand_asks", _int),  # effects with a text, other than Outwit
        ("memo", _int, (MAX_SEATS, MEMO)),  # what each seat's player notes
        # the turn
        ("players", _int),
        ("turn", _int),  # 0 before the first turn, then the number of the current turn
        ("first_seat", _int),
        ("active", _int),
        ("step", _int),
        ("after", _int),  # step to go on with when all texts are done
        ("window", _int),  # seats that have picked
        ("status", _int),
        ("winner", _int),
        # points of the active player in this turn
        ("influence", _int),
        ("red", _int),
        ("blue", _int),
        ("gold", _int),
        ("base_influence", _int),  # by hero and equipment, part of what was gained
        ("red_spent", _int),
        ("gold_spent", _int),
        ("used", _int),  # bit per slot: a piece of this type was used
        ("replaced", _int),  # bit per slot: its equipment was replaced
        ("slot_red", _int, (SLOTS,)),  # what the equipment used gave
        ("slot_gold", _int, (SLOTS,)),
        ("slot_keywords", _int, (SLOTS,)),
        ("slot_bonus", _int),  # bit per slot: its alignment bonus was given
        ("aligned", _int),  # cards of each alignment in play, ALIGNED bits for each
        ("played", _int, (MAX_PLAYED,)),  # effects played this turn
        ("played_size", _int),
        ("played_waiting", _int),  # bit per card played: has an alignment bonus not given yet
        ("destroyable", _int),  # cards played that can be destroyed
        ("slow", _int),  # added to travel numbers
        ("slow_until", _int),  # last turn of that
        # ways to get points when last noted, as choices of MAIN, and whether they hold still
        ("point_ways", _int),
        ("point_ways_hold", _int),
        # what a prompt is about
        ("card", _int),
        ("place", _int),
        ("fighting", _int),  # 1 + encounter of the challenge under way
        ("shown", _int),  # points ready less points thought to be needed, before the reveal
        ("stack", _int),  # kind of its stack: cards under it, and whether all lay face up
        ("todo", _int, (MAX_TODO,)),  # texts to carry out, the last first
        ("todo_size", _int),
        # each seat
        ("hero", _int, _per_seat),  # 1 + hero
        ("square", _int, _per_seat),
        ("ways", _int),  # points of travel to the key, packed by seat, WAY_BITS each
        ("came_from", _int, (MAX_SEATS, MAX_SQUARES)),  # 1 + square
        ("equipment", _int, (MAX_SEATS, SLOTS)),  # 1 + card
        ("forged", _int, (MAX_SEATS, SLOTS)),  # 1 + card under it
        ("worn", _int, _per_seat),  # cards of each alignment among both, packed like `aligned`
        ("hand", _int, (MAX_SEATS, MAX_HAND)),
        ("hand_size", _int, _per_seat),
        ("deck", _int, _per_seat),  # 1 + first card of a list
        ("in_order", _int, _per_seat),  # 1: that of drawing; 0: the deck lies in no order
        ("deck_size", _int, _per_seat),
        ("discard", _int, _per_seat),  # 1 + top card
        ("discard_size", _int, _per_seat),
        ("shuffles", _int, _per_seat),
        ("tokens", _int, (MAX_SEATS, MAX_TOKENS)),
        ("held_tokens", _int, _per_seat),  # bit per kind: has one or more
        ("kept", _int, _per_seat),  # influence left for another player's turn
        ("owed", _int, _per_seat),  # influence to lose at the start of the next turn
        ("arrived", _int, _per_seat),  # 1 for the first at the key, 2 for the second, ...
        ("arrivals", _int),
        ("last_turns", _int),  # duel: turns still to be played
        # piles and rows
        ("next", _int, (MAX_CARDS,)),  # 1 + card below in its pile
        ("adventure", _int, (MAX_ADVENTURE,)),  # 1 for each card left in the deck
        ("adventure_size", _int),
        ("adventure_draws", _int),
        ("revealed", _int),  # cards that have come from the adventure deck, of any type
        ("mixed", _int),  # cards of the adventure deck when special ones were shuffled in
        ("solo_left", _int),  # solo cards still in the deck
        ("events_left", _int),
        ("row", _int, (MAX_ROW,)),  # 1 + card
        ("destroyed", _int),  # 1 + card destroyed last
        ("destroyed_size", _int),
        ("location_deck", _int, (MAX_LOCATIONS,)),  # in no order
        ("location_deck_size", _int),
        ("creature_deck", _int, (MAX_CREATURES,)),
        ("creature_deck_size", _int),
        ("location_row", _int, (MAX_ROW,)),  # 1 + location
        ("creature_row", _int, (MAX_ROW,)),  # 1 + creature
        # what lies in the rows costs, NO_PRICE where nothing can be bought
        ("row_prices", _int),  # packed by place, PRICE_BITS each
        ("location_prices", _int),
        ("creature_prices", _int),
        ("known_locations", _int),  # bit per location that was turned over
        ("known_creatures", _int),
        ("creatures_destroyed", _int),  # bit per creature
        ("token_pile", _int, (MAX_TOKENS,)),
        ("token_draws", _int),
        # stacks, by encounter square
        ("location", _int, (MAX_ENCOUNTERS,)),  # 1 + location
        ("creature", _int, (MAX_ENCOUNTERS,)),  # 1 + creature
        ("gear", _int, (MAX_ENCOUNTERS, SLOTS)),  # 1 + card
        ("gear_owner", _int, (MAX_ENCOUNTERS, SLOTS)),  # 1 + seat that laid it face down, or 0
        # what follows from the stacks; `note_stack` keeps it
        ("open_squares", _int),  # bit per encounter: a location can go there
        ("lairs", _int),  # bit per encounter: a creature can go there
        ("rooms", _int, (SLOTS,)),  # bit per encounter: equipment of this type can go there
        # for putting a deck in order
        ("keys", _int, (2 * MAX_CARDS,)),  # more than is used, see `piles.put_in_order`
        ("ranked", _int, (MAX_DECK,)),  # 1 + card
        # for the outcome
        ("tally", _int, (MAX_SEATS, TALLIES)),
        ("moved", _int),  # 1: somebody has moved since the leader was noted
        ("leader", _int),
        ("lead_changes", _int),
        ("quarter", _int),  # quarters of the way that the leader has passed
        ("leader_at", _int, (3,)),
        ("lead_at", _int, (3,)),
        ("bought_kinds", _int, (MAX_SEATS, KIND_WORDS)),  # bit per kind, KIND_BITS a word
        ("seen_kinds", _int, (KIND_WORDS,)),  # that lay in the row
        ("played_by", _int, (MAX_CARDS,)),  # 1 + seat that played it last, in any way
    ],
    align=True,
)

TABLES = np.dtype(
    [
        ("players", _int),
        # variants and readings
        ("solo", _int),
        ("duel", _int),
        ("start_locations", _int),  # 2 players A: so many Add Location cards, lowest first
        ("start_silver", _int),  # 2 players B: 1 + the kind that replaces a starting card
        ("start_replaced", _int),  # the kind it replaces
        ("tan_boxes", _int),
        ("events", _int),
        ("removal", _int),  # solo: 1 by position, 2 by cost
        ("results_first", _int),  # D-3
        ("results_after_defeat", _int),  # D-4
        ("points_lost", _int),  # D-14
        ("play_after_reveal", _int),  # D-16
        ("capacity_with_creature", _int),  # D-18
        ("outwit_influence", _int),  # D-23: 0 none, 1 unspent of hero and equipment, 2 all unspent
        ("random_start", _int),
        ("turn_cap", _int),
        # sizes
        ("opening", _int, _per_seat),  # cards drawn by the first, second, ... player
        ("draw", _int),
        ("row_size", _int),
        ("locations_visible", _int),
        ("creatures_visible", _int),
        ("bands", _int, (3,)),  # solo: most turns of the three better bands
        # texts: what cards say, as lists of operations
        ("text_ways", _int, (MAX_TEXTS,)),  # 1, or 2 for "this or that"; text 0 says nothing
        ("text_op", _int, (MAX_TEXTS, TEXT_WAYS, TEXT_OPS)),
        ("text_amount", _int, (MAX_TEXTS, TEXT_WAYS, TEXT_OPS)),
        # cards
        ("card_kind", _int, (MAX_CARDS,)),
        ("card_facts", _int, (MAX_CARDS,)),  # the facts of its kind
        ("marks", _int, (MAX_CARDS,)),  # see Mark
        ("card_gains", _int, (MAX_CARDS,)),  # packed: influence, red, blue, gold, SUM_BITS each
        ("starting_cards", _int),  # of each seat
        ("adventure_cards", _int),
        ("solo_cards", _int),
        ("event_cards", _int),
        ("first_card", _int),  # experiment: 1 + kind; one of these is dealt first
        ("left_out", _int, (KIND_WORDS,)),  # experiment: bit per kind that is not in the deck
        # kinds of cards
        ("kinds", _int),
        ("facts", _int, (MAX_KINDS,)),  # see Fact
        ("type", _int, (MAX_KINDS,)),
        ("cost", _int, (MAX_KINDS,)),
        ("alignment", _int, (MAX_KINDS,)),
        ("keywords", _int, (MAX_KINDS,)),  # bit per keyword
        ("icon", _int, (MAX_KINDS,)),
        ("gain", _int, (MAX_KINDS, GAINS)),  # at once, when played or used
        ("text", _int, (MAX_KINDS,)),  # what comes after the gain; 0 if nothing
        ("bonus", _int, (MAX_KINDS, GAINS)),  # with another card of the alignment
        ("gains", _int, (MAX_KINDS,)),  # the row of `gain` packed, GAIN_BITS each
        ("bonuses", _int, (MAX_KINDS,)),  # the row of `bonus`
        ("forges", _int, (MAX_KINDS,)),  # the row of `forge`
        ("has_bonus", _int, (MAX_KINDS,)),
        ("forge", _int, (MAX_KINDS, GAINS)),  # what it adds to the card it is forged under
        ("can_forge", _int, (MAX_KINDS,)),
        ("destroy_text", _int, (MAX_KINDS,)),  # what destroying it does; 0 if it cannot
        ("outwits", _int, (MAX_KINDS,)),
        ("scope", _int, (MAX_KINDS,)),  # of events
        # heroes
        ("heroes", _int),
        ("hero_gain", _int, (MAX_HEROES, GAINS)),  # every turn
        ("hero_alternate", _int, (MAX_HEROES, GAINS)),  # in the first, third, ... own turn
        ("hero_gains", _int, (MAX_HEROES,)),  # the two packed like `gains`
        ("hero_alternates", _int, (MAX_HEROES,)),
        # locations
        ("locations", _int),
        ("location_cost", _int, (MAX_LOCATIONS,)),
        ("location_icon", _int, (MAX_LOCATIONS,)),
        ("location_points", _int, (MAX_LOCATIONS,)),
        ("location_reduced", _int, (MAX_LOCATIONS,)),  # with an item of the icon
        ("location_capacity", _int, (MAX_LOCATIONS,)),
        # mean points, in twelfths, of all that show the same front (D-19); of hidden equipment
        ("location_front", _int, (MAX_LOCATIONS,)),
        ("location_front_reduced", _int, (MAX_LOCATIONS,)),
        ("creature_front", _int, (MAX_CREATURES,)),
        ("gear_front", _int, (SLOTS,)),
        ("location_victory", _int, (MAX_LOCATIONS,)),  # texts
        ("location_results", _int, (MAX_LOCATIONS,)),
        ("location_tan", _int, (MAX_LOCATIONS,)),
        ("location_defeat", _int, (MAX_LOCATIONS,)),
        ("location_item_results", _int, (MAX_LOCATIONS,)),  # with an item of the icon
        ("location_item_defeat", _int, (MAX_LOCATIONS,)),
        # creatures
        ("creatures", _int),
        ("creature_cost", _int, (MAX_CREATURES,)),
        ("creature_points", _int, (MAX_CREATURES,)),
        ("creature_alignment", _int, (MAX_CREATURES,)),
        ("creature_bonus", _int, (MAX_CREATURES,)),
        ("creature_immune_keywords", _int, (MAX_CREATURES,)),  # bits
        ("creature_immune_types", _int, (MAX_CREATURES,)),  # bit per slot
        # tokens
        ("token_kinds", _int),
        ("token_count", _int, (MAX_TOKENS,)),
        ("token_gain", _int, (MAX_TOKENS, GAINS)),
        ("token_gains", _int, (MAX_TOKENS,)),  # packed
        ("token_hinders", _int, (MAX_TOKENS,)),  # Hinder bits; 0 for a positive token
        ("token_amount", _int, (MAX_TOKENS,)),
        ("hindering", _int),  # bit per kind that is negative
        # the board
        ("squares", _int),
        ("edge_to", _int, (MAX_SQUARES, MAX_EDGES)),  # 1 + square
        ("edge_number", _int, (MAX_SQUARES, MAX_EDGES)),
        ("edge_numbers", _int, (MAX_SQUARES,)),  # packed by edge as prices are
        ("encounter", _int, (MAX_SQUARES,)),  # 1 + encounter on this square
        ("encounters", _int),
        ("encounter_square", _int, (MAX_ENCOUNTERS,)),
        ("starts", _int),
        ("start_square", _int, (MAX_SEATS,)),
        ("key_square", _int),
        ("distance", _int, (MAX_SQUARES,)),  # sum of travel numbers to the key
        ("steps", _int, (MAX_SQUARES,)),  # squares to the key
        ("nearer", _int, (MAX_SQUARES,)),  # bit per encounter that is nearer to the key
        ("onward", _int, (MAX_SQUARES,)),  # bit per edge to a square that is nearer to the key
        # Add Location cards, in the order of their numbers
        ("add_locations", _int),
        ("add_place", _int, (MAX_ENCOUNTERS,)),  # place in the challenge row
        ("add_encounter", _int, (MAX_ENCOUNTERS,)),
        ("add_start", _int, (MAX_ENCOUNTERS,)),  # start
        # names as text of NAME_WORDS * 8 bytes, for traces
        ("kind_name", _int, (MAX_KINDS, NAME_WORDS)),
        ("hero_name", _int, (MAX_HEROES, NAME_WORDS)),
        ("location_name", _int, (MAX_LOCATIONS, NAME_WORDS)),
        ("creature_name", _int, (MAX_CREATURES, NAME_WORDS)),
        ("token_name", _int, (MAX_TOKENS, NAME_WORDS)),
        ("square_name", _int, (MAX_SQUARES, NAME_WORDS)),
        ("keyword_name", _int, (KEYWORDS, NAME_WORDS)),
        # interventions on one seat, for measuring what something is worth
        ("forbid_kinds", _int, (MAX_SEATS, KIND_WORDS)),  # bit per kind it may not buy
        ("forbid_alignments", _int, _per_seat),  # bit per alignment it may not buy
        ("forbids", _int, _per_seat),  # 1: there is something in the two lines above
        ("forbid_blocking", _int, _per_seat),  # 1: may not buy challenges
        ("void_hero", _int, _per_seat),  # 1: gives what `plain_hero` gives
        ("force_hero", _int, _per_seat),  # 1 + hero this seat has
        ("plain_hero", _int, (GAINS,)),
    ],
    align=True,
)
