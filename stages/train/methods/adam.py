"""Adam with Keras's definitions (Kingma and Ba, 2015), beyond the paper.

    m <- β₁ m + (1 - β₁) p,     v <- β₂ v + (1 - β₂) p²
    θ <- θ - rate √(1 - β₂ⁿ) / (1 - β₁ⁿ)  m / (√v + ε)

n = 1, 2, ... counts the updates; p is the partial derivative, h times the L² gradient.
"""

from stages.runtime.arrays import namespace
from stages.runtime.schemas import number
from stages.train.methods.first_order import EPSILON, RATE, SCHEDULE, FirstOrder


class Adam(FirstOrder):
    label = "Adam-trained ResNets"
    settings = {
        "rate": RATE,
        "beta1": number("Decay of the gradient's mean.", least=0, below=1),
        "beta2": number("Decay of the squared gradient's mean.", least=0, below=1),
        "epsilon": EPSILON,
    }
    options = {"schedule": SCHEDULE}
    averages = ("m", "v")
    weight_arrays = 4  # weights, gradient, m, v

    def __init__(self, network, cost, samples, *, beta1, beta2, epsilon, **settings):
        super().__init__(network, cost, samples, **settings)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon

    def update(self, index):
        """Weights of inactive neurons move too, as long as their m is not zero."""
        h, n = self.network.h, self.done + 1
        θ, G = self.network.parameters[index], self.passes.gradient.parameters[index]
        m, v = self.m[index], self.v[index]
        m *= self.beta1
        m += (1 - self.beta1) * h * G
        v *= self.beta2
        v += (1 - self.beta2) * h**2 * G * G
        step = self.rate * (1 - self.beta2**n) ** 0.5 / (1 - self.beta1**n)
        scratch = namespace(v).sqrt(v)
        scratch += self.epsilon
        namespace(v).divide(m, scratch, out=scratch)
        scratch *= step
        θ -= scratch


METHOD = Adam
