"""The smallest ball in which an attack succeeds: radii are tried in ascending order, images that are done leave.

Success at norm r means the same for every attack: confined to the ball of radius r, it makes the network misclassify
the image. A confined walk equals the free one until that leaves the ball. So each image is walked freely once, and the
walk for each radius starts where the free path left its ball.

Every radius is tried, although most are far too small: an attack that fails in a ball may succeed in a smaller one. On
the published sgd_ce_relu 7 of 270 walks towards a class do, and a search that left out radii by the margin of the
scores, at a quarter of the cost, found another radius for two of them. There is nothing else to share, either: of
32,230 images at which walks from 15 digits towards each class ask for a direction, all but the 15 are different. With
nine targets, leaving out balls larger than the smallest one in which any of them succeeds would save 2 % of the solves
on ncg_ce_relu and 17 % on sgd_ce_relu: most of the cost is in small balls, where all fail.
"""

from stages.attack.attack_result import AttackResult
from stages.attack.radii import require
from stages.attack.victim import BLOCK, parts
from stages.attack.walk import walk_on
from stages.perturbations.ball import allowed, confine, norms
from stages.runtime.arrays import namespace

# Number of images whose free paths are kept at once: as images leave, the rest still fill a block.
CHUNK = 5 * BLOCK


def smallest_radius(walk, images, labels, radii, report):
    """Return the AttackResult of a walk on images (sample, pixel), with the smallest radius that succeeds for each."""
    require(radii)
    xp, count = namespace(images), images.shape[0]
    if not count:
        return AttackResult(images, *(xp.empty(0) for _ in range(3)))
    chunks = []
    for part, report_part in parts(count, CHUNK, report):
        origin = walk.victim.network.columns(images[part])
        chunks.append(_chunk(walk, origin, labels[part], xp.arange(count)[part], radii, report_part))
    x, taken, radius, norm_free = (xp.concatenate(arrays, axis=-1) for arrays in zip(*chunks, strict=True))
    return AttackResult(x.swapaxes(0, 1), iterations=taken, radius=radius, norm_unconfined=norm_free)


def _chunk(walk, origin, labels, indices, radii, report):
    """Return (images (pixel, sample), steps, radius, free norm) for one chunk."""
    xp, size = namespace(origin), walk.victim.block
    path, free_steps, free_success, norm_free = _free_walk(walk, origin, labels, indices)
    report(1 / (len(radii) + 1))
    distance = xp.stack([norms(x - origin) for x in path])
    result, taken = origin.copy(), free_steps.copy()
    radius = xp.full(labels.size, xp.nan)
    for number, r in enumerate(radii, start=2):
        outside = distance > allowed(r, origin)
        leaves = outside.any(axis=0)
        waiting = xp.isnan(radius)
        # These never touch the ball, so the free walk is the confined one.
        kept = xp.flatnonzero(waiting & ~leaves & free_success)
        result[:, kept] = path[free_steps[kept], :, kept].swapaxes(0, 1)
        taken[kept] = free_steps[kept]
        radius[kept] = r
        touched = xp.flatnonzero(waiting & leaves)
        for start in range(0, touched.size, size):
            block = touched[start : start + size]
            steps = outside[:, block].argmax(axis=0)
            x = confine(xp.ascontiguousarray(path[steps, :, block].swapaxes(0, 1)), origin[:, block], r)
            misclassified, _ = walk_on(walk, origin[:, block], x, steps, labels[block], indices[block], r)
            won = block[misclassified]
            result[:, won] = x[:, misclassified]
            radius[won] = r
            taken[block] = steps
        report(number / (len(radii) + 1))
    return result, taken, radius, norm_free


def _free_walk(walk, origin, labels, indices):
    """Walk without a ball; return (path (step, pixel, sample), steps, success, norm at the first wrong answer)."""
    xp, samples, size = namespace(origin), labels.size, walk.victim.block
    path = xp.broadcast_to(origin, (walk.iterations + 1, *origin.shape)).copy()
    taken = xp.zeros(samples, int)
    success, first = xp.zeros(samples, bool), xp.full(samples, -1)
    for start in range(0, samples, size):
        block = slice(start, start + size)
        here = origin[:, block]
        success[block], first[block] = walk_on(
            walk, here, here.copy(), taken[block], labels[block], indices[block], path=path[:, :, block]
        )
    at_first = path[xp.maximum(first, 0), :, xp.arange(samples)].swapaxes(0, 1)
    norm = xp.where(first >= 0, norms(at_first - origin), xp.nan)
    return path, taken, success, norm
