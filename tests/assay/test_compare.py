"""Comparing rules: the command, its formats, mistakes, repeats, explanations, studies."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import jsonschema
import pandas as pd
import pytest

import assay as front
from analysis.comparison import judgement
from assay.compare import BLUNDER, SECOND, compare, default_second
from assay.explain import explain
from assay.runner import report, run
from assay.study import load_study
from sim.errors import UserError
from sim.game import load_game

GAME = "wizard_miners"
ROOT = Path(__file__).resolve().parents[2]
STUDIES = sorted((ROOT / "studies").glob("*.toml"))
FEW = ["--games", "120", "--seed", "5", "--threads", "1"]
ALONE = ["--second-lineup", "none", "--blunder", "0"]
CHANGE = ["--set", "tools.drill.cost=[3,5,7]"]

STUDY = """
[study]
title = "Drills"
question = "What should a drill cost?"
game = "wizard_miners"
players = 3
seed = 5

[lineup]
seats = ["balanced"]

[variants.cheap.set]
"tools.drill.cost" = [3, 5, 7]

[variants.saboteurs]
seats = ["saboteur", "balanced", "balanced"]

[stop]
games = 150

[compare]
metrics = ["win_rate", "rolls"]
margin = { win_rate = 0.5, rolls = 1.0 }
second_lineup = ["builder"]
"""

NUMBER = {"type": ["number", "null"]}
EFFECT = {
    "type": "object",
    "required": [
        *("variant", "metric", "unit", "statistic", "base", "changed", "effect", "low", "high"),
        *("level", "blocks", "n", "method", "discordance", "correlation", "speed_up", "margin"),
        *("verdict", "flips", "open"),
    ],
    "properties": {
        "variant": {"type": "string"},
        "metric": {"type": "string"},
        "statistic": {"enum": ["mean", "q05", "q50", "q95"]},
        "seat": {"type": "integer", "minimum": 1, "maximum": 4},
        "strategy": {"type": "string"},
        **dict.fromkeys(("base", "changed", "effect", "low", "high", "margin"), NUMBER),
        "level": {"const": 0.95},
        "blocks": {"type": "integer", "minimum": 1},
        "n": {"type": "integer", "minimum": 1},
        "method": {"type": "string", "minLength": 5},
        "discordance": {"type": "number", "minimum": 0, "maximum": 1},
        "correlation": NUMBER,
        "speed_up": NUMBER,
        "verdict": {"enum": ["EQUIVALENT", "CHANGED_UP", "CHANGED_DOWN", "UNDECIDED", None]},
        "flips": {"type": "array", "items": {"type": "string"}},
        "open": {"type": "array", "items": {"type": "string"}},
    },
}
SCHEMA = {
    "type": "object",
    "required": ["game", "players", "seats", "games", "seed", "level", "variants", "effects"],
    "properties": {
        "effects": {"type": "array", "minItems": 1, "items": EFFECT},
        "repeats": {
            "type": "array",
            "items": {"type": "object", "required": ["name", "seats", "effects"]},
        },
    },
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "drills.toml"
    path.write_text(STUDY, "utf-8")
    return path


def of(rows, **keys):
    found = [row for row in rows if all(row.get(k) == v for k, v in keys.items())]
    assert len(found) == 1, keys
    return found[0]


# ----------------------------------------------------------------------------------- the command


def test_json_holds_to_its_schema(assay):
    words = [*CHANGE, *FEW, "--margin", "0.05", "--players", "3"]
    found = json.loads(assay("compare", GAME, *words, "--format", "json").stdout)
    jsonschema.validate(found, SCHEMA)
    assert found["players"] == 3
    assert {row["variant"] for row in found["effects"]} == {"tools.drill.cost=[3, 5, 7]"}
    assert [repeat["name"] for repeat in found["repeats"]] == [f"blunder {BLUNDER:g}", SECOND]
    assert found["repeats"][1]["seats"] == ["builder", "cleaner", "saboteur"]
    assert {row["margin"] for row in found["effects"]} == {0.05}


def test_effects_are_the_differences_of_two_plays(assay):
    """The same figures from `assay play`, with and without the change."""
    words = [*FEW, "--seats", "builder,cleaner,saboteur,balanced", "--rotate", "--format", "json"]
    plays = [
        json.loads(assay("play", GAME, *words, *more).stdout)["metrics"] for more in ([], CHANGE)
    ]
    rows = json.loads(assay("compare", GAME, *words, *CHANGE, *ALONE).stdout)["effects"]
    assert len(rows) > 40
    for row in rows:
        keys = {k: row[k] for k in ("metric", "statistic", "seat", "strategy") if k in row}
        base, changed = (
            of([m for m in play if m.keys() >= keys.keys() and _same_group(m, keys)], **keys)
            for play in plays
        )
        assert row["base"] == pytest.approx(base["estimate"])
        assert row["changed"] == pytest.approx(changed["estimate"])
        assert row["effect"] == pytest.approx(changed["estimate"] - base["estimate"], abs=1e-12)
        assert row["blocks"] == 30


def _same_group(metric, keys) -> bool:
    return all((name in metric) == (name in keys) for name in ("seat", "strategy"))


def test_the_table_fits_on_a_screen(assay):
    result = assay("compare", GAME, *CHANGE, *FEW, "--margin", "win_rate=0.3")
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 120
    head = next(line for line in lines if line.startswith("figure"))
    for name in ("base", "effect", "95 % interval", "differ", "corr", "speed-up", "verdict"):
        assert name in head
    rows = [line for line in lines if line.startswith("win_rate, seat")]
    assert len(rows) == 4
    assert all(line.endswith("EQUIVALENT") for line in rows)
    assert "Repeated with second lineup (builder, cleaner, saboteur, sprinter)" in result.stdout
    assert "Verdicts against the margins win_rate 0.3" in result.stdout
    assert result.stderr == ""


def test_without_a_margin_there_is_no_verdict(assay):
    words = ["compare", GAME, *CHANGE, *FEW, *ALONE, "--metric", "rolls"]
    assert "verdict" not in assay(*words).stdout
    rows = json.loads(assay(*words, "--format", "json").stdout)["effects"]
    assert [(row["metric"], row["verdict"]) for row in rows] == [("rolls", None)] * 4


def test_csv_and_markdown(assay):
    words = ["compare", GAME, *CHANGE, *FEW, *ALONE, "--metric", "win_rate"]
    rows = list(csv.DictReader(io.StringIO(assay(*words, "--format", "csv").stdout)))
    assert [row["seat"] for row in rows] == ["1", "2", "3", "4"]
    assert all(float(row["low"]) <= float(row["effect"]) <= float(row["high"]) for row in rows)
    marked = assay(*words, "--format", "markdown").stdout
    assert marked.count("| win_rate, seat") == 4


def test_threads_do_not_matter(assay):
    words = ["compare", GAME, *CHANGE, "--games", "9000", "--format", "csv", *ALONE]
    one, two = (assay(*words, "--threads", count).stdout for count in "12")
    assert one == two


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["wizard_minors", *CHANGE], "unknown game 'wizard_minors' (did you mean 'wizard_miners'?"),
        (["nowhere.toml"], "nowhere.toml: is missing"),
        ([GAME], "nothing to compare with: change a rule with --set"),
        ([GAME, "--set", "dynamite.supply=16"], "dynamite.supply=16 changes nothing"),
        ([GAME, "--set", "dynamit.supply=8"], "dynamit.supply: unknown key (did you mean"),
        ([GAME, *CHANGE, "--metric", "win_rat"], "unknown metric 'win_rat' (did you mean 'win_"),
        ([GAME, *CHANGE, "--margin", "win_rat=1"], "margin for an unknown metric 'win_rat'"),
        ([GAME, *CHANGE, "--margin", "much"], "--margin much: write a number, or METRIC=NUMBER"),
        ([GAME, *CHANGE, "--margin", "0"], "a margin must be above 0, not 0"),
        ([GAME, *CHANGE, "--margin", "rolls=nan"], "a margin must be above 0, not nan"),
        (
            [GAME, *CHANGE, "--margin", "1", "--margin", "rolls=2"],
            "give one number for all metrics, or METRIC=NUMBER for each",
        ),
        (
            [GAME, *CHANGE, "--margin", "rolls=1", "--margin", "rolls=2"],
            "--margin rolls: is given twice",
        ),
        ([GAME, *CHANGE, "--blunder", "1.5"], "blunder must be from 0 to 1, not 1.5"),
        ([GAME, *CHANGE, "--second-lineup", "bilder"], "unknown strategy 'bilder' (did you mean"),
        (
            [GAME, *CHANGE, "--second-lineup", "builder,cleaner"],
            "second lineup: 2 strategies for 4 players",
        ),
        ([GAME, *CHANGE, "--games", "0"], "the number of games must be 1 or more, not 0"),
        ([GAME, *CHANGE, "--out", "x"], "--out: only a study keeps its games"),
        ([GAME, *CHANGE, "--variant", "x"], "--variant: names the variants that --explain shows"),
        (["drills.toml", "--explain", "--variant", "chaep"], "'chaep' (did you mean 'cheap'?)"),
        (["drills.toml", *CHANGE], "--set: the study drills.toml says that"),
        (["drills.toml", "--seats", "builder"], "--seats: the study drills.toml says that"),
        (["drills.toml", "--no-rotate"], "--rotate: the study drills.toml says that"),
    ],
)
def test_mistakes_are_one_message(assay, study, words, said):
    message = assay.refuse("compare", *words)
    assert said in message
    assert message.count("assay: error:") == 1


def test_variants_of_a_call_keep_their_names_apart():
    other = {"dynamite.supply": 4}
    with pytest.raises(UserError, match="called base already"):
        compare(GAME, variants={"base": other})
    with pytest.raises(UserError, match="have that name already"):
        compare(GAME, patches={"dynamite.supply": 8}, variants={"dynamite.supply=8": other})


def test_a_single_metric_needs_no_list(assay):
    options = {"games": 1, "second_lineup": "none", "blunder": 0.0}
    found = compare(GAME, patches={"dynamite.supply": 8}, metrics="lead_changes", **options)
    assert set(found.effects["metric"]) == {"lead_changes"}
    words = ("--games", "1", "--metric", "rolls", "--second-lineup", "none", "--blunder", "0")
    assert "; 1 game of the base" in assay("compare", GAME, *CHANGE, *words).stdout


RAISES = """
def decide(state, tables, prompt, weights):
    if tables["dynamite_supply"] == 8 and state["turn"] > 3:
        raise ValueError("eight is too few")
    legal = state["legal"]
    choice = 0
    while legal & 1 == 0:
        legal >>= 1
        choice += 1
    return choice
