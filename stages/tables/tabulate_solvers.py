"""Write table1_solvers: accuracy for the pairs of training and inference solver (paper, Table 1)."""

from stages.labels import tolerances_label
from stages.model_name import split_model
from stages.statistics import runs
from stages.tables import layout

KEYS = {"train_solver": "training", "inference_solver": "inference"}
QUANTITIES = {"train_accuracy": "training accuracy (%)", "test_accuracy": "test accuracy (%)"}


def rows(folder, settings):
    """Yield the table's rows: for each model its own solver first, then the swapped ones."""
    for model in settings["models"]:
        datasets = runs.asked_for(folder, settings, "solvers", model)
        own = settings["trainers"][split_model(model)[0]]["solver"]
        solvers = [str(name) for name in runs.coordinate(datasets, "inference_solver")]
        values = {name: 100 * runs.over_runs(datasets, name) for name in QUANTITIES}
        for solver in sorted(solvers, key=lambda name: name != own):
            column = solvers.index(solver)
            labels = {"train_solver": own, "inference_solver": solver}
            yield labels, {name: each[:, column] for name, each in values.items()}


TABLE = layout.Table(
    title="Table 1: NCG-trained sNODEs (tanh, ℓ² loss) under each pair of solvers",
    keys=KEYS,
    quantities=QUANTITIES,
    rows=rows,
    paper_scale="150 layers, 60,000 digits, 20 epochs, 5 runs",
    notes=lambda settings: [tolerances_label(settings["ode45"])],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
