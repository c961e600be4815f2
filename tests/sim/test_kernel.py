"""The driver and its kernels: addresses, lineups, whims, transcripts, the cache."""

import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import kernel
from sim.errors import UserError
from sim.game import REPLICATE_DEALS, REPLICATES, load_game
from sim.jit import COMPILED
from sim.kernel import cache_root, compile_decider, kernel_of, rules_files, source_hash
from tests.contract import (
    Players,
    Session,
    bits,
    lowest_choice,
    play,
    players,
    same_choice,
)
from tests.sim.wizard_miners import players as scripts
from tests.sim.wizard_miners.contract import make_tables

GAME = load_game("wizard_miners")


def busy(**options) -> Players:
    """Return a lineup that does a lot."""
    return players(GAME, scripts.busy, scripts.__file__, **options)


def n_games(compiled: int, plain: int) -> int:
    """Return how many games to play in either mode."""
    return compiled if COMPILED else plain


# --- the loop -------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("blunder", [0.0, 0.5])
def test_the_driver_plays_what_stepping_plays(blunder: float) -> None:
    """A transcript replayed step by step opens the same prompts and ends in the same state."""
    tables = make_tables(4)
    for game in range(n_games(6, 2)):
        played = play(GAME, tables, busy(blunder=blunder), seed=3, first=game, decisions=5000)
        session = Session(GAME, tables, seed=3, deal=game)
        session.open()
        for turn, seat, prompt, legal, choice in played.transcript.tolist():
            assert session.prompt == prompt
            assert session.seat == seat
            assert int(session.state["legal"]) == legal
            session.choose(choice)
            assert session.history[-1] == (turn, seat, prompt, legal, choice)
        assert session.over
        assert session.states.tobytes() == played.desk.states.tobytes()


@pytest.mark.kernel
def test_a_transcript_has_the_first_decisions_only() -> None:
    tables = make_tables(3)
    whole = play(GAME, tables, busy(), count=2, decisions=10_000).transcript
    some = play(GAME, tables, busy(), count=2, decisions=17)
    assert some.transcript.tolist() == whole[:17].tolist()
    assert len(play(GAME, tables, busy(), count=2).transcript) == 0
    assert (np.diff(whole[:, 0]) < 0).sum() == 1  # the second game starts at turn 0 again


def test_arrays_of_other_types_are_refused() -> None:
    """The compiled code is called without numba's look at the types of its arguments."""
    tables, who = make_tables(3), busy()
    desk, compiled = kernel.Desk(GAME, 1), kernel_of(GAME)
    good = (desk, 0, 1, 1, tables, who.deciders, who.record)
    for place, bad in (
        (4, tables.view(np.int64)),
        (4, np.concatenate([tables, tables])),
        (6, who.record.view(np.float64)),
    ):
        arguments: tuple[Any, ...] = (*good[:place], bad, *good[place + 1 :])
        with pytest.raises(TypeError, match="need an array"):
            compiled.play(*arguments)
    for shape, kind in (((5, 4), np.int64), ((5, 5), np.int32)):
        with pytest.raises(TypeError, match="a transcript has the shape"):
            compiled.play(*good, np.zeros(shape, kind))
    games, _ = compiled.play(*good)
    assert games["game"].tolist() == [0]


