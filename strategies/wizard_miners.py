"""The scripted players of Wizard Miners.

`passive` and `drill_first` are fixed to the last choice: anybody can program them again and
compare figure by figure. `weighing` is one competent player with weights: it puts a value in
mine cards on every action and every spell and takes the best. The strategies `builder`,
`cleaner`, `saboteur`, `sprinter` and `balanced` are sets of its weights, in wizard_miners.toml.

Nothing here looks at what a player cannot see: other hands, the spell deck, dice to come.
"""

from __future__ import annotations

from enum import IntEnum

from sim.choices import seat_after
from sim.jit import rare, rule
from sim.wizard_miners.mine import chart_cards, deck_left
from sim.wizard_miners.purchases import action_choices
from sim.wizard_miners.spells import newest_spell
from sim.wizard_miners.state import (
    BUY_DYNAMITE,
    CLEAN_UP,
    FIRST_ATTACK,
    FIRST_DEFENCE,
    LEVELS,
    NUMBERS,
    SPELLS,
    TOOLS,
    Effect,
    Prompt,
    Spell,
    Tool,
)
from strategies.toolkit import Script, highest, is_legal, lowest, ways

_KNOCKED_OUT = int(Effect.KNOCKED_OUT)
_REPAIR = int(Effect.REPAIR)
_SHORE_UP = int(Spell.SHORE_UP)
_NEGATE = 1 + int(Spell.NEGATE)
_REDIRECT = 1 + int(Spell.REDIRECT)
_REFLECT = 1 + int(Spell.REFLECT)
_TOOL_SAVED = 1 + int(Spell.TOOL_SAVED)
_DRILL = 1 + int(Tool.DRILL)
_SHOVEL = 1 + int(Tool.SHOVEL)
_HAMMER = 1 + int(Tool.HAMMER)


class DrillWeight(IntEnum):
    """Weights of `drill_first`; wizard_miners.toml says what they mean."""

    CLEAN_UP_AT = 0


class Weight(IntEnum):
    """Weights of `weighing`; wizard_miners.toml says what they mean."""

    PER_GEM = 0
    POTENTIAL = 1
    GREAT = 2
    GEM = 3
    GROWTH = 4
    NOT_DIGGING = 5
    IDLE = 6
    CLEAN_UP_AT = 7
    CLEAN_UP = 8
    CLEAN_UP_CARD = 9
    CLEAN_UP_AHEAD = 10
    DYNAMITE = 11
    FUSE = 12
    SPAN = 13
    MERCY = 14
    SHORE_UP = 15
    HOLD_BLAST = 16
    ATTACK = 17
    BREAK = 18
    CAST_AT = 19
    ATTACK_AT = 20
    FULL_HAND = 21
    URGENT = 22
    DEFEND_AT = 23
    KEEP_DEFENCE = 24
    SPELL_RESERVE = 25
    LAST_SPELL = 26


def passive(state, tables, prompt, weights):
    """Buy nothing, cast nothing, discard the newest spell: the slowest player there is."""
    if prompt == Prompt.DISCARD:
        return newest_spell(state, state["seat"], state["legal"])
    if prompt == Prompt.FREE_CLEAN_UP:
        return highest(state["legal"])
    return lowest(state["legal"])


def drill_first(state, tables, prompt, weights):
    """Buy the drill, then the shovel, then the hammer, each up to great; clean up a big pile.

    With the cave-in card out and a big pile (weight `clean_up_at`) it cleans up what it may
    before it buys. Never casts, never defends, never buys dynamite or a spell.
    """
    legal = state["legal"]
    if prompt == Prompt.ACTION:
        seat = state["seat"]
        if (  # one branch instead of three that nobody can guess
            (legal >> CLEAN_UP > 1)
            & (state["cave_in_out"][seat] != 0)
            & (state["rubble"][seat] >= weights[DrillWeight.CLEAN_UP_AT])
        ):
            return highest(legal)
        choice = _HAMMER if is_legal(legal, _HAMMER) else 0
        choice = _SHOVEL if is_legal(legal, _SHOVEL) else choice
        return _DRILL if is_legal(legal, _DRILL) else choice
    if prompt == Prompt.INITIAL_PURCHASE:
        return _DRILL if is_legal(legal, _DRILL) else 0
    if prompt == Prompt.DISCARD:
        return newest_spell(state, state["seat"], state["legal"])
    if prompt == Prompt.FREE_CLEAN_UP:
        return highest(legal)
    return lowest(legal)


