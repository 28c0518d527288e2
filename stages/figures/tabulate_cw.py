"""Write table3_cw: susceptible share, mean and largest norm of the Carlini-Wagner attack (paper, Table 3).

The paper does not say whether the attack saw the class scores or their softmax, so that both stand beside its numbers.
"""

import numpy as np

from stages import program
from stages.experiment import split_model
from stages.figures import results, tables
from stages.figures.scale import scale_line

KEYS = {"trainer": "trainer", "activation": "activation", "loss": "loss"}
QUANTITIES = {"susceptible": "susceptible (%)", "mean_norm": "mean ℓ² norm", "max_norm": "largest ℓ² norm"}


def measure(dataset):
    """Return the three quantities of one run; norms are not-a-number where nothing succeeded."""
    success = dataset["success"].values.astype(bool)
    norms = dataset["norm"].values[success]
    return {
        "susceptible": 100 * success.mean() if success.size else np.nan,
        "mean_norm": norms.mean() if norms.size else np.nan,
        "max_norm": norms.max() if norms.size else np.nan,
    }


def rows(folder, settings, paper):
    """Return the table's rows, one for each model and variant of the attack."""
    found = []
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        for attack, outputs in zip(settings["attacks"], settings["outputs"], strict=True):
            datasets = results.read_runs(folder, f"attack/{attack}", model, settings["runs"], settings["network"])
            measured = [measure(dataset) for dataset in datasets]
            printed = paper.get((trainer, activation, loss), {})
            compared = {
                name: tables.compared([values[name] for values in measured], printed.get(name)) for name in QUANTITIES
            }
            labels = {"trainer": trainer, "activation": activation, "loss": loss, "outputs": outputs}
            found.append((labels, compared))
    return found


def arguments(parser):
    results.arguments(parser)
    parser.add_argument("--reference", required=True, help="the paper's numbers, a CSV file")


def main(options):
    settings = options.settings
    note = scale_line(settings["scale"])
    tables.write(
        options.output,
        KEYS | {"outputs": "attack sees"},
        QUANTITIES,
        rows(options.results, settings, tables.reference(options.reference, KEYS, QUANTITIES)),
        title="Table 3: Carlini-Wagner attack on correctly classified test images",
        note=f"Ours: {note}; mean ± standard deviation over runs. Paper: 150 layers, 60,000 digits, 10 epochs, 5 runs.",
        runs=len(settings["runs"]),
        preset=settings["scale"]["preset"],
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
