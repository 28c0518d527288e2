"""The identity of code: comments and docstrings do not count, everything else does, through all imports."""

from stages.plan import code_identity as module


def identity(name="stages.train.train_network"):
    module._read.cache_clear()
    return module.code_identity(name)


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_changed_line_in_a_module_that_is_imported_indirectly_counts(package):
    before = identity()
    edit(package / "model/activations.py", "clip(0.0, ", "clip(1.0, ")
    assert identity() != before


def test_a_comment_a_docstring_and_white_space_do_not_count(package):
    before = identity()
    edit(package / "model/adjoint.py", "def adjoint_gradient", "\n\n# a remark\ndef adjoint_gradient")
    edit(package / "model/adjoint.py", "Solve backwards", "Solve it backwards")
    assert identity() == before


def test_a_module_that_is_not_imported_does_not_count(package):
    before = identity()
    edit(package / "evaluate/noise.py", "if std == 0:", "if std < 0:")
    assert identity() == before
    assert identity("stages.evaluate.evaluate_noise") != before


def test_the_wording_of_messages_and_the_identity_itself_do_not_count(package):
    before = identity()
    edit(package / "progress.py", "left", "to go")
    edit(package / "plan/code_identity.py", "[:16]", "[:12]")
    assert identity() == before