# ---- what a player sees from its seat -----------------------------------------------------

# What `weighing` notes in its memo, so that it looks around once a turn.
SEEN_AT = 0  # the turn of the notes, plus one
SPEED = 1  # by seat: cards mined over all sides * sides rolls of the dice
PACE = 5  # by seat: rolls until its deck is empty, in TICKS
RIVAL = 9  # the other seat that will be done first
HORIZON = 10  # rolls until the first deck is empty, in TICKS
CARDS = 11  # by level: for each tool, twelve bits: what it adds to SPEED up to that level
CHANCE = 14  # for each tool, twelve bits: rolls that hit its three levels
FALL = 15  # by Shore Ups up to 3, twelve bits: cards that fall from a whole pile, in TICKS

TICKS = 64.0
LONGEST = 1000.0  # rolls; a slower pace is as good as none
SLOWEST = 0.02  # cards a roll; whoever mines less is taken to mine this much


@rare
def cards_over_all_rolls(hits, sides):
    """Return the cards that numbers mine, summed over all rolls of two dice. hits: (NUMBERS,)."""
    total = 0
    for number in range(2, min(2 * sides, NUMBERS - 1) + 1):
        if hits[number] != 0:
            total += hits[number] * ways(sides, number)
    return total


@rare
def expected_fall(tables, rubble, dynamite, shore_ups):
    """Return the exact mean of the cards that fall on a cave-in roll."""
    shift = dynamite - shore_ups * tables["spell_amount"][_SHORE_UP]
    total = 0
    for face in range(1, tables["cave_in_roll_sides"] + 1):
        total += min(rubble, chart_cards(tables, face + shift))
    return total / tables["cave_in_roll_sides"]


@rule
def cave_in_chance(tables):
    """Return the probability that the CAVE-IN die shows CAVE-IN."""
    return tables["cave_in_die_faces"] / tables["cave_in_die_sides"]


@rule
def cards_to_cave_in_card(state, tables, seat):
    """Return how many cards lie above a seat's cave-in card; 0 once it is out."""
    if state["cave_in_out"][seat] != 0:
        return 0
    return max(0, deck_left(state, seat) - tables["deck_size"] + tables["cards_above"])


@rare
def read_rules(tables, memo):
    """Note what never changes in a game: what tools add, and what falls on a cave-in roll."""
    sides = tables["dice_sides"]
    for level in range(LEVELS):
        word = 0
        for tool in range(TOOLS):
            cards = cards_over_all_rolls(tables["tool_hits"][tool, level + 1], sides)
            word |= min(cards, 4095) << (12 * tool)
        memo[CARDS + level] = word
    word = 0
    for tool in range(TOOLS):
        for number in range(2, min(2 * sides, NUMBERS - 1) + 1):
            if tables["tool_hits"][tool, LEVELS, number] > 0:
                word += ways(sides, number) << (12 * tool)
    memo[CHANCE] = word
    word = 0
    for shore_ups in range(4):
        fall = int(TICKS * expected_fall(tables, tables["cards_above"], 0, shore_ups))
        word |= min(fall, 4095) << (12 * shore_ups)
    memo[FALL] = word


@rule
def cards_of(memo, tool, level):
    """Return the cards that a tool mines with all its levels, summed over all rolls."""
    return memo[CARDS + level - 1] >> (12 * tool) & 4095 if level > 0 else 0


