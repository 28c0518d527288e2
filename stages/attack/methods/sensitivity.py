"""The sensitivity attack (paper, Algorithm 2 and the appendix on attacks), towards a class or with a moving target.

Each step has a fixed length along the shortest perturbation ξ_i that makes class i overtake the image's own, to first
order and with a safety margin κ (`stages.perturbations.least_perturbations`). The moving target is the class with the
shortest ξ_i, chosen again at each step.
"""

from stages.attack.attack_result import AttackResult
from stages.attack.smallest_radius import smallest_radius
from stages.attack.walk import Walk
from stages.perturbations.ball import normalised, norms
from stages.perturbations.least_perturbations import margin_factor, nearest
from stages.runtime.arrays import namespace
from stages.runtime.errors import UserError
from stages.runtime.schemas import number, whole

SETTINGS = {
    "target": {
        "description": "moving, each, or a class.",
        "anyOf": [{"enum": ["moving", "each"]}, {"type": "integer", "minimum": 0}],
    },
    "kappa": number("How far past equality, in (0, 1].", above=0, most=1),
    "step": number("Length of a step.", above=0, most=1000),
    "iterations": whole("Steps at most.", least=1, most=100000),
}
NORM_SETTINGS = ("step",)


def attack(victim, images, labels, radii, report, *, target, kappa, step, iterations):
    """target: "moving", "each" (every other class in turn; the shortest perturbation counts) or a class."""
    _check(victim.classes, labels, target)
    how = radii, report, kappa, step, iterations
    if target == "each":
        return _towards_each(victim, images, labels, *how)
    targets = None if target == "moving" else namespace(labels).full_like(labels, target)
    return _towards(targets, victim, images, labels, *how)


def _towards(targets, victim, images, labels, radii, report, kappa, step, iterations):
    """Attack each image towards its target, or with a moving target if `targets` is None."""

    def direction(x, indices):
        if targets is None:
            return nearest_direction(victim, x, labels[indices], kappa)
        return target_direction(victim, x, labels[indices], targets[indices], kappa)

    walk = Walk(direction, victim, step, iterations, stop_when_misclassified=True)
    return smallest_radius(walk, images, labels, radii, report)


def nearest_direction(victim, x, labels, kappa):
    """Return (predicted classes, unit directions (pixel, sample)) towards the nearest target, to first order."""
    z = victim.read_out(victim.solve(x))
    unit, _ = nearest(victim.class_rows(), z, labels, kappa)
    return z.argmax(axis=0), unit


def target_direction(victim, x, labels, targets, kappa):
    """Return (predicted classes, unit directions) towards the given targets, from one cotangent κ e_i - e_j."""
    xp = namespace(x)
    z = victim.read_out(victim.solve(x))
    here = xp.arange(x.shape[-1])
    cotangent = xp.zeros((victim.classes, 1, x.shape[-1]), x.dtype)
    cotangent[targets, 0, here] = margin_factor(z, labels, kappa)[targets, here]
    cotangent[labels, 0, here] = -1
    return z.argmax(axis=0), normalised(victim.pull_back_scores(cotangent)[:, 0])


def _towards_each(victim, images, labels, *how):
    """Attack each image towards every other class; the success with the smallest norm counts."""
    xp = namespace(images)
    samples, others = images.shape[0], victim.classes - 1
    # (sample, other class): all classes but the label, in ascending order
    numbers = xp.arange(others)[None, :]
    targets = (numbers + (numbers >= labels[:, None])).ravel()
    sources = xp.repeat(xp.arange(samples), others)
    each = _towards(targets, victim, images[sources], labels[sources], *how)
    success = ~xp.isnan(each.radius)
    norm = xp.where(success, norms((each.adversarial - images[sources]).swapaxes(0, 1)), xp.inf)
    best = norm.reshape(samples, others).argmin(axis=1) + others * xp.arange(samples)
    by_target = xp.full((samples, victim.classes), xp.nan)
    by_target[sources, targets] = xp.where(success, norm, xp.nan)
    free = xp.where(xp.isnan(each.norm_unconfined), xp.inf, each.norm_unconfined).reshape(samples, others).min(axis=1)
    return AttackResult(
        adversarial=each.adversarial[best],
        iterations=each.iterations[best],
        radius=each.radius[best],
        norm_unconfined=xp.where(xp.isinf(free), xp.nan, free),
        success_by_target=~xp.isnan(by_target),
        norm_by_target=by_target,
    )


def _check(classes, labels, target):
    """Refuse a target that the network does not have, or that is the label of an image."""
    if target in ("moving", "each"):
        return
    if target >= classes:
        raise UserError(f"config: attack.attacks: target: wanted a class from 0 to {classes - 1}, found {target!r}")
    if bool((labels == target).any()):
        raise UserError(
            f"an attack wants a target that is not the image's own class, found images of class {target}; "
            "leave them out"
        )
