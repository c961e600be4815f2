"""The self-test from the front door: the whole suite once, its output, its exit codes."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import assay as front_door
from analysis.selftest import BUDGET, COLUMNS, promises
from assay.selftest import all_experiments, one_experiment, selftest
from sim.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
suite = importlib.import_module("assay.selftest")  # the package has the function of this name


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cheap experiments, in this process."""
    some = all_experiments()[:2]
    monkeypatch.setattr(suite, "all_experiments", lambda: some)
    monkeypatch.setattr(suite, "default_threads", lambda: 1)


def test_every_method_keeps_its_promise() -> None:
    """The suite as CI runs it, in two processes; the rows are those of one."""
    found = selftest(processes=2)
    assert list(found.columns) == list(COLUMNS)
    assert found[~found["holds"]].to_dict("records") == []
    total = promises(all_experiments())
    assert len(found) == total > 100
    assert found["level"].to_list() == [1 - BUDGET / total] * total
    assert found["repetitions"].min() >= 10
    shares = found[~found["what"].str.contains("read off")]
    assert shares["repetitions"].min() >= 200
    first = one_experiment(0, False, suite.SEED)
    pd.testing.assert_frame_equal(first, found[: len(first)])


def test_the_long_mode_repeats_everything_at_least_2000_times() -> None:
    assert min(experiment.long for experiment in all_experiments()) >= 2000
    assert min(experiment.ci for experiment in all_experiments()) >= 200


@pytest.mark.usefixtures("short")
def test_all_kept_is_exit_code_0(assay) -> None:
    text = assay("selftest").stdout
    assert "2 of 2 promises are kept." in text
    assert "at most 0.0625" in text
    found = json.loads(assay("selftest", "--format", "json").stdout)
    assert (found["holds"], found["long"], found["seed"]) == (True, False, 20260101)
    assert [row["what"] for row in found["rows"]] == ["Wilson, rate 25 %", "Wilson, rate 1 %"]
    assert found["rows"][0]["repetitions"] == 2000


@pytest.mark.usefixtures("short")
def test_one_broken_is_exit_code_1(assay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods that are asked for 80 % break the promise of 95 %."""
    monkeypatch.setattr(suite, "LEVEL", 0.8)
    result = assay("selftest", code=1)
    assert "BROKEN" in result.stdout
    assert "0 of 2 promises are kept." in result.stdout
    found = json.loads(assay("selftest", "--format", "json", code=1).stdout)
    assert found["holds"] is False


@pytest.mark.usefixtures("short")
def test_the_seed_and_the_mode_are_used(assay) -> None:
    one = selftest(seed=1)
    assert not one["observed"].equals(selftest(seed=2)["observed"])
    pd.testing.assert_frame_equal(one, selftest(seed=1))
    assert set(selftest(long=True)["repetitions"]) == {20_000}
    text = assay("selftest", "--long", "--seed", "7", "--format", "csv").stdout
    assert ",20000," in text


@pytest.mark.usefixtures("short")
def test_progress_is_told() -> None:
    seen: list[tuple[str, int, int]] = []
    selftest(progress=lambda *step: seen.append(step))
    assert seen == [(suite.TITLE, 1, 2), (suite.TITLE, 2, 2)]


def test_mistakes(assay) -> None:
    with pytest.raises(UserError, match="number of processes must be 1 or more"):
        selftest(processes=0)
    assert "the seed must be a whole number" in assay.refuse("selftest", "--seed", "-1")
    assert front_door.__getattr__("selftest") is selftest


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the list of processes")
def test_an_interruption_leaves_no_process_behind(tmp_path) -> None:
    command = (  # a shell ignores Ctrl-C for what it runs in the background
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from assay.cli import main; main()"
    )
    words = [sys.executable, "-c", command, "selftest", "--long"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as run:

        def children() -> list[int]:
            tasks = Path(f"/proc/{run.pid}/task").glob("*/children")
            return [int(word) for task in tasks for word in task.read_text().split()]

        # two workers and the tracker of the resources that they share
        assert eventually(lambda: len(children()) >= 3)
        workers = children()
        run.send_signal(signal.SIGINT)
        try:
            assert run.wait(60) == 130
        finally:
            run.kill()
        assert "interrupted" in run.stderr.read()
    assert eventually(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def eventually(true: Callable[[], bool]) -> bool:
    """Whether something comes true within a minute."""
    for _ in range(600):
        if true():
            return True
        time.sleep(0.1)
    return False
