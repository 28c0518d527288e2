"""The identity of a program's code: it changes with the code, but not with comments.

Snakemake does not follow imports, so each rule passes `code_identity("stages.train.train_network")` as a parameter:
an edited line in any module that the program imports, directly or not, reruns the rule; an edited comment or
docstring reruns nothing. Checkpoints of trainings contain the same identity.

Parsing the package takes half a second, more than everything else in a small plan, and every job on a cluster would do
it again. So what was parsed is cached on disk, beside Python's compiled files, by the digest of the text: edited files
are parsed again.
"""

import ast
import contextlib
import functools
import hashlib
import json
import sys
from pathlib import Path

from stages.catalogues import ACTIVATIONS, ATTACKS, LAYERS, METHODS, ROBUST_TRAINING, SOLVERS
from stages.model.build import layer_kind
from stages.plan.without_records import without_records
from stages.storage.whole_files import write_text

PACKAGE = Path(__file__).parents[1]
# Messages and remarks, renaming of files, this identity, the version number (in `stages` itself): these modules
# cannot change a number in a store.
IGNORED = {"stages", "stages.catalogues", "stages.storage.whole_files", "stages.train.remarks"}
IGNORED |= {f"stages.runtime.{name}" for name in ("errors", "program", "progress")}
IGNORED |= {f"stages.plan.{name}" for name in ("code_identity", "without_records")}

CACHE = PACKAGE / "__pycache__" / f"parsed_sources.{sys.implementation.cache_tag}.json"
MOST = 2000  # sources; a larger cache, after many edits, is discarded
UNSAVED = "unsaved"


def code_identity(*modules):
    """Return a short digest of these modules and of every module of this package that they import."""
    seen, left = {}, list(modules)
    while left:
        module = left.pop()
        if module not in seen and module not in IGNORED and (found := _read(module)):
            seen[module], imported = found
            left += imported
    keep()
    text = "\n".join(f"{name} {seen[name]}" for name in sorted(seen))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def used_modules(settings):
    """Return the modules that a job with these settings, of any stage, uses from the catalogues.

    A program's imports cover what all its jobs use. An entry of a catalogue counts only for the jobs that use it: a
    changed line in convolution.py retrains no dense network.
    """
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


@functools.cache  # a workflow asks for every job, and looking for files takes as long as reading them
def _read(module):
    """Return (digest of the code without comments and docstrings, imported names), or None outside this package."""
    package, *rest = module.split(".")
    base = PACKAGE.joinpath(*rest)
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if package == PACKAGE.name and path.is_file():
            return parsed(path.read_text())
    return None


def parsed(text):
    """Return (digest of the code without comments and docstrings, imported names), from the cache if it is there."""
    known, key = _known(), hashlib.sha256(_own_source() + text.encode()).hexdigest()
    if key not in known:
        known[key] = _parse(text)
        known[UNSAVED] = True
    return known[key]


def keep():
    """Write the cache; ignore a folder that is not writable."""
    if _known().pop(UNSAVED, False):
        with contextlib.suppress(OSError):
            write_text(CACHE, json.dumps(_known()))


@functools.cache
def _known():
    """Return the cache, {key of a source: result}."""
    with contextlib.suppress(OSError, ValueError):
        known = json.loads(CACHE.read_text())
        if isinstance(known, dict) and len(known) < MOST:
            return known
    return {}


@functools.cache
def _own_source():
    """Part of every key: changed parsing code invalidates the cache."""
    return b"".join(Path(__file__).with_name(name).read_bytes() for name in ("code_identity.py", "without_records.py"))


def _parse(text):
    tree, imported = without_records(ast.parse(text)), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
            imported.update(f"{node.module}.{alias.name}" for alias in node.names)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            del body[0]  # a docstring; `pass` replaces a body without other statements
            body or body.append(ast.Pass())
    # unparse instead of dump: its output changes less between Python releases.
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest(), sorted(imported)


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
