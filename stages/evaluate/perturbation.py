"""Estimated and measured perturbation at every depth (paper, section 5, and appendix on sensitivity).

For each image, with ξ(t) from the sensitivity problem and δ(t) = x̃(t) - x(t) from a second direct solve:

    |ξ| / |x|,     |δ| / |x|,     |ξ - δ| / |ξ|
"""

from stages.arrays import namespace
from stages.model.direct import Trajectory, solve_direct
from stages.model.network import Network
from stages.model.sensitivity import solve_sensitivity


def perturbation_ratios(network, x0, ξ0, perturbed=None):
    """Return the three ratios, (3, depth + 1, sample), for states x0 and input perturbations ξ0 (neuron, sample).

    perturbed: Parameters [ω β], perturbations of weights and biases, or None.
    """
    xp = namespace(x0)
    clean, noisy = Trajectory(network, x0.shape[-1]), Trajectory(network, x0.shape[-1])
    solve_direct(network, x0, clean)
    other = network
    if perturbed is not None:
        other = Network(network.W + perturbed.W, network.b + perturbed.b, network.interval, network.activation)
    δ = solve_all(other, x0 + ξ0, noisy) - clean.x

    ratios = xp.empty((3, network.depth + 1, x0.shape[-1]), x0.dtype)
    ξ = ξ0.copy()

    def record(node):
        size = norms(ξ)
        ratios[0, node] = ratio(size, norms(clean.x[node]))
        ratios[1, node] = ratio(norms(δ[node]), norms(clean.x[node]))
        ratios[2, node] = ratio(norms(ξ - δ[node]), size)

    δ[0] = ξ0  # exact; x0 + ξ0 - x0 is not
    record(0)
    layers = None if perturbed is None else perturbed.parameters.__getitem__
    solve_sensitivity(network, clean, ξ, layers, after_layer=lambda layer: record(layer + 1))
    return ratios


def solve_all(network, x0, trajectory):
    """Return the states at all nodes."""
    solve_direct(network, x0, trajectory)
    return trajectory.x


def norms(x):
    """Return the norm of each column."""
    return namespace(x).sqrt((x * x).sum(axis=-2))


def ratio(a, b):
    """Return a / b, and 0 where both are 0: no perturbation of nothing."""
    xp = namespace(a)
    return xp.where(b > 0, a / xp.where(b > 0, b, 1), xp.where(a > 0, float("inf"), 0)).astype(a.dtype)