@pytest.mark.kernel
def test_game_numbers_and_rotations() -> None:
    """Game g is rotation g % R of deal g // R; seat s is played by slot (s + r) % players."""
    tables = make_tables(4)
    rotated = play(GAME, tables, busy(), first=8, count=8, rotations=4)
    assert rotated.games["game"].tolist() == list(range(8, 16))
    for i in range(8):
        assert rotated.seats["slot"][i].tolist() == [(seat + i % 4) % 4 for seat in range(4)]
    plain = play(GAME, tables, busy(), first=2, count=2)
    names = [name for name in GAME.seat_row.names or () if name != "slot"]
    for i in range(8):  # equal players: luck belongs to the seat, so all rotations are one game
        assert rotated.seats[names][i].tolist() == plain.seats[names][i // 4].tolist()
    assert (plain.seats["slot"] == np.arange(4)).all()


@pytest.mark.kernel
def test_each_slot_plays_with_its_own_weights() -> None:
    """The slot with a forbidden choice is the one that is refused, wherever it sits."""
    lineup = players(GAME, same_choice)
    lineup.record["weights"][0, 2, 0] = 60
    for game in range(4):
        played = play(GAME, make_tables(4), lineup, first=game, rotations=4, decisions=5000)
        assert int(played.games["status"][0]) == 2
        assert int(played.games["illegal"][0]) == 1
        seat = int(played.transcript[-1, 1])
        assert int(played.seats["slot"][0, seat]) == 2
        assert played.transcript[-1, 4] == 60


@pytest.mark.kernel
def test_an_illegal_choice_ends_its_game_only() -> None:
    lineup = players(GAME, same_choice, blunder=0.9, weights=(5,))
    alone = [play(GAME, make_tables(3), lineup, first=game).games[0] for game in range(6)]
    together = play(GAME, make_tables(3), lineup, count=6).games
    assert [row.tolist() for row in together] == [row.tolist() for row in alone]
    assert (together["status"] == 2).any()


@pytest.mark.kernel
def test_counters_agree_with_the_rows() -> None:
    """Event counters by replicate and slot add up to what the rows of seats say."""
    count = n_games(4 * REPLICATE_DEALS * 3, 8)
    played = play(GAME, make_tables(4), busy(), count=count, rotations=4)
    chart, falls = (played.desk.backstage[name][0] for name in ("chart", "falls"))
    rolls = np.zeros((REPLICATES, 4), int)
    lost = np.zeros((REPLICATES, 4), int)
    piles = np.zeros((REPLICATES, 4), int)
    for game, seats in zip(played.games, played.seats, strict=True):
        replicate = game["game"] // 4 // REPLICATE_DEALS % REPLICATES
        for seat in seats:
            rolls[replicate, seat["slot"]] += seat["cave_in_rolls"]
            lost[replicate, seat["slot"]] += seat["cards_lost"]
            piles[replicate, seat["slot"]] += seat["piles_lost"]
    assert (chart.sum(axis=(2, 3, 4)) == rolls).all()
    assert (falls[..., 0].sum(axis=(2, 3)) == rolls).all()
    assert (falls[..., 1].sum(axis=(2, 3)) == lost).all()
    assert (falls[..., 3].sum(axis=(2, 3)) == piles).all()
    assert (played.games["cave_in_rolls"] == played.seats["cave_in_rolls"].sum(axis=1)).all()
    assert rolls.sum() > 0
    if COMPILED:
        assert (rolls.sum(axis=1) > 0).sum() == 3


# --- whims ----------------------------------------------------------------------------------------


@pytest.mark.kernel
def test_a_blunder_spoils_its_share_of_the_decisions() -> None:
    """A fifth of the turns and kinds of decision; all decisions of a kind in a turn alike."""
    rate = 0.2
    transcript = play(
        GAME,
        make_tables(4),
        players(GAME, blunder=rate),
        count=n_games(150, 4),
        decisions=200_000,
    ).transcript
    spoilt, expected, variance = 0, 0.0, 0.0
    groups: dict[tuple[int, ...], list[bool]] = defaultdict(list)
    game = 0
    before = 0
    for turn, seat, prompt, legal, choice in transcript.tolist():
        game += turn < before
        before = turn
        options = bits(legal)
        if (game, turn, seat, prompt) not in groups:
            chance = rate * (1 - 1 / len(options))
            expected += chance
            variance += chance * (1 - chance)
            spoilt += choice != options[0]
        groups[game, turn, seat, prompt].append(choice != options[0])
    assert len(groups) > n_games(10_000, 200)
    assert abs(spoilt - expected) < 4.5 * variance**0.5


@pytest.mark.kernel
def test_a_whim_is_even_over_the_legal_choices() -> None:
    transcript = play(
        GAME, make_tables(4), players(GAME, blunder=1.0), count=n_games(80, 4), decisions=100_000
    ).transcript
    ranks: dict[int, list[int]] = defaultdict(list)
    for _, _, _, legal, choice in transcript.tolist():
        options = bits(legal)
        ranks[len(options)].append(options.index(choice))
    tested = 0
    for number, picks in ranks.items():
        if len(picks) >= 20 * number:
            counts = np.bincount(picks, minlength=number)
            assert stats.chisquare(counts).pvalue > 1e-4
            tested += 1
    assert tested >= 3


@pytest.mark.kernel
def test_whims_in_one_turn_differ() -> None:
    """Which choice is drawn anew for each decision of a kind in a turn (two actions, say)."""
    transcript = play(
        GAME, make_tables(4), players(GAME, blunder=1.0), count=n_games(40, 6), decisions=100_000
    ).transcript
    same = different = 0
    for one, two in zip(transcript[:-1].tolist(), transcript[1:].tolist(), strict=True):
        if one[:4] == two[:4] and one[2] == 4:  # the same seats may get the next dynamite
            same += one[4] == two[4]
            different += one[4] != two[4]
    assert different > same > 0


@pytest.mark.kernel
def test_whims_shift_no_other_luck() -> None:
    """The first roll of a game is the same whatever is decided before it."""
    tables = make_tables(4, stall__roll_cap=1)
    for game in range(3):
        rolls = set()
        for blunder in (0.0, 0.3, 1.0):
            lineup = players(GAME, blunder=blunder)
            rolls.add(int(play(GAME, tables, lineup, first=game).desk.states["roll"][0]))
        assert len(rolls) == 1


@pytest.mark.kernel
def test_blunder_is_set_by_slot() -> None:
    """One whimsical slot; the others play their script, standing orders and all."""
    lineup = players(GAME)
    lineup.record["blunder"][0, 1] = 1.0
    transcript = play(GAME, make_tables(4), lineup, count=2, decisions=10_000).transcript
    other = {seat: [] for seat in range(4)}
    for _, seat, _, legal, choice in transcript.tolist():
        other[seat].append(choice == bits(legal)[0])
    assert all(all(other[seat]) for seat in (0, 2, 3))
    assert not all(other[1])


# --- the cache ------------------------------------------------------------------------------------


def test_source_hash(tmp_path: Path) -> None:
    """Names and bytes count, the order of the files does not."""
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("x = 1\n")
    two.write_text("y = 2\n")
    first = source_hash([one, two])
    assert source_hash([two, one]) == first
    two.write_text("y = 3\n")
    assert source_hash([one, two]) != first
    two.write_text("y = 2\n")
    assert source_hash([one, two]) == first
    renamed = one.rename(tmp_path / "three.py")
    assert source_hash([renamed, two]) != first


def test_a_kernel_depends_on_the_shared_part_and_its_game() -> None:
    names = {path.name for path in rules_files(GAME)}
    assert {"rng.py", "driver.py", "rules.py", "spells.py", "mine.py"} <= names
    assert all(path.parent.name in ("sim", "wizard_miners") for path in rules_files(GAME))


def test_cache_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.delenv("ASSAY_CACHE_DIR")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_root() == tmp_path / "xdg" / "assay"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_root() == Path.home() / ".cache" / "assay"


def test_a_cache_that_cannot_be_written_is_a_users_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(blocked))
    with pytest.raises(UserError, match=r"cannot write compiled code.*ASSAY_CACHE_DIR"):
        kernel._cache_folder("kernels", "game", "0")


