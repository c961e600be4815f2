"""The command line: one file a command. Heavy imports happen inside commands.

Exit codes: 0 done as asked, 2 a mistake of the user's (one message on stderr), 130 interrupted;
of verdicts: 1 something fails, 3 nothing fails but something is undecided.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup

from assay.cli import (
    ask,
    bench,
    check,
    compare,
    games,
    plan,
    play,
    report,
    robust,
    rules,
    run,
    selftest,
    strategies,
    sweep,
    trace,
    validate,
)
from sim.errors import UserError

GRACE = 0.3  # seconds from Ctrl-C to the end, whatever is running
INTERRUPTED = 130
GARBAGE = 50_000  # new objects between two collections
PIPE_CLOSED = 141
COMMANDS: dict[str, Callable[..., None]] = {
    "games": games.games,
    "rules": rules.rules,
    "validate": validate.validate,
    "strategies": strategies.strategies,
    "play": play.play,
    "trace": trace.trace,
    "ask": ask.ask,
    "run": run.run,
    "compare": compare.compare,
    "sweep": sweep.sweep,
    "check": check.check,
    "plan": plan.plan,
    "robust": robust.robust,
    "report": report.report,
    "selftest": selftest.selftest,
    "bench": bench.bench,
}


class Commands(TyperGroup):
    """All commands, with one way to end for each kind of trouble."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands in the order in which one meets them."""
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. A mistake of the user's becomes a message and exit code 2."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except UserError as error:
            print(f"assay: error: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            print(_interrupted(), file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _forget_output()  # nobody reads on
            raise typer.Exit(PIPE_CLOSED) from None
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            _forget_output()
            print(f"assay: error: cannot write the result: {error.strerror}", file=sys.stderr)
            raise typer.Exit(2) from None


def _forget_output() -> None:
    """Drop what was not written, or the interpreter would complain about it when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    name="assay",
    help=(
        "Assay: a Monte Carlo balance laboratory for tabletop games.\n\n"
        "It plays millions of complete games with scripted strategies and says, with intervals,\n"
        "what the rules do: who wins, how long it takes, what a rule is worth.\n\n"
        "\b\nStart with:\n"
        "  assay games\n"
        "  assay play wizard_miners --games 100000\n"
        "  assay trace wizard_miners --seat 1=human"
    ),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for _name, _command in COMMANDS.items():
    # docstrings are raw; the mark that keeps the lines of an example apart is a control character
    app.command(_name, help=(inspect.getdoc(_command) or "").replace("\\b", "\b"))(_command)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        try:
            print(f"assay {metadata.version('tabletop-assay')}")
        except metadata.PackageNotFoundError:
            print("assay: error: not installed, so it has no version", file=sys.stderr)
            raise typer.Exit(2) from None
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    pass


def _interrupted() -> str:
    return "assay: interrupted"


def _end_soon() -> None:
    """See to it that Ctrl-C ends the process even while compiled code runs.

    Python delivers an interruption only between two of its own steps. The byte that its C handler
    writes comes at once, and wakes the thread that waits here.
    """
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def wait() -> None:
        while True:
            if signal.SIGINT in os.read(read, 1):
                break
        time.sleep(GRACE)
        with contextlib.suppress(OSError, ValueError):
            print(_interrupted(), file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)

    threading.Thread(target=wait, daemon=True, name="interruption").start()


def main() -> None:
    """Run the command line of this process."""
    if threading.current_thread() is threading.main_thread() and os.name == "posix":
        _end_soon()
    # imports make a hundred thousand objects that live to the end: to look through them again and
    # again, and once more at the exit, takes a quarter of a short command
    gc.set_threshold(GARBAGE)
    try:
        app(prog_name="assay")
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            # the interpreter would take some 0.3 s to put everything away
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(INTERRUPTED)
        raise
    finally:
        gc.freeze()


__all__ = ["app", "main"]
