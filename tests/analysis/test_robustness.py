"""Robustness against a made-up game whose truth is known, statsmodels, and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.proportion import multinomial_proportions_confint

from analysis.gates import PlaySums, SpreadSums
from analysis.intervals import Interval
from analysis.measures import Measure
from analysis.pairs import PairSums
from analysis.robustness import (
    DUMMY,
    PARTS,
    Conclusion,
    Draws,
    Judged,
    Outcome,
    answer,
    holding,
    interval_of,
    latin,
    ranking,
    shares,
    strict_level,
    summing,
)
from analysis.sequential import Verdict
from sim.batch import Chunk
from sim.errors import UserError
from sim.factors import Factor, Number
from sim.game import Metric
from tests.analysis.games import chunk, winners

WINS = Metric("win_rate", "share of games", "seat", "win", scale=12, by=((), ("seat",)))
ROLLS = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
HITS = Metric("hits", "hits", "seat", "hits", by=((), ("seat",)))
SEAT_1 = Measure(WINS, seat=1)
LABELS = ("a", "b", "c", "d")


def numbers(*names: str) -> list[Factor]:
    return [Factor(name, f"about {name}", (Number(name, 0, 1, 2, whole=False),)) for name in names]


CHOICE = Factor("choice", "about words", (), "switches.x", ("a", "b", "c"))


# ------------------------------------------------------------------------------------------- draws


def test_draws_are_a_latin_hypercube() -> None:
    """Of n draws, each factor has one in each n-th of its range."""
    draws = latin(5, 40, 3, lambda _: [])
    assert draws.points.shape == (40, 5)
    for column in draws.points.T:
        assert sorted((column * 40).astype(int)) == list(range(40))
    assert (draws.tried, draws.rejected, draws.broken) == (40, 0, {})


def test_draws_depend_on_the_seed_alone() -> None:
    one, same, other = (latin(3, 20, seed, lambda _: []).points for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    latin(3, 20, 2**64 - 1, lambda _: [])


def test_draws_keep_to_the_constraints() -> None:
    """A draw that breaks one is drawn again, and both are counted."""

    def breaks(point):
        return ["a chart goes down"] if point[0] > point[1] else []

    draws = latin(2, 100, 7, breaks)
    assert len(draws.points) == 100
    assert (draws.points[:, 0] <= draws.points[:, 1]).all()
    assert draws.rejected == draws.broken["a chart goes down"] > 50
    # uniform on the triangle: the larger coordinate has mean 2/3, the smaller 1/3
    assert draws.points.mean(axis=0) == pytest.approx([1 / 3, 2 / 3], abs=0.08)


def test_constraints_that_nothing_keeps_are_an_error() -> None:
    with pytest.raises(UserError, match=r"only 0 of 200 draws .* never so \(200 times\)"):
        latin(2, 10, 1, lambda _: ["never so"])


# ------------------------------------------------------------------------------------- conclusions


@pytest.mark.parametrize(
    ("conclusion", "base", "claim", "said"),
    [
        (Conclusion("fair", SEAT_1, "base", None, (0.2, 0.3)), (0.22, 0.28), "PASS", "fair"),
        (
            Conclusion("fair", SEAT_1, "base", None, (0.2, 0.3)),
            (0.32, 0.38),
            "FAIL",
            "not so: fair",
        ),
        (Conclusion("fair", SEAT_1, "base", None, (0.2, 0.3)), (0.28, 0.32), "PASS", "fair"),
        (
            Conclusion("same", SEAT_1, "v", "base", margin=0.1),
            (-0.3, -0.2),
            "CHANGED_DOWN",
            "not so: same",
        ),
        (
            Conclusion("v: w", SEAT_1, "v", "base", margin=0.1, effect_of="v"),
            (0.0, 0.05),
            "EQUIVALENT",
            "v changes win_rate of seat 1 by at most 0.1",
        ),
        (
            Conclusion("v: w", SEAT_1, "v", "base", margin=0.1, effect_of="v"),
            (0.2, 0.3),
            "CHANGED_UP",
            "v raises win_rate of seat 1 by more than 0.1",
        ),
        (
            Conclusion("v: w", SEAT_1, "v", "base", effect_of="v"),
            (-0.3, -0.1),
            "CHANGED_DOWN",
            "v lowers win_rate of seat 1",
        ),
        (
            Conclusion("v: w", SEAT_1, "v", "base", effect_of="v"),
            (-0.1, 0.3),
            "CHANGED_UP",
            "v raises win_rate of seat 1",
        ),
    ],
)
def test_claims(conclusion, base, claim, said) -> None:
    interval = Interval(sum(base) / 2, base[0], base[1], 0.95, 100, "")
    assert conclusion.claim(interval) == claim
    assert conclusion.statement(Verdict(claim)) == said


@pytest.mark.parametrize(
    ("claim", "interval", "outcome"),
    [
        (Verdict.EQUIVALENT, (-0.05, 0.05), Outcome.HOLDS),
        (Verdict.EQUIVALENT, (0.05, 0.15), Outcome.UNDECIDED),
        (Verdict.EQUIVALENT, (0.15, 0.2), Outcome.REVERSED),
        (Verdict.CHANGED_UP, (0.15, 0.2), Outcome.HOLDS),
        (Verdict.CHANGED_UP, (-0.05, 0.05), Outcome.REVERSED),
        (Verdict.CHANGED_UP, (-0.3, -0.2), Outcome.REVERSED),
    ],
)
def test_outcomes_of_a_margin(claim, interval, outcome) -> None:
    conclusion = Conclusion("same", SEAT_1, "v", "base", margin=0.1)
    assert conclusion.outcome(claim, *interval) is outcome


def test_outcomes_of_a_sign() -> None:
    conclusion = Conclusion("v: w", SEAT_1, "v", "base", effect_of="v")
    found = [
        conclusion.outcome(Verdict.CHANGED_UP, low, high)
        for low, high in ((0.1, 0.2), (-0.1, 0.2), (-0.2, -0.1), (0.0, 0.0))
    ]
    assert found == [Outcome.HOLDS, Outcome.UNDECIDED, Outcome.REVERSED, Outcome.UNDECIDED]


def play(seed: int, games: int, luck: float = 1.0, rotations: int = 1) -> Chunk:
    rng = np.random.default_rng(seed)
    return chunk(
        winners(rng, games, luck=luck),
        rng.integers(0, 9, (games, 4)),
        rotations=rotations,
        rolls=rng.integers(20, 60, games),
    )


def half(whole: Chunk, first: int) -> Chunk:
    some = slice(first, first + 400)
    return Chunk(first, whole.games[some], whole.seats[some], {})


@pytest.mark.parametrize("rotations", [1, 4])
def test_every_kind_of_conclusion_has_an_interval_around_the_figure(rotations: int) -> None:
    """The estimates are those of the rows, and the parts add up to the whole."""
    base, changed = (play(seed, 800, luck, rotations) for seed, luck in ((1, 1.0), (2, 2.0)))
    conclusions = [
        Conclusion("share", SEAT_1, "v", None, (0.2, 0.3)),
        Conclusion("mean", Measure(HITS, seat=2), "base", None, (0.0, 9.0)),
        Conclusion("median", Measure(ROLLS, statistic="q50"), "base", None, (0.0, 99.0)),
        Conclusion("change", SEAT_1, "v", "base", margin=0.1),
        Conclusion("quantile", Measure(ROLLS, statistic="q50"), "v", "base", margin=3.0),
        Conclusion(
            "spread",
            SEAT_1,
            "v",
            None,
            (0.0, 0.1),
            seats=tuple(Measure(WINS, s) for s in (1, 2, 3, 4)),
        ),
    ]
    labels = {"base": LABELS, "v": LABELS}
    reduce = summing(conclusions, ["base", "v"], labels, rotations)
    whole = reduce((base, changed))
    halves = [reduce((half(base, first), half(changed, first))) for first in (0, 400)]
    joined = halves[0] + halves[1]
    rates = changed.seats["win"].mean(axis=0) / 12
    truth = [
        rates[0],
        base.seats["hits"][:, 1].mean(),
        np.quantile(base.games["rolls"], 0.5, method="inverted_cdf"),
        rates[0] - base.seats["win"][:, 0].mean() / 12,
        np.quantile(changed.games["rolls"], 0.5, method="inverted_cdf")
        - np.quantile(base.games["rolls"], 0.5, method="inverted_cdf"),
        rates.max() - rates.min(),
    ]
    kinds = [PlaySums, PlaySums, PlaySums, PairSums, PairSums, SpreadSums]
    for part, other, true, kind in zip(whole.parts, joined.parts, truth, kinds, strict=True):
        assert isinstance(part, kind)
        near, far = interval_of(part, 0.95), interval_of(part, strict_level(0.95, 200))
        assert near.estimate == pytest.approx(true)
        assert far.low <= near.low <= near.estimate <= near.high <= far.high
        assert far.low < near.low or far.high > near.high
        assert interval_of(other, 0.95) == near


# ----------------------------------------------------------------------------------------- shares


def outcomes(holds: int, undecided: int, reversed_: int) -> list[Outcome]:
    return (
        [Outcome.HOLDS] * holds + [Outcome.UNDECIDED] * undecided + [Outcome.REVERSED] * reversed_
    )


@pytest.mark.parametrize("counts", [(120, 50, 30), (200, 0, 0), (0, 199, 1), (1, 1, 1)])
def test_intervals_of_shares_against_statsmodels(counts: tuple[int, int, int]) -> None:
    """Goodman's intervals, as statsmodels has them."""
    all_ = outcomes(*counts)
    found = shares(all_, all_)
    # statsmodels gives NaN nowhere, as all three categories are passed
    expected = multinomial_proportions_confint(counts, alpha=0.05, method="goodman")
    order = (Outcome.HOLDS, Outcome.UNDECIDED, Outcome.REVERSED)
    for outcome, (low, high), count in zip(order, expected, counts, strict=True):
        one = found.intervals[outcome]
        assert found.counts[outcome] == count
        assert (one.estimate, one.n) == (count / sum(counts), sum(counts))
        assert (one.low, one.high) == pytest.approx((low, high), abs=1e-12)


