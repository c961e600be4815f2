"""Spells: drawing, casting, defending, lasting effects ("Spells", "Miscellaneous")."""

from __future__ import annotations

from sim.choices import is_legal, lowest
from sim.decks import add, take
from sim.events import emit
from sim.jit import rare, rule
from sim.rng import below, turn_index
from sim.wizard_miners.mine import mine, place_at, return_rubble
from sim.wizard_miners.purchases import count_hits, set_level
from sim.wizard_miners.state import (
    EFFECTS,
    FIRST_DEFENCE,
    Effect,
    Event,
    Prompt,
    Spell,
    Stream,
    Tally,
)

_AURA = int(Effect.AURA)
_REPAIR = int(Effect.REPAIR)
_OUT_FOR_REPAIR = int(Spell.OUT_FOR_REPAIR)
_MAGIC_AURA = int(Spell.MAGIC_AURA)
_WIZARD_DRILL = int(Spell.WIZARD_DRILL)
_KNOCKED_OUT = int(Spell.KNOCKED_OUT)
_HARD_ROCK = int(Spell.HARD_ROCK)
_SPELL_DECK = int(Stream.SPELL_DECK)
_SPELLS_CAST = int(Tally.SPELLS_CAST)
_ENHANCEMENTS_AND_ATTACKS = (1 << FIRST_DEFENCE) - 1
_TOOL_ATTACKS = 1 << int(Spell.BROKEN_TOOL) | 1 << int(Spell.OUT_FOR_REPAIR)
_DEFENCES = 1 << int(Spell.NEGATE) | 1 << int(Spell.REDIRECT) | 1 << int(Spell.REFLECT)
_TOOL_SAVED = 1 << int(Spell.TOOL_SAVED)
_REDIRECT = 1 << int(Spell.REDIRECT)
_UNASKED = 1 << int(Prompt.BUY_SPELL) | 1 << int(Prompt.DISCARD)


@rule
def next_spell(state, backstage, seat):
    """Take the next spell from the deck; the discards are shuffled when it is empty (W-22).

    Returns -1 and takes nothing with every card in hands or in play.
    """
    if state["deck_size"] == 0:
        if state["discard_size"] == 0:
            return -1
        for word in range(2):
            state["deck"][word] = state["discard"][word]
            state["discard"][word] = 0
        state["deck_size"] = state["discard_size"]
        state["discard_size"] = 0
        emit(Event.RESHUFFLED, -1, 0, 0, 0)
    index = turn_index(state["turn"], state["spell_draws"])
    state["spell_draws"] += 1
    spell = take(state["deck"], below(backstage, _SPELL_DECK, index, state["deck_size"]))
    state["deck_size"] -= 1
    state["last_spell"][place_at(seat)] = spell
    emit(Event.DREW, seat, spell, 0, 0)
    return spell


@rule
def draw_spell(state, backstage, seat):
    """Take the next spell blind, if there is one."""
    spell = next_spell(state, backstage, seat)
    if spell >= 0:
        seat = place_at(seat)
        state["hand"][seat, spell] += 1
        state["hand_kinds"][seat] |= 1 << spell
        state["hand_size"][seat] += 1


@rule
def play_from_hand(state, seat, spell):
    """Take a spell out of a hand."""
    seat = place_at(seat)
    state["hand_size"][seat] -= 1
    left = state["hand"][seat, spell] - 1
    state["hand"][seat, spell] = left
    state["hand_kinds"][seat] &= ~((left == 0) << spell)


@rule
def discard(state, spell):
    """Lay a spell on the discard pile."""
    add(state["discard"], spell, 1)
    state["discard_size"] += 1


@rule
def newest_spell(state, seat, legal):
    """Return the discard of the spell a seat acquired last, or of the first kind if it is gone.

    It is what happens in DISCARD where nobody is asked.
    """
    choice = 1 + state["last_spell"][place_at(seat)]
    return choice if is_legal(legal, choice) else lowest(legal)


@rule
def draws_to_discard(state, tables, seat):
    """Say whether the free spell of a turn goes from the deck to the discards, whatever it is.

    So it is with a full hand and nobody to be asked: what is discarded is the newest spell.
    """
    return (
        (state["standing"][seat] & _UNASKED == _UNASKED)
        & (state["hand_size"][seat] == tables["hand_limit"])
        & (tables["free_spells"] == 1)
        & (tables["spells_on"] != 0)
    )


@rule
def discard_next_spell(state, backstage, seat):
    """Draw a spell and lay it on the discard pile."""
    spell = next_spell(state, backstage, seat)
    if spell >= 0:
        discard(state, spell)


@rule
def is_tool_attack(spell):
    """Say whether an attack needs a tool to fall on."""
    return _TOOL_ATTACKS >> spell & 1 != 0


@rare
def targets(state, caster, spell):
    """Return the seats an attack may be cast on, as bits 1 + seat (rules 10 and 13, W-11).

    Never the caster. A spell on a tool needs a victim with a tool.
    """
    legal = 0
    for seat in range(state["players"]):
        if seat != caster and (not is_tool_attack(spell) or state["owned"][seat] != 0):
            legal |= 2 << seat
    return legal


