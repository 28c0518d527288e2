"""Attack a published network on digits that come with the project: nothing has to be trained or downloaded.

    python -m stages.publish.attack_published                       # or: make attack-published
    python -m stages.publish.attack_published --network sgd_ce_relu --attack pgd-0.06 --images 500
    python -m stages.publish.attack_published --hold                # does not change the ten pixels that are the scores

The attack is one of config.yaml, with the radii of the quick preset. Results go to results/published.
"""

from pathlib import Path

from stages import PROJECT
from stages.attack.attack_network import write_attack
from stages.config import configuration
from stages.data import downsample_digits, fetch_digits
from stages.model.build import trained_solver
from stages.model.classify import accuracy
from stages.plan import stage_settings
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.statistics.attack_curves import susceptible
from stages.storage import stores
from stages.zoo import load
from stages.zoo.attack import named_attack

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
    config = configuration.load(PROJECT, "quick")
    store = known_network(options.network, options.networks)
    shipped = config["data"]["test"]
    if not 1 <= options.images <= shipped:
        raise UserError(f"--images: wanted 1 to {shipped}, the shipped test images; found {options.images}")
    net = load(store, options.device)
    scale = net.side / config["data"]["side"]
    settings = attack_settings(config, options.attack, options.hold, scale)
    settings |= {"images": options.images, "trained": net.trained}
    digits = shipped_digits(options.out, config, net.side)
    name = f"{options.attack}-held" if options.hold else options.attack
    out = options.out / "attack" / name / f"{options.network}.zarr"
    write_attack(settings, digits, store, out, options.device)
    print(summary(net, digits, out, scale * config["claims"]["attack_norm"]))


def known_network(name, folder=NETWORKS):
    """Return the store of a published network; raise a UserError that lists them if there is none."""
    known = sorted(path.stem for path in folder.glob("*.zarr"))
    if name not in known:
        there = ", ".join(known) or f"none in {folder} (make publish PRESET=paper writes them)"
        raise UserError(f"wanted one of the published networks, found {name!r}; there are: {there}")
    return folder / f"{name}.zarr"


def attack_settings(config, name, hold, scale):
    """Return the settings of an attack's line in the configuration: attack, and radii if it is confined to balls."""
    settings = named_attack(config, name, scale)
    settings["attack"] |= {"hold": "scores"} if hold else {}
    return settings


def shipped_digits(folder, config, side):
    """Return the store of the shipped digits at this side; write it if it is missing or has other settings."""
    raw, digits = folder / "data" / "raw", folder / "data" / f"digits-{side}.zarr"
    origin, settings = {"origin": "sample"}, stage_settings.downsample_settings(config, side)
    if not made_with(origin, raw):
        fetch_digits.fetch(origin, raw)
    if not made_with(settings, digits):
        downsample_digits.write_digits(settings, raw, digits)
    return digits


def made_with(settings, store):
    """Tell whether a store exists and was made with these settings."""
    return stores.manifest_path(store).exists() and stores.read_manifest(store)["settings"] == settings


def summary(net, digits, out, norm):
    """Return the result in words; net: a LoadedNetwork."""
    images = stores.read_arrays(digits)
    test = [net.xp.asarray(images[part]) for part in ("test_image", "test_label")]
    right = 100 * float(accuracy(net.network, *test, net.classes, trained_solver(net.trained)))
    result = stores.read(out)
    norms = result["norm"].values[result["success"].values.astype(bool)]
    mean = f"; mean norm of the {len(norms)} successes {norms.mean():.2f}" if len(norms) else ""
    attacked = "no image was classified correctly: nothing to attack"
    if result.sizes["sample"]:
        within = 100 * susceptible(result, [norm])[0]
        attacked = f"{within:.0f} % are misclassified within an ℓ² norm of {norm:g}{mean}"
    return (
        f"{net.store.stem}, {net.network.depth} layers: "
        f"classifies {right:.1f} % of {len(test[1]):,} test digits correctly\n"
        f"{out.parent.name} attack on {result.sizes['sample']} of them, {result.attrs['seconds']:.0f} s: "
        f"{attacked}\n"
        f"images, norms and classes: {out}"
    )


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
