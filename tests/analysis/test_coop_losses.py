from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import words
from analysis.coop_losses import (
    CAUSES,
    CLOSE,
    OUTCOMES,
    causes_sentence,
    close_sentence,
    facts,
    frames_of,
    loss_sums,
    margin_sentence,
    others_sentence,
    short_sentence,
)
from sim.batch import Chunk
from tests.analysis.team_games import drawn, ended, team
from tests.reports.answers import ask, setting

TEAMS = ("a", "b")
ENDS = ["estimate", "low", "high"]
GAMES = 400


def one_game(points: tuple[int, ...], token: int, bosses: int, skull: bool = False) -> Chunk:
    """A game by its scores, as the rulebook's examples give it."""
    margin = sum(points) - token * len(points)
    return ended(np.array([margin]), np.array([bosses]), np.array([skull]))


def outcome(chunk: Chunk, at_least: bool = False) -> str:
    found = facts(chunk.games, at_least)
    (name,) = (name for name in OUTCOMES if found[name][0])
    return name


def test_points_met_and_bosses_left_is_a_loss_for_bosses_alone() -> None:
    """NF-T8: token on 57, 60 and 55 points, one boss beaten of two."""
    example = one_game((60, 55), 57, bosses=1)
    found = {name: int(values[0]) for name, values in facts(example.games, False).items()}
    assert outcome(example) == "bosses left"
    assert (found["bosses"], found["points"], found["time"]) == (1, 0, 0)
    assert found["lost by one boss"] == 1
    assert found["any of these"] == 1
    assert found["lacking"] == 0


def test_one_point_above_is_a_close_win_and_equal_points_lack_one() -> None:
    """NF-T9: as above with all bosses beaten; 114 points are not above 114 (A-5)."""
    assert outcome(one_game((60, 55), 57, bosses=0)) == "won"
    assert facts(one_game((60, 55), 57, bosses=0).games, False)[CLOSE[0]][0] == 1
    equal = one_game((60, 54), 57, bosses=0)
    assert outcome(equal) == "points short"
    assert facts(equal.games, False)["lacking"][0] == 1
    short = one_game((60, 50), 57, bosses=0)
    assert facts(short.games, False)["lacking"][0] == 5
    assert facts(short.games, True)["lacking"][0] == 4  # with the other reading of A-5


def test_time_that_ran_out_stands_before_other_causes() -> None:
    late = one_game((20, 30), 72, bosses=2, skull=True)
    assert outcome(late) == "time ran out"
    found = facts(late.games, False)
    assert [int(found[cause][0]) for cause in CAUSES] == [1, 1, 1]
    assert found["any of these"][0] == 0  # never close
    both = one_game((20, 30), 57, bosses=1)
    assert outcome(both) == "points and bosses"
    stopped = team(1, status=1, team_margin=3)  # by the cap: no cause of its own
    assert outcome(stopped) == "time ran out"


@pytest.fixture(scope="module")
def chunks() -> list[Chunk]:
    rng = np.random.default_rng(21)
    return [drawn(rng, GAMES, skill=skill) for skill in (10.0, -15.0)]


@pytest.fixture(scope="module")
def frames(chunks: list[Chunk]) -> dict[str, pd.DataFrame]:
    parts = [
        loss_sums([Chunk(a, c.games[a:b], c.seats[a:b], {}) for c in chunks], 1, False)
        for a, b in ((0, 150), (150, GAMES))
    ]
    return frames_of(parts[0] + parts[1], TEAMS, 1, 0.95)


def at(found: pd.DataFrame, team: str, **keys: object) -> dict[str, Any]:
    for name, value in {"team": team, **keys}.items():
        found = found[found[name] == value]
    (row,) = found.to_dict("records")
    return row


