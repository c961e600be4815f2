"""The turn of Near and Far: what happens from one decision to the next.

`advance` goes through the steps of a turn and returns where somebody must decide. Each decision
has a step that asks and a step that acts on the answer; `advance` re-enters at the latter. The
rules themselves stand in `setup`, `town`, `duel`, `travel`, `mine`, `magic`, `rolls`, `rewards`,
`treasures`, `scoring`. A step that may lead to treasures or spells goes on by SETTLE, which returns
to `after`.
"""

from __future__ import annotations

import numpy as np

from sim.choices import is_open, lowest, seat_after
from sim.events import emit
from sim.jit import rare, rule
from sim.near_and_far.basics import discard_artifact
from sim.near_and_far.counts import (
    note_lead,
    note_mine,
    note_quest,
    note_threat,
    note_tokens,
    note_visit,
)
from sim.near_and_far.duel import (
    building_choices,
    close_defence,
    close_duel,
    duel_choices,
    occupants,
    open_duel,
)
from sim.near_and_far.magic import (
    draw_spells,
    hut_choices,
    hut_magic,
    hut_visit,
    learn,
    turn_spells,
    use_spell,
    walk_spells,
)
from sim.near_and_far.mine import (
    camp_in_mine,
    close_dig,
    dig,
    dig_choices,
    enter_mine,
    mine_starts,
)
from sim.near_and_far.rolls import (
    after_choices,
    before_choices,
    close_roll,
    improve,
    prepare,
    throw,
    throw_again,
)
from sim.near_and_far.scoring import finish, score
from sim.near_and_far.setup import (
    companion_choices,
    companion_picker,
    draft,
    end_set_up,
    keep,
    keep_choices,
    offer_cards,
    offer_dealt,
    pass_packs,
    set_up,
    take_companion,
)
from sim.near_and_far.state import (
    OFFER,
    RECRUIT_REFRESH,
    Dig,
    Event,
    Good,
    Hall,
    Place,
    Prompt,
    RollKind,
    Spell,
    Status,
    Step,
    Tally,
    Turn,
    Walk,
)
from sim.near_and_far.together import (
    finish_together,
    gift_choices,
    move_clock,
    play_together,
)
from sim.near_and_far.town import (
    area_choices,
    buy_artifact,
    buy_birds,
    buy_choices,
    change_party,
    dig_area,
    enter_store,
    farm,
    goods_choices,
    hall,
    hall_choices,
    old_hut,
    party_choices,
    party_out_choices,
    recruit,
    recruit_choices,
    refresh_track,
    shop,
    stables_choices,
    store_choices,
    trade,
)
from sim.near_and_far.travel import (
    arrive,
    build_camp,
    camp_choices,
    close_quest,
    close_threat,
    cross,
    depart,
    open_quest,
    open_threat,
    pass_threat,
    quest_choices,
    road_choices,
    start_moves,
    take_road,
    threat_choices,
)
from sim.near_and_far.treasures import (
    discard_treasure,
    settle_treasures,
    too_many_treasures,
)

_TURN_BUY = np.int64(Turn.BUY)
_TURN_SPELL = np.int64(Turn.SPELL)
_TRANSMUTE = np.int64(Turn.TRANSMUTE)
_TURN_GIVE = np.int64(Turn.GIVE)
_TRANSMUTATION = np.int64(Spell.TRANSMUTATION)
_GEM = np.int64(Good.GEM)
_WALK_ROAD = np.int64(Walk.ROAD)
_WALK_BUY = np.int64(Walk.BUY)
_WALK_SPELL = np.int64(Walk.SPELL)
_WALK_GIVE = np.int64(Walk.GIVE)
_DIG_CAMP = np.int64(Dig.CAMP)
_DIG_BUY = np.int64(Dig.BUY)
_DIG_SPELL = np.int64(Dig.SPELL)
_HALL_DISCARD = np.int64(Hall.DISCARD)
_TOWN_HALL = np.int64(Place.TOWN_HALL)
_SALOON = np.int64(Place.SALOON)
_STABLES = np.int64(Place.STABLES)
_GENERAL_STORE = np.int64(Place.GENERAL_STORE)
_FARM = np.int64(Place.FARM)
_HUT = np.int64(Place.HUT)
_MINE = np.int64(Place.MINE)
_MAP = np.int64(Place.MAP)
_TURNS = np.int64(Tally.TURNS)
_TOWN_VISITS = np.int64(Tally.TOWN_VISITS)
_ADVENTURES = np.int64(Tally.ADVENTURES)
_MINE_VISITS = np.int64(Tally.MINE_VISITS)
_K_THREAT = np.int64(RollKind.THREAT)
_K_QUEST = np.int64(RollKind.QUEST)
_K_MINE = np.int64(RollKind.MINE)
_K_DEFENCE = np.int64(RollKind.DEFENCE)
_K_MINION = np.int64(RollKind.MINION)
_TOGETHER = np.int64(Step.DUE)  # from here on steps are those of together.py


