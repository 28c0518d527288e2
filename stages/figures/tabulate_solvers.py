"""Write table1_solvers: accuracy for the pairs of training and inference solver (paper, Table 1)."""

from stages import program
from stages.experiment import split_model
from stages.figures import results, tables
from stages.figures.scale import scale_line

KEYS = {"train_solver": "training", "inference_solver": "inference"}
QUANTITIES = {"train_accuracy": "training accuracy (%)", "test_accuracy": "test accuracy (%)"}
NAMES = {"ncg-euler20": "euler", "ncg-ode45": "ode45"}


def rows(folder, settings, paper):
    """Return the table's rows: for each model its own solver first, then the swapped ones."""
    found = []
    for model in settings["models"]:
        datasets = results.read_runs(folder, "solvers", model, settings["runs"], settings["network"])
        trainer = split_model(model)[0]
        own = NAMES.get(trainer, trainer)
        solvers = [str(name) for name in results.coordinate(datasets, "inference_solver")]
        values = {name: 100 * results.over_runs(datasets, name) for name in QUANTITIES}
        for solver in sorted(solvers, key=lambda name: name != own):
            printed = paper.get((own, solver), {})
            column = solvers.index(solver)
            compared = {name: tables.compared(values[name][:, column], printed.get(name)) for name in QUANTITIES}
            found.append(({"train_solver": own, "inference_solver": solver}, compared))
    return found


def arguments(parser):
    results.arguments(parser)
    parser.add_argument("--reference", required=True, help="the paper's numbers, a CSV file")


def main(options):
    settings = options.settings
    ode45 = settings["ode45"]
    note = scale_line(settings["scale"], f"ODE45: rtol {ode45['rtol']:g}, atol {ode45['atol']:g}, {ode45['norm']} norm")
    tables.write(
        options.output,
        KEYS,
        QUANTITIES,
        rows(options.results, settings, tables.reference(options.reference, KEYS, QUANTITIES)),
        title="Table 1: NCG-trained sNODEs (tanh, ℓ² loss) under each pair of solvers",
        note=f"Ours: {note}; mean ± standard deviation over runs. Paper: 150 layers, 60,000 digits, 20 epochs, 5 runs.",
        runs=len(settings["runs"]),
        preset=settings["scale"]["preset"],
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
