"""Publish a finished run: the parts of results/<preset> that readers want, small enough for the repository.

    python -m stages.publish.publish --preset paper          # or: make publish PRESET=paper

<out>/<preset> gets the report, claims, tables, figures, networks.csv, the configuration and a README that says
what ran. For the paper preset, some trained networks go to <out>/networks as small stores, extracts of all stores go to
<out>/stores, from which the run can continue elsewhere (restore), and the project's README opens with the results: the
text between two marks is replaced, the rest of the README is unchanged.
Results that are unfinished, damaged or of another preset are refused, and nothing is written.
"""

import logging
import os
import platform
import shutil
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from stages import PROJECT, __version__
from stages.claims import apart
from stages.claims.conclusions import conclusions
from stages.config import configuration
from stages.plan import exhibit, experiment
from stages.plan.all_exhibits import FIGURES
from stages.publish import finished_results, published_networks
from stages.publish.keep_network import write_cards
from stages.publish.pack import pack_finished
from stages.report import differences, job_costs, provenance
from stages.report.project import older_code
from stages.report.templates import render
from stages.runtime import program
from stages.runtime.errors import UserError
from stages.statistics.scale import scale_line
from stages.storage.csv_files import as_csv, read_csv
from stages.storage.whole_files import replacing_folder, write_text

log = logging.getLogger("stages")

LIMIT_MB = 10  # of <out>/<preset>: every clone of the project downloads it
NETWORKS = ("ncg_ce_relu", "sgd_ce_relu")
REFERENCE = Path("workflow/reference")
# Of the opening of the README, which `make publish PRESET=paper` writes between these marks.
BEGIN = "<!-- What follows, to the next such line, is written by `make publish PRESET=paper`. -->\n"
END = "<!-- Here it ends. -->\n"
OPENING_FIGURES = ("fig_noise_accuracy", "fig_attack_success")


def publish(results, preset, out, reference=REFERENCE, networks=None, readme=None):
    """Check the results, then write <out>/<preset> and, for the paper preset, <out>/networks and the README's opening.

    networks: those to publish with weights; None: those already in <out>/networks, and NETWORKS.
    """
    config = finished_results.read_experiment(results, preset)
    finished_results.require_finished(results, config)
    networks = _networks_to_publish(config, out / "networks", networks) if preset == "paper" else []
    with ExitStack() as both:  # fill both folders before replacing either
        folder = both.enter_context(replacing_folder(out / preset))
        for name in finished_results.shown_files(config):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(results / name, folder / name)
        trained = published_networks.describe(results, config)
        (folder / "networks.csv").write_text(as_csv(published_networks.COLUMNS, trained))
        described = about(results, config, reference, trained)
        (folder / "README.md").write_text(render(Path(__file__).with_name("published.md.j2"), described))
        _require_small(folder)
        if networks:
            place = both.enter_context(replacing_folder(out / "networks"))
            place.mkdir()
            for model in networks:
                published_networks.place_network(results, config, model, place, out / "networks")
            write_cards(place)
        opened = _opened(readme, folder, described) if readme and preset == "paper" else None
        if preset == "paper":
            pack_finished(results, config, out / "stores" / preset, runs=experiment.runs(config))
    if opened:
        write_text(readme, opened)


def _networks_to_publish(config, folder, asked_for):
    """Return the names of the networks to publish; asked_for: None for those in the folder, and NETWORKS."""
    kept = [path.stem for path in sorted(folder.glob("*.zarr"))]
    known = list(dict.fromkeys([*kept, *experiment.all_models(config)]))
    if asked_for is None:
        return [name for name in known if name in kept or name in NETWORKS]
    if unknown := [name for name in asked_for if name not in known]:
        raise UserError(f"--networks: wanted some of {', '.join(known)}; found {', '.join(unknown)}")
    return list(dict.fromkeys(asked_for))


