"""The mathematics of the sNODE: x'(t) = σ(W(t) x(t) + b(t)) on (0, T), and what is derived from it.

Shapes. A state is a matrix whose columns are samples, so that the code reads like the paper: W x + b, and
Wᵀ(σ' ⊙ λ). Images are rows, (sample, pixel); `Network.columns` transposes them. Weights are (layer, ..., out, in),
biases (layer, ..., out), states (..., neuron, sample): the leading axes "..." are empty for one network, or (run,) for
several that train in lockstep as batched products.
"""
