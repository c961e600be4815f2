"""Enums and records of Near and Far with the Amber Mines: what a game is made of.

Seats are numbered from 0 inside the kernel (from 1 for people). All fields are int64, so plain
Python and compiled code do the same arithmetic. A field that may be empty holds 1 + a number, and
0 for nothing.

Sets are bits of a word: artifacts, treasures, members, mine cards, map spaces and roads each have
their own numbering of at most 62. No deck has an order in the state: the next card is the one of
those left with the smallest draw of its own, so a card more or less leaves the others' order as
it was.

A member is whoever can be in a party: adventurers first, companions from FIRST_COMPANION on.
Symbols of members and cards are packed, a byte for each `Symbol`, so adding words adds symbols.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

MAX_SEATS = 4
MEMO = 32
SCRATCH_ROWS = 13
SCRATCH_PLACES = 64  # two for each space of the map

MAX_MEMBERS = 56
FIRST_COMPANION = 48  # members below are adventurers
COMPANIONS = 8
PARTY = 4  # most members of an active party
MAX_TRACK = 8  # adventurers that can be recruited
MAX_ARTIFACTS = 62
MAX_TREASURES = 48
MAX_THREATS = 16
MAX_SPACES = 32
MAX_STEPS = 16  # a power of two
MAX_ROADS = 62
MAX_DEGREE = 8
MAX_QUESTS = 32
QUEST_WAYS = 2
RESOURCES = 4  # trade resources, each a route
FACTIONS = 4
GOODS = 7  # see Good
REWARDS = 12  # see Reward
SYMBOLS = 8
SPELLS = 10
MAX_AREAS = 16  # of the base mine
MAX_MINE_CARDS = 48  # card 0 is the entrance
MINE_ROW = 128  # place of a card in the mine = row * MINE_ROW + column
MINE_ENTRANCE = 64  # column of the entrance; all cards in a row fit on either side
MAX_MAGIC = 32  # spaces of the magic track, 0 is off the board
DIE_SIDES = 6  # of an expert die
DIE_CHANCES = 240  # certain; a multiple of five and six, so that chances of faces are exact
FACES = 8  # numbers of dice that are counted apart, from 0
KEYWORDS = 16
WAY_KIND = 5  # a way: the space it leads to and, from this bit on, the symbols on its road
WAY_THREAT = 1 << WAY_KIND
WAY_TREASURE = 2 << WAY_KIND
WAY_BITS = 7  # of a way in a word of all ways from a space, after whose last one there is a 1
WAY_THREATS = sum(WAY_THREAT << (WAY_BITS * place) for place in range(MAX_DEGREE))
PURSE_BITS = 9  # of each of the goods in a purse, the highest of them 0: see `basics.purse`
PURSE_GUARD = sum(1 << (PURSE_BITS * good + PURSE_BITS - 1) for good in range(GOODS))
FOODS = 4  # the odds of an expert die count food up to 3
OFFER = 5  # cards to choose from at once: a choice is one of their 32 subsets
NAME_WORDS = 4
MINE_DEPTHS = 8  # cards entered in a visit, for counting; the last one stands for more
MINE_WANTED = 8  # the die a roll takes, from 1 for any die; 7 takes hearts
DUMMY = 4  # the opponent of a duel who is nobody's figure
NO_DUEL = 2 * (DUMMY + 1)  # the choice of DUEL that shares the building, in a cooperative game
MAX_TIME = 62  # spaces of the time track
MAX_BOSSES = 4
MAX_MINIONS = 8
GIFT_BIRD = GOODS  # a gift: a Good, a bird, or a treasure
GIFT_TREASURE = GIFT_BIRD + 1  # + place among those held, lowest first
GIFT_TREASURES = 3
GIFTS = GIFT_TREASURE + GIFT_TREASURES  # what can be given to each other player, see GIVE
GAPS = 8  # rounds 4, 8, ... 32, when it is noted how far a team is
GAP_ROUNDS = 4
NO_GAP = -999  # the game was over by then


class Prompt(IntEnum):
    """What a player is asked, and what the choices mean; from GIVE on in cooperative games only."""

    GAME_OVER = 0
    COMPANION = 1  # kind of companion (0 to COMPANIONS - 1)
    DRAFT = 2  # artifact to keep, out of the pack
    KEEP = 3  # cards of `offer` to keep: bit i of the choice is card i; 0 keeps none
    TURN = 4  # see Turn
    DUEL = 5  # 2 x opponent (a seat, or DUMMY), + 1 for a dishonest duel; NO_DUEL
    TOWN_HALL = 6  # see Hall
    GOODS = 7  # 0 done (receiving only), 1 + Good to pay or to receive, see `goods_due`
    DISCARD = 8  # 1 + artifact of the hand
    RECRUIT = 9  # 0 none, 1 + place on the track, RECRUIT_REFRESH: pay 1 food for a new track
    STABLES = 10  # pack birds to buy, 0 none
    STORE = 11  # 0 a coin (base store only), 1 + number of basic ones among the cards drawn
    HUT = 12  # 0 no magic, 1 one space, 2 pay a gem for three spaces
    SPELL = 13  # kind of spell to learn
    TREASURE = 14  # treasure to discard: 0 the new one, 1 + place among those held, lowest first
    MINE_AREA = 15  # base mine: 0 none, 1 + area
    MINE_START = 16  # mine card to start from: 0 the entrance
    MINE_MOVE = 17  # see Dig
    PARTY = 18  # 0 done, 1 + member who joins the active party
    PARTY_OUT = 19  # 1 + member who leaves it for the one who joins
    MOVE = 20  # see Walk
    THREAT = 21  # see Face
    QUEST = 22  # 0 leave it, 1 the first way, 2 the second
    CAMP = 23  # 0 none, 1 build, +1 two reputation up, +2 two down (Alter Weather),
    # +3 with two search more (Divination): 1 to 6
    BEFORE_ROLL = 24  # 0 roll, 1 Illusion, 2 + hearts to spend beforehand (hearts_before_roll)
    REROLL = 25  # 0 keep the face, 1 pay a food and roll again
    AFTER_ROLL = 26  # see After
    BUY = 27  # 0 none, 1 + artifact
    GIVE = 28  # 0 done, 1 + GIFTS x k + what: to the k-th seat to the left (from 0); what is a
    # Good, GIFT_BIRD, or GIFT_TREASURE + place among the treasures held, the lowest first
    MINION = 29  # 0 ignore, 1 + 2 x i, + 1 with swords: fight the i-th minion of the building
    BOSS = 30  # 0 leave it, 1 fight
    REMOVE_CAMP = 31  # 1 + mine card that loses its camp


RECRUIT_REFRESH = 9


class Turn(IntEnum):
    """The choices of TURN."""

    ADVENTURE = 0
    BUILDING = 0  # + Place: visit a building of the town (1 to 7)
    BUY = 8  # an artifact first; then TURN again
    SPELL = (
        9  # + Spell, now: Divination (for the Hut), Rejuvenation, Transmutation of one gem, Brew
    )
    TRANSMUTE = 18  # + gems (2 to 4): Transmutation of so many
    GIVE = 23  # goods to others at the same place; then TURN again


class Hall(IntEnum):
    """The choices of TOWN_HALL; each of the three actions once, its parts in a row."""

    DONE = 0
    GIVE_ONE = 1  # + Good: pay one, receive up to five (GOODS asks which)
    TAKE_ONE = 8  # + Good: receive one for five (GOODS asks which)
    DISCARD = 15  # an artifact of the hand (DISCARD asks which)
    COIN_UP = 16  # reputation for a coin or a gem, again and again
    GEM_UP = 17
    COIN_DOWN = 18
    GEM_DOWN = 19


class Dig(IntEnum):
    """The choices of MINE_MOVE."""

    LEAVE = 0  # without a camp
    LEFT = 1
    RIGHT = 2
    DOWN = 3
    UP = 4
    CAMP = 5  # build one; + 1 with two reputation up, + 2 with two down (Alter Weather)
    BUY = 9
    SPELL = 10  # + Spell: Haste, Rejuvenation, Brew Potion


class Walk(IntEnum):
    """The choices of MOVE."""

    STOP = 0
    ROAD = 1  # + place in the space's list of roads
    BUY = 9
    SPELL = 10  # + Spell: Haste, Rejuvenation, Brew Potion
    GIVE = 21  # goods to others on the same space; then MOVE again


class Face(IntEnum):
    """The choices of THREAT: how to pass one."""

    FIGHT = 0
    CAUTION = 1
    BIRD = 2  # give up a pack bird
    WIND_STORM = 3  # the spell, as a caution symbol


class After(IntEnum):
    """The choices of AFTER_ROLL."""

    ACCEPT = 0  # leave the roll as it is
    SPEND = 1  # the hearts that make it a success
    SPEND_BONUS = 2  # the hearts that earn the bonus of a quest as well
    SPELL = 3  # + Spell: Wind Storm, Summon Imp, Lightning Bolt; then asked again if it matters


class Place(IntEnum):
    """Where a figure stands. TOWN_HALL to MINE are the buildings of the town."""

    NOWHERE = 0  # before the first turn
    TOWN_HALL = 1
    SALOON = 2
    STABLES = 3
    GENERAL_STORE = 4
    FARM = 5
    HUT = 6
    MINE = 7
    JAIL = 8
    MAP = 9


BUILDINGS = 8  # Place values below are NOWHERE and the buildings


class Faction(IntEnum):
    """The four factions; members without one have NONE."""

    NONE = 0
    OUTLAWS = 1
    MYSTICS = 2
    LIZARDFOLK = 3
    NOMADS = 4


class Symbol(IntEnum):
    """Bytes of a word of symbols."""

    SKILL = 0
    COMBAT = 1
    SEARCH = 2
    CAUTION = 3
    MOVEMENT = 4
    HEARTS = 5
    MAGIC = 6  # magic teachers
    PICKAX = 7  # miners


class Good(IntEnum):
    """What is held in numbers: columns of `goods` and of prices."""

    FOOD = 0
    COIN = 1
    GEM = 2
    OUTLAWS = 3  # faction tokens: TOKEN + faction
    MYSTICS = 4
    LIZARDFOLK = 5
    NOMADS = 6


TOKEN = 2


class Reward(IntEnum):
    """Columns of a reward. The first ones are goods."""

    FOOD = 0
    COIN = 1
    GEM = 2
    OUTLAWS = 3
    MYSTICS = 4
    LIZARDFOLK = 5
    NOMADS = 6
    REPUTATION = 7
    JOURNEY = 8  # journey points
    TREASURE = 9
    MAGIC = 10
    HEARTS = 11


class Ability(IntEnum):
    """Bits: what a card does beyond its symbols."""

    MERCHANT_PACK = 1  # three treasures without birds
    ALMANAC = 2  # bought artifacts cost a coin less
    SHERIFF_BADGE = 4  # a bonus in duels


class Spell(IntEnum):
    """Kinds of spells."""

    HASTE = 0
    WIND_STORM = 1
    DIVINATION = 2
    SUMMON_IMP = 3
    REJUVENATION = 4
    TRANSMUTATION = 5
    ILLUSION = 6
    LIGHTNING_BOLT = 7
    ALTER_WEATHER = 8
    BREW_POTION = 9


class DieFace(IntEnum):
    """Special faces of an expert die, beside plain numbers."""

    REROLL = 0  # the face rolls again
    MAY_REROLL = 100  # + number: a food rolls it again


class EndTrigger(IntEnum):
    """What ends a game (A-1)."""

    QUESTS = 0
    CAMPS = 1
    EITHER = 2


class Effect(IntEnum):
    """What a minion does; from BIRD_COINS on as long as it stands there, the others at once."""

    REMOVE_CAMP = 0  # a camp of the mine goes back to its owner
    DISCARD_TREASURE = 1  # each player a treasure
    LOSE_FOOD = 2  # each player
    DISCARD_ARTIFACT = 3  # each player an artifact of the hand
    LOSE_REPUTATION = 4  # each player
    REMOVE_THREAT = 5  # the threat on top
    BIRD_COINS = 6  # a pack bird costs coins as well
    RECRUIT_REPUTATION = 7  # who recruits loses reputation


class RollKind(IntEnum):
    """What a roll is for."""

    NONE = 0
    THREAT = 1
    QUEST = 2
    MINE = 3
    DEFENCE = 4  # of a duel
    DUEL = 5  # the challenger's
    MINION = 6
    BOSS = 7


class Status(IntEnum):
    """How a game ended. The first three codes mean the same in every game."""

    WON = 0  # decided; a team may have lost
    CAPPED = 1
    ILLEGAL_CHOICE = 2
    PLAYING = 3


class Step(IntEnum):
    """Where the rules stand: a step that asks (ASK_), then one that acts on the answer."""

    ASK_COMPANION = 0
    COMPANION = 1
    ASK_DRAFT = 2
    DRAFT = 3
    ASK_KEEP_ADVANCED = 4
    KEEP_ADVANCED = 5
    ASK_KEEP_BASIC = 6
    KEEP_BASIC = 7
    TURN_START = 8
    ASK_TURN = 9
    TURN = 10
    BUY = 11
    # town
    VISIT = 12
    DUEL = 13
    ACT = 14  # the building's action
    ASK_HALL = 15
    HALL = 16
    ASK_GOODS = 17
    GOODS = 18
    DISCARD = 19
    ASK_RECRUIT = 20
    RECRUIT = 21
    STABLES = 22
    STORE = 23
    KEEP_DRAWN = 24
    HUT = 25
    ASK_HUT = 26
    MINE_AREA = 27
    MINE_START = 28
    ASK_MINE_MOVE = 29
    MINE_MOVE = 30
    # party
    ASK_PARTY = 31
    PARTY = 32
    PARTY_OUT = 33
    # map
    DEPART = 34
    ASK_MOVE = 35
    MOVE = 36
    THREAT = 37
    CROSS = 38
    ASK_QUEST = 39
    QUEST = 40
    ASK_CAMP = 41
    CAMP = 42
    # a roll
    ASK_BEFORE_ROLL = 43
    BEFORE_ROLL = 44
    THROW = 45
    REROLL = 46
    ASK_AFTER_ROLL = 47
    AFTER_ROLL = 48
    ROLLED = 49
    # treasures and spells that are due
    SETTLE = 50
    TREASURE = 51
    SPELL = 52
    # the end of a turn
    TURN_END = 53
    NEXT_TURN = 54
    ASK_STABLES = 55
    ASK_STORE = 56
    ASK_MINE_START = 57
    ASK_MINE_AREA = 58
    # a cooperative game: these steps are in together.py
    DUE = 59  # what minions do
    DUE_TREASURE = 60
    DUE_DISCARD = 61
    DUE_CAMP = 62
    ASK_GIVE = 63
    GIVE = 64
    ASK_MINION = 65
    MINION = 66
    ENTER = 67  # into the building, once its minions are dealt with
    ASK_BOSS = 68
    BOSS = 69
    ENTER_DUEL = 70  # a duel by choice
    TEAM_ROLLED = 71  # a roll against a minion or a boss


class Stream(IntEnum):
    """Purposes of luck. Ordered cards: index = shuffle << 8 | card; dice: turn << 8 | which."""

    SET_UP = 0  # index 0 the first seat, 1 + seat the order in which companions are picked
    QUESTS = 1  # index: space
    BASIC = 2  # artifacts: one stream for both decks would do, but a designer thinks of two
    ADVANCED = 3
    TREASURES = 4
    BAG = 5  # adventurers
    MINE = 6
    SPELLS = 7
    ROLL = 8  # index: turn << 8 | roll of the turn
    SECOND_DIE = 9
    DEFENCE = 10  # the defender's die
    BOSSES = 11
    MINIONS = 12


class Event(IntEnum):
    """What is reported to a trace: seat, and up to three numbers."""

    TURN = 0  # active seat, number of the turn
    COMPANION = 1  # seat, kind
    DRAFTED = 2  # seat, artifact
    KEPT = 3  # seat, artifact
    DISCARDED = 4  # seat, artifact
    BOUGHT = 5  # seat, artifact
    GAINED = 6  # seat, Reward, amount (negative: lost), new total
    VISITED = 7  # seat, Place
    DUEL = 8  # seat, opponent, 1 if dishonest
    DUEL_WON = 9  # seat, total, total of the defender
    JAILED = 10  # seat
    RECRUITED = 11  # seat, member, coins paid
    TRACK = 12  # new adventurer: member, place on the track
    BIRD = 13  # seat, birds now, change
    JOINED = 14  # seat, member
    LEFT = 15  # seat, member
    HEARTS = 16  # seat, hearts now, change
    DEPARTED = 17  # seat, hearts, movement
    MOVED = 18  # seat, space, hearts paid
    THREAT_PASSED = 19  # seat, threat, Face
    THREAT_BEATEN = 20  # seat, threat
    THREAT_LOST = 21  # seat, threat
    TREASURE = 22  # seat, treasure drawn
    TREASURE_LOST = 23  # seat, treasure discarded
    QUEST = 24  # seat, quest, way
    QUEST_DONE = 25  # seat, quest, 1 with the bonus
    QUEST_FAILED = 26  # seat, quest, 1 if its token stays
    CAMP = 27  # seat, CampKind, where
    ROLL = 28  # seat, die, second die (0: none), symbols and bonuses
    REROLLED = 29  # seat, face, 1 if a food was paid
    ROLLED = 30  # seat, success (0 to 2), total, number needed
    SPELL_LEARNED = 31  # seat, spell
    SPELL_USED = 32  # seat, spell
    SPELLS_READY = 33  # seat
    MAGIC = 34  # seat, space of the track
    MINE_CARD = 35  # seat, card, cell: a new card is laid out
    MINE_MOVED = 36  # seat, card
    MINE_BACK = 37  # seat, card from which it was thrown back
    EXPERT_DIE = 38  # seat
    KEYWORD = 39  # seat, keyword, 1 gained, 0 lost
    TRADED = 40  # seat, Good, change
    LAST_ROUND = 41  # seat, EndTrigger
    SCORE = 42  # seat, Source, points
    WON = 43  # seat, points
    CAPPED = 44  # turns
    CLOCK = 45  # number at the time token, 1 with swords
    SKULL = 46  # the token is on the skull
    GIFT = 47  # seat, who gets it, what as in GIVE, treasure
    MINION_CAME = 48  # minion
    MINION_ACTS = 49  # minion
    MINION_FIGHT = 50  # seat, minion, 1 with swords
    MINION_COVERED = 51  # seat, minion, 1 the swords
    MINION_BEATEN = 52  # seat, minion
    CAMP_REMOVED = 53  # whose, mine card, camps left to build
    THREAT_REMOVED = 54  # threat
    BOSS_FIGHT = 55  # seat, boss
    BOSS_BEATEN = 56  # seat, boss
    BOSS_LOST = 57  # seat, boss
    TEAM = 58  # the team's points, points to beat, bosses left


class CampKind(IntEnum):
    """Where camps stand."""

    MAP = 0
    THREAT = 1
    MINE = 2
    MAGIC = 3
    STORE = 4
    BOSS = 5


CAMP_KINDS = 6


class Source(IntEnum):
    """Where journey points come from."""

    ARTIFACTS = 0
    UNBOUGHT = 1
    CAMPS = 2
    ALL_CAMPS = 3
    THREATS = 4
    ROUTES = 5
    QUESTS = 6  # journey points of rewards
    TREASURES = 7  # printed on treasures
    TREASURE_SET = 8
    AMBER = 9
    MAGIC = 10
    SPELLS = 11
    REPUTATION = 12
    CHIEFS = 13
    GOODS = 14
    TALENTS = 15
    KEYWORDS = 16


SOURCES = 17


class Tally(IntEnum):
    """What is counted per seat while the game runs."""

    TURNS = 0
    TOWN_VISITS = 1
    ADVENTURES = 2
    STEPS = 3
    DUELS = 4
    DUELS_WON = 5
    DISHONEST = 6
    DUELS_DISHONEST_WON = 7
    DEFENCES = 8
    DEFENCES_WON = 9
    THREATS_FOUGHT = 10
    THREATS_BEATEN = 11
    THREATS_PASSED = 12
    QUESTS_TRIED = 13
    QUESTS_DONE = 14
    QUEST_BONUSES = 15
    MINE_ROLLS = 16
    MINE_BACK = 17
    MINE_VISITS = 18
    MINE_CARDS = 19  # drawn
    RECRUITED = 20
    BOUGHT = 21
    ADVANCED_BOUGHT = 22
    TREASURES_DRAWN = 23
    SPELLS_CAST = 24
    HEARTS_SPENT = 25  # on rolls
    HEARTS_CROSSING = 26
    ROLLS = 27
    FOOD_FOR_REROLLS = 28
    REROLLS = 29
    EXPERT_TURN = 30  # own turn in which the expert die came, 0 never
    COINS_GAINED = 31
    GEMS_GAINED = 32
    GIFTS = 33  # things given
    GIFTS_TAKEN = 34
    MINION_FIGHTS = 35
    MINIONS_COVERED = 36
    MINIONS_BEATEN = 37  # second defeats
    BOSS_FIGHTS = 38
    BOSSES_BEATEN = 39


TALLIES = 40

_int = np.int64
_per_seat = (MAX_SEATS,)

STATE = np.dtype(
    [
        # the open prompt
        ("seat", _int),
        ("prompt", _int),
        ("legal", _int),
        ("standing", _int, _per_seat),  # bit per prompt: always the lowest legal choice
        ("memo", _int, (MAX_SEATS, MEMO)),
        # the turn
        ("players", _int),
        ("turn", _int),  # 0 before the first turn, then the number of the current turn
        ("first_seat", _int),
        ("active", _int),
        ("step", _int),
        ("after", _int),  # step to go on with when nothing is due any more
        ("back", _int),  # step to go back to from BUY, PARTY
        ("window", _int),  # set-up: seats that have answered; draft: round of picks
        ("picked", _int),  # bit per seat that has picked in this round of the draft
        ("status", _int),
        ("winners", _int),  # bit per seat
        ("winner", _int),  # the first of them, -1 for none
        ("ending", _int),  # 1 + EndTrigger once the end was triggered
        ("ended_by", _int),  # 1 + seat that triggered it
        # offers and what is due
        ("offer", _int, (OFFER,)),  # 1 + artifact
        ("offer_size", _int),
        ("goods_due", _int),  # trades: resources still to pay (TAKE_ONE), value left (GIVE_ONE)
        ("goods_left", _int),  # GIVE_ONE: resources still to receive
        ("trade", _int),  # the choice of TOWN_HALL under way
        ("hall_done", _int),  # bit per action of the Town Hall that is over
        ("hall_now", _int),  # the reputation action has begun
        ("treasures_due", _int),
        ("spells_due", _int),
        ("drawn_treasure", _int),  # 1 + the treasure just drawn that does not fit
        ("drawn_spells", _int),  # bit per kind drawn and not owned
        ("drawn_counts", _int, (2,)),  # the three spells drawn, packed by kind
        # parties in this window
        ("joining", _int),  # 1 + member who joins
        ("moved_members", _int),  # bits: joined or left in this window
        # a roll
        ("roll_kind", _int),
        ("roll_seat", _int),
        ("roll_symbol", _int),  # Symbol
        ("roll_base", _int),  # symbols and fixed bonuses
        ("roll_need", _int),
        ("roll_bonus", _int),  # total for the bonus of a quest; 0: there is none
        ("roll_plus", _int),  # by spells and hearts
        ("roll_dice", _int),  # 1, or 2 with Illusion
        ("die", _int),
        ("second_die", _int),
        ("rolls", _int),  # rolls of this turn, for the addresses of dice
        ("throws", _int),  # throws again of this die
        ("reserve", _int),  # hearts that cannot be spent on the roll
        ("success", _int),  # 0 no, 1 yes, 2 with the bonus
        ("rolled", _int),  # the total
        # a duel
        ("opponent", _int),
        ("dishonest", _int),
        ("defence", _int),  # the defender's total
        ("building", _int),  # Place under way
        # the adventure of this turn
        ("movement", _int),  # points left
        ("entered", _int),  # 1 once the figure has moved in this turn
        ("road", _int),  # 1 + road under way
        ("next_space", _int),
        ("crossed_threats", _int),  # bit per road whose threat has been used in this turn
        ("crossed_treasures", _int),
        ("caution_used", _int),
        ("quest_way", _int),
        ("divined", _int),  # search added by Divination to the act at hand
        ("store_camp", _int),  # 1 while a camp of the store can still be earned
        # the mine
        ("mine_card", _int),  # card the figure is on
        ("mine_from", _int),  # card to go back to
        ("mine_at", _int, (MAX_MINE_CARDS,)),  # 1 + place of a card laid out
        ("mine_near", _int, (MAX_MINE_CARDS,)),  # a byte for each direction of Dig: 1 + card
        ("mine_ways", _int, (MAX_MINE_CARDS,)),  # bits: cards laid out that one can go to
        ("mine_doors", _int, (MAX_MINE_CARDS,)),  # bit per direction in which they lie
        ("mine_edges", _int, (MAX_MINE_CARDS,)),  # bit per direction where one can be laid out
        ("mine_laid", _int),  # bits: cards laid out, the entrance not among them
        ("mine_camp", _int, (MAX_MINE_CARDS,)),  # 1 + seat
        ("mine_own", _int, _per_seat),  # bits: cards with an own camp
        ("mine_deck", _int),  # bits
        ("mine_depth", _int),  # cards entered in this visit
        ("area_camp", _int, (MAX_AREAS,)),  # base mine: 1 + seat
        # the map
        ("tokens", _int),  # bit per space with a quest token
        ("camp", _int, (MAX_SPACES,)),  # 1 + seat
        ("camped", _int),  # bit per space with a camp
        ("threat", _int),  # number of the top threat; `threats` once the stack is empty
        ("threat_owner", _int, (MAX_THREATS,)),  # 1 + seat
        # decks
        ("basic_deck", _int),  # bits
        ("advanced_deck", _int),
        ("artifact_discard", _int),
        ("basic_shuffles", _int),
        ("advanced_shuffles", _int),
        ("treasure_deck", _int),
        ("treasure_discard", _int),
        ("treasure_shuffles", _int),
        ("bag", _int),
        ("bag_out", _int),  # adventurers swept off the track
        ("bag_shuffles", _int),
        ("track", _int, (MAX_TRACK,)),  # 1 + member
        ("spell_deck", _int, (2,)),  # by kind, one byte a kind, eight a word
        ("spell_deck_size", _int),
        ("spell_discard", _int, (2,)),
        ("spell_discard_size", _int),
        ("spell_draws", _int),
        ("companions_left", _int, (COMPANIONS,)),
        ("magic_camps", _int, _per_seat),  # camps under the magic track by seat
        ("magic_camps_left", _int),
        ("store_camps", _int, _per_seat),
        ("store_camps_left", _int),
        # each seat
        ("place", _int, _per_seat),
        ("space", _int, _per_seat),  # while `place` is MAP
        ("goods", _int, (MAX_SEATS, GOODS)),
        ("reputation", _int, _per_seat),
        ("hearts", _int, _per_seat),
        ("birds", _int, _per_seat),
        ("tents", _int, _per_seat),  # camps not built yet
        ("map_camps", _int, _per_seat),  # bit per space
        ("mine_camps", _int, _per_seat),  # number of camps in the mine
        ("threat_camps", _int, _per_seat),
        ("members", _int, _per_seat),  # bits: owned
        ("party", _int, _per_seat),  # bits: active
        ("companion", _int, _per_seat),  # 1 + kind
        ("party_symbols", _int, _per_seat),  # packed
        ("card_symbols", _int, _per_seat),  # packed: artifacts bought and treasures
        ("abilities", _int, _per_seat),  # Ability bits of these
        ("banners", _int, (MAX_SEATS, FACTIONS)),  # of members owned
        ("pack", _int, _per_seat),  # bits: basic cards handed around in the draft
        ("advanced_dealt", _int, _per_seat),  # bits, until the choice is made
        ("hand", _int, _per_seat),  # bits: artifacts not bought
        ("bought", _int, _per_seat),
        ("seen", _int, _per_seat),  # artifacts that this seat has ever seen
        ("treasures", _int, _per_seat),
        ("magic", _int, _per_seat),
        ("spells", _int, _per_seat),  # bits: owned
        ("spells_up", _int, _per_seat),  # face up
        ("expert", _int, _per_seat),  # owns an expert die
        ("first_expert", _int),  # 1 + seat that got one first by a visit
        ("quests_done", _int, _per_seat),
        ("keywords", _int, _per_seat),
        ("journey", _int, _per_seat),  # points of rewards
        # a cooperative game
        ("together", _int),  # 1 in one
        ("time_space", _int),  # of the time token
        ("time_value", _int),  # number at the token, or the last one before the skull
        ("skull", _int),  # 1 once time has run out
        ("bosses", _int),  # bits: in play
        ("bosses_left", _int),  # bits: not beaten
        ("boss_owner", _int, (MAX_BOSSES,)),  # 1 + seat
        ("boss_camps", _int, _per_seat),
        ("boss_now", _int),  # 1 + boss that is fought
        ("boss_asked", _int),  # turn in which a fight was offered
        ("minion_deck", _int),  # bits
        ("minions_in_town", _int),  # bits
        ("minion_covered", _int, (MAX_MINIONS,)),  # bit 0 skill, bit 1 swords
        ("minion_turn", _int, (MAX_MINIONS,)),  # turn in which the first was covered
        ("minion_now", _int),  # 1 + minion that is fought
        ("minion_swords", _int),  # 1: with swords
        ("minions_drawn", _int),
        ("minions_beaten", _int),
        ("minions_due", _int),  # bits: have still to act
        ("minion_acts", _int),  # 1 + minion that is acting
        ("due_place", _int),  # players who are through with it
        ("due_done", _int),  # 1: the player has given up something
        ("threats_removed", _int),
        ("gifts", _int),  # what could be given when TURN or MOVE was asked, as bits of GIVE
        ("gifts_closed", _int),  # turn << 8 | 1 + place in which no more is given
        ("team_gap", _int, (GAPS,)),  # certain points less those needed, by round
        ("team_bosses", _int, (GAPS,)),  # bosses left then, -1: the game was over
        # for the outcome
        ("tally", _int, (MAX_SEATS, TALLIES)),
        ("points", _int, (MAX_SEATS, SOURCES)),
        ("total", _int, _per_seat),
        ("amber", _int, _per_seat),
        ("route_share", _int, (RESOURCES,)),  # 0 nobody, 1 + seat alone, 8 + bits jointly
        ("running", _int, _per_seat),  # points certain so far, to tell who leads
        ("leader", _int),
        ("lead_changes", _int),
        ("quarter", _int),  # quarters of the tents that the first player has placed
        ("leader_at", _int, (3,)),
        ("lead_at", _int, (3,)),
        ("recruited_ever", _int, _per_seat),  # bits
        # where rules and deciders do their sums; what they leave there means nothing
        ("scratch", np.float64, (SCRATCH_ROWS, SCRATCH_PLACES)),
        ("labels", _int, (SCRATCH_PLACES,)),
    ],
    align=True,
)

TABLES = np.dtype(
    [
        ("players", _int),
        # modules
        ("new_threats", _int),
        ("amber_mines", _int),
        ("magic", _int),
        ("new_general_store", _int),
        ("miners", _int),
        ("magic_teachers", _int),
        ("expert_dice", _int),
        ("amber_treasures", _int),
        ("amber_artifacts", _int),
        ("numbat", _int),
        ("coop", _int),
        ("minions", _int),
        ("heart_total", _int),
        ("map_scarcity", _int),
        ("scenario", _int),  # 0 none, 1 Snazra Election, 2 Ancient Railroad
        # readings
        ("end_trigger", _int),  # EndTrigger
        ("finish_round", _int),
        ("failed_stay", _int),  # failed quests stay
        ("heart_cost_leave", _int),  # 0 crossing, 1 leaving
        ("mine_left", _int),  # 1 allows columns left of the entrance
        ("shared_win", _int),
        ("hearts_before_roll", _int),
        ("dummy", _int),  # two players: Place of the unused figure, 0 none
        ("farm_cards", _int),  # 1: bought artifacts and treasures count at the Farm, too
        ("random_start", _int),
        ("turn_cap", _int),
        # sizes
        ("start_coins", _int),
        ("tents", _int),
        ("most_hearts", _int),
        ("base_movement", _int),
        ("most_birds", _int),
        ("birds_per_visit", _int),
        ("bird_food", _int),
        ("track_size", _int),
        ("refresh_food", _int),
        ("basic_dealt", _int),
        ("advanced_dealt", _int),
        ("advanced_kept", _int),  # most
        ("store_coin", _int),
        ("store_cards", _int),
        ("store_hearts", _int),
        ("store_camps", _int),
        ("trade_many", _int),  # resources of the "many" side of a trade
        ("good_value", _int, (GOODS,)),
        ("reputation_low", _int),  # may be negative
        ("reputation_high", _int),
        ("quest_tokens", _int),  # on the map
        ("quest_bonus", _int),  # total above the number for the bonus
        ("cross_hearts", _int),  # hearts for an empty space
        ("camp_hearts", _int),  # hearts for a camp on the map
        ("honest_reputation", _int),
        ("dishonest_reputation", _int),  # may be negative
        ("dishonest_bonus", _int),
        ("badge_bonus", _int),
        ("almanac_coins", _int),
        ("hut_treasures", _int),  # base Hut: with a bird
        ("hut_magic", _int),  # spaces for nothing
        ("hut_gems", _int),  # price of the long way
        ("hut_gem_magic", _int),  # spaces for that
        ("teacher_magic", _int),  # spaces for each teacher
        ("miner_coins", _int),
        ("mine_camp_food", _int),  # food of a camp in the mine, for each camp one has there
        ("spells_drawn", _int),
        # points
        ("unbought_points", _int),  # may be negative
        ("camp_points", _int),
        ("all_camps_points", _int),
        ("set_treasures", _int),
        ("set_points", _int),
        ("amber_points", _int, (2,)),  # most, second most
        ("magic_points", _int),
        ("spell_points", _int),
        ("reputation_steps", _int),  # steps for a point; 0: reputation scores nothing
        ("chief_points", _int, (FACTIONS,)),
        ("goods_step", _int),  # value of goods for a point; 0: none
        ("storytelling_points", _int),
        # die
        ("die_sides", _int),
        ("expert_face", _int, (DIE_SIDES,)),  # DieFace.REROLL, a number, or MAY_REROLL + number
        # members
        ("adventurers", _int),  # bits: in the bag at the start
        ("member_cost", _int, (MAX_MEMBERS,)),
        ("member_faction", _int, (MAX_MEMBERS,)),  # Faction
        ("member_symbols", _int, (MAX_MEMBERS,)),  # packed
        ("companion_count", _int, (COMPANIONS,)),  # tokens of each kind in this game
        # artifacts
        ("basic_cards", _int),  # bits
        ("advanced_cards", _int),
        ("artifact_cost", _int, (MAX_ARTIFACTS, GOODS)),
        ("artifact_reputation", _int, (MAX_ARTIFACTS,)),  # needed: at least if > 0, at most if < 0
        ("artifact_symbols", _int, (MAX_ARTIFACTS,)),  # packed
        ("artifact_ability", _int, (MAX_ARTIFACTS,)),  # Ability bits
        ("artifact_points", _int, (MAX_ARTIFACTS,)),
        # treasures
        ("treasure_cards", _int),  # bits
        ("treasure_symbols", _int, (MAX_TREASURES,)),  # packed
        ("treasure_ability", _int, (MAX_TREASURES,)),
        ("treasure_points", _int, (MAX_TREASURES,)),
        ("treasure_amber", _int, (MAX_TREASURES,)),
        # threats, the first on top
        ("threats", _int),
        ("threat_level", _int, (MAX_THREATS,)),
        ("threat_points", _int, (MAX_THREATS,)),
        ("threat_camp", _int, (MAX_THREATS,)),
        ("threat_reward", _int, (MAX_THREATS, REWARDS)),
        # base mine
        ("areas", _int),
        ("area_skill", _int, (MAX_AREAS,)),
        ("area_reward", _int, (MAX_AREAS, REWARDS)),
        ("area_adjacent", _int, (MAX_AREAS,)),  # bit per area
        ("area_start", _int),  # bits: areas where a first camp may stand
        # amber mine; card 0 is the entrance
        ("mine_cards", _int),  # bits, the entrance not among them
        ("mine_need", _int, (MAX_MINE_CARDS,)),  # 0: no check
        ("mine_symbol", _int, (MAX_MINE_CARDS,)),  # Symbol of the check
        ("mine_amber", _int, (MAX_MINE_CARDS,)),
        ("mine_shaft", _int, (MAX_MINE_CARDS,)),
        ("mine_reward", _int, (MAX_MINE_CARDS, REWARDS)),
        # magic
        ("magic_spaces", _int),  # number of the last space
        ("magic_icons", _int),  # bit per space with a spell icon
        ("magic_camps", _int),  # camp icons under the track
        ("spell_deck", _int, (2,)),  # packed like STATE["spell_deck"]
        ("spell_cards", _int),
        ("spell_amount", _int, (SPELLS,)),
        ("spell_second", _int, (SPELLS,)),  # the other number of a spell that has two
        ("spell_food", _int, (SPELLS,)),
        ("spell_uses", _int, (SPELLS,)),  # Transmutation: gems at most
        # the map
        ("map", _int),  # number in the atlas
        ("spaces", _int),
        ("town_space", _int),
        ("degree", _int, (MAX_SPACES,)),
        ("road_to", _int, (MAX_SPACES, MAX_DEGREE)),  # 1 + space
        ("road", _int, (MAX_SPACES, MAX_DEGREE)),  # number of the road
        ("neighbours", _int, (MAX_SPACES,)),  # bit per space
        ("distance", _int, (MAX_SPACES, MAX_SPACES)),  # steps
        ("roads", _int),
        ("road_threat", _int, (MAX_ROADS,)),
        ("road_treasure", _int, (MAX_ROADS,)),
        ("quest_spaces", _int),  # bit per space where a token can lie
        ("no_camp", _int),  # bit per space that takes no camp: the town
        ("refresh", _int),  # bit per space that resets hearts
        ("space_good", _int, (MAX_SPACES,)),  # 0, or 1 + Good (a coin or gem space)
        ("route_space", _int, (RESOURCES, 2)),
        ("route_alone", _int, (RESOURCES,)),  # points
        ("route_joint", _int, (RESOURCES,)),
        # quests: of the space with this number
        ("quest_symbol", _int, (MAX_SPACES, QUEST_WAYS)),  # Symbol: SKILL or COMBAT
        ("quest_need", _int, (MAX_SPACES, QUEST_WAYS)),
        ("quest_reward", _int, (MAX_SPACES, QUEST_WAYS, REWARDS)),
        ("quest_extra", _int, (MAX_SPACES, QUEST_WAYS, REWARDS)),  # the bonus
        ("quest_gains", _int, (MAX_SPACES, QUEST_WAYS)),  # keyword bits for whoever succeeds
        ("quest_loses", _int, (MAX_SPACES, QUEST_WAYS)),  # keyword bits that everybody loses
        ("keyword_points", _int, (KEYWORDS,)),  # may be negative
        # a cooperative game
        ("coop_at_least", _int),  # as many points as needed are enough
        ("coop_duels", _int),  # duels by choice (rule 60)
        ("bosses_as_threats", _int),  # after the last threat, in its place
        ("time_start", _int),  # space
        ("time_spaces", _int),
        ("time_value", _int, (MAX_TIME,)),
        ("time_next", _int, (MAX_TIME,)),  # space after it
        ("time_swords", _int),  # bit per space
        ("time_skull", _int),
        ("bosses", _int),  # how many are in play
        ("boss_cards", _int),  # bits
        ("boss_level", _int, (MAX_BOSSES,)),
        ("boss_space", _int, (MAX_BOSSES,)),  # where it is fought
        ("minion_cards", _int),  # bits
        ("minion_place", _int, (MAX_MINIONS,)),  # Place
        ("minion_effect", _int, (MAX_MINIONS,)),  # Effect
        ("minion_amount", _int, (MAX_MINIONS,)),
        ("minion_need", _int, (MAX_MINIONS, 2)),  # skill, swords
        ("minion_reward", _int, (MAX_MINIONS, REWARDS)),
        ("minion_coins", _int),  # for each of the two defeats
        # what follows from the numbers above, in a form that is quick to read: content.derive
        ("ways", _int, (MAX_SPACES,)),  # the ways from a space, WAY_BITS each, then a 1
        ("within", _int, (MAX_SPACES, MAX_STEPS)),  # bits: spaces at most as many steps away
        ("good_spaces", _int),  # bit per space with a coin or a gem
        ("artifact_price", _int, (MAX_ARTIFACTS,)),  # a purse with just the cost
        ("artifact_value", _int, (MAX_ARTIFACTS,)),  # of the cost, by `good_value`
        ("time_left", _int, (MAX_TIME,)),  # steps from a space of the time track to the skull
        ("die_odds", _int, (2, FOODS)),  # plain or expert, food: byte n - 1: of n or more, up to 7
        ("die_sums", _int, (2, FOODS, FACES)),  # of these odds, from 1 to n; both in DIE_CHANCES
        # names as text of NAME_WORDS * 8 bytes, for traces
        ("member_name", _int, (MAX_MEMBERS, NAME_WORDS)),
        ("artifact_name", _int, (MAX_ARTIFACTS, NAME_WORDS)),
        ("treasure_name", _int, (MAX_TREASURES, NAME_WORDS)),
        ("threat_name", _int, (MAX_THREATS, NAME_WORDS)),
        ("space_name", _int, (MAX_SPACES, NAME_WORDS)),
        ("mine_name", _int, (MAX_MINE_CARDS, NAME_WORDS)),
        ("keyword_name", _int, (KEYWORDS, NAME_WORDS)),
        ("area_name", _int, (MAX_AREAS, NAME_WORDS)),
        ("boss_name", _int, (MAX_BOSSES, NAME_WORDS)),
        ("minion_name", _int, (MAX_MINIONS, NAME_WORDS)),
        # interventions on one seat, for measuring what something is worth
        ("first_card", _int),  # experiment: 1 + artifact, or 1 + MAX_ARTIFACTS + adventurer
        ("expert_die", _int, _per_seat),  # 0 as printed, 1 from the start, 2 never
        ("forbid_artifacts", _int, _per_seat),  # bits: artifacts this seat may not buy
        ("deal_artifact", _int, _per_seat),  # 1 + artifact this seat holds after the draft
        ("forbid_members", _int, _per_seat),  # bits: adventurers this seat may not recruit
        ("start_member", _int, _per_seat),  # 1 + member this seat owns from the start
        ("forbid_places", _int, _per_seat),  # bit per Place of the town it may not visit
        ("forbid_duels", _int, _per_seat),  # bit 0 honest, bit 1 dishonest ones
        ("start_goods", _int, (MAX_SEATS, GOODS)),  # beside the coins
        ("forbid_gifts", _int, _per_seat),  # 1: it may give nothing to others
    ],
    align=True,
)
