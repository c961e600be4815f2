"""What the rows of finished games say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.game import WIN_UNIT, load_game
from sim.near_and_far.outcome import BOSS_FIELDS, GAP_FIELDS, SEAT_ROW, TEAM_FIELDS, note_cards
from sim.near_and_far.state import MAX_ARTIFACTS, NO_GAP, Source
from tests.contract import Session, bits, play, players
from tests.sim.near_and_far import players as own_players
from tests.sim.near_and_far.contract import EASY, TEAM, make_tables


@pytest.mark.kernel
def test_rows_add_up() -> None:
    """Scores are sums of their sources, wins are whole, counters count what rows count."""
    game = load_game("near_and_far")
    who = players(game, own_players.settler, own_players.__file__)
    played = play(game, make_tables(3), who, count=6)
    seats, games = played.seats, played.games
    sources = [f"points_{source.name.lower()}" for source in Source]
    scored = np.sum([seats[name] for name in sources], axis=0)
    assert np.array_equal(scored, seats["score"])
    won = games["status"] == 0
    assert won.any()
    assert (seats["win"].sum(axis=1)[won] == WIN_UNIT).all()
    assert (games["best"] == seats["score"].max(axis=1)).all()
    assert (games["spread"] == seats["score"].max(axis=1) - seats["score"].min(axis=1)).all()
    kinds = ("map_camps", "mine_camps", "threat_camps", "store_camps", "magic_camps")
    assert np.array_equal(np.sum([seats[name] for name in kinds], axis=0), seats["camps"])
    assert (games["duels"] == seats["duels"].sum(axis=1)).all()
    assert not any(games[name].any() for name in TEAM_FIELDS & {*games.dtype.names})
    assert not any(seats[name].any() for name in TEAM_FIELDS & {*seats.dtype.names})
    assert (games["honest_won"] + games["dishonest_won"] == seats["duels_won"].sum(axis=1)).all()
    counters = played.desk.backstage
    assert counters["mine"].sum() == seats["mine_rolls"].sum()
    assert counters["mine"][..., 0].sum() == seats["mine_back"].sum()
    assert counters["visits"].sum() == seats["mine_visits"].sum()
    assert counters["visits"][..., 1].sum() == seats["mine_camps"].sum() > 0
    assert counters["quests"].sum() == seats["quests_tried"].sum()
    assert counters["quests"][..., 1:].sum() == seats["quests_done"].sum() > 0
    assert counters["quests"][..., 2].sum() == seats["quest_bonuses"].sum()
    assert counters["tokens"].sum() == 10 * len(games)
    assert counters["fights"].sum() == seats["threats_fought"].sum()
    assert counters["fights"][..., 1].sum() == seats["threats_beaten"].sum()
    bought = counters["bought"][..., :MAX_ARTIFACTS, 0].sum()
    assert bought == seats["artifacts_bought"].sum()
    assert counters["bought"][..., MAX_ARTIFACTS:, 0].sum() == seats["recruited"].sum()
    assert (counters["seen"].sum(axis=(0, 1)) <= len(games)).all()
    assert counters["faces"].sum() > 0


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("patches", "bosses", "wins"), [(EASY, 2, True), ({"together__start": 60}, 3, False)]
)
def test_rows_of_a_team(patches: dict[str, Any], bosses: int, wins: bool) -> None:
    """All win or nobody does; what is counted for the team is the sum over its players."""
    game = load_game("near_and_far")
    who = players(game, own_players.settler, own_players.__file__, blunder=0.2)
    tables = make_tables(3, **TEAM, **patches)
    played = play(game, tables, who, count=4)
    games, seats = played.games, played.seats
    assert (games["status"] == 0).all()
    won = games["team_won"] == 1
    assert won.any() == wins
    assert (seats["win"] == np.where(won, WIN_UNIT, 0)[:, None]).all()
    assert (games["winners"] == np.where(won, 3, 0)).all()
    assert (games["winner"] == np.where(won, games["start_seat"], -1)).all()
    assert (games["team_points"] == seats["score"].sum(axis=1)).all()
    assert (games["team_needed"] == 3 * games["time_value"]).all()
    assert (games["team_margin"] == games["team_points"] - games["team_needed"]).all()
    assert (games["points_short"] == (games["team_margin"] <= 0)).all()
    lost = (games["points_short"] == 1) | (games["bosses_left"] > 0) | (games["skull"] == 1)
    assert np.array_equal(lost, ~won)
    assert (seats["gifts"].sum(axis=1) == games["gifts"]).all()
    assert (seats["gifts_taken"].sum(axis=1) == games["gifts"]).all()
    assert games["gifts"].any()
    assert (seats["minions_beaten"].sum(axis=1) == games["minions_beaten"]).all()
    assert (games["minions_beaten"] <= games["minions_drawn"]).all()
    assert (seats["minions_covered"] <= seats["minion_fights"]).all()
    assert (bosses - seats["bosses_beaten"].sum(axis=1) == games["bosses_left"]).all()
    assert (seats["boss_camps"] <= seats["bosses_beaten"]).all()
    kinds = ("map_camps", "mine_camps", "threat_camps", "store_camps", "magic_camps", "boss_camps")
    assert np.array_equal(np.sum([seats[name] for name in kinds], axis=0), seats["camps"])
    for gap, left in zip(GAP_FIELDS, BOSS_FIELDS, strict=True):
        over = games["rounds"] <= int(gap.removeprefix("gap_r"))
        assert np.array_equal(games[gap] == NO_GAP, over)
        assert np.array_equal(games[left] == -1, over)


@pytest.mark.kernel
def test_adventurers_that_were_on_the_track_could_be_had() -> None:
    """All but those in the bag; once it was filled again, all."""
    for shuffles in (0, 1):
        session = Session(load_game("near_and_far"), make_tables(3))
        session.open()
        session.state["bag_shuffles"] = shuffles
        session.call(note_cards, "state tables backstage")
        seen = session.backstage["seen"][0, MAX_ARTIFACTS:]
        track = sorted(int(number) - 1 for number in session.state["track"] if number)
        everybody = bits(session.tables["adventurers"])
        assert np.flatnonzero(seen).tolist() == (everybody if shuffles else track)
        assert seen.max() == 1


def test_every_metric_reads_a_field() -> None:
    game = load_game("near_and_far")
    for metric in game.metrics:
        row = game.seat_row if metric.table == "seat" else game.game_row
        assert metric.value in row.names
        assert metric.per is None or metric.per in row.names
    assert SEAT_ROW["win"] == np.int16
