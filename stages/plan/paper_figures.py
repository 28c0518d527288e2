"""Every figure of the paper, a record each, in the order of the report. One of your own is one more record."""

from stages.plan import experiment
from stages.plan.beyond_records import BEYOND_FIGURES
from stages.plan.selection import (
    attacked,
    attacked_at_one_side,
    attacks,
    confined_attacks,
    noisy_images,
    perturbation,
    radii,
    tanh_l2_without_decay,
    tolerances,
    with_loss,
)
from stages.plan.shown import Shown

MEANS = "Lines are means over runs, bands one standard deviation."


def _perturbations(loss, **record):
    return Shown(stage="sensitivity", models=with_loss(loss), settings=perturbation, **record)


def _sensitivity(loss, place, name):
    return _perturbations(
        loss,
        program="stages.figures.plot_sensitivity",
        place=place,
        title=f"Perturbation through the depth, {name}",
        caption="How a small perturbation of the input grows through the network. Left: estimated by the sensitivity "
        "problem, ‖ξ(t)‖ / ‖x(t)‖. Right: measured by running the perturbed image too, ‖δ(t)‖ / ‖x(t)‖. Both are means "
        "over test images, then over runs; bands are one standard deviation over runs. Dashed lines: with weight "
        "decay. Each row has one axis, so that the two columns can be compared.",
        words="Four panels of relative perturbation against t: rows SGD and NCG, columns estimated by the sensitivity "
        "problem and measured by running the perturbed image.",
    )


def _sensitivity_error(loss, place, name):
    return _perturbations(
        loss,
        program="stages.figures.plot_sensitivity_error",
        place=place,
        title=f"Relative error of the estimate, {name}",
        caption="Relative error ‖ξ(t) − δ(t)‖ / ‖ξ(t)‖ of the estimated perturbation through the depth, mean (above) "
        "and median (below) over test images, then the mean over runs; bands are one standard deviation over runs. A "
        "few images whose perturbation nearly vanishes can carry the mean. Dashed lines: with weight decay.",
        words="Two columns, SGD and NCG, mean and median over images: the relative error of the estimated perturbation "
        "against t, one curve a model.",
    )


def _attack_examples(trainer, place, name):
    return Shown(
        program="stages.figures.plot_attack_examples",
        stage="attack",
        place=place,
        title=f"Attacks on {name} network",
        caption="Successful attacks on one network (ReLU, ℓ² loss): original digit, attacked digit and the change "
        "between them, with the true class, the class the network then reads, and the ℓ² norm of the change. Digits "
        "that every attack can change come first. Each change is scaled to its own largest pixel: red is lighter, blue "
        "is darker.",
        words="Four rows, PGD, FGSM, Carlini-Wagner and the sensitivity attack: original digits, attacked digits and "
        "the perturbations between them.",
        models=attacked(trainer, "l2", "relu"),
        attacks=attacks("pgd-0.06", "fgsm", "cw", "sensitivity"),
        settings=lambda config: {"examples": config["figures"]["examples"]},
        one_run=True,
    )