def test_shares_are_those_of_the_rows(chunks, frames) -> None:
    for name, chunk in zip(TEAMS, chunks, strict=True):
        rows = pd.DataFrame(
            {
                key: chunk.games[key].astype(int)
                for key in ("team_won", "team_margin", "bosses_left", "skull", "points_short")
            }
        )
        lost = rows[rows["team_won"] == 0]
        causes = frames["causes"]
        expected = {
            "points": (lost["team_margin"] <= 0).mean(),
            "bosses": (lost["bosses_left"] > 0).mean(),
            "time": (lost["skull"] == 1).mean(),
        }
        for cause, value in expected.items():
            row = at(causes, name, cause=cause)
            assert row["estimate"] == pytest.approx(value)
            assert row["lost"] == len(lost)
            assert row["n"] == len(lost)
        outcomes = frames["outcomes"]
        own = outcomes[outcomes["team"] == name]
        assert own["games"].sum() == GAMES
        alone = lost.query("skull == 0 and team_margin <= 0 and bosses_left == 0")
        assert at(outcomes, name, outcome="points short")["games"] == len(alone)
        short = lost.query("team_margin <= 0")
        within = (1 - short["team_margin"] <= 10).mean()
        assert at(frames["short"], name, limit=10)["estimate"] == pytest.approx(within)
        lacking = at(frames["lacking"], name)
        points = 1 - short["team_margin"]
        error = np.sqrt(((points - points.mean()) ** 2).sum() * GAMES / (GAMES - 1)) / len(points)
        half = error * stats.t.isf(0.025, GAMES - 1)  # linearised by hand
        assert lacking["estimate"] == pytest.approx(points.mean())
        assert lacking["high"] - lacking["estimate"] == pytest.approx(half)
        left = (lost["bosses_left"] == 2).mean()
        assert at(frames["bosses"], name, left=2)["estimate"] == pytest.approx(left)
        near = (
            rows.query("team_won == 1 and team_margin <= 5").shape[0]
            + alone.query("team_margin >= -4").shape[0]
            + lost.query("skull == 0 and team_margin > 0 and bosses_left == 1").shape[0]
        )
        assert at(frames["close"], name, how=CLOSE[3])["games"] == near


def test_margins_are_those_of_the_rows(chunks, frames) -> None:
    margin = chunks[1].games["team_margin"].astype(float)
    row = at(frames["margin"], "b", statistic="mean")
    test = stats.ttest_1samp(margin, 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
    assert at(frames["margin"], "b", statistic="q50")["estimate"] == np.sort(margin)[GAMES // 2 - 1]
    bars = frames["distribution"]
    bars = bars[bars["team"] == "b"]
    counts, _ = np.histogram(margin, [*bars["from"], bars["to"].iloc[-1] + 1])
    assert bars["games"].tolist() == counts.tolist()


def test_it_is_told_in_words(frames) -> None:
    text = causes_sentence(frames["outcomes"], frames["causes"], "a")
    assert text.startswith("a wins")
    assert "lacked points" in text
    assert "a lacked" in short_sentence(frames["lacking"], frames["short"], "a")
    assert "lost by one boss" in close_sentence(frames["close"], "a")
    assert "b points, in " in others_sentence(frames["causes"], ["b"])
    rows = frames["margin"].set_index(["team", "statistic"]).loc["a"]
    quarters = [words.whole(*rows.loc[name, ENDS]) for name in ("q25", "q75")]
    told = margin_sentence(frames["margin"], "a")
    assert told.endswith(f"half of the games lie between {quarters[0]} and {quarters[1]}.")
    wins = loss_sums([team(20, team_won=1, team_margin=9)], 1, False)
    found = frames_of(wins, ("a",), 1, 0.95)
    text = causes_sentence(found["outcomes"], found["causes"], "a")
    assert text.startswith("a wins all (more than\u00a079\u00a0%) of its games")
    assert text.endswith("so there is no loss to explain.")
    assert close_sentence(found["close"], "a") == (
        "No game of a was close: less than\u00a020\u00a0% of all games are."
    )
    assert short_sentence(found["lacking"], found["short"], "a") == ""


def test_what_all_or_none_of_a_few_games_did_is_told_as_such() -> None:
    """A bound alone ("more than 21 %") would read as if it were the share that was seen."""
    lost = ended(np.array([-3, -30, -8]), np.array([2, 1, 1]), np.array([False] * 3))
    found = frames_of(loss_sums([lost], 1, False), ("a",), 1, 0.95)
    text = causes_sentence(found["outcomes"], found["causes"], "a").replace("\u00a0", " ")
    assert text.startswith("a wins none (less than 79 %) of its games and loses")
    assert "for both all (more than 21 %)" in text
    assert "Of the lost games all (more than 25 %) lacked points" in text
    assert "20 or fewer in 67" in short_sentence(found["lacking"], found["short"], "a")
    text = others_sentence(found["causes"], ["a"]).replace("\u00a0", " ")
    assert text == (
        "What other teams lack most often: a points and bosses left, in all (more than 25 %) of "
        "its lost games each."
    )


def test_real_games_are_answered() -> None:
    where = setting(("balanced",) * 2, 40, name="near_and_far", modules__coop=True)
    found = ask("coop_losses", where)
    outcomes = found.frames["outcomes"]
    assert (outcomes.groupby("team")["games"].sum() == 40).all()
    assert found.sentences[0].startswith("balanced wins")
