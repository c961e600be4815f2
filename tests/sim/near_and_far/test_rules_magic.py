"""The magic track, the new Hut, spells and teachers (rules 36 to 43, 47)."""

from __future__ import annotations

import pytest

from sim.decks import unpack
from sim.near_and_far.magic import (
    draw_spells,
    hut_choices,
    hut_magic,
    hut_visit,
    learn,
    move_magic,
    ready_spells,
    turn_spells,
    use_spell,
    walk_spells,
)
from sim.near_and_far.state import EndTrigger, Spell, Tally
from tests.contract import bits
from tests.sim.near_and_far.sheet import Sheet

pytestmark = pytest.mark.kernel

ALL = (1 << len(Spell)) - 1


def move(sheet: Sheet, spaces: int, seat: int = 0) -> None:
    sheet.call(move_magic, "state tables seat spaces", seat, spaces)


def use(sheet: Sheet, spell: Spell, amount: int = 1) -> None:
    sheet.call(use_spell, "state tables seat spell amount", 0, spell, amount)


def at_turn(sheet: Sheet) -> list[int]:
    return bits(sheet.call(turn_spells, "state tables seat", 0))


def at_step(sheet: Sheet) -> list[int]:
    return bits(sheet.call(walk_spells, "state tables seat", 0))


def draw(sheet: Sheet, seat: int = 0) -> set[int]:
    return set(bits(sheet.call(draw_spells, "state tables backstage seat", seat)))


def counts(words: object) -> list[int]:
    """Return how many cards of each kind lie in a deck of spells."""
    return [n for word in words for n in unpack(word)][: len(Spell)]  # type: ignore[attr-defined]


def lay_deck(sheet: Sheet, *spells: Spell, discard: tuple[Spell, ...] = ()) -> None:
    """Make the deck of spells, and its discards, of these cards."""
    for name, cards in (("spell_deck", spells), ("spell_discard", discard)):
        sheet.state[name] = 0
        sheet.state[f"{name}_size"] = len(cards)
        for spell in cards:
            sheet.state[name][spell >> 3] += 1 << 8 * (spell & 7)


# --- the track ------------------------------------------------------------------------------------


def test_each_icon_passed_or_reached_is_a_spell() -> None:
    """A-17: icons at 3 and 6."""
    sheet = Sheet()
    move(sheet, 2)
    assert (sheet.of("magic"), int(sheet.state["spells_due"])) == (2, 0)
    move(sheet, 1)
    assert (sheet.of("magic"), int(sheet.state["spells_due"])) == (3, 1)
    move(sheet, 4)
    assert (sheet.of("magic"), int(sheet.state["spells_due"])) == (7, 2)


def test_a_long_way_passes_several_icons() -> None:
    """A-17."""
    sheet = Sheet()
    move(sheet, 9)
    assert sheet.state["spells_due"] == 3


def test_the_last_space_takes_a_camp_and_ends_the_way() -> None:
    """Rule 39: once, while there is room; nobody goes beyond."""
    sheet = Sheet(players=4)
    for seat in range(3):
        sheet.state["spells_due"] = 0
        sheet.state["magic"][seat] = 13
        move(sheet, 3, seat)
        assert sheet.of("magic", seat) == 14
        assert sheet.of("tents", seat) == (13 if seat < 2 else 14)
        assert sheet.of("magic_camps", seat) == (seat < 2)
        assert sheet.state["spells_due"] == 0
    assert sheet.state["magic_camps_left"] == 0
    sheet.state["magic_camps_left"] = 1
    move(sheet, 1)
    assert sheet.of("tents") == 13


def test_the_camp_of_the_track_may_be_the_last_one() -> None:
    """Rule 39 and A-1; with no camp left none is placed and the icon stays free (A-38)."""
    sheet = Sheet()
    sheet.state["tents"][0] = 1
    sheet.state["magic"][0] = 13
    move(sheet, 1)
    assert sheet.state["ending"] == 1 + EndTrigger.CAMPS
    sheet.state["tents"][1] = 0
    sheet.state["magic"][1] = 13
    move(sheet, 1, 1)
    assert sheet.of("magic", 1) == 14
    assert sheet.of("magic_camps", 1) == 0
    assert sheet.state["magic_camps_left"] == 1


def test_there_is_no_magic_without_the_module() -> None:
    """Rule 40."""
    sheet = Sheet(magic=0)
    move(sheet, 5)
    assert sheet.of("magic") == 0
    assert sheet.state["spells_due"] == 0


# --- the Hut --------------------------------------------------------------------------------------


def test_the_hut_gives_a_treasure_for_each_search() -> None:
    """Rule 36: of the party; cards do not search. Divination adds two, once (rule 42)."""
    sheet = Sheet()
    sheet.party(search=2)
    sheet.call(hut_visit, "state tables seat", 0)
    assert sheet.state["treasures_due"] == 2
    sheet.spells(Spell.DIVINATION)
    use(sheet, Spell.DIVINATION)
    for expected in (6, 8):
        sheet.call(hut_visit, "state tables seat", 0)
        assert sheet.state["treasures_due"] == expected


