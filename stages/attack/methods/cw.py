"""The attack of Carlini and Wagner in the l2 norm, step by step as in the Adversarial Robustness Toolbox.

It minimises, over w with x = (tanh w + 1) / 2, which keeps pixels valid,

    f(x) = |x - x⁰|² + c max( z_j(x) - max_{i≠j} z_i(x) + confidence, 0 )

by gradient descent with a line search: the rate is halved until f decreases, or, if it decreases at once, doubled while
it decreases further. In an outer loop, `searches` values of c are tried. The successful image closest to x⁰ wins. z are
the outputs of the network that the attack sees (`stages.attack.heads`).

Three properties of the toolbox that affect its results are kept:
- if the line search finds no descent, f and the distance of the last trial are used in the next iteration;
- after a failure the already increased c becomes its own lower bound, so that c no longer changes after the next
  success: the same search would be repeated from then on, and the image leaves the batch instead;
- 10 iterations, its default, are few: that is why the paper's success rates are low.
Each image is treated as a separate batch, the toolbox's default.
"""

from stages.attack.attack_result import AttackResult
from stages.attack.heads import HEADS
from stages.attack.victim import parts
from stages.runtime.arrays import namespace
from stages.runtime.schemas import number, whole

SMOOTHING = 0.999999  # keeps arctanh finite for black and white pixels
LARGEST_CONSTANT = 10e10
HALVINGS = DOUBLINGS = 5

CONFINED = False  # it minimises the perturbation itself
SETTINGS = {
    "outputs": {"enum": list(HEADS), "description": "What the attack sees of the network."},
    "confidence": number("Margin by which the image must be misclassified.", least=0, most=1000),
    "rate": number("First step length.", above=0, most=1000),
    "searches": whole("Binary search steps.", least=1, most=1000),
    "iterations": whole("Iterations per search step.", least=1, most=100000),
    "constant": number("First trade-off constant.", above=0, most=1000000),
}


def attack(victim, images, labels, radii, report, *, outputs, confidence, rate, searches, iterations, constant):
    """No ball confines this attack: `radii` is unused."""
    xp = namespace(images)
    result = victim.network.columns(images)
    steps = xp.zeros(images.shape[0], int)
    for block, report_block in parts(images.shape[0], victim.block, report):
        objective = Objective(victim, result[:, block].copy(), labels[block], HEADS[outputs](victim), confidence)
        result[:, block], steps[block] = search_constant(objective, rate, searches, iterations, constant, report_block)
    return AttackResult(result.swapaxes(0, 1), iterations=steps)


class Objective:
    """f for a block of images `origin` (pixel, sample); `indices` below selects some of them."""

    def __init__(self, victim, origin, labels, head, confidence):
        xp = namespace(origin)
        self.victim, self.origin, self.labels = victim, origin, labels
        self.head, self.confidence = head, confidence
        self.w = xp.arctanh((origin.clip(0, 1) * 2 - 1) * SMOOTHING)
        self.own = xp.arange(victim.classes)[:, None] == labels[None, :]
        # Every search starts at the originals, whose outputs are computed once.
        self.first_outputs = self.outputs(origin)
        self.first_slope = self.margin_slope(origin, self.first_outputs, xp.arange(labels.size))

    def outputs(self, x):
        """Return the outputs z (class, sample) for images x (pixel, sample)."""
        return self.victim.in_blocks(self.head.outputs, x)

    def value(self, x, z, indices, c):
        """Return the squared distance and f, in float64, at images x with outputs z."""
        distance = ((x - self.origin.take(indices, axis=1)).astype("float64") ** 2).sum(axis=0)
        mine, rival, _ = self._rivals(z, indices)
        margin = (mine - rival + self.confidence).clip(0, None)
        return distance, c * margin.astype("float64") + distance

    def margin_slope(self, x, z, indices):
        """Return the gradient (pixel, sample) of z_j - max z_i with respect to x, at outputs z."""
        xp = namespace(x)
        samples = xp.arange(x.shape[-1])
        _, _, rival = self._rivals(z, indices)
        weight = xp.zeros(z.shape, x.dtype)
        weight[rival, samples] = -1
        weight[self.labels[indices], samples] = 1
        return self.victim.pull_back(self.head.cotangent(self.victim.solve(x), weight))[:, 0]

    def descent(self, x, w, margin_slope, indices, c):
        """Return minus the gradient of f with respect to w."""
        gradient = margin_slope * c.astype(x.dtype)
        gradient += 2 * (x - self.origin.take(indices, axis=1))
        return -gradient * (1 - namespace(x).tanh(w) ** 2) / (2 * SMOOTHING)

    def _rivals(self, z, indices):
        """Return the label's output, the largest of the others, and its class."""
        xp = namespace(z)
        own = self.own.take(indices, axis=1)
        others = xp.where(own, -xp.inf, z)
        return xp.where(own, z, 0).sum(axis=0), others.max(axis=0), others.argmax(axis=0)