def test_bounds_take_only_verdicts_that_are_right_in_all_draws() -> None:
    """Exactly binomial: a quarter of the error for each side of the sample."""
    plain, strict = outcomes(150, 0, 50), outcomes(100, 80, 20)
    found = shares(plain, strict)
    from scipy.stats import beta

    assert found.at_least == pytest.approx(beta.ppf(0.0125, 100, 101))
    assert found.at_most == pytest.approx(1 - beta.ppf(0.0125, 20, 181))
    with pytest.raises(ValueError, match="as many strict outcomes"):
        shares([], [])


def verdicts_of(conclusion: Conclusion, estimates: np.ndarray, half_width: float) -> list[Outcome]:
    return [
        conclusion.outcome(Verdict.PASS, max(0.0, x - half_width), x + half_width)
        for x in estimates
    ]


def test_noise_of_shared_deals_does_not_look_like_fragility() -> None:
    """A figure that every draw moves by chance alone, and all draws by the same luck.

    The truth is 0.31 in all draws, the claim "at most 0.3" is wrong everywhere. The luck is shared,
    so the draws err together, and in some runs most of them say "holds". The bounds keep
    their level: half of 5 % is spent on the games; more than 19 of 400 runs at 2.5 % have
    probability 0.3 %. Intervals that take each draw for itself miss more often.
    """
    rng = np.random.default_rng(11)
    missed_plain = missed = 0
    conclusion = Conclusion("few", SEAT_1, "base", None, (0.0, 0.3))
    for _ in range(400):
        shared, own = rng.normal(0, 0.008), rng.normal(0, 0.004, 100)
        estimates = 0.31 + shared + own
        error = math.hypot(0.008, 0.004)
        # at 95 %, and in 100 draws at once at 97.5 %
        verdicts = [verdicts_of(conclusion, estimates, z * error) for z in (1.96, 3.66)]
        found = shares(*verdicts)
        missed_plain += found.intervals[Outcome.HOLDS].low > 0
        missed += not found.at_least <= 0 <= found.at_most
    assert missed <= 19
    assert missed_plain > missed


