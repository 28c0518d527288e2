"""The name of a model, <trainer>_<loss>_<activation>, and of a run's store."""

from pathlib import Path


def model_name(trainer, loss, activation):
    return f"{trainer}_{loss}_{activation}"


def split_model(model):
    """Return (trainer, loss, activation) of a model's name."""
    return tuple(model.split("_"))


def trainers_of(models):
    """Return the trainers of these models, each once, in their order."""
    return list(dict.fromkeys(split_model(model)[0] for model in models))


def combinations_of(models):
    """Return the combinations (activation, loss) of these models, each once, in alphabetical order."""
    return sorted({split_model(model)[:0:-1] for model in models})


def model_of(store):
    """Return the model of a trained network's store: train/<model>/run0.zarr, or networks/<model>.zarr."""
    store = Path(store)
    return store.parent.name if store.stem.startswith("run") else store.stem


def store_path(results, stage, model, run):
    """Return the path of a run's store in a preset's results."""
    return Path(results) / stage / model / f"run{run}.zarr"
