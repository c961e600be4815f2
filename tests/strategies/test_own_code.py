"""Users' files: what compiles plays, and what does not is explained with file and line."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from sim.errors import UserError
from sim.jit import COMPILED
from strategies.resolve import Strategy, resolve
from tests.contract import Session
from tests.strategies.tables import GAME, choose, tables_for

compiled_only = pytest.mark.skipif(not COMPILED, reason="there is no compiler to complain")
HEAD = "def decide(state, tables, prompt, weights):\n"


def bot(folder: Path, text: str, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_text(textwrap.dedent(text), "utf-8")
    return path


def mistake(folder: Path, text: str, function: str = "decide") -> str:
    """Return what is said about a user's file, without the folder's name."""
    path = bot(folder, text)
    with pytest.raises(UserError) as caught:
        resolve(GAME, f"{path}:{function}")
    return str(caught.value).replace(f"{folder}/", "")


def first_choice(strategy: Strategy) -> int:
    session = Session(GAME, tables_for(4))
    session.open()
    return choose(strategy, session)


@pytest.mark.kernel
def test_a_bot_chooses(tmp_path: Path) -> None:
    path = bot(tmp_path, HEAD + "    return 5 if state['legal'] >> 5 & 1 else 0\n")
    assert first_choice(resolve(GAME, f"{path}:decide")) == 5


@pytest.mark.kernel
def test_it_may_return_an_enum_or_a_truth_value(tmp_path: Path) -> None:
    path = bot(
        tmp_path,
        """
        from enum import IntEnum

        class Choice(IntEnum):
            DRILL = 5

        def enum(state, tables, prompt, weights):
            return Choice.DRILL

        def truth(state, tables, prompt, weights):
            return state["gems"][0] > 2
        """,
    )
    assert first_choice(resolve(GAME, f"{path}:enum")) == 5
    assert first_choice(resolve(GAME, f"{path}:truth")) == 1


@pytest.mark.kernel
def test_an_edit_counts_at_once_in_the_file_and_beside_it(tmp_path: Path) -> None:
    own = "from beside_it import pick\n" + HEAD + "    return pick(state['legal'])\n"
    path = bot(tmp_path, own)
    helper = "from sim.jit import rule\n@rule\ndef pick(legal):\n    return {}\n"
    bot(tmp_path, helper.format(2), "beside_it.py")
    before = resolve(GAME, f"{path}:decide")
    bot(tmp_path, helper.format(3), "beside_it.py")
    after = resolve(GAME, f"{path}:decide")
    assert (first_choice(before), first_choice(after)) == (2, 3)
    assert before.source_hash != after.source_hash
    bot(tmp_path, HEAD + "    return 4\n")
    assert first_choice(resolve(GAME, f"{path}:decide")) == 4


def test_functions_of_one_file_are_not_mixed_up(tmp_path: Path) -> None:
    path = bot(
        tmp_path, HEAD + "    return 1\n\n\n" + HEAD.replace("decide", "other") + "    return 2\n"
    )
    one, two = resolve(GAME, f"{path}:decide"), resolve(GAME, f"{path}:other")
    assert (first_choice(one), first_choice(two)) == (1, 2)
    assert one.source_hash != two.source_hash


def test_a_function_compiled_by_its_author(tmp_path: Path) -> None:
    path = bot(tmp_path, "from numba import njit\n@njit\n" + HEAD + "    return 3\n")
    assert first_choice(resolve(GAME, f"{path}:decide")) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def decide(:\n", "bot.py:1: syntax error: "),
        (HEAD + "    return 1\n  x = 2\n", "bot.py:3: syntax error: unindent"),
        ("x = 1\ny = x / 0\n", "bot.py:2: running the file failed: ZeroDivisionError: division"),
        ("import nowhere_to_be_found\n", "bot.py:1: running the file failed: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "bot.py:1: running the file failed: SystemExit: 3"),
        (
            "decde = 1\ndef decid(a):\n    pass\n",
            "bot.py: no function 'decide' (did you mean 'decid'?)",
        ),
        ("", "bot.py: no function 'decide'; it has none"),
        ("from textwrap import dedent as decide\n", "bot.py: no function 'decide'; it has none"),
        (
            "\ndef decide(state, legal):\n    return 0\n",
            "bot.py:2: decide must take four parameters, (state, tables, prompt, weights), "
            "not (state, legal)",
        ),
        ("def decide(*args):\n    return 0\n", "must take four parameters"),
        ("def decide(state, tables, prompt, *, weights):\n    return 0\n", "must take four"),
        (
            "WEIGHTS = [1]\n" + HEAD + "    return 0\n",
            "bot.py: WEIGHTS must be a dict of at most 64",
        ),
        ("WEIGHTS = {'a': 'b'}\n" + HEAD + "    return 0\n", "WEIGHTS: 'a': 'b' is not a name and"),
        ("WEIGHTS = {'blunder': 1}\n" + HEAD + "    return 0\n", "WEIGHTS: 'blunder': 1 is not a"),
        ("WEIGHTS = {'a': float('nan')}\n" + HEAD + "    return 0\n", "WEIGHTS: 'a': nan is not a"),
        (HEAD + "    yield 1\n", "bot.py:1: decide must return its choice: no yield, no async"),
        ("async " + HEAD + "    return 1\n", "bot.py:1: decide must return its choice"),
        ("\0", "null bytes"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    assert said in mistake(tmp_path, text)


def test_no_function_named(tmp_path: Path) -> None:
    assert (
        mistake(tmp_path, HEAD + "    return 0\n", "")
        == "bot.py: say which function, as bot.py:FUNCTION; it has decide"
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").mkdir()
    with pytest.raises(UserError, match=r"bot\.py: cannot be read: Is a directory"):
        resolve(GAME, f"{tmp_path}/bot.py:decide")


@compiled_only
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "return 0.5 * prompt",
            "bot.py:1: decide must return a whole number, the choice, not float64",
        ),
        ("return None", "must return a whole number, the choice, not nothing"),
        ("if prompt > 2:\n        return 1", "must return a whole number, the choice, not nothing"),
        (
            "return 'dig'",
            "bot.py:1: decide must return a whole number, the choice, not unicode_type",
        ),
        ("return state['gem'][0]", "there is no field 'gem' (did you mean 'gems'?)"),
        ("return len(nobody)", "bot.py:1: decide does not compile:\n  NameError: name 'nobody'"),
        ("return open('x')", "bot.py:2: decide does not compile:\n  Untyped global name 'open'"),
        ("return prompt + 'x'", "bot.py:2: decide does not compile:\n  No implementation of"),
    ],
)
def test_a_function_that_does_not_compile(tmp_path: Path, body: str, said: str) -> None:
    text = mistake(tmp_path, HEAD + f"    {body}\n")
    assert said in text
    assert len(text.splitlines()) <= 6
    assert "Traceback" not in text


@pytest.mark.skipif(COMPILED, reason="the compiler says so before")
def test_plain_python_refuses_what_is_no_whole_number(tmp_path: Path) -> None:
    path = bot(tmp_path, HEAD + "    return 0.5\n")
    with pytest.raises(TypeError, match=r"must be a whole number, not 0\.5"):
        first_choice(resolve(GAME, f"{path}:decide"))


def test_weights_reach_the_function(tmp_path: Path) -> None:
    text = "WEIGHTS = {'a': 1, 'b': 2}\n" + HEAD + "    return int(weights[0] + 10 * weights[1])\n"
    path = bot(tmp_path, text)
    assert first_choice(resolve(GAME, f"{path}:decide")) == 21
    assert first_choice(resolve(GAME, f"{path}:decide:a=3")) == 23
    assert np.count_nonzero(resolve(GAME, f"{path}:decide").weights) == 2
