"""What happened between two decisions, for traces.

Rules report events with `emit`. Compiled code drops the call; in plain Python the events go to
the listener that a trace has set. So a trace is played in plain Python mode.
"""

from __future__ import annotations

from collections.abc import Callable

from sim.jit import COMPILED, rule

Listener = Callable[[int, int, int, int, int], None]
_listeners: list[Listener] = []


def listen(listener: Listener | None) -> None:
    """Send events to `listener(event, seat, a, b, c)` from now on; None stops it."""
    _listeners[:] = [] if listener is None else [listener]


if COMPILED:

    @rule
    def emit(event, seat, a, b, c):
        """Do nothing: compiled games are not traced."""

else:

    def emit(event, seat, a, b, c):
        """Report an event of a seat (-1 for nobody's) with up to three numbers."""
        for listener in _listeners:
            listener(int(event), int(seat), int(a), int(b), int(c))
