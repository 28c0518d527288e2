"""The name of a model, <trainer>_<loss>_<activation>, and of a run's store."""

from pathlib import Path


def model_name(trainer, loss, activation):
    return f"{trainer}_{loss}_{activation}"


def split_model(model):
    """Return (trainer, loss, activation) of a model's name."""
    return tuple(model.split("_"))


def store_path(results, stage, model, run):
    """Return the path of a run's store in a preset's results."""
    return Path(results) / stage / model / f"run{run}.zarr"
