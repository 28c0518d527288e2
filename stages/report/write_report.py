"""Write report.html, one page for readers: what reproduces, at what scale, and how every number was made.

The page is self-contained: pictures are embedded, there is no script, and its content policy forbids any request.
report.html.j2 is the page, report.css its style; its content is gathered here. experiment.yaml beside the page has the
whole configuration: `snakemake --configfile` with it repeats the experiment.
"""

from pathlib import Path

import yaml

from stages.plan import exhibit, experiment
from stages.plan.reading_choices import flatten
from stages.report import claims_section, differences, figures_section, job_costs, provenance, tables_section
from stages.report.project import older_code, project
from stages.report.templates import render
from stages.runtime import program
from stages.statistics.scale import scale_line
from stages.storage import stores


def gather(folder, reference, config, published=None):
    """Return everything that the page shows."""
    different, unstated, same = differences.compare(config, reference / "settings.csv")
    made = provenance.collect(folder, config)
    return {
        "project": project(),
        "older_code": older_code(made["versions"]),
        "preset": config["preset"],
        "scale": scale_line(exhibit.scale(config, experiment.table2_models(config))),
        **claims_section.gather(folder, config, published),
        "tables": tables_section.gather(folder, config),
        "figures": figures_section.gather(folder, config),
        "different": different,
        "not_run": differences.not_run(config, reference),
        "unstated": unstated,
        "same": same,
        "settings": [(key, differences.shown(value)) for key, value in flatten(config).items()],
        **made,
        "own_versions": provenance.own_versions(),
        "costs": job_costs.stage_costs(folder, config),
    }


def arguments(parser):
    parser.add_argument("--results", type=Path, required=True, help="folder of a preset's results, as results/quick")
    parser.add_argument("--reference", type=Path, required=True, help="folder of the paper's claims and numbers")
    parser.add_argument("--published", type=Path, help="folder that `make publish` wrote, to show its verdicts beside")
    parser.add_argument("--output", type=Path, required=True, help="the page to write")
    parser.add_argument("--experiment", type=Path, required=True, help="the file to write the configuration to")


def main(options):
    config = options.settings["config"]
    content = gather(options.results, options.reference, config, options.published)
    stores.write_text(options.experiment, yaml.safe_dump(config, allow_unicode=True, sort_keys=False))
    stores.write_text(options.output, render(Path(__file__).with_name("report.html.j2"), content))
    program.log.info("wrote %s", options.output)


if __name__ == "__main__":
    program.run(__doc__, arguments, main)
