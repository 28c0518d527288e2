"""Claims on the perturbations themselves: Carlini-Wagner's (Table 3), and single pixels (Figures 14, 15)."""

import numpy as np

from stages.claims.claims_attack import NAMES, OURS, SAME_STEP, SINGLE_STEP
from stages.claims.comparisons import better, within
from stages.claims.grid import GRID, WITHOUT_DECAY, about, about_model, models, over_the_grid
from stages.claims.measured import combined
from stages.claims.printed_numbers import VARIANTS
from stages.claims.verdicts import MOST, Clause
from stages.names.labels import combination_label, model_label, trainer_label
from stages.names.model_name import model_name

PICTURED = (SAME_STEP, SINGLE_STEP, OURS)  # the attacks that Figures 14 and 15 show at norm 0.1


def c19(numbers):
    """Norm per success: the smaller of the Carlini-Wagner variants above the larger of its rivals, for every model."""
    comparisons, region, needed = [], (np.nextafter(1, 2), np.inf), numbers.thresholds["substantially"]
    for model in models(WITHOUT_DECAY):
        values = [numbers.get("norm_per_success", (attack, model)) for attack in (*VARIANTS, OURS, SAME_STEP)]
        times = combined(_smallest_over_largest, values)
        comparisons.append(within(model_label(model), times, region, "times", needed=needed, **about_model(model)))
    return [Clause("mean norm over share of successes, Carlini-Wagner over sensitivity attack and PGD", comparisons)]


def _smallest_over_largest(values):
    """The smaller of the two variants over the larger of the two rivals; infinite for an attack without success."""
    values = np.asarray(values)
    with np.errstate(invalid="ignore"):
        return values[:2].min(axis=0) / values[2:].max(axis=0)


def c20(numbers):
    """The largest pixel over the norm, for small perturbations: SGD above Sobolev NCG, "in general"."""
    comparisons = [
        better(
            f"{NAMES[attack]}: SGD over Sobolev NCG, {combination_label(activation, loss)}",
            *(
                numbers.get("single_pixel_share", (attack, model_name(trainer, loss, activation)))
                for trainer in ("sgd", "ncg-sobolev")
            ),
            **about(loss, activation, attack=NAMES[attack]),
        )
        for loss, activation in GRID
        for attack in PICTURED
    ]
    norm = numbers.thresholds["pictured_norm"]
    return [Clause(f"largest pixel over norm of the perturbation, norms up to {norm:g}", comparisons, MOST)]


def c28(numbers):
    """The order of Table 3: SGD above Sobolev NCG above NCG."""
    orders = (("sgd", "ncg"), ("sgd", "ncg-sobolev"), ("ncg-sobolev", "ncg"))
    return [
        Clause(
            f"susceptible to Carlini-Wagner on scores, {trainer_label(high)} over {trainer_label(low)}",
            over_the_grid(numbers, better, "", "success_at_last", (high, low), under="cw"),
        )
        for high, low in orders
    ]


CLAIMS = {"C19": c19, "C20": c20, "C28": c28}
