"""Write table2_accuracy: accuracy on clean test images of every model (paper, Table 2)."""

from stages.model_name import split_model
from stages.statistics import runs
from stages.tables import layout

KEYS = {"trainer": "trainer", "loss": "loss", "activation": "activation"}
QUANTITIES = {"test_accuracy": "test accuracy (%)"}


def rows(folder, settings):
    """Yield the table's rows: the accuracy after the last epoch."""
    for model in settings["models"]:
        datasets = runs.asked_for(folder, settings, "train", model)
        labels = dict(zip(KEYS, split_model(model), strict=True))
        yield labels, {"test_accuracy": 100 * runs.over_runs(datasets, "test_accuracy")[:, -1]}


TABLE = layout.Table(
    title="Table 2: accuracy on clean test images",
    keys=KEYS,
    quantities=QUANTITIES,
    rows=rows,
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
