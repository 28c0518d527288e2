"""Write table_uncertainty: how well each confidence measure detects wrong answers (beyond the paper)."""

from stages.plan.exhibit import Exhibit
from stages.statistics import runs
from stages.statistics.selective_prediction import accuracy_of_the_most_confident, roc_area
from stages.tables import layout

EXHIBITS = {
    "table_uncertainty": Exhibit(
        stage="uncertainty",
        place="beyond the paper",
        order=4,
        title="Detectors of wrong answers",
        caption="Three measures of certainty as detectors of wrong answers: the area under the ROC curve of the "
        "distance to the nearest boundary, of the softmax confidence and of the gap between the two best scores; and "
        "the accuracy of the answers that are kept when the least certain 5 and 10 % are handed to a person.",
        beyond=True,
    )
}

MEASURES = ("distance", "confidence", "gap")
QUANTITIES = {
    **{f"area_{name}": f"area under ROC, {name}" for name in MEASURES},
    "accuracy": "accuracy (%)",
    "without_5": "without the least certain 5 % (%)",
    "without_10": "without the least certain 10 % (%)",
}


def measure(dataset):
    """Return the quantities of one run; the least certain answers are nearest to a boundary."""
    right = dataset["right"].values
    areas = {f"area_{name}": roc_area(dataset[name].values, right) for name in MEASURES}
    distance = dataset["distance"].values
    left = {f"without_{share}": 100 * accuracy_of_the_most_confident(distance, right, share / 100) for share in (5, 10)}
    return areas | {"accuracy": 100 * right.mean()} | left


def rows(folder, settings):
    """Yield the table's rows, one per model."""
    for model in settings["models"]:
        datasets = runs.asked_for(folder, settings, "uncertainty", model)
        yield layout.parts_of(model), layout.over_runs(measure, datasets)


TABLE = layout.Table(keys=layout.MODEL, quantities=QUANTITIES, rows=rows)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
