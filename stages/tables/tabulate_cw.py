"""Write table3_cw: susceptible share, mean and largest norm of the Carlini-Wagner attack (paper, Table 3).

The paper does not say whether the attack uses the class scores or their softmax, so both are beside its numbers.
"""

from stages.names.model_name import split_model
from stages.plan import experiment
from stages.plan.exhibit import Exhibit
from stages.plan.selection import attacked_outputs, carlini_wagner
from stages.statistics import runs
from stages.statistics.attack_curves import share_and_norms
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

KEYS = {"trainer": "trainer", "activation": "activation", "loss": "loss"}
QUANTITIES = {"susceptible": "susceptible (%)", "mean_norm": "mean ℓ² norm", "max_norm": "largest ℓ² norm"}


def rows(folder, settings):
    """Yield the table's rows, one for each model and variant of the attack."""
    for model in settings["models"]:
        trainer, loss, activation = split_model(model)
        for attack, outputs in zip(settings["attacks"], settings["outputs"], strict=True):
            datasets = runs.asked_for(folder, settings, f"attack/{attack}", model)
            labels = {"trainer": trainer, "activation": activation, "loss": loss, "outputs": outputs}
            yield labels, layout.over_runs(share_and_norms, datasets)


TABLE = layout.Table(
    keys=KEYS | {"outputs": "attack sees"},
    quantities=QUANTITIES,
    rows=rows,
    printed_keys=tuple(KEYS),
)

if __name__ == "__main__":
    layout.run(__doc__, TABLE)
