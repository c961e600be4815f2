"""Spells: who casts when, attacks and defences, durations, the hand."""

import numpy as np
import pytest

from sim.wizard_miners.state import Step
from tests.sim.wizard_miners.board import (
    BUY_DYNAMITE,
    Board,
    Effect,
    Prompt,
    Spell,
    Tally,
    Tool,
    no_effects,
)
from tests.sim.wizard_miners.contract import hits_of, make_tables, spell_counts

pytestmark = pytest.mark.kernel

ATTACKS = [
    Spell.BROKEN_TOOL,
    Spell.CAVE_IN,
    Spell.KNOCKED_OUT,
    Spell.OUT_FOR_REPAIR,
    Spell.HARD_ROCK,
]
DEFENCES = [Spell.NEGATE, Spell.REDIRECT, Spell.REFLECT, Spell.TOOL_SAVED]
ENHANCEMENTS = [Spell.BLAST, Spell.BIG_BLAST, Spell.WIZARD_DRILL, Spell.MAGIC_AURA, Spell.SHORE_UP]
A, B, C, D = range(4)


def window(
    *hands: tuple[Spell, ...], players: int = 4, tools: bool = True, **patches: object
) -> Board:
    """Return a board in seat 0's spell window; each seat has a drill and the given hand."""
    board = Board(players, **patches)
    for seat in range(players):
        if tools:
            board.tools(seat, drill=1)
        board.hand(seat, *(hands[seat] if seat < len(hands) else ()))
    board.to_spells()
    return board


def attack(board: Board, spell: Spell, victim: int, tool: Tool | None = Tool.DRILL) -> None:
    """Let the seat that is asked cast an attack."""
    board.cast(spell)
    if board.prompt == Prompt.TARGET:
        board.target(victim)
    if board.prompt == Prompt.TOOL:
        board.tool(tool)


# --- who casts, when, on whom ---------------------------------------------------------------------


def test_w10_one_chance_each_clockwise_the_active_player_last() -> None:
    """W-10: one chance each, from the left of the active player; at most one spell a turn."""
    hand = (Spell.WIZARD_DRILL, Spell.BLAST)
    board = window(hand, hand, (Spell.BLAST,), (Spell.BLAST,))
    asked = []
    while board.prompt == Prompt.CAST:
        asked.append(board.seat)
        if board.seat == C:
            board.choose(0)
        else:
            board.cast(Spell.BLAST)
    assert asked == [1, 2, 3, 0]
    assert board.state["tally"][:, Tally.SPELLS_CAST].tolist() == [1, 1, 0, 1]


def test_the_window_starts_left_of_whoever_is_active() -> None:
    """Starting Play 2: clockwise from the left of the active player."""
    fresh = Board(4)
    for seat in range(4):
        fresh.hand(seat, Spell.BLAST)
    fresh.state["active"] = 2
    fresh.to_spells()
    asked = []
    while fresh.prompt == Prompt.CAST:
        asked.append(fresh.seat)
        fresh.choose(0)
    assert asked == [3, 0, 1, 2]


def test_the_window_is_between_the_actions_and_the_roll() -> None:
    """Starting Play 2: no spell before the actions, none after the roll."""
    board = Board(4)
    board.hand(A, Spell.BLAST)
    board.gems(A, 9)
    board.expect(Prompt.DIG)
    board.choose(0)
    board.expect(Prompt.ACTION)
    board.choose(BUY_DYNAMITE)
    board.choose(2)
    board.choose(0)
    board.expect(Prompt.CAST)
    assert board.state["tally"][:, Tally.MINED].sum() == 0
    board.cast(Spell.BLAST)
    assert board.now("turn") == 1
    assert board.now("roll") > 0
    assert board.prompt != Prompt.CAST


