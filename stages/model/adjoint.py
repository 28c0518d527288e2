"""The adjoint problem (paper, lemma 2): λ'(t) = -W(t)ᵀ(σ'(a(t)) ⊙ λ(t)), λ(T) given, and the gradient it yields.

Exact for the network that Euler's method makes of the ODE:

    g_l = σ'(a_l) ⊙ λ_{l+1},     λ_l = λ_{l+1} + h W_lᵀ g_l
    E'_W(t_l) = g_l x_lᵀ + µ4 W_l,     E'_b(t_l) = Σ_k g_l + µ4 b_l

with λ(T) the derivative of the cost with respect to x(T), its 1/K included. These are gradients with respect to the
inner product of L²(0, T): the partial derivatives with respect to the entries of W_l are h E'_W(t_l).

The code carries λ / h, for which g_l = (h σ'(a_l)) ⊙ (λ_{l+1} / h) and λ_l / h = λ_{l+1} / h + W_lᵀ g_l: no factor h is
left in the loop. Both gradients are one product, [E'_W E'_b] = g [x; 1]ᵀ.
"""

import itertools

import numpy as np

from stages.arrays import namespace
from stages.model.awake import awake, may_sleep
from stages.model.network import Parameters


class Gradient(Parameters):
    """[E'_W E'_b] at the nodes, in the shape of [W b]."""

    def __init__(self, network):
        super().__init__(namespace(network.parameters).empty_like(network.parameters))


def adjoint_gradient(network, trajectory, adjoint, gradient, weight_decay=0.0, after_layer=None):
    """Solve backwards from `adjoint` = λ(T), which becomes λ(0), and fill `gradient`.

    after_layer(l) is called when layer l is done, its gradient in the cache: nothing later needs its weights, so a
    trainer may move them.
    """
    xp, h, affine = namespace(adjoint), network.h, network.affine
    g, back = xp.empty_like(adjoint), trajectory.scratch
    layers = zip(gradient.parameters, network.parameters, trajectory.x_one[:-1], trajectory.slope, strict=True)
    adjoint /= h
    for layer, (G, Wb, x_one, slope) in reversed(list(enumerate(layers))):
        xp.multiply(slope, adjoint, out=g)
        adjoint += affine.backward(Wb, g, x_one, G, out=back)
        if weight_decay:
            G += weight_decay * Wb
        if after_layer is not None:
            after_layer(layer)
    adjoint *= h
    return gradient


def pull_back(network, slopes, adjoint, after_layer=None):
    """Carry cotangents (..., neuron, cotangent, sample) of x(T) back to x(0), in place.

    slopes: h σ'(a_l), (layer, ..., neuron, sample). Each sample may carry several cotangents, as the rows of
    P = dx(T)/dx(0) for all classes do in the attacks. after_layer(l, h g_l) is called when layer l is done; h g_l, in
    the shape of the cotangents but perhaps without neurons where it is zero, is overwritten by the next. Not for networks
    in lockstep.
    """
    if not may_sleep(network, slopes):
        layers = zip(network.parameters, slopes, itertools.repeat(None, network.depth), strict=True)
        return _pull_back(network.affine, layers, adjoint, after_layer)
    for run in np.ndindex(network.leading):  # of networks in lockstep each has its own neurons awake
        Wb, slope = (array[(slice(None), *run)] for array in (network.parameters, slopes))
        _pull_back(network.affine, zip(Wb, slope, awake(slope), strict=True), adjoint[run], after_layer)
    return adjoint


def _pull_back(affine, layers, adjoint, after_layer):
    """layers: of each [W b], the slopes and the neurons that take part, None for all."""
    xp = namespace(adjoint)
    *leading, _, cotangents, samples = adjoint.shape
    memory, back = xp.empty((2, *adjoint.shape), adjoint.dtype)

    def columns(array):
        return array.reshape(*leading, array.shape[-3], cotangents * samples)

    for layer, (Wb, slope, neurons) in reversed(list(enumerate(layers))):
        if neurons is None:
            hg = xp.multiply(slope[..., None, :], adjoint, out=memory)
        else:
            hg = adjoint.take(neurons, axis=-3)
            hg *= slope.take(neurons, axis=-2)[..., None, :]
            Wb = Wb.take(neurons, axis=-2)
        affine.transposed(Wb, columns(hg), out=columns(back))
        adjoint += back
        if after_layer is not None:
            after_layer(layer, hg)
    return adjoint
