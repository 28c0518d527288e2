"""A training that leaves out inactive neurons goes the way of one in which all take part."""

import numpy as np
import pytest
from kit import digits, tolerances

from stages.model import active_rows
from stages.train.training import Training

ASLEEP = 15  # of 25 neurons, in every layer but one


def trained(model, runs, **trainer):
    """Train in float64 from weights with which most neurons are inactive; return all that was made."""
    (train_image, train_label), (test_image, test_label) = digits.blobs(60, seed=1), digits.blobs(20, seed=2)
    data = {"train_image": train_image, "train_label": train_label, "test_image": test_image, "test_label": test_label}
    settings = digits.train_settings(model, network={"precision": "float64", "initial_std": 0.1}, trainer=trainer)
    training = Training(settings, runs, data, np)
    training.network.b[1:, ..., -ASLEEP:] = -10  # far below zero, but not so far that momentum could not wake them
    for number, batch in enumerate(training._batches(0)):
        training._train_on_batch(0, number, batch)
    active_share = training.trainer.passes.solver.trajectory.active.mean()
    return training.network.parameters, training.history["loss"], training.history["gradient_norm"], active_share


@pytest.mark.parametrize("runs", [[0], [0, 1]])
@pytest.mark.parametrize("weight_decay", [0.0, 0.01])
@pytest.mark.parametrize("model", ["ncg_ce_relu", "ncg_l2_relu", "ncg-sobolev_ce_relu", "sgd_ce_relu"])
def test_a_training_without_inactive_neurons_is_the_training_with_all(model, weight_decay, runs, monkeypatch):
    left_out = trained(model, runs, weight_decay=weight_decay)
    assert 0 < left_out[-1] < active_rows.MOST
    monkeypatch.setattr(active_rows, "MOST", -1)  # all take part
    for found, expected in zip(left_out, trained(model, runs, weight_decay=weight_decay), strict=True):
        np.testing.assert_allclose(found, expected, **tolerances.LONG_SUMS)
