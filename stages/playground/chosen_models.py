"""Which models the playground shows: those that the configuration names, else one per trainer."""

from stages.names.model_name import split_model
from stages.plan import experiment


def models(config):
    """Return the names of the models, in the order of the page's lists."""
    named = config["figures"].get("playground", [])
    if named:
        return named
    first = {}
    for model in experiment.table2_models(config):
        first.setdefault(split_model(model)[0], model)
    return list(first.values())
