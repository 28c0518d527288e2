"""Write table2_accuracy: accuracy on clean test images of every model (paper, Table 2)."""

from stages import program
from stages.experiment import split_model
from stages.figures import results, tables
from stages.figures.scale import scale_line

KEYS = {"trainer": "trainer", "loss": "loss", "activation": "activation"}
QUANTITIES = {"test_accuracy": "test accuracy (%)"}


def rows(folder, settings, paper):
    """Return the table's rows: the accuracy after the last epoch."""
    found = []
    for model in settings["models"]:
        datasets = results.read_runs(folder, "train", model, settings["runs"], settings["network"])
        ours = 100 * results.over_runs(datasets, "test_accuracy")[:, -1]
        key = split_model(model)
        compared = tables.compared(ours, paper.get(key, {}).get("test_accuracy"))
        found.append((dict(zip(KEYS, key, strict=True)), {"test_accuracy": compared}))
    return found


def arguments(parser):
    results.arguments(parser)
    parser.add_argument("--reference", required=True, help="the paper's numbers, a CSV file")


def main(options):
    settings = options.settings
    note = scale_line(settings["scale"])
    tables.write(
        options.output,
        KEYS,
        QUANTITIES,
        rows(options.results, settings, tables.reference(options.reference, KEYS, QUANTITIES)),
        title="Table 2: accuracy on clean test images",
        note=f"Ours: {note}; mean ± standard deviation over runs. Paper: 150 layers, 60,000 digits, 10 epochs, 5 runs.",
        runs=len(settings["runs"]),
        preset=settings["scale"]["preset"],
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