def _opened(readme, folder, described):
    """Return the text of `readme` with the text between its marks made from `described` and the published `folder`."""
    text = readme.read_text()
    if not (text.count(BEGIN) == text.count(END) == 1 and text.index(BEGIN) < text.index(END)):
        raise UserError(f"{readme}: wanted the lines {BEGIN.strip()} and {END.strip()}, one each; put them back")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    shown = [name for name in OPENING_FIGURES if (folder / "figures" / f"{name}.png").is_file()]
    figures = [(name, FIGURES[name].title, FIGURES[name].place) for name in shown]
    # Table 2 with its note, but without its heading and without what was not run.
    table2 = (folder / "tables/table2_accuracy.md").read_text().partition("\n\n")[2].splitlines(keepends=True)
    content = {"figures": figures, "table2": "".join(line for line in table2 if "| not run |" not in line)}
    return before + BEGIN + "\n" + render(Path(__file__).with_name("opening.md.j2"), described | content) + END + after


def about(results, config, reference, trained):
    """Return the content of a published run's README."""
    different, unstated, _ = differences.compare(config, reference / "settings.csv")
    claims, ours = apart(read_csv(results / "claims.csv"))
    made = provenance.collect(results, config)
    return {
        **made,
        "preset": config["preset"],
        "scale": scale_line(exhibit.scale(config, experiment.table2_models(config))),
        "counts": Counter(row["verdict"] for row in claims),
        "conclusions": conclusions(read_csv(results / "claims_in_detail.csv")),
        "our_counts": Counter(row["verdict"] for row in ours),
        "undecided": [row for row in claims + ours if row["verdict"] == "not decided"],
        "different": different,
        "chosen": differences.unlike(unstated, configuration.load(PROJECT, config["preset"])),
        "not_run": differences.not_run(config, reference),
        "trained": trained,
        "training_hours": sum(float(each) for row in trained for each in row["seconds_by_epoch"].split()) / 3600,
        "commits": Counter(row["commit"] or "not recorded" for row in trained),
        "older_code": older_code(made["versions"]),
        "machine": _machine(),
        "version": __version__,
        "core_hours": job_costs.core_hours(results, config),
        "costs": job_costs.stage_costs(results, config),
    }


def _machine():
    """Describe this machine: stores record their backend, not their machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        processor = platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _require_small(folder):
    sizes = {str(path.relative_to(folder)): path.stat().st_size / 1e6 for path in folder.rglob("*") if path.is_file()}
    log.info("%d files, %.1f MB", len(sizes), sum(sizes.values()))
    if sum(sizes.values()) > LIMIT_MB:
        largest = ", ".join(f"{name} {sizes[name]:.1f}" for name in sorted(sizes, key=sizes.get)[:-4:-1])
        raise UserError(
            f"wanted at most {LIMIT_MB} MB to publish, found {sum(sizes.values()):.1f} (in MB: {largest}); "
            "nothing was published; set figures.dpi lower and draw again"
        )


def arguments(parser):
    parser.add_argument("--preset", required=True, help="which preset's results to publish")
    parser.add_argument("--results", type=Path, help="where they lie (default: results/<preset>)")
    parser.add_argument("--out", type=Path, default=Path("workflow/published"), help="default: workflow/published")
    parser.add_argument("--reference", type=Path, default=REFERENCE, help=f"the paper's numbers (default: {REFERENCE})")
    parser.add_argument("--readme", type=Path, default=Path("README.md"), help="whose opening to write")
    chosen = f"those that are there, and {' and '.join(NETWORKS)}"
    parser.add_argument("--networks", nargs="*", help=f"networks to publish with their weights (default: {chosen})")


def main(options):
    configuration.preset_path(PROJECT, options.preset)  # raises an error that lists the presets
    results = options.results or Path("results", options.preset)
    publish(results, options.preset, options.out, options.reference, options.networks, options.readme)
    log.info("published in %s", options.out / options.preset)


if __name__ == "__main__":
    program.run(__doc__, arguments, main, settings=False)
