"""Euler's method as a trainer sees it: the direct, adjoint and sensitivity problem on one set of arrays.

`stages.model.ode45.Ode45` offers the same three problems solved adaptively.
"""

from stages.arrays import namespace
from stages.model.adjoint import adjoint_gradient
from stages.model.direct import Trajectory, solve_direct
from stages.model.sensitivity import solve_sensitivity


class Euler:
    # The computed cost is a continuous function of the weights, so a step that raises it can be shortened.
    continuous_cost = True

    def __init__(self, network, samples):
        self.network = network
        self.trajectory = Trajectory(network, samples)
        self.perturbation = namespace(network.parameters).empty_like(self.trajectory.scratch)

    def direct(self, x0, before_layer=None):
        """Return x(T) and keep the trajectory for the other two."""
        return solve_direct(self.network, x0, self.trajectory, before_layer)

    def gradient(self, adjoint, gradient, weight_decay=0.0, after_layer=None):
        """Fill `gradient` from λ(T)."""
        return adjoint_gradient(self.network, self.trajectory, adjoint, gradient, weight_decay, after_layer)

    def sensitivity(self, perturbed):
        """Return ξ(T) for perturbed weights and biases, perturbed(l) = [ω_l β_l], and an unperturbed input."""
        self.perturbation[...] = 0
        return solve_sensitivity(self.network, self.trajectory, self.perturbation, perturbed)