def pixels(w):
    return (namespace(w).tanh(w) + 1) / 2


def search_constant(objective, rate, searches, iterations, constant, report):
    """Return the best images (pixel, sample) and the number of descent steps made for each."""
    origin = objective.origin
    xp, samples = namespace(origin), origin.shape[-1]
    c, lower = xp.full(samples, constant, "float64"), xp.zeros(samples)
    doubling = xp.ones(samples, bool)
    best, best_distance = origin.copy(), xp.full(samples, xp.inf)
    steps = xp.zeros(samples, int)
    indices = xp.arange(samples)
    for search in range(searches):
        success = descend(objective, indices, c[indices], rate, iterations, best, best_distance)
        steps[indices] += iterations
        doubling[indices[success]] = False
        old, doubles = c[indices], doubling[indices]
        raised = xp.where(doubles, 2 * old, old + (old - lower[indices]) / 2)
        c[indices] = xp.where(success, (lower[indices] + old) / 2, raised)
        lower[indices] = xp.where(success, lower[indices], raised)
        report((search + 1) / searches)
        indices = indices[(c[indices] != old) & (c[indices] < LARGEST_CONSTANT)]
        if not indices.size:
            break
    return best, steps


def descend(objective, indices, c, rate, iterations, best, best_distance):
    """Descend from the originals with the constants c; improve `best` in place; return whether each ever succeeded."""
    xp = namespace(c)
    x, w = objective.origin.take(indices, axis=1), objective.w.take(indices, axis=1)
    rate = xp.full(indices.size, rate, "float64")
    z, margin_slope = (first.take(indices, axis=1) for first in (objective.first_outputs, objective.first_slope))
    distance, f = objective.value(x, z, indices, c)
    misclassified = f - distance <= 0
    ever = misclassified
    for iteration in range(iterations):
        _keep_better(indices, misclassified, x, distance, best, best_distance)
        direction = objective.descent(x, w, margin_slope, indices, c)
        chosen, z, distance, f, rate = line_search(objective, indices, c, w, direction, rate, z, distance, f)
        moved = xp.flatnonzero(chosen > 0)
        w[:, moved] += (chosen[moved] * direction[:, moved]).astype(w.dtype)
        x[:, moved] = pixels(w[:, moved])
        misclassified = xp.where(chosen > 0, f - distance <= 0, misclassified)
        ever = ever | misclassified
        if iteration < iterations - 1 and moved.size:  # an image that did not move keeps its slope
            margin_slope[:, moved] = objective.margin_slope(x[:, moved], z[:, moved], indices[moved])
    _keep_better(indices, misclassified, x, distance, best, best_distance)
    return ever


def line_search(objective, indices, c, w, direction, rate, z, distance, f):
    """Return (chosen rate, 0 if f never decreased; outputs, distance and f there; next rate).

    If f never decreased, distance and f are those of the last trial.
    """
    xp = namespace(f)
    before, lowest = f, f.copy()
    z, distance, f, rate = z.copy(), distance.copy(), f.copy(), rate.copy()
    kept = [z.copy(), distance.copy(), f.copy()]  # at the chosen rate
    chosen = xp.zeros_like(rate)
    halved = xp.zeros(rate.shape, int)

    def attempt(which):
        trial = pixels(w[:, which] + (rate[which] * direction[:, which]).astype(w.dtype))
        z_trial = objective.outputs(trial)
        distance[which], f[which] = objective.value(trial, z_trial, indices[which], c[which])
        fell = xp.flatnonzero(f[which] < lowest[which])
        better = which[fell]
        chosen[better], lowest[better] = rate[better], f[better]
        kept[0][:, better], kept[1][better], kept[2][better] = z_trial[:, fell], distance[better], f[better]

    for _ in range(HALVINGS):
        which = xp.flatnonzero(f >= before)
        if not which.size:
            break
        attempt(which)
        rate[which] /= 2
        halved[which] += 1
    rate *= 2
    at_once = halved == 1
    for _ in range(DOUBLINGS):
        which = xp.flatnonzero(at_once & (f <= lowest))
        if not which.size:
            break
        rate[which] *= 2
        attempt(which)
    rate = xp.where(at_once, rate / 2, rate)
    fell = chosen > 0
    z = xp.where(fell, kept[0], z)
    return chosen, z, xp.where(fell, kept[1], distance), xp.where(fell, kept[2], f), rate


def _keep_better(indices, misclassified, x, distance, best, best_distance):
    """Keep misclassified images that are closer to their originals than the best so far."""
    closer = namespace(misclassified).flatnonzero(misclassified & (distance < best_distance[indices]))
    better = indices[closer]
    best_distance[better], best[:, better] = distance[closer], x[:, closer]
