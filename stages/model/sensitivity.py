"""The neural sensitivity problem (paper, lemma 1): how perturbations travel through a network, to first order.

    ξ'(t) = σ'(W x + b) ⊙ (ω x + β + W ξ),     ξ(0) = ξ⁰

with ω, β perturbations of weights and biases and ξ⁰ one of the input. Exact for the network that Euler makes:

    ξ_{l+1} = ξ_l + h σ'(a_l) ⊙ (ω_l x_l + β_l + W_l ξ_l)
"""

from stages.arrays import namespace
from stages.model.awake import taking_part, those


def solve_sensitivity(network, trajectory, perturbation, perturbed=None, after_layer=None):
    """Carry `perturbation` = ξ⁰ (..., neuron, sample) through the network, in place, and return it as ξ(T).

    perturbed(l) returns [ω_l β_l], in the shape of [W_l b_l]; None where weights and biases are as they are.
    after_layer(l) is called when `perturbation` is ξ_{l+1}.
    """
    affine, ξ, rate = network.affine, perturbation, trajectory.scratch
    scratch = namespace(ξ).empty_like(ξ)
    layers = zip(network.parameters, trajectory.x_one[:-1], trajectory.slope, strict=True)
    for layer, (Wb, x_one, slope) in enumerate(layers):
        ωβ = None if perturbed is None else perturbed(layer)
        for run, neurons in taking_part(trajectory.awake, layer):
            rows = those(Wb[run], neurons)
            rate_run = rate[run] if neurons is None else rate[run][: neurons.size]
            if ωβ is None:
                affine.linear(rows, ξ[run], out=rate_run)
            else:
                more = scratch[run] if neurons is None else scratch[run][: neurons.size]
                affine.perturbed(rows, ξ[run], those(ωβ[run], neurons), x_one[run], rate_run, more)
            rate_run *= those(slope[run], neurons)
            if neurons is None:
                ξ[run] += rate_run
            else:
                ξ[run][neurons] += rate_run
        if after_layer is not None:
            after_layer(layer)
    return ξ