def test_bounds_cover_the_true_share() -> None:
    """A figure that a factor moves: it is true for 70 % of the plausible numbers.

    The games' noise is normal and shared in part. At most 5 % of 300 runs may miss; more than 28
    have probability 0.2 % at exactly 5 %.
    """
    rng = np.random.default_rng(5)
    conclusion = Conclusion("few", SEAT_1, "base", None, (0.0, 0.3))
    missed, widths = 0, []
    for _ in range(300):
        truth = 0.3 + 0.1 * (rng.random(100) - 0.7)  # at most 0.3 with probability 0.7
        estimates = truth + rng.normal(0, 0.005) + rng.normal(0, 0.005, 100)
        error = math.hypot(0.005, 0.005)
        verdicts = [verdicts_of(conclusion, estimates, z * error) for z in (1.96, 3.66)]
        found = shares(*verdicts)
        missed += not found.at_least <= 0.7 <= found.at_most
        widths.append(found.at_most - found.at_least)
    assert np.mean(widths) < 0.7
    assert missed <= 28


# ----------------------------------------------------------------------------------------- ranking


def test_the_factors_that_move_a_figure_are_found_and_a_dummy_is_not() -> None:
    factors = [*numbers("much", "little", "none", "also_none"), CHOICE]
    draws = latin(5, 1000, 4, lambda _: [])
    rng = np.random.default_rng(8)
    u = draws.points
    y = 10 + 4 * u[:, 0] - 1.0 * u[:, 1] + 2.0 * (u[:, 4] > 2 / 3) + rng.normal(0, 0.4, 1000)
    frame = ranking(y, u, factors, seed=1).set_index("factor")
    assert frame.index[:3].tolist() == ["much", "choice", "little"]
    assert frame["decides"].to_dict() == {
        "much": True, "choice": True, "little": True,
        "none": False, "also_none": False, DUMMY: False,
    }  # fmt: skip
    for name, true in (("much", 4.0), ("little", -1.0), ("choice", 2.0)):
        assert frame["low"][name] < true < frame["high"][name]
    assert (frame["from"]["choice"] in "ab", frame["to"]["choice"]) == (True, "c")
    # what each explains is its part of the variance: (4^2, 1) / 12, 4 * 2/9, and the noise 0.16
    total = 16 / 12 + 1 / 12 + 8 / 9 + 0.16
    assert frame["explained"]["much"] == pytest.approx(16 / 12 / total, abs=0.06)
    assert frame["explained"]["choice"] == pytest.approx(8 / 9 / total, abs=0.06)
    assert frame["explained"][DUMMY] < 0.01


