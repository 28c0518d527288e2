"""Draw fig_readings: a specification curve of the readings (not in the paper).

Every column is a network under one variant of the Carlini-Wagner attack, the nearest to the paper's numbers first.
Above: its distance from them; below: the network, and the choices that make the reading.
"""

import numpy as np

from stages.drawing import canvas, style
from stages.names import labels
from stages.names.colours import BLACK, OLIVE, ORANGE, PURPLE, SKY
from stages.names.model_name import split_model
from stages.names.paper_rows import TRAINERS
from stages.plan import reading_choices, readings
from stages.plan.exhibit import Exhibit
from stages.statistics.scale import ONE_RUN, scale_line
from stages.statistics.specifications import by_distance, specifications

EXHIBITS = {
    "fig_readings": Exhibit(
        stage="attack",
        also=("train",),
        place="not in the paper",
        order=90,
        title="Readings: which open choice comes nearest to the paper",
        caption="A specification curve. Every column is a network of the paper with the choices marked below, under "
        "one variant of the Carlini-Wagner attack; columns are sorted by the mean distance from the numbers that the "
        "paper prints of the network (black line): test accuracy, and of the attack the share of images, the mean and "
        "the largest norm; with weight decay the accuracy alone. Distances are in the paper's standard deviations (s); "
        "up to 3 s (dotted) a new run may differ. Rings: networks as in Table 2. One run each.",
        words="Above, a rising curve of distances with four kinds of points around it. Below, a grid with one row per "
        "network, choice and attacked output, and a mark where a column has it.",
        models=readings.shown_models,
        attacks=lambda config: list(readings.carlini_wagner(config)),
        settings=reading_choices.distance_settings,
        one_run=True,
    )
}

POINTS = {  # {quantity: (label, marker, colour)}
    "test_accuracy": ("test accuracy", "o", ORANGE),
    "susceptible": ("susceptible", "s", SKY),
    "mean_norm": ("mean norm", "^", PURPLE),
    "max_norm": ("largest norm", "v", OLIVE),
}
LEAST = 0.1  # standard deviations: nearer is drawn as near
LINE = 0.125  # inches per row of the grid
WIDEST_MARK = 3.2  # points


def draw(folder, settings):
    found = [each for each in by_distance(specifications(folder, settings)) if np.isfinite(each.distance)]
    note = "s: the paper's standard deviation over five runs"
    footer = scale_line(settings["scale"], note, runs=ONE_RUN)
    if not found:  # readings of networks that the user added
        figure, ((panel,),) = canvas.sheet(1, 1, 1.0, footer)
        canvas.clear(panel)
        panel.text(0.5, 0.5, "the paper prints no number of these networks", ha="center", transform=panel.transAxes)
        return figure
    groups = _groups(found)
    count = sum(map(len, groups))
    below = LINE * (count + 0.5 * len(groups))
    options = {"gridspec_kw": {"height_ratios": [1.7, below]}, "sharex": True}
    figure, ((curve,), (grid,)) = canvas.sheet(2, 1, 2.5 + below, footer, **options)
    size = min(WIDEST_MARK, 230 / len(found))
    _draw_curve(curve, found, size)
    _draw_grid(grid, found, groups, size)
    handles = [canvas.line("mean distance", color=BLACK)]
    for label, marker, colour in POINTS.values():
        handles.append(canvas.line(label, color=colour, marker=marker, markersize=3, linestyle="none"))
    ring = {"marker": "o", "markersize": 4, "markerfacecolor": "white", "linestyle": "none"}
    handles.append(canvas.line("network as in Table 2", color=BLACK, **ring))
    canvas.legend_below(figure, handles, columns=3)
    return figure


def _draw_curve(panel, found, size):
    def plot(distances, **look):
        """Draw {column: distance}."""
        panel.plot(list(distances), [max(abs(distance), LEAST) for distance in distances.values()], **look)

    columns = dict(enumerate(found, start=1))
    plot({place: each.distance for place, each in columns.items()}, color=BLACK, linewidth=1.1, zorder=3)
    for name, (_, marker, colour) in POINTS.items():
        known = {place: each.distances[name] for place, each in columns.items() if name in each.distances}
        plot(known, marker=marker, markersize=size, linestyle="none", color=colour, alpha=0.8)
    usual = {place: each.distance for place, each in columns.items() if not each.choices}
    ring = {"marker": "o", "markersize": size + 1.2, "markerfacecolor": "white", "markeredgewidth": 0.7}
    plot(usual, linestyle="none", color=BLACK, zorder=4, **ring)
    heights = np.concatenate([line.get_ydata() for line in panel.lines])
    canvas.logarithmic(panel.yaxis, heights.min(), heights.max())
    panel.set_ylabel("distance from the paper (s)")
    panel.axhline(3, **style.THRESHOLD)
    panel.tick_params(axis="x", length=0)


def _groups(found):
    """Return the rows of the grid in groups: networks of the paper, choices in the columns, outputs that CW uses."""
    rows = [split_model(each.row) for each in found]
    networks = [labels.trainer_label(name) for name in TRAINERS if name in {row[0] for row in rows}]
    networks += [labels.loss_label(name) for name in sorted({row[1] for row in rows})]
    networks += [labels.activation_label(name) for name in sorted({row[2] for row in rows})]
    choices = list(dict.fromkeys(choice for each in found for choice in each.choices))
    outputs = list(dict.fromkeys(f"CW on {each.outputs}" for each in found if each.outputs))
    return [names for names in (networks, choices, outputs) if names]


def marks(specification):
    """Return the rows of the grid that a column has."""
    trainer, loss, activation = split_model(specification.row)
    network = [labels.trainer_label(trainer), labels.loss_label(loss), labels.activation_label(activation)]
    seen = [f"CW on {specification.outputs}"] if specification.outputs else []
    return [*network, *specification.choices, *seen]


def _draw_grid(panel, found, groups, size):
    heights, height = {}, 0.0
    for group in groups:
        for name in group:
            heights[name] = height
            height += 1
        height += 0.5
    for middle in list(heights.values())[::2]:
        panel.axhspan(middle - 0.5, middle + 0.5, color="#F4F4F4", linewidth=0)
    for place, each in enumerate(found, start=1):
        marked = [heights[name] for name in marks(each)]
        panel.plot([place] * len(marked), marked, "o", markersize=size, color=BLACK, markeredgewidth=0)
    panel.set_yticks(list(heights.values()), list(heights))
    panel.set(ylim=(height - 1, -0.5), xlim=(0, len(found) + 1))
    panel.set_ylabel("network, choice, attack")
    panel.set_xlabel("readings, the nearest to the paper first")
    panel.tick_params(axis="y", length=0)
    panel.tick_params(axis="x", length=0, labelbottom=False)
    panel.grid(False)


if __name__ == "__main__":
    canvas.run(__doc__, draw)
