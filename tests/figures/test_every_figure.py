"""Every figure of the paper: drawn, complete, legible, and the same bytes for the same stores."""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from kit import drawing

from stages.drawing import canvas
from stages.names.model_name import split_model
from stages.plan import experiment
from stages.plan.all_exhibits import FIGURES
from stages.statistics import attack_curves, runs
from stages.storage import stores

NAMES = list(FIGURES)
DPI = 100  # a figure's own resolution, at which its texts are placed
TWINS = {name for name in FIGURES if "robust" in name or "convolutions" in name or "own_scores" in name}


MANY_TRAINERS = ["fig_uncertainty", "fig_sureness", "fig_attack_success", "fig_weight_norm", "fig_noise_accuracy"]
MANY_TRAINERS += ["fig_attack_comparison", "fig_own_scores"]


@pytest.fixture(scope="module")
def made_up(results, whole_config, beyond, with_readings):
    """Return the function that gives the stores behind a figure and their configuration; few show twins or readings."""
    others = dict.fromkeys(TWINS, beyond) | {"fig_readings": with_readings}
    return lambda name: others.get(name, (results, whole_config))


@pytest.fixture(scope="module", autouse=True)
def each_store_is_read_once():
    with drawing.each_store_read_once():
        yield


@pytest.fixture(scope="module")
def saved(made_up):
    """Each figure, drawn and saved once for all tests of this file: (figure, bytes of its PNG)."""
    kept = {}

    def figure_and_bytes(name):
        if name not in kept:
            figure = drawing.draw(*made_up(name), name)
            kept[name] = (figure, png_bytes(figure))  # which places all texts
        return kept[name]

    return figure_and_bytes


@pytest.fixture
def drawn(saved):
    return lambda name: saved(name)[0]


def png_bytes(figure):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        canvas.save(figure, [path], dpi=DPI)
        return path.read_bytes()


def boxes(figure):
    """Return (text, box in pixels) of everything written on a figure."""
    found = []
    for axes in figure.axes:
        if not axes.get_visible():
            continue
        written = [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts] if axes.axison else list(axes.texts)
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if low <= tick.get_loc() <= high:
                    written += [label for label in (tick.label1, tick.label2) if label.get_visible()]
        found += written
    for legend in figure.legends:
        found += legend.get_texts()
    found += figure.texts
    return [(text.get_text(), text.get_window_extent()) for text in found if text.get_text().strip()]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_clipped(drawn, name):
    figure = drawn(name)
    width, height = figure.get_size_inches() * figure.dpi
    for text, box in boxes(figure):
        inside = box.x0 >= -0.5 and box.y0 >= -0.5 and box.x1 <= width + 0.5 and box.y1 <= height + 0.5
        assert inside, f"{text!r} reaches outside of {name}"


@pytest.mark.parametrize("name", NAMES)
def test_no_text_covers_another(drawn, name):
    for (one, first), (other, second) in itertools.combinations(boxes(drawn(name)), 2):
        width = min(first.x1, second.x1) - max(first.x0, second.x0)
        height = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert width < 1 or height < 1.5, f"{one!r} and {other!r} overlap in {name}"


@pytest.mark.parametrize("name", NAMES)
def test_no_legend_covers_a_panel(drawn, name):
    figure = drawn(name)
    for legend, axes in itertools.product(figure.legends, figure.axes):
        assert not legend.get_window_extent().overlaps(axes.get_window_extent()), name


@pytest.mark.parametrize("name", MANY_TRAINERS)
def test_many_trainers_leave_each_other_room(beyond, name):
    """Plain, robust and convolutional trainers in one figure, as the preset `beyond` has them."""
    figure = drawing.draw(*beyond, name)
    figure.draw_without_rendering()
    test_nothing_is_clipped(lambda _: figure, name)
    test_no_text_covers_another(lambda _: figure, name)


def test_images_of_another_side_are_not_among_curves_over_the_norm(beyond):
    """The same norm is half as much per pixel on images of twice the side: those have a figure of their own."""
    _, config = beyond
    attacked = {split_model(model)[0] for model in experiment.attacked_models(config)}
    shown = {trainer for trainer in attacked if "conv" not in trainer}
    for name in ("fig_attack_success", "fig_attack_comparison"):
        assert set(drawing.settings_of(config, name)["trainers"]) == shown < attacked


@pytest.mark.parametrize("name", [name for name in NAMES if "image" not in name and "examples" not in name])
def test_axes_say_what_they_show(drawn, name):
    for axes in drawn(name).axes:
        geometry = axes.get_subplotspec()
        if geometry.is_first_col():
            assert axes.get_ylabel() or name == "fig_weight_norm"
        if geometry.is_last_row():
            assert axes.get_xlabel()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "fig_noisy_images"])
def test_the_footer_says_preset_and_scale(drawn, name):
    footer = drawn(name).texts[0].get_text()
    preset = "beyond" if name in TWINS else "smoke"
    layers = "4 to 6" if name == "fig_convolutions" else "6"
    assert footer.startswith(f"{preset} preset: {layers} layers, 400 training digits, ")
    assert re.search(r"2 runs|run 0", footer)


def test_the_solver_figure_says_its_tolerances(drawn):
    assert "ODE45: rtol 0.001, atol 0.001, rms norm" in drawn("fig_solver_accuracy").texts[0].get_text()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_stores_give_the_same_bytes(saved, made_up, name):
    assert png_bytes(drawing.draw(*made_up(name), name)) == saved(name)[1]


def test_a_pdf_has_no_date_and_repeats_too(results, config, tmp_path):
    for number in (1, 2):
        canvas.save(drawing.draw(results, config, "fig_weight_norm"), [tmp_path / f"{number}.pdf"], dpi=40)
    assert (tmp_path / "1.pdf").read_bytes() == (tmp_path / "2.pdf").read_bytes()
    assert b"Date" not in (tmp_path / "1.pdf").read_bytes()


def test_another_process_with_another_hash_seed_gives_the_same_bytes(saved, results, config, root, tmp_path):
    settings = json.dumps(drawing.settings_of(config, "fig_weight_norm") | {"dpi": DPI}, sort_keys=True)
    path = tmp_path / "figure.png"
    command = [sys.executable, "-m", "stages.figures.plot_weight_norm", "--settings", settings]
    command += ["--results", str(results), "--output", str(path)]
    subprocess.run(command, check=True, cwd=root, env=os.environ | {"PYTHONHASHSEED": "7"}, capture_output=True)
    assert path.read_bytes() == saved("fig_weight_norm")[1]


def test_a_changed_number_gives_other_bytes(saved, results, config):
    changed = png_bytes(drawing.draw(results, config, "fig_noisy_images", image=1))
    assert changed != saved("fig_noisy_images")[1]


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


def test_small_numbers_of_an_axis_are_written_in_powers_of_ten():
    assert [canvas.in_powers(value) for value in (1e-5, 3e-5, 2e-12)] == ["10⁻⁵", "3·10⁻⁵", "2·10⁻¹²"]