def test_rule_14_what_can_be_cast() -> None:
    """Rule 14: enhancements and attacks; defences wait for an attack."""
    board = Board(4)
    board.tools(A, drill=1)
    board.tools(B, drill=1)
    for seat in range(4):
        board.hand(seat)
    board.state["deck"][:] = make_tables(4)["spell_deck"][0]
    board.hand(B, *Spell)
    board.state["hand_size"][B] = 14
    board.tables["hand_limit"] = 14
    board.to_spells()
    board.expect(Prompt.CAST, seat=B)
    assert board.legal == [0] + [1 + spell for spell in [*ENHANCEMENTS, *ATTACKS]]


def test_a_hand_of_defences_is_not_asked_to_cast() -> None:
    """Rule 10: defensive spells only when attacked."""
    board = window((), tuple(DEFENCES))
    assert board.prompt != Prompt.CAST


@pytest.mark.parametrize("spell", ATTACKS)
def test_rule_10_attacks_go_to_others(spell: Spell) -> None:
    """Rule 10, rule 13: one other player, never oneself, never an empty seat."""
    board = window((), (spell,), players=3)
    board.cast(spell)
    board.expect(Prompt.TARGET, seat=B)
    assert board.legal == [1 + A, 1 + C]


@pytest.mark.parametrize("spell", [Spell.BROKEN_TOOL, Spell.OUT_FOR_REPAIR])
def test_spells_on_tools_need_a_tool(spell: Spell) -> None:
    """Miscellaneous: the spell lies on a tool; with one victim and one tool nobody is asked."""
    board = window((), (spell, Spell.MAGIC_AURA), tools=False)
    assert board.prompt != Prompt.CAST  # no tool on the table, an aura needs one too
    board = Board(4)
    board.tools(B, drill=1)
    board.hand(B, spell)
    board.to_spells()
    assert board.prompt != Prompt.CAST  # only the own tool
    board = Board(4)
    board.tools(C, drill=1)
    board.hand(B, spell)
    board.hand(A, Spell.BLAST)
    board.to_spells()
    board.cast(spell, seat=B)
    board.expect(Prompt.CAST, seat=A)  # resolved on C's drill without questions


def test_the_caster_chooses_the_tool() -> None:
    """Spells: the caster chooses among the victim's tools."""
    board = window((), (Spell.BROKEN_TOOL,))
    board.tools(C, chisel=2, drill=1)
    board.cast(Spell.BROKEN_TOOL)
    board.target(C)
    board.expect(Prompt.TOOL, seat=B)
    assert board.legal == [1 + Tool.CHISEL, 1 + Tool.DRILL]
    board.tool(Tool.CHISEL)
    assert board.level(C, Tool.CHISEL) == 1
    assert board.level(C, Tool.DRILL) == 1


# --- what each spell does -------------------------------------------------------------------------


@pytest.mark.parametrize(("spell", "cards"), [(Spell.BLAST, 2), (Spell.BIG_BLAST, 4)])
def test_blasts_mine_at_once(spell: Spell, cards: int) -> None:
    """Section 9.5: two or four cards at once, with their gems, in anybody's turn."""
    board = window((), (spell,), (Spell.SHORE_UP,))
    board.mine(B, face_down=30, gem_cards=[0, 14, 12, 4])
    board.gems(B, 0)
    board.cast(spell, seat=B)
    board.expect(Prompt.CAST, seat=C)  # before the roll
    assert board.tally(Tally.MINED, B) == cards
    assert board.of("face_down", B) == 30 - cards
    assert board.of("gems", B) >= cards
    assert board.discarded(spell) == 1


def test_wizard_drill_lasts_one_roll() -> None:
    """Rule 8: a spell without a noted duration is for the next roll."""
    board = window((), (Spell.WIZARD_DRILL,), (Spell.SHORE_UP,))
    board.cast(Spell.WIZARD_DRILL)
    assert board.rolls_left(B, Effect.WIZARD_DRILL) == [1]
    board.expect(Prompt.CAST, seat=C)
    hits = hits_of(board.state)[B]
    board.choose(0)
    assert board.tally(Tally.MINED, B) == 1 + hits[board.now("roll")]
    assert no_effects(board, B)
    assert board.discarded(Spell.WIZARD_DRILL) == 1


