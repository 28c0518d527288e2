"""Copy or download the images and labels into one folder, uncompressed and checked, with a manifest beside it.

settings: origin (mnist, sample or files), with `folder` for mnist and `files` for files. Relative paths are relative to
the working directory.
"""

import logging
import shutil
from pathlib import Path

from stages import PROJECT
from stages.data import idx_files, image_sets, mnist_sources, raw_folder
from stages.data.array_files import sha256
from stages.runtime import program
from stages.runtime.errors import UserError

log = logging.getLogger("stages")

DEBIANS = Path("/usr/share/datasets")
SAMPLE = PROJECT / "workflow" / "sample"


def arguments(parser):
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="the folder to write")
    parser.add_argument("--sample", type=Path, default=SAMPLE, metavar="FOLDER", help="where the shipped digits lie")
    parser.add_argument(
        "--mirror",
        action="append",
        metavar="URL",
        help=f"a mirror of MNIST; may be given several times (default: {', '.join(mnist_sources.MIRRORS)})",
    )


def main(options):
    fetch(options.settings, options.out, options.sample, options.mirror)


def fetch(settings, out, sample=SAMPLE, mirrors=None):
    """Write the folder `out` with its manifest; sample: folder of the shipped digits; mirrors: of MNIST."""
    with raw_folder.publishing(out, settings) as (place, names):
        if settings["origin"] == "mnist":
            mnist_sources.fetch(place, settings.get("folder", ""), mirrors or mnist_sources.MIRRORS)
            names.update(mnist_sources.NAMES)
        elif settings["origin"] == "sample":
            names.update(unpack_sample(sample, place))
        elif settings["origin"] == "files":
            names.update(copy_files(settings.get("files", {}), place))
        else:
            raise UserError(f"config: data.origin: wanted mnist, sample or files, found {settings['origin']!r}")
        for split in image_sets.SPLITS:
            images, _ = image_sets.open_pair(place, names, split)
            count, *pixels = images.values.shape
            log.info("%s: %s images of %s pixels", split, count, " x ".join(map(str, pixels)))


def unpack_sample(sample, place):
    """Uncompress the shipped digits; return {role: file name}."""
    remedy = "restore it from the project's repository (git checkout workflow/sample), or name it with --sample"
    sums = sample / "SHA256SUMS"
    if not sums.is_file():
        raise UserError(f"wanted the shipped digits in {sample}, found no SHA256SUMS there; {remedy}")
    wanted = {name: digest for digest, _, name in (line.partition("  ") for line in sums.read_text().splitlines())}
    for name in mnist_sources.NAMES.values():
        path = sample / f"{name}.gz"
        found = sha256(path) if path.is_file() else "no such file"
        if found != wanted.get(path.name):
            raise UserError(f"{path}: wanted SHA-256 {wanted.get(path.name)}, found {found}; {remedy}")
        idx_files.uncompress(path, place / name)
    return mnist_sources.NAMES


def copy_files(files, place):
    """Copy a user's own files, IDX uncompressed and NPZ as it is; return {role: file name}."""
    names = {}
    for role in image_sets.ROLES:
        path = Path(files.get(role, ""))
        if not path.is_file():
            found = f"no file {path.absolute()}" if files.get(role) else "nothing"
            raise UserError(f"config: data.files.{role}: wanted an IDX or NPZ file, found {found}; {_remedy(path)}")
        same = [earlier for earlier in names if Path(files[earlier]).samefile(path)]
        if same:  # one NPZ file may hold all four arrays
            names[role] = names[same[0]]
        elif image_sets.is_npz(path):
            names[role] = f"{role}.npz"
            shutil.copyfile(path, place / names[role])
        else:
            names[role] = mnist_sources.NAMES[role]
            idx_files.uncompress(path, place / names[role])
        log.info("%s: %s, SHA-256 %s", role, path, sha256(path))
    return names


def _remedy(path):
    """Return what to do about a missing file: each of Debian's data sets has a package and a folder of its name."""
    remedy = "name your file there, or the folder that the files lie in (data.folder)"
    if path.parent.parent == DEBIANS:
        return f"install Debian's package dataset-{path.parent.name}, or {remedy}"
    return remedy


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
