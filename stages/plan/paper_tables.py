"""Every table of the paper, and one of our own, a record each. One of yours is one more record."""

from stages.plan import experiment
from stages.plan.beyond_records import BEYOND_TABLES
from stages.plan.selection import attacked_outputs, carlini_wagner, direct_attacks, norms_per_pixel, tolerances
from stages.plan.shown import Shown

MEAN = "Mean and standard deviation over runs."
TABLES = {
    "table1_solvers": Shown(
        program="stages.tables.tabulate_solvers",
        stage="solvers",
        place="Table 1",
        title="Solvers in training and inference",
        caption="Accuracy of NCG-trained sNODEs (tanh, ℓ² loss) for the four pairs of training and inference solver: "
        f"ours, the paper's and the difference. {MEAN}",
        models=experiment.table1_models,
        settings=tolerances,
        reference="table1_solvers.csv",
    ),
    "table2_accuracy": Shown(
        program="stages.tables.tabulate_accuracy",
        stage="train",
        place="Table 2",
        title="Accuracy on clean test images",
        caption="Accuracy on clean test images for five trainers, two losses and two activations: ours, the paper's "
        f"and the difference. {MEAN}",
        reference="table2_accuracy.csv",
    ),
    "table3_cw": Shown(
        program="stages.tables.tabulate_cw",
        stage="attack",
        place="Table 3",
        title="Carlini-Wagner attack",
        caption="The Carlini-Wagner attack: share of the correctly classified images that it changes, mean and largest "
        "ℓ² norm of the successful perturbations. The paper does not say whether the attack saw class scores or their "
        "softmax: both are shown beside its numbers.",
        models=experiment.attacked_models,
        attacks=carlini_wagner,
        settings=attacked_outputs,
        reference="table3_cw.csv",
    ),
    "table_attacks": Shown(
        program="stages.tables.tabulate_attacks",
        stage="attack",
        place="not in the paper",
        title="Every attack on every network",
        caption="Share of the correctly classified images that each attack changes within the norm at which claims "
        "compare attacks, and the mean norm of all its successes. Attacks that know no balls find the norm by "
        f"themselves. {MEAN}",
        models=experiment.attacked_models,
        attacks=direct_attacks,
        settings=norms_per_pixel,
    ),
    **BEYOND_TABLES,
}
