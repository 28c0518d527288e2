"""A network as an attacker sees it: class scores, and derivatives of the output with respect to the image."""

import logging
import math

from stages.model import adjoint
from stages.model.classify import BLOCK as PREDICTION_BLOCK
from stages.model.direct import final_state, leave, solve_with_slopes
from stages.model.readout import FIRST_COMPONENTS
from stages.perturbations.class_rows import state_cotangents, unit_cotangents
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError

log = logging.getLogger("stages")

# Images per solve with derivatives: PGD is a sixth faster than with 100; larger blocks gain little.
BLOCK = 300


def parts(count, size, report):
    """Yield (slice, report) of parts of at most `size` of `count` images; report(share of a part) counts for all."""
    for start in range(0, count, size):
        share = min(size, count - start) / count

        def report_part(done):
            report(start / count + done * share)

        yield slice(start, start + size), report_part


class Victim:
    """network: stages.model.network.Network; classes: their number; loss: that of its training, as Cost takes it."""

    def __init__(self, network, classes, loss=None):
        if not bool(namespace(network.parameters).isfinite(network.parameters).all()):
            raise UserError("an attack wants a network of finite weights, found nan or infinity; train it again")
        self.network, self.classes, self.loss = network, classes, loss
        self.block = network.block(BLOCK)
        self.surrogate = None  # another Victim, for attacks that compute their images on it
        self.slopes = None  # of the last solve
        self.held = 0  # number of pixels, the first ones, that the attacker cannot change
        self._memory = namespace(network.parameters).empty(0, network.dtype)

    def hold(self, pixels):
        """Fix pixels that the attacker cannot change: "scores", those that are class scores of x(0), or None."""
        if pixels == "scores" and self.network.readout is not FIRST_COMPONENTS:
            raise UserError(
                "config: attack.attacks: hold: scores: wanted a network whose scores are the first components of its "
                "state, found one with a read-out of its own (a convolution); leave `hold` out for it"
            )
        if pixels == "scores" and self.network.affine.own_scores:
            log.info("hold: scores: nothing to hold: no pixel is a score of this network (network.scores: own)")
            pixels = None
        self.held = self.classes if pixels == "scores" else 0

    def scores(self, x):
        """Return the class scores (class, sample) of images x (pixel, sample)."""
        return self.in_blocks(self.read_out, x)

    def in_blocks(self, function, x):
        """Return function(x(T)), (..., sample), for images x (pixel, sample), computed block by block."""
        block = self.network.block(PREDICTION_BLOCK)
        starts = range(0, max(x.shape[-1], 1), block)  # one block even for no images, for its type
        found = [function(final_state(self.network, x[:, start : start + block])) for start in starts]
        return namespace(x).concatenate(found, axis=-1)

    def read_out(self, final):
        """Return the class scores (class, sample) in states x(T) (neuron, sample)."""
        return self.network.readout.scores(final, self.classes)

    def predict(self, x):
        """Return the class (sample,) of each image by the network's scores."""
        return self.scores(x).argmax(axis=0)

    def solve(self, x):
        """Return x(T) (neuron, sample) and keep the slopes for `pull_back`, until the next solve."""
        shape = (self.network.depth, self.network.width, x.shape[-1])
        # Batches shrink as images leave them. Allocating memory for each would cost a tenth of a solve.
        if math.prod(shape) > self._memory.size:
            self._memory = namespace(x).empty(math.prod(shape), self.network.dtype)
        self.slopes = self._memory[: math.prod(shape)].reshape(shape)
        return solve_with_slopes(self.network, x, self.slopes)

    def pull_back(self, cotangents):
        """Pull cotangents (neuron, cotangent, sample) of the last x(T) back to the images (pixel, cotangent, sample).

        In place: the cotangents are overwritten. The result is zero in held pixels.
        """
        rows = leave(self.network, adjoint.pull_back(self.network, self.slopes, cotangents))
        rows[: self.held] = 0
        return rows

    def pull_back_scores(self, cotangents):
        """The same for cotangents (class, cotangent, sample) of the class scores."""
        return self.pull_back(state_cotangents(self.network, cotangents))

    def class_rows(self):
        """Return the classes' rows of P, (pixel, class, sample), for the images of the last `solve`."""
        return self.pull_back_scores(unit_cotangents(self.network, self.classes, self.slopes.shape[-1]))
