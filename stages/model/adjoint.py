"""The adjoint problem (paper, lemma 2): λ'(t) = -W(t)ᵀ(σ'(a(t)) ⊙ λ(t)), λ(T) given, and the gradient it yields.

Exact for the network that Euler's method makes of the ODE:

    g_l = σ'(a_l) ⊙ λ_{l+1},     λ_l = λ_{l+1} + h W_lᵀ g_l
    E'_W(t_l) = g_l x_lᵀ + µ4 W_l,     E'_b(t_l) = Σ_k g_l + µ4 b_l

with λ(T) the derivative of the cost with respect to x(T), its 1/K included. These are gradients with respect to the
inner product of L²(0, T): the partial derivatives with respect to the entries of W_l are h E'_W(t_l).
"""

from stages.arrays import namespace
from stages.model.inner_product import sum_of_products


class Gradient:
    """E'_W and E'_b at the nodes, in the shapes of W and b, and the square of their norm in L²(0, T)."""

    def __init__(self, network):
        xp = namespace(network.W)
        self.W = xp.empty_like(network.W)
        self.b = xp.empty_like(network.b)
        self.squared_norm = None  # (...), float64


def adjoint_gradient(network, trajectory, adjoint, gradient, weight_decay=0.0, after_layer=None):
    """Solve backwards from `adjoint` = λ(T), which becomes λ(0), and fill `gradient`.

    after_layer(l) is called when layer l is done: nothing later needs its weights, so a trainer may move them.
    """
    xp, h = namespace(network.W), network.h
    g = xp.empty_like(adjoint)
    ones = xp.ones((g.shape[-1],), g.dtype)
    squares = 0.0
    for layer in reversed(range(network.depth)):
        xp.multiply(trajectory.slope[layer], adjoint, out=g)
        G_W, G_b = gradient.W[layer], gradient.b[layer]
        xp.matmul(g, trajectory.x[layer].swapaxes(-1, -2), out=G_W)
        xp.matmul(g, ones, out=G_b)
        if weight_decay:
            G_W += weight_decay * network.W[layer]
            G_b += weight_decay * network.b[layer]
        squares = squares + sum_of_products(G_W, G_W, 2) + sum_of_products(G_b, G_b, 1)
        xp.matmul(network.W[layer].swapaxes(-1, -2), g, out=trajectory.scratch)
        trajectory.scratch *= h
        adjoint += trajectory.scratch
        if after_layer is not None:
            after_layer(layer)
    gradient.squared_norm = h * squares
    return gradient


def pull_back(network, trajectory, adjoint):
    """Carry cotangents (..., neuron, cotangent, sample) of x(T) back to x(0), in place.

    The slopes belong to the samples; each sample may carry several cotangents, as the rows of P = dx(T)/dx(0) for
    all classes do in the attacks.
    """
    xp, h = namespace(network.W), network.h
    *leading, width, cotangents, samples = adjoint.shape
    g = xp.empty_like(adjoint)
    flat = (*leading, width, cotangents * samples)
    back = xp.empty(flat, adjoint.dtype)
    for layer in reversed(range(network.depth)):
        xp.multiply(trajectory.slope[layer][..., None, :], adjoint, out=g)
        xp.matmul(network.W[layer].swapaxes(-1, -2), g.reshape(flat), out=back)
        back *= h
        adjoint += back.reshape(adjoint.shape)
    return adjoint
