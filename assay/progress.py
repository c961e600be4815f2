"""Progress on stderr: what is being played, games a second, time left."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from sim.wording import counted

Progress = Callable[[str, int, int], None]
"""Called with what is being played, games done, games wanted."""

QUIET = 0.4  # seconds without a display: most commands are done by then
LINE_EVERY = 2.0  # seconds between lines where stderr is no terminal


def _left(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


class _Rate:
    """Games a second and time left of what is being played now."""

    def __init__(self) -> None:
        self.label = ""
        self.began = 0.0
        self.first = 0

    def update(self, label: str, done: int, total: int) -> tuple[float, float]:
        """Return (games a second, seconds left)."""
        now = time.monotonic()
        if label != self.label or done < self.first:
            self.label, self.began, self.first = label, now, done
        passed = now - self.began
        rate = (done - self.first) / passed if passed > 0 else 0.0
        return rate, (total - done) / rate if rate else float("nan")


class _Lines:
    """Plain lines, for logs."""

    def __init__(self) -> None:
        self.rate = _Rate()
        self.last = time.monotonic()

    def __call__(self, label: str, done: int, total: int) -> None:
        rate, left = self.rate.update(label, done, total)
        now = time.monotonic()
        if now - self.last >= LINE_EVERY and rate:
            self.last = now
            text = (
                f"{label}: {done:,} of {counted(total, 'game')}, {rate:,.0f} games/s, "
                f"{_left(left)} left"
            )
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Do nothing: lines need no clearing away."""


class _Bar:
    """A bar that appears after a moment and is gone at the end."""

    def __init__(self) -> None:
        self.rate = _Rate()
        self.born = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def __call__(self, label: str, done: int, total: int) -> None:
        rate, left = self.rate.update(label, done, total)
        if self.bar is None:
            if time.monotonic() - self.born < QUIET:
                return
            self._show()
        speed = f"{rate:,.0f} games/s" if rate else ""
        rest = f"{_left(left)} left" if rate else ""
        self.bar.update(
            self.task, description=label, completed=done, total=total, speed=speed, rest=rest
        )

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bars

        self.bar = Bars(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.completed:,} of {task.total:,}"),
            TextColumn("{task.fields[speed]}"),
            TextColumn("{task.fields[rest]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("", total=1, speed="", rest="")
        self.bar.start()

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()


@contextlib.contextmanager
def showing(wanted: bool | None) -> Iterator[Progress | None]:
    """Give what shows progress on stderr, or None.

    wanted: True always (plain lines where stderr is no terminal), False never, None only on a
    terminal.
    """
    terminal = sys.stderr.isatty()
    if wanted is False or (wanted is None and not terminal):
        yield None
        return
    display: _Bar | _Lines = _Bar() if terminal else _Lines()
    try:
        yield display
    finally:
        display.close()
