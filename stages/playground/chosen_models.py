"""Which models the playground shows: those that the configuration names, else one per trainer."""

from stages.names.model_name import split_model
from stages.plan import experiment


def models(config):
    """Return the names of the models, in the order of the page's lists."""
    return config["figures"].get("playground", []) or one_per_trainer(experiment.table2_models(config))


def one_per_trainer(models):
    """Return the first model of each trainer."""
    first = {}
    for model in models:
        first.setdefault(split_model(model)[0], model)
    return list(first.values())
