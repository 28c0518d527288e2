"""Readings beside the paper's numbers: the values are those of their own stores, the distances those of the paper."""

import numpy as np
import pytest
from kit import drawing

from stages.config import configuration
from stages.plan import reading_choices
from stages.statistics.specifications import by_distance, specifications
from stages.storage import stores
from stages.storage.csv_files import read_csv


@pytest.fixture(scope="module")
def settings(with_readings):
    return drawing.settings_of(with_readings[1], "table_readings")


@pytest.fixture(scope="module")
def found(with_readings, settings):
    return {(each.model, each.outputs): each for each in specifications(with_readings[0], settings)}


def test_the_values_are_those_of_the_networks_own_stores(with_readings, found):
    folder, model = with_readings[0], "sgd-rate-0.001_l2_tanh"
    read = {name: stores.read(folder / name / model / "run0.zarr") for name in ("train", "attack/cw-all")}
    head, success = found[model, "softmax-all"], read["attack/cw-all"]["success"].values
    assert head.values["test_accuracy"] == pytest.approx(100 * read["train"]["test_accuracy"].values[-1])
    assert head.values["susceptible"] == pytest.approx(100 * success.mean())
    assert head.values["max_norm"] == pytest.approx(read["attack/cw-all"]["norm"].values[success].max())


def test_a_distance_is_in_the_standard_deviations_that_the_paper_prints_of_the_row(root, found):
    each, reference = found["sgd-rate-0.001_l2_tanh", "scores"], root / "workflow/reference"
    wanted = {}
    for file, names in (
        ("table2_accuracy", ["test_accuracy"]),
        ("table3_cw", ["susceptible", "mean_norm", "max_norm"]),
    ):
        rows = read_csv(reference / f"{file}.csv")
        (row,) = (
            row for row in rows if [row[key] for key in ("trainer", "loss", "activation")] == ["sgd", "l2", "tanh"]
        )
        for name in names:
            wanted[name] = (each.values[name] - float(row[f"{name}_mean"])) / float(row[f"{name}_std"])
    assert each.distances == pytest.approx(wanted)
    assert each.distance == pytest.approx(np.mean(np.abs(list(wanted.values()))))


def test_a_deviation_that_is_printed_as_zero_is_the_largest_that_is_printed_so(with_readings, settings):
    """The paper prints 0.11 ± 0.00 for one mean norm."""
    printed = {row: numbers | {"mean_norm": [0.11, 0.0]} for row, numbers in settings["printed"].items()}
    some = [one for one in settings["specifications"] if one == ["sgd_ce_relu", "cw"]]
    (each,) = specifications(with_readings[0], settings | {"printed": printed, "specifications": some})
    assert each.distances["mean_norm"] == pytest.approx((each.values["mean_norm"] - 0.11) / 0.005)


def test_readings_of_an_attack_are_shown_of_the_listed_networks_and_rows_with_the_usual_attacks(found):
    assert ("ncg_ce_relu", "softmax-all") in found
    assert ("sgd_l2_tanh", "softmax-all") not in found
    assert {("sgd_l2_tanh", "scores"), ("sgd_l2_tanh", "softmax")} <= set(found)


def test_of_weight_decay_the_paper_prints_the_accuracy_alone(found):
    of_model = [each for (model, _), each in found.items() if model == "sgd-wd-1e-4_l2_tanh"]
    assert len(of_model) == 1
    assert list(of_model[0].distances) == ["test_accuracy"]
    assert "susceptible" not in of_model[0].values


def test_the_nearest_comes_first(found):
    distances = [each.distance for each in by_distance(found.values())]
    assert distances == sorted(distances)
    assert len(set(distances)) > 3


CHOICES = {
    "sgd-rate-0.001_l2_tanh": ["rate 0.001"],
    "sgd-once-exp-0.001_ce_relu": ["1 step per batch", "rate falls to 0.001 (exponential)"],
    "sgd_ce0_relu": ["µ3 = 0"],
    "sgd-all_l2_relu": ["loss on all components"],
    "sgd-root_l2_tanh": ["ε inside the root"],
    "sgd-wd-1e-4_l2_tanh": ["weight decay 0.0001"],
    "ncg-random_l2_tanh": ["random batches"],
    "ncg-whole-steps_ce_relu": ["steps never halved"],
    "sgd_ce_relu": [],
}


@pytest.mark.parametrize("model", CHOICES)
def test_choices_are_what_the_training_differs_in(root, model):
    assert reading_choices.choices(configuration.load(root, "paper"), model) == CHOICES[model]


def test_a_choice_of_ones_own_is_named_as_the_configuration_has_it(root):
    mine = {"trainers": {"mine": {"reads": "sgd", "rmsprop": {"rho": 0.5}, "network": {"initial_std": 0.1}}}}
    config = configuration.load(root, "smoke", mine)
    assert reading_choices.choices(config, "mine_ce_relu") == ["network.initial_std: 0.1", "rmsprop.rho: 0.5"]
