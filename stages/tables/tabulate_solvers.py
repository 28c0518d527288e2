"""Write table1_solvers: accuracy for the pairs of training and inference solver (paper, Table 1)."""

from stages.names.labels import tolerances_label
from stages.names.model_name import split_model
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import tolerances
from stages.statistics import runs
from stages.tables import layout

EXHIBITS = {
    "table1_solvers": Exhibit(
        stage="solvers",
        place="Table 1",
        title="NCG-trained sNODEs (tanh, ℓ² loss) under each pair of solvers",
        caption="Accuracy of NCG-trained sNODEs (tanh, ℓ² loss) for the four pairs of training and inference solver: "
        "ours, the paper's and the difference. Mean and standard deviation over runs.",
        models=experiment.table1_models,
        settings=tolerances,
        reference="table1_solvers.csv",
    )
}

KEYS = {"train_solver": "training", "inference_solver": "inference"}
QUANTITIES = {"train_accuracy": "training accuracy (%)", "test_accuracy": "test accuracy (%)"}


def rows(folder, settings):
    """Yield the table's rows: for each model the solver of its training first, then the swapped ones."""
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
    keys=KEYS,
    quantities=QUANTITIES,
    rows=rows,
    paper_scale="150 layers, 60,000 digits, 20 epochs, 5 runs",
    notes=lambda settings: [tolerances_label(settings["ode45"])],
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