def test_wm_t13_magic_aura_lasts_three_rolls_of_anybody() -> None:
    """WM-T13, rule 9: durations are counted in rolls, whosever they are."""
    board = window((), (Spell.MAGIC_AURA,), (Spell.SHORE_UP,))
    board.cast(Spell.MAGIC_AURA)
    aura = Effect.AURA + Tool.DRILL
    assert board.rolls_left(B, aura) == [3]
    left = []
    for _ in range(3):
        board.pass_to(Prompt.DIG)
        left.append(board.rolls_left(B, aura))
        board.choose(0)
    assert left == [[2], [1], []]
    assert board.discarded(Spell.MAGIC_AURA) == 1


def test_wm_t13_two_rolls_left_before_one_after() -> None:
    """WM-T13: 2 left before this roll, 1 after it."""
    board = Board(4)
    board.tools(B, drill=2)
    board.lay(B, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 2)
    board.mining(8)
    assert board.rolls_left(B, Effect.AURA + Tool.DRILL) == [1]


def test_magic_aura_goes_on_a_tool_of_ones_own() -> None:
    """Rule 10, section 9.5: the caster's own tool, chosen if there are several."""
    board = window((), (Spell.MAGIC_AURA,), (Spell.SHORE_UP,))
    board.tools(B, chisel=1, drill=1)
    board.cast(Spell.MAGIC_AURA)
    board.expect(Prompt.TOOL, seat=B)
    assert board.legal == [1 + Tool.CHISEL, 1 + Tool.DRILL]
    board.tool(Tool.CHISEL)
    board.expect(Prompt.CAST, seat=C)
    assert board.rolls_left(B, Effect.AURA + Tool.CHISEL) == [3]
    assert board.rolls_left(B, Effect.AURA + Tool.DRILL) == []


def test_shore_up_stays_in_front() -> None:
    """Rule 21: Shore Up lies out until a cave-in roll with dynamite."""
    board = window((), (Spell.SHORE_UP,), (Spell.SHORE_UP,))
    board.cast(Spell.SHORE_UP)
    assert board.of("shore_ups", B) == 1
    assert board.discarded(Spell.SHORE_UP) == 0


@pytest.mark.parametrize(("before", "after"), [(3, 2), (2, 1), (1, 0)])
def test_wm_t21_broken_tool(before: int, after: int) -> None:
    """WM-T21, rule 15: great to big, big to basic, basic lost; numbers and bonus go with it."""
    board = window((), (Spell.BROKEN_TOOL,), (), (Spell.SHORE_UP,))
    board.tools(C, drill=before)
    attack(board, Spell.BROKEN_TOOL, C)
    assert board.level(C, Tool.DRILL) == after
    assert board.of("great", C) == 0
    numbers = board.tables["tool_hits"][Tool.DRILL, after]
    assert np.delete(hits_of(board.state)[C], 10).tolist() == np.delete(numbers, 10).tolist()
    assert board.discarded(Spell.BROKEN_TOOL) == 1


def test_rule_15_a_broken_level_must_be_bought_again() -> None:
    """Rule 15: the card is back in the supply at its price."""
    board = window((Spell.SHORE_UP,), (Spell.BROKEN_TOOL,))
    board.tools(A, drill=3)
    attack(board, Spell.BROKEN_TOOL, A)
    board.expect(Prompt.CAST, seat=A)
    board.state["step"] = Step.TURN_START
    board.gems(A, 8)
    board.advance(0)
    board.dig()
    board.act(1 + Tool.DRILL)
    assert board.level(A, Tool.DRILL) == 3
    assert board.of("gems", A) == 0