@rule
def cast_choices(state, tables, seat):
    """Return what a seat may cast before the roll: bit 0 pass, bits 1 + spell (rules 10 and 14)."""
    kinds = state["hand_kinds"][seat] & _ENHANCEMENTS_AND_ATTACKS
    if kinds == 0 or tables["forbid_spells"][seat] != 0:
        return 1
    if kinds >> Spell.MAGIC_AURA & 1 != 0 and state["owned"][seat] == 0:
        kinds &= ~(1 << Spell.MAGIC_AURA)
    if kinds & _TOOL_ATTACKS != 0 and targets(state, seat, Spell.BROKEN_TOOL) == 0:
        kinds &= ~_TOOL_ATTACKS
    return 1 | kinds << 1


@rare
def defence_choices(state, tables, seat):
    """Return the defences against the spell under way: bit 0 accept, bits 1 + spell (rule 11).

    Tool Saved answers spells on tools only; Redirect needs somebody to redirect to.
    """
    spell = state["spell"]
    kinds = state["hand_kinds"][seat] & (_DEFENCES | _TOOL_SAVED)
    if tables["forbid_spells"][seat] != 0:
        return 1
    if not is_tool_attack(spell):
        kinds &= ~_TOOL_SAVED
    if kinds & _REDIRECT != 0 and targets(state, seat, spell) == 0:
        kinds &= ~_REDIRECT
    return 1 | kinds << 1


@rare
def start_effect(state, tables, seat, effect, spell):
    """Lay a lasting spell in front of a seat with its timer (rules 8 and 9)."""
    state["effects"][seat, effect] += 1 << ((tables["spell_rolls"][spell] - 1) << 3)
    state["lasting"][seat] += 1


@rare
def start_repair(state, tables, seat, tool):
    """Send a whole tool out for repair (rule 16)."""
    if state["effects"][seat, _REPAIR + tool] == 0:
        count_hits(state, tables, seat, tool, state["levels"][seat, tool], 0)
    start_effect(state, tables, seat, _REPAIR + tool, Spell.OUT_FOR_REPAIR)


@rule
def spell_of(effect):
    """Return the spell whose cards make an effect."""
    if effect >= _REPAIR:
        return _OUT_FOR_REPAIR
    if effect >= _AURA:
        return _MAGIC_AURA
    if effect == Effect.WIZARD_DRILL:
        return _WIZARD_DRILL
    if effect == Effect.KNOCKED_OUT:
        return _KNOCKED_OUT
    return _HARD_ROCK


@rule
def remove_effect_cards(state, seat, effect, cards):
    """Discard cards of a lasting effect."""
    add(state["discard"], spell_of(effect), cards)
    state["discard_size"] += cards
    state["lasting"][seat] -= cards


@rare
def pass_time(state, tables, seat):
    """Count down a seat's timers by one roll; what runs out is discarded (rule 9, WM-T13)."""
    for effect in range(EFFECTS):
        cards = state["effects"][seat, effect]
        if cards != 0:
            state["effects"][seat, effect] = cards >> 8
            if cards & 255 != 0:
                emit(Event.RAN_OUT, seat, effect, cards & 255, 0)
                remove_effect_cards(state, seat, effect, cards & 255)
            if effect >= _REPAIR and cards >> 8 == 0:
                tool = effect - _REPAIR
                count_hits(state, tables, seat, tool, 0, state["levels"][seat, tool])


@rare
def break_tool(state, tables, seat, tool):
    """Take the top level of a tool back to the supply (rule 15, WM-T21).

    Spells that lie on a tool go to the discards when its last level is lost.
    """
    level = state["levels"][seat, tool] - 1
    emit(Event.BROKEN, seat, tool, level + 1, 0)
    set_level(state, tables, seat, tool, level)
    if level == 0:
        for effect in (_AURA + tool, _REPAIR + tool):
            cards = state["effects"][seat, effect]
            state["effects"][seat, effect] = 0
            while cards != 0:
                remove_effect_cards(state, seat, effect, cards & 255)
                cards >>= 8


@rare
def enhance(state, tables, backstage, seat, spell, tool):
    """Carry out an enhancement on its caster (rule 10; section 9.5 for the amounts)."""
    if spell == Spell.BLAST or spell == Spell.BIG_BLAST:
        discard(state, spell)
        mine(state, tables, backstage, seat, tables["spell_amount"][spell])
    elif spell == Spell.WIZARD_DRILL:
        start_effect(state, tables, seat, Effect.WIZARD_DRILL, spell)
    elif spell == Spell.MAGIC_AURA:
        start_effect(state, tables, seat, _AURA + tool, spell)
    else:
        state["shore_ups"][seat] += 1


@rare
def suffer_attack(state, tables, seat, spell, tool):
    """Carry out an attack that nobody averted on its victim (rules 13 to 17)."""
    if spell == Spell.BROKEN_TOOL:
        discard(state, spell)
        break_tool(state, tables, seat, tool)
    elif spell == Spell.CAVE_IN:
        discard(state, spell)
        fallen = return_rubble(state, seat, tables["spell_amount"][spell])
        emit(Event.RETURNED, seat, fallen, 0, 0)
    elif spell == Spell.KNOCKED_OUT:
        start_effect(state, tables, seat, Effect.KNOCKED_OUT, spell)
    elif spell == Spell.HARD_ROCK:
        start_effect(state, tables, seat, Effect.HARD_ROCK, spell)
    else:
        start_repair(state, tables, seat, tool)


@rule
def can_draw(state):
    """Say whether there is a spell to draw, reshuffling included."""
    return state["deck_size"] + state["discard_size"] > 0
