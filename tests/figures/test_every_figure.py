"""Every figure of the paper: drawn, complete, legible, and the same bytes for the same stores."""

import functools
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from kit import drawing

from stages.drawing import canvas
from stages.plan.all_exhibits import FIGURES

NAMES = list(FIGURES)
DPI = 100  # a figure's own resolution, at which its texts are placed
MANY_TRAINERS = ["fig_uncertainty", "fig_least_certain", "fig_attack_success", "fig_weight_norm", "fig_noise_accuracy"]
MANY_TRAINERS += ["fig_attack_comparison", "fig_own_scores"]


@pytest.fixture(scope="module")
def saved(made_up):
    """Each figure, drawn and saved once for all tests of this file: (figure, bytes of its PNG)."""

    def figure_and_bytes(name):
        figure = drawing.draw(*made_up(name), name)
        return figure, png_bytes(figure)  # which places all texts

    return functools.cache(figure_and_bytes)


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


@pytest.mark.parametrize("name", [name for name in NAMES if "image" not in name and "examples" not in name])
def test_axes_say_what_they_show(drawn, name):
    for axes in drawn(name).axes:
        geometry = axes.get_subplotspec()
        if geometry.is_first_col():
            assert axes.get_ylabel() or name == "fig_weight_norm"
        if geometry.is_last_row():
            assert axes.get_xlabel()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "fig_noisy_images"])
def test_the_footer_says_preset_and_scale(drawn, made_up, name):
    footer = drawn(name).texts[0].get_text()
    preset = made_up(name)[1]["preset"]
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


def test_small_numbers_of_an_axis_are_written_in_powers_of_ten():
    assert [canvas.in_powers(value) for value in (1e-5, 3e-5, 2e-12)] == ["10⁻⁵", "3·10⁻⁵", "2·10⁻¹²"]