# --- turns ----------------------------------------------------------------------------------------


@rare
def open_game(state, tables, backstage):
    """Set up a game in a zeroed state; `advance` with choice 0 goes on to the first decision."""
    set_up(state, tables, backstage)
    note_tokens(state, tables, backstage)
    state["step"] = Step.ASK_COMPANION


@rare
def start_turn(state, tables):
    """Open the next turn; say whether the game goes on."""
    if state["turn"] >= tables["turn_cap"]:
        state["status"] = Status.CAPPED
        score(state, tables)
        emit(Event.CAPPED, -1, state["turn"], 0, 0)
        return False
    state["turn"] += 1
    active = state["active"]
    state["tally"][active, _TURNS] += 1
    state["rolls"] = 0
    state["spell_draws"] = 0
    state["crossed_threats"] = 0
    state["crossed_treasures"] = 0
    state["caution_used"] = 0
    state["reserve"] = 0
    state["divined"] = 0
    state["store_camp"] = 0
    state["hall_done"] = 0
    state["hall_now"] = 0
    state["entered"] = 0
    state["movement"] = 0
    emit(Event.TURN, active, state["turn"], 0, 0)
    return True


@rare
def turn_choices(state, tables, seat):
    """Return what the active player can do: the town, the map, artifacts and spells before that.

    In the first round everybody visits the town ("Important rules"; rule 2).
    """
    legal = building_choices(state, tables, seat)
    if state["tally"][seat, _TURNS] > 1 or legal == 0:
        legal |= 1
    if buy_choices(state, tables, seat) != 0:
        legal |= 1 << _TURN_BUY
    if state["spells_up"][seat] != 0:
        spells = turn_spells(state, tables, seat)
        legal |= spells << _TURN_SPELL
        if spells >> _TRANSMUTATION & 1 != 0:
            most = min(state["goods"][seat, _GEM], tables["spell_uses"][_TRANSMUTATION])
            for gems in range(2, most + 1):
                legal |= 1 << (_TRANSMUTE + gems)
    if tables["coop"] != 0:
        state["gifts"] = gift_choices(state, tables, seat)
        if state["gifts"] != 0:
            legal |= 1 << _TURN_GIVE
    return legal


@rare
def cast(state, tables, seat, choice):
    """Use a spell chosen in TURN."""
    if choice > _TRANSMUTE:
        use_spell(state, tables, seat, _TRANSMUTATION, choice - _TRANSMUTE)
    else:
        use_spell(state, tables, seat, choice - _TURN_SPELL, 1)


@rare
def walk_choices(state, tables, seat):
    """Return what a player on the map can do: stop, roads, artifacts and spells."""
    legal = 1 | road_choices(state, tables, seat) << _WALK_ROAD
    if buy_choices(state, tables, seat) != 0:
        legal |= 1 << _WALK_BUY
    if state["spells_up"][seat] != 0:
        legal |= walk_spells(state, tables, seat) << _WALK_SPELL
    if tables["coop"] != 0:
        state["gifts"] = gift_choices(state, tables, seat)
        if state["gifts"] != 0:
            legal |= 1 << _WALK_GIVE
    return legal


@rare
def mine_choices(state, tables, seat):
    """Return what a player in the Amber Mine can do: leave, moves, a camp, artifacts and spells."""
    legal = dig_choices(state, tables, seat)
    if buy_choices(state, tables, seat) != 0:
        legal |= 1 << _DIG_BUY
    if state["spells_up"][seat] != 0:
        legal |= walk_spells(state, tables, seat) << _DIG_SPELL
    return legal


@rare
def visit(state, tables, seat, building):
    """Put the figure into a building."""
    state["place"][seat] = building
    state["tally"][seat, _TOWN_VISITS] += 1
    emit(Event.VISITED, seat, building, 0, 0)


