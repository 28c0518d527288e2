"""Every figure and table of the paper: its place there, its title, and words for those who cannot see it."""

# file name: (where the paper has it, title, what a reader who cannot see the picture is told)
FIGURES = {
    "fig_solver_accuracy": (
        "Figure 2",
        "Euler against ODE45 training",
        "Two panels of accuracy against epoch, training images and test images, with one curve for NCG training "
        "through Euler steps and one for training through ODE45.",
    ),
    "fig_noise_accuracy": (
        "Figure 3",
        "Accuracy on noisy test images",
        "One panel for each combination of loss and activation: test accuracy falls as the standard deviation of the "
        "noise grows from 0 to 0.2, one curve for each trainer.",
    ),
    "fig_sensitivity_l2": (
        "Figure 4",
        "Perturbation through the depth, ℓ² loss",
        "Four panels of relative perturbation against t: rows SGD and NCG, columns estimated by the sensitivity "
        "problem and measured by running the perturbed image.",
    ),
    "fig_attack_success": (
        "Figure 5",
        "Images that can be attacked",
        "Three panels, SGD, NCG and Sobolev NCG: the share of correctly classified images that an attack changes, "
        "against the norm of the perturbation; solid curves for the sensitivity attack, dashed ones for PGD.",
    ),
    "fig_weight_norm": (
        "Figure 6",
        "Weights over the depth",
        "Three panels, SGD, NCG and Sobolev NCG: the Frobenius norm of the weight matrix W(t) against t, "
        "one curve a run.",
    ),
    "fig_sensitivity_ce": (
        "Figures 7 and 8",
        "Perturbation through the depth, cross-entropy",
        "Four panels of relative perturbation against t: rows SGD and NCG, columns estimated by the sensitivity "
        "problem and measured by running the perturbed image.",
    ),
    "fig_sensitivity_error_ce": (
        "Figure 9",
        "Relative error of the estimate, cross-entropy",
        "Two panels, SGD and NCG: the relative error of the estimated perturbation against t, one curve a model.",
    ),
    "fig_sensitivity_error_l2": (
        "Figure 10",
        "Relative error of the estimate, ℓ² loss",
        "Two panels, SGD and NCG: the relative error of the estimated perturbation against t, one curve a model.",
    ),
    "fig_noisy_images": (
        "Figure 11",
        "One digit at growing noise",
        "One handwritten digit repeated in a row, with Gaussian noise of growing standard deviation.",
    ),
    "fig_attack_comparison": (
        "Figure 12",
        "All attacks compared",
        "Twelve panels, four combinations of activation and loss by three trainers: the share of images that each of "
        "five attacks changes, against the norm of the perturbation.",
    ),
    "fig_one_image": (
        "Figure 13",
        "One digit under nine attacks",
        "A digit and, for three networks under three attacks each, the attacked image above its perturbation.",
    ),
    "fig_attack_examples_sgd": (
        "Figure 14",
        "Attacks on an SGD-trained network",
        "Four rows, PGD, FGSM, Carlini-Wagner and the sensitivity attack: original digits, attacked digits and the "
        "perturbations between them.",
    ),
    "fig_attack_examples_sobolev": (
        "Figure 15",
        "Attacks on a Sobolev-trained network",
        "Four rows, PGD, FGSM, Carlini-Wagner and the sensitivity attack: original digits, attacked digits and the "
        "perturbations between them.",
    ),
}
TABLES = {
    "table1_solvers": ("Table 1", "Solvers in training and inference"),
    "table2_accuracy": ("Table 2", "Accuracy on clean test images"),
    "table3_cw": ("Table 3", "Carlini-Wagner attack"),
}


def caption_name(name):
    """Return the caption's file of a figure: twins share one."""
    shared = ("fig_sensitivity_error", "fig_sensitivity", "fig_attack_examples")
    return next((caption for caption in shared if name.startswith(caption)), name)
