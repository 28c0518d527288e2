"""Write table2_accuracy: accuracy on clean test images of every model (paper, Table 2)."""

from stages.model_name import split_model
from stages.statistics import runs
from stages.tables import layout

KEYS = {"trainer": "trainer", "loss": "loss", "activation": "activation"}
QUANTITIES = {"test_accuracy": "test accuracy (%)"}


def rows(folder, settings, paper):
    """Return the table's rows: the accuracy after the last epoch."""
    found = []
    for model in settings["models"]:
        datasets = runs.asked_for(folder, settings, "train", model)
        ours = 100 * runs.over_runs(datasets, "test_accuracy")[:, -1]
        key = split_model(model)
        compared = layout.compared(ours, paper.get(key, {}).get("test_accuracy"))
        found.append((dict(zip(KEYS, key, strict=True)), {"test_accuracy": compared}))
    return found


TABLE = layout.Table(
    title="Table 2: accuracy on clean test images",
    keys=KEYS,
    quantities=QUANTITIES,
    rows=rows,
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
