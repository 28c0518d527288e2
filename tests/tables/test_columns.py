"""Every column of every table is what its head says, on stores of a few numbers that all differ."""

import numpy as np
import pytest
import xarray as xr

from stages.statistics import runs
from stages.tables import (
    tabulate_accuracy,
    tabulate_attacks,
    tabulate_convolutions,
    tabulate_cw,
    tabulate_own_scores,
    tabulate_robustness,
    tabulate_solvers,
    tabulate_uncertainty,
)

MODEL = "ncg_l2_tanh"


def attacked(*norms):
    """A run of an attack on four images: the norms at which it succeeded, nan where it did not."""
    norms = np.array(norms)
    return xr.Dataset({"success": ("sample", ~np.isnan(norms)), "norm": ("sample", norms)})


STORES = {
    "train": xr.Dataset(
        {
            "test_accuracy": ("epoch", [0.90, 0.97, 0.95]),
            "train_accuracy": ("epoch", [0.91, 0.98, 0.99]),
            "seconds": ("epoch", [1.0, 2.0, 4.0]),
            "weight_norm": ("layer", [1.0, 2.0, 3.0]),
        }
    ),
    "noise": xr.Dataset({"accuracy": ("noise_std", [0.9, 0.6, 0.0])}, coords={"noise_std": [0.0, 0.1, 0.5]}),
    "solvers": xr.Dataset(
        {
            "train_accuracy": ("inference_solver", [0.99, 0.96]),
            "test_accuracy": ("inference_solver", [0.98, 0.95]),
        },
        coords={"inference_solver": ["euler", "ode45"]},
    ),
    "uncertainty": xr.Dataset(
        {
            "right": ("sample", np.arange(20) != 3),
            "distance": ("sample", np.where(np.arange(20) == 3, -1.0, np.arange(20.0))),  # the wrong one comes first
            "confidence": ("sample", np.arange(20.0)),  # three right ones before it
            "gap": ("sample", -np.arange(20.0)),
        }
    ),
    "attack/sensitivity": attacked(0.3, 0.7, 2.5, np.nan),
    "attack/sensitivity-held": attacked(np.nan, 0.45, 0.5, 0.2),
    "attack/pgd-0.6": attacked(0.2, 0.4, 0.9, 0.6),
    "attack/fgsm": attacked(np.nan, np.nan, 0.45, np.nan),
    "attack/cw": attacked(0.1, 0.1, 1.0, np.nan),
}


@pytest.fixture
def row(monkeypatch):
    """Return the labels and numbers of a table's first row."""
    monkeypatch.setattr(runs, "asked_for", lambda folder, settings, stage, model: [STORES[stage]])

    def of(program, **settings):
        labels, values = next(program.rows(None, {"models": [MODEL], **settings}))
        columns = program.TABLE.quantities
        assert set(values) <= set(columns(settings) if callable(columns) else columns)
        return labels, {name: float(np.ravel(value)[0]) for name, value in values.items()}

    return of


def test_table_2_has_the_accuracy_after_the_last_epoch(row):
    labels, values = row(tabulate_accuracy)
    assert labels == {"trainer": "ncg", "loss": "l2", "activation": "tanh"}
    assert values == pytest.approx({"test_accuracy": 95.0})


def test_table_1_has_training_and_test_accuracy_of_the_models_own_solver_first(row):
    labels, values = row(tabulate_solvers, trainers={"ncg": {"solver": "ode45"}})
    assert labels == {"train_solver": "ode45", "inference_solver": "ode45"}
    assert values == pytest.approx({"train_accuracy": 96.0, "test_accuracy": 95.0})


def test_table_3_has_share_mean_and_largest_norm(row):
    labels, values = row(tabulate_cw, attacks=["cw"], outputs=["scores"])
    assert labels["outputs"] == "scores"
    assert values == pytest.approx({"susceptible": 75.0, "mean_norm": 0.4, "max_norm": 1.0})


def test_the_table_of_attacks_has_success_at_the_norm_and_the_mean_norm_of_all(row):
    _, values = row(tabulate_attacks, attacks=["sensitivity"], norms={MODEL: 0.5})
    assert values == pytest.approx({"success": 25.0, "mean_norm": 3.5 / 3})


def test_the_table_of_robustness_has_each_attack_and_any_of_them(row):
    _, values = row(tabulate_robustness, attacks=["sensitivity", "pgd-0.6", "fgsm"], norm=0.5)
    wanted = {"sensitivity": 25.0, "pgd-0.6": 50.0, "fgsm": 25.0, "any_of_them": 75.0}
    assert values == pytest.approx(wanted | {"accuracy": 95.0, "training": 7.0})


def test_the_table_of_convolutions_has_weights_time_noise_and_norms_per_pixel(row):
    sides = {"side": 14, "sides": {MODEL: 28}, "weights": {MODEL: 1234}}
    labels, values = row(tabulate_convolutions, attacks=["sensitivity", "pgd-0.6"], norm=0.5, **sides)
    assert (labels["images"], labels["layers"], labels["weights"]) == ("28 × 28", "3", "1,234")
    wanted = {"seconds": 7.0, "accuracy": 95.0, "under_noise": 50.0}
    assert values == pytest.approx(wanted | {"sensitivity": 50.0, "pgd-0.6": 100.0})  # within 0.5 * 28 / 14


def test_the_table_of_own_scores_has_both_twins_and_the_held_attack(row):
    pairs = [["ncg_l2_tanh", "ncg-own_l2_tanh"], ["sgd-pixels_ce_relu", "sgd_ce_relu"]]
    labels, values = row(tabulate_own_scores, attacks=["sensitivity", "sensitivity-held"], norm=0.5, pairs=pairs)
    assert labels == {"trainer": "SGD", "activation": "ReLU", "loss": "cross-entropy"}  # sorted: ReLU before tanh
    wanted = {"accuracy_pixels": 95.0, "accuracy_own": 95.0, "success_pixels": 25.0, "success_own": 25.0}
    assert values == pytest.approx(wanted | {"success_held": 75.0})


def test_the_table_of_uncertainty_has_an_area_a_measure_and_hands_over_the_nearest(row):
    _, values = row(tabulate_uncertainty)
    areas = {"area_distance": 1.0, "area_confidence": 16 / 19, "area_gap": 3 / 19}
    assert values == pytest.approx(areas | {"accuracy": 95.0, "without_5": 100.0, "without_10": 100.0})
