"""The paper's printed means and standard deviations as measurements, to apply the rules of the claims to them too."""

import numpy as np

from stages.claims.measured import Measured
from stages.claims.measurements import Measurements
from stages.names.labels import model_label, solver_label
from stages.names.model_name import model_name
from stages.runtime.errors import UserError
from stages.storage.csv_files import read_csv

RUNS = 5  # behind every number of the paper
MODELS = {"euler": "ncg-euler20_l2_tanh", "ode45": "ncg-ode45_l2_tanh"}  # of Table 1
VARIANTS = ("cw", "cw-softmax")  # the paper does not say which outputs the attack of Table 3 uses
# {column of the table: (our quantity, words)}
SOLVERS = {"test_accuracy": ("accuracy", "test accuracy"), "train_accuracy": ("train_accuracy", "training accuracy")}
CARLINI_WAGNER = {
    "susceptible": ("success_at_last", "susceptible"),
    "mean_norm": ("mean_norm", "mean norm"),
    "max_norm": ("max_norm", "largest norm"),
}


class Printed(Measurements):
    """The numbers of Tables 1 to 3; everything else is missing, and claims that need it are not decided."""

    def __init__(self, thresholds):
        super().__init__(thresholds)
        self.cells = {}  # {(quantity, key): (table, words, mean, std)}

    def add(self, table, words, quantity, key, row, column):
        mean, std = row[f"{column}_mean"], row[f"{column}_std"]
        self.cells[quantity, key] = (table, words, mean, std)
        self.put(quantity, key, five_runs(mean, std))

    def std(self, quantity, key):
        """Return the standard deviation that the paper prints, or None."""
        return self.cells[quantity, key][3] if (quantity, key) in self.cells else None


def printed_measurements(reference, thresholds):
    """Read Tables 1 to 3 from the folder of the paper's numbers."""
    tables = Printed(thresholds)
    for row in _rows(reference / "table1_solvers.csv"):
        model = MODELS[row["train_solver"]]
        solvers = [solver_label(row[name]) for name in ("train_solver", "inference_solver")]
        for column, (name, words) in SOLVERS.items():
            words = f"{words}, trained with {solvers[0]}, inferred with {solvers[1]}"
            tables.add("Table 1", words, f"{name}_under_{row['inference_solver']}", model, row, column)
    for row in _rows(reference / "table2_accuracy.csv"):
        model = model_name(row["trainer"], row["loss"], row["activation"])
        tables.add("Table 2", model_label(model), "accuracy", model, row, "test_accuracy")
    for row in _rows(reference / "table3_cw.csv"):
        model = model_name(row["trainer"], row["loss"], row["activation"])
        for column, (name, words) in CARLINI_WAGNER.items():
            for attack in VARIANTS:
                tables.add("Table 3", f"{words}, {model_label(model)}", name, (attack, model), row, column)
    return tables


def five_runs(mean, std):
    """Return five values with this mean and this standard deviation."""
    pattern = np.arange(RUNS) - (RUNS - 1) / 2
    return Measured(mean + std * pattern / pattern.std(ddof=1))


def _rows(path):
    """Return the rows of a table, with means and standard deviations as numbers."""
    rows = read_csv(path)
    wanted = [name for name in (rows[0] if rows else {}) if name.endswith(("_mean", "_std"))]
    for number, row in enumerate(rows, start=1):
        for name in wanted:
            try:
                row[name] = float(row[name])
            except (TypeError, ValueError):
                raise UserError(f"{path}: row {number}: {name}: wanted a number, found {row[name]!r}") from None
    return rows
