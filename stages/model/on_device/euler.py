"""Euler's method on a GPU: as stages.model.solvers.euler.Euler, with all layers at once where they are independent.

    direct       a_l = [W_l b_l] [x_l; 1],  x_{l+1} = x_l + h σ(a_l)                    layer by layer
    adjoint      g_l = h σ'(a_l) ⊙ (λ_{l+1} / h),  λ_l / h = λ_{l+1} / h + W_lᵀ g_l      layer by layer
    gradient     [E'_W E'_b](t_l) = g_l [x_l; 1]ᵀ + µ4 [W_l b_l]                         all layers
    sensitivity  r_l = [ω_l β_l] [x_l; 1]                                               all layers
                 ξ_{l+1} = ξ_l + h σ'(a_l) ⊙ (r_l + W_l ξ_l)                             layer by layer

r is stored in the memory of g, which is no longer needed by then.
"""

from stages.model.direct import Trajectory, enter
from stages.model.on_device import kernels
from stages.model.on_device.layer_kernels import Launch
from stages.model.on_device.products import Product
from stages.runtime.arrays import namespace


class EulerOnDevice:
    continuous_cost = True  # as stages.model.solvers.euler.Euler's

    def __init__(self, network, samples):
        xp = namespace(network.parameters)
        self.network, self.trajectory = network, Trajectory(network, samples)
        x, x_one, slope, scratch = (getattr(self.trajectory, name) for name in ("x", "x_one", "slope", "scratch"))
        self.x, self.x_one, self.g = x, x_one[:-1], xp.empty_like(slope)
        self.λ, self.ξ = scratch, xp.empty_like(scratch)
        σ, h = network.activation, network.h
        parameters, W = network.parameters, network.W
        Wᵀ = W.swapaxes(-1, -2)
        # The calls for each layer, a product and a kernel, are prepared once.
        each = list(enumerate(zip(slope, self.g, strict=True)))
        self.forward = [
            (Product(parameters[i], x_one[i], x[i + 1]), Launch("advance", x[i], x[i + 1], s, h=h, formulas=σ.cuda))
            for i, (s, _) in each
        ]
        self.back = [
            (Launch("weigh", s, self.λ, g), Product(Wᵀ[i], g, self.λ, add=True)) for i, (s, g) in reversed(each)
        ]
        self.first = Launch("weigh", slope[0], self.g[0], self.ξ)  # ξ_1: ξ_0 is zero
        self.along = [(Product(W[i], self.ξ, g, add=True), Launch("carry", s, g, self.ξ)) for i, (s, g) in each[1:]]

    def direct(self, x0):
        """Return x(T) and keep the trajectory for the other two problems."""
        enter(self.network, self.x[0], x0)
        for affine, advance in self.forward:
            affine()
            advance()
        return self.x[-1]

    def gradient(self, adjoint, gradient, weight_decay=0.0):
        """Fill `gradient` from λ(T)."""
        namespace(adjoint).multiply(adjoint, 1 / self.network.h, out=self.λ)
        for weigh, add_back in self.back:
            weigh()
            add_back()
        Product(self.g, self.x_one.swapaxes(-1, -2), gradient.parameters)()
        if weight_decay:
            kernels.decay(self.network.parameters, weight_decay, gradient.parameters)
        return gradient

    def sensitivity(self, perturbed):
        """Return ξ(T) for perturbations [ω β] (Parameters) and an unperturbed input."""
        Product(perturbed.parameters, self.x_one, self.g)()
        self.first()
        for add_linear, carry in self.along:
            add_linear()
            carry()
        return self.ξ


def suits(network):
    """Tell whether this solver can handle a network: it must be dense, with an activation that has CUDA code."""
    return network.affine.rowwise and network.activation.cuda is not None
