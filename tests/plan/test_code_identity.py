"""The identity of code: comments and docstrings do not count, everything else does, through all imports.

What a job finds by name in a catalogue counts for the jobs that use it, and for no others. What was parsed of a source
is kept, and never believed of another text.
"""

import json

import pytest
from kit.digits import train_settings

from stages.plan import code_identity as module

CONVOLUTION = {"network": {"layer": {"kind": "convolution", "channels": 4, "kernel": 3}}}
ROBUST = {"trainer": {"robust": {"radius": 0.5, "steps": 1, "from_batch": 20, "share": 0.6}}}
ADAM = {"trainer": {"method": "adam"}, "adam": {}}
TRAININGS = {
    "ncg, tanh": train_settings("ncg_l2_tanh"),
    "ncg, relu": train_settings("ncg_l2_relu"),
    "rmsprop": train_settings("sgd_l2_tanh"),
    "adam": train_settings("ncg_l2_tanh", **ADAM),
    "ode45": train_settings("ncg-ode45_l2_tanh"),
    "rk4": train_settings("ncg_l2_tanh", trainer={"solver": "rk4"}),
    "convolution": train_settings("ncg_l2_tanh", **CONVOLUTION),
    "robust": train_settings("ncg_l2_tanh", **ROBUST),
}


def identity(training="ncg, tanh", program="stages.train.train_network"):
    module._read.cache_clear()
    return module.code_identity(program, *module.used_modules(TRAININGS[training]))


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("model/adjoint.py", set(TRAININGS)),
        ("model/activations/tanh.py", set(TRAININGS) - {"ncg, relu"}),
        ("model/activations/gelu.py", set()),
        ("model/layers/dense.py", set(TRAININGS) - {"convolution"}),
        ("model/layers/convolution.py", {"convolution"}),
        ("model/layers/shifted_copies.py", {"convolution"}),
        ("model/solvers/euler.py", set(TRAININGS) - {"ode45", "rk4"}),
        ("model/solvers/ode45.py", {"ode45"}),
        ("model/continuous/dormand_prince.py", {"ode45"}),
        ("model/continuous/problems.py", {"ode45", "rk4"}),
        ("train/methods/ncg.py", set(TRAININGS) - {"rmsprop", "adam"}),
        ("train/methods/rmsprop.py", {"rmsprop"}),
        ("train/methods/adam.py", {"adam"}),
        ("train/robust.py", {"robust"}),
        ("attack/methods/pgd.py", set()),
    ],
)
def test_a_changed_line_asks_for_the_trainings_that_use_it_and_no_others(package, edited, changed):
    before = {training: identity(training) for training in TRAININGS}
    with open(package / edited, "a") as file:
        file.write("\nANOTHER_LINE = 1\n")
    assert {training for training in TRAININGS if identity(training) != before[training]} == changed


def test_a_comment_a_docstring_and_white_space_do_not_count(package):
    before = identity()
    edit(package / "model/adjoint.py", "def adjoint_gradient", "\n\n# a remark\ndef adjoint_gradient")
    edit(package / "model/adjoint.py", "Solve backwards", "Solve it backwards")
    assert identity() == before


def test_a_module_that_is_not_imported_does_not_count(package):
    before = identity()
    edit(package / "evaluate/noise.py", "if std == 0:", "if std < 0:")
    assert identity() == before
    assert identity(program="stages.evaluate.evaluate_noise") != before


def test_the_wording_of_messages_and_the_identity_itself_do_not_count(package):
    before = identity()
    edit(package / "runtime/progress.py", "left", "to go")
    edit(package / "plan/code_identity.py", "[:16]", "[:12]")
    assert identity() == before


def test_the_number_of_the_version_does_not_count(package):
    before = identity()
    edit(package / "__init__.py", "__version__", "__version__ = other")
    assert identity() == before


TEXT = (
    '"""About."""\n\nimport math\nfrom stages.model import layer\n\n\ndef f():\n    """Why."""\n    return 1  # one\n'
)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """An empty place to keep things in, and a function that forgets what is in memory."""
    monkeypatch.setattr(module, "CACHE", tmp_path / "kept.json")
    module._known.cache_clear()
    yield tmp_path / "kept.json"
    module._known.cache_clear()


def test_comments_and_docstrings_do_not_count_and_code_does():
    digest, imported = module.parsed(TEXT)
    assert imported == ["math", "stages.model", "stages.model.layer"]
    assert module.parsed(TEXT.replace("Why", "Because").replace("# one", "# two"))[0] == digest
    assert module.parsed(TEXT.replace("return 1", "return 2"))[0] != digest


def test_a_second_process_finds_what_the_first_one_parsed(kept, monkeypatch):
    first = module.parsed(TEXT)
    module.keep()
    assert [path.name for path in kept.parent.iterdir()] == ["kept.json"]
    module._known.cache_clear()
    monkeypatch.setattr(module, "_parse", lambda text: pytest.fail("parsed again"))
    assert list(module.parsed(TEXT)) == list(first)


@pytest.mark.parametrize("content", ["", "[]", "3", "\0", '{"a": '])
def test_a_damaged_file_is_written_anew(kept, content):
    kept.write_text(content)
    expected = module.parsed(TEXT)
    module.keep()
    assert list(json.loads(kept.read_text()).values()) == [list(expected)]


def test_a_place_that_cannot_be_written_is_no_reason_to_fail(kept, monkeypatch):
    monkeypatch.setattr(module, "CACHE", kept / "below a file" / "kept.json")
    kept.write_text("a file")
    assert module.parsed(TEXT)
    module.keep()
