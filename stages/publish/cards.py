"""The cards of kept networks: what each is and what rounding its weights costs, as one page in their folder."""

from pathlib import Path

from stages.report.templates import render
from stages.storage import stores
from stages.storage.whole_files import write_text

CARD = ("test_accuracy", "attack_success")  # measured before and after rounding


def read_card(store):
    """Return the card of a kept network: name, run, rounding, size and measurements."""
    _, attributes = stores.check(store)
    manifest = stores.read_manifest(store)
    settings = manifest["settings"]
    size = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
    return {
        "name": store.stem,
        "run": settings.get("run", 0),
        "layers": settings["network"]["depth"],
        "rounded": ", from ".join(filter(None, (settings["rounded"], attributes.get("rounded_from")))),
        "digest": manifest["inputs"].get("network", ""),
        "megabytes": size / 1e6,
        **{name: value for name, value in attributes.items() if name.endswith(("_as_trained", "_rounded"))},
        **{name: attributes[name] for name in ("test_images", "attacked_images", "attack_norm") if name in attributes},
    }


def write_cards(folder):
    """Write README.md beside the kept networks of a folder."""
    cards = [read_card(path) for path in sorted(folder.glob("*.zarr"))]
    if cards:
        page = render(Path(__file__).with_name("networks.md.j2"), {"cards": cards})
        write_text(folder / "README.md", page)