FIGURES = {
    "fig_solver_accuracy": Shown(
        program="stages.figures.plot_solver_accuracy",
        stage="train",
        place="Figure 2",
        title="Euler against ODE45 training",
        caption="Training and test accuracy of NCG-trained sNODEs (tanh, ℓ² loss) against epoch, trained through Euler "
        f"steps and through the adaptive solver ODE45. {MEANS}",
        words="Two panels of accuracy against epoch, training images and test images, with one curve for NCG training "
        "through Euler steps and one for training through ODE45.",
        models=experiment.table1_models,
        settings=tolerances,
    ),
    "fig_noise_accuracy": Shown(
        program="stages.figures.plot_noise_accuracy",
        stage="noise",
        place="Figure 3",
        title="Accuracy on noisy test images",
        caption="Accuracy on test images with Gaussian noise, against the standard deviation of the noise, one panel "
        f"for each combination of activation and loss. Dashed lines with open markers: with weight decay. {MEANS}",
        words="One panel for each combination of loss and activation: test accuracy falls as the standard deviation of "
        "the noise grows from 0 to 0.2, one curve for each trainer.",
    ),
    "fig_sensitivity_l2": _sensitivity("l2", "Figure 4", "ℓ² loss"),
    "fig_attack_success": Shown(
        program="stages.figures.plot_attack_success",
        stage="attack",
        place="Figure 5",
        title="Images that can be attacked",
        caption="Share of the correctly classified test images that an attack can change, against the allowed ℓ² norm "
        "of the perturbation. Solid: the sensitivity attack with moving target. Dashed: PGD with the same step and "
        f"number of iterations. {MEANS} The dotted line marks norm 0.5, from which, says the paper, the eye sees the "
        "perturbation.",
        words="Three panels, SGD, NCG and Sobolev NCG: the share of correctly classified images that an attack "
        "changes, against the norm of the perturbation; solid curves for the sensitivity attack, dashed ones for PGD.",
        models=attacked_at_one_side,
        attacks=attacks("sensitivity", "pgd-0.06"),
        settings=radii,
    ),
    "fig_weight_norm": Shown(
        program="stages.figures.plot_weight_norm",
        stage="train",
        place="Figure 6",
        title="Weights over the depth",
        caption="Frobenius norm of the weight matrix W(t) over the depth t, single runs (tanh, ℓ² loss). The Sobolev "
        "gradient is meant to give smooth weights.",
        words="Three panels, SGD, NCG and Sobolev NCG: the Frobenius norm of the weight matrix W(t) against t, one "
        "curve a run.",
        models=tanh_l2_without_decay,
    ),
    "fig_sensitivity_ce": _sensitivity("ce", "Figures 7 and 8", "cross-entropy"),
    "fig_sensitivity_error_ce": _sensitivity_error("ce", "Figure 9", "cross-entropy"),
    "fig_sensitivity_error_l2": _sensitivity_error("l2", "Figure 10", "ℓ² loss"),
    "fig_noisy_images": Shown(
        program="stages.figures.plot_noisy_images",
        stage="data",
        place="Figure 11",
        title="One digit at growing noise",
        caption="One test digit with Gaussian noise of growing standard deviation, as used for the accuracy on noisy "
        "images.",
        words="One handwritten digit repeated in a row, with Gaussian noise of growing standard deviation.",
        settings=noisy_images,
    ),
    "fig_attack_comparison": Shown(
        program="stages.figures.plot_attack_comparison",
        stage="attack",
        place="Figure 12",
        title="All attacks compared",
        caption="Share of the correctly classified test images that each attack can change, against the allowed ℓ² "
        "norm of the perturbation, by activation and loss (rows) and trainer (columns). "
        f"Every attack is confined to the ball of that radius. {MEANS}",
        words="Panels by activation and loss and by trainer: the share of images that each attack changes, against "
        "the norm of the perturbation.",
        models=attacked_at_one_side,
        attacks=confined_attacks,
        settings=radii,
    ),
    "fig_one_image": Shown(
        program="stages.figures.plot_one_image",
        stage="attack",
        place="Figure 13",
        title="One digit under attack",
        caption="One test digit: networks of each trainer (tanh, cross-entropy), each attacked with the best target, "
        "with a moving target and by PGD; the paper has nine such attacks. Upper row: the attacked "
        "image and what the network reads. Lower row: the perturbation, all on one colour scale, and its ℓ² norm.",
        words="A digit and, for each network and attack, the attacked image above its perturbation.",
        models=attacked(None, "ce", "tanh"),
        attacks=attacks("sensitivity-targeted", "sensitivity", "pgd-0.06"),
        settings=lambda config: {"image": config["figures"]["one_image"]},
        one_run=True,
    ),
    "fig_attack_examples_sgd": _attack_examples("sgd", "Figure 14", "an SGD-trained"),
    "fig_attack_examples_sobolev": _attack_examples("ncg-sobolev", "Figure 15", "a Sobolev-trained"),
    **BEYOND_FIGURES,
}
