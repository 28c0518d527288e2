"""All catalogues of the package: what can be added as one file, and where the file goes."""

from stages.runtime.catalogue import Catalogue

ACTIVATIONS = Catalogue("stages.model.activations", "ACTIVATION", "activation")
LAYERS = Catalogue("stages.model.layers", "LAYER", "layer")
SOLVERS = Catalogue("stages.model.solvers", "SOLVER", "solver")
METHODS = Catalogue("stages.train.methods", "METHOD", "method")
ATTACKS = Catalogue("stages.attack.methods", "attack", "attack method")
FIGURES = Catalogue("stages.figures", "EXHIBITS", "figure")  # a file has one record or several: plan/all_exhibits.py
TABLES = Catalogue("stages.tables", "EXHIBITS", "table")

# Not a catalogue, but found by name too, for the trainings that use it.
ROBUST_TRAINING = "stages.train.robust"
