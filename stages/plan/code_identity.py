"""An identity of the code that a program runs: it changes when the meaning may change, not when a comment does.

Snakemake does not follow imports, so each rule passes `code_identity("stages.train.train_network")` as a parameter:
an edited line in any module that the program imports, directly or not, reruns the rule; an edited comment or
docstring reruns nothing. The training's checkpoints carry the same identity.
"""

import ast
import functools
import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
# Wording of messages, renaming of files, this identity: what these modules do cannot change a number in a store.
IGNORED = {"stages.program", "stages.errors", "stages.progress", "stages.whole_files", __name__}


def code_identity(*modules):
    """Return a short digest of these modules and of every module of this package that they import."""
    seen = {}
    for module in modules:
        _collect(module, seen)
    text = "\n".join(f"{name} {seen[name]}" for name in sorted(seen))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _collect(module, seen):
    if module in seen or module in IGNORED or (found := _read(module)) is None:
        return
    seen[module], imported = found
    for name in imported:
        _collect(name, seen)


def _path(module):
    """Return the file of a module of this package, or None for anything else."""
    package, *rest = module.split(".")
    if package != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*rest)
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@functools.cache  # by name, for a workflow asks of every job, and looking for files takes as long as reading them
def _read(module):
    """Return (digest of the code without comments and docstrings, names it imports), or None: not of this package."""
    path = _path(module)
    if path is None:
        return None
    tree = ast.parse(path.read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
            imported.update(f"{node.module}.{alias.name}" for alias in node.names)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            del body[0]  # a docstring; `pass` keeps a body that held nothing else
            body or body.append(ast.Pass())
    # unparse instead of dump: its text changes less from one Python release to the next.
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest(), imported


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
