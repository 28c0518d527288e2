"""Checkpoints: what a killed training needs to continue and end with the same bits.

The file name contains a key of settings, code and data, so that a stale checkpoint is never used. It is an NPZ file,
written atomically, with a digest of all its arrays; nothing in it is executed.
"""

import hashlib
import json
import logging
from pathlib import Path

import numpy as np

from stages.storage import stores, whole_files

log = logging.getLogger("stages")


class Checkpoint:
    def __init__(self, store, **identity):
        """The checkpoint of the job whose (first) store is `store`; identity: all that determines the result."""
        key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]
        store = Path(store)
        self.pattern = f".{store.stem}.*.checkpoint.npz"
        self.path = store.with_name(f".{store.stem}.{key}.checkpoint.npz")

    def load(self):
        """Return the arrays of the checkpoint, or None; report and ignore a damaged one, delete stale ones."""
        whole_files.sweep(self.path.with_name(self.pattern))  # of all keys
        for path in self.path.parent.glob(self.pattern):
            if path != self.path:
                log.info("removing %s: it belongs to other settings or other code", path)
                path.unlink(missing_ok=True)
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            if arrays.pop("digest", None) != _digest(arrays):
                raise ValueError("its content does not have its digest")
        except Exception as problem:  # zipfile and NumPy raise many types for a broken file
            log.warning(
                "ignoring the damaged checkpoint %s (%s): training starts from the beginning", self.path, problem
            )
            return None
        return arrays

    def save(self, arrays):
        """Replace the checkpoint by these arrays (NumPy, by name)."""
        with whole_files.replacing_file(self.path) as file:
            np.savez(file, digest=_digest(arrays), **arrays)

    def remove(self):
        """Remove the checkpoint once the store is written."""
        whole_files.sweep(self.path)
        self.path.unlink(missing_ok=True)


def _digest(arrays):
    """Return a digest of all arrays: the file has a checksum for each, but would not show a missing one."""
    return stores.content_digest({name: stores.Variable((), array) for name, array in arrays.items()})
