"""The turn of Wizard Miners: what happens from one decision to the next.

`run` goes through the steps of a turn in rulebook order and returns where somebody must decide.
Each decision has a step that asks and a step that acts on the answer; `advance` re-enters at
the latter. The rules themselves stand in `purchases`, `spells` and `mine`.
"""

from __future__ import annotations

from sim.choices import is_open, lowest, seat_after
from sim.events import emit
from sim.jit import rare, rule
from sim.rng import below, die, turn_index
from sim.wizard_miners.mine import (
    MOST_DUE,
    cards_due,
    clean_up,
    deck_left,
    dues_before,
    mine,
    mine_at_once,
    next_place,
    place_at,
    roll_cave_in,
    smallest_deck,
    special_seats,
)
from sim.wizard_miners.purchases import (
    action_choices,
    buy_tool,
    dynamite_choices,
    place_dynamite,
    take_action,
    tool_choices,
)
from sim.wizard_miners.spells import (
    can_draw,
    cast_choices,
    defence_choices,
    discard,
    discard_next_spell,
    draw_spell,
    draws_to_discard,
    enhance,
    is_tool_attack,
    newest_spell,
    pass_time,
    play_from_hand,
    suffer_attack,
    targets,
)
from sim.wizard_miners.state import (
    DUE_SHIFT,
    FIRST_ATTACK,
    MAX_SEATS,
    MOST_CHOICE,
    TOOLS,
    Event,
    Prompt,
    Spell,
    Status,
    Step,
    Stream,
    Tally,
)

_SPELLS_CAST = int(Tally.SPELLS_CAST)
_SPELLS_BOUGHT = int(Tally.SPELLS_BOUGHT)
_NEGATE = int(Spell.NEGATE)
_REFLECT = int(Spell.REFLECT)
_REDIRECT = int(Spell.REDIRECT)


@rare
def set_up(state, tables, backstage):
    """Set Up A to C: wizards and their gems, mine decks, two spells each (WM-T14, WM-T25)."""
    players = tables["players"]
    state["players"] = players
    state["status"] = Status.PLAYING
    state["winner"] = -1
    state["leader"] = -1
    state["dynamite_supply"] = tables["dynamite_supply"]
    if tables["random_start"] != 0:
        state["first_seat"] = below(backstage, Stream.SET_UP, turn_index(0, 0), players)
    unused = 0b1111
    prices = 0
    for tool in range(TOOLS):
        prices |= tables["next_cost"][tool, 0] << (tool << 3)
    for seat in range(players):
        wizard = seat
        if tables["random_wizards"] != 0:
            pick = below(backstage, Stream.SET_UP, turn_index(0, 1 + seat), 4 - seat)
            wizard = 0
            while unused >> wizard & 1 == 0 or pick > 0:
                if unused >> wizard & 1 != 0:
                    pick -= 1
                wizard += 1
            unused &= ~(1 << wizard)
        number = tables["wizard_number"][wizard]
        state["wizard"][seat] = number
        state["hits"][number] += 1 << (seat << DUE_SHIFT)
        state["gems"][seat] = tables["starting_gems"][wizard]
        state["prices"][seat] = prices
        state["face_down"][seat] = tables["deck_size"]
        state["gem_cards"][seat] = tables["gem_cards"]
    for quarter in range(3):
        state["leader_at"][quarter] = -1
    if tables["spells_on"] != 0:
        for word in range(2):
            state["deck"][word] = tables["spell_deck"][word]
        state["deck_size"] = tables["spell_cards"]
        for seat in range(players):
            for _ in range(tables["starting_spells"]):
                draw_spell(state, backstage, seat)


@rule
def start_turn(state, tables):
    """Open the next turn; say whether the game goes on (W-14, W-39).

    A deck emptied in somebody else's turn wins now if it is still empty. The cap on rolls comes
    after this check.
    """
    active = place_at(state["active"])
    if deck_left(state, active) == 0:
        win(state, active)
        return False
    if state["turn"] >= tables["roll_cap"]:
        state["status"] = Status.CAPPED
        emit(Event.CAPPED, -1, state["turn"], 0, 0)
        return False
    state["turn"] += 1
    emit(Event.TURN, active, state["turn"], 0, 0)
    state["spell_draws"] = 0
    state["acted"] = 0
    for seat in range(MAX_SEATS):
        state["cave_in_rolls_turn"][seat] = 0
    return True


@rule
def win(state, seat):
    """End the game with one winner ("Starting Play 4"; rule 6)."""
    state["status"] = Status.WON
    state["winner"] = seat
    emit(Event.WON, seat, 0, 0, 0)


