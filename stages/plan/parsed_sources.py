"""The digest of a Python source's code, and its imports, cached on disk.

Parsing the package takes half a second, more than everything else in a small plan, and every job on a cluster would do
it again. The cache is beside Python's compiled files, keyed by the digest of the text: edited files are parsed again.
"""

import ast
import contextlib
import functools
import hashlib
import json
import os
import sys
from pathlib import Path

from stages.plan.without_records import without_records

FOLDER = Path(__file__).parents[1] / "__pycache__"
KEPT = FOLDER / f"parsed_sources.{sys.implementation.cache_tag}.json"
MOST = 2000  # sources; a larger cache, after many edits, is discarded
UNSAVED = "unsaved"


def parsed(text):
    """Return (digest of the code without comments and docstrings, imported names)."""
    key = hashlib.sha256(_own_source() + text.encode()).hexdigest()
    known = _known()
    if key not in known:
        known[key] = _parse(text)
        known[UNSAVED] = True
    return known[key]


def keep():
    """Write the cache; ignore a folder that is not writable."""
    known = _known()
    if known.pop(UNSAVED, False):
        temporary = KEPT.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            FOLDER.mkdir(exist_ok=True)
            temporary.write_text(json.dumps(known))
            temporary.replace(KEPT)


@functools.cache
def _known():
    """Return the cache, {key of a source: result}."""
    with contextlib.suppress(OSError, ValueError):
        known = json.loads(KEPT.read_text())
        if isinstance(known, dict) and len(known) < MOST:
            return known
    return {}


@functools.cache
def _own_source():
    """Part of every key: changed parsing code invalidates the cache."""
    return b"".join(Path(__file__).with_name(name).read_bytes() for name in ("parsed_sources.py", "without_records.py"))


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
