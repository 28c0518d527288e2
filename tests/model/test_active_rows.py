"""Inactive neurons are left out of the adjoint problem, and nothing else changes."""

import numpy as np
import pytest
from kit import tolerances
from kit.example_convolution import convolutional_example
from kit.example_network import example

from stages.model.active_rows import active_rows, looks_for_inactive
from stages.model.adjoint import pull_back
from stages.model.direct import Trajectory, solve_direct

WIDTH, SAMPLES, COTANGENTS = 20, 7, 3


def deactivate(case, shares):
    """Make this share of each layer's neurons inactive: biases far below zero. Return the slopes of a solve."""
    network = case.network
    for b, share in zip(network.b, shares, strict=True):
        b[..., : round(share * network.width)] = -1000
    trajectory = Trajectory(network, SAMPLES)
    solve_direct(network, case.x0, trajectory)
    return trajectory.slope


def pulled_back_by_all(network, slopes, cotangents):
    """λ_l = λ_{l+1} + W_lᵀ (h σ'(a_l) ⊙ λ_{l+1}), every neuron taken along."""
    for W, slope in zip(network.W[::-1], slopes[::-1], strict=True):
        cotangents = cotangents + np.einsum("...oi,...os,...ocs->...ics", W, slope, cotangents)
    return cotangents


def test_cotangents_come_back_as_if_all_neurons_took_part(rng):
    case = example("relu", width=WIDTH, samples=SAMPLES, std=0.3)
    slopes = deactivate(case, [0.9, 0.0, 0.5, 1.0, 0.7])
    cotangents = rng.normal(0, 1, (WIDTH, COTANGENTS, SAMPLES))
    expected = pulled_back_by_all(case.network, slopes, cotangents)
    layers, neurons, entries = [], [], []

    def after_layer(layer, hg):
        layers.append(layer)
        neurons.append(len(hg))
        entries.append(np.count_nonzero(hg))

    found = pull_back(case.network, slopes, cotangents, after_layer)
    np.testing.assert_allclose(found, expected, **tolerances.ROUNDING)
    assert layers == [4, 3, 2, 1, 0]
    assert neurons[1] == 0  # all are inactive
    assert neurons[4] <= 2
    assert entries == [COTANGENTS * np.count_nonzero(slope) for slope in slopes[::-1]]  # none that counts is left out


def test_networks_in_lockstep_come_back_as_they_would_alone(rng):
    case = example("relu", width=WIDTH, samples=SAMPLES, std=0.3, runs=2, dtype="float32")
    case.network.b[:, 0, :5] = case.network.b[:, 1, 3:15] = -1000  # other neurons in each
    slopes = deactivate(case, [0.0] * 5)
    cotangents = rng.normal(0, 1, (2, WIDTH, COTANGENTS, SAMPLES)).astype("float32")
    found = pull_back(case.network, slopes, cotangents.copy())
    for run in range(2):
        alone = pull_back(case.network.run(run), np.ascontiguousarray(slopes[:, run]), cotangents[run].copy())
        np.testing.assert_array_equal(found[run], alone)


def test_cotangents_in_another_order_of_memory_come_back_alike(rng):
    case = example("relu", width=WIDTH, samples=SAMPLES, std=0.3)
    slopes = deactivate(case, [0.5] * 5)
    cotangents = rng.normal(0, 1, (WIDTH, COTANGENTS, SAMPLES))
    found = pull_back(case.network, slopes, np.asfortranarray(cotangents))
    np.testing.assert_allclose(found, pull_back(case.network, slopes, cotangents), **tolerances.ROUNDING)


def test_most_neurons_active_count_as_all_and_of_fewer_the_numbers_are_given():
    active = np.zeros((4, 2, 10), bool)
    active[1, 0, [3, 8]] = active[2, 0] = active[3, 1, :9] = True
    found = [[None if some is None else some.tolist() for _, some in active_rows(active, layer)] for layer in range(4)]
    assert found == [[[], []], [[3, 8], []], [None, []], [[], None]]
    assert list(active_rows(None, 2)) == [((), None)]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (example("relu"), True),
        (example("tanh"), False),
        (convolutional_example("relu"), False),
    ],
)
def test_inactive_neurons_are_looked_for_where_each_has_a_row_of_its_own(case, expected):
    assert looks_for_inactive(case.network) is expected
