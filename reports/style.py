"""How figures look. Figures are made with `new_figure` inside `context()`, never with pyplot.

Colours differ in lightness as well as in hue, so that they survive a greyscale printer and the
common kinds of colour blindness; series differ in marker and line style besides. Text stays text
in SVG, set in the DejaVu Sans that matplotlib ships, which the typesetter embeds: what a figure
says can be searched in the PDF.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.style import context as style_context

FONT = "DejaVu Sans"

INK = "#1b2530"
MUTED = "#5d6873"
FAINT = "#d9dee3"
ACCENT = "#14365c"
STRIPE = "#f4f6f8"

# Dark to light; neighbours stay apart in greyscale and for protanopes, deuteranopes, tritanopes.
SERIES = ("#14365c", "#c4501e", "#4c9ed0", "#e5b143")
MARKERS = ("o", "s", "^", "D")
LINES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (5, 1.4, 1.2, 1.4)))

# One hue, lightness falling evenly: prints in grey as it reads in colour. Ends light enough for
# dark words to be read on every shade.
SHADES = LinearSegmentedColormap.from_list("assay", ["#f7f9fb", "#cfdfec", "#9cc0dc", "#6fa5d0"])

# Inches. FULL is the width of the text on an A4 page, two HALVES stand side by side.
FULL = (6.38, 2.75)
HALF = (3.09, 2.9)
TALL = (6.38, 4.4)

PNG_DPI = 300

RC: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.labelpad": 4.0,
    "axes.labelsize": 8.0,
    "axes.linewidth": 0.6,
    "axes.prop_cycle": cycler(color=list(SERIES)),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.0,
    "axes.titleweight": "bold",
    "axes.titlepad": 8.0,
    "axes.unicode_minus": True,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.03,
    "figure.dpi": 100.0,
    "figure.facecolor": "white",
    "figure.titlesize": 9.5,
    "figure.titleweight": "bold",
    "font.family": [FONT],
    "font.size": 8.0,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "hatch.color": ACCENT,
    "hatch.linewidth": 0.6,
    "legend.borderaxespad": 0.2,
    "legend.columnspacing": 1.4,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.title_fontsize": 7.5,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "savefig.dpi": PNG_DPI,
    "svg.fonttype": "none",
    "svg.hashsalt": "assay",
    "text.color": INK,
    # A strategy may be called "a$b": a dollar is a dollar, never the start of a formula.
    "text.parse_math": False,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 7.5,
    "xtick.major.size": 3.0,
    "xtick.major.width": 0.6,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 7.5,
    "ytick.major.size": 3.0,
    "ytick.major.width": 0.6,
}


def context() -> AbstractContextManager[None]:
    """The report's style on top of matplotlib's defaults; a user's matplotlibrc has no say."""
    return style_context(RC, after_reset=True)


def new_figure(size: tuple[float, float] = FULL) -> Figure:
    """An empty figure of this size in inches that lays itself out; knows nothing of pyplot."""
    return Figure(figsize=size, layout="constrained")


def font_folder() -> Path:
    """Where matplotlib keeps the fonts it ships."""
    return Path(mpl.get_data_path()) / "fonts" / "ttf"


def series(index: int) -> dict[str, Any]:
    """Colour, marker and line style of the index-th series (from 0).

    Beyond four, colours come round again with another line style and marker.
    """
    n = len(SERIES)
    turn = index // n
    return {
        "color": SERIES[index % n],
        "marker": MARKERS[(index + turn) % n],
        "linestyle": LINES[(index + turn) % n],
    }


def text_on(colour: Any) -> str:
    """Ink or white, whichever reads better on this background."""
    light = relative_luminance(colour)
    dark_ink = relative_luminance(INK)
    return INK if (light + 0.05) / (dark_ink + 0.05) >= 1.05 / (light + 0.05) else "white"


def relative_luminance(colour: Any) -> float:
    """Relative luminance (0 black to 1 white) as the WCAG defines it."""
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in to_rgb(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
