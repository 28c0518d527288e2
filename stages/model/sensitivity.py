"""The neural sensitivity problem (paper, lemma 1): how perturbations propagate through a network, to first order.

    ξ'(t) = σ'(W x + b) ⊙ (ω x + β + W ξ),     ξ(0) = ξ⁰

with ω, β perturbations of weights and biases and ξ⁰ one of the input. The discrete form is exact for Euler's network:

    ξ_{l+1} = ξ_l + h σ'(a_l) ⊙ (ω_l x_l + β_l + W_l ξ_l)
"""

from stages.model.active_rows import active_rows, add_to_rows, room_for, rows_of
from stages.runtime.arrays import namespace


def solve_sensitivity(network, trajectory, perturbation, perturbed=None, after_layer=None):
    """Propagate `perturbation` = ξ⁰ (..., neuron, sample) through the network, in place, and return it as ξ(T).

    perturbed(l) returns [ω_l β_l], in the shape of [W_l b_l]; None if weights and biases are not perturbed.
    after_layer(l) is called when `perturbation` is ξ_{l+1}.
    """
    affine, ξ, rate = network.affine, perturbation, trajectory.scratch
    scratch = namespace(ξ).empty_like(ξ)
    layers = zip(network.parameters, trajectory.x_one[:-1], trajectory.slope, strict=True)
    for layer, (Wb, x_one, slope) in enumerate(layers):
        ωβ = None if perturbed is None else perturbed(layer)
        for run, rows in active_rows(trajectory.active, layer):
            Wb_rows, change = rows_of(Wb[run], rows), room_for(rows, rate[run])
            if ωβ is None:
                affine.linear(Wb_rows, ξ[run], out=change)
            else:
                ωβ_rows, more = rows_of(ωβ[run], rows), room_for(rows, scratch[run])
                affine.perturbed(Wb_rows, ξ[run], ωβ_rows, x_one[run], change, more)
            change *= rows_of(slope[run], rows)
            add_to_rows(ξ[run], rows, change)
        if after_layer is not None:
            after_layer(layer)
    return ξ