def test_magic_at_the_hut() -> None:
    """Rule 36: one space, or three for a gem."""
    sheet = Sheet()
    choices = [bits(sheet.call(hut_choices, "state tables seat", 0))]
    sheet.give(gem=1)
    choices.append(bits(sheet.call(hut_choices, "state tables seat", 0)))
    sheet.state["magic"][0] = 14
    choices.append(bits(sheet.call(hut_choices, "state tables seat", 0)))
    assert choices == [[0, 1], [0, 1, 2], [0]]
    sheet.state["magic"][0] = 0
    sheet.call(hut_magic, "state tables seat choice", 0, 1)
    assert (sheet.of("magic"), sheet.good("gem")) == (1, 1)
    sheet.call(hut_magic, "state tables seat choice", 0, 2)
    assert (sheet.of("magic"), sheet.good("gem")) == (4, 0)
    assert sheet.state["spells_due"] == 1


def test_the_hut_without_the_magic_module() -> None:
    """Rule 40: the first box alone works."""
    sheet = Sheet(magic=0)
    sheet.party(search=1, magic=1)
    sheet.give(gem=1)
    sheet.call(hut_visit, "state tables seat", 0)
    assert sheet.state["treasures_due"] == 1
    assert bits(sheet.call(hut_choices, "state tables seat", 0)) == [0]
    sheet.call(hut_magic, "state tables seat choice", 0, 0)
    assert sheet.of("magic") == 0


@pytest.mark.parametrize(("choice", "spaces"), [(0, 2), (1, 3), (2, 5)])
def test_teachers_add_their_spaces(choice: int, spaces: int) -> None:
    """Rule 47, A-18: whatever is chosen."""
    sheet = Sheet()
    sheet.party(magic=2)
    sheet.give(gem=1)
    sheet.call(hut_magic, "state tables seat choice", 0, choice)
    assert sheet.of("magic") == spaces


def test_the_last_step_turns_spells_up() -> None:
    """Rule 36."""
    sheet = Sheet()
    sheet.spells(Spell.HASTE, Spell.ILLUSION)
    use(sheet, Spell.HASTE)
    assert bits(sheet.of("spells_up")) == [Spell.ILLUSION]
    sheet.call(hut_magic, "state tables seat choice", 0, 0)
    assert bits(sheet.of("spells_up")) == [Spell.HASTE, Spell.ILLUSION]
    sheet.state["spells_up"][0] = 0
    sheet.call(ready_spells, "state seat", 0)
    assert sheet.of("spells_up") == sheet.of("spells")


# --- learning -------------------------------------------------------------------------------------


def test_three_spells_are_drawn_and_one_is_kept() -> None:
    """Rule 38: face up; the other two are discarded."""
    sheet = Sheet()
    lay_deck(sheet, Spell.HASTE, Spell.ILLUSION, Spell.ILLUSION)
    assert draw(sheet) == {Spell.HASTE, Spell.ILLUSION}
    assert sheet.state["spell_deck_size"] == 0
    sheet.call(learn, "state tables seat spell", 0, Spell.ILLUSION)
    assert sheet.of("spells") == sheet.of("spells_up") == 1 << Spell.ILLUSION
    assert sheet.state["spell_discard_size"] == 2
    discarded = counts(sheet.state["spell_discard"])
    assert discarded[Spell.HASTE] == discarded[Spell.ILLUSION] == 1
    assert not sheet.state["drawn_counts"].any()
    assert sheet.state["drawn_spells"] == 0


def test_a_spell_one_has_cannot_be_learned() -> None:
    """Rule 38."""
    sheet = Sheet()
    lay_deck(sheet, Spell.HASTE, Spell.ILLUSION, Spell.BREW_POTION)
    sheet.state["spells"][0] = 1 << Spell.ILLUSION
    assert draw(sheet) == {Spell.HASTE, Spell.BREW_POTION}


def test_three_known_spells_are_drawn_again() -> None:
    """NF-T30: whoever owns nine kinds sees new cards until the tenth comes."""
    sheet = Sheet()
    for kind in Spell:
        if kind != Spell.HASTE:
            sheet.spells(kind)
    cards = int(sheet.state["spell_deck_size"])
    assert draw(sheet) == {Spell.HASTE}
    drawn = int(sheet.state["spell_draws"])
    assert drawn % 3 == 0
    left = sheet.state["spell_deck_size"]
    assert left + sheet.state["spell_discard_size"] == cards - 3
    assert sheet.state["spell_discard_size"] == drawn - 3
    # the same again from a deck in which they must come first: three known ones, then the rest
    lay_deck(sheet, Spell.ILLUSION, Spell.ILLUSION, Spell.BREW_POTION, discard=(Spell.HASTE,) * 3)
    sheet.state["drawn_counts"] = 0
    sheet.state["spell_draws"] = 0
    assert draw(sheet) == {Spell.HASTE}
    assert sheet.state["spell_draws"] > 3