@rare
def roll_cave_in_die(state, tables, backstage):
    """Roll the CAVE-IN die once a cave-in card is out (rule 20, W-5, W-38, W-41).

    Only cards that were out before this roll are hit, in seat order from the active player.
    """
    index = turn_index(state["turn"], 0)
    face = die(backstage, Stream.CAVE_IN_DIE, index, tables["cave_in_die_sides"])
    shown = face <= tables["cave_in_die_faces"]
    emit(Event.CAVE_IN_DIE, state["active"], shown, 0, 0)
    if shown:
        for place in range(state["players"]):
            seat = place_at(seat_after(state, state["active"], place))
            if state["cave_in_out"][seat] != 0:
                roll_cave_in(state, tables, backstage, seat)


@rule
def roll_dice(state, tables, backstage):
    """Roll two dice for everybody ("Starting Play 3", W-31)."""
    sides = tables["dice_sides"]
    turn = state["turn"]
    first = die(backstage, Stream.ROLL, turn_index(turn, 0), sides)
    second = die(backstage, Stream.ROLL, turn_index(turn, 1), sides)
    emit(Event.ROLL, state["active"], first, second, 0)
    state["roll"] = first + second


@rule
def note_lead(state, tables, smallest):
    """Note who leads after a roll, and by how much when the leader's deck passes a quarter.

    smallest: what `smallest_deck` says. Of equals the leader stays ahead.
    """
    least, first = smallest >> 2, smallest & 3
    leader = state["leader"]
    passed = least < (deck_left(state, leader) if leader >= 0 else tables["deck_size"])
    state["lead_changes"] += passed & (leader >= 0)
    leader = first if passed else leader
    state["leader"] = leader
    quarter = state["quarter"]
    while (quarter < 3) & (4 * least <= (3 - quarter) * tables["deck_size"]):
        second = tables["deck_size"]
        for seat in range(state["players"]):
            if seat != leader:
                second = min(second, deck_left(state, seat))
        state["leader_at"][quarter] = leader
        state["lead_at"][quarter] = second - least
        quarter += 1
        state["quarter"] = quarter