def test_spells_on_a_lost_tool_are_discarded() -> None:
    """Rule 15: with the basic level goes what lies on the tool; on an upgrade it stays."""
    for level, left in ((2, 1), (1, 0)):
        board = window((), (Spell.BROKEN_TOOL,), (), (Spell.SHORE_UP,))
        board.tools(C, drill=level)
        board.lay(C, Effect.AURA + Tool.DRILL, Spell.MAGIC_AURA, 3)
        board.lay(C, Effect.REPAIR + Tool.DRILL, Spell.OUT_FOR_REPAIR, 2)
        attack(board, Spell.BROKEN_TOOL, C)
        assert len(board.rolls_left(C, Effect.AURA + Tool.DRILL)) == left
        assert len(board.rolls_left(C, Effect.REPAIR + Tool.DRILL)) == left
        assert board.discarded(Spell.MAGIC_AURA) == 1 - left
        assert board.of("lasting", C) == 2 * left


@pytest.mark.parametrize(("rubble", "back"), [(7, 3), (2, 2), (0, 0)])
def test_cave_in_spell(rubble: int, back: int) -> None:
    """Section 9.5, rule 17: three rubble cards go back face up; no cave-in roll."""
    board = window((), (Spell.CAVE_IN,), (), (Spell.SHORE_UP,))
    board.mine(C, face_down=30, rubble=rubble)
    attack(board, Spell.CAVE_IN, C)
    assert board.of("face_up", C) == back
    assert board.of("rubble", C) == rubble - back
    assert board.tally(Tally.CAVE_IN_ROLLS, C) == board.tally(Tally.CARDS_LOST, C) == 0


@pytest.mark.parametrize(
    ("spell", "effect", "rolls"),
    [
        (Spell.KNOCKED_OUT, Effect.KNOCKED_OUT, 1),
        (Spell.HARD_ROCK, Effect.HARD_ROCK, 1),
        (Spell.OUT_FOR_REPAIR, Effect.REPAIR + Tool.DRILL, 2),
    ],
)
def test_durations_of_attacks(spell: Spell, effect: int, rolls: int) -> None:
    """Rules 8 and 9, section 9.5: one roll, two for Out for Repair; then to the discards."""
    board = window((), (spell,), (), (Spell.SHORE_UP,))
    attack(board, spell, C)
    assert board.rolls_left(C, effect) == [rolls]
    board.expect(Prompt.CAST, seat=D)
    for left in range(rolls - 1, -1, -1):
        board.pass_to(Prompt.DIG)
        assert board.rolls_left(C, effect) == ([left] if left else [])
        board.choose(0)
    assert board.discarded(spell) == 1


def test_rule_16_a_tool_bought_up_or_broken_while_out_for_repair() -> None:
    """Rule 16: the whole tool is off, what is changed meanwhile counts when it is back."""
    board = Board(4)
    board.tools(A, drill=2)
    board.gems(A, 20)
    board.lay(A, Effect.REPAIR + Tool.DRILL, Spell.OUT_FOR_REPAIR, 2)
    board.hand(B, Spell.BROKEN_TOOL)
    board.dig()
    board.act(1 + Tool.DRILL)
    board.choose(0)
    assert board.level(A, Tool.DRILL) == 3
    assert board.of("great", A) == 0
    assert hits_of(board.state)[A].sum() == 1  # the wizard number
    attack(board, Spell.BROKEN_TOOL, A)
    assert board.level(A, Tool.DRILL) == 2
    board.mining(2)
    board.mining(2)
    assert hits_of(board.state)[A].sum() == 1 + 5 + 4


# --- defences -------------------------------------------------------------------------------------


