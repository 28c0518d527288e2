"""The fast gradient method (FGSM) in the l2 norm: one step of the ball's radius along the loss gradient at the image.

In the l2 norm it is not a sign step. Clipping and projection are those of PGD.
"""

from stages.attack.attack_result import AttackResult
from stages.attack.loss_gradient import attacked_cost, loss_direction
from stages.attack.radii import require
from stages.perturbations.ball import confine
from stages.runtime.arrays import namespace

SETTINGS = {"loss": {"enum": ["ce", "own"], "description": "Loss that is climbed."}}


def attack(victim, images, labels, radii, report, *, loss):
    require(radii)
    xp = namespace(images)
    origin = victim.network.columns(images)
    samples = origin.shape[-1]
    cost = attacked_cost(victim, loss)
    direction = xp.zeros_like(origin)
    for start in range(0, samples, victim.block):
        block = slice(start, start + victim.block)
        _, direction[:, block] = loss_direction(victim, cost, origin[:, block], labels[block])
    result, radius = origin.copy(), xp.full(samples, xp.nan)
    for number, r in enumerate(radii, start=1):
        waiting = xp.flatnonzero(xp.isnan(radius))
        if not waiting.size:
            break
        x = confine(origin[:, waiting] + r * direction[:, waiting], origin[:, waiting], r)
        misclassified = victim.predict(x) != labels[waiting]
        won = waiting[misclassified]
        result[:, won] = x[:, misclassified]
        radius[won] = r
        report(number / len(radii))
    return AttackResult(result.swapaxes(0, 1), iterations=xp.ones(samples, int), radius=radius)
