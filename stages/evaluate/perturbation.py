"""Estimated and measured perturbation at every depth (paper, section 5, and appendix on sensitivity).

For each image, with ξ(t) from the sensitivity problem and δ(t) = x̃(t) - x(t) from a second direct problem:

    |ξ| / |x|,     |δ| / |x|,     |ξ - δ| / |ξ|
"""

from stages.model.direct import Trajectory, enter, solve_direct
from stages.model.sensitivity import solve_sensitivity
from stages.runtime.arrays import namespace


class PerturbationRatios:
    """Computes the ratios for blocks of images; perturbed: [ω β], perturbations of weights and biases, or None."""

    def __init__(self, network, samples, perturbed=None):
        self.network, self.perturbed = network, perturbed
        self.noisy_network = network if perturbed is None else network.like(network.parameters + perturbed)
        self.clean, self.noisy = (Trajectory(network, samples) for _ in range(2))
        # Use all neurons, so that no ratio depends on the other images of its block.
        self.clean.active = self.noisy.active = None

    def __call__(self, x0, ξ0):
        """Return the ratios, (3, depth + 1, sample), for images x0 and perturbations ξ0 of them (pixel, sample)."""
        xp, network = namespace(x0), self.network
        solve_direct(network, x0, self.clean)
        solve_direct(self.noisy_network, x0 + ξ0, self.noisy)
        x, x_noisy = self.clean.x, self.noisy.x
        ξ, δ, scratch = xp.empty((3, *x.shape[1:]), x.dtype)
        enter(network, ξ, ξ0)
        norms = xp.empty((4, network.depth + 1, x.shape[-1]), x.dtype)  # of x, ξ, δ, ξ - δ

        def record(layer):
            node = layer + 1
            if node:
                xp.subtract(x_noisy[node], x[node], out=δ)
            else:
                δ[...] = ξ  # exact, while x0 + ξ⁰ - x0 is rounded
            for number, columns in enumerate((x[node], ξ, δ)):
                norms[number, node] = lengths(columns, scratch)
            norms[3, node] = lengths(xp.subtract(ξ, δ, out=δ), scratch)

        record(-1)
        perturbed = None if self.perturbed is None else self.perturbed.__getitem__
        solve_sensitivity(network, self.clean, ξ, perturbed, after_layer=record)
        of_x, of_ξ, of_δ, of_error = norms
        return xp.stack([ratio(of_ξ, of_x), ratio(of_δ, of_x), ratio(of_error, of_ξ)])


def lengths(columns, scratch):
    xp = namespace(columns)
    return xp.sqrt(xp.multiply(columns, columns, out=scratch).sum(axis=-2))


def ratio(a, b):
    """Return a / b, and 0 where both are 0."""
    xp = namespace(a)
    return xp.where(b > 0, a / xp.where(b > 0, b, 1), xp.where(a > 0, float("inf"), 0)).astype(a.dtype)
