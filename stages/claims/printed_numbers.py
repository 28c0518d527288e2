"""The paper's printed means and standard deviations as measurements, so that the claims' rules apply to them too."""

from stages.claims.claims_accuracy import EULER, ODE45
from stages.statistics.measurements import Measurements
from stages.tables.layout import read_csv

MODELS = {"euler": EULER, "ode45": ODE45}


def printed_measurements(reference, thresholds):
    """Return the numbers of Tables 1 and 2; everything else is absent, and what needs it undecided."""
    found = Measurements(thresholds)
    for row in read_csv(reference / "table1_solvers.csv"):
        quantity, model = f"accuracy_under_{row['inference_solver']}", MODELS[row["train_solver"]]
        found.put(quantity, model, _two_runs(row["test_accuracy_mean"], row["test_accuracy_std"]))
    for row in read_csv(reference / "table2_accuracy.csv"):
        model = f"{row['trainer']}_{row['loss']}_{row['activation']}"
        found.put("accuracy", model, _two_runs(row["test_accuracy_mean"], row["test_accuracy_std"]))
    return found


def _two_runs(mean, std):
    """Two values with this mean and this standard deviation."""
    mean, half = float(mean), float(std) / 2**0.5
    return [mean - half, mean + half]
