"""Attack a published network with digits that come with the project: nothing has to be trained or downloaded.

    python -m stages.attack.attack_published                       # or: make attack-published
    python -m stages.attack.attack_published --network sgd_ce_relu --attack pgd-0.06 --images 500
    python -m stages.attack.attack_published --hold                # leaves the ten pixels alone that are the scores

The attack is one of config.yaml's, at the quick preset's radii. Results go to results/published.
"""

import logging
from pathlib import Path
from types import SimpleNamespace

from stages import arrays, program, stores
from stages.attack import attack_network
from stages.data import downsample_digits, fetch_digits
from stages.errors import UserError
from stages.model.classify import accuracy
from stages.plan import configuration, stage_settings
from stages.statistics.attack_curves import susceptible
from stages.trained_network import read_network

log = logging.getLogger("stages")

ROOT = Path(__file__).parents[2]
NETWORKS = Path("workflow/published/networks")


def arguments(parser):
    parser.add_argument("--network", default="ncg_ce_relu", help="name of a store in --networks (default: ncg_ce_relu)")
    parser.add_argument(
        "--attack", default="sensitivity", help="name of an attack in config.yaml (default: sensitivity)"
    )
    parser.add_argument("--hold", action="store_true", help="leave the pixels alone that are the class scores")
    parser.add_argument("--images", type=int, default=100, help="how many of the shipped test images (default: 100)")
    parser.add_argument("--networks", type=Path, default=NETWORKS, help=f"default: {NETWORKS}")
    parser.add_argument("--out", type=Path, default=Path("results/published"), help="default: results/published")
    program.add_device(parser)


def main(options):
    config = configuration.load(ROOT, "quick")
    network = _known(options.network, options.networks)
    attack = config["attack"]["attacks"].get(options.attack)
    if attack is None:
        known = ", ".join(config["attack"]["attacks"])
        raise UserError(f"--attack: wanted one of {known}, found {options.attack!r}")
    shipped = config["data"]["test"]
    if not 1 <= options.images <= shipped:
        raise UserError(f"--images: wanted 1 to {shipped}, the shipped test images; found {options.images}")
    name = options.attack
    if options.hold:
        name, attack = f"{name}-held", attack | {"hold": "scores"}
    trained = stores.read_manifest(network)["settings"]
    digits = shipped_digits(options.out, config)
    settings = {"attack": attack, "images": options.images, "trained": trained}
    if attack["method"] != "cw":  # which knows no balls
        settings["radii"] = config["attack"]["radii"]
    out = options.out / "attack" / name / f"{options.network}.zarr"
    attack_network.main(
        SimpleNamespace(settings=settings, network=network, digits=digits, out=out, device=options.device)
    )
    print("\n".join(summary(options, trained, network, digits, out, config["claims"]["attack_norm"])))


def _known(name, folder):
    """Return the store of a published network, or say which there are."""
    known = sorted(path.stem for path in folder.glob("*.zarr"))
    if name not in known:
        found = ", ".join(known) or f"none in {folder} (make publish PRESET=paper writes them)"
        raise UserError(f"--network: wanted one of the published networks, found {name!r}; there are: {found}")
    return folder / f"{name}.zarr"


def shipped_digits(folder, config):
    """Return the store of the shipped digits, as small as the networks want them; made if it is not there."""
    raw, digits = folder / "data" / "raw", folder / "data" / "digits.zarr"
    if not stores.manifest_path(digits).exists():
        origin = {"origin": "sample"}
        fetch_digits.main(SimpleNamespace(settings=origin, out=raw, sample=fetch_digits.SAMPLE, mirror=None))
        settings = stage_settings.downsample_settings(config)
        downsample_digits.main(SimpleNamespace(settings=settings, raw=raw, out=digits))
    return digits


def summary(options, trained, network, digits, out, norm):
    """Return what was found, in words."""
    xp, images = arrays.choose(options.device), stores.read_arrays(digits)
    network = read_network(network, trained, xp)
    test = [xp.asarray(images[name]) for name in ("test_image", "test_label")]
    right = 100 * float(accuracy(network, *test, trained["network"]["classes"]))
    found = stores.read(out)
    within = 100 * susceptible(found, [norm])[0]
    norms = found["norm"].values[found["success"].values.astype(bool)]
    mean = f"; mean norm of the {len(norms)} successes {norms.mean():.2f}" if len(norms) else ""
    return [
        f"{options.network}, {network.depth} layers: reads {right:.1f} % of {len(test[1]):,} test digits correctly",
        f"{out.parent.name} attack on {found.sizes['sample']} that it reads correctly, {found.attrs['seconds']:.0f} s: "
        f"{within:.0f} % are misread within an ℓ² norm of {norm:g}{mean}",
        f"images, norms and classes: {out}",
    ]


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
