"""Figures and tables beyond the paper, a record each: shown where its future work is asked for (`beyond: true`)."""

from stages.plan.shown import Shown

BEYOND_FIGURES = {
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
