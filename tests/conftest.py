"""What every test run needs before the first test is imported."""

import os

import hypothesis
import pytest

# Figures are drawn without a screen, whatever the machine's settings.
os.environ["MPLBACKEND"] = "Agg"

# Shared helpers assert too, and should explain a failure as well as a test does.
pytest.register_assert_rewrite("tests.contract", "tests.oracles")

# No deadline in any profile: the first example of a test may compile a kernel.
hypothesis.settings.register_profile("explore", deadline=None, print_blob=True)
# CI and `make test` draw the same examples every time: a red run is red for its change.
hypothesis.settings.register_profile("repeatable", deadline=None, print_blob=True, derandomize=True)
# Rules in plain Python are some hundred times slower, and the compiled run saw all the examples.
hypothesis.settings.register_profile(
    "plain", hypothesis.settings.get_profile("repeatable"), max_examples=15
)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE")
    or ("plain" if os.environ.get("NUMBA_DISABLE_JIT") == "1" else "repeatable")
)
