"""Write table3_cw: susceptible share, mean and largest norm of the Carlini-Wagner attack (paper, Table 3).

The paper does not say whether the attack uses the class scores or their softmax, so both are beside its numbers.
"""

from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_outputs, carlini_wagner
from stages.statistics import runs
from stages.statistics.attack_curves import SHARE_AND_NORMS, share_and_norms
from stages.tables import layout

EXHIBITS = {
    "table3_cw": Exhibit(
        stage="attack",
        place="Table 3",
        title="Carlini-Wagner attack on correctly classified test images",
        caption="The Carlini-Wagner attack: share of the correctly classified images that it changes, mean and largest "
        "ℓ² norm of the successful perturbations. The paper does not say whether the attack saw class scores or their "
        "softmax: both are shown beside its numbers.",
        models=experiment.attacked_models,
        attacks=carlini_wagner,
        settings=attacked_outputs,
        reference="table3_cw.csv",
    )
}


def rows(folder, settings):
    """Yield the table's rows, one for each model and variant of the attack."""
    for model in settings["models"]:
        for attack, outputs in zip(settings["attacks"], settings["outputs"], strict=True):
            datasets = runs.asked_for(folder, settings, f"attack/{attack}", model)
            yield layout.parts_of(model) | {"outputs": outputs}, layout.over_runs(share_and_norms, datasets)


TABLE = layout.Table(
    keys=layout.MODEL | {"outputs": "attack sees"},
    quantities=SHARE_AND_NORMS,
    rows=rows,
    printed_keys=tuple(layout.MODEL),
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
