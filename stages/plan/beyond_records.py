"""Figures and tables beyond the paper, a record each: shown where its future work is asked for (`beyond: true`)."""

from stages.plan.selection import attacks, convolutional_pairs, convolutional_twins, radii
from stages.plan.shown import Shown

BEYOND_FIGURES = {
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
        beyond=True,
    ),
}
BEYOND_TABLES = {
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