def test_negate() -> None:
    """Section 9.5: cancels; W-13: the attack is used up all the same."""
    board = window((), (Spell.CAVE_IN, Spell.BLAST), (Spell.NEGATE,), (Spell.SHORE_UP,))
    board.mine(C, face_down=30, rubble=9)
    attack(board, Spell.CAVE_IN, C)
    board.expect(Prompt.DEFEND, seat=C)
    assert board.legal == [0, 1 + Spell.NEGATE]
    board.defend(Spell.NEGATE)
    assert board.of("rubble", C) == 9
    assert board.discarded(Spell.CAVE_IN) == board.discarded(Spell.NEGATE) == 1
    board.expect(Prompt.CAST, seat=D)  # B had its one spell
    assert board.tally(Tally.SPELLS_CAST, B) == 1
    assert board.tally(Tally.SPELLS_CAST, C) == 0


def test_an_attack_may_be_accepted() -> None:
    """Rule 11: the victim may defend, and need not."""
    board = window((), (Spell.CAVE_IN,), (Spell.NEGATE,), (Spell.SHORE_UP,))
    board.mine(C, face_down=30, rubble=9)
    attack(board, Spell.CAVE_IN, C)
    board.defend(None, seat=C)
    assert board.of("rubble", C) == 6
    assert board.cards(C, Spell.NEGATE) == 1


def test_only_the_victim_defends() -> None:
    """Spells: only the attacked player may defend."""
    board = window((), (Spell.CAVE_IN,), (), (Spell.NEGATE, Spell.SHORE_UP))
    board.mine(C, face_down=30, rubble=9)
    attack(board, Spell.CAVE_IN, C)
    assert board.of("rubble", C) == 6
    board.expect(Prompt.CAST, seat=D)


@pytest.mark.parametrize("spell", ATTACKS)
def test_tool_saved_answers_spells_on_tools_only(spell: Spell) -> None:
    """Section 9.5: Tool Saved against Broken Tool and Out for Repair, against nothing else."""
    board = window((), (spell,), (Spell.TOOL_SAVED,), (Spell.SHORE_UP,))
    attack(board, spell, C)
    if spell in (Spell.BROKEN_TOOL, Spell.OUT_FOR_REPAIR):
        board.defend(Spell.TOOL_SAVED, seat=C)
        assert board.level(C, Tool.DRILL) == 1
        assert no_effects(board, C)
        assert board.discarded(spell) == board.discarded(Spell.TOOL_SAVED) == 1
    else:
        assert board.cards(C, Spell.TOOL_SAVED) == 1
    board.expect(Prompt.CAST, seat=D)


def test_wm_t22_a_reflected_attack_may_be_defended_after_a_cast() -> None:
    """WM-T22: A casts Broken Tool on B, B reflects, A may play Tool Saved in the same turn."""
    board = window((Spell.SHORE_UP,), (Spell.BROKEN_TOOL, Spell.TOOL_SAVED), (Spell.REFLECT,))
    attack(board, Spell.BROKEN_TOOL, C)
    assert board.tally(Tally.SPELLS_CAST, B) == 1
    board.defend(Spell.REFLECT, seat=C)
    board.expect(Prompt.DEFEND, seat=B)
    assert board.legal == [0, 1 + Spell.TOOL_SAVED]
    board.defend(Spell.TOOL_SAVED)
    assert board.level(B, Tool.DRILL) == board.level(C, Tool.DRILL) == 1
    board.expect(Prompt.CAST, seat=A)


def test_rule_12_the_reflector_chooses_the_tool() -> None:
    """Rule 12: whoever reflects is the caster for all choices."""
    board = window((Spell.SHORE_UP,), (Spell.BROKEN_TOOL,), (Spell.REFLECT,))
    board.tools(B, chisel=2, shovel=1)
    attack(board, Spell.BROKEN_TOOL, C)
    board.defend(Spell.REFLECT)
    board.expect(Prompt.TOOL, seat=C)
    assert board.legal == [1 + Tool.CHISEL, 1 + Tool.SHOVEL]
    board.tool(Tool.CHISEL)
    assert board.level(B, Tool.CHISEL) == 1
    assert board.level(C, Tool.DRILL) == 1