def test_folders_unused_for_a_month_are_pruned(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    old = kernel._cache_folder("kernels", "game", "old")
    recent = kernel._cache_folder("kernels", "game", "recent")
    (old / "code.nbi").write_bytes(b"x")
    for folder, days in ((old, 31), (recent, 29)):
        then = folder.stat().st_mtime - days * 86400
        os.utime(folder, (then, then))
    kernel._cache_folder("kernels", "game", "recent")  # nothing new: nothing is looked through
    assert old.exists()
    new = kernel._cache_folder("kernels", "game", "new")
    assert not old.exists()
    assert recent.exists()
    assert new.exists()


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled in plain Python")
def test_strategies_come_out_of_the_cache_until_they_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An edited strategy compiles itself, into a folder of its own."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "bot.py"
    source.write_text("x = 1\n")
    first = compile_decider(GAME, lowest_choice, [source])
    assert not first.stats.cache_hits
    again = compile_decider(GAME, lowest_choice, [source])
    assert again.stats.cache_hits
    source.write_text("x = 2\n")
    edited = compile_decider(GAME, lowest_choice, [source])
    assert not edited.stats.cache_hits
    assert len(list((tmp_path / "cache" / "strategies").iterdir())) == 2


def test_one_kernel_a_game() -> None:
    assert kernel_of(GAME) is kernel_of(GAME)
    assert kernel_of(GAME).game is GAME
