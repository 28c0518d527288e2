"""Colours, and the assignment of distinct colours to several things.

The first seven are Okabe and Ito's, which people with the common colour-vision deficiencies can tell apart; the spare
ones, for what a user adds, are Tol's muted colours. Grey is for annotations and is not assigned automatically.
"""

import colorsys
import itertools

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"  # their yellow is too pale for lines on white
GREY = "#666666"
WINE, INDIGO, OLIVE, TEAL, ROSE, SAND = "#882255", "#332288", "#999933", "#44AA99", "#CC6677", "#B8A14A"
SPARE = [WINE, INDIGO, OLIVE, TEAL, ROSE, SAND, BLACK, PURPLE, ORANGE, SKY, GREEN, VERMILION, BLUE]


def distinct(preferred, taken=()):
    """Return {name: colour} for {name: preferred colour, or None}: all distinct, and none of `taken`.

    Preferences come first, in the given order; the others get the first remaining colours.
    """
    given, used = {}, set(taken)
    for name, wanted in preferred.items():
        if wanted and wanted not in used:
            given[name] = wanted
            used.add(wanted)
    for name in preferred:
        if name not in given:
            given[name] = next(colour for colour in itertools.chain(SPARE, _hues()) if colour not in used)
            used.add(given[name])
    return given


def _hues():
    """Yield colours without end: each hue is the previous one plus a golden section of the circle."""
    for number in itertools.count():
        red, green, blue = colorsys.hls_to_rgb(0.618034 * number % 1, 0.4, 0.7)
        yield f"#{round(255 * red):02X}{round(255 * green):02X}{round(255 * blue):02X}"
