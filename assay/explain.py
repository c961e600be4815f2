"""Where two plays of the same deal part: the first game, the decision or event, what follows.

Both games are told by the narrator of traces, in plain Python, in a child process: kernels of this
process are compiled. What is compared is what a reader of the traces sees.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sim.errors import UserError, choices, nearest
from sim.wording import counted

if TYPE_CHECKING:
    from assay.compare import Compared

BEFORE = 4  # lines told alike, shown before the games part
AFTER = 12  # lines of each game, shown from there
OPENING, DECISION, EVENT, ENDING = "set-up", "decision", "event", "ending"


@dataclass(frozen=True)
class Told:
    """A line of a trace: what it tells of, which step exactly, its words."""

    kind: str
    step: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Explanation:
    """The first game in which a variant and the base part.

    game: its number, None where no game parts. games: how many part, of how many. where: the
    heading above the place where they part ("Roll 3, ..."). what: what parts them, in words.
    before: lines told alike. base, changed: the lines of each from there to the end. replays: the
    commands that tell each of them whole.
    """

    variant: str
    games: int
    of: int
    game: int | None = None
    where: str = ""
    what: str = ""
    before: tuple[str, ...] = ()
    base: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    replays: tuple[str, str] = ("", "")

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; the traces in full."""
        return {
            "variant": self.variant,
            "game": self.game,
            "games_parted": self.games,
            "games": self.of,
            "where": self.where,
            "what": self.what,
            "before": list(self.before),
            "base": list(self.base),
            "changed": list(self.changed),
            "replays": list(self.replays),
        }

    def lines(self) -> list[str]:
        """Return it for reading, shortened."""
        if self.game is None:
            return [f"{self.variant}: none of {counted(self.of, 'game')} parts from the base's"]
        heading = (
            f"{self.variant}: {self.games:,} of {counted(self.of, 'game')} "
            f"{'parts' if self.games == 1 else 'part'} from the base's; "
            f"the first is game {self.game}"
        )
        place = f" in {self.where}" if self.where else ""
        lines = [heading, f"they part{place}: {self.what}", ""]
        if len(self.before) > BEFORE:
            lines.append(f"  both     ... {counted(len(self.before) - BEFORE, 'line')} alike")
        lines += [f"  both     {line}" for line in self.before[-BEFORE:]]
        for name, told in (("base", self.base), ("variant", self.changed)):
            lines.append("")
            lines += [f"  {name:<8} {line}" for line in told[:AFTER]]
            if len(told) > AFTER + 1:
                lines.append(f"  {name:<8} ... {counted(len(told) - AFTER - 1, 'line')}")
            if len(told) > AFTER:
                lines.append(f"  {name:<8} {told[-1]}")
        lines += ["", "the whole games:", *(f"  {command}" for command in self.replays)]
        return lines


def explain(compared: Compared, variants: Sequence[str] = ()) -> list[Explanation]:
    """Explain some variants of a comparison, or all of them.

    Raises UserError for a variant that was not compared.
    """
    known = compared.task.variants
    check_variants(variants, known)
    return [_explain(compared, name) for name in variants or known]


def check_variants(names: Sequence[str], known: Collection[str]) -> None:
    """Raise UserError for a name that is no variant's."""
    for name in names:
        if name not in known:
            raise UserError(
                f"unknown variant {name!r}{nearest(name, known)}; known variants: {choices(known)}"
            )


def _explain(compared: Compared, name: str) -> Explanation:
    from strategies.trial import replay_command

    setting, parted = compared.setting, compared.parted[name]
    if parted.first is None:
        return Explanation(name, 0, setting.games)
    variant, plays = compared.task.variants[name], compared.task.plays
    own = {key: getattr(value, "value", value) for key, value in variant.patches.items()}
    base = {key: getattr(value, "value", value) for key, value in plays.patches.items()}
    sides = [(setting.seats, base), (variant.seats or setting.seats, {**base, **own})]
    arguments = {
        "game": setting.game.name,
        "rules": str(setting.rules.folder),
        "seed": setting.seed,
        "number": parted.first,
        "rotations": setting.rotations,
        "sides": [{"seats": list(seats), "patches": patches} for seats, patches in sides],
    }
    one, other = _tell(arguments)
    alike = 0
    while alike < min(len(one), len(other)) and one[alike].text == other[alike].text:
        alike += 1
    changes = [word for k, v in own.items() for word in ("--set", f"{k}={_toml(v)}")]
    replays = [
        replay_command(setting.game, seats, setting.seed, parted.first, setting.rotations, options)
        for (seats, _), options in zip(
            sides, (plays.options, [*plays.options, *changes]), strict=True
        )
    ]
    return Explanation(
        name,
        parted.games,
        setting.games,
        parted.first,
        next((line.text for line in reversed(one[:alike]) if not line.text.startswith(" ")), ""),
        _what(one[alike:], other[alike:]),
        tuple(line.text for line in one[:alike]),
        tuple(line.text for line in one[alike:]),
        tuple(line.text for line in other[alike:]),
        (replays[0], replays[1]),
    )


