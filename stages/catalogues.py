"""All catalogues of the package: what can be added as one file, found by its name, and where the file goes.

The solver `rk4` is the file rk4.py in stages/model/solvers, which defines SOLVER. To add an entry, add a file; nothing
else changes. An unknown name is an error that lists the known ones. Modules are imported only when they are used, so
that the code identity of a job covers the entries that the job uses and no others.
"""

import functools
import importlib
import re

from stages import PROJECT
from stages.runtime.errors import UserError


class Catalogue:
    def __init__(self, package, entry, kind):
        """package: the files' package; entry: the name that each file defines; kind: its word in messages."""
        self.package, self.entry, self.kind = package, entry, kind
        self.root, self.folder = PROJECT, package.replace(".", "/")

    @functools.cached_property
    def names(self):
        """The names of all entries, in alphabetical order."""
        defines = re.compile(rf"^(?:def|class) {self.entry}\b|^{self.entry} = ", re.MULTILINE)
        files = sorted((self.root / self.folder).glob("*.py"))
        return [path.stem for path in files if defines.search(path.read_text())]

    @property
    def known(self):
        """The allowed names, for error messages."""
        return f"one of {', '.join(self.names)}, or your own in a file {self.folder}/<{self.kind}>.py"

    def module_of(self, name):
        """Return the module name of an entry; only modules of this folder are allowed."""
        if name not in self.names:
            raise UserError(f"config: {self.kind}: wanted {self.known}; found {name!r}")
        return f"{self.package}.{name}"

    def module(self, name):
        return importlib.import_module(self.module_of(name))

    def find(self, name):
        return getattr(self.module(name), self.entry)

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.names)


ACTIVATIONS = Catalogue("stages.model.activations", "ACTIVATION", "activation")
LAYERS = Catalogue("stages.model.layers", "LAYER", "layer")
SOLVERS = Catalogue("stages.model.solvers", "SOLVER", "solver")
METHODS = Catalogue("stages.train.methods", "METHOD", "method")
ATTACKS = Catalogue("stages.attack.methods", "attack", "attack method")
FIGURES = Catalogue("stages.figures", "EXHIBITS", "figure")  # a file has one record or several: plan/all_exhibits.py
TABLES = Catalogue("stages.tables", "EXHIBITS", "table")

# Not a catalogue, but found by name too, for the trainings that use it.
ROBUST_TRAINING = "stages.train.robust"