def test_w12_reflect_back_and_forth() -> None:
    """W-12, rule 11: between the same two as long as both have defences."""
    two = (Spell.REFLECT, Spell.REFLECT)
    board = window((Spell.SHORE_UP,), (Spell.CAVE_IN, *two), two)
    for seat in (B, C):
        board.mine(seat, face_down=30, rubble=9)
    attack(board, Spell.CAVE_IN, C)
    for seat in (C, B, C):
        board.defend(Spell.REFLECT, seat=seat)
    board.expect(Prompt.DEFEND, seat=B)
    board.defend(Spell.REFLECT, seat=B)
    board.expect(Prompt.CAST, seat=A)  # C has none left and takes it
    assert board.of("rubble", C) == 6
    assert board.of("rubble", B) == 9
    assert board.discarded(Spell.REFLECT) == 4


def test_reflected_onto_a_caster_without_tools() -> None:
    """A spell on a tool that comes back to somebody without tools does nothing."""
    for spell in (Spell.BROKEN_TOOL, Spell.OUT_FOR_REPAIR):
        board = window((Spell.SHORE_UP,), (spell, Spell.NEGATE), (Spell.REFLECT,))
        board.tools(B)
        attack(board, spell, C)
        board.defend(Spell.REFLECT, seat=C)
        board.expect(Prompt.CAST, seat=A)  # B is not asked to defend
        assert board.discarded(spell) == board.discarded(Spell.REFLECT) == 1
        assert board.cards(B, Spell.NEGATE) == 1
        assert no_effects(board, B)
        assert board.level(C, Tool.DRILL) == 1


@pytest.mark.parametrize("spell", ATTACKS)
def test_w11_redirect_to_any_other_player(spell: Spell) -> None:
    """W-11, rule 12: the redirector names the victim, the first caster included, not oneself."""
    board = window((), (spell,), (Spell.REDIRECT,), (Spell.SHORE_UP,))
    attack(board, spell, C)
    board.defend(Spell.REDIRECT, seat=C)
    board.expect(Prompt.TARGET, seat=C)
    assert board.legal == [1 + A, 1 + B, 1 + D]
    board.mine(B, face_down=30, rubble=5)
    board.target(B)
    hit = {
        Spell.BROKEN_TOOL: lambda: board.level(B, Tool.DRILL) == 0,
        Spell.CAVE_IN: lambda: board.of("rubble", B) == 2,
        Spell.KNOCKED_OUT: lambda: board.rolls_left(B, Effect.KNOCKED_OUT) == [1],
        Spell.OUT_FOR_REPAIR: lambda: board.rolls_left(B, Effect.REPAIR + Tool.DRILL) == [2],
        Spell.HARD_ROCK: lambda: board.rolls_left(B, Effect.HARD_ROCK) == [1],
    }
    assert hit[spell]()
    assert board.level(C, Tool.DRILL) == 1
    assert no_effects(board, C)


def test_rule_12_the_redirector_chooses_victim_and_tool() -> None:
    """Rule 12: victim, then a tool of that victim; tool-less players cannot be chosen."""
    board = window((), (Spell.OUT_FOR_REPAIR,), (Spell.REDIRECT,), (Spell.SHORE_UP,))
    board.tools(A)
    board.tools(D, pick=1, hammer=3)
    attack(board, Spell.OUT_FOR_REPAIR, C)
    board.defend(Spell.REDIRECT)
    assert board.legal == [1 + B, 1 + D]
    board.target(D, seat=C)
    board.expect(Prompt.TOOL, seat=C)
    assert board.legal == [1 + Tool.HAMMER, 1 + Tool.PICK]
    board.tool(Tool.HAMMER)
    assert board.rolls_left(D, Effect.REPAIR + Tool.HAMMER) == [2]


def test_redirect_needs_somebody_else() -> None:
    """W-11: with no other tool on the table a spell on a tool cannot be redirected."""
    board = window((), (Spell.BROKEN_TOOL,), (Spell.REDIRECT, Spell.NEGATE), (Spell.SHORE_UP,))
    for seat in (A, B, D):
        board.tools(seat)
    attack(board, Spell.BROKEN_TOOL, C)
    board.expect(Prompt.DEFEND, seat=C)
    assert board.legal == [0, 1 + Spell.NEGATE]


