"""Write the playground with published networks: workflow/published/playground.html, one page that needs no server.

    python -m stages.publish.publish_playground              # or: make publish-playground
    python -m stages.publish.publish_playground --networks ncg_ce_relu ncg-sobolev_ce_relu

By default it shows one published network per trainer, in the order of Table 2. The test images come with the project.
"""

from pathlib import Path

from stages import PROJECT
from stages.config import configuration
from stages.plan import experiment
from stages.playground import chosen_models, write_playground
from stages.publish.attack_published import NETWORKS, known_network, shipped_digits
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.storage.whole_files import write_text

LIMIT_MB = 12  # every clone of the project downloads it


def published_models(folder, config):
    """Return the names of the networks in a folder that the page shows: one per trainer."""
    there = {path.stem for path in folder.glob("*.zarr")}
    ordered = [model for model in experiment.table2_models(config) if model in there]
    return chosen_models.one_per_trainer(ordered)


def publish(models, folder, output, work):
    """Write the page `output` with these networks of a folder; work: folder in which digits are prepared."""
    config = configuration.load(PROJECT, "quick")
    stores = [known_network(model, folder) for model in models]
    text = write_playground.page(stores, shipped_digits(work, config, config["data"]["side"]))
    size = len(text.encode()) / 1e6
    if size > LIMIT_MB:
        raise UserError(
            f"wanted a page of at most {LIMIT_MB} MB, found {size:.1f} with {', '.join(models)}; nothing was written; "
            "name fewer with --networks"
        )
    write_text(output, text)
    program.log.info("wrote %s, %.1f MB", output, size)


def arguments(parser):
    parser.add_argument("--networks", nargs="+", metavar="MODEL", help="which (default: one per trainer)")
    parser.add_argument("--folder", type=Path, default=NETWORKS, help=f"where they lie (default: {NETWORKS})")
    parser.add_argument("--work", type=Path, default=Path("results/published"), help="default: results/published")
    parser.add_argument("--output", type=Path, default=NETWORKS.with_name("playground.html"), help="the page to write")


def main(options):
    models = options.networks or published_models(options.folder, configuration.load(PROJECT, "paper"))
    if not models:
        raise UserError(
            f"wanted published networks in {options.folder}, found none; make publish PRESET=paper writes them"
        )
    publish(models, options.folder, options.output, options.work)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