def test_noise_alone_decides_nothing() -> None:
    """A false discovery in 5 % of the runs; more than 12 of 100 have P = 0.15 %."""
    rng = np.random.default_rng(2)
    factors = [*numbers("a", "b", "c", "d"), CHOICE]
    false = 0
    for seed in range(100):
        u = latin(5, 60, seed, lambda _: []).points
        false += bool(ranking(rng.normal(size=60), u, factors, seed=seed)["decides"].any())
    assert false <= 12


def test_the_error_of_shared_deals_is_no_discovery() -> None:
    """Deals that happen to favour one end of a factor do so in all draws: no residual shows it.

    Truth: no effect. The slope on the deals that were played is 0 on average over deals, and the
    parts of the deals tell how much it varies. Without them nearly every run makes a discovery.
    """
    rng = np.random.default_rng(3)
    factors = numbers("a", "b")
    with_parts = without = 0
    for seed in range(100):
        u = latin(2, 60, seed, lambda _: []).points
        slopes = rng.normal(0, 1, (PARTS, 2))
        parts = (2 * u - 1) @ slopes.T + rng.normal(0, 0.05, (60, PARTS))
        figures = parts.mean(axis=1)
        with_parts += bool(ranking(figures, u, factors, seed=seed, parts=parts)["decides"].any())
        without += bool(ranking(figures, u, factors, seed=seed)["decides"].any())
    assert without > 90
    assert with_parts <= 13  # more have probability 0.1 % at 5 %


