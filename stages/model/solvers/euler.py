"""Euler's method, one step per layer: the network is a ResNet, and all three problems are exact for it."""

from stages.model import direct
from stages.model.adjoint import adjoint_gradient
from stages.model.sensitivity import solve_sensitivity
from stages.runtime.arrays import namespace


class Euler:
    """The interface of stages.model.solvers.base.Solver."""

    label = "Euler"
    settings = {}
    continuous_cost = True
    kept_states = 3  # [x; 1], h σ'(a), g
    slowness = 1.5

    def __init__(self, network, samples):
        self.network = network
        self.trajectory = direct.Trajectory(network, samples)
        self.perturbation = namespace(network.parameters).empty_like(self.trajectory.scratch)

    def direct(self, x0, before_layer=None):
        return direct.solve_direct(self.network, x0, self.trajectory, before_layer)

    def gradient(self, adjoint, gradient, weight_decay=0.0, after_layer=None):
        return adjoint_gradient(self.network, self.trajectory, adjoint, gradient, weight_decay, after_layer)

    def sensitivity(self, perturbed):
        self.perturbation[...] = 0
        return solve_sensitivity(self.network, self.trajectory, self.perturbation, perturbed)

    @staticmethod
    def final_state(network, x0):
        return direct.final_state(network, x0)

    @staticmethod
    def on_device(network, samples):
        """Return the version of this solver for a GPU, or None if it cannot handle the network."""
        from stages.model.on_device.euler import EulerOnDevice, suits

        return EulerOnDevice(network, samples) if suits(network) else None


SOLVER = Euler