"""


def test_a_strategy_that_raises_in_a_variant_is_named_with_its_replay(assay):
    Path("bot.py").write_text(RAISES, "utf-8")
    words = ["--seats", "bot.py:decide,balanced,balanced", "--games", "20", *ALONE]
    message = assay.refuse("compare", GAME, *words, "--set", "dynamite.supply=8")
    assert "in game 0 of dynamite.supply=8: eight is too few" in message
    replay = re.search(r"replay: assay (trace .*)", message)[1].split()
    assert replay[-2:] == ["--set", "dynamite.supply=8"]
    assert "eight is too few" in assay(*replay, code=2).stderr


# ----------------------------------------------------------------------------------------- repeats


def test_flips_are_judgements_that_differ_in_a_repeat():
    """Recomputed from the effects of the repeats; a dearer drill has effects that turn round."""
    found = compare(
        GAME,
        patches={"tools.drill.cost": [5, 7, 9]},
        games=1000,
        seed=5,
        metrics=["cave_in_rolls", "cards_lost", "gems_left"],
    )
    assert list(found.repeats) == ["blunder 0.15", SECOND]
    keys = ["variant", "metric", "statistic", "seat", "strategy"]
    seen = 0
    for row in found.effects.to_dict("records"):
        said = judgement(row)
        again = {}
        for name, frame in found.repeats.items():
            same = frame
            for key in keys:
                wanted = row[key]
                missing = wanted is None or wanted is pd.NA
                same = same[same[key].isna() if missing else (same[key] == wanted).fillna(False)]
            if len(same):
                again[name] = judgement(same.iloc[0].to_dict())
        flips = [n for n, now in again.items() if {said, now} == {"UP", "DOWN"}]
        undecided = [n for n, now in again.items() if said and now is None]
        assert row["flips"] == "; ".join(flips)
        assert row["open"] == "; ".join(undecided)
        seen += len(flips)
    assert seen > 0


def test_blundering_players_keep_their_names():
    found = compare(
        GAME,
        patches={"dynamite.supply": 2},
        seats="builder:blunder=0.1,cleaner:blunder=0.5,random",
        games=30,
        metrics=["win_rate"],
        second_lineup="none",
        blunder=0.3,
    )
    again = found.repeats["blunder 0.3"]
    assert list(found.task.repeats[0].seats) == [
        "builder:blunder=0.3",
        "cleaner:blunder=0.5",
        "random",
    ]
    names = ["builder:blunder=0.1", "cleaner:blunder=0.5", "random"]
    assert list(again["strategy"].dropna()) == names
    assert not again["base"].equals(found.effects["base"])


def test_figures_of_strategies_that_do_not_play_again_are_not_repeated():
    found = compare(
        GAME,
        patches={"dynamite.supply": 2},
        seats="builder,cleaner,sprinter",
        games=30,
        metrics=["win_rate"],
        second_lineup="cleaner,saboteur,saboteur",
        blunder=0,
    )
    assert list(found.effects["strategy"].dropna()) == ["builder", "cleaner", "sprinter"]
    assert list(found.repeats[SECOND]["strategy"].dropna()) == ["cleaner"]


def test_the_second_lineup_is_another_one():
    game = load_game(GAME)
    mixed = ("builder", "cleaner", "saboteur", "sprinter")
    assert default_second(game, ("balanced",) * 4) == mixed
    assert default_second(game, ("builder",) * 3) == mixed[:3]
    assert default_second(game, mixed) == ("balanced",) * 4
    dobbers = load_game("dobbers")
    assert not {"solo_safe", "solo_fast"} & set(default_second(dobbers, ("balanced",) * 4) or ())
    assert default_second(dobbers, ("balanced",)) == ("solo_safe",)
    assert default_second(dobbers, ("solo_safe",)) == ("balanced",)


def test_the_second_lineup_of_a_team_is_a_team():
    game = load_game("near_and_far")
    own = ("team_balanced",) * 2
    second = default_second(game, own, together=True)
    assert second == ("team_roles",) * 2
    assert default_second(game, second, together=True) == own
    assert not any(name.startswith("team") for name in default_second(game, own) or ())


# ---------------------------------------------------------------------------------------- explain


def test_explain_shows_the_first_game_that_parts(assay):
    words = ["--set", "dynamite.supply=12", "--games", "150", *ALONE, "--metric", "rolls"]
    told = assay("compare", GAME, *words, "--explain").stdout.partition("\n\ndynamite.supply=12: ")
    lines = told[2].splitlines()
    number = int(re.search(r"the first is game (\d+)$", lines[0])[1])
    # another route: the rows of both plays, game by game
    rows = [_rows(patches) for patches in ({}, {"dynamite.supply": 12})]
    differ = [i for i, (a, b) in enumerate(zip(*rows, strict=True)) if a != b]
    assert number == differ[0]
    assert lines[0].startswith(f"{len(differ)} of 150 games part")
    assert re.match(r"they part in Roll \d+, turn of seat \d \(balanced\): ", lines[1])


def _rows(patches) -> list[bytes]:
    from sim.batch import Batch, play
    from strategies.resolve import lineup

    game = load_game(GAME)
    tables = game.make_tables(game.load(None, patches).model, 4)
    batch = Batch(game, tables, lineup(game, ["balanced"] * 4), 20260101)
    found: list[bytes] = []
    for _, (chunk,) in play([batch], 0, 150, lambda chunks: chunks):
        found += [g.tobytes() + s.tobytes() for g, s in zip(chunk.games, chunk.seats, strict=True)]
    return found


def test_both_traces_are_those_of_assay_trace():
    patches = {"dynamite.supply": 4}
    found = compare(GAME, patches=patches, games=60, seed=7, rotate=True, blunder=0)
    (told,) = explain(found)
    assert told.game is not None
    options = {"game_index": told.game, "seed": 7, "rotate": True, "seats": ["balanced"] * 4}
    for more, changed in ((told.base, {}), (told.changed, patches)):
        trace = front.trace(GAME, **options, patches=changed)
        start = next(i for i, line in enumerate(trace) if line == "Set-up")
        assert [line for line in trace[start:] if line.strip()] == [*told.before, *more]
    assert told.base[0] != told.changed[0]
    assert told.replays[1].endswith(f"--game-index {told.game} --rotate --set dynamite.supply=4")
    assert told.replays[1].startswith(told.replays[0])


def test_what_parts_two_games_in_words():
    found = compare(
        GAME,
        variants={
            "price": {"tools.drill.cost": [3, 6, 8]},
            "gems": {"wizards.gems": [6, 5, 5, 7]},
            "never": {"stall.roll_cap": 399},
        },
        games=40,
        seed=5,
        metrics=["rolls"],
        second_lineup="none",
        blunder=0,
    )
    price, gems, never = explain(found)
    assert (price.game, price.what) == (0, "the same decision, with another effect")
    assert (gems.game, gems.what, gems.where) == (0, "the set-up differs", "Set-up")
    assert never.game is None
    assert never.lines() == ["never: none of 40 games parts from the base's"]
    assert [one.variant for one in explain(found, ["gems"])] == ["gems"]
    with pytest.raises(UserError, match=r"unknown variant 'gem' \(did you mean 'gems'\?\)"):
        explain(found, ["gem"])


# ---------------------------------------------------------------------------------------- studies


def test_a_study_is_compared_and_keeps_its_games(assay, study):
    first = assay("compare", "drills.toml", "--format", "json").stdout
    found = json.loads(first)
    jsonschema.validate(found, SCHEMA)
    assert [one["variant"] for one in found["variants"]] == ["cheap", "saboteurs"]
    assert found["stopped"] == "all 150 games that the study allows"
    margins = {row["metric"]: row["margin"] for row in found["effects"]}
    assert margins == {"win_rate": 0.5, "rolls": 1.0}
    assert all(row["method"].endswith("2 at once (Bonferroni)") for row in found["effects"])
    # who brings a lineup of its own is not repeated with the second one
    second = next(one for one in found["repeats"] if one["name"] == SECOND)
    assert {row["variant"] for row in second["effects"]} == {"cheap"}
    kept = {name: data for name, data in assay.files().items() if name.endswith(".parquet")}
    times = [path.stat().st_mtime_ns for path in Path("results").rglob("*.parquet")]
    assert len(kept) == 3 + 3 + 2
    assert assay("compare", "drills.toml", "--format", "json").stdout == first
    assert times == [path.stat().st_mtime_ns for path in Path("results").rglob("*.parquet")]


def test_a_study_and_the_options_of_a_command_give_the_same(assay, study):
    study.write_text(
        STUDY.replace('[variants.saboteurs]\nseats = ["saboteur", "balanced", "bal', "#")
    )
    kept = json.loads(assay("compare", "drills.toml", "--format", "json").stdout)
    words = ["--players", "3", "--games", "150", "--seed", "5", "--second-lineup", "builder"]
    words += ["--metric", "win_rate", "--metric", "rolls", "--format", "json"]
    words += ["--margin", "win_rate=0.5", "--margin", "rolls=1"]
    streamed = json.loads(assay("compare", GAME, *CHANGE, *words).stdout)
    for row in (*kept["effects"], *streamed["effects"]):
        del row["variant"]
    assert kept["effects"] == streamed["effects"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"tools.drill.cost" = [3, 5, 7]',
            '"tools.dril.cost" = [3, 5, 7]',
            "drills.toml:13: tools.dril.cost: unknown key",
        ),
        ('"tools.drill.cost" = [3, 5, 7]', '"dynamite.cost" = 2', "variants.cheap: cheap changes"),
        ('["saboteur", "bal', '["sabotuer", "bal', "variants.saboteurs.seats: unknown strategy"),
        ('metrics = ["win_rate", "ro', 'metrics = ["win", "ro', "compare.metrics: unknown metric"),
        ("{ win_rate = 0.5,", "{ win_rat = 0.5,", "compare.margin: margin for an unknown metric"),
        ('second_lineup = ["builder"]', 'second_lineup = ["bilder"]', "compare.second_lineup: unk"),
        ("cheap.set", "base.set", "variants.base: "),
        ("cheap.set", '"a*b".set', "a variant's name is letters, digits, spaces and _ . + -"),
        ("[variants.", "[variant.", "variant: unknown key (did you mean 'variants'?)"),
    ],
)
def test_mistakes_in_a_study_name_the_place(assay, study, old, new, said):
    study.write_text(STUDY.replace(old, new), "utf-8")
    message = assay("compare", "drills.toml", code=2).stderr
    assert said in message
    assert "drills.toml" in message


def test_a_study_without_variants_has_nothing_to_compare(assay, study):
    head, _, rest = STUDY.partition("[variants.cheap.set]")
    study.write_text(head + rest[rest.index("[stop]") :], "utf-8")
    assert "the study has no variant" in assay("compare", "drills.toml", code=2).stderr
    assert "asks no question and has no variant" in assay("run", "drills.toml", code=2).stderr


def test_a_run_puts_the_comparison_into_its_report(study, tmp_path):
    result = run(study, out=tmp_path / "out")
    results = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    direct = compare(study, out=tmp_path / "out")
    rows = results["comparisons"]
    assert [row["effect"] for row in rows] == pytest.approx(list(direct.effects["effect"]))
    assert [one["variant"] for one in results["variants"]] == ["cheap", "saboteurs"]
    for name in ("figures/variants.png", "tables/variant_1.csv", "tables/variant_2.csv"):
        assert (tmp_path / "out" / name) in result.files
    summary = (tmp_path / "out" / "summary.md").read_text("utf-8")
    assert "**cheap** (`tools.drill.cost=[3, 5, 7]`)" in summary
    before = (tmp_path / "out" / "report.pdf").read_bytes()
    report(tmp_path / "out")
    assert (tmp_path / "out" / "report.pdf").read_bytes() == before


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_shipped_studies_are_compared(path, tmp_path):
    """Every study with variants: all its patches, lineups, metrics and margins are checked."""
    loaded = load_study(path)
    assert loaded.head.game in loaded.path.read_text("utf-8")
    if not loaded.variants:
        return
    found = compare(path, games=16, out=tmp_path / "out")
    assert set(found.effects["variant"]) == set(loaded.variants)
    assert SECOND in found.repeats
    margins = loaded.compare.margin
    assert found.effects["verdict"].notna().all() == (margins is not None)


def test_the_studies_that_were_promised_ship():
    loaded = {path.stem: load_study(path) for path in STUDIES}
    with_variants = {name for name, one in loaded.items() if one.variants and one.compare.margin}
    promised = {"gem_allocations", "drill_cost", "dynamite_supply", "cave_in_die", "each_switch"}
    assert promised <= with_variants
