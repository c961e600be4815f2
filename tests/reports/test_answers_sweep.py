"""The section of a sweep, from made-up cells whose truth is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.designs import Design, Factor, codes, factorial, grid, latin
from analysis.joint import JointSums
from analysis.measures import Measure, block_values
from analysis.question import Setting
from analysis.sensitivity import screening, sobol_indices
from analysis.sweep import Asked, Target
from analysis.sweep_answer import (
    Sweep,
    candidates,
    cells_frame,
    effect_sentences,
    effects_frame,
    figure_keys,
    index_sentences,
    ranking_sentences,
    replay_frame,
    response_frames,
    target_sentences,
    targets_frame,
)
from reports import style
from reports.answers.sweep import section
from reports.document import Figure, Report, Reproduce, Table, Text
from sim.game import Metric, load_game
from tests.analysis.games import chunk, winners

WIN = Metric("win_rate", "share of games", "seat", "win", scale=12, by=(("seat",),))
ROLLS = Metric("rolls", "rolls", "game", "rolls", statistics=("mean", "quantiles"))
LABELS = ("a", "b", "c", "d")
SUPPLY = Factor("dynamite.supply", "supply", 16, levels=(0, 8, 16))
FACES = Factor("cave_in.die_faces", "faces", 2, low=1, high=3, whole=True)
SPELLS = Factor("switches.spells", "spells", True, levels=(False, True))
LENGTH = Target("length", Measure(ROLLS), 30, 34)
LONG = Target("long games", Measure(ROLLS, statistic="q90"), 0, 45)


def setting() -> Setting:
    game = load_game("wizard_miners")
    return Setting(game, game.load(None, {}), ("balanced",) * 4, False, 800, 5)


def moved(factors: tuple[Factor, ...], cell: tuple) -> float:
    """How much longer a cell's games are."""
    return sum(
        3.0 * factor.moved(value) * (1 if place == 0 else -2)
        for place, (factor, value) in enumerate(zip(factors, cell, strict=True))
    )


def swept(design: Design, targets: tuple[Target, ...] = (LENGTH, LONG), games: int = 800) -> Sweep:
    """A sweep of games that are a Poisson number of rolls long, on the same luck."""
    rng = np.random.default_rng(1)
    uniform = rng.random(games)
    win = winners(rng, games)

    def played(cell: tuple) -> Any:
        from scipy import stats

        rolls = stats.poisson.ppf(uniform, 32 + moved(design.factors, cell)).astype(int)
        return chunk(win, rolls=rolls)

    measures = dict.fromkeys([target.measure for target in targets] or [Measure(ROLLS)])
    asked = Asked((*measures, Measure(WIN, seat=1), Measure(WIN, seat=2)), targets, 1, LABELS)
    base = tuple(factor.base for factor in design.factors)
    cells = (base, *design.cells)
    chunks = [played(cell) for cell in cells]
    sums = [asked.reduce((one, chunks[0])) for one in chunks]
    factors = design.factors
    frames = {
        "cells": cells_frame(factors, cells, sums, asked, 0.95, sequential=False),
        "targets": targets_frame(factors, cells, sums, asked, 0.95, sequential=False, seed=1),
    }
    sentences: list[str] = []
    picked: list[int] = []
    meets = False
    if targets:
        picked, meets = candidates(frames["targets"], cells, 0.95)
        again = {number: sums[number] for number in dict.fromkeys([*picked, 0])}
        frames["replay"] = replay_frame(factors, cells, again, asked, 0.95, seed=2)
        sentences += target_sentences(
            frames["targets"], frames["replay"], factors, cells, asked, picked, meets, 0.95
        )
    means = [one for one in asked.measures if one.quantile is None]
    joints = {
        one: JointSums.of(
            [block_values(one, c.games, c.seats, rotations=1, labels=LABELS) for c in chunks[1:]]
        )
        for one in means
    }
    if design.kind == "factorial":
        frames["effects"] = effects_frame(factors, codes(design), joints, 0.95)
        sentences += effect_sentences(frames["effects"], means)
    else:
        frames |= response_frames(factors, design.cells, joints, 0.95, 3)
        sentences += ranking_sentences(frames["sensitivity"], frames["fit"], means)
    return Sweep(
        design.kind, factors, cells, asked, 0.95, False, frames, tuple(sentences),
        tuple(picked), meets,
    )  # fmt: skip


def report_of(sweep: Sweep) -> Report:
    """A report of the section; building it checks names, columns and references."""
    return Report(
        title="A sweep",
        question="What matters?",
        answer=sweep.sentences,
        headline=[],
        sections=[section(setting(), sweep)],
        methods=[Text("None.")],
        assumptions=[],
        reproduce=Reproduce("assay sweep", 1),
    )


def parts(report: Report) -> tuple[dict[str, Figure], dict[str, Table]]:
    """Figures, each drawn once, and tables by name."""
    for figure in report.figures():
        assert figure.alt
        assert figure.caption
        assert figure.title
        with style.context():
            assert callable(figure.draw)
            figure.draw().draw_without_rendering()
    return {f.name: f for f in report.figures()}, {t.name: t for t in report.tables()}


