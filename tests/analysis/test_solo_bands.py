from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import FEW_EVENTS
from analysis.length import length_metrics
from analysis.questions import load_question
from analysis.solo_bands import (
    bands_frame,
    bands_sentence,
    removal_frame,
    result_names,
    solo_plays,
    solo_sums,
    strategies_frame,
    strategies_of,
    strategies_sentence,
    turns_frames,
)
from sim.batch import Chunk
from sim.errors import UserError
from sim.game import load_game
from tests.analysis.dobbers_games import made
from tests.reports.answers import ask, setting

LIMITS = (13, 15, 18)
TURNS = next(m for m in length_metrics(load_game("dobbers")) if m.value == "turns")
CAPPED = 1


def played(turns: np.ndarray, cap: int = 60) -> Chunk:
    status = np.where(turns >= cap, CAPPED, 0)
    band = np.where(status == CAPPED, 0, 1 + np.searchsorted(LIMITS, turns))
    return made(len(turns), 1, turns=turns, band=band, status=status)


@pytest.fixture(scope="module")
def turns() -> list[np.ndarray]:
    rng = np.random.default_rng(6)
    luck = rng.gamma(6, 1.5, 500)
    return [(9 + luck * f).astype(int).clip(9, 60) for f in (1.0, 0.9, 1.3, 1.2)]


def test_bands_are_named_after_the_rules() -> None:
    assert result_names(LIMITS) == {
        1: "13 turns or fewer",
        2: "14 to 15",
        3: "16 to 18",
        4: "19 or more",
        0: "never done",
    }
    assert result_names((10, 11, 20))[2] == "11"


def test_the_strategies_are_those_for_one_player() -> None:
    where = setting(("balanced",), name="dobbers")
    assert strategies_of(where) == ("balanced", "solo_safe", "solo_fast")
    where = setting(("solo_fast",), name="dobbers")
    assert strategies_of(where) == ("solo_fast", "solo_safe")
    plays = solo_plays(strategies_of(where))
    assert [(play.seats, play.patches["solo.removal"]) for play in plays] == [
        (("solo_fast",), "position"),
        (("solo_fast",), "cost"),
        (("solo_safe",), "position"),
        (("solo_safe",), "cost"),
    ]


def test_shares_of_bands_are_counts_with_wilson_intervals(turns: list[np.ndarray]) -> None:
    sums = solo_sums([played(t) for t in turns], TURNS, CAPPED)
    found = bands_frame(sums.blocks, ("a", "b"), LIMITS, 0.95)
    edges = [0, 14, 16, 19, 60, 61]
    for place, (strategy, removal) in enumerate(
        [("a", "position"), ("a", "cost"), ("b", "position"), ("b", "cost")]
    ):
        counts, _ = np.histogram(turns[place], edges)
        rows = found[(found["strategy"] == strategy) & (found["removal"] == removal)]
        assert list(rows["games"]) == list(counts)  # the last are those stopped by the cap
        assert rows["estimate"].sum() == pytest.approx(1)
        for count, row in zip(counts, rows.to_dict("records"), strict=True):
            if count >= FEW_EVENTS:
                low, high = proportion_confint(count, 500, 0.05 / 5, "wilson")
                assert (row["low"], row["high"]) == pytest.approx((low, high))
    said = bands_sentence(found, "a", "position")
    assert said.startswith("a, with cards removed by position, ends its solo games with 13 turns")


def test_differences_of_turns_are_paired(turns: list[np.ndarray]) -> None:
    chunks = [played(t) for t in turns]
    half = [
        solo_sums([Chunk(a, c.games[a:b], c.seats[a:b], {}) for c in chunks], TURNS, CAPPED)
        for a, b in ((0, 200), (200, 500))
    ]
    sums = half[0] + half[1]
    removal = removal_frame(sums.blocks, ("a", "b"), 0.95)
    for place in range(2):
        gain = turns[2 * place + 1] - turns[2 * place]
        test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 2)
        row = removal.iloc[place]
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx(
            (gain.mean(), test.low, test.high)
        )
    others = strategies_frame(sums.blocks, ("a", "b"), 0.95)
    assert others["estimate"].tolist() == pytest.approx(
        [(turns[2] - turns[0]).mean(), (turns[3] - turns[1]).mean()]
    )
    assert "Others need more turns than a: b" in strategies_sentence(others, "a", "position")
    summary, distribution = turns_frames(sums.turns, ("a", "b"), 0.95)
    own = summary[(summary["strategy"] == "b") & (summary["removal"] == "position")]
    median = own[own["statistic"] == "q50"]["estimate"].iloc[0]
    assert median == np.sort(turns[2])[249]
    shares = distribution[distribution["strategy"] == "b"].groupby("removal")["share"].sum()
    assert list(shares) == pytest.approx([1, 1])


def test_real_solo_games_are_answered() -> None:
    answer = ask("solo_bands", setting(("solo_fast",), 60, name="dobbers"))
    bands = answer.frames["bands"]
    assert bands.groupby(["strategy", "removal"])["games"].sum().tolist() == [60] * 4
    turns = answer.frames["distribution"]
    fast = turns[(turns["strategy"] == "solo_fast") & (turns["removal"] == "position")]
    few = bands[(bands["strategy"] == "solo_fast") & (bands["removal"] == "position")].iloc[0]
    assert fast[fast["turns"] <= 13]["games"].sum() == few["games"]


def test_several_players_are_refused() -> None:
    with pytest.raises(UserError, match="'solo_bands' is for 1 player, not for 3"):
        load_question("solo_bands", "dobbers", 3)
