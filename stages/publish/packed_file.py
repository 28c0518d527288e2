"""The packed file of a network, <model>.zip: extracts of its stores with their manifests, and the costs of their jobs.

The same content gives the same file, byte for byte.
"""

import zipfile
import zlib

from stages.plan import stage_table
from stages.runtime.errors import UserError
from stages.storage.whole_files import replacing_file

LONG_AGO = (1980, 1, 1, 0, 0, 0)
LARGEST_MB = 1000  # unpacked: larger files were not written by this program


def write(path, folder):
    """Write all files below `folder` as a packed file."""
    files = {each.relative_to(folder): each for each in folder.rglob("*") if each.is_file()}
    with replacing_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files, key=_as_made):
            archive.writestr(zipfile.ZipInfo(name.as_posix(), LONG_AGO), files[name].read_bytes())


def unpack(path, folder):
    """Unpack a file into a folder; return the names of its manifests and costs, in the order of the workflow."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(each.file_size for each in archive.infolist())
            if size > 1e6 * LARGEST_MB:
                raise zipfile.BadZipFile(f"it unpacks to {size / 1e6:.0f} MB, more than {LARGEST_MB}")
            for name in archive.namelist():
                _unpack(archive, name, folder)
            names = archive.namelist()
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
        raise UserError(f"{path} is damaged: {problem}; get it again: git checkout -- {path}") from None
    return [name for name in names if name.endswith((".json", ".tsv")) and ".zarr/" not in name]


def _unpack(archive, name, folder):
    place = folder / name
    if not place.resolve().is_relative_to(folder.resolve()):
        raise zipfile.BadZipFile(f"{name} leads out of the folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(archive.read(name))


def _as_made(name):
    """Sort key: by stage in the order of the workflow, each manifest after its store."""
    order = [*stage_table.STAGES, "benchmarks"]
    return order.index(name.parts[0]), name.suffix == ".json" and name.name != "zarr.json", str(name)
