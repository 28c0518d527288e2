"""The outputs of a network that an attack sees: its class scores, or a softmax of them.

The paper does not say what the Carlini-Wagner attack saw. With s the class scores in x(T) and p = softmax(s):

    scores           s
    softmax          p
    softmax-twice    softmax(p): a network that ends with a softmax, wrapped as if its outputs were scores
    softmax-all      the classes' entries of the softmax over all components of x(T)

Each head returns its outputs z (class, sample) and, for a weight w, the gradient of <w, z> with respect to x(T). The
transposed derivative of softmax is p ⊙ (w - <p, w>).
"""

from stages.model.cost import softmax
from stages.model.readout import FIRST_COMPONENTS
from stages.perturbations.class_rows import state_cotangents
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError


def _back(p, w):
    """Return the transposed derivative of softmax at the probabilities p, applied to w."""
    return p * (w - (p * w).sum(axis=0))


class Head:
    """Outputs from the class scores by applying softmax `times` times."""

    def __init__(self, victim, times):
        self.victim, self.times = victim, times

    def outputs(self, final):
        return self._levels(final)[-1]

    def cotangent(self, final, w):
        """Return the cotangent (neuron, 1, sample) of states x(T) for a weight w (class, sample) on the outputs."""
        for p in self._levels(final)[:0:-1]:
            w = _back(p, w)
        return state_cotangents(self.victim.network, w[:, None])

    def _levels(self, final):
        """Return the scores and the result of each softmax."""
        levels = [self.victim.read_out(final)]
        for _ in range(self.times):
            levels.append(softmax(levels[-1]))
        return levels


class HeadOnAllComponents:
    """The same interface, with one softmax over all components of x(T)."""

    def __init__(self, victim):
        if victim.network.readout is not FIRST_COMPONENTS:
            raise UserError(
                "config: attack.attacks: outputs: softmax-all: wanted a network whose scores are components of its "
                "state, found one with a read-out of its own (a convolution); take softmax for it"
            )
        self.classes = victim.classes

    def outputs(self, final):
        return softmax(final)[: self.classes]

    def cotangent(self, final, w):
        on_all = namespace(final).zeros(final.shape, final.dtype)
        on_all[: self.classes] = w
        return _back(softmax(final), on_all)[:, None]


HEADS = {
    "scores": lambda victim: Head(victim, 0),
    "softmax": lambda victim: Head(victim, 1),
    "softmax-twice": lambda victim: Head(victim, 2),
    "softmax-all": HeadOnAllComponents,
}
