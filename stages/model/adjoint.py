"""The adjoint problem (paper, lemma 2): λ'(t) = -W(t)ᵀ(σ'(a(t)) ⊙ λ(t)), λ(T) given, and the gradient it yields.

The discrete form is exact for the network that Euler's method gives:

    g_l = σ'(a_l) ⊙ λ_{l+1},     λ_l = λ_{l+1} + h W_lᵀ g_l
    E'_W(t_l) = g_l x_lᵀ + µ4 W_l,     E'_b(t_l) = Σ_k g_l + µ4 b_l

with λ(T) the derivative of the cost with respect to x(T), its 1/K included. These are gradients with respect to the
inner product of L²(0, T): the partial derivatives with respect to the entries of W_l are h E'_W(t_l).

The code uses λ / h, for which g_l = (h σ'(a_l)) ⊙ (λ_{l+1} / h) and λ_l / h = λ_{l+1} / h + W_lᵀ g_l: no factor h
remains in the loop. Both gradients are one product, [E'_W E'_b] = g [x; 1]ᵀ.
"""

from stages.model.active_rows import active_rows, looks_for_inactive, room_for, rows_of
from stages.model.network import Parameters
from stages.runtime.arrays import namespace


class Gradient(Parameters):
    """[E'_W E'_b] at the nodes, in the shape of [W b].

    active: (layer, ..., neuron), false for neurons whose row is known to be zero; None if they are not determined.
    """

    def __init__(self, network):
        xp = namespace(network.parameters)
        super().__init__(xp.empty_like(network.parameters))
        self.active = xp.ones(self.parameters.shape[:-1], bool) if looks_for_inactive(network) else None

    def set_rows(self, layer, run, rows, values):
        """Set the given rows to `values` and all others to zero; rows = None: all rows are filled already."""
        if rows is None:
            self.mark_active(layer, *run)
            return
        G, active = self.parameters[layer, *run], self.active[layer, *run]
        G[active] = 0
        G[rows] = values
        active[...] = False
        active[rows] = True

    def mark_active(self, *where):
        """Mark all rows of a layer, or of one run in it, as possibly nonzero, after other code has filled them."""
        if self.active is not None:
            self.active[where] = True


def adjoint_gradient(network, trajectory, adjoint, gradient, weight_decay=0.0, after_layer=None):
    """Solve backwards from `adjoint` = λ(T), which becomes λ(0), and fill `gradient`.

    after_layer(l) is called when layer l is done and its gradient is in the cache: its weights are no longer needed, so
    a trainer may update them.
    """
    xp, h, affine = namespace(adjoint), network.h, network.affine
    memory, back = xp.empty_like(adjoint), trajectory.scratch
    layers = zip(gradient.parameters, network.parameters, trajectory.x_one[:-1], trajectory.slope, strict=True)
    adjoint /= h
    for layer, (G, Wb, x_one, slope) in reversed(list(enumerate(layers))):
        for run, rows in active_rows(trajectory.active, layer):
            Wb_rows, g = rows_of(Wb[run], rows), room_for(rows, memory[run])
            xp.multiply(rows_of(slope[run], rows), rows_of(adjoint[run], rows), out=g)
            G_rows = G[run] if rows is None else Wb_rows  # a copy that is no longer needed by then
            adjoint[run] += affine.backward(Wb_rows, g, x_one[run], G_rows, out=back[run])
            gradient.set_rows(layer, run, rows, G_rows)
        if weight_decay:
            G += weight_decay * Wb
            gradient.mark_active(layer)
        if after_layer is not None:
            after_layer(layer)
    adjoint *= h
    return gradient


def pull_back(network, slopes, adjoint, after_layer=None):
    """Pull cotangents (..., neuron, cotangent, sample) of x(T) back to x(0), in place.

    slopes: h σ'(a_l), (layer, ..., neuron, sample). A sample may have several cotangents: attacks use the rows of
    P = dx(T)/dx(0) for all classes. after_layer(l, h g_l), for single networks only, is called when layer l is done;
    h g_l has the shape of the cotangents, perhaps without inactive neurons, and the next layer overwrites it.
    """
    xp, affine = namespace(adjoint), network.affine
    cotangents, samples = adjoint.shape[-2:]
    memory, back = xp.empty((2, *adjoint.shape), adjoint.dtype)
    active = slopes.any(axis=-1) if looks_for_inactive(network) else None

    def columns(array):
        return array.reshape(*array.shape[:-2], cotangents * samples)

    for layer in reversed(range(network.depth)):
        Wb, slope = network.parameters[layer], slopes[layer]
        for run, rows in active_rows(active, layer):
            hg = room_for(rows, memory[run])
            xp.multiply(rows_of(slope[run], rows)[..., None, :], rows_of(adjoint[run], rows), out=hg)
            affine.transposed(rows_of(Wb[run], rows), columns(hg), out=columns(back[run]))
            adjoint[run] += back[run]
        if after_layer is not None:
            after_layer(layer, hg)
    return adjoint
