"""Estimated against measured perturbation: equal to first order, exact derivatives, block size irrelevant."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from kit import tolerances

from stages.evaluate import estimate_sensitivity
from stages.evaluate.perturbation import PerturbationRatios
from stages.model.direct import Trajectory, solve_direct
from stages.model.network import initial_network
from stages.model.sensitivity import solve_sensitivity

jax.config.update("jax_enable_x64", True)


def make(activation="tanh", width=12, depth=9, dtype="float64"):
    generator = np.random.default_rng(5)
    return initial_network(
        generator, width=width, depth=depth, interval=3.0, activation=activation, std=0.3, dtype=dtype
    )


def states(network, samples=6, seed=0):
    return np.random.default_rng(seed).random((network.width, samples)).astype(network.dtype)


def perturbation_ratios(network, x0, ξ0, perturbed=None):
    return PerturbationRatios(network, x0.shape[-1], perturbed)(x0, ξ0)


def test_halving_the_noise_halves_the_relative_error():
    network = make()
    x0 = states(network)
    noise = np.random.default_rng(1).normal(size=x0.shape)
    errors = [perturbation_ratios(network, x0, std * noise)[2, -1].mean() for std in (1e-3, 5e-4, 2.5e-4)]
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 2, rtol=0.02)  # the next order's share


def test_halving_perturbed_weights_and_biases_halves_the_relative_error():
    network = make()
    x0 = states(network)
    noise = np.random.default_rng(1).normal(size=network.parameters.shape)
    errors = [perturbation_ratios(network, x0, np.zeros_like(x0), std * noise)[2, -1].mean() for std in (1e-4, 5e-5)]
    np.testing.assert_allclose(errors[0] / errors[1], 2, rtol=0.02)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_estimate_is_the_derivative_that_autograd_finds(activation):
    network = make(activation)
    x0 = states(network)
    ξ0 = np.random.default_rng(1).normal(size=x0.shape)
    σ = {"relu": lambda a: jnp.maximum(a, 0), "tanh": jnp.tanh}[activation]

    def all_states(x):
        out = [x]
        for W, b in zip(network.W, network.b, strict=True):
            out.append(out[-1] + network.h * σ(W @ out[-1] + b[:, None]))
        return jnp.stack(out)

    _, expected = jax.jvp(all_states, (x0,), (ξ0,))
    trajectory = Trajectory(network, x0.shape[-1])
    solve_direct(network, x0, trajectory)
    found, ξ = [ξ0.copy()], ξ0.copy()
    solve_sensitivity(network, trajectory, ξ, after_layer=lambda layer: found.append(ξ.copy()))
    np.testing.assert_allclose(found, expected, **tolerances.ROUNDING)


def test_the_error_is_exactly_zero_at_the_input():
    network = make(dtype="float32")
    x0 = states(network)
    ξ0 = 0.01 * np.random.default_rng(1).normal(size=x0.shape).astype(np.float32)
    ratios = perturbation_ratios(network, x0, ξ0)
    assert (ratios[2, 0] == 0).all()
    np.testing.assert_array_equal(ratios[0, 0], ratios[1, 0])


def test_no_perturbation_gives_zero_and_not_nan():
    network = make()
    x0 = states(network)
    assert (perturbation_ratios(network, x0, np.zeros_like(x0)) == 0).all()


def test_the_block_size_does_not_matter_beyond_rounding(monkeypatch):
    network = make()
    images = np.random.default_rng(2).random((23, network.width))
    noise = 0.01 * np.random.default_rng(3).normal(size=images.shape)
    results = []
    for block in (4, 100):
        monkeypatch.setattr(estimate_sensitivity, "BLOCK", block)
        results.append(estimate_sensitivity.in_blocks(network, images, noise, None, np))
    np.testing.assert_allclose(*results, rtol=1e-9, atol=1e-12)  # differences of nearly equal states lose digits
