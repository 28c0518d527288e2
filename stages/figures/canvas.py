"""Sheets to draw on: a figure with its footer, a legend that hides nothing, and files with the same bytes each time.

matplotlib takes half a second to import: inside the functions, so that `--help` does not wait for it.
"""

import uuid
from pathlib import Path

from stages.figures import style

WIDTH = 5.5  # inches: the text width of the paper
FOOTER = 0.17  # inches kept free for the line that says at what scale the numbers were made


def sheet(rows, columns, height, footer, **options):
    """Return (figure, axes as a 2-d array) with `footer` in small print below."""
    import matplotlib

    matplotlib.rcParams.update(matplotlib.rcParamsDefault)
    matplotlib.rcParams.update(style.PARAMETERS)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.get_layout_engine().set(rect=(0, FOOTER / height, 1, 1 - FOOTER / height), w_pad=0.03, h_pad=0.03)
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    figure.text(0.995, 0.03 / height, footer, ha="right", va="bottom", fontsize=6, color=style.GREY)
    return figure, axes


def legend_below(figure, handles, columns):
    """Put one legend for all panels under them."""
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, columnspacing=1.4)


def line(label, **look):
    """Return a legend entry."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **look)


def curve_with_band(axes, x, mean, spread, *, band=True, **look):
    """Draw a mean over runs with a band of one standard deviation."""
    axes.plot(x, mean, **look)
    if band and spread is not None:
        axes.fill_between(x, mean - spread, mean + spread, color=look["color"], alpha=0.16, linewidth=0)


def picture(axes, pixels, **options):
    """Show a vector of pixels as a square image without ticks."""
    side = round(len(pixels) ** 0.5)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#BBBBBB")
    return axes.imshow(pixels.reshape(side, side), **options)


def save(figure, outputs, dpi):
    """Write the figure to each path, by its suffix; no date and no version in the files, so that bytes repeat."""
    silent = {
        ".png": {"Software": None},
        ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    }
    for path in map(Path, outputs):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{uuid.uuid4().hex[:8]}{path.suffix}")
        try:
            figure.savefig(temporary, dpi=dpi, metadata=silent[path.suffix])
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
