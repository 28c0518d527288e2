"""The layout of figures: panels with a footer, a legend below the panels, and reproducible files.

matplotlib takes half a second to import, so it is imported inside the functions: `--help` does not wait for it.
"""

import math
from pathlib import Path

import numpy as np

from stages.drawing import style
from stages.names import labels
from stages.runtime import program
from stages.statistics import runs
from stages.storage.whole_files import replacing_file

WIDTH = 5.5  # inches: the text width of the paper
FOOTER_LINE = 0.115  # inches reserved per line of the footer, which states the scale of the experiment
LEGEND_LINE = 0.15
PAD = 0.04
FEW = 3  # panels side by side that leave room for long titles
MOST = 4  # panels side by side before a new row starts
LINEAR_UP_TO = 8  # use a logarithmic axis if the largest value over the smallest exceeds this


def sheet(rows, columns, height, footer, *, headroom=0.0, **options):
    """Return (figure, axes as a 2-d array) with `footer` in small print below and `headroom` inches of space above."""
    import matplotlib

    matplotlib.rcParams.update(matplotlib.rcParamsDefault)
    matplotlib.rcParams.update(style.PARAMETERS)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    figure.text(0.5, 0.03 / height, footer, ha="center", va="bottom", fontsize=5.8, linespacing=1.35, color=style.GREY)
    figure.get_layout_engine().set(w_pad=PAD, h_pad=PAD)
    _keep_free(figure, PAD + FOOTER_LINE * (1 + footer.count("\n")), headroom)
    return figure, axes


def _keep_free(figure, below, above=0.0):
    """Reserve this many inches of the figure below and above the panels."""
    height = figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, below / height, 1, 1 - (below + above) / height))


def legend_below(figure, handles, columns, by_columns=False):
    """Put one legend for all panels below them, where it hides no curve; entries run along the rows."""
    rows = -(-len(handles) // columns)
    # matplotlib fills columns first, people read rows first.
    if not by_columns:
        handles = [handles[place] for column in range(columns) for place in range(column, len(handles), columns)]
    footer = PAD + FOOTER_LINE * (1 + figure.texts[0].get_text().count("\n"))
    legend = figure.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, footer / figure.get_figheight()),
        ncols=columns,
        columnspacing=1.8,
        borderaxespad=0,
        borderpad=0.2,
    )
    legend.set_in_layout(False)
    _keep_free(figure, footer + PAD + LEGEND_LINE * rows)


def line(label, **look):
    """Return a legend entry."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **look)


def curve_with_band(axes, x, values, **look):
    """Draw the mean of values (run, x) over runs, with a band of one standard deviation; return the mean."""
    mean, spread = runs.mean_and_spread(values)
    axes.plot(x, mean, **look)
    if spread is not None:
        axes.fill_between(x, mean - spread, mean + spread, color=look["color"], alpha=0.12, linewidth=0)
    return mean


def combination_lines(colours, **look):
    """Return legend entries for {(activation, loss): colour}."""
    return [line(labels.combination_label(*each), color=colour, **look) for each, colour in colours.items()]


def head_panel(panel, title, columns, colour="black"):
    """Put a title over a panel; among many columns, in two lines if it has two parts."""
    title = panel.set_title(title if columns <= FEW else title.replace(", ", ",\n"), color=colour, fontweight="bold")
    if columns > FEW:
        title.set_fontsize(7)


def folded(count, most=MOST):
    """Return (rows, columns) for `count` panels: at most `most` per row, and rows about equally full."""
    rows = -(-count // most)
    return rows, -(-count // rows)


def show_first(axes, count, label):
    """Hide all panels after the first `count`; put label and ticks of the x-axis below the lowest of each column."""
    for place, panel in enumerate(axes.flat):
        panel.set_visible(place < count)
        if place + axes.shape[1] >= count:
            panel.tick_params(labelbottom=True)
            panel.set_xlabel(label)


def plain_ticks(axis):
    """Label ticks as 0, 0.25, 0.5, without trailing zeros that crowd the neighbouring panel."""
    axis.set_major_formatter(lambda value, place: f"{value:g}".replace("-", "−"))


def is_wide(values):
    """Tell whether values differ so much that a linear axis would flatten the small ones."""
    values = np.asarray(values)
    values = values[values > 0]
    return bool(values.size) and values.max() > LINEAR_UP_TO * values.min()


def logarithmic(axis, low, high):
    """Make an axis logarithmic with few ticks in plain numbers: 0.02, 0.05, 0.1."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis.axes.set_yscale("log") if axis.axis_name == "y" else axis.axes.set_xscale("log")
    decades = np.log10(high / low)
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 1.6 else (1, 3) if decades < 2.5 else (1,)))
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(lambda value, place: in_powers(value) if value < 1e-3 else f"{value:g}")


def in_powers(value):
    """Write 0.00001 as 10⁻⁵ and 0.00003 as 3·10⁻⁵."""
    factor, _, power = f"{value:.0e}".partition("e")
    power = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{power}" if factor == "1" else f"{factor}·10{power}"


def image_of(pixels):
    """Return a vector of pixels as a square image: (row, column), or (row, column, channel) for colour images."""
    sizes = ((count, math.isqrt(len(pixels) // count)) for count in range(1, len(pixels) + 1))
    channels, side = next((count, side) for count, side in sizes if count * side**2 == len(pixels))
    image = pixels.reshape(channels, side, side).transpose(1, 2, 0)
    return image[..., 0] if channels == 1 else image


def picture(axes, pixels, **options):
    """Show a vector of pixels as a square image without ticks; other channels than three colours are averaged."""
    image = image_of(pixels)
    if image.ndim == 3 and (image.shape[2] != 3 or "cmap" in options):
        image = image.mean(axis=2)
    clear(axes)
    for spine in axes.spines.values():
        spine.set(visible=True, color="#BBBBBB")
    return axes.imshow(image, **options)


def clear(axes):
    """Remove everything from a panel except its labels."""
    axes.set(xticks=[], yticks=[])
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def save(figure, outputs, dpi):
    """Write the figure to each path, in the format of its suffix; without date and version, so that bytes repeat."""
    silent = {
        ".png": {"Software": None},
        ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    }
    for path in map(Path, outputs):
        with replacing_file(path) as file:
            figure.savefig(file, dpi=dpi, format=path.suffix[1:], metadata=silent[path.suffix])


def run(description, draw):
    """Run the program of a figure: draw(folder, settings) returns the figure to save."""

    def main(options):
        save(draw(options.results, options.settings), options.output, options.settings["dpi"])

    program.run(description, runs.arguments, main)
