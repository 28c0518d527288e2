"""Catalogues: entries are files, found by name; an unknown name is an error that lists the known ones."""

import inspect

import pytest

from stages import catalogues
from stages.catalogues import Catalogue
from stages.model.layers.base import Layer
from stages.model.solvers.base import Solver
from stages.runtime.errors import UserError
from stages.train.methods.base import Method

PROTOCOLS = [(catalogues.LAYERS, Layer), (catalogues.SOLVERS, Solver), (catalogues.METHODS, Method)]


def test_the_entries_are_the_files_of_the_folder():
    assert catalogues.SOLVERS.names == ["euler", "ode45", "rk4"]
    assert catalogues.METHODS.names == ["adam", "ncg", "rmsprop"]
    assert catalogues.LAYERS.names == ["convolution", "dense"]
    assert catalogues.ACTIVATIONS.names == ["gelu", "relu", "tanh"]
    assert "rk4" in catalogues.SOLVERS
    assert "base" not in catalogues.SOLVERS


@pytest.mark.parametrize("name", ["heun", "base", "__init__", "../euler", "euler.Euler", "", None, "Euler"])
def test_an_unknown_name_is_an_error_that_lists_the_known_ones(name):
    with pytest.raises(UserError, match=r"solver: wanted one of euler, ode45, rk4, or your own in a file .*; found"):
        catalogues.SOLVERS.find(name)


def test_a_new_file_is_a_new_entry(package):
    (package / "model/solvers/heun.py").write_text("SOLVER = 'Heun'\n")
    (package / "model/solvers/notes.py").write_text("# SOLVER = nothing\n")
    fresh = Catalogue("stages.model.solvers", "SOLVER", "solver")
    fresh.root = package.parent
    assert fresh.names == ["euler", "heun", "ode45", "rk4"]


@pytest.mark.parametrize(("catalogue", "protocol"), PROTOCOLS, ids=lambda each: getattr(each, "kind", ""))
def test_every_entry_offers_what_its_protocol_asks_for(catalogue, protocol):
    """By name and by arguments: a newcomer who implements base.py has implemented all that is called."""
    wanted = {name: value for name, value in vars(protocol).items() if inspect.isfunction(value) and name[0] != "_"}
    declared = protocol.__annotations__
    for name in catalogue:
        entry = catalogue.find(name)
        for function, asked in wanted.items():
            theirs = list(inspect.signature(getattr(entry, function)).parameters)
            ours = [each for each in inspect.signature(asked).parameters if each != "settings"]
            offered = [each for each in theirs if each != "settings"]
            if inspect.ismethod(getattr(entry, function)) or isinstance(
                inspect.getattr_static(entry, function), staticmethod
            ):
                ours = [each for each in ours if each not in ("self", "cls")]
            assert offered[: len(ours)] == ours, f"{name}.{function}{offered}, wanted {ours}"
        for attribute in (each for each, kind in declared.items() if "ClassVar" in str(kind)):
            assert hasattr(entry, attribute), f"{name} has no {attribute}"
