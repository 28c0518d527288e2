"""Nothing from a data file, a configuration or a store is executed, unpickled or used as a path outside its folder."""

import ast
import json
import shutil

import pytest

from stages.data import raw_folder
from stages.runtime.errors import UserError
from stages.storage import stores

# Calls that execute, or may execute, what they are given. A dotted name stands for the function of that module.
FORBIDDEN = {
    *("eval", "exec", "compile", "__import__"),
    *("pickle.load", "pickle.loads", "pickle.Unpickler", "marshal.load", "marshal.loads", "shelve.open", "dill.load"),
    *("os.system", "os.popen", "os.execv", "os.execvp", "os.spawnv", "pty.spawn", "code.interact"),
    *("yaml.load", "yaml.unsafe_load", "yaml.full_load", "yaml.load_all", "runpy.run_path", "runpy.run_module"),
    *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_output", "subprocess.check_call"),
    *("tarfile.open", "shutil.unpack_archive"),  # archives whose names lead elsewhere
    "importlib.import_module",
}
FORBIDDEN_IMPORTS = {"pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "subprocess", "pty", "tarfile"}
# Looked at and found harmless: who may do what.
ALLOWED = {
    # The name of a module comes from a table of this package's own files.
    "catalogues.py": {"importlib.import_module"},
    "train/training.py": {"importlib.import_module"},  # of one fixed name
    "config/schema.py": {"yaml.load"},  # of the project's own schema, by a safe loader
    # git gets a constant list of words.
    "storage/stores.py": {"subprocess.run", "import subprocess"},
    # This Python gets a constant line.
    "runtime/blas_kernels.py": {"subprocess.run", "import subprocess"},
    # npm gets a constant list of words, without running scripts; from its archive four named files are read as streams.
    "data/mnist_sources.py": {"subprocess.run", "tarfile.open", "import subprocess", "import tarfile"},
}


def sources(root):
    return sorted((root / "stages").rglob("*.py"))


def calls(tree):
    """Yield (dotted name, node) of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def keywords(node):
    return {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}


def suspicious(tree):
    """Yield (line, name) of whatever may execute its input."""
    for called, node in calls(tree):
        options = keywords(node)
        loads = called.endswith(("np.load", "numpy.load", "format.read_array"))
        pickles = options.get("allow_pickle", "None" if loads else "False") != "False"
        unpacks = called.endswith((".extract", ".extractall"))
        if called in FORBIDDEN or options.get("shell") == "True" or pickles or unpacks:
            yield node.lineno, called
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from ((node.lineno, f"import {module}") for module in modules if module in FORBIDDEN_IMPORTS)


def test_no_stage_calls_what_would_execute_its_input(root):
    found = []
    for path in sources(root):
        name = str(path.relative_to(root / "stages"))
        for line, what in suspicious(ast.parse(path.read_text())):
            if what not in ALLOWED.get(name, ()):
                found.append(f"stages/{name}:{line} {what}")
    assert not found, "\n".join(found)


def test_the_search_would_find_them():
    """A test that cannot fail proves nothing."""
    text = "import pickle\nyaml.load(x)\neval(x)\nf(x, shell=True)\nnp.load(x)\nf(x, allow_pickle=True)\na.extractall()"
    assert len(list(suspicious(ast.parse(text)))) == 7
    harmless = "yaml.safe_load(x)\nnp.load(x, allow_pickle=False)\nf(x, shell=False)\na.extractfile(x)"
    assert not list(suspicious(ast.parse(harmless)))


def test_rules_quote_what_comes_from_the_configuration(root):
    """Settings reach a program as one word of its command line, whatever they hold."""
    for path in (root / "workflow/rules").glob("*.smk"):
        assert "{params.settings}" not in path.read_text(), path.name


@pytest.mark.parametrize(
    "method", ["../x", "os", "stages.storage.verify", "builtins", "methods", "__init__", "victim", "pgd.attack"]
)
def test_an_attack_method_is_a_file_of_its_folder_and_nothing_else(method):
    from stages.catalogues import ATTACKS

    with pytest.raises(UserError, match="wanted one of"):
        ATTACKS.module_of(method)


@pytest.fixture
def raw(tmp_path):
    """A raw folder, with a file beside it that nobody should read."""
    with raw_folder.publishing(tmp_path / "raw", {"origin": "files"}) as (folder, names):
        for role in ("train_images", "train_labels", "test_images", "test_labels"):
            (folder / role).write_text(role)
            names[role] = role
    (tmp_path / "secret").write_text("train_images")  # the same content: only the place is wrong
    return tmp_path / "raw"


@pytest.mark.parametrize("name", ["../secret", "{folder}/secret", "./train_images", "", ".", "..", "x/../train_images"])
def test_a_manifest_cannot_name_a_file_outside_its_folder(raw, name):
    path = stores.manifest_path(raw)
    manifest = json.loads(path.read_text())
    manifest["files"]["train_images"]["file"] = name.format(folder=raw.parent)
    path.write_text(json.dumps(manifest))
    with pytest.raises(UserError, match="is damaged"):
        raw_folder.check(raw)


@pytest.mark.parametrize("files", [None, [], {}, {"train_images": "x"}, {"train_images": {"file": 3}}, "text"])
def test_a_manifest_of_any_shape_gets_a_message(raw, files):
    path = stores.manifest_path(raw)
    path.write_text(json.dumps({**json.loads(path.read_text()), "files": files}))
    with pytest.raises(UserError, match="does not name files of the folder"):
        raw_folder.check(raw)


def test_an_edited_digest_of_the_raw_folder_is_found(raw):
    path = stores.manifest_path(raw)
    path.write_text(json.dumps({**json.loads(path.read_text()), "digest": "0" * 64}))
    with pytest.raises(UserError, match="its digest is not that of its files"):
        raw_folder.check(raw)


def test_a_link_out_of_a_store_is_not_followed_in_silence(tmp_path):
    """A store whose chunk is a link to another file has that file's content: the digest decides."""
    import numpy as np

    stores.write(tmp_path / "a.zarr", {"x": (("i",), np.arange(4.0))}, settings={}, inputs={})
    stores.write(tmp_path / "b.zarr", {"x": (("i",), np.ones(4))}, settings={}, inputs={})
    chunk = tmp_path / "a.zarr/x/c/0"
    chunk.unlink()
    chunk.symlink_to(tmp_path / "b.zarr/x/c/0")
    with pytest.raises(UserError, match="is damaged"):
        stores.check(tmp_path / "a.zarr")
    shutil.rmtree(tmp_path / "b.zarr")
    with pytest.raises(UserError, match="is damaged"):
        stores.check(tmp_path / "a.zarr")


def test_names_in_the_report_are_shown_and_not_run(root):
    """What a configuration calls a file or a trainer ends up on the page as text: no markup, and no template either."""
    from stages.report import differences
    from stages.report.templates import render

    name = "<script>alert(1)</script>{{ 7 * 7 }}{% raw %}"
    lists = (
        "claims",
        "tables",
        "figures",
        "unstated",
        "same",
        "versions",
        "own_versions",
        "missing",
        "on_rounded",
        "costs",
    )
    content = dict.fromkeys(lists, ()) | {
        "our_claims": (),
        "how_judged": (),
        "conclusions": (),
        "levels": (),
        "signs": {},
        "level_counts": (),
        "written": "",
        "attacked": "",
        "published": None,
        "verdicts": {},
        "older_code": (),
        "project": dict.fromkeys(("authors", "paper", "repository", "title", "version", "year"), name),
    }
    content |= {"counts": {"holds": 0, "does not hold": 0, "not decided": 0}, "preset": name, "scale": name}
    content |= {"different": [differences.Setting(name, name, name, name, name)], "settings": [(name, name)]}
    template = root / "stages/report/report.html.j2"
    shown = render(template, content | {"backends": [name], "digests": {name: name}, "not_run": [name]})
    assert "<script" not in shown
    assert "49" not in shown.split("</style>")[1]
    assert shown.count("&lt;script&gt;alert(1)&lt;/script&gt;{{ 7 * 7 }}{% raw %}") == 20