@rare
def next_turn(state, tables):
    """Go on to the next player; say whether the game goes on (A-1: the round is finished)."""
    note_lead(state, tables)
    following = seat_after(state, state["active"], 1)
    if state["ending"] != 0 and (tables["finish_round"] == 0 or following == state["first_seat"]):
        if tables["coop"] != 0:
            finish_together(state, tables)
        else:
            finish(state, tables)
        return False
    state["active"] = following
    return True


# --- the building's action ------------------------------------------------------------------------


@rare
def act(state, tables, seat, building):
    """Begin the action of a building; return the step that goes on with it."""
    if building == _TOWN_HALL:
        return Step.ASK_HALL
    if building == _SALOON:
        return Step.ASK_RECRUIT
    if building == _STABLES:
        return Step.ASK_STABLES
    if building == _GENERAL_STORE:
        enter_store(state, tables, seat)
        return Step.ASK_STORE
    if building == _FARM:
        farm(state, tables, seat)
        return Step.TURN_END
    if building == _HUT:
        if tables["amber_mines"] == 0:
            old_hut(state, tables, seat)
            state["after"] = Step.TURN_END
        else:
            hut_visit(state, tables, seat)
            state["after"] = Step.ASK_HUT
        return Step.SETTLE
    if tables["amber_mines"] == 0:
        state["tally"][seat, _MINE_VISITS] += 1
        return Step.ASK_MINE_AREA
    return Step.ASK_MINE_START


