"""Checkpoints: what training needs to go on after it was killed, and to end with the same bits.

The file's name carries a key of settings, code and data, so that a stale one is never picked up. It is an NPZ
file, written beside its place and renamed: each array in it has a checksum, and nothing in it is executed.
"""

import hashlib
import json
import logging
import os
import zipfile
from pathlib import Path

import numpy as np

from stages import stores

log = logging.getLogger("stages")


class Checkpoint:
    def __init__(self, store, **identity):
        """The checkpoint of the job whose (first) store is `store`; identity: whatever the result follows from."""
        key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]
        store = Path(store)
        self.pattern = f".{store.stem}.*.checkpoint.npz"
        self.path = store.with_name(f".{store.stem}.{key}.checkpoint.npz")

    def load(self):
        """Return the arrays of the checkpoint, or None; a damaged one is reported and ignored, stale ones go."""
        for path in self.path.parent.glob(self.pattern):
            if path != self.path:
                log.info("removing %s: it belongs to other settings or other code", path)
                path.unlink(missing_ok=True)
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as problem:
            log.warning(
                "ignoring the damaged checkpoint %s (%s): training starts from the beginning", self.path, problem
            )
            return None

    def save(self, arrays):
        """Replace the checkpoint by these arrays (NumPy, by name)."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        stores.sweep(self.path)
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        with open(temporary, "wb") as file:
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path)

    def remove(self):
        """Remove it: the store is there."""
        stores.sweep(self.path)
        self.path.unlink(missing_ok=True)