@rule
def gain_of(memo, tool, level):
    """Return the cards that one level of a tool adds (0 basic, 1 big, 2 great)."""
    return cards_of(memo, tool, level + 1) - cards_of(memo, tool, level)


@rule
def speed_of(state, tables, memo, seat):
    """Return the cards that a seat mines, summed over all rolls; tools out for repair do not."""
    speed = ways(tables["dice_sides"], state["wizard"][seat])
    for tool in range(TOOLS):
        level = state["levels"][seat, tool]
        if level > 0 and (
            state["lasting"][seat] == 0 or state["effects"][seat, _REPAIR + tool] == 0
        ):
            speed += cards_of(memo, tool, level)
    return speed


@rule
def rolls_to_go(state, tables, weights, memo, seat):
    """Return the rolls a seat will take to empty its deck, more tools and cave-ins foreseen."""
    sides = tables["dice_sides"]
    left = deck_left(state, seat)
    speed = memo[SPEED + seat] / (sides * sides)
    speed = max(SLOWEST, speed + weights[Weight.GROWTH] * left / tables["deck_size"])
    above = cards_to_cave_in_card(state, tables, seat)
    fall = (memo[FALL] >> (12 * min(3, state["shore_ups"][seat])) & 4095) / TICKS
    fall = min(fall, state["rubble"][seat] + above)
    slowed = max(0.25 * speed, speed - cave_in_chance(tables) * fall)
    below = left - above + (0.0 if state["cave_in_out"][seat] != 0 else fall)
    return min(LONGEST, above / speed + below / slowed)


@rare
def look_around(state, tables, weights, me):
    """Note each seat's speed and pace, the rival and how long the game will last."""
    memo = state["memo"][me]
    if memo[SEEN_AT] == 0:
        read_rules(tables, memo)
    memo[SEEN_AT] = state["turn"] + 1
    rival = -1
    for place in range(state["players"]):
        seat = seat_after(state, me, place)  # clockwise from me: no seat number wins the ties
        memo[SPEED + seat] = speed_of(state, tables, memo, seat)
        pace = int(TICKS * rolls_to_go(state, tables, weights, memo, seat))
        memo[PACE + seat] = pace
        if seat != me and (rival < 0 or pace < memo[PACE + rival]):
            rival = seat
    memo[RIVAL] = rival
    memo[HORIZON] = max(64, min(memo[PACE + me], memo[PACE + rival]))


@rule
def threat(state, weights, me, seat):
    """Return how much another seat's loss is worth: 1 if it is ahead of me, less behind."""
    memo = state["memo"][me]
    behind = max(0, memo[PACE + seat] - memo[PACE + me]) / TICKS
    return max(weights[Weight.MERCY], 1.0 - behind / weights[Weight.SPAN])


# ---- actions ------------------------------------------------------------------------------


@rule
def gem_price(memo, weights):
    """Return the cards that a gem is worth if kept."""
    return weights[Weight.GEM] * memo[HORIZON] / TICKS


@rare
def tool_value(state, tables, weights, me, tool):
    """Return the cards that a tool's next level will mine until the end, less its price."""
    memo = state["memo"][me]
    level = state["levels"][me, tool]
    later = cards_of(memo, tool, LEVELS) - cards_of(memo, tool, level + 1)
    cards = gain_of(memo, tool, level) + weights[Weight.POTENTIAL] * later
    if level == LEVELS - 1:
        chance = memo[CHANCE] >> (12 * tool) & 4095
        cards += weights[Weight.GREAT] * chance * tables["tool_bonus"][tool] / state["players"]
    sides = tables["dice_sides"]
    value = cards / (sides * sides) * memo[HORIZON] / TICKS
    cost = tables["tool_cost"][tool, level]
    per_gem = weights[Weight.PER_GEM]
    # 4 gems, a middling price, keeps both ways of counting on one scale
    value *= 1.0 - per_gem + per_gem * 4.0 / max(1, cost)
    return value - gem_price(memo, weights) * cost