@rare
def advance(state, tables, backstage, choice):
    """Apply a choice to the open prompt and go to the next decision; return its prompt.

    The choice must be legal: `state["legal"]` has its bit. The first call of a game takes 0.
    """
    step = state["step"]
    seat = state["active"]
    while True:
        if step == Step.ASK_MOVE:
            legal = walk_choices(state, tables, seat)
            step = Step.MOVE
            if is_open(state, seat, Prompt.MOVE, legal):
                state["step"] = step
                return Prompt.MOVE
            choice = 0
        if step == Step.MOVE:
            if choice == 0:
                arrive(state, tables, seat)
                step = Step.ASK_QUEST
            elif choice < _WALK_BUY:
                step = Step.CROSS
                if take_road(state, tables, seat, choice - _WALK_ROAD) != 0:
                    legal = threat_choices(state, tables, seat)
                    step = Step.THREAT
                    if is_open(state, seat, Prompt.THREAT, legal):
                        state["step"] = step
                        return Prompt.THREAT
                    choice = lowest(legal)
            elif choice == _WALK_BUY:
                state["back"] = Step.ASK_MOVE
                legal = buy_choices(state, tables, seat)
                step = Step.BUY
                if is_open(state, seat, Prompt.BUY, legal):
                    state["step"] = step
                    return Prompt.BUY
                choice = lowest(legal)
            elif choice == _WALK_GIVE:
                state["back"] = Step.ASK_MOVE
                step = Step.ASK_GIVE
            else:
                use_spell(state, tables, seat, choice - _WALK_SPELL, 1)
                step = Step.ASK_MOVE
                continue
        if step == Step.THREAT:
            if choice == 0:
                open_threat(state, tables, seat)
                step = Step.ASK_BEFORE_ROLL
            else:
                pass_threat(state, tables, seat, choice)
                state["after"] = Step.CROSS
                step = Step.SETTLE
        if step == Step.CROSS:
            cross(state, tables, seat)
            state["after"] = Step.ASK_MOVE
            step = Step.SETTLE

        # a roll
        if step == Step.ASK_BEFORE_ROLL:
            legal = before_choices(state, tables)
            step = Step.BEFORE_ROLL
            if is_open(state, state["roll_seat"], Prompt.BEFORE_ROLL, legal):
                state["step"] = step
                return Prompt.BEFORE_ROLL
            choice = 0
        if step == Step.BEFORE_ROLL:
            if not prepare(state, tables, choice):
                step = Step.ASK_BEFORE_ROLL
                continue
            step = Step.THROW
        if step == Step.REROLL:
            step = Step.ASK_AFTER_ROLL
            if choice == 1:
                throw_again(state)
                step = Step.THROW
        if step == Step.THROW:
            step = Step.ASK_AFTER_ROLL
            if throw(state, tables, backstage) and is_open(
                state, state["roll_seat"], Prompt.REROLL, 3
            ):
                state["step"] = Step.REROLL
                return Prompt.REROLL
        if step == Step.AFTER_ROLL:
            step = Step.ASK_AFTER_ROLL if improve(state, tables, choice) else Step.ROLLED
        if step == Step.ASK_AFTER_ROLL:
            legal = after_choices(state, tables)
            step = Step.ROLLED
            if is_open(state, state["roll_seat"], Prompt.AFTER_ROLL, legal):
                state["step"] = Step.AFTER_ROLL
                return Prompt.AFTER_ROLL
        if step == Step.ROLLED:
            close_roll(state)
            kind = state["roll_kind"]
            step = Step.SETTLE
            if kind == _K_THREAT:
                note_threat(state, backstage, seat)
                if close_threat(state, tables, seat) != 0:
                    state["after"] = Step.CROSS
                else:
                    arrive(state, tables, seat)
                    state["after"] = Step.ASK_QUEST
            elif kind == _K_QUEST:
                note_quest(state, backstage, seat)
                close_quest(state, tables, seat)
                state["after"] = Step.ASK_CAMP
            elif kind == _K_MINE:
                note_mine(state, backstage)
                close_dig(state, tables, seat)
                step = Step.ASK_MINE_MOVE
            elif kind == _K_DEFENCE:
                close_defence(state, tables, seat)
                step = Step.ASK_BEFORE_ROLL
                continue
            elif kind >= _K_MINION:
                step = Step.TEAM_ROLLED
            elif close_duel(state, tables, seat):
                step = Step.ACT
            else:
                step = Step.TURN_END

        if step == Step.ASK_MINE_MOVE:
            legal = mine_choices(state, tables, seat)
            step = Step.MINE_MOVE
            if is_open(state, seat, Prompt.MINE_MOVE, legal):
                state["step"] = step
                return Prompt.MINE_MOVE
            choice = 0
        if step == Step.MINE_MOVE:
            if choice == 0:
                note_visit(state, backstage, 0)
                step = Step.TURN_END
            elif choice < _DIG_CAMP:
                step = Step.ASK_MINE_MOVE
                if dig(state, tables, backstage, seat, choice) != 0:
                    step = Step.ASK_BEFORE_ROLL
                continue
            elif choice < _DIG_BUY:
                note_visit(state, backstage, 1)
                camp_in_mine(state, tables, seat, choice)
                state["after"] = Step.TURN_END
                step = Step.SETTLE
            elif choice == _DIG_BUY:
                state["back"] = Step.ASK_MINE_MOVE
                legal = buy_choices(state, tables, seat)
                step = Step.BUY
                if is_open(state, seat, Prompt.BUY, legal):
                    state["step"] = step
                    return Prompt.BUY
                choice = lowest(legal)
            else:
                use_spell(state, tables, seat, choice - _DIG_SPELL, 1)
                step = Step.ASK_MINE_MOVE
                continue

        # treasures and spells that are due
        if step == Step.TREASURE:
            discard_treasure(state, tables, seat, choice)
            step = Step.SETTLE
        if step == Step.SPELL:
            learn(state, tables, seat, choice)
            step = Step.SETTLE
        if step == Step.SETTLE:
            step = state["after"]
            legal = 0
            if state["treasures_due"] > 0 or too_many_treasures(state, tables, seat):
                legal = settle_treasures(state, tables, backstage, seat)
            if legal != 0:
                step = Step.TREASURE
                if is_open(state, seat, Prompt.TREASURE, legal):
                    state["step"] = step
                    return Prompt.TREASURE
                choice = lowest(legal)
                continue
            if state["spells_due"] > 0:
                state["spells_due"] -= 1
                legal = draw_spells(state, tables, backstage, seat)
                step = Step.SETTLE
                if legal != 0:
                    step = Step.SPELL
                    if is_open(state, seat, Prompt.SPELL, legal):
                        state["step"] = step
                        return Prompt.SPELL
                    choice = lowest(legal)
                continue
            if step == Step.CROSS or step == Step.ASK_MOVE:
                continue

        # the end of a move
        if step == Step.ASK_QUEST:
            legal = quest_choices(state, tables, seat)
            step = Step.QUEST
            if is_open(state, seat, Prompt.QUEST, legal):
                state["step"] = step
                return Prompt.QUEST
            choice = 0
        if step == Step.QUEST:
            if choice != 0:
                open_quest(state, tables, seat, choice)
                step = Step.ASK_BEFORE_ROLL
                continue
            step = Step.ASK_CAMP
        if step == Step.ASK_CAMP:
            step = Step.CAMP
            if tables["coop"] != 0 and state["boss_asked"] != state["turn"]:
                step = Step.ASK_BOSS
            elif is_open(state, seat, Prompt.CAMP, camp_choices(state, tables, seat)):
                state["step"] = step
                return Prompt.CAMP
            choice = 0
        if step == Step.CAMP:
            if choice != 0:
                build_camp(state, tables, seat, choice)
            step = Step.TURN_END

        # the town
        if step == Step.ACT:
            visit(state, tables, seat, state["building"])
            step = act(state, tables, seat, state["building"])
            if step == Step.SETTLE:
                continue
        if step == Step.ASK_STABLES:
            legal = stables_choices(state, tables, seat)
            step = Step.STABLES
            if is_open(state, seat, Prompt.STABLES, legal):
                state["step"] = step
                return Prompt.STABLES
            choice = 0
        if step == Step.STABLES:
            buy_birds(state, tables, seat, choice)
            step = Step.TURN_END
        if step == Step.ASK_STORE:
            legal = store_choices(state, tables)
            step = Step.STORE
            if is_open(state, seat, Prompt.STORE, legal):
                state["step"] = step
                return Prompt.STORE
            choice = lowest(legal)
        if step == Step.STORE:
            shop(state, tables, backstage, seat, choice)
            step = Step.TURN_END
            if state["offer_size"] > 0:
                legal = keep_choices(state, OFFER)
                step = Step.KEEP_DRAWN
                if is_open(state, seat, Prompt.KEEP, legal):
                    state["step"] = step
                    return Prompt.KEEP
                choice = lowest(legal)
        if step == Step.KEEP_DRAWN:
            keep(state, seat, choice)
            step = Step.TURN_END
        if step == Step.ASK_HUT:
            legal = hut_choices(state, tables, seat)
            step = Step.HUT
            if is_open(state, seat, Prompt.HUT, legal):
                state["step"] = step
                return Prompt.HUT
            choice = 0
        if step == Step.HUT:
            hut_magic(state, tables, seat, choice)
            state["after"] = Step.TURN_END
            step = Step.SETTLE
            continue
        if step == Step.ASK_MINE_START:
            legal = mine_starts(state, seat)
            step = Step.MINE_START
            if is_open(state, seat, Prompt.MINE_START, legal):
                state["step"] = step
                return Prompt.MINE_START
            choice = lowest(legal)
        if step == Step.MINE_START:
            enter_mine(state, tables, seat, choice)
            step = Step.ASK_MINE_MOVE
            continue
        if step == Step.ASK_MINE_AREA:
            legal = area_choices(state, tables, seat)
            step = Step.MINE_AREA
            if is_open(state, seat, Prompt.MINE_AREA, legal):
                state["step"] = step
                return Prompt.MINE_AREA
            choice = 0
        if step == Step.MINE_AREA:
            step = Step.TURN_END
            if choice != 0:
                dig_area(state, tables, seat, choice - 1)
                state["after"] = step
                step = Step.SETTLE
                continue
        if step == Step.DISCARD:
            discard_artifact(state, seat, choice - 1)
            step = Step.ASK_HALL
        if step == Step.GOODS:
            trade(state, tables, seat, choice)
            step = Step.ASK_GOODS
        if step == Step.ASK_HALL:
            legal = hall_choices(state, tables, seat)
            step = Step.HALL
            if is_open(state, seat, Prompt.TOWN_HALL, legal):
                state["step"] = step
                return Prompt.TOWN_HALL
            choice = 0
        if step == Step.HALL:
            if choice == 0:
                step = Step.TURN_END
            elif hall(state, tables, seat, choice):
                step = Step.ASK_GOODS
            elif choice == _HALL_DISCARD:
                legal = state["hand"][seat] << 1
                step = Step.DISCARD
                if is_open(state, seat, Prompt.DISCARD, legal):
                    state["step"] = step
                    return Prompt.DISCARD
                choice = lowest(legal)
                continue
            else:
                step = Step.ASK_HALL
                continue
        if step == Step.ASK_GOODS:
            legal = goods_choices(state, tables, seat)
            step = Step.GOODS
            if legal == 1:
                step = Step.ASK_HALL
            elif is_open(state, seat, Prompt.GOODS, legal):
                state["step"] = step
                return Prompt.GOODS
            choice = lowest(legal)
            continue
        if step == Step.RECRUIT:
            if choice == RECRUIT_REFRESH:
                refresh_track(state, tables, backstage, seat)
                step = Step.ASK_RECRUIT
            elif choice == 0:
                step = Step.TURN_END
            else:
                recruit(state, tables, backstage, seat, choice - 1)
                state["moved_members"] = 0
                state["back"] = Step.TURN_END
                step = Step.ASK_PARTY
        if step == Step.ASK_RECRUIT:
            legal = recruit_choices(state, tables, seat)
            step = Step.RECRUIT
            if is_open(state, seat, Prompt.RECRUIT, legal):
                state["step"] = step
                return Prompt.RECRUIT
            step = Step.TURN_END
        if step == Step.PARTY_OUT:
            change_party(state, tables, seat, state["joining"] - 1, choice - 1)
            state["joining"] = 0
            step = Step.ASK_PARTY
        while step == Step.PARTY or step == Step.ASK_PARTY:
            if step == Step.ASK_PARTY:
                legal = party_choices(state, tables, seat)
                step = Step.PARTY
                if is_open(state, seat, Prompt.PARTY, legal):
                    state["step"] = step
                    return Prompt.PARTY
                choice = 0
            if choice == 0:
                step = state["back"]
                state["moved_members"] = 0
            else:
                legal = party_out_choices(state, tables, seat, choice - 1)
                step = Step.ASK_PARTY
                if legal == 0:
                    change_party(state, tables, seat, choice - 1, -1)
                else:
                    state["joining"] = choice
                    if is_open(state, seat, Prompt.PARTY_OUT, legal):
                        state["step"] = Step.PARTY_OUT
                        return Prompt.PARTY_OUT
                    change_party(state, tables, seat, choice - 1, lowest(legal) - 1)
                    state["joining"] = 0
        if step == Step.DEPART:
            depart(state, tables, seat)
            start_moves(state, tables, seat)
            step = Step.ASK_MOVE
            continue

        # artifacts, and the end of a turn
        if step == Step.BUY:
            if choice != 0:
                buy_artifact(state, tables, seat, choice - 1)
                step = state["back"]
                if step != Step.TURN_END:
                    continue
            else:
                step = Step.NEXT_TURN
        if step == Step.TURN_END:
            legal = buy_choices(state, tables, seat)
            step = Step.NEXT_TURN
            if legal != 0:
                state["back"] = Step.TURN_END
                if is_open(state, seat, Prompt.BUY, legal | 1):
                    state["step"] = Step.BUY
                    return Prompt.BUY
        if step == Step.NEXT_TURN:
            if not next_turn(state, tables):
                return Prompt.GAME_OVER
            seat = state["active"]
            step = Step.TURN_START
        if step == Step.TURN_START:
            if not start_turn(state, tables):
                return Prompt.GAME_OVER
            step = Step.ASK_TURN
            if tables["coop"] != 0 and seat == state["first_seat"]:
                if not move_clock(state, tables, backstage):
                    return Prompt.GAME_OVER
                step = Step.DUE
        if step == Step.ASK_TURN:
            legal = turn_choices(state, tables, seat)
            step = Step.TURN
            if is_open(state, seat, Prompt.TURN, legal):
                state["step"] = step
                return Prompt.TURN
            choice = lowest(legal)
        if step == Step.TURN:
            if choice == 0:
                state["tally"][seat, _ADVENTURES] += 1
                if state["place"][seat] == _MAP:
                    start_moves(state, tables, seat)
                    step = Step.ASK_MOVE
                    continue
                state["moved_members"] = 0
                state["back"] = Step.DEPART
                step = Step.ASK_PARTY
                continue
            if choice <= _MINE:
                state["building"] = choice
                step = Step.ACT
                if tables["coop"] != 0:
                    step = Step.ASK_MINION
                elif occupants(state, tables, seat, choice) != 0:
                    legal = duel_choices(state, tables, seat, choice)
                    step = Step.DUEL
                    if is_open(state, seat, Prompt.DUEL, legal):
                        state["step"] = step
                        return Prompt.DUEL
                    choice = lowest(legal)
                else:
                    continue
            elif choice == _TURN_GIVE:
                state["back"] = Step.ASK_TURN
                step = Step.ASK_GIVE
            elif choice == _TURN_BUY:
                state["back"] = Step.ASK_TURN
                legal = buy_choices(state, tables, seat)
                step = Step.BUY
                if is_open(state, seat, Prompt.BUY, legal):
                    state["step"] = step
                    return Prompt.BUY
                choice = lowest(legal)
                continue
            else:
                cast(state, tables, seat, choice)
                step = Step.ASK_TURN
                continue
        if step == Step.DUEL:
            open_duel(state, tables, seat, choice)
            step = Step.ASK_BEFORE_ROLL
            continue

        # what only a cooperative game has
        if step >= _TOGETHER:
            step = play_together(state, tables, backstage, step, choice)
            if step < 0:
                return state["prompt"]
            continue

        # setting up
        if step == Step.ASK_COMPANION:
            if state["window"] == state["players"]:
                state["window"] = 0
                step = Step.ASK_DRAFT if tables["coop"] == 0 else Step.ASK_KEEP_ADVANCED
            else:
                seat = companion_picker(state, backstage, state["window"])
                state["seat"] = seat
                legal = companion_choices(state)
                step = Step.COMPANION
                if is_open(state, seat, Prompt.COMPANION, legal):
                    state["step"] = step
                    return Prompt.COMPANION
                choice = lowest(legal)
        if step == Step.COMPANION:
            take_companion(state, tables, state["seat"], choice)
            state["window"] += 1
            step = Step.ASK_COMPANION
            continue
        if step == Step.DRAFT:
            draft(state, state["seat"], choice)
            step = Step.ASK_DRAFT
        if step == Step.ASK_DRAFT:
            step = ask_draft(state)
            if step == Step.DRAFT:
                seat = state["seat"]
                if is_open(state, seat, Prompt.DRAFT, state["pack"][seat]):
                    state["step"] = step
                    return Prompt.DRAFT
                choice = lowest(state["pack"][seat])
                continue
        if step == Step.KEEP_ADVANCED or step == Step.KEEP_BASIC:
            keep(state, state["seat"], choice)
            if step == Step.KEEP_ADVANCED or state["pack"][state["seat"]] == 0:
                state["window"] += 1
            step -= 1
        if step == Step.ASK_KEEP_ADVANCED or step == Step.ASK_KEEP_BASIC:
            if state["window"] == state["players"]:
                state["window"] = 0
                if step == Step.ASK_KEEP_ADVANCED:
                    step = Step.ASK_KEEP_BASIC
                else:
                    end_set_up(state, tables)
                    state["active"] = state["first_seat"]
                    step = Step.TURN_START
                seat = state["active"]
                continue
            seat = seat_after(state, state["first_seat"], state["window"])
            state["seat"] = seat
            most = offer_at_start(state, tables, seat, step == Step.ASK_KEEP_ADVANCED)
            legal = keep_choices(state, most)
            step += 1
            if is_open(state, seat, Prompt.KEEP, legal):
                state["step"] = step
                return Prompt.KEEP
            choice = lowest(legal)


@rare
def ask_draft(state):
    """Find out who picks next in the draft; return the step to go on with."""
    players = state["players"]
    while True:
        for place in range(players):
            seat = seat_after(state, state["first_seat"], place)
            if state["picked"] >> seat & 1 == 0 and state["pack"][seat] != 0:
                state["seat"] = seat
                state["seen"][seat] |= state["pack"][seat]
                return Step.DRAFT
        if not pass_packs(state):
            return Step.ASK_KEEP_ADVANCED


@rare
def offer_at_start(state, tables, seat, advanced):
    """Lay out a seat's advanced cards, or its basic ones; return how many it may keep."""
    if advanced:
        offer_cards(state, state["advanced_dealt"][seat])
        state["advanced_dealt"][seat] = 0
        return tables["advanced_kept"]
    if tables["coop"] != 0:
        offer_dealt(state, seat)
        return OFFER
    offer_cards(state, state["hand"][seat] & tables["basic_cards"])
    return OFFER


@rule
def turn_of(state):
    """Return the number of the turn, for the addresses of whims."""
    return state["turn"]
