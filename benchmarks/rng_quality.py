"""Put the generator through dieharder, the public test battery: `make rng-quality`.

The draws are handed over in three orders, each of which a batch of games relies on: consecutive
counters; the same address in consecutive deals; and the addresses of a game, deal by deal. Tests
that dieharder itself calls suspect are left out, and the one that tests its own methods. Needs
the program `dieharder` (Debian and others:
the package of that name). A whole run takes about half an hour; `--tests 0,2,100` picks tests.

Of 100 results one is WEAK by chance alone. dieharder's own mode for that ("resolve ambiguity")
adds samples to a weak test until it passes clearly or fails beyond doubt. Exit code 1 if a test
fails, 2 if dieharder is missing.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from sim.driver import backstage_dtype
from sim.rng import draw, make_key, set_deal, squares64

GOOD = (*range(5), *range(8, 14), 15, 16, 17, 100, 101, 102, *range(200, 204), *range(205, 210))
SIZES = {200: (1, 4, 12), 201: (2, 5), 202: (2, 5), 203: (0, 8, 32)}  # tests of a size to choose
CHUNK = 1 << 16
GAME_STREAMS = np.array([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 240, 241, 242, 243])
GAME_TURNS = 41


@njit
def counters(luck: Any, first: int, out: Any) -> None:
    """Fill `out` with the draws of consecutive counters."""
    key = luck[0]["key"]
    for i in range(len(out)):
        out[i] = squares64(np.uint64(first + i), key) >> np.uint64(32)


@njit
def deals(luck: Any, first: int, out: Any) -> None:
    """Fill `out` with the first mining die of consecutive deals."""
    for i in range(len(out)):
        set_deal(luck[0], first + i)
        out[i] = draw(luck[0], 0, 256)


@njit
def addresses(luck: Any, first: int, out: Any) -> None:
    """Fill `out` with the addresses of games: every purpose, turn after turn, deal after deal."""
    for i in range(len(out)):
        place = first + i
        stream = GAME_STREAMS[place % len(GAME_STREAMS)]
        place //= len(GAME_STREAMS)
        set_deal(luck[0], place // GAME_TURNS)
        out[i] = draw(luck[0], stream, (place % GAME_TURNS) << 8)


ORDERS: dict[str, Callable[..., None]] = {
    "counters": counters,
    "deals": deals,
    "addresses": addresses,
}


def feed(pipe: Any, fill: Callable[..., None], seed: int) -> None:
    """Write draws into a pipe until nobody reads any more."""
    luck = np.zeros(1, backstage_dtype(np.dtype([])))
    luck["key"] = make_key(seed)
    out = np.zeros(CHUNK, np.uint32)
    first = 0
    try:
        while True:
            fill(luck, first, out)
            pipe.write(out.tobytes())
            first += CHUNK
    except (BrokenPipeError, ValueError):
        pass


def run_test(order: str, test: int, seed: int, size: int | None) -> list[list[str]]:
    """Run one test of dieharder; return its result lines, split into fields."""
    command = ["dieharder", "-g", "200", "-Y", "1", "-k", "2", "-d", str(test)]
    if size is not None:
        command += ["-n", str(size)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        feeder = threading.Thread(target=feed, args=(process.stdin, ORDERS[order], seed))
        feeder.start()
        assert process.stdout is not None
        text = process.stdout.read().decode()
        process.wait()
        feeder.join()
        if process.stdin is not None:
            process.stdin = None  # broken: nothing to flush
    rows = [[field.strip() for field in line.split("|")] for line in text.splitlines()]
    return [row for row in rows if row[-1] in ("PASSED", "WEAK", "FAILED")]


def main() -> int:
    """Run the battery; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--orders", default=",".join(ORDERS), help="comma-separated")
    parser.add_argument("--tests", default=",".join(map(str, GOOD)), help="comma-separated")
    options = parser.parse_args()
    if shutil.which("dieharder") is None:
        print("dieharder is not installed (Debian: apt-get install dieharder)", file=sys.stderr)
        return 2
    failed = results = 0
    for order in options.orders.split(","):
        for test in map(int, options.tests.split(",")):
            for size in SIZES.get(test, (None,)):
                start = time.monotonic()
                rows = run_test(order, test, options.seed, size)
                if not rows:
                    print(f"{order} test {test}: dieharder gave no result", file=sys.stderr)
                    return 1
                for name, parameter, _, samples, p_value, verdict in rows:
                    results += 1
                    failed += verdict == "FAILED"
                    print(
                        f"{order:10} {name:22} {parameter:>3} {samples:>6} samples  p = {p_value}"
                        f"  {verdict}  {time.monotonic() - start:.0f} s",
                        flush=True,
                    )
    print(f"{results} results, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