def test_a_long_chain() -> None:
    """Rules 11 and 12: redirected, then reflected onto the redirector, who is the caster now."""
    board = window(
        (Spell.SHORE_UP,),
        (Spell.CAVE_IN,),
        (Spell.REDIRECT,),
        (Spell.REFLECT,),
    )
    for seat in range(4):
        board.mine(seat, face_down=30, rubble=9)
    attack(board, Spell.CAVE_IN, C)
    board.defend(Spell.REDIRECT, seat=C)
    board.target(D, seat=C)
    board.defend(Spell.REFLECT, seat=D)
    assert board.state["rubble"].tolist() == [9, 9, 6, 9]

    board = window((Spell.REFLECT,), (Spell.CAVE_IN,), (Spell.REDIRECT,), (Spell.SHORE_UP,))
    for seat in range(4):
        board.mine(seat, face_down=30, rubble=9)
    attack(board, Spell.CAVE_IN, C)
    board.defend(Spell.REDIRECT)
    board.target(A)
    board.defend(Spell.REFLECT, seat=A)  # the redirector is the caster now, not B
    assert board.state["rubble"].tolist() == [9, 9, 6, 9]


def test_defending_leaves_the_own_cast() -> None:
    """Spells: defensive spells do not count as the one spell of a turn."""
    board = window((), (Spell.CAVE_IN,), (Spell.NEGATE, Spell.BLAST))
    attack(board, Spell.CAVE_IN, C)
    board.defend(Spell.NEGATE)
    board.expect(Prompt.CAST, seat=C)
    assert board.legal == [0, 1 + Spell.BLAST]


def test_the_active_player_may_defend_out_of_order() -> None:
    """Spells: players may always defend, regardless of the rotation."""
    board = window((Spell.NEGATE, Spell.BLAST), (Spell.KNOCKED_OUT,))
    attack(board, Spell.KNOCKED_OUT, A)
    board.defend(Spell.NEGATE, seat=A)
    board.expect(Prompt.CAST, seat=A)


# --- the hand -------------------------------------------------------------------------------------


def end_of_turn(hand: tuple[Spell, ...], gems: int) -> Board:
    """Return a board after seat 0's roll, at the purchase of a spell if that is open."""
    board = Board(4)
    board.hand(A, *hand)
    board.mine(A, face_down=30, face_up=5)  # cards without gems on top
    board.gems(A, gems)
    board.mining(13)
    return board


def test_wm_t24_hand_limit() -> None:
    """WM-T24, rule 5: five, the free one and a bought one make seven; discard to five."""
    hand = (Spell.NEGATE, Spell.NEGATE, Spell.REFLECT, Spell.REDIRECT, Spell.TOOL_SAVED)
    board = end_of_turn(hand, gems=5)
    board.expect(Prompt.BUY_SPELL, seat=A)
    assert board.of("hand_size", A) == 6
    board.choose(1)
    assert board.of("hand_size", A) == 7
    assert board.of("gems", A) == 3
    board.expect(Prompt.DISCARD, seat=A)
    held = [spell for spell in Spell if board.cards(A, spell)]
    assert board.legal == [1 + spell for spell in held]
    board.choose(1 + Spell.NEGATE)
    assert board.discarded(Spell.NEGATE) == 1
    board.expect(Prompt.DISCARD, seat=A)
    board.choose(1 + Spell.NEGATE)
    assert board.of("hand_size", A) == 5
    board.expect(Prompt.DIG, seat=B)


