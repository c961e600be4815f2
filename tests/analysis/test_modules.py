from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.modules import (
    Module,
    effects_frame,
    labels_of,
    module_columns,
    module_plays,
    modules_of,
    quantity_sentence,
    wins_frame,
    wins_sentence,
)
from analysis.paired import BlockSums, Column
from tests.analysis.near_games import made
from tests.reports.answers import ask, setting

NAME = "near_and_far"
TWO = ("balanced",) * 2


def test_a_module_takes_along_what_needs_it() -> None:
    found = {module.name: module for module in modules_of(setting(TWO, name=NAME))}
    assert "coop" not in found
    assert "minions" not in found
    assert set(found["amber_mines"].also) == {
        *("magic", "miners", "magic_teachers", "amber_treasures", "amber_artifacts"),
    }
    assert set(found["magic"].also) == {"magic_teachers", "amber_treasures", "amber_artifacts"}
    assert found["expert_dice"].also == ()
    assert found["new_threats"].free  # the others may stay without them
    assert not found["map_scarcity"].on  # off as it is, so it is switched on
    assert module_plays([found["map_scarcity"]])[1].patches == {"modules.map_scarcity": True}


@pytest.mark.parametrize("off", [(), ("expert_dice", "magic_teachers"), ("new_threats",)])
def test_every_play_is_a_legal_game(off: tuple[str, ...]) -> None:
    patches = {f"modules__{name}": False for name in off}
    if "new_threats" in off:
        patches["switches__threats_free"] = True
    where = setting(TWO, name=NAME, **patches)
    modules = modules_of(where)
    assert {module.name for module in modules if not module.on} == {"map_scarcity", *off}
    for play in module_plays(modules)[1:]:
        where.game.load(None, {**where.rules.patches, **play.patches})


def test_effects_are_with_minus_without_whichever_way_it_is_switched() -> None:
    modules = (Module("expert_dice", True), Module("map_scarcity", False))
    rng = np.random.default_rng(2)
    rounds = [10 + rng.integers(0, 8, 200) + 2 * place for place in range(3)]
    wins = [12 * np.eye(2, dtype=np.int64)[rng.integers(0, 2, 200)] for _ in range(3)]
    chunks = [
        made(200, 2, of_game={"rounds": length}, win=win)
        for length, win in zip(rounds, wins, strict=True)
    ]
    sums = BlockSums.of(chunks, module_columns(modules, 2), 1)
    found = effects_frame(sums, modules, 0.95)
    found = found[found["quantity"] == "rounds"].set_index("module")
    for name, gain in (
        ("expert_dice", rounds[0] - rounds[1]),
        ("map_scarcity", rounds[2] - rounds[0]),
    ):
        test = stats.ttest_1samp(gain, 0).confidence_interval(1 - 0.05 / 2)
        row = found.loc[name]
        assert row["estimate"] == pytest.approx(gain.mean())
        assert (row["low"], row["high"]) == pytest.approx((test.low, test.high))
        assert row["changed"] - row["without"] == pytest.approx(gain.mean())
    seats = wins_frame(sums, modules, {s: [Column(0, "win", seat=s)] for s in (1, 2)}, "seat", 0.95)
    row = seats[(seats["module"] == "expert_dice") & (seats["seat"] == 2)].iloc[0]
    assert row["estimate"] == pytest.approx((wins[0] - wins[1])[:, 1].mean() / 12)
    text = quantity_sentence(found.reset_index(), "rounds", "length")
    assert text.index("map scarcity") < text.index("expert dice")  # the larger one first
    assert "No module" in wins_sentence(seats, "seat")
    assert wins_sentence(seats[:0], "seat") == ""


def test_strategies_are_told_apart_where_seats_rotate() -> None:
    lineup = ("balanced", "balanced:quest=2")
    assert labels_of(setting(lineup, 8, True, name=NAME)) == {lineup[0]: [0], lineup[1]: [1]}
    assert labels_of(setting(lineup, 8, name=NAME)) == {}
    assert labels_of(setting(TWO, 8, True, name=NAME)) == {}


def test_real_games_are_answered() -> None:
    lineup = ("balanced", "balanced:quest=2")
    found = ask("modules", setting(lineup, 64, True, name=NAME))
    effects = found.frames["effects"]
    assert set(effects["module"]) == {m.name for m in modules_of(setting(lineup, name=NAME))}
    for name in ("seats", "strategies"):  # what one wins another loses
        total = found.frames[name].groupby("module")["estimate"].sum()
        assert total.abs().max() < 0.02  # but for games that the cap stops
