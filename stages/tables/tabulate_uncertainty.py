"""Write table_uncertainty: what each measure of sureness is worth as a detector of wrong answers (beyond the paper)."""

from stages.model_name import split_model
from stages.statistics import runs
from stages.statistics.selective import accuracy_of_the_surest, roc_area
from stages.tables import layout

MEASURES = {"distance": "distance", "confidence": "confidence", "gap": "gap"}
QUANTITIES = {
    **{f"area_{name}": f"area under ROC, {words}" for name, words in MEASURES.items()},
    "accuracy": "accuracy (%)",
    "without_5": "without the least sure 5 % (%)",
    "without_10": "without the least sure 10 % (%)",
}


def measure(dataset):
    """Return the quantities of one run; the least sure are those nearest to a boundary."""
    right = dataset["right"].values
    areas = {f"area_{name}": roc_area(dataset[name].values, right) for name in MEASURES}
    left = {
        f"without_{share}": 100 * accuracy_of_the_surest(dataset["distance"].values, right, share / 100)
        for share in (5, 10)
    }
    return areas | {"accuracy": 100 * right.mean()} | left


def rows(folder, settings):
    """Yield the table's rows, one a model."""
    for model in settings["models"]:
        datasets = runs.asked_for(folder, settings, "uncertainty", model)
        labels = dict(zip(("trainer", "loss", "activation"), split_model(model), strict=True))
        yield labels, layout.over_runs(measure, datasets)


TABLE = layout.Table(
    title="How sure is an answer: detectors of wrong answers",
    keys={"trainer": "trainer", "activation": "activation", "loss": "loss"},
    quantities=QUANTITIES,
    rows=rows,
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