def test_one_spell_may_be_bought_a_turn() -> None:
    """Starting Play 4: one, for two gems; voluntary; the free one comes first."""
    board = end_of_turn((), gems=9)
    board.expect(Prompt.BUY_SPELL)
    assert board.of("hand_size", A) == 1
    board.choose(1)
    assert board.of("hand_size", A) == 2
    board.expect(Prompt.DIG, seat=B)
    board = end_of_turn((), gems=2)
    board.choose(0)
    assert board.of("hand_size", A) == 1
    assert board.of("gems", A) == 2
    board = end_of_turn((), gems=1)
    board.expect(Prompt.DIG, seat=B)
    assert board.of("hand_size", A) == 1


def test_the_limit_is_checked_for_the_active_player_when_acquiring() -> None:
    """Rule 5: five cards need no discard; a sixth does even without a purchase."""
    five = (Spell.NEGATE,) * 4
    board = end_of_turn(five, gems=0)
    board.expect(Prompt.DIG, seat=B)
    assert board.of("hand_size", A) == 5
    board = end_of_turn((*five, Spell.REFLECT), gems=0)
    board.expect(Prompt.DISCARD, seat=A)


def test_a_hand_of_one_kind_is_discarded_without_asking() -> None:
    """A prompt with one option is not opened."""
    board = Board(4, hand__limit=0, hand__starting=0)
    for seat in range(4):
        board.hand(seat)
    board.gems(A, 0)
    board.mine(A, face_down=30, face_up=5)
    board.mining(13)
    assert board.of("hand_size", A) == 0
    assert board.now("discard_size") == 1


def test_w22_the_discards_become_the_deck() -> None:
    """W-22: the free spell is a blind draw; an empty deck takes the discards, shuffled."""
    board = Board(4)
    board.gems(A, 0)
    board.mine(A, face_down=30, face_up=5)
    deck = spell_counts(board.state["deck"])
    board.state["discard"][:] = board.state["deck"]
    board.state["discard_size"] = board.state["deck_size"]
    board.state["deck"][:] = 0
    board.state["deck_size"] = 0
    board.mining(13)
    assert board.now("discard_size") == 0
    assert board.now("deck_size") == deck.sum() - 1
    assert board.of("hand_size", A) == 1


def test_w22_a_blind_draw_is_even_over_the_cards() -> None:
    """W-22: each card of the deck is as likely as any other."""
    board = Board(4)
    board.gems(A, 0)
    board.mine(A, face_down=30, face_up=5)
    fresh = board.states.copy()
    drawn = np.zeros(14, int)
    for deal in range(300):
        board.states[:] = fresh
        board.backstages["base"] = deal << 28
        board.mining(13)
        drawn[board.state["last_spell"][A]] += 1
    expected = spell_counts(board.tables["spell_deck"]) / 75 * 300
    chi_square = ((drawn - expected) ** 2 / expected).sum()
    assert chi_square < 42  # 13 degrees of freedom: one run in 15,000


def test_with_no_spell_left_nothing_is_drawn_or_sold() -> None:
    """Every card in hands: no draw, no purchase, the game goes on."""
    board = Board(
        4, **{f"spells__{spell.name.lower()}__count": 0 for spell in Spell if spell != 10}
    )
    board.hand(B, *(Spell.NEGATE,) * 5)
    board.gems(A, 9)
    board.mine(A, face_down=30, face_up=5)
    board.mining(13)
    board.expect(Prompt.DIG, seat=B)
    assert board.of("hand_size", A) == 0
    assert board.of("gems", A) == 9


def test_forbidden_spells() -> None:
    """Interventions: a seat that must not use spells neither casts nor defends nor buys."""
    board = Board(4)
    board.tables["forbid_spells"][C] = 1
    board.hand(B, Spell.CAVE_IN)
    board.hand(C, Spell.NEGATE, Spell.BLAST)
    board.hand(D, Spell.SHORE_UP)
    board.mine(C, face_down=30, rubble=9)
    board.to_spells()
    attack(board, Spell.CAVE_IN, C)
    assert board.of("rubble", C) == 6
    board.expect(Prompt.CAST, seat=D)
