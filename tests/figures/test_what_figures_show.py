"""What is drawn is what the stores say: curves, bands, panels and the choice of networks."""

import numpy as np
import pytest
from kit import drawing

from stages.names.model_name import split_model
from stages.plan import experiment
from stages.statistics import attack_curves, runs
from stages.storage import stores


def test_bands_are_one_standard_deviation_over_runs(drawn, results, config):
    figure = drawn("fig_noise_accuracy")
    settings = drawing.settings_of(config, "fig_noise_accuracy")
    first, second = (
        100 * stores.read(results / "noise" / settings["models"][0] / f"run{run}.zarr")["accuracy"].values
        for run in (0, 1)
    )
    band = figure.axes[0].collections[0].get_paths()[0].vertices[:, 1]
    spread = np.std([first, second], axis=0, ddof=1)
    assert band.max() == pytest.approx(((first + second) / 2 + spread).max())
    assert band.min() == pytest.approx(((first + second) / 2 - spread).min())


# {figure: (panel, curve, folder, model, variable)}: curves that must not be taken from another store or variable
CURVES = {
    "fig_solver_accuracy": [
        (0, 0, "train", "ncg-euler20_l2_tanh", "train_accuracy"),
        (1, 0, "train", "ncg-euler20_l2_tanh", "test_accuracy"),
        (1, 1, "train", "ncg-ode45_l2_tanh", "test_accuracy"),
    ],
    "fig_sensitivity_l2": [
        (0, 0, "sensitivity", "sgd_l2_relu", "estimated"),
        (1, 0, "sensitivity", "sgd_l2_relu", "measured"),
        (2, 0, "sensitivity", "ncg_l2_relu", "estimated"),
    ],
    "fig_sensitivity_error_ce": [
        (0, 0, "sensitivity", "sgd_ce_relu", "relative_error"),
        (2, 0, "sensitivity", "sgd_ce_relu", "relative_error_median"),
    ],
    "fig_attack_comparison": [
        (0, number, f"attack/{attack}", "sgd_ce_relu", "susceptible")
        for number, attack in {0: "sensitivity", 2: "pgd-0.06", 3: "pgd-0.6", 4: "fgsm"}.items()
    ],
}


@pytest.mark.parametrize("name", CURVES)
def test_curves_show_their_own_stores(name, drawn, results):
    drawn_curves = set()
    for panel, number, folder, model, variable in CURVES[name]:
        line = drawn(name).axes[panel].lines[number]
        stored = [stores.read(results / folder / model / f"run{run}.zarr") for run in (0, 1)]
        if variable == "susceptible":
            values = [100 * attack_curves.susceptible(dataset, line.get_xdata()) for dataset in stored]
        else:
            values = [dataset[variable].values * (100 if "accuracy" in variable else 1) for dataset in stored]
        np.testing.assert_allclose(line.get_ydata(), np.mean(values, axis=0), rtol=1e-6)
        drawn_curves.add(tuple(np.round(line.get_ydata(), 9)))
    assert len(drawn_curves) == len(CURVES[name]), "made-up stores so alike that a wrong one would not be noticed"


def test_one_run_has_no_band_and_says_so(results, config):
    figure = drawing.draw(results, config, "fig_noise_accuracy", runs=[0])
    assert "; no spread shown" in figure.texts[0].get_text()
    assert not figure.axes[0].collections


def test_under_no_attack_the_accuracy_is_left_and_in_large_balls_nothing(drawn, made_up):
    """The first curve of the figure: the plain network of the first pair, mean over two runs of 20 images."""
    results, config = made_up("fig_robustness")
    settings = drawing.settings_of(config, "fig_robustness")
    norms, left = drawn("fig_robustness").axes[0].lines[0].get_data()
    plain = settings["pairs"][0][0]
    datasets = [stores.read(results / "attack" / "pgd-0.6" / plain / f"run{run}.zarr") for run in (0, 1)]
    assert (norms[0], left[0]) == (
        0,
        100 * np.mean([data.sizes["sample"] for data in datasets]) / config["attack"]["images"],
    )
    assert left[-1] == 0
    assert (np.diff(left) <= 0).all()


