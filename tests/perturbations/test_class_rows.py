"""Rows of P = dx(T)/dx(0): by automatic differentiation, and the paper's way, the identity pushed forwards."""

import jax
import numpy as np
import pytest
from kit import attacked_digits, reference_network, tolerances
from kit.example_network import example

from stages.attack.victim import Victim
from stages.model.direct import Trajectory, solve_direct
from stages.model.sensitivity import solve_sensitivity


def identity_pushed_forwards(network, image):
    """Return P (neuron, pixel) for one image (pixel,): each column is a unit perturbation at the depth's end."""
    pixels = image.size
    trajectory = Trajectory(network, pixels)
    solve_direct(network, np.repeat(image[:, None], pixels, axis=1), trajectory)
    return solve_sensitivity(network, trajectory, np.eye(pixels, dtype=network.dtype))


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_rows_are_those_of_the_jacobian_by_automatic_differentiation(activation):
    case = example(activation, width=9, depth=6, samples=5, classes=4)
    victim = Victim(case.network, case.classes)
    victim.solve(case.x0)
    rows = victim.class_rows()
    W, b = np.array(case.network.W), np.array(case.network.b)
    for sample, image in enumerate(case.images):
        jacobian = jax.jacrev(lambda x: reference_network.outputs(x[None], W, b, case.network.interval, activation)[0])(
            image
        )
        np.testing.assert_allclose(rows[:, :, sample].T, jacobian[: case.classes], **tolerances.ROUNDING)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_rows_are_those_of_the_identity_pushed_forwards(activation):
    victim = attacked_digits.victim(activation, "float64")
    images, _ = attacked_digits.readable(victim, 3)
    x = victim.network.columns(images)
    victim.solve(x)
    rows = victim.class_rows()
    for sample in range(3):
        P = identity_pushed_forwards(victim.network, x[:, sample])
        np.testing.assert_allclose(rows[:, :, sample].T, P[: victim.classes], **tolerances.ROUNDING)


def test_a_batch_that_shrinks_and_grows_gives_the_same_rows_as_fresh_memory():
    case = example("tanh", width=9, depth=6, samples=8, classes=4)
    reused = Victim(case.network, case.classes)
    for samples in (5, 2, 8, 1):
        fresh = Victim(case.network, case.classes)
        results = []
        for victim in (reused, fresh):
            final = victim.solve(case.x0[:, :samples]).copy()
            results.append((final, victim.class_rows()))
        np.testing.assert_array_equal(results[0][0], results[1][0])
        np.testing.assert_array_equal(results[0][1], results[1][1])