def test_a_ranking_needs_draws_and_a_figure_that_varies() -> None:
    factors = numbers("a", "b")
    u = latin(2, 40, 1, lambda _: []).points
    y = u[:, 0] + np.random.default_rng(1).normal(0, 0.1, 40)
    assert ranking(y[:12], u[:12], factors, seed=1).empty
    assert ranking(np.full(40, 0.25), u, factors, seed=1).empty
    assert ranking(np.full(40, np.nan), u, factors, seed=1).empty
    y[:5] = np.nan
    frame = ranking(y, u, factors, seed=1)
    assert frame["n"].tolist() == [35] * 3
    assert frame["factor"][0] == "a"


def test_still_factors_and_missing_options_have_no_place_in_a_ranking() -> None:
    factors = [*numbers("a"), Factor("still", "m"), CHOICE]
    u = latin(3, 60, 1, lambda _: []).points
    u[:, 2] = 0.5 * u[:, 2] + 0.5  # the first option is never taken
    y = u[:, 0] + (u[:, 2] > 2 / 3) + np.random.default_rng(1).normal(0, 0.1, 60)
    frame = ranking(y, u, factors, seed=1).set_index("factor")
    assert set(frame.index) == {"a", "choice", DUMMY}
    assert (frame["from"]["choice"], frame["to"]["choice"]) == ("b", "c")
    assert frame["low"]["choice"] < 1 < frame["high"]["choice"]


def test_where_a_conclusion_holds_along_a_factor() -> None:
    u = np.linspace(0.01, 0.99, 99)
    found = [Outcome.HOLDS if x > 0.5 else Outcome.REVERSED for x in u]
    low, high = holding(found, u, numbers("a")[0], ("low", "high"))
    assert (low.estimate, high.estimate, low.n, high.n) == (0.0, 1.0, 33, 33)
    one, other = holding(found, u, CHOICE, ("b", "c"))
    assert one.estimate == pytest.approx(0.5, abs=0.05)
    assert other.estimate == 1.0


# ------------------------------------------------------------------------------------- the answer


@pytest.fixture(scope="module")
def drawn() -> tuple[list[Judged], list[Factor], Draws]:
    """A made-up game: a factor favours seat 1, another does nothing; the truth is known.

    Seat 1 has weight 1 + luck of 4 + luck, luck = 2 u: its win rate goes from 1/4 to 3/6, and
    passes 0.4 at u = 0.5. All draws share their luck: one uniform number a game.
    """
    factors = numbers("luck", "nothing")
    draws = latin(2, 60, 9, lambda _: [])
    games = 4000
    part = games // PARTS
    uniform = np.random.default_rng(21).random(games)
    many = np.random.default_rng(22).random(40_000)
    conclusions = [
        Conclusion("seat 1 wins 40 % at most", SEAT_1, "base", None, (0.0, 0.4)),
        Conclusion("v: win_rate of seat 1", SEAT_1, "v", "base", effect_of="v"),
    ]
    labels = {"base": LABELS, "v": LABELS}
    reduce = summing(conclusions, ["base", "v"], labels, 1)

    def rows(u: float, luck: np.ndarray, more: float) -> Chunk:
        rate = (1 + 2 * u + more) / (4 + 2 * u + more)
        rest = 1 + ((luck - rate) / (1 - rate) * 3).astype(int)
        seats = np.where(luck < rate, 0, np.clip(rest, 1, 3))
        return chunk(12 * np.eye(4, dtype=np.int64)[seats])

    def sums(u: float, luck: np.ndarray):
        return reduce((rows(u, luck, 0.0), rows(u, luck, 0.5)))

    strict = strict_level(0.95, 60)
    figures, parts = np.empty((2, 60, 5)), np.empty((2, 60, PARTS))
    for place, (u, _) in enumerate(draws.points):
        pieces = [sums(u, uniform[k * part : (k + 1) * part]) for k in range(PARTS)]
        whole = sums(u, uniform)
        for k in range(2):
            near, far = (interval_of(whole.parts[k], level) for level in (0.95, strict))
            figures[k, place] = near.estimate, near.low, near.high, far.low, far.high
            parts[k, place] = [interval_of(piece.parts[k], 0.95).estimate for piece in pieces]
    base = [interval_of(one, 0.95) for one in sums(0.25, many).parts]
    judged = [Judged(*one) for one in zip(conclusions, base, figures, parts, strict=True)]
    return judged, factors, draws


