"""The modules that a job uses from the catalogues, by its settings: they are part of its code identity.

A program's imports cover what all its jobs use. An entry of a catalogue counts only for the jobs that use it: a changed
line in convolution.py retrains no dense network.
"""

from stages.catalogues import ACTIVATIONS, ATTACKS, LAYERS, METHODS, ROBUST_TRAINING, SOLVERS
from stages.model.build import layer_kind


def network_modules(trained):
    """Return the modules of a network that was trained with these settings."""
    return [LAYERS.module_of(layer_kind(trained["network"])), ACTIVATIONS.module_of(trained["activation"])]


def training_modules(trained):
    """Return the modules of its training."""
    trainer = trained["trainer"]
    if "file" in trained:  # trained elsewhere
        return [*network_modules(trained), SOLVERS.module_of(trainer["solver"])]
    modules = [*network_modules(trained), SOLVERS.module_of(trainer["solver"]), METHODS.module_of(trainer["method"])]
    return modules + ([ROBUST_TRAINING] if "robust" in trainer else [])


def used_modules(settings):
    """Return the modules of a job with these settings, of any stage."""
    if "trainer" in settings:
        return training_modules(settings)
    modules = network_modules(settings["trained"])
    if "attack" in settings:
        modules.append(ATTACKS.module_of(settings["attack"]["method"]))
    if "solvers" in settings:
        modules += map(SOLVERS.module_of, settings["solvers"]["inference"])
    return modules