@rare
def dynamite_value(state, tables, weights, me, pieces):
    """Return what dynamite at the rival is worth: the extra cards that will fall, less its price.

    With dynamite the Shore Ups are lost as well.
    """
    memo = state["memo"][me]
    rival = memo[RIVAL]
    above = cards_to_cave_in_card(state, tables, rival)
    rubble = state["rubble"][rival] + above
    dynamite = state["dynamite"][rival]
    shore_ups = state["shore_ups"][rival]
    fall = expected_fall(tables, rubble, dynamite, shore_ups)
    extra = expected_fall(tables, rubble, dynamite + pieces, shore_ups) - fall
    cave_ins = cave_in_chance(tables) * memo[PACE + rival] / TICKS
    if dynamite == 0 and shore_ups > 0:
        extra += cave_ins * (expected_fall(tables, rubble, 0, 0) - fall)
    if state["cave_in_out"][rival] != 0:
        extra *= min(1.0, cave_ins)
    else:
        extra /= 1.0 + weights[Weight.FUSE] * above
    price = gem_price(memo, weights) * tables["dynamite_cost"] * pieces
    return weights[Weight.DYNAMITE] * threat(state, weights, me, rival) * extra - price


@rule
def pieces_for(state, tables, gems, most):
    """Return how many pieces of dynamite some gems buy."""
    pieces = min(most, state["dynamite_supply"])
    cost = tables["dynamite_cost"]
    return pieces if cost == 0 else min(pieces, gems // cost)


@rare
def clean_up_value(state, tables, weights, me, rubble, cards):
    """Return what a clean-up is worth: the cards that will not fall, less its price.

    Exact for the cave-ins until the own next turn, a guess per card for those after it. Below
    `clean_up_at` cards of rubble, or far from the cave-in card, it is worth nothing.
    """
    memo = state["memo"][me]
    if rubble < weights[Weight.CLEAN_UP_AT]:
        return -1.0
    above = cards_to_cave_in_card(state, tables, me)
    cave_ins = cave_in_chance(tables) * state["players"]
    if state["cave_in_out"][me] == 0:
        if above > weights[Weight.CLEAN_UP_AHEAD]:
            return -1.0
        cave_ins = 1.0
        rubble += above
    dynamite = state["dynamite"][me]
    shore_ups = state["shore_ups"][me]
    saved = expected_fall(tables, rubble, dynamite, shore_ups)
    saved -= expected_fall(tables, rubble - cards, dynamite, shore_ups)
    later = cave_in_chance(tables) * memo[HORIZON] / TICKS
    return (
        weights[Weight.CLEAN_UP] * cave_ins * saved
        + weights[Weight.CLEAN_UP_CARD] * later * cards
        - gem_price(memo, weights) * tables["clean_up_cost"] * cards
    )


@rare
def best_action(state, tables, weights, me, legal, gems, rubble):
    """Return the best of the legal actions for some gems and a pile, and its value in cards."""
    best = 0
    best_value = 0.0
    per_piece = 0.0
    if is_legal(legal, BUY_DYNAMITE):
        pieces = pieces_for(state, tables, gems, tables["dynamite_per_action"])
        if pieces > 0:
            value = dynamite_value(state, tables, weights, me, pieces)
            per_piece = max(0.0, value / pieces)
            if value > best_value:
                best = BUY_DYNAMITE
                best_value = value
    for tool in range(TOOLS):
        if is_legal(legal, 1 + tool):
            cost = tables["tool_cost"][tool, state["levels"][me, tool]]
            if cost <= gems:
                value = tool_value(state, tables, weights, me, tool)
                if per_piece > 0.0:  # dynamite may go with a tool
                    pieces = pieces_for(state, tables, gems - cost, tables["dynamite_per_action"])
                    value += per_piece * pieces
                if value > best_value:
                    best = 1 + tool
                    best_value = value
    if legal >> CLEAN_UP > 1:
        cards = min(highest(legal) - CLEAN_UP, rubble)
        if tables["clean_up_cost"] > 0:
            cards = min(cards, gems // tables["clean_up_cost"])
        if cards > 0:
            value = clean_up_value(state, tables, weights, me, rubble, cards)
            if value > best_value:
                best = CLEAN_UP + cards
                best_value = value
    return best, best_value


@rule
def idle_value(state, tables, weights, me):
    """Return the bonus cards to expect from great tools if no action is taken."""
    great = state["great"][me]
    if great == 0:
        return 0.0
    word = state["memo"][me, CHANCE]
    cards = 0
    for tool in range(TOOLS):
        if is_legal(great, tool):
            cards += (word >> (12 * tool) & 4095) * tables["tool_bonus"][tool]
    sides = tables["dice_sides"]
    return weights[Weight.IDLE] * cards / (sides * sides)


@rare
def choose_digging(state, tables, weights, me):
    """Return 1, not digging, if the second action is worth more than what the roll would mine."""
    legal = action_choices(state, tables, me)
    gems = state["gems"][me]
    rubble = state["rubble"][me]
    first, first_value = best_action(state, tables, weights, me, legal, gems, rubble)
    if first == 0:
        return 0
    if first > CLEAN_UP:
        cards = first - CLEAN_UP
        gems -= cards * tables["clean_up_cost"]
        rubble -= cards
    elif first == BUY_DYNAMITE:
        gems -= tables["dynamite_cost"] * pieces_for(
            state, tables, gems, tables["dynamite_per_action"]
        )
        legal &= ~(1 << BUY_DYNAMITE)
    else:
        gems -= tables["tool_cost"][first - 1, state["levels"][me, first - 1]]
        legal &= ~(1 << first)
    second, second_value = best_action(state, tables, weights, me, legal, gems, rubble)
    if second == 0:
        return 0
    sides = tables["dice_sides"]
    lost = state["memo"][me, SPEED + me] - ways(sides, state["wizard"][me])
    digging = max(first_value, idle_value(state, tables, weights, me))
    digging += weights[Weight.NOT_DIGGING] * lost / (sides * sides)
    return 1 if first_value + second_value > digging else 0


@rule
def choose_action(state, tables, weights, me):
    """Return the best action, or none where the idle bonus promises more."""
    action, value = best_action(
        state, tables, weights, me, state["legal"], state["gems"][me], state["rubble"][me]
    )
    idle = state["digging"] != 0 and state["acted"] == 0
    if idle and idle_value(state, tables, weights, me) > value:
        return 0
    return action


@rule
def choose_dynamite(state, tables, weights, me):
    """Return who gets the next piece: the rival, as long as a full load is worth its price."""
    pieces = pieces_for(state, tables, state["gems"][me], state["dynamite_left"])
    if is_legal(state["legal"], 0) and dynamite_value(state, tables, weights, me, pieces) <= 0.0:
        return 0
    return 1 + state["memo"][me, RIVAL]


# ---- spells -------------------------------------------------------------------------------


@rare
def best_tool(state, me, seat, broken):
    """Return a seat's tool that mines most, and the cards over all rolls; -1 without a tool.

    broken: compare the top levels alone, which is what Broken Tool takes. Otherwise whole tools,
    and one that is out for repair already counts as nothing.
    """
    memo = state["memo"][me]
    best = -1
    most = -1
    for tool in range(TOOLS):
        level = state["levels"][seat, tool]
        if level > 0:
            if broken:
                cards = gain_of(memo, tool, level - 1)
            elif state["effects"][seat, _REPAIR + tool] != 0:
                cards = 0
            else:
                cards = cards_of(memo, tool, level)
            if cards > most:
                best = tool
                most = cards
    return best, most


@rare
def harm(state, tables, weights, me, seat, spell):
    """Return the cards that an attack will cost a seat, more in a roll that may win the game."""
    memo = state["memo"][me]
    square = tables["dice_sides"] * tables["dice_sides"]
    rolls = tables["spell_rolls"][spell]
    amount = tables["spell_amount"][spell]
    speed = memo[SPEED + seat] / square
    if spell == Spell.BROKEN_TOOL:
        most = best_tool(state, me, seat, True)[1]
        return weights[Weight.BREAK] * max(0, most) / square * memo[HORIZON] / TICKS
    if spell == Spell.CAVE_IN:
        cards = min(amount, state["rubble"][seat]) * 1.0
    elif spell == Spell.KNOCKED_OUT:
        cards = speed * rolls
    elif spell == Spell.HARD_ROCK:
        cards = min(amount, speed) * rolls
    else:
        cards = max(0, best_tool(state, me, seat, False)[1]) * rolls / square
    if seat == state["active"] and deck_left(state, seat) <= 2.0 * speed:
        cards *= weights[Weight.URGENT]
    return cards


@rare
def spell_value(state, tables, weights, me, spell):
    """Return the cards that a spell gains now, or costs the rival; defences have a fixed value."""
    if spell >= FIRST_DEFENCE:
        return weights[Weight.KEEP_DEFENCE]
    memo = state["memo"][me]
    if spell >= FIRST_ATTACK:
        rival = memo[RIVAL]
        cards = harm(state, tables, weights, me, rival, spell)
        return weights[Weight.ATTACK] * threat(state, weights, me, rival) * cards
    left = deck_left(state, me)
    amount = tables["spell_amount"][spell]
    if spell == Spell.SHORE_UP:
        rubble = state["rubble"][me] + cards_to_cave_in_card(state, tables, me)
        shore_ups = state["shore_ups"][me]
        saved = expected_fall(tables, rubble, 0, shore_ups)
        saved -= expected_fall(tables, rubble, 0, shore_ups + 1)
        cave_ins = cave_in_chance(tables) * memo[HORIZON] / TICKS
        return weights[Weight.SHORE_UP] * cave_ins * saved
    if spell == Spell.BLAST or spell == Spell.BIG_BLAST:
        return min(left, amount) * 1.0
    if left == 0 or state["effects"][me, _KNOCKED_OUT] != 0:
        return 0.0
    cards = amount * tables["spell_rolls"][spell] * 1.0
    if spell == Spell.MAGIC_AURA:
        most = max(0, best_tool(state, me, me, False)[1])
        square = tables["dice_sides"] * tables["dice_sides"]
        cards *= min(most, square) / square
    return cards


@rare
def choose_spell(state, tables, weights, me):
    """Return the spell that exceeds its threshold by most, or 0.

    Late blasts wait for the own turn, where they may win at once.
    """
    legal = state["legal"] >> 1
    full = state["hand_size"][me] >= tables["hand_limit"]
    scale = weights[Weight.FULL_HAND] if full else 1.0
    left = deck_left(state, me)
    best = 0
    most = 0.0
    for spell in range(FIRST_DEFENCE):
        if is_legal(legal, spell):
            if spell == Spell.BLAST or spell == Spell.BIG_BLAST:
                if me == state["active"]:
                    if left <= tables["spell_amount"][spell]:
                        return 1 + spell
                elif left <= weights[Weight.HOLD_BLAST]:
                    continue
            least = weights[Weight.ATTACK_AT if spell >= FIRST_ATTACK else Weight.CAST_AT]
            value = spell_value(state, tables, weights, me, spell) - scale * least
            if value > most:
                best = 1 + spell
                most = value
    return best


@rare
def choose_target(state, tables, weights, me):
    """Return the seat where the spell under way does most good."""
    best = 0
    most = -1.0
    for place in range(1, state["players"]):
        seat = seat_after(state, me, place)
        if is_legal(state["legal"], 1 + seat):
            value = harm(state, tables, weights, me, seat, state["spell"])
            value *= threat(state, weights, me, seat)
            if value > most:
                best = 1 + seat
                most = value
    return best


@rule
def choose_tool(state, me):
    """Return the tool that the spell under way should fall on: the one that mines most."""
    broken = state["spell"] == Spell.BROKEN_TOOL
    return 1 + best_tool(state, me, state["victim"], broken)[0]


@rare
def choose_defence(state, tables, weights, me):
    """Return a defence if the attack costs enough: the narrowest first, then what hits back."""
    legal = state["legal"]
    full = state["hand_size"][me] >= tables["hand_limit"]
    least = weights[Weight.DEFEND_AT] * (weights[Weight.FULL_HAND] if full else 1.0)
    if harm(state, tables, weights, me, me, state["spell"]) < least:
        return 0
    if is_legal(legal, _TOOL_SAVED):
        return _TOOL_SAVED
    rival_cast_it = state["caster"] == state["memo"][me, RIVAL]
    if is_legal(legal, _REFLECT) and (rival_cast_it or not is_legal(legal, _REDIRECT)):
        return _REFLECT
    return _REDIRECT if is_legal(legal, _REDIRECT) else _NEGATE


@rule
def choose_purchase(state, tables, weights, me):
    """Return 1, a second spell, while gems are left for what else they could buy."""
    horizon = state["memo"][me, HORIZON] / TICKS
    spare = state["gems"][me] - tables["extra_spell_cost"]
    if horizon >= weights[Weight.LAST_SPELL] and spare >= weights[Weight.SPELL_RESERVE] * horizon:
        return 1
    return 0


@rare
def choose_discard(state, tables, weights, me):
    """Return the least valuable spell of the hand."""
    best = 0
    least = 0.0
    for spell in range(SPELLS):
        if is_legal(state["legal"], 1 + spell):
            value = spell_value(state, tables, weights, me, spell)
            if best == 0 or value < least:
                best = 1 + spell
                least = value
    return best


def weighing(state, tables, prompt, weights):
    """Take what is worth most, counted in mine cards; the weights say how to count."""
    if prompt == Prompt.FREE_CLEAN_UP:
        return highest(state["legal"])
    me = state["seat"]
    if state["memo"][me, SEEN_AT] != state["turn"] + 1:
        look_around(state, tables, weights, me)
    if prompt == Prompt.CAST:
        return choose_spell(state, tables, weights, me)
    if prompt == Prompt.DIG:
        return choose_digging(state, tables, weights, me)
    if prompt == Prompt.ACTION or prompt == Prompt.INITIAL_PURCHASE:
        return choose_action(state, tables, weights, me)
    if prompt == Prompt.DYNAMITE:
        return choose_dynamite(state, tables, weights, me)
    if prompt == Prompt.TARGET:
        return choose_target(state, tables, weights, me)
    if prompt == Prompt.TOOL:
        return choose_tool(state, me)
    if prompt == Prompt.DEFEND:
        return choose_defence(state, tables, weights, me)
    if prompt == Prompt.BUY_SPELL:
        return choose_purchase(state, tables, weights, me)
    return choose_discard(state, tables, weights, me)


SCRIPTS = {
    "passive": Script(
        passive,
        unasked=(
            Prompt.INITIAL_PURCHASE,
            Prompt.DIG,
            Prompt.ACTION,
            Prompt.CAST,
            Prompt.DEFEND,
            Prompt.BUY_SPELL,
            Prompt.DISCARD,
        ),
    ),
    "drill_first": Script(
        drill_first,
        DrillWeight,
        unasked=(
            Prompt.DIG,
            Prompt.DYNAMITE,
            Prompt.CAST,
            Prompt.DEFEND,
            Prompt.BUY_SPELL,
            Prompt.DISCARD,
        ),
    ),
    "weighing": Script(weighing, Weight),
}
