"""Estimated and measured perturbation at every depth (paper, section 5, and appendix on sensitivity).

For each image, with ξ(t) from the sensitivity problem and δ(t) = x̃(t) - x(t) from a second direct solve:

    |ξ| / |x|,     |δ| / |x|,     |ξ - δ| / |ξ|
"""

from stages.arrays import namespace
from stages.model.direct import Trajectory, enter, solve_direct
from stages.model.sensitivity import solve_sensitivity


def two_trajectories(network, samples):
    """Return memory for `perturbation_ratios`: to be used again, since fresh memory costs half as much as a solve."""
    return Trajectory(network, samples), Trajectory(network, samples)


def perturbation_ratios(network, x0, ξ0, perturbed=None, memory=None):
    """Return the three ratios, (3, depth + 1, sample), for images x0 and perturbations ξ0 of them (pixel, sample).

    perturbed: Parameters [ω β], perturbations of weights and biases, or None; memory: two_trajectories, or None.
    """
    xp = namespace(x0)
    clean, noisy = memory or two_trajectories(network, x0.shape[-1])
    solve_direct(network, x0, clean)
    other = network
    if perturbed is not None:
        other = network.like(network.W + perturbed.W, network.b + perturbed.b)
    solve_direct(other, x0 + ξ0, noisy)

    ratios = xp.empty((3, network.depth + 1, x0.shape[-1]), x0.dtype)
    ξ, δ, squares = xp.empty((3, network.width, x0.shape[-1]), x0.dtype)
    for perturbation in (ξ, δ):
        enter(perturbation, ξ0)

    def norms(x):
        """Return the norm of each column."""
        return xp.sqrt(xp.multiply(x, x, out=squares).sum(axis=-2))

    def record(node):
        x, x_noisy = clean.x[node], noisy.x[node]
        if node:  # at node 0 δ = ξ⁰ exactly, which x0 + ξ⁰ - x0 is not
            xp.subtract(x_noisy, x, out=δ)
        x_norm, ξ_norm, δ_norm = norms(x), norms(ξ), norms(δ)
        ratios[0, node] = ratio(ξ_norm, x_norm)
        ratios[1, node] = ratio(δ_norm, x_norm)
        ratios[2, node] = ratio(norms(xp.subtract(ξ, δ, out=δ)), ξ_norm)

    record(0)
    layers = None if perturbed is None else perturbed.parameters.__getitem__
    solve_sensitivity(network, clean, ξ, layers, after_layer=lambda layer: record(layer + 1))
    return ratios


def ratio(a, b):
    """Return a / b, and 0 where both are 0: no perturbation of nothing."""
    xp = namespace(a)
    return xp.where(b > 0, a / xp.where(b > 0, b, 1), xp.where(a > 0, float("inf"), 0)).astype(a.dtype)