@rule
def run(state, tables, backstage, step, choice):
    """Go through the rules from a step on until somebody must decide; return the prompt."""
    while True:
        if step == Step.ASK_PURCHASE:  # Set Up D
            if state["window"] == state["players"]:
                step = Step.TURN_START
                state["active"] = state["first_seat"]
            else:
                seat = seat_after(state, state["first_seat"], state["window"])
                state["active"] = seat
                legal = 1 | tool_choices(state, tables, seat)
                step = Step.PURCHASE
                if is_open(state, seat, Prompt.INITIAL_PURCHASE, legal):
                    state["step"] = step
                    return Prompt.INITIAL_PURCHASE
                choice = lowest(legal)
        if step == Step.PURCHASE:
            if choice > 0:
                buy_tool(state, tables, state["active"], choice - 1)
            state["window"] += 1
            step = Step.ASK_PURCHASE
            continue

        if step == Step.TURN_START:  # Starting Play 1
            if not start_turn(state, tables):
                return Prompt.GAME_OVER
            step = Step.DIG
            choice = 0
            if is_open(state, state["active"], Prompt.DIG, 0b11):
                state["step"] = step
                return Prompt.DIG
        if step == Step.DIG:
            if choice == 0:
                state["digging"] = 1
                state["actions_left"] = tables["actions_digging"]
            else:
                state["digging"] = 0
                state["actions_left"] = tables["actions_not_digging"]
            step = Step.ASK_ACTION

        if step == Step.ASK_ACTION:  # Starting Play 2
            if state["actions_left"] <= 0:
                step = Step.ASK_CAST
                state["window"] = 0
            else:
                active = place_at(state["active"])
                legal = action_choices(state, tables, active)
                step = Step.ACTION
                if is_open(state, active, Prompt.ACTION, legal):
                    state["step"] = step
                    return Prompt.ACTION
                choice = 0
        if step == Step.ACTION:
            if choice == 0:
                step = Step.ASK_CAST
                state["window"] = 0
            else:
                state["dynamite_left"] = 0
                state["dynamite_due"] = 0
                take_action(state, tables, state["active"], choice)
                step = Step.ASK_DYNAMITE
        while step == Step.DYNAMITE or step == Step.ASK_DYNAMITE:
            if step == Step.ASK_DYNAMITE:
                active = place_at(state["active"])
                legal = dynamite_choices(state, tables, active)
                step = Step.DYNAMITE
                if is_open(state, active, Prompt.DYNAMITE, legal):
                    state["step"] = step
                    return Prompt.DYNAMITE
                choice = lowest(legal)
            if choice == 0:
                step = Step.ASK_ACTION
            else:
                place_dynamite(state, tables, state["active"], choice - 1)
                state["dynamite_left"] -= 1
                state["dynamite_due"] = 0
                step = Step.ASK_DYNAMITE
        if step == Step.ASK_ACTION:
            if state["actions_left"] > 0:
                continue
            step = Step.ASK_CAST
            state["window"] = 0

        if step == Step.CAST and choice == 0:
            step = Step.ASK_CAST
        if step == Step.ASK_CAST:  # the spell window, clockwise, the active player last (W-10)
            window = state["window"]
            players = state["players"]
            silent = 1 << Prompt.CAST
            for seat in range(MAX_SEATS):
                silent &= state["standing"][seat] | (seat >= players) << Prompt.CAST
            if silent != 0:  # nobody ever casts
                window = players
            choice = 0
            seat = 0
            while window < players and tables["spells_on"] != 0:
                window += 1
                seat = seat_after(state, state["active"], window)
                if state["standing"][seat] >> Prompt.CAST & 1 == 0:
                    legal = cast_choices(state, tables, seat)
                    if legal != 1:
                        state["legal"] = legal
                        state["seat"] = seat
                        state["prompt"] = Prompt.CAST
                        choice = 1
                        break
            state["window"] = window
            step = Step.ROLL
            if choice != 0:
                state["step"] = Step.CAST
                return Prompt.CAST
        if step == Step.CAST:
            seat = seat_after(state, state["active"], state["window"])
            spell = choice - 1
            play_from_hand(state, seat, spell)
            state["tally"][seat, _SPELLS_CAST] += 1
            state["spell"] = spell
            state["caster"] = seat
            state["victim"] = seat
            step = Step.ASK_TARGET if spell >= FIRST_ATTACK else Step.ASK_TOOL
        if step == Step.ASK_TARGET:
            legal = targets(state, state["caster"], state["spell"])
            step = Step.TARGET
            if is_open(state, state["caster"], Prompt.TARGET, legal):
                state["step"] = step
                return Prompt.TARGET
            choice = lowest(legal)
        if step == Step.TARGET:
            state["victim"] = choice - 1
            step = Step.ASK_TOOL
        if step == Step.ASK_TOOL:
            step = Step.TOOL
            choice = 0
            if is_tool_attack(state["spell"]) or state["spell"] == Spell.MAGIC_AURA:
                legal = state["owned"][state["victim"]] << 1
                if legal != 0:
                    if is_open(state, state["caster"], Prompt.TOOL, legal):
                        state["step"] = step
                        return Prompt.TOOL
                    choice = lowest(legal)
                else:  # reflected onto a caster without tools: nothing happens
                    emit(Event.NO_EFFECT, state["victim"], state["spell"], 0, 0)
                    discard(state, state["spell"])
                    step = Step.ASK_CAST
                    continue
        if step == Step.TOOL:
            state["spell_tool"] = choice - 1
            if state["spell"] < FIRST_ATTACK:
                enhance(
                    state, tables, backstage, state["caster"], state["spell"], state["spell_tool"]
                )
                step = Step.ASK_CAST
                continue
            legal = defence_choices(state, tables, state["victim"])
            step = Step.DEFENCE
            if is_open(state, state["victim"], Prompt.DEFEND, legal):
                state["step"] = step
                return Prompt.DEFEND
            choice = 0
        if step == Step.DEFENCE:  # rules 11 and 12
            if choice == 0:
                suffer_attack(state, tables, state["victim"], state["spell"], state["spell_tool"])
                step = Step.ASK_CAST
                continue
            victim = state["victim"]
            play_from_hand(state, victim, choice - 1)
            discard(state, choice - 1)
            if choice - 1 == _REDIRECT:
                state["caster"] = victim
                step = Step.ASK_TARGET
            elif choice - 1 == _REFLECT:
                state["victim"] = state["caster"]
                state["caster"] = victim
                step = Step.ASK_TOOL
            else:  # Negate or Tool Saved
                discard(state, state["spell"])
                step = Step.ASK_CAST
            continue

        if step == Step.ROLL:  # Starting Play 3; the win check after spells comes first
            if deck_left(state, state["active"]) == 0:
                state["turn"] -= 1  # the dice of this turn are not rolled
                win(state, state["active"])
                return Prompt.GAME_OVER
            roll_dice(state, tables, backstage)
            if state["cards_out"] != 0:
                roll_cave_in_die(state, tables, backstage)
            step = Step.MINING
        if step == Step.MINING or step == Step.FREE_CLEAN_UP:
            # everybody mines before the win check (W-37)
            active = place_at(state["active"])
            if step == Step.FREE_CLEAN_UP:
                clean_up(state, state["seat"], choice)
                dues = state["dues"]
                smallest = -1
            else:
                dues = cards_due(state, tables, state["roll"])
                smallest = smallest_deck(state, dues)
            while True:  # all at once, but in order with whom a card turns up or the deck is empty
                special = special_seats(state, tables, dues)
                now = dues
                if special != 0:
                    now = dues_before(dues, special, active, state["players"])
                    smallest = -1
                mine_at_once(state, tables, backstage, now)
                dues ^= now
                if dues == 0:
                    break
                seat = place_at(
                    seat_after(state, active, next_place(dues, active, state["players"]))
                )
                due = dues >> (seat << DUE_SHIFT) & MOST_DUE
                dues ^= due << (seat << DUE_SHIFT)
                if deck_left(state, seat) > 0:
                    mine(state, tables, backstage, seat, due)
                elif seat != active:  # rule 7, W-32, W-35
                    most = min(due, state["rubble"][seat], MOST_CHOICE)
                    legal = (2 << most) - 1
                    if is_open(state, seat, Prompt.FREE_CLEAN_UP, legal):
                        state["dues"] = dues
                        state["step"] = Step.FREE_CLEAN_UP
                        return Prompt.FREE_CLEAN_UP
            if smallest < 0:
                smallest = smallest_deck(state, 0)
            note_lead(state, tables, smallest)
            step = Step.ROLL_END
        if step == Step.ROLL_END:
            active = place_at(state["active"])
            lasting = 0
            for seat in range(MAX_SEATS):
                lasting |= state["lasting"][seat]
            if lasting != 0:
                for seat in range(state["players"]):
                    if state["lasting"][seat] != 0:
                        pass_time(state, tables, seat)
            if deck_left(state, active) == 0:
                win(state, active)
                return Prompt.GAME_OVER
            step = Step.ASK_DISCARD
            if draws_to_discard(state, tables, active):
                discard_next_spell(state, backstage, active)
            elif tables["spells_on"] != 0:  # Starting Play 4
                for _ in range(tables["free_spells"]):
                    draw_spell(state, backstage, active)
                choice = 0
                if (
                    state["standing"][active] >> Prompt.BUY_SPELL & 1 == 0
                    and state["gems"][active] >= tables["extra_spell_cost"]
                    and can_draw(state)
                    and tables["forbid_spells"][active] == 0
                    and is_open(state, active, Prompt.BUY_SPELL, 0b11)
                ):
                    state["step"] = Step.BUY_SPELL
                    return Prompt.BUY_SPELL
        if step == Step.BUY_SPELL:
            if choice == 1:
                active = place_at(state["active"])
                state["gems"][active] -= tables["extra_spell_cost"]
                state["tally"][active, _SPELLS_BOUGHT] += 1
                draw_spell(state, backstage, active)
            step = Step.ASK_DISCARD
        while step == Step.DISCARD or step == Step.ASK_DISCARD:  # rule 5, WM-T24
            active = place_at(state["active"])
            if step == Step.ASK_DISCARD:
                if state["hand_size"][active] <= tables["hand_limit"]:
                    state["active"] = seat_after(state, active, 1)
                    step = Step.TURN_START
                    break
                legal = state["hand_kinds"][active] << 1
                if is_open(state, active, Prompt.DISCARD, legal):
                    state["step"] = Step.DISCARD
                    return Prompt.DISCARD
                choice = newest_spell(state, active, legal)
            play_from_hand(state, active, choice - 1)
            discard(state, choice - 1)
            step = Step.ASK_DISCARD


@rare
def open_game(state, tables, backstage):
    """Set up a game in a zeroed state; `advance` with choice 0 goes on to the first decision."""
    set_up(state, tables, backstage)
    state["step"] = Step.ASK_PURCHASE


@rule
def advance(state, tables, backstage, choice):
    """Apply a choice to the open prompt and go to the next decision; return its prompt.

    The choice must be legal: `state["legal"]` has its bit. The first call of a game takes 0.
    """
    return run(state, tables, backstage, state["step"], choice)


@rule
def turn_of(state):
    """Return the number of the turn, for the addresses of whims."""
    return state["turn"]