def test_two_factors_have_maps_and_the_cell_that_was_played_again() -> None:
    sweep = swept(grid([SUPPLY, FACES]))
    figures, tables = parts(report_of(sweep))
    assert list(figures) == [
        "map_probability",
        "map_rolls",
        "map_rolls_q90",
        "map_win_rate_of_seat_1",
        "map_win_rate_of_seat_2",
    ]
    assert list(tables) == ["replay", "cells_by_probability", "sensitivity", "fit"]
    assert figures["map_rolls"].title == "Length: 29.1 to 35.1 rolls over the cells"
    for name in ("map_probability", "map_rolls"):
        assert "errs together" in figures[name].caption
    replay = tables["replay"].frame
    assert replay["role"].tolist()[:2] == ["cheapest that meets (base)"] * 2
    assert replay["figure"].tolist()[:2] == ["length", "long games"]
    assert "n = 800 blocks" in tables["replay"].caption
    first = tables["cells_by_probability"].frame["probability"]
    assert first.is_monotonic_decreasing


def test_the_first_sentence_is_of_the_replay() -> None:
    sweep = swept(grid([SUPPLY, FACES]))
    assert sweep.sentences[0].startswith("The rules as they are meet the targets. On fresh deals")
    tight = (Target("length", Measure(ROLLS), 34.0, 36.0),)
    sweep = swept(grid([SUPPLY, FACES]), tight)
    assert sweep.sentences[0].startswith(
        "The cheapest change that meets the targets: supply 0 instead of 16. On fresh deals it has "
        "length: 35"
    )
    never = (Target("length", Measure(ROLLS), 50, 60),)
    sweep = swept(grid([SUPPLY, FACES]), never)
    assert sweep.sentences[0].startswith("No cell meets all targets for certain; nearest to them")
    assert "probability of under\u00a00.1\u00a0%" in sweep.sentences[0]
    assert sweep.sentences[1].startswith("Of 9 cells, 0 meet all targets")


def test_one_number_has_curves_one_switch_has_dots() -> None:
    many = Factor("dynamite.supply", "supply", 16, low=0, high=16, whole=True, steps=9)
    figures, _ = parts(report_of(swept(grid([many]))))
    names = ["curve_probability", "curve_rolls", "curve_rolls_q90", "curve_win_rate_seat"]
    assert list(figures) == names
    figures, tables = parts(report_of(swept(grid([SPELLS]))))
    assert list(figures) == names
    assert "sensitivity" not in tables  # two cells are too few


def test_random_cells_of_two_numbers_are_scattered() -> None:
    wide = Factor("dynamite.supply", "supply", 16, low=0, high=16)
    figures, _ = parts(report_of(swept(latin([wide, FACES], 16, seed=1))))
    assert "map_rolls" in figures


def test_three_factors_have_rankings_instead_of_maps() -> None:
    sweep = swept(latin([SUPPLY, FACES, SPELLS], 24, seed=1))
    figures, tables = parts(report_of(sweep))
    assert list(figures) == ["ranking_rolls", "ranking_win_rate_of_seat_1",
                             "ranking_win_rate_of_seat_2"]  # fmt: skip
    assert figures["ranking_rolls"].title.startswith("Rolls: most depends on ")
    assert figures["ranking_win_rate_of_seat_1"].title.endswith("no factor stands out of the noise")
    shown = tables["sensitivity"].frame
    assert shown.loc[shown["factor"] == "(dummy)", "place"].unique().tolist() == ["–"]
    assert any(s.endswith("so none is ranked.") for s in sweep.sentences)


def test_a_factorial_has_its_effects() -> None:
    sweep = swept(factorial([FACES, SPELLS]), ())
    figures, tables = parts(report_of(sweep))
    assert list(figures) == ["effects_rolls_group", "effects_win_rate_seat"]
    assert "moves rolls most" in figures["effects_rolls_group"].title
    effects = tables["effects"].frame
    assert effects["effect_of"].tolist()[:3] == ["faces", "spells", "faces × spells"]
    # wins do not depend on anything here, and the deals are the same: exactly 0
    assert (effects.loc[effects["metric"] == "win_rate", "effect"] == 0).all()


def test_indices_have_a_figure_and_say_what_the_dummy_reaches() -> None:
    factors = [SUPPLY, FACES]
    design = screening("indices", factors, 64, 1)
    truth = np.array([moved(design.factors, cell) for cell in design.cells])[design.points]
    spread = np.repeat(np.eye(truth.shape[1])[None] * 0.01, 64, axis=0)
    noisy = truth + np.random.default_rng(2).normal(0, 0.1, truth.shape)
    frame, fit = sobol_indices(design, noisy, spread, seed=3)
    keys = figure_keys(Measure(ROLLS))
    asked = Asked((Measure(ROLLS),), (), 1, LABELS)
    frame = frame.assign(**keys)
    sweep = Sweep(
        "indices", design.factors, ((16, 2), *design.cells), asked, 0.95, False,
        {"indices": frame, "fit": pd.DataFrame([{**keys, **fit}])},
        tuple(index_sentences(frame, asked.measures, "indices")),
    )  # fmt: skip
    figures, tables = parts(report_of(sweep))
    assert list(figures) == ["indices_rolls"]
    assert "The dummy changes nothing but the deals" in tables["indices"].caption
    assert sweep.sentences[0].startswith("For rolls the total Sobol indices above what a dummy")
    assert not math.isnan(fit["floor"])


@pytest.mark.parametrize("number", [0, 4])
def test_a_cell_is_named_by_its_values(number: int) -> None:
    sweep = swept(grid([SUPPLY, SPELLS]))
    assert sweep.values(number) == dict(zip(["supply", "spells"], sweep.cells[number], strict=True))
