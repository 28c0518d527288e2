"""Claims of our own on robust training, beyond the paper. Each returns its clauses.

The measure is the success at the norm claims.attack_norm, in percent of that on the plain twin. A masked gradient would
reduce it too, without any robustness: B04 to B06 test for that.
"""

import numpy as np

from stages.claims.claims_attack import LARGE_STEP, OURS
from stages.claims.comparisons import at_most, better
from stages.claims.grid import POINTS, twins_of
from stages.claims.measured import combined
from stages.claims.printed_numbers import VARIANTS
from stages.claims.verdicts import Clause
from stages.names.labels import attack_label, model_label
from stages.names.model_name import split_model

RMSPROP, NCG = ("sgd",), ("ncg", "ncg-sobolev")
SUFFIX = "-robust"
OTHERS = ("sensitivity-targeted", "pgd-0.06", LARGE_STEP, "fgsm", *VARIANTS)  # not trained on
FAR, TRANSFER, SINGLE_STEP = "pgd-far", "transfer", "fgsm"
OF_TWIN = "% of the plain twin's"
LEFT = {"sgd": 50.0, "ncg": 70.0, "ncg-sobolev": 70.0}  # percent of the plain network's success: halved, or 30 % less
LOST = {"sgd": 0.5, "ncg": 1.0, "ncg-sobolev": 1.0}  # points of accuracy that robust training may cost
WITHSTAND = 5.0  # percent of images that may withstand attacks in the largest balls


def _lost(numbers, plain, robust):
    """The accuracy that robust training costs."""
    lost = combined(lambda values: values[0] - values[1], [numbers.get("accuracy", model) for model in (plain, robust)])
    return at_most(model_label(plain), lost, LOST[split_model(plain)[0]], POINTS)


def _left(numbers, attack, plain, robust):
    """An attack's success on the robust network, in percent of that on the plain one."""
    success = [numbers.get("success_at_norm", (attack, model)) for model in (robust, plain)]
    left = combined(lambda values: 100 * np.divide(*values), success)
    return at_most(model_label(plain), left, LEFT[split_model(plain)[0]], OF_TWIN)


def _left_of(numbers, attack, pairs):
    words = f"success left at norm {numbers.thresholds['attack_norm']:g}, {attack_label(attack)}"
    with np.errstate(divide="ignore", invalid="ignore"):  # without any success the ratio is undefined
        return Clause(words, [_left(numbers, attack, *pair) for pair in pairs])


def _gain(numbers, trainers):
    pairs = twins_of(numbers, trainers, SUFFIX)
    return [Clause("accuracy lost", [_lost(numbers, *pair) for pair in pairs]), _left_of(numbers, OURS, pairs)]


def b01(numbers):
    """RMSprop: the success of the attack used in training is halved, for at most half a point of accuracy."""
    return _gain(numbers, RMSPROP)


def b02(numbers):
    """NCG with both gradients: reduced by 30 %, for at most one point."""
    return _gain(numbers, NCG)


def b03(numbers):
    """The same for every attack that was not used in training."""
    pairs = twins_of(numbers, RMSPROP + NCG, SUFFIX)
    return [_left_of(numbers, attack, pairs) for attack in OTHERS]


def _robust(numbers):
    return [robust for _, robust in twins_of(numbers, RMSPROP + NCG, SUFFIX)]


def b04(numbers):
    """In large balls nearly every image can be changed."""
    comparisons = []
    for model in _robust(numbers):
        success = [numbers.get("success_at_last", (FAR, model))]
        withstand = combined(lambda values: 100 - values[0], success)
        comparisons.append(at_most(model_label(model), withstand, WITHSTAND, "%"))
    return [Clause("images that withstand PGD in the largest ball", comparisons)]


def b05(numbers):
    """Many steps succeed more often than one, in the ball where attacks are compared."""
    return [_over(numbers, LARGE_STEP, SINGLE_STEP)]


def b06(numbers):
    """Attacks computed on the network itself succeed more often than attacks computed on its twin."""
    return [_over(numbers, LARGE_STEP, TRANSFER)]


def _over(numbers, strong, weak):
    comparisons = []
    for model in _robust(numbers):
        success = [numbers.get("success_at_norm", (attack, model)) for attack in (strong, weak)]
        comparisons.append(better(model_label(model), *success, POINTS, same_network=True))
    words = f"{attack_label(strong)} over {attack_label(weak)}"
    return Clause(f"success at norm {numbers.thresholds['attack_norm']:g}, {words}", comparisons)


CLAIMS = {"B01": b01, "B02": b02, "B03": b03, "B04": b04, "B05": b05, "B06": b06}