def test_the_perturbations_of_twins_are_of_the_same_digits(drawn):
    figure = drawn("fig_robust_examples")
    words = [axes.get_xlabel() for axes in figure.axes]
    columns = 3 * 4 - 1
    originals, *rows = [words[first : first + columns : 3] for first in range(0, len(words), columns)]
    assert len(rows) == 6
    assert all(word.startswith("true class ") for word in originals)
    assert all(word.startswith("predicted ") for row in rows for word in row)


def test_weights_over_the_depth_are_on_one_axis(drawn):
    limits = {axes.get_ylim() for axes in drawn("fig_weight_norm").axes}
    assert len(limits) == 1
    assert min(limits)[0] == 0


def test_models_that_were_not_attacked_leave_no_empty_panels(beyond):
    results, config = beyond
    figure = drawing.draw(results, config, "fig_attack_comparison")
    visible = [axes for axes in figure.axes if axes.get_visible()]
    assert len(visible) == len(drawing.settings_of(config, "fig_attack_comparison")["models"]) < 16
    assert all(axes.lines for axes in visible)
    assert visible[0].get_title() == "SGD\nReLU, CE"


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_accuracy_under_noise_has_no_blank_panel(results, config, count):
    combinations = [("ce", "relu"), ("ce", "tanh"), ("l2", "relu"), ("l2", "tanh")][:count]
    models = [f"sgd_{loss}_{activation}" for loss, activation in combinations]
    figure = drawing.draw(results, config, "fig_noise_accuracy", models=models)
    assert len(figure.axes) == count
    assert all(axes.get_visible() for axes in figure.axes)


def test_a_curve_far_above_the_others_makes_a_row_logarithmic(results, config, monkeypatch):
    read = runs.over_runs

    def one_far_above(datasets, name):
        values = read(datasets, name)
        return 100 * values if name == "relative_error" and datasets[0] is first else values

    settings = drawing.settings_of(config, "fig_sensitivity_error_ce")
    first = stores.read(results / "sensitivity" / settings["models"][0] / "run0.zarr", None)
    monkeypatch.setattr(runs, "over_runs", one_far_above)
    monkeypatch.setattr(
        runs, "asked_for", lambda folder, settings, stage, model: cached(folder, settings, stage, model)
    )

    def cached(folder, settings, stage, model):
        return [first] if model == settings["models"][0] else runs.read_runs(folder, stage, model, [0])

    axes = drawing.program_of("fig_sensitivity_error_ce").draw(results, settings).axes
    assert [panel.get_yscale() for panel in axes] == ["log", "log", "linear", "linear"]
    ticks = [label.get_text() for label in axes[0].get_yticklabels()]
    assert not any("10^" in text for text in ticks)


def test_robust_training_is_shown_by_one_line_per_attack_and_network(drawn, made_up):
    settings = drawing.settings_of(made_up("fig_robustness")[1], "fig_robustness")
    near = [attack for attack in settings["attacks"] if attack not in settings["far"]]
    panels = drawn("fig_robustness").axes[3:]
    lines = [
        line
        for panel in panels
        for line in panel.lines
        if line.get_marker() == "None" and len(set(line.get_ydata())) == 1
    ]
    dumbbells = [line for line in lines if line.get_color() != "#666666"]
    assert len(dumbbells) == len(settings["pairs"]) * (1 + len(near))
    names = [label.get_text() for label in panels[0].get_yticklabels()]
    assert names[0] == "errors, clean"
    assert len(names) == 1 + len(near)


def test_images_of_another_side_are_not_among_curves_over_the_norm(beyond):
    """The same norm is half as much per pixel on images of twice the side: those have a figure of their own."""
    _, config = beyond
    attacked = {split_model(model)[0] for model in experiment.attacked_models(config)}
    shown = {trainer for trainer in attacked if "conv" not in trainer}
    for name in ("fig_attack_success", "fig_attack_comparison"):
        assert set(drawing.settings_of(config, name)["trainers"]) == shown < attacked


def test_a_wrong_answer_among_the_most_certain_does_not_flatten_the_curves(drawn):
    panels = [
        axes for axes in drawn("fig_least_certain").axes if axes.get_xlabel() == "kept (%)" and axes.get_visible()
    ]
    lines = [line for panel in panels for line in panel.lines]
    assert min(line.get_xdata().min() for line in lines) >= 50
    highest = max(line.get_ydata().max() for line in lines)
    assert all(panel.get_ylim()[1] < 3 * highest for panel in panels)
