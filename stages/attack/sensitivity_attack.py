"""The sensitivity attack (paper, Algorithm 2 and the appendix on attacks), towards a class or with a moving target.

An image is read as class j. With P = dx(T)/dx(0) and scores z, the shortest perturbation that makes class i overtake j,
to first order and with a safety margin, κ (z_i + ζ_i) >= z_j + ζ_j, is

    v_i = κ P_i - P_j,     ξ_i = (z_j - κ z_i) v_i / |v_i|²,     |ξ_i| = (z_j - κ z_i) / |v_i|

whatever the rank of (P_i, P_j), as long as v_i is not zero; then no perturbation helps class i. Each step goes a fixed
length along ξ_i. The moving target is the class with the shortest ξ_i, chosen anew at each step.

With κ < 1 and negative scores z_j <= κ z_i does not mean that the image is misread. Where that happens the margin says
nothing, and the target is pursued without it, κ = 1: else the step would lead back.
"""

from stages.arrays import namespace
from stages.attack.ball import lengths, normalised
from stages.attack.outcome import Outcome
from stages.attack.smallest_radius import smallest_radius
from stages.attack.walk import Walk
from stages.errors import UserError

SETTINGS = {
    "target": {
        "description": "moving, each, or a class.",
        "anyOf": [{"enum": ["moving", "each"]}, {"type": "integer", "minimum": 0}],
    },
    "kappa": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 1,
        "description": "How far past equality, in (0, 1].",
    },
    "step": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000, "description": "Length of a step."},
    "iterations": {"type": "integer", "minimum": 1, "maximum": 100000, "description": "Steps at most."},
}


def attack(victim, images, labels, radii, report, *, target, kappa, step, iterations):
    """target: "moving", "each" (every other class in turn; the shortest perturbation counts) or a class."""
    _check(victim.classes, labels, target)
    if target == "each":
        return _towards_each(victim, images, labels, radii, report, kappa, step, iterations)
    if target == "moving":

        def look(x, who):
            return look_around(victim, x, labels[who], kappa)
    else:
        targets = namespace(labels).full_like(labels, target)

        def look(x, who):
            return look_at(victim, x, labels[who], targets[who], kappa)

    return smallest_radius(Walk(look, victim.read, step, iterations, True), victim, images, labels, radii, report)


def look_around(victim, x, labels, kappa):
    """Return (classes read, unit directions (pixel, sample)) with the target that is nearest to first order."""
    xp = namespace(x)
    z = victim.read_out(victim.solve(x))
    units, length = least_perturbations(victim.class_rows(), z, labels, kappa)
    target = length.argmin(axis=0)
    direction = xp.take_along_axis(units, target[None, None, :], axis=1)[:, 0]
    return z.argmax(axis=0), direction


def look_at(victim, x, labels, targets, kappa):
    """Return (classes read, unit directions) towards the given targets: one cotangent, κ e_i - e_j, does it."""
    xp = namespace(x)
    z = victim.read_out(victim.solve(x))
    here = xp.arange(x.shape[-1])
    cotangent = xp.zeros((victim.classes, 1, x.shape[-1]), x.dtype)
    cotangent[targets, 0, here] = margin_factor(z, labels, kappa)[targets, here]
    cotangent[labels, 0, here] = -1
    return z.argmax(axis=0), normalised(victim.pull_back_scores(cotangent)[:, 0])


def least_perturbations(rows, z, labels, kappa):
    """Return units (pixel, class, sample) and lengths (class, sample) of the shortest perturbations ξ_i = length unit.

    rows: P's rows (pixel, class, sample), overwritten; z: scores (class, sample); labels: j (sample,). The length is
    infinite, and the unit zero, where there is no such perturbation: for i = j, and where κ P_i = P_j.
    """
    xp = namespace(rows)
    κ = margin_factor(z, labels, kappa)
    rows_j = xp.take_along_axis(rows, labels[None, None, :], axis=1)
    z_j = xp.take_along_axis(z, labels[None, :], axis=0)
    v = rows
    v *= κ[None]
    v -= rows_j
    size = xp.sqrt((v.astype("float64") ** 2).sum(axis=0))
    own = xp.arange(z.shape[0])[:, None] == labels[None, :]
    none = own | (size == 0)
    v /= xp.where(none, xp.inf, size).astype(v.dtype)[None]
    margin = z_j.astype("float64") - κ * z.astype("float64")
    return v, xp.where(none, xp.inf, margin / xp.where(none, 1.0, size))


def margin_factor(z, labels, kappa):
    """Return κ (class, sample), and 1 where the margin is met although the image is still read as its label."""
    xp = namespace(z)
    z_j = xp.take_along_axis(z, labels[None, :], axis=0)
    return xp.where(z_j > kappa * z, kappa, 1.0).astype(z.dtype)


def _towards_each(victim, images, labels, radii, report, kappa, step, iterations):
    """Attack each image towards every other class; of the successes the one with the smallest norm counts."""
    xp = namespace(images)
    samples, others = images.shape[0], victim.classes - 1
    # (sample, other class): all classes but the label, in ascending order
    numbers = xp.arange(others)[None, :]
    targets = (numbers + (numbers >= labels[:, None])).ravel()
    sources = xp.repeat(xp.arange(samples), others)
    repeated = labels[sources]

    def look(x, who):
        return look_at(victim, x, repeated[who], targets[who], kappa)

    walk = Walk(look, victim.read, step, iterations, True)
    each = smallest_radius(walk, victim, images[sources], repeated, radii, report)
    success = ~xp.isnan(each.radius)
    norm = xp.where(success, lengths((each.adversarial - images[sources]).swapaxes(0, 1)), xp.inf)
    best = norm.reshape(samples, others).argmin(axis=1) + others * xp.arange(samples)
    by_target = xp.full((samples, victim.classes), xp.nan)
    by_target[sources, targets] = xp.where(success, norm, xp.nan)
    free = xp.where(xp.isnan(each.norm_unconfined), xp.inf, each.norm_unconfined).reshape(samples, others).min(axis=1)
    return Outcome(
        adversarial=each.adversarial[best],
        iterations=each.iterations[best],
        radius=each.radius[best],
        norm_unconfined=xp.where(xp.isinf(free), xp.nan, free),
        success_by_target=~xp.isnan(by_target),
        norm_by_target=by_target,
    )


def _check(classes, labels, target):
    """Refuse a class that the network does not have, or that an image has already."""
    if target in ("moving", "each"):
        return
    if target >= classes:
        raise UserError(f"config: attack.attacks: target: wanted a class from 0 to {classes - 1}, found {target!r}")
    if bool((labels == target).any()):
        raise UserError(
            f"an attack wants a target that is not the image's own class, found images of class {target}; "
            "leave them out"
        )
