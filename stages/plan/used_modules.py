"""The modules that a job uses from the catalogues, by its settings: they are part of its code identity.

A program's imports cover what all its jobs use. An entry of a catalogue counts only for the jobs that use it: a changed
line in convolution.py retrains no dense network.
"""

from stages.catalogues import ACTIVATIONS, ATTACKS, LAYERS, METHODS, ROBUST_TRAINING, SOLVERS
from stages.model.build import layer_kind


def used_modules(settings):
    """Return the modules of a job with these settings, of any stage."""
    network = settings.get("trained", settings)  # a training itself, or a stage that uses a trained network
    modules = [LAYERS.module_of(layer_kind(network["network"])), ACTIVATIONS.module_of(network["activation"])]
    if trainer := settings.get("trainer"):
        modules.append(SOLVERS.module_of(trainer["solver"]))
        if "file" not in settings:  # else trained elsewhere
            modules.append(METHODS.module_of(trainer["method"]))
        if "robust" in trainer:
            modules.append(ROBUST_TRAINING)
    if "attack" in settings:
        modules.append(ATTACKS.module_of(settings["attack"]["method"]))
    if "solvers" in settings:
        modules += map(SOLVERS.module_of, settings["solvers"]["inference"])
    return modules