def test_discards_are_the_new_deck() -> None:
    """Rule 38: when the deck runs out in the middle of three."""
    sheet = Sheet()
    lay_deck(sheet, Spell.HASTE, discard=(Spell.ILLUSION, Spell.BREW_POTION))
    assert draw(sheet) == {Spell.HASTE, Spell.ILLUSION, Spell.BREW_POTION}
    assert sheet.state["spell_deck_size"] == sheet.state["spell_discard_size"] == 0
    assert not sheet.state["spell_deck"].any()
    assert not sheet.state["spell_discard"].any()


def test_nothing_is_left_to_learn() -> None:
    """Rule 38: no card in deck or discards that one does not have; nothing gets lost."""
    sheet = Sheet()
    lay_deck(sheet, Spell.ILLUSION, Spell.ILLUSION, discard=(Spell.HASTE,))
    sheet.state["spells"][0] = 1 << Spell.ILLUSION | 1 << Spell.HASTE
    assert draw(sheet) == set()
    assert sheet.state["spell_deck_size"] + sheet.state["spell_discard_size"] == 3
    lay_deck(sheet)
    sheet.state["spells"][0] = 0
    assert draw(sheet) == set()


def test_fewer_than_three_cards() -> None:
    """Rule 38: what there is is drawn."""
    sheet = Sheet()
    lay_deck(sheet, Spell.ILLUSION)
    assert draw(sheet) == {Spell.ILLUSION}


# --- using ----------------------------------------------------------------------------------------


def test_a_used_spell_lies_face_down() -> None:
    """Rule 41."""
    sheet = Sheet()
    sheet.spells(Spell.HASTE)
    sheet.state["movement"] = 1
    assert at_step(sheet) == [Spell.HASTE]
    assert at_turn(sheet) == []
    use(sheet, Spell.HASTE)
    assert sheet.state["movement"] == 3
    assert sheet.of("spells_up") == 0
    assert sheet.of("spells") == 1 << Spell.HASTE
    assert at_step(sheet) == []
    assert sheet.state["tally"][0, Tally.SPELLS_CAST] == 1


def test_rejuvenation() -> None:
    """Rule 42: two hearts within the heart total and a reputation."""
    sheet = Sheet()
    sheet.party(hearts=5)
    sheet.spells(Spell.REJUVENATION)
    sheet.state["hearts"][0] = 4
    assert at_turn(sheet) == at_step(sheet) == [Spell.REJUVENATION]
    use(sheet, Spell.REJUVENATION)
    assert (sheet.of("hearts"), sheet.of("reputation")) == (5, 1)
    sheet.state["spells_up"][0] = sheet.of("spells")
    assert at_turn(sheet) == [Spell.REJUVENATION]  # for the reputation
    sheet.state["reputation"][0] = 10
    assert at_turn(sheet) == at_step(sheet) == []


def test_hearts_without_the_heart_total() -> None:
    """Rule 52 is a module: without it the end of the track is the limit."""
    sheet = Sheet(heart_total=0)
    sheet.party(hearts=5)
    sheet.spells(Spell.REJUVENATION, Spell.BREW_POTION)
    sheet.give(food=1)
    sheet.state["hearts"][0] = 5
    use(sheet, Spell.REJUVENATION)
    assert sheet.of("hearts") == 7
    sheet.state["hearts"][0] = 12
    use(sheet, Spell.BREW_POTION)
    assert sheet.of("hearts") == 13


@pytest.mark.parametrize("gems", [1, 4])
def test_transmutation(gems: int) -> None:
    """NF-T7: of six gems up to four become two coins each."""
    sheet = Sheet()
    sheet.spells(Spell.TRANSMUTATION)
    assert at_turn(sheet) == []
    sheet.give(gem=6)
    assert at_turn(sheet) == [Spell.TRANSMUTATION]
    use(sheet, Spell.TRANSMUTATION, gems)
    assert sheet.good("gem") == 6 - gems
    assert sheet.good("coin") == 2 * gems
    assert sheet.of("spells_up") == 0


def test_brew_potion() -> None:
    """Rule 42: a food for three hearts within the heart total."""
    sheet = Sheet()
    sheet.party(hearts=6)
    sheet.spells(Spell.BREW_POTION)
    sheet.state["hearts"][0] = 4
    assert at_turn(sheet) == []
    sheet.give(food=2)
    assert at_turn(sheet) == at_step(sheet) == [Spell.BREW_POTION]
    use(sheet, Spell.BREW_POTION)
    assert (sheet.of("hearts"), sheet.good("food")) == (6, 1)
    sheet.state["spells_up"][0] = sheet.of("spells")
    assert at_turn(sheet) == []


def test_spells_of_rolls_and_camps_are_no_free_action() -> None:
    """Rule 42: what helps a roll, a threat or a camp is offered there."""
    sheet = Sheet()
    sheet.party(hearts=4)
    sheet.give(food=1, gem=1)
    sheet.state["spells"][0] = sheet.state["spells_up"][0] = ALL
    assert at_turn(sheet) == [
        Spell.DIVINATION,
        Spell.REJUVENATION,
        Spell.TRANSMUTATION,
        Spell.BREW_POTION,
    ]
    assert at_step(sheet) == [Spell.HASTE, Spell.REJUVENATION, Spell.BREW_POTION]