def test_the_answer_about_a_game_whose_truth_is_known(drawn) -> None:
    judged, factors, draws = drawn
    found = answer(judged, factors, draws, seed=1)
    table = found.frames["conclusions"].set_index("conclusion")
    gate = table.loc["seat 1 wins 40 % at most"]
    assert gate["verdict"] == "PASS"
    assert gate["holds"] == pytest.approx(0.5, abs=0.1)  # true for u <= 0.5
    assert gate["reversed"] == pytest.approx(0.5, abs=0.1)
    assert gate["holds"] + gate["undecided"] + gate["reversed"] == pytest.approx(1)
    assert gate["holds_low"] < 0.5 < gate["holds_high"] + gate["undecided_high"]
    assert gate["at_least"] < 0.5 < gate["at_most"]
    assert gate["decided_by"] == "luck"
    effect = table.loc["v: win_rate of seat 1"]
    assert effect["statement"] == "v raises win_rate of seat 1"
    assert effect["holds"] == 1
    assert effect["at_least"] > 0.85
    deciding = found.frames["deciding"]
    own = deciding[deciding["conclusion"] == "seat 1 wins 40 % at most"].set_index("factor")
    assert own["holds_from"]["luck"] == 1
    assert own["holds_to"]["luck"] == 0
    # from 1/4 to 1/2, nearly a straight line
    assert own["effect"]["luck"] == pytest.approx(0.25, abs=0.02)
    assert not own["decides"]["nothing"]
    assert len(found.frames["figures"]) == 120
    assert found.frames["draws"].columns.tolist() == ["draw", "luck", "nothing"]
    assert len(found.frames["shares"]) == 6
    assert found.sentences[0] == (
        "2 conclusions in 60 draws of the unpublished numbers: 1 holds in all of them "
        "and 1 is reversed in some."
    )
    assert "about luck" in found.sentences[1]
    assert "*v raises win_rate of seat 1*" in found.sentences[2]


def test_the_answer_is_the_same_again(drawn) -> None:
    one, other = (answer(*drawn, seed=1) for _ in range(2))
    assert one.sentences == other.sentences
    assert one.frames["deciding"].equals(other.frames["deciding"])


def test_a_figure_that_a_factor_decides_without_any_noise() -> None:
    """A median may be the same number wherever the table is the same."""
    factors = [*numbers("a"), CHOICE]
    u = latin(2, 60, 1, lambda _: []).points
    y = np.where(u[:, 1] > 2 / 3, 41.0, 40.0)
    for parts in (None, np.repeat(y[:, None], PARTS, axis=1)):
        frame = ranking(y, u, factors, seed=1, parts=parts).set_index("factor")
        assert frame["decides"].to_dict() == {"choice": True, "a": False, DUMMY: False}
        assert frame["effect"]["choice"] == pytest.approx(1)
