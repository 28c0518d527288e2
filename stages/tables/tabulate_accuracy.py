"""Write table2_accuracy: accuracy on clean test images of every model (paper, Table 2)."""

from stages.plan.exhibit import Exhibit
from stages.statistics import runs
from stages.tables import layout

EXHIBITS = {
    "table2_accuracy": Exhibit(
        stage="train",
        place="Table 2",
        title="Accuracy on clean test images",
        caption="Accuracy on clean test images for five trainers, two losses and two activations: ours, the paper's "
        "and the difference. Mean and standard deviation over runs.",
        reference="table2_accuracy.csv",
    )
}

KEYS = {"trainer": "trainer", "loss": "loss", "activation": "activation"}
QUANTITIES = {"test_accuracy": "test accuracy (%)"}


def rows(folder, settings):
    """Yield the table's rows: the accuracy after the last epoch."""
    for model in settings["models"]:
        yield layout.parts_of(model), {"test_accuracy": runs.final_accuracy(folder, settings, model)}


TABLE = layout.Table(keys=KEYS, quantities=QUANTITIES, rows=rows)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
