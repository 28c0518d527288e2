"""Figures and tables beyond the paper, a record each: shown where its future work is asked for (`beyond: true`)."""

from stages.plan import experiment
from stages.plan.selection import (
    attacks,
    convolutional_pairs,
    convolutional_twins,
    direct_attacks,
    first_pairs,
    on_all_images,
    radii,
    robust_pairs,
)
from stages.plan.shown import Shown


def _trade(config):
    """What the figure of robust training depends on: pairs, radii, and which attacks have radii of their own."""
    attack = config["attack"]
    return {
        "pairs": experiment.robust_pairs(config),
        "far": [name for name, line in attack["attacks"].items() if "radii" in line],
        "norm": config["claims"]["attack_norm"],
        "images": attack["images"],
        "radii": attack["radii"],
    }


BEYOND_FIGURES = {
    "fig_robustness": Shown(
        program="stages.figures.plot_robustness",
        stage="attack",
        also=("train",),
        place="beyond the paper",
        title="What robust training gains, and what it costs",
        caption="Above: the share of the test images that a network still reads rightly when each of the attacks may "
        "try, against the ℓ² norm that they are allowed; it starts at the accuracy. Dashed: the plain network; solid: "
        "its robust twin, before whose iterations a share of each batch was moved by the sensitivity attack. A curve "
        "that falls to zero shows that no gradient is masked. The dotted line marks the norm of the panels below: "
        "there, accuracy on all test images against the success of each attack, a line from the plain network (ring) "
        "to the robust one (dot). Further left is more robust, further up more accurate.",
        words="Three columns, SGD, NCG and Sobolev NCG. Above, falling curves of images read rightly under attack: "
        "those of robust networks lie above those of plain ones. Below, lines that lead from plain networks on the "
        "right to robust ones on the left.",
        models=robust_pairs,
        attacks=lambda config: on_all_images(config, direct_attacks(config)),
        settings=_trade,
        beyond=True,
    ),
    "fig_robust_examples": Shown(
        program="stages.figures.plot_attack_examples",
        stage="attack",
        place="beyond the paper",
        title="The perturbations that are needed",
        caption="The same digits under the sensitivity attack on a plain network and, below it, on its robust twin: "
        "original, attacked digit and the change between them, with the true class, the class that is then read, and "
        "the ℓ² norm of the change. Each change is scaled to its own largest pixel: red is lighter, blue darker.",
        words="Rows of digits, a plain network above its robust twin: original, attacked digit and change. The changes "
        "of robust networks are larger and follow the strokes.",
        models=first_pairs,
        attacks=attacks("sensitivity"),
        settings=lambda config: {"examples": config["figures"]["examples"]},
        one_run=True,
        beyond=True,
    ),
    "fig_convolutions": Shown(
        program="stages.figures.plot_convolutions",
        stage="attack",
        also=("train", "noise"),
        place="beyond the paper",
        title="Convolutions of whole images beside dense layers",
        caption="Dense networks (dashed) and convolutional ones of the same trainer (solid). Left: test accuracy after "
        "each epoch, against the seconds that one core had trained for. Middle: accuracy under Gaussian noise on the "
        "pixels. Right: share of the correctly read images that the sensitivity attack changes, against the ℓ² norm of "
        "the change over the square root of the number of pixels: the same change of every pixel is the same number "
        "for both sizes of images.",
        words="Three panels: accuracy against training time, accuracy against noise, success of an attack against the "
        "norm per pixel; dashed curves of dense networks beside solid ones of convolutional networks.",
        models=convolutional_pairs,
        attacks=attacks("sensitivity"),
        settings=lambda config: convolutional_twins(config) | radii(config),
        beyond=True,
    ),
    "fig_uncertainty": Shown(
        program="stages.figures.plot_uncertainty",
        stage="uncertainty",
        place="beyond the paper",
        title="Accuracy under noise, predicted from clean images",
        caption="Test accuracy under Gaussian noise on the pixels (above) and on all weights and biases (below), "
        "against its standard deviation. Lines: measured, mean over draws and runs, bands one standard deviation "
        "over runs. Dots: predicted from clean images, by the covariance of the scores that one backward pass "
        "gives.",
        words="Two rows of panels, one column a trainer: accuracy falls as the noise grows; dots lie on the lines "
        "where the network is nearly linear and above them where it is not.",
        beyond=True,
    ),
    "fig_sureness": Shown(
        program="stages.figures.plot_sureness",
        stage="uncertainty",
        place="beyond the paper",
        title="The least sure answers",
        caption="Above: the share of wrong answers among those that are kept, when the least sure are handed to a "
        "person; sureness is the distance to the nearest decision boundary, to first order. Below: the ten digits "
        "that one network of each trainer is least sure of, what each is and what it is taken for (red: wrongly).",
        words="One panel a trainer: the share of wrong answers falls as fewer answers are kept. Below, rows of ten "
        "digits that are hard to read.",
        digits=True,
        beyond=True,
    ),
}
BEYOND_TABLES = {
    "table_robustness": Shown(
        program="stages.tables.tabulate_robustness",
        stage="attack",
        also=("train",),
        place="beyond the paper",
        title="Robust training",
        caption="Accuracy on clean test images, the share of correctly read images that each attack changes within the "
        "norm at which claims compare attacks, that any of them changes, and how long the training took; each robust "
        "network below its plain twin. The sensitivity attack with a moving target is what was trained on.",
        models=robust_pairs,
        attacks=lambda config: on_all_images(
            config, [name for name, line in config["attack"]["attacks"].items() if "radii" not in line]
        ),
        settings=lambda config: {"norm": config["claims"]["attack_norm"]},
        beyond=True,
    ),
    "table_convolutions": Shown(
        program="stages.tables.tabulate_convolutions",
        stage="attack",
        also=("train", "noise"),
        place="beyond the paper",
        title="Convolutional and dense networks",
        caption="Each convolutional network below the dense one of the same trainer: weights and biases, seconds of "
        "one core in training, accuracy on clean test images, mean accuracy over the levels of noise, and the share of "
        "correctly read images that two attacks change within the same norm per pixel.",
        models=convolutional_pairs,
        attacks=attacks("sensitivity", "pgd-0.6"),
        settings=lambda config: convolutional_twins(config) | {"norm": config["claims"]["attack_norm"]},
        beyond=True,
    ),
    "table_uncertainty": Shown(
        program="stages.tables.tabulate_uncertainty",
        stage="uncertainty",
        place="beyond the paper",
        title="How sure is an answer",
        caption="Three measures of sureness as detectors of wrong answers: the area under the ROC curve of the "
        "distance to the nearest boundary, of the softmax confidence and of the gap between the two best scores; "
        "and the accuracy of the answers that are kept when the least sure 5 and 10 % are handed to a person.",
        beyond=True,
    ),
}
