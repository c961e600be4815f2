from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.colors import to_hex, to_rgb

from reports import style

# Machado, Oliveira, Fernandes (2009), severity 1, for linear RGB.
BLINDNESS = {
    "none": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour) -> np.ndarray:
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", BLINDNESS)
def test_series_stay_apart_for_all_eyes(kind):
    seen = [lab(BLINDNESS[kind] @ linear(colour)) for colour in style.SERIES]
    for a, b in itertools.combinations(seen, 2):
        assert np.linalg.norm(a - b) > 22


def test_series_stay_apart_in_greyscale():
    grey = sorted(lab(linear(colour))[0] for colour in style.SERIES)
    assert min(np.diff(grey)) > 12


def test_series_differ_in_more_than_colour():
    looks = [style.series(i) for i in range(12)]
    assert len({(k["color"], k["marker"], str(k["linestyle"])) for k in looks}) == 12
    assert len({k["marker"] for k in looks[:4]}) == 4


def test_shades_darken_evenly_and_words_can_be_read_on_all_of_them():
    lightness = np.array([lab(linear(to_hex(style.SHADES(v))))[0] for v in np.linspace(0, 1, 21)])
    assert (np.diff(lightness) < 0).all()
    for value in np.linspace(0, 1, 21):
        background = style.SHADES(value)
        light, dark = sorted(
            (style.relative_luminance(c) for c in (background, style.text_on(background))),
            reverse=True,
        )
        assert (light + 0.05) / (dark + 0.05) > 4.5


def test_the_style_leaves_no_trace_and_needs_no_pyplot():
    before = dict(rcParams)
    with style.context():
        assert rcParams["svg.fonttype"] == "none"
        assert rcParams["svg.hashsalt"] == "assay"
        assert rcParams["font.family"] == [style.FONT]
    assert dict(rcParams) == before
    code = (
        "import sys, reports.build, reports.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-W", "error", "-c", code], check=False).returncode == 0
