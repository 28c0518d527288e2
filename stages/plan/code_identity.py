"""The identity of a program's code: it changes with the code, but not with comments.

Snakemake does not follow imports, so each rule passes `code_identity("stages.train.train_network")` as a parameter:
an edited line in any module that the program imports, directly or not, reruns the rule; an edited comment or
docstring reruns nothing. Checkpoints of trainings contain the same identity.
"""

import functools
import hashlib
from pathlib import Path

from stages.plan import parsed_sources

PACKAGE = Path(__file__).parents[1]
# Messages and remarks, renaming of files, this identity, the version number (in `stages` itself): these modules
# cannot change a number in a store.
IGNORED = {"stages"} | {f"stages.runtime.{name}" for name in ("catalogue", "errors", "program", "progress")}
IGNORED |= {f"stages.plan.{name}" for name in ("code_identity", "parsed_sources", "used_modules", "without_records")}
IGNORED |= {"stages.catalogues", "stages.storage.whole_files", "stages.train.remarks"}


def code_identity(*modules):
    """Return a short digest of these modules and of every module of this package that they import."""
    seen = {}
    for module in modules:
        _collect(module, seen)
    parsed_sources.keep()
    text = "\n".join(f"{name} {seen[name]}" for name in sorted(seen))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _collect(module, seen):
    if module in seen or module in IGNORED or (parsed := _read(module)) is None:
        return
    seen[module], imported = parsed
    for name in imported:
        _collect(name, seen)


def _path(module):
    """Return the file of a module of this package, or None for anything else."""
    package, *rest = module.split(".")
    if package != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*rest)
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@functools.cache  # a workflow asks for every job, and looking for files takes as long as reading them
def _read(module):
    """Return (digest of the code without comments and docstrings, imported names), or None outside this package."""
    path = _path(module)
    if path is None:
        return None
    return parsed_sources.parsed(path.read_text())