def _toml(value: Any) -> str:
    from assay.output import as_toml

    return as_toml(value)


def _what(one: Sequence[Told], other: Sequence[Told]) -> str:
    """Return in words what parts two games, from the first lines that differ."""
    if not one or not other:
        return "both are told alike; what differs shows only in the figures"
    kinds = {one[0].kind, other[0].kind}
    if kinds == {OPENING}:
        return "the set-up differs"
    if kinds == {DECISION}:
        if one[0].step == other[0].step:
            return "the same decision, with another effect"
        if one[0].step[:2] == other[0].step[:2]:
            return "a player decides otherwise"
        return "another decision is asked for"
    if kinds == {EVENT}:
        if one[0].step[:2] == other[0].step[:2]:
            return "the same event, a draw or what the rules make of it, comes out otherwise"
        return "another event, a draw or what the rules make of it, comes next"
    return "what comes next is a decision in one and not in the other"


# ----------------------------------------------------------------------------------- the child

_CHILD = "import json, sys; from assay.explain import _main; _main(json.loads(sys.argv[1]))"


def _tell(arguments: Mapping[str, Any]) -> tuple[list[Told], list[Told]]:
    """Return both games as told by a child process in plain Python."""
    home = str(Path(__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, json.dumps(arguments)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode == 2:
        raise UserError(done.stderr.strip())
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    one, other = (
        [Told(kind, tuple(step), text) for kind, step, text in side]
        for side in json.loads(done.stdout)
    )
    return one, other


def _main(arguments: Mapping[str, Any]) -> None:
    """Tell both games as JSON."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        print(json.dumps([_told(arguments, side) for side in arguments["sides"]]))
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def _told(arguments: Mapping[str, Any], side: Mapping[str, Any]) -> list[list[Any]]:
    from assay.api import set_table
    from sim.batch import Batch
    from sim.trace import trace_game
    from strategies.resolve import lineup

    table = set_table(
        arguments["game"],
        seats=side["seats"],
        rules=arguments["rules"],
        patches=side["patches"],
    )
    who = lineup(table.game, table.specs)
    steps: list[tuple[str, list[int], list[str]]] = []
    describe = SimpleNamespace(Narrator=_listening(table.game.describe.Narrator, steps))
    batch = Batch(
        replace(table.game, describe=describe),
        table.record,
        who,
        arguments["seed"],
        arguments["rotations"],
    )
    trace_game(batch, arguments["number"], tuple(who.labels), lambda line: None)
    return [[kind, step, line] for kind, step, lines in steps for line in lines if line.strip()]


def _listening(narrator: Any, steps: list[tuple[str, list[int], list[str]]]) -> Any:
    """Return a narrator that also keeps what it tells, step by step.

    A decision's step is the prompt, the seat, the choice; an event's the event, the seat, the rest.
    """

    class Listening(narrator):
        def opening(self) -> list[str]:
            return keep(OPENING, [], super().opening())

        def decision(self, prompt: int, choice: int) -> list[str]:
            seat = int(self.state["seat"])
            return keep(
                DECISION, [int(prompt), seat, int(choice)], super().decision(prompt, choice)
            )

        def event(self, *event: int) -> list[str]:
            return keep(EVENT, [int(part) for part in event], super().event(*event))

        def ending(self) -> list[str]:
            return keep(ENDING, [], super().ending())

    def keep(kind: str, step: list[int], lines: list[str]) -> list[str]:
        steps.append((kind, step, lines))  # the list itself: a blunder is noted in it later
        return lines

    return Listening


__all__ = ["Explanation", "explain"]
