"""Our own claims on class scores that are not pixels, beyond the paper. Each returns its clauses.

In the paper's network the first pixels are the class scores at t = 0: a door for attacks. It is shut if the attack must
not change these pixels, or if the scores are additional components. B11 and B12 repeat C16 with the door shut.
"""

from stages.claims.claims_attack import NAMES, OURS, SAME_STEP, measures
from stages.claims.comparisons import better, not_worse
from stages.claims.grid import POINTS, WITHOUT_DECAY, about, twins
from stages.claims.verdicts import Clause
from stages.names.attacks import HELD
from stages.names.labels import combination_label, model_label, trainer_label
from stages.names.model_name import split_model
from stages.names.trainers import family

SGD, NCG = "sgd", ("ncg", "ncg-sobolev")
SUFFIX = "-own"
# {how the door is shut: (index of the twin in a pair, the attacks)}
DOORS = {"own scores": (1, (OURS, SAME_STEP)), "pixels held": (0, (HELD,))}
ATTACK_NAMES = NAMES | {HELD: NAMES[OURS]}


def _pairs(numbers, activation):
    """Return {(loss, trainer): [pixels, own]} of an activation; for the paper's grid if the experiment has no pairs."""
    pairs = numbers.score_pairs or twins(WITHOUT_DECAY, SUFFIX)
    named = {split_model(pair[0]): pair for pair in pairs}
    return {(loss, family(name)): pair for (name, loss, its), pair in named.items() if its == activation}


def _behind_the_door(numbers, activation, ncg_below):
    """Compare the networks of SGD and NCG for every way to shut the door; ncg_below: the side of the claim.

    A way whose attacks the experiment does not have is left out.
    """
    pairs = _pairs(numbers, activation)
    clauses, known = [], {key[0] for _, key in numbers.values if not isinstance(key, str)}
    for door, (twin, attacks) in DOORS.items():
        if known and not known & set(attacks):
            continue
        for quantity, words in measures(numbers).items():
            comparisons = []
            for attack in attacks:
                for loss, trainer in pairs:
                    if trainer in NCG and (loss, SGD) in pairs:
                        order = (SGD, trainer) if ncg_below else (trainer, SGD)
                        success = [numbers.get(quantity, (attack, pairs[loss, each][twin])) for each in order]
                        high_over_low = " over ".join(map(trainer_label, order))
                        name = f"{ATTACK_NAMES[attack]}: {high_over_low}, {combination_label(activation, loss)}"
                        parts = about(loss, activation, trainer=trainer_label(trainer), attack=ATTACK_NAMES[attack])
                        comparisons.append(better(name, *success, POINTS, **parts))
            clauses.append(Clause(f"{door}, {words}", comparisons))
    return clauses


def b11(numbers):
    """With ReLU: networks of SGD above those of NCG, with either gradient."""
    return _behind_the_door(numbers, "relu", ncg_below=True)


def b12(numbers):
    """With tanh: networks of NCG above those of SGD."""
    return _behind_the_door(numbers, "tanh", ncg_below=False)


def _as_accurate(numbers, one, other, loss, activation, trainer):
    values = [numbers.get("accuracy", model) for model in (one, other)]
    parts = about(loss, activation, trainer=trainer_label(trainer))
    return not_worse(model_label(one), *values, numbers.thresholds["comparable"], POINTS, **parts)


def b13(numbers):
    """No network is less accurate than its twin with pixels as scores."""
    comparisons = [
        _as_accurate(numbers, own, pixels, loss, activation, trainer)
        for activation in ("relu", "tanh")
        for (loss, trainer), (pixels, own) in _pairs(numbers, activation).items()
    ]
    return [Clause("accuracy on clean test images, own scores beside pixels", comparisons)]


def b14(numbers):
    """Every ReLU network against the tanh network of the same trainer and loss."""
    tanh = _pairs(numbers, "tanh")
    comparisons = [
        _as_accurate(numbers, own, tanh[loss, trainer][1], loss, "relu", trainer)
        for (loss, trainer), (_, own) in _pairs(numbers, "relu").items()
        if (loss, trainer) in tanh
    ]
    return [Clause("accuracy on clean test images, ReLU beside tanh", comparisons)]


CLAIMS = {"B11": b11, "B12": b12, "B13": b13, "B14": b14}
