"""A network as an attacker sees it: class scores, and derivatives of the output with respect to the image."""

import math

from stages.arrays import namespace
from stages.errors import UserError
from stages.model import adjoint
from stages.model.classify import BLOCK as READ_BLOCK
from stages.model.direct import Trajectory, final_state, solve_direct

# Images a solve with derivatives: PGD's are a sixth faster than with 100, and more gain little.
BLOCK = 300


class Victim:
    """network: stages.model.network.Network; classes: how many; loss: µ1, µ2, µ3 and components of its training."""

    def __init__(self, network, classes, loss=None):
        if not bool(namespace(network.parameters).isfinite(network.parameters).all()):
            raise UserError("an attack wants a network of finite weights, found nan or infinity; train it again")
        self.network, self.classes, self.loss = network, classes, loss
        self.trajectory = None
        self._memory = Memory(network)

    def scores(self, x):
        """Return the class scores (class, sample) of images x (pixel, sample)."""
        xp, samples = namespace(x), x.shape[-1]
        starts = range(0, max(samples, 1), READ_BLOCK)  # one block even of nothing, for its type
        parts = [final_state(self.network, x[:, start : start + READ_BLOCK])[: self.classes] for start in starts]
        return xp.concatenate(parts, axis=-1)

    def read(self, x):
        """Return the class (sample,) that the network reads in each image."""
        return self.scores(x).argmax(axis=0)

    def solve(self, x):
        """Return x(T) (neuron, sample) and keep the trajectory for `pull_back`. The next solve overwrites both."""
        self.trajectory = self._memory.trajectory(x.shape[-1])
        return solve_direct(self.network, x, self.trajectory)

    def pull_back(self, cotangents):
        """Carry cotangents (neuron, cotangent, sample) of the last `solve` back to the images, in place."""
        return adjoint.pull_back(self.network, self.trajectory, cotangents)


class Memory:
    """Memory for the trajectories of batches that shrink as images leave them: claimed once, it grows only if it must.

    Fresh memory for each batch would cost a tenth of a solve.
    """

    def __init__(self, network):
        self.network, self.samples = network, 0

    def trajectory(self, samples):
        if samples > self.samples:
            self.whole, self.samples = Trajectory(self.network, samples), samples
        view = Trajectory.__new__(Trajectory)
        for name, array in vars(self.whole).items():
            shape = (*array.shape[:-1], samples)
            setattr(view, name, array.reshape(-1)[: math.prod(shape)].reshape(shape))
        view.x_one[..., -1, :] = 1
        return view
