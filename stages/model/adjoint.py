"""The adjoint problem (paper, lemma 2): λ'(t) = -W(t)ᵀ(σ'(a(t)) ⊙ λ(t)), λ(T) given, and the gradient it yields.

Exact for the network that Euler's method makes of the ODE:

    g_l = σ'(a_l) ⊙ λ_{l+1},     λ_l = λ_{l+1} + h W_lᵀ g_l
    E'_W(t_l) = g_l x_lᵀ + µ4 W_l,     E'_b(t_l) = Σ_k g_l + µ4 b_l

with λ(T) the derivative of the cost with respect to x(T), its 1/K included. These are gradients with respect to the
inner product of L²(0, T): the partial derivatives with respect to the entries of W_l are h E'_W(t_l).

The code carries λ / h, for which g_l = (h σ'(a_l)) ⊙ (λ_{l+1} / h) and λ_l / h = λ_{l+1} / h + W_lᵀ g_l: no factor h is
left in the loop. Both gradients are one product, [E'_W E'_b] = g [x; 1]ᵀ.
"""

from stages.arrays import namespace
from stages.model.awake import may_sleep, taking_part, those
from stages.model.network import Parameters


class Gradient(Parameters):
    """[E'_W E'_b] at the nodes, in the shape of [W b].

    awake: (layer, ..., neuron), false where a neuron's row is known to be zero; None where that is not looked at.
    """

    def __init__(self, network):
        super().__init__(namespace(network.parameters).empty_like(network.parameters))
        self.awake = namespace(self.parameters).ones(self.parameters.shape[:-1], bool) if may_sleep(network) else None

    def set_rows(self, layer, run, neurons, rows):
        """Let the rows of some neurons be these, and those of all others zero."""
        G, awake = self.parameters[layer, *run], self.awake[layer, *run]
        G[awake] = 0
        G[neurons] = rows
        awake[...] = False
        awake[neurons] = True

    def wake(self, *where):
        """Any row of a layer may differ from zero, or of a run in it: something else has filled it."""
        if self.awake is not None:
            self.awake[where] = True


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
        for run, neurons in taking_part(trajectory.awake, layer):
            if neurons is None:
                xp.multiply(slope[run], adjoint[run], out=g[run])
                adjoint[run] += affine.backward(Wb[run], g[run], x_one[run], G[run], out=back[run])
                gradient.wake(layer, *run)
                continue
            rows, g_rows = those(Wb[run], neurons), those(slope[run], neurons)
            g_rows *= those(adjoint[run], neurons)
            adjoint[run] += affine.transposed(rows, g_rows, out=back[run])
            gradient.set_rows(layer, run, neurons, affine.gradient(g_rows, x_one[run], rows))
        if weight_decay:
            G += weight_decay * Wb
            gradient.wake(layer)
        if after_layer is not None:
            after_layer(layer)
    adjoint *= h
    return gradient


def pull_back(network, slopes, adjoint, after_layer=None):
    """Carry cotangents (..., neuron, cotangent, sample) of x(T) back to x(0), in place.

    slopes: h σ'(a_l), (layer, ..., neuron, sample). Each sample may carry several cotangents, as the rows of
    P = dx(T)/dx(0) for all classes do in the attacks. after_layer(l, h g_l), not for networks in lockstep, is called
    when layer l is done; h g_l, in the shape of the cotangents but perhaps without neurons where it is zero, is
    overwritten by the next.
    """
    xp, affine = namespace(adjoint), network.affine
    cotangents, samples = adjoint.shape[-2:]
    memory, back = xp.empty((2, *adjoint.shape), adjoint.dtype)
    awake = slopes.any(axis=-1) if may_sleep(network) else None

    def columns(array):
        return array.reshape(*array.shape[:-2], cotangents * samples)

    for layer in reversed(range(network.depth)):
        Wb, slope = network.parameters[layer], slopes[layer]
        for run, neurons in taking_part(awake, layer):
            if neurons is None:
                hg = xp.multiply(slope[run][..., None, :], adjoint[run], out=memory[run])
            else:
                hg = those(adjoint[run], neurons)
                hg *= those(slope[run], neurons)[:, None, :]
            affine.transposed(those(Wb[run], neurons), columns(hg), out=columns(back[run]))
            adjoint[run] += back[run]
        if after_layer is not None:
            after_layer(layer, hg)
    return adjoint
