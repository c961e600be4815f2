"""The self-test: do the statistical methods keep their promises on data with a known truth."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor, as_completed

import pandas as pd

from analysis.selftest import LEVEL, Experiment, perform, promises
from analysis.selftest_intervals import interval_experiments
from analysis.selftest_sequences import sequence_experiments
from assay.progress import Progress
from sim.batch import default_threads
from sim.errors import UserError
from sim.rng import MASK

SEED = 20260101
TITLE = "methods tested"


def all_experiments() -> list[Experiment]:
    """Return the experiments of the suite, in the order of its rows."""
    return [*interval_experiments(), *sequence_experiments()]


def selftest(
    *,
    long: bool = False,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Put synthetic data with known truth through the methods; one row a promise.

    long: at least 2,000 repetitions of everything instead of 200. processes: two by default, on
    one processor one; the rows do not depend on it. Columns: part, what, at_least, at_most (the
    bounds that the observed share or mean error must keep), observed, low, high (its interval),
    level (of that interval), repetitions, holds.
    Raises UserError for a seed out of range and fewer than one process.
    """
    if not 0 <= seed <= MASK:
        raise UserError(f"the seed must be a whole number from 0 to 2**64 - 1, not {seed}")
    count = min(2, default_threads()) if processes is None else processes
    if count < 1:
        raise UserError(f"the number of processes must be 1 or more, not {count}")
    todo = all_experiments()
    parts: list[pd.DataFrame | None] = [None] * len(todo)
    if count == 1:
        for place in range(len(todo)):
            parts[place] = one_experiment(place, long, seed)
            if progress is not None:
                progress(TITLE, place + 1, len(todo))
    else:
        # fresh interpreters: a fork of a process with threads may never wake up
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(count, mp_context=context, initializer=_end_with_parent) as pool:
            places: dict[Future[pd.DataFrame], int] = {
                pool.submit(one_experiment, place, long, seed): place for place in range(len(todo))
            }
            try:
                for done, future in enumerate(as_completed(places), start=1):
                    parts[places[future]] = future.result()
                    if progress is not None:
                        progress(TITLE, done, len(todo))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return pd.concat([part for part in parts if part is not None], ignore_index=True)


def _end_with_parent() -> None:
    """Leave Ctrl-C to the parent, and end when it has ended, however that came about."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True, name="parent").start()


def one_experiment(place: int, long: bool, seed: int) -> pd.DataFrame:
    """Perform one experiment of the suite, by its place in it."""
    todo = all_experiments()
    return perform([todo[place]], long=long, seed=seed, level=LEVEL, rows=promises(todo))
