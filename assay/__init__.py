"""Assay: a Monte Carlo balance laboratory for tabletop games.

    import assay
    result = assay.play("wizard_miners", seats="builder,cleaner,saboteur,balanced", rotate=True)
    result.frame

Names are loaded when they are first used, so that `import assay` costs next to nothing.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.api import Played, games, play, rules, strategies, trace, weights
    from assay.ask import ask
    from assay.check import check
    from assay.compare import compare
    from assay.explain import explain
    from assay.plan import plan
    from assay.robust import robust
    from assay.runner import report, run
    from assay.selftest import selftest
    from assay.sweep import sweep
    from sim.errors import UserError

_HOMES = {
    "Played": "assay.api",
    "UserError": "sim.errors",
    "ask": "assay.ask",
    "check": "assay.check",
    "compare": "assay.compare",
    "explain": "assay.explain",
    "games": "assay.api",
    "plan": "assay.plan",
    "play": "assay.api",
    "report": "assay.runner",
    "robust": "assay.robust",
    "rules": "assay.api",
    "run": "assay.runner",
    "selftest": "assay.selftest",
    "strategies": "assay.api",
    "sweep": "assay.sweep",
    "trace": "assay.api",
    "weights": "assay.api",
}

__all__ = [
    "Played",
    "UserError",
    "ask",
    "check",
    "compare",
    "explain",
    "games",
    "plan",
    "play",
    "report",
    "robust",
    "rules",
    "run",
    "selftest",
    "strategies",
    "sweep",
    "trace",
    "weights",
]


class _Front(ModuleType):
    """The package: a name of the front door stays what it is when its module is imported.

    An import of `assay.compare` would put that module in the place of the function.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Front


def __getattr__(name: str) -> Any:
    """Load a name of the front door."""
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the names of the front door."""
    return sorted({*globals(), *_HOMES})
