"""The folder data/raw: the original image and label files, uncompressed, with a manifest beside it.

The manifest raw.json has the format of a store's manifest; `files` adds, for each role, the file and its SHA-256. Both
are written atomically.
"""

import contextlib
import hashlib
import json
from pathlib import Path

from stages.data.array_files import sha256
from stages.data.image_sets import ROLES
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.whole_files import replacing_folder, write_text


@contextlib.contextmanager
def publishing(folder, settings):
    """Yield an empty folder and a dictionary {role: file name}, both to be filled; put folder and manifest in place."""
    names = {}
    with replacing_folder(folder, [stores.manifest_path(folder)]) as temporary:
        temporary.mkdir()
        yield temporary, names
        files = {role: {"file": name, "sha256": sha256(temporary / name)} for role, name in names.items()}
    manifest = {"digest": _digest(files), "settings": settings, "inputs": {}, "measured": [], "files": files}
    write_text(stores.manifest_path(folder), json.dumps(manifest, indent=1, sort_keys=True) + "\n")


def check(folder):
    """Return {role: {file, sha256}} of a folder, after checking its files against its manifest."""
    folder = Path(folder)
    manifest = stores.read_manifest(folder)
    files = manifest.get("files")
    remedy = f"delete {folder} and {stores.manifest_path(folder).name} and run the workflow again"
    if not _are_plain(files):
        raise UserError(f"{stores.manifest_path(folder)} is damaged: it does not name files of the folder; {remedy}")
    if manifest["digest"] != _digest(files):
        raise UserError(f"{stores.manifest_path(folder)} is damaged: its digest is not that of its files; {remedy}")
    for entry in files.values():
        path = folder / entry["file"]
        if not path.is_file():
            raise UserError(f"{folder} is damaged: wanted {entry['file']}, found no such file; {remedy}")
        found = sha256(path)
        if found != entry["sha256"]:
            raise UserError(f"{path} is damaged: wanted SHA-256 {entry['sha256']}, found {found}; {remedy}")
    return files


def _are_plain(files):
    """Tell whether these are {role: {file, sha256}} with plain names that cannot point outside the folder."""
    return (
        isinstance(files, dict)
        and set(files) == set(ROLES)
        and all(isinstance(entry, dict) and set(entry) == {"file", "sha256"} for entry in files.values())
        and all(isinstance(text, str) for entry in files.values() for text in entry.values())
        and all(Path(entry["file"]).name == entry["file"] for entry in files.values())
    )


def _digest(files):
    """Return one digest for all files; it depends on their content, not on their names."""
    lines = "".join(f"{role} {files[role]['sha256']}\n" for role in sorted(files))
    return hashlib.sha256(lines.encode()).hexdigest()
